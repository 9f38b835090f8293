"""Prepare outputs of a corpus for drawing, and say which settings were changed since the corpus was scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import metrics
from metrics.text import TextSettings, forms
from metrics.text.formats import Material
from metrics.text.judgements import JudgementRecord
from metrics.types import Segment, Settings

from ..draw.texts import ProcessedTexts
from ..state.links.pages import PageState
from ..state.results import cache
from ..state.texts import inputs, marked_errors
from ..state.texts.inputs import MissingKind, MissingText
from ..state.texts.marked_errors import TextMarks

#: Most letters that are shown of an output without references.
LETTERS_MOST = 4_000
EMPTY = MissingText(MissingKind.WORDLESS, "This segment has no words on one of its sides, so nothing can be drawn.")


def references_of_segment(material: Material, segment: int) -> list[str]:
    """Return the references of a segment that have words, each on one line."""
    each = [line for _, line in material.references_of(segment)]
    return [line.replace("\n", " ") for line in each if line.strip()]


def source_of_segment(material: Material, segment: int) -> str:
    """Return the source text of a segment, "" if the corpus has no source."""
    return material.source.lines[segment] if material.source else ""


def document_of_segment(material: Material, segment: int) -> str:
    """Return the name of the document that a segment belongs to, "" if the files name no documents."""
    return material.documents[segment] if material.documents else ""


def marked_errors_of_segment(
    material: Material, judged: JudgementRecord | None, systems: Sequence[str], segment: int
) -> tuple[TextMarks, ...]:
    """Return the errors that people marked in the outputs of `systems` for a segment, as page states hold them.

    Systems are given by name. Empty if there are no judgements (`judged` is None)."""
    out: list[TextMarks] = []
    for name in systems:
        if judged and name in judged.systems:
            marked_spans = marked_errors.marks_of_output(judged, judged.systems.index(name), segment)
            out += marked_errors.marks_of_text(
                material.systems[name].lines[segment], source_of_segment(material, segment), marked_spans
            )
    return tuple(out)


def drawable_output(
    material: Material, text: TextSettings, system: str, segment: int, judged: JudgementRecord | None = None
) -> ProcessedTexts | MissingText:
    """Return a system's output for a segment with its references, ready to be drawn with the errors that people marked.

    If the candidate or all references have no words, returns what can be drawn of the other side, or, if both have
    none,
    the reason why nothing can be drawn."""
    given = material.systems[system].lines[segment], "\n".join(references_of_segment(material, segment)), text
    of, people = source_of_segment(material, segment), marked_errors_of_segment(material, judged, [system], segment)
    whole = inputs.read_texts(*given, source=of, marks=people)
    if not isinstance(whole, MissingText) or not whole.is_untyped:
        return whole
    return inputs.read_one_sided(*given, source=of, marks=people) or EMPTY


def drawable_unreferenced_outputs(
    material: Material, text: TextSettings, systems: Sequence[str], segment: int, judged: JudgementRecord | None = None
) -> list[tuple[str, ProcessedTexts]]:
    """Return pairs of a system's name and its output for a segment, ready to be drawn without references.

    The errors that people marked are attached. Of an output only the first LETTERS_MOST letters are shown."""
    out = []
    for name in systems:
        line = material.systems[name].lines[segment]
        tokens = cache.tokens(line[:LETTERS_MOST], text)
        texts = ProcessedTexts(
            Segment(forms(tokens), ((),)), tokens, (), text, source_of_segment(material, segment).strip()
        )
        out.append(
            (name, marked_errors.attach_marks(texts, marked_errors_of_segment(material, judged, [name], segment), line))
        )
    return out


def drawable_pair(
    material: Material,
    text: TextSettings,
    systems: tuple[str, str],
    segment: int,
    judged: JudgementRecord | None = None,
) -> list[ProcessedTexts] | MissingText:
    """Return the outputs of two systems for a segment, ready to be drawn with the errors that people marked.

    Returns the reason instead if they cannot be drawn, for example because the references have no words."""
    named_outputs = [(name, material.systems[name].lines[segment]) for name in systems]
    lines, people = (
        "\n".join(references_of_segment(material, segment)),
        marked_errors_of_segment(material, judged, systems, segment),
    )
    whole = inputs.read_systems(named_outputs, lines, text, source=source_of_segment(material, segment), marks=people)
    return EMPTY if isinstance(whole, MissingText) and whole.is_untyped else whole


def describe_changed_settings(text: TextSettings, settings: Mapping[str, Settings], state: PageState) -> str:
    """Return a sentence that names the settings that were changed since a corpus was scored, "" if none were.

    `text` and `settings` are those it was scored with, `settings` by metric key; `state` has the present ones."""
    # A segment that was opened on another page took its own settings there, which is no change.
    other = [
        key
        for key, each in settings.items()
        if state.settings_of(key) not in (each, metrics.METRICS[key].settings_of_segment(each))
    ]
    if text == state.text and not other:
        return ""
    what = "the text processing" if text != state.text else ""
    labels = ", ".join([metrics.METRICS[key].label for key in other])
    changes = " and ".join([each for each in (what, f"the settings of {labels}" if other else "") if each])
    return f"{changes[0].upper()}{changes[1:]} changed since this was scored; the scores are from before the change."
