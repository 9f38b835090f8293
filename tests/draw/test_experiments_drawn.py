"""Tests of experiments as tables, charts and grids: the paper's numbers next to ours, and what a click opens."""

import re
from dataclasses import replace

import pytest

from metrics.corpus.agreement.experiments import EXPERIMENTS
from metrics.corpus.agreement.experiments.experiment import (
    Chart,
    CurvePoint,
    ExperimentCell,
    ExperimentCurve,
    ExperimentGrid,
    ExperimentOutcome,
    ExperimentRow,
    ExperimentTable,
    ExperimentValue,
    OpenedOutput,
)
from tests.helpers.fragments import read
from viz.draw.agreement import curves, results, weights

PLACES = tuple(OpenedOutput(n, n + 1, "bleu", (("max_order", 2),)) for n in range(3))
ROWS = (
    ExperimentRow("BLEU-1", (ExperimentValue(0.5, 0.25, 0.75), None), PLACES[:1]),
    ExperimentRow(
        "<b>ours</b>",
        (ExperimentValue(-0.125, -0.25, 0.0), ExperimentValue(None, why="All scores are the same.")),
        PLACES[1:],
    ),
    ExperimentRow("chance", (ExperimentValue(0.0), ExperimentValue(0.001)), is_baseline=True),
)
CURVES = (
    ExperimentCurve(
        "GTM $x$", (CurvePoint(1, 0.1, 0.0, 0.2, PLACES[:1]), CurvePoint(100, 0.3, 0.25, 0.35, PLACES[1:2]))
    ),
    ExperimentCurve("chance", (CurvePoint(1, 0.0), CurvePoint(100, 0.0)), is_baseline=True),
)
OUTCOME = ExperimentOutcome(
    (ExperimentTable("table-1", "Ours <i>", ("mqm", "esa"), ROWS),),
    (Chart("lengths", "By n", "n", "ρ", CURVES, log=True, says="So it is."),),
    (
        ExperimentGrid(
            "A, segment 1",
            ("a", "<b>"),
            ("x", "y"),
            (ExperimentCell(0, 0, 0.4), ExperimentCell(1, 1, -0.1)),
            0.3,
            PLACES[2],
        ),
    ),
    ("One is left out.",),
)
PRINTED = ExperimentTable(
    "table-1",
    "The paper's",
    ("fluency",),
    (ExperimentRow("BLEU-1", (ExperimentValue(0.8, 0.7, 0.9),)), ExperimentRow("SIA", (ExperimentValue(0.25),))),
    "Table 1",
)


def printed_experiment(*printed):
    first = EXPERIMENTS[0]
    return replace(first, paper="A <paper>", printed=first.printed._replace(tables=printed), differs=("It differs.",))


def click_targets(html):
    return [e.get("data-tell").partition(":")[2] for e in read(html) if e.get("data-tell")]


def cells_by_row(table):
    return {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in table.one("tbody").all("tr")}


def test_the_papers_numbers_stand_beside_ours_row_by_row():
    tree = read(results.result_tables_html(printed_experiment(PRINTED), OUTCOME))
    (table,) = tree.all("table")
    found = cells_by_row(table)
    assert [*found] == ["BLEU-1", "<b>ours</b>", "chance", "SIA"]
    assert found["BLEU-1"] == ["0.500 0.250 to 0.750", "", ".80.70–.90"]
    assert found["<b>ours</b>"] == ["−0.125 −0.250 to 0", "–", ""]
    assert found["chance"] == ["0", "0.001", ""] and found["SIA"] == ["", "", ".25"]
    assert "Table 1" in table.one("tr", "groups").text and tree.one("figcaption").text == "Ours <i>"
    reach = table.all("span", "reach")[0].children
    assert [re.findall(r"[\d.]+", each.get("style")) for each in reach] == [["50.0", "50.0"], ["75.0"]]
    assert len({len(row.children) for row in table.one("tbody").all("tr")}) == 1


def test_the_papers_tables_stand_beside_those_that_name_them():
    other = replace(PRINTED, key="else")
    pairs, rest = results.pair_tables([PRINTED, other], OUTCOME.tables)
    assert pairs[0].printed == (PRINTED,) and rest == [other], "the same rows are no reason"
    ours = (replace(OUTCOME.tables[0], paper=("else", "table-1")),)
    pairs, rest = results.pair_tables([other, PRINTED], ours)
    assert pairs[0].printed == (other, PRINTED) and rest == []
    pairs, rest = results.pair_tables([PRINTED, other], (replace(ours[0], paper=("else",)),))
    assert pairs[0].printed == (other,) and rest == [PRINTED]
    assert "<details>" in results.result_tables_html(printed_experiment(PRINTED, other), OUTCOME)


def test_coefficients_near_0_are_0_and_probabilities_less_than_the_least():
    def shown_cells(*values, **more):
        row = ExperimentRow("x", tuple(map(ExperimentValue, values)))
        outcome = ExperimentOutcome((ExperimentTable("t", "Near 0", ("a", "b", "c"), (row,), **more),))
        (cells,) = cells_by_row(read(results.result_tables_html(printed_experiment(), outcome)).one("table")).values()
        return cells

    assert shown_cells(-0.0004, 0.0001, 0.0) == ["−0.000", "0.000", "0"]
    assert shown_cells(1e-30, 0.02, 0.0, probabilities=True) == ["<0.001", "0.020", "<0.001"]


