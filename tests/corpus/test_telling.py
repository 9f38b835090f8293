"""Tests of the sentences about a corpus: each is checked against what it claims."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics import METRICS
from metrics.analysis.causes import describe_cause
from metrics.corpus.explanations import segments as telling
from metrics.corpus.explanations import why, winners
from metrics.corpus.explanations.significance import pair_verdict
from metrics.corpus.ledger import corpus_ledger
from metrics.corpus.pairs import SystemPair
from metrics.corpus.resampling import Interval, interval, scores_of_resamples
from metrics.corpus.signatures import people_agreement_rate
from metrics.corpus.table import score_table
from metrics.text import TextSettings
from metrics.types import Segment
from tests.helpers.corpora import SYSTEMS, load_segments


def system_pair(key, a, b, p, others=1, names="AB"):
    return SystemPair(*names, METRICS[key], (a, b), Interval(b - a, b - a), 0.5, p / others, p, others)


@pytest.mark.parametrize(
    ("given", "agreed", "says"),
    [
        (system_pair("gtm", 0.4, 0.412, 0.003), None, "B is better than A by 0.0120 GTM (p = 0.003)."),
        (system_pair("ter", 0.4, 0.412, 0.00009), None, "A is better than B by 0.0120 TER (p < 0.001)."),
        (
            system_pair("bleu", 0.4, 0.388, 0.01, 3),
            0.672,
            "A is better than B by 0.0120 BLEU (p = 0.003, corrected for 3 systems p = 0.010); people agreed with "
            "BLEU on about 67 % of system pairs with a difference this large.",
        ),
        (
            system_pair("bleu", 0.4, 0.402, 0.01),
            0.5,
            "B is better than A by 0.0020 BLEU (p = 0.010); people agreed with BLEU on about 50 % of system pairs with "
            "a difference this small, no better than chance.",
        ),
        # Where the difference may be chance, no sentence says how often people agreed.
        (
            system_pair("bleu", 0.4, 0.402, 0.0500001),
            0.6,
            "B is ahead of A by 0.0020 BLEU, which may be chance (p = 0.050).",
        ),
        (system_pair("gtm", 0.4, 0.402, 0.04999), None, "B is better than A by 0.0020 GTM (p = 0.04999)."),
        (
            system_pair("gtm", 0.4, 0.40001, 0.9),
            None,
            "B is ahead of A by less than 0.0001 GTM, which may be chance (p = 0.900).",
        ),
        (system_pair("gtm", 0.4, 0.4, 1.0), None, "A and B have the same GTM."),
        (
            system_pair("gtm", 0.4, 0.5, 0.01, names=("a\x1b", "b")),
            None,
            "b is better than a\\x1b by 0.1000 GTM (p = 0.010).",
        ),
    ],
)
def test_verdicts(given, agreed, says):
    assert pair_verdict(given, 4, agreed) == says


#: Kocmi and others (2024), table 2: difference in BLEU → percentage of pairs of systems that people ranked alike.
TABLE = {0.27: 50, 0.52: 55, 0.78: 60, 1.06: 65, 1.39: 70, 1.79: 75, 2.34: 80, 3.35: 85}


def test_how_often_people_agree_is_the_table_and_only_for_its_settings():
    bleu = METRICS["bleu"]
    for difference, part in TABLE.items():
        assert bleu.agreement.of(-difference / 100) == pytest.approx(part / 100, abs=0.0015)
    assert bleu.agreement.of(0) == bleu.agreement.of(0.0026) == 0.5
    assert bleu.agreement.of(0.06) == bleu.agreement.of(0.5) < 0.885
    right = TextSettings(tokenizer="13a")
    systems = [load_segments(name) for name in SYSTEMS[:2]]

    def agreed(text=right, references=1, key="bleu", **given):
        found = score_table(METRICS[key], metrics.settings(key, **given), systems)
        return people_agreement_rate(found, text, references, 0.0106)

    assert agreed() == agreed(smoothing="exp") == pytest.approx(0.65, abs=0.001)
    assert agreed(text=TextSettings(tokenizer="chinese")) is not None
    wrong = [{"tokenizer": "whitespace"}, {"lowercase": True}, {"stemmer": "porter"}, {"nfkc": True}]
    wrong = [TextSettings(**{"tokenizer": "13a"} | each) for each in wrong]
    assert [agreed(text=text) for text in wrong] == [None] * 4
    assert agreed(references=2) is agreed(references="var") is agreed(max_order=2) is None
    assert agreed(smoothing="add_k") is agreed(effective_order=True) is agreed(key="nist") is None


def test_no_one_agrees_with_a_score_that_sacrebleu_would_not_give():
    """Check that it is not said how often people agree with a difference, where sacreBLEU would give other scores.

    Where no 4-gram matches, sacreBLEU smooths by default and our score is 0."""
    text, (ours, theirs) = TextSettings(tokenizer="13a"), ("a b c x", "a b y x")
    systems = [[Segment(tuple(out.split()), (tuple("abcd"),))] for out in (ours, theirs)]
    for smoothing, known in (("none", False), ("exp", True)):
        found = score_table(METRICS["bleu"], metrics.settings("bleu", smoothing=smoothing), systems)
        assert (people_agreement_rate(found, text, 1, 0.02) is not None) == known


@pytest.mark.parametrize(
    ("key", "cause", "name", "share", "change", "says"),
    [
        ("gtm", "contiguity", "", 0.01, 5, "longer runs"),
        ("gtm", "contiguity", "", -0.01, -5, "shorter runs"),
        ("gtm", "contiguity", "", -0.01, 5, "runs that count less"),
        ("gtm", "length", "", -0.01, 5, "longer output"),
        ("gtm", "length", "", 0.01, -5, "shorter output"),
        ("per", "length", "", 0.01, 5, "longer output"),
        ("per", "matches", "", -0.01, 5, "more matched words"),
        ("per", "matches", "", 0.01, -5, "fewer matched words"),
        ("wer", "edits", "", -0.01, -5, "fewer edits"),
        ("wer", "references", "", -0.01, 5, "longer references decide"),
        ("rouge_l", "references", "", -0.01, 5, "longer references decide"),
        ("rouge_l", "references", "", 0.01, 5, "other references decide"),
        ("bleu", "matches", "2-grams", 0.01, 5, "more matching 2-grams"),
        ("bleu", "penalty", "brevity penalty", 0.01, 0, "less brevity penalty"),
        ("bleu", "penalty", "brevity penalty", -0.01, 0, "more brevity penalty"),
        ("nist", "matches", "2-grams", -0.01, -5, "less information in 2-grams"),
        ("meteor", "contiguity", "", -0.01, 5, "more chunks"),
        ("meteor", "contiguity", "", 0.01, 5, "chunks that cost less"),
        ("ribes", "order", "", -0.01, 5, "more pairs out of order"),
        ("sia", "gaps", "", -0.01, -5, "more lost to gaps"),
        ("rouge_n", "matches", "", 0.01, 5, "more matched words"),
    ],
)
def test_causes_read_by_the_sign(key, cause, name, share, change, says):
    assert describe_cause(METRICS[key], metrics.settings(key), cause, name, share, change) == says


def random_system_pair(seed, size=40):
    chance = random.Random(seed)
    a, b = (load_segments(name) for name in chance.sample(SYSTEMS, 2))
    at = chance.randrange(len(a) - size)
    return a[at : at + size], b[at : at + size]


@pytest.mark.parametrize("key", METRICS)
def test_an_equation_says_what_there_is_more_of(key):
    """Check the counts in the sentence that explains the score difference against the statistics of both systems."""
    metric, settings = METRICS[key], metrics.settings(key)
    a, b = random_system_pair(key)
    ledger = corpus_ledger(metric, settings, a, b)
    said = why.difference_equation("A", "B", metric, ledger, 4)
    assert said.startswith(f"B − A, {metric.label} ")
    sums = [
        metric.pooled([metric.statistics(segment, settings) for segment in system], settings).stats for system in (a, b)
    ]
    candidates = [[word for segment in system for word in segment.candidate] for system in (a, b)]
    sizes = [sum(map(len, words)) if key == "chrf" else len(words) for words in candidates]
    assert "longer output" not in said or sizes[1] > sizes[0]
    assert "shorter output" not in said or sizes[1] < sizes[0]
    for n in range(1, 5) if key == "bleu" else ():
        more = sums[1][f"match_{n}"] - sums[0][f"match_{n}"]
        if found := re.search(rf"(more|fewer) matching {n}-grams", said):
            assert (found[1] == "more") == (more > 0) and more
    kinds = re.findall(r"(\d+) (more|fewer) (shift|substitution|insertion|deletion)", said)
    for number, more, kind in kinds:
        assert float(number) * (1 if more == "more" else -1) == sums[1][f"{kind}s"] - sums[0][f"{kind}s"]
    assert bool(kinds) == bool(ledger.edits) == any(metric.role(name).kind == "edit" for name in sums[0])
    chances = re.findall(r"\(([+−]?[\d.]+) to ([+−]?[\d.]+)(, may be chance)?\)", said)
    steps = [step for step in why.printed_steps(ledger, 4) if step.share]
    assert len(chances) == len(steps) > 0
    for (low, high, chance), step in zip(chances, steps, strict=True):
        assert bool(chance) == (step.low <= 0 <= step.high)
        assert float(low.replace("−", "-")) <= float(high.replace("−", "-"))


@pytest.mark.parametrize("key", METRICS)
def test_the_parts_of_segments_are_their_worth(key):
    a, b = random_system_pair(key)
    metric = METRICS[key]
    ledger = corpus_ledger(metric, metrics.settings(key), a, b)
    drawn = scores_of_resamples([score_table(metric, metrics.settings(key), [a, b])])[0]
    assert (ledger.low, ledger.high) == pytest.approx(interval(drawn[1] - drawn[0]), abs=1e-9)
    together = sum(ledger.parts.values())
    assert together == pytest.approx(np.asarray(ledger.worth), abs=1e-9)
    found = why.count_balance(metric, ledger)
    assert found.for_a.worth + found.for_b.worth == pytest.approx(ledger.delta, abs=1e-9)
    assert found.for_a.segments + found.for_b.segments + found.for_neither == len(a)
    good = np.asarray(ledger.worth) * (1 if metric.higher_is_better else -1)
    picked = telling.pick_segments(metric, ledger)
    for side, own in (("b", good), ("a", -good)):
        best = [n for n in np.argsort(-own, kind="stable")[:3] if own[n] > 0]
        assert [p.segment for p in picked if p.of == side] == best
    assert len({p.segment for p in picked}) == len(picked)
    for p in picked:
        moved = sum(abs(part[p.segment]) for part in ledger.parts.values())
        assert p.of != "cause" or abs(ledger.parts[p.cause][p.segment]) >= telling.PURE * moved > 0


def test_how_concentrated_a_side_is():
    metric = METRICS["per"]
    outputs = [["x"] * 20, ["r", *"x" * 19]]
    references = [[["r"] * 20]] * 30
    a, b = [outputs[0]] * 30, [outputs[1]] * 29 + [["r"] * 20]
    ledger = metrics.corpus_ledger("per", a, b, references)
    side = why.count_balance(metric, ledger).for_b
    assert side.segments == 30 and side.few == pytest.approx((20 + 9) / (20 + 29))
    assert why.balance_text("A", "B", why.count_balance(metric, ledger), 2) == (
        "30 segments count for B (−0.08, 59 % of it from the 10 largest), none for A."
    )
    some = metrics.corpus_ledger("per", b[:2], a[:2], references[:2])
    assert why.balance_text("A", "B", why.count_balance(metric, some), 2) == (
        "no segments count for B, 2 for A (+0.05)."
    )


def test_causes_are_counted_by_segments():
    """Check that a segment in which a substitution became an insertion, at the same cost, counts for neither system."""
    a, b = ["x cat".split()] * 9 + ["y dog sat".split()] * 3, ["the cat".split()] * 9 + ["dog sat on".split()] * 3
    references = [["the cat".split()]] * 9 + [["a dog sat".split()]] * 3
    ledger = metrics.corpus_ledger("wer", a, b, references)
    (edits,) = why.cause_counts(METRICS["wer"], ledger)
    assert edits[:4] == ("edits", 3, 9, pytest.approx(0.146, abs=0.001)) and edits.q == edits.p
    assert why.cause_counts_text("A", "B", METRICS["wer"], ledger) == "By segments: edits 9 for B, 3 for A (q = 0.146)."
    outputs = [["w"], ["q", "w"], ["w", "e", "f"], ["e", "d"]]
    ledger = metrics.corpus_ledger("ter", [["q", "w"]] * 4, outputs, [["the cat".split()]] * 4)
    assert why.count_balance(METRICS["ter"], ledger).for_neither == 3
    assert why.count_balance(METRICS["ter"], ledger).for_a.segments == 1


def test_a_penalty_of_lengths_is_counted_with_them_where_it_has_no_segments_of_its_own():
    a, b = random_system_pair("lengths")
    said = {
        key: why.cause_counts_text("A", "B", METRICS[key], corpus_ledger(METRICS[key], metrics.settings(key), a, b))
        for key in ("bleu", "sia", "gtm")
    }
    assert "lengths with the brevity penalty " in said["bleu"] and "; brevity penalty" not in said["bleu"]
    assert " length penalty " in said["sia"] and " with the " not in said["sia"] + said["gtm"]


def test_words_that_differ_are_quoted():
    references = (("the", "cat", "sat", "here"),)

    def words(a, b):
        return telling.differing_phrases(*[Segment(tuple(side.split()), references) for side in (a, b)])

    assert words("a cat sat", "the cat lay") == "A “a”, B “the” (in a reference); A “sat” (in a reference), B “lay”"
    assert words("cat sat", "the cat sat") == "only B “the” (in a reference)"
    assert words("here the cat", "the cat here") == "“here” is elsewhere in B"
    assert words("same", "same") == ""
    for size in (telling.PHRASE, telling.PHRASE + 1):  # phrases longer than the limit are not searched for
        a, b = (Segment((word,) * size, (("a",) * 60,)) for word in "ab")
        assert telling.differing_phrases(a, b).count("(in a reference)") == (size == telling.PHRASE)
    assert "\x1b" not in words("a\x1b[2J", "b\u202e") and "\u202e" not in words("a\x1b[2J", "b\u202e")


def test_metrics_that_disagree_say_so_with_their_reasons():
    """Check the reasons given where metrics disagree: B matches more words and A has them in longer runs."""
    a, b = ["the cat sat x y z".split()] * 8, ["mat the on sat the cat".split()] * 8
    references = [["the cat sat on the mat".split()]] * 8
    found = [(METRICS[key], metrics.corpus_ledger(key, a, b, references)) for key in ("per", "gtm", "wer", "rouge_n")]
    assert winners.split_by_winner(found[:1]) is None and winners.winners_sentence("A", "B", found[:1], 3) == ""
    said = winners.winners_sentence("A", "B", found, 3)
    assert "PER and ROUGE-N prefer B, PER because B has more matched words (−0.500)" in said
    assert re.search(r"WER prefers? A, .*because A has fewer edits: 8 more substitutions, .*\(−0.167\)", said)
    assert "because A has longer runs (+0.118)" in said
    one = [(metric, replace(ledger, low=-1.0, high=1.0)) for metric, ledger in found]
    said = winners.winners_sentence("A", "B", [*one[:1], *found[2:3]], 3)
    assert said == "PER prefers B, which may be chance; WER prefers A."
    said = winners.winners_sentence("A", "B", [*found[:1], *found[2:3], *one[3:]], 3)
    assert said.startswith("PER prefers B, because") and said.endswith("By ROUGE-N the difference may be chance.")
    rows = winners.ledger_table_rows(found, 3)
    assert rows[0] == ["", "PER", "GTM", "WER", "ROUGE-N"] and rows[-1][0] == "difference"
    assert all(len(row) == 5 for row in rows)
    ours, theirs = ([Segment(tuple(words), (tuple(references[0][0]),))] * 8 for words in (a[0], b[0]))
    (first, _) = telling.disputed_stories(found, ours, theirs, ("A", "B"), 3)
    assert first.says.startswith("PER prefers B (−0.062, more matched words), GTM prefers A (+0.004 = +0.015 l")
    for torn in telling.disputed_segments(found):
        by = {metric.key: ledger.worth[torn.segment] for metric, ledger in found}
        assert by[torn.for_a] * (1 if METRICS[torn.for_a].higher_is_better else -1) < 0
        assert by[torn.for_b] * (1 if METRICS[torn.for_b].higher_is_better else -1) > 0
    assert telling.disputed_segments(found[:1]) == [] and telling.disputed_segments([found[0], found[3]]) == []
