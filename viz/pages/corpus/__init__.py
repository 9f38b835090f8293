"""The Corpus page: two systems over thousands of segments, which is better, why, and which segments made it so."""

from pathlib import Path

from ...draw.corpus import axes, cards, rows, sought, story
from ...state.pages import Aside, Page
from . import held, workspace
from .record import Corpus

PAGE = Page(
    title="Corpus",
    script="viz/pages/corpus/page.py",
    record=Corpus,
    asides=(Aside("corpus", held.name, held.take),),
    give=workspace.give,
    take=workspace.take,
    style="".join(
        [
            Path(__file__).with_name("page.css").read_text("utf-8"),
            axes.RULES,
            rows.RULES,
            story.RULES,
            cards.RULES,
            sought.RULES,
        ]
    ),
    about="shows which of two systems is better on all segments of a test set, whether that is more than chance, and "
    "which segments made it so.",
    used="this corpus was scored",
)
