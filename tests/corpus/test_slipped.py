"""Tests that shifted lines are found where they begin, that clean files give none, and that repairs put lines back."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.corpus.shifted_lines import LineShift, ReferenceMatcher, find_line_shifts, make_repair, offset_path
from tests.helpers.corpora import SYSTEMS, load_lines, load_segments, load_token_lines
from tests.helpers.counting import lines_run


def reference_matcher(count=1):
    return ReferenceMatcher([list(segment.references) for segment in load_segments(SYSTEMS[0], count)])


SOURCE = [tuple(line.split()) for line in load_lines("source", "zh")]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("count", [1, 2])
def test_clean_files_and_their_parts_are_silent(name, count):
    assert find_line_shifts(load_token_lines(name), reference_matcher(count)) == ()
    assert find_line_shifts(load_token_lines("reference.B"), reference_matcher()) == ()
    theirs = [list(segment.references) for segment in load_segments(name, count)]
    for size in (10, 20, 30):
        for start in range(0, 60, size):
            part = slice(start, start + size)
            assert find_line_shifts(load_token_lines(name)[part], ReferenceMatcher(theirs[part])) == ()


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("tenth", range(10))
@pytest.mark.parametrize("kind", ["put in", "lost", "doubled"])
def test_a_slip_is_named_within_two_lines(name, tenth, kind):
    output = load_token_lines(name)
    at = min(len(output) - 8, max(1, round(len(output) * (tenth + 0.5) / 10)))
    slipped = {
        "put in": [*output[:at], load_token_lines("reference.B")[(at * 7) % 60], *output[at:]],
        "lost": [*output[:at], *output[at + 1 :]],
        "doubled": [*output[: at + 1], *output[at:]],
    }[kind]
    (found,) = find_line_shifts(slipped, reference_matcher())
    assert found.offset == (1 if kind == "lost" else -1)
    assert abs(found.line - (at + 1 + (kind != "lost"))) <= 2


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(SYSTEMS),
    st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), min_size=1, max_size=3),
    st.integers(0, 4),
)
def test_several_slips_of_one_to_three_lines_are_found_and_repaired(name, changes, later):
    """Check that places where one to three lines were lost or put in are found and repaired, in files of 180 lines.

    The files hold three systems one after the other. After the repair every line is at its original position, except
    lost lines and lines within two of such a place."""
    names = [name, *[other for other in SYSTEMS if other != name]]
    output = [line for each in names for line in load_token_lines(each)]
    theirs = ReferenceMatcher([[line] for _ in SYSTEMS for line in load_token_lines("reference.A")])
    slipped, want, last, offset = [], [], 0, 0
    for number, change in enumerate(changes):
        at = 30 + 45 * number + later
        slipped += output[last:at]
        if change < 0:
            slipped += [("something", "else", str(n)) for n in range(-change)]
        last, offset = at + max(change, 0), offset + change
        want.append((len(slipped) + 1, offset))
    slipped += output[last:]
    found = find_line_shifts(slipped, theirs)
    assert [slip.offset for slip in found] == [offset for _, offset in want]
    assert all(abs(slip.line - line) <= 2 for slip, (line, _) in zip(found, want, strict=True))
    mended = make_repair(len(slipped), found, len(output)).apply(slipped, ())
    assert len(mended) == len(output)
    unlike = [n for n, line in enumerate(mended) if line != output[n]]
    assert len(unlike) <= sum(max(change, 0) + 2 for change in changes)


def test_the_way_back():
    output = load_token_lines(SYSTEMS[0])
    slipped = [*output[:10], ("one", "more"), *output[10:30], *output[31:]]
    found = find_line_shifts(slipped, reference_matcher())
    assert [(slip.offset, slip.before, slip.missing_line_count) for slip in found] == [(-1, 0, 0), (0, -1, 1)]
    assert found[0].line == 12 and [*found[0].extra_lines] == [11] and abs(found[1].line - 32) <= 1


def test_what_has_no_words_in_common_is_compared_by_its_length():
    """Check that the source, in another script, is aligned by the lengths of its lines."""
    assert find_line_shifts(SOURCE, reference_matcher()) == ()
    for at in (15, 25, 40):
        (found,) = find_line_shifts([*SOURCE[:at], SOURCE[at - 9], *SOURCE[at:]], reference_matcher())
        assert found.offset == -1 and abs(found.line - (at + 2)) <= 3


def test_texts_without_spaces_are_compared_by_their_letters():
    chance = random.Random(4)
    noisy = [("".join([c for word in line for c in word if chance.random() < 0.7]),) for line in SOURCE]
    theirs = ReferenceMatcher([[("".join(line),)] for line in SOURCE])
    assert theirs.unspaced and not reference_matcher().unspaced
    assert find_line_shifts(noisy, theirs) == ()
    (found,) = find_line_shifts([*noisy[:30], *noisy[32:]], theirs)
    assert found.offset == 2 and abs(found.line - 31) <= 1


@pytest.mark.parametrize("seed", range(3))
def test_other_and_shuffled_texts_did_not_slip(seed):
    chance = random.Random(seed)
    for file in (load_token_lines(SYSTEMS[0]), SOURCE):
        assert find_line_shifts(chance.sample(file, len(file)), reference_matcher()) == ()
    few = [tuple(text.split()) for text in ("Yes .", "No .", "Thank you .", "( Applause )", "What ?")]
    theirs = chance.choices(few, k=100)
    ours = [line if chance.random() < 0.6 else chance.choice(few) for line in theirs]
    assert find_line_shifts(ours, ReferenceMatcher([[line] for line in theirs])) == ()


def test_files_of_other_lengths_and_of_nothing():
    assert find_line_shifts([], reference_matcher()) == ()
    assert find_line_shifts(load_token_lines(SYSTEMS[0]), ReferenceMatcher([])) == ()
    assert find_line_shifts([()] * 8, ReferenceMatcher([[()]] * 8)) == ()
    assert find_line_shifts(load_token_lines(SYSTEMS[0])[:20], reference_matcher()) == ()


def test_the_path_is_the_best_of_all_paths():
    """Check that the alignment of an output's lines with the references' is the best of all paths, for a few lines.

    A path gives each line an offset. Its value is the sum of the cells it passes, minus `price` for each change of
    offset.
    Where the offset falls, the lines between are aligned with nothing."""
    import numpy as np

    def best_path_value(found, price):
        size, width = found.shape

        def best_sum_from(line, at):
            """Return the best sum of cells from `line` on, if the line before it has the offset with index `at`."""
            if line >= size:
                return 0.0
            sums = [found[line, at] + best_sum_from(line + 1, at)]
            for to in range(width):
                start = line + max(0, at - to)
                if to != at and start < size:
                    sums.append(found[start, to] - price + best_sum_from(start + 1, to))
            return max(sums)

        return best_sum_from(0, width // 2)

    chance = np.random.default_rng(1)
    for _ in range(30):
        found = chance.random((int(chance.integers(1, 7)), 3))
        price = float(chance.choice([0.1, 0.4, 1.0]))
        got = offset_path(found, price)
        assert got[-1].end == len(found) + 1
        value = sum(found[line - 1, each.offset + 1] for each in got for line in range(each.line, each.end))
        offsets = [0, *[each.offset for each in got]]
        value -= price * sum(a != b for a, b in pairwise(offsets))
        assert value == pytest.approx(best_path_value(found, price), abs=1e-12)


def test_repaired_lines_stand_beside_what_they_fit():
    taken = make_repair(6, [LineShift(4, -1)], 5)
    assert taken.apply("abxcde", "-") == [*"abcde"] and (taken.taken_lines, taken.empty_segments) == ((3,), ())
    lost = make_repair(2, [LineShift(2, 1)], 3)
    assert lost.apply("ac", "-") == [*"a-c"] and (lost.taken_lines, lost.empty_segments) == ((), (2,))
    both = make_repair(6, [LineShift(3, -1), LineShift(5, 0, -1)], 6)
    assert both.apply("axbdef", "-") == list("abd-ef")
    assert (both.taken_lines, both.empty_segments) == ((2,), (4,))
    assert make_repair(4, [LineShift(3, -2)], 4).apply("xyab", "-") == [*"ab--"]


def test_twice_as_many_lines_take_twice_as_much_work():
    """Check that the work grows linearly with the lines; comparing all pairs of lines would take four times as much."""

    def count_lines_run(times):
        output = load_token_lines(SYSTEMS[0]) * times
        theirs = [list(segment.references) for segment in load_segments(SYSTEMS[0], 1)] * times
        return lines_run(lambda: find_line_shifts(output, ReferenceMatcher(theirs)))

    assert count_lines_run(20) < 2.5 * count_lines_run(10)
