"""What one edit does to a score and why, in a sentence, and what it is worth in the mean over all orders.

What an edit does depends on which others are made. Two pairs of texts differ by this edit alone: the first text and the
same with the edit made, and the other text and the same with the edit taken back. The sentence is about the pair whose
text stands on the page: by how much the edit changes the score there, and by which cells. Its share, the mean over all
orders, follows where it is another number; and where that has another sign, what the edit does in the other pair, and
by which cells.

>>> from metrics import METRICS, settings
>>> from metrics.types import Segment
>>> from metrics.analysis.edit_shares import edit_shares
>>> ours = tuple("the cat that sat on the mat hat a long tail".split())
>>> reference = tuple("the cat that sat on the mat has a long tail".split())
>>> segment, gtm = Segment(ours, (reference,)), METRICS["gtm"]
>>> edits = edit_shares(gtm, segment, reference, settings("gtm"))
>>> plain(edit_sentence(gtm, segment, reference, settings("gtm"), edits, edits[:1]))
'“hat” for “has” costs GTM 0.308: it splits a run of 11 into 7 and 3.'
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ..types import (
    Hit,
    Letters,
    Metric,
    Neighbours,
    Result,
    Segment,
    Settings,
    SkipBigram,
    Tokens,
    signed,
)
from .changes import LedgerChange, ledger
from .difference import matched
from .edit_runs import broken, exchanged
from .edit_shares import EditShare, WordEdit, edited
from .equal_scores import unchanged
from .sentence import QuotedWords, SentencePart, plain
from .small_words import count_noun, first_statement, join_words, more_or_fewer
from .worth import Effect, applied

__all__ = ["drop_row", "edit_rows", "edit_sentence", "plain", "would"]

#: What is named makes up so much of the difference, and what stands against it at least so much of that.
MOST_OF_IT, AGAINST = 0.7, 0.25

#: Reasons that are named for one edit, at the most.
FACTS_MOST = 2

#: Words of an edit that are quoted; of more, the first and the last.
WORDS_MOST = 8

#: Orders of n-grams that are counted one by one; more of them are counted together.
COUNTS_MOST = 4

#: Runs whose lengths are told, on each side.
RUNS_MOST = 4

#: Changes of a score that are smaller are rounding.
EQUAL = 1e-9

#: Where the edits lead: the candidate's are still to be made, those from A to B have been.
Way: TypeAlias = Literal["to a reference", "from A to B"]

_Row: TypeAlias = Sequence[EditShare]


def edit_rows(edits: Iterable[EditShare]) -> tuple[tuple[EditShare, ...], ...]:
    """The edits as they stand in a table: the two of a move together, where the first of them is.

    >>> stays, goes = EditShare(0, 1, ("x",), 0, None, 0.1, 0.5), EditShare(2, 3, (), 2, 0, 0.1, 0.5)
    >>> [len(row) for row in edit_rows([goes, stays, EditShare(5, 5, ("b",), 4, 0, 0.2, 0.5)])]
    [2, 1]
    """
    rows: dict[tuple[str, int], list[EditShare]] = {}
    for number, edit in enumerate(edits):
        rows.setdefault(("edit", number) if edit.move is None else ("move", edit.move), []).append(edit)
    return tuple([tuple(row) for row in rows.values()])


def drop_row(edits: Iterable[EditShare], row: _Row) -> list[EditShare]:
    """All edits but those of a row, in their order."""
    return [edit for edit in edits if edit not in row]


class EditExplanation(NamedTuple):
    """What is said of a row of edits: the sentence in parts, the score of the first text with this row alone made, and
    the cells of that text that would match then and do not yet, a new word's where the word stands that it replaces.
    """

    parts: tuple[SentencePart, ...]
    score_alone: float
    cells: tuple[Hit, ...]


def edit_sentence(
    metric: Metric,
    segment: Segment,
    other: Tokens,
    settings: Settings,
    edits: Sequence[EditShare],
    row: _Row,
    quoted_words: QuotedWords | None = None,
    decimals: int = 3,
    way: Way = "to a reference",
) -> tuple[SentencePart, ...]:
    """The sentence in parts: what a row of the edits does and by what, as far as the cells say so, and its share.

    `edits` are all those from the segment's candidate to `other`, with their shares, and `row` one of `edit_rows`. On
    the way to a reference what the candidate has costs something; from A to B the edit has changed the score. The words
    are the tokens, or those of `quoted_words`. Raises TooHard where the two results cannot be had.
    """
    return explained(metric, segment, other, settings, edits, row, quoted_words, decimals, way).parts


def explained(
    metric: Metric,
    segment: Segment,
    other: Tokens,
    settings: Settings,
    edits: Sequence[EditShare],
    row: _Row,
    quoted_words: QuotedWords | None = None,
    decimals: int = 3,
    way: Way = "to a reference",
) -> EditExplanation:
    """The same, with what the row does alone."""
    wording = _Wording(way == "from A to B", metric)
    words = quoted_words or QuotedWords(segment.candidate, other, segment.references)
    pair_alone = _pair(metric, segment, settings, (), row)
    last = _pair(metric, segment, settings, drop_row(edits, row), edits) if len(edits) > len(row) else pair_alone
    page_pair, unseen = (last, pair_alone) if wording.edits_made else (pair_alone, last)
    sentence_parts = [
        *_subject(row, *_words(row, words), wording),
        SentencePart(_verb(row, page_pair.delta(), decimals, wording)),
    ]
    sentence_parts.append(
        SentencePart(f": {_reason(page_pair, other, row, wording)}.{_mean(page_pair, unseen, row, decimals, wording)}")
    )
    return EditExplanation(tuple(sentence_parts), pair_alone.after.score, _would_match(pair_alone, row))


def would(metric: Metric, segment: Segment, settings: Settings, effect: Effect) -> str:
    """Why a change of one word would change the score, or leave it, as a sentence, with the references that would
    decide instead of those that do. Raises TooHard where the two results cannot be had.

    >>> from metrics import METRICS, settings
    >>> segment = Segment(("a", "b", "x"), (("a", "b", "c"),))
    >>> would(METRICS["rouge_l"], segment, settings("rouge_l"), Effect("delete", 2, -1, -1, 0.8, 0.133))
    'It matches nothing, and the text would have 2 words without it, not 3.'
    """
    i, other = effect.i, applied(effect, segment)
    words = () if effect.action == "delete" else other[i : i + 1]
    row = [EditShare(i, i + (effect.action != "insert"), words, i, None, effect.delta, 0.0)]
    pair = _pair(metric, segment, settings, (), row)
    text = _reason(pair, other, row, _Wording(False, metric))
    for part, k in pair.after.decides.items():
        if (now := pair.before.decides.get(part, k)) != k:
            what = "" if part == "score" else f" the {part.replace('_', ' ')}"
            text += f"; reference {k + 1} would decide{what}, not reference {now + 1}"
    return f"{text[0].upper()}{text[1:]}."


def _would_match(pair: _EditPair, row: _Row) -> tuple[Hit, ...]:
    """The cells of the first candidate that the second result matches and the first one does not, those of a run that
    is in pieces now all together."""
    new = [i for i, at in enumerate(pair.back) if at is None]
    stood = [edit.start + t if edit.start + t < edit.end else None for edit in row for t in range(len(edit.words))]
    stands = dict(zip(new, stood, strict=True))
    whole = broken(pair.before, pair.after, pair.back)
    before = matched(pair.before)
    cells = []
    for i, k, j in sorted(matched(pair.after)):
        at = pair.back[i]
        place = stands[i] if at is None else at
        if place is not None and (Hit(place, k, j) not in before or (whole and (i, k, j) in whole.cells)):
            cells.append(Hit(place, k, j))
    return tuple(cells)


# ---------------------------------------------------------------- the edit and its share


class _Wording(NamedTuple):
    """Whether the edits have been made, so that what they do is told as it is, or else as it would be."""

    edits_made: bool
    metric: Metric

    def does(self, count: float, one: str, many: str, would: str) -> str:
        """The verb for so many."""
        return f"would {would}" if not self.edits_made else one if count == 1 else many


def _words(row: _Row, words: QuotedWords) -> tuple[list[str], list[str]]:
    """The words of the first text that go, and those of the other one that come."""
    gone_words = [word for edit in row for word in words.a[edit.start : edit.end]]
    return gone_words, [word for edit in row for word in words.b[edit.at : edit.at + len(edit.words)]]


def _subject(row: _Row, gone_words: Sequence[str], came: Sequence[str], wording: _Wording) -> Iterator[SentencePart]:
    """The words of the edit, for each other, or those that are missing, too many or elsewhere."""
    if not wording.edits_made:
        first, *rest = faulty(row, gone_words, came)
        yield first if first.is_words else SentencePart(first.text[0].upper() + first.text[1:])
        yield from rest
    elif len(row) > 1:
        yield SentencePart("Moving ")
        yield _cited(gone_words)
    elif gone_words and came:
        yield _cited(came)
        yield SentencePart(" for ")
        yield _cited(gone_words)
    else:
        yield SentencePart("New " if came else "Taking out ")
        yield _cited(gone_words or came)


def faulty(row: _Row, gone_words: Sequence[str], came: Sequence[str]) -> Iterator[SentencePart]:
    """What an edit puts right that is still to be made: words for others, or words that are missing, too many or
    elsewhere; `gone_words` are those of the candidate, `came` the right ones."""
    if len(row) > 1:
        yield SentencePart("the place of ")
        yield _cited(gone_words)
    elif gone_words and came:
        yield _cited(gone_words)
        yield SentencePart(" for ")
        yield _cited(came)
    else:
        yield SentencePart(
            f"the {'missing' if came else 'extra'} {'word' if len(gone_words or came) == 1 else 'words'} "
        )
        yield _cited(gone_words or came)


def _cited(words: Sequence[str]) -> SentencePart:
    half = WORDS_MOST // 2
    cut = [*words[:half], "…", *words[-half:]] if len(words) > WORDS_MOST else words
    return SentencePart(" ".join(cut), True)


def _verb(row: _Row, change: float, decimals: int, wording: _Wording) -> str:
    """What the row does to the score, which changes so where it is made."""
    metric, one = wording.metric, wording.edits_made or _one(row)
    if not wording.edits_made:
        return _costs(change, decimals, metric, one, f" {metric.label}")
    if abs(change) < EQUAL or _small(change, decimals):
        return f" {'does not change' if abs(change) < EQUAL else 'hardly changes'} {metric.label}"
    worse = "" if metric.higher_is_better else ", which is " + ("better" if change < 0 else "worse")
    return f" changes {metric.label} by {signed(change, decimals)}{worse}"


def _costs(change: float, decimals: int, metric: Metric, one: bool, label: str = "", about: str = "") -> str:
    """That a row costs so much or gives it, which changes the score so where it is made."""
    amount = f"{about}{abs(change):.{decimals}f}"
    if abs(change) < EQUAL:
        return f" {_agreeing('cost', one)}{label} nothing"
    if _small(change, decimals):
        amount = f"less than {10**-decimals:.{decimals}f}"
    better = (change > 0) == metric.higher_is_better
    if metric.higher_is_better:
        return f" {_agreeing('cost' if better else 'give', one)}{label} {amount}"
    verb, to = ("add", " to") if better else ("take", " from")
    return f" {_agreeing(verb, one)} {amount}{f'{to}{label}' if label else ''}"


def _small(change: float, decimals: int) -> bool:
    """Whether a change is printed as 0."""
    return float(f"{change:.{decimals}f}") == 0


def _one(row: _Row) -> bool:
    """Whether the row is told as one thing: a word, a move, or words in the place of others."""
    return len(row) > 1 or _is_replacement(row) or _size(row) == 1


def _agreeing(verb: str, one: bool) -> str:
    return f"{verb}s" if one else verb


def _is_replacement(row: _Row) -> bool:
    """Whether words stand for others."""
    return len(row) == 1 and bool(row[0].words) and row[0].start < row[0].end


def _size(row: _Row) -> int:
    """How many words only come, only go, or move."""
    return max(row[0].end - row[0].start, len(row[0].words))


# ---------------------------------------------------------------- the reason


class _EditPair(NamedTuple):
    """Two results whose candidates differ by one edit; for each word of the one the place of the same word in the
    other, None where it has none."""

    before: Result
    after: Result
    back: list[int | None]
    forth: list[int | None]

    def delta(self) -> float:
        return self.after.score - self.before.score

    def turned(self) -> _EditPair:
        return _EditPair(self.after, self.before, self.forth, self.back)


def _pair(metric: Metric, segment: Segment, settings: Settings, before: _Row, after: _Row) -> _EditPair:
    first, second = (
        metric.score(segment._replace(candidate=edited(segment.candidate, [WordEdit(*e[:5]) for e in edits])), settings)
        for edits in (before, after)
    )
    places = [_identified(len(segment.candidate), edits) for edits in (before, after)]
    ours, theirs = ({place: at for at, place in enumerate(each)} for each in places)
    return _EditPair(
        first, second, [ours.get(place) for place in places[1]], [theirs.get(place) for place in places[0]]
    )


def _identified(count: int, edits: _Row) -> list[tuple[str, int]]:
    """The words of the first text after some edits by where they come from: its own places, or the other text's."""
    out, at = list[tuple[str, int]](), 0
    for edit in edits:
        out += [("ours", i) for i in range(at, edit.start)]
        out += [("theirs", edit.at + t) for t in range(len(edit.words))]
        at = edit.end
    return [*out, *[("ours", i) for i in range(at, count)]]


