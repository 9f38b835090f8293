"""The record that describes a metric: all that is known of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import cleandoc
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from .account import Account
from .arithmetic import Amount
from .marks import Hit
from .results import Alignment, CorpusResult, Result, Score, Ties, UnusedMatchReason
from .segments import Segment, Tokens
from .settings import Settings
from .sights import Sight

if TYPE_CHECKING:
    from .. import formula


class MetricDescription(NamedTuple):
    """What a page tells about a metric, from its docstring."""

    idea: str
    text: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()
    rewards: str = ""
    unseen: str = ""


def about(doc: str | None) -> MetricDescription:
    """A metric's docstring taken apart: the idea is its first line, formulas are indented, and the paragraphs that
    begin with "Rewards:" and "Cannot see:" say what it rewards and what it cannot see. Doctests and citations are
    left out, other paragraphs are its text.

    >>> about("Counts words.\\n\\n    P = hits / n\\n\\nRewards: hits.\\n\\nCannot see: order.\\n")
    MetricDescription(idea='Counts words.', text=(), formula=('P = hits / n',), rewards='hits.', unseen='order.')
    """
    text, formula, rewards, unseen = [], [], "", ""
    idea, *paragraphs = cleandoc(doc or "").split("\n\n")
    for paragraph in paragraphs:
        plain = " ".join(paragraph.split())
        if paragraph.startswith("    "):
            formula += [line.strip() for line in paragraph.splitlines()]
        elif plain.startswith("Rewards: "):
            rewards = plain.removeprefix("Rewards: ")
        elif plain.startswith("Cannot see: "):
            unseen = plain.removeprefix("Cannot see: ")
        elif not plain.startswith((">>>", "Source: ")):
            text.append(plain)
    return MetricDescription(" ".join(idea.split()), tuple(text), tuple(formula), rewards, unseen)


class StatisticRole(NamedTuple):
    """What a statistic is in its metric's score.

    "match", "order" and "contiguity" are made by what is right, "edit" by what is wrong; "candidate length" and
    "reference length" follow from the lengths of the sentences, of whatever is counted in them, a candidate's length
    also where it decides which reference's length counts; "other" statistics
    follow from those (`Metric.complete`), or stand in no score. `part` tells statistics apart that count the same
    marks for different parts of a score, such as "precision" and "recall". `cost` says that more of it is worse. `of`
    names the statistic that an "other" one of a summed score follows from most.
    """

    kind: Literal["match", "order", "contiguity", "edit", "candidate length", "reference length", "other"]
    part: str = ""
    cost: bool = False
    of: str = ""


#: Puts right a mixture of statistics, see `Metric`.
Complete: TypeAlias = Callable[[dict[str, float], Any, Mapping[str, float], tuple[Tokens, ...]], None]


class FromStats(Protocol):
    """The score and its parts from a metric's statistics, given as numbers or as columns: float64 arrays of one length,
    0 too, whose rows are the statistics of segments, or sums of those of several, what one lacks counting as 0.

    Of columns it makes columns, in which each row is what it makes of that row's numbers, within 1e-14. It stands once
    for both: what its equations need beside + and ** is in `ARITHMETIC`.
    """

    def __call__(self, stats: Mapping[str, Amount], settings: Any, /) -> Score[Amount]: ...


class Composition(NamedTuple):
    """The few values that a metric makes its score of, such as precision and recall, or errors and a length.

    `values(stats, settings)` gives them from the statistics, by what they are called in a sentence, in the order in
    which they are told; `score(values, settings)` is the score, for any values: those of one output may stand beside
    those of another. `length_causes` has the values that follow from lengths alone, such as a brevity penalty, each
    with the cause of the one step that a ledger has for it. Of a metric that scores sums both take columns as well.
    """

    values: Callable[[Mapping[str, Any], Any], Mapping[str, Any]]
    score: Callable[[Mapping[str, Any], Any], Any]
    length_causes: Mapping[str, str] = MappingProxyType({})


class Cause(NamedTuple):
    """How a cause of the difference of two corpora reads: what the second has where it has more of it, what where it
    has less, and what is counted, for where that alone does not explain its share ("matched words that count more").
    `cost` says that more of it is worse."""

    more: str
    less: str
    noun: str
    cost: bool = False


class PairwiseAgreement(NamedTuple):
    """How often people agreed with a metric which of two systems is better, by the difference of their corpus scores.

    `of(difference)` is the part of such pairs of systems, None for differences of which there is none to tell;
    `measured` are the settings of it, as sacreBLEU's signature has them (`Metric.sacrebleu`), with one reference;
    `source` says who found it and from what.
    """

    of: Callable[[float], float | None]
    measured: frozenset[str]
    source: str


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: functions in a record, beside its names. What is None by default a metric may lack.

    Every metric has these. `about` is what a page tells about the metric, its idea at least. `align(segment, settings,
    marks)` finds statistics and, where `marks` is True, the marks behind them; without marks it is faster and the
    statistics are the same. `from_stats` turns statistics, numbers or columns of them, into the score and its parts
    (`FromStats`), and `formula` writes the score out step by step. `role` tells for the name of each statistic what it
    is, and raises KeyError for others. `pooling` says how a corpus is scored: "sum" applies `from_stats` to the summed
    statistics, "mean" averages the segments' scores, as the metric's authors do. `most` is the highest score, infinity
    where there is none.

    What is shown beside a score. `summary` is a word or two for a small tile ("3 rounds"); None where precision and
    recall say it. `remark` is a sentence to show beside a result of which something must be said, "" where nothing
    must. `sights` is what the score sees of a translation, one side after the other, so that metrics that disagree can
    say why; None where its parts tell no side from another. `account` is what the score is made of, for the verdict of
    a result whose candidate and references have words (`analysis.verdict`); None where the words that match say it.
    `left_out(settings)` is a sentence on what the settings ask
    for and the language of the texts has not, "" where it has all. `zero` is the reason of a score of 0 that a setting
    would lift, "" where there is none. `ties(result, most)` finds the equally good alignments, `most` of them as
    results; None where a metric has only one. `why_not(result)` gives a function from a match that the result does not
    use to what stands against it, None where nothing can be said. `because(result, hit)` says why two words match that
    are not the same, "" where they are; None where only equal words match. `variants` are settings that stand beside
    the defaults in a table of all metrics, by what they are called there; those called as the metric is stand in the
    place of its defaults.

    What some metrics need for a corpus and for ledgers of changes. `corpus` gives the statistics of all segments of a
    corpus where those of one segment depend on the others. `complete(stats, settings, words, references)` puts right a
    mixture of the statistics of two outputs of a segment: it limits them to what some output could have, and finds
    those that follow from others; `words` holds for each statistic in which a word can count more or less than 1 how
    many words count. Where there are more matches than the candidate has words, the candidate is made as long as they
    need it: so a length by itself never makes room for matches, and more words never make a score better by that.
    `composition` is what the score is made of, None where it has no parts to be told apart. `why(cause, result)` is the
    reason of an amount that is no whole number, headed by what is counted ("words: …"). `length_penalty` names the part
    by which a wrong length is punished, "" where there is none.

    What is said of corpora. `causes(settings)` are the causes of a ledger that read otherwise than those of other
    metrics (`analysis.causes`). `sacrebleu(settings, tokenizer, lowercase, sums)` are the settings of sacreBLEU, as its
    signature writes them, that give the same corpus score for these sums of statistics, those that always do first;
    none where none does. `agreement` is how often people agreed with the metric, None where nobody found that out.
    `reported` is the place, from 1, among the metrics that most papers report, which what is said of all metrics names
    first; 0 for others.

    What is for teaching. Each of these is a function without arguments that imports it, so that who scores imports no
    teaching; where it is None no menu offers what needs it, and who asks for that by name gets a ValueError
    (`teach.parts`). `program` gives the paper's program, a `teach.steps.Program` whose steps can be watched; `asks` the
    `teach.asking.Asking` that asks about these steps; `plans` what exercises are made of, `teach.plans.Plans`; `slips`
    the function that finds the numbers which common mistakes give in place of a score, a `teach.mistakes.Slips`.
    """

    key: str
    label: str
    name: str
    about: MetricDescription
    family: str
    citation: str
    higher_is_better: bool
    pooling: Literal["sum", "mean"]
    Settings: type[Settings]
    align: Callable[[Segment, Any, bool], Alignment]
    from_stats: FromStats
    formula: Callable[[Result], tuple[formula.FormulaStep, ...]]
    role: Callable[[str], StatisticRole]
    most: float = 1.0
    summary: Callable[[Result], str] | None = None
    remark: Callable[[Result], str] | None = None
    left_out: Callable[[Any], str] | None = None
    zero: Callable[[Result], str] | None = None
    sights: Callable[[Result], Sequence[Sight]] | None = None
    account: Callable[[Result], Account] | None = None
    ties: Callable[[Result, int], Ties] | None = None
    why_not: Callable[[Result], Callable[[Hit], UnusedMatchReason | None]] | None = None
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    corpus: Callable[[Sequence[Segment], Any], Iterable[Mapping[str, float]]] | None = None
    complete: Complete | None = None
    composition: Composition | None = None
    why: Callable[[str, Result], str] | None = None
    because: Callable[[Result, Hit], str] | None = None
    length_penalty: str = ""
    causes: Callable[[Any], Mapping[str, Cause]] | None = None
    sacrebleu: Callable[[Any, str, bool, Mapping[str, float]], Sequence[str]] | None = None
    agreement: PairwiseAgreement | None = None
    reported: int = 0
    program: Callable[[], Any] | None = None
    asks: Callable[[], Any] | None = None
    plans: Callable[[], Any] | None = None
    slips: Callable[[], Any] | None = None

    def score(self, segment: Segment, settings: Any) -> Result:
        """The result for one segment. Its score is `from_stats` of its statistics by construction."""
        stats, layers, decides = self.align(segment, settings, True)
        value, parts = self.from_stats(stats, settings)
        return Result(self.key, settings, segment, value, parts, stats, layers, decides)

    def statistics(self, segment: Segment, settings: Any) -> Mapping[str, float]:
        """The statistics alone, for corpora: the same as those of `score`, without marks."""
        return self.align(segment, settings, False).stats

    def pooled(self, segments: Sequence[Mapping[str, float]], settings: Any) -> CorpusResult:
        """The corpus value of the statistics of segments, of which there is at least one."""
        sums = _sums(segments)
        if self.pooling == "sum":
            value, parts = self.from_stats(sums, settings)
        else:
            scores = [self.from_stats(stats, settings) for stats in segments]
            value = math.fsum([score.score for score in scores]) / len(scores)
            parts = {name: total / len(scores) for name, total in _sums([score.parts for score in scores]).items()}
        return CorpusResult(self.key, settings, len(segments), value, parts, sums, tuple(segments))


def _sums(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The numbers of each name added up, in the order of the longest; what one of them lacks counts as 0."""
    longest = max(each, key=len)  # rounds of SIA that not all segments have
    names = {name: None for stats in (longest, *dict.fromkeys(map(tuple, each))) for name in stats}
    return {name: math.fsum([stats.get(name, 0.0) for stats in each]) for name in names}
