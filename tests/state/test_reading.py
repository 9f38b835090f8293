"""Tests of how the lines of the references field are understood: as separate references, or as pieces of one text.

Real references of several lines are not joined. For a text broken at a column or into paragraphs, joining is
suggested."""

from __future__ import annotations

import textwrap
from itertools import combinations

import pytest

from tests.helpers.corpora import FOLDER, SYSTEMS, load_lines
from tests.helpers.counting import lines_run
from viz.frame.examples import EXAMPLES, PAIRS
from viz.state.texts import reading
from viz.state.texts.inputs import suggest_joined_systems

REFERENCES = [load_lines("reference.A"), load_lines("reference.B")]
OUTPUTS = [load_lines(name) for name in SYSTEMS]
CHINESE = (FOLDER / "source.zh.txt").read_text(encoding="utf-8").splitlines()
LINES = range(len(REFERENCES[0]))

FOX = "The quick brown fox jumps over the lazy dog while the old cat sleeps in the warm sun by the door."
TRIP = "我们今天去北京看长城然后再去上海"
KNOWN = [  # the lines, the candidate's number of characters, the texts that the lines rather are
    (textwrap.fill(FOX, 40), 0, [FOX]),
    (textwrap.fill(FOX, 72), 0, [FOX]),
    (textwrap.fill(FOX, 72), 95, [FOX]),
    (f"{FOX}\n\nNobody knows how long they stayed there.", 0, [f"{FOX} Nobody knows how long they stayed there."]),
    (f"{FOX}\nNobody knows why.", 0, [f"{FOX} Nobody knows why."]),
    (f"{FOX}\nNobody knows why.", 98, None),  # the candidate is as long as the first line
    (f"{FOX}\nNobody knows why.", 115, [f"{FOX} Nobody knows why."]),
    (f"{FOX}\nThe quick brown fox leaps over the lazy dog.", 0, None),  # a free and a shortened translation
    ("a cat\na dog and a bird", 0, None),  # too short to tell
    ("one line\nand another", 0, None),
    (FOX, 0, None),
    ("", 0, None),
    (" \n \n", 0, None),
    ("a\n" * 100, 0, None),
    ("x\n\n\ny", 0, ["x y"]),
    (
        "我们今天去北京看长城然后再去上海\n看东方明珠晚上坐火车回来。",
        0,
        ["我们今天去北京看长城然后再去上海看东方明珠晚上坐火车回来。"],
    ),
]


@pytest.mark.parametrize(("text", "length", "rather"), KNOWN, ids=[repr(text[:20]) for text, _, _ in KNOWN])
def test_what_lines_rather_are(text: str, length: int, rather: list[str] | None) -> None:
    assert reading.suggest_joining(text, length) == rather


def test_real_references_are_left_in_peace() -> None:
    """Check that no joining is suggested for two people's translations of one sentence.

    That holds also with an empty line between them, except for at most 5 sentences."""
    for gap, most in (("\n", 0), ("\n\n", 5)):
        asked = [
            n
            for n in LINES
            if reading.suggest_joining(gap.join(each[n] for each in REFERENCES), len(OUTPUTS[n % 3][n])) is not None
        ]
        assert len(asked) <= most, [[each[n] for each in REFERENCES] for n in asked]


def test_so_are_outputs_of_systems_and_references_before_a_candidate_is_there() -> None:
    texts = [*REFERENCES, *OUTPUTS]
    sets = ["\n".join(each[n] for each in some) for k in (2, 3, 4) for some in combinations(texts, k) for n in LINES]
    asked = [one for one in sets if reading.suggest_joining(one) is not None]
    assert len(asked) < 0.005 * len(sets), len(asked)


@pytest.mark.parametrize("column", [40, 60, 72, 80])
def test_texts_that_were_broken_at_a_column_are_found(column: int) -> None:
    texts = [" ".join(REFERENCES[0][n : n + 1 + n % 3]) for n in LINES]
    broken = [lines for text in texts if len(lines := textwrap.wrap(text, column)) > 1]
    missed = [lines for lines in broken if reading.suggest_joining("\n".join(lines)) != [reading.join_lines(lines)]]
    assert len(missed) < 0.07 * len(broken), missed


def test_so_are_those_of_a_script_without_spaces() -> None:
    texts = ["".join(CHINESE[n : n + 2]) for n in LINES]
    broken = [lines for text in texts if len(lines := textwrap.wrap(text, 20)) > 1]
    missed = [lines for lines in broken if reading.suggest_joining("\n".join(lines)) is None]
    assert len(missed) < 0.05 * len(broken), missed


def test_paragraphs_are_found() -> None:
    """Check that joining is suggested for the paragraphs of one document, if the candidate is as long as the document.

    At most 5 % of the documents may be missed."""
    starts = range(0, len(LINES) - 4, 4)
    documents = ["\n\n".join(REFERENCES[0][n : n + 4]) for n in starts]
    lengths = [len(" ".join(OUTPUTS[0][n : n + 4])) for n in starts]
    missed = [d for d, length in zip(documents, lengths, strict=True) if reading.suggest_joining(d, length) is None]
    assert len(missed) < 0.05 * len(documents), missed


def test_two_references_that_were_broken_are_two() -> None:
    both = ["\n\n".join(textwrap.fill(each[n], 50) for each in REFERENCES) for n in LINES]
    broken = [text for text in both if text.count("\n") > 3]
    right = [text for text in broken if len(reading.suggest_joining(text) or []) == 2]
    assert len(right) > 0.85 * len(broken)


def test_no_example_is_asked_about() -> None:
    for example in EXAMPLES:
        assert reading.suggest_joining(example.references) is None, example.name
    for pair in PAIRS:
        assert reading.suggest_joining(pair.references) is None, pair.name
        assert suggest_joined_systems("\n".join(text for _, text in pair.systems)) is None, pair.name


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ([], ""),
        ([" a ", "b"], "a b"),
        (["trans\u00ad", "lation"], "translation"),
        (["well-", "known"], "well-known"),
        (["this -", "that"], "this - that"),
        (["我爱北京", "天安门"], "我爱北京天安门"),
        (["我 爱 北京", "天安门 。"], "我 爱 北京 天安门 。"),  # already segmented
        (["我爱", "Google"], "我爱 Google"),
    ],
)
def test_lines_are_joined(lines: list[str], joined: str) -> None:
    assert reading.join_lines(lines) == joined


@pytest.mark.parametrize(
    ("text", "rather"),
    [
        (textwrap.fill(FOX, 40), [("", FOX)]),
        (f"A: {textwrap.fill(FOX, 40)}\nB: {FOX}", [("A", FOX), ("B", FOX)]),
        (f"A: {FOX}\nB: {FOX}", None),
        (f"A: {FOX}\n{FOX}", None),
    ],
)
def test_pasted_systems_rather_are(text: str, rather: list[tuple[str, str]] | None) -> None:
    assert suggest_joined_systems(text) == rather


def test_the_longest_texts_are_looked_through_in_a_few_steps() -> None:
    """Check that the steps grow in proportion to the words and lines of a text, not to their square."""
    for piece in ("a b ", "ab\n", "字"):
        small, large = (
            lines_run(lambda: (reading.suggest_joining(piece * many), suggest_joined_systems(piece * many)))
            for many in (500, 5_000)
        )
        assert large < 12 * small
