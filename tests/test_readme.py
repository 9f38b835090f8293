"""Test the documents: the programs in them print what their comments say, and the files that they name exist."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path

import pytest

import metrics
import viz.pages  # noqa: F401  registers the pages
from metrics import __main__ as command_line
from metrics.command import program
from tests.helpers import peers
from viz.draw.evidence import guide
from viz.state.links import pages

ROOT = Path(__file__).parent.parent
#: READMEs of folders that must exist; the same rules apply to all others.
MANUALS = (
    *("metrics/README.md", "metrics/catalogue/README.md", "metrics/command/README.md"),
    *("metrics/corpus/agreement/experiments/README.md", "viz/README.md", "viz/pages/README.md"),
    *("viz/pages/learn/chapters/README.md", "tests/README.md"),
)
TOPS = ("metrics", "viz", "tests")
OF_FOLDERS = sorted({*MANUALS, *[str(p.relative_to(ROOT)) for top in TOPS for p in (ROOT / top).rglob("README.md")]})
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "metrics/catalogue/agreement.md", *OF_FOLDERS)


@cache
def read_document(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def code_blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in the given language in a Markdown document."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def without_code_blocks(text: str) -> str:
    """Return the text of a Markdown document without its blocks of code."""
    return re.sub(r"```.*?```", "", text, flags=re.DOTALL)


# ---------------------------------------------------------------- programs


@pytest.mark.parametrize("document", [name for name in DOCUMENTS if code_blocks(read_document(name), "python")])
def test_the_programs_print_what_they_say(document):
    code = "".join(code_blocks(read_document(document), "python"))
    expected = re.findall(r"print\(.*\)\s+# (.*)", code)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue().splitlines() == expected and len(expected) > 1


def test_there_are_programs():
    assert sum(bool(code_blocks(read_document(name), "python")) for name in DOCUMENTS) >= 3
    assert len(code_blocks(read_document("metrics/README.md"), "python")) > 5


def test_a_page_as_the_manual_writes_it_imports_what_is_there():
    """Check that all imports of the manual's example page exist.

    The page is not in the tree, so imports from its own folder are skipped."""
    found = []
    for code in code_blocks(read_document("viz/pages/README.md"), "py"):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and node.module != "viz.pages.glossary":
                module = resolve_name("." * node.level + (node.module or ""), "viz.pages.glossary")
                found += [(module, alias.name) for alias in node.names]
    assert len(found) > 4
    for module, name in found:
        if not hasattr(import_module(module), name):
            import_module(f"{module}.{name}")


# ---------------------------------------------------------------- what the documents name


def heading_anchors(text: str) -> set[str]:
    """Return the link anchors of the headings in a Markdown document.

    >>> sorted(heading_anchors("# The core\\n\\n## What's `new`: a page\\n"))
    ['the-core', 'whats-new-a-page']
    """
    titles = re.findall(r"^#+ (.*)", without_code_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def dead_links(document: str, text: str) -> list[str]:
    """Return the targets of links and pictures in a document that are no existing file or heading."""
    out = []
    for target in re.findall(r"\]\(([^)]+)\)", without_code_blocks(text)):
        path, _, anchor = target.partition("#")
        there = (ROOT / document).parent / path if path else ROOT / document
        headings = text if not path else there.read_text(encoding="utf-8") if anchor and there.is_file() else ""
        if not there.exists() or (anchor and anchor not in heading_anchors(headings)):
            out.append(target)
    return out


def missing_paths(text: str) -> list[str]:
    """Return the paths from the project's root that a document names but that do not exist."""
    named = re.findall(r"`((?:metrics|viz|tests)/[\w./*-]*)`", without_code_blocks(text))
    return [path for path in named if not list(ROOT.glob(path.rstrip("/")))]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_and_paths_lead_somewhere(document):
    assert not dead_links(document, read_document(document)) and not missing_paths(read_document(document))


def test_dead_links_and_paths_are_found():
    text = (
        "# A\n[a](#a) [b](#b) [c](nowhere.md) [d](CHANGELOG.md#what) `viz/nothing.py` `viz/pages/` `tests/nothing_*.py`"
    )
    assert dead_links("README.md", text) == ["#b", "nowhere.md", "CHANGELOG.md#what"]
    assert missing_paths(text) == ["viz/nothing.py", "tests/nothing_*.py"]


def test_each_document_is_reached_from_the_readme():
    found, wanted = set(), ["README.md"]
    while wanted:
        document = wanted.pop()
        found.add(document)
        for target in re.findall(r"\]\(([^)#]+)", without_code_blocks(read_document(document))):
            path = ((ROOT / document).parent / target).resolve().relative_to(ROOT).as_posix()
            if path.endswith(".md") and path not in found:
                wanted.append(path)
    assert {*MANUALS, "CONTRIBUTING.md", "CHANGELOG.md", "metrics/catalogue/agreement.md"} <= found


# ---------------------------------------------------------------- a folder's README and its files


