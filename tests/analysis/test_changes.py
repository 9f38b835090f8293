"""Test the changes between two outputs: the diff of their words, the cells, and the exact shares of the ledger."""

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import chain

import pytest
from rapidfuzz.distance import LCSseq

import metrics
from metrics.analysis import changes, shares
from metrics.analysis.changes import CAUSES, ledger
from metrics.analysis.difference import (
    DiffPlace,
    DiffRow,
    match_difference,
    matched_cells,
    matched_reference_words,
    pools_references,
    row_numbers,
    word_diff,
)
from metrics.types import Composition, Edit, Hit, StatisticRole, segment
from tests.helpers import shapley
from tests.helpers.cases import CASES, KEYS, SCORES, all_pairs, pairs, real_pairs, score_both, segments
from tests.helpers.possible import are_possible_statistics
from tests.helpers.tables import every_row

# ---------------------------------------------------------------- cells


@pytest.mark.parametrize(
    ("a", "b", "rows"),
    [
        ("", "", []),
        ("ab", "", [(0, None), (1, None)]),
        ("", "a", [(None, 0)]),
        ("abc", "abc", [(0, 0), (1, 1), (2, 2)]),
        ("abc", "axc", [(0, 0), (1, None), (None, 1), (2, 2)]),
        ("ab", "ba", [(None, 0), (0, 1), (1, None)]),
    ],
)
def test_word_diff(a, b, rows):
    assert word_diff(tuple(a), tuple(b)) == tuple([DiffRow(*row) for row in rows])


@every_row(("kinds", "seed"), [("abc", seed) for seed in range(200)])
def test_a_word_diff_holds_every_word_once_and_shares_as_many_as_it_can(kinds, seed):
    rng = random.Random(seed)
    a, b = (tuple(rng.choices(kinds, k=rng.randrange(12))) for _ in range(2))
    rows = word_diff(a, b)
    assert [row.a for row in rows if row.a is not None] == list(range(len(a)))
    assert [row.b for row in rows if row.b is not None] == list(range(len(b)))
    shared = [row for row in rows if None not in row]
    assert all(a[row.a] == b[row.b] for row in shared)
    assert len(shared) == LCSseq.similarity(a, b)


def matched_diff_cells(result, row_of):
    """Return the matched cells of `result` as (row, k, j), where `row` is the row of a word in the diff of two outputs.

    `row_of` maps a position in the candidate to its row."""
    found = {}
    for layer in result.layers:
        for mark in layer.marks:
            for i, k, j in mark.cells():
                found.setdefault((row_of[i], k, j), not (isinstance(mark, Edit) and mark.op == "substitution"))
    return {cell for cell, match in found.items() if match}


@pytest.mark.parametrize("key", KEYS)
def test_every_cell_is_kept_gained_lost_or_moved(key):
    moves = 0
    for a, b, references in pairs(3):
        before, after = score_both(key, a, b, references)
        found = match_difference(before, after)
        rows = found.rows
        ours = matched_diff_cells(before, {row.a: n for n, row in enumerate(rows) if row.a is not None})
        theirs = matched_diff_cells(after, {row.b: n for n, row in enumerate(rows) if row.b is not None})
        sources, targets = [old for old, _ in found.moved], [new for _, new in found.moved]
        if pools_references(before, after):
            assert_each_pooled_word_has_one_fate(found, ours, theirs)
            continue
        assert set(found.kept_places) == ours & theirs
        assert {*found.lost, *sources} == ours - theirs and len(found.lost) + len(sources) == len(ours - theirs)
        assert {*found.gained, *targets} == theirs - ours and len(found.gained) + len(targets) == len(theirs - ours)
        for old, new in found.moved:
            assert old.row == new.row or (old.k, old.j) == (new.k, new.j)
            assert a[rows[old.row].a] == b[rows[new.row].b]
        left = {cell.row for cell in found.lost} & {cell.row for cell in found.gained}
        assert not left, "cells of one row are pairs"
        moves += len(found.moved)
    assert moves or pools_references(before)


