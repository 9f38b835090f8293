"""Tests of the drawn edits between two texts: the merged line, and the table of edits by worth and its order."""

from __future__ import annotations

import math
import random
import re

import pytest

import metrics
from metrics.analysis.edit_shares import EditShare, edit_shares, word_edits
from metrics.types import Segment
from tests.helpers.fragments import read
from tests.helpers.segments import HOSTILE
from viz.draw.edits import merged, table
from viz.draw.edits.edit_map import EditMap, MetricShares
from viz.draw.pen.numbers import change_text

SAYS = table.TableTexts("Edits")


def edit_map_of(a, b, **given):
    return EditMap(tuple(a), tuple(b), word_edits(tuple(a), tuple(b)), **given)


def metric_shares(key, a, b, references, most=11):
    segment = Segment(tuple(a), tuple(map(tuple, references)))
    return MetricShares(
        metrics.METRICS[key], edit_shares(metrics.METRICS[key], segment, tuple(b), metrics.settings(key), most)
    )


class MergedLine:
    """The merged line (A and B in one line of words), with the words of both and all tags.

    `names` maps a kept word's name in A to its name in B; `terms` lists the row of each edit."""

    def __init__(self, markup):
        root = read(markup)
        inserted, deleted = ({id(e) for part in root.all(tag) for e in part} for tag in ("ins", "del"))
        words = [e for line in root.all(of="ws") for e in line.all("bdi")]
        self.a = [e.text for e in words if id(e) not in inserted]
        self.b = [e.text for e in words if id(e) not in deleted]
        self.tags = {e.tag for e in root}
        self.names = {e.get("data-word"): e.get("data-with") for e in root.having("data-word")}
        self.terms = [e.get("data-term") for e in root.having("data-term")]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        *(("the old cat sat", "the cat slept"), ("a b x y z", "x y z a b"), ("", "a b"), ("a b", "")),
        *(("same words", "same words"), ("equal right", "equals rights of")),
        ("ذهب الولد الى المدرسة", "ذهبت البنت إلى المدرسة 12 x"),
    ],
)
def test_the_line_has_all_words_of_both_texts(a, b):
    """Check that the merged line is A if insertions are left out, and B if deletions are.

    A word that both texts have occurs once and carries its names in both, such as a0 and b2."""
    edit_map = edit_map_of(a.split(), b.split())
    line = MergedLine(merged.merged_line_html(edit_map, "<b>A</b>"))
    assert (line.a, line.b) == (a.split(), b.split())
    kept = {f"a{i}": f"b{j}" for i, j in kept_words(edit_map)}
    assert line.names == kept
    assert line.terms == [edit_map.row_name(row) for row in edit_map.row_of]


def kept_words(edit_map):
    gone = {i for edit in edit_map.edits for i in range(edit.start, edit.end)}
    came = {j for edit in edit_map.edits for j in range(edit.at, edit.at + len(edit.words))}
    ours, theirs = (
        [n for n in range(len(words)) if n not in out] for words, out in ((edit_map.a, gone), (edit_map.b, came))
    )
    return zip(ours, theirs, strict=True)


def test_random_texts_and_their_line():
    rng = random.Random(5)
    for _ in range(300):
        a, b = (
            [rng.choice(["a", "b", "the", "longer", "longest", *HOSTILE[:2]]) for _ in range(rng.randrange(12))]
            for _ in "ab"
        )
        edit_map = edit_map_of(a, b)
        line = MergedLine(merged.merged_line_html(edit_map, ""))
        assert (line.a, line.b) == (a, b)
        assert sorted(n for row in edit_map.rows for n in row) == [*range(len(edit_map.edits))]


