"""By which causes the score moved between two outputs, and which marks were gained and lost.

A score is `from_stats` of a handful of statistics, and most statistics are the weighted credits of marks. So the way
from A's score to B's is explained by one scheme for all metrics, the Shapley value (Shapley 1953): the change of each
statistic is worth what it adds to the score, averaged over all orders in which the changes could be made one after the
other (`shares`). The shares sum to the difference of the scores. A statistic's share is then divided among the marks
gained and lost, in proportion to their weighted credits.

>>> from metrics import METRICS, score
>>> references = ["police killed the gunman".split()]
>>> outputs = "the gunman kill police".split(), "police kill the gunman".split()
>>> a, b = (score("rouge_l", words, references) for words in outputs)
>>> [(change.name, change.before, change.after, change.share) for change in ledger(METRICS["rouge_l"], a, b)]
[('LCS', 2.0, 3.0, 0.25)]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeAlias

from ..types import Edit, Hit, Layer, Mark, Metric, Result, Run, Shift
from ..types.work import spend
from .difference import DiffRow, RowNumbers, matched, numbered, pooled, word_diff, words_of_one
from .shares import MOST_CHANGES, Game, Item, LedgerLine, Moved, kept_possible, of_values

#: The causes of changes in the order in which a ledger gives them.
CAUSES = ("order", "matches", "contiguity", "gaps", "edits", "length", "penalty", "references")

#: Shares that differ by less are equal but for rounding.
EQUAL = 1e-12

#: Marks of a statistic beyond which its share is not divided among them: a million pairs would take seconds.
MOST_MARKS = 20_000


class ChangePiece(NamedTuple):
    """A mark's part in a change: the change of its weighted credit, and its share of the difference of the scores.

    The mark is B's where it was "gained" or its credit "changed", A's where it was "lost". `word` says so in a word
    that fits: what costs, such as an edit, is "new" or "gone", and nothing else is. `better` says whether the share
    makes B the better one, None where it is 0.
    """

    kind: Literal["gained", "lost", "changed"]
    mark: Mark
    credit: float
    share: float
    word: Literal["gained", "lost", "new", "gone", "changed"] = "changed"
    better: bool | None = None


class LedgerChange(NamedTuple):
    """A step from A's score to B's.

    `cause` is its group, one of CAUSES; `name` says what changed from `before` to `after` ("1-grams", "round 2: gaps"),
    `share` is its exact part of the difference of the scores, of which each piece has its own; a change of lengths has
    no pieces. `why` is the reason of a count that is no whole number, "" where there is none; `cost` says that the
    marks count against the score. For a change of the candidate's length `gone` and `came` are the positions, in A's
    and in B's candidate, of the words that the other lacks and that match nothing; `unit` is what the length counts,
    and `unmatched` how many of these, in A and in B, match nothing: where the score is by a longer or a shorter
    candidate another one, there are more or fewer of them (`_of_unmatched`).
    """

    cause: str
    name: str
    before: float
    after: float
    share: float
    pieces: tuple[ChangePiece, ...]
    why: str = ""
    cost: bool = False
    gone: tuple[int, ...] = ()
    came: tuple[int, ...] = ()
    unit: Literal["word", "letter"] = "word"
    unmatched: tuple[int, int] | None = None


class ScorePart(NamedTuple):
    """A value of which scores are made, such as the precision, in A and in B, and its share of their difference."""

    name: str
    before: float
    after: float
    share: float


def parts(metric: Metric, a: Result, b: Result) -> tuple[ScorePart, ...]:
    """The values of which the scores of A and B are made, the largest share first: what each adds, in the mean over all
    orders in which they could change. The shares sum to the difference of the scores, and on neither way does the
    running score leave what is possible. Nothing where the score is not made of several values.

    >>> from metrics import METRICS, score
    >>> references = [["a", "b", "c", "d"]]
    >>> a, b = (score("bleu", words, references, max_order=1) for words in (["a", "b"], ["a", "b", "x"]))
    >>> [(part.name, round(part.share, 3)) for part in parts(METRICS["bleu"], a, b)]
    [('brevity penalty', 0.291), ('precision', -0.181)]
    """
    if not metric.composition:
        return ()
    before, after = (metric.composition.values(result.stats, result.settings) for result in (a, b))
    if len(before) < 2:
        return ()
    shares = kept_possible(of_values(metric.composition, before, after, a.settings), a.score, b.score, metric.most)
    score_parts = [
        ScorePart(name, before[name], after[name], share) for name, share in zip(before, shares, strict=True)
    ]
    return tuple(sorted(score_parts, key=lambda part: -abs(part.share)))


def ledger(metric: Metric, a: Result, b: Result, lengths: bool = False) -> tuple[LedgerChange, ...]:
    """The steps from A's score to B's, by cause; their shares sum to the difference of the scores, but for rounding.

    Both are results of the metric with the same settings and references; ValueError if not. What did not change is left
    out; marks that changed places without changing their statistic stand in a change whose share is 0. From B to A the
    steps are the same, in the same order, with the other sign; on neither way does the running score leave what is
    possible, see `shares.kept_possible`. Where the credit of a run of words is more than their number, or that of a
    word less than 1, the words and their contiguity (or their gaps) are changes of their own. What follows from the
    candidate's length is one change, that of the words without a match, but for values that follow from lengths alone,
    such as a brevity penalty, of which each is one (`Composition.apart`). Where there are not more such words in a
    longer candidate, or not fewer in a shorter one, it is the matches that make it so, and the change is theirs, unless
    `lengths` are to be told in any case.
    """
    if (a.metric, a.settings) != (b.metric, b.settings) or a.metric != metric.key:
        raise ValueError(f"a ledger needs two results of one metric and its settings, got {a.metric} and {b.metric}")
    if a.segment.references != b.segment.references:
        raise ValueError("a ledger needs two results over the same references, got others")
    rows = word_diff(a.segment.candidate, b.segment.candidate)
    game = Game(metric, a, b, items(metric, a, b, numbered(rows)))
    changes = []
    for line, share in _steps(game, lengths):
        cost = line.cause == "gaps" or any(metric.role(name).cost for name in line.amounts)
        of_length = line.cause == "length"
        gone_places, came = _unmatched(rows, a, b) if of_length else ((), ())
        unmatched_counts = _unmatched_counts(line, a, b) if of_length and _lengthens(line, a, b) else None
        pieces = _pieces(line, share, game, cost)
        why = _why(metric, line, a, b)
        changes.append(
            LedgerChange(
                *line[:2],
                line.before,
                line.after,
                share,
                pieces,
                why,
                cost,
                gone_places,
                came,
                a.unit,
                unmatched_counts,
            )
        )
    return tuple(changes)


def by_cause(metric: Metric, a: Result, b: Result) -> dict[str, float]:
    """The shares of a ledger with all `lengths` summed by cause, without its marks, which take most of its time: for
    many segments.

    >>> from metrics import METRICS, score
    >>> a, b = (score("gtm", words, [["a", "b", "c"]]) for words in (["c", "b", "a"], ["a", "b", "c"]))
    >>> {cause: round(share, 3) for cause, share in by_cause(METRICS["gtm"], a, b).items()}
    {'contiguity': 0.423}
    """
    return {cause: share for cause, (share, _) in moved_by_cause(metric, a, b).items() if share}


def moved_by_cause(metric: Metric, a: Result, b: Result) -> dict[str, tuple[float, float]]:
    """The same, each share beside by how much more B has of what the cause counts: words, edits, lengths."""
    out: dict[str, tuple[float, float]] = {}
    for line, share in _steps(Game(metric, a, b, items(metric, a, b)), lengths=True):
        before = out.get(line.cause, (0.0, 0.0))
        out[line.cause] = before[0] + share, before[1] + line.after - line.before
    return out


def _steps(game: Game, lengths: bool = False) -> list[tuple[LedgerLine, float]]:
    """The lines of a ledger in their order, each with its share, kept to the possible."""
    lines = _separate_lines(game)
    lines = lines if lengths else _of_unmatched(lines, game)
    shares = kept_possible([share for _, share in lines], game.a.score, game.b.score, game.metric.most)
    return [(line, share) for (line, _), share in zip(lines, shares, strict=True)]


def _separate_lines(game: Game) -> list[tuple[LedgerLine, float]]:
    """All lines with their shares, in the order of a ledger; what belongs to a value that follows from lengths alone is
    a line of its own."""
    line_shares = game.shares()
    separate_causes = game.metric.composition.length_causes if game.metric.composition else {}
    moved = {name: ends for name, ends in game.ends().items() if name in separate_causes and ends[0] != ends[1]}
    out = []
    for line, share in line_shares:
        kept_share = math.fsum(
            [part for name, part in zip(game.names, share, strict=True) if name not in separate_causes]
        )
        if line.marks or kept_share or not moved:
            out.append((line, kept_share))
    for at, name in enumerate(game.names):
        if name in moved:
            out.append(
                (
                    LedgerLine(separate_causes[name], name, {}, *moved[name]),
                    math.fsum([share[at] for _, share in line_shares]),
                )
            )
    return sorted(out, key=lambda each: (CAUSES.index(each[0].cause), each[0].place, each[0].name))


def _of_unmatched(lines: list[tuple[LedgerLine, float]], game: Game) -> list[tuple[LedgerLine, float]]:
    """The lines, without that of the candidate's length where it is not unmatched words that change it.

    A longer candidate is worth less than a shorter one in which as much matches. Where there are not more words without
    a match in the longer one, the words that it has more of are matched ones: what their number takes away belongs to
    what they give, to each kind of it in proportion to what it is worth. It stays a line where that would turn the sign
    of a cause.
    """
    length = next(((line, share) for line, share in lines if line.cause == "length"), None)
    if not length or not length[1] or _lengthens(length[0], game.a, game.b):
        return lines
    gross = math.fsum([abs(share) for line, share in lines if _is_credit(line, game.metric)])
    if not gross:
        return lines
    adjusted_lines = [
        (line, share + length[1] * abs(share) / gross if _is_credit(line, game.metric) else share)
        for line, share in lines
        if line.cause != "length"
    ]
    before, after = _by_cause(lines), _by_cause(adjusted_lines)
    turned = any(before[cause] * share < 0 and abs(share) > EQUAL for cause, share in after.items())
    return lines if turned else adjusted_lines


def _by_cause(lines: Iterable[tuple[LedgerLine, float]]) -> dict[str, float]:
    out: dict[str, float] = {}
    for line, share in lines:
        out[line.cause] = out.get(line.cause, 0.0) + share
    return out


def _is_credit(line: LedgerLine, metric: Metric) -> bool:
    """Whether a line is of what matches, and not of what is taken away for it."""
    cost = any(metric.role(name).cost for name in line.amounts)
    return line.cause in ("matches", "contiguity", "gaps") and not cost


def _lengthens(line: LedgerLine, a: Result, b: Result) -> bool:
    """Whether the longer of the two candidates has more words without a match."""
    before, after = _unmatched_counts(line, a, b)
    return (line.after - line.before) * (after - before) > 0


def _unmatched_counts(line: LedgerLine, a: Result, b: Result) -> tuple[int, int]:
    """How many of what a length counts, words or letters, match nothing, in A and in B."""
    return round(line.before) - matched_count(a), round(line.after) - matched_count(b)


def matched_count(result: Result) -> int:
    """How many words of the candidate match, or letters where these are counted; of n-grams the shortest ones, as a
    longer one may be drawn with another copy of a word."""
    return len(matched_places(result)) if result.unit == "word" else round(result.layers[0].total())


def matched_places(result: Result) -> set[int]:
    """The words of the candidate that match, by their positions."""
    cells = result.layers[0].cells() if pooled(result) else matched(result)
    return {cell.i for cell in cells}


def _why(metric: Metric, line: LedgerLine, a: Result, b: Result) -> str:
    """Why one of the two amounts is no whole number, of B's first."""
    for amount, result in ((line.after, b), (line.before, a)):
        if metric.why and abs(amount - round(amount)) > 1e-9:
            return f"{amount:.2f} {metric.why(line.cause, result)}".replace("-", "−")
    return ""


