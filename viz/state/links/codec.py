"""Write page states as query parameters and read them back; links and workspace files hold these parameters.

The `FieldKind` of each field of a page state says which parameters belong to the field, and how its value is
written, read and checked. Only values that differ from their defaults are written. A parameter that cannot be used
gives a message, and the field gets its default."""

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
    """The way in which a field of a page state is written as query parameters; here it is any text, unchanged.

    A kind with one parameter overrides `text`, which writes a value, and `value`, which reads a text and raises
    ValueError. A kind with many parameters overrides `owns`, `write_parameters` and `read_parameters`. In all methods
    `name` is the name of the field's parameter."""

    plain = True  # whether the session holds the value unchanged, under one key

    def owns(self, name: str, parameter: str) -> bool:
        """Return whether `parameter` of a link belongs to the field whose own parameter is called `name`."""
        return parameter == name

    def identifies_link(self, name: str, parameter: str) -> bool:
        """Return whether no other site would add `parameter` to a link, so that the link must be one of this app."""
        return self.owns(name, parameter)

    def write_parameters(self, name: str, value: Any) -> dict[str, str]:
        """Return the query parameters that hold `value`, which is not the default."""
        return {name: self.text(value)}

    def read_parameters(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> Any:
        """Return the value of the field from the query parameters.

        Return `default` if the query does not give a value, or gives an invalid one; the latter adds a message to
        `problems`."""
        if name not in query:
            return default
        try:
            return self.value(name, query[name])
        except ValueError as error:
            problems.append(not_used_message(name, error))
            return default

    def text(self, value: Any) -> str:
        """Return `value` as the text of its query parameter."""
        return str(value)

    def value(self, name: str, text: str) -> Any:
        """Return the value that the text of a query parameter stands for. Raises ValueError if it is invalid."""
        return text

    def admits(self, name: str, value: Any) -> bool:
        """Return whether `value` is the same after it was written into a link and read back."""
        try:
            return bool(self.value(name, self.text(value)) == value)
        except ValueError:
            return False


@dataclass(frozen=True)
class OneOf(FieldKind):
    """The kind of a field that holds one of a set of names.

    Attributes:
        options: the names.
        says: the set in words, for the error message; "" lists the names."""

    options: Collection[str]
    says: str = ""

    def value(self, name: str, text: str) -> str:
        if text not in self.options:
            short, rule = name.rpartition(".")[2], self.says or f"one of {', '.join(self.options)}"
            raise ValueError(f"{short} must be {rule}, got {text!r:.{SHOWN}}")
        return text


@dataclass(frozen=True)
class WholeNumber(FieldKind):
    """The kind of a field that holds a whole number from `least` to `most`."""

    least: int
    most: int

    def value(self, name: str, text: str) -> Plain:
        return read_setting(SettingRule("whole", "", "", self.least, self.most), name, text)


class OnOff(FieldKind):
    """The kind of a field that is on or off, written as 1 or 0."""

    def text(self, value: Any) -> str:
        return "1" if value else "0"

    def value(self, name: str, text: str) -> bool:
        if text not in ("0", "1"):
            raise ValueError(f"{name} must be 1 or 0, got {text!r:.{SHOWN}}")
        return text == "1"


@dataclass(frozen=True)
class SubsetOf(FieldKind):
    """The kind of a field that holds a subset of the names in `options`, written sorted and joined by "+"."""

    options: Collection[str]

    def text(self, value: Any) -> str:
        return "+".join(value)

    def value(self, name: str, text: str) -> tuple[str, ...]:
        given = text.split("+")
        if strange := [one for one in given if one not in self.options]:
            raise ValueError(f"{name} must be some of {', '.join(self.options)}, got {strange[0]!r:.{SHOWN}}")
        return tuple(sorted({*given}))


@dataclass(frozen=True)
class PatternText(FieldKind):
    """The kind of a field whose text must match `pattern`; `says` describes the pattern in the error message."""

    pattern: re.Pattern[str]
    says: str

    def value(self, name: str, text: str) -> str:
        if not self.pattern.fullmatch(text):
            raise ValueError(f"{name} must be {self.says}, got {text!r:.{SHOWN}}")
        return text


@dataclass(frozen=True)
class PackedText(FieldKind):
    """The kind of a field with a long text of at most `most` bytes, compressed and encoded in base64 for a link."""

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
    """Return the text compressed and encoded in base64, with characters that a link can hold."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(text.encode("utf-8")) + deflate.flush()
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


@lru_cache(maxsize=16)
def _unpacked(text: str, most: int) -> str | None:
    """Return the text that `_packed` has compressed; None if it is invalid or longer than `most` bytes.

    At most `most` + 1 bytes are decompressed, so that a small malicious text cannot fill the memory."""
    if len(text) > 2 * most:
        return None
    inflate = zlib.decompressobj(-15)
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        data = inflate.decompress(packed, most + 1)
        return data.decode("utf-8") if inflate.eof and len(data) <= most else None
    except (ValueError, zlib.error):
        return None


class TextSettingsKind(FieldKind):
    """The kind of the field with the settings of text processing, with a parameter `text.NAME` for each setting."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        return parameter.startswith("text.")

    def identifies_link(self, name: str, parameter: str) -> bool:
        return parameter.partition(".")[0] == "text"

    def write_parameters(self, name: str, value: TextSettings) -> dict[str, str]:
        return {f"text.{setting}": write_setting(given) for setting, given in changed_settings(value).items()}

    def read_parameters(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> TextSettings:
        given: dict[str, Any] = _read_settings("text", TextSettings, query, problems)
        return TextSettings(**given)


class MetricSettingsKind(FieldKind):
    """The kind of the field with the changed settings of all metrics, with a parameter `METRIC.NAME` for each."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        owner, dot, _ = parameter.partition(".")
        return bool(dot) and owner in metrics.METRICS

    def identifies_link(self, name: str, parameter: str) -> bool:
        return parameter.partition(".")[0] in metrics.METRICS

    def write_parameters(self, name: str, value: Mapping[str, Mapping[str, Plain]]) -> dict[str, str]:
        return {
            f"{key}.{setting}": write_setting(given)
            for key, settings in value.items()
            for setting, given in changed_settings(metrics.METRICS[key].Settings(**settings)).items()
        }

    def read_parameters(
        self, name: str, query: Mapping[str, str], default: Any, problems: list[str]
    ) -> dict[str, dict[str, Plain]]:
        settings_by_metric = {
            key: changed_settings(metric.Settings(**_read_settings(key, metric.Settings, query, problems)))
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
    """Return a dataclass field of a page state that links hold.

    Args:
        default: the default value, or a function without arguments that makes it if it is mutable.
        kind: how the value is written and read.
        parameter: the name of the query parameter; by default the name of the field.
        key: the key in Streamlit's session; by default the name of the field.
        of: whether the field belongs to the texts, the look at one result, or the place in the app (see `Part`).
        telling: whether a link with this parameter must be one of this app, not of another site.
        widget: whether a widget has this session key, so that the browser sends its value in every run."""
    given: dict[str, Any] = {"default_factory": default} if callable(default) else {"default": default}
    metadata = {"kind": kind, "parameter": parameter, "key": key, "of": of, "telling": telling, "widget": widget}
    return field(metadata=metadata, **given)


def session_field(default: Any, key: str = "") -> Any:
    """Return a dataclass field of a page state that is in the session under `key` and in no link.

    Without a key, the code that reads the state fills the field. States that differ only in such fields are equal."""
    given: dict[str, Any] = {"default_factory": default} if callable(default) else {"default": default}
    return field(metadata={"session": key}, compare=False, repr=False, **given)


def session_fields(record: type) -> tuple[tuple[str, str, Any], ...]:
    """Return (field name, session key, default) for each field that is in the session and in no link."""
    return tuple([(f.name, key, f.default) for f in dataclasses.fields(record) if (key := f.metadata.get("session"))])


@dataclass(frozen=True)
class RecordField:
    """A field of a page state that links hold; its attributes are the name and the arguments of `url_field`."""

    name: str
    kind: FieldKind
    parameter: str
    key: str
    default: Any
    of: Part
    telling: bool
    widget: bool

    def owns(self, parameter: str) -> bool:
        """Return whether the query parameter `parameter` belongs to this field."""
        return self.kind.owns(self.parameter, parameter)

    def tells(self, parameter: str) -> bool:
        """Return whether a link that has `parameter` must be one of this app, because of this field."""
        return self.telling and self.kind.identifies_link(self.parameter, parameter)


def link_fields(record: type) -> tuple[RecordField, ...]:
    """Return the fields of a page state class that links hold."""
    return _fields(record)


@cache
def _fields(record: type) -> tuple[RecordField, ...]:
    """Return the fields of a page state class that links hold, cached by class."""
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


def write_parameters(record: Any) -> dict[str, str]:
    """Return the query parameters of a page state, without defaults and without values that a link cannot hold."""
    out: dict[str, str] = {}
    for f in link_fields(type(record)):
        value = getattr(record, f.name)
        if value != f.default and (not f.kind.plain or f.kind.admits(f.parameter, value)):
            out |= f.kind.write_parameters(f.parameter, value)
    return out


def read_parameters(record: type, query: Mapping[str, str]) -> tuple[dict[str, Any], set[str], list[str]]:
    """Return the field values of a page state class from the query parameters.

    The second value has the parameters that belong to no field; the third has a message for each invalid parameter."""
    problems: list[str] = []
    record_fields = link_fields(record)
    # A field such as `sia.similarity` owns its parameter, though it looks like a setting of SIA.
    single = {f.parameter for f in record_fields}
    values = {}
    for f in record_fields:
        field_query = {name: text for name, text in query.items() if name == f.parameter or name not in single}
        values[f.name] = f.kind.read_parameters(f.parameter, field_query, f.default, problems)
    return values, {parameter for parameter in query if not any(f.owns(parameter) for f in record_fields)}, problems


def replace_surrogates(text: str) -> str:
    """Return `text` with unpaired surrogates, which cannot be sent to a browser, replaced by U+FFFD.

    >>> replace_surrogates("a\\ud800b")
    'a\ufffdb'
    """
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def not_used_message(parameter: str, why: object) -> str:
    """Return the message that a link's parameter is not used, with the reason `why`."""
    return f"The link's {parameter:.{SHOWN}} is not used: {why}."


def no_setting_message(parameter: str) -> str:
    """Return the message that a link has a parameter which is not a setting of this app."""
    return f"The link sets {parameter!r:.{SHOWN}}, which is not a setting."


def parse_sent_number(value: object, count: int) -> int | None:
    """Return the whole number that a browser has sent, as a number or in digits.

    Return None if it is not from 0 to `count` - 1 or not a number, because a browser may send anything.

    >>> tuple([parse_sent_number(value, 3) for value in ("2", 2.0, "3", float("nan"))])
    (2, 2, None, None)
    """
    if isinstance(value, str) and value.isdecimal() and len(value) <= len(str(count)):
        value = int(value)
    return int(value) if isinstance(value, int | float) and 0 <= value < count else None


# ---------------------------------------------------------------- settings


def settings_with(cls: type[S], given: Mapping[str, Any]) -> S:
    """Return settings of the class `cls` with the values in `given`, and the defaults for all others."""
    if not given and cls not in _DEFAULTS:
        _DEFAULTS[cls] = cls()
    return cls(**given) if given else _DEFAULTS[cls]


_DEFAULTS: dict[type[Settings], Any] = {}


def changed_settings(settings: Settings) -> dict[str, Plain]:
    """Return the settings that differ from their defaults, by name.

    Settings that hold an object, or that follow from the texts, are left out because no link holds them."""
    out: dict[str, Plain] = {}
    for f in dataclasses.fields(settings):
        value = getattr(settings, f.name)
        rule = f.metadata["rule"]
        if rule.kind != "object" and not rule.of_texts and value != f.default:
            out[f.name] = value
    return out


def write_setting(value: Plain) -> str:
    """Return the text of a setting's value in a link; the inverse of `read_setting`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "any" if value is None else "+".join(value) if isinstance(value, tuple) else str(value)


def read_setting(rule: SettingRule, name: str, written: str) -> Plain:
    """Return the value of the setting `name` that a link writes as `written`.

    Raises ValueError if the setting's rule does not allow the value."""
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
    """Return the valid settings whose parameters start with `owner`, a metric's key or “text”.

    Each setting is kept only if it is valid together with the ones before it; the others add messages to `problems`."""
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
