"""What texts bring with them from where they were copied and no reader sees as words: tags, escaped characters, the
marks of programs that cut words into pieces, and characters that are not seen at all. What is found is said, and is
taken out of the texts where that is asked for."""

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
UNESCAPED = frozenset(("&quot;", "&amp;", "&lt;", "&gt;"))  # what 13a writes as characters itself
ESCAPED_MOST = 3  # times that a text may have been escaped
SHOWN = 24  # characters of what was found that a sentence quotes
#: Characters that no reader sees and no language writes words with: hyphens that are not shown, spaces without width,
#: and marks of direction. Joiners and selectors, which words and emoji are written with, are none of them.
UNSEEN = "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"

#: What stands behind a tag's name holds a "=", or it is words in brackets, as in "<A note>".
_ATTRIBUTES = r"(?:\s[^<>=\n]{0,100}=[^<>\n]{0,300})?"
_TAG = re.compile(rf"</?({'|'.join(NAMES)}){_ATTRIBUTES}\s{{0,9}}/?>|<!--[^<>\n]{{0,300}}-->", re.IGNORECASE)
_ESCAPE = re.compile(r"&(?:quot|amp|lt|gt|apos|nbsp|#[0-9]{1,6}|#x[0-9a-f]{1,5});", re.IGNORECASE)
_SENTENCE_PIECE = re.compile(r"(?:^|(?<=\s))\u2581\S*")
_BPE = re.compile(r"(?<!\S)\S*\w@@(?=\s|$)")
_WORD_PIECE = re.compile(r"(?<=\S )##\w+")
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_JOINT = re.compile(r"(?<=\S )@([-/,.:\u2013])@(?= \S)")


class Markup(NamedTuple):
    """A kind of what is no word: the letters without which there is none, how it is found, what is said of an example,
    what the click says and what is said when it was done, and how a text is without it."""

    sign: str
    pattern: re.Pattern[str]
    says: str
    action: str
    done_message: str
    clean: Callable[[str], str]


class Cleaned(NamedTuple):
    """What can be taken out of files: its kinds, what they are called, and what taking them out does."""

    kinds: tuple[str, ...]
    label: str
    does: str


def _without_tags(text: str) -> str:
    bare = _TAG.sub(lambda tag: " " if (tag[1] or "br").lower() in BLOCKS else "", text)
    return "\n".join([re.sub(r"[ \t]{2,}", " ", line).strip() for line in bare.split("\n")])


def _without_escapes(text: str) -> str:
    for _ in range(ESCAPED_MOST):
        text = _ESCAPE.sub(lambda escape: _one_line(html.unescape(escape[0].lower())), text)
    return text


def _one_line(character: str) -> str:
    """A character in the place of its escape; a space for one that would end a line or that is none."""
    return character if character.isprintable() else " "


def _without_word_starts(text: str) -> str:
    """The words of lines whose words begin with a mark, and whose pieces have spaces between them."""
    return "\n".join([_whole_words(line) if "\u2581" in line else line for line in text.split("\n")])


def _whole_words(line: str) -> str:
    return line.replace(" ", "").replace("\u2581", " ").strip()


KINDS = {
    "starts": Markup(
        "\u2581",
        _SENTENCE_PIECE,
        "Words are cut into pieces, as {}, and their pieces are scored.",
        "Join the pieces",
        "The pieces of words were joined.",
        _without_word_starts,
    ),
    "ends": Markup(
        "@@",
        _BPE,
        "Words are cut into pieces, as {}, and their pieces are scored.",
        "Join the pieces",
        "The pieces of words were joined.",
        lambda text: re.sub(r"(?<=\w)@@(?: |$)", "", text, flags=re.MULTILINE),
    ),
    "rests": Markup(
        "##",
        _WORD_PIECE,
        "Words are cut into pieces, as {}, and their pieces are scored.",
        "Join the pieces",
        "The pieces of words were joined.",
        lambda text: re.sub(r"(?<=\S) ##(?=\w)", "", text),
    ),
    "joints": Markup(
        "@",
        _JOINT,
        "{} stands for a mark without spaces beside it, and is scored as a word.",
        "Write the mark",
        "Marks between words were written without spaces.",
        lambda text: re.sub(r"(?<=\S) @([-/,.:\u2013])@ (?=\S)", r"\1", text),
    ),
    "tags": Markup(
        "<",
        _TAG,
        "Tags such as {} are scored with the words.",
        "Take the tags out",
        "Tags were taken out.",
        _without_tags,
    ),
    "escapes": Markup(
        "&",
        _ESCAPE,
        "Escapes such as {} stand for a character, but are scored as they stand.",
        "Write the characters",
        "Escapes were written as the characters that they stand for.",
        _without_escapes,
    ),
    "unseen": Markup(
        "",
        _UNSEEN,
        "{} is not seen, and is scored.",
        "Take them out",
        "Characters that are not seen were taken out.",
        lambda text: _UNSEEN.sub("", text),
    ),
}

