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
from ..state.links import codec
from ..state.results import cache, offers
from ..state.results.memory import remembered

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
        on_choice: called with the name and the value of what the visitor selects in the evidence.
        ready_html: the evidence as HTML, if the caller has made it already.
        answer: the answer to what the visitor asked in the evidence."""
    html, whole = (
        evidence_html(texts, result, look) if ready_html is None else ready_html,
        choose_picture(texts, result, look.picture) == "text",
    )
    reference, place = (look.detail_reference, linked_position(look)) if whole else (None, None)
    component.show(
        key,
        html,
        look.term,
        on_choice,
        reference=reference,
        answer=answer,
        scroll_to=place,
        depends_on_height=look.high is not None,
    )


def linked_position(look: EvidenceLook) -> tuple[int, int] | None:
    """Return the position (i, j) to which a long text is scrolled: a word of the candidate and one of the reference.

    None for the beginning of the text. A link holds the position."""
    place = look.detail_i - 1, look.detail_j - 1
    return place if any(place) else None


def evidence_html(texts: ProcessedTexts, result: Result, look: EvidenceLook, offer: str = "") -> str:
    """Return the evidence of a result as HTML.

    `offer` is the text on what a click on the metric's name opens. The HTML is the same whatever term is selected,
    because the browser's script marks the selected term."""
    rounds, picture = shown_round_count(result, look.rounds), choose_picture(texts, result, look.picture)
    look = replace(look, term=None, rounds=rounds, picture=picture)
    if picture == "text":  # the script scrolls to the position, so the HTML does not depend on it
        look = replace(look, detail_i=1, detail_j=1, detail_reference=None)
    return _cached_evidence_html(result, texts, look, offer)


@remembered
def _cached_evidence_html(result: Result, texts: ProcessedTexts, look: EvidenceLook, offer: str) -> str:
    """Return the evidence of a result as HTML; cached by its arguments.

    `offer` is the text on what a click on the metric's name opens."""
    return fragment(replace(drawn_result(texts, result, look), offer=offers.find_offer([result])), offer)


def drawn_result(texts: ProcessedTexts, scored_result: Result, look: EvidenceLook) -> DrawnResult:
    """Return the record of all that the evidence is drawn from, such as texts, result, hits and ties."""
    (result, tie), picture = (
        cache.select_tie(scored_result, look.tie),
        choose_picture(texts, scored_result, look.picture),
    )
    window = None if picture == "text" else present_window(texts, scored_result, look)
    single_scores = (
        [cache.score_alone(result, k) for k in range(len(texts.references))] if len(texts.references) > 1 else ()
    )
    return DrawnResult(
        texts,
        result,
        () if picture == "text" else _hits_in_window(texts, window),
        cache.ties(scored_result),
        tie,
        look.tint,
        selected_term(result, look.term),
        shown_round_count(scored_result, look.rounds),
        figure_width(look.room),
        picture,
        window,
        cache.remark(result),
        single_scores,
        look.high,
    )


def _hits_in_window(texts: ProcessedTexts, window: Window | None) -> Sequence[Hit]:
    """Return the hits in the window of a long text, or all hits where there is no window."""
    return cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)


def selected_term(result: Result, term: str | None) -> Selection | None:
    """Return the selected term, None if `result` has no such term.

    `term` names it as "LAYER:N", the index of the layer and of the mark in it, as `EvidenceLook.term` does."""
    names: Any = (term or "").partition(":")[::2]
    layer, number = [codec.parse_sent_number(name, TERMS_MOST) for name in names]
    if layer is None or number is None:
        return None
    chosen = Selection(layer, number)
    return chosen if chosen.term_in(result) else None


def choose_picture(
    texts: ProcessedTexts, result: Result, chosen: str | None, arcs_most: int = arcs.ARCS_MOST
) -> Picture:
    """Return how a result is drawn: as "text" (columns with ribbons), "grid" or "arcs".

    A long text is drawn as "text" unless the visitor has `chosen` another picture that is possible for it. A short one
    is drawn as "grid" or "arcs". More than `arcs_most` arcs are never drawn."""
    if is_long(texts) and (
        chosen not in ("grid", "arcs") or (chosen == "arcs" and not arcs.picture_kind(result, arcs_most))
    ):
        return "text"
    return choose_short_text_picture(result, chosen, arcs_most)


