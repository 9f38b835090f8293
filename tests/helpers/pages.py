"""Open the app's pages in Streamlit's test runner, with the content that tests read.

Methods that do something run the page and return it, so that calls can be chained."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import metrics
from metrics.corpus.agreement import explain_pairs, find_in_segment, marked_words_by_output, overlap_by_fault
from metrics.text import TextSettings, judgements
from metrics.text.formats import read
from tests.helpers import waiting
from tests.helpers.app import ROOT
from tests.helpers.talks import judged_talks
from tests.helpers.waiting import LIMIT
from viz.frame import menus
from viz.frame.background import Finder
from viz.frame.corpora import CorpusJob
from viz.pages.agreement import pairs
from viz.pages.agreement import visitor_corpus as judged_corpus
from viz.pages.agreement.agreement_job import AgreementInput, AgreementJob
from viz.pages.corpus import save_menu, visitor_corpus
from viz.pages.corpus.record import CorpusState
from viz.state.links import codec

ENDS = {"HTML": "html", "CSV": "csv", "TSV": "tsv", "XLSX": "xlsx", "JSONL": "jsonl", "LaTeX": "tex", "Markdown": "md"}


class State(dict[str, Any]):
    """A session state that is a plain dict, for tests of code that reads and writes session state outside of a page."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__
    to_dict = dict.copy


class AppPage:
    """The page of the app that the parameters of a link name, after a run; `__` stands for the dot of a parameter.

    `app` is a script that shows less than the whole app."""

    widget_kinds = (
        "slider select_slider segmented_control selectbox toggle pills number_input text_area text_input button_group"
    ).split()

    def __init__(self, app: AppTest | None = None, /, **query: str) -> None:
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LIMIT) if app is None else app
        for name, value in query.items():
            self.at.query_params[name.replace("__", ".")] = value
        self.run()

    def run(self):
        self.at.run()
        assert not self.at.exception, self.at.exception[0].stack_trace
        return self

    def set_state(self, **values: Any):
        for key, value in values.items():
            self.at.session_state[key] = value
        return self.run()

    def widget(self, key: str) -> Any:
        return next(widget for kind in self.widget_kinds for widget in self.at.get(kind) if widget.key == key)

    def enter(self, key: str, value: Any):
        self.widget(key).set_value(value)
        return self.run()

    def has_widget(self, key: str) -> bool:
        return any(widget.key == key for kind in self.widget_kinds for widget in self.at.get(kind))

    def press(self, name: str):
        """Press the button with this label or key."""
        (button,) = [button for button in self.at.button if name in (button.label, button.key)]
        button.click()
        return self.run()

    @property
    def button_keys(self) -> set[str]:
        return {button.key for button in self.at.button}

    @property
    def address(self) -> dict[str, str]:
        """Return the parameters of this page's address."""
        return dict(self.at.session_state["address"])

    @property
    def messages(self) -> list[str]:
        return [message.value for kind in ("info", "warning", "error") for message in self.at.get(kind)]

    @property
    def warnings(self) -> list[str]:
        return [warning.value for warning in self.at.warning]

    @property
    def component_data(self) -> list[dict[str, Any]]:
        """Return the data that this page sends to its components, in order."""
        return [json.loads(component.proto.json) for component in self.at.get("bidi_component")]

    def component_data_with(self, name: str) -> dict[str, Any]:
        """Return the data of the first component whose data has the key `name`."""
        return next(data for data in self.component_data if name in data)

    @property
    def fragments(self) -> list[str]:
        """Return the HTML of each component that shows some."""
        return [data["html"] for data in self.component_data if data.get("html")]

    @property
    def html(self) -> str:
        """Return the HTML of this page: its HTML elements and its components."""
        return "\n".join([*[element.proto.body for element in self.at.get("html")], *self.fragments])


