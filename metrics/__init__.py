"""Metrics of translation quality, each with the alignment that made its score.

>>> import metrics
>>> result = metrics.score("gtm", "the cat sat".split(), ["the cat slept".split()], exponent=2.0)
>>> round(result.score, 4)
0.6667
>>> result.layers[0].marks
(Run(i=0, k=0, j=0, length=2),)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from .types import CorpusResult, Metric, Result, Segment, SettingRule, Settings, __version__, brief, segment

__all__ = [
    "METRICS",
    "CorpusResult",
    "Metric",
    "Result",
    "__version__",
    "ask",
    "corpus_ledger",
    "corpus_score",
    "edits",
    "exercise",
    "exercise_of",
    "explain",
    "judge",
    "judge_number",
    "judge_sentence",
    "ledger",
    "pseudo_code",
    "score",
    "sentence_task",
    "sentence_tiles",
    "settings",
    "sheet",
    "trace",
    "verdict",
    "which_question",
    "whole_questions",
]

T = TypeVar("T")

if TYPE_CHECKING:
    from .analysis.changes import LedgerChange
    from .analysis.edit_shares import EditShare
    from .analysis.verdict import ResultVerdict
    from .corpus.ledger import CorpusLedger
    from .teach.exercises import Exercise
    from .teach.records import AnswerVerdict, Question
    from .teach.segment_questions import SentenceTask
    from .teach.steps import ProgramStep, Trace
    from .teach.tiles import Tiles

    #: The catalogue, in menu order.
    METRICS: dict[str, Metric]


def __getattr__(name: str) -> dict[str, Metric]:
    """METRICS, made when it is first asked for: importing the package alone imports no metric."""
    if name == "METRICS":
        return _catalogue()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _catalogue() -> dict[str, Metric]:
    from .catalogue import METRICS

    return METRICS


def _metric(key: str) -> Metric:
    metrics = _catalogue()
    try:
        return metrics[key]
    except (KeyError, TypeError):
        raise ValueError(f"metric must be one of {', '.join(metrics)}, got {brief(key)}") from None


def settings(key: str, **given: Any) -> Settings:
    """The checked settings of a metric: its defaults with `given` in their place.

    Raises ValueError for a setting that the metric does not have, or for a value out of range.

    >>> settings("gtm", exponent=1.0)
    GTMSettings(exponent=1.0, solver='greedy')
    """
    if not given:
        return _defaults(key)
    # Types are part of the key because True == 1 == 1.0, and a rule may take one and refuse another.
    arguments = (key, tuple(given.items()), tuple(map(type, given.values())))
    try:
        return _settings(*arguments)
    except TypeError:  # something that cannot be hashed, such as a list
        return _settings.__wrapped__(*arguments)


@cache
def _defaults(key: str) -> Settings:
    return _metric(key).Settings()


@lru_cache(maxsize=1024)
def _settings(key: str, given: tuple[tuple[str, Any], ...], types: tuple[type, ...]) -> Settings:
    metric = _metric(key)
    rules = metric.Settings.rules()
    for name, _ in given:
        if name not in rules:
            raise ValueError(f"{key} has the settings {', '.join(rules) or 'none'}; got {brief(name)}")
    return metric.Settings(**{name: tuple(v) if isinstance(v, list) else v for name, v in given})


def score(key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], **given: Any) -> Result:
    """Score a candidate against its references and return the score with all its evidence.

    `key` is a name in METRICS; `candidate` is a sequence of tokens and `references` a non-empty sequence of such
    sequences; the rest are the metric's settings. Empty sentences are allowed: they align nothing and score 0 (error
    rates: see each metric). Raises TypeError where anything but a sequence of strings stands for tokens, and ValueError
    for an unknown metric or setting, a value out of range, no references, and for what takes too long (`TooHard`).

    >>> score("gtm", ["a", "b"], [["a", "b"]]).score
    1.0
    """
    metric = _metric(key)
    return metric.score(segment(candidate, references), settings(key, **given))


def corpus_score(
    key: str, candidates: Sequence[Sequence[str]], reference_sets: Sequence[Sequence[Sequence[str]]], **given: Any
) -> CorpusResult:
    """Score a corpus: `candidates[s]` against all of `reference_sets[s]`, whose numbers may differ.

    The corpus value is the one that the metric's authors define: from the sums of the statistics, or the mean of the
    segments' scores (`Metric.pooling`). The result keeps each segment's statistics. Raises ValueError for an
    empty corpus or for unequal numbers of segments, and what `score` raises; what is wrong with the sentences of a
    segment is said with its number, from 1 on.

    >>> corpus_score("gtm", [["a"], ["b"]], [[["a"]], [["c"], ["d"]]]).score
    0.5
    """
    metric, chosen = _metric(key), settings(key, **given)
    segments = _segments(candidates, reference_sets, "candidates", "candidates")
    each = [*metric.corpus(segments, chosen)] if metric.corpus else [metric.statistics(s, chosen) for s in segments]
    return metric.pooled(each, chosen)


def corpus_ledger(
    key: str,
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    reference_sets: Sequence[Sequence[Sequence[str]]],
    **given: Any,
) -> CorpusLedger:
    """Why the corpus score of the system B is another than that of A, over the same references.

    The arguments are those of `corpus_score`, with the candidates of both systems, one for each reference set. All
    numbers are in the unit of the score. `delta` is B's score less A's. The shares of the `steps`, each with its
    `cause` and a 95 % interval, sum to it (Shapley 1953), the largest first; there are none where nothing changed. So
    do the numbers of `worth`, one a segment (Aumann and Shapley 1974): 0 where both candidates are the same. See
    `corpus.ledger`. What is raised is what `corpus_score` raises.

    >>> found = corpus_ledger("per", [["a"], ["b", "c"]], [["a"], ["b", "d"]], [[["a"]], [["b", "d"]]])
    >>> round(found.delta, 3), [(step.cause, round(step.share, 3)) for step in found.steps]
    (-0.333, [('matches', -0.333)])
    >>> [round(worth, 3) for worth in found.worth]
    [0.0, -0.333]
    """
    from .corpus import ledger

    metric, chosen = _metric(key), settings(key, **given)
    ours = _segments(a, reference_sets, "a", "candidates in a")
    # What is given may be read once only.
    theirs = _segments(b, [each.references for each in ours], "b", "candidates in b")
    return ledger.corpus_ledger(metric, chosen, ours, theirs)


def _segments(
    candidates: Sequence[Sequence[str]], reference_sets: Sequence[Sequence[Sequence[str]]], name: str, noun: str
) -> list[Segment]:
    """The checked segments of a corpus, at least one. A message names the argument, or calls the candidates `noun`."""
    ours, theirs = _checked_list(candidates, name), _checked_list(reference_sets, "reference_sets")
    if len(ours) != len(theirs):
        raise ValueError(f"every candidate needs its references: {len(ours)} {noun}, {len(theirs)} sets")
    if not ours:
        raise ValueError("a corpus must have at least one segment, got none")
    out = []
    for number, (candidate, references) in enumerate(zip(ours, theirs, strict=True), 1):
        try:
            out.append(segment(candidate, references))
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"segment {number}: {error}") from None
    return out


def _checked_list(values: Any, name: str, of: str = "segment") -> list[Any]:
    """What is given for each segment, or whatever it is given for, in a list."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list with an entry for each {of}, got {type(values).__name__}")
    return list(values)


