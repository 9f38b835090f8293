"""Test people's judgements in formats of other programs.

These are WMT's MQM with tags, mt-metrics-eval's scores, Pearmut's annotations and xCOMET's error spans. All data here
is invented."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.text.files import BadData
from metrics.text.formats import File
from metrics.text.formats import read as read_texts
from metrics.text.judgements import ErrorSpan, RatingScale, files, read, split_files
from tests.helpers.corpus_files import read_corpus
from tests.helpers.searching import examples

A = ["the cat sat", "yes", "it rains", "yes", "so it goes"]
B = ["a cat sits", "yes", "rain falls  now", "yes", "and so on"]
SOURCE = ["kočka sedí", "ano", "prší", "ano", "tak to jde"]


def corpus_texts(**more):
    return read_corpus({"A": A, "B": B, **more}, [*A[:4], "z"], SOURCE)


def read_judgements(data, name, **given):
    return read([File(name, data)], given.pop("texts", None) or corpus_texts(), **given)


# ---------------------------------------------------------------- MQM with tags

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def mqm_file(*rows):
    """Return an MQM file with `rows` of (system, seg_id, rater, source, target, category, severity)."""
    out = [
        f"{s}\td\t1\t{n}\t{r}\t{source}\t{target}\t{kind}\t{level}\n" for s, n, r, source, target, kind, level in rows
    ]
    return (HEADER + "".join(out)).encode()


def test_ratings_are_the_weights_of_a_slow_obvious_reading():
    chance = random.Random(2)
    kinds = {
        ("Style/Awkward", "Major"): 5,
        ("Style/Awkward", "Minor"): 1,
        ("Fluency/Punctuation", "Minor"): 0.1,
        ("Fluency/Punctuation", "Major"): 5,
        ("Non-translation!", "Major"): 25,
        ("Other", "Neutral"): 0,
        ("No-error", "No-error"): 0,
        ("Accuracy/Omission", "Critical"): 25,
    }
    for _ in range(20):
        rows, want = [], {}
        for system, texts in (("A", A), ("B", B), ("ref", A)):
            for n, (text, source) in enumerate(zip(texts, SOURCE, strict=True)):
                for _ in range(chance.randint(1, 3)):
                    rater, (kind, level) = chance.choice("xy"), chance.choice([*kinds])
                    start, end = sorted([chance.randrange(len(text) + 1) for _ in "ab"])
                    own = f"{text[:start]}<v>{text[start:end]}</v>{text[end:]}" if level != "No-error" else text
                    rows.append((system, n + 84, rater, source, own, kind, level))
                    if system != "ref":
                        want[system, n, rater] = want.get((system, n, rater), 0) - kinds[kind, level]
        found = read_judgements(mqm_file(*rows), "mqm.tsv")
        for (system, n, rater), value in want.items():
            got = found.ratings["mqm"]["AB".index(system), n, found.judges.index(rater)]
            assert got == pytest.approx(value, abs=1e-12)
        assert np.count_nonzero(~np.isnan(found.ratings["mqm"])) == len(want)
        assert "segments are found by their texts" in found.notices[0] and "major 5, minor 1" in found.notices[0]
        assert "Judgements of ref are left out: there is no such system." in found.notices


def test_tags_are_half_open_letters_of_the_output_and_of_the_source():
    rows = [
        ("A", 84, "x", SOURCE[0], "the <v>cat</v> sat", "Style", "Minor"),
        ("A", 86, "x", "<v>prší</v>", A[2], "Accuracy/Omission", "Major"),
        ("B", 86, "y", SOURCE[2], "rain <v>falls now</v>", "Style", "Minor"),
        ("B", 88, "y", SOURCE[4], "<v>and</v> so <v>on", "Style", "Minor"),
    ]
    found = read_judgements(mqm_file(*rows), "mqm.tsv")
    assert set(found.spans) == {
        ErrorSpan(0, 0, 0, "target", 4, 7, "Style", "Minor"),
        ErrorSpan(0, 2, 0, "source", 0, 4, "Accuracy/Omission", "Major"),
        ErrorSpan(1, 2, 1, "target", 5, 15, "Style", "Minor"),  # in a text with two consecutive spaces
        ErrorSpan(1, 4, 1, "target", 0, 3, "Style", "Minor"),
        ErrorSpan(1, 4, 1, "target", 7, 9, "Style", "Minor"),
    }


def test_texts_that_stand_twice_are_told_apart_by_their_numbers():
    rows = [("A", n + 84, "x", SOURCE[n], A[n], "No-error", "No-error") for n in range(5)]
    rows[3] = ("A", 87, "x", SOURCE[3], "<v>yes</v>", "Style", "Major")
    found = read_judgements(mqm_file(*rows), "mqm.tsv")
    assert found.means("mqm")[0].tolist() == [0, 0, 0, -5, 0]


def test_rows_of_other_texts_and_tests_of_judges_are_left_out_and_said():
    rows = [
        ("A", "u1", "x", SOURCE[0], A[0], "Style", "Minor"),
        ("A", "u2", "x", "neznámý", "unknown", "Style", "Minor"),
        ("A", "u1", "x", SOURCE[0], A[0], "x", "HOTW-test"),
    ]
    found = read_judgements(mqm_file(*rows), "mqm.tsv")
    said = " ".join(found.notices)
    assert "1 row left out: the text is not among those given" in said and "(HOTW)" in said
    with pytest.raises(BadData, match=r"m.tsv, line 2: the severity must be one of .*, got 'Huge'"):
        read_judgements(mqm_file(("A", 1, "x", SOURCE[0], A[0], "Style", "Huge")), "m.tsv")


def test_where_no_text_is_known_numbers_tell_and_it_is_said():
    found = read_judgements(mqm_file(("A", 2, "x", "<v><v></v></v></v>", "<v>" * 100_000, "x", "Major")), "mqm.tsv")
    assert found.means("mqm")[0, 1] == -5 and not found.spans
    assert "although none of its texts is among those that are given" in found.notices[0]


# ---------------------------------------------------------------- mt-metrics-eval


def test_scores_of_systems_in_blocks():
    rows = [f"{name}\t{score}\n" for name in ("A", "B", "refA") for score in (-1, "None", 0, -2.5, -25)]
    found = read_judgements("".join(rows).encode(), "human-scores/en-de.mqm.seg.score")
    assert found.scales[0].name == "mqm" and found.scales[0].high == 0.0
    assert found.means("mqm")[1].tolist()[2:] == [0, -2.5, -25] and np.isnan(found.means("mqm")[1, 1])
    assert "Judgements of refA are left out: there is no such system." in found.notices


def test_a_folder_has_the_scores_of_its_language_pairs(tmp_path):
    (tmp_path / "human-scores").mkdir()
    for name in ("en-de.mqm.seg.score", "en-de.mqm.rater2.seg.score", "en-de.mqm.sys.score", "zh-en.mqm.seg.score"):
        (tmp_path / "human-scores" / name).write_text("".join([f"A {n}\n" for n in range(-5, 0)]))
    with pytest.raises(BadData, match="scores of 2 language pairs: en-de, zh-en; name one"):
        files(str(tmp_path))
    own = files(f"{tmp_path}:en-de")
    assert [file.stem for file in own] == ["en-de.mqm.rater2.seg.score", "en-de.mqm.seg.score"]
    assert [file.stem for file in files(f"{tmp_path / 'human-scores'}:zh-en")] == ["zh-en.mqm.seg.score"]
    assert read(own, corpus_texts()).judges == ("rater2", "the mean of judges")
    (tmp_path / "human-scores" / "en-de.mqm.merged.seg.rating").write_text(RATED)
    found = read(files(f"{tmp_path}:en-de"), corpus_texts())
    assert len(found.spans) == 3 and [scale.name for scale in found.scales] == ["mqm"]
    with pytest.raises(BadData, match="has no human scores of segments of en-fr"):
        files(f"{tmp_path}:en-fr")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("A 1\nA\n", "line 2 must have a system and a score"),
        ("A 1\nA inf\n", "line 2: the score must be a number"),
        ("A 1\n", "has 1 score of A, but there are 5 segments"),
        ("A 1\n" * 6, "line 6: A has more scores than the 5 segments"),
    ],
)
def test_scores_that_cannot_be_read(rows, said):
    with pytest.raises(BadData, match=said):
        read_judgements(rows.encode(), "en-de.da.seg.score")


def rating_line(*errors, rater=None, system="A"):
    """Return a line of a file of mt-metrics-eval, with `errors` of (start, end, category, severity, score, side)."""
    names = ("start", "end", "category", "severity", "score", "is_source_error")
    said = json.dumps({"errors": [dict(zip(names, each, strict=False)) for each in errors]})
    return "\t".join([system, said, *([rater] if rater else [])]) + "\n"


NOBODY = "A\tNone\n"
RATED = (
    rating_line((0, 3, "Style", "Minor"), (0, 5, "Accuracy", "Major", None, True), rater="mqm.rater7")
    + NOBODY
    + rating_line(rater="rater2")
    + rating_line((1, 1, None, None, None, False))
    + NOBODY
)
MARKED = (
    (0, "rater7", "target", 0, 3, "Style", "Minor"),
    (0, "rater7", "source", 0, 5, "Accuracy", "Major"),
    (3, "mqm.merged", "target", 1, 1, "", ""),
)


@pytest.mark.parametrize("name", ["human-scores/en-de.mqm.merged.seg.rating", "mqm.merged.tsv"])
def test_ratings_of_mt_metrics_eval_are_marks(name):
    found = read_judgements((RATED + rating_line((0, 90), system="refA") * 5).encode(), name)
    want = [(0, n, found.judges.index(judge), *rest) for n, judge, *rest in MARKED]
    assert sorted(found.spans) == sorted([ErrorSpan(*each) for each in want]) and found.scales == ()
    assert "3 marked errors; letters count from 0, and the end is the letter after the mark" in found.notices[0]
    assert "Judgements of refA are left out: there is no such system." in found.notices


def test_scores_of_errors_are_ratings_where_no_other_file_has_some():
    lines = [rating_line((0, 3, "Style", "Minor", 1.0), (4, 7, "Style", "Major", 5)), NOBODY, rating_line(), NOBODY]
    file = File("en-de.mqm.rater2.seg.rating", "".join([*lines, rating_line((0, 1, "", "", -0.1))]).encode())
    found = read([file], corpus_texts())
    assert found.judges == ("rater2",) and found.scales == (RatingScale("mqm", True, None, 0.0),)
    assert found.ratings["mqm"][0, :, 0].tolist() == pytest.approx([-6, np.nan, 0, np.nan, -0.1], nan_ok=True)
    assert "the rating mqm is minus the sum of the scores of the errors" in " ".join(found.notices)
    scores = File("en-de.mqm.rater2.seg.score", "".join([f"A {n}\n" for n in range(-5, 0)]).encode())
    both = read([file, scores], corpus_texts())
    assert both.means("mqm")[0].tolist() == [-5, -4, -3, -2, -1] and both.spans == found.spans
    assert "minus the sum" not in " ".join(both.notices)
    some = read([file._replace(data=file.data.replace(b'"score": 5', b'"score": null'))], corpus_texts())
    assert some.scales == () and len(some.spans) == 3


def test_a_mark_in_a_merged_file_and_in_the_raters_own_counts_once():
    own = File("en-de.mqm.rater7.seg.rating", (rating_line((0, 3, "Style", "Minor")) + NOBODY * 4).encode())
    merged = File("en-de.mqm.merged.seg.rating", RATED.encode())
    found = read([own, merged], corpus_texts())
    assert len(found.spans) == 3 and "1 mark in two files, by the same judge, counted once." in found.notices


def test_errors_without_a_place_are_left_out_and_said():
    found = read_judgements((rating_line((None, None), (-1, -1), (0, 3)) + NOBODY * 4).encode(), "en-de.mqm.seg.rating")
    assert len(found.spans) == 1 and "2 errors without a place in the text left out" in found.notices[1]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("A\n", "line 1 must have a system, a rating and a rater"),
        ('A\t{"errors": 1}\n', "line 1: a rating must be None or an object with a list of errors"),
        ('A\t{"errors": [\n', "line 1 is not valid JSON"),
        (rating_line((0, 99)), "line 1: a mark from 0 to 99 does not fit in a text of 11 letters"),
        (rating_line(("0", 1)), "line 1: an error must have start and end, whole numbers"),
        (rating_line((0, 1, "", "", "5")), "line 1: a score must be a number, got '5'"),
        ("", "has 4 ratings of A, but there are 5 segments"),
        (NOBODY * 2, "line 6: A has more ratings than the 5 segments"),
    ],
)
def test_ratings_that_cannot_be_read(first, said):
    with pytest.raises(BadData, match=said):
        read_judgements((first + NOBODY * 4).encode(), "en-de.mqm.seg.rating")


def test_scores_of_whole_systems_are_left_out():
    whole = File("en-de.mqm.sys.score", b"A -1\nB -2\n")
    segments = File("en-de.mqm.seg.score", b"A -1\n" * 5)
    found = read([whole, segments], corpus_texts())
    assert "en-de.mqm.sys.score: scores of systems, not of segments, are left out." in found.notices
    assert found.means("mqm")[0].tolist() == [-1] * 5
    with pytest.raises(BadData, match="there are no judgements of segments; en-de"):
        read([whole], corpus_texts())
    flat = [File("COMET-refA.sys.score", b"A 0.5\n"), File("COMET-refA.seg.score", b"A 1\n" * 5), segments]
    ours, theirs = split_files(flat)
    assert [file.label for file in ours] == ["COMET-refA"] and theirs == [flat[0], flat[2]]


def test_files_of_a_folder_are_those_of_its_language_pair():
    names = ["sources/en-de.txt", "references/en-de.refA.txt", "system-outputs/en-de/A.txt"]
    theirs = [
        "human-scores/en-de.mqm.seg.score",
        "human-scores/en-de.mqm.sys.score",
        "human-scores/en-de.mqm.seg.rating",
    ]
    others = ["human-scores/zh-en.mqm.seg.score", "metric-scores/en-de/COMET-refA.seg.score"]
    given = [File(f"wmt/{name}", b"A 1\n") for name in (*names, *theirs, *others)]
    ours, judgements = split_files(given)
    assert [file.name for file in ours] == [f"wmt/{name}" for name in (*names, others[1])]
    assert [file.name for file in judgements] == [f"wmt/{name}" for name in theirs]
    several = [*given, File("wmt/sources/zh-en.txt", b"A\n")]
    with pytest.raises(BadData, match="there are 2 language pairs"):
        read_texts(split_files(several)[0])


# ---------------------------------------------------------------- Pearmut


def pearmut_page(judge="x", page_number=0, scores=(90, 40), spans=(), segment_indices=(0, 2), **more):
    """Return a page of Pearmut's annotations, on which a judge rated two systems' outputs for some segments.

    `scores` are those of the two systems; `spans` are marked errors in the first system's outputs."""
    items = [{"item_id": f"i{n}", "src": SOURCE[n], "tgt": {"A": A[n], "B": B[n]}} for n in segment_indices]
    each = {"A": {"score": scores[0], "error_spans": [*spans]}, "B": {"score": scores[1], "error_spans": []}}
    return {"user_id": judge, "item_i": page_number, "item": items, "annotation": [each] * len(items), **more}


