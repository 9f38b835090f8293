"""Read human judgements of outputs: ratings on scales, and errors marked in the outputs.

`read` reads files of many formats into one record that refers to texts read by `metrics.text.formats.read`. `files`
finds the files of judgements in a folder, and `split_files` separates them from files of texts that were given together
with them."""

from .judged_corpus import ErrorSpan, JudgementRecord, RatingScale
from .reading import read, split_files
from .sample import Sample, sample
from .scores import files

__all__ = [
    "ErrorSpan",
    "JudgementRecord",
    "RatingScale",
    "Sample",
    "files",
    "read",
    "sample",
    "split_files",
]
