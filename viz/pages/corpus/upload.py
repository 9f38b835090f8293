"""The way in: files, pasted lines or the sample become a corpus, of which is said what was recognised before it is
scored."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from concurrent.futures import Future
from pathlib import Path

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.file_checks import FilesCheck, Offered, Repairs, checked, put_right, uneven
from metrics.corpus.hints import Help, cleaned
from metrics.corpus.jobs import ScoringCorpus as Words
from metrics.formula import counted
from metrics.text.formats import File, Material, in_the_way, read
from metrics.text.judgements import JudgementRecord

from ...draw.pen import theme
from ...frame import checks, file_intake, guide, menus, outputs
from ...frame.checks import Check
from ...frame.corpora import CorpusJob, read_words
from ...frame.file_intake import FileIntake, PasteField, Read
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
TICK = 0.3  # seconds between two looks at what is looked for
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
    """Ask for a corpus; of one that is there, which of its systems are A and B."""
    if job is None:
        _ask(state)
    else:
        _systems(job, state)


# ---------------------------------------------------------------- a corpus that is there


def _systems(job: CorpusJob, state: CorpusState) -> None:
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
    """Ask for texts, beginning from those that were given, which a tab that was loaded again has no longer."""
    if job := visitor_corpus.scoring():
        ENTRY.begin_from(*job.given)
    visitor_corpus.drop()


def _swap() -> None:
    state = st.session_state
    state.corpus_a, state.corpus_b = state.corpus_b, state.corpus_a


def doubts(job: CorpusJob, state: CorpusState) -> None:
    """What looks wrong about the texts that are scored, before their scores."""

    def repair(name: str, each: Offered) -> None:
        score(job.stands, state, {**job.repairs, name: each})

    def undo(name: str) -> None:
        if _is_even(job.stands, name):
            score(job.stands, state, {other: each for other, each in job.repairs.items() if other != name})
        else:  # it can only be scored repaired
            _ask_again()
            st.session_state.pop("corpus_read", None)

    def select(label: str, segments: Sequence[int]) -> None:
        filters.add(FilterPart(label, "", tuple(segments)))
        st.session_state.update(corpus_sort="number", corpus_up=False)

    def follow(each: Help) -> None:
        if each.clean:
            score(cleaned(job.stands, [each.clean]), state, job.repairs)
        else:
            guide.follow(each.settings)

    file_warnings.draw(job.material, job.check.result, job.repairs, job.first, repair, undo, select, follow)


# ---------------------------------------------------------------- a corpus to come


def _ask(state: CorpusState) -> None:
    processes.warm(os.cpu_count() or 1)  # so that the first numbers need not wait for them
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_ways"):
        way = ENTRY.way()
        st.button("Score the sample corpus", key="corpus_sample", on_click=_score_sample, args=(state,))
        menus.tools(menus.text_menu, menus.share_menu)
    files = ENTRY.files(way)
    if not files:
        st.html(f'<div class="lead_line">{FORMATS}</div>')
        return
    roles = ENTRY.roles
    files, theirs = ENTRY.parted(files)
    if not files:
        st.info("Judgements are of texts: add the systems' outputs and a reference.")
        return
    stands, repairs = ENTRY.read(files, roles)
    if isinstance(stands, str):
        st.warning(theme.markdown(theme.visible(stands, 600)))
        _uneven(files, roles, state)
        each = ENTRY.recognised(files, roles)
        st.html(f'<div class="recognised">{file_intake.listed([one.sentence for one in each])}</div>')
        ENTRY.correct(each, roles)
        return
    material = put_right(stands, repairs)
    first = state.metric, state.settings_of(state.metric)
    request = *file_intake.files_and_roles(files, roles), state.text, first, tuple(repairs), material.cleaned
    check = checks.of_session("corpus_check", request, checked, material, state.text, *first, repairs)
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
    """The words of what may be scored next, which are read while the page is read."""
    reading: tuple[Hashable, Future[Words]] | None = st.session_state.get("corpus_words")
    if reading is None or reading[0] != request:
        if reading:
            reading[1].cancel()
        reading = st.session_state["corpus_words"] = request, read_words(material, state.text)
    return reading[1]


def _parts(judged: JudgementRecord | None) -> list[str]:
    """What of judgements stands in the line that says what there is."""
    if judged is None:
        return []
    rated = ["judgements, which the Agreement page holds metrics against"] if judged.scales else []
    return [*rated, *([counted(len(judged.spans), "marked error")] if judged.spans else [])]


@st.fragment(run_every=TICK)
def corpus_checked(name: str) -> None:
    """Waits until what looks wrong is known."""
    if checks.has_ended(name):
        st.rerun()


def _uneven(files: list[File], roles: dict[str, str], state: CorpusState) -> None:
    """Where systems have some lines more or fewer than the references and show where, what would put them right."""
    request = *file_intake.files_and_roles(files, roles), state.text
    check = checks.of_session("corpus_uneven", request, uneven, files, roles, state.text)
    if not check.ended:
        corpus_checked("corpus_uneven")
    elif check.result is None:
        _say_what_to_take_out(files, roles)
    else:
        stands, result = check.result

        def repair(name: str, each: Offered) -> None:
            ENTRY.last_reading = Read(file_intake.files_and_roles(files, roles), stands, result.offered)
            ENTRY.recognise(stands)

        file_warnings.draw(stands, result, {}, state.metric, repair, _undo)


def _say_what_to_take_out(files: list[File], roles: dict[str, str]) -> None:
    """Of files that cannot be scored together those without which the others can, where there are such."""
    check = checks.of_session("corpus_in_the_way", file_intake.files_and_roles(files, roles), in_the_way, files, roles)
    if not check.ended:
        corpus_checked("corpus_in_the_way")
    elif check.result:
        names = " and ".join([theme.visible(name, 60) for name in check.result])
        it = "it" if len(check.result) == 1 else "them"
        st.info(theme.markdown(f"Without {names} the others can be scored: take {it} out above."))


def _repair(name: str, each: Offered) -> None:
    """Score a system repaired."""
    if last_read := ENTRY.last_reading:
        ENTRY.last_reading = last_read._replace(repairs={**last_read.repairs, name: each})


def _undo(name: str) -> None:
    """Score a system as it stands; where it cannot be, say that again."""
    last_read = ENTRY.last_reading
    if last_read is None or isinstance(last_read.outcome, str) or not _is_even(last_read.outcome, name):
        st.session_state.pop("corpus_read", None)
    else:
        ENTRY.last_reading = last_read._replace(
            repairs={other: each for other, each in last_read.repairs.items() if other != name}
        )


def _follow(each: Help) -> None:
    """Do what a hint advises."""
    last_read = ENTRY.last_reading
    if each.clean and last_read and isinstance(last_read.outcome, Material):
        ENTRY.last_reading = last_read._replace(outcome=cleaned(last_read.outcome, [each.clean]))
    elif not each.clean:
        guide.follow(each.settings)


def _restore(name: str) -> None:
    """Put back what was taken out of the texts."""
    last_read = ENTRY.last_reading
    if last_read and isinstance(last_read.outcome, Material):
        files, roles = last_read.of
        rest = [each for each in last_read.outcome.cleaned if each != name]
        ENTRY.last_reading = last_read._replace(outcome=cleaned(read(files, dict(roles)), rest))


def _is_even(stands: Material, name: str) -> bool:
    """Whether a system has a line for each segment as it stands."""
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
    """Score a corpus with these `repairs` and the settings of the page, in the place of the former one.
    `judged` is what people said of it, by `theirs`, files that are no texts; `words` may be read already."""
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
    material = read([File(SAMPLE.name, SAMPLE.read_bytes())])
    pending_widgets.settle()
    st.session_state.update(corpus_language="english", corpus_a=0, corpus_b=1)
    score(material, state, {})
    st.session_state.corpus_says = SAMPLE_SAYS
