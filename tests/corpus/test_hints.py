"""Tests of hints on a corpus: each names a setting that helps, and both scores; none comes where nothing helps."""

from __future__ import annotations

import time
from itertools import product
from typing import NamedTuple

import pytest

import metrics
from metrics import METRICS
from metrics.corpus import hints
from metrics.corpus.file_checks import check_material
from metrics.corpus.jobs import ScoringCorpus
from metrics.corpus.signatures import changed_signatures, signatures
from metrics.corpus.table import score_table
from metrics.corpus.texts import split_corpus
from metrics.text import TextSettings, markup
from metrics.text import hints as noticed
from metrics.text.formats import File, read
from metrics.text.processing import words
from tests.helpers.app import ROOT
from tests.helpers.corpora import SYSTEMS, load_lines

NFD = "cafe\u0301"


class TextColumn(NamedTuple):
    file: str
    lines: list[str]
    words: list[tuple[str, ...]]


def hints_for(systems, *references, key="bleu", **text):
    processing = TextSettings(**text)
    columns = [
        TextColumn(f"{number}.txt", lines, [words(line, processing) for line in lines])
        for number, lines in enumerate([*systems, *references])
    ]
    cut = len(systems)
    return hints.find_hints(columns[:cut], columns[cut:], processing, METRICS[key], metrics.settings(key))


def corpus_score_of(lines, references, key="bleu", **text):
    processing = TextSettings(**text)
    sets = [[words(line, processing)] for line in references]
    return metrics.corpus_score(key, [words(line, processing) for line in lines], sets).score


PLAIN = ["The house was sold , didn't it ?", "The old boat was sold , wasn't it ?", "a chair & a table for a guest"]
#: Outputs with a defect, and the setting that removes it.
CLEANED = {
    "pieces": [
        [
            "The house was s@@ old , didn't it ?",
            "The o@@ ld boat was sold , wasn't it ?",
            "a ch@@ air & a table for a guest",
        ],
        ["▁The ▁house ▁was ▁so ld ▁, ▁didn't ▁it ▁?", "▁The ▁o ld ▁boat ▁was ▁sold ▁, ▁wasn't ▁it ▁?", PLAIN[2]],
        ["The house was so ##ld , didn't it ?", *PLAIN[1:]],
    ],
    "escapes": [[line.replace("'", "&#39;").replace("&", "&amp;") for line in PLAIN]],
    "tags": [
        ["<b>The house</b> was sold , didn't it ?", *PLAIN[1:]],
        ['<seg id="1">The house was sold , didn\'t it ?</seg>', *PLAIN[1:]],
    ],
    "unseen": [
        [PLAIN[0].replace("house", f"hou{letter}se"), PLAIN[1].replace("boat", f"{letter}boat"), PLAIN[2]]
        for letter in "\u00ad\u200b\u2060\ufeff\u200e"
    ],
}


@pytest.mark.parametrize(("name", "lines"), [(name, each) for name, of in CLEANED.items() for each in of])
def test_what_is_no_word_is_said_with_both_scores(name, lines):
    for key in ("bleu", "ter"):
        (hint,) = hints_for([lines], PLAIN, key=key)
        assert (hint.file, hint.help.clean, hint.help.option) == ("0.txt", name, f"--clean {name}")
        assert hint.scores == (corpus_score_of(lines, PLAIN, key), corpus_score_of(PLAIN, PLAIN, key))
        assert [markup.remove_markup_groups([name], line) for line in lines] == PLAIN
        before, after = (f"{score:.4f}" for score in hint.scores)
        assert f"{METRICS[key].label} {before} as it is, {after} with {hint.help.does}" in hint.sentence(4)
    assert hint.segments == hint.size == 3


def test_references_are_looked_at_too_and_pieces_on_both_sides_are_said():
    (hint,) = hints_for([PLAIN], CLEANED["escapes"][0])
    assert hint.file == "1.txt" and hint.help.clean == "escapes"
    pieces = CLEANED["pieces"][0]
    theirs = [line.replace("The", "A") for line in pieces]
    (hint,) = hints_for([pieces], theirs)
    assert hint.help.clean == "pieces"
    # Text that is escaped alike on both sides matches as it is.
    assert hints_for([CLEANED["escapes"][0]], CLEANED["escapes"][0]) == []


