"""Test people's judgements of outputs: ratings and marked errors are read from tables, and notices say what is odd.

A slow, obvious reader checks the fast one."""

from __future__ import annotations

import csv
import io
import random

import numpy as np
import pytest

from metrics.text.files import BadData
from metrics.text.formats import File
from metrics.text.formats import read as read_texts
from metrics.text.judgements import ErrorSpan, RatingScale, read
from tests.helpers.corpus_files import line_bytes, read_corpus

A = ["the cat sat", "dogs bark loudly", "it rains"]
B = ["a cat sits", "dogs bark", "rain falls now"]
REFERENCE = ["the cat sits", "dogs bark loud", "it is raining"]
SOURCE = ["kočka sedí", "psi štěkají", "prší"]


def corpus_texts(**more):
    return read_corpus({"A": A, "B": B, **more}, REFERENCE, SOURCE)


def table_bytes(header, *rows, separator="\t"):
    return line_bytes([separator.join(map(str, cells)) for cells in (header.split(), *rows)])


def read_judgements(data, name="human.tsv", **given):
    return read([File(name, data)], given.pop("texts", None) or corpus_texts(), **given)


def test_ratings_are_those_of_a_slow_obvious_reading():
    chance = random.Random(5)
    names, judges = ["A", "B", "ref-A", "ref-B"], ["x", "y", "z"]
    for _ in range(20):
        rows = []
        for name in names:
            for line in (1, 2, 3):
                for judge in judges:
                    cells = [chance.choice(["", "None", "nan", "-", f"{chance.randint(0, 100)}"]) for _ in "ab"]
                    rows.append((line, name, judge, *cells))
        chance.shuffle(rows)
        found = read_judgements(
            table_bytes("line system rater esa fluency", *rows, (1, "A", "x", 1, 2), (2, "B", "y", 1, 2))
        )
        assert [each.name for each in found.scales] == ["esa", "fluency"] and {*found.judges} <= {*judges}
        for at, scale in enumerate(["esa", "fluency"]):
            for s, system in enumerate("AB"):
                for n in range(3):
                    for j, judge in enumerate(found.judges):
                        every = [*rows, (1, "A", "x", 1, 2), (2, "B", "y", 1, 2)]
                        own = [r[3 + at] for r in every if r[:3] == (n + 1, system, judge)]
                        values = [float(v) for v in own if v not in ("", "None", "nan", "-")]
                        got = found.ratings[scale][s, n, j]
                        assert (np.isnan(got) and not values) or got == sum(values) / len(values)
        assert any("ref-A and ref-B are left out: there are no such systems" in each for each in found.notices)


@pytest.mark.parametrize("sign", ["\t", ",", ";"])
def test_columns_are_known_in_many_spellings(sign):
    header = sign.join(["Seg ID", "Model", "Annotator", "Adequacy", "Rank", "comment"])
    data = f"{header}\n1{sign}A{sign}x{sign}3{sign}1{sign}fine\n1{sign}B{sign}x{sign}2{sign}2{sign}bad\n".encode()
    found = read_judgements(data, "a.tsv" if sign == "\t" else "a.csv")
    assert found.scales == (RatingScale("Adequacy"), RatingScale("Rank", False))
    assert found.oriented_means("Rank")[:, 0].tolist() == [-1.0, -2.0]
    assert "not used: comment" in found.notices[0] and "lower is better for Rank, a rank" in found.notices[0]


def test_the_sign_of_mqm_is_recognised_or_stated():
    penalties = table_bytes("line system rater mqm", (1, "A", "x", 5), (2, "A", "x", 0))
    assert read_judgements(penalties).scales == (RatingScale("mqm", False, 0.0, None),)
    assert "lower is better for mqm, whose penalties are above 0" in read_judgements(penalties).notices[0]
    assert read_judgements(penalties, higher_is_better={"mqm": True}).scales[0].higher_is_better
    below = table_bytes("line system rater mqm", (1, "A", "x", -5), (2, "A", "x", "-0.0"))
    assert read_judgements(below).scales == (RatingScale("mqm", True, None, 0.0),)
    with pytest.raises(BadData, match=r"b.tsv: lower is better for mqm, but not in another file"):
        read([File("a.tsv", below), File("b.tsv", penalties)], corpus_texts())


