"""Tests of the reader of a chapter's file that a teacher wrote.

It reports all faults at once, also answers that the core contradicts, and hostile files cost little."""

import re
from random import Random

import pytest

import metrics
from tests.helpers.app import ROOT
from viz.draw.learn import lesson
from viz.pages.learn import chapter_checks, chapter_files, chapter_reader, own_chapter_file
from viz.pages.learn.record import FILE_MOST
from viz.state.files.toml_file import FileError
from viz.state.links.codec import PackedText

TINY = (ROOT / "tests" / "data" / "chapters" / "tiny.toml").read_text(encoding="utf-8")
PAPER = 'text = "The paper has this example."'


def change_tiny_chapter(*pairs):
    text = TINY
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def read_changed_chapter(*pairs):
    return chapter_reader.checked("my.toml", change_tiny_chapter(*pairs))


def test_all_that_is_wrong_is_said_at_once_and_the_rest_is_opened():
    found = read_changed_chapter(
        ('key = "tiny"', 'key = "Tiny"\nminuts = 3'),
        ('candidate = "the dog bit the man"', 'candidate = " "'),
        ("{main.matches}", "{main.hits}"),
        ("right = 0", "right = 3"),
        ('within = 0.005, because = "', 'within = -1, because = "'),
        ('parameter = "exponent"', 'parameter = "weight"'),
        ("$l^2$", "$l^$"),
    )
    places = [
        "my.toml: 'minuts' is not an entry here",
        "my.toml: key must be letters",
        "my.toml, example 'a': an example needs",
        "my.toml, screen 1 (question): text: 'main' has no 'hits'",
        "my.toml, screen 1 (question): ask's right must be",
        "my.toml, screen 2 (idea): text: a formula cannot be read",
        "my.toml, screen 2 (idea): ask's within must be",
        "my.toml, curve 1: parameter must be",
    ]
    assert len(found.messages) == len(places) and all(map(str.startswith, found.faults, places)), found.messages
    assert all(says.endswith(".") and "\n" not in says for says in found.messages)
    chapter = found.chapter
    assert [screen.kind for screen in chapter.screens] == ["question", "idea", "algorithm", "paper", "blind"]
    question, idea, *_ = chapter.screens
    assert question.text == "" and question.ask is None and question.reveal, "what is sound of a screen is there"
    assert idea.title and chapter.key == chapter_reader.UNNAMED and not chapter.curves and "a" not in chapter.examples


def test_what_follows_from_a_fault_is_not_said_again():
    found = read_changed_chapter(("[examples.main]", "[examples.main]\nsettings = { speed = 1 }"))
    assert len(found.messages) == 1 and "example 'main': gtm has the settings" in found.messages[0]
    assert [screen.kind for screen in found.chapter.screens] == ["blind"], "the others show the example"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1",
        change_tiny_chapter(('metrics = ["gtm"]', 'metrics = ["bleurt"]')),
        TINY.partition("[[screens]]")[0],
        TINY.replace('kind = "', 'kind = "x'),
    ],
)
def test_where_nothing_can_be_shown_all_is_said(text):
    found = chapter_reader.checked("my.toml", text)
    assert found.chapter is None and found.faults


# ---------------------------------------------------------------- what the core contradicts

