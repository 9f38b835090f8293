"""Arrows run down: which folder may import from which, over every file and every import in it, wherever it stands.

A file that no rule names is a fault, and so is a circle. The rules read texts by path, so that they can be tried on
those of the house with something forbidden added.
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
    """The marks that a merge leaves where both sides changed a line; style sheets and scripts fail on them silently."""
    marks = tuple(sign * 7 for sign in "<>|")
    for folder in ("viz", "metrics", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".css", ".toml", ".md"):
                lines = path.read_text(encoding="utf8").split("\n")
                assert not [n for n, line in enumerate(lines, 1) if line.startswith(marks)], path


def test_nothing_in_the_tree_leads_out_of_it():
    """A link leads elsewhere on another machine; one to an environment makes a fresh clone unusable."""
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this tree is no clone")
    assert not [line for line in listed.stdout.splitlines() if not line.startswith("100")]


@dataclass(frozen=True)
class Room:
    """Files of one kind: patterns of their paths, `**` standing for any folders; the rooms whose files they may import;
    and which of the libraries that are kept out of other files they may use.

    Files of a room may import each other where it names itself. Where `alone`, only what lies in the same folder, or on
    the way down to it: a metric imports no other, but what the family has above it.
    """

    paths: tuple[str, ...]
    may: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    alone: bool = False


@dataclass(frozen=True)
class House:
    """The rooms of some top-level packages by name, the first that fits a file being its own. `kept` are libraries that
    only files of rooms that name them may use."""

    packages: tuple[str, ...]
    rooms: Mapping[str, Room]
    kept: tuple[str, ...] = field(default=())

    def room_of(self, path: str) -> str | None:
        for name, room in self.rooms.items():
            if _fits(path, room.paths):
                return name
        return None

    def may(self, path: str, target: str) -> bool:
        """Whether a file may import another."""
        own, its = self.room_of(path), self.room_of(target)
        if own is None or its not in self.rooms[own].may:
            return False
        return not self.rooms[its].alone or not self.rooms[own].alone or _in_line(path, target)


@cache
def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    return any(_pattern(pattern).fullmatch(path) for pattern in patterns)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    parts = {"**": ".*", "*": "[^/]*"}
    return re.compile("".join([parts.get(part, re.escape(part)) for part in re.split(r"(\*\*|\*)", text)]))


def _in_line(path: str, target: str) -> bool:
    """Whether of the folders of two files one is the other's, or above it, and is that of a metric, a family or a page:
    the third part of a path."""
    a, b = path.split("/")[:-1], target.split("/")[:-1]
    return min(len(a), len(b)) > 2 and all(one == other for one, other in zip(a, b, strict=False))


# ---------------------------------------------------------------- the rooms, from the lowest up

#: What a metric is made of: its score knows nothing of teaching, and its paper's program nothing of the fast alignment
#: that is held against it.
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

#: What viz may use of metrics: everything but the command line.
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

#: The texts of files by their paths from the root, in the order of the paths.
Files = Mapping[str, str]


def files_of(*packages: str) -> Files:
    paths = sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf8") for path in paths}


parsed = cache(ast.parse)


@cache
def imported(text: str, package: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    """Every import in a file, in functions and under TYPE_CHECKING too: a module, and the name that is taken from it.

    `import_module` and `__import__` count where the module is written out.
    """
    return tuple(_imports(parsed(text), package))


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


def _file(module: str, files: Files) -> str | None:
    """The file of a module, None where there is none."""
    base = module.replace(".", "/")
    return next((path for path in (f"{base}.py", f"{base}/__init__.py") if path in files), None)


def faults(files: Files, house: House) -> list[str]:
    """What breaks the rules in the files of the house's packages, as sentences."""
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
            target = (what and _file(f"{module}.{what}", files)) or _file(module, files)
            if target is None:
                out.append(f"{name} imports {module}, which is no file")
                continue
            arrows[name].append(target)
            if target != name and not house.may(name, target):
                out.append(f"{name} ({own}) imports {target} ({house.room_of(target)})")
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


