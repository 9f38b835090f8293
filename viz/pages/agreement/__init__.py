"""Define the Agreement page, which shows how well metrics agree with people and where they do not."""

from pathlib import Path

from ...draw.agreement import coefficients, results
from ...draw.corpus import axes, rows
from ...draw.pen.stylesheets import read_sheets
from ...state.links.pages import Aside, Page
from . import visitor_corpus, workspace
from .record import AgreementState

PAGE = Page(
    title="Agreement",
    script="viz/pages/agreement/page.py",
    record=AgreementState,
    asides=(Aside("agreement", visitor_corpus.CORPORA.name, visitor_corpus.CORPORA.take),),
    give=workspace.give,
    take=workspace.take,
    style=read_sheets(Path(__file__).parent, "page") + coefficients.RULES + results.RULES + axes.RULES + rows.RULES,
    key_groups=("strip", "points", "segments", "evidence"),
    about="shows how well metrics agree with what people said of several systems' outputs, where they do not, and the "
    "sentences that show it.",
    used="this corpus was scored",
)
