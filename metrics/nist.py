"""N-grams count by the information they carry, so rare words count more than common ones.

NIST matches the same n-grams as BLEU, clipped in the same way, but weighs each by its information: how many bits it
takes to guess its last word from the words before. This is read off the references. A last word that always follows
those before it counts 0 bits; one that follows them half of the time counts 1 and a quarter of the time 2. What is
counted are all references of the corpus, for one sentence alone only its own.

    information = log₂(count of the n-gram without its last word / count of the n-gram)
    information of a single word = log₂(number of all words / count of the word)
    I_n = information of the matching n-grams, clipped / all n-grams of the candidate
    BP = 1 if c ≥ r, else 0.5^d², d = log₁.₅(r/c)
    NIST = BP · (I_1 + I_2 + … + I_N)

Here c is the length of the candidate and r the mean length of the references; the penalty is 0.5 for a candidate of
two thirds of r. The averages I_n are added, not multiplied, so an order without a match takes nothing away from the
others. A score has no upper end: it is in bits, and the longer and the more varied the references, the higher it can
be. Scores of different texts cannot be compared.

Rewards: rare words and surprising continuations, where BLEU counts an article as much as a name. Most of a score
comes from single words: longer n-grams are mostly easy to guess from their first words, and then count little.

Cannot see: where an n-gram stands, nor what a word means. And of one sentence alone it cannot tell a rare word from a
common one: against "the cat sat" each of the three words counts 1.585 bits. Only a corpus tells names from articles.

Source: Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics,
HLT. The values are those of mteval-v13a.

>>> from metrics import score
>>> r = score("nist", "the cat slept".split(), ["the cat sat".split()])
>>> round(r.score, 4), [round(c, 4) for c in r.layers[0].credits]
(1.0566, [1.585, 1.585])
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

from .formula import Expr, Log, Number, Power, Product, Quotient, Step, Sum, Terms, step
from .ngrams import Occurrences, clipping, ngrams
from .types import Alignment, Layer, Metric, Result, Run, Score, Segment, Settings, Tokens, about, first_line, setting

MOST = 12


@dataclass(frozen=True, slots=True)
class NISTSettings(Settings):
    max_order: int = setting(
        5, "whole", "Longest n-grams", "1 counts words, 2 words and pairs, 5 is usual.", least=1, most=MOST
    )


class _Names(NamedTuple):
    """What the things of one order are called: the statistic and the part share a name."""

    layer: str
    information: str
    total: str


_NAMES = tuple([_Names(f"{n}-grams", f"information_{n}", f"total_{n}") for n in range(1, MOST + 1)])


def _totals(segment: Segment, settings: NISTSettings) -> dict[str, float]:
    """The statistics that need no matches: lengths, and the numbers of n-grams; no information yet."""
    candidate, references = segment
    n = len(candidate)
    stats = {"candidate_length": n, "reference_length": sum(map(len, references)) / len(references)}
    for order, names in enumerate(_NAMES[: settings.max_order]):
        stats[names.information] = 0.0
        stats[names.total] = n - order if n > order else 0
    return stats


class _Tally(NamedTuple):
    """For every n-gram of one order its places, how often the references have it and how often its first words.

    Both numbers are 0 where it does not match.
    """

    places: list[int]
    counts: list[int]
    before: list[int]


def _tallies(
    segment: Segment, occurrences: Occurrences, most: int, corpus: Mapping[Tokens, int] | None = None
) -> Iterator[_Tally]:
    """The tallies of all orders that the candidate has; `corpus` has the counts if not the segment's own references."""
    candidate, references = segment
    before = [corpus[()] if corpus else sum(map(len, references))] * len(candidate)
    for order, places in enumerate(occurrences.orders(most), 1):
        if corpus:
            counts = [corpus[candidate[i : i + order]] if mask else 0 for i, mask in enumerate(places)]
        else:
            counts = [*map(int.bit_count, places)]
        yield _Tally(places, counts, before)
        before = counts


