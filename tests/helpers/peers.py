"""Keep the table that says how many values of other programs agree with ours.

A test marked `peer` calls `agreed` at its end, after it has compared every value. The test fails if the table says
something else. `make agreement-table` runs these tests and writes the table anew from what they report."""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "metrics/catalogue/agreement.md"
BEGIN, END = "<!-- agreement-table -->", "<!-- /agreement-table -->"
README = ROOT / "README.md"
SUMMARY_BEGIN, SUMMARY_END = "<!-- agreement-summary -->", "<!-- /agreement-summary -->"
HEAD = "| metric | program | what is compared | values that agree | that differ, and why |\n|---|---|---|---:|---|\n"
#: The environment variable with the path of a file; if it is set, tests append their reports there, a line each,
#: instead of checking the table.
VALUES = "PEER_VALUES"


def table_row(metric: str, program: str, of: str, same: int, other: int = 0, why: str = "") -> str:
    """Return a line of the table, in Markdown: `same` values agree and `other` values differ, for the reason `why`.

    `of` names what is compared with the other program."""
    differ = f"{other:,}: {why}" if other else "0"
    return f"| {metric} | {program} | {of} | {same:,} | {differ} |"


def agreed(metric: str, program: str, of: str, same: int, other: int = 0, why: str = "") -> None:
    """Assert that the table has the line of this comparison with another program.

    If the environment variable PEER_VALUES names a file, append the comparison to this file instead.

    Args:
        metric: the label of the metric.
        program: the other program, with its version.
        of: what is compared.
        same: how many values agree.
        other: how many values differ.
        why: why they differ; empty if none do."""
    assert same > 0 and bool(other) == bool(why)
    if path := os.environ.get(VALUES):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps([metric, program, of, same, other, why], ensure_ascii=False) + "\n")
    else:
        line = table_row(metric, program, of, same, other, why)
        assert line in TABLE.read_text(encoding="utf-8").splitlines(), f"run make agreement-table: it is {line}"


def summary(lines: Iterable[str]) -> str:
    """Return a paragraph on how many values of each program agree and differ, from lines of the table, for the README.

    >>> summary([table_row("A", "one", "sums", 1000), table_row("B", "one", "parts", 5, 2, "odd")])
    'Of 1,007 values 1,005 agree: one 1,005 (2 differ).'
    """
    programs: dict[str, list[int]] = {}
    for line in lines:
        _, metric, program, _, same, other, *_ = [cell.strip() for cell in line.split("|")]
        if program.startswith("the "):  # it has no name of its own
            program = f"{program.partition(',')[0]} for {metric}"
        counts = programs.setdefault(program, [0, 0])
        counts[0] += int(same.replace(",", ""))
        counts[1] += int(other.partition(":")[0].replace(",", ""))
    agree, differ = (sum(counts) for counts in zip(*programs.values(), strict=True))
    ordered = sorted(programs.items(), key=lambda item: -item[1][0])
    each = [f"{name} {same:,}{f' ({other:,} differ)' if other else ''}" for name, (same, other) in ordered]
    text = f"Of {agree + differ:,} values {agree:,} agree: {', '.join(each)}."
    return textwrap.fill(text, 120, break_on_hyphens=False, break_long_words=False)


def table_lines() -> list[str]:
    """Return the lines of the table in its document, without its head."""
    return TABLE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip().splitlines()[2:]


def write_table(values: str) -> None:
    """Write the table into its document, from the comparisons in the file `values`, in the menu's order of metrics.

    Write its summary into the README."""
    from metrics import METRICS

    labels = [metric.label for metric in METRICS.values()]
    found = {tuple(json.loads(line)) for line in Path(values).read_text(encoding="utf-8").splitlines()}
    lines = [table_row(*each) for each in sorted(found, key=lambda each: (labels.index(each[0]), *each[1:]))]
    text = TABLE.read_text(encoding="utf-8")
    before, behind = text.split(BEGIN)[0], text.split(END)[1]
    table = HEAD + "\n".join(lines)
    TABLE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{behind}", encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    before, behind = readme.split(SUMMARY_BEGIN)[0], readme.split(SUMMARY_END)[1]
    README.write_text(f"{before}{SUMMARY_BEGIN}\n{summary(lines)}\n{SUMMARY_END}{behind}", encoding="utf-8")


if __name__ == "__main__":
    write_table(sys.argv[1])
