"""Tests of what helps a visitor: the help, the sentence on what a page is for, and advice on the pasted texts.

Some tests are of printing and of reduced motion."""

from __future__ import annotations

import re
import textwrap
from typing import Any
from urllib.parse import urlencode

import pytest

import metrics
from tests.helpers.browsing import LOADED, Visit, enter, open_inputs, settle, text_box
from tests.helpers.pages import AppPage
from viz.draw.evidence import guide, keys
from viz.draw.pen import theme
from viz.frame.examples import BY_NAME, EXAMPLES, PAIRS
from viz.pages.compare.record import CompareState
from viz.pages.sentence.record import SentenceState
from viz.state.links import pages
from viz.state.links.link import to_query

GLUED = SentenceState(candidate="The house is red.", references="The house was red.")


def open_page(page_state: Any = None) -> AppPage:
    return AppPage(**(to_query(page_state) if page_state else {}))


def page_purpose_texts(page: AppPage) -> list[str]:
    """Return the texts, without markup, of the sentences below the inputs that say what the page is for."""
    bodies = "\n".join(element.proto.body for element in page.at.get("html"))
    return [re.sub("<.*?>", "", text) for text in re.findall(r'<div class="guide">(.*?)</div>', bodies)]


# ---------------------------------------------------------------- help


def test_every_symbol_stands_in_help_once() -> None:
    looks = {look.legend for look in theme.LOOKS.values() if look.legend}
    entries = [entry.says for entries in guide.legend_entries_by_group().values() for entry in entries]
    assert sorted(entries) == sorted(looks)
    known = {role for role, _ in theme.LOOKS}
    assert all(set(roles) <= known for roles in guide.GROUPS.values())


def test_help_has_the_tasks_the_version_and_the_licences() -> None:
    shown = guide.help_html()
    assert shown.count("<section><h2>") == 3 and shown.count('class="small"') == 4  # the last compares two
    for text in (f"Bitext Grid {metrics.__version__}", "Apache License 2.0", "written for it"):
        assert text in shown
    before, after = re.search(r"<p>(0\.\d+) → (0\.\d+)</p>", shown).groups()  # type: ignore[union-attr]
    assert before < after


def test_nothing_of_help_is_made_before_it_is_opened() -> None:
    guide.help_html.cache_clear()
    page = open_page()
    assert guide.help_html.cache_info().misses == 0
    page.press("help_open")
    assert guide.help_html.cache_info().misses == 1


# ---------------------------------------------------------------- the first line under the inputs

UNTOUCHED = [
    (None, "sentence"),
    (SentenceState(), "sentence"),
    (SentenceState(candidate=EXAMPLES[3].candidate, references=EXAMPLES[3].references), "sentence"),
    (SentenceState(candidate=PAIRS[0].a, references=PAIRS[0].references), "sentence"),
    (CompareState(systems=PAIRS[1].systems, references=PAIRS[1].references), "compare"),
]


@pytest.mark.parametrize(("shown", "page"), UNTOUCHED)
def test_a_page_says_what_it_is_until_something_is_pasted(shown: Any, page: str) -> None:
    assert page_purpose_texts(open_page(shown)) == [f"Bitext Grid {pages.find_page(page).about}"]


@pytest.mark.parametrize(
    "shown",
    [
        SentenceState(candidate="a cat"),
        SentenceState(references=EXAMPLES[0].references),
        SentenceState(candidate="a cat", references="the cat"),
        CompareState(systems=(("A", "a cat"), ("B", "the cat")), references="the cat"),
        CompareState(systems=(("new", PAIRS[0].a), ("B", PAIRS[0].b)), references=PAIRS[0].references),
    ],
)
def test_it_says_so_no_more_when_something_is(shown: Any) -> None:
    assert page_purpose_texts(open_page(shown)) == []


@pytest.mark.parametrize(
    ("shown", "tokenizer"),
    [
        (GLUED, "13a"),
        (
            SentenceState(
                candidate="昨日東京で新しい図書館が", references="昨日東京に新しい図書館が", language="japanese"
            ),
            "character",
        ),
        (CompareState(systems=(("A", "a cat."), ("B", "the cat.")), references="the cat ."), "13a"),
    ],
)
def test_a_nudge_is_followed_with_one_click(shown: Any, tokenizer: str) -> None:
    page = open_page(shown)
    assert len(page_purpose_texts(page)) == 1
    page.press("nudge_follow")
    assert page_purpose_texts(page) == []
    assert page.at.session_state["text.tokenizer"] == tokenizer


