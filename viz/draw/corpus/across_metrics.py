"""Draw what many metrics say of two systems: how many metrics name which system as better, and which ones."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.explanations import across_metrics
from metrics.corpus.explanations.across_metrics import Camp, Vote

from ..pen.text import safe
from .story import DECIMALS, SAID_MOST


def draw(names: tuple[str, str], votes: Sequence[Vote], expected: int, ended: bool) -> str:
    """Return how many metrics name which system as better, as HTML, or "" where no metric is scored yet.

    A vote is the difference of the two systems by one metric, with its significance. `expected` is the number of
    metrics that will be scored, and `ended` is whether no more votes will come. Until all metrics are scored and
    tested, the text says nothing about chance."""
    if not votes:
        return ""
    tested = all(each.p is not None for each in votes)
    whole = ended or len(votes) >= expected
    first = across_metrics.main_metrics_clause(names, votes)
    lead = f"<span><b>{safe(first, SAID_MOST)}.</b></span>" if first else ""
    camps = across_metrics.group_into_camps(names, votes)
    camps_html = "".join(
        [
            _camp_html(each, None if n else len(votes), tested and whole, n, n + 1 == len(camps))
            for n, each in enumerate(camps)
        ]
    )
    status = ""
    if not whole:
        status = f"{expected - len(votes)} of {expected} metrics are still to come."
    elif not tested and ended and all(each.p is None for each in votes):
        status = "Whether that is more than chance is not tested."
    note = f'<span class="left">{status}</span>' if status else ""
    return f'<div class="across" role="status"><div class="camps">{lead}{camps_html}{note}</div></div>'


def _camp_html(camp: Camp, of: int | None, tested: bool, number: int, last: bool) -> str:
    """Return the metrics that name the same system as HTML: their number and, on demand, each of them.

    `of` is the number of all votes if the sentence shall say it, else None. `tested` is whether it may speak of
    chance. `number` is the index of the camp, and `last` is whether it ends the sentence. A click on a metric selects
    it."""
    summary = safe(across_metrics.camp_text(camp, of, tested), SAID_MOST) + ("." if last else ";")
    each = ", ".join([_vote_html(vote) for vote in camp.votes])
    return f'<details class="camp camp{number}"><summary>{summary}</summary><p>{each}</p></details>'


def _vote_html(vote: Vote) -> str:
    sure = "*" if vote.is_beyond_chance else ""
    button = f'<button type="button" data-tell="metric:{vote.metric.key}">{safe(vote.metric.label)}{sure}</button>'
    return f'<span class="vote">{button} {across_metrics.vote_text(vote, DECIMALS)}</span>'
