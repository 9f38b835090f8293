"""Measure how often GTM's greedy matching is the largest, on translations and their references (`make greedy`).

    python tests/measure_greedy.py [FOLDER …]

A folder has files reference*.txt and system*.txt with one sentence per line; every system is compared with every
reference. The default folder is tests/data/ted-zh-en. The 13a tokeniser splits words, and their case is kept. With
--keep the figures are written to viz/pages/learn/chapters/greedy.json, which the Learn page shows.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from metrics import text
from metrics.catalogue.gtm.greedy import count_greedy_misses
from metrics.types import Tokens

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "tests" / "data" / "ted-zh-en"
KEPT = ROOT / "viz" / "pages" / "learn" / "chapters" / "greedy.json"
EXPONENT = 2.0
NAMES = {"ted-zh-en": "TED zh–en", "ted-sk-en": "TED sk–en"}
WHAT = {
    "ted-zh-en": "TED talks translated from Chinese by systems of WMT 2021, from Google's WMT MQM human evaluation "
    "(github.com/google/wmt-mqm-human-evaluation, Apache License 2.0)",
    "ted-sk-en": "TED talks translated from Slovak by two systems, from compare-mt (copyright 2019 Graham Neubig, "
    "BSD 3-Clause License)",
}


@dataclass
class Figure:
    """The stored figures of a measurement, as viz/state/greedy.py reads them."""

    name: str
    statement: str
    exponent: float
    pairs: int
    largest: int
    unknown: int
    least: float


def lines(path: Path) -> list[Tokens]:
    settings = text.TextSettings(tokenizer="13a")
    return [
        tuple([token.form for token in text.process(line, settings)])
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def figure_of(folder: Path) -> Figure:
    """Return the figures of a folder's systems against its references; exit if the folder has no such files."""
    references = [lines(path) for path in sorted(folder.glob("reference*.txt"))]
    systems = [lines(path) for path in sorted(folder.glob("system*.txt"))]
    pairs = [pair for system in systems for reference in references for pair in zip(system, reference, strict=True)]
    if not pairs:
        sys.exit(f"{folder} has no files reference*.txt and system*.txt")
    found = count_greedy_misses(pairs, EXPONENT)
    count = (
        f"{len(references[0]):,} lines, {len(systems)} systems, {len(references)} reference{'s'[: len(references) - 1]}"
    )
    sample = " (a sample)" if folder.resolve() == SAMPLE else ""
    statement = f"{WHAT.get(folder.name, 'Data of your own')}; {count}, split by 13a"
    return Figure(
        f"{NAMES.get(folder.name, folder.name)}{sample}",
        statement,
        EXPONENT,
        found.pairs,
        found.largest,
        found.unknown,
        found.least,
    )


def main(arguments: list[str]) -> None:
    folders = [Path(name) for name in arguments if name != "--keep"] or [SAMPLE]
    figures = [figure_of(folder) for folder in folders]
    for found in figures:
        print(
            f"{found.name}: greedy is the largest matching for {found.largest:,} of {found.pairs:,} pairs "
            f"({found.largest / found.pairs:.2%}), unknown for {found.unknown:,}; at least {found.least:.1%} of the "
            f"largest size. The paper reports 99 % and 80 %.\n  {found.statement}"
        )
    if "--keep" in arguments:
        kept = json.dumps([asdict(found) for found in figures], ensure_ascii=False, indent=1)
        KEPT.write_text(f"{kept}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
