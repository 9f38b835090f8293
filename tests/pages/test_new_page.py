"""Tests of a new page as one folder and one line: a page made here passes through all that pages do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import viz.pages
from tests.helpers.app import ROOT
from tests.helpers.pages import AppPage
from tests.helpers.waiting import LIMIT
from viz.frame import notes
from viz.pages.compare.record import CompareState
from viz.pages.sentence.record import SentenceState
from viz.state.links import codec, link, pages
from viz.state.visit import navigation, reload, session

INIT = '''
"""A word in its sentence, by a metric."""

from dataclasses import dataclass
from pathlib import Path

from viz.state.links.codec import OneOf, WholeNumber, url_field
from viz.state.links.pages import Page, PageState


@dataclass(frozen=True, kw_only=True)
class GlossaryState(PageState):
    """A sentence, how many words of it are shown, and in which order."""

    page = "glossary"
    field_labels = {"sentence": "the sentence", **PageState.field_labels, "most": "how many words are shown"}
    always = ("references", "sentence")

    sentence: str = url_field("", of="texts")
    most: int = url_field(3, WholeNumber(1, 9))
    order: str = url_field("alphabet", OneOf(("alphabet", "length")), "sorted", "glossary_order", of="look")


PAGE = Page(
    title="Glossary",
    script=str(Path(__file__).with_name("page.py")),
    record=GlossaryState,
    reload_state=lambda state: state if state.sentence else None,
    style=".glossary { color: teal; }",
    about="lists the words of a sentence.",
    used="this sentence was read",
)
'''
SCRIPT = '''
"""The page's script, which also shows the evidence of its sentence, as the Sentence page does."""

import streamlit as st

from glossary import GlossaryState
from viz.components import address
from viz.draw.evidence.drawn_result import EvidenceLook
from viz.frame import evidence, guide, menus, notes
from viz.state.texts import inputs
from viz.state.visit import navigation, session
from viz.state.results import scoring
from viz.state.texts.inputs import MissingText


def page():
    state = navigation.prepare_run(GlossaryState)
    if state is None:
        address.ask_for_texts()
        st.button("Take", key="take", on_click=lambda: navigation.restore_kept_texts(st.session_state.document))
        return
    st.text_area("Sentence", key="sentence", persist_state="session")
    st.text_area("References", key="references", persist_state="session")
    menus.share_menu()
    texts = inputs.read_texts(state.sentence, state.references, state.text)
    notes.show(state, not isinstance(texts, MissingText))
    guide.draw_guide_line(bool(state.sentence), [] if isinstance(texts, MissingText) else [texts])
    view(texts)


@st.fragment
def view(texts):
    state = session.state_of_this_run(GlossaryState)
    st.slider("Most", 1, 9, key="most", persist_state="session")
    words = sorted(state.sentence.split(), key=len if state.order == "length" else None)
    st.text(" ".join(words[: state.most]))
    if isinstance(texts, MissingText):
        notes.show_missing_text(texts)
    else:
        result = scoring.score(state, state.metric, texts)
        evidence.show("evidence", texts, result, EvidenceLook(room=700, term="0:0"))
    address.show(state)


