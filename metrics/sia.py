"""Words aligned in order, close neighbours credited most, round after round until none is left.

Stochastic iterative alignment of Liu and Gildea (2006). One round aligns the candidate with a reference by a chain of
cells that rises in both sentences. A cell earns s / √(Δi·Δj): Δi and Δj are its distances from the cell before it in
the chain (Figure 4) and s is 1 for equal words, else their similarity (Figure 5). The best chain's credits, divided by
the candidate length n, are the round's score. Each round takes the best reference, then retires the aligned words;
round r counts α^r, and the length penalty is n over the mean reference length where n is the smaller:

    SIA = penalty · Σ_r α^r · round_r

Distances count retired words too, start from just before both sentences, and end with the last cell, so that words
after it cost nothing. The figures leave this open or cannot run as printed; `SIASettings` names the other choices.

>>> from metrics import score
>>> r = score("sia", "the gunman kill police".split(), ["police killed the gunman".split()])
>>> [(layer.name, [tuple(hit) for hit in layer.marks]) for layer in r.layers]
[('round 1', [(0, 0, 2), (1, 0, 3)]), ('round 2', [(3, 0, 0)])]
>>> round(r.score, 4)
0.2284
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from numbers import Real
from typing import NamedTuple, cast

from .bitext import indexed
from .formula import Expr, Look, Number, Power, Product, Quotient, Root, Step, Sum, Symbol, Terms, step, sums
from .types import Alignment, Hit, Layer, Metric, Result, Score, Segment, Settings, Tokens, first_line, setting

_SHOWN_ROUNDS = 6
_SQRT2 = sqrt(2)


@dataclass(frozen=True, slots=True)
class SIASettings(Settings):
    """Settings of SIA. `similarity` is any symmetric function of two words that gives a number of at least 0.

    Equal words count 1 whatever it says. Its attribute `signature`, where it has one, names it in the signature.
    """

    decay: float = setting(
        0.5,
        "number",
        "Decay α",
        "What each further round is multiplied by.",
        least=0,
        most=1,
        step=0.05,
        shown=(0.05, 1.0),
    )
    schedule: str = setting(
        "geometric",
        "choice",
        "Decay schedule",
        "geometric weighs round r by α^r; squaring squares the weight from round to round, as Figure 6 literally "
        "prints; undecayed_first counts the first round fully, so α^(r−1).",
        options=("geometric", "squaring", "undecayed_first"),
    )
    iterative: bool = setting(True, "flag", "All rounds", "Off: one round, which counts fully (the paper's WLS).")
    length_penalty: bool = setting(
        True, "flag", "Length penalty", "Multiply by n / mean reference length where the candidate is shorter."
    )
    similarity: Callable[[str, str], float] | None = setting(
        None,
        "object",
        "Word similarity",
        "Lets words that are not equal align; they earn their similarity instead of 1 (the paper's PROB).",
        optional=True,
        none="equal words only",
    )

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.decay == 0:
            raise ValueError(f"decay must be greater than 0, got {self.decay!r}")
        if self.similarity is not None and not callable(self.similarity):
            raise ValueError(f"similarity must be a function of two words or None, got {self.similarity!r}")

    def exponent(self, number: int) -> float:
        """The power of the decay by which round `number`, counted from 1, is multiplied."""
        if not self.iterative:
            return 0
        if self.schedule == "squaring":
            return 2.0 ** min(number - 1, 1023)  # the weight is 0 long before the exponent leaves the range of floats
        return number if self.schedule == "geometric" else number - 1


# ---------------------------------------------------------------- one round


class Row(NamedTuple):
    """The free cells of candidate word `i` in one reference: their columns, ascending, and their words' similarity."""

    i: int
    columns: Sequence[int]
    ratios: Sequence[float]


class Cell(NamedTuple):
    """A cell of a chain and the credit that it earns there."""

    i: int
    j: int
    credit: float


