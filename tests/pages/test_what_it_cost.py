"""Tests of the view of what each mistake cost: the edits to each reference, as sentences and for all metrics."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape

import pytest

import metrics
from metrics.analysis.edit_sentence import edit_rows
from metrics.text import TextSettings
from tests.helpers.pages import SentencePage
from viz.pages.sentence import cost
from viz.pages.sentence.record import SentenceState
from viz.save import cost_files
from viz.state.texts import inputs

CANDIDATE = "the men and women that shaped history and he hat a great memory"
FIRST = "the men and women who shaped history and he has a wonderful memory"
REFERENCES = f"{FIRST}\nmen and women that shaped it he has a memory"
HEBREW = "הילד הלך אל הבית הגדול"


def open_view(**given):
    return SentencePage(**{"candidate": CANDIDATE, "references": REFERENCES, "view": "cost", "metric": "gtm"} | given)


def cost_sentences(page):
    """Return the sentences on this page that say what each mistake cost, without markup."""
    return [unescape(re.sub("<[^>]*>", "", item)) for item in re.findall(r"<li .*?</li>", page.html)]


def test_the_largest_cost_comes_first_with_its_reason():
    page = open_view(references=FIRST)
    said = cost_sentences(page)
    assert said[0] == (
        "that for who costs GTM 0.252: it splits a run of 9 into 4 and 4. "
        "On average over all orders of the edits, it costs 0.276."
    )
    found = metrics.edits("gtm", CANDIDATE.split(), page.typed_texts[1].split(), [page.typed_texts[1].split()])
    shares = sorted([sum([edit.share for edit in row]) for row in edit_rows(found)], reverse=True)
    assert [float(re.search(r"edits, it costs (\d\.\d+)", text)[1]) for text in said] == [round(s, 3) for s in shares]
    alone = [float(re.search(r"costs GTM ([\d.]+)", text)[1]) for text in said]
    assert alone == sorted(alone, reverse=True)
    assert "After all 3 edits, the candidate is the reference, word for word, and GTM is 1.000." in page.html


def test_an_edit_that_costs_in_the_mean_but_gives_now_is_drawn_as_what_it_does_now():
    page = open_view(candidate="j a x b m n", references="p a y b q r\nk a x b m i", way="0")
    tones = dict(zip(cost_sentences(page), re.findall(r'<li class="(\w+)"', page.html), strict=True))
    assert sorted(tones.values()) == ["better", "worse", "worse"]
    for said, tone in tones.items():
        assert (" gives GTM " in said.split(".")[0] + said.split(".")[1]) == (tone == "worse"), said
        assert "of the edits, it costs 0." in said


def test_every_edit_lights_the_cells_that_would_match():
    page = open_view(references=FIRST)
    cells = re.search(r'data-term="edit:0" data-cells="([^"]*)"', page.html)[1].split()
    assert cells == [f"{n},0,{n}" for n in range(9)]  # the whole run of 9 words, including the word that would match


@pytest.mark.slow
def test_where_the_way_does_not_end_at_the_best_score_it_says_so():
    assert "GTM is 0.939, not 1.000: the other references count as well." in open_view(way=0).html
    for key, metric in metrics.METRICS.items():
        page = open_view(metric=key, references="a cat sat\nthe dog ran over there", candidate="a dog sat")
        score = metrics.score(key, "a cat sat".split(), ["a cat sat".split(), "the dog ran over there".split()]).score
        best = metric.most if metric.higher_is_better else 0
        k = int(re.search(r"the candidate is reference (\d)", page.html)[1])
        if k == 1:
            assert ("not 1.000" in page.html or "not 0.000" in page.html or "no highest" in page.html) == (
                abs(score - best) > 1e-9
            ), key


def test_the_deciding_reference_comes_first_and_another_can_be_chosen():
    page = open_view(metric="wer", references="x y z\n" + CANDIDATE.replace(" hat", " has"))
    assert "to reference 2 would give" in page.html and len(cost_sentences(page)) == 1
    page.set_state(way=0)
    assert "to reference 1 would give" in page.html
    page = open_view(metric="wer", references="x y z\n" + CANDIDATE, way="1")
    assert "to reference 1 would give" in open_view(metric="wer", references="x y z\n" + CANDIDATE, way="0").html
    assert "The candidate is reference 2, word for word: there is no edit, and the score is 0.000." in page.html


def test_the_view_stands_in_the_link():
    page = open_view(edit="2", way="1")
    assert {name: page.address[name] for name in ("view", "edit", "way")} == {"view": "cost", "edit": "2", "way": "1"}
    assert open_view(edit="99").at.session_state.view == "cost", "an edit that there is none of is none"
    page.type("another text", "a text")
    assert "edit" not in page.address


@pytest.mark.slow
def test_many_edits_are_sampled_and_say_so():
    words = [f"w{n}" for n in range(40)]
    other = [word if n % 3 else word.upper() for n, word in enumerate(words)]
    page = open_view(candidate=" ".join(words), references=" ".join(other))
    assert "≈" in page.html and "A share is the mean over 48 orders" in page.html
    assert len(cost_sentences(page)) == cost.EXPLAINED_MOST
    assert "The table below has 2 more edits, with smaller shares." in page.html


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["gtm", "bleu", "ter", "meteor"])
@pytest.mark.parametrize(
    ("candidate", "references"),
    [
        ("<script>x</script> $y$ \u202eb", "<b>z</b> $y$ & c"),
        (HEBREW, HEBREW.replace("הגדול", "הקטן") + " שם"),
        (" ".join(f"a{n}" for n in range(150)), " ".join(f"{'ab'[n % 7 == 0]}{n}" for n in range(150))),
        ("x", "y"),
        ("x", "x"),
    ],
)
def test_it_bears_every_text(metric, candidate, references):
    page = open_view(candidate=candidate, references=references, metric=metric)
    assert "<script>" not in page.html and "$y$" not in page.html and "\u202e" not in page.html
    assert page.at.session_state.view == "cost"
    if candidate == HEBREW:
        assert re.search(r'<b class="q" dir="rtl"><bdi>הגדול</bdi></b> for', page.html)


def test_of_a_long_text_the_detail_goes_to_the_chosen_edit():
    words = [f"w{n}" for n in range(200)]
    other = [word if n not in (3, 150) else "x" for n, word in enumerate(words)]
    given = {"candidate": " ".join(words), "references": " ".join(other)}
    assert 'data-cell="0,0,0"' in open_view(**given).html
    page = open_view(**given, edit="1")
    assert 'data-cell="0,0,0"' not in page.html and 'data-cell="149,0,149"' in page.html


def saved_files(**given):
    shown = SentenceState(candidate=CANDIDATE, references=REFERENCES, view="cost", **given)
    texts = inputs.read_texts(shown.candidate, shown.references, TextSettings())
    found = metrics.score(shown.metric, *texts.segment)
    between = cost._edit_map(texts, 0)
    worth = cost.worth_of(texts, found, 0, shown, between, 60.0)
    return cost.cost_of(texts, found, 0, shown, between, worth, 1200), found


def test_saved_files_hold_the_edits():
    drawn, found = saved_files(metric="gtm")
    edits = metrics.edits("gtm", found.segment.candidate, found.segment.references[0], found.segment.references)
    body = json.loads(cost_files.json_text(drawn))
    assert [edit["shares"]["gtm"] for edit in body["edits"]] == [edit.share for edit in edits]
    assert body["from"] == found.score and body["from"] + sum(e.share for e in edits) == pytest.approx(body["to"])
    rows = [*csv.reader(io.StringIO(cost_files.csv_text(drawn)))]
    assert rows[0] == [f"# {found.signature()}".replace("refs:", "tok:whitespace|case:mixed|stem:none|norm:none|refs:")]
    assert [float(row[rows[1].index("gtm")]) for row in rows[2:]] == [edit.share for edit in edits]
    assert {*metrics.METRICS} <= {*rows[1]}
    assert rows[2][-1].startswith("“that” for “who” costs GTM ")


def test_what_was_not_looked_for_in_time_is_said_and_goes_on(monkeypatch):
    monkeypatch.setattr(cost, "WAIT", -1.0)
    page = open_view(candidate="words that no other test has", references="words which another test may have")
    assert "Not computed yet: BLEU, " in page.html
    monkeypatch.setattr(cost, "WAIT", 60.0)
    next(button for button in page.at.button if button.label == "Continue").click()
    page.run()
    assert "Not computed yet" not in page.html
    assert not [button for button in page.at.button if button.label == "Continue"]
