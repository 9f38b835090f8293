"""Write the texts and judgements of a corpus into a workspace file, and read them back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from metrics.corpus.agreement.columns import ScoreDirection
from metrics.text.formats import File, Material
from metrics.text.judgements import JudgementRecord, RatingScale

from ...frame import plain_texts
from . import upload, visitor_corpus
from .agreement_job import AgreementInput, AgreementJob
from .record import AgreementState

NAME = "judged"  # the file's key of texts and judgements


def give() -> Callable[[], Mapping[str, Any]]:
    """Return a callable that returns what the workspace file holds of the visitor's corpus: texts and judgements.

    It returns an empty dict if there is no corpus."""
    corpus = visitor_corpus.visitor_job()
    return dict if corpus is None else partial(_corpus_data, corpus)


def _corpus_data(corpus: AgreementJob) -> Mapping[str, Any]:
    """Return a corpus with its judgements as JSON values for a workspace file."""
    judged = corpus.judged
    ways: list[RatingScale | ScoreDirection] = [*corpus.ways, *judged.scales]
    return {
        NAME: {
            **plain_texts.material_to_json(corpus.material),
            "scores": corpus.material.scores,
            "ratings": [*_rating_rows(judged)],
            "spans": plain_texts.marked_error_rows(judged, corpus.material),
            "higher_is_better": {way.name: way.higher_is_better for way in ways},
            "says": corpus.says,
        }
    }


def _rating_rows(judged: JudgementRecord) -> Iterator[dict[str, Any]]:
    """Yield a table row, by column name, for each output and each judge who rated it."""
    rated = np.stack([~np.isnan(each) for each in judged.ratings.values()]).any(axis=0)
    for system, segment, judge in np.argwhere(rated).tolist():
        values = {name: each[system, segment, judge] for name, each in judged.ratings.items()}
        given = {name: repr(float(value)) for name, value in values.items() if not np.isnan(value)}
        yield {"line": str(segment + 1), "system": judged.systems[system], "rater": judged.judges[judge], **given}


def take(state: AgreementState, extra: Mapping[str, Any]) -> None:
    """Score the corpus in a workspace file, with the settings of its page state.

    `extra` are the values in the file that are no page state. Raises ValueError if they are not a valid corpus."""
    if NAME not in extra:
        return
    material = _with_scores(plain_texts.material_from_json(extra[NAME]), extra[NAME].get("scores", {}))
    files, higher = [*_judgement_files(extra[NAME])], extra[NAME].get("higher_is_better")
    if not isinstance(higher, dict) or not all(isinstance(each, bool) for each in higher.values()):
        raise ValueError("these are no judgements")
    judged = upload.read_judgements(files, material, higher)
    if isinstance(judged, str):
        raise ValueError(judged.rstrip("."))
    says = extra[NAME].get("says")
    upload.score_corpus(
        material, judged, state, AgreementInput((), (), {}, higher), says[:600] if isinstance(says, str) else ""
    )
    visitor_corpus.restore_selection(state)


def _with_scores(material: Material, json_scores: object) -> Material:
    """Return the texts with the scores of other programs that are in the JSON value `json_scores`.

    Raises ValueError if these are not lists with one score for each segment."""
    scores: dict[str, dict[str, tuple[float | None, ...]]] = {}
    for name, of in json_scores.items() if isinstance(json_scores, dict) else ():
        for system, each in of.items() if isinstance(of, dict) else ():
            if (
                not isinstance(each, list)
                or len(each) != len(material)
                or not all(one is None or isinstance(one, int | float) for one in each)
            ):
                raise ValueError("these are no scores of the segments")
            scores.setdefault(str(name)[:200], {})[system] = tuple(each)
    return replace(material, scores=scores)


def _judgement_files(json_values: Mapping[str, Any]) -> Iterator[File]:
    """Yield the ratings and the marked errors in a JSON value as files, to be read like uploaded ones."""
    for name in ("ratings", "spans"):
        yield from plain_texts.json_lines_files(f"{name}.jsonl", json_values.get(name))
