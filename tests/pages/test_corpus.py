"""Tests of the Corpus page in Streamlit's test runner, from loading the sample to a segment, and of its jobs."""

import dataclasses
import html
import json
import random
import re
import threading

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.analysis.rounding import shares_as_printed
from metrics.corpus import resampling
from metrics.corpus.errors import error_counts
from metrics.corpus.explanations.significance import probability_text
from metrics.corpus.explanations.why import printed_steps
from metrics.corpus.filter import FilterFacts, parse_filter
from metrics.corpus.pairs import compare_with_others
from metrics.corpus.patterns import Pattern
from metrics.corpus.tasks import ScoringTask, TaskResult, TooHardSegment
from metrics.text import TextSettings
from metrics.text.formats import File, read
from tests.helpers.pages import CorpusPage, corpus_state, score_corpus, until
from tests.helpers.segments import HOSTILE
from tests.helpers.waiting import LIMIT
from viz.frame import corpora, strip, visitor_corpora
from viz.frame.corpora import CorpusJob
from viz.pages.corpus import filter_menu, marks, record, upload, visitor_corpus
from viz.pages.corpus.filter import filters
from viz.pages.corpus.record import CorpusState, FilterPart, write_parts
from viz.pages.corpus.segment_rows import SegmentTable
from viz.state.links import link

pytestmark = pytest.mark.alone  # worker processes compute the scores


@pytest.fixture(scope="module")
def sample():
    return score_corpus(read([File("sample.tsv", upload.SAMPLE.read_bytes())]))


def test_the_sample_is_scored_with_one_click():
    page = CorpusPage()
    page.press("corpus_sample")
    found = page.at.session_state.corpus
    until(lambda: found.ended)
    page.set_state()
    assert found.segment_count == 40 and found.names == ("Before", "After") and not found.problem
    tiles = {tile["key"]: tile for tile in page.component_data_with("tiles")["tiles"]}
    for key in metrics.METRICS:
        scores = found.tables[key].corpus_scores()
        of_both = [float(text) for text in tiles[key]["lines"][1]["text"].split(" · ")]
        assert of_both == pytest.approx([*map(float, scores)], abs=6e-4)


GERMAN = {
    "A": "Die Brücke ist heute geschlossen.\nNehmen Sie die Fähre.",
    "Reference": "Die Brücke ist heute gesperrt.\nNehmen Sie stattdessen die Fähre.",
    "Source": "The bridge is closed today.\nTake the ferry instead.",
}
TABLE = "\n".join("\t".join(row) for row in [[*GERMAN], *zip(*map(str.splitlines, GERMAN.values()), strict=True)])


@pytest.mark.parametrize("way", ["together", "separately", "a table", "the source last"])
def test_the_language_is_that_of_the_references_however_files_come(monkeypatch, way):
    """Check that the language is recognised from the references alone, as on the command line."""
    files = [File(f"{name}.txt", text.encode()) for name, text in GERMAN.items()]
    orders = {
        "together": [files],
        "separately": [files[:1], files[:2], files],
        "a table": [[File("all.tsv", TABLE.encode())]],
        "the source last": [files[1::-1], [*files[1::-1], files[2]]],
    }
    page = CorpusPage()
    for given in orders[way]:
        monkeypatch.setattr(type(upload.ENTRY), "draw_file_input", lambda entry, how, given=given: given)
        page.set_state()
    assert page.at.session_state.corpus_language == "german"
    page.press("corpus_score")
    found = page.at.session_state.corpus
    found.stop()
    assert found.settings["meteor"].language == "german" and found.text.language == "english"


def test_the_story_is_that_of_the_core(sample):
    page = CorpusPage(sample)
    ledger = metrics.corpus_ledger(
        "gtm",
        *[[segment.candidate for segment in sample.texts.segments(n)] for n in (0, 1)],
        [segment.references for segment in sample.texts.segments(0)],
    )
    for step in printed_steps(ledger, 4):
        assert f"{abs(step.share):.4f}" in page.html
    assert "After is better than Before by 0.1049 GTM" in page.html
    assert "26 segments count for After" in page.html