class _Chains:
    """The best chain that ends at each cell, for all cells of the rows so far; a cell is known by its number."""

    __slots__ = ("before", "columns", "ends", "lines", "peaks", "ratios", "row_lines", "totals")

    def __init__(self) -> None:
        self.lines: list[int] = []  # each cell's i
        self.columns: list[int] = []  # and j
        self.ratios: list[float] = []
        self.totals: list[float] = []  # the credit of the best chain that ends there
        self.before: list[int] = []  # the cell before it in that chain, or -1
        self.row_lines: list[int] = []  # each row's i
        self.ends: list[int] = [0]  # the cells before each row, and before the next
        self.peaks: list[float] = []  # the most credit of any chain up to and with each row

    def predecessor(self, i: int, j: int, ratio: float, most: float, total: float) -> tuple[float, int]:
        """The best credit of a chain that ends with cell (i, j), and the cell before it there.

        `most` is the most credit of any chain that ends left of j, and `total` a credit known to be possible. The
        search goes from the nearest rows and columns outwards, and stops where the most credit that is left, and what
        the gaps reached by then allow, add up to less than `total`. Float addition never turns an order round, so
        nothing is missed, not even a tie; among equals the last that is found, the first of the grid, wins.
        """
        columns, totals = self.columns, self.totals
        cell = -1
        for row in range(len(self.row_lines) - 1, -1, -1):
            down = i - self.row_lines[row]
            bound = min(most, self.peaks[row])
            if bound + ratio / sqrt(down) < total:
                break
            first = self.ends[row]
            for c in range(bisect_left(columns, j, first, self.ends[row + 1]) - 1, first - 1, -1):
                credit = ratio / sqrt(down * (j - columns[c]))
                if bound + credit < total:
                    break
                if totals[c] + credit >= total:
                    total, cell = totals[c] + credit, c
        return total, cell

    def path(self, cell: int) -> list[Cell]:
        """The best chain that ends at `cell`."""
        cells = []
        while cell >= 0:
            cells.append(cell)
            cell = self.before[cell]
        out = []
        last_i = last_j = -1
        for cell in reversed(cells):
            i, j = self.lines[cell], self.columns[cell]
            out.append(Cell(i, j, self.ratios[cell] / sqrt((i - last_i) * (j - last_j))))
            last_i, last_j = i, j
        return out


class _Stairs:
    """The staircase of prefix maxima: the chain of most credit that ends left of a column."""

    __slots__ = ("cells", "columns", "totals")

    def __init__(self) -> None:
        self.columns: list[int] = []  # ascending, as are the totals
        self.totals: list[float] = []
        self.cells: list[int] = []

    def add(self, column: int, total: float, cell: int) -> None:
        """Take in a chain; among equals the later column stays, since it is nearer to what follows."""
        columns, totals = self.columns, self.totals
        after = bisect_right(columns, column)
        if after and totals[after - 1] > total:
            return
        start = end = after - 1 if after and columns[after - 1] == column else after
        while end < len(columns) and totals[end] <= total:
            end += 1
        columns[start:end] = [column]
        totals[start:end] = [total]
        self.cells[start:end] = [cell]


def best_chain(rows: Iterable[Row]) -> tuple[float, list[Cell]]:
    """The rising chain of most credit through the cells of `rows`, and that credit; (0.0, []) where nothing earns any.

    Ties, between chains and between the predecessors of a cell, go to the cell of lowest i, then of lowest j. The
    result is that of an exhaustive search to the last bit, but only cells that can matter are looked at.
    """
    chains, stairs = _Chains(), _Stairs()
    lines, columns, totals = chains.lines, chains.columns, chains.totals
    best, end = 0.0, -1
    for i, row_columns, row_ratios in rows:
        for j, ratio in zip(row_columns, row_ratios, strict=True):
            stair = bisect_left(stairs.columns, j) - 1
            if stair < 0:  # nothing comes before it but the virtual cell (-1, -1)
                total, previous = ratio / sqrt((i + 1) * (j + 1)), -1
            else:
                most, previous = stairs.totals[stair], stairs.cells[stair]
                total = most + ratio / sqrt((i - lines[previous]) * (j - columns[previous]))
                if most + ratio / _SQRT2 >= total:  # else it follows the best of all chains directly
                    total, previous = chains.predecessor(i, j, ratio, most, total)
            lines.append(i)
            columns.append(j)
            chains.ratios.append(ratio)
            totals.append(total)
            chains.before.append(previous)
            if total > best:
                best, end = total, len(totals) - 1
        for cell in range(chains.ends[-1], len(totals)):
            stairs.add(columns[cell], totals[cell], cell)
        chains.row_lines.append(i)
        chains.ends.append(len(totals))
        chains.peaks.append(best)
    return best, chains.path(end)


# ---------------------------------------------------------------- all rounds


class Round(NamedTuple):
    """One round: the reference that had the best chain, and the chain."""

    k: int
    cells: list[Cell]


