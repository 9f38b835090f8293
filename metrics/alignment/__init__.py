"""Algorithms that find alignments: runs, subsequences, edit scripts, matchings and chains, and the number of ties.

Nothing here depends on a metric: the functions take sentences and return marks and counts.
"""
