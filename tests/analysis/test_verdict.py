"""Test the verdict on a result: its numbers are counted again from the marks, and its sentence has no other numbers."""

import math
import re
from dataclasses import replace
from itertools import chain

import pytest

import metrics
from metrics.analysis.verdict import verdict
from metrics.types import Edit, Run, Shift, score_text
from tests.helpers.cases import CASES, KEYS, segments
from tests.helpers.output_pairs import random_pairs, real_pairs
from tests.helpers.segments import SEGMENTS

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
CAT = "the cat sat on the mat"


def verdict_text(key, candidate, *references, edits=True, **given):
    """Return the verdict on space-separated texts.

    With `edits`, the verdict also gets the edits that lead to the first reference."""
    ours, theirs = candidate.split(), [reference.split() for reference in references]
    result = metrics.score(key, ours, theirs, **given)
    found = metrics.edits(key, ours, theirs[0], theirs, **given) if edits else ()
    return metrics.verdict(result, found).text


def matched_words_and_piece_lengths(result):
    """Return (number of matched words, lengths in words of the matched pieces), counted from the marks alone.

    A piece is a run, chunk or chain, as the metric counts them. The number is None where marks cover letters."""
    rows, runs, letters = set(), [], False
    for layer in result.layers:
        letters = letters or layer.unit == "character"
        if layer.pooled and layer.kind != "1-grams":
            continue  # where a longer n-gram is drawn does not matter for its words
        for mark in layer.marks:
            if not isinstance(mark, Shift) and (not isinstance(mark, Edit) or mark.op == "match"):
                rows |= {cell.i for cell in mark.cells()}
    first = result.layers[0] if result.layers else None
    if any(layer.number for layer in result.layers) and result.metric == "sia":
        runs = [len([*layer.marks]) for layer in result.layers]
    elif first and any(isinstance(mark, Run) for mark in first.marks) and first.kind in ("blocks", "LCS", "WLCS"):
        runs = [len(mark.cells()) for mark in first.marks]
    elif result.metric == "meteor":
        runs = [len(mark.cells()) for mark in result.layers[-1].marks]
    return None if letters else len(rows), runs


def error_count(result):
    """Return the number of errors of an error rate, from its parts; None for other metrics."""
    if result.metric == "ter":
        return result.parts["edits"]
    if metrics.METRICS[result.metric].higher_is_better:
        return None
    return sum(result.parts[name] for name in ("substitutions", "insertions", "deletions"))


def unexplained_numbers(found, result, edits=()):
    """Return the numbers in the verdict's sentence that nothing explains.

    Explained are the verdict's fields, the result's parts and settings, and the shares of `edits`."""
    own = re.sub("“.*?”", "", found.text, flags=re.S)
    for n in range(1, getattr(result.settings, "max_order", 0) + 1):
        own = re.sub(rf"\b{n}-grams?\b", "", own)  # the orders that the metric counts
    fields = (found.words, found.matched, found.pieces, found.longest, found.errors)
    known = {str(value) for value in fields if value is not None}
    known |= {str(k + 1) for k in range(len(result.segment.references))}
    known |= {str(value) for value in result.settings.to_dict().values()}  # for example the n of n-grams
    known |= {f"{abs(edit.share):.3f}" for edit in edits} | {score_text(result.score)}
    known |= {f"{value:.2f}" for value in result.parts.values()} | {f"{value:.0f}" for value in result.parts.values()}
    known |= {
        f"{result.stats[f'match_{n}'] / result.stats[f'total_{n}']:.2f}"
        for n in range(1, 10)
        if result.stats.get(f"total_{n}") and f"match_{n}" in result.stats
    }
    return [number for number in NUMBER.findall(own) if number not in known]


@pytest.mark.parametrize(("key", "given"), CASES)
def test_the_numbers_are_counts_of_the_marks(key, given):
    for candidate, references in [*segments(5, 40), *SEGMENTS.values()]:
        result = metrics.score(key, candidate, references, **given)
        found = metrics.verdict(result)
        matched, runs = matched_words_and_piece_lengths(result)
        assert (found.words, found.matched) == (len(candidate), matched), found.text
        assert found.errors == error_count(result), found.text
        if found.pieces is not None:
            assert (found.pieces, found.longest) == (len(runs), max(runs, default=0)), found.text
        assert not unexplained_numbers(found, result), found.text
        assert found.cost is None and found.costs == ()
        assert score_text(result.score) in found.text


