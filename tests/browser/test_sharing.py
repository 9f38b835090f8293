"""Tests in a browser that links, the browser's history, reloading and saved files restore what was shown."""

from __future__ import annotations

import csv
import json
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.helpers.app import ROOT
from tests.helpers.browsing import (
    EMPTY,
    HITS,
    INTERIOR,
    LOADED,
    Visit,
    Watch,
    address,
    cell_centre,
    choose_metric,
    chosen,
    close_menu,
    data_values,
    enter,
    expected_choice,
    framed_cells,
    link,
    menu,
    open_settings,
    result,
    settle,
    show_view,
    text_box,
    tile,
    type_texts,
    until,
    vermilion_formula,
)

pytestmark = pytest.mark.alone


def state_that_links_restore(page: Any) -> dict[str, Any]:
    """Return what the page shows and a link has to restore, by name.

    The signature is part of it because it names every setting."""
    return {
        "candidate": text_box(page, "Candidate").input_value(),
        "references": text_box(page, "References, one per line").input_value(),
        "chosen": page.locator(".st-key-strip [aria-checked=true]").all_text_contents(),
        "tiles": page.locator(".st-key-strip [role=radio]").all_text_contents(),
        "signature": page.locator(".sig").all_text_contents(),
        "term": [*data_values(page, "tr.term.chosen", "term")],
    }


def shown_page_and_content(page: Any) -> dict[str, Any]:
    """Return what the browser shows, by name, such as the open page's path, the view, the metric and the texts."""
    return {
        "path": urlsplit(address(page)).path,
        "view": page.locator(":is(.st-key-view, .st-key-compare_view) [aria-checked=true]").all_text_contents(),
        "metric": page.locator(
            ".st-key-strip [aria-checked=true] b, .scores [aria-selected=true] th"
        ).all_text_contents(),
        "signature": page.locator(".sig").all_text_contents(),
        "texts": page.locator(".stTextArea textarea").evaluate_all("all => all.map(area => area.value)"),
        "names": page.locator("[class*=st-key-name_] input").evaluate_all("all => all.map(box => box.value)"),
        "term": [*data_values(page, "tr.term.chosen", "term")],
    }


def test_link(visit: Visit, see: Any) -> None:
    """Check that a shared link, and a reload, restore texts, settings, metric, scores and the chosen term."""
    page = visit(link("Ein kleiner Test & mehr", "Ein großer Test & mehr\n100% Test"))
    choose_metric(page, see, "rouge_w")
    open_settings(page).locator(".stSlider input").first.focus()
    signature = page.locator(".sig").text_content()
    page.keyboard.press("ArrowRight")
    see(page.locator(".sig")).not_to_have_text(signature)
    page.keyboard.press("Escape")
    menu(page, "Text").get_by_text("Lower case").click()
    see(page.locator(".sig")).to_contain_text("case:lc")
    close_menu(page)
    page.locator("tr.term").nth(1).click()
    until(lambda: "term=0%3A1" in address(page), True)
    shared = menu(page, "Share").get_by_test_id("stCode").text_content().strip()
    shown = state_that_links_restore(page)
    assert shown["term"] == ["0:1"]
    other = visit(shared)
    until(lambda: state_that_links_restore(other), shown)
    until(lambda: "rouge_w." in address(page) and "text.lowercase=yes" in address(page), True)
    page.reload()
    page.wait_for_selector(LOADED)
    until(lambda: state_that_links_restore(page), shown)
    # A setting restored by going back stays, whichever state its menu was left in.
    menu(page, "Text").get_by_text("Lower case").click()
    see(page.locator(".sig")).to_contain_text("case:mixed")
    close_menu(page)
    page.go_back()
    see(page.locator(".sig")).to_contain_text("case:lc")
    choose_metric(page, see, "wer")
    assert "text.lowercase=yes" in address(page)