def pearmut_span(start, end, **more):
    return {"start_i": start, "end_i": end, "category": None, "severity": "minor", **more}


@pytest.mark.parametrize("form", ["lines", "list", "campaigns", "one"])
def test_pearmuts_annotations_in_every_form(form):
    pages = [pearmut_page(spans=[pearmut_span(4, 6)], segment_indices=(0,)), pearmut_page("y", scores=(70, 50))]
    pages = pages[:1] if form == "one" else pages
    data = {"lines": "\n".join(map(json.dumps, pages)), "one": json.dumps(pages[0])}
    data |= {"list": json.dumps(pages), "campaigns": json.dumps({"c": pages, "d": []}, indent=1)}
    found = read_judgements(data[form].encode(), "annotations.json" if form != "lines" else "annotations.jsonl")
    assert found.scales == (("esa", True, 0.0, 100.0),)
    assert found.ratings["esa"][:, 0, 0].tolist() == [90, 40]
    assert found.spans == (ErrorSpan(0, 0, 0, "target", 4, 7, "", "minor"),)  # “cat”: the end is included
    if form != "one":
        assert found.ratings["esa"][:, 2, 1].tolist() == [70, 50]


def test_a_page_that_was_filled_in_again_or_taken_back():
    pages = [
        pearmut_page(),
        pearmut_page(scores=(10, 20)),
        pearmut_page("y"),
        {"user_id": "y", "item_i": 0, "annotation": "RESET"},
    ]
    pages += [pearmut_page("z", "welcome_0")]
    found = read_judgements("\n".join(map(json.dumps, pages)).encode(), "a.jsonl")
    assert found.judges == ("x",) and found.ratings["esa"][:, 0, 0].tolist() == [10, 20]
    assert "1 welcome or test page left out" in " ".join(found.notices)


