"""Draw a candidate whose words are tiles that can be moved, removed and doubled, as markup for `script/moving.js`.

The markup has the score and its parts, so that the script can compare two sentences, on the page and in a saved
file."""

from __future__ import annotations

import json
from html import escape

import metrics
from metrics.text import process

from ..evidence import words
from ..evidence.drawn_result import DrawnResult
from ..evidence.inspector import part_text
from ..pen.numbers import score_text
from ..pen.text import writing_direction
from ..texts import ProcessedTexts

#: The greatest number of tiles of a sentence.
MOST = 40


def movable_words_html(drawn: DrawnResult) -> str:
    """Return the candidate's line as HTML, with its words as tiles.

    The result is "" where there are too many words, or where the joined words would be tokenised differently."""
    texts, result = drawn.texts, drawn.result
    separator = word_separator(texts)
    if separator is None or not 0 < len(texts.candidate) <= MOST:
        return ""
    metric = metrics.METRICS[result.metric]
    parts = [[name.replace("_", " "), part_text(result, name)] for name in result.parts]
    attributes = {
        "between": separator,
        "score": repr(float(result.score)),
        "said": score_text(result.score),
        "label": metric.label,
        "better": "" if metric.higher_is_better else "lower",
        "parts": json.dumps(parts, ensure_ascii=False),
        "most": str(MOST),
    }
    tiles = "".join(
        f'<button type="button" class="tile" data-tile="{escape(word)}">{word_html}</button>'
        for word, word_html in zip(texts.candidate_words, words.candidate_words_html(drawn), strict=True)
    )
    data = " ".join(f'data-{name}="{escape(value)}"' for name, value in attributes.items())
    direction = writing_direction(texts.candidate_words[:MOST])
    return (
        f'<div class="word_lines moving" {data}><div class="ln"><div class="lb"><b>Candidate</b></div>'
        f'<div class="ws" dir="{direction}" role="group" aria-label="Candidate, word by word">{tiles}</div></div></div>'
    )


def word_separator(texts: ProcessedTexts) -> str | None:
    """Return the separator, "" or " ", with which the joined words are tokenised into the same words again.

    Words that occur twice are tested too. None where neither separator works."""
    doubled_words = texts.candidate_words * 2
    return next((by for by in ("", " ") if _tokenised(by.join(doubled_words), texts) == doubled_words), None)


def _tokenised(text: str, texts: ProcessedTexts) -> tuple[str, ...]:
    return tuple([token.raw for token in process(text, texts.settings)])
