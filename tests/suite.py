"""Run the whole suite in two phases; `make test` calls this.

The first phase runs, in parallel, the tests that need only a processor. The second runs the tests that need a server,
a browser, worker processes or the clock (marked `alone`), one after the other with nothing else running. Tests that
fail there are run again at the very end, by themselves, up to twice. Those that pass only then are listed as unsteady;
those that fail three times are failures.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".pytest_cache/alone"  # where pytest notes which tests of the second phase failed
AGAIN = 2
FAILED, NONE_FOUND = 1, 5  # exit codes of pytest


class Phase(NamedTuple):
    """The outcome of a run of pytest: its exit code, and how many of its tests passed, failed and were skipped."""

    status: int
    counts: Counter[str]


def run(*arguments: str) -> Phase:
    """Run pytest with `arguments`, and return its outcome."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        status = subprocess.run(
            [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments], cwd=ROOT, check=False
        ).returncode
        return Phase(status, count_results(report) if report.exists() else Counter(failed=1))


def count_results(report: Path) -> Counter[str]:
    """Return how many tests passed, failed and were skipped, read from pytest's XML report."""
    (suite,) = ElementTree.parse(report).getroot().iter("testsuite")
    number = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    bad = number["failures"] + number["errors"]
    passed = max(number["tests"] - bad - number["skipped"], 0)
    return Counter(passed=passed, failed=bad, skipped=number["skipped"])


def run_alone() -> tuple[Phase, list[str]]:
    """Run the tests that must run alone; rerun those that fail, up to twice.

    Returns the outcome, and the names of the tests that passed only when they were rerun."""
    shutil.rmtree(CACHE, ignore_errors=True)
    cache = f"cache_dir={CACHE}"
    phase = run("-m", "alone", "-o", cache)
    first = failed = failed_before()
    for _ in range(AGAIN):
        if phase.status != FAILED or not failed:
            break
        print(f"\nonce more, by themselves: {', '.join(failed)}", flush=True)
        # pytest reads their names from its cache, because they may not fit into a command line.
        again = run("-m", "alone", "-o", cache, "--last-failed", "--last-failed-no-failures", "none")
        failed = failed_before()
        counts = Counter(phase.counts)
        counts["passed"] += counts["failed"] - len(failed)
        counts["failed"] = len(failed)
        phase = Phase(again.status if again.status != NONE_FOUND else FAILED, counts)
    return phase, [name for name in first if name not in failed]


def failed_before() -> list[str]:
    """Return the names of the tests that failed when they last ran."""
    known = CACHE / "v/cache/lastfailed"
    return [*json.loads(known.read_text(encoding="utf-8"))] if known.exists() else []


def main() -> int:
    beside = run("-n", "3", "--dist", "loadfile", "-m", "not alone")
    alone, unsteady = run_alone()
    for name in unsteady:
        print(f"unsteady: {name}")
    counts = beside.counts + alone.counts
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped", flush=True)
    return beside.status or alone.status


if __name__ == "__main__":
    sys.exit(main())