def assert_each_pooled_word_has_one_fate(found, ours, theirs):
    """Assert that each word of pooled references is kept, lost, gained or moved in `found`, and only one of these.

    `ours` and `theirs` are the matched cells of the two results. A kept word may have its cells in another
    reference."""
    both = {row for row, _, _ in ours} & {row for row, _, _ in theirs}
    assert set(found.kept_places) == {place for place in ours | theirs if place[0] in both}
    assert {*found.lost, *(old for old, _ in found.moved)} == ours - set(found.kept_places)
    assert {*found.gained, *(new for _, new in found.moved)} == theirs - set(found.kept_places)
    rows = [{place.row for place in cells} for cells in (found.kept_places, found.lost, found.gained)]
    rows += [{cell.row for cell in side} for side in zip(*found.moved, strict=True)]
    assert len(set().union(*rows)) == sum(map(len, rows)), "a word has one fate"


def test_an_inserted_word_moves_nothing():
    references = ["on the mat sat the cat".split()]
    found = match_difference(*score_both("gtm", "the cat sat".split(), "the big cat sat".split(), references))
    assert not found.moved and [row.a for row in found.rows] == [0, None, 1, 2]


def test_a_word_that_another_reference_decides_moves():
    references = [["a", "x"], ["y", "a", "b"]]
    found = match_difference(*score_both("per", ["a"], ["a", "b"], references))
    assert found.moved == ((DiffPlace(0, 0, 0), DiffPlace(0, 1, 1)),) and found.gained == (DiffPlace(1, 1, 2),)


POOLED = ["the cat sat on the mat".split(), "on the mat the cat sat down".split()]


@pytest.mark.parametrize("key", ["bleu", "nist"])
def test_a_match_that_moves_between_pooled_references_is_no_loss_and_no_gain(key):
    """Check that a word whose match moves between pooled references is kept, neither lost nor gained.

    In output A "sat" matches in reference 1; in output B, where a longer run goes through it, in reference 2."""
    before, after = score_both(key, "cat sat here".split(), "the cat sat down".split(), POOLED)
    sat = [{cell.k for cell in matched_cells(r) if r.segment.candidate[cell.i] == "sat"} for r in (before, after)]
    assert sat == [{0}, {1}]
    found = match_difference(before, after)
    row = found.rows.index((1, 2))
    assert {place.k for place in found.kept_places if place.row == row} == {0, 1}
    assert not {row} & {place.row for place in (*found.lost, *found.gained, *chain.from_iterable(found.moved))}
    for step in ledger(metrics.METRICS[key], before, after):
        assert not [piece for piece in step.pieces if piece.kind == "lost"]


def test_a_word_is_reached_in_each_pooled_reference_as_often_as_it_counts():
    before, after = score_both("bleu", "the cat".split(), "the the".split(), POOLED)
    assert matched_reference_words(before) == {(0, 0), (0, 1), (1, 1), (1, 4)}
    assert matched_reference_words(after) == {(0, 0), (0, 4), (1, 1), (1, 3)}
    alone = metrics.score("rouge_l", "the cat".split(), POOLED)
    assert matched_reference_words(alone) == {(cell.k, cell.j) for cell in alone.cells()}


# ---------------------------------------------------------------- the ledger


@pytest.mark.slow
@every_row(("key", "given"), CASES)
def test_the_steps_add_up_to_the_difference_and_the_pieces_to_their_steps(key, given):
    steps = 0
    for a, b, references in pairs(4, 15):
        before, after = score_both(key, a, b, references, **given)
        found = metrics.ledger(before, after)
        assert math.isclose(math.fsum(c.share for c in found), after.score - before.score, abs_tol=1e-12)
        assert [c.cause for c in found] == sorted([c.cause for c in found], key=CAUSES.index)
        for change in found:
            if change.pieces:
                assert math.isclose(math.fsum(p.share for p in change.pieces), change.share, abs_tol=1e-12)
                amount = math.fsum(p.credit for p in change.pieces)
                assert math.isclose(amount, change.after - change.before, rel_tol=1e-9, abs_tol=1e-9)
            else:
                assert change.cause in ("length", "penalty", "references")
            for piece in change.pieces:
                side = before if piece.kind == "lost" else after
                assert all(cell.i < len(side.segment.candidate) for cell in piece.mark.cells())
                assert piece.credit and (piece.word != "gained" or piece.credit > 0)
        assert len({change.name for change in found}) == len(found), "every step has a name of its own"
        assert bool(found) or before.score == after.score
        steps += len(found)
    assert steps or given.get("order") == 100


