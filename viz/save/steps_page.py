"""The steps of an algorithm as one web page, which needs no server, plays and keeps its keys.

Its address says which part is shown: `steps.html?start=3&end=20&play=1`, or the same after `#`. In an <iframe> it is
the player alone.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

import metrics
from viz.draw import player, theme
from viz.draw.fragment import STYLE
from viz.draw.steps import Walk
from viz.save.sentence_page import PAGE, document
from viz.save.steps_files import TOLD_MOST, rest, told

#: What the files of steps run: the player, and what takes the place of its server.
SCRIPT = player.SCRIPT + Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
START = """
const address = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
if (self !== top) document.documentElement.classList.add("framed");
opened(document.querySelector(".bitext"), STEPS, address);
addEventListener("hashchange", () => location.reload());
"""
LOOK = """
.framed :is(header, .listed) { display: none; } .framed main { padding: 8px; }
"""
#: The list below the player.
LIST = (
    ".listed { margin: 12px 0 18px; } .listed summary { cursor: pointer; padding: 6px 0; } "
    ".listed li { overflow-wrap: anywhere; }"
)


def page_html(walk: Walk) -> str:
    """The steps of a trace that a page is sent at once, as an HTML document."""
    metric = metrics.METRICS[walk.trace.metric]
    sent = player.chunk(walk)
    data, count = player.json_text(sent), len(sent["steps"])
    words = " ".join(walk.texts.candidate_words)
    title = f"{metric.label}, step by step: {words}" if words else f"{metric.label}, step by step"
    more = "" if sent["done"] else f"The first {count:,} steps are here; the algorithm takes more."
    header = f"<header><h1>{escape(metric.name)}, step by step</h1><p>{escape(metric.idea)}</p>"
    header += f"<p>{more}</p></header>" if more else "</header>"
    script = f"{SCRIPT}const STEPS = {data};{START}"
    return document(
        theme.safe(title, 120), PAGE + STYLE + LOOK + LIST, [header, player.markup(walk), listed(walk)], script
    )


def listed(walk: Walk) -> str:
    """The steps as a numbered list, folded, for whoever reads rather than watches."""
    items = "".join(f"<li>{theme.safe(line, 600)}</li>" for line in told(walk))
    more = rest(walk, TOLD_MOST, "listed")
    after = f"<p>{more}</p>" if more else ""
    return f'<details class="listed"><summary>All steps as a list</summary><ol>{items}</ol>{after}</details>'
