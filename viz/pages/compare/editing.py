"""Change the systems of the Compare page, and an edited copy of one text: the what-if text.

Where texts are replaced, the former ones are remembered as a step of the browser's history, so that going back restores
them. In the session, `whatif` is the what-if text, copied from slot `whatif_of` (None if there is none), and
`whatif_past` has its former versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from ...state import codec, inputs, session
from ...state.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST
from . import slots
from .examples import PAIRS
from .record import default_name

PAST_MOST = 100  # former what-if texts that Undo can restore
PAST_KEPT = 20  # former what-if texts that are kept through a reload


Systems = tuple[tuple[str, str], ...]


class Pasted(NamedTuple):
    """Pasted lines that can be read in two ways.

    Attributes:
        before: the systems, the slots of A and B and whether wordless outputs were intended, before the lines were
            added.
        readings: the systems of each reading.
        now: the index of the reading in use.
        after: all systems after that reading was added."""

    before: tuple[Systems, tuple[int, int], bool]
    readings: tuple[Systems, Systems]
    now: int
    after: Systems


def swap() -> None:
    """Exchange A and B with texts and given names, in a callback; the default letters stay with the slots."""
    order = list(slots.used())
    a, b = slots.sides()
    if max(a, b) >= len(order):  # the browser's same message removed one of the two
        return
    order[a], order[b] = order[b], order[a]
    session.keep_texts_of_load()
    slots.move(order, [slots.own_name(slot) for slot in order])


def add_system(name: str = "", text: str = "") -> int | None:
    """Add a system, and return its slot; return None if there are eight already."""
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
    """Add systems, pairs of name and text, and return those that do not fit.

    Two or more systems replace an untouched example. Otherwise they first fill slots that have neither name nor
    text."""
    session.keep_texts_of_load()
    if len(given) >= SYSTEMS_LEAST and any(pair.systems == slots.systems() for pair in PAIRS):
        slots.put_all(given[:SYSTEMS_MOST])
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
    """Accept empty outputs as intended if one of the given systems has no text."""
    if not all(text for _, text in given):
        accept_wordless()


def accept_wordless() -> None:
    """Accept that outputs without words are intended, as those of systems that failed to translate."""
    st.session_state.wordless = True


def read_pasted(text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Add the systems in pasted lines; return all that were read, and those that do not fit.

    Where some lines rather continue the text of the line before, the other reading is kept for `other_reading`."""
    given, joined_systems = inputs.pasted_systems(text), inputs.suggest_joined_systems(text)
    before = slots.systems(), slots.sides(), st.session_state.get("wordless", False)
    left_over = add_systems(given)
    readings = (tuple(given), tuple(joined_systems)) if joined_systems and not left_over else None
    st.session_state.pasted = Pasted(before, readings, 0, slots.systems()) if readings else None
    return given, left_over


def other_reading() -> tuple[int, int] | None:
    """Return how many systems the pasted lines were read as, and how many their other reading has.

    None if they have no other reading or the systems have changed since."""
    pasted: Pasted | None = st.session_state.get("pasted")
    if pasted is None or pasted.after != slots.systems():
        return None
    return len(pasted.readings[pasted.now]), len(pasted.readings[1 - pasted.now])


def use_other_reading() -> None:
    """Replace the reading of the pasted lines by their other reading, in a callback."""
    pasted: Pasted = st.session_state.pasted
    (systems, sides, wordless), now = pasted.before, 1 - pasted.now
    session.keep_texts_of_load()
    slots.put_all(systems, sides)
    st.session_state.wordless = wordless
    add_systems(pasted.readings[now])
    st.session_state.pasted = pasted._replace(now=now, after=slots.systems())


def take_as_systems(given: Sequence[tuple[str, str]], slot: int | None) -> None:
    """Make each line of an output a system, and open the comparison of all systems, in a callback.

    They replace the system in `slot`, or, for the candidate of the Sentence page (`slot` is None), all systems."""
    state = st.session_state
    session.keep_texts_of_load()
    if slot is None:
        state.candidate = given[0][1]
        slots.put_all(given[:SYSTEMS_MOST])
        rest = list(given[SYSTEMS_MOST:])
    else:
        slots.write_slot(slot, *given[0])
        rest = add_systems(given[1:])
    if rest:
        state.problems = [f"{SYSTEMS_MOST} systems are the most, so {len(rest)} of the lines are left out."]
    state.compare_view, state.wanted = "all", "compare"


