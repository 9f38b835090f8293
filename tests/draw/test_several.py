"""Tests of several metrics on one grid, and of the table of where they disagree."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrics
from metrics.types import Result
from tests.helpers.fragments import process_texts, read
from tests.helpers.searching import examples
from tests.helpers.segments import HOSTILE
from viz.draw.evidence import several_metrics
from viz.draw.pen import theme
from viz.draw.texts import ProcessedTexts
from viz.state.results import cache


def score_all_metrics(candidate: str, *references: str, **settings: Any) -> tuple[ProcessedTexts, dict[str, Result]]:
    texts = process_texts(candidate, *references, **settings)
    return texts, {key: metrics.METRICS[key].score(texts.segment, metrics.settings(key)) for key in metrics.METRICS}


LINES = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9).map(" ".join)


@given(LINES, LINES)
@examples(25)
def test_the_legend_of_tints_goes_from_few_to_many(candidate, reference):
    texts, results = score_all_metrics(candidate, reference)
    root = read(several_metrics.all_metrics(texts, results, cache.hits(texts.segment), 800))
    (entries,) = root.all("div", "lg") or (None,)
    if entries is None:
        return
    said = [re.fullmatch(r"used by (\d+)(?: to (\d+))?", entry.text) for entry in entries.children]
    counts = [[int(number) for number in match.groups() if number] for match in said if match]
    listed = [n for count in counts for n in count]
    assert listed == sorted(set(listed)), "each begins beyond the one before it"
    samples = [entry for entry, match in zip(entries.children, said, strict=True) if match]
    alphas = [
        float(g.get("fill-opacity") or 1) for entry in samples for g in entry.all("g") if g.get("fill") == theme.BLUE
    ]
    assert alphas == sorted(set(alphas)) and len(alphas) == len(counts), "the more, the darker"
    used = {len(keys) for keys in several_metrics.metrics_by_cell(results).values()}
    assert all(any(count[0] <= n <= count[-1] for count in counts) for n in used)


HOSTILE_PAIRS = [  # these differ as typed and are equal as compared forms
    ("<B>x</B>", "<b>X</b>"),
    ("&AMP;", "&amp;"),
    ("<IMG", "<img"),
    ('"Q"', '"q"'),
    ("$X$", "$x$"),
    ("<ﬁ>", "<fi>"),
    ("＜b＞", "<b>"),
]


@pytest.mark.parametrize("pair", [*HOSTILE_PAIRS, *[pair[::-1] for pair in HOSTILE_PAIRS]])
def test_each_word_is_escaped_where_opinions_divide(pair):
    """Check that the table shows both words of a match where they differ, and escapes each."""
    one, other = pair
    texts, results = score_all_metrics(f"a {one} b c", f"c {other} a d", lowercase=True, nfkc=True)
    if texts.segment.candidate[1] != texts.segment.references[0][1]:
        pytest.fail("the two are equal as forms")
    used = several_metrics.metrics_by_cell(results)
    two = several_metrics.overlay_table(texts, results["gtm"], results["bleu"])
    for table in (several_metrics.divided_table(texts, used, results), two):
        shown = [e.text for e in read(f"<div>{table}</div>").all("bdi")]
        assert {one, other} <= {*shown}, "both, as they were typed, each for itself"
        for written in re.findall("<bdi>(.*?)</bdi>", table):
            assert not re.search(r"[<>\"'$]|&(?!\w+;|#\d+;)", written), "each is escaped"
        assert not re.findall(r"<(?!/?(?:table|tr|t[dh]|bdi|p|b|br|span)\b)", table), "no element but the table's own"


@pytest.mark.parametrize("word", HOSTILE)
def test_a_word_that_both_have_is_escaped_once(word):
    texts, results = score_all_metrics(f"a {word} b", f"b {word} a")
    table = several_metrics.divided_table(texts, several_metrics.metrics_by_cell(results), results)
    assert not re.findall(r"<(?!/?(?:table|tr|t[dh]|bdi|p|b|br|span)\b)", table)


def test_the_reference_with_the_most_used_cells_stands_first():
    texts, results = score_all_metrics("a b c d", "a x", "b c d", "y")
    drawn = [several_metrics.picture_of_all(texts, results, cache.hits(texts.segment), 800)]
    drawn.append(several_metrics.picture_of_two(texts, results["gtm"], results["ter"], cache.hits(texts.segment), 800))
    assert [[box.k for box in each.boxes] for each in drawn] == [[1, 0, 2]] * 2


def test_a_sentence_says_why_metrics_disagree():
    candidate = "so we a went b to the c town d and e we saw f it"
    texts, results = score_all_metrics(candidate, "so we went to the town and we saw it")
    hits = cache.hits(texts.segment)
    (says,) = read(several_metrics.two_metrics(texts, results["ribes"], results["gtm"], hits, 800)).all("p", "why")
    assert says.text.startswith("RIBES 0.89 but GTM 0.31: 10 of 16 words are aligned and in the right order, ")
    (says,) = read(several_metrics.all_metrics(texts, results, hits, 800)).all("p", "why")
    assert " but " in says.text
    assert not read(several_metrics.two_metrics(texts, results["gtm"], results["dcs"], hits, 800)).all("p", "why")
    same, all_best = score_all_metrics("a b c d e", "a b c d e")
    assert not read(several_metrics.all_metrics(same, all_best, cache.hits(same.segment), 800)).all("p", "why")
