"""What each word of a candidate is worth: what every change of one word does to the score, and which words cost
together.

Both searches give what they find one by one, so that whoever asks can stop, and go on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from ..alignment.edits import script
from ..types import Metric, Segment, Settings, Tokens
from ..types.work import spend_reading

SAME = 0.0005  # a smaller change of the score is printed as 0 in three decimals, and makes nothing better or worse

# ---------------------------------------------------------------- one word


class Effect(NamedTuple):
    """What one change of the candidate would do: the new score, and its difference to the present one.

    "delete" takes candidate word i away; "insert" puts word j of reference k before candidate word i; "replace" puts
    it in the place of candidate word i. For a deletion k and j are −1.
    """

    action: Literal["delete", "insert", "replace"]
    i: int
    k: int
    j: int
    score: float
    delta: float


def effects(metric: Metric, segment: Segment, settings: Settings) -> Iterator[Effect]:
    """Every single deletion, and every reference word that the candidate lacks put where a shortest script puts it.

    A word that two references would put into the same place is tried once. They come one by one, since a long sentence
    takes its time. Raises what the metric raises.

    >>> from metrics import METRICS, settings
    >>> segment = Segment(("a", "x"), (("a", "b"),))
    >>> [(e.action, e.i, round(e.delta, 3)) for e in effects(METRICS["rouge_l"], segment, settings("rouge_l"))]
    [('delete', 0, -0.5), ('delete', 1, 0.167), ('replace', 1, 0.5)]
    """
    base = score_of(metric, segment, settings)
    for kind, i, k, j in _trials(segment):
        trial = Effect(kind, i, k, j, base, 0.0)
        score = score_of(metric, segment._replace(candidate=applied(trial, segment)), settings)
        yield trial._replace(score=score, delta=score - base)


def effect_count(segment: Segment) -> int:
    """How many effects there are."""
    return sum(1 for _ in _trials(segment))


def _trials(segment: Segment) -> Iterator[tuple[Literal["delete", "insert", "replace"], int, int, int]]:
    candidate, references = segment
    for i in range(len(candidate)):
        yield "delete", i, -1, -1
    seen_trials = set()
    for k, reference in enumerate(references):
        for edit in script(candidate, reference, k):
            if edit.op in ("deletion", "substitution"):
                kind: Literal["insert", "replace"] = "insert" if edit.op == "deletion" else "replace"
                trial = (kind, edit.i_start, reference[edit.j_start])
                if trial not in seen_trials:
                    seen_trials.add(trial)
                    yield kind, edit.i_start, k, edit.j_start


def applied(effect: Effect, segment: Segment) -> Tokens:
    """The candidate after the change of an effect.

    >>> applied(Effect("insert", 1, 0, 1, 0.0, 0.0), Segment(("a", "c"), (("a", "b", "c"),)))
    ('a', 'b', 'c')
    """
    candidate, i = segment.candidate, effect.i
    word = () if effect.action == "delete" else (segment.references[effect.k][effect.j],)
    return candidate[:i] + word + candidate[i + (effect.action != "insert") :]


def gain(effect: Effect, metric: Metric) -> float:
    """By how much a change makes the score better, negative where it makes it worse."""
    return effect.delta if metric.higher_is_better else -effect.delta


def costing(effects: Sequence[Effect], metric: Metric) -> list[Effect]:
    """The deletions that make the score better, the best first; ties as in the sentence."""
    deletions = [effect for effect in effects if effect.action == "delete" and gain(effect, metric) >= SAME]
    # Rounded, so that the same number found in two ways is a tie.
    return sorted(deletions, key=lambda effect: (-round(gain(effect, metric), 9), effect.i))


# ---------------------------------------------------------------- several words


class Joint(NamedTuple):
    """Several words deleted together, and the score without them; `ended` where each single further deletion was tried
    and none makes the score better."""

    words: tuple[int, ...]
    score: float
    ended: bool = False


def joint_deletions(
    effects: Sequence[Effect], metric: Metric, used: Collection[int], score_without: Callable[[Sequence[int]], float]
) -> Iterator[Joint]:
    """The words whose deletion together makes the score best, as far as they are found: the best so far after each
    scoring, nothing where no word costs anything alone.

    The costliest words are tried first, more and more of them; then the word that helps most is deleted, and the rest
    is scored anew, until none helps. Alone, every copy of a repeated word may cost although only one is too many. Of
    words that do as much the one that the metric does not use goes first, else the later one. `effects` are those of
    all words, `used` the positions that the metric uses, and `score_without` scores the output without some words.
    """
    sign = 1 if metric.higher_is_better else -1
    single_scores = {e.i: e.score for e in effects if e.action == "delete"}
    order = sorted(single_scores, key=lambda i: (i in used, -i))

    def value(joint: Joint) -> tuple[float, int, bool]:
        # Rounded, so that the same score found in two ways is a tie; as few words as will do.
        return round(sign * joint.score, 9), -len(joint.words), joint.ended

    def grown(joint: Joint) -> Iterator[Joint]:
        while not joint.ended:
            best, deleted_words = joint, frozenset(joint.words)
            for i in order:
                if i not in deleted_words:
                    gone_words = tuple(sorted((*joint.words, i)))
                    trial = Joint(gone_words, score_without(gone_words))
                    best = trial if value(trial)[0] > value(best)[0] else best
                    yield best
            joint = best._replace(ended=best is joint)
            yield joint

    worst = {effect.i for effect in costing(effects, metric)}
    ranking = sorted([i for i in order if i in worst], key=lambda i: -round(sign * single_scores[i], 9))
    if not ranking:
        return
    first = best = Joint((ranking[0],), single_scores[ranking[0]])
    yield best
    for size in range(2, len(ranking) + 1):
        gone_words = tuple(sorted(ranking[:size]))
        best = max(best, Joint(gone_words, score_without(gone_words)), key=value)
        yield best
    for joint in grown(first):
        best = max(best, joint, key=value)
        yield best
    yield from grown(best)


def scores_without(metric: Metric, segment: Segment, settings: Settings) -> Callable[[Sequence[int]], float]:
    """What scores a candidate without the words at some positions."""

    def score(positions: Sequence[int]) -> float:
        deleted_places = frozenset(positions)
        remaining_words = tuple([word for i, word in enumerate(segment.candidate) if i not in deleted_places])
        return score_of(metric, segment._replace(candidate=remaining_words), settings)

    return score


def score_of(metric: Metric, segment: Segment, settings: Settings) -> float:
    """The score alone, without marks, counted as work."""
    spend_reading((segment.candidate, *segment.references))
    return metric.from_stats(metric.statistics(segment, settings), settings).score
