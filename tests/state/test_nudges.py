"""Nudges: what is noticed of texts in several scripts, and that nothing is advised that is done already."""

from __future__ import annotations

import pytest

from metrics.text import TextSettings
from viz.pages.compare.examples import PAIRS
from viz.pages.sentence.examples import EXAMPLES
from viz.state import inputs, nudges

TOKENIZERS = TextSettings.rules()["tokenizer"].options
CASES = [  # candidate, references, the tokeniser that is advised for texts split at white space
    ("昨日、東京で新しい図書館が開かれました。", "昨日東京に新しい図書館が開館しました。", "character"),
    ("猫在垫子上", "猫坐在垫子上", "character"),
    ("我爱北京天安门。 我爱北京天安门。", "我爱北京天安门。", "character"),
    ("ฉันรักภาษาไทย และฉันชอบกินข้าว", "ฉันรักภาษาไทยมาก", "character"),
    ("ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", "ខ្ញុំចូលចិត្តភាសាខ្មែរ", "character"),
    ("ဒီစာအုပ်ကကောင်းတယ်", "ဒီစာအုပ်ကအရမ်းကောင်းတယ်", "character"),
    ("ພາສາລາວງາມຫຼາຍ", "ພາສາລາວງາມ", "character"),
    ("我在 Google 工作了很多年所以很了解", "我在谷歌工作了很多年", "character"),
    ("我 爱 北京 天安门 。", "我 喜欢 北京 天安门 。", None),  # segmented
    ("昨日 、 東京 で 新しい 図書館 が 開か れ まし た 。", "昨日 東京 に 図書館 が 開館 し た 。", None),
    ("东京", "东京", None),  # one word
    ("나는 서울에 갔다", "나는 어제 서울에 갔다", None),  # Korean has spaces
    ("He works at the company 東京電力株式会社", "He works at 東京電力株式会社 today", None),
    ("The house is red.", "The house was red.", "13a"),
    ("He said, go", "He said , go", None),  # as much stands alone
    ("He said, go!", "He said, leave", "13a"),
    ("Maison (rouge)", "maison rouge", "13a"),
    ("Der Zug, der spät war", "Der Zug kam spät", "13a"),
    ("Он сказал, что придёт.", "Он сказал, что придет.", "13a"),
    ("וואו, זה טוב", "זה טוב", "13a"),
    ("قال الرجل، إنه سيأتي", "قال الرجل إنه سيأتي", "international"),  # 13a knows ASCII's punctuation alone
    ("«Bonjour» dit-il", "bonjour dit-il", "international"),
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
    texts = inputs.read(candidate, references, TextSettings())
    found = nudges.nudge([texts])
    assert (found and found.tokenizer) == tokenizer
    if found:
        followed = inputs.read(candidate, references, TextSettings(tokenizer=found.tokenizer))
        assert nudges.nudge([followed]) is None
        assert followed.segment != texts.segment


@pytest.mark.parametrize("tokenizer", TOKENIZERS[1:])
def test_nothing_is_advised_where_it_is_done(tokenizer):
    for candidate, references, advised in CASES:
        texts = inputs.read(candidate, references, TextSettings(tokenizer=tokenizer))
        found = nudges.nudge([texts])
        assert found is None or (advised == "character" != tokenizer and found.tokenizer == "character")
    texts = inputs.read("猫在垫子上", "猫坐在垫子上", TextSettings(tokenizer="chinese"))
    assert nudges.nudge([texts]) is None


def test_all_outputs_are_looked_at():
    texts = inputs.read_systems([("A", "the red house"), ("B", ""), ("C", "a house, red.")], "a house", TextSettings())
    assert nudges.nudge(texts).tokenizer == "13a"
    assert nudges.nudge([]) is None


def test_no_example_needs_advice():
    for example in EXAMPLES:
        texts = inputs.read(example.candidate, example.references, TextSettings(**example.text))
        assert nudges.nudge([texts]) is None, example.name
    for pair in PAIRS:
        assert nudges.nudge(inputs.read_systems(pair.systems, pair.references, TextSettings(**pair.text))) is None
