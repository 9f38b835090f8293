"""Tests that sacreBLEU, run with the settings that a signature names, gives the same score."""

import re

import pytest
import sacrebleu
from sacrebleu.significance import PairedTest

import metrics
from metrics import METRICS
from metrics.corpus import signatures
from metrics.corpus.table import score_table
from metrics.text import TextSettings, segment_text
from tests.helpers.corpora import load_lines

CHINESE = ["今天天气很好，我们去公园吧。", "他说：“我不知道。”", "机器翻译 is hard 吗？", "我们去公园"]


OUTPUTS, OTHERS, *REFERENCES = [
    load_lines(name)[:20] for name in ("system.MiSS", "system.SMU", "reference.A", "reference.B")
]


def outputs_table(key, text, outputs, references, **given):
    found = [segment_text(line, each, text).segment for line, *each in zip(outputs, *references, strict=True)]
    return score_table(METRICS[key], metrics.settings(key, **given), [found])


def sacrebleu_metric(signature):
    """Return sacreBLEU's BLEU or TER with the settings that the signature names."""
    said = dict(part.split(":") for part in signature.split("|"))
    if "smooth" in said:
        method = said["smooth"].split("[")[0]
        case, eff = said["case"] == "lc", said["eff"] == "yes"
        return sacrebleu.BLEU(lowercase=case, tokenize=said["tok"], smooth_method=method, effective_order=eff)
    return sacrebleu.TER(case_sensitive=said["case"] == "mixed")


@pytest.mark.parametrize("tokenizer", ["whitespace", "13a", "international", "chinese"])
@pytest.mark.parametrize("smoothing", ["none", "floor", "add_k", "exp"])
@pytest.mark.parametrize(("lowercase", "effective"), [(False, False), (True, False), (False, True)])
def test_bleu(tokenizer, smoothing, lowercase, effective):
    text = TextSettings(tokenizer=tokenizer, lowercase=lowercase)
    for outputs, references in (
        (OUTPUTS, REFERENCES),
        (OUTPUTS[:3], [REFERENCES[0][:3]]),
        (CHINESE, [[line[:-2] + "x" for line in CHINESE]]),
        (["a b c", "d e"], [["a b x", "d e"]]),  # has no common 3-gram
    ):
        found = outputs_table("bleu", text, outputs, references, smoothing=smoothing, effective_order=effective)
        (sign,) = signatures.signatures([found], text, len(references))
        same = signatures.matching_sacrebleu_settings(found, text, len(references))
        assert same and same[0] in sign.sacrebleu
        for each in same:
            bleu = sacrebleu_metric(each)
            theirs = bleu.corpus_score(outputs, references).score / 100
            assert theirs == pytest.approx(float(found.corpus_scores()[0]), abs=1e-12)
            if each == same[0]:
                assert str(bleu.get_signature()) == sign.sacrebleu


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [False, True])
def test_ter(lowercase):
    text = TextSettings(lowercase=lowercase)
    for references in (REFERENCES, REFERENCES[:1]):
        found = outputs_table("ter", text, OUTPUTS, references)
        (sign,) = signatures.signatures([found], text, len(references))
        ter = sacrebleu_metric(sign.sacrebleu)
        assert ter.corpus_score(OUTPUTS, references).score / 100 == pytest.approx(float(found.corpus_scores()[0]))
        assert str(ter.get_signature()) == sign.sacrebleu


@pytest.mark.parametrize(
    ("key", "text", "references", "given"),
    [
        *(("bleu", {"tokenizer": "character"}, 1, {}), ("bleu", {"stemmer": "porter"}, 1, {})),
        *(("bleu", {"nfkc": True}, 1, {}), ("bleu", {}, "var", {}), ("bleu", {}, 1, {"max_order": 3})),
        *(("ter", {"tokenizer": "13a"}, 1, {}), ("ter", {}, 1, {"max_shift_size": 9}), ("wer", {}, 1, {})),
        ("gtm", {}, 1, {}),
    ],
)
def test_there_is_none_where_the_numbers_are_others(key, text, references, given):
    text = TextSettings(**text)
    found = outputs_table(key, text, OUTPUTS, REFERENCES[:1], **given)
    assert signatures.matching_sacrebleu_settings(found, text, references) == []
    assert signatures.signatures([found], text, references)[0].sacrebleu == ""


def test_the_parts_make_the_whole_and_say_how_often_was_drawn():
    text = TextSettings()
    tables = [outputs_table(key, text, OUTPUTS, REFERENCES) for key in ("bleu", "wer")]
    plain = signatures.signatures(tables, text, 2)
    assert [sign.whole for sign in plain] == [
        metrics.types.signature(each.metric.key, each.settings, text.signature(), 2) for each in tables
    ]
    drawn = signatures.signatures(tables, text, 2, True, True)
    assert len({sign.common for sign in drawn}) == 1
    for sign, was in zip(drawn, plain, strict=True):
        assert sign.whole == f"{was.whole}|resamples:1000|trials:10000|seed:12345"
    assert sacrebleu.__version__ == signatures.SACREBLEU


def test_the_forms_of_paired_tests_are_those_that_sacrebleu_prints():
    text, references = TextSettings(tokenizer="13a"), REFERENCES[:1]
    found = outputs_table("bleu", text, OUTPUTS, references, smoothing="exp")
    systems = [("a", OUTPUTS), ("b", OTHERS)]
    for kind, counts, asked in (("bs", 1000, (True, False)), ("ar", 10000, (False, True))):
        test = PairedTest(systems, {"BLEU": sacrebleu.BLEU()}, references, test_type=kind, n_samples=counts)
        ((_, theirs),) = test._signatures.items()
        (sign,) = signatures.signatures([found], text, 1, *asked)
        assert str(theirs) == sign.sacrebleu
    assert re.search(r"bs:1000\|ar:10000\|seed:12345", signatures.signatures([found], text, 1, True, True)[0].sacrebleu)
