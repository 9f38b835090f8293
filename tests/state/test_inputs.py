"""Tests of the texts that a visitor types or pastes.

They give a segment to score, or one sentence that says what is wrong; the typed text is never lost."""

import pytest

from metrics.text import TextSettings, process
from viz.draw.texts import ProcessedTexts
from viz.state.texts import inputs
from viz.state.texts.inputs import MissingKind, TextLimits

PLAIN = TextSettings()
PASTE = "Paste {} above, or choose an example. Scores and the grid appear here."
KEPT = "Shorten it to see scores; your text is kept."


def too_much(who, has, more, most):
    return f"{who} has {has}, {more} more than the {most} that fit. {KEPT}"


TOO_MANY = "17 references are 1 more than the 16 that fit. Remove lines to see scores; your text is kept."
SENTENCES = [  # candidate, references, kind, sentence
    ("", "", MissingKind.NOTHING, PASTE.format("a candidate and at least one reference")),
    ("a", "", MissingKind.REFERENCE, PASTE.format("a reference")),
    ("", "a", MissingKind.CANDIDATE, PASTE.format("a candidate")),
    (" \t\n\u3000\xa0", " \r\n \u2003", MissingKind.NOTHING, PASTE.format("a candidate and at least one reference")),
    ("a", "\n\r\n \r", MissingKind.REFERENCE, PASTE.format("a reference")),
    ("a " * 2001, "a", MissingKind.TOO_LONG, too_much("The candidate", "2,001 words", "1", "2,000")),
    ("a", "b\n" + "a " * 2500, MissingKind.TOO_LONG, too_much("Reference 2", "2,500 words", "500", "2,000")),
    ("a" * 200_001, "a", MissingKind.TOO_LONG, too_much("The candidate", "200,001 characters", "1", "200,000")),
    ("a", "a" * 300_000, MissingKind.TOO_LONG, too_much("Reference 1", "300,000 characters", "100,000", "200,000")),
    ("a", "b\n" * 17, MissingKind.TOO_MANY, TOO_MANY),
]
IDS = [f"{len(c)} and {len(r)}" for c, r, *_ in SENTENCES]


@pytest.mark.parametrize(("candidate", "references", "kind", "sentence"), SENTENCES, ids=IDS)
def test_bad_texts_get_one_sentence(candidate, references, kind, sentence):
    found = inputs.read_texts(candidate, references, PLAIN)
    assert (found.kind, str(found)) == (kind, sentence)
    assert found.is_untyped == sentence.startswith("Paste")


@pytest.mark.parametrize(
    ("candidate", "references", "who"),
    [("<skipped>", "a", "The candidate"), ("a", "<skipped>", "Reference 1"), ("a", "a\n<skipped>", "Reference 2")],
)
def test_a_tokeniser_that_leaves_nothing(candidate, references, who):
    answer = inputs.read_texts(candidate, references, TextSettings(tokenizer="13a"))
    assert answer.kind is MissingKind.WORDLESS and not answer.is_untyped
    assert str(answer) == (
        f"{who} has no words left after tokenising. Choose another tokeniser under Text, or change the text."
    )
    assert isinstance(inputs.read_texts(candidate, references, PLAIN), ProcessedTexts)


PASTE_FIRST = "Paste {} above, or choose an example. What changed appears here."
SYSTEMS = [  # outputs, references, kind, sentence
    (("", " \n"), "a", MissingKind.CANDIDATE, PASTE_FIRST.format("an output")),
    (("", "\t"), "", MissingKind.CANDIDATE, PASTE_FIRST.format("an output")),
    (("a", ""), " ", MissingKind.REFERENCE, PASTE_FIRST.format("a reference")),
    (("a", "b " * 2003), "a", MissingKind.TOO_LONG, too_much("new", "2,003 words", "3", "2,000")),
    (("a", "b"), "a\n<skipped>", MissingKind.WORDLESS, "Reference 2 has no words left after tokenising."),
]


@pytest.mark.parametrize(("outputs", "references", "kind", "sentence"), SYSTEMS, ids=range(len(SYSTEMS)))
def test_bad_systems_get_one_sentence(outputs, references, kind, sentence):
    given = list(zip(("old", "new"), outputs, strict=True))
    found = inputs.read_systems(given, references, TextSettings(tokenizer="13a"))
    assert found.kind is kind and str(found).startswith(sentence)


def test_a_place_has_its_own_room_and_its_own_words():
    room = TextLimits(2, 1, "Give {}.", "Then it is drawn.", "fit here", "Cut it.", "Cut them.")
    says = [
        str(inputs.read_texts(*given, PLAIN, room))
        for given in (("", "a"), ("a b c", "a"), ("a", "a\nb"), ("a", "a b c"))
    ]
    assert says == [
        "Give a candidate. Then it is drawn.",
        "The candidate has 3 words, 1 more than the 2 that fit here. Cut it.",
        "2 references are 1 more than the 1 that fit here. Cut them.",
        "Reference 1 has 3 words, 1 more than the 2 that fit here. Cut it.",
    ]
    assert isinstance(inputs.read_texts("a b", "a b", PLAIN, room), ProcessedTexts)


