"""What people said of outputs: ratings on scales, and the errors that they marked.

`read` reads files of many formats as one record, beside the texts that `metrics.text.formats.read` gives; `files`
finds those of a folder, and `parted` those among files that were given together.
"""

from .judged_corpus import ErrorSpan, JudgementRecord, RatingScale
from .reading import parted, read
from .sample import Sample, sample
from .scores import files

__all__ = ["ErrorSpan", "JudgementRecord", "RatingScale", "Sample", "files", "parted", "read", "sample"]