def test_hostile_words_are_text():
    """Check that no word becomes markup in the line, the table or the description of a row."""
    a, b = HOSTILE, (*HOSTILE[::-1], "onclick=x", "b\u202e<img src=x>")
    edit_map = edit_map_of(a, b)
    worth = metric_shares("wer", a, b, [("a",)])
    markup = merged.merged_line_html(edit_map, "") + table.table(edit_map, [worth], SAYS)
    tags = MergedLine(markup).tags
    assert tags <= set("div span bdi del ins b sup table caption thead tbody tr th td button svg line rect".split())
    assert "\u202e" not in markup and "\x00" not in markup and "$x" not in re.sub("<[^>]*>", "", markup)


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("equal", "equals", ("equal", "equal<b>s</b>")),
        ("Wahlen", "Wahl", ("Wahl<b>en</b>", "Wahl")),
        ("has", "hasn't", ("has", "has<b>n&#39;t</b>")),
        ("Sun", "sun", ("<b>S</b>un", "<b>s</b>un")),
        ("cafe", "cafe\u0301", ("caf<b>e</b>", "caf<b>e\u0301</b>")),  # a letter with a combining mark is one letter
        ("<b>x", "<b>y", ("&lt;b&gt;<b>x</b>", "&lt;b&gt;<b>y</b>")),
        ("big", "small", None),
        ("x" * 61, "x" * 62, None),
    ],
)
def test_letters_that_changed(old, new, shown):
    assert merged.changed_letters(old, new) == shown


def test_right_to_left():
    """Check that the line and its phrases take the direction of their words, and that plain text isolates each word."""
    edit_map = edit_map_of("ذهب الولد 12".split(), "ذهبت البنت 12".split())
    assert '<div class="ws" dir="rtl">' in merged.merged_line_html(edit_map, "")
    assert '<span class="ph" dir="rtl">' in merged.row_html(edit_map, 0)
    assert merged.row_text(edit_map, 0, isolated=True) == "\u2068ذهب\u2069 → \u2068ذهبت\u2069"


def test_a_move_is_one_row_with_the_sum():
    a, b = tuple("abxyz"), tuple("xyzab")
    edit_map, worth = edit_map_of(a, b), metric_shares("bleu", a, b, [b])
    assert edit_map.rows == ((0, 1),)
    assert worth.share(edit_map, 0) == pytest.approx(sum(share.share for share in worth.shares))
    assert worth.score_without(edit_map, 0) == worth.shares[0].back == worth.shares[1].back
    markup = table.table(edit_map, [worth], SAYS)
    assert markup.count('<tr class="term"') == 1
    assert merged.row_text(edit_map, 0) == "↕ a b"
    assert merged.merged_line_html(edit_map, "").count('data-term="edit:0"') == 2
    assert edit_map.word_names(0) == ["a0", "a1", "b3", "b4"]


def test_cells_say_better_and_worse_by_colour_and_sign():
    """Check that an edit that lowers an error rate is shown as better."""
    a, b, reference = "the bad cat sat".split(), "the cat sat up".split(), "the cat sat".split()
    edit_map = edit_map_of(a, b)
    for key, better, worse in (("wer", "▲", "✕"), ("rouge_l", "▲", "✕")):
        worth = metric_shares(key, a, b, [reference])
        assert [merged.row_text(edit_map, row) for row in range(2)] == ["− bad", "+ up"]
        assert table.row_tones(edit_map, worth) == ["better", "worse"]
        cells = re.findall(r'<td class="num first (\w+)"[^>]*>(.*?)</td>', table.table(edit_map, [worth], SAYS))
        plain = [(tone, re.sub("<[^>]*>", "", inside).split()) for tone, inside in cells]
        shown = [change_text(worth.share(edit_map, row), 3) for row in range(2)]
        assert plain == [("better", [better, shown[0]]), ("worse", [worse, shown[1]])]
        assert merged.merged_line_html(edit_map, "", table.row_tones(edit_map, worth)).count(f"<sup>{worse}</sup>") == 1