@pytest.mark.parametrize("sort", ["worth", "delta", "a", "b", "length", "number"])
def test_segments_stand_in_the_order_that_is_asked_for(sample, sort):
    ledger = sample.ledger("gtm", 0, 1)
    for up in (False, True):
        seen = SegmentTable(sample, CorpusState(sort=sort, up=up), ledger)
        a, b = sample.tables["gtm"].scores
        values = {"worth": ledger.worth, "delta": b - a, "a": a, "b": b, "length": sample.lengths}.get(sort)
        got = [seen.rows(n, n + 1)[0]["segment"] for n in range(40)]
        if values is None:
            assert got == sorted(range(40), reverse=up)
        else:
            assert [values[n] for n in got] == sorted(values, reverse=not up)


def test_a_row_says_what_changed(sample):
    seen = SegmentTable(sample, CorpusState(sort="number"), sample.ledger("gtm", 0, 1))
    (row,) = seen.rows(12, 13)
    assert row["words"] == [(0, "The master uses"), (-1, "no"), (0, "salt in the …")]
    assert row["cells"][0]["text"] == "13"


def test_the_chosen_segment_shows_its_evidence(sample):
    page = CorpusPage(sample, corpus_segment=12)
    assert page.component_data_with("title")["title"] == "Segment 13" and page.rows["chosen"] == 12
    assert "Der Meister benutzt kein Salz" in page.html
    for way in ("edits", "a", "b"):
        page.set_state(corpus_seen=way)
        assert page.component_data_with("title")["way"] == way and "dough" in page.html


def test_a_segment_opens_where_all_of_it_is(sample):
    at = AppTest.from_function(_open_segment_script, default_timeout=LIMIT)
    at.session_state["corpus"] = sample
    at.run()
    assert not at.exception
    assert at.session_state.wanted == "compare" and at.session_state.references.count("\n") == 1


def _open_segment_script():
    import streamlit as st

    import viz.pages  # noqa: F401
    from viz.pages.corpus import segment
    from viz.pages.corpus.record import CorpusState

    st.session_state.update(opened="x", load=0, loads=0, arrivals=0, visited={}, typed={}, page="corpus")
    segment.open_segment(st.session_state.corpus, CorpusState(segment=12), 12)


def test_a_filter_selects_and_says_so(sample):
    page = CorpusPage(sample)
    page.set_state(corpus_where=write_parts([FilterPart("", 'delta.gtm < 0 and has("salt")')]))
    assert "1 of 40 segments" in page.html
    assert page.row_segments == [12] and page.rows["total"] == 1
    page.set_state(corpus_where=write_parts([FilterPart("", "gtm <")]))
    assert any("until it can be used" in warning.value for warning in page.at.warning)
    assert page.component_data_with("rows")["total"] == 40
    page.set_state(corpus_where=write_parts([FilterPart("the first two", "", (0, 1)), FilterPart("", "number > 1")]))
    assert [segment for segment, *_ in page.component_data_with("rows")["rows"]] == [1]
    page.press("corpus_part_0")
    assert page.component_data_with("rows")["total"] == 39
    page.set_state(corpus_where=write_parts([FilterPart("", "number > 99")]))
    assert "No segment is selected by the filter." in page.html


def test_tags_and_notes_are_kept_with_what_is_shown(sample):
    text = marks.replace_mark(marks.replace_mark("", 12, "negation, negation", "lost"), 3, "", "")
    assert marks.read_marks(text) == {12: marks.SegmentMark(("negation",), "lost")}
    page = CorpusPage(sample, corpus_segment=12, corpus_marks=text)
    assert page.component_data_with("title")["marks"] == ["negation", "lost"]
    assert marks.read_marks("[") == marks.read_marks("[1]") == marks.read_marks('{"a":1}') == {}


def test_what_a_page_wants_first_keeps_its_place(sample, monkeypatch):
    """Check that the chosen metric is computed first.

    Each run of the page requests all metrics and the chosen one last."""
    found = CorpusJob(sample.material, TextSettings(), sample.settings, "gtm")
    found.tables = dict.fromkeys(("bleu", "ter", "wer", "gtm"), sample.tables["gtm"])
    order, begun, gate = [], threading.Event(), threading.Event()

    def find_one(what, key, *rest):
        begun.set()
        assert gate.wait(LIMIT)
        order.append(key)
        return []

    monkeypatch.setattr(found, "_compute_result", find_one)
    found.system_comparisons("bleu", 0)
    assert begun.wait(LIMIT)
    for key in ("ter", "wer", "gtm", "bleu", "ter", "wer"):
        found.system_comparisons(key, 0)
    gate.set()
    until(lambda: not found.is_searching)
    assert order == ["bleu", "gtm", "wer", "ter"]


