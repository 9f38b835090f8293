"""A full room: many visitors at once on a server that has just started."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from conftest import free_port, start_app
from sessions import Answer, asked, session

VISITORS = 60


async def opened(port: int) -> Answer:
    async with session(port) as socket:
        return await asked(socket)


def test_sixty_visitors_at_once_on_a_fresh_server_see_sixty_pages():
    """Modules that are imported late are imported before anybody is served; many threads at a time would see them half
    made."""

    async def room() -> list[Answer]:
        return await asyncio.gather(*[opened(port) for _ in range(VISITORS)])

    port = free_port()
    app = start_app(port)
    try:
        answers = ThreadPoolExecutor(1).submit(lambda: asyncio.run(room())).result()  # playwright's loop may run here
    finally:
        app.terminate()
        app.wait(10)
    assert len(answers) == VISITORS
    for answer in answers:
        assert answer.errors == []
        assert any("England" in html and 'class="bitext' in html for html in answer.html)
        assert {"Candidate", "References, one per line"} <= set(answer.areas)