def test_sampled_shares_are_said_to_be_about():
    a, b, reference = "a b c d".split(), "e b c x".split(), "e b c d".split()
    edit_map = edit_map_of(a, b)
    exact, about = (metric_shares("rouge_l", a, b, [reference], most) for most in (11, 0))
    assert table.ABOUT not in table.table(edit_map, [exact], SAYS)
    markup = table.table(edit_map, [about], SAYS)
    assert f"the mean of {about.sampled} orders" in markup
    assert markup.count(table.ABOUT) == 2 * len(edit_map.rows) == 4  # in cells and in hover texts


def test_order():
    """Check the order of the edits' table: sorted by a metric, the edit that improves its score most comes first.

    Equal edits keep the order of the texts, and so do all where the column to sort by is no metric's."""
    edit_map = edit_map_of("a x b y c z".split(), "a b q y c c d".split())
    share = [0.1, -0.2, 0.0, 0.1 + 1e-12]
    rows = len(edit_map.rows)
    edits = [edit[:5] for edit in edit_map.edits]
    given = [EditShare(*edit, share[n % 4], 0.5) for n, edit in enumerate(edits)]
    gtm, wer = (MetricShares(metrics.METRICS[key], tuple(given)) for key in ("gtm", "wer"))
    by_hand = sorted(range(rows), key=lambda row: (-round(gtm.gain(edit_map, row), 9), row))
    assert table.ordered_rows(edit_map, [gtm, wer], "gtm") == by_hand
    assert table.ordered_rows(edit_map, [gtm, wer], "wer") == table.ordered_rows(
        edit_map, [gtm, wer], "gtm", worst=True
    )
    assert (
        table.ordered_rows(edit_map, [gtm, wer]) == table.ordered_rows(edit_map, [gtm, wer], "nist") == [*range(rows)]
    )


def test_the_table_of_no_edits_and_of_metrics_without_shares():
    assert table.table(edit_map_of("ab", "ab"), [metric_shares("bleu", "ab", "ab", ["ab"])], SAYS) == ""
    edit_map = edit_map_of("ab", "ac")
    markup = table.table(edit_map, [MetricShares(metrics.METRICS["ter"], problem="TER: too <hard>.")], SAYS)
    assert "TER: too &lt;hard&gt;." in markup and markup.count(">–<") == 2


def test_long_phrases_are_cut_in_their_middle():
    words = [f"w{n}" for n in range(30)]
    edit_map = edit_map_of(words, ["x"])
    assert merged.row_text(edit_map, 0, most=8) == "w0 w1 w2 w3 w4 w5 … w29 → x"
    assert "… 23 more …" in merged.row_html(edit_map, 0)
    assert MergedLine(merged.merged_line_html(edit_map, "")).a == words


def test_what_opens_and_lights_with_a_row():
    edit_map = edit_map_of("a b".split(), "a c".split(), sides=("c", "r0_"), name="way0")
    opened = {0: table.RowDetails("<p>said</p>", ["0,0,1"], ["d5"])}
    markup = table.table(edit_map, [metric_shares("wer", "ab", "ac", ["ac"])], SAYS, opened)
    assert 'data-term="way0:0" data-cells="0,0,1" data-words="c1 r0_1 d5"' in markup
    assert (
        '<tr class="pieces" data-of="way0:0"><td colspan="3"><div class="marks"><p>said</p></div></td></tr>' in markup
    )
    assert 'data-word="c0" data-with="r0_0"' in merged.merged_line_html(edit_map, "")


def test_shares_in_a_column_sum_to_the_difference():
    a, b, reference = "a b c d e f".split(), "b a c x e".split(), "a b c x e".split()
    edit_map = edit_map_of(a, b)
    for key in metrics.METRICS:
        worth = metric_shares(key, a, b, [reference])
        scores = [metrics.score(key, text, [reference]).score for text in (a, b)]
        total = math.fsum(worth.share(edit_map, row) for row in range(len(edit_map.rows)))
        assert total == pytest.approx(scores[1] - scores[0], abs=1e-12)
