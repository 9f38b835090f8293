"""Turn the texts that a user pasted into a segment to score, or into a message on what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from metrics.text import TextSettings, describe_excess, forms
from metrics.types import Segment

from ...draw.texts import ProcessedTexts
from ..results import cache
from . import marked_errors, reading
from .marked_errors import TextMarks

MAX_WORDS, MAX_REFERENCES, MAX_CHARACTERS = 2_000, 16, 200_000
NAME_WORDS, NAME_READ = 3, 120  # the most words of a name in a pasted line, and the most characters
SYSTEMS_LEAST, SYSTEMS_MOST, NAME_MOST = 2, 8, 40  # numbers of systems in a comparison; characters of a name


class MissingKind(Enum):
    """The reason why texts cannot be scored."""

    NOTHING = "neither side is typed"
    CANDIDATE = "no candidate is typed, or no output of a system"
    REFERENCE = "no reference is typed"
    WORDLESS = "a text has no words"
    TOO_LONG = "a text has too many words or characters"
    TOO_MANY = "there are too many references"


@dataclass(frozen=True, slots=True)
class MissingText:
    """The message that is shown in place of scores while texts cannot be scored.

    Attributes:
        kind: the reason.
        says: a sentence that states the reason.
        advice: a sentence on what helps, or on what appears once the texts are there."""

    kind: MissingKind
    says: str
    advice: str = ""

    @property
    def is_untyped(self) -> bool:
        """Whether a text is still to be typed; False if a typed text cannot be used."""
        return self.kind in (MissingKind.NOTHING, MissingKind.CANDIDATE, MissingKind.REFERENCE)

    def __str__(self) -> str:
        """Return the reason followed by the advice."""
        return f"{self.says} {self.advice}".strip()


class TextLimits(NamedTuple):
    """The size limits of the texts in one part of the app, and how the messages on them are worded.

    Attributes:
        words: the most words of a text.
        references: the most references.
        ask: the sentence that asks for a text, with `{}` for what is asked for.
        advice: the sentence on what appears once the texts are there.
        fit: the verb in “more words than fit”.
        shorten: the sentence on what helps if a text is too long.
        remove: the sentence on what helps if there are too many references."""

    words: int = MAX_WORDS
    references: int = MAX_REFERENCES
    ask: str = "Paste {} above, or choose an example."
    advice: str = "Scores and the grid appear here."
    fit: str = "fit"
    shorten: str = "Shorten it to see scores; your text is kept."
    remove: str = "Remove lines to see scores; your text is kept."

    def ask_for(self, kind: MissingKind, what: str) -> MissingText:
        """Return the message that asks the user to type `what`, such as “a reference”."""
        return MissingText(kind, self.ask.format(what), self.advice)

    def too_long(self, name: str, count: int, most: int, noun: str) -> MissingText:
        """Return the message that the text called `name` has `count` words or characters, of which `most` are allowed.

        `noun` is what is counted: “words” or “characters”."""
        return MissingText(MissingKind.TOO_LONG, f"{describe_excess(name, count, noun, most, self.fit)}.", self.shorten)

    def too_many(self, count: int) -> MissingText:
        """Return the message that `count` references are too many."""
        return MissingText(
            MissingKind.TOO_MANY, f"{describe_excess('', count, 'references', self.references, self.fit)}.", self.remove
        )


PAGE = TextLimits()
COMPARISON = TextLimits(advice="What changed appears here.")
SYSTEMS = TextLimits(ask="Paste {}, or several outputs, above.", advice="Their scores appear here.")


def reference_lines(text: str) -> list[str]:
    """Return the references in a pasted text: all lines that are not blank."""
    return [line for line in reading.split_lines(text) if line.strip()]


def pasted_systems(text: str) -> list[tuple[str, str]]:
    """Return (name, output) for each line that was pasted as a system's output; the name is "" where none is given.

    A name is at most three words directly before a colon and a space, or before a tab. Names may be longer if some line
    has such a name and all lines have words before a colon or a tab. There are two kinds of empty outputs: a name with
    nothing after it, if other lines have names with words; and an empty line between others, if no line has a name and
    not all lines are separated by empty ones.

    >>> pasted_systems("Online-W: It is red.\\n\\nHe said : go .\\nnew\\tIt was 5:30 .\\nold:")
    [('Online-W', 'It is red.'), ('', 'He said : go .'), ('new', 'It was 5:30 .'), ('old', '')]
    >>> pasted_systems("It is red.\\n\\nIt was red.\\nRed it is.")
    [('', 'It is red.'), ('', ''), ('', 'It was red.'), ('', 'Red it is.')]
    """
    given = [line.strip() for line in reference_lines(text)]
    matches = [re.match(r"([^\s:](?:[^:\t]*[^\s:])?)(?::\s+|\t\s*)(\S.*)", line) for line in given]
    words = [len(each[1].split()) if each and len(each[1]) <= NAME_READ else NAME_READ for each in matches]
    most = NAME_READ - 1 if min(words, default=0) <= NAME_WORDS and max(words, default=0) < NAME_READ else NAME_WORDS
    systems = [
        (each[1], each[2]) if each and count <= most else ("", line)
        for line, each, count in zip(given, matches, words, strict=True)
    ]
    if any(name for name, _ in systems):
        return [_name_alone(text) if not name else (name, text) for name, text in systems]
    all_lines = [line.strip() for line in reading.split_lines(text.strip())]
    lines_apart = all("" in pair for pair in pairwise(all_lines))
    return systems if lines_apart else [("", line) for line in all_lines]


def _name_alone(line: str) -> tuple[str, str]:
    """Return (name, "") if a line is only the name of a system and a colon, else ("", `line`)."""
    name = line[:-1].strip() if line.endswith(":") and not line[-2:-1].isspace() else ""
    return (name, "") if name and ":" not in name and len(name.split()) <= NAME_WORDS else ("", line)


def suggest_joined_systems(text: str) -> list[tuple[str, str]] | None:
    """Return the pasted systems with lines joined that seem to continue the output before them, as (name, output).

    Return None if no line seems to. Where lines have names, each name starts an output.

    >>> text = "A: The cat that sat on the mat was seen by\\nthe dog.\\nB: The dog saw the cat on the mat."
    >>> suggest_joined_systems(text)
    [('A', 'The cat that sat on the mat was seen by the dog.'), ('B', 'The dog saw the cat on the mat.')]
    """
    systems = pasted_systems(text)
    if not any(name for name, _ in systems):
        joined = reading.suggest_joining(text)
        return [("", whole) for whole in joined] if joined else None
    out: list[tuple[str, list[str]]] = []
    for name, line in systems:
        if name or not out:
            out.append((name, []))
        out[-1][1].append(line)
    wholes = [reading.suggest_joining("\n".join(pieces)) or pieces for _, pieces in out]
    if len(out) == len(systems) or any(len(whole) != 1 for whole in wholes):
        return None
    return [(name, whole[0]) for (name, _), whole in zip(out, wholes, strict=True)]


def read_texts(
    candidate: str,
    references: str,
    settings: TextSettings,
    room: TextLimits = PAGE,
    source: str = "",
    marks: Sequence[TextMarks] = (),
) -> ProcessedTexts | MissingText:
    """Return the processed texts of one candidate and its references, or a message on why they cannot be scored.

    Args:
        candidate, references: the texts as typed, with one reference per line.
        settings: how texts are processed.
        room: the size limits, and how messages are worded.
        source: the text that was translated, "" if unknown.
        marks: marks of people; the ones that were made on this candidate are attached to it."""
    typed, given = bool(candidate.strip()), bool(reference_lines(references))
    if not typed and not given:
        return room.ask_for(MissingKind.NOTHING, "a candidate and at least one reference")
    if not given:
        return room.ask_for(MissingKind.REFERENCE, "a reference")
    if not typed:
        return room.ask_for(MissingKind.CANDIDATE, "a candidate")
    texts = _read_candidates([("The candidate", candidate)], references, settings, room, source, marks)
    if isinstance(texts, MissingText):
        return texts
    return texts[0] if texts[0].candidate else _wordless("The candidate")


def read_one_sided(
    candidate: str, references: str, settings: TextSettings, source: str = "", marks: Sequence[TextMarks] = ()
) -> ProcessedTexts | None:
    """Return the processed texts if exactly one side has no words: an empty candidate, or only empty references.

    Return None otherwise, and if a text is too long. Texts with words on both sides are for `read_texts`; the marks in
    `marks` that were made on this candidate are attached to it."""
    given = reference_lines(references) or [""]
    fits = len(given) <= MAX_REFERENCES and max(map(len, (candidate, *given))) <= MAX_CHARACTERS
    if not fits:
        return None
    ours, *theirs = [cache.tokens(text, settings) for text in (candidate, *given)]
    if bool(ours) == any(theirs) or (not all(theirs) and any(theirs)) or max(map(len, (ours, *theirs))) > MAX_WORDS:
        return None
    texts = ProcessedTexts(
        Segment(forms(ours), tuple(map(forms, theirs))), ours, tuple(theirs), settings, source.strip()
    )
    return marked_errors.attach_marks(texts, marks, candidate)


def read_systems(
    systems: Sequence[tuple[str, str]],
    references: str,
    settings: TextSettings,
    room: TextLimits = COMPARISON,
    source: str = "",
    marks: Sequence[TextMarks] = (),
) -> list[ProcessedTexts] | MissingText:
    """Return the processed texts of several systems over the same references, or why they cannot be scored.

    `systems` are pairs of name and output. An output may be empty, for a system that failed, but not all outputs.
    `room` has the size limits; `source` is the text that was translated. Marks in `marks` are attached to the output
    on which they were made."""
    if not any(text.strip() for _, text in systems):
        return room.ask_for(MissingKind.CANDIDATE, "an output")
    if not reference_lines(references):
        return room.ask_for(MissingKind.REFERENCE, "a reference")
    named_outputs = [(name or "An output", text) for name, text in systems]
    return _read_candidates(named_outputs, references, settings, room, source, marks)


def untyped_output(side: str, room: TextLimits = COMPARISON) -> MissingText:
    """Return the message that asks for the output before or after a change; `side` is “before” or “after”."""
    return room.ask_for(MissingKind.CANDIDATE, f"the output {side} the change")


def _read_candidates(
    candidates: Sequence[tuple[str, str]],
    references: str,
    settings: TextSettings,
    room: TextLimits,
    source: str,
    marks: Sequence[TextMarks],
) -> list[ProcessedTexts] | MissingText:
    """Return the processed texts of each candidate, or a message on the first text that is too long.

    `candidates` are pairs of a name, for the message, and a text."""
    given = reference_lines(references)
    if len(given) > room.references:
        return room.too_many(len(given))
    named_texts = [*candidates, *((f"Reference {k + 1}", r) for k, r in enumerate(given))]
    for name, text in named_texts:
        if len(text) > MAX_CHARACTERS:
            return room.too_long(name, len(text), MAX_CHARACTERS, "characters")
    processed = [cache.tokens(text, settings) for _, text in named_texts]
    for (name, _), tokens in zip(named_texts, processed, strict=True):
        if len(tokens) > room.words:
            return room.too_long(name, len(tokens), room.words, "words")
    theirs = tuple(processed[len(candidates) :])
    for k, tokens in enumerate(theirs):
        if not tokens:
            return _wordless(f"Reference {k + 1}")
    of_references = tuple(map(forms, theirs))
    out = []
    for (_, text), ours in zip(candidates, processed[: len(candidates)], strict=True):
        texts = ProcessedTexts(Segment(forms(ours), of_references), ours, theirs, settings, source.strip())
        out.append(marked_errors.attach_marks(texts, marks, text))
    return out


def _wordless(name: str) -> MissingText:
    """Return the message that the text called `name` has no words."""
    advice = "Choose another tokeniser under Text, or change the text."
    return MissingText(MissingKind.WORDLESS, f"{name} has no words left after tokenising.", advice)


def default_name(slot: int) -> str:
    """Return the letter by which a system is called that was given no name: A for slot 0, B for slot 1, …"""
    return chr(ord("A") + slot)
