"""Rounds shares for printing, so that the printed shares sum to the printed difference."""

from __future__ import annotations

from collections.abc import Sequence

#: The number of additional decimals that may be used so that no part is printed as 0. A part that is still 0 is so
#: small that more decimals would only make the others harder to read.
MORE = 1

#: The most decimals of a number, and the size up to which a number may be printed as 0.
MOST, NOTHING = 12, 1e-9


def rounded_to_total(shares: Sequence[float], total: int, digits: int) -> list[int] | None:
    """Return each share as a whole number of units of the last decimal, rounded so that they sum to `total`.

    `total` is in the same units, 10^−digits. The shares are rounded to the nearest whole numbers, and then those with
    the largest remainders in the needed direction are changed by one, the first ones on ties. A share of 0 stays 0, and
    none changes its sign or becomes 0. The result is None if too few shares can be changed.

    >>> rounded_to_total([0.0364, -0.0374, 0.0004], -1, 3), rounded_to_total([0.25, 0.25, 0.5], 10, 1)
    ([36, -37, 0], [3, 2, 5])
    >>> rounded_to_total([0.0], 1, 0) is None
    True
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


def shares_as_printed(shares: Sequence[float], total: float, decimals: int) -> list[float]:
    """Return shares of a total rounded to `decimals` decimals, so that they sum to the total as it is printed.

    Each is the share rounded to the nearest number where they cannot sum to it.

    >>> shares_as_printed([0.00044, 0.00014, -0.00024], 0.00034, 4), shares_as_printed([0.25, 0.5], 0.1, 1)
    ([0.0004, 0.0001, -0.0002], [0.2, 0.5])
    """
    whole = rounded_to_total(shares, units_of_last_decimal(total, decimals), decimals)
    return [round(share, decimals) for share in shares] if whole is None else [n / 10**decimals for n in whole]


def units_of_last_decimal(value: float, digits: int) -> int:
    """Return a number in units of its last decimal, 10^−digits, rounded as it is printed.

    >>> units_of_last_decimal(0.0365, 3), units_of_last_decimal(-0.0006, 3)
    (36, -1)
    """
    return round(float(f"{value:.{digits}f}") * 10.0**digits)


def printed_shares(parts: Sequence[Sequence[float]], total: float, decimals: int) -> tuple[int, list[list[int]]]:
    """Return the number of decimals to print shares with, and each share in units of the last decimal.

    `parts` has the shares in groups, whose sums are printed as well. The numbers of a group sum to that of the group,
    and the numbers of the groups sum to that of `total`, which is the sum of all shares. There are more than `decimals`
    decimals if a share, or the total, would otherwise be printed as 0.

    >>> printed_shares([[0.1734], [-0.0744], [0.0454]], 0.1444, 3), printed_shares([[0.02, 0.0003], [0.1]], 0.1203, 3)
    ((3, [[173], [-74], [45]]), (4, [[200, 3], [1000]]))
    """
    fallback: tuple[int, list[list[int]]] | None = None
    for digits in range(decimals, MOST + 1):
        group_units = _group_units(parts, total, digits)
        if group_units is None or (abs(total) > NOTHING and not units_of_last_decimal(total, digits)):
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
    return fallback or (MOST, [[units_of_last_decimal(share, MOST) for share in each] for each in parts])


def _group_units(parts: Sequence[Sequence[float]], total: float, digits: int) -> list[list[int]] | None:
    """Return the shares of all groups in units of the last decimal; None if they cannot sum to `total`."""
    sums = rounded_to_total([sum(each) for each in parts], units_of_last_decimal(total, digits), digits)
    if sums is None:
        return None
    out = []
    for each, whole in zip(parts, sums, strict=True):
        units = rounded_to_total(each, whole, digits)
        if units is None:
            return None
        out.append(units)
    return out
