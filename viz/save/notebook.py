"""Show results in a notebook: a score as a picture, edits between two texts as a table, an algorithm as a player."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import metrics
from metrics.types import Result, segment

from ..draw.compare.comparison import OutputPair
from ..draw.edits import edits_html
from ..draw.evidence import arcs
from ..draw.evidence.drawn_result import DrawnResult, Picture, is_long
from ..draw.evidence.fragment import STYLE, fragment, root_element
from ..draw.pen import script_bundle
from ..draw.steps import player
from ..draw.steps.steps import DrawnSteps
from ..draw.texts import texts_of
from ..state.results import cache
from ..state.results.cache import Problem
from ..state.results.edits import verdict_for_file
from . import comparison_edits, steps_page

#: The script of a fragment.
SCRIPT = script_bundle.bundle_modules(Path(__file__).with_suffix(".js"))
#: The background colour: JupyterLab's, Visual Studio Code's, or that of the page for light and dark.
PAPER = "var(--jp-layout-color0, var(--vscode-editor-background, Canvas))"
COLOURS = (
    f"--st-background-color: {PAPER}; --st-secondary-background-color: color-mix(in srgb, currentColor 6%, {PAPER});"
    " --line: rgba(128,128,128,.3); --soft: var(--st-secondary-background-color);"
)


def result_html(result: Result) -> str:
    """Return the HTML that a notebook shows of a result, with its own style and script.

    It takes text and background colours from the notebook, so that it fits light and dark themes."""
    texts, references = texts_of(result.segment), result.segment.references
    scores_alone = [cache.score_alone(result, k) for k in range(len(references))] if len(references) > 1 else ()
    long = is_long(texts)
    drawn = DrawnResult(
        texts,
        result,
        () if long else cache.hits(result.segment),
        cache.ties(result),
        picture="text" if long else "grid",
        remark=cache.remark(result),
        reference_scores=scores_alone,
        verdict=verdict_for_file(texts, result),
    )
    return cell_output_html(fragment(drawn))


def cell_output_html(content: str, rules: str = "") -> str:
    """Return HTML as the output of a notebook cell, isolated from other outputs; `rules` are additional style rules."""
    # Nested style rules, and names inside a function, cannot affect other outputs.
    return (
        f'<style>.bitext-output {{ {COLOURS} {STYLE} {rules} }}</style><div class="bitext-output">{content}</div>'
        f"<script>(() => {{ {SCRIPT} }})();</script>"
    )


class EditsOutput:
    """The worth of every edit from `candidate` to `other`, which a notebook shows as a line of words and a table.

    Each row opens to the effect of its edit on the metric `key`; the other metrics have their default settings.
    Arguments and errors are those of `metrics.edits`."""

    def __init__(
        self,
        key: str,
        candidate: Sequence[str],
        other: Sequence[str],
        references: Sequence[Sequence[str]],
        **given: Any,
    ) -> None:
        a, b = (texts_of(segment(words, references)) for words in (candidate, other))
        self._settings = {key: metrics.settings(key, **given)}
        comparison = cache.compare_segments(key, a.segment, b.segment, self._settings[key])
        if isinstance(comparison, Problem):
            raise comparison.error()
        self.pair = OutputPair(a, b, ("A", "B"), *comparison)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        section = comparison_edits.section_html(self.pair, self._settings)
        return cell_output_html(
            root_element(self.pair.before.metric, section or f'<p class="note">{edits_html.NO_EDIT}</p>')
        )


class Steps:
    """The steps of a metric's algorithm on given texts, which a notebook shows as a player.

    Keys go to the player that was clicked last. Arguments and errors are those of `metrics.trace`. `picture` is
    "grid", "arcs" (arcs or crossing lines, where the metric has them), or None for the picture that a page shows
    first."""

    def __init__(
        self,
        key: str,
        candidate: Sequence[str],
        references: Sequence[Sequence[str]],
        picture: Picture | None = None,
        **given: Any,
    ) -> None:
        trace = metrics.trace(key, candidate, references, **given)
        lines = None
        if picture != "grid":
            result = cache.score(key, trace.segment, trace.settings)
            if isinstance(result, Result) and (picture or not arcs.grid_first(result)):
                lines = arcs.picture_kind(result, arcs.STEPS_MOST)
        self.walk = DrawnSteps(texts_of(trace.segment), trace, cache.hits(trace.segment), lines=lines)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        start = script_bundle.script_call("stepsOutput", steps_page.player_data(self.walk))
        return (
            f'<style>.bitext-output {{ {COLOURS} {STYLE} {steps_page.LIST} }}</style><div class="bitext-output" '
            f'data-lm-suppress-shortcuts="true">{player.markup(self.walk)}{steps_page.steps_list_html(self.walk)}</div>'
            f"<script>(() => {{ {steps_page.SCRIPT} {start} }})();</script>"
        )
