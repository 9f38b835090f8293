"""Tests of the Compare page in Streamlit's test runner: both outputs, every view, and no exception."""

import math
import re

import pytest

import metrics
from metrics.text import TextSettings
from metrics.types import Hit
from tests.helpers.fragments import read
from tests.helpers.pages import AppPage, ComparePage
from tests.helpers.segments import HOSTILE
from tests.helpers.tables import every_row
from viz.draw.compare import changes_table, comparison, differences
from viz.draw.compare.differences import GridRoom
from viz.draw.compare.scores import MARKS, SAME
from viz.draw.pen.numbers import change_text, score_text
from viz.frame.examples import PAIRS
from viz.pages.compare import save_menu, two_outputs
from viz.pages.compare.record import VIEWS as COMPARE_VIEWS
from viz.pages.compare.record import WHATIF, CompareState
from viz.state.links import link
from viz.state.results import cache
from viz.state.texts import inputs


@pytest.fixture
def page():
    return ComparePage()


def example_results(pair, key="gtm"):
    """Return an example's outputs and their results by metric `key`, as (text A, text B, result A, result B)."""
    a, b = inputs.read_systems([("", pair.a), ("", pair.b)], pair.references, TextSettings(**pair.text))
    return a, b, *[cache.score(key, texts.segment, metrics.settings(key)) for texts in (a, b)]


# ---------------------------------------------------------------- two outputs


@pytest.mark.slow
def test_the_page_starts_with_an_example(page):
    pair = PAIRS[0]
    assert (page.widget("system_0").value, page.widget("system_1").value) == (pair.a, pair.b)
    _, _, before, after = example_results(pair)
    delta = after.score - before.score
    assert page.verdict_numbers == [score_text(before.score), score_text(after.score), change_text(delta)]
    assert set(page.grids) == {"a", "b", "d"} and "Shapley" in page.html
    assert not page.at.get("plotly_chart") and page.messages == []


def test_tiles_show_both_scores_and_say_what_is_better(page):
    page.set(name_1="new")
    for key, (first, second) in page.tiles.items():
        _, _, before, after = example_results(PAIRS[0], key)
        change = after.score - before.score
        a, b = score_text(before.score), score_text(after.score)
        assert second["text"] == f"{a} → {b}" and second["said"] == f"A {a}, new {b}"
        if abs(change) < SAME:
            assert (first["text"], first["said"], first["tone"]) == ("0", "the same", "same")
        else:
            tone = "better" if (change > 0) == metrics.METRICS[key].higher_is_better else "worse"
            size = score_text(abs(change))
            assert first["text"] == f"{MARKS[tone]} {change_text(change)}" and first["tone"] == tone
            assert first["said"] == f"new is {tone} by {size}"


@every_row(("key", "pair"), [(key, pair) for key in metrics.METRICS for pair in PAIRS])
def test_every_example_in_every_metric(pair, key):
    a, b, before, after = example_results(pair, key)
    found, changes = cache.find_changes(before, after)
    assert math.isclose(math.fsum(step.share for step in changes), after.score - before.score, abs_tol=1e-12)
    view = comparison.OutputPair(a, b, pair.names, before, after, found, changes)
    led = steps_by_cell(view)
    for number, step in enumerate(changes):
        for piece in step.pieces:
            side = "a" if piece.kind == "lost" else "b"
            for i, k, j in piece.mark.cells():
                row = differences.rows_by_position(found.rows, side)[i]
                assert number in led[side, i, k, j] and number in led["d", row, k, j], "every cell leads to its step"
    shown = read(comparison.fragment(view, [cache.hits(texts.segment) for texts in (a, b)], GridRoom(1200)))
    for step, opened in zip(changes, shown.all("tr", "pieces"), strict=True):
        count = len(changes_table.mark_rows(view.score_steps, step))
        assert len(opened.all("tr")) == min(count, changes_table.PIECES_MOST)
    for side, row, places in ((before, "a", found.lost), (after, "b", found.gained)):
        pays = {
            cell
            for layer in side.layers
            for mark, credit in zip(layer.marks, layer.credits, strict=True)
            for cell in mark.cells()
            if credit
        }
        for place in places:
            cell = Hit(getattr(found.rows[place.row], row), place.k, place.j)
            assert (row, cell.i, *cell[1:]) in led or cell not in pays


