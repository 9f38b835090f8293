"""The papers' algorithms as they print them: slow, obvious, and checked by eye.

The tests hold the fast programs of `metrics.alignment` and of the metrics against these. They take sequences of tokens,
or of anything that can be compared, and return plain numbers and tuples; nothing here uses a fast program.

`metrics.trace` shows them step by step (`steps`, and `programs` for all that can be watched): the functions that return
plain numbers run through the same cells and choices.
"""
