"""What was found once is remembered for all sessions, in a bounded number of bytes, whatever is pasted by whom.

All functions that remember share one store. What was not asked for longest is forgotten first, whichever function found
it and however large it is; what is larger than the whole store is found anew each time.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from cachetools import LRUCache

from metrics.types import Deferred, Result, Segment, TooHard

P = ParamSpec("P")
T = TypeVar("T")

#: Bytes of all that is remembered here. The caches of `metrics`, whose sizes are fixed, take up to as much again.
MOST = 112 * 2**20

SAMPLE = 4  # members of a long sequence of numbers or marks that are weighed
DEFERRED, KEPT = 24, 260  # bytes of a mark that is not made yet, and of one that is kept


class _Entry(NamedTuple):
    found: Any
    problem: TooHard | None
    weight: int


_store: LRUCache[Hashable, _Entry] = LRUCache(MOST, getsizeof=lambda entry: entry.weight)
_lock = threading.RLock()


class _Same:
    """A key for a result by its identity: to compare two by what they hold would look through all their marks."""

    __slots__ = ("result",)

    def __init__(self, result: Result) -> None:
        self.result = result

    def __hash__(self) -> int:
        return id(self.result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.result is self.result


def remembered(find: Callable[P, T]) -> Callable[P, T]:
    """A function whose answers are remembered by its arguments, and so is that something was too hard for it."""

    @wraps(find)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs, "arguments are given by position, so that there is one key for each"
        key = (find, *[_Same(arg) if isinstance(arg, Result) else arg for arg in args])
        with _lock:
            entry = _store.get(key)
        if entry is None:
            found, problem = None, None
            try:
                found = find(*args, **kwargs)
            except TooHard as error:
                problem = TooHard(*error.args)
            entry = _Entry(found, problem, weight(args) + weight(found))
            with _lock:
                if entry.weight <= MOST:
                    _store[key] = entry
        if entry.problem:
            raise TooHard(*entry.problem.args)
        found_now: T = entry.found
        return found_now

    return answer


def forget() -> None:
    """Forget everything."""
    with _lock:
        _store.clear()
        _weighed.clear()


def size() -> int:
    """The bytes of all that is remembered, as they are counted."""
    with _lock:
        return int(_store.currsize)


def weight(thing: Any) -> int:
    """About how many bytes a value takes with all that it holds, rather too many: what is held twice is counted twice.
    Of long sequences of numbers or of marks a few members are weighed, of words all: one of them can be a megabyte."""
    if not isinstance(thing, Segment):
        return _weight(thing)
    with _lock:
        known = _weighed.get(id(thing))
    if known is None or known[0] is not thing:
        known = thing, _weight(thing)
        with _lock:
            _weighed[id(thing)] = known
    return known[1]


#: The segments that were weighed last, for one goes into many answers; kept, so that no other has their id.
_weighed: LRUCache[int, tuple[Segment, int]] = LRUCache(4)


def _weight(thing: Any) -> int:
    own = sys.getsizeof(thing)
    if isinstance(thing, str | bytes | int | float | None):
        return own
    if isinstance(thing, Deferred):
        return own + DEFERRED * len(thing) + KEPT * min(len(thing), Deferred.KEPT_MOST)
    if isinstance(thing, Mapping):
        return own + _members([*thing.keys()]) + _members([*thing.values()])
    if isinstance(thing, tuple | list):
        return own + (sum(map(weight, thing)) if hasattr(thing, "_fields") else _members(thing))
    if isinstance(thing, set | frozenset | deque):
        return own + _members([*thing])
    if is_dataclass(thing) and not isinstance(thing, type):
        return own + sum([weight(getattr(thing, f.name)) for f in fields(thing)])
    if callable(thing):
        return own
    if hasattr(thing, "weight"):  # knows better what it will hold
        return own + int(thing.weight())
    names = (*getattr(thing, "__dict__", ()), *getattr(type(thing), "__slots__", ()))
    return own + sum([weight(getattr(thing, name, None)) for name in names])


def _members(things: Sequence[Any]) -> int:
    if things and isinstance(things[0], str):
        return sum(map(sys.getsizeof, things))
    count = len(things)
    wordy = things and isinstance(things[0], tuple) and any(isinstance(part, str) for part in things[0])
    if count <= SAMPLE or wordy:
        return sum(map(weight, things))
    some = [things[n * count // SAMPLE] for n in range(SAMPLE)]
    if all(thing is some[0] for thing in some):  # one thing that comes again and again
        return weight(some[0])
    return sum(map(weight, some)) * count // SAMPLE
