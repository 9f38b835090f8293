"""Hold the corpora of visitors in the server's memory and nowhere else, and prepare their outputs for drawing.

Each corpus has a random name that nobody can guess. The browser's tab keeps this name to find the corpus after a
reload. A corpus stays as long as a session holds it."""

from __future__ import annotations

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

import streamlit as st

import metrics
from metrics.text import TextSettings, forms
from metrics.text.formats import Material
from metrics.text.judgements import JudgementRecord
from metrics.types import Segment, Settings

from ..draw.texts import ProcessedTexts
from ..state.links.pages import PageState
from ..state.results import cache
from ..state.texts import inputs, marked_errors
from ..state.texts.inputs import MissingKind, MissingText
from ..state.texts.marked_errors import TextMarks

LOST = "The server was restarted and no longer has this corpus: choose its files again. Your settings are kept."
#: Most letters that are shown of an output without references.
LETTERS_MOST = 4_000
EMPTY = MissingText(MissingKind.WORDLESS, "This segment has no words on one of its sides, so nothing can be drawn.")
UNREFERRED = MissingText(MissingKind.REFERENCE, "There is no reference, so no metric can be scored.")


class VisitorCorpus(ABC):
    """A visitor's corpus. Systems and segments are numbered from 0.

    Attributes:
        name: its random name.
        material: the texts.
        text: how the texts are processed.
        settings: the settings of all metrics that can be scored, by key.
        first: the key of the metric that is scored first.
        names: the names of the systems.
        last_heard: when the page last gave a sign of life, as `time.monotonic()`."""

    def __init__(self, material: Material, text: TextSettings, settings: Mapping[str, Settings], first: str) -> None:
        self.name = secrets.token_urlsafe(18)
        self.material, self.text, self.settings, self.first = material, text, settings, first
        self.names = tuple(material.systems)
        self.last_heard = time.monotonic()

    @abstractmethod
    def start(self) -> None:
        """Start scoring in the background."""

    @abstractmethod
    def stop(self) -> None:
        """Stop all computation; the results so far are kept."""

    def keep_alive(self) -> None:
        """Record that the page is still open."""
        self.last_heard = time.monotonic()

    @abstractmethod
    def applicable_judgements(self, systems: Sequence[int], segment: int) -> JudgementRecord | None:
        """Return people's judgements if there are any and they apply to these systems' outputs for a segment."""

    @property
    def segment_count(self) -> int:
        """The number of segments in this corpus."""
        return len(self.material)

    def output_text(self, system: int, segment: int) -> str:
        """Return the output of a system for a segment as text, unchanged."""
        return self.material.systems[self.names[system]].lines[segment]

    def source_text(self, segment: int) -> str:
        """Return the source text of a segment, "" if the corpus has no source."""
        return self.material.source.lines[segment] if self.material.source else ""

    def document_name(self, segment: int) -> str:
        """Return the name of the document that a segment belongs to, "" if the files name no documents."""
        return self.material.documents[segment] if self.material.documents else ""

    def references_text(self, segment: int) -> str:
        """Return the references of a segment that have words, each on one line."""
        each = [line for _, line in self.material.references_of(segment)]
        return "\n".join([line.replace("\n", " ") for line in each if line.strip()])

    def marked_errors(self, systems: Sequence[int], segment: int) -> tuple[TextMarks, ...]:
        """Return the errors that people marked in the outputs of `systems` for a segment, as page states hold them."""
        out: list[TextMarks] = []
        judged = self.applicable_judgements(systems, segment)
        for system in systems:
            if judged and self.names[system] in judged.systems:
                marks = marked_errors.marks_of_output(judged, judged.systems.index(self.names[system]), segment)
                out += marked_errors.marks_of_text(self.output_text(system, segment), self.source_text(segment), marks)
        return tuple(out)

    def drawable_output(self, system: int, segment: int) -> ProcessedTexts | MissingText:
        """Return a system's output for a segment with its references and the errors that people marked, to be drawn.

        If the candidate or all references have no words, returns what can be drawn of the other side, or, if both have
        none, the reason why nothing can be drawn."""
        if not self.material.references:
            return UNREFERRED
        given = self.output_text(system, segment), self.references_text(segment), self.text
        source, marks = self.source_text(segment), self.marked_errors([system], segment)
        whole = inputs.read_texts(*given, source=source, marks=marks)
        if not isinstance(whole, MissingText) or not whole.is_untyped:
            return whole
        return inputs.read_one_sided(*given, source=source, marks=marks) or EMPTY

    def drawable_pair(self, systems: tuple[int, int], segment: int) -> list[ProcessedTexts] | MissingText:
        """Return the outputs of two systems for a segment, ready to be drawn with the errors that people marked.

        Returns the reason instead if they cannot be drawn, for example because the references have no words."""
        if not self.material.references:
            return UNREFERRED
        whole = inputs.read_systems(
            [(self.names[system], self.output_text(system, segment)) for system in systems],
            self.references_text(segment),
            self.text,
            source=self.source_text(segment),
            marks=self.marked_errors(systems, segment),
        )
        return EMPTY if isinstance(whole, MissingText) and whole.is_untyped else whole

    def drawable_unreferenced_outputs(self, systems: Sequence[int], segment: int) -> list[tuple[str, ProcessedTexts]]:
        """Return pairs of a system's name and its output for a segment, ready to be drawn without references.

        The errors that people marked are attached. Of an output only the first LETTERS_MOST letters are shown."""
        out = []
        for system in systems:
            line = self.output_text(system, segment)
            tokens = cache.tokens(line[:LETTERS_MOST], self.text)
            words = Segment(forms(tokens), ((),))
            texts = ProcessedTexts(words, tokens, (), self.text, self.source_text(segment).strip())
            marks = self.marked_errors([system], segment)
            out.append((self.names[system], marked_errors.attach_marks(texts, marks, line)))
        return out

    def describe_changed_settings(self, state: PageState) -> str:
        """Return a sentence that names the settings that were changed since the corpus was scored, "" if none were.

        `state` has the present settings."""
        # A segment that was opened on another page took its own settings there, which is no change.
        other = [
            key
            for key, each in self.settings.items()
            if state.settings_of(key) not in (each, metrics.METRICS[key].settings_of_segment(each))
        ]
        if self.text == state.text and not other:
            return ""
        what = "the text processing" if self.text != state.text else ""
        labels = ", ".join([metrics.METRICS[key].label for key in other])
        changes = " and ".join([each for each in (what, f"the settings of {labels}" if other else "") if each])
        changes = f"{changes[0].upper()}{changes[1:]}"
        return f"{changes} changed since this was scored; the scores are from before the change."


