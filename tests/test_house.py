"""Test the project's rules of names and sizes: large files and folders, metrics and pages that are known by name.

The rules read a mapping of paths to texts, so that tests can add forbidden lines to it. Which module may import which
is checked by import-linter, with the contracts in `pyproject.toml`; a test here breaks each of them."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
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


# ---------------------------------------------------------------- reading files

#: The texts of files by path from the root, sorted by path.
Files = Mapping[str, str]


def read_package_files(*packages: str) -> Files:
    paths = sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf8") for path in paths}


parsed = cache(ast.parse)


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


#: A line that breaks each contract on imports: the contract, the file that gets it, and the line.
FORBIDDEN = [
    ("metrics: imports go down", "metrics/helpers/__init__.py", ""),
    ("metrics: an alignment knows no formula", "metrics/alignment/lcs.py", "from ..formula import step"),
    (
        "metrics: only viz imports the whole package",
        "metrics/text/processing.py",
        "def f():\n    from metrics import score",
    ),
    (
        "metrics: no metric imports another, but for those of its family",
        "metrics/catalogue/gtm/score.py",
        "if TYPE_CHECKING:\n    from ..sia.score import METRIC",
    ),
    (
        "metrics: no metric of a family imports another",
        "metrics/catalogue/rouge/rouge_n/program.py",
        "from ..rouge_s import program",
    ),
    (
        "metrics: a paper's program knows neither the score that it checks nor the fast alignments",
        "metrics/catalogue/sia/program.py",
        "from ...alignment import sia_chains",
    ),
    ("metrics: a score knows nothing of teaching", "metrics/catalogue/wer/score.py", "from ...teach import plans"),
    ("metrics: no packages of the app", "metrics/text/similarity.py", "from pandas import DataFrame"),
    ("viz: imports go down", "viz/frame/menus.py", "from ..pages.sentence import page"),
    ("viz.draw: imports go down", "viz/draw/pen/svg.py", "from ..evidence import words"),
    ("viz.draw: learning and agreement are apart", "viz/draw/learn/chapter.py", "from ..compare import comparison"),
    ("viz.draw: agreement needs no steps", "viz/draw/corpus/__init__.py", "from ..steps import steps"),
    (
        "viz: of a metric only its record, and nothing of the command line",
        "viz/state/results/cache.py",
        "from metrics.command.output import WRITERS",
    ),
    ("no cycles", "metrics/types/hits.py", "from . import metric"),
    ("viz: Streamlit belongs to pages, their frame and the components", "viz/save/tikz.py", "import streamlit"),
    ("viz: what is pure knows nothing of the session", "viz/state/links/link.py", "from ..visit import session"),
    ("viz.pages: no page imports another", "viz/pages/learn/lessons.py", "from ..sentence import look"),
]


@pytest.mark.slow
def test_every_contract_on_imports_finds_what_it_forbids(tmp_path):
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert sorted(contract["name"] for contract in contracts) == sorted(name for name, *_ in FORBIDDEN)
    for package in ("metrics", "viz"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for _, file, line in FORBIDDEN:
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{path.read_text(encoding='utf-8') if path.exists() else ''}\n{line}\n", encoding="utf-8")
    command = [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "COLUMNS": "300"}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    kept = [line for line in run.stdout.splitlines() if line.endswith(" KEPT")]
    assert run.returncode and not kept, run.stderr
