"""Tests of the reader of chapters' files.

They check what is read, which sentence says what is wrong, and that every number in a text is computed."""

import re
from dataclasses import replace

import pytest

import metrics
from tests.helpers.app import ROOT
from tests.helpers.cases import TAUGHT
from viz.draw.learn import lesson, prose
from viz.draw.learn.chapter import KINDS
from viz.pages.learn import chapter_files, chapter_reader, minutes
from viz.state.files.toml_file import FileError

TINY = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tiny_chapter():
    return chapter_reader.read("tiny.toml", TINY)


def test_a_chapter_is_read(tiny_chapter):
    assert (tiny_chapter.key, tiny_chapter.metrics) == ("tiny", ("gtm",))
    assert [s.kind for s in tiny_chapter.screens] == list(KINDS)
    question, idea, _, paper, blind = tiny_chapter.screens
    assert "<i><bdi>cell</bdi></i>" in question.text and question.ask.right == 0 and len(question.ask.choices) == 3
    assert "<math" in idea.text and idea.ask.right == tiny_chapter.examples["main"].result.parts["match_size"]
    assert [s.name for s in tiny_chapter.screens] == [*("", "", ""), "The figure", ""]
    assert tiny_chapter.exercise.levels == (1, 2, 3)
    assert (paper.printed, paper.where, paper.ours) == ("5.2", "Figure 1", "5.196")
    assert [e.name for e in blind.pair] == ["c", "d"] and len(blind.hints) == 2


def test_the_minutes_grow_with_what_there_is_to_do(tiny_chapter):
    """Check the estimate of how long a chapter takes.

    200 words, three answers by choice, or two computed numbers each add a minute."""
    question, _, algorithm, _, blind = tiny_chapter.screens
    longer = minutes.estimated_minutes(
        (replace(blind, hints=(*blind.hints, "word " * 200)), *tiny_chapter.screens[:-1])
    )
    assert tiny_chapter.minutes == minutes.estimated_minutes(tiny_chapter.screens) == longer - 1
    ask = replace(question.ask, text="", because="", choices=("",))
    asked = replace(question, text="", reveal="", title="", ask=ask)
    assert minutes.estimated_minutes([asked] * 12) - minutes.estimated_minutes([replace(asked, ask=None)] * 12) == 4
    numbers = [replace(asked, ask=replace(ask, choices=()))] * 12
    assert minutes.estimated_minutes(numbers) - minutes.estimated_minutes([replace(asked, ask=None)] * 12) == 6
    steps = [*metrics.ask("gtm", *algorithm.example.texts.segment)]
    watched = minutes.estimated_minutes([algorithm] * 60) - minutes.estimated_minutes(
        [replace(algorithm, kind="paper")] * 60
    )
    assert watched > sum(20 if question else 3 for _, question in steps)  # minutes for 60 screens, so seconds for one
    assert chapter_reader.read("tiny.toml", f"minutes = 7\n{TINY}").minutes == 7


def test_sentences_are_spelt_out():
    assert chapter_reader.spelt_out("[a|b] c [d|]") == ["a c d", "a c", "b c d", "b c"]
    assert chapter_reader.spelt_out("plain words") == ["plain words"]


def test_numbers_are_computed(tiny_chapter):
    main, pieces = (tiny_chapter.examples[name].result for name in ("main", "pieces"))
    cases = {
        "main.score": main.score,
        "main.score - pieces.score": main.score - pieces.score,
        "2 * main.precision / (main.length.reference + 1)": 2 * main.parts["precision"] / 9,
        "main.length.candidate": 7,
        "-main.settings.exponent ** 2": -4,
        "main.rouge_l.score": metrics.score("rouge_l", *main.segment).score,
        "main.wer": metrics.score("wer", *main.segment).score,
    }
    for text, number in cases.items():
        assert prose.expression_value(text, tiny_chapter.examples) == pytest.approx(number, abs=1e-12), text
    assert prose.inline("{main.score:.2f} {main.score - pieces.score:+}", tiny_chapter.examples) == (
        f"<b>{main.score:.2f}</b> <b>+{main.score - pieces.score:.3f}</b>"
    )


