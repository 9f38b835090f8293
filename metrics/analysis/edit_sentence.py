"""Explains in a sentence what one edit does to a score and why, and what it is worth on average over all orders.

What an edit does depends on which other edits are made. Two pairs of texts differ by this edit alone: the first text
without and with it, and the other text with it taken back and with it. The sentence is about the pair whose text is
shown on the page: by how much the edit changes the score there, and through which cells. Its share, the mean over all
orders, follows if it is a different number. If the share has the opposite sign, the sentence also says what the edit
does in the other pair, and through which cells.

>>> from metrics import METRICS, settings
>>> from metrics.analysis.sentence import plain_text
>>> from metrics.analysis.edit_shares import edit_shares
>>> ours = tuple("the cat that sat on the mat hat a long tail".split())
>>> reference = tuple("the cat that sat on the mat has a long tail".split())
>>> segment, gtm = Segment(ours, (reference,)), METRICS["gtm"]
>>> edits = edit_shares(gtm, segment, reference, settings("gtm"))
>>> plain_text(explain_row(gtm, segment, reference, settings("gtm"), edits, edits[:1]).parts)
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
    join_words,
    signed_text,
)
from .changes import LedgerChange, ledger, matched_positions
from .difference import matched_cells
from .edit_pair import EditPair, edit_pair
from .edit_runs import exchanged_run_lengths, longest_broken_run
from .edit_shares import EditShare
from .equal_scores import equal_score_reason
from .phrases import counts_marks, shortened_phrase
from .sentence import QuotedWords, SentencePart
from .small_words import count_noun, first_statement, more_or_fewer
from .worth import WordChangeEffect, candidate_after

__all__ = ["drop_row", "edit_rows", "explain_row", "explain_word_change"]

#: The part of the difference that the named reasons cover, and the relative size from which a counter-reason is named.
MOST_OF_IT, AGAINST = 0.7, 0.25

#: The most reasons that are named for one edit.
FACTS_MOST = 2

#: The most orders of n-grams that are counted separately; more of them are counted together.
COUNTS_MOST = 4

#: The most runs whose lengths are named, on each side.
RUNS_MOST = 4

#: Smaller changes of a score are rounding.
EQUAL = 1e-9

#: The kind of edits: "to a reference" if they are still to be made, "from A to B" if they have been made.
Way: TypeAlias = Literal["to a reference", "from A to B"]

_Row: TypeAlias = Sequence[EditShare]


def edit_rows(edits: Iterable[EditShare]) -> tuple[tuple[EditShare, ...], ...]:
    """Return the edits as rows of a table: an edit, or the two edits of a move, at the place of the first.

    >>> stays, goes = EditShare(0, 1, ("x",), 0, None, 0.1, 0.5), EditShare(2, 3, (), 2, 0, 0.1, 0.5)
    >>> [len(row) for row in edit_rows([goes, stays, EditShare(5, 5, ("b",), 4, 0, 0.2, 0.5)])]
    [2, 1]
    """
    rows: dict[tuple[str, int], list[EditShare]] = {}
    for number, edit in enumerate(edits):
        rows.setdefault(("edit", number) if edit.move is None else ("move", edit.move), []).append(edit)
    return tuple([tuple(row) for row in rows.values()])


def drop_row(edits: Iterable[EditShare], row: _Row) -> list[EditShare]:
    """Return all edits except those of a row (an edit, or the two edits of a move), in order."""
    return [edit for edit in edits if edit not in row]


class EditExplanation(NamedTuple):
    """The explanation of a row of edits (one edit, or two of a move), with the effect of making only this row."""

    parts: tuple[SentencePart, ...]  # the sentence
    score_alone: float  # the score of the first text with only this row made
    cells: tuple[Hit, ...]  # cells of the first text that match only then; a new word's at the word that it replaces


def explain_row(
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
    """Return a sentence on what a row of edits does to the score, why, and what its share is, and its effect alone.

    `edits` are all edits from the segment's candidate to `other`, with their shares, and `row` is one of `edit_rows`.
    With `way` "to a reference" the candidate's words cost something; with "from A to B" the edit has changed the score.
    The words are the tokens, or those of `quoted_words`. Raises TooHard if a result takes too long to compute."""
    wording = _Wording(way == "from A to B", metric)
    words = quoted_words or QuotedWords(segment.candidate, other, segment.references)
    pair_alone = edit_pair(metric, segment, settings, (), row)
    last = edit_pair(metric, segment, settings, drop_row(edits, row), edits) if len(edits) > len(row) else pair_alone
    page_pair, unseen = (last, pair_alone) if wording.edits_made else (pair_alone, last)
    reason, mean = _reason(page_pair, other, row, wording), _mean_sentence(page_pair, unseen, row, decimals, wording)
    sentence_parts = (
        *_subject(row, *_changed_words(row, words), wording),
        SentencePart(_predicate(row, page_pair.delta(), decimals, wording)),
        SentencePart(f": {reason}.{mean}"),
    )
    return EditExplanation(sentence_parts, pair_alone.after.score, _newly_matched_cells(pair_alone, row))


def explain_word_change(metric: Metric, segment: Segment, settings: Settings, effect: WordChangeEffect) -> str:
    """Return a sentence on why a change of one word would change the score or not, and which references would decide.

    Raises TooHard if a result takes too long to compute.

    >>> from metrics import METRICS, settings
    >>> segment = Segment(("a", "b", "x"), (("a", "b", "c"),))
    >>> effect = WordChangeEffect("delete", 2, -1, -1, 0.8, 0.133)
    >>> explain_word_change(METRICS["rouge_l"], segment, settings("rouge_l"), effect)
    'It matches nothing, and the text would have 2 words without it, not 3.'
    """
    i, other = effect.i, candidate_after(effect, segment)
    words = () if effect.action == "delete" else other[i : i + 1]
    row = [EditShare(i, i + (effect.action != "insert"), words, i, None, effect.delta, 0.0)]
    pair = edit_pair(metric, segment, settings, (), row)
    text = _reason(pair, other, row, _Wording(False, metric))
    for part, k in pair.after.decides.items():
        if (now := pair.before.decides.get(part, k)) != k:
            what = "" if part == "score" else f" the {part.replace('_', ' ')}"
            text += f"; reference {k + 1} would decide{what}, not reference {now + 1}"
    return f"{text[0].upper()}{text[1:]}."


def _newly_matched_cells(pair: EditPair, row: _Row) -> tuple[Hit, ...]:
    """Return the cells that match only after the edit, at positions of the text before it.

    Of a run that is broken before the edit, all cells are included."""
    new = [i for i, at in enumerate(pair.back) if at is None]
    stood = [edit.start + t if edit.start + t < edit.end else None for edit in row for t in range(len(edit.words))]
    stands = dict(zip(new, stood, strict=True))
    whole = longest_broken_run(pair.before, pair.after, pair.back)
    before = matched_cells(pair.before)
    cells = []
    for i, k, j in sorted(matched_cells(pair.after)):
        at = pair.back[i]
        place = stands[i] if at is None else at
        if place is not None and (Hit(place, k, j) not in before or (whole and (i, k, j) in whole.cells)):
            cells.append(Hit(place, k, j))
    return tuple(cells)


# ---------------------------------------------------------------- the edit and its share


class _Wording(NamedTuple):
    """The form of a sentence on edits: what they do to the score, if `edits_made`, or else what they would do."""

    edits_made: bool
    metric: Metric

    def does(self, count: float, one: str, many: str, infinitive: str) -> str:
        """Return the verb: `one` or `many` for `count` if the edits are made, else "would" and the `infinitive`."""
        return f"would {infinitive}" if not self.edits_made else one if count == 1 else many


def _changed_words(row: _Row, words: QuotedWords) -> tuple[list[str], list[str]]:
    """Return the words that the edits of a row remove from the first text, and the words that they add to it."""
    gone_words = [word for edit in row for word in words.a[edit.start : edit.end]]
    return gone_words, [word for edit in row for word in words.b[edit.at : edit.at + len(edit.words)]]


def _subject(row: _Row, gone_words: Sequence[str], came: Sequence[str], wording: _Wording) -> Iterator[SentencePart]:
    """Yield the subject of the sentence: the words of the edit, and whether they are new, missing, extra or moved."""
    if not wording.edits_made:
        first, *rest = fault_parts(row, gone_words, came)
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
        yield SentencePart("New " if came else "Removing ")
        yield _cited(gone_words or came)


def fault_parts(row: _Row, gone_words: Sequence[str], came: Sequence[str]) -> Iterator[SentencePart]:
    """Yield what an edit corrects: wrong words (`gone_words` instead of `came`), or missing, extra or moved words."""
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
    """Return the words as a quoted part of the sentence, shortened if there are many."""
    return SentencePart(shortened_phrase(words), True)


def _predicate(row: _Row, change: float, decimals: int, wording: _Wording) -> str:
    """Return the predicate of the sentence, where the edit changes the score by `change` (score after minus before)."""
    metric, one = wording.metric, wording.edits_made or _is_singular(row)
    if not wording.edits_made:
        return _cost_verb(change, decimals, metric, one, f" {metric.label}")
    if abs(change) < EQUAL or _prints_as_zero(change, decimals):
        return f" {'does not change' if abs(change) < EQUAL else 'hardly changes'} {metric.label}"
    worse = "" if metric.higher_is_better else ", which is " + ("better" if change < 0 else "worse")
    return f" changes {metric.label} by {signed_text(change, decimals)}{worse}"


def _cost_verb(change: float, decimals: int, metric: Metric, one: bool, label: str = "", about: str = "") -> str:
    """Return the predicate "costs" or "gives" with its amount, for an edit that would change the score by `change`."""
    amount = f"{about}{abs(change):.{decimals}f}"
    if abs(change) < EQUAL:
        return f" {_agreeing('cost', one)}{label} nothing"
    if _prints_as_zero(change, decimals):
        amount = f"less than {10**-decimals:.{decimals}f}"
    better = (change > 0) == metric.higher_is_better
    if metric.higher_is_better:
        return f" {_agreeing('cost' if better else 'give', one)}{label} {amount}"
    verb, to = ("add", " to") if better else ("take", " from")
    return f" {_agreeing(verb, one)} {amount}{f'{to}{label}' if label else ''}"


def _prints_as_zero(change: float, decimals: int) -> bool:
    """Return whether a change is printed as 0."""
    return float(f"{change:.{decimals}f}") == 0


def _is_singular(row: _Row) -> bool:
    """Return whether the subject of the sentence is singular: the edit is of one word, a move, or a replacement."""
    return len(row) > 1 or _is_replacement(row) or _word_count(row) == 1


def _agreeing(verb: str, one: bool) -> str:
    """Return the verb in the third person: singular if `one`, else plural."""
    return f"{verb}s" if one else verb


def _is_replacement(row: _Row) -> bool:
    """Return whether the row of edits replaces words by others."""
    return len(row) == 1 and bool(row[0].words) and row[0].start < row[0].end


def _word_count(row: _Row) -> int:
    """Return how many words a row of edits adds, removes or moves; of a replacement, the larger number."""
    return max(row[0].end - row[0].start, len(row[0].words))


# ---------------------------------------------------------------- the reason


def _reason(page_pair: EditPair, other: Tokens, row: _Row, wording: _Wording) -> str:
    """Return a clause that says why the edit changes the score, in that pair of texts of which one is on the page."""
    if abs(page_pair.delta()) < EQUAL:
        return _matched_already(page_pair, other, row, wording) or _same_score(page_pair, wording)
    metric, facts = wording.metric, _main_clauses(page_pair, wording, False, row)
    zero = (
        metric.zero(page_pair.before)
        if metric.zero and not wording.edits_made and page_pair.after.score > EQUAL
        else ""
    )
    return f"{facts}; now {first_statement(zero)}" if zero else facts


def _mean_sentence(page_pair: EditPair, unseen: EditPair, row: _Row, decimals: int, wording: _Wording) -> str:
    """Return a sentence on the edit's share (its mean effect), or "" if the share prints like the effect on the page.

    If its sign differs, or one of them is 0, the sentence also names the effect in `unseen`, the other pair, if it
    fits."""
    share, change = math.fsum([edit.share for edit in row]), page_pair.delta()
    if float(f"{share:.{decimals}f}") == float(f"{change:.{decimals}f}"):
        return ""
    orders, about = row[0].orders, "≈ " if row[0].orders else ""
    worth_text = _describe_change(share, decimals, row, wording, about)
    sentence = f" On average over {f'{orders} random' if orders else 'all'} orders of the edits, {worth_text}"
    if share * change > 0 or _prints_as_zero(share, decimals):
        return f"{sentence}."
    if abs(unseen.delta()) < EQUAL or unseen.delta() * share < 0:
        return f"{sentence}, but only together with other edits."
    situation, amount = ("as the only edit" if wording.edits_made else "after all other edits"), unseen.delta()
    change_text = _describe_change(amount, decimals, row, wording)
    return f"{sentence}; {situation} {change_text}: {_main_clauses(unseen, wording, True, row)}."


def _describe_change(change: float, decimals: int, row: _Row, wording: _Wording, about: str = "") -> str:
    """Return a clause that the edit changes the score by `change`, or costs that much; `about` precedes the amount."""
    metric, one = wording.metric, _is_singular(row)
    if not wording.edits_made:
        return f"{'it' if one else 'they'}{_cost_verb(change, decimals, metric, one, about=about)}"
    return f"it is worth {about}{signed_text(change, decimals)}"


def _same_score(pair: EditPair, wording: _Wording) -> str:
    """Return a clause that says why the edit does not change the score."""
    label, now = wording.metric.label, wording.edits_made
    reason = equal_score_reason(wording.metric, pair.before, pair.after).reason
    if reason == "errors":
        return f"the number of errors {'stays' if now else 'would stay'} the same"
    if reason == "zero":
        return "the score is also 0 without it" if now else "the score would still be 0"
    if reason == "counts":
        return f"nothing that {label} counts changes"
    return f"what {label} counts {'changes' if now else 'would change'}, but not the score"


#: The wordings of the ways in which two different words can match.
_MATCHED_AS = {"equal": "as equal", "stem": "by their stem", "synonym": "as synonyms", "similar": "as similar words"}


def _matched_already(pair: EditPair, other: Tokens, row: _Row, wording: _Wording) -> str:
    """Return a clause that the replaced words match already, such as words of one stem, or "" if they do not."""
    edit, result = row[0], pair.before
    if not _is_replacement(row):
        return ""
    gone_places, came = ({i for i, at in enumerate(each) if at is None} for each in (pair.forth, pair.back))
    ours, theirs = ({cell.i for cell in matched_cells(each)} for each in (pair.before, pair.after))
    if gone_places <= ours and came <= theirs and len(gone_places) == len(came) and not wording.edits_made:
        reason = _match_relation_clause(result, other, edit, wording)
        return reason or f"{'the word matches' if len(came) == 1 else 'all words match'} either way"
    return ""


def _match_relation_clause(result: Result, other: Tokens, edit: EditShare, wording: _Wording) -> str:
    """Return a clause that says how the words of a replacement match each other, such as by stem; "" if they do not."""
    target_cells = {(edit.start + t, edit.at + t) for t in range(len(edit.words))}
    reference_numbers = {k for k, words in enumerate(result.segment.references) if words == other}
    for layer in result.layers:
        cells = {(i, j) for i, k, j in layer.cells() if k in reference_numbers}
        if target_cells <= cells and layer.relation in _MATCHED_AS:
            return f"{wording.metric.label} matches them {_MATCHED_AS[layer.relation]}"
    return ""


def _main_clauses(pair: EditPair, wording: _Wording, off_page: bool, row: _Row) -> str:
    """Return clauses on the largest changes in the direction of the score's change, and on a large one against it."""
    grouped: dict[str, list[LedgerChange]] = {}
    for step in ledger(wording.metric, pair.before, pair.after):
        kind = f"{step.cause} {step.name}" if step.cause == "contiguity" else step.cause
        grouped.setdefault(kind, []).append(step)
    shares = {kind: math.fsum([step.share for step in steps]) for kind, steps in grouped.items()}
    up = pair.delta() > 0
    for_it = sorted([kind for kind in grouped if shares[kind] * pair.delta() > 0], key=lambda kind: -abs(shares[kind]))
    if len(for_it) > 1:  # adding words alone never makes a text better, nor does removing words make it worse
        for_it = [kind for kind in for_it if not _is_implausible(grouped[kind], up == wording.metric.higher_is_better)]
    whole = math.fsum([abs(shares[kind]) for kind in for_it])
    clauses, covered = list[str](), 0.0
    for kind in for_it[:FACTS_MOST]:
        if covered < MOST_OF_IT * whole:
            covered += abs(shares[kind])
            better = up == wording.metric.higher_is_better
            idle = _unmatched_clause(pair, row, wording, off_page) if kind == "length" and not clauses else ""
            clauses.append(idle + _step_clause(grouped[kind], pair, better, wording, off_page, row))
    other_way = up != wording.metric.higher_is_better
    against = [kind for kind in grouped if shares[kind] * pair.delta() < 0 and abs(shares[kind]) > AGAINST * whole]
    against = [kind for kind in against if not _is_implausible(grouped[kind], other_way)]
    text = ", and ".join(dict.fromkeys(clauses))
    if against:
        most = max(against, key=lambda kind: abs(shares[kind]))
        text += f", though {_step_clause(grouped[most], pair, other_way, wording, off_page, row)}"
    return text


