"""A sheet of exercises for paper: one web page that needs no server, each exercise with its empty grid, room for
working and a code that a telephone reads, and the key on pages of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import segno

import metrics
from metrics import formula
from metrics.teach.exercises import Exercise
from metrics.types import Result, Tokens

from ..draw.evidence.fragment import STYLE, root
from ..draw.learn.exercise import numbers_text
from ..draw.pen import svg, theme
from ..draw.pen.layout import fit
from ..draw.pen.marks import ResultMarks
from ..draw.pen.picture import Picture, picture_on
from .sentence_page import PAGE, document

#: Pixels across: an empty grid on a page of A4 or Letter, and a solved one beside its formula.
WIDTH, SOLVED = 660, 330

#: Pixels: the largest cells of an empty grid, and the height that its cells have, so that a page holds two exercises.
LARGEST, HIGHEST = 28, 180

#: Letters of a link, of a title and of a sentence at the most.
LINK_MOST, TITLE_MOST, SENTENCE_MOST = 500, 120, 600

_STYLE = """
main { max-width: 800px; }
header .for { display: flex; gap: 24px; margin-top: 10px; opacity: 1; max-width: none; }
header .for span { flex: 1; border-bottom: 1px solid currentColor; padding-bottom: 2px; }
header .for span + span { flex: 0 0 25%; }
article { margin: 0 0 26px; }
article h2, .key h2 { font-size: 17px; font-weight: 600; margin: 0 0 2px; }
article p { margin: 0 0 6px; } article svg { max-width: 100%; height: auto; }
.said { display: grid; grid-template-columns: max-content 1fr; gap: 0 14px; margin: 4px 0 8px; }
.said dt { opacity: .75; } .said dd { margin: 0; }
.asked { display: flex; gap: 10px; align-items: baseline; margin-top: 6px; }
.asked i { flex: 0 0 130px; border-bottom: 1px solid currentColor; }
.desk { display: flex; flex-wrap: wrap; gap: 8px 12px; }
.working { flex: 1 1 160px; min-height: 90px; border: 1px dashed rgba(128,128,128,.6); border-radius: 4px; }
.working { padding: 2px 8px; font-size: 12px; color: color-mix(in srgb, currentColor 75%, transparent); }
.qr { float: right; margin: 0 0 6px 16px; } .qr svg { display: block; width: 24mm; height: 24mm; }
.asked span { margin-left: auto; font-size: 12px; opacity: .75; }
.link { font: 11px/1.3 ui-monospace, monospace; opacity: .75; overflow-wrap: anywhere; }
.key .worked { display: grid; grid-template-columns: 350px minmax(0, 1fr); gap: 20px; align-items: start; }
.key .formula { font-size: 15px; } .key .worked p { font-size: 14px; }
@media (max-width: 640px) { .key .worked { grid-template-columns: minmax(0, 1fr); } }
@page { margin: 12mm 14mm; } /* A4 or Letter */
@media print {
  :root { color-scheme: light; --ink: #1f1e1c; --paper: #ffffff; }
  body { font-size: 13.5px; } h1 { font-size: 20px; } article h2 { font-size: 15px; }
  main { padding: 0; max-width: none; } article { margin-bottom: 16px; }
  header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 24px; margin-bottom: 8px; }
  header { padding-bottom: 4px; } header .for { flex: 1 1 320px; margin: 0; }
  article p { margin-bottom: 3px; } .said { margin: 2px 0 4px; line-height: 1.3; } .drawing { margin: 0; }
  article { break-inside: avoid; }
  .key { break-before: page; }
}
"""


def sheet_html(exercises: Sequence[Exercise], links: Sequence[str] = (), title: str = "Exercises") -> str:
    """The sheet as one HTML document that loads nothing and runs nothing.

    `links` are the addresses of the exercises, one for each, or none. Every page of the key comes after every page of
    the exercises. ValueError for another number of links.
    """
    if links and len(links) != len(exercises):
        raise ValueError(f"a sheet needs a link for each exercise: {len(exercises)} exercises, {len(links)} links")
    name = theme.safe(title, TITLE_MOST)
    questions = [_exercise(n, e, links[n - 1] if links else "") for n, e in enumerate(exercises, 1)]
    solved = [_solved(n, e) for n, e in enumerate(exercises, 1)]
    head = f'<header><h1>{name}</h1><p class="for"><span>Name:</span><span>Date:</span></p></header>'
    key = f'<section class="key"><header><h1>Key</h1><p>{name}</p></header>{"".join(solved)}</section>'
    return document(name, PAGE + STYLE + _STYLE, [head, *questions, key])


def _exercise(number: int, exercise: Exercise, link: str) -> str:
    metric = metrics.METRICS[exercise.key]
    ask = "What is the rate" if not metric.higher_is_better else "What does the candidate score"
    return "".join(
        [
            f"<article>{_code(link)}<h2>{number}. {escape(metric.label)}</h2>",
            f"<p>{escape(metric.about.idea)}{_settings_text(exercise)}</p>",
            _sentences(exercise.segment.candidate, exercise.segment.references),
            f'<div class="desk">{_grid(exercise)}<div class="working">Working</div></div>',
            f'<p class="asked">{ask}?<i></i><span>{escape(exercise.code)}</span></p>',
            _link(link),
            "</article>",
        ]
    )


def _settings_text(exercise: Exercise) -> str:
    """The numbers behind the letters of the definition, and the settings that are not the defaults."""
    rules = type(exercise.settings).rules()
    setting_texts = [f"{rules[name].label}: {_value(value)}" for name, value in exercise.given.items()]
    numbers = numbers_text(exercise)
    return (f" Here {escape(numbers).replace(' = ', '&nbsp;=&nbsp;')}." if numbers else "") + (
        f" <b>{escape('; '.join(setting_texts))}.</b>" if setting_texts else ""
    )


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _sentences(candidate: Tokens, references: Sequence[Tokens]) -> str:
    names = ["Reference"] if len(references) == 1 else [f"Reference {k}" for k in range(1, len(references) + 1)]
    rows = [("Candidate", candidate), *zip(names, references, strict=True)]
    return f'<dl class="said">{"".join(f"<dt>{name}</dt><dd>{_words(words)}</dd>" for name, words in rows)}</dl>'


def _words(words: Iterable[str]) -> str:
    return f"<bdi>{theme.safe(' '.join(words), SENTENCE_MOST)}</bdi>"


def _grid(exercise: Exercise) -> str:
    """The grid without a mark, for the pencil."""
    candidate, references = exercise.segment
    size = fit(candidate, references, range(len(references)), WIDTH)
    cell = min(size.cell, LARGEST, HIGHEST // len(candidate))
    picture = picture_on(candidate, references, [], cell, size.columns, "An empty grid")
    return f'<div style="flex: 0 1 {picture.width:.0f}px">{_picture_html(exercise.key, picture)}</div>'


def _picture_html(key: str, picture: Picture) -> str:
    """A picture in the ink of its page."""
    return root(key, f'<div class="drawing">{svg.inline(picture)}</div>')


def _link(link: str) -> str:
    """The address as text, which can be followed where it is one of the web."""
    if not link:
        return ""
    text = theme.safe(link, LINK_MOST)
    if _is_of_web(link):
        text = f'<a href="{escape(link)}">{text}</a>'
    return f'<p class="link">{text}</p>'


def _is_of_web(link: str) -> bool:
    return link.startswith(("http://", "https://")) and len(link) <= LINK_MOST


def _code(link: str) -> str:
    """The address as a QR code, dark on light also in the dark, since that is what telephones read; nothing where it is
    no address of the web."""
    if not _is_of_web(link):
        return ""
    drawn = segno.make(link, micro=False, error="m")
    image = drawn.svg_inline(border=2, omitsize=True, dark="#000", light="#fff", svgclass="")
    return f'<div class="qr" role="img" aria-label="The address of this exercise">{image}</div>'


def _solved(number: int, exercise: Exercise) -> str:
    metric = metrics.METRICS[exercise.key]
    result = metric.score(exercise.segment, exercise.settings)
    worked = formula.mathml(metric.formula(result), formula.FormulaLook(room=36))
    remark = metric.remark(result) if metric.remark else ""
    remarks_html = "".join(
        f"<p>{escape(text)}</p>" for text in (exercise.optimal.says(), _counts(result), remark) if text
    )
    return "".join(
        [
            f"<article><h2>{number}. {escape(metric.label)} = {theme.score_text(result.score, 4)}</h2>",
            f'<div class="worked"><div>{_marked(result)}</div>',
            f'<div>{root(exercise.key, f"""<div class="formula">{worked}</div>""")}{remarks_html}</div>',
            "</div></article>",
        ]
    )


def _counts(result: Result) -> str:
    """Which references are drawn, where some have no marks."""
    drawn_numbers = sorted({cell.k + 1 for cell in result.cells()})
    if len(drawn_numbers) == len(result.segment.references):
        return ""
    if len(drawn_numbers) == 1:
        return f"Only reference {drawn_numbers[0]} has marks and is drawn."
    return f"Only references {' and '.join(map(str, drawn_numbers))} have marks and are drawn." if drawn_numbers else ""


def _marked(result: Result) -> str:
    """The grids of the references that have marks, or of the first where none has."""
    candidate, references = result.segment
    drawn_references = sorted({cell.k for cell in result.cells()}) or [0]
    size = fit(candidate, references, drawn_references, SOLVED)
    drawn = picture_on(
        candidate,
        references,
        ResultMarks.from_result(result).shapes(),
        min(size.cell, 18),
        size.columns,
        "The grid, solved",
        shown_references=drawn_references,
        headed=len(drawn_references) > 1,
    )
    return _picture_html(result.metric, drawn)
