"""Draw a screen of a chapter as one piece of HTML: the picture at the left, texts and questions at the right.

It is inert markup, as every fragment is. A question contains its answers (`data-answer`, `data-number`), so that
`script/lesson.js` judges and reveals without a server, on the page and in a saved file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple

import metrics
from metrics import formula
from metrics.teach.records import Question
from metrics.types import join_words

from ..evidence import fragment, ledger, terms_table, words
from ..evidence.drawn_result import DrawnResult
from ..evidence.figure import drawing_html, picture_of
from ..evidence.inspector import LETTERS, score_line
from ..pen.numbers import change_text, score_text
from ..pen.stylesheets import read_sheets
from ..pen.text import safe
from . import moving
from .chapter import Chapter, ChapterExample, Screen, ScreenQuestion

#: The style sheets of screens on the page and in a file, and those for a lecture hall.
_STYLES = Path(__file__).parent / "styles"
_LESSON = read_sheets(
    _STYLES,
    "course",
    "typed",
    "screen",
    "tiles",
    "sizes",
    "moving",
    "questions",
    "layout",
    "steps",
    "chapters",
    "exercise",
)
STYLE = _LESSON + read_sheets(_STYLES, "hall")

#: Makes the result of an example as it is drawn, in a width in pixels.
Draws = Callable[[ChapterExample, int | None], DrawnResult]
TWO = 560  # least width in pixels for two pictures side by side
#: Heights of a grid in pixels before it grows with its window: alone, next to numbers, below a sentence that can be
#: changed, and next to another grid.
HIGH, WITH_NUMBERS, LOW, HALF_HIGH = 380, 320, 280, 250
LONG = 700  # a text with more characters of HTML leaves no room for numbers below it
#: How many lines of words fit above a grid; the pixels of each further line, of a letter, of the space around a word,
#: and of the names of the lines.
LINES, LINE, LETTER, AROUND, NAMES = 3, 33, 7.4, 17, 104
#: Pixels that the formula needs next to the picture, the same without line breaks, and those of one of its letters; the
#: gap to the picture, and the height to which the picture may shrink to make room.
BESIDE, ROOMY, LETTER_ASIDE, GAP, LEAST_HIGH = 246, 330, 9, 24, 240
#: The least size in pixels of cells below words that are moved, as in script/fitting.js.
MOVED_CELL = 28
#: In a lecture hall: the height of a picture in pixels, small so that its words are large in relation to its cells, and
#: how much wider the place is that it then fills.
HALL_HIGH, HALL_BROADER = 240, 1.6
LINES_OPEN = 5  # the parts of a score are folded if there are more than this
How = Literal["right", "also", "no"]

#: The button that opens the player on the screen of the algorithm.
GO = '<section class="part go"><button type="button" class="to-steps">Step through it</button></section>'


class LessonVerdict(NamedTuple):
    """The response to an answer to a question.

    Attributes:
        how: "right", "also" (another right answer) or "no".
        because: the response as HTML.
        answer: the chosen answer to which this responds, or "".
        number: the numeric answer, or None; a verdict with neither is for all other answers.
        tolerance: how far a rounded number may be off."""

    how: How
    because: str
    answer: str = ""
    number: float | None = None
    tolerance: float = 0.0


class SearchState(NamedTuple):
    """The state of the reader's task to find a sentence: a message, whether it is found, and whether one was tried."""

    says: str
    succeeded: bool
    has_begun: bool = True

    @property
    def how(self) -> str:
        return "right" if self.succeeded else "no" if self.has_begun else ""