def steps_by_cell(view):
    """Return the numbers of the ledger's steps that a click on a cell opens, by (side, row, reference, column)."""
    out = {}
    for number in range(len(view.steps)):
        term, cells = re.match(
            r'data-term="step:(\d+)" data-cells="(.*?)"', changes_table.step_attributes(view.score_steps, number)
        ).groups()
        assert int(term) == number
        for cell in cells.split():
            i, k, j = cell[1:].split(",")
            out.setdefault((cell[0], int(i), int(k), int(j)), []).append(number)
    return out


@pytest.mark.slow
def test_every_metric_can_be_chosen(page):
    for key in metrics.METRICS:
        page.set_state(metric=key)
        _, _, before, after = example_results(PAIRS[0], key)
        assert page.verdict_numbers[:2] == [score_text(before.score), score_text(after.score)]
        assert f'<p class="sig">{key}|' in page.html and page.fragment.count("data-verdict") == 1


def test_a_chosen_step_changes_nothing_in_what_is_drawn(page):
    _, _, before, after = example_results(PAIRS[0])
    changes = cache.find_changes(before, after)[1]
    assert page.selected_term is None
    plain = page.fragment
    assert re.findall(r'<tr class="term" data-term="(.*?)"', plain) == [f"step:{n}" for n in range(len(changes))]
    assert re.findall(r'<tr class="pieces" data-of="(.*?)"', plain) == [f"step:{n}" for n in range(len(changes))]
    for number in range(len(changes)):
        page.set_state(step=number, step_of=None)
        assert page.selected_term == f"step:{number}" and page.fragment == plain, "the browser chooses by itself"


def test_what_the_browser_tells_is_a_step_or_nothing():
    assert [two_outputs.parse_step(name, 3) for name in ("step:0", "step:2")] == [0, 2]
    for sent in ("step:3", "step:-1", "step:", "0:1", "x", "", None, 1, ["step:1"], "step:²"):
        assert two_outputs.parse_step(sent, 3) is None


def test_a_step_of_another_pair_is_not_chosen(page):
    page.set_state(step=0, step_of=None)
    assert page.selected_term == "step:0"
    page.set(system_1=PAIRS[1].b)
    assert page.selected_term is None


def test_which_reference_decides_is_said(page):
    page.set_state(metric="dcs")
    said = r"A is scored against reference 2 \(\d+ words?\), B against reference 1 \(\d+ words?\): "
    assert re.search(said, page.html)
    page.set(references=PAIRS[0].references.split("\n")[0])
    assert "against reference" not in page.html


def test_a_reference_without_used_cells_is_folded_and_can_be_opened(page):
    page.set_state(metric="wer")
    page.set(references="the gunman was shot .\nnothing of this\n" + PAIRS[0].references)
    assert (
        re.findall(r"<summary>(Reference \d: [^<]*)</summary>", page.fragment)
        == ["Reference 2: no match", "Reference 3: 11 matches, none used"]
        or "Reference 2: no match" in page.fragment
    )
    assert re.findall(r'data-show="\d" aria-pressed="(\w+)"', page.fragment).count("true") == 1
    hidden = re.findall(r'class="ref" data-reference="(\d)"( hidden)?', page.fragment)
    assert [k for k, _ in hidden] == list("0123") and sum(not off for _, off in hidden) == 1


def test_a_score_of_zero_names_the_setting_that_would_lift_it(page):
    page.set_state(metric="bleu")
    page.set(system_0="a b x y", system_1="b a y z", references="a c b d y e")
    assert page.fragment.lower().count("no 2-gram matches") == 1  # in the sentence, and not repeated below it
    assert 'data-open="smoothing=exp"' in page.fragment and "Use smoothing “exp”" in page.fragment
    page.set_state(**{"bleu.smoothing": "exp"})
    assert 'data-open="smoothing=none"' in page.fragment and "Turn off smoothing “exp”: 0.000" in page.fragment
    assert "Use smoothing" not in page.fragment and page.verdict_numbers[0] != "0.000"


def test_swap(page):
    before = page.verdict_numbers
    page.press("Swap")
    assert (page.widget("system_0").value, page.widget("system_1").value) == (PAIRS[0].b, PAIRS[0].a)
    after = page.verdict_numbers
    assert after == [before[1], before[0], before[2].replace("+", "−")]


