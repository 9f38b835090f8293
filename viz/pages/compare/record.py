"""What is looked at on the Compare page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import metrics

from ...draw.compare.changed_words import FATES
from ...draw.compare.worth import ORDERS, SHOWN
from ...state import codec
from ...state.codec import FieldKind, OneOf, OnOff, SomeOf, Whole, session_field, url_field
from ...state.inputs import MAX_REFERENCES, NAME_MOST, SYSTEMS_MOST
from ...state.marked_errors import MarksKind, TextMarks
from ...state.pages import PageState

#: The views of a comparison by the names that links use.
VIEWS = {"difference": "Difference", "edits": "Edits", "whatif": "What if", "words": "Words", "all": "All systems"}
WHATIF = -1  # stands among the systems' positions for the changed text
EFFECTS_MOST = 1_000_000  # changes of one word of an output
STEPS_MOST = 1_000  # from one score to another
EDITS_MOST = 10_000  # rows of edits from one output to another
#: By which metric edits are sorted, what makes it better first, or after "-" what makes it worse.
SORTED = (*metrics.METRICS, *[f"-{key}" for key in metrics.METRICS])
CHANGES_MOST = 1_000_000  # cells that are not the same in both outputs
_NUMBERED = re.compile(r"(system|name)\.([1-9][0-9]*)")


class SystemsKind(FieldKind):
    """Two to eight pairs of name and text, or none: `system.1` … are the texts, `name.1` … the names if given."""

    plain = False

    def owns(self, name: str, parameter: str) -> bool:
        return _NUMBERED.fullmatch(parameter) is not None

    def tells(self, name: str, parameter: str) -> bool:
        return bool((numbered := _NUMBERED.fullmatch(parameter)) and numbered[1] == "system")

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


class Sides(FieldKind):
    """The positions of A and B among the systems, from 0; a link names them by the numbers of its systems: `1-2`."""

    plain = False

    def write(self, name: str, value: tuple[int, int]) -> dict[str, str]:
        return {name: f"{value[0] + 1}-{value[1] + 1}"}

    def read(self, name: str, query: Mapping[str, str], default: Any, problems: list[str]) -> tuple[int, int]:
        fallback: tuple[int, int] = default
        if name not in query:
            return fallback
        numbers = _numbers(query)
        if not numbers:
            problems.append(codec.not_used(name, "the link has no systems to compare"))
            return fallback
        if len(numbers) == 1:
            numbers.append(numbers[0] + 1)  # the one that is left empty
        slots = {str(number): slot for slot, number in enumerate(numbers)}
        a, _, b = query[name].partition("-")
        if a in slots and b in slots and a != b:
            return slots[a], slots[b]
        why = "sides must be the numbers of two different systems, such as 1-2, "
        problems.append(codec.not_used(name, f"{why}got {query[name]!r:.{codec.SHOWN}}"))
        return fallback


class Slot(FieldKind):
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


@dataclass(frozen=True, kw_only=True)
class CompareState(PageState):
    """Two to eight systems as pairs of name and text, or none, where the page takes what it finds; `sides` says which
    of them are A and B (two different positions, from 0), and `compare` is one of VIEWS.

    `whatif` is the changed text of the system `whatif_of` (None: there is none), `output` the one whose words are
    examined (None: A; WHATIF: the changed text) and `effect` the chosen change of one of them, from 0; `words` says
    which changes are listed, in which `order`. With `best` the best system comes first. `step` is the chosen step from
    A to B, from 0, and `change`, of a long comparison, the change around which its part is shown, from 0. `edit` is the
    chosen row of the edits from A to B, from 0, which are sorted `by` one of SORTED ("": as in the texts) and shown by
    `every` metric, or by the chosen one and three others. `reference` is the one whose grid is open, from 0 (None: the
    one that matters most, to the step if one is chosen), and with `rows` those are shown that else would be folded.
    Words and cells of the fates that are `off` are not shown as such.
    `source` is what was translated, where it is known; it is shown, and scored by nothing. With `wordless` an output
    without words is one of a system that gave up, and not still to be typed. `past` are former what-if texts, each with
    the position of its system.
    """

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
    sides: tuple[int, int] = url_field((0, 1), Sides())
    compare: str = url_field("difference", OneOf(VIEWS), key="compare_view", widget=True)
    whatif: str = url_field("", of="texts", widget=True)
    whatif_of: int | None = url_field(None, Slot(), "whatif.of", of="texts")
    output: int | None = url_field(None, Slot("whatif"), of="look")
    effect: int | None = url_field(None, Whole(0, EFFECTS_MOST - 1), of="look")
    words: str = url_field("all", OneOf(SHOWN), key="attribution_show", of="look", widget=True)
    order: str = url_field("helps", OneOf(ORDERS), key="attribution_order", of="look", widget=True)
    best: bool = url_field(False, OnOff(), key="systems_best_first", of="look", widget=True)
    step: int | None = url_field(None, Whole(0, STEPS_MOST - 1), of="look")
    change: int | None = url_field(None, Whole(0, CHANGES_MOST - 1), of="look")
    edit: int | None = url_field(None, Whole(0, EDITS_MOST - 1), of="look")
    by: str = url_field("", OneOf(SORTED), "sorted", "edits_by", of="look")
    every: bool = url_field(False, OnOff(), key="edits_every", of="look")
    reference: int | None = url_field(None, Whole(0, MAX_REFERENCES - 1), "grid", "grid_reference", of="look")
    rows: bool = url_field(False, OnOff(), key="all_rows", of="look")
    off: tuple[str, ...] = url_field((), SomeOf(FATES), key="fates_off", of="look")

    past: tuple[tuple[int, str], ...] = session_field((), "whatif_past")

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [name for name, _ in self.systems]

    @property
    def typed_texts(self) -> tuple[object, ...]:
        """What the texts that stand above the views are read from, and which of them stand there."""
        return self.systems, self.sides, self.references, self.text, self.source, self.marked

    @property
    def compared(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The names and the texts of what is compared: A and B, or in the view of changes to a text that text and the
        changed one."""
        if self.compare == "whatif" and self.whatif_of is not None:
            return self.systems[self.whatif_of], ("What if", self.whatif)
        a, b = self.sides
        return self.systems[a], self.systems[b]

    @property
    def comparison_of(self) -> tuple[object, ...]:
        """What the steps that are shown follow from."""
        return (*self.compared, self.references, self.text, self.metric, self.settings_of(self.metric))

    @property
    def edits_of(self) -> tuple[object, ...]:
        """What the edits that are shown follow from."""
        return (*self.compared, self.text)

    @classmethod
    def owns_unnamed(cls, query: Mapping[str, str]) -> bool:
        return bool(_numbers(query))
