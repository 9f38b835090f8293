"""What the files of a call hold: the systems' outputs beside their references, and what looks wrong about them."""

from __future__ import annotations

from collections.abc import Iterator

from ...corpus import jobs
from ...corpus.slipped import Slip, slips
from ...corpus.texts import corpus as corpus
from ...formula import counted
from ...text import formats, printable
from ...text.files import BadData, named
from ...text.formats import Material, of_folder
from ...text.formats.folders import chosen, is_folder
from ..call import Call


def read(call: Call) -> tuple[Call, Material, list[str]]:
    """The call with the names of the systems that the files have, what they hold, and what is said of that: not that a
    file of lines is what its option says. Raises BadData."""
    files = [chosen(file)._replace(role="system", called=name) for name, file in call.systems.items()]
    files += [chosen(file)._replace(role="reference") for file in call.references]
    files += [chosen(file)._replace(role="source") for file in (call.source,) if file]
    by_option = {file.name for file in files}
    for name in call.corpora:
        files += of_folder(name) if is_folder(name) else [chosen(name)]
    material = formats.read(files, call.roles, call.keep_tags, call.edited)
    if not material.systems or not material.references:
        what = "references" if material.systems else "outputs of systems"
        raise BadData(f"the files hold no {what}: {'; '.join([each.sentence for each in material.files])}")
    systems = {name: texts.file for name, texts in material.systems.items()}
    call = call._replace(systems=systems, references=[texts.file for texts in material.references.values()])
    if unknown := call.unknown():
        raise BadData(unknown)
    said = [each.sentence for each in material.files if each.guessed or each.file not in by_option]
    return call, material, [*said, *material.notes]


def warnings(call: Call, texts: jobs.Corpus, columns: list[list[str]]) -> Iterator[str]:
    """What looks wrong about the files, each in a sentence with its file and line."""
    for (name, file), output, column in zip(call.systems.items(), texts.systems, columns, strict=True):
        empty = [number for number, line in enumerate(column, 1) if not line.strip()]
        if empty:
            more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
            yield f"{named(file)}, line {empty[0]}{more}: the output of {printable(name)} is empty there"
        equal = sum(line in each for line, each in zip(output, texts.references, strict=True) if line)
        if equal > 0.9 * len(output) and len(output) > 10:
            yield f"{named(file)}: {equal} of {len(output)} lines are equal to a reference; is it a file of references?"
        for slip in slips(output, texts.references):
            yield f"{named(file)}, line {slip.line}: {_slipped(slip)}"


def _slipped(slip: Slip) -> str:
    if not slip.offset:
        return "from here on each line stands beside its own references again"
    side = "before" if slip.offset < 0 else "after"
    what = "too many" if slip.offset < 0 else "missing"
    number = abs(slip.offset)
    return (
        f"from here on each line fits the references {counted(number, 'line')} {side} it better than its own; "
        f"{counted(number, 'line')} may be {what}"
    )
