"""Test text processing: the same tokens as sacreBLEU, each token's slice of the typed text, and hostile strings."""

from __future__ import annotations

import itertools
import random
import sys
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from metrics.text import LANGUAGES, TextSettings, Token, forms, process, processing, segment_text, stem
from tests.helpers.app import run_python
from tests.helpers.corpora import FOLDER
from tests.helpers.searching import examples

LINES = [line for path in sorted(FOLDER.glob("*.txt")) for line in path.read_text("utf-8").splitlines()]

TOKENIZERS = TextSettings.rules()["tokenizer"].options
SACREBLEU = {"13a": Tokenizer13a(), "international": TokenizerV14International(), "chinese": TokenizerZh()}

# Pieces that are hard for tokenisers, normalisation or case mapping: whole and broken entities, numbers, punctuation,
# letters whose other case or normal form has another length, marks, jamo, kana, flags, joiners, bidi marks, surrogates.
PIECES = [
    *"aZ19.,-!'\"&;<>%$#~_^\\{}/ \n\t",
    *("&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&am", "p;", "<skipped>", "<skip", "ped>", "-\n", "3.5", "1,000"),
    *"ßẞİıΣσςﬁ½…´ﷺℌÅ²①Ａ１。，",
    *"\u0301\u0316\u0344\u0345\u0f73\u3099が",
    *"ｶﾞﾊﾟﾞ가각\u1100\u1161\u11a8ㄱㅏㄳ中國人\u2003\u3000\u00a0\u0085\u001c",
    *("👩\u200d👩\u200d👧", "🇩🇪", "🇩", "👍🏽", "क्षि", "\u0600", "1\ufe0f\u20e3"),
    *"\u200d\u200c\u200e\u200f\u202e\ufeff\ud800\udfff\x00\x07\x7f\U00020000\U0010ffff",
]
HOSTILE = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=25).map("".join)
SETTINGS = st.builds(TextSettings, tokenizer=st.sampled_from(TOKENIZERS), lowercase=st.booleans(), nfkc=st.booleans())


def normalised_line(raw: str, chosen: TextSettings) -> str:
    """Return the line that a tokeniser gets: `raw` normalised and lowercased as the settings `chosen` say."""
    line = unicodedata.normalize("NFKC", raw) if chosen.nfkc else raw
    return line.lower() if chosen.lowercase else line


def expected_tokens(raw: str, chosen: TextSettings) -> list[str]:
    line = normalised_line(raw, chosen)
    if chosen.tokenizer == "whitespace":
        return line.split()
    if chosen.tokenizer == "character":
        return [cluster for word in line.split() for cluster in regex.findall(r"\X", word)]
    return SACREBLEU[chosen.tokenizer](line).split()


def assert_slices_fit(raw: str, tokens: tuple[Token, ...], disjoint: bool) -> None:
    """Assert that each token's slice is its part of the typed text `raw`, and that slices are in order.

    With `disjoint` they must not overlap."""
    for token in tokens:
        assert token.raw == raw[token.start : token.end]
        assert token.raw.strip() and token.form
    for a, b in itertools.pairwise(tokens):
        assert a.end <= b.start if disjoint else (a.start <= b.start and a.end <= b.end)


# ---------------------------------------------------------------- properties


@pytest.mark.slow
@examples(600)
@given(HOSTILE, SETTINGS)
def test_forms_are_the_tokenisers_and_slices_are_the_texts(raw: str, chosen: TextSettings) -> None:
    tokens = process(raw, chosen)
    assert processing.words(raw, chosen) == forms(tokens)
    assert list(forms(tokens)) == expected_tokens(raw, chosen)
    assert_slices_fit(raw, tokens, disjoint=not chosen.nfkc)


@examples(200)
@given(HOSTILE, st.sampled_from(["whitespace", "character"]), st.booleans())
def test_the_slices_cover_everything_but_white_space(raw: str, tokenizer: str, lowercase: bool) -> None:
    tokens = process(raw, TextSettings(tokenizer=tokenizer, lowercase=lowercase))
    assert "".join(token.raw for token in tokens) == "".join(raw.split())


