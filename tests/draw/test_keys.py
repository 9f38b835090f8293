"""Tests that the keys which Help lists are those that the scripts answer, and that each page lists those it has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import viz.pages  # noqa: F401  hands the list of pages in
from tests.helpers.app import ROOT
from viz.draw.evidence import guide, keys
from viz.draw.pen.script_bundle import imported_names
from viz.state.links import pages

VIZ = ROOT / "viz"
#: Where keys lead in a row; the scripts that import a name from it answer the keys that the name stands for.
LEADING = VIZ / "draw" / "pen" / "script" / "leading.js"
#: The names of keys that are longer than a letter; no other text in a script is one of them.
NAMED = "Arrow(?:Left|Right|Up|Down)|Page(?:Up|Down)|Home|End|Enter|Escape|Tab|Delete|Backspace|Insert|F[0-9]+"
#: The scripts that look at keys and have none of their own.
ANSWER_NONE = {
    "draw/pen/script/leading.js",  # its importers answer them
    "components/lesson.js",  # hands them to those of a chapter
    "save/chapter_page.js",  # the same
    "components/script/typing.js",  # presses a key of Streamlit’s
}
_LITERAL = re.compile(rf'"({NAMED})"|^ *({NAMED}): |[{{,] ({NAMED}): ', re.MULTILINE)
_SHORT = re.compile(r'\b[kK]ey(?:\.toLowerCase\(\))? === "(.)"|\bcase "(.)"')
_LISTED = re.compile(r"\[([^][]*)\]\.includes\((?:event\.)?key\)")
_PREFIX = re.compile(r'\bkey\.startsWith\("(\w+)"\)')
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)


def written_keys(text: str) -> set[str]:
    """Return the keys that the text of a script names, letters small."""
    code = _COMMENT.sub("", text)
    found = {name for groups in _LITERAL.findall(code) for name in groups if name}
    found |= {name for groups in _SHORT.findall(code) for name in groups if name}
    for names in _LISTED.findall(code):
        found |= set(re.findall(r'"([^"]+)"', names))
    return {name.lower() if len(name) == 1 else name for name in found}


def led_keys() -> dict[str, set[str]]:
    """Return the keys that each exported name of LEADING stands for."""
    code = _COMMENT.sub("", LEADING.read_text("utf-8"))
    arrows = {name: written_keys(row) for name, row in re.findall(r"export const (\w+) = (\[.*?\]);", code)}
    return arrows | {"ledTo": set(re.findall(r'key === "(\w+)"\) return', code))}


def answered_keys(script: Path) -> set[str]:
    """Return the keys that a script answers: those it names, and those of the names it imports from LEADING."""
    led = led_keys()
    imported = {name for path, name in imported_names(script) if path == LEADING}
    return written_keys(script.read_text("utf-8")).union(*(led.get(name, set()) for name in imported))


def looks_at_keys(script: Path) -> bool:
    """Return whether a script looks at which key was pressed: it hears keys, or has the names of several."""
    heard = re.search(r"\bevent\.key\b|\bKeyboardEvent\b", script.read_text("utf-8"))
    return bool(heard) or len(answered_keys(script)) > 1


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('if (event.key === "Enter" || event.key === " ") go();', {"Enter", " "}),
        ("const keys = {\n  ArrowDown: 1,\n  Home: 0,\n};\nreturn keys[event.key];", {"ArrowDown", "Home"}),
        ("const to = ({ ...steps, Home: 0, End: -1 })[event.key];", {"Home", "End"}),
        ('if (["Delete", "d", "D"].includes(event.key)) out();', {"Delete", "d"}),
        ('switch (event.key) {\n  case "x":\n  case "PageUp":\n}', {"x", "PageUp"}),
        ('const presents = key === "f" || key === "F";', {"f"}),
        ('// "Escape" leaves\nbutton("End (Esc)", "End"); const a = b.join(" ");', {"End"}),
        ('root.addEventListener("keydown", () => (acted = true));', set()),
    ],
)
def test_keys_are_found_however_they_are_written(script: str, found: set[str]) -> None:
    assert written_keys(script) == found


def test_leading_along_rows_has_the_arrows_and_the_ends() -> None:
    assert led_keys() == {
        "ACROSS": {"ArrowRight", "ArrowLeft"},
        "DOWN": {"ArrowDown", "ArrowUp"},
        "ledTo": {"Home", "End"},
    }


@pytest.mark.parametrize("name", keys.GROUPS)
def test_help_lists_the_keys_that_the_scripts_answer(name: str) -> None:
    group = keys.GROUPS[name]
    listed = [key for row in group.keys for key in row.names]
    assert len(listed) == len(set(listed)), "each key stands in one row"
    actions = {row.action for row in group.keys}
    answered: set[str] = set().union(*(answered_keys(VIZ / script) for script in group.scripts))
    if actions == {""}:
        assert answered == set(listed)
        return
    # The script gets its keys from the table, and has a method for each action.
    assert not answered and len(actions) == len(listed)
    player = (VIZ / "draw" / "steps" / "script" / "player.js").read_text("utf-8")
    types = re.search(r"@typedef \{(.*?)\} Action", (VIZ / group.scripts[0]).read_text("utf-8"))
    assert types and {*re.findall(r'"(\w+)"', types[1])} == actions
    assert all(re.search(rf"^  {action}\(\) \{{$", player, re.MULTILINE) for action in actions)


def test_every_script_that_looks_at_keys_is_in_the_table() -> None:
    listed = [VIZ / script for group in keys.GROUPS.values() for script in group.scripts]
    found = {script for script in VIZ.rglob("*.js") if looks_at_keys(script)}
    assert sorted(found) == sorted({*listed, *(VIZ / name for name in ANSWER_NONE)})


# ---------------------------------------------------------------- pages


def imported_files(path: Path) -> Iterator[Path]:
    """Yield the files of `viz` that a Python file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.level or (node.module or "").startswith("viz")):
            continue
        base = (path.parents[node.level - 1] if node.level else ROOT).joinpath(*(node.module or "").split("."))
        yield from filter(Path.is_file, [base.with_suffix(".py"), *(base / f"{name.name}.py" for name in node.names)])


