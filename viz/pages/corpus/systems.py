"""Draw all systems: their ranks with intervals, and which pairs of systems differ by more than chance.

A click on a pair makes its systems A and B."""

from __future__ import annotations

from functools import partial

from metrics.corpus.standings import FEWER, Standings

from ...components import links
from ...draw.corpus import systems
from ...draw.corpus.systems import SystemStanding
from ...draw.pen.text import safe
from ...frame.corpora import CorpusJob, SegmentSubset
from . import open_target, scoring
from .filter.filters import SelectedSegments
from .record import CorpusState

#: The note on tests, by whether the segments were selected without looking at outputs and scores.
FAIR = {
    True: "Tests use only these segments.",
    False: "They were chosen by outputs or scores: intervals and p say nothing about chance.",
}


def draw(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> None:
    """Draw the ranks and pairs of systems by the selected metric, or that they are being computed.

    They are those on the selected segments."""
    metric, subset = job.metric(state.score_key), selected.subset
    if not selected.size:
        return
    standings = job.standings(state.score_key, subset)
    if standings is None:
        open_target.draw_pending(job, f"Comparing {len(job.names)} systems with each other by {metric.label}.")
        return
    missing = scoring.unscored_note(job)
    others = [key for key in job.scored_keys() if key != state.score_key]
    rows = _standing_rows(job, standings, others, subset)
    chosen, pairs = (state.a, state.b), len(job.names) * (len(job.names) - 1) // 2
    labels = [job.metric(key).label for key in others]
    answer = safe(systems.describe_first(rows, job.names, standings.p, metric.label), 600)
    trials = f"{standings.trials:,} trials" + (", fewer for so many segments" if standings.trials == FEWER else "")
    corrected = f", corrected for all {pairs:,} pairs (Holm)" if pairs > 1 else ""
    which = ""
    if subset is not None:
        segments = safe(open_target.describe_segments(job, subset.segment_indices))
        which = f'<p class="note">{segments}. {FAIR[subset.fair]}</p>'
        if not subset.fair:
            answer = safe(f"{job.names[rows[0].system]} is first by {metric.label} in these segments.", 600)
    section_html = (
        f'<section class="systems"><p class="answer"><b>{answer}</b></p>{which}'
        f"{systems.ranks_table(rows, job.names, metric.label, labels, chosen)}"
        f"<h2>Pairs</h2>{systems.pairs_matrix(rows, job.names, standings, chosen)}"
        f'<p class="note">Above the diagonal: p of approximate randomisation ({trials}) for such a difference by chance'
        f"{corrected}; * and strong: below {systems.LEVEL:g}. Below it: the row's score minus the column's. "
        f"A click makes a pair A and B, the better one B. {missing and safe(missing, 400)}</p></section>"
    )
    links.show("corpus_systems", section_html, partial(open_target.open_target, job))


def _standing_rows(
    job: CorpusJob, standings: Standings, others: list[str], subset: SegmentSubset | None
) -> list[SystemStanding]:
    """Return each system with its score, rank and interval, and its ranks by the metrics `others`; the best first."""
    ranks = [job.system_ranks(key, subset) for key in others]
    rows = [
        SystemStanding(n, *of_each, tuple([each[n] for each in ranks]))
        for n, of_each in enumerate(zip(*standings[:4], strict=True))
    ]
    return sorted(rows, key=lambda row: (row.rank, row.system))