@examples(200)
@given(HOSTILE)
def test_normalised_slices_cover_everything_but_white_space(raw: str) -> None:
    """Check that only white space is outside of the tokens' slices of the typed text, after normalisation.

    With NFKC several tokens may have the same slice."""
    tokens = process(raw, TextSettings(nfkc=True))
    covered = {position for token in tokens for position in range(token.start, token.end)}
    assert not "".join([unicodedata.normalize("NFKC", c) for p, c in enumerate(raw) if p not in covered]).strip()


@examples(300)
@given(HOSTILE)
def test_every_character_of_a_normalised_text_comes_from_its_slice(raw: str) -> None:
    """Check that normalising each token's slice of the typed text by itself gives the normal form of the whole text."""
    line = processing.normalised(processing.TrackedText.from_text(raw))
    assert line.text == unicodedata.normalize("NFKC", raw)
    assert len(line.text) == len(line.starts) == len(line.ends)
    slices = [s for s, _ in itertools.groupby(zip(line.starts, line.ends, strict=True))]
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(slices))
    assert "".join([unicodedata.normalize("NFKC", raw[a:b]) for a, b in slices]) == line.text


@pytest.mark.parametrize("seed", range(3))
def test_grapheme_clusters_are_those_of_the_regex_library(seed: int) -> None:
    """Check characters as people see them (grapheme clusters) on long rows of flags and their neighbours.

    The library regex has the expected ones. Our own pattern matches flags, so these are the cases that could differ."""
    some = random.Random(seed)
    parts = ["🇩", "🇪", "\u0301", "\u200d", "\u0600", "👩", "a", "ि", "क", "्", "가", "ᆨ", "\x00", "\ud800"]
    for _ in range(1500):
        raw = "".join(some.choices(parts, weights=[6, 6] + [1] * 12, k=some.randint(1, 12)))
        assert processing.graphemes(raw) == regex.findall(r"\X", raw)


@examples(100)
@given(st.text(alphabet="aé\u0301\u0316\u0344\u0f73\uff9e\u3099かﾊ\u0345\u1ab0", min_size=40, max_size=300))
def test_long_runs_of_marks_normalise_alike(raw: str) -> None:
    assert processing.nfkc(raw) == unicodedata.normalize("NFKC", raw)
    assert processing.nfkc(raw * 3) == unicodedata.normalize("NFKC", raw * 3)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_real_lines(tokenizer: str) -> None:
    assert len(LINES) == 360
    for lowercase, nfkc in itertools.product((False, True), repeat=2):
        chosen = TextSettings(tokenizer=tokenizer, lowercase=lowercase, nfkc=nfkc)
        for line in LINES:
            tokens = process(line, chosen)
            assert list(forms(tokens)) == expected_tokens(line, chosen)
            assert_slices_fit(line, tokens, disjoint=not nfkc)


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize(
    ("raw", "tokenizer", "changes", "tokens"),
    [
        ("", "whitespace", {}, []),
        (" \n\u3000", "character", {}, []),
        ("a  b\n", "whitespace", {}, [("a", 0, 1), ("b", 3, 4)]),
        ("x&quot;y", "13a", {}, [("x", 0, 1), ('"', 1, 7), ("y", 7, 8)]),
        ("&amp;lt;", "13a", {}, [("<", 0, 8)]),  # &amp; is replaced first, then the &lt; that results
        # &quot; is replaced before &amp;, so the result stays.
        ("&amp;quot;", "13a", {}, [("&", 0, 5), ("quot", 5, 9), (";", 9, 10)]),
        ("ab<skipped>cd e", "13a", {}, [("abcd", 0, 13), ("e", 14, 15)]),
        ("<skipped>a", "13a", {}, [("a", 9, 10)]),
        ("transla-\ntion", "13a", {}, [("translation", 0, 13)]),
        ("3.5 a.b", "13a", {}, [("3.5", 0, 3), ("a", 4, 5), (".", 5, 6), ("b", 6, 7)]),
        ("中国a", "chinese", {}, [("中", 0, 1), ("国", 1, 2), ("a", 2, 3)]),
        ("x±y", "international", {}, [("x", 0, 1), ("±", 1, 2), ("y", 2, 3)]),
        ("x½y", "international", {"nfkc": True}, [("x1", 0, 2), ("⁄", 1, 2), ("2y", 1, 3)]),
        ("o… b", "13a", {"nfkc": True}, [("o", 0, 1), (".", 1, 2), (".", 1, 2), (".", 1, 2), ("b", 3, 4)]),
        # The Arabic number sign and the stop are one grapheme, but NFKC changes neither, so they stay separate tokens.
        ("ﬁ \u0600.x", "13a", {"nfkc": True}, [("fi", 0, 1), ("\u0600", 2, 3), (".", 3, 4), ("x", 4, 5)]),
        ("ｶﾞﾊﾟ x", "whitespace", {"nfkc": True}, [("ガパ", 0, 4), ("x", 5, 6)]),
        ("xㄱㅏy", "character", {"nfkc": True}, [("x", 0, 1), ("가", 1, 3), ("y", 3, 4)]),
        ("İx ß", "whitespace", {"lowercase": True}, [("i̇x", 0, 2), ("ß", 3, 4)]),
        ("İx", "character", {"lowercase": True}, [("i̇", 0, 1), ("x", 1, 2)]),
        ("ΟΔΟΣ ΣΑΣ", "whitespace", {"lowercase": True}, [("οδος", 0, 4), ("σας", 5, 8)]),
        ("ﬁ ﬂ", "whitespace", {"nfkc": True}, [("fi", 0, 1), ("fl", 2, 3)]),
        ("ℌAT", "whitespace", {"nfkc": True, "lowercase": True}, [("hat", 0, 3)]),  # NFKC before lower case
        ("👩\u200d👩\u200d👧🇩🇪🇫🇷", "character", {}, [("👩\u200d👩\u200d👧", 0, 5), ("🇩🇪", 5, 7), ("🇫🇷", 7, 9)]),
        ("e\u0301\u1100\u1161\u11a8", "character", {}, [("e\u0301", 0, 2), ("\u1100\u1161\u11a8", 2, 5)]),
        ("\u0301 \u0301", "character", {}, [("\u0301", 0, 1), ("\u0301", 2, 3)]),
        ("\ud800\x00 \u202e", "whitespace", {}, [("\ud800\x00", 0, 2), ("\u202e", 3, 4)]),
        ("The Cats", "whitespace", {"stemmer": "porter"}, [("the", 0, 3), ("cat", 4, 8)]),
    ],
)
def test_examples(raw: str, tokenizer: str, changes: dict[str, bool], tokens: list[tuple[str, int, int]]) -> None:
    made = process(raw, TextSettings(tokenizer=tokenizer, **changes))
    assert made == tuple([Token(form, raw[start:end], start, end) for form, start, end in tokens])
    assert all(type(token) is Token for token in made)


