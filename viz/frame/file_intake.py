"""Let a visitor choose or paste files, say what they were recognised as, and let the visitor correct that.

Each page has its own controls and its own state, which stays while another page is open: its keys in the session begin
with the name of the page's controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import streamlit as st

from metrics.corpus.file_checks import Repairs
from metrics.formula import count_with_noun
from metrics.text import judgements, languages
from metrics.text.files import BadData
from metrics.text.formats import File, Material, RecognisedFile, read, recognise_files
from metrics.text.formats.folders import is_corpus_file
from metrics.text.formats.sheets import KINDS
from metrics.text.judgements import JudgementRecord

from ..draw.pen.text import escape_markdown, safe, visible
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
    """A text field for pasted lines.

    Attributes:
        label: the label of the field, also the name of the file that its text becomes.
        role: the role of its text, such as "system"; "" where it is to be recognised.
        says: what the field asks for, shown after the label."""

    label: str
    role: str
    says: str = "one segment per line"


class FilesReading(NamedTuple):
    """The last reading of a visitor's files.

    Attributes:
        of: the files and roles that were read.
        outcome: the texts in them, or an error message where the files could not be read.
        repairs: the repairs of misaligned lines that are applied to the texts, by system name."""

    of: FilesAndRoles
    outcome: Material | str
    repairs: Repairs


def files_and_roles(files: Sequence[File], roles: Mapping[str, str]) -> FilesAndRoles:
    """Return files and the roles assigned to their columns as one hashable value, with which results are cached."""
    return tuple(files), tuple(sorted(roles.items()))


class FileIntake:
    """The controls of one page with which a visitor chooses, pastes and corrects files.

    Attributes:
        name: the prefix of their keys in the session.
        asks: the label of the file uploader.
        fields: the text fields for pasted lines."""

    def __init__(self, name: str, asks: str, fields: Sequence[PasteField]) -> None:
        self.name, self.asks, self.fields = name, asks, fields

    def session_key(self, what: str) -> str:
        """Return the key under which the session holds `what`, a control or a value of this page."""
        return f"{self.name}_{what}"

    @property
    def roles(self) -> dict[str, str]:
        """The roles, such as "system:A", that the visitor assigned to columns, by "FILE" or "FILE:COLUMN"."""
        roles: dict[str, str] | None = st.session_state.get(self.session_key("roles"))
        return roles or {}

    @property
    def last_reading(self) -> FilesReading | None:
        """The last reading of files in this session, None if nothing was read."""
        reading: FilesReading | None = st.session_state.get(self.session_key("read"))
        return reading

    @last_reading.setter
    def last_reading(self, reading: FilesReading) -> None:
        st.session_state[self.session_key("read")] = reading

    def begin_from(self, files: Sequence[File], roles: Mapping[str, str]) -> None:
        """Fill the list of files with those that were given earlier, because a reloaded tab has lost them.

        Nothing happens if the page has read files since it was loaded."""
        state = st.session_state
        if self.session_key("read") not in state:
            state.update({self.session_key("before"): tuple(files), self.session_key("roles"): dict(roles)})

    # ------------------------------------------------------------ files

    def draw_input_choice(self) -> str:
        """Draw the choice between files, a folder and pasting, and return "files", "folder" or "paste"."""
        chosen: str = st.segmented_control(
            "Texts from",
            list(WAYS),
            key=self.session_key("way"),
            default="files",
            required=True,
            format_func=WAYS.__getitem__,
        )
        return chosen

    def draw_file_input(self, way: str) -> list[File]:
        """Draw the uploader or the fields of the chosen `way` ("files", "folder" or "paste"), and return the files."""
        return self.draw_paste_fields() if way == "paste" else self.draw_uploader(way)

    def draw_uploader(self, way: str) -> list[File]:
        """Draw the uploader of "files" or of a "folder", and return its files with those kept from before.

        The name of a file in a folder includes its folders. The session keeps files because the browser's list loses
        them when the visitor leaves the page."""
        state, listed_key, before_key = st.session_state, self.session_key("listed"), self.session_key("before")
        given: Any = st.file_uploader(
            self.asks,
            accept_multiple_files="directory" if way == "folder" else True,
            key=self.session_key(way),
            on_change=lambda: state.update({listed_key: ()}),
        )
        if way == "folder":
            given = [file for file in given or () if is_corpus_file(PurePath(*PurePath(file.name).parts[1:]))]
        listed, left_out = uploads.keep_fitting_files(state.get(before_key, ()), given or ())
        if left_out:
            st.warning(escape_markdown(left_out))
        if not listed:  # the page was left; if the visitor had emptied the list, `on_change` would have cleared it
            self.keep_files()
        state[listed_key] = listed
        before: tuple[File, ...] = state.get(before_key, ())
        if before:
            with st.container(horizontal=True, vertical_alignment="center", key=self.session_key("before_bar")):
                names = ", ".join([safe(file.name, 60) for file in before[:10]])
                more = f" and {len(before) - 10} more" if before[10:] else ""
                st.html(f'<div class="lead_line">Kept from before: {names}{more}</div>', width="content")
                st.button(
                    "Remove them", key=self.session_key("without"), on_click=lambda: state.update({before_key: ()})
                )
        return distinct_files([*before, *listed])

    def keep_files(self) -> None:
        """Keep the uploaded files in the session, because the browser's list of them is about to be lost."""
        state = st.session_state
        before: tuple[File, ...] = state.get(self.session_key("before"), ())
        state[self.session_key("before")] = (*before, *state.pop(self.session_key("listed"), ()))

    def draw_paste_fields(self) -> list[File]:
        """Draw the text fields for pasted lines, and return the text of each filled field as a file."""
        out = []
        for column, (label, role, says) in zip(st.columns(len(self.fields)), self.fields, strict=True):
            with column:
                text = st.text_area(
                    f"{label}, {says}", key=self.session_key(f"pasted_{label}"), height=200, persist_state="session"
                )
            if text and text.strip():
                data = text.encode("utf-8", "replace")
                out.append(File(label, data, role or None, label if role == "system" else ""))
        return out

    # ------------------------------------------------------------ what they hold

    def split_judgements(self, files: Sequence[File]) -> tuple[list[File], list[File]]:
        """Return the files that hold texts and, as a second list, those that hold people's judgements; cached."""
        state, key = st.session_state, self.session_key("parted")
        cached: tuple[object, tuple[list[File], list[File]]] | None = state.get(key)
        if cached is None or cached[0] != tuple(files):
            cached = state[key] = tuple(files), judgements.split_files(files)
        return cached[1]

    def read_judgements(
        self,
        judgement_files: Sequence[File],
        material: Material,
        higher: Mapping[str, bool] = {},
        origins: Mapping[str, str] = {},
    ) -> JudgementRecord | str:
        """Return the judgements in the files `judgement_files`, or an error message; cached.

        The arguments are those of the function `read_judgements`."""
        state, key = st.session_state, self.session_key("judged")
        request = tuple(judgement_files), id(material), tuple(sorted(higher.items())), tuple(sorted(origins.items()))
        cached: tuple[object, JudgementRecord | str] | None = state.get(key)
        if cached is None or cached[0] != request:
            cached = state[key] = request, read_judgements(judgement_files, material, higher, origins)
        return cached[1]

    def read_files(self, files: Sequence[File], roles: Mapping[str, str]) -> tuple[Material | str, Repairs]:
        """Return the texts in the files, or an error message, and the repairs that are applied to them; cached.

        `roles` are the visitor's corrections of what columns were recognised as. The page is rerun if the references
        turn out to be in another language than before, because this run began with the former one."""
        request = files_and_roles(files, roles)
        reading = self.last_reading
        if reading is None or reading.of != request:
            try:
                outcome: Material | str = read(files, roles)
            except (BadData, ValueError) as error:
                outcome = f"{error}."
            reading = self.last_reading = FilesReading(request, outcome, {})
            if self.adopt_recognised_language(outcome):
                st.rerun()  # this run began with the former language
        return reading.outcome, reading.repairs

    def recognised_files(self, files: Sequence[File], roles: Mapping[str, str]) -> Sequence[RecognisedFile]:
        """Return what each file was recognised as, for files that could not be read together; cached."""
        state, request = st.session_state, files_and_roles(files, roles)
        cached: tuple[object, Sequence[RecognisedFile]] | None = state.get(self.session_key("recognised"))
        if cached is None or cached[0] != request:
            cached = state[self.session_key("recognised")] = request, recognise_files(files, roles)
        return cached[1]

    def adopt_recognised_language(self, outcome: Material | str) -> bool:
        """Set the language of the page to that of the references in `outcome`, unless the visitor chose one.

        Returns whether the language changed. Nothing happens if `outcome` is an error message."""
        state, key = st.session_state, self.session_key("language")
        if isinstance(outcome, Material) and outcome.references and not state.get(self.session_key("language_set")):
            language = recognise_reference_language(outcome)
            before, state[key] = str(state.get(key, "english")), language
            return language != before
        return False

    def draw_language_selector(self, now: str) -> None:
        """Draw the selector of the language of the texts; `now` is the language that was recognised or chosen."""
        state = st.session_state
        state[self.session_key("language")] = now
        st.selectbox(
            "Language",
            menus.selectable_languages(),
            key=self.session_key("language"),
            format_func=languages.language_label,
            on_change=lambda: state.update({self.session_key("language_set"): True}),
            width=220,
        )

    # ------------------------------------------------------------ corrections

    def draw_corrections(self, files: Sequence[RecognisedFile], roles: Mapping[str, str]) -> None:
        """Draw a selector of the role and a field for the name of each file or column.

        With them the visitor corrects what the files were recognised as."""
        columns = [(each, name, role) for each in files for name, role in each.columns][:COLUMNS_MOST]
        with st.expander("Correct how they are read", on_change="rerun", key=self.session_key("correct")) as expander:
            if not expander.open:
                return
            for number, (file, name, role) in enumerate(columns):
                kind = "post-edited" if role.edited else role.kind
                label = f"{file.file}: {name}" if name and len(file.columns) > 1 else file.file
                left_column, right = st.columns([5, 5], vertical_alignment="bottom")
                with left_column:
                    st.selectbox(
                        escape_markdown(visible(label, 120)),
                        list(KINDS_SAID),
                        index=list(KINDS_SAID).index(kind),
                        key=self.session_key(f"kind_{number}"),
                        format_func=KINDS_SAID.__getitem__,
                        on_change=self._store_correction,
                        args=(file, name, number),
                    )
                with right:
                    st.text_input(
                        "Name",
                        value=f"{role.name}:{role.of}" if role.of else role.name,
                        key=self.session_key(f"called_{number}"),
                        on_change=self._store_correction,
                        args=(file, name, number),
                    )
            if roles:
                st.button("Undo the corrections", on_click=self._remove_corrections)

    def _store_correction(self, file: RecognisedFile, name: str, number: int) -> None:
        """Store the role and name that the visitor has chosen for the column `name` of `file`; a callback.

        `number` is the position of the column's controls."""
        state = st.session_state
        kind, typed_name = (
            state[self.session_key(f"kind_{number}")],
            state[self.session_key(f"called_{number}")].strip(),
        )
        key = f"{file.file}:{name}" if name and len(file.columns) > 1 else file.file
        state[self.session_key("roles")] = {**self.roles, key: f"{kind}:{typed_name}" if typed_name else kind}

    def _remove_corrections(self) -> None:
        """Remove all corrections; a callback."""
        st.session_state[self.session_key("roles")] = {}


