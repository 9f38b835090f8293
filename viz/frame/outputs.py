"""Outputs of a corpus, ready to be drawn, and what is said where settings are others than those it was scored with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import metrics
from metrics.text import TextSettings, forms
from metrics.text.formats import Material
from metrics.text.judgements import Judged
from metrics.types import Segment, Settings

from ..draw.texts import Texts
from ..state import cache, inputs, marked
from ..state.inputs import Kind, Missing
from ..state.marked import Of
from ..state.pages import Looked

#: Letters that are shown of an output that no metric can be scored of.
LETTERS_MOST = 4_000
EMPTY = Missing(Kind.WORDLESS, "This segment has no words on one of its sides, so that nothing can be drawn.")


def references(material: Material, segment: int) -> list[str]:
    """The references of a segment that have words, each on one line."""
    each = [line for _, line in material.references_of(segment)]
    return [line.replace("\n", " ") for line in each if line.strip()]


def source(material: Material, segment: int) -> str:
    """The source of a segment, "" where none is known."""
    return material.source.lines[segment] if material.source else ""


def document(material: Material, segment: int) -> str:
    """The document of a segment, "" where none is known."""
    return material.documents[segment] if material.documents else ""


def marks(material: Material, judged: Judged | None, systems: Sequence[str], segment: int) -> tuple[Of, ...]:
    """What people marked in outputs of a segment, as a page holds it."""
    out: list[Of] = []
    for name in systems:
        if judged and name in judged.systems:
            found = marked.of_output(judged, judged.systems.index(name), segment)
            out += marked.of(material.systems[name].lines[segment], source(material, segment), found)
    return tuple(out)


def texts(
    material: Material, text: TextSettings, system: str, segment: int, judged: Judged | None = None
) -> Texts | Missing:
    """A segment of a system, by its name, ready to be drawn with what people marked in it."""
    given = material.systems[system].lines[segment], "\n".join(references(material, segment)), text
    of, people = source(material, segment), marks(material, judged, [system], segment)
    whole = inputs.read(*given, source=of, marks=people)
    if not isinstance(whole, Missing) or not whole.is_untyped:
        return whole
    return inputs.one_sided(*given, source=of, marks=people) or EMPTY


def alone(
    material: Material, text: TextSettings, systems: Sequence[str], segment: int, judged: Judged | None = None
) -> list[tuple[str, Texts]]:
    """The outputs of some systems for a segment, by their names, with what people marked in them and without a
    reference; of a long one its first LETTERS_MOST letters."""
    out = []
    for name in systems:
        line = material.systems[name].lines[segment]
        tokens = cache.tokens(line[:LETTERS_MOST], text)
        texts = Texts(Segment(forms(tokens), ((),)), tokens, (), text, source(material, segment).strip())
        out.append((name, marked.on(texts, marks(material, judged, [name], segment), line)))
    return out


def both(
    material: Material, text: TextSettings, systems: tuple[str, str], segment: int, judged: Judged | None = None
) -> list[Texts] | Missing:
    """A segment of two systems, ready to be drawn with what people marked in them."""
    named = [(name, material.systems[name].lines[segment]) for name in systems]
    lines, people = "\n".join(references(material, segment)), marks(material, judged, systems, segment)
    whole = inputs.read_systems(named, lines, text, source=source(material, segment), marks=people)
    return EMPTY if isinstance(whole, Missing) and whole.is_untyped else whole


def changed(text: TextSettings, settings: Mapping[str, Settings], shown: Looked) -> str:
    """That what is set now is not what a corpus was scored with, "" where it is."""
    other = [key for key, each in settings.items() if each != shown.settings_of(key)]
    if text == shown.text and not other:
        return ""
    what = "the text processing" if text != shown.text else ""
    labels = ", ".join([metrics.METRICS[key].label for key in other])
    both = " and ".join([each for each in (what, f"the settings of {labels}" if other else "") if each])
    return f"{both[0].upper()}{both[1:]} changed since this was scored; the scores are those of before."
