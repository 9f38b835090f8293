"""Find pairs of outputs that a metric ranks against people, and the edits that it rewards in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import metrics
from metrics.corpus.agreement import (
    AgreementColumn,
    ExplainedPair,
    MarkedCredit,
    PairRequest,
    WrongPair,
    WrongPairs,
    explain,
    find_wrong_pairs,
    marked_credit,
    random_pairs,
)
from metrics.corpus.agreement import AgreementTable as Table
from metrics.corpus.processes import run_each_in_process

from ...draw.agreement import why
from ...draw.texts import ProcessedTexts
from ...frame.background import CheckWanted
from . import chosen_output
from .agreement_job import CORES, AgreementJob, ViewProgress
from .chosen_output import ChosenOutput
from .record import AgreementState

#: How many of the clearest pairs are explained, how many random pairs after them, and how many in one batch.
MOST, RANDOM, AT_ONCE = 400, 1_000, 20
#: A view is drawn again after so many random pairs, which are enough for a first answer.
REDRAW_EVERY = 100


def misranked_pairs(corpus: AgreementJob, table: Table, of: AgreementColumn) -> WrongPairs:
    """Return the pairs of outputs that a column ranks against people; cached."""
    return corpus.remembered(("wrong", of.key, table.scale), partial(find_wrong_pairs, table.people, of.scores))


def chosen_pair(pair: WrongPair) -> ChosenOutput:
    """Return a pair as the page's selection: the output that people prefer, with the metric's choice as `other`."""
    return ChosenOutput(pair.better, pair.segment, pair.worse)


class ExplainedPairs(NamedTuple):
    """The pairs explained so far.

    Attributes:
        why: the explanation of each pair, None if it is too much work.
        clearest: the clearest pairs that were examined.
        random: the random pairs that were examined."""

    why: dict[WrongPair, ExplainedPair | None]
    clearest: list[WrongPair]
    random: list[WrongPair]


def credits_of(corpus: AgreementJob, table: Table, of: AgreementColumn, misranked: WrongPairs) -> list[MarkedCredit]:
    """Return in how many pairs a marked word earns credit, as far as it is known.

    The first entry is of the clearest pairs; a second one is of random pairs, where there are more than MOST. The pairs
    are explained in the background, the clearest first."""
    subject, explained_pairs = (of.key, table.scale), _explained_pairs(corpus, table, of)
    clearest_done = corpus.find(
        ("clearest", *subject), partial(_explain_clearest, corpus, of, misranked, explained_pairs)
    )
    if clearest_done is True and len(misranked.pairs) > MOST:
        sample = random_pairs(misranked, RANDOM)
        corpus.find(
            ("random", *subject), partial(_explain, corpus, of, sample, explained_pairs, explained_pairs.random)
        )
    return _credits(misranked, explained_pairs)


def credits_now(corpus: AgreementJob, table: Table, of: AgreementColumn, misranked: WrongPairs) -> list[MarkedCredit]:
    """Return what `credits_of` does, but explain the clearest pairs in the calling thread.

    Of random pairs only what is known already is returned."""
    explained_pairs = _explained_pairs(corpus, table, of)
    corpus.find_now(
        ("clearest", of.key, table.scale), partial(_explain_clearest, corpus, of, misranked, explained_pairs)
    )
    return _credits(misranked, explained_pairs)


def why_known(corpus: AgreementJob, table: Table, of: AgreementColumn) -> Mapping[WrongPair, ExplainedPair | None]:
    """Return the explanations known so far, by pair; None for a pair that is too much work."""
    return _explained_pairs(corpus, table, of).why


def explain_only(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Drop pending explanations of pairs unless they are of the view and column on the page; finished ones are kept."""
    now = (chosen_output.column(corpus, state), table.scale) if state.view == "wrong" else None
    corpus.drop(
        lambda request: isinstance(request, tuple) and request[0] in ("clearest", "random") and request[1:] != now
    )


def _explained_pairs(corpus: AgreementJob, table: Table, of: AgreementColumn) -> ExplainedPairs:
    """Return the record of the pairs explained so far, for one column and scale."""
    return corpus.remembered(("looked", of.key, table.scale), lambda: ExplainedPairs({}, [], []))


def _credits(misranked: WrongPairs, explained_pairs: ExplainedPairs) -> list[MarkedCredit]:
    """Return in how many of the explained pairs a marked word earns credit.

    The first entry is of the clearest pairs, the second of random ones if there are any."""

    def explained(pairs: Sequence[WrongPair]) -> list[ExplainedPair]:
        return [each for each in map(explained_pairs.why.get, pairs) if each]

    out = [marked_credit(misranked, explained([*explained_pairs.clearest]))]
    return (
        [*out, marked_credit(misranked, explained([*explained_pairs.random]), drawn=True)]
        if explained_pairs.random
        else out
    )


def _explain_clearest(
    corpus: AgreementJob, of: AgreementColumn, misranked: WrongPairs, explained_pairs: ExplainedPairs, look: CheckWanted
) -> bool:
    """Explain the clearest pairs in the background thread."""
    return _explain(corpus, of, misranked.pairs[:MOST], explained_pairs, explained_pairs.clearest, look)


def _explain(
    corpus: AgreementJob,
    of: AgreementColumn,
    pairs: Sequence[WrongPair],
    explained_pairs: ExplainedPairs,
    done_pairs: list[WrongPair],
    look: CheckWanted,
) -> bool:
    """Explain the pairs that follow those in `done_pairs`, in batches, and add each finished batch to `done_pairs`."""
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
        if (now := at + len(each)) > len(done_pairs):  # saving a file may explain the same pairs at the same time
            done_pairs[:] = pairs[:now]
        corpus.view_progress = ViewProgress(
            len(done_pairs) / len(pairs), f"Why {of.label} is wrong: {len(done_pairs):,} of {len(pairs):,} pairs"
        )
        if done_pairs is explained_pairs.clearest or len(done_pairs) % REDRAW_EVERY == 0:
            corpus.tell()
        look()
    return True


def _pair_request(corpus: AgreementJob, pair: WrongPair) -> PairRequest:
    """Return a pair with its texts and the errors that people marked in them."""
    spans, outputs = corpus.spans, ((pair.better, pair.segment), (pair.worse, pair.segment))
    better, worse = (corpus.line(*output) for output in outputs)
    return PairRequest(
        pair, (better, worse), corpus.references[pair.segment], (spans.get(outputs[0], ()), spans.get(outputs[1], ()))
    )


def why_of(
    corpus: AgreementJob, table: Table, key: str, chosen: ChosenOutput, texts: tuple[ProcessedTexts, ProcessedTexts]
) -> str:
    """Return the edits that the metric rewards in the selected pair, as HTML.

    "" if nothing explains the pair, for example because the metric does not rank it against people."""
    of = chosen_output.column_of_table(table, key)
    if of is None or chosen.other is None or key not in metrics.METRICS:
        return ""
    pair = next((each for each in misranked_pairs(corpus, table, of).pairs if chosen_pair(each) == chosen), None)
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
