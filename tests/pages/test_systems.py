"""Tests of the view of all systems: the editor, the table, the small grids, and their handling of any text."""

import html
import random
import re

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import metrics
from metrics.text import TextSettings
from metrics.types.work import limited
from tests.helpers.fragments import read
from tests.helpers.pages import AppPage
from tests.helpers.waiting import LIMIT
from viz.components import score_table
from viz.draw.compare.scores import ScoreRow
from viz.draw.pen import svg
from viz.frame.examples import PAIR_BY_NAME
from viz.pages.compare import systems
from viz.state.results import cache, memory
from viz.state.results.cache import Problem
from viz.state.texts import inputs
from viz.state.texts.inputs import NAME_MOST

EIGHT = PAIR_BY_NAME["German–English: eight systems"]
HOSTILE = (
    *("<img src=x onerror=alert(1)>", "\u202eevil \u0001 שלום", "w" * 400, "👩‍👩‍👧", "$x$ *b* [a](http://e.org)"),
    "%{x} &amp;",
)


def read_outputs(outputs, *references):
    return inputs.read_systems([("", text) for text in outputs], "\n".join(references), TextSettings())


def score_outputs(key, texts):
    return [metrics.score(key, *its.segment) for its in texts]


# ---------------------------------------------------------------- the order of the grids and their titles


@pytest.mark.parametrize(
    ("values", "higher", "best_first", "order"),
    [
        ((0.1, 0.3, 0.2), True, False, [0, 1, 2]),
        ((0.1, 0.3, 0.2), True, True, [1, 2, 0]),
        ((0.1, 0.3, 0.2), False, True, [0, 2, 1]),
        ((0.2, 0.2, 0.2), True, True, [0, 1, 2]),
        ((None, 0.0, None, 0.5), True, True, [3, 1, 0, 2]),
        ((None, 0.0, None, 0.5), False, True, [1, 3, 0, 2]),
        ((None, None), False, True, [0, 1]),
    ],
)
def test_order(values, higher, best_first, order):
    assert systems.ordered_slots(ScoreRow("m", "M", higher, values), best_first) == order


def read_safely(markup):
    """Return the root of the elements of HTML; assert that none has a script."""
    root = read(markup)
    assert not [name for e in root for name in e.attributes if name.startswith("on")]
    return root


def tags_of(markup):
    return {e.tag for e in read_safely(markup)}


@pytest.mark.parametrize("name", HOSTILE)
def test_titles(name):
    row = ScoreRow("m", "M", True, (0.25, None, 0.75, 12.0))
    shown = [read_safely(systems.system_title_html(name, row, slot)) for slot in range(4)]
    assert [t.text[-12:].rpartition(" ")[2] for t in shown] == ["0.250", "–", "0.750", "best"]
    assert "12.00 ★ best" in shown[3].text
    assert {e.tag for t in shown for e in t} == {"div", "b", "bdi", "span"}
    assert name[:20].replace("\u202e", "\ufffd").replace("\u0001", "\ufffd") in shown[0].text


# ---------------------------------------------------------------- the references' words


def test_reached():
    texts = read_outputs(["the cat", "", "a cat", "dogs"], "the black cat", "a cat")
    results = [*score_outputs("rouge_n", texts[:3]), None]
    by = systems.slots_by_matched_word(results)
    assert by[0, 0] == (0,) and by[1, 0] == (2,) and (0, 1) not in by
    assert all(slots == tuple(sorted(set(slots))) and 1 not in slots and 3 not in slots for slots in by.values())
    assert systems.slots_by_matched_word([None, None]) == {}


def test_a_word_counts_in_each_reference_that_has_it_where_references_are_pooled():
    """Check that “the cat” counts in both references: one system has it in a run of each."""
    references = ["the cat sat on the mat".split(), "on the mat the cat lay".split()]
    results = [metrics.score("bleu", output.split(), references) for output in ("the cat lay", "the cat sat")]
    by = systems.slots_by_matched_word(results)
    assert by[0, 0] == by[0, 1] == by[1, 1] == by[1, 4] == (0, 1), "“the” and “cat”, whichever run they are drawn in"
    assert by[1, 5] == (0,) and by[0, 2] == (1,)