def test_a_job_that_is_stopped_keeps_what_is_there():
    lines = "\n".join(f"the cat number {n} sat on the mat and looked at the moon" for n in range(1500))
    files = [File("a.txt", lines.encode()), File("b.txt", lines.replace("cat", "dog").encode())]
    material = read([*files, File("ref.txt", lines.replace("sat", "lay").encode())])
    found = CorpusJob(material, TextSettings(), {key: metrics.settings(key) for key in metrics.METRICS}, "bleu")
    found.start()
    until(lambda: found.tables)
    found.stop()
    until(lambda: found.ended)
    assert found.stopped and not found.problem and len(found.tables) < len(metrics.METRICS)
    page = CorpusPage(visitor_corpus.CORPORA.register(found), metric="bleu")
    assert "better" in page.html or "same" in page.html or "chance" in page.html
    assert "not scored" in json.dumps(page.component_data_with("tiles"))


def test_a_metric_without_a_score_is_said(monkeypatch):
    lines = b"the cat sat\non the mat\n"
    found = CorpusJob(
        read([File("a.txt", lines), File("ref.txt", lines)]), TextSettings(), {"bleu": metrics.settings("bleu")}, "bleu"
    )
    found.start()
    until(lambda: found.ended)
    task = ScoringTask("gtm", metrics.settings("gtm"), 0, 2)
    found._parts["gtm"] = [TaskResult(task, hard=(TooHardSegment("gtm", 0, 1, "too many ways"),))]
    page = CorpusPage(visitor_corpus.CORPORA.register(found), metric="bleu")
    assert "gtm has no score: a.txt, line 2: too many ways." in [warning.value for warning in page.at.warning]


def test_a_segment_that_is_too_hard_is_named_and_the_other_metrics_have_their_scores():
    """Check that a segment too hard for a metric is named, as on the Sentence page, and delays no other metric."""
    drawn = random.Random(1)
    texts = ["\n".join(["the cat sat", " ".join(drawn.choices("abcde", k=3000)), "on the mat"]) for _ in range(3)]
    names = ("a.txt", "b.txt", "ref.txt")
    material = read([File(name, text.encode()) for name, text in zip(names, texts, strict=True)])
    found = score_corpus(material, keys=("meteor", "bleu", "gtm"))
    assert {*found.tables} == {"bleu", "gtm"} and not found.problem
    page = CorpusPage(found, metric="meteor")
    (said,) = [warning.value for warning in page.at.warning if "no score" in warning.value]
    assert said.startswith("meteor has no score: a.txt, line 2: this takes more work than 2,000,000 steps")
    assert "b.txt, line 2: this takes more work" in said
    page = CorpusPage(found, metric="bleu")
    assert ("3 segments" in page.html and "better" in page.html) or "same" in page.html or "chance" in page.html


def test_a_job_that_nobody_hears_of_ends(monkeypatch):
    material = read([File("sample.tsv", upload.SAMPLE.read_bytes())])
    found = CorpusJob(material, TextSettings(), {key: metrics.settings(key) for key in metrics.METRICS}, "bleu")
    found.last_heard -= corpora.PATIENCE + 1
    found.start()
    until(lambda: found.ended)
    assert found.stopped


def test_a_tab_finds_its_corpus_by_a_name_that_nobody_guesses(sample):
    assert visitor_corpus.CORPORA.find(sample.name) is sample and len(sample.name) >= 24
    assert visitor_corpus.CORPORA.find("x") is None and visitor_corpus.CORPORA.find(None) is None
    page = CorpusPage()
    assert "corpus" not in page.at.session_state
    page.set_state(corpus_lost=True)
    assert visitor_corpora.LOST in [warning.value for warning in page.at.warning]