def _unmatched(rows: Iterable[DiffRow], a: Result, b: Result) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The words that only A has and that match nothing there, and those of B."""
    (gone_places, came), (ours, theirs) = words_of_one(rows, a, b), ({cell.i for cell in matched(r)} for r in (a, b))
    return tuple([i for i in gone_places if i not in ours]), tuple([i for i in came if i not in theirs])


def grouped(pieces: Iterable[ChangePiece], a: Result, b: Result) -> tuple[tuple[ChangePiece, ...], ...]:
    """The pieces, those together that look the same: of one kind, with the same words and the same credit.

    In the order of the first of each; their number is how often the piece is there.
    """
    out: dict[Hashable, list[ChangePiece]] = {}
    for piece in pieces:
        words = (a if piece.kind == "lost" else b).segment.candidate
        theirs = a.segment.references
        appearance: list[Hashable] = [tuple([(words[i], theirs[k][j]) for i, k, j in piece.mark.cells()])]
        if isinstance(piece.mark, Edit):
            op, i, i_end, k, j, j_end = piece.mark
            appearance += [op, words[i:i_end], theirs[k][j:j_end]]
        out.setdefault((type(piece.mark), piece.kind, round(piece.credit, 9), *appearance), []).append(piece)
    return tuple([tuple(each) for each in out.values()])


#: The cause of a change of statistics that marks make up, by their role.
_CAUSE_OF = {"match": "matches", "order": "order", "contiguity": "contiguity", "edit": "edits"}


def items(metric: Metric, a: Result, b: Result, row_of: RowNumbers | None = None) -> list[Item]:
    """The parts of all statistics that marks make up, then the lengths; edits only change together.

    The marks that were gained and lost are found where `row_of` numbers the words, and where so many lines change that
    some have to be taken together.
    """
    lines = sorted(_lines(a, b, row_of, metric), key=lambda line: (line.place, line.name))
    if row_of is None and sum(map(LedgerLine.changes, lines)) > MOST_CHANGES - 2:  # with those of two lengths
        return items(metric, a, b, numbered(word_diff(a.segment.candidate, b.segment.candidate)))
    edits = tuple([line for line in lines if line.cause == "edits"])
    return [*([edits] if edits else []), *[(line,) for line in lines if line.cause != "edits"], *_lengths(a, b, metric)]


def _lines(a: Result, b: Result, row_of: RowNumbers | None, metric: Metric) -> Iterator[LedgerLine]:
    all_statistics = dict.fromkeys(chain.from_iterable([layer.statistics for layer in (*a.layers, *b.layers)]))
    # Statistics that the same layers make up change together.
    by_layers: dict[tuple[Any, ...], list[str]] = {}
    for statistic in all_statistics:
        if metric.role(statistic).kind in _CAUSE_OF:
            layer_numbers = tuple(
                [tuple([n for n, x in enumerate(r.layers) if statistic in x.statistics]) for r in (a, b)]
            )
            by_layers.setdefault(layer_numbers, []).append(statistic)
    bases = Counter([base for statistics in by_layers.values() for base in {*_bases((a, b), statistics[0])}])
    places = [list(dict.fromkeys([_base(layer) for layer in result.layers])) for result in (a, b)]
    for statistics in by_layers.values():
        first, lines = statistics[0], list[LedgerLine]()
        for base in _bases((a, b), first):
            ours, theirs = ([x for x in r.layers if first in x.statistics and _base(x) == base] for r in (a, b))
            role = metric.role(first)
            cause = _CAUSE_OF[role.kind]
            # Precision and recall may be made by layers of the same kind, of two references.
            name = base if bases[base] == 1 else f"{base}, {role.part}"
            ranks = [names.index(base) for names in places if base in names]
            if max(sum([len(x.marks) for x in layers]) for layers in (ours, theirs)) > MOST_MARKS:
                total = _total(ours), _total(theirs)
                lines.append(
                    LedgerLine(cause, name, dict.fromkeys(statistics, total), *total, place=(min(ranks), max(ranks)))
                )
                continue
            for number, part in enumerate(_parts([*ours, *theirs], name, cause)):
                moved: tuple[Moved, ...] = ()
                if row_of:
                    before, after = _entries(ours, part.credit, row_of.a), _entries(theirs, part.credit, row_of.b)
                    amount, moved = (_sum(before), _sum(after)), _moved(before, after)
                else:
                    amount = part.amount(ours), part.amount(theirs)
                place, words = (min(ranks), max(ranks), number), (0.0, 0.0) if number else amount
                amounts = dict.fromkeys(statistics, amount)
                lines.append(LedgerLine(part.cause, part.name, amounts, *amount, moved, words, place))
        # Where all is words, or where there are too many marks to tell, no words are told apart.
        splits_words = len({line.cause for line in lines}) > 1 and all(len(line.place) > 2 for line in lines)
        yield from lines if splits_words else [line._replace(words=(0.0, 0.0)) for line in lines]


def _lengths(a: Result, b: Result, metric: Metric) -> Iterator[Item]:
    lengths: dict[str, dict[str, tuple[float, float]]] = {"candidate length": {}, "reference length": {}}
    for statistic in dict.fromkeys((*a.stats, *b.stats)):
        kind = metric.role(statistic).kind
        if kind in lengths:
            lengths[kind][statistic] = a.stats.get(statistic, 0.0), b.stats.get(statistic, 0.0)
    words = float(len(a.segment.candidate)), float(len(b.segment.candidate))
    for name, amounts in lengths.items():
        if amounts:
            ours = name == "candidate length"
            before, after = words if ours and a.unit == "word" else next(iter(amounts.values()))
            yield (LedgerLine("length" if ours else "references", name, amounts, before, after),)


def _base(layer: Layer) -> str:
    """The kind of a layer; numbered layers that do not weigh the same are told apart by their names."""
    return layer.name if layer.number is not None and layer.weight != 1 else layer.kind


def _bases(results: Iterable[Result], statistic: str) -> list[str]:
    return list(dict.fromkeys([_base(x) for r in results for x in r.layers if statistic in x.statistics]))


class _CreditPart(NamedTuple):
    """A part of a statistic: its cause and name, what of a mark's credit belongs to it, and what of layers does."""

    cause: str
    name: str
    credit: Callable[[Mark, float], Iterable[tuple[Mark, float]]]
    amount: Callable[[Sequence[Layer]], float]


