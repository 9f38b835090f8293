"""Tests of exercises from a seed: no slip gives the score, and optimal answers are as many as a slow count finds."""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations, product

import pytest

import metrics
from metrics.catalogue.dcs import plans as dcs
from metrics.catalogue.ter import plans as ter
from metrics.catalogue.ter.program import count_edits, shifts_and_script
from metrics.formula import format_number
from metrics.teach import exercises, typed
from metrics.teach.records import AnswerValue, AnswerVerdict, Question
from metrics.teach.sentences import SCENES, Dice
from metrics.teach.slips import APART, possible_slips
from metrics.teach.typed import equals_or_rounds_to, read_number
from tests.helpers.cases import TAUGHT as KEYS
from tests.helpers.matchings import rising_chains
from tests.helpers.searching import FREE

SEEDS = range(1, 31)


@cache
def make_exercise(key, level, seed):
    return metrics.exercise(key, seed, level)


def result_of(e):
    return metrics.METRICS[e.key].score(e.segment, e.settings)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_an_exercise_has_one_score_that_no_slip_gives(key):
    metric = metrics.METRICS[key]
    for level in exercises.LEVELS:
        for seed in SEEDS:
            e = make_exercise(key, level, seed)
            result = result_of(e)
            assert e.score == result.score and e.optimal.unique and e.optimal.number >= 1, e.code
            assert 0 < e.score < (1 if key not in ("nist", "dcs") else 20), e.code
            assert all(abs(slip.number - e.score) >= APART for slip in possible_slips(metric, result)), e.code
            numbers = [value.number for value in e.question.values[1:]]
            assert len(numbers) >= 3 and all(abs(a - b) >= APART for a, b in combinations(numbers, 2)), e.code
            other = metric.score(e.segment._replace(candidate=e.other), e.settings).score
            assert abs(other - e.score) > 0.009, e.code
            assert e.given == {k: v for k, v in e.given.items() if getattr(e.settings, k) == v}


@pytest.mark.parametrize("key", KEYS)
def test_the_score_is_accepted_rounded_and_cut_and_slips_are_named(key):
    for level in exercises.LEVELS:
        for seed in SEEDS[::2]:
            e = make_exercise(key, level, seed)
            for decimals in (2, 3, 4, 6):
                cut = math.floor(e.score * 10**decimals + 1e-9) / 10**decimals
                for text in (f"{e.score:.{decimals}f}", f"{cut:.{decimals}f}".replace(".", ",")):
                    verdict = metrics.judge_number(e.question, text)
                    assert (verdict.how == "right") != is_near_slip(e.question, text, decimals), (e.code, text)
                    assert verdict.how == "right" or (verdict.because == typed.MORE and decimals < 4)
            assert metrics.judge_number(e.question, f"{100 * e.score:.2f} %").how == "right"
            assert metrics.judge_number(e.question, e.question.shows).how == "right"
            for value in e.question.values[1:]:
                verdict = metrics.judge_number(e.question, f"{value.number:.7f}")
                assert verdict.how == "no" and value.verdict.because == verdict.because, (e.code, value)
            wrong = e.score * 1.37 + 0.171
            if not any(abs(value.number - wrong) < 1e-4 for value in e.question.values):
                assert metrics.judge_number(e.question, f"{wrong:.5f}").because.endswith(" The right number is lower.")


def is_near_slip(question, text, decimals):
    """Return whether the typed number is also a slip's number, rounded or cut to `decimals` decimals."""
    number, unit = float(text.replace(",", ".")), 10.0**-decimals
    away = [abs(value.number - number) for value in question.values[1:]]
    cut = [math.floor(abs(value.number) / unit + 1e-9) * unit for value in question.values[1:] if value.number > 0]
    return min(away) <= unit / 2 + 1e-9 or min([abs(each - number) for each in cut], default=1) < unit / 1e3


