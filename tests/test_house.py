"""Test the project's rules of imports, file sizes and names: which folder may import from which.

The rules cover every file and every import in it, also imports inside functions. A file without a rule is a fault, and
so is an import cycle. The rules read a mapping of paths to texts, so that tests can add forbidden lines to it."""

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
    """Check that no file has the conflict markers of a merge; style sheets and scripts with them fail silently."""
    marks = tuple(sign * 7 for sign in "<>|")
    for folder in ("viz", "metrics", "tests"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".css", ".toml", ".md"):
                lines = path.read_text(encoding="utf8").split("\n")
                assert not [n for n, line in enumerate(lines, 1) if line.startswith(marks)], path


def test_nothing_in_the_tree_leads_out_of_it():
    """Check that git holds only regular files, no symbolic links.

    A symbolic link leads elsewhere on another machine; a link to an environment makes a fresh clone unusable."""
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this tree is no clone")
    assert not [line for line in listed.stdout.splitlines() if not line.startswith("100")]


@dataclass(frozen=True)
class FileGroup:
    """A group of files with the same rules for their imports (a “room” in error messages).

    Attributes:
        paths: patterns of the files' paths; `**` matches any folders.
        importable: names of the groups whose files they may import. Files of a group may import each other only if it
            names itself.
        libraries: the restricted libraries that they may use.
        alone: whether they may import files of other such groups only along one branch of folders, that is from their
            own
            folder or folders above or below it. So no metric imports another, but it may import modules of its
                family."""

    paths: tuple[str, ...]
    importable: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    alone: bool = False


@dataclass(frozen=True)
class ImportRules:
    """The import rules of some top-level packages.

    Attributes:
        packages: the names of the packages.
        groups: the groups of files by name; a file belongs to the first group whose patterns match its path.
        restricted: the libraries that only groups which name them may use."""

    packages: tuple[str, ...]
    groups: Mapping[str, FileGroup]
    restricted: tuple[str, ...] = field(default=())

    def group_of(self, path: str) -> str | None:
        """Return the name of the group to which the file `path` belongs, or None if there is none."""
        for name, room in self.groups.items():
            if _matches_any(path, room.paths):
                return name
        return None

    def may(self, path: str, target: str) -> bool:
        """Return whether the file `path` may import the file `target`."""
        own, its = self.group_of(path), self.group_of(target)
        if own is None or its not in self.groups[own].importable:
            return False
        return not self.groups[its].alone or not self.groups[own].alone or _are_on_one_branch(path, target)


@cache
def _matches_any(path: str, patterns: tuple[str, ...]) -> bool:
    return any(_compile_pattern(pattern).fullmatch(path) for pattern in patterns)


@cache
def _compile_pattern(text: str) -> re.Pattern[str]:
    parts = {"**": ".*", "*": "[^/]*"}
    return re.compile("".join([parts.get(part, re.escape(part)) for part in re.split(r"(\*\*|\*)", text)]))


def _are_on_one_branch(path: str, target: str) -> bool:
    """Return whether the folder of one file is the folder of the other or contains it.

    The upper folder must be that of a metric, of a family of metrics or of a page: at the third level of a path or
    below."""
    a, b = path.split("/")[:-1], target.split("/")[:-1]
    return min(len(a), len(b)) > 2 and all(one == other for one, other in zip(a, b, strict=False))


# ---------------------------------------------------------------- the groups, from the lowest up

