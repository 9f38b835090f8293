"""Draw why a metric prefers the output that people do not prefer.

The drawing lists the edits from people's choice to the metric's that the metric rewards, and shows which of their
words people marked."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.agreement import ExplainedPair, RewardedEdit, WrongPair, WrongPairs

from ..pen import theme

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
    """Return the pair in a sentence, and the table of edits from people's choice to the metric's choice, as HTML.

    `words` and `names` have two entries: first the better output by people, then the worse one."""
    head = describe_preference(explanation.pair, names, metric, scale)
    better, worse = (theme.bdi_word(name, 40) for name in names)
    rows = "".join([_edit_row(each, words) for each in explanation.earned[:EDITS_MOST]])
    more = len(explanation.earned) - EDITS_MOST
    if more > 0:
        rows += f'<tr><td colspan="4">and {theme.count_text(more, "edit")} more</td></tr>'
    if explanation.lost:
        rows += (
            f'<tr class="lost"><td colspan="3">all other edits</td>'
            f"<td>{theme.change_text(explanation.lost, DECIMALS)}</td></tr>"
        )
    sentence = "A marked word earns credit." if explanation.earns else _describe_no_credit(explanation)
    table = (
        f"<table><thead><tr><th>{better}</th><td></td><th>{worse}</th><th>{theme.safe(metric, 40)}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
        if rows
        else ""
    )
    return f'<section class="why"><p>{head} <b>{sentence}</b></p>{table}</section>'


def describe_preference(pair: WrongPair, names: tuple[str, str], metric: str, scale: str) -> str:
    """Return a sentence on which output people prefer and which one the metric prefers, as HTML."""
    better, worse = (theme.bdi_word(name, 40) for name in names)
    return (
        f"People prefer {better} by {theme.safe(f'{pair.people:.4g}')} ({theme.safe(scale, 40)}), "
        f"{theme.safe(metric, 40)} prefers {worse} by {pair.metric:.{DECIMALS}f}."
    )


def describe_counts(wrong_pairs: WrongPairs, metric: str) -> str:
    """Return a sentence on how many pairs the metric ranks as people do, the other way round, or ties, as HTML.

    Pairs are outputs of the same segment. The result is "" where people prefer no output to another one."""
    right, against, tied = wrong_pairs.right, len(wrong_pairs.pairs), wrong_pairs.tied
    total = right + against + tied
    if not total:
        return ""
    part = {name: f"{100 * many / total:.0f} %" for name, many in (("right", right), ("against", against))}
    return (
        f"Of {total:,} pairs of outputs of one segment that people rank, {theme.safe(metric, 60)} ranks {right:,} "
        f"({part['right']}) as they do, {against:,} ({part['against']}) the other way round, and ties {tied:,}."
    )


def _describe_no_credit(explanation: ExplainedPair) -> str:
    """Return the sentence that no marked word earns credit, or that nothing is marked."""
    return "No marked word earns credit." if explanation.marked_worse else "Nothing is marked in its words."


def _edit_row(each: RewardedEdit, words: tuple[Sequence[str], Sequence[str]]) -> str:
    before = " ".join(words[0][each.start : each.end])
    after = " ".join(
        [
            f'<mark title="people marked it">{theme.safe(words[1][n], LETTERS_MOST)}</mark>'
            if n in each.marked
            else theme.safe(words[1][n], LETTERS_MOST)
            for n in range(each.at, each.at_end)
        ]
    )
    was = f"<del>{theme.safe(before, LETTERS_MOST)}</del>" if before else "–"
    now = f"<bdi>{after}</bdi>" if after else "–"
    return (
        f'<tr><td dir="auto">{was}</td><td>→</td><td dir="auto">{now}</td>'
        f"<td>{theme.change_text(each.share, DECIMALS)}</td></tr>"
    )
