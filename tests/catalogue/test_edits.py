"""Tests of WER and PER: worked examples, golden values and a comparison with jiwer.

Slow programs that try everything check the edit scripts."""

from __future__ import annotations

import math
import random
from collections import Counter
from functools import cache, lru_cache

import jiwer
import pytest

import metrics
from metrics.alignment.edits import (
    ShortestScripts,
    make_comparable,
    nearest_reference,
    script_from_cells,
    script_match_count,
    shortest_script,
)
from metrics.catalogue.wer.program import edit_cells, way_back
from metrics.teach.steps import GrowingTable
from metrics.types import Edit, Hit, Ties, TooHard, segment
from tests.helpers.cases import golden_rows
from tests.helpers.corpora import load_token_lines
from tests.helpers.peers import agreed

GOLDEN = golden_rows("wer_per")
WER, PER = metrics.METRICS["wer"], metrics.METRICS["per"]
S1 = "police killed the gunman"

# Candidate, reference, (S, I, D, hits) of WER, (S, I, D, common) of PER, source.
EXAMPLES = [
    ("police kill the gunman", S1, (1, 0, 0, 3), (1, 0, 0, 3), "Lin and Och's S2"),
    ("the gunman kill police", S1, (4, 0, 0, 0), (1, 0, 0, 3), "Lin and Och's S3"),
    ("the gunman police killed", S1, (0, 2, 2, 2), (0, 0, 0, 4), "Lin and Och's S4"),
    (S1, S1, (0, 0, 0, 4), (0, 0, 0, 4), "identical"),
    ("a b c", "x y", (2, 1, 0, 0), (2, 1, 0, 0), "nothing in common"),
    ("a x b", "a b", (0, 1, 0, 2), (0, 1, 0, 2), "a word too many is an insertion, as in jiwer"),
    ("a b", "a x b", (0, 0, 1, 2), (0, 0, 1, 2), "a word too few is a deletion"),
    ("a a a b", "a b b", (1, 1, 0, 2), (1, 1, 0, 2), "each word as often as the rarer side has it"),
    ("b a", "a b", (0, 1, 1, 1), (0, 0, 0, 2), "one insertion and one deletion are not worse than two substitutions"),
    ("", "a b c", (0, 0, 3, 0), (0, 0, 3, 0), "empty candidate"),
    ("a b", "", (0, 2, 0, 0), (0, 2, 0, 0), "empty reference"),
    ("", "", (0, 0, 0, 0), (0, 0, 0, 0), "both empty"),
]


@pytest.mark.parametrize(("candidate", "reference", "wer", "per", "source"), EXAMPLES)
def test_worked_examples(candidate, reference, wer, per, source):
    for key, counts, last in (("wer", wer, "hits"), ("per", per, "common")):
        result = metrics.score(key, candidate.split(), [reference.split()])
        assert list(result.parts) == ["substitutions", "insertions", "deletions", last]
        assert tuple(result.parts.values()) == counts, (key, source)
        assert result.score == sum(counts[:3]) / max(len(reference.split()), 1)
        assert not metrics.METRICS[key].higher_is_better


@pytest.mark.peer
def test_golden():
    assert len(GOLDEN) > 200
    rows = [row for row in GOLDEN if row["expected"]["jiwer"]]
    for row in GOLDEN:
        expected = row["expected"]
        wer, per = (metrics.score(key, row["candidate"], row["references"]) for key in ("wer", "per"))
        assert wer.score == pytest.approx(expected["wer"], abs=1e-12), row["id"]
        # The file's two definitions of PER, by max(m, n) and by m − common + max(0, n − m), are the same number.
        assert per.score == pytest.approx(expected["per_max"], abs=1e-12), row["id"]
        assert per.score == pytest.approx(expected["per_tillmann"], abs=1e-12), row["id"]
        assert per.parts["common"] == expected["common"]
        s, i, d, h = wer.parts.values()
        assert s + i + d == expected["distance"]
        if expected["jiwer"]:
            assert {"sub": s, "ins": i, "del": d, "hits": h, "wer": wer.score} == expected["jiwer"], row["id"]
    agreed("WER", "jiwer 4.0.0", "rate, hits, substitutions, insertions, deletions", 5 * len(rows))


# ---------------------------------------------------------------- slow programs


