"""Pictures of results. Importing it lets a notebook show a result as its picture; `steps` shows how it is found, and
`edits` what the edits between two texts are worth, `corpus` which of two systems is better over many segments, and why,
and `agreement` how well metrics agree with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from metrics.types import Result

if TYPE_CHECKING:
    from metrics.corpus.agreement import Group
    from metrics.text.judgements import JudgementRecord

    from .save.agreement_notebook import AgreementOutput
    from .save.corpus_notebook import CorpusOutput
    from .save.notebook import EditsOutput, Steps


def steps(
    key: str,
    candidate: Sequence[str],
    references: Sequence[Sequence[str]],
    picture: Literal["grid", "arcs"] | None = None,
    **given: Any,
) -> Steps:
    """The steps of the paper's own program, as `metrics.trace` gives them; a notebook shows them as a player.

    `picture` chooses between the grid and arcs or lines, where the steps have both; None takes what the page does.

    >>> steps("gtm", ["a", "b"], [["a", "b"]]).walk.trace.metric
    'gtm'
    """
    from .save import notebook

    return notebook.Steps(key, candidate, references, picture, **given)


def edits(
    key: str, candidate: Sequence[str], other: Sequence[str], references: Sequence[Sequence[str]], **given: Any
) -> EditsOutput:
    """The edits from a candidate to another text, as `metrics.edits` gives them; a notebook shows them as one line and
    as a table of what each is worth to every metric.

    >>> edits("wer", ["a", "b"], ["a", "c"], [["a", "c"]]).pair.after.score
    0.0
    """
    from .save import notebook

    return notebook.EditsOutput(key, candidate, other, references, **given)


def corpus(
    key: str,
    systems: Mapping[str, Sequence[Sequence[str]]] | Sequence[Sequence[Sequence[str]]],
    references: Sequence[Sequence[Sequence[str]]],
    source: Sequence[str] | None = None,
    **given: Any,
) -> CorpusOutput:
    """Two or more systems' candidates for the same segments, by name or as a list, whose names are then A, B, C ...; a
    notebook shows whether the second one is better than the first, whether that is more than chance, why, and the
    segments that tell the most.

    `references` has those of each segment, as `metrics.corpus_score` takes them; `source` has its text for each.

    >>> found = corpus("wer", {"old": [["a", "b"]] * 9, "new": [["a", "c"]] * 9}, [[["a", "c"]]] * 9)
    >>> found.found.verdict
    'new is better than old by 0.5000 WER (95 % interval 0.5000 to 0.5000; p = 0.003): fewer edits −0.5000.'
    """
    from .save import corpus_notebook

    return corpus_notebook.CorpusOutput(key, systems, references, source, **given)


def agreement(
    systems: Mapping[str, Sequence[Sequence[str]]],
    references: Sequence[Sequence[Sequence[str]]],
    human: Mapping[str, Sequence[float | None]] | JudgementRecord,
    keys: Sequence[str] = (),
    scale: str = "",
    group: Group = "none",
    scores: Mapping[str, Mapping[str, Sequence[float | None]]] = {},
) -> AgreementOutput:
    """How well metrics agree with people; a notebook shows coefficients over segments and over systems with their
    intervals, which metrics cannot be told apart, and what does not hold up.

    `systems` are candidates by name, `references` those of each segment as `metrics.corpus_score` takes them, and
    `human` has for systems by name a rating of each segment, higher being better, None where there is none, and `scale`
    is what they are called, "people" where nothing is said. Or it is a record of several judges' ratings of these
    systems, in their order, with the direction of each scale: `scale` is then the name of one, the first where nothing
    is said, and its marked spans count letters of an output's words with one space between them. What metrics find
    wrong is held against these.

    `keys` are metrics, all of them where none is named; `scores` are those of other programs, by what they are called
    and by system, a number or None a segment. Coefficients of segments are over all outputs at once, or within each
    segment or system where `group` is "item" or "sys".

    >>> texts = {"A": [["a", "b"], ["c", "d"]], "B": [["a", "x"], ["c", "d"]], "C": [["y", "x"], ["c", "z"]]}
    >>> references = [[["a", "b"]], [["c", "d"]]]
    >>> found = agreement(texts, references, {"A": [5, 4], "B": [3, 4], "C": [1, None]}, ["per"])
    >>> round(found.table.row("per").segment["pearson"].coefficient.value, 3)
    0.958

    Two judges, of whom lower is better, and the scores of another program:

    >>> import numpy as np
    >>> from metrics.text.judgements import JudgementRecord, RatingScale
    >>> errors = np.array([[[0, 1], [1, 0]], [[2, 3], [1, 2]], [[9, 7], [8, 9]]], dtype=float)
    >>> scales = (RatingScale("errors", False),)
    >>> judged = JudgementRecord(("A", "B", "C"), 2, ("x", "y"), scales, {"errors": errors})
    >>> comet = {"COMET": {"A": [0.9, 0.8], "B": [0.7, 0.8], "C": [0.1, 0.2]}}
    >>> found = agreement(texts, references, judged, ["per"], scores=comet)
    >>> [row.column.label for row in found.table.rows][:2], found.table.people.tolist()[0]
    (['PER', 'COMET'], [-0.5, -0.5])
    """
    from .save import agreement_notebook

    return agreement_notebook.AgreementOutput(systems, references, human, keys, scale, group, scores)


def _repr_html_(result: Result) -> str:
    from .save import notebook

    return notebook.html(result)


Result._repr_html_ = _repr_html_  # type: ignore[attr-defined]
