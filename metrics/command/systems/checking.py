"""What is said of a call's files before they are scored, and the repairs that it asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...corpus import hints
from ...corpus.doubts import Doubt, Files, doubts, files_of
from ...corpus.hints import Hint
from ...corpus.jobs import Corpus
from ...corpus.repairs import Offer, offers, put_right
from ...text import TextSettings, printable
from ...text.files import named
from ...text.formats import Material
from ...types import Metric, Settings
from ..call import Call


class Checked(NamedTuple):
    """The texts that are scored, repaired where the call asks for it, with what looks wrong about the files, what
    would put it right, and hints on the texts."""

    texts: Corpus
    files: Files
    doubts: Sequence[Doubt]
    offers: Sequence[Offer]
    asked: Sequence[str]
    hints: Sequence[Hint]

    def done(self) -> list[Offer]:
        """The repairs that were asked for and made."""
        return [offer for offer in self.offers if offer.system in self.asked]

    def number(self, system: int, segment: int) -> int:
        """What the file of a system, both from 0, calls a segment."""
        name = self.texts.names[system]
        for offer in self.done():
            if offer.system == name and (place := offer.repair.places[segment]) is not None:
                segment = place
        return self.files.systems[name].number(segment + 1)

    def sentences(self, call: Call) -> Iterator[str]:
        """What is said on the standard error."""
        for doubt in self.doubts:
            yield doubt.sentence
        for hint in self.hints:
            yield hint.with_option(call.decimals)
        for offer in self.offers:
            says = f"{named(offer.column.file)}: {offer.sentence(call.decimals)}"
            asked = offer.system in self.asked
            yield f"{says}; {'it is scored so' if asked else f'--repair {printable(offer.system)} scores it so'}"
        for name in self.asked:
            if name not in [offer.system for offer in self.offers]:
                yield f"{named(self.files.systems[name].file)}: no line slipped, so that there is nothing to repair"

    def notes(self) -> list[str]:
        """What is said beside the scores of repaired systems."""
        return [f"{printable(offer.system)} is repaired: {offer.does}." for offer in self.done()]


def checked(
    call: Call, material: Material, texts: Corpus, text: TextSettings, metric: Metric, settings: Settings
) -> Checked:
    """What the files hold, looked at and repaired; the metric says what a repair does to a score."""
    files = files_of(material, texts, text)
    found = doubts(files)
    offered = offers(files.systems, texts, found.repairs, metric, settings)
    made = {name: of for name, of in found.repairs.items() if name in call.repair}
    told = hints.found([*files.systems.values()], files.references, text, metric, settings)
    return Checked(put_right(texts, made), files, found.told, offered, call.repair, told)
