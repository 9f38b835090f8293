"""Test the project's rules of imports, file sizes and names: which folder may import from which.

The rules cover every file and every import in it, also imports inside functions. A file without a rule is a fault, and
so is an import cycle. The rules read a mapping of paths to texts, so that tests can add forbidden lines to it.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from metrics import METRICS as CATALOGUE

ROOT = Path(__file__).parent.parent


def test_no_merge_is_left_half_done():
    """Check that no file has the conflict markers of a merge, on which style sheets and scripts fail silently."""
    marks = tuple(sign * 7 for sign in "<>|")
    for folder in ("viz", "metrics", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".css", ".toml", ".md"):
                lines = path.read_text(encoding="utf8").split("\n")
                assert not [n for n, line in enumerate(lines, 1) if line.startswith(marks)], path


def test_nothing_in_the_tree_leads_out_of_it():
    """Check that git holds only regular files.

    A symbolic link leads elsewhere on another machine; a link to an environment makes a fresh clone unusable."""
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this tree is no clone")
    assert not [line for line in listed.stdout.splitlines() if not line.startswith("100")]


@dataclass(frozen=True)
class Room:
    """A group of files with the same rules for their imports.

    Attributes:
        paths: patterns of the files' paths; `**` matches any folders.
        may: names of the rooms whose files they may import. To let them import each other, a room names itself.
        libraries: the restricted libraries that they may use.
        alone: whether they may import files of such rooms only from their own folder or from folders above or below
            it, so that no metric imports another, but may import the modules of its family.
    """

    paths: tuple[str, ...]
    may: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    alone: bool = False


@dataclass(frozen=True)
class House:
    """The import rules of some top-level packages.

    Attributes:
        packages: the names of the packages.
        rooms: the rooms by name; a file belongs to the first room whose patterns match its path.
        kept: the restricted libraries, which only rooms that name them may use.
    """

    packages: tuple[str, ...]
    rooms: Mapping[str, Room]
    kept: tuple[str, ...] = field(default=())

    def room_of(self, path: str) -> str | None:
        for name, room in self.rooms.items():
            if _matches_any(path, room.paths):
                return name
        return None

    def may(self, path: str, target: str) -> bool:
        """Return whether the file `path` may import the file `target`."""
        own, its = self.room_of(path), self.room_of(target)
        if own is None or its not in self.rooms[own].may:
            return False
        return not self.rooms[its].alone or not self.rooms[own].alone or _same_branch(path, target)


@cache
def _matches_any(path: str, patterns: tuple[str, ...]) -> bool:
    return any(_compile_pattern(pattern).fullmatch(path) for pattern in patterns)


@cache
def _compile_pattern(text: str) -> re.Pattern[str]:
    parts = {"**": ".*", "*": "[^/]*"}
    return re.compile("".join([parts.get(part, re.escape(part)) for part in re.split(r"(\*\*|\*)", text)]))


def _same_branch(path: str, target: str) -> bool:
    """Return whether the folder of one file is that of the other or contains it.

    The upper folder must be that of a metric, of a family or of a page, at the third level of a path or below."""
    a, b = path.split("/")[:-1], target.split("/")[:-1]
    return min(len(a), len(b)) > 2 and all(one == other for one, other in zip(a, b, strict=False))


# ---------------------------------------------------------------- the rooms, from the lowest up

#: The rooms that a metric's score may import. A score imports nothing of teaching, and its paper's program nothing of
#: the fast alignment that the program checks.
_BELOW_METRICS = ("formula", "types", "text", "alignment", "score")
METRICS = House(
    ("metrics",),
    {
        "formula": Room(("metrics/formula/**",), ("formula",)),
        "types": Room(("metrics/types/**",), ("formula", "types")),
        "text": Room(("metrics/text/**",), ("formula", "types", "text")),
        "alignment": Room(("metrics/alignment/**",), ("types", "text", "alignment")),
        "analysis": Room(("metrics/analysis/**",), ("types", "text", "alignment", "analysis")),
        "corpus": Room(
            ("metrics/corpus/**",), ("formula", "types", "text", "alignment", "analysis", "catalogue", "corpus")
        ),
        "teach": Room(("metrics/teach/**",), ("formula", "types", "text", "alignment", "analysis", "teach")),
        "catalogue": Room(("metrics/catalogue/__init__.py",), ("types", "metric")),
        "program": Room(
            ("metrics/catalogue/**/program*.py", "metrics/catalogue/**/textbook*.py", "metrics/catalogue/**/tables.py"),
            ("formula", "types", "text", "teach", "program"),
            alone=True,
        ),
        "questions": Room(
            tuple([f"metrics/catalogue/**/{name}*.py" for name in ("questions", "slips", "plans")]),
            (*_BELOW_METRICS, "analysis", "teach", "program", "questions"),
            alone=True,
        ),
        "metric": Room(
            ("metrics/catalogue/**/__init__.py",), ("types", "alignment", "score", "program", "questions"), alone=True
        ),
        "score": Room(("metrics/catalogue/**",), _BELOW_METRICS, alone=True),
        "core": Room(("metrics/__init__.py",), ("types", "catalogue", "analysis", "corpus", "teach")),
        "command": Room(("metrics/command/**",), ("formula", "types", "text", "analysis", "corpus", "command")),
        "main": Room(("metrics/__main__.py",), ("types", "text", "core", "command")),
    },
    ("streamlit", "plotly", "pandas"),
)

#: The rooms of metrics that viz may use: all except the command line, the programs and the questions.
_CORE = tuple(name for name in METRICS.rooms if name not in ("command", "main", "program", "questions"))
_DRAW = (*_CORE, "pen", "texts")
_PICTURES = (*_DRAW, "evidence", "compare", "edits", "steps", "learn", "draw corpus", "draw agreement")
_STATE = (*_PICTURES, "state")
_BELOW_FRAME = (*_STATE, "session", "save", "components")

#: pages → frame → {save, components} → state → draw → metrics, and in draw learn → steps → evidence → pen,
#: edits → compare → evidence, agreement → corpus → compare.
VIZ = House(
    ("viz", "metrics"),
    {
        **METRICS.rooms,
        "texts": Room(("viz/draw/texts.py",), _CORE),
        "pen": Room(("viz/draw/pen/**",), _DRAW),
        "evidence": Room(("viz/draw/evidence/**",), (*_DRAW, "evidence")),
        "compare": Room(("viz/draw/compare/**",), (*_DRAW, "evidence", "compare")),
        "edits": Room(("viz/draw/edits/**",), (*_DRAW, "evidence", "compare", "edits")),
        "steps": Room(("viz/draw/steps/**",), (*_DRAW, "evidence", "steps")),
        "learn": Room(("viz/draw/learn/**",), (*_DRAW, "evidence", "steps", "learn")),
        "draw agreement": Room(
            ("viz/draw/agreement/**",),
            (*_DRAW, "evidence", "compare", "edits", "draw corpus", "draw agreement"),
        ),
        "draw corpus": Room(("viz/draw/corpus/**",), (*_DRAW, "evidence", "compare", "draw corpus")),
        "drawing": Room(("viz/draw/__init__.py",)),
        "session": Room(
            tuple(
                [
                    f"viz/state/{name}.py"
                    for name in "session navigation address reload controls pending_widgets similarity language".split()
                ]
            ),
            (*_STATE, "session"),
            ("streamlit",),
        ),
        "state": Room(("viz/state/**",), _STATE),
        "save": Room(("viz/save/**",), (*_STATE, "save")),
        "components": Room(("viz/components/**",), (*_STATE, "session", "components"), ("streamlit",)),
        "frame": Room(("viz/frame/**",), (*_BELOW_FRAME, "frame"), ("streamlit",)),
        "pages": Room(("viz/pages/**",), (*_BELOW_FRAME, "frame", "pages"), ("streamlit",)),
        "package": Room(("viz/__init__.py",), _BELOW_FRAME),
        "commands": Room(("viz/__main__.py",), (*_BELOW_FRAME, "frame", "pages")),
        "ready": Room(("viz/ready.py",), (*_BELOW_FRAME, "frame", "pages"), ("streamlit",)),
    },
    METRICS.kept,
)


# ---------------------------------------------------------------- reading files

#: The texts of files by path from the root, sorted by path.
Files = Mapping[str, str]


def files_of(*packages: str) -> Files:
    paths = sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf8") for path in paths}


parsed = cache(ast.parse)


@cache
def imported(text: str, package: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    """Return every import in a file as (module, imported name or None), also in functions and under TYPE_CHECKING.

    Calls of `import_module` and `__import__` count if the module is a literal.
    """
    return tuple(_imports(parsed(text), package))


def _imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[str, str | None]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute_module("." * node.level + (node.module or ""), package)
            yield from ((module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                anchor = node.args[1] if len(node.args) > 1 else None
                written = isinstance(anchor, ast.Constant) and isinstance(anchor.value, str)
                yield _absolute_module(node.args[0].value, tuple(anchor.value.split(".")) if written else package), None


def _absolute_module(name: str, package: Sequence[str]) -> str:
    level = len(name) - len(name.lstrip("."))
    above = package[: len(package) - level + 1] if level else ()
    return ".".join([*above, *([name[level:]] if name[level:] else [])])


def _file_of_module(module: str, files: Files) -> str | None:
    """Return the path of a module's file, or None if there is none."""
    base = module.replace(".", "/")
    return next((path for path in (f"{base}.py", f"{base}/__init__.py") if path in files), None)