def screen_html(
    screen: Screen,
    draws: Draws,
    room: int | None,
    reader_example: ChapterExample | None = None,
    twin: ChapterExample | str | None = None,
    hall: bool = False,
    movable: bool = True,
) -> str:
    """Return a screen of a chapter as HTML, `room` pixels wide.

    Args:
        reader_example: the reader's sentence in place of the example's; the text does not fit it, and only steps
            ask about it.
        twin: the reader's sentence that shall score like the first of the pair, or why it cannot be scored.
        hall: whether the screen is for a lecture hall, with larger words and separate numbers.
        movable: whether the candidate's words are tiles on a screen of the kind "idea"."""
    if screen.pair:
        return _twin_screen(screen, screen.pair, twin or screen.pair[0], draws, room)
    if screen.other and screen.example:
        return _two_screen(screen, (screen.example, screen.other), draws, room)
    example = reader_example or screen.example
    assert example
    drawn = draws(example, room)
    changed, live = screen.kind in ("idea", "algorithm"), screen.kind in ("idea", "paper")
    drawn = _limit_height(drawn, LOW if changed else WITH_NUMBERS if live else HIGH)
    further = GO if screen.kind == "algorithm" else ""
    tiles = moving.movable_words_html(drawn) if screen.kind == "idea" and movable else ""
    if reader_example and screen.example:
        text, steps = _chapter_text(screen.text, screen.example, reader_example), screen.kind == "algorithm"
        visible_result = _matches_only(drawn) if steps else drawn  # the steps ask about what was used
        return _screen(screen.title, visible_result, text, "", "", room, not steps, True, further, hall, tiles=tiles)
    ask = ask_html(screen.ask) if screen.ask else ""
    revealed = _printed_html(screen) + screen.reveal
    return _screen(screen.title, drawn, screen.text, ask, revealed, room, live, False, further, hall, tiles=tiles)


def _chapter_text(text: str, example: ChapterExample, reader_example: ChapterExample) -> str:
    """Return a text about the chapter's example, folded, for a screen that shows the reader's sentence instead."""
    by = f", by {metrics.METRICS[example.metric].label}" if reader_example.metric != example.metric else ""
    return f"<details open><summary>What the chapter says about its own sentence{by}</summary>{text}</details>"


def asked_screen(title: str, drawn: DrawnResult, text: str, ask: str, revealed: str, room: int | None) -> str:
    """Return a screen with the question `ask` about a result; after the answer it shows `revealed` and the numbers."""
    return _screen(title, _fit_height(drawn, room), text, ask, revealed, room, opened=True, look="lesson exercise")


def hall_drawing(draws: Draws) -> Draws:
    """Return a version of `draws` with small pictures; in a lecture hall they are enlarged, words included."""

    def draw_small(example: ChapterExample, width: int | None) -> DrawnResult:
        return _limit_height(draws(example, int(width / HALL_BROADER) if width else width), HALL_HIGH)

    return draw_small


def _limit_height(drawn: DrawnResult, high: int) -> DrawnResult:
    """Return a result whose picture is at most `high` pixels high."""
    return replace(drawn, high=high if drawn.high is None else min(drawn.high, high))


def notice_screen(title: str, says: str) -> str:
    """Return a screen that has one sentence and nothing else."""
    return fragment.root_element(
        "", f'<h2>{escape(title)}</h2><section class="part text"><p>{_safe(says)}</p></section>', "lesson none"
    )


def _screen(
    title: str,
    drawn: DrawnResult,
    text: str,
    ask: str,
    revealed: str,
    room: int | None,
    with_numbers: bool = True,
    by_reader: bool = False,
    further: str = "",
    opened: bool = False,
    look: str = "lesson",
    tiles: str = "",
) -> str:
    """Return the parts of a screen, as HTML, in their places.

    The formula and terms are next to the picture where they fit, or else below the text with the formula
    folded. Where `opened`, they are always below the text and unfolded."""
    least_cell = MOVED_CELL if tiles else 0
    aside = _free_width(drawn, room, least_cell) if with_numbers and not opened else 0.0
    if BESIDE <= aside < ROOMY:
        drawn = _limit_height(drawn, LEAST_HIGH)
        aside = _free_width(drawn, room, least_cell)
    numbers_beside = aside >= (ROOMY if tiles else BESIDE)
    live = _numbers(drawn, int(aside / LETTER_ASIDE) if numbers_beside else LETTERS) if with_numbers else ""
    left_html = _result_html(drawn, "after", live if numbers_beside else "", tiles=tiles)
    if ask:
        left_html = _result_html(_matches_only(drawn), "before") + left_html
    right = _part("text", text) if text else ""
    right += ask
    right += _part("reveal", revealed) if revealed else ""
    right += further
    if live and not numbers_beside:
        shut = live if opened else _folded(drawn, live)
        if len(text) > LONG and not opened:  # there is only room below the picture
            left_html += f'<div class="after under">{shut}</div>'
        else:
            right += _part("live", shut)
    look += ("" if ask else " told") + (" own" if by_reader else "")
    return fragment.root_element(drawn.result.metric, f"<h2>{escape(title)}</h2>{_frame(left_html, right)}", look)


