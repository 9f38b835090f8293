"""The Learn page: one chapter for each family of metrics; a screen asks a question before it shows the answer."""

from pathlib import Path

from ...draw.learn import lesson
from ...draw.pen.stylesheets import read_sheets
from ...state.links.pages import Page
from . import chapter_files, lessons
from .record import LearnState

PAGE = Page(
    title="Learn",
    script="viz/pages/learn/page.py",
    record=LearnState,
    read=lessons.read,
    store=lessons.store_state,
    reload_state=lessons.reload_state,
    ready=chapter_files.shelf,
    explain=lessons.state_from_sentence,
    has_own_texts=True,
    key_groups=("chapter", "sentences", "moving", "player", "question", "evidence"),
    style=lesson.STYLE + read_sheets(Path(__file__).parent, "page"),
)
