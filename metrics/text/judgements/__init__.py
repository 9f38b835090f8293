"""Read human judgements of outputs: ratings on scales, and errors marked in the outputs.

`read` reads files of many formats into one record that refers to texts read by `metrics.text.formats.read`. `files`
finds the files of judgements in a folder, and `split_files` separates them from files of texts that were given together
with them."""

from .judged_corpus import ErrorSpan as ErrorSpan
from .judged_corpus import JudgementRecord as JudgementRecord
from .judged_corpus import RatingScale as RatingScale
from .reading import read as read
from .reading import split_files as split_files
from .sample import Sample as Sample
from .sample import sample as sample
from .scores import files as files
