"""The texts of a corpus in a workspace file, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

import metrics
from metrics.text.files import BadData
from metrics.text.formats import File, Material, read

from . import held
from .corpora import Scoring
from .record import SYSTEMS_MOST, Corpus

NAME = "corpus"  # what a file calls them


def give() -> Callable[[], Mapping[str, Any]]:
    """What gives the texts of the visitor's corpus as they were given, nothing where there is none."""
    found = held.scoring()
    return dict if found is None else partial(_given, found.stands)


def _given(stands: Material) -> Mapping[str, Any]:
    given: dict[str, Any] = {
        "systems": {name: texts.lines for name, texts in stands.systems.items()},
        "references": {name: texts.lines for name, texts in stands.references.items()},
    }
    if stands.source:
        given["source"] = stands.source.lines
    if stands.documents:
        given["documents"] = stands.documents
    return {NAME: given}


def take(shown: Corpus, extra: Mapping[str, Any]) -> None:
    """Score the texts that a file holds, with the settings that it holds. ValueError where they are none."""
    if NAME not in extra:
        return
    try:
        material = read([*_files(extra[NAME])])
    except BadData as error:
        raise ValueError(str(error).rstrip(".")) from None
    if not material.systems or not material.references:
        raise ValueError("a system and references are needed")
    settings = {key: shown.settings_of(key) for key in metrics.METRICS}
    held.begin(Scoring(material, shown.text, settings, shown.metric, {}))
    last = len(material.systems) - 1
    st.session_state.update(
        corpus_a=min(shown.a, last), corpus_b=min(shown.b, last), corpus_segment=shown.segment, corpus_says=""
    )


def _files(given: object) -> Iterator[File]:
    """The texts as files, which are read and bounded as those that are chosen."""
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
    return File(f"{kind} {name}.jsonl", _data(lines), kind, name, "text")


def _data(lines: Sequence[str]) -> bytes:
    return "".join([f"{json.dumps({'text': line})}\n" for line in lines]).encode()
