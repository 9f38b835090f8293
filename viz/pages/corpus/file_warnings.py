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
from metrics.corpus.hints import Help
from metrics.text import markup
from metrics.text.files import file_label
from metrics.text.formats import Material

from ...draw.corpus.story import DECIMALS
from ...draw.pen import theme

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
    select: Callable[[str, Sequence[int]], None] | None = None,
    follow: Callable[[Help], None] | None = None,
    restore: Callable[[str], None] | None = None,
) -> None:
    """Draw the warnings and repairs of the texts; nothing if there are none.

    Args:
        checked: the result of the check, None while it is not known.
        repairs: the repairs in effect, by system.
        metric: the metric whose scores show what a repair does.
        repair: repairs a system.
        undo: undoes the repair of a system.
        select: selects segments in the table, under a label; None if there is no table.
        follow: follows the advice of a hint.
        restore: restores what was cleaned out of the texts."""
    doubts = sorted(checked.doubts if checked else (), key=lambda doubt: ORDER.index(doubt.kind))
    offered = {name: each for name, each in (checked.offered if checked else {}).items() if name not in repairs}
    hints = checked.hints if checked and follow else ()
    if not doubts and not offered and not repairs and not hints and not material.cleaned:
        return
    with st.container(key="corpus_doubts", gap="xsmall"):
        for name, sentence in zip(repairs, repair_sentences(repairs), strict=True):
            with _row(f"made_{_place(material, name)}"):
                _draw_html(f"<p>{theme.safe(sentence, 400)}</p>")
                st.button("Undo", key=f"corpus_undo_{_place(material, name)}", on_click=undo, args=(name,))
        for name, sentence in zip(material.cleaned, markup.cleaning_notes(material.cleaned), strict=True):
            with _row(f"cleaned_{name}"):
                _draw_html(f"<p>{theme.safe(sentence, 400)}</p>")
                if restore:
                    st.button("Undo", key=f"corpus_restore_{name}", on_click=restore, args=(name,))
        for number, hint in enumerate(hints):
            with _row(f"hint_{number}"):
                _draw_html(f"<p>{theme.safe(f'{hint.sentence(DECIMALS)}.', 600)}</p>")
                st.button(hint.help.action, key=f"corpus_follow_{number}", on_click=follow, args=(hint.help,))
        for number, doubt in enumerate(islice(doubts, SAID_MOST)):
            with _row(f"doubt_{number}"):
                _draw_html(_doubt_html(material, doubt))
                if select and doubt.lines:
                    lines = _lines(material, doubt, SELECTED) if doubt.kind is FileWarningKind.SLIPPED else doubt.lines
                    st.button(
                        "Show them" if len(lines) > 1 else "Show it",
                        key=f"corpus_show_{number}",
                        help="Select these segments in the table",
                        on_click=select,
                        args=(_title(doubt), [line - 1 for line in lines]),
                    )
            if doubt.system in offered and doubt.system not in [
                later_doubt.system for later_doubt in doubts[number + 1 :]
            ]:
                _draw_offer(material, doubt.system, offered.pop(doubt.system), metric, repair)
        if more := doubts[SAID_MOST:]:
            rest = "".join(_doubt_html(material, doubt) for doubt in more[:MORE_MOST])
            _draw_html(f"<details><summary>{len(more)} more like these</summary>{rest}</details>")
        for name, each in offered.items():
            _draw_offer(material, name, each, metric, repair)


def _row(name: str) -> Any:
    """Return a container for a sentence and its buttons."""
    return st.container(horizontal=True, vertical_alignment="center", key=f"corpus_{name}")


def _draw_html(markup: str) -> None:
    """Draw HTML in the width that it needs."""
    st.html(markup, width="content")


def _draw_offer(
    material: Material, name: str, each: PossibleRepair, metric: str, repair: Callable[[str, PossibleRepair], None]
) -> None:
    """Draw what a repair does, the scores before and after it, and the button that makes it."""
    if each.scores is None:
        sentence = f"{file_label(each.file)} can be scored with {each.does}"
    else:
        before, after = (f"{score:.{DECIMALS}f}" for score in each.scores)
        sentence = f"{name}: {metrics.METRICS[metric].label} {before} as it stands, {after} with {each.does}"
    place = _place(material, name)
    with _row(f"offer_{place}"):
        _draw_html(f"<p>{theme.safe(f'{sentence}.', 500)}</p>")
        label = f"Repair {theme.markdown(theme.visible(name, 40))}"
        st.button(label, key=f"corpus_repair_{place}", on_click=repair, args=(name, each))


def _place(material: Material, name: str) -> int:
    """Return the index of a system, for use in keys because its name may have any letters."""
    return [*material.systems].index(name)


def _title(doubt: FileWarning) -> str:
    """Return the label of a warning's segments in the filter."""
    return f"{file_label(doubt.file)[:60]}: {doubt.kind.value}"


def _doubt_html(material: Material, doubt: FileWarning) -> str:
    """Return a warning as HTML, with a folded table of its first lines and their references."""
    sentence = theme.safe(doubt.sentence if doubt.says.endswith("?") else f"{doubt.sentence}.", 600)
    if not doubt.lines:
        return f"<p>{sentence}</p>"
    lines = _lines(material, doubt, LINES_MOST)
    theirs, texts = next(iter(material.references.items())), material.systems.get(doubt.system or "")
    columns = [(doubt.system or "", texts.lines)] if texts else []
    columns += [(theirs[0], theirs[1].lines)]
    columns += [("source", material.source.lines)] if material.source and not texts else []
    heads = "".join(f"<th>{theme.safe(name, 40)}</th>" for name, _ in columns)
    rows = "".join(
        f"<tr><th>{line}</th>" + "".join(f'<td dir="auto">{_cell(each, line)}</td>' for _, each in columns) + "</tr>"
        for line in lines
    )
    table = f"<div><table><tr><th></th>{heads}</tr>{rows}</table></div>"
    return f"<details><summary>{sentence}</summary>{table}</details>"


def _cell(lines: Sequence[str], line: int) -> str:
    """Return a line as HTML, "" if the text has fewer lines."""
    return theme.safe(lines[line - 1], LETTERS_MOST) if line <= len(lines) else ""


def _lines(material: Material, doubt: FileWarning, most: int) -> list[int]:
    """Return at most `most` line numbers, from 1, that show what is wrong.

    For misaligned lines they are those around the first."""
    if doubt.kind is not FileWarningKind.SLIPPED:
        return list(doubt.lines[:most])
    line = doubt.lines[0]
    size = len(next(iter(material.references.values())).lines)
    first = max(1, line - BEFORE)
    return list(range(first, min(size, first + most - 1) + 1))
