"""Words matched as they are, by stem or by meaning; the fewer chunks they form, the better.

Each word is matched with at most one word of the reference: an equal one, one of the same stem, or a synonym, which
shares a synset of WordNet. A chunk is a stretch of matches that follow each other directly in both sentences. Of all
matchings the one with most matches counts, of those one with fewest chunks, and of those the one with the smallest
distance, the sum of |i − j|. All stages are resolved together: a synonym counts as much as an equal word. Equal words
match in every stage.

    P = matches / n,  R = matches / m
    F = P · R / (α · P + (1 − α) · R)
    fragmentation = chunks / matches
    penalty = γ · fragmentation^β
    METEOR = F · (1 − penalty)

The defaults α = 0.9, β = 3 and γ = 0.5 are the numbers of Banerjee and Lavie, which later versions replaced by tuned
ones. The penalty is 0 where both sentences are matched as a whole in one chunk. Of several references the one with the
best score counts. A corpus is scored from sums, in which sentences that are matched as a whole count no chunk, as in
METEOR 1.5. Stems are compared in lower case. The texts are taken for English unless their language is given: then
stems are those of its own stemmer, synonyms exist only for English, and a stage that the language lacks is left out.

The search is exact for sentences of up to 80 words, unless it takes more than 20,000 steps. Beyond that it is METEOR
1.5's own beam search of 40 paths, so that long texts score what they score there. That program uses its beam from the
first word on and counts, while it searches, only exact matches: it may miss matches and find more chunks than need be.
Of 2,489 real segments, it scores 241 differently with exact matching and 295 with stems, but for those of up to 80
words it never finds a better alignment than ours. In the synonym stage it can leave out a synonym that would begin a
new chunk, and where the two WordNets differ in version or base forms, so do the synonyms.

Rewards: words of the reference in any form, recall nine times as much as precision by default, and words that stay
together in the reference's order.

Cannot see: how far a chunk has moved, or which chunks changed places: two chunks cost the same in either order. A
matched function word counts as much as a matched name.

Source: Banerjee and Lavie (2005), METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with Human
Judgments; Lavie and Agarwal (2007), who made its numbers parameters; Denkowski and Lavie (2014), METEOR 1.5, for
details.

>>> from metrics import score
>>> r = score("meteor", "the cats sat on a mat".split(), ["on the mat sat the cat".split()], stages=("exact", "stem"))
>>> [(layer.name, [tuple(mark) for mark in layer.marks]) for layer in r.layers][1:]
[('stem', [(1, 0, 5)]), ('chunks', [(0, 0, 4, 2), (2, 0, 3, 1), (3, 0, 0, 1), (5, 0, 2, 1)])]
>>> round(r.score, 4)
0.62
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple, cast

from ...alignment.bitext import Reference
from ...alignment.meteor_beam import beam_search_matching
from ...alignment.meteor_cells import Cell, count_chunks, count_crossings
from ...alignment.meteor_chunks import STEPS, MeteorPairs, group_by_shared_links
from ...alignment.ngrams import clipped_counts
from ...alignment.references import best_reference
from ...alignment.ties import EqualChoices, combined_ties, uncounted_choice
from ...formula import (
    CreditSum,
    Expr,
    FormulaDifference,
    FormulaStep,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    count_with_noun,
    number_of,
    setting_number,
    step,
)
from ...text import stem, wordnet
from ...types import (
    ARITHMETIC,
    Account,
    Alignment,
    Amount,
    Composition,
    Hit,
    Layer,
    MeasuredAspect,
    Relation,
    Result,
    Run,
    Score,
    Segment,
    StatisticRole,
    Ties,
    Tokens,
    TooHard,
    matched_words_clause,
    number_in_words,
    pieces_phrase,
    quote_text,
    runs_aspect,
    uneven_lengths_clause,
    words_aspect,
)
from ...types.work import spend
from .settings import STAGES, METEORSettings

#: The number of words up to which sentences are searched exactly.
LONGEST = 80


# ---------------------------------------------------------------- which words match


@lru_cache(maxsize=64)
def _stem_words(words: Tokens, stemmer: tuple[str, str]) -> Tokens:
    return tuple([stem(word, *stemmer) for word in words])


class _Synonyms:
    """A lookup of synonyms among a candidate's words: words that share a synset of WordNet. Results are cached."""

    def __init__(self, words: Tokens) -> None:
        self.synsets = {word: wordnet.base_synsets(word) for word in dict.fromkeys(words)}
        self.of_one: set[int] = set()  # the synsets of at least one word; `of_two`: of at least two
        self.of_two: set[int] = set()
        for synsets in self.synsets.values():
            self.of_two |= self.of_one & synsets
            self.of_one |= synsets
        self.found: dict[str, list[str]] = {}

    def synonyms_of(self, word: str) -> list[str]:
        """Return the candidate's words that share a synset with `word`, in order, without `word` itself."""
        if word not in self.found:
            shared = wordnet.base_synsets(word) & (self.of_two if word in self.synsets else self.of_one)
            ours = self.synsets.items() if shared else ()  # faster, as mostly nothing is shared
            self.found[word] = [other for other, of in ours if other != word and not shared.isdisjoint(of)]
        return self.found[word]


