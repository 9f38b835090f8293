"""Tests of the files of the Corpus page: each is read back and compared with the scores by slow, obvious code."""

import csv
import io
import json
import re
from html import unescape

import numpy as np
import openpyxl
import pandas
import pytest

import metrics
from metrics.corpus.explanations.why import printed_steps
from metrics.corpus.explanations.winners import winners_sentence
from metrics.text.formats import cell_formats
from tests.helpers.hostile_corpus import LINES, NAMES, score_hostile_corpus
from tests.helpers.pages import CorpusPage, State, offered_files, until
from viz.draw.corpus import axes
from viz.pages.corpus import charts, marks, save_menu, visitor_corpus, workspace
from viz.pages.corpus.filter import filters
from viz.pages.corpus.record import CorpusState, FilterPart, write_parts
from viz.save import corpus_report
from viz.save.corpus_findings import CorpusReportRequest, collect_findings
from viz.save.corpus_systems import SystemSelection
from viz.state.links import link

pytestmark = pytest.mark.alone  # worker processes compute the scores


@pytest.fixture(scope="module")
def hostile_corpus():
    return score_hostile_corpus()


def is_formula(text):
    return text[:1] in "=+-@" and text[:1] != ""


def as_saved(text):
    return re.sub("[\x01\ufffe]", "\ufffd", text)


def expected_rows(found, look, marked):
    """Return the rows that a file of segments should have, built segment by segment.

    Args:
        look: fields of the page's state.
        marked: tags and note of each marked segment by its index; if empty, rows have neither."""
    shown = CorpusState(**look)
    selected = filters.select_segments(found, shown).segment_indices
    numbers = range(found.segment_count) if selected is None else selected.tolist()
    ledger = found.ledger(shown.metric, 0, 1)
    out = []
    for n in numbers:
        row = {"number": n + 1, "document": f"-doc {n // 2}", "length": len(LINES[n][2].split())}
        for key in [key for key in metrics.METRICS if key in ("gtm", "ter", "bleu")]:
            a, b = (float(found.tables[key].scores[system][n]) for system in (0, 1))
            row |= {f"a.{key}": a, f"b.{key}": b, f"delta.{key}": b - a}
        row["worth"] = float(ledger.worth[n])
        row |= {f"worth.{cause}": float(part[n]) for cause, part in ledger.parts.items()}
        if marked:
            mark = marked.get(n, ((), ""))
            row |= {"tags": list(mark[0]), "note": mark[1]}
        a, b, reference, source = LINES[n]
        out.append(row | {"source": source, "reference": reference, "a": a, "b": b})
    return sorted(out, key=lambda row: (-row["worth"], row["number"])) if shown.sort == "worth" else out


LOOKS = [
    {"sort": "number"},
    {},
    {"where": write_parts([FilterPart("", "delta.gtm > 0 and length > 2")])},
    {"marks": marks.write_marks({1: marks.SegmentMark(("order", "tense"), "=note"), 4: marks.SegmentMark((), "no")})},
]


