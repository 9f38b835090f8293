"""Turn files, pasted lines or the sample into a corpus, and say what was recognised before it is scored."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import Future
from functools import cache, partial
from pathlib import Path

import streamlit as st

import metrics
from metrics.corpus import processes
from metrics.corpus.file_checks import (
    FilesCheck,
    PossibleRepair,
    Repairs,
    apply_repairs,
    check_material,
    check_uneven_files,
)
from metrics.corpus.hints import SuggestedChange, remove_markup
from metrics.corpus.jobs import ScoringCorpus as Words
from metrics.formula import count_with_noun
from metrics.text import languages
from metrics.text.formats import FORMAT_WORDS, File, Material, misfit_files, read
from metrics.text.judgements import JudgementRecord

from ...draw.compare.scores import short_names
from ...draw.pen.text import escape_markdown, visible
from ...frame import checks, file_intake, guide, menus
from ...frame.checks import Check
from ...frame.corpora import CorpusJob, expected_seconds, tokenise_in_background
from ...frame.file_intake import FileIntake, FilesReading, PasteField
from ...state.visit import controls, pending_widgets
from . import file_warnings, link_texts, save_menu, scoring, visitor_corpus
from .filter import filters
from .link_texts import LinkTexts
from .record import CorpusState, FilterPart

SAMPLE = Path(__file__).with_name("sample.tsv")
SAMPLE_SAYS = (
    "The sample: the output of one system before and after a change. Every metric prefers the new one, and in eleven "
    "of the forty segments its meaning differs from the source."
)
_WORDS = "; ".join(FORMAT_WORDS)
FORMATS = (
    f"{_WORDS[0].upper()}{_WORDS[1:]}; each also gzipped, at most 50 MB a file. Names such as ref.txt, source.de or a "
    "column called reference say what a file is; you can check and correct this before anything is scored."
)
#: Letters of a system's name in a selector, where names differ, and of a name that is shortened.
NAME_MOST, LETTERS_MOST = 24, 400
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
    """Draw the bar above the current corpus; if there is none, draw the form that asks for its files."""
    if job is None:
        _draw_form(state)
    else:
        _draw_bar(job, state)


# ---------------------------------------------------------------- the bar above the corpus


def _draw_bar(job: CorpusJob, state: CorpusState) -> None:
    """Draw the bar above the corpus: A and B, size, menus, and whether settings changed since it was scored."""
    labels = short_names([visible(name, LETTERS_MOST) for name in job.names], NAME_MOST)
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_bar"):
        for key, label, value in (("corpus_a", "A", state.a), ("corpus_b", "B", state.b)):
            st.session_state[key] = value
            st.selectbox(
                label,
                range(len(labels)),
                key=key,
                format_func=labels.__getitem__,
                width=280,
            )
        st.button("⇄", key="corpus_swap", help="Swap A and B", on_click=_swap)
        references = count_with_noun(len(job.material.references), "reference")
        st.html(f'<div class="lead_line">{job.segment_count:,} segments, {references}</div>', width="content")
        st.button("Other texts", key="corpus_other", on_click=_ask_again)
        controls.draw_metric_settings(state.metric, len(job.material.references), 0)
        menus.draw_menu_row(menus.text_menu, menus.share_menu, save_menu.show)
    if changed := job.describe_changed_settings(state):
        with st.container(horizontal=True, vertical_alignment="center", key="corpus_again"):
            st.info(changed)
            st.button("Score again", on_click=score_corpus, args=(job.unrepaired_material, state, job.repairs))


def _ask_again() -> None:
    """Drop the corpus and draw the form for files again, filled with its files; a callback.

    The files come from the corpus, because a reloaded tab has lost them."""
    if job := visitor_corpus.visitor_job():
        ENTRY.begin_from(*job.given)
    st.session_state.corpus_texts = ""  # the form is to ask for any texts, not for these
    visitor_corpus.CORPORA.drop()


def _swap() -> None:
    """Exchange A and B; a callback."""
    state = st.session_state
    state.corpus_a, state.corpus_b = state.corpus_b, state.corpus_a


def draw_warnings(job: CorpusJob, state: CorpusState) -> None:
    """Draw what looks wrong about the texts of a scored corpus, with repairs, after which it is scored again."""

    def repair_and_score(name: str, each: PossibleRepair) -> None:
        score_corpus(job.unrepaired_material, state, {**job.repairs, name: each})

    def undo_and_score(name: str) -> None:
        if _has_even_lines(job.unrepaired_material, name):
            score_corpus(
                job.unrepaired_material, state, {other: each for other, each in job.repairs.items() if other != name}
            )
        else:  # without the repair it cannot be scored
            _ask_again()
            st.session_state.pop("corpus_read", None)

    def show_segments(system: str | None, label: str, segments: Sequence[int]) -> None:
        filters.add_part(FilterPart(label, "", tuple(segments)))
        st.session_state.update(corpus_sort="number", corpus_up=False, corpus_view="segments")
        if system in job.names:
            _show_system(job, state, job.names.index(system))

    def follow_hint(each: SuggestedChange) -> None:
        if each.clean:
            score_corpus(remove_markup(job.unrepaired_material, [each.clean]), state, job.repairs)
        else:
            guide.set_text_settings(each.settings)

    file_warnings.draw(
        job.material,
        job.check.result,
        job.repairs,
        job.first,
        repair_and_score,
        undo_and_score,
        show_segments,
        follow_hint,
    )


def _show_system(job: CorpusJob, state: CorpusState, system: int) -> None:
    """Show the outputs of one system beside the table; if it is not compared now, it takes the place of B."""
    if system not in (state.a, state.b):
        st.session_state.corpus_b = system
    st.session_state.corpus_seen = "a" if system == state.a else "b"


# ---------------------------------------------------------------- asking for a corpus


def _draw_form(state: CorpusState) -> None:
    """Draw the form for files, above it the texts that the link wants, and whether the files have them."""
    wanted, above = link_texts.read_texts(state.texts), st.container(key="corpus_wanted")
    material = _draw_files(state, wanted)
    if wanted is None:
        return
    with above:
        sentence = f"{link_texts.wanted_sentence(wanted)} Choose their files, and what the link shows opens."
        if link_texts.comparison_sentence(wanted, _sample_texts()) == link_texts.SAME:
            sentence = "This link is of the sample corpus: score it, and what the link shows opens."
        if material is not None:
            sentence = link_texts.comparison_sentence(wanted, _named_texts(material, wanted))
        (st.info if material is None or sentence == link_texts.SAME else st.warning)(escape_markdown(sentence))


def _named_texts(material: Material, wanted: LinkTexts) -> LinkTexts:
    """Return the texts that a visitor gave as a link names them, without markup that the link's lack; cached."""
    cached: tuple[Material, LinkTexts, LinkTexts] | None = st.session_state.get("corpus_given_texts")
    if cached is None or cached[0] is not material or cached[1] != wanted:
        given = link_texts.texts_of(remove_markup(material, wanted.cleaned))
        cached = st.session_state.corpus_given_texts = material, wanted, given
    return cached[2]


