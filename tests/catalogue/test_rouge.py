"""Tests of ROUGE: the papers' examples, other programs' values, and slow programs that follow the definitions."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest
from rouge_score import rouge_scorer

import metrics
from metrics import formula
from metrics.alignment import lcs, ngrams
from metrics.alignment.bitext import Reference
from metrics.catalogue.rouge.rouge_w import score as rouge_w
from metrics.catalogue.rouge.tables import count_lcs, lcs_table, wlcs, wlcs_maximum
from metrics.types import Hit, Result, Run, SkipBigram
from tests.helpers.cases import golden_rows
from tests.helpers.corpora import load_token_lines
from tests.helpers.peers import agreed

KEYS = ("rouge_n", "rouge_l", "rouge_w", "rouge_s")
MODES = ("independent", "best", "sum", "best_recall", "jackknife")
VARIANTS = {
    "rouge_n": ({}, {"order": 2}, {"order": 3}),
    "rouge_l": ({},),
    "rouge_w": ({}, {"weight": 2.0}, {"weight": 1.0}, {"weight": 1.7, "variant": "optimal"}),
    "rouge_s": ({}, {"max_skip": 0}, {"max_skip": 2}, {"unigrams": True}, {"max_skip": 1, "unigrams": True}),
}
F_MEASURES = ({}, {"beta": 2.0}, {"beta": 0.5}, {"beta": 0.0}, {"f_measure": "lin_och"})

S1, S2, S3, S4 = (
    s.split()
    for s in (
        "police killed the gunman",
        "police kill the gunman",
        "the gunman kill police",
        "the gunman police killed",
    )
)
X, Y1, Y2 = list("ABCDEFG"), list("ABCDHIK"), list("AHBKCID")


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize(
    ("key", "settings", "candidate", "reference", "expected"),
    [
        # Lin and Och (2004), §3.1 and §3.2
        ("rouge_l", {}, S2, S1, 0.75),
        ("rouge_l", {}, S3, S1, 0.5),
        ("rouge_l", {}, S4, S1, 0.5),
        # §4; the values with a limit follow from the definition
        ("rouge_s", {}, S2, S1, 3 / 6),
        ("rouge_s", {}, S3, S1, 1 / 6),
        ("rouge_s", {}, S4, S1, 2 / 6),
        ("rouge_s", {"max_skip": 0}, S2, S1, 1 / 3),
        ("rouge_s", {"max_skip": 0}, S3, S1, 1 / 3),
        ("rouge_s", {"max_skip": 0}, S4, S1, 2 / 3),
        # §3.3 for k²; the values for k^1.2 follow from equations 10 to 12
        ("rouge_w", {"weight": 2.0}, Y1, X, 4 / 7),
        ("rouge_w", {"weight": 2.0}, Y2, X, 2 / 7),
        ("rouge_w", {}, Y1, X, 4 / 7),
        ("rouge_w", {}, Y2, X, (4 / 7**1.2) ** (1 / 1.2)),
        # The published procedure takes the first b and misses the run.
        ("rouge_w", {"weight": 2.0}, ["a", "b"], ["a", "b", "b"], 2 * math.sqrt(2) / 5),
        ("rouge_w", {"weight": 2.0, "variant": "optimal"}, ["a", "b"], ["a", "b", "b"], 0.8),
        # One word has no pairs, but counts as a word in SU.
        ("rouge_s", {}, ["a"], ["a"], 0.0),
        ("rouge_s", {"unigrams": True}, ["a"], ["a"], 1.0),
        # Clipping: two of three a's match.
        ("rouge_n", {}, ["a", "a", "a"], ["a", "a", "b"], 2 / 3),
        ("rouge_n", {"order": 2}, ["a"], ["a"], 0.0),
    ],
)  # fmt: skip
def test_worked_examples(key, settings, candidate, reference, expected):
    assert metrics.score(key, candidate, [reference], **settings).score == pytest.approx(expected, abs=1e-12)


def test_papers_printed_decimals():
    """Check ROUGE-W of the paper's example: 0.571 and 0.286 for weights of k²; for k^1.2 it prints no value for Y2."""
    assert round(metrics.score("rouge_w", Y2, [X]).score, 4) == 0.4535
    assert [round(metrics.score("rouge_w", y, [X], weight=2.0).score, 3) for y in (Y1, Y2)] == [0.571, 0.286]


