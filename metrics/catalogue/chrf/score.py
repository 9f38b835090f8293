"""Shares of letters in a row that both sentences have; recall weighs more than precision.

Character n-grams are n letters in a row, with all words joined as if there were no spaces between them. For each order
from 1 to 6, chrF counts how many the candidate and the reference have, and how many of them match: each as often as the
side with fewer of it has it. Precision and recall are the means over the orders, and chrF is one F of these two means,
in which recall weighs β times as much as precision.

    P_n = matches / n-grams of the candidate,  R_n = matches / n-grams of the reference
    P = (P_1 + P_2 + … + P_N) / N,  R = (R_1 + R_2 + … + R_N) / N
    chrF = (1 + β²) · P · R / (β² · P + R)

An order counts if both sides have n-grams of it. With word order 1 or 2 single words and pairs of words are further
orders of equal weight, which is chrF++: a punctuation mark that begins or ends a word is a word of its own there.
Epsilon smoothing gives another score: an F for each order, and their mean over all orders, even those that a side
lacks. Of several references the one with the best score counts, the first of equal ones; for a corpus, the counts of
each segment's best reference are summed first.

A tokeniser makes no difference to letters: they are the same however a text is cut into words. Word n-grams are made of
the words that are given, and so are spaces if these are counted: sacreBLEU's numbers are those of words separated by
white space.

Counts say how many n-grams match, not which. By our convention n-grams in a longer matched one stay with it, and of the
others the leftmost free ones of both sides are paired. What is drawn are stretches: n-grams of an order that
follow each other in both texts, through words and over the gaps between them.

Rewards: parts of words, so a wrong ending or half a compound costs little, in any language and without a tokeniser;
with six letters in a row, also which words are neighbours.

Cannot see: what a word means: one wrong letter, as in "now" for "not", costs hardly anything. Nor
where a phrase is: "on the old mat the cat sat" has nearly all the letters in a row of "the cat sat on the old mat".

Source: Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, WMT; Popović (2017), chrF++: words
helping character n-grams, WMT. What the papers leave open, the mean over the orders before one F and which orders
count, is as in sacreBLEU 2.6.0, whose numbers these are.

>>> from metrics import score
>>> r = score("chrf", "the cats sat".split(), ["the cat sat".split()])
>>> round(r.score, 4), r.layers[5].marks[0].pieces[1], r.layers[5].credits
(0.7478, LetterPiece(i=1, j=1, at=0, to=0, length=3), (2.0,))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from ...alignment.ngrams_of_letters import NumberedGrams, letter_ngrams, word_ngrams
from ...alignment.unused_matches import ELSEWHERE
from ...formula import (
    CreditSum,
    Expr,
    FormulaStep,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    number_of,
    setting_number,
    step,
)
from ...text.letters import LetterPositions, counted_text, letter_mark, pair_ngrams, paired_runs, split_chrf_words
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Composition,
    Deferred,
    Hit,
    Layer,
    Letters,
    MeasuredAspect,
    Result,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Tokens,
    UnusedMatchReason,
    f_measure,
    matching_clause,
    number_in_words,
    setting,
)
from ...types.work import spend

MOST_LETTERS, MOST_WORDS = 12, 2


@dataclass(frozen=True, slots=True)
class ChrFSettings(Settings):
    """The settings of chrF: the longest n-grams of letters and of words, and the weight of recall."""

    char_order: int = setting(
        6, "whole", "Longest runs of letters", "The longest n-grams of letters; 6 is usual.", least=1, most=MOST_LETTERS
    )
    word_order: int = setting(
        0,
        "whole",
        "Longest runs of words",
        "0 counts only letters (chrF); 1 also counts words (chrF+), 2 also pairs of words (chrF++).",
        least=0,
        most=MOST_WORDS,
    )
    beta: float = setting(
        2.0,
        "number",
        "β",
        "Recall weighs β times as much as precision.",
        least=0.0,
        most=100.0,
        step=0.5,
        slider_range=(0, 4),
    )
    whitespace: bool = setting(False, "flag", "Spaces count", "A space between two words is a letter, too.")
    eps_smoothing: bool = setting(
        False,
        "flag",
        "Epsilon smoothing",
        "Takes the mean of the F of each order, even of orders that one side lacks, as in chrF++.py, NLTK and Moses.",
    )

    @property
    def max_order(self) -> int:
        """The number of n-gram orders that count, letter n-grams and word n-grams together."""
        return self.char_order + self.word_order


class _ChrFNames(NamedTuple):
    """The names used for one order of n-grams.

    Attributes:
        layer, noun: the name of the order's layer of marks, such as "character 2-grams", and its singular.
        match, candidate, reference: the names of the statistics that count matching n-grams and each side's n-grams.
        lost: the name of the statistic with the candidate's n-grams that do not count, as the reference has none.
        sign: the symbol of the order in the formula."""

    layer: str
    noun: str
    match: str
    candidate: str
    reference: str
    lost: str
    sign: str


def _make_names(sign: str, order: int, letter: str, prefix: str) -> _ChrFNames:
    noun = f"{sign} {order}-gram"
    parts = [f"{prefix}{part}_{order}" for part in ("match", "candidate", "reference", "uncounted")]
    return _ChrFNames(f"{noun}s", noun, parts[0], parts[1], parts[2], parts[3], f"{letter}{order}")


_LETTERS = tuple([_make_names("character", n, "", "") for n in range(1, MOST_LETTERS + 1)])
_WORDS = tuple([_make_names("word", n, "w", "word_") for n in range(1, MOST_WORDS + 1)])


def _names_by_order(settings: ChrFSettings) -> tuple[_ChrFNames, ...]:
    return _LETTERS[: settings.char_order] + _WORDS[: settings.word_order]


# ---------------------------------------------------------------- counts and marks


def align(segment: Segment, settings: ChrFSettings, marks: bool) -> Alignment:
    candidate, references = segment
    texts = (candidate, *references)
    names = _names_by_order(settings)
    grams = letter_ngrams([counted_text(text, settings.whitespace) for text in texts], settings.char_order)
    words = [split_chrf_words(text, settings.whitespace) for text in texts] if settings.word_order else []
    if words:
        grams += word_ngrams([text.words for text in words], settings.word_order)
    k = _best_reference(names, grams, len(references), settings)
    stats = _statistics(names, grams, k)
    if not marks:
        return Alignment(stats, (), {"score": k})
    places = pair_ngrams(
        [(each.numbers_of_text(0), each.numbers_of_text(k + 1)) for each in grams[: settings.char_order]],
        _letter_match_counts(grams, k, settings),
    )
    spaced = settings.whitespace
    where = LetterPositions(candidate, spaced), LetterPositions(references[k], spaced)
    layers = []
    for order, (name, row) in enumerate(zip(names, places, strict=False), 1):
        order_stretches = paired_runs(row)
        layers.append(_layer(name, order_stretches, partial(_letter_marks, where, k, order, order_stretches), k))
    if words:
        ours, theirs = words[0].spans, words[k + 1].spans
        rest = grams[settings.char_order :]
        pairs = pair_ngrams(
            [(each.numbers_of_text(0), each.numbers_of_text(k + 1)) for each in rest],
            [each.matches[k] for each in rest],
        )
        for order, (name, row) in enumerate(zip(names[settings.char_order :], pairs, strict=True), 1):
            order_stretches = paired_runs(row)
            layers.append(
                _layer(name, order_stretches, partial(_word_marks, where, k, order, ours, theirs, order_stretches), k)
            )
    return Alignment(stats, tuple(layers), {"score": k})


def _best_reference(
    names: Sequence[_ChrFNames], grams: Sequence[NumberedGrams], count: int, settings: ChrFSettings
) -> int:
    """Return the index of the reference with the best score, the first of equal ones; `count` is their number.

    The scores are those of `from_stats`, computed without the names of statistics, because this runs for every
    reference of a segment."""
    if count < 2:
        return 0
    if settings.eps_smoothing:
        scores = [from_stats(_statistics(names, grams, number), settings).score for number in range(count)]
        return scores.index(max(scores))
    of_candidate = [gram.ngram_count(0) for gram in grams]
    best, k = -1.0, 0
    for number in range(count):
        counts = [
            (gram.matches[number], ours, theirs)
            for gram, ours in zip(grams, of_candidate, strict=True)
            if (theirs := gram.ngram_count(number + 1)) and ours
        ]
        orders = len(counts) or 1
        precision = math.fsum([match / ours for match, ours, _ in counts]) / orders
        recall = math.fsum([match / theirs for match, _, theirs in counts]) / orders
        score = f_measure(precision, recall, settings.beta)
        if score > best:
            best, k = score, number
    return k


def _letter_match_counts(grams: Sequence[NumberedGrams], k: int, settings: ChrFSettings) -> list[int]:
    return [each.matches[k] for each in grams[: settings.char_order]]


def _statistics(names: Sequence[_ChrFNames], grams: Sequence[NumberedGrams], number: int) -> dict[str, float]:
    """Return the statistics of the candidate against one reference.

    `grams` has the n-grams of all texts by order; `number` is the index of the reference. If the reference has no
    n-grams of an order, the candidate's n-grams of that order do not count, as in sacreBLEU."""
    stats: dict[str, float] = {}
    for each, gram in zip(names, grams, strict=True):
        theirs = gram.ngram_count(number + 1)
        stats[each.match] = gram.matches[number]
        stats[each.candidate] = gram.ngram_count(0)
        stats[each.reference] = theirs
        stats[each.lost] = 0 if theirs else gram.ngram_count(0)
    return stats