#: What can be taken out of files, by how the command line calls it: the kinds, what they are, and what taking them out
#: does, as it stands behind "with".
CLEANED: Mapping[str, Cleaned] = {
    "pieces": Cleaned(("starts", "ends", "rests"), "pieces of words (@@, \u2581, ##)", "the pieces joined"),
    "joints": Cleaned(("joints",), "marks between words (@-@)", "the marks written without spaces"),
    "tags": Cleaned(("tags",), "tags", "the tags taken out"),
    "escapes": Cleaned(("escapes",), "escapes (&#39;)", "escapes written as characters"),
    "unseen": Cleaned(("unseen",), "characters that are not seen", "the unseen characters taken out"),
}


def first(texts: Iterable[str], tokenizer: str) -> tuple[str, str] | None:
    """The first kind of markup in texts and an example of it, None where there is none; a `tokenizer` that unescapes
    some characters itself leaves nothing to say of those."""
    given = list(texts)
    for kind in KINDS:
        for text in given if kind != "unseen" else ():  # which matters where words differ by it alone: `lookalike`
            if found_example := example(kind, text, tokenizer):
                return kind, found_example
    return None


def example(kind: str, text: str, tokenizer: str) -> str:
    """The first of a kind of markup in a text, "" where there is none."""
    of = KINDS[kind]
    for markup_match in of.pattern.finditer(text) if of.sign in text else ():
        if kind != "escapes" or tokenizer != "13a" or markup_match[0].lower() not in UNESCAPED:
            return markup_match[0]
    return ""


def describe_example(kind: str, example: str) -> str:
    """What is said of a kind of markup."""
    short = example if len(example) <= SHOWN else f"{example[: SHOWN - 1]}…"
    return KINDS[kind].says.format(f"“{short}”")


def cleaned(kind: str, text: str) -> str:
    """A text without markup of a kind.

    >>> cleaned("tags", "a <b>red</b> house<br/>here"), cleaned("escapes", "&amp;quot;go&quot; &#39;now&#39;")
    ('a red house here', '"go" \\'now\\'')
    >>> cleaned("starts", "\u2581He llo \u2581wor ld"), cleaned("ends", "un@@ believ@@ able")
    ('Hello world', 'unbelievable')
    >>> cleaned("joints", "state @-@ of @-@ the @-@ art")
    'state-of-the-art'
    """
    return KINDS[kind].clean(text)


def remove_kinds(names: Sequence[str], text: str) -> str:
    """A text without what CLEANED names.

    >>> remove_kinds(["escapes", "unseen"], "Auto\u00adbahn &amp; more")
    'Autobahn & more'
    """
    for name in names:
        for kind in CLEANED[name].kinds:
            text = cleaned(kind, text) if KINDS[kind].sign in text else text
    return text


def cleaning_notes(names: Sequence[str]) -> list[str]:
    """That something was taken out of texts, a sentence for each name of CLEANED.

    >>> cleaning_notes(["pieces"])
    ['The texts are scored with the pieces joined.']
    """
    return [f"The texts are scored with {CLEANED[name].does}." for name in names]


def signature(names: Sequence[str]) -> str:
    """The end of the signature of texts of which something was taken out, "" where nothing was.

    >>> signature(["pieces", "escapes"]), signature([])
    ('|cleaned:pieces+escapes', '')
    """
    return f"|cleaned:{'+'.join(names)}" if names else ""
