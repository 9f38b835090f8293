"""The settings of a metric, and the rules that their values must satisfy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, Literal, Self

from .words import brief_repr

#: The largest value of a setting that counts words: more than any sentence has.
LENGTH_MOST = 1_000_000_000

#: The number of options up to which an error message lists them all.
LISTED_MOST = 20


@dataclass(frozen=True)
class SettingRule:
    """The rule for the values of one setting, by which a value is checked and a control of a page is made.

    Attributes:
        kind: the type of the value; "choices" is a non-empty tuple of different options.
        label: the label of the control.
        help: the help text of the control.
        least: the smallest number that is allowed.
        most: the largest number that is allowed.
        step: the step of the control.
        options: the values that a "choice" or "choices" may have.
        optional: whether the value may be None.
        none: the label of None in the control.
        slider_range: the range of the slider, where it is narrower than the rule.
        several: whether the setting matters only for several references.
        of_texts: whether the setting is the language of the texts, which is the same for all metrics.
    """

    kind: Literal["number", "whole", "choice", "choices", "flag", "object"]
    label: str
    help: str
    least: float = -math.inf
    most: float = math.inf
    step: float = 1.0
    options: tuple[str, ...] = ()
    optional: bool = False
    none: str = "none"
    slider_range: tuple[float, float] | None = None
    several: bool = False
    of_texts: bool = False

    def check(self, name: str, value: object) -> None:
        """Raise ValueError, with the rule and the value, if `value` breaks this rule; `name` is the setting's name."""
        if (value is None and self.optional) or self.kind == "object":
            return
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise ValueError(f"{name} must be True or False, got {brief_repr(value)}")
        elif self.kind == "choice":
            if not self._is_option(value):
                raise ValueError(f"{name} must be one of {_list_options(self.options)}, got {brief_repr(value)}")
        elif self.kind == "choices":
            if not isinstance(value, tuple) or not value or not all(map(self._is_option, value)):
                raise ValueError(f"{name} must be some of {_list_options(self.options)}, got {brief_repr(value)}")
            if len(set(value)) < len(value):
                raise ValueError(f"{name} must name each only once, got {brief_repr(value)}")
        else:
            number_type = Integral if self.kind == "whole" else Real
            if not isinstance(value, number_type) or isinstance(value, bool):
                what = "a whole number" if self.kind == "whole" else "a number"
                raise ValueError(f"{name} must be {what}{' or None' if self.optional else ''}, got {brief_repr(value)}")
            # Written so that NaN, which compares false with everything, is rejected.
            if not value >= self.least:  # type: ignore[operator]
                raise ValueError(f"{name} must be at least {self.least:.10g}, got {brief_repr(value)}")
            if not value <= self.most:  # type: ignore[operator]
                raise ValueError(f"{name} must be at most {self.most:.10g}, got {brief_repr(value)}")

    def _is_option(self, value: object) -> bool:
        """Return whether `value` is one of the options of this rule."""
        return isinstance(value, str) and value in self.options

    def to_python_type(self, value: Any) -> Any:
        """Return an allowed value as Python's own type, so that it is printed plainly.

        Numbers of numpy and fractions become int or float, and −0.0, which is equal to 0.0, becomes 0.0.
        """
        if self.kind == "object" or type(value) in (bool, int, str, tuple, type(None)):
            return value
        if isinstance(value, str):
            return str(value)
        return int(value) if isinstance(value, Integral) else float(value) + 0.0


def _list_options(options: Sequence[str]) -> str:
    """Return the options as text, separated by commas; of more than `LISTED_MOST` only three and how many there are."""
    first_options = options if len(options) <= LISTED_MOST else options[:3]
    return ", ".join(map(repr, first_options)) + (
        f", … ({len(options)} names)" if len(options) > len(first_options) else ""
    )


def setting(default: Any, kind: Any, label: str, help: str, **rule: Any) -> Any:
    """Return a dataclass field for a setting, with its default and, as metadata, the `SettingRule` of the arguments."""
    return field(default=default, metadata={"rule": SettingRule(kind, label, help, **rule)})


@dataclass(frozen=True, slots=True)
class Settings:
    """The base class of every metric's settings; it checks each field against its rule on construction."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            rule: SettingRule = f.metadata["rule"]
            rule.check(f.name, value)
            plain = rule.to_python_type(value)
            if plain is not value:
                object.__setattr__(self, f.name, plain)

    @classmethod
    def rules(cls) -> dict[str, SettingRule]:
        """Return the rule of each setting by its name, in the order of the fields."""
        return {f.name: f.metadata["rule"] for f in fields(cls)}

    def of_texts(self, language: str) -> Self:
        """Return a copy of these settings for texts in `language`; only settings for the texts' language change."""
        given = {name: language for name, rule in self.rules().items() if rule.of_texts}
        return replace(self, **given) if given else self

    def to_dict(self) -> dict[str, Any]:
        """Return these settings as plain values for JSON.

        An object is named by its `signature`, or by its type if it has none.
        """
        out = {}
        for f in fields(self):
            value = getattr(self, f.name)
            if isinstance(value, tuple):
                value = list(value)
            elif not (value is None or isinstance(value, bool | str | int | float)):
                value = str(getattr(value, "signature", None) or type(value).__name__)
            out[f.name] = value
        return out

    def signature(self) -> str:
        """Return these settings in one line, as `name:value|` for each."""
        values = self.to_dict()
        return "".join(f"{n}:{'+'.join(v) if isinstance(v, list) else v}|" for n, v in values.items())
