"""Tests that the browser's modules are joined into scripts that do what the modules do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.helpers.app import ROOT
from viz.draw.pen import script_bundle

MODULES = sorted((ROOT / "viz").rglob("*.js"))


def write_modules(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "entry.js"


def test_a_comment_before_code_takes_none_of_it(tmp_path):
    """Check that a line that begins with a type is kept, also where another comment fills the next line."""
    entry = write_modules(
        tmp_path, entry="/** @type {any} */ (window).a = 1 * 2;\n/** Text * with / signs **/\nconst b = 2; /** open"
    )
    assert script_bundle.bundle_modules(entry) == "(window).a = 1 * 2;\nconst b = 2; \n"


def test_a_module_stands_behind_what_it_imports_and_once(tmp_path):
    entry = write_modules(
        tmp_path,
        entry="""// The entry.
import { b } from "./b.js";
import {
  a,
  more,
} from "./a.js";

export const all = [a, b, more];
""",
        b="""import { a } from "./a.js";

/** Types. @param {number} x
 * @param {number} y */
export function b(x, y) {
  // a reason
  const z = /** @type {any} */ (x); // why
  return a + y + z;
}
""",
        a="export const [a, more] = [1, 2];\n",
    )
    assert (
        script_bundle.bundle_modules(entry)
        == """const [a, more] = [1, 2];
function b(x, y) {
  const z = (x); // why
  return a + y + z;
}
const all = [a, b, more];
"""
    )


def test_a_default_export_stays_for_the_page(tmp_path):
    own = "export default function () {\n  a();\n}\n"
    entry = write_modules(tmp_path, entry=f'import {{ a }} from "./a.js";\n{own}', a="export function a() {}\n")
    assert script_bundle.bundle_modules(entry) == f"function a() {{}}\n{own}"


TAKES_A, HAS_A = 'import { a } from "./a.js";\n', "export const a = 1;\n"
APART = "cannot be put together"
#: A fault → the entry module, the module that it imports, and the error message.
FAULTS = {
    "a name of two files": (f"{TAKES_A}function same() {{}}\n", f"{HAS_A}const same = 2;\n", "both have the name same"),
    "a name that is not exported": (TAKES_A, "const a = 1;\n", "does not export"),
    "a circle": (
        f"{TAKES_A}export const all = 2;\n",
        f'import {{ all }} from "./entry.js";\n{HAS_A}',
        "import each other: entry.js, a.js, entry.js",
    ),
    "another name": ('import { a as b } from "./a.js";\n', HAS_A, APART),
    "all of a file": ('import * as a from "./a.js";\n', HAS_A, APART),
    "a package": ('import { a } from "a";\n', HAS_A, APART),
    "an export of names": ("const a = 1;\nexport { a };\n", HAS_A, APART),
    "a default export that is imported": (TAKES_A, f"{HAS_A}export default 1;\n", "a.js has a default export"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_put_together_is_said(fault, tmp_path):
    entry, a, says = FAULTS[fault]
    with pytest.raises(ValueError, match=says):
        script_bundle.bundle_modules(write_modules(tmp_path, entry=entry, a=a))


@pytest.mark.slow
def test_every_module_of_the_house_can_be_put_together():
    for path in MODULES:
        text = script_bundle.bundle_modules(path)
        assert "import {" not in text and "/**" not in text and "\n\n" not in text, path


#: The folders of `viz` that have scripts; each imports only from itself and from those before it.
FOLDERS = ("draw/pen", "draw/evidence", "draw/steps", "draw/learn", "components", "save")


def folder_index(path):
    """Return the index in `FOLDERS` of the folder that has the script `path`."""
    (index,) = [index for index, folder in enumerate(FOLDERS) if path.is_relative_to(ROOT / "viz" / folder)]
    return index


def test_arrows_between_modules_run_down():
    for path in MODULES:
        for source in {source for source, _ in script_bundle.imported_names(path)}:
            assert folder_index(source) <= folder_index(path), f"{path} imports {source}"
            assert {source.parts[-2], path.parts[-2]} != {"components", "save"}, f"{path} imports {source}"


def test_a_call_has_its_data_and_no_end_of_the_script():
    text = script_bundle.script_call("start", {"word": "</script>&"}, [1, None])
    assert text == 'start({"word":"\\u003c/script\\u003e\\u0026"},[1,null]);\n'
    assert json.loads(text[len("start(") : text.index("},[") + 1]) == {"word": "</script>&"}


def test_what_style_sheets_let_scroll_can_be_reached():
    """Check that every box that a style sheet lets scroll is known to the script that lets the keyboard scroll."""
    folder = ROOT / "viz"
    text = "".join(re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S) for path in folder.rglob("*.css"))
    rules = re.findall(r"([^{}]+)\{[^{}]*overflow(?:-[xy])?: *(?:auto|scroll)[^{}]*\}", text)
    plain = [re.sub(r":not\([^)]*\)", "", rule).replace(":is(.terms, .scores)", ".terms, .scores") for rule in rules]
    boxes = [box.strip() for rule in plain for box in rule.split(",")]
    ends = [re.match(r"\.?[\w-]+", re.sub(r":has\(.*", "", box).split()[-1]) for box in boxes]
    classes = {end[0] for end in ends if end}
    assert len(ends) == len(boxes) and len(classes) > 8
    known = (folder / "draw" / "pen" / "script" / "reaching.js").read_text("utf-8")
    unknown = {name for name in classes if not re.search(rf'[" (]{re.escape(name)}[",)]', known)}
    assert unknown == {".marks", ".segments", ".strip", ".stButtonGroup"}, (
        "but for those that take the focus themselves"
    )