def test_joints_of_moses_are_said():
    (hint,) = hints_for([["a state @-@ of @-@ the @-@ art system"]], ["a state-of-the-art system"], key="wer")
    assert hint.help.clean == "joints" and hint.scores == (7 / 3, 0.0)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(NFD, "café"), ("café", NFD), ("कीचड\u093c", "की\u091a\u095c"), ("\u1112\u1161\u11ab", "한")]
)
def test_words_that_normalising_makes_equal(ours, theirs):
    """Check that a hint offers NFKC where words look alike but are encoded differently.

    The examples are NFC and NFD, Hangul, and the dot of Devanagari."""
    lines, references = [f"the {ours} opens daily"], [f"the {theirs} opens daily"]
    (hint,) = hints_for([lines], references, key="wer")
    assert hint.help.settings == {"nfkc": True} and hint.help.option == "--normalize"
    scores = [corpus_score_of(lines, references, "wer", nfkc=nfkc) for nfkc in (False, True)]
    assert hint.scores == (0.25, 0.0) == tuple(scores)
    assert "words look alike but differ" in hint.says
    assert hints_for([lines], references, key="wer", nfkc=True) == []


UNSPACED = {
    "chinese": (["今天下午我们去公园走走。", "火车八点半到达。"], ["今天下午我们去公园散步。", "火车八点半到站。"]),
    "japanese": (
        ["今日は暑いです。", "彼は本を買いました。"],
        ["今日はとても暑いです。", "彼は新しい本を買いました。"],
    ),
    "thai": (["วันนี้อากาศร้อน", "เขาซื้อหนังสือใหม่"], ["วันนี้อากาศร้อนมาก", "เขาซื้อหนังสือเล่มใหม่"]),
    "khmer": (["ថ្ងៃនេះអាកាសធាតុក្តៅ", "គាត់ទិញសៀវភៅ"], ["ថ្ងៃនេះអាកាសធាតុក្តៅណាស់", "គាត់ទិញសៀវភៅថ្មី"]),
    "lao": (["ພາສາລາວງາມຫຼາຍ", "ຂ້ອຍກິນເຂົ້າ"], ["ພາສາລາວງາມ", "ຂ້ອຍກິນເຂົ້າແລ້ວ"]),
    "burmese": (["ဒီစာအုပ်ကကောင်းတယ်", "ကျွန်တော်ထမင်းစားတယ်"], ["ဒီစာအုပ်ကအရမ်းကောင်းတယ်", "ကျွန်တော်ထမင်းစားပြီ"]),
}


@pytest.mark.parametrize("language", UNSPACED)
def test_scripts_without_spaces(language):
    ours, theirs = UNSPACED[language]
    (hint,) = hints_for([ours], theirs)
    assert hint.help.option == "--tokenize character" and hint.help.settings == {"tokenizer": "character"}
    assert hint.scores == (0, corpus_score_of(ours, theirs, tokenizer="character")) and hint.scores[1] > 0.4
    assert hints_for([ours], theirs, tokenizer="character") == []


@pytest.mark.parametrize(
    ("lines", "references", "tokenizer"),
    [
        (["The house, it was sold.", "The boat was sold, too."], ["The house was sold.", "The boat, too."], "13a"),
        # Split off, the marks match nothing and the score is worse: it is what papers print all the same.
        (["We sold the house.", "They sold the boat."], ["We sold the house!", "They sold a boat!"], "13a"),
        (["Er rief „Hilfe“ laut", "«Nein» rief er"], ["Er rief Hilfe ganz laut", "Nein rief er"], "international"),
    ],
)
def test_punctuation_that_touches_words(lines, references, tokenizer):
    assert hints_for([lines], references, key="rouge_n") == []  # it is about test sets, not about a few sentences
    lines, references = lines * 10, references * 10
    (hint,) = hints_for([lines], references, key="rouge_n")
    assert hint.help.option == f"--tokenize {tokenizer}" and hint.help.settings == {"tokenizer": tokenizer}
    split = corpus_score_of(lines, references, "rouge_n", tokenizer=tokenizer)
    assert hint.scores == (corpus_score_of(lines, references, "rouge_n"), split)
    assert hints_for([lines], references, key="rouge_n", tokenizer=tokenizer) == []