def _reason(page_pair: _EditPair, other: Tokens, row: _Row, wording: _Wording) -> str:
    """What the row does in the pair of texts of which one stands on the page."""
    if abs(page_pair.delta()) < EQUAL:
        return _matched_already(page_pair, other, row, wording) or _same_score(page_pair, wording)
    metric, facts = wording.metric, _facts(page_pair, wording, False, row)
    zero = (
        metric.zero(page_pair.before)
        if metric.zero and not wording.edits_made and page_pair.after.score > EQUAL
        else ""
    )
    return f"{facts}; now {first_statement(zero)}" if zero else facts


def _mean(page_pair: _EditPair, unseen: _EditPair, row: _Row, decimals: int, wording: _Wording) -> str:
    """The share of a row, the mean over orders of the edits, in a sentence of its own; "" where it is told already.

    Where it has another sign, or one of both is nothing, the sentence says what the row does in the other pair, if that
    has the sign of the share.
    """
    share, change = math.fsum([edit.share for edit in row]), page_pair.delta()
    if float(f"{share:.{decimals}f}") == float(f"{change:.{decimals}f}"):
        return ""
    orders, about = row[0].orders, "≈ " if row[0].orders else ""
    worth_text = _describe_change(share, decimals, row, wording, about)
    sentence = f" In the mean over {f'{orders} random' if orders else 'all'} orders of the edits {worth_text}"
    if share * change > 0 or _small(share, decimals):
        return f"{sentence}."
    if abs(unseen.delta()) < EQUAL or unseen.delta() * share < 0:
        return f"{sentence}, only together with some of the others."
    situation, amount = ("as the only edit" if wording.edits_made else "with all others made"), unseen.delta()
    change_text = _describe_change(amount, decimals, row, wording)
    return f"{sentence}; {situation} {change_text}: {_facts(unseen, wording, True, row)}."


