"""Draw why a metric prefers the worse of two outputs, by people's judgement.

The drawing lists the edits from the better output to the worse one that the metric rewards, and shows which words of
these edits people marked as errors."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.agreement import ExplainedPair, RewardedEdit, WrongPair, WrongPairs

from ..pen.numbers import change_text, count_text
from ..pen.text import bdi_word, safe

#: How many edits are shown, and how many letters of each word.
EDITS_MOST, LETTERS_MOST = 12, 90
#: Decimals of the share of an edit.
DECIMALS = 3


def draw(
    explanation: ExplainedPair,
    words: tuple[Sequence[str], Sequence[str]],
    names: tuple[str, str],
    metric: str,
    scale: str,
) -> str:
    """Return a sentence on both preferences, and the table of rewarded edits, as HTML.

    The edits lead from the output that people prefer to the one that the metric prefers. `words` are the words of
    these two outputs in that order, and `names` their systems. `metric` and `scale` are the names of the metric and of
    people's scale."""
    head = describe_preference(explanation.pair, names, metric, scale)
    better, worse = (bdi_word(name, 40) for name in names)
    rows = "".join([_edit_row_html(each, words) for each in explanation.earned[:EDITS_MOST]])
    more = len(explanation.earned) - EDITS_MOST
    if more > 0:
        rows += f'<tr><td colspan="4">and {count_text(more, "edit")} more</td></tr>'
    if explanation.lost:
        rows += (
            f'<tr class="lost"><td colspan="3">all other edits</td>'
            f"<td>{change_text(explanation.lost, DECIMALS)}</td></tr>"
        )
    sentence = "A marked word earns credit." if explanation.earns_marked_credit else _describe_no_credit(explanation)
    table = (
        f"<table><thead><tr><th>{better}</th><td></td><th>{worse}</th><th>{safe(metric, 40)}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        if rows
        else ""
    )
    return f'<section class="why"><p>{head} <b>{sentence}</b></p>{table}</section>'


def describe_preference(pair: WrongPair, names: tuple[str, str], metric: str, scale: str) -> str:
    """Return a sentence on which output people prefer and which one the metric prefers, as HTML.

    `names` are the systems: first people's choice, then the metric's. `scale` is the name of people's scale."""
    better, worse = (bdi_word(name, 40) for name in names)
    return (
        f"People prefer {better} by {safe(f'{pair.people:.4g}')} ({safe(scale, 40)}), "
        f"{safe(metric, 40)} prefers {worse} by {pair.metric:.{DECIMALS}f}."
    )


def describe_counts(wrong_pairs: WrongPairs, metric: str) -> str:
    """Return a sentence, as HTML, on how many pairs of outputs the metric ranks as people do.

    It also says how many pairs the metric ranks the other way round, and how many it ties. The two outputs of a pair
    belong to the same segment. The result is "" where people rank no pair."""
    right, against, tied = wrong_pairs.right, len(wrong_pairs.pairs), wrong_pairs.tied
    total = right + against + tied
    if not total:
        return ""
    part = {name: f"{100 * many / total:.0f} %" for name, many in (("right", right), ("against", against))}
    return (
        f"Of {total:,} pairs of outputs of one segment that people rank, {safe(metric, 60)} ranks {right:,} "
        f"({part['right']}) as they do, {against:,} ({part['against']}) the other way round, and ties {tied:,}."
    )


def _describe_no_credit(explanation: ExplainedPair) -> str:
    """Return the sentence that no marked word of the worse output earns credit, or that people marked none."""
    return "No marked word earns credit." if explanation.marked_worse else "Nothing is marked in its words."


def _edit_row_html(each: RewardedEdit, words: tuple[Sequence[str], Sequence[str]]) -> str:
    before = " ".join(words[0][each.start : each.end])
    after = " ".join(
        [
            f'<mark title="people marked it">{safe(words[1][n], LETTERS_MOST)}</mark>'
            if n in each.marked
            else safe(words[1][n], LETTERS_MOST)
            for n in range(each.at, each.at_end)
        ]
    )
    was = f"<del>{safe(before, LETTERS_MOST)}</del>" if before else "–"
    now = f"<bdi>{after}</bdi>" if after else "–"
    return (
        f'<tr><td dir="auto">{was}</td><td>→</td><td dir="auto">{now}</td>'
        f"<td>{change_text(each.share, DECIMALS)}</td></tr>"
    )