def _matches_only(drawn: DrawnResult) -> DrawnResult:
    """Return a result as it is before the answer: only with matching words."""
    return replace(drawn, result=replace(drawn.result, layers=(), decides={}), ties=None, picture="grid")


def _fit_height(drawn: DrawnResult, room: int | None, typed: bool = False) -> DrawnResult:
    """Return a result whose grid is lower the more lines its words take; a `typed` candidate is no line of words."""
    if room is None or drawn.high is None:
        return drawn
    words = [*([] if typed else [drawn.texts.candidate_words]), *drawn.texts.reference_words]
    side_widths = [sum([LETTER * len(word) + AROUND for word in side]) for side in words]
    lines = sum([math.ceil(each / max(room - NAMES, NAMES)) for each in side_widths])
    return replace(drawn, high=drawn.high - LINE * max(0, lines - LINES))


def _frame(left_html: str, right: str) -> str:
    return f'<div class="frame"><div class="figure">{left_html}</div><div class="inspector">{right}</div></div>'


def _part(name: str, inner: str) -> str:
    return f'<section class="part {name}">{inner}</section>'


def _result_html(drawn: DrawnResult, when: str, numbers_html: str = "", candidate: bool = True, tiles: str = "") -> str:
    """Return words and picture of a result, with numbers next to the picture.

    `when` is "before" the answer, where nothing shows what the metric used, "after" it, or "both". Without
    `candidate` its line is omitted; `tiles` are its words as tiles."""
    picture_html = _picture(drawn, when)
    row = (
        f'<div class="beside"><div>{picture_html}</div><div class="numbers">{numbers_html}</div></div>'
        if numbers_html
        else picture_html
    )
    return f'<div class="{when}">{tiles}{words.word_lines_html(drawn, candidate and not tiles)}{row}</div>'


def _picture(drawn: DrawnResult, when: str) -> str:
    """Return the picture of a result, or why there is none, as HTML."""
    reveals_use = when == "after" and bool(drawn.result.layers)
    used = f", and those that {metrics.METRICS[drawn.result.metric].label} uses" if reveals_use else ""
    try:
        pictured = replace(picture_of(drawn), title=f"Matching words{used}")
        if not reveals_use and when != "both":  # nothing is used yet, so tooltips must not say why not
            pictured = replace(pictured, groups=[group._replace(says="match") for group in pictured.groups])
        return drawing_html(pictured, drawn.picture, reveals_use)
    except ValueError as problem:
        return f'<p class="note">{escape(str(problem))}.</p>'


def _free_width(drawn: DrawnResult, room: int | None, least_cell: int = 0) -> float:
    """Return how many pixels are free next to a picture, whose cells the browser enlarges to `least_cell` pixels."""
    if room is None:
        return 0.0
    try:
        picture = picture_of(drawn)
    except ValueError:
        return -math.inf
    enlarged = max(1, least_cell / picture.cell) if drawn.picture == "grid" else 1
    return room - picture.width * enlarged - GAP


def _numbers(drawn: DrawnResult, letters: int = LETTERS) -> str:
    """Return the score, its formula in lines of at most `letters` letters, and its terms, folded."""
    terms = f'<details class="credits"><summary>Terms of the score</summary>{terms_table.html(drawn)}</details>'
    return _formula(drawn, letters) + terms