@cache
def prefix_distances(candidate, reference):
    """Return the edit distance of each pair of prefixes, by their lengths (i, j), by the textbook's recurrence."""
    out = {}
    for i in range(len(candidate) + 1):
        for j in range(len(reference) + 1):
            options = [i + j] if not i or not j else []
            if i and j:
                options.append(out[i - 1, j - 1] + (candidate[i - 1] != reference[j - 1]))
                options += [out[i - 1, j] + 1, out[i, j - 1] + 1]
            out[i, j] = min(options)
    return out


def edit_distance(candidate, reference):
    return prefix_distances(candidate, reference)[len(candidate), len(reference)]


def traced_cells(candidate, reference):
    """Return the cells (i, j) where the shortest edit script matches or substitutes, sorted.

    Of several shortest scripts it is the one that the tie rule in the docstring of `edit_script` chooses."""
    sheet = GrowingTable("edits", len(candidate) + 1, len(reference) + 1, 0)
    for cell in edit_cells(candidate, reference):
        sheet.fill(cell)
    return sorted((cell.i, cell.j) for edit in way_back(candidate, 0, reference, sheet) for cell in edit.cells())


def shortest_scripts(candidate, reference):
    """Return all shortest edit scripts, each as the set of the cells (i, j) that it matches or substitutes."""

    @lru_cache(None)
    def scripts_of_prefixes(i, j):
        if not i and not j:
            return {frozenset()}
        d, out = prefix_distances(candidate, reference), set()
        if i and j and d[i, j] == d[i - 1, j - 1] + (candidate[i - 1] != reference[j - 1]):
            out |= {cells | {(i - 1, j - 1)} for cells in scripts_of_prefixes(i - 1, j - 1)}
        if i and d[i, j] == d[i - 1, j] + 1:
            out |= scripts_of_prefixes(i - 1, j)
        if j and d[i, j] == d[i, j - 1] + 1:
            out |= scripts_of_prefixes(i, j - 1)
        return out

    return scripts_of_prefixes(len(candidate), len(reference))


def count_common_words(candidate, reference):
    return sum((Counter(candidate) & Counter(reference)).values())


def sentence_maker(rng, longest=9):
    words = rng.choice(["ab", "abc", "abcdefgh", ["the", "gunman", "police", "killed", "", "\0"]])
    return lambda: tuple(rng.choices(words, k=rng.randrange(longest + 1)))


def aligned_cells(script):
    return [(cell.i, cell.j) for edit in script for cell in edit.cells()]


def check_script(script, candidate, reference, k=0):
    """Check that the edits of `script` lead from `candidate` to `reference`, whose index is `k`.

    Together they cover both texts in order. A match is as long as possible; every other edit changes, adds or
    removes one word."""
    i = j = 0
    last = None
    for edit in script:
        assert (edit.i_start, edit.k, edit.j_start) == (i, k, j)
        i, j = edit.i_end, edit.j_end
        rows, columns = candidate[edit.i_start : i], reference[edit.j_start : j]
        if edit.op == "match":
            assert rows == columns and rows and last != "match"
        else:
            sizes = {"substitution": (1, 1), "insertion": (1, 0), "deletion": (0, 1)}[edit.op]
            assert (len(rows), len(columns)) == sizes
            assert edit.op != "substitution" or rows != columns
        last = edit.op
    assert (i, j) == (len(candidate), len(reference))


@pytest.mark.parametrize("seed", range(4))
def test_scripts_against_the_slow_program(seed):
    rng = random.Random(seed)
    for _ in range(500):
        words = sentence_maker(rng, 14)
        candidate, reference = words(), words()
        found = shortest_script(candidate, reference, 3)
        check_script(found, candidate, reference, 3)
        assert sum(edit.op != "match" for edit in found) == edit_distance(candidate, reference)
        assert aligned_cells(found) == traced_cells(candidate, reference)
        assert script_from_cells(aligned_cells(found), candidate, 3, reference) == found
        letters, (others,) = make_comparable(candidate, [reference])
        assert script_match_count(letters, others) == sum(e.i_end - e.i_start for e in found if e.op == "match")


def test_the_steps_of_wer_fill_the_plain_table_and_draw_the_script():
    rng = random.Random(5)
    for _ in range(60):
        words = sentence_maker(rng)
        candidate, references = words(), [words() for _ in range(rng.randrange(1, 4))]
        steps = [*metrics.trace("wer", candidate, references)]
        for k, reference in enumerate(references):
            last = [step.table for step in steps if step.table.k == k][-1]
            plain = prefix_distances(candidate, reference)
            assert {(row, column): value for row, column, value, _ in last.filled} == plain
            for row, column, value, came in last.filled:
                hit = row and column and candidate[row - 1] == reference[column - 1]
                assert all(plain[at] + (not hit) == value for at in came)
        assert {cell for edit in steps[-1].taken_marks for cell in edit.cells()} == steps[-1].result.cells()
        wrong = [edit for edit in steps[-1].taken_marks if edit.op != "match"]
        assert len(wrong) == sum(map(len, (layer.marks for layer in steps[-1].result.layers[:3])))


