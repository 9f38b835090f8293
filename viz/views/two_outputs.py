"""Two outputs and what changed between them: the scores, the words, the cells, and every step from A's score to B's."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

import metrics
from metrics import formula
from metrics.analysis.changes import Change, Difference, Place
from metrics.types import Hit, Result
from viz.components import drawing, evidence_table, score_table
from viz.draw import differences, grid, ledger, marks, svg, theme, words
from viz.draw.differences import Names
from viz.draw.grid import Geometry, Window
from viz.draw.texts import Texts
from viz.state import cache, controls, session
from viz.state.cache import Problem
from viz.views import one_metric

CAUSES = {
    "matches": "Matches gained and lost",
    "order": "Word order",
    "contiguity": "Contiguity",
    "gaps": "Gaps",
    "edits": "Edits",
    "length": "Length and its penalty",
    "references": "Length of the references",
}
PIECES_MOST = 60  # marks of a step that the page lists; the CSV has all
_SIGNS = {"gained": "▲", "lost": "✕", "changed": "±"}


class Pair(NamedTuple):
    """Two outputs over the same references, a result of each, and what changed between them."""

    a: Texts
    b: Texts
    names: Names
    before: Result
    after: Result
    found: Difference
    steps: tuple[Change, ...]
    step: int | None
    """The number of the chosen step."""

    @property
    def delta(self) -> float:
        return self.after.score - self.before.score

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        return self.a.reference_words

    def places(self) -> frozenset[Place]:
        """The cells of the chosen step."""
        return differences.places(self.steps[self.step], self.found.rows) if self.step is not None else frozenset()


def draw(a: Texts, b: Texts, names: Names) -> None:
    """The table of all metrics, and for the chosen one everything that changed."""
    if a.segment.candidate == b.segment.candidate:
        first, second = map(theme.markdown, names)
        st.info(f"{first} and {second} are the same words, so every score is equal.")
    key = st.session_state.metric
    with st.spinner("Scoring"):
        glances = [session.glances(texts) for texts in (a, b)]
    left, right = st.columns([4.6, 7.4], gap="large")
    with left:
        rows = score_table.rows_for_pair(glances[0], glances[1], metrics.METRICS)
        score_table.show(rows, score_table.pair_columns(*names), key, _choose_metric)
    with right:
        metric = metrics.METRICS[key]
        name, tools = st.columns([5, 2.4], vertical_alignment="top")
        name.html(f'<div class="vh"><b>{html.escape(metric.name)}</b><br><span>{html.escape(metric.idea)}</span></div>')
        with tools.container(horizontal=True, horizontal_alignment="right"):
            controls.metric_settings(key, len(a.references), 0)
        pair = _pair(a, b, names)
        if isinstance(pair, Problem):
            st.warning(theme.markdown(str(pair)))
            return
        _numbers(pair)
        _words(pair)
        _waterfall(pair)
    _grids(pair)


def _choose_metric(key: str) -> None:
    st.session_state.metric = key


def _pair(a: Texts, b: Texts, names: Names) -> Pair | Problem:
    """The pair for the chosen metric, or why it cannot be scored."""
    key = st.session_state.metric
    compared = cache.compared(key, a.segment, b.segment, session.metric_settings(key))
    if isinstance(compared, Problem):
        return compared
    before, after, found, steps = compared
    pick = st.session_state.get("step")
    chosen = pick[1] if pick and pick[0] == _identity(before, after) and pick[1] < len(steps) else None
    return Pair(a, b, names, before, after, found, steps, chosen)


def _identity(before: Result, after: Result) -> Any:
    return one_metric.identity(before), one_metric.identity(after)


def _choose(pair: Pair, step: int | None) -> None:
    """Choose a step; none where it is chosen already."""
    chosen = None if step is None or step == pair.step else step
    st.session_state.step = (_identity(pair.before, pair.after), chosen) if chosen is not None else None


def exact(value: float) -> str:
    """A share with six decimals, its sign and a true minus.

    >>> exact(0.0910344), exact(-1e-16)
    ('+0.091034', '0')
    """
    return "0" if abs(value) < 5e-13 else f"{value:+.6f}".replace("-", "−")


# ---------------------------------------------------------------- numbers and words


def _numbers(pair: Pair) -> None:
    """Both scores, their difference in words and colour, how many cells were kept, gained, lost and moved."""
    metric = metrics.METRICS[pair.before.metric]
    verdict = score_table.verdict(pair.delta, metric.higher_is_better)
    numbers = [
        (theme.score_text(pair.before.score), theme.safe(pair.names[0], 16), ""),
        (theme.score_text(pair.after.score), theme.safe(pair.names[1], 16), ""),
        (theme.signed(pair.delta), verdict, verdict),
        *[(str(count), name, "") for name, count in differences.counts(pair.found).items()],
    ]
    items = "".join([f'<span class="{look}"><b>{number}</b><bdi>{says}</bdi></span>' for number, says, look in numbers])
    st.html(f'<div class="nb">{items}</div>')
    if said := decisions(pair):
        st.html(f'<div class="rd">{said}</div>')


def decisions(pair: Pair) -> str:
    """Which reference decided for A and for B, as HTML; "" where there is only one."""
    if len(pair.references) < 2:
        return ""
    ours, theirs = pair.before.decides, pair.after.decides
    parts = list(dict.fromkeys((*ours, *theirs)))
    if not parts:
        return "All references count for both."
    a, b = (f"<bdi>{theme.safe(name)}</bdi>" for name in pair.names)
    said = []
    for part in parts:
        k, m = ours.get(part), theirs.get(part)
        what = "" if part == "score" else f" for {'the ' if '_' in part else ''}{html.escape(part.replace('_', ' '))}"
        if k == m:
            said.append(f"Reference {(k or 0) + 1} decides both{what}.")
        else:
            was, now = ("no reference" if n is None else f"reference {n + 1}" for n in (k, m))
            said.append(f"<b>The decision moved{what}:</b> {a} is decided by {was}, {b} by {now}.")
    return " ".join(dict.fromkeys(said))


def _words(pair: Pair) -> None:
    """The words of both, in three classes that can be switched, or the plain word diff."""
    shown = st.segmented_control(
        "Show in the words",
        [*differences.CLASSES, "diff"],
        selection_mode="multi",
        default=list(differences.CLASSES),
        key="strip_classes",
        format_func=lambda name: "Word diff" if name == "diff" else name.capitalize(),
        label_visibility="collapsed",
        persist_state="session",
    )
    a, b, part = pair.a.candidate_words, pair.b.candidate_words, _part(pair)
    classes = [name for name in shown if name != "diff"]
    st.html(
        differences.strips(a, b, pair.before, pair.after, pair.found, classes, pair.names, pair.places(), part)
        + (differences.diff_strip(a, b, pair.found.rows, part) if "diff" in shown else "")
        + differences.strip_legend(classes)
        + (differences.diff_legend(pair.names) if "diff" in shown else "")
    )


# ---------------------------------------------------------------- the steps


def _waterfall(pair: Pair) -> None:
    metric = metrics.METRICS[pair.before.metric]
    phone = one_metric.on_phone()
    figure = differences.waterfall(
        pair.steps,
        pair.before.score,
        pair.after.score,
        pair.names,
        metric.higher_is_better,
        pair.step,
        grid.PHONE if phone else 690,
    )

    def select() -> None:
        points = st.session_state.waterfall.selection.points
        _choose(pair, differences.clicked_step(points[0]) if points else None)

    with st.container(key="scroll_waterfall"):
        st.plotly_chart(
            figure,
            key="waterfall",
            width="content",
            config=one_metric.CONFIG,
            alt="Steps from the score of A to the score of B",
            on_select=select,
            selection_mode="points",
        )


def _ledger(pair: Pair) -> None:
    """From A to B: a row a step, grouped by cause, and the marks of the chosen step."""
    metric = metrics.METRICS[pair.before.metric]
    st.html(
        f'<div class="gh"><b>From <bdi>{theme.safe(pair.names[0], 16)}</bdi> to '
        f"<bdi>{theme.safe(pair.names[1], 16)}</bdi></b></div>"
    )
    phone = one_metric.on_phone()  # which has no room for all columns
    score, rows, groups = pair.before.score, [], []
    for number, step in enumerate(pair.steps):
        if not number or pair.steps[number - 1].cause != step.cause:
            total = sum(s.share for s in pair.steps if s.cause == step.cause)
            groups.append([number, CAUSES[step.cause], exact(total)])
        score += step.share
        before, after = formula.shown(step.before), formula.shown(step.after)
        changed = [f"{step.name}, {before} to {after}"] if phone else [step.name, before, after]
        rows.append([*changed, exact(step.share), f"{score:.6f}"])
    evidence_table.plain(
        "steps",
        ["Step", "Change", "Score"] if phone else ["Step", "From", "To", "Change", "Score"],
        ("From", "To", "Change", "Score"),
        rows,
        groups,
        -1 if pair.step is None else pair.step,
        12,
        "Steps from A to B; choose one to see its cells",
        "Nothing changed that counts, so the scores are equal.",
        lambda row: _choose(pair, row if row >= 0 else None),
    )
    if pair.steps:
        better = "" if metric.higher_is_better else " Less is better here."
        st.html(
            f'<div class="rd">The steps add up to {exact(pair.delta)}. Each is the Shapley value of its change: '
            "what it adds to the score, averaged over all orders in which the changes could be made, so that none is "
            f"favoured by coming first.{better}</div>"
        )
    if pair.step is not None:
        st.html(pieces_table(pair, pair.steps[pair.step]))
    st.html(f'<div class="sig">{html.escape(pair.after.signature(pair.b.settings.signature()))}</div>')


def pieces_table(pair: Pair, step: Change) -> str:
    """The marks of a step as an HTML table: what happened to each, its words and cells, its share."""
    if not step.pieces:
        return '<div class="rd">No cells belong to this step: it follows from the lengths.</div>'
    several = len(pair.references) > 1
    order = sorted(step.pieces, key=lambda piece: -abs(piece.share))
    rows = []
    for piece in order[:PIECES_MOST]:
        texts = pair.a if piece.kind == "lost" else pair.b
        says = theme.safe(ledger.term_text(texts.candidate_words, texts.reference_words, piece.mark), 60)
        rows.append(
            f'<tr class="{piece.kind}"><td>{_SIGNS[piece.kind]} {piece.kind}</td><td><bdi>{says}</bdi></td>'
            f"<td>{html.escape(ledger.positions(piece.mark, several))}</td>"
            f"<td>{theme.signed(piece.credit)}</td><td>{exact(piece.share)}</td></tr>"
        )
    more = len(order) - PIECES_MOST
    foot = f"and {theme.plural(more, 'more mark')}, all of them in the CSV" if more > 0 else ""
    return (
        f'<table class="pc"><caption>{html.escape(step.name)}</caption><thead><tr><th>Mark</th><th>Words</th>'
        f"<th>Cells</th><th>Credit</th><th>Share</th></tr></thead><tbody>{''.join(rows)}</tbody></table>{foot}"
    )


# ---------------------------------------------------------------- the grids


def _grids(pair: Pair) -> None:
    """A and B, and below them their difference beside the ledger, all with cells of one size."""
    a, b, rows = pair.a.candidate_words, pair.b.candidate_words, pair.found.rows
    labels = differences.row_labels(a, b, rows)
    geo = differences.geometry(a, b, labels, pair.references, one_metric.on_phone())
    part = _part(pair)
    if part:
        _part_controls(pair, part)
    inside = differences.windows(rows, part) if part else (None, None)
    geo = geo or Geometry(14, 1, True)
    if geo.beside:
        above, below = st.columns(2, gap="medium"), st.columns(2, gap="medium")
        boxes: Sequence[Any] = (*above, *below)
    else:
        boxes = [st.container() for _ in range(4)]
    of_a, of_b = ({row[side]: n for n, row in enumerate(rows)} for side in (0, 1))

    def choose(rows_of: Mapping[int | None, int], cell: Hit) -> None:
        _choose(pair, step_at(pair, Place(rows_of[cell.i], cell.k, cell.j)))

    for box, side, name, texts, result, window, rows_of in zip(
        boxes, "ab", pair.names, (pair.a, pair.b), (pair.before, pair.after), inside, (of_a, of_b), strict=False
    ):
        with box:
            _head(theme.safe(name, 24), theme.score_text(result.score))
            if not texts.candidate:
                st.html('<div class="rd">No words, so there is no grid.</div>')
                continue
            hits = cache.window_hits(texts.segment, window) if window else cache.hits(texts.segment)
            drawn = marks.shapes(result, hits)
            words_ = texts.candidate_words
            picture = svg.panel(words_, pair.references, drawn, geo, labels, window)
            alt = f"Bitext grid of {theme.visible(name)}"
            drawing.show(f"grid_{side}", picture, words_, pair.references, alt, partial(choose, rows_of))
            st.html(words.legend(drawn))
    with boxes[2]:
        _head("Difference", theme.signed(pair.delta))
        drawn = differences.shapes(pair.found, pair.places())
        picture = svg.panel(labels, pair.references, drawn, geo, labels, part)
        alt = "What changed between the two: cells that were kept, gained, lost and moved"
        drawing.show("grid_d", picture, labels, pair.references, alt, partial(choose, {n: n for n in range(len(rows))}))
        st.html(words.legend(drawn))
    with boxes[3]:
        _ledger(pair)


def step_at(pair: Pair, place: Place) -> int | None:
    """The next step after the chosen one that a cell has a part in; the chosen one where there is no other."""
    having = [n for n, step in enumerate(pair.steps) if place in differences.places(step, pair.found.rows)]
    later = [n for n in having if pair.step is not None and n > pair.step]
    return next(iter(later or having), None)


def _head(name: str, number: str) -> None:
    st.html(f'<div class="gh"><b><bdi>{name}</bdi></b> {number}</div>')


# ---------------------------------------------------------------- long texts


def _changed(pair: Pair) -> list[Place]:
    found = pair.found
    return sorted({*found.gained, *found.lost, *[place for moved in found.moved for place in moved]})


def _part(pair: Pair) -> Window | None:
    """The part of a long difference that is shown; None where all of it is."""
    longest = max(map(len, (pair.a.candidate, pair.b.candidate, *pair.references)))
    if longest <= grid.DIRECT:
        return None
    known, number = st.session_state.get("change_at") or (None, 0)
    places = _changed(pair)
    mine = known == _identity(pair.before, pair.after) and number < len(places)
    return differences.window(pair.found, pair.references, places[number] if mine else None)


def _part_controls(pair: Pair, part: Window) -> None:
    """Steps from one changed place to the next one outside of what is shown."""
    places = _changed(pair)
    after = [n for n, p in enumerate(places) if (p.row, p.j) > (part.i + part.rows - 1, part.j)]
    before = [n for n, p in enumerate(places) if p.row < part.i]

    def to(number: int) -> None:
        st.session_state.change_at = (_identity(pair.before, pair.after), number)

    with st.container(horizontal=True, vertical_alignment="center"):
        rows = f"{part.i + 1} to {part.i + part.rows} of {len(pair.found.rows):,}"
        st.html(f'<div class="rd">The outputs are long: rows {rows} are shown.</div>', width="content")
        st.button("Earlier changes", disabled=not before, on_click=to, args=(before[-1] if before else 0,))
        st.button("Later changes", disabled=not after, on_click=to, args=(after[0] if after else 0,))
