"""Why B's score is another than A's, in one sentence made from the ledger.

>>> from metrics import METRICS, score
>>> references = ["police killed the gunman".split()]
>>> outputs = "the gunman kill police".split(), "police killed the big gunman".split()
>>> a, b = (score("gtm", words, references) for words in outputs)
>>> plain(sentence(METRICS["gtm"], a, b))
'Of +0.144, +0.174 is longer runs: “police killed the”; one extra word costs −0.075 (new without a match: “big”); \
+0.044 is more matched words: “killed”.'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..types import Edit, Mark, Metric, Neighbours, Result, Run, Shift, SkipBigram, isolated, signed, visible
from ..types.work import spend
from .changes import Change, Piece, ledger, matched, word_diff

#: Groups of steps that are named, and phrases that are quoted for each, at the most.
GROUPS_MOST = 4
PHRASES_MOST = 3

#: Words of a phrase that are quoted; of a longer one the first and the last.
WORDS_MOST = 8

#: Two scores that differ by less are equal but for rounding.
EQUAL = 1e-9


class Part(NamedTuple):
    """A part of a sentence; `is_words` where it quotes words of the texts."""

    text: str
    is_words: bool = False


class Shown(NamedTuple):
    """The words to quote for those of A's and B's candidate and of the references, one for one."""

    a: Sequence[str]
    b: Sequence[str]
    references: Sequence[Sequence[str]]


class Group(NamedTuple):
    """Steps of one cause, which the sentence names together, and the sum of their shares."""

    steps: tuple[Change, ...]
    share: float


def groups(steps: Iterable[Change]) -> list[Group]:
    """The steps by cause, blocks apart from blocks that follow each other; the largest share comes first."""
    by_cause: dict[tuple[str, bool], list[Change]] = {}
    for step in steps:
        by_cause.setdefault((step.cause, _of_neighbours(step)), []).append(step)
    found = [Group(tuple(each), math.fsum([step.share for step in each])) for each in by_cause.values()]
    return sorted(found, key=lambda group: -abs(group.share))


def sentence(
    metric: Metric,
    a: Result,
    b: Result,
    steps: Sequence[Change] | None = None,
    shown: Shown | None = None,
    decimals: int = 3,
) -> tuple[Part, ...]:
    """The sentence in parts: what the largest groups of steps are worth, and mainly by which words.

    `steps` is the ledger, where it is there already. The words quoted are the tokens, or those of `shown`. What is left
    out is worth less than what is named. Where the scores are equal it says why. Numbers have so many `decimals`, or
    more where they would not tell that.
    """
    steps = ledger(metric, a, b) if steps is None else steps
    texts = _Texts(a, b, shown)
    change = b.score - a.score
    named, digits = _named(groups(steps), change, decimals)
    if abs(change) < EQUAL:
        return (*_equal(metric, a, b, steps, named, digits, texts), Part("."))
    side = "" if metric.higher_is_better else ", which is better," if change < 0 else ", which is worse,"
    if len(named) == 1 and signed(named[0].share, digits) == signed(change, digits):
        verbal = _cause(named[0]) in _VERBS
        said = [Part(f"All of {signed(change, digits)}{side} is {'what ' if verbal else ''}")]
        said += _verbal(metric, named[0], "", texts) if verbal else _what(metric, named[0], texts)
    else:
        said = [Part(f"Of {signed(change, digits)}{side or ','} "), *_clauses(metric, named, digits, texts)]
    for name, result in zip("AB", (a, b), strict=True):
        if metric.zero and (reason := metric.zero(result)):
            said.append(Part(f"; in {name}: {_lower(reason)}"))
    return (*said, Part("."))


def plain(parts: Iterable[Part]) -> str:
    """The sentence as plain text, words in quotation marks, what cannot be printed in them as U+FFFD."""
    return "".join([f"“{isolated(visible(part.text))}”" if part.is_words else part.text for part in parts])


# ---------------------------------------------------------------- what is named


def _of_neighbours(step: Change) -> bool:
    return any(isinstance(piece.mark, Neighbours) for piece in step.pieces[:1])


def _named(found: Sequence[Group], change: float, decimals: int) -> tuple[list[Group], int]:
    """The groups that do not round to 0, and the decimals with which the others are worth less than they."""
    for digits in range(decimals, 10):
        named = [group for group in found[:GROUPS_MOST] if abs(group.share) >= 0.5 * 10**-digits]
        left = math.fsum([abs(group.share) for group in found if group not in named])
        told = abs(change) < EQUAL or abs(change) >= 0.5 * 10**-digits
        if told and (left < math.fsum([abs(group.share) for group in named]) or left < EQUAL):
            break
    return named, digits


def _equal(
    metric: Metric,
    a: Result,
    b: Result,
    steps: Sequence[Change],
    named: Sequence[Group],
    digits: int,
    texts: _Texts,
) -> Iterator[Part]:
    if a.segment.candidate == b.segment.candidate:
        yield Part("A and B are the same, word for word")
        return
    score = f"{b.score:.{digits}f}"
    if named:
        yield Part(f"Both score {score}, for the changes cancel: ")
        yield from _clauses(metric, named, digits, texts)
        return
    reasons = [metric.zero(result) if metric.zero else "" for result in (a, b)]
    if reasons[0] == reasons[1] != "":
        yield Part(f"Both score {score}: {_lower(reasons[1])}")
    elif any(reasons):
        both = [f"{name}: {_lower(reason)}" for name, reason in zip("AB", reasons, strict=True) if reason]
        yield Part(f"Both score {score}; in {'; in '.join(both)}")
    elif not matched(a) and not matched(b):
        yield Part(f"Both score {score}: no word of either is matched")
    else:
        why = "what has changed counts as much as before" if steps else "nothing that counts has changed"
        yield Part(f"Both score {score}: {why}")


def _lower(text: str) -> str:
    return (text[:1].lower() + text[1:]).removesuffix(".")


def _clauses(metric: Metric, named: Sequence[Group], digits: int, texts: _Texts) -> Iterator[Part]:
    for number, group in enumerate(named):
        if number:
            yield Part("; ")
        share = signed(group.share, digits)
        if _cause(group) in _VERBS:
            yield from _verbal(metric, group, f" {share}", texts)
        else:
            yield Part(f"{share} is ")
            yield from _what(metric, group, texts)


# ---------------------------------------------------------------- groups in words

#: Causes that cost or give something, and are not something that there is more or less of.
_VERBS = ("length", "references")

_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def _cause(group: Group) -> str:
    return group.steps[0].cause


def _counted(count: float) -> str:
    return _NUMBERS[int(count)] if count < len(_NUMBERS) else f"{count:.0f}"


def _better(metric: Metric, group: Group) -> bool:
    return (group.share > 0) == metric.higher_is_better


def _verbal(metric: Metric, group: Group, share: str, texts: _Texts) -> Iterator[Part]:
    """Lengths: what they cost or give, and the words without a match behind it."""
    step, better = group.steps[0], _better(metric, group)
    if step.cause == "references":
        yield Part(f"the length of another reference {'gives' if better else 'costs'}{share}")
        return
    count = abs(step.after - step.before)
    words = "word" if count == 1 else "words"
    what = f"{_counted(count)} extra {words}" if step.after > step.before else f"{_counted(count)} {words} fewer"
    verb = ("gives" if count == 1 else "give") if better else "costs" if count == 1 else "cost"
    yield Part(f"{what if count else 'the length'} {verb}{share}")
    longer = step.after > step.before
    places = [("b", place) for place in step.came] if longer else [("a", place) for place in step.gone]
    if step.why:
        yield Part(f" ({'' if longer else 'no '}room for more words that match)")
    elif places:
        phrases = _phrases(places)
        all_named = len(phrases) <= PHRASES_MOST
        yield Part(f" ({'new' if longer else 'gone'} without a match{':' if all_named else ', such as'} ")
        yield from _listed(map(texts.quoted, phrases[:PHRASES_MOST]))
        yield Part(")")


def _what(metric: Metric, group: Group, texts: _Texts) -> Iterator[Part]:
    """What there is more or less of, and the words that have most of it."""
    better = _better(metric, group)
    yield Part(_phrase(group, better))
    yield from _words(group, better, texts)


def _phrase(group: Group, better: bool) -> str:
    cause, steps = _cause(group), group.steps
    pieces = [piece for step in steps for piece in step.pieces]
    more = math.fsum([step.after - step.before for step in steps])
    if cause == "edits":
        if not more:
            return "other edits"
        return f"{_counted(abs(more))} {'edit' if abs(more) == 1 else 'edits'} {'more' if more > 0 else 'fewer'}"
    if cause == "gaps":
        return f"{'less' if better else 'more'} lost to gaps"
    if steps[0].cost:
        name = steps[0].name
        return f"{'fewer' if more < 0 else 'more'} {name}" if more and (more < 0) == better else f"other {name}"
    if cause == "contiguity":
        if _of_neighbours(steps[0]):
            return f"{'more' if better else 'less'} for runs that follow each other"
        return f"{'longer' if better else 'shorter'} runs"
    if any(isinstance(piece.mark, SkipBigram) for piece in pieces):
        noun = "matching pairs of words"
    elif pieces and all(len(piece.mark.cells()) == 1 for piece in pieces):
        noun = "matched words"
    else:
        noun = "matching n-grams" if pieces else "matches"
    balance = sum([(piece.kind == "gained") - (piece.kind == "lost") for piece in pieces]) if pieces else more
    if balance and (balance > 0) == better:
        return f"{'more' if better else 'fewer'} {noun}"
    return f"{noun} that count {'more' if better else 'less'}"


# ---------------------------------------------------------------- words

#: Which sentence, and where in it: "a" and "b" for the candidates, else the number of the reference.
_Word: TypeAlias = "tuple[str, int]"


class _Texts:
    """The words to quote, and for each word of A and of B the two places where it stands in both."""

    def __init__(self, a: Result, b: Result, shown: Shown | None) -> None:
        a_words, b_words, references = shown or Shown(a.segment.candidate, b.segment.candidate, a.segment.references)
        self.words = {"a": a_words, "b": b_words, **{str(k): words for k, words in enumerate(references)}}
        theirs = {str(k): words for k, words in enumerate(a.segment.references)}
        self.tokens = {"a": a.segment.candidate, "b": b.segment.candidate, **theirs}
        self.same: dict[_Word, _Word] = {}
        for i, j in word_diff(a.segment.candidate, b.segment.candidate):
            if i is not None and j is not None:
                self.same |= {("a", i): ("b", j), ("b", j): ("a", i)}

    def on(self, side: str, place: _Word) -> _Word:
        """A candidate's word as one of the candidate `side`, where that has it too."""
        return self.same.get(place, place) if place[0] in "ab" and place[0] != side else place

    def tokens_at(self, places: Iterable[_Word]) -> tuple[str, ...]:
        """The words as they were matched."""
        return tuple([self.tokens[side][place] for side, place in places])

    def quoted(self, phrase: Sequence[_Word]) -> str:
        words = [self.words[side][place] for side, place in phrase]
        if len(words) > WORDS_MOST:
            half = WORDS_MOST // 2
            return f"{' '.join(words[:half])} … {' '.join(words[-half:])}"
        return " ".join(words)


