"""Small programs that compute the number that a reader gets who makes the mistake of a slip's sentence.

They are listed by metric and by the beginning of the sentence, and share no code with the search for slips."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

from metrics.types import Metric, Neighbours, Result, Run, Segment
from tests.helpers.cases import TAUGHT


class ScoreFacts:
    """The facts that a page shows with a score: words, parts, statistics, and the references that decide P and R."""

    def __init__(self, metric: Metric, result: Result) -> None:
        self.metric, self.result, self.score = metric, result, result.score
        self.words, self.references = result.segment
        self.settings: Any = result.settings
        self.parts, self.stats, self.decides = result.parts, result.stats, result.decides
        self.n, self.lengths = len(self.words), [len(reference) for reference in self.references]
        self.mean = sum(self.lengths) / len(self.lengths)
        self.k = result.decides.get("score", 0)
        self.m, self.one = self.lengths[self.k], self.references[self.k]
        self.p, self.r = self.parts.get("precision", 0.0), self.parts.get("recall", 0.0)
        self.pair = [self.decides.get(part, self.k) for part in ("precision", "recall")]
        self.length = self.stats.get("reference_length", 0) or 1
        self.brevity = self.parts.get("brevity_penalty", 0.0)

    def with_settings(self, **changed: Any) -> float:
        return self.metric.score(self.result.segment, replace(self.settings, **changed)).score

    def score_against(self, *references: tuple[str, ...]) -> float:
        return self.metric.score(Segment(self.words, references), self.settings).score

    def wer(self) -> int:
        """Return the edit distance between candidate and deciding reference, by the textbook table."""
        row = [*range(self.m + 1)]
        for i, word in enumerate(self.words, 1):
            last, row = row, [i]
            for j, other in enumerate(self.one):
                row.append(min(last[j] + (word != other), last[j + 1] + 1, row[-1] + 1))
        return row[-1]

    def f_of_shares(self, ours: float, theirs: float, p_total: float, r_total: float) -> float:
        """Return F of P = `ours` / `p_total` and R = `theirs` / `r_total`."""
        p, r = (ours / p_total if p_total else 0.0), (theirs / r_total if r_total else 0.0)
        return f_score(p, r, self.beta(p, r))

    def beta(self, p: float, r: float) -> float:
        if getattr(self.settings, "f_measure", "") == "lin_och":
            return p / r if r else 0.0
        return getattr(self.settings, "beta", 1.0)

    def count_common_words(self, k: int) -> int:
        return (Counter(self.words) & Counter(self.references[k])).total()


def f_score(p: float, r: float, beta: float = 1.0) -> float:
    return (1 + beta**2) * p * r / (r + beta**2 * p) if p > 0 and r > 0 else 0.0


def ngrams(words: tuple[str, ...], n: int) -> list[tuple[str, ...]]:
    return [words[i : i + n] for i in range(len(words) - n + 1)]


def geometric_mean(values: list[float]) -> float:
    return math.prod(values) ** (1 / len(values)) if all(values) else 0.0


# ---------------------------------------------------------------- all metrics, F, edits

PER_CENT = "That is the score in per cent"
ALL = {
    r"That is the score against reference (\d) alone; ": lambda x, k: x.score_against(x.references[int(k) - 1]),
    r"That is the mean of the scores against the (\d) references": lambda x, many: (
        sum([x.score_against(reference) for reference in x.references]) / int(many)
    ),
}
F = {
    r"That is P alone, which divides by ": lambda x: x.p,
    r"That is R alone, which divides by ": lambda x: x.r,
    r"That is the arithmetic mean \(P \+ R\)/2": lambda x: (x.p + x.r) / 2,
    r"Forgot the factor (?:1 \+ β² = )?[\d.e+]+ of F": lambda x: x.score / (1 + x.beta(x.p, x.r) ** 2),
    r"That is the geometric mean √\(P·R\)": lambda x: math.sqrt(x.p * x.r),
    r"That is P·R": lambda x: x.p * x.r,
}
WITH_BETA = F | {
    r"Forgot β: recall counts": lambda x: f_score(x.p, x.r),
    r"Applied β to precision": lambda x: f_score(x.p, x.r, 1 / x.settings.beta),
}


def error_rate_without(x: ScoreFacts, *names: str) -> float:
    kinds = ("shifts", "substitutions", "insertions", "deletions")
    return sum(x.stats.get(kind, 0) for kind in kinds if kind not in names) / x.length


UNDIVIDED = {r"That is the number of edits: ": lambda x: x.score * x.length}
EDITS = UNDIVIDED | {
    r"Divided by the candidate's (\d+) words?: ": lambda x, n: x.score * x.length / int(n),
    r"Counted a substitution as two edits: one word changed": lambda x: (
        error_rate_without(x) + x.stats["substitutions"] / x.length
    ),
    r"Forgot the substitutions": lambda x: error_rate_without(x, "substitutions"),
    r"Forgot the insertions: the candidate has (\d+) words? too many": lambda x, n: (
        error_rate_without(x) - int(n) / x.length
    ),
    r"Forgot the deletions: the candidate lacks (\d+) words? of": lambda x, n: (
        error_rate_without(x) - int(n) / x.length
    ),
    r"That is 1 minus the rate": lambda x: 1 - x.score,
    r"Divided by the longer sentence": lambda x: x.score * x.length / max(x.n, x.stats["reference_length"]),
}

# ---------------------------------------------------------------- letters


def ngrams_by_order(x: ScoreFacts) -> list[tuple[list[Any], list[Any]]]:
    """Return (candidate's n-grams, reference's n-grams) for each character order, then for each word order, of chrF.

    The test sentences have no punctuation, which chrF would split off from words."""
    settings = x.settings
    gap = " " if settings.whitespace else ""
    both = [gap.join(words) for words in (x.words, x.one)]
    out = [tuple(ngrams(text, n) for text in both) for n in range(1, settings.char_order + 1)]  # type: ignore
    out += [tuple(ngrams(words, n) for words in (x.words, x.one)) for n in range(1, settings.word_order + 1)]
    return out  # type: ignore


def counts_by_order(
    x: ScoreFacts, match: Any = lambda a, b: (Counter(a) & Counter(b)).total()
) -> list[tuple[int, int, int]]:
    """Return (n-grams in common, candidate's, reference's) for each order of which both texts have n-grams.

    `match` counts the n-grams that two lists have in common."""
    return [(match(a, b), len(a), len(b)) for a, b in ngrams_by_order(x) if a and b]


def chrf_of_unclipped_counts(x: ScoreFacts) -> float:
    counts = counts_by_order(x, lambda a, b: sum(gram in b for gram in a))
    p, r = (sum(count[0] / count[side] for count in counts) / (len(counts) or 1) for side in (1, 2))
    return f_score(p, r, x.settings.beta)


def f_of_each_order(x: ScoreFacts) -> list[float]:
    return [f_score(m / a, m / b, x.settings.beta) for m, a, b in counts_by_order(x)]


def f_of_summed_counts(x: ScoreFacts) -> float:
    m, a, b = (sum(column) for column in zip(*counts_by_order(x), strict=True))
    return f_score(m / a, m / b, x.settings.beta)


# ---------------------------------------------------------------- n-grams and subsequences


def bleu_of(x: ScoreFacts, matches: Any, totals: Any) -> float:
    orders = range(1, x.settings.max_order + 1)
    return geometric_mean([matches(n) / totals(n) if totals(n) > 0 else 0.0 for n in orders]) * x.brevity


def bleu_brevity_penalty(c: float, r: float) -> float:
    return 1.0 if c >= r else math.exp(1 - r / c)


def unclipped_matches(x: ScoreFacts, n: int, ks: Any = None) -> int:
    known = {g for k in (ks or range(len(x.references))) for g in ngrams(x.references[k], n)}
    return sum([gram in known for gram in ngrams(x.words, n)])


def precisions(x: ScoreFacts) -> list[float]:
    return [x.parts[f"precision_{n}"] for n in range(1, x.settings.max_order + 1)]


def mean_precision(x: ScoreFacts) -> float:
    return geometric_mean(precisions(x))


BLEU = {
    r"Forgot the brevity penalty": mean_precision,
    r"Inverted r/c": lambda x: mean_precision(x) * math.exp(1 - x.n / x.stats["reference_length"]),
    r"Took c/r for the penalty": lambda x: mean_precision(x) * x.n / x.stats["reference_length"],
    r"Took exp\(c − r\) for the penalty": lambda x: mean_precision(x) * math.exp(x.n - x.stats["reference_length"]),
    r"Rewarded a long candidate": lambda x: mean_precision(x) * math.exp(1 - x.stats["reference_length"] / x.n),
    r"Punished a long candidate": lambda x: mean_precision(x) * math.exp(1 - x.n / x.stats["reference_length"]),
    r"Took the arithmetic mean of the precisions": lambda x: x.brevity * sum(precisions(x)) / len(precisions(x)),
    r"Forgot the root: the product of (\d+) precisions": lambda x, n: x.brevity * math.prod(precisions(x)[: int(n)]),
    r"Counted only single words": lambda x: x.brevity * x.parts["precision_1"],
    r"Counted only the (\d+)-grams": lambda x, n: x.brevity * x.parts[f"precision_{n}"],
    r"Divided every order by the (\d+) words?": lambda x, c: bleu_of(
        x, lambda n: x.stats[f"match_{n}"], lambda n: int(c)
    ),
    r"Counted a repeated n-gram too often": lambda x: bleu_of(
        x, lambda n: unclipped_matches(x, n), lambda n: x.n - n + 1
    ),
    r"Divided by the reference's n-grams": lambda x: bleu_of(
        x, lambda n: x.stats[f"match_{n}"], lambda n: x.lengths[0] - n + 1
    ),
    r"Took ([\d.]+) for r: ": lambda x, r: mean_precision(x) * bleu_brevity_penalty(x.n, exact_length(x, r)),
}


def exact_length(x: ScoreFacts, said: str) -> float:
    """Return the exact length, of one reference or of several, that a slip's sentence rounds to `said`."""
    known = [*x.lengths, x.mean, sum(x.lengths)]
    return min(known, key=lambda length: abs(length - float(said)))


