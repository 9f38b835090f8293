"""Tests of the table of scores: its verdicts, the data it sends, and its behaviour in a browser."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import metrics
from tests.helpers.app import PHONE, served_page
from tests.helpers.browsing import Watch, settle, until
from tests.helpers.contrast import assert_contrast, use_colour_scheme
from viz.components import fragment, score_table
from viz.components.score_table import ScoreColumn, system_columns
from viz.draw.compare import scores
from viz.draw.compare.scores import ScoreRow, delta_text
from viz.draw.pen.text import visible
from viz.state.results.cache import Problem
from viz.state.results.scoring import rows_for_systems

# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("delta", "higher", "lower", "text"),
    [
        *((0.1, "better", "worse", "+0.100"), (-0.1, "worse", "better", "−0.100"), (0.0, "same", "same", "0")),
        *((-0.0, "same", "same", "0"), (0.00049, "same", "same", "0"), (-0.00049, "same", "same", "0")),
        *((0.0005, "better", "worse", "+0.001"), (-0.0005, "worse", "better", "−0.001")),
        (-1.2344, "worse", "better", "−1.234"),
    ],
)
def test_verdicts(delta, higher, lower, text):
    assert scores.verdict(delta, True) == higher
    assert scores.verdict(delta, False) == lower
    assert delta_text(delta) == text


def test_rows_of_a_pair():
    """Check the table's rows for two systems: scores, signed differences and verdicts by each metric.

    Where a system has no score by a metric, the row says why."""
    catalogue = {key: metrics.METRICS[key] for key in ("gtm", "wer", "ter", "sia")}
    a, b = (
        {key: result_with_score(score) for key, score in zip(catalogue, scores_, strict=True)}
        for scores_ in ((0.555, 0.286, 0.235, 0.0), (0.646, 0.2, 0.2352, 0.4))
    )
    a["sia"] = Problem("SIA", "Too hard")
    rows = rows_for_systems([a, b], catalogue)
    assert [(r.key, r.label, r.values, r.verdict, r.problem) for r in rows] == [
        ("gtm", "GTM", (0.555, 0.646), "better", ""),
        ("wer", "WER", (0.286, 0.2), "better", ""),
        ("ter", "TER", (0.235, 0.2352), "same", ""),
        ("sia", "SIA", (None, 0.4), None, "Too hard."),
    ]
    assert [r.delta for r in rows] == [0.646 - 0.555, 0.2 - 0.286, 0.2352 - 0.235, None]


@pytest.mark.parametrize(
    ("values", "higher", "lower"),
    [
        ((0.1, 0.2, 0.3), (2,), (0,)),
        ((0.3, 0.2, 0.3001), (0, 2), (1,)),
        ((0.3, 0.3, 0.3), (), ()),  # nothing is best where all are equal
        ((None, 0.2, 0.3), (2,), (1,)),
        ((None, 0.2, None), (), ()),
        ((None, None), (), ()),
        ((), (), ()),
    ],
)
def test_best(values, higher, lower):
    assert ScoreRow("m", "M", True, values).best == higher
    assert ScoreRow("m", "M", False, values).best == lower


def result_with_score(score: float) -> SimpleNamespace:
    return SimpleNamespace(score=score)


def data_sent_to_browser(monkeypatch, rows, columns, selected="gtm"):
    """Return the data, checked to be valid JSON, that `score_table.show` sends to the browser for the table."""
    given = SimpleNamespace()
    monkeypatch.setattr(score_table, "_component", lambda **told: given.__dict__.update(told))
    score_table.show(rows, columns, selected, lambda key: None)
    json.dumps(given.data, allow_nan=False)
    return given.data


def test_what_the_browser_is_told(monkeypatch):
    rows = [
        ScoreRow("gtm", "GTM", True, (0.555, 0.646)),
        ScoreRow("wer", "WER", False, (0.2, 12.5)),
        ScoreRow("ter", "TER", False, (0.235, 0.2352)),
        ScoreRow("sia", "SIA", True, (None, 0.4), "Too <b>hard</b>."),
    ]
    data = data_sent_to_browser(monkeypatch, rows, system_columns(["A", "\u202e<b>"]))
    assert [row["order"] for row in data["rows"]] == [
        [0, 0.555, 0.646],
        [1, 0.2, 12.5],
        [2, 0.235, 0.2352],
        [3, None, 0.4],
    ]
    assert data["rows"][0]["label"] == "GTM, higher is better, A 0.555, \ufffd<b> 0.646, best"
    assert [row["title"] for row in data["rows"]] == ["", "", "", "Too <b>hard</b>."]
    assert data["columns"][2]["name"] == "\ufffd<b>"
    assert data["columns"][2]["title"] == "Scores of \ufffd<b>"
    data = data_sent_to_browser(monkeypatch, rows, system_columns(["x", "y"]))
    assert [[c["mark"] + c["text"] + c["after"] for c in row["cells"]] for row in data["rows"]] == [
        ["GTM↑", "0.555", "★0.646"],
        ["WER↓", "★0.200", "12.50"],
        ["TER↓", "0.235", "0.235"],
        ["SIA↑", "–", "0.400"],
    ]
    assert data["rows"][0]["label"] == "GTM, higher is better, x 0.555, y 0.646, best"
    assert data["rows"][1]["label"].startswith("WER, lower is better, x 0.200, best")
    data = data_sent_to_browser(monkeypatch, rows, system_columns(["x", "y"], [1, 0]))
    assert [c["id"] for c in data["columns"]] == ["metric", "score1", "score0"]  # a sorting by one of them is kept
    assert data["rows"][0]["label"] == "GTM, higher is better, y 0.646, best, x 0.555"


ENDS = "a system with a very long name"
NAMES = [
    (["baseline", "new"], ["baseline", "new"]),
    ([f"{ENDS}, run {n}" for n in (1, 2)], ["a sy…name, run 1", "a sy…name, run 2"]),  # the beginnings are equal
    (["first of many words", "other of many words"], ["first of many wor…", "other of many wor…"]),
    ([f"for some time the same {n} and so on" for n in "12"], ["for …1 and so on", "for …2 and so on"]),
    ([f"for a very long time {n}, and so on and on" for n in "12"], ["for …e 1, and so …", "for …e 2, and so …"]),
    (["same"] * 3, ["1: same", "2: same", "3: same"]),
    ([ENDS, ENDS], ["1: a system with a v…", "2: a system with a v…"]),
    (["x" * 40, "x" * 39], None),
    (["ab" * 20, "ab" * 19 + "ba", "ab" * 10 + "c" * 20, "b", "ab"], None),
    ([f"שם ארוך מאוד של מערכת תרגום {n}" for n in range(8)], None),
    ([f"機械翻訳システムの非常に長い名前その{n}番" for n in range(8)], None),
    ([], []),
]


@pytest.mark.parametrize(("names", "short"), NAMES, ids=range(len(NAMES)))
def test_short_names_can_be_told_apart(names, short):
    found = scores.short_names(names)
    assert len(set(found)) == len(names) and all(len(name) <= 18 + 3 for name in found)
    assert short is None or found == short


def test_short_names_of_any_letters_can_be_told_apart():
    rng = random.Random(2)
    for _ in range(300):
        names = ["".join(rng.choices("a-b", k=rng.choice([3, 18, 19, 40]))) for _ in range(8)]
        found = scores.short_names(names)
        assert len(set(found)) == 8 and all(
            f == n for f, n in zip(found, names, strict=True) if names.count(n) == 1 and len(n) <= 18
        )


def test_only_metrics_of_the_table_are_picked(monkeypatch):
    """Check that the table ignores a choice that is not one of its metrics.

    A manipulated browser may send anything."""
    picked, calls = [], []
    monkeypatch.setattr(score_table, "_component", lambda **told: calls.append(told))
    score_table.show([ScoreRow("gtm", "GTM", True, (0.5, 0.6))], system_columns(["A", "B"]), "gtm", picked.append)
    for sent in (None, "no such", 7, {"a": 1}, "gtm"):
        monkeypatch.setattr(fragment.st, "session_state", {"scores": {"pick": sent}})
        calls[0]["on_pick_change"]()
    assert picked == ["gtm"]


# ---------------------------------------------------------------- in a browser

APP = """
import sys

