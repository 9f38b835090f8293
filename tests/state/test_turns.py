"""Tests of the run queue, in which the runs of pages wait for their turn.

They take turns in the order of their arrival, and none waits long for a run that does not end."""

import threading
import time

import pytest

from tests.helpers.waiting import LIMIT, until
from viz.state.visit.run_queue import RunQueue

pytestmark = pytest.mark.alone  # runs have a longest time, by the clock


class Runs:
    """Runs of pages, each in a thread of its own, that share one run queue.

    `log` lists what has happened, in order: "a begins", "a goes on" after a pause, "a ends"."""

    def __init__(self, longest):
        self.turns, self.log, self.threads = RunQueue(longest), [], []

    def start(self, name, until, pause=None):
        def run():
            with self.turns.turn():
                self.log.append(f"{name} begins")
                if pause is not None:
                    self.turns.pause(pause)
                    self.log.append(f"{name} goes on")
                until.wait(LIMIT)
                self.log.append(f"{name} ends")

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        self.threads.append(thread)

    def wait_for(self, *log):
        until(lambda: self.log, [*log])


def test_one_after_the_other_in_the_order_in_which_they_came():
    runs, go = Runs(longest=60), threading.Event()
    names = "abcdefgh"
    for number, name in enumerate(names):
        runs.start(name, go)
        while number > len(runs.turns._waiting):  # until it waits behind the others
            time.sleep(0.001)
    runs.wait_for("a begins")
    go.set()
    runs.wait_for(*[f"{name} {what}" for name in names for what in ("begins", "ends")])


def test_a_long_run_does_not_keep_others_waiting():
    runs, first, second, now = Runs(longest=0.05), threading.Event(), threading.Event(), threading.Event()
    runs.start("a", first)
    runs.wait_for("a begins")
    runs.start("b", second)
    runs.wait_for("a begins", "b begins")
    first.set()  # its turn was over already: its end gives nobody a turn while another runs
    runs.wait_for("a begins", "b begins", "a ends")
    assert runs.turns._running
    second.set()
    runs.wait_for("a begins", "b begins", "a ends", "b ends")
    now.set()
    runs.start("c", now)
    runs.wait_for("a begins", "b begins", "a ends", "b ends", "c begins", "c ends")


def test_others_run_in_a_pause():
    runs, go, now = Runs(longest=60), threading.Event(), threading.Event()
    now.set()
    runs.start("a", go, pause=0.2)
    runs.wait_for("a begins")
    runs.start("b", now)
    runs.wait_for("a begins", "b begins", "b ends")
    runs.wait_for("a begins", "b begins", "b ends", "a goes on")
    assert runs.turns._running
    go.set()
    runs.wait_for("a begins", "b begins", "b ends", "a goes on", "a ends")


def test_a_pause_without_a_turn_is_a_pause():
    turns = RunQueue()
    before = time.monotonic()
    turns.pause(0.01)
    assert time.monotonic() - before >= 0.01
    assert turns._running is None


def test_a_run_that_fails_ends_its_turn():
    turns = RunQueue(longest=60)
    with pytest.raises(ZeroDivisionError), turns.turn():
        1 / 0  # noqa: B018
    with turns.turn():
        pass
    assert turns._running is None
