"""Change the systems of the Compare page, and the what-if text, which is an editable copy of a system's text.

Systems are held in numbered slots, see `frame/slots.py`. Where texts are replaced, the former ones are remembered as a
step of the browser's history, so that going back restores them. In the session, `whatif` is the what-if text, copied
from slot `whatif_of` (None if there is none), and `whatif_past` has its former versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from ...frame import lines, slots
from ...frame.examples import PAIRS
from ...state.links import codec
from ...state.links.pages import Outputs
from ...state.texts import inputs
from ...state.texts.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST, default_name
from ...state.visit import session
from .record import WHATIF

PAST_MOST = 100  # former what-if texts that Undo can restore
PAST_KEPT = 20  # former what-if texts that are kept through a reload


Systems = tuple[tuple[str, str], ...]


class PastedSystems(NamedTuple):
    """Pasted lines that can be read in two ways: a system per line, or with some lines joined to the line before.

    Attributes:
        before: the systems, the slots of A and B, and whether outputs without words were intended, before the lines
            were added.
        readings: the systems, as pairs of name and text, in each reading.
        now: the index of the reading in use.
        after: all systems after that reading was added."""

    before: tuple[Systems, tuple[int, int], bool]
    readings: tuple[Systems, Systems]
    now: int
    after: Systems


def swap_a_and_b() -> None:
    """Exchange the systems A and B, texts and given names; a callback.

    The default letters stay with the slots."""
    order = list(slots.slots_in_use())
    a, b = slots.slots_of_a_and_b()
    if max(a, b) >= len(order):  # the browser's same message removed one of the two
        return
    order[a], order[b] = order[b], order[a]
    session.keep_texts_of_load()
    reorder_systems(order, [slots.given_name(slot) for slot in order])


def add_system(name: str = "", text: str = "") -> int | None:
    """Add a system in the next free slot, and return the slot; None if there are eight systems already.

    Without a `name` it is called by the first free letter."""
    state = st.session_state
    slot: int = state.systems
    if slot == SYSTEMS_MOST:
        return None
    used_names = {other for other, _ in slots.systems()}
    free = (letter for letter in map(default_name, range(SYSTEMS_MOST + 1)) if letter not in used_names)
    slots.write_slot(slot, name or (default_name(slot) if default_name(slot) not in used_names else next(free)), text)
    state.systems = slot + 1
    return slot


def add_systems(given: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Add systems, given as pairs of name and text, and return those that do not fit.

    Two or more systems replace an untouched example. Otherwise they first fill slots that have neither name nor
    text."""
    session.keep_texts_of_load()
    if len(given) >= SYSTEMS_LEAST and any(pair.systems == slots.systems() for pair in PAIRS):
        slots.replace_systems(given[:SYSTEMS_MOST])
        _accept_empty_outputs(given)
        return list(given[SYSTEMS_MOST:])
    _accept_empty_outputs(given)
    systems = enumerate(slots.systems())
    free = [slot for slot, (name, text) in systems if not text.strip() and name == default_name(slot)]
    left_over = []
    for name, text in given:
        if free:
            slots.write_slot(free.pop(0), name, text)
        elif add_system(name, text) is None:
            left_over.append((name, text))
    return left_over


def _accept_empty_outputs(given: Sequence[tuple[str, str]]) -> None:
    """Store that outputs without words are intended if one of the given systems has no text."""
    if not all(text for _, text in given):
        accept_empty_outputs()


def accept_empty_outputs() -> None:
    """Store that outputs without words are intended, rather than not typed yet.

    A system may have failed to translate."""
    st.session_state.wordless = True


