"""What a page shows as a link or as a workspace file, and back. Everything that comes back is checked.

Each page has one record, whose fields say what its links hold and how (`codec`); a link names its page as `page`. Links
and files of former versions, which do not, are known by what they hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

import metrics
from metrics.text import TextSettings

from ..draw.compare.changed_words import FATES
from ..draw.compare.worth import ORDERS, SHOWN
from . import codec
from .cache import TIES_MOST
from .codec import Kind, Like, OfMetrics, OfTexts, OneOf, OnOff, Plain, SomeOf, Whole, kept
from .inputs import MAX_REFERENCES, MAX_WORDS

LINK_MOST = 6_000  # characters of a query that browsers, proxies and chat programs all carry
FORMAT = "bitext-grid workspace 1"
FIRST_METRIC = "gtm"  # what a page without a link shows
SIMILARITIES = ("none", "stems", "wordnet")  # those of SIA that a link can name
#: The views of a sentence by the names that links use.
VIEWS = {
    "metric": "Metric",
    "steps": "Steps",
    "all": "All metrics",
    "two": "Two metrics",
    "errors": "Error classes",
}
FIRST_OTHER = "rouge_l"  # what the view of two metrics compares with
PICTURES = ("arcs", "grid")
#: The views of a comparison by the names that links use.
COMPARE_VIEWS = {"difference": "Difference", "whatif": "What if", "words": "Words", "all": "All systems"}
SYSTEMS_LEAST, SYSTEMS_MOST, NAME_MOST = 2, 8, 40  # systems of a comparison, characters of a name
WHATIF = -1  # stands among the systems' positions for the changed text
EFFECTS_MOST = 1_000_000  # changes of one word of an output
STEPS_MOST = 1_000  # from one score to another
CHANGES_MOST = 1_000_000  # cells that are not the same in both outputs
WALK_MOST = 10_000_000  # steps of an algorithm
_NUMBERED = re.compile(r"(system|name)\.([1-9][0-9]*)")
_KEY = re.compile("[a-z0-9_]{1,40}")
TERMS_MOST = 10_000_000  # of a layer
_TERM = re.compile("(0|[1-9][0-9]{0,6}):(0|[1-9][0-9]{0,6})")


class Systems(Kind):
    """Two to eight pairs of name and text, or none: `system.1` … are the texts, `name.1` … the names if given."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        return _NUMBERED.fullmatch(parameter) is not None

    def write(self, name: str, value: tuple[tuple[str, str], ...]) -> dict[str, str]:
        out = {}
        for slot, (given, text) in enumerate(value):
            out[f"system.{slot + 1}"] = text
            if given != default_name(slot):
                out[f"name.{slot + 1}"] = given
        return out

    def read(
        self, name: str, query: Mapping[str, str], default: Any, problems: list[str]
    ) -> tuple[tuple[str, str], ...]:
        numbers = _numbers(query)
        for parameter in query:
            if numbered := _NUMBERED.fullmatch(parameter):
                kind, number = numbered.groups()
                if len(number) > 1 or int(number) > SYSTEMS_MOST:
                    problems.append(codec.not_used(parameter, f"at most {SYSTEMS_MOST} systems are compared"))
                elif kind == "name" and f"system.{number}" not in query:
                    problems.append(codec.not_used(parameter, f"the link has no system.{number}"))
        if numbers and numbers[-1] != len(numbers):
            listed = ", ".join(map(str, numbers))
            problems.append(
                f"The link's systems should be numbered from 1 without gaps, got {listed}; they are moved up."
            )
        if cut := [f"name.{n}" for n in numbers if len(query.get(f"name.{n}", "")) > NAME_MOST]:
            *most, last = cut
            which = f"{', '.join(most)} and {last} are" if most else f"{last} is"
            problems.append(f"The link's {which} cut to {NAME_MOST} characters.")
        systems = [(_name(query, number, slot), query[f"system.{number}"]) for slot, number in enumerate(numbers)]
        if len(systems) == 1:
            problems.append("The link has one system, and two are the fewest to compare; the second is left empty.")
            systems.append((default_name(1), ""))
        return tuple(systems)


