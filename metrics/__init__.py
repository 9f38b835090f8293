"""Metrics of translation quality, each with the alignment that produced its score.

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

from .types import CorpusResult, Metric, Result, Segment, SettingRule, Settings, __version__, brief_repr, segment

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
    """Return the attribute METRICS, built on first access, so that importing the package alone imports no metric.

    Raises AttributeError for any other name.
    """
    if name == "METRICS":
        return _catalogue()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _catalogue() -> dict[str, Metric]:
    """Return the record of each metric by its key, importing the catalogue now."""
    from .catalogue import METRICS

    return METRICS


def _metric(key: str) -> Metric:
    """Return the record of the metric with this key. Raises ValueError if there is no such metric."""
    metrics = _catalogue()
    try:
        return metrics[key]
    except (KeyError, TypeError):
        raise ValueError(f"metric must be one of {', '.join(metrics)}, got {brief_repr(key)}") from None


def settings(key: str, **given: Any) -> Settings:
    """Return the checked settings of a metric: its defaults, overridden by the keyword arguments `given`.

    Raises ValueError for a setting that the metric does not have, or for a value out of range.

    >>> settings("gtm", exponent=1.0)
    GTMSettings(exponent=1.0, solver='greedy')
    """
    if not given:
        return _default_settings(key)
    # The types are part of the cache key because True == 1 == 1.0, and a rule may accept one and refuse another.
    arguments = (key, tuple(given.items()), tuple(map(type, given.values())))
    try:
        return _checked_settings(*arguments)
    except TypeError:  # a value cannot be hashed, such as a list
        return _checked_settings.__wrapped__(*arguments)


@cache
def _default_settings(key: str) -> Settings:
    """Return the default settings of a metric; cached."""
    return _metric(key).Settings()


@lru_cache(maxsize=1024)
def _checked_settings(key: str, given: tuple[tuple[str, Any], ...], types: tuple[type, ...]) -> Settings:
    """Return the checked settings of a metric, cached.

    `given` has the name and value of each setting that differs from the default. `types` are the types of these values:
    they are only part of the cache key, which keeps equal values of different types, such as 1 and True, apart.
    """
    metric = _metric(key)
    rules = metric.Settings.rules()
    for name, _ in given:
        if name not in rules:
            raise ValueError(f"{key} has the settings {', '.join(rules) or 'none'}; got {brief_repr(name)}")
    return metric.Settings(**{name: tuple(v) if isinstance(v, list) else v for name, v in given})


def score(key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], **given: Any) -> Result:
    """Score a candidate against its references and return the score with all its evidence.

    `key` is a key of METRICS, `candidate` is a sequence of tokens, and `references` is a non-empty sequence of such
    sequences. The other arguments are the metric's settings. Empty sentences are allowed: they align nothing and score
    0 (for error rates, see each metric).

    Raises TypeError where tokens are expected and something else than a sequence of strings is given. Raises ValueError
    for an unknown metric or setting, for a value out of range, for an empty list of references, and for input that
    would take too long (`TooHard`).

    >>> score("gtm", ["a", "b"], [["a", "b"]]).score
    1.0
    """
    metric = _metric(key)
    return metric.score(segment(candidate, references), settings(key, **given))


def corpus_score(
    key: str, candidates: Sequence[Sequence[str]], reference_sets: Sequence[Sequence[Sequence[str]]], **given: Any
) -> CorpusResult:
    """Score a corpus: `candidates[s]` against all of `reference_sets[s]`.

    Segments may have different numbers of references.

    The corpus score is the one that the metric's authors define: computed from the summed statistics, or the mean of
    the segments' scores (`Metric.pooling`). The result keeps each segment's statistics.

    Raises ValueError for an empty corpus and for unequal numbers of segments, and raises what `score` raises. An error
    in a segment's sentences names the number of the segment, counted from 1.

    >>> corpus_score("gtm", [["a"], ["b"]], [[["a"]], [["c"], ["d"]]]).score
    0.5
    """
    metric, chosen = _metric(key), settings(key, **given)
    return metric.score_corpus(_segments(candidates, reference_sets, "candidates", "candidates"), chosen)


def corpus_ledger(
    key: str,
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    reference_sets: Sequence[Sequence[Sequence[str]]],
    **given: Any,
) -> CorpusLedger:
    """Explain why the corpus score of system B differs from that of system A, over the same references.

    `a` and `b` are the candidates of the two systems, one for each reference set; the other arguments are those of
    `corpus_score`. All numbers are in the unit of the score. `delta` is B's score minus A's.

    The `steps` come largest share first. Each has its `cause`, its share of `delta`, and a 95 % interval of the share.
    The shares sum to `delta` (Shapley 1953). There are no steps where nothing changed. `worth` has the contribution of
    each segment to `delta`, and sums to `delta` as well (Aumann and Shapley 1974); a segment with equal candidates has
    0.

    Raises what `corpus_score` raises.

    >>> found = corpus_ledger("per", [["a"], ["b", "c"]], [["a"], ["b", "d"]], [[["a"]], [["b", "d"]]])
    >>> round(found.delta, 3), [(step.cause, round(step.share, 3)) for step in found.steps]
    (-0.333, [('matches', -0.333)])
    >>> [round(worth, 3) for worth in found.worth]
    [0.0, -0.333]
    """
    from .corpus import ledger

    metric, chosen = _metric(key), settings(key, **given)
    ours = _segments(a, reference_sets, "a", "candidates in a")
    # `reference_sets` may be an iterator, so the references are taken from `ours` instead of being read again.
    theirs = _segments(b, [each.references for each in ours], "b", "candidates in b")
    return ledger.corpus_ledger(metric, chosen, ours, theirs)


def _segments(
    candidates: Sequence[Sequence[str]], reference_sets: Sequence[Sequence[Sequence[str]]], name: str, noun: str
) -> list[Segment]:
    """Return the checked segments of a corpus, at least one.

    `name` is the name of the argument `candidates` in error messages, and `noun` says there what the candidates are.
    Raises TypeError for an argument of the wrong type, and ValueError if the corpus is empty or the numbers of
    candidates and reference sets differ.
    """
    ours, theirs = _checked_list(candidates, name), _checked_list(reference_sets, "reference_sets")
    if len(ours) != len(theirs):
        candidates = noun if len(ours) != 1 else noun.replace("candidates", "candidate", 1)
        sets = f"{len(theirs)} {'set' if len(theirs) == 1 else 'sets'}"
        raise ValueError(f"every candidate needs its references: got {len(ours)} {candidates} and {sets}")
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


def _checked_list(values: Any, name: str, entry_noun: str = "segment") -> list[Any]:
    """Return `values` as a list. Raises TypeError if it is a string or not an iterable.

    The error message uses `name`, the name of the argument, and `entry_noun`, the noun for what an entry belongs to.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list with an entry for each {entry_noun}, got {type(values).__name__}")
    return list(values)


