"""Tests of the window into texts too long for a whole grid, which moves to the selected term."""

import pytest

import metrics
from metrics.types import Hit
from tests.helpers.fragments import process_texts
from viz.draw.compare import comparison, differences
from viz.draw.compare.comparison import OutputPair
from viz.draw.evidence.drawn_result import EvidenceLook
from viz.draw.pen.grid import Window
from viz.frame import evidence
from viz.pages.compare import two_outputs
from viz.state.results import cache

WORDS = [f"w{n}" for n in range(200)]
OTHER = [*WORDS[:12], "x", *WORDS[12:30], "y", *WORDS[180:]]


TEXTS = process_texts(" ".join(WORDS), " ".join(["nothing"] * 41), " ".join(OTHER))


@pytest.mark.parametrize(
    ("term", "look", "window"),
    [
        ("0:0", {}, (1, 0, 0)),
        ("0:1", {}, (1, 0, 0)),
        ("0:2", {}, (1, 160, 12)),  # limited by the end of the texts
        ("0:0", {"detail_i": 161, "detail_j": 13}, (1, 0, 0)),
        ("0:1", {"detail_i": 61}, (1, 1, 2)),  # centred on the term
        ("0:2", {"detail_reference": 0}, (1, 160, 12)),
        ("0:0", {"detail_reference": 0}, (1, 0, 0)),
        ("1:1", {}, (1, 0, 0)),  # words 13 to 200: some are visible already
        ("1:1", {"detail_i": 161, "detail_j": 13}, (1, 160, 12)),
        ("1:1", {"detail_i": 61}, (1, 10, 11)),  # none is visible, so the window starts at their beginning
        ("9:9", {}, None),
        (None, {}, None),
    ],
)
def test_a_window_goes_to_the_chosen_term(term, look, window):
    found = cache.score("dcs", TEXTS.segment, metrics.settings("dcs"))
    at = evidence.window_with_selected_term(TEXTS, found, EvidenceLook(room=1200, term=term, **look))
    assert (at and tuple(at[:3])) == window


def test_a_word_that_one_side_has_alone_is_brought_into_view():
    found = cache.score("ter", TEXTS.segment, metrics.settings("ter"))
    layer, at = next(
        (n, t) for n, each in enumerate(found.layers) for t, mark in enumerate(each.marks) if mark.i_start >= 120
    )
    mark = found.layers[layer].marks[at]
    window = evidence.window_with_selected_term(TEXTS, found, EvidenceLook(room=1200, term=f"{layer}:{at}"))
    assert window.k == 1 and window.i <= mark.i_start < window.i + window.rows
    assert window.j <= mark.j_start <= window.j + window.columns


def test_short_texts_have_no_window():
    texts = process_texts(" ".join(WORDS[:20]), " ".join(OTHER[:20]))
    found = cache.score("gtm", texts.segment, metrics.settings("gtm"))
    assert evidence.window_with_selected_term(texts, found, EvidenceLook(room=1200, term="0:0")) is None


def test_a_step_of_a_long_comparison_is_brought_into_view():
    changed = [*WORDS[:20], "x", *WORDS[21:180], "y", *WORDS[181:]]
    a, b = (process_texts(" ".join(words), " ".join(WORDS)) for words in (WORDS, changed))
    pair = OutputPair(a, b, ("A", "B"), *cache.compare_segments("bleu", a.segment, b.segment, metrics.settings("bleu")))
    places = comparison.changed_cells(pair.difference)
    for step in range(len(pair.steps)):
        own = differences.cells_of_step(pair.steps[step], pair.difference.rows)
        for part in (differences.window_around(pair.difference, pair.references, place) for place in places):
            number = two_outputs.first_change_of_step(pair, part, step)
            seen = [place for place in own if part.holds(Hit(*place))]
            assert (number is None) == bool(seen or not own.intersection(places))
            if number is not None:
                assert places[number] in own
    nowhere = Window(0, 100, 100, 40, 40)
    assert any(two_outputs.first_change_of_step(pair, nowhere, step) is not None for step in range(len(pair.steps)))
