"""Cache return values of functions for all sessions within a limit in bytes, whatever anyone pastes.

All cached functions share one cache. The least recently used value is dropped first, whichever function returned it
and however large it is. A value larger than the whole cache is computed again each time."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import wraps
from types import BuiltinFunctionType, FunctionType, MethodType, NoneType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from metrics.text import Token
from metrics.types import (
    Deferred,
    Edit,
    FirstFew,
    Hit,
    Neighbours,
    Result,
    Run,
    Segment,
    Settings,
    Shift,
    SkipBigram,
    TooHard,
)

P = ParamSpec("P")
T = TypeVar("T")

#: The most bytes of all cached values. The caches of `metrics`, whose sizes are fixed, take up to as much again.
MOST = 112 * 2**20

SAMPLE = 4  # how many members of a long sequence of numbers or marks are weighed
KNOWN = 8  # how many segments' weights are cached
DEFERRED, KEPT = 24, 260  # bytes of a deferred mark, and of a mark that is made
RESULT, LAYER, NUMBER = 3_000, 300, 32  # bytes of a result with its parts and statistics, of a layer, of a credit
LETTERS = 300  # additional bytes of a mark on letters, with its pieces
SETTINGS, TOKEN = 400, 140  # bytes of plain settings, and of a token without its two texts
#: Bytes of values of constant size, so that sequences of them are weighed by their length.
EACH = {int: 32, float: NUMBER, Hit: 170, Run: 210, Edit: 320, SkipBigram: 400, Neighbours: 400, Shift: 320}


class _MemoryEntry(NamedTuple):
    """A cached return value, or the TooHard error that was raised instead, with its approximate size in bytes."""

    value: Any
    problem: TooHard | None
    weight: int


class _Store:
    """Values by key within a limit in bytes; the least recently used is dropped first. It is not thread-safe."""

    def __init__(self) -> None:
        self.entries: OrderedDict[Hashable, _MemoryEntry] = OrderedDict()
        self.bytes = 0

    def get(self, key: Hashable) -> _MemoryEntry | None:
        entry = self.entries.get(key)
        if entry is not None:
            self.entries.move_to_end(key)
        return entry

    def store_entry(self, key: Hashable, entry: _MemoryEntry) -> None:
        """Store an entry; one that is larger than the limit is not stored."""
        if entry.weight > MOST:
            return
        before = self.entries.pop(key, None)  # another session may have computed the same
        self.bytes += entry.weight - (before.weight if before else 0)
        while self.bytes > MOST:
            self.bytes -= self.entries.popitem(last=False)[1].weight
        self.entries[key] = entry

    def clear(self) -> None:
        self.entries.clear()
        self.bytes = 0


_store = _Store()
_lock = threading.RLock()


class _IdentityKey:
    """A cache key that compares a result by identity, because a comparison by value would go through all its marks."""

    __slots__ = ("result",)

    def __init__(self, result: Result) -> None:
        self.result = result

    def __hash__(self) -> int:
        return id(self.result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.result is self.result


def remembered(find: Callable[P, T]) -> Callable[P, T]:
    """Return `find` with its return values cached by argument, for all sessions.

    A TooHard error is cached and raised again. Arguments must be positional and hashable."""

    @wraps(find)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        assert not kwargs, "arguments are given by position, so that there is one key for each"
        key = (find, *[_IdentityKey(arg) if isinstance(arg, Result) else arg for arg in args])
        with _lock:
            entry = _store.get(key)
        if entry is None:
            value, problem = None, None
            try:
                value = find(*args, **kwargs)
            except TooHard as error:
                problem = TooHard(*error.args)
            entry = _MemoryEntry(value, problem, weight(args) + weight(value))
            with _lock:
                _store.store_entry(key, entry)
        if entry.problem:
            raise TooHard(*entry.problem.args)
        found_now: T = entry.value
        return found_now

    return answer


def empty_cache() -> None:
    """Empty the cache."""
    with _lock:
        _store.clear()
        _bytes_by_segment_id.clear()


def cached_bytes() -> int:
    """Return the approximate number of bytes of all cached values."""
    with _lock:
        return _store.bytes


def weight(thing: Any) -> int:
    """Return the approximate number of bytes of a value with all that it refers to, rather too many than too few.

    A value that is referred to twice counts twice. Of a long sequence of numbers or marks only a few are measured,
    but of a sequence of words all, because a single word can have a megabyte."""
    kind = type(thing)
    weigh = _bytes_function_by_type.get(kind)
    if weigh is None:
        weigh = _bytes_function_by_type[kind] = _bytes_function_of_type(kind)
    return weigh(thing)


#: The functions that weigh values, by type; cached, because a typed word makes some fifteen hundred values.
_bytes_function_by_type: dict[type, Callable[[Any], int]] = {}


def _bytes_function_of_type(kind: type) -> Callable[[Any], int]:
    """Return the function that measures the bytes of values of the type `kind`."""
    if issubclass(kind, Segment):
        return _segment_bytes
    if issubclass(kind, Result):
        return _result_bytes
    if issubclass(kind, Settings) and all(rule.kind != "object" for rule in kind.rules().values()):
        return lambda it: SETTINGS
    if issubclass(kind, str | bytes | int | float | NoneType):
        return sys.getsizeof
    if issubclass(kind, Deferred):
        return lambda it: DEFERRED * len(it) + KEPT * min(len(it), Deferred.KEPT_MOST)
    if issubclass(kind, FirstFew):
        return lambda it: len(it) * weight(it[0])
    if issubclass(kind, Mapping):
        return lambda it: sys.getsizeof(it) + _members_bytes([*it.keys()]) + _members_bytes([*it.values()])
    if issubclass(kind, tuple | list):
        if hasattr(kind, "_fields"):
            return lambda it: sys.getsizeof(it) + sum([weight(part) for part in it])
        return lambda it: sys.getsizeof(it) + _members_bytes(it)
    if issubclass(kind, set | frozenset | deque):
        return lambda it: sys.getsizeof(it) + _members_bytes([*it])
    if is_dataclass(kind):
        names = [f.name for f in fields(kind)]
        return lambda it: sys.getsizeof(it) + sum([weight(getattr(it, name)) for name in names])
    if issubclass(kind, FunctionType | MethodType | BuiltinFunctionType | type):
        return sys.getsizeof
    return _object_bytes


def _object_bytes(thing: Any) -> int:
    """Return the approximate number of bytes of an object with its attributes."""
    if hasattr(thing, "weight"):  # the object knows better how much it will hold
        return sys.getsizeof(thing) + int(thing.weight())
    if callable(thing):
        return sys.getsizeof(thing)
    names = (*getattr(thing, "__dict__", ()), *getattr(type(thing), "__slots__", ()))
    return sys.getsizeof(thing) + sum([weight(getattr(thing, name, None)) for name in names])


#: The last segments that were weighed, by id, because one segment is part of many cached values. The segments are
#: kept, so that no other object gets their id.
_bytes_by_segment_id: dict[int, tuple[Segment, int]] = {}


def _segment_bytes(segment: Segment) -> int:
    """Return the approximate number of bytes of a segment."""
    cached_weight = _bytes_by_segment_id.get(id(segment))
    if cached_weight is None or cached_weight[0] is not segment:
        words = sum([_members_bytes(text) + sys.getsizeof(text) for text in (segment.candidate, *segment.references)])
        cached_weight = segment, sys.getsizeof(segment) + sys.getsizeof(segment.references) + words
        if len(_bytes_by_segment_id) >= KNOWN:
            _bytes_by_segment_id.clear()
        _bytes_by_segment_id[id(segment)] = cached_weight
    return cached_weight[1]


def _result_bytes(result: Result) -> int:
    """Return the approximate number of bytes of a result, estimated from the number of its marks."""
    layers = sum([LAYER + weight(layer.marks) + NUMBER * len(layer.credits) for layer in result.layers])
    layers += sum([LETTERS * len(layer.marks) for layer in result.layers if layer.unit == "character"])
    return RESULT + weight(result.segment) + weight(result.settings) + layers


def _members_bytes(things: Sequence[Any]) -> int:
    """Return the approximate number of bytes of all members of a sequence, estimated from a sample if it is long."""
    if things and isinstance(things[0], str):
        return sum(map(sys.getsizeof, things))
    count = len(things)
    if things and (size := EACH.get(type(things[0]))):
        return size * count
    if things and isinstance(things[0], Token):
        return sum([TOKEN + sys.getsizeof(token.form) + sys.getsizeof(token.raw) for token in things])
    if count <= SAMPLE:
        return sum([weight(thing) for thing in things])
    sample = [things[n * count // SAMPLE] for n in range(SAMPLE)]
    if all(thing is sample[0] for thing in sample):  # one object repeated
        return weight(sample[0])
    return sum([weight(thing) for thing in sample]) * count // SAMPLE
