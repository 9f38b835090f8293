"""The view of error classes: every wrong word coloured by its class, with counts, rates and reasons."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics.analysis.error_classes import classes_in
from metrics.text import languages

from ...components import fragment as component
from ...draw.evidence import classes
from ...draw.evidence.fragment import header
from ...draw.texts import Texts
from ...save import sentence_page
from ...save.sentence_page import Files
from .record import Sentence

IDEA = "Every wrong word is in one of five classes, found by its edit script, by the bags of words and by stems."


def draw(texts: Texts, shown: Sentence) -> None:
    """Words in their classes, the counts of the classes, and the reason of every word."""
    st.html(header("Error classes", IDEA))
    component.show("errors", fragment(texts, shown.language))


def fragment(texts: Texts, language: str) -> str:
    """What the view shows of texts in a language, which is what it saves."""
    settings, own = texts.settings, languages.treated_as(language)
    chosen = (settings.stemmer, settings.language) if settings.stemmer != "none" else languages.stemmer(own)
    stemmer, of = chosen or ("none", "english")
    found = classes_in(texts.segment, stemmer, of)
    which = f"Reference {found.k + 1} has the lowest word error rate. " if len(texts.references) > 1 else ""
    source = (
        f"{which}Popović and Ney (2011), Towards Automatic Error Analysis of Machine Translation Output, Computational "
        "Linguistics 37(4). "
        + {
            "none": f"There is no stemmer for {languages.title(own)}, so no word is an inflection of another.",
            "porter": "Stems: Porter.",
        }.get(stemmer, f"Stems: {stemmer.capitalize()}, {of}.")
    )
    return classes.fragment(texts, found, source)


def files(texts: Texts, shown: Sentence) -> Files:
    """What can be saved of the view."""
    page = partial(sentence_page.view_html, "Error classes", "Error classes", IDEA)
    return "error_classes", [("Page, HTML", "html", lambda: page(fragment(texts, shown.language)))]
