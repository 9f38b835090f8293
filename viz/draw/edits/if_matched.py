"""What every metric would give if a word matched that no match uses: the answer to a click on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import metrics
from metrics.analysis.edit_shares import WordEdit
from metrics.analysis.if_matched import gone_and_came

from ..compare.scores import MARKS, delta_text, verdict
from ..pen import theme
from ..texts import ProcessedTexts

UNKNOWN = "–"


def answer(
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
    """What was asked, by its `name`: the changes after which it would match reference `k`, in words, and the score of
    every metric `now` and after them (`new_scores`). It is about candidate word `i`, word `j` of the reference, or
    both. Without changes the word is not wrong, and it says so."""
    word = texts.candidate_words[i or 0] if j is None else texts.reference_words[k][j]
    close = '<button type="button" data-leave aria-label="Close" title="Close">×</button>'
    if not changes:
        inside = f'<p class="note">{_in_its_place(texts, k, word)}</p>'
        return f'<section class="if" data-asked="{escape(name)}">{close}{inside}</section>'
    rows = "".join([_row(key, now[key], new_scores[key], key == chosen) for key in now])
    return (
        f'<section class="if" data-asked="{escape(name)}">{close}<p class="what">{_says(texts, k, changes, i, j)}</p>'
        '<table><caption class="sr">Every metric now and if this matched</caption><thead><tr>'
        '<th scope="col">Metric</th><th scope="col">Now</th><th scope="col">Then</th><th scope="col">Change</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></section>"
    )


def _in_its_place(texts: ProcessedTexts, k: int, word: str) -> str:
    which = f"reference {k + 1}" if len(texts.references) > 1 else "the reference"
    return (
        f"{_quoted([word])} stands where {which} has it, so no word is wrong: which matches are used is the metric's "
        "choice."
    )


def _says(texts: ProcessedTexts, k: int, changes: Sequence[WordEdit], i: int | None, j: int | None) -> str:
    """The changes as the beginning of a sentence, whose end is the table."""
    ours, theirs = texts.candidate_words, texts.reference_words[k]
    places = gone_and_came(changes)
    gone_words, came = ([words[n] for n in each] for words, each in zip((ours, theirs), places, strict=True))
    where = f"reference {k + 1}" if len(texts.references) > 1 else "the reference"
    if i is not None and j is not None and places[1] == [j]:
        rest = "".join([f", in place of the candidate's word {other + 1}" for other in places[0] if other != i])
        return f"If {_quoted([ours[i]])}, word {i + 1}, stood where {where} has its word {j + 1}{rest}"
    if gone_words == came:
        return f"If {_quoted(gone_words)} stood where {where} has it"
    if not gone_words:
        return f"If {_quoted(came)} were put in, where {where} has it"
    if not came:
        return f"If the extra {_quoted(gone_words)} were taken out"
    return f"If {_quoted(came)} stood in place of {_quoted(gone_words)}"


def _quoted(words: Sequence[str]) -> str:
    inside = " ".join([f"<bdi>{theme.safe(word, 60)}</bdi>" for word in words])
    return f'<b class="q" dir="{theme.direction(words)}">{inside}</b>'


def _row(key: str, now: float | None, new_score: float | None, chosen: bool) -> str:
    metric = metrics.METRICS[key]
    before, after = (UNKNOWN if score is None else theme.score_text(score) for score in (now, new_score))
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
