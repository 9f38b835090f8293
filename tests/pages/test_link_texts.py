"""Tests of a link to a corpus where its texts are not: it names them, takes them, and says which are others."""

import dataclasses

import pytest

from metrics.text.formats import File, read
from tests.helpers.pages import CorpusPage, corpus_state, score_corpus
from viz.pages.corpus import link_texts, upload
from viz.pages.corpus.link_texts import LinkText, LinkTexts
from viz.pages.corpus.record import CorpusState, FilterPart, write_parts
from viz.state.links import codec, link

pytestmark = pytest.mark.alone  # worker processes compute the scores

LINES = {
    "old": ["Die Brücke ist heute zu.", "Nehmen Sie die Fähre.", "Es regnet nicht."],
    "new": ["Die Brücke ist heute geschlossen.", "Nehmt die Fähre.", "Es regnet."],
    "ref": ["Die Brücke ist heute gesperrt.", "Nehmen Sie stattdessen die Fähre.", "Es regnet nicht."],
}
FILES = {name: File(f"{name}.txt", "\n".join(lines).encode()) for name, lines in LINES.items()}
WHERE = write_parts([FilterPart("", "length > 3")])


@pytest.fixture(scope="module")
def found():
    return score_corpus(read([*FILES.values()]))


@pytest.fixture(scope="module")
def shown(found):
    """Return the state of the page in which a link was copied: a segment is chosen, A and B are swapped."""
    page = CorpusPage(
        found, corpus_where=WHERE, corpus_segment=1, corpus_a=1, corpus_b=0, metric="gtm", corpus_language="german"
    )
    return corpus_state(page)


def open_link(shown, files, monkeypatch):
    """Return the page that opens the link of a state without its texts, where these files are then chosen."""
    query = link.to_query(shown)
    state, problems = link.from_query(query)
    assert not problems
    monkeypatch.setattr(type(upload.ENTRY), "draw_file_input", lambda entry, way: [*files])
    page = CorpusPage()
    values = {field.key: getattr(state, field.name) for field in codec.link_fields(CorpusState) if field.kind.plain}
    return page.set_state(**{key: value for key, value in values.items() if key.startswith("corpus_")})


def said(page):
    return [each.value.replace("\\", "") for each in (*page.at.info, *page.at.warning)]


def test_a_link_names_its_texts(shown):
    wanted = link_texts.read_texts(shown.texts)
    assert [(text.kind, text.name, text.lines) for text in wanted.texts] == [
        ("system", "old", 3),
        ("system", "new", 3),
        ("reference", "ref", 3),
    ]
    assert "texts" in link.to_query(shown) and link.link(shown) is not None
    assert "the names of the texts" in link.describe_link(shown)
    old = {name: text for name, text in link.to_query(shown).items() if name != "texts"}
    assert link.from_query(old) == (dataclasses.replace(shown, texts=""), [])


def test_a_page_without_the_texts_says_which_it_wants(shown, monkeypatch):
    page = open_link(shown, [], monkeypatch)
    (sentence,) = [each for each in said(page) if each.startswith("This link is of texts")]
    assert sentence == (
        "This link is of texts that are not here: the outputs of “old” and “new” and the reference “ref”, "
        "3 segments, in German. Choose their files, and what the link shows opens."
    )


@pytest.mark.parametrize("renamed", [False, True])
def test_the_same_texts_open_what_the_link_shows(shown, monkeypatch, renamed):
    """Check that the systems are found in any order, and under other names, by their lines."""
    names = {"new": "a_new", "old": "z_old", "ref": "reference"} if renamed else {name: name for name in FILES}
    files = [FILES[name]._replace(name=f"{names[name]}.txt") for name in ("ref", "new", "old")]
    page = open_link(shown, files, monkeypatch)
    assert link_texts.SAME in said(page)
    page.press("corpus_score")
    job = page.at.session_state.corpus
    job.stop()
    state = page.at.session_state
    assert [job.names[n] for n in (state.corpus_a, state.corpus_b)] == [names["new"], names["old"]]
    assert (state.corpus_segment, state.corpus_where, state.corpus_language) == (1, WHERE, "german")
    assert job.settings["meteor"].language == "german" and state.corpus_says == ""


