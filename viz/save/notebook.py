"""A result as a picture in a notebook, and the steps of an algorithm as a player."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import metrics
from metrics.text import TextSettings, Token
from metrics.types import Result, Segment

from ..draw.evidence import arcs
from ..draw.evidence.drawn import Drawn, Picture
from ..draw.evidence.fragment import STYLE, fragment
from ..draw.pen import scripts
from ..draw.steps import player
from ..draw.steps.steps import Walk
from ..draw.texts import Texts
from ..state import cache
from . import steps_page

#: What a fragment runs.
SCRIPT = scripts.put_together(Path(__file__).with_suffix(".js"))
#: The notebook's paper: JupyterLab's, that of Visual Studio Code, or what the page has for light and dark.
PAPER = "var(--jp-layout-color0, var(--vscode-editor-background, Canvas))"
COLOURS = (
    f"--st-background-color: {PAPER}; --st-secondary-background-color: color-mix(in srgb, currentColor 6%, {PAPER});"
)


def html(result: Result) -> str:
    """What a notebook shows of a result: a fragment with its style and its script, which other outputs do not disturb.

    Ink and paper are those of the notebook, so that it is right in light and dark.
    """
    texts, references = _texts(result.segment), result.segment.references
    alone = [cache.alone(result, k) for k in range(len(references))] if len(references) > 1 else ()
    drawn = Drawn(
        texts, result, cache.hits(result.segment), cache.ties(result), remark=cache.remark(result), alone=alone
    )
    # Rules inside a rule hold for this output alone, and names inside a function are no other output's.
    return (
        f'<style>.bitext-output {{ {COLOURS} {STYLE} }}</style><div class="bitext-output">{fragment(drawn)}</div>'
        f"<script>(() => {{ {SCRIPT} }})();</script>"
    )


class Steps:
    """The steps of an algorithm, which a notebook shows as a player. Keys reach the one that was clicked last.

    The arguments are those of `metrics.trace`, and so are the errors. `picture` is "grid", "arcs" (arcs or crossing
    lines, where there are some beside the grid), or None for the one that a page shows first.
    """

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
        self.walk = Walk(_texts(trace.segment), trace, cache.hits(trace.segment), lines=lines)

    def _repr_html_(self) -> str:
        start = scripts.call("stepsOutput", steps_page.whole(self.walk))
        return (
            f'<style>.bitext-output {{ {COLOURS} {STYLE} {steps_page.LIST} }}</style><div class="bitext-output" '
            f'data-lm-suppress-shortcuts="true">{player.markup(self.walk)}{steps_page.listed(self.walk)}</div>'
            f"<script>(() => {{ {steps_page.SCRIPT} {start} }})();</script>"
        )


def _texts(segment: Segment) -> Texts:
    candidate, references = segment
    return Texts(segment, _tokens(candidate), tuple([_tokens(r) for r in references]), TextSettings())


def _tokens(words: tuple[str, ...]) -> tuple[Token, ...]:
    out, at = [], 0
    for word in words:
        out.append(Token(word, word, at, at + len(word)))
        at += len(word) + 1
    return tuple(out)
