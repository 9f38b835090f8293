"""Find the files of a corpus in a folder: a folder in the layout of mt-metrics-eval or any other.

A folder of mt-metrics-eval has subfolders of sources, references, system outputs, documents and scores. The layout is
recognised from the file names, so uploads that keep their folder paths are read like the folder itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath, PurePosixPath

from ...formula import count_with_noun
from .. import printable
from ..files import BadData, file_label, unreadable_file_error
from .sheets import File, join_names

#: The most files in a plain folder. Folders of mt-metrics-eval have many more, but one language pair uses only some.
MOST_FILES = 500
#: The most files that are looked at in any folder.
MOST_LISTED = 100_000
#: The text that mt-metrics-eval writes for a segment that a system or a translator left out.
NOTHING = "[No translation supplied]"


def files_in_folder(name: str) -> list[File]:
    """Return the corpus files of the folder `name`, in the order of their names.

    In a folder of mt-metrics-eval, `FOLDER:PAIR` selects one language pair. Hidden files, licences and read-me files
    are left out. Raises BadData if the folder has no files or too many, or if the pair is missing or unknown."""
    folder, pair = (name, "") if Path(name).is_dir() else _split_at_colon(name)
    try:
        paths = sorted(_iterate_corpus_files(Path(folder)))
    except OSError as error:
        raise unreadable_file_error(folder, error) from None
    files = [File(path.as_posix()) for path in paths]
    if layout := mt_metrics_eval_files(files, pair):
        return layout
    if pair:
        raise BadData(f"{file_label(folder)} is not a folder of mt-metrics-eval, so it has no {printable(pair)}")
    if len(files) > MOST_FILES:
        raise BadData(f"{file_label(folder)} has {len(files):,} files; the limit is {MOST_FILES}")
    if not files:
        raise BadData(f"{file_label(folder)} has no files")
    return files


def is_folder(name: str) -> bool:
    """Return whether `name` is a folder, or a folder followed by a colon and a language pair."""
    return Path(name).is_dir() or (bool(_split_at_colon(name)[1]) and Path(_split_at_colon(name)[0]).is_dir())


def _split_at_colon(name: str) -> tuple[str, str]:
    """Split `name` at its last colon, and return the path before it and the text after it ("" without a colon)."""
    head, _, tail = name.rpartition(":")
    return (head, tail) if head else (name, "")


def _iterate_corpus_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and its subfolders, without hidden files, licences and read-me files.

    Raises BadData if there are too many files."""
    for count, path in enumerate(folder.rglob("*")):
        if count > MOST_LISTED:
            raise BadData(f"{file_label(str(folder))} has more than {MOST_LISTED:,} files")
        if is_corpus_file(path.relative_to(folder)) and path.is_file():
            yield path


def is_corpus_file(path: PurePath) -> bool:
    """Return whether a file may hold texts of a corpus, given its path inside the folder that is read.

    Hidden files, files in hidden folders, licences and read-me files do not.

    >>> [is_corpus_file(PurePath(name)) for name in ("a/b.txt", "a/.b.txt", ".a/b.txt", "README.md")]
    [True, False, False, False]
    """
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and not re.match(r"(?i)licen[cs]e|readme", path.name)


def mt_metrics_eval_files(files: Sequence[File], pair: str = "") -> list[File] | None:
    """Return the files of one language pair, each with its role, from files in the folder layout of mt-metrics-eval.

    None means that the files have another layout. `pair`, such as "en-de", may be empty if there is only one. A system
    output with the same name as a reference is a copy of that reference and is left out. Raises BadData if there are
    several language pairs and `pair` names none of them."""
    sources = [file for file in files if _has_ancestor_folder(file, "sources")]
    if not sources or not any(_has_ancestor_folder(file, "system-outputs", 2) for file in files):
        return None
    pairs = sorted({_name_without_ending(file) for file in sources})
    if not pair and len(pairs) > 1:
        count = count_with_noun(len(pairs), "language pair")
        raise BadData(f"there are {count}: {join_names(pairs, 12)}; name one, such as FOLDER:{printable(pairs[0])}")
    pair = pair or pairs[0]
    if pair not in pairs:
        raise BadData(f"there is no language pair {printable(pair)}; there are {join_names(pairs, 12)}")
    out = [file._replace(role="source") for file in sources if _name_without_ending(file) == pair]
    out += [
        file._replace(role="document")
        for file in files
        if _has_ancestor_folder(file, "documents") and _name_without_ending(file) == pair
    ]
    references = {}
    for file in files:
        if _has_ancestor_folder(file, "references") and _name_without_ending(file).startswith(f"{pair}."):
            references[_name_without_ending(file).removeprefix(f"{pair}.")] = file
    out += [file._replace(role="reference", label=name) for name, file in references.items()]
    for file in files:
        path = PurePosixPath(file.name)
        if (
            _has_ancestor_folder(file, "system-outputs", 2)
            and path.parent.name == pair
            and _name_without_ending(file) not in references
        ):
            out.append(file._replace(role="system", label=_name_without_ending(file)))
    for file in files:
        stem = _name_without_ending(file)
        if not file.stem.endswith(".seg.score"):
            continue
        if _has_ancestor_folder(file, "human-scores") and stem.startswith(f"{pair}."):
            out.append(file._replace(role="score", label=stem.removeprefix(f"{pair}.").removesuffix(".seg")))
        if _has_ancestor_folder(file, "metric-scores", 2) and PurePosixPath(file.name).parent.name == pair:
            out.append(file._replace(role="score", label=stem.removesuffix(".seg")))
    return out


def _has_ancestor_folder(file: File, folder: str, levels: int = 1) -> bool:
    """Return whether the folder that is `levels` levels above the file is called `folder`.

    One level above a file is the folder that the file is in."""
    parts = PurePosixPath(file.name).parts
    return len(parts) > levels and parts[-1 - levels] == folder


def _name_without_ending(file: File) -> str:
    """Return the name of a file without folders and without its last ending."""
    return file.stem.rpartition(".")[0] or file.stem


def file_of_name(name: str) -> File:
    """Return the File that the argument `name` means; the name of a column may follow after a colon: `table.tsv:B`.

    If a file with the whole name exists, colon included, that file is meant and no column."""
    head, column = _split_at_colon(name)
    return File(head, column=column) if column and not Path(name).exists() and Path(head).is_file() else File(name)
