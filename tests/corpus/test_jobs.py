"""Tests that a corpus scored in parts by worker processes gets the values of the whole, even when processes die."""

import importlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager

import numpy as np
import psutil
import pytest

import metrics
from metrics import catalogue
from metrics.corpus import jobs, processes, tasks
from metrics.corpus.processes import Processes
from metrics.corpus.retries import RetryQueue
from metrics.corpus.table import score_table
from metrics.corpus.unavailable_metrics import missing_metrics
from tests.helpers.app import ROOT
from tests.helpers.corpora import SYSTEMS, load_segments, load_token_lines
from tests.helpers.hard_texts import metric_too_hard_for
from tests.helpers.tiled import tiled
from tests.helpers.waiting import LIMIT, until

pytestmark = pytest.mark.alone  # starts worker processes
KEYS = ("bleu", "nist", "ter", "sia", "gtm")


@pytest.fixture
def corpus():
    systems = tuple(tuple(load_token_lines(name)) for name in SYSTEMS)
    return jobs.ScoringCorpus(SYSTEMS, systems, tuple([segment.references for segment in load_segments(SYSTEMS[0])]))


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(tasks, "LARGEST", 7)


def requested_metrics(*keys):
    return [(key, metrics.settings(key)) for key in keys or KEYS]


def assert_whole(found, corpus, given):
    assert sorted(found) == sorted(key for key, _ in given)
    for key, settings in given:
        systems = [corpus.segments(n) for n in range(len(corpus.systems))]
        whole = score_table(metrics.METRICS[key], settings, systems)
        assert np.array_equal(found[key].scores, whole.scores)
        assert np.array_equal(found[key].corpus_scores(), whole.corpus_scores())


def tables_by_key(job):
    return {each.metric.key: each for each in job.tables()}


def large_corpus():
    """Return a corpus of 36,000 segments, which two processes need minutes to score."""
    corpus = tiled(3000)
    return jobs.ScoringCorpus(corpus.names, tuple([each * 12 for each in corpus.systems]), corpus.references * 12)


def corpus_of_lengths(words, systems=1):
    """Return a corpus with a segment of n words for each n in `words`; each reference is the output reversed.

    All `systems` systems have the same outputs."""
    texts = tuple([tuple([f"w{n % 7}" for n in range(length)]) for length in words])
    return jobs.ScoringCorpus(tuple("ABCDEF"[:systems]), (texts,) * systems, tuple([(text[::-1],) for text in texts]))


@pytest.mark.parametrize("number", [1, 2])
def test_parts_are_the_whole(corpus, small_parts, monkeypatch, number):
    monkeypatch.setattr(jobs, "ALONE", 0.0)
    told = []
    job = jobs.Job(requested_metrics(), corpus, number, told.append)
    found = tables_by_key(job)
    assert not job.hard and not job.lost
    assert_whole(found, corpus, requested_metrics())
    assert told[-1].segments_done == dict.fromkeys(KEYS, 60) and told[-1].seconds == 0
    assert any(0 < each.seconds_left["gtm"] <= each.seconds for each in told if each.seconds_left)


def test_of_a_part_scored_so_far_the_systems_can_be_compared(corpus, small_parts):
    """Check that a table of the segments scored so far has the same segments for all systems, with the final values."""
    tables, met = {}, 0

    def watch(progress):
        nonlocal met
        for key in KEYS:
            of = job.partial_table(key)
            if of is not None and progress.segments_done[key] < progress.size:
                met += 1
                assert of.scores.shape == (3, progress.segments_done[key])
                tables[key] = of

    job = jobs.Job(requested_metrics(), corpus, tell=watch)
    whole = tables_by_key(job)
    assert met > 20 and set(tables) == set(KEYS) - {"nist"}
    for key, of in tables.items():
        assert np.array_equal(of.scores, whole[key].scores[:, : of.size])
        # Finished metrics keep their values only in the table, not twice in memory.
        assert job.partial_table(key) is None


