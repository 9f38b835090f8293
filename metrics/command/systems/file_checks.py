"""What is said of a call's files before they are scored, and the repairs that it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...corpus import hints
from ...corpus.file_warnings import Doubt, Files, doubts, files_of
from ...corpus.hints import Hint
from ...corpus.jobs import ScoringCorpus
from ...corpus.repairs import RepairOffer, offers, put_right
from ...text import TextSettings, printable
from ...text.files import file_label
from ...text.formats import Material
from ...types import Metric, Settings
from ..call import SystemsCall


class CheckedTexts(NamedTuple):
    """The texts that are scored, repaired where the call asks for it, with what looks wrong about the files, what
    would put it right, and hints on the texts."""

    texts: ScoringCorpus
    files: Files
    doubts: Sequence[Doubt]
    offers: Sequence[RepairOffer]
    repair_names: Sequence[str]
    hints: Sequence[Hint]

    def made_repairs(self) -> list[RepairOffer]:
        """The repairs that were asked for and made."""
        return [offer for offer in self.offers if offer.system in self.repair_names]

    def number(self, system: int, segment: int) -> int:
        """What the file of a system, both from 0, calls a segment."""
        name = self.texts.names[system]
        for offer in self.made_repairs():
            if offer.system == name and (place := offer.repair.places[segment]) is not None:
                segment = place
        return self.files.systems[name].number(segment + 1)

    def sentences(self, call: SystemsCall) -> Iterator[str]:
        """What is said on the standard error."""
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
        """What is said beside the scores of repaired systems."""
        return [f"{printable(offer.system)} is repaired: {offer.does}." for offer in self.made_repairs()]


def checked(
    call: SystemsCall, material: Material, texts: ScoringCorpus, text: TextSettings, metric: Metric, settings: Settings
) -> CheckedTexts:
    """What the files hold, looked at and repaired; the metric says what a repair does to a score."""
    files = files_of(material, texts, text)
    file_warnings = doubts(files)
    offered = offers(files.systems, texts, file_warnings.repairs, metric, settings)
    chosen_repairs = {name: of for name, of in file_warnings.repairs.items() if name in call.repair}
    text_hints = hints.find_hints([*files.systems.values()], files.references, text, metric, settings)
    return CheckedTexts(
        put_right(texts, chosen_repairs), files, file_warnings.warnings, offered, call.repair, text_hints
    )