@pytest.mark.parametrize("key", metrics.METRICS)
def test_a_word_is_reached_by_the_systems_whose_marks_match_it(key):
    texts = read_outputs([text for _, text in EIGHT.systems], *EIGHT.references.split("\n"))
    by = systems.slots_by_matched_word(score_outputs(key, texts))
    last = [(k, len(reference) - 1) for k, reference in enumerate(texts[0].segment.references)]
    assert {slot for place in last for slot in by.get(place, ())} == {*range(8)}, "all end as the references do"
    for slot, its in enumerate(texts):
        words = {w for (k, j), slots in by.items() if slot in slots for w in [its.segment.references[k][j]]}
        if key not in ("meteor", "sia", "chrf"):  # these metrics also match stems, similar words or parts of words
            assert words <= set(its.segment.candidate)


def test_the_strip_of_references():
    texts = read_outputs(["the cat", "the dog", "a cat"], "the black cat sat")
    strip = systems.reference_words_html(
        texts[0], systems.slots_by_matched_word(score_outputs("per", texts)), ["x", "<i>", '"q"'], 3
    )
    parsed = read_safely(strip)
    assert "the2blackcat2sat" in parsed.text and "of the 3 systems" in parsed.text
    titles = [e.get("title") for e in parsed.having("title")]
    assert titles == ["counts for x, <i>", "counts for none", 'counts for x, "q"', "counts for none"]
    assert re.findall(r'class="tk u ([^"]*)"', strip) == ["by0 by1", "by0 by2"]
    assert "Reference&nbsp;" not in strip


@pytest.mark.parametrize("word", HOSTILE)
def test_hostile_words_and_names_in_the_strip(word):
    texts = read_outputs([word + " a", "b"], word + " b", "a")
    strip = systems.reference_words_html(
        texts[0], systems.slots_by_matched_word(score_outputs("gtm", texts)), [word, word], 2
    )
    assert tags_of(strip) <= {"style", "div", "span", "bdi", "sup"}
    assert "$x$" not in strip and "\u202e" not in strip and "\u0001" not in strip


# ---------------------------------------------------------------- small grids


def grid_cell_size(markup):
    """Return the size in pixels of a small grid's cells: the distance between its first two lines."""
    lines = re.findall(r"M1 ([\d.]+)L", markup)
    return float(lines[1]) - float(lines[0])


def test_grids_beside_each_other_have_equal_cells():
    words = "a b c d e f g h i j k l m n o p q r s t u v w x y".split()
    texts = read_outputs(["a b c", " ".join(words), " ".join(words[:14])], " ".join(words[:12]), "a c b d e g")
    alone = {grid_cell_size(svg.small_grids_svg(result, {}, 1)) for result in score_outputs("gtm", texts)}
    together = {grid_cell_size(svg.small_grids_svg(result, {}, 1, high=25)) for result in score_outputs("gtm", texts)}
    assert len(alone) > 1 and together == {min(alone)}


def test_pictures():
    long = " ".join(["w"] * 131)
    texts = read_outputs(["the cat", "", long], "the cat sat")
    results = score_outputs("gtm", texts)

    def picture(slot, result):
        return systems._small_grid_html(texts[slot], result, 280, 3)

    assert 'aria-label="GTM uses 2 cells"' in picture(0, results[0])
    assert picture(1, results[1]) == "no words"
    assert picture(2, results[2]) == "131 words"
    assert picture(0, None) == "This metric cannot score it."


# ---------------------------------------------------------------- the view

APP = """
import streamlit as st
from viz.pages.compare.record import CompareState
from viz.state.texts import inputs
from viz.state.visit import navigation
from viz.pages.compare import systems

state = navigation.prepare_run(CompareState)
for slot in state.sides:
    st.text_input("Name", key=f"name_{slot}", max_chars=40, persist_state="session")
    st.text_area("Text", key=f"system_{slot}", persist_state="session")
st.text_area("References", key="references", persist_state="session")
texts = inputs.read_systems(state.systems, state.references, state.text)
if isinstance(texts, inputs.MissingText):
    st.warning(str(texts))
    systems.draw_editor(state)
else:
    systems.draw(texts, state)
"""


