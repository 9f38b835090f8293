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
from metrics.corpus.checked import Checked, Offered, Repairs, checked, put_right, uneven
from metrics.corpus.hints import Help, cleaned
from metrics.corpus.jobs import Corpus as Words
from metrics.formula import counted
from metrics.text.formats import File, Material, in_the_way, read
from metrics.text.judgements import Judged

from ...draw.pen import theme
from ...frame import checks, given, guide, menus, outputs
from ...frame.checks import Check
from ...frame.corpora import Scoring, read_words
from ...frame.given import Entry, Field, Read
from ...state import controls, handed
from . import doubted, filters, held, save_menu
from .record import Corpus, Part

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
ENTRY = Entry(
    "corpus",
    "Systems, references and, where there is one, the source",
    (Field("A", "system"), Field("B", "system"), Field("Reference", "reference"), Field("Source", "source")),
)


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
    if changed := outputs.changed(found.text, found.settings, shown):
        with st.container(horizontal=True, vertical_alignment="center", key="corpus_again"):
            st.info(changed)
            st.button("Score again", on_click=score, args=(found.stands, shown, found.made))


def _others() -> None:
    """Ask for texts, beginning from those that were given, which a tab that was loaded again has no longer."""
    if found := held.scoring():
        ENTRY.begin_from(*found.given)
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

    def follow(each: Help) -> None:
        if each.clean:
            score(cleaned(found.stands, [each.clean]), shown, found.made)
        else:
            guide.follow(each.settings)

    doubted.draw(found.material, found.check.found, found.made, found.first, repair, undo, select, follow)


# ---------------------------------------------------------------- a corpus to come