@pytest.mark.parametrize("key", KEYS)
def test_what_costs_most_is_the_largest_share(key):
    sign = 1 if metrics.METRICS[key].higher_is_better else -1
    for a, _, references in chain(random_pairs(7, 40), real_pairs(8, 6)):
        if len(a) > 30:
            continue
        edits = metrics.edits(key, a, references[0], references)
        result = metrics.score(key, a, references)
        found = metrics.verdict(result, edits)
        # A repair is a single edit, or all edits of one move.
        moves = {edit.move for edit in edits if edit.move is not None}
        each = [[edit] for edit in edits] + [[edit for edit in edits if edit.move == move] for move in moves]
        worth = [sign * math.fsum(edit.share for edit in some) for some in each]
        if max(worth, default=0.0) <= 0:
            assert found.cost is None and found.costs == ()
            continue
        assert sign * found.cost.share == pytest.approx(max(worth))
        assert found.cost.share == pytest.approx(math.fsum(edit.share for edit in found.cost.edits))
        assert set(found.cost.edits) <= set(edits) and not unexplained_numbers(found, result, edits)
        led_to = result.segment.references[found.cost.to]
        assert led_to == result.segment.references[0]
        assert all(led_to[edit.at : edit.at + len(edit.words)] == edit.words for edit in found.cost.edits)
        assert ("Biggest cost" in found.text) == (f"{abs(found.cost.share):.3f}" != "0.000")


@pytest.mark.parametrize("key", KEYS)
def test_it_reads_as_a_sentence(key):
    label = metrics.METRICS[key].label
    for candidate, references in [*segments(9, 60), *SEGMENTS.values()]:
        edits = metrics.edits(key, candidate, references[0], references)
        text = metrics.verdict(metrics.score(key, candidate, references), edits).text
        own = re.sub("“.*?”", "“”", text, flags=re.S)
        assert re.match(rf"{label} \d+\.\d+( against references? [^:]+)?: \w", own) and text.endswith("."), text
        assert not re.search(r"(?<![\d.])1 (?!of|word |error|edit|and)\w+s\b|  |\.\.|;\.|: ;|,,|None|nan", own), text
        assert not re.search(r"(?<![\w.])1 (words|errors|edits|pieces|chunks|blocks|rounds)\b", own), text


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("bleu", "5 of 6 words match; 0.60 of the bigrams, 0.50 of the trigrams, 0.33 of the four-grams"),
        ("chrf", "averaged over one to six letters in a row, 0.68 of the candidate match and 0.68 of the reference"),
        ("nist", "5 of 6 words match; they bring 1.82 bits a word, pairs of words 0.20 more"),
        ("rouge_n", "5 of 6 words match"),
        ("rouge_l", "5 of 6 words match in the reference’s order"),
        ("rouge_w", "5 of 6 words match in the reference’s order, in 2 pieces; the longest has 4"),
        ("rouge_s", "0.67 of its pairs of words match in order, 0.67 of the reference’s"),
        ("gtm", "5 of 6 words match, in 2 pieces; the longest has 4"),
        ("sia", "5 of 6 words match, in one round; it scores 0.75, of which half counts"),
        (
            "dcs",
            "5 of 6 words match, in 2 blocks; the longest has 4; "
            "the areas of blocks give 0.69, those between neighbours 0.33",
        ),
        ("meteor", "5 of 6 words match, in 2 chunks; the longest has 4; penalty 0.03"),
        ("ribes", "4 of 6 words can be aligned, all in the right order"),
        ("wer", "1 error: 1 word wrong; 5 of 6 words can stay"),
        ("per", "1 error: 1 word wrong; 5 of 6 words match, in any order"),
        ("ter", "1 edit; 5 of 6 words match"),
    ],
)
def test_what_each_metric_looks_at(key, sentence):
    text = verdict_text(key, "the cow sat on the mat", CAT)
    head, _, tail = text.partition(": ")
    assert head.startswith(metrics.METRICS[key].label)
    assert tail.startswith(f"{sentence}. Biggest cost: “cow” for “cat”, "), text


