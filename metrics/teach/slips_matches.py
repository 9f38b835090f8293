"""The slips that are made with precision, recall, runs, chains and ranks: of ROUGE, GTM, SIA, dcs, METEOR and RIBES.

Each function yields numbers with the sentences that name the slips behind them, the commonest first. A slip that
cannot be made on a result, such as a forgotten penalty where there is none, is left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any, TypeAlias

from ..formula import number_of, shown
from ..types import Hit, Metric, Neighbours, Result, Run, f_measure

#: A number and the sentence that names the slip that gives it.
Found: TypeAlias = "Iterator[tuple[float, str]]"


def _words(count: float) -> str:
    return number_of(count, "word").text()


def in_common(a: Sequence[Any], b: Sequence[Any]) -> int:
    """How many things two bags share, each as often as the bag with fewer of it."""
    return (Counter(a) & Counter(b)).total()


def ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def who(result: Result, k: int) -> str:
    """What to call reference k: by its number where there are several."""
    return f"reference {k + 1}" if len(result.segment.references) > 1 else "the reference"


def mean_words(result: Result, mean: float) -> str:
    """What a mean length is called: that of the one reference where there is one."""
    several = len(result.segment.references) > 1
    return f"the references' mean of {_words(mean)}" if several else f"the reference's {_words(mean)}"


def _again(metric: Metric, result: Result, **changed: Any) -> float:
    """The score with other settings."""
    settings: Any = result.settings
    return metric.score(result.segment, replace(settings, **changed)).score


def _ratio(top: float, bottom: float) -> float:
    return top / bottom if bottom else 0.0


# ---------------------------------------------------------------- F-measures


def _of_f(p: float, r: float, per: tuple[str, str], beta: float = 1.0, given: str = "") -> Found:
    """What is taken for F; `per` says what P and R divide by, and `given` what β is where it is no number."""
    if not p or not r:
        return
    if not beta:
        yield r, f"That is R alone, which divides by {per[1]}: with β = 0 F is P, which divides by {per[0]}."
        return
    square = beta * beta
    factor, top, below, f = "2", "2PR", "P + R", "the harmonic mean 2PR/(P + R)"
    if beta != 1:
        factor, top, below = f"1 + β² = {1 + square:.4g}", f"{1 + square:.4g}PR", f"R + {square:.4g}P"
        f = f"(1 + β²)PR/(R + β²P), with β = {given or f'{beta:g}'} that is {top}/({below})"
    yield p, f"That is P alone, which divides by {per[0]}; F also needs R, which divides by {per[1]}."
    yield r, f"That is R alone, which divides by {per[1]}; F also needs P, which divides by {per[0]}."
    yield (p + r) / 2, f"That is the arithmetic mean (P + R)/2: F is {f}."
    yield p * r / (r + square * p), f"Forgot the factor {factor} of F = {top}/({below})."
    yield math.sqrt(p * r), f"That is the geometric mean √(P·R): F is {f}."
    yield p * r, f"That is P·R: F divides {top} by {below}."


def gtm(metric: Metric, result: Result) -> Found:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    n, m, power, e = stats["candidate_length"], stats["reference_length"], stats["match_power"], settings.exponent
    lengths = [mark.length for mark in result.layers[0].marks if isinstance(mark, Run)]

    def f(size: float, m: float = m) -> float:
        return f_measure(_ratio(size, n), _ratio(size, m))

    if e != 1:
        root = f"{shown(power)} to the power of 1/{e:g}"
        yield f(power), f"Forgot the root: the matching has the size {root}, not {shown(power)}."
        yield f(sum(lengths)), f"Forgot the exponent: a run of length l counts l to the power of {e:g}, not l."
    theirs = mean_words(result, m) if len(result.segment.references) > 1 else shown(m)
    yield from _of_f(parts["precision"], parts["recall"], (f"the {_words(n)} of the candidate", theirs))
    if len(lengths) > 1:
        yield f(max(lengths)), "Counted the longest run alone: all runs of the matching add up."
    if (cut := result.layers[0].cut) and power:
        whole = math.fsum([length**e for length in [*lengths[:-1], cut.length]]) ** (1 / e)
        yield f(whole), "Forgot the cap: no more words count than the shorter of candidate and mean reference has."
    references = result.segment.references
    if len(references) > 1:
        total = sum(map(len, references))
        yield (
            f(parts["match_size"], total),
            f"Divided by all {total} words of the references: R divides by their mean length.",
        )
    hits = _hits(result)
    if hits > sum(lengths):
        yield f(hits ** (1 / e)), f"Counted all {hits} hits: a word is used once."


def _hits(result: Result) -> int:
    candidate, references = result.segment
    return sum([reference.count(word) for word in candidate for reference in references])


def _of_rouge(metric: Metric, result: Result, per: tuple[str, str]) -> Found:
    """What all four ROUGE metrics have in common: F, and the β of it."""
    settings: Any = result.settings
    p, r = result.parts["precision"], result.parts["recall"]
    if settings.f_measure == "lin_och":
        yield from _of_f(p, r, per, _ratio(p, r), f"P/R = {shown(_ratio(p, r))}")
        return
    yield from _of_f(p, r, per, settings.beta)
    if settings.beta != 1:
        yield f_measure(p, r), f"Forgot β: recall counts {settings.beta:g} times as much as precision here."
        if settings.beta:
            yield f_measure(p, r, 1 / settings.beta), "Took β for precision: it says how much more recall counts."


def _per(result: Result, noun: str, suffix: str = "") -> tuple[str, str]:
    """What P and R divide by: R by one reference, or by all where their counts are summed."""
    if "candidate_total" not in result.stats:
        return "the candidate's length", "the reference's"
    n, m = (result.stats[name] for name in ("candidate_total", "reference_total"))
    many = 1 if result.decides else len(result.segment.references)
    ours = f"the candidate's {number_of(n / many, noun).text()}{suffix}"
    if many > 1:
        return f"{many} times {ours}", f"all references' {shown(m)}"
    return ours, f"{who(result, _deciding(result)[1])}'s {shown(m)}"


def _rouge_f(result: Result, counts: Sequence[float], totals: Sequence[float]) -> float:
    """F of other counts for P and for R, over other totals."""
    settings: Any = result.settings
    (ours, theirs), (n, m) = counts, totals
    return f_measure(_ratio(ours, n), _ratio(theirs, m), settings.beta)


def _deciding(result: Result) -> tuple[int, int]:
    """The references of P and of R."""
    p = result.decides.get("precision", result.decides.get("score", 0))
    return p, result.decides.get("recall", p)


def rouge_n(metric: Metric, result: Result) -> Found:
    settings: Any = result.settings
    order, (candidate, references) = settings.order, result.segment
    noun = f"{order}-gram" if order > 1 else "word"
    yield from _of_rouge(metric, result, _per(result, noun))
    if "candidate_total" not in result.stats:
        return
    n, m = result.stats["candidate_total"], result.stats["reference_total"]
    ours, (p, r) = ngrams(candidate, order), _deciding(result)
    unclipped = [sum([ngram in theirs for ngram in ours]) for theirs in (ngrams(references[k], order) for k in (p, r))]
    if unclipped != [result.stats["precision_match"], result.stats["recall_match"]]:
        f = _rouge_f(result, unclipped, (n, m))
        yield f, f"Counted a {noun} twice: one that the candidate repeats counts as often as the reference has it."
    if order > 1:
        words = len(candidate), len(references[r])
        f = _rouge_f(result, (result.stats["precision_match"], result.stats["recall_match"]), words)
        yield f, f"Divided by the {words[0]} and {words[1]} words: there are only {shown(n)} and {shown(m)} {noun}s."
        yield _again(metric, result, order=1), f"Counted single words: this is about {noun}s."


def rouge_l(metric: Metric, result: Result) -> Found:
    yield from _of_rouge(metric, result, _per(result, "word"))
    if "candidate_total" not in result.stats:
        return
    candidate, references = result.segment
    n, m, (p, r) = result.stats["candidate_total"], result.stats["reference_total"], _deciding(result)
    common = [in_common(candidate, references[k]) for k in (p, r)]
    lcs = [result.stats["precision_match"], result.stats["recall_match"]]
    if common != lcs:
        both = f"{common[0]} and {_words(common[1])}" if p != r else _words(common[1])
        said = f"Counted all {both} in common: the LCS has only those that stand in one order."
        yield _rouge_f(result, common, (n, m)), said
    runs = [longest_run(candidate, references[k]) for k in (p, r)]
    if runs != lcs:
        said = "Counted the longest run alone: the words of an LCS may have gaps between them."
        yield _rouge_f(result, runs, (n, m)), said
    yield _rouge_f(result, [count - 1 for count in lcs], (n, m)), "One short: the LCS has one word more."


def longest_run(a: Sequence[str], b: Sequence[str]) -> int:
    """The most words that stand next to each other, in the same order, in both.

    >>> longest_run("abcd", "xbcy")
    2
    """
    best, last = 0, [0] * (len(b) + 1)
    for word in a:
        last = [0] + [last[j] + 1 if word == other else 0 for j, other in enumerate(b)]
        best = max(best, *last)
    return best


def rouge_w(metric: Metric, result: Result) -> Found:
    settings: Any = result.settings
    w, (candidate, references) = settings.weight, result.segment
    p, r = _deciding(result)
    n, m = len(candidate), len(references[r])
    other = f"{who(result, r)}'s {m}" if result.decides else "the references' lengths"
    per = f"the candidate's {n} to the power of {w:g}", f"{other} to that power"
    if "candidate_total" not in result.stats or w == 1:
        yield from _of_rouge(metric, result, per)
        return
    ours, theirs = result.stats["precision_match"], result.stats["recall_match"]
    totals = result.stats["candidate_total"], result.stats["reference_total"]
    yield _rouge_f(result, (ours, theirs), totals), f"Forgot the root: P and R are taken to the power of 1/{w:g}."
    yield (
        _rouge_f(result, (ours, theirs), (n, m)),
        f"Divided by the lengths {n} and {m}, not by their powers, nor rooted.",
    )
    rooted = f_measure((ours / n) ** (1 / w), (theirs / m) ** (1 / w), settings.beta) if n and m else 0.0
    yield rooted, f"Divided by the lengths {n} and {m}, not by their powers of {w:g}."
    yield from _of_rouge(metric, result, per)
    lcs = [
        sum([run.length for x in result.layers if x.k == k for run in x.marks if isinstance(run, Run)]) for k in (p, r)
    ]
    f = _rouge_f(result, lcs, (n, m))
    yield f, f"Counted the words of the sequence as one run, as ROUGE-L does: each run counts its own length to {w:g}."


def rouge_s(metric: Metric, result: Result) -> Found:
    settings: Any = result.settings
    yield from _of_rouge(metric, result, _per(result, "pair", " and words" if settings.unigrams else ""))
    if "candidate_total" not in result.stats:
        return
    stats, (candidate, references) = result.stats, result.segment
    ours, theirs = stats["precision_match"], stats["recall_match"]
    n, m, (p, r) = len(candidate), len(references[_deciding(result)[1]]), _deciding(result)
    if settings.max_skip is None and not settings.unigrams:
        yield _rouge_f(result, (ours, theirs), (n, m)), f"Divided by {n} and {m} words: n words have n(n − 1)/2 pairs."
        twice = _rouge_f(result, (ours, theirs), (n * (n - 1), m * (m - 1)))
        yield twice, "Divided by n(n − 1): a pair has one order, so there are half as many."
        bags = [[tuple(sorted(pair)) for pair in combinations(words, 2)] for words in (candidate, *references)]
        either = [in_common(bags[0], bags[k + 1]) for k in (p, r)]
        if either != [ours, theirs]:
            f = _rouge_f(result, either, (stats["candidate_total"], stats["reference_total"]))
            yield f, "Counted pairs in either order: both words must stand in the reference's order."
        yield _again(metric, result, unigrams=True), "Counted single words too: that is ROUGE-SU."
    if settings.max_skip is not None:
        d = settings.max_skip
        yield (
            _again(metric, result, max_skip=None),
            f"Forgot the window: at most {_words(d)} may stand between the two.",
        )
        said = f"a pair may have {_words(d)} between its two"
        if d < max(n, m):  # else it is as wide as the sentences
            yield _again(metric, result, max_skip=d + 1), f"Window too wide by one: {said}."
        if d:
            yield _again(metric, result, max_skip=d - 1), f"Window too narrow by one: {said}."
    if settings.unigrams:
        yield _again(metric, result, unigrams=False), "Forgot the single words, which count beside the pairs."
    yield (
        _again(metric, result, max_skip=0, unigrams=False),
        "Counted only pairs of neighbours: words may stand between.",
    )


# ---------------------------------------------------------------- chains, blocks, chunks and ranks


def _gains(result: Result, credit: Callable[[float, int, int], float], start: int = -1) -> float:
    """The weighted sum of other credits over the rounds: of a cell's similarity and its two distances.

    Distances are measured from `start` in both sentences, and are at least 1.
    """
    total = 0.0
    for layer in result.layers:
        i, j, last = -1, -1, (start, start)
        for mark, worth in zip(layer.marks, layer.credits, strict=True):
            if isinstance(mark, Hit):
                likeness = worth * math.sqrt((mark.i - i) * (mark.j - j))
                i, j = mark.i, mark.j
                total += layer.weight * credit(likeness, max(i - last[0], 1), max(j - last[1], 1))
                last = i, j
    return total


def sia(metric: Metric, result: Result) -> Found:
    settings: Any = result.settings
    stats, score, a = result.stats, result.score, settings.decay
    n, m, penalty = stats["candidate_length"], stats["mean_reference_length"], result.parts["length_penalty"]
    if not n or not score:
        return
    rounds = [stats[f"gain_{number}"] for number in range(1, len(result.layers) + 1)]
    if settings.iterative and settings.schedule == "geometric" and a != 1:
        yield score / a, f"Counted the first round fully: it is multiplied by α = {a:g} too."
        yield penalty * sum(rounds) / n, f"Forgot the decay: round r counts {a:g} to the power of r."
        if len(rounds) > 1:
            yield (
                penalty * a * sum(rounds) / n,
                f"Multiplied every round by {a:g}: round r counts {a:g} to the power of r.",
            )
            yield penalty * a * rounds[0] / n, f"Stopped after the first round: there are {len(rounds)}."
    if penalty < 1:
        yield score / penalty, f"Forgot the length penalty {shown(n)}/{shown(m)}: the candidate is shorter."
    yield score * n / m, f"Divided by {mean_words(result, m)}: a round divides by the candidate's {shown(n)}."
    firsts = [next(iter(layer.cells())) for layer in result.layers]
    if any(cell.i or cell.j for cell in firsts):
        measured = _gains(result, lambda s, d, e: s / math.sqrt(d * e), 0)
        yield (
            penalty * measured / n,
            "Measured the first gap from the first words: it starts just before both sentences.",
        )
    yield penalty * _gains(result, lambda s, d, e: s / (d * e)) / n, "Forgot the root: a cell earns 1/√(Δi·Δj)."
    yield penalty * _gains(result, lambda s, d, e: s) / n, "Forgot the gaps: a cell earns 1/√(Δi·Δj), not 1."
    mean = _gains(result, lambda s, d, e: 2 * s / (d + e))
    if abs(mean - stats["weighted_gain"]) > 1e-9:
        yield penalty * mean / n, "Took the mean of the two gaps: √(Δi·Δj) counts."


def dcs(metric: Metric, result: Result) -> Found:
    stats, parts = result.stats, result.parts
    n, m, squares, products = (stats[k] for k in ("candidate_length", "reference_length", "squares", "products"))
    if not n or not m or not squares:
        return
    side, both = math.sqrt(n * m), math.sqrt(squares + products)
    yield (squares + products) / side, f"Forgot the root: dcs takes √({shown(squares)} + {shown(products)})."
    if products:
        yield parts["cs1"], "That is cs1, the squares of the blocks alone: blocks that follow each other count too."
        yield parts["cs1"] + parts["cs2"], "Added cs1 and cs2: squares and products are added before the root is taken."
        yield parts["cs2"], "That is cs2, the neighbours alone: the squares of the blocks count too."
        twice = math.sqrt(squares + 2 * products) / side
        yield (
            twice,
            "Counted the neighbours twice: two blocks that follow each other add the product of their lengths once.",
        )
    else:
        pairs = _products_of_all(result)
        yield math.sqrt(squares + pairs) / side, "Multiplied blocks that do not follow each other in both sentences."
    yield both / n, f"Divided by the candidate's {_words(n)}: dcs divides by √(n·m)."
    yield both / m, f"Divided by {who(result, result.decides['score'])}'s {_words(m)}: dcs divides by √(n·m)."
    yield 2 * both / (n + m), "Divided by the mean of the two lengths: dcs divides by √(n·m)."
    yield both / (n * m), "Divided by n·m: dcs divides by √(n·m)."
    yield parts["cs0"], "That is cs0, the longest chain: dcs takes all blocks."
    blocks = [mark.length for mark in result.layers[0].marks if isinstance(mark, Run)]
    yield sum(blocks) / side, "Counted the words of the blocks: a block counts the square of its length."


def _products_of_all(result: Result) -> float:
    """The products of all blocks that follow each other in the candidate, whether or not in the reference."""
    blocks = [mark for mark in result.layers[0].marks if isinstance(mark, Run)]
    own = {(pair.first, pair.second) for pair in result.layers[1].marks if isinstance(pair, Neighbours)}
    return sum([a.length * b.length for a, b in pairwise(blocks) if (a, b) not in own])


def meteor(metric: Metric, result: Result) -> Found:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    p, r, penalty, matches = parts["precision"], parts["recall"], parts["penalty"], stats["matches"]
    if not matches:
        return
    alpha, beta, gamma = settings.alpha, settings.beta, settings.gamma
    mean = p * r / (alpha * p + (1 - alpha) * r)
    if penalty:
        yield mean, f"Forgot the penalty: F is multiplied by 1 − {shown(penalty)}."
        yield mean * penalty, "Multiplied by the penalty: it is taken away, so F is multiplied by 1 − penalty."
        f = parts["fragmentation"]
        yield mean * (1 - f**beta), f"Forgot γ: the penalty is {gamma:g} · fragmentation to the power of {beta:g}."
        yield mean * (1 - gamma * f), f"Forgot β: the penalty takes the fragmentation to the power of {beta:g}."
        fewer = gamma * ((stats["chunks"] - 1) / matches) ** beta
        yield mean * (1 - fewer), f"Counted the breaks between chunks: there are {shown(stats['chunks'])} chunks."
        if matches < stats["candidate_length"]:
            said = "Divided the chunks by the candidate's words: fragmentation divides them by the matches."
            yield mean * (1 - gamma * (stats["chunks"] / stats["candidate_length"]) ** beta), said
    elif stats["whole"]:
        counted = gamma * (1 / matches) ** beta
        yield mean * (1 - counted), "Counted a penalty: there is none where both sentences match whole, in one chunk."
    kept = 1 - penalty
    yield 2 * p * r / (p + r) * kept, f"Took the plain harmonic mean: with α = {alpha:g} recall weighs more."
    swapped = p * r / (alpha * r + (1 - alpha) * p)
    yield swapped * kept, f"Swapped α: F = PR/(αP + (1 − α)R), so that {alpha:g} stands beside P below the line."
    yield p * kept, "Took P for F: F weighs P and R."
    yield r * kept, "Took R for F: F weighs P and R."
    yield (p + r) / 2 * kept, "Took the arithmetic mean of P and R: F = PR/(αP + (1 − α)R)."
    if "stem" in settings.stages and "exact" in settings.stages:
        yield _again(metric, result, stages=("exact",)), "Left out the words that match by their stems."


def ribes(metric: Metric, result: Result) -> Found:
    stats, parts = result.stats, result.parts
    settings: Any = result.settings
    kendall, p, penalty = parts["kendall"], parts["precision"], parts["brevity_penalty"]
    if not kendall:
        return
    alpha, beta = settings.alpha, settings.beta
    rest = p**alpha * penalty**beta
    pairs = stats["concordant"] + stats["discordant"]
    if pairs and stats["discordant"]:
        tau = (stats["concordant"] - stats["discordant"]) / pairs
        yield tau * rest, "Took τ as it is: RIBES brings it from −1 … 1 to 0 … 1, the share of concordant pairs."
        yield stats["discordant"] / pairs * rest, "Took the share of the discordant pairs: the concordant ones count."
    if p < 1:
        yield kendall * penalty**beta, f"Forgot the precision: the share of aligned words, to the power of {alpha:g}."
        yield kendall * p * penalty**beta, f"Forgot α: the precision is taken to the power of {alpha:g}."
    if penalty < 1:
        yield kendall * p**alpha, f"Forgot the brevity penalty, to the power of {beta:g}: the candidate is shorter."
        yield kendall * p**alpha * penalty, f"Forgot β: the brevity penalty is taken to the power of {beta:g}."
    if p < 1 and penalty < 1:
        yield kendall, "That is kendall alone: precision and brevity penalty are factors too."
        yield kendall * p * penalty, "Forgot α and β, the powers of the precision and of the brevity penalty."
    n, m = stats["candidate_length"], stats["reference_length"]
    if pairs and n * (n - 1) / 2 != pairs:
        share = stats["concordant"] / (n * (n - 1) / 2)
        yield share * rest, "Divided by all pairs of the candidate: only pairs of aligned words have an order."
    yield (
        kendall * (stats["aligned"] / m) ** alpha * penalty**beta,
        f"Divided the aligned words by {who(result, result.decides['score'])}'s {shown(m)}: "
        f"p divides by the candidate's {shown(n)}.",
    )


OF_MATCHES: Mapping[str, Callable[[Metric, Result], Found]] = {
    "rouge_n": rouge_n,
    "rouge_l": rouge_l,
    "rouge_w": rouge_w,
    "rouge_s": rouge_s,
    "gtm": gtm,
    "sia": sia,
    "dcs": dcs,
    "meteor": meteor,
    "ribes": ribes,
}
