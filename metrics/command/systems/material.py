"""The reading of all files that a call about several systems names."""

from __future__ import annotations

from ...corpus.hints import remove_markup
from ...corpus.texts import split_corpus as split_corpus
from ...text import formats, judgements
from ...text.files import BadData, file_label
from ...text.formats import Material, files_in_folder
from ...text.formats.folders import file_of_name, is_folder
from ...text.judgements.scores import describe_left_out_scores, scored_unit
from ..call import SystemsCall

#: The options that need scores, and so a reference.
_SCORED = ("confidence", "sentence", "paired", "why", "patterns", "fail_if")


def read_material(call: SystemsCall) -> tuple[SystemsCall, Material, list[str]]:
    """Read the files of a call; return the call, the texts, and messages on how files were read.

    The returned call has the system names and references that the files hold. A plain file whose role an option states
    gets no message. Only a call with people's judgements may lack references. Raises BadData.
    """
    files = [file_of_name(file)._replace(role="system", label=name) for name, file in call.systems.items()]
    files += [file_of_name(file)._replace(role="reference") for file in call.references]
    files += [file_of_name(file)._replace(role="source") for file in (call.source,) if file]
    by_option = {file.name for file in files}
    for name in call.corpora:
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
    material = remove_markup(formats.read(files, call.roles, call.keep_tags, call.edited), call.clean)
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
    return call, material, [*messages, *whole, *material.notes]
