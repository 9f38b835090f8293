"""Shares as they are printed: rounded so that they sum, as printed, to the printed difference."""

from __future__ import annotations

from collections.abc import Sequence

#: Decimals more than asked for that are tried so that no part is printed as 0. A part that is 0 with these too is so
#: little that the others would only get harder to read.
MORE = 1

#: The most decimals of a number, and what is so little that it is printed as 0.
MOST, NOTHING = 12, 1e-9


def apportioned(shares: Sequence[float], total: int, digits: int) -> list[int] | None:
    """Each share in units of its last decimal, so that they sum to `total`: the nearest whole numbers, but for those
    that are farthest from theirs in the direction that is wanted, which are one more or less.

    The largest remainder decides, of equal ones the first. A share of 0 stays 0, and none changes its sign or becomes
    0. None where there are too few that can be one more or less.

    >>> apportioned([0.0364, -0.0374, 0.0004], -1, 3), apportioned([0.25, 0.25, 0.5], 10, 1), apportioned([0.0], 1, 0)
    ([36, -37, 0], [3, 2, 5], None)
    """
    exact = [share * 10.0**digits for share in shares]
    whole = [round(each) for each in exact]
    need = total - sum(whole)
    step = 1 if need > 0 else -1
    could = [at for at, each in enumerate(exact) if step * (each - whole[at]) > 0 and (whole[at] + step) * each > 0]
    could.sort(key=lambda at: -step * (exact[at] - whole[at]))
    if len(could) < abs(need):
        return None
    for at in could[: abs(need)]:
        whole[at] += step
    return whole


def in_units(value: float, digits: int) -> int:
    """A number in units of its last decimal, as it is printed.

    >>> in_units(0.0365, 3), in_units(-0.0006, 3)
    (36, -1)
    """
    return round(float(f"{value:.{digits}f}") * 10.0**digits)


def printed(parts: Sequence[Sequence[float]], total: float, decimals: int) -> tuple[int, list[list[int]]]:
    """How many decimals shares are printed with, and each share in units of the last one.

    The shares come in groups, and the sums of the groups are printed as well: the numbers of a group sum to that of the
    group, and those of the groups to the `total`, which all shares sum to. There are more decimals than asked for where
    a share, or the total, would be printed as 0.

    >>> printed([[0.1734], [-0.0744], [0.0454]], 0.1444, 3), printed([[0.02, 0.0003], [0.1]], 0.1203, 3)
    ((3, [[173], [-74], [45]]), (4, [[200, 3], [1000]]))
    """
    fallback: tuple[int, list[list[int]]] | None = None
    for digits in range(decimals, MOST + 1):
        group_units = _units(parts, total, digits)
        if group_units is None or (abs(total) > NOTHING and not in_units(total, digits)):
            continue
        shares = [
            (share, unit) for each in zip(parts, group_units, strict=True) for share, unit in zip(*each, strict=True)
        ]
        nonzero_flags = [
            unit != 0 for share, unit in shares if abs(share) >= 0.5 * 10 ** -(max(digits, decimals + MORE))
        ]
        if all(nonzero_flags):
            return digits, group_units
        fallback = fallback or (digits, group_units)
    return fallback or (MOST, [[in_units(share, MOST) for share in each] for each in parts])


def _units(parts: Sequence[Sequence[float]], total: float, digits: int) -> list[list[int]] | None:
    sums = apportioned([sum(each) for each in parts], in_units(total, digits), digits)
    if sums is None:
        return None
    out = []
    for each, whole in zip(parts, sums, strict=True):
        units = apportioned(each, whole, digits)
        if units is None:
            return None
        out.append(units)
    return out
