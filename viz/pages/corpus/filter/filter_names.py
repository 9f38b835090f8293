"""Say what the names of the filter mean, what else people call them, and which expressions fit a corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import numpy as np

import metrics
from metrics.analysis.causes import ALL, cause_wording
from metrics.corpus.filter import (
    FilterError,
    FilterFacts,
    NotYetError,
    parse_filter,
    quote_string,
    select_segments,
)
from metrics.corpus.table import Array

from ....draw.compare.scores import short_names
from ....draw.pen.text import visible
from ....frame.corpora import CorpusJob
from .. import columns
from ..record import PLAIN, CorpusState

#: What people call a value elsewhere: the words, separated by commas, by its name in the filter.
CALLED = {
    **{name: column.other_names for name, column in PLAIN.items()},
    "number": "no, nr, id, index, line, row, segment, segment number, place, position",
    "note": "comment, remark",
    "ref": "references, refs",
    "source": "src, original",
    "worth": "contribution, share",
    "apart": "disagreement",
}
#: What people call a difference, and a score, where they do not say by which metric.
DIFFERENCE, SCORE = "delta, Δ, difference, diff, change, gain", "score, scores, metric"
HEAD_MOST = 9  # letters of a system's name above its column
NAME_MOST = 200  # letters of a name that is offered where another one is wrong
#: The segments in which words for examples are looked for, and how many of these words are tried.
LOOKED_AT, TRIED_MOST = 400, 8
_WORD = re.compile(r"\b[^\W\d_]{1,24}\b")
#: How expressions are written, as paragraphs of HTML for the list of names.
GRAMMAR = (
    "Texts: <code>has(&quot;…&quot;)</code>, or <code>contains</code>, looks for words in a row, "
    "<code>matches(&quot;…&quot;)</code> for a regular expression; without the name of a text, in both outputs.",
    "Numbers: <code>&lt; &lt;= = != &gt;= &gt;</code>, or <code>is</code>, <code>is not</code>, "
    "<code>less than</code>, <code>more than</code>, <code>at least</code>, <code>at most</code>; "
    "<code>+ - * / abs(…)</code> and brackets. No comparison holds for a score that a segment does not have, or for "
    "what is divided by 0.",
    "Together: <code>and</code>, <code>or</code>, <code>not</code>, also <code>&amp;&amp; || !</code>, and brackets.",
)


class NameMeaning(NamedTuple):
    """Names of the filter and what they mean, for the list of names.

    Attributes:
        names: the names, the first of which the example uses.
        says: what they mean.
        example: an expression with the first name that fits the corpus, "" if its values are not known yet."""

    names: Sequence[str]
    says: str
    example: str


def other_names(job: CorpusJob, state: CorpusState) -> dict[str, str]:
    """Return what else people call the values of a corpus, each with its name in the filter.

    These are common words, the labels of metrics, the heads of the table's columns, and the names of systems."""
    key, out = state.score_key, dict[str, str]()
    for name, words in CALLED.items():
        out |= dict.fromkeys(words.split(", "), name)
    out |= dict.fromkeys(DIFFERENCE.split(", "), f"delta.{key}") | dict.fromkeys(SCORE.split(", "), key)
    out |= {"No.": "number"} | {column.label: name for name, column in PLAIN.items() if column.label.lower() != name}
    families = Counter([other.partition("_")[0] for other in metrics.METRICS])
    for family, count in families.items():
        if count > 1:
            *first, last = [other for other in metrics.METRICS if other.partition("_")[0] == family]
            out[family] = f"{', '.join(first)} or {last}"
    labelled = {other: metric.label for other, metric in metrics.METRICS.items()} | {**job.score_names}
    for name, label in labelled.items():
        out |= {f"{sign} {start}": f"{side}.{name}" for side, sign in columns.SIDES.items() for start in _starts(label)}
        out |= dict.fromkeys(_starts(label), name)
    names = [job.names[state.a], job.names[state.b]]
    for given in (short_names(names, HEAD_MOST), names):
        out |= {given[1]: "b", given[0]: "a"} if given[0] != given[1] else {}
    return {name: target for name, target in out.items() if len(name) <= NAME_MOST}


def _starts(label: str) -> tuple[str, str]:
    """Return a label as a whole, and as it stands above a column."""
    return label, label[: columns.LETTERS_MOST]


def name_meanings(job: CorpusJob, state: CorpusState, facts: FilterFacts) -> list[NameMeaning]:
    """Return all names of the filter, except those of the metrics that are not selected, with their meanings."""
    key, a, b = state.score_key, *(visible(job.names[n], 40) for n in (state.a, state.b))
    label = job.metric(key).label
    better = a if key in job.tables and job.order_worse_first(key, state.a, state.b)[1] == state.a else b
    numbers = {
        key: f"the score of B, {b}, by {label}; a metric’s name alone means B’s score",
        f"a.{key}": f"the score of A, {a}, by {label}",
        f"b.{key}": f"the score of B, the same as {key}",
        f"delta.{key}": "B’s score less A’s",
        "worth": f"what the segment adds to the lead of {better}",
        **{name: f"the part of it by {cause}" for name, cause in _causes_of_worth(job, state, facts).items()},
        **{name: column.meaning for name, column in PLAIN.items() if name in facts.numbers},
        "number": "the place in the files, from 1",
        "apart": "how far the selected metric and the one of the first Δ under Columns disagree, from −1 to 1",
    }
    for name, given in job.score_names.items():
        shown = visible(given, 40)
        numbers |= {
            name: f"B’s “{shown}”, from the files",
            f"a.{name}": f"A’s “{shown}”",
            f"b.{name}": f"B’s “{shown}”",
        }
        numbers |= {f"delta.{name}": f"B’s “{shown}” less A’s"}
    out = [NameMeaning((name,), says, _fitting_number(name, facts)) for name, says in numbers.items()]
    for name, column in PLAIN.items():
        names = [each for each in facts.labels if each.removesuffix("s") == name]
        if names:
            out.append(NameMeaning(names, column.meaning, _fitting_label(name, facts)))
    texts = {("a",): f"the output of A, {a}", ("b",): f"the output of B, {b}", ("ref", "reference"): "the references"}
    texts |= {(name,): f"reference {name[10:]}" for name in facts.words if name.startswith("reference.")}
    texts |= {("source",): "the source, in which letters are looked for", ("note",): "the note that you gave"}
    for text_names, says in texts.items():
        if text_names[0] in facts.words:
            example = _fitting_word(text_names[0], facts)
            out.append(NameMeaning(text_names, says, example))
    return out


