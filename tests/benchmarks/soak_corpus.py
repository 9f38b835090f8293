"""Run the checks of a corpus that take minutes: `python -m tests.benchmarks.soak_corpus`, on two quiet cores.

- 100,000 segments of four systems by all metrics: the memory of this process and its workers is bounded, and the time
  is in proportion to the segments.
- Ten visitors type on the Sentence page at random moments while the same server scores a corpus.
- A Dask scheduler with two workers loses one half-way: the numbers must equal those without a cluster.

Servers listen on 127.0.0.1 and end with this program. Exits with 1 if a bound is missed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.benchmarks.bench_corpus import CORES, SIZE, memory_megabytes, report, score_corpus
from tests.benchmarks.bench_load import measure_load
from tests.helpers.app import ROOT, free_port, served_page
from tests.helpers.tiled import tiled

MANY, MEMORY, LINEAR = (
    100_000,
    1000,
    1.25,
)  # segments; most megabytes; most time, as a multiple of the time of as many segments in small corpora
VISITORS, THINKING, SECONDS, P95 = 10, 2.0, 25, 0.3
#: The script of the app whose server scores a corpus over and over from its first visitor on.
BUSY = """
import runpy, sys, threading
import streamlit as st

sys.path.insert(0, {root!r})


@st.cache_resource
def job():
    import metrics
    from metrics.corpus.jobs import Job
    from metrics.corpus.processes import Processes
    from tests.helpers.tiled import tiled

    def run():
        texts = tiled({size})
        asked = [(key, metrics.settings(key)) for key in metrics.METRICS]
        while True:
            list(Job(asked, texts, workers=Processes({cores})).tables())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


if __name__ == "__main__":
    job()
    runpy.run_path({app!r}, run_name="__main__")
else:
    from starlette.middleware import Middleware
    from viz.components import served
    from viz.components.preload import PreloadMiddleware
    from viz.ready import server_lifespan

    app = st.App(__file__, lifespan=server_lifespan, routes=served.routes(), middleware=[Middleware(PreloadMiddleware)])
"""


def misses_with_many_segments() -> int:
    """Score 100,000 segments, and return how many of the bounds on memory and time are missed."""
    small = tiled(SIZE)
    *_, few = score_corpus(small, "english")
    texts, most, done = tiled(MANY), [0.0], threading.Event()

    def record_memory() -> None:
        while not done.wait(0.5):
            most[0] = max(most[0], memory_megabytes())

    watcher = threading.Thread(target=record_memory)
    watcher.start()
    try:
        tables, _, _, clock, used = score_corpus(texts, "english")
    finally:
        done.set()
        watcher.join()
    times = used / (few * MANY / SIZE)
    assert all(table.size == MANY for table in tables)
    missed = report(f"{MANY:,} × 4, all metrics", f"{most[0]:.0f} MB", f"at most {MEMORY} MB", most[0] > MEMORY)
    numbers = f"{clock:.0f} s by the clock, {used:.0f} s of two cores, {times:.2f} times as for {SIZE:,}"
    return missed + report("its time", numbers, f"at most {LINEAR} times", times > LINEAR)


def visitors_wait_too_long() -> int:
    """Let visitors type while the server scores a corpus; return whether they wait too long.

    The 95th percentile of the seconds of their changes counts."""
    busy = BUSY.format(root=str(ROOT), app=str(ROOT / "app.py"), size=SIZE, cores=CORES)
    with served_page(busy) as (port, process):
        seconds = asyncio.run(measure_load(port, VISITORS, THINKING, SECONDS))
        for child in process.children(recursive=True):
            child.kill()
    p50, p95 = statistics.median(seconds), seconds[int(0.95 * len(seconds))]
    numbers = f"p50 {p50:.3f} s, p95 {p95:.3f} s, {len(seconds)} changes"
    return report(f"{VISITORS} visitors while a corpus is scored", numbers, f"at most {P95} s", p95 > P95)


def lost_worker_changes_numbers() -> int:
    """Kill a worker of a cluster half-way; return whether the scores differ from those without a cluster."""
    port, quiet = free_port(), {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": ROOT}
    address, env = f"tcp://127.0.0.1:{port}", {**os.environ, "PYTHONPATH": str(ROOT)}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    processes = [subprocess.Popen([*dask, "--no-dashboard"], env=env, start_new_session=True, **quiet)]
    try:
        time.sleep(4)
        processes += [subprocess.Popen(worker, env=env, start_new_session=True, **quiet) for _ in range(2)]
        time.sleep(5)
        with tempfile.TemporaryDirectory() as folder:
            call = [sys.executable, "-m", "metrics", "--format", "json", "--metric", "bleu,gtm,sia,ter,dcs"]
            texts = tiled(SIZE)
            for name, output in zip(texts.names, texts.systems, strict=True):
                call += ["--system", f"{name}={_write_lines(folder, name, output)}"]
            call += ["--reference", _write_lines(folder, "all", [each[0] for each in texts.references])]
            plain = subprocess.run(call, capture_output=True, text=True, cwd=ROOT, check=True)
            with_cluster = [*call, "--scheduler", address]
            run = subprocess.Popen(with_cluster, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
            time.sleep(3.5)
            half_way = run.poll() is None
            os.killpg(processes[1].pid, signal.SIGKILL)
            out, said = run.communicate(timeout=300)
    finally:
        for process in processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait(20)
    same = not run.returncode and json.loads(out)["systems"] == json.loads(plain.stdout)["systems"]
    numbers = f"killed {'half-way' if half_way else 'too late'}, {'identical' if same else 'other'} numbers"
    fine = half_way and same and "worker" in said
    return report("a cluster that loses a worker", numbers, "identical, and said", not fine)


def _write_lines(folder: str, name: str, lines: object) -> str:
    path = Path(folder) / f"{name}.txt"
    path.write_text("".join([" ".join(line) + "\n" for line in lines]), encoding="utf-8")  # type: ignore[attr-defined]
    return str(path)


if __name__ == "__main__":
    sys.exit(
        1
        if sum(part() for part in (lost_worker_changes_numbers, visitors_wait_too_long, misses_with_many_segments))
        else 0
    )