@pytest.mark.parametrize("key", KEYS)
def test_the_steps_add_up_on_real_pairs(key):
    changed = 0
    for a, b, *references in real_pairs():
        before, after = score_both(key, a, b, references)
        found = metrics.ledger(before, after)
        assert math.isclose(math.fsum(c.share for c in found), after.score - before.score, abs_tol=1e-12)
        changed += before.score != after.score
    assert changed > 5


#: The word for each kind of piece when the two outputs are swapped.
BACK = {"gained": "lost", "lost": "gained", "new": "gone", "gone": "new", "changed": "changed"}


@pytest.mark.parametrize("key", KEYS)
def test_the_way_back_is_the_same_with_the_other_sign(key):
    """Check that the ledger from B to A has the same steps in the same order, with every share negated.

    Gained and lost words are swapped."""
    for a, b, references in all_pairs():
        there, back = (metrics.ledger(*score_both(key, *way, references)) for way in ((a, b), (b, a)))
        assert [step[:2] for step in there] == [step[:2] for step in back]
        for step, other in zip(there, back, strict=True):
            assert math.isclose(step.share, -other.share, abs_tol=1e-12)
            assert (step.before, step.after, step.cost) == (other.after, other.before, other.cost)
            assert (step.gone, step.came) == (other.came, other.gone)
            ours = Counter((p.word, round(p.share, 9) + 0.0, p.better) for p in step.pieces)
            theirs = Counter(
                (BACK[p.word], round(-p.share, 9) + 0.0, None if p.better is None else not p.better)
                for p in other.pieces
            )
            assert ours == theirs


@pytest.mark.parametrize("key", KEYS)
def test_the_running_score_stays_possible(key):
    metric, cut = metrics.METRICS[key], 0
    for a, b, references in all_pairs():
        before, after = score_both(key, a, b, references)
        highest = max(metric.most, before.score, after.score)
        running = before.score
        for step in metrics.ledger(before, after):
            running += step.share
            assert 0 <= running <= highest + 1e-12, "not a rounding below 0, which would be shown as −0.000000"
        assert math.isclose(running, after.score, abs_tol=1e-12)
        cut += running != before.score
    assert cut > 5


@pytest.mark.parametrize(
    ("given", "before", "after", "most", "expected"),
    [
        ([0.25, -0.5], 0.5, 0.25, 1, [0.25, -0.5]),
        ([-0.5, 0.25], 0.25, 0.0, 1, [-0.25, 0.0]),
        ([0.75, -0.25], 0.5, 1.0, 1, [0.5, 0.0]),
        ([0.75, -0.25], 0.5, 1.0, math.inf, [0.75, -0.25]),
        ([0.5, -0.5], 0.0, 0.0, 1, [0.0, 0.0]),
        ([0.5, 0.25], 1.0, 1.75, 1, [0.5, 0.25]),  # overlapping blocks of DCS: the score may exceed 1
        ([1e-15], 0.5, 0.5 + 1e-15, 1, [0.0]),
        ([], 0.5, 0.5, 1, []),
    ],
)
def test_shares_are_cut_where_they_lead_beyond_the_possible(given, before, after, most, expected):
    assert shares.clamped_shares(given, before, after, most) == expected
    back = shares.clamped_shares([-share for share in given], after, before, most)
    assert back == [-share for share in expected]


@pytest.mark.parametrize("key", KEYS)
def test_costs_are_new_or_gone_and_nothing_gained_is_worse(key):
    words = set()
    for a, b, references in all_pairs():
        for step in metrics.ledger(*score_both(key, a, b, references)):
            for piece in step.pieces:
                words.add(piece.word)
                assert piece.better is (None if not piece.share else (piece.share > 0) == (key not in ERRORS))
                if piece.word in ("gained", "lost"):
                    assert piece.word == piece.kind and piece.better is not (piece.word == "lost")
                    assert not step.cost
                elif piece.word != "changed":
                    assert piece.kind == {"new": "gained", "gone": "lost"}[piece.word]
                    assert piece.better is not (piece.word == "new")
            if step.cause in ("edits", "gaps") or step.name in ("chunks", "discordant pairs"):
                assert step.cost and not {p.word for p in step.pieces} & {"gained", "lost"}
    assert {"gained", "lost"} <= words or key in ("wer", "ter")
    if key != "gtm":  # in GTM the rest of a capped run can have a negative share
        assert ({"new", "gone"} <= words) == (key in ("wer", "ter", "sia", "meteor", "ribes"))


ERRORS = [key for key in KEYS if not metrics.METRICS[key].higher_is_better]


