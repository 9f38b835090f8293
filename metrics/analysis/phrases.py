"""Selects the words of two outputs and their references that a sentence quotes, and formats the quotations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..types import Edit, Hit, Layer, Letters, Mark, Neighbours, Result, Run, Shift
from ..types.work import spend
from .changes import ChangePiece, LedgerChange
from .difference import matched_cells, word_diff

#: The most phrases of one kind that are quoted.
PHRASES_MOST = 3

#: The most words of a phrase that are quoted; of a longer one, the first and the last words are.
WORDS_MOST = 8

#: Smaller shares are rounding.
EQUAL = 1e-9

#: The part of the named words' share from which what others contribute in the opposite direction is mentioned.
OPPOSITE_LEAST = 0.1


class SentencePart(NamedTuple):
    """A part of a sentence: its text, and whether it quotes words of the texts (`is_words`)."""

    text: str
    is_words: bool = False


class QuotedWords(NamedTuple):
    """The words that a sentence quotes in place of the tokens: of A's candidate, B's candidate and the references.

    Each has one word for each token.
    """

    a: Sequence[str]
    b: Sequence[str]
    references: Sequence[Sequence[str]]


class CauseGroup(NamedTuple):
    """Ledger steps of one cause, which a sentence names together, and the sum of their shares.

    `moved` is "" except for words that both outputs match, but in different rounds of the metric. Then it is the noun
    for a round.
    """

    steps: tuple[LedgerChange, ...]
    share: float
    moved: str = ""

    @property
    def cause(self) -> str:
        return self.steps[0].cause

    @property
    def pieces(self) -> list[ChangePiece]:
        return [piece for step in self.steps for piece in step.pieces]


#: A word: its sentence ("a" or "b" for a candidate, else the index of a reference as text) and its position there.
Word: TypeAlias = "tuple[str, int]"


class PhraseTexts:
    """The texts from which a sentence quotes words, and which words belong together.

    `same` maps a word of one candidate to the same word of the other candidate. `pairs` maps a word that matches a
    different word, such as a synonym, to its partner and the reason.
    """

    def __init__(
        self,
        a: Result,
        b: Result,
        quoted_words: QuotedWords | None,
        because: Callable[[Result, Hit], str] | None = None,
    ) -> None:
        """Collect the words to quote, which are the tokens unless `quoted_words` is given.

        `because` returns the reason why the two different words of a cell match, or "" if they are equal.
        """
        a_words, b_words, references = quoted_words or QuotedWords(
            a.segment.candidate, b.segment.candidate, a.segment.references
        )
        self.words = {"a": a_words, "b": b_words, **{str(k): words for k, words in enumerate(references)}}
        theirs = {str(k): words for k, words in enumerate(a.segment.references)}
        self.tokens = {"a": a.segment.candidate, "b": b.segment.candidate, **theirs}
        self.same: dict[Word, Word] = {}
        for i, j in word_diff(a.segment.candidate, b.segment.candidate):
            if i is not None and j is not None:
                self.same |= {("a", i): ("b", j), ("b", j): ("a", i)}
        self.pairs: dict[Word, tuple[Word, str]] = {}
        for side, result in (("a", a), ("b", b)) if because else ():
            for cell in sorted(matched_cells(result), reverse=True):
                if because and (why := because(result, cell)):
                    self.pairs[side, cell.i] = (str(cell.k), cell.j), why

    def same_word_on(self, side: str, place: Word) -> Word:
        """Return the word of the candidate `side` ("a" or "b") that is the same as a word of the other candidate.

        If `side` lacks the word, or it is a word of a reference, it is returned as it is.
        """
        return self.same.get(place, place) if place[0] in "ab" and place[0] != side else place

    def tokens_at(self, places: Iterable[Word]) -> tuple[str, ...]:
        """Return the tokens of these words, as the metric compared them."""
        return tuple([self.tokens[side][place] for side, place in places])

    def quoted(self, phrase: Sequence[Word]) -> str:
        """Return the phrase as text, shortened if it is long."""
        return shortened_phrase([self.words[side][place] for side, place in phrase])


def shortened_phrase(words: Sequence[str]) -> str:
    """Return the words as text; of more than WORDS_MOST words, the first and the last ones."""
    half = WORDS_MOST // 2
    return " ".join([*words[:half], "…", *words[-half:]] if len(words) > WORDS_MOST else words)


def counts_marks(layers: Iterable[Layer]) -> bool:
    """Return whether each mark of the layers counts as one, and not as much as the information that it carries."""
    return all(credit == 1 for layer in layers for credit in layer.credits)


def quote_main_words(
    group: CauseGroup, better: bool, texts: PhraseTexts, opposite: str = "", preposition: str = ""
) -> Iterator[SentencePart]:
    """Yield sentence parts that quote the words with most of the group's share; of runs, all their words.

    What a word loses and gains in both texts is added up, even at two places. `better` says whether the group improves
    the score: then B's words are quoted, else A's. The words are only introduced as all of them if no others have a
    share. If others have a share of the opposite sign, "but" and `opposite` follow. `preposition` stands before the
    words.
    """
    side = "b" if better else "a"  # the output whose words are quoted if both have them
    pieces = group.pieces
    longest = group.cause == "contiguity" and not group.steps[0].cost
    weights: dict[Word, float] = {}
    runs = set[tuple[Word, ...]]()
    for piece, places in zip(pieces, words_of_pieces(pieces, side, texts), strict=True):
        for place in places:
            weights[place] = weights.get(place, 0.0) + math.copysign(1, group.share) * piece.share / len(places)
        if longest and isinstance(piece.mark, Run | Neighbours) and piece.share * group.share > 0:
            runs.add(places)
    weights, against = net_weights(weights, texts)
    weights = {place: weight for place, weight in weights.items() if weight > EQUAL}
    gross = math.fsum(weights.values())
    chosen_phrases, covered = _main_phrases(runs or [(place,) for place in weights], weights, gross)
    if chosen_phrases:
        whole = covered > 0.999 * gross and against <= 0.001 * gross
        how = "" if whole else ", mainly" if covered > gross / 2 else ", partly" if preposition else ", such as"
        yield SentencePart(f"{how} {preposition} " if preposition else f"{how or ':'} ")
        yield from _with_pairs(chosen_phrases, texts)
        if opposite and against > OPPOSITE_LEAST * gross:
            yield SentencePart(f", but {opposite}")


def quote_words_of_letters(steps: Iterable[LedgerChange], better: bool, texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield sentence parts that quote the words at which most of the n-grams of letters are gained, or lost.

    They are gained if B is `better`. Of an n-gram that is lost in one place and gained in another, neither counts.
    """
    weights = _weights_of_letters(steps, "gained" if better else "lost", texts)
    gross = math.fsum(weights.values())
    phrases, covered = _main_phrases([(place,) for place in weights], weights, gross)
    if phrases:
        yield SentencePart(f", {'mainly' if covered > gross / 2 else 'partly'} at ")
        yield from joined_phrases([texts.quoted(phrase) for phrase in phrases])


