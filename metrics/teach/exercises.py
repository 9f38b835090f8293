"""Makes exercises from a seed: sentences and settings whose right answers are all known.

The same key, seed and level always give the same exercise, so a link can name it by its code, such as "gtm-2-48213"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..types import Metric, Result, Segment, SettingRule, Settings, Tokens, brief_repr, quote_text
from . import parts
from .optimal import OptimalAnswers, count_optimal
from .plans import ExercisePlan
from .records import Question
from .sentences import Dice, ExerciseSentence, change_sentence, draw_sentence
from .slips import APART, possible_slips, score_question
from .which_better import WeighedPair, find_weighed_pair

LEVELS = (1, 2, 3)

#: A description of each level.
LEVEL_NAMES = {
    1: "a short sentence and one reference",
    2: "more words, repeated words and ties",
    3: "two references, or a setting that is not the default",
}

#: The tasks of an exercise: the suffix of its code, and the label in a menu. The default is the score.
TASKS = {
    "score": "Compute the score",
    "which": "Which is better, and why",
    "make": "Make a sentence",
}

#: Seeds are whole numbers from 1 to this.
MOST_SEED = 99_999

#: Maximum number of exercises on a sheet.
SHEET_MOST = 50

#: Maximum number of sentences that are tried for an exercise, and how many of them must have several optimal answers.
#: Twice as many must show what is peculiar to the metric.
TRIED_MOST, TIED_MOST = 600, 60

#: Maximum number of other sentences that are tried if two candidates are to be compared.
AGAIN_MOST = 6


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise for students, to compute the score of a candidate or to compare candidates.

    The score does not depend on which optimal answer is found, and no known slip gives it.

    Attributes:
        key: key of the metric.
        level: difficulty, 1 to 3.
        seed: seed of the exercise.
        segment: candidate and references.
        other: a second candidate, with another score.
        given: settings that are not the defaults, by name.
        settings: all settings of the metric.
        score: score of the candidate.
        optimal: number of answers that are equally good.
        question: the question for the score.
        task: what a page asks, a key of TASKS.
        weighed: the two candidates to compare and the reasons to choose from, if that is the task."""

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
    weighed: WeighedPair | None = None

    @property
    def code(self) -> str:
        """Return the code by which links name the exercise: key, level, seed, and the task if it is not the score."""
        code = f"{self.key}-{self.level}-{self.seed}"
        return code if self.task == "score" else f"{code}-{self.task}"


def exercise(metric: Metric, seed: int, level: int, task: str = "score") -> Exercise:
    """Return the exercise of a metric for a level, a seed and a task (a key of TASKS).

    Sentences are tried until one has a score between the extremes that no known slip gives, and whose optimal answers
    are all known. Levels 2 and 3 prefer sentences with several optimal answers. If two candidates are to be compared,
    and always the same reason would decide, another plan of the level or other sentences are used. Raises ValueError
    for an unknown level or seed."""
    plans = parts.load_plans(metric)
    _check_level_and_seed(level, seed)
    code = f"{metric.key}-{level}-{seed}"
    dice = Dice(code)
    plan = dice.choose(plans.levels[level - 1])
    base_exercise, base_sentence = _exercise_of_plan(metric, dice, level, seed, plan)
    if task != "which":
        return replace(base_exercise, task=task)
    posed = _comparison_exercise(metric, base_exercise, base_sentence)
    others = [other for other in plans.levels[level - 1] if other != plan and other.references >= plan.references]
    for number, other in enumerate([*others, *[plan] * AGAIN_MOST]):
        if not (posed and posed.weighed and posed.weighed.even):
            retry = _comparison_exercise(
                metric, *_exercise_of_plan(metric, Dice(f"{code}-{number}"), level, seed, other)
            )
            posed = retry if retry and retry.weighed and retry.weighed.even else posed or retry
    if not posed:
        raise ValueError(_unknown_message(f"{code}-which", "no two candidates were found for it"))
    return posed