def test_the_quickest_metric_is_whole_first_and_then_the_first_that_is_asked_for(monkeypatch, corpus):
    """Check the order of tasks: a short trial of each metric, then the quickest metric, then the first one requested.

    The remaining metrics follow, each after a second, larger trial. A metric that must be scored as one task takes its
    turn like the others."""
    took = {"bleu": 0.3, "nist": 0.2, "ter": 0.1}
    plan, order = tasks.ScoringPlan(requested_metrics(*took), corpus_of_lengths([20] * 60)), []
    while task := plan.take_task():
        order.append(task)
        plan.record_result(tasks.TaskResult(task, seconds=took[task.key] * (task.end - task.start)))
    assert [(task.key, task.end - task.start, task.trial) for task in order[:3]] == [
        (key, tasks.FIRST, key == "nist") for key in took
    ]
    quickest, first, others = order[3 : 3 + 28], order[31 : 31 + 56], order[31 + 56 :]
    assert [(task.key, task.end - task.start) for task in quickest] == [("ter", 2)] * 28
    assert [(task.key, task.end - task.start) for task in first] == [("bleu", 1)] * 56
    assert [(task.key, task.start, task.end, task.trial) for task in others] == [
        ("nist", 0, tasks.SECOND, True),
        ("nist", 0, 60, False),
    ]
    assert plan.seconds_left() == dict.fromkeys(took, 0)


def test_a_metric_that_still_loads_keeps_no_other_waiting():
    plan = tasks.ScoringPlan(requested_metrics("bleu", "meteor", "ter"), corpus_of_lengths([20] * 60))
    first = [plan.take_task() for _ in range(3)]
    plan.record_result(tasks.TaskResult(first[0], seconds=0.3))
    assert plan.take_task() is None  # most metrics have no measured time yet
    plan.record_result(tasks.TaskResult(first[2], seconds=0.1))
    task = plan.take_task()
    assert (first[1].key, task.key, task.start) == ("meteor", "ter", tasks.FIRST)


def test_a_cancelled_job_keeps_what_is_ready(corpus, small_parts):
    job = jobs.Job(requested_metrics(), corpus)
    first = next(tables := job.tables())
    job.cancelled = True
    assert first.size == 60 and [*tables] == []
    left = {key for key in KEYS if key != first.metric.key and job.partial_table(key)}
    assert left == {*KEYS} - {first.metric.key, "nist"}


@pytest.mark.parametrize("workers", [None, Processes(2)])
def test_a_job_that_goes_on_has_the_numbers_of_one_that_was_never_cancelled(corpus, small_parts, workers):
    """Check that a job that is cancelled again and again scores each segment once, and gets exactly the same tables."""
    whole = tables_by_key(jobs.Job(requested_metrics(), corpus))
    found, parts, starts, scored = {}, {}, 0, 0
    while len(found) < len(KEYS):
        left = [(key, settings) for key, settings in requested_metrics() if key not in found]
        told = [sum(part.task.end - part.task.start for each in parts.values() for part in each)]
        job = jobs.Job(left, corpus, workers=workers, parts=parts)

        def cancel_soon(progress, job=job, told=told):
            told.append(sum(progress.segments_done.values()))
            job.cancelled = len(told) == 6

        job.tell = cancel_soon
        found |= tables_by_key(job)
        scored += told[-1] - told[0]
        starts += 1
    assert starts > 5 and scored == 60 * len(KEYS) and not any(parts.values())
    for key in KEYS:
        assert found[key].names == whole[key].names
        assert np.array_equal(found[key].statistics, whole[key].statistics)
        assert np.array_equal(found[key].scores, whole[key].scores)


