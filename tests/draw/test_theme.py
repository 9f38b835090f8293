"""Tests that typed text in a page is readable and never markup, and that colours can be told apart."""

import re
import tomllib
from dataclasses import replace

import pytest

import metrics
from metrics.types import Hit, Layer, Run
from tests.helpers.app import ROOT
from tests.helpers.counting import lines_run
from tests.helpers.fragments import output_pair, texts_of
from tests.helpers.segments import CASES, MADE, MADE_RESULTS, all_hits, result_of
from viz.draw.compare import comparison
from viz.draw.evidence import arcs, error_spans
from viz.draw.evidence.fragment import RULES
from viz.draw.pen import marks, overlay, placed_shapes, theme
from viz.draw.pen.marks import Selection
from viz.draw.pen.numbers import fraction_text, score_text
from viz.draw.pen.shapes import Shape
from viz.draw.pen.text import escape_markdown, label_width, safe, visible, writing_direction
from viz.draw.steps import steps
from viz.draw.texts import MarkedError

VISIBLE = [  # text, shown text
    ("word", "word"),
    ("", "␣"),
    ("two words", "two words"),
    ("a\x00b", "a\ufffdb"),
    ("\x1b[31m", "\ufffd[31m"),
    ("a\u202eb\u2066c\u200fd", "a\ufffdb\ufffdc\ufffdd"),  # override, isolate, right-to-left mark
    ("\ud800", "\ufffd"),
    ("\ufeffa\u00adb", "\ufffda\ufffdb"),
    ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("می‌خواهم", "می‌خواهم"),  # contains a zero-width non-joiner
    ("e\u0301", "e\u0301"),
    ("𝔊", "𝔊"),
    ("x" * 40, "x" * 40),
    ("x" * 41, "x" * 39 + "…"),
    ("a\tb\nc", "a\ufffdb\ufffdc"),
]


@pytest.mark.parametrize(("text", "shown"), VISIBLE, ids=ascii)
def test_every_text_is_visible(text, shown):
    assert visible(text) == shown
    safe(text).encode()


SAFE = [
    ("<b>", "&lt;b&gt;"),
    ("&amp;", "&amp;amp;"),
    ("$x$", "&#36;x&#36;"),
    ("\"'", "&#34;&#39;"),
    ("<" * 50, "&lt;" * 39 + "…"),  # cut before escaping, so that no entity is cut
    ("%{x}", "%{x}"),
]


@pytest.mark.parametrize(("text", "shown"), SAFE)
def test_markup_is_escaped(text, shown):
    assert safe(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *("![x](http://example.org)", "[a](b)", "**bold** _it_ `code`", "$x$", ":red[x]", ":smile: :material/home:"),
        *("<img src=x>", "~a~", "# h"),
    ],
)
def test_markdown_is_escaped(text):
    written = escape_markdown(text)
    assert written.replace("\\", "").replace(":\u2060", ":") == text
    for position, c in enumerate(written):
        assert c not in "*_`[]$<>~#!" or written[position - 1] == "\\"
    assert not re.search(":[a-z/]", written), "no emoji, no icon, no address"


@pytest.mark.parametrize("letter", ["a", "<", "\u0301", "\ud800", "ש", "\u202e"], ids=ascii)
def test_a_megabyte_word_takes_hardly_more_work_than_a_long_one(letter):
    word = letter * 1_000_000
    assert len(visible(word)) == 40
    assert label_width(visible(word)) <= 41

    def count_lines_run(word):
        return lines_run(lambda: (visible(word), safe(word), writing_direction([word])))

    assert count_lines_run(word) < count_lines_run(letter * 1000) + 100


@pytest.mark.parametrize(
    ("text", "units"), [("abc", 3), ("漢字", 3.6), ("e\u0301", 1), ("", 0), ("שָ", 1), ("a\u200db", 2)], ids=ascii
)
def test_breadth_counts_what_is_seen(text, units):
    assert label_width(text) == pytest.approx(units)


