"""Tests that a notebook shows the core's findings on two systems over many segments."""

import re
from html import unescape

import pytest

import metrics
import viz
from metrics.corpus.explanations.why import printed_steps

REFERENCES = [[["the", "cat", "sat", "on", "the", "mat"]], [["a", "dog", "barked"]], [["so", "it", "goes"]]] * 3
OLD = [["the", "mat", "sat"], ["a", "dog", "bit"], ["it", "goes"]] * 3
NEW = [["the", "cat", "sat", "on", "mat"], ["a", "dog", "barked"], ["so", "goes", "it"]] * 3


@pytest.mark.parametrize("key", ["gtm", "ter", "bleu", "rouge_l"])
def test_scores_shares_and_segments_are_the_core_s(key):
    shown = viz.corpus(key, {"old <x>": OLD, "new": NEW}, REFERENCES, ["Quelle & <x>"] * 9)
    html = shown._repr_html_()
    text = re.sub(
        r"\s+", " ", unescape(re.sub("<style.*?</style>|<script.*?</script>|<[^>]*>", " ", html, flags=re.DOTALL))
    )
    for candidates in (OLD, NEW):
        assert f" {metrics.corpus_score(key, candidates, REFERENCES).score:.4f} ± 0." in text
    ledger = metrics.corpus_ledger(key, OLD, NEW, REFERENCES)
    for step in printed_steps(ledger, 4):
        assert f"{abs(step.share):.4f}" in text
    cases = [int(n) for n in re.findall('id="segment-([0-9]+)"', html)]
    assert cases and max(cases) <= 9 and "<x>" not in html and "Quelle & <x>" in text
    assert "9 segments, 2 systems." in text


def test_systems_of_a_list_have_letters_and_settings_are_followed():
    shown = viz.corpus("gtm", [OLD, NEW, OLD], REFERENCES, exponent=1)
    assert "B is better than A" in shown.found.verdict and "All systems" in shown._repr_html_()
    assert shown.found.scores["gtm"][1] == metrics.corpus_score("gtm", NEW, REFERENCES, exponent=1).score


@pytest.mark.parametrize(
    ("systems", "references", "says"),
    [
        ({"a": OLD}, REFERENCES, "systems must hold two systems or more, got 1"),
        ({"a": OLD, "b": NEW[:2]}, REFERENCES, "system a has 9, system b has 2, references has 9"),
        ([[], []], [], "at least one"),
    ],
)
def test_what_does_not_fit_is_said(systems, references, says):
    with pytest.raises(ValueError, match=says):
        viz.corpus("gtm", systems, references)
    with pytest.raises(TypeError):
        viz.corpus("gtm", [["a string"], ["another"]], [[["a"]]])
