"""Pairs of outputs that a metric ranks against people, and the edits that it rewards in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import metrics
from metrics.corpus.agreement import (
    AgreementColumn,
    Credit,
    ExplainedPair,
    PairRequest,
    Wrong,
    WrongPairs,
    credit,
    explain,
    find_wrong_pairs,
    random_pairs,
)
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.processes import run_each_in_process

from ...draw.agreement import why
from ...draw.texts import ProcessedTexts
from ...frame.background import Look
from . import chosen_output
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput
from .record import AgreementState

#: Pairs that are explained: the clearest, then random ones of all; and how many at once.
MOST, RANDOM, AT_ONCE = 400, 1_000, 20
#: After how many random ones a view is drawn anew: there is an answer by then.
TOLD = 100


def wrong(corpus: AgreementJob, table: Table, of: AgreementColumn) -> WrongPairs:
    """The pairs that a column ranks against people."""
    return corpus.remembered(("wrong", of.key, table.scale), partial(find_wrong_pairs, table.people, of.scores))


def chosen_pair(pair: Wrong) -> ChosenOutput:
    """A pair as what is chosen: people's choice, held against the metric's."""
    return ChosenOutput(pair.better, pair.segment, pair.worse)


class ExplainedPairs(NamedTuple):
    """Pairs that are explained, each with why, None where that is too much work; and those of the clearest and of the
    random ones that were looked at."""

    why: dict[Wrong, ExplainedPair | None]
    clearest: list[Wrong]
    random: list[Wrong]


def credits_of(corpus: AgreementJob, table: Table, of: AgreementColumn, misranked: WrongPairs) -> list[Credit]:
    """In how many pairs a marked word earns credit, as far as it is known: of the clearest, and where there are more,
    of random ones. They are explained in the background, the clearest first."""
    subject, explained_pairs = (of.key, table.scale), _explained_pairs(corpus, table, of)
    clearest_done = corpus.find(("clearest", *subject), partial(_clearest, corpus, of, misranked, explained_pairs))
    if clearest_done is True and len(misranked.pairs) > MOST:
        sample = random_pairs(misranked, RANDOM)
        corpus.find(
            ("random", *subject), partial(_explain, corpus, of, sample, explained_pairs, explained_pairs.random)
        )
    return _credits(misranked, explained_pairs)


def credits_now(corpus: AgreementJob, table: Table, of: AgreementColumn, misranked: WrongPairs) -> list[Credit]:
    """The same, where the clearest are explained at once; of random ones it is what is known."""
    explained_pairs = _explained_pairs(corpus, table, of)
    corpus.find_now(("clearest", of.key, table.scale), partial(_clearest, corpus, of, misranked, explained_pairs))
    return _credits(misranked, explained_pairs)


def why_known(corpus: AgreementJob, table: Table, of: AgreementColumn) -> Mapping[Wrong, ExplainedPair | None]:
    """The pairs that were explained so far, None where that is too much work."""
    return _explained_pairs(corpus, table, of).why


def explain_only(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Explain no pairs but those of the view and the column that are looked at; what is explained already stays."""
    now = (chosen_output.column(corpus, state), table.scale) if state.view == "wrong" else None
    corpus.drop(
        lambda request: isinstance(request, tuple) and request[0] in ("clearest", "random") and request[1:] != now
    )


def _explained_pairs(corpus: AgreementJob, table: Table, of: AgreementColumn) -> ExplainedPairs:
    return corpus.remembered(("looked", of.key, table.scale), lambda: ExplainedPairs({}, [], []))


def _credits(misranked: WrongPairs, explained_pairs: ExplainedPairs) -> list[Credit]:
    def explained(pairs: Sequence[Wrong]) -> list[ExplainedPair]:
        return [each for each in map(explained_pairs.why.get, pairs) if each]

    out = [credit(misranked, explained([*explained_pairs.clearest]))]
    return (
        [*out, credit(misranked, explained([*explained_pairs.random]), drawn=True)] if explained_pairs.random else out
    )


def _clearest(
    corpus: AgreementJob, of: AgreementColumn, misranked: WrongPairs, explained_pairs: ExplainedPairs, look: Look
) -> bool:
    return _explain(corpus, of, misranked.pairs[:MOST], explained_pairs, explained_pairs.clearest, look)


def _explain(
    corpus: AgreementJob,
    of: AgreementColumn,
    pairs: Sequence[Wrong],
    explained_pairs: ExplainedPairs,
    done_pairs: list[Wrong],
    look: Look,
) -> bool:
    """Explain pairs, beginning after those in `done_pairs`, to which those that are looked at are added."""
    metric, settings = metrics.METRICS[of.key], corpus.settings[of.key]
    starts = range(len(done_pairs), len(pairs), AT_ONCE)
    batches = [pairs[at : at + AT_ONCE] for at in starts]
    given = [
        (
            metric,
            settings,
            corpus.text,
            [_pair_request(corpus, pair) for pair in each if pair not in explained_pairs.why],
        )
        for each in batches
    ]
    for at, each, explained in zip(starts, batches, run_each_in_process(CORES, explain, given), strict=True):
        explained_pairs.why.update(dict.fromkeys([pair for pair in each if pair not in explained_pairs.why]))
        explained_pairs.why.update({one.pair: one for one in explained})
        if (now := at + len(each)) > len(done_pairs):  # a file may have asked for the same
            done_pairs[:] = pairs[:now]
        corpus.view_progress = ViewProgress(
            len(done_pairs) / len(pairs), f"Why {of.label} is wrong: {len(done_pairs):,} of {len(pairs):,} pairs"
        )
        if done_pairs is explained_pairs.clearest or len(done_pairs) % TOLD == 0:
            corpus.tell()
        look()
    return True


def _pair_request(corpus: AgreementJob, pair: Wrong) -> PairRequest:
    """A pair with its texts and what people marked in them."""
    spans, outputs = corpus.spans, ((pair.better, pair.segment), (pair.worse, pair.segment))
    better, worse = (corpus.line(*output) for output in outputs)
    return PairRequest(
        pair, (better, worse), corpus.references[pair.segment], (spans.get(outputs[0], ()), spans.get(outputs[1], ()))
    )


def why_of(
    corpus: AgreementJob, table: Table, key: str, chosen: ChosenOutput, texts: tuple[ProcessedTexts, ProcessedTexts]
) -> str:
    """The edits that the metric rewards in a pair, as HTML; "" where it is none that it ranks against people."""
    of = chosen_output.of_table(table, key)
    if of is None or chosen.other is None or key not in metrics.METRICS:
        return ""
    pair = next((each for each in wrong(corpus, table, of).pairs if chosen_pair(each) == chosen), None)
    if pair is None:
        return ""

    def make() -> ExplainedPair | None:
        explanations = why_known(corpus, table, of)
        if pair in explanations:
            return explanations[pair]
        return next(
            iter(explain(metrics.METRICS[key], corpus.settings[key], corpus.text, [_pair_request(corpus, pair)])), None
        )

    explained = corpus.remembered(("why", key, table.scale, chosen), make)
    if explained is None:
        return ""
    words = texts[0].candidate_words, texts[1].candidate_words
    names = corpus.systems[pair.better], corpus.systems[pair.worse]
    return why.draw(explained, words, names, of.label, table.scale)