def test_all_that_leads_somewhere_leads_to_what_it_stands_for():
    def targets(still):
        made = [
            results.result_tables_html(printed_experiment(), OUTCOME, still=still),
            curves.chart(OUTCOME.charts[0], "c0", 10, still=still).markup,
            weights.weight_grid_html(OUTCOME.grids[0], "g0", still=still),
        ]
        return [name for html in made for name in click_targets(html)]

    opened = [results.outputs_opened_by(OUTCOME, name) for name in targets(still=False)]
    assert opened == [PLACES[:1], PLACES[1:], PLACES[:1], PLACES[1:2], PLACES[2:]]
    assert targets(still=True) == []


@pytest.mark.parametrize(
    "choice", ["", "t9.0", "t0", "t0.9", "c0.0", "c0.9.9", "g7", "x1", "t0.0.0", "t-1.0", "t0.0<b>", "9" * 99]
)
def test_what_is_no_place_opens_nothing(choice):
    assert results.outputs_opened_by(OUTCOME, choice) == ()


def test_a_chosen_row_is_seen():
    tree = read(results.result_tables_html(printed_experiment(), OUTCOME, "t0.1"))
    (chosen,) = tree.all("tr", "chosen")
    assert chosen.all("th")[0].text == "<b>ours</b>"


def test_no_two_curves_look_alike():
    baselines = [ExperimentCurve(name, (), True) for name in ("chance", "judges")]
    looks = curves.curve_looks([*[ExperimentCurve(str(n), ()) for n in range(16)], *baselines])
    assert len({look[1:] for look in looks[:8]}) == 8, "form and dashes alone tell eight apart"
    assert len({*looks}) == 18 and all(look.colour == "beside" for look in looks[16:])


@pytest.mark.parametrize("number", [4, 8, 10])
def test_a_pair_of_one_metric_has_one_colour_and_one_form_and_other_dashes(number):
    one = [ExperimentCurve(str(n), ()) for n in range(number)]
    several = [ExperimentCurve(f"2 references, {n}", (), pair=str(n)) for n in range(4)]
    looks = curves.curve_looks([*one[:4], *several, *one[4:]])
    for first, second in zip(looks[:4], looks[4:8], strict=True):
        assert first[:2] == second[:2] and first.dashes != second.dashes
    assert len({*looks}) == number + 4
    alone = ExperimentCurve("alone", ())
    assert curves.curve_looks([alone._replace(pair="of nothing")]) == curves.curve_looks([alone])


def test_a_logarithmic_scale_has_round_ticks_at_their_places():
    html = curves.chart(OUTCOME.charts[0], "c0").markup
    ticks = {e.text: float(e.get("x")) for e in read(html).all("text", "tick") if "x" in e.attributes}
    assert ticks["10"] - ticks["1"] == pytest.approx(ticks["100"] - ticks["10"], abs=0.2)
    assert "GTM $x$" in read(html).text and "n (log scale)" in read(html).text and "So it is." in read(html).text
    assert read(html).all("polygon", "band")


def test_a_point_of_a_line_opens_its_places():
    """Check that each point with places sends `opens:` and its name, which the page resolves to these places."""
    tree = read(curves.chart(OUTCOME.charts[0], "c0").markup)
    sent = [each.get("data-tell") for each in tree.all("g") if "data-tell" in each.attributes]
    assert sent == ["opens:c0.0.0", "opens:c0.0.1"]
    opened = [results.outputs_opened_by(OUTCOME, each.removeprefix("opens:")) for each in sent]
    assert opened == [PLACES[:1], PLACES[1:2]]


def test_a_cloud_has_a_dot_for_each_output():
    points = tuple(CurvePoint(float(n), float(-n), opens=(place,)) for n, place in enumerate(PLACES))
    cloud = Chart("scatter", "Two judges", "x", "y", (ExperimentCurve("3 outputs", points),), lines=False)
    drawn = curves.chart(cloud, "c0", 10)
    assert sorted(drawn.points["segments"]) == [1, 12, 23] and "3 outputs" in drawn.markup
    assert "Nothing can be drawn" in curves.chart(Chart("empty", "None", "x", "y", ()), "c0").markup


def test_cells_are_the_larger_the_more_they_add_and_open_where_they_take_away():
    tree = read(weights.weight_grid_html(OUTCOME.grids[0], "g0"))
    plus, minus = (tree.one("rect", kind) for kind in ("plus", "minus"))
    area = [float(e.get("width")) ** 2 for e in (plus, minus)]
    assert area[0] / area[1] == pytest.approx(4, rel=0.02)
    assert plus.text == "a × x: 0.4000 of 0.300" and minus.text == "<b> × y: −0.1000 of 0.300"
    assert "a and x 0.400" in tree.one("svg").get("aria-label")


def test_grids_are_folded_but_the_first():
    made = read(weights.weight_grids_html([OUTCOME.grids[0]] * 3))
    assert len(made.all("svg")) == 3 and len(made.all("details")) == 2
    assert [tell.get("data-tell") for tell in made.all("button")] == ["opens:g0", "opens:g1", "opens:g2"]


def test_what_the_paper_says_and_what_differs_is_escaped():
    tree = read(results.experiment_description_html(printed_experiment()))
    assert tree.one("p", "source").text == "A <paper>" and "It differs." in tree.text
    assert read(results.outcome_notes_html(OUTCOME)).one("li").text == "One is left out."
    assert results.outcome_notes_html(ExperimentOutcome()) == ""


@pytest.mark.parametrize("each", EXPERIMENTS, ids=[each.key for each in EXPERIMENTS])
def test_each_paper_is_printed_as_it_prints(each):
    """Check that each paper's tables are drawn with all their rows when there are no results of ours."""
    html = results.result_tables_html(each, ExperimentOutcome())
    tables = read(html).all("table") if html else []
    assert len(tables) == len(each.printed.tables)
    for table, own in zip(tables, each.printed.tables, strict=True):
        assert len(table.one("tbody").all("tr")) == len(own.rows)