def _weights_of_letters(steps: Iterable[LedgerChange], kind: str, texts: PhraseTexts) -> dict[Word, float]:
    """Return how many of the n-grams that were gained, or lost, as `kind` says, are in each word.

    Half of an n-gram belongs to the word in which it begins, half to that in which it ends. Each step has n-grams of
    one length, of letters or of words.
    """
    side = "b" if kind == "gained" else "a"
    weights: dict[Word, float] = {}
    for step in steps:
        ends: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        others: Counter[tuple[str, ...]] = Counter()
        for piece in step.pieces:
            spend(1 + round(abs(piece.credit)))
            if piece.kind == kind:
                for gram, first, last in _grams(piece, texts.tokens[side]):
                    ends.setdefault(gram, []).append((first, last))
            elif piece.kind != "changed":
                others.update([gram for gram, _, _ in _grams(piece, texts.tokens["a" if side == "b" else "b"])])
        for gram, places in ends.items():
            part = 1 - others[gram] / len(places)
            for i in [i for pair in places for i in pair] if part > 0 else ():
                weights[side, i] = weights.get((side, i), 0.0) + part / 2
    return weights


def _grams(piece: ChangePiece, words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield the n-grams of a gained or lost mark, each with the words in which it begins and ends.

    `words` are those of the candidate that has the mark. The mark has one n-gram of words, or as many n-grams of
    letters as its credit says. A space that counts belongs to the word after it.
    """
    mark = piece.mark
    if not isinstance(mark, Letters):
        rows = [cell.i for cell in mark.cells()]
        yield tuple([words[i] for i in rows]), rows[0], rows[-1]
        return
    gap = " " if mark.length > sum([part.length for part in mark.pieces]) else ""
    text, owners = "", list[int]()
    for part in mark.pieces:
        letters = (gap if text else "") + words[part.i][part.at : part.at + part.length]
        text += letters
        owners += [part.i] * len(letters)
    order = mark.length + 1 - round(abs(piece.credit))
    for at in range(len(text) - order + 1):
        yield (text[at : at + order],), owners[at], owners[at + order - 1]


def _main_phrases(
    groups: Iterable[tuple[Word, ...]], weights: Mapping[Word, float], gross: float
) -> tuple[list[list[Word]], float]:
    """Return the phrases of the words with the largest weights, and the weight of these phrases.

    `groups` of words are taken, the one with the largest weight first, until they have more than half of `gross`, the
    weight of all words, and the next one has clearly less than the last one.
    """
    worth = {group: math.fsum([weights.get(place, 0.0) for place in group]) for group in groups}
    chosen, last = list[Word](), 0.0
    for group in sorted(worth, key=lambda group: (-round(worth[group], 12), group)):
        spend(1 + len(chosen) // 4)
        if worth[group] <= EQUAL or (total_weight(chosen, weights) > gross / 2 and worth[group] < 0.9 * last):
            break
        chosen += group
        last = worth[group]
    phrases = _largest_phrases(chosen, weights)
    return phrases, total_weight([place for phrase in phrases for place in phrase], weights)


def _largest_phrases(words: Iterable[Word], weights: Mapping[Word, float]) -> list[list[Word]]:
    """Return the words as phrases, the one with the largest weight first, at most PHRASES_MOST of them."""
    return sorted(group_into_phrases({*words}), key=lambda phrase: -total_weight(phrase, weights))[:PHRASES_MOST]


def quote_shared_words(
    marks: Sequence[tuple[Word, ...]], texts: PhraseTexts, one: str, several: str
) -> Iterator[SentencePart]:
    """Yield sentence parts that quote the words that most of some marks have, such as n-grams or pairs of words.

    The parts say whether all of the marks, most or some of them have one of the words. A mark is given by its words.
    The preposition `one` stands before single words, and `several` before phrases of several words.
    """
    weights: dict[Word, float] = {}
    marks_of: dict[Word, list[int]] = {}
    for number, mark in enumerate(marks):
        for place in mark:
            weights[place] = weights.get(place, 0.0) + 1 / len(mark)
            marks_of.setdefault(place, []).append(number)
    chosen, covered, last = list[Word](), set[int](), 0.0
    for place in sorted(weights, key=lambda place: (-round(weights[place], 12), place)):
        if len(covered) > len(marks) / 2 and weights[place] < 0.9 * last:
            break
        spend(1 + len(marks_of[place]) // 8)
        chosen.append(place)
        covered.update(marks_of[place])
        last = weights[place]
    chosen_phrases = _largest_phrases(chosen, weights)
    if chosen_phrases:
        covered = {number for phrase in chosen_phrases for place in phrase for number in marks_of[place]}
        how = "all" if len(covered) == len(marks) else "mostly" if len(covered) > len(marks) / 2 else "some"
        preposition = several if max(map(len, chosen_phrases)) > 1 else one
        yield SentencePart(": " if len(marks) == 1 else f", {how} {preposition} ")
        quotes = dict.fromkeys([texts.quoted(phrase) for phrase in chosen_phrases])
        either = one == "with" and len(marks) > 1
        yield from join_clauses([[SentencePart(quote, True)] for quote in quotes], "or" if either else "and")


def _with_pairs(word_phrases: Iterable[list[Word]], texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield sentence parts that quote the phrases, each once.

    A phrase is followed by the first of its words that matches a different word, such as a synonym, and the reason.
    """
    each = {texts.quoted(phrase): phrase for phrase in word_phrases}
    for part in joined_phrases(each):
        yield part
        if part.is_words:
            yield from _match_note(each[part.text], texts)


def _match_note(phrase: Sequence[Word], texts: PhraseTexts) -> Iterator[SentencePart]:
    """Yield the parts of a note in parentheses on the first word of a phrase that matches a different word, if any."""
    if word := next((word for word in phrase if word in texts.pairs), None):
        partner, why = texts.pairs[word]
        yield SentencePart(" (")
        if len(phrase) > 1:
            yield SentencePart(texts.quoted([word]), True)
            yield SentencePart(" ")
        yield SentencePart("for ")
        yield SentencePart(texts.quoted([partner]), True)
        yield SentencePart(f": {why})")


def words_of_pieces(pieces: Sequence[ChangePiece], side: str, texts: PhraseTexts) -> list[tuple[Word, ...]]:
    """Return the words of each piece of a change, as words of the candidate `side` ("a" or "b") where it has them too.

    What is lost at one place and gained at another with the same words counts as being at its place in `side`.
    """
    spots = [tuple(texts.same_word_on(side, place) for place in words_of_piece(piece)) for piece in pieces]
    spend(3 * len(spots) + sum(map(len, spots)))
    free: dict[str, dict[tuple[str, ...], list[int]]] = {"lost": {}, "gained": {}}
    lost, gained = ({spot for piece, spot in zip(pieces, spots, strict=True) if piece.kind == kind} for kind in free)
    stays = lost & gained
    for number, (piece, spot) in enumerate(zip(pieces, spots, strict=True)):
        if piece.kind != "changed" and spot not in stays:
            free[piece.kind].setdefault(texts.tokens_at(spot), []).append(number)
    side_kind, other_kind = ("gained", "lost") if side == "b" else ("lost", "gained")
    for tokens, numbers in free[other_kind].items():
        for number, other in zip(numbers, free[side_kind].get(tokens, ()), strict=False):
            spots[number] = spots[other]
    return spots


def gained_and_lost_words(
    pieces: Sequence[ChangePiece], side: str, texts: PhraseTexts
) -> tuple[list[tuple[Word, ...]], list[tuple[Word, ...]]]:
    """Return the words of the gained pieces and the words of the lost pieces, each as often as it is gained or lost.

    `side` ("a" or "b") is the candidate whose positions are used for words that both have. Words that are lost as often
    as they are gained, at the same place or elsewhere, are in neither list.
    """
    counts: Counter[tuple[Word, ...]] = Counter()
    for piece, spot in zip(pieces, words_of_pieces(pieces, side, texts), strict=True):
        counts[spot] += (piece.kind == "gained") - (piece.kind == "lost")
    waiting: dict[tuple[str, ...], list[tuple[Word, ...]]] = {}
    for spot, count in counts.items():
        if count < 0:
            waiting.setdefault(texts.tokens_at(spot), []).extend([spot] * -count)
    gained, lost = [], []
    for spot, count in counts.items():
        for _ in range(count):
            lost_spots = waiting.get(texts.tokens_at(spot))
            if lost_spots:
                lost_spots.pop()
            else:
                gained.append(spot)
    for each in waiting.values():
        lost += each
    return gained, lost


def net_weights(weights: Mapping[Word, float], texts: PhraseTexts) -> tuple[dict[Word, float], float]:
    """Return the weights without those of words that lose at one place what they gain at another, and what others lose.

    Such a word is, for example, part of another kind of edit now. `weights` has the share of each word.
    """
    of: dict[tuple[str, ...], float] = {}
    for place, weight in weights.items():
        form = texts.tokens_at([place])
        of[form] = of.get(form, 0.0) + weight
    kept = {place: weight for place, weight in weights.items() if of[texts.tokens_at([place])] > EQUAL}
    return kept, -math.fsum([weight for weight in of.values() if weight < 0])


def total_weight(places: Iterable[Word], weights: Mapping[Word, float]) -> float:
    """Return the total weight of the words, each counted once."""
    return math.fsum([weights.get(place, 0.0) for place in {*places}])


def words_of_piece(piece: ChangePiece) -> list[Word]:
    """Return the words that a piece concerns: words of the candidate, or the missing words of the reference."""
    mark, side = piece.mark, "a" if piece.kind == "lost" else "b"
    if isinstance(mark, Edit) and mark.op == "deletion":
        return [(str(mark.k), j) for j in range(mark.j_start, mark.j_end)]
    return [(side, i) for i in _candidate_positions(mark)]


def _candidate_positions(mark: Mark) -> Iterable[int]:
    """Return the candidate positions of a mark."""
    if isinstance(mark, Edit):
        return range(mark.i_start, mark.i_end)
    return mark.rows if isinstance(mark, Shift) else dict.fromkeys([cell.i for cell in mark.cells()])


def group_into_phrases(words: Iterable[Word]) -> list[list[Word]]:
    """Return the words grouped into phrases of adjacent words, in sentence order, the candidates' phrases first."""
    out: list[list[Word]] = []
    for side, place in sorted(words, key=lambda word: (word[0].isdigit(), word)):
        if out and out[-1][-1] == (side, place - 1):
            out[-1].append((side, place))
        else:
            out.append([(side, place)])
    return out


def joined_phrases(quotes: Iterable[str]) -> Iterator[SentencePart]:
    """Yield sentence parts that quote the phrases, each once, joined by commas and "and"."""
    yield from join_clauses([[SentencePart(phrase, True)] for phrase in dict.fromkeys(quotes)])


def join_clauses(each: Sequence[Sequence[SentencePart]], conjunction: str = "and") -> Iterator[SentencePart]:
    """Yield the clauses, each of one or more sentence parts, joined by commas and a conjunction."""
    for number, parts in enumerate(each):
        if number:
            yield SentencePart(f" {conjunction} " if number == len(each) - 1 else ", ")
        yield from parts


def quote_phrases(words: Iterable[Word], texts: PhraseTexts, explained: bool = False) -> Iterator[SentencePart]:
    """Yield sentence parts that quote the words as phrases.

    If there are too many phrases, only the longest are quoted, followed by the number of further words. If the matches
    are `explained`, a phrase is followed by a note on its first word that matches a different word.
    """
    yield from join_clauses(list(phrase_clauses(words, texts, explained)))


def phrase_clauses(words: Iterable[Word], texts: PhraseTexts, explained: bool = False) -> Iterator[list[SentencePart]]:
    """Yield the entries of the list that `quote_phrases` writes."""
    all_phrases = group_into_phrases(words)
    named_phrases = all_phrases
    if len(all_phrases) > PHRASES_MOST:
        named_phrases = sorted(all_phrases, key=lambda phrase: -len(phrase))[:PHRASES_MOST]
    words_left = sum(map(len, all_phrases)) - sum(map(len, named_phrases))
    for phrase in named_phrases:  # repeated ones count, too
        yield [SentencePart(texts.quoted(phrase), True), *(_match_note(phrase, texts) if explained else ())]
    if words_left:
        yield [SentencePart(f"{words_left} more {'word' if words_left == 1 else 'words'}")]