def choose_short_text_picture(result: Result, chosen: str | None, arcs_most: int = arcs.ARCS_MOST) -> Picture:
    """Return "arcs" or "grid", the picture in which a result is drawn whose texts are not long.

    It is "grid" if the result cannot be drawn as arcs or has more than `arcs_most` of them. Else it is what the visitor
    has `chosen`; without a choice, chunks are drawn on the grid and skip-bigrams as arcs, where each is seen best."""
    if not arcs.picture_kind(result, arcs_most):
        return "grid"
    first = "grid" if arcs.grid_first(result) else "arcs"
    return "arcs" if (chosen if chosen in ("grid", "arcs") else first) == "arcs" else "grid"


def last_round_number(result: Result) -> int:
    """Return the number of the result's last round, counted from 1; 0 if its metric has no rounds."""
    return max([layer.number or 0 for layer in result.layers], default=0)


def shown_round_count(result: Result, chosen: int | None) -> int | None:
    """Return how many rounds are shown: as many as `chosen`, by default all. None if the result has fewer than two."""
    last = last_round_number(result)
    return None if last < 2 else max(1, min(last, chosen or last))


def present_window(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> Window | None:
    """Return the window of a long text, the part that is drawn as a grid; None if the text is short and drawn whole."""
    if not is_long(texts):
        return None
    several = len(texts.references)
    first = (
        references_by_credit([result], range(several))[0] if look.detail_reference is None else look.detail_reference
    )
    k = min(first, several - 1)
    return _window_at(texts, k, look.detail_i - 1, look.detail_j - 1)


def _window_at(texts: ProcessedTexts, k: int, i: int, j: int) -> Window:
    """Return the window that begins at word `i` of the candidate and word `j` of reference `k`.

    It begins earlier where it would pass the end of a text."""
    n, m = len(texts.candidate), len(texts.references[k])
    return Window(k, max(0, min(i, n - DETAIL)), max(0, min(j, m - DETAIL)), min(DETAIL, n), min(DETAIL, m))


def window_with_selected_term(texts: ProcessedTexts, scored_result: Result, look: EvidenceLook) -> Window | None:
    """Return the window of a long text that shows the selected term.

    It is the present window if that holds the whole term. It is also the present window if the term is too large for
    any window and a part of it is shown already. None if no term is selected or the text is short and drawn whole."""
    now, (result, _) = present_window(texts, scored_result, look), cache.select_tie(scored_result, look.tie)
    chosen = selected_term(result, look.term)
    if not now or not chosen:
        return None
    mark = result.layers[chosen.layer].marks[chosen.index]
    k, rows, columns = _word_ranges(mark)
    if k == now.k and _are_words_in_window(rows, now.i, now.rows) and _are_words_in_window(columns, now.j, now.columns):
        return now
    if max(len(rows), len(columns)) > DETAIL and any(now.holds(cell) for cell in mark.cells()):
        return now
    return _window_at(texts, k, _window_start_around(rows), _window_start_around(columns))


def _word_ranges(mark: Mark) -> tuple[int, range, range]:
    """Return the index of a mark's reference, and the ranges of its words in the candidate and that reference.

    An inserted or deleted word gets, in the text that lacks it, a range of one position, where it would be."""
    if isinstance(mark, Edit):
        ends = max(mark.i_end, mark.i_start + 1), max(mark.j_end, mark.j_start + 1)
        return mark.k, range(mark.i_start, ends[0]), range(mark.j_start, ends[1])
    rows, _, columns = zip(*mark.cells(), strict=True)
    return mark.cells()[0].k, range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)


def _are_words_in_window(words: range, window_start: int, window_size: int) -> bool:
    """Return whether all of `words` lie in the window of `window_size` words that begins at word `window_start`."""
    return window_start <= words.start and words.stop <= window_start + window_size


def _window_start_around(shown_words: range) -> int:
    """Return the first word of a window of DETAIL words that has `shown_words` in its middle.

    If they do not fit, the window begins two words before them."""
    return shown_words.start - max(2, (DETAIL - len(shown_words)) // 2)
