"""Limit the size of uploaded files, because the server keeps them in memory as long as their session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from metrics.text.formats import File

from ..draw.pen.text import visible

#: Most bytes that all files of a session may have together, and the least that each file counts as.
MOST = 200 * 2**20
LEAST = 1_000
#: The type that marks a file whose bytes were not kept, and how many such files are remembered.
LEFT_OUT = "application/x-left-out"
LEFT_OUT_MOST = 100
#: Most file names in a sentence.
NAMED = 5


class UploadStorage(Protocol):
    """Streamlit's storage of uploaded files in memory.

    Attributes:
        file_storage: the files by session and by file id.
        add_file: the function that stores a file of a session."""

    file_storage: Mapping[str, Mapping[str, Any]]
    add_file: Any


def limit_session_bytes(uploads: UploadStorage) -> None:
    """Change `uploads` so that it keeps at most MOST bytes of each session.

    Files beyond that are stored without their bytes, and their type is set to LEFT_OUT."""
    add = uploads.add_file

    def add_file(session_id: str, file: Any) -> None:
        others = [each for key, each in uploads.file_storage.get(session_id, {}).items() if key != file.file_id]
        if sum([counted_bytes(each.data) for each in others]) + counted_bytes(file.data) > MOST:
            if sum([each.type == LEFT_OUT for each in others]) >= LEFT_OUT_MOST:
                return
            file = file._replace(data=b"", type=LEFT_OUT)
        add(session_id, file)

    uploads.add_file = add_file


def counted_bytes(data: bytes | None) -> int:
    """Return the number of bytes that a file with this content counts as, at least LEAST."""
    return max(len(data or b""), LEAST)


def keep_fitting_files(before: Sequence[File], given: Iterable[Any]) -> tuple[tuple[File, ...], str]:
    """Return the uploaded files that fit into MOST bytes, and a sentence that names those that do not.

    The files that the session keeps from `before` count too. The sentence is "" if all fit."""
    kept_files: list[File] = []
    left_out: list[str] = []
    size = sum([counted_bytes(file.data) for file in before])
    for each in given:
        data = each.getvalue()
        in_memory = any(data == file.data for file in before)  # equal files are in memory only once
        if each.type == LEFT_OUT or (not in_memory and size + counted_bytes(data) > MOST):
            left_out.append(each.name)
        else:
            kept_files.append(File(each.name, data))
            size += 0 if in_memory else counted_bytes(data)
    return tuple(kept_files), _describe_left_out(left_out)


def _describe_left_out(names: Sequence[str]) -> str:
    """Return a sentence that names the files that do not fit, "" if there are none."""
    if not names:
        return ""
    more = f" and {len(names) - NAMED} more" if names[NAMED:] else ""
    listed_names = ", ".join([visible(name, 60) for name in names[:NAMED]])
    is_are, it_them = ("is", "it") if len(names) == 1 else ("are", "them")
    most = f"the limit for all files together is {MOST // 2**20} MB"
    return f"{listed_names}{more} {is_are} left out: {most}. Remove others, then add {it_them} again."
