"""The language of the files, recognised from the references or named by the call, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..text import TextSettings, languages
from ..text.similarity import StemSimilarity, WordNetSimilarity, similarity_for
from ..types import Metric, Settings


class TextLanguage(NamedTuple):
    """The language of the texts, and whether it was recognised from the references or named by the call."""

    language: str
    recognised: bool

    @property
    def treated_language(self) -> str:
        """Return the language whose stems and synonyms are used for the texts."""
        return languages.language_for_stems(self.language)

    @property
    def says(self) -> str:
        """Return the language and where it comes from, in words.

        >>> TextLanguage("german", True).says, TextLanguage("unknown", True).says
        ('German, from the references', 'An unknown language, treated as English; --language names it')
        """
        if self.language == languages.UNKNOWN:
            return f"{languages.language_label(self.language)}, treated as English; --language names it"
        return f"{languages.language_label(self.language)}, {'from the references' if self.recognised else 'as set'}"

    def to_dict(self) -> dict[str, str]:
        return {"name": self.language, "from": "references" if self.recognised else "option"}


def depends_on_language(metrics: Sequence[tuple[Metric, Settings]], text: TextSettings, stems_named: bool) -> bool:
    """Return whether any score depends on the language of the texts.

    `stems_named` says that the call names the language of Snowball's stems.
    """
    in_text = text.stemmer == "snowball" and not stems_named
    return in_text or any(
        rule.of_texts or isinstance(getattr(settings, name), StemSimilarity | WordNetSimilarity)
        for _, settings in metrics
        for name, rule in settings.rules().items()
    )


def text_language(language: str | None, references: Sequence[Sequence[str]]) -> TextLanguage:
    """Return the language that the call names, or else the one recognised from the lines of the references."""
    if language:
        return TextLanguage(language, False)
    return TextLanguage(languages.recognise_language([line for lines in references for line in lines]), True)


def text_in(text: TextSettings, language: str) -> TextSettings:
    """Return the text processing for texts in this language, where it asks for Snowball stems.

    Words are not stemmed if Snowball has no stemmer for the language.
    """
    if text.stemmer != "snowball":
        return text
    return replace(text, language=language) if languages.has_stems(language) else replace(text, stemmer="none")


def settings_in(settings: Settings, language: str) -> Settings:
    """Return the settings of a metric for texts in this language."""
    kinds: Mapping[type, str] = {StemSimilarity: "stem", WordNetSimilarity: "wordnet"}
    values = {name: getattr(settings, name) for name in settings.rules()}
    similar: dict[str, Any] = {
        name: similarity_for(kinds[type(value)], language) for name, value in values.items() if type(value) in kinds
    }
    new_settings: Settings = replace(settings.of_texts(language), **similar)
    return new_settings


def missing_in_language(metric: Metric, settings: Settings) -> str:
    """Return a sentence on what the settings ask for and the language lacks; "" if it lacks nothing."""
    return metric.left_out(settings) if metric.left_out else ""


def notes(
    spoken_language: TextLanguage | None, metrics: Sequence[tuple[Metric, Settings]], stems_lost: bool = False
) -> list[str]:
    """Return the sentences on the language that are printed below the scores.

    There are none where no score depends on the language, and none where English was recognised and lacks nothing,
    because the signatures say that.
    """
    if not spoken_language:
        return []
    lost = [
        f"{metric.key}: {sentence}"
        for metric, settings in metrics
        if (sentence := missing_in_language(metric, settings))
    ]
    if stems_lost:
        title = languages.language_title(spoken_language.treated_language)
        lost = [f"There is no stemmer for {title}: words are compared as they are.", *lost]
    expected = spoken_language.recognised and spoken_language.language == "english" and not lost
    return [] if expected else [f"language: {spoken_language.says}", *lost]
