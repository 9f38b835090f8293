"""Make metrics that are new to the catalogue: copies of PER's folder, with all optional parts or with none.

A copy lies in a temporary folder that is added to the catalogue's path. Adding it to METRICS replaces the line that a
real new metric needs in the catalogue."""

from __future__ import annotations

import re
import shutil
from dataclasses import MISSING, fields
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp

import pytest

import metrics
from metrics import catalogue
from metrics.types import Metric

ROOT = Path(__file__).parents[2]

#: Key and label of the new metric with its optional parts, and of the one without.
WHOLE, BARE = ("words_apart", "Words apart"), ("bare_words", "Bare words")

#: The fields that a record may lack, without two that PER needs either way: an error rate has no highest value
#: (`most`), and one of PER's statistics follows from others (`complete`).
OPTIONAL = {part.name for part in fields(Metric) if part.default is not MISSING} - {"most", "complete"}


def copy_per_folder(folder: Path, key: str, label: str, bare: bool = False) -> Path:
    """Copy the folder of the metric PER into `folder` under another key and label, and return the new folder.

    With `bare` the copy has no optional fields, and only the files that its score needs."""
    target = folder / key
    shutil.copytree(ROOT / "metrics/catalogue/per", target, ignore=shutil.ignore_patterns("__pycache__"))
    record = target / "__init__.py"
    text = record.read_text(encoding="utf8").replace('"per"', f'"{key}"').replace('"PER"', f'"{label}"')
    text = text.replace('"Position-independent error rate"', f'"{label} of the candidate"')
    if bare:
        text = re.sub(rf"^    ({'|'.join(OPTIONAL)})=.*\n", "", text, flags=re.MULTILINE)
        score = target / "score.py"  # its docstring keeps only the first line
        score.write_text(
            re.sub(r"\n.*?\"{3}", '"""', score.read_text(encoding="utf8"), count=1, flags=re.S), encoding="utf8"
        )
        for file in target.glob("*.py"):
            if file.name not in ("__init__.py", "score.py"):
                file.unlink()
    record.write_text(text, encoding="utf8")
    return target


@cache
def import_copy(key: str, label: str, bare: bool) -> Metric:
    """Return the record of a new metric, made in a temporary folder and imported from there.

    `bare` says whether it lacks all optional parts, such as a program and questions."""
    folder = Path(mkdtemp(prefix="catalogue-"))
    copy_per_folder(folder, key, label, bare)
    path = [*catalogue.__path__]
    catalogue.__path__ = [*path, str(folder)]
    try:
        metric: Metric = import_module(f"metrics.catalogue.{key}").METRIC
        for part in (metric.program, metric.asks, metric.slips, metric.plans):
            assert (part is None) == bare and (part is None or part())
    finally:
        catalogue.__path__ = path
        shutil.rmtree(folder)
    return metric


def add_metric(patch: pytest.MonkeyPatch, bare: bool) -> Metric:
    """Add a new metric to METRICS until the test ends, and return it.

    `bare` says whether it lacks all optional parts, such as a program and questions."""
    metric = import_copy(*(BARE if bare else WHOLE), bare)
    patch.setitem(metrics.METRICS, metric.key, metric)
    return metric


@pytest.fixture
def whole_metric(monkeypatch: pytest.MonkeyPatch) -> Metric:
    """Return a new metric with all optional parts, such as a program and questions, added to METRICS for the test."""
    return add_metric(monkeypatch, bare=False)


@pytest.fixture
def bare_metric(monkeypatch: pytest.MonkeyPatch) -> Metric:
    """Return a new metric without any optional part, added to METRICS for the test."""
    return add_metric(monkeypatch, bare=True)
