"""Tests that a selection is dropped when the texts, their tokenisation or the settings change.

After that, neither the page nor its link has a selection."""

import pytest

import metrics
from tests.helpers.pages import ComparePage, SentencePage
from viz.frame import evidence

CANDIDATE = "The cat, it sat on the mats. A cat sat."
REFERENCES = "the cat it sat on, the mat. A cat sat.\nit sat: the cat on the mat"
CHANGES = [  # changes of text settings, typed texts and metric settings, each of which changes the matches
    ("text.tokenizer", "13a"),
    ("text.tokenizer", "character"),
    ("text.lowercase", True),
    ("text.stemmer", "porter"),
    ("candidate", "The cat sat."),
    ("references", "The cat sat."),
    ("sia.iterative", False),
]
FIRST = {"candidate": CANDIDATE, "references": REFERENCES, "sia.iterative": True}
FIRST |= {"text.tokenizer": "whitespace", "text.lowercase": False, "text.stemmer": "none"}
LOOKED = {"term": "0:1", "rounds": 1, "tie": 1, "walk_step": 4, "walk_part": None}
AT_FIRST = {"term": None, "tie": 0, "walk_step": None, "walk_part": None}
NAMES = ("term", "rounds", "tie", "step", "part")


def state_values(page, names):
    return {name: page.at.session_state[name] for name in names}


@pytest.mark.parametrize(("name", "value"), CHANGES)
@pytest.mark.parametrize("view", ["metric", "steps"])
def test_of_a_sentence(view, name, value):
    page = SentencePage(candidate=CANDIDATE, references=REFERENCES, metric="sia", view=view)
    page.set_state(**LOOKED)
    assert state_values(page, LOOKED) == LOOKED and {"term", "rounds", "tie", "step"} <= {*page.address}
    for changed in (value, FIRST[name]):
        page.set_state(**{name: changed})
        assert state_values(page, AT_FIRST) == AT_FIRST and page.at.session_state.rounds != 1, "in the session"
        assert not {*NAMES} & {*page.address}, "in the link"
        assert view == "steps" or page.selected_term is None


@pytest.mark.parametrize("name", [None, "0:0", "0:3", "9:0", "0:9999999", "x", "0:", ":0", "0:-1", "1"])
def test_a_term_that_a_result_has_not_is_none(name):
    """Check that the name of a term selects nothing in a result without that term, so that nothing looks for it."""
    result = metrics.score("wer", ["a", "b", "c"], [["a", "x", "c", "d"]])
    terms = {f"{n}:{t}": (n, t) for n, layer in enumerate(result.layers) for t in range(len(layer.marks))}
    found = evidence.selected_term(result, name)
    assert (found and (found.layer, found.index)) == terms.get(name)


@pytest.mark.parametrize(("name", "value"), [change for change in CHANGES if change[0] != "candidate"])
def test_of_a_comparison(name, value):
    systems = {"system.1": CANDIDATE, "system.2": "the cat it sat on the mat ."}
    page = ComparePage(page="compare", metric="sia", references=REFERENCES, **systems)
    page.set_state(step=1, grid_reference=1, change=0)
    assert page.selected_term == "step:1" and {"step", "change", "grid"} <= {*page.address}
    page.set_state(**{name: value})
    assert page.selected_term is None, "on the page"
    assert not {"step", "change", "grid"} & {*page.address}, "in the link"
    page.set_state(**{name: FIRST[name]})
    assert page.selected_term == "step:1", "it is still that comparison's"


@pytest.mark.parametrize(("name", "value"), [change for change in CHANGES if change[0] != "candidate"])
def test_of_what_words_are_worth(name, value):
    systems = {"system.1": CANDIDATE, "system.2": "the cat it sat on the mat ."}
    page = ComparePage(page="compare", metric="sia", compare="words", references=REFERENCES, **systems)
    page.set_state(effect=2)
    assert page.at.session_state["address"]["effect"] == "2"
    page.set_state(**{name: value})
    assert page.at.session_state.effect is None and "effect" not in page.at.session_state["address"]