def test_other_settings_than_those_of_the_scores_are_said(sample):
    assert sample.describe_changed_settings(CorpusState()) == ""
    changed = CorpusState(text=TextSettings(lowercase=True), settings={"gtm": {"exponent": 3.0}})
    said = sample.describe_changed_settings(changed)
    assert said.startswith("The text processing and the settings of GTM changed since this was scored")


def test_hostile_texts_and_names_are_shown_as_they_are():
    lines = [text.replace("\n", " ").replace("\r", " ") for text in HOSTILE if text.strip()]
    data = "\n".join(lines).encode("utf-8", "replace")
    other = "\n".join(reversed(lines)).encode("utf-8", "replace")
    files = [File("<b>$x$.txt", data, "system", "<b>$x$"), File("b.txt", other, "system", "B")]
    found = score_corpus(read([*files, File("ref.txt", data, "reference", "R")]))
    page = CorpusPage(found)
    assert "<b>$x$" not in page.html
    for number in range(0, found.segment_count, 5):
        page.set_state(corpus_segment=number)


def test_one_system_is_enough():
    found = score_corpus(read([File("a.txt", b"the cat sat\non the mat\n"), File("ref.txt", b"a cat sat\non a mat\n")]))
    page = CorpusPage(found, corpus_a=0, corpus_b=0)
    assert "the same system" in page.html


LONG = write_parts([FilterPart("every odd one", "", tuple(n * n for n in range(3_000)))])


@pytest.mark.parametrize("where", ["", write_parts([FilterPart("", "delta.gtm < 0")]), LONG])
def test_a_filter_stands_in_the_link_or_it_is_said_that_it_is_too_long(sample, where):
    page = CorpusPage(sample, corpus_where=where, corpus_sort="delta", corpus_up=True, corpus_segment=3, corpus_b=1)
    shown = corpus_state(page)
    assert shown.where == where  # also where it is too long for a link
    page.set_state(share=True)
    captions = [each.value for each in page.at.caption]
    says = "The link only names the texts; when opened elsewhere, it asks for their files."
    assert any(says in each for each in captions)
    file = link.to_json(shown)
    assert link.from_json(file) == (shown, [], {})
    if where is LONG:
        assert link.link(shown) is None
        assert any("filter, tags and notes are too long for a link" in each for each in captions)
        assert "where" not in page.at.session_state.address and link.KEPT in page.at.session_state.address
        document = page.at.session_state.kept
        texts, _ = link.from_document(document)
        rest = {name: text for name, text in page.at.session_state.address.items() if name != link.KEPT}
        assert link.from_query(rest | texts)[0] == shown
    else:
        query = link.to_query(shown)
        assert link.from_query(query) == (shown, []) and ("where" in query) == bool(where)
        assert any("The link holds" in each and ("the filter" in each) == bool(where) for each in captions)


# ---------------------------------------------------------------- the other views


def test_the_bars_of_the_changes_count_all_segments_and_select_those_they_count(sample):
    page = CorpusPage(sample, corpus_view="charts")
    (chart,) = [markup for markup in page.markups if 'class="chart changes' in markup or "changes" in markup[:200]]
    filters = re.findall(r'data-tell="filter:([^"]+)"', chart)
    a, b = sample.tables["gtm"].scores
    counted = []
    for each in map(html.unescape, filters):
        page.set_state(corpus_view="segments", corpus_where=write_parts([FilterPart("", each)]))
        counted.append(page.component_data_with("rows")["total"])
    same = int((abs(b - a) < 0.0005).sum())
    assert sum(counted) in (len(a), len(a) - same) and len(counted) > 2


def test_another_bar_is_another_choice_and_a_typed_part_stays(sample):
    page = CorpusPage(sample, corpus_where=write_parts([FilterPart("", "number > 3")]))
    page.at.run()
    for each in ("0.1 <= delta.gtm < 0.2", "0.2 <= delta.gtm < 0.3"):
        selected = filter_with_part(page.at.session_state.corpus_where, FilterPart(each, each))
    assert [part.expression for part in selected] == ["number > 3", "0.2 <= delta.gtm < 0.3"]
    lists = FilterPart("“the” right", "", (1, 2), ("the",)), FilterPart("“a dog” right", "", (3,), ("a", "dog"))
    both = filter_with_part(write_parts(filter_with_part("", lists[0])), lists[1])
    assert both == (lists[1],)


