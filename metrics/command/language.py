"""The language of the texts, recognised from the references or named by the call, and what depends on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..text import TextSettings, languages
from ..text.similarity import StemSimilarity, WordNetSimilarity, similarity_for
from ..types import Metric, Settings


class TextLanguage(NamedTuple):
    """The language of the texts, such as "german".

    Attributes:
        language: the name of the language.
        recognised: whether it was recognised from the references; if not, the call names it.
    """

    language: str
    recognised: bool

    @property
    def stemming_language(self) -> str:
        """Return the language whose stems and synonyms are used for the texts; English if the language is unknown."""
        return languages.language_for_stems(self.language)

    @property
    def description(self) -> str:
        """Return the label of the language and where it comes from, as a clause.

        >>> TextLanguage("german", True).description, TextLanguage("unknown", True).description
        ('German, from the references', 'An unknown language, treated as English; set it with --language')
        """
        if self.language == languages.UNKNOWN:
            return f"{languages.language_label(self.language)}, treated as English; set it with --language"
        return f"{languages.language_label(self.language)}, {'from the references' if self.recognised else 'as set'}"

    def to_dict(self) -> dict[str, str]:
        return {"name": self.language, "from": "references" if self.recognised else "option"}


def depends_on_language(metrics: Sequence[tuple[Metric, Settings]], text: TextSettings, stems_named: bool) -> bool:
    """Return whether any score depends on the language of the texts.

    `stems_named` is True if the call itself names the language of Snowball's stemmer, so that stems do not depend on
    the texts.
    """
    in_text = text.stemmer == "snowball" and not stems_named
    return in_text or any(
        rule.of_texts or isinstance(getattr(settings, name), StemSimilarity | WordNetSimilarity)
        for _, settings in metrics
        for name, rule in settings.rules().items()
    )


def text_language(language: str | None, references: Sequence[Sequence[str]]) -> TextLanguage:
    """Return the language that the call names; if `language` is None, recognise it from the references' lines."""
    if language:
        return TextLanguage(language, False)
    return TextLanguage(languages.recognise_language([line for lines in references for line in lines]), True)


def text_settings_for_language(text: TextSettings, language: str) -> TextSettings:
    """Return the text processing with Snowball's stemmer for `language`; unchanged if no Snowball stemmer is requested.

    Words are not stemmed if Snowball has no stemmer for the language.
    """
    if text.stemmer != "snowball":
        return text
    return replace(text, language=language) if languages.has_stems(language) else replace(text, stemmer="none")


def metric_settings_for_language(settings: Settings, language: str) -> Settings:
    """Return the settings of a metric, with its stems, synonyms and other language data for texts in `language`."""
    kinds: Mapping[type, str] = {StemSimilarity: "stem", WordNetSimilarity: "wordnet"}
    values = {name: getattr(settings, name) for name in settings.rules()}
    similar: dict[str, Any] = {
        name: similarity_for(kinds[type(value)], language) for name, value in values.items() if type(value) in kinds
    }
    return replace(settings.of_texts(language), **similar)


def language_notes(
    spoken_language: TextLanguage | None, metrics: Sequence[tuple[Metric, Settings]], stems_lost: bool = False
) -> list[str]:
    """Return the sentences about the language that are printed below the scores.

    `stems_lost` is True if stems were requested but the language has no stemmer. There are no sentences if no score
    depends on the language, or if English was recognised and lacks nothing, because the signatures say that.
    """
    if not spoken_language:
        return []
    lost = [
        f"{metric.key}: {sentence}"
        for metric, settings in metrics
        if metric.left_out and (sentence := metric.left_out(settings))
    ]
    if stems_lost:
        title = languages.language_title(spoken_language.stemming_language)
        lost = [f"There is no stemmer for {title}: words are compared as they are.", *lost]
    expected = spoken_language.recognised and spoken_language.language == "english" and not lost
    return [] if expected else [f"language: {spoken_language.description}", *lost]
