"""Folders: mt-metrics-eval's, with sources, references, system outputs, documents and scores, and plain ones.

The layout is read from the names of the files, so that uploads that keep their folders are read like a folder itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath, PurePosixPath

from ...formula import counted
from .. import printable
from ..files import BadData, file_label, unreadable
from .sheets import File, listed

#: The files that a folder may have; those of mt-metrics-eval have many more, of which a language pair takes a part.
MOST_FILES = 500
MOST_LISTED = 100_000
#: What mt-metrics-eval writes for a segment that a system or a translator left out.
NOTHING = "[No translation supplied]"


def of_folder(name: str) -> list[File]:
    """The files of a folder, in the order of their names; for `FOLDER:PAIR` those of a language pair. Raises BadData.

    Files that begin with a full stop, and licences and read-me files, are none of them.
    """
    folder, pair = (name, "") if Path(name).is_dir() else _cut(name)
    try:
        paths = sorted(_walk(Path(folder)))
    except OSError as error:
        raise unreadable(folder, error) from None
    files = [File(path.as_posix()) for path in paths]
    if layout := of_layout(files, pair):
        return layout
    if pair:
        raise BadData(f"{file_label(folder)} is no folder of mt-metrics-eval, and so has no {printable(pair)}")
    if len(files) > MOST_FILES:
        raise BadData(f"{file_label(folder)} has {len(files):,} files; {MOST_FILES} is the most that is read")
    if not files:
        raise BadData(f"{file_label(folder)} has no files")
    return files


def is_folder(name: str) -> bool:
    """Whether this is a folder, or one with a language pair behind a colon."""
    return Path(name).is_dir() or (bool(_cut(name)[1]) and Path(_cut(name)[0]).is_dir())


def _cut(name: str) -> tuple[str, str]:
    head, _, tail = name.rpartition(":")
    return (head, tail) if head else (name, "")


def _walk(folder: Path) -> Iterator[Path]:
    for count, path in enumerate(folder.rglob("*")):
        if count > MOST_LISTED:
            raise BadData(f"{file_label(str(folder))} has more than {MOST_LISTED:,} files")
        if counts(path.relative_to(folder)) and path.is_file():
            yield path


def counts(path: PurePath) -> bool:
    """Whether a file of a folder is read, by its path there: none that begins with a full stop, and no licence or
    read-me file.

    >>> [counts(PurePath(name)) for name in ("a/b.txt", "a/.b.txt", ".a/b.txt", "README.md")]
    [True, False, False, False]
    """
    hidden = any(part.startswith(".") for part in path.parts)
    return not hidden and not re.match(r"(?i)licen[cs]e|readme", path.name)


def of_layout(files: Sequence[File], pair: str = "") -> list[File] | None:
    """The files of one language pair of mt-metrics-eval, each with what it is; None where that is not their layout.

    BadData where they are of several pairs and none is named. An output that is a copy of a reference is left out.
    """
    sources = [file for file in files if _under(file, "sources")]
    if not sources or not any(_under(file, "system-outputs", 2) for file in files):
        return None
    pairs = sorted({_stem(file) for file in sources})
    if not pair and len(pairs) > 1:
        count = counted(len(pairs), "language pair")
        raise BadData(f"there are {count}: {listed(pairs, 12)}; name one, such as FOLDER:{printable(pairs[0])}")
    pair = pair or pairs[0]
    if pair not in pairs:
        raise BadData(f"there is no language pair {printable(pair)}; there are {listed(pairs, 12)}")
    out = [file._replace(role="source") for file in sources if _stem(file) == pair]
    out += [file._replace(role="document") for file in files if _under(file, "documents") and _stem(file) == pair]
    references = {}
    for file in files:
        if _under(file, "references") and _stem(file).startswith(f"{pair}."):
            references[_stem(file).removeprefix(f"{pair}.")] = file
    out += [file._replace(role="reference", label=name) for name, file in references.items()]
    for file in files:
        path = PurePosixPath(file.name)
        if _under(file, "system-outputs", 2) and path.parent.name == pair and _stem(file) not in references:
            out.append(file._replace(role="system", label=_stem(file)))
    for file in files:
        stem = _stem(file)
        if not file.stem.endswith(".seg.score"):
            continue
        if _under(file, "human-scores") and stem.startswith(f"{pair}."):
            out.append(file._replace(role="score", label=stem.removeprefix(f"{pair}.").removesuffix(".seg")))
        if _under(file, "metric-scores", 2) and PurePosixPath(file.name).parent.name == pair:
            out.append(file._replace(role="score", label=stem.removesuffix(".seg")))
    return out


def _under(file: File, folder: str, above: int = 1) -> bool:
    parts = PurePosixPath(file.name).parts
    return len(parts) > above and parts[-1 - above] == folder


def _stem(file: File) -> str:
    return file.stem.rpartition(".")[0] or file.stem


def file_of_name(name: str) -> File:
    """The file of a name, or of a name with a column behind a colon, `table.tsv:B`; a file of the whole name first."""
    head, column = _cut(name)
    return File(head, column=column) if column and not Path(name).exists() and Path(head).is_file() else File(name)