def _draw_files(state: CorpusState, wanted: LinkTexts | None) -> Material | None:
    """Draw the form for files: what they were recognised as, warnings, corrections, and the button that scores them.

    Returns the texts in the files, None if they cannot be read together. Those that are `wanted` by a link are taken
    for what they are in the link."""
    processes.start_workers_in_background(
        os.cpu_count() or 1
    )  # started early, so that the first scores do not wait for them
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_ways"):
        way = ENTRY.draw_input_choice()
        st.button("Score the sample corpus", key="corpus_sample", on_click=_score_sample, args=(state,))
        menus.draw_menu_row(menus.text_menu, menus.share_menu)
    files = ENTRY.draw_file_input(way)
    if not files:
        st.html(f'<div class="lead_line">{FORMATS}</div>')
        return None
    roles = ENTRY.roles
    files, theirs = ENTRY.split_judgements(files)
    if not files:
        st.info("Judgements need texts: add the systems' outputs and a reference.")
        return None
    stands, repairs = ENTRY.read_files(files, roles)
    if isinstance(stands, str):
        st.warning(escape_markdown(visible(stands, 600)))
        _draw_uneven_files(files, roles, state)
        each = ENTRY.recognised_files(files, roles)
        st.html(f'<div class="recognised">{file_intake.html_list([one.sentence for one in each])}</div>')
        ENTRY.draw_corrections(each, roles)
        return None
    if wanted is not None:
        _adopt_link(stands, wanted)
    material = apply_repairs(stands, repairs)
    first = state.metric, state.settings_of(state.metric)
    request = *file_intake.files_and_roles(files, roles), state.text, first, tuple(repairs), material.cleaned
    check = checks.session_check("corpus_check", request, check_material, material, state.text, *first, repairs)
    file_warnings.draw(
        material,
        check.result,
        repairs,
        state.metric,
        _repair,
        _undo_repair,
        follow=_follow_hint,
        restore=_restore_markup,
    )
    if not check.ended:
        corpus_checked("corpus_check")
    words = _tokenise_early(request, material, state)
    judged = ENTRY.read_judgements(theirs, stands) if theirs and material.systems else None
    if isinstance(judged, str):
        st.warning(escape_markdown(visible(judged, 600)))
        judged = None
    st.html(file_intake.recognised_files_html(material, judged.notices if judged else (), _judgement_phrases(judged)))
    ENTRY.draw_corrections(material.files, roles)
    if not material.systems or not material.references:
        needed = "a system" if not material.systems else "a reference"
        st.info(f"Scoring also needs {needed}: add a file, or correct how these are read.")
        return stands
    costs = scoring.start_measuring_costs(request, material, state)
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_begin"):
        ENTRY.draw_language_selector(state.language)
        scoring.draw_choice(state, len(material), partial(expected_seconds, costs))
        args = stands, state, repairs, check, judged, theirs, words, costs
        st.button("Score", type="primary", key="corpus_score", on_click=score_corpus, args=args)
    if not checks.check_has_ended(scoring.COST_CHECK):
        corpus_checked(scoring.COST_CHECK)
    return stands