def _describe_change(change: float, decimals: int, row: _Row, wording: _Wording, about: str = "") -> str:
    """That a row changes the score by so much, or costs or gives it."""
    metric, one = wording.metric, _one(row)
    if not wording.edits_made:
        return f"{'it' if one else 'they'}{_costs(change, decimals, metric, one, about=about)}"
    return f"it is worth {about}{signed(change, decimals)}"


def _same_score(pair: _EditPair, wording: _Wording) -> str:
    """Why an edit leaves the score as it is."""
    label, now = wording.metric.label, wording.edits_made
    reason = unchanged(wording.metric, pair.before, pair.after).reason
    if reason == "errors":
        return f"there {'are' if now else 'would be'} as many errors {'without it' if now else 'as now'}"
    if reason == "zero":
        return "the score is 0 without it, too" if now else "the score would still be 0"
    if reason == "counts":
        return f"nothing that {label} counts changes"
    return f"what {label} counts {'changes' if now else 'would change'}, but not the score"


#: How two words match that are not the same, as a sentence says it.
_AS = {"equal": "as equal", "stem": "by their stem", "synonym": "as synonyms", "similar": "as similar words"}


def _matched_already(pair: _EditPair, other: Tokens, row: _Row, wording: _Wording) -> str:
    """That the words which stand for each other match as they are, such as those of one stem."""
    edit, result = row[0], pair.before
    if not _is_replacement(row):
        return ""
    gone_places, came = ({i for i, at in enumerate(each) if at is None} for each in (pair.forth, pair.back))
    ours, theirs = ({cell.i for cell in matched(each)} for each in (pair.before, pair.after))
    if gone_places <= ours and came <= theirs and len(gone_places) == len(came) and not wording.edits_made:
        reason = _as_they_are(result, other, edit, wording)
        return reason or f"with either, {'the word matches' if len(came) == 1 else 'all words match'}"
    return ""