def test_a_plan_leaves_out_what_is_done(corpus):
    """Check that a plan with results of an earlier one fills the gaps between them, each segment once."""
    request, texts = requested_metrics("ter"), corpus_of_lengths([20] * 60)
    done = [
        tasks.TaskResult(tasks.ScoringTask(*request[0], *ends), seconds=1.0) for ends in ((40, 45), (0, 4), (10, 30))
    ]
    plan, left = tasks.ScoringPlan(request, texts, done=done), []
    while task := plan.take_task():
        left.append((task.start, task.end))
        plan.record_result(tasks.TaskResult(task, seconds=0.1))
    ranges = [n for start, end in left for n in range(start, end)]
    assert ranges == [*range(4, 10), *range(30, 40), *range(45, 60)]
    assert plan.seconds_left() == {"ter": 0}
    lost = tasks.TaskResult(tasks.ScoringTask(*request[0], 0, 4), lost=tasks.LostSegments("ter", 0, 4))
    assert tasks.ScoringPlan(request, texts, done=[lost]).take_task() is None  # it will have no score


# ---------------------------------------------------------------- parts are limited in work


def planned_tasks(corpus, key, seconds_of):
    """Return the tasks into which scoring `corpus` by metric `key` is split, in order and without trials.

    `seconds_of(cells)` is how long a task with so many grid cells takes."""
    plan, order = tasks.ScoringPlan(requested_metrics(key), corpus), []
    while task := plan.take_task():
        order.append(task)
        plan.record_result(tasks.TaskResult(task, seconds=seconds_of(count_cells(corpus, task))))
    assert plan.seconds_left() == {key: 0}
    return [task for task in order if not task.trial]


def count_cells(corpus, task):
    each = range(task.start, task.end)
    words = [sum([len(system[n]) for system in corpus.systems]) for n in each]
    return sum([count * sum(map(len, corpus.references[n])) for count, n in zip(words, each, strict=True)])


def test_a_segment_that_is_much_work_is_a_part_by_itself():
    lengths = [30] * 200
    for at in (0, 1, 90, 199):
        lengths[at] = 800
    corpus = corpus_of_lengths(lengths, 2)
    parts = planned_tasks(corpus, "gtm", lambda cells: cells * 1e-6)
    assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]
    assert (parts[0].start, parts[-1].end) == (0, 200)
    assert [(part.start, part.end) for part in parts if part.heavy] == [(n, n + 1) for n in (0, 1, 90, 199)]
    assert max(count_cells(corpus, part) for part in parts if not part.heavy) < tasks.HEAVY_CELLS


@pytest.mark.parametrize("first", [1, 25])
def test_no_part_has_much_more_work_than_was_timed(first):
    """Check that no task takes long where the first segments, which are timed, are shorter than the later ones."""
    corpus = corpus_of_lengths([first] * 300 + [600] * 50)
    parts = planned_tasks(corpus, "gtm", lambda cells: max(cells, 100) * 2e-6)
    seconds = [2e-6 * count_cells(corpus, part) for part in parts]
    assert not any(part.heavy for part in parts)
    one = 2e-6 * 600**2
    assert max(seconds) <= max(tasks.UNEVEN * tasks.SECONDS, one)


def test_of_even_segments_only_their_number_counts():
    """Check that segments of similar length are split into tasks that take `tasks.SECONDS` each."""
    parts = planned_tasks(corpus_of_lengths([20, 30] * 1500), "gtm", lambda cells: cells * 2e-6)
    assert {part.end - part.start for part in parts[3:-1]} == {int(tasks.SECONDS / (650 * 2e-6))}


def test_a_metric_of_a_whole_corpus_is_heavy_where_that_is_large(monkeypatch):
    corpus = corpus_of_lengths([20] * 60)
    assert not any(part.heavy for part in planned_tasks(corpus, "nist", float))
    monkeypatch.setattr(tasks, "HEAVY_WORDS", 2399)
    assert [(part.start, part.end, part.heavy) for part in planned_tasks(corpus, "nist", float)] == [(0, 60, True)]
    assert not any(part.heavy for part in planned_tasks(corpus, "bleu", float))


