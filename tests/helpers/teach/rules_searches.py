"""The right answers at each step of SIA, METEOR and TER, which search for chains, matchings and shifts."""

from __future__ import annotations

import math
from itertools import pairwise

from metrics.text import stem
from metrics.types import Shift
from tests.helpers.teach import slow
from tests.helpers.teach.asked import accept_best_references, accept_choices, accept_number, parse_cells, score_part
from tests.helpers.teach.slow import is_close

# ---------------------------------------------------------------- SIA


def sia_chains(case, k):
    """Return the best gains of SIA's chains by their last cell (i, j), and by their last cell and the cell before it.

    Chains use free words of reference `k`. The second value maps the last cell to a dict from the cell before it to the
    gain; (−1, −1) is the start of a chain."""
    free, alike = case.before[-1].free if case.before else None, case.settings.similarity
    s = {
        (i, j): 1.0 if ours == theirs else alike(ours, theirs) if alike else 0.0
        for i, ours in enumerate(case.candidate)
        for j, theirs in enumerate(case.references[k])
        if free is None or (i in free.candidate and j in free.references[k])
    }
    best, ways = {(-1, -1): 0.0}, {}
    for i, j in sorted(cell for cell, value in s.items() if value > 0):
        ways[i, j] = {
            (a, b): value + s[i, j] / math.sqrt((i - a) * (j - b)) for (a, b), value in best.items() if a < i and b < j
        }
        best[i, j] = max(ways[i, j].values())
    return best, ways


def half_similarity(a, b):
    """Return 0.5 if the two words are “a” and “b”, otherwise 0, as a word similarity for tests."""
    return 0.5 if {a, b} == {"a", "b"} else 0.0


def sia_cell_rule(case):
    best, ways = sia_chains(case, case.k)
    here = case.cell.row - 1, case.cell.column - 1
    if case.question.kind == "number":
        return accept_number(best[here])
    good = {(a, b) for (a, b), value in ways[here].items() if is_close(value, best[here])}
    return lambda answer: answer in {"0" if a < 0 else f"{a},{case.k},{b}" for a, b in good}


def sia_best_chain_rule(case):
    best, _ = sia_chains(case, case.k)
    most = max(best.values())
    if case.question.kind == "cells":
        return lambda answer: sia_chain_earns(case, best, parse_cells(answer), most)
    return lambda answer: answer in {f"{a},{case.k},{b}" for (a, b), value in best.items() if is_close(value, most)}


def sia_chain_earns(case, best, cells, most):
    """Return whether `cells` is a chain that earns `most`, the largest gain.

    The keys of `best` are the cells (i, j) that a chain may use."""
    if cells is None or not {(i, j) for i, _, j in cells} <= {*best} or {k for _, k, _ in cells} != {case.k}:
        return False
    alike, path = case.settings.similarity, [(-1, 0, -1), *sorted(cells)]
    total = 0.0
    for (a, _, b), (i, k, j) in pairwise(path):
        if i <= a or j <= b:
            return False
        ours, theirs = case.candidate[i], case.references[k][j]
        total += (1.0 if ours == theirs else alike(ours, theirs)) / math.sqrt((i - a) * (j - b))
    return is_close(total, most)


def sia_taken_rule(case):
    """Return a rule that accepts the reference with the best chain of free words, or the number that the chain adds.

    The free words are the same for all references of a round."""
    gains = [max(sia_chains(case, k)[0].values()) for k in range(len(case.references))]
    if case.question.kind == "choice":
        return accept_choices(case.question, lambda text: is_close(gains[int(text.split()[1]) - 1], max(gains)))
    turn, settings = 1 + case.count_steps("retire"), case.settings
    exponent = {"geometric": turn, "squaring": 2 ** (turn - 1), "undecayed_first": turn - 1}[settings.schedule]
    weight = settings.decay**exponent if settings.iterative else 1
    return accept_number(weight * max(gains) / len(case.candidate))


def sia_retired_rule(case):
    chain = case.before[-1].considered
    good = {f"c{i}" for i, _, _ in chain} | {f"r{k}_{j}" for _, k, j in chain}
    return lambda answer: answer in good


SIA = {
    "cell": sia_cell_rule,
    "before": sia_cell_rule,
    "chain": sia_best_chain_rule,
    "take": sia_taken_rule,
    "retire": sia_retired_rule,
    "penalty": lambda case: accept_number(score_part(case, "length_penalty")),
    "score": lambda case: accept_number(case.score().score),
}

# ---------------------------------------------------------------- METEOR


def meteor_stage_rule(case):
    """Return a rule that accepts the first stage in which the two words match."""
    i, k, j = case.step.considered[0]
    ours, theirs = case.candidate[i], case.references[k][j]
    stages = [stage for stage in ("exact", "stem", "synonym") if stage in case.settings.stages]
    same = stem(ours, case.settings.stemmer) == stem(theirs, case.settings.stemmer)
    good = stages[0] if ours == theirs else "stem" if same and "stem" in stages else "synonym"
    return accept_choices(case.question, lambda text: text == good)