def _adopt_link(material: Material, wanted: LinkTexts) -> None:
    """Take the texts that a link wants for what they are in the link, in its language; rerun the page if that is new.

    A text is recognised by its digest. Only a file of one column is taken for something else, and what the visitor has
    chosen stays."""
    given, files = _named_texts(material, wanted), [*material.systems.values(), *material.references.values()]
    files += [material.source] if material.source else []
    columns = {each.file: len(each.columns) for each in material.files}
    by_digest = {text.digest: text for text in wanted.texts}
    roles = dict(ENTRY.roles)
    for text, of in zip(given.texts, files, strict=False):
        meant = by_digest.get(text.digest)
        if meant and meant.kind != text.kind and columns.get(of.file) == 1:
            roles.setdefault(of.file, f"{meant.kind}:{meant.name}" if meant.name else meant.kind)
    state, language = st.session_state, wanted.language
    found = {text.digest for text in given.texts}
    same = all(text.digest in found for text in wanted.texts if text.kind == "reference")
    adopted = same and language in languages.KNOWN and not state.get(ENTRY.session_key("language_set"))
    if adopted:
        state[ENTRY.session_key("language_set")] = True
    if roles != ENTRY.roles or (adopted and state.get("corpus_language") != language):
        state.update({ENTRY.session_key("roles"): roles, **({"corpus_language": language} if adopted else {})})
        st.rerun()


