"""Convert the texts of a corpus to plain values for a workspace file, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics.text.files import BadData
from metrics.text.formats import File, Material, read
from metrics.text.judgements import JudgementRecord

SYSTEMS_MOST = 64


def plain(stands: Material) -> Mapping[str, Any]:
    """Return the texts as they were given, as JSON values."""
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
    """Return the texts of a corpus from the JSON value in a workspace file, checked like uploaded files.

    Raises ValueError if the value is not such texts."""
    try:
        return read([*_files(given)])
    except BadData as error:
        raise ValueError(str(error).rstrip(".")) from None


def rows(name: str, each: Sequence[Mapping[str, Any]]) -> File:
    """Return a JSON Lines file with these rows."""
    return File(name, "".join([f"{json.dumps(row)}\n" for row in each]).encode())


def table(name: str, given: object) -> Iterator[File]:
    """Yield one file with the rows in the JSON value `given`, or none if there are no rows.

    Raises ValueError if the value is not a list of rows."""
    if not isinstance(given, list) or not all(_is_row(row) for row in given):
        raise ValueError("these are no judgements")
    if given:
        yield rows(name, given)


def _is_row(row: object) -> bool:
    """Return whether `row` is a dict with only strings as keys and values."""
    return isinstance(row, dict) and all(isinstance(each, str) for pair in row.items() for each in pair)


def spans(judged: JudgementRecord, material: Material) -> list[dict[str, str]]:
    """Return a row for each error that people marked."""
    return [*_spans(judged, material)]


def _spans(judged: JudgementRecord, material: Material) -> Iterator[dict[str, str]]:
    """Yield a row for each error that people marked."""
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
    """Yield the files of a corpus from a JSON value. Raises ValueError if it is not the texts of a corpus."""
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
    """Return a JSON Lines file of `lines` with its role and label.

    Raises ValueError if `lines` is not a list of strings."""
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError("these are no texts of a corpus")
    return rows(f"{kind} {name}.jsonl", [{"text": line} for line in lines])._replace(
        role=kind, label=name, column="text"
    )
