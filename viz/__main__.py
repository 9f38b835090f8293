"""Check chapter files from the command line, with the messages that the Learn page would show.

    python -m viz chapter my_chapter.toml

The exit status is 0 if nothing is wrong, 1 if something is, or 2 for wrong arguments."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from metrics.types import replace_unprintable

from .draw.pen.numbers import count_text
from .pages.learn import chapter_files
from .state.files.toml_file import FileError

PROGRAM = "bitext-grid" if (__package__ or "").startswith("bitext_grid") else "python -m viz"


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description="Tools for the pages' files.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    chapter = commands.add_parser(
        "chapter",
        help="check the files of chapters",
        description="Check each chapter file as the Learn page does, and print on one line each mistake, its place and "
        "what would be right, or that nothing is wrong. The exit status is 0 if nothing is wrong, 1 if "
        "something is, or 2 for a wrong call.",
    )
    file = "a chapter in TOML; viz/pages/learn/chapters/README.md says how to write one"
    chapter.add_argument("files", nargs="+", metavar="FILE", help=file)
    return parser


def report_lines(path: Path) -> Iterator[tuple[bool, str]]:
    """Check a chapter file; yield a flag and a message for each problem, or one message that there is none.

    The flag is True for a problem."""
    try:
        checked_file = chapter_files.checked_file(path)
    except FileError as fault:
        yield True, str(fault)
        return
    for says in checked_file.messages:
        yield True, says
    if (chapter := checked_file.chapter) and not checked_file.messages:
        screens = count_text(len(chapter.screens), "screen")
        minutes = count_text(chapter.minutes, "minute")
        yield False, f"{path.name}: nothing is wrong with “{chapter.title}”, {screens} in about {minutes}."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `python -m viz`, print what is wrong with the files, and return its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    given = _parser().parse_args(argv)
    wrong = False
    try:
        for name in given.files:
            for fault, says in report_lines(Path(name)):
                wrong |= fault
                print(replace_unprintable(says))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