class View(AppPage):
    """The view of all systems, on a small page after a run of the app, with the content that tests read."""

    def __init__(self, *given, references="the black cat sat .\na cat was sitting there .", metric="gtm", sides=(0, 1)):
        query = {"references": references, "metric": metric, "sides": f"{sides[0] + 1}-{sides[1] + 1}"}
        for slot, (name, text) in enumerate(given, 1):
            query |= {f"system__{slot}": text, f"name__{slot}": name}
        super().__init__(AppTest.from_string(APP, default_timeout=LIMIT), **query)

    def open(self):
        return self.set_state(systems_open=True)

    def button(self, key):
        return self.at.button(key=f"systems_{key}")

    def click(self, key):
        assert not self.button(key).disabled
        return self.press(f"systems_{key}")

    @property
    def table(self):
        return self.component_data_with("columns")

    @property
    def titles(self):
        return [
            html.unescape(re.sub("<.*?>", "", t)) for t in re.findall(r'<div class="system of\d">.*?</div>', self.html)
        ]

    @property
    def names(self):
        return [re.sub(r" (–|\d+\.\d+)( ★ best)?$", "", title) for title in self.titles]

    @property
    def pictures(self):
        return re.findall(r'<div class="bitext lead_line of\d" data-metric="\w+">(.*?)</div>', self.html)

    @property
    def lead_line_text(self):
        return html.unescape(re.sub("<.*?>", "", re.search(r'<div class="lead_line">(A is .*?)</div>', self.html)[1]))

    @property
    def texts(self):
        state = self.at.session_state
        return [state[f"system_{slot}"] for slot in range(state.systems)]


TWO = (("old", "the cat sat ."), ("new", "a black cat sat there ."))
THREE = (*TWO, ("third", "cats ."))


def test_two_systems():
    view = View(*TWO)
    assert view.lead_line_text == "A is old, B is new"
    assert [t.split()[0] for t in view.titles] == ["old", "new"] and sum("★ best" in t for t in view.titles) == 1
    assert all("<svg" in picture for picture in view.pictures)
    assert "A, edited above" in view.html and "B, edited above" in view.html  # the editor is open at first
    assert view.button("remove_0").disabled and view.button("remove_1").disabled
    assert [w.key for w in view.at.text_area] == ["system_0", "system_1", "references", "systems_paste"]


@pytest.mark.parametrize(
    ("names", "says"), [(("A", "B"), "A and B"), (("A", "new"), "B is new"), (("B", "A"), "A is B, B is A")]
)
def test_nobody_is_told_that_a_is_a(names, says):
    view = View(*[(name, text) for name, (_, text) in zip(names, TWO, strict=True)])
    assert f'<div class="lead_line">{says}</div>' in re.sub("</?(?:b|bdi)>", "", view.html)


def test_systems_are_added_edited_and_removed():
    view = View(*TWO).click("add")
    assert view.texts[2] == "" and view.pictures[2] == "no words" and len(view.titles) == 3
    view.enter("system_2", "the black cat sat .").enter("name_2", "*best*")
    assert view.titles[2].startswith("*best* ") and "★ best" in view.titles[2]
    assert view.texts == ["the cat sat .", "a black cat sat there .", "the black cat sat ."]
    view.click("remove_0")
    assert view.texts == ["a black cat sat there .", "the black cat sat ."]
    assert view.lead_line_text == "A is *best*, B is new"
    assert view.button("remove_0").disabled


def test_eight_systems_are_the_most():
    view = View(*EIGHT.systems, references=EIGHT.references)
    assert len(view.titles) == 8 and not [b for b in view.at.button if b.key == "systems_add"]  # the editor is closed
    view.open()
    assert view.button("add").disabled and view.button("add_all").disabled
    assert {w.key for w in view.at.text_area} >= {f"system_{slot}" for slot in range(8)}
    view.click("remove_7").click("add").enter("system_7", "Last .")
    assert view.texts[7] == "Last ." and len(view.pictures) == 8


def test_a_and_b_are_picked():
    view = View(*THREE).open()
    assert [w.key for w in view.at.text_area][:2] == ["system_0", "system_1"]
    view.click("a_2")
    assert view.lead_line_text == "A is third, B is new"
    assert [w.key for w in view.at.text_area][:2] == ["system_2", "system_1"]
    view.click("b_2")
    assert view.lead_line_text == "A is new, B is third"
    view.enter("system_2", "a cat").enter("system_0", "the dog")  # in the editor at the top
    assert view.texts == ["the dog", "a black cat sat there .", "a cat"]
    view.click("a_0").click("b_1")
    assert view.texts == ["the dog", "a black cat sat there .", "a cat"]
    assert [view.button(f"{side}_{slot}").proto.type for side in "ab" for slot in range(3)] == [
        *("primary", "secondary", "secondary"),
        *("secondary", "primary", "secondary"),
    ]
    view.click("compare")
    assert view.at.session_state.compare_view == "difference"