def test_marks_of_an_example():
    n = metrics.score("rouge_n", list("abab"), [list("bab")], order=2)
    assert n.layers[0].name == "2-grams"
    assert n.layers[0].marks == (Run(0, 0, 1, 2), Run(1, 0, 0, 2))
    path = metrics.score("rouge_l", list("abxc"), [list("abc")])
    assert (path.layers[0].marks, path.layers[0].credits) == ((Run(0, 0, 0, 2), Run(3, 0, 2, 1)), (2, 1))
    s = metrics.score("rouge_s", list("aba"), [list("ab")], unigrams=True)
    assert [layer.name for layer in s.layers] == ["skip-bigrams", "unigrams"]
    assert s.layers[0].marks == (SkipBigram(Hit(0, 0, 0), Hit(1, 0, 1)),)
    assert s.layers[1].marks == (Hit(0, 0, 0), Hit(1, 0, 1))


# ---------------------------------------------------------------- other programs


def _golden_values() -> Iterator[tuple[str, str, dict, dict, dict, float]]:
    """Yield golden values as (name, metric key, settings, row, (P, R, F), tolerance), with `row` as in the file."""
    for row in golden_rows("rouge_score"):
        for name, expected in row["expected"].items():
            key, settings = ("rouge_l", {}) if name == "rougeL" else ("rouge_n", {"order": int(name[-1])})
            yield name, key, {"multi_reference": "best", **settings}, row, expected, 1e-9
    for row in golden_rows("rouge_155"):
        mode = {"A": "sum", "B": "best_recall"}[row["settings"]["formula"]]
        for name, key, settings in [
            *((f"ROUGE-{n}", "rouge_n", {"order": n}) for n in (1, 2, 3, 4)),
            ("ROUGE-L", "rouge_l", {}),
            ("ROUGE-S*", "rouge_s", {}),
            *((f"ROUGE-S{d}", "rouge_s", {"max_skip": d}) for d in (0, 4, 9)),
        ]:  # its W is another metric, and its SU leaves out words, so neither is compared
            yield name, key, {"multi_reference": mode, **settings}, row, row["expected"][name], 2e-5
    for row in golden_rows("rouge_paper_naive"):
        for name, expected in row["expected"].items():
            if name.startswith("ROUGE-W"):
                variant = "optimal" if name.endswith("optimal") else "published"
                settings = {"weight": float(name.split()[0].split("-")[2]), "variant": variant}
                yield name, "rouge_w", settings, row, expected, 1e-9
            else:
                skip = name.split()[0].removeprefix("ROUGE-S").removeprefix("U")
                settings = {"max_skip": None if skip == "*" else int(skip), "unigrams": "SU" in name}
                yield name, "rouge_s", settings, row, expected, 1e-9


#: Labels of the metric keys.
LABELS = {"rouge_n": "ROUGE-N", "rouge_l": "ROUGE-L", "rouge_s": "ROUGE-S"}


@pytest.mark.slow
@pytest.mark.peer
def test_golden_values():
    checked, misses = 0, []
    by_program: Counter[tuple[str, str]] = Counter()
    for name, key, settings, row, expected, within in _golden_values():
        result = metrics.score(key, row["candidate"], row["references"], **settings)
        got = {"p": result.parts["precision"], "r": result.parts["recall"], "f": result.score}
        misses += [(row["id"], name, m) for m in got if got[m] != pytest.approx(expected[m], rel=1e-9, abs=within)]
        checked += len(got)
        if within > 1e-6:
            by_program[LABELS[key], "ROUGE-1.5.5"] += len(got)
        elif row["settings"].get("formula") is None and key != "rouge_w" and name.startswith("rouge"):
            by_program[LABELS[key], "rouge-score 0.1.2"] += len(got)
    assert checked > 15_000
    assert not misses
    for (label, program), values in by_program.items():
        digits = ", to its five decimals" if program == "ROUGE-1.5.5" else ""
        agreed(label, program, f"precision, recall, F{digits}", values)


