"""Find and remove parts of texts that other programs put there and that a reader does not see as words.

These are tags, escaped characters, marks of programs that cut words into pieces, and invisible characters. A message
reports what is found; it is removed only if the user asks for it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

NAMES = (
    "a abbr b big bdi bdo bpt br code div doc em ept font g h1 h2 h3 h4 h5 h6 hl hr i img it li mark nobr ol p ph pre "
    "q ref refset s seg small span src strike strong sub sup svg td th title tr tst tt u ul x"
).split()
BLOCKS = "br div doc h1 h2 h3 h4 h5 h6 hr li ol p pre ref refset seg src td th title tr tst ul".split()
UNESCAPED = frozenset(("&quot;", "&amp;", "&lt;", "&gt;"))  # escapes that the tokeniser 13a decodes itself
ESCAPED_MOST = 3  # how many times a text may have been escaped
SHOWN = 24  # the most characters of an example that a message quotes
#: Invisible characters that no language needs in words: soft hyphens, spaces without width, and marks of direction.
#: Joiners and variation selectors are not included, because some words and emoji need them.
UNSEEN = "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"

#: The attributes of a tag must have a "="; else it is words in brackets, as in "<A note>".
_ATTRIBUTES = r"(?:\s[^<>=\n]{0,100}=[^<>\n]{0,300})?"
_TAG = re.compile(rf"</?({'|'.join(NAMES)}){_ATTRIBUTES}\s{{0,9}}/?>|<!--[^<>\n]{{0,300}}-->", re.IGNORECASE)
_ESCAPE = re.compile(r"&(?:quot|amp|lt|gt|apos|nbsp|#[0-9]{1,6}|#x[0-9a-f]{1,5});", re.IGNORECASE)
_SENTENCE_PIECE = re.compile(r"(?:^|(?<=\s))\u2581\S*")
_BPE = re.compile(r"(?<!\S)\S*\w@@(?=\s|$)")
_WORD_PIECE = re.compile(r"(?<=\S )##\w+")
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_JOINT = re.compile(r"(?<=\S )@([-/,.:\u2013])@(?= \S)")


class MarkupKind(NamedTuple):
    """A kind of markup, with how to find and remove it and what to tell the user.

    Attributes:
        sign: a string that every text with this markup contains, for a quick check.
        pattern: matches the markup.
        says: the message for the user, with `{}` for an example.
        action: the label of the button that removes the markup.
        done_message: the message after removing it.
        clean: a function that returns a text without the markup."""

    sign: str
    pattern: re.Pattern[str]
    says: str
    action: str
    done_message: str
    clean: Callable[[str], str]


class CleaningGroup(NamedTuple):
    """A group of kinds of markup that can be removed from files.

    Attributes:
        kinds: the keys of the kinds in KINDS.
        label: the name of the group for the user.
        does: the effect of removing it, as a phrase after "with"."""

    kinds: tuple[str, ...]
    label: str
    does: str


def _without_tags(text: str) -> str:
    """Return a text without tags; a tag that separates blocks, such as `<br>`, becomes a space."""
    bare = _TAG.sub(lambda tag: " " if (tag[1] or "br").lower() in BLOCKS else "", text)
    return "\n".join([re.sub(r"[ \t]{2,}", " ", line).strip() for line in bare.split("\n")])


def _without_escapes(text: str) -> str:
    """Return a text with escapes such as `&amp;` decoded, also if they were escaped up to ESCAPED_MOST times."""
    for _ in range(ESCAPED_MOST):
        text = _ESCAPE.sub(lambda escape: _printable_or_space(html.unescape(escape[0].lower())), text)
    return text


def _printable_or_space(character: str) -> str:
    """Return a decoded character, or a space if it is not printable, as a line break is not."""
    return character if character.isprintable() else " "


def _with_pieces_joined(text: str) -> str:
    """Join the pieces of words that SentencePiece made, in those lines of a text that mark the starts of words (▁)."""
    return "\n".join([_join_pieces(line) if "\u2581" in line else line for line in text.split("\n")])


def _join_pieces(line: str) -> str:
    """Return the words of a line in which SentencePiece cut words into pieces."""
    return line.replace(" ", "").replace("\u2581", " ").strip()


KINDS = {
    "starts": MarkupKind(
        "\u2581",
        _SENTENCE_PIECE,
        "Words are cut into pieces, as {}, and their pieces are scored.",
        "Join the pieces",
        "The pieces of words were joined.",
        _with_pieces_joined,
    ),
    "ends": MarkupKind(
        "@@",
        _BPE,
        "Words are cut into pieces, as {}, and their pieces are scored.",
        "Join the pieces",
        "The pieces of words were joined.",
        lambda text: re.sub(r"(?<=\w)@@(?: |$)", "", text, flags=re.MULTILINE),
    ),
    "rests": MarkupKind(
        "##",
        _WORD_PIECE,
        "Words are cut into pieces, as {}, and their pieces are scored.",
        "Join the pieces",
        "The pieces of words were joined.",
        lambda text: re.sub(r"(?<=\S) ##(?=\w)", "", text),
    ),
    "joints": MarkupKind(
        "@",
        _JOINT,
        "{} means a mark without spaces around it, but is scored as a word.",
        "Write the mark",
        "Marks between words were written without spaces.",
        lambda text: re.sub(r"(?<=\S) @([-/,.:\u2013])@ (?=\S)", r"\1", text),
    ),
    "tags": MarkupKind(
        "<",
        _TAG,
        "Tags such as {} are scored with the words.",
        "Take the tags out",
        "Tags were taken out.",
        _without_tags,
    ),
    "escapes": MarkupKind(
        "&",
        _ESCAPE,
        "Escapes such as {} stand for a character, but are scored as written.",
        "Write the characters",
        "Escapes were written as the characters that they stand for.",
        _without_escapes,
    ),
    "unseen": MarkupKind(
        "",
        _UNSEEN,
        "{} is invisible, but is scored.",
        "Take them out",
        "Invisible characters were removed.",
        lambda text: _UNSEEN.sub("", text),
    ),
}

#: The groups of markup that can be removed from files, by their name on the command line.
CLEANED: Mapping[str, CleaningGroup] = {
    "pieces": CleaningGroup(("starts", "ends", "rests"), "pieces of words (@@, \u2581, ##)", "the pieces joined"),
    "joints": CleaningGroup(("joints",), "marks between words (@-@)", "the marks written without spaces"),
    "tags": CleaningGroup(("tags",), "tags", "the tags taken out"),
    "escapes": CleaningGroup(("escapes",), "escapes (&#39;)", "escapes written as characters"),
    "unseen": CleaningGroup(("unseen",), "invisible characters", "the invisible characters removed"),
}


def find_first_markup(texts: Iterable[str], tokenizer: str) -> tuple[str, str] | None:
    """Return the first kind of markup (a key of KINDS) that occurs in texts, with an example; None if there is none.

    Escapes that the tokeniser `tokenizer` decodes itself do not count, and neither do invisible characters."""
    given = list(texts)
    for kind in KINDS:
        # Invisible characters only matter where two words differ by them: see `lookalike`.
        for text in given if kind != "unseen" else ():
            if found_example := first_occurrence(kind, text, tokenizer):
                return kind, found_example
    return None


def first_occurrence(kind: str, text: str, tokenizer: str) -> str:
    """Return the first occurrence of a kind of markup (a key of KINDS) in a text, "" if there is none.

    Escapes that the tokeniser `tokenizer` decodes itself do not count."""
    of = KINDS[kind]
    for markup_match in of.pattern.finditer(text) if of.sign in text else ():
        if kind != "escapes" or tokenizer != "13a" or markup_match[0].lower() not in UNESCAPED:
            return markup_match[0]
    return ""


def describe_markup(kind: str, example: str) -> str:
    """Return the message for the user about a kind of markup (a key of KINDS), with an example."""
    short = example if len(example) <= SHOWN else f"{example[: SHOWN - 1]}…"
    return KINDS[kind].says.format(f"“{short}”")


def remove_markup_kind(kind: str, text: str) -> str:
    """Return a text without one kind of markup (a key of KINDS).

    >>> marked = {"tags": "a <b>red</b> house<br/>here", "escapes": "&amp;quot;go&quot; &#39;now&#39;"}
    >>> tuple([remove_markup_kind(kind, text) for kind, text in marked.items()])
    ('a red house here', '"go" \\'now\\'')
    >>> remove_markup_kind("starts", "\u2581He llo \u2581wor ld"), remove_markup_kind("ends", "un@@ believ@@ able")
    ('Hello world', 'unbelievable')
    >>> remove_markup_kind("joints", "state @-@ of @-@ the @-@ art")
    'state-of-the-art'
    """
    return KINDS[kind].clean(text)


def remove_markup_groups(names: Sequence[str], text: str) -> str:
    """Return a text without the markup of the given groups; `names` are keys of CLEANED.

    >>> remove_markup_groups(["escapes", "unseen"], "Auto\u00adbahn &amp; more")
    'Autobahn & more'
    """
    for name in names:
        for kind in CLEANED[name].kinds:
            text = remove_markup_kind(kind, text) if KINDS[kind].sign in text else text
    return text


def cleaning_notes(names: Sequence[str]) -> list[str]:
    """Return a sentence for the user about each group of markup that was removed; `names` are keys of CLEANED.

    >>> cleaning_notes(["pieces"])
    ['The texts are scored with the pieces joined.']
    """
    return [f"The texts are scored with {CLEANED[name].does}." for name in names]


def cleaning_signature(names: Sequence[str]) -> str:
    """Return what the signature of a score says about markup that was removed from the texts, "" if none was.

    `names` are the removed groups, keys of CLEANED.

    >>> cleaning_signature(["pieces", "escapes"]), cleaning_signature([])
    ('|cleaned:pieces+escapes', '')
    """
    return f"|cleaned:{'+'.join(names)}" if names else ""
