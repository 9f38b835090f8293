"""Define how ledgers, which explain the difference of two corpora, word a cause for NIST."""

from __future__ import annotations

from collections.abc import Mapping

from ...types import Cause, Settings


def causes(settings: Settings) -> Mapping[str, Cause]:
    """Return the ledger's wording of the cause "matches" for NIST, where matches count by their information in bits.

    In the clauses, {name} is replaced by the noun of the n-gram order."""
    return {"matches": Cause("more information in {name}", "less information in {name}", "information in {name}")}