def test_a_mark_behind_the_output_is_of_something_missing():
    found = read_judgements(
        json.dumps([pearmut_page(spans=[pearmut_span(11, 11)], segment_indices=(0,))]).encode(), "a.json"
    )
    assert found.spans == (ErrorSpan(0, 0, 0, "target", 11, 11, "missing", "minor"),)


def test_letters_count_as_a_browser_counts_them():
    text = "a 😀 cat\nsat"
    texts = read_texts([File("t.jsonl", json.dumps({"id": "1", "ref": "r", "hyp": text}).encode())])
    item = {"item_id": "1", "src": "s", "tgt": {"hyp": text}}
    spans = [pearmut_span(2, 3), pearmut_span(5, 7), pearmut_span(8, 10), pearmut_span(11, 11)]
    own = {"user_id": "x", "item_i": 0, "item": [item], "annotation": [{"hyp": {"score": 5, "error_spans": spans}}]}
    found = read_judgements(json.dumps([own]).encode(), "a.json", texts=texts)
    assert [text[each.start : each.end] for each in found.spans] == ["😀", "cat", "sat", ""]


def test_sliders_of_ones_own_are_scales():
    own = pearmut_page(segment_indices=(0,))
    own["annotation"] = [{"A": {"score": None, "sliders": {"Fluency": 4, "Adequacy": 80}}}]
    found = read_judgements(json.dumps([own]).encode(), "a.json")
    assert [scale.name for scale in found.scales] == ["Fluency", "Adequacy"] and found.means("Fluency")[0, 0] == 4


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (pearmut_page(scores=(101, 1)), "goes from 0 to 100, got 101"),
        (pearmut_page(scores=(float("nan"), 1)), "a score must be a number, got nan"),
        (pearmut_page(scores=(10**400, 1)), "a score must be a number, got 1000"),
        (pearmut_page(scores=(10**200, 1)), "a score goes from 0 to 100, got 1e.200"),
        (pearmut_page(scores=("5", 1)), "a score must be a number, got '5'"),
        (pearmut_page(scores=(True, 1)), "a score must be a number"),
        (pearmut_page(spans=[pearmut_span(5, 2)]), "a mark from 5 to 2 is empty"),
        (pearmut_page(spans=[pearmut_span(-1, 2)]), "must have start_i and end_i"),
        (pearmut_page(spans=[{"start_i": 1}]), "must have start_i and end_i"),
        (pearmut_page(spans=["x"]), "must have start_i and end_i"),
        (pearmut_page(item=[]), "0 items but 2 annotations"),
        ({"user_id": "x", "annotation": {"A": {"score": 1}}}, "has no item"),
    ],
)
def test_annotations_that_cannot_be_read(data, said):
    with pytest.raises(BadData, match=said):
        read_judgements(json.dumps([data]).encode(), "a.json")


