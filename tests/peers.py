"""Which values of other programs agree with ours: tests say what they compared, and a document shows it as a table.

A test marked `peer` calls `agreed` at its end, when every value was compared. Where the table says something else
the test fails; `make agreement-table` runs these tests and writes the table anew from what they say.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "metrics/catalogue/agreement.md"
BEGIN, END = "<!-- agreement-table -->", "<!-- /agreement-table -->"
HEAD = "| metric | program | what is compared | values that agree | that differ, and why |\n|---|---|---|---:|---|\n"
#: A file to which tests write what they compared, a line each, instead of holding it against the table.
VALUES = "PEER_VALUES"


def row(metric: str, program: str, of: str, same: int, other: int = 0, why: str = "") -> str:
    """A line of the table."""
    differ = f"{other:,}: {why}" if other else "0"
    return f"| {metric} | {program} | {of} | {same:,} | {differ} |"


def agreed(metric: str, program: str, of: str, same: int, other: int = 0, why: str = "") -> None:
    """A test has compared so many values with another program's: `same` agree, `other` differ, as `why` explains.

    The label of the metric, the program with its version and what the values are `of` are cells of the table.
    """
    assert same > 0 and bool(other) == bool(why)
    if path := os.environ.get(VALUES):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps([metric, program, of, same, other, why], ensure_ascii=False) + "\n")
    else:
        line = row(metric, program, of, same, other, why)
        assert line in TABLE.read_text(encoding="utf-8").splitlines(), f"run make agreement-table: it is {line}"


def write(values: str) -> None:
    """Write the table into its document, in the order of the menu."""
    sys.path.insert(0, str(ROOT))
    from metrics import METRICS

    labels = [metric.label for metric in METRICS.values()]
    found = {tuple(json.loads(line)) for line in Path(values).read_text(encoding="utf-8").splitlines()}
    lines = [row(*each) for each in sorted(found, key=lambda each: (labels.index(each[0]), *each[1:]))]
    text = TABLE.read_text(encoding="utf-8")
    before, behind = text.split(BEGIN)[0], text.split(END)[1]
    table = HEAD + "\n".join(lines)
    TABLE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{behind}", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
