"""Draw what each word of an output is worth, as a picture and in words.

An effect is the score after one change: a word deleted, or a reference word inserted or put in place of another word.
Whether an effect is better or worse depends on the metric: for error rates, lower scores are better. Effects come
from `metrics.analysis.worth`, and are known by their indices in the order in which they arrived."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from metrics.analysis.worth import JointDeletion, WordChangeEffect, candidate_after, costly_deletions, score_gain
from metrics.text import Token, forms
from metrics.types import Metric

from ..evidence import words
from ..pen import theme
from ..pen.numbers import count_text, score_text
from ..pen.text import bdi_word, isolated, safe, writing_direction
from ..texts import ProcessedTexts
from .scores import MARKS, Verdict, delta_text, verdict

CHIPS_MOST = 12  # how many reference words the strip shows
ROWS_MOST = 300  # how many rows of the list are sent to the browser
JOINT_SHOWN = 12  # how many of the words that cost together are named
REASONS_MOST = 40  # how many matched words that cost get a reason in their tooltip
NO_REASONS: Mapping[int, str] = {}
AROUND = 8  # words shown on either side of a change

#: The columns of the list: their headings, and the classes by which style sheet and script find their cells.
COLUMNS = (
    {"name": "Change", "look": "what"},
    {"name": "Where", "look": "where"},
    {"name": "Score", "look": "num score"},
    {"name": "Difference", "look": "num by"},
)
SHOWN = {"all": "All", "delete": "Delete", "restore": "Put in"}
ORDERS = {"helps": "Helps most first", "hurts": "Hurts most first", "sentence": "Word order"}


# ---------------------------------------------------------------- order


def sorted_effect_indices(
    effects: Sequence[WordChangeEffect],
    metric: Metric,
    show: str = "all",
    order: str = "helps",
    used: Collection[int] = (),
) -> list[int]:
    """Return the indices of the effects to show, sorted.

    `show` is a key of SHOWN: "all" effects, deletions only, or insertions and replacements only. `order` is a key of
    ORDERS: the largest gain first, the largest loss first, or the order of the sentence. `used` are the positions of
    the words that the metric uses: with order "helps", effects that remove such a word come last among ties. Other
    ties are in the order of the sentence."""
    chosen = [n for n, e in enumerate(effects) if show == "all" or (e.action == "delete") == (show == "delete")]
    # A word's deletion and replacement come after the insertions before it.
    chosen.sort(key=lambda n: (effects[n].i, effects[n].action != "insert", effects[n].k, effects[n].j))
    if order != "sentence":
        sign = -1 if order == "helps" else 1
        # Rounded, so that equal gains tie even if they were computed in different ways.
        removes_used = {n: order == "helps" and effects[n].action != "insert" and effects[n].i in used for n in chosen}
        chosen.sort(key=lambda n: (sign * round(score_gain(effects[n], metric), 9), removes_used[n]))
    return chosen


def chip_effects(
    effects: Sequence[WordChangeEffect], metric: Metric, most: int = CHIPS_MOST, used: Collection[int] = ()
) -> list[int]:
    """Return the indices of the insertions and replacements that improve the score, the best first, at most `most`.

    The line of words shows them as chips. `used` are the positions of the words that the metric uses; among ties,
    replacing such a word comes last."""
    restored = sorted_effect_indices(effects, metric, "restore", used=used)
    return [n for n in restored if _verdict(effects[n], metric) == "better"][:most]


def surprising_deletions(effects: Sequence[WordChangeEffect], metric: Metric, used: Collection[int]) -> list[int]:
    """Return the indices of the deletions that improve the score although the metric uses the word, the best first.

    They get a reason in their tooltip, because readers ask why such a deletion helps; there are at most REASONS_MOST
    of them. `used` are the positions of the words that the metric uses."""
    deletions = sorted_effect_indices(effects, metric, "delete")
    return [n for n in deletions if _verdict(effects[n], metric) == "better" and effects[n].i in used][:REASONS_MOST]


def _verdict(effect: WordChangeEffect, metric: Metric) -> Verdict:
    return verdict(effect.delta, metric.higher_is_better)


# ---------------------------------------------------------------- in words


class ChangePlace(NamedTuple):
    """The place of a change, described in words.

    Attributes:
        place: the position, such as "before word 3".
        next_word: the word before which a word is inserted, or "".
        source: the reference that the new word comes from, or ""."""

    place: str
    next_word: str
    source: str


def describe_place(effect: WordChangeEffect, texts: ProcessedTexts) -> ChangePlace:
    """Return a description of where in the output a change is, and of the reference that its new word comes from."""
    source = f"reference {effect.k + 1}" if effect.k >= 0 and len(texts.references) > 1 else ""
    if effect.action != "insert":
        return ChangePlace(f"word {effect.i + 1}", "", source)
    if effect.i == len(texts.candidate):
        return ChangePlace("at the end" if effect.i else "as the only word", "", source)
    return ChangePlace(f"before word {effect.i + 1}", texts.candidate_words[effect.i], source)


def repeats_word(effect: WordChangeEffect, texts: ProcessedTexts) -> bool:
    """Return whether a change puts in one more of a word that the output already has as often as the reference."""
    if effect.action == "delete":
        return False
    candidate, references = texts.segment
    word = references[effect.k][effect.j]
    return candidate.count(word) >= references[effect.k].count(word)


def _changed_words(effect: WordChangeEffect, texts: ProcessedTexts) -> list[str]:
    """Return the words of a change: the removed word, the inserted word, or both in this order."""
    removed_words = [texts.candidate_words[effect.i]] if effect.action != "insert" else []
    return removed_words + ([texts.reference_words[effect.k][effect.j]] if effect.action != "delete" else [])


def tooltip_text(effect: WordChangeEffect, texts: ProcessedTexts, metric: Metric, why: str = "") -> str:
    """Return the tooltip of a word as plain text, followed by the reason `why` for a deletion.

    It is "without it 0.412, −0.034, worse", or "with the before word 3: 0.640, +0.085, better"."""
    score = score_text(effect.score)
    tone = _verdict(effect, metric)
    change = "no change" if tone == "same" else f"{delta_text(effect.delta)}, {tone}"
    if effect.action == "delete":
        return f"without it {score}, {change}" + (f". {why}" if why else "")
    place, _, source = describe_place(effect, texts)
    place += f", {source}" if source else ""
    new = ("another " if repeats_word(effect, texts) else "") + isolated(_changed_words(effect, texts)[-1])
    how = f"with {new} {place}" if effect.action == "insert" else f"with {new} for {place}"
    return f"{how}: {score}, {change}"


def _change_html(delta: float, metric: Metric) -> str:
    """Return a change of the score as HTML, with its sign and in the colour of its meaning."""
    tone = verdict(delta, metric.higher_is_better)
    return f'<b class="{tone}">{" ".join(filter(None, (MARKS[tone], delta_text(delta))))}</b>'


def describe_effect(effect: WordChangeEffect, texts: ProcessedTexts, metric: Metric) -> str:
    """Return a sentence on what a change does to the score, as HTML.

    It is like "Delete dead, word 7, and the score would be 0.593, ▲ +0.038."."""
    place, next_word, source = describe_place(effect, texts)
    first, *second = [f"<b>{bdi_word(word)}</b>" for word in _changed_words(effect, texts)]
    more = "another " if repeats_word(effect, texts) else ""
    if effect.action == "delete":
        what = f"Delete {first}, {place}"
    elif effect.action == "insert":
        place += f" ({bdi_word(next_word)})" if next_word else ""
        what = f"Put in {more}{first} {place}" + (f", from {source}" if source else "")
    else:
        what = f"Replace {first}, {place}, with {more}{second[0]}" + (f" of {source}" if source else "")
    return f"{what}, and the score would be {score_text(effect.score)}, {_change_html(effect.delta, metric)}."


_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def _count(number: int) -> str:
    return _COUNTS[number] if number < len(_COUNTS) else f"{number:,}"


def finding_sentences(
    effects: Sequence[WordChangeEffect],
    texts: ProcessedTexts,
    metric: Metric,
    score: float,
    joint: JointDeletion | None,
    complete: bool = True,
    used: Collection[int] = (),
) -> list[str]:
    """Return sentences, as HTML, on which words cost or earn how much, and which reference word would help most.

    Args:
        effects: the effects that are known so far.
        score: the score of the unchanged output.
        joint: the words whose joint deletion improves the score most, because effects of single words do not add up;
            None where that is unknown.
        complete: whether all changes were tried; otherwise the sentences only speak of the tried ones.
        used: positions of the words that the metric uses; among changes that help equally, one that keeps these words
            is preferred."""
    out = []
    if any(e.action == "delete" for e in effects):
        out.append(_cost_sentence(effects, texts, metric, score, joint, complete))
        out.append(_earning_sentence(effects, texts, metric))
    if any(e.action != "delete" for e in effects):
        out.append(_restoring_sentence(effects, texts, metric, complete, used))
    elif complete:
        out.append("A shortest edit script to a reference has no word to put in.")
    return [sentence for sentence in out if sentence]


def _cost_sentence(
    effects: Sequence[WordChangeEffect],
    texts: ProcessedTexts,
    metric: Metric,
    score: float,
    joint: JointDeletion | None,
    complete: bool,
) -> str:
    costly = costly_deletions(effects, metric)
    if not costly:
        return "No word costs anything: deleting any one word does not improve the score." if complete else ""
    worst, others = _first_with_ties(costly)
    if joint and len(joint.words) == 1:
        worst = next(effect for effect in costly if effect.i == joint.words[0])  # among ties, the word of `joint`
    if joint is None or len(joint.words) == 1:
        most = f" most{_ties_phrase(others, 'cost')}," if len(costly) > 1 else ""
        return (
            f"{_word_html(worst.i, texts)} costs{most} {_amount(worst.delta)}: without it the score "
            f"would be {score_text(worst.score)}.{_others_note(joint, len(costly) > 1)}"
        )
    names = [_word_html(i, texts) for i in joint.words[:JOINT_SHOWN]]
    listed = ("; " if any("," in name for name in names) else ", ").join(names)
    listed += f" and {len(joint.words) - JOINT_SHOWN:,} more" if len(joint.words) > JOINT_SHOWN else ""
    return (
        f"These {_count(len(joint.words))} words cost {_amount(joint.score - score)} together ({listed}): without them "
        f"the score would be {score_text(joint.score)}.{_describe_exceptions(effects, joint, texts, metric)}"
        f"{_others_note(joint, any(effect.i not in joint.words for effect in costly))}"
    )


def _describe_exceptions(
    effects: Sequence[WordChangeEffect], joint: JointDeletion, texts: ProcessedTexts, metric: Metric
) -> str:
    """Return a sentence on the words of `joint` that cost only together: deleted alone, they earn or change nothing.

    The result is "" where there are no such words."""
    phrases = []
    for tone, one, several in (("worse", "earns", "earn"), ("same", "makes no difference", "make no difference")):
        words_ = [e.i for e in effects if e.action == "delete" and e.i in joint.words and _verdict(e, metric) == tone]
        if words_:
            names = [_word_html(i, texts) for i in words_[:JOINT_SHOWN]]
            more = f" and {len(words_) - JOINT_SHOWN:,} more" if len(words_) > JOINT_SHOWN else ""
            phrases.append(f"{', '.join(names)}{more} {one if len(words_) == 1 else several}")
    return f" Taken alone, {'; '.join(phrases)}." if phrases else ""


def _word_html(i: int, texts: ProcessedTexts) -> str:
    """Return a word of the output in bold, with its position where the output has the word more than once."""
    candidate_words = texts.candidate_words
    where = f", word {i + 1}" if candidate_words.count(candidate_words[i]) > 1 else ""
    return f"<b>{bdi_word(candidate_words[i])}</b>{where}"


def _others_note(joint: JointDeletion | None, others: bool) -> str:
    """Return a sentence on words that cost when deleted alone, but are not among those of `joint`.

    It says that deleting them as well would not help, or that this was not tried. `others` is whether there are such
    words. The result is "" where `joint` is unknown or there are none."""
    if joint is None or (joint.ended and not others):
        return ""
    if not joint.ended:
        return " Not every further deletion was tried."
    return " Deleting one more word would not make the score better."


def _amount(delta: float) -> str:
    """Return the size of a change without its sign; the words around it give the direction."""
    return delta_text(abs(delta)).removeprefix("+")


def _earning_sentence(effects: Sequence[WordChangeEffect], texts: ProcessedTexts, metric: Metric) -> str:
    best, others = _first_with_ties([effects[n] for n in sorted_effect_indices(effects, metric, "delete", "hurts")])
    if _verdict(best, metric) != "worse":
        return ""
    return (
        f"{_word_html(best.i, texts)} earns most{_ties_phrase(others, 'earn')}: without it the score would "
        f"be {score_text(best.score)}, {_change_html(best.delta, metric)}."
    )


def _restoring_sentence(
    effects: Sequence[WordChangeEffect], texts: ProcessedTexts, metric: Metric, complete: bool, used: Collection[int]
) -> str:
    order = [effects[n] for n in sorted_effect_indices(effects, metric, "restore", used=used)]
    best, others = _first_with_ties(order)
    if _verdict(best, metric) != "better":
        return "No single word that a shortest edit script puts in would make the score better." if complete else ""
    tied = f" ({_count(others)} would help as much)" if others else ""
    return describe_effect(best, texts, metric) + (
        f" No other word that a shortest edit script puts in would help more{tied}."
        if complete and len(order) > 1
        else ""
    )


def _first_with_ties(order: Sequence[WordChangeEffect]) -> tuple[WordChangeEffect, int]:
    """Return the first of the sorted effects, and how many others change the score by the same amount."""
    best = order[0]
    return best, sum(abs(effect.delta - best.delta) < 1e-9 for effect in order) - 1


def _ties_phrase(others: int, verb: str) -> str:
    """Return the phrase that `others` more words do the same: " (two more words earn as much)" for the verb "earn".

    The result is "" for 0."""
    if not others:
        return ""
    return f" (one more word {verb}s as much)" if others == 1 else f" ({_count(others)} more words {verb} as much)"


def heading_html(metric: Metric, name: str, score: float) -> str:
    """Return the heading as HTML: the metric, the output's `name` and present score, and how to read what follows."""
    which = "" if metric.higher_is_better else " Lower is better."
    return (
        f'<div class="vh"><b>{html.escape(metric.name)}</b> <bdi>{safe(name)}</bdi> '
        f"<b>{score_text(score)}</b><br><span>The score if one word is deleted, or one reference word is put "
        f"in where the output has none or another.{which}</span></div>"
    )


