"""Describe TER for corpora: the settings of sacreBLEU that give the same score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .shifts import TERSettings


def sacrebleu(settings: TERSettings, tokenizer: str, lowercase: bool, sums: Mapping[str, float]) -> Sequence[str]:
    """Return the sacreBLEU settings that give the same corpus TER, written as in sacreBLEU's signature.

    The result is empty if there are none: sacreBLEU has fixed limits, which are the defaults here, and splits words
    only at white space."""
    if settings != TERSettings() or tokenizer != "whitespace":
        return ()
    return (f"case:{'lc' if lowercase else 'mixed'}|tok:tercom|norm:no|punct:yes|asian:no",)
