"""The one way in which the browser's modules become a script, for a page, a saved file and a notebook alike.

In their files they are ES modules, as a type checker, a linter and node read them. A saved file may load nothing, and a
component of Streamlit is one script: so a module is put behind all that it imports, without comments and without the
words `import` and `export`. The names at their top level must differ, for then they are in one scope.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_TYPES = r"/\*\*(?:(?!\*/).)*+(?:\*/|\Z)"
_COMMENT = re.compile(rf"^ *//[^\n]*\n|^ *{_TYPES}\n|{_TYPES} ?", re.MULTILINE | re.DOTALL)
_DECLARED = re.compile(
    r"^(export )?(?:async )?(?:function|class|const|let) (\w+|\[.*?\]|\{.*?\})(?= = |[;( ])", re.MULTILINE
)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export(?! default )).*", re.MULTILINE)


def bundle_modules(entry: Path) -> str:
    """A module and all that it imports, each once, behind what it imports itself.

    ValueError where that would not do what the modules do: an import that is not written `import { name } from
    "./file.js";`, a name that the file does not export, a name that two files have, files that import each other.
    """
    parts: dict[Path, str] = {}
    owners: dict[str, Path] = {}
    for path in _behind(entry.resolve(), ()):
        if path in parts:
            continue
        text = _code(path)
        for _, name in _declared(text):
            if name in owners:
                raise ValueError(f"{path.name} and {owners[name].name} both have the name {name}")
            owners[name] = path
        text = _EXPORT.sub("", _IMPORT.sub("", text))
        if leftover := _LEFT.search(text):
            raise ValueError(f"{path.name} has an import or export that cannot be put together: {leftover[0]}")
        if "export default " in text and path != entry.resolve():
            raise ValueError(f"{path.name} has a default export, and is imported")
        parts[path] = text.strip("\n") + "\n"
    return "".join(parts.values())


def call(name: str, *data: Any) -> str:
    """A call of a function with data, as the last line of a script."""
    return f"{name}({','.join(map(json_text, data))});\n"


def json_text(data: Any) -> str:
    """Data as JSON that may stand in a page, in its script too."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def imports(path: Path) -> Iterator[tuple[Path, str]]:
    """What a module imports: files, each with one of the names that are taken from it."""
    for names, source in _IMPORT.findall(_code(path)):
        for name in names.replace(",", " ").split():
            yield (path.parent / source).resolve(), name


def _behind(path: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    """A module behind those that it imports."""
    if path in above:
        raise ValueError(f"files import each other: {', '.join([each.name for each in [*above, path]])}")
    for source, name in imports(path):
        if name not in [declared_name for exported, declared_name in _declared(_code(source)) if exported]:
            raise ValueError(f"{path.name} imports {name}, which {source.name} does not export")
        yield from _behind(source, (*above, path))
    yield path


def _code(path: Path) -> str:
    """A module without its comments."""
    return re.sub(r"\n{2,}", "\n", _COMMENT.sub("", path.read_text(encoding="utf-8")))


def _declared(text: str) -> Iterator[tuple[bool, str]]:
    """The names at the top level of a module, and whether they are exported."""
    for exported, names in _DECLARED.findall(text):
        yield from ((bool(exported), name) for name in re.findall(r"\w+", names))
