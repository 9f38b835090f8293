"""Errors that people marked, as what is looked at holds them: for a text, and for as long as it is that text.

Marks count letters, so they are of a text as people saw it. They are known by that text: of one that was changed they
are not shown, and where the change is undone they are again, wherever it stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from metrics.text.judgements import JudgementRecord

from ..draw.texts import MarkedError, ProcessedTexts
from .codec import SHOWN, FieldKind, Packed

#: Bytes of all marks as text, marks of a text, letters of a category, and of a text that can be marked.
MOST, MARKS_MOST, SAID_MOST, LETTERS_MOST = 400_000, 2_000, 200, 200_000
_SIDES = {"target": "t", "source": "s"}


class TextMarks(NamedTuple):
    """The marks of a text and of its source, both known by their `digest`."""

    text: str
    source: str
    marks: tuple[MarkedError, ...]


def digest(text: str) -> str:
    """A short name of a text, but for white space around it.

    >>> digest("a b") == digest(" a b "), digest("a b") == digest("a c"), len(digest(""))
    (True, False, 16)
    """
    return blake2b(text.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def marks_of_text(text: str, source: str, marks: Iterable[MarkedError]) -> tuple[TextMarks, ...]:
    """The marks of a text and of its source, whose letters they count; none where there are none."""
    less = {"target": len(text) - len(text.lstrip()), "source": len(source) - len(source.lstrip())}
    moved = [_moved(mark, -less[mark.side]) for mark in marks]
    valid_marks = tuple([mark for mark in moved if mark.end > 0][:MARKS_MOST])
    return (TextMarks(digest(text), digest(source), valid_marks),) if valid_marks else ()


def of_output(judged: JudgementRecord | None, system: int, segment: int) -> tuple[MarkedError, ...]:
    """What was marked of a system's output in a segment; who did it is said where several did."""
    if judged is None:
        return ()
    spans = [each for each in judged.spans if (each.system, each.segment) == (system, segment)]
    several = len({each.judge for each in spans}) > 1
    names = [judged.judges[each.judge] if several else "" for each in spans]
    return tuple([MarkedError(*s[3:6], s.category, s.severity, name) for s, name in zip(spans, names, strict=True)])


def attach_marks(texts: ProcessedTexts, kept_marks: Sequence[TextMarks], text: str) -> ProcessedTexts:
    """Texts, of which the candidate was typed as `text`, with the marks that are kept of them."""
    text_marks = next((each for each in kept_marks if each.text == digest(text)), None) if kept_marks else None
    if text_marks is None:
        return texts
    same_source, more = text_marks.source == digest(texts.source), len(text) - len(text.lstrip())
    marks = [
        _moved(m, more) if m.side == "target" else m for m in text_marks.marks if same_source or m.side == "target"
    ]
    return replace(texts, marked=tuple(marks))


def _moved(mark: MarkedError, by: int) -> MarkedError:
    return mark._replace(start=max(0, mark.start + by), end=mark.end + by)


class MarksKind(FieldKind):
    """The marks of texts, as a packed text."""

    packed = Packed(MOST)

    def text(self, value: Sequence[TextMarks]) -> str:
        return self.packed.text(_marks_json(tuple(value)))

    def value(self, name: str, text: str) -> tuple[TextMarks, ...]:
        try:
            return _read(self.packed.value(name, text))
        except (TypeError, ValueError, RecursionError):
            raise ValueError(f"{name} must be errors that people marked, got {text!r:.{SHOWN}}") from None


@lru_cache(maxsize=8)
def _marks_json(value: tuple[TextMarks, ...]) -> str:
    each = [[text, source, [[_SIDES[m[0]], *m[1:]] for m in marks]] for text, source, marks in value]
    return json.dumps(each, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=8)
def _read(text: str) -> tuple[TextMarks, ...]:
    return tuple([_read_text_marks(*each) for each in json.loads(text)])


def _read_text_marks(text: str, source: str, marks: Sequence[Sequence[Any]]) -> TextMarks:
    if not (isinstance(text, str) and isinstance(source, str) and isinstance(marks, list) and len(marks) <= MARKS_MOST):
        raise ValueError("no marks of a text")
    return TextMarks(text, source, tuple([_mark(*mark) for mark in marks]))


def _mark(side: str, start: int, end: int, category: str, severity: str, judge: str) -> MarkedError:
    sides: dict[str, Any] = {short: name for name, short in _SIDES.items()}
    if side not in sides or type(start) is not int or type(end) is not int or not 0 <= start <= end <= LETTERS_MOST:
        raise ValueError("no place in a text")
    if not all(isinstance(each, str) and len(each) <= SAID_MOST for each in (category, severity, judge)):
        raise ValueError("no category or severity")
    return MarkedError(sides[side], start, end, category, severity, judge)
