"""Test the papers' example sentences under every metric: the order of the scores, and the papers' claims about it."""

import metrics
from metrics.analysis import word_order

ROWS = {row.variant.label: row for row in word_order.variant_table(metrics.METRICS)}


def test_every_metric_has_a_row_and_its_scores_are_the_metrics():
    assert {row.variant.key for row in ROWS.values()} == {*metrics.METRICS}
    for row in ROWS.values():
        for case in word_order.CASES:
            reference = [case.reference[1].split()]
            for name, words in case.candidates:
                found = metrics.score(row.variant.key, words.split(), reference, **row.variant.settings)
                assert row.scores[name] == found.score


def test_pairs_are_put_as_the_scores_put_them():
    pairs = [pair for case in word_order.CASES for pair in case.pairs()]
    assert pairs == [("S2", "S4"), ("S2", "S3"), ("S4", "S3"), ("mt1", "mt2")]
    for row in ROWS.values():
        assert [*row.orders] == pairs
        for (first, second), found in row.orders.items():
            better = row.scores[first] - row.scores[second]
            better = better if metrics.METRICS[row.variant.key].higher_is_better else -better
            assert found == ("alike" if abs(better) < 1e-9 else "same" if better > 0 else "reversed")
        assert row.alike == tuple(pair for pair in pairs if row.orders[pair] == "alike")


def test_what_the_table_is_for():
    assert len(ROWS["BLEU"].alike) == 4  # BLEU is 0 for every sentence
    assert ROWS["GTM"].alike == (("S2", "S3"), ("mt1", "mt2"))
    assert ROWS["ROUGE-L"].alike == (("S4", "S3"), ("mt1", "mt2"))
    assert ROWS["TER"].alike == (("S2", "S4"),)
    assert ROWS["PER"].orders["S2", "S4"] == "reversed"
    assert {label for label, row in ROWS.items() if {*row.orders.values()} == {"same"}} == {"ROUGE-S", "SIA", "RIBES"}


def test_the_papers_claims():
    """Check that all claims of the papers hold except two of Liu and Gildea's.

    They claim that metrics prefer one of two outputs, mt1 and mt2. But mt1 shares 9 skip-bigrams with the reference and
    mt2 only 8; and both have equally many chunks, so METEOR's penalty is the same."""
    wrong = {
        (claim.label, claim.pair) for claim in word_order.CLAIMS if not word_order.claim_holds(claim, [*ROWS.values()])
    }
    assert wrong == {("ROUGE-S", ("mt1", "mt2")), ("METEOR", ("mt1", "mt2"))}
    reference = [word_order.CASES[1].reference[1].split()]
    skip2, chunks = (
        [
            metrics.score(key, words.split(), reference, **given).parts[part]
            for _, words in word_order.CASES[1].candidates
        ]
        for key, part, given in (("rouge_s", "skip2", {}), ("meteor", "chunks", {"stages": ("exact", "stem")}))
    )
    assert skip2 == [9, 8]
    assert chunks[0] == chunks[1]
