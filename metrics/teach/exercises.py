"""Exercises from a seed: sentences and settings with one score and a known number of optimal answers.

The same key, seed and level give the same exercise for ever, so that a link holds one: its code, "gtm-2-48213".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..types import Metric, Result, Segment, SettingRule, Settings, Tokens, brief, quoted
from . import parts
from .optimal import OptimalAnswers, optimal
from .plans import ExercisePlan
from .records import Question
from .sentences import Dice, ExerciseSentence, changed, sentence
from .slips import APART, candidates, compute
from .which_better import Weighed, weighed

LEVELS = (1, 2, 3)

#: What a level asks for.
LEVEL_NAMES = {
    1: "a short sentence and one reference",
    2: "more words, repeated words and ties",
    3: "two references, or a setting that is not the default",
}

#: What can be asked of an exercise, as its code ends and as a menu says: by default the score.
TASKS = {
    "score": "Compute the score",
    "which": "Which is better, and why",
    "make": "Make a sentence",
}

#: Seeds are whole numbers from 1 to this.
MOST_SEED = 99_999

#: Exercises on a sheet at the most.
SHEET_MOST = 50

#: Sentences that are tried for one exercise at the most; and those of which each must have several optimal answers.
#: Of twice as many each must show what is peculiar to its metric.
TRIED_MOST, TIED_MOST = 600, 60

#: Other sentences that are tried at the most where two candidates are to be compared.
AGAIN_MOST = 6


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise: score the candidate of `segment` with the metric `key` and `settings`, in which `given` are named.

    `score` does not depend on which of the optimal answers is found, and no known slip gives it. `other` is a second
    candidate of another score. `question` asks for the score; `task` is what a page asks, one of TASKS. `weighed` are
    the candidates that are compared, where that is the task.
    """

    key: str
    level: int
    seed: int
    segment: Segment
    other: Tokens
    given: Mapping[str, Any]
    settings: Settings
    score: float
    optimal: OptimalAnswers
    question: Question
    task: str = "score"
    weighed: Weighed | None = None

    @property
    def code(self) -> str:
        """What a link says: key, level and seed, and the task where it is not the score."""
        code = f"{self.key}-{self.level}-{self.seed}"
        return code if self.task == "score" else f"{code}-{self.task}"


def exercise(metric: Metric, seed: int, level: int, task: str = "score") -> Exercise:
    """The exercise of a metric, a level and a seed.

    Sentences are tried until one has a score between the extremes that no known slip gives, of which all optimal
    answers are known; at levels 2 and 3 one with several of them is preferred. Where two candidates are to be compared,
    and of its sentences and with the settings of its plan one reason would decide always, it is of another plan of its
    level, or of other sentences. ValueError for an unknown level or seed.
    """
    plans = parts.plans(metric)
    _check(level, seed)
    code = f"{metric.key}-{level}-{seed}"
    dice = Dice(code)
    plan = dice.one(plans.levels[level - 1])
    base_exercise, base_sentence = _of_plan(metric, dice, level, seed, plan)
    if task != "which":
        return replace(base_exercise, task=task)
    posed = _posed(metric, base_exercise, base_sentence)
    others = [other for other in plans.levels[level - 1] if other != plan and other.references >= plan.references]
    for number, other in enumerate([*others, *[plan] * AGAIN_MOST]):
        if not (posed and posed.weighed and posed.weighed.even):
            retry = _posed(metric, *_of_plan(metric, Dice(f"{code}-{number}"), level, seed, other))
            posed = retry if retry and retry.weighed and retry.weighed.even else posed or retry
    if not posed:
        raise ValueError(_unknown(f"{code}-which", "no two candidates were found for it"))
    return posed