def error_count(result):
    """Return how many errors the error rate of `result` counts, from its statistics."""
    if result.metric == "per":
        return result.stats["longer_length"] - result.stats["common"]
    return sum(result.stats[name] for name in ("substitutions", "insertions", "deletions")) + result.stats.get(
        "shifts", 0
    )


@pytest.mark.parametrize("key", ERRORS)
def test_errors_are_worth_their_number(key):
    """Check the ledgers of error rates whose reference length is the same for both outputs.

    The shares of the errors sum to the change in the number of errors, divided by the reference length."""
    told = Counter()
    for a, b, references in (*all_pairs(), *((a, b, references[:1]) for a, b, references in pairs(11, 60))):
        before, after = score_both(key, a, b, references)
        steps = metrics.ledger(before, after)
        length = before.stats["reference_length"]
        if length != after.stats["reference_length"]:
            continue
        change = error_count(after) - error_count(before)
        # PER has no edits of its own: its errors are the longer length minus the matches.
        found = math.fsum(step.share for step in steps if step.cause == "edits" or key == "per")
        assert math.isclose(found, change / (length or 1), abs_tol=1e-12)
        for step in steps:
            if step.cause == "edits":
                assert math.isclose(step.share, (step.after - step.before) / (length or 1), abs_tol=1e-12)
            elif key != "per":
                assert step.share == 0, "hits are worth nothing"
            assert b or step.share >= 0 or step.after < step.before, "with nothing in B nothing improves that got worse"
        told[(change > 0) - (change < 0)] += 1
    assert min(told[sign] for sign in (-1, 0, 1)) > 3


@pytest.mark.parametrize("key", KEYS)
def test_every_mixture_could_be(key, monkeypatch):
    seen = 0

    def check_statistics_of(found):
        def watched(stats, settings):
            nonlocal seen
            seen += 1
            assert are_possible_statistics(key, stats, settings), stats
            return found(stats, settings)

        return watched

    metric = metrics.METRICS[key]
    made = metric.composition
    composition = made and made._replace(values=check_statistics_of(made.values))
    watched = replace(metric, from_stats=check_statistics_of(metric.from_stats), composition=composition)
    for a, b, references in all_pairs():
        before, after = score_both(key, a, b, references)
        items = changes.ledger_items(metric, before, after, row_numbers(word_diff(a, b)))
        game = shares.ShapleyGame(watched, before, after, items)
        assert all(-1e-12 <= value <= max(metric.most, 1 if key != "dcs" else 9) for value in game.values)
    assert seen > 100


def slow_value_shares(before, after, found, statistic_lines):
    """Return the share of each change in each value of the score's composition, as one tuple of shares per change.

    A composition computes the score from values such as precision and penalty. Each share is a mean over all orders of
    the changes, and over all orders in which the values move from those of A to those of B.

    Args:
        before: the result of A.
        after: the result of B.
        found: the changes, each as a set of lines.
        statistic_lines: the lines, each with the amounts by which it changes the statistics."""
    metric = metrics.METRICS[before.metric]
    settings = before.settings
    made = metric.composition or Composition(
        lambda stats, _: {"score": metric.from_stats(stats, settings).score}, lambda values, _: values["score"]
    )
    ends = [made.values(result.stats, settings) for result in (before, after)]
    names = [*ends[0]]

    def statistics_after(made_changes):
        if len(made_changes) in (0, len(found)):
            return (after if made_changes else before).stats
        stats = dict(before.stats)
        words = {}
        for line in statistic_lines:
            for name in line.amounts if any(line.words) else ():
                words[name] = words.get(name, 0) + line.words[any(line in found[n] for n in made_changes)]
        for n in made_changes:
            for line in found[n]:
                for name, (ours, theirs) in line.amounts.items():
                    stats[name] = stats.get(name, 0) + theirs - ours
        if metric.complete:
            metric.complete(stats, settings, words, before.segment.references)
        return stats

    def value_share(n, made_changes):
        """Return the share of value `n` in the score when all values move from A's to B's, in every order.

        Value `n` moves only to the amount that it has after `made_changes`."""
        amount = made.values(statistics_after(made_changes), settings)[names[n]]

        def score_of_mixed_values(moved):
            amounts = {name: ends[at in moved][name] for at, name in enumerate(names)}
            return made.score(amounts | ({names[n]: amount} if n in moved else {}), settings)

        return shapley.shares(len(names), score_of_mixed_values)[n]

    each = [
        shapley.shares(len(found), lambda made_changes, n=n: value_share(n, made_changes)) for n in range(len(names))
    ]
    return [*zip(*each, strict=True)]


