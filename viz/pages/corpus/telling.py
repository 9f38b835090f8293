"""What the page says of the two systems by the chosen metric, of all segments or of those that the filter selects."""

from __future__ import annotations

import streamlit as st

import metrics
from metrics.corpus import signatures
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.pairs import Pair
from metrics.corpus.telling.across import Vote
from metrics.corpus.telling.significance import lead, verdict
from metrics.corpus.telling.why import reasons

from ...components import links
from ...draw.corpus import across as drawn_across
from ...draw.corpus import story
from ...frame import strip
from ...frame.corpora import Scoring, Some
from . import filters, kinds
from .filters import Selected
from .record import Corpus

# ---------------------------------------------------------------- the strip


def ask(found: Scoring, shown: Corpus, some: Some | None = None) -> None:
    """Have it looked for what the page says, which the strip and the sentences need: first the test and the causes of
    the chosen metric, for which all else waits, then the tests of the others, kinds of error and words. With a filter
    of a very large corpus the other metrics are tested when they are chosen."""
    if some is not None:
        if some.fair:
            for key in sorted(found.tables, key=lambda key: key == shown.metric):
                if key == shown.metric or found.size <= filters.MANY:
                    found.pairs(key, shown.a, some)
        found.ledger(shown.metric, shown.a, shown.b)
        return
    if shown.metric in found.tables and shown.a != shown.b:
        found.ledger(shown.metric, shown.a, shown.b)
        found.pairs(shown.metric, shown.a)  # what is asked for last is found first
        if not is_known(found, shown):
            return
        kinds.ask(found, shown)
    for key in [*found.tables]:  # there may be more at any time
        if key != shown.metric:
            found.pairs(key, shown.a)
    tested = found.ended and all(each.p is not None for each in votes(found, shown))
    if tested and (beside := disagreeing_metric(found, shown)):
        found.ledger(beside, shown.a, shown.b)  # which may take as long as all before it


def is_known(found: Scoring, shown: Corpus) -> bool:
    """Whether all is known that is said of the chosen metric."""
    key, a, b = shown.metric, shown.a, shown.b
    return found.has_causes(key, a, b) and found.known_pairs(key, a) is not None


def tiles(found: Scoring, shown: Corpus, selected: Selected) -> dict[str, strip.Tile]:
    """The tiles of the metrics: A's and B's scores on the selected segments and the difference; a dot where it is still
    to come."""
    out, names, some = {}, (found.names[shown.a], found.names[shown.b]), selected.some
    b_leads = shown.metric not in found.tables or found.sides(shown.metric, shown.a, shown.b)[1] == shown.b
    for key, metric in metrics.METRICS.items():
        if key not in found.tables:
            said = "not scored" if found.ended else "not scored yet"
            out[key] = strip.Tile((strip.Line("–" if found.ended else "…", said), strip.Line("")))
        elif not selected.size:
            out[key] = strip.Tile((strip.Line("–", "no segments"), strip.Line("")))
        else:
            out[key] = strip.over_corpus(
                metric, names, _scores(found, shown, key, some), _pair(found, shown, key, some), b_leads
            )
    return out


def _scores(found: Scoring, shown: Corpus, key: str, some: Some | None) -> tuple[float, float]:
    if some is not None:
        return found.scores_of(key, shown.a, shown.b, some)
    each = found.scores(key)
    return float(each[shown.a]), float(each[shown.b])


def _pair(found: Scoring, shown: Corpus, key: str, some: Some | None) -> Pair | None:
    """The test of A and B by a metric, None while it is not known, and where there is none."""
    if some is not None and not some.fair:
        return None
    if some is not None and found.size > filters.MANY and key != shown.metric:
        return None
    known = found.known_pairs(key, shown.a, some) or ()
    return next((pair for pair in known if pair.b == found.names[shown.b]), None)


# ---------------------------------------------------------------- all metrics


def votes(found: Scoring, shown: Corpus, some: Some | None = None) -> list[Vote]:
    """What each metric that is scored says of A and B, on some segments or on all, in the order of the catalogue."""
    out = []
    for key, metric in metrics.METRICS.items():
        if key in found.tables:
            before, after = _scores(found, shown, key, some)
            pair = _pair(found, shown, key, some)
            out.append(Vote(metric, after - before, pair.p_corrected if pair else None))
    return out


def disagreeing_metric(found: Scoring, shown: Corpus) -> str:
    """The metric whose ledger stands beside that of the chosen one: the first that names another winner by more than
    chance, where the chosen one names its own by more than chance too; "" where there is none."""
    winners = {each.metric.key: each.for_b(story.DECIMALS) for each in votes(found, shown) if each.sure}
    mine = winners.get(shown.metric)
    return "" if mine is None else next((key for key, winner in winners.items() if winner is (not mine)), "")


def across(found: Scoring, shown: Corpus, selected: Selected) -> None:
    """How many metrics name which system, each of which is chosen by a click."""
    if shown.a == shown.b or not selected.size:
        return

    def choose_metric(name: str, value: str) -> None:
        if name == "metric" and value in found.tables:
            st.session_state.update(metric=value, whole_page=True)

    said = votes(found, shown, selected.some)
    names = found.names[shown.a], found.names[shown.b]
    links.show("corpus_across", drawn_across.draw(names, said, len(found.settings), found.ended), choose_metric)


# ---------------------------------------------------------------- the sentence


def sentence(found: Scoring, shown: Corpus, selected: Selected) -> str:
    """Which system is better by the chosen metric, whether that is more than chance, and by which causes, once these
    are known: on the segments that the filter selects where there is one."""
    metric, names, some = metrics.METRICS[shown.metric], (found.names[shown.a], found.names[shown.b]), selected.some
    if shown.a == shown.b:
        return "A and B are the same system."
    if shown.metric not in found.tables:
        if found.ended:
            return f"{metric.label} is not scored. Other metrics are: choose one."
        ready = " Metrics with numbers can be looked at now: choose one." if found.tables else ""
        return f"{metric.label} is being scored.{ready}"
    if not selected.size:
        return "No segment is selected by the filter."
    where = f"In the {_count(some)} of {found.size:,} segments of the filter " if some else ""
    ledger = found.ledger(shown.metric, shown.a, shown.b)
    whole = some is None and found.has_causes(shown.metric, shown.a, shown.b)
    why = reasons(metric, ledger, story.DECIMALS) if whole and isinstance(ledger, CorpusLedger) else ""
    if pair := _pair(found, shown, shown.metric, some):
        agreed = None if some else _agreed(found, shown, pair.delta)
        said = f"{where}{verdict(pair, story.DECIMALS, agreed, why, between=True)}"
        return said if whole or some or not pair.delta else f"{said} Looking for causes."
    before, after = _scores(found, shown, shown.metric, some)
    said = f"{where}{lead(names, metric, after - before, story.DECIMALS)}"
    if some and not some.fair:
        return f"{said}. No test: they were chosen by outputs or scores."
    return f"{said}{f': {why}' if why else ''}. Whether that is more than chance is being found."


def _count(some: Some) -> str:
    return f"{len(some.numbers):,}"


def _agreed(found: Scoring, shown: Corpus, delta: float) -> float | None:
    """How often people agreed with such a difference, None where that is not known."""
    counts = {len(each) for each in found.texts.references}
    table = found.tables[shown.metric]
    return signatures.agreement(table, found.text, counts.pop() if len(counts) == 1 else "var", delta)
