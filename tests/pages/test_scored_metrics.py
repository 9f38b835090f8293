"""Tests of the metrics that a corpus is scored by: chosen before, stopped and gone on with, and scored later."""

import os
import threading

import numpy as np
import pytest

import metrics
from metrics.corpus import resampling, tasks
from metrics.text import TextSettings
from metrics.text.formats import File, read
from tests.helpers.corpora import FOLDER
from tests.helpers.pages import CorpusPage, offered_files, rerun_until_idle, score_corpus, until
from tests.helpers.waiting import LIMIT
from viz.frame import corpus_scoring
from viz.frame.corpora import CorpusJob
from viz.pages.corpus import scoring, upload, visitor_corpus
from viz.pages.corpus.record import VIEWS, CorpusState
from viz.state.links import link

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
    return visitor_corpus.CORPORA.register(job)


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
    page = CorpusPage(corpus_scored=("bleu", "ter"), metric="gtm")
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
    page = CorpusPage(metric="gtm", corpus_scored_menu=True)
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
        page = page or CorpusPage(job, metric="bleu")
        page.set_state()
        (button,) = [button for button in page.at.button if button.key == "corpus_go_on"]
        assert button.label.startswith(f"Continue: {len(job.unfinished())} metric")
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
    gate, split = threading.Event(), corpus_scoring.split_corpus

    def split_slowly(*given):
        assert gate.wait(LIMIT)
        return split(*given)

    monkeypatch.setattr(corpus_scoring, "split_corpus", split_slowly)
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
    page = CorpusPage(job, metric="bleu", corpus_view=view, corpus_where='[["","gtm < 0.5"]]', **looks)
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
    job.costs = {key: 60.0 * (os.cpu_count() or 1) for key in metrics.METRICS}
    job.start()
    page = CorpusPage(ended(job), metric="bleu")
    (button,) = [button for button in page.at.button if button.key == "corpus_score_others"]
    assert button.label == "Score the others: 14, about 14 min"


def test_a_job_without_costs_says_none():
    job = score_corpus(read(FILES), keys=("bleu",), first="bleu")
    assert job.seconds_left() is None and job.expected_seconds(["bleu"]) is None


# ---------------------------------------------------------------- scores that came with the files


def table_with_scores():
    """Return a table of two systems with scores of another program for each segment, B better by 0.1 in each."""
    lines = [file.data.decode().splitlines() for file in FILES]
    rows = ["A\tB\treference\tA.COMET\tB.COMET"]
    for n, texts in enumerate(zip(*lines, strict=True)):
        comet = 0.5 + n / 200
        rows.append("\t".join([*texts, f"{comet:.4f}", f"{comet + 0.1 + n / 1000:.4f}"]))
    return read([File("all.tsv", "\n".join(rows).encode())])


@pytest.fixture(scope="module")
def with_comet():
    job = CorpusJob(table_with_scores(), TextSettings(), {"bleu": metrics.settings("bleu")}, "bleu")
    job.start()
    return ended(job)


def test_scores_of_the_files_are_tested_as_metrics_that_average_segments_are(with_comet):
    """Check mean, interval, p and standings against the resampling of plain numbers."""
    table = with_comet.table("comet")
    scores = np.array([with_comet.material.scores["COMET"][name] for name in with_comet.names])
    assert with_comet.corpus_scores("comet").tolist() == pytest.approx(scores.mean(axis=1).tolist())
    with_comet.system_comparisons("comet", 0)
    with_comet.standings("comet")
    until(lambda: not with_comet.is_busy)
    (pair,) = with_comet.known_system_comparisons("comet", 0)
    (samples,) = resampling.scores_of_resamples([table])
    assert pair.interval == resampling.interval(samples[1] - samples[0])
    assert pair.delta == pytest.approx((scores[1] - scores[0]).mean()) and pair.p_corrected < 0.01
    assert with_comet.standings("comet").ranks == (2, 1)


def test_the_page_shows_scores_of_the_files_without_causes(with_comet):
    page = CorpusPage(with_comet, metric="bleu", corpus_given="comet")
    page = rerun_until_idle(page, with_comet)
    assert "without an alignment" in page.html and "COMET" in page.html
    assert tile_lines(page)["comet"][0] == "B +0.1295*"
    sent = page.component_data_with("rows")
    worth = with_comet.ledger("comet", 0, 1).worth
    assert sum(worth) == pytest.approx(0.1295) and worth[10] == pytest.approx(0.11 / 60)
    assert [row[0] for row in sent["rows"]][:2] == [59, 58]  # sorted by worth, which grows with the number
    page.set_state(corpus_view="all")
    page = rerun_until_idle(page, with_comet)
    assert "the better one B. </p>" in page.html  # nothing is missing
    assert "B is first by COMET" in page.html and "BLEU" in page.html
    with_comet.turn_given("comet")
    page = rerun_until_idle(page, with_comet)
    assert "Lower is better" in page.html and 'data-tell="turn:comet"' in page.html
    assert with_comet.standings("comet").ranks == (1, 2)
    with_comet.turn_given("comet")


def test_saved_tables_have_the_scores_of_the_files(with_comet, monkeypatch):
    for given in ("", "comet"):
        files = offered_files(with_comet, monkeypatch, metric="bleu", given=given)
        for ending in ("html", "md", "tex"):
            text = files[ending]().decode()
            assert "COMET" in text and "0.7770" in text
        assert "b.comet" in files["csv"]().decode().splitlines()[0]
    assert "without an alignment" in files["html"]().decode()
    assert "comet|given" in files["md"]().decode()


def test_scores_that_lack_a_segment_are_no_metric():
    rows = ["A\tB\treference\tA.COMET\tB.COMET", "a b\ta c\ta b\t0.5\t0.6", "a b\ta c\ta b\t\t0.6"]
    job = CorpusJob(
        read([File("x.tsv", "\n".join(rows).encode())]), TextSettings(), {"bleu": metrics.settings("bleu")}, "bleu"
    )
    assert not job.given_tables and [*job.score_names] == ["comet"]
    page = CorpusPage(visitor_corpus.CORPORA.register(job), corpus_given="comet")
    assert page.at.session_state.corpus_given == ""
    job.stop()
