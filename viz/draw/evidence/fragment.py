"""Draw a result as one piece of HTML, which page, file and notebook show: words, grids, formula, terms and references.

It is markup without handlers, scripts, own styles and addresses. Words enter it only through `safe`. Elements
name their term (`data-term="0:3"`), word (`data-word`) or cell (`data-cell`); `script/fragment.js` highlights and
selects by these names, styled by the sheets in `styles`."""

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
STYLE = theme.palette_css() + RULES
WORK = 4_000_000  # how many steps of work words and figure may take
TOO_MANY = "Too many words match for a picture; the score and its terms are shown here"
WIDE, NARROWEST, BROADEST, GAP = 940, 360, 420, 24  # in pixels: least page width for columns, inspector width, gap
SIDE = 440  # least width in pixels of words and inspector next to a figure


def fragment(drawn: DrawnResult, offer: str = "") -> str:
    """Return the whole evidence of one result as HTML; `offer` is the text of a button that opens Learn, or ""."""
    whole = drawn.picture == "text"
    try:
        with limited(WORK):
            strips, figure_html = (
                (columns.columns(drawn), columns.maps_html(drawn))
                if whole
                else (words.word_lines_html(drawn), figure(drawn))
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
        about_html(drawn.result, offer),
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
    """Return the parts of a fragment, all HTML, in their places.

    Words and figure are at the left, the inspector at the right.

    Args:
        key: what is drawn: the key of a metric, or the name of a view.
        below: part below everything else.
        tint: whether the cells of all equally good alignments are tinted.
        sized: whether the picture is made for its place; any other one shrinks to fit.
        chosen: name of the term that is selected at first, or "".
        whole: whether `words` are a long text in columns, with its map next to it.
        first: part above everything else.
        side_by_side: whether only the figure is at the left, and words and inspector are at the right."""
    parts = [("words", words), ("figure", figure), ("inspector", inspector)]
    *other, inspector_html = [f'<div class="{name}">{part}</div>' if part else "" for name, part in parts]
    inner = (
        f'{other[1]}<div class="side">{other[0]}{inspector_html}</div>'
        if side_by_side
        else "".join([*other, inspector_html])
    )
    kind = "frame whole" if whole else "frame beside" if side_by_side else "frame"
    # `below` is outside the frame, because a sticky inspector would move over it in a browser.
    last = f'<div class="below">{below}</div>' if below else ""
    look = ("tint " if tint else "") + ("" if sized else "unsized")
    return root_element(key, f'{first}<div class="{kind}">{inner}</div>{last}', look, chosen)


def root_element(key: str, inner: str, look: str = "", chosen: str = "") -> str:
    """Return the outermost HTML element of a fragment around `inner`; the script highlights inside it.

    `key` is the key of the metric or view, `look` are further CSS classes, and `chosen` is the name of the term that is
    selected at first."""
    picked = f' data-chosen="{escape(chosen)}"' if chosen else ""
    return f'<div class="{f"bitext {look}".strip()}" data-metric="{escape(key)}"{picked}>{inner}</div>'


def header(name: str, says: str) -> str:
    """Return a heading as HTML: the name of a view or a metric, and a sentence about it."""
    return f'<div class="vh"><b>{escape(name)}</b><br><span>{escape(says)}</span></div>'


def inspector_width(room: int) -> int:
    """Return how many pixels the inspector and the gap next to it take on a page `room` pixels wide.

    These are the widths that `styles/frame.css` gives. It is 0 where the inspector is below the figure."""
    return GAP + max(NARROWEST, min(BROADEST, int(0.3 * room))) if room >= WIDE else 0


def figure_width(room: int) -> int:
    """Return the pixels that are left for the figure on a page `room` pixels wide, next to words and inspector.

    That is the full width on a narrow page, where these are below it."""
    return room - GAP - SIDE if room >= WIDE else room


def rewards_html(description: MetricDescription) -> str:
    """Return what a metric rewards, and what it cannot see, as HTML."""
    pairs = (("Rewards", description.rewards), ("Cannot see", description.unseen))
    return "".join(f"<p><b>{name}</b> {escape(text)}</p>" for name, text in pairs if text)


def about_html(result: Result, offer: str = "") -> str:
    """Return two folded parts as HTML: all matches as text, and the description of the metric.

    The script writes the matches when the reader opens them. `offer` is the text of a button that opens Learn, or
    ""."""
    metric = metrics.METRICS[result.metric]
    return _description_html(metric.about, metric.name, metric.label, metric.citation, offer)


@lru_cache(maxsize=64)
def _description_html(description: MetricDescription, name: str, label: str, citation: str, offer: str) -> str:
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in description.text)
    defined = formula.mathml(notation.parse_definitions(description.formula))
    more = f'<p class="offer"><button type="button" data-open="learn">{escape(offer)}</button></p>' if offer else ""
    return (
        '<details class="as-text"><summary>Matches as text</summary><pre></pre></details>'
        f'<details class="folds of-metric"><summary class="vh"><b>{escape(name)}</b> '
        f"<span>{escape(description.idea)}</span>"
        f'</summary><section class="about" aria-label="About {escape(label)}">'
        f'<div>{text}<div class="defined">{defined}</div></div>'
        f"<div>{rewards_html(description)}<p><b>Source</b> {escape(citation)}</p></div></section></details>{more}"
    )
