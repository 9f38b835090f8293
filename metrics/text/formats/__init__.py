"""Read files of many formats, uploaded or named, into one record of a corpus.

The record holds the systems' outputs, the references, the source, the document of each segment, and scores of other
programs. `read` recognises the format of each file, says how it interpreted the file, and joins the files segment by
segment: by the segments' keys, or by their order. A caller can correct the role of a column (such as reference or
output) by its name. Nothing here computes a score."""

from .file_columns import FORMAT_WORDS as FORMAT_WORDS
from .folders import files_in_folder as files_in_folder
from .material import Material as Material
from .material import RecognisedFile as RecognisedFile
from .material import read as read
from .material import recognise_files as recognise_files
from .misfits import misfit_files as misfit_files
from .sheets import File as File
