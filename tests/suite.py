"""The whole suite in two phases; `make test` runs it.

First what needs nothing but a processor, side by side. Then what needs a server, a browser, worker processes or the
clock (marked `alone`), one test after the other with nothing beside it. What fails there is run again at the very end,
by itself, up to twice: what passes only then is listed as unsteady, and what fails three times is a failure.
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
CACHE = ROOT / ".pytest_cache/alone"  # pytest writes there which tests of the second phase have failed
AGAIN = 2
FAILED, NONE_FOUND = 1, 5  # what pytest exits with


class Phase(NamedTuple):
    """How a run of pytest ended, and how many of its tests passed, failed and were skipped."""

    status: int
    counts: Counter[str]


def run(*arguments: str) -> Phase:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        status = subprocess.run(
            [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments], cwd=ROOT, check=False
        ).returncode
        return Phase(status, counted(report) if report.exists() else Counter(failed=1))


def counted(report: Path) -> Counter[str]:
    """How many tests passed, failed and were skipped, by pytest's report."""
    (suite,) = ElementTree.parse(report).getroot().iter("testsuite")
    number = {name: int(suite.get(name, 0)) for name in ("tests", "failures", "errors", "skipped")}
    bad = number["failures"] + number["errors"]
    passed = max(number["tests"] - bad - number["skipped"], 0)
    return Counter(passed=passed, failed=bad, skipped=number["skipped"])


def run_alone() -> tuple[Phase, list[str]]:
    """The second phase, and the tests that passed only when they were run again."""
    shutil.rmtree(CACHE, ignore_errors=True)
    cache = f"cache_dir={CACHE}"
    phase = run("-m", "alone", "-o", cache)
    first = failed = failed_before()
    for _ in range(AGAIN):
        if phase.status != FAILED or not failed:
            break
        print(f"\nonce more, by themselves: {', '.join(failed)}", flush=True)
        # Their names stand in a file, as there may be more of them than fit into a command.
        again = run("-m", "alone", "-o", cache, "--last-failed", "--last-failed-no-failures", "none")
        failed = failed_before()
        counts = Counter(phase.counts)
        counts["passed"] += counts["failed"] - len(failed)
        counts["failed"] = len(failed)
        phase = Phase(again.status if again.status != NONE_FOUND else FAILED, counts)
    return phase, [name for name in first if name not in failed]


def failed_before() -> list[str]:
    """The tests that failed when they were last run."""
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
