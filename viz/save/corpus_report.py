"""Write a comparison of the systems of a corpus as one web page that needs no server.

It says which system is better and why, and how much each cause contributes. It draws the difference in the segments
that show it best, as the page does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from metrics.corpus.explanations.segments import SegmentStory
from metrics.corpus.explanations.significance import probability_text
from metrics.corpus.explanations.tables import DOUBT
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.pairs import SystemPair
from metrics.corpus.resampling import Interval
from metrics.types import Settings, signed_text

from ..draw.compare.scores import better_direction, verdict
from ..draw.corpus import axes, story
from ..draw.evidence.fragment import STYLE, root_element
from ..draw.pen.numbers import count_text
from ..draw.pen.text import bdi_word, safe
from ..draw.texts import ProcessedTexts
from . import comparison_report
from .corpus_findings import CorpusFindings
from .corpus_systems import DECIMALS
from .sentence_page import CASES, PAGE, SCRIPT, document, origin_html, signatures_html
from .systems_table import heading

#: The most segments of a report, and the most characters of HTML of all their pictures.
SEGMENTS_MOST, LETTERS_MOST = 12, 4_000_000
#: The most characters of a text, of a name, and of a sentence.
TEXT_MOST, NAME_MOST, SAID_MOST = 4_000, 80, 2_000

_STYLE = """
.story { display: block; font-size: 15px; } .story .verdict { font-size: 16px; margin: 0 0 10px; }
.story .across { font-size: 20px; font-weight: 600; margin: 0 0 6px; }
.story > p { margin: 8px 0; max-width: 62em; }
.case h3 span { font-weight: 400; opacity: .85; margin-inline-start: .6em; }
.case .texts { margin: 8px 0; }
.picks { padding-inline-start: 20px; } .picks a { color: inherit; }
@media (max-width: 640px) { .corpus_ledger .bars { width: 110px; } }
@media print { .told { break-after: avoid; } .corpus_ledger tr { break-inside: avoid; } }
"""


RULES = comparison_report.STYLE_OF_TABLES + story.RULES + axes.RULES + CASES + _STYLE


class CorpusCase(NamedTuple):
    """A segment as the report shows it.

    Attributes:
        segment: its index in the corpus.
        document: the name of its document, "" for none.
        texts: the processed texts of A and B, or a message on why they cannot be drawn.
        outputs: the outputs of A and B as they were given.
        settings: the settings of the metric."""

    segment: int
    document: str
    texts: tuple[ProcessedTexts, ProcessedTexts] | str
    outputs: tuple[str, str]
    settings: Settings


class CorpusReportInfo(NamedTuple):
    """The systems, the metric, the segments and the origin of a report.

    Attributes:
        names: the names of all systems.
        a, b: the indices of A and B in `names`.
        metric: the key of the metric.
        descriptions: sentences on which segments these are.
        date: when the report was made; "" if unknown.
        link: the address of the page; "" if unknown.
        doubts: the doubts about the files, as sentences by the system's name, "" for references and the source."""

    names: Sequence[str]
    a: int
    b: int
    metric: str
    descriptions: Sequence[str]
    date: str = ""
    link: str = ""
    doubts: Mapping[str, Sequence[str]] = MappingProxyType({})

    @property
    def system_pair(self) -> tuple[str, str]:
        """The names of A and B."""
        return self.names[self.a], self.names[self.b]


def page_html(about: CorpusReportInfo, findings: CorpusFindings, case: Callable[[int], CorpusCase]) -> str:
    """Return the report as one HTML document that loads nothing and highlights cells and words as the page does.

    `case` returns the segment with an index in the corpus."""
    metric = findings.records[about.metric]
    one, other = (safe(name, NAME_MOST) for name in about.system_pair)
    head = f"<header><h1><bdi>{one}</bdi> and <bdi>{other}</bdi></h1>{origin_html(about.date, about.link)}</header>"
    return document(
        f"{one} and {other}: {escape(metric.label)}",
        PAGE + STYLE + RULES,
        [
            root_element(about.metric, head + _summary_html(about, findings)),
            *_cases_html(about, findings, case),
            signatures_html(findings.signatures),
        ],
        SCRIPT,
    )


