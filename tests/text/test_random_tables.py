"""Test random tables, written as by Python's csv, by pandas and by hand.

Each is read cell for cell, or refused with the number of the line."""

from __future__ import annotations

import csv
import io
import re
from random import Random

import pytest

from metrics.text.files import BadData
from metrics.text.formats import File
from metrics.text.formats.tables import text_table_sheet

#: Names of real systems, used in headers.
SYSTEMS = (
    "SYSTRAN PEGASUS BART mT5 mT5-base T5 REFORMER GOLDEN PEFT GPT-4.1 GPT-4o Claude-3.5 Gemini-1.5-pro DeepL "
    "Google Online-A Online-B Online-W M2M100 NLLB-200 Lan-BridgeMT IOL_Research HW-TSC Facebook-AI NiuTrans "
    "MiSS SMU DIDI-NLP Borderline IIE-MT Yandex Baidu Tencent Volctrans Unbabel-Tower70B Llama3-70B "
    "Mistral-Large Aya23 Command-R Phi-3 Qwen2-72B Z Y DA human2 Opus-MT Marian Sockeye Moses Apertium PROMT "
    "Lingvanex Kantan eTranslation CUNI-DocTransformer TransformerXL REFORMER-2 Systran7 Prediktor Outputter "
    "TGTnet Hypernet"
).split()
WORDS = ["one", "zwei", "três", "四", "", "a b", "1", "-", "=x", "#", "'", "ü;v", "x,y", '5" disk', 'say "hi"', "…"]
QUOTES = ['"', '"open', 'close"', '"both"', '""', 'a""b']
BREAKS = ["a\tb", "a\nb", "a\r\nb", "\n"]


def random_cells(random: Random, hard_cells: list[str], column_count: int) -> list[list[str]]:
    """Return random rows of cells: a header of system names, and up to eight rows in which the first cell is a word.

    `hard_cells` are texts that are hard to read, such as quotation marks; they may be in any other cell."""
    header = random.sample(SYSTEMS, column_count)
    rows = [[random.choice([*WORDS, *hard_cells]) for _ in header] for _ in range(random.randint(1, 8))]
    return [header, *[["word", *row[1:]] for row in rows]]


def write_by_csv(random: Random, cells: list[list[str]], separator: str) -> str:
    out = io.StringIO(newline="")
    quoting = random.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
    end = random.choice(["\n", "\r\n"])  # pandas ends lines with \n, Python's csv with \r\n
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(cells)
    return out.getvalue()


def write_by_hand(random: Random, cells: list[list[str]], separator: str) -> str:
    end = random.choice(["\n", "\r\n"])
    return "".join([separator.join(row) + end for row in cells])


def read_cells(text: str, separator: str) -> list[list[str]]:
    sheet = text_table_sheet(File("t.tsv" if separator == "\t" else "t.csv"), text)
    columns = [column.cells for column in sheet.columns]
    return [[column.name for column in sheet.columns], *map(list, zip(*columns, strict=True))]


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("seed", range(4))
def test_tables_of_programs_are_read_cell_for_cell(separator, seed):
    random = Random(f"{separator} {seed}")
    for _ in range(100):
        cells = random_cells(random, [*QUOTES, *BREAKS], random.randint(2, 5))
        text = write_by_csv(random, cells, separator) + random.choice(
            ["", "\n", "\r\n\r\n", separator * (len(cells[0]) - 1)]
        )
        assert read_cells(text, separator) == cells, text


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
@pytest.mark.parametrize("seed", range(4))
def test_tables_by_hand_are_read_cell_for_cell_or_refused_by_line(separator, seed):
    """Check tables written by hand, in which quotation marks are text and never enclose cells.

    A table with a row that lacks cells, or with a blank line inside, is refused with the line number."""
    random = Random(f"by hand {separator} {seed}")
    kept = refused = 0
    for _ in range(100):
        cells = random_cells(random, QUOTES if separator == "\t" else [], random.randint(2, 5))
        cells = [[cell.replace(separator, " ").replace('""', "'") for cell in row] for row in cells]
        text, wrong = write_by_hand(random, cells, separator), None
        if random.random() < 0.3 and len(cells) > 2:
            at = random.randrange(1, len(cells) - 1)
            broken = [*cells[:at], cells[at][:-1] if random.random() < 0.5 else [], *cells[at + 1 :]]
            text, wrong = write_by_hand(random, broken, separator), at + 1
        try:
            found = read_cells(text, separator)
        except BadData as error:
            assert re.search(r"line \d+", str(error)) and (wrong is None or f"line {wrong} " in str(error)), (
                text,
                error,
            )
            refused += 1
        else:
            assert wrong is None and found == cells, text
            kept += 1
    assert kept > 50 and refused > 10