NUMBER = 'right = "{main.match_size}", within = 0.005'
OURS = 'ours = "{main.match_size}"'
NO_ERRATUM = ('erratum = "It prints one decimal."\n', "")
CHOICES = '["*the cat sat on the*", "*today*", "*mat*"]'
PROVEN = "main.match_size == 5.3"
DOUBTS = [  # what is changed, and what is said of it, "" for nothing
    ([NO_ERRATUM], ""),  # 5.196 is 5.2 to one decimal
    ([('"5.2"', '"5.25"')], ""),  # there is an erratum
    ([NO_ERRATUM, ('"5.2"', '"5.20"')], ""),
    ([NO_ERRATUM, ('"5.2"', '"5.25"')], "printed is 5.25, but ours is 5.196 (main.match_size); explain it in erratum"),
    ([NO_ERRATUM, ('"5.2"', "5.3")], "screen 4 (paper): printed is 5.3, but ours is 5.196"),
    ([NO_ERRATUM, ('"5.2"', '"27/5"')], "printed is 27/5, but ours is 5.196"),
    ([NO_ERRATUM, ('"5.2"', '"7/8"'), (OURS, 'ours = "{main.length.candidate / 8}"')], ""),
    ([NO_ERRATUM, ('"5.2"', '"520 %"')], ""),
    ([NO_ERRATUM, ('"5.2"', '"0/0"')], "printed is 0/0"),
    ([NO_ERRATUM, ('"5.2"', '"no score"')], ""),
    ([(NUMBER, "right = 5.196, within = 0.005")], ""),
    ([(NUMBER, 'right = "{main.length.candidate / 8}"')], ""),
    ([(NUMBER, "right = 5.3")], "ask's right is 5.3, which is no number of the examples; the nearest of main is "),
    ([(NUMBER, 'right = 5.3, holds = ["main.match_size ** 2 == 27"]')], ""),
    (
        [(NUMBER, 'right = 5.3, holds = ["main.match_size == 5.3"]')],
        "“main.match_size == 5.3” does not hold (5.196 == 5.300)",
    ),
    ([("right = 0", 'right = 0, holds = ["main.score > pieces.score", "pieces.score < main.score <= 1"]')], ""),
    ([("right = 0", 'right = 0, holds = ["main.score < pieces.score"]')], "“main.score < pieces.score” does not hold"),
    ([("right = 0", 'right = 0, holds = ["main.score"]')], "'main.score' is no comparison; write one such as"),
    ([("right = 0", 'right = 0, holds = ["nobody.score > 1"]')], "holds: 'nobody' is not an example"),
    ([(CHOICES, '["5.1", "5.20", "7.3"]')], "and choice 1, 5.20, is its match_size"),
    ([(CHOICES, '["5.20", "5.1", "7"]')], ""),
    ([(CHOICES, '["5", "7", "27"]')], ""),
    ([('candidate = "the man loathes cats"', 'candidate = "the man"')], "a pair must be different words with the same"),
]

WHICH = '["*the cat sat on the mat today*", "*mat the on today sat cat the*", "They score alike"]'


@pytest.mark.parametrize(
    ("text", "right", "doubted"),
    [
        ("Which of the two does GTM score higher?", 0, False),
        ("Which of the two does GTM score higher?", 1, True),
        ("Which of the two does GTM score higher?", 2, True),
        ("Which scores worse?", 1, False),
        ("Which scores lower?", 0, True),
        ("Which has more hits?", 2, False),  # the core is not asked about hits
        ("Which does ROUGE-L score higher?", 1, False),  # nor about another metric
    ],
)
def test_the_better_candidate_is_held_against_the_core(text, right, doubted):
    ask = f'ask = {{ text = "{text}", choices = {WHICH}, right = {right} }}'
    given = change_tiny_chapter()
    begin, end = given.index("ask = {"), given.index("reveal =")
    found = chapter_reader.checked("my.toml", given[:begin] + ask + "\n" + given[end:])
    said = " ".join(found.messages)
    assert ("GTM scores “the cat sat on the mat today” 0.69" in said) if doubted else not said, said


@pytest.mark.parametrize(("pairs", "says"), DOUBTS, ids=range(len(DOUBTS)))
def test_what_the_core_contradicts_is_said(pairs, says):
    found = read_changed_chapter(*pairs)
    said = " ".join(found.messages)
    assert (says in said) if says else not said, said
    assert len(found.messages) <= 1 and found.chapter is not None


def test_a_half_is_rounded_either_way():
    examples = chapter_reader.read("tiny.toml", TINY).examples
    for printed, ours in (("0.1", "{1 / 20}"), ("0.0", "{1 / 20}"), ("−0.5", "{-1 / 2}")):
        assert not chapter_checks.printed_number_problem(printed, ours, examples)
    assert chapter_checks.printed_number_problem("0.2", "{1 / 20}", examples)


# ---------------------------------------------------------------- hostile files

NOTHING, PART = 0, 1  # how much of a hostile file can be shown
WORDS = " ".join("a" for _ in range(59))
REFERENCES = "[" + ",".join(f'"{WORDS}"' for _ in range(8)) + "]"


def chapter_with_long_steps(metric):
    steps = [f'[[screens]]\nkind="algorithm"\nname="{n}"\ntitle="t"\ntext="t"\nexample="z"\n' for n in range(8)]
    example = f'[examples.z]\ncandidate="{WORDS} b"\nreferences={REFERENCES}\nmetric="{metric}"\n'
    return change_tiny_chapter(("[examples.a]", f"{example}[examples.a]")) + "".join(steps)