def ledger(a: Result, b: Result) -> tuple[LedgerChange, ...]:
    """Return the steps that lead from A's score to B's, each with its cause.

    A step also has the changed amount before and after it, and its share of the difference of the scores. The shares
    are Shapley values and sum to the difference.

    Both must be results of one metric with the same settings and references, else ValueError is raised. Raises
    TypeError for an argument that is not a result.

    >>> a, b = (score("gtm", words, [["a", "b", "c"]]) for words in (["c", "b", "a"], ["a", "b", "c"]))
    >>> [(change.cause, change.name, change.before, change.after) for change in ledger(a, b)]
    [('matches', 'blocks: words', 3.0, 3.0), ('contiguity', 'blocks: contiguity', 0.0, 6.0)]
    """
    from .analysis import changes

    return changes.ledger(_metric_of(a, b), a, b)


def _metric_of(*results: Result) -> Metric:
    """Return the metric of the first result. Raises TypeError if any argument is not a Result.

    Whether both results have the same metric is checked by the functions that compare them.
    """
    for given in results:
        if not isinstance(given, Result):
            needed = "two results of `score` are" if len(results) > 1 else "a result of `score` is"
            raise TypeError(f"{needed} needed, got {type(given).__name__}")
    return _metric(results[0].metric)


def explain(a: Result, b: Result) -> str:
    """Explain in one sentence why B's score differs from A's.

    The sentence is made from `ledger`: it names the causes with the largest shares, and the words that changed.

    Both must be results of one metric with the same settings and references, else ValueError is raised. Raises
    TypeError for an argument that is not a result.

    >>> a, b = (score("wer", words, [["a", "b", "c"]]) for words in (["a", "x", "c"], ["a", "b", "c"]))
    >>> explain(a, b)
    'All of −0.333, which is better, comes from one edit fewer: “x”.'
    """
    from .analysis import sentence

    return sentence.plain_text(sentence.difference_sentence(_metric_of(a, b), a, b))


