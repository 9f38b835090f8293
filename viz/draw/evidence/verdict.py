"""The verdict on a result as HTML: what its metric counts, and on a line of its own the edit that costs most."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.analysis.sentence import Part
from metrics.analysis.verdict import ResultVerdict

from ..pen import theme

WORD_MOST = 60  # letters of a word that are shown


def html(found: ResultVerdict, live: bool = False) -> str:
    """The verdict; one that is `live`, on a page where texts change, has room for the edit also before it is known, and
    says which words the edit is about."""
    head, _, rest = "".join([part.text for part in found.said]).partition(": ")
    said = f"<span><b>{escape(head)}:</b> {sentence_html([Part(rest)])}</span>"
    marked = f' data-costly="{" ".join(costly_words(found))}"' if live and found.costs else ""
    dear = f' <span class="dear"{marked}>{sentence_html(found.costs)}</span>' if found.costs or live else ""
    return f'<p class="verdict{" live" if live else ""}" data-verdict>{said}{dear}</p>'


def costly_words(found: ResultVerdict) -> list[str]:
    """The names of the words that the dearest edit takes out of the candidate or puts in from a reference."""
    if found.cost is None:
        return []
    names = [f"c{i}" for edit in found.cost.edits for i in range(edit.start, edit.end)]
    if found.cost.to is None:
        return names
    of_reference = [j for edit in found.cost.edits for j in range(edit.at, edit.at + len(edit.words))]
    return [*names, *[f"r{found.cost.to}_{j}" for j in of_reference]]


def sentence_html(parts: Sequence[Part]) -> str:
    """A sentence as HTML; the words of the texts stand out, each isolated."""
    out = []
    for part in parts:
        if part.is_words:
            words = " ".join([f"<bdi>{theme.safe(word, WORD_MOST)}</bdi>" for word in part.text.split(" ")])
            out.append(f'<b class="q" dir="{theme.direction(part.text.split(" "))}">{words}</b>')
        else:
            out.append(escape(part.text).replace("-gram", "\u2011gram"))  # which no line is to break
    return "".join(out)
