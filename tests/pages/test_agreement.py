"""Tests of the Agreement page in Streamlit's test runner, from loading the judged sample to opening an output."""

import dataclasses
import json
import re
import time

import numpy as np
import pytest

import metrics
from metrics.corpus.agreement import (
    agreement_table,
    agreement_table_stages,
    compare_rows,
    marked_credit,
    marked_words,
    metric_column,
    random_pairs,
    score_directions,
)
from metrics.text import TextSettings, judgements
from metrics.text.formats import File, read
from metrics.text.judgements import JudgementRecord, RatingScale
from metrics.text.processing import process
from tests.helpers.pages import (
    AgreementPage,
    State,
    answer_before_drawing_goes_on,
    complete_job,
    explained_pairs,
    fault_overlaps,
    judged_job,
    until,
    whole_table,
)
from viz.draw.agreement.coefficients import coefficient_text
from viz.frame import visitor_corpora
from viz.pages.agreement import chosen_output, pairs, scatter, visitor_corpus, workspace
from viz.pages.agreement.agreement_job import AgreementInput, AgreementJob
from viz.pages.agreement.record import AgreementState
from viz.pages.agreement.views import DRAWN

pytestmark = pytest.mark.alone  # worker processes compute the scores

SETTINGS = {key: metrics.settings(key) for key in ("gtm", "ter")}


@pytest.fixture(scope="module")
def sample():
    """Return an agreement job on the judged talk, scored by two metrics, whose table is complete."""
    return complete_job(judged_job())


def test_the_sample_is_there_with_one_click():
    page = AgreementPage()
    page.press("agreement_sample")
    found = page.at.session_state.agreement
    assert found.segment_count == 40 and len(found.names) == 6 and found.scale_names == ("mqm",)
    until(lambda: found.tables)
    page.set_state()
    found.stop()
    assert "the judgements are invented too" in page.html


def test_judgements_that_are_pasted_are_said_and_corrected():
    rows = "line\tsystem\trater\tmqm\n1\tA\tx\t0\n2\tA\tx\t-5\n1\tB\tx\t-1\n2\tB\tx\t-1\n2\tC\tx\t0\n"
    fields = {"A": "the cat\na dog", "B": "one cat\nthe dog", "Reference": "the cat\nthe dog", "Judgements": rows}
    page = AgreementPage(agreement_way="paste", **{f"agreement_pasted_{name}": text for name, text in fields.items()})
    assert "Judgements: 5 judgements on mqm; line counts from 1" in page.html
    assert "Judgements of C are left out: there is no such system." in page.html
    page.set_state(agreement_higher={"mqm": False}, agreement_made={"Reference": "B"})
    assert "lower is better for mqm, as specified" in page.html
    assert "The reference Reference was made from B, whose judgements are left out." in page.html
    page.set_state(agreement_pasted_Judgements=rows + "7\tA\tx\t0\n")
    assert "Judgements, line 7: line 7 is none of the 2 segments." in page.at.warning[0].value.replace("\\", "")
    page.set_state(agreement_pasted_Judgements="")
    assert "Now add what people said" in page.at.info[0].value


def test_which_way_other_programs_scores_go_is_said_and_corrected():
    texts = "ref\tA\tB\tA.TER\tB.TER\tA.MetricX\tB.MetricX\n" + "the cat\tthe cat\tone cat\t0\t-1\t0\t1\n" * 2
    rows = "line\tsystem\trater\tmqm\n1\tA\tx\t0\n1\tB\tx\t-5\n2\tA\tx\t0\n2\tB\tx\t-5\n"
    files = (File("texts.tsv", texts.encode()), File("mqm.tsv", rows.encode()))
    page = AgreementPage(agreement_before=files)
    said = "higher is better for TER, whose numbers are not above 0; lower is better for MetricX, by its name"
    assert said in page.html
    page.set_state(agreement_correct_people=True)
    names = [control.label for control in page.at.button_group]
    assert names[-3:] == ["mqm", "TER", "MetricX"]
    page.at.button_group[-1].set_value([True]).run()
    assert "higher is better for MetricX, as specified" in page.set_state().html
    material = read(files[:1])
    judged = judgements.read(files[1:], material)
    given = AgreementInput(files[:1], files[1:], {}, {"MetricX": True})
    found = AgreementJob(material, judged, TextSettings(), SETTINGS, "gtm", given)
    assert [column.scores.tolist() for column in found.others] == [[[0, 0], [-1, -1]], [[0, 0], [1, 1]]]


