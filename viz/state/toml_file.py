"""Data files in TOML, read and checked: what is wrong with one is a sentence that says where it is and what would be
right."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import metrics
from metrics import types
from metrics.text import TextSettings
from metrics.types import Settings

T = TypeVar("T")
U = TypeVar("U")
WHOLE_MOST = 10**15  # of a whole number: a float holds it
BITS_MOST = 14_000  # of one that can be written in an error
DEEP = 8  # tables and lists in each other that a data file has at most
#: A key of so many parts: what reads TOML takes time with the square of them.
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"^[ \t]*+\[{{0,2}}+[ \t]*+(?:{_PART}){{{2 * DEEP}}}", re.MULTILINE)
#: What would be right, by how the library begins to say what is wrong.
_RIGHT = {
    "Invalid value": "a text stands between quotation marks",
    "Expected '='": "an entry is written as name = value",
    "Invalid statement": "an entry is written as name = value, its name in letters, digits and _",
    "Cannot overwrite": "a name stands once in its table",
    "Cannot declare": "a table stands once, and one of a list between two brackets, as [[screens]]",
    "Illegal character": "a text over several lines stands between three quotation marks",
    "Found invalid character": "a text over several lines stands between three quotation marks",
    "Unterminated": "what begins with quotation marks ends with as many",
    "Unescaped": "a backslash is written twice",
    "Unclosed": "what begins with a bracket or a brace ends with one",
    "Expected newline": "each entry stands on a line of its own",
}


class FileError(ValueError):
    """What is wrong with a data file, as a sentence."""


class Follows(Exception):  # noqa: N818, what is wrong is said where it is
    """What is read builds on another part of the file that is wrong."""


def text_of(name: str, data: bytes, most: int) -> str:
    """The text of a file of at most so many bytes. Raises FileError."""
    if len(data) > most:
        raise FileError(f"{name} has more than the {most:,} bytes that fit; take something out.")
    try:
        return data.decode("utf-8-sig")  # some editors begin a file with a mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name} cannot be read in line {line}; it must be a text file in UTF-8.") from None


class Reader:
    """Reads the file of that name; `where` is the part that is read, and `faults` what was wrong with those that were
    tried."""

    def __init__(self, name: str) -> None:
        self.name, self.where = name, ""
        self.faults: list[str] = []

    def tried(self, read: Callable[[], T], otherwise: U) -> T | U:
        """What is read; where it cannot be, that is noted, and it is `otherwise`."""
        where = self.where
        try:
            return read()
        except FileError as fault:
            self.faults.append(str(fault))
        except Follows:
            pass
        finally:
            self.where = where
        return otherwise

    def body(self, text: str) -> dict[str, Any]:
        """The file's table, from its text."""
        if _LONG_KEY.search(text):
            raise self.fault(f"a name has more than {2 * DEEP} parts; no table here is as deep")
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self._no_toml(text, str(error)) from None
        except RecursionError:
            raise self._too_deep() from None
        except ValueError:  # of Python's own, for a whole number of more digits than it reads
            raise self.fault("a number has too many digits") from None
        level: list[Any] = [document]
        for _ in range(DEEP):
            level = [each for table in level for each in (table.values() if isinstance(table, dict) else table)]
            if any(isinstance(each, int) and each.bit_length() > BITS_MOST for each in level):
                raise self.fault("a number has too many digits")  # in hexadecimals Python reads any
            level = [each for each in level if isinstance(each, dict | list)]
        if level:
            raise self._too_deep()
        return document

    def _no_toml(self, text: str, error: str) -> FileError:
        """What the library says, with the line and what would be right."""
        what, _, _ = error.partition(" (at ")
        place = re.search(r"\(at line (\d+)", error)
        lines = text.splitlines()
        number = int(place[1]) if place else len(lines)
        line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        at = f"line {number}, “{types.visible(types.cut(line, 60))}”" if line else f"line {number}"
        right = next((says for begins, says in _RIGHT.items() if what.startswith(begins)), "")
        return FileError(f"{self.name} is no TOML: {what} ({at}){right and '; ' + right}.")

    def _too_deep(self) -> FileError:
        return self.fault(f"tables and lists stand in each other deeper than {DEEP}; no entry here is as deep")

    def fault(self, says: object) -> FileError:
        where = f", {self.where}" if self.where else ""
        return FileError(f"{self.name}{where}: {str(says).removesuffix('.')}.")

    def take(self, body: Mapping[str, Any], name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """An entry of a table, of that kind. Without a default it must be there."""
        if name not in body:
            if default is None:
                raise self.fault(f"{name} is missing; it must be {_KINDS_SAID[kind]}")
            return default
        entry = body[name]
        if not isinstance(entry, kind) or isinstance(entry, bool) is not (kind is bool):
            raise self.fault(f"{name} must be {_KINDS_SAID[kind]}, got {types.brief(entry)}")
        if isinstance(entry, float) and not math.isfinite(entry):
            raise self.fault(f"{name} must be a finite number, got {entry}")
        if isinstance(entry, int) and abs(entry) > WHOLE_MOST:
            raise self.fault(f"{name} must be a number of at most {len(str(WHOLE_MOST)) - 1} digits")
        return entry

    def check_names(self, body: Mapping[str, Any], names: Sequence[str]) -> None:
        for name in body:
            if name not in names:
                raise self.fault(f"{name!r:.60} is no entry here; there are {', '.join(names)}")

    def strings(self, body: Mapping[str, Any], name: str, default: list[str] | None = None) -> list[str]:
        texts: list[str] = self.take(body, name, list, default)
        if not all(isinstance(each, str) for each in texts):
            raise self.fault(f"{name} must be a list of texts, got {types.brief(texts)}")
        return texts

    def metric(self, key: object) -> str:
        if not isinstance(key, str) or key not in metrics.METRICS:
            raise self.fault(f"a metric must be one of {', '.join(metrics.METRICS)}, got {types.brief(key)}")
        return key

    def settings(self, body: Mapping[str, Any], key: str) -> Settings:
        """The settings of a metric, the defaults where nothing is said."""
        given = self.take(body, "settings", dict, {})
        try:
            return metrics.settings(key, **given)
        except (TypeError, ValueError) as error:
            raise self.fault(error) from None

    def text_settings(self, body: Mapping[str, Any]) -> TextSettings:
        given = self.take(body, "text", dict, {})
        try:
            return TextSettings(**given)
        except (TypeError, ValueError) as error:
            raise self.fault(error) from None


_KINDS_SAID: dict[Any, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "a table",
    (int, float): "a number",
    (str, int, float): "a text or a number",
}
