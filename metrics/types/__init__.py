"""Every data type of the core: coordinates, marks, layers, results, and the record that describes a metric."""

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
from .words import brief, cut, isolated, quoted, signed, unisolated, visible
from .work import TooHard

__all__ = [
    "ARITHMETIC",
    "LENGTH_MOST",
    "About",
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
    "f_measure",
    "isolated",
    "matching",
    "quoted",
    "segment",
    "setting",
    "signature",
    "signed",
    "tokens",
    "unisolated",
    "visible",
    "words_in_runs",
    "words_matched",
]
