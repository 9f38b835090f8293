"""The way in: files, pasted lines or the sample become a corpus, of which is said what was recognised before it is
scored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.checked import Checked, Offered, Repairs, checked, put_right, uneven
from metrics.formula import counted
from metrics.text import languages
from metrics.text.files import BadData
from metrics.text.formats import File, Material, Recognised, read, recognised
from metrics.text.formats.sheets import KINDS

from ...draw.pen import theme
from ...frame import menus
from ...state import controls, handed
from . import checks, doubted, filters, held, save_menu
from .checks import Check
from .corpora import Scoring
from .record import Corpus, Part

SAMPLE = Path(__file__).with_name("sample.tsv")
SAMPLE_SAYS = (
    "The sample: the output of one system before and after a change. Every metric prefers the new one, and in eleven "
    "of the forty segments it says something else than the source."
)
WAYS = {"files": "Files", "paste": "Paste"}
FORMATS = (
    "A segment a line; TSV, CSV or XLSX with a header; JSONL; XLIFF, TMX or WMT's XML; each also gzipped, at most 50 "
    "MB a file. Names such as ref.txt, source.de or a column called reference say what a file is; what is recognised "
    "is said, and can be corrected, before anything is scored."
)
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
RECOGNISED_FROM = 400  # references that the language is recognised from
TICK = 0.3  # seconds between two looks at what is looked for
COLUMNS_MOST = 60  # columns whose roles can be corrected on the page


class Read(NamedTuple):
    """What was last read: of which files and roles, what came of it, and the repairs that were made of it."""

    of: tuple[tuple[File, ...], tuple[tuple[str, str], ...]]
    found: Material | str
    made: Repairs


def draw(shown: Corpus, found: Scoring | None) -> None:
    """Ask for a corpus; of one that is there, which of its systems are A and B."""
    if found is None:
        _ask(shown)
    else:
        _systems(found, shown)


# ---------------------------------------------------------------- a corpus that is there


def _systems(found: Scoring, shown: Corpus) -> None:
    names = found.names
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_bar"):
        for key, label, value in (("corpus_a", "A", shown.a), ("corpus_b", "B", shown.b)):
            st.session_state[key] = value
            st.selectbox(
                label,
                range(len(names)),
                key=key,
                format_func=lambda n: theme.markdown(theme.visible(names[n], 60)),
                width=280,
            )
        st.button("⇄", key="corpus_swap", help="Swap A and B", on_click=_swap)
        references = counted(len(found.material.references), "reference")
        st.html(f'<div class="rd">{found.size:,} segments, {references}</div>', width="content")
        st.button("Other texts", key="corpus_other", on_click=_others)
        controls.metric_settings(shown.metric, len(found.material.references), 0)
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    if changed := held.changed(found, shown):
        with st.container(horizontal=True, vertical_alignment="center", key="corpus_again"):
            st.info(changed)
            st.button("Score again", on_click=score, args=(found.stands, shown, found.made))


def _others() -> None:
    """Ask for texts, beginning from those that were given, which a tab that was loaded again has no longer."""
    state = st.session_state
    if (found := held.scoring()) and "corpus_read" not in state:
        files, roles = found.given
        state.update(corpus_before=tuple(files), corpus_roles=dict(roles))
    held.drop()


def _swap() -> None:
    state = st.session_state
    state.corpus_a, state.corpus_b = state.corpus_b, state.corpus_a


def doubts(found: Scoring, shown: Corpus) -> None:
    """What looks wrong about the texts that are scored, before their scores."""

    def repair(name: str, each: Offered) -> None:
        score(found.stands, shown, {**found.made, name: each})

    def undo(name: str) -> None:
        if _is_even(found.stands, name):
            score(found.stands, shown, {other: each for other, each in found.made.items() if other != name})
        else:  # it can only be scored repaired
            _others()
            st.session_state.pop("corpus_read", None)

    def select(said: str, segments: Sequence[int]) -> None:
        filters.add(Part(said, "", tuple(segments)))
        st.session_state.update(corpus_sort="number", corpus_up=False)

    doubted.draw(found.material, found.check.found, found.made, found.first, repair, undo, select)


# ---------------------------------------------------------------- a corpus to come


def _ask(shown: Corpus) -> None:
    state = st.session_state
    processes.warm(os.cpu_count() or 1)  # so that the first numbers need not wait for them
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_ways"):
        way = st.segmented_control(
            "Texts from", list(WAYS), key="corpus_way", default="files", required=True, format_func=WAYS.__getitem__
        )
        st.button("Score the sample corpus", key="corpus_sample", on_click=_score_sample, args=(shown,))
        menus.tools(menus.text_menu, menus.share_menu)
    files = _pasted() if way == "paste" else _chosen()
    if not files:
        st.html(f'<div class="rd">{FORMATS}</div>')
        return
    roles: dict[str, str] = state.get("corpus_roles") or {}
    stands, made = _read(files, roles)
    if isinstance(stands, str):
        st.warning(theme.markdown(theme.visible(stands, 600)))
        _uneven(files, roles, shown)
        each = _recognised(files, roles)
        st.html(f'<div class="recognised">{_listed([one.sentence for one in each])}</div>')
        _correct(each, roles)
        return
    found = put_right(stands, made)
    first = shown.metric, shown.settings_of(shown.metric)
    asked = *_of(files, roles), shown.text, first, tuple(made)
    check = checks.of_session("corpus_check", asked, checked, found, shown.text, *first, made)
    doubted.draw(found, check.found, made, shown.metric, _repair, _undo)
    if not check.ended:
        corpus_checked("corpus_check")
    st.html(_summary(found))
    _correct(found.files, roles)
    if not found.systems or not found.references:
        needed = "a system" if not found.systems else "a reference"
        st.info(f"For scores {needed} is needed too: add a file, or correct what these are taken for.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        state.corpus_language = shown.language
        st.selectbox(
            "Language",
            menus.languages_offered(),
            key="corpus_language",
            format_func=languages.label,
            on_change=lambda: state.update(corpus_language_set=True),
            width=220,
        )
        st.button("Score", type="primary", key="corpus_score", on_click=score, args=(stands, shown, made, check))


@st.fragment(run_every=TICK)
def corpus_checked(name: str) -> None:
    """Waits until what looks wrong is known."""
    if checks.has_ended(name):
        st.rerun()


def _uneven(files: list[File], roles: dict[str, str], shown: Corpus) -> None:
    """Where systems have some lines more or fewer than the references and show where, what would put them right."""
    asked = *_of(files, roles), shown.text
    check = checks.of_session("corpus_uneven", asked, uneven, files, roles, shown.text)
    if not check.ended:
        corpus_checked("corpus_uneven")
    elif check.found:
        stands, found = check.found

        def repair(name: str, each: Offered) -> None:
            st.session_state.corpus_read = Read(_of(files, roles), stands, found.offered)
            _recognise(stands)

        doubted.draw(stands, found, {}, shown.metric, repair, _undo)


def _repair(name: str, each: Offered) -> None:
    """Score a system repaired."""
    kept: Read = st.session_state.corpus_read
    st.session_state.corpus_read = kept._replace(made={**kept.made, name: each})


def _undo(name: str) -> None:
    """Score a system as it stands; where it cannot be, say that again."""
    state = st.session_state
    kept: Read = state.corpus_read
    if isinstance(kept.found, str) or not _is_even(kept.found, name):
        del state.corpus_read
    else:
        state.corpus_read = kept._replace(made={other: each for other, each in kept.made.items() if other != name})


def _is_even(stands: Material, name: str) -> bool:
    """Whether a system has a line for each segment as it stands."""
    return len(stands.systems[name].lines) == len(next(iter(stands.references.values())).lines)


def _chosen() -> list[File]:
    """The chosen files, and those from before, which the browser's own list has no longer."""
    state = st.session_state
    given: Any = st.file_uploader(
        "Systems, references and, where there is one, the source",
        accept_multiple_files=True,
        key="corpus_files",
        on_change=lambda: state.update(corpus_listed=()),
    )
    listed = tuple([File(each.name, each.getvalue()) for each in given or ()])
    if not listed:  # the page was left: what is taken off the list is so by `on_change`
        _keep_files()
    state.corpus_listed = listed
    before: tuple[File, ...] = state.get("corpus_before", ())
    if before:
        with st.container(horizontal=True, vertical_alignment="center", key="corpus_before_bar"):
            names = ", ".join([theme.safe(file.name, 60) for file in before[:10]])
            more = f" and {len(before) - 10} more" if before[10:] else ""
            st.html(f'<div class="rd">From before: {names}{more}</div>', width="content")
            st.button("Without them", key="corpus_without", on_click=lambda: state.update(corpus_before=()))
    return _apart([*before, *listed])