def _as_they_are(result: Result, other: Tokens, edit: EditShare, wording: _Wording) -> str:
    """How words match that are not the same."""
    target_cells = {(edit.start + t, edit.at + t) for t in range(len(edit.words))}
    reference_numbers = {k for k, words in enumerate(result.segment.references) if words == other}
    for layer in result.layers:
        cells = {(i, j) for i, k, j in layer.cells() if k in reference_numbers}
        if target_cells <= cells and layer.relation in _AS:
            return f"{wording.metric.label} matches them {_AS[layer.relation]}"
    return ""


def _facts(pair: _EditPair, wording: _Wording, off_page: bool, row: _Row) -> str:
    """The largest changes that move the score as the edit does, and what stands much against them."""
    grouped: dict[str, list[LedgerChange]] = {}
    for step in ledger(wording.metric, pair.before, pair.after):
        kind = f"{step.cause} {step.name}" if step.cause == "contiguity" else step.cause
        grouped.setdefault(kind, []).append(step)
    shares = {kind: math.fsum([step.share for step in steps]) for kind, steps in grouped.items()}
    up = pair.delta() > 0
    for_it = sorted([kind for kind in grouped if shares[kind] * pair.delta() > 0], key=lambda kind: -abs(shares[kind]))
    if len(for_it) > 1:  # words that only come never make a text better, nor do those that go make it worse
        for_it = [kind for kind in for_it if not _odd(grouped[kind], up == wording.metric.higher_is_better)]
    whole = math.fsum([abs(shares[kind]) for kind in for_it])
    clauses, covered = list[str](), 0.0
    for kind in for_it[:FACTS_MOST]:
        if covered < MOST_OF_IT * whole:
            covered += abs(shares[kind])
            better = up == wording.metric.higher_is_better
            idle = _idle(pair, row, wording, off_page) if kind == "length" and not clauses else ""
            clauses.append(idle + _fact(grouped[kind], pair, better, wording, off_page, row))
    other_way = up != wording.metric.higher_is_better
    against = [kind for kind in grouped if shares[kind] * pair.delta() < 0 and abs(shares[kind]) > AGAINST * whole]
    against = [kind for kind in against if not _odd(grouped[kind], other_way)]
    text = ", and ".join(dict.fromkeys(clauses))
    if against:
        most = max(against, key=lambda kind: abs(shares[kind]))
        text += f", though {_fact(grouped[most], pair, other_way, wording, off_page, row)}"
    return text


