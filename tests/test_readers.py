"""Test that each function that reads a visitor's text takes time in proportion to the text, for any text.

They read files of every format, links, chapters, typed texts and input fields."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

import pytest

from metrics.formula import notation
from metrics.text import TextSettings, graphemes, markup, nfkc, printable, process
from metrics.text.files import BadData
from metrics.text.formats import File, material, read, roles, sheets, tables
from metrics.text.judgements import tagged
from metrics.types import replace_unprintable
from tests.helpers.counting import grows_too_fast
from viz.draw.learn import prose
from viz.pages.corpus import marks
from viz.pages.corpus import record as corpus
from viz.pages.learn import chapter_checks, chapter_reader
from viz.state.links import link
from viz.state.texts import inputs, reading

SIGNS = (
    *(" ", "\t", "\n", "\r\n", '"', "'", "(", "[", "{", "<", "\\", ",", ".", "0", "a", "=", "$", "*", "&", "-", "#"),
    *("a ", "a\n", "<a ", "[[\n", "a=1\n", '""', "{}", "[],", "a: ", "<!--", '"""', "a@@ ", "don't ", "$a$ ", "*a*"),
    *("字", "\u0301", "🇩", "ﾊﾞ", "\u2028", "\u00a0", "“", "—", '"a":1,'),
)
SIZE = 4_000


def _read_file(name: str, before: str, text: str) -> object:
    return read([File(name, (before + text).encode())])


def _recognise_file(name: str, before: str, text: str) -> object:
    return material.recognise_files([File(name, (before + text).encode())])


def _read_cell(text: str) -> object:
    inside = text.replace("\n", " ").replace("\t", " ")
    return read([File("t.tsv", f"src\tref\tmt\n1\t2\t{inside}\n".encode())])


def _read_chapter(before: str, text: str) -> object:
    return chapter_reader.checked("c.toml", before + text)


#: Beginnings of a file's content, by the name of the file.
FILES = {
    "a.txt": ("",),
    "t.tsv": ("ref\tmt\n", ""),
    "t.csv": ("ref,mt\n", 'ref,mt\na,"'),
    "a.json": ('{"a":', '[{"ref":"', "[", '{"a":1,'),
    "a.jsonl": ('{"ref":"', ""),
    "a.xml": ("<dataset>", "<dataset><doc><src><seg>", "<"),
    "a.sgm": ("<refset>", "<refset><doc><seg "),
    "a.tmx": ("<tmx><body><tu><tuv><seg>", "<tmx "),
    "a.xlf": ("<xliff ",),
    "a.po": ('msgid "', ""),
    "a.seg.score": ("a 1\n", ""),
}
CHAPTERS = ("", 'title = "', 'title = """', "a = ", "a = [", "[a", "'", '[[screens]]\ntext = "')
READERS: dict[str, Callable[[str], object]] = {
    **{f"{name} {pre!r}": partial(_read_file, name, pre) for name, some in FILES.items() for pre in some},
    **{f"role of {name} {pre!r}": partial(_recognise_file, name, pre) for name, some in FILES.items() for pre in some},
    "a cell": _read_cell,
    "a column's name": roles.role_of_column_name,
    "numbers": lambda text: roles.is_numeric_column(roles.SheetColumn("x", [text, "1"])),
    "tokens": lambda text: [process(text, TextSettings(tokenizer=name)) for name in ("13a", "space", "international")],
    "graphemes": graphemes,
    "NFKC": nfkc,
    "printable": printable,
    "visible": replace_unprintable,
    "tagged": lambda text: tagged.split_tags(f"<v>{text}"),
    "lines": inputs.reference_lines,
    "pasted": inputs.pasted_systems,
    "pasted rather": inputs.suggest_joined_systems,
    "blocks": reading.split_blocks,
    "markup": lambda text: [
        markup.find_first_markup([text], "space"),
        *[markup.remove_markup_kind(kind, text) for kind in markup.KINDS],
    ],
    "a workspace": lambda text: link.from_json('{"format":' + text),
    "a filter": corpus.parse_filter.__wrapped__,  # without the cache
    "marks": marks.read_marks.__wrapped__,
    "a link": lambda text: link.from_query({"page": "sentence", "candidate": text}),
    **{f"a chapter {pre!r}": partial(_read_chapter, pre) for pre in CHAPTERS},
    "prose": lambda text: prose.html(text, {}),
    "a number": lambda text: prose.expression_value(text, {}),
    "a formula": lambda text: notation.parse_definitions([f"x = 1{text}"]),
    "what holds": lambda text: chapter_checks.check_comparison(text, {}),
    "printed": lambda text: chapter_checks.printed_number_problem(text, "{1}", {}),
}


def _read_or_refuse(read: Callable[[str], object], text: str) -> None:
    """Read a text, and ignore the error that refuses it; refusing must be as quick as reading."""
    with contextlib.suppress(BadData, ValueError, RecursionError):
        read(text)


def _read_framed_prefix(name: str, before: str, text: str, behind: str, size: int) -> None:
    """Read, by the reader `name`, the first `size` characters of `text` between `before` and `behind`."""
    _read_or_refuse(READERS[name], before + text[:size] + behind)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_time_in_proportion_to_the_text(name):
    for sign in SIGNS:
        text = sign * (16 * SIZE // len(sign) + 1)
        for before, behind in (("", ""), ("", "!"), ("a", "!")):
            given = partial(_read_framed_prefix, name, before, text, behind)
            assert not grows_too_fast(given, SIZE, 3), (before, sign, behind)


def test_a_name_that_stands_twice_among_many_is_found_in_proportion_to_them():
    def read_names_one_of_them_twice(size: int) -> None:
        names = [*range(size), size - 1]
        with pytest.raises(BadData, match="twice"):
            read([File("a.jsonl", ("{" + ",".join([f'"{name}":1' for name in names]) + "}").encode())])

    assert not grows_too_fast(read_names_one_of_them_twice, 4_000)


@pytest.mark.parametrize("sign", "\t,;")
def test_of_a_header_of_many_names_only_the_first_are_looked_at(monkeypatch, sign):
    asked = []
    monkeypatch.setattr(tables, "role_of_column_name", asked.append)
    with pytest.raises(BadData):
        read([File("t.csv", sign.encode() * 1_000_000)])
    assert 0 < len(asked) < 10 * sheets.MOST_COLUMNS