@pytest.mark.slow
@pytest.mark.hypothesis
def test_no_slip_is_right_however_it_is_rounded():
    """Check that no slip's number is accepted when it is rounded or cut to two decimals or more.

    Hundreds of these numbers are also the rounded score; there the answer asks for more decimals."""
    asked = 0
    for key, level, seed in product(KEYS, exercises.LEVELS, range(1, 101 if FREE else 13)):
        question = make_exercise(key, level, seed).question
        for value in question.values[1:]:
            for decimals in (2, 3, 4):
                cut = math.floor(value.number * 10**decimals + 1e-9) / 10**decimals
                for number in (value.number, cut):
                    verdict = metrics.judge(question, f"{number:.{decimals}f}")
                    assert verdict.how == "no", (key, level, seed, value, decimals)
                    asked += verdict.because == typed.MORE
    assert asked >= 300


def test_one_more_decimal_is_asked_for_where_a_slip_is_near():
    says = AnswerVerdict("right", "Right."), AnswerVerdict("no", "That is P."), AnswerVerdict("no", "That is R.")
    values = tuple(
        [AnswerValue(number, 0, verdict) for number, verdict in zip((0.25, 0.2549, 0.2512), says, strict=True)]
    )
    question = Question("?", "number", "0.2500", {}, AnswerVerdict("no", "Not yet."), values=values, rounded=True)
    told = [
        metrics.judge_number(question, text).because for text in ("0.25", "0.2500", "0.250", "1/4", "25 %", "0.255")
    ]
    assert told == [typed.MORE, "Right.", "Right.", "Right.", typed.MORE, "That is P."]
    for text, because in {
        "0.251": "That is R.",
        "0.2510": "Not yet. The right number is lower.",
        "25.00%": "Right.",
    }.items():
        assert metrics.judge_number(question, text).because == because
    exact = replace(question, values=(*values, AnswerValue(0.2504, 0, says[1])))
    assert metrics.judge_number(exact, "0.250").because == typed.MORE


def test_levels_ask_for_more():
    for key in KEYS:
        for seed in SEEDS:
            one, two, three = (make_exercise(key, level, seed) for level in exercises.LEVELS)
            assert len(one.segment.references) == len(two.segment.references) == 1
            assert max(map(len, (one.segment.candidate, *one.segment.references))) <= 13
            assert len({*one.segment.references[0]}) == len(one.segment.references[0])
            assert Counter(two.segment.references[0])["the"] >= 2
            if len(three.segment.references) == 1:
                default = metrics.settings(key)
                assert three.settings not in (default, two.settings), three.code
        tied = [make_exercise(key, 2, seed).optimal.number > 1 for seed in SEEDS]
        assert key in ("dcs", "meteor", "ribes") or sum(tied) > len(tied) / 2, key


def test_exercises_show_what_is_peculiar_to_their_metric():
    for level in exercises.LEVELS:
        for seed in SEEDS:
            assert result_of(make_exercise("ter", level, seed)).stats["shifts"] >= 1
            assert result_of(make_exercise("ribes", level, seed)).stats["discordant"] >= 1
            assert result_of(make_exercise("meteor", level, seed)).stats["chunks"] >= 2
            assert len(result_of(make_exercise("sia", level, seed)).layers) >= 2
            assert len(result_of(make_exercise("gtm", level, seed)).layers[0].marks) >= 2


def test_sentences_are_sensible():
    """Check that sentences use known words only, that no word occurs three times in a row, and no vowel follows “a”."""
    known = set("a the was were by on last this Monday week morning yesterday today also once often finally".split())
    for scene in SCENES:
        known.update(scene.subjects, scene.kinds, scene.objects, scene.looks, *scene.verbs)
        known.update(f"{thing}s" for thing in scene.objects)
        known.update(word for place in scene.places for word in place.split())
        assert all(word[0] not in "aeiou" for word in (*scene.looks, *scene.objects))
    for key in KEYS:
        for level in exercises.LEVELS:
            for seed in SEEDS:
                e = make_exercise(key, level, seed)
                for words in (e.segment.candidate, e.other, *e.segment.references):
                    assert {*words} <= known and 4 <= len(words) <= 18, (e.code, words)
                    assert not any(a == b == c for a, b, c in zip(words, words[1:], words[2:], strict=False))
                    assert ("a", "a") not in [*pairwise(words)]