def _formula(drawn: DrawnResult, letters: int = LETTERS) -> str:
    """Return the score and its formula in lines of at most `letters` letters."""
    typeset = formula.mathml(
        ledger.formula_steps_of(drawn.result), formula.TypesettingOptions(room=min(letters, LETTERS))
    )
    return f'{score_line(drawn)}<div class="formula">{typeset}</div>'


def _folded(drawn: DrawnResult, live: str) -> str:
    """Return the score with the rest of `live` (score, formula and terms as HTML) folded."""
    score = score_line(drawn)
    inner = f"<summary>How it is computed</summary>{live.removeprefix(score)}"
    return f'{score}<details class="computed">{inner}</details>'


def _printed_html(screen: Screen) -> str:
    """Return the number that a paper prints and the one computed here, as HTML; "" for none."""
    if not screen.printed:
        return ""
    where = f" ({escape(screen.where)})" if screen.where else ""
    wrong = f'<p class="erratum"><b>Erratum</b> {screen.erratum}</p>' if screen.erratum else ""
    return (
        f'<dl class="printed"><div><dt>The paper prints{where}</dt><dd>{escape(screen.printed)}</dd></div>'
        f"<div><dt>Here</dt><dd>{escape(screen.ours)}</dd></div></dl>{wrong}"
    )


# ---------------------------------------------------------------- what is asked


def ask_html(ask: ScreenQuestion) -> str:
    """Return a question of a chapter as HTML."""
    if not ask.choices:
        verdicts = [
            LessonVerdict("right", ask.because or "That is the number.", number=ask.right, tolerance=ask.tolerance),
            LessonVerdict("no", "That is not the number."),
        ]
        return quiz_html(ask.text, verdicts, formula.format_number(ask.right))
    right, wrong = int(ask.right), ask.wrong or ("",) * len(ask.choices)
    verdicts = [
        LessonVerdict("right", ask.because, str(n))
        if n == right
        else LessonVerdict("no", wrong[n] or "Look again.", str(n))
        for n in range(len(ask.choices))
    ]
    return quiz_html(ask.text, verdicts, str(right), ask.choices)


def question_html(question: Question, parts: Sequence[Question] = (), single_try: bool = False) -> str:
    """Return a question of an exercise as HTML, with fields for `parts`, from which the number is computed.

    With `single_try` it can be answered once."""
    choices = [_safe(c) for c in question.choices]
    return quiz_html(
        f"<p>{_safe(question.text)}</p>",
        _question_verdicts(question),
        question.shows,
        choices,
        question_parts_html(parts),
        single_try,
    )


def _question_verdicts(question: Question) -> list[LessonVerdict]:
    """Return the responses to all answers to a question of an exercise; the last one is for any other answer."""
    verdicts = [LessonVerdict(v.how, _safe(v.because), answer) for answer, v in question.verdicts.items()]
    verdicts += [
        LessonVerdict(v.verdict.how, _safe(v.verdict.because), "", v.number, v.tolerance) for v in question.values
    ]
    return [*verdicts, LessonVerdict(question.otherwise.how, _safe(question.otherwise.because))]


def _safe(text: str) -> str:
    return safe(text, 2_000)


def quiz_html(
    text: str,
    verdicts: Sequence[LessonVerdict],
    shows: str,
    choices: Sequence[str] = (),
    work: str = "",
    single_try: bool = False,
) -> str:
    """Return a question with its choices or a place for a number, and the responses to the answers, as HTML.

    `shows` is the solution, `work` is HTML above the answer, and with `single_try` there is no second answer."""
    answers = "".join(f'<button type="button" data-answer="{n}">{c}</button>' for n, c in enumerate(choices))
    kind = "choice" if choices else "number"
    once = " data-once=1" if single_try else ""
    return (
        f'<section class="part quiz" data-kind="{kind}" data-shows="{escape(shows)}"{once}>'
        f'{text}{work}<div class="answers">{answers}</div><div class="said" role="status"></div>'
        f'<p class="show"><button type="button" class="show-me">Show me</button></p>'
        f"{_verdicts_html(verdicts, 'whole')}</section>"
    )