def add_pasted_systems(text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Add the systems in pasted lines; return all that were read, and those that do not fit, as pairs of name and text.

    Where some lines seem to continue the text of the line before, a reading with these lines joined is kept, which
    `use_other_reading` puts in its place."""
    given, joined_systems = inputs.pasted_systems(text), inputs.suggest_joined_systems(text)
    before = slots.systems(), slots.slots_of_a_and_b(), st.session_state.get("wordless", False)
    left_over = add_systems(given)
    readings = (tuple(given), tuple(joined_systems)) if joined_systems and not left_over else None
    st.session_state.pasted = PastedSystems(before, readings, 0, slots.systems()) if readings else None
    return given, left_over


def reading_system_counts() -> tuple[int, int] | None:
    """Return the number of systems that the pasted lines were read as, and the number in their other reading.

    None if they have no other reading, or if the systems have changed since they were pasted."""
    pasted: PastedSystems | None = st.session_state.get("pasted")
    if pasted is None or pasted.after != slots.systems():
        return None
    return len(pasted.readings[pasted.now]), len(pasted.readings[1 - pasted.now])


def use_other_reading() -> None:
    """Replace the systems that the pasted lines were read as by those of their other reading; a callback."""
    pasted: PastedSystems = st.session_state.pasted
    (systems, sides, wordless), now = pasted.before, 1 - pasted.now
    session.keep_texts_of_load()
    slots.replace_systems(systems, sides)
    st.session_state.wordless = wordless
    add_systems(pasted.readings[now])
    st.session_state.pasted = pasted._replace(now=now, after=slots.systems())


def take_as_systems(given: Outputs, slot: int) -> None:
    """Make each line of the output in `slot` a system, and open the comparison of all systems; a callback.

    `given` has the name and the text of each new system."""
    state = st.session_state
    session.keep_texts_of_load()
    slots.write_slot(slot, *given[0])
    if rest := add_systems(given[1:]):
        state.problems = [lines.too_many_message(len(rest))]
    state.compare_view = "all"


def cut_name(slot: int) -> None:
    """Cut the name that was just typed for the system in `slot` to NAME_MOST letters, and say so; a callback."""
    state = st.session_state
    if len(name := state.get(slots.name_key(slot)) or "") > NAME_MOST:
        state[slots.name_key(slot)] = name[:NAME_MOST]
        state.problems = [f"The name was cut to {NAME_MOST} characters, the most that fit: {name[:NAME_MOST]}"]


def remove_system(slot: int) -> None:
    """Remove the system in `slot`, unless only two are left; a callback.

    Later systems move up and keep their names. If it was A or B, the first system that is neither takes its place."""
    state = st.session_state
    if state.systems <= SYSTEMS_LEAST or slot not in slots.slots_in_use():
        return
    order = [s for s in slots.slots_in_use() if s != slot]
    a, b = slots.slots_of_a_and_b()
    a = a if a != slot else next(s for s in order if s != b)
    b = b if b != slot else next(s for s in order if s != a)
    names = [slots.systems()[s][0] for s in order]
    session.keep_texts_of_load()
    state.side_a, state.side_b = order.index(a), order.index(b)
    reorder_systems(order, names)


def set_a_and_b(a: int, b: int) -> None:
    """Make the systems in slots `a` and `b` A and B; a callback.

    If both are the same slot, the visitor has chosen B's system as A, or A's as B: then A and B are exchanged."""
    assert a in slots.slots_in_use() and b in slots.slots_in_use()
    was_a, was_b = slots.slots_of_a_and_b()
    if a == b:
        a, b = (a, was_a) if a != was_a else (was_b, b)
    st.session_state.side_a, st.session_state.side_b = a, b


# ---------------------------------------------------------------- what if


def start_whatif(slot: int) -> None:
    """Make the what-if text a copy of the text in `slot`; Undo restores the former what-if text."""
    state = st.session_state
    text = state.get(slots.text_key(slot)) or ""
    if state.whatif_of is not None and (state.whatif_of, state.whatif_now) != (slot, text):
        _store_former_whatif()
    state.whatif_of, state.whatif, state.whatif_now = slot, text, text


def edit_whatif(text: str) -> None:
    """Change the what-if text to `text`; Undo restores the former one.

    Buttons call this, and so does the text area `whatif` after typing, which has set its value already."""
    state = st.session_state
    if text == state.whatif_now:
        return
    _store_former_whatif()
    state.whatif_now = text
    if state.get("whatif") != text:
        state.whatif = text


def use_whatif() -> None:
    """Replace the text of B by the what-if text, and show its difference from A."""
    state = st.session_state
    session.keep_texts_of_load()
    state[slots.text_key(slots.slots_of_a_and_b()[1])] = state.whatif or ""
    state.compare_view = "difference"


def undo_whatif() -> None:
    """Restore the what-if text from before the last change, if there was a change."""
    state = st.session_state
    if state.whatif_past:
        *past, (state.whatif_of, state.whatif) = state.whatif_past
        state.whatif_now, state.whatif_past = state.whatif, tuple(past)


def _store_former_whatif() -> None:
    """Add the present what-if text to its former versions."""
    state = st.session_state
    state.whatif_past = (*state.whatif_past, (state.whatif_of, state.whatif_now))[-PAST_MOST:]


def former_whatif_texts() -> list[tuple[int, str]]:
    """Return the former what-if texts to keep for a reload, each after the slot of the system it was copied from."""
    return list(st.session_state.get("whatif_past") or ())[-PAST_KEPT:]


def restore_former_whatif_texts(stored_texts: object) -> None:
    """Restore the former what-if texts that the browser kept, after a reload.

    A value that is not a list of pairs of slot and text is ignored."""
    state = st.session_state
    if (
        isinstance(stored_texts, list)
        and all(map(_is_slot_with_text, stored_texts))
        and state.get("whatif_of") is not None
    ):
        state.whatif_past = tuple([(of, codec.replace_surrogates(text)) for of, text in stored_texts])


def _is_slot_with_text(entry: Any) -> bool:
    """Return whether `entry` is a former what-if text: a pair of a slot in use and a text."""
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], int)
        and entry[0] in slots.slots_in_use()
        and isinstance(entry[1], str)
    )


def reorder_systems(order: Sequence[int], names: Sequence[str]) -> None:
    """Reorder the systems: slot n gets the system that was in order[n].

    Systems that are not in `order` are removed; their what-if texts then belong to A. `names` are the names in the new
    order."""
    state = st.session_state
    moved = [(name, state.get(slots.text_key(slot)) or "") for name, slot in zip(names, order, strict=True)]
    for slot in slots.slots_in_use():
        slots.write_slot(slot, *(moved[slot] if slot < len(moved) else ("", "")))
    state.systems = len(moved)
    place = {old: new for new, old in enumerate(order)}
    if state.whatif_of is not None:
        state.whatif_of = place.get(state.whatif_of, state.side_a)
    if state.get("output") != WHATIF:
        state.output = place.get(state.get("output", -1))
    state.whatif_past = tuple([(place.get(of, state.side_a), text) for of, text in state.whatif_past])
