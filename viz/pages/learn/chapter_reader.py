"""Read a chapter's file: keep its valid parts, list all that is wrong with it, and check it against the core."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice, product
from typing import Any, NamedTuple, TypeVar

import metrics
from metrics.analysis import curves
from metrics.teach.exercises import TASKS, levels_with_references
from metrics.text import TextSettings
from metrics.types import Tokens, TooHard
from metrics.types.work import limited, spend, spent

from ...draw.learn import lesson, prose
from ...draw.learn.chapter import (
    KINDS,
    MOST_OF_A_KIND,
    Chapter,
    ChapterExample,
    CurvePreset,
    ExerciseRequest,
    Screen,
    ScreenQuestion,
)
from ...state.files.toml_file import FileError, FollowsFromReportedError, Reader
from ...state.results import cache
from ...state.results.cache import Problem
from ...state.texts import inputs
from ...state.texts.inputs import MissingText, TextLimits
from . import chapter_checks, hunt, parameters
from .minutes import estimated_minutes, lacks_steps
from .record import KEY

T = TypeVar("T")
#: The size limits of an example in a lesson.
ROOM = TextLimits(60, 8, "an example needs a candidate and references that have words", fit="fit a lesson")

UNNAMED = "unnamed"  # the key of a chapter whose file has no valid one
#: The largest numbers of screens and curves of a chapter, of minutes that it takes, of sentences listed as meaning
#: something else than one of a pair, and of messages about one file.
MOST_SCREENS, CURVES_MOST, MINUTES_MOST, MOST_OTHERS, FAULTS_MOST = 20, 4, 600, 200, 40
READING = 1_000_000  # steps of work that reading one file may take; a step is about a microsecond


class CheckedChapter(NamedTuple):
    """A chapter as far as its file is valid, and the mistakes that were found in the file.

    Attributes:
        chapter: the chapter without its broken parts; None if nothing can be shown.
        faults: what is wrong with the file, a sentence each.
        doubts: what in the chapter disagrees with the values of the core, a sentence each."""

    chapter: Chapter | None
    faults: tuple[str, ...]
    doubts: tuple[str, ...] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """All messages on the file: the faults, then the doubts."""
        return (*self.faults, *self.doubts)


def read(name: str, text: str) -> Chapter:
    """Return the chapter of the file `name` with the content `text`. Raises FileError for the first mistake."""
    result = checked(name, text)
    if result.messages or result.chapter is None:
        raise FileError(result.messages[0])
    return result.chapter


def checked(name: str, text: str) -> CheckedChapter:
    """Return the valid parts of the chapter in the file `name` with the content `text`, and all messages on it."""
    reader = _ChapterReader(name)
    chapter = reader.try_to_read(lambda: reader.chapter(reader.body(text)), None)
    more = len(reader.faults) - FAULTS_MOST
    faults = reader.faults[:FAULTS_MOST] + ([f"{name}: {more} more are wrong."] if more > 0 else [])
    return CheckedChapter(chapter, tuple(faults), tuple(reader.doubts[:FAULTS_MOST]))


class _Examples(dict[str, ChapterExample]):
    """The valid examples of a chapter, by name.

    A look-up of a name in `broken` raises `FollowsFromReportedError`, because the mistake in that example is
    reported already."""

    broken: frozenset[str] = frozenset()

    def __contains__(self, name: object) -> bool:
        if name in self.broken:
            raise FollowsFromReportedError
        return super().__contains__(name)


class _ChapterReader(Reader):
    """A reader of one chapter's file, which collects all mistakes and limits the work that the file takes."""

    # ------------------------------------------------------------ parts of a chapter

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.work_left = READING
        self.doubts: list[str] = []

    def limit_work(self, find: Callable[[], T]) -> T:
        """Return `find()`. Raises FileError once all calls for this file take more work than READING allows."""
        try:
            with limited(max(self.work_left, 0)):
                try:
                    return find()
                finally:
                    self.work_left -= spent()
        except TooHard:
            raise self._too_hard() from None

    def compute(self, find: Callable[[], T], name: str = "") -> T:
        """Return `find()`, as `limit_work` does; a ValueError becomes a mistake in the entry called `name`."""
        try:
            return self.limit_work(find)
        except FileError:
            raise
        except ValueError as error:
            raise self.fault(f"{name}: {error}" if name else error) from None

    def _too_hard(self) -> FileError:
        """Return the error for a chapter's file that takes too much work."""
        return self.fault("the file takes more work than there is room for; take examples or numbers out")

    def check_names(self, body: Mapping[str, Any], names: Sequence[str]) -> None:
        """Note a mistake for every key of the TOML table `body` that is not in `names`."""
        for name in body:
            self.try_to_read(partial(super().check_names, {name: None}, names), None)

    def chapter(self, body: Mapping[str, Any]) -> Chapter | None:
        """Return the valid parts of the chapter in the TOML table `body`; None if nothing is left to show."""
        self.check_names(
            body,
            (
                *("key", "title", "metrics", "minutes", "paper", "order", "exercise", "examples", "screens"),
                *("curves", "hunt", "orders", "needs"),
            ),
        )
        key = self.try_to_read(lambda: self.key(body), UNNAMED)
        title = self.try_to_read(lambda: self.title(body), "")
        none: list[str] = []
        keys = self.try_to_read(lambda: self.metrics(body), none)
        if not keys:
            return None
        request = self.try_to_read(lambda: self.exercise(self.take(body, "exercise", dict, {}), keys), None)
        examples = self.examples(body, keys[0])
        screens = self.screens(self.take(body, "screens", list), examples)
        minutes = self.try_to_read(lambda: self.minutes(body, screens), 1)
        order = self.try_to_read(lambda: float(self.take(body, "order", (int, float), 0)), 0.0)
        paper = self.try_to_read(lambda: self.take(body, "paper", str, ""), "")
        no_presets: list[CurvePreset] = []
        presets = self.try_to_read(lambda: self.presets(body, keys[0]), no_presets)
        hunted = self.try_to_read(lambda: self.hunted_metric(self.take(body, "hunt", str, "")), "")
        orders = self.try_to_read(lambda: self.take(body, "orders", bool, False), False)
        needs = self.try_to_read(lambda: tuple(self.strings(body, "needs", [])), ())
        request = request or self.try_to_read(lambda: self.exercise({}, keys), None)
        if not screens or request is None:
            return None
        return Chapter(
            key,
            title or screens[0].title,
            tuple(keys),
            minutes,
            paper,
            dict(examples),
            tuple(screens),
            request,
            order,
            tuple(presets),
            hunted,
            orders,
            needs,
        )

    def key(self, body: Mapping[str, Any]) -> str:
        """Return the key of the chapter in `body`. Raises FileError if it is malformed."""
        key: str = self.take(body, "key", str)
        if not KEY.fullmatch(key):
            raise self.fault(f"key must be letters a to z, digits and _, at most 40 of them, got {key!r:.60}")
        return key

    def title(self, body: Mapping[str, Any]) -> str:
        """Return the title of the chapter in `body`. Raises FileError if it has no words."""
        title: str = self.take(body, "title", str)
        if not title.strip():
            raise self.fault("title must have words")
        return title

    def metrics(self, body: Mapping[str, Any]) -> list[str]:
        """Return the keys of the chapter's metrics in `body`, without unknown ones. Raises FileError if it has none."""
        given = self.strings(body, "metrics")
        if not given:
            raise self.fault(f"metrics must name at least one of {', '.join(metrics.METRICS)}")
        return [key for key in dict.fromkeys(given) if self.try_to_read(partial(self.read_metric_key, key), "")]

    def examples(self, body: Mapping[str, Any], metric: str) -> _Examples:
        """Return the valid examples of the chapter in `body`; `metric` is the metric of examples that name none."""
        out = _Examples()
        given: dict[str, Any] = self.try_to_read(lambda: self.take(body, "examples", dict, {}), {})
        for name, each in given.items():
            if (example := self.try_to_read(partial(self.example, name, each, metric), None)) is not None:
                out[name] = example
        out.broken = frozenset({*given} - {*out})
        return out

    def screens(self, given: Sequence[Any], examples: Mapping[str, ChapterExample]) -> list[Screen]:
        """Return the valid screens of the chapter, in order; `given` has the TOML table of each."""
        if not 1 <= len(given) <= MOST_SCREENS:
            self.faults.append(str(self.fault(f"a chapter has 1 to {MOST_SCREENS} screens, got {len(given)}")))
        screens: dict[int, Screen] = {}
        kinds: list[object] = []
        for n, body in enumerate(given[:MOST_SCREENS], 1):
            kinds.append(body.get("kind") if isinstance(body, dict) else None)
            screen = self.try_to_read(partial(self.numbered_screen, n, body, kinds, screens, examples), None)
            if screen is not None:
                screens[n] = screen
        return [*screens.values()]

    def numbered_screen(
        self,
        n: int,
        body: Any,
        kinds: Sequence[object],
        before: Mapping[int, Screen],
        examples: Mapping[str, ChapterExample],
    ) -> Screen:
        """Return screen number `n`, counted from 1. Raises FileError if it is broken.

        `body` is its TOML table, and `kinds` has the kinds of all screens up to this one. `before` has the valid
        screens before it, by number, because two screens must not have the same name."""
        kind = kinds[-1]
        if kind not in KINDS:
            raise self.fault(f"the kind of screen {n} must be one of {', '.join(KINDS)}, got {kind!r:.60}")
        if kinds.count(kind) > MOST_OF_A_KIND:
            count = kinds.count(kind)
            raise self.fault(f"at most {MOST_OF_A_KIND} screens can be of the kind {kind}, got {count}")
        self.where = f"screen {n} ({kind})"
        screen = self.screen(body, examples)
        if alike := [m for m, other in before.items() if other.bar_name == screen.bar_name]:
            raise self.fault(f"give it a name of its own, screen {alike[0]} is called {screen.bar_name!r:.60} already")
        return screen

    def minutes(self, body: Mapping[str, Any], screens: Sequence[Screen]) -> int:
        """Return how many minutes the chapter takes, as stated in `body` or estimated from its screens."""
        minutes: int = self.take(body, "minutes", int, 0)
        if "minutes" not in body:
            return self.limit_work(lambda: estimated_minutes(screens))
        if minutes < 1:
            raise self.fault(f"minutes must be at least 1, got {minutes}")
        if minutes > MINUTES_MOST:
            raise self.fault(f"minutes must be at most {MINUTES_MOST}, got {minutes}")
        return minutes

    def presets(self, body: Mapping[str, Any], metric: str) -> list[CurvePreset]:
        """Return the valid curves over a parameter of a metric that the chapter shows at first."""
        given = self.take(body, "curves", list, [])
        if len(given) > CURVES_MOST:
            raise self.fault(f"at most {CURVES_MOST} curves fit, got {len(given)}")
        presets = [self.try_to_read(partial(self.preset, n, each, metric), None) for n, each in enumerate(given, 1)]
        return [each for each in presets if each is not None]

    def preset(self, n: int, given: Any, metric: str) -> CurvePreset:
        """Return curve number `n` in the TOML table `given`: parameter, sentences and settings.

        `metric` is the metric of a curve that names none. Raises FileError if the curve is broken."""
        self.where = f"curve {n}"
        if not isinstance(given, dict):
            raise self.fault("a curve must be a table with parameter, a, b and reference")
        self.check_names(given, ("metric", "parameter", "a", "b", "reference", "settings"))
        key, parameter = self.read_metric_key(given.get("metric", metric)), self.take(given, "parameter", str)
        if parameter not in (parameter_names := curves.numeric_settings(metrics.METRICS[key])):
            says = (
                f"must be one of {', '.join(parameter_names)}" if parameter_names else f"cannot be one, {key} has none"
            )
            raise self.fault(f"parameter {says}, got {parameter!r:.60}")
        a, b, reference = [self.take(given, name, str) for name in ("a", "b", "reference")]
        if isinstance(texts := parameters.read_texts(a, b, reference), MissingText):
            raise self.fault(texts)
        return CurvePreset(key, parameter, a, b, reference, self.settings(given, key))

    def hunted_metric(self, key: str) -> str:
        """Return `key` if the reader can look for a counterexample to the metric's greedy matching; "" for "".

        Raises FileError if the metric cannot be used for that."""
        rule = metrics.METRICS[self.read_metric_key(key)].Settings.rules().get("solver") if key else None
        if key and not (rule and {*hunt.SOLVERS} <= {*rule.options}):
            raise self.fault(f"hunt must be a metric whose solver is {' or '.join(hunt.SOLVERS)}, got {key!r:.60}")
        return key

    def exercise(self, body: Mapping[str, Any], keys: Sequence[str]) -> ExerciseRequest:
        """Return what exercises the chapter has; by default they ask for the score by the first metric in `keys`."""
        self.where = "exercise"
        self.check_names(body, ("metric", "task", "references"))
        keys = [key for key in keys if metrics.METRICS[key].plans]
        if not keys:
            raise self.fault("none of the chapter's metrics has exercises; add one that has")
        metric, task = self.take(body, "metric", str, keys[0]), self.take(body, "task", str, "score")
        if metric not in keys:
            raise self.fault(f"metric must be one of the chapter's, {', '.join(keys)}, got {metric!r:.60}")
        if task not in TASKS:
            raise self.fault(f"task must be one of {', '.join(TASKS)}, got {task!r:.60}")
        references = self.take(body, "references", int, 1)
        if references < 1 or not (
            fitting_levels := levels_with_references([metrics.METRICS[key] for key in keys], references)
        ):
            raise self.fault(f"references must be 1 or 2, got {references}")
        return ExerciseRequest(metric, tuple(fitting_levels), task, references)

    def example(self, name: str, given: Any, metric: str) -> ChapterExample:
        """Return the example `name` in the TOML table `given`, with its result. Raises FileError if it is broken.

        `metric` is the metric of an example that names none."""
        self.where = f"example {name!r:.60}"
        if not name.isidentifier():
            raise self.fault("an example's name must be letters, digits and _, and begin with a letter")
        if not isinstance(given, dict):
            raise self.fault("an example must be a table with candidate and references")
        self.check_names(given, ("candidate", "references", "metric", "settings", "text"))
        candidate, references = self.take(given, "candidate", str), self.strings(given, "references")
        key = self.read_metric_key(given.get("metric", metric))
        chosen, text = self.settings(given, key), self.text_settings(given)
        return self.scored(name, key, candidate, "\n".join(references), chosen, text)

    def scored(
        self, name: str, key: str, candidate: str, references: str, chosen: Any, text: TextSettings
    ) -> ChapterExample:
        """Return an example scored by the metric `key`. Raises FileError if it cannot be scored.

        `chosen` are the settings of the metric that the file gives, and `text` those of text processing."""
        texts = inputs.read_texts(candidate, references, text, ROOM)
        if isinstance(texts, MissingText):
            raise self.fault(texts.says)
        if self.work_left < 0:
            raise self._too_hard()
        with limited():  # a limit of its own, so that the cache does not store that this file had no work left
            result = cache.score(key, texts.segment, chosen)
            self.work_left -= spent()
        if isinstance(result, Problem):
            raise self.fault(result)
        return ChapterExample(name, candidate, references, texts, result)

    def screen(self, body: Mapping[str, Any], examples: Mapping[str, ChapterExample]) -> Screen:
        """Return the screen in the TOML table `body`, without its broken texts and without a broken question."""
        self.check_names(
            body,
            (
                *("kind", "title", "text", "reveal", "example", "ask"),
                *("printed", "where", "ours", "erratum", "pair", "hints", "name", "also", "other", "others"),
            ),
        )
        kind = body["kind"]
        for name, only in (("printed", "paper"), ("pair", "blind"), ("also", "blind"), ("others", "blind")):
            if name in body and kind != only:
                self.faults.append(str(self.fault(f"{name} belongs to a screen of the kind {only}")))
        example = self.find_example(body["example"], examples) if "example" in body else None
        if example is None and kind != "blind":
            raise self.fault(f"example is missing; it must name one of {', '.join(examples) or 'the examples'}")
        if kind == "algorithm" and example and (lacks := lacks_steps(example.metric)):
            raise self.fault(lacks)
        other = self.try_to_read(lambda: self.other_example(body, example, examples), None) if "other" in body else None
        also = tuple(self.strings(body, "also", []))
        pair = self.pair(self.strings(body, "pair"), examples, also) if kind == "blind" else None
        ours = self.try_to_read(
            lambda: self.take(body, "ours", str, f"{{{example.name}.score}}" if example else "-"), "-"
        )
        screen = Screen(
            kind,
            self.try_to_read(lambda: self.fill_numbers(self.take(body, "title", str), examples), ""),
            self.try_to_read(lambda: self.html(body, "text", examples, None), ""),
            self.try_to_read(lambda: self.html(body, "reveal", examples, ""), ""),
            example,
            self.try_to_read(lambda: self.ask(body, example, other, examples), None) if "ask" in body else None,
            self.try_to_read(lambda: str(self.take(body, "printed", (str, int, float), "")), ""),
            self.try_to_read(lambda: self.take(body, "where", str, ""), ""),
            self.try_to_read(lambda: self.fill_numbers(ours, examples), "") if kind == "paper" else "",
            self.try_to_read(lambda: self.html(body, "erratum", examples, "", inline=True), ""),
            pair,
            self.try_to_read(lambda: self.inline_texts("hints", self.strings(body, "hints", []), examples), ()),
            self.try_to_read(lambda: self.take(body, "name", str, ""), ""),
            also,
            other,
            self.try_to_read(lambda: self.other_meanings(self.take(body, "others", list, []), pair, also), {})
            if pair
            else {},
        )
        if kind == "paper" and "erratum" not in body:
            self.note_doubt(lambda: chapter_checks.printed_number_problem(screen.printed, ours, examples))
        return screen

    def note_doubt(self, find: Callable[[], str]) -> None:
        """Note the message that `find` returns, with the part of the file that is being read; "" is not noted."""
        try:
            if says := self.limit_work(find):
                self.doubts.append(str(self.fault(says)))
        except (ValueError, FollowsFromReportedError):  # reported where the text is read
            return

    def find_example(self, name: Any, examples: Mapping[str, ChapterExample]) -> ChapterExample:
        """Return the example called `name`. Raises FileError if there is none."""
        short = name.removeprefix("examples.") if isinstance(name, str) else name
        if not isinstance(short, str) or short not in examples:
            raise self.fault(f"{name!r:.60} is no example; there are {', '.join(examples) or 'none'}")
        return examples[short]

    def other_example(
        self, body: Mapping[str, Any], example: ChapterExample | None, examples: Mapping[str, ChapterExample]
    ) -> ChapterExample:
        """Return the second example of a question screen, which is drawn next to `example`.

        Raises FileError if the screen is not a question, or if the examples cannot be compared."""
        if body["kind"] != "question":
            raise self.fault("other belongs to a screen of the kind question")
        other = self.find_example(body["other"], examples)
        if example and _common_part(other) != _common_part(example):
            raise self.fault("example and other need the same references, metric and settings")
        return other

    def pair(
        self, names: Sequence[str], examples: Mapping[str, ChapterExample], also: Sequence[str]
    ) -> tuple[ChapterExample, ChapterExample]:
        """Return two examples called `names` with different words and the same score, over the same references.

        The scores are compared by the metric of the examples and by all metrics in `also`. Raises FileError if they
        differ."""
        if unknown := [key for key in also if key not in metrics.METRICS]:
            raise self.fault(f"also: {unknown[0]!r:.60} is no metric; there are {', '.join(metrics.METRICS)}")
        if len({*also}) < len(also):
            raise self.fault("also must name different metrics")
        if len(names) != 2:
            raise self.fault(f"pair must name two examples, got {len(names)}")
        a, b = [self.find_example(name, examples) for name in names]
        if _common_part(a) != _common_part(b):
            raise self.fault("both examples of a pair need the same references, metric and settings")
        if not (outcome := self.compare_scores(a, b, also)).succeeded:
            raise self.fault(f"a pair must be different words with the same score; {outcome.says}")
        return a, b

    def compare_scores(self, first: ChapterExample, second: ChapterExample, also: Sequence[str]) -> lesson.SearchState:
        """Return whether two sentences have different words and the same score, with a sentence that says why not.

        The scores are compared by the metric of the examples and by all metrics in `also`."""

        def find() -> lesson.SearchState:
            spend(
                5 * sum(map(len, [second.texts.segment.candidate, *second.texts.segment.references])) * (1 + len(also))
            )
            return lesson.check_same_score(first, second, also)

        return self.limit_work(find)

    def other_meanings(
        self, given: Sequence[Any], pair: tuple[ChapterExample, ChapterExample], also: Sequence[str]
    ) -> dict[Tokens, str]:
        """Return the candidates known to mean something else than the first one of `pair`, mapped to an explanation.

        The keys are the words of each candidate. They are the second one of the pair, whose explanation is "", and
        the ones that the file lists, in the TOML tables `given`. Raises FileError if a listed one scores differently
        by the metric of the pair or one in `also`."""
        meanings: dict[Tokens, str] = {}
        for each in given:
            if not isinstance(each, dict):
                raise self.fault("others must be tables with text and says")
            self.check_names(each, ("text", "says"))
            text, says = self.take(each, "text", str), self.take(each, "says", str)
            for candidate in spelt_out(text):
                if len(meanings) == MOST_OTHERS:
                    raise self.fault(f"others must be at most {MOST_OTHERS} sentences, spelt out")
                first, settings = pair[0], pair[0].texts.settings
                other = self.scored("other", first.metric, candidate, first.references, first.settings, settings)
                if not (hunted := self.compare_scores(first, other, also)).succeeded:
                    raise self.fault(f"others: {candidate!r:.80} is none; {hunted.says}")
                meanings[lesson.meaning_key(other.texts.segment.candidate)] = says
        return {lesson.meaning_key(pair[1].texts.segment.candidate): "", **meanings}

    def ask(
        self,
        screen: Mapping[str, Any],
        own_example: ChapterExample | None,
        other: ChapterExample | None,
        examples: Mapping[str, ChapterExample],
    ) -> ScreenQuestion:
        """Return the question of a screen that shows `own_example`, and maybe the example `other`.

        `screen` is the TOML table of the screen. Where the core disagrees with the answer, this is noted as a doubt."""
        body = screen["ask"]
        if not isinstance(body, dict):
            raise self.fault("ask must be a table with kind, text and right")
        self.check_names(body, ("kind", "text", "choices", "right", "because", "wrong", "within", "holds"))
        proofs = self.strings(body, "holds", [])
        for proof in proofs:
            self.try_to_read(partial(self.check_proof, proof, examples), None)
        text, because = self.html(body, "text", examples, None), self.html(body, "because", examples, "")
        if (kind := self.take(body, "kind", str, "choice")) == "number":
            right = self.take(body, "right", (str, int, float))
            number = self.compute_number("ask", right, examples)
            tolerance = float(self.take(body, "within", (int, float), 0.0051))
            if tolerance < 0:
                raise self.fault(f"ask's within must be at least 0, got {tolerance:g}")
            if not proofs and not re.search("[A-Za-z]", str(right)):  # typed, not computed
                texts = [*map(str, (body["text"], body.get("because", ""), screen.get("text"), screen.get("reveal")))]
                self.note_doubt(
                    lambda: chapter_checks.check_typed_answer(number, tolerance, texts, own_example, examples)
                )
            return ScreenQuestion(text, (), number, because, (), tolerance)
        if kind != "choice":
            raise self.fault(f"ask's kind must be choice or number, got {kind!r:.60}")
        choices = self.inline_texts("ask's choices", self.strings(body, "choices"), examples)
        index = self.take(body, "right", int)
        if len(choices) < 2 or len({*choices}) < len(choices):
            raise self.fault(f"ask's choices must be two or more, and different, got {len(choices)}")
        if not 0 <= index < len(choices):
            raise self.fault(f"ask's right must be the number of a choice, 0 to {len(choices) - 1}, got {index}")
        wrong = self.inline_texts("ask's wrong", self.strings(body, "wrong", []), examples)
        if wrong and len(wrong) != len(choices):
            raise self.fault(f"ask's wrong must have a text for each of the {len(choices)} choices, got {len(wrong)}")
        if not proofs:
            self.note_doubt(lambda: chapter_checks.check_choice(body["choices"], index, own_example, examples))
            self.note_doubt(
                lambda: chapter_checks.check_better_candidate(body["text"], body["choices"], index, own_example, other)
            )
        return ScreenQuestion(text, choices, index, because, wrong)

    def check_proof(self, proof: str, examples: Mapping[str, ChapterExample]) -> None:
        """Note a doubt if the comparison `proof` does not hold. Raises FileError if it cannot be computed."""
        if says := self.compute(lambda: chapter_checks.check_comparison(proof, examples), "holds"):
            self.doubts.append(str(self.fault(f"holds: {says}")))

    # ------------------------------------------------------------ texts

    def html(
        self,
        body: Mapping[str, Any],
        name: str,
        examples: Mapping[str, ChapterExample],
        default: str | None,
        inline: bool = False,
    ) -> str:
        """Return the text called `name` in `body` as HTML, with the expressions in braces computed from `examples`.

        Without a `default` the text must exist; `inline` leaves out paragraphs."""
        given = self.take(body, name, str, default)
        return self.compute(lambda: (prose.inline if inline else prose.html)(given, examples), name)

    def inline_texts(self, name: str, texts: Sequence[str], examples: Mapping[str, ChapterExample]) -> tuple[str, ...]:
        """Return each text as HTML without paragraphs, with the expressions in braces computed from `examples`."""
        return tuple([self.html({name: text}, name, examples, None, inline=True) for text in texts])

    def fill_numbers(self, text: str, examples: Mapping[str, ChapterExample]) -> str:
        """Return a plain text with the expressions in braces computed from `examples`."""
        return self.compute(lambda: prose.fill_numbers(text, examples))

    def compute_number(self, name: str, given: str | float, examples: Mapping[str, ChapterExample]) -> float:
        """Return the number `given`, typed or as an expression with or without braces; `name` is for the message."""
        if isinstance(given, str):
            return self.compute(lambda: prose.expression_value(given.strip("{} "), examples), name)
        return float(given)


def spelt_out(text: str) -> list[str]:
    """Return all sentences that `text` stands for: each choice of words in its brackets gives one.

    >>> spelt_out("they [saw|met] us")
    ['they saw us', 'they met us']
    """
    parts = [part.split("|") if n % 2 else [part] for n, part in enumerate(re.split(r"\[([^\[\]]*)\]", text))]
    return [" ".join("".join(chosen).split()) for chosen in islice(product(*parts), MOST_OTHERS + 1)]


def _common_part(example: ChapterExample) -> tuple[object, ...]:
    """Return what two examples must share to be compared: references, metric and settings."""
    return example.texts.references, example.metric, example.settings