def _verdicts_html(verdicts: Sequence[LessonVerdict], of: str) -> str:
    """Return the responses as hidden HTML for the script that judges; `of` is "whole" or "part" of a question."""
    each = "".join(
        f'<div data-how="{one.how}"'
        + (f' data-for="{escape(one.answer)}"' if one.answer else "")
        + (f' data-number="{one.number!r}" data-within="{one.tolerance!r}"' if one.number is not None else "")
        + f">{one.because}</div>"
        for one in verdicts
    )
    return f'<div class="verdicts {of}" hidden>{each}</div>'


def question_parts_html(parts: Sequence[Question]) -> str:
    """Return a line for each part of a score, to which the script adds a number field; "" without parts."""
    lines = "".join(
        f'<li class="line" data-shows="{escape(part.shows)}"><span class="asks">{safe(part.text, 200)}</span>'
        f"{_verdicts_html(_question_verdicts(part), 'part')}</li>"
        for part in parts
    )
    if not lines:
        return ""
    head = "<summary>Your work, part by part: judged as you type</summary>"
    open_ = " open" if len(parts) <= LINES_OPEN else ""  # more parts would leave no room for the answer
    return f'<details class="work"{open_}>{head}<ol>{lines}</ol><p class="first-wrong" role="status"></p></details>'


# ---------------------------------------------------------------- what a metric cannot see


def check_same_score(first: ChapterExample, second: ChapterExample, also: Sequence[str] = ()) -> SearchState:
    """Return whether `second` solves the task: other words than `first`, the same score, and no reference.

    The scores have to be equal by the metric of the examples and by those in `also`."""
    ours, theirs = (example.texts.segment for example in (first, second))
    label = metrics.METRICS[first.metric].label
    a, b = first.result.score, second.result.score
    if ours.candidate == theirs.candidate:
        return SearchState("Both candidates have the same words. The second one must differ.", False, False)
    pairs = [(label, a, b)]
    for key in also:
        scores = [metrics.score(key, *segment).score for segment in (ours, theirs)]
        pairs.append((metrics.METRICS[key].label, scores[0], scores[1]))
    for name, one, other in pairs:
        if abs(one - other) > 1e-9:
            scores_text = f"{score_text(one)} and {score_text(other)}, {change_text(other - one)}"
            return SearchState(f"{name} tells them apart: {scores_text}.", False)
    if theirs.candidate in theirs.references:
        return SearchState("That is a reference, word for word: nothing in it is wrong. Find another sentence.", False)
    if also:
        return SearchState(f"{join_words([name for name, *_ in pairs])} cannot tell them apart.", True)
    return SearchState(f"{label} gives both {score_text(a)}: it cannot tell them apart.", True)


def check_reader_sentence(screen: Screen, first: ChapterExample, twin: ChapterExample) -> SearchState:
    """Return whether the reader's sentence `twin` scores like `first` and is known to mean something else.

    A sentence that is not in the screen's list does not count, because its meaning is unknown."""
    result = check_same_score(first, twin, screen.also)
    if not result.succeeded:
        return result
    other_meaning = screen.others.get(meaning_key(twin.texts.segment.candidate))
    if other_meaning is None:
        return SearchState(
            f"{result.says} But the meaning of your sentence is not known here, so it does not count.", False
        )
    return SearchState(f"{result.says} {other_meaning or 'Could you?'}", True)


def meaning_key(candidate: Sequence[str]) -> tuple[str, ...]:
    """Return the key of a sentence of known meaning: its words in lower case, without final punctuation."""
    return tuple([word.casefold() for word in candidate if word not in ".!?"])


def describe_checks(screen: Screen) -> str:
    """Return a sentence on what is checked of the reader's sentence, and what is not."""
    many = len(screen.others)
    known_part = "one sentence is known to say" if many == 1 else f"{many} sentences are known to say"
    return (
        f"The score and the meaning are checked: {known_part} something else. "
        "Another one may be as good, but does not count here."
    )


