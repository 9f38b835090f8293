"""The command line of the pages: what the Learn page would say of the files of chapters.

    python -m viz chapter my_chapter.toml

The exit status is 0 where nothing is wrong, 1 where something is, or 2 for a wrong call.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from metrics.types import visible

from .draw.pen.theme import count_text
from .pages.learn import chapter_files
from .state.toml_file import FileError

PROGRAM = "bitext-grid" if (__package__ or "").startswith("bitext_grid") else "python -m viz"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=PROGRAM, description="What can be done with the pages' files.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    chapter = commands.add_parser(
        "chapter",
        help="say what is wrong with the files of chapters",
        description="Say of each file of a chapter what the Learn page would say of it: whatever is wrong, where, and "
        "what would be right, a line each; or that nothing is. The exit status is 0 where nothing is wrong, 1 where "
        "something is, or 2 for a wrong call.",
    )
    file = "a chapter in TOML; viz/pages/learn/chapters/README.md says how to write one"
    chapter.add_argument("files", nargs="+", metavar="FILE", help=file)
    return parser


def report_lines(path: Path) -> Iterator[tuple[bool, str]]:
    """The lines that say what is wrong with a file, or that nothing is; and of each whether it says the former."""
    try:
        checked_file = chapter_files.checked_file(path)
    except FileError as fault:
        yield True, str(fault)
        return
    for says in checked_file.says:
        yield True, says
    if (chapter := checked_file.chapter) and not checked_file.says:
        screens = count_text(len(chapter.screens), "screen")
        minutes = count_text(chapter.minutes, "minute")
        yield False, f"{path.name}: nothing is wrong with “{chapter.title}”, {screens} in about {minutes}."


def main(argv: Sequence[str] | None = None) -> int:
    """Run a call and return its exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    given = _parser().parse_args(argv)
    wrong = False
    try:
        for name in given.files:
            for fault, says in report_lines(Path(name)):
                wrong |= fault
                print(visible(says))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
