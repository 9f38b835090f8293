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
from itertools import chain, compress, count, repeat
from math import log2
from typing import NamedTuple

from .formula import Expr, Log, Number, Power, Product, Quotient, Step, Sum, Terms, step
from .ngrams import Occurrences, clipping, repeats
from .types import Alignment, Layer, Metric, Result, Run, Score, Segment, Settings, about, first_line, setting

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
    """For every n-gram of one order how often the references have it and how often its first words.

    Both numbers are 0 where it does not match.
    """

    counts: list[int]
    before: list[int]


def _tallies(segment: Segment, occurrences: Occurrences, most: int) -> Iterator[_Tally]:
    """The tallies of all orders that the candidate has."""
    candidate, references = segment
    before = [sum(map(len, references))] * len(candidate)
    for places in occurrences.orders(most):
        counts = [*map(int.bit_count, places)]
        yield _Tally(counts, before)
        before = counts


def _shares(occurrences: Occurrences, words: int, most: int) -> list[list[float]]:
    """By order the information of the n-grams that count, but for some that carry none; the references have `words`."""
    repeated = {*repeats(occurrences.words)}
    left: dict[tuple[int, int], int] = {}  # by order and places: how many more may count
    following = [*occurrences.words, *[0] * most]
    shares: list[list[float]] = [[] for _ in range(most)]
    orders = [*enumerate(shares, 1)]
    for i, mask in enumerate(occurrences.words):
        before, rest = words, 1
        again = mask in repeated  # whether the candidate may have the n-gram more than once
        for order, found in orders:
            if not mask:
                break
            times = mask.bit_count()
            if again:
                rest = left.get((order, mask), -1)
                if rest < 0:
                    rest = occurrences.most(mask).bit_count()
                left[order, mask] = rest and rest - 1
            if rest and times != before:
                found.append(log2(before / times))
            if times == 1:  # so has every longer one, which carries no information
                break
            before = times
            word = following[i + order]
            mask &= word >> order
            if again:
                again, rest = word in repeated, 1
    return shares


def _align(segment: Segment, settings: NISTSettings, marks: bool) -> Alignment:
    stats, occurrences = _totals(segment, settings), Occurrences(*segment)
    if not marks:
        shares = _shares(occurrences, sum(map(len, segment.references)), settings.max_order)
        for names, found in zip(_NAMES, shares, strict=False):
            stats[names.information] = math.fsum(found)
        return Alignment(stats, (), {})
    tallies = _tallies(segment, occurrences, settings.max_order)
    layers = []
    for names, runs in zip(_NAMES, occurrences.drawn(settings.max_order), strict=False):
        counts, before = next(tallies, _NOTHING)
        credits = tuple([log2(before[i] / counts[i]) for i, _, _, _ in runs])
        stats[names.information] = math.fsum(credits)
        layers.append(Layer(names.layer, tuple(runs), credits, 1.0, (names.information,)))
    return Alignment(stats, tuple(layers), {})


_NOTHING = _Tally([], [])


def _corpus(segments: Sequence[Segment], settings: NISTSettings) -> Iterator[dict[str, float]]:
    """The statistics of all segments, with the information of all references of the corpus.

    A letter stands for each word of a candidate, so that n-grams are parts of strings.
    """
    most = settings.max_order
    letters = dict(zip(dict.fromkeys(chain.from_iterable([c for c, _ in segments])), map(chr, count(1)), strict=False))
    matches = [_matches(segment, letters, most) for segment in segments]
    # Only of n-grams that match somewhere the information is needed.
    counts = [Counter(dict.fromkeys(chain.from_iterable(found), 0)) for found in zip(*matches, strict=True)]
    for _, references in segments:
        text = NO_WORD.join(["".join(map(letters.get, reference, repeat(NO_WORD))) for reference in references])
        starts: Sequence[int] = range(len(text))
        ngrams: Sequence[str] = text
        for longer, known in enumerate(counts, 2):
            matching = [*map(known.__contains__, ngrams)]
            known.update(compress(ngrams, matching))
            # Of a longer n-gram that matches somewhere the first words do too.
            starts = [*compress(starts, matching)]
            ngrams = [text[i : i + longer] for i in starts]
    before = {"": sum([len(reference) for _, references in segments for reference in references])}
    information = {}
    for known in counts:
        information.update({ngram: log2(before[ngram[:-1]] / times) for ngram, times in known.items()})
        before = known
    for segment, match in zip(segments, matches, strict=True):
        stats = _totals(segment, settings)
        for names, found in zip(_NAMES, match, strict=False):
            stats[names.information] = math.fsum(map(information.__getitem__, found))
        yield stats


NO_WORD = "\0"  # stands for a word that no candidate has


def _matches(segment: Segment, letters: Mapping[str, str], most: int) -> list[list[str]]:
    """By order the n-grams that match, each as often as it counts."""
    text, occurrences = "".join(map(letters.__getitem__, segment.candidate)), Occurrences(*segment)
    out: list[list[str]] = [[] for _ in range(most)]
    for order, (found, places) in enumerate(zip(out, occurrences.orders(most), strict=False), 1):
        found += [text[i : i + order] for i in compress(count(), occurrences.counted(places))]
    return out


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
