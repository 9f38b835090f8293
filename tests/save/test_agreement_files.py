"""Tests of agreement with people as files: each file is read back and compared with the table it is made of."""

import csv
import io

import numpy as np
import pytest

import metrics
import viz
from metrics.corpus.agreement import (
    ExplainedPair,
    FindingCorrelation,
    Overlap,
    RewardedEdit,
    UndefinedCoefficient,
    UndefinedReason,
    agreement_table,
    correlation,
    external_columns,
    find_in_segment,
    find_wrong_pairs,
    metric_column,
    overlap_by_fault,
)
from metrics.corpus.agreement.experiments import EXPERIMENTS
from metrics.corpus.agreement.experiments.experiment import (
    Chart,
    CurvePoint,
    ExperimentCurve,
    ExperimentGrid,
    ExperimentOutcome,
    ExperimentRow,
    ExperimentTable,
    ExperimentValue,
    OpenedOutput,
)
from metrics.corpus.agreement.experiments.experiment import ExperimentCell as Weight
from metrics.corpus.resampling import Interval
from metrics.corpus.table import score_table as score_table
from metrics.text.judgements import ErrorSpan, JudgementRecord, RatingScale
from metrics.types import segment as segment_of
from tests.helpers.fragments import read_page
from viz.save import agreement_files, agreement_report
from viz.save.agreement_report import AgreementCase, AgreementReportInfo, Section

NAMES = ("=A|b", "B <b>", "C_$x$")
TEXTS = ("a b c d", "a b x d", "c x y d", "a b c", "d d d", "q w e r")
SIGNED = ["gtm|exponent:2.0|refs:1|v:0"]


@pytest.fixture(scope="module")
def table():
    """Return the table of three systems with hostile names and two metrics."""
    random = np.random.default_rng(4)
    systems = {name: [list(random.permutation(text.split())) for text in TEXTS] for name in NAMES}
    human = {
        name: [None if (n, s) == (1, 2) else float(random.integers(-9, 1)) for n in range(6)]
        for s, name in enumerate(NAMES)
    }
    return viz.agreement(systems, [[text.split()] for text in TEXTS], human, ["gtm", "ter"], "mqm").table


@pytest.fixture(scope="module")
def judged(table):
    ratings = np.stack([table.people, np.full_like(table.people, np.nan)], axis=2)
    span = ErrorSpan(0, 2, 0, "target", 0, 1, "Accuracy", "Major")
    return JudgementRecord(NAMES, 6, ("=x", "nobody"), (RatingScale("mqm"),), {"mqm": ratings}, (span, span))


OUTCOME = ExperimentOutcome(
    (
        ExperimentTable(
            "table-1",
            "Ours & theirs",
            ("mqm|x", "esa"),
            (
                ExperimentRow("BLEU-1", (ExperimentValue(-0.125, -0.5, 0.25), None)),
                ExperimentRow("=other", (ExperimentValue(None, why="All are the same."), ExperimentValue(0.25))),
            ),
        ),
    ),
    (
        Chart(
            "curve",
            "A curve",
            "n",
            "ρ",
            (ExperimentCurve("GTM", (CurvePoint(1, 0.5, 0.25, 0.75), CurvePoint(2, 0.75))),),
        ),
    ),
    (ExperimentGrid("A, segment 1", ("a",), ("b",), (Weight(0, 0, 0.5),), 0.5, OpenedOutput(0, 0, "")),),
    ("A note.",),
)
LIU = next(each for each in EXPERIMENTS if each.key == "liu_gildea")


def csv_rows(text):
    return [*csv.reader(io.StringIO(text))]