@pytest.mark.parametrize("key", KEYS)
def test_shares_are_means_over_all_orders(key):
    compared = 0
    for a, b, references in pairs(6):
        before, after = score_both(key, a, b, references)
        row_of = row_numbers(word_diff(a, b))
        metric = metrics.METRICS[key]
        items = changes.ledger_items(metric, before, after, row_of)
        game = shares.ShapleyGame(metric, before, after, items)
        if 2 <= len(game.items) <= 5:
            slow = slow_value_shares(before, after, game.items, [*chain.from_iterable(items)])
            for quick, plain in zip(game.item_shares(), slow, strict=True):
                assert quick == pytest.approx(plain, abs=1e-9)
            compared += 1
    assert compared


def test_words_and_contiguity_are_apart():
    references = ["the cat sat on the mat".split()]
    before, after = score_both("gtm", "cat the on sat".split(), "the cat sat on".split(), references)
    found = {change.cause: change for change in metrics.ledger(before, after)}
    assert set(found) == {"matches", "contiguity"}
    assert (found["matches"].before, found["matches"].after, found["matches"].share) == (4, 4, 0)
    assert (found["contiguity"].before, found["contiguity"].after) == (0, 12)
    assert math.isclose(found["contiguity"].share, after.score - before.score)


def test_words_that_stay_are_no_pieces():
    references = ["a b c d".split()]
    (match, length) = metrics.ledger(*score_both("rouge_l", "a b d".split(), "a b c d x".split(), references))
    assert [piece.mark for piece in match.pieces] == [Hit(2, 0, 2)]
    assert (length.cause, length.before, length.after, length.unmatched) == ("length", 3, 5, (0, 1))


@pytest.mark.parametrize("key", SCORES)
def test_a_longer_text_without_more_unmatched_words_is_one_of_more_matches(key):
    """Check that the ledger has no length step where all added words match.

    The cost of the extra length is counted with the matches, because it is smaller than their gain."""
    a, b = "a b d".split(), "a b c d".split()
    before, after = score_both(key, a, b, [[*"abcdefgh"]])
    whole, told = metrics.ledger(before, after), ledger(metrics.METRICS[key], before, after, lengths=True)
    assert math.isclose(math.fsum(step.share for step in whole), math.fsum(step.share for step in told), abs_tol=1e-12)
    assert not [step for step in whole if step.cause == "length" and step.share]
    assert [step for step in told if step.cause == "length"] or key == "bleu", "all of it is the brevity penalty there"


def test_a_length_worth_more_than_the_matches_that_make_it_stays():
    """Check that the ledger keeps its length step where the added length costs more than the added match gains.

    GTM gives a fourth matched word, away from the others, less than the longer candidate costs."""
    pair = score_both("gtm", [*"cec"], [*"ccec"], [[*"ceecc"]])
    (match, length) = metrics.ledger(*pair)
    assert (match.cause, length.cause, length.unmatched) == ("matches", "length", None)
    assert match.share > 0 > length.share and (length.before, length.after) == (3, 4)
    assert metrics.explain(*pair) == (
        "Of −0.015, −0.033 comes from more words to match (4 instead of 3); +0.018 comes from one more matched word: "
        "“c”."
    )


def test_a_word_without_a_match_belongs_to_the_change_of_lengths():
    references = ["the cat sat on the mat".split()]
    a, b = "the big cat sat really".split(), "so the cat sat".split()
    (step,) = [step for step in metrics.ledger(*score_both("gtm", a, b, references)) if step.cause == "length"]
    assert (step.before, step.after, step.gone, step.came) == (5, 4, (1, 4), (0,))
    assert not step.pieces and step.share > 0
    for step in metrics.ledger(*score_both("gtm", a, [*b, "mat"], references)):
        assert not step.gone and not step.came, "as many words as before, so that those without a match cost the same"