# ---------------------------------------------------------------- slow counts


def list_ngrams(words, order):
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def largest_pairings(a, b):
    """Return all largest sets of index pairs (i, j) with `a[i] == b[j]` in which no index occurs twice."""
    found = {frozenset()}
    for i, x in enumerate(a):
        found |= {
            pairs | {(i, j)} for pairs in found for j, y in enumerate(b) if x == y and j not in {q for _, q in pairs}
        }
    most = max(map(len, found))
    return [pairs for pairs in found if len(pairs) == most]


def count_clipped_choices(ours, theirs):
    """Return in how many ways n-grams of `ours` can be chosen to count, as many as clipping by `theirs` allows.

    `ours` are the candidate's n-grams, and `theirs` has a list of n-grams for each reference."""
    count = 1
    for kind, often in Counter(ours).items():
        room = min(often, max(list(other).count(kind) for other in theirs))
        places = [i for i, thing in enumerate(ours) if thing == kind]
        count *= sum(1 for chosen in combinations(places, room) if len(chosen) == room)
    return count


def chain_weight(chain, weight):
    lengths, last = [], None
    for i, j in chain:
        if last == (i - 1, j - 1):
            lengths[-1] += 1
        else:
            lengths.append(1)
        last = i, j
    return math.fsum(length**weight for length in lengths)


def count_optimal_slowly(e):
    """Return the number of optimal answers by listing them, or None for metrics that test_ties covers.

    `e` is the exercise."""
    result, (candidate, references) = result_of(e), e.segment
    decides = [references[k] for k in dict.fromkeys(result.decides.values())] or references
    given = e.settings.to_dict()
    if e.key in ("per", "rouge_n"):
        order = given.get("order", 1)
        return math.prod(len(largest_pairings(list_ngrams(candidate, order), list_ngrams(r, order))) for r in decides)
    if e.key in ("bleu", "nist"):
        orders = range(1, given["max_order"] + 1)
        return math.prod(
            count_clipped_choices(list_ngrams(candidate, n), [list_ngrams(r, n) for r in references]) for n in orders
        )
    if e.key == "rouge_s":
        reach = 1 + (99 if given["max_skip"] is None else given["max_skip"])
        pairs = [
            [(w[a], w[b]) for a in range(len(w)) for b in range(a + 1, min(len(w), a + reach + 1))]
            for w in (candidate, *decides)
        ]
        count = math.prod(count_clipped_choices(pairs[0], [other]) for other in pairs[1:])
        return count * (math.prod(count_clipped_choices(candidate, [r]) for r in decides) if given["unigrams"] else 1)
    if e.key in ("rouge_l", "rouge_w"):
        count = 1
        for r in decides:
            hits = [(i, j) for i, x in enumerate(candidate) for j, y in enumerate(r) if x == y]
            worth = [chain_weight(chain, given.get("weight", 1.0)) for chain in rising_chains(hits)]
            count *= sum(max(worth) - w < 1e-9 for w in worth)
        return count
    return None


@pytest.mark.parametrize("key", ["per", "rouge_n", "bleu", "nist", "rouge_s", "rouge_l", "rouge_w"])
def test_optimal_answers_are_as_many_as_slow_counting_finds(key):
    for level in exercises.LEVELS:
        for seed in range(1, 5):
            e = make_exercise(key, level, seed)
            assert count_optimal_slowly(e) == e.optimal.number, e.code


def test_blocks_of_dcs_in_any_order_of_equally_long_runs():
    assert len({*dcs.overlapping_block_sets(tuple("aa"), tuple("a"))}) == 2
    assert len({*dcs.disjoint_block_sets(tuple("abab"), tuple("ab"))}) == 2
    for level in exercises.LEVELS:
        for seed in SEEDS:
            e = make_exercise("dcs", level, seed)
            result = result_of(e)
            (reference,) = [e.segment.references[k] for k in {*result.decides.values()}]
            find = dcs.overlapping_block_sets if e.settings.overlap == "published" else dcs.disjoint_block_sets
            own = frozenset((run.i, run.j, run.length) for run in result.layers[0].marks)
            assert own in {*find(e.segment.candidate, reference)}, e.code


