"""Select segments by a filter: its parts, the segments that they select, and the facts that expressions can use."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.analysis.causes import CAUSES
from metrics.corpus import filter as expressions
from metrics.corpus.filter import Facts, FilterError, Mask, NotYetError, SearchableWords
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.patterns import Pattern
from metrics.corpus.table import Array
from metrics.text import TextSettings, forms, process
from metrics.types import Tokens

from ...draw.corpus.patterns import spelled
from ...draw.pen import theme
from ...frame.corpora import CorpusJob, SegmentSubset
from ...state import pending_widgets
from . import columns, marks, record
from .record import LABEL_MOST, PARTS_MOST, CorpusState, FilterPart

KEY = "corpus_where"
#: In a larger corpus, a filter has only the selected metric tested, because each test takes seconds.
MANY = 20_000
DECIMALS = 4  # decimals of differences of corpus scores
ROUNDING = 1e-12


#: The names in expressions that depend on neither outputs nor scores.
FAIR = {"length", "number", "document", "ref", "source"}


class Selected(NamedTuple):
    """The segments that a filter selects.

    Attributes:
        mask: whether each segment is selected; None without a filter.
        size: the number of selected segments.
        problems: by index of an unusable part, the reason and the expression with a caret below the error.
        subset: the selected segments if they are some but not all, else None."""

    mask: Mask | None
    size: int
    problems: dict[int, tuple[str, str]]
    subset: SegmentSubset | None = None

    @property
    def numbers(self) -> NDArray[np.intp] | None:
        """The indices of the selected segments, None without a filter."""
        return None if self.mask is None else np.flatnonzero(self.mask)

    def has(self, number: int | None) -> bool:
        """Return whether a segment is selected; False for None."""
        return number is not None and (self.mask is None or (number < len(self.mask) and bool(self.mask[number])))


# ---------------------------------------------------------------- changing the filter, in callbacks


def current() -> tuple[FilterPart, ...]:
    """Return the parts of the filter in the session."""
    return record.parts(st.session_state.get(KEY, ""))


def add(part: FilterPart) -> None:
    """Add a part to the filter; it replaces a part about the same subject, as one bar of a chart replaces another."""
    part = part._replace(label=part.label[:LABEL_MOST])
    _store_parts(
        [*[each for each in current() if each.is_user_typed or _about(each) != _about(part)], part][-PARTS_MOST:]
    )


def _about(part: FilterPart) -> object:
    """Return the subject of a part: the names in its expression, where all causes of worth count as one.

    For a part that lists segments it is the label without the words of a text."""
    if not part.expression:
        return re.sub("“.*”|(“.*)", r"\1", part.label)
    return {"worth" if name.startswith("worth.") else name for name in re.findall(r"[a-z][\w.]*", part.expression)}


def remove(place: int) -> None:
    """Remove the part at an index."""
    _store_parts([part for n, part in enumerate(current()) if n != place])


def clear() -> None:
    """Remove all parts."""
    _store_parts([])


def type_in(expression: str) -> None:
    """Set the typed expression; an empty one is removed."""
    others = [part for part in current() if not part.is_user_typed]
    _store_parts([FilterPart("", expression), *others] if expression else others)


def _store_parts(parts: Sequence[FilterPart]) -> None:
    """Store the parts in the session."""
    st.session_state[KEY] = record.write_parts(parts)
    st.session_state.corpus_filtered = True  # the next run deselects the segment if the filter excludes it
    st.session_state.corpus_from_top = True


# ---------------------------------------------------------------- selecting segments


def selected(job: CorpusJob, state: CorpusState) -> Selected:
    """Return the segments selected by all usable parts of the filter; cached."""
    parts = record.parts(state.where)
    if not parts:
        return Selected(None, job.size, {})
    # The filter may use values that are not known yet, so the key changes when more are known.
    progress = len(job.tables), id(_ledger_of(job, state))
    filter_key = state.where, state.marks, state.metric, state.a, state.b, *progress
    return job.remembered(("filter", *filter_key), lambda: _selected(job, state, parts))


def _selected(job: CorpusJob, state: CorpusState, parts: Iterable[FilterPart]) -> Selected:
    """Compute the segments that the parts select."""
    known_facts, mask = facts(job, state), np.ones(job.size, dtype=bool)
    problems: dict[int, tuple[str, str]] = {}
    fair = True
    for place, part in enumerate(parts):
        if not part.expression:
            numbers = np.array(part.segments, dtype=np.intp)
            theirs = np.zeros(job.size, dtype=bool)
            theirs[numbers[(numbers >= 0) & (numbers < job.size)]] = True
            mask &= theirs
            fair = False
            continue
        try:
            tree = expressions.parsed(part.expression, known_facts)
            mask &= expressions.selected(tree, known_facts)
            fair = fair and expressions.names_used(tree) <= FAIR
        except FilterError as error:
            problems[place] = (error.why, "") if error.later else (str(error), error.pointed(part.expression))
    size = int(mask.sum())
    subset = SegmentSubset(np.packbits(mask).tobytes(), fair) if 0 < size < job.size else None
    return Selected(mask, size, problems, subset)


def searched_words(job: CorpusJob, state: CorpusState) -> Sequence[str]:
    """Return the words and parts of words that the filter searches for.

    A space marks the beginning or end of a word."""
    parts = record.parts(state.where)
    if not parts:
        return ()

    def find_sought() -> Sequence[str]:
        known_facts, phrases = facts(job, state), [part.words for part in parts]
        for part in parts:
            if part.expression:
                with suppress(FilterError):
                    tree = expressions.parsed(part.expression, known_facts)
                    phrases += [_split(job.text, text) for text in expressions.sought(tree)]
        words = [f" {' '.join(phrase)} " for phrase in phrases if phrase]
        return words + [part.letters for part in parts if part.letters]

    return job.remembered(("sought", state.where), find_sought)


def facts(job: CorpusJob, state: CorpusState) -> Facts:
    """Return the facts that expressions can use: scores, differences, worth, lengths, labels, words and lines.

    A metric's key alone means B's score; worth is by the selected metric."""
    a, b = state.a, state.b
    numbers: dict[str, Callable[[], Array]] = {}
    for key in metrics.METRICS:
        numbers[key] = partial(_scores, job, key, b)
    numbers["worth"] = partial(worth, job, state)
    numbers["length"] = lambda: job.lengths
    numbers["number"] = lambda: np.arange(1.0, job.size + 1)
    for key in metrics.METRICS:
        numbers[f"a.{key}"], numbers[f"b.{key}"] = partial(_scores, job, key, a), partial(_scores, job, key, b)
        numbers[f"delta.{key}"] = partial(_change, job, key, a, b)
    numbers |= columns.numbers(job, a, b)
    ledger = _ledger_of(job, state)
    causes_known = ledger is not None and job.has_causes(state.metric, a, b)
    for cause in ledger.parts if ledger and causes_known else (*CAUSES, "penalty", "references"):
        numbers[f"worth.{cause}"] = partial(worth, job, state, cause)
    labels: dict[str, Callable[[], Sequence[Collection[str]]]] = {}
    words: dict[str, Callable[[], SearchableWords]] = {}
    lines: dict[str, Callable[[], Sequence[Sequence[str]]]] = {}
    for name, system in (("a", a), ("b", b)):
        words[name] = partial(_words_of_system, job, system)
        lines[name] = partial(_wrap_lines, job.material.systems[job.names[system]].lines)
    words["ref"], lines["ref"] = partial(_words_of_references, job), partial(_references, job)
    if job.material.source:
        words["source"] = partial(_letters_of_source, job)
        lines["source"] = partial(_wrap_lines, job.material.source.lines)
    if documents := job.material.documents:
        labels["document"] = lambda: [(document,) for document in documents]
    tags = marks.read(state.marks)
    labels["tag"] = lambda: [tags[n].tags if n in tags else () for n in range(job.size)]
    return Facts(size=job.size, numbers=numbers, labels=labels, words=words, lines=lines)


def worth(job: CorpusJob, state: CorpusState, cause: str = "") -> Array:
    """Return what each segment adds to the lead of the better system over the other, in all or by one cause.

    Raises NotYetError if the ledger, or the cause in it, is not known yet."""
    ledger = _ledger_of(job, state)
    if ledger is None or (cause and cause not in ledger.parts):
        raise NotYetError("what segments are worth is still being looked for")
    each = np.asarray(ledger.parts[cause] if cause else ledger.worth, dtype=np.float64)
    return np.where(np.abs(each) > ROUNDING, each, 0.0)  # rounding errors of zero sums count for neither system


def _ledger_of(job: CorpusJob, state: CorpusState) -> CorpusLedger | None:
    """Return the ledger of A and B, None if it is not known yet or cannot be computed."""
    ledger = job.ledger(state.metric, state.a, state.b)
    return ledger if isinstance(ledger, CorpusLedger) else None


def _scores(job: CorpusJob, key: str, system: int) -> Array:
    """Return a system's score of each segment. Raises NotYetError if the metric is not scored yet."""
    table = job.tables.get(key)
    if table is None:
        raise NotYetError(f"{key} is not scored yet")
    return np.asarray(table.scores[system])


