"""Every data type of the core: coordinates, marks, layers, results, and the record that describes a metric."""

from .account import UNEVEN, Account, errors_of, in_a_row, in_pieces, lengths_differ, shortness, words_match
from .arithmetic import ARITHMETIC, Amount
from .marks import Area, Edit, Hit, Letters, Mark, Neighbours, Piece, Relation, Run, Shift, SkipBigram
from .metric import About, Agreement, Cause, Complete, Composition, Metric, Role, about
from .numbers import brevity, f_measure
from .results import (
    Alignment,
    CorpusResult,
    Cut,
    Layer,
    Reason,
    Result,
    Score,
    Ties,
    __version__,
    signature,
)
from .segments import Segment, Tokens, segment, tokens
from .sequences import AsTuple, Deferred, FirstFew
from .settings import LENGTH_MOST, Rule, Settings, setting
from .sights import Sight, matching, words_in_runs, words_matched
from .words import brief, cut, in_words, isolated, quoted, score_text, signed, unisolated, visible
from .work import TooHard

__all__ = [
    "ARITHMETIC",
    "LENGTH_MOST",
    "UNEVEN",
    "About",
    "Account",
    "Agreement",
    "Alignment",
    "Amount",
    "Area",
    "AsTuple",
    "Cause",
    "Complete",
    "Composition",
    "CorpusResult",
    "Cut",
    "Deferred",
    "Edit",
    "FirstFew",
    "Hit",
    "Layer",
    "Letters",
    "Mark",
    "Metric",
    "Neighbours",
    "Piece",
    "Reason",
    "Relation",
    "Result",
    "Role",
    "Rule",
    "Run",
    "Score",
    "Segment",
    "Settings",
    "Shift",
    "Sight",
    "SkipBigram",
    "Ties",
    "Tokens",
    "TooHard",
    "__version__",
    "about",
    "brevity",
    "brief",
    "cut",
    "errors_of",
    "f_measure",
    "in_a_row",
    "in_pieces",
    "in_words",
    "isolated",
    "lengths_differ",
    "matching",
    "quoted",
    "score_text",
    "segment",
    "setting",
    "shortness",
    "signature",
    "signed",
    "tokens",
    "unisolated",
    "visible",
    "words_in_runs",
    "words_match",
    "words_matched",
]