def blocks_by_order(candidate, reference):
    """Yield the blocks that dcs's published program (Table 1) takes, for every order of equally long maximal runs."""
    hits = {(i, j) for i, a in enumerate(candidate) for j, b in enumerate(reference) if a == b}
    runs = []
    for i, j in hits:
        if (i - 1, j - 1) not in hits:
            length = next(d for d in range(1, 99) if (i + d, j + d) not in hits)
            runs.append((i, j, length))
    for order in permutations(runs):
        if [run[2] for run in order] != sorted([run[2] for run in order], reverse=True):
            continue
        rows, columns, taken = set(), set(), set()
        for i, j, length in order:
            down, across = {*range(i, i + length)}, {*range(j, j + length)}
            if down - rows and across - columns:
                taken.add((i, j, length))
                rows |= down
                columns |= across
        yield frozenset(taken)


def test_blocks_of_dcs_against_every_order():
    rng = random.Random(3)
    for _ in range(60):
        candidate, reference = (tuple(rng.choices("abcd", k=rng.randint(1, 5))) for _ in range(2))
        if sum(a == b for a in candidate for b in reference) <= 7:
            expected = {*blocks_by_order(candidate, reference)}
            assert {*dcs.overlapping_block_sets(candidate, reference)} == expected, (candidate, reference)


def test_the_program_is_among_the_ways_to_shift():
    rng = random.Random(4)
    for _ in range(40):
        candidate, reference = (rng.choices("abcd", k=rng.randint(1, 6)) for _ in range(2))
        shifts, script = shifts_and_script(candidate, reference, 10, 50, 25, 1000)
        totals = {total for total, _ in ter.shift_series(tuple(candidate), tuple(reference), 10)}
        assert len(shifts) + count_edits(script) in totals, (candidate, reference)


def test_ways_to_shift():
    assert sorted(ter.shift_series(tuple("abc"), tuple("cab"), 10)) == [(1, 1)]
    assert sorted(ter.shift_series(tuple("ab"), tuple("ab"), 10)) == [(0, 1)]
    assert sorted(ter.shift_series(tuple("aab"), tuple("ab"), 10)) == [(1, 2)]


# ---------------------------------------------------------------- the same exercises for ever


def test_the_same_seed_is_the_same_exercise_for_ever():
    """Check a digest of exercises of every metric and level: a change in it breaks links that people have.

    Words, templates and plans make an exercise, and so do slips, because no slip may give its score: a new slip that
    does gives the seed another sentence.
    """
    told = [
        repr((e.code, e.segment, e.other, dict(e.given), round(e.score, 9), e.optimal.number))
        for key in KEYS
        for level in exercises.LEVELS
        for e in (make_exercise(key, level, 1), make_exercise(key, level, 30))
    ]
    digest = hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]
    assert digest == "91dc4ae1649eee46"


def test_an_exercise_in_full():
    e = make_exercise("gtm", 3, 1)
    assert [" ".join(words) for words in (e.segment.candidate, *e.segment.references)] == [
        "the patient mechanic repaired the broken radio behind the house",
        "the patient boy repaired the broken radio in the workshop",
        "the patient engineer tested the broken radio",
    ]
    assert (round(e.score, 4), e.optimal.number, dict(e.given)) == (0.4954, 6, {})


def test_dice_are_the_same_everywhere():
    dice = Dice("gtm-2-48213")
    assert [dice.draw_below(1000) for _ in range(4)] == [84, 948, 624, 797]


