"""The evidence of a result: what is drawn of it follows from the texts, the result and how it is looked at, and from
nothing else, so that any page can show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from metrics.types import Hit, Result

from ..components import fragment as component
from ..draw.evidence import arcs
from ..draw.evidence.drawn import Drawn, Look, Picture
from ..draw.evidence.fragment import fragment, inspector_width
from ..draw.pen.grid import DIRECT, Window
from ..draw.pen.marks import Selection, by_credit
from ..draw.texts import Texts
from ..state import cache, codec
from ..state.memory import remembered

DETAIL = 40  # words a side of the detail window of a long text
TERMS_MOST = 10_000_000  # of a layer


def show(
    key: str,
    texts: Texts,
    found: Result,
    look: Look,
    told: Callable[[str, object], None] | None = None,
    made: str | None = None,
) -> None:
    """The whole evidence of a result as a part of a page, by its `key`: its `markup`, which may be `made` already.
    `told` is called with what is chosen in it."""
    component.show(key, markup(texts, found, look) if made is None else made, look.term, told)


def markup(texts: Texts, found: Result, look: Look, offer: str = "") -> str:
    """The evidence as HTML; `offer` says what a click on the metric's name leads to. The script chooses a term, so that
    a choice changes nothing in it."""
    rounds, picture = rounds_shown(found, look.rounds), picture_of(found, look.picture)
    return _markup(found, texts, replace(look, term=None, rounds=rounds, picture=picture), offer)


@remembered
def _markup(found: Result, texts: Texts, look: Look, offer: str) -> str:
    return fragment(drawn(texts, found, look), offer)


def drawn(texts: Texts, found: Result, look: Look) -> Drawn:
    """What the evidence is drawn from."""
    (result, tie), window = cache.tied(found, look.tie), window_of(texts, found, look)
    alone = [cache.alone(result, k) for k in range(len(texts.references))] if len(texts.references) > 1 else ()
    return Drawn(
        texts,
        result,
        _hits(texts, window),
        cache.ties(found),
        tie,
        look.tint,
        selection(result, look.term),
        rounds_shown(found, look.rounds),
        look.room - inspector_width(look.room),
        picture_of(found, look.picture),
        window,
        cache.remark(result),
        alone,
    )


def _hits(texts: Texts, window: Window | None) -> Sequence[Hit]:
    return cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)


def selection(result: Result, term: str | None) -> Selection | None:
    """The chosen term, None if there is none in this result."""
    names: Any = (term or "").partition(":")[::2]
    layer, number = [codec.number_sent(name, TERMS_MOST) for name in names]
    if layer is None or number is None:
        return None
    chosen = Selection(layer, number)
    return chosen if chosen.of(result) else None


def picture_of(result: Result, chosen: str | None, most: int = arcs.ARCS_MOST) -> Picture:
    """Whether arcs, of which there may be `most`, or the grid are shown: what was chosen, or what the result shows at
    first: chunks are seen best on a grid, pairs as arcs."""
    if not arcs.picture_kind(result, most):
        return "grid"
    return "arcs" if (chosen or ("grid" if arcs.grid_first(result) else "arcs")) == "arcs" else "grid"


def last_round(result: Result) -> int:
    """The number of the last round, 0 where there are none."""
    return max([layer.number or 0 for layer in result.layers], default=0)


def rounds_shown(result: Result, chosen: int | None) -> int | None:
    """How many rounds are shown; None where the result has none or one."""
    last = last_round(result)
    return None if last < 2 else max(1, min(last, chosen or last))


def is_long(texts: Texts) -> bool:
    """Whether the texts are too long for a picture of the whole grid."""
    return max(len(texts.candidate), *map(len, texts.references)) > DIRECT


def window_of(texts: Texts, found: Result, look: Look) -> Window | None:
    """The part of a long text that is shown in detail; None where all of it is shown."""
    if not is_long(texts):
        return None
    several = len(texts.references)
    first = by_credit([found], range(several))[0] if look.detail_reference is None else look.detail_reference
    k = min(first, several - 1)
    n, m = len(texts.candidate), len(texts.references[k])
    i, j = min(look.detail_i - 1, max(0, n - DETAIL)), min(look.detail_j - 1, max(0, m - DETAIL))
    return Window(k, i, j, min(DETAIL, n), min(DETAIL, m))