@pytest.mark.parametrize("seed", range(4))
def test_rates_against_the_slow_program(seed):
    """Check that WER and PER are computed with the reference that gives the lowest rate, the first of equal ones.

    That need not be the reference with the fewest errors, because a rate divides the errors by the reference's
    length."""
    rng = random.Random(seed)
    moved = 0
    for _ in range(300):
        words = sentence_maker(rng)
        candidate, references = words(), [words() for _ in range(rng.choice([1, 2, 4]))]
        for key, errors in (
            ("wer", [edit_distance(candidate, r) for r in references]),
            ("per", [max(len(candidate), len(r)) - count_common_words(candidate, r) for r in references]),
        ):
            rates = [e / max(len(r), 1) for e, r in zip(errors, references, strict=True)]
            result = metrics.score(key, candidate, references)
            k = rates.index(min(rates))
            assert result.score == rates[k] and result.decides == {"score": k}
            assert {mark.k for layer in result.layers for mark in layer.marks} <= {k}
            assert sum([*result.parts.values()][:3]) == errors[k]
            assert metrics.METRICS[key].statistics(result.segment, result.settings) == result.stats
            moved += errors.index(min(errors)) != k
        assert metrics.score("per", candidate, references).score <= metrics.score("wer", candidate, references).score
    assert moved > 10


def test_per_draws_the_leftmost_occurrences():
    (layer,) = metrics.score("per", "b a a".split(), [["x"], "a c b a a".split()]).layers
    assert layer.marks == (Hit(0, 1, 2), Hit(1, 1, 0), Hit(2, 1, 3)) and layer.credits == (1, 1, 1)


def test_the_empty_word_and_the_letter_of_code_0_are_two_words():
    """Check that the empty word and the word "\\0" (the letter with code 0) are different words.

    RapidFuzz takes them for equal: the hash of the empty word is 0, as is the code of the letter."""
    for a, b in [("", "\0"), ("\0", "")]:
        result = metrics.score("wer", [a, "x"], [[b, "x"]])
        assert list(result.parts.values()) == [1, 0, 0, 1]
        assert WER.statistics(result.segment, result.settings) == result.stats
        assert [edit.op for edit in shortest_script([a], [b])] == ["substitution"]
    assert metrics.score("wer", ["", "\0"], [["", "\0"]]).score == 0


def test_layers():
    result = metrics.score("wer", "so a cat it sat".split(), [["dog"], "the cat sat down".split()])
    names = ["substitutions", "insertions", "deletions", "hits"]
    assert [layer.name for layer in result.layers] == names
    assert [layer.statistics for layer in result.layers] == [(name,) for name in names]
    assert [layer.relation for layer in result.layers] == ["different", "equal", "equal", "equal"]
    assert [layer.marks for layer in result.layers] == [
        (Edit("substitution", 1, 2, 1, 0, 1),),
        (Edit("insertion", 0, 1, 1, 0, 0), Edit("insertion", 3, 4, 1, 2, 2)),
        (Edit("deletion", 5, 5, 1, 3, 4),),
        (Edit("match", 2, 3, 1, 1, 2), Edit("match", 4, 5, 1, 2, 3)),
    ]
    (hits_layer,) = [x for x in metrics.score("wer", list("abcxd"), [list("abcd")]).layers if x.name == "hits"]
    assert hits_layer.marks == (Edit("match", 0, 3, 0, 0, 3), Edit("match", 4, 5, 0, 3, 4))
    assert hits_layer.credits == (3, 1) and hits_layer.total() == 4


