"""Define the state of the Compare page: what the visitor looks at, and how a link holds it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import metrics

from ...draw.compare.changed_words import FATES
from ...draw.compare.worth import ORDERS, SHOWN
from ...state.links import codec
from ...state.links.codec import FieldKind, OneOf, OnOff, SubsetOf, WholeNumber, session_field, url_field
from ...state.links.pages import PageState
from ...state.texts.inputs import MAX_REFERENCES, NAME_MOST, SYSTEMS_MOST, default_name
from ...state.texts.marked_errors import MarksKind, TextMarks

#: The views of a comparison, by their names in links.
VIEWS = {"difference": "Difference", "edits": "Edits", "whatif": "What if", "words": "Words", "all": "All systems"}
WHATIF = -1  # denotes the what-if text among the slots of systems
EFFECTS_MOST = 1_000_000  # most one-word changes of an output
STEPS_MOST = 1_000  # most steps from one score to another
EDITS_MOST = 10_000  # most rows of edits from one output to another
#: The orders of edits: by a metric, with the edits that improve it first; after "-", those that worsen it first.
SORTED = (*metrics.METRICS, *[f"-{key}" for key in metrics.METRICS])
CHANGES_MOST = 1_000_000  # most cells that differ between both outputs
_NUMBERED = re.compile(r"(system|name)\.([1-9][0-9]*)")


class SystemsKind(FieldKind):
    """A kind of link field: two to eight systems, as pairs of name and text.

    The link's parameters `system.1` … are their texts, and `name.1` … their names, if they were given any."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        return _NUMBERED.fullmatch(parameter) is not None

    def identifies_link(self, name: str, parameter: str) -> bool:
        return bool((numbered := _NUMBERED.fullmatch(parameter)) and numbered[1] == "system")

    def write_parameters(self, name: str, value: tuple[tuple[str, str], ...]) -> dict[str, str]:
        out = {}
        for slot, (given, text) in enumerate(value):
            out[f"system.{slot + 1}"] = text
            if given != default_name(slot):
                out[f"name.{slot + 1}"] = given
        return out

    def read_parameters(
        self, name: str, query: Mapping[str, str], default: Any, problems: list[str]
    ) -> tuple[tuple[str, str], ...]:
        numbers = _system_numbers(query)
        for parameter in query:
            if numbered := _NUMBERED.fullmatch(parameter):
                kind, number = numbered.groups()
                if len(number) > 1 or int(number) > SYSTEMS_MOST:
                    problems.append(codec.not_used_message(parameter, f"at most {SYSTEMS_MOST} systems are compared"))
                elif kind == "name" and f"system.{number}" not in query:
                    problems.append(codec.not_used_message(parameter, f"the link has no system.{number}"))
        if numbers and numbers[-1] != len(numbers):
            listed = ", ".join(map(str, numbers))
            problems.append(
                f"The link's systems should be numbered from 1 without gaps, got {listed}; they are renumbered."
            )
        if cut := [f"name.{n}" for n in numbers if len(query.get(f"name.{n}", "")) > NAME_MOST]:
            *most, last = cut
            which = f"{', '.join(most)} and {last} are" if most else f"{last} is"
            problems.append(f"The link's {which} cut to {NAME_MOST} characters.")
        systems = [
            (_system_name(query, number, slot), query[f"system.{number}"]) for slot, number in enumerate(numbers)
        ]
        if len(systems) == 1:
            problems.append("The link has one system, but a comparison needs two; the second is left empty.")
            systems.append((default_name(1), ""))
        return tuple(systems)


