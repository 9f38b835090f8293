"""List all matchings and all chains of a small grid, slowly and obviously.

A cell is (i, j), or a `Hit`, whose first and last number are these two."""


def all_matchings(rows, columns, allowed):
    """Yield all matchings of `rows` by `columns` words that use only `allowed` cells, the empty one included.

    A matching is a tuple of cells (i, j)."""

    def match_from(i, used):
        if i == rows:
            yield ()
            return
        for j in range(columns):
            if (i, j) in allowed and j not in used:
                for rest in match_from(i + 1, used | {j}):
                    yield (i, j), *rest
        yield from match_from(i + 1, used)

    return match_from(0, frozenset())


def matching_cost(cells):
    """Return the cost of a matching, which METEOR minimises: (−matches, chunks, distance), compared in this order.

    The distance is the sum of |i − j| over its cells."""
    return -len(cells), sum((i - 1, j - 1) not in cells for i, j in cells), sum(abs(i - j) for i, j in cells)


def best_matchings(rows, columns, allowed):
    """Return the least `matching_cost` of the matchings within `allowed` cells, and all matchings that have it."""
    every = list(all_matchings(rows, columns, allowed))
    least = min(map(matching_cost, every))
    return least, [cells for cells in every if matching_cost(cells) == least]


def rising_chains(cells):
    """Return all chains of cells in which both numbers strictly increase, as tuples; the empty chain included."""
    found = [()]
    for cell in sorted(cells):
        found += [
            (*chain, cell) for chain in found if not chain or (chain[-1][0] < cell[0] and chain[-1][-1] < cell[-1])
        ]
    return found