class _Open:
    """What is still to be aligned in reference `k`."""

    def __init__(self, k: int, rows: list[Row]) -> None:
        self.k, self.rows = k, rows
        self.retired: set[int] = set()  # columns
        self.most = math.inf  # the best chain's credit, or, while that is not known, what it cannot exceed
        self.cells: list[Cell] | None = None

    def search(self, retired: set[int]) -> None:
        """Find the best chain that uses none of the retired candidate words and none of the retired columns."""
        rows = [row for row in self.rows if row.i not in retired]
        if self.retired:
            free = []
            for i, columns, ratios in rows:
                left = [(j, ratio) for j, ratio in zip(columns, ratios, strict=True) if j not in self.retired]
                if left:
                    free.append(Row(i, *zip(*left, strict=True)))
            rows, self.retired = free, set()
        self.rows = rows
        self.most, self.cells = best_chain(rows)


def rounds(segment: Segment, settings: SIASettings) -> list[Round]:
    """The rounds (Figure 6): the best chain over all references, its words retired, until no chain earns anything.

    Ties go to the lowest reference. A reference is searched again only when its chain has lost a word and its former
    credit, which it can no longer exceed, would still win the round.
    """
    candidate, references = segment
    if settings.similarity is None:
        grids = [_Open(k, _equal_rows(candidate, r)) for k, r in enumerate(references)]
    else:
        ratio = _remembered(settings.similarity)
        grids = [_Open(k, _similar_rows(candidate, r, ratio)) for k, r in enumerate(references)]
    out: list[Round] = []
    retired: set[int] = set()
    while True:
        winner = max(grids, key=lambda grid: grid.most)
        if winner.cells is None:
            winner.search(retired)
            continue
        if winner.most <= 0:
            return out
        out.append(Round(winner.k, winner.cells))
        if not settings.iterative:
            return out
        retired.update([cell.i for cell in winner.cells])
        winner.retired = {cell.j for cell in winner.cells}
        for grid in grids:
            if grid.cells and any(cell.i in retired for cell in grid.cells):
                grid.cells = None


def _equal_rows(candidate: Tokens, reference: Tokens) -> list[Row]:
    places = indexed(reference).places
    return [Row(i, places[word], [1.0] * len(places[word])) for i, word in enumerate(candidate) if word in places]


def _similar_rows(candidate: Tokens, reference: Tokens, ratio: Callable[[str, str], float]) -> list[Row]:
    rows: dict[str, Row] = {}
    for word in candidate:
        if word not in rows:
            ratios = {other: 1.0 if other == word else ratio(word, other) for other in indexed(reference).places}
            columns = [j for j, other in enumerate(reference) if ratios[other] > 0]
            rows[word] = Row(-1, columns, [ratios[reference[j]] for j in columns])
    return [rows[word]._replace(i=i) for i, word in enumerate(candidate) if rows[word].columns]


def _remembered(similarity: Callable[[str, str], float]) -> Callable[[str, str], float]:
    """`similarity`, asked once for each pair of words in either order, its answers checked."""
    known: dict[tuple[str, str], float] = {}

    def ratio(a: str, b: str) -> float:
        pair = (a, b) if a < b else (b, a)
        if pair not in known:
            value = similarity(a, b)
            if not isinstance(value, Real) or not 0 <= value < math.inf:
                raise ValueError(f"similarity must be a finite number of at least 0, got {value!r} for {a!r}, {b!r}")
            known[pair] = float(value)
        return known[pair]

    return ratio


# ---------------------------------------------------------------- the score


def _align(segment: Segment, settings: SIASettings) -> Alignment:
    candidate, references = segment
    layers = []
    stats: dict[str, float] = {
        "weighted_gain": 0.0,
        "candidate_length": len(candidate),
        "mean_reference_length": sum(map(len, references)) / len(references),
    }
    for number, (k, cells) in enumerate(rounds(segment, settings), start=1):
        credits = tuple([cell.credit for cell in cells])
        stats[f"gain_{number}"] = math.fsum(credits)
        layers.append(
            Layer(
                f"round {number}",
                tuple([Hit(i, k, j) for i, j, _ in cells]),
                credits,
                settings.decay ** settings.exponent(number),
                statistics=("weighted_gain",),
                path=True,
                number=number,
            )
        )
    stats["weighted_gain"] = math.fsum([layer.total() for layer in layers])
    return Alignment(stats, tuple(layers), {})


