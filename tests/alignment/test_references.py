"""Test which reference decides a score, against a search that scores all references."""

import random

from metrics.alignment.references import best_reference


def test_the_first_of_the_best_and_no_reference_that_cannot_win():
    rng = random.Random(1)
    spared = 0
    for _ in range(500):
        values = [rng.randrange(4) / 4 for _ in range(rng.randrange(1, 6))]
        limits = [value + rng.choice([0, 0, 0.25, 0.5]) for value in values]
        asked = []

        def score_reference(k):
            asked.append(k)
            return values[k], f"reference {k + 1}"

        best = values.index(max(values))
        assert best_reference(limits, score_reference) == (best, f"reference {best + 1}")
        assert {k for k, limit in enumerate(limits) if limit > max(values)} <= {*asked}
        assert len(asked) == len({*asked})
        spared += len(values) - len(asked)
    assert spared > 200
