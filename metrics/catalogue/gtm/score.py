"""Runs of matching words; a run of length l counts l to the power of e, so long runs win.

A hit is a pair of equal words, a run is a row of hits on a diagonal of the grid, and the square around a run is its
block. A matching is a set of runs in which no word is used twice. Its size is divided by the lengths of candidate and
reference, n and m.

    size = (Σ length^e)^(1/e)
    P = size / n,  R = size / m
    F = 2 · P · R / (P + R)

At e = 1 only the number of matched words counts; at e = 2 a block counts its area. Several references are put side by
side: a run stays within one of them, a candidate word is used once, m is their mean length, and no more words are
matched than the smaller of n and m. The authors' program takes the longest free run first, which can miss the largest
matching; the exact solver finds it.

Rewards: long runs, wherever they are. At e = 2 a run of four words makes as large a matching as 16 words that match
one by one, so a phrase kept whole outweighs many scattered words.

Cannot see: where a run is. For the reference "police killed the gunman", "police kill the gunman" and "the gunman
kill police" both score 0.559, though in the second it is the gunman who kills. An inflected form or a synonym earns
as little as a wrong word.

Source: Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, section 2 (equations 2,
3 and 5).

>>> from metrics import score
>>> r = score("gtm", "the gunman kill police".split(), ["police killed the gunman".split()])
>>> round(r.score, 4)
0.559
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from ...alignment.gtm_matching import cap_runs, capped_lengths, greedy_lengths, matching, word_cap
from ...alignment.gtm_ties import tied_gtm_matchings
from ...alignment.unused_matches import UsedWords
from ...formula import CreditSum, Expr, FormulaStep, Number, Power, Product, Quotient, Sum, number_of, step
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Composition,
    Cut,
    Hit,
    Layer,
    MeasuredAspect,
    Result,
    Run,
    Score,
    Segment,
    Settings,
    StatisticRole,
    Ties,
    Tokens,
    TooHard,
    UnusedMatchReason,
    matched_words_clause,
    pieces_phrase,
    runs_aspect,
    setting,
    uneven_lengths_clause,
    words_aspect,
)


@dataclass(frozen=True, slots=True)
class GTMSettings(Settings):
    """The settings of GTM: how much the length of a run counts, and which solver finds the matching."""

    exponent: float = setting(
        2.0,
        "number",
        "Exponent e",
        "1 counts words; the larger it is, the more a long run counts.",
        least=1,
        most=90,
        step=0.1,
        slider_range=(1.0, 3.0),
    )
    solver: str = setting(
        "greedy",
        "choice",
        "Solver",
        "greedy takes the longest free run first, as the authors' program does; exact finds the largest matching.",
        options=("greedy", "exact"),
    )


def align(segment: Segment, settings: GTMSettings, marks: bool) -> Alignment:
    if marks or settings.solver != "greedy":
        runs = matching(segment, settings.exponent, settings.solver == "exact")
        return _alignment_of_runs(segment, settings, cap_runs(runs, word_cap(segment)), marks)
    stats, _ = _statistics_and_credits(segment, settings, capped_lengths(greedy_lengths(segment), word_cap(segment)))
    return Alignment(stats, (), {})


def _alignment_of_runs(segment: Segment, settings: GTMSettings, runs: list[Run], marks: bool = True) -> Alignment:
    """Return the alignment of a matching whose runs are cut to the cap: its statistics and, with `marks`, its layer."""
    stats, credits = _statistics_and_credits(segment, settings, [run.length for run in runs])
    if not marks:
        return Alignment(stats, (), {})
    layer = Layer("blocks", tuple(runs), credits, statistics=("match_power",), area=True, kind="blocks", noun="block")
    return Alignment(stats, (layer._replace(cut=_cut_of_last_run(segment, runs)),), {})


def _cut_of_last_run(segment: Segment, runs: list[Run]) -> Cut | None:
    """Return how the cap shortened the last run: its index, its full length and why; None if it was not shortened."""
    cap = word_cap(segment)
    if not runs or sum([run.length for run in runs]) < cap:
        return None
    *others, last = runs
    candidate, reference = segment.candidate, segment.references[last.k]
    rows = {cell.i for run in others for cell in run.cells()}
    columns = {cell.j for run in others if run.k == last.k for cell in run.cells()}
    i, j = last.i + math.floor(last.length), last.j + math.floor(last.length)
    # Find the run's full length: a run that was not cut ends where its words differ or are used.
    while (
        i < len(candidate)
        and j < len(reference)
        and candidate[i] == reference[j]
        and i not in rows
        and j not in columns
    ):
        i, j = i + 1, j + 1
    if i - last.i == last.length:
        return None
    n = len(candidate)
    why = f"cut: at most {_word_count(cap)} count: the smaller of {_word_count(n)} and the references' mean"
    return Cut(len(others), i - last.i, why)


def _word_count(count: float) -> str:
    """Return a number of words as text, with at most three decimals and no trailing zeros.

    >>> _word_count(10.5), _word_count(1)
    ('10.5 words', '1 word')
    """
    return f"{round(count, 3):g} word{'s' * (count != 1)}"


def why_not(result: Result) -> Callable[[Hit], UnusedMatchReason | None]:
    """Return a function that explains why a hit is not used: a run uses one of its words, or the cap is reached.

    A hit whose two words are both free can be unused only because of the cap. The explanation names the run only if the
    exponent is above 1, because at 1 the runs do not matter."""
    used = UsedWords(result, noun="run", runs=result.settings.to_dict()["exponent"] > 1)
    cap = UnusedMatchReason(f"cut by the cap: at most {_word_count(word_cap(result.segment))} count")
    return lambda hit: used.reason_against(hit) or cap


def _statistics_and_credits(
    segment: Segment, settings: GTMSettings, lengths: list[float]
) -> tuple[dict[str, float], tuple[float, ...]]:
    """Return the statistics of a matching whose runs have these lengths, and the credit length^exponent of each run."""
    candidate, references = segment
    credits = tuple([length**settings.exponent for length in lengths])
    power = math.fsum(credits)
    stats = {
        "match_power": power,
        "match_size": power ** (1 / settings.exponent),
        "candidate_length": len(candidate),
        "reference_length": sum(map(len, references)) / len(references),
    }
    return stats, credits


#: The role of each statistic, by its name.
ROLES = {
    "match_power": StatisticRole("match"),
    "match_size": StatisticRole("other", of="match_power"),
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: GTMSettings) -> Score[Amount]:
    """Return the score by equations 2, 3 and 5 of the paper, with precision, recall and size as parts.

    The size of a matching is a statistic of its own, because a corpus adds up sizes and lengths (§2.2)."""
    size, n, m = stats["match_size"], stats["candidate_length"], stats["reference_length"]
    calc = ARITHMETIC[type(size)]
    precision, recall = calc.ratio(size, n), calc.ratio(size, m)
    parts = {"precision": precision, "recall": recall, "match_size": size}
    return Score(calc.f_measure(precision, recall), parts)


def complete(
    stats: dict[str, float], settings: GTMSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    `match_power` is the sum of the powers, and `words["match_power"]` the number of matched words. By equation 5 the
    size follows from the powers; it is at most that of all the words in one run. No more words match than the cap
    allows, and the candidate becomes long enough for them. The last word of a capped run can be worth less than 0."""
    most = max(min(words.get("match_power", math.inf), stats["reference_length"]), 0.0)
    size = max(stats["match_power"], 0.0) ** (1 / settings.exponent)
    stats["match_size"] = size = min(size, most)
    stats["candidate_length"] = max(stats["candidate_length"], most if "match_power" in words else size)


