"""Run chrF step by step as Popović (2015) defines it.

For each n-gram order (length of the n-grams) the steps count the matching letter n-grams and compute precision and
recall. Then come the means of both over the orders, and one F. As in sacreBLEU, the means are taken before the F and
over the orders of which both sides have n-grams. Words and pairs of words are further orders (Popović 2017)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...teach.clipping import subscript
from ...teach.empty_texts import describe_wordless_texts
from ...teach.ngrams import ngrams
from ...teach.steps import (
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    choose_reference,
    count,
    number,
    phrase,
    same_cells,
    unknown,
)
from ...text.letters import LetterPositions, counted_text, letter_mark, pair_ngrams, paired_runs, split_chrf_words
from ...types import Letters, Mark, Result, Segment, f_measure
from ...types.work import spend


def code(settings: Any) -> PseudoCode:
    more = ", then word order 1" if settings.word_order == 1 else ", then word orders 1 and 2"
    orders = f"N{more if settings.word_order else ''}"
    lines = {
        "letters": f"c, r ← the letters of both, {'a' if settings.whitespace else 'no'} space between two words",
        "match": f"each n-gram for n = 1 … {orders}:  matchₙ ← Σ min(count in c, count in r)",
        "precision": "Pₙ ← matchₙ / n-grams of c",
        "recall": "Rₙ ← matchₙ / n-grams of r",
    }
    if settings.eps_smoothing:
        lines |= {
            "f_n": "Fₙ ← (1 + β²) · Pₙ · Rₙ / (β² · Pₙ + Rₙ), 0 where one side has no n-grams",
            "score": "chrF ← the mean of Fₙ over all orders",
        }
    else:
        lines |= {
            "out": "    one side has no n-grams: leave order n out",
            "P": "P ← the mean of Pₙ over the orders that are left",
            "R": "R ← the mean of Rₙ over the same orders",
            "score": "chrF ← (1 + β²) · P · R / (β² · P + R)",
        }
    return PseudoCode(**lines, best="several references: the one with the best chrF")


class OrderCounts(NamedTuple):
    """The n-gram counts of one order.

    Attributes:
        match: how many n-grams match.
        ours, theirs: how many n-grams the candidate has, and how many the reference has."""

    match: int
    ours: int
    theirs: int

    @property
    def both_have_ngrams(self) -> bool:
        """Whether both the candidate and the reference have n-grams of this order, so that the order counts."""
        return bool(self.ours and self.theirs)

    @property
    def precision(self) -> float:
        return self.match / self.ours if self.both_have_ngrams else 0.0

    @property
    def recall(self) -> float:
        return self.match / self.theirs if self.both_have_ngrams else 0.0


class ChrFValue(NamedTuple):
    """The chrF score, and the mean precision and mean recall that it combines.

    `orders` is the number of n-gram orders over which the means are taken."""

    precision: float
    recall: float
    orders: int
    score: float


def chrf_value(counts: Sequence[OrderCounts], settings: Any) -> ChrFValue:
    """Return the chrF score with mean precision and mean recall; `counts` has one entry for each n-gram order.

    >>> from metrics import settings
    >>> counts = OrderCounts(3, 4, 3), OrderCounts(1, 3, 2), OrderCounts(0, 2, 0)
    >>> round(chrf_value(counts, settings("chrf", char_order=3, beta=1.0)).score, 4)
    0.629
    """
    counted = [each for each in counts if each.both_have_ngrams]
    p, r = (sum(each) / (len(counted) or 1) for each in ([c.precision for c in counted], [c.recall for c in counted]))
    if settings.eps_smoothing:
        score = sum([f_measure(each.precision, each.recall, settings.beta) for each in counts]) / len(counts)
    else:
        score = f_measure(p, r, settings.beta)
    return ChrFValue(p, r, len(counted), score)


class ChrFComparison:
    """The comparison of the candidate with reference `k`, which the steps of chrF's program go through.

    It holds the n-grams of each order on both sides, their counts, and the marks of the matches counted so far
    (`taken`)."""

    def __init__(self, segment: Segment, settings: Any, k: int) -> None:
        self.k, self.settings, self.code = k, settings, code(settings)
        self.segment, self.which = segment, f"Reference {k + 1}: " if len(segment.references) > 1 else ""
        self.sides = segment.candidate, segment.references[k]
        self.lines = tuple([counted_text(side, settings.whitespace) for side in self.sides])
        self.where = (
            LetterPositions(self.sides[0], settings.whitespace),
            LetterPositions(self.sides[1], settings.whitespace),
        )
        self.words = (
            tuple([split_chrf_words(side, settings.whitespace) for side in self.sides]) if settings.word_order else ()
        )
        self.taken: list[Mark] = []
        spend(sum(map(len, self.lines)) * settings.char_order // 4)
        self.grams = [tuple([ngrams(line, n) for line in self.lines]) for n in range(1, settings.char_order + 1)]
        texts = [words.words for words in self.words]
        self.grams += [tuple([ngrams(text, n) for text in texts]) for n in range(1, settings.word_order + 1)]
        self.counts = [OrderCounts((Counter(a) & Counter(b)).total(), len(a), len(b)) for a, b in self.grams]

    def stretches_by_order(self) -> list[list[tuple[int, int, int]]]:
        """Return, for each n-gram order, the stretches of consecutive n-grams that match.

        A stretch is (i, j, count): `count` n-grams that follow each other in both texts. The first is n-gram `i` of the
        candidate and n-gram `j` of the reference."""
        split = self.settings.char_order
        spend(sum([each.ours + each.theirs for each in self.counts]) // 4)
        rows = []
        for order_slice in (slice(split), slice(split, None)):
            rows += pair_ngrams(self.grams[order_slice], [each.match for each in self.counts[order_slice]])
        return [paired_runs(row) for row in rows]

    def mark(self, order: int, i: int, j: int, ngram_count: int) -> Letters:
        """Return the mark that draws a stretch of `ngram_count` consecutive matching n-grams of one order.

        The first n-gram of the stretch is number `i` of the candidate and number `j` of the reference."""
        if order <= self.settings.char_order:
            return letter_mark(*self.where, self.k, i, j, ngram_count + order - 1)
        n = order - self.settings.char_order
        ours, theirs = (words.spans for words in self.words)
        begin, end = ours[i][0], ours[i + ngram_count + n - 2][1]
        return letter_mark(*self.where, self.k, begin, theirs[j][0], end - begin)

    def noun(self, order: int) -> str:
        """Return the singular noun for an n-gram of this order, such as "letter", "2-gram" or "word"."""
        n = order - self.settings.char_order
        if n < 1:
            return f"{order}-gram" if order > 1 else "letter"
        return "word" if n == 1 else "pair of words"

    def nouns(self, order: int) -> str:
        """Return the plural noun for n-grams of this order, such as "letters", "2-grams" or "words"."""
        return "pairs of words" if order == self.settings.char_order + 2 else f"{self.noun(order)}s"

    def symbol(self, letter: str, order: int) -> str:
        """Return the symbol of an order's precision, recall or F, for `letter` "P", "R" or "F"."""
        n = order - self.settings.char_order
        return f"{letter}{subscript(order)}" if n < 1 else f"{letter} of {'words' if n == 1 else 'pairs of words'}"

    def step(self, text: str, line: str, so_far: Sequence[OrderCounts], **more: Any) -> ProgramStep:
        spend(3 + len(so_far))
        score = chrf_value(so_far, self.settings).score
        return ProgramStep(self.which + text, self.code[line], taken_marks=Prefix(self.taken), score=score, **more)

    def steps(self) -> Iterator[ProgramStep]:
        """Yield the steps that compare the candidate with this reference, except the last, which states the score."""
        settings, counts = self.settings, self.counts
        so_far = [each._replace(match=0) for each in counts]
        orders = range(1, len(counts) + 1)
        parts = [f"{letter}_{order}" for order in orders for letter in "PR"]
        start = {**unknown("n", *_OF_ORDER, "N", "P", "R", "chrF", *parts)}
        start |= unknown("β") if settings.eps_smoothing else {"β": settings.beta}
        empty = describe_wordless_texts(self.segment, self.k)
        sizes = f"c has {count(len(self.lines[0]), 'letter')}, r has {number(len(self.lines[1]))}."
        yield self.step(_as_sentence(empty) if empty else sizes, "letters", so_far, known_values=start)
        order_stretches = self.stretches_by_order()
        for order, each in enumerate(counts, 1):
            noun, at = self.noun(order), order - 1
            known_values: dict[str, float] = {"n": order, **unknown(*_OF_ORDER)}
            known_values |= {"n-grams of the candidate": each.ours, "n-grams of the reference": each.theirs}
            for i, j, many in order_stretches[at]:
                mark = self.mark(order, i, j, many)
                spend(2 + len(mark.pieces))
                self.taken.append(mark)
                so_far[at] = so_far[at]._replace(match=so_far[at].match + many)
                text = f"{self.quote_stretch(mark)} adds {count(many, noun)}: {number(so_far[at].match)} match so far."
                now_known = {**known_values, "matches": so_far[at].match}
                yield self.step(text, "match", so_far, considered=(mark,), known_values=now_known)
            known_values["matches"] = each.match
            is_counted = each.both_have_ngrams
            if not is_counted and not settings.eps_smoothing:
                if not empty:
                    side = "r" if each.ours else "c"
                    text = f"{side} has no {self.nouns(order)}: they are left out."
                    yield self.step(text, "out", so_far, known_values={"n": order, **unknown(*_OF_ORDER)})
                continue
            for letter, part, total in (("P", each.precision, each.ours), ("R", each.recall, each.theirs)):
                line = "precision" if letter == "P" else "recall"
                fraction = f"{each.match}/{total} = {number(part)}" if is_counted else "0, as one side has none"
                value_of = {f"{letter}_n": part, f"{letter}_{order}": part}
                step_values = {**known_values, **value_of} if is_counted else {"n": order, **unknown(*_OF_ORDER)}
                yield self.step(f"{self.symbol(letter, order)} = {fraction}.", line, so_far, known_values=step_values)
                known_values |= value_of
            if settings.eps_smoothing:
                f = f_measure(each.precision, each.recall, settings.beta)
                yield self.step(f"{self.symbol('F', order)} = {number(f)}.", "f_n", so_far, known_values={})
        if not settings.eps_smoothing:
            outcome = chrf_value(counts, settings)
            for letter, mean in (("P", outcome.precision), ("R", outcome.recall)):
                text = f"{letter}, the mean over {count(outcome.orders, 'order')}, is {number(mean)}."
                text = text if outcome.orders else f"{letter} = 0, as no order counts."
                yield self.step(text, letter, so_far, known_values={"N": outcome.orders or math.nan, letter: mean})

    def quote_stretch(self, mark: Letters) -> str:
        """Return the letters that a mark covers, quoted as the candidate's words spell them and shortened if long."""
        ours = self.segment.candidate
        return phrase(" ".join([ours[piece.i][piece.at : piece.at + piece.length] for piece in mark.pieces]), 24)

    def last_sentence(self) -> str:
        """Return the sentence that states the chrF score against this reference."""
        outcome, beta = chrf_value(self.counts, self.settings), self.settings.beta
        if empty := describe_wordless_texts(self.segment, self.k):
            return f"chrF = {number(outcome.score)}: {empty}."
        if self.settings.eps_smoothing:
            return f"The mean of F over {count(len(self.counts), 'order')} is chrF = {number(outcome.score)}."
        weighs = f", so with β = {beta:g}" if outcome.precision and outcome.recall else ", so"
        return (
            f"P = {number(outcome.precision)} and R = {number(outcome.recall)}{weighs} chrF = {number(outcome.score)}."
        )

    def known_values(self) -> dict[str, float]:
        """Return the values of the formula's symbols if this reference decides the score.

        Symbols without a value, such as P and R with epsilon smoothing, are mapped to NaN."""
        settings, outcome = self.settings, chrf_value(self.counts, self.settings)
        out: dict[str, float] = unknown("n", "N", "P", "R", *_OF_ORDER)
        for order, each in enumerate(self.counts, 1):
            out |= unknown(f"P_{order}", f"R_{order}")
            if each.both_have_ngrams:
                out |= {f"P_{order}": each.precision, f"R_{order}": each.recall, "P_n": each.precision}
                out |= {"R_n": each.recall, "n": order, "matches": each.match}
                out |= {"n-grams of the candidate": each.ours, "n-grams of the reference": each.theirs}
        if not settings.eps_smoothing:
            out |= {"P": outcome.precision, "R": outcome.recall, "β": settings.beta}
            out |= {"N": outcome.orders} if outcome.orders else {}
        return out | {"chrF": outcome.score}


