"""Find the files that prevent the other files from being scored together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..files import BadData, file_label
from .material import read
from .sheets import File

#: The most files that are removed.
MOST_OUT = 5


def misfit_files(files: Sequence[File], roles: Mapping[str, str] = {}) -> tuple[str, ...]:
    """Return the names of the files that must be left out so that the rest can be scored.

    Files are removed one after the other, each time the file that the error about the remaining files blames. The
    result is empty if nothing has to be removed, if no system or no reference would be left, or if more than MOST_OUT
    files would have to go. `roles` maps names of columns or files to roles that the user corrected.

    >>> files = [File("a.txt", b"1\\n2\\n"), File("b.txt", b"1\\n"), File("c.txt", b""), File("ref.txt", b"1\\n")]
    >>> misfit_files(files), misfit_files(files[2:])
    (('c.txt', 'a.txt'), ())
    """
    rest, out = [*files], []
    for _ in range(MOST_OUT + 1):
        kept_roles = {
            name: role for name, role in roles.items() if name not in out and name.partition(":")[0] not in out
        }
        try:
            material = read(rest, kept_roles)
        except ValueError:
            return ()
        except BadData as error:
            blamed = [file for file in rest if str(error).startswith(file_label(file.name))]
            if not blamed:
                return ()
            worst = max(blamed, key=lambda file: len(file.name))
            rest.remove(worst)
            out.append(worst.name)
        else:
            return tuple(out) if material.systems and material.references else ()
    return ()
