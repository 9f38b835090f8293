"""Test which files belong together, which file an error message names, and tables of several systems."""

from __future__ import annotations

import pytest

from metrics.__main__ import main
from metrics.text import judgements
from metrics.text.files import BadData, segment_lines
from metrics.text.formats import File, misfit_files, read
from metrics.text.processing import TextSettings

LONG = (
    b"doc\tseg\tsystem\ttext\tscore\nd\t1\tA\tthe cat\t1\nd\t2\tA\ta dog\t2\nd\t2\tB\tone dog\t1\nd\t1\tB\tthe hat\t0\n"
)
REFERENCE = b"doc\tseg\tref\nd\t2\tmy dog\nd\t1\tthe cat\n"


def numbered_lines(number, word="line"):
    return "".join([f"{word} {n}\n" for n in range(number)]).encode()


@pytest.mark.parametrize("odd", ["A.txt", "B.txt", "ref.txt"])
@pytest.mark.parametrize("size", [59, 61])
def test_the_file_is_named_that_is_not_like_the_others(odd, size):
    files = [File(name, numbered_lines(size if name == odd else 60)) for name in ("A.txt", "B.txt", "ref.txt")]
    with pytest.raises(
        BadData, match=rf"^{odd} has {size} lines, but \w+\.txt has 60; all must hold the same segments"
    ):
        read(files)
    assert len(misfit_files(files)) == (odd != "ref.txt") and misfit_files(files)[:1] in ((), (odd,))
    columns = [file.data.decode().splitlines() for file in files]
    with pytest.raises(
        BadData, match=rf"^{odd} has {size} lines, but \w+\.txt has 60; both must hold the same segments"
    ):
        segment_lines([file.name for file in files], columns, TextSettings())


def test_which_files_to_take_out():
    good = [File("A.txt", numbered_lines(3)), File("ref.txt", numbered_lines(3))]
    assert misfit_files(good) == ()
    assert misfit_files([*good, File("B.txt", numbered_lines(4)), File("C.txt", b"\xff")]) == ("C.txt", "B.txt")
    assert misfit_files([*good, File("A.txt.gz", b"\x1f\x8b")]) == ("A.txt.gz",)
    assert misfit_files([*good, File("x.tsv", b"a\tb\n1\t2\n")], {"x.tsv:a": "system:X"}) == ("x.tsv",)
    assert misfit_files([good[0], File("ref.txt", b"")]) == () == misfit_files(good[:1])


def test_a_row_for_each_system_and_segment():
    found = read([File("long.tsv", LONG), File("ref.tsv", REFERENCE)])
    assert {name: texts.lines for name, texts in found.systems.items()} == {
        "A": ("a dog", "the cat"),
        "B": ("one dog", "the hat"),
    }
    assert found.references["ref"].lines == ("my dog", "the cat") and found.documents == ("d", "d")
    assert found.scores == {"score": {"A": (2.0, 1.0), "B": (1.0, 0.0)}}
    assert [found.systems["B"].where(n) for n in range(2)] == ["long.tsv, line 4", "long.tsv, line 5"]
    sentence = found.files[0].sentence
    assert "a row for each system and segment, 2 segments; doc (document), seg (key), A (system A)" in sentence


@pytest.mark.parametrize(
    ("table", "outputs"),
    [
        (
            b"system,source,ref,hypothesis\nA,s,r,a1\nB,s,r,b1\nA,t,u,a2\nB,t,u,b2\n",
            {"A": ("a1", "a2"), "B": ("b1", "b2")},
        ),
        (b"model,id,tgt\nA,1,a1\nB,1,b1\n", {"A": ("a1",), "B": ("b1",)}),
        (b"model,id,summary\nA,1,a1\nA,2,a2\nB,2,b2\nB,1,b1\n", {"A": ("a1", "a2"), "B": ("b1", "b2")}),
        (
            b"System,seg_id,doc_id,mt,rater,da\nA,0,x,a1,p,1\nA,0,x,a1,q,4\nA,0,y,a2,p,1\nA,0,y,a2,q,1\n",
            {"A": ("a1", "a2")},
        ),
    ],
    ids=["by order", "one segment", "another name", "several raters"],
)
def test_tables_of_several_systems(table, outputs):
    found = read([File("t.csv", table)])
    assert {name: texts.lines for name, texts in found.systems.items()} == outputs
    if b"ref" in table:
        assert found.references["ref"].lines == ("r", "u") and found.source.lines == ("s", "t")
    if b"rater" in table:
        assert found.scores == {"da": {"A": (2.5, 1.0)}}


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (LONG.replace(b"d\t1\tB\t", b"d\t2\tB\t"), "t.tsv, line 5: text of B differs from that of line 4, of the same"),
        (LONG.replace(b"d\t1\tB\tthe hat\t0\n", b""), "t.tsv, line 2: the output of B is missing"),
        (LONG.replace(b"\ttext\t", b"\trater\t"), "t.tsv: the column system names the system of each row, such as A"),
        (LONG.replace(b"\tscore", b"\tref"), "t.tsv, line 5: ref differs from that of line 2, of the same segment"),
    ],
)
def test_tables_of_several_systems_that_do_not_fit(table, says):
    with pytest.raises(BadData) as raised:
        read([File("t.tsv", table)])
    assert says in str(raised.value)


def test_one_system_of_several_and_a_column_that_is_none():
    found = read([File("long.tsv", LONG, "system", "X", "B"), File("ref.tsv", REFERENCE, "reference")])
    assert found.systems["X"].lines == ("one dog", "the hat") and [*found.systems] == ["X"]
    with pytest.raises(BadData, match=r"long\.tsv has no column C; its columns are doc, seg, A, A\.score, B, B\.score"):
        read([File("long.tsv", LONG, "system", "X", "C")])
    assert not read([File("long.tsv", LONG), File("ref.tsv", REFERENCE)], {"score": "nothing"}).scores


def test_outputs_beside_ratings_are_texts_where_no_others_are():
    long, reference, other = File("long.tsv", LONG), File("ref.tsv", REFERENCE), File("A.txt", numbered_lines(2))
    assert judgements.split_files([long, reference]) == ([long, reference], [])
    assert judgements.split_files([long, other]) == ([other], [long])


def test_judgements_in_a_folder_are_left_out_and_said(tmp_path, capsys):
    for name in ("system.A.txt", "system.B.txt", "reference.R.txt"):
        (tmp_path / name).write_bytes(numbered_lines(3, name))
    rows = [f"{n}\t{system}\tx\t{-n}" for n in range(1, 4) for system in "AB"]
    (tmp_path / "human_mqm.tsv").write_text("\n".join(["line\tsystem\trater\tmqm", *rows]), "utf-8")
    assert main(["--corpus", str(tmp_path), "--metric", "wer"]) == 0
    out, err = capsys.readouterr()
    assert "3 segments, 1 reference" in out
    assert f"{tmp_path}/human_mqm.tsv: people's judgements, left out; --human reads them." in err
    human = str(tmp_path / "human_mqm.tsv")
    assert main(["--corpus", str(tmp_path), "--metric", "wer", "--human", human, "--agreement"]) == 0
    assert "left out; --human" not in capsys.readouterr().err
    assert main(["--corpus", human, "--metric", "wer"]) == 1
    assert "names the system of each row" in capsys.readouterr().err