# ---------------------------------------------------------------- xCOMET


def xcomet_entry(text, *spans):
    found = [{"text": text[a:b], "confidence": 0.5, "severity": "major", "start": a, "end": b} for a, b in spans]
    return {"src": "s", "mt": text, "ref": "r", "COMET": 0.5, "errors": found}


def test_xcomets_error_spans_are_marks_by_a_model():
    of_a = [xcomet_entry(A[0], (3, 7)), *[xcomet_entry(text) for text in A[1:]]]
    data = json.dumps({"out/A.txt": of_a, "out/C.txt": of_a}, indent=4).encode()
    found = read_judgements(data, "xcomet.json")
    assert found.spans == (ErrorSpan(0, 0, 0, "target", 4, 7, "", "major"),) and found.judges == ("xCOMET",)
    assert found.scales == () and "by a model, not by people" in found.notices[0]
    assert "Judgements of C are left out: there is no such system." in found.notices
    predicted = {"scores": [0.5] * 5, "metadata": {"error_spans": [each["errors"] for each in of_a]}}
    assert read_judgements(json.dumps(predicted).encode(), "A.json").spans == found.spans
    with pytest.raises(BadData, match="does not say whose errors these are"):
        read_judgements(json.dumps(predicted).encode(), "q.json")
    with pytest.raises(BadData, match="A has spans of 4 segments, but there are 5"):
        read_judgements(json.dumps({"A.txt": of_a[:4]}).encode(), "x.json")


