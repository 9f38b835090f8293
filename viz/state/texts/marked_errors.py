"""Keep the errors that people marked in a text with that text, and attach them when it is shown.

Marks have character positions, so they are only valid for the text on which they were made. They are found by a
digest of that text. After an edit of the text they are not shown; once the edit is undone they are shown again, on
any page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from metrics.text.judgements import JudgementRecord

from ...draw.texts import MarkedError, ProcessedTexts
from ..links.codec import SHOWN, FieldKind, PackedText

#: The most bytes of all marks as text, marks of a text, letters of a category, and letters of a marked text.
MOST, MARKS_MOST, SAID_MOST, LETTERS_MOST = 400_000, 2_000, 200, 200_000
_SIDES = {"target": "t", "source": "s"}


class TextMarks(NamedTuple):
    """The errors that people marked in one text and its source.

    Attributes:
        text: the digest of the text.
        source: the digest of the source.
        marks: the marked errors, with character positions in the text or the source without surrounding white space."""

    text: str
    source: str
    marks: tuple[MarkedError, ...]


def digest(text: str) -> str:
    """Return a short hexadecimal digest of a text, which ignores white space around it.

    >>> digest("a b") == digest(" a b "), digest("a b") == digest("a c"), len(digest(""))
    (True, False, 16)
    """
    return blake2b(text.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def marks_of_text(text: str, source: str, marks: Iterable[MarkedError]) -> tuple[TextMarks, ...]:
    """Return the `marks` on a text and its source, as a tuple of one `TextMarks`; empty if there are no marks.

    The positions of `marks` count characters of `text` and `source`, including leading white space."""
    less = {"target": len(text) - len(text.lstrip()), "source": len(source) - len(source.lstrip())}
    moved = [_shift_mark(mark, -less[mark.side]) for mark in marks]
    valid_marks = tuple([mark for mark in moved if mark.end > 0][:MARKS_MOST])
    return (TextMarks(digest(text), digest(source), valid_marks),) if valid_marks else ()


def marks_of_output(judged: JudgementRecord | None, system: int, segment: int) -> tuple[MarkedError, ...]:
    """Return the errors that people marked in the output of a system for a segment; both are indices.

    The marks name the judge only if several people judged the output."""
    if judged is None:
        return ()
    spans = [each for each in judged.spans if (each.system, each.segment) == (system, segment)]
    several = len({each.judge for each in spans}) > 1
    names = [judged.judges[each.judge] if several else "" for each in spans]
    return tuple([MarkedError(*s[3:6], s.category, s.severity, name) for s, name in zip(spans, names, strict=True)])


def attach_marks(texts: ProcessedTexts, kept_marks: Sequence[TextMarks], text: str) -> ProcessedTexts:
    """Return `texts` with the kept marks that were made on `text`, the candidate as typed.

    Marks on the source are attached only if it is the same source too."""
    text_marks = next((each for each in kept_marks if each.text == digest(text)), None) if kept_marks else None
    if text_marks is None:
        return texts
    same_source, more = text_marks.source == digest(texts.source), len(text) - len(text.lstrip())
    marks = [
        _shift_mark(m, more) if m.side == "target" else m for m in text_marks.marks if same_source or m.side == "target"
    ]
    return replace(texts, marked=tuple(marks))


def _shift_mark(mark: MarkedError, by: int) -> MarkedError:
    """Return a mark whose positions are moved by `by` characters."""
    return mark._replace(start=max(0, mark.start + by), end=mark.end + by)


class MarksKind(FieldKind):
    """The kind of a field that holds marked errors, written as compressed JSON."""

    packed = PackedText(MOST)

    def text(self, value: Sequence[TextMarks]) -> str:
        """Return the marks as compressed text for a link."""
        return self.packed.text(_marks_json(tuple(value)))

    def value(self, name: str, text: str) -> tuple[TextMarks, ...]:
        """Return the marks in the compressed text of the parameter `name`. Raises ValueError if it is malformed."""
        try:
            return _read_marks_json(self.packed.value(name, text))
        except (TypeError, ValueError, RecursionError):
            raise ValueError(f"{name} must be errors that people marked, got {text!r:.{SHOWN}}") from None


@lru_cache(maxsize=8)
def _marks_json(value: tuple[TextMarks, ...]) -> str:
    """Return the marks as JSON: a list of [text digest, source digest, marks]."""
    each = [[text, source, [[_SIDES[m[0]], *m[1:]] for m in marks]] for text, source, marks in value]
    return json.dumps(each, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=8)
def _read_marks_json(text: str) -> tuple[TextMarks, ...]:
    """Return the marks in the JSON of `_marks_json`. Raises ValueError or TypeError if it is malformed."""
    return tuple([_read_text_marks(*each) for each in json.loads(text)])


def _read_text_marks(text: str, source: str, marks: Sequence[Sequence[Any]]) -> TextMarks:
    """Return the marks of one text from their JSON values. Raises ValueError if one is malformed."""
    if not (isinstance(text, str) and isinstance(source, str) and isinstance(marks, list) and len(marks) <= MARKS_MOST):
        raise ValueError("no marks of a text")
    return TextMarks(text, source, tuple([_read_mark(*mark) for mark in marks]))


def _read_mark(side: str, start: int, end: int, category: str, severity: str, judge: str) -> MarkedError:
    """Return a marked error from its JSON values; `side` is "t" for the text and "s" for the source.

    Raises ValueError if a value is malformed."""
    sides: dict[str, Any] = {short: name for name, short in _SIDES.items()}
    if side not in sides or type(start) is not int or type(end) is not int or not 0 <= start <= end <= LETTERS_MOST:
        raise ValueError("no place in a text")
    if not all(isinstance(each, str) and len(each) <= SAID_MOST for each in (category, severity, judge)):
        raise ValueError("no category or severity")
    return MarkedError(sides[side], start, end, category, severity, judge)
