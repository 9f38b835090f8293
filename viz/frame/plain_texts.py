"""Texts of a corpus as plain values of a workspace file, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics.text.files import BadData
from metrics.text.formats import File, Material, read
from metrics.text.judgements import JudgementRecord

SYSTEMS_MOST = 64


def plain(stands: Material) -> Mapping[str, Any]:
    """The texts as they were given."""
    given: dict[str, Any] = {
        "systems": {name: texts.lines for name, texts in stands.systems.items()},
        "references": {name: texts.lines for name, texts in stands.references.items()},
    }
    if stands.source:
        given["source"] = stands.source.lines
    if stands.documents:
        given["documents"] = stands.documents
    return given


def material(given: object) -> Material:
    """The texts that a file holds, read and bounded as those that are chosen. ValueError where they are none."""
    try:
        return read([*_files(given)])
    except BadData as error:
        raise ValueError(str(error).rstrip(".")) from None


def rows(name: str, each: Sequence[Mapping[str, Any]]) -> File:
    """A file with these rows, an object a line."""
    return File(name, "".join([f"{json.dumps(row)}\n" for row in each]).encode())


def table(name: str, given: object) -> Iterator[File]:
    """The file of rows that a file holds, none where there are none. ValueError where they are something else."""
    if not isinstance(given, list) or not all(_is_row(row) for row in given):
        raise ValueError("these are no judgements")
    if given:
        yield rows(name, given)


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and all(isinstance(each, str) for pair in row.items() for each in pair)


def spans(judged: JudgementRecord, material: Material) -> list[dict[str, str]]:
    """A row for each error that was marked."""
    return [*_spans(judged, material)]


def _spans(judged: JudgementRecord, material: Material) -> Iterator[dict[str, str]]:
    for span in judged.spans:
        name = judged.systems[span.system]
        side = material.source if span.side == "source" else material.systems[name]
        yield {
            "line": str(span.segment + 1),
            "system": name,
            "rater": judged.judges[span.judge],
            "category": span.category,
            "severity": span.severity,
            "side": span.side,
            "start": str(span.start),
            "end": str(span.end),
            "text": side.lines[span.segment][span.start : span.end] if side else "",
        }


def _files(given: object) -> Iterator[File]:
    if not isinstance(given, dict):
        raise ValueError("these are no texts of a corpus")
    for kind, texts in (("system", given.get("systems")), ("reference", given.get("references"))):
        if not isinstance(texts, dict) or len(texts) > SYSTEMS_MOST:
            raise ValueError("these are no texts of a corpus")
        yield from [_file(kind, name, lines) for name, lines in texts.items()]
    for kind, name in (("source", "source"), ("document", "documents")):
        if name in given:
            yield _file(kind, "", given[name])


def _file(kind: str, name: str, lines: object) -> File:
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError("these are no texts of a corpus")
    return rows(f"{kind} {name}.jsonl", [{"text": line} for line in lines])._replace(
        role=kind, label=name, column="text"
    )
