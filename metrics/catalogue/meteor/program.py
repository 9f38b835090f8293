"""Run METEOR step by step after Banerjee and Lavie (2005), with the parameters of Lavie and Agarwal (2007).

First each stage (equal words, stems, synonyms) finds the words that may match. Then the alignment is found by growing
matchings word by word. Chunks, penalty and score follow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, islice, pairwise
from operator import or_
from typing import Any, NamedTuple, TypeAlias

from ...teach.empty_texts import describe_wordless_texts
from ...teach.steps import (
    CONFLICT,
    Decision,
    Prefix,
    Program,
    ProgramStep,
    PseudoCode,
    Rejected,
    add_known_values,
    all_free,
    choose_reference,
    count,
    number,
    of_reference,
    unknown,
    unmatched_mark,
    word,
)
from ...text import stem, wordnet
from ...types import Hit, Mark, Relation, Result, Run, Segment, Tokens
from ...types.work import spend

STAGES = ("exact", "stem", "synonym")

#: The number of matchings kept while they grow. Without a limit there can be as many as there are sets of words.
KEPT_MOST = 100

#: Matched words as (i, j).
Cells: TypeAlias = list[tuple[int, int]]


def code(settings: Any) -> PseudoCode:
    stages = {
        "exact": "exact:  xᵢ = yⱼ may match",
        "stem": "stem:  xᵢ and yⱼ may match if they have the same stem",
        "synonym": "synonym:  xᵢ and yⱼ may match if they share a synset",
    }
    return PseudoCode(
        **{stage: line for stage, line in stages.items() if stage in settings.used},
        grow="for xᵢ, i = 1 … n:  each matching takes a free yⱼ that may match, or none",
        keep="    of those that leave the same words free keep the best:  most matches,",
        order="    then fewest chunks, then least Σ |i − j|",
        cut=f"    no more than {KEPT_MOST:,} of them",
        chunk="chunk:  matches that follow each other in both sentences",
        means="P ← matches / n,  R ← matches / m",
        f="F ← PR / (αP + (1 − α)R)",
        fragmentation="frag ← chunks / matches, but 0 if one chunk covers both",
        penalty="penalty ← γ · frag^β",
        score="value ← F · (1 − penalty)",
        best="METEOR ← the best value over the references",
    )


class MatchablePair(NamedTuple):
    """A candidate word `i` and a reference word `j` that may match, and the first stage that allows it."""

    i: int
    j: int
    stage: str


def matchable_pairs(
    candidate: Tokens, reference: Tokens, stages: Sequence[str], stems: tuple[str, str] | None
) -> Iterator[list[MatchablePair]]:
    """Yield the pairs of words that may match: stage by stage, one list for each candidate word.

    `stages` are among "exact", "stem" and "synonym"; `stems` is the stemmer and its language. A pair is not repeated in
    a later stage. Equal words match in every stage. There are no synonyms if WordNet is not installed.

    >>> [*matchable_pairs(("cats", "sat"), ("sat", "cat"), ("exact", "stem"), ("porter", "english"))]
    [[], [MatchablePair(i=1, j=0, stage='exact')], [MatchablePair(i=0, j=1, stage='stem')], []]
    """
    synonyms = "synonym" in stages and wordnet.version() is not None
    words = {*candidate, *reference}
    stemmed = {x: stem(x, *stems) for x in words} if stems and "stem" in stages else {}
    synsets = {x: wordnet.base_synsets(x) for x in words} if synonyms else {}

    def match(stage: str, x: str, y: str) -> bool:
        if x == y:
            return True
        if stage == "stem":
            return stemmed[x] == stemmed[y]
        return stage == "synonym" and synonyms and not synsets[x].isdisjoint(synsets[y])

    before: set[tuple[int, int]] = set()
    for stage in STAGES:
        if stage in stages:
            for i, x in enumerate(candidate):
                spend(len(reference) // 3)
                theirs = [j for j, y in enumerate(reference) if (i, j) not in before and match(stage, x, y)]
                before |= {(i, j) for j in theirs}
                yield [MatchablePair(i, j, stage) for j in theirs]


def stage_of_match(settings: Any, x: str, y: str) -> Relation:
    """Return the first stage, "stem" or "synonym", in which two different words match; it is known that they match."""
    if "stem" in settings.used and stem(x, *settings.stems) == stem(y, *settings.stems):
        return "stem"
    return "synonym"


class PartialMatching(NamedTuple):
    """A matching of the candidate's first words, which later words may extend.

    Attributes:
        worth: (number of matches, number of joints, minus the distance), compared in this order. A joint is a match
            that continues the chunk of the match before it. The distance is the sum of |i − j|.
        last: the cell (i, j) of the last word, None if that word is unmatched.
        used: bit mask of the used reference positions, only those that later words may match.
        cells: the cells as a linked list of pairs (cell, rest), the last cell first."""

    worth: tuple[int, int, int]
    last: tuple[int, int] | None
    used: int
    cells: Any

    def cell_list(self) -> Cells:
        """Return the cells (i, j) of this matching as a list, by `i`."""
        out: Cells = []
        rest = self.cells
        while rest:
            out.append(rest[0])
            rest = rest[1]
        return out[::-1]


def grow_matchings(
    length: int, places: Mapping[int, Sequence[int]], most: int = KEPT_MOST
) -> Iterator[list[PartialMatching]]:
    """Yield, after each of `length` candidate words, the best matchings of the words so far, the best first.

    `places[i]` are the reference positions that word i may match. Of two matchings that have used the same positions,
    of those that later words may match, only the better one is kept: both can be extended in the same ways. At most
    `most` matchings are kept.

    >>> [one[0].cell_list() for one in grow_matchings(2, {0: [0, 1], 1: [1]})]
    [[(0, 0)], [(0, 0), (1, 1)]]
    """
    kept_matchings = [PartialMatching((0, 0, 0), None, 0, ())]
    columns = [sum([1 << j for j in places.get(row, ())]) for row in range(length)]
    after = [*accumulate(reversed(columns), or_, initial=0)][-2::-1]  # the columns that later words may match
    for i, later_columns in enumerate(after):
        spend(len(kept_matchings) * (2 + 2 * len(places.get(i, ()))))
        best: dict[tuple[int, int | None], PartialMatching] = {}
        for one in kept_matchings:
            matches, joints, distance = one.worth
            ways = [PartialMatching(one.worth, None, one.used & later_columns, one.cells)]
            for j in places.get(i, ()):
                if not one.used >> j & 1:
                    worth = matches + 1, joints + (one.last == (i - 1, j - 1)), distance - abs(i - j)
                    ways.append(
                        PartialMatching(worth, (i, j), (one.used | 1 << j) & later_columns, ((i, j), one.cells))
                    )
            for way in ways:
                goes_on = way.last is not None and way.last[1] + 1 in places.get(i + 1, ())
                key = way.used, way.last[1] if way.last and goes_on else None
                if key not in best or way.worth > best[key].worth:
                    best[key] = way
        kept_matchings = list(best.values())
        if len(kept_matchings) > most:
            spend(len(kept_matchings) * (2 + (length - i) // 2))
            behind = columns[i:]
            alike = Counter(behind[1:])
            kept_matchings = sorted(kept_matchings, key=lambda one: _max_worth(one, behind, alike), reverse=True)[:most]
        kept_matchings.sort(key=lambda one: one.worth, reverse=True)
        yield kept_matchings


def _max_worth(one: PartialMatching, columns: Sequence[int], alike: Mapping[int, int]) -> tuple[int, int, int]:
    """Return an upper limit of the worth that a partial matching can reach once all words are matched.

    Of later words that may match the same reference positions, as many match as there are free positions; each
    continues the chunk of the word before it if the positions allow it. `columns` are bit masks of the positions that
    the last word and each later word may match; `alike` maps such a mask to the number of later words that have it."""
    matches, joints, distance = one.worth
    matches += sum([min(rows, (row & ~one.used).bit_count()) for row, rows in alike.items()])
    open_to = [1 << one.last[1] if one.last else 0, *[row & ~one.used for row in columns[1:]]]
    joints += sum([(before << 1 & after) > 0 for before, after in pairwise(open_to)])
    return matches, joints, distance


def chunks_of_cells(cells: Cells) -> list[tuple[int, int, int]]:
    """Return the chunks that the sorted cells (i, j) of a matching form, each as (i, j, length).

    >>> chunks_of_cells([(0, 3), (1, 4), (3, 5)])
    [(0, 3, 2), (3, 5, 1)]
    """
    out: list[tuple[int, int, int]] = []
    for i, j in cells:
        if out and (out[-1][0] + out[-1][2], out[-1][1] + out[-1][2]) == (i, j):
            out[-1] = *out[-1][:2], out[-1][2] + 1
        else:
            out.append((i, j, 1))
    return out


class MeteorValue(NamedTuple):
    """The METEOR score of one matching, with the values from which it is computed.

    `mean` is F, the weighted harmonic mean of precision and recall."""

    precision: float
    recall: float
    mean: float
    fragmentation: float
    penalty: float
    score: float


def meteor_value(matches: int, chunked: int, n: int, m: int, settings: Any) -> MeteorValue:
    """Return the METEOR score of a matching, with precision, recall, F, fragmentation and penalty.

    `chunked` is the number of chunks; `n` and `m` are the lengths of candidate and reference."""
    precision, recall = matches / n if n else 0.0, matches / m if m else 0.0
    below = settings.alpha * precision + (1 - settings.alpha) * recall
    mean = precision * recall / below if below else 0.0
    whole = chunked == 1 and matches == n == m
    fragmentation = chunked / matches if matches and not whole else 0.0
    penalty = settings.gamma * fragmentation**settings.beta if fragmentation else 0.0
    return MeteorValue(precision, recall, mean, fragmentation, penalty, mean * (1 - penalty))


def steps(segment: Segment, settings: Any, score: Callable[[], Result]) -> Iterator[ProgramStep]:
    """Yield the steps of METEOR's program: each reference's stages, alignment, chunks and score, then the best."""
    comparisons = [_MeteorComparison(segment, settings, k) for k in range(len(segment.references))]
    values: list[float] = []
    for one in comparisons:
        one.score = max(values, default=None)
        yield from add_known_values(one.steps(), one.initial_formula_values())
        values.append(one.value.score)
    k, text, considered_marks, others, decision = choose_reference(values, [one.taken for one in comparisons])
    result = score()
    hits = {mark for mark in comparisons[k].taken if isinstance(mark, Hit)}
    if hits != result.cells():
        text = f"METEOR = {number(values[k])}; the result draws another matching, which is equally good."
        if values[k] < result.score - 1e-9:
            ours, theirs = number(values[k]), number(result.score)
            text = f"METEOR = {ours} with {KEPT_MOST} matchings at a time; the result finds a better one: {theirs}."
        elif values[k] > result.score + 1e-9:
            ours, theirs = number(values[k]), number(result.score)
            text = f"METEOR = {ours}; the result's search, approximate in hard cases, finds {theirs}."
    yield ProgramStep(
        text,
        code(settings)["best"],
        considered_marks,
        Prefix(comparisons[k].taken),
        others,
        free=all_free(segment).without_marks(*hits),
        score=values[k],
        decision=decision,
        result=result,
        known_values={**comparisons[k].initial_formula_values(), **comparisons[k].known_values()},
    )


class _MeteorComparison:
    """The comparison of the candidate with reference `k`, from which the program's steps are made.

    `score` is the score that the steps show: the best of the earlier references until this alignment is found, then
    that of this alignment. It is None at first if this is the first reference."""

    def __init__(self, segment: Segment, settings: Any, k: int) -> None:
        self.segment, self.settings, self.k, self.lines = segment, settings, k, code(settings)
        self.candidate, self.reference = segment.candidate, segment.references[k]
        self.n, self.m = len(self.candidate), len(self.reference)
        self.of = of_reference(k, segment)
        self.taken: list[Mark] = []
        self.free = all_free(segment)
        self.value = MeteorValue(0, 0, 0, 0, 0, 0)
        self.score: float | None = None

    def steps(self) -> Iterator[ProgramStep]:
        may = matchable_pairs(self.candidate, self.reference, self.settings.used, self.settings.stems)
        places: dict[int, list[int]] = {i: [] for i in range(self.n)}
        for stage in STAGES:
            if stage in self.settings.used:
                yield from self._stage_steps(stage, islice(may, self.n), places)
        cells: Cells = []
        for i, kept_matchings in enumerate(
            grow_matchings(self.n, {i: sorted(columns) for i, columns in places.items()})
        ):
            cells = kept_matchings[0].cell_list()
            yield self._growth_step(i, sorted(places[i]), cells, len(kept_matchings))
        self.taken = [Hit(i, self.k, j) for i, j in cells]
        self.free = self.free.without_marks(*self.taken)
        chunked = chunks_of_cells(cells)
        for turn, (i, j, length) in enumerate(chunked, 1):
            run = Run(i, self.k, j, length)
            self.taken.append(run)
            ends = f" to {word(self.candidate[i + length - 1])}" if length > 1 else ""
            text = f"Chunk {turn}: {word(self.candidate[i])}{ends}, {count(length, 'word')}."
            yield self._step(text, "chunk", considered=(run,), known_values={"matches": len(cells), "chunks": turn})
        yield from self._value_steps(len(cells), len(chunked))

    def initial_formula_values(self) -> dict[str, float]:
        """Return the values of the formula's symbols before anything is matched; symbols not known yet are NaN."""
        settings = self.settings
        given = {"α": settings.alpha, "β": settings.beta, "γ": settings.gamma, "n": self.n, "m": self.m}
        return {**given, **unknown("matches", "chunks", "P", "R", "F", "fragmentation", "penalty", "METEOR")}

    def known_values(self) -> dict[str, float]:
        """Return the values of the formula's symbols once the score against this reference is known.

        The number of chunks is NaN if one chunk covers both sentences, because chunks do not count then."""
        value, cells = self.value, sum(isinstance(mark, Hit) for mark in self.taken)
        chunked = sum(isinstance(mark, Run) for mark in self.taken) if value.fragmentation else math.nan
        score_values = {"P": value.precision, "R": value.recall, "F": value.mean, "fragmentation": value.fragmentation}
        return {"matches": cells, "chunks": chunked, **score_values, "penalty": value.penalty, "METEOR": value.score}

    def _step(self, text: str, line: str, **more: Any) -> ProgramStep:
        return ProgramStep(
            text, self.lines[line], taken_marks=Prefix(self.taken), free=self.free, score=self.score, **more
        )

    def _stage_steps(
        self, stage: str, may: Iterator[list[MatchablePair]], places: dict[int, list[int]]
    ) -> Iterator[ProgramStep]:
        """Yield a step for each candidate word that a stage lets match, and add the reference positions to `places`.

        `may` yields the pairs that the stage allows, one list for each candidate word."""
        nothing = True
        for i, stage_pairs in enumerate(may):
            ours, hits = self.candidate[i], tuple([Hit(i, self.k, pair.j) for pair in stage_pairs])
            places[i] += [pair.j for pair in stage_pairs]
            if hits:
                nothing = False
                theirs = word(self.reference[hits[0].j])
                more = f" and {count(len(hits) - 1, 'other')}" if len(hits) > 1 else ""
                how = {"exact": "is", "stem": "has the stem of", "synonym": "is a synonym of"}[stage]
                if ours == self.reference[hits[0].j]:
                    how = "is"
                yield self._step(f"{word(ours)} {how} {theirs}{self.of}{more}.", stage, considered=hits)
        if nothing:
            missing = stage == "synonym" and wordnet.version() is None
            text = f"The stage {stage} allows no more matches{self.of and f' with{self.of[3:]}'}."
            yield self._step("WordNet is not installed: there are no synonyms." if missing else text, stage)

    def _growth_step(self, i: int, places: Sequence[int], cells: Cells, kept_count: int) -> ProgramStep:
        """Return the step that adds candidate word `i` to the matchings.

        `places` are the positions it may match, `cells` the best matching with it, and `kept_count` the number of
        matchings that are kept."""
        hits = [Hit(row, self.k, j) for row, j in cells]
        options = tuple([Hit(i, self.k, j) for j in places])
        own_hits, rows, columns = {*hits}, {hit.i for hit in hits}, {hit.j for hit in hits}
        matches, chunked = len(cells), len(chunks_of_cells(cells))
        matched = f"{matches} of {count(i + 1, 'word')} matched in {count(chunked, 'chunk')}"
        others = f", the best of {number(kept_count)}" if kept_count > 1 else ""
        self.score = meteor_value(matches, chunked, self.n, self.m, self.settings).score
        return ProgramStep(
            f"{word(self.candidate[i])} may match {count(len(options), 'word')}: {matched}{others}.",
            self.lines["cut" if kept_count == KEPT_MOST else "keep" if options else "grow"],
            options or (unmatched_mark(i, i + 1, self.k),),
            hits,
            [Rejected(hit, CONFLICT) for hit in options if hit not in own_hits and (hit.i in rows or hit.j in columns)],
            free=self.free.without_marks(*hits),
            score=self.score,
            decision=Decision("match", options) if len(options) > 1 else None,
            known_values={"matches": matches, "chunks": chunked},
        )

    def _value_steps(self, matches: int, chunked: int) -> Iterator[ProgramStep]:
        settings, n, m = self.settings, self.n, self.m
        self.value = value = meteor_value(matches, chunked, n, m, settings)
        self.score = value.score  # set here too, for a candidate without words
        p, r = number(value.precision), number(value.recall)
        text = f"P{self.of} = {matches}/{n} = {p}, R = {matches}/{m} = {r}."
        if why := describe_wordless_texts(self.segment, self.k):
            text = f"P = {p} and R = {r}: {why}."
        known_values = self.known_values()
        yield self._step(
            text, "means", known_values={name: known_values[name] for name in ("matches", "chunks", "P", "R")}
        )
        a = settings.alpha
        text = f"F = {p} · {r} / ({a:g} · {p} + {1 - a:g} · {r}) = {number(value.mean)}."
        yield self._step(text if value.mean else "F = 0, since nothing matches.", "f", known_values={"F": value.mean})
        text = f"frag = {chunked}/{matches} = {number(value.fragmentation)}."
        if not value.fragmentation:
            text = "frag = 0: one chunk covers both sentences." if matches else "frag = 0: there are no chunks."
        shown_values = {name: known_values[name] for name in ("chunks", "fragmentation")}
        yield self._step(text, "fragmentation", known_values=shown_values)
        text = (
            f"penalty = {settings.gamma:g} · {number(value.fragmentation)}^{settings.beta:g} = {number(value.penalty)}."
        )
        yield self._step(text, "penalty", known_values={"penalty": value.penalty})
        text = f"{number(value.mean)} · (1 − {number(value.penalty)}) = {number(value.score)}."
        yield self._step(text, "score", known_values={"METEOR": value.score})


PROGRAM = Program(code, steps, stage_of_match)
