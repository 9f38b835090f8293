"""Test which roles (source, reference, system) files and columns get by their names."""

from __future__ import annotations

import pytest

from metrics.text.formats import File, read
from metrics.text.formats.roles import role_of_column_name, role_of_file
from metrics.text.formats.sheets import ColumnRole
from tests.helpers.corpus_files import ONE, TWO, A, B, tsv_bytes


@pytest.mark.parametrize(
    "name", ["Segment ID", "seg-no", "utt_id", "utteranceId", "No.", "Example ID", "line number", "#"]
)
def test_numbers_of_segments_are_keys(name):
    first = File("A.csv", f"{name},hypothesis\n7,the cat\n9,a dog\n".encode())
    other = File("ref.csv", f"{name},reference\n9,the dog\n7,a cat\n".encode())
    found = read([first, other])
    rows = zip(found.systems["A"].lines, found.references["reference"].lines, strict=True)
    assert {*rows} == {("the cat", "a cat"), ("a dog", "the dog")}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *(("source", ColumnRole("source")), ("Source Text", ColumnRole("source"))),
        *(("source_lang", ColumnRole("nothing")), ("ref", ColumnRole("reference", "ref"))),
        *(("ref_A", ColumnRole("reference", "ref_A")), ("references.1", ColumnRole("reference", "1"))),
        *(("ref_id", ColumnRole("nothing")), ("refused", None), ("mt", ColumnRole("system")), ("mtx", None)),
        *(("hyp.A.text", ColumnRole("system", "A")), ("system online-B", ColumnRole("system", "online-B"))),
        ("tgt_text.refA", ColumnRole("reference", "refA")),
        ("post_edited", ColumnRole("reference", "post_edited", "", True)),
        *(("scores.A.COMET", ColumnRole("score", "COMET", "A")), ("seg_id", ColumnRole("key"))),
        *(("docid", ColumnRole("document")), ("refA", ColumnRole("reference", "refA"))),
        *(("sourceText", ColumnRole("source")), ("MT-1", ColumnRole("system", "1")), ("mt5", None)),
    ],
)
def test_names_of_columns(name, role):
    assert role_of_column_name(name) == role


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("open-source-model.txt", ColumnRole("system", "open-source-model")),
        ("newstest2014-ref.de", ColumnRole("reference", "ref")),
        ("refA.txt", ColumnRole("reference", "A")),
        ("x/source.zh.txt.gz", ColumnRole("source")),
        ("hyp.txt", ColumnRole("system", "hyp")),
    ],
)
def test_names_of_files(name, role):
    assert role_of_file(File(name)) == role


#: Names of systems for translation, summarisation and transcription.
NAMES = (
    "SYSTRAN PEGASUS PEGASUS-large mT5 mT5-base MT5-XXL REFORMER GOLDEN PEFT Z Y X DA human no id nr da T5 BART "
    "GPT-4 GPT-4.1 GPT-4o Claude-3.5 Gemini-1.5-Pro Llama-3.1-70B NLLB-200 M2M100 OPUS-MT Marian DeepL Google Bing "
    "BART-large-cnn Online-A online-W MiSS HW-TSC Unbabel-Tower70B IOL_Research Aya23 CommandR-plus Lan-BridgeMT "
    "ZMT GTCOM_Peter ANVITA ONLINE-G UvA-MT NTTSU LongformerEncDec PRIMERA BRIO SimCLS MatchSum Whisper wav2vec2 "
    "Conformer Moses HIERO Sockeye Tohoku SRPOL eTranslation OUTPUTNET Systematic Hypernet Sysiphus Goldfish Inputron"
).split()


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_system_is_no_role(name):
    """Check that a column of texts is named after its whole name, even if the name begins like one of a role."""
    found = read([File("t.tsv", tsv_bytes(("source", "reference", name, "other"), ONE, TWO, A, B))])
    assert [*found.systems] == [name, "other"] and len(found.references) == 1 and found.systems[name].lines == A


@pytest.mark.parametrize(("name", "cells"), [("da", ("71.5", "80")), ("Z", ("-0.1", "1.2")), ("no", ("1", "2"))])
def test_the_same_names_stand_above_scores_and_keys(name, cells):
    found = read([File("t.tsv", tsv_bytes(("source", "reference", "A", name), ONE, TWO, A, cells))])
    assert [*found.systems] == ["A"]
