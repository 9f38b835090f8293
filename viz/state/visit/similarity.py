"""Choose SIA's word similarity: stems, WordNet, an uploaded translation table, or one trained on a bitext."""

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
    similarity_for,
    train,
)

from ...draw.pen.text import escape_markdown
from ..links import codec, pages

KEY = "sia.similarity"  # the session key of the similarity in use
KIND = "similarity_kind"
LAST = "last_table"  # the session key of the last translation table in use, for going back
MISSING = (
    "its translation table is missing, since a link cannot hold one. Until it is opened here, or a workspace file that "
    "holds it, SIA matches equal words only"
)
KINDS = {
    "none": "none: equal words only",
    "stems": "words of the same stem",
    "wordnet": "WordNet synonyms (English)",
    "table": "translation table from a file",
    "train": "trained on a bitext",
}


#: The kinds that depend on the language, with their names in the core.
KINDS_OF_LANGUAGE = {"stems": "stem", "wordnet": "wordnet"}


def find_similarity(name: str, language: str = "english") -> Similarity | None:
    """Return the word similarity called `name`, for texts in `language`; None for “none”.

    Only similarities that a link can name exist here: none, stems and wordnet. Raises ValueError for another name,
    and for WordNet if it is not installed."""
    if name == "none":
        return None
    if name in KINDS_OF_LANGUAGE:
        try:
            return similarity_for(KINDS_OF_LANGUAGE[name], language)
        except MissingCorpus as missing:
            raise ValueError(str(missing)) from None
    raise ValueError(f"similarity must be one of none, stems, wordnet in a link, got {name!r:.40}")


def _treated_language() -> str:
    """Return the language whose stems and synonyms are used, which is English if the language is unknown."""
    return languages.language_for_stems(st.session_state.get("language") or "english")


def switch_language(language: str) -> None:
    """Switch the word similarity to the stems or synonyms of `language`, if one of these is in use."""
    session = st.session_state
    if session.get(KIND) in KINDS_OF_LANGUAGE and session.get(KEY) is not None:
        session[KEY] = find_similarity(session[KIND], language)


def current_similarity() -> tuple[str, Similarity | None]:
    """Return the name of the word similarity in use, and the similarity itself; None if only equal words match."""
    return st.session_state.get(KIND, "none"), st.session_state.get(KEY)


def has_open_training() -> bool:
    """Return whether the controls of a training are open; its chosen files would be lost if they were not drawn."""
    return st.session_state.get(KIND) == "train"


def kind_in_records(state: Mapping[str, object], kind: str) -> str:
    """Return the kind of similarity that a page state holds; `state` is the session, `kind` what its menu shows.

    All translation tables in use have the kind TABLE, wherever they come from. If TABLE is chosen but no table has
    been opened yet, the kind is “none”."""
    if isinstance(state.get(KEY), TranslationTable):
        return pages.TABLE
    return "none" if kind == pages.TABLE else kind


def last_table() -> TranslationTable | None:
    """Return the translation table that this session has used last; None if there is none."""
    table: TranslationTable | None = st.session_state.get(LAST)
    return table


def restore(kind: str, table: object = None) -> None:
    """Use the word similarity of a link or a workspace file.

    `table` is what a file holds of a translation table, or the table itself, which is used only if the kind is
    TABLE. Raises ValueError if the table is missing or damaged, or the kind is unknown."""
    session = st.session_state
    session[KIND], session[KEY] = "none", None
    if kind == pages.TABLE and isinstance(table, TranslationTable):
        _use_table(table)
    elif table is not None and not isinstance(table, TranslationTable):
        _use_table(_saved_table(table))
    elif kind == pages.TABLE:
        raise ValueError(MISSING)
    else:
        session[KEY] = find_similarity(kind, _treated_language())
        session[KIND] = kind


def _use_table(table: TranslationTable, kind: str = pages.TABLE) -> None:
    """Use a translation table as the word similarity of this session; `kind` is its entry in the menu."""
    session = st.session_state
    session[KEY] = session[LAST] = table
    if session.get(KIND) != kind:
        session[KIND] = kind


