"""The right answers at each step of ROUGE-L, ROUGE-W and WER, and the steps that all kinds of ROUGE share."""

from __future__ import annotations

from functools import cache

from tests.helpers.teach import slow
from tests.helpers.teach.asked import accept_best_references, accept_choices, accept_number, parse_cells, table_prefixes
from tests.helpers.teach.slow import is_close

# ---------------------------------------------------------------- ROUGE


def lcs_drawn_rule(case):
    k = case.k
    most = slow.lcs(case.candidate, case.references[k])
    found = {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parse_cells(answer)
        if cells is None:
            return False
        return cells <= found and {cell[1] for cell in cells} == {k} and slow.is_rising(cells) and len(cells) == most

    return accepts


def lcs_way_back_rule(case):
    """Return a rule that accepts the cells from which the current cell's LCS length can come, on the way back.

    These are a cell above or left with the same value, and the diagonal cell where the two words are equal."""
    a, b = table_prefixes(case)
    row, column = len(a), len(b)
    good = set()
    if slow.lcs(a[:-1], b) == slow.lcs(a, b):
        good.add(f"t:{row - 1},{column}")
    if slow.lcs(a, b[:-1]) == slow.lcs(a, b):
        good.add(f"t:{row},{column - 1}")
    if a[-1] == b[-1]:
        good.add(f"t:{row - 1},{column - 1}")
    return lambda answer: answer in good


PARTS = {"P": "precision", "R": "recall"}


def part_of_reference(case, letter):
    """Return P or R, as `letter` says, against the reference that is scored at this step."""
    if case.settings.multi_reference == "sum":
        return case.score().parts[PARTS[letter]]
    return case.score(case.count_steps(letter)).parts[PARTS[letter]]


def rouge_f(case):
    if case.step.result is not None:
        return case.score().score
    return case.score(case.count_steps("F")).score


def rouge_best_rule(case):
    name = case.step.decision.name
    if name == "best of a set":
        left = case.count_steps("several")
        return accept_best_references(
            lambda case, k: case.score(k).score, eligible=lambda case: {*range(len(case.references))} - {left}
        )(case)
    letter = {"best precision": "P", "best recall": "R"}.get(name)
    return accept_best_references(
        lambda case, k: case.score(k).parts[PARTS[letter]] if letter else case.score(k).score
    )(case)


ROUGE = {
    "P": lambda case: accept_number(part_of_reference(case, "P")),
    "R": lambda case: accept_number(part_of_reference(case, "R")),
    "F": lambda case: accept_number(rouge_f(case)),
    "several": rouge_best_rule,
}
ROUGE_L = {
    **ROUGE,
    "match": lambda case: accept_number(slow.lcs(*table_prefixes(case))),
    "other": lambda case: accept_number(slow.lcs(*table_prefixes(case))),
    "length": lcs_drawn_rule,
    "ends": lcs_way_back_rule,
    "drop": lcs_way_back_rule,
    "take": lcs_way_back_rule,
}

# ---------------------------------------------------------------- WER


def wer_way_back_rule(case):
    """Return a rule that accepts the last edits of all shortest edit scripts that begin with the hits taken so far."""
    a, b = table_prefixes(case)
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest = case.references[case.k]
    while start > 0 and case.candidate[:start] != rest[:start]:
        start -= 1
    x, y = a[start:], b[start:]
    good = set()
    if x and y and slow.distance(x[:-1], y[:-1]) + (x[-1] != y[-1]) == slow.distance(x, y):
        good.add("↖")
    if x and slow.distance(x[:-1], y) + 1 == slow.distance(x, y):
        good.add("↑")
    if y and slow.distance(x, y[:-1]) + 1 == slow.distance(x, y):
        good.add("←")
    return accept_choices(case.question, lambda text: text[0] in good)


def error_rate(case, k):
    return slow.distance(case.candidate, case.references[k]) / (len(case.references[k]) or 1)


WER = {
    "hit": lambda case: accept_number(slow.distance(*table_prefixes(case))),
    "edit": lambda case: accept_number(slow.distance(*table_prefixes(case))),
    "rate": lambda case: accept_number(error_rate(case, case.count_steps("rate"))),
    "best": accept_best_references(error_rate, low=True),
    "result": lambda case: accept_number(case.score().score),
    **dict.fromkeys(["ends", "deletion", "insertion", "diagonal"], wer_way_back_rule),
}

# ---------------------------------------------------------------- ROUGE-W


def published_recurrences(case):
    """Return the paper's recurrences as functions c(i, j) and w(i, j), and the lengths i and j up to the current cell.

    The paper's X is the reference and its Y the candidate."""
    y, x = table_prefixes(case)
    return *recurrences_of(x, y, case.settings.weight), len(x), len(y)


def recurrences_of(x, y, e):
    """Return the paper's recurrences for two texts and a weight, as functions c(i, j) and w(i, j)."""

    @cache
    def w(i, j):
        return w(i - 1, j - 1) + 1 if i and j and x[i - 1] == y[j - 1] else 0

    @cache
    def c(i, j):
        if not i or not j:
            return 0.0
        if x[i - 1] == y[j - 1]:
            k = w(i - 1, j - 1)
            return c(i - 1, j - 1) + ((k + 1) ** e - k**e)
        return max(c(i - 1, j), c(i, j - 1))

    return c, w


def published_cell_rule(case):
    c, w, i, j = published_recurrences(case)
    return accept_number(w(i, j) if case.question.text.startswith("What is w") else c(i, j))


def published_gain_rule(case):
    _, w, i, j = published_recurrences(case)
    return accept_number(w(i, j) ** case.settings.weight)


def published_way_back_rule(case):
    c, _, i, j = published_recurrences(case)
    good = {f"t:{j},{i - 1}"} if is_close(c(i - 1, j), c(i, j)) else set()
    if is_close(c(i, j - 1), c(i, j)):
        good.add(f"t:{j - 1},{i}")
    return lambda answer: answer in good


def largest_weight(a, b, e):
    """Return two functions of prefix lengths i and j of `a` and `b`, on common subsequences and their runs.

    The first returns the largest sum of run lengths to the power `e`. The second maps each possible length of a run
    that
    ends at both prefixes' last words to the largest sum with that run."""
    a, b = tuple(a), tuple(b)

    @cache
    def best(i, j):
        if not i or not j:
            return 0.0
        return max(best(i - 1, j), best(i, j - 1), *runs(i, j).values(), 0.0)

    @cache
    def runs(i, j):
        lengths = [length for length in range(1, min(i, j) + 1) if a[i - length : i] == b[j - length : j]]
        return {length: best(i - length, j - length) + length**e for length in lengths}

    return best, runs


def largest_cell_rule(case):
    a, b = table_prefixes(case)
    best, runs = largest_weight(a, b, case.settings.weight)
    i, j = len(a), len(b)
    if not case.question.text.startswith("How long"):
        return accept_number(best(i, j))
    good = {length for length, worth in runs(i, j).items() if is_close(worth, best(i, j))}
    if is_close(max(best(i - 1, j), best(i, j - 1)), best(i, j)):
        good.add(0)
    return lambda answer: any(accept_number(length)(answer) for length in good)


def largest_drawn_rule(case):
    k, e = case.k, case.settings.weight
    best, _ = largest_weight(case.candidate, case.references[k], e)
    most, found = best(len(case.candidate), len(case.references[k])), {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parse_cells(answer)
        if cells is None or not cells <= found or {cell[1] for cell in cells} != {k} or not slow.is_rising(cells):
            return False
        return is_close(sum(length**e for length in slow.run_lengths(cells)), most)

    return accepts


def largest_way_back_rule(case):
    a, b = table_prefixes(case)
    best, runs = largest_weight(a, b, case.settings.weight)
    i, j = len(a), len(b)
    good = {f"t:{i - length},{j - length}" for length, worth in runs(i, j).items() if is_close(worth, best(i, j))}
    good |= {f"t:{r},{c}" for r, c in ((i - 1, j), (i, j - 1)) if is_close(best(r, c), best(i, j))}
    return lambda answer: answer in good


def rule_by_variant(published, optimal):
    return lambda case: (optimal if case.settings.variant == "optimal" else published)(case)


ROUGE_W = {
    **ROUGE,
    "above": published_cell_rule,
    "left": published_cell_rule,
    "gain": rule_by_variant(published_cell_rule, largest_cell_rule),
    "run": largest_cell_rule,
    "other": largest_cell_rule,
    "length": largest_drawn_rule,
    "take": rule_by_variant(published_gain_rule, largest_way_back_rule),
    "drop": rule_by_variant(published_way_back_rule, largest_way_back_rule),
}