def test_texts_of_unclear_files_are_taken_for_what_they_are_in_the_link(shown, monkeypatch):
    files = [File(f"{n}.txt", FILES[name].data) for n, name in enumerate(("new", "ref", "old"))]
    page = open_link(shown, files, monkeypatch)
    assert link_texts.SAME in said(page)
    page.press("corpus_score")
    job = page.at.session_state.corpus
    job.stop()
    assert next(iter(job.material.references.values())).lines == tuple(LINES["ref"])


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"new": LINES["old"]}, "the output of “new” has as many lines as there, 3, but not the same ones."),
        (
            {name: [*lines, "Noch eine."] for name, lines in LINES.items()},
            "the output of “old” has 4 lines and there 3; the output of “new” has 4 lines and there 3; "
            "the reference “ref” has 4 lines and there 3.",
        ),
        ({"new": None}, "the output of “new” is missing."),
    ],
)
def test_other_texts_are_said_and_scored_nevertheless(shown, monkeypatch, changed, sentence):
    lines = {name: given for name, given in {**LINES, **changed}.items() if given}
    files = [File(f"{name}.txt", "\n".join(given).encode()) for name, given in lines.items()]
    page = open_link(shown, files, monkeypatch)
    whole = f"These are not the texts of the link: {sentence}"
    assert whole in said(page)
    page.press("corpus_score")
    page.at.session_state.corpus.stop()
    assert page.at.session_state.corpus_says == whole and "These are not the texts of the link" in page.html


def test_another_corpus_is_asked_for_without_the_former_ones_names(found):
    page = CorpusPage(found)
    page.press("corpus_other")
    assert not [each for each in said(page) if "This link" in each]


def test_a_link_to_the_sample_is_opened_by_a_click(monkeypatch):
    texts = link_texts.write_texts(link_texts.texts_of(read([File("x.tsv", upload.SAMPLE.read_bytes())]), "english"))
    page = open_link(CorpusState(texts=texts, segment=12, a=1, b=0), [], monkeypatch)
    assert "This link is of the sample corpus: score it, and what the link shows opens." in said(page)
    page.press("corpus_sample")
    state = page.at.session_state
    state.corpus.stop()
    assert (state.corpus_a, state.corpus_b, state.corpus_segment) == (1, 0, 12) and state.corpus_texts == texts
    assert state.corpus_says == upload.SAMPLE_SAYS


def test_many_long_and_hostile_names_leave_room_in_a_link():
    names = [f"<b>\u202e\u0001 $x$ system {n:03} {'long ' * 60}" for n in range(64)]
    files = [File(f"{n}.txt", b"a\nb\n", "system", name) for n, name in enumerate(names)]
    material = read([*files, File("ref.txt", b"a\nb\n", "reference", "r")])
    text = link_texts.write_texts(link_texts.texts_of(material, "unknown"))
    state = CorpusState(texts=text)
    assert len(link.link(state)) < link.LINK_MOST / 2 and link.from_query(link.to_query(state)) == (state, [])
    wanted = link_texts.read_texts(text)
    sentence = link_texts.wanted_sentence(wanted)
    assert "59 more" in sentence and "\u202e" not in sentence and len(sentence) < 600
    assert link_texts.comparison_sentence(wanted, link_texts.texts_of(material)) == link_texts.SAME


@pytest.mark.parametrize(
    "text",
    [
        *("[", "[1]", '["",[],[]]', '["",[],[["x","A","kRFp3arxRq",1]]]', '["",[],[["s","A","short",1]]]'),
        '["",[],[["s","A","kRFp3arxRq",-1]]]',
    ],
)
def test_a_parameter_that_names_no_texts_is_not_used(text):
    query = {"page": "corpus", "metric": "gtm", "texts": codec._packed(text)}
    state, (problem,) = link.from_query(query)
    assert state.texts == "" and "texts" in problem


def test_a_copy_with_the_same_lines_is_told_by_its_name():
    same = [LinkText("system", name, "kRFp3arxRq", 2) for name in ("A", "B")]
    wanted, turned = LinkTexts("", (), tuple(same)), LinkTexts("", (), tuple(same[::-1]))
    assert [link_texts.place_of_system(wanted, n, turned) for n in (0, 1, 2)] == [1, 0, None]
