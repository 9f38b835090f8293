"""A candidate whose words are tiles that can be moved, taken out and doubled, as markup for `script/moving.js`.

The markup says what the sentence scores and of what its score is made, so that the script can say of two sentences what
became of it, on the page as in a saved file.
"""

from __future__ import annotations

import json
from html import escape

import metrics
from metrics.text import process

from ..evidence import words
from ..evidence.drawn_result import DrawnResult
from ..evidence.inspector import part_text
from ..pen import theme
from ..texts import ProcessedTexts

#: Tiles that a sentence has at the most.
MOST = 40


def board(drawn: DrawnResult) -> str:
    """The candidate's line with its words as tiles; "" where it has too many, or where its words put together again are
    read as others."""
    texts, result = drawn.texts, drawn.result
    separator = joint(texts)
    if separator is None or not 0 < len(texts.candidate) <= MOST:
        return ""
    metric = metrics.METRICS[result.metric]
    parts = [[name.replace("_", " "), part_text(result, name)] for name in result.parts]
    attributes = {
        "between": separator,
        "score": repr(float(result.score)),
        "said": theme.score_text(result.score),
        "label": metric.label,
        "better": "" if metric.higher_is_better else "lower",
        "parts": json.dumps(parts, ensure_ascii=False),
        "most": str(MOST),
    }
    tiles = "".join(
        f'<button type="button" class="tile" data-tile="{escape(word)}">{word_html}</button>'
        for word, word_html in zip(texts.candidate_words, words.of_candidate(drawn), strict=True)
    )
    data = " ".join(f'data-{name}="{escape(value)}"' for name, value in attributes.items())
    direction = theme.direction(texts.candidate_words[:MOST])
    return (
        f'<div class="word_lines moving" {data}><div class="ln"><div class="lb"><b>Candidate</b></div>'
        f'<div class="ws" dir="{direction}" role="group" aria-label="Candidate, word by word">{tiles}</div></div></div>'
    )


def joint(texts: ProcessedTexts) -> str | None:
    """What stands between the candidate's words where they are written as one text, so that it is read as the same
    words, also where one stands twice: nothing, or a space; None where neither does."""
    doubled_words = texts.candidate_words * 2
    return next((by for by in ("", " ") if _read(by.join(doubled_words), texts) == doubled_words), None)


def _read(text: str, texts: ProcessedTexts) -> tuple[str, ...]:
    return tuple([token.raw for token in process(text, texts.settings)])
