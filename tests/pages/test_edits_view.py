"""Tests of the Compare page's view of edits: its content, when shares are computed, and what the browser may send."""

import pytest

import metrics
from tests.helpers.fragments import read
from tests.helpers.pages import ComparePage
from viz.draw.edits import edits_html
from viz.draw.pen.numbers import change_text
from viz.pages.compare import edits
from viz.state.results import edits as edits_of
from viz.state.results.cache import Problem

A, B, REFERENCE = "the old cat sat on the mat today", "the cat sat on a red mat", "the cat sat on a mat today"
TYPED = {"system_0": A, "system_1": B, "references": REFERENCE}


@pytest.fixture
def page():
    return ComparePage().set(**TYPED).set_state(compare_view="edits")


def table_rows(page):
    """Return the rows of the table of edits."""
    return read(page.fragment).all("tr", of="term")


def row_names_and_cells(page):
    """Return the names of the rows of the table of edits, and the texts of each row's cells."""
    found = table_rows(page)
    return [row.get("data-term") for row in found], [[cell.text for cell in row.all("td")] for row in found]


def test_the_view_has_the_line_and_the_table_of_all_metrics(page):
    assert 'class="word_lines ab merged"' in page.fragment and 'class="verdict"' in page.html
    terms, cells = row_names_and_cells(page)
    assert terms == ["edit:0", "edit:1", "edit:2"]
    assert [row[0] for row in cells] == ["old", "the a red", "today"]
    assert all(len(row) == 4 + 2 for row in cells), "the chosen metric and three others"
    assert f"Show all {len(metrics.METRICS)} metrics" in page.html
    page.set_state(edits_every=True)
    terms, cells = row_names_and_cells(page)
    assert all(len(row) == len(metrics.METRICS) + 2 for row in cells) and page.address["every"] == "1"
    for key in metrics.METRICS:
        found = metrics.edits(key, A.split(), B.split(), [REFERENCE.split()])
        said = [change_text(edit.share, 3) if edit.share else "0" for edit in found]
        column = [next(e for e in row.all("td") if e.get("data-by") == key).text for row in table_rows(page)]
        assert [text.split()[-1] for text in column] == said


def test_the_chosen_metric_stands_first_and_its_rows_open(page):
    page.set_state(metric="wer", edit=1)
    assert page.selected_term == "edit:1"
    table = read(page.fragment)
    assert table.all("th")[1].text.startswith("WER") and table.all("th")[2].text == "Score if undone"
    assert len(table.all("tr", of="pieces")) == 3
    back = metrics.score("wer", "the cat sat on the mat".split(), [REFERENCE.split()]).score
    assert f"WER would be {back:.3f}" in table.text


def test_the_order_is_that_of_a_metric(page):
    page.set_state(edits_by="bleu")
    best = row_names_and_cells(page)[0]
    page.set_state(edits_by="-bleu")
    assert row_names_and_cells(page)[0] == best[::-1] != ["edit:0", "edit:1", "edit:2"]
    assert page.address["sorted"] == "-bleu"
    page.set_state(edits_by="")
    assert row_names_and_cells(page)[0] == ["edit:0", "edit:1", "edit:2"]


def test_what_was_chosen_of_other_texts_is_given_up(page):
    page.set_state(edit=2)
    assert page.selected_term == "edit:2" and page.address["edit"] == "2"
    page.set_state(metric="wer")
    assert page.selected_term == "edit:2", "the edits are the same by every metric"
    page.set(system_1="the dog sat on a red mat")
    assert page.selected_term is None and "edit" not in page.address


def test_nothing_is_looked_for_while_the_view_is_closed(page, monkeypatch):
    page.set_state(compare_view="difference")
    monkeypatch.setattr(edits_of, "worth_of_all", lambda *given: pytest.fail("nobody asked"))
    monkeypatch.setattr(edits_of, "edits_between", lambda *given: pytest.fail("nobody asked"))
    for view in ("difference", "whatif", "words", "all"):
        page.set_state(compare_view=view).set(system_1=f"the dog sat by a {view}")


def test_shares_are_found_once_for_all_sessions(page, monkeypatch):
    monkeypatch.setattr(edits_of.edit_shares, "edit_shares", lambda *given: pytest.fail("it was found before"))
    assert row_names_and_cells(ComparePage().set(**TYPED).set_state(compare_view="edits")) == row_names_and_cells(page)


def test_identical_outputs_have_no_edit(page):
    page.set(system_1=A)
    assert edits_html.NO_EDIT in page.fragment and not table_rows(page)
    assert 'class="verdict"' not in page.html


def test_an_output_may_have_no_words(page):
    page.at.session_state.wordless = True
    page.set(system_1="")
    assert row_names_and_cells(page)[1][0][0] == " ".join(A.split()) or "more" in row_names_and_cells(page)[1][0][0]


@pytest.mark.slow
def test_long_outputs_and_many_edits(page):
    words = [f"w{n}" for n in range(150)]
    changed = [f"x{n}" if n % 5 == 0 else word for n, word in enumerate(words)]
    page.set(system_0=" ".join(words), system_1=" ".join(changed), references=" ".join(words)).set_state(edit=20)
    assert len(row_names_and_cells(page)[0]) == 30
    assert "shares many" in page.fragment and "random orders of 30 edits" in page.fragment
    assert len(read(page.fragment).all("tr", of="pieces")) == 1, "what the chosen one did"
    assert "The outputs are long" in page.html


def test_what_takes_too_much_work_is_said(page, monkeypatch):
    monkeypatch.setattr(edits_of, "edits_between", lambda *given: Problem("The edits", "too hard"))
    page.set(system_1="the dog")
    assert "The edits: too hard." in page.messages


def test_what_the_browser_tells_is_a_row_or_nothing():
    """Check that a name from the browser becomes the number of an existing row or None: it may send anything."""
    assert [edits.parse_row(name, 3) for name in ("edit:2", "edit:3", "edit:x", "step:1", "", None, 1)] == [2] + [
        None
    ] * 6
    assert [edits.parse_row_to_undo(value, 3) for value in ("try=0", "try=3", "try=", "rows=all", None)] == [0] + [
        None
    ] * 4
