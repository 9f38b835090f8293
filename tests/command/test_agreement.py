"""Tests of the command line's option `--agreement`: how well metrics agree with judgements by people.

The printed numbers are the core's, and each fault of a call or file is one sentence."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest
from scipy import stats

import metrics
from metrics.__main__ import main
from tests.helpers.corpora import FOLDER as TED

NAMES = ("MiSS", "Online-W", "SMU")
SIZE = 60
FILES = {name: TED / f"system.{name}.en.txt" for name in NAMES}
REFERENCE = TED / "reference.A.en.txt"
UNREFERRED = [part for name, file in FILES.items() for part in ("--system", f"{name}={file}")]
CALL = [*UNREFERRED, "--reference", str(REFERENCE)]


def read_words(file):
    return [line.split() for line in file.read_text("utf8").splitlines()]


def random_ratings(seed=3):
    """Return random ratings by two made-up judges, "x" and "y"; the key is (system, index of the segment, judge)."""
    chance = random.Random(seed)
    return {(s, n, j): float(-chance.randrange(9)) for s in (*NAMES, "ref-A") for n in range(SIZE) for j in "xy"}


@pytest.fixture
def human_file(tmp_path):
    rows = [f"{n + 1}\t{s}\t{j}\t{value}\t{-value}\n" for (s, n, j), value in random_ratings().items()]
    file = tmp_path / "human.tsv"
    file.write_text("line\tsystem\trater\tmqm\terror_count\n" + "".join(rows), encoding="utf8")
    return str(file)


@pytest.fixture
def run(capsys):
    def call_program(*argv, status=0):
        assert main([*argv]) == status
        return capsys.readouterr()

    return call_program


def test_coefficients_are_scipys_and_lie_in_their_intervals(run, human_file):
    keys = ["bleu", "ter", "ribes"]
    printed = run(*CALL, "--human", human_file, "--agreement", "-m", ",".join(keys), "-f", "json")
    found = json.loads(printed.out)["agreement"]
    given, references = random_ratings(), read_words(REFERENCE)
    people = {(s, n): (given[s, n, "x"] + given[s, n, "y"]) / 2 for s in NAMES for n in range(SIZE)}
    for key in keys:
        sign = 1 if metrics.METRICS[key].higher_is_better else -1
        scores = {
            (s, n): sign * metrics.score(key, candidate, [references[n]]).score
            for s, file in FILES.items()
            for n, candidate in enumerate(read_words(file))
        }
        x, y = zip(*[(people[at], scores[at]) for at in people], strict=True)
        for name, of in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
            cell = found["segment"][key][name]
            assert cell["value"] == pytest.approx(of(x, y)[0], abs=1e-12)
            assert cell["low"] <= cell["value"] <= cell["high"]
        assert {*found["segment"][key]} == {"pearson", "spearman", "kendall", "accuracy"}
        assert {*found["system"][key]} == {"pearson", "spearman", "kendall", "accuracy", "spa"}
        spa = found["system"][key]["spa"]
        assert 0 <= spa["value"] <= 1 and spa["low"] is spa["high"] is None
    assert "Judgements of ref-A are left out: there is no such system." in printed.err
    assert "higher is better for mqm, whose penalties are below 0" in printed.err


@pytest.mark.slow
def test_every_format_has_the_same_numbers(run, human_file):
    asked = [*CALL, "--human", human_file, "--agreement", "-m", "gtm", "--decimals", "3"]
    value = json.loads(run(*asked, "-f", "json").out)["agreement"]["segment"]["gtm"]["pearson"]
    shown = f"{value['value']:.3f} ({value['low']:.3f} to {value['high']:.3f})"
    for form in ("text", "markdown"):
        out = run(*asked, "-f", form).out
        assert shown in out and "Agreement with people on mqm: 180 judged outputs of 3 systems, 60 segments" in out
        assert "Chance (GTM permuted)" in out and "One judge against the others" in out
    latex = run(*asked, "-f", "latex").out
    assert shown.replace("-", "$-$") in latex and latex.count(r"\begin{tabular}") == 3
    _, table = run(*asked, "-f", "tsv").out.split("\n\n")
    rows = [*csv.DictReader(io.StringIO(table), delimiter="\t")]
    place = {"level": "segment", "metric": "gtm", "coefficient": "pearson"}
    own = next(row for row in rows if row.items() >= place.items())
    assert [float(own[name]) for name in ("value", "low", "high")] == [*value.values()][:3]


@pytest.mark.slow
def test_what_lies_in_marked_spans_is_said(run, human_file, tmp_path):
    marks = tmp_path / "marks.tsv"
    rows = [
        f"{n + 1}\tSMU\tx\t0\t{len(' '.join(line[:2]))}\n" for n, line in enumerate(read_words(FILES["SMU"])) if line
    ]
    marks.write_text("line\tsystem\trater\tstart\tend\n" + "".join(rows), encoding="utf8")
    asked = [*CALL, "--human", human_file, "--spans", str(marks), "--agreement", "-m", "wer,gtm"]
    found = json.loads(run(*asked, "-f", "json").out)["agreement"]["marked"]
    all_words = in_spans = 0
    for name, file in FILES.items():
        for n, candidate in enumerate(read_words(file)):
            result = metrics.score("gtm", candidate, [read_words(REFERENCE)[n]])
            matched = {cell.i for layer in result.layers for cell in layer.cells()}
            free = [i for i in range(len(candidate)) if i not in matched]
            all_words += len(free)
            in_spans += sum(i < 2 for i in free) if name == "SMU" else 0
    own = next(each for each in found["gtm"] if each["fault"] == "unmatched words")
    assert (own["number"], own["marked"]) == (all_words, in_spans)
    assert own["share"] == pytest.approx(in_spans / all_words)
    assert "edits" in [each["fault"] for each in found["wer"]]
    assert all(each["difference"]["low"] <= each["difference"]["high"] for of in found.values() for each in of)
    for form in ("text", "markdown", "latex"):
        out = run(*asked, "-f", form).out
        assert "in marked spans" in out and "unmatched words" in out and "broken runs" in out
    assert "in marked spans" not in run(*[part for part in asked if part not in ("--spans", str(marks))]).out


@pytest.mark.slow
def test_scales_groups_and_directions_are_asked_for(run, human_file):
    def agreement_json(*more):
        asked = [*CALL, "--human", human_file, "--agreement", "-m", "bleu", "-f", "json"]
        return json.loads(run(*asked, *more).out)["agreement"]

    first, errors = agreement_json(), agreement_json("--scale", "error_count")
    assert first["scale"] == "mqm" and errors["scale"] == "error_count"
    assert first["segment"]["bleu"] == errors["segment"]["bleu"]  # the same penalties with the opposite sign
    turned = agreement_json("--scale", "error_count", "--higher-is-better", "error_count")["segment"]
    assert turned["bleu"]["pearson"]["value"] == pytest.approx(-first["segment"]["bleu"]["pearson"]["value"])
    grouped = agreement_json("--group", "item", "--tau", "13")
    assert (grouped["group"], grouped["tau"]) == ("item", "13")
    assert grouped["segment"]["bleu"]["kendall"]["value"] != first["segment"]["bleu"]["kendall"]["value"]


def test_a_system_that_the_reference_was_made_from_is_left_out(run, human_file):
    asked = [*CALL, "--human", human_file, "--agreement", "-m", "bleu", "-f", "json", "--made-from"]
    out = run(*asked, "reference.A.en=SMU", status=1)
    assert "there is no reference reference.A.en" in out.err
    out = run(*asked, "A=SMU")
    assert "The reference A was made from SMU, whose judgements are left out." in out.err
    assert json.loads(out.out)["agreement"]["judged"] == 2 * SIZE


@pytest.fixture
def table_with_scores(tmp_path):
    """Return a function that writes a table with the reference, the systems' outputs and scores, and returns its path.

    The scores are judge x's ratings times a sign. Each keyword of the function is the name of a score and its sign,
    1 or −1; the ratings are at or below 0."""

    def write_table(**signs):
        texts = {name: file.read_text("utf8").splitlines() for name, file in FILES.items()}
        rows = [["ref", *NAMES, *[f"{name}.{key}" for key in signs for name in NAMES]]]
        for n, reference in enumerate(REFERENCE.read_text("utf8").splitlines()):
            numbers = [f"{sign * random_ratings()[name, n, 'x']}" for sign in signs.values() for name in NAMES]
            rows.append([reference, *[texts[name][n] for name in NAMES], *numbers])
        file = tmp_path / "texts.tsv"
        file.write_text("".join(["\t".join(row) + "\n" for row in rows]), encoding="utf8")
        return str(file)

    return write_table


def test_which_way_other_programs_scores_go_is_said_and_can_be_said_otherwise(run, table_with_scores, human_file):
    file = table_with_scores(COMET=1, MetricX=-1, TER=1)
    asked = ["--corpus", file, "--human", human_file, "--agreement", "-m", "per", "-f", "json"]
    printed = run(*asked)
    cells = json.loads(printed.out)["agreement"]["segment"]
    first = cells["COMET"]["pearson"]["value"]
    assert first > 0.6
    assert cells["MetricX"]["pearson"]["value"] == cells["TER"]["pearson"]["value"] == pytest.approx(first)
    assert (
        "Other programs' scores: higher is better for COMET, as for most scores; lower is better for MetricX, by its "
        "name; higher is better for TER, whose numbers are not above 0."
    ) in printed.err
    printed = run(*asked, "--lower-is-better", "TER", "--higher-is-better", "MetricX", "--lower-is-better", "COMET")
    cells = json.loads(printed.out)["agreement"]["segment"]
    assert [cells[name]["pearson"]["value"] for name in ("COMET", "MetricX", "TER")] == pytest.approx([-first] * 3)
    assert "lower is better for COMET, TER, as specified" in printed.err


def test_scores_that_are_called_as_a_metric_have_a_row_of_their_own(run, table_with_scores, human_file):
    file = table_with_scores(per=1, PER=-1, chance=1)
    asked = ["--corpus", file, "--human", human_file, "--agreement", "-m", "per", "-f"]
    cells = json.loads(run(*asked, "json").out)["agreement"]["segment"]
    assert [*cells] == ["per", "per (given)", "PER (given)", "chance (given)", "chance", "judge"]
    values = [each["pearson"]["value"] for each in cells.values()]
    assert values[1] == pytest.approx(values[2]) and values[1] == pytest.approx(values[3]) and values[1] > 0.6
    assert values[0] != pytest.approx(values[1])
    assert "per (given)" in run(*asked, "text").out


def test_scores_of_other_programs_take_part(run, table_with_scores, human_file):
    file = table_with_scores(COMET=1, BLEURT=-1)
    out = json.loads(run("--corpus", file, "--human", human_file, "--agreement", "-m", "wer", "-f", "json").out)
    cells = out["agreement"]["segment"]
    assert [*cells] == ["wer", "COMET", "BLEURT", "chance", "judge"]
    assert cells["COMET"]["pearson"]["value"] > 0.6
    assert cells["BLEURT"]["pearson"]["value"] == pytest.approx(-cells["COMET"]["pearson"]["value"])


def test_scores_of_whole_systems_in_a_folder_are_left_out_and_said(run, tmp_path, human_file):
    for file in (*FILES.values(), REFERENCE):
        (tmp_path / "all").mkdir(exist_ok=True)
        (tmp_path / "all" / file.name).write_bytes(file.read_bytes())
    (tmp_path / "all" / "COMET.sys.score").write_text("".join([f"{name} 0.5\n" for name in NAMES]))
    asked = ["--human", human_file, "--agreement", "-m", "wer", "-f", "json"]
    printed = run("--corpus", str(tmp_path / "all"), *asked)
    assert "COMET.sys.score: scores of systems, not of segments, are left out" in printed.err
    assert json.loads(printed.out)["agreement"] == json.loads(run(*CALL, *asked).out)["agreement"]


def test_a_folder_of_mt_metrics_eval_has_judgements_and_marks(run, tmp_path):
    for name in ("sources", "references", "system-outputs/zh-en", "human-scores"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "sources" / "zh-en.txt").write_text("x\n" * SIZE)
    (tmp_path / "references" / "zh-en.refA.txt").write_bytes(REFERENCE.read_bytes())
    for name, file in FILES.items():
        (tmp_path / "system-outputs" / "zh-en" / f"{name}.txt").write_bytes(file.read_bytes())
    rows = [(name, random_ratings()[name, n, "x"]) for name in NAMES for n in range(SIZE)]
    (tmp_path / "human-scores" / "zh-en.mqm.seg.score").write_text("".join([f"{s}\t{value}\n" for s, value in rows]))
    (tmp_path / "human-scores" / "zh-en.mqm.sys.score").write_text("SMU\t1\n")
    error = {"start": 0, "end": 1, "category": "x", "severity": "minor", "is_source_error": False}
    lines = [f"{s}\t{json.dumps({'errors': [error] if value else []})}\n" for s, value in rows]
    (tmp_path / "human-scores" / "zh-en.mqm.merged.seg.rating").write_text("".join(lines))
    asked = ["--corpus", str(tmp_path), "--human", str(tmp_path), "--agreement", "-m", "wer", "-f", "json"]
    printed = run(*asked)
    marked = sum(value != 0 for _, value in rows)
    assert f"{marked} marked errors; letters count from 0" in printed.err
    assert {*json.loads(printed.out)["agreement"]["marked"]} == {"wer"}


def test_without_a_reference_judges_are_held_against_each_other(run, human_file):
    asked = [*UNREFERRED, "--human", human_file, "--agreement", "-f"]
    found = json.loads(run(*asked, "json").out)
    cells, own = found["agreement"]["segment"], json.loads(run(*asked[:-1], *CALL[-2:], "-f", "json", "-m", "wer").out)
    assert [*cells] == ["chance", "judge"] and cells["judge"] == own["agreement"]["segment"]["judge"]
    assert (found["references"], found["segments"], found["systems"]) == ([], SIZE, {name: {} for name in NAMES})
    remarks = [each["text"] for each in found["agreement"]["remarks"] if each["kind"] == "unscored"]
    assert len(remarks) == 1 and remarks[0].startswith("Without a reference no metric is scored")
    value = f"{cells['judge']['pearson']['value']:.4f}"
    for form in ("text", "markdown", "latex"):
        out = run(*asked, form).out
        assert out.count(remarks[0]) == 1 and "One judge against the others" in out and "SMU" not in out
        assert value.replace("-", "$-$" if form == "latex" else "-") in out
    rows = [*csv.DictReader(io.StringIO(run(*asked, "tsv").out), delimiter="\t")]
    assert {row["metric"] for row in rows} == {"chance", "judge"}


def test_without_a_reference_other_programs_scores_are_held_against_people(run, table_with_scores, human_file):
    file = table_with_scores(COMET=1)
    asked = ["--corpus", file, "--human", human_file, "--agreement", "-f", "json"]
    cells = json.loads(run(*asked, "--column", "ref=nothing").out)["agreement"]["segment"]
    assert [*cells] == ["COMET", "chance", "judge"]
    own = json.loads(run(*asked, "-m", "wer").out)["agreement"]["segment"]
    assert cells["COMET"]["pearson"] == own["COMET"]["pearson"]


@pytest.mark.parametrize("more", [["--paired", "SMU"], ["--confidence"], ["--sentence"], ["--why", "SMU,MiSS"]])
def test_what_is_asked_of_scores_needs_a_reference(run, human_file, more):
    out = run(*UNREFERRED, "--human", human_file, "--agreement", *more, status=1)
    assert f"{more[0]} needs a reference, without which no metric is scored" in out.err and not out.out


def test_without_a_reference_and_judgements_nothing_is_asked_for(run):
    assert "systems need --system NAME=FILE and --reference FILE" in run(*UNREFERRED, status=2).err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--agreement"], "--agreement needs judgements, which --human FILE gives"),
        (["--human", "h.tsv"], "--human needs --agreement"),
        (["--tau", "13"], "--tau needs --agreement"),
        (["--agreement", "--human", "h.tsv", "--repair", "SMU"], "it cannot go with --repair"),
        (["--agreement", "--human", "h.tsv", "--made-from", "A"], "given as REFERENCE=SYSTEM, got 'A'"),
        (["--agreement", "--human", "h.tsv", "--group", "all"], "--group"),
    ],
)
def test_a_wrong_call_is_one_sentence(run, more, said):
    out = run(*CALL, *more, status=2)
    assert said in out.err and out.err.count("\n") == 1 and not out.out


def test_a_file_that_cannot_be_read_is_one_sentence(run, tmp_path, human_file):
    out = run(*CALL, "--human", str(tmp_path / "none.tsv"), "--agreement", status=1)
    assert "none.tsv does not exist" in out.err
    out = run(*CALL, "--human", human_file, "--agreement", "--scale", "da", status=1)
    assert "there is no scale da; the scales are mqm, error_count" in out.err
    marks = tmp_path / "marks.tsv"
    marks.write_text("line\tsystem\trater\tstart\tend\n1\tSMU\tx\t0\t3\n", encoding="utf8")
    out = run(*CALL, "--human", str(marks), "--agreement", status=1)
    assert "only marked errors; agreement needs ratings" in out.err


def test_one_file_of_translations_has_no_agreement(run, human_file):
    out = run(str(FILES["SMU"]), str(REFERENCE), "--agreement", "--human", human_file, status=2)
    assert "--agreement needs systems, which --system gives" in out.err