def edits(
    key: str, candidate: Sequence[str], other: Sequence[str], references: Sequence[Sequence[str]], **given: Any
) -> tuple[EditShare, ...]:
    """Return the edits from a candidate to another text, each with its share of the difference of their scores.

    A share is a Shapley value: what the edit adds to the score, averaged over all orders of making the edits. With more
    than eleven edits, it is averaged over a sample of the orders. The shares always sum to the difference of the
    scores.

    `other` is the text to which the edits lead. The other arguments, and the errors raised, are the same as for
    `score`.

    >>> a, b, c = "the old cat sat".split(), "the cat slept".split(), "the cat slept".split()
    >>> [(" ".join(a[e.start : e.end]), " ".join(e.words), round(e.share, 3)) for e in edits("gtm", a, b, [c])]
    [('old', '', 0.312), ('sat', 'slept', 0.284)]
    """
    from .analysis.edit_shares import edit_shares

    metric, one = _metric(key), segment(candidate, references)
    return edit_shares(metric, one, segment(other, references).candidate, settings(key, **given))


def verdict(result: Result, edits: Sequence[EditShare] = ()) -> ResultVerdict:
    """Explain in a sentence and in numbers why a score is what it is.

    The sentence says what the metric counts and which edit costs most. `edits` are the edits from the candidate to a
    reference, as the function `edits` returns them. The returned numbers are None where the metric does not have them:
        text: the sentence.
        words: the number of words of the candidate.
        matched: the number of candidate words that match.
        pieces: the number of runs that the matched words form.
        longest: the number of words of the longest run.
        errors: the errors that an error rate counts.
        cost: the edit that costs most, with its `share`: what making it would add. None if no edit costs anything.

    Raises TypeError if `result` is not a Result or an entry of `edits` is not an EditShare, and ValueError for edits of
    another candidate.

    >>> a, b = "the old cat sat".split(), "the cat slept".split()
    >>> found = verdict(score("gtm", a, [b]), edits("gtm", a, b, [b]))
    >>> found.text, found.matched, found.pieces, round(found.cost.share, 3)
    ('GTM 0.404: 2 of 4 words match, in 2 pieces of one word. Biggest cost: the extra word “old”, 0.312.', 2, 2, 0.312)
    """
    from .analysis import verdict as found

    return found.verdict(_metric_of(result), result, edits)


def trace(key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], **given: Any) -> Trace:
    """Return the steps of the paper's own program on a candidate and its references. Each step is computed on demand.

    The arguments are those of `score`. The last step has the result that `score` returns. `Trace.lines` is the
    program's pseudo-code.

    >>> steps = [*trace("rouge_l", ["a", "b"], [["a", "b"]])]
    >>> steps[1].text, steps[-1].result.score
    ('c(1, 1): “a” = “a”, so c(0, 0) + 1 = 1.', 1.0)
    """
    from .teach import parts
    from .teach.steps import Trace

    metric = _metric(key)
    program = parts.load_program(metric)
    words, chosen = segment(candidate, references), settings(key, **given)
    return Trace(key, program, words, chosen, lambda: metric.score(words, chosen))


def ask(
    key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], *, every: int = 10, **given: Any
) -> Iterator[tuple[ProgramStep, Question | None]]:
    """Return an iterator of the steps of `trace`, each with the question to ask before the step is shown.

    The question is None where nothing is worth asking. Every decision of the program is asked. Of steps that repeat,
    such as the cells of a table, the first of each kind is asked, and after that one of `every`. `judge` judges an
    answer.

    The other arguments are those of `score`. Raises ValueError unless `every` is a whole number of at least 1.

    >>> asked = [question for _, question in ask("rouge_l", ["a", "b"], [["a", "b"]]) if question]
    >>> asked[0].text, asked[0].shows
    ('What is c(1, 1), for “a” and “a”?', '1')
    """
    from .teach import parts
    from .teach.asking import steps_with_questions

    SettingRule("whole", "", "", least=1).check("every", every)
    followed = trace(key, candidate, references, **given)
    return steps_with_questions(parts.load_question_class(_metric(key)), followed, every)


