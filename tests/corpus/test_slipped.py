"""Lines that slipped are named where they begin, and clean files are not."""

import random
import time

import pytest
from corpora import SYSTEMS, lines, segments

from metrics.corpus.slipped import Slip, repaired, slips


def references(count=1):
    return [list(segment.references) for segment in segments(SYSTEMS[0], count)]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("count", [1, 2])
def test_clean_files_are_silent(name, count):
    assert slips(lines(name), references(count)) == ()
    assert slips(lines("reference.B"), references()) == ()


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("tenth", range(10))
@pytest.mark.parametrize("kind", ["put in", "lost", "doubled"])
def test_a_slip_is_named_within_two_lines(name, tenth, kind):
    output = lines(name)
    at = min(len(output) - 8, max(1, round(len(output) * (tenth + 0.5) / 10)))
    slipped = {
        "put in": [*output[:at], lines("reference.B")[(at * 7) % 60], *output[at:]],
        "lost": [*output[:at], *output[at + 1 :]],
        "doubled": [*output[: at + 1], *output[at:]],
    }[kind]
    (found,) = slips(slipped, references())
    assert found.offset == (1 if kind == "lost" else -1)
    assert abs(found.line - (at + 1 + (kind != "lost"))) <= 2


def test_two_slips_and_the_way_back():
    output = lines(SYSTEMS[0])
    slipped = [*output[:10], ("one", "more"), *output[10:30], *output[31:]]
    found = slips(slipped, references())
    assert [slip.offset for slip in found] == [-1, 0]
    assert abs(found[0].line - 12) <= 2 and abs(found[1].line - 32) <= 2
    mended = repaired(slipped, found, len(output))
    assert sum(line == output[n] for n, line in enumerate(mended)) >= len(output) - 4


def test_what_has_no_words_in_common_is_compared_by_its_length():
    """A source in another script."""
    chance = random.Random(4)
    theirs = references()
    foreign = [tuple(chance.choices("子在我們這個", k=max(1, len(each[0])))) for each in theirs]
    assert slips(foreign, theirs) == ()
    (found,) = slips([*foreign[:25], foreign[3], *foreign[25:]], theirs)
    assert found.offset == -1 and abs(found.line - 27) <= 3


def test_files_of_other_lengths_and_of_nothing():
    assert slips([], references()) == slips(lines(SYSTEMS[0]), []) == ()
    assert slips([()] * 8, [[()]] * 8) == ()
    assert slips(lines(SYSTEMS[0])[:20], references()) == ()


def test_repaired_lines_stand_beside_what_they_fit():
    output = [(word,) for word in "abxcde"]
    assert repaired(output, [Slip(4, -1)], 5) == [("a",), ("b",), ("c",), ("d",), ("e",)]
    assert repaired([("a",), ("c",)], [Slip(2, 1)], 3) == [("a",), None, ("c",)]


def test_many_lines_take_little():
    output, theirs = lines(SYSTEMS[0]) * 50, references() * 50
    start = time.process_time()
    slips(output, theirs)
    assert time.process_time() - start < 2  # 0.15 s on two quiet cores
