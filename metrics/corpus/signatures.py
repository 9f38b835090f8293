"""The signatures of corpus scores: everything that is needed to repeat them, in our form and in that of sacreBLEU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..text import TextSettings, markup
from ..types import signature
from . import resampling
from .table import StatisticsTable

#: The version of sacreBLEU that gives the same numbers.
SACREBLEU = "2.6.0"


class Signature(NamedTuple):
    """The signature of a metric's corpus scores, in two parts.

    Attributes:
        key: the key of the metric.
        own_part: the part with the metric and its settings.
        common: the part that is the same for all metrics, with the number of random draws if the corpus was resampled.
        sacrebleu: the signature with which sacreBLEU gives the same scores; "" if there is none.
    """

    key: str
    own_part: str
    common: str
    sacrebleu: str

    @property
    def whole(self) -> str:
        """Return both parts of this signature as one."""
        return f"{self.own_part}|{self.common}"


def signatures(
    tables: Sequence[StatisticsTable],
    text: TextSettings,
    references: int | str,
    intervals: bool = False,
    tested: bool = False,
) -> list[Signature]:
    """Return the signature of the scores in each table.

    `references` is the number of references of a segment, or "var" where it differs. `intervals` says whether resamples
    were drawn for intervals, and `tested` whether trials were drawn for tests; then the number of draws is part of the
    signature.
    """
    drawn = ""
    if intervals or tested:
        drawn = f"|resamples:{resampling.RESAMPLES}|trials:{resampling.TRIALS}|seed:{resampling.SEED}"
    out = []
    for table in tables:
        key, whole = table.metric.key, signature(table.metric.key, table.settings, text.signature(), references)
        own_part = f"{key}|{table.settings.signature()}".rstrip("|")
        theirs = ""
        if sacrebleu_settings := matching_sacrebleu_settings(table, text, references):
            counts = f"bs:{resampling.RESAMPLES}|" if intervals else ""
            counts += f"ar:{resampling.TRIALS}|" if tested else ""
            counts += f"seed:{resampling.SEED}|" if counts else ""
            theirs = f"nrefs:{references}|{counts}{sacrebleu_settings[0]}|version:{SACREBLEU}"
        out.append(Signature(key, own_part, whole[len(own_part) + 1 :] + drawn, theirs))
    return out


def changed_signatures(signed: Sequence[Signature], repaired: Sequence[str], cleaned: Sequence[str]) -> list[Signature]:
    """Return the signatures with an added note that the texts were changed before scoring.

    `repaired` are the names of the systems whose lines were repaired, `cleaned` what was removed from the texts (keys
    of `markup.CLEANED`). Changed texts have no signature of sacreBLEU. Without changes the signatures stay as they are.
    """
    if not repaired and not cleaned:
        return [*signed]
    suffix = f"|repaired:{'+'.join(repaired)}" if repaired else ""
    suffix += markup.cleaning_signature(cleaned)
    return [each._replace(common=f"{each.common}{suffix}", sacrebleu="") for each in signed]


def matching_sacrebleu_settings(table: StatisticsTable, text: TextSettings, references: int | str) -> list[str]:
    """Return sacreBLEU's settings that give the same scores as a table, in the form of its signature.

    Only settings that hold for every system are returned. Settings that do not depend on the texts come first. The list
    is empty if no settings of sacreBLEU give these scores.
    """
    metric = table.metric
    if metric.sacrebleu is None or references == "var" or text.stemmer != "none" or text.nfkc:
        return []
    each = [
        metric.sacrebleu(table.settings, text.tokenizer, text.lowercase, dict(zip(table.names, sums, strict=True)))
        for sums in table.summed_columns.sum(axis=1).tolist()
    ]
    return [one for one in each[0] if all(one in others for others in each)] if each else []


def people_agreement_rate(
    table: StatisticsTable, text: TextSettings, references: int | str, difference: float
) -> float | None:
    """Return how often people agreed with the metric about pairs of systems with this difference, as a fraction.

    Return None if that is not known for the metric, or was measured with other settings.
    """
    human_agreement = table.metric.agreement
    if (
        not human_agreement
        or references != 1
        or not human_agreement.measured.intersection(matching_sacrebleu_settings(table, text, references))
    ):
        return None
    return human_agreement.of(difference)
