"""Tests that checking the files of a corpus finds problems, and repairs files in which lines are missing or extra.

A file is repaired only where its lines show at which line the fault is."""

from dataclasses import replace

import pytest

import metrics
from metrics.corpus.file_checks import apply_repairs, check_material, check_uneven_files
from metrics.corpus.file_warnings import FileWarningKind
from metrics.text import TextSettings
from metrics.text.formats import File, read
from tests.helpers.corpora import REAL, REFERENCE

TEXT = TextSettings()
A, B = REAL


def corpus_files(a=A, b=B, reference=REFERENCE):
    each = (("a.txt", a), ("b.txt", b), ("ref.txt", reference))
    return [File(name, "".join(f"{line}\n" for line in of).encode()) for name, of in each]


def run_checks(material, repairs_made=None):
    return check_material(material, TEXT, "gtm", metrics.settings("gtm"), repairs_made or {})


def test_lines_that_slipped_are_put_right():
    material = read(corpus_files(b=[*B[:20], *B[21:], "the end"]))
    found = run_checks(material)
    assert [doubt.kind for doubt in found.doubts] == [FileWarningKind.SLIPPED] and [*found.offered] == ["b"]
    before, after = found.offered["b"].scores
    assert before < after - 0.05 and found.offered["b"].does == "line 60 taken out and segment 21 left empty"
    right = apply_repairs(material, found.offered)
    assert right.systems["b"].lines == (*B[:20], "", *B[21:]) and right.systems["a"] is material.systems["a"]
    assert right.systems["b"].where(30) == "b.txt, line 30"
    again = run_checks(right, found.offered)
    assert again.doubts == () and again.offered == {}
    assert [doubt.lines for doubt in run_checks(right).doubts] == [(21,)]  # without the repairs, an empty line
    empty = replace(right.systems["b"], lines=("", *right.systems["b"].lines[1:]))
    (doubt,) = run_checks(replace(right, systems={**right.systems, "b": empty}), found.offered).doubts
    assert doubt.lines == (1,) and doubt.sentence == "b.txt, line 1: the output of b is empty there"


@pytest.mark.parametrize(
    ("a", "b", "does", "first"),
    [
        (A, [*B[:20], *B[21:]], {"b": "segment 21 left empty"}, "b.txt, line 21: from here on the lines fit"),
        (A, [*B[:20], B[19], *B[20:]], {"b": "line 20 taken out"}, "b.txt, line 21: from here on the lines fit"),
        (
            [*A[:41], *A[43:]],
            [*B[:30], "put in", *B[30:]],
            {"a": "segments 42 and 43 left empty", "b": "line 31 taken out"},
            "a.txt, line 42: from here on the lines fit the references 2 lines after them better than their own",
        ),
    ],
    ids=["lost", "doubled", "both"],
)
def test_files_of_other_lengths_are_put_right_where_they_show_where(a, b, does, first):
    material, found = check_uneven_files(corpus_files(a, b), {}, TEXT)
    assert {name: each.does for name, each in found.offered.items()} == does
    assert found.doubts[0].sentence.startswith(first)
    assert [*material.systems] == ["a", "b"] and len(material.files) == 3
    right = apply_repairs(material, found.offered)
    assert all(len(texts.lines) == len(REFERENCE) for texts in right.systems.values())
    assert run_checks(right, found.offered).doubts == ()


@pytest.mark.parametrize(
    ("b", "reference"),
    [
        (B[:30], REFERENCE),
        (B, REFERENCE[:30] + REFERENCE[31:]),
        (B, REFERENCE),
        ([], REFERENCE),
        (B[:1] * 61, REFERENCE),
    ],
    ids=["cut", "reference", "even", "empty", "other"],
)
def test_nothing_is_put_right_that_does_not_show_where(b, reference):
    assert check_uneven_files(corpus_files(b=b, reference=reference), {}, TEXT) is None
