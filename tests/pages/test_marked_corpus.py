"""Tests of marked errors on the Corpus page: their files are recognised, and outputs keep them on every page."""

import json
from dataclasses import replace

import pytest

from metrics.text.formats import File
from tests.helpers.pages import CorpusPage, State, rerun_until_idle, until
from viz.frame import two_segments
from viz.frame.file_intake import FileIntake
from viz.pages.compare.record import CompareState
from viz.pages.corpus import segment, visitor_corpus, workspace
from viz.pages.corpus.record import CorpusState
from viz.pages.sentence.record import SentenceState

pytestmark = pytest.mark.alone  # worker processes compute the scores

SPANS = (
    "line\tsystem\trater\tcategory\tseverity\tside\tstart\tend\ttext\n"
    "1\tA\tx\tAccuracy\tMajor\ttarget\t4\t7\tcat\n2\tB\ty\tFluency\tMinor\ttarget\t0\t3\tthe\n"
    "1\tA\tx\tOmission\tMajor\tsource\t0\t3\tdie\n"
)
TEXTS = [
    File("a.txt", b"the cat sat\nthe dog ran\n", "system", "A"),
    File("b.txt", b"the hat sat\nthe dog sat\n", "system", "B"),
    File("ref.txt", b"the cat sat down\nthe dog sat\n", "reference"),
    File("source.txt", b"die Katze\nder Hund\n", "source"),
]


@pytest.fixture(scope="module")
def page():
    """Return the Corpus page after texts and a file of marked errors were uploaded and scored."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileIntake, "draw_uploader", lambda self, way: [*TEXTS, File("spans.tsv", SPANS.encode())])
        page = CorpusPage()
        until(lambda: page.at.session_state.corpus_check[1].ended)
        page.set_state()
        assert "3 marked errors" in page.html and "3 marked errors; line counts from 1" in page.html
        page.press("corpus_score")
        found = page.at.session_state.corpus
        until(lambda: found.ended)
        rerun_until_idle(page, found).set_state(corpus_segment=1)  # the browser's data is not sent twice
        return page.set_state(corpus_segment=0, corpus_seen="difference")


def test_marks_stand_over_the_words_of_both(page):
    # A is better by the metric and is therefore shown second.
    assert 'data-word="b1" data-says="marked: Major, Accuracy"' in page.html.replace(' data-with="a1"', "")
    assert "Marked in <bdi>A</bdi>" in page.html and "Marked in <bdi>B</bdi>" not in page.html
    assert ">die</mark>" in page.html
    page.set_state(corpus_segment=1, corpus_seen="b")
    assert 'data-says="marked: Minor, Fluency"' in page.html


@pytest.mark.parametrize(("seen", "to"), [("difference", CompareState), ("a", SentenceState)])
def test_an_opened_segment_brings_its_marks(page, monkeypatch, seen, to):
    opened = []
    monkeypatch.setattr(two_segments.session, "restore", lambda shown, *rest: opened.append(shown))
    monkeypatch.setattr(two_segments.similarity, "last_table", lambda: None)
    monkeypatch.setattr(two_segments.st, "session_state", State())
    segment.open_segment(page.at.session_state.corpus, CorpusState(seen=seen), 0)
    (shown,) = opened
    assert isinstance(shown, to)
    ((_, _, marks),) = shown.marked
    assert [mark[:5] for mark in marks] == [
        ("source", 0, 3, "Omission", "Major"),
        ("target", 4, 7, "Accuracy", "Major"),
    ]


def test_a_workspace_file_has_them(page, monkeypatch):
    found = page.at.session_state.corpus
    state = State(corpus=found)
    for module in (workspace, visitor_corpus):
        monkeypatch.setattr(module.st, "session_state", state)
    extra = json.loads(json.dumps(workspace.give()()))
    workspace.take(CorpusState(), extra)
    again = state.corpus
    assert again is not found and again.judged.spans == found.judged.spans
    again.stop()
    for damaged in ([1], [{"line": 1}], "x", [{"line": "1"}]):
        with pytest.raises(ValueError, match=r"\w"):
            workspace.take(CorpusState(), {"corpus": {**extra["corpus"], "spans": damaged}})


def test_a_system_whose_lines_were_moved_has_none(page, monkeypatch):
    found = page.at.session_state.corpus
    monkeypatch.setattr(found, "unrepaired_material", with_moved_lines(found.unrepaired_material))
    assert found.applicable_judgements([0], 0) is None and found.applicable_judgements([1], 0) is found.judged


def with_moved_lines(material):
    texts = material.systems["A"]
    return replace(material, systems={**material.systems, "A": replace(texts, lines=(*texts.lines[1:], ""))})


def test_judgements_alone_ask_for_texts(monkeypatch):
    monkeypatch.setattr(FileIntake, "draw_uploader", lambda self, way: [File("spans.tsv", SPANS.encode())])
    assert "Judgements need texts" in CorpusPage().at.info[0].value


def test_wrong_judgements_are_said_and_the_texts_are_scored_all_the_same(monkeypatch):
    wrong = File("spans.tsv", SPANS.replace("\t4\t7", "\t4\tseven").encode())
    monkeypatch.setattr(FileIntake, "draw_uploader", lambda self, way: [*TEXTS, wrong])
    page = CorpusPage()
    assert "spans.tsv, line 2" in page.at.warning[0].value
    assert "corpus_score" in page.button_keys
