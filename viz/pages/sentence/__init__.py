"""The Sentence page: one candidate, its references, and for every metric the cells that made its score."""

from ...state.pages import Page
from . import entering, look
from .record import Sentence

PAGE = Page(
    title="Sentence",
    script="viz/pages/sentence/page.py",
    record=Sentence,
    read=look.read,
    enter=entering.enter,
    restored=entering.restored,
    held=entering.held,
    ready=entering.ready,
    about="shows why a metric gave a translation its score: every number leads to the words that made it.",
    used="this candidate was scored",
)