def _parts(layers: Sequence[Layer], name: str, cause: str) -> list[_CreditPart]:
    """The words of the marks apart from their contiguity, or from their gaps, where the credits hold both."""
    area = any(layer.area for layer in layers)
    gaps = any(credit != 1 for x in layers if x.marks and isinstance(x.marks[0], Hit) for credit in x.credits)
    if not area and not gaps:
        return [_CreditPart(cause, name, _whole, _total)]
    rest = "contiguity" if area else "gaps"
    return [
        _CreditPart("matches", f"{name}: words", lambda mark, _: _words(mark), _words_of),
        _CreditPart(
            rest,
            f"{name}: {rest}",
            lambda mark, credit: [(mark, credit - _length(mark))],
            lambda layers: _total(layers) - _words_of(layers),
        ),
    ]


def _total(layers: Iterable[Layer]) -> float:
    return math.fsum([layer.total() for layer in layers])


def _words_of(layers: Iterable[Layer]) -> float:
    return math.fsum([layer.weight * math.fsum(map(_length, layer.marks)) for layer in layers])


def _length(mark: Mark) -> float:
    """How many words a mark matches; of a capped run of GTM not a whole number."""
    return mark.length if isinstance(mark, Run) else len(mark.cells())


def _words(mark: Mark) -> list[tuple[Mark, float]]:
    """The words of a mark one by one, each of which counts 1, but for the last one of a capped run."""
    words_left = _length(mark)
    return [(cell, min(1.0, words_left - t)) for t, cell in enumerate(mark.cells())]