@pytest.mark.parametrize("look", LOOKS)
def test_every_file_of_segments_has_what_the_table_has(hostile_corpus, monkeypatch, look):
    made, marked = offered_files(hostile_corpus, monkeypatch, **look), marks.read_marks(look.get("marks", ""))
    rows = expected_rows(hostile_corpus, look, marked)
    assert rows and (len(rows) < 6) == ("where" in look)
    which = "All 6 segments."
    if "where" in look:
        which = f"{len(rows)} of 6 segments, those of the filter: delta.gtm > 0 and length > 2."

    first, *lines = [json.loads(line) for line in made["jsonl"]().decode().splitlines()]
    assert lines == rows and list(lines[0]) == list(rows[0])
    assert first["about"][0].startswith(which) and any("gtm|" in each for each in first["about"])

    notes = made["txt"]().decode().splitlines()
    assert notes[:-1] == first["about"] and all(name in notes[-1] for name in rows[0])
    for name, delimiter in (("csv", ","), ("tsv", "\t")):
        frame = pandas.read_csv(io.BytesIO(made[name]()), sep=delimiter)
        assert list(frame) == list(rows[0]) and frame["number"].tolist() == [row["number"] for row in rows]
        assert frame["b.gtm"].tolist() == [row["b.gtm"] for row in rows]

    for ending, delimiter in (("csv", ","), ("tsv", "\t")):
        read_back = [*csv.reader(io.StringIO(made[ending]().decode("utf-8-sig"), newline=""), delimiter=delimiter)]
        head, *body = read_back
        assert head == list(rows[0])
        assert len(body) == len(rows)
        for cells, row in zip(body, rows, strict=True):
            for cell, value in zip(cells, row.values(), strict=True):
                if isinstance(value, str | list):
                    text = as_saved(", ".join(value) if isinstance(value, list) else value)
                    text = text.replace("\u202e", "\\u202e") if ending == "tsv" else text
                    assert cell == (f"'{text}" if is_formula(text) else text)
                else:
                    assert float(cell) == value

    book = openpyxl.load_workbook(io.BytesIO(made["xlsx"]()))
    sheet, about = book["Segments"], book["About"]
    assert about["A1"].value.startswith(which) and sheet.freeze_panes == "A2"
    head, *body = sheet.iter_rows()
    assert [cell.value for cell in head] == list(rows[0])
    for cells, row in zip(body, rows, strict=True):
        for cell, value in zip(cells, row.values(), strict=True):
            if isinstance(value, str | list):
                text = ", ".join(value) if isinstance(value, list) else value
                assert cell_formats.decode_workbook_escapes(cell.value or "") == text
                assert cell.data_type in "sn"
                assert not text or cell.data_type == "s"
            else:
                assert cell.value == value and cell.data_type == "n"


def test_tables_of_systems_follow_the_filter_and_are_escaped(hostile_corpus, monkeypatch):
    whole = offered_files(hostile_corpus, monkeypatch)
    some = offered_files(hostile_corpus, monkeypatch, where=write_parts([FilterPart("", "length > 3")]))
    inside = [n for n, line in enumerate(hostile_corpus.texts.references) if len(line[0]) > 3]
    assert 0 < len(inside) < 6
    for made, numbers in ((whole, range(6)), (some, inside)):
        texts = hostile_corpus.texts
        of_system = [[texts.systems[n][i] for i in numbers] for n in (0, 1)]
        references = [texts.references[i] for i in numbers]
        scores = [metrics.corpus_score("gtm", candidates, references).score for candidates in of_system]
        tex, markdown = made["tex"]().decode(), made["md"]().decode()
        rows = [line for line in tex.splitlines() if line.endswith(r"\\")]
        names = NAMES["a"], r"b\_50\% \& \~{}\^{}\textbackslash{}\#\{\$\}|<x>"
        for name, score in zip(names, scores, strict=True):
            (row,) = [row for row in rows if row.startswith(name) and r"\pm" in row]
            assert re.search(rf"{re.escape(f'{score:.4f}')}}}?(?:\^\{{\\dagger\}})?_\{{\\pm 0\.", row)
            assert f" {score:.4f} ± 0." in markdown
        delta = f"{abs(scores[1] - scores[0]):.4f}"
        assert delta in tex and delta in markdown
        assert "|resamples:1000|" in tex and "|resamples:1000|" in markdown
    assert tex.startswith(f"% {len(inside)} of 6 segments, those of the filter: length > 3.")
    assert "p says nothing about chance" in tex and "p says nothing about chance" in markdown
    assert "nothing about chance" not in whole["tex"]().decode()


def test_a_filter_that_selects_nothing_leaves_nothing_to_save(hostile_corpus, monkeypatch):
    monkeypatch.setattr(save_menu.visitor_corpus, "visitor_job", lambda: hostile_corpus)
    shown = CorpusState(where=write_parts([FilterPart("", "gtm > 2")]))
    monkeypatch.setattr(save_menu.session, "read_state", lambda record: shown)
    assert save_menu._available_files() is None


def test_a_long_text_is_cut_in_a_workbook_and_this_is_said():
    from viz.save.corpus_segments import LETTERS_MOST, SegmentSheet, jsonl_text, xlsx_bytes

    long = "\U0001f642" * 20_000 + "x"
    sheet = SegmentSheet(["about"], ["number", "a"], [np.array([1, 2]), [long, "y" * LETTERS_MOST]])
    book = openpyxl.load_workbook(io.BytesIO(xlsx_bytes(sheet)))
    cut, whole = (book["Segments"].cell(row, 2).value for row in (2, 3))
    assert cut == "\U0001f642" * 16_383 + "…" and whole == "y" * LETTERS_MOST
    assert "32,767" in book["About"]["A2"].value
    assert json.loads(jsonl_text(sheet).splitlines()[1])["a"] == long


