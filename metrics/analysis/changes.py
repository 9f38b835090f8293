"""Ledgers: the causes of the difference between two outputs' scores, and the marks that were gained and lost.

A score is `from_stats` of a few statistics, and most statistics are the weighted credits of marks. So one scheme
explains the difference between A's and B's score for all metrics, the Shapley value (Shapley 1953): the change of each
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
from .difference import (
    DiffRow,
    RowNumbers,
    matched_cells,
    pools_references,
    positions_in_one_output,
    row_numbers,
    word_diff,
)
from .shares import MOST_CHANGES, Item, LedgerLine, MarkChange, ShapleyGame, clamped_shares, value_shares

#: The causes of changes, in the order in which a ledger lists them.
CAUSES = ("order", "matches", "contiguity", "gaps", "edits", "length", "penalty", "references")

#: Shares that differ by less are equal but for rounding.
EQUAL = 1e-12

#: The number of marks of a statistic above which its share is not divided among them: a million pairs take seconds.
MOST_MARKS = 20_000


class ChangePiece(NamedTuple):
    """A mark in a change of the ledger, and what it contributes.

    Attributes:
        kind: "gained" if only B has the mark, "lost" if only A has it, "changed" if its credit differs.
        mark: B's mark, or A's if it was lost.
        credit: the change of its weighted credit.
        share: its share of the difference of the scores.
        word: like `kind`, but "new" or "gone" for what costs, such as an edit.
        better: whether the share makes B the better output; None if the share is 0.
    """

    kind: Literal["gained", "lost", "changed"]
    mark: Mark
    credit: float
    share: float
    word: Literal["gained", "lost", "new", "gone", "changed"] = "changed"
    better: bool | None = None


class LedgerChange(NamedTuple):
    """A step from A's score to B's, with the marks that explain it.

    Attributes:
        cause: its group, one of CAUSES.
        name: what changed, such as "1-grams" or "round 2: gaps".
        before, after: its amounts in A and in B.
        share: its exact part of the difference of the scores.
        pieces: the marks, each with its own share; none for a change of lengths.
        why: the reason why a count is not a whole number, else "".
        cost: whether the marks count against the score.
        gone, came: for a change of the candidate's length, the positions in A and in B of unmatched words that the
            other output lacks.
        unit: what the length counts.
        unmatched: for a change of the candidate's length, how many words or letters match nothing in A and in B; None
            unless the longer candidate has more of them (`_drop_matched_length`).
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
    """A value from which scores are computed, such as the precision, in A and in B, and its share of the difference."""

    name: str
    before: float
    after: float
    share: float


def score_part_shares(metric: Metric, a: Result, b: Result) -> tuple[ScorePart, ...]:
    """Return the values that make up the scores of A and B, such as the precision, each with its share.

    They come largest share first. A share is what the value adds, averaged over all orders in which the values could
    change. The shares sum to the difference of the scores, and in neither direction does the running score leave the
    possible range. The result is empty if the score is not made of several values.

    >>> from metrics import METRICS, score
    >>> references = [["a", "b", "c", "d"]]
    >>> a, b = (score("bleu", words, references, max_order=1) for words in (["a", "b"], ["a", "b", "x"]))
    >>> [(part.name, round(part.share, 3)) for part in score_part_shares(METRICS["bleu"], a, b)]
    [('brevity penalty', 0.291), ('precision', -0.181)]
    """
    if not metric.composition:
        return ()
    before, after = (metric.composition.values(result.stats, result.settings) for result in (a, b))
    if len(before) < 2:
        return ()
    shares = clamped_shares(value_shares(metric.composition, before, after, a.settings), a.score, b.score, metric.most)
    score_parts = [
        ScorePart(name, before[name], after[name], share) for name, share in zip(before, shares, strict=True)
    ]
    return tuple(sorted(score_parts, key=lambda part: -abs(part.share)))