@pytest.mark.parametrize(
    ("key", "candidate", "references", "sentence"),
    [
        ("gtm", CAT, [CAT], "GTM 1.000: all 6 words match, in one piece."),
        ("gtm", "dogs", [CAT], "GTM 0.000: its one word does not match."),
        ("gtm", "the", [CAT], "GTM 0.286: its one word matches; it is short: precision 1.00, recall 0.17."),
        ("gtm", "", [CAT], "GTM 0.000: the candidate has no words."),
        ("gtm", CAT, [""], "GTM 0.000: the reference has no words."),
        ("gtm", CAT, ["", ""], "GTM 0.000: the references have no words."),
        ("gtm", "", [""], "GTM 0.000: neither text has any words."),
        (
            "gtm",
            CAT,
            [CAT, "a cat sat"],
            "GTM 0.857: 5 of 6 words match, in one piece; no more can count, because the references are shorter "
            "on average.",
        ),
        ("bleu", CAT, [CAT], "BLEU 1.000: all 6 words match, also in a row."),
        (
            "bleu",
            "a cat on the mat",
            [CAT],
            "BLEU 0.000: 4 of 5 words match; 0.50 of the bigrams, 0.33 of the trigrams; no four-gram does, which makes "
            "the score zero; it is short: brevity penalty 0.82.",
        ),
        (
            "bleu",
            "a cat",
            ["a cat"],
            "BLEU 0.000: both words match; 1.00 of the bigrams; it has no three words in a row, which makes the "
            "score zero.",
        ),
        ("nist", "cat", ["cat"], "NIST 0.000: its one word matches; it brings no information."),
        ("chrf", CAT, [CAT], "chrF 1.000: all of its letters match."),
        ("chrf", "xyz", [CAT], "chrF 0.000: none of its letters matches."),
        ("rouge_s", "cat", [CAT], "ROUGE-S 0.000: one word makes no pair of words."),
        ("rouge_s", CAT, [CAT], "ROUGE-S 1.000: all of its pairs of words match in order."),
        ("rouge_s", "mat cat", [CAT], "ROUGE-S 0.000: no pairs of words match in order."),
        (
            "rouge_n",
            "a b c d",
            ["a b c x y z", "a b"],
            "ROUGE-N 0.857 against references 1 (precision) and 2 (recall): 3 of 4 words match with one reference or "
            "another: precision 0.75, recall 1.00.",
        ),
        ("meteor", "applauses", ["applause"], "METEOR 1.000: its one word matches (by the stem)."),
        ("ribes", "mat cat", ["cat mat"], "RIBES 0.000: both words can be aligned, all in the wrong order."),
        ("ribes", "dogs run", [CAT], "RIBES 0.000: neither word can be aligned."),
        ("wer", CAT, [CAT], "WER 0.000: no error; all 6 words can stay."),
        ("wer", "", [CAT], "WER 1.000: the candidate has no words: 6 errors."),
        ("wer", "", [""], "WER 0.000: neither text has any words."),
        ("wer", "a", [""], "WER 1.000: the reference has no words: 1 error."),
        ("wer", "a b c", ["a"], "WER 2.000: 2 errors: 2 words too many; 1 of 3 words can stay."),
        ("per", "mat the on", ["on the mat"], "PER 0.000: no error; all 3 words match, in any order."),
        ("ter", "b c a", ["a b c"], "TER 0.333: 1 edit, a move of a block; all 3 words match then."),
        ("ter", CAT, [CAT], "TER 0.000: no edits; all 6 words match."),
        (
            "wer",
            "a b",
            ["x y z", "a b c"],
            "WER 0.333 against reference 2: 1 error: 1 word missing; both words can stay.",
        ),
    ],
)
def test_what_is_said_at_the_ends(key, candidate, references, sentence):
    assert verdict_text(key, candidate, *references, edits=False) == sentence


