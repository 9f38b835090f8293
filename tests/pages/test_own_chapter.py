"""Tests of a reader's own chapter on the Learn page: upload, link, workspace file and reload."""

import json

import pytest

from tests.helpers.app import ROOT
from tests.helpers.pages import LearnPage
from viz.pages.learn import chapter_reader, lessons, save_menu
from viz.pages.learn.record import LearnState
from viz.state.links import link

TINY = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")
MINE = TINY.replace('"tiny"', '"mine"').replace('title = "Hits and GTM"', 'title = "My <b>own</b> hits"')


pytestmark = pytest.mark.usefixtures("tiny_chapter")


class Page(LearnPage):
    """The Learn page, on which a chapter of one's own can be uploaded."""

    def upload(self, data):
        """Open the menu and upload `data` as a chapter."""
        self.at.session_state["own_menu"] = True
        self.run()
        (box,) = [each for each in self.at.file_uploader if each.key.startswith("own_upload")]
        box.set_value(("mine.toml", data.encode() if isinstance(data, str) else data, "application/toml"))
        return self.run()

    @property
    def titles(self):
        return [card["title"] for card in self.component_data_with("chapters")["chapters"]]

    @property
    def messages(self):
        return [
            line for e in self.at.get("html") for line in e.proto.body.split("<li>")[1:] if "faults" in e.proto.body
        ]


def test_an_upload_is_opened_at_once_and_stands_first_on_the_list():
    page = Page().upload(MINE)
    assert page.component_data_with("names")["title"] == "My <b>own</b> hits" and not page.messages
    listed = Page(**page.address | {"chapter": ""})
    assert listed.titles == ["My <b>own</b> hits", "Hits and GTM"]
    listed.at.button(key="own_off").click()
    assert listed.run().titles == ["Hits and GTM"] and "file" not in listed.address


def test_a_link_holds_it_and_every_screen_of_it():
    address = Page().upload(MINE).address
    assert len(link.link(link.from_query(address)[0])) < link.LINK_MOST
    page = Page(**address | {"screen": "2", "candidate": "the mat"})
    assert page.screen["screen"] == 2 and page.screen["own"]["fields"][0]["value"] == "the mat"
    assert not page.at.warning and page.address["file"] == address["file"]
    shown, problems, _ = link.from_json(link.to_json(link.from_query(address)[0]))
    assert shown.file == MINE and not problems, "a workspace file holds it too"


def test_one_too_long_for_a_link_is_kept_in_the_tab_and_for_a_reload():
    noise = "".join([f"# {n * 7919 % 1_000_003:x}\n" for n in range(4_000)])
    page = Page().upload(MINE + noise)
    assert "kept" in page.address and "file" not in page.address
    assert json.loads(page.at.session_state["kept"])["query"]["file"]
    shown = LearnState(file=MINE)
    assert lessons.reload_state(shown) == shown and lessons.reload_state(LearnState()) is None, (
        "while another page is open"
    )


def test_its_messages_stand_above_what_is_sound():
    page = Page().upload(
        MINE.replace("right = 0", "right = 7").replace('"5.2"', '"5.4"').replace("erratum", "# erratum")
    )
    assert page.component_data_with("names")["title"] == "My <b>own</b> hits"
    first, second = page.messages
    assert "The file, screen 1 (question): ask&#39;s right must be the number of a choice" in first
    assert "The file, screen 4 (paper): printed is 5.4, but ours is 5.196" in second
    assert "The file of your chapter: 2 messages" in [each.label for each in page.at.expander]
    assert Page(**page.address).messages == page.messages, "they come from the file, wherever it is opened"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("key = <script>alert(1)</script>", "&lt;script&gt;"),
        ("x = " + "[" * 20_000, "deeper than 8"),
        ("", "metrics is missing"),
    ],
)
def test_a_file_of_which_nothing_can_be_shown_is_said_on_the_list(data, says):
    page = Page().upload(data or " ")
    assert page.titles == ["Hits and GTM"] and says in " ".join(page.messages) and "<script" not in str(page.messages)


@pytest.mark.parametrize("data", [MINE.encode("utf-16"), b"#" * 50_000])
def test_what_is_no_text_leaves_the_former_one(data):
    page = Page(**Page().upload(MINE).address | {"chapter": ""})
    page.upload(data)
    assert page.at.warning[0].value.startswith("The file ") and page.titles[0] == "My <b>own</b> hits"


def test_a_chapter_with_the_key_of_another_takes_its_place_and_says_so():
    page = Page().upload(TINY.replace('title = "Hits and GTM"', 'title = "Mine"'))
    assert page.component_data_with("names")["title"] == "Mine"
    assert "the key tiny is that of “Hits and GTM”, whose place it takes" in page.messages[0]
    assert Page(**page.address | {"chapter": ""}).titles == ["Mine"]


def test_a_chapter_that_builds_on_none_that_is_here_says_so():
    page = Page().upload(MINE.replace('key = "mine"', 'key = "mine"\nneeds = ["tiny", "gone"]'))
    (said,) = page.messages
    assert "needs names &#39;gone&#39;, which is not a chapter here; there are tiny." in said


def test_answers_to_another_version_of_the_file_are_not_shown():
    marks = {Page().upload(text).component_data_with("names")["chapter"] for text in (MINE, MINE + "\n", TINY)}
    assert len(marks) == 3 and "tiny" not in marks, "the browser knows answers by it"


def test_a_broken_link_says_so():
    page = Page(chapter="mine", file="AAAA")
    said = " ".join([each.value for each in page.at.warning])
    assert "file is not used" in said and "There is no chapter with the name mine" in said


def test_it_stays_while_another_page_is_open():
    page = Page().upload(MINE)
    page.at.session_state["wanted"] = "sentence"
    page.run()
    assert page.address["page"] == "sentence"
    page.at.session_state["wanted"] = "learn"
    assert page.run().component_data_with("names")["title"] == "My <b>own</b> hits"


@pytest.mark.slow
def test_it_is_saved_as_any_chapter():
    found = chapter_reader.read("mine.toml", MINE)
    assert "My &lt;b&gt;own&lt;/b&gt; hits" in save_menu.saved_chapter(found, 5)