def test_formulas():
    def formula_texts(key, *sentences):
        return {
            s.name: metrics.formula.text(s.forms[-1])
            for s in metrics.METRICS[key].formula(metrics.score(key, *sentences))
        }

    sentences = list("abcxd"), [list("abcd")]
    assert formula_texts("wer", *sentences) == {
        "S": "0 edits",
        "I": "1 edit",
        "D": "0 edits",
        "H": "3 + 1",
        "m": "4 + 0 + 0",
        "WER": "(0 + 1 + 0)/4",
    }
    assert formula_texts("per", *sentences) == {"common": "4 of 5 words", "max(n, m)": "5 words", "PER": "(5 − 4)/4"}
    assert formula_texts("wer", ["a"], [[]])["WER"] == "(0 + 1 + 0)/1"
    assert formula_texts("per", ["a"], [[]])["PER"] == "(1 − 0)/1"
    for key in ("wer", "per"):
        last = metrics.METRICS[key].formula(metrics.score(key, ["a"], [[]]))[-1]
        assert metrics.formula.text(last.forms[0]).endswith("/max(m, 1)"), "m itself is 0 and must not be said to be 1"


@pytest.mark.parametrize("key", ["wer", "per"])
@pytest.mark.parametrize(
    ("candidate", "reference", "summary", "remark"),
    [
        ("a b", "a b", "0 errors", ""),
        ("a b", "a", "1 error", ""),
        ("x y", "a b", "2 errors", ""),
        ("a b c", "x", "3 errors", "The rate is above 1: there are more errors than words in the reference."),
        (
            "a b",
            "",
            "2 errors",
            "The reference is empty: every word of the candidate is an error, divided by a length of 1.",
        ),
    ],
)
def test_what_is_said(key, candidate, reference, summary, remark):
    metric, result = metrics.METRICS[key], metrics.score(key, candidate.split(), [reference.split()])
    assert (metric.summary(result), metric.remark(result)) == (summary, remark)


def test_neither_has_settings():
    for key in ("wer", "per"):
        assert metrics.METRICS[key].Settings.rules() == {}
        with pytest.raises(ValueError, match=f"{key} has the settings none; got 'beta'"):
            metrics.score(key, ["a"], [["a"]], beta=1)


# ---------------------------------------------------------------- jiwer


@cache
def real_sentence_pairs():
    reference, *systems = map(load_token_lines, ["reference.A", "system.SMU", "system.Online-W"])
    return [(c, r) for system in systems for c, r in zip(system, reference, strict=True)]


def random_sentence_pairs():
    rng = random.Random(5)
    for _ in range(500):
        words = sentence_maker(rng, 20)
        yield tuple([tuple(word for word in words() if word not in ("", "\0")) for _ in range(2)])


@pytest.mark.parametrize("text", [real_sentence_pairs, random_sentence_pairs])
def test_jiwer_finds_the_same_rate_and_the_same_script(text):
    names = {"match": "equal", "substitution": "substitute", "insertion": "insert", "deletion": "delete"}
    rows = list(text())
    for candidate, reference in rows:
        theirs = jiwer.process_words(" ".join(reference), " ".join(candidate))
        ours = metrics.score("wer", candidate, [reference])
        assert ours.score == pytest.approx(theirs.wer, abs=1e-12)
        counts = [theirs.substitutions, theirs.insertions, theirs.deletions, theirs.hits]
        assert list(ours.parts.values()) == counts, "both take RapidFuzz's script of the same two sentences"
        steps = [
            (names[edit.op], *edit[1:3], *edit[4:])
            for layer in ours.layers
            for edit in layer.marks
            if edit.op != "match"
        ]
        words = [
            # A chunk of several words is as many errors as its longer side has words.
            (chunk.type, *(word_range(chunk, t, "hyp")), *word_range(chunk, t, "ref"))
            for chunk in theirs.alignments[0]
            if chunk.type != "equal"
            for t in range(max(chunk.hyp_end_idx - chunk.hyp_start_idx, chunk.ref_end_idx - chunk.ref_start_idx))
        ]
        assert sorted(steps) == sorted(words)
    pooled = jiwer.process_words([" ".join(r) for _, r in rows], [" ".join(c) for c, _ in rows])
    ours = metrics.corpus_score("wer", [c for c, _ in rows], [[r] for _, r in rows])
    assert ours.score == pytest.approx(pooled.wer, abs=1e-12)


def word_range(chunk, index, side):
    """Return where the word with index `index` of a jiwer chunk is in one of the texts, as a half-open range.

    `side` is "ref" or "hyp". The range is empty where the chunk has no words of that text."""
    start, end = getattr(chunk, f"{side}_start_idx"), getattr(chunk, f"{side}_end_idx")
    return (start + index, start + index + 1) if end > start else (start, start)


def test_jiwer_and_empty_sentences():
    """Check that WER against an empty reference is the number of inserted words, as in jiwer.

    jiwer takes only one reference."""
    for candidate, reference in [("", ""), ("a b", ""), ("", "a")]:
        ours = metrics.score("wer", candidate.split(), [reference.split()])
        assert ours.score == jiwer.process_words(reference, candidate).wer


