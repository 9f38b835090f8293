"""The filter of the segments: its parts, what they select, and what an expression can ask of a corpus."""

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
#: Segments from which on a filter has the chosen metric tested alone: each takes seconds.
MANY = 20_000
DECIMALS = 4  # of what is given of a difference of corpus scores
ROUNDING = 1e-12


#: What an expression can ask for without a look at what the systems wrote or scored.
FAIR = {"length", "number", "document", "ref", "source"}


class Selected(NamedTuple):
    """The segments that a filter selects, `mask` None where it is none and all are; and of parts that could not be
    used, by their places, why, with the expression and a caret below the place. `subset` has the same segments where
    they are some and not all."""

    mask: Mask | None
    size: int
    problems: dict[int, tuple[str, str]]
    subset: SegmentSubset | None = None

    @property
    def numbers(self) -> NDArray[np.intp] | None:
        """The selected segments by their numbers, None where all are."""
        return None if self.mask is None else np.flatnonzero(self.mask)

    def has(self, number: int | None) -> bool:
        """Whether a segment is selected; none is not."""
        return number is not None and (self.mask is None or (number < len(self.mask) and bool(self.mask[number])))


# ---------------------------------------------------------------- changing it, in callbacks


def current() -> tuple[FilterPart, ...]:
    """The parts as the session has them."""
    return record.parts(st.session_state.get(KEY, ""))


def add(part: FilterPart) -> None:
    """Select of the selected segments those of a part, too; of two parts that are about the same the later one stays:
    another bar of a chart is another choice."""
    part = part._replace(label=part.label[:LABEL_MOST])
    _store_parts(
        [*[each for each in current() if each.is_user_typed or _about(each) != _about(part)], part][-PARTS_MOST:]
    )


def _about(part: FilterPart) -> object:
    """The names that an expression asks for, where a cause of what segments are worth stands for all of that; of
    segments that are listed, what is said but for the words of a text."""
    if not part.expression:
        return re.sub("“.*”|(“.*)", r"\1", part.label)
    return {"worth" if name.startswith("worth.") else name for name in re.findall(r"[a-z][\w.]*", part.expression)}


def remove(place: int) -> None:
    """Do without a part."""
    _store_parts([part for n, part in enumerate(current()) if n != place])


def clear() -> None:
    """Select all segments."""
    _store_parts([])


def type_in(expression: str) -> None:
    """Put a typed expression into the place of the former one, none where it is empty."""
    others = [part for part in current() if not part.is_user_typed]
    _store_parts([FilterPart("", expression), *others] if expression else others)


def _store_parts(parts: Sequence[FilterPart]) -> None:
    st.session_state[KEY] = record.write_parts(parts)
    st.session_state.corpus_filtered = True  # the segment that is looked at stays where it is selected
    st.session_state.corpus_from_top = True


# ---------------------------------------------------------------- what it selects


def selected(job: CorpusJob, state: CorpusState) -> Selected:
    """The segments that all parts select that can be used."""
    parts = record.parts(state.where)
    if not parts:
        return Selected(None, job.size, {})
    # What is still to come may be asked for: with it, the same is another question.
    progress = len(job.tables), id(_ledger_of(job, state))
    filter_key = state.where, state.marks, state.metric, state.a, state.b, *progress
    return job.remembered(("filter", *filter_key), lambda: _selected(job, state, parts))


def _selected(job: CorpusJob, state: CorpusState, parts: Iterable[FilterPart]) -> Selected:
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


def sought(job: CorpusJob, state: CorpusState) -> Sequence[str]:
    """The words, and the parts of words, for which the segments were chosen; a blank is where a word begins or ends."""
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
    """What an expression can ask: a score by the name of its metric is B's, worth is by the chosen metric."""
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
    """What each segment adds to the lead of the better system, its corpus score less the other's, or what one cause
    adds there."""
    ledger = _ledger_of(job, state)
    if ledger is None or (cause and cause not in ledger.parts):
        raise NotYetError("what segments are worth is still being looked for")
    each = np.asarray(ledger.parts[cause] if cause else ledger.worth, dtype=np.float64)
    return np.where(np.abs(each) > ROUNDING, each, 0.0)  # what is left of sums that are 0 is for nobody


def _ledger_of(job: CorpusJob, state: CorpusState) -> CorpusLedger | None:
    """What is known of the ledger, None while nothing is, and where it cannot be found."""
    ledger = job.ledger(state.metric, state.a, state.b)
    return ledger if isinstance(ledger, CorpusLedger) else None


def _scores(job: CorpusJob, key: str, system: int) -> Array:
    table = job.tables.get(key)
    if table is None:
        raise NotYetError(f"{key} is not scored yet")
    return np.asarray(table.scores[system])


def _change(job: CorpusJob, key: str, a: int, b: int) -> Array:
    return np.asarray(_scores(job, key, b) - _scores(job, key, a))


def _wrap_lines(lines: Sequence[str]) -> Sequence[Sequence[str]]:
    return [(line,) for line in lines]


def _references(job: CorpusJob) -> Sequence[Sequence[str]]:
    return [[line for _, line in job.material.references_of(n)] for n in range(job.size)]


def _split(settings: TextSettings, text: str) -> Tokens:
    return forms(process(text, settings))


def _words_of_system(job: CorpusJob, system: int) -> SearchableWords:
    def make_words() -> SearchableWords:
        return SearchableWords(((words,) for words in job.texts.systems[system]), partial(_split, job.text))

    return job.remembered(("words", system), make_words)


def _words_of_references(job: CorpusJob) -> SearchableWords:
    return job.remembered(("words", "ref"), lambda: SearchableWords(job.texts.references, partial(_split, job.text)))


def _letters_of_source(job: CorpusJob) -> SearchableWords:
    """The source is in another language, of which the words are not known: its letters take their place."""
    lines = map(job.source, range(job.size))
    return job.remembered(("words", "source"), lambda: SearchableWords(((tuple(line),) for line in lines), tuple))


# ---------------------------------------------------------------- parts that are made of what is chosen


def of_document(job: CorpusJob, name: str) -> FilterPart:
    """The part that selects a document's segments: an expression, where one can hold its name."""
    label = f"document “{theme.visible(name, 60)}”"
    try:
        return FilterPart(label, f"document = {expressions.quoted(name)}")
    except ValueError:
        return FilterPart(label, "", tuple([n for n in range(job.size) if job.document(n) == name]))


def of_pattern(each: Pattern) -> FilterPart:
    """The part that selects the segments of which one output has an n-gram right and the other not."""
    return FilterPart(
        f"“{theme.visible(' '.join(each.words), 60)}” right in one and not in the other", "", each.segments, each.words
    )


def of_part(each: Pattern) -> FilterPart:
    """The same of a part of words: what is right in one output and not in the other."""
    label = f"“{theme.visible(spelled(each, 'character'), 60)}” within words, right in one and not in the other"
    return FilterPart(label, "", each.segments, letters="".join(each.words))


# ---------------------------------------------------------------- on the page

HELP = (
    "Names: a metric's key such as gtm (B's score), a.gtm, b.gtm, delta.gtm (B's less A's), worth (what a segment adds "
    "to the lead of the better system), length, number, document, tag; "
    'has("word"), a.has, b.has, ref.has, source.has, matches("regular expression"); and, or, not, brackets.'
)


def draw(job: CorpusJob, state: CorpusState, selected: Selected, draw_beside: Callable[[], None]) -> None:
    """The field of the expression, what `draw_beside` draws beside it, what is selected in words, and how to do without
    each part."""
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
    """How many segments are selected, their scores, that of the system last which is better in all, and what they give
    of the difference of all."""
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
