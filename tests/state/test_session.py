"""Tests of what a session holds of the pages: texts, settings and the systems of a comparison.

Typed texts stay on both pages, an untouched example gives way to them, and the systems stay consistent."""

import json
import random
from contextlib import contextmanager

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import metrics
from metrics.text import TextSettings, judgements
from metrics.text.similarity import TranslationTable
from tests.helpers.pages import State
from tests.helpers.searching import examples
from tests.helpers.talks import judged_talks
from tests.helpers.waiting import LIMIT
from viz.frame import slots
from viz.frame.examples import BY_NAME, EXAMPLES, PAIR_BY_NAME, PAIRS
from viz.pages.compare import editing, session_choices
from viz.pages.compare import opening_state as comparison
from viz.pages.compare.record import CompareState
from viz.pages.sentence import opening_state as sentence
from viz.pages.sentence.record import FIRST_OTHER, SentenceState
from viz.state.links import link
from viz.state.links.pages import FIRST_METRIC
from viz.state.texts import inputs
from viz.state.texts.inputs import NAME_MOST, SYSTEMS_LEAST, SYSTEMS_MOST
from viz.state.visit import navigation, reload, session

# ---------------------------------------------------------------- the functions, on a session that is a plain dict


@pytest.fixture
def state(monkeypatch):
    """Return the state of a new session on the Compare page, without widgets."""
    state = State()
    monkeypatch.setattr(streamlit, "session_state", state)
    monkeypatch.setattr(streamlit, "query_params", State())
    navigation.prepare_run(CompareState)
    return state


def comparison_of(names, texts, sides=(0, 1)):
    systems = tuple(zip(names, texts, strict=True))
    return CompareState(references="r", systems=systems, sides=sides)


def joined_names_texts_and_sides():
    names, texts = zip(*slots.systems(), strict=True)
    return "".join(names), "".join(texts), slots.slots_of_a_and_b()


STEPS = [  # names, texts, sides, what is done, the result
    ("AB", "xy", (0, 1), ("swap_a_and_b",), ("AB", "yx", (0, 1))),
    ("NB", "xy", (0, 1), ("swap_a_and_b",), ("AN", "yx", (0, 1))),  # a given name goes along, a slot's letter stays
    ("ANCD", "wxyz", (3, 1), ("swap_a_and_b",), ("ABCN", "wzyx", (3, 1))),
    ("AB", "xy", (0, 1), ("add_system", "N", "z"), ("ABN", "xyz", (0, 1))),
    ("AB", "xy", (1, 0), ("add_system",), ("ABC", "xy", (1, 0))),
    ("ABCDEFGH", "stuvwxyz", (5, 7), ("add_system", "N", "n"), ("ABCDEFGH", "stuvwxyz", (5, 7))),
    ("AB", "xy", (0, 1), ("remove_system", 0), ("AB", "xy", (0, 1))),  # two systems are the fewest
    ("ABC", "xyz", (0, 1), ("remove_system", 2), ("AB", "xy", (0, 1))),
    ("ABC", "xyz", (0, 1), ("remove_system", 0), ("BC", "yz", (1, 0))),  # the remaining systems keep their names
    ("ABC", "xyz", (0, 1), ("remove_system", 1), ("AC", "xz", (0, 1))),
    ("ABC", "xyz", (2, 1), ("remove_system", 1), ("AC", "xz", (1, 0))),
    ("ABMN", "wxyz", (3, 1), ("remove_system", 0), ("BMN", "xyz", (2, 0))),
    ("BC", "xy", (0, 1), ("add_system",), ("BCA", "xy", (0, 1))),  # no two systems have the same letter
    ("BAC", "xyz", (0, 1), ("swap_a_and_b",), ("ABC", "yxz", (0, 1))),
    ("ABC", "xyz", (0, 1), ("remove_system", 3), ("ABC", "xyz", (0, 1))),
    ("ABC", "xyz", (0, 1), ("set_a_and_b", 2, 1), ("ABC", "xyz", (2, 1))),
    ("ABC", "xyz", (0, 1), ("set_a_and_b", 1, 1), ("ABC", "xyz", (1, 0))),  # A took B's slot
    ("ABC", "xyz", (0, 1), ("set_a_and_b", 0, 0), ("ABC", "xyz", (1, 0))),  # B took A's slot
    ("ABC", "xyz", (2, 1), ("set_a_and_b", 2, 2), ("ABC", "xyz", (1, 2))),
]


@pytest.mark.parametrize(("names", "texts", "sides", "step", "after"), STEPS, ids=[f"{s[1]} {s[3]}" for s in STEPS])
def test_systems_change_places(state, names, texts, sides, step, after):
    session.restore(comparison_of(names, texts, sides), [])
    getattr(editing, step[0])(*step[1:])
    assert joined_names_texts_and_sides() == after
    for slot in range(len(after[0]), SYSTEMS_MOST):
        assert state[f"system_{slot}"] == "", "a slot that is not in use holds nothing"