def filter_with_part(where, part):
    """Return the parts of the page's filter after `part` is added to the filter `where`."""
    import streamlit as st

    st.session_state["corpus_where"] = where
    filters.add_part(part)
    return filters.current_parts()


def test_documents_have_their_scores_and_open_their_segments():
    table = "document\tref\tA\tB\n" + "".join(
        f"{'<b>one' if n < 3 else 'two'}\tthe cat sat on mat {n}\tthe cat {n}\tthe cat sat {n}\n" for n in range(6)
    )
    found = score_corpus(read([File("made.tsv", table.encode())]))
    page = CorpusPage(found, corpus_view="charts")
    (chart,) = [markup for markup in page.markups if "by document" in markup]
    assert re.findall(r'data-tell="document:(\d+)"', chart) == ["0", "3"] and "<b>one" not in chart


def test_all_systems_and_patterns_are_found_and_said(sample):
    page = CorpusPage(sample, corpus_view="all")
    until(lambda: not sample.is_busy)
    assert "is first by GTM" in page.set_state().html and "Pairs" in page.html
    page.set_state(corpus_view="patterns")
    until(lambda: not sample.is_busy)
    assert "n-grams" in page.set_state().html
    until(lambda: not sample.is_busy)
    page.set_state()
    counts = error_counts(sample.texts.segments(0), sample.texts.segments(1), "porter", "english")
    table = page.html.split("Kinds of error")[1]
    for each in counts:
        assert re.search(rf"{each.error.label}.*?<td>{each.a}</td><td>{each.b}</td>", table)
        assert len(each.segments) == each.for_a + each.for_b
    assert "character n-gram" in page.html


def test_causes_and_sides_open_their_segments_and_close_them_again(sample):
    ledger = sample.ledger("gtm", 0, 1)
    page = CorpusPage(sample)
    told = dict(re.findall(r'data-tell="filter:([^"]+)"[^>]*>([^<]+)<', page.html))
    told = {html.unescape(value): said for value, said in told.items()}
    assert told.keys() >= {"worth > 0", "worth < 0"} and len(told) > 2
    for expression in told:
        values = ledger.parts[expression.split()[0].removeprefix("worth.")] if "." in expression else ledger.worth
        page.set_state(corpus_where=write_parts([FilterPart(expression, expression)]))
        count = sum((value > 1e-12) if ">" in expression else (value < -1e-12) for value in values)
        assert page.component_data_with("rows")["total"] == count > 0
        assert f'data-tell="filter:{html.escape(expression)}" aria-pressed="true"' in page.html


def test_what_a_filter_selects_has_its_scores(sample):
    page = CorpusPage(sample, corpus_where=write_parts([FilterPart("", "number <= 7")]))
    texts = [[segment.candidate for segment in sample.texts.segments(n)][:7] for n in (0, 1)]
    references = [segment.references for segment in sample.texts.segments(0)][:7]
    a, b = (metrics.corpus_score("gtm", each, references).score for each in texts)
    given = sum(sample.ledger("gtm", 0, 1).worth[:7])
    assert f"7 of 40 segments, GTM {a:.3f} → {b:.3f}" in page.html
    assert f"They give {given:+.4f}".replace("-", "−") in page.html


def test_what_is_found_of_a_filter_while_it_is_drawn_is_shown(sample, monkeypatch):
    show = strip.show

    def show_when_all_is_found(*tiles_and_more):
        until(lambda: not sample.is_busy)
        show(*tiles_and_more)

    page = CorpusPage(sample, corpus_view="all")
    monkeypatch.setattr(strip, "show", show_when_all_is_found)
    page.set_state(corpus_where=write_parts([FilterPart("", "length > 11")]))
    (tile,) = [tile for tile in page.component_data_with("tiles")["tiles"] if tile["key"] == "gtm"]
    assert "p " in tile["lines"][0]["said"] and "interval" in tile