def _is_implausible(steps: Sequence[LedgerChange], better: bool) -> bool:
    """Return whether the steps claim that a longer text is better, or a shorter one worse, apart from its matches."""
    step = steps[0]
    return step.cause == "length" and step.before != step.after and (step.after > step.before) == better


def _step_clause(
    steps: Sequence[LedgerChange], pair: EditPair, better: bool, wording: _Wording, off_page: bool, row: _Row
) -> str:
    """Return a clause that says what changed, for ledger steps of one cause; `better`: they improve the score."""
    step = steps[0]
    more = "more" if better else "less"
    if step.cause in ("matches", "order"):
        counts = [*_count_changes(steps, pair)]
        certain = len(counts) == len({noun for _, noun, _ in counts})
        alike = certain and len({up for _, _, up in counts}) == 1 and counts[0][2] == (better != step.cost)
        informative = sum([" that carry " in noun for _, noun, _ in counts])
        if alike and len(counts) <= (1 if informative else COUNTS_MOST):
            count_text = join_words([more_or_fewer(count, noun, up) for count, noun, up in counts])
            verbs = ("matches", "match", "match") if step.cause == "matches" else ("counts", "count", "count")
            return f"{count_text} {wording.does(sum([count for count, _, _ in counts]), *verbs)}"
        if exact := _other_way_clause(steps, pair, wording):
            return exact
        if all_orders := _ngram_count_change(steps, counts, better):
            verb = wording.does(all_orders, "matches", "match", "match")
            noun = "n-grams that carry information" if informative else "n-grams"
            return f"{more_or_fewer(all_orders, noun, better)} {verb}"
        return _exchanged_matches_clause(steps, more, wording)
    if step.cause == "contiguity" and not step.cost:
        if any(isinstance(piece.mark, Neighbours) for piece in step.pieces):
            return f"runs that follow each other {wording.does(2, 'counts', 'count', 'count')} {more}"
        return _run_clause(pair, better, wording, off_page, row)
    if step.cause == "contiguity":
        verb = wording.does(2, "forms", "form", "form")
        return f"the matches {verb} {count_noun(step.after, step.name)}, not {step.before:.0f}"
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
        so = "" if wording.edits_made or row[0].words else " without it" if _word_count(row) == 1 else " without them"
        has, words = wording.does(1, "has", "have", "have"), count_noun(step.after, f"{step.unit}s")
        return f"the text {has} {words}{so}, not {step.before:.0f}"
    if step.cause in ("length", "references"):
        what = "the length" if step.cause == "length" else "the length of another reference"
        return f"{what} {wording.does(1, 'counts', 'count', 'count')}"
    return f"the {step.name} {wording.does(1, 'is', 'are', 'be')} {step.after:.3f}, not {step.before:.3f}"


