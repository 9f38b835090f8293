"""What a package that is not installed belongs to, and what brings it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

#: The extras of the installed package, by the packages that they bring.
EXTRAS = {
    "regex": "text",
    "sacrebleu": "text",
    "nltk": "text",
    "py3langid": "text",
    "joblib": "corpus",
    "threadpoolctl": "corpus",
    "lxml": "corpus",
    "openpyxl": "corpus",
    "distributed": "cluster",
    "dask": "cluster",
    "streamlit": "app",
    "plotly": "app",
    "cachetools": "app",
    "segno": "app",
}


def missing(package: str) -> str:
    """A sentence on a package that is needed and not there; "" for one that nothing here brings.

    >>> missing("nltk"), missing("antigravity")
    ("nltk is needed for that and is not installed: pip install 'bitext-grid[text]'", '')
    """
    extra = EXTRAS.get(package.partition(".")[0])
    return f"{package} is needed for that and is not installed: pip install 'bitext-grid[{extra}]'" if extra else ""


@contextmanager
def extra_named() -> Iterator[None]:
    """Imports of what an extra brings: where it is not installed, the error says which. Raises ModuleNotFoundError.

    >>> with extra_named():
    ...     raise ModuleNotFoundError(name="lxml.etree")
    Traceback (most recent call last):
    ModuleNotFoundError: lxml is needed for that and is not installed: pip install 'bitext-grid[corpus]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        says = missing((error.name or "").partition(".")[0])
        if not says:
            raise
        raise ModuleNotFoundError(says, name=error.name) from None
