"""Draw how the details of a metric's scores agree with people.

One table says how many of the faults that the metric finds lie in words that people marked as errors. The other one
says how the amounts that the metric counts correlate with people's judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics.corpus.agreement import AgreementTable, Coefficient, CoefficientValue, FindingCorrelation, Overlap
from metrics.corpus.explanations import agreement

from ..pen.text import safe
from .coefficients import coefficient_cells

#: The kinds of things that a metric counts, in words, by the key of the kind.
KINDS = {
    "fault": "found wrong, per word",
    "marks": "credit, per word",
    "part": "of the score",
    "length": "compared with references",
}


def fault_table(fault_overlaps: Sequence[Overlap], metric: str, chosen: str) -> str:
    """Return the table of how often each kind of fault lies in words that people marked, compared with chance, as HTML.

    A row is a kind of fault, such as extra words; a click on it opens outputs with such faults. `chosen` is the kind
    that the visitor selected. The result is "" where there are no faults."""
    if not fault_overlaps:
        return ""
    most = max(max(each.share, each.chance) for each in fault_overlaps) or 1.0
    rows = "".join([_fault_row_html(each, most, chosen) for each in fault_overlaps])
    first = max(fault_overlaps, key=lambda each: each.share - each.chance)
    times = f", {first.share / first.chance:.1f} times as many as by chance" if first.chance else ""
    part = f"{100 * first.share:.0f} %"
    sentence = f"Of the {first.number:,} {first.fault} of {safe(metric, 40)}, {part} touch a marked word{times}."
    return (
        f'<section class="reasons"><p class="answer">{sentence}</p><div class="wide" tabindex="0"><table><thead><tr>'
        "<th>Found wrong</th><th>Number</th><th>In marked words</th><th>By chance</th><td></td>"
        f"<th>Difference</th></tr></thead><tbody>{rows}</tbody></table></div>"
        '<p class="note">By chance: if what it finds wrong were drawn from all words of the same outputs. '
        "The difference has its 95 % interval over segments.</p></section>"
    )


def marked_table(table: AgreementTable, overlaps_by_metric: Mapping[str, Sequence[Overlap]]) -> str:
    """Return the table of the share of each metric's faults that lie in words that people marked, as HTML.

    The keys of `overlaps_by_metric` are metrics. The result is "" where no metric has faults."""
    rows = ""
    for label, *cells in agreement.marked_span_rows(table, overlaps_by_metric, 3):
        inside = "".join([f"<td>{safe(cell, 60)}</td>" for cell in cells])
        rows += f"<tr><th>{safe(label, 60)}</th>{inside}</tr>"
    heads = "".join([f"<th>{head}</th>" for head in agreement.MARKED])
    table_html = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<section class="reasons"><div class="wide" tabindex="0">{table_html}</div></section>' if rows else ""


def _fault_row_html(each: Overlap, largest_share: float, chosen: str) -> str:
    low, high = (_percentage_points_text(end) for end in each.difference)
    bar = (
        f'<span class="share"><i style="width:{100 * each.share / largest_share:.1f}%"></i>'
        f'<b style="left:{100 * each.chance / largest_share:.1f}%"></b></span>'
    )
    name = each.fault[0].upper() + each.fault[1:]
    kind = ' class="chosen"' if chosen == each.fault else ""
    opens = f'<button type="button" data-tell="fault:{each.fault}">{name}</button>' if each.outputs else name
    return (
        f"<tr{kind}><th>{opens}</th><td>{each.number:,}</td><td>{100 * each.share:.1f} %</td>"
        f"<td>{100 * each.chance:.1f} %</td><td>{bar}</td><td>{_percentage_points_text(each.share - each.chance)} "
        f"({low} to {high})</td></tr>"
    )


def _percentage_points_text(share: float) -> str:
    """Return a difference of two shares as text, in percentage points with one decimal.

    >>> _percentage_points_text(0.123), _percentage_points_text(-0.02)
    ('+12.3', '−2.0')
    """
    return f"{100 * share:+.1f}".replace("-", "−")


def findings_table(
    count_results: Sequence[FindingCorrelation], metric: str, scale: str, chosen: str, still: bool = False
) -> str:
    """Return the table of how the properties that a metric counts correlate with people's judgements, as HTML.

    A property is, for example, the number of extra words or the brevity penalty. The strongest correlation comes
    first. Each row has buttons that open the outputs which support its correlation or contradict it, but not with
    `still`, as in a saved file. `chosen` is the pressed button: "by:" or "against:" and the key of the row. The
    result is "" where nothing is counted."""
    if not count_results:
        return ""
    order = sorted(
        count_results, key=lambda each: -abs(each.pearson.value) if isinstance(each.pearson, CoefficientValue) else 1.0
    )
    rows = "".join([_finding_row_html(each, chosen, still) for each in order])
    speak = "" if still else "<th>Speak</th>"
    return (
        f'<section class="reasons"><h2>What {safe(metric, 40)} counts, and people on {safe(scale, 40)}</h2>'
        '<div class="wide" tabindex="0"><table><thead><tr><th>Counted</th><th>Pearson</th><td></td>'
        f"<th>Kendall</th><th>Within segments</th>{speak}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def finding_key(each: FindingCorrelation) -> str:
    """Return the key of a counted property, as events and links name it: its type and its name."""
    return f"{each.what}/{each.name}"


def _finding_row_html(each: FindingCorrelation, chosen: str, still: bool) -> str:
    key = safe(finding_key(each), 150)
    side = chosen.partition(":")[0] if chosen.partition(":")[2] == finding_key(each) else ""
    kind = ' class="chosen"' if side else ""
    name = safe(each.name.replace("_", " "), 60)
    buttons = " ".join(
        [
            f'<button type="button" data-tell="{way}:{key}" aria-label="{safe(f"{each.name}: {says}", 120)}" '
            f'aria-pressed="{str(side == way).lower()}">{way.removesuffix("by") or "for"}</button>'
            for way, outputs, says in (
                ("by", each.supporting, "outputs that speak for it"),
                ("against", each.opposing, "outputs that speak against it"),
            )
            if outputs
        ]
    )
    speak = "" if still else f"<td>{buttons}</td>"
    return (
        f'<tr{kind}><th>{name} <span class="kind">{KINDS[each.what]}</span></th>{coefficient_cells(each.pearson)}'
        f"<td>{_bar(each.pearson)}</td>{coefficient_cells(each.kendall, each.within_segments)}{speak}</tr>"
    )


def _bar(coefficient: Coefficient) -> str:
    """Return a correlation from −1 to 1 as a bar that starts in the middle; "" where it is undefined."""
    if not isinstance(coefficient, CoefficientValue):
        return ""
    start, wide = (50.0 + 50 * min(0.0, coefficient.value), 50 * abs(coefficient.value))
    tone = "up" if coefficient.value > 0 else "down"
    return f'<span class="both"><i class="{tone}" style="left:{start:.1f}%;width:{wide:.1f}%"></i></span>'
