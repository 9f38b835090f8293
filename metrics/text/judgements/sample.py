"""A sample corpus with judgements: 60 lines of a talk by 13 systems, with human ratings and marked errors."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..formats.sheets import File

_FOLDER = Path(__file__).with_name("talks")
_SOURCE = "Google's WMT MQM human evaluation, github.com/google/wmt-mqm-human-evaluation, Apache License 2.0"


class Sample(NamedTuple):
    """The files of the sample corpus.

    Attributes:
        texts: the files that `metrics.text.formats.read` reads.
        judgements: the files that `metrics.text.judgements.read` reads.
        statement: a sentence that names the source and licence, to be shown wherever the texts are."""

    texts: tuple[File, ...]
    judgements: tuple[File, ...]
    statement: str


def has_sample() -> bool:
    """Return whether the sample is there: a copy of the program may leave out its folder, whose texts others own."""
    return _FOLDER.is_dir()


def sample() -> Sample:
    """Return the sample corpus. The files in `talks/` say what was changed in it, and under which licence it is.

    >>> from metrics.text.formats import read as texts
    >>> from metrics.text.judgements import read
    >>> found = sample()
    >>> material = texts(found.texts)
    >>> judged = read(found.judgements, material)
    >>> len(judged.systems), judged.size, len(judged.judges), [scale.name for scale in judged.scales], len(judged.spans)
    (13, 60, 7, ['mqm'], 601)
    """
    texts, *judgements = [
        File(name, (_FOLDER / name).read_bytes()) for name in ("texts.tsv", "ratings.tsv", "spans.tsv")
    ]
    statement = (
        "The first sixty lines of a TED talk that thirteen systems of WMT 2021 translated from Chinese, each output "
        f"judged by one professional translator ({_SOURCE})."
    )
    return Sample((texts,), tuple(judgements), statement)
