"""What a user typed becomes a part of a page: always readable, never markup; and colours that can be told apart."""

import time

import pytest

from viz.draw import theme

VISIBLE = [  # text, how it is shown
    ("word", "word"),
    ("", "␣"),
    ("two words", "two words"),
    ("a\x00b", "a\ufffdb"),
    ("\x1b[31m", "\ufffd[31m"),
    ("a\u202eb\u2066c\u200fd", "a\ufffdb\ufffdc\ufffdd"),  # override, isolate, right-to-left mark
    ("\ud800", "\ufffd"),
    ("\ufeffa\u00adb", "\ufffda\ufffdb"),
    ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("می‌خواهم", "می‌خواهم"),  # holds a zero-width non-joiner
    ("e\u0301", "e\u0301"),
    ("𝔊", "𝔊"),
    ("x" * 40, "x" * 40),
    ("x" * 41, "x" * 39 + "…"),
    ("a\tb\nc", "a\ufffdb\ufffdc"),
]


@pytest.mark.parametrize(("text", "shown"), VISIBLE, ids=ascii)
def test_every_text_is_visible(text, shown):
    assert theme.visible(text) == shown
    theme.safe(text).encode()


SAFE = [
    ("<b>", "&lt;b&gt;"),
    ("&amp;", "&amp;amp;"),
    ("$x$", "&#36;x&#36;"),
    ("\"'", "&#34;&#39;"),
    ("<" * 50, "&lt;" * 39 + "…"),  # cut before it is escaped, so that no entity is cut in two
    ("%{x}", "%{x}"),
]


@pytest.mark.parametrize(("text", "shown"), SAFE)
def test_markup_is_escaped(text, shown):
    assert theme.safe(text) == shown


@pytest.mark.parametrize(
    "text",
    ["![x](http://example.org)", "[a](b)", "**bold** _it_ `code`", "$x$", ":red[x]", "<img src=x>", "~a~", "# h"],
)
def test_markdown_is_escaped(text):
    written = theme.markdown(text)
    assert written.replace("\\", "") == text
    for position, c in enumerate(written):
        assert c not in "*_`[]$<>~#!" or written[position - 1] == "\\"


@pytest.mark.parametrize("letter", ["a", "<", "\u0301", "\ud800", "ש", "\u202e"], ids=ascii)
def test_a_megabyte_word_takes_no_time(letter):
    word = letter * 1_000_000
    start = time.process_time()
    assert len(theme.visible(word)) == 40
    assert theme.breadth(theme.visible(word)) <= 41
    theme.safe(word), theme.direction([word])
    assert time.process_time() - start < 0.05


@pytest.mark.parametrize(
    ("text", "units"), [("abc", 3), ("漢字", 3.6), ("e\u0301", 1), ("", 0), ("שָ", 1), ("a\u200db", 2)], ids=ascii
)
def test_breadth_counts_what_is_seen(text, units):
    assert theme.breadth(text) == pytest.approx(units)


DIRECTIONS = [
    (["a", "ש"], "ltr"),
    (["ש", "a"], "rtl"),
    (["12", "(", "وصل"], "rtl"),
    (["1", "2", "."], "ltr"),
    ([], "ltr"),
    ([""], "ltr"),
    (["\u202e", "a"], "ltr"),
    (["昨日"], "ltr"),
]


@pytest.mark.parametrize(("words", "direction"), DIRECTIONS, ids=ascii)
def test_direction_is_that_of_the_first_letter(words, direction):
    assert theme.direction(words) == direction


def luminance(colour):
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


PALETTE = {n: c for n, c in vars(theme).items() if n.isupper() and isinstance(c, str) and c.startswith("#")}


@pytest.mark.parametrize("background", ["#ffffff", "#171614"])
@pytest.mark.parametrize("name", PALETTE)
def test_every_colour_can_be_seen_on_light_and_dark(name, background):
    lighter, darker = sorted([luminance(PALETTE[name]), luminance(background)], reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 3


def test_the_palette():
    assert len(PALETTE) == 7 and len(set(PALETTE.values())) == 7
    assert theme.VERMILION not in theme.ROUNDS and theme.GREY not in theme.ROUNDS
    assert [theme.round_colour(n) for n in range(1, 7)] == [*theme.ROUNDS, theme.BLUE]
    assert theme.rgba("#1B7FC2", 0.16) == "rgba(27,127,194,0.16)"


NUMBERS = [(0.5209, "0.521", ".52"), (0, "0.000", ".00"), (1, "1.000", "1.0"), (0.9951, "0.995", "1.0")]


@pytest.mark.parametrize(("value", "score", "fraction"), NUMBERS)
def test_numbers(value, score, fraction):
    assert (theme.score_text(value), theme.fraction_text(value)) == (score, fraction)


def test_large_scores_keep_their_room():
    assert theme.score_text(9.9994) == "9.999" and theme.score_text(9.9999) == "10.00"