def test_words_that_look_alike_are_normalised_with_one_click() -> None:
    page = open_page(SentenceState(candidate="the cafe\u0301 opens", references="the café opens"))
    assert [line for line in page_purpose_texts(page) if line.startswith("Words look alike but differ")]
    page.press("nudge_follow")
    assert page_purpose_texts(page) == [] and page.at.session_state["text.nfkc"] is True


def test_markup_is_taken_out_with_one_click_and_can_be_brought_back() -> None:
    shown = CompareState(
        systems=(("A", "a <b>red</b> cat"), ("B", "the cat")), references="the &quot;red&quot; cat\na cat"
    )
    page = open_page(shown)
    assert page_purpose_texts(page) == ["Tags such as “&lt;b&gt;” are scored with the words."]
    page.press("nudge_follow")
    assert page.widget("system_0").value == "a red cat" and "Tags were taken out." in page_purpose_texts(page)
    page.press("nudge_follow")
    assert page.widget("references").value == 'the "red" cat\na cat'
    page.press("take_back")
    assert page.widget("references").value == shown.references
    page.press("nudge_dismiss")
    assert not [line for line in page_purpose_texts(page) if "Escapes such" in line]


def test_a_nudge_that_was_dismissed_stays_away_for_its_text() -> None:
    page = open_page(GLUED)
    page.press("nudge_dismiss")
    assert page_purpose_texts(page) == []
    assert "text.tokenizer" not in page.at.session_state or page.at.session_state["text.tokenizer"] == "whitespace"
    page.enter("candidate", "another text, with a comma.")
    assert len(page_purpose_texts(page)) == 1
    page.enter("candidate", GLUED.candidate)
    assert page_purpose_texts(page) == []


# ---------------------------------------------------------------- references broken over several lines

LONG = "The quick brown fox jumps over the lazy dog while the old cat sleeps in the warm sun by the door."
BROKEN = textwrap.fill(LONG, 40)
REFERENCES_BOX = "References, one per line"
OF_LINES = "3 lines are read as 3 references."


@pytest.mark.parametrize(
    "shown",
    [
        SentenceState(candidate="The fox jumps over the dog while the cat sleeps.", references=BROKEN),
        SentenceState(references=BROKEN),
        CompareState(
            systems=(("A", "The fox jumps over the dog."), ("B", "The fox leaps over it.")), references=BROKEN
        ),
    ],
)
def test_lines_of_one_reference_are_read_as_one_with_one_click_and_back(shown: Any) -> None:
    page = open_page(shown)
    assert OF_LINES in page_purpose_texts(page)
    page.press("lines_join")
    assert page.widget("references").value == LONG
    assert page.at.session_state["address"]["references"] == LONG, "the choice stands in the link"
    assert "3 lines were joined into one reference." in page_purpose_texts(page)
    page.press("take_back")
    assert page.widget("references").value == BROKEN
    said = page_purpose_texts(page)
    assert OF_LINES in said and "3 lines were joined into one reference." not in said
    page.press("lines_join")
    page.enter("references", "another reference")
    assert not [line for line in page_purpose_texts(page) if "lines" in line], (
        "what was typed since is not written over"
    )


def test_what_is_said_of_lines_can_be_dismissed_and_takes_nothing_else_with_it() -> None:
    page = open_page(SentenceState(candidate="The fox, jumps.", references=BROKEN))
    assert len(page_purpose_texts(page)) == 2
    page.press("lines_dismiss")
    assert len(page_purpose_texts(page)) == 1 and OF_LINES not in page_purpose_texts(page)
    page.press("nudge_dismiss")
    assert page_purpose_texts(page) == []
    page.enter("references", textwrap.fill(LONG, 50))
    assert len(page_purpose_texts(page)) == 2


def test_lines_of_one_candidate_are_said_without_an_offer() -> None:
    page = open_page(SentenceState(candidate=BROKEN, references=LONG.replace(".", " .")))
    assert page_purpose_texts(page)[0] == "The candidate has 3 lines, which are read as one output."
    assert not [b for b in page.at.button if b.key in ("lines_None", "lines_join")]
    alike = "The fox jumps over the old dog\nThe fox leaps over the old dog"
    page = open_page(SentenceState(candidate=alike, references=LONG))
    assert [b.label for b in page.at.button if b.key == "lines_None"] == ["Take each line as a system"]


# ---------------------------------------------------------------- in a browser