@pytest.mark.parametrize(
    "code",
    [
        *("", "gtm", "gtm-2", "gtm-2-x9", "gtm-2-0", "gtm-2-123456", "gtm-2--5", "gtm-4-1", "xyz-1-1", "gtm-1-1-1"),
        *("gtm-2-²", "<script>-1-1", "gtm-2-٣", "g" * 500, "gtm-1-1\n2", "gtm-1-1-", "gtm-1-1-sing"),
        "gtm-1-1-make-make",
    ],
)
def test_a_broken_code_is_refused_in_one_sentence(code):
    with pytest.raises(ValueError, match=r"^Exercise “.*” is not known: .*; choose a new one\.$") as error:
        metrics.exercise_of(code)
    assert len(str(error.value)) < 200 and "\n" not in str(error.value)


def test_a_code_gives_its_exercise():
    for key in KEYS:
        e = make_exercise(key, 3, 5)
        again = metrics.exercise_of(f" {e.code.upper()} ")
        assert (again.segment, again.settings, again.score) == (e.segment, e.settings, e.score)


def test_a_code_can_name_a_task():
    for task in exercises.TASKS:
        e = metrics.exercise_of(f"gtm-1-5-{task}")
        assert e.task == task and e.segment == make_exercise("gtm", 1, 5).segment
        assert bool(e.weighed) == (task == "which")
        assert e.code == ("gtm-1-5" if task == "score" else f"gtm-1-5-{task}")


def test_sheets():
    found = metrics.sheet(["gtm", "wer"], 2, 5, 9)
    assert [e.key for e in found] == ["gtm", "wer", "gtm", "wer", "gtm"] and {e.level for e in found} == {2}
    assert [e.code for e in found] == [e.code for e in metrics.sheet(["gtm", "wer"], 2, 5, 9)]
    assert [e.code for e in found] != [e.code for e in metrics.sheet(["gtm", "wer"], 2, 5, 10)]
    for wrong in (([], 1, 1, 1), (["gtm"], 1, 0, 1), (["gtm"], 1, 51, 1), (["gtm"], 0, 1, 1), (["x"], 1, 1, 1)):
        with pytest.raises(ValueError):
            metrics.sheet(*wrong)
    seeds = [(seed, 1) for seed in (0, 100_000, 1.5, True, 10**5000, "1")]
    for seed, level in (*seeds, (1, 4), (1, True), (1, 1.0)):
        with pytest.raises(ValueError, match=r"^(seed|level) must be .{,80}$"):
            metrics.exercise("gtm", seed, level)
    for references in (0, 1.0, True, None, "2"):
        with pytest.raises(ValueError, match=r"^references must be "):
            metrics.sheet(["gtm"], references=references)


def test_what_is_no_text_is_no_answer():
    found = metrics.exercise("gtm", 5)
    for function in (
        metrics.exercise_of,
        lambda answer: metrics.judge(found.question, answer),
        lambda answer: metrics.judge_number(found.question, answer),
        lambda answer: metrics.judge_sentence(metrics.sentence_task(found), answer),
    ):
        with pytest.raises(TypeError, match=r"^(code|answer|text) must be a string, got float$"):
            function(0.5)


def test_numbers_in_slips_fit_what_they_say():
    """Check a slip's numbers worked by hand: 5 of 8 words, where the slip takes 10 as the denominator."""
    assert all(equals_or_rounds_to(read_number(text), 0.625) for text in ("5/8", "62.5%"))
    assert format_number(0.625) == "0.625"


def test_the_program_that_searches_asks_for_a_drawing():
    for key, given in (("gtm", {"solver": "exact"}), ("rouge_w", {"variant": "optimal"})):
        found = exercises.with_search_settings(metrics.METRICS[key], metrics.exercise(key, 7, 2))
        assert found.settings == metrics.settings(key, **given) and found.given == given
        asked = [q for _, q in metrics.ask(key, *found.segment, **found.given) if q and q.kind == "cells"]
        assert asked and all(question.optimal for question in asked)
    two = next(found for found in metrics.sheet(["gtm"], 3, 9) if len(found.segment.references) > 1)
    for found in (metrics.exercise("sia", 7, 2), two):
        assert exercises.with_search_settings(metrics.METRICS[found.key], found) is found