#: The groups that a metric's score may import. A score imports nothing of teaching, and its paper's program nothing of
#: the fast alignment that the program checks.
_BELOW_METRICS = ("formula", "types", "text", "alignment", "score")
METRICS = ImportRules(
    ("metrics",),
    {
        "formula": FileGroup(("metrics/formula/**",), ("formula",)),
        "types": FileGroup(("metrics/types/**",), ("formula", "types")),
        "text": FileGroup(("metrics/text/**",), ("formula", "types", "text")),
        "alignment": FileGroup(("metrics/alignment/**",), ("types", "text", "alignment")),
        "analysis": FileGroup(("metrics/analysis/**",), ("types", "text", "alignment", "analysis")),
        "corpus": FileGroup(
            ("metrics/corpus/**",), ("formula", "types", "text", "alignment", "analysis", "catalogue", "corpus")
        ),
        "teach": FileGroup(("metrics/teach/**",), ("formula", "types", "text", "alignment", "analysis", "teach")),
        "catalogue": FileGroup(("metrics/catalogue/__init__.py",), ("types", "metric")),
        "program": FileGroup(
            ("metrics/catalogue/**/program*.py", "metrics/catalogue/**/textbook*.py", "metrics/catalogue/**/tables.py"),
            ("formula", "types", "text", "teach", "program"),
            alone=True,
        ),
        "questions": FileGroup(
            tuple([f"metrics/catalogue/**/{name}*.py" for name in ("questions", "slips", "plans")]),
            (*_BELOW_METRICS, "analysis", "teach", "program", "questions"),
            alone=True,
        ),
        "metric": FileGroup(
            ("metrics/catalogue/**/__init__.py",), ("types", "alignment", "score", "program", "questions"), alone=True
        ),
        "score": FileGroup(("metrics/catalogue/**",), _BELOW_METRICS, alone=True),
        "core": FileGroup(("metrics/__init__.py",), ("types", "catalogue", "analysis", "corpus", "teach")),
        "command": FileGroup(("metrics/command/**",), ("formula", "types", "text", "analysis", "corpus", "command")),
        "main": FileGroup(("metrics/__main__.py",), ("types", "text", "core", "command")),
    },
    ("streamlit", "plotly", "pandas"),
)

#: The groups of metrics that viz may use: all except the command line, the programs and the questions.
_CORE = tuple(name for name in METRICS.groups if name not in ("command", "main", "program", "questions"))
_DRAW = (*_CORE, "pen", "texts")
_PICTURES = (*_DRAW, "evidence", "compare", "edits", "steps", "learn", "draw corpus", "draw agreement")
_STATE = (*_PICTURES, "state")
_BELOW_FRAME = (*_STATE, "session", "save", "components")

#: pages → frame → {save, components} → state → draw → metrics, and in draw learn → steps → evidence → pen,
#: edits → compare → evidence, agreement → corpus → compare.
VIZ = ImportRules(
    ("viz", "metrics"),
    {
        **METRICS.groups,
        "texts": FileGroup(("viz/draw/texts.py",), _CORE),
        "pen": FileGroup(("viz/draw/pen/**",), _DRAW),
        "evidence": FileGroup(("viz/draw/evidence/**",), (*_DRAW, "evidence")),
        "compare": FileGroup(("viz/draw/compare/**",), (*_DRAW, "evidence", "compare")),
        "edits": FileGroup(("viz/draw/edits/**",), (*_DRAW, "evidence", "compare", "edits")),
        "steps": FileGroup(("viz/draw/steps/**",), (*_DRAW, "evidence", "steps")),
        "learn": FileGroup(("viz/draw/learn/**",), (*_DRAW, "evidence", "steps", "learn")),
        "draw agreement": FileGroup(
            ("viz/draw/agreement/**",),
            (*_DRAW, "evidence", "compare", "edits", "draw corpus", "draw agreement"),
        ),
        "draw corpus": FileGroup(("viz/draw/corpus/**",), (*_DRAW, "evidence", "compare", "draw corpus")),
        "drawing": FileGroup(("viz/draw/__init__.py",)),
        "session": FileGroup(
            tuple(
                [
                    f"viz/state/{name}.py"
                    for name in "session navigation address reload controls pending_widgets similarity language".split()
                ]
            ),
            (*_STATE, "session"),
            ("streamlit",),
        ),
        "state": FileGroup(("viz/state/**",), _STATE),
        "save": FileGroup(("viz/save/**",), (*_STATE, "save")),
        "components": FileGroup(("viz/components/**",), (*_STATE, "session", "components"), ("streamlit",)),
        "frame": FileGroup(("viz/frame/**",), (*_BELOW_FRAME, "frame"), ("streamlit",)),
        "pages": FileGroup(("viz/pages/**",), (*_BELOW_FRAME, "frame", "pages"), ("streamlit",)),
        "package": FileGroup(("viz/__init__.py",), _BELOW_FRAME),
        "commands": FileGroup(("viz/__main__.py",), (*_BELOW_FRAME, "frame", "pages")),
        "ready": FileGroup(("viz/ready.py",), (*_BELOW_FRAME, "frame", "pages"), ("streamlit",)),
    },
    METRICS.restricted,
)