@pytest.mark.parametrize(("where", "fair"), [("length > 12", True), ("delta.gtm > 0", False)])
def test_the_sentence_the_strip_and_the_ledger_follow_the_filter(sample, where, fair):
    page = CorpusPage(sample, corpus_where=write_parts([FilterPart("", where)]))
    until(lambda: not sample.is_busy)
    page.set_state()
    selected = filters.select_segments(sample, corpus_state(page))
    numbers = selected.subset.segment_indices
    assert len(numbers) == selected.size and 1 < len(numbers) < 40 and selected.subset.fair == fair
    tiles = {tile["key"]: tile for tile in page.component_data_with("tiles")["tiles"]}
    for key in ("gtm", "ter"):
        table = sample.tables[key].select_segments(numbers)
        a, b = table.corpus_scores().tolist()
        assert tiles[key]["lines"][1]["text"] == f"{a:.3f} · {b:.3f}"
        (pair,) = compare_with_others(sample.names, [table], resampling.scores_of_resamples([table]), 0)
        assert ("p " in tiles[key]["lines"][0]["said"]) == fair == ("interval" in tiles[key])
        assert tiles[key]["lines"][0]["text"].endswith("*") == (fair and pair.p_corrected < 0.05)
        if fair:
            assert probability_text(pair.p_corrected) in tiles[key]["lines"][0]["said"]
    assert f"In the {len(numbers)} of 40 segments of the filter After is" in page.html
    assert ("No test: they were chosen by outputs or scores" in page.html) == (not fair)
    ledger = sample.ledger("gtm", 0, 1)
    given = {cause: sum(part[n] for n in numbers) for cause, part in ledger.parts.items()}
    shares = re.findall(r'<tr><td>.*?<td class="num[^"]*">([^<]+)</td>', page.html.split('class="causes"')[1])
    expected = [x for x in sorted(given.values(), key=abs, reverse=True) if abs(x) > 1e-9]
    printed = shares_as_printed(expected, sum(expected), 4)  # they add up
    assert shares == [f"{x:+.4f}".replace("-", "−") for x in printed]
    assert f"of all: +{ledger.delta:.4f}" in page.html
    page.set_state(corpus_view="all")
    until(lambda: not sample.is_busy)
    assert f"{len(numbers)} of 40 segments, those of the filter" in page.set_state().html
    page.set_state(corpus_view="segments", corpus_where="")


def test_another_metric_stands_beside_and_where_they_disagree_is_an_order(sample):
    ledger = sample.ledger("gtm", 0, 1)
    seen = SegmentTable(sample, CorpusState(columns="delta.ter", sort="apart"), ledger)
    gtm, ter = (sample.tables[key].scores[1] - sample.tables[key].scores[0] for key in ("gtm", "ter"))

    def percentile_rank(values, n):  # slow and obvious: the smaller values, and half of the equal ones
        below = sum(v < values[n] - 1e-9 for v in values)
        return (below + (sum(abs(v - values[n]) <= 1e-9 for v in values) - 1) / 2) / 39

    apart = [percentile_rank([-v for v in ter], n) - percentile_rank([*gtm], n) for n in range(40)]
    got = [seen.rows(n, n + 1)[0]["segment"] for n in range(40)]
    assert [abs(apart[n]) for n in got] == pytest.approx(sorted(map(abs, apart), reverse=True))
    assert seen.rows(0, 1)[0]["cells"][-2]["text"] == f"{100 * apart[got[0]]:+.0f}".replace("-", "−")
    assert [column.name for column in seen.column_heads()][5:7] == ["apart", "delta.ter"]
    other = SegmentTable(sample, CorpusState(columns="delta.ter", sort="delta.ter"), ledger)
    first = other.rows(0, 1)[0]["segment"]
    assert ter[first] == min(ter)


def test_the_ledger_of_a_metric_that_names_another_winner_stands_beside():
    """Check that a metric with another winner has its ledger shown: all words in another order, or fewer in order."""
    words = [[f"w{n}x{k}" for k in range(10)] for n in range(30)]
    sides = ([row[::-1] for row in words], [row[:7] for row in words], words)
    files = ["\n".join(map(" ".join, rows)).encode() for rows in sides]
    named = zip(("a.txt", "b.txt", "ref.txt"), files, strict=True)
    found = score_corpus(read([File(name, data) for name, data in named]), ("wer", "per"), "wer")
    page = CorpusPage(found, metric="wer")
    assert 'class="other"' in page.html and "By PER a is better:" in page.html
    other = page.html.split('class="other"')[1]
    assert all(f"{abs(step.share):.4f}" in other for step in found.ledger("per", 0, 1).steps)
    page.set_state(metric="per")
    assert "By WER b is better:" in page.html


