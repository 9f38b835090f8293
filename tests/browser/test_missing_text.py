"""Test in a browser that a text which the server leaves out arrives, even where questions for it are lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.app import served_page

pytestmark = pytest.mark.alone

#: A page that leaves out its texts, as if it had sent them before, until it is asked for them three times.
APP = """
import streamlit as st
from viz.components import fragment, segments

questions = st.session_state.setdefault("questions", [])
if not hasattr(fragment, "sent"):
    fragment.sent, fragment.send_again = fragment.digest_or_text, fragment.send_whole_text_again


def leave_out(key, name, text):
    data = fragment.sent(key, name, text)
    return data if questions.count(key) >= 3 else {"digest": data["digest"]}


def count_question(key):
    questions.append(key)
    fragment.send_again(key)


for module in (fragment, segments):
    module.digest_or_text, module.send_whole_text_again = leave_out, count_question

fragment.show("evidence", '<div class="bitext"><p>a whole picture</p></div>', browser_keeps_html=True)
columns = [segments.SegmentColumn("number", "Number of the row", "")]
row = {"segment": 0, "cells": [{"text": "1"}], "words": [["a whole row", ""]]}
segments.show(columns, lambda start, end: [row], 1, "order", "number", True, None, 0, print, print)
"""


def test_it_is_asked_for_until_it_arrives(page_opener: Callable[..., Any]) -> None:
    with served_page(APP) as app:
        page = page_opener()
        page.goto(app.address)
        for text in ("a whole picture", "Number of the row"):
            page.get_by_text(text).wait_for(state="attached")