def _whole(mark: Mark, credit: float) -> Iterable[tuple[Mark, float]]:
    """A mark with its credit; one that counts its words word by word, so that words stay where a run breaks."""
    matches = isinstance(mark, Run) or (isinstance(mark, Edit) and mark.op == "match")
    return _words(mark) if matches and credit == _length(mark) else [(mark, credit)]


#: For each kind of mark, told by its places, the marks and their weighted credits.
_Entries: TypeAlias = "dict[Hashable, list[tuple[Mark, float]]]"


def _entries(
    layers: Iterable[Layer], credit_of: Callable[[Mark, float], Iterable[tuple[Mark, float]]], row_of: dict[int, int]
) -> _Entries:
    out: _Entries = {}
    for layer in layers:
        spend(4 * len(layer.marks))
        for mark, credit in zip(layer.marks, layer.credits, strict=True):
            for part, worth in credit_of(mark, credit):
                places = _rows_of(part, row_of) if layer.pooled else _identity(part, row_of)
                out.setdefault(places, []).append((part, layer.weight * worth))
    return out


def _sum(entries: _Entries) -> float:
    return math.fsum([credit for each in entries.values() for _, credit in each])


def _identity(mark: Mark, row_of: dict[int, int]) -> Hashable:
    """What makes two marks of A and B the same: their kind and their places on the rows of the word diff."""
    if isinstance(mark, Hit):
        return row_of[mark.i], mark.k, mark.j
    if isinstance(mark, Edit):
        rows = tuple([row_of[i] for i in range(mark.i_start, mark.i_end)])
        # A missing word has no row, an extra one no column.
        return mark.op, rows, mark.k, *((mark.j_start, mark.j_end) if mark.op != "insertion" else ())
    if isinstance(mark, Shift):
        return tuple([row_of[i] for i in mark.rows]), mark.k, mark.j
    return tuple([(row_of[i], k, j) for i, k, j in mark.cells()])


