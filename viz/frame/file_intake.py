"""The way in of a page that takes files: which were chosen or pasted, what they hold, and how that is corrected.

What is read is kept in the session under keys that begin with the name of the page's entry, so that each page has its
own, and stays while another page is open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

import streamlit as st

from metrics.corpus.file_checks import Repairs
from metrics.formula import counted
from metrics.text import judgements, languages
from metrics.text.files import BadData
from metrics.text.formats import File, Material, Recognised, read, recognised
from metrics.text.formats.folders import counts
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
FILES_SHOWN = 8  # files of which each is said what it is taken for; of more, when the reader opens the list
COLUMNS_MOST = 60  # columns whose roles can be corrected on the page

#: The files and roles that something is of.
Of = tuple[tuple[File, ...], tuple[tuple[str, str], ...]]


class PasteField(NamedTuple):
    """A field for pasted lines: what it is called, the role of what is pasted, and what it asks for."""

    label: str
    role: str
    says: str = "a segment a line"


class Read(NamedTuple):
    """What was last read: of which files and roles, what came of it, and the repairs that were made of it."""

    of: Of
    outcome: Material | str
    repairs: Repairs


def files_and_roles(files: Sequence[File], roles: Mapping[str, str]) -> Of:
    return tuple(files), tuple(sorted(roles.items()))


class FileIntake:
    """The way in of a page, by the `name` that begins its keys; `asks` for files, and has a field for each of what can
    be pasted."""

    def __init__(self, name: str, asks: str, fields: Sequence[PasteField]) -> None:
        self.name, self.asks, self.fields = name, asks, fields

    def key(self, what: str) -> str:
        return f"{self.name}_{what}"

    @property
    def roles(self) -> dict[str, str]:
        """What columns were said to be."""
        roles: dict[str, str] | None = st.session_state.get(self.key("roles"))
        return roles or {}

    @property
    def last_reading(self) -> Read | None:
        """What was last read, None where nothing was."""
        reading: Read | None = st.session_state.get(self.key("read"))
        return reading

    @last_reading.setter
    def last_reading(self, reading: Read) -> None:
        st.session_state[self.key("read")] = reading

    def begin_from(self, files: Sequence[File], roles: Mapping[str, str]) -> None:
        """Ask for texts, beginning from those that were given, which a tab that was loaded again has no longer."""
        state = st.session_state
        if self.key("read") not in state:
            state.update({self.key("before"): tuple(files), self.key("roles"): dict(roles)})

    # ------------------------------------------------------------ files

    def way(self) -> str:
        """The choice between files, a folder and pasted lines."""
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
        """What was chosen or pasted."""
        return {"paste": self.pasted, "folder": self.folder}.get(way, self.chosen_files)()

    def chosen_files(self) -> list[File]:
        """The chosen files, and those from before, which the browser's own list has no longer."""
        return self._uploaded("files")

    def folder(self) -> list[File]:
        """The files of a chosen folder, whose names have their folders, and those from before."""
        return self._uploaded("folder")

    def _uploaded(self, way: str) -> list[File]:
        """The files that are sent in a way, and those from before."""
        state, listed_key, before_key = st.session_state, self.key("listed"), self.key("before")
        given: Any = st.file_uploader(
            self.asks,
            accept_multiple_files="directory" if way == "folder" else True,
            key=self.key(way),
            on_change=lambda: state.update({listed_key: ()}),
        )
        if way == "folder":
            given = [file for file in given or () if counts(PurePath(*PurePath(file.name).parts[1:]))]
        listed, left_out = uploads.keep_fitting(state.get(before_key, ()), given or ())
        if left_out:
            st.warning(theme.markdown(left_out))
        if not listed:  # the page was left: what is taken off the list is so by `on_change`
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
        """Keep the files that the browser's list will have no longer."""
        state = st.session_state
        before: tuple[File, ...] = state.get(self.key("before"), ())
        state[self.key("before")] = (*before, *state.pop(self.key("listed"), ()))

    def pasted(self) -> list[File]:
        """What is typed into the fields."""
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

    def parted(self, files: Sequence[File]) -> tuple[list[File], list[File]]:
        """The files of texts, and those of judgements, as they were once recognised."""
        state, key = st.session_state, self.key("parted")
        cached: tuple[object, tuple[list[File], list[File]]] | None = state.get(key)
        if cached is None or cached[0] != tuple(files):
            cached = state[key] = tuple(files), judgements.parted(files)
        return cached[1]

    def judged(
        self,
        theirs: Sequence[File],
        material: Material,
        higher: Mapping[str, bool] = {},
        origins: Mapping[str, str] = {},
    ) -> JudgementRecord | str:
        """The judgements, read once, or what is wrong with them; `higher` and `origins` as `judgements.read` takes
        them."""
        state, key = st.session_state, self.key("judged")
        request = tuple(theirs), id(material), tuple(sorted(higher.items())), tuple(sorted(origins.items()))
        cached: tuple[object, JudgementRecord | str] | None = state.get(key)
        if cached is None or cached[0] != request:
            cached = state[key] = request, judgements_of(theirs, material, higher, origins)
        return cached[1]

    def read(self, files: Sequence[File], roles: Mapping[str, str]) -> tuple[Material | str, Repairs]:
        """What the files hold, read once, or what is wrong with them; and the repairs that were made of it."""
        request = files_and_roles(files, roles)
        reading = self.last_reading
        if reading is None or reading.of != request:
            try:
                outcome: Material | str = read(files, roles)
            except (BadData, ValueError) as error:
                outcome = f"{error}."
            reading = self.last_reading = Read(request, outcome, {})
            if self.recognise(outcome):
                st.rerun()  # the page has begun with another language
        return reading.outcome, reading.repairs

    def recognised(self, files: Sequence[File], roles: Mapping[str, str]) -> Sequence[Recognised]:
        """What was recognised of files that do not fit together, or of which one cannot be read."""
        state, request = st.session_state, files_and_roles(files, roles)
        cached: tuple[object, Sequence[Recognised]] | None = state.get(self.key("recognised"))
        if cached is None or cached[0] != request:
            cached = state[self.key("recognised")] = request, recognised(files, roles)
        return cached[1]

    def recognise(self, outcome: Material | str) -> bool:
        """Take the language of the references for that of the texts, where none was chosen; whether that is another
        one than before."""
        state, key = st.session_state, self.key("language")
        if isinstance(outcome, Material) and outcome.references and not state.get(self.key("language_set")):
            language = language_of(outcome)
            before, state[key] = str(state.get(key, "english")), language
            return language != before
        return False

    def language(self, now: str) -> None:
        """The choice of the language, which is `now` what was recognised or chosen."""
        state = st.session_state
        state[self.key("language")] = now
        st.selectbox(
            "Language",
            menus.languages_offered(),
            key=self.key("language"),
            format_func=languages.label,
            on_change=lambda: state.update({self.key("language_set"): True}),
            width=220,
        )

    # ------------------------------------------------------------ corrections

    def correct(self, files: Sequence[Recognised], roles: Mapping[str, str]) -> None:
        """What each file, or each of its columns, is taken for, and the choice of something else."""
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

    def _correct_one(self, file: Recognised, name: str, number: int) -> None:
        state = st.session_state
        kind, typed_name = state[self.key(f"kind_{number}")], state[self.key(f"called_{number}")].strip()
        key = f"{file.file}:{name}" if name and len(file.columns) > 1 else file.file
        state[self.key("roles")] = {**self.roles, key: f"{kind}:{typed_name}" if typed_name else kind}

    def _correct_none(self) -> None:
        st.session_state[self.key("roles")] = {}