def _odd(steps: Sequence[LedgerChange], better: bool) -> bool:
    """Whether a longer text would make something better, or a shorter one worse, beside what matches in it."""
    step = steps[0]
    return step.cause == "length" and step.before != step.after and (step.after > step.before) == better


def _fact(
    steps: Sequence[LedgerChange], pair: _EditPair, better: bool, wording: _Wording, off_page: bool, row: _Row
) -> str:
    """What steps of one cause are, as a clause."""
    step = steps[0]
    more = "more" if better else "less"
    if step.cause in ("matches", "order"):
        counts = [*_counts(steps, pair)]
        certain = len(counts) == len({noun for _, noun, _ in counts})
        alike = certain and len({up for _, _, up in counts}) == 1 and counts[0][2] == (better != step.cost)
        if alike and len(counts) <= COUNTS_MOST:
            count_text = join_words([more_or_fewer(count, noun, up) for count, noun, up in counts])
            verbs = ("matches", "match", "match") if step.cause == "matches" else ("counts", "count", "count")
            return f"{count_text} {wording.does(sum([count for count, _, _ in counts]), *verbs)}"
        if exact := _otherwise(steps, wording):
            return exact
        if all_orders := _whole_count(steps, counts, better):
            verb = wording.does(all_orders, "matches", "match", "match")
            return f"{more_or_fewer(all_orders, 'n-grams', better)} {verb}"
        what = "matches" if any(piece.kind == "changed" for step in steps for piece in step.pieces) else "other matches"
        return f"{what} {wording.does(2, 'counts', 'count', 'count')} {more}"
    if step.cause == "contiguity" and not step.cost:
        if any(isinstance(piece.mark, Neighbours) for piece in step.pieces):
            return f"runs that follow each other {wording.does(2, 'counts', 'count', 'count')} {more}"
        return _run(pair, better, wording, off_page, row)
    if step.cause == "contiguity":
        verb = wording.does(2, "stands", "stand", "stand")
        return f"the matches {verb} in {count_noun(step.after, step.name)}, not {step.before:.0f}"
    if step.cause == "gaps":
        return f"{'less' if better else 'more'} {wording.does(1, 'is', 'are', 'be')} lost to gaps"
    if step.cause == "edits":
        differences = [(each.after - each.before, each.name) for each in steps if each.after != each.before]
        if len({count > 0 for count, _ in differences}) > 1:
            whole = math.fsum([count for count, _ in differences])
            differences = [(whole, "edits")] if whole else []
        count_text = (
            join_words([more_or_fewer(abs(count), name, count > 0) for count, name in differences]) or "other edits"
        )
        one = len(differences) == 1 and abs(differences[0][0]) == 1
        return f"{count_text} {wording.does(1 if one else 2, 'is', 'are', 'be')} needed"
    if step.cause == "length" and step.before != step.after:
        so = "" if wording.edits_made or row[0].words else " without it" if _size(row) == 1 else " without them"
        has, words = wording.does(1, "has", "have", "have"), count_noun(step.after, f"{step.unit}s")
        return f"the text {has} {words}{so}, not {step.before:.0f}"
    if step.cause in ("length", "references"):
        what = "the length" if step.cause == "length" else "the length of another reference"
        return f"{what} {wording.does(1, 'counts', 'count', 'count')}"
    return f"the {step.name} {wording.does(1, 'is', 'are', 'be')} {step.after:.3f}, not {step.before:.3f}"


