"""Test the sentence on what one edit costs: each claim about matched cells is checked against the cells."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from metrics import METRICS, score, settings
from metrics.analysis.difference import matched_cells
from metrics.analysis.edit_sentence import drop_row, edit_rows, explain_row
from metrics.analysis.edit_shares import WordEdit, apply_edits, edit_shares
from metrics.analysis.sentence import plain_text
from metrics.types import Run, Segment
from tests.helpers.cases import KEYS, parse_number
from tests.helpers.output_pairs import random_pairs, real_pairs

BROKEN_RUN = re.compile(r"a run of (\d+) (?:is |would be )?(?:split\w*|shorten\w*) (?:into|to) ([\d, and]+\d)")

EXCHANGED_RUNS = re.compile(
    r"(runs? of [\d, and others]+) (?:would match|matche?s?) in place of ((?:one|runs?) of [\d, and others]+)"
)


def sentences_per_edit_row(key, candidate, other, references=None, **options):
    """Yield (all edits, the edits of one row, the sentence about that row) for every row of the list of edits.

    `candidate` becomes `other` by the edits. The references default to `other` alone; `options` go to
    `explain_row`."""
    metric, chosen = METRICS[key], settings(key)
    segment = Segment(tuple(candidate), tuple(map(tuple, references or [other])))
    edits = edit_shares(metric, segment, tuple(other), chosen, 6)
    for row in edit_rows(edits):
        yield edits, row, plain_text(explain_row(metric, segment, tuple(other), chosen, edits, row, **options).parts)


TOLD = [
    (
        ("gtm", "a b c d e f x g h i", "a b c d e f y g h i"),
        ("“x” for “y” costs GTM 0.329", "it splits a run of 10 into 6 and 3"),
    ),
    (
        ("gtm", "a b c d e f g h", "a b c d e f y g h"),
        ("The missing word “y” costs GTM 0.256", "a run of 9 is split into 6 and 2 without it"),
    ),
    (
        ("gtm", "a b c d e f y g h", "a b c d e f g h"),
        ("The extra word “y” costs GTM 0.256", "it splits a run of 8 into 6 and 2"),
    ),
    (
        ("gtm", "a b c x", "a b c d"),
        ("“x” for “d” costs GTM 0.250", "one more word would match, and it shortens a run of 4 to 3"),
    ),
    (("rouge_l", "a b c x e", "a b c d e"), ("“x” for “d” costs ROUGE-L 0.200", "one more word would match")),
    (
        ("rouge_l", "a b c x", "a b c"),
        (
            "The extra word “x” costs ROUGE-L 0.143",
            "it matches nothing, and the text would have 3 words without it, not 4",
        ),
    ),
    (
        ("rouge_s", "a b c x", "a b c d"),
        ("“x” for “d” costs ROUGE-S 0.500", "three more pairs of words in order would match"),
    ),
    (("wer", "a b c x", "a b c d"), ("“x” for “d” adds 0.250 to WER", "one fewer substitution would be needed")),
    (
        ("ter", "a b c", "a b c d e"),
        ("The missing words “d e” add 0.400 to TER", "two fewer deletions would be needed"),
    ),
    (
        ("wer", "c d e a b", "a b c d e"),
        ("The place of “a b” adds 0.800 to WER", "two fewer insertions and two fewer deletions would be needed"),
    ),
    (
        ("meteor", "The men walk", "The men walks"),
        ("“walk” for “walks” costs METEOR nothing", "METEOR matches them by their stem"),
    ),
    (
        ("bleu", "a b c x e", "a b c d e"),
        (
            "“x” for “d” costs BLEU 1.000",
            "one more word, two more 2-grams, two more 3-grams and two more 4-grams would match; "
            "now no 4-gram matches, which makes the score 0",
        ),
    ),
]


@pytest.mark.parametrize(
    ("key", "candidate", "reference", "subject", "reason"), [(*case, *says) for case, says in TOLD]
)
def test_a_careful_person_would_say_it(key, candidate, reference, subject, reason):
    ((_, _, first),) = itertools.islice(sentences_per_edit_row(key, candidate.split(), reference.split()), 1)
    assert first == f"{subject}: {reason}."


@pytest.mark.parametrize(
    ("candidate", "reference"),
    [("these are my pictures here", "these are my photos here"), ("so synthesis is", "so synesthesia is")],
)
def test_n_grams_of_letters_are_counted_one_by_one(candidate, reference):
    """Check that the sentence counts n-grams of letters one by one, although one mark of chrF covers several."""
    ours, theirs = candidate.split(), reference.split()
    before, after = (score("chrf", words, [theirs]).stats for words in (ours, theirs))
    orders = [name for name in after if METRICS["chrf"].role(name).kind == "match"]
    more = int(sum(after[name] - before[name] for name in orders))
    ((_, _, told),) = sentences_per_edit_row("chrf", ours, theirs)
    assert told.endswith(f": {more} more n-grams would match.") and more > 30


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("gtm", "“d” for “x” changes GTM by +0.399: it joins runs of 3 and 2 into one of 6."),
        ("wer", "“d” for “x” changes WER by −0.167, which is better: one fewer substitution is needed."),
        ("rouge_l", "“d” for “x” changes ROUGE-L by +0.167: one more word matches."),
    ],
)
def test_between_two_outputs_it_says_what_has_changed(key, said):
    ((_, _, first),) = sentences_per_edit_row(key, "a b c x e f".split(), "a b c d e f".split(), way="from A to B")
    assert first == said
    ((_, _, back),) = sentences_per_edit_row(
        key, "a b c d e f".split(), "a b c x e f".split(), ["a b c d e f".split()], way="from A to B"
    )
    assert ("worse" in back) == (key == "wer")
    assert {"gtm": "it splits a run of 6 into 3 and 2", "wer": "more substitution is", "rouge_l": "one fewer word"}[
        key
    ] in back


def test_the_rows_are_the_edits_once_each_and_moves_together():
    for key, pairs in (("wer", real_pairs(5, 20)), ("gtm", random_pairs(6, 40))):
        for a, b, references in pairs:
            edits = edit_shares(METRICS[key], Segment(a, references), b, settings(key), 4)
            rows = edit_rows(edits)
            assert sorted(itertools.chain(*rows)) == sorted(edits)
            assert all(len(row) == 1 or len({edit.move for edit in row}) == 1 for row in rows)
            assert all({*drop_row(edits, row), *row} == {*edits} for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["to a reference", "from A to B"])
@pytest.mark.parametrize("key", KEYS)
def test_what_it_says_of_words_and_runs_is_in_the_cells(key, way):
    """Check each number of the sentence, and each claim about words and runs, against the cells.

    The claims are about the two texts that the sentence names, or about the other two where it says so."""
    checked = 0
    for a, b, references in itertools.chain(random_pairs(11, 25), real_pairs(12, 8)):
        found = references if way == "from A to B" else (b, *references[:1])
        segment, metric = Segment(a, found), METRICS[key]
        for edits, row, said in sentences_per_edit_row(key, a, b, found, way=way):
            assert said.endswith(".")
            assert said[0] in "“TMNR"
            first, _, mean = said.partition(" On average over ")
            mean, *there = re.split("; (?:after all other edits|as the only edit) ", mean)
            for text, alone in [(first, way == "to a reference"), *[(each, way == "from A to B") for each in there]]:
                ends = ((), row) if alone else (drop_row(edits, row), edits)
                before, after = (
                    metric.score(
                        segment._replace(candidate=apply_edits(a, [WordEdit(*edit[:5]) for edit in end])), settings(key)
                    )
                    for end in ends
                )
                change = after.score - before.score
                if there:
                    share = math.fsum([edit.share for edit in row])
                    assert share * change >= -1e-12 if text is not first else share * change <= 1e-12, said
                checked += _check_stated_number(change, metric, text.split(": ")[0], said)
                checked += _check_and_count_claims(
                    metric, (before, after), edits, row, alone, text.split(": ", 1)[-1], said
                )
            if mean:
                share = math.fsum([edit.share for edit in row])
                checked += _check_stated_number(share, metric, mean.split(", but only")[0].rstrip("."), said)
    assert checked > 2


def _check_stated_number(change, metric, text, failure_message):
    """Return whether `text` states a number; assert that it is `change`, the change in the score, with the right verb.

    `failure_message` is shown if the assertion fails."""
    if found := re.search(r"(changes .* by|worth) (?:≈ )?([+−]?[\d.]+)", text):
        assert float(found[2].replace("−", "-")) == float(f"{change:.3f}"), failure_message
    elif found := re.search(r"(costs?|gives?|adds?|takes?) (?:\S+ )?(?:≈ )?([\d.]+)( to| from|$)", text):
        assert float(found[2]) == float(f"{abs(change):.3f}"), failure_message
        better = (change > 0) == metric.higher_is_better
        assert better == (found[1][:3] in ("cos", "add")), failure_message
    else:
        assert abs(change) < 0.0005 and re.search("nothing|does not|hardly|less than 0.001", text), failure_message
    return bool(found)


def _check_and_count_claims(metric, results, edits, row, is_only_edit, text, failure_message):
    """Return how many claims about cells `text` makes, and assert that each is true.

    Args:
        results: the results before and after the edit.
        edits: all edits.
        row: the edits that `text` is about.
        is_only_edit: whether only this row's edit is made, and not after all others.
        failure_message: shown if an assertion fails."""
    before, after = results
    checked = 0
    for number, more in re.findall(r"(\w+) (more|fewer) words? ", text):
        got = len({c.i for c in matched_cells(after)}) - len({c.i for c in matched_cells(before)})
        assert parse_number(number) == abs(got), failure_message
        assert (got > 0) == (more == "more"), failure_message
        checked += 1
    for long, parts in BROKEN_RUN.findall(text):
        longer, shorter = (after, before) if _only_first_has_run(after, before, int(long)) else (before, after)
        assert int(long) in _run_lengths(longer), failure_message
        assert not [int(p) for p in re.findall(r"\d+", parts) if int(p) not in _run_lengths(shorter)], failure_message
        assert int(long) >= sum(map(int, re.findall(r"\d+", parts))), failure_message
        checked += 1
    for new, old in EXCHANGED_RUNS.findall(text):
        gained, lost = (
            sorted(_run_lengths(x) - _run_lengths(y), reverse=True) for x, y in ((after, before), (before, after))
        )
        for told, lengths in ((new, gained), (old, lost)):
            numbers = [*map(int, re.findall(r"\d+(?! others)", told))]
            assert {*numbers} >= {*lengths[:4]} or len(numbers) == 4, failure_message
        checked += 1
    for one in re.findall(r"(it|they) (?:would match|matche?s?|matched) nothing", text):
        gone = {i for i, each in enumerate(before.segment.candidate)} & _removed_positions(
            before, after, row, is_only_edit, edits
        )
        assert not gone & {cell.i for cell in matched_cells(before)}, failure_message
        assert (one == "it") == (len(gone) == 1), failure_message
        checked += 1
    for number, more, what in re.findall(r"(\w+) (more|fewer) ((?:substitut|insert|delet)ion|shift)s?\b", text):
        got = after.stats[f"{what}s"] - before.stats[f"{what}s"]
        assert (parse_number(number), more == "more") == (abs(got), got > 0), failure_message
        checked += 1
    for count, change in re.findall(r"the text (?:has|would have) (\d+) words?.*?, not (\d+)", text):
        assert (int(count), int(change)) == (len(after.segment.candidate), len(before.segment.candidate)), (
            failure_message
        )
        checked += 1
    return checked


def _only_first_has_run(first, second, length):
    return length in _run_lengths(first) and length not in _run_lengths(second)


def _removed_positions(before, after, row, is_only_edit, edits):
    """Return the positions of the words that the one edit in `row` takes out; it only removes words.

    They count in the text before the edit. Unless `is_only_edit`, other edits are made already, and those to the left
    move the positions."""
    (edit,) = row
    moved = (
        0 if is_only_edit else sum([len(e.words) - e.end + e.start for e in edits if e.end <= edit.start and e != edit])
    )
    assert len(before.segment.candidate) - len(after.segment.candidate) == edit.end - edit.start
    return {*range(edit.start + moved, edit.end + moved)}


def _run_lengths(result):
    return {
        math.ceil(mark.length) if isinstance(mark, Run) else 1
        for layer in result.layers
        if layer.area
        for mark in layer.marks
    }


def test_a_mean_over_some_orders_has_an_about_sign_and_others_have_none():
    a, b = [*"abcdefghijklmnop"], [*"a1c2e3g4i5k6m7o8"]
    many = [said for _, _, said in sentences_per_edit_row("rouge_s", a, b)]
    assert all(re.search(r"On average over 48 random orders of the edits, it costs ≈ \d", said) for said in many)
    assert not any("≈" in said.partition(" On average")[0] for said in many)
    few = [said for _, _, said in sentences_per_edit_row("rouge_s", a[:5], b[:5])]
    assert all("On average over all orders of the edits, it costs 0." in said and "≈" not in said for said in few)


TWO_REFERENCES = ["p a y b q r", "k a x b m i"]


MEAN_NAMED = [
    (
        ("x b c d y f g h", "a b c d e f g h", ["a b c d e f g h"], "to a reference"),
        "“y” for “e” costs GTM 0.345: it splits a run of 7 into 3 and 3. "
        "On average over all orders of the edits, it costs 0.360.",
    ),
    # the word is in a run of the other reference, and that run breaks unless all other edits are made too
    (
        ("j a x b m n", "p a y b q r", TWO_REFERENCES, "to a reference"),
        "“x” for “y” gives GTM 0.140: runs of 3 and 1 would match in place of one of 4. "
        "On average over all orders of the edits, it costs 0.118; after all other edits it costs 0.376: "
        "a run of 6 would match in place of runs of 3, 2 and 1.",
    ),
    (
        ("j a x b m n", "p a y b q r", TWO_REFERENCES, "from A to B"),
        "“y” for “x” changes GTM by +0.376: a run of 6 matches in place of runs of 3, 2 and 1. "
        "On average over all orders of the edits, it is worth +0.118.",
    ),
    (
        ("p a y b q r", "j a x b m n", TWO_REFERENCES, "from A to B"),
        "“x” for “y” changes GTM by +0.140: a run of 4 matches in place of runs of 3 and 1. "
        "On average over all orders of the edits, it is worth −0.118; as the only edit it is worth −0.376: "
        "runs of 3, 2 and 1 match in place of one of 6.",
    ),
]


@pytest.mark.parametrize(("a", "b", "references", "way", "said"), [(*case, says) for case, says in MEAN_NAMED])
def test_what_an_edit_does_comes_first_and_the_mean_is_named(a, b, references, way, said):
    """Check that the number and the reason in the sentence describe the same two texts.

    If the edit's mean effect over all orders has the opposite sign, a sentence of its own says so."""
    assert said in [
        each
        for _, _, each in sentences_per_edit_row("gtm", a.split(), b.split(), [r.split() for r in references], way=way)
    ]