HOSTILE = {
    "a long name": ("a." * 19_000 + "a=1", NOTHING, "more than 16 parts"),
    "a long name in quotation marks": ('"a" . ' * 6_000 + "a=1", NOTHING, "more than 16 parts"),
    "tables in tables": ("x={" + "a." * 19_000 + "a=1}", NOTHING, "deeper than 8"),
    "lists in lists": ("x=" + "[" * 39_000, NOTHING, "deeper than 8"),
    "digits": ("x=" + "1" * 39_000, NOTHING, "too many digits"),
    "a large number": (
        change_tiny_chapter(('key = "tiny"', f'key = "tiny"\norder = 1{"0" * 4_000}')),
        PART,
        "at most 15 digits",
    ),
    "unknown names": ("".join([f"k{n}=1\n" for n in range(2_000)]) + TINY, PART, "more are wrong"),
    "screens": (TINY + "[[screens]]\n" * 2_000, PART, "1 to 20 screens, got 2005"),
    "signs": (change_tiny_chapter((PAPER, f'text = "{"-" * 15_000}{{{"-" * 15_000}1}}"')), PART, "cannot be read"),
    "powers": (change_tiny_chapter((PAPER, 'text = "{9**9**9**9}"')), PART, "has no value"),
    "brackets": (
        change_tiny_chapter((PAPER, f'text = "${"(" * 9_000}x{")" * 9_000}$"')),
        PART,
        "a formula cannot be read",
    ),
    "formulas": (change_tiny_chapter((PAPER, f'text = "{"$a$ " * 9_000}"')), PART, ""),
    "numbers": (change_tiny_chapter((PAPER, f'text = "{"{main.ter.score} " * 2_000}"')), PART, ""),
    "metrics": (
        change_tiny_chapter(('pair = ["', "also = [" + "'ter'," * 4_000 + ']\npair = ["')),
        PART,
        "also must name different",
    ),
    "curves": (
        change_tiny_chapter(("[[screens]]", "[[curves]]\n" * 1_000 + "[[screens]]")),
        PART,
        "at most 4 curves fit",
    ),
    "many steps": (chapter_with_long_steps("dcs"), PART, ""),
    "a null": (change_tiny_chapter((PAPER, 'text = "\\u0000 {main.score\\u0000}"')), PART, "cannot be read"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_a_sentence_and_costs_little(name):
    text, opened, says = HOSTILE[name]
    assert len(text) <= FILE_MOST
    found = chapter_reader.checked("my.toml", text)
    assert (found.chapter is not None) == opened and says in " ".join(found.messages), found.messages
    assert len(found.messages) <= chapter_reader.FAULTS_MOST + 1 and all(len(each) < 500 for each in found.messages)


NUMBERS = {
    **dict.fromkeys(["{1e9999*1e9999}", "{1e9999}", "{1/1e9999}", "{1e308*10}", "{10**10**10}"], "has no value"),
    **dict.fromkeys(["{(-8)**0.5}", "{0**-1}", "{1/0}"], "has no value"),
    **dict.fromkeys([f"{{{'9' * 400}}}", f"{{0x{'f' * 5_000}}}"], "has no value"),
    f"{{{'9' * 5_000}}}": "cannot be read",
    **dict.fromkeys([f"{{[0x{'f' * 5_000}]}}", "{True}"], "cannot be computed"),
    "{nan}": "is not an example",
    **dict.fromkeys(["{-0.0}", "{2**-62}", "{1e300:d}"], ""),
}


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_in_a_text_is_finite_or_gets_a_sentence(number):
    found = read_changed_chapter((PAPER, f'text = "{number}"'))
    assert len(found.faults) == (NUMBERS[number] != "") and NUMBERS[number] in "".join(found.faults)
    assert all(says.endswith(".") and len(says) < 300 for says in found.messages)


#: Values of TOML that are numbers but rarely meant as such.
ODD = (
    *("nan", "inf", "-inf", "-0.0", "1e999", "1e-320", "-1", "true", "1_000", "9223372036854775808"),
    *("1" * 400, "1" * 5_000, "0x" + "f" * 5_000, "1979-05-27", '"1e999"', f'"{"9" * 400}"', '"{1e308*10}"'),
)
WORDS_OF_PYTHON = ("Exceeds", "domain", "convert", "int_max", "object", "Error")


def check_messages(found):
    """Check that the messages on a chapter are short sentences, and none is Python's."""
    assert all(says.endswith(".") and len(says) < 400 for says in found.messages), found.messages
    assert not any(word in says for says in found.messages for word in WORDS_OF_PYTHON), found.messages


@pytest.mark.parametrize("name", ["order", "minutes", "right", "within", "example", "kind", "printed"])
@pytest.mark.parametrize("value", ODD)
def test_any_value_for_a_number_gets_a_sentence_or_is_taken(name, value):
    at = re.search(rf"\b{name} = ([^,\n}}]+)", TINY)
    old, new = (at[0], f"{name} = {value}") if at else ('key = "tiny"', f'key = "tiny"\n{name} = {value}')
    check_messages(read_changed_chapter((old, new)))


@pytest.mark.parametrize("value", ODD)
def test_any_value_for_a_setting_gets_a_sentence_or_is_taken(value):
    for key, metric in metrics.METRICS.items():
        for name in metric.Settings.rules():
            start = f'candidate = "a b"\nreferences = ["a c"]\nmetric = "{key}"'
            text = f"{TINY}\n[examples.odd]\n{start}\nsettings = {{ {name} = {value} }}\n"
            check_messages(chapter_reader.checked("my.toml", text))


def test_a_choice_that_is_no_finite_number_is_a_text():
    large = "9" * 400
    for choice, number in ((large, None), (f"1/{large}", 0), (f"{large}/{large}", None), ("3/4", 0.75)):
        assert chapter_checks._shown_number(choice, {}) == number


@pytest.mark.slow
def test_no_change_of_a_file_breaks_the_reader_or_a_screen():
    """Check files in which random lines are removed, repeated or given another value.

    The reader reports each fault in a sentence, and each screen that it accepts can be drawn."""
    random, values = Random(7), ["1", "true", '"x"', "[]", "{}", "nan", "-1", '["a"]', "[[1]]", '"{main.score}"', '"*"']
    for _ in range(150):
        lines = TINY.split("\n")
        for _ in range(random.randint(1, 6)):
            at = random.randrange(len(lines))
            name, sign, _ = lines[at].partition("=")
            change = random.choice(["out", "twice", "value", "value"])
            if change == "out":
                del lines[at]
            elif change == "twice":
                lines.insert(at, random.choice(lines))
            elif sign:
                lines[at] = f"{name}= {random.choice(values)}"
        found = chapter_reader.checked("my.toml", "\n".join(lines))
        assert all(says.endswith(".") and "\n" not in says for says in found.messages)
        for screen in found.chapter.screens if found.chapter else ():
            assert lesson.screen_html(screen, chapter_files.drawn_example, 700)


def test_the_work_of_a_file_is_bounded():
    """Check that the reader limits the steps that it takes for a whole file.

    The file has eight screens with an algorithm. The steps of each are within the limit, but not of all of them."""
    reader = chapter_reader._ChapterReader("my.toml")
    reader.chapter(reader.body(chapter_with_long_steps("rouge_w")))
    assert -chapter_reader.READING < reader.work_left <= 0


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (TINY.encode("utf-16"), "The file cannot be read in line 1; it must be a text file in UTF-8."),
        (b"key = 1\n\xff", "The file cannot be read in line 2; it must be a text file in UTF-8."),
        (b"\x89PNG\r\n\x1a\n\x00", "The file cannot be read in line 1"),
        (b"#" * (FILE_MOST + 1), "The file has more than the 40,000 bytes that fit; take something out."),
    ],
)
def test_what_is_no_text_is_refused(data, says):
    with pytest.raises(FileError) as error:
        own_chapter_file.read_upload(data)
    assert str(error.value).startswith(says)