def output_html(about: CorpusReportInfo, findings: CorpusFindings, case: Callable[[int], CorpusCase]) -> str:
    """Return the report as HTML for the output of a notebook cell, with the segments folded.

    `case` returns the segment with an index in the corpus."""
    cases = "".join(_cases_html(about, findings, case))
    return (
        root_element(about.metric, _summary_html(about, findings))
        + (f"<details><summary>Segments that tell the most</summary>{cases}</details>" if cases else "")
        + signatures_html(findings.signatures)
    )


def _summary_html(about: CorpusReportInfo, findings: CorpusFindings) -> str:
    """Return, as HTML, what comes before the segments: descriptions, verdict, ledger, charts and tables."""
    descriptions = [f'<p class="told">{safe(each, SAID_MOST)}</p>' for each in about.descriptions]
    head = f"<h2>{escape(findings.records[about.metric].label)}</h2>"
    story_html = f'{head}<div class="story">{"".join(_story_html(about, findings))}</div>'
    charts = f'<div class="charts">{"".join(findings.charts)}</div>'
    return "\n".join(
        [*descriptions, story_html, charts, _metric_table(about, findings), _system_table(about, findings)]
    )


def _story_html(about: CorpusReportInfo, findings: CorpusFindings) -> Iterator[str]:
    """Yield, as HTML, the verdicts across all metrics and by one, its ledger, and why metrics disagree.

    The kinds of error are next to the ledger."""
    yield f'<p class="across">{safe(findings.across, SAID_MOST)}</p>'
    yield f'<p class="verdict">{safe(findings.verdict, SAID_MOST)}</p>'
    if isinstance(findings.ledger, CorpusLedger):
        ledger_html = story.ledger_html(
            findings.records[about.metric], _names_better_last(about, findings), findings.ledger
        )
        yield f'<div class="causes"><div>{ledger_html}</div>{findings.kinds}</div>'
    else:
        yield f"<p>{safe(findings.ledger, story.SAID_MOST)}</p>"
    if findings.winners:
        yield f"<p>{safe(findings.winners, story.SAID_MOST)}</p>"


def _names_better_last(about: CorpusReportInfo, findings: CorpusFindings) -> tuple[str, str]:
    """Return the names of A and B, the name of the better system last."""
    a, b = about.system_pair
    return (b, a) if findings.turned else (a, b)


# ---------------------------------------------------------------- tables


def _metric_table(about: CorpusReportInfo, findings: CorpusFindings) -> str:
    """Return an HTML table with a row for each metric: both scores, their difference, its interval and its p-value."""
    rows = []
    others = max((pair.others for pair in findings.pairs), default=1)
    for key, scores in findings.scores.items():
        pair = next((p for p in findings.pairs if p.metric.key == key and p.b == about.system_pair[1]), None)
        sign, says = better_direction(findings.records[key].higher_is_better)
        tint = ' class="sel"' if key == about.metric else ""
        cells = [_score_cell(scores[n], n, findings.intervals.get(key)) for n in (about.a, about.b)]
        label = f'{escape(findings.records[key].label)} <span title="{says}">{sign}</span>'
        rows.append(f"<tr{tint}><td>{label}</td>{''.join(cells)}{_test_cells(pair, others)}</tr>\n")
    a, b = (_marked_heading(about, name) for name in about.system_pair)
    head = f'<th>Metric</th><th class="num">{a}</th><th class="num">{b}</th><th class="num">Δ</th>'
    heads = ["95 % interval of Δ", *_p_names(others)]
    head += "".join([f'<th class="num">{name}</th>' for name in heads])
    note = "p of paired approximate randomisation, as sacreBLEU computes it"
    if others > 1:
        note += f"; p corrected (Holm) for the {others} systems that are compared with A"
    table = _titled_table("Metrics", head, rows, f"↑ higher is better, ↓ lower is better; {note}")
    return table + "".join(_doubts_html(about))