def test_the_table_is_that_of_the_core(sample):
    page = AgreementPage(sample)
    table = agreement_table([metric_column(sample.tables[key]) for key in ("gtm", "ter")], sample.judged)
    for level in ("segment", "system"):
        for row in table.rows:
            for cell in row.cells_at(level).values():
                assert f"{cell.coefficient.value:.3f}".replace("-", "\u2212") in page.html
    for remark in table.remarks:
        assert remark.text.replace("'", "&#39;") in page.html


def test_two_metrics_are_compared_by_what_the_table_is_sorted_by(sample):
    page = AgreementPage(sample, agreement_compare=True, agreement_level="system", agreement_sort="pearson")
    until(lambda: not sample.is_busy)
    found = compare_rows(whole_table(sample), "gtm", "ter", "system", "pearson")
    said = page.set_state().html
    assert "Over systems, by Pearson of the means of segment scores" in said and "Williams&#39; test" in said
    assert f"p = {found.permuted.p[0]:.3f}" in said or f"p = {found.permuted.p[1]:.3f}" in said


def test_the_chosen_output_shows_what_people_said_and_its_evidence(sample):
    page = AgreementPage(sample, agreement_system=0, agreement_segment=0)
    assert page.component_data_with("title")["title"] == "Segment 1 · Borderline"
    assert 'data-segment="0"' in page.html and "marked: Major, Style/Awkward" in page.html
    assert "mqm <b>\u221220</b> by" in page.html and 'data-metric="gtm"' in page.html


def test_a_pair_that_the_metric_ranks_against_people_shows_what_it_rewards(sample, monkeypatch):
    monkeypatch.setattr(pairs, "MOST", 20)
    monkeypatch.setattr(pairs, "RANDOM", 40)
    table = whole_table(sample)
    found = pairs.misranked_pairs(sample, table, table.row("gtm").column)
    page = AgreementPage(sample, agreement_view="wrong")
    rows = page.rows
    assert rows["total"] == len(found.pairs) and rows["chosen"] == 0
    first = found.pairs[0]
    assert [row[3] for row in rows["rows"][:3]] == [pair.segment for pair in found.pairs[:3]]
    names = sample.names[first.better], sample.names[first.worse]
    assert f"People prefer <bdi>{names[0]}</bdi> by" in page.html and f"prefers <bdi>{names[1]}</bdi>" in page.html
    column = table.row("gtm").column
    page.run_when_idle(sample)  # this run requests the random pairs too
    until(lambda: not sample.is_busy)
    clearest, random = pairs.marked_credits(sample, table, column, found)
    assert (clearest.explained, random.explained) == (20, 40)
    for each in (clearest, random):
        assert each.says("GTM") in page.set_state().html and "a marked word earns credit" in each.says("GTM")
    assert f"% of a random 40 of all {len(found.pairs):,} pairs that GTM ranks against people" in random.says("GTM")
    lots = random_pairs(found, 40)
    assert random == marked_credit(found, explained_pairs(sample, lots), drawn=True)
    assert {*lots} - {*found.pairs[:20]}, "they are of all pairs"


def test_pairs_are_explained_no_longer_where_something_else_is_looked_at(sample, monkeypatch):
    """Check that explaining misranked pairs pauses while something else is shown, and resumes where it stopped."""
    table = whole_table(sample)
    of = table.row("ter").column
    known = pairs.misranked_pairs(sample, table, of)
    started = []

    def slow(cores, do, given):
        for each in given:
            started.append(len(each[3]))
            time.sleep(0.05)
            yield []

    monkeypatch.setattr(pairs, "run_each_in_process", slow)
    for away in (AgreementState(view="table", metric="ter"), AgreementState(view="wrong", metric="gtm")):
        before = sum(started)
        pairs.marked_credits(sample, table, of, known)
        until(lambda before=before: sum(started) >= before + 40)
        pairs.drop_other_explanations(sample, AgreementState(view="wrong", metric="ter"), table)
        assert sample.is_busy, "it goes on while it is looked at"
        pairs.drop_other_explanations(sample, away, table)
        until(lambda: not sample.is_busy)
    assert sum(started) <= min(pairs.MOST, len(known.pairs)), "no pair is explained twice"