# ---------------------------------------------------------------- hostile


@pytest.mark.parametrize(
    "data",
    [
        *(b"{", b"[" * 100_000, b'{"a":' * 100_000, b"{}", b"[]", b"[1]", b'{"metadata": 5}'),
        *(b'{"error_spans": [[{"start": 1e999, "end": 2}]]}', b'{"error_spans": [["x"]]}'),
        *(b'{"A": [{"errors": [{}]}]}', b'[{"user_id": null, "annotation": null, "item_i": 1}]'),
        b'[{"user_id": {"x": 1}, "annotation": [[]], "item": [[]]}]',
        *(b'{"user_id": "x", "annotation": ["x"], "item": ["x"]}', b'{"user_id": "\\ud800", "annotation": []}'),
        b'[{"user_id": "x", "annotation": [{"A": 5}], "item": [{"tgt": 5, "src": [1]}]}]',
        *(b'{"a": ' + b"9" * 100_000 + b"}", b"\xff\xfe[", HEADER.encode() + b"A\t" * 7 + b"x\tMajor\n"),
    ],
)
@pytest.mark.parametrize("name", ["h.json", "h.tsv"])
def test_what_is_made_to_harm_ends_in_one_sentence(data, name):
    with pytest.raises(BadData) as caught:
        read_judgements(data, name)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


