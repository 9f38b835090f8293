"""Check whether a mark that a step of a program rejects really breaks the rule that the step names as its reason.

A trace is the list of steps of a paper's program on given texts."""

from __future__ import annotations

import math

from metrics.catalogue.dcs import program as dcs
from metrics.catalogue.gtm import program as gtm_steps
from metrics.catalogue.gtm import textbook as gtm
from metrics.catalogue.ribes import program as ribes
from metrics.catalogue.rouge import program as rouge
from metrics.catalogue.sia import program as sia
from metrics.catalogue.ter import program as ter
from metrics.teach import clipping, steps
from metrics.types import Run


def words_of(marks):
    """Return the words that marks use, as a set of ("candidate", i) and (k, j)."""
    cells = [cell for mark in marks for cell in mark.cells()]
    return {("candidate", i) for i, _, _ in cells} | {(k, j) for _, k, j in cells}


def reference_index(mark):
    return mark.k if hasattr(mark, "k") else mark.first.k


def is_matched(mark, step):
    """Return whether a mark that the step has taken uses the same words of the reference as `mark`."""
    theirs = [(k, j) for _, k, j in mark.cells()]
    return any([(k, j) for _, k, j in other.cells()] == theirs for other in step.taken_marks)


def is_beyond_the_cap(mark, step, trace):
    """Return whether the marks taken so far match as many words as GTM's cap allows, so that `mark` cannot count."""
    candidate, references = trace.segment
    cap = min(len(candidate), sum(map(len, references)) / len(references))
    return math.isclose(sum(run.length for run in step.taken_marks), cap)


def leads_to_no_more(mark, step, trace):
    """Return whether taking the run `mark` cannot lead to a larger matching.

    The taken runs, this run and the best matching of the words left are together no larger than the largest of all."""
    e, (candidate, references) = trace.settings.exponent, trace.segment
    runs = [*step.taken_marks, mark]
    used = words_of(runs)
    rest = [None if ("candidate", i) in used else word for i, word in enumerate(candidate)]
    others = [["" if (k, j) in used else word for j, word in enumerate(r)] for k, r in enumerate(references)]
    power = sum(run.length**e for run in runs) + gtm.largest_matching_sum(rest, others, e)
    return power <= gtm.largest_matching_sum(candidate, references, e) * (1 + 1e-9)


def is_clipped(mark, step, trace):
    """Return whether the candidate has the n-gram of `mark` more often than any reference has, and one has it."""
    candidate, references = trace.segment
    ngram = candidate[mark.i : mark.i + mark.length]

    def count_occurrences(words):
        return sum(words[t : t + mark.length] == ngram for t in range(len(words)))

    return count_occurrences(candidate) > max(map(count_occurrences, references)) > 0


def is_used_up(mark, step):
    """Return whether all words of the references that the step considers are already used."""
    return all(place.j not in step.free.references[place.k] for place in step.considered)


def is_covered(mark, step):
    """Return whether no word of `mark` is free in the candidate, or none in the reference."""
    rows, columns = {cell.i for cell in mark.cells()}, {cell.j for cell in mark.cells()}
    return not (rows & step.free.candidate and columns & step.free.references[mark.k])


def is_apart(mark, step):
    """Return whether the two blocks of `mark` are not neighbours in the order of the candidate or of the reference."""
    blocks = [block for block in step.taken_marks if isinstance(block, Run)]
    orders = sorted(blocks), sorted(blocks, key=lambda block: block.j)
    return any(order.index(mark.first) + 1 != order.index(mark.second) for order in orders)


#: The check of a mark that a step rejects, by the reason for rejecting it.
BROKEN = {
    steps.CONFLICT: lambda mark, step: words_of([mark]) & words_of(step.taken_marks),
    steps.USED_UP: is_used_up,
    rouge.NO_BETTER: lambda mark, step: reference_index(mark) not in map(reference_index, step.taken_marks),
    rouge.LEFT_OUT: lambda mark, step: (
        reference_index(mark) not in map(reference_index, [*step.taken_marks, *step.considered])
    ),
    rouge.MATCHED: is_matched,
    dcs.COVERED: is_covered,
    dcs.APART: is_apart,
    ribes.NOT_ONCE: lambda mark, step: len(step.considered) != 1,
    ribes.ALONE: lambda mark, step: step.considered == [mark],
    ribes.DISCORDANT: lambda mark, step: mark.first.j >= mark.second.j,
    ter.LESS: lambda mark, step: mark not in step.taken_marks,  # test_ter checks this with the sentences
    ter.NO_GAIN: lambda mark, step: mark not in step.taken_marks,
    sia.ANOTHER: lambda mark, step: mark.k != step.taken_marks[-1].k,
}

#: The checks for reasons that also need the trace, with its sentences and settings.
BROKEN_IN_TRACE = {
    clipping.CLIPPED: is_clipped,
    gtm_steps.CAP: is_beyond_the_cap,
    gtm_steps.NO_LARGER: leads_to_no_more,
}