def nist_brevity_penalty(c: float, r: float) -> float:
    return 1.0 if c >= r else 0.5 ** (math.log(r / c, 1.5) ** 2)


def nist_of(x: ScoreFacts, total: Any) -> float:
    orders = range(1, x.settings.max_order + 1)
    return x.brevity * sum([x.stats[f"information_{n}"] / total(n) if total(n) > 0 else 0.0 for n in orders])


NIST = {
    r"Took the natural logarithm": lambda x: x.score * math.log(2),
    r"Took the logarithm to base 10": lambda x: x.score / math.log2(10),
    r"Forgot the brevity penalty": lambda x: x.score / x.brevity,
    r"Took BLEU's brevity penalty": lambda x: x.score / x.brevity * bleu_brevity_penalty(x.n, x.mean),
    r"Forgot to square d": lambda x: x.score / x.brevity * 0.5 ** math.log(x.mean / x.n, 1.5),
    r"Took the mean of the (\d+) orders": lambda x, n: x.score / int(n),
    r"Counted only single words": lambda x: x.brevity * x.parts["information_1"],
    r"Divided every order by the (\d+) words?": lambda x, c: nist_of(x, lambda n: int(c)),
    r"Counted every match as 1": lambda x: (
        x.brevity
        * sum([len(layer.marks) / max(x.n - n, 1) for n, layer in enumerate(x.result.layers[: x.settings.max_order])])
    ),
    r"Forgot to divide": lambda x: nist_of(x, lambda n: 1),
    r"Took (\d+) for r": lambda x, r: x.score / x.brevity * nist_brevity_penalty(x.n, int(r)),
    r"Divided by the n-grams of a reference": lambda x: nist_of(x, lambda n: x.mean - n + 1),
}


