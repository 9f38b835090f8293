"""Turn files, pasted lines or the sample into a judged corpus, and say what was recognised before it is scored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.agreement import describe_directions, score_directions
from metrics.corpus.agreement.columns import ScoreDirection
from metrics.formula import counted
from metrics.text import judgements
from metrics.text.formats import File, Material
from metrics.text.formats import read as read_texts
from metrics.text.judgements import JudgementRecord, RatingScale

from ...draw.pen import theme
from ...frame import file_intake, menus, outputs
from ...frame.file_intake import FileIntake, PasteField
from ...state import controls, pending_widgets
from . import save_menu, visitor_corpus
from .agreement_job import AgreementInput, AgreementJob, others_scores
from .record import AgreementState

FORMATS = (
    "Texts as on the Corpus page, with scores of other programs if there are some, and with them people's judgements: "
    "a table with columns such as line, system, rater and mqm, one of marked errors with start and end, the WMT's MQM "
    "with &lt;v&gt; around errors, mt-metrics-eval's human scores and ratings, Pearmut's annotations, xCOMET's spans. "
    "What each file is taken for is said before anything is scored."
)
ENTRY = FileIntake(
    "agreement",
    "Systems, references, source, and people's judgements of the systems",
    (
        PasteField("A", "system"),
        PasteField("B", "system"),
        PasteField("Reference", "reference"),
        PasteField("Judgements", "", "a table with a header: line, system, rater, mqm"),
    ),
)


def draw(state: AgreementState, corpus: AgreementJob | None) -> None:
    """Draw the bar above the current corpus, or ask for one if there is none."""
    if corpus is None:
        _ask(state)
    else:
        _draw_bar(corpus, state)


# ---------------------------------------------------------------- the bar above the corpus


def _draw_bar(corpus: AgreementJob, state: AgreementState) -> None:
    """Draw the scale, the size and the menus of the corpus, and whether settings changed since it was scored."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_bar"):
        if len(corpus.scales) > 1:
            st.session_state.agreement_scale = corpus.table_request(state.scale, "none", "b").scale
            st.selectbox(
                "Scale",
                corpus.scales,
                key="agreement_scale",
                format_func=lambda name: theme.markdown(theme.visible(name, 60)),
                width=180,
            )
        st.html(f'<div class="lead_line">{_size(corpus)}</div>', width="content")
        st.button("Other texts", key="agreement_texts", on_click=_ask_other_texts)
        if corpus.scoring:
            controls.metric_settings(state.metric, len(corpus.material.references), 0)
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    if changed := outputs.changed(corpus.text, corpus.settings, state):
        with st.container(horizontal=True, vertical_alignment="center", key="agreement_again"):
            st.info(changed)
            st.button("Score again", on_click=_score_again, args=(corpus, state))


def _size(corpus: AgreementJob) -> str:
    """Return how many systems, segments, references and judges the corpus has."""
    judges = [counted(len(corpus.judged.judges), "judge")] if corpus.scales else []
    parts = [
        counted(len(corpus.systems), "system"),
        counted(corpus.size, "segment"),
        counted(len(corpus.material.references), "reference"),
        *judges,
    ]
    return ", ".join(parts)


def _ask_other_texts() -> None:
    """Drop the corpus and ask for texts, starting with its files, in a callback."""
    if corpus := visitor_corpus.corpus():
        texts, theirs = corpus.given.texts, corpus.given.judgements
        ENTRY.begin_from((*texts, *theirs), corpus.given.roles)
    visitor_corpus.drop()


def _score_again(corpus: AgreementJob, state: AgreementState) -> None:
    """Score the corpus again with the current settings, in a callback."""
    score(corpus.material, corpus.judged, state, corpus.given, corpus.says)


# ---------------------------------------------------------------- asking for a corpus


def _ask(state: AgreementState) -> None:
    """Ask for files, and draw what they were recognised as, corrections, and the button that scores them."""
    processes.warm(os.cpu_count() or 1)
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_ways"):
        way = ENTRY.choose_way()
        st.button("Look at the judged sample", key="agreement_sample", on_click=take_sample, args=(state,))
        menus.tools(menus.text_menu, menus.share_menu)
    files = ENTRY.files(way)
    if not files:
        st.html(f'<div class="lead_line">{FORMATS}</div>')
        return
    texts, theirs = ENTRY.split_judgements(files)
    material = _material(texts)
    if not isinstance(material, Material):
        if material:
            st.warning(theme.markdown(theme.visible(material, 600)))
        return
    higher, origins = _corrections_of(material)
    judged = _judged(theirs, material, higher, origins)
    ways = score_directions(others_scores(material, judged), higher) if isinstance(judged, JudgementRecord) else []
    notices = [*judged.notices, *describe_directions(ways)] if isinstance(judged, JudgementRecord) else []
    st.html(file_intake.summary(material, notices, _parts(judged)))
    ENTRY.correct(material.files, ENTRY.roles)
    if isinstance(judged, str):
        (st.warning if theirs else st.info)(theme.markdown(theme.visible(judged, 600)))
        return
    turned: list[RatingScale | ScoreDirection] = [*judged.scales, *ways]
    _draw_corrections(material, turned[: file_intake.COLUMNS_MOST], origins)
    _draw_start(material, judged, AgreementInput(tuple(texts), tuple(theirs), ENTRY.roles, higher, origins), state)


