"""Read and check data files in TOML; each mistake becomes a sentence that says where it is and what would be right."""

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
WHOLE_MOST = 10**15  # the largest whole number; a float can hold it
BITS_MOST = 14_000  # the most bits of a whole number that an error message can show
DEEP = 8  # the deepest nesting of tables and lists in a data file
#: Matches a key of too many parts: the TOML library takes time quadratic in them.
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"^[ \t]*+\[{{0,2}}+[ \t]*+(?:{_PART}){{{2 * DEEP}}}", re.MULTILINE)
#: What would be right, by the start of the library's error message.
_RIGHT = {
    "Invalid value": "put a text between quotation marks",
    "Expected '='": "an entry is written as name = value",
    "Invalid statement": "an entry is written as name = value, its name in letters, digits and _",
    "Cannot overwrite": "a name may occur only once in its table",
    "Cannot declare": "a table may occur only once; one of a list is in double brackets, as [[screens]]",
    "Illegal character": "put a text over several lines between three quotation marks",
    "Found invalid character": "put a text over several lines between three quotation marks",
    "Unterminated": "what begins with quotation marks must end with as many",
    "Unescaped": "write a backslash twice",
    "Unclosed": "what begins with a bracket or a brace must end with one",
    "Expected newline": "each entry needs a line of its own",
}


class FileError(ValueError):
    """A mistake in a data file; its message is a whole sentence for the file's author."""


class FollowsFromReportedError(Exception):
    """A mistake that only follows from another mistake, which is reported already, so that it is not reported too."""


def decode_file(name: str, data: bytes, most: int) -> str:
    """Return the decoded content `data` of the file `name`.

    Raises FileError if it has more than `most` bytes or is not in UTF-8."""
    if len(data) > most:
        raise FileError(f"{name} has more than the {most:,} bytes that fit; take something out.")
    try:
        return data.decode("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name} cannot be read in line {line}; it must be a text file in UTF-8.") from None


class Reader:
    """A reader of one TOML file that checks types and words its error messages.

    Attributes:
        name: the name of the file.
        where: the part of the file that is being read, for messages.
        faults: the mistakes that `try_to_read` has noted."""

    def __init__(self, name: str) -> None:
        self.name, self.where = name, ""
        self.faults: list[str] = []

    def try_to_read(self, read: Callable[[], T], otherwise: U) -> T | U:
        """Return `read()`; if it raises FileError, note its message and return `otherwise`.

        An error that only follows from a reported one also gives `otherwise`, and is not noted."""
        where = self.where
        try:
            return read()
        except FileError as fault:
            self.faults.append(str(fault))
        except FollowsFromReportedError:
            pass
        finally:
            self.where = where
        return otherwise

    def body(self, text: str) -> dict[str, Any]:
        """Return the content of the file, given as `text`, as a dict.

        Raises FileError if it is not TOML, is nested too deeply, or has a number with too many digits."""
        if _LONG_KEY.search(text):
            raise self.fault(f"a name has more than {2 * DEEP} parts; no table here is that deep")
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise self._syntax_error(text, str(error)) from None
        except RecursionError:
            raise self._too_deep() from None
        except ValueError:  # Python's own limit on the digits of a whole number
            raise self.fault("a number has too many digits") from None
        level: list[Any] = [document]
        for _ in range(DEEP):
            level = [each for table in level for each in (table.values() if isinstance(table, dict) else table)]
            if any(isinstance(each, int) and each.bit_length() > BITS_MOST for each in level):
                raise self.fault("a number has too many digits")  # Python has no limit for hexadecimals
            level = [each for each in level if isinstance(each, dict | list)]
        if level:
            raise self._too_deep()
        return document

    def _syntax_error(self, text: str, error: str) -> FileError:
        """Return the error for a file that is not TOML, with the line and what would be right.

        `text` is the content of the file, and `error` the message of the TOML library."""
        what, _, _ = error.partition(" (at ")
        place = re.search(r"\(at line (\d+)", error)
        lines = text.splitlines()
        number = int(place[1]) if place else len(lines)
        line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        at = f"line {number}, “{types.replace_unprintable(types.cut_text(line, 60))}”" if line else f"line {number}"
        right = next((says for begins, says in _RIGHT.items() if what.startswith(begins)), "")
        return FileError(f"{self.name} is not valid TOML: {what} ({at}){right and '; ' + right}.")

    def _too_deep(self) -> FileError:
        """Return the error for a file whose tables and lists are nested too deeply."""
        return self.fault(f"tables and lists are nested deeper than {DEEP}; no entry here is that deep")

    def fault(self, says: object) -> FileError:
        """Return a FileError with the message `says`, preceded by the file's name and the part that is being read."""
        where = f", {self.where}" if self.where else ""
        return FileError(f"{self.name}{where}: {str(says).removesuffix('.')}.")

    def take(self, body: Mapping[str, Any], name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """Return the entry `name` of the table `body`, after a check that it has the type `kind`.

        Return `default` if there is no such entry. Raises FileError if the type is wrong, or if there is neither an
        entry nor a default."""
        if name not in body:
            if default is None:
                raise self.fault(f"{name} is missing; it must be {_KIND_NAMES[kind]}")
            return default
        entry = body[name]
        if not isinstance(entry, kind) or isinstance(entry, bool) is not (kind is bool):
            raise self.fault(f"{name} must be {_KIND_NAMES[kind]}, got {types.brief_repr(entry)}")
        if isinstance(entry, float) and not math.isfinite(entry):
            raise self.fault(f"{name} must be a finite number, got {entry}")
        if isinstance(entry, int) and abs(entry) > WHOLE_MOST:
            raise self.fault(f"{name} must be a number of at most {len(str(WHOLE_MOST)) - 1} digits")
        return entry

    def check_names(self, body: Mapping[str, Any], names: Sequence[str]) -> None:
        """Raise FileError if the table `body` has an entry that is not in `names`."""
        for name in body:
            if name not in names:
                raise self.fault(f"{name!r:.60} is not an entry here; there are {', '.join(names)}")

    def strings(self, body: Mapping[str, Any], name: str, default: list[str] | None = None) -> list[str]:
        """Return the entry `name` of the table `body`, checked to be a list of texts; `default` if there is none."""
        texts: list[str] = self.take(body, name, list, default)
        if not all(isinstance(each, str) for each in texts):
            raise self.fault(f"{name} must be a list of texts, got {types.brief_repr(texts)}")
        return texts

    def read_metric_key(self, key: object) -> str:
        """Return `key` if it is the key of a metric. Raises FileError otherwise."""
        if not isinstance(key, str) or key not in metrics.METRICS:
            raise self.fault(f"a metric must be one of {', '.join(metrics.METRICS)}, got {types.brief_repr(key)}")
        return key

    def settings(self, body: Mapping[str, Any], key: str) -> Settings:
        """Return the settings of the metric `key` that the table `body` gives, with defaults for all others."""
        given = self.take(body, "settings", dict, {})
        try:
            return metrics.settings(key, **given)
        except (TypeError, ValueError) as error:
            raise self.fault(error) from None

    def text_settings(self, body: Mapping[str, Any]) -> TextSettings:
        """Return the settings of text processing that the table `body` gives, with defaults for all others."""
        given = self.take(body, "text", dict, {})
        try:
            return TextSettings(**given)
        except (TypeError, ValueError) as error:
            raise self.fault(error) from None


_KIND_NAMES: dict[Any, str] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "a table",
    (int, float): "a number",
    (str, int, float): "a text or a number",
}