def test_punctuation_that_stands_alone_is_no_reason_for_a_hint():
    lines = ["The house , it was sold .", "It is 5 o'clock , e.g. now ."]
    assert hints_for([lines], lines[::-1]) == []


QUIET = {
    "segmented": (["我 爱 北京 天安门"], ["我 喜欢 北京 天安门"]),
    "korean": (["나는 서울에 갔다"], ["나는 어제 서울에 갔다"]),
    "arabic with and without vowels": (
        ["ذهب الولد إلى المدرسة", "الكتـــاب جديد"],
        ["ذَهَبَ الوَلَدُ إِلَى المَدْرَسَةِ", "الكتاب جديد"],
    ),
    "hindi": (["वह घर जा रहा है.", "आज बहुत गर्मी है ।"], ["वह घर जा रहा है।", "आज बहुत गर्मी है।"]),
    "persian, with joiners": (["می\u200cخواهم بروم"], ["می خواهم بروم"]),
    "emoji": (["Great job 👍 team 👩‍👩‍👧", "🇩🇪🇫🇷 friends ❤"], ["Great job 👍🏽 team 👩‍👩‍👧", "🇩🇪🇫🇷 friends ❤️"]),
    "no other letters": (["don’t stop", "naïve"], ["don't stop", "naive"]),
    "the same": (["s@@ old &amp; gone"], ["s@@ old &amp; gone"]),
    "unseen on both sides": (["Auto\u00adbahn frei"], ["Auto\u00adbahn ist frei"]),
    "signs that are no markup": (
        ["a < b & c > d", "<A note on fish> R&D @ home"],
        ["a < b & d > c", "<a note> R&D @ work"],
    ),
    "nothing in common": (["今天下午我们去公园"], ["วันนี้อากาศร้อน"]),
    "empty": (["", "a"], ["", "a"]),
}


@pytest.mark.parametrize("case", QUIET)
def test_nothing_is_said_where_nothing_helps(case):
    ours, theirs = QUIET[case]
    assert [hint for hint in hints_for([ours], theirs) if hint.help.clean != "pieces" and hint.help not in SPLIT] == []


SPLIT = [*hints.SPLIT.values()]


@pytest.mark.parametrize("tokenizer", ["whitespace", "13a"])
def test_nothing_but_the_tokeniser_is_said_of_real_outputs(tokenizer):
    """Check what hints the outputs of 18 real systems get, which translate TED talks from two languages."""
    for folder, reference in (("ted-zh-en", "reference.A.en.txt"), ("ted-sk-en", "reference.en.txt")):
        path = ROOT / "tests/data" / folder
        theirs = (path / reference).read_text("utf-8").splitlines()
        # The texts of one of them have spaces before punctuation.
        expected = [hints.SPLIT[True]] if (tokenizer, folder) == ("whitespace", "ted-zh-en") else []
        for file in sorted(path.glob("system.*")):
            ours = file.read_text("utf-8").splitlines()
            assert [hint.help for hint in hints_for([ours], theirs, tokenizer=tokenizer)] == expected, file


def test_a_word_or_two_is_not_worth_a_hint():
    """Check that there is no hint where it would raise the score by less than a tenth of a point."""
    ours = [f"The {n} boats and the {n} old houses near the sea were sold to a guest from {n}" for n in range(150)]
    theirs = [line.replace("guest", "visitor") for line in ours]
    one = [ours[0].replace("sold", "so\u00adld"), *ours[1:]]
    assert hints_for([one], theirs) == []
    every = [line.replace("sold", "so\u00adld") for line in ours]
    assert [hint.help.clean for hint in hints_for([every], theirs)] == ["unseen"]


