"""Sequences that create their members when they are accessed, and otherwise behave as a tuple of these members."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

from .marks import Hit, Mark
from .work import TooHard

T = TypeVar("T")


class AsTuple(Sequence[T]):
    """A base class for sequences that are compared, hashed, printed and pickled as the tuple of their members."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | AsTuple) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Any, ...]], tuple[tuple[T, ...]]]:
        return tuple, (tuple(self),)


class Deferred(AsTuple[Mark]):
    """A sequence of `size` marks that are created when they are accessed; otherwise it behaves as a tuple of marks.

    Many marks may follow from a few others: a hundred aligned words have five thousand pairs, two thousand have two
    million. Code that needs only the score does not wait for the marks, and code that reads some of them does not store
    them all. `make(start, stop)` creates the marks from `start` to before `stop`. All marks lie in one reference.
    `cells()` returns their cells, each once, without creating the marks. The sequence is pickled as a tuple.

    >>> marks = Deferred(1, lambda start, stop: [Hit(0, 0, 2)][start:stop], lambda: (Hit(0, 0, 2),))
    >>> len(marks), marks == (Hit(0, 0, 2),), marks
    (1, True, (Hit(i=0, k=0, j=2),))
    """

    __slots__ = ("_kept", "_make", "cells", "size")

    #: The marks are stored once they are created if there are at most this many.
    KEPT_MOST = 20_000

    def __init__(
        self, size: int, make: Callable[[int, int], Iterable[Mark]], cells: Callable[[], Sequence[Hit]]
    ) -> None:
        self.size, self._make, self.cells = size, make, cells
        self._kept: tuple[Mark, ...] | None = None

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> Mark: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Mark, ...]: ...

    def __getitem__(self, at: int | slice) -> Mark | tuple[Mark, ...]:
        if self.size <= self.KEPT_MOST:
            return self._all()[at]
        if isinstance(at, slice):
            start, stop, step = at.indices(self.size)
            return tuple(self._make(start, stop))[::step] if step > 0 else tuple(self)[at]
        where = at + self.size if at < 0 else at
        if not 0 <= where < self.size:
            raise IndexError(f"there are {self.size} marks, got {at}")
        return next(iter(self._make(where, where + 1)))

    def _all(self) -> tuple[Mark, ...]:
        if self._kept is None:
            self._kept = tuple(self._make(0, self.size))
        return self._kept

    def __iter__(self) -> Iterator[Mark]:
        return iter(self._all() if self.size <= self.KEPT_MOST else self._make(0, self.size))


class FirstFew(AsTuple[T]):
    """The first `size` of several equally good items, most of which are created only when they are accessed.

    Otherwise it behaves as the tuple of these items. `first` is the first item, and `others` yields the items after it.
    Most are never read, and each takes a search. An access raises TooHard, and does so each time, where the search for
    the item is too hard.
    """

    def __init__(self, first: T, size: int, others: Iterator[T]) -> None:
        self._size, self._made, self._others = size, [first], others
        self._problem: TooHard | None = None
        self._lock = threading.Lock()  # several visitors may look at the same results

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...

    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        places = range(self._size)[at]
        if isinstance(places, range):
            return tuple([self[n] for n in places])
        with self._lock:
            while len(self._made) <= places:
                self._make()
        return self._made[places]

    def _make(self) -> None:
        if self._problem:
            raise TooHard(*self._problem.args)
        try:
            self._made.append(next(self._others))
        except TooHard as problem:
            self._problem = problem
            raise