def faults(files: Files, house: House) -> list[str]:
    """Return the violations of the import rules in the files of the house's packages, as sentences."""
    out = []
    arrows: dict[str, list[str]] = {}
    for name, text in files.items():
        if not name.startswith(tuple([f"{package}/" for package in house.packages])):
            continue
        own = house.room_of(name)
        arrows[name] = []
        if own is None:
            out.append(f"{name} has no room")
            continue
        for module, what in imported(text, tuple(name.split("/")[:-1])):
            top = module.partition(".")[0]
            if top in house.kept and top not in house.rooms[own].libraries:
                out.append(f"{name} imports {top}")
            if f"{top}/__init__.py" not in files:
                continue
            target = (what and _file_of_module(f"{module}.{what}", files)) or _file_of_module(module, files)
            if target is None:
                out.append(f"{name} imports {module}, which is no file")
                continue
            arrows[name].append(target)
            if target != name and not house.may(name, target):
                out.append(f"{name} ({own}) imports {target} ({house.room_of(target)})")
    return out + [f"a circle: {' → '.join(circle)}" for circle in circles(arrows)]


def circles(arrows: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return cycles in a graph given as targets by node; at least one cycle of each connected group.

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


@pytest.mark.slow
def test_arrows_in_metrics_run_down():
    assert faults(files_of("metrics"), METRICS) == []


@pytest.mark.slow
def test_arrows_in_viz_run_down():
    assert faults(files_of("metrics", "viz"), VIZ) == []


#: The names of the pages, which are the names of their folders.
PAGES = [path.parent.name for path in sorted((ROOT / "viz" / "pages").glob("*/page.py"))]


def find_page_names(files: Files, pages: Sequence[str]) -> list[str]:
    """Return the places outside the pages that name a page: a dict with several pages, or a comparison with one."""
    out = []
    for name, text in files.items():
        if name.startswith("viz/pages/"):
            continue
        for node in ast.walk(parsed(text)):
            match node:
                case ast.Dict():
                    found = len({key.value for key in node.keys if isinstance(key, ast.Constant)} & {*pages}) > 1
                case ast.Compare():
                    constants = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                    found = bool(constants & {*pages}) and "page" in ast.unparse(node)
                case _:
                    found = False
            if found:
                out.append(f"{name}:{node.lineno} knows a page by its name")
    return out


def test_nothing_below_the_pages_knows_one_by_name():
    app = {"app.py": (ROOT / "app.py").read_text(encoding="utf8")}
    assert find_page_names({**app, **files_of("viz")}, PAGES) == []


#: The most lines of a file, and the most files of code in a folder.
LINES_MOST, FILES_MOST = 620, 24


def too_large(files: Files) -> list[str]:
    """Return, as sentences, the files with too many lines and the folders with too many files."""
    lines = {path: len(text.splitlines()) for path, text in files.items()}
    folders = Counter(path.rpartition("/")[0] for path in files if not path.endswith("/__init__.py"))
    out = [f"{path} has {many} lines" for path, many in lines.items() if many > LINES_MOST]
    return out + [f"{path} has {many} files" for path, many in folders.items() if many > FILES_MOST]


@pytest.mark.parametrize("package", ["metrics", "viz"])
def test_files_and_folders_can_be_looked_over(package):
    assert too_large(files_of(package)) == []


def find_metric_keys(files: Files) -> list[str]:
    """Return the places outside the catalogue that name a metric by its key.

    These are comparisons and matches with a key, and dicts and lists with several keys."""
    out = []
    for name, text in files.items():
        if name.startswith("metrics/catalogue/"):
            continue
        for node in ast.walk(parsed(text)):
            match node:
                case ast.Compare():
                    found = any(_keys(side) for side in (node.left, *node.comparators))
                case ast.MatchValue():
                    found = bool(_keys(node.value))
                case ast.Dict():
                    found = sum(len(_keys(key)) for key in node.keys if key) > 1
                case ast.Tuple() | ast.List() | ast.Set():
                    found = len(_keys(node)) > 1
                case _:
                    found = False
            if found:
                out.append(f"{name}:{node.lineno} asks for a metric by its key")
    return out


def _keys(node: ast.expr) -> set[str]:
    """Return the keys of metrics that an expression is, or that it contains if it is a tuple, list or set."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and part.value in CATALOGUE}


@pytest.mark.slow
def test_no_metric_is_asked_for_by_its_key():
    assert find_metric_keys(files_of("metrics", "viz")) == []


# ---------------------------------------------------------------- the rules find violations


@pytest.fixture(scope="module")
def core():
    """Return the files of the core."""
    return files_of("metrics")


def with_line_added(files, path, line):
    """Return the files with `line` added at the end of the file `path`."""
    return {**files, path: f"{files[path]}\n{line}\n"}


GTM = "catalogue/gtm/score.py"
FORBIDDEN = [  # a file, a line in it, and a part of the violation's sentence
    ("alignment/lcs.py", "from ..catalogue.wer.score import METRIC", "metrics/catalogue/wer/score.py (score)"),
    ("alignment/lcs.py", "from ..catalogue.wer import score", "metrics/catalogue/wer/score.py (score)"),
    ("alignment/lcs.py", "import metrics.catalogue.wer.score as r", "metrics/catalogue/wer/score.py (score)"),
    (
        "alignment/lcs.py",
        "def f():\n    from metrics.catalogue.gtm import score",
        "metrics/catalogue/gtm/score.py (score)",
    ),
    ("alignment/lcs.py", "from .. import METRICS", "metrics/__init__.py (core)"),
    ("alignment/lcs.py", "from ..analysis.changes import word_diff", "metrics/analysis/changes.py (analysis)"),
    ("alignment/lcs.py", "from ..formula import step", "metrics/formula/__init__.py (formula)"),
    (GTM, "from ..sia.score import METRIC", "metrics/catalogue/sia/score.py (score)"),
    (
        GTM,
        "from importlib import import_module\nimport_module('metrics.catalogue.sia.score')",
        "sia/score.py (score)",
    ),
    (
        GTM,
        "import importlib\nimportlib.import_module('..sia.score', 'metrics.catalogue.gtm')",
        "sia/score.py (score)",
    ),
    (GTM, "__import__('metrics.analysis')", "metrics/analysis/__init__.py (analysis)"),
    (
        GTM,
        "if TYPE_CHECKING:\n    from ...analysis import changes",
        "changes.py",
    ),
    (GTM, "from metrics import score", "metrics/__init__.py (core)"),
    (GTM, "from ...teach.steps import number", "metrics/teach/steps.py (teach)"),
    ("catalogue/sia/program.py", "from ...alignment import sia_chains", "metrics/alignment/sia_chains.py (alignment)"),
    ("catalogue/wer/questions.py", "from ..ter import program", "metrics/catalogue/ter/program.py (program)"),
    ("catalogue/rouge/rouge_n/program.py", "from ..rouge_s import program", "rouge_s/program.py (program)"),
    (GTM, "from . import slips", "metrics/catalogue/gtm/slips.py (questions)"),
    (
        "catalogue/gtm/program.py",
        "from .questions import MatchingQuestions",
        "metrics/catalogue/gtm/questions.py (questions)",
    ),
    ("catalogue/gtm/__init__.py", "from ...teach.plans import Plans", "metrics/teach/plans.py (teach)"),
    ("teach/exercises.py", "from ..catalogue import METRICS", "metrics/catalogue/__init__.py (catalogue)"),
    ("analysis/changes.py", "from .. import METRICS", "metrics/__init__.py (core)"),
    ("analysis/changes.py", "from ..catalogue.gtm.score import METRIC", "metrics/catalogue/gtm/score.py (score)"),
    ("teach/judge.py", "from ..catalogue.gtm import program", "metrics/catalogue/gtm/program.py (program)"),
    ("types/work.py", "from ..alignment import lcs", "metrics/alignment/lcs.py (alignment)"),
    ("command/output.py", "from ..__main__ import main", "metrics/__main__.py (main)"),
    ("text/processing.py", "import streamlit", "imports streamlit"),
    ("alignment/lcs.py", "def f():\n    import plotly.graph_objects", "imports plotly"),
    ("text/similarity.py", "from pandas import DataFrame", "imports pandas"),
    (GTM, "from ...alignment.nothing import x", "which is no file"),
    ("types/work.py", "from .work import spend", "a circle: metrics/types/work.py → metrics/types/work.py"),
    ("formula/__init__.py", "from ..types import Hit", "a circle: "),
]


@pytest.mark.parametrize(("file", "line", "said"), FORBIDDEN)
def test_what_is_forbidden_is_found(core, file, line, said):
    found = faults(with_line_added(core, f"metrics/{file}", line), METRICS)
    assert any((fault.startswith(f"metrics/{file}") and said in fault) or said in fault for fault in found)


@pytest.mark.parametrize("file", ["helpers.py", "charts/bars.py", "alignment.py"])
def test_a_file_without_a_room_is_found(core, file):
    assert faults({**core, f"metrics/{file}": ""}, METRICS) == [f"metrics/{file} has no room"]


@pytest.mark.parametrize(
    "line",
    [
        'if metric.key == "gtm": pass',
        'if "ter" != key: pass',
        'slow = result.metric in ("dcs", "meteor")',
        'TABLE = {"wer": 1, "per": 2}',
        'SELDOM = ["dcs", "ribes"]',
        'match key:\n    case "nist" | "bleu": pass',
    ],
)
def test_what_asks_for_a_metric_by_its_key_is_found(core, line):
    found = find_metric_keys(with_line_added(core, "metrics/analysis/word_order.py", line))
    assert found and all(fault.startswith("metrics/analysis/word_order.py:") for fault in found)


@pytest.mark.parametrize(
    "line", ["OWN = {'sentence': 1, 'learn': 2}", "if page == 'learn': pass", "x = state.get('page') in ('compare',)"]
)
def test_what_knows_a_page_by_its_name_is_found(line):
    files = {"app.py": "", "viz/frame/menus.py": f"{line}\n"}
    assert find_page_names(files, PAGES) == ["viz/frame/menus.py:1 knows a page by its name"]


def test_what_is_too_large_is_found(core):
    many = {f"metrics/command/one{number}.py": "" for number in range(FILES_MOST + 1)}
    found = too_large({**core, **many, "metrics/teach/judge.py": "\n" * (LINES_MOST + 1)})
    assert f"metrics/teach/judge.py has {LINES_MOST + 1} lines" in found
    assert any(fault.startswith("metrics/command has ") for fault in found)


def test_viz_is_out_of_reach_of_the_core(core):
    files = with_line_added({**core, "viz/__init__.py": ""}, "metrics/catalogue/gtm/score.py", "import viz")
    assert faults(files, METRICS) == ["metrics/catalogue/gtm/score.py (score) imports viz/__init__.py (None)"]


def test_a_small_house_of_viz(core):
    """Check the rules of viz on a small tree with one file in each folder: it passes, and each forbidden line fails."""
    files = {
        "__init__.py": "",
        "pages/one/page.py": "import streamlit\nfrom ...frame import menus\nfrom ...draw.pen import svg",
        "frame/menus.py": "import streamlit\nfrom ..components import words\nfrom ..state import session",
        "components/words.py": "import streamlit\nfrom ..draw.pen import svg",
        "save/tikz.py": "from ..state import link\nfrom ..draw.pen import svg",
        "state/session.py": "import streamlit\nfrom . import link",
        "state/link.py": "from metrics import METRICS\nfrom metrics.text import forms",
        "draw/pen/svg.py": "from metrics.types import Hit\nfrom . import theme",
        "draw/pen/theme.py": "",
    }
    small = {**core, **{f"viz/{name}": text for name, text in files.items()}}
    assert faults(small, VIZ) == []
    for name, line in (
        ("draw/pen/svg.py", "import streamlit"),
        ("state/link.py", "import streamlit"),
        ("save/tikz.py", "import streamlit"),
        ("save/tikz.py", "from ..state import session"),
        ("state/link.py", "from . import session"),
        ("frame/menus.py", "from ..pages.one import page"),
        ("components/words.py", "from ..frame import menus"),
        ("frame/menus.py", "import plotly"),
        ("draw/pen/svg.py", "from ...state import link"),
        ("state/link.py", "from ..save import tikz"),
        ("save/tikz.py", "from ..components import words"),
        ("components/words.py", "from ..save import tikz"),
        ("frame/menus.py", "from ..save import nothing"),
        ("draw/pen/theme.py", "from metrics.command.output import WRITERS"),
        ("draw/pen/theme.py", "from . import svg"),
    ):
        assert faults(with_line_added(small, f"viz/{name}", line), VIZ), (name, line)
