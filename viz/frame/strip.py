"""The score strip, which is also the menu of metrics: a tile for each, with its name and some lines of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import streamlit as st

import metrics
from metrics.corpus.explanations.significance import probability
from metrics.corpus.pairs import SystemPair
from metrics.corpus.patterns import LEVEL
from metrics.types import Metric

from ..components import fragment, strip
from ..draw.compare.scores import MARKS, delta_text
from ..draw.compare.scores import verdict as better
from ..draw.pen import theme
from ..state.cache import Glance, Problem

CORPUS_DECIMALS = 4  # of differences over a corpus
CERTAIN = "*"  # behind a difference that is more than chance
LETTERS = "AB"  # of the two systems of a corpus


Tone = Literal["", "better", "worse", "same"]


class TileLine(NamedTuple):
    """A line of a tile. A screen reader says `spoken_text` in its place, where that is not empty."""

    text: str
    spoken_text: str = ""
    tone: Tone = ""


class Tile(NamedTuple):
    """What stands below a metric's name, the first line the largest; `bar` is a share of 1, None without a bar. The
    `tip` is seen by who points at the tile, and heard. An `interval` is drawn around 0: its low end, what it is of, and
    its high end, and what it says in words."""

    lines: Sequence[TileLine]
    bar: float | None = None
    tip: str = ""
    interval: tuple[float, float, float] | None = None
    interval_text: str = ""


class StripVerdict(NamedTuple):
    """What stands below the tiles, as HTML. A browser that has shown it for a while asks by the name in `asks` for what
    is missing in it, and `on_ask` is called; None where nothing is missing."""

    html: str
    asks: str | None
    on_ask: Callable[[str], None]


def show(
    tiles: Mapping[str, Tile],
    selected: str,
    on_pick: Callable[[], None] | None = None,
    verdict: StripVerdict | None = None,
) -> None:
    """Draw the tiles of metrics by their keys, one of them `selected`, and the verdict on it where there is one. What
    is clicked becomes `metric` of the session, then `on_pick` is called.

    It can stand below what takes its time: while a run is under way, and after it was given up for a click, the browser
    keeps the tiles that it has.
    """

    def choose() -> None:
        chosen = fragment.last_sent("strip", "pick")
        if chosen in [*tiles]:  # the browser may send anything
            st.session_state.metric = chosen
            if on_pick:
                on_pick()

    def ask() -> None:
        if verdict and isinstance(name := fragment.last_sent("strip", "asked"), str):
            verdict.on_ask(name)

    verdict_data = {"verdict": {"html": verdict.html, "asks": verdict.asks}} if verdict else {}
    strip.component(
        key="strip",
        data={
            "tiles": [_data(metric, tile) for metric, tile in tiles.items()],
            "selected": selected,
            **verdict_data,
        },
        on_pick_change=choose,
        on_asked_change=ask,
    )


def _data(key: str, tile: Tile) -> dict[str, object]:
    metric = metrics.METRICS[key]
    lines = [{"text": text, "said": spoken_text, "tone": tone} for text, spoken_text, tone in tile.lines]
    out: dict[str, object] = {
        "key": key,
        "name": metric.label,
        "lines": lines,
        "bar": tile.bar,
        "tip": tile.tip,
        "lower": not metric.higher_is_better,
    }
    if tile.interval is not None:
        most = max(map(abs, tile.interval)) or 1.0
        out |= {"interval": [round(end / most, 3) for end in tile.interval], "between": tile.interval_text}
    return out


def scores(glances: Mapping[str, Glance | Problem]) -> dict[str, Tile]:
    """The tiles of one sentence: the score, and what it is made of."""
    return {key: _tile(key, glance) for key, glance in glances.items()}


def _tile(key: str, glance: Glance | Problem) -> Tile:
    if isinstance(glance, Problem):
        return Tile((TileLine("–", "no score"),), 0, "too hard")
    metric = metrics.METRICS[key]
    endless = metric.higher_is_better and math.isinf(metric.most)  # of no share of which a bar could be
    bar = None if endless else min(1.0, glance.score)
    return Tile((TileLine(theme.score_text(glance.score)),), bar, _detail(key, glance))


def _detail(key: str, glance: Glance) -> str:
    """What a score is made of, in few words."""
    if glance.summary is not None:
        return glance.summary
    if "precision" in glance.parts:
        return ", ".join([f"{name} {theme.fraction_text(glance.parts[name])}" for name in ("precision", "recall")])
    return "" if metrics.METRICS[key].higher_is_better else "lower is better"


def changes(
    before: Mapping[str, Glance | Problem], after: Mapping[str, Glance | Problem], names: tuple[str, str]
) -> dict[str, Tile]:
    """The tiles of two outputs that have these names: the difference, and both scores."""
    return {key: _change(key, glance, after[key], names) for key, glance in before.items()}


def _change(key: str, before: Glance | Problem, after: Glance | Problem, names: tuple[str, str]) -> Tile:
    if isinstance(before, Problem) or isinstance(after, Problem):
        return Tile((TileLine("–", "no difference"), TileLine("too hard")), None)
    change = after.score - before.score
    direction = better(change, metrics.METRICS[key].higher_is_better)
    size = delta_text(abs(change)).removeprefix("+")
    sentence = "the same" if direction == "same" else f"{names[1]} is {direction} by {size}"
    a, b = (theme.score_text(glance.score) for glance in (before, after))
    return Tile(
        (
            TileLine(f"{MARKS[direction]} {delta_text(change)}".strip(), sentence, direction),
            TileLine(f"{a} → {b}", f"{names[0]} {a}, {names[1]} {b}"),
        )
    )


def over_corpus(
    metric: Metric, names: tuple[str, str], scores: tuple[float, float], pair: SystemPair | None, b_leads: bool
) -> Tile:
    """The tile of two systems, A and B, over a corpus: the letter of the better system by this metric and its score
    less the other's, with a star where that is more than chance, in green where it is the system that `b_leads` says,
    in mauve where it is the other; the scores of A and B; and the interval of the difference as a line around 0, what
    speaks for the one that leads at the right. A screen reader hears it, and the p. There is no `pair` while it is
    looked for, and where nothing is tested."""
    direction = better(scores[1] - scores[0], metric.higher_is_better, CORPUS_DECIMALS)
    first, last = (1, 0) if direction == "worse" else (0, 1)
    change = scores[last] - scores[first]
    text, sentence, interval_text = "0", "the same", ""
    tone: Tone = ""
    if direction != "same":
        text = f"{LETTERS[last]} {theme.change_text(change, CORPUS_DECIMALS)}"
        sentence = f"{names[last]} is better by {text[2:].lstrip('+−')}"
    drawn = None
    if pair:
        sure = pair.p_corrected < LEVEL and direction != "same"
        leads = bool(last) == b_leads
        text, tone = (f"{text}{CERTAIN}", "better" if leads else "worse") if sure else (text, "same")
        interval_text = probability(pair.p_corrected)
        if pair.interval:
            interval = pair.interval if last else pair.interval.turned
            ends = " to ".join([theme.change_text(end, CORPUS_DECIMALS) for end in interval])
            interval_text = f"95 % interval {ends}, {interval_text}"
            right = interval if leads == metric.higher_is_better else interval.turned
            drawn = (right.low, change if leads == metric.higher_is_better else -change, right.high)
        sentence += f", {interval_text}"
    a, b = (theme.score_text(score) for score in scores)
    return Tile(
        (TileLine(text, sentence, tone), TileLine(f"{a} · {b}", f"{names[0]} {a}, {names[1]} {b}")),
        interval=drawn,
        interval_text=interval_text,
    )
