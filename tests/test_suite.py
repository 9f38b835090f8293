"""Test that the suite's second phase reruns tests that failed, and names those that pass only then."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests import suite

#: A test file with tests that pass when they are run for the n-th time.
TESTS = """
import pytest
from pathlib import Path

@pytest.mark.alone
@pytest.mark.parametrize("name, times", {cases})
def test_passes(name, times):
    ran = Path(__file__).with_name(name)
    ran.write_text(ran.read_text() + "x" if ran.exists() else "x")
    assert len(ran.read_text()) >= times

def test_of_the_other_phase():
    raise AssertionError
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cases", "unsteady", "passed", "failed"),
    [
        ([("always", 1)], [], 1, 0),
        ([("always", 1), ("second", 2), ("third", 3)], ["second-2", "third-3"], 3, 0),
        ([("always", 1), ("[odd] name", 2), ("never", 9)], ["[odd] name-2"], 2, 1),
    ],
    ids=["green", "unsteady", "red"],
)
def test_what_fails_is_run_again_up_to_twice(tmp_path, monkeypatch, cases, unsteady, passed, failed):
    (tmp_path / "test_some.py").write_text(TESTS.format(cases=cases))
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = alone\n")
    monkeypatch.setattr(suite, "ROOT", tmp_path)
    monkeypatch.setattr(suite, "CACHE", tmp_path / "cache")
    phase, names = suite.run_alone()
    assert names == [f"test_some.py::test_passes[{name}]" for name in unsteady]
    assert phase.counts == Counter(passed=passed, failed=failed, skipped=0) and bool(phase.status) == bool(failed)
    assert [len(Path(tmp_path / name).read_text()) for name, _ in cases] == [min(times, 3) for _, times in cases]


def test_a_phase_without_tests_is_red(tmp_path, monkeypatch):
    monkeypatch.setattr(suite, "ROOT", tmp_path)
    assert suite.run("-m", "alone").status == suite.NONE_FOUND