def test_back_and_forward(visit: Visit, see: Any) -> None:
    """Check that changes of page, view, metric, setting, example and compared systems can be undone by going back.

    Typing adds no step to the browser's history and is not undone."""
    page = visit()
    settle(page)
    steps = [shown_page_and_content(page)]

    def record_step(action_result: Any) -> None:
        until(lambda: shown_page_and_content(page) != steps[-1], True)
        settle(page)
        steps.append(shown_page_and_content(page))

    before = page.evaluate("history.length")
    record_step(choose_metric(page, see, "dcs"))
    record_step(menu(page, "Text").get_by_text("Lower case").click())
    close_menu(page)
    record_step(show_view(page, "All metrics"))
    record_step(page.get_by_role("link", name="Compare", exact=True).click())
    record_step(tile(page, "sia").click())
    chooser = page.get_by_role("combobox", name="Example")
    chooser.click()
    record_step(page.get_by_role("option", name="eight systems").click())
    assert steps[-1]["view"] == ["All systems"]
    record_step(page.locator(".st-key-systems_b_3 button").click())
    assert page.evaluate("history.length") == before + len(steps) - 1
    for wanted in steps[-2:2:-1]:
        page.go_back()
        until(lambda: shown_page_and_content(page), wanted)
        settle(page)
    enter(text_box(page, "Candidate"), "typed on the way")
    settle(page)
    for wanted in steps[:4]:
        wanted["texts"][0] = "typed on the way"
    for wanted in steps[2::-1]:
        page.go_back()
        until(lambda: shown_page_and_content(page), wanted)
        settle(page)
    for wanted in steps[1:]:
        page.go_forward()
        until(lambda: shown_page_and_content(page), wanted)
        settle(page)
    assert page.evaluate("history.length") == before + len(steps) - 1


def test_reload(visit: Visit, see: Any) -> None:
    """Check that a reload restores what a link cannot hold.

    That is long texts, the other page's texts, and the text tried in "What if". A link that is opened in the same
    tab takes precedence. Where there is nothing to restore, the page runs once."""
    long = " ".join(letter * 300 for letter in "abcdefghijklmnopqrstuv")
    page = visit()
    settle(page)
    enter(text_box(page, "Candidate"), long)
    see(page.get_by_test_id("stAlert")).to_contain_text("too long for a link")
    page.get_by_role("link", name="Compare", exact=True).click()
    see(page.get_by_test_id("stAlert")).to_contain_text("Paste the output after the change")
    show_view(page, "What if")
    enter(page.locator(".st-key-whatif textarea"), "what if")
    until(lambda: "whatif" in address(page), True)
    settle(page)
    shown = shown_page_and_content(page)
    assert long in shown["texts"] and "what if" in shown["texts"]
    page.reload()
    page.wait_for_selector(".st-key-whatif textarea")
    until(lambda: shown_page_and_content(page), shown)
    page.get_by_role("link", name="Sentence", exact=True).click()
    see(text_box(page, "Candidate")).to_have_value(long)
    settle(page)

    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    page.goto(f"{address(page).split('?')[0]}{link('a b', 'a c', metric='ter')}")
    page.wait_for_selector(LOADED)
    until(lambda: "page=sentence" in address(page), True)
    page.wait_for_timeout(300)  # time enough to send again
    # Components may report what they have or still need, which is not a second run for what was stored.
    runs = [frame for frame in sent if b"__events" not in frame]
    assert text_box(page, "Candidate").input_value() == "a b" and len(runs) == 1
    share = menu(page, "Share")
    see(share).to_contain_text("The link holds the candidate, the references, the metric and the view.")
    share.get_by_role("button", name="Copy the link").click()
    see(share.get_by_role("status")).to_have_text("Copied")


def test_workspace_file(desk: Any, visit: Visit, see: Any, tmp_path: Any) -> None:
    """Check that texts too long for a link can be saved as a workspace file, which restores the whole page."""
    long = " ".join(f"{'word' * 9}{n % 150}" for n in range(200))
    type_texts(desk, long, f"{long} end")
    see(desk.locator(".cols .side.c [data-word]")).to_have_count(200)
    choose_metric(desk, see, "rouge_l")
    share = menu(desk, "Share")
    see(share).to_contain_text("too long for a link")
    with desk.expect_download() as download:
        share.get_by_role("button", name="Workspace file").click()
    file = tmp_path / "workspace.json"
    download.value.save_as(file)
    close_menu(desk)
    assert json.loads(file.read_text())["query"]["candidate"] == long
    assert "kept=" in address(desk) and "candidate=" not in address(desk)
    other = visit()
    opened = menu(other, "Share").locator("input[type=file]")
    opened.set_input_files(file)
    until(lambda: state_that_links_restore(other), state_that_links_restore(desk))
    close_menu(other)
    file.write_text("{}")
    menu(other, "Share").locator("input[type=file]").set_input_files(file)
    see(other.get_by_test_id("stAlert")).to_contain_text("This file is not a workspace")
    type_texts(desk, "a b", "a b")


