"""The Compare page: two outputs over the same references, and everything that changed from one to the other."""

from pathlib import Path

from ...state.inputs import SYSTEMS_MOST
from ...state.pages import Aside, Page
from . import chosen, editing, entering, slots
from .record import Compare

PAGE = Page(
    title="Compare",
    script="viz/pages/compare/page.py",
    record=Compare,
    read=chosen.read,
    put=slots.put_record,
    keys=tuple(key(slot) for slot in range(SYSTEMS_MOST) for key in (slots.name_key, slots.text_key)),
    enter=entering.enter,
    restored=entering.restored,
    held=entering.held,
    asides=(Aside("past", editing.past, editing.take_past),),
    style=Path(__file__).with_name("page.css").read_text(encoding="utf-8"),
    about="shows why one translation scores better than another: every step from one score to the other leads to "
    "the words that made it.",
    used="these outputs were compared",
)
