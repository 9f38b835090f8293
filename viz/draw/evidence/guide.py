"""Draw the Help page: three tasks with a picture each, the keys of the page, the symbols, the manuals, the licences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import metrics
from metrics.types import Hit, Result

from ..pen import legend, svg, theme
from ..pen.legend import LegendEntry
from ..pen.numbers import score_text
from ..pen.shapes import Shape
from .fragment import root_element
from .keys import keys_html

#: Roles by group, in the order of the legend; roles in no group belong to CHANGES.
GROUPS: dict[str, tuple[str, ...]] = {
    "Matches": ("block", "area", "path", "used", "unused"),
    "Errors": ("substituted", "extra", "missing", "arrow"),
    "Order": (
        *("aligned", "aligned stem", "aligned synonym", "aligned similar"),
        *("chunk", "crossing", "discordant", "meeting", "pair", "absent"),
    ),
    "Ties": ("always", "sometimes"),
    "Steps": (
        *("hit", "filled", "filled beside", "taken", "taken stem", "taken synonym", "taken similar"),
        *("considered", "rejected", "came from", "filled now", "used up"),
    ),
}
CHANGES = "Changes from A to B"
LICENCES = (
    "The program is under the Apache License 2.0. The examples and samples were written for it; examples named after a "
    "paper are the paper’s own."
)
#: The manuals, which are files in the program's folder, and what each is about.
MANUALS = {
    "viz/pages/README.md": "all that these pages do",
    "viz/pages/learn/chapters/README.md": "how to write a chapter",
    "metrics/command/README.md": "the command line",
    "metrics/README.md": "what other programs call",
}
_CHOCOLATE = "life is just like a box of tasty chocolate".split()
_GUNMAN = ["the gunman was shot to death by the police .".split()]


@cache
def help_html(key_groups: Sequence[str] = ()) -> str:
    """Return the content of Help as HTML, with the keys of the groups, which are names in `keys.GROUPS`."""
    tasks = "".join(f"<section><h2>{name}</h2><p>{says}</p>{drawn}</section>" for name, says, drawn in _tasks())
    symbols = "".join(
        f"<dt>{name}</dt><dd>{svg.legend_html(legend.drawn_entries(entries))}</dd>"
        for name, entries in legend_entries_by_group().items()
    )
    return root_element(
        "help",
        f'<div class="tasks">{tasks}</div>{_keys_html(key_groups)}'
        f'<h2>Symbols</h2>{_WORDS}<dl class="symbols">{symbols}</dl>{_REST}'
        f"<h2>Manuals</h2><p>{_manuals_html()}</p>"
        f"<h2>Version and licences</h2><p>Bitext Grid {metrics.__version__}. {LICENCES}</p>",
        "guide tint",  # the symbols of ties too
    )


def _keys_html(groups: Sequence[str]) -> str:
    """Return the heading and the list of a page's keys as HTML, or "" where it has none."""
    return f"<h2>Keys on this page</h2><p>{_KEYS}</p>{keys_html(groups)}" if groups else ""


# ---------------------------------------------------------------- the tasks


def _tasks() -> Iterator[tuple[str, str, str]]:
    """Yield (name, instructions, HTML of the picture) for each of the tasks that Help explains."""
    one = metrics.score("gtm", "the gunman was shot dead by the police .".split(), _GUNMAN)
    yield (
        "Why did it score so low?",
        "On Sentence, paste a translation and its references. The grid shows each match; choose a number, a word or a "
        "cell to see what it adds.",
        _small_grid_html(one),
    )
    rounds = metrics.score("sia", "life is like one nice chocolate in box".split(), [_CHOCOLATE])
    yield (
        "How does a metric work?",
        "Choose a metric and change its settings, go through its rounds, or compare two metrics on the same words.",
        _small_grid_html(rounds),
    )
    before = metrics.score("gtm", "the gunman was shot by police dead .".split(), _GUNMAN)
    yield (
        "What did a change do?",
        "On Compare, paste the output before and after. Every step between the two scores leads to its words.",
        f'<div class="change">{_small_grid_html(before)}<span>→</span>{_small_grid_html(one)}</div>'
        f"<p>{score_text(before.score)} → {score_text(one.score)}</p>",
    )


def _small_grid_html(result: Result) -> str:
    candidate, references = result.segment
    hits = [
        Hit(i, k, j)
        for i, word in enumerate(candidate)
        for k, reference in enumerate(references)
        for j, other in enumerate(reference)
        if word == other
    ]
    return svg.small_grids_svg(result, {}, 1, hits, 160)


def _manuals_html() -> str:
    """Return a sentence, as HTML, that lists the manuals in the program's folder."""
    file_list = "; ".join([f"<code>{file}</code>: {about}" for file, about in MANUALS.items()])
    return f"There is more in these files of the program’s folder. {file_list}."


# ---------------------------------------------------------------- the symbols


def legend_entries_by_group() -> dict[str, list[LegendEntry]]:
    """Return the legend entries for all looks of marks, by group such as "Matches"; each text occurs once."""
    group_of = {role: name for name, roles in GROUPS.items() for role in roles}
    out: dict[str, list[LegendEntry]] = {name: [] for name in (*GROUPS, CHANGES)}
    seen_legends = set()
    for (role, kind), look in theme.LOOKS.items():
        if look.legend and look.legend not in seen_legends:
            seen_legends.add(look.legend)
            out[group_of.get(role, CHANGES)].append(LegendEntry(look.legend, Shape(kind, role, 0, ())))
    return out


_WORDS = (
    '<div class="word_lines"><div class="ln"><div class="lb">Words</div><div class="ws">'
    '<span class="tk u">used</span> <span class="tk h">matches, not used</span> '
    '<span class="tk">matches nothing</span> <span class="tk chosen">chosen</span></div></div></div>'
)
_REST = (
    "<p>Digits in cells are the numbers of rounds or shifts. ▲ is a better score and ✕ a worse one, whichever way the "
    "metric counts; ↑ and ↓ say whether higher or lower scores are better, ★ is the best of several.</p>"
)
_KEYS = "A key belongs to what has the focus: Tab leads there, or a click."