def judge(question: Question, answer: str) -> AnswerVerdict:
    """Return the verdict on an answer to a question: right, equally good or not yet right, and the reason.

    The verdict's `how` is "right", "also" or "no". An answer that cannot be parsed is not yet right. Raises TypeError
    if `question` is not a Question or `answer` not a string.

    >>> question = next(question for _, question in ask("gtm", ["a", "b"], [["b", "a"]]) if question)
    >>> question.text, judge(question, "1,0,0").how, judge(question, "0,0,1").how, judge(question, "0,0,0").how
    ('Click the run that GTM takes first.', 'right', 'also', 'no')
    """
    from .teach import judge as judging

    return judging.judge(_checked_question(question), _checked_string(answer, "answer"))


def _checked_string(value: str, name: str) -> str:
    """Return `value` if it is a string, else raise TypeError with a message that calls the argument `name`."""
    return _checked(value, str, f"{name} must be a string")


def _checked_question(value: Question) -> Question:
    """Return `value` if it is a question, else raise TypeError."""
    from .teach.records import Question

    return _checked(value, Question, "question must be one of those that `ask` and `exercise` make")


def _checked_exercise(value: Exercise) -> Exercise:
    """Return `value` if it is an exercise, else raise TypeError."""
    from .teach.exercises import Exercise

    return _checked(value, Exercise, "an exercise must be one that `exercise` makes")


def _checked_task(value: SentenceTask) -> SentenceTask:
    """Return `value` if it is a sentence task, else raise TypeError."""
    from .teach.segment_questions import SentenceTask

    return _checked(value, SentenceTask, "task must be one that `sentence_task` makes")


