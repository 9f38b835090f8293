"""Test the reasons why a metric gives two outputs the same score: each is true of the statistics."""

import random

import pytest

import metrics
from metrics.analysis.equal_scores import Unchanged, errors_of, unchanged

RATES = [key for key, metric in metrics.METRICS.items() if not metric.higher_is_better]


def results(key, a, b, *references):
    return [metrics.score(key, words.split(), [r.split() for r in references]) for words in (a, b)]


@pytest.mark.parametrize(
    ("key", "a", "b", "reference", "reason"),
    [
        ("wer", "a b x d", "a b c y", "a b c d", Unchanged("errors", 1)),
        ("per", "a b c d", "d c b a", "a b c d", Unchanged("errors", 0)),
        ("ter", "a x c d", "a y c d", "a b c d", Unchanged("errors", 1)),
        ("rouge_l", "a x c", "a y c", "a b c", Unchanged("counts")),
        ("bleu", "a x", "b y", "c d", Unchanged("zero")),
        ("gtm", "a b", "c d", "a b c d", Unchanged("counts")),
        ("nist", "a b c", "a b x", "a b c", Unchanged("less")),  # the scores differ
    ],
)
def test_reasons(key, a, b, reference, reason):
    assert unchanged(metrics.METRICS[key], *results(key, a, b, reference)) == reason


def test_as_many_errors_are_no_reason_where_there_are_more():
    """Check that equal rates with different numbers of errors are called chance.

    Half the words are wrong both times, with a short and with a long reference."""
    found = results("wer", "a x", "c d x y", "a b", "c d e f")
    assert [result.score for result in found] == [0.5, 0.5]
    assert unchanged(metrics.METRICS["wer"], *found) == Unchanged("chance")


def test_errors_are_those_of_an_edit_script():
    """Check that `errors_of` equals the sum of the errors among the parts, also with several references."""
    rng = random.Random(3)
    for _ in range(200):
        a, *references = (" ".join(rng.choices("abcd", k=rng.randrange(1, 7))) for _ in range(3))
        for key in RATES:
            (result, _) = results(key, a, a, *references)
            parts = result.parts
            errors = parts["edits"] if "edits" in parts else sum(parts[n] for n in parts if n.endswith("tions"))
            assert errors_of(metrics.METRICS[key], result) == errors


def test_only_error_rates_have_errors():
    for key in metrics.METRICS:
        (result, _) = results(key, "a b", "a b", "a c")
        assert (errors_of(metrics.METRICS[key], result) is None) == (key not in RATES)
