"""Questions on a whole segment: parts of the score, which of two candidates is better, and a sentence to be made that
scores exactly so much."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..analysis.changes import ledger
from ..analysis.sentence import CauseGroup, groups
from ..formula import LOWERED, format_number, text
from ..text import beyond
from ..types import Metric, Neighbours, Result, Segment, Settings, Tokens
from . import parts as of_metric
from .exercises import Exercise, exercise
from .plans import SeparateCount
from .records import AnswerVerdict, Question
from .slips import NumberSlip, equation, merged, number_question
from .which_better import matched_words, matches, mean_run, question
from .which_better import noun as noun_of

#: Words that a sentence of one's own may have, and letters.
WORDS_MOST, LETTERS_MOST = 30, 400

#: Scores that differ by less are equal but for rounding.
EQUAL = 1e-9


# ---------------------------------------------------------------- parts of a score


class _AskedPart(NamedTuple):
    """A part of a score that is asked for: its name, and what it is called where it is told."""

    name: str
    value: float
    text: str
    label: str


def part_questions(metric: Metric, result: Result) -> list[Question]:
    """A question for each part of a result that has one answer, in the order of the formula; another part taken for it
    is a slip."""
    steps = [step.name for step in metric.formula(result)]
    asked_parts = of_metric.plans(metric).part_questions
    place = {name: steps.index(part.step or name) for name, part in asked_parts.items() if (part.step or name) in steps}
    parts = sorted(_parts(metric, result), key=lambda part: place.get(part.name, 0))
    return [_part(metric, result, parts, part) for part in parts]


def _parts(metric: Metric, result: Result) -> Iterator[_AskedPart]:
    """The parts that have one answer. Of several references it is told with the answer which one counts, not before."""
    several, decides = len(result.segment.references) > 1, result.decides
    asked_parts, values = of_metric.plans(metric).part_questions, _values(metric, result)
    if several and "score" in decides:
        rivals = _rivals(metric, result, "score")
        for name, value in values.items():
            text, label = asked_parts[name].asks, asked_parts[name].label
            if all(abs(other[name] - value) < EQUAL for other in rivals):
                full_label = f"{label} against reference {decides['score'] + 1}"
                yield _AskedPart(name, value, f"Against the reference that counts, {_lower(text)}", full_label)
        return
    for name, value in values.items():
        separate_count = asked_parts[name].separate_count
        if not several or not separate_count:
            yield _AskedPart(name, value, asked_parts[name].asks, asked_parts[name].label)
        elif decides.keys() >= separate_count.of.keys():  # else all references count, each with a number of its own
            yield from _counts(metric, result, name, separate_count)


def _counts(metric: Metric, result: Result, name: str, separate_count: SeparateCount) -> Iterator[_AskedPart]:
    """A count for P and for R, called as the formula does where they are of two references."""
    part, decides = of_metric.plans(metric).part_questions[name], result.decides
    several = len({decides[of] for of in separate_count.of}) > 1
    for of, (letter, statistic) in separate_count.of.items():
        k = f"{decides[of] + 1}"
        if all(abs(other[name] - result.stats[statistic]) < EQUAL for other in _rivals(metric, result, of)):
            label = (
                separate_count.label_format.format(k.translate(LOWERED))
                if several
                else f"{part.label} against reference {k}"
            )
            yield _AskedPart(name, result.stats[statistic], f"For {letter}, {_lower(part.asks)}", label)


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _values(metric: Metric, result: Result) -> dict[str, float]:
    plans = of_metric.plans(metric)
    return {name: value for name, value in plans.parts(result).items() if name in plans.part_questions}


def _rivals(metric: Metric, result: Result, of: str) -> list[dict[str, float]]:
    """The parts against each reference alone that gives the same score, or the same part `of` it."""
    if not of_metric.plans(metric).rivals:
        return []
    single_results = [
        metric.score(result.segment._replace(references=(reference,)), result.settings)
        for reference in result.segment.references
    ]
    whole = {"score": result.score, **result.parts}
    equal_results = [
        other for other in single_results if abs({"score": other.score, **other.parts}[of] - whole[of]) < EQUAL
    ]
    return [_values(metric, other) for other in equal_results]


def _part(metric: Metric, result: Result, parts: Sequence[_AskedPart], part: _AskedPart) -> Question:
    answer = equation(part.label, part.value, _form(metric, result, part))
    return number_question(part.text, part.value, answer, merged(_part_slips(metric, result, parts, part), part.value))


def _form(metric: Metric, result: Result, part: _AskedPart) -> str:
    """How a part is computed, as its formula writes it; "" where no formula has it."""
    name = of_metric.plans(metric).part_questions[part.name].step or part.name
    formula_step = next((step for step in metric.formula(result) if step.name == name), None)
    if not formula_step or abs(formula_step.value - part.value) >= EQUAL:
        return ""
    return re.sub("_[0-9]+", lambda index: index[0][1:].translate(LOWERED), text(formula_step.forms[-1]))


def _part_slips(metric: Metric, result: Result, parts: Sequence[_AskedPart], part: _AskedPart) -> Iterator[NumberSlip]:
    for other in parts:
        if other != part:
            yield NumberSlip(other.value, f"That is {other.label}; {part.label} is asked for.")
    yield NumberSlip(result.score, f"That is {metric.label}; {part.label} is asked for.")
    asked_part = of_metric.plans(metric).part_questions[part.name]
    for number, says in asked_part.slips(result, part.value):
        yield NumberSlip(number, says)
    if asked_part.fraction and part.value:
        yield NumberSlip(1 / part.value, "Turned the fraction round.")


# ---------------------------------------------------------------- what is better in one than in another

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


def _reason(group: CauseGroup, better: bool, before: Result, after: Result) -> str:
    """What a group of steps from one candidate to another is, as a clause about the latter, which is `better` by it.

    That there is more of something is said where it is so, else that it counts more, which the ledger has found.
    """
    steps, cause = group.steps, group.steps[0].cause
    if cause == "matches":
        noun = noun_of(group)
        count = matched_words if noun == "word" else matches
        if _count_agrees(count, better, before, after):
            what = "matching words count" if noun == "word" else f"{noun}s match"  # other words may match too
            return f"{'more' if better else 'fewer'} of its {what}"
        return f"its matching {noun}s count {'more' if better else 'less'}"
    if cause == "contiguity" and not steps[0].cost:
        if any(isinstance(piece.mark, Neighbours) for step in steps for piece in step.pieces):
            return f"its runs that follow each other count {'more' if better else 'less'}"
        if _count_agrees(mean_run, better, before, after):
            return f"its matches stand in {'longer' if better else 'shorter'} runs"
    if cause == "length" and (more := len(after.segment.candidate) - len(before.segment.candidate)):
        return f"{_REASONS[cause][not better]}: it is {'longer' if more > 0 else 'shorter'}"
    if steps[0].cost and cause not in ("edits", "gaps"):
        fewer = math.fsum([step.after - step.before for step in steps]) < 0
        if fewer == better:
            return f"it has {'fewer' if better else 'more'} {steps[0].name}"
    return _REASONS[cause][not better]


def _count_agrees(of: Callable[[Result], float], better: bool, before: Result, after: Result) -> bool:
    """Whether there is more of something after than before, or where it is not for the better, less."""
    return of(after) > of(before) + EQUAL if better else of(after) < of(before) - EQUAL


# ---------------------------------------------------------------- make a sentence


@dataclass(frozen=True, slots=True)
class SentenceTask:
    """A sentence is to be made that scores `target_score` against the references; `shows` is one that does."""

    key: str
    references: tuple[Tokens, ...]
    settings: Settings
    target_score: float
    shows: Tokens
    text: str


def sentence_task(metric: Metric, given_exercise: Exercise) -> SentenceTask:
    """A sentence to be made that scores what the exercise's other candidate does."""
    result = metric.score(given_exercise.segment._replace(candidate=given_exercise.other), given_exercise.settings)
    score = "has a rate of" if not metric.higher_is_better else "scores"
    text = f"Make a sentence that {score} {exactly(result.score)} under {metric.label}."
    references = given_exercise.segment.references
    return SentenceTask(metric.key, references, given_exercise.settings, result.score, given_exercise.other, text)


