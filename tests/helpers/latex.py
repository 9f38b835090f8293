"""Compile LaTeX documents in the tests, to see that they are correct."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.helpers.app import skip_missing
from tests.helpers.waiting import LIMIT


def compile_documents(program: str, documents: Sequence[str], folder: Path) -> None:
    """Compile one-page documents with the LaTeX `program`, joined into one, and assert that all pages are right.

    They are joined because a program takes longer to start than to set a page. So all preambles must be equal but for
    comments, and a document must not change the pages after it."""
    if not shutil.which(program):
        skip_missing(program)
    parts = [document.partition("\\begin{document}\n") for document in documents]
    beginnings = {re.sub("^%.*\n", "", before, flags=re.MULTILINE) for before, *_ in parts}
    assert len(beginnings) == 1 and all(after.endswith("\\end{document}\n") for *_, after in parts)
    pages = [after.removesuffix("\\end{document}\n") for *_, after in parts]
    whole = beginnings.pop() + "\\begin{document}\n" + "\\clearpage\n".join(pages) + "\\end{document}\n"
    (folder / "pictures.tex").write_text(whole, encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "pictures.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=2 * LIMIT)
    assert run.returncode == 0, run.stdout.decode("utf-8", "replace")[-2000:]
    assert (folder / "pictures.pdf").read_bytes().startswith(b"%PDF")
    assert f"({len(documents)} page".encode() in run.stdout
    assert "Missing character" not in (folder / "pictures.log").read_text("utf-8", "replace")