def _of_plan(
    metric: Metric, dice: Dice, level: int, seed: int, plan: ExercisePlan
) -> tuple[Exercise, ExerciseSentence]:
    """The exercise for the score that the dice give with a plan, and what its references say."""
    plans, settings = parts.plans(metric), metric.Settings(**plan.given)
    for tried in range(TRIED_MOST):
        base_sentence, segment = _draw_segment(dice, level, plan)
        result = metric.score(segment, settings)
        if not _asks(metric, result) or not (plans.shows(result) or tried >= 2 * TIED_MOST):
            continue
        answers = optimal(metric, result)
        several = level == 1 or answers.number > 1 or plans.seldom_tied or tried >= TIED_MOST
        if not answers.unique or not several:
            continue
        other = _other_candidate(metric, dice, base_sentence, result)
        if other:
            question = compute(metric, result)
            score_exercise = Exercise(
                metric.key, level, seed, segment, other, plan.given, settings, result.score, answers, question
            )
            return score_exercise, base_sentence
    raise ValueError(_unknown(f"{metric.key}-{level}-{seed}", "no sentence was found for it"))


def _posed(metric: Metric, score_exercise: Exercise, base_sentence: ExerciseSentence) -> Exercise | None:
    """The exercise with two candidates to be compared, where some are found."""
    result = metric.score(score_exercise.segment, score_exercise.settings)
    weighed_pair = weighed(metric, Dice(f"{score_exercise.code}-which"), base_sentence, result)
    return replace(score_exercise, task="which", weighed=weighed_pair) if weighed_pair else None


def _draw_segment(dice: Dice, level: int, plan: ExercisePlan) -> tuple[ExerciseSentence, Segment]:
    """What the references say, and a candidate with them."""
    base_sentence = sentence(dice, level)
    stems = "stem" in plan.given.get("stages", ())
    candidate = base_sentence
    for _ in range(1 + dice.draw_below(2) + (level > 1)):
        candidate = changed(dice, candidate, stems)
    references = [base_sentence.words()]
    while len(references) < plan.references:
        variant = base_sentence
        for _ in range(2 + dice.draw_below(2)):
            variant = changed(dice, variant)
        references.append(variant.words())
    return base_sentence, Segment(candidate.words(), tuple(references))


def _asks(metric: Metric, result: Result) -> bool:
    """Whether the score is one to ask for: neither extreme, and no slip gives it."""
    candidate, references = result.segment
    if candidate in references or len({*references}) < len(references) or not 0 < result.score < metric.most:
        return False
    if not metric.higher_is_better and result.score >= 1:
        return False
    return all(abs(slip.number - result.score) >= APART for slip in candidates(metric, result))


def _other_candidate(metric: Metric, dice: Dice, base_sentence: ExerciseSentence, result: Result) -> Tokens:
    """A second candidate, whose score is another one and no extreme; none where a few tries find none."""
    for _ in range(20):
        words = changed(dice, changed(dice, base_sentence)).words()
        if words in (result.segment.candidate, *result.segment.references):
            continue
        score = metric.score(result.segment._replace(candidate=words), result.settings).score
        if 0 < score < metric.most and abs(score - result.score) >= 0.01:
            return words
    return ()


def searching(metric: Metric, original: Exercise) -> Exercise:
    """The same sentences by the program that searches for the best alignment, where the metric has another as well: for
    its steps, since the score may be another one. With several references, where a cap may cut the best alignment, it
    stays as it is."""
    more = parts.plans(metric).searching
    if not more or len(original.segment.references) > 1:
        return original
    given = {**original.given, **more}
    return replace(original, given=given, settings=type(original.settings)(**given))


# ---------------------------------------------------------------- codes


def _check(level: int, seed: int) -> None:
    if not _is_whole(level, LEVELS[0], LEVELS[-1]):
        raise ValueError(f"level must be 1, 2 or 3, got {brief(level)}")
    if not _is_whole(seed, 1, MOST_SEED):
        raise ValueError(f"seed must be a whole number from 1 to {MOST_SEED}, got {brief(seed)}")


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