def test_a_mark_at_the_beginning_is_no_text():
    assert own_chapter_file.read_upload(b"\xef\xbb\xbf" + TINY.encode()) == TINY


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("key = tiny", "line 1, “key = tiny”); put a text between quotation marks"),
        ("key tiny", "line 1, “key tiny”); an entry is written as name = value"),
        ("key = 'tiny\n'", "put a text over several lines between three quotation marks"),
        ('key = "a"\nkey = "b"', 'line 2, “key = "b"”); a name may occur only once in its table'),
        ('key = "\\q"', "write a backslash twice"),
        ("[a", "line 1"),
        ('key = """', "must end with as many"),
    ],
)
def test_what_is_no_toml_is_said_with_its_line(line, says):
    (said,) = chapter_reader.checked("my.toml", line).messages
    assert said.startswith("my.toml is not valid TOML: ") and says in said, said


def test_a_packed_text_is_read_back_and_none_grows():
    kind = PackedText(100)
    for text in ("a", "ü\n" * 30, "x" * 100):
        assert kind.value("file", kind.text(text)) == text and kind.admits("file", text)
    assert not kind.admits("file", "x" * 101) and not kind.admits("file", "\ud800")
    for given in (PackedText(10**9).text("x" * 10**7), kind.text("a" * 50)[:-3], "!", "é", "", "AAAA" * 100):
        with pytest.raises(ValueError, match="file must be a packed text of at most 100 bytes"):
            kind.value("file", given)