class SentencePage(AppPage):
    """The Sentence page."""

    def widget(self, key):
        if not self.has_widget(key):  # the widget may be in a closed menu
            self.set_state(**{"text": True, f"more.{self.at.session_state.metric}": True})
        return super().widget(key)

    def set(self, key, value):
        if key == "metric":  # a tile sets the metric; it is not a widget of the test runner
            return self.set_state(metric=value)
        self.widget(key).set_value(value)
        return self.run()

    def type(self, candidate, references):
        self.widget("candidate").set_value(candidate)
        self.widget("references").set_value(references)
        return self.run()

    @property
    def fragment(self):
        """Return the HTML of this page's only component that shows some."""
        (one,) = self.fragments
        return one

    @property
    def selected_term(self):
        """Return the name of the term that this page asks its fragment to select, or None."""
        return self.component_data_with("html")["term"]

    @property
    def tiles(self):
        """Return the data of the score tiles that this page sends to its strip."""
        return self.component_data_with("tiles")["tiles"]

    @property
    def verdict(self):
        """Return the verdict's markup and the name by which a browser requests the rest, or None without a verdict."""
        return self.component_data_with("tiles").get("verdict")

    @property
    def signature(self):
        return re.search(r'<p class="sig">(.*?)</p>', self.fragment)[1].replace("<wbr>", "")

    @property
    def charts(self):
        return [json.loads(chart.proto.spec) for chart in self.at.get("plotly_chart")]

    @property
    def formula(self):
        return re.search(r'<div class="formula">(.*?)</math></div></div></div>', self.fragment, re.DOTALL)[1]

    def terms(self):
        """Return the rows of terms by name: each row's cells as (i, k, j), and the names of its words."""
        rows = re.findall(r'<tr class="term" data-term="(.*?)" data-cells="(.*?)" data-words="(.*?)"', self.fragment)
        return {
            name: ({tuple(map(int, cell.split(","))) for cell in cells.split()}, set(words.split()))
            for name, cells, words in rows
        }

    def words(self, line):
        """Return the words of one line of the strips as shown; line 0 is the candidate's."""
        strips = self.fragment.partition('<div class="words">')[2].partition('<div class="inspector">')[0]
        lines = strips.split('<div class="ln"')[1:]
        return [html.unescape(word) for word in re.findall(r"<bdi>(.*?)</bdi>", lines[line])]

    @property
    def scores(self):
        """Return the scores on the tiles as texts, by metric key."""
        return {tile["key"]: tile["lines"][0]["text"] for tile in self.tiles}

    @property
    def typed_texts(self):
        return self.widget("candidate").value, self.widget("references").value


class ComparePage(AppPage):
    """The Compare page."""

    def __init__(self, **query: str) -> None:
        super().__init__(**query)
        self.at.switch_page("viz/pages/compare/page.py")
        self.run()

    def set(self, **values):
        for key, value in values.items():
            self.widget(key).set_value(value)
        return self.run()

    @property
    def fragments(self):
        return [fragment for fragment in super().fragments if "<div" in fragment]

    @property
    def fragment(self):
        """Return the HTML of the fragment that shows the comparison."""
        (found,) = [fragment for fragment in self.fragments if "frame pair" in fragment]
        return found

    @property
    def selected_term(self):
        """Return the name of the term that is selected in the browser, such as “step:0”, or None."""
        return next(data["term"] for data in self.component_data if "frame pair" in data.get("html", ""))

    @property
    def verdict_numbers(self):
        """Return both scores and their difference as texts, as the verdict states them."""
        head = re.search(r"data-verdict><span><b>(.*?)</b>", self.fragment)[1]
        found = re.findall(r'<span class="num">(.*?)</span>', head)
        return found if len(found) == 3 else [*found, "0"]

    @property
    def tiles(self):
        """Return the lines of each tile of the strip, by metric key."""
        return {tile["key"]: tile["lines"] for tile in self.component_data_with("tiles")["tiles"]}

    @property
    def grids(self):
        """Return the SVG of the grids for the first reference by side: A's (a), B's (b) and the difference's (d)."""
        found = re.findall(r'<svg(?! class="map")[^>]*role="img".*?</svg>(?=</div>)', self.fragment, re.S)
        return {re.search(r'data-side="(.)"', drawing)[1]: drawing for drawing in reversed(found)}


class LearnPage(AppPage):
    """The Learn page."""

    def __init__(self, **query: str) -> None:
        super().__init__(**{"page": "learn", **query})

    @property
    def screen(self):
        """Return the data of the chapter's screen."""
        return self.component_data_with("names")


class CorpusPage(AppPage):
    """The Corpus page, with the job `scoring` if one is given, and `state` in its session."""

    script, name = "viz/pages/corpus/page.py", "corpus"

    def __init__(self, scoring=None, **state):
        self.parts = {}  # parts of tables by digest; each part is sent once
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LIMIT)
        self.at.run()
        self.at.switch_page(self.script)
        self.at.run()  # the first run of the page
        self.set_state(**({self.name: scoring} if scoring else {}), **state)

    def run(self):
        super().run()
        wanted = {data["digest"] for data in self.component_data if "part" not in data and "total" in data}
        if wanted - {*self.parts}:  # the run that sent it was superseded at once; a browser would request it again
            for key in [key for key in self.at.session_state if key.endswith("_sent")]:
                del self.at.session_state[key]
            super().run()
        self.parts |= {data["digest"]: json.loads(data["part"]) for data in self.component_data if "part" in data}
        return self

    def component_data_with(self, name):
        each = [data | self.parts.get(data.get("digest"), {}) for data in self.component_data]
        return next(data for data in each if name in data)

    def run_when_idle(self, found):
        """Wait until the job `found` is idle, and run the page."""
        until(lambda: not found.is_busy)
        return self.run()

    @property
    def rows(self):
        """Return the data of the table of segments."""
        return self.component_data_with("rows")

    @property
    def row_segments(self):
        """Return the segments of the rows of the table that were sent."""
        return [segment for segment, *_ in self.rows["rows"]]

    @property
    def tiles(self):
        """Return the tiles of the strip by metric key."""
        return {tile["key"]: tile for tile in self.component_data_with("tiles")["tiles"]}

    @property
    def markups(self):
        """Return the markup of each chart on this page."""
        return [data.get("markup", "") for data in self.component_data]


