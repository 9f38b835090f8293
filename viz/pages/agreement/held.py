"""The judged corpus of a visitor: which one it is, and how a tab finds it again."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ...draw.texts import Texts
from ...frame import outputs
from ...state.inputs import Kind, Missing
from . import agreeing
from .agreeing import Agreeing
from .record import Agreement

LOST = "The server has begun anew and has this corpus no longer: choose its files again. Settings are as they were."
UNREFERRED = Missing(Kind.REFERENCE, "There is no reference, so that no metric can be scored.")


def corpus() -> Agreeing | None:
    """The visitor's corpus, None where there is none."""
    found: Agreeing | None = st.session_state.get("agreement")
    return found


def begin(found: Agreeing) -> None:
    """Score a corpus, in the place of the former one."""
    drop()
    st.session_state.update(agreement=agreeing.add(found), agreement_lost=False)
    forget_choice()
    found.start()


def forget_choice() -> None:
    """Look at no output in particular."""
    st.session_state.update(agreement_system=None, agreement_segment=None, agreement_other=None, agreement_choice="")


def look_at(shown: Agreement) -> None:
    """Look at the output that a record names."""
    st.session_state.update(
        agreement_system=shown.system,
        agreement_segment=shown.segment,
        agreement_other=shown.other,
        agreement_choice=shown.choice,
    )


def drop() -> None:
    """Forget the corpus."""
    if former := st.session_state.pop("agreement", None):
        former.stop()


def name() -> str | None:
    """What the tab keeps for a reload."""
    found = corpus()
    return found.name if found else None


def take(kept: object) -> None:
    """Find what the tab had before it was loaded again."""
    if not isinstance(kept, str) or corpus():
        return
    if found := agreeing.named(kept):
        st.session_state.agreement = found
        st.session_state.whole_page = True
    else:
        st.session_state.agreement_lost = True


def texts(found: Agreeing, system: int, segment: int) -> Texts | Missing:
    """An output, ready to be drawn."""
    if not found.material.references:
        return UNREFERRED
    return outputs.texts(found.material, found.text, found.systems[system], segment, found.judged)


def both(found: Agreeing, systems: tuple[int, int], segment: int) -> list[Texts] | Missing:
    """Two outputs of a segment, ready to be drawn."""
    if not found.material.references:
        return UNREFERRED
    one, other = (found.systems[n] for n in systems)
    return outputs.both(found.material, found.text, (one, other), segment, found.judged)


def alone(found: Agreeing, systems: Sequence[int], segment: int) -> list[tuple[str, Texts]]:
    """Outputs of a segment, by their systems' names, without its references."""
    return outputs.alone(found.material, found.text, [found.systems[n] for n in systems], segment, found.judged)
