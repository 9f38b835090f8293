"""Test in a browser: a click on a point of a curve opens the grids of both candidates that the point compares."""

import re

import pytest

from tests.helpers.browsing import WINDOW
from viz.draw.learn.curves import WIDE
from viz.pages.learn import chapter_files

pytestmark = pytest.mark.alone


def test_a_point_of_the_curve_opens_its_grids(visit):
    page = visit("learn?page=learn&chapter=gtm&screen=2", ".lesson", viewport=WINDOW)
    page.get_by_text("The score as a curve").click()
    plot = page.locator(".js-plotly-plot .nsewdrag").first
    plot.wait_for()
    box = plot.bounding_box()
    assert box["width"] < WIDE
    # The second candidate is one run, whose score is 2/3 for every exponent; the axis goes from −0.03 to 1.04.
    assert chapter_files.shelf().chapters["gtm"].curves[0].b == "the bank will"
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * (1.04 - 2 / 3) / 1.07)
    headings = page.get_by_text(re.compile("^[AB], Exponent e = 2: "))
    headings.first.wait_for()
    assert sorted(headings.all_inner_texts()) == ["A, Exponent e = 2: 0.408", "B, Exponent e = 2: 0.667"]
    grids = page.locator("[data-metric=gtm] svg [data-cell]")
    grids.first.wait_for()
    assert grids.count() >= 9  # six hits of one candidate, three of the other