# ---------------------------------------------------------------- reading files

#: The texts of files by path from the root, sorted by path.
Files = Mapping[str, str]


def read_package_files(*packages: str) -> Files:
    paths = sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf8") for path in paths}


parsed = cache(ast.parse)


@cache
def imported_names(text: str, package: tuple[str, ...]) -> tuple[tuple[str, str | None], ...]:
    """Return every import in the file `text` as (module, imported name), also in functions and under TYPE_CHECKING.

    The name is None where the module itself is imported. `package` has the names of the file's folders, for relative
    imports. Calls of `import_module` and `__import__` count if the module is a literal."""
    return tuple(_find_imports(parsed(text), package))


def _find_imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[str, str | None]]:
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
    """Return the path of the file of a module, or None if the module is none of `files`."""
    base = module.replace(".", "/")
    return next((path for path in (f"{base}.py", f"{base}/__init__.py") if path in files), None)


def import_faults(files: Files, rules: ImportRules) -> list[str]:
    """Return the violations of the import rules in the packages of `rules`, as sentences."""
    out = []
    arrows: dict[str, list[str]] = {}
    for name, text in files.items():
        if not name.startswith(tuple([f"{package}/" for package in rules.packages])):
            continue
        own = rules.group_of(name)
        arrows[name] = []
        if own is None:
            out.append(f"{name} has no room")
            continue
        for module, what in imported_names(text, tuple(name.split("/")[:-1])):
            top = module.partition(".")[0]
            if top in rules.restricted and top not in rules.groups[own].libraries:
                out.append(f"{name} imports {top}")
            if f"{top}/__init__.py" not in files:
                continue
            target = (what and _file_of_module(f"{module}.{what}", files)) or _file_of_module(module, files)
            if target is None:
                out.append(f"{name} imports {module}, which is no file")
                continue
            arrows[name].append(target)
            if target != name and not rules.may(name, target):
                out.append(f"{name} ({own}) imports {target} ({rules.group_of(target)})")
    return out + [f"a circle: {' → '.join(circle)}" for circle in find_import_cycles(arrows)]


def find_import_cycles(arrows: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return cycles of a graph, each as its nodes in order, the first one repeated at the end.

    `arrows` maps each node to its targets. Each connected group of cycles gives at least one.

    >>> find_import_cycles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]})
    [['a', 'b', 'c', 'a']]
    """
    found, done = [], set()

    def follow_imports(name: str, path: list[str]) -> None:
        if name in path:
            found.append([*path[path.index(name) :], name])
        elif name not in done:
            for target in arrows.get(name, ()):
                follow_imports(target, [*path, name])
            done.add(name)

    for name in arrows:
        follow_imports(name, [])
    return found


# ---------------------------------------------------------------- the house


@pytest.mark.slow
def test_arrows_in_metrics_run_down():
    assert import_faults(read_package_files("metrics"), METRICS) == []


@pytest.mark.slow
def test_arrows_in_viz_run_down():
    assert import_faults(read_package_files("metrics", "viz"), VIZ) == []


#: The names of the pages, which are the names of their folders.
PAGES = [path.parent.name for path in sorted((ROOT / "viz" / "pages").glob("*/page.py"))]


def find_page_names(files: Files, pages: Sequence[str]) -> list[str]:
    """Return where code outside the pages names a page, as sentences.

    It names one where a dict has the names of several pages as keys, or a comparison has the name of one."""
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
    assert find_page_names({**app, **read_package_files("viz")}, PAGES) == []


#: The most lines of a file, and the most files of code in a folder.
LINES_MOST, FILES_MOST = 620, 24


def find_too_large(files: Files) -> list[str]:
    """Return the files with too many lines and the folders with too many files, as sentences."""
    lines = {path: len(text.splitlines()) for path, text in files.items()}
    folders = Counter(path.rpartition("/")[0] for path in files if not path.endswith("/__init__.py"))
    out = [f"{path} has {many} lines" for path, many in lines.items() if many > LINES_MOST]
    return out + [f"{path} has {many} files" for path, many in folders.items() if many > FILES_MOST]


@pytest.mark.parametrize("package", ["metrics", "viz"])
def test_files_and_folders_can_be_looked_over(package):
    assert find_too_large(read_package_files(package)) == []


def find_metric_keys(files: Files) -> list[str]:
    """Return where code outside the catalogue names a metric by its key, as sentences.

    It does in comparisons and matches with a key, and in dicts and lists with several keys."""
    out = []
    for name, text in files.items():
        if name.startswith("metrics/catalogue/"):
            continue
        for node in ast.walk(parsed(text)):
            match node:
                case ast.Compare():
                    found = any(_metric_keys_in(side) for side in (node.left, *node.comparators))
                case ast.MatchValue():
                    found = bool(_metric_keys_in(node.value))
                case ast.Dict():
                    found = sum(len(_metric_keys_in(key)) for key in node.keys if key) > 1
                case ast.Tuple() | ast.List() | ast.Set():
                    found = len(_metric_keys_in(node)) > 1
                case _:
                    found = False
            if found:
                out.append(f"{name}:{node.lineno} asks for a metric by its key")
    return out


def _metric_keys_in(node: ast.expr) -> set[str]:
    """Return the keys of metrics that an expression is, or that it contains as a tuple, list or set."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return {part.value for part in parts if isinstance(part, ast.Constant) and part.value in CATALOGUE}


