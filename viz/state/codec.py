"""Write records as named strings and read them back: the parameters of links and workspace files.

The kind of each field of a record says which parameters it owns, how its value is written, and how it is read and
checked. Only values that differ from their defaults are written. A parameter that cannot be used gives a message,
and the field gets its default."""

from __future__ import annotations

import base64
import dataclasses
import re
import zlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal, TypeVar

import metrics
from metrics.text import TextSettings
from metrics.types import SettingRule, Settings

Plain = bool | int | float | str | None | tuple[str, ...]
S = TypeVar("S", bound=Settings)
SHOWN = 40  # the most characters of a link's value that a message quotes


class FieldKind:
    """The kind of value that a field of a record holds; this base class holds any text, unchanged.

    A kind with one parameter overrides `text`, which writes a value, and `value`, which reads a text and raises
    ValueError. A kind with many parameters overrides `owns`, `write` and `read`."""

    plain = True  # whether the session holds the value unchanged, under one key

    def owns(self, name: str, parameter: str) -> bool:
        """Return whether `parameter` belongs to the field `name`."""
        return parameter == name

    def identifies_link(self, name: str, parameter: str) -> bool:
        """Return whether a link that has `parameter` is certainly a link of this app."""
        return self.owns(name, parameter)

    def write(self, name: str, value: Any) -> dict[str, str]:
        """Return the parameters of a value that is not the default."""
        return {name: self.text(value)}

    def read(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> Any:
        """Return the value that `query` gives; `default` if it gives none that can be used."""
        if name not in query:
            return default
        try:
            return self.value(name, query[name])
        except ValueError as error:
            problems.append(not_used_message(name, error))
            return default

    def text(self, value: Any) -> str:
        """Return a value as text."""
        return str(value)

    def value(self, name: str, text: str) -> Any:
        """Return the value of a text. Raises ValueError if it is invalid."""
        return text

    def admits(self, name: str, value: Any) -> bool:
        """Return whether a link can hold `value`."""
        try:
            return bool(self.value(name, self.text(value)) == value)
        except ValueError:
            return False


@dataclass(frozen=True)
class OneOf(FieldKind):
    """A choice from a set of names; `says` describes the set in words if it is large."""

    options: Collection[str]
    says: str = ""

    def value(self, name: str, text: str) -> str:
        if text not in self.options:
            short, rule = name.rpartition(".")[2], self.says or f"one of {', '.join(self.options)}"
            raise ValueError(f"{short} must be {rule}, got {text!r:.{SHOWN}}")
        return text


@dataclass(frozen=True)
class Whole(FieldKind):
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def value(self, name: str, text: str) -> Plain:
        return read_setting(SettingRule("whole", "", "", self.least, self.most), name, text)


class OnOff(FieldKind):
    """A switch, written as 1 or 0."""

    def text(self, value: Any) -> str:
        return "1" if value else "0"

    def value(self, name: str, text: str) -> bool:
        if text not in ("0", "1"):
            raise ValueError(f"{name} must be 1 or 0, got {text!r:.{SHOWN}}")
        return text == "1"


@dataclass(frozen=True)
class SomeOf(FieldKind):
    """A subset of a few names, sorted and joined by "+"."""

    options: Collection[str]

    def text(self, value: Any) -> str:
        return "+".join(value)

    def value(self, name: str, text: str) -> tuple[str, ...]:
        given = text.split("+")
        if strange := [one for one in given if one not in self.options]:
            raise ValueError(f"{name} must be some of {', '.join(self.options)}, got {strange[0]!r:.{SHOWN}}")
        return tuple(sorted({*given}))


@dataclass(frozen=True)
class Like(FieldKind):
    """A text that matches `pattern`, which `says` describes in words."""

    pattern: re.Pattern[str]
    says: str

    def value(self, name: str, text: str) -> str:
        if not self.pattern.fullmatch(text):
            raise ValueError(f"{name} must be {self.says}, got {text!r:.{SHOWN}}")
        return text


@dataclass(frozen=True)
class Packed(FieldKind):
    """A long text of at most `most` bytes, compressed and encoded in characters that a link can hold."""

    most: int

    def text(self, value: Any) -> str:
        return _packed(value)

    def value(self, name: str, text: str) -> str:
        unpacked_text = _unpacked(text, self.most)
        if unpacked_text is None:
            raise ValueError(f"{name} must be a packed text of at most {self.most:,} bytes, got {text!r:.{SHOWN}}")
        return unpacked_text


# Cached, because a record is read and written several times a run, each time with the same text.
@lru_cache(maxsize=16)
def _packed(text: str) -> str:
    """Return the text compressed and encoded in characters that a link can hold."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text.encode("utf-8")) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


@lru_cache(maxsize=16)
def _unpacked(text: str, most: int) -> str | None:
    """Return the decompressed text; None if it is invalid or longer than `most` bytes.

    No more than `most` + 1 bytes are decompressed."""
    if len(text) > 2 * most:
        return None
    inflate = zlib.decompressobj(-15)
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        data = inflate.decompress(packed, most + 1)
        return data.decode("utf-8") if inflate.eof and len(data) <= most else None
    except (ValueError, zlib.error):
        return None


class OfTexts(FieldKind):
    """The settings of text processing, with a parameter `text.NAME` for each setting."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        return parameter.startswith("text.")

    def identifies_link(self, name: str, parameter: str) -> bool:
        return parameter.partition(".")[0] == "text"

    def write(self, name: str, value: TextSettings) -> dict[str, str]:
        return {f"text.{setting}": write_setting(given) for setting, given in changed(value).items()}

    def read(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> TextSettings:
        given: dict[str, Any] = _read_settings("text", TextSettings, query, problems)
        return TextSettings(**given)


class OfMetrics(FieldKind):
    """The settings of all metrics that differ from their defaults, with a parameter `METRIC.NAME` for each."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        owner, dot, _ = parameter.partition(".")
        return bool(dot) and owner in metrics.METRICS

    def identifies_link(self, name: str, parameter: str) -> bool:
        return parameter.partition(".")[0] in metrics.METRICS

    def write(self, name: str, value: Mapping[str, Mapping[str, Plain]]) -> dict[str, str]:
        return {
            f"{key}.{setting}": write_setting(given)
            for key, settings in value.items()
            for setting, given in changed(metrics.METRICS[key].Settings(**settings)).items()
        }

    def read(
        self, name: str, query: Mapping[str, str], default: Any, problems: list[str]
    ) -> dict[str, dict[str, Plain]]:
        settings_by_metric = {
            key: changed(metric.Settings(**_read_settings(key, metric.Settings, query, problems)))
            for key, metric in metrics.METRICS.items()
        }
        return {key: given for key, given in settings_by_metric.items() if given}


TEXT = FieldKind()


#: The part of the state to which a field belongs: “texts”, which can be too long for a link; “look”, the selections in
#: one result or comparison; or “place”, where the user is in the app: page, view, metric, settings and sides.
Part = Literal["texts", "look", "place"]


def url_field(
    default: Any,
    kind: FieldKind = TEXT,
    parameter: str = "",
    key: str = "",
    *,
    of: Part = "place",
    telling: bool = False,
    widget: bool = False,
) -> Any:
    """Return a field of a record that links hold.

    Args:
        default: the default value; a function that makes it, if it is mutable.
        kind: how the value is written and read.
        parameter: the name in links; by default the name of the field.
        key: the key in the session; by default the name of the field.
        of: the part of the state to which the field belongs.
        telling: whether a link with this parameter is certainly a link of this app.
        widget: whether a widget has this key, so that the browser sends its value in every run."""
    given: dict[str, Any] = {"default_factory": default} if callable(default) else {"default": default}
    metadata = {"kind": kind, "parameter": parameter, "key": key, "of": of, "telling": telling, "widget": widget}
    return field(metadata=metadata, **given)


def session_field(default: Any, key: str = "") -> Any:
    """Return a field that the session holds under `key`, and no link.

    Without a key, the code that reads the record fills it. Records that differ only in such fields are equal."""
    given: dict[str, Any] = {"default_factory": default} if callable(default) else {"default": default}
    return field(metadata={"session": key}, compare=False, repr=False, **given)


def session_fields(record: type) -> tuple[tuple[str, str, Any], ...]:
    """Return name, session key and default of each field that no link holds."""
    return tuple([(f.name, key, f.default) for f in dataclasses.fields(record) if (key := f.metadata.get("session"))])


@dataclass(frozen=True)
class RecordField:
    """A field of a record that links hold.

    Attributes are those of `url_field`; `name` is the name of the field."""

    name: str
    kind: FieldKind
    parameter: str
    key: str
    default: Any
    of: Part
    telling: bool
    widget: bool

    def owns(self, parameter: str) -> bool:
        """Return whether `parameter` belongs to the field."""
        return self.kind.owns(self.parameter, parameter)

    def tells(self, parameter: str) -> bool:
        """Return whether a link that has `parameter` is certainly a link of this app."""
        return self.telling and self.kind.identifies_link(self.parameter, parameter)


def fields(record: type) -> tuple[RecordField, ...]:
    """Return the fields of a record that links hold."""
    return _fields(record)


@cache
def _fields(record: type) -> tuple[RecordField, ...]:
    """Return the fields, computed once for each class of record."""
    out = []
    for f in dataclasses.fields(record):
        given = f.metadata
        if "kind" not in given:
            continue
        default = f.default if f.default is not dataclasses.MISSING else f.default_factory()  # type: ignore[misc, operator]
        parameter_and_key = given["parameter"] or f.name, given["key"] or f.name
        out.append(
            RecordField(
                f.name, given["kind"], *parameter_and_key, default, given["of"], given["telling"], given["widget"]
            )
        )
    return tuple(out)


def write(record: Any) -> dict[str, str]:
    """Return a record as parameters, without default values and without what a link cannot hold."""
    out: dict[str, str] = {}
    for f in fields(type(record)):
        value = getattr(record, f.name)
        if value != f.default and (not f.kind.plain or f.kind.admits(f.parameter, value)):
            out |= f.kind.write(f.parameter, value)
    return out


def read(record: type, query: Mapping[str, str]) -> tuple[dict[str, Any], set[str], list[str]]:
    """Return the values of a record's fields, the parameters that belong to none of them, and messages.

    Each message is on a parameter that cannot be used."""
    problems: list[str] = []
    record_fields = fields(record)
    # A field such as `sia.similarity` owns its parameter, though it looks like a setting of SIA.
    single = {f.parameter for f in record_fields}
    values = {}
    for f in record_fields:
        field_query = {name: text for name, text in query.items() if name == f.parameter or name not in single}
        values[f.name] = f.kind.read(f.parameter, field_query, f.default, problems)
    return values, {parameter for parameter in query if not any(f.owns(parameter) for f in record_fields)}, problems


def sendable(text: str) -> str:
    """Return `text` as it can be sent to a browser: unpaired surrogates, which a file can hold, become U+FFFD.

    >>> sendable("a\\ud800b")
    'a\ufffdb'
    """
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def not_used_message(parameter: str, why: object) -> str:
    """Return the message for a parameter that cannot be used."""
    return f"The link's {parameter:.{SHOWN}} is not used: {why}."


def no_setting_message(parameter: str) -> str:
    """Return the message for a parameter that does not exist."""
    return f"The link sets {parameter!r:.{SHOWN}}, which is no setting."


def number_sent(value: object, count: int) -> int | None:
    """Return the whole number that a browser has sent, as a number or in digits.

    Return None if it is not from 0 to `count` - 1, or not a number: a browser may send anything.

    >>> number_sent("2", 3), number_sent(2.0, 3), number_sent("3", 3), number_sent(float("nan"), 3)
    (2, 2, None, None)
    """
    if isinstance(value, str) and value.isdecimal() and len(value) <= len(str(count)):
        value = int(value)
    return int(value) if isinstance(value, int | float) and 0 <= value < count else None


# ---------------------------------------------------------------- settings


def settings_with(cls: type[S], given: Mapping[str, Any]) -> S:
    """Return settings with the values in `given`, and the defaults for all others."""
    if not given and cls not in _DEFAULTS:
        _DEFAULTS[cls] = cls()
    return cls(**given) if given else _DEFAULTS[cls]


_DEFAULTS: dict[type[Settings], Any] = {}


def changed(settings: Settings) -> dict[str, Plain]:
    """Return the plain settings that differ from their defaults, by name."""
    out: dict[str, Plain] = {}
    for f in dataclasses.fields(settings):
        value = getattr(settings, f.name)
        rule = f.metadata["rule"]
        if rule.kind != "object" and not rule.of_texts and value != f.default:
            out[f.name] = value
    return out


def write_setting(value: Plain) -> str:
    """Return a setting's value as a link holds it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "any" if value is None else "+".join(value) if isinstance(value, tuple) else str(value)


def read_setting(rule: SettingRule, name: str, written: str) -> Plain:
    """Return the value of a setting. Raises ValueError if its rule does not admit it."""
    value: Plain = written
    if rule.kind == "flag":
        if written not in ("yes", "no"):
            raise ValueError(f"{name} must be yes or no, got {written!r:.{SHOWN}}")
        value = written == "yes"
    elif written == "any" and rule.optional:
        value = None
    elif rule.kind == "choices":
        value = tuple(written.split("+"))
    elif rule.kind in ("number", "whole"):
        try:
            value = int(written) if rule.kind == "whole" else float(written)
        except ValueError:
            what = "a whole number" if rule.kind == "whole" else "a number"
            raise ValueError(f"{name} must be {what}, got {written!r:.{SHOWN}}") from None
    rule.check(name, value)
    return value


def _read_settings(owner: str, cls: type[Settings], query: Mapping[str, str], problems: list[str]) -> dict[str, Plain]:
    """Return the valid settings of one owner; each is only kept if it is valid together with those before it."""
    settings: dict[str, Plain] = {}
    for parameter, written in query.items():
        if not parameter.startswith(f"{owner}."):
            continue
        name = parameter.removeprefix(f"{owner}.")
        rule = cls.rules().get(name)
        if rule is None or rule.kind == "object" or rule.of_texts:
            problems.append(no_setting_message(parameter))
            continue
        try:
            value = read_setting(rule, name, written)
            cls(**settings, **{name: value})  # raises ValueError too: some settings are checked together
        except ValueError as error:
            problems.append(not_used_message(parameter, error))
            continue
        settings[name] = value
    return settings
