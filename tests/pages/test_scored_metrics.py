"""Tests of the metrics that a corpus is scored by: chosen before, stopped and gone on with, and scored later."""

import threading

import numpy as np
import pytest
from corpora import FOLDER
from test_corpus import Page, score_corpus, until
from test_corpus_files import offered_files
from waiting import LIMIT

import metrics
from metrics.corpus import tasks
from metrics.text import TextSettings
from metrics.text.formats import File, read
from viz.frame import corpora
from viz.frame.corpora import CorpusJob
from viz.pages.corpus import scoring, upload
from viz.pages.corpus.record import VIEWS, CorpusState
from viz.state import link

pytestmark = pytest.mark.alone  # worker processes compute the scores

FILES = [
    File(f"{name}.txt", (FOLDER / f"{path}.en.txt").read_bytes())
    for name, path in (("A", "system.MiSS"), ("B", "system.SMU"), ("reference", "reference.A"))
]


def new_job(wanted=None, first="bleu", files=FILES):
    settings = {key: metrics.settings(key) for key in metrics.METRICS}
    return CorpusJob(read(files), TextSettings(), settings, first, wanted=wanted)


def ended(job):
    until(lambda: job.ended and not job.is_busy)
    assert not job.problem
    return corpora.register_job(job)


def scored_job(wanted=None):
    job = new_job(wanted)
    job.start()
    return ended(job)


def tile_lines(page):
    tiles = page.component_data_with("tiles")["tiles"]
    return {tile["key"]: [line["text"] for line in tile["lines"]] for tile in tiles}


def stop_after(job, parts):
    """Have `job` stop itself after this number of scored parts."""
    store, told = job._store_progress, []

    def store_and_stop(progress):
        store(progress)
        told.append(progress)
        if len(told) == parts:
            job.stop()

    job._store_progress = store_and_stop


def test_a_large_corpus_is_scored_by_what_papers_report_and_the_metric_of_the_page():
    state = CorpusState(metric="meteor")
    assert scoring.chosen_metrics(state, 10_000) == [*metrics.METRICS]
    assert scoring.chosen_metrics(state, 10_001) == ["bleu", "chrf", "meteor", "ter"]
    for size in (40, 100_000):
        assert scoring.chosen_metrics(CorpusState(metric="meteor", scored=("ter", "bleu")), size) == ["bleu", "ter"]


def test_the_metrics_that_were_chosen_are_scored_and_the_others_later(monkeypatch):
    """Check the choice from the form to the page, that it is kept in the link, and that nothing is scored twice."""
    page = Page(corpus_scored=("bleu", "ter"), metric="gtm")
    monkeypatch.setattr(type(upload.ENTRY), "draw_file_input", lambda entry, way: FILES)
    page.set_state()
    page.press("corpus_score")
    job = page.at.session_state.corpus
    page.set_state()
    ended(job)
    page.set_state()
    assert (job.wanted, job.first, page.at.session_state.metric) == (["bleu", "ter"], "bleu", "bleu")
    assert {*job.tables} == {"bleu", "ter"} and not job.stopped
    assert link.to_query(CorpusState(scored=("bleu", "ter")))["scored"] == "bleu+ter"
    assert tile_lines(page)["gtm"] == ["–", "not scored"] and "·" in tile_lines(page)["ter"][1]

    page.set_state(metric="gtm")
    assert "GTM is not scored. Other metrics are: choose one." in page.html
    before = dict(job.tables)
    page.press("corpus_score_one")
    ended(job)
    assert {*job.tables} == {"bleu", "ter", "gtm"}
    page.set_state()
    page.press("corpus_score_others")
    ended(job)
    assert {*job.tables} == {*metrics.METRICS} and all(job.tables[key] is before[key] for key in before)
    page.set_state()
    assert not [button for button in page.at.button if button.key in ("corpus_score_others", "corpus_go_on")]


def test_the_menu_offers_all_metrics_and_an_empty_choice_is_the_metric_of_the_page(monkeypatch):
    page = Page(metric="gtm", corpus_scored_menu=True)
    monkeypatch.setattr(type(upload.ENTRY), "draw_file_input", lambda entry, way: FILES)
    page.set_state(corpus_scored_menu=True)
    (menu,) = [menu for menu in page.at.multiselect if menu.key == "corpus_scored_chosen"]
    assert menu.value == [*metrics.METRICS]
    menu.set_value([])
    page.set_state()
    assert page.at.session_state.corpus_scored == ("gtm",)
    page.press("corpus_scored_few")
    assert page.at.session_state.corpus_scored == ("bleu", "chrf", "ter")
    page.press("corpus_scored_all")
    assert page.at.session_state.corpus_scored == tuple(sorted(metrics.METRICS))


