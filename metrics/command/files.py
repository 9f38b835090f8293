"""What the command line says of files, and the options that name those of several systems."""

from __future__ import annotations

import argparse

HELP = """\
the files:
  UTF-8, one segment a line, the same segments in all files. A line feed ends a line, with or without a carriage
  return before it; a carriage return alone does in a file without line feeds. An empty line in one of several
  references says that the segment has no such reference; where all its references are empty, it has one without
  words. A file may be gzipped. What is behind -- is a file, even if it begins with -.

files for --system, --reference, --source and --corpus:
  By the end of the name: tables with a header (.tsv, .csv, .xlsx), JSON (.jsonl with an object a line, .json from
  comet-score --to_json), XLIFF, TMX and WMT's XML (.xlf, .tmx, .xml, .sgm); all else is one segment a line. One of
  several texts is given as FILE:COLUMN, such as --system A=table.tsv:A (the language in TMX); a file that is called
  so as a whole comes first. --corpus takes all that a file says it holds, files of lines by names such as
  reference.A.txt, source.txt and system.B.txt, and folders: mt-metrics-eval's as FOLDER or FOLDER:PAIR, others with
  all their files. Files that all have keys, such as doc_id, are joined by key, others by order. What was
  recognised is said on the standard error before anything is scored.
"""


def add(files: argparse._ArgumentGroup) -> None:
    """The options for the files of several systems."""
    systems = "a system's name and its file of translations; given for each of several systems"
    files.add_argument("--system", action="append", default=[], type=_system, metavar="NAME=FILE", help=systems)
    theirs = "a file of references for the systems; can be given again"
    files.add_argument("--reference", action="append", default=[], dest="references", metavar="FILE", help=theirs)
    files.add_argument("--source", metavar="FILE", help="the file of the texts that the systems have translated")
    corpus = "a file or a folder that holds several of these, with what it says of each; can be given again"
    files.add_argument("--corpus", action="append", default=[], metavar="FILE", help=corpus)
    column = (
        "what a column is taken for, where it is not recognised: source, reference:NAME, post-edited, system:NAME, "
        "document, key, score:NAME:SYSTEM or nothing; can be given again"
    )
    files.add_argument("--column", action="append", default=[], type=_column, metavar="COLUMN=ROLE", help=column)
    tags = "inline tags of XLIFF, TMX and WMT's XML count as words, such as <1>; else they are left out"
    files.add_argument("--keep-tags", action="store_true", help=tags)
    edited = "the references are post-edited outputs, which makes TER the HTER of the output that was edited"
    files.add_argument("--post-edited", action="store_true", help=edited)


def _system(given: str) -> tuple[str, str]:
    name, _, file = given.partition("=")
    if not name.strip() or not file:
        raise argparse.ArgumentTypeError(f"a system is given as NAME=FILE, got {given!r}")
    return name.strip(), file


def _column(given: str) -> tuple[str, str]:
    from ..text.formats.sheets import Role

    name, _, role = given.rpartition("=")
    if not name or not role:
        raise argparse.ArgumentTypeError(f"what a column is is given as COLUMN=ROLE, got {given!r}")
    try:
        Role.of_text(role)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name, role
