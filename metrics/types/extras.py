"""The optional packages, the extra of this package that installs each of them, and errors that name the extra."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

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
    "segno": "app",
}


def missing_package_sentence(package: str) -> str:
    """Return a sentence on how to install a missing package; "" for a package that no extra installs.

    >>> missing_package_sentence("nltk"), missing_package_sentence("antigravity")
    ("nltk is needed for that and is not installed: pip install 'bitext-grid[text]'", '')
    """
    extra = EXTRAS.get(package.partition(".")[0])
    return f"{package} is needed for that and is not installed: pip install 'bitext-grid[{extra}]'" if extra else ""


def missing_packages_sentence(packages: Iterable[str]) -> str:
    """Return a sentence on how to install the first of these packages that is not installed; "" if all are.

    >>> missing_packages_sentence(["json"])
    ''
    """
    return next((missing_package_sentence(name) for name in packages if find_spec(name) is None), "")


@contextmanager
def extra_named_in_errors() -> Iterator[None]:
    """Let the error for a missing package, raised within this context, name the extra that installs the package.

    Raises ModuleNotFoundError.

    >>> with extra_named_in_errors():
    ...     raise ModuleNotFoundError(name="lxml.etree")
    Traceback (most recent call last):
    ModuleNotFoundError: lxml is needed for that and is not installed: pip install 'bitext-grid[corpus]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        says = missing_package_sentence((error.name or "").partition(".")[0])
        if not says:
            raise
        raise ModuleNotFoundError(says, name=error.name) from None
