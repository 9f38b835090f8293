"""Which of two candidates is better, and what decides it: pairs for which two reasons can be weighed, the question.

Two reasons are offered, each for either candidate. One of them decides; the other is true as well, of the worse
candidate, where it is outweighed, or of the better one, where it is worth less. Said of the other candidate each is
false, as it seems to who slips in counting. A second candidate is drawn among some by which either reason of the two
would decide, so that nothing but the sentences tells which of them does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..analysis.changes import ledger
from ..analysis.sentence import CauseGroup, groups, plain, sentence
from ..formula import format_number
from ..types import Metric, Neighbours, Result, Run, SkipBigram, Tokens
from .mistakes import in_common
from .records import AnswerVerdict, Question
from .sentences import Dice, ExerciseSentence, changed, longer, shorter

#: Second candidates that are tried for a question at the most.
DRAWN_MOST = 200

#: Candidates with which a new one is compared at the most.
COMPARED_MOST = 4

#: By what share of the larger one two scores differ at the most, so that there is something to weigh.
NEAR = 0.3

#: By how much two scores differ at least, and how often what decides is worth what any other reason is, at least.
#: Of two that both speak for the better candidate the one is worth so often the other.
APART, DECIDES, TWICE = 0.01, 1.25, 2.0

#: Numbers that differ by less are equal but for rounding.
EQUAL = 1e-9


class ComparisonReason(NamedTuple):
    """What a candidate can have over another, as a clause about it.

    `share` is what it adds to the score of the better of two candidates, for an error rate what it takes away. `lead`
    is above 0 where the clause is true of the better one, below 0 where it is true of the other.
    """

    says: str
    share: float
    lead: float

    @property
    def clear(self) -> bool:
        """Whether the candidate for which it speaks is the one of which it is true."""
        return self.lead * self.share > 0


class CandidatePair(NamedTuple):
    """Two candidates with what decides between them and a second reason; `rest` is true of the better one too, or of
    the other."""

    worse: Result
    better: Result
    decides: ComparisonReason
    rest: ComparisonReason


class Weighed(NamedTuple):
    """Candidates A and B of a question, and its reasons: the one that decides, and the other. `even` where the same
    two reasons could as well have been found with the other one deciding."""

    candidates: tuple[Tokens, Tokens]
    reasons: tuple[str, str]
    even: bool


def reasons(metric: Metric, worse: Result, better: Result) -> list[ComparisonReason]:
    """Why one candidate is better than the other, and what speaks against it, what is worth most first; none where not
    the same reference counts for both."""
    all_reasons: list[ComparisonReason] = []
    for group in groups(ledger(metric, worse, better, lengths=True)):
        cause = group.steps[0].cause
        sign = 1 if metric.higher_is_better else -1
        if cause == "references" or any("," in step.name for step in group.steps):  # P and R of two references
            return []
        if cause == "edits":
            all_reasons += _of_edits(group, worse, better)
        elif abs(group.share) > EQUAL:
            says, lead = _reason_clause(group, worse, better, metric)
            all_reasons.append(ComparisonReason(says, sign * group.share, lead))
    return sorted(all_reasons, key=lambda reason: -abs(reason.share))


def _reason_clause(group: CauseGroup, worse: Result, better: Result, metric: Metric) -> tuple[str, float]:
    """A reason's clause, and by how much the better candidate leads in what it says; 0 where a reader may count it in
    another way."""
    steps, cause = group.steps, group.steps[0].cause
    leads = [step.before - step.after if step.cost else step.after - step.before for step in steps]
    lead = math.fsum(leads)
    if cause == "length":
        helps = (group.share > 0) == metric.higher_is_better
        more, by = ("more", lead) if helps == (lead > 0) else ("fewer", -lead)
        punished = metric.composition and metric.composition.length_causes  # where it is told apart
        return f"it has {more} words{', the penalty left aside' if punished else ''}", by
    if cause == "penalty":
        return "it loses less to the penalty for its length", lead
    if cause == "gaps":
        return "it loses less to gaps between its matches", lead
    if steps[0].cost:
        return f"it has fewer {steps[0].name}", lead
    if cause == "contiguity" and any(isinstance(piece.mark, Neighbours) for step in steps for piece in step.pieces):
        return "more of its runs follow each other", _neighbours(better) - _neighbours(worse)
    if cause == "contiguity":
        lead, most = (of(better) - of(worse) for of in (mean_run, _longest_run))
        return "its matches stand in longer runs", lead if lead * most >= 0 else 0
    kind = noun(group)
    count = {"word": matched_words, "pair": _pairs}.get(kind, matches)
    plain = kind == "word" and {layer.weight for layer in better.layers} <= {1}
    turned = min(leads) < 0 < max(leads)  # more of one length, or in one round, and fewer in another
    lead = count(better) - count(worse) if plain or not turned else 0
    return f"more of its {kind}s match under {metric.label}", lead


def _of_edits(group: CauseGroup, worse: Result, better: Result) -> list[ComparisonReason]:
    """Fewer edits, apart by what the words would cost in any order and what their order costs."""
    fewer = math.fsum([step.before - step.after for step in group.steps])
    if not fewer or worse.decides.get("score") != better.decides.get("score"):
        return []
    words = _unordered(worse) - _unordered(better)
    clauses = [
        ("the words alone, in any order, cost it fewer edits", words),
        ("the order of its words costs it fewer edits", fewer - words),
    ]
    return [ComparisonReason(says, abs(group.share) * lead / fewer, lead) for says, lead in clauses if lead]


def _unordered(result: Result) -> int:
    """The edits that a candidate's words need in any order."""
    candidate, reference = result.segment.candidate, result.segment.references[result.decides.get("score", 0)]
    return max(len(candidate), len(reference)) - in_common(candidate, reference)