def describe_progress(tried_effects: Sequence[WordChangeEffect], total: int, words_in_all: int) -> str:
    """Return a sentence on which changes were tried so far, or "" where all were.

    `total` is the number of all changes, and `words_in_all` the number of words of the output."""
    if len(tried_effects) >= total:
        return ""
    deleted = sum(effect.action == "delete" for effect in tried_effects)
    if deleted < words_in_all:
        what = f"the deletion of the first {count_text(deleted, 'word')}" if deleted else "nothing yet"
    else:
        restored, in_all = len(tried_effects) - deleted, total - words_in_all
        what = "the deletion of every word, and " if words_in_all else ""
        what += f"{restored:,} of {count_text(in_all, 'reference word')} put in"
    return f"Tried so far: {what}, which is {len(tried_effects):,} of {total:,} changes."


# ---------------------------------------------------------------- the strip


def word_line_html(
    texts: ProcessedTexts,
    name: str,
    effects: Sequence[WordChangeEffect],
    metric: Metric,
    chip_numbers: Collection[int],
    chosen: int | None = None,
) -> str:
    """Return the line of the output's words as HTML, each tinted by what it is worth.

    `chip_numbers` and `chosen` are indices of effects. A blue word with a solid line earns; a mauve word with ✕ and a
    dashed line costs; a stronger tint means more. A plain word makes no difference or was not tried. The effects in
    `chip_numbers`, and the selected one (`chosen`), are drawn between the words as "+word", or after a word as "→
    other". Classes are made of indices only, and every word is escaped."""
    direction = writing_direction([*texts.candidate_words[:40], *texts.reference_words[0][:40]])
    drawn = {*chip_numbers, *([chosen] if chosen is not None else [])}
    before, after = _chips_by_position(texts, effects, metric, drawn, chosen, direction)
    words_ = _word_tints(texts, effects, metric, chosen)
    count = len(words_)
    out = "".join(["".join([*before.get(i, ()), words_[i], *after.get(i, ())]) for i in range(count)])
    out += "".join(before.get(count, ()))
    if not count:
        out = '<span class="no">no words</span> ' + out
    size = (" sm" if count > 90 else "") + (" tall" if count > 260 else "")
    label = f'<div class="lb"><b><bdi>{safe(name)}</bdi></b></div>'
    line = f'<div class="ln">{label}<div class="ws" dir="{direction}">{out}</div></div>'
    return f'<div class="word_lines ab worth{size}">{words.source_line(texts)}{line}</div>'


