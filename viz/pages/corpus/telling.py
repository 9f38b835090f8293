"""What the page says of the two systems by the chosen metric, of all segments or of those that the filter selects."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

import metrics
from metrics.corpus import signatures
from metrics.corpus.ledger import CorpusLedger, of_segments
from metrics.corpus.pairs import Pair
from metrics.corpus.patterns import LEVEL
from metrics.corpus.telling import winners
from metrics.corpus.telling.segments import told_picks, told_torn
from metrics.corpus.telling.significance import lead, verdict
from metrics.corpus.telling.why import reasons
from metrics.types import Metric

from ...components import links, points
from ...draw.compare.scores import short_names
from ...draw.corpus import courses, story
from ...draw.corpus.points import Drawn
from ...draw.pen import theme
from ...frame import strip
from ...frame.corpora import Scoring, Some
from ...state.memory import remembered
from . import charts, filters, opening
from .filters import Selected
from .record import Corpus
from .record import parts as parts_of

NAME_MOST = 18  # letters of a system's name in the curve


# ---------------------------------------------------------------- the strip


def ask(found: Scoring, shown: Corpus, some: Some | None = None) -> None:
    """Have it looked for what the strip and the sentence need, that of the chosen metric first. With a filter of a very
    large corpus the other metrics are tested when they are chosen."""
    if some is None or some.fair:
        alone = some is not None and found.size > filters.MANY
        for key in sorted(found.tables, key=lambda key: key == shown.metric):
            if key == shown.metric or not alone:
                found.pairs(key, shown.a, some)
    found.ledger(shown.metric, shown.a, shown.b)


def tiles(found: Scoring, shown: Corpus, selected: Selected) -> dict[str, strip.Tile]:
    """The tiles of the metrics: A's and B's scores on the selected segments and the difference; a dot where it is still
    to come."""
    out, names, some = {}, (found.names[shown.a], found.names[shown.b]), selected.some
    for key, metric in metrics.METRICS.items():
        if key not in found.tables:
            said = "not scored" if found.ended else "not scored yet"
            out[key] = strip.Tile((strip.Line("–" if found.ended else "…", said), strip.Line("")))
        elif not selected.size:
            out[key] = strip.Tile((strip.Line("–", "no segments"), strip.Line("")))
        else:
            out[key] = strip.over_corpus(
                metric, names, _scores(found, shown, key, some), _pair(found, shown, key, some)
            )
    return out


def _scores(found: Scoring, shown: Corpus, key: str, some: Some | None) -> tuple[float, float]:
    if some is not None:
        return found.scores_of(key, shown.a, shown.b, some)
    each = found.scores(key)
    return float(each[shown.a]), float(each[shown.b])


def _pair(found: Scoring, shown: Corpus, key: str, some: Some | None) -> Pair | None:
    """The test of A and B by a metric, None while it is not known, and where there is none."""
    if some is not None and not some.fair:
        return None
    if some is not None and found.size > filters.MANY and key != shown.metric:
        return None
    return next((pair for pair in found.pairs(key, shown.a, some) or () if pair.b == found.names[shown.b]), None)


# ---------------------------------------------------------------- the sentence


def sentence(found: Scoring, shown: Corpus, selected: Selected) -> str:
    """Which system is better by the chosen metric, whether that is more than chance, and by which causes: on the
    segments that the filter selects where there is one."""
    metric, names, some = metrics.METRICS[shown.metric], (found.names[shown.a], found.names[shown.b]), selected.some
    if shown.a == shown.b:
        return "A and B are the same system."
    if shown.metric not in found.tables:
        if found.ended:
            return f"{metric.label} is not scored. Other metrics are: choose one."
        ready = " Metrics with numbers can be looked at now: choose one." if found.tables else ""
        return f"{metric.label} is being scored.{ready}"
    if not selected.size:
        return "No segment is selected by the filter."
    where = f"In the {_count(some)} of {found.size:,} segments of the filter " if some else ""
    ledger = found.ledger(shown.metric, shown.a, shown.b)
    causes = some is None and isinstance(ledger, CorpusLedger) and found.has_causes(shown.metric, shown.a, shown.b)
    why = reasons(metric, ledger, story.DECIMALS) if causes and isinstance(ledger, CorpusLedger) else ""
    if pair := _pair(found, shown, shown.metric, some):
        return where + verdict(pair, story.DECIMALS, None if some else _agreed(found, shown, pair.delta), why)
    before, after = _scores(found, shown, shown.metric, some)
    said = f"{where}{lead(names, metric, after - before, story.DECIMALS)}"
    if some and not some.fair:
        return f"{said}. No test: they were chosen by outputs or scores."
    return f"{said}{f': {why}' if why else ''}. Whether that is more than chance is being found."


def _count(some: Some) -> str:
    return f"{len(some.numbers):,}"


def _agreed(found: Scoring, shown: Corpus, delta: float) -> float | None:
    """How often people agreed with such a difference, None where that is not known."""
    counts = {len(each) for each in found.texts.references}
    table = found.tables[shown.metric]
    return signatures.agreement(table, found.text, counts.pop() if len(counts) == 1 else "var", delta)


# ---------------------------------------------------------------- why


def draw(found: Scoring, shown: Corpus, selected: Selected) -> None:
    """The ledger, whose causes open their segments, the segments that tell the most, which open, and beside it what
    segments give, added up."""

    def told(name: str, value: str) -> None:
        parts = filters.current()
        here = next((place for place, part in enumerate(parts) if part.expression == value), None)
        if name == "filter" and here is not None:
            filters.remove(here)
        else:
            opening.told(found, name, value)

    ledger = found.ledger(shown.metric, shown.a, shown.b)
    with st.container(key="corpus_why"):
        links.show("corpus_story", markup(found, shown, selected), told)
        if isinstance(ledger, CorpusLedger) and selected.size:
            drawn = charts.remembered(
                found,
                ("curve", shown.a, shown.b, ledger, selected.some),
                lambda: _curve(found, shown, ledger, selected),
            )
            points.show("corpus_curve", drawn.markup, drawn.points, partial(opening.told, found))


def _curve(found: Scoring, shown: Corpus, ledger: CorpusLedger, selected: Selected) -> Drawn:
    metric, numbers = metrics.METRICS[shown.metric], selected.numbers
    numbers = np.arange(found.size) if numbers is None else numbers
    ours, theirs = short_names((found.names[shown.a], found.names[shown.b]), NAME_MOST)
    look = metric.label, metric.higher_is_better, (ours, theirs)
    return courses.cumulated(np.asarray(ledger.worth)[numbers], numbers, *look, opening.of(found, numbers))


def markup(found: Scoring, shown: Corpus, selected: Selected) -> str:
    """All that is said of causes, as HTML."""
    metric, names = metrics.METRICS[shown.metric], (found.names[shown.a], found.names[shown.b])
    ledger = found.ledger(shown.metric, shown.a, shown.b)
    if isinstance(ledger, str):
        return f'<div class="story"><p>{theme.safe(ledger, story.SAID_MOST)}</p></div>'
    if not ledger or not selected.size:
        return '<div class="story"></div>'
    opened = [part.expression for part in parts_of(shown.where)]

    def causes(each: CorpusLedger) -> CorpusLedger:
        """Without the texts what segments are worth is known, and not by what."""
        return each if found.has_causes(shown.metric, shown.a, shown.b) else replace(each, steps=())

    if selected.some is not None:
        numbers = selected.some.numbers

        def made() -> CorpusLedger:
            return of_segments(metric, ledger, numbers, _longer(found, shown, numbers))

        given = causes(found.remembered(("given", ledger, selected.some), made))
        return story.whole(metric, names, given, opened, ledger.delta)
    known = _known(found, shown.a, shown.b)
    others, beside = winners.sentence(*names, known, story.DECIMALS), ""
    if other := _other(found, shown):
        its = found.ledger(other.key, shown.a, shown.b)
        winner = names[(_delta(found, shown, other.key) > 0) == other.higher_is_better]
        beside = story.beside(other, winner, its) if isinstance(its, CorpusLedger) else ""
    picked = _picks(found, shown.metric, shown.a, shown.b, ledger, len(known))
    return story.whole(metric, names, causes(ledger), opened, beside=beside, winners=others, picked=picked)


def _longer(found: Scoring, shown: Corpus, numbers: NDArray[np.intp]) -> float:
    """By how much B's outputs are longer than A's on some segments, in what the metric counts."""
    table = found.tables[shown.metric]
    lengths = [n for n, name in enumerate(table.names) if table.metric.role(name).kind == "candidate length"]
    if lengths:
        ours, theirs = (float(table.statistics[system][numbers, lengths[0]].sum()) for system in (shown.a, shown.b))
        return theirs - ours
    ours_, theirs_ = (found.texts.systems[n] for n in (shown.a, shown.b))
    return float(sum([len(theirs_[n]) - len(ours_[n]) for n in numbers.tolist()]))


def _other(found: Scoring, shown: Corpus) -> Metric | None:
    """The metric whose ledger stands beside that of the chosen one: the first that names another winner by more than
    chance, where the chosen one names its own by more than chance too; None where there is none."""
    winners = {
        key: metric.higher_is_better == (_delta(found, shown, key) > 0)
        for key, metric in metrics.METRICS.items()
        if key in found.tables and _certain(found, shown, key)
    }
    if shown.metric not in winners:
        return None
    others = (metrics.METRICS[key] for key, winner in winners.items() if winner != winners[shown.metric])
    return next(others, None)


def _certain(found: Scoring, shown: Corpus, key: str) -> bool:
    """Whether a metric's difference is more than chance, as far as is known."""
    pair = _pair(found, shown, key, None)
    return pair is not None and pair.p_corrected < LEVEL


def _delta(found: Scoring, shown: Corpus, key: str) -> float:
    before, after = _scores(found, shown, key, None)
    return after - before


@remembered
def _picks(found: Scoring, key: str, a: int, b: int, ledger: CorpusLedger, known: int) -> str:
    """The segments that tell the most; `known` is of how many metrics ledgers are known, as the metrics that disagree
    are among them."""
    metric, names = metrics.METRICS[key], (found.names[a], found.names[b])
    ours, theirs = (found.texts.segments(n) for n in (a, b))
    told = told_picks(metric, ledger, ours, theirs, names, story.DECIMALS)
    torn = told_torn(_known(found, a, b), ours, theirs, names, story.DECIMALS)
    return story.picks([*told, *torn], names)


def _known(found: Scoring, a: int, b: int) -> list[tuple[Metric, CorpusLedger]]:
    """The ledgers that are known."""
    return [(metrics.METRICS[key], each) for key in found.tables if (each := found.known_ledger(key, a, b))]
