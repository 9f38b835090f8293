"""Test the joining of files with additional or missing segments: these are left out, and it is reported once."""

from __future__ import annotations

import pytest

from metrics.text.files import BadData
from metrics.text.formats import File, read


def document_xml(name, output, reference=None):
    """Return a document of WMT's XML format; each letter of `output` and of `reference` is a segment."""

    def side_xml(tag, text):
        segments = "".join([f'<seg id="{n}">{letter}</seg>' for n, letter in enumerate(text, 1)])
        return f"<{tag}><p>{segments}</p></{tag.split()[0]}>"

    theirs = "" if reference is None else side_xml('ref translator="T"', reference)
    ours = side_xml('hyp system="S"', output)
    return f'<doc id="{name}">{side_xml("src", output.lower())}{theirs}{ours}</doc>'


def wmt_bytes(*documents):
    return f'<dataset id="d">\n{"".join(documents)}</dataset>'.encode()


def test_documents_without_reference_are_left_out_and_said_once():
    """Check that documents without a reference are left out, as by sacreBLEU, and that this is reported once.

    The other segments keep their keys and line numbers."""
    data = wmt_bytes(
        document_xml("one", "AB", "xy"),
        document_xml("two", "CD"),
        document_xml("three", "E", "z"),
        document_xml("four", "F"),
    )
    found = read([File("dev.xml", data)])
    assert found.systems["S"].lines == ("A", "B", "E") and found.references["T"].lines == ("x", "y", "z")
    assert found.source.lines == ("a", "b", "e") and found.documents == ("one", "one", "three")
    assert found.notes == ("dev.xml: document two and 1 more are left out: they have no reference",)
    files = [File("dev.xml", data, "system", "mine", "hyp S"), File("dev.xml", data, "reference")]
    found = read(files)
    assert len(found) == 3
    assert found.notes == ("dev.xml: document two and 1 more are left out: they have no reference",)


def test_documents_of_a_file_without_references_stay():
    data = wmt_bytes(document_xml("one", "AB"), document_xml("two", "C"))
    found = read([File("dev.xml", data), File("ref.txt", b"x\ny\nz\n", "reference")])
    assert found.systems["S"].lines == ("A", "B", "C") and not found.notes


def test_an_empty_reference_is_one():
    found = read([File("dev.xml", wmt_bytes(document_xml("one", "A", "x"), document_xml("two", "B", " ")))])
    assert found.systems["S"].lines == ("A", "B")


REFERENCES = b"id\treference\n1\tone\n2\ttwo\n"


@pytest.mark.parametrize("keys", [("1.0", "2.0"), ("001", "002"), ("seg-1", "seg-2")])
def test_keys_that_do_not_meet_say_what_both_look_like(keys):
    data = "".join(["id\thypothesis\n", *[f"{key}\tx\n" for key in keys]]).encode()
    with pytest.raises(BadData) as error:
        read([File("A.tsv", data), File("ref.tsv", REFERENCES)])
    says = f"A.tsv: none of its keys is in ref.tsv: they look like {keys[0]} here, and like 1 there"
    assert str(error.value) == says


def test_keys_of_which_some_meet_say_which_are_missing():
    with pytest.raises(BadData, match=r"A.tsv: the key 2 \(ref.tsv, line 3\) is missing"):
        read([File("A.tsv", b"id\thypothesis\n1\tx\n"), File("ref.tsv", REFERENCES)])