OF_GAPS = "a word after a gap counts less, and so does a word of a later round"
FRACTIONS = [  # metric, A, B, references, settings, the reason
    ("gtm", "a", "a b c d e", ["a b c", "a b c d"], {}, "3.50 words: at most the references' mean length counts"),
    ("gtm", "a b", "b a", ["a b"], {"exponent": 1.5}, "0.83 of length: a run of l words counts l to the power of 1.5"),
    ("gtm", "a", "a b", ["a b"], {}, ""),
    ("nist", "a", "a b", ["a b c"], {}, "3.17 bits: a match counts its information"),
    ("rouge_w", "a b", "b", ["a b"], {}, "0.30 of WLCS: a run of words counts its length to the power of the weight"),
    ("sia", "a", "a b", ["a x b"], {}, f"-0.15 words: {OF_GAPS}"),
    ("wer", "a", "a b", ["a b"], {}, ""),
]


@pytest.mark.parametrize(("key", "a", "b", "references", "given", "expected"), FRACTIONS)
def test_a_fractional_count_says_why(key, a, b, references, given, expected):
    pair = score_both(key, a.split(), b.split(), [text.split() for text in references], **given)
    assert expected.replace("-", "−") in {step.why for step in metrics.ledger(*pair)}
    for step in metrics.ledger(*pair):
        if step.cause != "length":
            assert bool(step.why) == any(amount % 1 for amount in (step.before, step.after))


OF_SHARES = "in the mean: a reference counts by its share of the leave-one-out sets in which it is best"
OF_RUNS = "of WLCS: a run of words counts its length to the power of the weight"


@pytest.mark.parametrize(
    ("key", "given", "amount"),
    [
        ("rouge_n", {}, "2.67"),
        ("rouge_n", {"order": 2}, "0.33"),
        ("rouge_l", {}, "3.33"),
        ("rouge_s", {}, "6.67"),
        ("rouge_s", {"unigrams": True}, "3.33"),
    ],
)
def test_a_share_of_the_sets_that_leave_one_out_is_what_makes_a_fraction(key, given, amount):
    """Check that a fraction of a word is explained by jackknifing (scoring against all references but one, in turn).

    With three references, the best one is in two of the three sets, so its words count 2/3."""
    said = {step.why for step in jackknifed_ledger(key, 3, **given)} - {""}
    assert f"{amount} {OF_SHARES}" in said and all(why.endswith(f" {OF_SHARES}") for why in said)
    assert not any(step.why for step in jackknifed_ledger(key, 1, **given))


def test_the_fractions_of_weighted_runs_and_of_shares_are_told_apart():
    said = {step.cause: step.why for step in jackknifed_ledger("rouge_w", 3)}
    assert said["matches"].endswith(f" {OF_SHARES}")
    shares = OF_SHARES.removeprefix("in the mean: a reference counts")
    both = {said[cause].partition(" ")[2] for cause in ("contiguity", "references")}
    assert both == {f"{OF_RUNS}, and a reference{shares}"}
    assert {step.why.partition(" ")[2] for step in jackknifed_ledger("rouge_w", 1)} == {"", OF_RUNS}


def jackknifed_ledger(key, count, **given):
    """Return the ledger between two fixed outputs by the metric `key`, jackknifed over the first `count` references."""
    references = [
        "police killed the gunman",
        "the gunman was shot dead by police",
        "a gunman has been killed by police on monday",
    ]
    outputs = "the gunman was killed by the police", "police killed a gunman on monday in the town"
    texts = [text.split() for text in references[:count]]
    pair = score_both(key, *map(str.split, outputs), texts, multi_reference="jackknife", **given)
    return metrics.ledger(*pair)


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_length_that_makes_a_score_better_says_why(key):
    """Check which length steps give a reason for a better score.

    The reason appears only where the longer output matches more words than the shorter output has."""
    said = "3 words match, for which 2 words have no room: a part of what they give is counted here"
    for a, b, why in (("a x", "a b c", said), ("a x", "a x y", "")):
        ours, theirs = score_both(key, a.split(), b.split(), [[*"abcd"]])
        for one, other in ((ours, theirs), (theirs, ours)):
            for step in metrics.ledger(one, other):
                if step.cause == "length" and step.share and key not in ("bleu", "nist"):  # which penalise shortness
                    better = (step.share > 0) == metrics.METRICS[key].higher_is_better
                    assert step.why == (why if better == (other is theirs) else "")


