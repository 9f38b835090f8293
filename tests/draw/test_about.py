"""Tests of what a page says about a metric: all parts are present, in plain words, and the examples are true."""

from __future__ import annotations

import math
import re

import pytest

import metrics
from metrics import formula
from metrics.formula import notation
from metrics.types import about

METRICS = list(metrics.METRICS.values())
MARKUP = re.compile(r"`|\*\*|__|::|\$|\\|</?[a-z]+>|\]\(|:\w+:")


@pytest.fixture(params=METRICS, ids=lambda metric: metric.key)
def metric(request):
    return request.param


def test_all_parts_are_there(metric):
    told = metric.about
    assert all((told.idea, told.text, told.formula, told.rewards, told.unseen, metric.citation))
    assert all(told.text) and all(told.formula)


def test_the_idea_fits_on_a_line(metric):
    idea = metric.about.idea
    assert len(idea) <= 95 and idea.endswith(".") and idea[0].isupper() and not set(idea) & set("`*_$")


def test_paragraphs_are_plain_words(metric):
    told = metric.about
    for paragraph in (told.idea, *told.text, told.rewards, told.unseen):
        assert not MARKUP.search(paragraph), paragraph
        assert "\n" not in paragraph and "  " not in paragraph and " - " not in paragraph and "—" not in paragraph
        assert ">>>" not in paragraph and not paragraph.startswith(("Rewards", "Cannot see", "Source"))
        # The page shows all paragraphs before the formula, so no paragraph may lead into it with a colon.
        assert paragraph.endswith("."), paragraph


def test_two_short_paragraphs_on_what_it_sees(metric):
    """Check that the paragraphs on what a metric rewards and what it cannot see have one to four sentences each."""
    for paragraph in (metric.about.rewards, metric.about.unseen):
        assert 40 <= len(paragraph) <= 480, len(paragraph)
        assert 1 <= len(re.findall(r"[.?](?= |$)", paragraph)) <= 4, paragraph


def test_formulas_are_lines_of_plain_text(metric):
    """Check that each line of a formula defines something, in plain text."""
    for line in metric.about.formula:
        assert " = " in line and len(line) <= 116 and not MARKUP.search(line), line


def test_formulas_are_typeset_and_not_quoted(metric):
    """Check that a formula line survives parsing, printing and parsing again, and that all names in it are typeset."""
    for line in metric.about.formula:
        read = notation.parse_definitions([line])
        printed = [f"{s.name} = {' = '.join(formula.text(form) for form in s.forms)}" for s in read]
        shown = formula.mathml(read)
        assert formula.mathml(notation.parse_definitions([",  ".join(printed)])) == shown
        assert all(math.isnan(s.value) for s in read) and "nan" not in shown and 'class="score"' not in shown
        for name in re.findall(r"[a-z]{3,}", line):
            assert name in shown, name


def test_parts_that_are_missing_are_empty():
    assert about(None) == about("") == ("", (), (), "", "")
    assert about("An idea.\n\nSource: someone (2001).\n\n>>> 1 + 1\n2\n") == ("An idea.", (), (), "", "")


S1 = "police killed the gunman"
ABC = "A B C D E F G"

# Every number and comparison that the page texts quote, with the texts that give it.
SAID = [
    ("bleu", "the cat sat quietly on the old mat", {"on the old mat the cat sat quietly": 0.691}),
    ("gtm", S1, {"police kill the gunman": 0.559, "the gunman kill police": 0.559}),
    ("sia", S1, {S1: 0.5}),
    ("dcs", "C A B", {"C A A B": 1.0}),
    ("rouge_n", S1, {"the gunman killed police": 1.0}),
    ("rouge_l", S1, {"the gunman police killed": 0.5, "the gunman kill police": 0.5}),
    ("rouge_l", ABC, {"A B C D H I K": 0.571, "A H B K C I D": 0.571}),
    ("rouge_w", ABC, {"A B C D H I K": 0.571, "A H B K C I D": 0.454}),
    (
        "rouge_s",
        S1,
        {
            "police kill the gunman": 0.5,
            "the gunman police killed": 0.333,
            "the gunman kill police": 0.167,
            "gunman the killed police": 0.0,
        },
    ),
]