def _whole_count(steps: Sequence[LedgerChange], counts: Sequence[tuple[int, str, bool]], better: bool) -> int:
    """How many more or fewer n-grams of all orders match, 0 where that is not what moves the score as it does."""
    if steps[0].cause != "matches" or not all(noun.endswith("-grams") for _, noun, _ in counts):
        return 0
    whole = sum([count if up else -count for count, _, up in counts])
    return abs(whole) if (whole > 0) == better else 0


def _idle(pair: _EditPair, row: _Row, wording: _Wording, off_page: bool) -> str:
    """That the words which only go match nothing, where that is so."""
    gone_places = {i for i, at in enumerate(pair.forth) if at is None}
    if row[0].words or len(row) > 1 or gone_places & {cell.i for cell in matched(pair.before)}:
        return ""
    it, verb = ("it", "matches") if len(gone_places) == 1 else ("they", "match")
    matching_verb = "matched" if wording.edits_made else "would match" if off_page else verb
    return f"{it} {matching_verb} nothing, and "


def _counts(steps: Sequence[LedgerChange], pair: _EditPair) -> Iterator[tuple[int, str, bool]]:
    """How many more or fewer of what there are; what stays as it is is left out.

    Words of the candidate count once, in whatever round, reference or way they match. Precision and recall can count
    other n-grams, of two references: then it cannot be said how many there are.
    """
    counts_by_noun: dict[str, set[int]] = {}
    for step in steps:
        noun = _noun(step, pair)
        if noun == "words":
            count = len({cell.i for cell in matched(pair.after)}) - len({cell.i for cell in matched(pair.before)})
        elif any(isinstance(piece.mark, Letters) for piece in step.pieces):  # each stands for all n-grams in it
            count = round(math.fsum([piece.credit for piece in step.pieces]))
        elif step.pieces:
            count = sum([(piece.kind == "gained") - (piece.kind == "lost") for piece in step.pieces])
        else:
            count = round(step.after - step.before)
        counts_by_noun.setdefault(noun, set()).add(count)
    for noun, counts in counts_by_noun.items():
        for count in counts:
            if count or len(counts) > 1:
                yield abs(count), noun, count > 0