def _composition_values(stats: Mapping[str, Amount], settings: GTMSettings) -> dict[str, Amount]:
    parts = from_stats(stats, settings).parts
    return {name: parts[name] for name in ("precision", "recall")}


def _score_of_values(values: Mapping[str, Amount], settings: GTMSettings) -> Amount:
    return ARITHMETIC[type(values["recall"])].f_measure(values["precision"], values["recall"])


COMPOSITION = Composition(_composition_values, _score_of_values)


def why(cause: str, result: Result) -> str:
    """Return why an amount in a ledger is not a whole number: because of the cap, or because of the exponent."""
    if cause == "matches" or any(isinstance(run, Run) and run.length % 1 for run in result.layers[0].marks):
        return f"{'words' if cause == 'matches' else 'of length'}: at most the references' mean length counts"
    return f"of length: a run of l words counts l to the power of {result.settings.to_dict()['exponent']:g}"


def formula(result: Result) -> tuple[FormulaStep, ...]:
    layer, e = result.layers[0], Number(result.settings.to_dict()["exponent"])
    lengths = [Number(run.length) for run in layer.marks if isinstance(run, Run)]
    if e.value == 1:
        size = step("match size", CreditSum(0, lengths, "word"))
    else:
        power = CreditSum(0, [Power(length, e) for length in lengths])
        root = Quotient(Number(1), e)
        size = step("match size", Power(power, root), Power(Number(power.value), root))
    p = step("P", Quotient(size.number(), number_of(result.stats["candidate_length"], "word")))
    r = step("R", Quotient(size.number(), number_of(result.stats["reference_length"], "word")), same_line=True)
    f: Expr = Quotient(Product(Number(2), p.symbol(), r.symbol()), Sum(p.symbol(), r.symbol()))
    return size, p, r, step("F", f)


