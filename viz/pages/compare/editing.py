"""What a user does to the systems of the Compare page, and to a copy of one text: the what-if.

Where texts take the place of others, those are remembered as a load of their own: going back brings them back. The
what-if text is `whatif`, copied from slot `whatif_of` (None while there is none); `whatif_past` are former ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import streamlit as st

from ...state import codec, inputs, session
from ...state.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST
from . import slots
from .examples import PAIRS
from .record import default_name

PAST_MOST = 100  # former what-if texts that can be brought back
PAST_KEPT = 20  # those that outlive a reload


Systems = tuple[tuple[str, str], ...]


class Pasted(NamedTuple):
    """Pasted lines that can be read in two ways: the systems, the sides and whether wordless outputs were meant before
    they were added, the systems of each reading, the number of the one that is taken, and all systems since."""

    before: tuple[Systems, tuple[int, int], bool]
    readings: tuple[Systems, Systems]
    now: int
    after: Systems


def swap() -> None:
    """A and B change places, texts and given names; a slot's letter stays."""
    order = list(slots.used())
    a, b = slots.sides()
    if max(a, b) >= len(order):  # one was removed by the same message
        return
    order[a], order[b] = order[b], order[a]
    session.leave()
    slots.move(order, [slots.own_name(slot) for slot in order])


def add_system(name: str = "", text: str = "") -> int | None:
    """Add a system; its slot, or None if eight are there already."""
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
    """Add systems, pairs of name and text, and return those that do not fit. An untouched example gives way to two or
    more; otherwise systems that have neither name nor text are filled first."""
    session.leave()
    if len(given) >= SYSTEMS_LEAST and any(pair.systems == slots.systems() for pair in PAIRS):
        slots.put_all(given[:SYSTEMS_MOST])
        _mean(given)
        return list(given[SYSTEMS_MOST:])
    _mean(given)
    systems = enumerate(slots.systems())
    free = [slot for slot, (name, text) in systems if not text.strip() and name == default_name(slot)]
    left_over = []
    for name, text in given:
        if free:
            slots.write_slot(free.pop(0), name, text)
        elif add_system(name, text) is None:
            left_over.append((name, text))
    return left_over


def _mean(given: Sequence[tuple[str, str]]) -> None:
    """Take an output of no words among those that are given for one, and not for one that is still to come."""
    if not all(text for _, text in given):
        mean_wordless()


def mean_wordless() -> None:
    """Take outputs that have no words for those of systems that gave up."""
    st.session_state.wordless = True