@pytest.mark.slow
def test_arrows_in_metrics_run_down():
    assert faults(files_of("metrics"), METRICS) == []


@pytest.mark.slow
def test_arrows_in_viz_run_down():
    assert faults(files_of("metrics", "viz"), VIZ) == []


#: The pages, by their folders.
PAGES = [path.parent.name for path in sorted((ROOT / "viz" / "pages").glob("*/page.py"))]


def by_page(files: Files, pages: Sequence[str]) -> list[str]:
    """Where something below the pages knows some of them by name: a table of them, or a question for one."""
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
    assert by_page({**app, **files_of("viz")}, PAGES) == []


#: Lines that a file has at the most, and files of code that a folder has.
LINES_MOST, FILES_MOST = 620, 24


def too_large(files: Files) -> list[str]:
    """Files and folders of code that cannot be looked over."""
    lines = {path: len(text.splitlines()) for path, text in files.items()}
    folders = Counter(path.rpartition("/")[0] for path in files if not path.endswith("/__init__.py"))
    out = [f"{path} has {many} lines" for path, many in lines.items() if many > LINES_MOST]
    return out + [f"{path} has {many} files" for path, many in folders.items() if many > FILES_MOST]


@pytest.mark.parametrize("package", ["metrics", "viz"])
def test_files_and_folders_can_be_looked_over(package):
    assert too_large(files_of(package)) == []


def by_key(files: Files) -> list[str]:
    """Where a metric is asked for by its key outside the catalogue: something compared with a key, or matched, and
    several keys in a table or a list."""
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
    """The keys of metrics that an expression is, or holds if it is a list of them."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and part.value in CATALOGUE}


@pytest.mark.slow
def test_no_metric_is_asked_for_by_its_key():
    assert by_key(files_of("metrics", "viz")) == []


# ---------------------------------------------------------------- whether the rules see what is forbidden


@pytest.fixture(scope="module")
def core():
    """The files of the core."""
    return files_of("metrics")


def added(files, path, line):
    """The same files with a line at the end of one."""
    return {**files, path: f"{files[path]}\n{line}\n"}


GTM = "catalogue/gtm/score.py"
FORBIDDEN = [  # a file, a line in it, and what is said of it
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
    found = faults(added(core, f"metrics/{file}", line), METRICS)
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
    found = by_key(added(core, "metrics/analysis/word_order.py", line))
    assert found and all(fault.startswith("metrics/analysis/word_order.py:") for fault in found)


@pytest.mark.parametrize(
    "line", ["OWN = {'sentence': 1, 'learn': 2}", "if page == 'learn': pass", "x = state.get('page') in ('compare',)"]
)
def test_what_knows_a_page_by_its_name_is_found(line):
    files = {"app.py": "", "viz/frame/menus.py": f"{line}\n"}
    assert by_page(files, PAGES) == ["viz/frame/menus.py:1 knows a page by its name"]


def test_what_is_too_large_is_found(core):
    many = {f"metrics/command/one{number}.py": "" for number in range(FILES_MOST + 1)}
    found = too_large({**core, **many, "metrics/teach/judge.py": "\n" * (LINES_MOST + 1)})
    assert f"metrics/teach/judge.py has {LINES_MOST + 1} lines" in found
    assert any(fault.startswith("metrics/command has ") for fault in found)


def test_viz_is_out_of_reach_of_the_core(core):
    files = added({**core, "viz/__init__.py": ""}, "metrics/catalogue/gtm/score.py", "import viz")
    assert faults(files, METRICS) == ["metrics/catalogue/gtm/score.py (score) imports viz/__init__.py (None)"]


def test_a_small_house_of_viz(core):
    """The rules of the pages hold for a house with a file in each folder."""
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
        assert faults(added(small, f"viz/{name}", line), VIZ), (name, line)
