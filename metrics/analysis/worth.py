"""The worth of each word of a candidate: the effect of every change of one word, and which words cost together.

Both searches yield what they find one by one, so that the caller can stop and continue.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from ..alignment.edits import shortest_script
from ..types import Metric, Segment, Settings, Tokens
from ..types.work import spend_reading

SAME = 0.0005  # a smaller change of the score prints as 0 with three decimals, and counts as no change

# ---------------------------------------------------------------- one word


class WordChangeEffect(NamedTuple):
    """The effect of one change of the candidate: the new score, and the new score minus the present one.

    The action "delete" removes candidate word i. "insert" puts word j of reference k before candidate word i. "replace"
    puts it in the place of candidate word i. For a deletion k and j are −1.
    """

    action: Literal["delete", "insert", "replace"]
    i: int
    k: int
    j: int
    score: float
    delta: float


def word_change_effects(metric: Metric, segment: Segment, settings: Settings) -> Iterator[WordChangeEffect]:
    """Yield the effect of deleting each single word, and of adding each reference word that the candidate lacks.

    A shortest edit script says where a word is added, or which word it replaces. A word that two references would add
    at the same place is tried once. The effects are yielded one by one, because a long sentence takes time. Raises what
    the metric raises.

    >>> from metrics import METRICS, settings
    >>> segment = Segment(("a", "x"), (("a", "b"),))
    >>> effects = word_change_effects(METRICS["rouge_l"], segment, settings("rouge_l"))
    >>> [(e.action, e.i, round(e.delta, 3)) for e in effects]
    [('delete', 0, -0.5), ('delete', 1, 0.167), ('replace', 1, 0.5)]
    """
    base = score_of(metric, segment, settings)
    for kind, i, k, j in _changes_to_try(segment):
        trial = WordChangeEffect(kind, i, k, j, base, 0.0)
        score = score_of(metric, segment._replace(candidate=candidate_after(trial, segment)), settings)
        yield trial._replace(score=score, delta=score - base)


def count_word_changes(segment: Segment) -> int:
    """Return the number of changes whose effects `effects` yields."""
    return sum(1 for _ in _changes_to_try(segment))


def _changes_to_try(segment: Segment) -> Iterator[tuple[Literal["delete", "insert", "replace"], int, int, int]]:
    """Yield the changes of one word to try, each as (action, i, k, j); for a deletion k and j are −1."""
    candidate, references = segment
    for i in range(len(candidate)):
        yield "delete", i, -1, -1
    seen_trials = set()
    for k, reference in enumerate(references):
        for edit in shortest_script(candidate, reference, k):
            if edit.op in ("deletion", "substitution"):
                kind: Literal["insert", "replace"] = "insert" if edit.op == "deletion" else "replace"
                trial = (kind, edit.i_start, reference[edit.j_start])
                if trial not in seen_trials:
                    seen_trials.add(trial)
                    yield kind, edit.i_start, k, edit.j_start


def candidate_after(effect: WordChangeEffect, segment: Segment) -> Tokens:
    """Return the candidate after the change of an effect.

    >>> candidate_after(WordChangeEffect("insert", 1, 0, 1, 0.0, 0.0), Segment(("a", "c"), (("a", "b", "c"),)))
    ('a', 'b', 'c')
    """
    candidate, i = segment.candidate, effect.i
    word = () if effect.action == "delete" else (segment.references[effect.k][effect.j],)
    return candidate[:i] + word + candidate[i + (effect.action != "insert") :]


def score_gain(effect: WordChangeEffect, metric: Metric) -> float:
    """Return by how much a change makes the score better, for error rates too; negative if it makes the score worse."""
    return effect.delta if metric.higher_is_better else -effect.delta


def costly_deletions(effects: Sequence[WordChangeEffect], metric: Metric) -> list[WordChangeEffect]:
    """Return the deletions that make the score better, the best first, in text order on ties."""
    deletions = [effect for effect in effects if effect.action == "delete" and score_gain(effect, metric) >= SAME]
    # Rounded, so that equal numbers with different rounding errors are ties.
    return sorted(deletions, key=lambda effect: (-round(score_gain(effect, metric), 9), effect.i))


# ---------------------------------------------------------------- several words


class JointDeletion(NamedTuple):
    """Candidate positions whose words are deleted together, and the score without these words.

    `ended` is set if every further single deletion was tried and none makes the score better.
    """

    words: tuple[int, ...]
    score: float
    ended: bool = False


def joint_deletions(
    effects: Sequence[WordChangeEffect],
    metric: Metric,
    used: Collection[int],
    score_without: Callable[[Sequence[int]], float],
) -> Iterator[JointDeletion]:
    """Yield the best joint deletion of words found so far, after each scoring; the last one improves the score most.

    It yields nothing if no single word costs anything. First the costliest words are tried together, more and more of
    them. Then the word that helps most is deleted and the rest is scored again, until no deletion helps: every copy of
    a repeated word may cost on its own, although only one is too many. Of words that help equally, one that the metric
    does not use is deleted first, then the later one.

    `effects` has the effects of deleting each word, `used` the positions that the metric uses, and `score_without`
    scores the candidate without the words at given positions.
    """
    sign = 1 if metric.higher_is_better else -1
    single_scores = {e.i: e.score for e in effects if e.action == "delete"}
    order = sorted(single_scores, key=lambda i: (i in used, -i))

    def sort_key(joint: JointDeletion) -> tuple[float, int, bool]:
        # Rounded, so that equal scores with different rounding errors are ties; then fewer words are better.
        """Return the sort key of a joint deletion."""
        return round(sign * joint.score, 9), -len(joint.words), joint.ended

    def grown(joint: JointDeletion) -> Iterator[JointDeletion]:
        """Yield the best deletion so far, while the word that helps most is added to `joint`, until no word helps."""
        while not joint.ended:
            best, deleted_words = joint, frozenset(joint.words)
            for i in order:
                if i not in deleted_words:
                    gone_words = tuple(sorted((*joint.words, i)))
                    trial = JointDeletion(gone_words, score_without(gone_words))
                    best = trial if sort_key(trial)[0] > sort_key(best)[0] else best
                    yield best
            joint = best._replace(ended=best is joint)
            yield joint

    worst = {effect.i for effect in costly_deletions(effects, metric)}
    ranking = sorted([i for i in order if i in worst], key=lambda i: -round(sign * single_scores[i], 9))
    if not ranking:
        return
    first = best = JointDeletion((ranking[0],), single_scores[ranking[0]])
    yield best
    for size in range(2, len(ranking) + 1):
        gone_words = tuple(sorted(ranking[:size]))
        best = max(best, JointDeletion(gone_words, score_without(gone_words)), key=sort_key)
        yield best
    for joint in grown(first):
        best = max(best, joint, key=sort_key)
        yield best
    yield from grown(best)


def scores_without(metric: Metric, segment: Segment, settings: Settings) -> Callable[[Sequence[int]], float]:
    """Return a function that scores the candidate without the words at given positions."""

    def score(positions: Sequence[int]) -> float:
        """Return the score of the candidate without the words at these positions."""
        deleted_places = frozenset(positions)
        remaining_words = tuple([word for i, word in enumerate(segment.candidate) if i not in deleted_places])
        return score_of(metric, segment._replace(candidate=remaining_words), settings)

    return score


def score_of(metric: Metric, segment: Segment, settings: Settings) -> float:
    """Return the score of a segment alone, computed without marks, and count the work against the limit."""
    spend_reading((segment.candidate, *segment.references))
    return metric.from_stats(metric.statistics(segment, settings), settings).score
