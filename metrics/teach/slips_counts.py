"""The slips that are made with counts of n-grams and of edits: of BLEU, NIST, WER, PER and TER.

Each function yields numbers with the sentences that name the slips behind them, as in `slips_matches`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ..alignment.edits import nearest
from ..formula import number_of, shown
from ..types import Metric, Result, Shift
from .slips_matches import Found, in_common, mean_words, ngrams, who


def _words(count: float) -> str:
    return number_of(count, "word").text()


def _orders(result: Result) -> int:
    return int(result.settings.to_dict()["max_order"])


def _mean(values: list[float]) -> float:
    """The geometric mean; 0 where one of them is 0."""
    return math.prod(values) ** (1 / len(values)) if values and all(values) else 0.0


def _brevity(c: float, r: float) -> float:
    return 1.0 if c >= r else math.exp(1 - r / c) if c else 0.0


def bleu(metric: Metric, result: Result) -> Found:
    stats, parts, orders = result.stats, result.parts, _orders(result)
    c, r, penalty = stats["candidate_length"], stats["reference_length"], result.parts["brevity_penalty"]
    precisions = [parts[f"precision_{n}"] for n in range(1, orders + 1)]
    if not result.score:
        return
    mean = _mean(precisions)
    if penalty < 1:
        theirs = "reference" if len(result.segment.references) == 1 else "reference of the closest length"
        yield mean, f"Forgot the brevity penalty: the candidate has {shown(c)} words, the {theirs} {shown(r)}."
        yield mean * math.exp(1 - c / r), "Turned r/c round: the penalty is exp(1 − r/c)."
        yield mean * c / r, "Took c/r for the penalty: it is exp(1 − r/c)."
        yield mean * math.exp(c - r), "Took exp(c − r) for the penalty: it is exp(1 − r/c)."
    elif c > r > 0:
        yield mean * math.exp(1 - r / c), "Rewarded a long candidate: the penalty is at most 1."
        yield mean * math.exp(1 - c / r), "Punished a long candidate: where c is at least r, the penalty is 1."
    if orders > 1:
        yield (
            penalty * math.fsum(precisions) / orders,
            "Took the arithmetic mean of the precisions: BLEU takes the root of their product.",
        )
        yield (
            penalty * math.prod(precisions),
            f"Forgot the root: the product of {orders} precisions is taken to the power of 1/{orders}.",
        )
        yield penalty * precisions[0], "Counted single words alone: longer n-grams count as well."
        yield penalty * precisions[-1], f"Counted the {orders}-grams alone: shorter ones count as well."
        flat = _mean([stats[f"match_{n}"] / c for n in range(1, orders + 1)])
        yield penalty * flat, f"Divided every order by the {_words(c)}: there is one n-gram fewer for each order."
    yield from _of_clipping(result, precisions, penalty)
    yield from _of_lengths(result, mean)


def _of_clipping(result: Result, precisions: list[float], penalty: float) -> Found:
    candidate, references = result.segment
    unclipped = []
    for n in range(1, len(precisions) + 1):
        known = {ngram for reference in references for ngram in ngrams(reference, n)}
        ours = ngrams(candidate, n)
        unclipped.append(sum([ngram in known for ngram in ours]) / len(ours) if ours else 0.0)
    if any(a > b + 1e-9 for a, b in zip(unclipped, precisions, strict=True)):
        yield (
            penalty * _mean(unclipped),
            "Counted a repeated n-gram too often: it counts as often as a reference has it.",
        )


def _of_lengths(result: Result, mean: float) -> Found:
    """Recall for precision, and the length of the wrong reference."""
    stats, references = result.stats, result.segment.references
    c, r = stats["candidate_length"], stats["reference_length"]
    lengths = [*map(len, references)]
    if len(references) == 1 and lengths[0] != c:
        orders = _orders(result)
        recalls = [_share(stats[f"match_{n}"], lengths[0] - n + 1) for n in range(1, orders + 1)]
        said = f"Divided by the reference's n-grams: the precisions divide by those of the candidate's {_words(c)}."
        yield result.parts["brevity_penalty"] * _mean(recalls), said
    why = f"the reference whose length is closest to {shown(c)} has {_words(r)}"
    if (also := 2 * c - r) != r and also in lengths:
        why = f"{shown(r)} and {shown(also)} are equally close to {shown(c)}, and then the shorter length counts"
    for other in dict.fromkeys([*lengths, math.fsum(lengths) / len(lengths), sum(lengths)]):
        if other != r and _brevity(c, other) != _brevity(c, r):
            yield _brevity(c, other) * mean, f"Took {shown(other)} for r: {why}."


def _share(count: float, of: float) -> float:
    return count / of if of > 0 else 0.0


def nist(metric: Metric, result: Result) -> Found:
    stats, parts, orders = result.stats, result.parts, _orders(result)
    c, r, penalty, score = stats["candidate_length"], stats["reference_length"], parts["brevity_penalty"], result.score
    if not score:
        return
    yield score * math.log(2), "Took the natural logarithm: information is counted in bits, with log₂."
    yield score * math.log10(2), "Took the logarithm to base 10: information is counted in bits, with log₂."
    if penalty < 1:
        theirs = mean_words(result, r)
        yield score / penalty, f"Forgot the brevity penalty: the candidate has {_words(c)}, fewer than {theirs}."
        yield score / penalty * math.exp(1 - r / c), "Took BLEU's brevity penalty: NIST has 0.5 to the power of d²."
        d = math.log(r / c, 1.5)
        yield score / penalty * 0.5**d, "Forgot to square d: the penalty is 0.5 to the power of d²."
    information = math.fsum([stats[f"information_{n}"] for n in range(1, orders + 1)])
    if orders > 1:
        yield score / orders, f"Took the mean of the {orders} orders: NIST adds them up."
        yield (
            penalty * parts["information_1"],
            "Counted single words alone: the information of longer n-grams is added.",
        )
        yield (
            penalty * information / c,
            f"Divided every order by the {_words(c)}: there is one n-gram fewer for each order.",
        )
    matches = [len(result.layers[n].marks) for n in range(min(orders, len(result.layers)))]
    shares = [_share(count, stats[f"total_{n}"]) for n, count in enumerate(matches, 1)]
    yield penalty * math.fsum(shares), "Counted every match as 1: a match counts its information in bits."
    yield penalty * information, "Forgot to divide: each order divides by the number of the candidate's n-grams."
    lengths = [*map(len, result.segment.references)]
    for other in dict.fromkeys([*lengths, sum(lengths)]):
        wrong = 0.5 ** (math.log(max(other / c, 1), 1.5) ** 2)
        if abs(wrong - penalty) > 1e-9:
            yield score / penalty * wrong, f"Took {other} for r: NIST takes the references' mean of {_words(r)}."
    recalls = [_share(stats[f"information_{n}"], r - n + 1) for n in range(1, orders + 1)]
    yield penalty * math.fsum(recalls), "Divided by the n-grams of a reference: each order divides by the candidate's."


# ---------------------------------------------------------------- edits


def _of_edits(metric: Metric, result: Result, shifts: float, m: float) -> Found:
    """What WER and TER have in common; m is what they divide by: one reference's length, in TER the mean of all."""
    s, i, d = (result.stats[k] for k in ("substitutions", "insertions", "deletions"))
    n, reference = len(result.segment.candidate), who(result, result.decides["score"])
    mean = metric.key == "ter" and len(result.segment.references) > 1
    by = f"{metric.label if mean else 'an error rate'} divides by "
    by += mean_words(result, m) if mean else f"{reference}'s {shown(m)}"
    total = s + i + d + shifts
    if n:
        yield total / n, f"Divided by the candidate's {_words(n)}: {by}."
    if s:
        yield (total + s) / m, "Counted a substitution as two edits: one word changed is one edit."
        yield (total - s) / m, "Forgot the substitutions: a word that is changed is an edit."
    if i:
        yield (total - i) / m, f"Forgot the insertions: the candidate has {_words(i)} too many."
    if d:
        yield (total - d) / m, f"Forgot the deletions: the candidate lacks {_words(d)} of {reference}."
    yield 1 - total / m, "That is the share without errors: an error rate counts what is wrong."
    if n > m:
        yield total / n, f"Divided by the longer sentence: {by}."


