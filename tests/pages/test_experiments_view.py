"""Tests of the papers' experiments on the Agreement page: when they are offered, how they run, and what they open."""

import time
from dataclasses import replace

import numpy as np
import pytest

from metrics.corpus.agreement import external_column
from metrics.corpus.agreement.experiments import EXPERIMENTS
from metrics.corpus.agreement.experiments.experiment import (
    ExperimentOutcome,
    ExperimentProgress,
    ExperimentRow,
    ExperimentTable,
    ExperimentValue,
    OpenedOutput,
)
from metrics.corpus.tasks import Stopped
from tests.helpers.pages import AgreementPage, judged_job, until
from viz.pages.agreement import experiments, visitor_corpus
from viz.pages.agreement.record import DRAWS, AgreementState
from viz.state.links import link

pytestmark = pytest.mark.alone  # worker processes compute the scores

PLACES = (OpenedOutput(2, 5, "bleu", (("max_order", 2),)), OpenedOutput(3, 1, "bleu", (("max_order", 2),)))
FOUND = ExperimentTable("t", "What came <of> it", ("mqm",), (ExperimentRow("BLEU-2", (ExperimentValue(0.5),), PLACES),))
OUTCOME = ExperimentOutcome((FOUND,), notes=("Little.",))


@pytest.fixture(scope="module")
def scored_sample():
    """Return an agreement job on the judged talk, scored by GTM."""
    found = judged_job(("gtm",))
    found.start()
    until(lambda: found.is_scored)
    return visitor_corpus.CORPORA.register(found)


@pytest.fixture
def open_with_run(scored_sample, monkeypatch):
    """Return a function that opens the page on the first experiment, whose `run` it replaces by its argument."""

    def with_run(run):
        made = replace(EXPERIMENTS[0], run=run)
        monkeypatch.setattr(experiments, "BY_KEY", {made.key: made})
        scored_sample.resume()
        scored_sample._finders["experiment"].results.clear()
        return AgreementPage(scored_sample, agreement_view="experiments", agreement_experiment=made.key)

    return with_run


def test_all_experiments_are_offered_with_one_click_each(scored_sample):
    page = AgreementPage(scored_sample, agreement_view="experiments")
    for each in EXPERIMENTS:
        assert f'data-tell="experiment:{each.key}"' in page.html, each.key


def test_those_that_the_data_do_not_allow_say_what_they_need(scored_sample, monkeypatch):
    monkeypatch.setattr(scored_sample, "_remembered", {})
    monkeypatch.setattr(scored_sample, "material", replace(scored_sample.material, references={}))
    page = AgreementPage(scored_sample, agreement_view="experiments")
    assert 'data-tell="experiment:orange"' not in page.html and 'data-tell="experiment:turian"' not in page.html
    says = "There must be at least 2 references of each segment, but there are none. Two references of each"
    assert says in page.html


def test_what_comes_of_one_opens_its_segments_by_its_metric_and_settings(open_with_run):
    page = open_with_run(lambda data, tell: OUTCOME)
    until(lambda: page.at.session_state.agreement.finished_results("experiment"))
    page.set_state()
    assert "What came &lt;of&gt; it" in page.html and "<li>Little.</li>" in page.html
    assert "the paper's eight systems and its judgements are not available" in page.html.replace("&#39;", "'")
    page.set_state(agreement_choice="t0.0", agreement_system=2, agreement_segment=5)
    shown = page.component_data_with("title")
    assert shown["title"].startswith("Segment 6 · ") and "1 of 2" in shown["about"]
    assert 'data-metric="bleu"' in page.html and "max_order:2" in page.html
    page.set_state(agreement_choice="t9.9<b>")
    assert "What came" in page.html


def test_it_can_be_stopped_and_goes_on(open_with_run):
    ended = []

    def run(data, tell):
        try:
            for n in range(3_000):
                tell(ExperimentProgress(n / 3_000, "Counts"))
                time.sleep(0.01)
        except Stopped:
            ended.append(True)
            raise
        return OUTCOME

    page = open_with_run(run)
    found = page.at.session_state.agreement
    until(lambda: found.view_progress.says == "Counts")
    assert found.is_busy
    found.stop()
    until(lambda: ended and not found.is_busy)
    page.set_state()
    assert "It was stopped." in page.messages and "agreement_go_on" in page.button_keys


def test_what_goes_wrong_is_one_sentence(open_with_run):
    def run(data, tell):
        raise ValueError("Nothing <came> of it")

    page = open_with_run(run)
    until(lambda: page.at.session_state.agreement._finders["experiment"].results)
    page.set_state()
    assert page.at.error[0].value == r"Nothing \<came\> of it"


def test_options_are_part_of_what_is_asked(scored_sample):
    shown = experiments.AgreementState()
    first = experiments._experiment_data(scored_sample, shown)
    turian, ding = (next(each for each in EXPERIMENTS if each.key == key) for key in ("turian", "ding"))
    more = replace(first, options=replace(first.options, metrics=("ter",), corpus=("a",)))
    assert experiments._outcome_request(turian, first) != experiments._outcome_request(turian, more)
    assert experiments._outcome_request(ding, first) != experiments._outcome_request(ding, more)
    assert experiments._outcome_request(EXPERIMENTS[0], first) == experiments._outcome_request(EXPERIMENTS[0], more)


def test_scores_of_other_programs_take_part(scored_sample, monkeypatch):
    column = external_column("COMET", np.ones((len(scored_sample.names), scored_sample.segment_count)))
    monkeypatch.setattr(scored_sample, "others", [column])
    monkeypatch.setattr(scored_sample, "_remembered", {})
    assert experiments._experiment_data(scored_sample, experiments.AgreementState()).others == (column,)


def test_a_link_asks_for_the_same_numbers(scored_sample, monkeypatch):
    """Check that chosen options of an experiment are part of the page's state, and therefore of its link."""
    turian = next(each for each in EXPERIMENTS if each.key == "turian")
    asked = []
    made = replace(turian, run=lambda data, tell: asked.append(data.options) or OUTCOME)
    monkeypatch.setattr(experiments, "BY_KEY", {made.key: made})
    chosen = {"agreement_draws": 300, "agreement_every_scale": False, "agreement_with": ("bleu", "ter")}
    AgreementPage(scored_sample, agreement_view="experiments", agreement_experiment=turian.key, **chosen)
    until(lambda: asked)
    options = 300, ("mqm",), ("bleu", "ter")
    assert (asked[0].draws, asked[0].scales, asked[0].metrics) == options
    shown = AgreementState(experiment=turian.key, draws=300, every_scale=False, with_metrics=("bleu", "ter"))
    read, problems = link.from_query(link.to_query(shown))
    of = experiments._experiment_data(scored_sample, read).options
    assert not problems and (of.draws, of.scales, of.metrics) == options
    assert [*filter(None, experiments.DRAWS)] == [*DRAWS], "what can be chosen can be linked"
    for wrong in ({"draws": "250"}, {"with": "nobody"}):
        _, problems = link.from_query({"page": "agreement", **wrong})
        assert len(problems) == 1 and next(iter(wrong)) in problems[0]


@pytest.mark.parametrize("line", ["x ||| a", "7 ||| a", "1 a", "-1 ||| a"])
def test_a_line_of_other_translations_that_is_none_is_named(line):
    with pytest.raises(ValueError, match="Line 2 should be a segment's number from 0 to 1"):
        experiments._other_translations(["0 ||| a", line], 2)