@pytest.mark.parametrize(
    "text",
    ["main.scor", "nobody.score", "main", "main.score(", "open('x')", "main.score if 1 else 2", "1/0", "main[0]"],
)
def test_what_cannot_be_computed_is_said(tiny_chapter, text):
    with pytest.raises(ValueError, match=r"\w"):
        prose.expression_value(text, tiny_chapter.examples)


def test_texts_are_only_texts(tiny_chapter):
    hostile = "<script>x</script> *<b>w</b>* & \"q\" 'p' \u202e"
    shown = prose.html(hostile, tiny_chapter.examples)
    assert "<script" not in shown and "<b>" not in shown and "\u202e" not in shown
    assert shown.startswith("<p>&lt;script&gt;")


FAULTS = [  # what is replaced, its replacement, what the sentence says
    ('key = "tiny"', "key = tiny", "is not valid TOML"),
    ('key = "tiny"', 'key = "Tiny!"', "key must be letters"),
    ('{ metric = "gtm"', '{ metric = "bleu"', "exercise: metric must be one of the chapter's, gtm, got 'bleu'"),
    ('task = "score"', 'task = "guess"', "exercise: task must be one of score, which, make, got 'guess'"),
    ("references = 1", "references = 3", "exercise: references must be 1 or 2, got 3"),
    ("references = 1", "level = 3", "exercise: 'level' is not an entry here; there are metric, task"),
    ('{ metric = "gtm", task = "score", references = 1 }', '"gtm-1-1"', "exercise must be a table, got 'gtm-1-1'"),
    ('key = "tiny"\n', "", "key is missing; it must be a text"),
    ('metrics = ["gtm"]', 'metrics = ["bleurt"]', "a metric must be one of bleu"),
    ('metrics = ["gtm"]', "metrics = 3", "metrics must be a list, got 3"),
    ('key = "tiny"', 'key = "tiny"\nminuts = 20', "'minuts' is not an entry here"),
    ('key = "tiny"', 'key = "tiny"\nminutes = "20"', "minutes must be a whole number, got '20'"),
    ("[examples.a]", "[examples.a]\nmetric = 'x'", "example 'a': a metric must be one of"),
    ("[examples.a]", "[examples.a]\nsettings = { exponent = 0.5 }", "example 'a': exponent must be at least 1"),
    ("[examples.a]", "[examples.a]\nsettings = { speed = 1 }", "example 'a': gtm has the settings"),
    ('candidate = "the dog bit the man"', 'candidate = " "', "example 'a': an example needs a candidate"),
    ('kind = "idea"', 'kind = "ideas"', "the kind of screen 2 must be one of question, idea, algorithm, paper"),
    ('kind = "idea"', 'kind = "question"', "screen 2 (question): give it a name of its own, screen 1 is called 'The q"),
    ('name = "The figure"', 'name = "The idea"', "screen 4 (paper): give it a name of its own, screen 2 is called"),
    ("{main.matches}", "{main.hits}", "screen 1 (question): text: 'main' has no 'hits'; it has score,"),
    ("$l^2$", "$l^$", "screen 2 (idea): text: a formula cannot be read"),
    ("right = 0", "right = 3", "screen 1 (question): ask's right must be the number of a choice, 0 to 2, got 3"),
    ('kind = "number"', 'kind = "guess"', "screen 2 (idea): ask's kind must be choice or number"),
    ('pair = ["examples.c", "examples.d"]', 'pair = ["examples.a", "examples.b"]', "screen 5 (blind): both examples"),
    ('pair = ["examples.c", "examples.d"]', 'pair = ["examples.c", "examples.c"]', "must be different words"),
    (
        'pair = ["examples.c", "examples.d"]',
        'pair = ["examples.c", "examples.d"]\nalso = ["wer", "guess"]',
        "screen 5 (blind): also: 'guess' is no metric",
    ),
    ("hints = [", "also = 3\nhints = [", "also must be a list, got 3"),
    ("[eats|sells]", "[eats|likes]", "others: 'the man likes cats' is none; Both candidates have the same words"),
    ("[eats|sells]", "[|eats]", "others: 'the man cats' is none; GTM tells them apart"),
    ("[eats|sells]", "[a|b|c|d|e|f][g|h|i|j|k|l][m|n|o|p|q|r]", "others must be at most 200 sentences, spelt out"),
    ("others = [{", "others = [3, {", "screen 5 (blind): others must be tables with text and says"),
    ('says = "Nothing', 'why = "Nothing', "screen 5 (blind): 'why' is not an entry here"),
    ('other = "pieces"', 'other = "a"', "screen 1 (question): example and other need the same references"),
    ('other = "pieces"', "others = []", "screen 1 (question): others belongs to a screen of the kind blind"),
    ('name = "The figure"', 'other = "main"', "screen 4 (paper): other belongs to a screen of the kind question"),
    ('key = "tiny"', 'key = "tiny"\nneeds = "gtm"', "needs must be a list, got 'gtm'"),
    ('pair = ["examples.c", "examples.d"]', 'pair = ["examples.main", "examples.pieces"]', "must be different words"),
    ('example = "main"', 'example = ["main"]', "screen 1 (question): ['main'] is no example; there are main"),
    ('key = "tiny"', 'key = "tiny"\nminutes = -3', "minutes must be at least 1, got -3"),
    ('key = "tiny"', 'key = "tiny"\norder = nan', "order must be a finite number, got nan"),
    ("{main.matches}", "{main.matches", "{ has no partner in"),
    ("{main.matches}", "*main", "* has no partner in"),
    ("{main.matches}", "$main", "$ has no partner in"),
    ("{main.matches}", "{main.matches:999999999f}", "is not a number"),
    ("$l^2$", "$" + "(" * 3000 + "l" + ")" * 3000 + "$", "a formula cannot be read"),
    ('example = "main"', 'example = "mian"', "screen 1 (question): 'mian' is no example; there are main"),
    ('printed = "5.2"', "printed = true", "screen 4 (paper): printed must be"),
    ('hunt = "gtm"', 'hunt = "gtn"', "a metric must be one of "),
    ('hunt = "gtm"', 'hunt = "bleu"', "hunt must be a metric whose solver is greedy or exact, got 'bleu'"),
    ("orders = true", 'orders = "sia"', "orders must be true or false, got 'sia'"),
    ("orders = true", "order = true", "order must be a number, got True"),
    ('parameter = "exponent"', 'parameter = "weight"', "curve 1: parameter must be one of exponent, got 'weight'"),
    ('parameter = "exponent"', 'metric = "per"\nparameter = "e"', "curve 1: parameter cannot be one, per has none"),
    ('parameter = "exponent"', 'metric = "guess"', "curve 1: a metric must be one of "),
    ('b = "on the mat"', 'b = " "', "curve 1: A curve needs two candidates and a reference"),
    ('b = "on the mat"\n', "", "curve 1: b is missing; it must be a text"),
    ('settings = { solver = "exact" }', 'settings = { solver = "best" }', "curve 1: solver must be one of"),
]


