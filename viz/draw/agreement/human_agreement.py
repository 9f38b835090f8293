"""Draw how far judges agree with each other, and how a metric scores the references, which people translated."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.corpus.agreement import (
    Coefficient,
    CoefficientValue,
    HumanLevel,
    JudgeAgreement,
    JudgePairAgreement,
    ScaleAgreement,
)

from ..corpus.axes import ColumnScale
from ..pen.numbers import count_text
from ..pen.text import bdi_word, safe
from .coefficients import coefficient_cells, coefficient_text

#: How many pairs of judges are shown.
PAIRS_MOST = 12
NAME_MOST = 40


def judge_tables(judge_agreement: ScaleAgreement, names: Sequence[str], scale: str) -> str:
    """Return two tables of how far judges agree, as HTML.

    One table compares each judge with the mean of the others, the other one compares each pair of judges. Both begin
    with the judges who differ most. `names` are the names of the judges, and `scale` is the name of the scale on
    which they rated."""
    shared = [each for each in judge_agreement.judges if each.shared]
    rows = "".join(
        [_judge_row_html(each, names) for each in sorted(shared, key=lambda each: _coefficient_sort_key(each.pearson))]
    )
    pairs = "".join([_judge_pair_row_html(each, names) for each in judge_agreement.pairs[:PAIRS_MOST]])
    more = len(judge_agreement.pairs) - PAIRS_MOST
    rest = f'<p class="note">and {count_text(more, "pair")} more</p>' if more > 0 else ""
    return (
        f'<section class="reasons"><p class="answer">{_describe_judges(judge_agreement, names)}</p>'
        f"<h2>Each judge compared with the mean of the others on {safe(scale, 40)}</h2>"
        '<div class="wide" tabindex="0"><table><thead><tr><th>Judge</th><th>Rated</th><th>Shared</th><th>Higher by</th>'
        "<th>Apart</th><th>Pearson</th><th>Kendall</th><th>Within segments</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div><h2>Pairs of judges, most different first</h2>"
        '<div class="wide" tabindex="0"><table><thead><tr><th>Judges</th><th>Shared</th><th>First is higher by</th>'
        f"<th>Apart</th><th>Pearson</th><th>Kendall</th></tr></thead><tbody>{pairs}</tbody></table></div>{rest}"
        '<p class="note">Higher by: the mean difference. Apart: the mean absolute difference. '
        "The outputs on which judges differ most are below.</p></section>"
    )


def _describe_judges(judge_agreement: ScaleAgreement, names: Sequence[str]) -> str:
    """Return one sentence, as HTML, on which two judges differ most, or that they share too few outputs to tell."""
    pair = next((each for each in judge_agreement.pairs if isinstance(each.pearson, CoefficientValue)), None)
    if pair is None or not isinstance(pair.pearson, CoefficientValue):
        return "Judges rated some of the same outputs, but too few to say how far they agree."
    both_names = " and ".join([bdi_word(names[n], NAME_MOST) for n in (pair.one, pair.other)])
    outputs = count_text(pair.shared, "output")
    if len(judge_agreement.pairs) == 1:
        return f"{both_names} agree with Pearson {coefficient_text(pair.pearson.value)} on {outputs} that both rated."
    return f"{both_names} differ most: Pearson {coefficient_text(pair.pearson.value)} on {outputs} that both rated."


def _coefficient_sort_key(coefficient: Coefficient) -> float:
    return coefficient.value if isinstance(coefficient, CoefficientValue) else 2.0


def _rating_text(value: float, sign: bool = False) -> str:
    text = f"{value:+.3g}" if sign else f"{value:.3g}"
    return text.replace("-", "−")


def _judge_row_html(each: JudgeAgreement, names: Sequence[str]) -> str:
    return (
        f"<tr><th>{bdi_word(names[each.judge], NAME_MOST)}</th><td>{each.rated:,}</td><td>{each.shared:,}</td>"
        f"<td>{_rating_text(each.bias, True)}</td><td>{_rating_text(each.mean_distance)}</td>"
        f"{coefficient_cells(each.pearson, each.kendall, each.within_segments)}</tr>"
    )


def _judge_pair_row_html(each: JudgePairAgreement, names: Sequence[str]) -> str:
    both_names = " · ".join([bdi_word(names[n], NAME_MOST) for n in (each.one, each.other)])
    return (
        f"<tr><th>{both_names}</th><td>{each.shared:,}</td><td>{_rating_text(each.bias, True)}</td>"
        f"<td>{_rating_text(each.mean_distance)}</td>{coefficient_cells(each.pearson, each.kendall)}</tr>"
    )


def people_table(
    human_scores: HumanLevel, systems: Sequence[str], references: Sequence[str], metric: str, higher: bool
) -> str:
    """Return the table of how a metric scores people's references and the systems, as HTML, the best first.

    Each reference is scored against the other references, and the systems against as many. `systems` and
    `references` are names, and `higher` is whether higher scores are better."""
    rows = [(*row, "") for row in zip(systems, human_scores.systems, human_scores.intervals, strict=True)]
    rows.append(("People's references", human_scores.human, human_scores.interval, ' class="human"'))
    rows.sort(key=lambda each: -each[1] if higher else each[1])
    scale = ColumnScale.over([end for _, _, interval, _ in rows for end in interval])
    body = [
        f"<tr{kind}><th>{bdi_word(name, NAME_MOST)}</th><td>{score:.4f}</td>"
        f"<td>{scale.dot_html(score, interval)}</td><td>{interval.low:.4f} to {interval.high:.4f}</td></tr>"
        for name, score, interval, kind in rows
    ]
    better = sum(ahead.low > 0 for ahead in human_scores.ahead)
    worse = sum(ahead.high < 0 for ahead in human_scores.ahead)
    reference_scores = zip(references, human_scores.references, strict=False)
    each = ", ".join([f"{bdi_word(name, NAME_MOST)} {score:.4f}" for name, score in reference_scores])
    note = (
        f"Each reference is scored against the others ({each}); systems are scored without that reference in turn, "
        f"over {human_scores.segments:,} segments."
    )
    return (
        f'<section class="reasons"><h2>People’s own translations by {safe(metric, 40)}</h2>'
        f'<p class="answer">By {safe(metric, 40)}, {better} of {count_text(len(systems), "system")} score '
        f"better than people’s references by more than chance, {worse} worse.</p>"
        '<div class="wide" tabindex="0"><table><thead><tr><th>Whose</th><th>Score</th><td></td><th>95 % interval</th>'
        f'</tr></thead><tbody>{"".join(body)}</tbody></table></div><p class="note">{note}</p></section>'
    )