def _rows_of(mark: Mark, row_of: dict[int, int]) -> Hashable:
    """What makes two marks of A and B the same where in which reference they lie says nothing."""
    return tuple([row_of[cell.i] for cell in mark.cells()])


def _moved(before: _Entries, after: _Entries) -> tuple[Moved, ...]:
    """The marks that only one side has, or that have another credit."""
    out: list[Moved] = []
    for key in dict.fromkeys((*before, *after)):
        ours, theirs = before.get(key, []), after.get(key, [])
        for (_, credit), (mark, now) in zip(ours, theirs, strict=False):
            if now != credit:
                out.append(Moved("changed", mark, now - credit))
        out += [Moved("gained", mark, credit) for mark, credit in theirs[len(ours) :] if credit]
        out += [Moved("lost", mark, -credit) for mark, credit in ours[len(theirs) :] if credit]
    return tuple(out)


def _pieces(line: LedgerLine, share: float, game: Game, cost: bool) -> tuple[ChangePiece, ...]:
    """The marks of a step, each with its share."""
    if not line.marks:
        return ()
    credits = [moved.credit for moved in line.marks]
    total = math.fsum(credits)
    if abs(total) > 1e-9 * math.fsum(map(abs, credits)):
        rate = share / total
    else:  # they cancel
        rate = game.slope(line, math.fsum([credit for credit in credits if credit > 0]))
    return tuple([_make_piece(moved, rate * moved.credit, cost, game.metric) for moved in line.marks])


def _make_piece(moved: Moved, share: float, cost: bool, metric: Metric) -> ChangePiece:
    better = (share > 0) == metric.higher_is_better if share else None
    word: Literal["gained", "lost", "new", "gone", "changed"] = moved.kind
    if moved.kind == "gained" and (cost or better is False):
        word = "new"
    elif moved.kind == "lost" and (cost or better is True):
        word = "gone"
    return ChangePiece(moved.kind, moved.mark, moved.credit, share, word, better)