def ledger(a: Result, b: Result) -> tuple[LedgerChange, ...]:
    """The steps from A's score to B's, by cause: see `analysis.changes.ledger`.

    Both are results of one metric with the same settings and references; ValueError if not, TypeError for what is no
    result.

    >>> a, b = (score("gtm", words, [["a", "b", "c"]]) for words in (["c", "b", "a"], ["a", "b", "c"]))
    >>> [(change.cause, change.name, change.before, change.after) for change in ledger(a, b)]
    [('matches', 'blocks: words', 3.0, 3.0), ('contiguity', 'blocks: contiguity', 0.0, 6.0)]
    """
    from .analysis import changes

    return changes.ledger(_metric_of(a, b), a, b)


def _metric_of(*results: Result) -> Metric:
    """The metric of a result, or of two; whether it is that of both is looked at elsewhere."""
    for given in results:
        if not isinstance(given, Result):
            needed = "two results of `score` are" if len(results) > 1 else "a result of `score` is"
            raise TypeError(f"{needed} needed, got {type(given).__name__}")
    return _metric(results[0].metric)


def explain(a: Result, b: Result) -> str:
    """Why B's score is another than A's, in one sentence made from the ledger: see `analysis.sentence`.

    Both are results of one metric with the same settings and references; ValueError if not, TypeError for what is no
    result.

    >>> a, b = (score("wer", words, [["a", "b", "c"]]) for words in (["a", "x", "c"], ["a", "b", "c"]))
    >>> explain(a, b)
    'All of −0.333, which is better, is one edit fewer: “x”.'
    """
    from .analysis import sentence

    return sentence.plain(sentence.sentence(_metric_of(a, b), a, b))


