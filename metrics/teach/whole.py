"""Questions on a whole segment: parts of the score, which of two candidates scores higher and why, and a sentence to
be made that scores exactly so much.

Of several reasons one is right, by the ledger of the two results, and the others are false for that very pair.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import Any, NamedTuple

from ..analysis.changes import ledger
from ..analysis.sentence import Group, groups, plain, sentence
from ..formula import LOWERED, shown, text
from ..text import beyond
from ..types import Metric, Neighbours, Result, Run, Segment, Settings, SkipBigram, Tokens
from . import parts as of_metric
from .exercises import Exercise
from .mistakes import longest_run
from .plans import Apart
from .records import Question, Verdict
from .slips import Slip, asked, equation, merged

#: Words that a sentence of one's own may have, and letters.
WORDS_MOST, LETTERS_MOST = 30, 400

#: Scores that differ by less are equal but for rounding.
EQUAL = 1e-9


# ---------------------------------------------------------------- parts of a score


class _Part(NamedTuple):
    """A part of a score that is asked for: its name, and what it is called where it is told."""

    name: str
    value: float
    text: str
    called: str


def part_questions(metric: Metric, result: Result) -> list[Question]:
    """A question for each part of a result that has one answer; another part taken for it is a slip."""
    parts = [*_parts(metric, result)]
    return [_part(metric, result, parts, part) for part in parts]


def _parts(metric: Metric, result: Result) -> Iterator[_Part]:
    """The parts that have one answer. Of several references it is told with the answer which one counts, not before."""
    several, decides = len(result.segment.references) > 1, result.decides
    asked, values = of_metric.plans(metric).asked, _values(metric, result)
    if several and "score" in decides:
        rivals = _rivals(metric, result, "score")
        for name, value in values.items():
            text, called = asked[name].asks, asked[name].called
            if all(abs(other[name] - value) < EQUAL for other in rivals):
                told = f"{called} against reference {decides['score'] + 1}"
                yield _Part(name, value, f"Against the reference that counts, {_lower(text)}", told)
        return
    for name, value in values.items():
        apart = asked[name].apart
        if not several or not apart:
            yield _Part(name, value, asked[name].asks, asked[name].called)
        elif decides.keys() >= apart.of.keys():  # else all references count, each with a number of its own
            yield from _counts(metric, result, name, apart)


def _counts(metric: Metric, result: Result, name: str, apart: Apart) -> Iterator[_Part]:
    """A count for P and for R, called as the formula does where they are of two references."""
    part, decides = of_metric.plans(metric).asked[name], result.decides
    several = len({decides[of] for of in apart.of}) > 1
    for of, (letter, statistic) in apart.of.items():
        k = f"{decides[of] + 1}"
        if all(abs(other[name] - result.stats[statistic]) < EQUAL for other in _rivals(metric, result, of)):
            told = apart.called.format(k.translate(LOWERED)) if several else f"{part.called} against reference {k}"
            yield _Part(name, result.stats[statistic], f"For {letter}, {_lower(part.asks)}", told)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _values(metric: Metric, result: Result) -> dict[str, float]:
    plans = of_metric.plans(metric)
    return {name: value for name, value in plans.parts(result).items() if name in plans.asked}


def _rivals(metric: Metric, result: Result, of: str) -> list[dict[str, float]]:
    """The parts against each reference alone that gives the same score, or the same part `of` it."""
    if not of_metric.plans(metric).rivals:
        return []
    alone = [
        metric.score(result.segment._replace(references=(reference,)), result.settings)
        for reference in result.segment.references
    ]
    whole = {"score": result.score, **result.parts}
    same = [other for other in alone if abs({"score": other.score, **other.parts}[of] - whole[of]) < EQUAL]
    return [_values(metric, other) for other in same]


def _part(metric: Metric, result: Result, parts: Sequence[_Part], part: _Part) -> Question:
    answer = equation(part.called, part.value, _form(metric, result, part))
    return asked(part.text, part.value, answer, merged(_part_slips(metric, result, parts, part), part.value))


def _form(metric: Metric, result: Result, part: _Part) -> str:
    """How a part is computed, as its formula writes it; "" where no formula has it."""
    name = of_metric.plans(metric).asked[part.name].step or part.name
    found = next((step for step in metric.formula(result) if step.name == name), None)
    if not found or abs(found.value - part.value) >= EQUAL:
        return ""
    return re.sub("_[0-9]+", lambda index: index[0][1:].translate(LOWERED), text(found.forms[-1]))


def _part_slips(metric: Metric, result: Result, parts: Sequence[_Part], part: _Part) -> Iterator[Slip]:
    for other in parts:
        if other != part:
            yield Slip(other.value, f"That is {other.called}; {part.called} is asked for.")
    yield Slip(result.score, f"That is {metric.label}; {part.called} is asked for.")
    asked = of_metric.plans(metric).asked[part.name]
    for number, says in asked.slips(result, part.value):
        yield Slip(number, says)
    if asked.fraction and part.value:
        yield Slip(1 / part.value, "Turned the fraction round.")


# ---------------------------------------------------------------- which of two, and why


class _Fact(NamedTuple):
    """Something that one candidate may have more of than another: its numbers, one for each way to read the words that
    say it, and how it is said and denied."""

    of: Callable[[Metric, Result], Sequence[float]]
    says: str
    denied: str

    def holds(self, metric: Metric, a: Result, b: Result) -> bool:
        """Whether it is true of `a` beside `b` as it is read first."""
        return self.of(metric, a)[0] > self.of(metric, b)[0] + EQUAL

    def may_hold(self, metric: Metric, a: Result, b: Result) -> bool:
        """Whether it is true of `a` beside `b` in any of the ways to read it."""
        return any(x > y + EQUAL for x, y in zip(self.of(metric, a), self.of(metric, b), strict=True))


def _length(result: Result) -> float:
    return len(result.segment.candidate)


def _common(metric: Metric, result: Result) -> list[float]:
    """How many words are in one reference or in any: as often as that has them, or each time, or each once; and with
    those that the metric matches with other words."""
    candidate, references = result.segment
    each = [Counter(reference) for reference in references]
    bags = [*each, reduce(operator.or_, each), reduce(operator.add, each)]
    clipped = [(Counter(candidate) & bag).total() for bag in bags]
    counts = [max(clipped[: len(each)]), *clipped]
    for bag in bags:
        counts += [sum([word in bag for word in candidate]), len({*candidate} & bag.keys())]
    joined = of_metric.plans(metric).joined(result)
    return [*counts, len(joined | {i for i, word in enumerate(candidate) if word in bags[-1]}), len(joined)]


def _longest(metric: Metric, result: Result) -> list[float]:
    """How long the longest run is: of words that follow each other in one reference as well, or are all in it, or in
    any; or of those that the metric has found."""
    candidate, references = result.segment
    runs = [longest_run(candidate, reference) for reference in references]
    known = [{*reference} for reference in references]
    within = [_stretch(candidate, words) for words in (*known, {word for words in known for word in words})]
    marks = [mark.length for layer in result.layers for mark in layer.marks if isinstance(mark, Run)]
    return [max(runs), *runs, *within, max(marks, default=0)]


def _stretch(candidate: Tokens, words: set[str]) -> int:
    """The most words in a row that are all among these."""
    return max([len([*run]) for known, run in groupby(candidate, words.__contains__) if known], default=0)


#: Facts in the order in which they tempt, said so that nobody thinks of a share of the words, or of letters.
_FACTS = (
    _Fact(_common, "it has more words that are in a reference", "it has no more words that are in a reference than {}"),
    _Fact(_longest, "its longest run of a reference's words is longer", "its longest run is no longer than {}'s"),
    _Fact(lambda _, a: [_length(a)], "it is longer, counted in words", "it is not longer than {}, counted in words"),
    _Fact(lambda _, a: [-_length(a)], "it is shorter, counted in words", "it is not shorter than {}, counted in words"),
)


def compare(metric: Metric, a: Result, b: Result) -> Question | None:
    """Which of two candidates A and B scores higher, and why; None where the scores are equal.

    The right answer names the better candidate and what the largest part of the difference is, as the ledger has it. Of
    the others some name the better one with a reason that is false however it is read, the others the worse one.
    """
    if abs(a.score - b.score) < EQUAL:
        return None
    a_better = (a.score > b.score) == metric.higher_is_better
    (winner, best), (loser, worst) = (("A", a), ("B", b)) if a_better else (("B", b), ("A", a))
    largest = groups(ledger(metric, worst, best))
    gain = next((group for group in largest if (group.share > 0) == metric.higher_is_better and group.share), None)
    if gain is None:
        return None
    true = f"{winner}: because {_reason(gain, True, worst, best)}"
    scores = f"{winner} scores {shown(best.score)} and {loser} {shown(worst.score)}"
    told = plain(sentence(metric, worst, best, names=(loser, winner)))
    verdicts = {true: Verdict("right", f"{scores}. From {loser} to {winner}: {told}")}
    for fact in _FACTS:
        if not fact.may_hold(metric, best, worst):
            text = f"{winner}: because {fact.says}"
            verdicts[text] = Verdict("no", f"{winner} is the better one, but {fact.denied.format(loser)}.")
            break
    true_of_loser = [fact for fact in _FACTS if fact.holds(metric, worst, best)] or [_FACTS[0]]
    for fact in true_of_loser[:2]:
        verdicts[f"{loser}: because {fact.says}"] = Verdict("no", f"{scores}.")
    return _choice(metric, a, b, verdicts, true)


def _choice(metric: Metric, a: Result, b: Result, verdicts: Mapping[str, Verdict], true: str) -> Question:
    choices = tuple(sorted(verdicts))
    better = "is better" if not metric.higher_is_better else "scores higher"
    first, second = (" ".join(result.segment.candidate) for result in (a, b))
    asks = f"Which candidate {better} under {metric.label}, and why?"
    text = f"{asks} A: “{first}”. B: “{second}”."
    numbered = {f"{number}": verdicts[choice] for number, choice in enumerate(choices)}
    shows = f"{choices.index(true)}"
    return Question(
        text, "choice", shows, numbered, Verdict("no", "Choose one of the answers."), choices=choices, asks=asks
    )


#: What a cause gives to the better candidate, and takes from the worse one.
_REASONS: Mapping[str, tuple[str, str]] = {
    "contiguity": ("its runs count more", "its runs count less"),
    "gaps": ("its matches are closer to each other, or in earlier rounds", "its matches are further apart"),
    "order": ("its words stand better in the reference's order", "its words stand worse in the reference's order"),
    "edits": ("it needs fewer edits", "it needs more edits"),
    "length": ("its length helps it most", "its length costs it most"),
    "penalty": ("it loses less to the penalty for its length", "it loses more to the penalty for its length"),
    "references": ("another reference's length counts", "another reference's length counts"),
}


def _reason(group: Group, better: bool, before: Result, after: Result) -> str:
    """What a group of steps from one candidate to another is, as a clause about the latter, which is `better` by it.

    That there is more of something is said where it is so, else that it counts more, which the ledger has found.
    """
    steps, cause = group.steps, group.steps[0].cause
    if cause == "matches":
        noun = _noun(group)
        count = _matched_words if noun == "word" else _marks
        if _more(count, better, before, after):
            what = "matching words count" if noun == "word" else f"{noun}s match"  # other words may match too
            return f"{'more' if better else 'fewer'} of its {what}"
        return f"its matching {noun}s count {'more' if better else 'less'}"
    if cause == "contiguity" and not steps[0].cost:
        if any(isinstance(piece.mark, Neighbours) for step in steps for piece in step.pieces):
            return f"its runs that follow each other count {'more' if better else 'less'}"
        if _more(_run_length, better, before, after):
            return f"its matches stand in {'longer' if better else 'shorter'} runs"
    if cause == "length" and (longer := _length(after) - _length(before)):
        return f"{_REASONS[cause][not better]}: it is {'longer' if longer > 0 else 'shorter'}"
    if steps[0].cost and cause not in ("edits", "gaps"):
        fewer = math.fsum([step.after - step.before for step in steps]) < 0
        if fewer == better:
            return f"it has {'fewer' if better else 'more'} {steps[0].name}"
    return _REASONS[cause][not better]


def _more(of: Callable[[Result], float], better: bool, before: Result, after: Result) -> bool:
    """Whether there is more of something after than before, or where it is not for the better, less."""
    return of(after) > of(before) + EQUAL if better else of(after) < of(before) - EQUAL


def _matched_words(result: Result) -> float:
    return len({cell.i for cell in result.cells()})


def _marks(result: Result) -> float:
    return sum([len(layer.marks) for layer in result.layers])


def _run_length(result: Result) -> float:
    """The mean length of the run in which a matched word stands."""
    lengths = [mark.length for layer in result.layers for mark in layer.marks if isinstance(mark, Run)]
    return sum([length * length for length in lengths]) / (sum(lengths) or 1)


def _noun(group: Group) -> str:
    marks = [piece.mark for step in group.steps for piece in step.pieces]
    if any(isinstance(mark, SkipBigram) for mark in marks):
        return "pair"
    return "n-gram" if any(isinstance(mark, Run) and mark.length > 1 for mark in marks) else "word"


# ---------------------------------------------------------------- make a sentence


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence is to be made that scores `wanted` against the references; `shows` is one that does."""

    key: str
    references: tuple[Tokens, ...]
    settings: Settings
    wanted: float
    shows: Tokens
    text: str


