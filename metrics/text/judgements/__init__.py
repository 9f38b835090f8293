"""What people said of outputs: ratings on scales, and the errors that they marked.

`read` reads files of many formats as one record, beside the texts that `metrics.text.formats.read` gives; `files`
finds those of a folder, and `parted` those among files that were given together.
"""

from .judged import Judged, Scale, Span
from .reading import parted, read
from .sample import Sample, sample
from .scores import files

__all__ = ["Judged", "Sample", "Scale", "Span", "files", "parted", "read", "sample"]
