"""Show the evidence of a result: grid, words, formula and terms.

The drawing depends on the texts, the result and the visitor's choices alone, so any page can show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from metrics.types import Edit, Hit, Mark, Result

from ..components import fragment as component
from ..draw.evidence import arcs
from ..draw.evidence.drawn_result import DrawnResult, EvidenceLook, Picture, is_long
from ..draw.evidence.fragment import figure_width, fragment
from ..draw.pen.grid import Window
from ..draw.pen.marks import Selection, references_by_credit
from ..draw.texts import ProcessedTexts
from ..state import cache, codec, offers
from ..state.memory import remembered

DETAIL = 40  # words on each side of the detail window of a long text
TERMS_MOST = 10_000_000  # bound on the layer and term indices that a browser may send


def show(
    key: str,
    texts: ProcessedTexts,
    result: Result,
    look: EvidenceLook,
    on_choice: Callable[[str, object], None] | None = None,
    ready_html: str | None = None,
    answer: str | None = None,
) -> None:
    """Draw the whole evidence of a result on the page.

    Args:
        key: the key of the component.
        look: how the evidence is shown: picture, rounds, selected term and so on.
        on_choice: called with what the visitor selects in the evidence.
        ready_html: the evidence as HTML, if the caller has made it already.
        answer: the answer to what the visitor asked in the evidence."""
    html, whole = (
        markup(texts, result, look) if ready_html is None else ready_html,
        picture_of(texts, result, look.picture) == "text",
    )
    reference, place = (look.detail_reference, place_of(look)) if whole else (None, None)
    component.show(
        key, html, look.term, on_choice, reference=reference, answer=answer, spot=place, of_window=look.high is not None
    )


def place_of(look: EvidenceLook) -> tuple[int, int] | None:
    """Return the word positions (i, j) in a long text that a link opens, None for the beginning of the text."""
    place = look.detail_i - 1, look.detail_j - 1
    return place if any(place) else None


def markup(texts: ProcessedTexts, result: Result, look: EvidenceLook, offer: str = "") -> str:
    """Return the evidence as HTML; `offer` says what a click on the metric's name opens.

    The HTML is the same whatever term is selected, because the browser's script marks the selected term."""
    rounds, picture = rounds_shown(result, look.rounds), picture_of(texts, result, look.picture)
    look = replace(look, term=None, rounds=rounds, picture=picture)
    if picture == "text":  # the script scrolls to the position, so the HTML does not depend on it
        look = replace(look, detail_i=1, detail_j=1, detail_reference=None)
    return _markup(result, texts, look, offer)


@remembered
def _markup(result: Result, texts: ProcessedTexts, look: EvidenceLook, offer: str) -> str:
    """Return the evidence as HTML; cached by its arguments."""
    return fragment(replace(drawn_result(texts, result, look), offer=offers.offer([result])), offer)


def drawn_result(texts: ProcessedTexts, scored_result: Result, look: EvidenceLook) -> DrawnResult:
    """Return all that the evidence is drawn from."""
    (result, tie), picture = cache.tied(scored_result, look.tie), picture_of(texts, scored_result, look.picture)
    window = None if picture == "text" else window_of(texts, scored_result, look)
    single_scores = (
        [cache.score_alone(result, k) for k in range(len(texts.references))] if len(texts.references) > 1 else ()
    )
    return DrawnResult(
        texts,
        result,
        () if picture == "text" else _hits(texts, window),
        cache.ties(scored_result),
        tie,
        look.tint,
        selection(result, look.term),
        rounds_shown(scored_result, look.rounds),
        figure_width(look.room),
        picture,
        window,
        cache.remark(result),
        single_scores,
        look.high,
    )


def _hits(texts: ProcessedTexts, window: Window | None) -> Sequence[Hit]:
    """Return the hits in `window`, or all hits where there is no window."""
    return cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)


def selection(result: Result, term: str | None) -> Selection | None:
    """Return the selected term, None if `result` has no such term."""
    names: Any = (term or "").partition(":")[::2]
    layer, number = [codec.number_sent(name, TERMS_MOST) for name in names]
    if layer is None or number is None:
        return None
    chosen = Selection(layer, number)
    return chosen if chosen.term_in(result) else None