def matched_words(result: Result) -> int:
    """How many words of the candidate are matched."""
    return len({cell.i for cell in result.cells()})


def matches(result: Result) -> int:
    """How many words, n-grams or pairs match."""
    return sum([len(layer.marks) for layer in result.layers])


def _pairs(result: Result) -> int:
    return sum([isinstance(mark, SkipBigram) for layer in result.layers for mark in layer.marks])


def _neighbours(result: Result) -> int:
    return sum([isinstance(mark, Neighbours) for layer in result.layers for mark in layer.marks])


def _runs(result: Result) -> list[float]:
    return [mark.length for layer in result.layers for mark in layer.marks if isinstance(mark, Run)]


def mean_run(result: Result) -> float:
    """The mean length of the run in which a matched word stands."""
    lengths = _runs(result)
    return sum([length * length for length in lengths]) / (sum(lengths) or 1)


def _longest_run(result: Result) -> float:
    return max(_runs(result), default=0)


def noun(group: CauseGroup) -> str:
    """What matches in a group of steps: words, n-grams or pairs."""
    marks = [piece.mark for step in group.steps for piece in step.pieces]
    if any(isinstance(mark, SkipBigram) for mark in marks):
        return "pair"
    return "n-gram" if any(isinstance(mark, Run) and mark.length > 1 for mark in marks) else "word"


# ---------------------------------------------------------------- a second candidate


def weighed(metric: Metric, dice: Dice, base_sentence: ExerciseSentence, result: Result) -> Weighed | None:
    """Two candidates, and the two reasons to be offered; None where none are found.

    Candidates are drawn, and compared with that of the result and then with each other, until there are two pairs
    between which the same two reasons are to be weighed, and in one of which the one decides, in the other the other.
    It is thrown for one of the two, and for which candidate is called A. So who knows the two reasons, but has not read
    the sentences, knows nothing about the answer.
    """
    against = bool(dice.draw_below(3))  # the second reason speaks for the worse candidate
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
            for pair in pairs(metric, other, new):
                reasons = frozenset((pair.decides.says, pair.rest.says))
                pair_by_reason = ends.setdefault((pair.rest.share < 0, reasons), {})
                pair_by_reason.setdefault(pair.decides.says, pair)
                if len(pair_by_reason) == 2 and (late or (pair.rest.share < 0) == against):
                    return _shuffled(dice, pair_by_reason[dice.one(sorted(pair_by_reason))], True)
        drawn.append(new)
    remaining = [pair for pair_by_reason in ends.values() for pair in pair_by_reason.values()]
    return _shuffled(dice, remaining[0], False) if remaining else None


def _shuffled(dice: Dice, pair: CandidatePair, even: bool) -> Weighed:
    candidates = pair.worse.segment.candidate, pair.better.segment.candidate
    turned = dice.draw_below(2)
    return Weighed((candidates[turned], candidates[1 - turned]), (pair.decides.says, pair.rest.says), even)


def _draw_candidate(dice: Dice, draft: ExerciseSentence) -> Tokens:
    """A sentence with some changes, now and then a longer or a shorter one."""
    turn = dice.draw_below(3)
    for _ in range(1 + dice.draw_below(4)):
        draft = changed(dice, draft)
    return (draft.words, lambda: longer(dice, draft).words(), lambda: shorter(dice, draft).words())[turn]()


def pairs(metric: Metric, a: Result, b: Result) -> Iterator[CandidatePair]:
    """The two candidates with what decides and each other reason that may be weighed against it; none where nothing
    clearly decides."""
    if not APART <= abs(a.score - b.score) <= NEAR * max(a.score, b.score):
        return
    worse, better = sorted((a, b), key=lambda result: result.score, reverse=not metric.higher_is_better)
    sorted_reasons = reasons(metric, worse, better)
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


def question(metric: Metric, weighed_pair: Weighed, a: Result, b: Result) -> Question:
    """Which of two candidates A and B scores higher, and what decides it: each of the two reasons, for either one.

    What is said of a wrong answer is whether its reason is true, and of which of the two.
    """
    pair = next(pair for pair in pairs(metric, a, b) if (pair.decides.says, pair.rest.says) == weighed_pair.reasons)
    winner, loser = ("A", "B") if pair.better is a else ("B", "A")
    scores = f"{winner} scores {format_number(pair.better.score)} and {loser} {format_number(pair.worse.score)}"
    steps = ledger(metric, pair.worse, pair.better, lengths=True)  # whose shares are those of the reasons
    explanation = plain(sentence(metric, pair.worse, pair.better, steps, names=(loser, winner)))
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
