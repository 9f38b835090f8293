"""Define the Corpus page: which of two systems is better over thousands of segments, why, and which segments decide."""

from pathlib import Path

from ...draw.corpus import axes, cards, filter_highlights, rows, story
from ...draw.pen.stylesheets import read_sheets
from ...state.links.pages import Aside, Page
from . import visitor_corpus, workspace
from .record import CorpusState

PAGE = Page(
    title="Corpus",
    script="viz/pages/corpus/page.py",
    record=CorpusState,
    asides=(Aside("corpus", visitor_corpus.CORPORA.name, visitor_corpus.CORPORA.take),),
    give=workspace.give,
    take=workspace.take,
    style="".join(
        [
            read_sheets(Path(__file__).parent, "page"),
            axes.RULES,
            rows.RULES,
            story.RULES,
            cards.RULES,
            filter_highlights.RULES,
        ]
    ),
    key_groups=("strip", "segments", "points", "evidence"),
    about="shows which of two systems is better on all segments of a test set, whether that is more than chance, and "
    "which segments made it so.",
    used="this corpus was scored",
)
