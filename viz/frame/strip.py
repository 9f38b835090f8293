"""Draw the score strip: a tile with name and scores for each metric, which also selects the metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

import streamlit as st

import metrics
from metrics.corpus.explanations.significance import probability_text
from metrics.corpus.pairs import SystemPair
from metrics.corpus.patterns import LEVEL
from metrics.types import Metric

from ..components import fragment, strip
from ..draw.compare.scores import MARKS, delta_text
from ..draw.compare.scores import verdict as better
from ..draw.pen.numbers import change_text, fraction_text, score_text
from ..draw.pen.text import visible
from ..state.results.cache import Glance, Problem

CORPUS_DECIMALS = 4  # decimals of differences over a corpus
EXACT = 9  # scores over a corpus are the same only if they are equal to so many decimals
CERTAIN = "*"  # follows a difference that is more than chance
NAME_MOST = 16  # letters of a name above a tile
LETTERS = "AB"  # names of the two systems of a corpus


Tone = Literal["", "better", "worse", "same"]


class TileLine(NamedTuple):
    """A line of text in a tile.

    Attributes:
        text: the text that is drawn.
        spoken_text: what a screen reader reads instead, "" for the same.
        tone: the colour, by what the line says: "better", "worse", "same" or "" for none."""

    text: str
    spoken_text: str = ""
    tone: Tone = ""


class Tile(NamedTuple):
    """The content of a metric's tile below its name.

    Attributes:
        lines: the lines of text; the first is the largest.
        bar: the length of the bar from 0 to 1, None for no bar.
        tip: a tooltip, also read by screen readers.
        interval: low end, value and high end of a confidence interval, which is drawn on an axis with 0 in its middle;
            None for no interval.
        interval_text: the interval in words."""

    lines: Sequence[TileLine]
    bar: float | None = None
    tip: str = ""
    interval: tuple[float, float, float] | None = None
    interval_text: str = ""


class StripVerdict(NamedTuple):
    """The verdict below the tiles.

    Attributes:
        html: the verdict as HTML.
        asks: the name of a part of it that is slow to compute and still missing, None if it is complete. A browser that
            has shown the verdict for a while sends this name.
        on_ask: called with that name."""

    html: str
    asks: str | None
    on_ask: Callable[[str], None]


def show(
    tiles: Mapping[str, Tile],
    selected: str,
    on_pick: Callable[[], None] | None = None,
    verdict: StripVerdict | None = None,
    given: Mapping[str, Metric] = {},
    on_given: Callable[[str], None] | None = None,
) -> None:
    """Draw the tiles of metrics, given by key, with the `selected` one marked, and below them the verdict.

    A click on a tile sets `metric` in the session and then calls `on_pick`. The strip may be drawn after slow work: the
    browser keeps the former tiles while the page is being run, and where a click has interrupted that run.

    `given` are the records of tiles that are no metrics of the catalogue, by key; a click on one calls `on_given` with
    its key."""

    def select_metric() -> None:
        chosen = fragment.last_sent("strip", "pick")
        if on_given and chosen in [*given]:
            on_given(str(chosen))
        elif chosen in [*tiles]:  # the browser may send anything
            st.session_state.metric = chosen
            if on_pick:
                on_pick()

    def request_missing_part() -> None:
        if verdict and isinstance(name := fragment.last_sent("strip", "asked"), str):
            verdict.on_ask(name)

    verdict_data = {"verdict": {"html": verdict.html, "asks": verdict.asks}} if verdict else {}
    strip.component(
        key="strip",
        data={
            "tiles": [_tile_data(given.get(key) or metrics.METRICS[key], tile) for key, tile in tiles.items()],
            "selected": selected,
            **verdict_data,
        },
        on_pick_change=select_metric,
        on_asked_change=request_missing_part,
    )


def _tile_data(metric: Metric, tile: Tile) -> dict[str, object]:
    """Return a tile as the JSON values that the browser's component takes."""
    lines = [{"text": text, "said": spoken_text, "tone": tone} for text, spoken_text, tone in tile.lines]
    out: dict[str, object] = {
        "key": metric.key,
        "name": visible(metric.label, NAME_MOST),
        "lines": lines,
        "bar": tile.bar,
        "tip": tile.tip,
        "lower": not metric.higher_is_better,
    }
    if tile.interval is not None:
        most = max(map(abs, tile.interval)) or 1.0
        out |= {"interval": [round(end / most, 3) for end in tile.interval], "between": tile.interval_text}
    return out


def score_tiles(glances: Mapping[str, Glance | Problem]) -> dict[str, Tile]:
    """Return the tiles of one sentence, by metric: its score, and what the score is made of.

    `glances` has the score of each metric, or the problem that prevents scoring."""
    return {key: _score_tile(key, glance) for key, glance in glances.items()}