def _keep_files() -> None:
    """Keep the files that the browser's list will have no longer."""
    state = st.session_state
    state.corpus_before = (*state.get("corpus_before", ()), *state.pop("corpus_listed", ()))


def _apart(files: Sequence[File]) -> list[File]:
    """Files whose names differ; of one that is given twice, the same to the letter, once."""
    out: dict[str, File] = {}
    for file in files:
        name, number = file.name, 2
        while name in out and out[name].data != file.data:
            stem, dot, ending = file.name.partition(".")
            name, number = f"{stem} ({number}){dot}{ending}", number + 1
        out[name] = file._replace(name=name)
    return [*out.values()]


def _pasted() -> list[File]:
    """Lines that are typed: of two systems, of references and of the source."""
    out = []
    fields = (("A", "system"), ("B", "system"), ("Reference", "reference"), ("Source", "source"))
    for column, (label, role) in zip(st.columns(len(fields)), fields, strict=True):
        with column:
            text = st.text_area(
                f"{label}, a segment a line", key=f"corpus_pasted_{label}", height=200, persist_state="session"
            )
        if text and text.strip():
            data = text.encode("utf-8", "replace")
            out.append(File(label, data, role, label if role == "system" else ""))
    return out


def _of(files: Sequence[File], roles: Mapping[str, str]) -> tuple[tuple[File, ...], tuple[tuple[str, str], ...]]:
    return tuple(files), tuple(sorted(roles.items()))