def picture_of(texts: ProcessedTexts, result: Result, chosen: str | None, most: int = arcs.ARCS_MOST) -> Picture:
    """Return which picture of a result is shown: "text", "grid" or "arcs".

    A long text is shown as "text" unless another possible picture was `chosen`; for all else see `short_picture`."""
    if is_long(texts) and (
        chosen not in ("grid", "arcs") or (chosen == "arcs" and not arcs.picture_kind(result, most))
    ):
        return "text"
    return short_picture(result, chosen, most)


def short_picture(result: Result, chosen: str | None, most: int = arcs.ARCS_MOST) -> Picture:
    """Return "arcs" or "grid" for a text that is not long.

    The result must have at most `most` arcs for "arcs". If nothing was `chosen`, chunks are shown on the grid and pairs
    as arcs, where each is seen best."""
    if not arcs.picture_kind(result, most):
        return "grid"
    first = "grid" if arcs.grid_first(result) else "arcs"
    return "arcs" if (chosen if chosen in ("grid", "arcs") else first) == "arcs" else "grid"


def last_round(result: Result) -> int:
    """Return the number of the last round, 0 if there are none."""
    return max([layer.number or 0 for layer in result.layers], default=0)


def rounds_shown(result: Result, chosen: int | None) -> int | None:
    """Return how many rounds are shown, None if the result has fewer than two."""
    last = last_round(result)
    return None if last < 2 else max(1, min(last, chosen or last))


def window_of(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> Window | None:
    """Return the part of a long text that is shown in detail, None if the whole text is shown."""
    if not is_long(texts):
        return None
    several = len(texts.references)
    first = (
        references_by_credit([result], range(several))[0] if look.detail_reference is None else look.detail_reference
    )
    k = min(first, several - 1)
    return _window_at(texts, k, look.detail_i - 1, look.detail_j - 1)


def _window_at(texts: ProcessedTexts, k: int, i: int, j: int) -> Window:
    """Return the window of reference `k` that begins at words `i` and `j`.

    It is moved back where it would pass the end of a text."""
    n, m = len(texts.candidate), len(texts.references[k])
    return Window(k, max(0, min(i, n - DETAIL)), max(0, min(j, m - DETAIL)), min(DETAIL, n), min(DETAIL, m))


def window_on(texts: ProcessedTexts, scored_result: Result, look: EvidenceLook) -> Window | None:
    """Return the window that shows the selected term.

    It is the present window if that holds the whole term, or part of a term too large for any window. None if no term
    is selected or the whole text is shown."""
    now, (result, _) = window_of(texts, scored_result, look), cache.tied(scored_result, look.tie)
    chosen = selection(result, look.term)
    if not now or not chosen:
        return None
    mark = result.layers[chosen.layer].marks[chosen.index]
    k, rows, columns = _place(mark)
    if k == now.k and _holds_words(rows, now.i, now.rows) and _holds_words(columns, now.j, now.columns):
        return now
    if max(len(rows), len(columns)) > DETAIL and any(now.holds(cell) for cell in mark.cells()):
        return now
    return _window_at(texts, k, _start(rows), _start(columns))


def _place(mark: Mark) -> tuple[int, range, range]:
    """Return the reference of a mark and the ranges of its words in the candidate and in that reference.

    A word that only one side has gets, on the other side, the position where it would be."""
    if isinstance(mark, Edit):
        ends = max(mark.i_end, mark.i_start + 1), max(mark.j_end, mark.j_start + 1)
        return mark.k, range(mark.i_start, ends[0]), range(mark.j_start, ends[1])
    rows, _, columns = zip(*mark.cells(), strict=True)
    return mark.cells()[0].k, range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)


def _holds_words(words: range, first: int, size: int) -> bool:
    """Return whether all of `words` lie in the window of `size` words that begins at `first`."""
    return first <= words.start and words.stop <= first + size


def _start(words: range) -> int:
    """Return the first word of a window with `words` in its middle, or at its beginning if they do not fit."""
    return words.start - max(2, (DETAIL - len(words)) // 2)
