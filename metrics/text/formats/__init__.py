"""Files of many formats, uploaded or named, as one record: systems, references, source, documents, scores.

`read` recognises each file, says what it takes it for, and joins what they hold by key or by order. What a column is
taken for can be corrected by its name. Nothing here is scored.
"""

from .fitting import in_the_way
from .folders import of_folder
from .material import Material, Recognised, Texts, read, recognised
from .sheets import File

__all__ = ["File", "Material", "Recognised", "Texts", "in_the_way", "of_folder", "read", "recognised"]