def ledger(metric: Metric, a: Result, b: Result, lengths: bool = False) -> tuple[LedgerChange, ...]:
    """Return the steps from A's score to B's, each with its cause and its share of the difference.

    The shares sum to the difference of the scores, except for rounding. Both must be results of the metric with the
    same settings and references, else ValueError is raised.

    What did not change is omitted; marks that changed places without changing their statistic are in a change with
    share 0. From B to A the steps are the same, in the same order, with the opposite sign. In neither direction does
    the running score leave the possible range. If the credit of a run exceeds its number of words, or that of a word is
    below 1, the words and their contiguity (or their gaps) are separate changes.

    The effects of the candidate's length are one change, that of the words without a match, except for values that
    follow from lengths alone, such as a brevity penalty: each of these is a separate change (`Composition.apart`). If
    the longer candidate has no more unmatched words than the shorter one, the difference in length comes from the
    matches, and the change is added to theirs, unless `lengths` requires length changes in any case.
    """
    if (a.metric, a.settings) != (b.metric, b.settings) or a.metric != metric.key:
        raise ValueError(f"a ledger needs two results of one metric and its settings, got {a.metric} and {b.metric}")
    if a.segment.references != b.segment.references:
        raise ValueError("a ledger needs two results over the same references, got others")
    rows = word_diff(a.segment.candidate, b.segment.candidate)
    game = ShapleyGame(metric, a, b, ledger_items(metric, a, b, row_numbers(rows)))
    changes = []
    for line, share in _lines_with_shares(game, lengths):
        cost = line.cause == "gaps" or any(metric.role(name).cost for name in line.amounts)
        pieces, why = _pieces(line, share, game, cost), _fraction_reason(metric, line, a, b)
        change = LedgerChange(line.cause, line.name, line.before, line.after, share, pieces, why, cost, unit=a.unit)
        if line.cause == "length":
            gone_places, came = _unmatched_positions(rows, a, b)
            unmatched_counts = _unmatched_counts(line, a, b) if _has_more_unmatched(line, a, b) else None
            change = change._replace(gone=gone_places, came=came, unmatched=unmatched_counts)
        changes.append(change)
    return tuple(changes)


def share_and_change_by_cause(metric: Metric, a: Result, b: Result) -> dict[str, tuple[float, float]]:
    """Return, for each cause, its share of the score's difference, and how much more B has of what the cause counts.

    What a cause counts are, for example, words, edits or lengths. The shares are those of `ledger` with `lengths`. The
    marks, which take most of a ledger's time, are not computed. This is meant for many segments.

    >>> from metrics import METRICS, score
    >>> a, b = (score("gtm", words, [["a", "b", "c"]]) for words in (["c", "b", "a"], ["a", "b", "c"]))
    >>> shares = share_and_change_by_cause(METRICS["gtm"], a, b)
    >>> {cause: round(share, 3) for cause, (share, _) in shares.items() if share}
    {'contiguity': 0.423}
    """
    out: dict[str, tuple[float, float]] = {}
    for line, share in _lines_with_shares(ShapleyGame(metric, a, b, ledger_items(metric, a, b)), lengths=True):
        before = out.get(line.cause, (0.0, 0.0))
        out[line.cause] = before[0] + share, before[1] + line.after - line.before
    return out


def _lines_with_shares(game: ShapleyGame, lengths: bool = False) -> list[tuple[LedgerLine, float]]:
    """Return the lines of a ledger in order, each with its share.

    The shares are limited so that no running score leaves the possible range. `lengths` keeps the line of the
    candidate's length in any case.
    """
    lines = _separate_lines(game)
    lines = lines if lengths else _drop_matched_length(lines, game)
    shares = clamped_shares([share for _, share in lines], game.a.score, game.b.score, game.metric.most)
    return [(line, share) for (line, _), share in zip(lines, shares, strict=True)]


def _separate_lines(game: ShapleyGame) -> list[tuple[LedgerLine, float]]:
    """Return all lines of a ledger with their shares, in the order of a ledger.

    What belongs to a value that follows from lengths alone, such as a brevity penalty, becomes a separate line.
    """
    line_shares = game.line_shares()
    separate_causes = game.metric.composition.length_causes if game.metric.composition else {}
    moved = {name: ends for name, ends in game.value_ends().items() if name in separate_causes and ends[0] != ends[1]}
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