Corpus = TypeVar("Corpus", bound=VisitorCorpus)


class VisitorCorpora(Generic[Corpus]):
    """The corpora of one page, of which the visitor's is in the session.

    Attributes:
        key: the session's key of the visitor's corpus; with “_lost” after it, whether the server has lost it."""

    def __init__(self, key: str) -> None:
        self.key = key
        self._by_name: WeakValueDictionary[str, Corpus] = WeakValueDictionary()

    def current(self) -> Corpus | None:
        """Return the visitor's corpus from the session, None if there is none."""
        corpus: Corpus | None = st.session_state.get(self.key)
        return corpus

    def register(self, corpus: Corpus) -> Corpus:
        """Register a corpus under its name, so that a reloaded page finds it, and return it."""
        self._by_name[corpus.name] = corpus
        return corpus

    def find(self, name: object) -> Corpus | None:
        """Return the corpus with this name, None if the server no longer has it."""
        return self._by_name.get(name) if isinstance(name, str) else None

    def begin_scoring(self, corpus: Corpus) -> None:
        """Put a corpus into the session in place of the former one, and start scoring it."""
        self.drop()
        st.session_state.update({self.key: self.register(corpus), f"{self.key}_lost": False})
        corpus.start()

    def drop(self) -> None:
        """Stop the computation of the visitor's corpus, and remove it from the session."""
        if former := st.session_state.pop(self.key, None):
            former.stop()

    def name(self) -> str | None:
        """Return the name of the visitor's corpus, which the tab keeps for a reload; None if there is no corpus."""
        corpus = self.current()
        return corpus.name if corpus else None

    def take(self, kept_name: object) -> None:
        """Find the corpus that the tab kept by name, after a reload.

        If the server no longer has it, the next run says so."""
        if not isinstance(kept_name, str) or self.current():
            return
        if corpus := self.find(kept_name):
            st.session_state.update({self.key: corpus, "whole_page": True})
        else:
            st.session_state[f"{self.key}_lost"] = True