def test_the_table_as_csv_is_exact(table):
    head, *rows = csv_rows(agreement_files.table_csv(table))
    assert head == ["level", "metric", "coefficient", "value", "low", "high", "epsilon"]
    assert len(rows) == len(table.rows) * 9
    for level, key, name, value, low, high, epsilon in rows:
        cell = table.row(key).cells_at(level)[name]
        if hasattr(cell.coefficient, "value"):
            assert float(value) == cell.coefficient.value
            assert (low, high) == ("", "") if cell.interval is None else (float(low), float(high)) == cell.interval
            assert epsilon == ("" if cell.coefficient.epsilon is None else repr(float(cell.coefficient.epsilon)))
        else:
            assert value == low == high == ""


def test_outputs_have_their_ratings_marks_and_scores(table, judged):
    head, *rows = csv_rows(agreement_files.outputs_csv(table, judged))
    chance = [row.column.key for row in table.rows][2:]
    assert head == ["segment", "system", "mqm by =x", "marked errors", "gtm", "ter", *chance]
    assert len(rows) == 17, "the output that nobody rated has no line"
    for segment, system, rating, marks, gtm, ter, *_ in rows:
        s, n = [name.lstrip("'") for name in NAMES].index(system.lstrip("'")), int(segment) - 1
        assert float(rating) == table.people[s, n] and int(marks) == (2 if (s, n) == (0, 2) else 0)
        assert float(gtm) == table.row("gtm").column.scores[s, n]
        assert float(ter) == table.row("ter").column.scores[s, n] <= 0
    assert rows[0][1] == "'=A|b", "no spreadsheet takes a name for a formula"


def test_pairs_that_a_metric_ranks_against_people_are_lines(table):
    scores = -table.people / 10
    known = find_wrong_pairs(table.people, scores)
    first, second = known.pairs[:2]
    earned = RewardedEdit(0, 1, 0, 1, 0.5, (0,))
    why = {first: ExplainedPair(first, (earned,), 0.0, (), (0,), 3), second: ExplainedPair(second, (), 0.0, (), (), 3)}
    head, *rows = csv_rows(agreement_files.wrong_pairs_csv(known.pairs, NAMES, why))
    assert head == ["segment", "better", "worse", "people", "metric", "marked word earns credit"]
    assert [row[5] for row in rows] == ["yes", "no", *[""] * (len(known.pairs) - 2)]
    assert [int(row[0]) - 1 for row in rows] == [pair.segment for pair in known.pairs]
    for segment, better, worse, people, metric, _ in rows:
        n, (one, other) = int(segment) - 1, [NAMES.index(name.lstrip("'")) for name in (better, worse)]
        assert float(people) == table.people[one, n] - table.people[other, n] > 0
        assert float(metric) == pytest.approx(scores[other, n] - scores[one, n]) and float(metric) > 0


def test_reasons_are_lines():
    overlap = Overlap("edits", 9, 3, 1 / 3, 0.125, Interval(-0.5, 0.5), ())
    why = UndefinedCoefficient(UndefinedReason.FEW, "Too few.")
    count = FindingCorrelation(
        "marks", "blocks", correlation.CoefficientValue(0.25, 9), why, correlation.CoefficientValue(-0.5, 9), (), ()
    )
    head, *rows = csv_rows(agreement_files.reasons_csv([overlap], [count]))
    assert [dict(zip(head, row, strict=True)) for row in rows] == [
        {
            **dict.fromkeys(head, ""),
            "what": "found wrong",
            "name": "edits",
            "number": "9",
            "in marked words": repr(1 / 3),
            "by chance": "0.125",
            "difference low": "-0.5",
            "difference high": "0.5",
        },
        dict.fromkeys(head, "")
        | {"what": "counted: credit, per word", "name": "blocks", "pearson": "0.25", "within segments": "-0.5"},
    ]


@pytest.mark.parametrize("form", ["latex", "markdown"])
def test_tables_have_all_numbers_and_the_signatures(table, form):
    text = agreement_files.table_text(form, table, SIGNED)
    for row in table.rows:
        for cell in (*row.segment.values(), *row.system.values()):
            if hasattr(cell.coefficient, "value"):
                number = f"{cell.coefficient.value:.3f}"
                assert (number.replace("-", "$-$") if form == "latex" else number) in text
    assert SIGNED[0] in text and "mqm" in text
    for remark in table.remarks:
        assert remark.text.split("|")[0][:60] in text.replace("\\|", "|")