def test_with_segments_that_are_much_work_the_numbers_are_the_same(corpus, monkeypatch):
    monkeypatch.setattr(tasks, "HEAVY_CELLS", 3000)
    monkeypatch.setattr(tasks, "HEAVY_WORDS", 100)
    heavy = sum(part.heavy for part in planned_tasks(corpus, "ter", float))
    assert 5 < heavy < 55
    job = jobs.Job(requested_metrics(), corpus, workers=Processes(2))
    assert_whole(tables_by_key(job), corpus, requested_metrics())


# ---------------------------------------------------------------- which job waits for which


def blocking_similarity(path):
    """Return a word similarity that blocks its process for ten minutes and ignores the alarm signal.

    It creates a file named after `path` and the process id. The class is local so that it is pickled by value."""

    class BlockingSimilarity:
        signature = "deaf"

        def __call__(self, a, b):
            import signal
            from pathlib import Path

            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
            Path(f"{path}-{os.getpid()}").touch()
            time.sleep(10 * 60)
            return 0.0

    return BlockingSimilarity()


def waiting_similarity(process):
    """Return a word similarity that waits until the process with the id `process` has ended."""

    class WaitingSimilarity:
        signature = "waiting"

        def __call__(self, a, b):
            while psutil.pid_exists(process):
                time.sleep(0.01)
            return 0.0

    return WaitingSimilarity()


def sia_request(similarity):
    return [("sia", metrics.settings("sia", similarity=similarity))]


def blocked_process_ids(path):
    return [int(each.name.rpartition("-")[2]) for each in path.parent.glob(f"{path.name}-*")]


@contextmanager
def blocking_job(path, words, number=2):
    """Yield a job whose similarity blocks the `number` worker processes until the test leaves the context.

    Each of its five segments has `words` words. Files that begin with `path` tell which processes are blocked."""
    given = sia_request(blocking_similarity(str(path)))
    job = jobs.Job(given, corpus_of_lengths([words] * 5), workers=Processes(number))
    thread = threading.Thread(target=lambda: [*job.tables()])
    thread.start()
    try:
        until(lambda: len(blocked_process_ids(path)) >= 1)
        yield job
    finally:
        job.cancelled = True
        thread.join(LIMIT)


def is_alive(process):
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


needs_signals = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals can be held back here")


def run_in_thread(do, *given):
    """Start a thread that calls `do(*given)`; return the thread and a list, to which it appends the result."""
    found = []
    thread = threading.Thread(target=lambda: found.append(do(*given)), daemon=True)
    thread.start()
    return thread, found


@needs_signals
@pytest.mark.parametrize("number", [1, 2])
def test_what_takes_long_leaves_a_process_to_others(tmp_path, monkeypatch, number):
    monkeypatch.setattr(processes, "GRACE", 0.2)
    monkeypatch.setattr(tasks, "HEAVY_CELLS", 2500)
    with blocking_job(tmp_path / "deaf", 51, number) as job:
        other = jobs.Job(requested_metrics("bleu", "per"), corpus_of_lengths([20] * 60), workers=Processes(number))
        thread, found = run_in_thread(lambda: {each.metric.key for each in other.tables()})
        thread.join(LIMIT)
        other.cancelled = True
        assert found == [{"bleu", "per"}]
        assert processes.run_in_process(number, len, "abc") == 3
        waits, asked_for = run_in_thread(processes.run_in_process, number, len, "a" * (processes.SMALL + 1))
        held = blocked_process_ids(tmp_path / "deaf")
        assert len(held) == 1 and not asked_for  # nobody knows how long the function takes
        job.cancelled = True
        waits.join(LIMIT)
        assert asked_for == [processes.SMALL + 1] and not any(map(is_alive, held))


