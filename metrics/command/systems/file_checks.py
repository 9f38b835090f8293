"""The checks of a call's files before they are scored, and the repairs that the call asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...corpus import hints
from ...corpus.file_warnings import Files, FileWarning, compared_files, find_file_warnings
from ...corpus.hints import Hint
from ...corpus.jobs import ScoringCorpus
from ...corpus.repairs import RepairOffer, offers, repair_corpus
from ...text import TextSettings, printable
from ...text.files import file_label
from ...text.formats import Material
from ...types import Metric, Settings
from ..call import SystemsCall


class CheckedTexts(NamedTuple):
    """The texts that are scored, repaired where the call asks for it, with what the checks found.

    Attributes:
        texts: the texts that are scored.
        files: the files as they were read.
        doubts: warnings on the files.
        offers: the repairs that are possible.
        repair_names: the systems that the call asks to repair.
        hints: hints on the texts.
    """

    texts: ScoringCorpus
    files: Files
    doubts: Sequence[FileWarning]
    offers: Sequence[RepairOffer]
    repair_names: Sequence[str]
    hints: Sequence[Hint]

    def made_repairs(self) -> list[RepairOffer]:
        """Return the repairs that the call asked for, all of which were made."""
        return [offer for offer in self.offers if offer.system in self.repair_names]

    def number(self, system: int, segment: int) -> int:
        """Return the number that the system's file gives a segment; both arguments are indices."""
        name = self.texts.names[system]
        for offer in self.made_repairs():
            if offer.system == name and (place := offer.repair.places[segment]) is not None:
                segment = place
        return self.files.systems[name].number(segment + 1)

    def sentences(self, call: SystemsCall) -> Iterator[str]:
        """Yield the sentences for the standard error."""
        for doubt in self.doubts:
            yield doubt.sentence
        for hint in self.hints:
            yield hint.with_option(call.decimals)
        for offer in self.offers:
            says = f"{file_label(offer.column.file)}: {offer.sentence(call.decimals)}"
            requested = offer.system in self.repair_names
            yield f"{says}; {'it is scored so' if requested else f'--repair {printable(offer.system)} scores it so'}"
        for name in self.repair_names:
            if name not in [offer.system for offer in self.offers]:
                label = file_label(self.files.systems[name].file)
                yield f"{label}: no line slipped, so that there is nothing to repair"

    def notes(self) -> list[str]:
        """Return the sentences about repaired systems that are printed next to the scores."""
        return [f"{printable(offer.system)} is repaired: {offer.does}." for offer in self.made_repairs()]


def checked(
    call: SystemsCall, material: Material, texts: ScoringCorpus, text: TextSettings, metric: Metric, settings: Settings
) -> CheckedTexts:
    """Return the texts after the checks and repairs; the scores by `metric` show what a repair changes."""
    files = compared_files(material, texts, text)
    file_warnings = find_file_warnings(files)
    offered = offers(files.systems, texts, file_warnings.repairs, metric, settings)
    chosen_repairs = {name: of for name, of in file_warnings.repairs.items() if name in call.repair}
    text_hints = hints.find_hints([*files.systems.values()], files.references, text, metric, settings)
    return CheckedTexts(
        repair_corpus(texts, chosen_repairs), files, file_warnings.warnings, offered, call.repair, text_hints
    )