def test_only_strings() -> None:
    with pytest.raises(TypeError, match="text must be a string, got list"):
        process(["a"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="references must be a list of texts"):
        segment_text("a", "a b")
    with pytest.raises(ValueError, match="at least one reference"):
        segment_text("a", [])


def test_segment_text() -> None:
    made = segment_text("A b", ["a", "B  b"], TextSettings(lowercase=True))
    assert made.segment.candidate == ("a", "b") == forms(made.candidate)
    assert made.segment.references == (("a",), ("b", "b")) == tuple(map(forms, made.references))
    assert made.references[1][1] == Token("b", "b", 3, 4)


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("given_settings", "signature"),
    [
        ({}, "tok:whitespace|case:mixed|stem:none|norm:none"),
        ({"tokenizer": "13a", "lowercase": True}, "tok:13a|case:lc|stem:none|norm:none"),
        ({"stemmer": "porter", "language": "german"}, "tok:whitespace|case:mixed|stem:porter|norm:none"),
        ({"stemmer": "snowball", "nfkc": True}, "tok:whitespace|case:mixed|stem:snowball-english|norm:nfkc"),
    ],
)
def test_signature(given_settings: dict[str, object], signature: str) -> None:
    assert TextSettings(**given_settings).signature() == signature  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [("tokenizer", "14a"), ("stemmer", "lancaster"), ("language", "latin"), ("lowercase", 1), ("nfkc", None)],
)
def test_bad_settings_are_named(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name} must be .*{value!r}"):
        TextSettings(**{name: value})  # type: ignore[arg-type]


# ---------------------------------------------------------------- stems


def test_languages_are_those_of_nltk() -> None:
    from nltk.stem import SnowballStemmer

    assert set(SnowballStemmer.languages) - {"porter"} == set(LANGUAGES)


