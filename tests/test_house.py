"""Arrows run down: which folder may import from which, over every file and every import in it, wherever it stands.

A file that no rule names is a fault, and so is a circle. What a test of the rules needs is a tree of files, so that the
rules can be tried on a copy into which something forbidden was written.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

import metrics

ROOT = Path(__file__).parent.parent


def test_no_merge_is_left_half_done():
    """The marks that a merge leaves where both sides changed a line; style sheets and scripts fail on them silently."""
    marks = tuple(sign * 7 for sign in "<>|")
    for folder in ("viz", "metrics", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".css", ".toml", ".md"):
                lines = path.read_text(encoding="utf8").split("\n")
                assert not [n for n, line in enumerate(lines, 1) if line.startswith(marks)], path


@dataclass(frozen=True)
class Rule:
    """Files of one kind: their paths, as patterns of `Path.match` or folders, what they may import, and which of the
    libraries that are kept out of other files they may use."""

    paths: tuple[str, ...]
    may: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True)
class House:
    """The rules of some top-level packages by name, the first that fits a file being its own; a rule's files may import
    each other only where it names itself. `kept` are libraries that only files of rules that name them may use."""

    packages: tuple[str, ...]
    rules: Mapping[str, Rule]
    kept: tuple[str, ...] = field(default=())

    def rule_of(self, path: str) -> str | None:
        for name, rule in self.rules.items():
            if any(path == p or (p.endswith("/") and path.startswith(p)) for p in rule.paths):
                return name
        return None


# ---------------------------------------------------------------- the rules

METRICS = House(
    ("metrics",),
    {
        "types": Rule(("metrics/types.py",), ("formula",)),
        "formula": Rule(("metrics/formula.py", "metrics/notation.py"), ("formula",)),
        "work": Rule(("metrics/work.py",), ("types",)),
        "words": Rule(("metrics/text.py", "metrics/wordnet.py", "metrics/similarity.py"), ("types", "work", "words")),
        "alignment": Rule(("metrics/alignment/",), ("types", "work", "alignment")),
        "metric": Rule(
            tuple(sorted({f"{m.Settings.__module__.replace('.', '/')}.py" for m in metrics.METRICS.values()})),
            ("types", "formula", "work", "words", "alignment"),
        ),
        "analysis": Rule(("metrics/analysis/",), ("types", "work", "words", "alignment", "analysis")),
        "textbook": Rule(("metrics/textbook/",), ("types", "formula", "work", "words", "textbook")),
        "questions": Rule(
            ("metrics/questions/",),
            ("types", "formula", "work", "words", "alignment", "analysis", "textbook", "questions"),
        ),
        "catalogue": Rule(("metrics/__init__.py",), ("types", "metric", "analysis", "textbook", "questions")),
        "files": Rule(("metrics/files.py",), ("types", "words")),
        "output": Rule(("metrics/output.py",), ("types", "words", "files")),
        "comparison": Rule(("metrics/comparison.py",), ("types", "words", "files", "output", "analysis")),
        "program": Rule(("metrics/__main__.py",), ("types", "words", "files", "output", "comparison", "catalogue")),
    },
    ("streamlit", "plotly", "pandas"),
)

#: What viz may use of metrics: everything but the command line.
_CORE = (
    "types",
    "formula",
    "work",
    "words",
    "alignment",
    "metric",
    "analysis",
    "textbook",
    "questions",
    "catalogue",
    "files",
)
_DRAW = (*_CORE, "draw")
_STATE = (*_DRAW, "state", "session")
_BELOW_VIEWS = (*_STATE, "save", "components")

#: pages → views → {save, components} → state → draw → metrics. Fill in what has another place.
VIZ = House(
    ("viz", "metrics"),
    {
        **METRICS.rules,
        "pages": Rule(("viz/pages/",), (*_BELOW_VIEWS, "views"), ("streamlit",)),
        "views": Rule(("viz/views/",), (*_BELOW_VIEWS, "views"), ("streamlit",)),
        "components": Rule(("viz/components/",), (*_STATE, "components"), ("streamlit",)),
        "save": Rule(("viz/save/",), (*_STATE, "save")),
        "session": Rule(
            tuple(
                [
                    f"viz/state/{name}.py"
                    for name in "session slots editing reload lessons controls similarity jobs".split()
                ]
            ),
            _STATE,
            ("streamlit",),
        ),
        "state": Rule(("viz/state/",), _STATE),
        "draw": Rule(("viz/draw/",), _DRAW),
        "package": Rule(("viz/__init__.py",), _BELOW_VIEWS),
        "ready": Rule(("viz/ready.py",), (*_BELOW_VIEWS, "views")),
    },
    METRICS.kept,
)


# ---------------------------------------------------------------- reading a tree


def imported(path: Path, root: Path) -> Iterator[tuple[str, str | None]]:
    """Every import in a file, in functions and under TYPE_CHECKING too: a module, and the name that is taken from it.

    `import_module` and `__import__` count where the module is written out.
    """
    yield from _imported(path.read_text(encoding="utf8"), path.relative_to(root).parent.parts)


@cache
def _imported(text: str, package: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    return tuple(_imports(ast.parse(text), package))


def _imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[str, str | None]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute("." * node.level + (node.module or ""), package)
            yield from ((module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                anchor = node.args[1] if len(node.args) > 1 else None
                written = isinstance(anchor, ast.Constant) and isinstance(anchor.value, str)
                yield _absolute(node.args[0].value, tuple(anchor.value.split(".")) if written else package), None


def _absolute(name: str, package: Sequence[str]) -> str:
    level = len(name) - len(name.lstrip("."))
    above = package[: len(package) - level + 1] if level else ()
    return ".".join([*above, *([name[level:]] if name[level:] else [])])


def _file(module: str, root: Path) -> str | None:
    """The file of a module, as a path from the root, None where there is none."""
    base = root.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path.relative_to(root).as_posix()
    return None


def faults(root: Path, house: House) -> list[str]:
    """What breaks the rules in the files of the house's packages, as sentences."""
    out = []
    arrows: dict[str, list[str]] = {}
    for path in sorted(p for package in house.packages for p in (root / package).rglob("*.py")):
        name = path.relative_to(root).as_posix()
        own = house.rule_of(name)
        arrows[name] = []
        if own is None:
            out.append(f"{name} has no rule")
            continue
        for module, what in imported(path, root):
            top = module.partition(".")[0]
            if top in house.kept and top not in house.rules[own].libraries:
                out.append(f"{name} imports {top}")
            if not (root / top).is_dir() or not (root / top / "__init__.py").is_file():
                continue
            target = (what and _file(f"{module}.{what}", root)) or _file(module, root)
            if target is None:
                out.append(f"{name} imports {module}, which is no file")
                continue
            arrows[name].append(target)
            if target != name and house.rule_of(target) not in house.rules[own].may:
                out.append(f"{name} ({own}) imports {target} ({house.rule_of(target)})")
    return out + [f"a circle: {' → '.join(circle)}" for circle in circles(arrows)]