def _exercise_of_plan(
    metric: Metric, dice: Dice, level: int, seed: int, plan: ExercisePlan
) -> tuple[Exercise, ExerciseSentence]:
    """Return an exercise for the score, drawn with `dice` for the settings and references of `plan`.

    Also return the sentence that its texts vary."""
    plans, settings = parts.load_plans(metric), metric.Settings(**plan.given)
    for tried in range(TRIED_MOST):
        base_sentence, segment = _draw_segment(dice, level, plan)
        result = metric.score(segment, settings)
        if not _is_suitable(metric, result) or not (plans.shows(result) or tried >= 2 * TIED_MOST):
            continue
        answers = count_optimal(metric, result)
        several = level == 1 or answers.number > 1 or plans.seldom_tied or tried >= TIED_MOST
        if not answers.unique or not several:
            continue
        other = _other_candidate(metric, dice, base_sentence, result)
        if other:
            question = score_question(metric, result)
            score_exercise = Exercise(
                metric.key, level, seed, segment, other, plan.given, settings, result.score, answers, question
            )
            return score_exercise, base_sentence
    raise ValueError(_unknown_message(f"{metric.key}-{level}-{seed}", "no sentence was found for it"))


def _comparison_exercise(metric: Metric, score_exercise: Exercise, base_sentence: ExerciseSentence) -> Exercise | None:
    """Return the exercise changed so that two candidates are to be compared; None if no good pair is found."""
    result = metric.score(score_exercise.segment, score_exercise.settings)
    weighed_pair = find_weighed_pair(metric, Dice(f"{score_exercise.code}-which"), base_sentence, result)
    return replace(score_exercise, task="which", weighed=weighed_pair) if weighed_pair else None


def _draw_segment(dice: Dice, level: int, plan: ExercisePlan) -> tuple[ExerciseSentence, Segment]:
    """Return a drawn sentence, and a segment whose candidate and references are variations of it."""
    base_sentence = draw_sentence(dice, level)
    stems = "stem" in plan.given.get("stages", ())
    candidate = base_sentence
    for _ in range(1 + dice.draw_below(2) + (level > 1)):
        candidate = change_sentence(dice, candidate, stems)
    references = [base_sentence.words()]
    while len(references) < plan.references:
        variant = base_sentence
        for _ in range(2 + dice.draw_below(2)):
            variant = change_sentence(dice, variant)
        references.append(variant.words())
    return base_sentence, Segment(candidate.words(), tuple(references))


def _is_suitable(metric: Metric, result: Result) -> bool:
    """Return whether a score suits an exercise: it is not an extreme, and no common mistake gives the same number."""
    candidate, references = result.segment
    if candidate in references or len({*references}) < len(references) or not 0 < result.score < metric.most:
        return False
    if not metric.higher_is_better and result.score >= 1:
        return False
    return all(abs(slip.number - result.score) >= APART for slip in possible_slips(metric, result))


def _other_candidate(metric: Metric, dice: Dice, base_sentence: ExerciseSentence, result: Result) -> Tokens:
    """Return a second candidate whose score differs and is no extreme; no words if a few tries find none."""
    for _ in range(20):
        words = change_sentence(dice, change_sentence(dice, base_sentence)).words()
        if words in (result.segment.candidate, *result.segment.references):
            continue
        score = metric.score(result.segment._replace(candidate=words), result.settings).score
        if 0 < score < metric.most and abs(score - result.score) >= 0.01:
            return words
    return ()


def with_search_settings(metric: Metric, original: Exercise) -> Exercise:
    """Return the exercise with settings that make the metric search for the best alignment, if it has such settings.

    It is used to show the steps; its score may differ. With several references the exercise stays unchanged, since a
    cap may cut the best alignment."""
    more = parts.load_plans(metric).searching
    if not more or len(original.segment.references) > 1:
        return original
    given = {**original.given, **more}
    return replace(original, given=given, settings=type(original.settings)(**given))


# ---------------------------------------------------------------- codes


def _check_level_and_seed(level: int, seed: int) -> None:
    """Raise ValueError if the level or the seed is out of range."""
    if not _is_whole(level, LEVELS[0], LEVELS[-1]):
        raise ValueError(f"level must be 1, 2 or 3, got {brief_repr(level)}")
    if not _is_whole(seed, 1, MOST_SEED):
        raise ValueError(f"seed must be a whole number from 1 to {MOST_SEED}, got {brief_repr(seed)}")


def _is_whole(value: object, least: int, most: int) -> bool:
    """Return whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


class ExerciseCode(NamedTuple):
    """The metric's key, level, seed and task that the code of an exercise names."""

    key: str
    level: int
    seed: int
    task: str = "score"


