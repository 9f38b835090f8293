"""Draw what looks wrong about the texts of a corpus, with the lines concerned, and the repairs of misaligned files.

A repair is made when the visitor asks for it, is named as long as it applies, and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import streamlit as st

import metrics
from metrics.corpus.file_checks import FilesCheck, PossibleRepair, Repairs, repair_sentences
from metrics.corpus.file_warnings import FileWarning, FileWarningKind
from metrics.corpus.hints import SuggestedChange
from metrics.text import markup
from metrics.text.files import file_label
from metrics.text.formats import Material

from ...draw.corpus.story import DECIMALS
from ...draw.pen.text import escape_markdown, safe, visible

#: Warnings that are drawn one by one, further warnings that are folded, and lines shown of each.
SAID_MOST, MORE_MOST, LINES_MOST = 5, 100, 6
#: Lines shown before the first misaligned line, and lines around it that are selected in the table.
BEFORE, SELECTED = 2, 20
LETTERS_MOST = 240

#: The order of warnings: those that can be repaired, then confused files, then single lines.
ORDER = (
    *(
        FileWarningKind.SLIPPED,
        FileWarningKind.SWAPPED,
        FileWarningKind.FOREIGN,
        FileWarningKind.SHUFFLED,
        FileWarningKind.SAME,
    ),
    *(FileWarningKind.OF_REFERENCES, FileWarningKind.LANGUAGE, FileWarningKind.UNTRANSLATED, FileWarningKind.EMPTY),
)
assert {*ORDER} == {*FileWarningKind}


def draw(
    material: Material,
    checked: FilesCheck | None,
    repairs: Repairs,
    metric: str,
    repair: Callable[[str, PossibleRepair], None],
    undo: Callable[[str], None],
    select: Callable[[str | None, str, Sequence[int]], None] | None = None,
    follow: Callable[[SuggestedChange], None] | None = None,
    restore: Callable[[str], None] | None = None,
) -> None:
    """Draw the warnings about the texts, and their repairs; nothing if there are none.

    Args:
        checked: the result of the check, None while it is not known.
        repairs: the repairs in effect, by system.
        metric: the key of the metric whose scores show what a repair does.
        repair: called with a system's name and the repair that the visitor asks for.
        undo: called with the name of a system whose repair is to be undone.
        select: called with the system's name, a label and the indices of segments that the table is to show; None if
            there is no table.
        follow: called with the advice of a hint that the visitor follows; None to draw no hints.
        restore: called with the name of a kind of markup that was removed from the texts and is to be restored."""
    doubts = sorted(checked.doubts if checked else (), key=lambda doubt: ORDER.index(doubt.kind))
    offered = {name: each for name, each in (checked.offered if checked else {}).items() if name not in repairs}
    hints = checked.hints if checked and follow else ()
    if not doubts and not offered and not repairs and not hints and not material.cleaned:
        return
    with st.container(key="corpus_doubts", gap="xsmall"):
        for name, sentence in zip(repairs, repair_sentences(repairs), strict=True):
            with _sentence_row(f"made_{_system_index(material, name)}"):
                _draw_html(f"<p>{safe(sentence, 400)}</p>")
                st.button("Undo", key=f"corpus_undo_{_system_index(material, name)}", on_click=undo, args=(name,))
        for name, sentence in zip(material.cleaned, markup.cleaning_notes(material.cleaned), strict=True):
            with _sentence_row(f"cleaned_{name}"):
                _draw_html(f"<p>{safe(sentence, 400)}</p>")
                if restore:
                    st.button("Undo", key=f"corpus_restore_{name}", on_click=restore, args=(name,))
        for number, hint in enumerate(hints):
            with _sentence_row(f"hint_{number}"):
                _draw_html(f"<p>{safe(f'{hint.sentence(DECIMALS)}.', 600)}</p>")
                st.button(hint.help.action, key=f"corpus_follow_{number}", on_click=follow, args=(hint.help,))
        for number, doubt in enumerate(islice(doubts, SAID_MOST)):
            with _sentence_row(f"doubt_{number}"):
                _draw_html(_warning_html(material, doubt))
                if select and doubt.lines:
                    lines = (
                        _shown_line_numbers(material, doubt, SELECTED)
                        if doubt.kind is FileWarningKind.SLIPPED
                        else doubt.lines
                    )
                    st.button(
                        "Show them" if len(lines) > 1 else "Show it",
                        key=f"corpus_show_{number}",
                        help="Select these segments in the table",
                        on_click=select,
                        args=(doubt.system, _filter_label(doubt), [line - 1 for line in lines]),
                    )
            if doubt.system in offered and doubt.system not in [
                later_doubt.system for later_doubt in doubts[number + 1 :]
            ]:
                _draw_offer(material, doubt.system, offered.pop(doubt.system), metric, repair)
        if more := doubts[SAID_MOST:]:
            rest = "".join(_warning_html(material, doubt) for doubt in more[:MORE_MOST])
            _draw_html(f"<details><summary>{len(more)} more like these</summary>{rest}</details>")
        for name, each in offered.items():
            _draw_offer(material, name, each, metric, repair)


def _sentence_row(name: str) -> Any:
    """Return a container that places a sentence and its buttons side by side."""
    return st.container(horizontal=True, vertical_alignment="center", key=f"corpus_{name}")


def _draw_html(markup: str) -> None:
    """Draw HTML that is only as wide as its content."""
    st.html(markup, width="content")


def _draw_offer(
    material: Material,
    name: str,
    offered_repair: PossibleRepair,
    metric: str,
    repair: Callable[[str, PossibleRepair], None],
) -> None:
    """Draw what a repair does to a system's texts, the scores before and after it, and the button that makes it."""
    if offered_repair.scores is None:
        sentence = f"{file_label(offered_repair.file)} can be scored with {offered_repair.does}"
    else:
        before, after = (f"{score:.{DECIMALS}f}" for score in offered_repair.scores)
        sentence = f"{name}: {metrics.METRICS[metric].label} {before} as it is, {after} with {offered_repair.does}"
    place = _system_index(material, name)
    with _sentence_row(f"offer_{place}"):
        _draw_html(f"<p>{safe(f'{sentence}.', 500)}</p>")
        label = f"Repair {escape_markdown(visible(name, 40))}"
        st.button(label, key=f"corpus_repair_{place}", on_click=repair, args=(name, offered_repair))