def wer(metric: Metric, result: Result) -> Found:
    stats = result.stats
    s, i, d, m = (stats[k] for k in ("substitutions", "insertions", "deletions", "reference_length"))
    n, k = len(result.segment.candidate), result.decides["score"]
    yield from _of_edits(metric, result, 0, m or 1)
    common = in_common(result.segment.candidate, result.segment.references[k])
    if max(n, m) - common != s + i + d:
        yield (max(n, m) - common) / (m or 1), "That is PER, which does not ask for the order."
    yield from _of_mean_length(result, s + i + d)


def _of_mean_length(result: Result, edits: float) -> Found:
    lengths = [*map(len, result.segment.references)]
    if len(lengths) > 1:
        mean = math.fsum(lengths) / len(lengths) or 1
        yield (
            edits / mean,
            f"Divided by the references' mean of {_words(mean)}: the one that counts has its own length.",
        )


def per(metric: Metric, result: Result) -> Found:
    stats = result.stats
    common, n, m = stats["common"], stats["candidate_length"], stats["reference_length"] or 1
    longer, k = stats["longer_length"], result.decides["score"]
    reference = who(result, k)
    yield (
        common / m,
        f"That is the share of {reference}'s {_words(m)} that are found: an error rate counts what is wrong.",
    )
    if n > m:
        yield (m - common) / m, f"Forgot the insertions: the candidate has {_words(n - m)} more than {reference}."
        yield (
            (longer - common) / longer,
            f"Divided by the longer sentence: an error rate divides by {reference}'s {shown(m)}.",
        )
    if m > n:
        yield (n - common) / m, f"Forgot the deletions: the candidate has {_words(m - n)} fewer than {reference}."
    if n:
        yield (
            (longer - common) / n,
            f"Divided by the candidate's {_words(n)}: an error rate divides by {reference}'s {shown(m)}.",
        )
    if common < min(n, m):
        twice = n + m - 2 * common
        yield twice / m, "Counted a substitution as two edits: a word too many and one too few pair up."
    candidate, theirs = result.segment.candidate, result.segment.references[k]
    hits = sum([word in theirs for word in candidate])
    if hits != common:
        yield (longer - hits) / m, f"Counted a repeated word twice: it is found as often as {reference} has it."
    errors = nearest(result.segment._replace(references=(theirs,)))[1]
    if errors != longer - common:
        yield errors / m, "That is WER, which asks for the order; PER does not."
    yield from _of_mean_length(result, longer - common)


def ter(metric: Metric, result: Result) -> Found:
    stats = result.stats
    shifts, m, edits = stats["shifts"], stats["reference_length"] or 1, result.parts["edits"]
    if shifts:
        yield (edits - shifts) / m, "Counted shifts as 0: a block that moves is one edit."
        moved = sum([len(mark.rows) for layer in result.layers for mark in layer.marks if isinstance(mark, Shift)])
        if moved > shifts:
            yield (edits - shifts + moved) / m, "Counted every word that moves: a whole block moves in one edit."
        k = result.decides["score"]
        reference = result.segment.references[k]
        errors = nearest(result.segment._replace(references=(reference,)))[1]
        yield errors / m, "That is without shifts, as WER counts: a block that moves is one edit."
    yield from _of_edits(metric, result, shifts, m)
    references = result.segment.references
    if len(references) > 1:
        own = len(references[result.decides["score"]]) or 1
        yield edits / own, f"Divided by the {_words(own)} of one reference: TER divides by the mean of all, {shown(m)}."


OF_COUNTS: Mapping[str, Callable[[Metric, Result], Found]] = {
    "bleu": bleu,
    "nist": nist,
    "wer": wer,
    "per": per,
    "ter": ter,
}