#: The numbers of the formula that each order replaces.
_OF_ORDER = ("matches", "n-grams of the candidate", "n-grams of the reference", "P_n", "R_n")


def _as_sentence(clause: str) -> str:
    return f"{clause[0].upper()}{clause[1:]}."


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of chrF's program: each reference's orders, means and score, then the choice of the best."""
    each: list[ChrFComparison] = []
    for k in range(len(segment.references)):
        one = ChrFComparison(segment, settings, k)
        each.append(one)
        yield from one.steps()
        if len(segment.references) > 1:
            known_values = {"chrF": chrf_value(one.counts, settings).score}
            yield one.step(one.last_sentence(), "score", one.counts, known_values=known_values)
    values = [chrf_value(one.counts, settings).score for one in each]
    choice = choose_reference(values, [one.taken for one in each])
    best, result = each[choice.k], score()
    assert same_cells(best.taken, result)
    last = partial(
        ProgramStep,
        taken_marks=tuple(best.taken),
        score=values[choice.k],
        result=result,
        known_values=best.known_values(),
    )
    if choice.decision is None:
        yield last(best.last_sentence(), best.code["score"])
        return
    line = best.code["best"]
    yield last(choice.text, line, considered=choice.considered, rejected=choice.rejected, decision=choice.decision)


PROGRAM = Program(code, steps)