def exactly(value: float) -> str:
    """A score that is to be met. Where few decimals cannot say it, it is printed rounded, and met all the same only by
    what equals it.

    >>> exactly(0.25), exactly(2 / 3)
    ('exactly 0.25', 'exactly 0.6667 (rounded)')
    """
    short = f"{value:g}"
    return f"exactly {short}" if abs(float(short) - value) < EQUAL else f"exactly {value:.4f} (rounded)"


def judge_sentence(metric: Metric, task: SentenceTask, text: str) -> AnswerVerdict:
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
        return AnswerVerdict(how, MET.format(exactly(task.target_score)))
    return AnswerVerdict("no", f"{MISSED.format(*away)}{_because(metric, task, result)}.")


#: What is said of a sentence that has the wanted score, and of one that has not: its score, how far that is off, and on
#: which side.
MET, MISSED = "Right: this scores {}.", "This scores {}, which is {} too {}"


def off(task: SentenceTask, score: float) -> tuple[str, str, str] | None:
    """A score that is not the wanted one, how far it is off, both with enough digits to tell, and whether it is too
    "high" or "low"; None where it is the wanted one."""
    away = score - task.target_score
    if abs(away) < EQUAL:
        return None
    digits = next((d for d in range(3, 10) if round(score, d) != round(task.target_score, d)), 9)
    return format_number(score, digits), format_number(abs(away), digits), "high" if away > 0 else "low"


def _because(metric: Metric, task: SentenceTask, result: Result) -> str:
    """The largest part of the difference to the sentence that is shown, in words that do not give that away."""
    solution = metric.score(Segment(task.shows, task.references), task.settings)
    towards = result.score - solution.score
    for group in groups(ledger(metric, solution, result)):
        if group.share and (group.share > 0) == (towards > 0):
            better = (group.share > 0) == metric.higher_is_better
            return f": beside one that is right, {_reason(group, better, solution, result)}"
    return ""


# ---------------------------------------------------------------- all questions of an exercise


def which_question(metric: Metric, given_exercise: Exercise) -> Question:
    """Which of two candidates is better, and what decides it, as the exercise with the same code asks."""
    posed = (
        given_exercise
        if given_exercise.weighed
        else exercise(metric, given_exercise.seed, given_exercise.level, "which")
    )
    assert posed.weighed, "two candidates are drawn for this task"
    a, b = (metric.score(posed.segment._replace(candidate=words), posed.settings) for words in posed.weighed.candidates)
    return question(metric, posed.weighed, a, b)


def questions(metric: Metric, given_exercise: Exercise) -> list[Question]:
    """The score first, then its parts, then which of two candidates is better, and why."""
    result = metric.score(given_exercise.segment, given_exercise.settings)
    return [given_exercise.question, *part_questions(metric, result), which_question(metric, given_exercise)]
