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
from metrics.corpus.filter import Facts, FilterError, Mask, NotYetError, Words
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.patterns import Pattern
from metrics.corpus.table import Array
from metrics.text import TextSettings, forms, process
from metrics.types import Tokens

from ...draw.corpus.patterns import spelled
from ...draw.pen import theme
from ...frame.corpora import Scoring, Some
from ...state import handed
from . import columns, marks, record
from .record import PARTS_MOST, SAID_MOST, Corpus, Part

KEY = "corpus_where"
#: Segments from which on a filter has the chosen metric tested alone: each takes seconds.
MANY = 20_000
DECIMALS = 4  # of what is given of a difference of corpus scores
ROUNDING = 1e-12


#: What an expression can ask for without a look at what the systems wrote or scored.
FAIR = {"length", "number", "document", "ref", "source"}


class Selected(NamedTuple):
    """The segments that a filter selects, `mask` None where it is none and all are; and of parts that could not be
    used, by their places, why, with the expression and a caret below the place. `some` are they where it selects some
    and not all."""

    mask: Mask | None
    size: int
    problems: dict[int, tuple[str, str]]
    some: Some | None = None

    @property
    def numbers(self) -> NDArray[np.intp] | None:
        """The selected segments by their numbers, None where all are."""
        return None if self.mask is None else np.flatnonzero(self.mask)

    def has(self, number: int | None) -> bool:
        """Whether a segment is selected; none is not."""
        return number is not None and (self.mask is None or (number < len(self.mask) and bool(self.mask[number])))


# ---------------------------------------------------------------- changing it, in callbacks


def current() -> tuple[Part, ...]:
    """The parts as the session has them."""
    return record.parts(st.session_state.get(KEY, ""))


def add(part: Part) -> None:
    """Select of the selected segments those of a part, too; of two parts that are about the same the later one stays:
    another bar of a chart is another choice."""
    part = part._replace(said=part.said[:SAID_MOST])
    _put([*[each for each in current() if each.typed or _about(each) != _about(part)], part][-PARTS_MOST:])


def _about(part: Part) -> object:
    """The names that an expression asks for, where a cause of what segments are worth stands for all of that; of
    segments that are listed, what is said but for the words of a text."""
    if not part.expression:
        return re.sub("“.*”|(“.*)", r"\1", part.said)
    return {"worth" if name.startswith("worth.") else name for name in re.findall(r"[a-z][\w.]*", part.expression)}


def remove(place: int) -> None:
    """Do without a part."""
    _put([part for n, part in enumerate(current()) if n != place])


def clear() -> None:
    """Select all segments."""
    _put([])


def type_in(expression: str) -> None:
    """Put a typed expression into the place of the former one, none where it is empty."""
    others = [part for part in current() if not part.typed]
    _put([Part("", expression), *others] if expression else others)


def _put(parts: Sequence[Part]) -> None:
    st.session_state[KEY] = record.written(parts)
    st.session_state.corpus_filtered = True  # the segment that is looked at stays where it is selected
    st.session_state.corpus_from_top = True


# ---------------------------------------------------------------- what it selects


def selected(found: Scoring, shown: Corpus) -> Selected:
    """The segments that all parts select that can be used."""
    parts = record.parts(shown.where)
    if not parts:
        return Selected(None, found.size, {})
    # What is still to come may be asked for: with it, the same is another question.
    known = len(found.tables), id(_ledger_of(found, shown))
    asked = shown.where, shown.marks, shown.metric, shown.a, shown.b, *known
    return found.remembered(("filter", *asked), lambda: _selected(found, shown, parts))


def _selected(found: Scoring, shown: Corpus, parts: Iterable[Part]) -> Selected:
    known, mask = facts(found, shown), np.ones(found.size, dtype=bool)
    problems: dict[int, tuple[str, str]] = {}
    fair = True
    for place, part in enumerate(parts):
        if not part.expression:
            numbers = np.array(part.segments, dtype=np.intp)
            theirs = np.zeros(found.size, dtype=bool)
            theirs[numbers[(numbers >= 0) & (numbers < found.size)]] = True
            mask &= theirs
            fair = False
            continue
        try:
            tree = expressions.parsed(part.expression, known)
            mask &= expressions.selected(tree, known)
            fair = fair and expressions.asked(tree) <= FAIR
        except FilterError as error:
            problems[place] = (error.why, "") if error.later else (str(error), error.pointed(part.expression))
    size = int(mask.sum())
    some = Some(np.packbits(mask).tobytes(), fair) if 0 < size < found.size else None
    return Selected(mask, size, problems, some)