def test_many_are_pasted_at_once():
    view = View(("", "the cat ."), ("", ""))
    view.enter("systems_paste", "MiSS: a cat\nwas : here\n\n" + "\n".join(f"s{n}: cat {n}" for n in range(7)))
    view.click("add_all")
    assert view.texts == ["the cat .", "a cat", "was : here", *[f"cat {n}" for n in range(5)]]
    assert view.names[1:4] == ["MiSS", "C", "s0"]
    assert view.messages == ["2 lines did not fit: at most 8 systems do. Remove some to add more."]
    assert view.at.session_state.systems_paste == "s5: cat 5\ns6: cat 6"
    view.click("remove_7").click("add_all")
    assert view.texts[7] == "cat 5" and view.at.session_state.systems_paste == "s6: cat 6"


def test_pasted_from_nothing():
    """Check that systems can be pasted where there is nothing to score yet.

    The page may then draw only the editor."""
    view = View(("", ""), ("", ""))
    assert view.messages and not view.titles
    view.enter("systems_paste", "the cat\na dog\nx: a cat").click("add_all")
    assert view.texts == ["the cat", "a dog", "a cat"] and view.names == ["A", "B", "x"]


def test_pasted_lines_of_one_output_are_read_as_one_with_one_click_and_back():
    view = View(("old", "the cat sat on the mat ."), ("new", "a cat sat on a mat .")).open()
    text = "The cat that we have seen sat down on the\nold mat beside the door of the house and\nslept."
    view.enter("systems_paste", text).click("add_all")
    assert view.texts[2:] == text.split("\n") and "The lines are read as 3 outputs." in view.html
    view.click("read")
    assert view.texts[2:] == [text.replace("\n", " ")] and "The lines are read as one output." in view.html
    view.click("read")
    assert view.texts[2:] == text.split("\n")
    view.click("remove_4")
    assert "lines are read as" not in view.html, "what was done since is not undone"


def test_an_empty_line_between_outputs_is_one_of_no_words():
    view = View(("old", "the cat sat ."), ("new", "a cat sat .")).open()
    view.enter("systems_paste", "the cat sat there\n\na cat sat there\nthe cat was there").click("add_all")
    assert view.texts[2:] == ["the cat sat there", "", "a cat sat there", "the cat was there"]
    assert view.pictures[3] == "no words" and "0.000" in view.titles[3]
    view = View(("old", "the cat sat ."), ("new", "a cat sat .")).open()
    view.enter("systems_paste", "x: the cat sat there\ny:").click("add_all")
    assert view.texts[2:] == ["the cat sat there", ""] and view.names[3] == "y"
    view = View(("", ""), ("", ""))
    view.enter("systems_paste", "x: the cat sat there\ny:").click("add_all")
    assert view.names == ["x", "y"] and view.messages == [], "nobody is asked for an output that was given"


def test_the_best_come_first():
    view = View(*THREE, metric="ter")
    assert view.names == ["old", "new", "third"]
    view.at.toggle(key="systems_best_first").set_value(True)
    view.run()
    scores = [float(re.search(r"\d\.\d+", title)[0]) for title in view.titles]
    assert scores == sorted(scores) and "★" in view.titles[0]
    heads = [column["title"].removeprefix("Scores of ") for column in view.table["columns"][1:]]
    assert heads == view.names  # the columns of the table and the grids have the same order


@pytest.mark.parametrize("key", metrics.METRICS)
def test_every_metric(key):
    view = View(*THREE, ("none", ""), metric=key)
    assert metrics.METRICS[key].name in view.html and f"{metrics.METRICS[key].label} of every system" in view.html
    assert [picture[:4] for picture in view.pictures] == ["<svg", "<svg", "<svg", "no w"]
    texts = read_outputs([text for _, text in THREE], *view.at.session_state.references.split("\n"))
    for title, result in zip(view.titles, score_outputs(key, texts), strict=False):
        assert f"{result.score:.3f}" in title