def _ngram_count_change(steps: Sequence[LedgerChange], counts: Sequence[tuple[int, str, bool]], better: bool) -> int:
    """Return how many more or fewer n-grams of all orders match; 0 if that does not explain the score's change."""
    kinds = [noun.partition(" that ")[0] for _, noun, _ in counts]
    is_of_ngrams = any(kind.endswith("-grams") for kind in kinds)
    if steps[0].cause != "matches" or not is_of_ngrams or not all(k == "words" or k.endswith("-grams") for k in kinds):
        return 0
    whole = sum([count if up else -count for count, _, up in counts])
    return abs(whole) if (whole > 0) == better else 0


def _unmatched_clause(pair: EditPair, row: _Row, wording: _Wording, off_page: bool) -> str:
    """Return the clause "it matches nothing, and " on the removed words, or "" if one of them matches."""
    gone_places = {i for i, at in enumerate(pair.forth) if at is None}
    if row[0].words or len(row) > 1 or gone_places & {cell.i for cell in matched_cells(pair.before)}:
        return ""
    it, verb = ("it", "matches") if len(gone_places) == 1 else ("they", "match")
    matching_verb = "matched" if wording.edits_made else "would match" if off_page else verb
    return f"{it} {matching_verb} nothing, and "


def _count_changes(steps: Sequence[LedgerChange], pair: EditPair) -> Iterator[tuple[int, str, bool]]:
    """Yield how many more or fewer there are of each noun, as (count, noun, whether more). Unchanged nouns are omitted.

    A candidate word counts once, whatever the round, reference or kind of its match. Precision and recall can count
    different n-grams, of two references; then a noun has several counts, and none is certain."""
    counts_by_noun: dict[str, set[int]] = {}
    for step in steps:
        noun = _noun(step, pair)
        if noun == "words":
            count = len(matched_positions(pair.after)) - len(matched_positions(pair.before))
        elif any(isinstance(piece.mark, Letters) for piece in step.pieces):  # each mark covers many n-grams
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


