"""Draw the reader's search for a counterexample to GTM's greedy matching, and how rare such counterexamples are."""

from __future__ import annotations

import streamlit as st

import metrics
from metrics.text import TextSettings

from ...components import fragment as component
from ...draw.evidence import figure
from ...draw.evidence import fragment as fragments
from ...draw.evidence.drawn_result import DrawnResult
from ...draw.pen.numbers import score_text
from ...draw.pen.text import escape_markdown, safe
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts import inputs
from ...state.texts.inputs import MissingText
from . import hunt
from .hunt import GreedyFigure

BESIDE = 760  # the least width in pixels for two grids side by side
FIRST = ("a b a c", "a c a b")  # the pair at the start, which is not a counterexample


def draw(metric: str) -> None:
    """Draw the search by `metric`, which must have a greedy and an exact solver.

    Below it are the smallest counterexample, shown on demand, and the paper's 99 % next to measured figures."""
    st.caption(
        "The greedy matching takes the longest run first. Find two sentences for which that is a mistake: another "
        "matching adds up to more, with e = 2. The fewer words, the better."
    )
    with st.container(horizontal=True, gap="small"):
        candidate = st.text_input("Candidate", FIRST[0], key="hunt_candidate")
        reference = st.text_input("Reference", FIRST[1], key="hunt_reference")
    verdict = hunt.judge_counterexample(candidate, reference)
    (st.success if verdict.is_counterexample else st.info)(escape_markdown(verdict.says))
    if verdict.judged_pair and verdict.judged_pair.best:
        _draw_grids(metric, "hunt", candidate, reference)
    if st.toggle("Show me the smallest", key="hunt_shown"):
        st.caption(
            "Of equally long runs, the program takes the later one first; that misleads it here. "
            + (
                "No other pair is as short, except with other names for the words."
                if len(hunt.smallest_counterexamples()) == 1
                else ""
            )
        )
        for number, case in enumerate(hunt.smallest_counterexamples()):
            words = [" ".join(side) for side in (case.candidate, case.reference)]
            st.markdown(f"*{words[0]}* against *{words[1]}*: {case.greedy:g} by greedy, {case.best:g} is the largest.")
            _draw_grids(metric, f"smallest_{number}", *words)
    _draw_measured()


def _draw_grids(metric: str, name: str, candidate: str, reference: str) -> None:
    """Draw the grid of the greedy matching next to the grid of the largest matching of two typed sentences."""
    texts = inputs.read_texts(candidate, " ".join(reference.split()), TextSettings())
    if isinstance(texts, MissingText):
        return
    wide = component.place_width() >= BESIDE
    places = st.columns(2) if wide else [st.container(), st.container()]
    width = component.place_width() // 2 - 24 if wide else component.place_width() - 24
    for place, solver in zip(places, hunt.SOLVERS, strict=True):
        result = cache.score(metric, texts.segment, metrics.settings(metric, solver=solver))
        if isinstance(result, Problem):
            continue
        with place:
            size = score_text(result.parts["match_size"])
            st.markdown(f"**{solver.capitalize()}**: size {size}, score {score_text(result.score)}")
            drawn = DrawnResult(texts, result, cache.hits(texts.segment), width=min(width, 420))
            component.show(f"{name}_{solver}", fragments.root_element(metric, figure.figure(drawn)), fits_place=False)


def _draw_measured() -> None:
    """Draw a table of how often greedy matching is the largest, as the paper reports and as measured here."""
    st.markdown("**How rare is it?**")
    rows = [("Turian, Shen and Melamed (2003), section 2.2", f"{hunt.PAPER_SHARE:.0%}", f"{hunt.PAPER_LEAST:.0%}")]
    rows += [
        (_describe_data(measurement), f"{measurement.largest / measurement.pairs:.2%}", f"{measurement.least:.1%}")
        for measurement in hunt.read_measurements()
    ]
    table = "".join(
        f"<tr><td>{safe(name, 80)}</td><td>{share}</td><td>{least}</td></tr>" for name, share, least in rows
    )
    head = "<tr><th>Data</th><th>greedy is the largest</th><th>least size</th></tr>"
    component.show(
        "measured", fragments.root_element("measured", f'<table class="rf">{head}{table}</table>'), fits_place=False
    )
    for measurement in hunt.read_measurements():
        st.caption(escape_markdown(f"{_describe_data(measurement)}: {measurement.statement}."))
    st.caption("`make greedy` computes these figures, for these data or for others.")


def _describe_data(measurement: GreedyFigure) -> str:
    """Return the name of the data of a measurement, and the number of sentence pairs in them."""
    return f"{measurement.name}, {measurement.pairs:,} pairs"