def _checked(value: T, kind: type[T], must: str) -> T:
    """Return `value` if it is an instance of `kind`, else raise TypeError.

    `must` begins the message of the error and says what the value must be.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{must}, got {type(value).__name__}")
    return value


def pseudo_code(key: str, **given: Any) -> tuple[str, ...]:
    """Return the lines of the paper's program for these settings. The steps of `trace` refer to them by number.

    >>> pseudo_code("rouge_l")[3]
    'LCS ← c(n, m)'
    """
    from .teach import parts

    return parts.load_program(_metric(key)).code(settings(key, **given)).lines


def exercise(key: str, seed: int, level: int = 1) -> Exercise:
    """Return an exercise: a candidate, references and settings whose score is to be computed, and the question for it.

    Level 1 has a short sentence, level 2 repeated words and ties, level 3 two references or a setting that is not the
    default. The same key, seed and level always give the same exercise; `Exercise.code` names it in a link. Its score
    depends on no choice between ties, and no known slip gives it. `Exercise.optimal` says how many answers are optimal.

    Raises ValueError for an unknown key or level, and for a seed that is not from 1 to 99999.

    >>> found = exercise("rouge_l", 7)
    >>> " ".join(found.segment.candidate), " ".join(found.segment.references[0]), found.code
    ('a horse was fed by the kind farmer yesterday', 'the kind girl fed a horse yesterday', 'rouge_l-1-7')
    """
    from .teach import exercises

    return exercises.exercise(_metric(key), seed, level)


def exercise_of(code: str) -> Exercise:
    """Return the exercise for a code from a link, such as "gtm-2-48213".

    A code such as "gtm-2-48213-make" is the exercise whose task is to make a sentence. Raises ValueError, with one
    sentence, for an unknown code, and TypeError if `code` is not a string.

    >>> exercise_of("gtm-4-1")
    Traceback (most recent call last):
    ValueError: Exercise “gtm-4-1” is not known: its level is not 1, 2 or 3; choose a new one.
    """
    from .teach import exercises

    key, level, seed, task = exercises.parse_code(_checked_string(code, "code"), [*_catalogue()])
    return exercises.exercise(_metric(key), seed, level, task)


def sheet(keys: Sequence[str], level: int = 1, count: int = 6, seed: int = 1, references: int = 1) -> list[Exercise]:
    """Return `count` exercises, taken from the metrics in turn, each with at least the given number of `references`.

    The same arguments always give the same exercises. Raises ValueError without a metric, for fewer than 1 or more than
    50 exercises, for a level that has no exercises with so many references, and whenever `exercise` does. Raises
    TypeError if `keys` is not a list.

    >>> [found.key for found in sheet(["gtm", "wer"], level=2, count=3)]
    ['gtm', 'wer', 'gtm']
    """
    from .teach import exercises

    of = [_metric(key) for key in _checked_list(keys, "keys", "metric")]
    metric_seeds = exercises.draw_sheet(of, level, count, seed, references)
    return [exercises.exercise(metric, number, level) for metric, number in metric_seeds]


def judge_number(question: Question, text: str) -> AnswerVerdict:
    """Judge a typed number as the answer to a question: right, a known slip, which is named, or not yet right.

    The number may have a decimal comma or point, may be rounded or cut off after two or more decimals, and may be
    written as a fraction, as a root or in per cent. Raises ValueError, with one sentence, if `text` is not a number,
    and TypeError if `question` does not ask for a number or `text` is not a string.

    >>> question = exercise("rouge_l", 7).question
    >>> judge_number(question, question.shows).how
    'right'
    """
    from .teach import typed

    if not _checked_question(question).values:
        raise TypeError(f"question must ask for a number, got one whose answer is of the kind {question.kind!r}")
    return typed.judge_number(question, _checked_string(text, "text"))


def whole_questions(given: Exercise) -> list[Question]:
    """Return all questions of an exercise: for the score, for its parts, and which of two candidates is better and why.

    >>> [question.kind for question in whole_questions(exercise("rouge_l", 7))]
    ['number', 'number', 'number', 'number', 'choice']
    """
    from .teach import segment_questions

    return segment_questions.questions(_metric(_checked_exercise(given).key), given)


def which_question(given: Exercise) -> Question:
    """Return the question which of two candidates is better, and why.

    It has four answers to choose from: two reasons for each candidate.

    >>> which_question(exercise("rouge_l", 7)).choices[2]
    'B: because it has fewer words'
    """
    from .teach import segment_questions

    return segment_questions.which_question(_metric(_checked_exercise(given).key), given)


def sentence_task(given: Exercise) -> SentenceTask:
    """Return the task to make a sentence that scores exactly as much as the other candidate of the exercise.

    `SentenceTask.shows` is the score that the sentence must have.

    >>> sentence_task(exercise("rouge_l", 7)).text
    'Make a sentence that scores exactly 0.8 under ROUGE-L.'
    """
    from .teach import segment_questions

    return segment_questions.sentence_task(_metric(_checked_exercise(given).key), given)


def sentence_tiles(task: SentenceTask) -> Tiles:
    """Return tiles (phrases) that can form a sentence with the wanted score of the task.

    The result also has the score of every sentence that the tiles can form.

    >>> found = sentence_tiles(sentence_task(exercise("rouge_l", 7)))
    >>> [" ".join(words) for words in found.tiles]
    ['a horse yesterday', 'fed', 'followed', 'kind girl', 'often', 'the']
    """
    from .teach import tiles

    return tiles.make_tiles(_metric(_checked_task(task).key), task)


def judge_sentence(task: SentenceTask, text: str) -> AnswerVerdict:
    """Return the verdict on a typed sentence: whether it has the score that the task wants.

    If not, the verdict says what the sentence scores and what the difference comes from. Raises ValueError, with one
    sentence, if `text` is empty or too long, and TypeError if `task` is not a task or `text` not a string.

    >>> judge_sentence(sentence_task(exercise("rouge_l", 7)), "the kind girl fed").because
    'This scores 0.727, which is 0.073 too low: compared with a right one, fewer of its matching words count.'
    """
    from .teach import segment_questions

    return segment_questions.judge_sentence(_metric(_checked_task(task).key), task, _checked_string(text, "text"))
