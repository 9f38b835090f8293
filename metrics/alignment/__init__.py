"""How cells are found: runs, subsequences, edit scripts, matchings and chains, and how many are equally good.

Nothing here knows a metric: sentences come in, marks and counts go out.
"""