def _twin_screen(
    screen: Screen,
    pair: tuple[ChapterExample, ChapterExample],
    twin: ChapterExample | str,
    draws: Draws,
    room: int | None,
) -> str:
    """Return the screen on which the reader makes a second candidate: both candidates, and whether their scores differ.

    `pair` are the chapter's example and its own second candidate. `twin` is the reader's candidate, or a message if it
    cannot be scored. `room` is the width of the page in pixels."""
    first, half = pair[0], half_width(room)
    sides = [_side_html("The first candidate", draws(first, half), ("both",))]
    if isinstance(twin, ChapterExample):
        sides.append(_side_html("The second candidate", draws(twin, half), ("both",)))
        result = check_reader_sentence(screen, first, twin)
    else:
        result = SearchState(twin, False)
    hints = "".join(
        f"<details><summary>Hint {n}</summary><p>{hint}</p></details>" for n, hint in enumerate(screen.hints, 1)
    )
    judged = f'<p class="note">{describe_checks(screen)}</p>'
    parts = [_part("text", screen.text)]
    if screen.ask:
        parts.append(ask_html(screen.ask))
    parts.append(_hunt_html(result, hints=judged + hints))
    parts.append(_part("reveal", screen.reveal))
    look = "lesson blind" + (" told" if result.succeeded else "")
    return _sides_html(look, screen.title, sides, "".join(parts), first.metric)


def _two_screen(screen: Screen, pair: tuple[ChapterExample, ChapterExample], draws: Draws, room: int | None) -> str:
    """Return the screen with two candidates side by side; scores and used cells are shown after the answer."""
    when = ("before", "after") if screen.ask else ("after",)
    sides = [
        _side_html(name, replace(draws(example, half_width(room)), high=HALF_HIGH), when)
        for name, example in zip(("The first candidate", "The second candidate"), pair, strict=True)
    ]
    text_html = _part("text", screen.text) + (ask_html(screen.ask) if screen.ask else "")
    text_html += _part("reveal", _printed_html(screen) + screen.reveal) if screen.reveal or screen.printed else ""
    return _sides_html("lesson" + ("" if screen.ask else " told"), screen.title, sides, text_html, pair[0].metric)


def _side_html(name: str, drawn: DrawnResult, when: Sequence[str]) -> str:
    """Return one of several results side by side: its name, its score, and words and picture for each of `when`.

    The score is shown after the answer, or always if `when` is "both"."""
    drawn = _limit_height(drawn, HALF_HIGH)
    look = "" if "both" in when else ' class="after"'
    states = "".join([_result_html(_matches_only(drawn) if each == "before" else drawn, each) for each in when])
    head = f"<h3>{escape(name)} <b{look}>{score_text(drawn.result.score)}</b></h3>"
    return fragment.root_element(drawn.result.metric, f"{head}{states}", "side")


def _sides_html(look: str, title: str, sides: Sequence[str], right: str, metric: str = "") -> str:
    """Return a screen with several results side by side, and the HTML `right` beside them; `look` are its classes."""
    frame = _frame(f'<div class="sides">{"".join(sides)}</div>', right)
    of = f' data-metric="{escape(metric)}"' if metric else ""
    return f'<div class="{look}"{of}><h2>{escape(title)}</h2>{frame}</div>'


# ---------------------------------------------------------------- the list


def faults_html(says: Sequence[str]) -> str:
    """Return the faults of a chapter's file as an HTML list."""
    return f'<ul class="faults">{"".join([f"<li>{_safe(each)}</li>" for each in says])}</ul>'