def test_a_corpus_divides_the_sum_of_errors_by_the_sum_of_lengths():
    candidates, references = ["a b".split(), "x".split(), []], [["a b c d".split()], [[], ["y", "z"]], [["b"]]]
    # Errors and lengths: 2 of 4; then 1 of 0 for the empty reference and 2 of 2 for "y z", so the first; then 1 of 1.
    wer, per = (metrics.corpus_score(key, candidates, references) for key in ("wer", "per"))
    assert wer.score == per.score == (2 + 1 + 1) / (4 + 0 + 1)
    assert wer.parts == {"substitutions": 0, "insertions": 1, "deletions": 3, "hits": 2}
    assert per.parts == {"substitutions": 0, "insertions": 1, "deletions": 3, "common": 2}


# ---------------------------------------------------------------- ties


@pytest.mark.parametrize("seed", range(3))
def test_shortest_scripts_against_the_slow_program(seed):
    rng = random.Random(seed)
    several = 0
    for _ in range(200):
        words = sentence_maker(rng)
        candidate, reference = words(), words()
        expected = shortest_scripts(candidate, reference)
        scripts = ShortestScripts(candidate, reference)
        listed = list(scripts)
        assert scripts.count == len(listed) == len(expected) and set(map(frozenset, listed)) == expected
        assert set(scripts.cells_in_all_scripts()) == frozenset.intersection(*expected)
        assert set(scripts.cells_in_some_scripts()) == frozenset.union(*expected) - frozenset.intersection(*expected)
        for cells in listed:
            steps = script_from_cells(cells, candidate, 1, reference)
            check_script(steps, candidate, reference, 1)
            assert aligned_cells(steps) == cells
        several += len(expected) > 1
    assert several > 100


def test_ties_of_a_result():
    rng = random.Random(8)
    seen = 0
    for _ in range(150):
        words = sentence_maker(rng, 8)
        result = metrics.score("wer", words(), [words(), words()])
        ties = WER.ties(result, 5)
        assert ties.exact and not ties.depends and ties.results[0] is result
        assert len(ties.results) == min(5, ties.count) == len({other.layers for other in ties.results})
        for other in ties.results:
            check = WER.from_stats(other.stats, other.settings)
            assert (check.score, check.parts) == (other.score, other.parts) and other.score == result.score
            length = {"reference_length": len(result.segment.references[result.decides["score"]])}
            assert {layer.name: layer.total() for layer in other.layers} | length == other.stats
            assert ties.always <= other.cells() <= ties.always | ties.sometimes
            k = result.decides["score"]
            steps = sorted((m for layer in other.layers for m in layer.marks), key=lambda m: (m.i_end, m.j_end))
            check_script(steps, result.segment.candidate, result.segment.references[k], k)
        seen += ties.count > 5
    assert seen > 10


def test_ties_of_gunman():
    ties = WER.ties(metrics.score("wer", "the gunman police killed".split(), [S1.split()]), 9)
    assert [list(other.parts.values()) for other in ties.results] == [[0, 2, 2, 2], [0, 2, 2, 2], [4, 0, 0, 0]]
    assert ties.count == 3 and not ties.always


def test_counts_beyond_any_integer_type_are_exact():
    ties = WER.ties(metrics.score("wer", ["a"] * 200, [["a"] * 100]), 2)
    assert ties.count == math.comb(200, 100) and ties.exact and len(ties.results) == 2
    assert not ties.always and len(ties.sometimes) == 101 * 100


@pytest.mark.parametrize(("n", "m"), [(1200, 1200), (600, 300)])
def test_more_than_can_be_counted_is_said(n, m):
    with pytest.raises(TooHard):
        ShortestScripts(("a",) * n, ("a",) * m)
    result = metrics.score("wer", ["a"] * n, [["a"] * m])
    assert WER.ties(result, 5) == Ties(1, False, (result,), frozenset(), frozenset())


def test_nearest_and_long_sentences():
    """Check that the edit scripts of texts far longer than a page allows are shortest.

    RapidFuzz divides such texts before it searches."""
    rng = random.Random(3)
    reference = tuple(rng.choices("abcdefghij", k=2600))
    candidate = tuple(word for word in reference if rng.random() < 0.8)
    found = shortest_script(candidate, reference)
    check_script(found, candidate, reference)
    assert sum(edit.op != "match" for edit in found) == nearest_reference(segment(candidate, [reference])).errors
