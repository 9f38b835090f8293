"""A corpus on one page that needs no server: which system is better, why, by how much of what, and the segments that
tell the most with the difference in each as the page draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

import metrics
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.pairs import Pair
from metrics.corpus.resampling import Interval
from metrics.corpus.telling.segments import Told
from metrics.corpus.telling.significance import probability
from metrics.types import Settings, signed

from ..draw.compare.scores import direction, verdict
from ..draw.corpus import axes, story
from ..draw.evidence.fragment import STYLE, root
from ..draw.pen import theme
from ..draw.texts import Texts
from . import comparison_report
from .corpus_found import Found
from .corpus_systems import DECIMALS
from .sentence_page import PAGE, SCRIPT, document
from .systems_table import heading

#: Segments that stand in a report, and characters that their pictures may take together.
SEGMENTS_MOST, LETTERS_MOST = 12, 4_000_000
#: Characters of a text, of a name, and of what is said.
TEXT_MOST, NAME_MOST, SAID_MOST = 4_000, 80, 2_000

_STYLE = """
.told { max-width: 62em; margin: 0 0 6px; overflow-wrap: anywhere; }
.story { display: block; font-size: 15px; } .story .verdict { font-size: 16px; margin: 0 0 10px; }
.story .across { font-size: 20px; font-weight: 600; margin: 0 0 6px; }
.story > p { margin: 8px 0; max-width: 62em; }
.charts { display: flex; flex-wrap: wrap; gap: 0 28px; } .charts .chart { flex: 0 1 430px; margin: 10px 0; }
.case { margin: 0 0 34px; padding-top: 12px; border-top: 1px solid var(--line); }
.case h3 { font-size: 17px; font-weight: 600; margin: 0 0 4px; overflow-wrap: anywhere; }
.case h3 span { font-weight: 400; opacity: .85; margin-inline-start: .6em; }
.case .texts { margin: 8px 0; }
.picks { padding-inline-start: 20px; } .picks a { color: inherit; }
@media (max-width: 640px) { .corpus_ledger .bars { width: 110px; } }
@media print { .case h3, .told { break-after: avoid; } .corpus_ledger tr { break-inside: avoid; } }
"""


RULES = comparison_report.STYLE_OF_TABLES + story.RULES + axes.RULES + _STYLE


class Case(NamedTuple):
    """A segment in a report: its number from 0, its document and its texts of A and B, or what is missing; the outputs
    as they were given; and the settings of the metric."""

    segment: int
    document: str
    texts: tuple[Texts, Texts] | str
    outputs: tuple[str, str]
    settings: Settings


class About(NamedTuple):
    """What a report is about: the names of all systems, the numbers of A and B, the metric, what says which segments
    these are, and, where they are known, when it was made and the address of the page."""

    names: Sequence[str]
    a: int
    b: int
    metric: str
    said: Sequence[str]
    date: str = ""
    link: str = ""

    @property
    def both(self) -> tuple[str, str]:
        return self.names[self.a], self.names[self.b]


def page_html(about: About, found: Found, case: Callable[[int], Case]) -> str:
    """The report as one HTML document that loads nothing and lights as the page does. `case` gives a segment by its
    number."""
    metric = metrics.METRICS[about.metric]
    one, other = (theme.safe(name, NAME_MOST) for name in about.both)
    head = f"<header><h1><bdi>{one}</bdi> and <bdi>{other}</bdi></h1>{_made(about)}</header>"
    return document(
        f"{one} and {other}: {escape(metric.label)}",
        PAGE + STYLE + RULES,
        [root(about.metric, head + _top(about, found)), *_cases(about, found, case), _signatures(found)],
        SCRIPT,
    )


def output_html(about: About, found: Found, case: Callable[[int], Case]) -> str:
    """The same as a piece of a page, with the segments folded."""
    cases = "".join(_cases(about, found, case))
    return (
        root(about.metric, _top(about, found))
        + (f"<details><summary>Segments that tell the most</summary>{cases}</details>" if cases else "")
        + _signatures(found)
    )


def _top(about: About, found: Found) -> str:
    """Which segments these are, the sentence and the ledger, and the tables."""
    said = [f'<p class="told">{theme.safe(said, SAID_MOST)}</p>' for said in about.said]
    head = f"<h2>{escape(metrics.METRICS[about.metric].label)}</h2>"
    told = f'{head}<div class="story">{"".join(_story(about, found))}</div>'
    charts = f'<div class="charts">{"".join(found.charts)}</div>'
    return "\n".join([*said, told, charts, _metric_table(about, found), _system_table(about, found)])


def _made(about: About) -> str:
    back = f'<a href="{escape(about.link)}">Open in Bitext Grid</a>' if about.link else "Bitext Grid"
    return f'<p class="made">{" · ".join(filter(None, [escape(about.date), back]))}</p>'


def _story(about: About, found: Found) -> Iterator[str]:
    """What all metrics say, the sentence of one, its ledger, kinds of error, and why metrics disagree."""
    yield f'<p class="across">{theme.safe(found.across, SAID_MOST)}</p>'
    yield f'<p class="verdict">{theme.safe(found.verdict, SAID_MOST)}</p>'
    if isinstance(found.ledger, CorpusLedger):
        made = story.ledger(metrics.METRICS[about.metric], _sides(about, found), found.ledger)
        yield f'<div class="causes"><div>{made}</div>{found.kinds}</div>'
    else:
        yield f"<p>{theme.safe(found.ledger, story.SAID_MOST)}</p>"
    if found.winners:
        yield f"<p>{theme.safe(found.winners, story.SAID_MOST)}</p>"


def _sides(about: About, found: Found) -> tuple[str, str]:
    """The names of both systems, that of the better one last."""
    a, b = about.both
    return (b, a) if found.turned else (a, b)


# ---------------------------------------------------------------- tables


def _metric_table(about: About, found: Found) -> str:
    """A row for each metric: both scores, their difference, its interval and p."""
    rows = []
    for key, scores in found.scores.items():
        pair = next((p for p in found.pairs if p.metric.key == key and p.b == about.both[1]), None)
        sign, says = direction(metrics.METRICS[key].higher_is_better)
        tint = ' class="sel"' if key == about.metric else ""
        cells = [_score(scores[n], n, found.intervals.get(key)) for n in (about.a, about.b)]
        label = f'{escape(metrics.METRICS[key].label)} <span title="{says}">{sign}</span>'
        rows.append(f"<tr{tint}><td>{label}</td>{''.join(cells)}{_tested(pair)}</tr>\n")
    a, b = map(heading, about.both)
    head = f'<th>Metric</th><th class="num">{a}</th><th class="num">{b}</th><th class="num">Δ</th>'
    head += '<th class="num">95 % interval of Δ</th><th class="num">p</th>'
    note = "p of approximate randomisation, corrected for how many systems are held against A"
    return _table("Metrics", head, rows, f"↑ higher is better, ↓ lower is better; {note}")


def _score(score: float, system: int, intervals: Sequence[Interval] | None) -> str:
    half = f" ± {intervals[system].half:.{DECIMALS}f}" if intervals else ""
    return f'<td class="num" title="{score!r}">{score:.{DECIMALS}f}{half}</td>'


def _tested(pair: Pair | None) -> str:
    if pair is None:
        return '<td class="num">–</td>' * 3
    tone = verdict(pair.delta, pair.metric.higher_is_better, DECIMALS)
    ends = " to ".join([signed(end, DECIMALS) for end in pair.interval or ()]) or "–"
    p = escape(probability(pair.p_corrected).removeprefix("p").removeprefix(" = ").strip())
    return (
        f'<td class="num {tone}" title="{pair.delta!r}">{signed(pair.delta, DECIMALS)}</td>'
        f'<td class="num">{ends}</td><td class="num">{p}</td>'
    )


def _system_table(about: About, found: Found) -> str:
    """A row for each system, where they are more than A and B: its scores by all metrics."""
    if len(about.names) < 3:
        return ""
    labels = "".join([f'<th class="num">{escape(metrics.METRICS[key].label)}</th>' for key in found.scores])
    rows = []
    for n, name in enumerate(about.names):
        tint = ' class="sel"' if n in (about.a, about.b) else ""
        cells = "".join([_score(scores[n], n, found.intervals.get(key)) for key, scores in found.scores.items()])
        rows.append(f"<tr{tint}><td>{heading(name)}</td>{cells}</tr>\n")
    note = "± half of the 95 % interval" if found.intervals else "one segment has no interval"
    return _table("All systems", f"<th>System</th>{labels}", rows, note)


def _table(title: str, head: str, rows: Sequence[str], note: str) -> str:
    return (
        f'<h2>{title}</h2>\n<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>\n'
        f'{"".join(rows)}</tbody></table></div>\n<p class="note">{note}</p>'
    )


# ---------------------------------------------------------------- segments


def _cases(about: About, found: Found, case: Callable[[int], Case]) -> Iterator[str]:
    """The segments that tell the most, as many as there is room for, each once."""
    by_segment: dict[int, list[Told]] = {}
    for pick in found.picks:
        by_segment.setdefault(pick.segment, []).append(pick)
    shown = list(by_segment.items())[:SEGMENTS_MOST]
    if not shown:
        return
    made, letters, bare = [], 0, 0
    for segment, told in shown:
        one = case(segment)
        picture = _picture(about, found, one) if letters < LETTERS_MOST else None
        if picture is not None and letters + len(picture) > LETTERS_MOST:
            picture = None
        letters += len(picture or "")
        bare += picture is None
        made.append(_case(about, found, one, told, picture))
    count = theme.count_text(len(shown), "segment")
    said = f"Here stand {count}, those that tell the most of why the scores differ, with the difference in each."
    said += f" A report holds {SEGMENTS_MOST} at the most, and {LETTERS_MOST // 1_000_000} MB of pictures."
    if left := len(by_segment) - len(shown):
        said += f" {left} more are left out."
    if bare:
        said += f" {bare} stand as texts alone, for want of room."
    yield f'<section class="bitext"><h2>Segments that tell the most</h2><p class="told">{said}</p></section>'
    yield from made


def _case(about: About, found: Found, one: Case, told: Sequence[Told], picture: str | None) -> str:
    """A segment: its number, what happened there, and its picture, or its texts where there is none."""
    document = f"<span>{theme.word(one.document, NAME_MOST)}</span>" if one.document else ""
    says = "".join([f'<p class="told"><b>{_why(about, found, each)}:</b> {_said(each)}</p>' for each in told])
    head = f'<div class="bitext"><h3>Segment {one.segment + 1}{document}</h3>{says}</div>'
    shown = picture or f'<div class="bitext">{_bare(about, one)}</div>'
    return f'<section class="case" id="segment-{one.segment + 1}">{head}{shown}</section>'


def _why(about: About, found: Found, told: Told) -> str:
    a, b = (theme.word(name, NAME_MOST) for name in _sides(about, found))
    return story.PICKED.get(told.of, "Clear case").format(a=a, b=b)


def _said(told: Told) -> str:
    return theme.safe(told.says, story.SAID_MOST)


def _picture(about: About, found: Found, one: Case) -> str | None:
    """The difference in a segment as the page draws it, None where it cannot be drawn."""
    if isinstance(one.texts, str):
        return None
    names, (a, b) = _sides(about, found), one.texts[::-1] if found.turned else one.texts
    try:
        return root(about.metric, comparison_report.difference_html(a, b, names, about.metric, one.settings))
    except ValueError:
        return None


def _bare(about: About, one: Case) -> str:
    lines = "".join(
        [
            f'<dt>{theme.word(name, NAME_MOST)}</dt><dd dir="auto">{theme.safe(text, TEXT_MOST)}</dd>'
            for name, text in zip(about.both, one.outputs, strict=True)
        ]
    )
    missing = f'<p class="note">{theme.safe(one.texts, SAID_MOST)}</p>' if isinstance(one.texts, str) else ""
    return f'{missing}<dl class="texts">{lines}</dl>'


def _signatures(found: Found) -> str:
    """What is needed to repeat every number."""
    lines = "".join([f'<p class="sig">{theme.safe(each, SAID_MOST)}</p>' for each in found.signatures])
    return f'<section class="bitext"><h2>Signatures</h2>\n{lines}</section>'