def edits(
    key: str, candidate: Sequence[str], other: Sequence[str], references: Sequence[Sequence[str]], **given: Any
) -> tuple[EditShare, ...]:
    """The edits from a candidate to another text, each with its share of the difference of their scores.

    A share is a Shapley value: what the edit adds to the score, the mean over all orders of making the edits, of more
    than eleven edits over some of them. The shares sum to the difference of the scores, always. See
    `analysis.edit_shares`; the other arguments and what is raised are those of `score`.

    >>> a, b, c = "the old cat sat".split(), "the cat slept".split(), "the cat slept".split()
    >>> [(" ".join(a[e.start : e.end]), " ".join(e.words), round(e.share, 3)) for e in edits("gtm", a, b, [c])]
    [('old', '', 0.312), ('sat', 'slept', 0.284)]
    """
    from .analysis.edit_shares import edit_shares

    metric, one = _metric(key), segment(candidate, references)
    return edit_shares(metric, one, segment(other, references).candidate, settings(key, **given))


def verdict(result: Result, edits: Sequence[EditShare] = ()) -> ResultVerdict:
    """Why a score is what it is, in a sentence and in numbers: what its metric counts, and which edit costs most.

    `text` is the sentence. Of its numbers, None where the metric has none, `words` is how many the candidate has and
    `matched` how many of them match; `pieces` is in how many runs these are and `longest` how many words the longest
    has; `errors` is what an error rate counts. `edits` are those from the candidate to a reference, and `cost` is the
    one that costs most, with its `share`: what making it would give. It is None where no edit costs anything. See
    `analysis.verdict`. TypeError for what is no result or no edits, ValueError for edits of another candidate.

    >>> a, b = "the old cat sat".split(), "the cat slept".split()
    >>> found = verdict(score("gtm", a, [b]), edits("gtm", a, b, [b]))
    >>> found.text, found.matched, found.pieces, round(found.cost.share, 3)
    ('GTM 0.404: 2 of 4 words match, in 2 pieces of one word. Costs most: the extra word “old”, 0.312.', 2, 2, 0.312)
    """
    from .analysis import verdict as found

    return found.verdict(_metric_of(result), result, edits)


def trace(key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], **given: Any) -> Trace:
    """The steps of the paper's own program on a candidate and its references, made as they are asked for.

    The arguments are those of `score`, whose result the last step has. `Trace.lines` is the program's pseudo-code.

    >>> steps = [*trace("rouge_l", ["a", "b"], [["a", "b"]])]
    >>> steps[1].text, steps[-1].result.score
    ('c(1, 1): “a” = “a”, so c(0, 0) + 1 = 1.', 1.0)
    """
    from .teach import parts
    from .teach.steps import Trace

    metric = _metric(key)
    program = parts.program(metric)
    words, chosen = segment(candidate, references), settings(key, **given)
    return Trace(key, program, words, chosen, lambda: metric.score(words, chosen))