def _drop_matched_length(lines: list[tuple[LedgerLine, float]], game: ShapleyGame) -> list[tuple[LedgerLine, float]]:
    """Return the lines without the one of the candidate's length, if unmatched words do not explain that length.

    A longer candidate is worth less than a shorter one with as many matches. If the longer one does not have more
    unmatched words, its additional words are matched ones. Then what the length takes away belongs to what the matches
    give, and is divided among their lines in proportion to their shares. The line stays if that would change the sign
    of a cause.
    """
    length = next(((line, share) for line, share in lines if line.cause == "length"), None)
    if not length or not length[1] or _has_more_unmatched(length[0], game.a, game.b):
        return lines
    gross = math.fsum([abs(share) for line, share in lines if _counts_matches(line, game.metric)])
    if not gross:
        return lines
    adjusted_lines = [
        (line, share + length[1] * abs(share) / gross if _counts_matches(line, game.metric) else share)
        for line, share in lines
        if line.cause != "length"
    ]
    before, after = _share_by_cause(lines), _share_by_cause(adjusted_lines)
    turned = any(before[cause] * share < 0 and abs(share) > EQUAL for cause, share in after.items())
    return lines if turned else adjusted_lines


def _share_by_cause(lines: Iterable[tuple[LedgerLine, float]]) -> dict[str, float]:
    """Return the shares of the lines, summed by cause."""
    out: dict[str, float] = {}
    for line, share in lines:
        out[line.cause] = out.get(line.cause, 0.0) + share
    return out


def _counts_matches(line: LedgerLine, metric: Metric) -> bool:
    """Return whether a ledger line counts what matches, and not what costs."""
    cost = any(metric.role(name).cost for name in line.amounts)
    return line.cause in ("matches", "contiguity", "gaps") and not cost


def _has_more_unmatched(line: LedgerLine, a: Result, b: Result) -> bool:
    """Return whether the longer of the two candidates has more words without a match. `line` has their lengths."""
    before, after = _unmatched_counts(line, a, b)
    return (line.after - line.before) * (after - before) > 0


def _unmatched_counts(line: LedgerLine, a: Result, b: Result) -> tuple[int, int]:
    """Return how many words or letters, whichever the metric counts, match nothing in A and in B.

    `line` is the ledger line with the lengths of both candidates.
    """
    return round(line.before) - matched_count(a), round(line.after) - matched_count(b)


def matched_count(result: Result) -> int:
    """Return how many words of the candidate match, or how many letters for a metric that counts letters.

    For n-gram metrics, single words decide, since a longer n-gram may be drawn with another copy of a word.
    """
    return len(matched_positions(result)) if result.unit == "word" else round(result.layers[0].total())


def matched_positions(result: Result) -> set[int]:
    """Return the positions of the candidate words that match."""
    cells = result.layers[0].cells() if pools_references(result) else matched_cells(result)
    return {cell.i for cell in cells}


def _fraction_reason(metric: Metric, line: LedgerLine, a: Result, b: Result) -> str:
    """Return why the amount of a ledger line is not a whole number, or "" if A's and B's amounts are whole.

    If both are not whole, the reason is given for B's amount.
    """
    for amount, result in ((line.after, b), (line.before, a)):
        if metric.why and abs(amount - round(amount)) > 1e-9:
            return f"{amount:.2f}".replace("-", "−") + f" {metric.why(line.cause, result)}"
    return ""


def _unmatched_positions(rows: Iterable[DiffRow], a: Result, b: Result) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the positions of the unmatched words that only A has, and the positions of those that only B has."""
    gone_places, came = positions_in_one_output(rows, a, b)
    ours, theirs = ({cell.i for cell in matched_cells(r)} for r in (a, b))
    return tuple([i for i in gone_places if i not in ours]), tuple([i for i in came if i not in theirs])


def group_alike_pieces(pieces: Iterable[ChangePiece], a: Result, b: Result) -> tuple[tuple[ChangePiece, ...], ...]:
    """Return the pieces of a change in groups that look the same: of one kind, with the same words and the same credit.

    The groups are in the order of their first pieces. The size of a group says how often its piece occurs.
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


