"""What is done once before the first visitor is served.

Modules that are used late are imported here. Imported by the first visitors, many at a time and each from another end,
they would see each other half made; and the first one would wait for all of them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

MODULES = (
    "nltk.stem",
    "numpy",
    "pandas",
    "plotly.graph_objects",
    "plotly.io",
    "pyarrow",
    "regex",
    "streamlit.elements.plotly_chart",
    "viz.pages.compare.word_worth",
    "viz.pages.sentence.one_metric",
    "viz.pages.sentence.several_metrics",
    "viz.pages.sentence.error_classes",
    "viz.pages.compare.two_outputs",
    "viz.frame.menus",
    "viz.pages.compare.systems",
    "viz.pages.learn.chapter",
    "viz.pages.learn.chapter_list",
)


@asynccontextmanager
async def ready(app: object) -> AsyncIterator[None]:
    """Around the server's life."""
    get_ready()
    yield


def get_ready() -> None:
    """Import what is imported late, and score the first example, which looks for WordNet too."""
    for name in MODULES:
        import_module(name)
    from metrics import METRICS, settings
    from metrics.text import TextSettings

    from .state import cache, chapters, examples, inputs

    first = examples.EXAMPLES[0]
    texts = inputs.read(first.candidate, first.references, TextSettings())
    assert not isinstance(texts, str)
    for key in METRICS:
        cache.glance(key, texts.segment, settings(key))
    chapters.shelf()
