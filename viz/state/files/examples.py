"""Read and check the built-in examples of the pages from their TOML files.

These are sentences with the scores that papers print for them, and outputs of several systems over the same
references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from metrics.text import languages

from .toml_file import Reader


class PaperScore(NamedTuple):
    """A score, or part of a score, that a paper prints for an example.

    Attributes:
        metric: the key of the metric.
        settings: the settings of the metric that the paper uses.
        part: the name of the part of the result, or “score”.
        value: the number as printed.
        where: where the paper prints it.
        how: the settings in words.
        erratum: what is wrong with the number, "" if nothing is."""

    metric: str
    settings: dict[str, Any]
    part: str
    value: str
    where: str
    how: str
    erratum: str


class SentenceExample(NamedTuple):
    """A candidate with references that the Sentence page can open.

    Attributes:
        name: its name in the menu of examples.
        candidate: the candidate.
        references: the references, one per line.
        metric: the metric that is selected at first.
        settings: the settings of the metric that differ from its defaults.
        text: the settings of text processing that differ from their defaults.
        printed: the numbers that papers print for it.
        source: the text that was translated, "" if unknown.
        language: the language of the references."""

    name: str
    candidate: str
    references: str
    metric: str
    settings: dict[str, Any]
    text: dict[str, Any]
    printed: tuple[PaperScore, ...]
    source: str = ""
    language: str = "english"


class ComparisonExample(NamedTuple):
    """Outputs of systems over the same references that the Compare page can open.

    Attributes:
        name: its name in the menu of examples.
        systems: pairs of a system's name and its output, A first and B second.
        references: the references, one per line.
        metric: the metric that is selected at first.
        text: the settings of text processing that differ from their defaults.
        view: the view that shows it best, "" for any.
        source: the text that was translated, "" if unknown."""

    name: str
    systems: tuple[tuple[str, str], ...]
    references: str
    metric: str
    text: dict[str, Any] = {}
    view: str = ""
    source: str = ""

    @property
    def a(self) -> str:
        """The output of system A."""
        return self.systems[0][1]

    @property
    def b(self) -> str:
        """The output of system B."""
        return self.systems[1][1]

    @property
    def names(self) -> tuple[str, str]:
        """The names of the systems A and B."""
        return self.systems[0][0], self.systems[1][0]


class _ExampleReader(Reader):
    """A reader of a file of examples, which raises FileError for the first mistake."""

    def read_examples(self, text: str) -> Iterator[dict[str, Any]]:
        """Yield the TOML table of each example in the text of a file. Raises FileError if two have the same name."""
        body = self.body(text)
        self.check_names(body, ("examples",))
        names = set()
        for number, each in enumerate(self.take(body, "examples", list), 1):
            self.where = f"example {number}"
            if not isinstance(each, dict):
                raise self.fault(f"an example must be a table, got {each!r:.60}")
            name = self.take(each, "name", str)
            if not name.strip() or name in names:
                raise self.fault(f"name must have words and be no other example's, got {name!r:.60}")
            names.add(name)
            yield each

    def example(self, body: dict[str, Any]) -> SentenceExample:
        """Return the sentence example in a TOML table."""
        self.check_names(
            body, ("name", "candidate", "references", "metric", "settings", "text", "printed", "source", "language")
        )
        candidate = self.words("candidate", self.take(body, "candidate", str))
        key, settings = self.metric_and_settings(body)
        printed = tuple([self.printed(each) for each in self.take(body, "printed", list, [])])
        text, source = self.text(body), self.source(body)
        language = self.take(body, "language", str, "english")
        if language not in languages.KNOWN:
            raise self.fault(f"language must be one that is known, such as german, got {language!r:.60}")
        return SentenceExample(
            body["name"], candidate, self.references(body), key, settings, text, printed, source, language
        )

    def printed(self, body: object) -> PaperScore:
        """Return the score of a paper in a TOML table."""
        if not isinstance(body, dict):
            raise self.fault(f"what is printed must be a table, got {body!r:.60}")
        self.check_names(body, PaperScore._fields)
        key, settings = self.metric_and_settings(body)
        value, where = self.take(body, "value", str), self.take(body, "where", str)
        part, how, erratum = (self.take(body, name, str, "") for name in ("part", "how", "erratum"))
        return PaperScore(key, settings, part or "score", value, where, how, erratum)

    def pair(self, body: dict[str, Any]) -> ComparisonExample:
        """Return the comparison example in a TOML table."""
        self.check_names(body, ("name", "systems", "references", "metric", "text", "view", "source"))
        systems = []
        for each in self.take(body, "systems", list):
            if not isinstance(each, list) or len(each) != 2 or not all(isinstance(text, str) for text in each):
                raise self.fault(f"a system must be a list of a name and a text, got {each!r:.60}")
            systems.append((self.words("a system's name", each[0]), self.words("a system's text", each[1])))
        if len(systems) < 2:
            raise self.fault(f"systems must be two or more, got {len(systems)}")
        key = self.read_metric_key(self.take(body, "metric", str))
        view = self.take(body, "view", str, "")
        text, source = self.text(body), self.source(body)
        return ComparisonExample(body["name"], tuple(systems), self.references(body), key, text, view, source)

    def metric_and_settings(self, body: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the key of the example's metric, and the settings that its table gives for the metric."""
        key = self.read_metric_key(self.take(body, "metric", str))
        self.settings(body, key)
        return key, body.get("settings", {})

    def text(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the settings of text processing that the example's table gives."""
        self.text_settings(body)
        return self.take(body, "text", dict, {})  # type: ignore[no-any-return]

    def references(self, body: dict[str, Any]) -> str:
        """Return the references of the example, joined with one per line."""
        references = self.strings(body, "references")
        if not references:
            raise self.fault("references must be one or more, got none")
        return "\n".join([self.words("a reference", each) for each in references])

    def source(self, body: dict[str, Any]) -> str:
        """Return the text that was translated, "" if the example's table does not give it."""
        return self.words("source", self.take(body, "source", str)) if "source" in body else ""

    def words(self, what: str, text: str) -> str:
        """Return `text`. Raises FileError, which names it `what`, if it has no words or more than one line."""
        if not text.strip() or "\n" in text:
            raise self.fault(f"{what} must have words on one line, got {text!r:.60}")
        return text


def sentences(name: str, text: str) -> tuple[SentenceExample, ...]:
    """Return the sentence examples in the file `name` with the content `text`. Raises FileError."""
    reader = _ExampleReader(name)
    return tuple([reader.example(body) for body in reader.read_examples(text)])


def comparisons(name: str, text: str) -> tuple[ComparisonExample, ...]:
    """Return the comparison examples in the file `name` with the content `text`. Raises FileError."""
    reader = _ExampleReader(name)
    return tuple([reader.pair(body) for body in reader.read_examples(text)])
