"""Which of files that do not fit together keep the others from being read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..files import BadData, file_label
from .material import read
from .sheets import File

#: Files that are taken out one after the other.
MOST_OUT = 5


def in_the_way(files: Sequence[File], roles: Mapping[str, str] = {}) -> tuple[str, ...]:
    """The names of the files without which the others are systems and references that can be scored, each blamed for
    what is wrong with those that are left; none where that leaves no system or no reference, or it were more than
    MOST_OUT. `roles` as for `read`.

    >>> files = [File("a.txt", b"1\\n2\\n"), File("b.txt", b"1\\n"), File("c.txt", b""), File("ref.txt", b"1\\n")]
    >>> in_the_way(files), in_the_way(files[2:])
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