def parse_code(text: str, keys: Sequence[str]) -> ExerciseCode:
    """Return the metric's key, level, seed and task that the code of an exercise names, such as "gtm-2-48213-make".

    `keys` are the metrics that exist. Raises ValueError, with one sentence, for a malformed code or an unknown
    exercise.

    >>> parse_code("gtm-2-48213-make", ["gtm"])
    ExerciseCode(key='gtm', level=2, seed=48213, task='make')
    >>> parse_code("gtm-2-x9", ["gtm"])
    Traceback (most recent call last):
    ValueError: Exercise “gtm-2-x9” is not known: its seed is not a whole number from 1 to 99999; choose a new one.
    """
    key, level, seed, task, *more = (*text.strip().lower().split("-"), "", "", "", "")
    parts = text.count("-") + 1
    if parts not in (3, 4) or any(more):
        raise ValueError(_unknown_message(text, "a code is a metric, a level and a seed, such as gtm-2-48213"))
    if key not in keys:
        raise ValueError(_unknown_message(text, "it names no metric"))
    if level not in ("1", "2", "3"):
        raise ValueError(_unknown_message(text, "its level is not 1, 2 or 3"))
    if not (seed.isascii() and seed.isdigit() and len(seed) <= len(str(MOST_SEED)) and int(seed)):
        raise ValueError(_unknown_message(text, f"its seed is not a whole number from 1 to {MOST_SEED}"))
    if parts == 4 and task not in TASKS:
        raise ValueError(_unknown_message(text, f"its task is not one of {', '.join(TASKS)}"))
    return ExerciseCode(key, int(level), int(seed), task or "score")


def _unknown_message(text: str, why: str) -> str:
    """Return the error message for the code `text` of an unknown exercise; `why` is the reason."""
    return f"Exercise {quote_text(text.strip())} is not known: {why}; choose a new one."


def count_references(metric: Metric, level: int, seed: int) -> int:
    """Return the number of references that an exercise has, without making the exercise.

    >>> from metrics import METRICS
    >>> count_references(METRICS["gtm"], 1, 7), count_references(METRICS["gtm"], 3, 1)
    (1, 2)
    """
    return Dice(f"{metric.key}-{level}-{seed}").choose(parts.load_plans(metric).levels[level - 1]).references


def levels_with_references(metrics: Sequence[Metric], least: int) -> list[int]:
    """Return the levels at which every metric has exercises with at least `least` references.

    >>> from metrics import METRICS
    >>> gtm, bleu = METRICS["gtm"], METRICS["bleu"]
    >>> levels_with_references([gtm, bleu], 1), levels_with_references([gtm, bleu], 2), levels_with_references([gtm], 3)
    ([1, 2, 3], [3], [])
    """
    levels_by_metric = [parts.load_plans(metric).levels for metric in metrics]
    return [
        n for n in LEVELS if all(any(plan.references >= least for plan in plans[n - 1]) for plans in levels_by_metric)
    ]


def draw_sheet(
    metrics: Sequence[Metric], level: int, count: int, seed: int, least: int = 1
) -> list[tuple[Metric, int]]:
    """Return the `count` exercises of a work sheet, each as metric and seed, drawn from the seed of the sheet.

    The metrics alternate, no exercise occurs twice, and each has at least `least` references. Raises ValueError if an
    argument is out of range."""
    _check_level_and_seed(level, seed)
    if not metrics:
        raise ValueError("a sheet needs at least one metric, got none")
    if not _is_whole(count, 1, SHEET_MOST):
        raise ValueError(f"a sheet has from 1 to {SHEET_MOST} exercises, got {brief_repr(count)}")
    SettingRule("whole", "", "", least=1).check("references", least)
    if level not in levels_with_references(metrics, least):
        raise ValueError(f"level {level} has no exercises with {brief_repr(least)} references")
    dice = Dice(f"sheet-{level}-{seed}")
    metrics_by_seed: dict[tuple[str, int], Metric] = {}
    while len(metrics_by_seed) < count:
        metric, number = metrics[len(metrics_by_seed) % len(metrics)], 1 + dice.draw_below(MOST_SEED)
        if count_references(metric, level, number) >= least:
            metrics_by_seed[metric.key, number] = metric
    return [(metric, number) for (_, number), metric in metrics_by_seed.items()]