def test_words_are_those_that_were_typed_and_controls_are_made_visible():
    said = [text for _, _, text in sentences_per_edit_row("wer", ["a", "\u202e"], ["a", "b"])]
    assert said == ["“\ufffd” for “b” adds 0.500 to WER: one fewer substitution would be needed."]


@pytest.mark.parametrize(
    ("key", "a", "b", "reference", "said"),
    [
        ("bleu", "a x c", "a b c", "a b d", "“b” for “x” does not change BLEU: the score is also 0 without it."),
        ("wer", "a x c", "a y c", "a b c", "“y” for “x” does not change WER: the number of errors stays the same."),
        ("wer", "b", "b a", "a", "New “a” does not change WER: the number of errors stays the same."),
        ("gtm", "a x c", "a y c", "a b c", "“y” for “x” does not change GTM: nothing that GTM counts changes."),
    ],
)
def test_why_an_edit_that_was_made_leaves_the_score(key, a, b, reference, said):
    """Check the reason why an edit leaves the score as it is, also where the edit makes new words match.

    In that case the sentence must not say that nothing changes."""
    ((_, _, found),) = sentences_per_edit_row(key, a.split(), b.split(), [reference.split()], way="from A to B")
    assert found == said


@pytest.mark.parametrize(
    ("key", "a", "b", "reference", "said"),
    [
        (  # three more 3-grams match, and only one of them carries information
            "nist",
            "the x man",
            "the old man",
            "the old man and the old dog",
            "“old” for “x” changes NIST by +0.102: three more n-grams that carry information match.",
        ),
        (
            "sia",
            "a b c d",
            "b c a d",
            "a b c d",
            "Removing “a” changes SIA by −0.033: a match of “round 2” takes the place of one of “round 1”, and more is "
            "lost to gaps, though the text has 4 words, not 5. On average over all orders of the edits, it is worth "
            "−0.097.",
        ),
    ],
)
def test_which_matches_an_edit_exchanges(key, a, b, reference, said):
    """Check that matches of other words are not said to be the same ones, and that not all n-grams count for NIST."""
    assert said in [
        each for _, _, each in sentences_per_edit_row(key, a.split(), b.split(), [reference.split()], way="from A to B")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "carrying"), [("bleu", ""), ("nist", " that carr(?:y|ies) information")])
def test_n_grams_of_words_are_those_that_match_in_all(key, carrying):
    """Check each number of words and n-grams against the marks: those that match more or fewer in all."""
    metric, checked = METRICS[key], 0
    for a, b, references in real_pairs(13, 40):
        segment = Segment(a, references)
        for edits, row, said in sentences_per_edit_row(key, a, b, references, way="from A to B"):
            before, after = (
                metric.score(
                    segment._replace(candidate=apply_edits(a, [WordEdit(*edit[:5]) for edit in end])), settings(key)
                )
                for end in (drop_row(edits, row), edits)
            )
            orders = [
                [sum(credit != 0 for credit in layer.credits) for layer in result.layers] for result in (before, after)
            ]
            changes = [now - then for then, now in itertools.zip_longest(*orders, fillvalue=0)]
            first = said.partition(" On average ")[0]
            for number, more, noun in re.findall(rf"(\w+) (more|fewer) (words?|n-grams?|\d-grams?){carrying}\b", first):
                order = 1 if noun.startswith("word") else 0 if noun[0] == "n" else int(noun[0])
                change = changes[order - 1] if order else sum(changes)
                assert (parse_number(number), more == "more") == (abs(change), change > 0), said
                checked += 1
    assert checked > 50
