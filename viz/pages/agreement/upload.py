"""Turn files, pasted lines or the sample into a judged corpus, and say what was recognised before it is scored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.agreement import describe_directions, score_directions
from metrics.corpus.agreement.columns import ScoreDirection
from metrics.formula import count_with_noun
from metrics.text import judgements
from metrics.text.formats import File, Material
from metrics.text.formats import read as read_texts
from metrics.text.judgements import JudgementRecord, RatingScale

from ...draw.pen.text import escape_markdown, safe, visible
from ...frame import file_intake, menus
from ...frame.file_intake import FileIntake, PasteField
from ...state.visit import controls, pending_widgets
from . import save_menu, visitor_corpus
from .agreement_job import AgreementInput, AgreementJob, other_program_scores
from .record import AgreementState

FORMATS = (
    "Texts as on the Corpus page, with scores of other programs if there are any, and people's judgements of them: "
    "a table with columns such as line, system, rater and mqm, one of marked errors with start and end, the WMT's MQM "
    "with &lt;v&gt; around errors, mt-metrics-eval's human scores and ratings, Pearmut's annotations, xCOMET's spans. "
    "You see how each file is read before anything is scored."
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
    """Draw the bar above the current corpus; if there is none, draw the form that asks for its files."""
    if corpus is None:
        _draw_form(state)
    else:
        _draw_bar(corpus, state)


# ---------------------------------------------------------------- the bar above the corpus


def _draw_bar(corpus: AgreementJob, state: AgreementState) -> None:
    """Draw the bar above the corpus: scale, size, menus, and whether settings changed since it was scored."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_bar"):
        if len(corpus.scale_names) > 1:
            st.session_state.agreement_scale = corpus.table_request(state.scale, "none", "b").scale
            st.selectbox(
                "Scale",
                corpus.scale_names,
                key="agreement_scale",
                format_func=lambda name: visible(name, 60),
                width=180,
            )
        st.html(f'<div class="lead_line">{_describe_size(corpus)}</div>', width="content")
        st.button("Other texts", key="agreement_texts", on_click=_ask_other_texts)
        if corpus.scoring:
            controls.draw_metric_settings(state.metric, len(corpus.material.references), 0)
        menus.draw_menu_row(menus.text_menu, menus.share_menu, save_menu.show)
    if changed := corpus.describe_changed_settings(state):
        with st.container(horizontal=True, vertical_alignment="center", key="agreement_again"):
            st.info(changed)
            st.button("Score again", on_click=_score_again, args=(corpus, state))


def _describe_size(corpus: AgreementJob) -> str:
    """Return a text on how many systems, segments, references and judges the corpus has."""
    judges = [count_with_noun(len(corpus.judged.judges), "judge")] if corpus.scale_names else []
    parts = [
        count_with_noun(len(corpus.names), "system"),
        count_with_noun(corpus.segment_count, "segment"),
        count_with_noun(len(corpus.material.references), "reference"),
        *judges,
    ]
    return ", ".join(parts)


def _ask_other_texts() -> None:
    """Drop the corpus and draw the form for files again, filled with the files of the dropped corpus; a callback."""
    if corpus := visitor_corpus.visitor_job():
        texts, theirs = corpus.given.texts, corpus.given.judgements
        ENTRY.begin_from((*texts, *theirs), corpus.given.roles)
    visitor_corpus.CORPORA.drop()


def _score_again(corpus: AgreementJob, state: AgreementState) -> None:
    """Score the corpus again with the current settings; a callback."""
    score_corpus(corpus.material, corpus.judged, state, corpus.given, corpus.says)


# ---------------------------------------------------------------- asking for a corpus


def _draw_form(state: AgreementState) -> None:
    """Draw the form for files: what they were recognised as, corrections, and the button that scores them."""
    processes.start_workers_in_background(os.cpu_count() or 1)
    with st.container(horizontal=True, vertical_alignment="bottom", key="agreement_ways"):
        way = ENTRY.draw_input_choice()
        st.button("Look at the judged sample", key="agreement_sample", on_click=score_sample, args=(state,))
        menus.draw_menu_row(menus.text_menu, menus.share_menu)
    files = ENTRY.draw_file_input(way)
    if not files:
        st.html(f'<div class="lead_line">{FORMATS}</div>')
        return
    texts, theirs = ENTRY.split_judgements(files)
    material = _texts_or_problem(texts)
    if not isinstance(material, Material):
        if material:
            st.warning(escape_markdown(visible(material, 600)))
        return
    higher, origins = _stored_corrections(material)
    judged = _judgements_or_problem(theirs, material, higher, origins)
    ways = (
        score_directions(other_program_scores(material, judged), higher) if isinstance(judged, JudgementRecord) else []
    )
    notices = [*judged.notices, *describe_directions(ways)] if isinstance(judged, JudgementRecord) else []
    st.html(file_intake.recognised_files_html(material, notices, _judgement_phrases(judged)))
    ENTRY.draw_corrections(material.files, ENTRY.roles)
    if isinstance(judged, str):
        (st.warning if theirs else st.info)(escape_markdown(visible(judged, 600)))
        return
    turned: list[RatingScale | ScoreDirection] = [*judged.scales, *ways]
    _draw_corrections(material, turned[: file_intake.COLUMNS_MOST], origins)
    _draw_start(material, judged, AgreementInput(tuple(texts), tuple(theirs), ENTRY.roles, higher, origins), state)


