"""A result as a picture in a notebook."""

from __future__ import annotations

from metrics.text import TextSettings, Token
from metrics.types import Result
from viz.draw.drawn import Drawn
from viz.draw.fragment import SCRIPT, STYLE, fragment
from viz.draw.texts import Texts
from viz.state import cache

#: The notebook's paper: JupyterLab's, that of Visual Studio Code, or what the page has for light and dark.
PAPER = "var(--jp-layout-color0, var(--vscode-editor-background, Canvas))"
COLOURS = (
    f"--st-background-color: {PAPER}; --st-secondary-background-color: color-mix(in srgb, currentColor 6%, {PAPER});"
)


def html(result: Result) -> str:
    """What a notebook shows of a result: a fragment with its style and its script, which other outputs do not disturb.

    Ink and paper are those of the notebook, so that it is right in light and dark.
    """
    candidate, references = result.segment
    texts = Texts(result.segment, _tokens(candidate), tuple([_tokens(r) for r in references]), TextSettings())
    alone = [cache.alone(result, k) for k in range(len(references))] if len(references) > 1 else ()
    drawn = Drawn(
        texts, result, cache.hits(result.segment), cache.ties(result), remark=cache.remark(result), alone=alone
    )
    # Rules inside a rule hold for this output alone, and names inside a function are no other output's.
    start = "bitext(document.currentScript.previousElementSibling.querySelector('.bitext'));"
    return (
        f'<style>.bitext-output {{ {COLOURS} {STYLE} }}</style><div class="bitext-output">{fragment(drawn)}</div>'
        f"<script>(() => {{ {SCRIPT} {start} }})();</script>"
    )


def _tokens(words: tuple[str, ...]) -> tuple[Token, ...]:
    out, at = [], 0
    for word in words:
        out.append(Token(word, word, at, at + len(word)))
        at += len(word) + 1
    return tuple(out)
