"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from ...state.links.pages import Page
from . import look, opening_state
from .record import SentenceState

PAGE = Page(
    title="Sentence",
    script="viz/pages/sentence/page.py",
    record=SentenceState,
    read=look.read,
    enter=opening_state.enter,
    after_restore=opening_state.mark_as_restored,
    reload_state=opening_state.reload_state,
    ready=opening_state.ready,
    show_outputs=opening_state.state_of_output,
    key_groups=("strip", "evidence", "player", "question"),
    about="shows why a metric gave a translation its score: every number leads to the words that made it.",
    used="this candidate was scored",
)