def remark(result: Result) -> str:
    """Return a sentence if a larger matching than the greedy one exists; else "".

    Empty too if the exact solver gives up, or if the result comes from the exact solver."""
    settings, match_size = result.settings, result.parts["match_size"]
    if not isinstance(settings, GTMSettings) or settings.solver != "greedy":
        return ""
    try:
        exact = GTMSettings(settings.exponent, "exact")
        largest = from_stats(align(result.segment, exact, False).stats, exact).parts["match_size"]
    except TooHard:
        return ""
    if largest <= match_size * (1 + 1e-12):
        return ""
    return f"The greedy solver misses the largest matching: its size is {match_size:.3f}, {largest:.3f} is possible."


def ties(result: Result, most: int) -> Ties:
    """Return the matchings that are as good as the result's, the first `most` of them drawn as results.

    With the greedy solver these are the matchings that greedy finds if it breaks ties between equally long runs
    otherwise."""
    segment, settings = result.segment, cast(GTMSettings, result.settings)

    def draw(runs: list[Run]) -> Result:
        stats, layers, _ = _alignment_of_runs(segment, settings, runs)
        score, parts = from_stats(stats, settings)
        return replace(result, score=score, parts=parts, stats=stats, layers=layers)

    return tied_gtm_matchings(result, settings.exponent, settings.solver == "exact", most, draw)


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the GTM score.

    They say how many words match, in how many runs if long runs count more, and whether the cap is reached."""
    lengths, stats, parts = [len(run.cells()) for run in result.layers[0].marks], result.stats, result.parts
    says = matched_words_clause(sum(lengths), len(result.segment.candidate))
    if result.settings.to_dict()["exponent"] > 1:
        says += pieces_phrase(lengths)
    cap = word_cap(result.segment)
    if len(result.segment.references) > 1 and sum(lengths) >= cap < stats["candidate_length"]:
        says += "; no more can count, because the references are shorter on average"
    says += uneven_lengths_clause(parts["precision"], parts["recall"])
    return Account(says, sum(lengths), len(lengths), max(lengths, default=0))


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspects that GTM measures of a translation, from 0 to 1 each: matched words, and long runs."""
    lengths = [len(run.cells()) for run in result.layers[0].marks]
    words = words_aspect(sum(lengths), result.stats["candidate_length"], result.stats["reference_length"])
    if not words.value or result.settings.to_dict()["exponent"] == 1:
        return (words,)
    return words, runs_aspect(min(1.0, result.score / words.value), lengths)
