"""Test curves of a score over a parameter: the values at which something changes, and the results on both sides."""

import math

import pytest

import metrics
from metrics.analysis import curves
from metrics.analysis.curves import alignment_key, parameter_curve
from metrics.types import segment


def compute_curve(key, parameter, candidates, references, **settings):
    words = [reference.split() for reference in references]
    segments = [segment(candidate.split(), words) for candidate in candidates]
    return parameter_curve(metrics.METRICS[key], segments, metrics.settings(key, **settings), parameter)


BLOCKS = ["a b c d e f"], ["a b c q d e f r b c d e"]  # matched by two runs of 3, or by a run of 4 and two single words
RAIN = ["on monday night rain may end very soon perhaps then"], ["rain will end quite soon then on monday night"]


CHANGES = [
    (("gtm", "exponent", *BLOCKS, {"solver": "exact"}), ("alignment", 2.0)),  # 3^e + 3^e = 4^e + 1 + 1
    (("rouge_w", "weight", *RAIN, {"variant": "optimal"}), ("alignment", math.log(4) / math.log(3))),  # 3^w = 4
    # six single words against a run of three: 6^(1/e) / 6 = 2/3
    (
        ("gtm", "exponent", ["friday on close will bank the", "the bank will"], ["the bank will close on friday"], {}),
        ("better", math.log(6) / math.log(4)),
    ),
    # (1 + β²)PR / (R + β²P) is equal for P = 4/6, R = 4/4 and for P = 2/2, R = 2/4
    (
        ("rouge_l", "beta", ["police quickly killed the armed gunman", "the gunman"], ["police killed the gunman"], {}),
        ("better", math.sqrt(1 / 2)),
    ),
    # F (1 − γ (c/m)³): 0.75 for one chunk of three of the four words, 1 · (1 − γ) for all words reversed
    (
        (
            "meteor",
            "gamma",
            ["gunman the killed police", "police killed the"],
            ["police killed the gunman"],
            {"stages": ("exact",), "alpha": 1.0},
        ),
        ("better", (1 - 3 / 4) / (1 - 3 / 4 / 27)),
    ),
]


@pytest.mark.parametrize(
    ("key", "parameter", "candidates", "references", "settings", "kind", "at"),
    [(*case, *says) for case, says in CHANGES],
)
def test_changes_are_found_where_they_are(key, parameter, candidates, references, settings, kind, at):
    found = compute_curve(key, parameter, candidates, references, **settings)
    changes = [change for change in found.changes if change.kind == kind and change.at > 1e-6]
    assert any(math.isclose(change.at, at, abs_tol=2e-9) for change in changes), changes
    for change in found.changes:
        assert change.before <= change.at <= change.after <= change.before + 1e-6
        for value, results in ((change.before, change.results_before), (change.after, change.results_after)):
            for candidate, result in zip(candidates, results, strict=True):
                words = [reference.split() for reference in references]
                assert result == metrics.score(key, candidate.split(), words, **{**settings, parameter: value})


def test_alignments_differ_on_the_sides_of_a_change_and_nowhere_else():
    found = compute_curve("gtm", "exponent", *BLOCKS, solver="exact")
    (change,) = found.changes  # no change at e = 1: the matching differs there, but all matchings are equally large
    (before,), (after,) = change.results_before, change.results_after
    assert alignment_key(before) != alignment_key(after)
    assert sorted(run.length for run in before.layers[0].marks) == [3, 3]
    assert sorted(run.length for run in after.layers[0].marks) == [1, 1, 4]
    assert math.isclose(before.score, after.score, rel_tol=1e-8)


def test_whole_numbers_are_looked_at_one_by_one():
    candidates = ["the gunman police killed", "police kill the gunman"]
    found = compute_curve("rouge_s", "max_skip", candidates, ["police killed the gunman"])
    assert found.whole
    assert found.values == (0, 1, 2, 3, 4)
    assert found.scores[0][0] == pytest.approx(2 / 3)  # as printed in the paper: two of three neighbours
    better = [(change.at, change.candidate) for change in found.changes if change.kind == "better"]
    assert better == [(1, None), (2, 1)]


def test_two_scores_that_stay_alike_never_change():
    found = compute_curve("sia", "decay", ["a b x", "a b y"], ["a b c"])
    assert found.changes == ()
    assert found.scores[0] == found.scores[1]


def test_lower_rates_are_better():
    found = compute_curve("ter", "max_shift_size", ["c d a b", "a b x y"], ["a b c d"])
    assert [(change.at, change.candidate) for change in found.changes if change.kind == "better"] == [(1, None), (2, 0)]


def test_only_numbers_can_be_parameters():
    assert curves.numeric_settings(metrics.METRICS["gtm"]) == ("exponent",)
    assert curves.numeric_settings(metrics.METRICS["per"]) == ()
    with pytest.raises(ValueError, match="gtm has the parameters exponent, got 'solver'"):
        compute_curve("gtm", "solver", *BLOCKS)
    with pytest.raises(ValueError, match="at least one candidate"):
        compute_curve("gtm", "exponent", [], BLOCKS[1])