Chips = dict[int, list[str]]


def _chips_by_position(
    texts: ProcessedTexts,
    effects: Sequence[WordChangeEffect],
    metric: Metric,
    chip_numbers: Collection[int],
    chosen: int | None,
    direction: str,
) -> tuple[Chips, Chips]:
    """Return the insertions and replacements that are drawn between the words, as HTML chips by position in the output.

    The first mapping has the insertions in front of each word, the second one the replacements, which follow it.
    `chip_numbers` and `chosen` are the indices of the drawn and of the selected effect; `direction` is that of the
    line."""
    before: Chips = {}
    after: Chips = {}
    for n in sorted(chip_numbers, key=lambda n: effects[n][1:4]):
        effect = effects[n]
        if effect.action == "delete":
            continue
        sign = "+" if effect.action == "insert" else ("←" if direction == "rtl" else "→") + "&nbsp;"
        classes = f"ad e{n} {_verdict(effect, metric)}{' sel' if n == chosen else ''}"
        chip = f'<span class="{classes}">{sign}{bdi_word(_changed_words(effect, texts)[-1])}</span>'
        (before if effect.action == "insert" else after).setdefault(effect.i, []).append(chip)
    return before, after


def _word_tints(
    texts: ProcessedTexts, effects: Sequence[WordChangeEffect], metric: Metric, chosen: int | None
) -> list[str]:
    """Return the output's words as HTML, each tinted by the effect of its deletion.

    `chosen` is the index of the selected effect."""
    most = max([abs(e.delta) for e in effects if e.action == "delete"], default=0.0)
    deletions = {e.i: n for n, e in enumerate(effects) if e.action == "delete"}
    out = []
    for i, word in enumerate(texts.candidate_words):
        classes, style, mark = ["tk"], "", ""
        if (n := deletions.get(i)) is not None:
            classes.append(f"e{n}")
            tone = _verdict(effects[n], metric)
            if tone != "same":
                style = f' style="--t:{12 + 43 * abs(effects[n].delta) / most:.0f}%"'
                classes.append("earns" if tone == "worse" else "costs")
                mark = "" if tone == "worse" else "<sup>✕</sup>"
            if n == chosen:
                classes.append("sel")
        out.append(
            f'<span class="{" ".join(classes)}" data-word="c{i}"{style}><bdi>{safe(word, 60)}</bdi>{mark}</span>'
        )
    return out


