"""Tests of the texts' language on the pages: recognised once, kept, chosen by hand, and used."""

from __future__ import annotations

import pytest

import metrics
from metrics.text import languages, similarity, wordnet
from tests.helpers.pages import SentencePage
from viz.frame import menus
from viz.frame.examples import EXAMPLES
from viz.pages.compare.record import CompareState
from viz.pages.sentence.record import SentenceState
from viz.state.links import link
from viz.state.results import memory

GERMAN = "Der Zug kommt heute wegen des starken Schneefalls zwei Stunden zu spät in Wien an"
FRENCH = "Le train arrive aujourd'hui à Vienne avec deux heures de retard à cause de la neige"
JAPANESE = "昨日東京に新しい図書館が開館しました"
ENGLISH = "The train arrives in Vienna two hours late today because of the heavy snow"


def language_state(page: SentencePage) -> tuple[str, str | None]:
    state = page.at.session_state
    return state.language, state.language_by


def control_label(page: SentencePage) -> str:
    """Return the label of the closed language control, or an empty string."""
    (found,) = [block.proto.popover.label for block in _find_popovers(page) if "anguage" in block.proto.id] or [""]
    return found


def _find_popovers(page: SentencePage) -> list:
    found, waiting = [], [page.at.main]
    while waiting:
        block = waiting.pop()
        if getattr(block, "proto", None) is not None and block.type == "popover":
            found.append(block)
        waiting += getattr(block, "children", {}).values()
    return found


@pytest.fixture
def recognised_texts(monkeypatch) -> list[str]:
    """Return a list that records every text whose language the pages recognise during the test."""
    asked: list[str] = []
    real = languages.recognise_language

    def recognised(texts):
        asked.extend(texts)
        return real(texts)

    monkeypatch.setattr(languages, "recognise_language", recognised)
    memory.empty_cache()
    return asked


def test_it_is_recognised_from_the_references_once_and_kept(recognised_texts):
    page = SentencePage()
    assert language_state(page) == ("english", "example") and recognised_texts == []
    page.type("Der Zug kommt", GERMAN)
    assert language_state(page) == ("german", "references") and recognised_texts == [GERMAN]
    page.set("candidate", "Der Zug kommt heute")
    page.set("candidate", "The train")
    assert recognised_texts == [GERMAN], "a typed word of the candidate recognises nothing"
    page.set("references", GERMAN + " and arrives")
    page.set("references", GERMAN + " and arrives\n" + ENGLISH)
    assert language_state(page) == ("german", "references") and recognised_texts == [GERMAN], (
        "an edit changes no language"
    )
    page.set("references", FRENCH)
    assert language_state(page) == ("french", "references"), "other references are other texts"
    page.set("references", "")
    assert language_state(page) == ("english", None)
    page.set("references", JAPANESE)
    assert language_state(page) == ("japanese", "references")


def test_what_is_unknown_is_treated_as_english_and_asked_again():
    page = SentencePage(metric="meteor").type("Obama", "Barack Obama")
    assert language_state(page) == ("unknown", "references") and "language:english" in page.signature
    page.set("references", "Barack Obama kommt heute wegen des Schnees zu spät")
    assert language_state(page) == ("german", "references") and "language:german" in page.signature


def test_the_language_reaches_results_signatures_links_and_files():
    page = SentencePage(
        candidate="die Häuser des Mannes", references="das Haus des Mannes", metric="meteor", language="german"
    )
    result = metrics.score("meteor", page.typed_texts[0].split(), [page.typed_texts[1].split()], language="german")
    assert page.scores["meteor"] == f"{result.score:.3f}".removeprefix("0") or result.score == pytest.approx(
        float(page.scores["meteor"]), abs=5e-4
    )
    assert result.settings.signature() in page.signature and "language:german" in page.signature
    assert "There is no WordNet for German, so synonyms do not match." in page.html
    assert page.at.session_state.address["language"] == "german"
    shown = SentenceState(candidate="a", references="b", language="japanese")
    assert link.from_json(link.to_json(shown)) == (shown, [], {})
    assert shown.settings_of("meteor").language == "japanese"
    assert CompareState(language="unknown").settings_of("meteor") == metrics.settings("meteor")


def test_old_links_mean_what_they_meant():
    """Check that a link without a language means English texts, and that the page offers the recognised language."""
    page = SentencePage(candidate="Der Zug kommt", references=GERMAN, metric="meteor")
    assert language_state(page) == ("english", "given") and "language:english" in page.signature
    says = "The texts are treated as English; the references are German."
    assert says in page.html and "language" not in page.at.session_state.address
    page.at.button(key="language_use").click()
    page.run()
    assert language_state(page) == ("german", "reader")
    assert "language:german" in page.signature and says not in page.html


def test_it_can_be_set_and_stays_until_the_references_are_cleared():
    page = SentencePage().type("Der Zug kommt", GERMAN)
    page.set_state(language_menu=True)
    assert "There are stems for German; synonyms are WordNet's, which is English, and are left out." in [
        caption.value for caption in page.at.caption
    ]
    page.set("language", "dutch")
    assert language_state(page) == ("dutch", "reader")
    page.set("references", FRENCH)
    assert language_state(page) == ("dutch", "reader")
    page.set_state(language_menu=True)
    (button,) = [b for b in page.at.button if b.label == "Recognise it from the references"]
    button.click()
    page.run()
    assert language_state(page) == ("french", "references")


def test_stems_and_similar_words_follow():
    page = SentencePage().type("Der Zug kommt", GERMAN)
    page.set_state(similarity_kind="stems", **{"sia.similarity": similarity.similarity_for("stem", "german")})
    page.set_state(**{"text.stemmer": "snowball", "text": True})
    page.set("references", FRENCH)
    state = page.at.session_state
    assert state["sia.similarity"] == similarity.similarity_for("stem", "french") and state["text.language"] == "french"
    if wordnet.version():
        page = SentencePage(
            candidate="Der Zug", references=GERMAN, metric="sia", sia__similarity="wordnet", language="german"
        )
        assert "There is no WordNet for German: only equal words align." in page.html


def test_error_classes_have_the_stems_of_the_language():
    given = {"candidate": "die Häuser", "references": "das Haus", "view": "errors"}
    assert "Stems: Snowball, german." in SentencePage(**given, language="german").html
    assert "There is no stemmer for Japanese" in SentencePage(**given, language="japanese").html
    assert "Stems: Porter." in SentencePage(**given).html


def test_the_control_says_the_language_and_where_it_comes_from(monkeypatch):
    page = SentencePage().type("Der Zug kommt", GERMAN)
    assert control_label(page) == "German, from the references"
    page.set_state(language_menu=True)
    page.set("language", "other")
    assert control_label(page) == "Another language, as set"
    page.set("references", "")
    assert control_label(page) == "Language"
    page.set("references", "Barack Obama")
    assert control_label(page) == "Unknown language"


def test_examples_say_their_language():
    """Check that each example names its language correctly, so that none needs recognition."""
    for example in EXAMPLES:
        found = languages.recognise_language([example.references])
        assert found in (example.language, languages.UNKNOWN), example.name


def test_every_language_can_be_chosen():
    offered = menus.selectable_languages()
    assert {*offered} == {*languages.KNOWN, languages.UNKNOWN} and len(offered) == len({*offered})