@pytest.mark.slow
def test_no_metric_is_asked_for_by_its_key():
    assert find_metric_keys(read_package_files("metrics", "viz")) == []


# ---------------------------------------------------------------- the rules find violations


@pytest.fixture(scope="module")
def core():
    """Return the files of the package `metrics`."""
    return read_package_files("metrics")


def add_line(files, path, line):
    """Return the files, with `line` added at the end of the file `path`."""
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
    found = import_faults(add_line(core, f"metrics/{file}", line), METRICS)
    assert any((fault.startswith(f"metrics/{file}") and said in fault) or said in fault for fault in found)


@pytest.mark.parametrize("file", ["helpers.py", "charts/bars.py", "alignment.py"])
def test_a_file_without_a_room_is_found(core, file):
    assert import_faults({**core, f"metrics/{file}": ""}, METRICS) == [f"metrics/{file} has no room"]


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
    found = find_metric_keys(add_line(core, "metrics/analysis/word_order.py", line))
    assert found and all(fault.startswith("metrics/analysis/word_order.py:") for fault in found)


@pytest.mark.parametrize(
    "line", ["OWN = {'sentence': 1, 'learn': 2}", "if page == 'learn': pass", "x = state.get('page') in ('compare',)"]
)
def test_what_knows_a_page_by_its_name_is_found(line):
    files = {"app.py": "", "viz/frame/menus.py": f"{line}\n"}
    assert find_page_names(files, PAGES) == ["viz/frame/menus.py:1 knows a page by its name"]


def test_what_is_too_large_is_found(core):
    many = {f"metrics/command/one{number}.py": "" for number in range(FILES_MOST + 1)}
    found = find_too_large({**core, **many, "metrics/teach/judge.py": "\n" * (LINES_MOST + 1)})
    assert f"metrics/teach/judge.py has {LINES_MOST + 1} lines" in found
    assert any(fault.startswith("metrics/command has ") for fault in found)


def test_viz_is_out_of_reach_of_the_core(core):
    files = add_line({**core, "viz/__init__.py": ""}, "metrics/catalogue/gtm/score.py", "import viz")
    assert import_faults(files, METRICS) == ["metrics/catalogue/gtm/score.py (score) imports viz/__init__.py (None)"]


def test_a_small_house_of_viz(core):
    """Check the import rules of viz on a small tree with a file in each folder.

    The tree passes, and each forbidden line makes it fail."""
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
    assert import_faults(small, VIZ) == []
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
        assert import_faults(add_line(small, f"viz/{name}", line), VIZ), (name, line)
