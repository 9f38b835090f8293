"""What a typed change costs the server, and how many visitors it holds: `python tests/bench_load.py`.

Sessions over the WebSocket, without a browser, in one run with a bare page of two text areas. Every text is new, cut
out of real translations.

- A change: processor time of the server for one, as a multiple of the bare page's. Both servers are asked in turn.
- Load: sessions that change their texts at random moments, every ten seconds on average: as many as would keep the
  server 70 % busy if a change cost 7 times the bare page's, and half as many. The time is from the message with the
  texts to the end of the run that answers it.

Exits with 1 if a target is missed.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))
from conftest import ROOT, free_port, start_app
from sessions import asked, session

APP = ROOT / "app.py"
BARE = """
import streamlit as st

st.set_page_config(layout="wide")


@st.fragment
def view():
    chosen = st.segmented_control("Metric", [f"m{i}" for i in range(14)], default="m0", required=True, key="m")
    st.html(f"<div data-metric='{chosen}'>{chosen}</div>")


st.text_area("Candidate", "x")
st.text_area("References, one per line", "x")
view()
"""
SIZES = ((12, 1, 6.0), (30, 2, 7.0), (30, 4, 8.0))  # words, references, and the most that a change may cost
TURNS, CHANGES = 6, 10  # turns of the two servers, and changes in each
THINKING = 10.0  # seconds between two changes of a session, on average
LOADED, PLANNED = 0.7, 7.0  # how busy a server is to be, and what a change would cost then
SECONDS = 40  # for which sessions change their texts
LOADS = ((0.5, 0.25), (1.0, 0.5))  # which part of the sessions, and the most seconds that 95 of 100 changes may take


class Texts:
    """Texts out of real translations, each another one: words from some place on and a number that never comes
    again."""

    def __init__(self, seed: int) -> None:
        folder = ROOT / "tests" / "data" / "ted-zh-en"
        names = ("system.MiSS", "reference.A", "reference.B", "system.Online-W", "system.SMU")
        self.lines = [(folder / f"{name}.en.txt").read_text(encoding="utf-8").splitlines() for name in names]
        self.random, self.given = random.Random(seed), 0

    def next(self, words: int, references: int) -> tuple[str, str]:
        """A candidate, and references on lines of their own."""
        self.given += 1
        first = self.random.randrange(len(self.lines[0]) - 6)
        skipped = self.random.randrange(20)
        sides = [" ".join(lines[first : first + 6]).split()[skipped:][:words] for lines in self.lines[: references + 1]]
        candidate, *others = [" ".join(side) for side in sides]
        return f"{candidate} {self.random.randrange(10**9)}", "\n".join(others)


class Visitor:
    """A session that types."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.areas = socket, dict[str, str]()

    async def open(self) -> None:
        answer = await asked(self.socket)
        self.areas = answer.areas
        if answer.errors:
            raise RuntimeError(answer.errors[0])

    async def type(self, candidate: str, references: str) -> float:
        """The seconds until all that follows from two texts has come."""
        texts = {self.areas["Candidate"]: candidate, self.areas["References, one per line"]: references}
        start = time.perf_counter()
        answer = await asked(self.socket, texts)
        if answer.errors:
            raise RuntimeError(answer.errors[0])
        return time.perf_counter() - start


@contextmanager
def served(script: Path) -> Iterator[tuple[int, psutil.Process]]:
    """The port and the process of a server that has just started."""
    port = free_port()
    app = start_app(port, script)
    try:
        yield port, psutil.Process(app.pid)
    finally:
        app.terminate()
        app.wait(10)


def used(process: psutil.Process) -> float:
    """The processor time that a server has used, in seconds."""
    times = process.cpu_times()
    return float(times.user + times.system)


async def costs(servers: list[tuple[int, psutil.Process]]) -> dict[tuple[int, int], list[float]]:
    """By words and references the processor seconds of a change on each server."""
    texts, found = Texts(0), dict[tuple[int, int], list[float]]()
    async with session(servers[0][0]) as one, session(servers[1][0]) as other:
        visitors = [Visitor(one), Visitor(other)]
        for visitor in visitors:
            await visitor.open()
        for turn in range(TURNS + 1):
            for words, references, _ in SIZES:
                for n, (visitor, (_, process)) in enumerate(zip(visitors, servers, strict=True)):
                    before = used(process)
                    for _ in range(CHANGES):
                        await visitor.type(*texts.next(words, references))
                    if turn:  # the first one warms both up
                        sums = found.setdefault((words, references), [0.0] * len(servers))
                        sums[n] += (used(process) - before) / (TURNS * CHANGES)
    return found


async def load(port: int, sessions: int) -> list[float]:
    """Sorted seconds that changes take when so many sessions change their texts at random moments."""
    seconds: list[float] = []
    few, opened = asyncio.Semaphore(4), asyncio.Barrier(sessions)

    async def visit(n: int) -> None:
        texts = Texts(n + 1)
        async with session(port) as socket:
            visitor = Visitor(socket)
            async with few:
                await visitor.open()
            await opened.wait()
            end = time.perf_counter() + SECONDS
            while True:
                await asyncio.sleep(texts.random.expovariate(1 / THINKING))
                if time.perf_counter() > end:
                    return
                seconds.append(await visitor.type(*texts.next(30, 2)))

    async with asyncio.TaskGroup() as group:
        for n in range(sessions):
            group.create_task(visit(n))
    return sorted(seconds)


def report(what: str, numbers: str, target: str, missed: bool) -> bool:
    print(f"{what:44}{numbers:56}at most {target}{'  missed' if missed else ''}", flush=True)
    return missed


def main() -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        with served(APP) as app, served(script) as bare:
            found = asyncio.run(costs([app, bare]))
    for words, references, most in SIZES:
        ours, theirs = found[words, references]
        numbers = f"{1000 * ours:.1f} ms of processor, bare {1000 * theirs:.1f}, {ours / theirs:.2f} times"
        missed += report(
            f"{words} words × {references}: a typed change", numbers, f"{most} times", ours > most * theirs
        )
    change = statistics.mean(theirs for _, theirs in found.values())
    full = LOADED * THINKING / (PLANNED * change)
    for part, most in LOADS:
        sessions = max(1, round(part * full))
        with served(APP) as (port, process):
            before = used(process)
            seconds = asyncio.run(load(port, sessions))
            busy = (used(process) - before) / SECONDS
        p50, p95 = statistics.median(seconds), seconds[int(0.95 * len(seconds))]
        numbers = f"p50 {p50:.3f} s, p95 {p95:.3f} s, {len(seconds)} changes, {busy:.0%} busy"
        missed += report(f"{sessions} sessions at random moments", numbers, f"{most} s", p95 > most)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