def _tokenise_early(request: Hashable, material: Material, state: CorpusState) -> Future[Words]:
    """Return the future of the tokenised corpus.

    Tokenising starts now, in the background, before the visitor asks for scores. `request` identifies the texts; for
    another one, the former tokenising is cancelled."""
    reading: tuple[Hashable, Future[Words]] | None = st.session_state.get("corpus_words")
    if reading is None or reading[0] != request:
        if reading:
            reading[1].cancel()
        reading = st.session_state["corpus_words"] = request, tokenise_in_background(material, state.text)
    return reading[1]


def _judgement_phrases(judged: JudgementRecord | None) -> list[str]:
    """Return phrases that count the judgements, for the line that sums up the files; none without judgements."""
    if judged is None:
        return []
    rated = ["judgements, with which the Agreement page compares metrics"] if judged.scales else []
    return [*rated, *([count_with_noun(len(judged.spans), "marked error")] if judged.spans else [])]


@st.fragment(run_every=TICK)
def corpus_checked(name: str) -> None:
    """Wait for the check that the session holds under `name`, as a fragment, and rerun the page when it has ended."""
    if checks.check_has_ended(name):
        st.rerun()


def _draw_uneven_files(files: list[File], roles: dict[str, str], state: CorpusState) -> None:
    """Draw the repairs of systems that have more or fewer lines than the references.

    A repair is offered where the surplus or missing lines can be located."""
    request = *file_intake.files_and_roles(files, roles), state.text
    check = checks.session_check("corpus_uneven", request, check_uneven_files, files, roles, state.text)
    if not check.ended:
        corpus_checked("corpus_uneven")
    elif check.result is None:
        _draw_misfit_files(files, roles)
    else:
        stands, result = check.result

        def repair_and_read(name: str, each: PossibleRepair) -> None:
            ENTRY.last_reading = FilesReading(file_intake.files_and_roles(files, roles), stands, result.offered)
            ENTRY.adopt_recognised_language(stands)

        file_warnings.draw(stands, result, {}, state.metric, repair_and_read, _undo_repair)


def _draw_misfit_files(files: list[File], roles: dict[str, str]) -> None:
    """Draw a sentence on which files to remove so that the others can be scored together, if there are such files."""
    check = checks.session_check(
        "corpus_in_the_way", file_intake.files_and_roles(files, roles), misfit_files, files, roles
    )
    if not check.ended:
        corpus_checked("corpus_in_the_way")
    elif check.result:
        names = " and ".join([visible(name, 60) for name in check.result])
        it = "it" if len(check.result) == 1 else "them"
        st.info(escape_markdown(f"Without {names}, the others can be scored: remove {it} above."))


def _repair(name: str, chosen_repair: PossibleRepair) -> None:
    """Apply the repair `chosen_repair` to the system called `name` in the last reading of the files; a callback."""
    if last_read := ENTRY.last_reading:
        ENTRY.last_reading = last_read._replace(repairs={**last_read.repairs, name: chosen_repair})


def _undo_repair(name: str) -> None:
    """Undo the repair of the system called `name`; a callback.

    If the system cannot be scored without the repair, the files are read again, which says so."""
    last_read = ENTRY.last_reading
    if last_read is None or isinstance(last_read.outcome, str) or not _has_even_lines(last_read.outcome, name):
        st.session_state.pop("corpus_read", None)
    else:
        ENTRY.last_reading = last_read._replace(
            repairs={other: each for other, each in last_read.repairs.items() if other != name}
        )


def _follow_hint(advice: SuggestedChange) -> None:
    """Follow the advice of a hint: remove markup from the texts, or change text settings; a callback."""
    last_read = ENTRY.last_reading
    if advice.clean and last_read and isinstance(last_read.outcome, Material):
        ENTRY.last_reading = last_read._replace(outcome=remove_markup(last_read.outcome, [advice.clean]))
    elif not advice.clean:
        guide.set_text_settings(advice.settings)