def sought(found: Scoring, shown: Corpus) -> Sequence[str]:
    """The words, and the parts of words, for which the segments were chosen; a blank is where a word begins or ends."""
    parts = record.parts(shown.where)
    if not parts:
        return ()

    def find_sought() -> Sequence[str]:
        known, phrases = facts(found, shown), [part.words for part in parts]
        for part in parts:
            if part.expression:
                with suppress(FilterError):
                    tree = expressions.parsed(part.expression, known)
                    phrases += [_split(found.text, text) for text in expressions.sought(tree)]
        words = [f" {' '.join(phrase)} " for phrase in phrases if phrase]
        return words + [part.within for part in parts if part.within]

    return found.remembered(("sought", shown.where), find_sought)


def facts(found: Scoring, shown: Corpus) -> Facts:
    """What an expression can ask: a score by the name of its metric is B's, worth is by the chosen metric."""
    a, b = shown.a, shown.b
    numbers: dict[str, Callable[[], Array]] = {}
    for key in metrics.METRICS:
        numbers[key] = partial(_scores, found, key, b)
    numbers["worth"] = partial(worth, found, shown)
    numbers["length"] = lambda: found.lengths
    numbers["number"] = lambda: np.arange(1.0, found.size + 1)
    for key in metrics.METRICS:
        numbers[f"a.{key}"], numbers[f"b.{key}"] = partial(_scores, found, key, a), partial(_scores, found, key, b)
        numbers[f"delta.{key}"] = partial(_change, found, key, a, b)
    numbers |= columns.numbers(found, a, b)
    ledger = _ledger_of(found, shown)
    known = ledger is not None and found.has_causes(shown.metric, a, b)
    for cause in ledger.parts if ledger and known else (*CAUSES, "penalty", "references"):
        numbers[f"worth.{cause}"] = partial(worth, found, shown, cause)
    labels: dict[str, Callable[[], Sequence[Collection[str]]]] = {}
    words: dict[str, Callable[[], Words]] = {}
    lines: dict[str, Callable[[], Sequence[Sequence[str]]]] = {}
    for name, system in (("a", a), ("b", b)):
        words[name] = partial(_words_of_system, found, system)
        lines[name] = partial(_alone, found.material.systems[found.names[system]].lines)
    words["ref"], lines["ref"] = partial(_words_of_references, found), partial(_references, found)
    if found.material.source:
        words["source"] = partial(_letters_of_source, found)
        lines["source"] = partial(_alone, found.material.source.lines)
    if documents := found.material.documents:
        labels["document"] = lambda: [(document,) for document in documents]
    tags = marks.read(shown.marks)
    labels["tag"] = lambda: [tags[n].tags if n in tags else () for n in range(found.size)]
    return Facts(size=found.size, numbers=numbers, labels=labels, words=words, lines=lines)


def worth(found: Scoring, shown: Corpus, cause: str = "") -> Array:
    """What each segment adds to the lead of the better system, its corpus score less the other's, or what one cause
    adds there."""
    ledger = _ledger_of(found, shown)
    if ledger is None or (cause and cause not in ledger.parts):
        raise NotYetError("what segments are worth is still being looked for")
    each = np.asarray(ledger.parts[cause] if cause else ledger.worth, dtype=np.float64)
    return np.where(np.abs(each) > ROUNDING, each, 0.0)  # what is left of sums that are 0 is for nobody


def _ledger_of(found: Scoring, shown: Corpus) -> CorpusLedger | None:
    """What is known of the ledger, None while nothing is, and where it cannot be found."""
    ledger = found.ledger(shown.metric, shown.a, shown.b)
    return ledger if isinstance(ledger, CorpusLedger) else None


def _scores(found: Scoring, key: str, system: int) -> Array:
    table = found.tables.get(key)
    if table is None:
        raise NotYetError(f"{key} is not scored yet")
    return np.asarray(table.scores[system])


def _change(found: Scoring, key: str, a: int, b: int) -> Array:
    return np.asarray(_scores(found, key, b) - _scores(found, key, a))


def _alone(lines: Sequence[str]) -> Sequence[Sequence[str]]:
    return [(line,) for line in lines]


def _references(found: Scoring) -> Sequence[Sequence[str]]:
    return [[line for _, line in found.material.references_of(n)] for n in range(found.size)]


def _split(settings: TextSettings, text: str) -> Tokens:
    return forms(process(text, settings))


