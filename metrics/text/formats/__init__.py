"""Files of many formats, uploaded or named, as one record: systems, references, source, documents, scores.

`read` recognises each file, says what it takes it for, and joins what they hold by key or by order. What a column is
taken for can be corrected by its name. Nothing here is scored.
"""

from .folders import of_folder
from .material import ColumnTexts, Material, Recognised, read, recognised
from .misfits import in_the_way
from .sheets import File

__all__ = ["ColumnTexts", "File", "Material", "Recognised", "in_the_way", "of_folder", "read", "recognised"]