def test_reasons_are_those_of_the_core_and_open_their_outputs(sample):
    page = AgreementPage(sample, agreement_view="reasons").run_when_idle(sample)
    found = fault_overlaps(sample, "gtm")[0]
    assert f"{100 * found.share:.1f} %" in page.html and f"{100 * found.chance:.1f} %" in page.html
    page.set_state(agreement_choice=f"fault:{found.fault}")
    system, segment = found.outputs[0]
    assert page.component_data_with("title")["title"] == f"Segment {segment + 1} · {sample.names[system]}"
    assert page.rows["total"] == len(found.outputs)


@pytest.mark.parametrize("view", DRAWN)
def test_what_is_found_before_the_view_is_drawn_is_shown_at_once(sample, monkeypatch, view):
    answer_before_drawing_goes_on(monkeypatch)
    sample._finders["view"].forget_old_results(lambda request: True, 0)
    page = AgreementPage(sample, agreement_view=view)
    assert page.html and 'class="finding"' not in page.html


def test_references_stand_beside_the_systems(sample):
    page = AgreementPage(sample, agreement_view="judges")
    html = page.run_when_idle(sample).html
    assert "No output was rated by two judges" in page.at.info[0].value
    assert "People&#39;s references" in html and "of 13 systems score better than people’s references" in html


def test_a_workspace_file_has_texts_judgements_and_other_programs_scores(sample, monkeypatch):
    scores = {"TER": {"MiSS": tuple([0.5, None] * 30)}}
    monkeypatch.setattr(sample, "material", dataclasses.replace(sample.material, scores=scores))
    monkeypatch.setattr(sample, "ways", score_directions(scores, {"TER": True}))
    state = State(agreement=sample)
    monkeypatch.setattr(visitor_corpus.st, "session_state", state)
    extra = json.loads(json.dumps(workspace.give()()))
    taken = []
    monkeypatch.setattr(workspace.upload, "score_corpus", lambda *given: taken.append(given))
    workspace.take(AgreementState(system=3, segment=7), extra)
    ((material, judged, _, given, *_),) = taken
    assert given.higher == {"TER": True, "mqm": True}
    assert judged.spans == sample.judged.spans and judged.judges == sample.judged.judges
    assert np.array_equal(judged.ratings["mqm"], sample.judged.ratings["mqm"], equal_nan=True)
    assert material.scores == scores and (state.agreement_system, state.agreement_segment) == (3, 7)
    texts, wanted = ([each.lines for each in of.systems.values()] for of in (material, sample.material))
    assert texts == wanted
    wrong = (("ratings", []), ("ratings", [1]), ("higher_is_better", {"mqm": 1}), ("scores", {"x": {"y": [1]}}))
    for name, damaged in wrong:
        with pytest.raises(ValueError, match=r"\w"):
            workspace.take(AgreementState(), {"judged": {**extra["judged"], name: damaged}})
    with pytest.raises(ValueError, match=r"\w"):
        workspace.take(AgreementState(), {"judged": "x"})


def test_other_programs_scores_take_part_everywhere(sample):
    people = sample.judged.oriented_means("mqm")
    theirs = {name: tuple(people[n]) for n, name in enumerate(sample.names)}
    found = judged_job(scores={"COMET": theirs, "gtm": theirs})
    table = next(agreement_table_stages(found.known_columns(), found.judged))
    assert [row.column.key for row in table.rows][:3] == ["COMET", "gtm (given)", "chance"]
    assert round(table.row("COMET").system["pearson"].coefficient.value, 9) == 1
    shown = AgreementState(column="COMET")
    assert chosen_output.selected_column_key(found, shown) == "COMET"
    assert chosen_output.selected_column_key(found, AgreementState(column="x")) == "gtm"
    first = chosen_output.most_disputed(found, shown, table).outputs[0]
    assert chosen_output.rank_differences(table, table.row("COMET").column)[first.system, first.segment] == 0


def test_every_view_draws_the_sample(sample):
    for view in DRAWN:
        assert AgreementPage(sample, agreement_view=view).html


def test_a_tab_finds_its_corpus_by_a_name_that_nobody_guesses(sample):
    assert visitor_corpus.CORPORA.find(sample.name) is sample and len(sample.name) >= 24
    assert visitor_corpus.CORPORA.find("x") is None and visitor_corpus.CORPORA.find(None) is None
    assert visitor_corpora.LOST in AgreementPage(agreement_lost=True).warnings


