"""Write the steps of an algorithm as files without a script: numbered pictures, or a numbered list of sentences."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace

import metrics

from ..draw.pen import legend as legends
from ..draw.pen import picture, svg
from ..draw.pen.legend import DrawnEntry
from ..draw.pen.shapes import Shape
from ..draw.pen.text import visible
from ..draw.steps.step_formula import Formula, formula_at_steps, numbers_at_steps
from ..draw.steps.steps import DrawnSteps

#: The most steps with a picture, and the most steps of a list or a page.
PICTURES_MOST, TOLD_MOST = 500, 5_000


def step_sentences(walk: DrawnSteps, most: int = TOLD_MOST) -> list[str]:
    """Return one sentence for each of the first `most` steps, with the decision that the algorithm makes there."""
    walk.make_steps(most)
    out = []
    for step in walk.steps[:most]:
        out.append(visible(step.text, 400) + (f" (Decision: {step.decision.name})" if step.decision else ""))
    return out


def step_definitions(walk: DrawnSteps, most: int = TOLD_MOST) -> Iterator[list[str]]:
    """Yield, for each of the first `most` steps, the definitions of the formula that get new numbers in it.

    They are plain text."""
    walk.make_steps(most)
    formula, before = Formula(walk.trace), dict[str, str]()
    for known_numbers in numbers_at_steps(walk.steps[:most]):
        yield formula.changed_definitions(before, known_numbers) if known_numbers != before else []
        before = known_numbers


def remainder_note(walk: DrawnSteps, most: int, predicate: str) -> str:
    """Return the sentence “The first … steps are `predicate`; the algorithm takes more.”

    Return "" if the algorithm takes at most `most` steps. `predicate` is a word such as “drawn”."""
    walk.make_steps(most)
    if len(walk.steps) < most or (len(walk.steps) == most and walk.ended):
        return ""
    return f"The first {most:,} steps are {predicate}; the algorithm takes more."


def steps_text(walk: DrawnSteps) -> str:
    """Return the first TOLD_MOST steps as plain text.

    It has the metric and its signature, the sentences, and the numbered steps, each with the numbers that it adds to
    the formula."""
    texts = walk.texts
    out = [f"{metrics.METRICS[walk.trace.metric].name}, step by step", walk.signature(), ""]
    if texts.source:
        out.append(f"Source: {_words_line(texts.source.split())}")
    out.append(f"Candidate: {_words_line(texts.candidate_words)}")
    several = len(texts.references) > 1
    for k, reference in enumerate(texts.reference_words):
        out.append(f"Reference{f' {k + 1}' if several else ''}: {_words_line(reference)}")
    out.append("")
    for number, (line, definitions) in enumerate(zip(step_sentences(walk), step_definitions(walk), strict=True), 1):
        out += [f"{number}. {line}", *[f"    {definition}" for definition in definitions]]
    if more := remainder_note(walk, TOLD_MOST, "listed"):
        out += ["", more]
    return "\n".join(out) + "\n"


def _words_line(words: Sequence[str]) -> str:
    """Return the words of a sentence on one line, or “no words”."""
    return " ".join([visible(word, 100) for word in words]) or "no words"


def legend(walk: DrawnSteps) -> list[DrawnEntry]:
    """Return the entries of the legend for the shapes of all steps that were made so far, each meaning once."""
    shapes = [part for part in walk.pool if isinstance(part, Shape)]
    entries = [*walk.base.key, *legends.drawn_entries(legends.legend_entries_of_shapes(shapes))]
    return list({entry.text: entry for entry in reversed(entries)}.values())[::-1]


def visible_elements(walk: DrawnSteps, most: int) -> Iterator[set[int]]:
    """Yield, for each of the first `most` steps, the drawn elements that it shows, as indices in the walk's pool."""
    walk.make_steps(most)
    now: set[int] = set()
    for frame in walk.frames[:most]:
        now = now - {*frame.hidden} | {*frame.shown_numbers}
        yield now


def pictures(walk: DrawnSteps, most: int = PICTURES_MOST) -> Iterator[str]:
    """Yield the first `most` steps as SVG documents of the same size, each with the legend of all of them.

    The markup of each shape is made once, because many steps show the same shape."""
    walk.make_steps(most)
    titles = [walk.title(number) for number in range(min(most, len(walk.steps)))]
    formulas = formula_at_steps(walk.trace, walk.steps[:most])
    room = [picture.title_width_pixels(title) for title in titles] + [formula.width + 16 for formula in formulas]
    broad = max([walk.base.width, picture.CAPTION_ROOM, *room])
    base = replace(walk.base, signature=walk.signature(), width=broad, key=legend(walk))
    layers, written = walk.layers(), dict[int, str]()
    for title, formula, numbers in zip(titles, formulas, visible_elements(walk, most), strict=True):
        members: dict[int, list[str]] = {}
        for number in sorted(numbers):
            if isinstance(part := walk.pool[number], Shape):
                if number not in written:
                    written[number] = walk.markup(part)
                members.setdefault(walk.layer_of(part), []).append(written[number])
        over = [layers[n].removesuffix("</g>") + "".join(members[n]) + "</g>" for n in sorted(members)]
        yield svg.svg_file(replace(base, title=title), over, formula)


def pictures_zip(walk: DrawnSteps, most: int = PICTURES_MOST) -> bytes:
    """Return a zip with a numbered SVG for each of the first `most` steps, and a text file with all steps."""
    list_text = steps_text(walk)
    if more := remainder_note(walk, most, "drawn"):
        list_text += f"\n{more}\n"
    digits = max(3, len(str(min(most, len(walk.steps)))))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as files:
        for number, one in enumerate(pictures(walk, most), 1):
            _add_file(files, f"step_{number:0{digits}}.svg", one)
        _add_file(files, "steps.txt", list_text)
    return whole.getvalue()


def _add_file(files: zipfile.ZipFile, name: str, content: str) -> None:
    """Add a file to the zip without its time, so that the same steps always give the same bytes."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    files.writestr(entry, content.encode("utf-8", "replace"))
