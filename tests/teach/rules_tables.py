"""What is right before each step of ROUGE-L, ROUGE-W and WER, and what all kinds of ROUGE share."""

from __future__ import annotations

from functools import cache

import slow
from asked import begun, best_references, chosen, number_is, parsed
from slow import near

# ---------------------------------------------------------------- ROUGE


def lcs_drawn(case):
    k = case.k
    most = slow.lcs(case.candidate, case.references[k])
    found = {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parsed(answer)
        if cells is None:
            return False
        return cells <= found and {cell[1] for cell in cells} == {k} and slow.rises(cells) and len(cells) == most

    return accepts


def lcs_back(case):
    """The neighbours that explain the value: an equal one above or on the left, the corner of equal words."""
    a, b = begun(case)
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


def of_reference(case, letter):
    """P or R against the reference whose turn it is."""
    if case.settings.multi_reference == "sum":
        return case.score().parts[PARTS[letter]]
    return case.score(case.times(letter)).parts[PARTS[letter]]


def rouge_f(case):
    if case.step.result is not None:
        return case.score().score
    return case.score(case.times("F")).score


def rouge_best(case):
    name = case.step.decision.name
    if name == "best of a set":
        left = case.times("several")
        return best_references(
            lambda case, k: case.score(k).score, of=lambda case: {*range(len(case.references))} - {left}
        )(case)
    letter = {"best precision": "P", "best recall": "R"}.get(name)
    return best_references(lambda case, k: case.score(k).parts[PARTS[letter]] if letter else case.score(k).score)(case)


ROUGE = {
    "P": lambda case: number_is(of_reference(case, "P")),
    "R": lambda case: number_is(of_reference(case, "R")),
    "F": lambda case: number_is(rouge_f(case)),
    "several": rouge_best,
}
ROUGE_L = {
    **ROUGE,
    "match": lambda case: number_is(slow.lcs(*begun(case))),
    "other": lambda case: number_is(slow.lcs(*begun(case))),
    "length": lcs_drawn,
    "ends": lcs_back,
    "drop": lcs_back,
    "take": lcs_back,
}

# ---------------------------------------------------------------- WER


def wer_back(case):
    """The last edits of all shortest scripts that begin with the hits that are taken already."""
    a, b = begun(case)
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
    return chosen(case.question, lambda text: text[0] in good)


def rate_of(case, k):
    return slow.distance(case.candidate, case.references[k]) / (len(case.references[k]) or 1)


WER = {
    "hit": lambda case: number_is(slow.distance(*begun(case))),
    "edit": lambda case: number_is(slow.distance(*begun(case))),
    "rate": lambda case: number_is(rate_of(case, case.times("rate"))),
    "best": best_references(rate_of, low=True),
    "result": lambda case: number_is(case.score().score),
    **dict.fromkeys(["ends", "deletion", "insertion", "diagonal"], wer_back),
}

# ---------------------------------------------------------------- ROUGE-W


def printed(case):
    """The printed recurrences: c and w of the words of the reference and of the candidate, as far as the cell."""
    e = case.settings.weight
    y, x = begun(case)

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

    return c, w, len(x), len(y)


def printed_filled(case):
    c, w, i, j = printed(case)
    return number_is(w(i, j) if case.question.text.startswith("What is w") else c(i, j))


def printed_earned(case):
    _, w, i, j = printed(case)
    return number_is(w(i, j) ** case.settings.weight)


def printed_back(case):
    c, _, i, j = printed(case)
    good = {f"t:{j},{i - 1}"} if near(c(i - 1, j), c(i, j)) else set()
    if near(c(i, j - 1), c(i, j)):
        good.add(f"t:{j - 1},{i}")
    return lambda answer: answer in good


def largest(a, b, e):
    """The largest sum of the runs of a common subsequence to the power e."""
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


def largest_filled(case):
    a, b = begun(case)
    best, runs = largest(a, b, case.settings.weight)
    i, j = len(a), len(b)
    if not case.question.text.startswith("How long"):
        return number_is(best(i, j))
    good = {length for length, worth in runs(i, j).items() if near(worth, best(i, j))}
    if near(max(best(i - 1, j), best(i, j - 1)), best(i, j)):
        good.add(0)
    return lambda answer: any(number_is(length)(answer) for length in good)


def largest_drawn(case):
    k, e = case.k, case.settings.weight
    best, _ = largest(case.candidate, case.references[k], e)
    most, found = best(len(case.candidate), len(case.references[k])), {*slow.hits(case.candidate, case.references)}

    def accepts(answer):
        cells = parsed(answer)
        if cells is None or not cells <= found or {cell[1] for cell in cells} != {k} or not slow.rises(cells):
            return False
        return near(sum(length**e for length in slow.run_lengths(cells)), most)

    return accepts


def largest_back(case):
    a, b = begun(case)
    best, runs = largest(a, b, case.settings.weight)
    i, j = len(a), len(b)
    good = {f"t:{i - length},{j - length}" for length, worth in runs(i, j).items() if near(worth, best(i, j))}
    good |= {f"t:{r},{c}" for r, c in ((i - 1, j), (i, j - 1)) if near(best(r, c), best(i, j))}
    return lambda answer: answer in good


def by_variant(published, optimal):
    return lambda case: (optimal if case.settings.variant == "optimal" else published)(case)


ROUGE_W = {
    **ROUGE,
    "above": printed_filled,
    "left": printed_filled,
    "gain": by_variant(printed_filled, largest_filled),
    "run": largest_filled,
    "other": largest_filled,
    "length": largest_drawn,
    "take": by_variant(printed_earned, largest_back),
    "drop": by_variant(printed_back, largest_back),
}
