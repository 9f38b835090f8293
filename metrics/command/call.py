"""What a call of the command line requests.

Importing this module is quick, because the parser of the command line needs it for every call.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..catalogue import METRICS
from ..formula import count_with_noun
from ..text import TextSettings, markup
from ..types import Metric, Settings, __version__, brief_repr
from ..types.extras import missing_packages_sentence
from . import language
from .agreement_options import JudgementOptions
from .language import TextLanguage

#: A callback that gets the fraction of the scoring that is done and the seconds that are left, None if unknown.
Tell: TypeAlias = Callable[[float, float | None], None]

#: The formats in which systems can be written.
FORMATS = ("text", "json", "tsv", "latex", "markdown")


def default_metrics(say: Callable[[str], None]) -> list[str]:
    """Return the keys of the metrics that can score here, for a call that names none; `say` is told of each other."""
    lacks = {key: missing_packages_sentence(metric.needs) for key, metric in METRICS.items()}
    for key, sentence in lacks.items():
        if sentence:
            say(f"{key} is left out: {sentence}")
    return [key for key, sentence in lacks.items() if not sentence]


class Request(NamedTuple):
    """A parsed call of the command line, for one candidate file or, if it names any, for several systems.

    Attributes:
        metrics: the chosen metrics, each with its settings.
        text: how the texts are processed.
        candidate: the path of the candidate file; "" for systems.
        references: the paths of the reference files.
        sentence, alignments, edits, format: what to print, and in which format.
        compare: the path of another file of translations to compare the candidate with.
        audit: the path of the file to write an audit to.
        clean: the names of what is removed from the texts, which are keys of `markup.CLEANED`.
        language: the language that the call names for all texts, else None.
        stems_named: whether the call names the language of Snowball's stems separately.
        language_keys: the keys of the metrics whose language the call names separately.
        spoken: the language of the texts, known only after the files are read; None where no score depends on it.
        stems_unavailable: whether stems were requested but the language has no stemmer, known only after the files are
            read.
        systems: the path of the output file of each system, by system name.
        confidence: whether to show confidence intervals.
        paired: the name of the system against which every other system is tested; None for no tests.
        why: pairs of system names whose difference is to be explained.
        patterns: pairs of system names whose n-grams and errors are to be compared.
        fail_if: the condition under which the call fails.
        jobs: the number of processes that may score.
        decimals: the number of decimals that are printed.
        source: the path of the source texts.
        corpus: the paths of files and folders that hold several texts each.
        column: what each named column of a file is, such as "source", where this is not to be recognised.
        keep_tags: whether inline tags of XML formats stay in the texts.
        post_edited: whether the references are post-edited outputs.
        scheduler: the address of a Dask scheduler whose workers score; None to score on this machine.
        repair: the names of the systems whose shifted lines are repaired before scoring.
        people: the options on people's judgements, with which the metrics are compared; None without them.
    """

    metrics: Sequence[tuple[Metric, Settings]]
    text: TextSettings
    candidate: str
    references: Sequence[str]
    sentence: bool
    alignments: bool
    edits: bool
    format: str
    compare: str | None
    audit: str | None
    clean: Sequence[str]
    language: str | None
    stems_named: bool
    language_keys: frozenset[str]
    systems: Mapping[str, str]
    confidence: bool
    paired: str | None
    why: Sequence[tuple[str, str]]
    patterns: Sequence[tuple[str, str]]
    fail_if: Condition | None
    jobs: int
    decimals: int
    source: str | None
    corpus: Sequence[str]
    column: Mapping[str, str]
    keep_tags: bool
    post_edited: bool
    scheduler: str | None
    repair: Sequence[str]
    people: JudgementOptions | None = None
    spoken: TextLanguage | None = None
    stems_unavailable: bool = False

    def in_language_of(self, references: Sequence[Sequence[str]]) -> Request:
        """Return the request with its settings adapted to the language of the texts, where the settings depend on it.

        The language is the one named in the call, or else the one recognised from the lines of the references.
        """
        open_ = [(metric, settings) for metric, settings in self.metrics if metric.key not in self.language_keys]
        if not language.depends_on_language(open_, self.text, self.stems_named):
            return self
        spoken = language.text_language(self.language, references)
        stems = spoken.stemming_language
        text = self.text if self.stems_named else language.text_settings_for_language(self.text, stems)
        metrics = [
            (
                metric,
                settings
                if metric.key in self.language_keys
                else language.metric_settings_for_language(settings, stems),
            )
            for metric, settings in self.metrics
        ]
        return self._replace(
            metrics=metrics, text=text, spoken=spoken, stems_unavailable=text.stemmer != self.text.stemmer
        )

    def notes(self) -> list[str]:
        """Return the notes about the language, and about what was removed from the texts."""
        return [
            *markup.cleaning_notes(self.clean),
            *language.language_notes(self.spoken, self.metrics, self.stems_unavailable),
        ]

    def json_head(self, size: int, **files: Any) -> dict[str, Any]:
        """Return the first fields of a JSON document on `size` segments: the version, the files, and their texts."""
        return {
            "version": __version__,
            **files,
            "references": [*self.references],
            "segments": size,
            "text": self.text.to_dict(),
            "language": self.spoken and self.spoken.to_dict(),
        }

    def text_head(self, size: int) -> str:
        """Return the first line of a text on `size` segments, which counts them and the references."""
        return f"{count_with_noun(size, 'segment')}, {count_with_noun(len(self.references), 'reference')}"

    def unknown_system_message(self) -> str | None:
        """Return an error message about the first system that an option names but that has no file, or None."""
        sides = [self.fail_if.minuend, self.fail_if.subtrahend] if self.fail_if else []
        pairs = [name for pair in (*self.why, *self.patterns) for name in pair]
        for name in (self.paired, *self.repair, *pairs, *[side[0] for side in sides if side]):
            if name is not None and name not in self.systems:
                return f"there is no system {name!r}; the systems are {', '.join(self.systems)}"
        return None


class Condition(NamedTuple):
    """A condition of --fail-if, which compares a score, or the difference of two scores, with a number.

    Attributes:
        text: the condition as it was typed, such as "B.bleu - A.bleu < -0.005".
        minuend: the first score, as (system, metric).
        subtrahend: the score that is subtracted from the first, as (system, metric); None if nothing is subtracted.
        sign: the comparison operator.
        number: the number on the right-hand side.
    """

    text: str
    minuend: tuple[str, str]
    subtrahend: tuple[str, str] | None
    sign: str
    number: float

    @property
    def metrics(self) -> set[str]:
        """Return the keys of the metrics that the condition names."""
        return {side[1] for side in (self.minuend, self.subtrahend) if side}

    def holds(self, scores: Mapping[str, Mapping[str, float]]) -> bool:
        """Return whether the condition holds; `scores` maps each system to its scores by metric."""
        value = scores[self.minuend[0]][self.minuend[1]]
        if self.subtrahend:
            value -= scores[self.subtrahend[0]][self.subtrahend[1]]
        return _HOLDS[self.sign](value, self.number)


class FailConditionHolds(Exception):  # noqa: N818 - a condition that holds is no error
    """The exception that makes a call fail because its --fail-if condition holds."""


_HOLDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
# A system's name may contain full stops, spaces and hyphens; a metric's key begins with a letter.
_KEY = re.compile(r"[A-Za-z]\w*")
_NUMBER = re.compile(r"[-+]?(?:\d++\.?\d*+|\.\d++)(?:e-?\d{1,3})?")
_MINUEND = re.compile(rf"(\S(?:.*?\S)??)\.({_KEY.pattern})\s*-\s*")


def parse_condition(text: str) -> Condition:
    """Return the parsed condition of --fail-if. Raises ValueError if `text` is not a condition.

    >>> parse_condition("GPT-4.1.wer - my system.wer > 0.1").minuend, parse_condition("GPT-4.1.wer>0.1").minuend
    (('GPT-4.1', 'wer'), ('GPT-4.1', 'wer'))
    >>> parse_condition("B.bleu - A.bleu < -0.005").holds({"A": {"bleu": 0.25}, "B": {"bleu": 0.24}})
    True
    """
    at = max(text.rfind("<"), text.rfind(">"))
    sign = text[at] + ("=" if text.startswith("=", at + 1) else "") if at >= 0 else ""
    number = _NUMBER.fullmatch(text[at + len(sign) :].strip())
    name, _, key = text[: max(at, 0)].strip().rpartition(".")
    first = _MINUEND.match(name)
    other = name[first.end() :] if first else ""
    sides = [(first[1], first[2]), (other, key)] if first and other else [(name, key)]
    held_against = float(number[0]) if number else math.inf
    valid_names = _KEY.fullmatch(key) and all(_is_valid_system_name(each) for each, _ in sides)
    if not valid_names or not math.isfinite(held_against):
        raise ValueError(f"a condition reads like 'B.bleu - A.bleu < -0.005' or 'B.ter > 0.6', got {brief_repr(text)}")
    return Condition(text.strip(), sides[0], sides[1] if len(sides) > 1 else None, sign, held_against)


def _is_valid_system_name(name: str) -> bool:
    """Return whether `name` can be the name of a system: not empty, without outer spaces, on one line."""
    return name != "" and name == name.strip() and "\n" not in name
