"""Comparisons of two outputs whose saved files tests read."""

from __future__ import annotations

from typing import Any

import metrics
from metrics.text import TextSettings
from metrics.types import Result
from viz.draw.texts import ProcessedTexts
from viz.frame.examples import PAIR_BY_NAME
from viz.state.texts import inputs

GUNMAN = "Gunman: passive fixed"


ASCII_HOSTILE = (
    r"""<script>alert(1)</script> ]]> $x$ %{x} &amp; "q' `b^^M \input{x} \end{document} ~_# {}} --> |- =1+1 @a"""
)


HOSTILE = (
    ASCII_HOSTILE
    + " a\x00b \ud800z a\u202eb \u2066c שלום!2024 ירושלים2024.5 👩‍👩‍👧‍👦 e\u0301 \u0301 ＝x "
    + "w" * 20_000
)


def texts_of(a: str, b: str, references: str, **text: Any) -> tuple[ProcessedTexts, ProcessedTexts]:
    texts = inputs.read_systems([("A", a), ("B", b)], references, TextSettings(**text))
    assert not isinstance(texts, str), texts
    return texts[0], texts[1]


def example_pair(name: str) -> tuple[ProcessedTexts, ProcessedTexts, tuple[str, str]]:
    pair = PAIR_BY_NAME[name]
    return *texts_of(pair.a, pair.b, pair.references, **pair.text), pair.names


def score_both(a: ProcessedTexts, b: ProcessedTexts, key: str, **given: Any) -> tuple[Result, Result]:
    settings = metrics.settings(key, **given)
    before, after = (metrics.METRICS[key].score(texts.segment, settings) for texts in (a, b))
    return before, after


REFERENCES = PAIR_BY_NAME[GUNMAN].references


TWO_SYSTEMS = (("old", PAIR_BY_NAME[GUNMAN].a), ("new", PAIR_BY_NAME[GUNMAN].b))
