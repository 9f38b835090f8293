"""Test the wheel, the tree as a package: it needs only its declared libraries, and its app runs in any folder."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hatch_build
import metrics
import viz.pages  # noqa: F401  registers the pages
from metrics.types.extras import EXTRAS
from tests.helpers.app import ROOT
from tests.helpers.wheel import write_package


@pytest.fixture(scope="module")
def package_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package `bitext_grid`, as the wheel holds it."""
    return write_package(tmp_path_factory.mktemp("wheel"))


def bound_names(line: str) -> set[tuple[str, str]]:
    """Return (bound name, imported module or name) for each name that an import statement binds.

    The name of the package itself, `bitext_grid`, is left out."""
    out = set()
    for node in ast.parse(line.strip()).body:
        if isinstance(node, ast.ImportFrom):
            module = (node.module or "").removeprefix("bitext_grid").removeprefix(".")
            out |= {(a.asname or a.name, f"{module}.{a.name}".strip(".")) for a in node.names}
        elif isinstance(node, ast.Import):
            names = [a.name.removeprefix("bitext_grid.") for a in node.names]
            out |= {
                (a.asname or name.partition(".")[0], name if a.asname else name.partition(".")[0])
                for a, name in zip(node.names, names, strict=True)
            }
    return out


@pytest.mark.slow
def test_every_module_is_the_trees_but_for_its_imports(package_folder: Path) -> None:
    changed = 0
    for path in sorted((package_folder / "bitext_grid").rglob("*.py")):
        own = path.relative_to(package_folder / "bitext_grid")
        if str(own) in ("__init__.py", "__main__.py"):
            continue
        ours, theirs = [p.read_text(encoding="utf-8").splitlines() for p in (ROOT / own, path)]
        assert len(ours) == len(theirs), own
        for a, b in zip(ours, theirs, strict=True):
            if a == b:
                assert not a.lstrip().startswith(("from metrics", "import metrics", "from viz", "import viz"))
            elif a.endswith("("):  # the imported names follow on the next lines
                assert b == a.replace("from ", "from bitext_grid.", 1)
            else:
                assert bound_names(a) == bound_names(b) and len(b) - len(b.lstrip()) == len(a) - len(a.lstrip()), own
            changed += a != b
    assert changed > 500


def test_all_that_is_no_module_is_there_too(package_folder: Path) -> None:
    for own in hatch_build.files(ROOT):
        path = package_folder / "bitext_grid" / own
        assert path.suffix == ".py" or path.read_bytes() == (ROOT / own).read_bytes()
    endings = {path.suffix for path in (package_folder / "bitext_grid").rglob("*") if path.is_file()}
    assert {".py", ".css", ".js", ".toml", ".tsv", ".typed", ".svg"} <= endings and ".pyc" not in endings
    assert "Apache License" in (package_folder / "bitext_grid/LICENSE").read_text(encoding="utf-8")


SETUP_CODE = "import sys; sys.path.insert(0, {folder!r}); sys.modules.update(dict.fromkeys({absent!r})); "


def run_in_package(
    package_folder: Path, code: str, absent: list[str], *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run `code` in a Python that cannot import the libraries `absent`, in a folder outside of the tree."""
    start = SETUP_CODE.format(folder=str(package_folder), absent=absent)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-c", start + code, *arguments],
        cwd=package_folder,
        env=environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_the_core_needs_rapidfuzz_and_numpy_alone(package_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("the cat sat\n", encoding="utf-8")
    absent, a = sorted(EXTRAS), str(tmp_path / "a")
    code = (
        "import bitext_grid as b; print(b.score('gtm', ['a'], [['a']]).score, len(b.METRICS), 'metrics' in sys.modules)"
    )
    done = run_in_package(package_folder, code, absent)
    assert done.stdout.split() == ["1.0", str(len(metrics.METRICS)), "False"], done.stderr
    once = "import bitext_grid as b; print({*b.__all__} <= {*dir(b)}, 'numpy' in sys.modules)"
    assert run_in_package(package_folder, once, absent).stdout.split() == ["True", "False"]
    call = "import runpy; runpy.run_module('bitext_grid', run_name='__main__')"
    done = run_in_package(package_folder, call, absent, "score", a, a, "--metric", "gtm")
    assert "gtm  1.0000" in done.stdout and not done.returncode, done.stderr
    done = run_in_package(package_folder, call, absent, "score", a, a, "--metric", "meteor")
    assert done.returncode == 1 and "pip install 'bitext-grid[text]'" in done.stderr and "Trace" not in done.stderr
    for used in ("from bitext_grid.metrics.text import stem; stem('a', 'porter')", "b.score('meteor', ['a'], [['a']])"):
        done = run_in_package(package_folder, f"import bitext_grid as b; {used}", absent)
        assert done.stderr.endswith("nltk is needed for that and is not installed: pip install 'bitext-grid[text]'\n")
    done = run_in_package(package_folder, call, absent, "score", a, a, "--audit", str(tmp_path / "audit"))
    assert "meteor is left out" in done.stderr and "ter      0.0000" in done.stdout and not done.returncode
    done = run_in_package(package_folder, call, absent, "verify", str(tmp_path / "audit"), a, a)
    assert f"{len(metrics.METRICS) - 1} results rebuilt, every score" in done.stdout and not done.returncode
    system = ["--system", f"A={a}", "--reference", a]
    done = run_in_package(package_folder, call, absent, "score", *system, "--scheduler", a)
    assert done.returncode == 1 and "pip install 'bitext-grid[cluster]'" in done.stderr
    done = run_in_package(package_folder, call, absent)
    assert done.returncode == 1 and "pip install 'bitext-grid[app]'" in done.stderr
    done = run_in_package(package_folder, call, [], "scores")
    assert done.returncode == 2 and "no command 'scores'" in done.stderr


NOTEBOOK = """
import bitext_grid, bitext_grid.viz as viz
texts = {"A": [["a", "b"]] * 3, "B": [["a", "c"]] * 3}
references = [[["a", "c"]]] * 3
people = {"A": [1, 2, 3], "B": [3, 2, 3], "C": [0, 1, 1]}
shown = [
    bitext_grid.score("gtm", ["a"], [["a"]]),
    viz.steps("gtm", ["a"], [["a"]]),
    viz.corpus("wer", texts, references),
    viz.agreement(texts | {"C": [["c", "a"]] * 3}, references, people, ["per"])
]
print([each._repr_html_().lstrip()[:1] for each in shown])
print(bitext_grid.corpus_ledger("wer", *texts.values(), references).delta)
try:
    viz.edits("gtm", ["a"], ["b"], [["b"]])._repr_html_()
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.slow
def test_the_core_shows_pictures_in_notebooks(package_folder: Path) -> None:
    done = run_in_package(package_folder, NOTEBOOK, sorted(EXTRAS))
    assert done.stdout.splitlines() == [
        "['<', '<', '<', '<']",
        "-0.5",
        "nltk is needed for that and is not installed: pip install 'bitext-grid[text]'",
    ], done.stderr


def test_what_is_needed_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = {
        needed.partition(">")[0]: extra
        for extra, several in project["optional-dependencies"].items()
        for needed in several
        if not needed.startswith("bitext-grid")
    }
    assert brought == {name: extra for name, extra in EXTRAS.items() if name != "dask"}
    pinned = (ROOT / "requirements.txt").read_text(encoding="utf-8").lower()
    core = [needed.partition(">")[0] for needed in project["dependencies"]]
    assert core == ["rapidfuzz", "numpy"]
    assert all(f"\n{name}==" in pinned for name in (*brought, *core) if name != "distributed")
