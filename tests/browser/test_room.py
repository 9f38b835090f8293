"""Tests of a server with many visitors at once, right after its start, without a browser."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations

import pytest

from tests.helpers.app import served
from tests.helpers.sessions import Answer, run_page, session

pytestmark = pytest.mark.alone

VISITORS = 60


async def first_answer(port: int) -> Answer:
    async with session(port) as socket:
        return await run_page(socket)


def test_sixty_visitors_at_once_on_a_fresh_server_see_sixty_pages():
    """Check that sixty visitors at once on a server that has just started each get a whole page.

    The server imports modules that are otherwise imported late before it serves anybody. Otherwise many threads
    would see modules half initialised."""

    async def visit_at_once() -> list[Answer]:
        return await asyncio.gather(*[first_answer(app.port) for _ in range(VISITORS)])

    with served() as app:  # in a thread, because playwright's loop may run here
        answers = ThreadPoolExecutor(1).submit(lambda: asyncio.run(visit_at_once())).result()
    assert len(answers) == VISITORS
    for answer in answers:
        assert answer.errors == []
        assert any("England" in html and 'class="bitext' in html for html in answer.html)
        assert {"Candidate", "References, one per line"} <= set(answer.areas)


PAGES = (
    *("?page=sentence", "?page=sentence&view=steps", "?page=sentence&metric=sia", "compare?page=compare"),
    *("compare?page=compare&compare=whatif", "compare?page=compare&compare=words", "compare?page=compare&compare=all"),
    *[f"learn?page=learn&chapter={name}&screen={n}" for name in ("gtm", "lcs") for n in (1, 2, 3, 4)],
)


def test_what_is_sent_of_a_run_that_is_given_up_leaves_no_gap(app_url):
    """Check that the browser can place all messages after a run of the page that the server gives up for a newer run.

    Where the next run sends a fragment anew, Streamlit 1.67 drops the fragment's unsent messages. It keeps the
    placeholders for messages that the browser has cached, and the messages of fragments inside. A browser that
    cannot place them after earlier ones shows nothing any more. The same happens to a browser that gets a fragment
    of the page it has left."""

    async def run_page_and_type(query: str) -> list[Answer]:
        async with session(int(app_url.rpartition(":")[2])) as socket:
            first = await run_page(socket, query=query.partition("?")[2])
            typed = {area: "the cat sat" for label, area in first.areas.items() if label == "Candidate"}
            return [first, *([await run_page(socket, typed)] if typed else [])]

    views: dict[str, set[str]] = {}
    for query in PAGES:
        for answer in ThreadPoolExecutor(1).submit(asyncio.run, run_page_and_type(query)).result():
            assert answer.errors == [] and answer.kept == 0
            begins = {fragment: min(places, key=len) for fragment, places in answer.places.items()}
            for one, other in permutations(begins, 2):
                assert begins[one][: len(begins[other])] != begins[other], f"a fragment stands in another: {query}"
            views.setdefault(query.partition("&")[0].partition("page=")[2], set()).update(begins)
    assert len(views) == 3 and all(views.values())
    for one, other in combinations(views.values(), 2):
        assert not one & other
