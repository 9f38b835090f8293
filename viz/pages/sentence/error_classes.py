"""Draw the view of error classes: every wrong word coloured by its class, with counts, rates and reasons."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics.analysis.error_classes import classify_segment
from metrics.text import languages

from ...components import fragment as component
from ...draw.evidence import classes
from ...draw.evidence.fragment import header
from ...draw.texts import ProcessedTexts
from ...save import sentence_page
from ...save.sentence_page import Files
from .record import SentenceState

IDEA = "Every wrong word is in one of five classes, found by its edit script, by the bags of words and by stems."


def draw(texts: ProcessedTexts, state: SentenceState) -> None:
    """Draw the words in the colours of their classes, the counts of the classes, and the reason for every word."""
    st.html(header("Error classes", IDEA))
    component.show("errors", fragment(texts, state.language))


def fragment(texts: ProcessedTexts, language: str) -> str:
    """Return the view's HTML for texts in `language`, for the page and for the saved file."""
    settings, treated = texts.settings, languages.language_for_stems(language)
    chosen = (settings.stemmer, settings.language) if settings.stemmer != "none" else languages.stemmer(treated)
    stemmer, stem_language = chosen or ("none", "english")
    word_classes = classify_segment(texts.segment, stemmer, stem_language)
    which = f"Reference {word_classes.k + 1} has the lowest word error rate. " if len(texts.references) > 1 else ""
    source = (
        f"{which}Popović and Ney (2011), Towards Automatic Error Analysis of Machine Translation Output, Computational "
        "Linguistics 37(4). "
        + {
            "none": f"There is no stemmer for {languages.language_title(treated)}, "
            "so no word is an inflection of another.",
            "porter": "Stems: Porter.",
        }.get(stemmer, f"Stems: {stemmer.capitalize()}, {stem_language}.")
    )
    return classes.fragment(texts, word_classes, source)


def files(texts: ProcessedTexts, state: SentenceState) -> Files:
    """Return the files as which the view of error classes can be saved."""
    page = partial(sentence_page.view_html, "Error classes", "Error classes", IDEA)
    return "error_classes", [("Page, HTML", "html", lambda: page(fragment(texts, state.language)))]
