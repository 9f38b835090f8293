"""The optional packages, the extra of this package that installs each, and the error that names the extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

#: The extra of bitext-grid that installs a package, by the package's import name.
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
    """Return a sentence that says how to install a missing package; "" for a package that no extra installs.

    >>> missing("nltk"), missing("antigravity")
    ("nltk is needed for that and is not installed: pip install 'bitext-grid[text]'", '')
    """
    extra = EXTRAS.get(package.partition(".")[0])
    return f"{package} is needed for that and is not installed: pip install 'bitext-grid[{extra}]'" if extra else ""


@contextmanager
def extra_named() -> Iterator[None]:
    """Import packages of an extra within this context, so that the error for a missing package names the extra.

    Raises ModuleNotFoundError.

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
