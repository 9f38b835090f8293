"""A metric that is new to the catalogue: PER's folder under another name, with all its optional parts and with none.

It lies in a temporary folder, which is added to those of the catalogue; that METRICS has it is the catalogue's line.
"""

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

ROOT = Path(__file__).parent.parent

#: Keys and labels of the new metric with its optional parts, and without.
WHOLE, BARE = ("words_apart", "Words apart"), ("bare_words", "Bare words")

#: What a record may lack, but for what is true of PER either way: an error rate has no highest value, and of its
#: statistics one follows from others.
OPTIONAL = {part.name for part in fields(Metric) if part.default is not MISSING} - {"most", "complete"}


def copied(folder: Path, key: str, label: str, bare: bool = False) -> Path:
    """A copy of PER's folder in another, with this key and name; a bare one without files that its score needs not."""
    target = folder / key
    shutil.copytree(ROOT / "metrics/catalogue/per", target, ignore=shutil.ignore_patterns("__pycache__"))
    record = target / "__init__.py"
    text = record.read_text(encoding="utf8").replace('"per"', f'"{key}"').replace('"PER"', f'"{label}"')
    text = text.replace('"Position-independent error rate"', f'"{label} of the candidate"')
    if bare:
        text = re.sub(rf"^    ({'|'.join(OPTIONAL)})=.*\n", "", text, flags=re.MULTILINE)
        score = target / "score.py"  # whose docstring says no more than the idea
        score.write_text(
            re.sub(r"\n.*?\"{3}", '"""', score.read_text(encoding="utf8"), count=1, flags=re.S), encoding="utf8"
        )
        for file in target.glob("*.py"):
            if file.name not in ("__init__.py", "score.py"):
                file.unlink()
    record.write_text(text, encoding="utf8")
    return target


@cache
def made(key: str, label: str, bare: bool) -> Metric:
    """The record of the new metric, whose folder is looked for beside those of the catalogue."""
    folder = Path(mkdtemp(prefix="catalogue-"))
    copied(folder, key, label, bare)
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


def added(patch: pytest.MonkeyPatch, bare: bool) -> Metric:
    """The new metric, on the catalogue for a test."""
    metric = made(*(BARE if bare else WHOLE), bare)
    patch.setitem(metrics.METRICS, metric.key, metric)
    return metric


@pytest.fixture
def whole_metric(monkeypatch: pytest.MonkeyPatch) -> Metric:
    """The new metric with all its optional parts."""
    return added(monkeypatch, bare=False)


@pytest.fixture
def bare_metric(monkeypatch: pytest.MonkeyPatch) -> Metric:
    """The new metric without any optional part."""
    return added(monkeypatch, bare=True)
