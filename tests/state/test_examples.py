"""Tests of the files with the example texts that the pages offer.

Each fault of a file is reported in a sentence that says where it is and what is right."""

import re

import pytest

import metrics
from viz.state.files import examples
from viz.state.files.toml_file import FileError

SENTENCE = """
[[examples]]
name = "One"
candidate = "a b"
references = ["a c", "b"]
metric = "gtm"
settings = { exponent = 2.0 }
text = { lowercase = true }

[[examples.printed]]
metric = "wer"
value = "0.5"
where = "Section 2"
"""
PAIR = """
[[examples]]
name = "One"
systems = [["old", "a b"], ["new", "a c"]]
references = ["a c"]
metric = "gtm"
view = "all"
"""


def test_a_sentence_is_read():
    (one,) = examples.sentences("file.toml", SENTENCE)
    assert (one.name, one.candidate, one.references, one.metric) == ("One", "a b", "a c\nb", "gtm")
    assert (one.settings, one.text) == ({"exponent": 2.0}, {"lowercase": True})
    assert one.printed == (examples.PaperScore("wer", {}, "score", "0.5", "Section 2", "", ""),)


def test_a_comparison_is_read():
    (one,) = examples.comparisons("file.toml", PAIR)
    assert (one.systems, one.names, one.a, one.b) == ((("old", "a b"), ("new", "a c")), ("old", "new"), "a b", "a c")
    assert (one.references, one.metric, one.text, one.view) == ("a c", "gtm", {}, "all")


FAULTS = [  # text, what is replaced, its replacement, what the sentence says
    (SENTENCE, "[[examples]]", "[[example]]", "file.toml: 'example' is not an entry here; there are examples."),
    (SENTENCE, "= 2.0 }", "= ", "file.toml is not valid TOML: "),
    (SENTENCE, 'name = "One"', "", "file.toml, example 1: name is missing; it must be a text."),
    (SENTENCE, '"One"', '" "', "file.toml, example 1: name must have words and be no other example's, got ' '."),
    (SENTENCE, '"a b"', '""', "example 1: candidate must have words on one line, got ''."),
    (SENTENCE, '"a b"', "1", "example 1: candidate must be a text, got 1."),
    (SENTENCE, '["a c", "b"]', "[]", "example 1: references must be one or more, got none."),
    (SENTENCE, '["a c", "b"]', '["a\\nc"]', r"example 1: a reference must have words on one line, got 'a\nc'."),
    (SENTENCE, '["a c", "b"]', "[1]", "example 1: references must be a list of texts, got [1]."),
    (SENTENCE, '"gtm"', '"x"', f"example 1: a metric must be one of {', '.join(metrics.METRICS)}, got 'x'."),
    (SENTENCE, "2.0", "0.5", "example 1: exponent must be at least 1, got 0.5."),
    (SENTENCE, "lowercase = true", "colour = 1", "example 1: "),
    (
        SENTENCE,
        "value =",
        "number =",
        "example 1: 'number' is not an entry here; there are metric, settings, part, value",
    ),
    (SENTENCE, 'value = "0.5"', "value = 0.5", "example 1: value must be a text, got 0.5."),
    (SENTENCE, '"wer"', '"x"', "example 1: a metric must be one of "),
    (PAIR, '["new", "a c"]', "", "example 1: systems must be two or more, got 1."),
    (PAIR, '["new", "a c"]', '["new"]', "example 1: a system must be a list of a name and a text, got ['new']."),
    (PAIR, '["new", "a c"]', '["", "a c"]', "example 1: a system's name must have words on one line, got ''."),
]


@pytest.mark.parametrize(("text", "old", "new", "says"), FAULTS, ids=range(len(FAULTS)))
def test_what_is_wrong_is_said(text, old, new, says):
    read = examples.sentences if text is SENTENCE else examples.comparisons
    assert text.count(old) == 1
    with pytest.raises(FileError, match=re.escape(says)):
        read("file.toml", text.replace(old, new))


def test_two_examples_do_not_share_a_name():
    with pytest.raises(FileError, match="example 2: name must have words and be no other example's, got 'One'"):
        examples.comparisons("file.toml", PAIR * 2)