def legend(effects: Sequence[WordChangeEffect], metric: Metric, chip_numbers: Collection[int]) -> str:
    """Return the legend of the looks that occur in the line of words, as HTML.

    `chip_numbers` are the indices of the effects that are drawn between the words."""
    tones = {_verdict(e, metric) for e in effects if e.action == "delete"}
    entries = []
    if "worse" in tones:
        entries.append((_swatch(theme.BLUE, "solid"), "earns: without it the score is worse"))
    if "better" in tones:
        entries.append((_swatch(theme.MAUVE, "dashed"), "costs ✕: without it the score is better"))
    if "same" in tones:
        entries.append(("border:1px solid rgba(128,128,128,.6)", "makes no difference"))
    if chip_numbers:
        entries.append(
            (f"border:1.5px solid {theme.GREEN};border-radius:7px", "+ or →: a reference word that would help")
        )
    return words.swatches(entries) if entries else ""


def _swatch(colour: str, line: str) -> str:
    return f"background:{theme.css_rgba(colour, 0.25)};border-bottom:2px {line} {colour}"


def change_context(effect: WordChangeEffect, texts: ProcessedTexts) -> str:
    """Return the words around a change as HTML, the removed word struck out and the inserted word underlined."""
    candidate_words, i = texts.candidate_words, effect.i
    after = i + (effect.action != "insert")
    pieces = [bdi_word(word) for word in candidate_words[max(0, i - AROUND) : i]]
    if effect.action != "insert":
        pieces.append(f"<del>{bdi_word(candidate_words[i])}</del>")
    if effect.action != "delete":
        pieces.append(f"<ins>+{bdi_word(_changed_words(effect, texts)[-1])}</ins>")
    pieces += [bdi_word(word) for word in candidate_words[after : after + AROUND]]
    cut = ("… " if i > AROUND else "", " …" if len(candidate_words) > after + AROUND else "")
    direction = writing_direction(
        [*candidate_words[max(0, i - AROUND) : after + AROUND], *_changed_words(effect, texts)]
    )
    return f'<div class="df around" dir="{direction}">{cut[0]}{" ".join(pieces)}{cut[1]}</div>'


