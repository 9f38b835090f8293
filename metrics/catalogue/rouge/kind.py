"""What tells one ROUGE from another, and what the settings of all four have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ...formula import Expr
from ...types import Deferred, Layer, Mark, Segment, setting


class RougeSettings(Protocol):
    """What the settings of all four have."""

    @property
    def beta(self) -> float: ...

    @property
    def f_measure(self) -> str: ...

    @property
    def multi_reference(self) -> str: ...


def beta_setting() -> Any:
    """How much more recall counts than precision."""
    return setting(
        1.0,
        "number",
        "β of the F-measure",
        "How many times as much recall counts as precision; 0 is precision alone.",
        least=0,
        most=1e6,
        step=0.1,
        slider_range=(0, 4),
    )


def f_measure_setting() -> Any:
    """Where β comes from."""
    return setting(
        "beta",
        "choice",
        "F-measure",
        "beta uses the number β; lin_och uses the paper's β = P/R, whose condition is circular: β weighs the P and R "
        "that it is made from.",
        options=("beta", "lin_och"),
    )


def multi_reference_setting() -> Any:
    """How several references count."""
    return setting(
        "independent",
        "choice",
        "Several references",
        "independent: best P and best R, from any reference; best: the reference of the best F; sum: counts summed; "
        "best_recall: the reference of the best recall; jackknife: mean over the sets that leave one reference out.",
        options=("independent", "best", "sum", "best_recall", "jackknife"),
        several=True,
    )


class RougeLayer(NamedTuple):
    """A layer's marks before it is known whether the reference has to be named."""

    kind: str
    marks: tuple[Mark, ...] | Deferred
    credits: tuple[float, ...]
    noun: str


class RougeAmounts(NamedTuple):
    """How much the candidate shares with each reference; `draw` makes the marks of one, for those that decide.

    An amount that takes long to find is at first only a limit that it cannot exceed; `limited` has what finds it.
    """

    amounts: list[float]
    draw: Callable[[int], list[RougeLayer]]
    limited: dict[int, Callable[[], float]]

    def find(self, unsure: list[int]) -> None:
        """Put these amounts in place of their limits."""
        for k in unsure:
            self.amounts[k] = self.limited.pop(k)()


@dataclass(frozen=True, slots=True)
class RougeKind:
    """What tells one ROUGE from another: the count's symbol in the papers, the part it is given as, how to count.

    `share` finds what a candidate has in common with its references, and `total(length, settings)` is how many of what
    is counted a sentence of this length has; `written` writes a total out, and `noun` says what the credits of a layer
    count, and how many of it a sentence of a length has. `weight` is the exponent of f: 1, so that f is the identity,
    in all but ROUGE-W.
    """

    symbol: str
    part: str | None
    share: Callable[[Segment, Any], RougeAmounts]
    total: Callable[[Any, Any], float]
    written: Callable[[int, Any], Expr]
    noun: Callable[[Layer, int, Any], tuple[str, float | None]]
    weight: Callable[[Any], float] = lambda settings: 1.0
    path: bool = False
    area: bool = False


def ones(marks: Sequence[Mark]) -> tuple[float, ...]:
    return (1.0,) * len(marks)
