"""Draw the verdict on a result as HTML: what its metric counts, and after it the edit that costs most."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.analysis.sentence import SentencePart
from metrics.analysis.verdict import ResultVerdict

from ..pen.text import safe, writing_direction

WORD_MOST = 60  # how many letters of a word are shown


def html(result_verdict: ResultVerdict, live: bool = False) -> str:
    """Return the verdict as HTML.

    `live` is for a page where texts change: there is room for the edit that costs most before it is known, and the edit
    names its words, so that a script highlights them."""
    head, _, rest = "".join([part.text for part in result_verdict.statement]).partition(": ")
    verdict_html = f"<span><b>{escape(head)}:</b> {sentence_html([SentencePart(rest)])}</span>"
    marked = f' data-costly="{" ".join(costly_words(result_verdict))}"' if live and result_verdict.costs else ""
    dear = (
        f' <span class="dear"{marked}>{sentence_html(result_verdict.costs)}</span>'
        if result_verdict.costs or live
        else ""
    )
    return f'<p class="verdict{" live" if live else ""}" data-verdict>{verdict_html}{dear}</p>'


def costly_words(result_verdict: ResultVerdict) -> list[str]:
    """Return the names of the words that the most expensive edit removes or inserts.

    Removed words are the candidate's, and inserted words a reference's."""
    if result_verdict.cost is None:
        return []
    names = [f"c{i}" for edit in result_verdict.cost.edits for i in range(edit.start, edit.end)]
    if result_verdict.cost.to is None:
        return names
    of_reference = [j for edit in result_verdict.cost.edits for j in range(edit.at, edit.at + len(edit.words))]
    return [*names, *[f"r{result_verdict.cost.to}_{j}" for j in of_reference]]


def sentence_html(parts: Sequence[SentencePart]) -> str:
    """Return a sentence as HTML, in which words of the texts are highlighted and isolated."""
    out = []
    for part in parts:
        if part.is_words:
            words = " ".join([f"<bdi>{safe(word, WORD_MOST)}</bdi>" for word in part.text.split(" ")])
            out.append(f'<b class="q" dir="{writing_direction(part.text.split(" "))}">{words}</b>')
        else:
            out.append(escape(part.text).replace("-gram", "\u2011gram"))  # a hyphen at which no line breaks
    return "".join(out)
