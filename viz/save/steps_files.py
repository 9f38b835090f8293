"""The steps of an algorithm as files without a script: numbered pictures, and a numbered list of sentences."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace

import metrics
from viz.draw import marks, picture, svg, theme
from viz.draw.marks import Shape
from viz.draw.picture import Key, Picture
from viz.draw.steps import Walk

#: Steps that have a picture, and steps that a list or a page holds.
PICTURES_MOST, TOLD_MOST = 500, 5_000


def told(walk: Walk, most: int = TOLD_MOST) -> list[str]:
    """A sentence for each of the first steps, with what is chosen there."""
    walk.make(most)
    out = []
    for step in walk.steps[:most]:
        out.append(theme.visible(step.text, 400) + (f" (Decision: {step.decision.name})" if step.decision else ""))
    return out


def rest(walk: Walk, most: int, shown: str) -> str:
    """The sentence that says that only the first steps are `shown`; "" where all are."""
    walk.make(most)
    if len(walk.steps) < most or (len(walk.steps) == most and walk.ended):
        return ""
    return f"The first {most:,} steps are {shown}; the algorithm takes more."


def text(walk: Walk) -> str:
    """All steps as plain text: the metric and its signature, the sentences, the numbered steps."""
    texts, lines = walk.texts, told(walk)
    out = [f"{metrics.METRICS[walk.trace.metric].name}, step by step", walk.signature(), ""]
    out.append(f"Candidate: {_line(texts.candidate_words)}")
    several = len(texts.references) > 1
    for k, reference in enumerate(texts.reference_words):
        out.append(f"Reference{f' {k + 1}' if several else ''}: {_line(reference)}")
    out += ["", *[f"{number}. {line}" for number, line in enumerate(lines, 1)]]
    if more := rest(walk, TOLD_MOST, "listed"):
        out += ["", more]
    return "\n".join(out) + "\n"


def _line(words: Sequence[str]) -> str:
    return " ".join([theme.visible(word, 100) for word in words]) or "no words"


def pictures(walk: Walk, most: int = PICTURES_MOST) -> list[Picture]:
    """The pictures of the first steps, all of one size, with the legend of them all."""
    walk.make(most)
    found = [walk.picture(number) for number in range(min(most, len(walk.steps)))]
    broad = max(one.width for one in found)
    keys = legend(walk)
    return [replace(one, width=broad, key=keys) for one in found]


def legend(walk: Walk) -> list[Key]:
    """What the shapes of the steps so far mean, each meaning once."""
    shapes = [part for part in walk.pool if isinstance(part, Shape)]
    entries = [*walk.base.key, *picture.key_of(marks.legend(shapes))]
    return list({entry.text: entry for entry in reversed(entries)}.values())[::-1]


def pictures_zip(walk: Walk, most: int = PICTURES_MOST) -> bytes:
    """Numbered SVGs in a zip, beside them the steps as text, which says so where not all of them have a picture."""
    found = pictures(walk, most)
    digits = max(3, len(str(len(found))))
    said = text(walk)
    if more := rest(walk, most, "drawn"):
        said += f"\n{more}\n"
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as files:
        for number, one in enumerate(found, 1):
            _write(files, f"step_{number:0{digits}}.svg", svg.captioned(one))
        _write(files, "steps.txt", said)
    return whole.getvalue()


def _write(files: zipfile.ZipFile, name: str, content: str) -> None:
    """Add a file, without the time of day, so that the same steps make the same bytes."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    files.writestr(entry, content.encode("utf-8", "replace"))
