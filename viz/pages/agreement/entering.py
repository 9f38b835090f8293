"""The way in: files, pasted lines or the sample become a judged corpus, of which is said what was recognised before it
is scored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.agreement import told_ways, ways_of
from metrics.corpus.agreement.columns import Way
from metrics.formula import counted
from metrics.text import judgements
from metrics.text.formats import File, Material
from metrics.text.formats import read as read_texts
from metrics.text.judgements import Judged, Scale

from ...draw.pen import theme
from ...frame import given, menus, outputs
from ...frame.given import Entry, Field
from ...state import controls, handed
from . import held, save_menu
from .agreeing import Agreeing, Given, others_scores
from .record import Agreement

FORMATS = (
    "Texts as on the Corpus page, with scores of other programs if there are some, and with them people's judgements: "
    "a table with columns such as line, system, rater and mqm, one of marked errors with start and end, the WMT's MQM "
    "with &lt;v&gt; around errors, mt-metrics-eval's human scores and ratings, Pearmut's annotations, xCOMET's spans. "
    "What each file is taken for is said before anything is scored."
)
ENTRY = Entry(
    "agreement",
    "Systems, references, source, and people's judgements of the systems",
    (
        Field("A", "system"),
        Field("B", "system"),
        Field("Reference", "reference"),
        Field("Judgements", "", "a table with a header: line, system, rater, mqm"),
    ),
)


def draw(shown: Agreement, found: Agreeing | None) -> None:
    """Ask for a judged corpus; of one that is there, what coefficients are of."""
    if found is None:
        _ask(shown)
    else:
        _bar(found, shown)


# ---------------------------------------------------------------- a corpus that is there


def _bar(found: Agreeing, shown: Agreement) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_bar"):
        if len(found.scales) > 1:
            st.session_state.agreement_scale = found.asked(shown.scale, "none", "b").scale
            st.selectbox(
                "Scale",
                found.scales,
                key="agreement_scale",
                format_func=lambda name: theme.markdown(theme.visible(name, 60)),
                width=180,
            )
        st.html(f'<div class="rd">{_size(found)}</div>', width="content")
        st.button("Other texts", key="agreement_texts", on_click=_others)
        if found.scoring:
            controls.metric_settings(shown.metric, len(found.material.references), 0)
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    if changed := outputs.changed(found.text, found.settings, shown):
        with st.container(horizontal=True, vertical_alignment="center", key="agreement_again"):
            st.info(changed)
            st.button("Score again", on_click=_again, args=(found, shown))


def _size(found: Agreeing) -> str:
    judges = [counted(len(found.judged.judges), "judge")] if found.scales else []
    parts = [
        counted(len(found.systems), "system"),
        counted(found.size, "segment"),
        counted(len(found.material.references), "reference"),
        *judges,
    ]
    return ", ".join(parts)


def _others() -> None:
    """Ask for texts, beginning from those that were given."""
    if found := held.corpus():
        texts, theirs = found.given.texts, found.given.judgements
        ENTRY.begin_from((*texts, *theirs), found.given.roles)
    held.drop()


def _again(found: Agreeing, shown: Agreement) -> None:
    score(found.material, found.judged, shown, found.given, found.says)


# ---------------------------------------------------------------- a corpus to come


def _ask(shown: Agreement) -> None:
    processes.warm(os.cpu_count() or 1)
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_ways"):
        way = ENTRY.way()
        st.button("Look at the judged sample", key="agreement_sample", on_click=take_sample, args=(shown,))
        menus.tools(menus.text_menu, menus.share_menu)
    files = ENTRY.files(way)
    if not files:
        st.html(f'<div class="rd">{FORMATS}</div>')
        return
    texts, theirs = ENTRY.parted(files)
    material = _material(texts)
    if not isinstance(material, Material):
        if material:
            st.warning(theme.markdown(theme.visible(material, 600)))
        return
    higher, made_from = _said_of(material)
    judged = _judged(theirs, material, higher, made_from)
    ways = ways_of(others_scores(material, judged), higher) if isinstance(judged, Judged) else []
    said = [*judged.notices, *told_ways(ways)] if isinstance(judged, Judged) else []
    st.html(given.summary(material, said, _parts(judged)))
    ENTRY.correct(material.files, ENTRY.roles)
    if isinstance(judged, str):
        (st.warning if theirs else st.info)(theme.markdown(theme.visible(judged, 600)))
        return
    turned: list[Scale | Way] = [*judged.scales, *ways]
    _correct(material, turned[: given.COLUMNS_MOST], made_from)
    _ready(material, judged, Given(tuple(texts), tuple(theirs), ENTRY.roles, higher, made_from), shown)


def _said_of(material: Material) -> tuple[dict[str, bool], dict[str, str]]:
    """What a reader said of these judgements: of which scales and other programs' scores higher is better, and which
    references were made from which system."""
    state = st.session_state
    made = {
        reference: system
        for reference, system in (state.get("agreement_made") or {}).items()
        if reference in material.references and system in material.systems
    }
    return dict(state.get("agreement_higher") or {}), made


def _correct(material: Material, ways: Sequence[Scale | Way], made_from: Mapping[str, str]) -> None:
    """Which way each scale goes, and each of other programs' scores, and from which system a reference was made, to be
    said otherwise."""
    with st.expander("Correct what judgements are taken for", on_change="rerun", key="agreement_correct_people") as box:
        if not box.open:
            return
        for number, way in enumerate(ways):
            st.segmented_control(
                theme.markdown(theme.visible(way.name, 60)),
                [True, False],
                default=way.higher_is_better,
                key=f"agreement_way_of_{number}",
                format_func=lambda higher: "higher is better" if higher else "lower is better",
                required=True,
                on_change=_turn,
                args=(way.name, number),
            )
        for number, reference in enumerate(material.references):
            names = ["", *material.systems]
            st.selectbox(
                theme.markdown(theme.visible(f"Reference {reference} was made from", 100)),
                names,
                index=names.index(made_from.get(reference, "")),
                key=f"agreement_made_from_{number}",
                format_func=lambda name: theme.markdown(theme.visible(name, 60)) if name else "none of the systems",
                on_change=_make_from,
                args=(reference, number),
                width=280,
            )


def _turn(name: str, number: int) -> None:
    state = st.session_state
    state.agreement_higher = {**(state.get("agreement_higher") or {}), name: state[f"agreement_way_of_{number}"]}


def _make_from(reference: str, number: int) -> None:
    state = st.session_state
    state.agreement_made = {**(state.get("agreement_made") or {}), reference: state[f"agreement_made_from_{number}"]}


def _ready(material: Material, judged: Judged, of: Given, shown: Agreement) -> None:
    """The language, and the button that begins."""
    if not material.references:
        st.info("Without a reference no metric can be scored: judges and other programs' scores are looked at.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ENTRY.language(shown.language)
        label = "Score" if material.references else "Go on"
        st.button(label, type="primary", key="agreement_score", on_click=score, args=(material, judged, shown, of))


def _material(texts: Sequence[File]) -> Material | str:
    """The texts, what is wrong with them, or what is missing."""
    if not texts:
        return "Judgements are of texts: add the systems' outputs and a reference."
    found, _ = ENTRY.read(texts, ENTRY.roles)
    if isinstance(found, Material) and not found.systems:
        return "Judgements are of systems: add their outputs, or correct what these files are taken for."
    return found


def _judged(
    theirs: Sequence[File], material: Material, higher: Mapping[str, bool], made_from: Mapping[str, str]
) -> Judged | str:
    """The judgements, read once, or what is wrong with them, or that there are none."""
    if not theirs:
        return "Now add what people said of these systems: a table of judgements."
    return _rated(ENTRY.judged(theirs, material, higher, made_from))


def read(theirs: Sequence[File], material: Material, higher: Mapping[str, bool] = {}) -> Judged | str:
    """The judgements of files, or what is wrong with them."""
    return _rated(given.judgements_of(theirs, material, higher))


def _rated(found: Judged | str) -> Judged | str:
    alone = isinstance(found, Judged) and not found.scales
    return "These files have marked errors alone; ratings are needed too." if alone else found


def _parts(judged: Judged | str) -> list[str]:
    """What of judgements stands in the line that says what there is."""
    if isinstance(judged, str):
        return []
    scales = ", ".join([theme.safe(scale.name, 60) for scale in judged.scales])
    marks = [counted(len(judged.spans), "marked error")] if judged.spans else []
    return [f"judgements on {scales} by {counted(len(judged.judges), 'judge')}", *marks]


def score(material: Material, judged: Judged, shown: Agreement, of: Given, says: str = "") -> None:
    """Score a judged corpus with the settings of the page, in the place of the former one."""
    settings = {key: shown.settings_of(key) for key in metrics.METRICS}
    ENTRY.keep_files()
    held.begin(Agreeing(material, judged, shown.text, settings, shown.metric, of, says))


def take_sample(shown: Agreement) -> None:
    """Score the judged sample."""
    sample = judgements.sample()
    material = read_texts(sample.texts)
    handed.settle()
    st.session_state.agreement_language = "english"
    judged = judgements.read(sample.judgements, material)
    score(material, judged, shown, Given(sample.texts, sample.judgements), sample.statement)
