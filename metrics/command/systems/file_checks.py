"""The checks of a call's files before they are scored, and the repairs of shifted lines that the call requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...corpus import hints
from ...corpus.file_checks import Repairs, without_lines_left_empty
from ...corpus.file_warnings import ComparedFiles, FileWarning, compared_files, find_file_warnings
from ...corpus.hints import Hint
from ...corpus.jobs import ScoringCorpus
from ...corpus.repairs import RepairOffer, make_repair_offers, repair_corpus
from ...text import printable
from ...text.files import file_label
from ...text.formats import Material
from ..call import Request


class CheckedTexts(NamedTuple):
    """The texts that are scored, after the requested repairs, with what the checks of the files found.

    Attributes:
        texts: the texts that are scored.
        files: the files as they were read, before repairs.
        doubts: the warnings on the files.
        offers: the repairs of shifted lines that are possible.
        repair_names: the names of the systems that the call asks to repair.
        hints: hints on what keeps words from matching.
        line_repairs: the repairs, by system, that had to be made for all files to have the same number of lines.
    """

    texts: ScoringCorpus
    files: ComparedFiles
    doubts: Sequence[FileWarning]
    offers: Sequence[RepairOffer]
    repair_names: Sequence[str]
    hints: Sequence[Hint]
    line_repairs: Repairs

    def made_repairs(self) -> list[RepairOffer]:
        """Return the repairs of shifted lines that the call requested, all of which were made in `texts`."""
        return [offer for offer in self.offers if offer.system in self.repair_names]

    def repaired_systems(self) -> list[str]:
        """Return the names of the systems whose lines are repaired."""
        return [*self.line_repairs, *[offer.system for offer in self.made_repairs()]]

    def line_number(self, system: int, segment: int) -> int:
        """Return the line number that the system's file gives a segment; `system` and `segment` are indices."""
        name = self.texts.names[system]
        for offer in self.made_repairs():
            if offer.system == name and (place := offer.repair.places[segment]) is not None:
                segment = place
        return self.files.systems[name].number(segment + 1)

    def warning_sentences(self, call: Request) -> Iterator[str]:
        """Yield the warnings, hints and repairs as sentences, which the call prints on the standard error."""
        for doubt in self.doubts:
            yield doubt.sentence
        for hint in self.hints:
            yield hint.with_option(call.decimals)
        for offer in self.offers:
            says = f"{file_label(offer.column.file)}: {offer.sentence(call.decimals)}"
            requested = offer.system in self.repair_names
            yield f"{says}; {'this repair is made' if requested else f'--repair {printable(offer.system)} does this'}"
        for each in self.line_repairs.values():
            yield f"{file_label(each.file)}: it is scored with {each.does}"
        for name in self.repair_names:
            if name not in [*self.line_repairs, *[offer.system for offer in self.offers]]:
                label = file_label(self.files.systems[name].file)
                yield f"{label}: no lines are shifted, so there is nothing to repair"

    def repair_notes(self) -> list[str]:
        """Return a sentence on each repaired system, to be printed with the scores."""
        does = {name: each.does for name, each in self.line_repairs.items()}
        does |= {offer.system: offer.does for offer in self.made_repairs()}
        return [f"{printable(name)} is repaired: {each}." for name, each in does.items()]


def check_and_repair(
    call: Request,
    material: Material,
    texts: ScoringCorpus,
    line_repairs: Repairs,
) -> CheckedTexts:
    """Check the files of a call, make the requested repairs, and return the resulting texts with what was found.

    `texts` are the words of `material`, in which `line_repairs` are already made. The score by the call's first metric
    shows what a repair or a hint changes.
    """
    metric, settings = call.metrics[0]
    files = compared_files(material, texts, call.text)
    file_warnings = find_file_warnings(files)
    offered = make_repair_offers(files.systems, texts, file_warnings.repairs, metric, settings)
    chosen_repairs = {name: of for name, of in file_warnings.repairs.items() if name in call.repair}
    text_hints = hints.find_hints([*files.systems.values()], files.references, call.text, metric, settings)
    doubts = [each for doubt in file_warnings.warnings for each in without_lines_left_empty(doubt, files, line_repairs)]
    return CheckedTexts(
        repair_corpus(texts, chosen_repairs), files, doubts, offered, call.repair, text_hints, line_repairs
    )
