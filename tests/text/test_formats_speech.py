"""Test files of subtitles and transcripts: times and ids are not words, and files are joined by id."""

from __future__ import annotations

import pytest

from metrics.text.files import BadData
from metrics.text.formats import File, read

VTT = """WEBVTT - a talk

STYLE
::cue { color: red }

NOTE of the author
that has two lines

intro
00:00.000 --> 00:01.500 align:start
<v Roger>Hello &amp; welcome</v>
to <i>this</i> <00:01.000>talk

outro
00:01:02.000 --> 00:01:03.500
Bye
"""
SRT = "1\r\n0:00:00,0 --> 0:00:01,5\r\n{\\an8}<i>Hello</i>\r\nthere\r\n\r\n2\r\n0:00:02,0 --> 0:00:03,0\r\n42\r\n"


def test_webvtt():
    found = read([File("A.vtt", VTT.encode())])
    assert found.systems["A"].lines == ("Hello & welcome to this talk", "Bye") and found.keys == ("intro", "outro")
    assert found.systems["A"].where(1) == "A.vtt, line 15"
    assert found.notes == ("A.vtt: 5 tags in the texts left out",)
    assert found.files[0].sentence == "A.vtt: WebVTT, 2 segments; id (key), text (system A)"


@pytest.mark.parametrize("text", [SRT, SRT.replace("\r\n", "\n"), SRT.replace("\r\n\r\n", "\r\n"), "\ufeff" + SRT])
@pytest.mark.parametrize("name", ["A.srt", "A.txt"])
def test_subrip(text, name):
    found = read([File(name, text.encode())])
    assert found.systems["A"].lines == ("Hello there", "42") and found.keys == ("1", "2")


def test_cues_are_joined_by_what_they_are_called():
    swapped = VTT.replace("intro", "x").replace("outro", "intro").replace("x\n", "outro\n")
    found = read([File("A.vtt", VTT.encode()), File("ref.vtt", swapped.encode())])
    assert found.references["ref"].lines == found.systems["A"].lines[::-1]
    other = SRT.replace("1\r\n0", "7\r\n0", 1).replace("\r\n2\r\n", "\r\n8\r\n")
    found = read([File("A.srt", SRT.encode()), File("ref.srt", other.encode())])
    assert found.references["ref"].lines == found.systems["A"].lines  # cue numbers that only count are not ids
    gap = SRT.replace("\r\n2\r\n", "\r\n3\r\n")
    with pytest.raises(
        BadData, match=r"A\.srt: the key 3 \(ref\.srt, row|A\.srt: the key 3 \(ref\.srt, line 7\) is missing"
    ):
        read([File("A.srt", SRT.encode()), File("ref.srt", gap.encode())])


def test_webvtt_without_cues():
    with pytest.raises(BadData, match=r"a\.vtt has no cues, which begin with a line such as"):
        read([File("a.vtt", b"WEBVTT\n\nwords\n")])


TRN = "turn left (spk0-utt0)\n(spk1-utt1)\nno (really) (spk0-utt2)\n"
KALDI = "spk0-utt0 turn left\nspk1-utt1\nspk0-utt2 no (really)\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [("A.trn", TRN), ("A.txt", TRN), ("A", KALDI), ("A.kaldi", KALDI), ("A.txt", KALDI.replace(" ", "\t", 1))],
)
def test_transcripts(name, text):
    found = read([File(name, f"{text}\n".encode())])
    assert found.systems["A"].lines == ("turn left", "", "no (really)")
    assert found.keys == ("spk0-utt0", "spk1-utt1", "spk0-utt2")


@pytest.mark.parametrize("form", ["{1} ({0})\n", "{0} {1}\n"])
@pytest.mark.parametrize(
    "ids",
    [
        ("1089-134686-0000", "1089-134686-0001"),
        ("BAC009S0764W0121", "BAC009S0764W0122"),
        ("a_1", "b_2"),
        ("utt1", "utt22"),
    ],
)
def test_transcripts_are_joined_by_id(form, ids):
    rows = [*zip(ids, ("one", "two"), strict=True)]
    first, second = ["".join([form.format(*row) for row in each]) for each in (rows, rows[::-1])]
    found = read(
        [File("A.txt", first.encode()), File("ref.txt", second.upper().encode() if form[1] == "9" else second.encode())]
    )
    assert found.systems["A"].lines == found.references["ref"].lines == ("two", "one")


def test_the_name_of_a_file_says_that_there_are_ids():
    found = read([File("text", b"anna-1 one\nbob2-x-2 two\n")])
    assert found.systems["text"].lines == ("one", "two")
    assert read([File("A.kaldi", b"anna one\nbob two\n")]).systems["A"].lines == ("one", "two")
    assert read([File("A.trn", b";; made by hand\none (anna)\n")]).systems["A"].lines == ("one",)
    with pytest.raises(BadData, match=r"A\.trn, line 2 has no id in brackets at its end"):
        read([File("A.trn", b"one (anna)\ntwo\n")])
    with pytest.raises(BadData, match=r"A\.trn, line 2: the id anna occurs twice"):
        read([File("A.trn", b"one (anna)\ntwo (anna)\n")])


@pytest.mark.parametrize(
    "text",
    [
        *("It was founded in Paris (1919)\nIt closed in Rome (1920)\n", "2024-01-05 the cat\n2024-01-06 the dog\n"),
        *("well-known words\nlong-term plans\n", "iPhone-15 is here\nGalaxy-S24 is there\n", "1. one\n2. two\n"),
        *("MP3 files\nH264 videos\n", "B-52 bombers\nB-52 bombers\n", "text\nwith words\n", "a-1 only this line\n"),
        "one (see a-1)\ntwo (see a-2)\n",
    ],
)
@pytest.mark.parametrize("name", ["A.txt", "text"])
def test_texts_are_no_transcripts(text, name):
    if name == "text" and text.startswith(("iPhone", "MP3")):
        return  # in a file with this name, an id needs only parts and digits
    lines = text.splitlines()
    assert [*next(iter(read([File(name, text.encode())]).systems.values())).lines] == lines
