"""Makes questions on a whole segment: for parts of the score, which of two candidates is better, and sentence tasks.

A sentence task is to make a sentence that has a given score."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..analysis.changes import ledger
from ..analysis.sentence import CauseGroup, group_by_cause
from ..formula import LOWERED, format_number, text
from ..text import describe_excess
from ..types import Metric, Neighbours, Result, Segment, Settings, Tokens
from . import parts as of_metric
from .exercises import Exercise, exercise
from .plans import SeparateCount
from .records import AnswerVerdict, Question
from .slips import NumberSlip, equation, merge_slips, number_question
from .which_better import comparison_question, count_matched_marks, count_matched_words, mean_run_length
from .which_better import noun_of_matches as noun_of

#: Maximum number of words and of characters of a typed sentence.
WORDS_MOST, LETTERS_MOST = 30, 400

#: Scores that differ by less are equal up to rounding.
EQUAL = 1e-9


# ---------------------------------------------------------------- parts of a score


class _AskedPart(NamedTuple):
    """A part of a score that an exercise asks for: its name and value, the question, and its label in answers."""

    name: str
    value: float
    text: str
    label: str


def part_questions(metric: Metric, result: Result) -> list[Question]:
    """Return a question for each part of a result whose value is unambiguous, in the order of the formula.

    The value of another part is recognised as a slip."""
    steps = [step.name for step in metric.formula(result)]
    asked_parts = of_metric.load_plans(metric).part_questions
    place = {name: steps.index(part.step or name) for name, part in asked_parts.items() if (part.step or name) in steps}
    parts = sorted(_asked_parts(metric, result), key=lambda part: place.get(part.name, 0))
    return [_part_question(metric, result, parts, part) for part in parts]


def _asked_parts(metric: Metric, result: Result) -> Iterator[_AskedPart]:
    """Yield the parts of a result whose value is unambiguous, with their questions.

    With several references, the answer says which reference counts; the question does not."""
    several, decides = len(result.segment.references) > 1, result.decides
    asked_parts, values = of_metric.load_plans(metric).part_questions, _part_values(metric, result)
    if several and "score" in decides:
        rivals = _parts_of_equal_references(metric, result, "score")
        for name, value in values.items():
            text, label = asked_parts[name].asks, asked_parts[name].label
            if all(abs(other[name] - value) < EQUAL for other in rivals):
                full_label = f"{label} against reference {decides['score'] + 1}"
                yield _AskedPart(name, value, f"Against the reference that counts, {_lower_first(text)}", full_label)
        return
    for name, value in values.items():
        separate_count = asked_parts[name].separate_count
        if not several or not separate_count:
            yield _AskedPart(name, value, asked_parts[name].asks, asked_parts[name].label)
        elif decides.keys() >= separate_count.of.keys():  # if not, all references count, each with its own number
            yield from _separate_counts(metric, result, name, separate_count)


def _separate_counts(metric: Metric, result: Result, name: str, separate_count: SeparateCount) -> Iterator[_AskedPart]:
    """Yield the part `name`, a count, once for P and once for R, which may take it from different references.

    They are labelled as in the formula if they do."""
    part, decides = of_metric.load_plans(metric).part_questions[name], result.decides
    several = len({decides[of] for of in separate_count.of}) > 1
    for of, (letter, statistic) in separate_count.of.items():
        k = f"{decides[of] + 1}"
        if all(
            abs(other[name] - result.stats[statistic]) < EQUAL
            for other in _parts_of_equal_references(metric, result, of)
        ):
            label = (
                separate_count.label_format.format(k.translate(LOWERED))
                if several
                else f"{part.label} against reference {k}"
            )
            yield _AskedPart(name, result.stats[statistic], f"For {letter}, {_lower_first(part.asks)}", label)


def _lower_first(text: str) -> str:
    """Return the text with its first letter in lower case."""
    return text[0].lower() + text[1:]


def _part_values(metric: Metric, result: Result) -> dict[str, float]:
    """Return the values of the parts that the metric's exercises ask for, by name."""
    plans = of_metric.load_plans(metric)
    return {name: value for name, value in plans.parts(result).items() if name in plans.part_questions}


def _parts_of_equal_references(metric: Metric, result: Result, of: str) -> list[dict[str, float]]:
    """Return the values of the parts for each reference that alone gives the same score as all references.

    If `of` is the name of a part, the references are those that alone give the same value of this part."""
    if not of_metric.load_plans(metric).rivals:
        return []
    single_results = [
        metric.score(result.segment._replace(references=(reference,)), result.settings)
        for reference in result.segment.references
    ]
    whole = {"score": result.score, **result.parts}
    equal_results = [
        other for other in single_results if abs({"score": other.score, **other.parts}[of] - whole[of]) < EQUAL
    ]
    return [_part_values(metric, other) for other in equal_results]