def test_a_system_that_is_as_it_should_be_hides_no_other():
    escaped = CLEANED["escapes"][0]
    (hint,) = hints_for([PLAIN, escaped], PLAIN)
    assert hint.file == "1.txt"
    kinds = [hint.help.clean for hint in hints_for([escaped, CLEANED["unseen"][0]], PLAIN)]
    assert kinds == ["escapes", "unseen"]


def test_several_references_and_missing_ones():
    ours, theirs = UNSPACED["thai"]
    (hint,) = hints_for([ours], theirs, ["", *theirs[1:]])
    assert hint.help.option == "--tokenize character"
    assert hints_for([ours]) == hints_for([], theirs) == []


def test_many_segments_are_looked_through_at_once():
    """Check that hints on 100,000 segments take less than a second, from a sample whose size the hint states."""
    ours, theirs = (lines * 50_000 for lines in UNSPACED["chinese"])
    split = [(line,) for line in ours]
    columns = TextColumn("a.txt", ours, split), TextColumn("ref.txt", theirs, [(line,) for line in theirs])
    start = time.process_time()
    (hint,) = hints.find_hints([columns[0]], [columns[1]], TextSettings(), METRICS["bleu"], metrics.settings("bleu"))
    assert time.process_time() - start < 1
    assert (hint.segments, hint.size) == (hints.SCORED, 100_000)
    assert hint.sentence().endswith("(in 200 of 100,000 segments)")


def test_long_segments_are_not_scored():
    ours, theirs = (lines[0] * 1000 for lines in UNSPACED["chinese"])
    assert hints_for([[ours]], [theirs], key="ter") == []
    short = [lines[0] for lines in UNSPACED["chinese"]]
    (hint,) = hints_for([[ours, short[0]]], [theirs, short[1]], key="ter")
    assert (hint.segments, hint.size) == (1, 2)


def corpus_material(ours, theirs):
    files = (("system.A.txt", ours), ("ref.txt", theirs), ("source.txt", ours))
    return read([File(name, "".join(f"{line}\n" for line in lines).encode()) for name, lines in files])


def test_what_is_followed_gives_the_score_that_was_said():
    stands = corpus_material(CLEANED["pieces"][0], PLAIN)
    settings = metrics.settings("bleu")
    (hint,) = check_material(stands, TextSettings(), "bleu", settings, {}).hints
    right = hints.remove_markup(stands, [hint.help.clean])
    assert right.cleaned == ("pieces",)
    assert right.systems["A"].lines == right.source.lines == tuple(PLAIN)
    assert check_material(right, TextSettings(), "bleu", settings, {}).hints == ()
    assert hints.remove_markup(right, ["pieces"]) is right
    texts: ScoringCorpus = split_corpus(right, TextSettings())
    rows = score_table(METRICS["bleu"], settings, [texts.segments(0)])
    assert rows.corpus_scores()[0] == hint.scores[1]
    (sign,) = changed_signatures(signatures([rows], TextSettings(), 1), [], right.cleaned)
    assert sign.whole.endswith("|cleaned:pieces") and not sign.sacrebleu


def test_corpora_that_are_translated_alike_have_none():
    for ours, theirs in product(map(load_lines, SYSTEMS), repeat=2):
        assert hints_for([ours], theirs, tokenizer="13a") == []


def test_look_alikes_are_told_apart():
    assert noticed.find_lookalike(["cafe"], [["café"]]) is None  # these visibly differ
    assert noticed.find_lookalike([NFD], [["café", NFD]]) is None  # the same spelling already matches
    assert noticed.find_lookalike(["\u200b"], [["a"]]) is None  # this word is invisible
    assert noticed.find_lookalike(["a\u200cb"], [["ab"]]) is None  # a joiner is part of the spelling
    assert not noticed.find_lookalike([NFD], [["café"]]).unseen
    found = noticed.find_lookalike([f"{NFD}\u00ad"], [["café"]])
    assert found.unseen and "a soft hyphen" in found.says
    assert "an arabic letter mark" in noticed.find_lookalike(["a\u061c"], [["a"]]).says