DIRECTIONS = [
    *((["a", "ש"], "ltr"), (["ש", "a"], "rtl"), (["12", "(", "وصل"], "rtl"), (["1", "2", "."], "ltr"), ([], "ltr")),
    *(([""], "ltr"), (["\u202e", "a"], "ltr"), (["昨日"], "ltr")),
]


@pytest.mark.parametrize(("words", "direction"), DIRECTIONS, ids=ascii)
def test_direction_is_that_of_the_first_letter(words, direction):
    assert writing_direction(words) == direction


def luminance(colour):
    """Return the relative luminance of a colour as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


PALETTE = theme.PALETTE


def test_the_palette():
    first = ["blue", "brown", "green", "grey", "mauve", "ochre", "olive", "teal", "vermilion", "violet"]
    assert sorted(PALETTE) == first
    assert len(set(PALETTE.values())) == 10 and theme.UNUSED in PALETTE.values()
    assert theme.VERMILION not in theme.ROUNDS and theme.GREY not in theme.ROUNDS
    assert [theme.round_colour(n) for n in range(1, 11)] == [*theme.ROUNDS, theme.GREY, theme.GREY]
    assert len(set(theme.ROUNDS)) == 8, "no two of the rounds that the legend names look alike"
    assert theme.css_rgba("#1B7FC2", 0.16) == "rgba(27,127,194,0.16)"


def contrast(colour, background):
    lighter, darker = sorted([luminance(colour), luminance(background)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("background", [theme.LIGHT.paper, theme.DARK.paper])
@pytest.mark.parametrize("name", PALETTE)
def test_every_colour_can_be_seen_on_light_and_dark(name, background):
    assert contrast(PALETTE[name], background) >= 3


def test_files_are_read_on_their_own_paper():
    assert contrast(theme.INK, theme.PAPER) >= 7
    assert contrast("#000000", "#ffffff") == pytest.approx(21), "the measure itself"


@pytest.mark.parametrize(("paper", "ink"), [(theme.PAPER, theme.INK), (theme.DARK.paper, theme.DARK.ink)])
def test_counts_are_read_on_every_tint(paper, ink):
    """Check that counts have enough contrast on every tint, on paper and on a dark page.

    The dark page replaces black ink by a light one; white stays white."""
    assert f'g[fill="{theme.INK}"] {{ fill: currentColor; }}' in " ".join(RULES.split())
    for level in range(1, theme.LEVELS + 1):
        square = Shape("polygon", "shared", 0, ((0, 0),), level=level)
        tint, digit = placed_shapes.ink_of(square), placed_shapes.ink_of(square._replace(kind="digit"))
        both = [[int(c[n : n + 2], 16) for n in (1, 3, 5)] for c in (tint.colour, paper)]
        mixed = [round(tint.fill * a + (1 - tint.fill) * b) for a, b in zip(*both, strict=True)]
        seen = {theme.INK: ink, theme.PAPER: theme.PAPER}[digit.colour]
        assert contrast(seen, "#{:02x}{:02x}{:02x}".format(*mixed)) >= 4, level


# ---------------------------------------------------------------- looks

ELSEWHERE = "matched elsewhere: the reference word changed"

SHIFTS = {
    "new": (theme.MAUVE, "new shift", ""),
    "gone": (theme.GREEN, "shift that is gone", ""),
    "kept": (theme.GREY, "shift in both", ""),
}

MARKERS = ("dot", "diamond", "triangle", "hexagon", "cross", "plus", "minus")
MEANINGS = {  # role and kind → colour, text in the legend, hover text
    ("used", "dot"): (theme.BLUE, "match, used", "used"),
    ("used", "diamond"): (theme.BLUE, "same stem", "used, same stem"),
    ("used", "triangle"): (theme.BLUE, "synonym", "used, synonym"),
    ("used", "hexagon"): (theme.BLUE, "similar word", "used, similar word"),
    ("letters", "polygon"): (theme.BLUE, "letters that match, as a share of the word", "letters that match"),
    ("letters", "digit"): (theme.INK, "how many letters match", ""),
    ("unused", "ring"): (theme.GREY, "match, not used", "match, not used"),
    ("round", "polygon"): ("", "", "used"),
    ("round", "digit"): ("", "", ""),
    ("substituted", "cross"): (theme.MAUVE, "substituted word", "substituted"),
    ("extra", "plus"): (theme.MAUVE, "extra word", "extra word"),
    ("extra", "line"): (theme.MAUVE, "", ""),
    ("missing", "minus"): (theme.MAUVE, "missing word", "missing word"),
    ("missing", "line"): (theme.MAUVE, "", ""),
    ("block", "polygon"): (theme.BLUE, "run as a block", ""),
    ("cut", "polygon"): (theme.GREY, "run that was cut", ""),
    ("area", "polygon"): (theme.OCHRE, "neighbours as two triangles", ""),
    ("path", "line"): (theme.BLUE, "path, in order", ""),
    ("link", "line"): (theme.BLUE, "", ""),
    ("arrow", "line"): ("", "where a block is moved", ""),
    ("arrow", "polygon"): ("", "", ""),
    ("kept", "polygon"): (theme.BLUE, "run in both", "run in both"),
    ("gained", "polygon"): (theme.GREEN, "new run", "new run"),
    ("lost", "polygon"): (theme.MAUVE, "run that is gone", "run that is gone"),
    ("kept", "line"): (theme.BLUE, "run in both", ""),
    ("gained", "line"): (theme.GREEN, "new run", ""),
    ("lost", "line"): (theme.MAUVE, "run that is gone", ""),
    ("kept area", "polygon"): (theme.OCHRE, "neighbours in both", ""),
    ("new area", "polygon"): (theme.GREEN, "new neighbours", ""),
    ("gone area", "polygon"): (theme.MAUVE, "neighbours that are gone", ""),
    ("new pair", "line"): (theme.MAUVE, "new discordant pair", ""),
    ("gone pair", "line"): (theme.GREEN, "discordant pair that is gone", ""),
    **{(f"{role} shift", kind): meaning for role, meaning in SHIFTS.items() for kind in ("line", "polygon")},
    ("kept", "dot"): (theme.BLUE, "matched in both", "matched in both"),
    ("gained", "triangle"): (theme.GREEN, "newly matched", "newly matched"),
    ("lost", "cross"): (theme.MAUVE, "no longer matched", "no longer matched"),
    ("elsewhere", "line"): (theme.VIOLET, "", ""),
    ("elsewhere", "hollow"): (theme.VIOLET, ELSEWHERE, "matched here before"),
    ("elsewhere", "diamond"): (theme.VIOLET, ELSEWHERE, "matched here now"),
    ("moved", "line"): (theme.VIOLET, "", ""),
    ("moved", "ring"): (theme.VIOLET, "moved: the word is elsewhere", "moved from here"),
    ("moved", "hexagon"): (theme.VIOLET, "moved: the word is elsewhere", "moved to here"),
    **{
        (role, kind): (colour, says, f"{says}: {what} word")
        for role, colour, says in (
            ("new error", theme.MAUVE, "new error"),
            ("gone error", theme.GREEN, "error that is gone"),
            ("kept error", theme.GREY, "error in both"),
        )
        for kind, what in (("polygon", "another"), ("plus", "extra"), ("minus", "missing"))
    },
    ("number", "digit"): (theme.INK, "number of its round or shift", ""),
    ("cut through", "line"): (theme.GREY, "row of the other output within a run", ""),
    ("length", "digit"): (theme.INK, "length of a run that such a row cuts", ""),
    ("went", "line"): (theme.GREY, "word that is gone", ""),
    ("came", "line"): (theme.GREY, "word that is new", ""),
    ("always", "ring"): (theme.VIOLET, "on every best alignment", ""),
    ("always", "polygon"): (theme.VIOLET, "on every best alignment", ""),
    ("sometimes", "polygon"): (theme.VIOLET, "on some best alignments", ""),
    ("first", "polygon"): (theme.BLUE, "", ""),
    ("second", "polygon"): (theme.OCHRE, "", ""),
    ("both", "ring"): (theme.GREY, "", ""),
    ("shared", "polygon"): (theme.BLUE, "", ""),
    ("shared", "digit"): (theme.BLUE, "", ""),
    ("pair", "curve"): (theme.BLUE, "shared pair", ""),
    ("absent", "curve"): (theme.GREY, "pair that does not count", ""),
    ("aligned", "line"): (theme.BLUE, "aligned words", ""),
    ("aligned", "dot"): (theme.BLUE, "", "aligned"),
    ("aligned stem", "line"): (theme.BLUE, "same stem", ""),
    ("aligned stem", "dot"): (theme.BLUE, "", "aligned, same stem"),
    ("aligned synonym", "line"): (theme.BLUE, "synonyms", ""),
    ("aligned synonym", "dot"): (theme.BLUE, "", "aligned, synonyms"),
    ("aligned similar", "line"): (theme.BLUE, "similar words", ""),
    ("aligned similar", "dot"): (theme.BLUE, "", "aligned, similar words"),
    ("chunk", "polygon"): (theme.BLUE, "chunk of several words", ""),
    ("crossing", "cross"): (theme.MAUVE, "crossing: two words whose order is reversed", "order reversed"),
    ("meeting", "diamond"): (theme.MAUVE, "discordant pair: two words on the same reference word", ""),
    ("discordant", "cross"): (theme.MAUVE, "discordant pair: two words whose order is reversed", ""),
    **{("hit", kind): (theme.GREY, "match", "match") for kind in ("ring", "polygon", "line")},
    ("filled", "digit"): (theme.INK, "value of the table", ""),
    ("filled beside", "digit"): (theme.INK, "value of the second table", ""),
    **{("taken", kind): (theme.BLUE, "taken", "taken") for kind in ("polygon", "dot", "line", "curve")},
    **{("taken stem", kind): (theme.BLUE, *["taken, same stem"] * 2) for kind in ("diamond", "line")},
    **{("taken synonym", kind): (theme.BLUE, *["taken, synonyms"] * 2) for kind in ("triangle", "line")},
    ("taken similar", "polygon"): (theme.BLUE, *["taken, similar words"] * 2),
    **{("rejected", kind): (theme.MAUVE, "rejected", "rejected") for kind in ("polygon", "line", "cross", "curve")},
    **{("considered", kind): (theme.OCHRE, "considered", "considered") for kind in ("polygon", "line", "curve")},
    **{("came from", kind): (theme.VIOLET, "came from", "came from") for kind in ("polygon", "line")},
    ("filled now", "polygon"): (theme.GREEN, "cell of this step", "cell of this step"),
    ("used up", "line"): (theme.GREY, "word that is used up", ""),
    ("marked", "line"): (theme.BROWN, "error that people marked", ""),
    ("marked minor", "line"): (theme.BROWN, "minor error that people marked", ""),
    **{("selected", kind): (theme.VERMILION, "", "") for kind in ("polygon", "line", "digit", *MARKERS)},
    ("selected block", "polygon"): (theme.VERMILION, "", ""),
    ("selected arrow", "line"): (theme.VERMILION, "", ""),
    ("selected arrow", "polygon"): (theme.VERMILION, "", ""),
}


def test_every_look_means_what_it_says():
    assert {look: (about.colour, about.legend, about.hover) for look, about in theme.LOOKS.items()} == MEANINGS


def test_only_what_is_chosen_is_vermilion():
    assert [look for look, about in theme.LOOKS.items() if about.colour == theme.VERMILION] == [
        look for look in theme.LOOKS if look[0].startswith("selected")
    ]


WORDS = {  # relation of a word to its partner, or its error → the word's classes
    "equal": "u",
    "stem": "u st",
    "synonym": "u sy",
    "similar": "u sy",
    "different": "er es",
    "extra": "er ei",
    "missing": "er ed",
}


def test_words_look_by_their_relation():
    assert {how: " ".join(theme.word_classes(how)) for how in WORDS} == WORDS


def test_marks_that_mean_another_thing_look_another_way():
    """Check that no two meanings of marks share a form, because colour alone may not distinguish them."""
    forms = {}
    for (role, kind), look in theme.LOOKS.items():
        if kind in (*MARKERS, "hollow", "ring") and not role.startswith("selected"):
            forms.setdefault((kind, look.style, look.size), set()).add(look.colour)
    several = {form for form, colours in forms.items() if len(colours) > 1}
    assert several <= {(kind, "solid", 0.25) for kind in ("triangle", "diamond", "hexagon")}
    # A triangle means a synonym or a gain, a diamond a stem or a match elsewhere, a hexagon a similar or a moved word.
    # The two meanings are never in one picture. Lost errors are dashed, and errors of both outputs are small.
    drawn = [
        {kind for role, kind in theme.LOOKS if role in roles}
        for roles in (("used",), ("kept", "gained", "lost", "elsewhere", "moved"))
    ]
    assert drawn == [
        {"dot", "diamond", "triangle", "hexagon"},
        {"dot", "triangle", "cross", "line", "hollow", "diamond", "ring", "hexagon", "polygon"},
    ]


def produced_looks(monkeypatch):
    """Return the (role, kind) of every shape that is drawn for the results used in tests."""
    out = set()
    monkeypatch.setitem(metrics.METRICS, "made", MADE)
    results = [result_of(*case) for case in CASES]
    for result in results:
        used = sorted(marks.cell_uses(result))
        ties = (frozenset(used[::2]), frozenset(used[1::2]))
        out |= {(s.role, s.kind) for s in marks.ResultMarks.from_result(result).shapes(all_hits(result), ties=ties)}
        for layer, found in enumerate(result.layers):
            for t in range(min(2, len(found.marks))):
                out |= {(s.role, s.kind) for s in marks.ResultMarks.from_result(result).shapes((), Selection(layer, t))}
    a, b = result_of("gtm", "two references"), result_of("rouge_l", "two references")
    out |= {(s.role, s.kind) for s in overlay.overlay(a, b) + overlay.overlay_many({Hit(0, 0, 0): 1}, 1)}

    for key, one, other, reference in (
        ("gtm", "the cat sat on a mat x", "a mat the cat sat today today", "a cat sat on the mat today"),
        ("gtm", "p q x r s", "p q r s y y", "p q r s"),
        ("gtm", "p q r s", "p q x r y s", "p q r s"),
        ("per", "a", "b a", "a b c"),
        ("wer", "x b q d z", "a b q y d", "a b c d e"),
        ("wer", "a x d e q", "x a d y e", "a b d e"),
        ("wer", "x a d", "x a b c e", "a b c d e"),
        ("sia", "a b c", "a c b", "a b c"),
        ("gtm", "p q r", "p q r z", "p q r"),
        ("wer", "x b d", "x b d z", "a b c d"),
        ("gtm", "a b x", "a b c d", "a b y c d|x a b c d"),
        ("rouge_l", "a", "b a", "a b a"),
        ("wer", "a b d e f", "z b d e f", "a b c d e f"),
        ("meteor", "a b x c d", "a b c y d", "a b c d"),
        ("dcs", "a b x c d", "a b x c d z", "a b y c d"),
        ("dcs", "a b x c d e f", "a b c d x e f", "a b c d e f"),
        ("ribes", "b a c d e", "a b c e d", "a b c d e"),
        ("ter", "c d a b x f e", "c d a b x e f", "a b c d e f"),
        ("gtm", "t a w s by p d .", "t a w s d by t p .", "t a w s to e by t p .|t a w k by p ."),
    ):
        before, after = (
            metrics.score(key, words.split(), [r.split() for r in reference.split("|")]) for words in (one, other)
        )
        for first, second in ((before, after), (after, before)):
            shapes = comparison.difference_shapes(output_pair(first, second), [all_hits(first), all_hits(second)])
            out |= {(s.role, s.kind) for s in shapes}

    finished = arcs._gridless_picture

    def picture(size, font, labels, drawn, says):
        out.update((look.role, look.kind) for look, members in drawn if members)
        return finished(size, font, labels, drawn, says)

    monkeypatch.setattr(arcs, "_gridless_picture", picture)
    for result in results:
        if arcs.picture_kind(result):
            arcs.picture_of(*result.segment, result, 700)
    lines = metrics.score("meteor", "dogs bark a b".split(), ["bark dog b a".split()])
    synonyms = MADE_RESULTS["stages and chunks"]
    chunks = Layer("chunks", (Run(0, 0, 1, 1),), (1.0,), statistics=("chunks",))
    similar = Layer("similar", (Hit(5, 0, 6),), (1.0,), relation="similar")
    meeting = metrics.score("ribes", "c a c".split(), ["a c a".split()])
    for result in (lines, meeting, replace(synonyms, layers=(*synonyms.layers[:3], chunks))):
        arcs.picture_of(*result.segment, result, 700)
    errors = (MarkedError("target", 0, 1, "", "Major"), MarkedError("target", 2, 3, "", "minor"))
    out |= {(s.role, s.kind) for s in error_spans.error_lines(replace(texts_of(a), marked=errors))}
    out |= {*steps.ORDER, ("used up", "line")}  # tests/draw/test_steps.py checks that each of these is drawn
    cut = synonyms.layers[0]._replace(marks=synonyms.layers[0].marks[:1], credits=(1.0,))
    arcs.picture_of(*synonyms.segment, replace(synonyms, layers=(cut, similar, chunks)), 700)
    return out


def test_every_look_is_drawn_and_everything_drawn_has_a_look(monkeypatch):
    produced = produced_looks(monkeypatch)
    assert produced - set(theme.LOOKS) == set()
    assert set(theme.LOOKS) - produced == set()


def test_style_sheets_have_the_same_palette():
    css = theme.palette_css()
    assert dict(re.findall(r"--(\w+): (#\w+);", css)) == {**PALETTE, "unused": theme.UNUSED, "selected": theme.SELECTED}
    rounds = re.findall(r"\.(\w+) { --c: (#\w+) !important; }", css)
    assert rounds == [(theme.round_class(n), theme.round_colour(n)) for n in range(1, len(theme.ROUNDS) + 2)]
    assert theme.round_class(40) == "n9"


def colours_of(text):
    """Return the colours that a text names as #rrggbb or #rgb, in lower case and written out."""
    each = {colour.lower() for colour in re.findall(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b", text)}
    return {colour if len(colour) == 7 else "#" + "".join(2 * letter for letter in colour[1:]) for colour in each}


def test_every_colour_stands_in_the_theme():
    """Check Streamlit's configuration, the logo, style sheets and saved pages against the one table of colours."""
    known = {*PALETTE.values(), *theme.LIGHT, *theme.DARK, theme.DARK_CONTROLS, theme.TIP}
    known = {"#000000", *[colour.lower() for colour in known]}  # black is for print
    config = ROOT / ".streamlit" / "config.toml"
    files = [config, ROOT / "viz" / "logo.svg", *(ROOT / "viz").rglob("*.css"), *(ROOT / "viz" / "save").rglob("*.py")]
    unknown = {path.name: found for path in files if (found := colours_of(path.read_text("utf-8")) - known)}
    assert not unknown
    of = tomllib.loads(config.read_text("utf-8"))["theme"]
    assert of["primaryColor"] == theme.BLUE and of["dark"].pop("primaryColor") == theme.DARK_CONTROLS
    for ground, name in ((theme.LIGHT, "light"), (theme.DARK, "dark")):
        names = ("backgroundColor", "secondaryBackgroundColor", "textColor")
        assert of[name] == dict(zip(names, ground, strict=True))


NUMBERS = [(0.5209, "0.521", ".52"), (0, "0.000", ".00"), (1, "1.000", "1.0"), (0.9951, "0.995", "1.0")]


@pytest.mark.parametrize(("value", "score", "fraction"), NUMBERS)
def test_numbers(value, score, fraction):
    assert (score_text(value), fraction_text(value)) == (score, fraction)


def test_large_scores_keep_their_room():
    assert score_text(9.9994) == "9.999" and score_text(9.9999) == "10.00"
