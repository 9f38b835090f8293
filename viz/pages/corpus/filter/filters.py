"""Select segments by the filter.

The filter has parts: expressions and lists of segments, each of which selects from what the others leave. Expressions
use facts, such as scores and lengths, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.analysis.causes import CAUSES
from metrics.corpus import filter as expressions
from metrics.corpus.errors import ErrorCount
from metrics.corpus.filter import FilterError, FilterFacts, Mask, NotYetError, SearchableWords
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.patterns import Pattern
from metrics.corpus.table import Array
from metrics.text import TextSettings, forms, process
from metrics.types import Tokens

from ....draw.corpus.patterns import pattern_text
from ....draw.pen.numbers import change_text, count_text, score_text
from ....draw.pen.text import escape_markdown, safe, visible
from ....frame.corpora import CorpusJob, SegmentSubset
from ....state.visit import pending_widgets
from .. import columns, marks, record
from ..record import LABEL_MOST, PARTS_MOST, CorpusState, FilterPart
from . import filter_names

KEY = "corpus_where"
#: In a larger corpus, a filter has only the selected metric tested, because each test takes seconds.
MANY = 20_000
DECIMALS = 4  # decimals of differences of corpus scores
ROUNDING = 1e-12


#: The names in expressions that depend on neither outputs nor scores, up to their first point.
FAIR = {"number", "ref", "reference", "source", *(name for name, column in record.PLAIN.items() if column.is_fair)}


class SelectedSegments(NamedTuple):
    """The segments that the filter selects.

    Attributes:
        mask: a boolean array of whether each segment is selected; None without a filter.
        size: the number of selected segments.
        problems: by index of a part that cannot be used, the reason, and the expression with a caret below the error.
        subset: the selected segments if they are some but not all, else None."""

    mask: Mask | None
    size: int
    problems: dict[int, tuple[str, str]]
    subset: SegmentSubset | None = None

    @property
    def segment_indices(self) -> NDArray[np.intp] | None:
        """The indices of the selected segments, None without a filter."""
        return None if self.mask is None else np.flatnonzero(self.mask)

    def includes(self, number: int | None) -> bool:
        """Return whether the segment with this index is selected; False for None."""
        return number is not None and (self.mask is None or (number < len(self.mask) and bool(self.mask[number])))


# ---------------------------------------------------------------- changing the filter, in callbacks


def current_parts() -> tuple[FilterPart, ...]:
    """Return the parts of the filter that the session has now."""
    return record.parse_filter(st.session_state.get(KEY, ""))


def add_part(part: FilterPart) -> None:
    """Add a part to the filter; a callback.

    It replaces a part about the same subject, as a click on one bar of a chart replaces that on another. A typed
    expression is never replaced."""
    part = part._replace(label=part.label[:LABEL_MOST])
    _store_parts(
        [
            *[
                each
                for each in current_parts()
                if each.is_user_typed or _subject_of_part(each) != _subject_of_part(part)
            ],
            part,
        ][-PARTS_MOST:]
    )


def _subject_of_part(part: FilterPart) -> object:
    """Return a value that identifies the subject of a part; of two parts with the same subject only one is kept.

    For an expression these are the names in it, where all causes of worth count as one. Lists of the segments in which
    words, or parts of words, are right have the same subject; any other list has its label."""
    if not part.expression:
        return "words" if part.words else "letters" if part.letters else part.label
    return {"worth" if name.startswith("worth.") else name for name in re.findall(r"[a-z][\w.]*", part.expression)}


def remove_part(place: int) -> None:
    """Remove the part at index `place` from the filter; a callback."""
    _store_parts([part for n, part in enumerate(current_parts()) if n != place])


def set_typed_expression(expression: str) -> None:
    """Store the expression that the visitor typed as a part of the filter; "" removes that part. A callback."""
    others = [part for part in current_parts() if not part.is_user_typed]
    _store_parts([FilterPart("", expression), *others] if expression else others)


def _store_parts(parts: Sequence[FilterPart]) -> None:
    """Store the parts of the filter in the session, and have the table begin at its first row."""
    st.session_state[KEY] = record.write_parts(parts)
    st.session_state.corpus_filtered = True  # the next run deselects the segment if the filter excludes it
    st.session_state.corpus_from_top = True


# ---------------------------------------------------------------- selecting segments


def select_segments(job: CorpusJob, state: CorpusState) -> SelectedSegments:
    """Return the segments selected by all parts of the filter that can be used; cached."""
    parts = record.parse_filter(state.where)
    if not parts:
        return SelectedSegments(None, job.segment_count, {})
    # The filter may use values that are not known yet, so the key changes when more are known.
    progress = len(job.tables), id(_known_ledger(job, state))
    compared = columns.compared_metric(job, state) if "apart" in state.where else ""
    filter_key = state.where, state.marks, state.score_key, state.a, state.b, compared, *progress
    return job.cached(("filter", *filter_key), lambda: _compute_selected(job, state, parts))


def _compute_selected(job: CorpusJob, state: CorpusState, parts: Iterable[FilterPart]) -> SelectedSegments:
    """Compute the segments that all of the parts select."""
    known_facts, mask = filter_facts(job, state), np.ones(job.segment_count, dtype=bool)
    problems: dict[int, tuple[str, str]] = {}
    fair = True
    for place, part in enumerate(parts):
        if not part.expression:
            numbers = np.array(part.segments, dtype=np.intp)
            theirs = np.zeros(job.segment_count, dtype=bool)
            theirs[numbers[(numbers >= 0) & (numbers < job.segment_count)]] = True
            mask &= theirs
            fair = False
            continue
        try:
            tree = expressions.parse_filter(part.expression, known_facts)
            mask &= expressions.select_segments(tree, known_facts)
            fair = fair and {name.partition(".")[0] for name in expressions.names_used(tree)} <= FAIR
        except FilterError as error:
            problems[place] = (error.why, "") if error.later else (str(error), error.with_caret(part.expression))
    size = int(mask.sum())
    subset = SegmentSubset(np.packbits(mask).tobytes(), fair) if 0 < size < job.segment_count else None
    return SelectedSegments(mask, size, problems, subset)


def searched_words(job: CorpusJob, state: CorpusState) -> Sequence[str]:
    """Return the words and parts of words that the filter searches for, so that they can be highlighted.

    A space in them marks the beginning or end of a word."""
    parts = record.parse_filter(state.where)
    if not parts:
        return ()

    def find_words() -> Sequence[str]:
        known_facts, phrases = filter_facts(job, state), [part.words for part in parts]
        for part in parts:
            if part.expression:
                with suppress(FilterError):
                    tree = expressions.parse_filter(part.expression, known_facts)
                    phrases += [_words_of_text(job.text, text) for text in expressions.words_of_has_calls(tree)]
        words = [f" {' '.join(phrase)} " for phrase in phrases if phrase]
        return words + [part.letters for part in parts if part.letters]

    return job.cached(("sought", state.where), find_words)


def filter_facts(job: CorpusJob, state: CorpusState) -> FilterFacts:
    """Return the facts that expressions can use: scores, differences, worth, lengths, labels, words and lines.

    In an expression, a metric's key alone means B's score. Worth is by the selected metric. Some values have two names,
    the one that files of segments have for them (`save.corpus_segments`) and a shorter or former one."""
    a, b = state.a, state.b
    numbers: dict[str, Callable[[], Array]] = {}
    keys = [state.metric, *[key for key in metrics.METRICS if key != state.metric]]
    for key in keys:
        numbers[key] = partial(_segment_scores, job, key, b)
    numbers["worth"] = partial(segment_worth, job, state)
    numbers["length"] = lambda: job.lengths  # length, document and tag are columns of the table too, record.PLAIN
    numbers["number"] = lambda: np.arange(1.0, job.segment_count + 1)
    numbers["apart"] = partial(_disagreement, job, state)
    for key in keys:
        numbers[f"a.{key}"], numbers[f"b.{key}"] = (
            partial(_segment_scores, job, key, a),
            partial(_segment_scores, job, key, b),
        )
        numbers[f"delta.{key}"] = partial(_segment_differences, job, key, a, b)
    numbers |= columns.file_score_functions(job, a, b)
    ledger = _known_ledger(job, state)
    causes_known = ledger is not None and job.ledger_has_causes(state.score_key, a, b)
    for cause in ledger.parts if ledger and causes_known else (*CAUSES, "penalty", "references"):
        numbers[f"worth.{cause}"] = partial(segment_worth, job, state, cause)
    labels: dict[str, Callable[[], Sequence[Collection[str]]]] = {}
    words: dict[str, Callable[[], SearchableWords]] = {}
    lines: dict[str, Callable[[], Sequence[Sequence[str]]]] = {}
    for name, system in (("a", a), ("b", b)):
        words[name] = partial(_words_of_system, job, system)
        lines[name] = partial(_wrap_lines, job.material.systems[job.names[system]].lines)
    words["ref"] = partial(_searchable_words, job, "ref", lambda: job.texts.references)
    lines["ref"] = partial(_reference_texts, job)
    words["reference"], lines["reference"] = words["ref"], lines["ref"]
    if len(job.material.references) > 1:
        for k, (name, texts) in enumerate(job.material.references.items(), 1):
            words[f"reference.{k}"] = partial(_words_of_reference, job, name)
            lines[f"reference.{k}"] = partial(_wrap_lines, texts.lines)
    if job.material.source:
        words["source"] = partial(_letters_of_source, job)
        lines["source"] = partial(_wrap_lines, job.material.source.lines)
    if documents := job.material.documents:
        labels["document"] = lambda: [(document,) for document in documents]
    given = marks.read_marks(state.marks)
    labels["tag"] = labels["tags"] = lambda: [given[n].tags if n in given else () for n in range(job.segment_count)]
    lines["note"] = partial(_notes, job, state)
    words["note"] = partial(_words_of_notes, job, state)
    other_names = filter_names.other_names(job, state)
    return FilterFacts(
        size=job.segment_count, numbers=numbers, labels=labels, words=words, lines=lines, other_names=other_names
    )


def _disagreement(job: CorpusJob, state: CorpusState) -> Array:
    """Return how far two metrics disagree on each segment. Raises NotYetError if there is no second one."""
    apart = columns.disagreement(job, state)
    if apart is None:
        raise NotYetError("apart needs a second metric: choose the Δ of one under Columns")
    return apart


def segment_worth(job: CorpusJob, state: CorpusState, cause: str = "") -> Array:
    """Return what each segment adds to the lead of the better system over the other, in all or by one cause.

    Raises NotYetError if the ledger, or the cause in it, is not known yet."""
    ledger = _known_ledger(job, state)
    if ledger is None or (cause and cause not in ledger.parts):
        raise NotYetError("what segments are worth is still being looked for")
    each = np.asarray(ledger.parts[cause] if cause else ledger.worth, dtype=np.float64)
    return np.where(np.abs(each) > ROUNDING, each, 0.0)  # rounding errors of zero sums count for neither system


def _known_ledger(job: CorpusJob, state: CorpusState) -> CorpusLedger | None:
    """Return the ledger of A and B by the selected metric, None if it is not known yet or cannot be computed."""
    ledger = job.ledger(state.score_key, state.a, state.b)
    return ledger if isinstance(ledger, CorpusLedger) else None


def _segment_scores(job: CorpusJob, key: str, system: int) -> Array:
    """Return a system's score of each segment by a metric. Raises NotYetError if the metric is not scored yet."""
    table = job.tables.get(key)
    if table is None:
        raise NotYetError(f"the metric {key} is not scored{'' if job.ended else ' yet'}")
    return np.asarray(table.scores[system])