def _causes_of_worth(job: CorpusJob, state: CorpusState, facts: FilterFacts) -> dict[str, str]:
    """Return the causes of what segments are worth in words, such as "matched words", by their names in the filter."""
    metric, out = job.metric(state.score_key), dict[str, str]()
    for name in facts.numbers:
        sign, _, cause = name.partition(".")
        if sign == "worth" and cause:
            with suppress(KeyError):  # a penalty or references, which count nothing
                cause = cause_wording(metric, job.settings[state.score_key], cause).noun.format(name=ALL)
            out[name] = cause
    return out


def other_metrics(job: CorpusJob, state: CorpusState) -> dict[str, str]:
    """Return the labels of the metrics that are not selected, by their names in the filter."""
    return {
        key: metric.label for key, metric in metrics.METRICS.items() if key != state.score_key and key in job.settings
    }


def examples(job: CorpusJob, state: CorpusState, facts: FilterFacts) -> list[str]:
    """Return expressions that select some of the segments, but not all of them."""
    key, others = state.score_key, [other for other in job.tables if other != state.score_key]
    size, length = _quantile(facts, key, 0.5), _quantile(facts, "length", 0.5)
    change, long = _quantile(facts, f"abs delta.{key}", 0.75), _quantile(facts, "length", 0.9)
    kinds = [
        [f"{key} < {size} and length > {length}", f"{key} < {size} and length >= {length}"],
        [f"abs(delta.{key}) > {change}"],
        [f"length >= {long}"],
        [f"delta.{key} > 0 and delta.{other} < 0" for other in others],
        [f"b contains {word} and not a contains {word}" for word in islice(_words_of_one(job, state), TRIED_MOST)],
    ]
    fitting = [next((each for each in tried if _selects_some(each, facts)), "") for tried in kinds]
    return [expression for expression in fitting if expression]


# ---------------------------------------------------------------- what fits


def _selects_some(expression: str, facts: FilterFacts) -> bool:
    """Return whether an expression selects some segments, but not all."""
    try:
        selected = int(select_segments(parse_filter(expression, facts), facts).sum())
    except FilterError:
        return False
    return 0 < selected < facts.size


def _values(facts: FilterFacts, name: str) -> Array:
    """Return the known values of a number of the filter; after "abs " without their signs. Empty if there are none."""
    sign, _, name = f" {name}".rpartition(" ")
    try:
        values = np.asarray(facts.numbers[name](), dtype=np.float64)
    except NotYetError:
        return np.zeros(0)
    values = values[np.isfinite(values)]
    return np.abs(values) if sign.strip() else values


def _quantile(facts: FilterFacts, name: str, share: float) -> str:
    """Return the value below which about this share of the values of a number is, as an expression has it."""
    values = _values(facts, name)
    return f"{np.quantile(values, share):.3g}" if values.size else "0"


def _fitting_number(name: str, facts: FilterFacts) -> str:
    """Return a comparison of a number that selects some segments, "" if its values are not known yet."""
    values = _values(facts, name)
    if not values.size:
        return ""
    low, middle = _quantile(facts, name, 0.25), _quantile(facts, name, 0.5)
    tried = [f"{name} > 0"] if name.partition(".")[0] in ("delta", "worth") else []
    tried += [f"{name} < {low}", f"{name} <= {low}", f"{name} > {middle}", f"{name} >= {middle}", f"{name} = {middle}"]
    return next((each for each in tried if _selects_some(each, facts)), tried[-1])


def _fitting_label(name: str, facts: FilterFacts) -> str:
    """Return a comparison of a label with the first one that there is, "" if there is none."""
    for of in facts.labels[name]():
        for label in of:
            with suppress(ValueError):
                return f"{name} = {quote_string(label)}"
    return ""


def _fitting_word(text: str, facts: FilterFacts) -> str:
    """Return a search for a word that some texts have, "" if there is none."""
    lines = facts.lines[text]()[:LOOKED_AT]
    return next((f"{text}.has({word})" for word in _rare_words([" ".join(of) for of in lines])), "")


def _words_of_one(job: CorpusJob, state: CorpusState) -> Iterator[str]:
    """Yield words, as string literals, that B's output of some segment has and A's has not, from the first segments."""
    for n in range(min(job.segment_count, LOOKED_AT)):
        ours, theirs = (job.output_text(system, n).casefold() for system in (state.a, state.b))
        yield from [word for word in _rare_words([theirs]) if word[1:-1] not in ours]


def _rare_words(lines: Sequence[str]) -> Iterator[str]:
    """Yield words of the lines as string literals: first those in several lines but not all, the longer ones first."""
    counts = Counter([word for line in lines for word in {*_WORD.findall(line[:2_000].casefold())}])
    for word in sorted(counts, key=lambda word: (counts[word] == len(lines), counts[word] < 2, -len(word), word)):
        yield quote_string(word)
