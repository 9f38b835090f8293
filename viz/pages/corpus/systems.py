"""All systems: their ranks with intervals, and which pairs differ by more than chance; a pair becomes A and B."""

from __future__ import annotations

from functools import partial

import metrics
from metrics.corpus.standings import FEWER, Standings

from ...components import links
from ...draw.corpus import systems
from ...draw.corpus.systems import Standing
from ...draw.pen import theme
from ...frame.corpora import Scoring, Some
from . import opening
from .filters import Selected
from .record import Corpus

#: What tests are worth on segments that were chosen without a look at outputs and scores, and on others.
FAIR = {
    True: "Tests are of these alone.",
    False: "They were chosen by outputs or scores: intervals and p say nothing of chance.",
}


def draw(found: Scoring, shown: Corpus, selected: Selected) -> None:
    """The ranks and the pairs by the chosen metric on the selected segments; until they are found, a sign that they are
    looked for."""
    metric, some = metrics.METRICS[shown.metric], selected.some
    if not selected.size:
        return
    known = found.standings(shown.metric, some)
    if known is None:
        opening.wait(found, f"Holding {len(found.names)} systems against each other by {metric.label}.")
        return
    others = [key for key in metrics.METRICS if key in found.tables and key != shown.metric]
    rows = _rows(found, known, others, some)
    chosen, pairs = (shown.a, shown.b), len(found.names) * (len(found.names) - 1) // 2
    labels = [metrics.METRICS[key].label for key in others]
    said = theme.safe(systems.said(rows, found.names, known.p, metric.label), 600)
    trials = f"{known.trials:,} trials" + (", fewer for so many segments" if known.trials == FEWER else "")
    which = ""
    if some is not None:
        which = f'<p class="note">{theme.safe(opening.of(found, some.numbers))}. {FAIR[some.fair]}</p>'
        if not some.fair:
            said = theme.safe(f"{found.names[rows[0].system]} is first by {metric.label} in these segments.", 600)
    made = (
        f'<section class="systems"><p class="answer"><b>{said}</b></p>{which}'
        f"{systems.ranks(rows, found.names, metric.label, labels, chosen)}"
        f'<h2>Pairs</h2>{systems.matrix(rows, found.names, known.p, chosen)}<p class="note">Above the diagonal: p of '
        f"approximate randomisation ({trials}) for such a difference by chance, corrected for all "
        f"{theme.count_text(pairs, 'pair')} (Holm); * and strong: below {systems.LEVEL:g}. Below it: the row's score "
        f"less the column's. A pair becomes A and B, the better one B.</p></section>"
    )
    links.show("corpus_systems", made, partial(opening.told, found))


def _rows(found: Scoring, known: Standings, others: list[str], some: Some | None) -> list[Standing]:
    """The systems, the best first."""
    ranks = [found.ranks(key, some) for key in others]
    rows = [
        Standing(n, *of_each, tuple([each[n] for each in ranks]))
        for n, of_each in enumerate(zip(*known[:4], strict=True))
    ]
    return sorted(rows, key=lambda row: (row.rank, row.system))