#: A file of each kind, into which bytes are inserted and from which bytes are removed.
SEEDS = [
    mqm_file(
        ("A", 84, "x", SOURCE[0], "the <v>cat</v> sat", "Style", "Minor"), ("B", 86, "y", SOURCE[2], B[2], "x", "Major")
    ),
    "".join([f"{name}\t{score}\n" for name in "AB" for score in (-1, "None", 0, -2.5, -25)]).encode(),
    json.dumps([pearmut_page(spans=[pearmut_span(4, 6)]), pearmut_page("y", 1)]).encode(),
    json.dumps({"A.txt": [*map(xcomet_entry, A[:-1]), xcomet_entry(A[4], (0, 2))]}).encode(),
    b"line\tsystem\trater\tmqm\tesa\n1\tA\tx\t-1\t3\n2\tB\ty\t-5\t\n",
    b"line\tsystem\trater\tstart\tend\ttext\tside\n1\tA\tx\t0\t3\tthe\ttarget\n2\tB\ty\t0\t3\tano\tsource\n",
    (rating_line((0, 3, "x", "Major", 5), (0, 2, "", "", 1, True), rater="x") + NOBODY * 4).encode(),
]
PIECES = b'\t|\n|-|nan|1e999|null|[]|{}|"|\x00|\xc3\xa9|0|99999999999999999999|<v>|</v>|,|line|A|true|\r|\xff'.split(
    b"|"
)
CHANGES = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0, 1, 3, 8]), st.sampled_from(PIECES)), min_size=1, max_size=4
)


@pytest.mark.slow
@examples(400)
@given(st.sampled_from(SEEDS), CHANGES, st.sampled_from(["a.tsv", "a.json", "A.jsonl", "en-de.mqm.seg.score", "a"]))
def test_a_broken_file_is_read_or_is_one_sentence(data, changes, name):
    for where, out, piece in changes:
        at = int(where * len(data))
        data = data[:at] + piece + data[at + out :]
    try:
        found = read_judgements(data, name)
    except BadData as error:
        assert "\n" not in str(error) and len(str(error)) < 700
    else:
        lengths = {"target": [A, B], "source": [SOURCE, SOURCE]}
        assert all(0 <= s.start <= s.end <= len(lengths[s.side][s.system][s.segment]) for s in found.spans)
        assert all(not np.isinf(each).any() for each in found.ratings.values())