def test_the_table_chooses_the_metric(monkeypatch):
    given = {}

    def show(rows, columns, selected, pick, key):
        given.update(rows=rows, columns=columns, selected=selected)
        st.button("row", key="row", on_click=pick, args=("ter",))

    monkeypatch.setattr(score_table, "show", show)
    view = View(*THREE)
    assert [column.name for column in given["columns"]] == ["Metric", "old", "new", "third"]
    assert [row.key for row in given["rows"]] == list(metrics.METRICS) and given["selected"] == "gtm"
    assert all(len(row.values) == 3 for row in given["rows"])
    view.at.button(key="row").click()
    view.run()
    assert "TER of every system" in view.html and given["selected"] == "ter"


def test_a_metric_that_is_too_hard(monkeypatch):
    score = cache.score

    def problem_for_two_words(key, segment, settings):
        if key == "sia" and len(segment.candidate) == 2:
            return Problem("SIA", "SIA has <b>too many</b> words")
        return score(key, segment, settings)

    monkeypatch.setattr(cache, "score", problem_for_two_words)
    memory.empty_cache()
    view = View(*THREE, metric="sia")
    assert view.pictures[2] == "This metric cannot score it." and view.titles[2] == "third –"
    assert "of the 2 systems" in view.html
    memory.empty_cache()


@pytest.mark.parametrize(("outputs", "references", "drawn"), [((131, 3), (4,), 1), ((3, 2), (131,), 0)])
def test_long_texts_have_no_grids(outputs, references, drawn):
    given = [(f"s{n}", " ".join(["word"] * count)) for n, count in enumerate(outputs)]
    view = View(*given, references="\n".join(" ".join(["word"] * count) for count in references))
    assert "Grids are shown for texts of up to 130 words." in view.html
    assert sum("<svg" in picture for picture in view.pictures) == drawn
    assert all(re.search(r"\d\.\d{3}", title) for title in view.titles)


def test_hostile_names_and_texts():
    given = [(text[:NAME_MOST], f"{text} cat {text}") for text in HOSTILE]
    view = View(*given, references="\n".join(f"{text} cat" for text in HOSTILE)).open()
    allowed = {"div", "style", "span", "b", "bdi", "br", "sup"}
    assert all(tags_of(element.proto.body) <= allowed for element in view.at.get("html"))
    drawn = {"div", "svg", "title", "path", "g", "text"}
    assert len(view.fragments) == len(HOSTILE) and all(tags_of(shown) <= drawn for shown in view.fragments)
    assert "\u202e" not in view.html
    labels = [w.label for w in view.at.text_area if w.key == "system_4"]
    assert labels == ["Output of \\$x\\$ \\*b\\* \\[a\\](http:\u2060//e.org)"]


@pytest.mark.slow
def test_a_random_walk():
    """Check that random actions in any order raise nothing, and that every system keeps its text."""
    rng = random.Random(4)
    view = View(*THREE).open()
    for _ in range(40):
        keys = [b.key.removeprefix("systems_") for b in view.at.button if not b.disabled and b.key]
        key = rng.choice([k for k in keys if k != "compare"])
        if rng.random() < 0.3:
            widget = rng.choice([w for w in view.at.text_area if w.key != "references"])
            view.enter(widget.key, f"the {rng.choice(['cat', 'dog: x', ''])} {rng.random():.3f}")
        else:
            view.click(key)
        if "systems_add" not in [b.key for b in view.at.button]:
            view.open()
        if view.titles:
            assert len(view.titles) == len(view.pictures) == view.at.session_state.systems
    assert 2 <= view.at.session_state.systems <= 8


def test_eight_long_outputs_take_little_work():
    rng = random.Random(1)
    vocabulary = [f"w{n}" for n in range(40)]
    base = [rng.choice(vocabulary) for _ in range(30)]

    def noisy_text():
        return " ".join([w if rng.random() < 0.7 else rng.choice(vocabulary) for w in base])

    references = "\n".join(noisy_text() for _ in range(4))
    View(*TWO)  # loads the imports
    with limited(200_000):
        view = View(*[(f"s{n}", noisy_text()) for n in range(8)], references=references)
    with limited(0):  # all is cached
        view.run()
    assert len(view.pictures) == 8