def test_add_system_names_the_slot(state):
    session.restore(comparison_of("AB", "xy"), [])
    assert [editing.add_system() for _ in range(7)] == [2, 3, 4, 5, 6, 7, None]


NAMED = [("", "A"), ("  ", "A"), (None, "A"), ("new", "new"), ("x" * 50, "x" * 40), ("<b>", "<b>"), ("B", "B")]


@pytest.mark.parametrize(("typed", "name"), NAMED)
def test_a_blank_name_is_the_letter_of_its_slot(state, typed, name):
    state.name_0 = typed
    assert slots.systems()[0][0] == name


calls = st.one_of(
    st.tuples(st.just("swap_a_and_b")),
    st.tuples(st.just("add_system"), st.text(max_size=3), st.text(max_size=3)),
    st.tuples(st.just("remove_system"), st.integers(0, 7)),
    st.tuples(st.just("set_a_and_b"), st.integers(0, 1), st.integers(0, 1)),
    st.tuples(st.just("start_whatif"), st.integers(0, 1)),
    st.tuples(st.just("edit_whatif"), st.text(max_size=3)),
    st.tuples(st.just("undo_whatif")),
)


@examples(80)
@given(st.lists(calls, max_size=30))
def test_every_way_leads_to_a_comparison_that_a_link_brings_back(steps):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streamlit, "session_state", State())
        patch.setattr(streamlit, "query_params", State())
        navigation.prepare_run(CompareState)
        for name, *arguments in steps:
            if name == "edit_whatif" and streamlit.session_state.whatif_of is None:
                editing.start_whatif(0)
            if name in ("swap_a_and_b", "remove_system", "set_a_and_b"):
                before = sorted(text for _, text in slots.systems())
            getattr(editing, name)(*arguments)
            count, (a, b) = streamlit.session_state.systems, slots.slots_of_a_and_b()
            assert 2 <= count <= 8 and a != b and {a, b} <= set(range(count))
            assert streamlit.session_state.whatif_of in (None, *range(count))
            assert all(of in range(count) for of, _ in streamlit.session_state.whatif_past)
            if name in ("swap_a_and_b", "set_a_and_b"):
                assert sorted(text for _, text in slots.systems()) == before
        workspace = session.read_state(CompareState)
        assert link.from_query(link.to_query(workspace)) == (workspace, [])


def test_whatif_can_be_undone(state):
    session.restore(comparison_of("ABC", "xyz"), [])
    assert state.whatif_of is None
    editing.undo_whatif()
    editing.start_whatif(1)
    assert (state.whatif, state.whatif_of, state.whatif_past) == ("y", 1, ())
    editing.edit_whatif("y1")
    state.whatif = "y2"  # as the text area does
    editing.edit_whatif(state.whatif)
    editing.edit_whatif("y2")  # no change
    assert [text for _, text in state.whatif_past] == ["y", "y1"]
    editing.start_whatif(2)
    assert (state.whatif, state.whatif_of) == ("z", 2)
    editing.edit_whatif("")
    back = []
    while state.whatif_past:
        editing.undo_whatif()
        back.append((state.whatif_of, state.whatif))
    assert back == [(2, "z"), (1, "y2"), (1, "y1"), (1, "y")]
    editing.edit_whatif("again")
    assert state.whatif_past == ((1, "y"),)


def test_a_fresh_copy_can_be_undone_too(state):
    session.restore(comparison_of("AB", "xy"), [])
    editing.start_whatif(0)
    editing.edit_whatif("typed")
    editing.start_whatif(0)
    assert state.whatif == "x"
    editing.start_whatif(0)
    editing.undo_whatif()
    assert state.whatif == "typed", "a second fresh copy is no change"


def test_a_hundred_texts_can_be_undone(state):
    session.restore(comparison_of("AB", "xy"), [])
    editing.start_whatif(0)
    for n in range(150):
        editing.edit_whatif(str(n))
    assert [text for _, text in state.whatif_past] == [str(n) for n in range(49, 149)]