def circles(arrows: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Circles of arrows, at least one of those that hang together.

    >>> circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]})
    [['a', 'b', 'c', 'a']]
    """
    found, done = [], set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            found.append([*path[path.index(name) :], name])
        elif name not in done:
            for target in arrows.get(name, ()):
                visit(target, [*path, name])
            done.add(name)

    for name in arrows:
        visit(name, [])
    return found


# ---------------------------------------------------------------- the house


def test_arrows_in_metrics_run_down():
    assert faults(ROOT, METRICS) == []


def test_arrows_in_viz_run_down():
    assert faults(ROOT, VIZ) == []


# ---------------------------------------------------------------- whether the rules see what is forbidden


@pytest.fixture
def tree(tmp_path):
    """A copy of the core."""
    shutil.copytree(ROOT / "metrics", tmp_path / "metrics", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


FORBIDDEN = [  # a file, a line in it, and what is said of it
    ("alignment/lcs.py", "from ..rouge import METRIC", "metrics/rouge.py (metric)"),
    ("alignment/lcs.py", "from .. import rouge", "metrics/rouge.py (metric)"),
    ("alignment/lcs.py", "import metrics.rouge as r", "metrics/rouge.py (metric)"),
    ("alignment/lcs.py", "def f():\n    from metrics import gtm", "metrics/gtm.py (metric)"),
    ("alignment/lcs.py", "from .. import METRICS", "metrics/__init__.py (catalogue)"),
    ("alignment/lcs.py", "from ..analysis.changes import word_diff", "metrics/analysis/changes.py (analysis)"),
    ("alignment/lcs.py", "from ..formula import step", "metrics/formula.py (formula)"),
    ("gtm.py", "from .sia import METRIC", "metrics/sia.py (metric)"),
    ("gtm.py", "from importlib import import_module\nimport_module('metrics.sia')", "metrics/sia.py (metric)"),
    ("gtm.py", "import importlib\nimportlib.import_module('.sia', 'metrics')", "metrics/sia.py (metric)"),
    ("gtm.py", "__import__('metrics.analysis')", "metrics/analysis/__init__.py (analysis)"),
    ("gtm.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .analysis import changes", "changes.py"),
    ("gtm.py", "from metrics import score", "metrics/__init__.py (catalogue)"),
    ("analysis/changes.py", "from .. import METRICS", "metrics/__init__.py (catalogue)"),
    ("analysis/changes.py", "from ..gtm import METRIC", "metrics/gtm.py (metric)"),
    ("textbook/__init__.py", "from ..alignment import lcs", "metrics/alignment/lcs.py (alignment)"),
    ("types.py", "from .work import spend", "metrics/work.py (work)"),
    ("output.py", "from .__main__ import main", "metrics/__main__.py (program)"),
    ("text.py", "import streamlit", "imports streamlit"),
    ("alignment/lcs.py", "def f():\n    import plotly.graph_objects", "imports plotly"),
    ("similarity.py", "from pandas import DataFrame", "imports pandas"),
    ("gtm.py", "from .alignment.nothing import x", "which is no file"),
    ("types.py", "from .types import Hit", "a circle: metrics/types.py → metrics/types.py"),
    ("formula.py", "from .types import Hit", "a circle: "),
]


@pytest.mark.parametrize(("file", "line", "said"), FORBIDDEN)
def test_what_is_forbidden_is_found(tree, file, line, said):
    path = tree / "metrics" / file
    path.write_text(f"{path.read_text(encoding='utf8')}\n{line}\n", encoding="utf8")
    assert any(
        (fault.startswith(f"metrics/{file}") and said in fault) or said in fault for fault in faults(tree, METRICS)
    )


@pytest.mark.parametrize("file", ["helpers.py", "charts/bars.py", "alignment.py"])
def test_a_file_without_a_rule_is_found(tree, file):
    path = tree / "metrics" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("", encoding="utf8")
    assert faults(tree, METRICS) == [f"metrics/{file} has no rule"]


def test_viz_is_out_of_reach_of_the_core(tree):
    (tree / "viz").mkdir()
    (tree / "viz" / "__init__.py").write_text("", encoding="utf8")
    gtm = tree / "metrics" / "gtm.py"
    gtm.write_text(f"{gtm.read_text(encoding='utf8')}\nimport viz\n", encoding="utf8")
    assert faults(tree, METRICS) == ["metrics/gtm.py (metric) imports viz/__init__.py (None)"]


def test_a_small_house_of_viz(tree):
    """The rules of the pages hold for a tree with a file in each folder."""
    files = {
        "__init__.py": "",
        "pages/one.py": "import streamlit\nfrom ..views import menus\nfrom ..draw import svg",
        "views/menus.py": "import streamlit\nfrom ..components import words\nfrom ..state import session",
        "components/words.py": "import streamlit\nfrom ..draw import svg",
        "save/tikz.py": "from ..state import link\nfrom ..draw import svg",
        "state/session.py": "import streamlit\nfrom . import link",
        "state/link.py": "from metrics import METRICS\nfrom metrics.text import forms",
        "draw/svg.py": "from metrics.types import Hit\nfrom . import theme",
        "draw/theme.py": "",
    }
    for name, text in files.items():
        path = tree / "viz" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf8")
    assert faults(tree, VIZ) == []
    for name, line in (
        ("draw/svg.py", "import streamlit"),
        ("state/link.py", "import streamlit"),
        ("save/tikz.py", "import streamlit"),
        ("views/menus.py", "import plotly"),
        ("draw/svg.py", "from ..state import link"),
        ("state/link.py", "from ..save import tikz"),
        ("save/tikz.py", "from ..components import words"),
        ("components/words.py", "from ..save import tikz"),
        ("views/menus.py", "from ..pages import one"),
        ("draw/theme.py", "from metrics.output import WRITERS"),
        ("draw/theme.py", "from . import svg"),
    ):
        path = tree / "viz" / name
        path.write_text(f"{files[name]}\n{line}", encoding="utf8")
        assert faults(tree, VIZ), (name, line)
        path.write_text(files[name], encoding="utf8")
