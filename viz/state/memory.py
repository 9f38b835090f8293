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

#: Bytes of all that is remembered here. The caches of `metrics`, whose sizes are fixed, take up to as much again.
MOST = 112 * 2**20

SAMPLE = 4  # members of a long sequence of numbers or marks that are weighed
KNOWN = 8  # segments whose weight is known
DEFERRED, KEPT = 24, 260  # bytes of a mark that is not made yet, and of one that is kept
RESULT, LAYER, NUMBER = 3_000, 300, 32  # bytes of a result with its parts and statistics, of a layer, of a credit
LETTERS = 300  # bytes that a mark on letters takes more than one on words, with its pieces
SETTINGS, TOKEN = 400, 140  # bytes of plain settings, and of a token beside its two texts
#: Bytes of what is always as large, so that many are counted and not looked at.
EACH = {int: 32, float: NUMBER, Hit: 170, Run: 210, Edit: 320, SkipBigram: 400, Neighbours: 400, Shift: 320}


class _MemoryEntry(NamedTuple):
    value: Any
    problem: TooHard | None
    weight: int


_store: LRUCache[Hashable, _MemoryEntry] = LRUCache(MOST, getsizeof=lambda entry: entry.weight)
_lock = threading.RLock()


class _IdentityKey:
    """A key for a result by its identity: to compare two by what they hold would look through all their marks."""

    __slots__ = ("result",)

    def __init__(self, result: Result) -> None:
        self.result = result

    def __hash__(self) -> int:
        return id(self.result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _IdentityKey) and other.result is self.result


def remembered(find: Callable[P, T]) -> Callable[P, T]:
    """A function whose answers are remembered by its arguments, and so is that something was too hard for it."""

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
    kind = type(thing)
    weigh = _scales.get(kind)
    if weigh is None:
        weigh = _scales[kind] = _scale(kind)
    return weigh(thing)


#: How a value is weighed, by its type: found once for each, for a typed word weighs some fifteen hundred.
_scales: dict[type, Callable[[Any], int]] = {}


def _scale(kind: type) -> Callable[[Any], int]:
    """How values of a type are weighed."""
    if issubclass(kind, Segment):
        return _segment
    if issubclass(kind, Result):
        return _result
    if issubclass(kind, Settings) and all(rule.kind != "object" for rule in kind.rules().values()):
        return lambda it: SETTINGS
    if issubclass(kind, str | bytes | int | float | NoneType):
        return sys.getsizeof
    if issubclass(kind, Deferred):
        return lambda it: DEFERRED * len(it) + KEPT * min(len(it), Deferred.KEPT_MOST)
    if issubclass(kind, FirstFew):
        return lambda it: len(it) * weight(it[0])
    if issubclass(kind, Mapping):
        return lambda it: sys.getsizeof(it) + _members([*it.keys()]) + _members([*it.values()])
    if issubclass(kind, tuple | list):
        if hasattr(kind, "_fields"):
            return lambda it: sys.getsizeof(it) + sum([weight(part) for part in it])
        return lambda it: sys.getsizeof(it) + _members(it)
    if issubclass(kind, set | frozenset | deque):
        return lambda it: sys.getsizeof(it) + _members([*it])
    if is_dataclass(kind):
        names = [f.name for f in fields(kind)]
        return lambda it: sys.getsizeof(it) + sum([weight(getattr(it, name)) for name in names])
    if issubclass(kind, FunctionType | MethodType | BuiltinFunctionType | type):
        return sys.getsizeof
    return _object_weight


def _object_weight(thing: Any) -> int:
    if hasattr(thing, "weight"):  # knows better what it will hold
        return sys.getsizeof(thing) + int(thing.weight())
    if callable(thing):
        return sys.getsizeof(thing)
    names = (*getattr(thing, "__dict__", ()), *getattr(type(thing), "__slots__", ()))
    return sys.getsizeof(thing) + sum([weight(getattr(thing, name, None)) for name in names])


#: The segments that were weighed last, for one goes into many answers; kept, so that no other has their id.
_weighed: dict[int, tuple[Segment, int]] = {}


def _segment(segment: Segment) -> int:
    cached_weight = _weighed.get(id(segment))
    if cached_weight is None or cached_weight[0] is not segment:
        words = sum([_members(text) + sys.getsizeof(text) for text in (segment.candidate, *segment.references)])
        cached_weight = segment, sys.getsizeof(segment) + sys.getsizeof(segment.references) + words
        if len(_weighed) >= KNOWN:
            _weighed.clear()
        _weighed[id(segment)] = cached_weight
    return cached_weight[1]


def _result(result: Result) -> int:
    layers = sum([LAYER + weight(layer.marks) + NUMBER * len(layer.credits) for layer in result.layers])
    layers += sum([LETTERS * len(layer.marks) for layer in result.layers if layer.unit == "character"])
    return RESULT + weight(result.segment) + weight(result.settings) + layers


def _members(things: Sequence[Any]) -> int:
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
    if all(thing is sample[0] for thing in sample):  # one thing that comes again and again
        return weight(sample[0])
    return sum([weight(thing) for thing in sample]) * count // SAMPLE
