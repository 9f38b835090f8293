"""The options that name the files of several systems, the reading of these files, and hints on their texts."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import NamedTuple

from ..corpus import hints
from ..text import TextSettings, markup
from ..text.files import SegmentLine, decode_lines, file_label, read_contents
from ..types import Metric, Settings, Tokens

#: The beginnings of files that may be more than plain lines: markup, JSON, PO, subtitles, workbooks, UTF-16, or a first
#: line with a tab, an id or brackets at its end.
_MAY_BE_MORE = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s{0,1000}+(?:[<{\[#]|msg|WEBVTT|PK\x03\x04|\xff\xfe|\xfe\xff|\0|[\d:., ]{1,30}-->"
    rb"|\d{1,9}\r?\n)|\s{0,100}(?:[^\t\r\n]{0,10000}\t|\S{0,200}\d|[^\r\n]{0,10000}\)\s{0,100}(?:\n|\Z)))"
)
#: The file name extensions of tables, which may begin like plain lines.
_TABLES = re.compile(r"\.(?:tsv|tab|csv|xlsx|xlsm)(?:\.gz)?", re.I)

HELP = """\
the files:
  UTF-8, one segment a line, the same segments in all files. A line feed ends a line, with or without a carriage
  return before it; a carriage return alone ends it only in a file without line feeds. An empty line in one of several
  references means that the segment has no such reference; where all its references are empty, it has one without
  words. A file may be gzipped. What follows -- is a file, even if it begins with -.

  A file's content tells its format: tables with a header (.tsv, .csv, .xlsx), JSON (an object a line, a list,
  pandas' layouts, what comet-score --to_json writes), XLIFF, TMX, PO and WMT's XML, WebVTT and SRT, transcripts with an
  id before or after the words (Kaldi's text, trn); anything else is one segment a line.

files for --system, --reference, --source and --corpus:
  One of
  several texts is given as FILE:COLUMN, such as --system A=table.tsv:A (the language in TMX); a file that has this
  whole name comes first. --corpus takes all that a file says it holds, files of lines by names such as
  reference.A.txt, source.txt and system.B.txt, and folders: mt-metrics-eval's as FOLDER or FOLDER:PAIR, others with
  all their files. Files that all have keys, such as doc_id, are joined by key, others by order. What was
  recognised is reported on the standard error before anything is scored.
"""


class FileColumns(NamedTuple):
    """The texts of several files, in the order in which the files were given.

    Attributes:
        lines: the lines of each text.
        names: for each text the path of its file; a file may hold several texts.
        notes: sentences on how files were read that are not plain lines.
    """

    lines: list[list[str]]
    names: list[str]
    notes: list[str]


def read_columns(candidates: Sequence[str], references: Sequence[str], clean: Sequence[str] = ()) -> FileColumns:
    """Return the texts of the candidate files, then of the reference files.

    `clean` names kinds of markup (keys of `markup.CLEANED`) that are removed. A reference file may hold several
    references. The format of a file is recognised from its content, as for `--system` and `--reference`. Raises BadData
    if a file cannot be read.
    """
    columns = _read_file_columns(candidates, references)
    lines = (
        [[markup.remove_markup_groups(clean, line) for line in each] for each in columns.lines]
        if clean
        else columns.lines
    )
    return columns._replace(lines=lines)


class TextColumn(NamedTuple):
    """The lines of a text file with its path, and the words of each line as they are scored."""

    file: str
    lines: Sequence[str]
    words: Sequence[Tokens]


def hint_sentences(
    names: Sequence[str],
    columns: Sequence[Sequence[str]],
    corpora: Sequence[Sequence[SegmentLine]],
    text: TextSettings,
    metric: Metric,
    settings: Settings,
) -> list[str]:
    """Return sentences with hints on what keeps words from matching, each with the option that helps.

    `columns` are the lines of the candidates and then of the references, `names` the paths of their files, and
    `corpora` the segments of each candidate. The score by `metric` shows whether an option helps.
    """
    of = [[line.segment.segment.candidate for line in corpus] for corpus in corpora]
    theirs = [dict(zip(line.files, line.segment.segment.references, strict=True)) for line in corpora[0]]
    of += [[each.get(k, ()) for each in theirs] for k in range(len(columns) - len(corpora))]
    given = list(map(TextColumn, names, columns, of))
    file_hints = hints.find_hints(given[: len(corpora)], given[len(corpora) :], text, metric, settings)
    return [hint.with_option() for hint in file_hints]


def _read_file_columns(candidates: Sequence[str], references: Sequence[str]) -> FileColumns:
    """Return the texts of the candidate files, then of the reference files, with nothing removed."""
    names = [*candidates, *references]
    data = [read_contents(name) for name in names]
    if not any(_MAY_BE_MORE.match(each) or _TABLES.search(name) for name, each in zip(names, data, strict=True)):
        return FileColumns([decode_lines(name, each) for name, each in zip(names, data, strict=True)], names, [])
    from ..text import formats
    from ..text.formats.file_columns import read_sheet

    files = [
        formats.File(name, each, "system" if at < len(candidates) else "reference", f"{at}")
        for at, (name, each) in enumerate(zip(names, data, strict=True))
    ]
    sheets = [read_sheet(file) for file in files]
    if all(sheet.plain for sheet in sheets):
        notes = [f"{file_label(sheet.file.name)}: {note}" for sheet in sheets for note in sheet.notes]
        return FileColumns([[cell or "" for cell in sheet.columns[0].cells] for sheet in sheets], names, notes)
    material = formats.read(files)
    texts = [*material.systems.values(), *material.references.values()]
    notes = [each.sentence for each, sheet in zip(material.files, sheets, strict=True) if not sheet.plain]
    return FileColumns([[*each.lines] for each in texts], [each.file for each in texts], [*notes, *material.notes])


def add_file_options(group: argparse._ArgumentGroup) -> None:
    """Add the options for the files of several systems, such as --system, to the argument group `group`."""
    systems = "a system's name and its file of translations; given for each of several systems"
    group.add_argument("--system", action="append", default=[], type=_parse_system, metavar="NAME=FILE", help=systems)
    theirs = "a file of references for the systems; can be given again"
    group.add_argument("--reference", action="append", default=[], dest="references", metavar="FILE", help=theirs)
    group.add_argument("--source", metavar="FILE", help="the file of the texts that the systems have translated")
    corpus = "a file or a folder that holds several of these and says what each is; can be given again"
    group.add_argument("--corpus", action="append", default=[], metavar="FILE", help=corpus)
    column = (
        "what a column holds, where this is not recognised: source, reference:NAME, post-edited, system:NAME, "
        "document, key, score:NAME:SYSTEM or nothing; can be given again"
    )
    group.add_argument(
        "--column", action="append", default=[], type=_parse_column_role, metavar="COLUMN=ROLE", help=column
    )
    tags = "inline tags of XLIFF, TMX and WMT's XML count as words, such as <1>; by default they are left out"
    group.add_argument("--keep-tags", action="store_true", help=tags)
    clean = (
        "remove what is not a word: "
        + ", ".join([f"{name} ({of.label})" for name, of in markup.CLEANED.items()])
        + "; separate several with commas; can be given again"
    )
    group.add_argument("--clean", action="append", default=[], type=_parse_clean_names, metavar="NAMES", help=clean)
    edited = "the references are post-edited outputs, which makes TER the HTER of the output that was edited"
    group.add_argument("--post-edited", action="store_true", help=edited)


def _parse_clean_names(given: str) -> list[str]:
    """Return the names of markup in a value of --clean, which commas separate.

    Raises ArgumentTypeError for an unknown name.
    """
    names = [name.strip().lower() for name in given.split(",")]
    for name in names:
        if name not in markup.CLEANED:
            raise argparse.ArgumentTypeError(f"clean must be one of {', '.join(markup.CLEANED)}, got {name!r}")
    return names


def _parse_system(given: str) -> tuple[str, str]:
    """Return (name, path) for an option value NAME=FILE; raise ArgumentTypeError for another form."""
    name, _, file = given.partition("=")
    if not name.strip() or not file:
        raise argparse.ArgumentTypeError(f"a system is given as NAME=FILE, got {given!r}")
    return name.strip(), file


def _parse_column_role(given: str) -> tuple[str, str]:
    """Return (column, role) for an option value COLUMN=ROLE, such as de=source.

    Raises ArgumentTypeError for another form or an unknown role.
    """
    from ..text.formats.sheets import ColumnRole

    name, _, role = given.rpartition("=")
    if not name or not role:
        raise argparse.ArgumentTypeError(f"a column and its role are given as COLUMN=ROLE, got {given!r}")
    try:
        ColumnRole.of_text(role)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name, role
