"""Read files of many formats, uploaded or named, into one record of a corpus.

The record holds the systems' outputs, references, source, documents and scores. `read` recognises the format of each
file, says how it interpreted the file, and joins the files by key or by order. A caller can correct the role of a
column by its name. Nothing here computes a score."""

from .folders import files_in_folder
from .material import ColumnTexts, Material, RecognisedFile, read, recognise_files
from .misfits import misfit_files
from .sheets import File

__all__ = [
    "ColumnTexts",
    "File",
    "Material",
    "RecognisedFile",
    "files_in_folder",
    "misfit_files",
    "read",
    "recognise_files",
]