def _segment_differences(job: CorpusJob, key: str, a: int, b: int) -> Array:
    """Return B's score less A's for each segment. Raises NotYetError if the metric is not scored yet."""
    return np.asarray(_segment_scores(job, key, b) - _segment_scores(job, key, a))


def _wrap_lines(lines: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return each line as the only element of a tuple, because a segment may have several texts."""
    return [(line,) for line in lines]


def _reference_texts(job: CorpusJob) -> Sequence[Sequence[str]]:
    """Return the texts of each segment's references."""
    return [[line for _, line in job.material.references_of(n)] for n in range(job.segment_count)]


def _words_of_text(settings: TextSettings, text: str) -> Tokens:
    """Return the words of a text, tokenised with these settings."""
    return forms(process(text, settings))


def _searchable_words(job: CorpusJob, key: Hashable, of: Callable[[], Iterable[Sequence[Tokens]]]) -> SearchableWords:
    """Return the words of each segment's texts, which `of` returns, in a form that can be searched; cached."""
    return job.cached(("words", key), lambda: SearchableWords(of(), partial(_words_of_text, job.text)))


def _words_of_system(job: CorpusJob, system: int) -> SearchableWords:
    """Return the words of a system's outputs in a form that can be searched; cached."""
    return _searchable_words(job, system, lambda: ((words,) for words in job.texts.systems[system]))


def _notes(job: CorpusJob, state: CorpusState) -> Sequence[Sequence[str]]:
    """Return the note that the visitor gave to each segment, "" where there is none."""
    given = marks.read_marks(state.marks)
    return [(given[n].note if n in given else "",) for n in range(job.segment_count)]


def _words_of_notes(job: CorpusJob, state: CorpusState) -> SearchableWords:
    """Return the words of the notes in a form that can be searched."""
    split = partial(_words_of_text, job.text)
    return SearchableWords(((split(note),) if note else () for (note,) in _notes(job, state)), split)


def _words_of_reference(job: CorpusJob, name: str) -> SearchableWords:
    """Return the words of one reference, called `name`, in a form that can be searched; cached.

    A segment whose other references are empty has fewer tokenised references than the files."""

    def texts() -> Iterable[Sequence[Tokens]]:
        for n, of in enumerate(job.texts.references):
            names = [each for each, _ in job.material.references_of(n)]
            yield [words for other, words in zip(names, of, strict=True) if other == name]

    return _searchable_words(job, ("reference", name), texts)


def _letters_of_source(job: CorpusJob) -> SearchableWords:
    """Return the letters of the source texts in a form that can be searched; cached.

    Letters replace words because the tokenizer is not made for the language of the source."""
    lines = map(job.source_text, range(job.segment_count))
    return job.cached(("words", "source"), lambda: SearchableWords(((tuple(line),) for line in lines), tuple))


# ---------------------------------------------------------------- parts for documents and patterns


def document_part(job: CorpusJob, name: str) -> FilterPart:
    """Return the part of a filter that selects the segments of the document called `name`.

    It is an expression if that can hold the name, else a list of segments."""
    label = f"document “{visible(name, 60)}”"
    try:
        return FilterPart(label, f"document = {expressions.quote_string(name)}")
    except ValueError:
        return FilterPart(label, "", tuple([n for n in range(job.segment_count) if job.document_name(n) == name]))


def pattern_part(pattern: Pattern, unit: str) -> FilterPart:
    """Return the part of a filter that selects the segments in which one system alone has a pattern right.

    `unit` is what the pattern consists of: "word" or, within words, "character"."""
    within = "" if unit == "word" else " within words,"
    label = f"“{visible(pattern_text(pattern, unit), 60)}”{within} right in one and not in the other"
    if unit == "word":
        return FilterPart(label, "", pattern.segments, pattern.words)
    return FilterPart(label, "", pattern.segments, letters="".join(pattern.words))


def error_part(counted: ErrorCount) -> FilterPart:
    """Return the part of a filter that selects the segments in which one system makes more errors of a kind."""
    return FilterPart(f"{counted.error.label}: more errors in one than in the other", "", counted.segments)


# ---------------------------------------------------------------- drawing the filter

HELP = (
    "A comparison such as gtm < 0.3, where a metric's name means B's score, a.gtm A's and delta.gtm B's minus A's; "
    'length > 20; abs(delta.gtm) > 0.1; has("word"), b.has("word"), matches("regular expression"); and, or, not, '
    "brackets. All names, with examples, are under “Add a filter”."
)


def draw(job: CorpusJob, state: CorpusState, selected: SelectedSegments, draw_beside: Callable[[], None]) -> None:
    """Draw the field for the expression, a button that removes each part, problems, and how many segments are selected.

    `draw_beside` draws the menus at the right of the field."""
    parts = record.parse_filter(state.where)
    typed = next((part.expression for part in parts if part.is_user_typed), "")
    pending_widgets.give_value("corpus_expression", typed)
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_filter"):
        st.text_input(
            "Filter",
            key="corpus_expression",
            placeholder='Filter, for instance: gtm < 0.3 and length > 20 and has("not")',
            label_visibility="collapsed",
            help=HELP,
            on_change=lambda: set_typed_expression(st.session_state.corpus_expression.strip()),
        )
        draw_beside()
        for place, part in enumerate(parts):
            label = part.label or part.expression
            st.button(
                f"✕ {escape_markdown(visible(label, 60))}",
                key=f"corpus_part_{place}",
                help="Remove this part of the filter",
                on_click=remove_part,
                args=(place,),
            )
    for place, (why, pointed) in selected.problems.items():
        reason = visible(f"{why[0].upper()}{why[1:]}.", 600)
        st.warning(escape_markdown(f"{reason} It filters nothing until it can be used:"))
        echo = "\n".join(safe(line, 600) for line in (pointed or parts[place].expression).split("\n"))
        st.html(f'<pre class="pointed">{echo}</pre>')
    if selected.mask is not None:
        st.html(f'<div class="lead_line">{safe(_describe_selection(job, state, selected), 400)}</div>')


def _describe_selection(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> str:
    """Return a text on how many segments are selected, the scores there, and what they add to the whole difference.

    The score of the system that is better on all segments comes last."""
    sentence = f"{selected.size:,} of {count_text(job.segment_count, 'segment')}"
    if selected.subset is None:
        return f"{sentence}."
    a, b = job.subset_scores(
        state.score_key, *job.order_worse_first(state.score_key, state.a, state.b), selected.subset
    )
    label, delta = job.metric(state.score_key).label, change_text(b - a, DECIMALS)
    sentence += f", {label} {score_text(a)} → {score_text(b)} ({delta})."
    ledger = _known_ledger(job, state)
    if ledger is not None:
        given = float(np.asarray(ledger.worth)[selected.subset.segment_indices].sum())
        they = "It gives" if selected.size == 1 else "They give"
        all_ = change_text(ledger.delta, DECIMALS)
        sentence += f" {they} {change_text(given, DECIMALS)} of the {all_} of all segments."
    if selected.subset.fair and job.segment_count > MANY:
        sentence += f" With so many segments, only {label} is tested; choose another metric to test it."
    return sentence