def meteor_best_matching_rule(case):
    """Return a rule on the best matching of the candidate's words up to the current one, found by trying all.

    The best matching has the most words, and among those the fewest chunks."""
    k, i = divmod(case.count_steps("grow", "keep", "cut"), len(case.candidate))
    stages = {number for number, line in enumerate(case.lines) if line in ("exact", "stem", "synonym")}
    shown = [hit for step in case.before if step.line in stages for hit in step.considered]
    may = {hit.i: [] for hit in shown}
    for hit in shown:
        if hit.k == k:
            may[hit.i].append(hit.j)

    def matchings(row, used):
        if row > i:
            yield ()
            return
        for rest in matchings(row + 1, used):
            yield rest
        for j in may.get(row, []):
            if j not in used:
                for rest in matchings(row + 1, used | {j}):
                    yield ((row, k, j), *rest)

    def worth(cells):
        return len(cells), -len(slow.run_lengths({*cells}))

    found = [*matchings(0, frozenset())]
    most = max(map(worth, found))
    best = [cells for cells in found if worth(cells) == most]
    if case.question.kind == "cells":
        return lambda answer: parse_cells(answer) in [{*cells} for cells in best]
    good = {next((f"{a},{k},{j}" for a, _, j in cells if a == i), "0") for cells in best}
    return lambda answer: answer in good


def meteor_number_rule(case):
    k = case.count_steps("score")
    result = case.score(k)
    p, r, alpha = result.parts["precision"], result.parts["recall"], case.settings.alpha
    mean = p * r / (alpha * p + (1 - alpha) * r) if p and r else 0.0
    parts = {"means": p, "f": mean, "score": result.score, "chunk": result.parts["chunks"]}
    parts |= {name: result.parts[name] for name in ("fragmentation", "penalty")}
    return accept_number(parts[case.line])


METEOR = {
    **dict.fromkeys(["exact", "stem", "synonym"], meteor_stage_rule),
    **dict.fromkeys(["grow", "keep", "cut"], meteor_best_matching_rule),
    **dict.fromkeys(["chunk", "means", "f", "fragmentation", "penalty", "score"], meteor_number_rule),
    "best": accept_best_references(lambda case, k: case.score(k).score),
}

# ---------------------------------------------------------------- TER


def ter_edits(case, order, k):
    """Return the number of edits, within the beam, from the candidate's words in the given order to reference `k`."""
    words = [case.candidate[i] for i in order]
    table = slow.beam_table(words, case.references[k], case.settings.beam_width)
    return table[len(words), len(case.references[k])]


def ter_edits_after_shift(case, shift):
    """Return the number of edits that are left after `shift` and the shifts shown before."""
    return ter_edits(case, shift.apply(ter_order(case, shift.k)), shift.k)


def ter_current_edits(case):
    k = case.count_steps("stop")
    return ter_edits(case, ter_order(case, k), k)


def ter_order(case, k):
    """Return the order of the candidate's words for reference `k` after the shifts that were shown."""
    order = list(range(len(case.candidate)))
    shown = [step.taken_marks for step in case.before if any(mark.k == k for mark in step.taken_marks)]
    for shift in [mark for mark in (shown[-1] if shown else ()) if isinstance(mark, Shift)]:
        order = shift.apply(order)
    return order


def ter_trials(case):
    """Return the shifts that were tried since the last one was made, latest first."""
    out = []
    for step in reversed(case.before):
        if len(step.considered) != 1 or not isinstance(step.considered[0], Shift):
            break
        out.append(step.considered[0])
    return out


def ter_best_shift_rule(case):
    least = min(ter_edits_after_shift(case, shift) for shift in ter_trials(case))
    good = set()
    for shift in ter_trials(case):
        if ter_edits_after_shift(case, shift) == least:
            words = " ".join(case.candidate[i] for i in shift.rows)
            good.add(f"“{words}” from place {shift.start + 1} to {shift.to + 1}")
    return accept_choices(case.question, lambda text: text in good)


def ter_stop_rule(case):
    saves = any(ter_edits_after_shift(case, shift) < ter_current_edits(case) for shift in ter_trials(case))
    return accept_choices(case.question, lambda text: (text == "yes") == saves)


def ter_total(case, k):
    shown = [step.taken_marks for step in case.before if any(mark.k == k for mark in step.taken_marks)]
    shifts = sum(isinstance(mark, Shift) for mark in (shown[-1] if shown else ()))
    return shifts + ter_edits(case, ter_order(case, k), k)


def ter_table(case):
    """Return the table for the current order of words, the row of each word in it, and the words in this order.

    The row map has i + 1 for word i, and 0 for the row before all words."""
    order = ter_order(case, case.k)
    words = [case.candidate[i] for i in order]
    rows = {0: 0, **{i + 1: row for row, i in enumerate(order, 1)}}
    return slow.beam_table(words, case.references[case.k], case.settings.beam_width), rows, words


def ter_row_distance_rule(case):
    table, rows, _ = ter_table(case)
    return accept_number(table[rows[case.step.table.filled[-1].row], len(case.references[case.k])])


def ter_way_back_rule(case):
    table, rows, words = ter_table(case)
    i, j = rows[case.cell.row], case.cell.column
    here, good = table[i, j], set()
    if i and j and table.get((i - 1, j - 1), math.inf) + (words[i - 1] != case.references[case.k][j - 1]) == here:
        good.add("↖")
    if i and table.get((i - 1, j), math.inf) + 1 == here:
        good.add("↑")
    if j and table.get((i, j - 1), math.inf) + 1 == here:
        good.add("←")
    return accept_choices(case.question, lambda text: text[0] in good)


TER = {
    "script": lambda case: accept_number(ter_current_edits(case)),
    "trial": lambda case: accept_number(ter_edits_after_shift(case, case.step.considered[0])),
    "take": ter_best_shift_rule,
    "stop": ter_stop_rule,
    "best": accept_best_references(ter_total, low=True),
    "cell": ter_row_distance_rule,
    "back": ter_way_back_rule,
    "score": lambda case: accept_number(case.score().score),
}
