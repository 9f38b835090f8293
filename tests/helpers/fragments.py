"""Parse the HTML of a fragment into a tree of elements, and prepare a result for drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import metrics
from metrics.analysis.difference import match_difference
from metrics.text import TextSettings, Token, forms, process
from metrics.types import Result, Segment
from tests.helpers.segments import all_hits
from viz.draw.compare.comparison import OutputPair
from viz.draw.evidence.drawn_result import DrawnResult
from viz.draw.texts import ProcessedTexts

#: The pattern of the only inline style in a saved page: how small a grid may become.
LEAST_SIZE = r"(--least-wide: \d+px; --least-high: \d+px)?"

EMPTY = ("wbr", "br", "meta")  # elements without an end tag


@dataclass
class Element:
    """An HTML element with its attributes, and with its text and child elements in document order."""

    tag: str
    attributes: dict[str, str]
    inside: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.get("class").split())

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    @property
    def text(self) -> str:
        return "".join([part if isinstance(part, str) else part.text for part in self.inside])

    @property
    def children(self) -> list[Element]:
        return [part for part in self.inside if isinstance(part, Element)]

    def all(self, tag: str = "", of: str = "", **attributes: str) -> list[Element]:
        """Return all elements inside this one with the tag `tag`, the class `of` and the given attributes.

        An empty `tag` or `of` allows any. An underscore in the name of an attribute means a hyphen: `data_term` is
        `data-term`."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [
            e
            for e in self
            if (not tag or e.tag == tag)
            and (not of or of in e.classes)
            and all(e.attributes.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag: str = "", of: str = "", **attributes: str) -> Element:
        """Return the only element inside this one with the tag `tag`, the class `of` and the given attributes."""
        (found,) = self.all(tag, of, **attributes)
        return found

    def having(self, attribute: str) -> list[Element]:
        """Return all elements inside this one that have the attribute, with any value."""
        return [e for e in self if attribute in e.attributes]

    def __iter__(self) -> Iterator[Element]:
        """Yield all elements inside this one, at any depth, in document order."""
        waiting = self.children[::-1]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += element.children[::-1]


class _FragmentParser(HTMLParser):
    """A parser that builds a tree of elements, and fails on comments, doubled attributes and elements left open."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]
        self.feed(html)
        self.close()
        assert self.open == [self.root], f"{self.open[-1].tag} is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in EMPTY:
            last = self.open[-1].inside[-1]
            assert isinstance(last, Element)
            self.open.append(last)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        assert len(attributes) == len(attrs), f"{tag} has an attribute twice"
        self.open[-1].inside.append(Element(tag, attributes))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)

    def refuse(self, data: str) -> None:
        raise AssertionError(f"a comment, a declaration, an instruction or a section: {data}")

    handle_comment = handle_decl = handle_pi = unknown_decl = refuse


def read(html: str) -> Element:
    """Parse HTML and return the root of its elements; assert that every element is closed."""
    return _FragmentParser(html).root


def read_page(html: str) -> Element:
    """Parse a whole page, which begins with its document type, and return the root of its elements."""
    return read(html.partition(">")[2])


def process_texts(candidate: str, *references: str, **settings: Any) -> ProcessedTexts:
    """Return a candidate and its references, split into words as the page does it with these text settings."""
    of = TextSettings(**settings)
    words, others = process(candidate, of), tuple([process(reference, of) for reference in references])
    return ProcessedTexts(Segment(forms(words), tuple(map(forms, others))), words, others, of)


def texts_of(result: Result) -> ProcessedTexts:
    """Return the processed texts of a result; each word's typed form is the form that the metric compares."""
    candidate, references = result.segment

    def tokens_of(words: tuple[str, ...]) -> tuple[Token, ...]:
        return tuple([Token(word, word, n, n + 1) for n, word in enumerate(words)])

    return ProcessedTexts(
        result.segment, tokens_of(candidate), tuple([tokens_of(r) for r in references]), TextSettings()
    )


def output_pair(before: Result, after: Result, names: tuple[str, str] = ("A", "B")) -> OutputPair:
    """Return two results with all that is needed to draw their difference."""
    texts = texts_of(before), texts_of(after)
    return OutputPair(*texts, names, before, after, match_difference(before, after), metrics.ledger(before, after))


def drawn_result(result: Result, **more: Any) -> DrawnResult:
    """Return a result with all that is needed to draw it.

    The hits are all matches of the grid, unless `more` has `hits`."""
    return DrawnResult(texts_of(result), result, more.pop("hits", all_hits(result)), **more)
