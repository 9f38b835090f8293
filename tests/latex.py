"""LaTeX documents that are compiled in the tests."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from conftest import missing
from waiting import LIMIT


def compiled(program: str, documents: Sequence[str], folder: Path) -> None:
    """Compile documents of one page as the pages of one, for a program takes longer to start than to set a page: they
    begin alike but for their comments. A document that changed what follows it would be wrong too."""
    if not shutil.which(program):
        missing(program)
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
