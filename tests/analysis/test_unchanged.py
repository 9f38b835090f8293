"""Test the reasons why a metric gives two outputs the same score: each must be true of the statistics."""

import random

import pytest

import metrics
from metrics.analysis.equal_scores import EqualScoreReason, count_errors, equal_score_reason

RATES = [key for key, metric in metrics.METRICS.items() if not metric.higher_is_better]


def score_two_outputs(key, a, b, *references):
    return [metrics.score(key, words.split(), [r.split() for r in references]) for words in (a, b)]


@pytest.mark.parametrize(
    ("key", "a", "b", "reference", "reason"),
    [
        ("wer", "a b x d", "a b c y", "a b c d", EqualScoreReason("errors", 1)),
        ("per", "a b c d", "d c b a", "a b c d", EqualScoreReason("errors", 0)),
        ("ter", "a x c d", "a y c d", "a b c d", EqualScoreReason("errors", 1)),
        ("rouge_l", "a x c", "a y c", "a b c", EqualScoreReason("counts")),
        ("bleu", "a x", "b y", "c d", EqualScoreReason("zero")),
        ("gtm", "a b", "c d", "a b c d", EqualScoreReason("counts")),
        ("nist", "a b c", "a b x", "a b c", EqualScoreReason("less")),  # the scores differ
    ],
)
def test_reasons(key, a, b, reference, reason):
    assert equal_score_reason(metrics.METRICS[key], *score_two_outputs(key, a, b, reference)) == reason


def test_as_many_errors_are_no_reason_where_there_are_more():
    """Check that equal error rates from different numbers of errors are called a coincidence.

    Half the words are wrong in both outputs, once with a short and once with a long reference."""
    found = score_two_outputs("wer", "a x", "c d x y", "a b", "c d e f")
    assert [result.score for result in found] == [0.5, 0.5]
    assert equal_score_reason(metrics.METRICS["wer"], *found) == EqualScoreReason("chance")


def test_errors_are_those_of_an_edit_script():
    """Check that `errors_of` equals the sum of the result's error counts, also with several references."""
    rng = random.Random(3)
    for _ in range(200):
        a, *references = (" ".join(rng.choices("abcd", k=rng.randrange(1, 7))) for _ in range(3))
        for key in RATES:
            (result, _) = score_two_outputs(key, a, a, *references)
            parts = result.parts
            errors = parts["edits"] if "edits" in parts else sum(parts[n] for n in parts if n.endswith("tions"))
            assert count_errors(metrics.METRICS[key], result) == errors


def test_only_error_rates_have_errors():
    for key in metrics.METRICS:
        (result, _) = score_two_outputs(key, "a b", "a b", "a c")
        assert (count_errors(metrics.METRICS[key], result) is None) == (key not in RATES)