#: Stretches as (i, j, count): `count` n-grams from n-gram `i` of the candidate and n-gram `j` of the reference on.
_Stretches = Sequence[tuple[int, int, int]]


def _layer(
    names: _ChrFNames, order_stretches: _Stretches, make_marks: Callable[[int, int], Sequence[Letters]], k: int
) -> Layer:
    """Return the layer of marks of one n-gram order.

    The marks are made by `make_marks(start, stop)` only when they are read, because the score does not need them."""
    marks = Deferred(len(order_stretches), make_marks, partial(_unique_hits, make_marks, len(order_stretches)))
    credits = tuple([float(count) for _, _, count in order_stretches])
    return Layer(
        names.layer,
        marks,
        credits,
        1.0,
        (names.match,),
        relation="similar",  # the letters are equal, but the words may differ
        k=k,
        kind=names.layer,
        noun=names.noun,
        unit="character",
    )


def _letter_marks(
    where: tuple[LetterPositions, LetterPositions],
    k: int,
    order: int,
    order_stretches: _Stretches,
    start: int,
    stop: int,
) -> list[Letters]:
    ours, theirs = where
    return [letter_mark(ours, theirs, k, i, j, count + order - 1) for i, j, count in order_stretches[start:stop]]


def _word_marks(
    where: tuple[LetterPositions, LetterPositions],
    k: int,
    order: int,
    ours: Sequence[tuple[int, int]],
    theirs: Sequence[tuple[int, int]],
    order_stretches: _Stretches,
    start: int,
    stop: int,
) -> list[Letters]:
    out = []
    for i, j, count in order_stretches[start:stop]:
        begin, end = ours[i][0], ours[i + count + order - 2][1]
        out.append(letter_mark(*where, k, begin, theirs[j][0], end - begin))
    return out