def test_lines_count_from_0_or_1_or_in_each_document_or_are_keys():
    for first, said in ((0, "line counts from 0"), (1, "line counts from 1")):
        rows = [(n + first, "A", "x", n) for n in range(3)]
        found = read_judgements(table_bytes("line system rater da", *rows))
        assert found.means("da")[0].tolist() == [0.0, 1.0, 2.0] and said in found.notices[0]
    some = read_judgements(table_bytes("line system rater da", (1, "A", "x", 7)))
    assert some.means("da")[0, 0] == 7 and "counts from 1, as nothing contradicts it" in some.notices[0]
    rows = [("id", "doc", "ref", "A"), ("s1", "d", "r", "a"), ("s2", "e", "r", "b"), ("s3", "e", "r", "c")]
    texts = read_texts([File("t.tsv", "".join(["\t".join(r) + "\n" for r in rows]).encode())])
    by_key = read_judgements(table_bytes("seg_id system rater da", ("s3", "A", "x", 1)), texts=texts)
    assert by_key.means("da")[0].tolist()[2] == 1 and "the key of a segment" in by_key.notices[0]
    in_documents = table_bytes(
        "seg_id doc system rater da", (1, "d", "A", "x", 1), (1, "e", "A", "x", 2), (2, "e", "A", "x", 3)
    )
    found = read_judgements(in_documents, texts=texts)
    assert found.means("da")[0].tolist() == [1.0, 2.0, 3.0] and "from 1 in each document" in found.notices[0]
    with pytest.raises(BadData, match=r"human.tsv, line 2: no segment has the key 's9'"):
        read_judgements(table_bytes("seg_id system rater da", ("s9", "A", "x", 1), ("s1", "A", "x", 1)), texts=texts)


def test_without_names_judges_are_numbered_by_rows():
    found = read_judgements(table_bytes("line system da", (1, "A", 1), (1, "A", 3), (2, "A", 5)))
    assert found.judges == ("judge 1", "judge 2") and found.ratings["da"][0, 0].tolist() == [1.0, 3.0]


def test_a_reference_that_was_made_from_a_system_leaves_it_out():
    data = table_bytes("line system rater da", (1, "A", "x", 1), (1, "B", "x", 3))
    found = read_judgements(data, origins={"R": "B"})
    assert np.isnan(found.means("da")[1]).all() and found.means("da")[0, 0] == 1
    assert "The reference R was made from B, whose judgements are left out." in found.notices
    copied = read([File("h.tsv", data)], corpus_texts(B=REFERENCE))
    assert "The reference R is the output of B, whose judgements are left out." in copied.notices
    with pytest.raises(BadData, match="there is no system Q; there are A, B"):
        read_judgements(data, origins={"R": "Q"})


# ---------------------------------------------------------------- marks


def span_table_bytes(rows, first_position=0, is_end_inclusive=False, has_marked_text=True):
    """Return a table of marked errors, from `rows` of (line, system, side, start, end).

    Positions count from `first_position`; with `is_end_inclusive` the last character is at the end position. With
    `has_marked_text` a column has the marked text."""
    out = []
    for line, system, side, start, end in rows:
        own = (SOURCE if side == "source" else {"A": A, "B": B}[system])[line - 1]
        cells = (
            *(line, system, "x", "Style", "Minor", side, start + first_position),
            end + first_position - is_end_inclusive,
        )
        out.append((*cells, own[start:end]) if has_marked_text else cells)
    return table_bytes("line system rater category severity side start end" + " text" * has_marked_text, *out)


MARKS = [(1, "A", "target", 4, 7), (2, "A", "target", 0, 4), (3, "B", "target", 5, 10), (1, "B", "source", 0, 5)]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("inclusive", [False, True])
def test_ends_are_recognised_by_the_texts(first, inclusive):
    found = read_judgements(span_table_bytes(MARKS, first, inclusive))
    want = [(("AB").index(s), n - 1, 0, side, a, b, "Style", "Minor") for n, s, side, a, b in MARKS]
    assert sorted(found.spans) == sorted([ErrorSpan(*each) for each in want]) and found.scales == ()
    said = "the letter at the end is in the mark" if inclusive else "the end is the letter after the mark"
    assert f"letters count from {first}, and {said} (so 4 of 4 marks have the text" in found.notices[0]


def test_ends_are_recognised_without_texts_by_where_words_end():
    for inclusive in (False, True):
        found = read_judgements(span_table_bytes(MARKS[:2], 0, inclusive, has_marked_text=False))
        assert [(each.start, each.end) for each in found.spans] == [(4, 7), (0, 4)]
    to_the_end = read_judgements(span_table_bytes([(3, "A", "target", 3, 8)], has_marked_text=False))
    assert "reach to the end of their text" in to_the_end.notices[0] and to_the_end.spans[0].end == 8


def test_the_texts_of_marks_say_how_lines_count():
    rows = span_table_bytes([(2, "A", "target", 0, 4), (2, "B", "target", 0, 9)]).decode()
    found = read_judgements(rows.replace("\n2\t", "\n1\t").encode())
    assert [each.segment for each in found.spans] == [1, 1] and "counts from 0, as the texts show" in found.notices[0]


