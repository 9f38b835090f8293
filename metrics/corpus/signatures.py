"""What is needed to repeat the numbers of a corpus: signatures, what they have in common, and sacreBLEU's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..text import TextSettings, markup
from ..types import signature
from . import resampling
from .table import StatisticsTable

#: The version of sacreBLEU whose numbers these are.
SACREBLEU = "2.6.0"


class Signature(NamedTuple):
    """The signature of a metric's numbers: its `own_part`, what all have in `common`, and the signature with which
    sacreBLEU gives the same numbers, "" where it gives none. Where a corpus was drawn again that is said as well."""

    key: str
    own_part: str
    common: str
    sacrebleu: str

    @property
    def whole(self) -> str:
        return f"{self.own_part}|{self.common}"


def signatures(
    tables: Sequence[StatisticsTable],
    text: TextSettings,
    references: int | str,
    intervals: bool = False,
    tested: bool = False,
) -> list[Signature]:
    """The signatures of tables whose segments have so many references, "var" where they differ; `intervals` and
    `tested` say whether resamples were drawn for intervals, and trials for a test."""
    drawn = ""
    if intervals or tested:
        drawn = f"|resamples:{resampling.RESAMPLES}|trials:{resampling.TRIALS}|seed:{resampling.SEED}"
    out = []
    for table in tables:
        key, whole = table.metric.key, signature(table.metric.key, table.settings, text.signature(), references)
        own_part = f"{key}|{table.settings.signature()}".rstrip("|")
        theirs = ""
        if sacrebleu_settings := sacrebleu(table, text, references):
            counts = f"bs:{resampling.RESAMPLES}|" if intervals else ""
            counts += f"ar:{resampling.TRIALS}|" if tested else ""
            counts += f"seed:{resampling.SEED}|" if counts else ""
            theirs = f"nrefs:{references}|{counts}{sacrebleu_settings[0]}|version:{SACREBLEU}"
        out.append(Signature(key, own_part, whole[len(own_part) + 1 :] + drawn, theirs))
    return out


def of_changed(signed: Sequence[Signature], repaired: Sequence[str], cleaned: Sequence[str]) -> list[Signature]:
    """The signatures of numbers for which systems were repaired, or the texts `cleaned` of what is named
    (`markup.CLEANED`); no number of such texts without it."""
    if not repaired and not cleaned:
        return [*signed]
    suffix = f"|repaired:{'+'.join(repaired)}" if repaired else ""
    suffix += markup.signature(cleaned)
    return [each._replace(common=f"{each.common}{suffix}", sacrebleu="") for each in signed]


def sacrebleu(table: StatisticsTable, text: TextSettings, references: int | str) -> list[str]:
    """The settings of sacreBLEU, as its signature has them, with which it gives the same score for every system; those
    that are the same whatever the texts come first."""
    metric = table.metric
    if metric.sacrebleu is None or references == "var" or text.stemmer != "none" or text.nfkc:
        return []
    each = [
        metric.sacrebleu(table.settings, text.tokenizer, text.lowercase, dict(zip(table.names, sums, strict=True)))
        for sums in table.summed.sum(axis=1).tolist()
    ]
    return [one for one in each[0] if all(one in others for others in each)] if each else []


def agreement(table: StatisticsTable, text: TextSettings, references: int | str, difference: float) -> float | None:
    """The part of pairs of systems with such a difference that people ranked as the metric did, None where that is not
    known of the metric, or was found with other settings."""
    human_agreement = table.metric.agreement
    if (
        not human_agreement
        or references != 1
        or not human_agreement.measured.intersection(sacrebleu(table, text, references))
    ):
        return None
    return human_agreement.of(difference)
