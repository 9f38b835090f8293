"""Test the five classes of errors: worked examples, general properties, and a slow program that checks the fast one."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import metrics
from metrics.alignment.edits import most_matching_script as script
from metrics.alignment.edits import script_match_count
from metrics.analysis.error_classes import ErrorClass, classify_segment, classify_words
from metrics.text import stem
from metrics.types import Hit, segment
from tests.helpers.corpora import load_token_lines

LETTERS = {None: "·", **{error: error.name[0] for error in ErrorClass}}

# Candidate, reference, the error class of each word by its first letter (· for correct words), what the row shows.
EXAMPLES = [
    ("police killed the gunman", "police killed the gunman", "····", "····", "no error"),
    ("police kill the gunman", "police killed the gunman", "·I··", "·I··", "inflection in place"),
    ("the gunman kill police", "police killed the gunman", "··IO", "OI··", "inflection out of place is inflection"),
    (
        "a real wave of it",
        "which is a real it wave",
        "··OE·",
        "MM···O",
        "of equally short scripts the one that keeps most",
    ),
    ("the gunman police killed", "police killed the gunman", "OO··", "··OO", "two words are moved"),
    ("police killed gunman", "police killed the gunman", "···", "··M·", "missing"),
    ("police have killed the gunman", "police killed the gunman", "·E···", "····", "extra"),
    ("police killed the burglar", "police killed the gunman", "···L", "···L", "wrong word"),
    ("a a b", "a b", "·E·", "··", "a word too often: the bag of the reference has only one, and that one is matched"),
    ("a b a", "a c", "·EL", "·L", "the second “a” is no reordering, for the only one of the reference is matched"),
    ("c x a", "a y c", "OLO", "OLO", "words that are moved and substituted are moved"),
    ("x a b c", "b c a", "EO··", "··O", "words that are moved and inserted or deleted are moved"),
    (
        "so police in the house",
        "the police in house",
        "L··O·",
        "O···",
        "the word in whose place another stands may be right elsewhere",
    ),
    ("kills b killing", "c d killed", "LLI", "LLI", "substituted words of one stem go together before the leftmost"),
    ("The cat", "the cat", "I·", "I·", "a capital alone makes another form of the same stem"),
    ("so it", "", "EE", "", "empty reference"),
    ("", "so it", "", "MM", "empty candidate"),
    ("", "", "", "", "both empty"),
]


def error_letters(words):
    return "".join(LETTERS[word.error] for word in words)


@pytest.mark.parametrize(("candidate", "reference", "ours", "theirs", "what"), EXAMPLES)
def test_worked_examples(candidate, reference, ours, theirs, what):
    found = classify_words(candidate.split(), reference.split())
    assert (error_letters(found.candidate), error_letters(found.reference)) == (ours, theirs), what


REASONS = (
    [
        "“so” replaces “the”; the reference has no word left with the stem “so”.",
        "“police” matches the same word of the reference.",
        "“kill” is “killed” in the reference: same stem “kill”.",
        "“in” is word 6 of the reference, in another place.",
        "“the” is word 1 of the reference, in another place.",
        "“a” matches the same word of the reference.",
        "“big” replaces no word; the reference has no word left with the stem “big”.",
        "“thief” matches the same word of the reference.",
        "“Berlin” matches the same word of the reference.",
    ],
    [
        "“the” is word 5 of the candidate, in another place.",
        "“police” matches the same word of the candidate.",
        "“killed” is “kill” in the candidate: same stem “kill”.",
        "“a” matches the same word of the candidate.",
        "“thief” matches the same word of the candidate.",
        "“in” is word 4 of the candidate, in another place.",
        "“Berlin” matches the same word of the candidate.",
        "Nothing replaces “quickly”; the candidate has no word left with the stem “quickli”.",
    ],
)
PARTNERS = [0, 1, 2, 5, 0, 3, None, 4, 6], [4, 1, 2, 5, 7, 3, 8, None]


def test_every_word_says_why():
    found = classify_words(
        "so police kill in the a big thief Berlin".split(), "the police killed a thief in Berlin quickly".split()
    )
    assert [word.reason for word in found.candidate] == REASONS[0]
    assert [word.reason for word in found.reference] == REASONS[1]
    assert [word.partner and word.partner.j for word in found.candidate] == PARTNERS[0]
    assert [word.partner and word.partner.i for word in found.reference] == PARTNERS[1]


def test_reasons_without_a_stemmer():
    found = classify_words(["kill", "it"], ["killed", "it", "now"], stemmer="none")
    assert found.candidate[0].reason == "“kill” replaces “killed”; the reference has no “kill” left."
    assert found.reference[2].reason == "Nothing replaces “now”; the candidate has no “now” left."


def test_the_language_of_the_stems():
    german = "die Übersetzung".split(), "die Übersetzungen".split()
    assert error_letters(classify_words(*german, "snowball", "german").candidate) == "·I"
    assert error_letters(classify_words(*german).candidate) == "·L"
    with pytest.raises(ValueError, match="stemmer must be one of 'none', 'porter', 'snowball', got 'lovins'"):
        classify_words(*german, "lovins")
    with pytest.raises(ValueError, match=r"language must be one of .*, got 'latin'"):
        classify_words(*german, "snowball", "latin")


def test_counts_of_both_sides():
    found = classify_words("police kill the burglar now here".split(), "the police killed the gunman".split())
    assert (error_letters(found.candidate), error_letters(found.reference)) == ("·I·EEL", "M·I·L")
    assert [tuple(count) for count in found.counts()] == [
        (ErrorClass.INFLECTION, 1, 1, 1 / 6, 1 / 5),
        (ErrorClass.ORDER, 0, 0, 0, 0),
        (ErrorClass.MISSING, 0, 1, 0, 1 / 5),
        (ErrorClass.EXTRA, 2, 0, 2 / 6, 0),
        (ErrorClass.LEXICAL, 1, 1, 1 / 6, 1 / 5),
    ]
    assert [tuple(count)[1:] for count in classify_words([], []).counts()] == [(0, 0, 0, 0)] * 5


def test_each_class_has_a_name_and_a_line():
    assert [error.label for error in ErrorClass] == ["Inflection", "Word order", "Missing", "Extra", "Lexical choice"]
    assert all(error.meaning.endswith(".") and len(error.meaning) < 90 for error in ErrorClass)


def test_the_reference_of_the_lowest_word_error_rate():
    sentences = segment("a b c".split(), ["a x y z".split(), "a b d".split(), "a b e".split()])
    found = classify_segment(sentences)
    assert found == classify_words(*sentences[:1], sentences.references[1], k=1)
    assert found.k == metrics.score("wer", *sentences).decides["score"] == 1
    assert [word.partner for word in found.reference] == [Hit(t, 1, t) for t in range(3)]


# ---------------------------------------------------------------- against definitions


REAL = [*zip(load_token_lines("system.SMU"), load_token_lines("reference.A"), strict=True)]


def random_pairs(seed, count=400):
    rng = random.Random(seed)
    words = "kill kills killed killing the The thes gunman gunmen police".split()
    for _ in range(count):
        some = rng.sample(words, rng.randrange(1, 9))
        yield tuple([tuple(rng.choices(some, k=rng.randrange(10))) for _ in range(2)])


def random_and_real_pairs():
    yield from random_pairs(1)
    yield from REAL


def test_exactly_the_errors_of_the_script_have_a_class():
    seen = Counter()
    for candidate, reference in random_and_real_pairs():
        found = classify_words(candidate, reference)
        steps = script(candidate, reference)
        assert (len(found.candidate), len(found.reference)) == (len(candidate), len(reference))
        ops = {"match": set(), "substitution": set(), "insertion": set(), "deletion": set()}
        for edit in steps:
            ops[edit.op] |= {("i", i) for i in range(edit.i_start, edit.i_end)}
            ops[edit.op] |= {("j", j) for j in range(edit.j_start, edit.j_end)}
        for side, words in (("i", found.candidate), ("j", found.reference)):
            for t, word in enumerate(words):
                seen[word.error] += 1
                (op,) = [op for op, places in ops.items() if (side, t) in places]
                allowed = {
                    "match": {None},
                    "substitution": {ErrorClass.INFLECTION, ErrorClass.ORDER, ErrorClass.LEXICAL},
                    "insertion": {ErrorClass.INFLECTION, ErrorClass.ORDER, ErrorClass.EXTRA},
                    "deletion": {ErrorClass.INFLECTION, ErrorClass.ORDER, ErrorClass.MISSING},
                }[op]
                assert word.error in allowed
        errors = Counter(edit.op for edit in steps)
        wer = metrics.score("wer", candidate, [reference]).parts
        of_wer = wer["substitutions"] + wer["insertions"] + wer["deletions"]
        assert errors["substitution"] + errors["insertion"] + errors["deletion"] == of_wer, "as short as any"
        assert errors["substitution"] <= wer["substitutions"]
        ours, theirs = (sum(getattr(c, side) for c in found.counts()) for side in ("candidate", "reference"))
        assert ours == errors["substitution"] + errors["insertion"]
        assert theirs == errors["substitution"] + errors["deletion"]
    assert min(seen.values()) > 50 and set(seen) == {None, *ErrorClass}


def test_numbers_are_those_of_the_bags():
    """Check the paper's counts of words that are no errors of position-independent error rate (PER).

    A word, or a stem, is right as often as both texts have it, in any order."""
    for candidate, reference in random_and_real_pairs():
        found = classify_words(candidate, reference)
        for words, sentence in ((found.candidate, candidate), (found.reference, reference)):
            same = Counter(w for w, c in zip(sentence, words, strict=True) if c.error in (None, ErrorClass.ORDER))
            assert same == Counter(candidate) & Counter(reference)
            stems = Counter(
                stem(w, "porter")
                for w, c in zip(sentence, words, strict=True)
                if c.error in (None, ErrorClass.ORDER, ErrorClass.INFLECTION)
            )
            bags = [Counter(stem(w, "porter") for w in side) for side in (candidate, reference)]
            assert stems == bags[0] & bags[1]


def test_partners():
    """Check that paired words of candidate and reference name each other as partners.

    A lexical error (a wrong word) names the reference word in whose place it is."""
    for candidate, reference in random_and_real_pairs():
        found = classify_words(candidate, reference)
        substituted = {cell for e in script(candidate, reference) if e.op == "substitution" for cell in e.cells()}
        for side, words in enumerate((found.candidate, found.reference)):
            for t, word in enumerate(words):
                cell = word.partner
                if word.error in (ErrorClass.MISSING, ErrorClass.EXTRA):
                    assert cell is None
                    continue
                assert (cell.i, cell.j)[side] == t
                a, b = candidate[cell.i], reference[cell.j]
                if word.error is ErrorClass.LEXICAL:
                    assert cell in substituted and a != b
                    continue
                other = (found.reference[cell.j], found.candidate[cell.i])[side]
                assert (other.error, other.partner) == (word.error, cell)
                assert (a == b) == (word.error is not ErrorClass.INFLECTION)
                assert stem(a, "porter") == stem(b, "porter")


@cache
def fewest_edits_and_most_kept(candidate, reference):
    """Return (fewest edits, most words that a script of so few edits keeps), by dynamic programming over prefixes."""
    best = {}
    for i in range(len(candidate) + 1):
        for j in range(len(reference) + 1):
            ways = [(0, 0)] if i == j == 0 else []
            ways += [(best[i - 1, j][0] + 1, best[i - 1, j][1])] if i else []
            ways += [(best[i, j - 1][0] + 1, best[i, j - 1][1])] if j else []
            if i and j:
                same = candidate[i - 1] == reference[j - 1]
                ways.append((best[i - 1, j - 1][0] + (not same), best[i - 1, j - 1][1] - same))
            best[i, j] = min(ways)
    return best[len(candidate), len(reference)][0], -best[len(candidate), len(reference)][1]


def test_no_script_that_is_as_short_keeps_more_words():
    more = 0
    for candidate, reference in [*random_pairs(4), *REAL[:60]]:
        steps = script(candidate, reference)
        kept = sum(edit.i_end - edit.i_start for edit in steps if edit.op == "match")
        assert (sum(edit.op != "match" for edit in steps), kept) == fewest_edits_and_most_kept(candidate, reference)
        more += kept > script_match_count(candidate, reference)
        assert [i for edit in steps for i in range(edit.i_start, edit.i_end)] == [*range(len(candidate))]
        assert [j for edit in steps for j in range(edit.j_start, edit.j_end)] == [*range(len(reference))]
    assert more > 10


def slow_error_classes(candidate, reference):
    """Return (class, partner cell) for each candidate word and for each reference word, as two lists.

    For each kind of partner in turn (match, same word, same stem), each candidate word takes the leftmost reference
    word
    that is still free. The partner is None for extra and missing words."""
    ops = {}
    for edit in script(candidate, reference):
        ops |= {("i", i): edit.op for i in range(edit.i_start, edit.i_end)}
        ops |= {("j", j): edit.op for j in range(edit.j_start, edit.j_end)}
    cells = {(c.i, c.j): e.op for e in script(candidate, reference) for c in e.cells()}
    out = {}
    for error, fits in (
        (None, lambda i, j: cells.get((i, j)) == "match"),
        (ErrorClass.ORDER, lambda i, j: candidate[i] == reference[j]),
        (ErrorClass.INFLECTION, lambda i, j: same_stem(i, j) and cells.get((i, j)) == "substitution"),
        (ErrorClass.INFLECTION, lambda i, j: same_stem(i, j)),
    ):
        for i in range(len(candidate)):
            for j in range(len(reference)):
                same_stem = lambda i, j: stem(candidate[i], "porter") == stem(reference[j], "porter")  # noqa: E731
                if ("i", i) not in out and ("j", j) not in out and fits(i, j):
                    out["i", i] = out["j", j] = error, (i, j)
    left = {"substitution": ErrorClass.LEXICAL, "insertion": ErrorClass.EXTRA, "deletion": ErrorClass.MISSING}
    for place, op in ops.items():
        if place not in out:
            cell = [c for c in cells if c["ij".index(place[0])] == place[1]]
            out[place] = left[op], cell[0] if cell else None
    return [[out[side, t] for t in range(size)] for side, size in (("i", len(candidate)), ("j", len(reference)))]


@pytest.mark.parametrize("seed", range(3))
def test_against_the_slow_program(seed):
    for candidate, reference in random_pairs(seed):
        found = classify_words(candidate, reference)
        fast = [
            [(word.error, word.partner and (word.partner.i, word.partner.j)) for word in words]
            for words in (found.candidate, found.reference)
        ]
        assert fast == slow_error_classes(candidate, reference)
