"""Define METEOR's settings: its parameters, its stages, and which stages are possible in a language."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...text import languages, wordnet
from ...types import Relation, Settings, setting

#: The stages, as settings and layers name them, mapped to the relation between the words of a match.
STAGES: dict[str, Relation] = {"exact": "equal", "stem": "stem", "synonym": "synonym"}


@dataclass(frozen=True, slots=True)
class METEORSettings(Settings):
    """The settings of METEOR, with the defaults of Lavie and Agarwal (2007); the order of the stages has no effect."""

    alpha: float = setting(
        0.9,
        "number",
        "Weight of recall α",
        "1 makes F the recall, 0 the precision.",
        least=0,
        most=1,
        step=0.05,
    )
    beta: float = setting(
        3.0,
        "number",
        "Shape of the penalty β",
        "The higher it is, the less a slightly broken order is penalised.",
        least=0,
        most=100,
        step=0.1,
        slider_range=(0, 5),
    )
    gamma: float = setting(
        0.5,
        "number",
        "Weight of the penalty γ",
        "The share of F that is lost where no two matches follow each other.",
        least=0,
        most=1,
        step=0.05,
    )
    stages: tuple[str, ...] = setting(
        ("exact", "stem", "synonym"),
        "choices",
        "Words match by",
        "exact: equal words; stem: words with the same stem, if the language has a stemmer; synonym: "
        "English words that share a synset of WordNet.",
        options=tuple(STAGES),
    )
    stemmer: str = setting(
        "porter",
        "choice",
        "Stemmer",
        "For English: porter is the first METEOR's stemmer, snowball METEOR 1.5's. Other languages use Snowball's.",
        options=("porter", "snowball"),
    )
    language: str = setting(
        "english",
        "choice",
        "Language",
        "The language of the texts: stems depend on it, and only English has synonyms.",
        options=languages.KNOWN,
        of_texts=True,
    )

    @property
    def stems(self) -> tuple[str, str] | None:
        """The stemmer and its language, as `text.stem` takes them; None if the language has no stemmer."""
        return languages.stemmer(self.language, self.stemmer)

    @property
    def has(self) -> dict[str, bool]:
        """Whether each stage can be used in the language of the texts, by the name of the stage."""
        return {"exact": True, "stem": bool(self.stems), "synonym": languages.has_synonyms(self.language)}

    @property
    def used(self) -> tuple[str, ...]:
        """The stages that are used: the chosen ones that the language allows; "exact" if it allows none."""
        return tuple([stage for stage in self.stages if self.has[stage]]) or ("exact",)

    def signature(self) -> str:
        """Return the signature of the settings, which names the stemmer used and the version of WordNet.

        A stage that cannot be used in the language of the texts, or without WordNet, is noted as left out."""
        out = Settings.signature(replace(self, stages=("exact",)))
        version = wordnet.version() if "synonym" in self.used else None
        notes = {"synonym": f"(wordnet-{version})" if version else "(left out)"}
        notes["stem"] = "" if self.stems else "(left out)"
        out = out.replace("stages:exact|", f"stages:{'+'.join([s + notes.get(s, '') for s in self.stages])}|")
        return out.replace(f"stemmer:{self.stemmer}|", f"stemmer:{self.stems[0] if self.stems else 'none'}|")


def left_out(settings: METEORSettings) -> str:
    """Return a sentence on the chosen stages that the language of the texts lacks; "" if it lacks none."""
    name = languages.language_title(settings.language)
    lost = [stage for stage in settings.stages if not settings.has[stage]]
    if "stem" in lost and "synonym" in lost:
        return f"There is no stemmer and no WordNet for {name}: only equal words match."
    if "stem" in lost:
        return f"There is no stemmer for {name}: only equal words match."
    if "synonym" in lost:
        return f"There is no WordNet for {name}, so synonyms do not match."
    return ""
