"""Find the files of a corpus in a folder: a folder of mt-metrics-eval or a plain one.

A folder of mt-metrics-eval has sources, references, system outputs, documents and scores. The layout is recognised from
the file names, so uploads that keep their folder paths are read like the folder itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath, PurePosixPath

from ...formula import counted
from .. import printable
from ..files import BadData, file_label, unreadable
from .sheets import File, join_names

#: The most files in a plain folder. Folders of mt-metrics-eval have many more, but one language pair uses only some.
MOST_FILES = 500
#: The most files that are looked at in any folder.
MOST_LISTED = 100_000
#: The text that mt-metrics-eval writes for a segment that a system or a translator left out.
NOTHING = "[No translation supplied]"


def files_in_folder(name: str) -> list[File]:
    """Return the files of a folder in the order of their names; `FOLDER:PAIR` selects one language pair.

    Files that begin with a full stop, licences and read-me files are left out. Raises BadData."""
    folder, pair = (name, "") if Path(name).is_dir() else _split_at_colon(name)
    try:
        paths = sorted(_files_below(Path(folder)))
    except OSError as error:
        raise unreadable(folder, error) from None
    files = [File(path.as_posix()) for path in paths]
    if layout := mt_metrics_eval_files(files, pair):
        return layout
    if pair:
        raise BadData(f"{file_label(folder)} is no folder of mt-metrics-eval, and so has no {printable(pair)}")
    if len(files) > MOST_FILES:
        raise BadData(f"{file_label(folder)} has {len(files):,} files; {MOST_FILES} is the most that is read")
    if not files:
        raise BadData(f"{file_label(folder)} has no files")
    return files


def is_folder(name: str) -> bool:
    """Return whether `name` is a folder, or a folder followed by a colon and a language pair."""
    return Path(name).is_dir() or (bool(_split_at_colon(name)[1]) and Path(_split_at_colon(name)[0]).is_dir())


def _split_at_colon(name: str) -> tuple[str, str]:
    """Return `name` split at its last colon: a path, and what follows the colon ("" without a colon)."""
    head, _, tail = name.rpartition(":")
    return (head, tail) if head else (name, "")


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and its subfolders that are read. Raises BadData if there are too many."""
    for count, path in enumerate(folder.rglob("*")):
        if count > MOST_LISTED:
            raise BadData(f"{file_label(str(folder))} has more than {MOST_LISTED:,} files")
        if is_corpus_file(path.relative_to(folder)) and path.is_file():
            yield path


def is_corpus_file(path: PurePath) -> bool:
    """Return whether a file of a folder is read, given its path inside the folder.

    Hidden files, files in hidden folders, licences and read-me files are not.

    >>> [is_corpus_file(PurePath(name)) for name in ("a/b.txt", "a/.b.txt", ".a/b.txt", "README.md")]
    [True, False, False, False]
    """
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and not re.match(r"(?i)licen[cs]e|readme", path.name)


def mt_metrics_eval_files(files: Sequence[File], pair: str = "") -> list[File] | None:
    """Return the files of one language pair of mt-metrics-eval, each with its role; None for another layout.

    A system output that has the name of a reference is a copy of it and is left out. Raises BadData if there are
    several language pairs and `pair` names none of them."""
    sources = [file for file in files if _is_under(file, "sources")]
    if not sources or not any(_is_under(file, "system-outputs", 2) for file in files):
        return None
    pairs = sorted({_stem(file) for file in sources})
    if not pair and len(pairs) > 1:
        count = counted(len(pairs), "language pair")
        raise BadData(f"there are {count}: {join_names(pairs, 12)}; name one, such as FOLDER:{printable(pairs[0])}")
    pair = pair or pairs[0]
    if pair not in pairs:
        raise BadData(f"there is no language pair {printable(pair)}; there are {join_names(pairs, 12)}")
    out = [file._replace(role="source") for file in sources if _stem(file) == pair]
    out += [file._replace(role="document") for file in files if _is_under(file, "documents") and _stem(file) == pair]
    references = {}
    for file in files:
        if _is_under(file, "references") and _stem(file).startswith(f"{pair}."):
            references[_stem(file).removeprefix(f"{pair}.")] = file
    out += [file._replace(role="reference", label=name) for name, file in references.items()]
    for file in files:
        path = PurePosixPath(file.name)
        if _is_under(file, "system-outputs", 2) and path.parent.name == pair and _stem(file) not in references:
            out.append(file._replace(role="system", label=_stem(file)))
    for file in files:
        stem = _stem(file)
        if not file.stem.endswith(".seg.score"):
            continue
        if _is_under(file, "human-scores") and stem.startswith(f"{pair}."):
            out.append(file._replace(role="score", label=stem.removeprefix(f"{pair}.").removesuffix(".seg")))
        if _is_under(file, "metric-scores", 2) and PurePosixPath(file.name).parent.name == pair:
            out.append(file._replace(role="score", label=stem.removesuffix(".seg")))
    return out


def _is_under(file: File, folder: str, above: int = 1) -> bool:
    """Return whether the path of a file has the folder name `folder`, `above` levels above the file."""
    parts = PurePosixPath(file.name).parts
    return len(parts) > above and parts[-1 - above] == folder


def _stem(file: File) -> str:
    """Return the name of a file without its last ending."""
    return file.stem.rpartition(".")[0] or file.stem


def file_of_name(name: str) -> File:
    """Return the file of `name`, which may have a column behind a colon: `table.tsv:B`.

    If a file of the whole name exists, colon included, the name has no column."""
    head, column = _split_at_colon(name)
    return File(head, column=column) if column and not Path(name).exists() and Path(head).is_file() else File(name)
