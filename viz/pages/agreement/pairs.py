"""Pairs of outputs that a metric ranks against people, and the edits that it rewards in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import Asked, Column, Credit, Explained, Wrong, WrongPairs, credit, explain, wrong_pairs
from metrics.corpus.processes import run_each_in_process

from ...draw.agreement import why
from ...draw.texts import Texts
from ...frame.finding import Look
from . import looking
from .agreeing import CORES, Agreeing, Doing
from .looking import Chosen

#: Pairs that are explained, the clearest first, and how many at once.
MOST, AT_ONCE = 400, 20


def wrong(found: Agreeing, table: Table, of: Column) -> WrongPairs:
    """The pairs that a column ranks against people."""
    return found.remembered(("wrong", of.key, table.scale), partial(wrong_pairs, table.people, of.scores))


def chosen_of(pair: Wrong) -> Chosen:
    """A pair as what is chosen: people's choice, held against the metric's."""
    return Chosen(pair.better, pair.segment, pair.worse)


def credit_of(found: Agreeing, table: Table, of: Column, known: WrongPairs) -> Credit:
    """In how many pairs a marked word earns credit, of those that were explained so far; they are in the background."""
    asked = "explained", of.key, table.scale
    parts: list[Explained] = found.remembered(("parts", *asked), list)
    found.find(asked, partial(_explain, found, of, known.pairs[:MOST], parts))
    return credit(known, parts)


def _explain(found: Agreeing, of: Column, pairs: Sequence[Wrong], parts: list[Explained], look: Look) -> bool:
    """Explain pairs, those first that are not; what is found is added to the parts."""
    metric, settings = metrics.METRICS[of.key], found.settings[of.key]
    parts.clear()
    some = [pairs[at : at + AT_ONCE] for at in range(0, len(pairs), AT_ONCE)]
    given = [(metric, settings, found.text, [_asked(found, pair) for pair in each]) for each in some]
    for n, each in enumerate(run_each_in_process(CORES, explain, given)):
        parts.extend(each)
        found.doing = Doing((n + 1) / len(given), f"Why {of.label} is wrong: {len(parts):,} of {len(pairs):,} pairs")
        found.tell()
        look()
    return True


def _asked(found: Agreeing, pair: Wrong) -> Asked:
    """A pair with its texts and what people marked in them."""
    spans, both = found.spans, ((pair.better, pair.segment), (pair.worse, pair.segment))
    better, worse = (found.line(*output) for output in both)
    return Asked(
        pair, (better, worse), found.references[pair.segment], (spans.get(both[0], ()), spans.get(both[1], ()))
    )


def why_of(found: Agreeing, table: Table, key: str, chosen: Chosen, texts: tuple[Texts, Texts]) -> str:
    """The edits that the metric rewards in a pair, as HTML; "" where it is none that it ranks against people."""
    of = looking.of_table(table, key)
    if of is None or chosen.other is None or key not in metrics.METRICS:
        return ""
    pair = next((each for each in wrong(found, table, of).pairs if chosen_of(each) == chosen), None)
    if pair is None:
        return ""

    def make() -> Explained | None:
        return next(iter(explain(metrics.METRICS[key], found.settings[key], found.text, [_asked(found, pair)])), None)

    explained = found.remembered(("why", key, table.scale, chosen), make)
    if explained is None:
        return ""
    words = texts[0].candidate_words, texts[1].candidate_words
    names = found.systems[pair.better], found.systems[pair.worse]
    return why.draw(explained, words, names, of.label, table.scale)
