"""Measure what a typed change costs the server, and how many visitors it can serve.

    python -m tests.benchmarks.bench_load

Sessions connect over the WebSocket, without a browser; a bare Streamlit page of two text areas is measured in the same
run. Every text is new, cut out of real translations.

- Cost of a change: the processor time of the server, as a multiple of the bare page's. The two servers take turns.
- Load: sessions change their texts at random moments, every ten seconds on average. There are as many as would keep
  the server 70 % busy if a change cost 7 times the bare page's, then half as many. The time is from the message with
  the texts to the end of the run that answers it.

Exits with 1 if a target is missed."""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from typing import Any

import psutil

from tests.helpers.app import ServedApp, served, served_page
from tests.helpers.corpora import load_lines
from tests.helpers.sessions import run_page, session

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
SIZES = (
    (12, 1, 6.0),
    (30, 2, 7.0),
    (30, 4, 8.0),
)  # words, references, and the most that a change may cost, as a multiple of the bare page
TURNS, CHANGES = 6, 10  # turns of the two servers, and changes in each
THINKING = 10.0  # seconds between two changes of a session, on average
LOADED, PLANNED = 0.7, 7.0  # the planned load of the server, and the assumed cost of a change, as a multiple
SECONDS = 40  # how long sessions change their texts
LOADS = ((0.5, 0.25), (1.0, 0.5))  # share of the sessions, and the most seconds for 95 of 100 changes


class Texts:
    """A source of texts cut out of real translations; no two candidates are equal.

    Each text is a row of words from a random position, and the candidate ends in a random number."""

    def __init__(self, seed: int) -> None:
        names = ("system.MiSS", "reference.A", "reference.B", "system.Online-W", "system.SMU")
        self.lines = [load_lines(name) for name in names]
        self.random, self.count = random.Random(seed), 0

    def next_texts(self, words: int, references: int) -> tuple[str, str]:
        """Return (candidate, references): a new candidate of about `words` words, and its references, one per line."""
        self.count += 1
        first = self.random.randrange(len(self.lines[0]) - 6)
        skipped = self.random.randrange(20)
        sides = [" ".join(lines[first : first + 6]).split()[skipped:][:words] for lines in self.lines[: references + 1]]
        candidate, *others = [" ".join(side) for side in sides]
        return f"{candidate} {self.random.randrange(10**9)}", "\n".join(others)


class Visitor:
    """A session of the app without a browser that types texts on the Sentence page."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.areas = socket, dict[str, str]()

    async def open(self) -> None:
        """Open the Sentence page; raise RuntimeError if it shows an error."""
        answer = await run_page(self.socket)
        self.areas = answer.areas
        if answer.errors:
            raise RuntimeError(answer.errors[0])

    async def type(self, candidate: str, references: str) -> float:
        """Type both texts, and return the seconds until the run that answers them ends.

        Raises RuntimeError if the page shows an error."""
        texts = {self.areas["Candidate"]: candidate, self.areas["References, one per line"]: references}
        start = time.perf_counter()
        answer = await run_page(self.socket, texts)
        if answer.errors:
            raise RuntimeError(answer.errors[0])
        return time.perf_counter() - start


def processor_seconds(process: psutil.Process) -> float:
    """Return the processor seconds that a process has used so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


async def change_seconds_by_size(servers: list[ServedApp]) -> dict[tuple[int, int], list[float]]:
    """Return the server's processor seconds of one change, by (words, references) of the texts.

    Each list has the seconds of each server."""
    texts, found = Texts(0), dict[tuple[int, int], list[float]]()
    async with session(servers[0][0]) as one, session(servers[1][0]) as other:
        visitors = [Visitor(one), Visitor(other)]
        for visitor in visitors:
            await visitor.open()
        for turn in range(TURNS + 1):
            for words, references, _ in SIZES:
                for n, (visitor, (_, process)) in enumerate(zip(visitors, servers, strict=True)):
                    before = processor_seconds(process)
                    for _ in range(CHANGES):
                        await visitor.type(*texts.next_texts(words, references))
                    if turn:  # the first turn only warms both up
                        sums = found.setdefault((words, references), [0.0] * len(servers))
                        sums[n] += (processor_seconds(process) - before) / (TURNS * CHANGES)
    return found


async def measure_load(port: int, sessions: int, thinking: float = THINKING, lasts: float = SECONDS) -> list[float]:
    """Return the sorted seconds of all changes while `sessions` visitors change their texts at random moments.

    They do it every `thinking` seconds on average, for `lasts` seconds."""
    seconds: list[float] = []
    opening_limit, opened = asyncio.Semaphore(4), asyncio.Barrier(sessions)

    async def visit(n: int) -> None:
        texts = Texts(n + 1)
        async with session(port) as socket:
            visitor = Visitor(socket)
            async with opening_limit:
                await visitor.open()
            await opened.wait()
            end = time.perf_counter() + lasts
            while True:
                await asyncio.sleep(texts.random.expovariate(1 / thinking))
                if time.perf_counter() > end:
                    return
                seconds.append(await visitor.type(*texts.next_texts(30, 2)))

    async with asyncio.TaskGroup() as group:
        for n in range(sessions):
            group.create_task(visit(n))
    return sorted(seconds)


def report(what: str, numbers: str, target: str, missed: bool) -> bool:
    """Print a measurement beside its target, and return `missed`."""
    print(f"{what:54}{numbers:56}at most {target}{'  missed' if missed else ''}", flush=True)
    return missed


def main() -> int:
    missed = 0
    with served() as app, served_page(BARE) as bare:
        found = asyncio.run(change_seconds_by_size([app, bare]))
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
        with served() as (port, process):
            before = processor_seconds(process)
            seconds = asyncio.run(measure_load(port, sessions))
            busy = (processor_seconds(process) - before) / SECONDS
        p50, p95 = statistics.median(seconds), seconds[int(0.95 * len(seconds))]
        numbers = f"p50 {p50:.3f} s, p95 {p95:.3f} s, {len(seconds)} changes, {busy:.0%} busy"
        missed += report(f"{sessions} sessions at random moments", numbers, f"{most} s", p95 > most)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