def test_names_are_shown(page):
    page.set(name_0="old <b>", name_1="new $x$")
    assert "old &lt;b&gt;" in page.html and "new &#36;x&#36;" in page.html and "old <b>" not in page.html


# ---------------------------------------------------------------- typed texts


def test_the_same_words_say_so(page):
    page.set(system_1=PAIRS[0].a)
    assert "are the same words, so every score is equal." in page.fragment and page.verdict_numbers[2] == "0"
    assert "tr.term" not in page.fragment and 'class="term"' not in page.fragment and page.messages == []
    assert not [line for lines in page.tiles.values() for line in lines if line["tone"]], "no verdict on any tile"


@pytest.mark.parametrize(("side", "name"), [(0, "A"), (1, "B")])
def test_an_output_of_no_words_has_its_scores(page, side, name):
    """Check that an output whose text is deleted is scored as an empty output, and that the page's link keeps this."""
    shown = page.verdict_numbers[1 - side]
    page.set(**{f"system_{side}": ""})
    assert page.messages == [] and page.verdict_numbers[side] == "0.000" and page.verdict_numbers[1 - side] == shown
    assert "no words" in page.fragment
    loss = "is that the words of <bdi>A</bdi> are gone" if side else "comes from the words of <bdi>B</bdi>"
    says = f"<bdi>{name}</bdi> has no words and matches nothing: all of {page.verdict_numbers[2]} {loss}."
    assert says in page.fragment
    page.set_state(metric="wer")
    assert page.verdict_numbers[side] == "1.000" and f"which is {'worse' if side else 'better'}," in page.fragment
    assert page.address["wordless"] == "1"
    other = ComparePage(**page.address)
    assert other.messages == [] and other.verdict_numbers[side] == "1.000"
    other.set(**{f"system_{side}": "a word"})
    assert "wordless" not in other.address


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"system_0": "", "system_1": " "}, "Paste an output above"),
        ({"references": "\n \n"}, "Paste a reference above"),
        ({"system_1": "a " * 2001}, "B has 2,001 words, 1 more than the 2,000 that fit."),
        ({"references": "a\n" * 17}, "17 references are 1 more than the 16 that fit."),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(page, values, says):
    page.set(**values)
    *others, message = page.messages
    assert message.startswith(says) and all("too long for a link" in other for other in others)
    assert all(page.widget(key).value == value for key, value in values.items())


@pytest.mark.parametrize("view", COMPARE_VIEWS)
def test_hostile_words_are_only_words(view):
    page = ComparePage()
    typed = [word for word in HOSTILE if word.isascii() and word.isprintable()]
    page.set(system_0=" ".join(typed), system_1=" ".join(typed[::-1]), references=" ".join(typed[2:]))
    page.set_state(compare_view=view)
    assert "<script>alert" not in page.html and "alert(1)" in page.html


def test_long_outputs_stand_in_columns_above_a_part_of_the_grid(page):
    words = [f"w{n}" for n in range(300)]
    changed = [*words[:20], *words[21:250], *words[251:]]
    page.set(system_0=" ".join(words), system_1=" ".join(changed), references=" ".join(words))
    assert "The outputs are long" in page.html and "d" in page.grids
    names = {name for name in re.findall('data-word="(.*?)"', page.fragment) if not name.startswith("d")}
    sides = (("a", 300), ("b", 298), ("r0_", 300))
    assert names == {f"{side}{n}" for side, count in sides for n in range(count)}, "every word"
    first = page.grids["d"]
    page.press("Later changes")
    assert page.grids["d"] != first
    page.press("Earlier changes")
    assert page.grids["d"] == first


# ---------------------------------------------------------------- the other views


def test_what_if(page):
    page.set_state(compare_view="whatif")
    assert page.widget("whatif").value == PAIRS[0].a and "same words" in page.fragment
    page.set(whatif=PAIRS[0].a + " dead")
    first = page.verdict_numbers
    page.set(whatif="nothing of it")
    assert page.verdict_numbers[1] == "0.000" and page.verdict_numbers != first
    page.press("Undo")
    assert page.verdict_numbers == first and page.widget("whatif").value == PAIRS[0].a + " dead"
    page.press("Undo")
    assert page.verdict_numbers[2] == "0"
    page.press("Copy B")
    assert page.widget("whatif").value == PAIRS[0].b
    assert page.widget("system_0").value == PAIRS[0].a, "the outputs stay as they are"