def _stored_corrections(material: Material) -> tuple[dict[str, bool], dict[str, str]]:
    """Return the visitor's corrections of what judgements were recognised as.

    The first dict has whether higher is better, by scale or other program's score. The second has the system whose
    output a person edited to make a reference, by name of the reference."""
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
    """Draw controls that correct whether higher is better on each scale, and from which system each reference was made.

    `ways` are the scales and the other programs' scores; `origins` has the present system by name of the reference."""
    with st.expander("Correct how judgements are read", on_change="rerun", key="agreement_correct_people") as box:
        if not box.open:
            return
        for number, way in enumerate(ways):
            st.segmented_control(
                escape_markdown(visible(way.name, 60)),
                [True, False],
                default=way.higher_is_better,
                key=f"agreement_way_of_{number}",
                format_func=lambda higher: "higher is better" if higher else "lower is better",
                required=True,
                on_change=_store_correction,
                args=("agreement_higher", way.name, f"agreement_way_of_{number}"),
            )
        for number, reference in enumerate(material.references):
            names = ["", *material.systems]
            st.selectbox(
                escape_markdown(visible(f"Reference {reference} was made from", 100)),
                names,
                index=names.index(origins.get(reference, "")),
                key=f"agreement_made_from_{number}",
                format_func=lambda name: visible(name, 60) if name else "none of the systems",
                on_change=_store_correction,
                args=("agreement_made", reference, f"agreement_made_from_{number}"),
                width=280,
            )


def _store_correction(corrections: str, name: str, control: str) -> None:
    """Store the value of a control as the correction of a scale or reference; a callback.

    `corrections` is the session's key of the corrections by name, and `control` that of the control."""
    state = st.session_state
    state[corrections] = {**(state.get(corrections) or {}), name: state[control]}


def _draw_start(
    material: Material, judged: JudgementRecord, input_files: AgreementInput, state: AgreementState
) -> None:
    """Draw the choice of the language and the button that starts scoring."""
    if not material.references:
        st.info("Without a reference, no metric can be scored: only judges and other programs' scores are shown.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ENTRY.draw_language_selector(state.language)
        label = "Score" if material.references else "Continue"
        st.button(
            label,
            type="primary",
            key="agreement_score",
            on_click=score_corpus,
            args=(material, judged, state, input_files),
        )


def _texts_or_problem(texts: Sequence[File]) -> Material | str:
    """Return the texts in the files, or a sentence that says what is wrong or missing."""
    if not texts:
        return "Judgements need texts: add the systems' outputs and a reference."
    outcome, _ = ENTRY.read_files(texts, ENTRY.roles)
    if isinstance(outcome, Material) and not outcome.systems:
        return "Judgements need systems: add their outputs, or correct how these files are read."
    return outcome


def _judgements_or_problem(
    judgement_files: Sequence[File], material: Material, higher: Mapping[str, bool], origins: Mapping[str, str]
) -> JudgementRecord | str:
    """Return the judgements, or a sentence that says what is wrong with them or that there are none; cached.

    Args:
        judgement_files: the files of judgements.
        higher: the visitor's corrections of whether higher is better, by scale.
        origins: the visitor's corrections of the system from which a reference was made, by reference."""
    if not judgement_files:
        return "Now add what people said of these systems: a table of judgements."
    return _require_ratings(ENTRY.read_judgements(judgement_files, material, higher, origins))


def read_judgements(
    judgement_files: Sequence[File], material: Material, higher: Mapping[str, bool] = {}
) -> JudgementRecord | str:
    """Return the judgements in the files `judgement_files`, or a sentence that says what is wrong with them.

    `higher` has whether higher is better, by scale, where that is known from elsewhere."""
    return _require_ratings(file_intake.read_judgements(judgement_files, material, higher))


def _require_ratings(judged: JudgementRecord | str) -> JudgementRecord | str:
    """Return the judgements if they have ratings; else a sentence that asks for ratings.

    An error message in place of judgements is returned unchanged."""
    marks_only = isinstance(judged, JudgementRecord) and not judged.scales
    return "These files have only marked errors; ratings are needed too." if marks_only else judged


def _judgement_phrases(judged: JudgementRecord | str) -> list[str]:
    """Return phrases that count the judgements, for the line that sums up the files; none for an error message."""
    if isinstance(judged, str):
        return []
    scales = ", ".join([safe(scale.name, 60) for scale in judged.scales])
    marks = [count_with_noun(len(judged.spans), "marked error")] if judged.spans else []
    return [f"judgements on {scales} by {count_with_noun(len(judged.judges), 'judge')}", *marks]


def score_corpus(
    material: Material, judged: JudgementRecord, state: AgreementState, of: AgreementInput, says: str = ""
) -> None:
    """Score a judged corpus with the settings of the page; it replaces the former one.

    `of` are the files that it was made from, and `says` is a statement about it, shown on the page."""
    settings = {key: state.settings_of(key) for key in metrics.METRICS}
    ENTRY.keep_files()
    visitor_corpus.begin_scoring(AgreementJob(material, judged, state.text, settings, state.metric, of, says))


def score_sample(state: AgreementState) -> None:
    """Score the judged sample corpus; a callback."""
    sample = judgements.sample()
    material = read_texts(sample.texts)
    pending_widgets.restore_given_values()
    st.session_state.agreement_language = "english"
    judged = judgements.read(sample.judgements, material)
    score_corpus(material, judged, state, AgreementInput(sample.texts, sample.judgements), sample.statement)
