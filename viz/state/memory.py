"""Cache results for all sessions in a bounded number of bytes, whatever is pasted by anyone.

All cached functions share one store. The least recently used entry is dropped first, whichever function made it and
however large it is. A value larger than the whole store is computed again each time."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import wraps
from types import BuiltinFunctionType, FunctionType, MethodType, NoneType
from typing import Any, NamedTuple, ParamSpec, TypeVar

from cachetools import LRUCache

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
    """A cached value, or the TooHard error that it raised, with its weight in bytes."""

    value: Any
    problem: TooHard | None
    weight: int


_store: LRUCache[Hashable, _MemoryEntry] = LRUCache(MOST, getsizeof=lambda entry: entry.weight)
_lock = threading.RLock()


class _IdentityKey:
    """A key for a result by its identity, because comparing two results by value would go through all their marks."""

    __slots__ = ("result",)

    def __init__(self, result: Result) -> None:
        self.result = result

    def __hash__(self) -> int:
        return id(self.result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.result is self.result


def remembered(find: Callable[P, T]) -> Callable[P, T]:
    """Return `find` with its return values cached by argument, for all sessions.

    A TooHard error is cached and raised again. Arguments must be positional."""

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
                if entry.weight <= MOST:
                    _store[key] = entry
        if entry.problem:
            raise TooHard(*entry.problem.args)
        found_now: T = entry.value
        return found_now

    return answer


def forget() -> None:
    """Empty the cache."""
    with _lock:
        _store.clear()
        _weighed.clear()


def size() -> int:
    """Return the estimated number of bytes of all cached values."""
    with _lock:
        return int(_store.currsize)


def weight(thing: Any) -> int:
    """Return the approximate number of bytes of a value with all that it holds, rather too high.

    A part that is held twice counts twice. Of long sequences of numbers or marks only a few members are weighed, but
    all words are, because a single word can have a megabyte."""
    kind = type(thing)
    weigh = _scales.get(kind)
    if weigh is None:
        weigh = _scales[kind] = _weighing_function(kind)
    return weigh(thing)


#: The functions that weigh values, by type; cached, because a typed word makes some fifteen hundred values.
_scales: dict[type, Callable[[Any], int]] = {}


def _weighing_function(kind: type) -> Callable[[Any], int]:
    """Return the function that weighs values of a type."""
    if issubclass(kind, Segment):
        return _segment_weight
    if issubclass(kind, Result):
        return _result_weight
    if issubclass(kind, Settings) and all(rule.kind != "object" for rule in kind.rules().values()):
        return lambda it: SETTINGS
    if issubclass(kind, str | bytes | int | float | NoneType):
        return sys.getsizeof
    if issubclass(kind, Deferred):
        return lambda it: DEFERRED * len(it) + KEPT * min(len(it), Deferred.KEPT_MOST)
    if issubclass(kind, FirstFew):
        return lambda it: len(it) * weight(it[0])
    if issubclass(kind, Mapping):
        return lambda it: sys.getsizeof(it) + _members_weight([*it.keys()]) + _members_weight([*it.values()])
    if issubclass(kind, tuple | list):
        if hasattr(kind, "_fields"):
            return lambda it: sys.getsizeof(it) + sum([weight(part) for part in it])
        return lambda it: sys.getsizeof(it) + _members_weight(it)
    if issubclass(kind, set | frozenset | deque):
        return lambda it: sys.getsizeof(it) + _members_weight([*it])
    if is_dataclass(kind):
        names = [f.name for f in fields(kind)]
        return lambda it: sys.getsizeof(it) + sum([weight(getattr(it, name)) for name in names])
    if issubclass(kind, FunctionType | MethodType | BuiltinFunctionType | type):
        return sys.getsizeof
    return _object_weight


def _object_weight(thing: Any) -> int:
    """Return the weight of an object with its attributes."""
    if hasattr(thing, "weight"):  # the object knows better how much it will hold
        return sys.getsizeof(thing) + int(thing.weight())
    if callable(thing):
        return sys.getsizeof(thing)
    names = (*getattr(thing, "__dict__", ()), *getattr(type(thing), "__slots__", ()))
    return sys.getsizeof(thing) + sum([weight(getattr(thing, name, None)) for name in names])


#: The last segments that were weighed, by id, because one segment is part of many cached values. The segments are
#: kept, so that no other object gets their id.
_weighed: dict[int, tuple[Segment, int]] = {}


def _segment_weight(segment: Segment) -> int:
    """Return the weight of a segment."""
    cached_weight = _weighed.get(id(segment))
    if cached_weight is None or cached_weight[0] is not segment:
        words = sum([_members_weight(text) + sys.getsizeof(text) for text in (segment.candidate, *segment.references)])
        cached_weight = segment, sys.getsizeof(segment) + sys.getsizeof(segment.references) + words
        if len(_weighed) >= KNOWN:
            _weighed.clear()
        _weighed[id(segment)] = cached_weight
    return cached_weight[1]


def _result_weight(result: Result) -> int:
    """Return the weight of a result, estimated from the number of its marks."""
    layers = sum([LAYER + weight(layer.marks) + NUMBER * len(layer.credits) for layer in result.layers])
    layers += sum([LETTERS * len(layer.marks) for layer in result.layers if layer.unit == "character"])
    return RESULT + weight(result.segment) + weight(result.settings) + layers


def _members_weight(things: Sequence[Any]) -> int:
    """Return the weight of all members of a sequence, estimated from a sample if it is long."""
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
