"""Convert the texts and judgements of a corpus to JSON values for a workspace file, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics.text.files import BadData
from metrics.text.formats import File, Material, read
from metrics.text.judgements import JudgementRecord

SYSTEMS_MOST = 64


def material_to_json(stands: Material) -> Mapping[str, Any]:
    """Return the texts of a corpus, before any repair, as JSON values: lists of lines by kind and name."""
    given: dict[str, Any] = {
        "systems": {name: texts.lines for name, texts in stands.systems.items()},
        "references": {name: texts.lines for name, texts in stands.references.items()},
    }
    if stands.source:
        given["source"] = stands.source.lines
    if stands.documents:
        given["documents"] = stands.documents
    return given


def material_from_json(given: object) -> Material:
    """Return the texts of a corpus from the JSON value in a workspace file, checked like uploaded files.

    Raises ValueError if the value does not have the form that `material_to_json` returns."""
    try:
        return read([*_corpus_files(given)])
    except BadData as error:
        raise ValueError(str(error).rstrip(".")) from None


def json_lines_file(name: str, table_rows: Sequence[Mapping[str, Any]]) -> File:
    """Return a JSON Lines file called `name` with the rows in `table_rows`, one per line."""
    return File(name, "".join([f"{json.dumps(row)}\n" for row in table_rows]).encode())


def json_lines_files(name: str, given: object) -> Iterator[File]:
    """Yield one JSON Lines file with the rows of judgements in the JSON value `given`, or none if there are no rows.

    Raises ValueError if the value is not a list of dicts of strings."""
    if not isinstance(given, list) or not all(_is_string_dict(row) for row in given):
        raise ValueError("these are not judgements")
    if given:
        yield json_lines_file(name, given)


def _is_string_dict(row: object) -> bool:
    """Return whether `row` is a dict with only strings as keys and values."""
    return isinstance(row, dict) and all(isinstance(each, str) for pair in row.items() for each in pair)


def marked_error_rows(judged: JudgementRecord, material: Material) -> list[dict[str, str]]:
    """Return a table row, as strings by column name, for each error that people marked."""
    return [*_yield_span_rows(judged, material)]


def _yield_span_rows(judged: JudgementRecord, material: Material) -> Iterator[dict[str, str]]:
    """Yield a table row, as strings by column name, for each error that people marked."""
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


def _corpus_files(json_value: object) -> Iterator[File]:
    """Yield the texts of a corpus in a JSON value as one file for each system, reference, source and list of documents.

    Raises ValueError if the value does not have the form that `material_to_json` returns."""
    if not isinstance(json_value, dict):
        raise ValueError("these are no texts of a corpus")
    for kind, texts in (("system", json_value.get("systems")), ("reference", json_value.get("references"))):
        if not isinstance(texts, dict) or len(texts) > SYSTEMS_MOST:
            raise ValueError("these are no texts of a corpus")
        yield from [_file_of_lines(kind, name, lines) for name, lines in texts.items()]
    for kind, name in (("source", "source"), ("document", "documents")):
        if name in json_value:
            yield _file_of_lines(kind, "", json_value[name])


def _file_of_lines(kind: str, name: str, lines: object) -> File:
    """Return `lines` as a JSON Lines file that says which role (`kind`) they have and what they are called.

    Raises ValueError if `lines` is not a list of strings."""
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError("these are no texts of a corpus")
    return json_lines_file(f"{kind} {name}.jsonl", [{"text": line} for line in lines])._replace(
        role=kind, label=name, column="text"
    )
