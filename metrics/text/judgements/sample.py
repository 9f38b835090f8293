"""A sample corpus with judgements: 40 invented sentences by six made-up systems, with ratings and marked errors."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..formats.sheets import File

_FOLDER = Path(__file__).with_name("harbour")


class Sample(NamedTuple):
    """The files of the sample corpus.

    Attributes:
        texts: the files that `metrics.text.formats.read` reads.
        judgements: the files that `metrics.text.judgements.read` reads.
        statement: a sentence on what they are, to be shown wherever the texts are."""

    texts: tuple[File, ...]
    judgements: tuple[File, ...]
    statement: str


def sample() -> Sample:
    """Return the sample corpus, which was written for this program; the README in `harbour/` says how.

    >>> from metrics.text.formats import read as texts
    >>> from metrics.text.judgements import read
    >>> found = sample()
    >>> material = texts(found.texts)
    >>> judged = read(found.judgements, material)
    >>> judged.systems, judged.size, judged.judges, [scale.name for scale in judged.scales]
    (('Before', 'After', 'Careful', 'Literal', 'Fluent', 'Short'), 40, ('judge 1', 'judge 2'), ['mqm'])
    """
    texts, *judgements = [
        File(name, (_FOLDER / name).read_bytes()) for name in ("texts.tsv", "ratings.tsv", "spans.tsv")
    ]
    statement = (
        "Forty invented sentences from German by six made-up systems; the judgements are invented too. They show what "
        "this page does, not how well metrics agree with people."
    )
    return Sample((texts,), tuple(judgements), statement)