class ExerciseCode(NamedTuple):
    """What the code of an exercise says."""

    key: str
    level: int
    seed: int
    task: str = "score"


def parsed(text: str, keys: Sequence[str]) -> ExerciseCode:
    """The code of an exercise, taken apart.

    ValueError in one sentence for a code that is broken or names an unknown exercise.

    >>> parsed("gtm-2-48213-make", ["gtm"])
    ExerciseCode(key='gtm', level=2, seed=48213, task='make')
    >>> parsed("gtm-2-x9", ["gtm"])
    Traceback (most recent call last):
    ValueError: Exercise “gtm-2-x9” is not known: its seed is no whole number from 1 to 99999; choose a new one.
    """
    key, level, seed, task, *more = (*text.strip().lower().split("-"), "", "", "", "")
    parts = text.count("-") + 1
    if parts not in (3, 4) or any(more):
        raise ValueError(_unknown(text, "a code is a metric, a level and a seed, such as gtm-2-48213"))
    if key not in keys:
        raise ValueError(_unknown(text, "it names no metric"))
    if level not in ("1", "2", "3"):
        raise ValueError(_unknown(text, "its level is not 1, 2 or 3"))
    if not (seed.isascii() and seed.isdigit() and len(seed) <= len(str(MOST_SEED)) and int(seed)):
        raise ValueError(_unknown(text, f"its seed is no whole number from 1 to {MOST_SEED}"))
    if parts == 4 and task not in TASKS:
        raise ValueError(_unknown(text, f"its task is none of {', '.join(TASKS)}"))
    return ExerciseCode(key, int(level), int(seed), task or "score")


def _unknown(text: str, why: str) -> str:
    return f"Exercise {quoted(text.strip())} is not known: {why}; choose a new one."


def references(metric: Metric, level: int, seed: int) -> int:
    """How many references an exercise has, by its plan alone.

    >>> from metrics import METRICS
    >>> references(METRICS["gtm"], 1, 7), references(METRICS["gtm"], 3, 1)
    (1, 2)
    """
    return Dice(f"{metric.key}-{level}-{seed}").one(parts.plans(metric).levels[level - 1]).references


def levels(metrics: Sequence[Metric], least: int) -> list[int]:
    """The levels at which each of these metrics has exercises with `least` references or more.

    >>> from metrics import METRICS
    >>> gtm, bleu = METRICS["gtm"], METRICS["bleu"]
    >>> levels([gtm, bleu], 1), levels([gtm, bleu], 2), levels([gtm], 3)
    ([1, 2, 3], [3], [])
    """
    levels_by_metric = [parts.plans(metric).levels for metric in metrics]
    return [
        n for n in LEVELS if all(any(plan.references >= least for plan in plans[n - 1]) for plans in levels_by_metric)
    ]


def seeds(metrics: Sequence[Metric], level: int, count: int, seed: int, least: int = 1) -> list[tuple[Metric, int]]:
    """The metrics and seeds of a sheet's exercises: the metrics in turn, no exercise twice, each with `least`
    references or more."""
    _check(level, seed)
    if not metrics:
        raise ValueError("a sheet needs at least one metric, got none")
    if not _is_whole(count, 1, SHEET_MOST):
        raise ValueError(f"a sheet has from 1 to {SHEET_MOST} exercises, got {brief(count)}")
    SettingRule("whole", "", "", least=1).check("references", least)
    if level not in levels(metrics, least):
        raise ValueError(f"level {level} has no exercises with {brief(least)} references")
    dice = Dice(f"sheet-{level}-{seed}")
    metrics_by_seed: dict[tuple[str, int], Metric] = {}
    while len(metrics_by_seed) < count:
        metric, number = metrics[len(metrics_by_seed) % len(metrics)], 1 + dice.draw_below(MOST_SEED)
        if references(metric, level, number) >= least:
            metrics_by_seed[metric.key, number] = metric
    return [(metric, number) for (_, number), metric in metrics_by_seed.items()]