class _SpaceTokenizer:
    def tokenize(self, text: str) -> list[str]:
        return text.split()


def test_rouge_score_live():
    peer = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=_SpaceTokenizer())
    names = [("rouge1", "rouge_n", {}), ("rouge2", "rouge_n", {"order": 2}), ("rougeL", "rouge_l", {})]
    rng = random.Random(5)
    texts = [load_token_lines(name) for name in ("system.SMU", "reference.A", "reference.B", "system.MiSS")]
    cases = [*zip(*texts, strict=True)] + [(c, *rs) for c, rs in (_random_segment(rng) for _ in range(400))]
    for candidate, *references in cases:
        expected = peer.score_multi([" ".join(r) for r in references], " ".join(candidate))
        for name, key, settings in names:
            result = metrics.score(key, candidate, references, multi_reference="best", **settings)
            got = result.parts["precision"], result.parts["recall"], result.score
            assert got == pytest.approx(tuple(expected[name])), (candidate, references, name)


# ---------------------------------------------------------------- slow programs


def _random_sentence(rng: random.Random, longest: int = 9) -> list[str]:
    return rng.choices("abcde"[: rng.choice([1, 2, 3, 5])], k=rng.randrange(longest + 1))


def _random_segment(rng: random.Random) -> tuple[list[str], list[list[str]]]:
    return _random_sentence(rng), [_random_sentence(rng) for _ in range(rng.choice([1, 1, 2, 3, 4]))]


def _skip_bigram_positions(words: list[str], max_skip: int | None) -> list[tuple[int, int]]:
    return [(i, j) for i, j in combinations(range(len(words)), 2) if max_skip is None or j - i - 1 <= max_skip]


def _counted_units(key: str, words: list[str], settings: dict) -> list[tuple[str, ...]]:
    """Return all n-grams (for "rouge_n") or skip-bigrams of `words`, with repetitions; for SU also the single words."""
    if key == "rouge_n":
        n = settings.get("order", 1)
        return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    out = [(words[i], words[j]) for i, j in _skip_bigram_positions(words, settings.get("max_skip"))]
    return out + [(w,) for w in words] if settings.get("unigrams") else out


def _shared_and_totals(
    key: str, candidate: list[str], reference: list[str], settings: dict
) -> tuple[float, float, float]:
    """Return how many units both texts share, and how many each has: words, n-grams, skip-bigrams or weighted runs."""
    if key == "rouge_l":
        return lcs_table(candidate, reference)[-1][-1], len(candidate), len(reference)
    if key == "rouge_w":
        weight = settings.get("weight", 1.2)
        if settings.get("variant") == "optimal":
            amount = wlcs_maximum(candidate, reference, weight)
        else:
            amount = wlcs(reference, candidate, weight)[0]
        return amount, len(candidate) ** weight, len(reference) ** weight
    ours, theirs = _counted_units(key, candidate, settings), _counted_units(key, reference, settings)
    return sum((Counter(ours) & Counter(theirs)).values()), len(ours), len(theirs)


def _precision_recall_f(
    amount: tuple[float, float], totals: tuple[float, float], settings: dict
) -> tuple[float, float, float]:
    root = 1 / settings.get("weight", 1.0)
    p, r = ((a / t) ** root if t else 0.0 for a, t in zip(amount, totals, strict=True))
    if not p or not r:
        return p, r, 0.0
    beta = p / r if settings.get("f_measure") == "lin_och" else settings.get("beta", 1.0)
    return p, r, (1 + beta**2) * p * r / (r + beta**2 * p)