@pytest.mark.parametrize(
    ("word", "stemmer", "language", "wanted"),
    [
        ("Relational", "porter", "english", "relat"),  # Porter (1980), step 2
        ("Skies", "porter", "english", "sky"),  # NLTK's default mode
        ("generously", "snowball", "english", "generous"),
        ("Autobahnen", "snowball", "german", "autobahn"),
        ("3.5", "porter", "english", "3.5"),
        ("-", "snowball", "arabic", "-"),  # the stemmer alone returns an empty stem
        ("Ь", "snowball", "russian", "ь"),  # so it does for this letter
        ("Hello", "snowball", "arabic", "hello"),  # the stemmer alone keeps capitals
        ("\ud800", "porter", "english", "\ud800"),
        ("Y" * 5000, "porter", "english", "y" * 5000),
    ],
)
def test_stem(word: str, stemmer: str, language: str, wanted: str) -> None:
    assert stem(word, stemmer, language) == wanted


@examples(150)
@given(st.text(min_size=1, max_size=12) | HOSTILE.filter(bool), st.sampled_from(["porter", *LANGUAGES]))
def test_stems_of_anything(word: str, language: str) -> None:
    made = stem(word, "porter") if language == "porter" else stem(word, "snowball", language)
    assert made
    assert made == made.lower() if any(map(str.isalpha, word)) else made == word


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stem_does_not_depend_on_earlier_words(language: str) -> None:
    """Check that a stem does not depend on earlier words, although NLTK's Arabic stemmer keeps state between words."""
    from nltk.stem import SnowballStemmer

    some = random.Random(3)
    letters = {"arabic": "الوبينتكهمس", "russian": "аеиоуыястнлмвй"}.get(language, "aeiounrstlgméäå")
    for word in ["".join(some.choices(letters, k=some.randint(2, 9))) for _ in range(120)]:
        assert stem(word, "snowball", language) == (SnowballStemmer(language).stem(word).lower() or word)


# ---------------------------------------------------------------- cost

MEGABYTE = 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raw", "chosen"),
    [
        ("x" * MEGABYTE, TextSettings()),
        ("x" * MEGABYTE, TextSettings(tokenizer="13a", stemmer="porter")),
        ("&amp;" * (MEGABYTE // 5), TextSettings(tokenizer="13a")),
        (" ab" * (MEGABYTE // 3), TextSettings()),
        ("🇩🇪" * (MEGABYTE // 8), TextSettings(tokenizer="character")),
        ("a" + "\u0301" * (MEGABYTE // 2), TextSettings(tokenizer="character", lowercase=True)),
        ("a" + "\u0f73\u0301" * (MEGABYTE // 5), TextSettings(nfkc=True)),
        ("ㄱㅏ" * (MEGABYTE // 12), TextSettings(nfkc=True)),
    ],
    ids=["word", "13a-word", "entities", "words", "flags", "accents", "marks", "jamo"],
)
def test_a_megabyte_in_one_line_is_read(raw: str, chosen: TextSettings) -> None:
    """Check that a line of a megabyte is processed; `make bench` checks that the time is proportional to length."""
    tokens = process(raw, chosen)
    assert tokens[0].start == len(raw) - len(raw.lstrip()) and tokens[-1].end == len(raw)


def test_long_lines_are_not_kept_alive() -> None:
    for tokenizer in SACREBLEU:
        process("a b", TextSettings(tokenizer=tokenizer))
    for name, module in list(sys.modules.items()):
        if name.startswith("metrics._sacrebleu_tokenizers.tokenizer_") and not name.endswith("base"):
            calls = [made.__dict__.get("__call__") for made in vars(module).values() if isinstance(made, type)]
            caches = [call for call in calls if hasattr(call, "cache_info")]
            assert caches and all(cache.cache_info().currsize == 0 for cache in caches)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_what_is_not_needed_is_not_imported(tokenizer: str) -> None:
    program = (
        "import sys; from metrics.text import *; "
        f"process('a b', TextSettings(tokenizer={tokenizer!r}, nfkc=True, lowercase=True)); "
        "print([m for m in ('nltk', 'pandas', 'numpy', 'sacrebleu', 'streamlit') if m in sys.modules])"
    )
    assert run_python(program).strip() == "[]"