def test_pieces_that_look_the_same_are_counted():
    pair = score_both("wer", [*"xyx"], ["z"], [["a"]])
    (step,) = [step for step in metrics.ledger(*pair) if step.name == "insertions"]
    told = [
        (group[0].word, {pair[0].segment.candidate[piece.mark.i_start] for piece in group}, len(group))
        for group in changes.group_alike_pieces(step.pieces, *pair)
    ]
    assert sum(count for _, _, count in told) == len(step.pieces) == 2
    assert all(word == "gone" and len(words) == 1 for word, words, _ in told)
    words = "a b a b a b".split()
    pair = score_both("ribes", words[::-1], words, [[*words, "c"]])
    for step in metrics.ledger(*pair):
        groups = changes.group_alike_pieces(step.pieces, *pair)
        assert Counter(piece for group in groups for piece in group) == Counter(step.pieces)


def test_places_that_change_alone_cancel():
    before, after = score_both("per", "a x".split(), "x b".split(), [["a", "b"]])
    (match,) = metrics.ledger(before, after)
    assert match.share == 0 == math.fsum(piece.share for piece in match.pieces)
    assert [(p.kind, p.share) for p in match.pieces] == [("lost", 0.5), ("gained", -0.5)]


def test_many_rounds_are_taken_together():
    words = [str(n) for n in range(40)]
    before, after = score_both("sia", words, words[::-1], [words])
    found = metrics.ledger(before, after)
    assert len(found) <= shares.MOST_CHANGES
    assert any(change.name.endswith("and later") for change in found)
    assert math.isclose(math.fsum(c.share for c in found), after.score - before.score, abs_tol=1e-12)


def test_words_of_many_rounds_are_not_taken_for_their_gaps():
    steps = metrics.ledger(*score_both("sia", list("abcdefghhi"), list("ighffedcba"), [list("abcdefghhi")]))
    pieces = [(step.cause, piece) for step in steps for piece in step.pieces]
    assert len(steps) == shares.MOST_CHANGES
    assert all(piece.credit < 0 and piece.better is False for cause, piece in pieces if cause == "gaps")
    assert {piece.word for cause, piece in pieces if cause == "matches"} == {"gained", "lost"}


def test_many_orders_are_taken_together():
    a, b = [str(n) for n in range(14)], [str(n) for n in range(15)]
    before, after = score_both("bleu", a, [*b, "x"], [[*b, "y", "z"]], max_order=12, smoothing="add_k")
    found = metrics.ledger(before, after)
    assert len(found) == shares.MOST_CHANGES + 1, "the brevity penalty is a step beside them"
    assert math.isclose(math.fsum(c.share for c in found), after.score - before.score, abs_tol=1e-12)


def with_statistic_renamed(metric, old, new):
    """Return a copy of `metric` in which the statistic named `old` is named `new`."""

    def rename_key(stats, a, b):
        return {b if name == a else name: value for name, value in stats.items()}

    def align(segment, settings, marks):
        found = metric.align(segment, settings, marks)
        return found._replace(stats=rename_key(found.stats, old, new))

    def complete(stats, settings, words, references):
        inner = rename_key(stats, new, old)
        metric.complete(inner, settings, rename_key(words, new, old), references)
        stats.update(rename_key(inner, old, new))

    def values(stats, settings):
        return metric.composition.values(rename_key(stats, new, old), settings)

    return replace(
        metric,
        align=align,
        composition=metric.composition and metric.composition._replace(values=values),
        from_stats=lambda stats, settings: metric.from_stats(rename_key(stats, new, old), settings),
        role=lambda name: metric.role(old if name == new else name),
        complete=metric.complete and complete,
    )


@pytest.mark.parametrize("key", KEYS)
def test_the_names_of_statistics_do_not_matter(key):
    """Check that the ledger does not depend on the names of statistics.

    Renaming GTM's "candidate_length" to "words", for example, gives the same steps."""
    metric, settings, steps = metrics.METRICS[key], metrics.settings(key), 0
    for a, b, references in pairs(8, 5):
        before, after = score_both(key, a, b, references)
        found = metrics.ledger(before, after)
        # SIA computes its parts from the numbered statistics of its rounds, so those names matter.
        for old in [name for name in before.stats if key != "sia" or metric.role(name).kind != "other"]:
            for new in ("words", "total_length", "reference"):
                other = with_statistic_renamed(metric, old, new)
                ours, theirs = (other.score(segment(words, references), settings) for words in (a, b))
                layers = [
                    [x._replace(statistics=tuple([new if s == old else s for s in x.statistics])) for x in r.layers]
                    for r in (ours, theirs)
                ]
                ours, theirs = (replace(r, layers=tuple(x)) for r, x in zip((ours, theirs), layers, strict=True))
                assert ledger(other, ours, theirs) == found
                steps += len(found)
    assert steps