def _words_of_system(found: Scoring, system: int) -> Words:
    def made() -> Words:
        return Words(((words,) for words in found.texts.systems[system]), partial(_split, found.text))

    return found.remembered(("words", system), made)


def _words_of_references(found: Scoring) -> Words:
    return found.remembered(("words", "ref"), lambda: Words(found.texts.references, partial(_split, found.text)))


def _letters_of_source(found: Scoring) -> Words:
    """The source is in another language, of which the words are not known: its letters take their place."""
    lines = map(found.source, range(found.size))
    return found.remembered(("words", "source"), lambda: Words(((tuple(line),) for line in lines), tuple))


# ---------------------------------------------------------------- parts that are made of what is chosen


def of_document(found: Scoring, name: str) -> Part:
    """The part that selects a document's segments: an expression, where one can hold its name."""
    said = f"document “{theme.visible(name, 60)}”"
    try:
        return Part(said, f"document = {expressions.quoted(name)}")
    except ValueError:
        return Part(said, "", tuple([n for n in range(found.size) if found.document(n) == name]))


def of_pattern(each: Pattern) -> Part:
    """The part that selects the segments of which one output has an n-gram right and the other not."""
    return Part(
        f"“{theme.visible(' '.join(each.words), 60)}” right in one and not in the other", "", each.segments, each.words
    )


def of_part(each: Pattern) -> Part:
    """The same of a part of words: what is right in one output and not in the other."""
    said = f"“{theme.visible(spelled(each, 'character'), 60)}” within words, right in one and not in the other"
    return Part(said, "", each.segments, within="".join(each.words))


# ---------------------------------------------------------------- on the page

HELP = (
    "Names: a metric's key such as gtm (B's score), a.gtm, b.gtm, delta.gtm (B's less A's), worth (what a segment adds "
    "to the lead of the better system), length, number, document, tag; "
    'has("word"), a.has, b.has, ref.has, source.has, matches("regular expression"); and, or, not, brackets.'
)


def draw(found: Scoring, shown: Corpus, selected: Selected, beside: Callable[[], None]) -> None:
    """The field of the expression, what stands `beside` it, what is selected in words, and how to do without each
    part."""
    parts = record.parts(shown.where)
    typed = next((part.expression for part in parts if part.typed), "")
    handed.put("corpus_expression", typed)
    with st.container(horizontal=True, vertical_alignment="center", key="corpus_filter"):
        st.text_input(
            "Filter",
            key="corpus_expression",
            placeholder='Filter, for instance: gtm < 0.3 and length > 20 and has("not")',
            label_visibility="collapsed",
            help=HELP,
            on_change=lambda: type_in(st.session_state.corpus_expression.strip()),
        )
        beside()
        for place, part in enumerate(parts):
            said = part.said or part.expression
            st.button(
                f"✕ {theme.markdown(theme.visible(said, 60))}",
                key=f"corpus_part_{place}",
                help="Do without this part of the filter",
                on_click=remove,
                args=(place,),
            )
    for place, (why, pointed) in selected.problems.items():
        said = theme.visible(f"{parts[place].expression}: {why}", 600)
        st.warning(theme.markdown(f"{said}. It selects nothing away until it can be used."))
        if pointed:
            lines = "\n".join(theme.safe(line, 600) for line in pointed.split("\n"))
            st.html(f'<pre class="pointed">{lines}</pre>')
    if selected.mask is not None:
        st.html(f'<div class="rd">{theme.safe(_said(found, shown, selected), 400)}</div>')


def _said(found: Scoring, shown: Corpus, selected: Selected) -> str:
    """How many segments are selected, their scores, that of the system last which is better in all, and what they give
    of the difference of all."""
    said = f"{selected.size:,} of {theme.count_text(found.size, 'segment')}"
    if selected.some is None:
        return f"{said}."
    a, b = found.scores_of(shown.metric, *found.sides(shown.metric, shown.a, shown.b), selected.some)
    label, delta = metrics.METRICS[shown.metric].label, theme.change_text(b - a, DECIMALS)
    said += f", {label} {theme.score_text(a)} → {theme.score_text(b)} ({delta})."
    ledger = _ledger_of(found, shown)
    if ledger is not None:
        given = float(np.asarray(ledger.worth)[selected.some.numbers].sum())
        they = "it gives" if selected.size == 1 else "they give"
        all_ = theme.change_text(ledger.delta, DECIMALS)
        said += f" Of the {all_} of all segments {they} {theme.change_text(given, DECIMALS)}."
    if selected.some.fair and found.size > MANY:
        said += f" Of so many segments {label} alone is tested; another metric is when it is chosen."
    return said