def test_a_whatif_stays_with_its_system(state):
    session.restore(comparison_of("ABC", "xyz"), [])
    editing.start_whatif(0)
    editing.edit_whatif("typed")
    editing.swap_a_and_b()
    assert (state.whatif_of, state.whatif_past) == (1, ((1, "x"),))
    editing.remove_system(0)
    assert (state.whatif_of, slots.systems()[0][1]) == (0, "x")
    editing.add_system("", "w")
    editing.set_a_and_b(1, 2)
    editing.remove_system(0)
    assert (state.whatif_of, state.whatif) == (slots.slots_of_a_and_b()[0], "typed"), (
        "without its system it belongs to A"
    )
    comparison.load_pair(PAIRS[0])
    assert (state.whatif_of, state.whatif_past) == (None, ())


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.name)
def test_every_pair_loads(state, pair):
    typed = SentenceState(
        candidate="typed", references="other", text=TextSettings(lowercase=True), settings={"gtm": {"exponent": 2}}
    )
    session.restore(typed, [])
    state.compare_view = "words"
    comparison.load_pair(pair)
    assert session.read_state(CompareState) == CompareState(
        references=pair.references,
        text=TextSettings(**pair.text),
        metric=pair.metric,
        systems=pair.systems,
        source=pair.source,
        compare=pair.view or "words",
    )
    assert state.candidate == "typed"


def test_what_is_restored_can_be_sent_to_a_browser(state):
    session.restore(comparison_of(["\ud800", "B"], ["a\udfff", "b"]), [])
    assert slots.systems() == (("\ufffd", "a\ufffd"), ("B", "b"))


# ---------------------------------------------------------------- the examples


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: p.name)
def test_every_pair_is_a_comparison(pair):
    assert SYSTEMS_LEAST <= len(pair.systems) <= SYSTEMS_MOST
    assert len(set(pair.systems)) == len(pair.systems) == len({name for name, _ in pair.systems})
    assert all(0 < len(name) <= NAME_MOST for name, _ in pair.systems)
    a, b = (inputs.read_texts(text, pair.references, TextSettings(**pair.text)).segment for text in (pair.a, pair.b))
    assert metrics.score(pair.metric, *a).score != metrics.score(pair.metric, *b).score


def test_pairs_have_names_of_their_own():
    assert len(PAIR_BY_NAME) == len(PAIRS)
    assert sum(len(pair.systems) == SYSTEMS_MOST for pair in PAIRS) == 1


def test_the_texts_are_our_own_or_the_papers():
    """Check that no line of the talk that tests have, whose terms others set, is in a comparison or a sample."""
    sheet = judged_talks().texts[0].data.decode()
    quoted = {cell.strip().casefold() for line in sheet.splitlines() for cell in line.split("\t")[1:]}
    assert len(quoted) > 500
    for pair in PAIRS:
        lines = [text for _, text in pair.systems] + [*pair.references.split("\n"), pair.source]
        assert not quoted & {line.strip().casefold() for line in lines if line}
    ours = judgements.sample().texts[0].data.decode().casefold()
    cells = {cell.strip() for line in ours.splitlines()[1:] for cell in line.split("\t")}
    assert len(cells) > 300 and not quoted & cells - {""}


# ---------------------------------------------------------------- both pages in Streamlit's own test runner

APP = """
import streamlit as st
names = ("sentence", "compare", "learn")
pages = [st.Page(f"viz/pages/{name}/page.py", url_path=name, default=name == "sentence") for name in names]
st.navigation(pages).run()
"""
SENTENCE = """
import streamlit as st
from viz.pages.sentence.record import SentenceState
from viz.state.visit import address, controls, navigation
from metrics.text import TextSettings
page_state = navigation.prepare_run(SentenceState)
st.text_area("Candidate", key="candidate", persist_state="session")
st.text_area("References", key="references", persist_state="session")
controls.draw_text_settings(TextSettings)
for problem in st.session_state.pop("problems", []):
    st.warning(problem)
address.store_address(page_state)
"""
COMPARE = """
import streamlit as st
from viz.frame import slots
from viz.pages.compare import editing, opening_state
from viz.pages.compare.record import CompareState
from viz.state.visit import address, controls, navigation, session
from metrics.text import TextSettings
DO = {**vars(session), **vars(navigation), **vars(editing), **vars(opening_state)}
state = st.session_state
page_state = navigation.prepare_run(CompareState)
if page_state is None:
    st.button("take", key="take", on_click=lambda: navigation.restore_kept_texts(state.document))
    st.stop()
for slot in slots.slots_of_a_and_b():
    st.text_area("Text", key=f"system_{slot}", persist_state="session")
    st.text_input("Name", key=f"name_{slot}", persist_state="session")
st.text_area("References", key="references", persist_state="session")
controls.draw_text_settings(TextSettings)
if state.whatif_of is not None:
    st.text_area(
        "What if", key="whatif", persist_state="session", on_change=lambda: editing.edit_whatif(state.whatif)
    )
for problem in state.pop("problems", []):
    st.warning(problem)
st.button("do", key="do", on_click=lambda: DO[state.call[0]](*state.call[1:]))
address.store_address(page_state)
"""
LEARN = """
import streamlit as st
from viz.pages.learn.record import LearnState
from viz.state.visit import address, navigation
state = st.session_state
page_state = navigation.prepare_run(LearnState)
if st.button("do", key="do"):
    state.chapter, state.screen = state.call
address.store_address(page_state)
"""


