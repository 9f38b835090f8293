"""A corpus whose names and texts are hostile."""

from __future__ import annotations

import json

from metrics.text.formats import File, read
from tests.helpers.pages import score_corpus

NAMES = {"a": '=cmd|"x"!A0', "b": r"b_50% & ~^\#{$}|<x>"}


LINES = [
    ("=1+2", "plain one", "the cat sat on the mat", "die Katze"),
    ("+1", "-1 \u202e turned", "+ a \u05e9\u05dc\u05d5\u05dd", "@source"),
    ("@SUM(A1)", "a <b> & \u0001 \U0001f642\ufffe", "a, \"quoted\" 'b'", "#N/A"),
    ("the dog sat", "the dog sat on", "the dog sat on it", "=HYPERLINK(1)"),
    ("not this", "this one", "_x0041_ this one too", "ende"),
    ("same here", "same here", "same here", ""),
]


def score_hostile_corpus():
    """Return a scored corpus of six segments of two systems with hostile names and texts."""
    lines = [
        {"source": source, "reference": reference, "document": f"-doc {n // 2}", NAMES["a"]: a, NAMES["b"]: b}
        for n, (a, b, reference, source) in enumerate(LINES)
    ]
    data = "\n".join([json.dumps(line) for line in lines]).encode()
    roles = {NAMES["a"]: "system", NAMES["b"]: "system"}
    return score_corpus(read([File("some.jsonl", data)], roles), ("gtm", "ter", "bleu"))
