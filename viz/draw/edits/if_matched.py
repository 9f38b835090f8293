"""Draw the answer to a click on a word that no match uses: what every metric would give if it matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import metrics
from metrics.analysis.edit_shares import WordEdit
from metrics.analysis.if_matched import removed_and_added_positions

from ..compare.scores import MARKS, delta_text, verdict
from ..pen.numbers import score_text
from ..pen.text import safe, writing_direction
from ..texts import ProcessedTexts

UNKNOWN = "–"


def answer_html(
    name: str,
    texts: ProcessedTexts,
    k: int,
    changes: Sequence[WordEdit],
    now: Mapping[str, float | None],
    new_scores: Mapping[str, float | None],
    chosen: str,
    i: int | None,
    j: int | None,
) -> str:
    """Return the answer as HTML: the changes after which the word would match, and every metric's score now and then.

    Args:
        name: key of the question, by which the script knows it.
        k: index of the reference.
        changes: the edits of the candidate after which the word matches; none if it is right already, which the answer
            then says.
        now: the present score by key of the metric, None where there is none.
        new_scores: the score after the changes, likewise.
        chosen: key of the metric that the page shows.
        i, j: positions of the clicked word in the candidate and in the reference; one of them may be None."""
    word = texts.candidate_words[i or 0] if j is None else texts.reference_words[k][j]
    close = '<button type="button" data-leave aria-label="Close" title="Close">×</button>'
    if not changes:
        inside = f'<p class="note">{_already_right_text(texts, k, word)}</p>'
        return f'<section class="if" data-asked="{escape(name)}">{close}{inside}</section>'
    rows = "".join([_metric_row_html(key, now[key], new_scores[key], key == chosen) for key in now])
    return (
        f'<section class="if" data-asked="{escape(name)}">{close}<p class="what">{_clause(texts, k, changes, i, j)}</p>'
        '<table><caption class="sr">Every metric now and if this matched</caption><thead><tr>'
        '<th scope="col">Metric</th><th scope="col">Now</th><th scope="col">Then</th><th scope="col">Change</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></section>"
    )


def _already_right_text(texts: ProcessedTexts, k: int, word: str) -> str:
    which = f"reference {k + 1}" if len(texts.references) > 1 else "the reference"
    return f"{_quoted([word])} is where {which} has it, so no word is wrong: the metric chooses which matches it uses."


def _clause(texts: ProcessedTexts, k: int, changes: Sequence[WordEdit], i: int | None, j: int | None) -> str:
    """Return the changes as a clause such as "If “cat” stood where …", which the table of scores completes."""
    ours, theirs = texts.candidate_words, texts.reference_words[k]
    places = removed_and_added_positions(changes)
    gone_words, came = ([words[n] for n in each] for words, each in zip((ours, theirs), places, strict=True))
    where = f"reference {k + 1}" if len(texts.references) > 1 else "the reference"
    if i is not None and j is not None and places[1] == [j]:
        rest = "".join([f", in place of the candidate's word {other + 1}" for other in places[0] if other != i])
        return f"If {_quoted([ours[i]])}, word {i + 1}, were moved to where {where} has its word {j + 1}{rest}"
    if gone_words == came:
        return f"If {_quoted(gone_words)} were moved to where {where} has it"
    if not gone_words:
        return f"If {_quoted(came)} were put in, where {where} has it"
    if not came:
        return f"If the extra {_quoted(gone_words)} were taken out"
    return f"If {_quoted(came)} replaced {_quoted(gone_words)}"


def _quoted(words: Sequence[str]) -> str:
    inside = " ".join([f"<bdi>{safe(word, 60)}</bdi>" for word in words])
    return f'<b class="q" dir="{writing_direction(words)}">{inside}</b>'


def _metric_row_html(key: str, now: float | None, new_score: float | None, chosen: bool) -> str:
    metric = metrics.METRICS[key]
    before, after = (UNKNOWN if score is None else score_text(score) for score in (now, new_score))
    look, change = "same", UNKNOWN
    if now is not None and new_score is not None:
        look = verdict(new_score - now, metric.higher_is_better)
        mark = f'<span class="mark">{MARKS[look]}</span> ' if MARKS[look] else ""
        change = mark + delta_text(new_score - now)
    mine = ' class="mine"' if chosen else ""
    return (
        f'<tr{mine}><th scope="row">{escape(metric.label)}</th><td>{before}</td><td>{after}</td>'
        f'<td class="{look}">{change}</td></tr>'
    )