def _part_question(metric: Metric, result: Result, parts: Sequence[_AskedPart], part: _AskedPart) -> Question:
    """Return the question for one part, which recognises the slips that mix it up with the other `parts`."""
    answer = equation(part.label, part.value, _formula_text(metric, result, part))
    return number_question(
        part.text, part.value, answer, merge_slips(_part_slips(metric, result, parts, part), part.value)
    )


def _formula_text(metric: Metric, result: Result, part: _AskedPart) -> str:
    """Return the expression that the formula computes a part by; "" if no formula has the part."""
    name = of_metric.load_plans(metric).part_questions[part.name].step or part.name
    formula_step = next((step for step in metric.formula(result) if step.name == name), None)
    if not formula_step or abs(formula_step.value - part.value) >= EQUAL:
        return ""
    return re.sub("_[0-9]+", lambda index: index[0][1:].translate(LOWERED), text(formula_step.forms[-1]))


def _part_slips(metric: Metric, result: Result, parts: Sequence[_AskedPart], part: _AskedPart) -> Iterator[NumberSlip]:
    """Yield the numbers that mistakes give for one part: other parts, the score, and those that its plan lists."""
    for other in parts:
        if other != part:
            yield NumberSlip(other.value, f"That is {other.label}; the question asks for {part.label}.")
    yield NumberSlip(result.score, f"That is {metric.label}; the question asks for {part.label}.")
    asked_part = of_metric.load_plans(metric).part_questions[part.name]
    for number, says in asked_part.slips(result, part.value):
        yield NumberSlip(number, says)
    if asked_part.fraction and part.value:
        yield NumberSlip(1 / part.value, "The fraction is upside down.")


# ---------------------------------------------------------------- why a candidate is better

#: The clause for each cause, said of the better candidate and of the worse one.
_REASONS: Mapping[str, tuple[str, str]] = {
    "contiguity": ("its runs count more", "its runs count less"),
    "gaps": ("its matches are closer to each other, or in earlier rounds", "its matches are further apart"),
    "order": ("its words are closer to the reference's order", "its words are further from the reference's order"),
    "edits": ("it needs fewer edits", "it needs more edits"),
    "length": ("its length helps it most", "its length costs it most"),
    "penalty": ("the length penalty costs it less", "the length penalty costs it more"),
    "references": ("another reference's length counts", "another reference's length counts"),
}


def _reason_clause(group: CauseGroup, better: bool, before: Result, after: Result) -> str:
    """Return a clause about candidate `after` that says how a group of ledger steps changes it from `before`.

    `better` says whether the group improves the score. The clause says that there are more or fewer of something if
    that is true. If not, it says that they count more or less, as the ledger found."""
    steps, cause = group.steps, group.steps[0].cause
    if cause == "matches":
        noun = noun_of(group)
        count = count_matched_words if noun == "word" else count_matched_marks
        if _count_agrees(count, better, before, after):
            what = "matching words count" if noun == "word" else f"{noun}s match"  # other words may match too
            return f"{'more' if better else 'fewer'} of its {what}"
        return f"its matching {noun}s count {'more' if better else 'less'}"
    if cause == "contiguity" and not steps[0].cost:
        if any(isinstance(piece.mark, Neighbours) for step in steps for piece in step.pieces):
            return f"its runs that follow each other count {'more' if better else 'less'}"
        if _count_agrees(mean_run_length, better, before, after):
            return f"its matches form {'longer' if better else 'shorter'} runs"
    if cause == "length" and (more := len(after.segment.candidate) - len(before.segment.candidate)):
        return f"{_REASONS[cause][not better]}: it is {'longer' if more > 0 else 'shorter'}"
    if steps[0].cost and cause not in ("edits", "gaps"):
        fewer = math.fsum([step.after - step.before for step in steps]) < 0
        if fewer == better:
            return f"it has {'fewer' if better else 'more'} {steps[0].name}"
    return _REASONS[cause][not better]


def _count_agrees(of: Callable[[Result], float], better: bool, before: Result, after: Result) -> bool:
    """Return whether the count `of` a result rises from `before` to `after` if `better`, or falls if not."""
    return of(after) > of(before) + EQUAL if better else of(after) < of(before) - EQUAL


# ---------------------------------------------------------------- make a sentence


