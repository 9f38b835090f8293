"""Tests of nudges: advice on the typed texts, such as another tokeniser or the removal of markup.

Texts in several scripts get the right advice; nothing is advised that is done already."""

from __future__ import annotations

import pytest

from metrics.text import TextSettings, markup
from tests.helpers.corpora import SYSTEMS, load_lines
from viz.frame.examples import EXAMPLES, PAIRS
from viz.state.texts import inputs, nudges

TOKENIZERS = TextSettings.rules()["tokenizer"].options
CASES = [  # candidate, references, the tokeniser advised for texts split at white space
    ("昨日、東京で新しい図書館が開かれました。", "昨日東京に新しい図書館が開館しました。", "character"),
    ("猫在垫子上", "猫坐在垫子上", "character"),
    ("我爱北京天安门。 我爱北京天安门。", "我爱北京天安门。", "character"),
    ("ฉันรักภาษาไทย และฉันชอบกินข้าว", "ฉันรักภาษาไทยมาก", "character"),
    ("ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", "ខ្ញុំចូលចិត្តភាសាខ្មែរ", "character"),
    ("ဒီစာအုပ်ကကောင်းတယ်", "ဒီစာအုပ်ကအရမ်းကောင်းတယ်", "character"),
    ("ພາສາລາວງາມຫຼາຍ", "ພາສາລາວງາມ", "character"),
    ("我在 Google 工作了很多年所以很了解", "我在谷歌工作了很多年", "character"),
    ("我 爱 北京 天安门 。", "我 喜欢 北京 天安门 。", None),  # already segmented
    ("昨日 、 東京 で 新しい 図書館 が 開か れ まし た 。", "昨日 東京 に 図書館 が 開館 し た 。", None),
    ("东京", "东京", None),  # one word
    ("나는 서울에 갔다", "나는 어제 서울에 갔다", None),  # Korean has spaces
    ("He works at the company 東京電力株式会社", "He works at 東京電力株式会社 today", None),
    ("The house is red.", "The house was red.", "13a"),
    ("He said, go", "He said , go", None),  # as much punctuation is already separate
    ("He said, go!", "He said, leave", "13a"),
    ("Maison (rouge)", "maison rouge", "13a"),
    ("Der Zug, der spät war", "Der Zug kam spät", "13a"),
    ("Он сказал, что придёт.", "Он сказал, что придет.", "13a"),
    ("וואו, זה טוב", "זה טוב", "13a"),
    ("قال الرجل، إنه سيأتي", "قال الرجل إنه سيأتي", "international"),  # 13a knows only ASCII's punctuation
    ("«Bonjour» dit-il", "bonjour dit-il", "international"),
    ("« Bonjour » , dit-il .", "«Bonjour» , dit-il .", "international"),
    ('" Go , " he said .', '"Go , " he said .', "13a"),  # most of the punctuation is already separate
    ("He called it “new” , they said .", 'He called it " new " , they said .', "international"),
    ("Er sagt „nein“, und geht.", "Er sagt „ nein “ , und geht .", "international"),  # the comma is attached too
    ("He said 'go now' .", "He said ' go now ' .", "international"),
    ("It 's the dogs ' house , don't go .", "'Tis the dogs' house , 'cause I say .", None),
    ('A 15" screen and a 5\'10" man', 'A screen of 15" and a man', None),
    ("rock 'n' roll of the '90s", "rock 'n roll of the '90s", None),
    ("वह घर गया।", "वह घर गया।", "international"),
    ("the house is red .", "the house was red .", None),
    ("Mr. Smith went to Washington D.C. today", "Mr. Smith went there today", None),
    ("it's 5:30 in the state-of-the-art U.S. e-mail", "don't C++ #tag 50% $3.50", None),
    ("... -- !", "? !", None),
    ("<skipped> a", "b", None),
    ("x" * 1500, "y" * 1500, None),
]


@pytest.mark.parametrize(("candidate", "references", "tokenizer"), CASES, ids=[c[:12] for c, _, _ in CASES])
def test_what_is_advised(candidate, references, tokenizer):
    texts = inputs.read_texts(candidate, references, TextSettings())
    found = nudges.find_nudge([texts])
    assert (found and found.tokenizer) == tokenizer
    if found:
        followed = inputs.read_texts(candidate, references, TextSettings(tokenizer=found.tokenizer))
        assert nudges.find_nudge([followed]) is None
        assert followed.segment != texts.segment


@pytest.mark.parametrize("tokenizer", TOKENIZERS[1:])
def test_nothing_is_advised_where_it_is_done(tokenizer):
    for candidate, references, advised in CASES:
        texts = inputs.read_texts(candidate, references, TextSettings(tokenizer=tokenizer))
        found = nudges.find_nudge([texts])
        # 13a knows only ASCII's quotation marks.
        left = {"character"} - {tokenizer} | ({"international"} if tokenizer == "13a" else set())
        assert found is None or (advised == found.tokenizer and found.tokenizer in left)
    texts = inputs.read_texts("猫在垫子上", "猫坐在垫子上", TextSettings(tokenizer="chinese"))
    assert nudges.find_nudge([texts]) is None


