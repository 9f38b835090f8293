"""Draw the n-grams that one of two systems has right more often than the other, as tables whose rows open segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.patterns import LEAST, LEVEL, Pattern

from ..pen.numbers import count_text
from ..pen.text import bdi_word, safe

#: How many rows a system's table has, and how many n-grams are listed where none is more than chance.
ROWS, NEAR = 40, 5
#: The character that replaces the blank at the end of a word in parts of words.
END = "_"


def draw(
    patterns: Sequence[Pattern], names: tuple[str, str], unit: str, tell: Callable[[Pattern], str], scope: str
) -> str:
    """Return a table for each system with the n-grams that it has right more often by more than chance, as HTML.

    Where no difference is more than chance, the text says so and lists the n-grams closest to significance. `unit`
    is what the n-grams consist of, "word" or "character". `tell` makes the event that opens the segments of an
    n-gram, and `scope` says which segments were searched."""
    telling = [each for each in patterns if each.q < LEVEL]
    sides = [
        [each for each in telling if each.for_b > each.for_a],
        [each for each in telling if each.for_b < each.for_a],
    ]
    count = count_text(len(patterns), f"{unit} n-gram")
    about = (
        f"{count} of the references that {bdi_word(names[0])} and {bdi_word(names[1])} "
        "do not have right equally often, "
        f"in at least {LEAST} segments; {safe(scope, 200)}."
    )
    if not patterns:
        answer = (
            f"No {unit} n-gram of the references is right in one output and wrong in the other in {LEAST} segments."
        )
        return f'<div class="patterns"><p class="answer"><b>{answer}</b></p></div>'
    if not telling:
        near = patterns[:NEAR]
        answer = f"Nothing is more than chance: none of {count} has q below {LEVEL:g}."
        return (
            f'<div class="patterns"><p class="answer"><b>{answer}</b></p><p>{about} The nearest:</p>'
            f"{_pattern_table_html(near, names, tell, unit)}{_NOTE}</div>"
        )
    out = [f'<div class="patterns"><p>{about}</p>']
    for side, name in zip(sides, (names[1], names[0]), strict=True):
        head = f"More often right in {bdi_word(name)}: {len(side):,}"
        if not side:
            out.append(f"<h2>{head}</h2><p>None by more than chance.</p>")
            continue
        more = f"<p>The first {ROWS} of {len(side):,}.</p>" if len(side) > ROWS else ""
        out.append(f"<h2>{head}</h2>{_pattern_table_html(side[:ROWS], names, tell, unit)}{more}")
    return "".join(out) + _NOTE + "</div>"


def error_counts_table(error_counts: Sequence[ErrorCount], names: tuple[str, str], scope: str) -> str:
    """Return the table of errors by kind, as HTML.

    It has the counts of both systems, in how many segments each has fewer, and q, the false discovery rate. `scope`
    says which segments were counted."""
    most = max([each.for_a + each.for_b for each in error_counts], default=1) or 1
    a, b = (bdi_word(name, 14) for name in names)
    rows = []
    for n, each in enumerate(error_counts):
        label = safe(each.error.label)
        if each.segments:
            label = f'<button type="button" data-tell="error:{n}" title="{safe(each.error.meaning)}">{label}</button>'
        sure = "*" if each.q < LEVEL else ""
        rows.append(
            f"<tr><td>{label}</td><td>{each.a:,}</td><td>{each.b:,}</td><td>{_bars(each.for_a, each.for_b, most)}</td>"
            f"<td>{probability_html(each.q)}{sure}</td></tr>"
        )
    head = f"<tr><th>Errors</th><th>{a}</th><th>{b}</th><th>Fewer in {a} | {b}</th><th>q</th></tr>"
    about = f"Each word is compared with the reference closest to the output; {safe(scope, 300)}."
    note = (
        "Fewer: in how many segments each system has fewer of them (used by the sign test); * : q below "
        f"{LEVEL:g}. Missing words are counted in the reference, all others in the output. Click a row to open "
        "the segments in which the two numbers differ."
    )
    return (
        f'<div class="patterns"><h2>Kinds of error</h2><p>{about}</p><div class="wide" tabindex="0"><table>'
        f'<thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div><p class="note">{note}</p></div>'
    )


def _bars(for_a: int, for_b: int, most: int) -> str:
    """Return two bars, as HTML, for the numbers of segments in which A leads and in which B leads.

    `most` is the number for which both bars together are as long as possible."""
    return (
        f'<span class="tug"><b>{for_a}</b><i class="worse" style="width:{90 * for_a / most:.1f}px"></i>'
        f'<i class="better" style="width:{90 * for_b / most:.1f}px"></i><b>{for_b}</b></span>'
    )


_NOTE = (
    '<p class="note">Numbers: how often each system has it right, of how often the references have it. Segments: in '
    "how many each system leads (used by the sign test). Log-odds: by how many standard deviations the second "
    "system is above the first (a prior pulls rare n-grams towards the rest). q: the share of false findings among "
    "those at least as significant (Benjamini and Hochberg). Click a row to open its segments.</p>"
)


def _pattern_table_html(
    rows: Sequence[Pattern], names: tuple[str, str], tell: Callable[[Pattern], str], unit: str
) -> str:
    most = max([each.for_a + each.for_b for each in rows], default=1)
    a, b = (bdi_word(name, 14) for name in names)
    head = (
        f"<tr><th>{unit.capitalize()}s</th><th>{a}</th><th>{b}</th><th>of</th><th>Segments for {a} | {b}</th>"
        "<th>Log-odds</th><th>q</th></tr>"
    )
    return (
        f'<div class="wide" tabindex="0"><table><thead>{head}</thead>'
        f"<tbody>{''.join([_pattern_row_html(each, most, tell, unit) for each in rows])}</tbody></table></div>"
    )


def _pattern_row_html(each: Pattern, most: int, tell: Callable[[Pattern], str], unit: str) -> str:
    words = bdi_word(pattern_text(each, unit), 80)
    odds = f"{each.odds:+.1f}".replace("-", "−")
    bars = _bars(each.for_a, each.for_b, most)
    return (
        f'<tr><td><button type="button" data-tell="{safe(tell(each), 2_000)}">{words}</button></td>'
        f"<td>{each.a:,}</td><td>{each.b:,}</td><td>{each.there:,}</td><td>{bars}</td><td>{odds}</td>"
        f"<td>{probability_html(each.q)}</td></tr>"
    )


def pattern_text(each: Pattern, unit: str) -> str:
    """Return an n-gram as text: words joined by blanks, or with another `unit` characters with END for a blank."""
    return " ".join(each.words) if unit == "word" else "".join(each.words).replace(" ", END)


def probability_html(p: float) -> str:
    """Return a p value or a false discovery rate q in few digits, as HTML; below 0.0001 only that bound.

    >>> probability_html(0.034), probability_html(0.00004), probability_html(1.0)
    ('0.034', '&lt; 0.0001', '1')
    """
    if p < 0.0001:
        return "&lt; 0.0001"
    return f"{p:.2g}" if p >= 0.001 else f"{p:.4f}"
