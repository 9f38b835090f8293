"""The view of error classes: every wrong word coloured by its class, with counts, rates and reasons."""

from __future__ import annotations

from functools import partial

import streamlit as st

from metrics.analysis.error_classes import classes_in

from ...components import fragment as component
from ...draw.evidence import classes
from ...draw.evidence.fragment import header
from ...draw.texts import Texts
from ...save import sentence_page
from ...save.sentence_page import Files
from .record import Sentence

IDEA = "Every wrong word is in one of five classes, found by its edit script, by the bags of words and by stems."


def draw(texts: Texts) -> None:
    """Words in their classes, the counts of the classes, and the reason of every word."""
    st.html(header("Error classes", IDEA))
    component.show("errors", fragment(texts))


def fragment(texts: Texts) -> str:
    """What the view shows, which is what it saves."""
    settings = texts.settings
    stemmer = "porter" if settings.stemmer == "none" else settings.stemmer
    found = classes_in(texts.segment, stemmer, settings.language)
    which = f"Reference {found.k + 1} has the lowest word error rate. " if len(texts.references) > 1 else ""
    source = (
        f"{which}Popović and Ney (2011), Towards Automatic Error Analysis of Machine Translation Output, Computational "
        f"Linguistics 37(4). Stems: {stemmer.capitalize()}"
        + (f", {settings.language}." if stemmer != "porter" else ".")
    )
    return classes.fragment(texts, found, source)


def files(texts: Texts, shown: Sentence) -> Files:
    """What can be saved of the view."""
    page = partial(sentence_page.view_html, "Error classes", "Error classes", IDEA)
    return "error_classes", [("Page, HTML", "html", lambda: page(fragment(texts)))]