def test_save(first: Any, watch: Watch, page_opener: Callable[..., Any], see: Any, tmp_path: Any) -> None:
    """Check the five files that the Save menu writes; each holds the signature, with which the score can be repeated.

    The saved web page shows the chosen term, highlights and chooses as the app does, and requests nothing."""
    signature = first.locator(".sig").text_content()
    first.locator("tr.term").nth(1).click()
    first.mouse.move(5, 5)
    until(lambda: "term=0%3A1" in address(first), True)
    settle(first)
    save = menu(first, "Save")
    saved = {}
    for label, ending in (
        ("Figure, SVG", "svg"),
        ("Page, HTML", "html"),
        ("Result, JSON", "json"),
        ("Ledger, CSV", "csv"),
        ("Figure, TikZ", "tex"),
    ):
        with first.expect_download() as download:
            save.get_by_role("button", name=label).click()
        assert download.value.suggested_filename == f"gtm.{ending}"
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        saved[ending] = path.read_text(encoding="utf-8")
    close_menu(first)
    plain = {ending: text.replace("\\_", "_").replace("<wbr>", "") for ending, text in saved.items()}
    assert {ending: signature in text for ending, text in plain.items()} == dict.fromkeys(saved, True)
    assert ET.fromstring(saved["svg"]).tag.endswith("svg")
    assert json.loads(saved["json"])["score"] == result("gtm").score
    lines = list(csv.reader(saved["csv"].splitlines()[1:]))
    assert lines[1][1] == "this crisis in London" and float(lines[1][4]) == 16.0
    assert "\\begin{tikzpicture}" in saved["tex"]

    page, requests = page_opener(), []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: watch.faults.append(f"console of the file: {message.text}"))
    page.on("pageerror", lambda error: watch.faults.append(f"error of the file: {error}"))
    page.goto((tmp_path / "gtm.html").as_uri())
    gtm = result("gtm")
    until(lambda: chosen(page), expected_choice(gtm, "0:1"))
    page.locator(".refs [data-show='0']").click()
    page.mouse.click(*cell_centre(page, INTERIOR))
    page.mouse.move(2, 2)
    until(lambda: chosen(page), expected_choice(gtm, "0:0"))
    until(lambda: vermilion_formula(page), "42")
    page.keyboard.press("Escape")
    until(lambda: chosen(page), expected_choice(gtm, None))
    page.locator("tr.term").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    until(lambda: chosen(page), expected_choice(gtm, "0:3"))
    page.locator(".word_lines [data-word=c4]").hover()
    until(lambda: framed_cells(page), {h for h in HITS if h.i == 4})
    page.mouse.move(*cell_centre(page, EMPTY))
    see(page.locator(".tip")).to_have_text("with × London (2 × 8, R2)")
    page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    assert page.evaluate("window.ran") is None, "no other script may run"
    assert [urlsplit(url).scheme for url in requests] == ["file"]
    watch.faults[:] = [fault for fault in watch.faults if "Content Security Policy" not in fault]


def test_settings_keep_the_app_private() -> None:
    """Check the server's settings on which the app's promises of privacy and speed rest."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    wanted = {
        "server": {
            "headless": True,
            "address": "127.0.0.1",
            "fileWatcherType": "none",
            "maxUploadSize": 50,
            "maxMessageSize": 50,
            "disconnectedSessionTTL": 45,
            "allowedHosts": ["127.0.0.1", "localhost"],
            "enableCORS": True,
            "enableXsrfProtection": True,
        },
        "browser": {"gatherUsageStats": False},
        "client": {"toolbarMode": "viewer", "showErrorDetails": "type", "showErrorLinks": False},
        "runner": {"magicEnabled": False, "postScriptGC": False},
    }
    assert {name: config[name] for name in wanted} == wanted
