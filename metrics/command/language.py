"""The language of the files: recognised from the references, or as the call says, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..text import TextSettings, languages
from ..text.similarity import StemSimilarity, WordNetSimilarity, in_language
from ..types import Metric, Settings


class Spoken(NamedTuple):
    """A language, and whether it was recognised from the references; else the call has named it."""

    language: str
    recognised: bool

    @property
    def treated_language(self) -> str:
        """The language whose stems and synonyms the texts get."""
        return languages.treated_as(self.language)

    @property
    def says(self) -> str:
        """The language and where it comes from.

        >>> Spoken("german", True).says, Spoken("unknown", True).says
        ('German, from the references', 'An unknown language, treated as English; --language names it')
        """
        if self.language == languages.UNKNOWN:
            return f"{languages.label(self.language)}, treated as English; --language names it"
        return f"{languages.label(self.language)}, {'from the references' if self.recognised else 'as set'}"

    def to_dict(self) -> dict[str, str]:
        return {"name": self.language, "from": "references" if self.recognised else "option"}


def matters(metrics: Sequence[tuple[Metric, Settings]], text: TextSettings, stems_named: bool) -> bool:
    """Whether any score depends on the language; `stems_named`: the call has named that of Snowball's stems."""
    in_text = text.stemmer == "snowball" and not stems_named
    return in_text or any(
        rule.of_texts or isinstance(getattr(settings, name), StemSimilarity | WordNetSimilarity)
        for _, settings in metrics
        for name, rule in settings.rules().items()
    )


def spoken(language: str | None, references: Sequence[Sequence[str]]) -> Spoken:
    """The language that the call has named, else that of the lines of the references."""
    if language:
        return Spoken(language, False)
    return Spoken(languages.recognised([line for lines in references for line in lines]), True)


def text_in(text: TextSettings, language: str) -> TextSettings:
    """The processing of texts in a language whose Snowball stems are asked for; words stay whole where it has none."""
    if text.stemmer != "snowball":
        return text
    return replace(text, language=language) if languages.has_stems(language) else replace(text, stemmer="none")


def settings_in(settings: Settings, language: str) -> Settings:
    """The settings of a metric for texts in a language."""
    kinds: Mapping[type, str] = {StemSimilarity: "stem", WordNetSimilarity: "wordnet"}
    values = {name: getattr(settings, name) for name in settings.rules()}
    similar: dict[str, Any] = {
        name: in_language(kinds[type(value)], language) for name, value in values.items() if type(value) in kinds
    }
    new_settings: Settings = replace(settings.of_texts(language), **similar)
    return new_settings


def left_out(metric: Metric, settings: Settings) -> str:
    """What the settings ask for and the language has not, "" where it has all."""
    return metric.left_out(settings) if metric.left_out else ""


def notes(
    spoken_language: Spoken | None, metrics: Sequence[tuple[Metric, Settings]], stems_lost: bool = False
) -> list[str]:
    """What is said of the language below the scores; nothing where no score depends on it, and where it is English, as
    the signatures say, and has all."""
    if not spoken_language:
        return []
    lost = [f"{metric.key}: {sentence}" for metric, settings in metrics if (sentence := left_out(metric, settings))]
    if stems_lost:
        title = languages.title(spoken_language.treated_language)
        lost = [f"There is no stemmer for {title}: words are compared as they are.", *lost]
    expected = spoken_language.recognised and spoken_language.language == "english" and not lost
    return [] if expected else [f"language: {spoken_language.says}", *lost]
