"""The settings of a metric, and the rules that they keep."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    pass
from .words import brief

#: What a setting that counts words can be at the most: more than any sentence has.
LENGTH_MOST = 1_000_000_000

#: Options that a sentence lists.
LISTED_MOST = 20


@dataclass(frozen=True)
class SettingRule:
    """What a setting may be, in a form that checks a value and from which a control can be built.

    `kind` is "number", "whole", "choice", "choices" (a non-empty tuple of different ones), "flag" or "object". A number
    lies between `least` and `most`; `optional` admits None, which `none` names in the control.
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
    slider_range: tuple[float, float] | None = None  # the range a slider offers, where it is narrower than the rule
    several: bool = False  # matters only where there are several references
    of_texts: bool = False  # says in which language the texts are, which is the same for all metrics

    def check(self, name: str, value: object) -> None:
        """ValueError with the rule and the value if `value` breaks the rule."""
        if (value is None and self.optional) or self.kind == "object":
            return
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise ValueError(f"{name} must be True or False, got {brief(value)}")
        elif self.kind == "choice":
            if not self._offers(value):
                raise ValueError(f"{name} must be one of {_listed(self.options)}, got {brief(value)}")
        elif self.kind == "choices":
            if not isinstance(value, tuple) or not value or not all(map(self._offers, value)):
                raise ValueError(f"{name} must be some of {_listed(self.options)}, got {brief(value)}")
            if len(set(value)) < len(value):
                raise ValueError(f"{name} must name each only once, got {brief(value)}")
        else:
            number_type = Integral if self.kind == "whole" else Real
            if not isinstance(value, number_type) or isinstance(value, bool):
                what = "a whole number" if self.kind == "whole" else "a number"
                raise ValueError(f"{name} must be {what}{' or None' if self.optional else ''}, got {brief(value)}")
            # Written so that NaN, which compares false with everything, is refused.
            if not value >= self.least:  # type: ignore[operator]
                raise ValueError(f"{name} must be at least {self.least:.10g}, got {brief(value)}")
            if not value <= self.most:  # type: ignore[operator]
                raise ValueError(f"{name} must be at most {self.most:.10g}, got {brief(value)}")

    def _offers(self, value: object) -> bool:
        return isinstance(value, str) and value in self.options

    def plain(self, value: Any) -> Any:
        """A value that keeps the rule in Python's own types, so that it prints as itself: numpy's numbers and fractions
        become int or float, and −0.0, which is equal to 0.0, becomes that."""
        if self.kind == "object" or type(value) in (bool, int, str, tuple, type(None)):
            return value
        if isinstance(value, str):
            return str(value)
        return int(value) if isinstance(value, Integral) else float(value) + 0.0


def _listed(options: Sequence[str]) -> str:
    """The options, of many the first ones."""
    first_options = options if len(options) <= LISTED_MOST else options[:3]
    return ", ".join(map(repr, first_options)) + (
        f", … ({len(options)} names)" if len(options) > len(first_options) else ""
    )


def setting(default: Any, kind: Any, label: str, help: str, **rule: Any) -> Any:
    """A dataclass field with its rule as metadata."""
    return field(default=default, metadata={"rule": SettingRule(kind, label, help, **rule)})


@dataclass(frozen=True, slots=True)
class Settings:
    """Base of every metric's settings: checks each field against its rule when it is made."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            rule: SettingRule = f.metadata["rule"]
            rule.check(f.name, value)
            plain = rule.plain(value)
            if plain is not value:
                object.__setattr__(self, f.name, plain)

    @classmethod
    def rules(cls) -> dict[str, SettingRule]:
        """The rule of each setting, in order."""
        return {f.name: f.metadata["rule"] for f in fields(cls)}

    def of_texts(self, language: str) -> Self:
        """The same settings of texts in a language, where they say what the texts are."""
        given = {name: language for name, rule in self.rules().items() if rule.of_texts}
        return replace(self, **given) if given else self

    def to_dict(self) -> dict[str, Any]:
        """The settings in JSON's types; an object is named by its `signature`, or by its type where it has none."""
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
        """`name:value|` for every setting."""
        values = self.to_dict()
        return "".join(f"{n}:{'+'.join(v) if isinstance(v, list) else v}|" for n, v in values.items())
