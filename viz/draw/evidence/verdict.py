"""The verdict on a result as HTML: what its metric counts, and on a line of its own the edit that costs most."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from metrics.analysis.sentence import SentencePart
from metrics.analysis.verdict import ResultVerdict

from ..pen import theme

WORD_MOST = 60  # letters of a word that are shown


def html(result_verdict: ResultVerdict, live: bool = False) -> str:
    """The verdict; one that is `live`, on a page where texts change, has room for the edit also before it is known, and
    says which words the edit is about."""
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
    """The names of the words that the dearest edit takes out of the candidate or puts in from a reference."""
    if result_verdict.cost is None:
        return []
    names = [f"c{i}" for edit in result_verdict.cost.edits for i in range(edit.start, edit.end)]
    if result_verdict.cost.to is None:
        return names
    of_reference = [j for edit in result_verdict.cost.edits for j in range(edit.at, edit.at + len(edit.words))]
    return [*names, *[f"r{result_verdict.cost.to}_{j}" for j in of_reference]]


def sentence_html(parts: Sequence[SentencePart]) -> str:
    """A sentence as HTML; the words of the texts stand out, each isolated."""
    out = []
    for part in parts:
        if part.is_words:
            words = " ".join([f"<bdi>{theme.safe(word, WORD_MOST)}</bdi>" for word in part.text.split(" ")])
            out.append(f'<b class="q" dir="{theme.direction(part.text.split(" "))}">{words}</b>')
        else:
            out.append(escape(part.text).replace("-gram", "\u2011gram"))  # which no line is to break
    return "".join(out)