def _marked_heading(about: CorpusReportInfo, name: str) -> str:
    """Return a system's name as HTML, with a mark if there are doubts about its file."""
    return f"{heading(name)} {DOUBT}" if about.doubts.get(name) else heading(name)


def _doubts_html(about: CorpusReportInfo) -> Iterator[str]:
    """Yield the doubts about the files as HTML paragraphs; those about a system begin with the mark of its name."""
    for name, sentences in about.doubts.items():
        head = f"{DOUBT} {heading(name)}: " if name in about.names else ""
        yield from [f'<p class="note">{head}{safe(each, SAID_MOST)}</p>' for each in sentences]


def _score_cell(score: float, system: int, intervals: Sequence[Interval] | None) -> str:
    """Return the table cell of a system's score, followed by half of its interval if `intervals` are given.

    `system` is the index of the system in `intervals`."""
    half = f" ± {intervals[system].half:.{DECIMALS}f}" if intervals else ""
    return f'<td class="num" title="{score!r}">{score:.{DECIMALS}f}{half}</td>'


def _p_names(others: int) -> Sequence[str]:
    """Return the headings of the p values of a test of A against one of `others` systems."""
    return ("p", "p corrected") if others > 1 else ("p",)


def _test_cells(pair: SystemPair | None, others: int) -> str:
    """Return the table cells on the difference of two systems: its value, its interval, and its p values."""
    if pair is None:
        return '<td class="num">–</td>' * (2 + len(_p_names(others)))
    tone = verdict(pair.delta, pair.metric.higher_is_better, DECIMALS)
    ends = " to ".join([signed_text(end, DECIMALS) for end in pair.interval or ()]) or "–"
    p_values = (pair.p_randomisation, pair.p_corrected) if others > 1 else (pair.p_corrected,)
    texts = [ends, *[escape(probability_text(p).removeprefix("p").removeprefix(" = ").strip()) for p in p_values]]
    delta = f'<td class="num {tone}" title="{pair.delta!r}">{signed_text(pair.delta, DECIMALS)}</td>'
    return delta + "".join([f'<td class="num">{text}</td>' for text in texts])


def _system_table(about: CorpusReportInfo, findings: CorpusFindings) -> str:
    """Return an HTML table with the scores of each system by all metrics; "" if there are only A and B."""
    if len(about.names) < 3:
        return ""
    labels = "".join([f'<th class="num">{escape(findings.records[key].label)}</th>' for key in findings.scores])
    rows = []
    for n, name in enumerate(about.names):
        tint = ' class="sel"' if n in (about.a, about.b) else ""
        cells = "".join(
            [_score_cell(scores[n], n, findings.intervals.get(key)) for key, scores in findings.scores.items()]
        )
        rows.append(f"<tr{tint}><td>{_marked_heading(about, name)}</td>{cells}</tr>\n")
    note = "± half of the 95 % interval" if findings.intervals else "one segment has no interval"
    return _titled_table("All systems", f"<th>System</th>{labels}", rows, note)


def _titled_table(title: str, head: str, rows: Sequence[str], note: str) -> str:
    """Return an HTML table below its title, followed by a note."""
    return (
        f'<h2>{title}</h2>\n<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>\n'
        f'{"".join(rows)}</tbody></table></div>\n<p class="note">{note}</p>'
    )


# ---------------------------------------------------------------- segments