@needs_signals
def test_a_process_that_does_not_let_go_is_ended_and_others_lose_nothing(tmp_path, monkeypatch):
    """Check that a process that ignores the cancellation of its job is killed, and that other jobs lose nothing.

    The blocked process works on a segment of the cancelled job. What the other process has lost is computed again, and
    no
    error is reported."""
    monkeypatch.setattr(processes, "GRACE", 0.5)
    monkeypatch.setattr(tasks, "HEAVY_CELLS", 2500)
    with blocking_job(tmp_path / "deaf", 51) as job:
        (held,) = blocked_process_ids(tmp_path / "deaf")
        said, given = [], sia_request(waiting_similarity(held))
        other = jobs.Job(given, corpus_of_lengths([20] * 60), say=said.append, workers=Processes(2))
        thread, found = run_in_thread(tables_by_key, other)
        part, answer = run_in_thread(list, processes.run_each_in_process(2, waiting_similarity(held), [("a", "b")]))
        time.sleep(0.2)
        assert is_alive(held)  # as long as a job waits for it
        job.cancelled = True
        until(lambda: is_alive(held), False)
        thread.join(LIMIT)
        part.join(LIMIT)
    assert said == [] and not other.lost and answer == [[0.0]]
    assert_whole(found[0], other.corpus, given)


@needs_signals
def test_a_function_that_nobody_waits_for_is_ended_too(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "GRACE", 0.2)
    stopped = threading.Event()

    def call():
        with pytest.raises(tasks.Stopped):
            processes.run_in_process(2, blocking_similarity(str(tmp_path / "deaf")), "a", "b", stopped=stopped.is_set)

    thread, _ = run_in_thread(call)
    until(lambda: len(blocked_process_ids(tmp_path / "deaf")), 1)
    (held,) = blocked_process_ids(tmp_path / "deaf")
    stopped.set()
    thread.join(LIMIT)
    until(lambda: is_alive(held), False)
    assert processes.run_in_process(2, len, "abc") == 3


def test_a_function_over_which_processes_die_ends_in_an_error():
    with pytest.raises(BrokenExecutor, match="died twice"):
        processes.run_in_process(2, os._exit, 9)
    assert processes.run_in_process(2, len, "abc") == 3


def long_corpus():
    """Return a corpus of 60 segments of nearly 3,000 words; one takes METEOR seconds and GTM a quarter of a second."""
    drawn = random.Random(1)
    candidate, reference = (tuple(drawn.choices("abcde", k=3000)) for _ in range(2))
    return jobs.ScoringCorpus(("A",), (tuple([candidate[n:] for n in range(60)]),), tuple([(reference,)] * 60))


@pytest.mark.parametrize("key", ["meteor", "gtm"])
def test_a_job_on_long_texts_is_cancelled_long_before_it_ends(corpus, key):
    """Check that a job on long texts stops early when cancelled and frees its processes for the next job.

    `make bench` checks that this takes at most half a second: a segment is interrupted midway."""
    [*jobs.Job(requested_metrics("per"), corpus, workers=Processes(2)).tables()]  # starts the processes
    job = jobs.Job(requested_metrics(key), long_corpus(), workers=Processes(2))
    timer = threading.Timer(0.8, lambda: setattr(job, "cancelled", True))
    timer.start()
    assert [*job.tables()] == []
    assert next(jobs.Job(requested_metrics("per"), corpus, workers=Processes(2)).tables()).size == 60


def test_a_metric_that_is_one_task_is_cancelled_too():
    job = jobs.Job(requested_metrics("nist"), large_corpus(), workers=Processes(2))
    threading.Timer(0.8, lambda: setattr(job, "cancelled", True)).start()
    assert [*job.tables()] == []


