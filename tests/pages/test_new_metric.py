"""Tests of a new metric: it works on every page, link and file, and what it lacks no menu offers.

A request for a missing part by name gives one sentence. Neither these tests nor viz know that it is a copy of PER."""

import ast
import csv
import io
import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

import metrics
import viz
from metrics.text import TextSettings
from tests.helpers.app import ROOT
from tests.helpers.new_metric import bare_metric, whole_metric  # noqa: F401, fixtures
from tests.helpers.pages import ComparePage, LearnPage, SentencePage
from viz.draw.evidence import ledger
from viz.draw.evidence.drawn_result import EvidenceLook
from viz.draw.pen import svg
from viz.frame import evidence, menus
from viz.pages.learn import chapter_files, chapter_reader, save_menu
from viz.pages.sentence import one_metric
from viz.pages.sentence.record import SentenceState as Looked
from viz.save import comparison_report, sentence_page, steps_page, tikz
from viz.save.systems_table import scores_csv
from viz.state.files.toml_file import FileError
from viz.state.links import link
from viz.state.results import cache, memory
from viz.state.results.scoring import rows_for_systems
from viz.state.texts import inputs

TEXTS = {"candidate": "the gunman was killed by the police", "references": "police killed the gunman\nthe police did"}
OUTPUTS = {"system.1": TEXTS["candidate"], "system.2": "police killed gunman", "references": TEXTS["references"]}
TINY = (ROOT / "tests/data/chapters/tiny.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def clear_caches():
    """Clear the caches before and after a test, because they know metrics by key."""
    memory.empty_cache()
    yield
    memory.empty_cache()


@pytest.fixture(params=["whole_metric", "bare_metric"])
def metric(request):
    return request.getfixturevalue(request.param)


def processed_texts():
    return inputs.read_texts(TEXTS["candidate"], TEXTS["references"], TextSettings())


def shown_result(page):
    """Return the texts and the result that a Sentence page shows."""
    texts = processed_texts()
    return texts, metrics.score(page.at.session_state.metric, *texts.segment)


# ---------------------------------------------------------------- Sentence


def test_the_strip_and_the_evidence(metric):
    page = SentencePage(**TEXTS, metric=metric.key)
    assert [tile["key"] for tile in page.tiles] == [*metrics.METRICS] and page.tiles[-1]["name"] == metric.label
    assert page.scores[metric.key] == page.scores["per"]
    assert f'data-metric="{metric.key}"' in page.fragment and f"About {metric.label}" in page.fragment
    assert page.signature.startswith(metric.key) and page.messages == []
    same = SentencePage(**TEXTS, metric="per")
    assert page.terms() == same.terms() and page.formula == same.formula


def test_views_of_several_metrics_have_it(metric):
    page = SentencePage(**TEXTS, metric=metric.key, view="all")
    assert f'data-open="{metric.key}"' in page.html and metric.label in page.html
    page = SentencePage(**TEXTS, metric=metric.key, view="two", other="per")
    assert f"{metric.label} and PER" in page.html and page.messages == []
    both = SentencePage(**TEXTS, metric="per", view="two", other=metric.key)
    assert f"PER and {metric.label}" in both.html and both.widget("other").value == metric.key


def test_its_link_holds_it(metric):
    page = SentencePage(**TEXTS, metric=metric.key)
    assert page.at.session_state["address"]["metric"] == metric.key
    looked = Looked(**TEXTS, metric=metric.key)
    assert link.from_query(link.to_query(looked)) == (looked, [])
    back, problems, _ = link.from_json(link.to_json(looked).encode())
    assert back == looked and problems == []


def test_its_files(metric):
    texts, result = shown_result(SentencePage(**TEXTS, metric=metric.key))
    drawn = evidence.drawn_result(texts, result, EvidenceLook(room=900, picture="grid"))
    picture = one_metric.picture_to_save(drawn)
    assert metric.label in svg.svg_file(picture) and r"\begin{tikzpicture}" in tikz.document(picture)
    assert f'data-metric="{metric.key}"' in sentence_page.page_html(drawn)
    body = json.loads(sentence_page.result_json(texts, result))
    assert body["metric"] == metric.key and body["score"] == result.score
    rows = csv.reader(io.StringIO(ledger.csv_text(texts.candidate_words, texts.reference_words, result, "signature")))
    assert len([*rows]) > len(result.layers[0].marks)


# ---------------------------------------------------------------- Steps


def offered_views(page):
    """Return the names of the views that the page offers."""
    return [*page.widget("view").options]


def test_the_view_of_steps_is_offered_where_there_are_steps(metric):
    page = SentencePage(**TEXTS, metric=metric.key)
    assert ("Steps" in offered_views(page)) == bool(metric.program)
    assert "Steps" in offered_views(page.set_state(metric="per"))


def test_its_steps_are_played_and_saved(whole_metric):  # noqa: F811
    page = SentencePage(**TEXTS, metric=whole_metric.key, view="steps")
    (player,) = [e for e in page.at.get("bidi_component") if e.proto.id.endswith("player")]
    told, words = json.loads(player.proto.json), processed_texts().segment
    wanted = [step.text for step in metrics.trace(whole_metric.key, *words)]
    assert [step["text"] for step in told["chunk"]["steps"]] == wanted
    notebook = viz.steps(whole_metric.key, *words)
    assert f'data-metric="{whole_metric.key}"' in notebook._repr_html_()
    assert whole_metric.label in steps_page.page_html(notebook.walk)


def test_without_steps_a_link_to_them_falls_back(bare_metric):  # noqa: F811
    page = SentencePage(**TEXTS, metric=bare_metric.key, view="steps", step="3")
    assert page.messages == ["Bare words has no steps to watch; its score is shown instead."]
    assert page.at.session_state.view == "metric" and f'data-metric="{bare_metric.key}"' in page.fragment
    assert "view" not in page.at.session_state["address"]
    assert page.run().messages == []
    with pytest.raises(ValueError, match=r"^Bare words has no program with steps to watch$"):
        viz.steps(bare_metric.key, *processed_texts().segment)


def test_without_steps_its_tile_leaves_them(bare_metric):  # noqa: F811
    page = SentencePage(**TEXTS, metric="per", view="steps")
    page.set_state(metric=bare_metric.key)
    assert page.messages == ["Bare words has no steps to watch; its score is shown instead."]
    assert page.set_state(metric="per").at.session_state.view == "metric" and page.messages == []


def test_without_steps_an_empty_side_says_what_is_missing(bare_metric):  # noqa: F811
    page = SentencePage(candidate="", references="a b", metric=bare_metric.key, view="steps")
    missing = "Paste a candidate above, or choose an example. Scores and the grid appear here."
    assert missing in page.messages and not page.fragments


# ---------------------------------------------------------------- Compare


@pytest.mark.parametrize("view", ["difference", "words", "whatif", "all"])
def test_it_compares(metric, view):
    page = ComparePage(page="compare", metric=metric.key, compare=view, **OUTPUTS)
    assert page.messages == [] and page.at.session_state.metric == metric.key
    assert page.at.session_state.compare_view == view
    assert metric.name in page.html or any(metric.label in json.dumps(told) for told in page.component_data)


def test_the_difference_is_explained_and_saved(metric):
    page = ComparePage(page="compare", metric=metric.key, **OUTPUTS)
    assert page.tiles[metric.key] and "frame pair" in page.fragment
    systems = [("old", OUTPUTS["system.1"]), ("new", OUTPUTS["system.2"])]
    a, b = texts = inputs.read_systems(systems, OUTPUTS["references"], TextSettings())
    given = a, b, ("old", "new"), metric.key, {}
    found = [metrics.score(metric.key, *its.segment).score for its in texts]
    body = json.loads(comparison_report.report_json(*given))
    assert body["metric"] == metric.key and [body["score"][side] for side in "ab"] == found
    assert metric.label in comparison_report.page_html(*given)
    assert comparison_report.ledger_csv(*given).count("\n") > 2
    assert "<svg" in comparison_report.difference_svg(*given)
    rows = rows_for_systems(
        [{metric.key: cache.glance(metric.key, its.segment, metric.Settings())} for its in texts], {metric.key: metric}
    )
    (head, line) = csv.reader(io.StringIO(scores_csv(rows, ("old", "new"), {metric.key: "its signature"})))
    assert line == [metric.label, "lower", *map(repr, found), "its signature", ""] and head[2:4] == ["old", "new"]


# ---------------------------------------------------------------- Learn


def replace_chapters(monkeypatch, *keys, text=TINY):
    """Replace all chapters by one with exercises on `keys`, and return it."""
    told = text.replace('metrics = ["gtm"]', f"metrics = {json.dumps(keys)}")
    assert told != text
    one = chapter_reader.read("tiny.toml", told)
    shelf = chapter_files.Shelf({one.key: one}, [])
    monkeypatch.setattr(chapter_files, "shelf", lambda folder=None: shelf)
    return one


def menu_options(page, name):
    """Return the options of the menu `name` on a Learn page's screen, or an empty list if it has no such menu."""
    found = [group for group in page.screen["groups"] if group["name"] == name]
    return [option[0] for option in found[0]["options"]] if found else []


def test_a_chapter_can_teach_it(monkeypatch, metric):
    replace_chapters(monkeypatch, "gtm", metric.key)
    page = LearnPage(chapter="tiny", screen="2", metric=metric.key)
    assert f'data-metric="{metric.key}"' in page.screen["html"] and menu_options(page, "metric") == ["gtm", metric.key]
    page = LearnPage(chapter="tiny", screen="3", metric=metric.key)
    assert menu_options(page, "metric") == (["gtm", metric.key] if metric.program else [])
    assert bool(page.screen["player"]) == bool(metric.program)
    said = "" if metric.program else "Bare words has no program with steps to watch."
    assert page.screen["unplayed"] == said


def test_its_exercises(monkeypatch, metric):
    replace_chapters(monkeypatch, "gtm", metric.key)
    page = LearnPage(chapter="tiny", screen="6")
    assert menu_options(page, "metric") == (["gtm", metric.key] if metric.plans else [])
    page = LearnPage(chapter="tiny", screen="6", exercise=f"{metric.key}-1-7")
    if metric.plans:
        assert f"Compute {metric.label}" in page.screen["html"]
        for task in ("which", "make"):
            page.set_state(exercise=f"{metric.key}-1-7-{task}")
            assert "is not known" not in page.screen["html"] and page.screen["acts"]
    else:
        assert "Bare words has no exercises." in page.screen["html"] and not page.screen["acts"]


@pytest.mark.slow
def test_sheets_and_saved_chapters_have_what_there_is(monkeypatch, metric):
    one = replace_chapters(monkeypatch, "gtm", metric.key)
    saved = save_menu.saved_chapter(one, 1)
    assert ("Compute " + metric.label in saved) == bool(metric.plans) and "Compute GTM" in saved
    address = "http://localhost:8501/learn"
    page = SimpleNamespace(session_state=SimpleNamespace(sheet_seed=1), context=SimpleNamespace(url=address))
    monkeypatch.setattr(save_menu, "st", page)
    monkeypatch.setattr(menus, "st", page)
    sheet = save_menu.exercise_sheet_html(one, 4, 1)
    assert (metric.label in sheet, f"exercise={metric.key}-1-" in sheet) == (bool(metric.plans),) * 2
    assert "exercise=gtm-1-" in sheet and "localhost" not in sheet
    page.context.url = "https://grid.example.org/learn"
    assert '<a href="https://grid.example.org/learn?' in save_menu.exercise_sheet_html(one, 4, 1)


def test_a_chapter_needs_steps_and_exercises(monkeypatch, bare_metric):  # noqa: F811
    key = bare_metric.key
    with pytest.raises(FileError, match=r"exercise: none of the chapter's metrics has exercises; add one that has\."):
        replace_chapters(monkeypatch, key)
    head, tail = TINY.split('kind = "algorithm"')
    example = f'[examples.bare]\nmetric = "{key}"\ncandidate = "a"\nreferences = ["a"]\n\n[[screens]]'
    text = head.replace("[[screens]]", example, 1) + 'kind = "algorithm"' + tail.replace('"main"', '"bare"', 1)
    with pytest.raises(FileError, match="Bare words has no program with steps to watch"):
        replace_chapters(monkeypatch, "gtm", key, text=text)


def test_questions_alone_may_be_missing(monkeypatch, whole_metric):  # noqa: F811
    monkeypatch.setitem(metrics.METRICS, whole_metric.key, replace(whole_metric, asks=None))
    replace_chapters(monkeypatch, "gtm", whole_metric.key)
    page = LearnPage(chapter="tiny", screen="3", metric=whole_metric.key)
    assert page.screen["unplayed"] == "Words apart has no questions about the steps of its program."
    assert "Steps" in offered_views(SentencePage(**TEXTS, metric=whole_metric.key))


def test_the_way_to_a_chapter_is_offered_where_there_is_one(monkeypatch, metric):
    says = f"Learn how {metric.label} works on this sentence"
    assert says not in SentencePage(**TEXTS, metric=metric.key).fragment
    replace_chapters(monkeypatch, "gtm", metric.key)
    memory.empty_cache()
    assert says in SentencePage(**TEXTS, metric=metric.key).fragment


# ---------------------------------------------------------------- metrics named by key

#: The files that may name metrics: defaults of links, and the text of Help.
NAMING = {
    "viz/state/links/pages.py": {"gtm"},
    "viz/pages/sentence/record.py": {"rouge_l"},
    "viz/draw/evidence/guide.py": {"gtm", "sia"},
}


def metric_keys_in(path):
    """Return the metric keys that a file contains as string constants."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
    else:
        found = {word for quoted in re.findall(r"[\"'`]([^\"'`\n]*)[\"'`]", text) for word in [quoted]}
    return {*metrics.METRICS} & {word for word in found if isinstance(word, str)}


@pytest.mark.slow
def test_viz_knows_no_metric_by_its_key():
    paths = [path for path in (ROOT / "viz").rglob("*") if path.suffix in (".py", ".js", ".css")]
    assert len(paths) > 100
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        assert metric_keys_in(path) <= NAMING.get(name, set()), name