@pytest.mark.alone
def test_help_paper_and_motion(visit: Visit, app_url: str) -> None:
    """Check Help, printing and reduced motion.

    Help opens on both pages, with the keys of the open one. A print shows the evidence without inputs and buttons.
    Where motion is reduced, a click goes to the next round, and there is no Play button."""
    page = visit("compare", viewport={"width": 768, "height": 800}, reduced_motion="reduce", color_scheme="dark")
    for title in ("Compare", "Sentence"):
        if title == "Sentence":
            page.get_by_role("link", name=title, exact=True).click()
            page.wait_for_selector(".st-key-candidate")
            settle(page)
        assert page.title() == f"{title} · Bitext Grid"
        assert page.get_by_role("heading", level=1).text_content() == page.title()
        page.get_by_role("button", name="Help", exact=True).click()
        page.wait_for_selector("[role=dialog] .bitext.guide")
        cut = "e => [...e.querySelectorAll('*')].filter(c => c.getBoundingClientRect().right > innerWidth).length"
        assert page.locator("[role=dialog]").evaluate(cut) == 0
        open_page = next(each for each in pages.all_pages() if each.title == title)
        named = [keys.GROUPS[name].title for name in open_page.key_groups]
        assert page.locator("[role=dialog] .keys h3").all_text_contents() == named
        page.keyboard.press("Escape")
        page.wait_for_selector("[role=dialog]", state="detached")

    example = BY_NAME["English, 30 words and four references"]
    query = urlencode(to_query(SentenceState(candidate=example.candidate, references=example.references, metric="sia")))
    page.goto(f"{app_url}/?{query}")
    step = page.locator(".st-key-step_rounds button")
    step.wait_for()
    assert not page.locator(".st-key-play").is_visible()
    step.click()
    page.wait_for_url("**rounds=1**")

    page.emulate_media(media="print")
    for gone in ("textarea", "button:not(.bitext *, .strip *)", "header", "input:not(.bitext *, .strip *)"):
        assert page.locator(f"{gone} >> visible=true").count() == 0, gone
    tall, box = page.evaluate(
        "[document.documentElement.scrollHeight, document.querySelector('.bitext').getBoundingClientRect().bottom]"
    )
    assert tall >= box > 2 * 800
    ground, ink = page.evaluate(
        "(e => [e('.stApp').backgroundColor, e('.bitext').color])(e => getComputedStyle(document.querySelector(e)))"
    )
    assert (ground, ink) == ("rgb(255, 255, 255)", "rgb(31, 30, 28)")


@pytest.mark.alone
def test_lines_are_joined_and_the_source_stands_above_the_words(visit: Visit) -> None:
    """Check that a reference broken into three lines can be read as one, taken back, and read as one again.

    A source can be typed and appears above the words. Both survive a reload, also after the source's field is
    closed."""
    page = visit("", viewport={"width": 1280, "height": 900})
    for label, text in (("Candidate", "The fox jumps over the dog while the cat sleeps."), (REFERENCES_BOX, BROKEN)):
        enter(text_box(page, label), text)
        settle(page)
    box, labels = text_box(page, REFERENCES_BOX), page.locator(".word_lines .lb")
    assert len(labels.all_text_contents()) == 1 + 3
    for press, value in (("Read as one", LONG), ("Undo", BROKEN), ("Read as one", LONG)):
        page.get_by_role("button", name=press, exact=True).click()
        page.wait_for_function("([e, v]) => e.value == v", arg=[box.element_handle(), value])
        settle(page)
    assert labels.all_text_contents() == ["Candidate", "Reference"]

    open_inputs(page)
    page.get_by_role("button", name="Add the source", exact=True).click()
    source = text_box(page, "Source, shown above the words; no metric uses it")
    enter(source, "Der Fuchs springt.")
    settle(page)
    page.get_by_role("button", name="Close the source", exact=True).click()
    source.wait_for(state="detached")
    settle(page)
    page.reload()
    page.wait_for_selector(".word_lines .src")
    settle(page)
    assert labels.all_text_contents() == ["Source", "Candidate", "Reference"]
    assert page.locator(".word_lines .src").text_content() == "Der Fuchs springt." and box.input_value() == LONG
    for label in ("Candidate", REFERENCES_BOX):
        enter(text_box(page, label), "")
        settle(page)
    page.get_by_role("button", name="Add the source", exact=True).wait_for()
    assert "source" not in page.url


@pytest.mark.alone
def test_the_page_itself_names_every_script_that_it_fetches(page_opener, app_url):
    """Check that the head of the page's HTML names every script that the browser fetches.

    A script that the head does not name is fetched only when it is needed, and that delays the first page
    (`viz/components/preload.py`)."""
    page = page_opener()
    page.goto(app_url)
    page.wait_for_selector(LOADED)
    fetched = page.evaluate("performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)")
    head = page.evaluate("fetch('.').then(answer => answer.text())").partition("</head>")[0]
    scripts = [path for path in fetched if path.endswith(".js")]
    assert len(scripts) > 50 and [path for path in scripts if f".{path}" not in head] == []
