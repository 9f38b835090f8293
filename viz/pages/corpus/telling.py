"""What the page says of the two systems by the chosen metric, above their segments."""

from __future__ import annotations

import metrics
from metrics.corpus import signatures
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.patterns import LEVEL
from metrics.corpus.telling import winners
from metrics.corpus.telling.segments import told_picks, told_torn
from metrics.corpus.telling.significance import verdict
from metrics.types import Metric

from ...components import links
from ...draw.corpus import story
from ...draw.pen import theme
from ...state.memory import remembered
from . import filters, opening
from .corpora import Scoring
from .record import Corpus
from .record import parts as parts_of


def draw(found: Scoring, shown: Corpus) -> None:
    """The sentence, the ledger, whose causes open their segments, and the segments that tell the most, which open."""

    def told(name: str, value: str) -> None:
        parts = filters.current()
        here = next((place for place, part in enumerate(parts) if part.expression == value), None)
        if name == "filter" and here is not None:
            filters.remove(here)
        else:
            opening.told(found, name, value)

    links.show("corpus_story", markup(found, shown), told)


def markup(found: Scoring, shown: Corpus) -> str:
    """All that is said, as HTML."""
    metric, names = metrics.METRICS[shown.metric], (found.names[shown.a], found.names[shown.b])
    ledger = found.ledger(shown.metric, shown.a, shown.b)
    known = [
        (metrics.METRICS[key], each) for key in found.tables if (each := found.known_ledger(key, shown.a, shown.b))
    ]
    parts = [f'<p class="verdict">{theme.safe(_verdict(found, shown), story.SAID_MOST)}</p>']
    if isinstance(ledger, str):
        parts.append(f"<p>{theme.safe(ledger, story.SAID_MOST)}</p>")
    elif ledger:
        parts.append(story.ledger(metric, names, ledger, [part.expression for part in parts_of(shown.where)]))
        if other := _other(found, shown):
            table = found.ledger(other.key, shown.a, shown.b)
            winner = names[(_delta(found, shown, other.key) > 0) == other.higher_is_better]
            parts += [story.beside(other, winner, table)] if isinstance(table, CorpusLedger) else []
        others = winners.sentence(*names, known, story.DECIMALS)
        parts += [f'<p class="winners">{theme.safe(others, story.SAID_MOST)}</p>'] if others else []
        picked = _picks(found, shown.metric, shown.a, shown.b, ledger, len(known))
        if picked:
            parts.append(f'<details class="telling"><summary>Segments that tell the most</summary>{picked}</details>')
    return f'<div class="story">{"".join(parts)}</div>'


def _other(found: Scoring, shown: Corpus) -> Metric | None:
    """The metric whose ledger stands beside that of the chosen one: the first that names another winner by more than
    chance, where the chosen one names its own by more than chance too; None where there is none."""
    winners = {
        key: metric.higher_is_better == (_delta(found, shown, key) > 0)
        for key, metric in metrics.METRICS.items()
        if key in found.tables and _certain(found, shown, key)
    }
    if shown.metric not in winners:
        return None
    others = (metrics.METRICS[key] for key, winner in winners.items() if winner != winners[shown.metric])
    return next(others, None)


def _certain(found: Scoring, shown: Corpus, key: str) -> bool:
    """Whether a metric's difference is more than chance, as far as is known."""
    pair = next((pair for pair in found.pairs(key, shown.a) or () if pair.b == found.names[shown.b]), None)
    return pair is not None and pair.p_corrected < LEVEL


def _delta(found: Scoring, shown: Corpus, key: str) -> float:
    scores = found.tables[key].corpus_scores()
    return float(scores[shown.b] - scores[shown.a])


def _verdict(found: Scoring, shown: Corpus) -> str:
    """The sentence of the chosen metric."""
    pairs = found.pairs(shown.metric, shown.a)
    if shown.a == shown.b:
        return "A and B are the same system."
    if pairs is None:
        return "Whether the difference is more than chance is being found."
    pair = next(pair for pair in pairs if pair.b == found.names[shown.b])
    counts = {len(each) for each in found.texts.references}
    table = found.tables[shown.metric]
    agreed = signatures.agreement(table, found.text, counts.pop() if len(counts) == 1 else "var", pair.delta)
    return verdict(pair, story.DECIMALS, agreed)


@remembered
def _picks(found: Scoring, key: str, a: int, b: int, ledger: CorpusLedger, known: int) -> str:
    """The segments that tell the most; `known` is of how many metrics ledgers are known, as the metrics that disagree
    are among them."""
    metric, names = metrics.METRICS[key], (found.names[a], found.names[b])
    ours, theirs = (found.texts.segments(n) for n in (a, b))
    told = told_picks(metric, ledger, ours, theirs, names, story.DECIMALS)
    torn = told_torn(_known(found, a, b), ours, theirs, names, story.DECIMALS)
    return story.picks([*told, *torn], names)


def _known(found: Scoring, a: int, b: int) -> list[tuple[Metric, CorpusLedger]]:
    """The ledgers that are known."""
    return [(metrics.METRICS[key], each) for key in found.tables if (each := found.known_ledger(key, a, b))]