def read_judgements(
    judgement_files: Sequence[File],
    material: Material,
    higher: Mapping[str, bool] = {},
    origins: Mapping[str, str] = {},
) -> JudgementRecord | str:
    """Return the judgements in the files `judgement_files`, or an error message.

    Args:
        judgement_files: the files of judgements.
        material: the judged texts.
        higher: whether higher is better, by scale, where the visitor has corrected it.
        origins: the system whose output a person edited to make a reference, by name of the reference."""
    try:
        return judgements.read(judgement_files, material, higher, origins)
    except BadData as error:
        return f"{error}."


def distinct_files(files: Sequence[File]) -> list[File]:
    """Return the files without duplicates, and number the names of different files that have the same name."""
    out: dict[str, File] = {}
    for file in files:
        name, number = file.name, 2
        while name in out and out[name].data != file.data:
            stem, dot, ending = file.name.partition(".")
            name, number = f"{stem} ({number}){dot}{ending}", number + 1
        out[name] = file._replace(name=name)
    return [*out.values()]


def recognise_reference_language(material: Material) -> str:
    """Return the language recognised from all references of a corpus, as the command line recognises it."""
    return languages.recognise_language([line for texts in material.references.values() for line in texts.lines])


def recognised_files_html(material: Material, more: Sequence[str] = (), parts: Sequence[str] = ()) -> str:
    """Return HTML that says what a visitor's files were recognised as.

    The first line counts segments, systems and references, and ends with the phrases in `parts`. Below it are a
    sentence on each file, the notes of `material`, and the sentences in `more`."""
    files, notes = [each.sentence for each in material.files], [*material.notes, *more]
    if len(files) > FILES_SHOWN:
        each = f"<details><summary>How each of {len(files)} files is read</summary>{html_list(files)}</details>"
        details = each + (html_list(notes) if notes else "")
    else:
        details = html_list([*files, *notes])
    all_ = [count_with_noun(len(material), "segment"), count_with_noun(len(material.systems), "system")]
    all_ += [count_with_noun(len(material.references), "reference")]
    all_ += ["the source"] if material.source else []
    all_ += [count_with_noun(len({*material.documents}), "document")] if material.documents else []
    return f'<div class="recognised"><b>{", ".join([*all_, *parts])}</b>{details}</div>'


def html_list(sentences: Sequence[str]) -> str:
    """Return sentences as an HTML list, escaped."""
    return f"<ul>{''.join(f'<li>{safe(each, 600)}</li>' for each in sentences)}</ul>"