def _noun(step: LedgerChange, pair: EditPair) -> str:
    """Return the plural noun for what a ledger step counts."""
    kinds = {piece.mark.__class__ for piece in step.pieces}
    if step.cause == "order":
        return step.name
    if SkipBigram in kinds:
        return "pairs of words in order"
    if kinds and Letters not in kinds and all(len(piece.mark.cells()) == 1 for piece in step.pieces):
        return "words"
    base = step.name.split(":")[0].split(",")[0]
    layer = next((x for x in itertools.chain(pair.after.layers, pair.before.layers) if base in (x.kind, x.name)), None)
    noun = f"{layer.noun}s" if layer else base
    same_layers = [x for result in (pair.before, pair.after) for x in result.layers if layer and x.kind == layer.kind]
    return noun if Letters in kinds or counts_marks(same_layers) else f"{noun} that carry information"


def _other_way_clause(steps: Sequence[LedgerChange], pair: EditPair, wording: _Wording) -> str:
    """Return a clause that a word's match counts in another way, or takes the place of another word's; "" if none does.

    That is so if one layer gained the match of one word, and another layer lost one.
    """
    changed = [step for step in steps if step.after != step.before]
    gained = [step for step in changed if [piece.kind for piece in step.pieces] == ["gained"]]
    lost = [step for step in changed if [piece.kind for piece in step.pieces] == ["lost"]]
    if len(changed) != 2 or len(gained) != 1 or len(lost) != 1:
        return ""
    now, before = (step.name.split(":")[0] for step in (gained[0], lost[0]))
    cells = [step.pieces[0].mark.cells() for step in (gained[0], lost[0])]
    if not all(len(each) == 1 for each in cells):
        return ""
    if pair.back[cells[0][0].i] == cells[1][0].i:
        return f"one match {wording.does(1, 'counts', 'count', 'count')} as “{now}”, not as “{before}”"
    return f"a match of “{now}” {wording.does(1, 'takes', 'take', 'take')} the place of one of “{before}”"


