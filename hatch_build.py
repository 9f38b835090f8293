"""Builds the wheel from the tree as it stands: `metrics` and `viz` become `bitext_grid.metrics` and `bitext_grid.viz`,
which collide with nobody's. Of a module nothing changes but what its imports name."""

from __future__ import annotations

import ast
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # what is written is tested where nothing is built
    BuildHookInterface = object

PACKAGE = "bitext_grid"
ROOMS = ("metrics", "viz")
#: What stands beside them in the package: the app's script, Streamlit's settings, which it looks for beside that, the
#: licence and what changed.
BESIDE = ("app.py", ".streamlit/config.toml", "LICENSE", "CHANGELOG.md")
#: Pictures of the documents.
LEFT_OUT = ("viz/pictures",)

INIT = '''"""Metrics of translation quality, each with the alignment that made its score."""

from typing import TYPE_CHECKING

from . import metrics as _metrics
from .metrics import __all__, __version__  # noqa: F401

if TYPE_CHECKING:
    from .metrics import *  # noqa: F403
else:  # a star would import all metrics, and importing the package alone imports none

    def __getattr__(name: str) -> object:
        return getattr(_metrics, name)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
'''

MAIN = '''"""`python -m bitext_grid` is the program `bitext-grid`."""

import sys

from .metrics.command.program import main

sys.exit(main())
'''


def renamed(source: str) -> str:
    """A module with its absolute imports of our rooms by their names in the package; each stays on its line.

    >>> renamed("import metrics\\nfrom viz.draw import pen  # a pen\\nimport viz.pages, metrics.text as t\\n")
    'from bitext_grid import metrics\\nfrom bitext_grid.viz.draw import pen  # a pen\\nfrom bitext_grid import viz; \
import bitext_grid.viz.pages; import bitext_grid.metrics.text as t\\n'
    """
    lines = source.splitlines(keepends=True)
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in sorted(found, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        at = node.lineno - 1
        line = lines[at].encode()  # positions are counted in bytes
        if isinstance(node, ast.ImportFrom):
            if node.level or not _ours(node.module or ""):
                continue
            before = line[: node.col_offset] + b"from "
            assert line.startswith(before), "an import from one of our rooms stands as it is formatted"
            lines[at] = (before + PACKAGE.encode() + b"." + line[len(before) :]).decode()
        elif any(_ours(alias.name) for alias in node.names):
            assert node.end_lineno == node.lineno and node.end_col_offset is not None
            new = "; ".join([part for alias in node.names for part in _import(alias)])
            lines[at] = (line[: node.col_offset] + new.encode() + line[node.end_col_offset :]).decode()
    return "".join(lines)


def _ours(module: str) -> bool:
    return module.partition(".")[0] in ROOMS


def _import(alias: ast.alias) -> Iterator[str]:
    """What stands for `import alias`, so that the same names are bound."""
    room, dot, _ = alias.name.partition(".")
    if not _ours(alias.name):
        yield f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
    elif alias.asname:
        yield f"import {PACKAGE}.{alias.name} as {alias.asname}"
    else:
        yield f"from {PACKAGE} import {room}"
        if dot:
            yield f"import {PACKAGE}.{alias.name}"


def files(tree: Path) -> Iterator[Path]:
    """What the wheel is made of, relative to the tree."""
    for room in ROOMS:
        for path in sorted((tree / room).rglob("*")):
            own = path.relative_to(tree)
            hidden = any(part.startswith((".", "__pycache__")) for part in own.parts)
            if path.is_file() and not hidden and not own.as_posix().startswith(LEFT_OUT):
                yield own
    yield from map(Path, BESIDE)


def write(tree: Path, package: Path) -> None:
    """The package from the tree, into a folder that is not there yet."""
    for own in files(tree):
        to = package / own
        to.parent.mkdir(parents=True, exist_ok=True)
        if own.suffix == ".py":
            to.write_text(renamed((tree / own).read_text(encoding="utf-8")), encoding="utf-8")
        else:
            shutil.copyfile(tree / own, to)
    (package / "__init__.py").write_text(INIT, encoding="utf-8")
    (package / "__main__.py").write_text(MAIN, encoding="utf-8")
    (package / "py.typed").touch()


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc,valid-type]
    """Writes the package beside the build, and has the wheel hold it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.written = tempfile.TemporaryDirectory()
        package = Path(self.written.name) / PACKAGE
        write(Path(self.root), package)
        build_data["force_include"][str(package)] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.written.cleanup()
