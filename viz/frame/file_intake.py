"""Let a visitor choose or paste files, say what they were recognised as, and let the visitor correct that.

The state is kept in the session under keys that begin with the name of the page's intake. So each page has its own
state, which stays while another page is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import streamlit as st

from metrics.corpus.file_checks import Repairs
from metrics.formula import counted
from metrics.text import judgements, languages
from metrics.text.files import BadData
from metrics.text.formats import File, Material, RecognisedFile, read, recognise_files
from metrics.text.formats.folders import is_corpus_file
from metrics.text.formats.sheets import KINDS
from metrics.text.judgements import JudgementRecord

from ..draw.pen import theme
from . import menus, uploads

WAYS = {"files": "Files", "folder": "A folder", "paste": "Paste"}
KINDS_SAID = {
    "system": "System",
    "reference": "Reference",
    "post-edited": "Post-edited reference",
    "source": "Source",
    "document": "Document",
    "key": "Key",
    "score": "Score",
    "nothing": "Nothing",
}
assert {*KINDS} < {*KINDS_SAID}
FILES_SHOWN = 8  # files that are described one by one; the descriptions of more files are folded
COLUMNS_MOST = 60  # most columns whose roles can be corrected on the page

#: A hashable value of files and of the roles assigned to their columns.
FilesAndRoles = tuple[tuple[File, ...], tuple[tuple[str, str], ...]]


class PasteField(NamedTuple):
    """A field for pasted lines: its label, the role of its text, and what it asks for."""

    label: str
    role: str
    says: str = "a segment a line"


class Reading(NamedTuple):
    """The last reading of files: the files and roles it was made of, its outcome, and the repairs applied to that.

    The outcome is an error message where the files could not be read."""

    of: FilesAndRoles
    outcome: Material | str
    repairs: Repairs


def files_and_roles(files: Sequence[File], roles: Mapping[str, str]) -> FilesAndRoles:
    """Return files and roles as one hashable value."""
    return tuple(files), tuple(sorted(roles.items()))


class FileIntake:
    """The controls of one page for choosing, pasting and correcting files.

    Attributes:
        name: the prefix of its keys in the session.
        asks: the label of the file uploader.
        fields: the fields for pasted text."""

    def __init__(self, name: str, asks: str, fields: Sequence[PasteField]) -> None:
        self.name, self.asks, self.fields = name, asks, fields

    def key(self, what: str) -> str:
        """Return the session's key for `what` of this page."""
        return f"{self.name}_{what}"

    @property
    def roles(self) -> dict[str, str]:
        """The roles that the visitor assigned to columns, by column."""
        roles: dict[str, str] | None = st.session_state.get(self.key("roles"))
        return roles or {}

    @property
    def last_reading(self) -> Reading | None:
        """The last reading of files, None if nothing was read."""
        reading: Reading | None = st.session_state.get(self.key("read"))
        return reading

    @last_reading.setter
    def last_reading(self, reading: Reading) -> None:
        st.session_state[self.key("read")] = reading

    def begin_from(self, files: Sequence[File], roles: Mapping[str, str]) -> None:
        """Start with files that were given before, because a reloaded tab has lost them.

        Nothing happens if the page has read files since."""
        state = st.session_state
        if self.key("read") not in state:
            state.update({self.key("before"): tuple(files), self.key("roles"): dict(roles)})

    # ------------------------------------------------------------ files

    def choose_way(self) -> str:
        """Draw the choice between files, a folder and pasting, and return the key of the chosen one."""
        chosen: str = st.segmented_control(
            "Texts from",
            list(WAYS),
            key=self.key("way"),
            default="files",
            required=True,
            format_func=WAYS.__getitem__,
        )
        return chosen

    def files(self, way: str) -> list[File]:
        """Draw the controls for the chosen `way`, and return the files that were chosen or pasted."""
        return {"paste": self.pasted, "folder": self.folder}.get(way, self.chosen_files)()

    def chosen_files(self) -> list[File]:
        """Draw the uploader of files, and return its files and those kept from before.

        The browser's own list has lost the latter."""
        return self._uploaded("files")

    def folder(self) -> list[File]:
        """Draw the uploader of a folder, and return its files and those kept from before; names include folders."""
        return self._uploaded("folder")

    def _uploaded(self, way: str) -> list[File]:
        """Draw the uploader, "files" or "folder", and return its files and those kept from before."""
        state, listed_key, before_key = st.session_state, self.key("listed"), self.key("before")
        given: Any = st.file_uploader(
            self.asks,
            accept_multiple_files="directory" if way == "folder" else True,
            key=self.key(way),
            on_change=lambda: state.update({listed_key: ()}),
        )
        if way == "folder":
            given = [file for file in given or () if is_corpus_file(PurePath(*PurePath(file.name).parts[1:]))]
        listed, left_out = uploads.keep_fitting(state.get(before_key, ()), given or ())
        if left_out:
            st.warning(theme.markdown(left_out))
        if not listed:  # the page was left; if the visitor had emptied the list, `on_change` would have cleared it
            self.keep_files()
        state[listed_key] = listed
        before: tuple[File, ...] = state.get(before_key, ())
        if before:
            with st.container(horizontal=True, vertical_alignment="center", key=self.key("before_bar")):
                names = ", ".join([theme.safe(file.name, 60) for file in before[:10]])
                more = f" and {len(before) - 10} more" if before[10:] else ""
                st.html(f'<div class="lead_line">From before: {names}{more}</div>', width="content")
                st.button("Without them", key=self.key("without"), on_click=lambda: state.update({before_key: ()}))
        return distinct_files([*before, *listed])

    def keep_files(self) -> None:
        """Keep the uploaded files in the session, because the browser's list is about to lose them."""
        state = st.session_state
        before: tuple[File, ...] = state.get(self.key("before"), ())
        state[self.key("before")] = (*before, *state.pop(self.key("listed"), ()))

    def pasted(self) -> list[File]:
        """Draw the fields for pasted lines, and return the text of each field as a file."""
        out = []
        for column, (label, role, says) in zip(st.columns(len(self.fields)), self.fields, strict=True):
            with column:
                text = st.text_area(
                    f"{label}, {says}", key=self.key(f"pasted_{label}"), height=200, persist_state="session"
                )
            if text and text.strip():
                data = text.encode("utf-8", "replace")
                out.append(File(label, data, role or None, label if role == "system" else ""))
        return out

    # ------------------------------------------------------------ what they hold

    def split_judgements(self, files: Sequence[File]) -> tuple[list[File], list[File]]:
        """Return two lists, the files of texts and the files of judgements; the result is cached."""
        state, key = st.session_state, self.key("parted")
        cached: tuple[object, tuple[list[File], list[File]]] | None = state.get(key)
        if cached is None or cached[0] != tuple(files):
            cached = state[key] = tuple(files), judgements.split_files(files)
        return cached[1]

    def judged(
        self,
        theirs: Sequence[File],
        material: Material,
        higher: Mapping[str, bool] = {},
        origins: Mapping[str, str] = {},
    ) -> JudgementRecord | str:
        """Return the judgements in the files `theirs`, or an error message; the result is cached.

        For `higher` and `origins` see `judgements.read`."""
        state, key = st.session_state, self.key("judged")
        request = tuple(theirs), id(material), tuple(sorted(higher.items())), tuple(sorted(origins.items()))
        cached: tuple[object, JudgementRecord | str] | None = state.get(key)
        if cached is None or cached[0] != request:
            cached = state[key] = request, judgements_of(theirs, material, higher, origins)
        return cached[1]

    def read(self, files: Sequence[File], roles: Mapping[str, str]) -> tuple[Material | str, Repairs]:
        """Return the texts of the files, or an error message, and the repairs applied to them; the result is cached.

        Reruns the page if another language than before is recognised in the references."""
        request = files_and_roles(files, roles)
        reading = self.last_reading
        if reading is None or reading.of != request:
            try:
                outcome: Material | str = read(files, roles)
            except (BadData, ValueError) as error:
                outcome = f"{error}."
            reading = self.last_reading = Reading(request, outcome, {})
            if self.recognise(outcome):
                st.rerun()  # this run began with the former language
        return reading.outcome, reading.repairs

    def recognised(self, files: Sequence[File], roles: Mapping[str, str]) -> Sequence[RecognisedFile]:
        """Return what each file was recognised as, for files that could not be read together; the result is cached."""
        state, request = st.session_state, files_and_roles(files, roles)
        cached: tuple[object, Sequence[RecognisedFile]] | None = state.get(self.key("recognised"))
        if cached is None or cached[0] != request:
            cached = state[self.key("recognised")] = request, recognise_files(files, roles)
        return cached[1]

    def recognise(self, outcome: Material | str) -> bool:
        """Set the language of the texts to that of the references, unless the visitor chose one.

        Returns whether the language changed."""
        state, key = st.session_state, self.key("language")
        if isinstance(outcome, Material) and outcome.references and not state.get(self.key("language_set")):
            language = language_of(outcome)
            before, state[key] = str(state.get(key, "english")), language
            return language != before
        return False

    def language(self, now: str) -> None:
        """Draw the choice of the language; `now` is the language that was recognised or chosen."""
        state = st.session_state
        state[self.key("language")] = now
        st.selectbox(
            "Language",
            menus.languages_offered(),
            key=self.key("language"),
            format_func=languages.language_label,
            on_change=lambda: state.update({self.key("language_set"): True}),
            width=220,
        )

    # ------------------------------------------------------------ corrections

    def correct(self, files: Sequence[RecognisedFile], roles: Mapping[str, str]) -> None:
        """Draw a selector and a name field for each file or column, to correct what it is taken for."""
        columns = [(each, name, role) for each in files for name, role in each.columns][:COLUMNS_MOST]
        with st.expander("Correct what they are taken for", on_change="rerun", key=self.key("correct")) as expander:
            if not expander.open:
                return
            for number, (file, name, role) in enumerate(columns):
                kind = "post-edited" if role.edited else role.kind
                label = f"{file.file}: {name}" if name and len(file.columns) > 1 else file.file
                left_column, right = st.columns([5, 5], vertical_alignment="bottom")
                with left_column:
                    st.selectbox(
                        theme.markdown(theme.visible(label, 120)),
                        list(KINDS_SAID),
                        index=list(KINDS_SAID).index(kind),
                        key=self.key(f"kind_{number}"),
                        format_func=KINDS_SAID.__getitem__,
                        on_change=self._correct_one,
                        args=(file, name, number),
                    )
                with right:
                    st.text_input(
                        "Name",
                        value=f"{role.name}:{role.of}" if role.of else role.name,
                        key=self.key(f"called_{number}"),
                        on_change=self._correct_one,
                        args=(file, name, number),
                    )
            if roles:
                st.button("Take back the corrections", on_click=self._correct_none)

    def _correct_one(self, file: RecognisedFile, name: str, number: int) -> None:
        """Assign the chosen role and name to the column `name` of a file, in a callback."""
        state = st.session_state
        kind, typed_name = state[self.key(f"kind_{number}")], state[self.key(f"called_{number}")].strip()
        key = f"{file.file}:{name}" if name and len(file.columns) > 1 else file.file
        state[self.key("roles")] = {**self.roles, key: f"{kind}:{typed_name}" if typed_name else kind}

    def _correct_none(self) -> None:
        """Remove all corrections, in a callback."""
        st.session_state[self.key("roles")] = {}


