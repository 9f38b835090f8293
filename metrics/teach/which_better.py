"""Makes the question which of two candidates is better, and why: finds pairs of candidates with two reasons to weigh.

Two reasons are offered for either candidate. One of them decides. The other is true as well, either of the worse
candidate, where it is outweighed, or of the better one, where it is worth less. Each reason is false of the other
candidate, but seems true to a student who miscounts. The second candidate is drawn from some for which either of the
two reasons could decide, so only the sentences tell which one does."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..analysis.changes import ledger
from ..analysis.sentence import CauseGroup, difference_sentence, group_by_cause, plain_text
from ..formula import format_number
from ..types import Metric, Neighbours, Result, Run, SkipBigram, Tokens
from .mistakes import count_common
from .records import AnswerVerdict, Question
from .sentences import Dice, ExerciseSentence, change_sentence, lengthen_sentence, shorten_sentence

#: Maximum number of second candidates that are tried for a question.
DRAWN_MOST = 200

#: Maximum number of candidates with which a new one is compared.
COMPARED_MOST = 4

#: Maximum difference of two scores, as a share of the larger one, so that the reasons must be weighed.
NEAR = 0.3

#: Minimum difference of two scores; minimum ratio of the deciding share to any other share; and that ratio if both
#: reasons favour the better candidate.
APART, DECIDES, TWICE = 0.01, 1.25, 2.0

#: Numbers that differ by less are equal up to rounding.
EQUAL = 1e-9


class ComparisonReason(NamedTuple):
    """A reason why one of two candidates scores better than the other.

    Attributes:
        says: the reason, as a clause about a candidate.
        share: what it adds to the score of the better candidate, or for an error rate takes away; negative if it
            favours the worse one.
        lead: above 0 if the clause is true of the better candidate, below 0 if it is true of the worse."""

    says: str
    share: float
    lead: float

    @property
    def clear(self) -> bool:
        """Return whether this reason is true of the candidate that it favours, so that nothing contradicts it."""
        return self.lead * self.share > 0


class CandidatePair(NamedTuple):
    """Two candidates to compare, with the reason that decides between them (`decides`) and a second one (`rest`).

    The second reason is true of the better candidate or of the worse."""

    worse: Result
    better: Result
    decides: ComparisonReason
    rest: ComparisonReason


class WeighedPair(NamedTuple):
    """The question which of two candidates is better: candidates A and B, and two reasons, of which the first decides.

    `even` says that for the same two reasons a pair of candidates was found in which the other one decides."""

    candidates: tuple[Tokens, Tokens]
    reasons: tuple[str, str]
    even: bool


def comparison_reasons(metric: Metric, worse: Result, better: Result) -> list[ComparisonReason]:
    """Return the reasons for and against the better candidate, the most important first.

    The list is empty if different references decide the scores of the two candidates."""
    all_reasons: list[ComparisonReason] = []
    for group in group_by_cause(ledger(metric, worse, better, lengths=True)):
        cause = group.steps[0].cause
        sign = 1 if metric.higher_is_better else -1
        if cause == "references" or any("," in step.name for step in group.steps):  # P and R come from two references
            return []
        if cause == "edits":
            all_reasons += _edit_reasons(group, worse, better)
        elif abs(group.share) > EQUAL:
            says, lead = _reason_clause(group, worse, better, metric)
            all_reasons.append(ComparisonReason(says, sign * group.share, lead))
    return sorted(all_reasons, key=lambda reason: -abs(reason.share))


def _reason_clause(group: CauseGroup, worse: Result, better: Result, metric: Metric) -> tuple[str, float]:
    """Return the reason that a group of ledger steps gives, as a clause, and the better candidate's lead in it.

    The lead is a difference of counts: above 0 if the clause is true of the better candidate. It is 0 if a reader might
    count in another way."""
    steps, cause = group.steps, group.steps[0].cause
    leads = [step.before - step.after if step.cost else step.after - step.before for step in steps]
    lead = math.fsum(leads)
    if cause == "length":
        helps = (group.share > 0) == metric.higher_is_better
        more, by = ("more", lead) if helps == (lead > 0) else ("fewer", -lead)
        punished = metric.composition and metric.composition.length_causes  # if length and penalty are separate causes
        return f"it has {more} words{', apart from the penalty' if punished else ''}", by
    if cause == "penalty":
        return "the length penalty costs it less", lead
    if cause == "gaps":
        return "gaps between its matches cost it less", lead
    if steps[0].cost:
        return f"it has fewer {steps[0].name}", lead
    if cause == "contiguity" and any(isinstance(piece.mark, Neighbours) for step in steps for piece in step.pieces):
        return "more of its runs follow each other", _count_neighbours(better) - _count_neighbours(worse)
    if cause == "contiguity":
        lead, most = (of(better) - of(worse) for of in (mean_run_length, _longest_run))
        return "its matches form longer runs", lead if lead * most >= 0 else 0
    kind = noun_of_matches(group)
    count = {"word": count_matched_words, "pair": _count_pairs}.get(kind, count_matched_marks)
    plain = kind == "word" and {layer.weight for layer in better.layers} <= {1}
    turned = min(leads) < 0 < max(leads)  # more matches of one length or in one round, fewer in another
    lead = count(better) - count(worse) if plain or not turned else 0
    return f"more of its {kind}s match under {metric.label}", lead


def _edit_reasons(group: CauseGroup, worse: Result, better: Result) -> list[ComparisonReason]:
    """Return the reasons why one candidate needs fewer edits, split by cause.

    One is the words in any order, the other is their order."""
    fewer = math.fsum([step.before - step.after for step in group.steps])
    if not fewer or worse.decides.get("score") != better.decides.get("score"):
        return []
    words = _count_unordered_edits(worse) - _count_unordered_edits(better)
    clauses = [
        ("its words, in any order, need fewer edits", words),
        ("its word order needs fewer edits", fewer - words),
    ]
    return [ComparisonReason(says, abs(group.share) * lead / fewer, lead) for says, lead in clauses if lead]


def _count_unordered_edits(result: Result) -> int:
    """Return the number of edits that the candidate would need if the order of words did not matter."""
    candidate, reference = result.segment.candidate, result.segment.references[result.decides.get("score", 0)]
    return max(len(candidate), len(reference)) - count_common(candidate, reference)


def count_matched_words(result: Result) -> int:
    """Return how many words of the candidate a result matches."""
    return len({cell.i for cell in result.cells()})


def count_matched_marks(result: Result) -> int:
    """Return how many marks (words, n-grams or pairs) a result matches."""
    return sum([len(layer.marks) for layer in result.layers])


def _count_pairs(result: Result) -> int:
    """Return how many skip-bigrams a result matches."""
    return sum([isinstance(mark, SkipBigram) for layer in result.layers for mark in layer.marks])


def _count_neighbours(result: Result) -> int:
    """Return how many marks of a result say that two runs follow each other."""
    return sum([isinstance(mark, Neighbours) for layer in result.layers for mark in layer.marks])


def _run_lengths(result: Result) -> list[float]:
    """Return the lengths in words of all runs that a result matches."""
    return [mark.length for layer in result.layers for mark in layer.marks if isinstance(mark, Run)]


def mean_run_length(result: Result) -> float:
    """Return the mean length of the run that a matched word is in; 0 if no word matches."""
    lengths = _run_lengths(result)
    return sum([length * length for length in lengths]) / (sum(lengths) or 1)


def _longest_run(result: Result) -> float:
    """Return the length of the longest run that a result matches, 0 if there is none."""
    return max(_run_lengths(result), default=0)


def noun_of_matches(group: CauseGroup) -> str:
    """Return the noun for the marks in a group of ledger steps: “word”, “n-gram” or “pair”."""
    marks = [piece.mark for step in group.steps for piece in step.pieces]
    if any(isinstance(mark, SkipBigram) for mark in marks):
        return "pair"
    return "n-gram" if any(isinstance(mark, Run) and mark.length > 1 for mark in marks) else "word"


# ---------------------------------------------------------------- a second candidate


def find_weighed_pair(
    metric: Metric, dice: Dice, base_sentence: ExerciseSentence, result: Result
) -> WeighedPair | None:
    """Return two candidates and the two reasons to choose from; None if none are found.

    Candidates are drawn and compared with that of the result, and later with each other, until two pairs have the same
    two reasons, one pair decided by the one reason and one pair by the other. One of the two pairs is then drawn, and
    which candidate is A. So the reasons alone tell nothing about the answer."""
    against = bool(dice.draw_below(3))  # whether the second reason favours the worse candidate
    ends: dict[tuple[bool, frozenset[str]], dict[str, CandidatePair]] = {}
    drawn = [result]
    for tried in range(DRAWN_MOST):
        candidate, late = _draw_candidate(dice, base_sentence), tried > DRAWN_MOST / 3
        if candidate in (*[other.segment.candidate for other in drawn], *result.segment.references):
            continue
        new = metric.score(result.segment._replace(candidate=candidate), result.settings)
        if not 0 < new.score < metric.most:
            continue
        for other in drawn[-COMPARED_MOST:] if late else drawn[:1]:
            for pair in weighable_pairs(metric, other, new):
                reasons = frozenset((pair.decides.says, pair.rest.says))
                pair_by_reason = ends.setdefault((pair.rest.share < 0, reasons), {})
                pair_by_reason.setdefault(pair.decides.says, pair)
                if len(pair_by_reason) == 2 and (late or (pair.rest.share < 0) == against):
                    return _in_random_order(dice, pair_by_reason[dice.choose(sorted(pair_by_reason))], True)
        drawn.append(new)
    remaining = [pair for pair_by_reason in ends.values() for pair in pair_by_reason.values()]
    return _in_random_order(dice, remaining[0], False) if remaining else None


def _in_random_order(dice: Dice, pair: CandidatePair, even: bool) -> WeighedPair:
    """Return the pair as a question with its candidates in random order as A and B.

    `even` says that for the same reasons a pair was found in which the other one decides."""
    candidates = pair.worse.segment.candidate, pair.better.segment.candidate
    turned = dice.draw_below(2)
    return WeighedPair((candidates[turned], candidates[1 - turned]), (pair.decides.says, pair.rest.says), even)


def _draw_candidate(dice: Dice, draft: ExerciseSentence) -> Tokens:
    """Return the words of the sentence after some random changes, sometimes of a longer or a shorter one."""
    turn = dice.draw_below(3)
    for _ in range(1 + dice.draw_below(4)):
        draft = change_sentence(dice, draft)
    if turn:
        draft = (lengthen_sentence if turn == 1 else shorten_sentence)(dice, draft)
    return draft.words()


def weighable_pairs(metric: Metric, a: Result, b: Result) -> Iterator[CandidatePair]:
    """Yield the two candidates with the reason that decides, once for each other reason that may be offered with it.

    Nothing is yielded if no reason clearly decides, or if the scores are too close or too far apart."""
    if not APART <= abs(a.score - b.score) <= NEAR * max(a.score, b.score):
        return
    worse, better = sorted((a, b), key=lambda result: result.score, reverse=not metric.higher_is_better)
    sorted_reasons = comparison_reasons(metric, worse, better)
    if (
        len(sorted_reasons) > 1
        and sorted_reasons[0].clear
        and sorted_reasons[0].share >= DECIDES * abs(sorted_reasons[1].share)
    ):
        decides, *others = sorted_reasons
        for rest in others:
            if rest.clear and (rest.share < 0 or decides.share >= TWICE * rest.share):
                yield CandidatePair(worse, better, decides, rest)


# ---------------------------------------------------------------- the question


def comparison_question(metric: Metric, weighed_pair: WeighedPair, a: Result, b: Result) -> Question:
    """Return the question which of candidates A and B scores higher, and which reason decides.

    `a` and `b` are the results of the two candidates. The choices are each of the two reasons for either candidate. The
    verdict on a wrong choice says whether its reason is true, and of which candidate."""
    pair = next(
        pair for pair in weighable_pairs(metric, a, b) if (pair.decides.says, pair.rest.says) == weighed_pair.reasons
    )
    winner, loser = ("A", "B") if pair.better is a else ("B", "A")
    scores = f"{winner} scores {format_number(pair.better.score)} and {loser} {format_number(pair.worse.score)}"
    steps = ledger(metric, pair.worse, pair.better, lengths=True)  # its shares are those of the reasons
    explanation = plain_text(difference_sentence(metric, pair.worse, pair.better, steps, names=(loser, winner)))
    right = f"{winner}: because {pair.decides.says}"
    first, second = (format_number(abs(reason.share)) for reason in (pair.decides, pair.rest))
    weighed = f"This is worth {first}, and the other reason {second}, for {winner if pair.rest.share > 0 else loser}"
    verdicts = {right: AnswerVerdict("right", f"{scores}. {weighed}. From {loser} to {winner}: {explanation}")}
    verdicts[f"{loser}: because {pair.decides.says}"] = AnswerVerdict("no", f"That is true of {winner}; {scores}.")
    rest = f": because {pair.rest.says}"
    worth = f"worth no more than {second}"
    if pair.rest.share < 0:
        verdicts[f"{winner}{rest}"] = AnswerVerdict("no", f"{winner} is the better one, but this is true of {loser}.")
        verdicts[f"{loser}{rest}"] = AnswerVerdict("no", f"That is true, but {worth}: {scores}.")
    else:
        lead = format_number(abs(pair.better.score - pair.worse.score))
        less = f"{winner} is the better one, by {lead}, and this is true of it, but {worth}."
        verdicts[f"{winner}{rest}"] = AnswerVerdict("no", less)
        verdicts[f"{loser}{rest}"] = AnswerVerdict("no", f"That is true of {winner}; {scores}.")
    choices = tuple(sorted(verdicts))
    better = "is better" if not metric.higher_is_better else "scores higher"
    asks = f"Which candidate {better} under {metric.label}, and what decides it?"
    candidate_texts = [" ".join(words) for words in weighed_pair.candidates]
    return Question(
        f"{asks} A: “{candidate_texts[0]}”. B: “{candidate_texts[1]}”.",
        "choice",
        f"{choices.index(right)}",
        {f"{number}": verdicts[choice] for number, choice in enumerate(choices)},
        AnswerVerdict("no", "Choose one of the answers."),
        choices=choices,
        asks=asks,
    )