def _system_index(material: Material, name: str) -> int:
    """Return the index of the system called `name`; keys contain it, because a name may have any letters."""
    return [*material.systems].index(name)


def _filter_label(doubt: FileWarning) -> str:
    """Return the label that the filter shows when it selects the segments of a warning."""
    return f"{file_label(doubt.file)[:60]}: {doubt.kind.value}"


def _warning_html(material: Material, warning: FileWarning) -> str:
    """Return a warning as HTML, with a folded table of its first lines and their references."""
    sentence = safe(warning.sentence if warning.says.endswith("?") else f"{warning.sentence}.", 600)
    if not warning.lines:
        return f"<p>{sentence}</p>"
    lines = _shown_line_numbers(material, warning, LINES_MOST)
    theirs, texts = next(iter(material.references.items())), material.systems.get(warning.system or "")
    columns = [(warning.system or "", texts.lines)] if texts else []
    columns += [(theirs[0], theirs[1].lines)]
    columns += [("source", material.source.lines)] if material.source and not texts else []
    heads = "".join(f"<th>{safe(name, 40)}</th>" for name, _ in columns)
    rows = "".join(
        f"<tr><th>{line}</th>"
        + "".join(f'<td dir="auto">{_line_html(each, line)}</td>' for _, each in columns)
        + "</tr>"
        for line in lines
    )
    table = f"<div><table><tr><th></th>{heads}</tr>{rows}</table></div>"
    return f"<details><summary>{sentence}</summary>{table}</details>"


def _line_html(lines: Sequence[str], line: int) -> str:
    """Return the line with this number, from 1, as HTML; "" if the text has fewer lines."""
    return safe(lines[line - 1], LETTERS_MOST) if line <= len(lines) else ""


def _shown_line_numbers(material: Material, warning: FileWarning, most: int) -> list[int]:
    """Return at most `most` line numbers, from 1, that show what a warning is about.

    For misaligned lines they begin just before the first misaligned line."""
    if warning.kind is not FileWarningKind.SLIPPED:
        return list(warning.lines[:most])
    line = warning.lines[0]
    size = len(next(iter(material.references.values())).lines)
    first = max(1, line - BEFORE)
    return list(range(first, min(size, first + most - 1) + 1))