def f_of_counts(x: ScoreFacts, ours: Any, total: Any = None) -> float:
    """Return F of the counts `ours(k)` for the references `k` that decide P and R, divided by `total`.

    `total` is a pair; None means the totals in the result's statistics."""
    p, r = x.pair
    below = (x.stats["candidate_total"], x.stats["reference_total"]) if total is None else total
    return x.f_of_shares(ours(p), ours(r), *below)


def longest_run(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    return max([n for n in range(min(len(a), len(b)) + 1) if {*ngrams(a, n)} & {*ngrams(b, n)}], default=0)


ROUGE_N = WITH_BETA | {
    r"Counted a (?:word|\d+-gram) twice": lambda x: f_of_counts(
        x, lambda k: unclipped_matches(x, x.settings.order, [k])
    ),
    r"Divided by the (\d+) and (\d+) words": lambda x, n, m: x.f_of_shares(
        x.stats["precision_match"], x.stats["recall_match"], int(n), int(m)
    ),
    r"Counted single words: this is about": lambda x: x.with_settings(order=1),
}
ROUGE_L = WITH_BETA | {
    r"Counted all (?:\d+ and )?\d+ words? in common": lambda x: f_of_counts(x, x.count_common_words),
    r"Counted only the longest run": lambda x: f_of_counts(x, lambda k: longest_run(x.words, x.references[k])),
    r"One too few": lambda x: x.f_of_shares(
        x.stats["precision_match"] - 1,
        x.stats["recall_match"] - 1,
        x.stats["candidate_total"],
        x.stats["reference_total"],
    ),
}


def count_pairs_in_either_order(x: ScoreFacts, k: int) -> int:
    ours, theirs = (
        Counter([frozenset(Counter(pair).items()) for pair in combinations(words, 2)])
        for words in (x.words, x.references[k])
    )
    return (ours & theirs).total()


ROUGE_S = WITH_BETA | {
    r"Divided by (\d+) and (\d+) words: n words have": lambda x, n, m: x.f_of_shares(
        x.stats["precision_match"], x.stats["recall_match"], int(n), int(m)
    ),
    r"Divided by n\(n − 1\)": lambda x: x.score / 2,
    r"Counted pairs in either order": lambda x: f_of_counts(x, lambda k: count_pairs_in_either_order(x, k)),
    r"Counted single words too": lambda x: x.with_settings(unigrams=True),
    r"Forgot the window": lambda x: x.with_settings(max_skip=None),
    r"Window too wide by one: a pair may have (\d+)": lambda x, d: x.with_settings(max_skip=int(d) + 1),
    r"Window too narrow by one: a pair may have ([\d,]+)": lambda x, d: x.with_settings(
        max_skip=int(d.replace(",", "")) - 1
    ),
    r"Forgot the single words": lambda x: x.with_settings(unigrams=False),
    r"Counted only pairs of neighbours": lambda x: x.with_settings(max_skip=0, unigrams=False),
}


def wlcs_f(x: ScoreFacts, p_total: float, r_total: float, power: float) -> float:
    p, r = (x.stats["precision_match"] / p_total) ** power, (x.stats["recall_match"] / r_total) ** power
    return f_score(p, r, x.beta(p, r))


ROUGE_W = WITH_BETA | {
    r"Forgot the root": lambda x: wlcs_f(x, x.stats["candidate_total"], x.stats["reference_total"], 1),
    r"Divided by the lengths (\d+) and (\d+), not by their powers, and took no root": lambda x, n, m: wlcs_f(
        x, int(n), int(m), 1
    ),
    r"Divided by the lengths (\d+) and (\d+), not by their powers of": lambda x, n, m: wlcs_f(
        x, int(n), int(m), 1 / x.settings.weight
    ),
    r"Counted the words of the sequence as one run": lambda x: x.f_of_shares(
        *[sum([r.length for a in x.result.layers if a.k == k for r in a.marks]) for k in x.pair],  # type: ignore
        x.n,
        x.lengths[x.pair[1]],
    ),
}

# ---------------------------------------------------------------- blocks and order


def gtm_score(x: ScoreFacts, size: float, m: float | None = None) -> float:
    return f_score(size / x.n, size / (x.mean if m is None else m))


def first_runs(x: ScoreFacts) -> list[Run]:
    """Return the runs of the result's first layer."""
    return [run for run in x.result.layers[0].marks if isinstance(run, Run)]


def gtm_runs(x: ScoreFacts) -> list[float]:
    return [run.length for run in first_runs(x)]


def gtm_uncapped_size(x: ScoreFacts) -> float:
    """Return GTM's match size if its last run is not cut off by the cap.

    The run then goes on up to a word that another run uses."""
    *others, last = first_runs(x)
    rows = {i for run in others for i in range(run.i, run.i + int(run.length))}
    columns = {(run.k, j) for run in others for j in range(run.j, run.j + int(run.length))}
    length = 0
    for i, j in zip(range(last.i, x.n), range(last.j, x.lengths[last.k]), strict=False):
        if x.words[i] != x.references[last.k][j] or i in rows or (last.k, j) in columns:
            break
        length += 1
    e = x.settings.exponent
    return sum([run.length**e for run in others] + [length**e]) ** (1 / e)


GTM = F | {
    r"Forgot the root": lambda x: gtm_score(x, sum([length**x.settings.exponent for length in gtm_runs(x)])),
    r"Forgot the exponent": lambda x: gtm_score(x, sum(gtm_runs(x))),
    r"Counted only the longest run": lambda x: gtm_score(x, max(gtm_runs(x))),
    r"Forgot the cap": lambda x: gtm_score(x, gtm_uncapped_size(x)),
    r"Divided by all (\d+) words of the references": lambda x, m: gtm_score(x, x.parts["match_size"], int(m)),
    r"Counted all (\d+) hits": lambda x, hits: gtm_score(x, int(hits) ** (1 / x.settings.exponent)),
}


def sia_with_credit(x: ScoreFacts, credit: Any, start: int = -1) -> float:
    """Return SIA's score with `credit(down, right)` for each matched cell, as if all similarities were 1.

    `down` and `right` are the distances from the cell before it in its round; the first cell's are from (`start`,
    `start`)."""
    total = 0.0
    for layer in x.result.layers:
        last = (start, start)
        for cell in layer.cells():
            down, right = max(cell.i - last[0], 1), max(cell.j - last[1], 1)
            total += layer.weight * credit(down, right)
            last = (cell.i, cell.j)
    return x.parts["length_penalty"] * total / x.n


def sia_rounds(x: ScoreFacts) -> list[float]:
    return [value for name, value in x.parts.items() if name.startswith("round_")]


SIA = {
    r"Counted the first round fully": lambda x: x.score / x.settings.decay,
    r"Forgot the decay": lambda x: x.parts["length_penalty"] * sum(sia_rounds(x)),
    r"Multiplied every round by ([\d.]+):": lambda x, a: (
        x.parts["length_penalty"] * x.settings.decay * sum(sia_rounds(x))
    ),
    r"Stopped after the first round: there are (\d+)": lambda x, n: (
        x.parts["length_penalty"] * x.settings.decay * x.parts["round_1"] if int(n) == len(sia_rounds(x)) else math.nan
    ),
    r"Forgot the length penalty": lambda x: x.score / x.parts["length_penalty"],
    r"Divided by the reference(?:s' mean of|'s) ": lambda x: x.score * x.n / x.mean,
    r"Measured the first gap from the first words": lambda x: sia_with_credit(x, lambda d, r: 1 / math.sqrt(d * r), 0),
    r"Forgot the root": lambda x: sia_with_credit(x, lambda d, r: 1 / (d * r)),
    r"Forgot the gaps": lambda x: sia_with_credit(x, lambda d, r: 1),
    r"Took the mean of the two gaps": lambda x: sia_with_credit(x, lambda d, r: 2 / (d + r)),
}


def dcs_sums(x: ScoreFacts) -> tuple[float, float]:
    follow = [pair for pair in x.result.layers[1].marks if isinstance(pair, Neighbours)]
    return sum([run.length**2 for run in first_runs(x)]), sum([p.first.length * p.second.length for p in follow])


def dcs_any_neighbours(x: ScoreFacts) -> float:
    """Return the sum of products of lengths of blocks that are neighbours in the candidate but not in the reference."""
    own = [(p.first, p.second) for p in x.result.layers[1].marks if isinstance(p, Neighbours)]
    return sum([a.length * b.length for a, b in pairwise(first_runs(x)) if (a, b) not in own])


DCS = {
    r"Forgot the root": lambda x: sum(dcs_sums(x)) / math.sqrt(x.n * x.m),
    r"That is cs1": lambda x: math.sqrt(dcs_sums(x)[0] / (x.n * x.m)),
    r"Added cs1 and cs2": lambda x: sum([math.sqrt(part / (x.n * x.m)) for part in dcs_sums(x)]),
    r"That is cs2": lambda x: math.sqrt(dcs_sums(x)[1] / (x.n * x.m)),
    r"Counted the neighbours twice": lambda x: math.sqrt((dcs_sums(x)[0] + 2 * dcs_sums(x)[1]) / (x.n * x.m)),
    r"Multiplied blocks that do not follow": lambda x: math.sqrt(
        (dcs_sums(x)[0] + dcs_any_neighbours(x)) / (x.n * x.m)
    ),
    r"Divided by the candidate's (\d+) words?: dcs": lambda x, n: math.sqrt(sum(dcs_sums(x))) / int(n),
    r"Divided by (?:the reference|reference \d)'s (\d+) words?: dcs": lambda x, m: math.sqrt(sum(dcs_sums(x))) / int(m),
    r"Divided by the mean of the two lengths": lambda x: math.sqrt(sum(dcs_sums(x))) / ((x.n + x.m) / 2),
    r"Divided by n·m": lambda x: math.sqrt(sum(dcs_sums(x))) / (x.n * x.m),
    r"That is cs0": lambda x: x.parts["cs0"],
    r"Counted the words of the blocks": lambda x: sum([run.length for run in first_runs(x)]) / math.sqrt(x.n * x.m),
}


def meteor_f(x: ScoreFacts) -> float:
    a = x.settings.alpha
    return x.p * x.r / (a * x.p + (1 - a) * x.r)


def meteor_with(x: ScoreFacts, fragmentation: float, gamma: float | None = None, beta: float | None = None) -> float:
    g, b = x.settings.gamma if gamma is None else gamma, x.settings.beta if beta is None else beta
    return meteor_f(x) * (1 - g * fragmentation**b)


METEOR = {
    r"Forgot the penalty": meteor_f,
    r"Multiplied by the penalty": lambda x: meteor_f(x) * x.parts["penalty"],
    r"Forgot γ": lambda x: meteor_with(x, x.parts["fragmentation"], gamma=1),
    r"Forgot β": lambda x: meteor_with(x, x.parts["fragmentation"], beta=1),
    r"Counted the breaks between chunks: there are (\d+) chunks|Counted the breaks between chunks": lambda x, *_: (
        meteor_with(x, (x.parts["chunks"] - 1) / x.stats["matches"])
    ),
    r"Divided the chunks by the candidate's words": lambda x: meteor_with(x, x.parts["chunks"] / x.n),
    r"Counted a penalty": lambda x: meteor_with(x, 1 / x.stats["matches"]),
    r"Took the plain harmonic mean": lambda x: f_score(x.p, x.r) * (1 - x.parts["penalty"]),
    r"Swapped α": lambda x: (
        x.p * x.r / (x.settings.alpha * x.r + (1 - x.settings.alpha) * x.p) * (1 - x.parts["penalty"])
    ),
    r"Took P for F": lambda x: x.p * (1 - x.parts["penalty"]),
    r"Took R for F": lambda x: x.r * (1 - x.parts["penalty"]),
    r"Took the arithmetic mean of P and R": lambda x: (x.p + x.r) / 2 * (1 - x.parts["penalty"]),
    r"Left out the words that match by their stems": lambda x: x.with_settings(stages=("exact",)),
}


def ribes_of(
    x: ScoreFacts, kendall: float | None = None, alpha: float | None = None, beta: float | None = None
) -> float:
    a, b = x.settings.alpha if alpha is None else alpha, x.settings.beta if beta is None else beta
    order = x.parts["kendall"] if kendall is None else kendall
    return order * x.parts["precision"] ** a * x.brevity**b


RIBES = {
    r"Took τ as it is": lambda x: ribes_of(x, 2 * x.parts["kendall"] - 1),
    r"Took the share of the discordant pairs": lambda x: ribes_of(x, 1 - x.parts["kendall"]),
    r"Forgot the precision": lambda x: ribes_of(x, alpha=0),
    r"Forgot α: ": lambda x: ribes_of(x, alpha=1),
    r"Forgot the brevity penalty": lambda x: ribes_of(x, beta=0),
    r"Forgot β: ": lambda x: ribes_of(x, beta=1),
    r"That is kendall alone": lambda x: x.parts["kendall"],
    r"Forgot α and β": lambda x: ribes_of(x, alpha=1, beta=1),
    r"Divided by all pairs of the candidate": lambda x: ribes_of(x, x.stats["concordant"] / math.comb(x.n, 2)),
    r"Divided the aligned words by (?:the reference|reference \d)'s (\d+)": lambda x, m: (
        x.score * (x.n / int(m)) ** x.settings.alpha
    ),
}

# ---------------------------------------------------------------- edits


def per_edits(x: ScoreFacts) -> int:
    return max(x.n, x.m) - x.count_common_words(x.k)


CHRF = WITH_BETA | {
    r"Took one F of the mean precision": lambda x: x.with_settings(eps_smoothing=False),
    r"Took the mean of the F of each order": lambda x: sum(f_of_each_order(x)) / len(f_of_each_order(x)),
    r"Added up the n-grams of all orders": f_of_summed_counts,
    r"Counted the spaces": lambda x: x.with_settings(whitespace=True),
    r"Left the spaces out": lambda x: x.with_settings(whitespace=False),
    r"Counted only single letters": lambda x: x.with_settings(char_order=1),
    r"Left the words out": lambda x: x.with_settings(word_order=0),
    r"Counted an n-gram too often": chrf_of_unclipped_counts,
}
WER = EDITS | {
    r"Divided by the references' mean of [\d.]+ words?: use the length of the reference that counts": lambda x: (
        x.score * (x.m or 1) / (x.mean or 1)
    ),
    r"That is PER": lambda x: per_edits(x) / (x.m or 1),
}
PER = UNDIVIDED | {
    r"That is the share of (?:the reference|reference \d)'s (\d+) words?": lambda x, m: (
        x.count_common_words(x.k) / int(m)
    ),
    r"Forgot the insertions": lambda x: (x.m - x.count_common_words(x.k)) / (x.m or 1),
    r"Divided by the longer sentence": lambda x: per_edits(x) / max(x.n, x.m),
    r"Forgot the deletions": lambda x: (x.n - x.count_common_words(x.k)) / (x.m or 1),
    r"Divided by the candidate's (\d+) words?": lambda x, n: per_edits(x) / int(n),
    r"Counted a substitution as two edits": lambda x: (x.n + x.m - 2 * x.count_common_words(x.k)) / (x.m or 1),
    r"Counted a repeated word twice": lambda x: (max(x.n, x.m) - sum([word in x.one for word in x.words])) / (x.m or 1),
    r"That is WER": lambda x: x.wer() / (x.m or 1),
    r"Divided by the references' mean": lambda x: per_edits(x) / (x.mean or 1),
}
TER = EDITS | {
    r"Counted shifts as 0": lambda x: error_rate_without(x, "shifts"),
    r"Counted every word that moves": lambda x: (
        error_rate_without(x, "shifts")
        + sum([mark.end - mark.start for layer in x.result.layers[:-4] for mark in layer.marks]) / x.mean  # type: ignore
    ),
    r"That is without shifts, as WER counts": lambda x: x.wer() / (x.mean or 1),
    r"Divided by the (\d+) words? of one reference": lambda x, m: error_rate_without(x) * x.mean / int(m),
}

RECIPES = {
    key: ALL | of | ({PER_CENT: lambda x: 100 * x.score} if key != "nist" else {})  # NIST is in bits, not a share
    for key, of in zip(
        TAUGHT,
        (BLEU, CHRF, NIST, ROUGE_N, ROUGE_L, ROUGE_W, ROUGE_S, GTM, SIA, DCS, METEOR, RIBES, WER, PER, TER),
        strict=True,
    )
}