def reached_scripts(page: str) -> set[Path]:
    """Return the scripts of the components that the files of a page lead to, with all that they import."""
    seen = set[Path]()
    waiting = [*(VIZ / "pages" / page).glob("*.py")]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += imported_files(path)
    scripts = set[Path]()
    waiting = [path.with_suffix(".js") for path in seen if path.parent == VIZ / "components"]
    while waiting:
        path = waiting.pop()
        if path not in scripts and path.is_file():
            scripts.add(path)
            waiting += {source for source, _ in imported_names(path)}
    return scripts


@pytest.mark.parametrize("page", pages.all_pages(), ids=lambda page: page.name)
def test_help_lists_the_keys_of_the_open_page(page: pages.Page) -> None:
    reached = reached_scripts(page.name)
    has = {name for name, group in keys.GROUPS.items() if {VIZ / script for script in group.scripts} & reached}
    assert sorted(page.key_groups) == sorted(has), "the groups whose scripts are on the page"
    shown = guide.help_html(tuple(page.key_groups))
    titles = re.findall(r"<section><h3>(.*?)</h3>", shown)
    assert titles == [keys.GROUPS[name].title for name in page.key_groups]
    for name in page.key_groups:
        for row in keys.GROUPS[name].keys:
            kbds = " ".join(f"<kbd>{keys.shown_name(key)}</kbd>" for key in row.names)
            assert f"<dt>{kbds}</dt><dd>{row.does}</dd>" in shown


def test_help_of_a_page_without_keys_has_no_heading_for_them() -> None:
    assert "Keys on this page" not in guide.help_html() and "<kbd>" not in guide.help_html()
