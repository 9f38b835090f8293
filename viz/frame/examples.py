"""Read the examples: sentences with references, and pairs of outputs that are compared."""

from __future__ import annotations

from pathlib import Path

from ..state.files.examples import comparisons, sentences
from ..state.texts import reading
from ..state.visit import pending_widgets


def _read_file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


_SENTENCES, _COMPARISONS = "example_sentences.toml", "example_comparisons.toml"
EXAMPLES = sentences(_SENTENCES, _read_file(_SENTENCES))
BY_NAME = {example.name: example for example in EXAMPLES}
PAIRS = comparisons(_COMPARISONS, _read_file(_COMPARISONS))
PAIR_BY_NAME = {pair.name: pair for pair in PAIRS}


def clear_stale_source(source: str, references: str) -> bool:
    """Clear the source if it belongs to an example whose references the visitor has replaced by other texts.

    Returns whether it was cleared."""
    of = next((pair for pair in PAIRS if pair.source and pair.source == source), None)
    if of is None or not references.strip() or reading.same_meaning(of.references, references):
        return False
    pending_widgets.give_value("source", "")
    return True
