"""The reading of all files that a call about several systems names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...corpus.file_checks import Repairs, apply_repairs, check_uneven_files
from ...corpus.hints import remove_markup
from ...corpus.texts import split_corpus as split_corpus
from ...text import formats, judgements, printable
from ...text.files import BadData, file_label
from ...text.formats import File, Material, files_in_folder
from ...text.formats.folders import file_of_name, is_folder
from ...text.judgements.scores import describe_left_out_scores, scored_unit
from ..call import Request

#: The options that need scores, and so a reference.
_SCORED = ("confidence", "sentence", "paired", "why", "patterns", "fail_if")


class ReadFiles(NamedTuple):
    """The texts of a call's files.

    Attributes:
        call: the call, with the system names and references that the files hold.
        material: the texts.
        messages: sentences on how files were read.
        repairs: the repairs without which the files would not have the same number of lines, already applied.
    """

    call: Request
    material: Material
    messages: list[str]
    repairs: Repairs


def read_material(call: Request) -> ReadFiles:
    """Read the files of a call.

    A plain file whose role an option states gets no message. Only a call with people's judgements may lack references.
    Raises BadData.
    """
    files = [file_of_name(file)._replace(role="system", label=name) for name, file in call.systems.items()]
    files += [file_of_name(file)._replace(role="reference") for file in call.references]
    files += [file_of_name(file)._replace(role="source") for file in (call.source,) if file]
    by_option = {file.name for file in files}
    for name in call.corpus:
        files += files_in_folder(name) if is_folder(name) else [file_of_name(name)]
    whole = describe_left_out_scores([file for file in files if not file.role])
    files = [file for file in files if file.role or not scored_unit(file)]
    texts, theirs = judgements.split_files([file for file in files if not file.role])
    if theirs and (texts or by_option):
        files = [*[file for file in files if file.role], *texts]
        human_files = {
            each.name for given in (call.people.files if call.people else ()) for each in judgements.files(given)
        }
        whole += [
            f"{file_label(file.name)}: people's judgements, left out; --human reads them"
            for file in theirs
            if file.name not in human_files
        ]
    repairs: Repairs = {}
    try:
        material = formats.read(files, call.column, call.keep_tags, call.post_edited)
    except BadData as error:
        material, repairs = _read_uneven_files(files, call, error)
    material = remove_markup(material, call.clean)
    if not material.systems or not (material.references or call.people):
        sentences = [each.sentence for each in material.files]
        what = "references" if material.systems else "outputs of systems"
        raise BadData(f"the files hold no {what}: {'; '.join([*sentences, *material.notes])}")
    systems = {name: texts.file for name, texts in material.systems.items()}
    call = call._replace(systems=systems, references=[texts.file for texts in material.references.values()])
    if unknown := call.unknown_system_message():
        raise BadData(unknown)
    if not material.references and (option := next((name for name in _SCORED if getattr(call, name)), None)):
        raise BadData(f"--{option.replace('_', '-')} needs a reference, without which no metric is scored")
    messages = [each.sentence for each in material.files if each.guessed or each.file not in by_option]
    return ReadFiles(call, material, [*messages, *whole, *material.notes], repairs)


def _read_uneven_files(files: Sequence[File], call: Request, error: BadData) -> tuple[Material, Repairs]:
    """Return the texts and the repairs that give all files the same number of lines, as the call asks for them.

    Raises `error`, the reason why the files cannot be read, where there are no such repairs. Its message names the
    option for those that the call does not ask for.
    """
    references = [file for file in files if file.role == "reference"]
    known = formats.read(references, {}).references.values() if references else ()
    uneven = check_uneven_files(files, call.column, call.in_language_of([texts.lines for texts in known]).text)
    if uneven is None:
        raise error
    material, checked = uneven
    if unwanted := {name: each for name, each in checked.offered.items() if name not in call.repair}:
        ways = [f"--repair {printable(name)} scores it with {each.does}" for name, each in unwanted.items()]
        raise BadData(f"{error}; {'; '.join(ways)}")
    return apply_repairs(material, checked.offered), checked.offered