def _unique_hits(make_marks: Callable[[int, int], Sequence[Letters]], size: int) -> tuple[Hit, ...]:
    return tuple(dict.fromkeys([cell for mark in make_marks(0, size) for cell in mark.cells()]))


# ---------------------------------------------------------------- the score

#: The role of each statistic, by its name.
ROLES = {
    **{names.match: StatisticRole("match") for names in _LETTERS + _WORDS},
    **{names.candidate: StatisticRole("candidate length") for names in _LETTERS + _WORDS},
    **{names.reference: StatisticRole("reference length") for names in _LETTERS + _WORDS},
    **{names.lost: StatisticRole("other", of=names.candidate) for names in _LETTERS + _WORDS},
}


def _counted_in_candidate(stats: Mapping[str, Amount], names: _ChrFNames) -> Amount:
    """Return how many n-grams of one order count for the candidate.

    These are the n-grams of segments whose reference has n-grams of the order, too."""
    return stats[names.candidate] - stats[names.lost]


def _mean_precision_and_recall(stats: Mapping[str, Amount], settings: ChrFSettings) -> tuple[Amount, Amount]:
    """Return the means of precision and of recall over the n-gram orders of which both sides have n-grams."""
    precisions, recalls, counted = [], [], []
    for names in _names_by_order(settings):
        match, ours, theirs = stats[names.match], _counted_in_candidate(stats, names), stats[names.reference]
        calc = ARITHMETIC[type(match)]
        is_counted = calc.where((ours > 0) & (theirs > 0), 1.0, 0.0)
        counted.append(is_counted)
        precisions.append(is_counted * calc.ratio(match, ours))
        recalls.append(is_counted * calc.ratio(match, theirs))
    orders = calc.total(counted)
    return calc.ratio(calc.total(precisions), orders), calc.ratio(calc.total(recalls), orders)