class Sides(Kind):
    """The positions of A and B among the systems, from 0; a link names them by the numbers of its systems: `1-2`."""

    plain = False

    def write(self, name: str, value: tuple[int, int]) -> dict[str, str]:
        return {name: f"{value[0] + 1}-{value[1] + 1}"}

    def read(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> tuple[int, int]:
        both: tuple[int, int] = default
        if name not in query:
            return both
        numbers = _numbers(query)
        if not numbers:
            problems.append(codec.not_used(name, "the link has no systems to compare"))
            return both
        if len(numbers) == 1:
            numbers.append(numbers[0] + 1)  # the one that is left empty
        slots = {str(number): slot for slot, number in enumerate(numbers)}
        a, _, b = query[name].partition("-")
        if a in slots and b in slots and a != b:
            return slots[a], slots[b]
        why = "sides must be the numbers of two different systems, such as 1-2, "
        problems.append(codec.not_used(name, f"{why}got {query[name]!r:.{codec.SHOWN}}"))
        return both


class Slot(Kind):
    """The position of one of the systems, from 0, or none; a link names it by the number of its system. Where there
    is a `special` word, WHATIF stands for what it names, which is no system."""

    def __init__(self, special: str = "") -> None:
        self.special = special

    def text(self, value: Any) -> str:
        return self.special if value == WHATIF else str(value + 1)

    def read(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> int | None:
        none: int | None = default
        if name not in query:
            return none
        given, numbers = query[name], _numbers(query)
        if self.special and given == self.special:
            return WHATIF
        if given in map(str, numbers):
            return numbers.index(int(given))
        why = f"it must be the number of a system of the link, got {given!r:.{codec.SHOWN}}"
        problems.append(codec.not_used(name, why))
        return none

    def admits(self, name: str, value: Any) -> bool:
        return isinstance(value, int) and (0 <= value < SYSTEMS_MOST or (value == WHATIF and bool(self.special)))


def _numbers(query: Iterable[str]) -> list[int]:
    """The numbers of the systems that a link has."""
    given = set(query)
    return [number for number in range(1, SYSTEMS_MOST + 1) if f"system.{number}" in given]


def _name(query: Mapping[str, str], number: int, slot: int) -> str:
    """The name of a system as far as it fits, its slot's letter where it has none."""
    name = query.get(f"name.{number}", "")[:NAME_MOST]
    return name if name.strip() else default_name(slot)


def default_name(slot: int) -> str:
    """The name of a system that was given none: A, B, C, … by its position."""
    return chr(ord("A") + slot)


# ---------------------------------------------------------------- a record for each page


#: The record of each page, by the page's name.
PAGES: dict[str, type[Page]] = {}


@dataclass(frozen=True, kw_only=True)
class Page:
    """What the links of all pages hold: the references as typed, how texts are processed, the metric and all changed
    settings. A subclass that has the name of a page as `page` is that page's record.

    `settings` holds, by metric and name, only values that differ from the metric's defaults. `similarity` is the kind
    of SIA's word similarity; a translation table itself is not part of a link (see `to_json`).
    """

    page: ClassVar[str]

    references: str = kept("")
    metric: str = kept(FIRST_METRIC, OneOf(metrics.METRICS))
    text: TextSettings = kept(TextSettings, OfTexts())  # noqa: RUF009
    settings: Mapping[str, Mapping[str, Plain]] = kept(dict, OfMetrics())
    similarity: str = kept("none", OneOf(SIMILARITIES), "sia.similarity", "similarity_kind")

    def __init_subclass__(cls) -> None:
        PAGES[cls.page] = cls


@dataclass(frozen=True, kw_only=True)
class Sentence(Page):
    """One candidate. `view` is one of VIEWS, `other` the second metric of the view of two.

    What is shown of the result belongs to these texts and settings: `term` is the chosen term as `LAYER:N`, `rounds`
    how many rounds are shown (None: as many as there are), `tie` which of the equally good alignments, from 0, and
    `picture` one of PICTURES (None: what the metric shows first). `step` is the step of the algorithm, from 1, and
    `part` which part of long texts it goes through: 0 their first sentences, else a window from this word on. Of a long
    text the detail from word `detail_i` of the candidate and word `detail_j` of a reference on is shown.
    """

    page: ClassVar[str] = "sentence"

    candidate: str = kept("")
    view: str = kept("metric", OneOf(VIEWS))
    other: str = kept(FIRST_OTHER, OneOf(metrics.METRICS))
    term: str | None = kept(None, Like(_TERM, "the numbers of a layer and of one of its terms, such as 0:2"))
    rounds: int | None = kept(None, Whole(1, MAX_WORDS))
    tie: int = kept(0, Whole(0, TIES_MOST - 1))
    picture: str | None = kept(None, OneOf(PICTURES), key="picture_chosen")
    step: int | None = kept(None, Whole(1, WALK_MOST), key="walk_step")
    part: int | None = kept(None, Whole(0, MAX_WORDS), key="walk_part")
    detail_i: int = kept(1, Whole(1, MAX_WORDS), "detail.candidate")
    detail_j: int = kept(1, Whole(1, MAX_WORDS), "detail.word")
    detail_reference: int = kept(0, Whole(0, MAX_WORDS), "detail.reference")


@dataclass(frozen=True, kw_only=True)
class Compare(Page):
    """Two to eight systems as pairs of name and text, or none, where the page takes what it finds; `sides` says which
    of them are A and B (two different positions, from 0), and `compare` is one of COMPARE_VIEWS.

    `whatif` is the changed text of the system `whatif_of` (None: there is none), `output` the one whose words are
    examined (None: A; WHATIF: the changed text) and `effect` the chosen change of one of them, from 0; `words` says
    which changes are listed, in which `order`. With `best` the best system comes first. `step` is the chosen step from
    A to B, from 0, and `change`, of a long comparison, the change around which its part is shown, from 0. `reference`
    is the one whose grid is open, from 0 (None: the one that matters most, to the step if one is chosen), and with
    `rows` those are shown that else would be folded. Words and cells of the fates that are `off` are not shown as such.
    """

    page: ClassVar[str] = "compare"

    systems: tuple[tuple[str, str], ...] = kept((), Systems())
    sides: tuple[int, int] = kept((0, 1), Sides())
    compare: str = kept("difference", OneOf(COMPARE_VIEWS), key="compare_view")
    whatif: str = kept("")
    whatif_of: int | None = kept(None, Slot(), "whatif.of")
    output: int | None = kept(None, Slot("whatif"))
    effect: int | None = kept(None, Whole(0, EFFECTS_MOST - 1))
    words: str = kept("all", OneOf(SHOWN), key="attribution_show")
    order: str = kept("helps", OneOf(ORDERS), key="attribution_order")
    best: bool = kept(False, OnOff(), key="systems_best_first")
    step: int | None = kept(None, Whole(0, STEPS_MOST - 1))
    change: int | None = kept(None, Whole(0, CHANGES_MOST - 1))
    reference: int | None = kept(None, Whole(0, MAX_REFERENCES - 1), "grid", "grid_reference")
    rows: bool = kept(False, OnOff(), key="all_rows")
    off: tuple[str, ...] = kept((), SomeOf(FATES), key="fates_off")


@dataclass(frozen=True, kw_only=True)
class Learn(Page):
    """A screen of a chapter; no `chapter` is the list. `candidate` and `references` are the reader's own sentence, ""
    where it is the chapter's, and `twin` what the reader made of a candidate that the metric should not tell from it.

    `metric` is that of the reader's sentence ("" for the chapter's), `exercise` the exercise that is shown ("" for a
    first one), `made` the sentence that it asks for as far as it is typed, and `present` whether the page is shown to a
    lecture hall.
    """

    page: ClassVar[str] = "learn"

    references: str = kept("", key="lesson_references")
    metric: str = kept("", OneOf(metrics.METRICS), key="lesson_metric")
    similarity: str = kept("none", OneOf(SIMILARITIES), "sia.similarity", "lesson_similarity")
    chapter: str = kept("", Like(_KEY, "the key of a chapter, such as gtm"))
    screen: int = kept(1, Whole(1, 6))
    candidate: str = kept("", key="lesson_candidate")
    twin: str = kept("")
    exercise: str = kept("")
    made: str = kept("")
    present: bool = kept(False, OnOff())


#: Fields of texts, which may be too long for a link, and fields of what is looked at closely. All others are the place
#: in the app where one is: page, view, metric, settings, sides.
TEXTS = ("references", "candidate", "systems", "whatif", "whatif_of", "twin", "made")
LOOKS = (
    *("term", "rounds", "tie", "picture", "output", "effect", "step", "part", "change"),
    *("reference", "rows", "off", "words", "order", "best"),
    *("detail_i", "detail_j", "detail_reference"),
)
KEPT = "kept"  # the parameter of an address whose texts are kept in the browser; its value names them


def without(shown: Page, names: Iterable[str]) -> Page:
    """What a page shows with some fields at their defaults."""
    return replace(shown, **{f.name: f.default for f in codec.fields(type(shown)) if f.name in names})


def texts_of(shown: Page) -> dict[str, str]:
    """The parameters of the texts alone."""
    rest = to_query(without(shown, TEXTS))
    return {name: text for name, text in to_query(shown).items() if name not in rest}


def to_document(shown: Page, extra: Mapping[str, Any]) -> str:
    """The texts as they are kept in the browser, with what else a link cannot hold."""
    return json.dumps({"query": texts_of(shown), **extra})


def from_document(document: object) -> tuple[dict[str, str], dict[str, Any]]:
    """The parameters of texts that were kept in the browser, and what else was. Raises ValueError if they are none."""
    try:
        body = json.loads(document) if isinstance(document, str) else None
    except (ValueError, RecursionError):
        body = None
    query = body.get("query") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(query, dict) or not all(isinstance(t, str) for t in query.values()):
        raise ValueError("these are no texts")
    return query, {name: value for name, value in body.items() if name != "query"}


# ---------------------------------------------------------------- links


def to_query(shown: Page) -> dict[str, str]:
    """What a page shows as query parameters: the page's name, and what is not at its default.

    >>> to_query(Sentence(candidate="a cat", references="the cat", settings={"gtm": {"exponent": 1.0}}))
    {'page': 'sentence', 'references': 'the cat', 'gtm.exponent': '1.0', 'candidate': 'a cat'}

    >>> to_query(Compare(references="the cat", systems=(("A", "a cat"), ("new", "cat"))))
    {'page': 'compare', 'references': 'the cat', 'system.1': 'a cat', 'system.2': 'cat', 'name.2': 'new'}
    """
    return {"page": shown.page, **codec.write(shown)}


def link(shown: Page) -> str | None:
    """The query string to put behind the app's address, None where it would be longer than a link can bear."""
    parts = [f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}" for name, value in to_query(shown).items()]
    query = "?" + "&".join(parts)
    return query if len(query) <= LINK_MOST else None


_DETAIL = "the detail of long texts"
#: What a link holds of a field, in words; of fields that are not here it says nothing of its own.
SAID = {
    "candidate": "the candidate",
    "systems": "the outputs with their names",
    "references": "the references",
    "sides": "which outputs are A and B",
    "whatif_of": "the what-if text",
    "output": "the output whose words are shown",
    "effect": "the chosen change of a word",
    "words": "which changes are listed",
    "order": "the order of the list",
    "best": "that the best system comes first",
    "metric": "the metric",
    "text": "the text processing",
    "settings": "the changed settings of all metrics",
    "similarity": "the word similarity",
    "view": "the view",
    "compare": "the view",
    "other": "the second metric",
    "term": "the chosen term",
    "step": "the chosen step",
    "part": "the part that is stepped through",
    "rounds": "the rounds shown",
    "detail_i": _DETAIL,
    "detail_j": _DETAIL,
    "detail_reference": _DETAIL,
    "change": "the part of the difference",
    "reference": "the reference whose grid is open",
    "rows": "that all rows are shown",
    "off": "what the legend switches off",
    "tie": "the alignment stepped to",
    "picture": "arcs or grid",
    "chapter": "the chapter",
    "screen": "the screen",
    "twin": "the second candidate",
    "made": "the sentence that is made",
    "exercise": "the exercise",
    "present": "that it is presented",
}
ALWAYS = ("references", "candidate", "systems", "metric", "view", "compare")  # at their defaults, too


def held(shown: Page) -> str:
    """What the link of a page holds, in words.

    >>> held(Sentence(candidate="a", references="b", term="0:1"))
    'the candidate, the references, the metric, the view and the chosen term'
    """
    own = {f.name: f.default for f in codec.fields(type(shown))}
    always = ("chapter", "screen") if isinstance(shown, Learn) else ALWAYS
    named = dict.fromkeys(
        says
        for name, says in SAID.items()
        if name in own and (name in always or (getattr(shown, name) != own[name] and (name != "other" or _two(shown))))
    )
    *others, last = named
    return f"{', '.join(others)} and {last}"


def _two(shown: Page) -> bool:
    return isinstance(shown, Sentence) and shown.view == "two"


def written(query: Mapping[str, str]) -> str:
    """Parameters as the address bar has them: to the letter as Streamlit would write them."""
    return "?" + urlencode(query, doseq=True, errors="replace")


def from_query(query: Mapping[str, str]) -> tuple[Page, list[str]]:
    """What a page shows by its link, and a sentence for each parameter that could not be used."""
    page, first = page_of(query)
    values, strange, problems = codec.read(page, query)
    for parameter in query:
        if parameter not in strange or parameter == "page":
            continue
        theirs = next((each for each in PAGES.values() if any(f.owns(parameter) for f in codec.fields(each))), None)
        if theirs is None:
            problems.append(codec.no_setting(parameter))
        elif "page" in query or page is not Compare:  # a candidate could stand beside systems and was of no use
            problems.append(codec.not_used(parameter, f"it belongs to a link of the {theirs.__name__} page"))
    return page(**values), first + problems


def page_of(query: Mapping[str, str]) -> tuple[type[Page], list[str]]:
    """The page of a link, and what is wrong with its name. A link without a name is a former version's: it is one of
    the Compare page if it has systems, otherwise one of the Sentence page."""
    given = query.get("page")
    if given in PAGES:
        return PAGES[given], []
    problems = [] if given is None else [codec.not_used("page", _must_be_a_page(given))]
    return (Compare if _numbers(query) else Sentence), problems


def _must_be_a_page(given: str) -> str:
    return f"page must be one of {', '.join(PAGES)}, got {given!r:.{codec.SHOWN}}"


def known(query: Mapping[str, str]) -> bool:
    """Whether a link holds anything of ours; what others hang onto links must not empty the page."""
    return query.get("page") in PAGES or any(
        name in ("candidate", "references", "metric")
        or name.partition(".")[0] in ("text", *metrics.METRICS)
        or ((numbered := _NUMBERED.fullmatch(name)) and numbered[1] == "system")
        for name in query
    )


# ---------------------------------------------------------------- workspace files


def to_json(shown: Page, extra: Mapping[str, Any] | None = None) -> str:
    """What a page shows as a file; `extra` holds what a link cannot, such as a translation table's lines."""
    body = {"format": FORMAT, "version": metrics.__version__, "query": to_query(shown), **(extra or {})}
    return json.dumps(body, indent=1)  # ASCII, so that unpaired surrogates survive too


def from_json(data: bytes | str) -> tuple[Page, list[str], dict[str, Any]]:
    """What a page shows by a file. Raises ValueError with one clear sentence if the file is not a workspace."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("This file is not a workspace: it is not JSON. Open one that was saved here.") from None
    query = body.get("query") if isinstance(body, dict) else None
    if not isinstance(query, dict) or body.get("format") != FORMAT:
        raise ValueError(
            f"This file is not a workspace: its format should be {FORMAT!r}. Open one that was saved here."
        )
    if not all(isinstance(v, str) for v in query.values()):
        raise ValueError("This workspace is damaged: every entry of its query should be text.")
    shown, problems = from_query(query)
    return shown, problems, {k: v for k, v in body.items() if k not in ("format", "version", "query")}


def sendable(text: str) -> str:
    """`text` as it can be sent to a browser: unpaired surrogates, which only a file can bring, as U+FFFD.

    >>> sendable("a\\ud800b")
    'a\ufffdb'
    """
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