def _words(group: Group, better: bool, texts: _Texts) -> Iterator[Part]:
    """The words to which most of the group's share belongs, of runs that are longer or shorter the whole runs.

    What a word of both loses and gains is taken together, also where it does so at two places.
    """
    side = "b" if better else "a"  # whose words are quoted where both have them
    pieces = [piece for step in group.steps for piece in step.pieces]
    longest = _cause(group) == "contiguity" and not group.steps[0].cost
    weights: dict[_Word, float] = {}
    runs = set[tuple[_Word, ...]]()
    for piece, places in zip(pieces, _paired(pieces, side, texts), strict=True):
        for place in places:
            weights[place] = weights.get(place, 0.0) + math.copysign(1, group.share) * piece.share / len(places)
        whole = (longest and isinstance(piece.mark, Run)) or isinstance(piece.mark, Edit | Shift)
        if whole and piece.share * group.share > 0:
            runs.add(places)
    weights = _own(weights, texts)
    weights = {place: weight for place, weight in weights.items() if weight > EQUAL}
    gross = math.fsum(weights.values())
    worth = {run: math.fsum([weights.get(place, 0.0) for place in run]) for run in runs or [(w,) for w in weights]}
    chosen: list[_Word] = []
    last = 0.0
    for run in sorted(worth, key=lambda run: (-round(worth[run], 12), run)):
        spend(1 + len(chosen) // 4)
        if worth[run] <= EQUAL or (_sum(chosen, weights) > gross / 2 and worth[run] < 0.9 * last):
            break
        chosen += run
        last = worth[run]
    phrases = sorted(_phrases({*chosen}), key=lambda phrase: -_sum(phrase, weights))[:PHRASES_MOST]
    if phrases:
        covered = _sum([place for phrase in phrases for place in phrase], weights)
        yield Part(": " if covered > 0.999 * gross else ", mainly " if covered > gross / 2 else ", such as ")
        yield from _listed(map(texts.quoted, phrases))


def _paired(pieces: Sequence[Piece], side: str, texts: _Texts) -> list[tuple[_Word, ...]]:
    """The words of each piece, as those of the candidate `side` where that has them too: at the same place, or, of what
    is lost at one place and gained at another with the same words, there."""
    spots = [tuple(texts.on(side, place) for place in _places(piece)) for piece in pieces]
    spend(3 * len(spots) + sum(map(len, spots)))
    free: dict[str, dict[tuple[str, ...], list[int]]] = {"lost": {}, "gained": {}}
    lost, gained = ({spot for piece, spot in zip(pieces, spots, strict=True) if piece.kind == kind} for kind in free)
    stays = lost & gained
    for number, (piece, spot) in enumerate(zip(pieces, spots, strict=True)):
        if piece.kind != "changed" and spot not in stays:
            free[piece.kind].setdefault(texts.tokens_at(spot), []).append(number)
    here, there = ("gained", "lost") if side == "b" else ("lost", "gained")
    for tokens, numbers in free[there].items():
        for number, other in zip(numbers, free[here].get(tokens, ()), strict=False):
            spots[number] = spots[other]
    return spots


def _own(weights: Mapping[_Word, float], texts: _Texts) -> dict[_Word, float]:
    """The weights but for those of words that lose at other places what they gain, as a word that is an edit of
    another kind now."""
    of: dict[tuple[str, ...], float] = {}
    for place, weight in weights.items():
        form = texts.tokens_at([place])
        of[form] = of.get(form, 0.0) + weight
    return {place: weight for place, weight in weights.items() if of[texts.tokens_at([place])] > EQUAL}


def _sum(places: Iterable[_Word], weights: Mapping[_Word, float]) -> float:
    return math.fsum([weights.get(place, 0.0) for place in {*places}])


def _places(piece: Piece) -> list[_Word]:
    """The words of a piece: the candidate's, or the reference's that are missing."""
    mark, side = piece.mark, "a" if piece.kind == "lost" else "b"
    if isinstance(mark, Edit) and mark.op == "deletion":
        return [(str(mark.k), j) for j in range(mark.j_start, mark.j_end)]
    return [(side, i) for i in _rows(mark)]


def _rows(mark: Mark) -> Iterable[int]:
    if isinstance(mark, Edit):
        return range(mark.i_start, mark.i_end)
    return mark.rows if isinstance(mark, Shift) else dict.fromkeys([cell.i for cell in mark.cells()])


def _phrases(words: Iterable[_Word]) -> list[list[_Word]]:
    """Words that stand next to each other, in the order of the sentences, the candidate's first."""
    out: list[list[_Word]] = []
    for side, place in sorted(words, key=lambda word: (word[0].isdigit(), word)):
        if out and out[-1][-1] == (side, place - 1):
            out[-1].append((side, place))
        else:
            out.append([(side, place)])
    return out


def _listed(phrases: Iterable[str]) -> Iterator[Part]:
    """The phrases, each once, with commas and an "and"."""
    each = list(dict.fromkeys(phrases))
    for number, phrase in enumerate(each):
        if number:
            yield Part(" and " if number == len(each) - 1 else ", ")
        yield Part(phrase, True)