class App:
    """The app's pages, reduced to their text areas and a few buttons, in Streamlit's test runner.

    Methods that do something run the page and return the app, so that calls can be chained."""

    def __init__(self, folder, opened="sentence", /, **query):
        pages = folder / "viz" / "pages"
        for name, script in (("sentence", SENTENCE), ("compare", COMPARE), ("learn", LEARN)):
            (pages / name).mkdir(parents=True)
            (pages / name / "page.py").write_text(script)
        (folder / "app.py").write_text(APP)
        self.at = AppTest.from_file(str(folder / "app.py"), default_timeout=LIMIT)
        for name, value in query.items():
            self.at.query_params[name.replace("__", ".")] = value
        self.open(opened)

    def run(self):
        self.at.run()
        assert not self.at.exception, self.at.exception[0].stack_trace
        # The script itself may have gone to another page, and the browser with it.
        self.at.switch_page(f"viz/pages/{self.page}/page.py")
        return self

    def open(self, page):
        self.opened = page
        self.at._page_hash = calc_hash(page)  # before the first run `switch_page` knows pages by their files' names
        return self.run()

    def type(self, **texts):
        for key, text in texts.items():
            (self.at.text_input if key.startswith("name") else self.at.text_area)(key=key).set_value(text)
        return self.run()

    def call(self, *name_and_arguments):
        self.at.session_state.call = name_and_arguments
        self.at.button(key="do").click()
        return self.run()

    def take_kept(self, document):
        """Run the page as if the browser reported the document that it has kept; None if it has kept none."""
        self.at.session_state.document = document
        self.at.button(key="take").click()
        return self.run()

    def go_to(self, address, page=None):
        """Go back or forward in the history to an address, given as its parameters; `page` is its path."""
        self.at.query_params.clear()
        self.at.query_params.update(address)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(navigation, "_is_history_step", lambda: True)
            return self.open(page or address["page"])

    @contextmanager
    def session(self):
        """Make Streamlit's session state that of this app."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(streamlit, "session_state", self.at.session_state)
            yield

    @property
    def page(self):
        state = self.at.session_state
        return state.get("page", self.opened)

    @property
    def texts(self):
        return {area.key: area.value for area in self.at.text_area}

    @property
    def address(self):
        return dict(self.at.session_state.address)


@pytest.fixture
def open_app(tmp_path):
    return lambda *args, **query: App(tmp_path / f"{len(list(tmp_path.iterdir()))}", *args, **query)


FIRST, PAIR = EXAMPLES[0], PAIRS[0]
OF_PAIR = {"system_0": PAIR.a, "system_1": PAIR.b, "references": PAIR.references}
HOSTILE = "<b>x</b> $5 & \u202e %{x}\n\n👩‍👩‍👧 'quoted' \\"


def test_the_first_page_of_a_session_may_be_either(open_app):
    app = open_app("compare")
    assert app.texts == OF_PAIR and app.at.session_state.pair == PAIR.name
    assert app.address == link.to_query(CompareState(references=PAIR.references, systems=PAIR.systems))
    app.open("sentence")
    assert app.texts == {"candidate": PAIR.a, "references": PAIR.references}, "A, not an example that takes its place"
    assert "system.1" not in app.address and app.address["candidate"] == PAIR.a
    assert (app.at.session_state.view, app.at.session_state.other) == ("metric", FIRST_OTHER)


def test_an_untouched_example_gives_way_to_a_pair_and_back(open_app):
    app = open_app()
    assert app.texts == {"candidate": FIRST.candidate, "references": FIRST.references}
    app.at.session_state.metric = "dcs"
    app.open("compare")
    assert app.texts == OF_PAIR and app.at.session_state.metric == "dcs"
    app.open("sentence")
    assert app.texts == {"candidate": PAIR.a, "references": PAIR.references}, "no candidate beside a pair's references"
    app.open("compare")
    assert app.texts == OF_PAIR


def test_what_was_typed_on_the_sentence_page_is_a(open_app):
    app = open_app().type(candidate=HOSTILE).open("compare")
    assert app.texts == {"system_0": HOSTILE, "system_1": "", "references": FIRST.references}
    app.type(system_1="mine", name_1="new").open("sentence").type(candidate="other", references="more").open("compare")
    assert app.texts == {"system_0": HOSTILE, "system_1": "mine", "references": "more"}
    assert app.at.text_input(key="name_1").value == "new"
    assert app.address["system.1"] == HOSTILE and app.address["name.2"] == "new"
    assert app.open("sentence").texts == {"candidate": "other", "references": "more"}


def test_typed_references_are_kept_when_the_comparison_is_opened(open_app):
    app = open_app().type(candidate="", references="mine").open("compare")
    assert app.texts == {"system_0": "", "system_1": "", "references": "mine"}


def test_an_untouched_pair_gives_way_to_what_was_typed_later(open_app):
    app = open_app("compare").open("sentence").type(candidate="mine", references="r").open("compare")
    assert app.texts == {"system_0": "mine", "system_1": "", "references": "r"}


def test_an_untouched_pair_stays_when_only_its_references_were_edited(open_app):
    app = open_app("compare").open("sentence").type(references="r").open("compare")
    assert app.texts == OF_PAIR | {"references": "r"}


def test_a_typed_pair_stays_whatever_the_sentence_page_loads(open_app):
    app = open_app("compare").type(system_1="mine").open("sentence")
    app.type(candidate=FIRST.candidate, references=FIRST.references).open("compare")
    assert app.texts == {"system_0": PAIR.a, "system_1": "mine", "references": FIRST.references}


def test_an_examples_own_settings_leave_with_it(open_app):
    example = BY_NAME["Japanese, by characters"]
    workspace = SentenceState(
        candidate=example.candidate, references=example.references, text=TextSettings(**example.text)
    )
    app = open_app(**link.to_query(workspace))
    assert app.at.session_state["text.tokenizer"] == "character"
    app.open("compare")
    assert app.texts == OF_PAIR and app.at.session_state["text.tokenizer"] == "whitespace"


def test_other_settings_stay(open_app):
    lower = TextSettings(lowercase=True)
    app = open_app(**link.to_query(SentenceState(candidate=FIRST.candidate, references=FIRST.references, text=lower)))
    app.open("compare")
    assert app.texts == OF_PAIR and app.at.session_state["text.lowercase"] is True
    assert app.address["text.lowercase"] == "yes"


COMPARISON = CompareState(
    references="r\ns",
    text=TextSettings(lowercase=True),
    metric="sia",
    settings={"sia": {"decay": 0.3}},
    systems=(("A", HOSTILE), ("new", ""), ("C", "z")),
    sides=(2, 0),
    compare="words",
)


@pytest.mark.parametrize("page", ["sentence", "compare"])
def test_a_link_to_a_comparison_opens_it(open_app, page):
    app = open_app(page, **link.to_query(COMPARISON), sides__x="")
    assert app.page == "compare" and app.texts == {"system_2": "z", "system_0": HOSTILE, "references": "r\ns"}
    assert app.at.session_state.compare_view == "words"
    assert [w.value for w in app.at.warning] == ["The link sets 'sides.x', which is not a setting."]
    assert app.run().address == link.to_query(COMPARISON)
    assert app.open("sentence").texts == {"candidate": "z", "references": "r\ns"}, "A"


def test_a_link_without_systems_can_be_compared(open_app):
    app = open_app("compare", candidate="mine", references="r", metric="dcs")
    assert app.texts == {"system_0": "mine", "system_1": "", "references": "r"}
    app = open_app("compare", metric="dcs", text__lowercase="yes")
    assert app.texts == OF_PAIR and app.at.session_state.metric == "dcs"
    assert app.at.session_state["text.lowercase"] is True
    assert app.open("sentence").texts["candidate"] == PAIR.a


def test_a_file_opens_its_page_and_keeps_the_other(open_app):
    app = open_app().type(candidate="typed", references="r")
    session_file = link.to_json(COMPARISON)
    app.open("compare").type(system_1="mine")
    workspace, problems, _ = link.from_json(
        link.to_json(SentenceState(candidate="from a file", references="its reference"))
    )
    app.call("restore", workspace, problems)
    assert app.page == "sentence" and app.texts == {"candidate": "from a file", "references": "its reference"}
    assert app.open("compare").texts == {"system_0": "typed", "system_1": "mine", "references": "its reference"}
    workspace, problems, _ = link.from_json(session_file)
    app.call("restore", workspace, problems)
    assert app.page == "compare" and app.texts == {"system_2": "z", "system_0": HOSTILE, "references": "r\ns"}
    assert app.address == link.to_query(COMPARISON)
    assert app.open("sentence").texts == {"candidate": "from a file", "references": "r\ns"}


EIGHT = next(pair for pair in PAIRS if len(pair.systems) == 8)


def test_texts_out_of_sight_stay(open_app):
    app = open_app("compare").call("load_pair", EIGHT)
    assert app.texts == {"system_0": EIGHT.a, "system_1": EIGHT.b, "references": EIGHT.references}
    app.call("set_a_and_b", 5, 1).type(system_5="mine", name_5="my own")
    app.call("set_a_and_b", 0, 7).open("sentence").open("compare").call("set_a_and_b", 5, 6)
    assert app.texts == {"system_5": "mine", "system_6": EIGHT.systems[6][1], "references": EIGHT.references}
    assert app.at.text_input(key="name_5").value == "my own"
    app.call("remove_system", 2)
    assert app.texts == {"system_4": "mine", "system_5": EIGHT.systems[6][1], "references": EIGHT.references}
    app.type(system_5="edited").call("swap_a_and_b").call("set_a_and_b", 0, 4).call("set_a_and_b", 4, 5)
    assert app.texts == {"system_4": "edited", "system_5": "mine", "references": EIGHT.references}
    app.call("load_pair", PAIR)
    assert app.texts == OF_PAIR
    app.call("add_system").call("set_a_and_b", 0, 2)
    assert app.texts["system_2"] == "" and app.at.text_input(key="name_2").value == "C"


def test_every_edit_counts(open_app):
    app = open_app("compare")
    for n in range(4):
        app.type(system_0=f"a{n}", system_1=f"b{n}")
        assert (app.address["system.1"], app.address["system.2"]) == (f"a{n}", f"b{n}")
        app.call("swap_a_and_b")
        assert (app.address["system.1"], app.address["system.2"]) == (f"b{n}", f"a{n}")


def test_the_whatif_text_area_can_be_undone(open_app):
    app = open_app("compare").call("start_whatif", 1)
    assert app.texts["whatif"] == PAIR.b
    app.type(whatif="one").type(whatif="two").open("sentence").open("compare")
    assert app.texts["whatif"] == "two"
    app.call("edit_whatif", "three").call("undo_whatif")
    assert app.texts["whatif"] == "two"
    app.type(whatif="four").call("undo_whatif").call("undo_whatif")
    assert app.texts["whatif"] == "one"
    app.call("undo_whatif").call("undo_whatif")
    assert app.texts["whatif"] == PAIR.b and app.texts["system_1"] == PAIR.b


def test_texts_too_long_for_a_link_are_named_in_the_address(open_app):
    app = open_app("compare").type(system_1="é" * 3000)
    address, kept = app.address, app.at.session_state.kept
    assert set(address) == {"page", "kept"}
    assert app.type(system_1="e").address["system.2"] == "e" and app.at.session_state.kept is None
    for document, text in ((kept, "é" * 3000), (None, None)):
        app = open_app("compare", **address, metric="dcs")
        assert app.texts == {}, "nothing is drawn before the texts are there"
        app.take_kept(document)
        assert app.texts.get("system_1") == (text or PAIR.b) and app.at.session_state.metric == "dcs"
        assert [w.value for w in app.at.warning] == ([] if document else [navigation.NOT_HERE.format("The texts")])


def take_random_steps(app, rng):
    """Change pages and type texts twelve times at random.

    Each time every text area must show the text that was last typed for it."""
    texts = {"system_0": PAIR.a, "system_1": PAIR.b, "references": PAIR.references}
    for step in range(12):
        page = rng.choice(["sentence", "compare"])
        app.open(page)
        if page == "sentence":
            texts.setdefault("candidate", app.texts["candidate"])
        key = rng.choice(["candidate", "references"] if page == "sentence" else ["system_0", "system_1", "references"])
        texts[key] = f"{key} {step}"
        app.type(**{key: texts[key]})
        assert app.texts == {key: texts[key] for key in app.texts}


@pytest.mark.parametrize("seed", range(3))
def test_nothing_typed_is_lost_on_the_way(open_app, seed):
    app = open_app("compare").type(system_0="x")
    app.type(system_0=PAIR.a, system_1="typed").type(system_1=PAIR.b, name_1="typed")  # touched
    take_random_steps(app, random.Random(seed))


# ---------------------------------------------------------------- back and forward, notices and undo


def test_back_restores_the_place_and_keeps_what_was_typed(open_app):
    app = open_app()
    steps = [(app.address, app.texts)]
    app.at.session_state.metric = "dcs"
    app.run()
    place = app.at.session_state.place
    app.type(candidate="typed", references="typed too")
    assert app.at.session_state.place == place, "typing is no step"
    app.at.session_state["text.lowercase"] = True
    assert app.run().at.session_state.place != place
    app.go_to(steps[0][0])
    assert app.texts == {"candidate": "typed", "references": "typed too"}
    assert (app.at.session_state.metric, app.at.session_state["text.lowercase"]) == (FIRST_METRIC, False)
    assert app.address["candidate"] == "typed" and app.at.session_state.arrivals == 1


def test_back_keeps_the_translation_table(open_app):
    app = open_app("compare")
    app.at.session_state["sia.similarity"] = table = TranslationTable.from_lines(["house maison 0.6"], "t")
    app.at.session_state["similarity_kind"], app.at.session_state["last_table"] = "table", table
    with_table = app.run().address
    assert with_table["sia.similarity"] == "table"
    app.call("load_pair", PAIRS[1])
    assert app.at.session_state["sia.similarity"] is None and "sia.similarity" not in app.address
    app.go_to(with_table)
    assert app.at.session_state["sia.similarity"] == table and app.address == with_table
    assert not app.at.warning


def test_back_to_another_load_brings_its_texts_as_they_were_left(open_app):
    app = open_app("compare").type(system_1="mine")
    first = app.address
    app.call("load_pair", EIGHT)
    second = app.address
    app.call("set_a_and_b", 2, 1)
    third = app.address
    app.type(system_1="also mine").call("remove_system", 0)
    assert app.go_to(third).texts["system_1"] == "also mine" and session_sides(app) == (2, 1)
    assert app.go_to(second).texts == {"system_0": EIGHT.a, "system_1": "also mine", "references": EIGHT.references}
    assert app.go_to(first).texts == OF_PAIR | {"system_1": "mine"}
    assert app.at.session_state.systems == 2
    app.open("sentence").type(candidate="a candidate")
    assert app.go_to(second).page == "compare" and app.texts["system_1"] == "also mine"
    assert app.at.session_state.systems == 8


def session_sides(app):
    return app.at.session_state.side_a, app.at.session_state.side_b


def test_back_to_an_address_of_before_the_reload(open_app):
    app = open_app("compare").type(system_1="mine")
    app.go_to(link.to_query(COMPARISON))
    assert app.texts == {"system_2": "z", "system_0": HOSTILE, "references": "r\ns"}
    app.go_to({"page": "compare", "kept": "0123456789ab"})
    assert app.texts == {}
    app.take_kept(link.to_document(COMPARISON, {}))
    assert app.texts["system_0"] == HOSTILE


@pytest.mark.parametrize("address", [{"page": "sentence"}, {"utm": "x", "page": ""}])
def test_back_to_an_address_that_says_nothing_of_the_page_changes_nothing(open_app, address):
    app = open_app("compare").type(system_1="mine")
    app.go_to(address, "compare")
    assert app.texts == OF_PAIR | {"system_1": "mine"} and app.page == "compare"


def test_a_whatif_comes_back_with_its_link_and_stays_on_the_way_back(open_app):
    app = open_app("compare")
    before = app.address
    app.call("start_whatif", 1).type(whatif="typed")
    again = open_app("compare", **app.address)
    assert again.texts["whatif"] == "typed" and again.at.session_state.whatif_of == 1
    assert app.go_to(before).texts["whatif"] == "typed"
    app.call("use_whatif")
    assert app.texts["system_1"] == "typed" and app.go_to(before).texts["system_1"] == PAIR.b


def test_references_changed_on_the_other_page_can_be_brought_back(open_app):
    app = open_app("compare").type(system_1="mine").open("sentence")
    app.type(references="changed").open("compare")
    assert app.texts["references"] == "changed"
    app.call("bring_references_back")
    assert app.texts == OF_PAIR | {"system_1": "mine"}
    app.call("bring_references_back")  # nothing to undo
    assert app.texts["references"] == PAIR.references


def test_typed_references_are_not_brought_back(open_app):
    app = open_app("compare").type(system_1="mine").open("sentence").type(references="changed").open("compare")
    app.type(references="changed again").call("bring_references_back")
    assert app.texts["references"] == "changed again"


def test_the_other_page_comes_back_after_a_reload(open_app):
    app = open_app().type(candidate="mine", references="r").open("compare").type(system_1="B", name_1="new")
    app.open("sentence")
    with app.session():
        beside = reload.reload_document(session.open_page_state())
    again = open_app(**app.address)
    with again.session():
        reload.restore_document(beside)
        for odd in ("{", "[]", None, json.dumps({"pages": ["{", 7], "past": [[0]], "quiet": 7})):
            reload.restore_document(odd)
    assert again.run().texts == {"candidate": "mine", "references": "r"}
    assert again.open("compare").texts == {"system_0": "mine", "system_1": "B", "references": "r"}


@pytest.mark.parametrize("here", ["sentence", "compare", "learn"])
def test_all_three_pages_come_back_after_a_reload(open_app, here):
    app = open_app().type(candidate="mine", references="r").open("compare").type(system_1="B", name_1="new")
    app.open("learn").call("gtm", 3).open(here)
    with app.session():
        beside = reload.reload_document(session.open_page_state())
    again = open_app(here, **app.address)
    with again.session():
        reload.restore_document(beside)
    again.run()
    compared = {"system_0": "mine", "system_1": "B", "references": "r"}
    assert again.open("compare").texts == compared and again.at.session_state["name_1"] == "new"
    assert again.open("sentence").texts == {"candidate": "mine", "references": "r"}
    assert again.open("learn").address == {"page": "learn", "chapter": "gtm", "screen": "3"}


def test_undo_and_what_was_dismissed_outlive_a_reload(open_app):
    app = open_app("compare", **link.to_query(COMPARISON))
    with app.session():
        assert reload.reload_document(session.open_page_state()) is None
        editing.start_whatif(0)
        for text in ("one change", "two changes"):
            editing.edit_whatif(text)
        streamlit.session_state.quiet = "abc"
        beside, query = reload.reload_document(session.open_page_state()), link.to_query(session.open_page_state())
    again = open_app("compare", **query)
    with again.session():
        reload.restore_document(beside)
        assert streamlit.session_state.quiet == "abc"
        for text in ("one change", COMPARISON.systems[0][1]):
            editing.undo_whatif()
            assert streamlit.session_state.whatif == text


def test_the_part_of_a_long_comparison_belongs_to_it(open_app):
    app = open_app("compare", **link.to_query(COMPARISON))
    with app.session():
        session_choices.show_change(7)
        session_choices.choose_step(2)
        assert (session.open_page_state().change, session.open_page_state().step) == (7, 2)
        streamlit.session_state.system_0 = "something else"
        assert (session.open_page_state().change, session.open_page_state().step) == (None, None)
        session_choices.choose_step(0)
        assert (session.open_page_state().change, session.open_page_state().step) == (None, 0)


MANY = [(f"S{n}", f"text {n}") for n in range(9)]


@pytest.mark.parametrize(
    ("names", "texts", "given", "after", "left"),
    [
        (None, None, MANY[:8], MANY[:8], 0),  # an untouched example gives way
        (None, None, MANY, MANY[:8], 1),
        (None, None, MANY[:1], [*PAIR.systems, MANY[0]], 0),
        ("AB", "xy", MANY[:1], [("A", "x"), ("B", "y"), MANY[0]], 0),
        ("AB", ("x", ""), MANY[:2], [("A", "x"), MANY[0], MANY[1]], 0),
        ("AB", "xy", MANY[:8], [("A", "x"), ("B", "y"), *MANY[:6]], 2),
    ],
)
def test_systems_are_added(state, names, texts, given, after, left):
    if names:
        session.restore(comparison_of(names, texts), [])
    else:
        comparison.load_pair(PAIR)
    assert len(editing.add_systems(given)) == left and list(slots.systems()) == after


@pytest.mark.parametrize("slot", [0, 1])
def test_lines_are_taken_as_systems(state, slot):
    session.restore(comparison_of("AB", "xy"), [])
    editing.take_as_systems(MANY[:3], slot)
    expected = {0: [MANY[0], ("B", "y"), *MANY[1:3]], 1: [("A", "x"), *MANY[:3]]}
    assert list(slots.systems()) == expected[slot] and state.compare_view == "all"


def test_lines_of_a_candidate_are_compared(state):
    session.restore(SentenceState(candidate="x\ny", references="a b", source="c", metric="ter", language="german"), [])
    load = state.load
    sentence.open_lines_as_outputs([(f"S{n}", f"text {n}") for n in range(9)])
    assert state.typed[load]["sentence"]["candidate"] == "x\ny" and state.candidate == "text 0"
    shown = session.read_state(CompareState)
    assert shown.systems == tuple([(f"S{n}", f"text {n}") for n in range(8)]) and state.compare_view == "all"
    assert (shown.references, shown.source, shown.metric, shown.language) == ("a b", "c", "ter", "german")
    assert state.page == "compare" and state.problems == ["At most 8 systems fit, so 1 of the lines are left out."]


def test_a_side_that_is_still_to_come_is_asked_for(state):
    session.restore(comparison_of("AB", ("x", " ")), [])
    assert session_choices.side_to_fill(session.read_state(CompareState)) == "after"
    state.system_1 = "y"
    assert session_choices.side_to_fill(session.read_state(CompareState)) == ""
    state.system_0 = ""
    assert session_choices.side_to_fill(session.read_state(CompareState)) == "", "a system that gave up"


def test_the_menu_of_examples_forgets_what_was_changed(state):
    comparison.load_pair(PAIR)
    state.pair = PAIR.name
    comparison.forget_example(session.read_state(CompareState))
    assert state.pair == PAIR.name
    state.system_1 += "."
    comparison.forget_example(session.read_state(CompareState))
    assert state.pair is None
    state.example, state.candidate, state.references = FIRST.name, FIRST.candidate, FIRST.references
    sentence.forget_example(session.read_state(SentenceState))
    assert state.example == FIRST.name
    state.references += "."
    sentence.forget_example(session.read_state(SentenceState))
    assert state.example is None


@pytest.mark.parametrize(("typed", "name"), [("x" * 41, "x" * 40), ("x" * 40, "x" * 40), ("", ""), (None, None)])
def test_a_long_name_is_cut_with_a_word_about_it(state, typed, name):
    state.name_0, state.problems = typed, []
    editing.cut_name(0)
    assert state.name_0 == name and len(state.problems) == (len(typed or "") > 40)