page()
'''


@pytest.fixture
def glossary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield the package of a new page that is written for the test and stays on the list of pages during it."""
    folder = tmp_path / "glossary"
    folder.mkdir()
    (folder / "__init__.py").write_text(INIT, encoding="utf-8")
    (folder / "page.py").write_text(SCRIPT, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import glossary

    before = pages.all_pages()
    pages.set_pages([*before, glossary.PAGE])
    yield glossary
    pages.set_pages(before)
    import sys

    del sys.modules["glossary"]


class Visit(AppPage):
    """A visit to the app without a browser."""

    def __init__(self, page: str = "sentence", query: dict[str, str] | None = None) -> None:
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LIMIT)
        self.at.query_params.update(query or {})
        self.open(page)

    def open(self, page: str) -> Visit:
        self.at._page_hash = calc_hash(page)
        return self.run()

    def run(self) -> Visit:
        self.at.run()
        assert not self.at.exception, self.at.exception[0].stack_trace
        if "page" in self.at.session_state:
            self.at._page_hash = calc_hash(self.page)  # the script may have gone to another page, as a browser would
        return self

    def type(self, **texts: str) -> Visit:
        for key, text in texts.items():
            self.at.text_area(key=key).set_value(text)
        return self.run()

    def call_in_session(self, do: Callable[[], Any]) -> Any:
        """Return `do()`, called with this visit's session state."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(streamlit, "session_state", self.at.session_state)
            return do()

    @property
    def page(self) -> str:
        return str(self.at.session_state["page"])


def test_it_stands_in_the_navigation_with_its_title_and_its_rules(glossary: Any) -> None:
    visit = Visit("glossary")
    assert visit.page == "glossary" and [page.title for page in pages.all_pages()][-1] == "Glossary"
    assert "Glossary · Bitext Grid</h1>" in visit.html and glossary.PAGE.style in visit.html
    assert glossary.PAGE.style not in visit.open("compare").html


def test_it_says_what_it_is_until_something_is_typed(glossary: Any) -> None:
    visit = Visit("glossary")
    assert "<b>Bitext Grid</b> lists the words of a sentence." in visit.html
    assert "lists the words" not in visit.type(sentence="a cat").html


def test_it_begins_with_its_defaults_and_shows_what_is_typed(glossary: Any) -> None:
    visit = Visit("glossary")
    assert visit.call_in_session(session.open_page_state) == glossary.GlossaryState()
    visit.type(sentence="the cat sat down", references="the cat sat")
    assert visit.at.text[0].value == "cat down sat"
    (drawn,) = [each for each in visit.at.main if each.type == "bidi_component" and "data-metric" in each.proto.json]
    assert "the cat sat down".split()[1] in drawn.proto.json


def test_its_address_brings_it_back(glossary: Any) -> None:
    shown = glossary.GlossaryState(sentence="b a", references="r", metric="dcs", most=2, order="length")
    query = {"page": "glossary", "references": "r", "metric": "dcs", "sentence": "b a", "most": "2", "sorted": "length"}
    assert link.to_query(shown) == query and link.from_query(query) == (shown, [])
    for opened in ("glossary", "sentence", "compare"):
        visit = Visit(opened, query)
        assert visit.page == "glossary" and visit.address == query
        assert visit.call_in_session(session.open_page_state) == shown
    assert link.describe_link(shown) == "the sentence, the references, the metric and how many words are shown"
    _, problems = link.from_query({"page": "sentence", "most": "2"})
    assert problems == ["The link's most is not used: it belongs to a link of the Glossary page."]
    assert "corpus, agreement, learn, glossary, got 'x'" in link.from_query({"page": "x"})[1][0]


def test_other_pages_do_not_lose_it(glossary: Any) -> None:
    visit = Visit("glossary").type(sentence="mine", references="r")
    visit.at.slider(key="most").set_value(5)
    visit.run()
    for other in ("sentence", "compare", "learn", "compare"):
        visit.open(other).open("glossary")
        assert visit.call_in_session(session.open_page_state).sentence == "mine" and visit.address["most"] == "5"


def test_texts_and_settings_are_shared(glossary: Any) -> None:
    visit = Visit("sentence", {"candidate": "c", "references": "r", "gtm.exponent": "1.5"}).open("glossary")
    assert visit.call_in_session(session.open_page_state) == glossary.GlossaryState(
        references="r", settings={"gtm": {"exponent": 1.5}}
    )
    visit.type(references="changed").open("sentence")
    assert "changed on the Glossary page after this candidate was scored." in visit.messages[0]
    visit.at.button(key="references_back").click()
    assert visit.run().call_in_session(session.open_page_state).references == "r"


def test_going_back_keeps_what_was_typed(glossary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    visit = Visit("glossary").type(sentence="one", references="r")
    before = visit.address
    visit.at.slider(key="most").set_value(7)
    visit.run().type(sentence="two")
    visit.at.query_params.clear()
    visit.at.query_params.update(before)
    monkeypatch.setattr(navigation, "_is_history_step", lambda: True)
    visit.run()
    assert visit.address == before | {"sentence": "two"} and visit.at.session_state["arrivals"] == 1


def test_a_file_opens_it(glossary: Any) -> None:
    shown = glossary.GlossaryState(sentence="from a file", references="r", most=4)
    back, problems, _ = link.from_json(link.to_json(shown))
    assert (back, problems) == (shown, [])
    visit = Visit("compare")
    visit.call_in_session(lambda: session.restore(back, []))
    assert visit.run().page == "glossary" and visit.call_in_session(session.open_page_state) == shown


def test_texts_that_are_too_long_for_its_link_are_kept_in_the_browser(glossary: Any) -> None:
    visit = Visit("glossary").type(sentence="é" * 3_000, references="r")
    assert set(visit.address) == {"page", "kept"} and notes.TOO_LONG in visit.messages
    again = Visit("glossary", visit.address)
    assert not again.at.text_area, "nothing is drawn before the texts are there"
    again.at.session_state["document"] = visit.at.session_state["kept"]
    again.at.button(key="take").click()
    assert again.run().at.text_area(key="sentence").value == "é" * 3_000


def test_a_reload_of_another_page_does_not_lose_it(glossary: Any) -> None:
    visit = Visit("glossary").type(sentence="mine", references="r").open("sentence")
    document = visit.call_in_session(lambda: reload.reload_document(session.open_page_state()))
    (kept,) = json.loads(document)["pages"]
    query = {"page": "glossary", "references": "r", "sentence": "mine", "language": "unknown"}
    assert json.loads(kept)["query"] == query
    again = Visit("sentence", visit.address)
    again.call_in_session(lambda: reload.restore_document(document))
    states = [each.open("glossary").call_in_session(session.open_page_state) for each in (again.run(), visit)]
    assert states[0] == states[1]


def test_every_page_is_a_folder_and_a_line() -> None:
    folder = Path(viz.pages.__file__).parent
    assert {page.name for page in pages.all_pages()} == {path.parent.name for path in folder.glob("*/page.py")}
    assert [page.record for page in pages.all_pages()][:2] == [SentenceState, CompareState]
    for page in pages.all_pages():
        assert (ROOT / page.script).is_file() and page.title
        assert set(page.record.field_labels) <= {f.name for f in codec.link_fields(page.record)}
        assert set(page.record.always) <= set(page.record.field_labels)
