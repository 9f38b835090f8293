"""The rules of each metric that say which answers to its questions are right."""

from __future__ import annotations

from tests.helpers.teach.rules_counts import BLEU, CHRF, NIST, PER, ROUGE_N, ROUGE_S
from tests.helpers.teach.rules_runs import DCS, GTM, RIBES
from tests.helpers.teach.rules_searches import METEOR, SIA, TER, half_similarity
from tests.helpers.teach.rules_tables import ROUGE_L, ROUGE_W, WER

#: The ways in which ROUGE treats several references.
SEVERAL = [
    {"multi_reference": "jackknife"},
    {"multi_reference": "sum", "beta": 2.0},
    {"multi_reference": "best"},
    {"multi_reference": "best_recall", "f_measure": "lin_och"},
]


#: The rules of each metric by line, and the settings to try.
RULES = {
    "gtm": (GTM, [{}, {"exponent": 1.0}, {"solver": "exact"}, {"solver": "exact", "exponent": 3.0}]),
    "rouge_l": (
        ROUGE_L,
        [{}, {"multi_reference": "jackknife"}, {"multi_reference": "sum", "beta": 2.0}, {"multi_reference": "best"}],
    ),
    "wer": (WER, [{}]),
    "rouge_w": (ROUGE_W, [{}, {"variant": "optimal"}, {"weight": 2.0}, {"variant": "optimal", "weight": 2.0}]),
    "sia": (
        SIA,
        [{}, {"schedule": "squaring"}, {"iterative": False, "length_penalty": False}, {"similarity": half_similarity}],
    ),
    "dcs": (DCS, [{}, {"overlap": "disjoint"}]),
    "meteor": (METEOR, [{"stages": ("exact",)}, {"stages": ("exact", "stem", "synonym")}, {"stages": ("stem",)}]),
    "ter": (TER, [{}, {"beam_width": 1}, {"max_candidates": 2}]),
    "per": (PER, [{}]),
    "bleu": (BLEU, [{}, {"smoothing": "exp"}, {"max_order": 2, "smoothing": "add_k"}, {"effective_order": True}]),
    "chrf": (CHRF, [{"char_order": 3}, {}, {"char_order": 2, "word_order": 2, "beta": 1.0}, {"eps_smoothing": True}]),
    "nist": (NIST, [{"max_order": 2}, {}]),
    "rouge_n": (ROUGE_N, [{}, {"order": 2}, *SEVERAL]),
    "rouge_s": (ROUGE_S, [{}, {"unigrams": True, "max_skip": 1}, *SEVERAL]),
    "ribes": (RIBES, [{}]),
}