def _read(files: Sequence[File], roles: Mapping[str, str]) -> tuple[Material | str, Repairs]:
    """What the files hold, read once, or what is wrong with them; and the repairs that were made of it."""
    state = st.session_state
    of = _of(files, roles)
    kept: Read | None = state.get("corpus_read")
    if kept is None or kept.of != of:
        try:
            found: Material | str = read(files, roles)
        except (BadData, ValueError) as error:
            found = f"{error}."
        kept = state.corpus_read = Read(of, found, {})
        _recognise(found)
    return kept.found, kept.made


def _recognised(files: Sequence[File], roles: Mapping[str, str]) -> Sequence[Recognised]:
    """What was recognised of files that do not fit together, or of which one cannot be read."""
    state, of = st.session_state, _of(files, roles)
    kept: tuple[object, Sequence[Recognised]] | None = state.get("corpus_recognised")
    if kept is None or kept[0] != of:
        kept = state.corpus_recognised = of, recognised(files, roles)
    return kept[1]


def _recognise(found: Material | str) -> None:
    """Take the language of the references for that of the texts, where none was chosen."""
    if isinstance(found, Material) and found.references and not st.session_state.get("corpus_language_set"):
        st.session_state.corpus_language = language_of(found)


def language_of(material: Material) -> str:
    """The language of the references, recognised once from as many as tell it."""
    first = next(iter(material.references.values())).lines
    step = max(1, len(first) // RECOGNISED_FROM)
    return languages.recognised([line for line in first[::step] if line.strip()])


def _summary(found: Material) -> str:
    """What was recognised: file by file, and all of it in a line."""
    said = _listed([*[each.sentence for each in found.files], *found.notes])
    parts = [counted(len(found), "segment"), counted(len(found.systems), "system")]
    parts += [counted(len(found.references), "reference")]
    parts += ["the source"] if found.source else []
    parts += [counted(len({*found.documents}), "document")] if found.documents else []
    return f'<div class="recognised"><b>{", ".join(parts)}</b>{said}</div>'


def _listed(sentences: Sequence[str]) -> str:
    """Sentences below each other."""
    return f"<ul>{''.join(f'<li>{theme.safe(each, 600)}</li>' for each in sentences)}</ul>"


def _correct(files: Sequence[Recognised], roles: Mapping[str, str]) -> None:
    """What each file, or each of its columns, is taken for, and the choice of something else."""
    columns = [(each, name, role) for each in files for name, role in each.columns][:COLUMNS_MOST]
    with st.expander("Correct what they are taken for", on_change="rerun", key="corpus_correct") as expander:
        if not expander.open:
            return
        for number, (file, name, role) in enumerate(columns):
            kind = "post-edited" if role.edited else role.kind
            label = f"{file.file}: {name}" if name and len(file.columns) > 1 else file.file
            left, right = st.columns([5, 5], vertical_alignment="bottom")
            with left:
                st.selectbox(
                    theme.markdown(theme.visible(label, 120)),
                    list(KINDS_SAID),
                    index=list(KINDS_SAID).index(kind),
                    key=f"corpus_kind_{number}",
                    format_func=KINDS_SAID.__getitem__,
                    on_change=_correct_one,
                    args=(file, name, number),
                )
            with right:
                st.text_input(
                    "Name",
                    value=f"{role.name}:{role.of}" if role.of else role.name,
                    key=f"corpus_called_{number}",
                    on_change=_correct_one,
                    args=(file, name, number),
                )
        if roles:
            st.button("Take back the corrections", on_click=_correct_none)


def _correct_one(file: Recognised, name: str, number: int) -> None:
    state = st.session_state
    kind, called = state[f"corpus_kind_{number}"], state[f"corpus_called_{number}"].strip()
    key = f"{file.file}:{name}" if name and len(file.columns) > 1 else file.file
    state.corpus_roles = {**(state.get("corpus_roles") or {}), key: f"{kind}:{called}" if called else kind}


def _correct_none() -> None:
    st.session_state.corpus_roles = {}


def score(stands: Material, shown: Corpus, made: Repairs, check: Check[Checked] | None = None) -> None:
    """Score a corpus, repaired as it was `made`, with the settings of the page, in the place of the former one."""
    settings = {key: shown.settings_of(key) for key in metrics.METRICS}
    systems = len(stands.systems)
    if max(shown.a, shown.b) >= systems:
        st.session_state.update(corpus_a=0, corpus_b=min(1, systems - 1))
    _keep_files()
    st.session_state.corpus_says = ""
    kept: Read | None = st.session_state.get("corpus_read")
    begun = Scoring(stands, shown.text, settings, shown.metric, made, check)
    if former := held.scoring():
        begun.given = former.given
    elif kept and kept.found is stands:
        begun.given = kept.of[0], dict(kept.of[1])
    held.begin(begun)


def _score_sample(shown: Corpus) -> None:
    material = read([File(SAMPLE.name, SAMPLE.read_bytes())])
    handed.settle()
    st.session_state.update(corpus_language="english", corpus_a=0, corpus_b=1)
    score(material, shown, {})
    st.session_state.corpus_says = SAMPLE_SAYS
