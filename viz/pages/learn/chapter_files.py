"""The chapters of the Learn page, read from their files: checked, every number in their texts computed.

A file is TOML (README, "A new chapter"). Whatever is wrong with one is a `FileError`, whose sentence says in which
file and screen it is, what is wrong, and what would be right; the other chapters are not touched by it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

import metrics
from metrics.analysis import curves
from metrics.teach import parts
from metrics.teach.exercises import TASKS, levels
from metrics.teach.records import Question
from metrics.teach.steps import Step
from metrics.text import TextSettings
from metrics.types import Tokens

from ...draw.evidence import arcs
from ...draw.evidence.drawn import Drawn
from ...draw.learn import lesson, lesson_steps, prose
from ...draw.learn.chapter import KINDS, MOST_OF_A_KIND, Ask, Chapter, Example, Preset, Screen, Wanted
from ...state import cache, inputs
from ...state.cache import Problem
from ...state.inputs import Missing, Room
from ...state.memory import remembered
from ...state.toml_file import FileError, Reader
from . import hunt, parameters

FOLDER = Path(__file__).parent / "chapters"
#: What a lesson has room for of an example.
ROOM = Room(60, 8, "an example needs a candidate and references that have words", fit="fit a lesson")

#: The most screens of a chapter, and the most sentences that are known to say something else than one of a pair.
MOST_SCREENS, MOST_OTHERS = 20, 200
#: How long a student takes: words read in a minute, and the seconds for a look at a screen's picture, to choose or
#: click an answer, to work out a number, to follow a step, to try sentences of one's own, and for an exercise.
WORDS_A_MINUTE = 200
LOOK, CHOOSE, WORK_OUT, FOLLOW, TRY, EXERCISE = 15, 20, 30, 3, 60, 240


class Shelf(NamedTuple):
    """The chapters that could be read, in their order, and a sentence for each file that could not."""

    chapters: Mapping[str, Chapter]
    faults: Sequence[str]


def shelf(folder: Path = FOLDER) -> Shelf:
    """All chapters of a folder. A file is read again when it has changed."""
    found: dict[str, Chapter] = {}
    names: dict[str, str] = {}
    faults = []
    for path in sorted(folder.glob("*.toml")):
        try:
            stat = path.stat()
            chapter = _read(path, stat.st_mtime_ns, stat.st_size)
            if other := names.get(chapter.key):
                # The file that is called as its key keeps it.
                keeps, gives = (path.name, other) if path.stem == chapter.key else (other, path.name)
                faults.append(f"{gives}: {keeps} has the key {chapter.key!r} already; give this one its own.")
                if keeps == other:
                    continue
            found[chapter.key], names[chapter.key] = chapter, path.name
        except FileError as fault:
            faults.append(str(fault))
    chapters = dict(sorted(found.items(), key=lambda each: (each[1].order, each[0])))
    for n, chapter in enumerate(chapters.values()):
        before = [*chapters][:n]
        faults += [
            f"{names[chapter.key]}: needs names {key!r:.60}, which is no chapter before it."
            for key in chapter.needs
            if key not in before
        ]
    return Shelf(chapters, faults)


def of_metric(key: str) -> Chapter | None:
    """The chapter that teaches a metric: the one with the fewest metrics, of such the last, which goes furthest."""
    teaching = [chapter for chapter in [*shelf().chapters.values()][::-1] if key in chapter.metrics]
    return min(teaching, key=lambda chapter: len(chapter.metrics), default=None)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Chapter:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise FileError(f"{path.name} cannot be read; it must be a text file in UTF-8.") from None
    return read(path.name, text)


def read(name: str, text: str) -> Chapter:
    """A chapter from the text of its file. Raises FileError."""
    reader = _Reader(name)
    return reader.chapter(reader.body(text))


class _Reader(Reader):
    # ------------------------------------------------------------ parts of a chapter

    def chapter(self, body: Mapping[str, Any]) -> Chapter:
        self.known(
            body,
            (
                *("key", "title", "metrics", "minutes", "paper", "order", "exercise", "examples", "screens"),
                *("curves", "hunt", "orders", "needs"),
            ),
        )
        key, title = self.take(body, "key", str), self.take(body, "title", str)
        if not title.strip():
            raise self.fault("title must have words")
        if not key.replace("_", "").isalnum() or not key.isascii():
            raise self.fault(f"key must be letters, digits and _, got {key!r:.60}")
        keys = self.strings(body, "metrics")
        for each in keys:
            self.metric(each)
        if not keys:
            raise self.fault(f"metrics must name at least one of {', '.join(metrics.METRICS)}")
        wanted = self.exercise(self.take(body, "exercise", dict, {}), keys)
        self.where = ""
        examples = {
            name: self.example(name, given, keys[0]) for name, given in self.take(body, "examples", dict, {}).items()
        }
        self.where = ""
        given = self.take(body, "screens", list)
        self.kinds([screen.get("kind") if isinstance(screen, dict) else None for screen in given])
        screens: list[Screen] = []
        for n, screen in enumerate(given, 1):
            self.where = f"screen {n} ({screen['kind']})"
            found = self.screen(screen, examples)
            if alike := [m for m, other in enumerate(screens, 1) if other.called == found.called]:
                raise self.fault(f"give it a name of its own, screen {alike[0]} is called {found.called!r:.60} already")
            screens.append(found)
        self.where = ""
        minutes = self.take(body, "minutes", int, reckoned(screens))
        if minutes < 1:
            raise self.fault(f"minutes must be at least 1, got {minutes}")
        order = self.finite("order", self.take(body, "order", (int, float), 0))
        paper = self.take(body, "paper", str, "")
        presets = []
        for n, each in enumerate(self.take(body, "curves", list, []), 1):
            self.where = f"curve {n}"
            presets.append(self.preset(each, keys[0]))
        self.where = ""
        return Chapter(
            key,
            title,
            tuple(keys),
            minutes,
            paper,
            examples,
            tuple(screens),
            wanted,
            order,
            tuple(presets),
            self.hunt(self.take(body, "hunt", str, "")),
            self.take(body, "orders", bool, False),
            tuple(self.strings(body, "needs", [])),
        )

    def kinds(self, given: Sequence[Any]) -> None:
        """Whether there are as many screens of these kinds as a chapter can have."""
        if not 1 <= len(given) <= MOST_SCREENS:
            raise self.fault(f"a chapter has 1 to {MOST_SCREENS} screens, got {len(given)}")
        for n, kind in enumerate(given, 1):
            if kind not in KINDS:
                raise self.fault(f"the kind of screen {n} must be one of {', '.join(KINDS)}, got {kind!r:.60}")
            if given.count(kind) > MOST_OF_A_KIND:
                raise self.fault(f"at most {MOST_OF_A_KIND} screens can be of the kind {kind}, got {given.count(kind)}")

    def preset(self, given: Any, metric: str) -> Preset:
        """A curve over a parameter."""
        if not isinstance(given, dict):
            raise self.fault("a curve must be a table with parameter, a, b and reference")
        self.known(given, ("metric", "parameter", "a", "b", "reference", "settings"))
        key, parameter = self.metric(given.get("metric", metric)), self.take(given, "parameter", str)
        if parameter not in (found := curves.parameters(metrics.METRICS[key])):
            says = f"must be one of {', '.join(found)}" if found else f"cannot be one, {key} has none"
            raise self.fault(f"parameter {says}, got {parameter!r:.60}")
        a, b, reference = [self.take(given, name, str) for name in ("a", "b", "reference")]
        if isinstance(texts := parameters.read(a, b, reference), Missing):
            raise self.fault(texts)
        return Preset(key, parameter, a, b, reference, self.settings(given, key))

    def hunt(self, key: str) -> str:
        """The metric whose greedy matching is hunted, "" where none is."""
        rule = metrics.METRICS[self.metric(key)].Settings.rules().get("solver") if key else None
        if key and not (rule and {*hunt.SOLVERS} <= {*rule.options}):
            raise self.fault(f"hunt must be a metric whose solver is {' or '.join(hunt.SOLVERS)}, got {key!r:.60}")
        return key

    def exercise(self, body: Mapping[str, Any], keys: Sequence[str]) -> Wanted:
        """What the chapter's exercises are; where nothing is said, the first metric's score."""
        self.where = "exercise"
        self.known(body, ("metric", "task", "references"))
        keys = [key for key in keys if metrics.METRICS[key].plans]
        if not keys:
            raise self.fault("none of the chapter's metrics has exercises; add one that has")
        metric, task = self.take(body, "metric", str, keys[0]), self.take(body, "task", str, "score")
        if metric not in keys:
            raise self.fault(f"metric must be one of the chapter's, {', '.join(keys)}, got {metric!r:.60}")
        if task not in TASKS:
            raise self.fault(f"task must be one of {', '.join(TASKS)}, got {task!r:.60}")
        references = self.take(body, "references", int, 1)
        if references < 1 or not (found := levels([metrics.METRICS[key] for key in keys], references)):
            raise self.fault(f"references must be 1 or 2, got {references}")
        return Wanted(metric, tuple(found), task, references)

    def finite(self, name: str, number: float) -> float:
        if not math.isfinite(number):
            raise self.fault(f"{name} must be a finite number, got {number}")
        return float(number)

    def example(self, name: str, given: Any, metric: str) -> Example:
        self.where = f"example {name!r:.60}"
        if not name.isidentifier():
            raise self.fault("an example's name must be letters, digits and _, and begin with a letter")
        if not isinstance(given, dict):
            raise self.fault("an example must be a table with candidate and references")
        self.known(given, ("candidate", "references", "metric", "settings", "text"))
        candidate, references = self.take(given, "candidate", str), self.strings(given, "references")
        key = self.metric(given.get("metric", metric))
        chosen, text = self.settings(given, key), self.text_settings(given)
        return self.scored(name, key, candidate, "\n".join(references), chosen, text)

    def scored(self, name: str, key: str, candidate: str, references: str, chosen: Any, text: TextSettings) -> Example:
        texts = inputs.read(candidate, references, text, ROOM)
        if isinstance(texts, Missing):
            raise self.fault(texts.says)
        result = cache.score(key, texts.segment, chosen)
        if isinstance(result, Problem):
            raise self.fault(result)
        return Example(name, candidate, references, texts, result)

    def screen(self, body: Mapping[str, Any], examples: Mapping[str, Example]) -> Screen:
        self.known(
            body,
            (
                *("kind", "title", "text", "reveal", "example", "ask"),
                *("printed", "where", "ours", "erratum", "pair", "hints", "name", "also", "other", "others"),
            ),
        )
        kind = body["kind"]
        for name, only in (("printed", "paper"), ("pair", "blind"), ("also", "blind"), ("others", "blind")):
            if name in body and kind != only:
                raise self.fault(f"{name} belongs to a screen of the kind {only}")
        example = self.named(body["example"], examples) if "example" in body else None
        if example is None and kind != "blind":
            raise self.fault(f"example is missing; it must name one of {', '.join(examples) or 'the examples'}")
        if kind == "algorithm" and example and (lacks := _lacks_steps(example.metric)):
            raise self.fault(lacks)
        if "other" in body and kind != "question":
            raise self.fault("other belongs to a screen of the kind question")
        other = self.named(body["other"], examples) if "other" in body else None
        if other and example and _frame(other) != _frame(example):
            raise self.fault("example and other need the same references, metric and settings")
        also = tuple(self.strings(body, "also", []))
        pair = self.pair(self.strings(body, "pair"), examples, also) if kind == "blind" else None
        ours = self.take(body, "ours", str, f"{{{example.name}.score}}" if example else "-")
        return Screen(
            kind,
            self.filled(self.take(body, "title", str), examples),
            self.html(body, "text", examples, None),
            self.html(body, "reveal", examples, ""),
            example,
            self.ask(body["ask"], examples) if "ask" in body else None,
            str(self.take(body, "printed", (str, int, float), "")),
            self.take(body, "where", str, ""),
            self.filled(ours, examples) if kind == "paper" else "",
            self.html(body, "erratum", examples, "", inline=True),
            pair,
            tuple([self.inline(hint, examples) for hint in self.strings(body, "hints", [])]),
            self.take(body, "name", str, ""),
            also,
            other,
            self.others(self.take(body, "others", list, []), pair, also) if pair else {},
        )

    def named(self, name: Any, examples: Mapping[str, Example]) -> Example:
        short = name.removeprefix("examples.") if isinstance(name, str) else name
        if not isinstance(short, str) or short not in examples:
            raise self.fault(f"{name!r:.60} is no example; there are {', '.join(examples) or 'none'}")
        return examples[short]

    def pair(
        self, names: Sequence[str], examples: Mapping[str, Example], also: Sequence[str]
    ) -> tuple[Example, Example]:
        """Two examples over the same references that score the same though their words differ, by their metric and by
        those in `also`."""
        if unknown := [key for key in also if key not in metrics.METRICS]:
            raise self.fault(f"also: {unknown[0]!r:.60} is no metric; there are {', '.join(metrics.METRICS)}")
        if len(names) != 2:
            raise self.fault(f"pair must name two examples, got {len(names)}")
        a, b = [self.named(name, examples) for name in names]
        if _frame(a) != _frame(b):
            raise self.fault("both examples of a pair need the same references, metric and settings")
        if not (found := lesson.hunt(a, b, also)).found:
            raise self.fault(f"a pair must be different words with the same score; {found.says}")
        return a, b

    def others(self, given: Sequence[Any], pair: tuple[Example, Example], also: Sequence[str]) -> dict[Tokens, str]:
        """The candidates that say something else than the first one of a pair, by their words: the second one, and
        those that the file gives, each of which is checked to score the same."""
        found: dict[Tokens, str] = {}
        for each in given:
            if not isinstance(each, dict):
                raise self.fault("others must be tables with text and says")
            self.known(each, ("text", "says"))
            text, says = self.take(each, "text", str), self.take(each, "says", str)
            for candidate in spelt_out(text):
                if len(found) == MOST_OTHERS:
                    raise self.fault(f"others must be at most {MOST_OTHERS} sentences, spelt out")
                first, settings = pair[0], pair[0].texts.settings
                other = self.scored("other", first.metric, candidate, first.references, first.settings, settings)
                if not (hunted := lesson.hunt(first, other, also)).found:
                    raise self.fault(f"others: {candidate!r:.80} is none; {hunted.says}")
                found[lesson.said_words(other.texts.segment.candidate)] = says
        return {lesson.said_words(pair[1].texts.segment.candidate): "", **found}

    def ask(self, body: Any, examples: Mapping[str, Example]) -> Ask:
        if not isinstance(body, dict):
            raise self.fault("ask must be a table with kind, text and right")
        self.known(body, ("kind", "text", "choices", "right", "because", "wrong", "within"))
        text, because = self.html(body, "text", examples, None), self.html(body, "because", examples, "")
        if (kind := self.take(body, "kind", str, "choice")) == "number":
            right = self.take(body, "right", (str, int, float))
            try:
                number = prose.value(right.strip("{} "), examples) if isinstance(right, str) else float(right)
            except ValueError as error:
                raise self.fault(f"ask: {error}") from None
            within = self.finite("within", self.take(body, "within", (int, float), 0.0051))
            if within < 0:
                raise self.fault(f"ask's within must be at least 0, got {within:g}")
            return Ask(text, (), self.finite("ask's right", number), because, (), within)
        if kind != "choice":
            raise self.fault(f"ask's kind must be choice or number, got {kind!r:.60}")
        choices = tuple([self.inline(choice, examples) for choice in self.strings(body, "choices")])
        index = self.take(body, "right", int)
        if len(choices) < 2 or len({*choices}) < len(choices):
            raise self.fault(f"ask's choices must be two or more, and different, got {len(choices)}")
        if not 0 <= index < len(choices):
            raise self.fault(f"ask's right must be the number of a choice, 0 to {len(choices) - 1}, got {index}")
        wrong = tuple([self.inline(each, examples) for each in self.strings(body, "wrong", [])])
        if wrong and len(wrong) != len(choices):
            raise self.fault(f"ask's wrong must have a text for each of the {len(choices)} choices, got {len(wrong)}")
        return Ask(text, choices, index, because, wrong)

    # ------------------------------------------------------------ texts

    def html(
        self,
        body: Mapping[str, Any],
        name: str,
        examples: Mapping[str, Example],
        default: str | None,
        inline: bool = False,
    ) -> str:
        given = self.take(body, name, str, default)
        try:
            return (prose.inline if inline else prose.html)(given, examples)
        except ValueError as error:
            raise self.fault(f"{name}: {error}") from None

    def inline(self, text: str, examples: Mapping[str, Example]) -> str:
        return self.html({"text": text}, "text", examples, None, inline=True)

    def filled(self, text: str, examples: Mapping[str, Example]) -> str:
        """A plain text with its numbers."""
        try:
            return prose.filled(text, examples)
        except ValueError as error:
            raise self.fault(error) from None


def spelt_out(text: str) -> list[str]:
    """The sentences of a text that leaves a choice of words in brackets.

    >>> spelt_out("they [saw|met] us")
    ['they saw us', 'they met us']
    """
    parts = [part.split("|") if n % 2 else [part] for n, part in enumerate(re.split(r"\[([^\[\]]*)\]", text))]
    return [" ".join("".join(chosen).split()) for chosen in islice(product(*parts), MOST_OTHERS + 1)]


def _frame(example: Example) -> tuple[object, ...]:
    """What two examples must have in common to be compared."""
    return example.texts.references, example.metric, example.settings


def drawn(example: Example, width: int | None) -> Drawn:
    """What a picture of an example in so many pixels is drawn from."""
    result = example.result
    pairs = bool(arcs.picture_kind(result)) and not arcs.grid_first(result)
    alone = [cache.alone(result, k) for k in range(len(result.segment.references))]
    return Drawn(
        example.texts,
        result,
        cache.hits(result.segment),
        width=width,
        picture="arcs" if pairs else "grid",
        alone=alone if len(alone) > 1 else (),
        high=lesson.HIGH,
    )


def reckoned(screens: Sequence[Screen]) -> int:
    """The minutes that a student takes for the screens of a chapter, all of their steps, and one exercise.

    It is an estimate from what there is to read, to follow and to answer, not a measurement.
    """
    seconds, words = float(EXERCISE), 0
    for screen in screens:
        ask = screen.ask
        told = [screen.title, screen.text, screen.reveal, screen.erratum, *screen.hints]
        told += [ask.text, *ask.choices, ask.because] if ask else []
        seconds += LOOK + (TRY if screen.kind in ("idea", "blind") else 0)
        seconds += (CHOOSE if ask.choices else WORK_OUT) if ask else 0
        if screen.kind == "algorithm" and screen.example:
            for step, question in _asked(screen.example):
                told += [step.text, question.text] if question else [step.text]
                seconds += (WORK_OUT if question.kind == "number" else CHOOSE) if question else FOLLOW
        words += sum([len(re.sub("<[^>]*>", " ", text).split()) for text in told])
    return math.ceil(seconds / 60 + words / WORDS_A_MINUTE)


def _asked(example: Example) -> Sequence[tuple[Step, Question | None]]:
    """The steps of an example with their questions, none where they are too many."""
    found = cache.bounded(example.metric, lambda: [*lesson_steps.asked(example)])
    return () if isinstance(found, Problem) else found


@remembered
def played(example: Example, width: int) -> dict[str, Any] | str:
    """The steps of an example's algorithm, asked for before they are shown; a sentence where they are too many or where
    its metric has none."""
    if lacks := _lacks_steps(example.metric):
        return f"{lacks}."
    many = cache.bounded(example.metric, lambda: lesson_steps.too_many(example))
    if many:
        return TOO_HARD if isinstance(many, Problem) else many
    found = cache.bounded(
        example.metric, lambda: lesson_steps.played(example, cache.hits(example.texts.segment), width)
    )
    return TOO_HARD if isinstance(found, Problem) else found


def _lacks_steps(key: str) -> str:
    """That a metric has no steps that could be asked for, "" where it has."""
    metric = metrics.METRICS[key]
    try:
        parts.program(metric), parts.asks(metric)
    except ValueError as error:
        return str(error)
    return ""


TOO_HARD = (
    "The steps of these sentences take more work than a lesson has room for. Use fewer references or shorter ones, "
    f"{lesson_steps.ELSEWHERE}"
)
