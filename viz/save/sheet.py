"""Write a sheet of exercises for paper, as one web page that needs no server.

Each exercise has its empty grid, space for working, and a QR code of its link. The solutions are on separate pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import metrics
from metrics import formula
from metrics.teach.exercises import Exercise
from metrics.types import Result, Tokens
from metrics.types.extras import extra_named_in_errors

from ..draw.evidence.fragment import STYLE, root_element
from ..draw.learn.exercise import numbers_text
from ..draw.pen import svg
from ..draw.pen.layout import fit_grids
from ..draw.pen.marks import ResultMarks
from ..draw.pen.numbers import score_text
from ..draw.pen.picture import Picture, lay_out_picture
from ..draw.pen.text import safe
from .sentence_page import PAGE, document

#: Widths in pixels: of an empty grid on a page of A4 or Letter, and of a solved grid next to its formula.
WIDTH, SOLVED_WIDTH = 660, 330

#: In pixels: the largest cells of an empty grid, and its greatest height, with which two exercises fit on a page.
LARGEST, HIGHEST = 28, 180

#: The most letters of a link, of a title and of a sentence.
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
    """Return the sheet as one HTML document that loads nothing and runs nothing.

    `links` are the addresses of the exercises, one for each, or empty. All solutions come after all exercises.
    Raises ValueError if the number of links is neither 0 nor that of the exercises."""
    if links and len(links) != len(exercises):
        raise ValueError(f"a sheet needs a link for each exercise: {len(exercises)} exercises, {len(links)} links")
    name = safe(title, TITLE_MOST)
    questions = [_exercise_html(n, e, links[n - 1] if links else "") for n, e in enumerate(exercises, 1)]
    solved = [_solution_html(n, e) for n, e in enumerate(exercises, 1)]
    head = f'<header><h1>{name}</h1><p class="for"><span>Name:</span><span>Date:</span></p></header>'
    key = f'<section class="key"><header><h1>Key</h1><p>{name}</p></header>{"".join(solved)}</section>'
    return document(name, PAGE + STYLE + _STYLE, [head, *questions, key])


def _exercise_html(number: int, exercise: Exercise, link: str) -> str:
    """Return an exercise as HTML: the metric's definition, the sentences, an empty grid, and the question."""
    metric = metrics.METRICS[exercise.key]
    ask = "What is the rate" if not metric.higher_is_better else "What does the candidate score"
    return "".join(
        [
            f"<article>{_qr_code(link)}<h2>{number}. {escape(metric.label)}</h2>",
            f"<p>{escape(metric.about.idea)}{_settings_text(exercise)}</p>",
            _sentences_html(exercise.segment.candidate, exercise.segment.references),
            f'<div class="desk">{_empty_grid(exercise)}<div class="working">Working</div></div>',
            f'<p class="asked">{ask}?<i></i><span>{escape(exercise.code)}</span></p>',
            _link_html(link),
            "</article>",
        ]
    )


def _settings_text(exercise: Exercise) -> str:
    """Return, as HTML, the numbers that the definition's letters stand for, and the settings that are not defaults."""
    rules = type(exercise.settings).rules()
    setting_texts = [f"{rules[name].label}: {_setting_value_text(value)}" for name, value in exercise.given.items()]
    numbers = numbers_text(exercise)
    return (f" Here {escape(numbers).replace(' = ', '&nbsp;=&nbsp;')}." if numbers else "") + (
        f" <b>{escape('; '.join(setting_texts))}.</b>" if setting_texts else ""
    )


