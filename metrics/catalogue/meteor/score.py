"""Words matched as they are, by stem or by meaning; the fewer chunks they stand in, the better.

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
stems are those of its own stemmer, synonyms are English alone, and a stage that the language has not is left out.

The search is exact for sentences of up to 80 words, unless it takes more than 20,000 steps. Beyond that it is METEOR
1.5's own beam search of 40 paths, so that long texts score what they score there. That program uses its beam from the
first word on and counts, while it searches, only exact matches: it may miss matches and find more chunks than need be.
Of 2,489 real segments 241 so get another score from it with exact matching and 295 with stems, and those of up to 80
words never a better alignment than ours. In the synonym stage it can leave a synonym out that would begin a new chunk,
and where the two WordNets differ in version or base forms, so do the synonyms.

Rewards: words of the reference in any form, recall nine times as much as precision by default, and words that keep
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
from typing import NamedTuple

from ...alignment.bitext import Reference
from ...alignment.meteor_beam import beam
from ...alignment.meteor_cells import Cell, chunks_of, crossings
from ...alignment.meteor_chunks import STEPS, MeteorPairs, connected
from ...alignment.ngrams import clipped_counts
from ...alignment.references import best_reference
from ...alignment.ties import Ways, combined_ties, only_chosen_way
from ...formula import (
    Expr,
    FormulaDifference,
    FormulaStep,
    Number,
    Power,
    Product,
    Quotient,
    Sum,
    Terms,
    counted,
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
    Relation,
    Result,
    Run,
    Score,
    Segment,
    Sight,
    StatisticRole,
    Ties,
    Tokens,
    TooHard,
    in_pieces,
    in_words,
    lengths_differ,
    words_in_runs,
    words_match,
    words_matched,
)
from ...types.work import spend
from .settings import STAGES, METEORSettings

#: The number of words up to which sentences are searched exactly.
LONGEST = 80


# ---------------------------------------------------------------- which words match


@lru_cache(maxsize=64)
def _stems(words: Tokens, stemmer: tuple[str, str]) -> Tokens:
    return tuple([stem(word, *stemmer) for word in words])


class _Synonyms:
    """The synonyms among the words of a candidate, found by WordNet's synsets and cached by word."""

    def __init__(self, words: Tokens) -> None:
        self.synsets = {word: wordnet.base_synsets(word) for word in dict.fromkeys(words)}
        self.of_one: set[int] = set()  # the synsets of at least one word; `of_two`: of at least two
        self.of_two: set[int] = set()
        for synsets in self.synsets.values():
            self.of_two |= self.of_one & synsets
            self.of_one |= synsets
        self.found: dict[str, list[str]] = {}

    def synonyms_of(self, word: str) -> list[str]:
        """Return the words of the candidate that share a synset with `word`, except `word` itself, in order."""
        if word not in self.found:
            shared = wordnet.base_synsets(word) & (self.of_two if word in self.synsets else self.of_one)
            ours = self.synsets.items() if shared else ()  # faster, as mostly nothing is shared
            self.found[word] = [other for other, of in ours if other != word and not shared.isdisjoint(of)]
        return self.found[word]


class _KeyedWords(NamedTuple):
    """The words of a sentence with their keys: stems if stems are a stage, else the words; equal keys match."""

    words: Tokens
    keys: Tokens


