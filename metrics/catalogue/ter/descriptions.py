"""TER: the settings of sacreBLEU that give the same score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .shifts import TERSettings


def sacrebleu(settings: TERSettings, tokenizer: str, lowercase: bool, sums: Mapping[str, float]) -> Sequence[str]:
    """Its limits are the defaults here, and it takes words as they stand."""
    if settings != TERSettings() or tokenizer != "whitespace":
        return ()
    return (f"case:{'lc' if lowercase else 'mixed'}|tok:tercom|norm:no|punct:yes|asian:no",)
