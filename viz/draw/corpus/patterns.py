"""N-grams that one of two systems has right more often than the other, as a table whose rows open their segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from metrics.corpus.errors import ErrorCount
from metrics.corpus.patterns import LEAST, LEVEL, Pattern

from ..pen import theme

#: Rows of a side, and n-grams that are told where none is more than chance.
ROWS, NEAR = 40, 5
#: What stands for the end of a word in parts of words.
END = "_"


def draw(
    patterns: Sequence[Pattern], names: tuple[str, str], unit: str, tell: Callable[[Pattern], str], scope: str
) -> str:
    """Both sides' n-grams with what they are tested by; of none that is more than chance this is what is said, and the
    nearest ones stand below. `unit` is what n-grams are of ("word"), `scope` says in which segments was looked."""
    telling = [each for each in patterns if each.q < LEVEL]
    sides = [
        [each for each in telling if each.for_b > each.for_a],
        [each for each in telling if each.for_b < each.for_a],
    ]
    count = theme.count_text(len(patterns), f"{unit} n-gram")
    about = (
        f"{count} of the references that {theme.word(names[0])} and {theme.word(names[1])} have right unequally often, "
        f"in at least {LEAST} segments; {theme.safe(scope, 200)}."
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
            f"{_table(near, names, tell, unit)}{_NOTE}</div>"
        )
    out = [f'<div class="patterns"><p>{about}</p>']
    for side, name in zip(sides, (names[1], names[0]), strict=True):
        head = f"More often right in {theme.word(name)}: {len(side):,}"
        if not side:
            out.append(f"<h2>{head}</h2><p>None by more than chance.</p>")
            continue
        more = f"<p>The first {ROWS} of {len(side):,}.</p>" if len(side) > ROWS else ""
        out.append(f"<h2>{head}</h2>{_table(side[:ROWS], names, tell, unit)}{more}")
    return "".join(out) + _NOTE + "</div>"


def errors(error_counts: Sequence[ErrorCount], names: tuple[str, str], scope: str) -> str:
    """How many errors of each kind both have, in how many segments one has fewer, and whether that is chance."""
    most = max([each.for_a + each.for_b for each in error_counts], default=1) or 1
    a, b = (theme.word(name, 14) for name in names)
    rows = []
    for n, each in enumerate(error_counts):
        label = theme.safe(each.error.label)
        if each.segments:
            label = (
                f'<button type="button" data-tell="error:{n}" title="{theme.safe(each.error.meaning)}">{label}</button>'
            )
        sure = "*" if each.q < LEVEL else ""
        rows.append(
            f"<tr><td>{label}</td><td>{each.a:,}</td><td>{each.b:,}</td><td>{_tug(each.for_a, each.for_b, most)}</td>"
            f"<td>{probability(each.q)}{sure}</td></tr>"
        )
    head = f"<tr><th>Errors</th><th>{a}</th><th>{b}</th><th>Fewer in {a} | {b}</th><th>q</th></tr>"
    about = f"Each word beside the reference that is closest to the output; {theme.safe(scope, 300)}."
    note = (
        "Fewer: in how many segments each system has fewer of them, what the sign test is of; * : q below "
        f"{LEVEL:g}. Missing words are counted in the reference, all others in the output. A row opens the segments in "
        "which the two have unequally many."
    )
    return (
        f'<div class="patterns"><h2>Kinds of error</h2><p>{about}</p><div class="wide" tabindex="0"><table>'
        f'<thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div><p class="note">{note}</p></div>'
    )


def _tug(for_a: int, for_b: int, most: int) -> str:
    """In how many segments each of two systems leads, as bars."""
    return (
        f'<span class="tug"><b>{for_a}</b><i class="worse" style="width:{90 * for_a / most:.1f}px"></i>'
        f'<i class="better" style="width:{90 * for_b / most:.1f}px"></i><b>{for_b}</b></span>'
    )


_NOTE = (
    '<p class="note">Right: how often of how often the references have it. Segments: in how many each system leads: '
    "what the sign test is of. Log-odds: by how many of their deviations those of the second system are above those of "
    "the first (a prior draws rare n-grams to all). q: the part of false ones among all at least as telling "
    "(Benjamini and Hochberg). A row opens its segments.</p>"
)


def _table(rows: Sequence[Pattern], names: tuple[str, str], tell: Callable[[Pattern], str], unit: str) -> str:
    most = max([each.for_a + each.for_b for each in rows], default=1)
    a, b = (theme.word(name, 14) for name in names)
    head = (
        f"<tr><th>{unit.capitalize()}s</th><th>{a}</th><th>{b}</th><th>of</th><th>Segments for {a} | {b}</th>"
        "<th>Log-odds</th><th>q</th></tr>"
    )
    return (
        f'<div class="wide" tabindex="0"><table><thead>{head}</thead>'
        f"<tbody>{''.join([_row(each, most, tell, unit) for each in rows])}</tbody></table></div>"
    )


def _row(each: Pattern, most: int, tell: Callable[[Pattern], str], unit: str) -> str:
    words = theme.word(spelled(each, unit), 80)
    odds = f"{each.odds:+.1f}".replace("-", "−")
    bars = _tug(each.for_a, each.for_b, most)
    return (
        f'<tr><td><button type="button" data-tell="{theme.safe(tell(each), 2_000)}">{words}</button></td>'
        f"<td>{each.a:,}</td><td>{each.b:,}</td><td>{each.there:,}</td><td>{bars}</td><td>{odds}</td>"
        f"<td>{probability(each.q)}</td></tr>"
    )


def spelled(each: Pattern, unit: str) -> str:
    """An n-gram of words, or of characters, as it is read."""
    return " ".join(each.words) if unit == "word" else "".join(each.words).replace(" ", END)


def probability(p: float) -> str:
    """A p or q in few digits; a small one as what it is below.

    >>> probability(0.034), probability(0.00004), probability(1.0)
    ('0.034', '&lt; 0.0001', '1')
    """
    if p < 0.0001:
        return "&lt; 0.0001"
    return f"{p:.2g}" if p >= 0.001 else f"{p:.4f}"
