"""Name the texts of a corpus in a link, so that who opens it elsewhere knows which files it wants, and check them.

A link has no room for the texts. It holds the number of segments and, for each text, its kind, its name, the number of
its lines and a digest of them, by which the same lines are recognised in files of any format and name."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from metrics.formula import count_with_noun
from metrics.text import languages
from metrics.text.formats import Material
from metrics.text.formats.material import ColumnTexts

from ...draw.pen.text import visible

#: The kinds of texts, by the letter that a link has for them, and the words for one text of a kind and for several.
KINDS = {"s": "system", "r": "reference", "o": "source"}
SAID = {
    "system": ("the output of {}", "the outputs of {}"),
    "reference": ("the reference {}", "the references {}"),
    "source": ("the source",),
}
#: Most texts, and most letters of a name, also where there are many texts, of all names together, and of a digest.
TEXTS_MOST, NAME_MOST, NAME_LEAST, LETTERS_MOST, DIGEST_LETTERS = 140, 60, 8, 2_000, 10
SEGMENTS_MOST = 10_000_000
#: Most texts that a sentence names.
NAMED_MOST = 6
SAME = "These are the texts of the link."


class LinkText(NamedTuple):
    """A text as a link names it: its kind, one of the values of KINDS, its name, its digest, and how many lines it has.

    A long name is cut. The source has no name."""

    kind: str
    name: str
    digest: str
    lines: int

    @property
    def label(self) -> str:
        """What the text is, in words."""
        return SAID[self.kind][0].format(_quoted(self.name))


class LinkTexts(NamedTuple):
    """The texts of a corpus as a link names them.

    Attributes:
        language: the language with which they were scored.
        cleaned: the kinds of markup that were removed from them.
        texts: the systems in their order, the references and the source."""

    language: str
    cleaned: tuple[str, ...]
    texts: tuple[LinkText, ...]

    @property
    def systems(self) -> list[LinkText]:
        """The systems in their order."""
        return [text for text in self.texts if text.kind == "system"]

    @property
    def segments(self) -> int:
        """The number of segments: the lines of the longest text."""
        return max([text.lines for text in self.texts], default=0)


# ---------------------------------------------------------------- in links


def texts_of(material: Material, language: str = "") -> LinkTexts:
    """Return the texts of a corpus as a link names them."""
    named = [("system", name, texts) for name, texts in material.systems.items()]
    named += [("reference", name, texts) for name, texts in material.references.items()]
    named += [("source", "", material.source)] if material.source else []
    most = max(NAME_LEAST, min(NAME_MOST, LETTERS_MOST // max(1, len(named))))
    each = [LinkText(kind, _cut(name, most), digest(of), len(of.lines)) for kind, name, of in named[:TEXTS_MOST]]
    return LinkTexts(language, tuple(material.cleaned), tuple(each))


def _cut(name: str, most: int) -> str:
    """Return a name with at most `most` letters, without what no link holds."""
    return (name if len(name) <= most else f"{name[: most - 1]}…").encode("utf-8", "replace").decode()


def digest(texts: ColumnTexts) -> str:
    """Return a short digest of the lines of a text.

    >>> one, other = (ColumnTexts(lines, "a.txt", (1, 2)) for lines in (("a", "b"), ("a", "b ")))
    >>> digest(one), digest(one) == digest(other)
    ('kRFp3arxRq', False)
    """
    made = hashlib.sha256()
    for line in texts.lines:
        made.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return base64.urlsafe_b64encode(made.digest()).decode()[:DIGEST_LETTERS]


def write_texts(given: LinkTexts) -> str:
    """Return the texts of a link as one JSON text; the inverse of `read_texts`.

    >>> given = LinkTexts("german", (), (LinkText("system", "After", "kRFp3arxRq", 2),))
    >>> write_texts(given), read_texts(write_texts(given)) == given
    ('["german",[],[["s","After","kRFp3arxRq",2]]]', True)
    """
    letters = {kind: letter for letter, kind in KINDS.items()}
    texts = [[letters[text.kind], *text[1:]] for text in given.texts]
    return json.dumps([given.language, given.cleaned, texts], ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=16)
def read_texts(text: str) -> LinkTexts | None:
    """Return the texts of a link from their JSON text, None for "".

    Raises ValueError if the text is not in the format of `write_texts`."""
    if not text:
        return None
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    match body:
        case [str(language), list(cleaned), list(texts)] if texts and len(texts) <= TEXTS_MOST and len(language) <= 40:
            if all(isinstance(each, str) and len(each) <= NAME_MOST for each in cleaned) and len(cleaned) <= 20:
                return LinkTexts(language, tuple(cleaned), tuple(map(_read_text, texts)))
    raise ValueError("these are no texts of a corpus")


def _read_text(entry: Any) -> LinkText:
    """Return a text of a link from its entry. Raises ValueError if it is none."""
    match entry:
        case [str(letter), str(name), str(made), int(lines)] if (
            letter in KINDS and len(name) <= NAME_MOST and len(made) == DIGEST_LETTERS and 0 <= lines <= SEGMENTS_MOST
        ):
            return LinkText(KINDS[letter], name, made, lines)
    raise ValueError("these are no texts of a corpus")


# ---------------------------------------------------------------- which texts are wanted


def wanted_sentence(wanted: LinkTexts) -> str:
    """Return a sentence that names the texts which a link wants.

    >>> wanted_sentence(LinkTexts("german", (), (LinkText("system", "After", "", 2), LinkText("source", "", "", 2))))
    'This link is of texts that are not here: the output of “After” and the source, 2 segments, in German.'
    """
    parts = [_kind_in_words(kind, [text.name for text in wanted.texts if text.kind == kind]) for kind in SAID]
    known = wanted.language in languages.KNOWN
    language = f", in {languages.language_label(wanted.language)}" if known else ""
    count = count_with_noun(wanted.segments, "segment")
    return f"This link is of texts that are not here: {_listed([part for part in parts if part])}, {count}{language}."


def _kind_in_words(kind: str, names: Sequence[str]) -> str:
    """Return the texts of a kind in words, such as “the outputs of “A” and “B””, "" if there are none."""
    if not names or kind == "source":
        return SAID[kind][0] if names else ""
    shown = [_quoted(name) for name in names]
    if len(shown) > NAMED_MOST:
        shown = [*shown[: NAMED_MOST - 1], f"{len(shown) - NAMED_MOST + 1} more"]
    return SAID[kind][len(names) > 1].format(_listed(shown))


def _quoted(name: str) -> str:
    """Return the name of a text in quotation marks, with control characters as their codes."""
    return f"“{visible(name, NAME_MOST)}”"


def comparison_sentence(wanted: LinkTexts, given: LinkTexts) -> str:
    """Return a sentence on whether texts that were given are those that a link wants, and else which are not.

    >>> link = LinkTexts("", (), (LinkText("system", "A", "x", 3), LinkText("reference", "R", "y", 3)))
    >>> comparison_sentence(link, link)
    'These are the texts of the link.'
    >>> comparison_sentence(link, LinkTexts("", (), (LinkText("system", "A", "z", 2), LinkText("system", "B", "", 2))))
    'These are not the texts of the link: the output of “A” has 2 lines and there 3; the reference “R” is missing.'
    >>> comparison_sentence(link, LinkTexts("", (), (LinkText("system", "A", "z", 3), link.texts[1])))
    'These are not the texts of the link: the output of “A” has as many lines as there, 3, but not the same ones.'
    """
    faults = [fault for text in wanted.texts if (fault := _fault(text, given))]
    if not faults:
        return SAME
    shown = faults if len(faults) <= NAMED_MOST else [*faults[: NAMED_MOST - 1], "and others"]
    return f"These are not the texts of the link: {'; '.join(shown)}."


def _fault(text: LinkText, given: LinkTexts) -> str:
    """Return how a text of a link differs from the texts that were given, "" if it is among them."""
    if any(each.digest == text.digest for each in given.texts if each.kind == text.kind):
        return ""
    if any(each.digest == text.digest for each in given.texts):
        return f"{text.label} is taken for something else"
    namesake = next((each for each in given.texts if each.kind == text.kind and _same_name(each.name, text.name)), None)
    if namesake is None:
        return f"{text.label} is missing"
    if namesake.lines == text.lines:
        return f"{text.label} has as many lines as there, {text.lines:,}, but not the same ones"
    return f"{text.label} has {count_with_noun(namesake.lines, 'line')} and there {text.lines:,}"


def _same_name(one: str, other: str) -> bool:
    """Return whether two names are the same, as far as they are not cut."""
    cut = [name[:-1] for name in (one, other) if name.endswith("…")]
    return one == other or any(one.startswith(start) and other.startswith(start) for start in cut if start)


def _listed(labels: Sequence[str]) -> str:
    """Return labels as a list in words."""
    *first, last = labels
    return f"{', '.join(first)} and {last}" if first else last


def place_of_system(wanted: LinkTexts, number: int, given: LinkTexts) -> int | None:
    """Return the index of the given system that is the one with index `number` in the link, None if there is none.

    It is the one with the same lines, else the one with the same name; of several with the same lines, the one that
    also has the name."""
    if number >= len(wanted.systems):
        return None
    text = wanted.systems[number]
    near = [
        ((each.digest != text.digest, not _same_name(each.name, text.name)), place)
        for place, each in enumerate(given.systems)
        if each.digest == text.digest or _same_name(each.name, text.name)
    ]
    return min(near)[1] if near else None