def test_a_chapter_has_as_many_screens_as_it_needs():
    head, *screens = TINY.replace('name = "The figure"', "").split("[[screens]]")
    one = f"{head}[[screens]]{screens[1]}"
    assert chapter_reader.read("one.toml", one).numbers_of_kinds == (2, 6)
    more = [f'\nname = "{n}"{screens[n % 3]}' for n in range(20)]
    found = chapter_reader.read("many.toml", "[[screens]]".join([head, *more]))
    assert len({*found.numbers_of_kinds}) == 21 and found.numbers_of_kinds[:7] == (1, 2, 3, 11, 12, 13, 21)
    for many, says in (
        ([*more, *more[:1]], "a chapter has 1 to 20 screens, got 21"),
        ([], "a chapter has 1 to 20 screens, got 0"),
        ([f'\nname = "{n}"{screens[0]}' for n in range(10)], "at most 9 screens can be of the kind question, got 10"),
    ):
        text = "[[screens]]".join([head, *many]) if many else f"screens = []\n{head}"
        with pytest.raises(FileError, match=says):
            chapter_reader.read("many.toml", text)


@pytest.mark.parametrize(("old", "new", "says"), FAULTS, ids=[says[-30:] for _, _, says in FAULTS])
def test_what_is_wrong_is_said_with_its_place(old, new, says):
    assert old in TINY
    with pytest.raises(FileError) as error:
        chapter_reader.read("tiny.toml", TINY.replace(old, new, 1))
    said = str(error.value)
    assert said.startswith("tiny.toml") and says in said and said.endswith(".") and "\n" not in said, said


