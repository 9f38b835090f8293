"""Tests of the LaTeX tables of systems: order, marks, all pairs, and that a page holds them."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import combinations

import pytest

from metrics import METRICS, settings
from metrics.corpus import resampling
from metrics.corpus.table import StatisticsTable, score_table
from metrics.text import TextSettings
from tests.helpers.app import skip_missing
from tests.helpers.corpora import SYSTEMS, load_segments
from tests.helpers.waiting import LIMIT
from viz.save import corpus_systems
from viz.save.corpus_systems import SystemSelection, compared_systems, tables_text

KEYS = ("ter", "bleu", "chrf", "gtm", "rouge_l")
#: Thirteen systems with names of different lengths: three real ones, and each of them with some words left out.
NAMES = (
    "MiSS",
    "Online-W",
    "SMU",
    *[f"{name.partition('.')[2]}_less_{n}" for n in range(1, 5) for name in SYSTEMS][:10],
)


@pytest.fixture(scope="module")
def tables() -> list[StatisticsTable]:
    """Return the scores of 13 systems on 60 real segments by several metrics."""
    real = [load_segments(name) for name in SYSTEMS]
    systems = [*real]
    for n in range(1, 5):
        for each in real:
            systems.append(
                [one._replace(candidate=one.candidate[: -n * len(one.candidate) // 40 or None]) for one in each]
            )
    return [score_table(METRICS[key], settings(key), systems[:13]) for key in KEYS]


def selection_of(tables, by=0, a=1, count=13):
    few = [table.select_systems([*range(count)]) for table in tables]
    return SystemSelection(NAMES[:count], few, a, TextSettings(), 2, ["All 60 segments."], False, by=by)


def table_rows(tex, heading):
    """Return the cells of each row below the heading of the LaTeX table whose heading begins with `heading`."""
    (table,) = [t for t in re.findall(r"\\begin{tabular}.*?\\end{tabular}", tex, re.DOTALL) if f"\n{heading} & " in t]
    rows = [line.removesuffix(r" \\").split(" & ") for line in table.splitlines() if line.endswith(r"\\")]
    return rows[1:]


@pytest.mark.slow
@pytest.mark.parametrize("by", [0, 1])
def test_systems_stand_in_the_order_of_their_scores(tables, by):
    """Check order and bold scores, also for an error rate, whose lowest score is the best."""
    found = selection_of(tables, by)
    tex = tables_text("latex", found)
    scores = tables[by].corpus_scores()
    best_first = sorted(range(13), key=lambda n: scores[n] if KEYS[by] == "ter" else -scores[n])
    compared = compared_systems(found)
    significant = {(pair.b, pair.metric.key) for pair in compared.pairs if pair.p_corrected < 0.05}
    assert 0 < len(significant) < 12 * len(KEYS)
    rows = [row for row in re.findall(r"^(\S+)(?: \(A\))? & (\$.*)\\\\$", tex, re.MULTILINE) if r"\pm" in row[1]]
    assert [name.replace(r"\_", "_") for name, _ in rows] == [NAMES[n] for n in best_first] * 2  # 4 metrics, then 1
    for at, (written, cells) in enumerate(rows):
        name = written.replace(r"\_", "_")
        keys = KEYS[:4] if at < 13 else KEYS[4:]
        for key, cell in zip(keys, cells.split(" & "), strict=True):
            of = tables[KEYS.index(key)].corpus_scores()
            score = f"{of[NAMES.index(name)]:.4f}"
            best = f"{(min if key == 'ter' else max)(of):.4f}"
            assert score in cell and (r"\mathbf" in cell) == (score == best)
            assert (r"\dagger" in cell) == ((name, key) in significant)
    assert tex.count("differs from A") == 2 and re.search(r"^Online-W \(A\) & ", tex, re.MULTILINE)


@pytest.mark.slow
def test_all_pairs_are_a_matrix(tables):
    found = selection_of(tables, by=1, count=4)
    standings = compared_systems(found, all_pairs=True).standings
    rows = table_rows(tables_text("latex", found), "BLEU & 1")
    order = sorted(range(4), key=lambda n: standings.ranks[n])
    pairs = [*combinations(range(4), 2)]
    (tests,) = resampling.randomisation_tests(found.tables[1:2], pairs, resampling.TRIALS)
    corrected = dict(zip(pairs, resampling.holm_correction([test.p for test in tests]), strict=True))
    assert {pair: standings.p_raw[pair[0]][pair[1]] for pair in pairs} == {
        pair: test.sacrebleu for pair, test in zip(pairs, tests, strict=True)
    }
    assert [row[0] for row in rows] == [f"{n} {NAMES[m]}".replace("_", r"\_") for n, m in enumerate(order, 1)]
    for n, row in enumerate(rows):
        for m, cell in enumerate(row[1:]):
            p = corrected.get((min(order[n], order[m]), max(order[n], order[m])))
            if m == n:
                assert cell == "--"
            elif m < n:
                delta = standings.scores[order[n]] - standings.scores[order[m]]
                assert float(cell.replace("$-$", "-")) == pytest.approx(delta, abs=0.0005)
            else:
                assert cell.startswith(r"\textbf") == (p < 0.05)
                value = cell.removeprefix(r"\textbf{").removesuffix("}")
                assert p < 0.001 if "<" in value else float(value) == pytest.approx(p, abs=0.0005)
    assert len(table_rows(tables_text("latex", selection_of(tables, count=2)), "TER & $B - A$")) == 1
    assert "Above the diagonal" not in tables_text("latex", selection_of(tables, count=2))


@pytest.mark.slow
def test_doubts_stand_where_the_score_of_their_system_does(tables):
    doubts = {"SMU": ["smu_50%.txt, line 3: the output is empty there."], "": ["r.txt: 4 | 5 lines are equal."]}
    found = selection_of(tables, count=4)._replace(doubts=doubts)
    tex, markdown = tables_text("latex", found), tables_text("markdown", found)
    marked = re.findall(r"^(\S+?)\$\^{\\ddagger}\$ &", tex, re.MULTILINE)
    assert marked == ["SMU"] * 2  # once for each table of four metrics
    assert r"\scriptsize $\ddagger$ SMU: smu\_50\%.txt, line 3: the output is empty there.\par" in tex
    assert r"\scriptsize r.txt: 4 | 5 lines are equal.\par" in tex
    assert re.findall(r"^\| (\S+) ‡ \|", markdown, re.MULTILINE) == ["SMU"]
    assert "\n- ‡ SMU: smu_50%.txt, line 3: the output is empty there.\n" in markdown
    assert "\n- r.txt: 4 \\| 5 lines are equal.\n" in markdown
    assert "ddagger" not in tables_text("latex", found._replace(doubts={}))


@pytest.mark.slow
def test_a_page_of_latex_holds_thirteen_systems(tables, tmp_path):
    """Check with LaTeX's class article and no package that no table is wider than the text."""
    if not shutil.which("lualatex"):
        skip_missing("lualatex")
    doubts = {"SMU": ["system.SMU.txt, line 3: the output of SMU is empty there."]}
    tex = corpus_systems.tables_text("latex", selection_of(tables)._replace(doubts=doubts))
    document = f"\\documentclass{{article}}\n\\begin{{document}}\n{tex}\n\\end{{document}}\n"
    (tmp_path / "a.tex").write_text(document, encoding="utf-8")
    command = ["lualatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "a.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=2 * LIMIT, text=True)
    assert run.returncode == 0 and "Overfull" not in run.stdout, run.stdout[-2000:]