def test_an_experiment_as_csv_has_ours_and_the_papers(table):
    _, *rows = csv_rows(agreement_files.experiment_csv(LIU, OUTCOME))
    ours = [row for row in rows if row[0] == "here"]
    assert ["here", "table-1", "BLEU-1", "mqm|x", "-0.125", "-0.5", "0.25", ""] in ours
    assert ["here", "table-1", "'=other", "mqm|x", "", "", "", "All are the same."] in ours
    assert ["here", "curve", "GTM", "1", "0.5", "0.25", "0.75", ""] in ours
    printed = [row for row in rows if row[0] != "here"]
    assert len(printed) == sum(1 for t in LIU.printed.tables for r in t.rows for v in r.values if v)
    assert ["Table 1, section 4.1", "table-1", "BLEU-1", "fluency", "0.147", "", "", ""] in printed


def test_an_experiment_as_markdown_has_the_papers_numbers_beside_ours():
    text = agreement_files.experiment_text("markdown", LIU, OUTCOME)
    lines = [line for line in text.splitlines() if line.startswith("| BLEU-1 ")]
    assert lines[0] == "| BLEU-1 | -0.125 (-0.500 to 0.250) |  | 0.147 | 0.288 | 0.243 |"
    head = next(line for line in text.splitlines() if "mqm" in line)
    assert head.startswith(r"|  | mqm\|x | esa | fluency (paper) |")
    assert "- A note." in text and LIU.differs[0] in text
    widths = {line.replace(r"\|", "").count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(widths) <= 3, "one breadth a table"


def test_an_experiment_as_latex_has_rows_of_one_breadth():
    text = agreement_files.experiment_text("latex", LIU, OUTCOME)
    for block in text.split(r"\begin{tabular}")[1:]:
        rows = [line for line in block.splitlines() if line.endswith(r"\\")]
        assert len({line.replace(r"\&", "").count("&") for line in rows}) == 1
        columns = block[1 : block.index("}")]
        assert rows[0].replace(r"\&", "").count("&") == len(columns) - 1
    assert "$-$0.125 ($-$0.500 to 0.250)" in text and r"\%" not in text.split("%")[0]


def test_the_report_has_all_of_it_and_needs_nothing(table):
    about = AgreementReportInfo("gtm", "GTM", ["A corpus <of> two."], SIGNED, "1 May", "https://example.org/?a=1&b=2")
    cases = [AgreementCase(f"Segment {n} <b>", "<p>rated</p>", "<div>evidence</div>") for n in range(12)]
    parts = [Section("Where <it> is wrong", "<p>Of 9 pairs</p>")]
    html = agreement_report.page_html(about, table, cases, [(LIU, OUTCOME)], parts)
    tree = read_page(html).one("main")
    assert not tree.all("button") and "data-tell" not in html[html.index("<main>") :].replace("[data-tell]", "")
    assert len(tree.all("section", "case")) == agreement_report.CASES_MOST
    assert "A corpus <of> two." in tree.text and "Segment 0 <b>" in tree.text and SIGNED[0] in tree.text
    assert LIU.title in tree.text and "A note." in tree.text and ".147" in tree.text
    first, *contents = tree.all("a")
    assert first.get("href") == "https://example.org/?a=1&b=2"
    assert [e.get("href") for e in contents] == [f"#{part.get('id')}" for part in tree.all("section") if part.get("id")]
    titles = ["Metrics and people", "Where <it> is wrong", LIU.title, "Where GTM and people differ most", "Signatures"]
    assert [e.text for e in contents] == titles
    assert "Of 9 pairs" in tree.text
    for row in table.rows:
        value = row.segment["pearson"].coefficient
        assert f"{value.value:.3f}".replace("-", "−") in tree.text
    assert tree.all("svg", "") and "default-src 'none'" in html


def test_a_notebook_shows_the_table_and_says_what_is_wrong():
    texts = {"A": [["a"], ["b"]], "B": [["a"], ["c"]], "C": [["x"], ["b"]]}
    references, human = [[["a"]], [["b"]]], {"A": [2, 2], "B": [2, 1], "C": [0, 2]}
    shown = viz.agreement(texts, references, human, ["per"])._repr_html_()
    assert "PER" in shown and "Segments" in shown and "<button" not in shown
    for bad, says in (
        ({"D": [1, 2]}, "systems that are given, got 'D'"),
        ({"A": [1]}, "ratings of A must be 2, one a segment, got 1"),
        ({"A": [None, None]}, "a rating of some output"),
    ):
        with pytest.raises(ValueError, match=says):
            viz.agreement(texts, references, bad, ["per"])
    with pytest.raises(ValueError, match="candidates of A must be 1"):
        viz.agreement(texts, references[:1], {})


def test_a_notebook_takes_several_judges_spans_directions_and_other_scores():
    random = np.random.default_rng(3)
    words = "the cat sat on a mat and then the dog ate it".split()
    texts = {name: [[*random.permutation(words)[:6]] for _ in range(8)] for name in "ABC"}
    references = [[words]] * 8
    ratings = {name: random.integers(0, 9, (3, 8, 2)).astype(float) for name in ("mqm", "esa")}
    ratings["mqm"][1, 2] = np.nan
    line = " ".join(texts["B"][0])
    spans = tuple([ErrorSpan(1, 0, 0, "target", at, at + 1, "Accuracy", "Major") for at in (0, len(line) - 1)])
    judged = JudgementRecord(
        tuple("ABC"), 8, ("x", "y"), (RatingScale("mqm", False), RatingScale("esa")), ratings, spans
    )
    scores = {"COMET": {"A": [0.5] * 7 + [None], "B": [*map(float, range(8))]}}
    for scale, way in (("", -1), ("mqm", -1), ("esa", 1)):
        found = viz.agreement(texts, references, judged, ["per"], scale, "item", scores)
        assert np.array_equal(found.table.people, way * ratings[scale or "mqm"].mean(axis=2), equal_nan=True)
        segments = [[*map(segment_of, its, references)] for its in texts.values()]
        own = metric_column(score_table(metrics.METRICS["per"], metrics.settings("per"), segments))
        columns = [own, *external_columns(scores, judged.systems, 8)]
        expected = agreement_table(columns, judged, scale or "mqm", "item")
        assert [row.column.key for row in found.table.rows] == ["per", "COMET", "chance", "judge"]
        assert [row.segment for row in found.table.rows] == [row.segment for row in expected.rows]
    (inside,) = found.marked["per"]
    per = metrics.METRICS["per"], metrics.settings("per")
    seen = {(n, at): find_in_segment(*per, segments[n][at]) for n, at in np.ndindex(3, 8)}
    assert (inside,) == overlap_by_fault(seen, {(1, 0): frozenset({0, 5})}, 8)
    shown = found._repr_html_()
    assert f"<td>{inside.number}</td><td>{inside.share:.3f}</td>" in shown and "COMET" in shown
    for given, says in (
        ({"scale": "fluency"}, "scale must be one of mqm, esa, got 'fluency'"),
        ({"group": "x"}, "group must be one of none, item, sys, got 'x'"),
        ({"scores": {"COMET": {"D": []}}}, "scores of COMET must be of systems that are given, got 'D'"),
        ({"scores": {"COMET": {"A": [1.0]}}}, "scores of COMET of A must be 8, one a segment, got 1"),
    ):
        with pytest.raises(ValueError, match=says):
            viz.agreement(texts, references, judged, ["per"], **given)
    with pytest.raises(ValueError, match="human must be of C, B, A and 8 segments, in this order, got A, B, C and 8"):
        viz.agreement(dict(reversed(texts.items())), references, judged, ["per"])