def _keyed_words(words: Tokens, settings: METEORSettings) -> _KeyedWords:
    spend(len(words) // 4)
    return _KeyedWords(words, _stems(words, settings.stems) if settings.stems and "stem" in settings.used else words)


def _synonyms_or_none(candidate: Tokens, settings: METEORSettings) -> _Synonyms | None:
    """Return the synonyms of the candidate's words; None if synonyms do not match."""
    return _Synonyms(candidate) if "synonym" in settings.used and wordnet.version() is not None else None


class _Link(NamedTuple):
    """Two words that match only as synonyms, and their keys."""

    ours: str
    theirs: str
    keys: tuple[str, str]


def _links(candidate: _KeyedWords, reference: _KeyedWords, synonyms: _Synonyms | None) -> list[_Link]:
    """Return the pairs of words that share a synset but not their keys, in the order of the candidate's words."""
    if synonyms is None:
        return []
    word_pairs = [(a, b) for b in dict.fromkeys(reference.words) for a in synonyms.synonyms_of(b)]
    if not word_pairs:
        return []
    ours, theirs = dict(zip(*candidate, strict=True)), dict(zip(*reference, strict=True))
    links = [_Link(a, b, (ours[a], theirs[b])) for a, b in word_pairs if ours[a] != theirs[b]]
    return sorted(links, key=lambda link: candidate.words.index(link.ours))


def _extra_matches(candidate: _KeyedWords, reference: _KeyedWords, links: Sequence[_Link]) -> int:
    """Return how many more words can match through links, at the most, than without them."""
    if not links:
        return 0
    ours, theirs = {link.ours for link in links}, {link.theirs for link in links}
    return min(sum([word in ours for word in candidate.words]), sum([word in theirs for word in reference.words]))


def _linked_pairs(candidate: _KeyedWords, reference: _KeyedWords, links: Sequence[_Link]) -> MeteorPairs:
    """Return pairs with one key for all words that links join, directly or through others.

    The pairs are loose if not all words with one key match each other. For sentences that are too long for an exact
    search, it is not recorded which of them match."""
    joined = connected(links, attrgetter("keys"))
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
    """The number of matches and chunks of the best matching with a reference.

    `cells` are its cells if an approximation found it, None if the search was exact."""

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
    if is_exact(pairs):
        return _BestMatching(pairs.matches, pairs.chunks, pairs, None)
    cells = beam(_beam_choices(candidate, reference, settings, synonyms), len(candidate.words))
    return _BestMatching(len(cells), chunks_of(cells), pairs, cells)


def is_exact(pairs: MeteorPairs) -> bool:
    """Return whether matches and chunks of two sentences are found exactly; for equal sentences they always are."""
    if not pairs.is_identical and max(len(pairs.candidate.tokens), len(pairs.reference.tokens)) > LONGEST:
        return False
    try:
        return pairs.chunks >= 0
    except TooHard:
        return False


def _beam_choices(
    candidate: _KeyedWords, reference: _KeyedWords, settings: METEORSettings, synonyms: _Synonyms | None
) -> list[list[tuple[int, int]]]:
    """Return what METEOR 1.5 searches: for each reference word its matches as (weight, row), a stage at a time.

    The first stage weighs 1 and the others 0: METEOR 1.5 multiplies them by one half and drops fractions. A word that
    is both of the same stem and a synonym is listed twice."""
    spend(2 * (len(candidate.words) + len(reference.words)))
    by_word, by_key = Reference(candidate.words).places, Reference(candidate.keys).places
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


def _means(matches: Amount, n: Amount, m: Amount, settings: METEORSettings) -> tuple[Amount, Amount, Amount]:
    """Return precision, recall and F."""
    calc = ARITHMETIC[type(matches)]
    precision, recall = calc.ratio(matches, n), calc.ratio(matches, m)
    return precision, recall, calc.ratio(precision * recall, settings.alpha * precision + (1 - settings.alpha) * recall)


def _score(
    matches: Amount, chunks: Amount, whole: Amount, n: Amount, m: Amount, settings: METEORSettings
) -> Score[Amount]:
    calc = ARITHMETIC[type(matches)]
    precision, recall, mean = _means(matches, n, m, settings)
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
    links = [_links(ours, words, synonyms) for words in theirs]
    # The most that each reference can score: all its matches in one chunk.
    most = [count + _extra_matches(ours, words, of) for count, words, of in zip(common, theirs, links, strict=True)]
    limits = [_means(count, n, len(words), settings)[2] for count, words in zip(most, references, strict=True)]
    index = Reference(ours.keys)
    top = 0.0  # the best score so far

    def evaluate_reference(k: int) -> tuple[float, tuple[_BestMatching, tuple[int, int, int, int, int]]]:
        nonlocal top
        if links[k]:
            pairs = _linked_pairs(ours, theirs[k], links[k])
        else:
            pairs = MeteorPairs(index, Reference(theirs[k].keys), common=common[k])
        m = len(references[k])
        if top and max(n, m) > LONGEST and settings.beta >= 1:
            # An upper limit of the score: a joint for every two words in a row that both have. It must grow with the
            # matches, so the penalty must not rise faster than F: β ≥ 1 is enough.
            fewest = max(most[k] - _joint_limit(pairs), 1)
            limit = _score(most[k], fewest, int(fewest == 1 and most[k] == n == m), n, m, settings).score
            if limit < top:
                return limit, (_BestMatching(0, 0, pairs, ()), (0, 0, 0, n, m))
        best = _best_matching(pairs, ours, theirs[k], settings, synonyms)
        whole = int(best.chunks == 1 and best.matches == n == m)
        counts = best.matches, best.chunks, whole, n, m
        score = _score(*counts, settings).score
        top = max(top, score)
        return score, (best, counts)

    k, (best, counts) = best_reference(limits, evaluate_reference)
    layers: tuple[Layer, ...] = ()
    if marks:
        layers = _layers(segment, settings, k, best.pairs.matching().cells if best.cells is None else best.cells)
    return Alignment(dict(zip(_STATISTICS, counts, strict=True)), layers, {"score": k})


def _joint_limit(pairs: MeteorPairs) -> int:
    """Return how many matches, at the most, can directly follow another match in both sentences."""
    ours, theirs = ([*pairwise(side.tokens)] for side in (pairs.candidate, pairs.reference))
    return clipped_counts(ours, [theirs])[0]


def _layers(segment: Segment, settings: METEORSettings, k: int, cells: Iterable[Cell]) -> tuple[Layer, ...]:
    """Return a layer of hits for each stage and one of chunks; a match is in the first stage that finds it."""
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
    return _score(stats["matches"], stats["chunks"], stats["whole"], n, m, settings)


def complete(
    stats: dict[str, float], settings: METEORSettings, words: Mapping[str, float], references: tuple[Tokens, ...]
) -> None:
    """Change a mixture of two outputs' statistics, in place, into statistics that one output can have.

    At most as many words match as the reference has, and the candidate becomes long enough for them. There is at least
    one chunk and at most one per match. Whether one chunk covers both sentences ("whole") follows."""
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
    stats, settings = result.stats, result.settings
    assert isinstance(settings, METEORSettings)
    one = Number(1)
    n, m = number_of(stats["candidate_length"], "word"), number_of(stats["reference_length"], "word")
    *words, chunked = [[one] * len(layer.marks) for layer in result.layers]
    terms = [*(Terms(t, those, "word", n.value) for t, those in enumerate(words)), Terms(len(words), chunked)]
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
    return counted(int(result.stats["chunks"]), "chunk")


def _pairs_with_reference(result: Result, k: int) -> MeteorPairs:
    """Return which words of the result's candidate and of its reference `k` may match."""
    settings, (candidate, references) = result.settings, result.segment
    assert isinstance(settings, METEORSettings)
    ours, theirs = _keyed_words(candidate, settings), _keyed_words(references[k], settings)
    links = _links(ours, theirs, _synonyms_or_none(candidate, settings))
    return _linked_pairs(ours, theirs, links) if links else MeteorPairs(Reference(ours.keys), Reference(theirs.keys))


def _sorted_cells(result: Result) -> list[Cell]:
    return sorted((cell.i, cell.j) for cell in result.cells())


def remark(result: Result) -> str:
    """Return remarks on matches that cross, on a search that was not exact, and on a missing WordNet."""
    settings = result.settings
    assert isinstance(settings, METEORSettings)
    sentences = []
    crossed = crossings(_sorted_cells(result))
    if crossed:
        sentences.append("1 pair of matches crosses." if crossed == 1 else f"{crossed} pairs of matches cross.")
    pairs_by_reference = [_pairs_with_reference(result, k) for k in range(len(result.segment.references))]
    if not all(map(is_exact, pairs_by_reference)):
        sentences.append(
            f"The alignment is approximate above {LONGEST} words or {STEPS:,} steps: METEOR 1.5's beam search may miss "
            "matches and find more chunks than need be."
        )
    elif not pairs_by_reference[result.decides["score"]].matching().certain:
        sentences.append("Matches and chunks are certain; whether the distance is the smallest is not.")
    if "synonym" in settings.used and wordnet.version() is None:
        sentences.append(
            "WordNet is not installed, so the synonym stage is left out; `python -m nltk.downloader wordnet` "
            "installs it."
        )
    return " ".join(sentences)


def ties(result: Result, most: int) -> Ties:
    """Return all matchings with as many matches, as few chunks and as small a distance as the result's.

    They are not counted if the exact search gives up."""
    settings, k = result.settings, result.decides["score"]
    assert isinstance(settings, METEORSettings)
    pairs = _pairs_with_reference(result, k)
    if not is_exact(pairs):
        chosen = tuple([Hit(i, k, j) for i, j in _sorted_cells(result)])
        return combined_ties(result, [only_chosen_way(chosen)], most, lambda _: result)
    alternatives, own_cells = pairs.alternatives(), {*_sorted_cells(result)}
    parts = [_ways_of_choice([alternatives.fixed], own_cells, k, True)]
    parts += [_ways_of_choice(choices, own_cells, k, alternatives.complete) for choices in alternatives.choices]

    def draw(picked: tuple[tuple[Hit, ...], ...]) -> Result:
        cells = sorted((cell.i, cell.j) for cells in picked for cell in cells)
        return replace(result, layers=_layers(result.segment, settings, k, cells))

    return combined_ties(result, parts, most, draw)


def _ways_of_choice(options: Sequence[tuple[Cell, ...]], own_cells: set[Cell], k: int, exact: bool) -> Ways:
    """Return the options of one choice as `Ways`, with the result's own option first."""
    ordered = sorted(options, key=lambda cells: not own_cells.issuperset(cells))
    first = tuple([tuple([Hit(i, k, j) for i, j in cells]) for cells in ordered])
    always = frozenset(first[0]).intersection(*first)
    return Ways(len(first), exact, first, always, frozenset().union(*first) - always)


#: The share of matched words that must be stems or synonyms for the words to be described as forms.
FORMS_LEAST = 0.25


#: How different words match, by stage, and the smallest penalty that the verdict mentions.
_AS, _TOLD = {"stem": "by the stem", "synonym": "by synonyms"}, 0.005


def account(result: Result) -> Account:
    """Return what the verdict says: the matched words, how many match by stem or synonym, and the chunks."""
    parts, matched = result.parts, int(result.stats["matches"])
    says = words_match(matched, len(result.segment.candidate))
    others = [
        f"{in_words(len(layer.marks))} {how}" if matched > 1 else how
        for layer in result.layers
        for how in [_AS.get(layer.kind)]
        if how and layer.marks and layer.relation != "equal"
    ]
    says += f" ({' and '.join(others)})" if others else ""
    lengths = [len(run.cells()) for layer in result.layers for run in layer.marks if isinstance(run, Run)]
    says += in_pieces(lengths, "chunk")
    says += f"; penalty {parts['penalty']:.2f}" if parts["penalty"] >= _TOLD else ""
    says += lengths_differ(parts["precision"], parts["recall"])
    return Account(says, matched, len(lengths), max(lengths, default=0))


def sights(result: Result) -> Sequence[Sight]:
    """Return what METEOR sees of a translation: the matched words, those matched by stem or synonym, and the chunks."""
    stats, parts = result.stats, result.parts
    matched, n = stats["matches"], stats["candidate_length"]
    words = words_matched(matched, n, stats["reference_length"])
    others = sum(len(layer.marks) for layer in result.layers if layer.relation in ("stem", "synonym"))
    chunks = [len(run.cells()) for layer in result.layers for run in layer.marks if isinstance(run, Run)]
    pieces = words_in_runs(1 - parts["penalty"], chunks)._replace(high="")  # even many chunks can cost little
    if not others:
        return words, pieces
    words = words._replace(high=f"{words.high}, {others} of them as other forms or synonyms")
    return (words._replace(of="forms", low=""), words, pieces) if others >= FORMS_LEAST * matched else (words, pieces)


def keys(words: Tokens, settings: METEORSettings) -> Tokens:
    """Return the keys by which words match without synonyms: their stems, or the words themselves."""
    return _keyed_words(words, settings).keys
