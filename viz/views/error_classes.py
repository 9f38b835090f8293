"""The view of error classes: every wrong word coloured by its class, with counts, rates and reasons."""

from __future__ import annotations

import html
from collections.abc import Sequence

import streamlit as st

from metrics.errors import ErrorClass, ErrorClasses, Word, classes_in
from viz.draw import theme
from viz.draw.fragment import header
from viz.draw.texts import Texts

#: Colour and letter of each class, so that colour is never alone.
LOOKS = {
    ErrorClass.INFLECTION: (theme.OCHRE, "I"),
    ErrorClass.ORDER: (theme.BLUE, "O"),
    ErrorClass.MISSING: (theme.MAUVE, "M"),
    ErrorClass.EXTRA: (theme.VIOLET, "E"),
    ErrorClass.LEXICAL: (theme.GREEN, "L"),
}
REASONS_MOST = 200  # reasons that are listed


def draw(texts: Texts) -> None:
    """Words in their classes, the counts of the classes, and the reason of every word."""
    settings = texts.settings
    stemmer = "porter" if settings.stemmer == "none" else settings.stemmer
    found = classes_in(texts.segment, stemmer, settings.language)
    which = f" Reference {found.k + 1} has the lowest word error rate." if len(texts.references) > 1 else ""
    idea = "Every wrong word is in one of five classes, found by its edit script, by the bags of words and by stems."
    st.html(header("Error classes", idea + which))
    st.html(f'<div class="ec">{strips(texts, found)}</div>')
    left, right = st.columns([1, 1], gap="large")
    left.html(counts_table(found))
    right.html(reasons(texts, found))
    source = (
        "Popović and Ney (2011), Towards Automatic Error Analysis of Machine Translation Output, Computational "
        f"Linguistics 37(4). Stems: {stemmer.capitalize()}"
        + (f", {settings.language}." if stemmer != "porter" else ".")
    )
    st.html(f'<p class="more">{html.escape(source)}</p>')


def strips(texts: Texts, found: ErrorClasses) -> str:
    """Candidate and reference as words, a wrong one in the colour and with the letter of its class, as HTML.

    Hovering a word shows its reason and outlines its partner.
    """
    rules: list[str] = []

    def line(label: str, shown: Sequence[str], words: Sequence[Word], ours: bool) -> str:
        out = []
        for position, (text, word) in enumerate(zip(shown, words, strict=True)):
            name = f"c{position}" if ours else f"r{position}"
            classes, style, mark = f"tk {name}", "", ""
            if word.error:
                colour, letter = LOOKS[word.error]
                classes, style, mark = f"{classes} u", f' style="--c:{colour}"', f"<sup>{letter}</sup>"
            if word.partner:
                other = f"r{word.partner.j}" if ours else f"c{word.partner.i}"
                rules.append(f".bx:has(.{name}:hover) :is(.{name},.{other})")
            title = theme.safe(word.reason, 300)
            out.append(f'<span class="{classes}"{style} title="{title}"><bdi>{theme.safe(text, 60)}</bdi>{mark}</span>')
        direction = theme.direction(shown[:40])
        return (
            f'<div class="ln"><div class="lb">{label}</div><div class="ws" dir="{direction}">{"".join(out)}</div></div>'
        )

    reference = texts.reference_words[found.k]
    label = f"Reference&nbsp;{found.k + 1}" if len(texts.references) > 1 else "Reference"
    body = line("<b>Candidate</b>", texts.candidate_words, found.candidate, True)
    body += line(label, reference, found.reference, False)
    total = len(found.candidate) + len(found.reference)
    size = "bx" + (" sm" if total > 90 else "") + (" tall" if total > 260 else "")
    style = ",".join(rules) + "{outline:2px solid #D55E00;outline-offset:-1px}" if rules and total <= 600 else ""
    return f'<style>{style}</style><div class="{size}">{body}</div>'


def counts_table(found: ErrorClasses) -> str:
    """The five classes with their counts and rates on both sides, as HTML."""
    rows = []
    for count in found.counts():
        colour, letter = LOOKS[count.error]
        rows.append(
            f'<tr><td><i style="background:{colour}">{letter}</i><b>{count.error.label}</b>'
            f"<br><span>{html.escape(count.error.meaning)}</span></td>"
            f"<td class=n>{_share(count.candidate, count.candidate_rate, colour)}</td>"
            f"<td class=n>{_share(count.reference, count.reference_rate, colour)}</td></tr>"
        )
    ours, theirs = (sum(1 for word in words if word.error) for words in (found.candidate, found.reference))
    n, m = len(found.candidate), len(found.reference)
    total = f"<tr><td><b>All</b></td><td class=n>{ours} of {n}</td><td class=n>{theirs} of {m}</td></tr>"
    head = "<tr><th>Class</th><th>Candidate</th><th>Reference</th></tr>"
    return f'<table class="divided classes">{head}{"".join(rows)}{total}</table>'


def _share(count: int, rate: float, colour: str) -> str:
    if not count:
        return "0"
    bar = f"linear-gradient(90deg,{colour} {100 * rate:.1f}%,rgba(128,128,128,.25) {100 * rate:.1f}%)"
    return f'{count}, {100 * rate:.0f} %<em style="background:{bar}"></em>'


def reasons(texts: Texts, found: ErrorClasses) -> str:
    """Every wrong word with the reason for its class, the candidate's first, as HTML."""
    rows = []
    for side, shown, words in (
        ("C", texts.candidate_words, found.candidate),
        ("R", texts.reference_words[found.k], found.reference),
    ):
        for position, (text, word) in enumerate(zip(shown, words, strict=True)):
            if word.error:
                colour, letter = LOOKS[word.error]
                rows.append(
                    f'<tr><td class=n><i style="background:{colour}">{letter}</i>{side}{position + 1}</td>'
                    f"<td><bdi>{theme.safe(text)}</bdi></td><td>{theme.safe(word.reason, 300)}</td></tr>"
                )
    if not rows:
        return '<p class="rd">No word is wrong.</p>'
    more = (
        f'<p class="more">and {theme.plural(len(rows) - REASONS_MOST, "more word")}</p>'
        if len(rows) > REASONS_MOST
        else ""
    )
    head = "<tr><th>Where</th><th>Word</th><th>Why</th></tr>"
    return f'<table class="divided classes">{head}{"".join(rows[:REASONS_MOST])}</table>{more}'