def _noun(step: LedgerChange, pair: _EditPair) -> str:
    """What a step counts, in the plural."""
    kinds = {piece.mark.__class__ for piece in step.pieces}
    if step.cause == "order":
        return step.name
    if SkipBigram in kinds:
        return "pairs of words in order"
    if kinds and Letters not in kinds and all(len(piece.mark.cells()) == 1 for piece in step.pieces):
        return "words"
    base = step.name.split(":")[0].split(",")[0]
    layer = next((x for x in itertools.chain(pair.after.layers, pair.before.layers) if base in (x.kind, x.name)), None)
    return f"{layer.noun}s" if layer else base


def _otherwise(steps: Sequence[LedgerChange], wording: _Wording) -> str:
    """That one word matches in another way, where one layer has gained what another one has lost."""
    changed = [step for step in steps if step.after != step.before]
    gained = [step for step in changed if [piece.kind for piece in step.pieces] == ["gained"]]
    lost = [step for step in changed if [piece.kind for piece in step.pieces] == ["lost"]]
    if len(changed) != 2 or len(gained) != 1 or len(lost) != 1:
        return ""
    now, before = (step.name.split(":")[0] for step in (gained[0], lost[0]))
    return f"one match {wording.does(1, 'counts', 'count', 'count')} as “{now}”, not as “{before}”"


def _run(pair: _EditPair, better: bool, wording: _Wording, off_page: bool, row: _Row) -> str:
    """That the edit splits a run, shortens it or joins some, as the cells show it; else which run there is in place of
    which others."""
    turned = pair if better else pair.turned()
    whole = broken(turned.before, turned.after, turned.back)
    if not whole:
        return _instead(pair, wording)
    length, parts, _ = whole
    missing = len(row) == 1 and row[0].start == row[0].end
    into = f"into {join_words(parts)}" if len(parts) > 1 else f"to {parts[0]}"
    if wording.edits_made:
        if not better:
            return f"it {'splits' if len(parts) > 1 else 'shortens'} a run of {length} {into}"
        if len(parts) > 1:
            return f"it joins runs of {join_words(parts)} to one of {length}"
        return f"it makes a run of {parts[0]} one of {length}"
    if not better:
        return f"without it a run of {length} would be {'split' if len(parts) > 1 else 'shortened'} {into}"
    if missing:
        it = "it" if _size(row) == 1 else "them"
        fate = "split" if len(parts) > 1 else "shortened"
        return f"a run of {length} {'would be' if off_page else 'is'} {fate} {into} without {it}"
    if off_page:
        return f"it would {'split' if len(parts) > 1 else 'shorten'} a run of {length} {into}"
    return f"it {'splits' if len(parts) > 1 else 'shortens'} a run of {length} {into}"


def _instead(pair: _EditPair, wording: _Wording) -> str:
    """Which runs the second result has in place of which of the first one; of many the longest."""
    lost, gained = exchanged(pair.before, pair.after)
    if not gained:
        verb = wording.does(len(lost), "is", "are", "be")
        return f"{_these(lost)} {verb} lost" if lost else "matches are arranged in another way"
    verb = wording.does(len(gained), "matches", "match", "match")
    return f"{_these(gained)} {verb}" + (f" in place of {_these(lost, len(lost) == 1)}" if lost else " as well")


def _these(lengths: Sequence[int], one: bool = False) -> str:
    """Runs of these lengths, or `one` of a length after others have been named."""
    lengths_text = join_words(
        [*lengths[:RUNS_MOST], *([f"{len(lengths) - RUNS_MOST} others"] if len(lengths) > RUNS_MOST else [])]
    )
    return f"{'one' if one else 'a run' if len(lengths) == 1 else 'runs'} of {lengths_text}"
