"""Pairs of outputs that a metric ranks against people, and the edits that it rewards in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import metrics
from metrics.corpus.agreement import Agreement as Table
from metrics.corpus.agreement import (
    Asked,
    Column,
    Credit,
    Explained,
    Wrong,
    WrongPairs,
    credit,
    explain,
    random_pairs,
    wrong_pairs,
)
from metrics.corpus.processes import run_each_in_process

from ...draw.agreement import why
from ...draw.texts import Texts
from ...frame.finding import Look
from . import looking
from .agreeing import CORES, Agreeing, Doing
from .looking import Chosen
from .record import Agreement

#: Pairs that are explained: the clearest, then random ones of all; and how many at once.
MOST, RANDOM, AT_ONCE = 400, 1_000, 20
#: After how many random ones a view is drawn anew: there is an answer by then.
TOLD = 100


def wrong(found: Agreeing, table: Table, of: Column) -> WrongPairs:
    """The pairs that a column ranks against people."""
    return found.remembered(("wrong", of.key, table.scale), partial(wrong_pairs, table.people, of.scores))


def chosen_of(pair: Wrong) -> Chosen:
    """A pair as what is chosen: people's choice, held against the metric's."""
    return Chosen(pair.better, pair.segment, pair.worse)


class Looked(NamedTuple):
    """Pairs that are explained, each with why, None where that is too much work; and those of the clearest and of the
    random ones that were looked at."""

    why: dict[Wrong, Explained | None]
    clearest: list[Wrong]
    random: list[Wrong]


def credits_of(found: Agreeing, table: Table, of: Column, known: WrongPairs) -> list[Credit]:
    """In how many pairs a marked word earns credit, as far as it is known: of the clearest, and where there are more,
    of random ones. They are explained in the background, the clearest first."""
    asked, looked = (of.key, table.scale), _looked(found, table, of)
    done = found.find(("clearest", *asked), partial(_clearest, found, of, known, looked))
    if done is True and len(known.pairs) > MOST:
        some = random_pairs(known, RANDOM)
        found.find(("random", *asked), partial(_explain, found, of, some, looked, looked.random))
    return _credits(known, looked)


def credits_now(found: Agreeing, table: Table, of: Column, known: WrongPairs) -> list[Credit]:
    """The same, where the clearest are explained at once; of random ones it is what is known."""
    looked = _looked(found, table, of)
    found.now(("clearest", of.key, table.scale), partial(_clearest, found, of, known, looked))
    return _credits(known, looked)


def why_known(found: Agreeing, table: Table, of: Column) -> Mapping[Wrong, Explained | None]:
    """The pairs that were explained so far, None where that is too much work."""
    return _looked(found, table, of).why


def explain_only(found: Agreeing, shown: Agreement, table: Table) -> None:
    """Explain no pairs but those of the view and the column that are looked at; what is explained already stays."""
    now = (looking.column(found, shown), table.scale) if shown.view == "wrong" else None
    found.drop(lambda asked: isinstance(asked, tuple) and asked[0] in ("clearest", "random") and asked[1:] != now)


def _looked(found: Agreeing, table: Table, of: Column) -> Looked:
    return found.remembered(("looked", of.key, table.scale), lambda: Looked({}, [], []))


def _credits(known: WrongPairs, looked: Looked) -> list[Credit]:
    def explained(pairs: Sequence[Wrong]) -> list[Explained]:
        return [each for each in map(looked.why.get, pairs) if each]

    out = [credit(known, explained([*looked.clearest]))]
    return [*out, credit(known, explained([*looked.random]), drawn=True)] if looked.random else out


def _clearest(found: Agreeing, of: Column, known: WrongPairs, looked: Looked, look: Look) -> bool:
    return _explain(found, of, known.pairs[:MOST], looked, looked.clearest, look)


def _explain(
    found: Agreeing, of: Column, pairs: Sequence[Wrong], looked: Looked, done: list[Wrong], look: Look
) -> bool:
    """Explain pairs, those first that are not `done`, to which those that are looked at are added."""
    metric, settings = metrics.METRICS[of.key], found.settings[of.key]
    starts = range(len(done), len(pairs), AT_ONCE)
    some = [pairs[at : at + AT_ONCE] for at in starts]
    given = [
        (metric, settings, found.text, [_asked(found, pair) for pair in each if pair not in looked.why])
        for each in some
    ]
    for at, each, explained in zip(starts, some, run_each_in_process(CORES, explain, given), strict=True):
        looked.why.update(dict.fromkeys([pair for pair in each if pair not in looked.why]))
        looked.why.update({one.pair: one for one in explained})
        if (now := at + len(each)) > len(done):  # a file may have asked for the same
            done[:] = pairs[:now]
        found.doing = Doing(len(done) / len(pairs), f"Why {of.label} is wrong: {len(done):,} of {len(pairs):,} pairs")
        if done is looked.clearest or len(done) % TOLD == 0:
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
        known = why_known(found, table, of)
        if pair in known:
            return known[pair]
        return next(iter(explain(metrics.METRICS[key], found.settings[key], found.text, [_asked(found, pair)])), None)

    explained = found.remembered(("why", key, table.scale, chosen), make)
    if explained is None:
        return ""
    words = texts[0].candidate_words, texts[1].candidate_words
    names = found.systems[pair.better], found.systems[pair.worse]
    return why.draw(explained, words, names, of.label, table.scale)