def _slow_measures(
    key: str, candidate: list[str], references: list[list[str]], settings: dict
) -> tuple[float, float, float, float]:
    """Return P, R, F and the shared amount of which P is a share, computed straight from the definitions."""
    if key == "rouge_w":
        settings = {"weight": 1.2, **settings}
    counts = [_shared_and_totals(key, candidate, r, settings) for r in references]
    each = [(*_precision_recall_f((x, x), (n, m), settings), x) for x, n, m in counts]
    mode = settings["multi_reference"]
    if mode == "independent":
        by_p = max(counts, key=lambda c: c[0])
        by_r = max(counts, key=lambda c: c[0] / c[2] if c[2] else 0.0)
        return (*_precision_recall_f((by_p[0], by_r[0]), (by_p[1], by_r[2]), settings), by_p[0])
    if mode == "sum":
        x, n, m = (sum(column) for column in zip(*counts, strict=True))
        return (*_precision_recall_f((x, x), (n, m), settings), x)
    if mode == "jackknife" and len(each) > 1:
        sets = [each[:k] + each[k + 1 :] for k in range(len(each))]
        winners = [max(left, key=lambda m: m[2]) for left in sets]
        return tuple(sum(column) / len(sets) for column in zip(*winners, strict=True))
    return max(each, key=lambda m: m[1] if mode == "best_recall" else m[2])


def _check_evidence(result: Result) -> None:
    """Check that marks are on equal words, that credits sum to the statistics, and that the formula gives the score."""
    candidate, references = result.segment
    sums: dict[str, float] = {}
    for layer in result.layers:
        assert len(layer.marks) == len(layer.credits)
        for name in layer.statistics:
            sums[name] = sums.get(name, 0.0) + layer.total()
        for mark in layer.marks:
            assert all(candidate[i] == references[k][j] for i, k, j in mark.cells())
        if layer.path:
            cells = [cell for mark in layer.marks for cell in mark.cells()]
            assert all(a.i < b.i and a.j < b.j for a, b in pairwise(cells))
            # Runs are maximal: none continues the one before it.
            assert all((a.i + a.length, a.j + a.length) != (b.i, b.j) for a, b in pairwise(layer.marks))
    for name, total in sums.items():
        assert total == pytest.approx(result.stats[name], abs=1e-12)
    assert sums or not result.layers
    steps = metrics.METRICS[result.metric].formula(result)
    assert steps[-1].value == pytest.approx(result.score, abs=1e-12)
    _check_terms(result, steps)
    assert formula.mathml(steps) and formula.text(steps)
    back = metrics.METRICS[result.metric].from_stats(result.stats, result.settings)
    assert (back.score, dict(back.parts)) == (result.score, dict(result.parts))


def _check_terms(result: Result, steps: tuple[formula.FormulaStep, ...]) -> None:
    """Check that every layer is in the formula once, in order, and that its addends are the credits of its marks."""
    seen = []
    for s in steps:
        first = s.forms[0]
        for e in first.args if isinstance(first, formula.Sum) else (first,):
            if isinstance(e, formula.CreditSum):
                seen.append(e.layer)
                assert [c.value for c in e.credits] == list(result.layers[e.layer].credits)
    assert seen == list(range(len(result.layers)))


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("mode", MODES)
def test_random_segments(key, mode):
    rng = random.Random(f"{key} {mode}")
    for _ in range(130):
        candidate, references = _random_segment(rng)
        settings = {"multi_reference": mode, **rng.choice(VARIANTS[key]), **rng.choice(F_MEASURES)}
        result = metrics.score(key, candidate, references, **settings)
        p, r, f, x = _slow_measures(key, candidate, references, settings)
        got = [result.parts["precision"], result.parts["recall"], result.score]
        assert got == pytest.approx([p, r, f], abs=1e-12), (candidate, references, settings)
        part = {"rouge_l": "lcs", "rouge_w": "wlcs", "rouge_s": "skip2"}.get(key)
        assert list(result.parts) == ["precision", "recall", *([part] if part else [])]
        if part:
            assert result.parts[part] == pytest.approx(x, abs=1e-9)
        _check_evidence(result)


