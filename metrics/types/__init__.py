"""The data types of the core: coordinates, marks, layers, results, settings, and the record that describes a metric."""

from .account import UNEVEN, Account, errors_of, in_a_row, in_pieces, lengths_differ, shortness, words_match
from .arithmetic import ARITHMETIC, Amount
from .marks import Area, Edit, Hit, LetterPiece, Letters, Mark, Neighbours, Relation, Run, Shift, SkipBigram
from .metric import Cause, Complete, Composition, Metric, MetricDescription, PairwiseAgreement, StatisticRole, about
from .numbers import brevity, f_measure
from .results import (
    Alignment,
    CorpusResult,
    Cut,
    Layer,
    Result,
    Score,
    Ties,
    UnusedMatchReason,
    __version__,
    signature,
)
from .segments import Segment, Tokens, segment, tokens
from .sequences import AsTuple, Deferred, FirstFew
from .settings import LENGTH_MOST, SettingRule, Settings, setting
from .sights import Sight, matching, words_in_runs, words_matched
from .words import brief, cut, in_words, isolated, quoted, score_text, signed, unisolated, visible
from .work import TooHard

__all__ = [
    "ARITHMETIC",
    "LENGTH_MOST",
    "UNEVEN",
    "Account",
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
    "LetterPiece",
    "Letters",
    "Mark",
    "Metric",
    "MetricDescription",
    "Neighbours",
    "PairwiseAgreement",
    "Relation",
    "Result",
    "Run",
    "Score",
    "Segment",
    "SettingRule",
    "Settings",
    "Shift",
    "Sight",
    "SkipBigram",
    "StatisticRole",
    "Ties",
    "Tokens",
    "TooHard",
    "UnusedMatchReason",
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