def ask(
    key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], *, every: int = 10, **given: Any
) -> Iterator[tuple[ProgramStep, Question | None]]:
    """The steps of `trace`, each with the question to ask before it is shown, None where nothing is worth asking.

    The arguments are those of `score`. Every decision is asked. Of what comes again and again, such as cells of a
    table, the first of each kind is asked and then one of `every`, a whole number of at least 1, else ValueError.
    `judge` judges an answer.

    >>> asked = [question for _, question in ask("rouge_l", ["a", "b"], [["a", "b"]]) if question]
    >>> asked[0].text, asked[0].shows
    ('What is c(1, 1), for “a” and “a”?', '1')
    """
    from .teach import parts
    from .teach.ask import steps_with_questions

    SettingRule("whole", "", "", least=1).check("every", every)
    followed = trace(key, candidate, references, **given)
    return steps_with_questions(parts.asks(_metric(key)), followed, every)


def judge(question: Question, answer: str) -> AnswerVerdict:
    """Whether an answer to a question is right, as good, or not yet right, and why: see `questions.judge`.

    An answer that cannot be read is not yet right; TypeError for what is no question or no string.

    >>> question = next(question for _, question in ask("gtm", ["a", "b"], [["b", "a"]]) if question)
    >>> question.text, judge(question, "1,0,0").how, judge(question, "0,0,1").how, judge(question, "0,0,0").how
    ('Click the run that GTM takes first.', 'right', 'also', 'no')
    """
    from .teach import judge as judging

    return judging.judge(_question(question), _text(answer, "answer"))


def _text(value: str, name: str) -> str:
    return _checked(value, str, f"{name} must be a string")


def _question(value: Question) -> Question:
    from .teach.records import Question

    return _checked(value, Question, "question must be one of those that `ask` and `exercise` make")


def _exercise(value: Exercise) -> Exercise:
    from .teach.exercises import Exercise

    return _checked(value, Exercise, "an exercise must be one that `exercise` makes")


def _task(value: SentenceTask) -> SentenceTask:
    from .teach.segment_questions import SentenceTask

    return _checked(value, SentenceTask, "task must be one that `sentence_task` makes")


def _checked(value: T, kind: type[T], must: str) -> T:
    """The value, if it is of the kind that it must be."""
    if not isinstance(value, kind):
        raise TypeError(f"{must}, got {type(value).__name__}")
    return value


def pseudo_code(key: str, **given: Any) -> tuple[str, ...]:
    """The lines of the paper's program for these settings, which the steps of `trace` name by their number.

    >>> pseudo_code("rouge_l")[3]
    'LCS ← c(n, m)'
    """
    from .teach import parts

    return parts.program(_metric(key)).code(settings(key, **given)).lines


def exercise(key: str, seed: int, level: int = 1) -> Exercise:
    """An exercise: a candidate, references and settings of which to compute the score, and the question for it.

    Level 1 has a short sentence, 2 repeated words and ties, 3 two references or a setting that is not the default. The
    same key, seed and level give the same exercise for ever; `Exercise.code` names it in a link. Its score depends on
    no choice, no known slip gives it, and `Exercise.optimal` says how many answers are optimal. ValueError for an
    unknown key or level, and for a seed that is not from 1 to 99999.

    >>> found = exercise("rouge_l", 7)
    >>> " ".join(found.segment.candidate), " ".join(found.segment.references[0]), found.code
    ('a horse was fed by the kind farmer yesterday', 'the kind girl fed a horse yesterday', 'rouge_l-1-7')
    """
    from .teach import exercises

    return exercises.exercise(_metric(key), seed, level)


def exercise_of(code: str) -> Exercise:
    """The exercise of a link's code, such as "gtm-2-48213" or "gtm-2-48213-make", whose task is to make a sentence.

    ValueError in one sentence where it is not known, TypeError for what is no string.

    >>> exercise_of("gtm-4-1")
    Traceback (most recent call last):
    ValueError: Exercise “gtm-4-1” is not known: its level is not 1, 2 or 3; choose a new one.
    """
    from .teach import exercises

    key, level, seed, task = exercises.parsed(_text(code, "code"), [*_catalogue()])
    return exercises.exercise(_metric(key), seed, level, task)