def _corrections_of(material: Material) -> tuple[dict[str, bool], dict[str, str]]:
    """Return the visitor's corrections of the judgements.

    They are whether higher is better, by scale or other program's score, and the system from which a reference was
    made."""
    state = st.session_state
    origins = {
        reference: system
        for reference, system in (state.get("agreement_made") or {}).items()
        if reference in material.references and system in material.systems
    }
    return dict(state.get("agreement_higher") or {}), origins


def _draw_corrections(
    material: Material, ways: Sequence[RatingScale | ScoreDirection], origins: Mapping[str, str]
) -> None:
    """Draw the corrections: whether higher is better on each scale, and the origin of each reference."""
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
                on_change=_store_direction,
                args=(way.name, number),
            )
        for number, reference in enumerate(material.references):
            names = ["", *material.systems]
            st.selectbox(
                theme.markdown(theme.visible(f"Reference {reference} was made from", 100)),
                names,
                index=names.index(origins.get(reference, "")),
                key=f"agreement_made_from_{number}",
                format_func=lambda name: theme.markdown(theme.visible(name, 60)) if name else "none of the systems",
                on_change=_store_origin,
                args=(reference, number),
                width=280,
            )


def _store_direction(name: str, number: int) -> None:
    """Store whether higher is better on a scale, in a callback."""
    state = st.session_state
    state.agreement_higher = {**(state.get("agreement_higher") or {}), name: state[f"agreement_way_of_{number}"]}


def _store_origin(reference: str, number: int) -> None:
    """Store from which system a reference was made, in a callback."""
    state = st.session_state
    state.agreement_made = {**(state.get("agreement_made") or {}), reference: state[f"agreement_made_from_{number}"]}


def _draw_start(material: Material, judged: JudgementRecord, of: AgreementInput, state: AgreementState) -> None:
    """Draw the choice of the language and the button that starts scoring."""
    if not material.references:
        st.info("Without a reference no metric can be scored: judges and other programs' scores are looked at.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ENTRY.language(state.language)
        label = "Score" if material.references else "Go on"
        st.button(label, type="primary", key="agreement_score", on_click=score, args=(material, judged, state, of))


def _material(texts: Sequence[File]) -> Material | str:
    """Return the texts, or a sentence that says what is wrong or missing."""
    if not texts:
        return "Judgements are of texts: add the systems' outputs and a reference."
    outcome, _ = ENTRY.read(texts, ENTRY.roles)
    if isinstance(outcome, Material) and not outcome.systems:
        return "Judgements are of systems: add their outputs, or correct what these files are taken for."
    return outcome


def _judged(
    theirs: Sequence[File], material: Material, higher: Mapping[str, bool], origins: Mapping[str, str]
) -> JudgementRecord | str:
    """Return the judgements, or a sentence that says what is wrong with them or that there are none; cached."""
    if not theirs:
        return "Now add what people said of these systems: a table of judgements."
    return _rated(ENTRY.judged(theirs, material, higher, origins))


def read(theirs: Sequence[File], material: Material, higher: Mapping[str, bool] = {}) -> JudgementRecord | str:
    """Return the judgements in files, or a sentence that says what is wrong with them."""
    return _rated(file_intake.judgements_of(theirs, material, higher))


def _rated(judged: JudgementRecord | str) -> JudgementRecord | str:
    """Return the judgements if they have ratings, else a sentence."""
    marks_only = isinstance(judged, JudgementRecord) and not judged.scales
    return "These files have marked errors alone; ratings are needed too." if marks_only else judged


def _parts(judged: JudgementRecord | str) -> list[str]:
    """Return what the line that sums up the files says of judgements."""
    if isinstance(judged, str):
        return []
    scales = ", ".join([theme.safe(scale.name, 60) for scale in judged.scales])
    marks = [counted(len(judged.spans), "marked error")] if judged.spans else []
    return [f"judgements on {scales} by {counted(len(judged.judges), 'judge')}", *marks]


def score(
    material: Material, judged: JudgementRecord, state: AgreementState, of: AgreementInput, says: str = ""
) -> None:
    """Score a judged corpus with the settings of the page; it replaces the former one."""
    settings = {key: state.settings_of(key) for key in metrics.METRICS}
    ENTRY.keep_files()
    visitor_corpus.begin(AgreementJob(material, judged, state.text, settings, state.metric, of, says))


def take_sample(state: AgreementState) -> None:
    """Score the judged sample, in a callback."""
    sample = judgements.sample()
    material = read_texts(sample.texts)
    pending_widgets.restore_given_values()
    st.session_state.agreement_language = "english"
    judged = judgements.read(sample.judgements, material)
    score(material, judged, state, AgreementInput(sample.texts, sample.judgements), sample.statement)
