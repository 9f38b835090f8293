"""Describe chrF scores of corpora: causes of a difference, and sacreBLEU's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...types import Cause, Settings
from .score import ChrFSettings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "matches" for chrF, where n-grams of each order match instead of words.

    In the clauses, {name} is replaced by the noun of the order, such as "character 2-grams"."""
    return {"matches": Cause("more matching {name}", "fewer matching {name}", "matching {name}")}


def sacrebleu(settings: ChrFSettings, tokenizer: str, lowercase: bool, sums: Mapping[str, float]) -> Sequence[str]:
    """Return the sacreBLEU settings that give the same corpus chrF, written as in sacreBLEU's signature.

    The result is empty if there are none: sacreBLEU takes only whole numbers from 1 on for β, and splits words only at
    white space."""
    if settings.beta != int(settings.beta) or settings.beta < 1:
        return ()
    if tokenizer != "whitespace" and (settings.word_order or settings.whitespace):
        return ()
    case, effective = "lc" if lowercase else "mixed", "no" if settings.eps_smoothing else "yes"
    space = "yes" if settings.whitespace else "no"
    return [f"case:{case}|eff:{effective}|nc:{settings.char_order}|nw:{settings.word_order}|space:{space}"]