def sheet(keys: Sequence[str], level: int = 1, count: int = 6, seed: int = 1, references: int = 1) -> list[Exercise]:
    """A sheet of `count` exercises, of the metrics in turn, each with so many `references` or more; the same arguments
    give the same sheet.

    ValueError without a metric, for fewer than 1 or more than 50 exercises, for a level without exercises that have so
    many references, and as `exercise` has it; TypeError for keys that are no list.

    >>> [found.key for found in sheet(["gtm", "wer"], level=2, count=3)]
    ['gtm', 'wer', 'gtm']
    """
    from .teach import exercises

    of = [_metric(key) for key in _checked_list(keys, "keys", "metric")]
    metric_seeds = exercises.seeds(of, level, count, seed, references)
    return [exercises.exercise(metric, number, level) for metric, number in metric_seeds]


def judge_number(question: Question, text: str) -> AnswerVerdict:
    """How a typed number answers a question for a number: right, a slip that is named, or not yet.

    It may have a comma or a point, be rounded or cut to two decimals or more, or be written as a fraction, a root or in
    per cent. ValueError in one sentence for what is no number, TypeError for what is no question for a number or no
    string.

    >>> question = exercise("rouge_l", 7).question
    >>> judge_number(question, question.shows).how
    'right'
    """
    from .teach import typed

    if not _question(question).values:
        raise TypeError(f"question must ask for a number, got one whose answer is of the kind {question.kind!r}")
    return typed.judge_number(question, _text(text, "text"))


def whole_questions(given: Exercise) -> list[Question]:
    """All questions of an exercise: for the score, for its parts, and which of two candidates is better and why.

    >>> [question.kind for question in whole_questions(exercise("rouge_l", 7))]
    ['number', 'number', 'number', 'number', 'choice']
    """
    from .teach import segment_questions

    return segment_questions.questions(_metric(_exercise(given).key), given)


def which_question(given: Exercise) -> Question:
    """Which of two candidates is better, and what decides it: one of four answers, two reasons for either candidate.

    >>> which_question(exercise("rouge_l", 7)).choices[2]
    'B: because it has fewer words'
    """
    from .teach import segment_questions

    return segment_questions.which_question(_metric(_exercise(given).key), given)


def sentence_task(given: Exercise) -> SentenceTask:
    """A sentence to be made that scores exactly what the exercise's other candidate, `Task.shows`, does.

    >>> sentence_task(exercise("rouge_l", 7)).text
    'Make a sentence that scores exactly 0.8 under ROUGE-L.'
    """
    from .teach import segment_questions

    return segment_questions.sentence_task(_metric(_exercise(given).key), given)


def sentence_tiles(task: SentenceTask) -> Tiles:
    """Tiles of which a sentence can be laid that scores what the task wants, and the score of every sentence of them.

    >>> found = sentence_tiles(sentence_task(exercise("rouge_l", 7)))
    >>> [" ".join(words) for words in found.tiles]
    ['a horse yesterday', 'fed', 'followed', 'kind girl', 'often', 'the']
    """
    from .teach import tiles

    return tiles.tiles(_metric(_task(task).key), task)


def judge_sentence(task: SentenceTask, text: str) -> AnswerVerdict:
    """Whether a typed sentence has the score that is wanted, else its score and what the difference comes from.

    ValueError in one sentence for one that is empty or too long, TypeError for what is no task or no string.

    >>> judge_sentence(sentence_task(exercise("rouge_l", 7)), "the kind girl fed").because
    'This scores 0.727, which is 0.073 too low: beside one that is right, fewer of its matching words count.'
    """
    from .teach import segment_questions

    return segment_questions.judge_sentence(_metric(_task(task).key), task, _text(text, "text"))
