"""What visitors have sent, which is bounded: the server keeps every chosen file in memory as long as its session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from metrics.text.formats import File

from ..draw.pen import theme

#: Bytes that all files of a session have together at the most, of which a file counts at least so many.
MOST = 200 * 2**20
LEAST = 1_000
#: The type of a file of which nothing was kept, and how many of those are remembered.
LEFT_OUT = "application/x-left-out"
LEFT_OUT_MOST = 100
#: Names that a sentence has.
NAMED = 5


class Uploads(Protocol):
    """Streamlit's files in memory, by session and file."""

    file_storage: Mapping[str, Mapping[str, Any]]
    add_file: Any


def bound(uploads: Uploads) -> None:
    """Have no more than `MOST` bytes kept of a session: what is sent beyond has a name and no bytes."""
    add = uploads.add_file

    def add_file(session_id: str, file: Any) -> None:
        others = [each for key, each in uploads.file_storage.get(session_id, {}).items() if key != file.file_id]
        if sum([size_of(each.data) for each in others]) + size_of(file.data) > MOST:
            if sum([each.type == LEFT_OUT for each in others]) >= LEFT_OUT_MOST:
                return
            file = file._replace(data=b"", type=LEFT_OUT)
        add(session_id, file)

    uploads.add_file = add_file


def size_of(data: bytes | None) -> int:
    """As how many bytes a file counts."""
    return max(len(data or b""), LEAST)


def keep_fitting(before: Sequence[File], given: Iterable[Any]) -> tuple[tuple[File, ...], str]:
    """The files of an uploader that are kept beside those from `before`, and a sentence on the others, "" where there
    are none."""
    kept_files: list[File] = []
    left_out: list[str] = []
    size = sum([size_of(file.data) for file in before])
    for each in given:
        data = each.getvalue()
        in_memory = any(data == file.data for file in before)  # it is in memory once
        if each.type == LEFT_OUT or (not in_memory and size + size_of(data) > MOST):
            left_out.append(each.name)
        else:
            kept_files.append(File(each.name, data))
            size += 0 if in_memory else size_of(data)
    return tuple(kept_files), _sentence(left_out)


def _sentence(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - NAMED} more" if names[NAMED:] else ""
    listed_names = ", ".join([theme.visible(name, 60) for name in names[:NAMED]])
    is_are, it_them = ("is", "it") if len(names) == 1 else ("are", "them")
    most = f"all files of a visit have at most {MOST // 2**20} MB"
    return f"{listed_names}{more} {is_are} left out: {most}. Take others away, and add {it_them} again."
