"""Test what the sentence on two outputs claims of n-grams, pairs, chunks and edits, by counting them in the texts."""

import itertools
import re
from collections import Counter

import pytest

import metrics
from metrics.analysis.sentence import difference_sentence, plain_text
from metrics.types import Edit, Shift
from tests.helpers.cases import parse_number, real_pairs, score_both
from tests.helpers.tables import every_row


def claims(before, after, noun):
    """Yield what the sentence claims of a noun, as (more or fewer, how many, the other way, how, words, sentence).

    `how` is "all", "mostly", "some", "mainly" or "partly"; the words are those of each quoted phrase."""
    metric = metrics.METRICS[before.metric]
    parts = difference_sentence(metric, before, after)
    told = plain_text(parts)
    for at, part in enumerate(parts):
        if part.is_words or not (found := re.search(rf"(\S+) (more|fewer) {noun}\b(?: in all)?$", part.text)):
            continue
        head = parts[at + 1].text
        how = re.fullmatch(r", (all|mostly|some|mainly|partly) (?:at|with|with words of) ", head)
        phrases, end = [], at + 2
        while parts[end].is_words or re.fullmatch(r", | and | or |\d+ others?", parts[end].text):
            phrases += [parts[end].text.split()] if parts[end].is_words else []
            end += 1
        other = re.match(r", but (\S+) (?:more|fewer)", parts[end].text)
        yield (
            found[2] == "more",
            parse_number(found[1]),
            parse_number(other[1]) if other else 0,
            how[1] if how else head,
            phrases,
            told,
        )


def both_ways():
    """Yield real pairs of outputs with one reference, in both directions, as (a, b, references)."""
    for a, b, *references in real_pairs():
        yield from ((a, b, references[:1]), (b, a, references[1:2]))


def places_of(phrases, words):
    """Return the positions at which the words of a text are in one of the phrases, or None if a phrase is shortened."""
    if any("…" in phrase for phrase in phrases):
        return None
    return {
        i + at
        for phrase in phrases
        for i in range(len(words) - len(phrase) + 1)
        if list(words[i : i + len(phrase)]) == phrase
        for at in range(len(phrase))
    }


def n_grams(words, orders):
    """Return the places of each n-gram: a list of sets of positions."""
    found = {}
    for order in orders:
        for i in range(len(words) - order + 1):
            found.setdefault(tuple(words[i : i + order]), []).append({*range(i, i + order)})
    return found


def word_pairs(words, orders):
    """Return the places of each pair of words in order."""
    found = {}
    for pair in itertools.combinations(range(len(words)), 2):
        found.setdefault(tuple(words[i] for i in pair), []).append({*pair})
    return found


def letter_n_grams(words, orders):
    """Return the places of each n-gram of letters, as the words that it touches."""
    text, owners = "".join(words), [i for i, word in enumerate(words) for _ in word]
    found = {}
    for order in orders:
        for i in range(len(text) - order + 1):
            found.setdefault(text[i : i + order], []).append({*owners[i : i + order]})
    return found


def matched_counts(found, reference):
    return Counter({gram: min(len(places), len(reference.get(gram, ()))) for gram, places in found.items()})


LEAST = {"mostly": 0.5, "mainly": 0.5, "some": 0, "partly": 0}


@pytest.mark.slow
@every_row(
    ("key", "given", "noun", "count", "orders"),
    [
        ("bleu", {}, "matching n-grams?", n_grams, range(1, 5)),
        ("rouge_n", {"order": 2}, "matching n-grams?", n_grams, [2]),
        ("rouge_s", {"max_skip": None}, "matching pairs? of words", word_pairs, None),
        ("chrf", {}, "matching n-grams?", letter_n_grams, range(1, 7)),
    ],
)
def test_what_is_gained_and_lost_is_counted_apart_and_is_where_the_sentence_says(key, given, noun, count, orders):
    """Count each n-gram, or pair of words, as often as it matches in A and in B, and compare with the sentence.

    The sentence on letters names their sum."""
    checked = 0
    for a, b, references in both_ways():
        pair = score_both(key, a, b, references, **given)
        for up, number, others, how, phrases, told in claims(*pair, noun):
            texts = [count(words, orders) for words in (a, b)]
            before, after = (matched_counts(found, count(references[0], orders)) for found in texts)
            gained, lost = after - before, before - after
            first, second = (gained, lost) if up else (lost, gained)
            total, against = sum(first.values()), sum(second.values())
            if key == "chrf":
                assert (number, others) == (total - against, 0), told
            else:
                assert (number, others) == (total, against), told
            words, found = (b, texts[1]) if up else (a, texts[0])
            places = places_of(phrases, words)
            if places is None or how == ": ":
                continue
            here = sum(
                min(times, sum(bool(spot & places) for spot in found[gram])) for gram, times in first.items() if times
            )
            assert here == total if how == "all" else here > LEAST[how] * total, told
            checked += 1
    assert checked > 20


@pytest.mark.slow
def test_chunks_are_those_of_the_matchings():
    """Check that the sentence counts METEOR's new and gone chunks, and that its difference is that of the chunks."""
    checked = 0
    for a, b, references in both_ways():
        before, after = score_both("meteor", a, b, references)
        for up, number, others, _, _, told in claims(before, after, "chunks?"):
            change = (number - others) * (1 if up else -1)
            assert change == after.stats["chunks"] - before.stats["chunks"], told
            checked += 1
    assert checked > 20


@pytest.mark.slow
def test_shifts_are_single_edits():
    """Check that the difference of new and gone edits of TER is that of all edits, with a shift as one edit."""
    checked = 0
    for a, b, references in both_ways():
        results = score_both("ter", a, b, references)
        ours, theirs = (
            sum(
                isinstance(mark, Shift) or (isinstance(mark, Edit) and mark.op != "match")
                for layer in result.layers
                for mark in layer.marks
            )
            for result in results
        )
        told = metrics.explain(*results)
        for count, way in re.findall(r"(\w+) edits? (more|fewer): ", told):
            assert parse_number(count) * (1 if way == "more" else -1) == theirs - ours, told
        found = [(way, count) for count, way in re.findall(r"(\w+) edits? (gone) \(", told)]
        found += [(way, count) for count, way in re.findall(r"(\w+) (new) edits? \(", told)]
        found += [(way, count) for count, way in re.findall(r"\) and (\w+) (new|gone) \(", told)]
        if found:
            counts = {way: parse_number(count) for way, count in found}
            assert counts["new"] - counts["gone"] == theirs - ours, told
            checked += "the shift of " in told
    assert checked > 5