def test_an_import_is_not_broken_off(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.5)\nwhole = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(tasks.Stopped), processes._interrupted_when(lambda: True):
        importlib.import_module("slow_to_import")
        time.sleep(5)
    assert sys.modules["slow_to_import"].whole


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_a_program_that_a_signal_ends(ended_by):
    code = (
        "import os, time; from metrics.corpus import processes; print(processes.run_in_process(2, os.getpid), flush=1)"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", f"{code}; time.sleep({LIMIT})"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        worker = int(program.stdout.readline())
        assert is_alive(worker)
    finally:
        program.send_signal(ended_by)
        program.wait()
    until(lambda: not is_alive(worker))


@pytest.mark.parametrize(("said", "nice"), [("", 10), ("0", 0), ("19", 19)])
def test_processes_are_as_nice_as_the_environment_says(monkeypatch, said, nice):
    monkeypatch.setenv(processes.NICE, said)
    assert processes.worker_niceness() == nice


@pytest.mark.parametrize("said", ["x", "-1", "20", "1.5", "٣"])
def test_an_environment_that_says_no_niceness_is_one_sentence(monkeypatch, said):
    monkeypatch.setenv(processes.NICE, said)
    with pytest.raises(ValueError, match="BITEXT_GRID_NICE must be a whole number from 0 to 19, got "):
        processes.worker_niceness()


def test_jobs_take_turns():
    """Check that a small job finishes before a job of six hundred times as many segments has finished any metric."""
    done, started = [], threading.Event()
    slow = jobs.Job(
        requested_metrics("meteor", "ter"), large_corpus(), tell=lambda progress: started.set(), workers=Processes(2)
    )
    thread = threading.Thread(target=lambda: done.extend(slow.tables()))
    thread.start()
    assert started.wait(LIMIT)
    try:
        quick = jobs.Job(requested_metrics(), tiled(60), workers=Processes(2))
        assert {*tables_by_key(quick)} == {*KEYS}
        assert thread.is_alive() and not done
        assert slow.partial_table("meteor") or slow.partial_table("ter")
    finally:
        slow.cancelled = True
        thread.join(LIMIT)
    assert not thread.is_alive()


# ---------------------------------------------------------------- failures


def test_segments_that_are_too_hard_are_all_named(corpus, small_parts, monkeypatch):
    """Check that all segments that take a metric too much work are named, and that the other metrics are all scored."""
    hard = {corpus.systems[1][40], corpus.systems[1][3], corpus.systems[2][40]}
    monkeypatch.setitem(catalogue.METRICS, "gtm", metric_too_hard_for("gtm", hard))
    job = jobs.Job(requested_metrics(), corpus)
    assert {*tables_by_key(job)} == {*KEYS} - {"gtm"}
    assert job.hard == [
        jobs.TooHardSegment("gtm", system, line, "too many possible") for system, line in ((1, 3), (1, 40), (2, 40))
    ]
    (said,) = missing_metrics(job.hard, job.lost)
    says = "gtm has no score: b, lines 4, 41: too many possible; c, line 41: too many possible"
    assert said.reason_sentence(["a", "b", "c"]) == says


def test_no_segment_takes_more_work_than_it_may(corpus, small_parts):
    long = long_corpus().systems[0][0]
    texts = corpus.systems[0][:9], (*corpus.systems[0][:8], long)
    two = jobs.ScoringCorpus(("A", "B"), texts, (*corpus.references[:8], (long[::-1],)))
    job = jobs.Job(requested_metrics("meteor", "bleu"), two, most=100_000)
    assert [each.metric.key for each in job.tables()] == ["bleu"]
    assert [(each.metric, each.system, each.segment) for each in job.hard] == [("meteor", 0, 8), ("meteor", 1, 8)]


def killing_similarity(path, once):
    """Return a word similarity that ends its process at the word “killer”.

    With `once` it does so only while the file `path` exists, and deletes the file. The class is local so that it is
    pickled by value."""

    class KillingSimilarity:
        signature = "deadly"

        def __call__(self, a, b):
            from pathlib import Path

            if "killer" in (a, b) and (not once or Path(path).exists()):
                Path(path).unlink(missing_ok=True)
                os._exit(9)
            return 0.0

        def __hash__(self):
            return 1

        def __eq__(self, other):
            return True

    return KillingSimilarity()


@pytest.fixture
def with_killer(corpus):
    at = 37
    words = (*corpus.systems[1][at], "killer")
    systems = (corpus.systems[0], (*corpus.systems[1][:at], words, *corpus.systems[1][at + 1 :]), corpus.systems[2])
    return corpus._replace(systems=systems)


def test_what_a_process_had_that_died_is_scored_again(with_killer, small_parts, tmp_path):
    (tmp_path / "once").touch()
    given = [*requested_metrics("bleu", "ter"), *sia_request(killing_similarity(str(tmp_path / "once"), True))]
    said = []
    job = jobs.Job(given, with_killer, say=said.append, workers=Processes(2))
    found = tables_by_key(job)
    assert said == [processes.DIED] and not job.lost
    assert_whole(found, with_killer, given)


def test_a_part_that_kills_twice_is_named(with_killer, small_parts, tmp_path):
    given = [*sia_request(killing_similarity(str(tmp_path / "never"), False)), *requested_metrics("bleu", "ter")]
    said = []
    job = jobs.Job(given, with_killer, say=said.append, workers=Processes(2))
    found = tables_by_key(job)
    assert said == [processes.DIED] * 2
    assert_whole(found, with_killer, given[1:])
    (lost,) = job.lost
    assert lost.metric == "sia" and lost.start <= 37 < lost.end <= lost.start + tasks.SECOND
    said = missing_metrics([], job.lost)[0].reason_sentence(["a", "b", "c"])
    assert f"lines {lost.start + 1} to {lost.end} of a, b, c" in said


def test_of_two_tasks_that_saw_a_process_die_the_guilty_is_found():
    tries = RetryQueue(lambda task: task)
    assert tries.record_death(["a", "b", "c"]) == [] and [*tries.waiting] == ["a", "b", "c"]
    alone = tries.waiting.popleft()  # this task is now alone and finishes without harm
    assert alone == "a" and tries.record_death([tries.waiting.popleft()]) == ["b"]
    assert tries.record_death(["a", "c"]) == []  # each has seen two deaths, but never alone


def test_an_error_in_a_process_is_an_error_here(corpus):
    def broken(a, b):
        raise ArithmeticError("broken")

    given = [*sia_request(broken), *requested_metrics("bleu")]
    with pytest.raises(ArithmeticError, match="broken"):
        [*jobs.Job(given, corpus, workers=Processes(2)).tables()]
    [*jobs.Job(requested_metrics("bleu"), corpus, workers=Processes(2)).tables()]  # the next job works as before


def test_the_time_that_is_left_is_by_the_clock(monkeypatch):
    """Check that the time left is estimated by the clock, because processes share the work and other jobs use them too.

    The metrics follow in the order in which they will be finished."""
    plan = tasks.ScoringPlan(requested_metrics("wer", "bleu", "ter"), corpus_of_lengths([20] * 100))
    pace, now = jobs._TimeEstimate(2), 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    each, done, more = {"wer": 0.5, "bleu": 1.0, "ter": 3.0}, {"bleu": 0, "ter": 0, "wer": 0}, 8
    while more:
        more -= plan.is_timed
        task = plan.take_task()
        done[task.key] += task.end - task.start
        seconds = each[task.key] * (task.end - task.start)
        now += 0.7 * seconds  # two processes share the work, and other jobs use them too
        plan.record_result(tasks.TaskResult(task, seconds=seconds))
        pace.update(plan)
    left = {key: seconds for key, seconds in pace.seconds_left(plan).items() if seconds}
    assert [*left] == ["bleu", "ter"] and 20 < done["bleu"] < 30 and (done["ter"], done["wer"]) == (20, 100)
    assert left["bleu"] == pytest.approx(0.7 * (100 - done["bleu"]))
    assert left["ter"] == pytest.approx(left["bleu"] + 0.7 * 3 * 80)