# ---------------------------------------------------------------- the list


def browser_data(
    effects: Sequence[WordChangeEffect],
    texts: ProcessedTexts,
    metric: Metric,
    order: Sequence[int],
    chip_numbers: Sequence[int],
    chosen: int | None,
    why: Mapping[int, str] = NO_REASONS,
) -> dict[str, Any]:
    """Return the data for the browser: the rows of the list of effects, and the tooltip of each word of the line.

    Effects are given by index: `order` has the rows in their order, `chip_numbers` those drawn between the words,
    `chosen` the selected one, and the keys of `why` those with a reason in their tooltip."""
    rows = []
    for n in order[:ROWS_MOST]:
        effect = effects[n]
        place, next_word, source = describe_place(effect, texts)
        tone = _verdict(effect, metric)
        change = delta_text(effect.delta)
        touched = [isolated(word, 60) for word in _changed_words(effect, texts)]
        what = {"delete": "delete", "insert": "put in", "replace": "replace"}[effect.action]
        place = f"another one {place}" if effect.action == "insert" and repeats_word(effect, texts) else place
        score = score_text(effect.score)
        rows.append(
            {
                "n": n,
                "sign": {"delete": "−", "insert": "+", "replace": ""}[effect.action],
                "words": touched,
                "where": [place, isolated(next_word, 60) if next_word else "", source],
                "score": score,
                "change": change,
                "mark": MARKS[tone],
                "tone": tone,
                "said": f"{what} {' by '.join(touched)}, {place}, score {score}, change {change}, {tone}",
            }
        )
    of_strip = {*chip_numbers, *[n for n, e in enumerate(effects) if e.action == "delete"]}
    of_strip |= {chosen} if chosen is not None else set()
    more = len(order) - len(rows)
    return {
        "columns": COLUMNS,
        "rows": rows,
        "tips": {str(n): tooltip_text(effects[n], texts, metric, why.get(n, "")) for n in sorted(of_strip)},
        "selected": -1 if chosen is None else chosen,
        "height": 38 + 33 * min(10, max(1, len(rows))),
        "caption": "Changes of one word and the score after each; choose one to try it",
        "empty": "There is no such change.",
        "more": f"and {count_text(more, 'more change')}" if more else "",
    }


