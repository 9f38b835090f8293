"""Edit scripts within a beam, and shifts, by the procedure of TERCOM as sacreBLEU has it: cell by cell, each tried."""

from __future__ import annotations

import math
from collections.abc import Sequence

Words = Sequence[str]


def beam_script(candidate: Words, reference: Words, width: int) -> str:
    """The steps of the shortest script inside the beam: m(atch), s(ubstitution), i (an extra word), d (a missing one).

    >>> beam_script("abx", "ab", 20)
    'mmi'
    """
    n, m = len(candidate), len(reference)
    slope = m / n if n else 1
    if width < slope / 2:
        width = math.ceil(slope / 2 + width)
    table = {(0, j): (j, "d") for j in range(m + 1)}
    for i in range(1, n + 1):
        middle = math.floor(i * slope)
        for j in range(max(0, middle - width), m + 1 if i == n else min(m + 1, middle + width)):
            ways = []
            if j and (i - 1, j - 1) in table:
                equal = candidate[i - 1] == reference[j - 1]
                ways.append((table[i - 1, j - 1][0] + (not equal), 0, "m" if equal else "s"))
            if (i - 1, j) in table:
                ways.append((table[i - 1, j][0] + 1, 1, "i"))
            if (i, j - 1) in table:
                ways.append((table[i, j - 1][0] + 1, 2, "d"))
            if ways:
                cost, _, step = min(ways)
                table[i, j] = cost, step
    steps, i, j = "", n, m
    while i or j:
        step = table[i, j][1]
        steps = step + steps
        i, j = i - (step != "d"), j - (step != "i")
    return steps


def shifts_and_script(
    candidate: Words, reference: Words, size: int, distance: int, width: int, most: int
) -> tuple[list[tuple[int, int, int]], str]:
    """Shifts as (start, length, place), greedily, and the steps of the script that is left.

    Blocks have at most `size` words and move at most `distance` places; `width` is the beam's, and no shift is looked
    for after `most` were tried.

    >>> shifts_and_script("bca", "abc", 10, 50, 25, 1000)
    ([(2, 1, 0)], 'mmm')
    """
    words, tried = list(candidate), 0
    shifts: list[tuple[int, int, int]] = []
    n, m = len(words), len(reference)
    while True:
        steps = beam_script(words, reference, width)
        edits = sum(step != "m" for step in steps)
        partner: list[int] = []
        wrong, missed, i, j = [False] * n, [False] * m, 0, 0
        for step in steps:
            if step != "d":
                wrong[i] = step != "m"
                i += 1
            if step != "i":
                missed[j] = step != "m"
                partner.append(i - 1)
                j += 1
        best: tuple[int, int, int, int, list[str]] = (0, 0, 0, 0, words)
        for start in range(n):
            for j in range(m):
                for length in range(1, size + 1):
                    block = words[start : start + length]
                    if abs(start - j) > distance or start + length > n or j + length > m:
                        continue
                    if block != list(reference[j : j + length]) or not any(wrong[start : start + length]):
                        continue
                    if not any(missed[j : j + length]) or start <= partner[j] < start + length:
                        continue
                    places = [partner[t] + 1 if t >= 0 else 0 for t in range(j - 1, j + length)]
                    for place in dict.fromkeys(places):
                        rest = words[:start] + words[start + length :]
                        to = place - length if place > start + length else place
                        order = rest[:to] + block + rest[to:]
                        after = sum(step != "m" for step in beam_script(order, reference, width))
                        tried += 1
                        best = max(best, (edits - after, length, -start, -place, order))
        gain, length, start, place, order = best
        if tried >= most or gain <= 0:
            return shifts, steps
        words = order
        shifts.append((-start, length, -place))