@pytest.mark.parametrize("key", KEYS)
def test_every_statistic_has_a_role(key):
    metric = metrics.METRICS[key]
    for given in [case.values[1] for case in CASES if case.values[0] == key]:
        for candidate, references in segments(9, 10):
            result = metrics.score(key, candidate, references, **given)
            kinds = {metric.role(name).kind for name in result.stats}
            assert kinds & {"match", "edit"} and kinds & {"candidate length", "reference length", "match"}
            for layer in result.layers:
                assert layer.kind and layer.noun != "mark"
                roles = {metric.role(name).kind for name in layer.statistics}
                assert roles <= {"match", "order", "contiguity", "edit", "other"}
                assert layer.k is None or {cell.k for cell in layer.cells()} <= {layer.k}
    if key != "sia":  # SIA has a statistic for every round
        with pytest.raises(KeyError):
            metric.role("length")


def test_a_length_without_its_role_is_found_out(monkeypatch):
    """Check that a metric that declares a wrong role for a statistic raises an error.

    With the wrong role the steps would not sum to the difference of the scores."""
    forgetful = replace(
        metrics.METRICS["gtm"], role=lambda name: StatisticRole("match" if name == "match_power" else "other")
    )
    monkeypatch.setitem(metrics.METRICS, "gtm", forgetful)
    with pytest.raises(AssertionError):
        metrics.ledger(*score_both("gtm", ["a", "b"], ["a", "b", "c"], [["a", "b"]]))


@pytest.mark.parametrize(
    ("a", "b", "references"), [("a", "d", ["", "b", "a"]), ("a", "a", ["a", ""]), ("abcdefgh", "f", ["xc", "", ""])]
)
def test_part_of_a_word_counts_however_large_the_exponent_is(a, b, references):
    """Check that a cap of less than one word still counts when the exponent is 90.

    Such a fraction to the power of 90 is smaller than the rounding error of the sum that it is added to."""
    before, after = score_both("gtm", list(a), list(b), [*map(list, references)], exponent=90.0)
    shares_of = [step.share for step in metrics.ledger(before, after)]
    assert math.isclose(math.fsum(shares_of), after.score - before.score, abs_tol=1e-12)
    assert before.score > 0.1


@pytest.mark.parametrize(
    ("key", "references", "given", "says"),
    [
        ("wer", [["a"]], {}, "one metric and its settings"),
        ("gtm", [["a"]], {"exponent": 1.0}, "one metric and its settings"),
        ("gtm", [["b"]], {}, "same references"),
    ],
)
def test_results_that_cannot_be_compared_have_no_ledger(key, references, given, says):
    with pytest.raises(ValueError, match=says):
        metrics.ledger(metrics.score("gtm", ["a"], [["a"]]), metrics.score(key, ["a"], references, **given))


@pytest.mark.parametrize("key", ["rouge_s", "ribes"])
def test_too_many_marks_are_not_told_apart(key, monkeypatch):
    words = list("abcdefghij")
    pair = score_both(key, words, words[::-1], [words])
    told = metrics.ledger(*pair)
    monkeypatch.setattr(changes, "MOST_MARKS", 40)
    untold = metrics.ledger(*pair)
    amounts = [{c.name: c[1:5] for c in found if c.before != c.after} for found in (told, untold)]
    assert amounts[0] == amounts[1]
    assert any(change.pieces for change in told)
    assert not any(piece for change in untold for piece in change.pieces if change.name != "aligned words")


def test_the_same_words_change_nothing():
    for key in KEYS:
        assert metrics.ledger(*score_both(key, ["a", "b"], ["a", "b"], [["b", "a"]])) == ()


def test_an_n_gram_stays_whole_whatever_its_credit():
    """Check the marks of a NIST 2-gram with 2 bits: it is one mark, not one for each of its two words."""
    before, after = score_both("nist", ["a", "b"], ["a", "x"], ["a b a c a d a e".split()])
    (step,) = [step for step in metrics.ledger(before, after) if step.name == "2-grams"]
    assert [(piece.kind, piece.credit, len(piece.mark.cells())) for piece in step.pieces] == [("lost", -2.0, 2)]
