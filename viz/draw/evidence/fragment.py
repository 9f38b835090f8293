"""A result as one piece of HTML, which page, file and notebook show: words, grids, formula, terms and references.

It is markup without handlers, scripts, styles of its own and addresses. Words enter it through `theme.safe` alone.
What stands for a term carries its name (`data-term="0:3"`), and so do words (`data-word`) and cells (`data-cell`);
`script/fragment.js` lights and chooses by these names, in the style of the sheets in `styles`.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from pathlib import Path

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.types import MetricDescription, Result, TooHard
from metrics.types.work import limited

from ..pen import theme
from ..pen.stylesheets import read_sheets
from . import columns, verdict, words
from .drawn_result import DrawnResult
from .figure import figure
from .inspector import inspector

RULES = read_sheets(
    Path(__file__).parent / "styles",
    "frame",
    "drawings",
    "words",
    "two_outputs",
    "ledger",
    "terms_and_edits",
    "costs",
    "if_matched",
    "formula",
    "lengths",
    "about",
    "several_metrics",
    "error_classes",
    "word_order",
    "help",
    "steps",
    "print",
    "long_texts",
)
STYLE = theme.css() + RULES
WORK = 4_000_000  # steps that words and figure may take
TOO_MANY = "Too many words match for a picture; the score and its terms stand here"
WIDE, NARROWEST, BROADEST, GAP = 940, 360, 420, 24  # pixels: room for two columns, the inspector's breadth, the gap
SIDE = 440  # pixels that words and inspector have at least where they stand beside a figure


def fragment(drawn: DrawnResult, offer: str = "") -> str:
    """The whole evidence of one result; `offer` says what a page opens beside it, to which `open: learn` is told."""
    whole = drawn.picture == "text"
    try:
        with limited(WORK):
            strips, figure_html = (
                (columns.columns(drawn), columns.maps(drawn)) if whole else (words.strips(drawn), figure(drawn))
            )
    except TooHard:
        strips, figure_html = "", f'<p class="note">{TOO_MANY}.</p>'
    chosen = f"{drawn.chosen.layer}:{drawn.chosen.index}" if drawn.chosen else ""
    sized = drawn.width is not None
    return frame(
        drawn.result.metric,
        strips,
        figure_html,
        inspector(drawn),
        about(drawn.result, offer),
        drawn.tint,
        sized,
        chosen,
        whole,
        verdict.html(drawn.verdict) if drawn.verdict else "",
        side_by_side=not whole,
    )


def frame(
    key: str,
    words: str,
    figure: str,
    inspector: str,
    below: str = "",
    tint: bool = False,
    sized: bool = True,
    chosen: str = "",
    whole: bool = False,
    first: str = "",
    side_by_side: bool = False,
) -> str:
    """The parts of a fragment where they belong: words and figure at the left, the inspector at the right of them; with
    `side_by_side` the figure at the left, words and inspector at the right of it; the `whole` of a long text has its
    map beside it. `first` stands above all of them.

    `key` says what is drawn, a metric or a view; a picture that is not `sized` for its room shrinks to it.
    """
    parts = [("words", words), ("figure", figure), ("inspector", inspector)]
    *other, inspector_html = [f'<div class="{name}">{part}</div>' if part else "" for name, part in parts]
    inner = (
        f'{other[1]}<div class="side">{other[0]}{inspector_html}</div>'
        if side_by_side
        else "".join([*other, inspector_html])
    )
    kind = "frame whole" if whole else "frame beside" if side_by_side else "frame"
    # What stands below is no part of the frame, for browsers let a sticky inspector go over all of its grid.
    last = f'<div class="below">{below}</div>' if below else ""
    look = ("tint " if tint else "") + ("" if sized else "unsized")
    return root(key, f'{first}<div class="{kind}">{inner}</div>{last}', look, chosen)


def root(key: str, inner: str, look: str = "", chosen: str = "") -> str:
    """What a script gives its light to; `look` are more classes, `chosen` is the name of the term chosen at first."""
    picked = f' data-chosen="{escape(chosen)}"' if chosen else ""
    return f'<div class="{f"bitext {look}".strip()}" data-metric="{escape(key)}"{picked}>{inner}</div>'


def header(name: str, says: str) -> str:
    """The heading of a view: the metric's name, or the view's, and a sentence about it."""
    return f'<div class="vh"><b>{escape(name)}</b><br><span>{escape(says)}</span></div>'


def inspector_width(room: int) -> int:
    """What the inspector takes of a room, as `styles/frame.css` lays it out; 0 where it stands below."""
    return GAP + max(NARROWEST, min(BROADEST, int(0.3 * room))) if room >= WIDE else 0


def figure_width(room: int) -> int:
    """What the figure may take of a room beside words and inspector; all of it where these stand below."""
    return room - GAP - SIDE if room >= WIDE else room


def sees(description: MetricDescription) -> str:
    """What a metric rewards, and what it cannot see."""
    pairs = (("Rewards", description.rewards), ("Cannot see", description.unseen))
    return "".join(f"<p><b>{name}</b> {escape(text)}</p>" for name, text in pairs if text)


def about(result: Result, offer: str = "") -> str:
    """All matches as text, which the script writes when it is opened, and what there is to know about the metric."""
    metric = metrics.METRICS[result.metric]
    return _about(metric.about, metric.name, metric.label, metric.citation, offer)


@lru_cache(maxsize=64)
def _about(description: MetricDescription, name: str, label: str, citation: str, offer: str) -> str:
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in description.text)
    defined = formula.mathml(notation.steps(description.formula))
    more = f'<p class="offer"><button type="button" data-open="learn">{escape(offer)}</button></p>' if offer else ""
    return (
        '<details class="as-text"><summary>Matches as text</summary><pre></pre></details>'
        f'<details class="folds of-metric"><summary class="vh"><b>{escape(name)}</b> '
        f"<span>{escape(description.idea)}</span>"
        f'</summary><section class="about" aria-label="About {escape(label)}">'
        f'<div>{text}<div class="defined">{defined}</div></div>'
        f"<div>{sees(description)}<p><b>Source</b> {escape(citation)}</p></div></section></details>{more}"
    )
