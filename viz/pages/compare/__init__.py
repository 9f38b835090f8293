"""Define the Compare page: two outputs with the same references, and everything that changed from one to the other."""

from pathlib import Path

from ...draw.pen.stylesheets import read_sheets
from ...frame import slots
from ...state.links.pages import Aside, Page
from ...state.texts.inputs import SYSTEMS_MOST
from . import editing, opening_state, session_choices
from .record import CompareState

PAGE = Page(
    title="Compare",
    script="viz/pages/compare/page.py",
    record=CompareState,
    read=session_choices.read,
    store=session_choices.put_record,
    keys=tuple(key(slot) for slot in range(SYSTEMS_MOST) for key in (slots.name_key, slots.text_key)),
    enter=opening_state.enter,
    after_restore=opening_state.restored,
    reload_state=opening_state.reload_state,
    asides=(Aside("past", editing.former_whatif_texts, editing.restore_former_whatif_texts),),
    show_outputs=opening_state.state_of_outputs,
    style=read_sheets(Path(__file__).parent, "page"),
    key_groups=("strip", "evidence", "score_table", "word_worth"),
    about="shows why one translation scores better than another: every step from one score to the other leads to "
    "the words that made it.",
    used="these outputs were compared",
)