def _score_tile(key: str, glance: Glance | Problem) -> Tile:
    """Return the tile of one sentence's score by one metric."""
    if isinstance(glance, Problem):
        return Tile((TileLine("–", "no score"),), 0, "too hard")
    metric = metrics.METRICS[key]
    endless = metric.higher_is_better and math.isinf(metric.most)  # a bar needs a largest score
    bar = None if endless else min(1.0, glance.score)
    return Tile((TileLine(score_text(glance.score)),), bar, _score_detail(key, glance))


def _score_detail(key: str, glance: Glance) -> str:
    """Return in a few words what a score is made of, such as precision and recall; "" if nothing is known."""
    if glance.summary is not None:
        return glance.summary
    if "precision" in glance.parts:
        return ", ".join([f"{name} {fraction_text(glance.parts[name])}" for name in ("precision", "recall")])
    return "" if metrics.METRICS[key].higher_is_better else "lower is better"


def difference_tiles(
    before: Mapping[str, Glance | Problem], after: Mapping[str, Glance | Problem], names: tuple[str, str]
) -> dict[str, Tile]:
    """Return the tiles of two outputs, by metric: the difference of their scores, and both scores.

    `before` and `after` have the scores by metric, or the problem that prevents scoring; `names` are those of the
    outputs."""
    return {key: _difference_tile(key, glance, after[key], names) for key, glance in before.items()}


def _difference_tile(key: str, before: Glance | Problem, after: Glance | Problem, names: tuple[str, str]) -> Tile:
    """Return the tile of the difference between the scores of two outputs by one metric."""
    if isinstance(before, Problem) or isinstance(after, Problem):
        return Tile((TileLine("–", "no difference"), TileLine("too hard")), None)
    change = after.score - before.score
    direction = better(change, metrics.METRICS[key].higher_is_better)
    size = delta_text(abs(change)).removeprefix("+")
    sentence = "the same" if direction == "same" else f"{names[1]} is {direction} by {size}"
    a, b = (score_text(glance.score) for glance in (before, after))
    return Tile(
        (
            TileLine(f"{MARKS[direction]} {delta_text(change)}".strip(), sentence, direction),
            TileLine(f"{a} → {b}", f"{names[0]} {a}, {names[1]} {b}"),
        )
    )


def corpus_tile(
    metric: Metric, names: tuple[str, str], scores: tuple[float, float], pair: SystemPair | None, b_leads: bool
) -> Tile:
    """Return the tile of a metric for two systems, A and B, over a corpus.

    Its first line has the letter of the better system and the difference of the scores; its second line has both
    scores. A star marks a difference that is more than chance. The line is then green or mauve: green if this metric
    prefers the same system as the selected one. The interval of the difference is drawn around 0, with the side of the
    selected metric's winner at the right; a screen reader reads it with the p-value.

    Args:
        pair: the test of the difference, None while it is computed, and where nothing is tested.
        b_leads: whether B is the better system by the selected metric."""
    direction = better(scores[1] - scores[0], metric.higher_is_better, EXACT)
    first, last = (1, 0) if direction == "worse" else (0, 1)
    change = scores[last] - scores[first]
    text, sentence, interval_text = "0", "the same", ""
    tone: Tone = ""
    if direction != "same":
        text = f"{LETTERS[last]} {change_text(change, CORPUS_DECIMALS)}"
        sentence = f"{names[last]} is better by {text[2:].lstrip('+−')}"
    drawn = None
    if pair:
        sure = pair.p_corrected < LEVEL and direction != "same"
        leads = bool(last) == b_leads
        text, tone = (f"{text}{CERTAIN}", "better" if leads else "worse") if sure else (text, "same")
        interval_text = probability_text(pair.p_corrected)
        if pair.others > 1:
            interval_text = (
                f"{probability_text(pair.p_randomisation)}, corrected for {pair.others} systems {interval_text}"
            )
        if pair.interval:
            interval = pair.interval if last else pair.interval.swapped
            ends = " to ".join([change_text(end, CORPUS_DECIMALS) for end in interval])
            interval_text = f"95 % interval {ends}, {interval_text}"
            right = interval if leads == metric.higher_is_better else interval.swapped
            drawn = (right.low, change if leads == metric.higher_is_better else -change, right.high)
        sentence += f", {interval_text}"
    a, b = (score_text(score) for score in scores)
    return Tile(
        (TileLine(text, sentence, tone), TileLine(f"{a} · {b}", f"{names[0]} {a}, {names[1]} {b}")),
        interval=drawn,
        interval_text=interval_text,
    )
