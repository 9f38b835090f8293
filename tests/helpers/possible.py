"""Check that an output could have the given statistics, for tests that mix the statistics of two outputs."""

import math
from itertools import pairwise


def are_possible_statistics(key, stats, settings):
    """Return whether some candidate and references could have the statistics `stats` by the metric `key`."""
    n, m = stats.get("candidate_length", math.inf), stats.get("reference_length", math.inf)
    least = min(n, m) + 1e-9
    if key == "bleu":
        counts = [(stats[f"match_{order}"], stats[f"total_{order}"]) for order in range(1, settings.max_order + 1)]
        return all(match <= total for match, total in counts) and all(b[0] == 0 or a[0] for a, b in pairwise(counts))
    if key == "chrf":
        parts = ("match", "candidate", "reference", "uncounted")
        every = [[stats[f"{part}_{n}"] for part in parts] for n in range(1, settings.char_order + 1)]
        alone = all(lost == (0 if theirs else ours) for _, ours, theirs, lost in every)
        return alone and all(match <= min(ours, theirs) + 1e-9 for match, ours, theirs, _ in every)
    if key == "nist":
        orders = range(1, settings.max_order + 1)
        return all(not stats[f"information_{order}"] or stats[f"total_{order}"] for order in orders)
    if key.startswith("rouge"):
        if settings.multi_reference == "jackknife":
            return True
        ours, theirs = stats["candidate_total"] + 1e-9, stats["reference_total"] + 1e-9
        return 0 <= stats["precision_match"] <= ours and 0 <= stats["recall_match"] <= min(ours, theirs)
    if key == "gtm":
        return 0 <= stats["match_size"] <= least
    if key == "sia":
        whole = settings.schedule == "undecayed_first" or not settings.iterative
        return 0 <= stats["weighted_gain"] <= n * (1 if whole else settings.decay) + 1e-9
    if key == "dcs":
        # Two blocks of a and b words have the squares a² + b² and the product ab: together at most (a + b)².
        most = least**2 if settings.overlap == "disjoint" else math.inf
        return min(stats["squares"], stats["products"]) >= 0 and stats["squares"] + 2 * stats["products"] <= most
    if key == "meteor":
        whole = stats["chunks"] == 1 and stats["matches"] == n == m
        return stats["whole"] == whole and min(stats["matches"], 1) <= stats["chunks"] <= stats["matches"] <= least
    if key == "ribes":
        aligned, pairs = stats["aligned"], stats["aligned"] * (stats["aligned"] - 1) / 2
        counted = stats["concordant"] + stats["discordant"] == pairs >= stats["discordant"]
        return aligned <= n and counted and (aligned != 1 or m <= 1)
    if key == "per":
        return stats["common"] <= least and stats["longer_length"] == max(n, m)
    return min([stats[name] for name in ("substitutions", "insertions", "deletions", "hits")]) >= 0