import streamlit as st
from viz.draw.evidence.fragment import STYLE
from viz.frame.head import RULES

from tests.browser.test_score_table import SCENES
from viz.components import fragment, score_table

st.set_page_config(layout="wide")
st.html(f"<style>{STYLE}{RULES}</style>")
state = st.session_state
state.setdefault("picked", [])
state.setdefault("metric", "gtm")
rows, columns = SCENES[st.query_params.get("scene", "two")]()


def pick(key):
    state.metric = key
    state.picked.append(key)


def draw():
    if state.get("shown", True):
        score_table.show(rows, columns, state.metric, pick)


@st.fragment
def view():
    if len(columns) == 3:
        left, _ = st.columns([4.6, 7.4], gap="large")
        with left:
            draw()
    else:
        draw()
    st.text("picked: " + " ".join(state.picked))
    if st.button("Again"):
        state.shown = True
    if st.button("Hide"):
        state.shown = False
        st.rerun(scope="fragment")


view()
"""
#: One metric could not be scored, error rates get better and worse, and one score is equal.
SCORES_A = (0.427, 0.612, 3.436, 0.866, 0.866, 0.727, 0.732, 0.555, None, 0.627, 0.792, 0.943, 0.286, 0.286, 0.235)
SCORES_B = (0.534, 0.655, 11.556, 0.873, 0.8661, 0.658, 0.745, 0.646, None, 0.73, 0.802, 0.96, 0.2, 0.386, 0.235)
KEYS = list(metrics.METRICS)
HOSTILE = ("<img src=x onerror=alert(1)><b>b</b> $x$ %{x} &amp;", "\u202eevil \u0001 שלום", "w" * 3000, "👩‍👩‍👧")


def results_by_metric(values) -> dict[str, Any]:
    return {
        key: Problem(metrics.METRICS[key].label, "this is <i>too hard</i>")
        if value is None
        else result_with_score(value)
        for key, value in zip(KEYS, values, strict=True)
    }


def two_systems() -> tuple[list[ScoreRow], list[ScoreColumn]]:
    return rows_for_systems(
        [results_by_metric(SCORES_A), results_by_metric(SCORES_B)], metrics.METRICS
    ), system_columns(["A", "B"])


def hostile_systems() -> tuple[list[ScoreRow], list[ScoreColumn]]:
    rows = [row._replace(label=HOSTILE[n % 4], problem=HOSTILE[0]) for n, row in enumerate(two_systems()[0])]
    return rows, system_columns(HOSTILE[:2])


def eight_systems() -> tuple[list[ScoreRow], list[ScoreColumn]]:
    systems = [results_by_metric(SCORES_A), results_by_metric(SCORES_B)] * 2
    systems += [results_by_metric([v and v * (0.8 + n / 20) for v in SCORES_A]) for n in range(4)]
    names = ["baseline", "a long name of a system", *HOSTILE, "7", "8"]
    return rows_for_systems(systems, metrics.METRICS), system_columns(names)


SCENES = {"two": two_systems, "hostile": hostile_systems, "eight": eight_systems}


@pytest.fixture(scope="module")
def table_url() -> Iterator[str]:
    """Yield the address of an app that shows nothing but the table of scores."""
    with served_page(APP) as app:
        yield app.address


@pytest.fixture(scope="module")
def table_watch(table_url: str) -> Watch:
    """Return the record of the faults of all pages of this file."""
    return Watch(table_url)


@pytest.fixture(scope="module")
def scene_opener(new_page: Callable[..., Any], table_watch: Watch) -> Iterator[Callable[..., Any]]:
    """Yield a function that opens the table of one of `SCENES` and returns the page.

    A scene that is open already is returned as it was left, with its order of rows and its chosen metric."""
    pages: dict[str, Any] = {}

    def open_scene(scene: str = "two", **options: Any) -> Any:
        name = json.dumps([scene, options])
        if name not in pages:
            pages[name] = table_watch.watch_page(new_page(**options))
            pages[name].goto(f"{table_watch.address}/?scene={scene}")
            pages[name].wait_for_selector(".scores tbody tr")
        pages[name].bring_to_front()
        return pages[name]

    yield open_scene
    for page in pages.values():
        page.close()


@pytest.fixture
def faultless_scene_opener(scene_opener: Callable[..., Any], table_watch: Watch) -> Iterator[Callable[..., Any]]:
    """Yield the function that opens a scene; after the test, check that no page had an error or a dialog."""
    yield scene_opener
    table_watch.assert_no_faults()


@pytest.fixture
def fresh_page(faultless_scene_opener: Callable[..., Any]) -> Any:
    """Return the page with the table of two systems, reloaded so that nothing is sorted or chosen."""
    page = faultless_scene_opener()
    page.reload()
    page.wait_for_selector(".scores tbody tr")
    return page


def metric_order(page: Any) -> list[str]:
    return page.locator(".scores tbody tr").evaluate_all("all => all.map(e => e.dataset.name)")


def chosen_metrics(page: Any) -> list[str]:
    return page.locator(".scores tr[aria-selected=true]").evaluate_all("all => all.map(e => e.dataset.name)")


def wait_until_picked(page: Any, *keys: str) -> None:
    """Wait until the last choices that the server received are the metrics `keys`, in this order.

    The app prints its choices after the word "picked:"."""
    page.wait_for_function(
        "text => [...document.querySelectorAll('[data-testid=stText]')]"
        ".some(e => ` ${e.textContent.trim()}`.endsWith(text))",
        arg=" ".join(["", *keys]),
    )
    page.wait_for_selector(".stApp[data-test-script-state=notRunning]")


def press_button(page: Any, name: str) -> None:
    """Press the button `name` of the test app, and wait until the app has answered."""
    page.get_by_role("button", name=name).click()
    settle(page)


def header_button(page: Any, name: str) -> Any:
    return page.get_by_role("columnheader", name=name).get_by_role("button")


@pytest.mark.alone
def test_sorting(fresh_page) -> None:
    """Check that the table sorts by a system's scores and by the order of the catalogue of metrics.

    A rerun of the page keeps the order."""
    page = fresh_page
    rows = {row.key: row for row in two_systems()[0]}

    def expected_order(value, descending):
        known = [key for key in KEYS if value(rows[key]) is not None]
        return [*sorted(known, key=lambda key: -value(rows[key]) if descending else value(rows[key])), "sia"]

    for name, value in (("A", lambda row: row.values[0]), ("B", lambda row: row.values[1])):
        column = page.get_by_role("columnheader", name=name)
        for descending, sorts in ((True, "descending"), (False, "ascending")):
            header_button(page, name).click()
            assert metric_order(page) == expected_order(value, descending)
            assert column.get_attribute("aria-sort") == sorts
            assert page.locator(".scores th:is([aria-sort=ascending], [aria-sort=descending])").count() == 1
        header_button(page, name).click()
        assert metric_order(page) == KEYS
        assert column.get_attribute("aria-sort") == "none"

    header_button(page, "Metric").click()
    assert metric_order(page) == KEYS
    header_button(page, "Metric").click()
    assert metric_order(page) == KEYS[::-1]

    header_button(page, "B").focus()
    page.keyboard.press("Enter")
    sorted_ = expected_order(lambda row: row.values[1], True)
    assert metric_order(page) == sorted_ and chosen_metrics(page) == ["gtm"]
    press_button(page, "Again")
    assert metric_order(page) == sorted_
    press_button(page, "Hide")
    until(lambda: metric_order(page), [])
    press_button(page, "Again")
    press_button(page, "Again")
    until(lambda: metric_order(page), sorted_)
    page.locator(".scores tr[data-name=wer]").click()
    wait_until_picked(page, "wer")
    assert metric_order(page) == sorted_ and chosen_metrics(page) == ["wer"]
    assert page.evaluate("document.activeElement.dataset.name") == "wer"


@pytest.mark.alone
def test_choosing(fresh_page) -> None:
    """Check that metrics are chosen by mouse and by keyboard, in the order in which the rows are shown.

    The keyboard focus survives a rerun of the page."""
    page = fresh_page
    assert chosen_metrics(page) == ["gtm"]
    page.locator(".scores tr[data-name=gtm]").click()  # this row is chosen already
    page.locator(".scores tr[data-name=bleu]").click()
    wait_until_picked(page, "picked:", "bleu")  # and nothing before it was sent
    header_button(page, "Metric").dblclick()  # now in reverse order
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.tagName") == "BUTTON":
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.name") == "bleu"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_until_picked(page, "bleu", "chrf")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    wait_until_picked(page, "bleu", "chrf", "ter")
    page.keyboard.press("ArrowUp")  # the first row has no row above it
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_until_picked(page, "bleu", "chrf", "ter", "chrf")
    assert chosen_metrics(page) == ["chrf"]
    assert page.evaluate("document.activeElement.dataset.name") == "chrf"
    header_button(page, "B").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.name") == "by score1"
    assert page.locator(".scores tbody tr").first.evaluate("e => getComputedStyle(e).cursor") == "pointer"

    for key in ("sia", "dcs", "wer", "per", "gtm") * 2:
        page.locator(f".scores tr[data-name={key}]").click()
        page.wait_for_function(
            "key => [...document.querySelectorAll('[data-testid=stText]')].some(e => e.textContent.endsWith(key))",
            arg=key,
        )


@pytest.mark.alone
def test_hostile_names_are_only_text(faultless_scene_opener) -> None:
    page = faultless_scene_opener("hostile")
    names = [visible(name) for name in scores.short_names(HOSTILE[:2])]
    assert page.locator(".scores thead bdi").all_text_contents() == ["Metric", *names]
    assert page.locator(".scores tbody th bdi").all_text_contents() == [
        visible(HOSTILE[n % 4]) for n in range(len(KEYS))
    ]
    assert page.locator(".scores").evaluate("e => e.querySelectorAll('img, b, i, script').length") == 0
    assert page.locator(".scores").evaluate("e => e.scrollWidth - e.clientWidth") == 0
    assert "<b>b</b>" in page.locator(".scores tbody tr").first.get_attribute("title")
    page.locator(".scores tr[data-name=dcs]").click()
    wait_until_picked(page, "dcs")


@pytest.mark.alone
def test_a_metric_without_a_score_says_why(faultless_scene_opener) -> None:
    page = faultless_scene_opener()
    row = page.locator(".scores tr[data-name=sia]")
    assert row.locator("td").all_text_contents() == ["–"] * 2
    assert row.get_attribute("title") == "this is <i>too hard</i>."
    row.click()
    wait_until_picked(page, "sia")


@pytest.mark.alone
def test_sizes(faultless_scene_opener) -> None:
    """Check that fifteen metrics take 450 to 480 pixels of height, and that no cell is cut off.

    On a phone only a table of many systems scrolls sideways, and only within itself."""
    page = faultless_scene_opener()
    size = page.locator(".scores").bounding_box()
    assert 450 < size["height"] < 480 and size["width"] < 460
    uncut = "e => [...e.querySelectorAll('th, td, thead bdi')].every(c => c.scrollWidth <= c.clientWidth + 1)"
    assert page.locator(".scores").evaluate(uncut)
    assert page.locator(".scores").evaluate("e => e.scrollHeight - e.clientHeight") == 0
    page = faultless_scene_opener(**PHONE)
    assert page.locator(".scores").evaluate(uncut)
    assert page.locator(".scores").evaluate("e => e.scrollWidth - e.clientWidth") == 0
    for name in ("Metric", "A", "B"):
        header_button(page, name).click()
        assert page.locator(".scores").evaluate(uncut), name
    page = faultless_scene_opener("eight", **PHONE)
    assert page.locator(".scores").evaluate("e => e.scrollWidth - e.clientWidth") > 200
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    page.locator(".scores").evaluate("e => { e.scrollLeft = 200; }")
    assert page.locator(".scores tbody th").first.bounding_box()["x"] < 30  # the metric stays visible
    page.locator(".scores tr[data-name=wer]").tap()
    wait_until_picked(page, "wer")
    assert page.locator(".scores").evaluate("e => e.scrollLeft") == 200


@pytest.mark.alone
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(faultless_scene_opener, scheme) -> None:
    """Check that the text of the table has a contrast of 4.5:1, also on the chosen row."""
    for name in ("two", "eight"):
        page = faultless_scene_opener(name)
        use_colour_scheme(page, scheme)
        assert_contrast(page, 4.5, ".scores :is(th, td, bdi, .mark)")
        use_colour_scheme(page, "light")


@pytest.mark.alone
def test_a_screen_reader_reads_it(faultless_scene_opener, fresh_page) -> None:
    page = faultless_scene_opener("eight")
    grid = page.get_by_role("grid", name="Scores of all metrics; choose one to see what made it")
    assert grid.get_by_role("columnheader").count() == 9
    row = page.get_by_role("row", name="WER, lower is better, baseline", exact=False)
    assert (
        "best" in row.get_attribute("aria-label")
        and row.get_by_role("rowheader").text_content() == "WER ↓, lower is better"
    )
    page = fresh_page
    assert page.get_by_role("row", name="PER, lower is better, A 0.286, best, B 0.386", exact=True).count() == 1
    assert page.get_by_role("row", name="GTM", exact=False).get_attribute("aria-selected") == "true"