@dataclass(frozen=True, slots=True)
class SentenceTask:
    """The task to make a sentence that scores `target_score` against the references; `shows` is a solution."""

    key: str
    references: tuple[Tokens, ...]
    settings: Settings
    target_score: float
    shows: Tokens
    text: str


def sentence_task(metric: Metric, given_exercise: Exercise) -> SentenceTask:
    """Return the task to make a sentence with the score of the exercise's other candidate."""
    result = metric.score(given_exercise.segment._replace(candidate=given_exercise.other), given_exercise.settings)
    score = "has a rate of" if not metric.higher_is_better else "scores"
    text = f"Make a sentence that {score} {target_phrase(result.score)} under {metric.label}."
    references = given_exercise.segment.references
    return SentenceTask(metric.key, references, given_exercise.settings, result.score, given_exercise.other, text)


def target_phrase(value: float) -> str:
    """Return the score that a task demands as a phrase, such as “exactly 0.25”.

    If few decimals cannot state it exactly, it is shown rounded; still only an equal score meets it.

    >>> target_phrase(0.25), target_phrase(2 / 3)
    ('exactly 0.25', 'exactly 0.6667 (rounded)')
    """
    short = f"{value:g}"
    return f"exactly {short}" if abs(float(short) - value) < EQUAL else f"exactly {value:.4f} (rounded)"


def judge_sentence(metric: Metric, task: SentenceTask, text: str) -> AnswerVerdict:
    """Return whether a typed sentence has the score that the task demands; if not, why its score differs.

    Words are separated by whitespace. Raises ValueError, with one sentence, for a text that is empty or too long."""
    words = tuple(text.split())
    if not words:
        raise ValueError("Type a sentence first.")
    if len(words) > WORDS_MOST:
        raise ValueError(f"{describe_excess('This sentence', len(words), 'words', WORDS_MOST)}.")
    if len(text.strip()) > LETTERS_MOST:
        raise ValueError(f"{describe_excess('This sentence', len(text.strip()), 'letters', LETTERS_MOST)}.")
    result = metric.score(Segment(words, task.references), task.settings)
    away = distance_from_target(task, result.score)
    if away is None:
        how: Any = "right" if words == task.shows else "also"
        return AnswerVerdict(how, MET.format(target_phrase(task.target_score)))
    return AnswerVerdict("no", f"{MISSED.format(*away)}{_describe_largest_cause(metric, task, result)}.")


#: The replies to a sentence that has the wanted score, and to one that has not: with its score, how far it is off, and
#: on which side.
MET, MISSED = "Right: this scores {}.", "This scores {}, which is {} too {}"


def distance_from_target(task: SentenceTask, score: float) -> tuple[str, str, str] | None:
    """Return a score, its distance from the score that the task demands, and whether it is too "high" or "low".

    Both numbers are texts with enough digits to tell them apart. Returns None if the score is the one demanded."""
    away = score - task.target_score
    if abs(away) < EQUAL:
        return None
    digits = next((d for d in range(3, 10) if round(score, d) != round(task.target_score, d)), 9)
    return format_number(score, digits), format_number(abs(away), digits), "high" if away > 0 else "low"


def _describe_largest_cause(metric: Metric, task: SentenceTask, result: Result) -> str:
    """Return the end of a sentence that names the largest cause of the difference between a result and the solution.

    The wording does not reveal the solution."""
    solution = metric.score(Segment(task.shows, task.references), task.settings)
    towards = result.score - solution.score
    for group in group_by_cause(ledger(metric, solution, result)):
        if group.share and (group.share > 0) == (towards > 0):
            better = (group.share > 0) == metric.higher_is_better
            return f": compared with a right one, {_reason_clause(group, better, solution, result)}"
    return ""


# ---------------------------------------------------------------- all questions of an exercise


def which_question(metric: Metric, given_exercise: Exercise) -> Question:
    """Return the question which of two candidates is better, and why, for the seed and level of the exercise."""
    posed = (
        given_exercise
        if given_exercise.weighed
        else exercise(metric, given_exercise.seed, given_exercise.level, "which")
    )
    assert posed.weighed, "two candidates are drawn for this task"
    a, b = (metric.score(posed.segment._replace(candidate=words), posed.settings) for words in posed.weighed.candidates)
    return comparison_question(metric, posed.weighed, a, b)


def questions(metric: Metric, given_exercise: Exercise) -> list[Question]:
    """Return the questions of an exercise: for the score, for its parts, and which of two candidates is better."""
    result = metric.score(given_exercise.segment, given_exercise.settings)
    return [given_exercise.question, *part_questions(metric, result), which_question(metric, given_exercise)]