def judgements_of(
    theirs: Sequence[File],
    material: Material,
    higher: Mapping[str, bool] = {},
    origins: Mapping[str, str] = {},
) -> JudgementRecord | str:
    """The judgements of files, or what is wrong with them."""
    try:
        return judgements.read(theirs, material, higher, origins)
    except BadData as error:
        return f"{error}."


def distinct_files(files: Sequence[File]) -> list[File]:
    """Files whose names differ; of one that is given twice, the same to the letter, once."""
    out: dict[str, File] = {}
    for file in files:
        name, number = file.name, 2
        while name in out and out[name].data != file.data:
            stem, dot, ending = file.name.partition(".")
            name, number = f"{stem} ({number}){dot}{ending}", number + 1
        out[name] = file._replace(name=name)
    return [*out.values()]


def language_of(material: Material) -> str:
    """The language of the references, recognised as on the command line: from all of them."""
    return languages.recognised([line for texts in material.references.values() for line in texts.lines])


def summary(material: Material, more: Sequence[str] = (), parts: Sequence[str] = ()) -> str:
    """What was recognised: file by file, with `more` sentences, and all of it in a line, with more `parts`."""
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
    """Sentences below each other."""
    return f"<ul>{''.join(f'<li>{theme.safe(each, 600)}</li>' for each in sentences)}</ul>"