def _change(job: CorpusJob, key: str, a: int, b: int) -> Array:
    """Return B's score less A's for each segment. Raises NotYetError if the metric is not scored yet."""
    return np.asarray(_scores(job, key, b) - _scores(job, key, a))


def _wrap_lines(lines: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return each line in a sequence of its own."""
    return [(line,) for line in lines]


def _references(job: CorpusJob) -> Sequence[Sequence[str]]:
    """Return the references of each segment."""
    return [[line for _, line in job.material.references_of(n)] for n in range(job.size)]


def _split(settings: TextSettings, text: str) -> Tokens:
    """Return the words of a text."""
    return forms(process(text, settings))


def _words_of_system(job: CorpusJob, system: int) -> SearchableWords:
    """Return a system's words in a form that can be searched; cached."""

    def make_words() -> SearchableWords:
        return SearchableWords(((words,) for words in job.texts.systems[system]), partial(_split, job.text))

    return job.remembered(("words", system), make_words)


def _words_of_references(job: CorpusJob) -> SearchableWords:
    """Return the words of the references in a form that can be searched; cached."""
    return job.remembered(("words", "ref"), lambda: SearchableWords(job.texts.references, partial(_split, job.text)))


def _letters_of_source(job: CorpusJob) -> SearchableWords:
    """Return the letters of the source in a form that can be searched; cached.

    Letters replace words because the tokenizer is not made for the language of the source."""
    lines = map(job.source, range(job.size))
    return job.remembered(("words", "source"), lambda: SearchableWords(((tuple(line),) for line in lines), tuple))


# ---------------------------------------------------------------- parts for documents and patterns


def of_document(job: CorpusJob, name: str) -> FilterPart:
    """Return the part of a filter that selects a document's segments.

    It is an expression where that can hold the document's name, else a list of segments."""
    label = f"document “{theme.visible(name, 60)}”"
    try:
        return FilterPart(label, f"document = {expressions.quoted(name)}")
    except ValueError:
        return FilterPart(label, "", tuple([n for n in range(job.size) if job.document(n) == name]))


def of_pattern(each: Pattern) -> FilterPart:
    """Return the part of a filter that selects the segments in which one output alone has an n-gram right."""
    return FilterPart(
        f"“{theme.visible(' '.join(each.words), 60)}” right in one and not in the other", "", each.segments, each.words
    )


def of_part(each: Pattern) -> FilterPart:
    """Return the part of a filter that selects the segments in which one output alone has a part of a word right."""
    label = f"“{theme.visible(spelled(each, 'character'), 60)}” within words, right in one and not in the other"
    return FilterPart(label, "", each.segments, letters="".join(each.words))


# ---------------------------------------------------------------- drawing the filter

HELP = (
    "Names: a metric's key such as gtm (B's score), a.gtm, b.gtm, delta.gtm (B's less A's), worth (what a segment adds "
    "to the lead of the better system), length, number, document, tag; "
    'has("word"), a.has, b.has, ref.has, source.has, matches("regular expression"); and, or, not, brackets.'
)


def draw(job: CorpusJob, state: CorpusState, selected: Selected, draw_beside: Callable[[], None]) -> None:
    """Draw the field for the expression, a button that removes each part, problems, and what is selected.

    `draw_beside` draws the menus next to the field."""
    parts = record.parts(state.where)
    typed = next((part.expression for part in parts if part.is_user_typed), "")
    pending_widgets.give_value("corpus_expression", typed)
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_filter"):
        st.text_input(
            "Filter",
            key="corpus_expression",
            placeholder='Filter, for instance: gtm < 0.3 and length > 20 and has("not")',
            label_visibility="collapsed",
            help=HELP,
            on_change=lambda: type_in(st.session_state.corpus_expression.strip()),
        )
        draw_beside()
        for place, part in enumerate(parts):
            label = part.label or part.expression
            st.button(
                f"✕ {theme.markdown(theme.visible(label, 60))}",
                key=f"corpus_part_{place}",
                help="Do without this part of the filter",
                on_click=remove,
                args=(place,),
            )
    for place, (why, pointed) in selected.problems.items():
        label = theme.visible(f"{parts[place].expression}: {why}", 600)
        st.warning(theme.markdown(f"{label}. It selects nothing away until it can be used."))
        if pointed:
            lines = "\n".join(theme.safe(line, 600) for line in pointed.split("\n"))
            st.html(f'<pre class="pointed">{lines}</pre>')
    if selected.mask is not None:
        st.html(f'<div class="lead_line">{theme.safe(_describe_selection(job, state, selected), 400)}</div>')


def _describe_selection(job: CorpusJob, state: CorpusState, selected: Selected) -> str:
    """Return how many segments are selected, their scores, and how much of the whole difference they give.

    The score of the system that is better on all segments comes last."""
    sentence = f"{selected.size:,} of {theme.count_text(job.size, 'segment')}"
    if selected.subset is None:
        return f"{sentence}."
    a, b = job.scores_of(state.metric, *job.sides(state.metric, state.a, state.b), selected.subset)
    label, delta = metrics.METRICS[state.metric].label, theme.change_text(b - a, DECIMALS)
    sentence += f", {label} {theme.score_text(a)} → {theme.score_text(b)} ({delta})."
    ledger = _ledger_of(job, state)
    if ledger is not None:
        given = float(np.asarray(ledger.worth)[selected.subset.numbers].sum())
        they = "it gives" if selected.size == 1 else "they give"
        all_ = theme.change_text(ledger.delta, DECIMALS)
        sentence += f" Of the {all_} of all segments {they} {theme.change_text(given, DECIMALS)}."
    if selected.subset.fair and job.size > MANY:
        sentence += f" Of so many segments {label} alone is tested; another metric is when it is chosen."
    return sentence