#: The cause of a change, by the role of the statistic; only statistics that are computed from marks.
_CAUSE_OF = {"match": "matches", "order": "order", "contiguity": "contiguity", "edit": "edits"}


def ledger_items(metric: Metric, a: Result, b: Result, row_of: RowNumbers | None = None) -> list[Item]:
    """Return what can change between A and B, as items: ledger lines that only change together.

    There is a line for each statistic that is computed from marks, or for its words and its contiguity separately, and
    then an item for each length. All edits are one item.

    If `row_of` has the rows of the words in the word diff, the gained and lost marks are found. They are also found if
    so many lines change that some have to be merged.
    """
    lines = sorted(_mark_lines(a, b, row_of, metric), key=lambda line: (line.place, line.name))
    if row_of is None and sum(map(LedgerLine.changes, lines)) > MOST_CHANGES - 2:  # with those of two lengths
        return ledger_items(metric, a, b, row_numbers(word_diff(a.segment.candidate, b.segment.candidate)))
    edits = tuple([line for line in lines if line.cause == "edits"])
    return [
        *([edits] if edits else []),
        *[(line,) for line in lines if line.cause != "edits"],
        *_length_items(a, b, metric),
    ]


def _mark_lines(a: Result, b: Result, row_of: RowNumbers | None, metric: Metric) -> Iterator[LedgerLine]:
    """Yield the ledger lines of all statistics that are computed from marks.

    A statistic has one line for each kind of layer, or two if words and contiguity (or gaps) are separated. `row_of`
    has the rows of the words in the word diff, or is None if the marks are not needed.
    """
    all_statistics = dict.fromkeys(chain.from_iterable([layer.statistics for layer in (*a.layers, *b.layers)]))
    # Statistics that are computed from the same layers change together.
    by_layers: dict[tuple[Any, ...], list[str]] = {}
    for statistic in all_statistics:
        if metric.role(statistic).kind in _CAUSE_OF:
            layer_numbers = tuple(
                [tuple([n for n, x in enumerate(r.layers) if statistic in x.statistics]) for r in (a, b)]
            )
            by_layers.setdefault(layer_numbers, []).append(statistic)
    bases = Counter([base for statistics in by_layers.values() for base in {*_layer_kinds((a, b), statistics[0])}])
    places = [list(dict.fromkeys([_layer_kind(layer) for layer in result.layers])) for result in (a, b)]
    for statistics in by_layers.values():
        first, lines = statistics[0], list[LedgerLine]()
        for base in _layer_kinds((a, b), first):
            ours, theirs = ([x for x in r.layers if first in x.statistics and _layer_kind(x) == base] for r in (a, b))
            role = metric.role(first)
            cause = _CAUSE_OF[role.kind]
            # Precision and recall may come from layers of the same kind, for two references.
            name = base if bases[base] == 1 else f"{base}, {role.part}"
            ranks = [names.index(base) for names in places if base in names]
            if max(sum([len(x.marks) for x in layers]) for layers in (ours, theirs)) > MOST_MARKS:
                total = _credit_total(ours), _credit_total(theirs)
                lines.append(
                    LedgerLine(cause, name, dict.fromkeys(statistics, total), *total, place=(min(ranks), max(ranks)))
                )
                continue
            for number, part in enumerate(_credit_parts([*ours, *theirs], name, cause)):
                moved: tuple[MarkChange, ...] = ()
                if row_of:
                    before, after = _credits_of(ours, part.credit, row_of.a), _credits_of(theirs, part.credit, row_of.b)
                    amount, moved = (_credit_sum(before), _credit_sum(after)), _mark_changes(before, after)
                else:
                    amount = part.amount(ours), part.amount(theirs)
                place, words = (min(ranks), max(ranks), number), (0.0, 0.0) if number else amount
                amounts = dict.fromkeys(statistics, amount)
                lines.append(LedgerLine(part.cause, part.name, amounts, *amount, moved, words, place))
        # Words are not separated if there is nothing but words, or if there are too many marks to tell.
        splits_words = len({line.cause for line in lines}) > 1 and all(len(line.place) > 2 for line in lines)
        yield from lines if splits_words else [line._replace(words=(0.0, 0.0)) for line in lines]


