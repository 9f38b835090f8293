"""The program `bitext-grid` of the installed package: the app, or one of the command lines.

bitext-grid                      starts the app; what follows, such as --server.port 8600, is for Streamlit
bitext-grid score …              scores files of translations
bitext-grid verify AUDIT …       rebuilds the scores of an audit, which `score … --audit` wrote
bitext-grid chapter FILE …       says what is wrong with chapters of your own

The manual of the command line is metrics/command/README.md, that of the app viz/pages/README.md.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ..types import __version__
from ..types.extras import missing_package_sentence

APP = Path(__file__).parents[2] / "app.py"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program `bitext-grid` and return its exit status; `argv` are the arguments, by default this process's.

    Without arguments the app starts, which replaces this process.
    """
    given = [*(sys.argv[1:] if argv is None else argv)]
    first = given[0] if given else ""
    package = (__package__ or "").removesuffix("metrics.command")
    if first in ("score", "verify"):
        return int(import_module(f"{package}metrics.__main__").main(given[first == "score" :]))
    if first in ("--help", "-h"):
        print(__doc__)
        return 0
    if first == "--version":
        print(__version__)
        return 0
    if first and first != "chapter" and not first.startswith("-"):
        print(f"bitext-grid has no command {first!r}: score, verify, chapter, or nothing for the app", file=sys.stderr)
        return 2
    if find_spec("streamlit") is None:
        print(missing_package_sentence("streamlit"), file=sys.stderr)
        return 1
    if first == "chapter":
        return int(import_module(f"{package}viz.__main__").main(given))
    return os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", str(APP), *given])
