"""Test the reasons that a metric gives why a match is not used: a slow program checks that each reason is true."""

import math
import random
import re
from itertools import product

import pytest

import metrics
from metrics.alignment.bitext import hits
from metrics.types import Edit, Hit, Run

#: Every metric with its defaults, and settings under which other matches stay unused.
SETTINGS = [(key, {}) for key in metrics.METRICS] + [
    ("bleu", {"max_order": 1}),
    ("rouge_n", {"order": 2}),
    *[("rouge_l", {"multi_reference": rule}) for rule in ("sum", "jackknife", "best")],
    ("rouge_w", {"variant": "optimal"}),
    ("rouge_s", {"max_skip": 0}),
    ("rouge_s", {"max_skip": 1, "unigrams": True}),
    ("gtm", {"solver": "exact"}),
    ("gtm", {"exponent": 1.0}),
    ("sia", {"iterative": False}),
    ("dcs", {"overlap": "disjoint"}),
    ("meteor", {"stages": ("exact",)}),
]


def random_segments(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        letters = "abcde"[: rng.randint(1, 5)]
        sentences = [[rng.choice(letters) for _ in range(rng.randint(1, 9))] for _ in range(rng.randint(2, 4))]
        yield sentences[0], sentences[1:]


def run_through(segment, hit):
    """Return the longest run of equal words through `hit`, as the range of its offsets from `hit` on the diagonal."""
    candidate, reference = segment.candidate, segment.references[hit.k]

    def are_equal(offset):
        i, j = hit.i + offset, hit.j + offset
        return 0 <= i < len(candidate) and 0 <= j < len(reference) and candidate[i] == reference[j]

    before = next(offset for offset in range(20) if not are_equal(-offset))
    return range(1 - before, next(offset for offset in range(20) if not are_equal(offset)))


def cells_share_a_word(a, b):
    return a.i == b.i or (a.k, a.j) == (b.k, b.j)


def uses_all_words(segment, run, hit):
    """Return whether the longest run of equal words through `hit` uses all words of `run` on one side.

    The sides are the candidate and the reference; a side counts only if `hit` and `run` share a word on it."""
    through, places = run_through(segment, hit), range(math.ceil(run.length))
    rows, columns = {hit.i + offset for offset in through}, {hit.j + offset for offset in through}
    ours, theirs = {run.i + t for t in places}, {run.j + t for t in places}
    return (hit.i in ours and ours <= rows) or (hit.k == run.k and hit.j in theirs and theirs <= columns)


def edits_of_type(result, op):
    return [mark for layer in result.layers for mark in layer.marks if isinstance(mark, Edit) and mark.op == op]


def has_match_in_order(result, hit):
    """Return whether another match within the skip window comes before `hit` in both texts, or after it in both."""
    skip = result.settings.max_skip
    reach = 99 if skip is None else skip + 1
    for other in hits(*result.segment):
        down, right = other.i - hit.i, other.j - hit.j
        if other.k == hit.k and down * right > 0 and max(abs(down), abs(right)) <= reach:
            return True
    return False


def is_true_reason(result, hit, reason):
    """Return whether `reason` truly says why `result` does not use the match `hit`; raise if its text is unknown.

    A reason is (sentence, mark that the sentence points to)."""
    candidate, references = result.segment
    used = {cell for layer in result.layers for cell in layer.cells()}
    says, mark = reason
    if says == "the score comes from another reference":
        return hit.k not in {cell.k for cell in used} | {layer.k for layer in result.layers}
    if found := re.fullmatch(
        r"the (?:word is in the (longer )?|same )(run|block|chunk|\d-gram)(?: is used)? at (\d+) × (\d+)(?:, R(\d+))?:",
        says,
    ):
        ours = {mark} <= {other for layer in result.layers for other in layer.marks} or edits_of_type(result, "match")
        longer = not found[1] or mark.length > len(run_through(result.segment, hit))
        own = mark.length == int(found[2][0]) if found[2][0].isdigit() else mark.length > 1
        place = (mark.i, mark.k, mark.j) == (int(found[3]) - 1, int(found[5] or 1) - 1, int(found[4]) - 1)
        apart = uses_all_words(result.segment, mark, hit) if says.startswith("the same") else True
        used_here = {*mark.cells()} <= used and any(cells_share_a_word(hit, c) for c in mark.cells())
        return ours and own and longer and place and apart and used_here
    if found := re.fullmatch(r"the (candidate|reference)'s word is used at (\d+) × (\d+)(?:, R(\d+))?", says):
        cell = Hit(int(found[2]) - 1, int(found[4] or 1) - 1, int(found[3]) - 1)
        same = cell.i == hit.i if found[1] == "candidate" else (cell.k, cell.j) == (hit.k, hit.j)
        return cell in used and same and bool(found[4]) == (len(references) > 1)
    if found := re.fullmatch(r"cut by the cap: at most ([\d.]+) words? count", says):
        total = sum(run.length for run in result.layers[0].marks)
        cap = min(len(candidate), sum(map(len, references)) / len(references))
        return not any(cells_share_a_word(hit, c) for c in used) and total == cap and abs(float(found[1]) - cap) < 0.001
    if found := re.fullmatch(r"clipped: the word counts only (\d+) of (\d+) times", says):
        word = candidate[hit.i]
        counted = [run for run in result.layers[0].marks if candidate[run.i] == word]
        free = hit.i not in {run.i for run in counted}
        return free and len(counted) == int(found[1]) < int(found[2]) == candidate.count(word)
    if says == "crosses the path at":
        return mark in used and (mark.i - hit.i) * (mark.j - hit.j) < 0 and mark.k == hit.k
    if found := re.fullmatch(r"round (\d+) took the (candidate|reference)'s word", says):
        # Only the first round that took either word counts: from then on the match was impossible.
        taken = [
            (layer.number, whose)
            for layer in result.layers
            for c in layer.marks
            for whose, same in (("candidate", c.i == hit.i), ("reference", (c.k, c.j) == (hit.k, hit.j)))
            if same
        ]
        return (int(found[1]), found[2]) == min(taken)
    if found := re.fullmatch(r"no (\d)-gram through it matches", says):
        return len(run_through(result.segment, hit)) < int(found[1]) == result.settings.order
    if says == "no other match in reach is before or after it in both sentences":
        return not has_match_in_order(result, hit)
    if says == "its pairs count at another place with the same words":
        return has_match_in_order(result, hit)
    if says == "the candidate's word counts as extra":
        return hit.i in {i for edit in edits_of_type(result, "insertion") for i in range(edit.i_start, edit.i_end)}
    if says == "the candidate's word counts as substituted:":
        around = [
            e for e in edits_of_type(result, "substitution") if e.i_start <= mark.i_start and mark.i_end <= e.i_end
        ]
        return mark.i_start == hit.i and [e.j_start - e.i_start for e in around] == [mark.j_start - mark.i_start]
    if says == "its neighbours do not distinguish it from the same word elsewhere":
        word = candidate[hit.i]
        again = candidate.count(word) > 1 or references[hit.k].count(word) > 1
        return again and hit.i not in {c.i for c in used}
    if says == "a single aligned word has no order, so it does not count":
        return result.score == 0 and not used
    if says == "its letters are matched elsewhere, in":
        letters = [other for layer in result.layers for other in layer.marks]
        ours, theirs = [
            [m for m in letters if place in {c[n] for c in m.cells()}] for n, place in ((0, hit.i), (2, hit.j))
        ]
        return mark in ours + theirs and mark.length == max(other.length for other in ours + theirs)
    raise AssertionError(f"nothing is known of {says!r}")


@pytest.mark.parametrize(("key", "given"), SETTINGS, ids=str)
def test_reasons_are_true(key, given):
    metric, said = metrics.METRICS[key], set()
    for candidate, references in random_segments(key, 60):
        result = metrics.score(key, candidate, references, **given)
        against = metric.why_not(result)
        for hit in hits(*result.segment):
            if hit not in result.cells():
                reason = against(hit)
                assert reason, (candidate, references, hit)
                assert is_true_reason(result, hit, reason), (candidate, references, hit, reason)
                said.add(re.sub(r"\d+", "", reason.says))
    assert said


def test_the_longer_run_is_named():
    result = metrics.score("gtm", "all the way the end".split(), ["the x all the way".split()])
    against = metrics.METRICS["gtm"].why_not(result)
    assert against(Hit(1, 0, 0)) == ("the word is in the longer run at 1 × 3:", Run(0, 0, 2, 3))
    assert against(Hit(3, 0, 3)) == ("the word is in the longer run at 1 × 3:", Run(0, 0, 2, 3))


@pytest.mark.parametrize(("key", "given"), [("wer", {}), ("ter", {}), ("rouge_l", {}), ("gtm", {"exponent": 1.0})])
def test_who_looks_at_no_runs_names_none(key, given):
    """Check that metrics that do not count runs never give a run as the reason for an unused match."""
    said = set()
    for candidate, references in random_segments("runs", 80):
        result = metrics.score(key, candidate, references, **given)
        against = metrics.METRICS[key].why_not(result)
        said |= {against(hit).says for hit in hits(*result.segment) if hit not in result.cells() and against(hit)}
    assert any("is used at" in says for says in said) and not any("is in the" in says for says in said)


def test_every_metric_has_reasons():
    assert all(metric.why_not for metric in metrics.METRICS.values())


@pytest.mark.parametrize("exponent", [1.0, 2.0])
def test_the_run_that_gtm_cuts(exponent):
    """Check that GTM says "cut by the cap" of a run only where the run could continue.

    That is, where the next words match and no other run uses them."""
    cuts = 0
    for candidate, references in random_segments(exponent, 400):
        result = metrics.score("gtm", candidate, references, exponent=exponent)
        (layer,) = result.layers
        total = sum(run.length for run in layer.marks)
        if layer.cut is None:
            # Every unused match shares a word with a used one.
            cells = result.cells()
            shared = all(any(cells_share_a_word(hit, c) for c in cells) for hit in hits(*result.segment))
            assert shared or total == int(total)
            assert total == sum(int(run.length) for run in layer.marks)
            continue
        cuts += 1
        t, length, why = layer.cut
        run = layer.marks[t]
        assert t == len(layer.marks) - 1 and run.length < length and len(references) > 1
        whole = run._replace(length=length)
        assert all(candidate[i] == references[k][j] for i, k, j in whole.cells())
        others = [cell for other in layer.marks[:-1] for cell in other.cells()]
        assert not any(cells_share_a_word(a, b) for a, b in product(whole.cells(), others))
        cap = min(len(candidate), sum(map(len, references)) / len(references))
        assert total == pytest.approx(cap)
        n = f"{len(candidate)} word{'s' * (len(candidate) != 1)}"
        assert why.endswith(f": the smaller of {n} and the references' mean")
    assert cuts > 20


def test_a_ring_in_the_same_words_is_not_said_to_be_elsewhere():
    """Check that unused matches of used candidate words get the reason "the same run is used".

    Both references contain the run; the unused match in the second reference has the same candidate words."""
    result = metrics.score(
        "gtm", "x almost 200 feet y".split(), ["almost 200 feet".split(), "z almost 200 feet".split()]
    )
    against = metrics.METRICS["gtm"].why_not(result)
    rings = [hit for hit in hits(*result.segment) if hit not in result.cells()]
    assert len(rings) == 3
    (run,) = [mark for layer in result.layers for mark in layer.marks]
    where = f"at {run.i + 1} × {run.j + 1}, R{run.k + 1}:"
    assert {against(hit) for hit in rings} == {(f"the same run is used {where}", run)}