@pytest.mark.parametrize("key", ["rouge_n", "rouge_s"])
def test_leftmost_occurrences_are_drawn(key):
    """Check that the leftmost free occurrences in both texts are drawn as matches, and that none is used twice."""
    rng = random.Random(17)
    for _ in range(300):
        candidate, reference = _random_sentence(rng, 12), _random_sentence(rng, 12)
        settings = rng.choice(VARIANTS[key])
        if key == "rouge_n":
            n = settings.get("order", 1)
            places = [[tuple(range(i, i + n)) for i in range(len(s) - n + 1)] for s in (candidate, reference)]
        else:
            places = [_skip_bigram_positions(s, settings.get("max_skip")) for s in (candidate, reference)]
        expected, used = [], set()
        for ours in places[0]:
            for theirs in places[1]:
                if theirs not in used and [candidate[i] for i in ours] == [reference[j] for j in theirs]:
                    used.add(theirs)
                    expected.append(tuple(Hit(i, 0, j) for i, j in zip(ours, theirs, strict=True)))
                    break
        layer = metrics.score(key, candidate, [reference], **settings).layers[0]
        assert [mark.cells() for mark in layer.marks] == expected


# ---------------------------------------------------------------- longest common subsequences


def _obvious_path(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """Return the cells (i, j) of the longest common subsequence that RapidFuzz's rule for ties chooses.

    The rule takes the common prefix and suffix first. Then, from the end, it drops a word of `a` if it can, else one
    of `b`, else it matches."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    path = [(t, t) for t in range(start)] + [(len(a) - 1 - t, len(b) - 1 - t) for t in range(end)]
    i, j = len(a) - end, len(b) - end
    table = lcs_table(a[start:i], b[start:j])
    while i > start and j > start:
        here = table[i - start][j - start]
        if table[i - start - 1][j - start] == here:
            i -= 1
        elif table[i - start][j - start - 1] == here:
            j -= 1
        else:
            i, j = i - 1, j - 1
            path.append((i, j))
    return sorted(path)


def _path_cells(path: list[lcs.Stretch]) -> list[tuple[int, int]]:
    return [(i + d, j + d) for i, j, length in path for d in range(length)]


def test_lcs_ties():
    rng = random.Random(3)
    for t in range(1500):
        longest = 100 if t % 100 == 0 else 14  # beyond 64 words RapidFuzz uses another algorithm
        a, b = _random_sentence(rng, longest), _random_sentence(rng, longest)
        assert _path_cells(lcs.lcs_path(a, b)) == _obvious_path(a, b), (a, b)
        assert lcs.lcs_length(a, b) == lcs_table(a, b)[-1][-1]


def test_the_empty_word_is_no_letter():
    """Check that the empty word differs from the word "\\0", the letter of code 0; RapidFuzz takes them for equal."""
    for key in ("rouge_l", "rouge_w"):
        assert metrics.score(key, ["", "a"], [["\0", "b"]]).score == 0
        assert metrics.score(key, ["\0", "a"], [["", "b"], ["b", "a"]]).score == 0.5


def test_count_lcs():
    def count_chains(cells: list[tuple[int, int]], last: tuple[int, int], length: int) -> int:
        if not length:
            return 1
        return sum(count_chains(cells, c, length - 1) for c in cells if c[0] > last[0] and c[1] > last[1])

    rng = random.Random(4)
    for _ in range(400):
        a, b = _random_sentence(rng, 7), _random_sentence(rng, 7)
        cells = [(i, j) for i in range(len(a)) for j in range(len(b)) if a[i] == b[j]]
        assert count_lcs(a, b) == count_chains(cells, (-1, -1), lcs_table(a, b)[-1][-1]), (a, b)
    # C(200, 100) ways to choose which a's of the longer sentence match: beyond any machine integer.
    assert count_lcs("a" * 200, "a" * 100) == math.comb(200, 100)


@pytest.mark.slow
def test_weighted_lcs():
    rng = random.Random(6)
    differ = 0
    for _ in range(1500):
        a, b = _random_sentence(rng, 14), _random_sentence(rng, 14)
        weight = rng.choice([1.0, 1.2, 1.7, 2.0, 3.0])
        value, path = wlcs(b, a, weight)
        published = lcs.wlcs_published(tuple(a), Reference(tuple(b)), weight)
        assert _path_cells(published) == path, (a, b, weight)
        assert lcs._wlcs_by_diagonals(tuple(a), tuple(b), weight) == published
        assert sum(length**weight for *_, length in published) == pytest.approx(value)
        optimal = lcs.wlcs_optimal(tuple(a), Reference(tuple(b)), weight)
        best = wlcs_maximum(a, b, weight)
        assert sum(length**weight for *_, length in optimal) == pytest.approx(best), (a, b, weight)
        (limit,) = lcs.wlcs_upper_bounds(tuple(a), [tuple(b)], weight)
        assert limit > math.fsum(length**weight for *_, length in optimal) or limit == best == 0, (a, b, weight)
        differ += best > value + 1e-9
    assert differ > 50  # the published procedure does miss its maximum


def test_skip_bigram_counts():
    rng = random.Random(7)
    for _ in range(1500):
        a, b, max_skip = _random_sentence(rng), _random_sentence(rng), rng.choice([None, 0, 1, 3])
        reach = 9 if max_skip is None else max_skip + 1
        ours, theirs = (Counter((s[i], s[j]) for i, j in _skip_bigram_positions(s, max_skip)) for s in (a, b))
        shared = ngrams.SkipBigramCounts(a, longest=9, reach=reach).shared_count(b)
        assert shared == sum((ours & theirs).values()), (a, b, max_skip)
        assert ngrams.skip_bigram_total(len(a), max_skip) == len(_skip_bigram_positions(a, max_skip))


# ---------------------------------------------------------------- several references


def test_best_apart():
    """Check precision and recall from different references: one shares more words, a shorter one is covered better."""
    result = metrics.score("rouge_l", list("abcx"), [list("ab"), list("abcdef")])
    assert dict(result.parts) == {"precision": 3 / 4, "recall": 2 / 2, "lcs": 3}
    assert result.decides == {"precision": 1, "recall": 0}
    assert [(layer.name, layer.k, layer.statistics) for layer in result.layers] == [
        ("LCS", 1, ("precision_match",)),
        ("LCS", 0, ("recall_match",)),
    ]
    assert result.layer_titles() == ("LCS, reference 2", "LCS, reference 1")
    assert metrics.score("rouge_l", list("abcx"), [list("cd"), list("abcdef")]).layer_titles() == ("LCS",)
    text = formula.text(metrics.METRICS["rouge_l"].formula(result)).splitlines()
    assert [line.split(" = ")[:2] for line in text] == [
        ["LCS_2", "3"],
        ["LCS_1", "2"],
        ["P", "3/4"],
        ["R", "2/2"],
        ["F", "(2·P·R)/(P + R)"],
    ]


def test_rouge_w_searches_no_reference_that_cannot_decide(monkeypatch):
    """Check that ROUGE-W skips the search in references whose upper limit for the score is below another's score."""
    references = [Y1, list("xyz"), list("Axyz"), Y2, Y1]
    searched = []
    search = lcs.wlcs_published
    monkeypatch.setattr(rouge_w, "wlcs_published", lambda *args: searched.append(args[1].tokens) or search(*args))
    result = metrics.score("rouge_w", X, references)
    assert searched == [tuple(Y1)] * 2
    assert result.decides == {"precision": 0, "recall": 0}
    for mode, count in {"best": 2, "best_recall": 2, "sum": 5, "jackknife": 5}.items():
        searched.clear()
        metrics.score("rouge_w", X, references, multi_reference=mode)
        assert len(searched) == count, mode


def test_ties_prefer_one_reference_for_both():
    """Check that of references that tie for the best P, here 1 and 2, the one with the best R (2) is taken."""
    result = metrics.score("rouge_l", list("abx"), [list("abc"), list("ab"), list("ba")])
    assert result.decides == {"precision": 1, "recall": 1}
    assert [(layer.name, layer.statistics) for layer in result.layers] == [("LCS", ("precision_match", "recall_match"))]


def test_references_that_tie_but_for_rounding_tie():
    """Check that recalls of 2/4 and 1/2 tie, although rounding of powers of 1.2 changes their last digits."""
    candidate, references = "a b b".split(), ["b b a b".split(), "b a".split()]
    given = {"variant": "optimal", "beta": 0.0}
    result = metrics.score("rouge_w", candidate, references, multi_reference="best_recall", **given)
    assert result.decides == {"score": 0} and result.score == pytest.approx(2 / 3)
    result = metrics.score("rouge_w", candidate, references, **given)
    assert result.decides == {"precision": 0, "recall": 0}, "one reference that is best for both"


@pytest.mark.parametrize("mode", ["best", "best_recall"])
@pytest.mark.parametrize("key", KEYS)
def test_ties_go_to_the_first_reference(key, mode):
    result = metrics.score(key, S2, [S3, S1, S1], multi_reference=mode)
    assert result.decides["score"] == (0 if key == "rouge_n" else 1)


def test_sum_counts_the_candidate_for_each_reference():
    result = metrics.score("rouge_l", list("abcx"), [list("ab"), list("abcdef")], multi_reference="sum")
    assert (result.parts["precision"], result.parts["recall"]) == (5 / 8, 5 / 8)
    assert [(layer.name, layer.k) for layer in result.layers] == [("LCS", 0), ("LCS", 1)]
    assert result.layer_titles() == ("LCS, reference 1", "LCS, reference 2")
    text = formula.text(metrics.METRICS["rouge_l"].formula(result))
    assert "P = (2 + 3)/(2·4) = 0.625" in text
    assert "R = (2 + 3)/(2 + 6) = 0.625" in text


def test_jackknife():
    """Check the jackknife for F of 1/2, 3/4 and 6/7: reference 3 is best in two of its sets, reference 2 in one."""
    references = [S4, S1, S2[:3]]
    alone = [metrics.score("rouge_l", S2, [r]).score for r in references]
    assert sorted(range(3), key=lambda k: -alone[k]) == [2, 1, 0]
    result = metrics.score("rouge_l", S2, references, multi_reference="jackknife")
    assert result.score == pytest.approx((2 * alone[2] + alone[1]) / 3)
    assert [(layer.name, layer.k, layer.weight) for layer in result.layers] == [("LCS", 2, 2 / 3), ("LCS", 1, 1 / 3)]
    assert result.layer_titles() == ("LCS, reference 3", "LCS, reference 2")
    text = formula.text(metrics.METRICS["rouge_l"].formula(result))
    assert "F = (2·F_3 + F_2)/3 = " in text
    assert metrics.score("rouge_l", S2, [S1], multi_reference="jackknife").score == 0.75


# ---------------------------------------------------------------- F, formula, settings, odd input


def test_lin_och_beta():
    """Check F with β = P/R, as in equation 6 of Lin and Och: it is PR(P² + R²)/(P³ + R³)."""
    result = metrics.score("rouge_l", list("abc"), [list("abxyz")], f_measure="lin_och")
    p, r = 2 / 3, 2 / 5
    assert result.score == pytest.approx(p * r * (p**2 + r**2) / (p**3 + r**3))
    assert "β = P/R" in formula.text(metrics.METRICS["rouge_l"].formula(result))


@pytest.mark.parametrize(
    ("key", "settings", "lines"),
    [
        ("rouge_l", {}, ["LCS = 2 + 1", "P = 3/4", "R = 3/5", "F = (2·P·R)/(P + R)"]),
        ("rouge_l", {"beta": 2.0}, ["LCS = 2 + 1", "P = 3/4", "R = 3/5", "F = ((1 + 2²)·P·R)/(R + 2²·P)"]),
        (
            "rouge_w",
            {},
            ["WLCS = 2^1.2 + 1^1.2", "P = (WLCS/(4^1.2))^(1/1.2)", "R = (WLCS/(5^1.2))^(1/1.2)", "F = (2·P·R)/(P + R)"],
        ),
        (
            "rouge_s",
            {"max_skip": 0, "unigrams": True},
            ["SKIP2 = 1 + 3", "P = 4/7", "R = 4/9", "F = (2·P·R)/(P + R)"],
        ),
        ("rouge_n", {"order": 2}, ["matches = 1 of 3 2-grams", "P = 1/3", "R = 1/4", "F = (2·P·R)/(P + R)"]),
    ],
)  # fmt: skip
def test_formula(key, settings, lines):
    result = metrics.score(key, list("abxc"), [list("abyzc")], **settings)
    text = formula.text(metrics.METRICS[key].formula(result)).splitlines()
    assert [line.rpartition(" = ")[0] for line in text] == lines


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("candidate", "references"), [([], [["a"]]), (["a"], [[]]), ([], [[]]), ([], [[], ["a"]])])
def test_empty_sentences(key, mode, candidate, references):
    for settings in VARIANTS[key]:
        result = metrics.score(key, candidate, references, multi_reference=mode, **settings)
        assert result.score == 0
        assert not result.cells()
        _check_evidence(result)


