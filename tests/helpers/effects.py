"""Define texts, effects of changing a word, and searches for the tests of what words are worth."""

from __future__ import annotations

import dataclasses
import re
import time

import metrics
from metrics.analysis import worth
from metrics.analysis.worth import JointDeletion, WordChangeEffect
from metrics.types import Metric, TooHard
from tests.helpers.fragments import process_texts
from viz.draw.texts import ProcessedTexts
from viz.pages.compare import effects as searches

GTM, WER = metrics.METRICS["gtm"], metrics.METRICS["wer"]


def effects_of(key: str, texts: ProcessedTexts) -> list[WordChangeEffect]:
    return [*worth.word_change_effects(metrics.METRICS[key], texts.segment, metrics.settings(key))]


def score_of(key: str, texts: ProcessedTexts, without: tuple[int, ...] = ()) -> float:
    words = [word for i, word in enumerate(texts.segment.candidate) if i not in without]
    return metrics.score(key, words, texts.segment.references).score


def find_joint(key: str, texts: ProcessedTexts) -> JointDeletion | None:
    """Return the words whose joint deletion gives the best score, searched without a time limit.

    None if no deletion improves the score."""
    search = searches.EffectSearch(metrics.METRICS[key], texts.segment, metrics.settings(key))
    search.continue_for(60)
    search.joint_search.continue_for(60)
    assert search.done and search.joint_search.done
    return search.joint_search.joint


def without_tags(markup: str) -> str:
    return re.sub("<.*?>", "", markup)


def delete(i: int, delta: float) -> WordChangeEffect:
    """Return the effect of deleting candidate word `i`, which changes the score by `delta`."""
    return WordChangeEffect("delete", i, -1, -1, 0.5 + delta, delta)


def insert(i: int, j: int, delta: float, k: int = 0) -> WordChangeEffect:
    """Return the effect of inserting word `j` of reference `k` before candidate word `i`.

    It changes the score by `delta`."""
    return WordChangeEffect("insert", i, k, j, 0.5 + delta, delta)


def replace(i: int, j: int, delta: float, k: int = 0) -> WordChangeEffect:
    """Return the effect of replacing candidate word `i` by word `j` of reference `k`.

    It changes the score by `delta`."""
    return WordChangeEffect("replace", i, k, j, 0.5 + delta, delta)


def slow_wer(seconds: float = 0.0, too_hard_at: int | None = None) -> Metric:
    """Return a copy of WER that sleeps `seconds` whenever it scores.

    After `too_hard_at` scores it raises TooHard; None means never."""
    calls = []

    def align(segment, settings, marks):
        calls.append(segment)
        time.sleep(seconds)
        if too_hard_at is not None and len(calls) > too_hard_at:
            raise TooHard("there is <too> much of it")
        return WER.align(segment, settings, marks)

    return dataclasses.replace(WER, align=align)


CAT = process_texts("the cat sat", "the black cat sat down", "a cat")
ALONE = process_texts("the cat sat", "the black cat sat down")
SURPLUS = process_texts("the cat sat on the mat the cat xx yy", "the cat sat on the mat")