class SidesKind(FieldKind):
    """A kind of link field: the slots of A and B, from 0.

    A link names them by the numbers of the systems, from 1, as in `1-2`."""

    plain = False

    def write_parameters(self, name: str, value: tuple[int, int]) -> dict[str, str]:
        return {name: f"{value[0] + 1}-{value[1] + 1}"}

    def read_parameters(
        self, name: str, query: Mapping[str, str], default: Any, problems: list[str]
    ) -> tuple[int, int]:
        fallback: tuple[int, int] = default
        if name not in query:
            return fallback
        numbers = _system_numbers(query)
        if not numbers:
            problems.append(codec.not_used_message(name, "the link has no systems to compare"))
            return fallback
        if len(numbers) == 1:
            numbers.append(numbers[0] + 1)  # the second system, which is left empty
        slots = {str(number): slot for slot, number in enumerate(numbers)}
        a, _, b = query[name].partition("-")
        if a in slots and b in slots and a != b:
            return slots[a], slots[b]
        why = "sides must be the numbers of two different systems, such as 1-2, "
        problems.append(codec.not_used_message(name, f"{why}got {query[name]!r:.{codec.SHOWN}}"))
        return fallback


class SlotKind(FieldKind):
    """A kind of link field: the slot of a system, from 0, or None.

    A link names it by the number of the system, from 1. If the kind has a `special` word, it is written for WHATIF."""

    def __init__(self, special: str = "") -> None:
        self.special = special

    def text(self, value: Any) -> str:
        return self.special if value == WHATIF else str(value + 1)

    def read_parameters(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> int | None:
        none: int | None = default
        if name not in query:
            return none
        given, numbers = query[name], _system_numbers(query)
        if self.special and given == self.special:
            return WHATIF
        if given in map(str, numbers):
            return numbers.index(int(given))
        why = f"it must be the number of a system of the link, got {given!r:.{codec.SHOWN}}"
        problems.append(codec.not_used_message(name, why))
        return none

    def admits(self, name: str, value: Any) -> bool:
        return isinstance(value, int) and (0 <= value < SYSTEMS_MOST or (value == WHATIF and bool(self.special)))


def _system_numbers(query: Iterable[str]) -> list[int]:
    """Return the numbers, from 1, of the systems that a link has, in ascending order.

    `query` are the names of the link's parameters."""
    given = set(query)
    return [number for number in range(1, SYSTEMS_MOST + 1) if f"system.{number}" in given]


def _system_name(query: Mapping[str, str], number: int, slot: int) -> str:
    """Return the name that a link gives to the system with this number, cut to NAME_MOST letters.

    Without one, it is the letter of the slot."""
    name = query.get(f"name.{number}", "")[:NAME_MOST]
    return name if name.strip() else default_name(slot)


@dataclass(frozen=True, kw_only=True)
class CompareState(PageState):
    """The state of the Compare page.

    Attributes:
        systems: two to eight pairs of name and text; empty if the page takes the systems that the session has.
        source: the text that was translated; it is shown, but no metric reads it.
        marked: the errors that people marked in the texts.
        wordless: whether outputs without words are intended, rather than not typed yet.
        sides: the slots of A and B, different, from 0.
        compare: the view, one of VIEWS.
        whatif, whatif_of: the what-if text and the slot of the system it was copied from (None: there is none).
        output: the slot of the output whose words are examined (None: A; WHATIF: the what-if text).
        effect: the index of the selected change of one of its words.
        words, order: which changes are listed, and their order.
        best: whether the best system comes first.
        step: the index of the selected step from A to B.
        change: the index of the changed cell around which the part of a long comparison is shown.
        edit: the index of the selected row of edits.
        by: the order of the edits, one of SORTED ("": as in the texts).
        every: whether the worth of edits is shown for all metrics, or for the selected one and three others.
        reference: the index of the reference whose grid is open (None: the one that matters most, to the selected step
            if any).
        rows: whether the rows of the grid that are folded by default are shown.
        off: the fates, such as "kept" or "lost", whose words and cells the legend has switched off.
        past: the former what-if texts, each after the slot of its system."""

    page: ClassVar[str] = "compare"
    field_labels: ClassVar[Mapping[str, str]] = {
        "systems": "the outputs with their names",
        "source": "the source",
        "marked": "the errors that people marked",
        "wordless": "that one has no words",
        "references": PageState.field_labels["references"],
        "sides": "which outputs are A and B",
        "whatif_of": "the what-if text",
        "output": "the output whose words are shown",
        "effect": "the chosen change of a word",
        "words": "which changes are listed",
        "order": "the order of the list",
        "best": "that the best system comes first",
        **PageState.field_labels,
        "compare": "the view",
        "step": "the chosen step",
        "change": "the part of the difference",
        "edit": "the chosen edit",
        "by": "the order of the edits",
        "every": "that edits are shown by all metrics",
        "reference": "the reference whose grid is open",
        "rows": "that all rows are shown",
        "off": "what the legend switches off",
    }
    always: ClassVar[tuple[str, ...]] = ("references", "systems", "metric", "compare")

    systems: tuple[tuple[str, str], ...] = url_field((), SystemsKind(), of="texts", telling=True)
    source: str = url_field("", of="texts", widget=True)
    marked: tuple[TextMarks, ...] = url_field((), MarksKind(), of="texts")
    wordless: bool = url_field(False, OnOff(), of="texts")
    sides: tuple[int, int] = url_field((0, 1), SidesKind())
    compare: str = url_field("difference", OneOf(VIEWS), key="compare_view", widget=True)
    whatif: str = url_field("", of="texts", widget=True)
    whatif_of: int | None = url_field(None, SlotKind(), "whatif.of", of="texts")
    output: int | None = url_field(None, SlotKind("whatif"), of="look")
    effect: int | None = url_field(None, WholeNumber(0, EFFECTS_MOST - 1), of="look")
    words: str = url_field("all", OneOf(SHOWN), key="attribution_show", of="look", widget=True)
    order: str = url_field("helps", OneOf(ORDERS), key="attribution_order", of="look", widget=True)
    best: bool = url_field(False, OnOff(), key="systems_best_first", of="look", widget=True)
    step: int | None = url_field(None, WholeNumber(0, STEPS_MOST - 1), of="look")
    change: int | None = url_field(None, WholeNumber(0, CHANGES_MOST - 1), of="look")
    edit: int | None = url_field(None, WholeNumber(0, EDITS_MOST - 1), of="look")
    by: str = url_field("", OneOf(SORTED), "sorted", "edits_by", of="look")
    every: bool = url_field(False, OnOff(), key="edits_every", of="look")
    reference: int | None = url_field(None, WholeNumber(0, MAX_REFERENCES - 1), "grid", "grid_reference", of="look")
    rows: bool = url_field(False, OnOff(), key="all_rows", of="look")
    off: tuple[str, ...] = url_field((), SubsetOf(FATES), key="fates_off", of="look")

    past: tuple[tuple[int, str], ...] = session_field((), "whatif_past")

    @property
    def names(self) -> list[str]:
        """The names of all systems, by slot."""
        return [name for name, _ in self.systems]

    @property
    def typed_texts(self) -> tuple[object, ...]:
        """The values from which the texts above the views are read; when they change, the texts are read again."""
        return self.systems, self.sides, self.references, self.text, self.source, self.marked

    @property
    def compared_outputs(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The two outputs that are compared, each as name and text.

        They are A and B, or, in the what-if view, a system and the what-if text."""
        if self.compare == "whatif" and self.whatif_of is not None:
            return self.systems[self.whatif_of], ("What if", self.whatif)
        a, b = self.sides
        return self.systems[a], self.systems[b]

    @property
    def comparison_key(self) -> tuple[object, ...]:
        """A value that identifies the comparison: all that determines the steps from A to B."""
        return (*self.compared_outputs, self.references, self.text, self.metric, self.settings_of(self.metric))

    @property
    def edits_key(self) -> tuple[object, ...]:
        """A value that identifies the edits: all that determines the rows of edits from A to B."""
        return (*self.compared_outputs, self.text)

    @classmethod
    def owns_unnamed(cls, query: Mapping[str, str]) -> bool:
        return bool(_system_numbers(query))