def _statistics(
    segment: Segment, settings: NISTSettings, corpus: Mapping[Tokens, int] | None = None
) -> dict[str, float]:
    """The statistics without marks."""
    stats, occurrences = _totals(segment, settings), Occurrences(*segment)
    tallies = _tallies(segment, occurrences, settings.max_order, corpus)
    again = True  # whether the candidate may have a matching n-gram more than once: only such a one can be clipped
    for names, (places, counts, before) in zip(_NAMES, tallies, strict=False):
        if again:
            found = [mask for mask in places if mask]
            again = len({*found}) < len(found)
        if again:
            counts = counts[:]
            left = occurrences.clipped(places)
            for i, mask in enumerate(places):
                if left[mask]:
                    left[mask] -= 1
                else:
                    counts[i] = 0
        shares = [log2(b / c) for b, c in zip(before, counts, strict=False) if c and b != c]
        stats[names.information] = math.fsum(shares)
    return stats


def _align(segment: Segment, settings: NISTSettings, marks: bool) -> Alignment:
    if not marks:
        return Alignment(_statistics(segment, settings), (), {})
    stats, occurrences = _totals(segment, settings), Occurrences(*segment)
    tallies = _tallies(segment, occurrences, settings.max_order)
    layers = []
    for names, runs in zip(_NAMES, occurrences.drawn(settings.max_order), strict=False):
        _, counts, before = next(tallies, _NOTHING)
        credits = tuple([log2(before[i] / counts[i]) for i, _, _, _ in runs])
        stats[names.information] = math.fsum(credits)
        layers.append(Layer(names.layer, tuple(runs), credits, 1.0, (names.information,)))
    return Alignment(stats, tuple(layers), {})


_NOTHING = _Tally([], [], [])


def _corpus(segments: Sequence[Segment], settings: NISTSettings) -> Iterator[dict[str, float]]:
    """The statistics of all segments, with the information of all references of the corpus."""
    counts: Counter[Tokens] = Counter()
    for _, references in segments:
        for reference in references:
            counts[()] += len(reference)
            for order in range(1, min(settings.max_order, len(reference)) + 1):
                counts.update(ngrams(reference, order))
    return (_statistics(segment, settings, counts) for segment in segments)


def _from_stats(stats: Mapping[str, float], settings: NISTSettings) -> Score:
    parts = {}
    for names in _NAMES[: settings.max_order]:
        total = stats[names.total]
        parts[names.information] = stats[names.information] / total if total else 0.0
    information = math.fsum(parts.values())
    c, r = stats["candidate_length"], stats["reference_length"]
    parts["brevity_penalty"] = penalty = 1.0 if c >= r else 0.5 ** (math.log(r / c, 1.5) ** 2) if c else 0.0
    return Score(penalty * information, parts)


def _formula(result: Result) -> tuple[Step, ...]:
    settings, stats, segment = result.settings, result.stats, result.segment
    assert isinstance(settings, NISTSettings)
    steps: list[Step] = []
    for n, tally in enumerate(_tallies(segment, Occurrences(*segment), settings.max_order)):
        shares = [
            Log(Quotient(Number(tally.before[run.i]), Number(tally.counts[run.i])), 2)
            for run in result.layers[n].marks
            if isinstance(run, Run)
        ]
        names = _NAMES[n]
        total = Number(stats[names.total])
        information = Number(stats[names.information])
        steps.append(step(f"I_{n + 1}", Quotient(Terms(n, shares), total), Quotient(information, total)))
    information_of_all: Expr = Sum(*[order.symbol() for order in steps]) if steps else Number(0)
    c, r = stats["candidate_length"], stats["reference_length"]
    if 0 < c < r:
        d = step("d", Log(Quotient(Number(r), Number(c)), 1.5))
        steps += [d, step("BP", Power(Number(0.5, 1), Power(d.symbol(), Number(2))), beside=True)]
    else:
        steps.append(step("BP", Number(0 if c < r else 1)))
    return *steps, step("NIST", Product(steps[-1].symbol(), information_of_all))


def _summary(result: Result) -> str:
    return f"BP {result.parts['brevity_penalty']:.2f}"


def _remark(result: Result) -> str:
    """Where clipping bit."""
    settings = result.settings
    assert isinstance(settings, NISTSettings)
    return clipping(result.segment, settings.max_order)


METRIC = Metric(
    key="nist",
    label="NIST",
    name="NIST",
    idea=first_line(__doc__),
    about=about(__doc__),
    family="n-grams",
    citation="Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence "
    "Statistics, HLT",
    higher_is_better=True,
    pooling="sum",
    Settings=NISTSettings,
    align=_align,
    from_stats=_from_stats,
    formula=_formula,
    summary=_summary,
    remark=_remark,
    corpus=_corpus,
)