def judgements_of(
    theirs: Sequence[File],
    material: Material,
    higher: Mapping[str, bool] = {},
    origins: Mapping[str, str] = {},
) -> JudgementRecord | str:
    """Return the judgements in the files `theirs`, or an error message."""
    try:
        return judgements.read(theirs, material, higher, origins)
    except BadData as error:
        return f"{error}."


def distinct_files(files: Sequence[File]) -> list[File]:
    """Return the files with distinct names: equal files once, and different files of one name numbered."""
    out: dict[str, File] = {}
    for file in files:
        name, number = file.name, 2
        while name in out and out[name].data != file.data:
            stem, dot, ending = file.name.partition(".")
            name, number = f"{stem} ({number}){dot}{ending}", number + 1
        out[name] = file._replace(name=name)
    return [*out.values()]


def language_of(material: Material) -> str:
    """Return the language recognised from all references, as on the command line."""
    return languages.recognise_language([line for texts in material.references.values() for line in texts.lines])


def summary(material: Material, more: Sequence[str] = (), parts: Sequence[str] = ()) -> str:
    """Return HTML that says what the files were recognised as.

    A first line counts segments, systems and references, with the additional `parts`. A sentence on each file, the
    notes and the sentences of `more` follow."""
    files, notes = [each.sentence for each in material.files], [*material.notes, *more]
    if len(files) > FILES_SHOWN:
        each = f"<details><summary>What each of {len(files)} files is taken for</summary>{listed(files)}</details>"
        details = each + (listed(notes) if notes else "")
    else:
        details = listed([*files, *notes])
    all_ = [counted(len(material), "segment"), counted(len(material.systems), "system")]
    all_ += [counted(len(material.references), "reference")]
    all_ += ["the source"] if material.source else []
    all_ += [counted(len({*material.documents}), "document")] if material.documents else []
    return f'<div class="recognised"><b>{", ".join([*all_, *parts])}</b>{details}</div>'


def listed(sentences: Sequence[str]) -> str:
    """Return sentences as an HTML list."""
    return f"<ul>{''.join(f'<li>{theme.safe(each, 600)}</li>' for each in sentences)}</ul>"