def _from_stats(stats: Mapping[str, float], settings: SIASettings) -> Score:
    """Figure 6: the weighted rounds, each divided by the candidate length, times the length penalty."""
    n, m = stats["candidate_length"], stats["mean_reference_length"]
    penalty = 1.0
    if settings.length_penalty and n <= m:
        penalty = n / m if m else 0.0
    count = sum(name.startswith("gain_") for name in stats)
    parts = {f"round_{r}": stats.get(f"gain_{r}", 0.0) / n if n else 0.0 for r in range(1, max(count, 1) + 1)}
    parts["length_penalty"] = penalty
    return Score(penalty * (stats["weighted_gain"] / n) if n else 0.0, parts)


class _FewRounds(Sum):
    """A sum over many rounds: a page prints the first, the last and the selected one, the plain text all of them."""

    __slots__ = ()

    def _short(self, look: Look) -> Sum:
        last = len(self.args) - 1
        picked = [t for t, e in enumerate(self.args) if look.selected and sums(e)[0].layer == look.selected[0]]
        out: list[Expr] = []
        for t in sorted({0, last, *picked}):
            if out and self.args[t - 1] is not out[-1]:
                out.append(Symbol("⋯", 0, r"\cdots"))
            out.append(self.args[t])
        return Sum(*out)

    def latex(self, look: Look) -> str:
        return self._short(look).latex(look)

    def mathml(self, look: Look) -> str:
        return self._short(look).mathml(look)


def _formula(result: Result) -> tuple[Step, ...]:
    """Equations 1 and 2 for each round, then the weighted sum of Figure 6."""
    settings = cast(SIASettings, result.settings)
    per_word = Quotient(Number(1), Number(result.stats["candidate_length"]))
    totals = [Terms(r, _credits(layer, result.segment)) for r, layer in enumerate(result.layers)]
    weights = [_weight(settings, number) for number in range(1, len(totals) + 1)]
    steps = [step(f"round {r}", Product(per_word, total)) for r, total in enumerate(totals[:_SHOWN_ROUNDS], start=1)]
    addends: list[Expr] = [Product(w, s.number()) for w, s in zip(weights, steps, strict=False)]
    later = [Product(w, total) for w, total in zip(weights, totals, strict=True)][_SHOWN_ROUNDS:]
    if later:
        rest = step("later rounds", Product(per_word, _FewRounds(*later)))
        steps.append(rest)
        addends.append(rest.number())
    gain: Expr = Sum(*addends) if settings.iterative and addends else steps[0].symbol() if steps else Number(0)
    if settings.length_penalty:
        n, m = Number(result.stats["candidate_length"]), Number(result.stats["mean_reference_length"])
        penalty = step("length penalty", Number(1) if n.value > m.value else Quotient(n, m))
        steps.append(penalty)
        gain = Product(penalty.number(), gain)
    return (*steps, step("SIA", gain))


def _weight(settings: SIASettings, number: int) -> Expr:
    decimals = next((d for d in range(6) if round(settings.decay, d) == settings.decay), 6)
    return Power(Number(settings.decay, decimals), Number(settings.exponent(number)))


def _credits(layer: Layer, segment: Segment) -> list[Expr]:
    """Each credit as s / √(Δi·Δj); √(a·a) is printed as a."""
    out: list[Expr] = []
    last_i = last_j = -1
    for mark, credit in zip(layer.marks, layer.credits, strict=True):
        i, k, j = cast(Hit, mark)
        down, right = i - last_i, j - last_j
        last_i, last_j = i, j
        equal = segment.candidate[i] == segment.references[k][j]
        ratio = Number(1 if equal else credit * sqrt(down * right))
        if down == right == 1:
            out.append(ratio)
        else:
            gap = Number(down) if down == right else Root(Product(Number(down), Number(right)))
            out.append(Quotient(ratio, gap))
    return out


def _summary(result: Result) -> str:
    count = len(result.layers)
    return f"{count} round" if count == 1 else f"{count} rounds"


METRIC = Metric(
    key="sia",
    label="SIA",
    name="Stochastic Iterative Alignment",
    idea=first_line(__doc__),
    family="subsequences",
    citation="Liu and Gildea (2006), Stochastic Iterative Alignment for Machine Translation Evaluation, COLING/ACL",
    higher_is_better=True,
    pooling="mean",
    Settings=SIASettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
    summary=_summary,
)
