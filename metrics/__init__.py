"""Metrics of translation quality, each with the alignment that made its score.

>>> import metrics
>>> result = metrics.score("gtm", "the cat sat".split(), ["the cat slept".split()], exponent=2.0)
>>> round(result.score, 4)
0.6667
>>> result.layers[0].marks
(Run(i=0, k=0, j=0, length=2),)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from .types import CorpusResult, Metric, Result, Settings, __version__, segment

__all__ = [
    "METRICS",
    "CorpusResult",
    "Metric",
    "Result",
    "__version__",
    "ask",
    "corpus_score",
    "explain",
    "judge",
    "ledger",
    "pseudo_code",
    "score",
    "settings",
    "trace",
]

if TYPE_CHECKING:
    from .analysis.changes import Change
    from .questions.records import Question, Verdict
    from .textbook.steps import Program, Step, Trace

    #: The catalogue, in menu order.
    METRICS: dict[str, Metric]


def __getattr__(name: str) -> dict[str, Metric]:
    """METRICS, made when it is first asked for: importing the package alone imports no metric."""
    if name == "METRICS":
        return _catalogue()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _catalogue() -> dict[str, Metric]:
    from . import bleu, dcs, gtm, meteor, nist, per, ribes, rouge, sia, ter, wer

    return {
        m.key: m
        for m in (
            bleu.METRIC,
            nist.METRIC,
            rouge.ROUGE_N,
            rouge.ROUGE_L,
            rouge.ROUGE_W,
            rouge.ROUGE_S,
            gtm.METRIC,
            sia.METRIC,
            dcs.METRIC,
            meteor.METRIC,
            ribes.METRIC,
            wer.METRIC,
            per.METRIC,
            ter.METRIC,
        )
    }


def _metric(key: str) -> Metric:
    metrics = _catalogue()
    try:
        return metrics[key]
    except (KeyError, TypeError):
        raise ValueError(f"metric must be one of {', '.join(metrics)}, got {key!r}") from None


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
    known = metric.Settings.rules()
    for name, _ in given:
        if name not in known:
            raise ValueError(f"{key} has the settings {', '.join(known) or 'none'}; got {name!r}")
    return metric.Settings(**{name: tuple(v) if isinstance(v, list) else v for name, v in given})


def score(key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], **given: Any) -> Result:
    """Score a candidate against its references and return the score with all its evidence.

    `key` is a name in METRICS; `candidate` is a sequence of tokens and `references` a non-empty sequence of such
    sequences; the rest are the metric's settings. Empty sentences are allowed: they align nothing and score 0 (error
    rates: see each metric). Raises TypeError where a string stands for tokens and ValueError for everything else.

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
    empty corpus or for unequal numbers of segments.

    >>> corpus_score("gtm", [["a"], ["b"]], [[["a"]], [["c"], ["d"]]]).score
    0.5
    """
    metric, chosen = _metric(key), settings(key, **given)
    if len(candidates) != len(reference_sets):
        raise ValueError(
            f"every candidate needs its references: {len(candidates)} candidates, {len(reference_sets)} sets"
        )
    if not candidates:
        raise ValueError("a corpus must have at least one segment, got none")
    segments = [segment(c, r) for c, r in zip(candidates, reference_sets, strict=True)]
    each = [*metric.corpus(segments, chosen)] if metric.corpus else [metric.statistics(s, chosen) for s in segments]
    return metric.pooled(each, chosen)


def ledger(a: Result, b: Result) -> tuple[Change, ...]:
    """The steps from A's score to B's, by cause: see `analysis.changes.ledger`.

    Both are results of one metric with the same settings and references; ValueError if not.

    >>> a, b = (score("gtm", words, [["a", "b", "c"]]) for words in (["c", "b", "a"], ["a", "b", "c"]))
    >>> [(change.cause, change.name, change.before, change.after) for change in ledger(a, b)]
    [('matches', 'blocks: words', 3.0, 3.0), ('contiguity', 'blocks: contiguity', 0.0, 6.0)]
    """
    from .analysis import changes

    return changes.ledger(_metric(a.metric), a, b)


def explain(a: Result, b: Result) -> str:
    """Why B's score is another than A's, in one sentence made from the ledger: see `analysis.sentence`.

    Both are results of one metric with the same settings and references; ValueError if not.

    >>> a, b = (score("gtm", words, [["a", "b", "c"]]) for words in (["c", "b", "a"], ["a", "b", "c"]))
    >>> explain(a, b)
    'All of +0.423 is longer runs: “a b c”.'
    """
    from .analysis import sentence

    return sentence.plain(sentence.sentence(_metric(a.metric), a, b))


def trace(key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], **given: Any) -> Trace:
    """The steps of the paper's own program on a candidate and its references, made as they are asked for.

    The arguments are those of `score`, whose result the last step has. `Trace.lines` is the program's pseudo-code.

    >>> steps = [*trace("rouge_l", ["a", "b"], [["a", "b"]])]
    >>> steps[1].text, steps[-1].result.score
    ('c(1, 1): “a” = “a”, so c(0, 0) + 1 = 1.', 1.0)
    """
    from .textbook.steps import Trace

    metric, program = _metric(key), _program(key)
    words, chosen = segment(candidate, references), settings(key, **given)
    return Trace(key, program, words, chosen, lambda: metric.score(words, chosen))


def ask(
    key: str, candidate: Sequence[str], references: Sequence[Sequence[str]], *, every: int = 10, **given: Any
) -> Iterator[tuple[Step, Question | None]]:
    """The steps of `trace`, each with the question to ask before it is shown, None where nothing is worth asking.

    The arguments are those of `score`. Every decision is asked. Of what comes again and again, such as cells of a
    table, the first of each kind is asked and then one of `every`. `judge` judges an answer.

    >>> asked = [question for _, question in ask("rouge_l", ["a", "b"], [["a", "b"]]) if question]
    >>> asked[0].text, asked[0].shows
    ('What is c(1, 1), for “a” and “a”?', '1')
    """
    from .questions.ask import asked

    if every < 1:
        raise ValueError(f"every must be at least 1, got {every!r}")
    return asked(trace(key, candidate, references, **given), every)


def judge(question: Question, answer: str) -> Verdict:
    """Whether an answer to a question is right, as good, or not yet right, and why: see `questions.judge`.

    >>> question = next(question for _, question in ask("gtm", ["a", "b"], [["b", "a"]]) if question)
    >>> question.text, judge(question, "1,0,0").how, judge(question, "0,0,1").how, judge(question, "0,0,0").how
    ('Click the run that GTM takes first.', 'right', 'also', 'no')
    """
    from .questions import judge as judging

    return judging.judge(question, answer)


def pseudo_code(key: str, **given: Any) -> tuple[str, ...]:
    """The lines of the paper's program for these settings, which the steps of `trace` name by their number.

    >>> pseudo_code("rouge_l")[3]
    'LCS ← c(n, m)'
    """
    return _program(key).code(settings(key, **given)).lines


def _program(key: str) -> Program:
    from .textbook.programs import PROGRAMS

    _metric(key)  # says which keys there are
    return PROGRAMS[key]
