"""The record that describes a metric to the rest of the program, and the records of its fields."""

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
from .sights import MeasuredAspect

if TYPE_CHECKING:
    from .. import formula


class MetricDescription(NamedTuple):
    """The description of a metric that pages show, taken from the metric's docstring.

    Attributes:
        idea: the first line of the docstring.
        text: its other paragraphs.
        formula: its indented lines.
        rewards: what the metric rewards.
        unseen: what the metric cannot see.
    """

    idea: str
    text: tuple[str, ...] = ()
    formula: tuple[str, ...] = ()
    rewards: str = ""
    unseen: str = ""


def about(doc: str | None) -> MetricDescription:
    """Return the description that a metric's docstring holds.

    The idea is the first line of the docstring, and indented lines are formulas. The paragraphs that begin with
    "Rewards:" and "Cannot see:" say what the metric rewards and what it cannot see. Doctests and citations are left
    out; other paragraphs become the text.

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
    """The role that a statistic plays in its metric's score, by which a difference of scores is explained.

    Attributes:
        kind: "match", "order" and "contiguity" come from what is right, "edit" from what is wrong. "candidate length"
            and "reference length" follow from the lengths of the sentences, in whatever unit; a candidate's length
            counts as such also where it decides which reference's length is used. "other" statistics follow from those
            (`Metric.complete`) or do not enter the score.
        part: the part of the score, such as "precision" or "recall", where several statistics count the same marks for
            different parts.
        cost: whether a larger value makes the score worse.
        of: for an "other" statistic of a metric that scores sums, the name of the statistic that it mostly follows
            from.
    """

    kind: Literal["match", "order", "contiguity", "edit", "candidate length", "reference length", "other"]
    part: str = ""
    cost: bool = False
    of: str = ""


#: A function that corrects a mixture of the statistics of two outputs, see `complete` of `Metric`.
Complete: TypeAlias = Callable[[dict[str, float], Any, Mapping[str, float], tuple[Tokens, ...]], None]


class FromStats(Protocol):
    """A function that returns the score and its parts from a metric's statistics, given as numbers or as columns.

    Columns are float64 arrays of one length, which may be 0. A row has the statistics of a segment, or sums over
    several segments, with 0 for a statistic that a segment lacks. From columns the function makes columns: each row is
    what it makes of that row's numbers, within 1e-14. The function is written once for both; what its equations need
    beyond operators such as + and ** is in `ARITHMETIC`.
    """

    def __call__(self, stats: Mapping[str, Amount], settings: Any, /) -> Score[Amount]: ...


class Composition(NamedTuple):
    """The few values from which a metric computes its score, such as precision and recall, or errors and a length.

    For a metric that scores sums, both functions take columns as well.

    Attributes:
        values: `values(stats, settings)` returns these values by their name in a sentence, in the order of the
            sentence.
        score: `score(values, settings)` returns the score for any values, even if some come from one output and some
            from another.
        length_causes: the values that follow from lengths alone, such as a brevity penalty, each mapped to the cause of
            its single step in a ledger.
    """

    values: Callable[[Mapping[str, Any], Any], Mapping[str, Any]]
    score: Callable[[Mapping[str, Any], Any], Any]
    length_causes: Mapping[str, str] = MappingProxyType({})


class Cause(NamedTuple):
    """The words for one cause of the difference between the scores of two corpora, such as matched words.

    Attributes:
        more: the clause for a second corpus that has more of what the cause counts.
        less: the clause for a second corpus that has less of it.
        noun: what is counted, for the case where the amount alone does not explain the share ("matched words that count
            more").
        cost: whether more of it makes the score worse.
    """

    more: str
    less: str
    noun: str
    cost: bool = False


class PairwiseAgreement(NamedTuple):
    """The rate at which people agreed with a metric about which of two systems is better.

    It depends on the difference of the systems' scores.

    Attributes:
        of: `of(difference)` returns the fraction of pairs of systems with this difference on which people agreed with
            the metric; None for differences where no fraction is known.
        measured: the metric's settings in the study, as sacreBLEU's signature writes them (`Metric.sacrebleu`), with
            one reference.
        source: who measured it, and on which data.
    """

    of: Callable[[float], float | None]
    measured: frozenset[str]
    source: str


@dataclass(frozen=True, slots=True)
class Metric:
    """The record of a metric: its names, its functions, and what pages and lessons need to know of it.

    A metric may lack every field whose default is None.

    Attributes:
        key: the short name in code, options and links, such as "gtm".
        label: the name in tables and sentences.
        name: the full name.
        about: the description that a page shows; it has at least the idea.
        family: the group of metrics that it belongs to.
        citation: the paper that defines it.
        higher_is_better: whether a higher score is better.
        pooling: how a corpus is scored: "sum" applies `from_stats` to the summed statistics, "mean" averages the
            segments' scores, as the metric's authors do.
        Settings: the class of its settings.
        align: `align(segment, settings, marks)` finds the statistics and, if `marks` is True, the marks behind them;
            without marks it is faster and the statistics are the same.
        from_stats: computes the score and its parts from statistics, as numbers or as columns (`FromStats`).
        formula: writes the score of a result out step by step.
        role: returns the role of the statistic with this name, and raises KeyError for other names.
        most: the highest score; infinity if there is none.
        summary: returns a word or two for a small tile, such as "3 rounds"; None where precision and recall are enough.
        remark: returns a sentence to show next to a result; "" where there is nothing to remark.
        left_out: `left_out(settings)` returns a sentence on what the settings ask for and the language of the texts
            lacks; "" where it lacks nothing.
        zero: returns the reason for a score of 0 that another setting would raise; "" where there is none.
        sights: returns what the score sees of a translation, aspect by aspect, so that metrics that disagree can say
            why; None where the metric's parts do not separate aspects.
        account: returns what the score is made of, for the verdict on a result whose candidate and references have
            words (`analysis.verdict`); None where the matched words are enough.
        ties: `ties(result, most)` finds the equally good alignments, the first `most` as results; None where a metric
            has only one alignment.
        why_not: `why_not(result)` returns a function from a match that the result does not use to the reason, which is
            None where nothing can be said.
        variants: settings that a table of all metrics shows in addition to the defaults, by their label there; a
            variant labelled like the metric replaces the defaults.
        corpus: returns the statistics of all segments of a corpus, for a metric where they depend on each other.
        sentence_settings: `sentence_settings(settings)` returns the settings with which a single segment of a corpus is
            scored, for a metric whose score of a sentence needs a smoothing that its corpus score does not need; None
            where both have the same settings.
        complete: `complete(stats, settings, words, references)` corrects a mixture of the statistics of two outputs of
            a segment, see below.
        composition: the values from which the score is computed; None where it has no separate parts.
        why: `why(cause, result)` returns the reason for an amount that is not a whole number, headed by what is counted
            ("words: …").
        because: `because(result, hit)` says why two different words match, "" where they are equal; None where only
            equal words match.
        length_penalty: the name of the part that punishes a wrong length; "" where there is none.
        causes: `causes(settings)` returns the causes of a ledger whose wording differs from that of other metrics
            (`analysis.causes`); {name} stands for the noun of what matches, such as "4-grams".
        sacrebleu: `sacrebleu(settings, tokenizer, lowercase, sums)` returns the settings of sacreBLEU, as its signature
            writes them, that give the same corpus score for these sums of statistics; those that always do come first,
            and the result is empty where none does.
        agreement: how often people agreed with the metric; None where no study is known.
        needs: the packages without which the metric cannot score; an extra installs them (`types.extras`).
        reported: the rank, from 1, among the metrics that most papers report, which sentences on all metrics name
            first; 0 for other metrics.
        program: imports and returns the paper's program, a `teach.steps.Program` whose steps can be watched.
        asks: imports and returns the `teach.asking.Asking` that asks questions about these steps.
        plans: imports and returns the `teach.plans.Plans` from which exercises are made.
        slips: imports and returns the `teach.mistakes.Slips`, which finds the numbers that common mistakes give.

    Ledgers mix the statistics of two outputs to value one cause at a time. `complete` limits these to what some output
    could have, and computes those that follow from others. Its argument `words` holds, for each statistic in which a
    word can count more or less than 1, how many words count. If there are more matches than the candidate has words, it
    makes the candidate as long as they need: so a length alone never makes room for matches, and more words alone never
    make a score better.

    The last four fields are functions without arguments, so that code that only scores imports no teaching. Where one
    is None no menu offers what needs it, and asking for it by name raises ValueError (`teach.parts`).
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
    sights: Callable[[Result], Sequence[MeasuredAspect]] | None = None
    account: Callable[[Result], Account] | None = None
    ties: Callable[[Result, int], Ties] | None = None
    why_not: Callable[[Result], Callable[[Hit], UnusedMatchReason | None]] | None = None
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    corpus: Callable[[Sequence[Segment], Any], Iterable[Mapping[str, float]]] | None = None
    sentence_settings: Callable[[Any], Any] | None = None
    complete: Complete | None = None
    composition: Composition | None = None
    why: Callable[[str, Result], str] | None = None
    because: Callable[[Result, Hit], str] | None = None
    length_penalty: str = ""
    causes: Callable[[Any], Mapping[str, Cause]] | None = None
    sacrebleu: Callable[[Any, str, bool, Mapping[str, float]], Sequence[str]] | None = None
    agreement: PairwiseAgreement | None = None
    needs: tuple[str, ...] = ()
    reported: int = 0
    program: Callable[[], Any] | None = None
    asks: Callable[[], Any] | None = None
    plans: Callable[[], Any] | None = None
    slips: Callable[[], Any] | None = None

    @property
    def sign(self) -> int:
        """Return what turns scores so that a higher one is better: 1, or -1 for an error rate."""
        return 1 if self.higher_is_better else -1

    def settings_of_segment(self, settings: Any) -> Any:
        """Return the settings with which a single segment of a corpus that has these settings is scored."""
        return self.sentence_settings(settings) if self.sentence_settings else settings

    def score(self, segment: Segment, settings: Any) -> Result:
        """Return this metric's result for one segment; by construction its score is `from_stats` of its statistics."""
        stats, layers, decides = self.align(segment, settings, True)
        value, parts = self.from_stats(stats, settings)
        return Result(self.key, settings, segment, value, parts, stats, layers, decides)

    def statistics(self, segment: Segment, settings: Any) -> Mapping[str, float]:
        """Return the statistics of a segment, equal to those of `score`; it is faster because it makes no marks."""
        return self.align(segment, settings, False).stats

    def score_corpus(self, segments: Sequence[Segment], settings: Any) -> CorpusResult:
        """Return the result of a corpus of at least one segment. Raises TooHard."""
        return self.pooled([*self.corpus_statistics(segments, settings)], settings)

    def corpus_statistics(self, segments: Sequence[Segment], settings: Any) -> Iterable[Mapping[str, float]]:
        """Return the statistics of each segment of a corpus, on which they may depend (`corpus`)."""
        if self.corpus:
            return self.corpus(segments, settings)
        return (self.statistics(segment, settings) for segment in segments)

    def pooled(self, segments: Sequence[Mapping[str, float]], settings: Any) -> CorpusResult:
        """Return the corpus result of at least one segment, given the statistics of each segment."""
        sums = _sum_by_name(segments)
        if self.pooling == "sum":
            value, parts = self.from_stats(sums, settings)
        else:
            scores = [self.from_stats(stats, settings) for stats in segments]
            value = math.fsum([score.score for score in scores]) / len(scores)
            parts = {
                name: total / len(scores) for name, total in _sum_by_name([score.parts for score in scores]).items()
            }
        return CorpusResult(self.key, settings, len(segments), value, parts, sums, tuple(segments))


def _sum_by_name(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return, for each name, the sum of its numbers over all mappings; a mapping without the name counts as 0.

    The names are in the order of the mapping with the most names, followed by those of the others.
    """
    longest = max(each, key=len)  # not all segments have all rounds of SIA
    names = {name: None for stats in (longest, *dict.fromkeys(map(tuple, each))) for name in stats}
    return {name: math.fsum([stats.get(name, 0.0) for stats in each]) for name in names}
