"""Bundle JavaScript modules for the browser into one script, for a page, a saved file or a notebook.

The files are ES modules, so that a type checker, a linter and node can read them. A saved file may load nothing, and a
component of Streamlit is a single script. So each module is placed after all modules that it imports, without comments
and without the words `import` and `export`. All top-level names must differ, because they end up in one scope."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_TYPES = r"/\*\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
_COMMENT = re.compile(rf"^ *//[^\n]*\n|^ *{_TYPES}\n|{_TYPES} ?", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(
    r"^(export )?(?:async )?(?:function|class|const|let) (\w+|\[.*?\]|\{.*?\})(?= = |[;( ])", re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
_LEFTOVER = re.compile(r"^(?:import|export(?! default )).*", re.MULTILINE)


def bundle_modules(entry: Path) -> str:
    """Return the JavaScript module `entry` and all modules that it imports, as one text; each after its own imports.

    Raises ValueError if the result would not behave like the modules: for an import not written as `import { name }
    from "./file.js";`, a name that the imported file does not export, a name that two files define, or files that
    import each other."""
    parts: dict[Path, str] = {}
    owners: dict[str, Path] = {}
    for path in _in_import_order(entry.resolve(), ()):
        if path in parts:
            continue
        text = _text_without_comments(path)
        for _, name in _declared_names(text):
            if name in owners:
                raise ValueError(f"{path.name} and {owners[name].name} both have the name {name}")
            owners[name] = path
        text = _EXPORT.sub("", _IMPORT.sub("", text))
        if leftover := _LEFTOVER.search(text):
            raise ValueError(f"{path.name} has an import or export that cannot be put together: {leftover[0]}")
        if "export default " in text and path != entry.resolve():
            raise ValueError(f"{path.name} has a default export, and is imported")
        parts[path] = text.strip("\n") + "\n"
    return "".join(parts.values())


def script_call(name: str, *data: Any) -> str:
    """Return JavaScript that calls the function `name` with data, to be the last line of a script."""
    return f"{name}({','.join(map(json_text, data))});\n"


def json_text(data: Any) -> str:
    """Return data as JSON that is safe inside HTML, also within a script element."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def imported_names(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the imports of a JavaScript module: each imported name with the file that it comes from."""
    for names, source in _IMPORT.findall(_text_without_comments(path)):
        for name in names.replace(",", " ").split():
            yield (path.parent / source).resolve(), name


def _in_import_order(path: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the files that a JavaScript module imports, directly or not, and then the module itself.

    Each file comes after all files that it imports, and maybe several times. `above` are the modules that led to this
    one. Raises ValueError for circular imports and for names that are not exported."""
    if path in above:
        raise ValueError(f"files import each other: {', '.join([each.name for each in [*above, path]])}")
    for source, name in imported_names(path):
        if name not in [
            declared_name for exported, declared_name in _declared_names(_text_without_comments(source)) if exported
        ]:
            raise ValueError(f"{path.name} imports {name}, which {source.name} does not export")
        yield from _in_import_order(source, (*above, path))
    yield path


def _text_without_comments(path: Path) -> str:
    """Return the text of a JavaScript module without its comments."""
    return re.sub(r"\n{2,}", "\n", _COMMENT.sub("", path.read_text(encoding="utf-8")))


def _declared_names(text: str) -> Iterator[tuple[bool, str]]:
    """Yield whether each top-level name in the text of a JavaScript module is exported, and the name."""
    for exported, names in _DECLARED.findall(text):
        yield from ((bool(exported), name) for name in re.findall(r"\w+", names))