def _saved_table(saved: object) -> TranslationTable:
    """Return the translation table that a workspace file holds as `saved`. Raises ValueError if it is damaged."""
    lines, name = (saved.get("lines"), saved.get("name")) if isinstance(saved, Mapping) else (None, None)
    if not (isinstance(name, str) and isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise ValueError("the translation table of the workspace should have a name and lines of text")
    return TranslationTable.from_lines(map(codec.replace_surrogates, lines), codec.replace_surrogates(name))


def saved_table(table: TranslationTable) -> dict[str, object]:
    """Return a translation table as JSON types, as workspace files hold it."""
    return {"name": table.name, "lines": list(table.lines())}


def draw_similarity_control() -> None:
    """Draw the menu of word similarities, and the controls of the chosen one."""
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
        st.warning(escape_markdown(problem))
    if isinstance(session.get(KEY), TranslationTable):
        st.caption(escape_markdown(f"In use: {session[KEY].signature}, {len(session[KEY]):,} words."))
    if kind == "table":
        st.file_uploader(
            "Lexical translation table, lines of: word, foreign word, p(word | foreign word)",
            key="table_file",
            on_change=_open_table,
        )
    elif kind == "train":
        _draw_training()


def _apply_choice() -> None:
    """Use the word similarity that was chosen in the menu."""
    session = st.session_state
    session.similarity_problem = None
    session[KEY] = None
    if session[KIND] in KINDS_OF_LANGUAGE:
        try:
            session[KEY] = find_similarity(session[KIND], _treated_language())
        except ValueError as error:
            session.similarity_problem = f"{error}. Everything else works without it."


def _open_table() -> None:
    """Use the translation table that was uploaded, or keep a message on what is wrong with it."""
    session = st.session_state
    uploaded = session.table_file
    session.similarity_problem = None
    if uploaded is None:
        return
    try:
        _use_table(TranslationTable.from_lines(uploaded.getvalue().split(b"\n"), uploaded.name))
    except ValueError as error:
        session.similarity_problem = f"{error}."


# ---------------------------------------------------------------- training


@dataclass
class Training:
    """A training of a translation table in its own thread, so that the page still responds and can stop it.

    Attributes:
        pairs: the sentence pairs, each with the words of both sides.
        model: the number of the IBM model, 1 to 4.
        iterations: the number of iterations.
        name: the name of the table in signatures.
        rounds_done, total: the rounds of training that are done, and how many there are.
        table: the table, once it is trained.
        problem: why there is no table; None while there is no problem.
        stop: set to stop the training.
        over: set when the training has ended."""

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
        """Start the training in a new thread."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        """Train the table, and keep it or the reason why there is none."""

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


def _draw_training() -> None:
    """Draw the controls of a training, or its progress if one is running."""
    session = st.session_state
    if session.get("training"):
        st.fragment(_draw_progress, run_every=0.5)()
        return
    st.caption("Two files of equal length, one sentence per line, words separated by spaces.")
    ours = st.file_uploader("Sentences in the candidate's language", key="bitext_ours")
    foreign = st.file_uploader("Their translations in another language", key="bitext_foreign")
    model = st.segmented_control("IBM model", [1, 2, 3, 4], default=1, required=True, key="ibm_model")
    iterations = st.slider("Iterations", 1, 20, 5, key="ibm_iterations")
    if st.button("Train", disabled=not (ours and foreign)) and ours and foreign:
        try:
            pairs = sentence_pairs(ours.getvalue(), foreign.getvalue(), ours.name, foreign.name)
        except ValueError as error:
            session.similarity_problem = str(error)
        else:
            session.similarity_problem = None
            session.training = Training(pairs, int(model or 1), iterations, f"ibm{model}({ours.name})")
            session.training.start()
        st.rerun()


def sentence_pairs(ours: bytes, foreign: bytes, ours_name: str, foreign_name: str) -> list[tuple[list[str], list[str]]]:
    """Return the words of both sides of each line pair of two files, `ours` in the candidate's language.

    Raises ValueError with a sentence that names file and line."""
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


def _draw_progress() -> None:
    """Draw the progress of the training, and use its table once it has ended."""
    session = st.session_state
    training: Training = session.training
    if training.over.is_set():
        session.training = None
        session.similarity_problem = training.problem
        if training.table:
            _use_table(training.table, "train")
        st.rerun()
    st.progress(training.rounds_done / training.total, f"Training: round {training.rounds_done} of {training.total}")
    if st.button("Stop training"):
        training.stop.set()
