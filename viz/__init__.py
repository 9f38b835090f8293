"""Show results in notebooks.

Importing the package makes a notebook display each result as its picture. `steps` plays the steps of an algorithm,
`edits` shows what the edits between two texts are worth, `corpus` compares systems over many segments and explains the
difference, and `agreement` shows how well metrics agree with human ratings."""

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
    """Return the steps of a metric's algorithm on the given texts; a notebook displays them as a player.

    The steps are those of the algorithm in the metric's paper, as `metrics.trace` returns them. `key` is the key of the
    metric, such as "gtm". `picture` chooses between the grid and arcs or lines, for steps that have both; None takes
    the default of the page. `given` are settings of the metric.

    >>> steps("gtm", ["a", "b"], [["a", "b"]]).walk.trace.metric
    'gtm'
    """
    from .save import notebook

    return notebook.Steps(key, candidate, references, picture, **given)


def edits(
    key: str, candidate: Sequence[str], other: Sequence[str], references: Sequence[Sequence[str]], **given: Any
) -> EditsOutput:
    """Return the edits from a candidate to another text; a notebook displays them with what each is worth.

    The edits are those of `metrics.edits`, for the metric with the key `key`. They are displayed as one line, and as a
    table of the worth of each edit to every metric. `given` are settings of the metric.

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
    """Return a comparison of two or more systems on the same segments; a notebook displays it as a report.

    The report says whether the second system is better than the first, whether the difference is more than chance, why,
    and which segments tell the most.

    Args:
        key: the key of the metric, such as "bleu".
        systems: the candidates of each system, by name or as a list; in a list, the names are A, B, C and so on.
        references: the references of each segment, as `metrics.corpus_score` takes them.
        source: the source text of each segment.
        given: settings of the metric.

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
    """Return how well metrics agree with human ratings; a notebook displays it as a report.

    The report has coefficients over segments and over systems with their intervals. It says which metrics cannot be
    told apart, and which conclusions do not hold up.

    Args:
        systems: the candidates of each system, by name.
        references: the references of each segment, as `metrics.corpus_score` takes them.
        human: for each system, by name, one rating per segment, higher being better, or None; or a record of several
            judges' ratings of these systems in the same order, which states the direction of each scale. The letters of
            its marked spans are counted in the output's words joined by single spaces; the words that metrics find
            wrong are compared with these spans.
        keys: the metrics; all if empty.
        scale: the name of the ratings, "people" by default; for a record, the name of a scale, by default its first.
        group: whether coefficients of segments are computed over all outputs at once ("none"), within each segment
            ("item") or within each system ("sys").
        scores: scores of other programs, by name and by system: a number or None for each segment.

    >>> texts = {"A": [["a", "b"], ["c", "d"]], "B": [["a", "x"], ["c", "d"]], "C": [["y", "x"], ["c", "z"]]}
    >>> references = [[["a", "b"]], [["c", "d"]]]
    >>> found = agreement(texts, references, {"A": [5, 4], "B": [3, 4], "C": [1, None]}, ["per"])
    >>> round(found.table.row("per").segment["pearson"].coefficient.value, 3)
    0.958

    Here two judges rate on a scale where lower is better, and another program gives scores:

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
    """Return the HTML with which a notebook displays a result."""
    from .save import notebook

    return notebook.result_html(result)


Result._repr_html_ = _repr_html_  # type: ignore[attr-defined]