LIMITS = [("a " * 2000, "a"), ("a", "b\n" * 16), ("a" * 200_000, "b"), ("a\n" * 2000, "\n\na " * 16)]


@pytest.mark.parametrize(("candidate", "references"), LIMITS, ids=["words", "references", "characters", "lines"])
def test_what_just_fits_is_taken(candidate, references):
    assert isinstance(inputs.read_texts(candidate, references, PLAIN), ProcessedTexts)


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", TextSettings.rules()["tokenizer"].options)
@pytest.mark.parametrize("stemmer", ["none", "porter"])
def test_the_longest_texts_are_answered(tokenizer, stemmer):
    given = TextSettings(tokenizer=tokenizer, stemmer=stemmer, lowercase=True, nfkc=True)
    for text in ("ﬁve " * 1999 + tokenizer, "x" * 199_000 + stemmer):
        found, words = inputs.read_texts(text, text, given), process(text, given)
        assert isinstance(found, ProcessedTexts) if len(words) <= 2_000 else found.kind is MissingKind.TOO_LONG


LINES = [
    ("a\nb", ["a", "b"]),
    ("a\r\nb\r\n", ["a", "b"]),
    ("a\rb", ["a", "b"]),
    ("\n\n a \n\n", [" a "]),
    ("a\u2028b\x0bc", ["a\u2028b\x0bc"]),  # a line ends only where it ends in a text box
    ("", []),
]


@pytest.mark.parametrize(("text", "lines"), LINES, ids=ascii)
def test_references_are_lines(text, lines):
    assert inputs.reference_lines(text) == lines


def test_pictures_show_what_was_typed_and_matching_sees_its_forms():
    given = TextSettings(lowercase=True, stemmer="porter", nfkc=True)
    texts = inputs.read_texts("The  Cats\nﬁnd \ud800", "the cat FINDS\r\n\r\nA Ｃat", given)
    assert texts.candidate_words == ("The", "Cats", "ﬁnd", "\ud800")
    assert texts.reference_words == (("the", "cat", "FINDS"), ("A", "Ｃat"))
    assert texts.segment.candidate == ("the", "cat", "find", "\ud800")
    assert texts.segment.references == (("the", "cat", "find"), ("a", "cat"))
    assert texts.settings is given


# ---------------------------------------------------------------- pasted lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" \n\t\n", []),
        *[(text, [("", text)]) for text in ("It is red.", "Then it was five: thirty", "http://example.org is red")],
        *[(text, [("", text)]) for text in ("at 5:30", ": text", "name:")],
        ("Online-W: It is red.", [("Online-W", "It is red.")]),
        ("System 1 b: It is red.\r\n\r\nC:\tyes \n", [("System 1 b", "It is red."), ("C", "yes")]),
        ("new\tIt is red.", [("new", "It is red.")]),
        ("He said : go .", [("", "He said : go .")]),  # tokenised text
        ("It was five: thirty", [("It was five", "thirty")]),
        ("name: ", [("", "name:")]),
        ("a: b: c", [("a", "b: c")]),
        ("x" * 40 + ": y", [("x" * 40, "y")]),
        ("x" * 41 + ": y", [("x" * 41, "y")]),
        ("x" * 121 + ": y", [("", "x" * 121 + ": y")]),
        ("A: a cat\nthe system of last year: cats", [("A", "a cat"), ("the system of last year", "cats")]),
        ("the one of last year: a cat\n" * 2, [("", "the one of last year: a cat")] * 2),
        ("שם: טקסט", [("שם", "טקסט")]),
        ("a cat\n\nthe cat", [("", "a cat"), ("", "the cat")]),  # every line is set apart by a blank one
        ("a cat\n\n\nthe cat\n\n", [("", "a cat"), ("", "the cat")]),
        ("a cat\n\nthe cat\ncats", [("", "a cat"), ("", ""), ("", "the cat"), ("", "cats")]),
        ("A: a cat\n\nB: the cat\nC: cats", [("A", "a cat"), ("B", "the cat"), ("C", "cats")]),
        ("A: a cat\nB:\nC: cats\n", [("A", "a cat"), ("B", ""), ("C", "cats")]),
        ("A: a cat\nhe said :", [("A", "a cat"), ("", "he said :")]),
        ("a cat\nhe said:", [("", "a cat"), ("", "he said:")]),
    ],
)
def test_pasted(text, found):
    assert inputs.pasted_systems(text) == found


def test_a_long_pasted_line_is_read():
    assert len(inputs.pasted_systems(("a " * 50_000 + "\n") * 4 + "a:" * 50_000)) == 5