def from_stats(stats: Mapping[str, Amount], settings: ChrFSettings) -> Score[Amount]:
    precision, recall = _mean_precision_and_recall(stats, settings)
    calc = ARITHMETIC[type(precision)]
    parts = {"precision": precision, "recall": recall}
    if not settings.eps_smoothing:
        return Score(calc.f_measure(precision, recall, settings.beta), parts)
    names = _names_by_order(settings)
    each = [
        calc.f_measure(
            calc.ratio(stats[name.match], _counted_in_candidate(stats, name)),
            calc.ratio(stats[name.match], stats[name.reference]),
            settings.beta,
        )
        for name in names
    ]
    return Score(calc.total(each) / len(names), parts)


def complete(
    stats: dict[str, float], settings: ChrFSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment, so that one output could have them.

    Ledgers mix statistics of two outputs to value one cause at a time. Here at most as many n-grams match as the
    reference has, and n-grams match only if shorter ones match. The candidate becomes long enough for all n-grams that
    match."""
    for names in (_LETTERS[: settings.char_order], _WORDS[: settings.word_order]):
        most, needed = math.inf, 0.0
        for order, name in enumerate(names):
            stats[name.match] = min(stats[name.match], stats[name.reference]) if most else 0.0
            most = stats[name.match]
            needed = max(needed, most + order if most else 0.0)
        for order, name in enumerate(names):
            stats[name.candidate] = max(stats[name.candidate], needed - order)
            stats[name.lost] = 0 if stats[name.reference] else stats[name.candidate]


def _composition_values(stats: Mapping[str, Amount], settings: ChrFSettings) -> dict[str, Amount]:
    score, parts = from_stats(stats, settings)
    return {"mean of F": score} if settings.eps_smoothing else dict(parts)


def _score_of_values(values: Mapping[str, Amount], settings: ChrFSettings) -> Amount:
    if settings.eps_smoothing:
        return values["mean of F"]
    precision, recall = values["precision"], values["recall"]
    return ARITHMETIC[type(precision)].f_measure(precision, recall, settings.beta)


COMPOSITION = Composition(_composition_values, _score_of_values)


def formula(result: Result) -> tuple[FormulaStep, ...]:
    settings, stats = result.settings, result.stats
    assert isinstance(settings, ChrFSettings)
    steps: list[FormulaStep] = []
    fs: list[Expr] = []
    precisions: list[Expr] = []
    recalls: list[Expr] = []
    smoothed = settings.eps_smoothing
    for number, name in enumerate(_names_by_order(settings)):
        ours, theirs = _counted_in_candidate(stats, name), stats[name.reference]
        if not (ours and theirs) and not smoothed:
            continue
        terms = CreditSum(number, [Number(credit) for credit in result.layers[number].credits], name.noun)
        p = step(f"P_{name.sign}", Quotient(terms, number_of(ours, name.noun)))
        r = step(f"R_{name.sign}", Quotient(Number(stats[name.match]), number_of(theirs, name.noun)), same_line=True)
        steps += [p, r]
        precisions.append(p.symbol())
        recalls.append(r.symbol())
        if smoothed:
            steps.append(step(f"F_{name.sign}", _f_expression(p.symbol(), r.symbol(), settings), same_line=True))
            fs.append(steps[-1].symbol())
    if smoothed:
        return *steps, step("chrF", Quotient(Sum(*fs), Number(len(fs))))
    p, r = step("P", _mean_expression(precisions)), step("R", _mean_expression(recalls), same_line=True)
    return *steps, p, r, step("chrF", _f_expression(p.symbol(), r.symbol(), settings))


def _mean_expression(values: Sequence[Expr]) -> Expr:
    if len(values) < 2:
        return values[0] if values else Number(0)
    return Quotient(Sum(*values), Number(len(values)))


def _f_expression(precision: Expr, recall: Expr, settings: ChrFSettings) -> Expr:
    square = Power(setting_number(settings.beta), Number(2))
    return Quotient(Product(Sum(Number(1), square), precision, recall), Sum(Product(square, precision), recall))


# ---------------------------------------------------------------- what is said


def remark(result: Result) -> str:
    """Return a sentence on the n-gram orders that do not count, since one side has no such n-grams; else ""."""
    settings, stats = result.settings, result.stats
    assert isinstance(settings, ChrFSettings)
    if settings.eps_smoothing or not any(stats[name.reference] for name in _names_by_order(settings)):
        return ""
    none = [name.layer for name in _names_by_order(settings) if not (stats[name.candidate] and stats[name.reference])]
    if not none:
        return ""
    order_names = none[0] if len(none) == 1 else f"{', '.join(none[:-1])} and {none[-1]}"
    return f"Not counted: {order_names}, of which one side has none."


def account(result: Result) -> Account:
    """Return the clause with which a verdict explains the chrF score.

    It says which share of the candidate's and of the reference's letters and letter n-grams matches."""
    settings, parts = result.settings, result.parts
    assert isinstance(settings, ChrFSettings)
    most, words = settings.char_order, settings.word_order
    if not result.stats[_LETTERS[0].match]:
        return Account("none of its letters matches")
    if result.score == 1:
        return Account("all of its letters match")
    rows = "single letters" if most == 1 else f"one to {number_in_words(most)} letters in a row"
    if words:
        rows += f" and {'words' if words == 1 else f'one to {number_in_words(words)} words in a row'}"
    ours, theirs = f"{parts['precision']:.2f}", f"{parts['recall']:.2f}"
    return Account(f"averaged over {rows}, {ours} of the candidate match and {theirs} of the reference")


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspects of a translation that chrF measures, each rated from 0 to 1: word forms and runs.

    Single letters measure the forms, and the longest letter n-grams the runs."""
    stats, settings = result.stats, result.settings
    assert isinstance(settings, ChrFSettings)
    first, last = _LETTERS[0], _LETTERS[settings.char_order - 1]
    ours, theirs = stats[first.candidate], stats[first.reference]
    match_text = matching_clause(stats[first.match], max(ours, theirs), "letters")
    words = MeasuredAspect("forms", stats[first.match] / max(ours, theirs, 1), match_text, f"only {match_text}")
    if settings.char_order == 1 or not (stats[last.candidate] and stats[last.reference]):
        return (words,)
    match_text = matching_clause(stats[last.match], stats[last.reference], f"{last.noun}s of the reference")
    return words, MeasuredAspect("runs", stats[last.match] / stats[last.reference], match_text, f"only {match_text}")


def why_not(result: Result) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a cell of equal words shows no letters that count.

    For such a cell it returns the longest stretch of matched letters that uses letters of one of the two words; None if
    there is no such stretch."""
    decides = result.decides.get("score")  # None where a result shows no marks
    rows: dict[int, Letters] = {}
    columns: dict[int, Letters] = {}
    steps = 0
    for layer in result.layers:
        for mark in layer.marks:
            assert isinstance(mark, Letters)
            steps += 1 + len(mark.pieces)
            for piece in mark.pieces:
                for stretch_at, place in ((rows, piece.i), (columns, piece.j)):
                    if place not in stretch_at or stretch_at[place].length < mark.length:
                        stretch_at[place] = mark
    spend(steps)

    def against(hit: Hit) -> UnusedMatchReason | None:
        if decides is not None and hit.k != decides:
            return ELSEWHERE
        ours, theirs = rows.get(hit.i), columns.get(hit.j)
        if ours is None or (theirs is not None and theirs.length > ours.length):
            ours = theirs
        return None if ours is None else UnusedMatchReason("its letters are matched elsewhere, in", ours)

    return against