def sentence_task(metric: Metric, exercise: Exercise) -> Task:
    """A sentence to be made that scores what the exercise's other candidate does."""
    result = metric.score(exercise.segment._replace(candidate=exercise.other), exercise.settings)
    score = "has a rate of" if not metric.higher_is_better else "scores"
    text = f"Make a sentence that {score} {exactly(result.score)} under {metric.label}."
    references = exercise.segment.references
    return Task(metric.key, references, exercise.settings, result.score, exercise.other, text)


def exactly(value: float) -> str:
    """A score that is to be met. Where few decimals cannot say it, it is printed rounded, and met all the same only by
    what equals it.

    >>> exactly(0.25), exactly(2 / 3)
    ('exactly 0.25', 'exactly 0.6667 (rounded)')
    """
    short = f"{value:g}"
    return f"exactly {short}" if abs(float(short) - value) < EQUAL else f"exactly {value:.4f} (rounded)"


def judge_sentence(metric: Metric, task: Task, text: str) -> Verdict:
    """Whether a typed sentence has the wanted score, else the score that it has and where the difference comes from.

    Words are what spaces part. ValueError in one sentence for one that is empty or too long.
    """
    words = tuple(text.split())
    if not words:
        raise ValueError("Type a sentence first.")
    if len(words) > WORDS_MOST:
        raise ValueError(f"{beyond('This sentence', len(words), 'words', WORDS_MOST)}.")
    if len(text.strip()) > LETTERS_MOST:
        raise ValueError(f"{beyond('This sentence', len(text.strip()), 'letters', LETTERS_MOST)}.")
    result = metric.score(Segment(words, task.references), task.settings)
    away = off(task, result.score)
    if away is None:
        how: Any = "right" if words == task.shows else "also"
        return Verdict(how, MET.format(exactly(task.wanted)))
    return Verdict("no", f"{MISSED.format(*away)}{_because(metric, task, result)}.")


