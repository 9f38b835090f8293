"""Data files in TOML, read and checked: what is wrong with one is a sentence that says where it is and what would be
right."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import metrics
from metrics.text import TextSettings
from metrics.types import Settings


class FileError(ValueError):
    """What is wrong with a data file, as a sentence."""


class Reader:
    """Reads the file of that name; `where` is the part that is read."""

    def __init__(self, name: str) -> None:
        self.name, self.where = name, ""

    def body(self, text: str) -> dict[str, Any]:
        """The file's table, from its text."""
        try:
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise FileError(f"{self.name} is no TOML: {error}.") from None

    def fault(self, says: object) -> FileError:
        where = f", {self.where}" if self.where else ""
        return FileError(f"{self.name}{where}: {str(says).removesuffix('.')}.")

    def take(self, body: Mapping[str, Any], name: str, kind: type | tuple[type, ...], default: Any = None) -> Any:
        """An entry of a table, of that kind. Without a default it must be there."""
        if name not in body:
            if default is None:
                raise self.fault(f"{name} is missing; it must be {_KINDS_SAID[kind]}")
            return default
        found = body[name]
        if not isinstance(found, kind) or isinstance(found, bool) is not (kind is bool):
            raise self.fault(f"{name} must be {_KINDS_SAID[kind]}, got {found!r:.60}")
        return found

    def known(self, body: Mapping[str, Any], names: Sequence[str]) -> None:
        for name in body:
            if name not in names:
                raise self.fault(f"{name!r:.60} is no entry here; there are {', '.join(names)}")

    def strings(self, body: Mapping[str, Any], name: str, default: list[str] | None = None) -> list[str]:
        found: list[str] = self.take(body, name, list, default)
        if not all(isinstance(each, str) for each in found):
            raise self.fault(f"{name} must be a list of texts, got {found!r:.60}")
        return found

    def metric(self, key: object) -> str:
        if not isinstance(key, str) or key not in metrics.METRICS:
            raise self.fault(f"a metric must be one of {', '.join(metrics.METRICS)}, got {key!r:.60}")
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