def cut_name(slot: int) -> None:
    """Cut a name that was just typed to the longest length allowed and say so, in a callback."""
    state = st.session_state
    if len(name := state.get(slots.name_key(slot)) or "") > NAME_MOST:
        state[slots.name_key(slot)] = name[:NAME_MOST]
        state.problems = [f"The name was cut to {NAME_MOST} characters, the most that fit: {name[:NAME_MOST]}"]


def remove_system(slot: int) -> None:
    """Remove a system unless only two are left, in a callback.

    Later systems move up and keep their names. If it was A or B, the first system that is neither replaces it."""
    state = st.session_state
    if state.systems <= SYSTEMS_LEAST or slot not in slots.used():
        return
    order = [s for s in slots.used() if s != slot]
    a, b = slots.sides()
    a = a if a != slot else next(s for s in order if s != b)
    b = b if b != slot else next(s for s in order if s != a)
    names = [slots.systems()[s][0] for s in order]
    session.keep_texts_of_load()
    state.side_a, state.side_b = order.index(a), order.index(b)
    slots.move(order, names)


def pick(a: int, b: int) -> None:
    """Set the slots of A and B, in a callback.

    If both are the same, the one that did not change gets the other's old slot."""
    assert a in slots.used() and b in slots.used()
    was_a, was_b = slots.sides()
    if a == b:
        a, b = (a, was_a) if a != was_a else (was_b, b)
    st.session_state.side_a, st.session_state.side_b = a, b


# ---------------------------------------------------------------- what if


def start_whatif(slot: int) -> None:
    """Start a what-if text as a copy of a system's text; Undo restores the former one."""
    state = st.session_state
    text = state.get(slots.text_key(slot)) or ""
    if state.whatif_of is not None and (state.whatif_of, state.whatif_now) != (slot, text):
        _remember()
    state.whatif_of, state.whatif, state.whatif_now = slot, text, text


def edit_whatif(text: str) -> None:
    """Change the what-if text; Undo restores the former one.

    Used by buttons, and after typing into the text area `whatif`, whose value is then set already."""
    state = st.session_state
    if text == state.whatif_now:
        return
    _remember()
    state.whatif_now = text
    if state.get("whatif") != text:
        state.whatif = text


def use_whatif() -> None:
    """Make the what-if text the text of B, and show the difference from A."""
    state = st.session_state
    session.keep_texts_of_load()
    state[slots.text_key(slots.sides()[1])] = state.whatif or ""
    state.compare_view = "difference"


def undo_whatif() -> None:
    """Restore the what-if text from before the last change, if there was one."""
    state = st.session_state
    if state.whatif_past:
        *past, (state.whatif_of, state.whatif) = state.whatif_past
        state.whatif_now, state.whatif_past = state.whatif, tuple(past)


def _remember() -> None:
    """Add the what-if text to its former versions."""
    state = st.session_state
    state.whatif_past = (*state.whatif_past, (state.whatif_of, state.whatif_now))[-PAST_MOST:]


def past() -> list[tuple[int, str]]:
    """Return the former what-if texts to keep for a reload, each with the slot of its system."""
    return list(st.session_state.get("whatif_past") or ())[-PAST_KEPT:]


def take_past(stored_texts: object) -> None:
    """Restore the former what-if texts after a reload; ignore a value that is not a valid list of them."""
    state = st.session_state
    if isinstance(stored_texts, list) and all(map(_is_former, stored_texts)) and state.get("whatif_of") is not None:
        state.whatif_past = tuple([(of, codec.sendable(text)) for of, text in stored_texts])


def _is_former(entry: Any) -> bool:
    """Return whether `entry` is a pair of a system's slot and a text."""
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], int)
        and entry[0] in slots.used()
        and isinstance(entry[1], str)
    )
