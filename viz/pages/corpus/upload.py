"""Turn files, pasted lines or the sample into a corpus, and say what was recognised before it is scored."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from pathlib import Path

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.file_checks import FilesCheck, PossibleRepair, Repairs, apply_repairs, check_material, uneven_files
from metrics.corpus.hints import Help, cleaned
from metrics.corpus.jobs import ScoringCorpus as Words
from metrics.formula import counted
from metrics.text.formats import File, Material, misfit_files, read
from metrics.text.judgements import JudgementRecord

from ...draw.pen import theme
from ...frame import checks, file_intake, guide, menus, outputs
from ...frame.checks import Check
from ...frame.corpora import CorpusJob, read_words
from ...frame.file_intake import FileIntake, PasteField, Reading
from ...state import controls, pending_widgets
from . import file_warnings, filters, save_menu, visitor_corpus
from .record import CorpusState, FilterPart

SAMPLE = Path(__file__).with_name("sample.tsv")
SAMPLE_SAYS = (
    "The sample: the output of one system before and after a change. Every metric prefers the new one, and in eleven "
    "of the forty segments it says something else than the source."
)
FORMATS = (
    "A segment a line; TSV, CSV or XLSX with a header; JSONL; XLIFF, TMX, PO or WMT's XML; WebVTT, SRT or transcripts "
    "with ids; each also gzipped, at most 50 MB a file. Names such as ref.txt, source.de or a column called reference "
    "say what a file is; what is recognised is said, and can be corrected, before anything is scored."
)
TICK = 0.3  # seconds between two polls of a check
ENTRY = FileIntake(
    "corpus",
    "Systems, references and, where there is one, the source",
    (
        PasteField("A", "system"),
        PasteField("B", "system"),
        PasteField("Reference", "reference"),
        PasteField("Source", "source"),
    ),
)


def draw(state: CorpusState, job: CorpusJob | None) -> None:
    """Draw the bar above the current corpus, or ask for one if there is none."""
    if job is None:
        _ask(state)
    else:
        _draw_bar(job, state)


# ---------------------------------------------------------------- the bar above the corpus


def _draw_bar(job: CorpusJob, state: CorpusState) -> None:
    """Draw the choice of A and B, the size of the corpus and its menus.

    A note says if settings changed since the corpus was scored."""
    names = job.names
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_bar"):
        for key, label, value in (("corpus_a", "A", state.a), ("corpus_b", "B", state.b)):
            st.session_state[key] = value
            st.selectbox(
                label,
                range(len(names)),
                key=key,
                format_func=lambda n: theme.markdown(theme.visible(names[n], 60)),
                width=280,
            )
        st.button("⇄", key="corpus_swap", help="Swap A and B", on_click=_swap)
        references = counted(len(job.material.references), "reference")
        st.html(f'<div class="lead_line">{job.size:,} segments, {references}</div>', width="content")
        st.button("Other texts", key="corpus_other", on_click=_ask_again)
        controls.metric_settings(state.metric, len(job.material.references), 0)
        menus.tools(menus.text_menu, menus.share_menu, save_menu.show)
    if changed := outputs.changed(job.text, job.settings, state):
        with st.container(horizontal=True, vertical_alignment="center", key="corpus_again"):
            st.info(changed)
            st.button("Score again", on_click=score, args=(job.stands, state, job.repairs))


def _ask_again() -> None:
    """Drop the corpus and ask for texts, starting with its files, which a reloaded tab has lost, in a callback."""
    if job := visitor_corpus.scoring():
        ENTRY.begin_from(*job.given)
    visitor_corpus.drop()


def _swap() -> None:
    """Exchange A and B, in a callback."""
    state = st.session_state
    state.corpus_a, state.corpus_b = state.corpus_b, state.corpus_a


def draw_warnings(job: CorpusJob, state: CorpusState) -> None:
    """Draw what looks wrong about the texts of a scored corpus."""

    def repair(name: str, each: PossibleRepair) -> None:
        score(job.stands, state, {**job.repairs, name: each})

    def undo(name: str) -> None:
        if _is_even(job.stands, name):
            score(job.stands, state, {other: each for other, each in job.repairs.items() if other != name})
        else:  # without the repair it cannot be scored
            _ask_again()
            st.session_state.pop("corpus_read", None)

    def select(label: str, segments: Sequence[int]) -> None:
        filters.add(FilterPart(label, "", tuple(segments)))
        st.session_state.update(corpus_sort="number", corpus_up=False)

    def follow(each: Help) -> None:
        if each.clean:
            score(cleaned(job.stands, [each.clean]), state, job.repairs)
        else:
            guide.apply_settings(each.settings)

    file_warnings.draw(job.material, job.check.result, job.repairs, job.first, repair, undo, select, follow)


# ---------------------------------------------------------------- asking for a corpus


def _ask(state: CorpusState) -> None:
    """Ask for files, and draw what they were recognised as, warnings, corrections, and the button that scores them."""
    processes.warm(os.cpu_count() or 1)  # started early, so that the first scores do not wait for them
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_ways"):
        way = ENTRY.choose_way()
        st.button("Score the sample corpus", key="corpus_sample", on_click=_score_sample, args=(state,))
        menus.tools(menus.text_menu, menus.share_menu)
    files = ENTRY.files(way)
    if not files:
        st.html(f'<div class="lead_line">{FORMATS}</div>')
        return
    roles = ENTRY.roles
    files, theirs = ENTRY.split_judgements(files)
    if not files:
        st.info("Judgements are of texts: add the systems' outputs and a reference.")
        return
    stands, repairs = ENTRY.read(files, roles)
    if isinstance(stands, str):
        st.warning(theme.markdown(theme.visible(stands, 600)))
        _draw_uneven(files, roles, state)
        each = ENTRY.recognised(files, roles)
        st.html(f'<div class="recognised">{file_intake.listed([one.sentence for one in each])}</div>')
        ENTRY.correct(each, roles)
        return
    material = apply_repairs(stands, repairs)
    first = state.metric, state.settings_of(state.metric)
    request = *file_intake.files_and_roles(files, roles), state.text, first, tuple(repairs), material.cleaned
    check = checks.session_check("corpus_check", request, check_material, material, state.text, *first, repairs)
    file_warnings.draw(material, check.result, repairs, state.metric, _repair, _undo, follow=_follow, restore=_restore)
    if not check.ended:
        corpus_checked("corpus_check")
    words = _words(request, material, state)
    judged = ENTRY.judged(theirs, stands) if theirs and material.systems else None
    if isinstance(judged, str):
        st.warning(theme.markdown(theme.visible(judged, 600)))
        judged = None
    st.html(file_intake.summary(material, judged.notices if judged else (), _parts(judged)))
    ENTRY.correct(material.files, roles)
    if not material.systems or not material.references:
        needed = "a system" if not material.systems else "a reference"
        st.info(f"For scores {needed} is needed too: add a file, or correct what these are taken for.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ENTRY.language(state.language)
        args = stands, state, repairs, check, judged, theirs, words
        st.button("Score", type="primary", key="corpus_score", on_click=score, args=args)


def _words(request: Hashable, material: Material, state: CorpusState) -> Future[Words]:
    """Return the words of the material, which are tokenised in the background before scoring starts."""
    reading: tuple[Hashable, Future[Words]] | None = st.session_state.get("corpus_words")
    if reading is None or reading[0] != request:
        if reading:
            reading[1].cancel()
        reading = st.session_state["corpus_words"] = request, read_words(material, state.text)
    return reading[1]


def _parts(judged: JudgementRecord | None) -> list[str]:
    """Return what the line that sums up the files says of judgements."""
    if judged is None:
        return []
    rated = ["judgements, which the Agreement page holds metrics against"] if judged.scales else []
    return [*rated, *([counted(len(judged.spans), "marked error")] if judged.spans else [])]


@st.fragment(run_every=TICK)
def corpus_checked(name: str) -> None:
    """Wait for a check, as a fragment, and rerun the page when it has ended."""
    if checks.has_ended(name):
        st.rerun()


def _draw_uneven(files: list[File], roles: dict[str, str], state: CorpusState) -> None:
    """Draw the repairs of systems with more or fewer lines than the references.

    A repair is offered where the surplus or missing lines can be located."""
    request = *file_intake.files_and_roles(files, roles), state.text
    check = checks.session_check("corpus_uneven", request, uneven_files, files, roles, state.text)
    if not check.ended:
        corpus_checked("corpus_uneven")
    elif check.result is None:
        _say_what_to_take_out(files, roles)
    else:
        stands, result = check.result

        def repair(name: str, each: PossibleRepair) -> None:
            ENTRY.last_reading = Reading(file_intake.files_and_roles(files, roles), stands, result.offered)
            ENTRY.recognise(stands)

        file_warnings.draw(stands, result, {}, state.metric, repair, _undo)


def _say_what_to_take_out(files: list[File], roles: dict[str, str]) -> None:
    """Draw which files to remove so that the others can be scored together, if there are such files."""
    check = checks.session_check(
        "corpus_in_the_way", file_intake.files_and_roles(files, roles), misfit_files, files, roles
    )
    if not check.ended:
        corpus_checked("corpus_in_the_way")
    elif check.result:
        names = " and ".join([theme.visible(name, 60) for name in check.result])
        it = "it" if len(check.result) == 1 else "them"
        st.info(theme.markdown(f"Without {names} the others can be scored: take {it} out above."))


def _repair(name: str, each: PossibleRepair) -> None:
    """Repair a system in the last reading, in a callback."""
    if last_read := ENTRY.last_reading:
        ENTRY.last_reading = last_read._replace(repairs={**last_read.repairs, name: each})


def _undo(name: str) -> None:
    """Undo the repair of a system, in a callback; if it cannot be scored without, read the files again to say so."""
    last_read = ENTRY.last_reading
    if last_read is None or isinstance(last_read.outcome, str) or not _is_even(last_read.outcome, name):
        st.session_state.pop("corpus_read", None)
    else:
        ENTRY.last_reading = last_read._replace(
            repairs={other: each for other, each in last_read.repairs.items() if other != name}
        )


def _follow(each: Help) -> None:
    """Follow the advice of a hint, in a callback."""
    last_read = ENTRY.last_reading
    if each.clean and last_read and isinstance(last_read.outcome, Material):
        ENTRY.last_reading = last_read._replace(outcome=cleaned(last_read.outcome, [each.clean]))
    elif not each.clean:
        guide.apply_settings(each.settings)


def _restore(name: str) -> None:
    """Restore the kind of markup that was cleaned out of the texts, in a callback."""
    last_read = ENTRY.last_reading
    if last_read and isinstance(last_read.outcome, Material):
        files, roles = last_read.of
        rest = [each for each in last_read.outcome.cleaned if each != name]
        ENTRY.last_reading = last_read._replace(outcome=cleaned(read(files, dict(roles)), rest))


def _is_even(stands: Material, name: str) -> bool:
    """Return whether a system has one line for each segment without repair."""
    return len(stands.systems[name].lines) == len(next(iter(stands.references.values())).lines)


def score(
    stands: Material,
    state: CorpusState,
    repairs: Repairs,
    check: Check[FilesCheck] | None = None,
    judged: JudgementRecord | None = None,
    theirs: Sequence[File] = (),
    words: Future[Words] | None = None,
) -> None:
    """Score a corpus with the settings of the page; it replaces the former one.

    Args:
        stands: the texts before the repairs.
        repairs: the repairs to apply, by system.
        check: the check of these texts, if it was started already.
        judged: people's judgements of the texts.
        theirs: the files of these judgements.
        words: the words of the texts, if they are being tokenised already."""
    settings = {key: state.settings_of(key) for key in metrics.METRICS}
    systems = len(stands.systems)
    if max(state.a, state.b) >= systems:
        st.session_state.update(corpus_a=0, corpus_b=min(1, systems - 1))
    ENTRY.keep_files()
    st.session_state.corpus_says = ""
    last_read = ENTRY.last_reading
    job = CorpusJob(stands, state.text, settings, state.metric, repairs, check, words)
    st.session_state.pop("corpus_words", None)
    if former := visitor_corpus.scoring():
        job.given, job.judged = former.given, former.judged
    elif last_read and last_read.outcome is stands:
        job.given, job.judged = ((*last_read.of[0], *theirs), dict(last_read.of[1])), judged
    visitor_corpus.begin(job)


def _score_sample(state: CorpusState) -> None:
    """Score the sample corpus, in a callback."""
    material = read([File(SAMPLE.name, SAMPLE.read_bytes())])
    pending_widgets.restore_given_values()
    st.session_state.update(corpus_language="english", corpus_a=0, corpus_b=1)
    score(material, state, {})
    st.session_state.corpus_says = SAMPLE_SAYS