@pytest.mark.parametrize(
    ("key", "settings", "message"),
    [
        ("rouge_n", {"order": 0}, "order must be at least 1, got 0"),
        ("rouge_n", {"order": 1.5}, "order must be a whole number, got 1.5"),
        ("rouge_l", {"beta": -1}, "beta must be at least 0, got -1"),
        ("rouge_l", {"beta": math.inf}, "beta must be at most 1000000, got inf"),
        ("rouge_w", {"weight": 0.9}, "weight must be at least 1, got 0.9"),
        ("rouge_w", {"variant": "greedy"}, "variant must be one of"),
        ("rouge_s", {"max_skip": -1}, "max_skip must be at least 0, got -1"),
        ("rouge_s", {"unigrams": "yes"}, "unigrams must be True or False, got 'yes'"),
        ("rouge_s", {"multi_reference": "A"}, "multi_reference must be one of"),
        ("rouge_l", {"f_measure": "f1"}, "f_measure must be one of"),
    ],
)
def test_bad_settings(key, settings, message):
    with pytest.raises(ValueError, match=message):
        metrics.score(key, ["a"], [["a"]], **settings)


@pytest.mark.slow
def test_long_sentences():
    """Check all kinds of ROUGE on texts of 2,000 words with many repeats; equal texts score 1."""
    rng = random.Random(8)
    words = [f"w{int(rng.paretovariate(0.6))}" for _ in range(2000)]
    other = [w if rng.random() < 0.5 else "x" for w in words]
    optimal, near = {"variant": "optimal"}, {"max_skip": 30}
    chosen = [("rouge_n", {}), ("rouge_l", {}), ("rouge_w", {}), ("rouge_w", optimal), ("rouge_s", near)]
    for key, settings in chosen:
        assert metrics.score(key, words, [words], **settings).score == pytest.approx(1)
        assert 0 < metrics.score(key, words, [other], **settings).score < 1
    pairs = metrics.score("rouge_s", words, [other])
    assert len(pairs.layers[0].marks) == pairs.parts["skip2"] > 200_000


def test_a_remark_tells_where_the_published_procedure_misses_its_maximum():
    missed = metrics.score("rouge_w", "a b".split(), ["a b b".split()], weight=2.0)
    remark = metrics.METRICS["rouge_w"].remark(missed)
    assert "2.000" in remark and "4.000" in remark
    assert metrics.METRICS["rouge_w"].remark(metrics.score("rouge_w", ["a", "b"], [["a", "b"]])) == ""


def test_the_matches_of_each_side_are_of_its_words():
    """Check that the formula names the number of words that P and R divide by where their references differ."""
    result = metrics.score("rouge_n", "a b c d".split(), ["a b c x y z".split(), "a b".split()])
    labels = [s.forms[-1].value_label() for s in metrics.METRICS["rouge_n"].formula(result)[:2]]
    assert labels == ["of 4 words", "of 2 words"]