def test_the_file_that_is_called_as_its_key_keeps_it(tmp_path):
    for name in ("another.toml", "tiny.toml", "zebra.toml"):
        (tmp_path / name).write_text(TINY.replace('title = "', f'title = "{name} '), encoding="utf-8")
    shelf = chapter_files.shelf(tmp_path)
    assert [chapter.title.split()[0] for chapter in shelf.chapters.values()] == ["tiny.toml"]
    assert shelf.faults == [
        f"{name}: tiny.toml has the key 'tiny' already; give this one its own."
        for name in ("another.toml", "zebra.toml")
    ]


def test_one_broken_file_leaves_the_others(tmp_path):
    (tmp_path / "a.toml").write_text(TINY, encoding="utf-8")
    (tmp_path / "b.toml").write_text("key = ", encoding="utf-8")
    (tmp_path / "c.toml").write_text(TINY, encoding="utf-8")
    shelf = chapter_files.shelf(tmp_path)
    assert list(shelf.chapters) == ["tiny"] and len(shelf.faults) == 2
    assert "has the key 'tiny' already" in shelf.faults[1]
    (tmp_path / "b.toml").write_text(TINY.replace('"tiny"', '"second"').replace("20", "200"), encoding="utf-8")
    assert list(chapter_files.shelf(tmp_path).chapters) == ["second", "tiny"], "a file that changed is read again"


def test_a_chapter_names_what_it_builds_on(tmp_path):
    for name, needs, order in (("tiny", "[]", 1), ("second", '["tiny", "third"]', 2), ("third", '["nothing"]', 3)):
        given = f"needs = {needs}\norder = {order}"
        text = TINY.replace('key = "tiny"', f'key = "{name}"\n{given}')
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    shelf = chapter_files.shelf(tmp_path)
    assert [chapter.needs for chapter in shelf.chapters.values()] == [(), ("tiny", "third"), ("nothing",)]
    assert shelf.faults == [
        "second.toml: needs names 'third', which is not a chapter before it.",
        "third.toml: needs names 'nothing', which is not a chapter before it.",
    ]
    cards = lesson.chapter_cards([*shelf.chapters.values()])
    assert [card["needs"] for card in cards] == [[], ["Hits and GTM", "Hits and GTM"], []]


def test_every_metric_has_a_chapter_the_one_that_teaches_it_alone_or_goes_furthest():
    found = {key: chapter_files.chapter_of_metric(key) for key in TAUGHT}
    assert {key for key, chapter in found.items() if chapter is None} == set()
    theirs = {key: chapter.key for key, chapter in found.items()}
    assert theirs["rouge_n"] == "rouge_n" and theirs["nist"] == "nist" and theirs["bleu"] == "bleu"
    assert theirs["rouge_l"] == "lcs" and theirs["gtm"] == "gtm" and theirs["per"] == "edits"


def test_the_chapters_that_are_here_are_sound():
    """Check that the page reads every chapter that comes with the app and finds no fault in it."""
    shelf = chapter_files.shelf()
    assert not shelf.faults, shelf.faults
    for key, chapter in shelf.chapters.items():
        assert re.fullmatch(r"[a-z0-9_]{1,40}", key), "a link can name it"
        assert all(metric in metrics.METRICS for metric in chapter.metrics)