# ---------------------------------------------------------------- the changed text


class ChangedText(NamedTuple):
    """A text with a change made; `exact` is whether tokenising it gives exactly the changed words."""

    text: str
    exact: bool


def changed_text(
    effect: WordChangeEffect, texts: ProcessedTexts, typed: str, tokens: Callable[[str], tuple[Token, ...]]
) -> ChangedText:
    """Return an output with a change made, as a text for the text area; `tokens` splits a text into words.

    The change is made in the `typed` text where that gives the right words with some spacing around it. Otherwise
    the result is the words joined by spaces. Even that is not always exact: a character that normalising decomposes
    becomes one word there."""
    target_forms = candidate_after(effect, texts.segment)
    new = "" if effect.action == "delete" else texts.reference_words[effect.k][effect.j]

    def has_changed_words(text: str) -> bool:
        """Return whether tokenising the text gives exactly the words of the changed output."""
        return forms(tokens(text)) == target_forms

    candidate_words = texts.candidate_words
    behind = candidate_words[effect.i + (effect.action != "insert") :]
    tries = [" ".join([*candidate_words[: effect.i], *([new] if new else []), *behind])]
    if tokens(typed) == texts.candidate:
        start, end = _edit_span(effect, texts, typed)
        head, rest = typed[:start], typed[end:]
        # Prefer no space, as before a full stop; but a word that is inserted before a word gets one.
        spaces = [("", ""), (" ", ""), ("", " "), (" ", " ")]
        if effect.action == "insert" and rest and (not head or head[-1].isspace()):
            spaces.insert(0, ("", " "))
        tries = [*[head + a + new + b + rest for a, b in spaces], *tries]
    exact_text = next(filter(has_changed_words, tries), None)
    return ChangedText(tries[-1], False) if exact_text is None else ChangedText(exact_text, True)


def _edit_span(effect: WordChangeEffect, texts: ProcessedTexts, typed: str) -> tuple[int, int]:
    """Return the start and end (letter positions) of what a change replaces in the typed text.

    A deleted word takes one space with it."""
    if effect.i == len(texts.candidate):
        return len(typed.rstrip()), len(typed)
    _, _, start, end = texts.candidate[effect.i]
    if effect.action == "insert":
        return start, start
    return with_space(start, end, typed) if effect.action == "delete" else (start, end)


def with_space(start: int, end: int, typed: str) -> tuple[int, int]:
    """Return the span of words that are taken out of a text, with the space that would be left over.

    >>> with_space(2, 3, "a b c"), with_space(4, 5, "a b c"), with_space(0, 1, "a.")
    ((2, 4), (3, 5), (0, 1))
    """
    at_boundary = start == 0 or typed[start - 1].isspace()
    if at_boundary and typed[end : end + 1].isspace():
        return start, end + 1
    return (start - 1 if at_boundary and start else start), end