def _exchanged_matches_clause(steps: Sequence[LedgerChange], more: str, wording: _Wording) -> str:
    """Return a clause on matches whose number explains nothing: they count `more` ("more" or "less")."""
    kinds, count = {piece.kind for step in steps for piece in step.pieces}, wording.does(2, "counts", "count", "count")
    if {"gained", "lost"} <= kinds:
        return f"matches that count {more} {wording.does(2, 'takes', 'take', 'take')} the place of others"
    if kinds == {"gained" if more == "more" else "lost"}:
        return f"{'more' if more == 'more' else 'fewer'} matches {count}"
    return f"the matches {count} {more}"


def _run_clause(pair: EditPair, better: bool, wording: _Wording, off_page: bool, row: _Row) -> str:
    """Return a clause on the run that the edit splits, shortens or joins, or else on the runs that replace others."""
    swapped = pair if better else pair.swapped()
    whole = longest_broken_run(swapped.before, swapped.after, swapped.back)
    if not whole:
        return _replaced_runs_clause(pair, wording)
    length, parts, _ = whole
    missing = len(row) == 1 and row[0].start == row[0].end
    verb, fate, into = "shorten", "shortened", f"to {parts[0]}"
    if len(parts) > 1:
        verb, fate, into = "split", "split", f"into {join_words(parts)}"
    if wording.edits_made and better:
        if len(parts) > 1:
            return f"it joins runs of {join_words(parts)} into one of {length}"
        return f"it extends a run of {parts[0]} to {length}"
    if not wording.edits_made and not better:
        return f"without it a run of {length} would be {fate} {into}"
    if missing and not wording.edits_made:
        it = "it" if _word_count(row) == 1 else "them"
        return f"a run of {length} {'would be' if off_page else 'is'} {fate} {into} without {it}"
    does = f"would {verb}" if off_page and not wording.edits_made else f"{verb}s"
    return f"it {does} a run of {length} {into}"


def _replaced_runs_clause(pair: EditPair, wording: _Wording) -> str:
    """Return a clause on the runs that replace others; if there are many, it names the longest."""
    lost, gained = exchanged_run_lengths(pair.before, pair.after)
    if not gained:
        verb = wording.does(len(lost), "is", "are", "be")
        return f"{_name_runs(lost)} {verb} lost" if lost else "the matches are arranged differently"
    verb = wording.does(len(gained), "matches", "match", "match")
    return f"{_name_runs(gained)} {verb}" + (f" in place of {_name_runs(lost, len(lost) == 1)}" if lost else " as well")


def _name_runs(lengths: Sequence[int], one: bool = False) -> str:
    """Return a phrase for runs of these lengths: "a run of 3", or with `one`, after another run, "one of 3"."""
    lengths_text = join_words(
        [*lengths[:RUNS_MOST], *([f"{len(lengths) - RUNS_MOST} others"] if len(lengths) > RUNS_MOST else [])]
    )
    return f"{'one' if one else 'a run' if len(lengths) == 1 else 'runs'} of {lengths_text}"