class AgreementPage(CorpusPage):
    """The Agreement page."""

    script, name = "viz/pages/agreement/page.py", "agreement"


def score_corpus(material, keys=("gtm", "ter"), first="gtm"):
    """Return a corpus job scored by `keys`, with the tests and ledgers of its first two systems.

    The metric `first` is scored first."""
    found = CorpusJob(material, TextSettings(), {key: metrics.settings(key) for key in keys}, first)
    found.start()
    until(lambda: found.ended)
    assert not found.problem
    for key in keys:
        found.system_comparisons(key, 0)
        found.ledger(key, 0, min(1, len(found.names) - 1))
    until(lambda: not found.is_busy)
    return visitor_corpus.CORPORA.register(found)


def judged_job(keys=("gtm", "ter"), **changes):
    """Return a job of metrics on the judged talk, which scores the first of `keys` first.

    `changes` are fields of the talk's material."""
    sample = judged_talks()
    material = read(sample.texts)
    judged = judgements.read(sample.judgements, material)
    settings = {key: metrics.settings(key) for key in keys}
    given = AgreementInput(sample.texts, sample.judgements)
    return AgreementJob(replace(material, **changes), judged, TextSettings(), settings, keys[0], given)


def whole_table(found):
    """Return the table of the agreement job `found`, as far as it is computed."""
    return found.table_so_far(found.table_request("", "none", "b"))


def complete_job(found):
    """Return the agreement job `found` after all of its metrics are scored and its table is complete."""
    found.start()
    until(lambda: found.is_scored)
    asked = found.table_request("", "none", "b")
    until(lambda: found.table_so_far(asked).stage == "intervals")
    until(lambda: not found.is_busy)
    return judged_corpus.CORPORA.register(found)


def fault_overlaps(found, key):
    """Return how many of a metric's faults on the judged talk touch words that people marked, by kind of fault.

    The core alone computes this."""
    texts, metric, settings = found.scoring.texts, metrics.METRICS[key], found.settings[key]
    seen = {(n, s): find_in_segment(metric, settings, texts.segments(n)[s]) for n in range(13) for s in range(60)}
    lines = [each.lines for each in found.material.systems.values()]
    marks = marked_words_by_output(found.judged, lines, found.text)
    return overlap_by_fault(seen, marks, 60)


def explained_pairs(found, some, key="gtm"):
    """Return what `metrics` says of some of the pairs that the metric `key` ranks against people."""
    requests = [pairs._pair_request(found, pair) for pair in some]
    return explain_pairs(metrics.METRICS[key], found.settings[key], found.text, requests)


def until(holds):
    """Wait until `holds()` is true."""
    waiting.until(lambda: bool(holds()))


def answer_before_drawing_goes_on(monkeypatch):
    """Have each result of a background thread known right after it is requested, while the page that asked still draws.

    The request itself returns None, as always where a result was not known."""
    request_result = Finder.request_result

    def request_and_wait(finder, request, make):
        result = request_result(finder, request, make)
        if result is None:
            until(lambda: not finder.is_pending(request))
        return result

    monkeypatch.setattr(Finder, "request_result", request_and_wait)


def rerun_until_idle(page, found):
    """Run the page four times, each time after the job `found` is idle, as a run may request more; return the page."""
    for _ in range(4):
        until(lambda: found.ended and not found.is_busy)
        page.run()
    return page


def offered_files(found, monkeypatch, **looked):
    """Return the files that the Save menu offers: the ending of each mapped to a function that makes it.

    `looked` has the fields of the page's state. No file is made before it is requested."""
    shown = CorpusState(**looked)
    with monkeypatch.context() as patch:
        patch.setattr(save_menu.visitor_corpus, "visitor_job", lambda: found)
        patch.setattr(save_menu.session, "read_state", lambda record: shown)
        patch.setattr(save_menu.st, "caption", lambda text: None)
        patch.setattr(save_menu, "SegmentTable", lambda *given: pytest.fail("sorted"))
        name, offered = save_menu._available_files()
    assert name == f"corpus_{shown.score_key}"
    for label, ending, _ in offered:
        assert ending in menus.KINDS
        if (what := label.rpartition(", ")[2]) in ENDS:
            assert ENDS[what] == ending
    return {ending: (lambda make=make, ending=ending: menus._file_bytes(make, ending)) for _, ending, make in offered}


def corpus_state(page):
    """Return the page's state as the session holds it."""
    state = page.at.session_state
    held = [each for each in codec.link_fields(CorpusState) if each.key in state and each.key.startswith("corpus_")]
    return CorpusState(**{field.name: state[field.key] for field in held})