def _length_items(a: Result, b: Result, metric: Metric) -> Iterator[Item]:
    """Yield a ledger item for the candidate's length, and one for the reference's length.

    A length is omitted if no statistic depends on it.
    """
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


def _layer_kind(layer: Layer) -> str:
    """Return the kind of a layer, or its name if it is numbered and has its own weight, as such layers all differ."""
    return layer.name if layer.number is not None and layer.weight != 1 else layer.kind


def _layer_kinds(results: Iterable[Result], statistic: str) -> list[str]:
    """Return the distinct kinds of the layers, in all results, that contribute to a statistic."""
    return list(dict.fromkeys([_layer_kind(x) for r in results for x in r.layers if statistic in x.statistics]))


class _CreditPart(NamedTuple):
    """A part of a statistic, such as its words or its contiguity.

    Attributes:
        cause, name: the cause and the name of the part.
        credit: a function that returns the marks that a mark counts as in this part, each with its credit.
        amount: a function that returns the part's total in some layers.
    """

    cause: str
    name: str
    credit: Callable[[Mark, float], Iterable[tuple[Mark, float]]]
    amount: Callable[[Sequence[Layer]], float]


def _credit_parts(layers: Sequence[Layer], name: str, cause: str) -> list[_CreditPart]:
    """Return the parts of a statistic: words and contiguity, or words and gaps, or else a single part.

    There are two parts if the credit of a run exceeds its number of words, or if gaps reduce the credit of single hits.
    `name` and `cause` are those of the statistic.
    """
    area = any(layer.area for layer in layers)
    gaps = any(credit != 1 for x in layers if x.marks and isinstance(x.marks[0], Hit) for credit in x.credits)
    if not area and not gaps:
        return [_CreditPart(cause, name, _whole_or_words, _credit_total)]
    rest = "contiguity" if area else "gaps"
    return [
        _CreditPart("matches", f"{name}: words", lambda mark, _: _words_of_mark(mark), _word_total),
        _CreditPart(
            rest,
            f"{name}: {rest}",
            lambda mark, credit: [(mark, credit - _matched_length(mark))],
            lambda layers: _credit_total(layers) - _word_total(layers),
        ),
    ]


def _credit_total(layers: Iterable[Layer]) -> float:
    """Return the sum of the weighted credits in all layers."""
    return math.fsum([layer.total() for layer in layers])


def _word_total(layers: Iterable[Layer]) -> float:
    """Return the weighted number of words that the marks of the layers match."""
    return math.fsum([layer.weight * math.fsum(map(_matched_length, layer.marks)) for layer in layers])


def _matched_length(mark: Mark) -> float:
    """Return how many words a mark matches. For a capped run of GTM, this may not be a whole number."""
    return mark.length if isinstance(mark, Run) else len(mark.cells())


def _words_of_mark(mark: Mark) -> list[tuple[Mark, float]]:
    """Return the matched words of a mark as cells, each with credit 1, or less for the last word of a capped run."""
    words_left = _matched_length(mark)
    return [(cell, min(1.0, words_left - t)) for t, cell in enumerate(mark.cells())]


def _whole_or_words(mark: Mark, credit: float) -> Iterable[tuple[Mark, float]]:
    """Return a mark with its credit, or its words separately if its credit is its number of words.

    Separate words count as unchanged even if the run breaks.
    """
    matches = isinstance(mark, Run) or (isinstance(mark, Edit) and mark.op == "match")
    return _words_of_mark(mark) if matches and credit == _matched_length(mark) else [(mark, credit)]


#: The marks and their weighted credits, by the identity of the mark.
_Entries: TypeAlias = "dict[Hashable, list[tuple[Mark, float]]]"


