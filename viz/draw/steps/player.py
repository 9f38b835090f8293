"""Make the player of an algorithm's steps: markup without any step, and the steps as data for the browser's script.

`script/player.js` shows, plays and asks, on a page and in a saved file or a notebook. The data contain words only
where the script writes them as text; elements of the picture are inert markup as everywhere."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from html import escape
from typing import Any

import metrics
from metrics import formula
from metrics.teach.judge import question_to_dict
from metrics.teach.steps import Prefix, ProgramStep, known_values_after
from metrics.types import Mark

from ..evidence import fragment, keys, ledger, words
from ..evidence.inspector import LETTERS
from ..pen import svg
from ..pen.numbers import count_text, positions_text, score_text
from ..pen.shapes import Shape
from ..pen.text import safe, visible
from ..texts import ProcessedTexts
from . import step_formula
from .step_lines import AROUND
from .steps import AT_ONCE, SHOWN_AT_ONCE, DrawnSteps, Frame

REASONS, EACH = 4, 4  # how many reasons for rejected marks are listed, and how many marks for each


def markup(walk: DrawnSteps) -> str:
    """Return the player of `walk` as HTML: words, grid, pseudo-code and formula, without any step yet."""
    metric = metrics.METRICS[walk.trace.metric]
    kind, inner = "lines" if walk.lines else "grid", svg.svg_in_page(walk.base, walk.layers())
    drawing = f'<div class="drawing {kind}" data-size="{walk.base.cell:g}">{inner}</div>'
    parts = {
        "words": words.plain_word_lines(walk.texts, walk.hits),
        "figure": f'{drawing}<div class="key"></div>',
        "inspector": "".join(
            [
                f'<div class="score"><p><span>{escape(metric.label)}</span> <b class="so-far"></b></p>'
                '<p class="note state"></p></div>',
                '<p class="says" aria-live="polite"></p><div class="ask"></div>',
                f'<p class="note">{walk.texts.quoting_note}</p>' if walk.texts.quoting_note else "",
                pseudo_code_html(walk.trace.lines),
                f'<div class="formula">{step_formula.empty_formula(walk.trace)}</div>',
                '<div class="numbers"></div><div class="turned-down"></div>',
                f'<p class="sig">{safe(walk.signature(), 2_000).replace("|", "|<wbr>")}</p>',
            ]
        ),
    }
    inner = "".join(f'<div class="{name}">{part}</div>' for name, part in parts.items())
    controls = f'<div class="controls" data-keys="{escape(keys.keys_for_script("player"))}"></div>'
    return fragment.root_element(walk.trace.metric, f'<div class="frame">{inner}</div>{controls}', "player")


def pseudo_code_html(lines: Sequence[str]) -> str:
    """Return pseudo-code as an HTML list of lines, indented by leading spaces."""
    items = []
    for line in lines:
        text = line.lstrip(" ")
        deep = min(3, (len(line) - len(text)) // 4)
        items.append(f'<li class="in{deep}">{escape(text)}</li>')
    return f'<ol class="code">{"".join(items)}</ol>'


def steps_data(walk: DrawnSteps, start: int = 0, at: int = 0) -> dict[str, Any]:
    """Return the data of at most `AT_ONCE` steps from step `start` on, and of the elements that they show first.

    There are fewer steps where they show very many elements. `at` is the step to show first. A step has its text, its
    question if something is asked before it, and what changes with it: the elements that are shown and hidden (`on` and
    `off`, spans of their indices), the line of the pseudo-code, the score, and numbers of the formula."""
    most = SHOWN_AT_ONCE + (walk.element_counts[start - 1] if start else 0)
    walk.make_steps(start + AT_ONCE, most)
    stop = min(start + AT_ONCE, len(walk.steps), bisect_right(walk.element_counts, most) + 1)
    sent = walk.sizes[start - 1] if start else 0
    patterns = walk.patterns_before.setdefault(sent, len(walk.patterns))  # the same if the chunk is requested again
    elements = [_element_data(walk, part) for part in walk.pool[sent : walk.sizes[stop - 1] if stop else 0]]
    is_complete = walk.ended and stop == len(walk.steps)
    result = walk.steps[-1].result if is_complete else None
    steps = []
    known_numbers = known_values_after(walk.steps[:start])
    end, line, score = _last_span_end(walk.frames[:start]), None, None
    for number in range(start, stop):
        one, frame = _step_data(walk, number), walk.frames[number]
        if is_decision(walk.steps, number):
            one["decides"] = True
        for name, changed in (("on", frame.shown_numbers), ("off", frame.hidden)):
            if changed:
                one[name], end = _spans(changed, end)
        if (step := walk.steps[number]).line != line or number == start:
            one["line"] = line = step.line
        if (now := None if step.score is None else score_text(step.score)) != score or number == start:
            one["score"] = score = now
        if number_changes := step_formula.number_changes(known_numbers, walk.steps[number]):
            one["known"] = number_changes
        if number in walk.questions:
            one["question"] = question_to_dict(walk.questions[number])
        steps.append(one)
    return {
        "from": start,
        "at": at,
        "pool": elements,
        "patterns": walk.patterns[patterns:],
        "patterns_from": patterns,
        "pool_from": sent,
        "steps": steps,
        "done": is_complete,
        "legend": walk.legend(),
        "end": formula.mathml(ledger.formula_steps_of(result), formula.TypesettingOptions(room=LETTERS))
        if result
        else "",
    }


def is_decision(steps: Sequence[ProgramStep], number: int) -> bool:
    """Return whether step `number` (from 0) chooses among several options, or changes what is taken.

    A step that only fills a table, compares or counts does not decide."""
    step, before = steps[number], steps[number - 1].taken_marks if number else ()
    if step.decision:
        return True
    if isinstance(step.taken_marks, Prefix) and step.taken_marks.grows_from(before):
        return len(step.taken_marks) > len(before)
    return tuple(step.taken_marks) != tuple(before)


def _element_data(walk: DrawnSteps, part: Any) -> list[Any]:
    """Return an element of the picture, or a word with its class, as data.

    A shape has the indices of its layer and of its pattern, and its offset from the pattern in rows and columns. A
    word has its class and its name."""
    if isinstance(part, Shape):
        return [walk.layer_of(part), *walk.pattern(part)]
    return [part.look, part.name]


def _step_data(walk: DrawnSteps, number: int) -> dict[str, Any]:
    step = walk.steps[number]
    out: dict[str, Any] = {"text": step.text}
    if step.decision:
        out["decision"] = step.decision.name
    if step.rejected:
        out["rejected"] = rejected_lines(step, walk.texts)
    if (table := step.table) and table.cell:
        out["cell"] = [table.k, table.cell.row, table.cell.column]
    if place := walk.focus_of_step(number):
        around = place[2:] if place[2:] != (AROUND, AROUND) else ()
        out["place"] = [round(value) for value in (*place[:2], *around)]
    return out


def _last_span_end(frames: Sequence[Frame]) -> int:
    """Return the index after the last element that the frames show or hide, from which the next span is counted.

    It is 0 where they show or hide nothing."""
    last = next(
        (frame.hidden or frame.shown_numbers for frame in reversed(frames) if frame.hidden or frame.shown_numbers),
        (-1,),
    )
    return last[-1] + 1


def _spans(numbers: Sequence[int], end: int) -> tuple[list[int], int]:
    """Return rising indices of elements as spans, and the end of the last span.

    Each span is two numbers: its start, counted from the end of the span before it, and its length. The first start
    is counted from `end`."""
    out: list[int] = []
    for number in numbers:
        if out and number == end:
            out[-1] += 1
        else:
            out += [number - end, 1]
        end = number + 1
    return out, end


def rejected_lines(step: ProgramStep, texts: ProcessedTexts) -> list[str]:
    """Return the marks that a step rejects as text, one line for each reason, with at most EACH marks."""
    reasons: dict[str, list[str]] = {}
    for mark, reason in step.rejected:
        reasons.setdefault(reason, []).append(_mark_text(mark, texts))
    out = []
    for reason, names in list(reasons.items())[:REASONS]:
        several = list(dict.fromkeys(names))
        more = f" and {len(several) - EACH:,} more" if len(several) > EACH else ""
        out.append(f"{', '.join(several[:EACH])}{more}: {reason}")
    if len(reasons) > REASONS:
        out.append(f"and for {count_text(len(reasons) - REASONS, 'more reason')}")
    return out


def _mark_text(mark: Mark, texts: ProcessedTexts) -> str:
    """Return the words of a mark and their positions, counted from 1, as text."""
    text = ledger.term_text(texts.candidate_words, texts.reference_words, mark)
    cells = mark.cells()
    where = ""
    if cells:
        rows, columns = sorted({c.i for c in cells}), sorted({c.j for c in cells})
        where = f" ({_positions_text(rows)} × {_positions_text(columns)})"
    return f"{visible(text, 40)}{where}"


def _positions_text(places: Sequence[int]) -> str:
    first, last = places[0], places[-1]
    joined = last - first + 1 == len(places)
    return positions_text(first, len(places)) if joined else ", ".join(str(place + 1) for place in places)