def test_a_stopped_job_goes_on_with_the_numbers_of_one_that_was_not_stopped(monkeypatch):
    """Check on the page that what is scored is kept, that it says what is left, and that the tables are the same."""
    whole = scored_job()
    monkeypatch.setattr(tasks, "LARGEST", 5)
    job, stops = new_job(), 0
    stop_after(job, 30)
    job.start()
    page = None
    while not ended(job).tables.keys() >= metrics.METRICS.keys():
        assert job.stopped and len(job.unfinished()) == len(metrics.METRICS) - len(job.tables)
        kept = {key: [part.task for part in parts] for key, parts in job._parts.items()}
        page = page or Page(job, metric="bleu")
        page.set_state()
        (button,) = [button for button in page.at.button if button.key == "corpus_go_on"]
        assert button.label.startswith(f"Go on: {len(job.unfinished())} metric")
        stops += 1
        stop_after(job, 40)
        page.press("corpus_go_on")
        ended(job)
        for key, given in kept.items():
            assert key in job.tables or [part.task for part in job._parts[key]][: len(given)] == given
    assert stops > 2 and not job.stopped
    for key, table in whole.tables.items():
        assert job.tables[key].names == table.names
        assert np.array_equal(job.tables[key].statistics, table.statistics)
        assert np.array_equal(job.tables[key].scores, table.scores)


def test_one_metric_of_a_stopped_job_can_be_scored_alone():
    job = new_job()
    stop_after(job, 1)
    job.start()
    ended(job)
    missing = [key for key in metrics.METRICS if key not in job.tables]
    job.go_on(["ter"])
    ended(job)
    assert "ter" in job.tables and job.unwanted() == [key for key in missing if key != "ter"] and not job.stopped


def test_metrics_that_are_asked_for_while_others_are_scored_come_after_them():
    job = new_job(wanted=["bleu"])
    begun, go = threading.Event(), threading.Event()
    store = job._store_progress

    def store_and_wait(progress):
        store(progress)
        begun.set()
        assert go.wait(LIMIT)

    job._store_progress = store_and_wait
    job.start()
    assert begun.wait(LIMIT)
    job.go_on(["ter", "no metric"])
    go.set()
    ended(job)
    assert [*job.tables] == ["bleu", "ter"] == job.wanted


def test_a_job_stops_while_its_words_are_still_being_read(monkeypatch):
    gate, split = threading.Event(), corpora.split_corpus

    def split_slowly(*given):
        assert gate.wait(LIMIT)
        return split(*given)

    monkeypatch.setattr(corpora, "split_corpus", split_slowly)
    job = new_job(wanted=["bleu", "ter"])
    job.start()
    job.stop()
    until(lambda: job.ended)  # although the words are not there
    assert job.stopped and not job.tables
    job.go_on()
    gate.set()
    ended(job)
    assert {*job.tables} == {"bleu", "ter"}


@pytest.mark.parametrize("view", VIEWS)
def test_the_page_says_what_is_not_scored_wherever_metrics_stand(view):
    job = scored_job(["bleu", "ter"])
    looks = {"corpus_columns": "delta.gtm,a.ter", "corpus_against": "gtm", "corpus_sort": "delta.gtm"}
    page = Page(job, metric="bleu", corpus_view=view, corpus_where='[["","gtm < 0.5"]]', **looks)
    if view != "all":
        assert "gtm is not scored" in page.html + "".join(each.value for each in [*page.at.warning, *page.at.info])
    page.set_state(corpus_where="")
    ended(job)
    page.set_state()
    if view == "all":
        assert "Not scored: chrF, NIST," in page.html


def test_saved_files_name_the_metrics_that_are_not_scored(monkeypatch):
    job = scored_job(["bleu", "ter"])
    files = offered_files(job, monkeypatch, metric="bleu")
    for ending in ("html", "txt", "md", "tex"):
        assert "Without scores: chrF, NIST," in files[ending]().decode()


def test_costs_are_measured_of_a_large_corpus_only_and_said(monkeypatch):
    material = read(FILES)
    assert scoring.start_measuring_costs("few", material, CorpusState()) == {}
    job = new_job(wanted=["bleu"])
    job.costs = {key: 60.0 * (corpora.os.cpu_count() or 1) for key in metrics.METRICS}
    job.start()
    page = Page(ended(job), metric="bleu")
    (button,) = [button for button in page.at.button if button.key == "corpus_score_others"]
    assert button.label == "Score the others: 14, about 14 min"


def test_a_job_without_costs_says_none():
    job = score_corpus(read(FILES), keys=("bleu",), first="bleu")
    assert job.seconds_left() is None and job.expected_seconds(["bleu"]) is None