def test_the_menu_stands_on_the_page(hostile_corpus):
    page = CorpusPage(hostile_corpus)
    page.set_state(save_corpus=True)
    assert [each.label for each in page.at.get("download_button")][:6] == [
        *("Report, HTML", "Segments, CSV", "Segments, TSV", "Notes on CSV and TSV, text", "Segments, XLSX"),
        "Segments, JSONL",
    ]
    assert any("All 6 segments" in each.value for each in page.at.caption)


# ---------------------------------------------------------------- the report


def visible_text(html):
    """Return the visible text of a page, without tags, style and script."""
    body = re.sub("<style.*?</style>|<script.*?</script>|<[^>]*>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(body))


@pytest.mark.parametrize("where", ["", "length > 3"])
def test_a_report_tells_what_the_core_tells_of_its_segments(hostile_corpus, monkeypatch, where):
    look = {"where": write_parts([FilterPart("", where)])} if where else {}
    html = offered_files(hostile_corpus, monkeypatch, **look)["html"]().decode()
    said, texts = visible_text(html), hostile_corpus.texts
    numbers = [n for n in range(6) if not where or len(texts.references[n][0]) > 3]
    systems = [[texts.systems[n][i] for i in numbers] for n in (0, 1)]
    references = [texts.references[i] for i in numbers]
    for key in ("bleu", "gtm", "ter"):
        a, b = (metrics.corpus_score(key, candidates, references).score for candidates in systems)
        assert f" {a:.4f} ± 0." in said and f" {b:.4f} ± 0." in said
        delta = f"{abs(b - a):.4f}"
        assert f"{delta} " in said
    ledger = metrics.corpus_ledger("gtm", *systems, references)
    for step in printed_steps(ledger, 4):
        assert f"{abs(step.share):.4f}" in said
    which = f"{len(numbers)} of 6 segments, those of the filter: length > 3." if where else "All 6 segments."
    assert which in said and ("p says nothing about chance" in said) == bool(where)
    cases = [int(n) - 1 for n in re.findall('id="segment-([0-9]+)"', html)]
    assert cases and {*cases} <= {*numbers} and len(cases) == len({*cases})
    assert max(numbers, key=lambda n: ledger.worth[numbers.index(n)]) in cases
    assert "<x>" not in html and "&lt;x&gt;" in html
    assert "\x01" not in html and "\u202e" not in html


@pytest.mark.parametrize("systems", [(0, 1), (1, 0)])
def test_a_report_has_the_charts_of_the_page_and_nothing_opens(hostile_corpus, monkeypatch, systems):
    look = {"metric": "gtm", "a": systems[0], "b": systems[1]}
    text = offered_files(hostile_corpus, monkeypatch, **look)["html"]().decode()
    numbers = np.arange(hostile_corpus.segment_count)
    page_charts = dict(charts.page_charts(hostile_corpus, CorpusState(**look), numbers, ""))
    for name in ("changes", "lengths"):
        svg = re.search("<svg.*</svg>", page_charts[name]().markup, re.DOTALL)[0]
        assert axes.without_events(svg) in text
    drawn = dict(re.findall(r'<figure class="chart" data-chart="(\w+)">(.*?)</figure>', text, re.DOTALL))
    assert [*drawn] == ["changes", "lengths"] and "data-tell" not in "".join(drawn.values())
    counts = [int(n) for n in re.findall(r'class="count"[^>]*>(\d+)<', drawn["changes"])]
    assert sum(counts) == hostile_corpus.segment_count and "opens" not in "".join(drawn.values())


def test_a_report_takes_a_known_ledger_of_a_metric_that_its_table_leaves_out(hostile_corpus):
    systems, table = hostile_corpus.two_systems(0, 1), hostile_corpus.table("gtm")
    selection = SystemSelection(hostile_corpus.names, [table], 0, hostile_corpus.text, "var", (), False)
    known = {key: hostile_corpus.known_ledger(key, 0, 1) for key in ("gtm", "ter")}
    assert all(known.values())
    request = CorpusReportRequest(selection, 1, "gtm", systems, np.arange(hostile_corpus.segment_count), known)
    found = collect_findings(request)
    ledgers = [(metrics.METRICS[key], ledger) for key, ledger in known.items()]
    assert [*found.scores] == ["gtm"] and found.winners == winners_sentence(*systems.names, ledgers, 4)


@pytest.mark.parametrize(
    ("sort", "says"),
    [
        *(("worth", "what the segment gives"), ("delta.ter", "Δ TER"), ("a.ter", "A TER"), ("document", "Document")),
        *(("tag", "Tags"), ("b.nothing", "the place in the files")),
    ],
)
def test_files_say_how_their_segments_are_sorted(hostile_corpus, sort, says):
    state = CorpusState(metric="gtm", sort=sort, up=True)
    snapshot = save_menu.CorpusSnapshot(hostile_corpus, state, filters.select_segments(hostile_corpus, state))
    assert snapshot.describe_order() == f"Sorted by {says}, reversed."


def test_the_cap_of_a_report_is_said(hostile_corpus, monkeypatch):
    whole = offered_files(hostile_corpus, monkeypatch)["html"]().decode()
    monkeypatch.setattr(corpus_report, "SEGMENTS_MOST", 2)
    few = offered_files(hostile_corpus, monkeypatch)["html"]
    cut = visible_text(few().decode())
    count = whole.count('class="case"')
    assert "Below: 2 segments, chosen to explain why the scores differ" in cut
    assert f"{count - 2} more are left out" in cut and count > 2
    monkeypatch.setattr(corpus_report, "LETTERS_MOST", 1)
    bare = few().decode()
    assert "2 are shown without pictures, to save space." in visible_text(bare) and "<svg" in whole
    assert "<svg" not in bare.split('class="case"', 1)[1]


# ---------------------------------------------------------------- the workspace file


def open_workspace(shown, extra, monkeypatch):
    """Return the session state after opening a workspace file with page state `shown` and attachments `extra`."""
    monkeypatch.setattr(workspace.st, "session_state", State())
    workspace.take(shown, extra)
    state = workspace.st.session_state
    if "corpus" in state:
        until(lambda: state.corpus.ended)
    return state


def test_a_workspace_file_has_the_texts_and_they_are_scored_again(hostile_corpus, monkeypatch):
    monkeypatch.setattr(visitor_corpus, "visitor_job", lambda: hostile_corpus)
    shown = CorpusState(
        metric="ter", a=1, b=0, segment=4, sort="delta", marks=marks.write_marks({1: marks.SegmentMark(("x",), "")})
    )
    give = workspace.give()
    monkeypatch.undo()  # the file is made where there is no session
    file = link.to_json(shown, give())
    again, problems, extra = link.from_json(file)
    assert again == shown and not problems
    state = open_workspace(again, extra, monkeypatch)
    theirs, ours = state.corpus.material, hostile_corpus.material
    for name in ("systems", "references"):
        kept = {called: texts.lines for called, texts in getattr(theirs, name).items()}
        assert kept == {called: texts.lines for called, texts in getattr(ours, name).items()}
    assert theirs.source.lines == ours.source.lines and theirs.documents == ours.documents
    assert (state.corpus_a, state.corpus_b, state.corpus_segment) == (1, 0, 4)
    for key in ("gtm", "ter"):
        assert (state.corpus.tables[key].scores == hostile_corpus.tables[key].scores).all()


@pytest.mark.parametrize(
    "texts",
    [
        [],
        {"systems": {}, "references": {}},
        {"systems": {"a": ["x"]}, "references": {"r": ["x", "y"]}},
        {"systems": {"a": ["x"]}, "references": {"r": [1]}},
        {"systems": {"a": "x"}, "references": {"r": ["x"]}},
        {"systems": {"a": ["x"]}, "references": {"r": ["x"]}, "source": None},
        {"systems": {str(n): ["x"] for n in range(100)}, "references": {"r": ["x"]}},
    ],
)
def test_what_is_no_corpus_is_refused(texts, monkeypatch):
    with pytest.raises(ValueError, match=r"[^.]$"):
        open_workspace(CorpusState(), {"corpus": texts}, monkeypatch)
    assert not workspace.st.session_state
    assert not open_workspace(CorpusState(), {}, monkeypatch)