def test_marks_with_another_text_or_without_a_place_are_said():
    data = span_table_bytes(MARKS).decode().replace("cat", "dog") + "1\tA\tx\tAccuracy\tMajor\t\t\t\t\n"
    found = read_judgements(data.encode())
    assert len(found.spans) == 4
    assert "1 mark has a text that differs from the file's" in found.notices[1] + found.notices[2]
    assert "1 error without a place in the text left out" in found.notices[1] + found.notices[2]


def test_marks_in_a_source_that_is_not_given_are_not_checked():
    systems = [File(f"{name}.txt", line_bytes(texts), "system", name) for name, texts in (("A", A), ("B", B))]
    found = read_judgements(span_table_bytes(MARKS), texts=read_texts(systems))
    assert len(found.spans) == 4 and "so 3 of 3 marks have the text" in found.notices[0]
    assert "human.tsv: 1 mark is in the source, which is not given: not checked." in found.notices
    assert "text that differs" not in " ".join(found.notices)
    wrong = read_judgements(span_table_bytes(MARKS).decode().replace("cat", "dog").encode(), texts=read_texts(systems))
    assert "1 mark has a text that differs from the file's" in " ".join(wrong.notices)
    assert "not checked" not in " ".join(read_judgements(span_table_bytes(MARKS)).notices)


# ---------------------------------------------------------------- what cannot be read

RATED = "line\tsystem\trater\tmqm\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "h.tsv is empty"),
        (b"line\tsystem\tmqm\n", "has a header and nothing below it"),
        (b"\x00\x01\xff\xfe\x80", "must be UTF-8"),
        (b"PK\x03\x04" + b"\xff" * 50, "must be UTF-8"),
        (b"a" * 1_000_000, "h.tsv has no column"),
        (b"line\tsystem\n" + b"x" * 1_000_000 + b"\n", "line 2 has 1 column, but the header has 2"),
        (b"line\tsystem\n1\tA\n", "has no numeric column for a scale"),
        (b"system\tmqm\nA\t1\n", "has no column of segments, such as line or system; its columns are system, mqm"),
        (b"line\tmqm\n1\t1\n", "has no column of systems"),
        (f"{RATED}4\tA\tx\t1\n".encode(), "h.tsv, line 2: line 4 is none of the 3 segments"),
        (f"{RATED}0\tA\tx\t1\n3\tA\tx\t1\n".encode(), "line 3: line 3 fits neither numbers from 1 nor numbers from 0"),
        (f"{RATED}-1\tA\tx\t1\n".encode(), "h.tsv, line 2: line must be a whole number, got '-1'"),
        (f"{RATED}1e9\tA\tx\t1\n".encode(), "line must be a whole number, got '1e9'"),
        (f"{RATED}٣\tA\tx\t1\n".encode(), "line must be a whole number"),
        (f"{RATED}{'9' * 5000}\tA\tx\t1\n".encode(), "line must be a whole number"),
        (f"{RATED}1\tA\tx\tinf\n".encode(), "h.tsv, line 2: mqm must be a number, or empty, got 'inf'"),
        (f"{RATED}1\tA\tx\t1e999\n".encode(), "mqm must be a number"),
        (f"{RATED}1\tA\tx\t1_0\n".encode(), "mqm must be a number"),
        (f"{RATED}1\tA\tx\tbad\x1b[31m\n".encode(), r"got 'bad\\x1b"),
        (f"{RATED}1\tref-A\tx\t1\n".encode(), "no judgement of the systems A, B; they are of ref-A"),
        (f"{RATED}1\tA\tx\tnan\n".encode(), "no judgement of the systems A, B"),
        (b"line\tsystem\tesa\n1\tA\t50\n2\tA\t60\n3\tA\t101\n", "line 4: esa goes from 0 to 100, got 101"),
        (
            b"line\tsystem\tstart\tend\n1\tA\t0\t90\n",
            "line 2: a mark from 0 to 90 does not fit in a text of 11 letters",
        ),
        (b"line\tsystem\tstart\tend\n1\tA\t5\t2\n", "a mark from 5 to 2 does not fit"),
        (b"line\tsystem\tstart\tend\n1\tA\tx\t2\n", "start must be a whole number, got 'x'"),
        (b"start\tend\n1\t2\n", "has no column of segments and systems"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(data, said):
    with pytest.raises(BadData, match=said) as caught:
        read_judgements(data, "h.tsv")
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value) and len(str(caught.value)) < 400


def test_too_many_judges_are_not_held():
    rows = [(1, "A", f"judge{n}", 1) for n in range(2_001)]
    with pytest.raises(BadData, match="too many together"):
        read_judgements(table_bytes("line system rater da", *rows))


def test_quoted_cells_and_commas():
    out = io.StringIO()
    csv.writer(out).writerows([["line", "system", "judge", "da", "note"], [1, "A", "x, y", 3, 'say "no"\nnow']])
    assert read_judgements(out.getvalue().encode(), "h.csv").judges == ("x, y",)
