"""Tests of corpus texts: each line is processed once, each word is in memory once, references may be missing."""

from __future__ import annotations

import pytest

from metrics.corpus import texts
from metrics.corpus.texts import split_corpus
from metrics.text import TextSettings, segment_text
from metrics.text.formats import File, read


def corpus_material(**files):
    texts = {name: "".join([f"{line}\n" for line in lines]) for name, lines in files.items()}
    return read([File(f"{name}.txt", text.encode()) for name, text in texts.items()])


@pytest.mark.parametrize("settings", [TextSettings(), TextSettings(tokenizer="13a", lowercase=True, stemmer="porter")])
def test_words_are_those_of_each_segment(settings):
    a, ref1, ref2 = ("A cat, sat.", "Two dogs", ""), ("The cats.", "", " "), ("A cat", "A dog!", "")
    found = split_corpus(corpus_material(a=a, ref1=ref1, ref2=ref2), settings)
    of_each = [("The cats.", "A cat"), ("A dog!",), ("",)]
    made = [segment_text(line, references, settings).segment for line, references in zip(a, of_each, strict=True)]
    assert found.names == ("a",) and found.segments(0) == made


def test_lines_and_words_stand_in_memory_once(monkeypatch):
    processed = []
    monkeypatch.setattr(texts, "words", lambda line, settings: processed.append(line) or tuple(line.split()))
    lines = ["the cat and the dog", "the dog and the cat"] * 50
    found = split_corpus(corpus_material(a=lines, b=lines[::-1], ref=lines), TextSettings())
    assert processed == lines[:2]
    every = [line for lines in (*found.systems, *zip(*found.references, strict=True)) for line in lines]
    assert len({id(line) for line in every}) == 2
    assert len({id(word) for line in every for word in line}) == len({"the", "cat", "and", "dog"})