def test_columns_on_demand_are_shown_and_sort_scores_of_files_among_them():
    table = "document\tref\tA\tB\tA.COMET-22\tB.COMET-22\n" + "".join(
        f"{('one', 'two')[n % 2]}\tthe cat sat on mat {n}\tthe cat {n}\tthe cat sat {n}\t{n}\t{score}\n"
        for n, score in enumerate((9, 7, "", 3, 1))
    )
    found = score_corpus(read([File("made.tsv", table.encode())]))
    wanted = "length,document,b.ter,delta.comet_22"
    shown = CorpusState(columns=f"{wanted},delta.nothing", marks=marks.replace_mark("", 3, "odd", ""))
    seen = SegmentTable(found, shown, None)
    assert [column.name for column in seen.column_heads()][5:-1] == wanted.split(",")
    row = next(row for row in seen.rows(0, 5) if row["segment"] == 1)
    assert [cell["text"] for cell in row["cells"][5:]] == ["6", "two", "0.333", "+6.000"]
    orders = (("delta.comet_22", False, 0), ("delta.comet_22", True, 4), ("document", False, 0), ("tag", False, 3))
    for sort, up, first in orders:
        order = SegmentTable(found, dataclasses.replace(shown, sort=sort, up=up), None).order
        assert order[0] == first, sort
    assert SegmentTable(found, dataclasses.replace(shown, sort="delta.comet_22"), None).order[-1] == 2  # has none
    page = CorpusPage(found, corpus_columns=wanted, corpus_where=write_parts([FilterPart("", "delta.comet_22 > 0")]))
    assert page.row_segments == [0, 1] or page.rows["total"] == 2
    assert any("must be names of columns" in each for each in link.from_query({"page": "corpus", "columns": "x y"})[1])


def test_the_menu_of_the_filter_offers_what_there_is(sample):
    ledger = sample.ledger("gtm", 0, 1)
    for expression, said in filter_menu.cause_filters(metrics.METRICS["gtm"], ledger, sample.names).items():
        page = CorpusPage(sample, corpus_where=write_parts([FilterPart(expression, expression)]))
        assert said.endswith(f"({page.rows['total']})")
        assert ("for After" in said) == (">" in expression)
    for name in ('say "x"', "back\\slash", "“q” \\"):
        part = filters.document_part(sample, name)
        facts = FilterFacts(size=1, labels={"document": list})
        assert not part.expression or parse_filter(part.expression, facts).label == name


def test_words_that_are_sought_are_lit_in_rows_and_evidence(sample):
    (pattern,) = [Pattern(("no", "salt"), 1, 0, 1, 0, 1, 0.0, 0.0, 0.0, (12,))]
    for part in (FilterPart("", 'has("NO salt")'), filters.pattern_part(pattern, "word")):
        where = write_parts([part])
        assert record.parse_filter(where) == (part,)
        page = CorpusPage(sample, corpus_where=where, corpus_segment=12)
        assert page.component_data_with("rows")["sought"] == [" no salt "]
        for way, sides in (("difference", "ar"), ("a", "cr"), ("b", "r")):
            if way != "difference":  # this way is shown first, and what the browser has is not sent again
                page.set_state(corpus_seen=way)
            words = re.findall(r'class="[^"]* sought" data-word="(.)[^>]*><bdi>(\w+)', page.html)
            assert {*words} >= {(side, word) for side in sides for word in ("no", "salt")}
            assert {word for _, word in words} == {"no", "salt"}


def test_what_stands_before_and_behind_a_segment_in_its_document_is_shown(sample):
    page = CorpusPage(sample, corpus_segment=12, corpus_neighbours=True)
    near = page.html.split('class="near"')[1]
    inside = [str(n) for n in (11, 13) if sample.document_name(n) == sample.document_name(12)]
    assert re.findall(r'data-tell="segment:(\d+)"', near) == inside
    assert html.escape(sample.output_text(1, 13)) in near and html.escape(sample.source_text(13)) in near
