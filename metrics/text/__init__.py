"""Turn raw texts into tokens: normalise, lowercase, tokenise and stem them.

Every token keeps its position in the text as typed. No raw text passes beyond this package: the metrics get tokens."""

from .processing import LANGUAGES as LANGUAGES
from .processing import TextSegment as TextSegment
from .processing import TextSettings as TextSettings
from .processing import Token as Token
from .processing import csv_cell as csv_cell
from .processing import describe_excess as describe_excess
from .processing import forms as forms
from .processing import graphemes as graphemes
from .processing import nfkc as nfkc
from .processing import printable as printable
from .processing import process as process
from .processing import segment_text as segment_text
from .processing import stem as stem
