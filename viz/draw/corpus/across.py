"""What many metrics say of two systems: how many name which, each of which opens."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.telling import across
from metrics.corpus.telling.across import Camp, Vote

from ..pen import theme
from .story import DECIMALS, SAID_MOST


def draw(names: tuple[str, str], votes: Sequence[Vote], expected: int, ended: bool) -> str:
    """The verdict across metrics; `expected` are those that are to be scored, `ended` says that no more will be. Before
    all are tested it says how many are, and nothing of chance."""
    if not votes:
        return ""
    tested = all(each.p is not None for each in votes)
    whole = ended or len(votes) >= expected
    first = across.lead(names, votes, DECIMALS)
    lead = f"<span><b>{theme.safe(first, SAID_MOST)}.</b></span>" if first else ""
    found = across.camps(names, votes, DECIMALS)
    said = "".join(
        [
            _camp(each, None if n else len(votes), tested and whole, n, n + 1 == len(found))
            for n, each in enumerate(found)
        ]
    )
    left = ""
    if not whole:
        left = f"{expected - len(votes)} of {expected} metrics are still to come."
    elif not tested and ended and all(each.p is None for each in votes):
        left = "Whether that is more than chance is not tested."
    note = f'<span class="left">{left}</span>' if left else ""
    return f'<div class="across" role="status"><div class="camps">{lead}{said}{note}</div></div>'


def _camp(camp: Camp, of: int | None, tested: bool, number: int, last: bool) -> str:
    """The metrics that name one system: how many, and each, which is chosen by a click."""
    said = theme.safe(across.camp_text(camp, of, tested), SAID_MOST) + ("." if last else ";")
    each = ", ".join([_metric(vote) for vote in camp.votes])
    return f'<details class="camp camp{number}"><summary>{said}</summary><p>{each}</p></details>'


def _metric(vote: Vote) -> str:
    sure = "*" if vote.sure else ""
    button = (
        f'<button type="button" data-tell="metric:{vote.metric.key}">{theme.safe(vote.metric.label)}{sure}</button>'
    )
    return f'<span class="vote">{button} {across.vote_text(vote, DECIMALS)}</span>'
