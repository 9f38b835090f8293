"""Sixty lines of a talk that thirteen systems translated, with what people said of each output, for tests."""

from pathlib import Path

from metrics.text.formats import File
from metrics.text.judgements import Sample

FOLDER = Path(__file__).parents[1] / "data" / "judged-talks"


def judged_talks() -> Sample:
    """Return the files of the talk and of its judgements; the folder's README says where they come from."""
    texts, *judgements = [
        File(name, (FOLDER / name).read_bytes()) for name in ("texts.tsv", "ratings.tsv", "spans.tsv")
    ]
    return Sample((texts,), tuple(judgements), "")
