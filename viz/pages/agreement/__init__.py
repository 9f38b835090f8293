"""The Agreement page: how well metrics agree with people, and where they do not."""

from pathlib import Path

from ...draw.agreement import coefficients, results
from ...draw.corpus import axes, rows
from ...state.pages import Aside, Page
from . import held, workspace
from .record import Agreement

PAGE = Page(
    title="Agreement",
    script="viz/pages/agreement/page.py",
    record=Agreement,
    asides=(Aside("agreement", held.name, held.take),),
    give=workspace.give,
    take=workspace.take,
    style=Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    + coefficients.RULES
    + results.RULES
    + axes.RULES
    + rows.RULES,
    about="shows how well metrics agree with what people said of several systems' outputs, where they do not, and the "
    "sentences that show it.",
    used="this corpus was scored",
)
