"""Write the steps of an algorithm as one web page, which needs no server and has the step player with its keys.

Its address says which steps are shown: `steps.html?start=3&end=20&play=1`, or the same after `#`. In an <iframe>
only the player is shown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import metrics

from ..draw.evidence.fragment import STYLE
from ..draw.pen import script_bundle
from ..draw.pen.text import safe
from ..draw.steps import player
from ..draw.steps.steps import DrawnSteps
from .sentence_page import PAGE, document
from .steps_files import TOLD_MOST, remainder_note, step_definitions, step_sentences

ELEMENTS_MOST = 60_000  # elements of a page's pool after which no more steps are added

#: The script of the files of steps: the player, without a server.
SCRIPT = script_bundle.bundle_modules(Path(__file__).with_suffix(".js"))
LOOK = """
.framed :is(header, .listed) { display: none; } .framed main { padding: 8px; }
"""
#: The style of the list below the player.
LIST = (
    ".listed { margin: 12px 0 18px; } .listed summary { cursor: pointer; padding: 6px 0; } "
    ".listed li { overflow-wrap: anywhere; }"
)


def page_html(walk: DrawnSteps) -> str:
    """Return the first steps of an algorithm as an HTML document with a player and a list."""
    metric = metrics.METRICS[walk.trace.metric]
    data = player_data(walk)
    words = " ".join(walk.texts.candidate_words)
    title = f"{metric.label}, step by step: {words}" if words else f"{metric.label}, step by step"
    more = "" if data["done"] else remainder_note(walk, len(data["steps"]), "here")
    header = f"<header><h1>{escape(metric.name)}, step by step</h1><p>{escape(metric.about.idea)}</p>"
    header += f"<p>{more}</p></header>" if more else "</header>"
    main = [header, player.markup(walk), steps_list_html(walk)]
    script = SCRIPT + script_bundle.script_call("stepsPage", data)
    return document(safe(title, 120), PAGE + STYLE + LOOK + LIST, main, script)


def player_data(walk: DrawnSteps) -> dict[str, Any]:
    """Return the JSON data of a step player for the first steps.

    They are at most TOLD_MOST steps; no more steps are added once there are ELEMENTS_MOST drawn elements."""
    parts = [player.steps_data(walk)]
    steps, pool = parts[0]["steps"], parts[0]["pool"]
    while not parts[-1]["done"] and len(steps) < TOLD_MOST and len(pool) < ELEMENTS_MOST:
        parts.append(player.steps_data(walk, len(steps)))
        steps += parts[-1]["steps"]
        pool += parts[-1]["pool"]
    last = {name: parts[-1][name] for name in ("done", "legend", "end")}
    return {**parts[0], "steps": steps, "pool": pool, "patterns": walk.patterns, **last}


def steps_list_html(walk: DrawnSteps) -> str:
    """Return the first TOLD_MOST steps as a folded list in HTML, for those who prefer to read."""
    steps = zip(step_sentences(walk), step_definitions(walk), strict=True)
    items = "".join(f"<li>{safe(line, 600)}{_definitions_html(definitions)}</li>" for line, definitions in steps)
    more = remainder_note(walk, TOLD_MOST, "listed")
    after = f"<p>{more}</p>" if more else ""
    return f'<details class="listed"><summary>All steps as a list</summary><ol>{items}</ol>{after}</details>'


def _definitions_html(definitions: Sequence[str]) -> str:
    """Return, as HTML, the formula's definitions that get new numbers in a step."""
    return "".join([f'<br><span class="note">{escape(definition)}</span>' for definition in definitions])
