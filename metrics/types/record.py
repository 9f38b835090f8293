"""Every data type of the core: coordinates, marks, layers, results, and the record that describes a metric.

Positions are 0-based everywhere: `i` in the candidate, `k` the number of the reference, `j` in that reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import cleandoc
from itertools import chain
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, overload

from .arithmetic import Amount

if TYPE_CHECKING:
    from .. import formula

__version__ = "0.1.0"

Tokens: TypeAlias = tuple[str, ...]


# ---------------------------------------------------------------- marks


class Hit(NamedTuple):
    """Candidate word `i` meets word `j` of reference `k`: they are equal or, for SIA, similar."""

    i: int
    k: int
    j: int

    def cells(self) -> tuple[Hit, ...]:
        return (self,)


class Run(NamedTuple):
    """A diagonal of hits from (i, j) on.

    `length` counts the credited hits. It is fractional only where GTM's cap cuts a run:
    a run of length 1.5 occupies two whole cells and is credited for one and a half.
    """

    i: int
    k: int
    j: int
    length: float

    def cells(self) -> tuple[Hit, ...]:
        i, k, j, length = self
        return tuple(Hit(i + d, k, j + d) for d in range(math.ceil(length)))


class SkipBigram(NamedTuple):
    """Two hits of one reference, rising in both sentences; a discordant pair (RIBES) does not rise in the reference."""

    first: Hit
    second: Hit

    def cells(self) -> tuple[Hit, ...]:
        return (self.first, self.second)


class Area(NamedTuple):
    """A polygon on the grid of reference `k`.

    `corners` are (row, column) pairs in cell units: cell (i, j) covers rows i to i + 1 and columns j to j + 1.
    """

    corners: tuple[tuple[float, float], ...]
    k: int


class Neighbours(NamedTuple):
    """Two blocks that follow each other in both sentences (dcs); the credit is the product of their lengths."""

    first: Run
    second: Run

    def cells(self) -> tuple[Hit, ...]:
        return self.first.cells() + self.second.cells()

    def areas(self) -> tuple[Area, Area]:
        """Two right triangles, one on each side of the diagonal, whose areas sum to the product of the lengths.

        The first block ends at corner (r, c) and the next starts at (r', c'): the right angles are at (r, c') and
        (r', c), the legs are the two lengths, so that neither triangle covers a block unless the blocks overlap.
        """
        a, b = self.first, self.second
        r, c, r2, c2 = a.i + a.length, a.j + a.length, b.i, b.j
        upper = ((r, c2), (r - a.length, c2), (r, c2 + b.length))
        lower = ((r2, c), (r2, c - a.length), (r2 + b.length, c))
        return Area(upper, a.k), Area(lower, a.k)


class Edit(NamedTuple):
    """One step of an edit script: words i_start to i_end of the candidate meet words j_start to j_end of reference `k`.

    The ranges are half-open. A match or a substitution has equally many words on both sides, an insertion (the
    candidate has words that the reference lacks) none of the reference, a deletion none of the candidate.
    """

    op: Literal["match", "substitution", "insertion", "deletion"]
    i_start: int
    i_end: int
    k: int
    j_start: int
    j_end: int

    def cells(self) -> tuple[Hit, ...]:
        _, i, end, k, j, j_end = self
        return tuple(map(Hit, range(i, end), (k,) * (end - i), range(j, j_end)))


class Shift(NamedTuple):
    """A block of candidate words is moved (TER): words `start` to `end` of the present order, to begin at `to`.

    `rows` are the original positions of the moved words; the block equals the words of reference `k` from `j` on.
    """

    start: int
    end: int
    to: int
    k: int
    j: int
    rows: tuple[int, ...]

    def cells(self) -> tuple[Hit, ...]:
        return tuple([Hit(i, self.k, self.j + d) for d, i in enumerate(self.rows)])

    def apply(self, order: Sequence[int]) -> list[int]:
        """The order of words after the move: `to` counts in the sentence without the block.

        >>> Shift(2, 4, 0, 0, 0, (2, 3)).apply([0, 1, 2, 3, 4])
        [2, 3, 0, 1, 4]
        """
        rest = [*order[: self.start], *order[self.end :]]
        return [*rest[: self.to], *order[self.start : self.end], *rest[self.to :]]


#: What makes up a score. Its `cells()` are the cells that it joins, in order; a word without a partner has none.
Mark: TypeAlias = Hit | Run | SkipBigram | Neighbours | Edit | Shift
#: How the two words of a cell go together.
Relation: TypeAlias = Literal["equal", "stem", "synonym", "similar", "different"]


# ---------------------------------------------------------------- segments and results


class Segment(NamedTuple):
    """One candidate and its references, at least one, all as tokens."""

    candidate: Tokens
    references: tuple[Tokens, ...]


_SEQUENCES = (tuple, list)  # what most callers give: spares the slower tests


def tokens(words: object, name: str, number: int | None = None) -> Tokens:
    """`words` as a tuple of strings; TypeError for a bare string or for anything in it that is not one.

    The error calls the words by `name` and, where they are one of several, `number`.
    """
    if isinstance(words, _SEQUENCES):
        out = tuple(words)
        try:
            "".join(out)  # the quickest test of many words
            return out
        except TypeError:
            pass
    # Only now: most words are right and need no name.
    name = name if number is None else f"{name} {number}"
    if isinstance(words, str | bytes | bytearray):
        raise TypeError(
            f"{name} must be a sequence of tokens, got the string {words[:40]!r}; split it into words first"
        )
    # A set has no order, and an array of no dimensions cannot be gone through.
    if not isinstance(words, Iterable) or isinstance(words, set | frozenset) or getattr(words, "ndim", 1) == 0:
        raise TypeError(f"{name} must be a sequence of tokens, got {type(words).__name__}")
    out = tuple(words)
    for position, word in enumerate(out):
        if not isinstance(word, str):
            raise TypeError(f"{name} must hold strings, got {brief(word)} at position {position}")
    return out


def brief(value: object) -> str:
    """A value as an error says it: its repr, cut where it is long.

    >>> brief("one"), len(brief(["one"] * 100)), brief(10**5000)
    ("'one'", 60, 'a number too long to be written')
    """
    try:
        text = repr(value)
    except ValueError:  # Python's own limit for integers
        return "a number too long to be written"
    return text if len(text) <= 60 else f"{text[:59]}…"


def segment(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> Segment:
    """A checked Segment: TypeError where a string stands for tokens, ValueError without references."""
    if not isinstance(references, _SEQUENCES) and (
        isinstance(references, str | bytes) or not isinstance(references, Iterable)
    ):
        raise TypeError("references must be a list of token sequences, one for each reference")
    checked = tuple([tokens(reference, "reference", number) for number, reference in enumerate(references, 1)])
    if not checked:
        raise ValueError("references must hold at least one reference, got none")
    return Segment(tokens(candidate, "candidate"), checked)


class Deferred(Sequence[Mark]):
    """`size` marks that are made when they are looked at; otherwise as a tuple of them would be.

    Many marks may follow from a few others: a hundred aligned words have five thousand pairs, two thousand have two
    million. Who wants the score alone need not wait for them, and who looks at some does not keep them all:
    `make(start, stop)` makes those from `start` to before `stop`. All lie in one reference, and `cells()` are their
    cells, each once, found without the marks. They are pickled as a tuple.

    >>> marks = Deferred(1, lambda start, stop: [Hit(0, 0, 2)][start:stop], lambda: (Hit(0, 0, 2),))
    >>> len(marks), marks == (Hit(0, 0, 2),), marks
    (1, True, (Hit(i=0, k=0, j=2),))
    """

    __slots__ = ("_kept", "_make", "cells", "size")

    #: So many marks are kept once they are made.
    KEPT_MOST = 20_000

    def __init__(
        self, size: int, make: Callable[[int, int], Iterable[Mark]], cells: Callable[[], Sequence[Hit]]
    ) -> None:
        self.size, self._make, self.cells = size, make, cells
        self._kept: tuple[Mark, ...] | None = None

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> Mark: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Mark, ...]: ...

    def __getitem__(self, at: int | slice) -> Mark | tuple[Mark, ...]:
        if self.size <= self.KEPT_MOST:
            return self._all()[at]
        if isinstance(at, slice):
            start, stop, step = at.indices(self.size)
            return tuple(self._make(start, stop))[::step] if step > 0 else tuple(self)[at]
        where = at + self.size if at < 0 else at
        if not 0 <= where < self.size:
            raise IndexError(f"there are {self.size} marks, got {at}")
        return next(iter(self._make(where, where + 1)))

    def _all(self) -> tuple[Mark, ...]:
        if self._kept is None:
            self._kept = tuple(self._make(0, self.size))
        return self._kept

    def __iter__(self) -> Iterator[Mark]:
        return iter(self._all() if self.size <= self.KEPT_MOST else self._make(0, self.size))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Deferred) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Mark, ...]], tuple[tuple[Mark, ...]]]:
        return tuple, (tuple(self),)


class Cut(NamedTuple):
    """A run of which only the beginning counts: its number among the marks of its layer, its whole length, and why."""

    t: int
    length: int
    why: str


class Layer(NamedTuple):
    """Marks of one kind that entered the score together ("2-grams", "round 1").

    `credits[t]` is what `marks[t]` contributed and `weight` multiplies their sum; the layers that name a statistic
    add up to it. The next three fields say what a picture may claim: `path` that the marks rise in order and are one
    path, `area` that the square around a run is credited, `number` that the layer is a numbered round. `relation` says
    how the words of its cells go together; those of a substitution are "different".

    Nothing is read out of the name: `k` is the reference in which all the marks lie, where the metric says so; `kind`
    is the name of all layers of this sort ("LCS" of "LCS, reference 2", "rounds" of "round 2"); `noun` is what one of
    the marks, or a numbered layer itself, is called ("2-gram", "round"); `cut` is the run that was cut, if one was.
    """

    name: str
    marks: tuple[Mark, ...] | Deferred
    credits: tuple[float, ...]
    weight: float = 1.0
    statistics: tuple[str, ...] = ()
    path: bool = False
    area: bool = False
    number: int | None = None
    relation: Relation = "equal"
    k: int | None = None
    kind: str = ""
    noun: str = "mark"
    cut: Cut | None = None

    def total(self) -> float:
        """The weighted sum of the credits."""
        return self.weight * math.fsum(self.credits)

    def cells(self) -> Iterable[Hit]:
        """The cells of all marks, in their order; a cell may come again."""
        if isinstance(self.marks, Deferred):
            return self.marks.cells()
        return chain.from_iterable([mark.cells() for mark in self.marks])


class Alignment(NamedTuple):
    """What a metric finds in one segment: statistics, the marks behind them, and which reference decided which part.

    `layers` is empty where only the statistics were asked for.
    """

    stats: Mapping[str, float]
    layers: tuple[Layer, ...]
    decides: Mapping[str, int]


class Score(NamedTuple, Generic[Amount]):
    """A score and its named parts, in the order in which they are read: numbers, or columns of them."""

    score: Amount
    parts: dict[str, Amount]


class FromStats(Protocol):
    """The score and its parts from a metric's statistics, given as numbers or as columns: float64 arrays of one length,
    0 too, whose rows are the statistics of segments, or sums of those of several, what one lacks counting as 0.

    Of columns it makes columns, in which each row is what it makes of that row's numbers, within 1e-14. It stands once
    for both: what its equations need beside + and ** is in `ARITHMETIC`.
    """

    def __call__(self, stats: Mapping[str, Amount], settings: Any, /) -> Score[Amount]: ...


@dataclass(frozen=True, slots=True)
class Result:
    """One score with all its evidence.

    `parts` are the named numbers beside the score. `stats` are the statistics that the formula uses. `decides` names,
    for parts that come from one reference only, the number of that reference.
    """

    metric: str
    settings: Settings
    segment: Segment
    score: float
    parts: Mapping[str, float]
    stats: Mapping[str, float]
    layers: tuple[Layer, ...]
    decides: Mapping[str, int]

    def cells(self) -> set[Hit]:
        """All cells that some mark uses."""
        return {cell for layer in self.layers for cell in layer.cells()}

    def __hash__(self) -> int:
        """A result follows from these three, so it can be remembered by them."""
        return hash((self.metric, self.settings, self.segment))

    def adds_up(self) -> bool:
        """Whether the credits of all marks are parts of one sum: of the same statistics, and not matches and chunks."""
        return len({layer.statistics for layer in self.layers if layer.marks}) == 1

    def contributions(self) -> tuple[float, ...]:
        """For each reference the weighted credit of the marks that lie in it."""
        out = [0.0] * len(self.segment.references)
        for layer in self.layers:
            if isinstance(layer.marks, Deferred):
                if layer.marks:
                    out[_reference(layer.marks[0])] += layer.total()
                continue
            for mark, credit in zip(layer.marks, layer.credits, strict=True):
                out[_reference(mark)] += layer.weight * credit
        return tuple(out)

    def signature(self, text: str = "") -> str:
        """What is needed to repeat the number: metric, settings, text processing, references, version."""
        return signature(self.metric, self.settings, text, len(self.segment.references))

    def to_dict(self) -> dict[str, Any]:
        """The whole result in JSON's types; marks become lists headed by their type."""
        return {
            "metric": self.metric,
            "signature": self.signature(),
            "settings": self.settings.to_dict(),
            "candidate": list(self.segment.candidate),
            "references": [list(r) for r in self.segment.references],
            "score": self.score,
            "parts": dict(self.parts),
            "stats": dict(self.stats),
            "decides": dict(self.decides),
            "layers": [
                {
                    "name": layer.name,
                    "weight": layer.weight,
                    "statistics": list(layer.statistics),
                    "mark": type(layer.marks[0]).__name__ if layer.marks else None,
                    "marks": _plain(layer.marks),
                    "credits": list(layer.credits),
                }
                for layer in self.layers
            ],
        }


def signature(metric: str, settings: Settings, text: str, references: int | str) -> str:
    """The signature of scores with so many references, "var" where segments differ, as sacreBLEU writes it."""
    middle = f"{text}|" if text else ""
    return f"{metric}|{settings.signature()}{middle}refs:{references}|v:{__version__}"


def _reference(mark: Mark) -> int:
    return mark.first.k if isinstance(mark, SkipBigram | Neighbours) else mark.k


def _plain(marks: Any) -> Any:
    return [_plain(m) for m in marks] if isinstance(marks, tuple | Deferred) else marks


class Reason(NamedTuple):
    """What stands against a match that a result does not use, in words, which those of `mark` follow where it has one:
    "the word is in the longer run" and the run."""

    says: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Ties:
    """The alignments that are as good as the one of a result, itself included.

    There are `count` of them, or at least as many where `exact` is False. `results` are the first few, the result
    itself first, each with its own marks. `always` are the cells that all of them use and `sometimes` those that only
    some use, as far as they were found: neither where nothing could be searched. `depends` says whether the score
    depends on the choice among them, or among those that were found.
    """

    count: int
    exact: bool
    results: tuple[Result, ...]
    always: frozenset[Hit]
    sometimes: frozenset[Hit]
    depends: bool = False


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """The corpus value of a metric over `size` segments.

    `stats` are the sums of the segments' statistics, `segments` the statistics of each segment in turn.
    """

    metric: str
    settings: Settings
    size: int
    score: float
    parts: Mapping[str, float]
    stats: Mapping[str, float]
    segments: tuple[Mapping[str, float], ...] = field(default=(), repr=False)


# ---------------------------------------------------------------- settings

#: What a setting that counts words can be at the most: more than any sentence has.
LENGTH_MOST = 1_000_000_000


@dataclass(frozen=True)
class Rule:
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
    shown: tuple[float, float] | None = None  # the range a slider offers, where it is narrower than the rule
    several: bool = False  # matters only where there are several references

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
            wanted = Integral if self.kind == "whole" else Real
            if not isinstance(value, wanted) or isinstance(value, bool):
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
    return ", ".join(map(repr, options))


def setting(default: Any, kind: Any, label: str, help: str, **rule: Any) -> Any:
    """A dataclass field with its rule as metadata."""
    return field(default=default, metadata={"rule": Rule(kind, label, help, **rule)})


@dataclass(frozen=True, slots=True)
class Settings:
    """Base of every metric's settings: checks each field against its rule when it is made."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            rule: Rule = f.metadata["rule"]
            rule.check(f.name, value)
            plain = rule.plain(value)
            if plain is not value:
                object.__setattr__(self, f.name, plain)

    @classmethod
    def rules(cls) -> dict[str, Rule]:
        """The rule of each setting, in order."""
        return {f.name: f.metadata["rule"] for f in fields(cls)}

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
        shown = self.to_dict()
        return "".join(f"{n}:{'+'.join(v) if isinstance(v, list) else v}|" for n, v in shown.items())


# ---------------------------------------------------------------- metrics


class About(NamedTuple):
    """What a page tells about a metric, from its docstring."""

    idea: str
    text: tuple[str, ...]
    formula: tuple[str, ...]
    rewards: str
    unseen: str


NOTHING_TO_TELL = About("", (), (), "", "")


def about(doc: str | None) -> About:
    """A metric's docstring taken apart: the idea is its first line, formulas are indented, and the paragraphs that
    begin with "Rewards:" and "Cannot see:" say what it rewards and what it cannot see. Doctests and citations are
    left out, other paragraphs are its text.

    >>> about("Counts words.\\n\\n    P = hits / n\\n\\nRewards: hits.\\n\\nCannot see: order.\\n")
    About(idea='Counts words.', text=(), formula=('P = hits / n',), rewards='hits.', unseen='order.')
    """
    text, formula, rewards, unseen = [], [], "", ""
    idea, *paragraphs = cleandoc(doc or "").split("\n\n")
    for paragraph in paragraphs:
        plain = " ".join(paragraph.split())
        if paragraph.startswith("    "):
            formula += [line.strip() for line in paragraph.splitlines()]
        elif plain.startswith("Rewards: "):
            rewards = plain.removeprefix("Rewards: ")
        elif plain.startswith("Cannot see: "):
            unseen = plain.removeprefix("Cannot see: ")
        elif not plain.startswith((">>>", "Source: ")):
            text.append(plain)
    return About(" ".join(idea.split()), tuple(text), tuple(formula), rewards, unseen)


class Role(NamedTuple):
    """What a statistic is in its metric's score.

    "match", "order" and "contiguity" are made by what is right, "edit" by what is wrong; "candidate length" and
    "reference length" follow from the lengths of the sentences, of whatever is counted in them, a candidate's length
    also where it decides which reference's length counts; "other" statistics
    follow from those (`Metric.complete`), or stand in no score. `part` tells statistics apart that count the same
    marks for different parts of a score, such as "precision" and "recall". `cost` says that more of it is worse.
    """

    kind: Literal["match", "order", "contiguity", "edit", "candidate length", "reference length", "other"]
    part: str = ""
    cost: bool = False


#: Puts right a mixture of statistics, see `Metric`.
Complete: TypeAlias = Callable[[dict[str, float], Any, Mapping[str, float], tuple[Tokens, ...]], None]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: functions in a record.

    `align(segment, settings, marks)` finds statistics and, where `marks` is True, the marks behind them; without marks
    it is faster and the statistics are the same. `from_stats` turns statistics, numbers or columns of them, into
    the score and its parts (`FromStats`), `formula` writes the score out step by step. `pooling` says how a corpus is
    scored: "sum" applies `from_stats` to the summed
    statistics, "mean" averages the segments' scores, as the metric's authors do. `summary` is a word or two for a
    small tile ("3 rounds"); None where precision and recall say it. `remark` is a sentence to show beside a result of
    which something must be said ("" where nothing must). `ties(result, most)` finds the equally good alignments, `most`
    of them as results; None where a metric has only one. `why_not(result)` gives a function from a match that the
    result does not use to what stands against it, None where nothing can be said. `corpus` gives the statistics of all
    segments of a corpus where those of one segment depend on the others. `about` is what a page tells about the
    metric. Ledgers of changes need more: `role` tells for the name of each statistic what it is, and raises KeyError
    for others; `complete(stats, settings, words, references)` puts right a mixture of the statistics of two outputs
    of a segment: it limits them to what some output could have, and finds those that follow from others; `words`
    holds for each statistic in which a word can count more or less than 1 how many words count. `most` is the
    highest score, infinity where there is none. `why(cause, result)` is the reason of an amount that is no whole
    number, headed by what is counted ("words: …"), and `zero` the reason of a score of 0 that a setting would lift,
    "" where there is none. `length_penalty` names the part by which a wrong length is punished, "" where there is
    none. `variants` are settings that stand beside the defaults in a table of all metrics, by what they are called
    there; those called as the metric is stand in the place of its defaults.

    Four parts are for teaching. Each is a function without arguments that imports it, so that who scores imports no
    teaching; None where the metric has none, and then no menu offers what needs it, and who asks for it by name gets a
    ValueError. `program` gives the paper's program, a `teach.steps.Program` whose steps can be watched; `asks` the
    `teach.asking.Asking` that asks about these steps; `slips` the function that finds the numbers which common mistakes
    give in place of a score, a `teach.mistakes.Slips`; `plans` what exercises are made of, `teach.plans.Plans`.
    """

    key: str
    label: str
    name: str
    idea: str
    family: str
    citation: str
    higher_is_better: bool
    pooling: Literal["sum", "mean"]
    Settings: type[Settings]
    align: Callable[[Segment, Any, bool], Alignment]
    from_stats: FromStats
    formula: Callable[[Result], tuple[formula.Step, ...]]
    role: Callable[[str], Role]
    summary: Callable[[Result], str] | None = None
    remark: Callable[[Result], str] | None = None
    ties: Callable[[Result, int], Ties] | None = None
    why_not: Callable[[Result], Callable[[Hit], Reason | None]] | None = None
    corpus: Callable[[Sequence[Segment], Any], Iterable[Mapping[str, float]]] | None = None
    about: About = NOTHING_TO_TELL
    complete: Complete | None = None
    most: float = 1.0
    why: Callable[[str, Result], str] | None = None
    zero: Callable[[Result], str] | None = None
    length_penalty: str = ""
    program: Callable[[], Any] | None = None
    asks: Callable[[], Any] | None = None
    slips: Callable[[], Any] | None = None
    plans: Callable[[], Any] | None = None
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def score(self, segment: Segment, settings: Any) -> Result:
        """The result for one segment. Its score is `from_stats` of its statistics by construction."""
        stats, layers, decides = self.align(segment, settings, True)
        value, parts = self.from_stats(stats, settings)
        return Result(self.key, settings, segment, value, parts, stats, layers, decides)

    def statistics(self, segment: Segment, settings: Any) -> Mapping[str, float]:
        """The statistics alone, for corpora: the same as those of `score`, without marks."""
        return self.align(segment, settings, False).stats

    def pooled(self, segments: Sequence[Mapping[str, float]], settings: Any) -> CorpusResult:
        """The corpus value of the statistics of segments, of which there is at least one."""
        sums = _sums(segments)
        if self.pooling == "sum":
            value, parts = self.from_stats(sums, settings)
        else:
            scores = [self.from_stats(stats, settings) for stats in segments]
            value = math.fsum([score.score for score in scores]) / len(scores)
            parts = {name: total / len(scores) for name, total in _sums([score.parts for score in scores]).items()}
        return CorpusResult(self.key, settings, len(segments), value, parts, sums, tuple(segments))


def _sums(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The numbers of each name added up, in the order of the longest; what one of them lacks counts as 0."""
    longest = max(each, key=len)  # rounds of SIA that not all segments have
    names = {name: None for some in (longest, *dict.fromkeys(map(tuple, each))) for name in some}
    return {name: math.fsum([some.get(name, 0.0) for some in each]) for name in names}


class TooHard(ValueError):  # noqa: N818, it is no error of the user's
    """An exact solver would need more work than it may do; it never returns an answer that it has not proved."""


def first_line(doc: str | None) -> str:
    """A module's idea: the first line of its docstring."""
    return (doc or "").partition("\n")[0]


def quoted(text: str, room: int = 32) -> str:
    """Text in quotation marks, what cannot be printed as U+FFFD, cut where it is too long.

    >>> quoted("cat"), quoted("incomprehensibilities", 12), quoted("a\\n")
    ('“cat”', '“incomprehen…”', '“a�”')
    """
    text = visible(text[: room + 1])
    return f"“{text}”" if len(text) <= room else f"“{text[: room - 1]}…”"


def visible(text: str) -> str:
    """The text with U+FFFD for what cannot be printed, but for the joiners that words and emoji need.

    >>> visible("a\\n")
    'a�'
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in "\u200c\u200d" else "\ufffd" for c in text])
