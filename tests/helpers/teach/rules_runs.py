"""The right answers at each step of GTM, dcs and RIBES."""

from __future__ import annotations

import math

from metrics.catalogue.gtm import textbook as gtm
from metrics.types import Run
from tests.helpers.teach import slow
from tests.helpers.teach.asked import accept_best_references, accept_choices, accept_number, parse_cells
from tests.helpers.teach.slow import is_close

# ---------------------------------------------------------------- GTM


def gtm_longest_run_rule(case):
    """Return a rule that accepts cells of a longest run of words that no taken run uses."""
    taken = case.taken_marks
    rows = {cell.i for run in taken for cell in run.cells()}
    columns = {(cell.k, cell.j) for run in taken for cell in run.cells()}
    runs = slow.free_runs(case.candidate, case.references, rows, columns)
    most = max(map(len, runs))
    good = {cell for run in runs if len(run) == most for cell in run}
    return lambda answer: parse_cells(answer) is not None and parse_cells(answer) <= good


def gtm_matching_drawn_rule(case):
    e = case.settings.exponent
    most = gtm.largest_matching_sum(case.candidate, case.references, e)
    found = {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parse_cells(answer)
        if cells is None:
            return False
        power = sum(length**e for length in slow.run_lengths(cells))
        return cells <= found and slow.is_matching(cells) and is_close(power, most)

    return accepts


def gtm_runs_untried_rule(case):
    """Return a rule that accepts runs that begin at the step's candidate word and were not tried at this branch before.

    The runs use no words of runs taken before. A choice names a run by its words and its position."""
    path = case.step.taken_marks[:-1]
    i = case.step.taken_marks[-1].i
    columns = {(cell.k, cell.j) for run in path for cell in run.cells()}
    rows = {cell.i for run in path for cell in run.cells()}
    runs = [run for run in slow.free_runs(case.candidate, case.references, rows, columns) if run[0][0] == i]
    before = [
        step.taken_marks[-1]
        for step in case.before
        if step.considered and step.taken_marks[:-1] == path and step.decision
    ]
    done = {tuple(map(tuple, run.cells())) for run in before}
    several = len(case.references) > 1
    good = set()
    for run in runs:
        if len(run) > 1 and run not in done:
            words = " ".join(case.candidate[cell[0]] for cell in run)
            where = f" of reference {run[0][1] + 1}" if several else ""
            good.add(f"“{words}”, {len(run)} words, at place {run[0][2] + 1}{where}")
    return accept_choices(case.question, lambda text: text in good)


def mean_length(case):
    return sum(map(len, case.references)) / len(case.references)


def gtm_size(case, runs):
    e = case.settings.exponent
    return sum(run.length**e for run in runs) ** (1 / e)


def gtm_p(case):
    return gtm_size(case, case.taken_marks) / len(case.candidate) if case.candidate else 0.0


def gtm_r(case):
    return gtm_size(case, case.taken_marks) / mean_length(case) if mean_length(case) else 0.0


def gtm_f(case):
    p, r = gtm_p(case), gtm_r(case)
    return 2 * p * r / (p + r) if p + r else 0.0


GTM = {
    "take": gtm_longest_run_rule,
    "tie": gtm_longest_run_rule,
    "bound": gtm_matching_drawn_rule,
    "branch": gtm_runs_untried_rule,
    "cap": lambda case: accept_number(min(len(case.candidate), mean_length(case))),
    "size": lambda case: accept_number(gtm_size(case, case.step.taken_marks)),
    "P": lambda case: accept_number(gtm_p(case)),
    "R": lambda case: accept_number(gtm_r(case)),
    "F": lambda case: accept_number(gtm_f(case)),
}

# ---------------------------------------------------------------- dcs


def dcs_match_rule(case):
    a, b = case.candidate[: case.cell.row], case.references[case.k][: case.cell.column]
    return accept_number(max(size for size in range(1, len(a) + 1) if a[-size:] == b[-size:]))


def dcs_block_rule(case):
    (run,), free, k = case.step.considered, case.before[-1].free, case.count_steps("score")
    if case.settings.overlap == "published":
        rows, columns = {cell.i for cell in run.cells()}, {cell.j for cell in run.cells()}
        keeps = rows & free.candidate and columns & free.references[k]
        return accept_choices(case.question, lambda text: (text == "it becomes a block") == bool(keeps))
    used = {i for i in range(len(case.candidate)) if i not in free.candidate}
    columns = {(0, j) for j in range(len(case.references[k])) if j not in free.references[k]}
    runs = slow.free_runs(case.candidate, [case.references[k]], used, columns)
    most = max(map(len, runs))
    good = {f"{i},{k},{j}" for run in runs if len(run) == most for i, _, j in run}
    return lambda answer: answer in good


def dcs_blocks(case):
    """Return the blocks with the current reference, in the candidate's order."""
    k = case.count_steps("score")
    return sorted(
        [run for run in case.taken_marks if isinstance(run, Run) and run.k == k], key=lambda run: run.i + run.length
    )


def dcs_rank_rule(case):
    last = dcs_blocks(case)[-1]
    return accept_number(sum(run.j + run.length <= last.j + last.length for run in dcs_blocks(case)))


def dcs_neighbours_rule(case):
    (pair,) = case.step.considered
    a, b = (run.j + run.length for run in (pair.first, pair.second))
    between = [run for run in dcs_blocks(case) if a < run.j + run.length < b]
    return accept_choices(case.question, lambda text: (text == "neighbours") == (a < b and not between))


def dcs_denominator(case):
    return math.sqrt(len(case.candidate) * len(case.references[case.count_steps("score")]))


DCS = {
    "match": dcs_match_rule,
    "take": dcs_block_rule,
    "drop": dcs_block_rule,
    "rank": dcs_rank_rule,
    "chain": dcs_neighbours_rule,
    "apart": dcs_neighbours_rule,
    "side": lambda case: accept_number(dcs_denominator(case)),
    "score": lambda case: accept_number(case.score(case.count_steps("score")).score),
    "best": accept_best_references(lambda case, k: case.score(k).score),
}

# ---------------------------------------------------------------- RIBES


def ribes_current_word(case):
    """Return the index of the reference and the index of the candidate's word that RIBES looks up at this step.

    Each word of the candidate has one of the counted steps in each reference."""
    return divmod(case.count_steps("once", "found", "none", "absent"), len(case.candidate))


def ribes_aligned_rule(case):
    k, i = ribes_current_word(case)
    j = slow.ribes_place(case.candidate, case.references[k], i)
    return lambda answer: answer == ("0" if j is None else f"r{k}_{j}")


def ribes_context_count_rule(case):
    k, i = ribes_current_word(case)
    text = case.question.text
    words = text[text.index("“") + 1 : text.index("”")].split()
    assert case.candidate[i] in words
    return accept_number(len(slow.occurrences(words, case.references[k])))


def ribes_pairs_rule(case):
    k = case.count_steps("each")
    places = slow.ribes_places(case.candidate, case.references[k])
    t = 1
    for step in reversed(case.before):
        if step.line != case.step.line:
            break
        t += 1
    return accept_number(sum(j < places[t] for j in places[:t]))


def ribes_numbers(case):
    k = case.count_steps("each")
    n, m = len(case.candidate), len(case.references[k])
    places = slow.ribes_places(case.candidate, case.references[k])
    pairs = [(a, b) for t, b in enumerate(places) for a in places[:t]]
    return {
        "kendall": sum(a < b for a, b in pairs) / len(pairs) if pairs else len(places),
        "precision": len(places) / n if n else 0.0,
        "brevity": min(1.0, math.exp(1 - m / n)) if n else 0.0,
        "each": case.score(k).score,
    }[case.line]


RIBES = {
    **dict.fromkeys(["once", "found", "none", "absent"], ribes_aligned_rule),
    "grow": ribes_context_count_rule,
    "pairs": ribes_pairs_rule,
    **dict.fromkeys(["kendall", "precision", "brevity", "each"], lambda case: accept_number(ribes_numbers(case))),
    "score": accept_best_references(lambda case, k: case.score(k).score),
}