def test_without_a_reference_both_texts_are_shown_with_what_people_marked(sample):
    people = sample.judged.oriented_means("mqm")
    scores = {"COMET": {name: tuple((-people[n]).tolist()) for n, name in enumerate(sample.names)}}
    found = visitor_corpus.CORPORA.register(judged_job(references={}, scores=scores))
    until(lambda: whole_table(found).stage == "intervals" and not found.is_busy)
    page, table = AgreementPage(found, agreement_view="wrong"), whole_table(found)
    first = pairs.misranked_pairs(found, table, table.row("COMET").column).pairs[0]
    assert str(visitor_corpora.UNREFERRED) in [info.value for info in page.at.info]
    for side, system in (("a", first.better), ("b", first.worse)):
        tokens = process(found.output_text(system, first.segment))
        marked = marked_words(tokens, found.marked_errors_by_output.get((system, first.segment), ()))
        shown = re.findall(rf'class="([^"]*)" data-word="{side}(\d+)"', page.html)
        assert {int(n) for look, n in shown if "mk" in look.split()} == marked
        assert len(shown) == len(tokens)
    assert "Source" in page.html
    system, segment = next(output for output in found.marked_errors_by_output if output[1] != first.segment)
    page.set_state(agreement_view="table", agreement_system=system, agreement_segment=segment)
    assert 'data-word="a0"' in page.html and 'data-word="b0"' not in page.html and "mk" in page.html
    source = next(span for span in sample.judged.spans if span.side == "source" and span.end > span.start)
    page.set_state(agreement_system=source.system, agreement_segment=source.segment)
    assert '<mark class="mk' in page.html


def corpus_with_two_judges():
    """Return a corpus of three systems with a reference, as read from files, and random ratings of it by two judges."""
    random = np.random.default_rng(2)
    names, size = ("A", "B", "C"), 12
    words = "the cat sat on a mat and the dog ate it".split()
    lines = {
        name: [" ".join(random.permutation(words)[: random.integers(4, 11)]) for _ in range(size)] for name in names
    }
    files = [File(f"system.{name}.txt", "\n".join(each).encode()) for name, each in lines.items()]
    files.append(File("reference.txt", "\n".join([" ".join(words)] * size).encode()))
    ratings = random.integers(0, 100, (3, size, 2)).astype(float)
    return read(files), JudgementRecord(names, size, ("x", "y"), (RatingScale("esa"),), {"esa": ratings})


def test_points_are_of_one_judge_and_of_chance_too():
    material, judged = corpus_with_two_judges()
    found = complete_job(AgreementJob(material, judged, TextSettings(), {"gtm": metrics.settings("gtm")}, "gtm"))
    page = AgreementPage(found, agreement_view="scatter")
    assert "<b>GTM and people on each output</b>" in "".join(page.markups)
    assert [*page.widget("agreement_points").options] == ["GTM", "One judge against the others", "Chance"]
    table = whole_table(found)
    judge = table.row("judge").column
    shown = "".join(page.set_state(agreement_points="judge").markups)
    assert "<b>One judge and the others on each output</b>" in shown and "the other judges: esa" in shown
    value = table.row("judge").segment["pearson"].coefficient.value
    assert f"One judge against the others {coefficient_text(value)}" in shown
    drawn = scatter.outputs_chart(found, table, judge, None).points
    assert sorted(drawn["segments"]) == [*range(36)]
    assert drawn["low"][0] < np.nanmin(judge.people) and drawn["high"][0] > np.nanmax(judge.people)
    assert "Chance (GTM permuted) and people" in "".join(page.set_state(agreement_points="chance").markups)


def test_of_one_judge_an_output_what_cannot_stand_up_is_not_offered(sample):
    page = AgreementPage(sample, agreement_view="scatter", agreement_points="judge")
    assert "<b>GTM and people on each output</b>" in "".join(page.markups)
    assert [*page.widget("agreement_points").options] == ["GTM", "Chance"]


def test_metrics_that_were_not_scored_when_it_was_stopped_are_scored_later():
    """Check that a stopped corpus goes on with what is missing, and that its table is then made anew of all metrics."""
    corpus = visitor_corpus.CORPORA.register(judged_job())
    corpus.stop()
    corpus.start()
    until(lambda: corpus.scoring.ended)
    assert corpus.scoring.stopped and not corpus.tables
    page = AgreementPage(corpus)
    assert "Stopped: 0 of 2 metrics are scored." in page.messages and "agreement_others" in page.button_keys
    corpus.score_others()
    until(lambda: corpus.scoring.ended)
    assert {*corpus.tables} == {*corpus.settings} and not corpus.stopped
    until(lambda: whole_table(corpus).stage == "intervals")
    assert {*corpus.settings} <= {row.column.key for row in whole_table(corpus).rows}