def folder_errors(text: str, entries: Iterable[str]) -> list[str]:
    """Return where the text of a folder's README disagrees with the names in the folder, as sentences.

    Its section “Files” must name all `entries` in the first cells of a table, and nothing else. A README without such a
    section must name all of them somewhere. Names of folders end with a slash."""
    section = text.partition("\n## Files\n")[2]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) if section else [text]
    names = re.findall(r"`([^`\n]+)`", " ".join(cells))
    patterns = {name: re.compile(re.escape(name).replace(r"\*", "[^/]*")) for name in names}
    entries = list(entries)
    out = [f"{e} is not named" for e in entries if not any(p.fullmatch(e) for p in patterns.values())]
    if section:
        out += [f"there is no {n}" for n, p in patterns.items() if not any(p.fullmatch(e) for e in entries)]
    return out


def folder_entries(folder: Path) -> list[str]:
    """Return the names in a folder, except its README, `__init__.py` and names that begin with a dot.

    Names of folders end with a slash."""
    every = [path for path in folder.iterdir() if not path.name.startswith((".", "__pycache__"))]
    beside = ("README.md", "__init__.py")
    return [f"{path.name}/" if path.is_dir() else path.name for path in every if path.name not in beside]


@pytest.mark.parametrize("document", OF_FOLDERS)
def test_a_readme_names_the_files_of_its_folder(document):
    assert not folder_errors(read_document(document), folder_entries((ROOT / document).parent))


def test_a_readme_that_is_unlike_its_folder_is_found():
    rows = "| name | what |\n|---|---|\n| `a.py`, `b_*.py` | one `d.py` |\n| `gone/` | two |\n"
    text = f"# A\n\n`c.py`\n\n## Files\n\n{rows}"
    found = folder_errors(text, ["a.py", "b_1.py", "c.py", "d.py"])
    assert found == ["c.py is not named", "d.py is not named", "there is no gone/"]
    assert folder_errors("`a.py` and more", ["a.py", "c.py"]) == ["c.py is not named"]


# ---------------------------------------------------------------- what the README has


def test_the_readme_is_short():
    text = read_document("README.md")
    assert len(text.splitlines()) <= 160 and len(text.split()) <= 1800 and text.count("![") == 1


def test_the_summary_of_other_programs_values_is_that_of_the_table():
    lines = peers.table_lines()
    assert len(lines) > 20 and f"\n{peers.summary(lines)}\n" in read_document("README.md")


def test_every_metric_stands_in_the_table():
    assert re.findall(r"^\| `(\w+)` \|", read_document("README.md"), re.MULTILINE) == list(metrics.METRICS)


def test_the_signature_is_one_that_the_core_writes():
    from metrics.text import TextSettings

    signature = metrics.score("gtm", ["a"], [["a"], ["b"]]).signature(TextSettings().signature())
    assert signature in read_document("README.md")


def test_make_has_the_commands_that_the_documents_name():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {*re.search(r"^\.PHONY: (.*)", makefile, re.MULTILINE).group(1).split()}
    commands = {
        name
        for each in DOCUMENTS
        for name in re.findall(r"(?:^    |`)make ([\w-]+)", read_document(each), re.MULTILINE)
    }
    assert commands == targets
    assert re.findall(r"^    make ([\w-]+)$", read_document("README.md"), re.MULTILINE) == ["app", "test"]


def test_the_continuous_tests_install_what_the_manual_names():
    call = re.search(r"apt-get install (.*?)\n    \.venv", read_document("tests/README.md"), re.DOTALL).group(1)
    packages = {*call.replace("\\\n", " ").split()}
    installed = {*(ROOT / ".ci/run").read_text(encoding="utf-8").replace("\\\n", " ").split()}
    assert len(packages) > 5 and packages <= installed


def test_help_and_the_command_lines_name_the_manuals(capsys):
    assert {*guide.MANUALS} <= {*MANUALS} and all(f"<code>{name}</code>" in guide.help_html() for name in guide.MANUALS)
    assert program.main(["--help"]) == 0
    for said in (command_line.parser().format_help(), capsys.readouterr().out):
        named = re.findall(r"\w[\w/]*README\.md", said)
        assert "metrics/command/README.md" in named and {*named} <= {*MANUALS}


def test_the_manual_of_the_command_line_names_its_options():
    """Check that the manual of the command line names all its options except metrics' settings, and no others."""
    manual = read_document("metrics/command/README.md")
    known = {option for action in command_line.parser()._actions for option in action.option_strings}
    ours = "\n".join(line for line in manual.splitlines() if "dask" not in line)
    named = {*re.findall(r"(?<![\w-])--[a-z][\w-]*", ours)} - {"--to_json"}
    assert named <= known
    settings = tuple([f"--{key.replace('_', '-')}-" for key in metrics.METRICS] + ["--no-"])
    assert {option for option in known if option.startswith("--") and not option.startswith(settings)} <= named


def test_the_manual_of_the_pages_names_their_views():
    manual, found = read_document("viz/pages/README.md"), 0
    for page in pages.all_pages():
        section = " ".join(manual.partition(f"\n## {page.title}\n")[2].partition("\n## ")[0].split())
        views = getattr(import_module(page.record.__module__), "VIEWS", {})
        assert section and all(f"**{label}**" in section for label in views.values()), page.title
        found += len(views)
    assert found > 15
