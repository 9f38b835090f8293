"""The evidence of a result: what is drawn of it follows from the texts, the result and how it is looked at, and from
nothing else, so that any page can show it."""

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
from ..draw.pen.marks import Selection, by_credit
from ..draw.texts import ProcessedTexts
from ..state import cache, codec, offers
from ..state.memory import remembered

DETAIL = 40  # words a side of the detail window of a long text
TERMS_MOST = 10_000_000  # of a layer


def show(
    key: str,
    texts: ProcessedTexts,
    result: Result,
    look: EvidenceLook,
    on_choice: Callable[[str, object], None] | None = None,
    ready_html: str | None = None,
    answer: str | None = None,
) -> None:
    """The whole evidence of a result as a part of a page, by its `key`: its markup, or `ready_html` where it is made
    already. `on_choice` is called with what is chosen in it, and `answer` is about what was asked in it."""
    html, whole = (
        markup(texts, result, look) if ready_html is None else ready_html,
        picture_of(texts, result, look.picture) == "text",
    )
    reference, place = (look.detail_reference, place_of(look)) if whole else (None, None)
    component.show(
        key, html, look.term, on_choice, reference=reference, answer=answer, spot=place, of_window=look.high is not None
    )


def place_of(look: EvidenceLook) -> tuple[int, int] | None:
    """The words of a long text, from 0, that a link leads to; None where it is its beginning."""
    place = look.detail_i - 1, look.detail_j - 1
    return place if any(place) else None


def markup(texts: ProcessedTexts, result: Result, look: EvidenceLook, offer: str = "") -> str:
    """The evidence as HTML; `offer` says what a click on the metric's name leads to. The script chooses a term, so that
    a choice changes nothing in it."""
    rounds, picture = rounds_shown(result, look.rounds), picture_of(texts, result, look.picture)
    look = replace(look, term=None, rounds=rounds, picture=picture)
    if picture == "text":  # the script goes there
        look = replace(look, detail_i=1, detail_j=1, detail_reference=None)
    return _markup(result, texts, look, offer)


@remembered
def _markup(result: Result, texts: ProcessedTexts, look: EvidenceLook, offer: str) -> str:
    return fragment(replace(drawn_result(texts, result, look), offer=offers.offer([result])), offer)


def drawn_result(texts: ProcessedTexts, scored_result: Result, look: EvidenceLook) -> DrawnResult:
    """What the evidence is drawn from."""
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
    return cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)


def selection(result: Result, term: str | None) -> Selection | None:
    """The chosen term, None if there is none in this result."""
    names: Any = (term or "").partition(":")[::2]
    layer, number = [codec.number_sent(name, TERMS_MOST) for name in names]
    if layer is None or number is None:
        return None
    chosen = Selection(layer, number)
    return chosen if chosen.term_in(result) else None


def picture_of(texts: ProcessedTexts, result: Result, chosen: str | None, most: int = arcs.ARCS_MOST) -> Picture:
    """What is shown of a result: what was chosen where there is that, else the text where it is long, and else what
    `short_picture` says."""
    if is_long(texts) and (
        chosen not in ("grid", "arcs") or (chosen == "arcs" and not arcs.picture_kind(result, most))
    ):
        return "text"
    return short_picture(result, chosen, most)


def short_picture(result: Result, chosen: str | None, most: int = arcs.ARCS_MOST) -> Picture:
    """Whether arcs, of which there may be `most`, or the grid are shown: what was chosen, or what the result shows at
    first: chunks are seen best on a grid, pairs as arcs."""
    if not arcs.picture_kind(result, most):
        return "grid"
    first = "grid" if arcs.grid_first(result) else "arcs"
    return "arcs" if (chosen if chosen in ("grid", "arcs") else first) == "arcs" else "grid"


def last_round(result: Result) -> int:
    """The number of the last round, 0 where there are none."""
    return max([layer.number or 0 for layer in result.layers], default=0)


def rounds_shown(result: Result, chosen: int | None) -> int | None:
    """How many rounds are shown; None where the result has none or one."""
    last = last_round(result)
    return None if last < 2 else max(1, min(last, chosen or last))


def window_of(texts: ProcessedTexts, result: Result, look: EvidenceLook) -> Window | None:
    """The part of a long text that is shown in detail; None where all of it is shown."""
    if not is_long(texts):
        return None
    several = len(texts.references)
    first = by_credit([result], range(several))[0] if look.detail_reference is None else look.detail_reference
    k = min(first, several - 1)
    return _window_at(texts, k, look.detail_i - 1, look.detail_j - 1)


def _window_at(texts: ProcessedTexts, k: int, i: int, j: int) -> Window:
    """The window of a reference from two words on, or from as far on as texts go."""
    n, m = len(texts.candidate), len(texts.references[k])
    return Window(k, max(0, min(i, n - DETAIL)), max(0, min(j, m - DETAIL)), min(DETAIL, n), min(DETAIL, m))


def window_on(texts: ProcessedTexts, scored_result: Result, look: EvidenceLook) -> Window | None:
    """The window in which the chosen term is seen: the present one where it holds all of it, or some of what no window
    can hold. None where no term is chosen, and where all of the texts is shown."""
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
    """The reference that a mark lies in, and from the first to the last of its words on both sides; of a word that one
    side has alone, where it would stand on the other."""
    if isinstance(mark, Edit):
        ends = max(mark.i_end, mark.i_start + 1), max(mark.j_end, mark.j_start + 1)
        return mark.k, range(mark.i_start, ends[0]), range(mark.j_start, ends[1])
    rows, _, columns = zip(*mark.cells(), strict=True)
    return mark.cells()[0].k, range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)


def _holds_words(words: range, first: int, size: int) -> bool:
    return first <= words.start and words.stop <= first + size


def _start(words: range) -> int:
    """From where on a window has some words in its middle, or at its beginning where it cannot hold them all."""
    return words.start - max(2, (DETAIL - len(words)) // 2)