MARKUP = [  # a text, what is quoted of it, the text without markup
    ("Click <b>OK</b> now", "<b>", "Click OK now"),
    ('<seg id="1">The house<br/>is red</seg>', '<seg id="1">', "The house is red"),
    ("a <!-- note --> b", "<!-- note -->", "a b"),
    ("He said &quot;go&quot;", "&quot;", 'He said "go"'),
    ("Tom &amp;amp; Ann", "&amp;", "Tom & Ann"),
    ("it &apos;s 5 &lt; 6 &#124; x", "&apos;", "it 's 5 < 6 | x"),
    ("a&#10;b &#0; c", "&#10;", "a b \ufffd c"),  # no escape makes a line break
    ("un@@ believ@@ able !", "un@@", "unbelievable !"),
    ("▁The ▁un believ able ▁house .", "▁The", "The unbelievable house."),
    ("the un ##believ ##able house", "##believ", "the unbelievable house"),
    ("state @-@ of @-@ the @-@ art", "@-@", "state-of-the-art"),
]
NO_MARKUP = [
    *("a < b and c > d", "<A note on eating fish>", "if x <y then z> w", "<skipped> a", "R&D and AT&T; Q&A"),
    *("mail me @ home or user@@example , @", "## A heading and C## here #tag", "a <3 b", "&c."),
]


@pytest.mark.parametrize(("text", "quoted", "without"), MARKUP, ids=[text[:12] for text, _, _ in MARKUP])
def test_markup_is_quoted_and_taken_out(text, quoted, without):
    for typed in ([text, "the house"], ["the house", f"a house\n{text}"]):
        found = nudges.find_nudge([inputs.read_texts(*typed, TextSettings())], typed)
        assert f"“{quoted}”" in found.says and found.markup and not found.tokenizer
        after = [markup.remove_markup_kind(found.markup, each) for each in typed]
        assert after[typed.index(next(each for each in typed if text in each))].endswith(without)
        assert [len(each.split("\n")) for each in after] == [len(each.split("\n")) for each in typed]
        again = nudges.find_nudge([inputs.read_texts(*after, TextSettings())], after)
        assert again is None or again.markup != found.markup


@pytest.mark.parametrize("text", NO_MARKUP)
def test_what_only_looks_like_markup_stays(text):
    assert markup.find_first_markup([text], "whitespace") is None
    assert all(markup.remove_markup_kind(kind, text) == text for kind in markup.KINDS)


ALIKE = [  # two texts, and the normalisation that makes their words equal
    ("the cafe\u0301 opens", "the café opens", "nfkc"),
    ("die Auto\u00adbahn", "die Autobahn", "unseen"),
    ("the cat\u200b", "the cat", "unseen"),
]


@pytest.mark.parametrize(("candidate", "reference", "helps"), ALIKE)
def test_words_that_look_alike_are_made_equal(candidate, reference, helps):
    for typed in ([candidate, reference], [reference, candidate]):
        found = nudges.find_nudge([inputs.read_texts(*typed, TextSettings())], typed)
        assert found.says.startswith("Words look alike but differ: ") and (found.markup or "nfkc") == helps
        after = [markup.remove_markup_kind(found.markup, text) if found.markup else text for text in typed]
        texts = inputs.read_texts(*after, TextSettings(nfkc=found.nfkc))
        assert texts.segment.candidate == texts.segment.references[0]
        assert nudges.find_nudge([texts], after) is None
    assert nudges.find_nudge([inputs.read_texts(candidate, candidate, TextSettings())], [candidate]) is None


def test_what_a_tokeniser_unescapes_is_not_advised():
    typed = ["He said &quot;go&quot;", "He said go"]
    assert nudges.find_nudge([inputs.read_texts(*typed, TextSettings(tokenizer="13a"))], typed) is None
    typed = ["it &#39;s", "it is"]
    assert nudges.find_nudge([inputs.read_texts(*typed, TextSettings(tokenizer="13a"))], typed).markup == "escapes"


def test_real_translations_have_none():
    for name in (*SYSTEMS, "reference.A", "reference.B"):
        for line in load_lines(name):
            assert markup.find_first_markup([line], "whitespace") is None, line


@pytest.mark.slow
def test_long_texts_are_looked_through():
    """Check that the search for markup handles texts of 200,000 characters.

    That it takes linear time is checked by `make bench`."""
    for text in ("<b " * 66_000, "&#39" * 50_000, "@@ " * 66_000, "▁a " * 66_000, "'a " * 66_000, "<" * 200_000):
        markup.find_first_markup([text], "whitespace")
        for kind in markup.KINDS:
            assert len(markup.remove_markup_kind(kind, text)) <= len(text)


def test_all_outputs_are_looked_at():
    texts = inputs.read_systems([("A", "the red house"), ("B", ""), ("C", "a house, red.")], "a house", TextSettings())
    assert nudges.find_nudge(texts).tokenizer == "13a"
    assert nudges.find_nudge([]) is None


def test_no_example_needs_advice():
    for example in EXAMPLES:
        texts = inputs.read_texts(example.candidate, example.references, TextSettings(**example.text))
        assert nudges.find_nudge([texts]) is None, example.name
    for pair in PAIRS:
        assert nudges.find_nudge(inputs.read_systems(pair.systems, pair.references, TextSettings(**pair.text))) is None