@pytest.mark.parametrize(("key", "reference", "scores"), SAID, ids=[f"{key}-{ref}" for key, ref, _ in SAID])
def test_quoted_numbers_are_right(key, reference, scores):
    page = metrics.METRICS[key].about
    told = " ".join([*page.text, page.rewards, page.unseen])
    for candidate, score in scores.items():
        found = metrics.score(key, candidate.split(), [reference.split()]).score
        assert round(found, 3) == score
        number = {1.0: "full 1", 0.0: "0"}.get(score, f"{score:g}")
        assert re.search(rf"\b{re.escape(number)}\b", told), number
        assert candidate in told or candidate == reference, candidate


def score_texts(key, candidate, reference, **settings):
    return metrics.score(key, candidate.split(), [reference.split()], **settings)


def test_what_wer_and_per_cannot_see():
    """Check that a moved phrase is all wrong to WER and right to PER.

    An inflected form is as wrong as any other word to both."""
    moved, inflected, wrong = "the gunman police killed", "police kill the gunman", "police banana the gunman"
    assert score_texts("wer", moved, S1).score == 1 and score_texts("per", moved, S1).score == 0
    for key in ("wer", "per"):
        assert score_texts(key, inflected, S1).score == score_texts(key, wrong, S1).score == 0.25


def test_what_ter_counts():
    """Check that a moved phrase is one edit to TER, whatever it does to the meaning, and four to WER."""
    moved = "the gunman police killed"
    assert score_texts("ter", moved, S1).parts["edits"] == 1 and score_texts("wer", moved, S1).score == 4 / 4
    assert score_texts("ter", "all birds can not fly", "not all birds can fly").parts["edits"] == 1


def test_what_nist_cannot_see_in_a_sentence():
    """Check that in a single sentence NIST gives every word the same information, as if it were rare."""
    words = score_texts("nist", "the cat sat", "the cat sat").layers[0]
    assert [round(credit, 3) for credit in words.credits] == [1.585] * 3


def test_what_gtm_rewards():
    """Check that GTM rewards runs: four words in a row weigh as much as sixteen that match one by one."""
    row = score_texts("gtm", "a b c d", "a b c d").parts["match_size"]
    words = list(map(str, range(16)))
    assert metrics.score("gtm", words, [words[::-1]]).parts["match_size"] == row == 4


def test_what_sia_cannot_see():
    """Check that words missing after the last match cost SIA nothing, while an insertion weakens the next match."""
    cut = score_texts("sia", "a b c x", "a b c d")
    assert cut.score == score_texts("sia", "a b c x", "a b c").score
    inserted = score_texts("sia", "a x b", "a b c").layers[0].credits
    assert inserted == (1, pytest.approx(0.5**0.5))


def test_what_dcs_cannot_see():
    """Check that dcs sees neither the words between two neighbours nor which sentence is longer."""
    near = score_texts("dcs", "a b x y z c d", "a b 1 2 3 c d")
    far = score_texts("dcs", "x a b y c d z", "1 a b 2 c d 3")
    assert near.score == far.score and near.parts["cs2"] > 0
    assert score_texts("dcs", "a b x", "a b").score == score_texts("dcs", "a b", "a b x").score


def test_what_rouge_w_cannot_see():
    """Check that one inserted word costs ROUGE-W as much as five, where the texts are equally long."""
    one = score_texts("rouge_w", "a b 1 c d 2 3 4 5", "a b c d")
    five = score_texts("rouge_w", "a b 1 2 3 4 5 c d", "a b c d")
    assert one.score == five.score < score_texts("rouge_w", "a b c d 1 2 3 4 5", "a b c d").score


def test_what_rouge_s_cannot_see():
    """Check that a single word scores 0 against itself under ROUGE-S, and that counting unigrams mends this.

    Unigrams also give the reversed sentence a positive score."""
    assert score_texts("rouge_s", "a", "a").score == 0 < score_texts("rouge_s", "a", "a", unigrams=True).score
    assert score_texts("rouge_s", "gunman the killed police", S1, unigrams=True).score > 0


def test_what_rouge_n_cannot_see():
    """Check that a wrong word breaks two bigrams, and that swapped phrases lose only the one at their seam."""
    shared = len(score_texts("rouge_n", "a b c d e", "a b c d e", order=2).layers[0].marks)
    assert len(score_texts("rouge_n", "a b x d e", "a b c d e", order=2).layers[0].marks) == shared - 2
    assert len(score_texts("rouge_n", "c d e a b", "a b c d e", order=2).layers[0].marks) == shared - 1