def read_pasted(text: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Add the systems of pasted lines, and return them and those that do not fit. Where some lines rather go on with
    the text of the one before, they can be read so afterwards (`other_reading`)."""
    given, joined_systems = inputs.pasted(text), inputs.suggest_joined_systems(text)
    before = slots.systems(), slots.sides(), st.session_state.get("wordless", False)
    left_over = add_systems(given)
    readings = (tuple(given), tuple(joined_systems)) if joined_systems and not left_over else None
    st.session_state.pasted = Pasted(before, readings, 0, slots.systems()) if readings else None
    return given, left_over


def other_reading() -> tuple[int, int] | None:
    """How many systems pasted lines were read as, and how many their other reading has; None where they have none or
    the systems have changed since."""
    pasted: Pasted | None = st.session_state.get("pasted")
    if pasted is None or pasted.after != slots.systems():
        return None
    return len(pasted.readings[pasted.now]), len(pasted.readings[1 - pasted.now])


def read_otherwise() -> None:
    """Put the systems as they were before lines were pasted, and add those of the other reading."""
    pasted: Pasted = st.session_state.pasted
    (systems, sides, wordless), now = pasted.before, 1 - pasted.now
    session.leave()
    slots.put_all(systems, sides)
    st.session_state.wordless = wordless
    add_systems(pasted.readings[now])
    st.session_state.pasted = pasted._replace(now=now, after=slots.systems())


def take_as_systems(given: Sequence[tuple[str, str]], slot: int | None) -> None:
    """Take the lines of one output for outputs of systems, and open their comparison: in the place of the system whose
    text they were, or of all systems where they were the candidate (`slot` is None)."""
    state = st.session_state
    session.leave()
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
    """Cut a name that was just typed to what fits, and say so."""
    state = st.session_state
    if len(name := state.get(slots.name_key(slot)) or "") > NAME_MOST:
        state[slots.name_key(slot)] = name[:NAME_MOST]
        state.problems = [f"The name was cut to {NAME_MOST} characters, the most that fit: {name[:NAME_MOST]}"]


def remove_system(slot: int) -> None:
    """Remove a system unless only two are left; later ones move up and keep their names. If it was A or B, the first
    free one takes over."""
    state = st.session_state
    if state.systems <= SYSTEMS_LEAST or slot not in slots.used():
        return
    order = [s for s in slots.used() if s != slot]
    a, b = slots.sides()
    a = a if a != slot else next(s for s in order if s != b)
    b = b if b != slot else next(s for s in order if s != a)
    names = [slots.systems()[s][0] for s in order]
    session.leave()
    state.side_a, state.side_b = order.index(a), order.index(b)
    slots.move(order, names)


def pick(a: int, b: int) -> None:
    """Choose the slots of A and B. Where both are the same, the one that was not changed takes the other's old slot."""
    assert a in slots.used() and b in slots.used()
    was_a, was_b = slots.sides()
    if a == b:
        a, b = (a, was_a) if a != was_a else (was_b, b)
    st.session_state.side_a, st.session_state.side_b = a, b


# ---------------------------------------------------------------- what if


def start_whatif(slot: int) -> None:
    """Take a fresh copy of a system's text to change; the text before can be brought back."""
    state = st.session_state
    text = state.get(slots.text_key(slot)) or ""
    if state.whatif_of is not None and (state.whatif_of, state.whatif_now) != (slot, text):
        _remember()
    state.whatif_of, state.whatif, state.whatif_now = slot, text, text


def edit_whatif(text: str) -> None:
    """Change the what-if text; the text before can be brought back. For a button, and for what was typed into the text
    area `whatif` (then its value is there already and is not written)."""
    state = st.session_state
    if text == state.whatif_now:
        return
    _remember()
    state.whatif_now = text
    if state.get("whatif") != text:
        state.whatif = text


def use_whatif() -> None:
    """Make the what-if text the text of B, and show what changes from A to it."""
    state = st.session_state
    session.leave()
    state[slots.text_key(slots.sides()[1])] = state.whatif or ""
    state.compare_view = "difference"


def undo_whatif() -> None:
    """Bring back the what-if text before the last change, if there was one."""
    state = st.session_state
    if state.whatif_past:
        *past, (state.whatif_of, state.whatif) = state.whatif_past
        state.whatif_now, state.whatif_past = state.whatif, tuple(past)


def _remember() -> None:
    state = st.session_state
    state.whatif_past = (*state.whatif_past, (state.whatif_of, state.whatif_now))[-PAST_MOST:]


def past() -> list[tuple[int, str]]:
    """The former what-if texts that are kept for a reload, each with the slot of its system."""
    return list(st.session_state.get("whatif_past") or ())[-PAST_KEPT:]


def take_past(stored_texts: object) -> None:
    """Take the former what-if texts that were kept; what is no list of them changes nothing."""
    state = st.session_state
    if isinstance(stored_texts, list) and all(map(_is_former, stored_texts)) and state.get("whatif_of") is not None:
        state.whatif_past = tuple([(of, codec.sendable(text)) for of, text in stored_texts])


def _is_former(entry: Any) -> bool:
    """Whether this is the slot of a system and a text that was made of its own."""
    return (
        isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], int)
        and entry[0] in slots.used()
        and isinstance(entry[1], str)
    )