@pytest.mark.slow
@pytest.mark.parametrize("view", COMPARE_VIEWS)
def test_every_view_draws_every_example(view):
    page = ComparePage()
    page.set_state(compare_view=view)
    for pair in PAIRS:
        page.set(pair=pair.name)
        assert page.widget("system_0").value == pair.a
        assert page.messages == []


def test_a_link_opens_the_page():
    workspace = CompareState(
        references="the cat", systems=(("old", "a cat"), ("new", "the cat")), metric="wer", compare="words"
    )
    page = ComparePage(**{name.replace(".", "__"): value for name, value in link.to_query(workspace).items()})
    assert (page.widget("system_0").value, page.widget("name_1").value) == ("a cat", "new")
    assert page.at.session_state.metric == "wer" and page.at.session_state.compare_view == "words"


def test_a_link_that_names_the_page_opens_it_from_the_root():
    page = AppPage(page="compare", references="r", system__1="a", system__2="b")
    assert page.at.session_state.page == "compare"
    assert {area.key for area in page.at.text_area} == {"system_0", "system_1", "references"}


@pytest.mark.slow
def test_the_sentence_page_keeps_its_texts():
    page = ComparePage()
    page.at.switch_page("viz/pages/sentence/page.py")
    page.run()
    page.enter("candidate", "my own words")
    page.at.switch_page("viz/pages/compare/page.py")
    page.run()
    page.at.switch_page("viz/pages/sentence/page.py")
    page.run()
    assert page.widget("candidate").value == "my own words"


def test_lines_in_a_box_of_one_output_are_pointed_out(page):
    page.set(system_1="one line\nand another")
    assert page.messages == ["B has 2 lines, which are read as one output."]
    assert "Take each line as a system" not in [b.label for b in page.at.button]
    page.set(system_1="new: one line\n\nold: and another")
    page.press("Take each line as a system")
    texts = [page.at.session_state[f"system_{slot}"] for slot in range(page.at.session_state.systems)]
    assert texts == [PAIRS[0].a, "one line", "and another"] and page.messages == []
    assert page.at.session_state.compare_view == "all"


def test_an_output_that_is_still_to_come_is_asked_for():
    page = ComparePage(page="compare", references="a b", **{"system.1": "a", "system.2": ""})
    asks = "Paste the output after the change above, or choose an example. What changed appears here."
    assert page.messages == [asks]
    page.set_state(compare_view="all")
    asks = "Paste the output after the change, or several outputs, above. Their scores appear here."
    assert page.messages == [asks]
    page.press("Score it as an empty output")
    assert page.messages == [] and page.address["wordless"] == "1"
    page = ComparePage(page="compare", references="a b", **{"system.1": "a", "system.2": ""})
    page.set(system_1="b")
    assert page.messages == [] and page.verdict_numbers and "wordless" not in page.address
    page.set(system_1="").set_state(compare_view="all")
    assert page.messages == [], "an output that was emptied is one of a system that gave up"


def test_a_whatif_grows_and_becomes_b(page):
    page.set_state(compare_view="whatif").set(whatif="the gunman was shot by police .")
    page.set_state(compare_view="words")
    (outputs,) = [w.options for w in page.at.get("button_group") if w.key == "output"]
    assert outputs == ["A", "B", "What if"]
    page.set_state(output=WHATIF)
    assert "What if" in page.html
    page.set_state(compare_view="whatif").press("Use as B")
    assert page.widget("system_1").value == "the gunman was shot by police ."
    assert page.at.session_state.compare_view == "difference" and page.verdict_numbers[1:3] != page.verdict_numbers[0:2]


def test_the_report_is_made_when_it_is_asked_for(page, monkeypatch):
    made = []
    monkeypatch.setattr(save_menu.comparison_report, "page_html", lambda *given: made.append(given) or "")
    page.set_state(save_comparison=True)
    labels = [button.proto.label for button in page.at.get("download_button")]
    assert labels == ["Report, HTML", "Ledger, CSV", "Edits, CSV", "Result, JSON", "Difference, SVG"]
    assert not made, "all metrics of long texts take seconds"
