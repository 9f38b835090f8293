"""Define what distinguishes one ROUGE metric from another, and the settings that all four share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ...formula import Expr
from ...types import Deferred, Layer, Mark, Segment, setting


class RougeSettings(Protocol):
    """The settings that all four ROUGE metrics have, as properties."""

    @property
    def beta(self) -> float: ...

    @property
    def f_measure(self) -> str: ...

    @property
    def multi_reference(self) -> str: ...


def beta_setting() -> Any:
    """Return the field for the setting β of the F-measure: how many times as much recall counts as precision."""
    return setting(
        1.0,
        "number",
        "β of the F-measure",
        "Recall counts β times as much as precision; 0 is precision alone.",
        least=0,
        most=1e6,
        step=0.1,
        slider_range=(0, 4),
    )


def f_measure_setting() -> Any:
    """Return the field for the setting that chooses β: the number that is set, or P/R as Lin and Och print."""
    return setting(
        "beta",
        "choice",
        "F-measure",
        "beta uses the number β; lin_och uses the paper's β = P/R, which is circular: β weighs the P and R "
        "that it is made from.",
        options=("beta", "lin_och"),
    )


def multi_reference_setting() -> Any:
    """Return the field for the setting that says how several references are combined."""
    return setting(
        "independent",
        "choice",
        "Several references",
        "independent: best P and best R, from any reference; best: the reference with the best F; sum: counts summed; "
        "best_recall: the reference with the best recall; jackknife: mean over the sets that leave one reference out.",
        options=("independent", "best", "sum", "best_recall", "jackknife"),
        several=True,
    )


class RougeLayer(NamedTuple):
    """A layer of marks as a ROUGE metric draws it, before the reference's index and weight are added.

    Attributes:
        kind: the type of the layer, such as "2-grams".
        marks, credits: the marks of the layer, and what each contributes.
        noun: what one credit counts, such as "2-gram"."""

    kind: str
    marks: tuple[Mark, ...] | Deferred
    credits: tuple[float, ...]
    noun: str


class RougeAmounts(NamedTuple):
    """The amounts (of n-grams, words in order, or pairs) that the candidate shares with each reference.

    Attributes:
        amounts: the shared amount by reference; an amount that takes long to compute is at first only its upper limit.
        draw: `draw(k)` returns the layers of reference `k`; called only for the references that decide.
        limited: for each reference whose amount is still a limit, the function that computes the amount."""

    amounts: list[float]
    draw: Callable[[int], list[RougeLayer]]
    limited: dict[int, Callable[[], float]]

    def compute_limited(self, unsure: list[int]) -> None:
        """Replace the upper limits of these references by their computed amounts."""
        for k in unsure:
            self.amounts[k] = self.limited.pop(k)()


@dataclass(frozen=True, slots=True)
class RougeKind:
    """The properties that distinguish one of the four ROUGE metrics from the others.

    A countable unit is an n-gram, a word, or a pair of words; in ROUGE-W a word in a run counts more.

    Attributes:
        symbol: the papers' symbol for the shared amount, such as "WLCS".
        part: the name of this amount among the score's parts; None if it is not one of them.
        share: computes how much a candidate shares with its references.
        total: `total(length, settings)` is how many countable units a sentence of this length has.
        written: `written(length, settings)` is this total as an expression for the formula.
        noun: `noun(layer, length, settings)` is what a layer counts, and how many of it a sentence of this length has.
        weight: the exponent of f; 1, so that f is the identity, in all but ROUGE-W.
        path: whether the layers are paths through the grid.
        area: whether the marks are drawn as areas."""

    symbol: str
    part: str | None
    share: Callable[[Segment, Any], RougeAmounts]
    total: Callable[[Any, Any], float]
    written: Callable[[int, Any], Expr]
    noun: Callable[[Layer, int, Any], tuple[str, float | None]]
    weight: Callable[[Any], float] = lambda settings: 1.0
    path: bool = False
    area: bool = False


def unit_credits(marks: Sequence[Mark]) -> tuple[float, ...]:
    return (1.0,) * len(marks)
