"""Say in one sentence what all metrics say of two outputs: how many are better, worse and the same.

The sentence also says why some metrics see no change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import metrics
from metrics.analysis.equal_scores import EqualScoreReason, Reason
from metrics.analysis.worth import SAME
from metrics.types import join_words

from ..compare.scores import MARKS, ScoreRow, Verdict

NAMED_MOST = 3  # how many metrics a group may have to be named
_ORDER: tuple[Reason, ...] = ("errors", "counts", "zero", "less", "chance")


def sentence(rows: Sequence[ScoreRow], why: Mapping[str, EqualScoreReason]) -> str:
    """Return the sentence on how many metrics are better, worse and the same as HTML.

    `why` maps the keys of metrics that see no change to their reasons. A small group of metrics against most others is
    named, because a reader looks at those next."""
    groups: dict[Verdict, list[ScoreRow]] = {
        name: [row for row in rows if row.verdict == name] for name in ("better", "worse", "same")
    }
    filled_groups = {name: group for name, group in groups.items() if group}
    unscored_labels = [row.label for row in rows if row.verdict is None]
    parts: list[str] = []
    for name, group in filled_groups.items():
        count = f"All {len(group)}" if len(group) == len(rows) > 1 else f"{len(group)}"
        noun = "" if parts else " metric" if len(group) == 1 else " metrics"
        which = ""
        if name != "same" and len(group) <= NAMED_MOST and len(group) < len(rows) - len(group):
            which = f" ({escape(', '.join([row.label for row in group]))})"
        what = "the same" if name == "same" else f"{MARKS[name]} {name}"
        parts.append(f'{count}{noun} <b class="{name}">{what}</b>{which}')
    counts_text = ", ".join(parts)
    reasons = _reasons_text([row for row in filled_groups.get("same", ()) if row.key in why], why)
    out = f"{counts_text}: {reasons}." if reasons else f"{counts_text}."
    if unscored_labels:
        out += f" {escape(join_words(unscored_labels))} cannot score one of them."
    return out if parts else out.removeprefix(". ")


def _reasons_text(rows: Sequence[ScoreRow], why: Mapping[str, EqualScoreReason]) -> str:
    """Return why metrics see no change, as escaped text, with one phrase for each reason; `why` is keyed by metric."""
    phrases = []
    for reason in _ORDER:
        group = [row for row in rows if why[row.key].reason == reason]
        if group:
            phrases.append(_reason_phrase(reason, group, why))
    return escape("; ".join(phrases))


def _reason_phrase(reason: Reason, group: Sequence[ScoreRow], why: Mapping[str, EqualScoreReason]) -> str:
    names, one = join_words([row.label for row in group]), len(group) == 1
    rates = [metric.key for metric in metrics.METRICS.values() if not metric.higher_is_better]
    if not one and [row.key for row in group] == rates:
        names = "the error rates"
    if reason == "errors":
        counts = {row.label: why[row.key].errors or 0 for row in group}
        if not any(counts.values()):
            return f"{names} {'finds' if one else 'find'} no error in either"
        if len({*counts.values()}) == 1:
            number = f"{next(iter(counts.values())):,}"
        else:
            number = ", ".join([f"{count:,} by {label}" for label, count in counts.items()])
        opening = f"{names} {'sees' if one else 'see'} no change, because both have the same number of errors"
        return f"{opening}, {number}" if len({*counts.values()}) == 1 else f"{opening} ({number})"
    if reason == "counts":
        return f"{names} {'counts' if one else 'count'} the same in both"
    if reason == "zero":
        return f"{names} {'is' if one else 'are'} 0 for both"
    if reason == "less":
        return f"{names} {'changes' if one else 'change'} by less than {SAME:g}"
    return f"what {names} {'counts' if one else 'count'} differs, but gives the same score"