def _cases_html(about: CorpusReportInfo, findings: CorpusFindings, case: Callable[[int], CorpusCase]) -> Iterator[str]:
    """Yield, as HTML, an introduction and the segments that show the difference best, each segment once.

    `case` returns the segment with an index in the corpus. At most SEGMENTS_MOST segments are shown, and
    LETTERS_MOST characters of pictures."""
    by_segment: dict[int, list[SegmentStory]] = {}
    for pick in findings.picks:
        by_segment.setdefault(pick.segment, []).append(pick)
    chosen_segments = list(by_segment.items())[:SEGMENTS_MOST]
    if not chosen_segments:
        return
    case_parts, letters, bare = [], 0, 0
    for segment, segment_picks in chosen_segments:
        one = case(segment)
        picture = _difference_html(about, findings, one) if letters < LETTERS_MOST else None
        if picture is not None and letters + len(picture) > LETTERS_MOST:
            picture = None
        letters += len(picture or "")
        bare += picture is None
        case_parts.append(_case_html(about, findings, one, segment_picks, picture))
    count = count_text(len(chosen_segments), "segment")
    note = f"Below: {count}, chosen to explain why the scores differ, with the difference in each."
    note += f" A report holds at most {SEGMENTS_MOST} segments and {LETTERS_MOST // 1_000_000} MB of pictures."
    if remaining := len(by_segment) - len(chosen_segments):
        note += f" {remaining} more are left out."
    if bare:
        note += f" {bare} are shown without pictures, to save space."
    yield f'<section class="bitext"><h2>Segments that tell the most</h2><p class="told">{note}</p></section>'
    yield from case_parts


def _case_html(
    about: CorpusReportInfo,
    findings: CorpusFindings,
    one: CorpusCase,
    picks: Sequence[SegmentStory],
    picture: str | None,
) -> str:
    """Return a segment as HTML: its number, what happened there, and its picture.

    `picks` are the reasons why it was picked. If `picture` is None, its texts take the place of the picture."""
    document = f"<span>{bdi_word(one.document, NAME_MOST)}</span>" if one.document else ""
    says = "".join([_pick_html(about, findings, each) for each in picks])
    head = f'<div class="bitext"><h3>Segment {one.segment + 1}{document}</h3>{says}</div>'
    picture_html = picture or f'<div class="bitext">{_texts_html(about, one)}</div>'
    return f'<section class="case" id="segment-{one.segment + 1}">{head}{picture_html}</section>'


def _pick_html(about: CorpusReportInfo, findings: CorpusFindings, pick: SegmentStory) -> str:
    """Return, as HTML, why a segment was picked and what happened in it."""
    a, b = (bdi_word(name, NAME_MOST) for name in _names_better_last(about, findings))
    reason = story.PICKED.get(pick.of, "Clear case").format(a=a, b=b)
    return f'<p class="told"><b>{reason}:</b> {safe(pick.says, story.SAID_MOST)}</p>'


def _difference_html(about: CorpusReportInfo, findings: CorpusFindings, one: CorpusCase) -> str | None:
    """Return the HTML of the difference in a segment as the page draws it; None if it cannot be drawn."""
    if isinstance(one.texts, str):
        return None
    names, (a, b) = _names_better_last(about, findings), one.texts[::-1] if findings.turned else one.texts
    try:
        return root_element(about.metric, comparison_report.difference_html(a, b, names, about.metric, one.settings))
    except ValueError:
        return None


def _texts_html(about: CorpusReportInfo, one: CorpusCase) -> str:
    """Return, as HTML, why a segment has no picture, and its outputs."""
    lines = "".join(
        [
            f'<dt>{bdi_word(name, NAME_MOST)}</dt><dd dir="auto">{safe(text, TEXT_MOST)}</dd>'
            for name, text in zip(about.system_pair, one.outputs, strict=True)
        ]
    )
    missing = f'<p class="note">{safe(one.texts, SAID_MOST)}</p>' if isinstance(one.texts, str) else ""
    return f'{missing}<dl class="texts">{lines}</dl>'
