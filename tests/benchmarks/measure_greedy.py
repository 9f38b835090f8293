"""Measure how often GTM's greedy matching is the largest, on translations and their references (`make greedy`).

    python -m tests.benchmarks.measure_greedy [FOLDER …]

A folder has files reference*.txt and system*.txt with one sentence per line; every system is compared with every
reference. The default folder is tests/data/ted-zh-en. The 13a tokeniser splits words, and their case is kept. With
--keep the numbers are written to viz/pages/learn/chapters/greedy.json, which the Learn page shows."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from metrics import text
from metrics.catalogue.gtm.greedy import measure_greedy
from metrics.types import Tokens

ROOT = Path(__file__).parents[2]
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
class MeasuredFolder:
    """The numbers measured on a folder, as they are stored for the Learn page.

    Attributes:
        name: the name of the data.
        statement: where the data comes from, and how much it is.
        exponent: GTM's exponent.
        pairs: how many pairs of sentences were compared.
        largest: for how many of them the greedy matching is the largest.
        unknown: for how many the largest matching is too hard to find.
        least: the smallest ratio of the greedy score to the largest."""

    name: str
    statement: str
    exponent: float
    pairs: int
    largest: int
    unknown: int
    least: float


def tokenise_lines(path: Path) -> list[Tokens]:
    settings = text.TextSettings(tokenizer="13a")
    return [
        tuple([token.form for token in text.process(line, settings)])
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def figure_of(folder: Path) -> MeasuredFolder:
    """Return the numbers measured on a folder's systems and references; exit if the folder has no such files."""
    references = [tokenise_lines(path) for path in sorted(folder.glob("reference*.txt"))]
    systems = [tokenise_lines(path) for path in sorted(folder.glob("system*.txt"))]
    pairs = [pair for system in systems for reference in references for pair in zip(system, reference, strict=True)]
    if not pairs:
        sys.exit(f"{folder} has no files reference*.txt and system*.txt")
    found = measure_greedy(pairs, EXPONENT)
    count = (
        f"{len(references[0]):,} lines, {len(systems)} systems, {len(references)} reference{'s'[: len(references) - 1]}"
    )
    sample = " (a sample)" if folder.resolve() == SAMPLE else ""
    statement = f"{WHAT.get(folder.name, 'Data of your own')}; {count}, split by 13a"
    return MeasuredFolder(
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