def _credits_of(
    layers: Iterable[Layer], credit_of: Callable[[Mark, float], Iterable[tuple[Mark, float]]], row_of: dict[int, int]
) -> _Entries:
    """Return the marks of the layers with their weighted credits, by a key that is the same for equal marks of A and B.

    `credit_of` returns the marks that a mark counts as, each with its credit. `row_of` has the rows of the words in the
    word diff.
    """
    out: _Entries = {}
    for layer in layers:
        spend(4 * len(layer.marks))
        for mark, credit in zip(layer.marks, layer.credits, strict=True):
            # An n-gram stays whole, even if it carries as many bits of information as it has words.
            is_ngram = layer.pooled and isinstance(mark, Run) and mark.length > 1
            for part, worth in [(mark, credit)] if is_ngram else credit_of(mark, credit):
                # If references are pooled, only the rows tell marks apart, in whichever reference they match.
                key = tuple([row_of[cell.i] for cell in part.cells()]) if layer.pooled else _mark_key(part, row_of)
                out.setdefault(key, []).append((part, layer.weight * worth))
    return out


def _credit_sum(entries: _Entries) -> float:
    """Return the sum of all credits in the entries."""
    return math.fsum([credit for each in entries.values() for _, credit in each])


def _mark_key(mark: Mark, row_of: dict[int, int]) -> Hashable:
    """Return a key by which equal marks of A and B are recognised: their operation and their cells.

    The cells have rows of the word diff, which `row_of` gives by candidate position.
    """
    if isinstance(mark, Hit):
        return row_of[mark.i], mark.k, mark.j
    if isinstance(mark, Edit):
        rows = tuple([row_of[i] for i in range(mark.i_start, mark.i_end)])
        # A missing word has no row, an extra one no column.
        return mark.op, rows, mark.k, *((mark.j_start, mark.j_end) if mark.op != "insertion" else ())
    if isinstance(mark, Shift):
        return tuple([row_of[i] for i in mark.rows]), mark.k, mark.j
    return tuple([(row_of[i], k, j) for i, k, j in mark.cells()])


def _mark_changes(before: _Entries, after: _Entries) -> tuple[MarkChange, ...]:
    """Return the marks that only A or only B has, or whose credit differs. `before` is A's, `after` is B's."""
    out: list[MarkChange] = []
    for key in dict.fromkeys((*before, *after)):
        ours, theirs = before.get(key, []), after.get(key, [])
        for (_, credit), (mark, now) in zip(ours, theirs, strict=False):
            if now != credit:
                out.append(MarkChange("changed", mark, now - credit))
        out += [MarkChange("gained", mark, credit) for mark, credit in theirs[len(ours) :] if credit]
        out += [MarkChange("lost", mark, -credit) for mark, credit in ours[len(theirs) :] if credit]
    return tuple(out)


def _pieces(line: LedgerLine, share: float, game: ShapleyGame, cost: bool) -> tuple[ChangePiece, ...]:
    """Return the changed marks of a ledger line as pieces, each with its part of the line's share.

    The share is divided in proportion to the changes of credit. `cost` says whether the marks count against the
    score.
    """
    if not line.marks:
        return ()
    credits = [moved.credit for moved in line.marks]
    total = math.fsum(credits)
    if abs(total) > 1e-9 * math.fsum(map(abs, credits)):
        rate = share / total
    else:  # the credits cancel each other
        rate = game.credit_unit_worth(line, math.fsum([credit for credit in credits if credit > 0]))
    return tuple([_make_piece(moved, rate * moved.credit, cost, game.metric) for moved in line.marks])


def _make_piece(moved: MarkChange, share: float, cost: bool, metric: Metric) -> ChangePiece:
    """Return the piece for a changed mark, with its share and the word that describes its change.

    `cost` says whether the mark counts against the score.
    """
    better = (share > 0) == metric.higher_is_better if share else None
    word: Literal["gained", "lost", "new", "gone", "changed"] = moved.kind
    if moved.kind == "gained" and (cost or better is False):
        word = "new"
    elif moved.kind == "lost" and (cost or better is True):
        word = "gone"
    return ChangePiece(moved.kind, moved.mark, moved.credit, share, word, better)