class _KeyedWords(NamedTuple):
    """The words of a sentence, each with the key by which it matches: words with equal keys match.

    The keys are the words' stems if "stem" is one of the stages, otherwise the words themselves."""

    words: Tokens
    keys: Tokens


def _keyed_words(words: Tokens, settings: METEORSettings) -> _KeyedWords:
    spend(len(words) // 4)
    return _KeyedWords(
        words, _stem_words(words, settings.stems) if settings.stems and "stem" in settings.used else words
    )


def _synonyms_or_none(candidate: Tokens, settings: METEORSettings) -> _Synonyms | None:
    """Return the lookup of synonyms for the candidate; None if the settings or a missing WordNet exclude synonyms."""
    return _Synonyms(candidate) if "synonym" in settings.used and wordnet.version() is not None else None


class _SynonymPair(NamedTuple):
    """A candidate word and a reference word that match only as synonyms, and the keys (stems or words) of both."""

    ours: str
    theirs: str
    keys: tuple[str, str]


def _synonym_pairs(candidate: _KeyedWords, reference: _KeyedWords, synonyms: _Synonyms | None) -> list[_SynonymPair]:
    """Return the pairs of words that share a synset but not their keys, in the order of the candidate's words."""
    if synonyms is None:
        return []
    word_pairs = [(a, b) for b in dict.fromkeys(reference.words) for a in synonyms.synonyms_of(b)]
    if not word_pairs:
        return []
    ours, theirs = dict(zip(*candidate, strict=True)), dict(zip(*reference, strict=True))
    links = [_SynonymPair(a, b, (ours[a], theirs[b])) for a, b in word_pairs if ours[a] != theirs[b]]
    return sorted(links, key=lambda link: candidate.words.index(link.ours))


def _max_synonym_matches(candidate: _KeyedWords, reference: _KeyedWords, links: Sequence[_SynonymPair]) -> int:
    """Return the most matches that synonyms can add to those of equal words or stems."""
    if not links:
        return 0
    ours, theirs = {link.ours for link in links}, {link.theirs for link in links}
    return min(sum([word in ours for word in candidate.words]), sum([word in theirs for word in reference.words]))


def _pairs_with_synonyms(candidate: _KeyedWords, reference: _KeyedWords, links: Sequence[_SynonymPair]) -> MeteorPairs:
    """Return which words may match, for a candidate and a reference with synonyms.

    Keys that synonym pairs connect, directly or through other keys, are replaced by one common key. Then words with one
    key may not all match each other; the cells that may match are recorded in that case. They are not recorded for
    sentences that are too long for an exact search."""
    joined = group_by_shared_links(links, attrgetter("keys"))
    number_of = {key: number for number, group in enumerate(joined) for link in group for key in link.keys}
    rows: list[list[int]] = [[] for _ in joined]
    columns: list[list[int]] = [[] for _ in joined]
    for positions, keys in ((rows, candidate.keys), (columns, reference.keys)):
        for position, key in enumerate(keys):
            if key in number_of:
                positions[number_of[key]].append(position)
    new_key = {
        key: f"group {number_of[key]}" if key in number_of else f"key {key}"
        for _, keys in (candidate, reference)
        for key in keys
    }
    ours, theirs = (Reference(tuple([new_key[key] for key in side.keys])) for side in (candidate, reference))
    if max(len(ours.tokens), len(theirs.tokens)) > LONGEST and ours.tokens != theirs.tokens:
        return MeteorPairs(ours, theirs)  # too long for the exact search
    linked = {(link.ours, link.theirs) for link in links}
    loose = {}
    for number in range(len(joined)):
        spend(len(rows[number]) * len(columns[number]))
        cells = frozenset(
            (i, j)
            for i in rows[number]
            for j in columns[number]
            if candidate.keys[i] == reference.keys[j] or (candidate.words[i], reference.words[j]) in linked
        )
        if len(cells) < len(rows[number]) * len(columns[number]):
            loose[f"group {number}"] = cells
    return MeteorPairs(ours, theirs, loose)


# ---------------------------------------------------------------- the best matching


class _BestMatching(NamedTuple):
    """The best matching with one reference: its numbers of matches and chunks.

    `pairs` says which words may match. `cells` are the matching's cells if the beam search found it; None if the search
    was exact, since its cells are computed only when needed."""

    matches: int
    chunks: int
    pairs: MeteorPairs
    cells: tuple[Cell, ...] | None


def _best_matching(
    pairs: MeteorPairs,
    candidate: _KeyedWords,
    reference: _KeyedWords,
    settings: METEORSettings,
    synonyms: _Synonyms | None,
) -> _BestMatching:
    if is_search_exact(pairs):
        return _BestMatching(pairs.matches, pairs.chunks, pairs, None)
    cells = beam_search_matching(_beam_choices(candidate, reference, settings, synonyms), len(candidate.words))
    return _BestMatching(len(cells), count_chunks(cells), pairs, cells)


def is_search_exact(pairs: MeteorPairs) -> bool:
    """Return whether the exact search can find the most matches and fewest chunks of these sentences.

    It cannot for more than `LONGEST` words, unless the sentences are equal, and where it gives up after too many
    steps."""
    if not pairs.is_identical and max(len(pairs.candidate.tokens), len(pairs.reference.tokens)) > LONGEST:
        return False
    try:
        return pairs.chunks >= 0
    except TooHard:
        return False


def _beam_choices(
    candidate: _KeyedWords, reference: _KeyedWords, settings: METEORSettings, synonyms: _Synonyms | None
) -> list[list[tuple[int, int]]]:
    """Return the matches among which METEOR 1.5's beam search chooses: for each reference word a list of (weight, row).

    `row` is the position of the candidate word. A word's matches are listed stage by stage. The first stage weighs 1
    and the others 0: METEOR 1.5 multiplies them by one half and drops fractions. A candidate word that both has the
    same stem and is a synonym is listed twice."""
    spend(2 * (len(candidate.words) + len(reference.words)))
    by_word, by_key = Reference(candidate.words).positions_by_word, Reference(candidate.keys).positions_by_word
    choices_by_word: dict[str, list[tuple[int, int]]] = {}
    used = settings.used
    for word, key in zip(*reference, strict=True):
        if word in choices_by_word:
            continue
        equal = by_word.get(word, [])
        stages = [equal] if "exact" in used else []
        if "stem" in used:
            stages.append([i for i in by_key.get(key, ()) if not stages or candidate.words[i] != word])
        if "synonym" in used:
            synonymous = [i for other in (synonyms.synonyms_of(word) if synonyms else ()) for i in by_word[other]]
            stages.append(sorted(synonymous if stages else synonymous + equal))
        choices_by_word[word] = [(int(number == 0), i) for number, stage in enumerate(stages) for i in stage]
    return [choices_by_word[word] for word in reference.words]


# ---------------------------------------------------------------- the score


def _precision_recall_and_f(
    matches: Amount, n: Amount, m: Amount, settings: METEORSettings
) -> tuple[Amount, Amount, Amount]:
    """Return precision, recall and F of a candidate with `n` words and a reference with `m` words."""
    calc = ARITHMETIC[type(matches)]
    precision, recall = calc.ratio(matches, n), calc.ratio(matches, m)
    return precision, recall, calc.ratio(precision * recall, settings.alpha * precision + (1 - settings.alpha) * recall)


def _score_and_parts(
    matches: Amount, chunks: Amount, whole: Amount, n: Amount, m: Amount, settings: METEORSettings
) -> Score[Amount]:
    calc = ARITHMETIC[type(matches)]
    precision, recall, mean = _precision_recall_and_f(matches, n, m, settings)
    fragmentation = calc.ratio(chunks - whole, matches)
    penalty = calc.where(fragmentation, settings.gamma * fragmentation**settings.beta, 0.0)
    parts = {
        "precision": precision,
        "recall": recall,
        "fragmentation": fragmentation,
        "penalty": penalty,
        "chunks": chunks,
    }
    return Score(mean * (1 - penalty), parts)


_STATISTICS = ("matches", "chunks", "whole", "candidate_length", "reference_length")


def align(segment: Segment, settings: METEORSettings, marks: bool) -> Alignment:
    candidate, references = segment
    synonyms, n = _synonyms_or_none(candidate, settings), len(candidate)
    ours, theirs = _keyed_words(candidate, settings), [_keyed_words(reference, settings) for reference in references]
    common = clipped_counts(ours.keys, [words.keys for words in theirs])
    links = [_synonym_pairs(ours, words, synonyms) for words in theirs]
    # The most that each reference can score: all its matches in one chunk.
    most = [
        count + _max_synonym_matches(ours, words, of) for count, words, of in zip(common, theirs, links, strict=True)
    ]
    limits = [
        _precision_recall_and_f(count, n, len(words), settings)[2]
        for count, words in zip(most, references, strict=True)
    ]
    index = Reference(ours.keys)
    top = 0.0  # the best score so far

    def evaluate_reference(k: int) -> tuple[float, tuple[_BestMatching, tuple[int, int, int, int, int]]]:
        nonlocal top
        if links[k]:
            pairs = _pairs_with_synonyms(ours, theirs[k], links[k])
        else:
            pairs = MeteorPairs(index, Reference(theirs[k].keys), common=common[k])
        m = len(references[k])
        if top and max(n, m) > LONGEST and settings.beta >= 1:
            # An upper limit of the score: a joint for every two words in a row that both have. It must grow with the
            # matches, so the penalty must not rise faster than F: β ≥ 1 is enough.
            fewest = max(most[k] - _joint_limit(pairs), 1)
            limit = _score_and_parts(most[k], fewest, int(fewest == 1 and most[k] == n == m), n, m, settings).score
            if limit < top:
                return limit, (_BestMatching(0, 0, pairs, ()), (0, 0, 0, n, m))
        best = _best_matching(pairs, ours, theirs[k], settings, synonyms)
        whole = int(best.chunks == 1 and best.matches == n == m)
        counts = best.matches, best.chunks, whole, n, m
        score = _score_and_parts(*counts, settings).score
        top = max(top, score)
        return score, (best, counts)

    k, (best, counts) = best_reference(limits, evaluate_reference)
    layers: tuple[Layer, ...] = ()
    if marks:
        layers = _layers(segment, settings, k, best.pairs.matching().cells if best.cells is None else best.cells)
    return Alignment(dict(zip(_STATISTICS, counts, strict=True)), layers, {"score": k})


def _joint_limit(pairs: MeteorPairs) -> int:
    """Return an upper limit of the number of matches that directly follow another match in both sentences."""
    ours, theirs = ([*pairwise(side.tokens)] for side in (pairs.candidate, pairs.reference))
    return clipped_counts(ours, [theirs])[0]


def _layers(segment: Segment, settings: METEORSettings, k: int, cells: Iterable[Cell]) -> tuple[Layer, ...]:
    """Return a layer of hits for each stage, and one layer of chunks, for the matched cells.

    A match is in the layer of the first stage that finds it."""
    candidate, reference = segment.candidate, segment.references[k]
    ours, theirs = _keyed_words(candidate, settings).keys, _keyed_words(reference, settings).keys
    hits: dict[str, list[Hit]] = {stage: [] for stage in STAGES if stage in settings.used}
    equal: dict[str, int] = dict.fromkeys(hits, 0)
    runs: list[list[int]] = []
    end = (-1, -1)
    for i, j in cells:
        is_equal = candidate[i] == reference[j]
        if is_equal and "exact" in hits:
            stage = "exact"
        else:
            stage = "stem" if "stem" in hits and ours[i] == theirs[j] else "synonym"
        hits[stage].append(Hit(i, k, j))
        equal[stage] += is_equal
        if (i, j) == end:
            runs[-1][3] += 1
        else:
            runs.append([i, k, j, 1])
        end = i + 1, j + 1
    layers = [
        Layer(
            stage,
            tuple(stage_hits),
            (1.0,) * len(stage_hits),
            statistics=("matches",),
            # Without the exact stage the other stages find equal words.
            relation=STAGES[stage] if not equal[stage] else "equal" if equal[stage] == len(stage_hits) else "similar",
            k=k,
            kind=stage,
            noun="match",
        )
        for stage, stage_hits in hits.items()
    ]
    chunks = tuple([Run(*run) for run in runs])
    relation: Relation = "equal" if sum(equal.values()) == sum(map(len, hits.values())) else "similar"
    ones = (1.0,) * len(chunks)
    layers.append(Layer("chunks", chunks, ones, 1.0, ("chunks",), relation=relation, k=k, kind="chunks", noun="chunk"))
    return tuple(layers)


#: The role of each statistic, by its name.
ROLES = {
    "matches": StatisticRole("match"),
    "chunks": StatisticRole("contiguity", cost=True),
    "whole": StatisticRole("other", of="chunks"),
    "candidate_length": StatisticRole("candidate length"),
    "reference_length": StatisticRole("reference length"),
}


def from_stats(stats: Mapping[str, Amount], settings: METEORSettings) -> Score[Amount]:
    n, m = stats["candidate_length"], stats["reference_length"]
    return _score_and_parts(stats["matches"], stats["chunks"], stats["whole"], n, m, settings)


def complete(
    stats: dict[str, float], settings: METEORSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Correct in place `stats` that mix two outputs of a segment (`Metric.complete`).

    At most as many words match as the reference has, and the candidate becomes long enough for them. There is at least
    one chunk and at most one per match. Whether one chunk covers both sentences ("whole") follows from these."""
    matches, chunks, n, m = (stats[name] for name in ("matches", "chunks", "candidate_length", "reference_length"))
    stats["matches"] = matches = min(matches, m)
    stats["candidate_length"] = n = max(n, matches)
    stats["chunks"] = chunks = min(max(chunks, 1), matches)
    stats["whole"] = int(chunks == 1 and matches == n == m)


def _composition_values(stats: Mapping[str, Amount], settings: METEORSettings) -> dict[str, Amount]:
    parts = from_stats(stats, settings).parts
    return {"precision": parts["precision"], "recall": parts["recall"], "penalty for chunks": parts["penalty"]}


def _score_of_values(values: Mapping[str, Amount], settings: METEORSettings) -> Amount:
    precision, recall = values["precision"], values["recall"]
    below = settings.alpha * precision + (1 - settings.alpha) * recall
    return ARITHMETIC[type(below)].ratio((1 - values["penalty for chunks"]) * precision * recall, below)


COMPOSITION = Composition(_composition_values, _score_of_values)


def formula(result: Result) -> tuple[FormulaStep, ...]:
    stats, settings = result.stats, cast(METEORSettings, result.settings)
    one = Number(1)
    n, m = number_of(stats["candidate_length"], "word"), number_of(stats["reference_length"], "word")
    *words, chunked = [[one] * len(layer.marks) for layer in result.layers]
    terms = [*(CreditSum(t, those, "word", n.value) for t, those in enumerate(words)), CreditSum(len(words), chunked)]
    alpha, beta, gamma = (setting_number(value) for value in (settings.alpha, settings.beta, settings.gamma))
    matches = step("matches", Sum(*[those for those in terms[:-1] if those.credits] or terms[:1]))
    chunks = step("chunks", terms[-1])
    precision = step("P", Quotient(matches.number(), n))
    recall = step("R", Quotient(matches.number(), m), same_line=True)
    p, r = precision.symbol(), recall.symbol()
    mean = step("F", Quotient(Product(p, r), Sum(Product(alpha, p), Product(FormulaDifference(one, alpha), r))))
    broken: Expr = FormulaDifference(chunks.number(), one) if stats["whole"] else chunks.number()
    fragmentation = step("fragmentation", Quotient(broken, matches.number()))
    power: Expr = Power(fragmentation.number(), beta) if fragmentation.value else Number(0)
    penalty = step("penalty", Product(gamma, power), same_line=True)
    score = step("METEOR", Product(mean.symbol(), FormulaDifference(one, penalty.symbol())))
    return matches, chunks, precision, recall, mean, fragmentation, penalty, score


# ---------------------------------------------------------------- what is said beside a score


def summary(result: Result) -> str:
    return count_with_noun(int(result.stats["chunks"]), "chunk")


def _pairs_with_reference(result: Result, k: int) -> MeteorPairs:
    """Return which words of the result's candidate may match which words of its reference `k`."""
    settings, (candidate, references) = cast(METEORSettings, result.settings), result.segment
    ours, theirs = _keyed_words(candidate, settings), _keyed_words(references[k], settings)
    links = _synonym_pairs(ours, theirs, _synonyms_or_none(candidate, settings))
    return (
        _pairs_with_synonyms(ours, theirs, links)
        if links
        else MeteorPairs(Reference(ours.keys), Reference(theirs.keys))
    )


def _sorted_cells(result: Result) -> list[Cell]:
    return sorted((cell.i, cell.j) for cell in result.cells())


def remark(result: Result) -> str:
    """Return sentences on matches that cross, on an approximate search and on a missing WordNet; "" if none applies."""
    settings = cast(METEORSettings, result.settings)
    sentences = []
    crossed = count_crossings(_sorted_cells(result))
    if crossed:
        sentences.append("1 pair of matches crosses." if crossed == 1 else f"{crossed} pairs of matches cross.")
    pairs_by_reference = [_pairs_with_reference(result, k) for k in range(len(result.segment.references))]
    if not all(map(is_search_exact, pairs_by_reference)):
        sentences.append(
            f"The alignment is approximate above {LONGEST} words or {STEPS:,} steps: METEOR 1.5's beam search may miss "
            "matches and find more chunks than necessary."
        )
    elif not pairs_by_reference[result.decides["score"]].matching().certain:
        sentences.append("Matches and chunks are exact; the distance may not be the smallest.")
    if "synonym" in settings.used and wordnet.version() is None:
        sentences.append(
            "WordNet is not installed, so the synonym stage is left out; `python -m nltk.downloader wordnet` "
            "installs it."
        )
    return " ".join(sentences)


def ties(result: Result, most: int) -> Ties:
    """Return the matchings with as many matches, as few chunks and as small a distance as the result's.

    If the exact search gives up, only the result's own matching is returned, and the number of others is unknown."""
    settings, k = cast(METEORSettings, result.settings), result.decides["score"]
    pairs = _pairs_with_reference(result, k)
    if not is_search_exact(pairs):
        chosen = tuple([Hit(i, k, j) for i, j in _sorted_cells(result)])
        return combined_ties(result, [uncounted_choice(chosen)], most, lambda _: result)
    alternatives, own_cells = pairs.alternatives(), {*_sorted_cells(result)}
    parts = [_ways_of_choice([alternatives.fixed], own_cells, k, True)]
    parts += [_ways_of_choice(choices, own_cells, k, alternatives.complete) for choices in alternatives.choices]

    def draw(picked: tuple[tuple[Hit, ...], ...]) -> Result:
        cells = sorted((cell.i, cell.j) for cells in picked for cell in cells)
        return replace(result, layers=_layers(result.segment, settings, k, cells))

    return combined_ties(result, parts, most, draw)


def _ways_of_choice(options: Sequence[tuple[Cell, ...]], own_cells: set[Cell], k: int, exact: bool) -> EqualChoices:
    """Return the alternatives of one part of the matching as `Ways`, the result's own alternative first.

    Each option is a tuple of cells; `exact` says whether the options are all that there are."""
    ordered = sorted(options, key=lambda cells: not own_cells.issuperset(cells))
    first = tuple([tuple([Hit(i, k, j) for i, j in cells]) for cells in ordered])
    always = frozenset(first[0]).intersection(*first)
    return EqualChoices(len(first), exact, first, always, frozenset().union(*first) - always)


#: The share of matched words that must be stems or synonyms for the words to be described as forms.
FORMS_LEAST = 0.25


#: How different words match, by stage, and the smallest penalty that the verdict mentions.
_AS, _TOLD = {"stem": "by the stem", "synonym": "by synonyms"}, 0.005


def account(result: Result) -> Account:
    """Return the clause and the counts with which a verdict explains the METEOR score.

    They say how many words match, how many of them by stem or synonym, in how many chunks, and the penalty."""
    parts, matched = result.parts, int(result.stats["matches"])
    says = matched_words_clause(matched, len(result.segment.candidate))
    others = [
        f"{number_in_words(len(layer.marks))} {how}" if matched > 1 else how
        for layer in result.layers
        for how in [_AS.get(layer.kind)]
        if how and layer.marks and layer.relation != "equal"
    ]
    says += f" ({' and '.join(others)})" if others else ""
    lengths = [len(run.cells()) for layer in result.layers for run in layer.marks if isinstance(run, Run)]
    says += pieces_phrase(lengths, "chunk")
    says += f"; penalty {parts['penalty']:.2f}" if parts["penalty"] >= _TOLD else ""
    says += uneven_lengths_clause(parts["precision"], parts["recall"])
    return Account(says, matched, len(lengths), max(lengths, default=0))


def sights(result: Result) -> Sequence[MeasuredAspect]:
    """Return the aspects that METEOR measures of a translation, from 0 to 1 each: words, word forms, long chunks.

    Word forms are an aspect only if many words match by stem or synonym."""
    stats, parts = result.stats, result.parts
    matched, n = stats["matches"], stats["candidate_length"]
    words = words_aspect(matched, n, stats["reference_length"])
    others = sum(len(layer.marks) for layer in result.layers if layer.relation in ("stem", "synonym"))
    chunks = [len(run.cells()) for layer in result.layers for run in layer.marks if isinstance(run, Run)]
    pieces = runs_aspect(1 - parts["penalty"], chunks)._replace(high="")  # even many chunks can cost little
    if not others:
        return words, pieces
    words = words._replace(high=f"{words.high}, {others} of them as other forms or synonyms")
    return (words._replace(of="forms", low=""), words, pieces) if others >= FORMS_LEAST * matched else (words, pieces)


def because(result: Result, hit: Hit) -> str:
    """Return the reason why the two words of a hit match: a common stem or a common synset; "" if they are equal.

    >>> from metrics import score
    >>> result = score("meteor", ["kills"], [["killed"]], stages=("exact", "stem"))
    >>> because(result, Hit(0, 0, 0))
    'both have the stem “kill”'
    """
    settings, (candidate, references) = cast(METEORSettings, result.settings), result.segment
    ours, theirs = candidate[hit.i], references[hit.k][hit.j]
    if ours == theirs:
        return ""
    stem = _keyed_words(candidate, settings).keys[hit.i]
    if stem == _keyed_words(references[hit.k], settings).keys[hit.j]:
        return f"both have the stem {quote_text(stem)}"
    return f"both are in {wordnet.describe_synset(ours, theirs)}"
