"""The way in: files of systems and references, what each is, and the click that scores them."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

import metrics
from metrics.corpus.jobs import Corpus as Words
from metrics.text import files, forms, process
from metrics.text.files import BadData

from ...draw.pen import theme
from . import corpora, held
from .corpora import Scoring
from .record import Corpus


def draw(shown: Corpus, found: Scoring | None) -> None:
    """Choose files and score them; of a corpus that is there, its systems."""
    if found is not None:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for key, label, value in (("corpus_a", "A", shown.a), ("corpus_b", "B", shown.b)):
                st.session_state[key] = min(value, len(found.names) - 1)
                st.selectbox(
                    label,
                    range(len(found.names)),
                    key=key,
                    format_func=lambda n: theme.markdown(found.names[n]),
                    width=260,
                )
            st.button("Other files", on_click=held.drop)
        return
    given: Any = st.file_uploader("Files of systems and references, one segment a line", accept_multiple_files=True)
    if not given:
        return
    systems: dict[str, list[str]] = {}
    references: list[list[str]] = []
    for file in given:
        try:
            lines = files.decoded(file.name, file.getvalue())
        except BadData as error:
            st.warning(theme.markdown(str(error)))
            return
        if re.match("ref", file.name, re.IGNORECASE):
            references.append(lines)
        else:
            systems[file.name] = lines
    if len(systems) < 2 or not references:
        st.info("Two systems and a file of references are needed.")
        return
    st.button("Score", type="primary", on_click=_score, args=(systems, references, shown))


def _score(systems: dict[str, list[str]], references: list[list[str]], shown: Corpus) -> None:
    names, columns = tuple(systems), list(systems.values())
    of_segments = [list(each) for each in zip(*references, strict=True)]

    def words() -> Words:
        def of(line: str) -> tuple[str, ...]:
            return forms(process(line, shown.text))

        return Words(
            names,
            tuple([tuple(map(of, column)) for column in columns]),
            tuple([tuple(map(of, each)) for each in of_segments]),
        )

    settings = {key: shown.settings_of(key) for key in metrics.METRICS}
    held.begin(corpora.Scoring(words, columns, of_segments, names, shown.text, settings, shown.metric))