#: What is said of a sentence that has the wanted score, and of one that has not: its score, how far that is off, and on
#: which side.
MET, MISSED = "Right: this scores {}.", "This scores {}, which is {} too {}"


def off(task: Task, score: float) -> tuple[str, str, str] | None:
    """A score that is not the wanted one, how far it is off, both with enough digits to tell, and whether it is too
    "high" or "low"; None where it is the wanted one."""
    away = score - task.wanted
    if abs(away) < EQUAL:
        return None
    digits = next((d for d in range(3, 10) if round(score, d) != round(task.wanted, d)), 9)
    return shown(score, digits), shown(abs(away), digits), "high" if away > 0 else "low"


def _because(metric: Metric, task: Task, result: Result) -> str:
    """The largest part of the difference to the sentence that is shown, in words that do not give that away."""
    solution = metric.score(Segment(task.shows, task.references), task.settings)
    towards = result.score - solution.score
    for group in groups(ledger(metric, solution, result)):
        if group.share and (group.share > 0) == (towards > 0):
            better = (group.share > 0) == metric.higher_is_better
            return f": beside one that is right, {_reason(group, better, solution, result)}"
    return ""


# ---------------------------------------------------------------- all questions of an exercise


def which_question(metric: Metric, exercise: Exercise) -> Question:
    """Which of an exercise's two candidates is better, and why."""
    a, b = (
        metric.score(exercise.segment._replace(candidate=words), exercise.settings)
        for words in (exercise.segment.candidate, exercise.other)
    )
    found = compare(metric, a, b)
    assert found, "their scores differ"
    return found


def questions(metric: Metric, exercise: Exercise) -> list[Question]:
    """The score first, then its parts, then which of the exercise's two candidates scores higher, and why."""
    result = metric.score(exercise.segment, exercise.settings)
    return [exercise.question, *part_questions(metric, result), which_question(metric, exercise)]
