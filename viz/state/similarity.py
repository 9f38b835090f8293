"""The word similarity of SIA: stems, WordNet, an uploaded translation table, or one trained on an uploaded bitext."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from metrics.text import languages
from metrics.text.similarity import (
    MissingCorpus,
    Similarity,
    TrainingCancelled,
    TranslationTable,
    in_language,
    train,
)

from ..draw.pen import theme
from . import codec, pages

KEY = "sia.similarity"  # where the session holds the similarity that is in use
KIND = "similarity_kind"
LAST = "last_table"  # where it holds the translation table that was in use last, for going back
MISSING = (
    "its translation table is missing, for a link cannot hold one. Until it is opened here, or a workspace file that "
    "holds it, SIA matches equal words only"
)
KINDS = {
    "none": "none: equal words only",
    "stems": "words of the same stem",
    "wordnet": "WordNet synonyms (English)",
    "table": "translation table from a file",
    "train": "trained on a bitext",
}


#: Those that are another one for each language, and what the core calls them.
KINDS_OF_LANGUAGE = {"stems": "stem", "wordnet": "wordnet"}


def find_similarity(name: str, language: str = "english") -> Similarity | None:
    """The similarity that a link can name, for texts in a language: none, stems or wordnet. Raises ValueError for
    another name and for WordNet where it is not installed."""
    if name == "none":
        return None
    if name in KINDS_OF_LANGUAGE:
        try:
            return in_language(KINDS_OF_LANGUAGE[name], language)
        except MissingCorpus as missing:
            raise ValueError(str(missing)) from None
    raise ValueError(f"similarity must be one of none, stems, wordnet in a link, got {name!r:.40}")


def _language() -> str:
    return languages.treated_as(st.session_state.get("language") or "english")


def follow(language: str) -> None:
    """Let the similarity in use be that of texts in a language."""
    session = st.session_state
    if session.get(KIND) in KINDS_OF_LANGUAGE and session.get(KEY) is not None:
        session[KEY] = find_similarity(session[KIND], language)


def current() -> tuple[str, Similarity | None]:
    """The kind of similarity in use, and the similarity."""
    return st.session_state.get(KIND, "none"), st.session_state.get(KEY)


def is_busy() -> bool:
    """Whether files were given for a training, or one runs; what was given would be lost with its controls."""
    return st.session_state.get(KIND) == "train"


def kind_kept(state: Mapping[str, object], kind: str) -> str:
    """The kind of similarity as records have it: all translation tables in use are of one kind, from wherever they
    come, and where one is still to come nothing is similar."""
    if isinstance(state.get(KEY), TranslationTable):
        return pages.TABLE
    return "none" if kind == pages.TABLE else kind


def last_table() -> TranslationTable | None:
    """The translation table that this session has used last."""
    table: TranslationTable | None = st.session_state.get(LAST)
    return table


def restore(kind: str, table: object = None) -> None:
    """Put a similarity from a link or a workspace file into use; `table` is what a file holds of a translation table,
    or one that is used where the kind is that. Raises ValueError where that fails."""
    session = st.session_state
    session[KIND], session[KEY] = "none", None
    if kind == pages.TABLE and isinstance(table, TranslationTable):
        _use(table)
    elif table is not None and not isinstance(table, TranslationTable):
        _use(_saved_table(table))
    elif kind == pages.TABLE:
        raise ValueError(MISSING)
    else:
        session[KEY] = find_similarity(kind, _language())
        session[KIND] = kind


def _use(table: TranslationTable, kind: str = pages.TABLE) -> None:
    """Put a translation table into use."""
    session = st.session_state
    session[KEY] = session[LAST] = table
    if session.get(KIND) != kind:
        session[KIND] = kind


def _saved_table(saved: object) -> TranslationTable:
    """The translation table of a workspace file. Raises ValueError where it is damaged."""
    lines, name = (saved.get("lines"), saved.get("name")) if isinstance(saved, Mapping) else (None, None)
    if not (isinstance(name, str) and isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise ValueError("the translation table of the workspace should have a name and lines of text")
    return TranslationTable.from_lines(map(codec.sendable, lines), codec.sendable(name))


def saved(table: TranslationTable) -> dict[str, object]:
    """A translation table as files hold it."""
    return {"name": table.name, "lines": list(table.lines())}


def control() -> None:
    """The choice of a similarity, and what the chosen kind needs."""
    session = st.session_state
    session.setdefault(KIND, "none")
    kind = st.selectbox(
        "Similar words",
        list(KINDS),
        key=KIND,
        format_func=KINDS.__getitem__,
        on_change=_apply_choice,
        persist_state="session",
        help="Words that are not equal but similar may be aligned for a part of the credit (section 3.2).",
    )
    if problem := session.get("similarity_problem"):
        st.warning(theme.markdown(problem))
    if isinstance(session.get(KEY), TranslationTable):
        st.caption(theme.markdown(f"In use: {session[KEY].signature}, {len(session[KEY]):,} words."))
    if kind == "table":
        st.file_uploader(
            "Lexical translation table, lines of: word, foreign word, p(word | foreign word)",
            key="table_file",
            on_change=_open_table,
        )
    elif kind == "train":
        _training()


def _apply_choice() -> None:
    session = st.session_state
    session.similarity_problem = None
    session[KEY] = None
    if session[KIND] in KINDS_OF_LANGUAGE:
        try:
            session[KEY] = find_similarity(session[KIND], _language())
        except ValueError as error:
            session.similarity_problem = f"{error}. Everything else works without it."


def _open_table() -> None:
    session = st.session_state
    uploaded = session.table_file
    session.similarity_problem = None
    if uploaded is None:
        return
    try:
        _use(TranslationTable.from_lines(uploaded.getvalue().split(b"\n"), uploaded.name))
    except ValueError as error:
        session.similarity_problem = f"{error}."


# ---------------------------------------------------------------- training


@dataclass
class Training:
    """A training that runs in a thread of its own, so that the page stays alive and can stop it."""

    pairs: list[tuple[list[str], list[str]]]
    model: int
    iterations: int
    name: str
    rounds_done: int = 0
    total: int = 1
    table: TranslationTable | None = None
    problem: str | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        def progress(rounds_done: int, total: int) -> None:
            self.rounds_done, self.total = rounds_done, total

        try:
            self.table = train(self.pairs, self.model, self.iterations, progress, self.stop.is_set, self.name)
        except TrainingCancelled:
            self.problem = "Training was stopped; the words are compared as before."
        except ValueError as error:
            self.problem = f"{error}."
        finally:
            self.over.set()


def _training() -> None:
    session = st.session_state
    if session.get("training"):
        st.fragment(_progress, run_every=0.5)()
        return
    st.caption("Two files of equal length, a sentence a line, words separated by blanks.")
    ours = st.file_uploader("Sentences in the candidate's language", key="bitext_ours")
    foreign = st.file_uploader("Their translations in another language", key="bitext_foreign")
    model = st.segmented_control("IBM model", [1, 2, 3, 4], default=1, required=True, key="ibm_model")
    iterations = st.slider("Iterations", 1, 20, 5, key="ibm_iterations")
    if st.button("Train", disabled=not (ours and foreign)) and ours and foreign:
        try:
            pairs = paired(ours.getvalue(), foreign.getvalue(), ours.name, foreign.name)
        except ValueError as error:
            session.similarity_problem = str(error)
        else:
            session.similarity_problem = None
            session.training = Training(pairs, int(model or 1), iterations, f"ibm{model}({ours.name})")
            session.training.start()
        st.rerun()


def paired(ours: bytes, foreign: bytes, ours_name: str, foreign_name: str) -> list[tuple[list[str], list[str]]]:
    """The sentence pairs of two files. Raises ValueError with a sentence that names file and line."""
    sides = []
    for data, name in ((ours, ours_name), (foreign, foreign_name)):
        lines = data.splitlines()
        side = []
        for number, line in enumerate(lines, start=1):
            try:
                side.append(line.decode("utf-8-sig" if number == 1 else "utf-8").split())
            except UnicodeDecodeError:
                raise ValueError(f"{name}, line {number}: this is not UTF-8. Save the file as UTF-8.") from None
        sides.append(side)
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            f"{ours_name} has {len(sides[0]):,} lines and {foreign_name} has {len(sides[1]):,}. "
            "Both must have the same number, line n of one being the translation of line n of the other."
        )
    return list(zip(*sides, strict=True))


def _progress() -> None:
    session = st.session_state
    training: Training = session.training
    if training.over.is_set():
        session.training = None
        session.similarity_problem = training.problem
        if training.table:
            _use(training.table, "train")
        st.rerun()
    st.progress(training.rounds_done / training.total, f"Training: round {training.rounds_done} of {training.total}")
    if st.button("Stop training"):
        training.stop.set()