@pytest.mark.parametrize(
    ("candidate", "references", "costs"),
    [
        ("the cat sat on mat", [CAT], "Biggest cost: the missing word “the”, 0.167."),
        ("so the cat sat on the mat", [CAT], "Biggest cost: the extra word “so”, 0.167."),
        (
            "on the mat the cat sat",
            [CAT],
            "Biggest cost: the place of “the cat sat”, 0.500 where they are now and 0.500 where they are missing.",
        ),
        ("a b c d", ["a x y d", "a b c y"], "Biggest cost against reference 1: “b c” for “x y”, 0.250."),
    ],
)
def test_what_is_said_of_an_edit(candidate, references, costs):
    found = verdict_text("wer", candidate, *references)
    assert found.endswith(costs), found


def test_a_share_over_some_orders_says_so():
    words = [f"w{n}" for n in range(40)]
    other = [word if n % 3 else f"v{n}" for n, word in enumerate(words)]
    found = verdict_text("gtm", " ".join(words), " ".join(other))
    assert re.search(r"Biggest cost: “w\d+” for “v\d+”, ≈ 0\.\d{3}\.$", found)


def gtm_score(words, other):
    return metrics.score("gtm", words, [other])


def test_quoted_words_stay_apart_from_what_is_said():
    hostile = "<b>x</b>\n“q”"
    ours, theirs = ["a", hostile], ["a", "b"]
    found = metrics.verdict(gtm_score(ours, theirs), metrics.edits("gtm", ours, theirs, [theirs]))
    assert [part.text for part in found.parts if part.is_words] == [hostile, "b"]
    assert hostile not in found.text and "�" in found.text  # the replacement for characters that cannot be printed
    assert found.to_dict()["text"] == found.text and found.to_dict()["cost"]["edits"][0]["words"] == ("b",)


def test_typed_words_are_quoted():
    from metrics.analysis.phrases import QuotedWords

    metric, ours, theirs = metrics.METRICS["wer"], ["the", "cat"], ["the", "dog"]
    result, edits = metrics.score("wer", ours, [theirs]), metrics.edits("wer", ours, theirs, [theirs])
    found = verdict(metric, result, edits, QuotedWords(["The", "CAT"], ["The", "Dog"], [["The", "Dog"]]), 4)
    says = "WER 0.5000: 1 error: 1 word wrong; 1 of 2 words can stay. Biggest cost: “CAT” for “Dog”, 0.5000."
    assert found.text == says


def test_a_new_metric_has_a_true_sentence(bare_metric, whole_metric):
    candidate, reference = "the the cat sat".split(), "the cat slept on".split()
    for metric, sentence in (
        (bare_metric, "Bare words 0.500: 2 of 4 words match; lower is better. Biggest cost: "),
        (whole_metric, "Words apart 0.500: 2 errors: 2 words wrong; 2 of 4 words match, in any order. Biggest cost: "),
    ):
        result = metrics.score(metric.key, candidate, [reference])
        found = metrics.verdict(result, metrics.edits(metric.key, candidate, reference, [reference]))
        assert found.text.startswith(sentence) and (found.words, found.matched) == (4, 2)
        empty = metrics.verdict(metrics.score(metric.key, [], [reference]))
        assert empty.text.startswith(f"{metric.label} 1.000: the candidate has no words")


def test_a_metric_without_marks_has_its_parts(bare_metric, monkeypatch):
    def align(segment, settings, marks):
        return bare_metric.align(segment, settings, False)

    monkeypatch.setitem(metrics.METRICS, bare_metric.key, replace(bare_metric, align=align))
    found = metrics.verdict(metrics.score(bare_metric.key, ["a", "b"], [["a", "c"]]))
    assert found.text == (
        "Bare words 0.500: substitutions 1.00, insertions 0.00, deletions 0.00, common 1.00; lower is better."
    )
    assert (found.words, found.matched) == (2, None)


def test_what_is_refused():
    result = gtm_score(["a"], ["b"])
    with pytest.raises(TypeError, match=r"^a result of `score` is needed, got str$"):
        metrics.verdict("gtm")
    for edits in ("edits", [1], 3):
        with pytest.raises(TypeError, match=r"^edits must be those that `edits` gives$"):
            metrics.verdict(result, edits)
    with pytest.raises(ValueError, match=r"^edits must be those of the result's candidate"):
        metrics.verdict(result, metrics.edits("gtm", ["a", "c"], ["a", "b"], [["a", "b"]]))