def chapter_cards(chapters: Sequence[Chapter]) -> list[dict[str, object]]:
    """Return the data that the browser's list of chapters needs, one record for each chapter, in their order."""
    titles = {chapter.key: chapter.title for chapter in chapters}
    return [
        {
            "key": chapter.storage_name,
            "title": chapter.title,
            "needs": [titles[key] for key in chapter.needs if key in titles],
            "question": chapter.screens[0].title,
            "metrics": ", ".join(metrics.METRICS[key].label for key in chapter.metrics),
            "minutes": chapter.minutes,
            "paper": chapter.paper,
            "numbers": chapter.numbers_of_kinds,
            "own": bool(chapter.version),
        }
        for chapter in chapters
    ]


# ---------------------------------------------------------------- two candidates, and a sentence to be made


def half_width(room: int | None) -> int | None:
    """Return the width in pixels of each of two pictures, which are side by side where there is room."""
    return None if room is None else room if room < TWO else (room - 24) // 2


def paired_screen(title: str, sides: Sequence[tuple[str, DrawnResult]], text: str, ask: str, broad: bool) -> str:
    """Return a screen that asks about several results; their marks and scores are shown after the answer.

    `sides` are pairs of name and result. Where `broad`, the question is below the pictures."""
    references = sides[0][1].texts.references
    names = [f"Reference {k + 1}" if len(references) > 1 else "Reference" for k in range(len(references))]
    references_html = "".join(
        f"<p>{name}: <i><bdi>{_safe(' '.join(words))}</bdi></i></p>"
        for name, words in zip(names, sides[0][1].texts.reference_words, strict=True)
    )
    look = "lesson exercise paired" + (" broad" if broad else "") + (" several" if len(references) > 1 else "")
    pictures = [_side_html(name, drawn, ("before", "after")) for name, drawn in sides]
    return _sides_html(look, title, pictures, _part("text", references_html + text) + ask)


def typed_sentence_screen(
    title: str, drawn: DrawnResult, text: str, hunt: SearchState, room: int | None, hall: bool
) -> str:
    """Return a screen on which the reader types a sentence that shall have a given score.

    `hunt` says whether it has it. In a lecture `hall` nothing is next to the picture."""
    drawn = _fit_height(drawn, room, True)
    numbers_beside = _free_width(drawn, room) >= ROOMY and not hall
    live = _numbers(drawn)
    shut = _folded(drawn, live) if hall else ""
    text_html = f"{_part('text', text)}{_hunt_html(hunt, shut)}{'' if numbers_beside or hall else _part('live', live)}"
    look = "lesson exercise blind own made" + (" told" if hunt.succeeded else "")
    head = f"<h2>{escape(title)}</h2>"
    return fragment.root_element(
        drawn.result.metric,
        f"{head}{_frame(_result_html(drawn, 'both', live if numbers_beside else '', False), text_html)}",
        look,
    )


def tiles_screen(title: str, board: str, each: DrawnResult, shows: DrawnResult, text: str, hunt: SearchState) -> str:
    """Return a screen on which a sentence is made from tiles; `board` is the HTML of the tiles.

    `each` has all words of the tiles as its candidate; only its matches are drawn. `shows` is the solution, with
    numbers."""
    states = [(_matches_only(each), "before"), (shows, "after")]
    lines, pictures = (
        "".join([f'<div class="{when}">{of(drawn, when)}</div>' for drawn, when in states])
        for of in (lambda drawn, _: words.word_lines_html(drawn, candidate=False), _picture)
    )
    text_html = _hunt_html(hunt) + _part("text", text) + _part("live", _formula(shows))
    head = f'<h2>{escape(title)}</h2><div class="words">{board}{lines}</div>'
    return fragment.root_element(
        shows.result.metric, f"{head}{_frame(pictures, text_html)}", "lesson exercise blind made laying"
    )


def _hunt_html(hunt: SearchState, further: str = "", hints: str = "") -> str:
    """Return the message on the reader's sentence, `hints`, the button that shows a solution, and `further` HTML."""
    return (
        f'<section class="part hunt"><p class="found" role="status" data-how="{hunt.how}">{_safe(hunt.says)}</p>{hints}'
        f'<p class="show"><button type="button" class="show-pair">Show me one</button></p>{further}</section>'
    )