def _setting_value_text(value: object) -> str:
    """Return the value of a setting as text."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _sentences_html(candidate: Tokens, references: Sequence[Tokens]) -> str:
    """Return the candidate and the references as a list in HTML."""
    names = ["Reference"] if len(references) == 1 else [f"Reference {k}" for k in range(1, len(references) + 1)]
    rows = [("Candidate", candidate), *zip(names, references, strict=True)]
    return f'<dl class="said">{"".join(f"<dt>{name}</dt><dd>{_words_html(words)}</dd>" for name, words in rows)}</dl>'


def _words_html(words: Iterable[str]) -> str:
    """Return the words of a sentence as HTML, isolated from the direction of the text around them."""
    return f"<bdi>{safe(' '.join(words), SENTENCE_MOST)}</bdi>"


def _empty_grid(exercise: Exercise) -> str:
    """Return, as HTML, the grid of an exercise without a mark, to be filled in by pencil."""
    candidate, references = exercise.segment
    size = fit_grids(candidate, references, range(len(references)), WIDTH)
    cell = min(size.cell, LARGEST, HIGHEST // len(candidate))
    picture = lay_out_picture(candidate, references, [], cell, size.columns, "An empty grid")
    return f'<div style="flex: 0 1 {picture.width:.0f}px">{_picture_html(exercise.key, picture)}</div>'


def _picture_html(key: str, picture: Picture) -> str:
    """Return a picture of the metric `key` as HTML, in the text colour of the page."""
    return root_element(key, f'<div class="drawing">{svg.svg_in_page(picture)}</div>')


def _link_html(link: str) -> str:
    """Return the address of an exercise as HTML, as a link if it is a web address; "" if `link` is empty."""
    if not link:
        return ""
    text = safe(link, LINK_MOST)
    if _is_web_address(link):
        text = f'<a href="{escape(link)}">{text}</a>'
    return f'<p class="link">{text}</p>'


def _is_web_address(link: str) -> bool:
    """Return whether `link` is an address of the web with at most LINK_MOST characters."""
    return link.startswith(("http://", "https://")) and len(link) <= LINK_MOST


def _qr_code(link: str) -> str:
    """Return the address as a QR code in HTML; "" if it is not a web address.

    It is dark on light in dark themes too, because that is what telephones read."""
    if not _is_web_address(link):
        return ""
    with extra_named_in_errors():
        import segno
    drawn = segno.make(link, micro=False, error="m")
    image = drawn.svg_inline(border=2, omitsize=True, dark="#000", light="#fff", svgclass="")
    return f'<div class="qr" role="img" aria-label="The address of this exercise">{image}</div>'


def _solution_html(number: int, exercise: Exercise) -> str:
    """Return, as HTML, the score of an exercise, its solved grid, its formula with numbers, and remarks."""
    metric = metrics.METRICS[exercise.key]
    result = metric.score(exercise.segment, exercise.settings)
    worked = formula.mathml(metric.formula(result), formula.TypesettingOptions(room=36))
    remark = metric.remark(result) if metric.remark else ""
    remarks_html = "".join(
        f"<p>{escape(text)}</p>" for text in (exercise.optimal.says(), _drawn_references_text(result), remark) if text
    )
    return "".join(
        [
            f"<article><h2>{number}. {escape(metric.label)} = {score_text(result.score, 4)}</h2>",
            f'<div class="worked"><div>{_solved_grids(result)}</div>',
            f'<div>{root_element(exercise.key, f"""<div class="formula">{worked}</div>""")}{remarks_html}</div>',
            "</div></article>",
        ]
    )


def _drawn_references_text(result: Result) -> str:
    """Return a sentence on which references are drawn if only some have marks, else ""."""
    drawn_numbers = sorted({cell.k + 1 for cell in result.cells()})
    if len(drawn_numbers) == len(result.segment.references):
        return ""
    if len(drawn_numbers) == 1:
        return f"Only reference {drawn_numbers[0]} has marks and is drawn."
    return f"Only references {' and '.join(map(str, drawn_numbers))} have marks and are drawn." if drawn_numbers else ""


def _solved_grids(result: Result) -> str:
    """Return, as HTML, the grids of the references that have marks, or the first grid if none has."""
    candidate, references = result.segment
    drawn_references = sorted({cell.k for cell in result.cells()}) or [0]
    size = fit_grids(candidate, references, drawn_references, SOLVED_WIDTH)
    drawn = lay_out_picture(
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