def _restore_markup(name: str) -> None:
    """Restore the kind of markup called `name` that was removed from the texts; a callback."""
    last_read = ENTRY.last_reading
    if last_read and isinstance(last_read.outcome, Material):
        files, roles = last_read.of
        rest = [each for each in last_read.outcome.cleaned if each != name]
        ENTRY.last_reading = last_read._replace(outcome=remove_markup(read(files, dict(roles)), rest))


def _has_even_lines(stands: Material, name: str) -> bool:
    """Return whether the system called `name` has as many lines as the references without a repair."""
    return len(stands.systems[name].lines) == len(next(iter(stands.references.values())).lines)


def score_corpus(
    unrepaired_material: Material,
    state: CorpusState,
    repairs: Repairs,
    check: Check[FilesCheck] | None = None,
    judged: JudgementRecord | None = None,
    judgement_files: Sequence[File] = (),
    words: Future[Words] | None = None,
    costs: Mapping[str, float] = {},
) -> None:
    """Score a corpus with the settings of the page; it replaces the former one.

    Args:
        unrepaired_material: the texts before the repairs.
        repairs: the repairs to apply, by system.
        check: the check of these texts, if it was started already.
        judged: people's judgements of the texts, None if there are none.
        judgement_files: the files of these judgements.
        words: the future of the tokenised corpus, if tokenising was started already.
        costs: the seconds that each metric is expected to take, as far as they are known."""
    settings = {key: state.settings_of(key) for key in metrics.METRICS}
    former = visitor_corpus.visitor_job()
    wanted = former.wanted if former else scoring.chosen_metrics(state, len(unrepaired_material))
    first = state.metric if state.metric in wanted else wanted[0]
    st.session_state.metric = first
    systems = len(unrepaired_material.systems)
    if max(state.a, state.b) >= systems:
        st.session_state.update(corpus_a=0, corpus_b=min(1, systems - 1))
    ENTRY.keep_files()
    # The selector of the language is about to go, and would take its value along.
    st.session_state.update(corpus_says="", corpus_language=state.language)
    last_read = ENTRY.last_reading
    link = None if former else link_texts.read_texts(state.texts)
    job = CorpusJob(unrepaired_material, state.text, settings, first, repairs, check, words, wanted)
    job.costs = costs
    st.session_state.pop("corpus_words", None)
    if former:
        job.given, job.judged, job.costs = former.given, former.judged, former.costs
    elif last_read and last_read.outcome is unrepaired_material:
        job.given, job.judged = ((*last_read.of[0], *judgement_files), dict(last_read.of[1])), judged
    visitor_corpus.begin_scoring(job)
    if link is not None:
        _open_view_of_link(job, state, link)


def _open_view_of_link(job: CorpusJob, state: CorpusState, wanted: LinkTexts) -> None:
    """Have the systems and the segment of a link shown, or have it said that the texts are not those of the link."""
    given = _named_texts(job.unrepaired_material, wanted)
    places = [link_texts.place_of_system(wanted, number, given) for number in (state.a, state.b)]
    if None not in places:
        st.session_state.corpus_a, st.session_state.corpus_b = places
    if wanted.segments == given.segments:
        st.session_state.corpus_segment = state.segment
    sentence = link_texts.comparison_sentence(wanted, given)
    st.session_state.corpus_says = "" if sentence == link_texts.SAME else sentence


@cache
def _sample_texts() -> LinkTexts:
    """Return the texts of the sample as a link names them."""
    return link_texts.texts_of(_read_sample())


def _read_sample() -> Material:
    """Return the texts of the sample."""
    return read([File(SAMPLE.name, SAMPLE.read_bytes())])


def _score_sample(state: CorpusState) -> None:
    """Score the sample corpus; a callback."""
    material = _read_sample()
    pending_widgets.restore_given_values()
    st.session_state.update(corpus_a=0, corpus_b=1)
    score_corpus(material, dataclasses.replace(state, scored=(), language="english"), {})
    st.session_state.corpus_says = " ".join(filter(None, [st.session_state.corpus_says, SAMPLE_SAYS]))
