"""The Learn page: a chapter for each family of metrics, which asks before it shows."""

from pathlib import Path

from ...draw.learn import lesson
from ...state.pages import Page
from . import chapter_files, lessons
from .record import Learn

PAGE = Page(
    title="Learn",
    script="viz/pages/learn/page.py",
    record=Learn,
    read=lessons.read,
    put=lessons.put,
    held=lessons.held,
    ready=chapter_files.shelf,
    apart=True,
    style=lesson.STYLE + Path(__file__).with_name("page.css").read_text(encoding="utf-8"),
)