def _ask(shown: Corpus) -> None:
    processes.warm(os.cpu_count() or 1)  # so that the first numbers need not wait for them
    with st.container(horizontal=True, vertical_alignment="bottom", key="corpus_ways"):
        way = ENTRY.way()
        st.button("Score the sample corpus", key="corpus_sample", on_click=_score_sample, args=(shown,))
        menus.tools(menus.text_menu, menus.share_menu)
    files = ENTRY.files(way)
    if not files:
        st.html(f'<div class="rd">{FORMATS}</div>')
        return
    roles = ENTRY.roles
    files, theirs = ENTRY.parted(files)
    if not files:
        st.info("Judgements are of texts: add the systems' outputs and a reference.")
        return
    stands, made = ENTRY.read(files, roles)
    if isinstance(stands, str):
        st.warning(theme.markdown(theme.visible(stands, 600)))
        _uneven(files, roles, shown)
        each = ENTRY.recognised(files, roles)
        st.html(f'<div class="recognised">{given.listed([one.sentence for one in each])}</div>')
        ENTRY.correct(each, roles)
        return
    found = put_right(stands, made)
    first = shown.metric, shown.settings_of(shown.metric)
    asked = *given.of(files, roles), shown.text, first, tuple(made), found.cleaned
    check = checks.of_session("corpus_check", asked, checked, found, shown.text, *first, made)
    doubted.draw(found, check.found, made, shown.metric, _repair, _undo, follow=_follow, restore=_restore)
    if not check.ended:
        corpus_checked("corpus_check")
    words = _words(asked, found, shown)
    judged = ENTRY.judged(theirs, stands) if theirs and found.systems else None
    if isinstance(judged, str):
        st.warning(theme.markdown(theme.visible(judged, 600)))
        judged = None
    st.html(given.summary(found, judged.notices if judged else (), _parts(judged)))
    ENTRY.correct(found.files, roles)
    if not found.systems or not found.references:
        needed = "a system" if not found.systems else "a reference"
        st.info(f"For scores {needed} is needed too: add a file, or correct what these are taken for.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ENTRY.language(shown.language)
        args = stands, shown, made, check, judged, theirs, words
        st.button("Score", type="primary", key="corpus_score", on_click=score, args=args)


def _words(asked: Hashable, found: Material, shown: Corpus) -> Future[Words]:
    """The words of what may be scored next, which are read while the page is read."""
    kept: tuple[Hashable, Future[Words]] | None = st.session_state.get("corpus_words")
    if kept is None or kept[0] != asked:
        if kept:
            kept[1].cancel()
        kept = st.session_state["corpus_words"] = asked, read_words(found, shown.text)
    return kept[1]


def _parts(judged: Judged | None) -> list[str]:
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


def _uneven(files: list[File], roles: dict[str, str], shown: Corpus) -> None:
    """Where systems have some lines more or fewer than the references and show where, what would put them right."""
    asked = *given.of(files, roles), shown.text
    check = checks.of_session("corpus_uneven", asked, uneven, files, roles, shown.text)
    if not check.ended:
        corpus_checked("corpus_uneven")
    elif check.found is None:
        _say_what_to_take_out(files, roles)
    else:
        stands, found = check.found

        def repair(name: str, each: Offered) -> None:
            ENTRY.kept = Read(given.of(files, roles), stands, found.offered)
            ENTRY.recognise(stands)

        doubted.draw(stands, found, {}, shown.metric, repair, _undo)


def _say_what_to_take_out(files: list[File], roles: dict[str, str]) -> None:
    """Of files that cannot be scored together those without which the others can, where there are such."""
    check = checks.of_session("corpus_in_the_way", given.of(files, roles), in_the_way, files, roles)
    if not check.ended:
        corpus_checked("corpus_in_the_way")
    elif check.found:
        names = " and ".join([theme.visible(name, 60) for name in check.found])
        it = "it" if len(check.found) == 1 else "them"
        st.info(theme.markdown(f"Without {names} the others can be scored: take {it} out above."))


def _repair(name: str, each: Offered) -> None:
    """Score a system repaired."""
    if kept := ENTRY.kept:
        ENTRY.kept = kept._replace(made={**kept.made, name: each})


def _undo(name: str) -> None:
    """Score a system as it stands; where it cannot be, say that again."""
    kept = ENTRY.kept
    if kept is None or isinstance(kept.found, str) or not _is_even(kept.found, name):
        st.session_state.pop("corpus_read", None)
    else:
        ENTRY.kept = kept._replace(made={other: each for other, each in kept.made.items() if other != name})


def _follow(each: Help) -> None:
    """Do what a hint advises."""
    kept = ENTRY.kept
    if each.clean and kept and isinstance(kept.found, Material):
        ENTRY.kept = kept._replace(found=cleaned(kept.found, [each.clean]))
    elif not each.clean:
        guide.follow(each.settings)


def _restore(name: str) -> None:
    """Put back what was taken out of the texts."""
    kept = ENTRY.kept
    if kept and isinstance(kept.found, Material):
        files, roles = kept.of
        rest = [each for each in kept.found.cleaned if each != name]
        ENTRY.kept = kept._replace(found=cleaned(read(files, dict(roles)), rest))


def _is_even(stands: Material, name: str) -> bool:
    """Whether a system has a line for each segment as it stands."""
    return len(stands.systems[name].lines) == len(next(iter(stands.references.values())).lines)


def score(
    stands: Material,
    shown: Corpus,
    made: Repairs,
    check: Check[Checked] | None = None,
    judged: Judged | None = None,
    theirs: Sequence[File] = (),
    words: Future[Words] | None = None,
) -> None:
    """Score a corpus, repaired as it was `made`, with the settings of the page, in the place of the former one.
    `judged` is what people said of it, by `theirs`, files that are no texts; `words` may be read already."""
    settings = {key: shown.settings_of(key) for key in metrics.METRICS}
    systems = len(stands.systems)
    if max(shown.a, shown.b) >= systems:
        st.session_state.update(corpus_a=0, corpus_b=min(1, systems - 1))
    ENTRY.keep_files()
    st.session_state.corpus_says = ""
    kept = ENTRY.kept
    begun = Scoring(stands, shown.text, settings, shown.metric, made, check, words)
    st.session_state.pop("corpus_words", None)
    if former := held.scoring():
        begun.given, begun.judged = former.given, former.judged
    elif kept and kept.found is stands:
        begun.given, begun.judged = ((*kept.of[0], *theirs), dict(kept.of[1])), judged
    held.begin(begun)


def _score_sample(shown: Corpus) -> None:
    material = read([File(SAMPLE.name, SAMPLE.read_bytes())])
    handed.settle()
    st.session_state.update(corpus_language="english", corpus_a=0, corpus_b=1)
    score(material, shown, {})
    st.session_state.corpus_says = SAMPLE_SAYS
