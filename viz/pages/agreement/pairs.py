"""Find the pairs of outputs that a metric ranks against people, and the edits in them that the metric rewards.

A pair has two outputs of one segment. The clearest pairs are those on which both people and the metric are surest."""

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
    explain_pairs,
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
    """Return the pairs of outputs that a column of the table ranks against people; cached."""
    return corpus.cached(("wrong", of.key, table.scale), partial(find_wrong_pairs, table.people, of.scores))


def pair_as_selection(pair: WrongPair) -> ChosenOutput:
    """Return a pair as a selection of the page: the output that people prefer, then the metric's choice."""
    return ChosenOutput(pair.better, pair.segment, pair.worse)


class ExplainedPairs(NamedTuple):
    """The pairs explained so far, for one metric and one scale of judgements.

    Attributes:
        why: the explanation of each pair, None if it is too much work.
        clearest: the pairs that were explained because they are the clearest.
        random: the pairs that were explained because they were drawn at random."""

    why: dict[WrongPair, ExplainedPair | None]
    clearest: list[WrongPair]
    random: list[WrongPair]


def marked_credits(
    corpus: AgreementJob, table: Table, of: AgreementColumn, misranked: WrongPairs
) -> list[MarkedCredit]:
    """Return in how many misranked pairs the metric gives credit to a word that people marked, as far as is known.

    The first entry is on the clearest pairs. A second one is on pairs drawn at random, if there are more than MOST
    pairs. This call starts explaining the pairs in the background, the clearest first."""
    subject, explained_pairs = (of.key, table.scale), _explained_so_far(corpus, table, of)
    clearest = corpus, of, misranked.pairs[:MOST], explained_pairs, explained_pairs.clearest
    clearest_done = corpus.find_in_background(("clearest", *subject), partial(_explain_pairs, *clearest))
    if clearest_done is True and len(misranked.pairs) > MOST:
        sample = random_pairs(misranked, RANDOM)
        corpus.find_in_background(
            ("random", *subject), partial(_explain_pairs, corpus, of, sample, explained_pairs, explained_pairs.random)
        )
    return _count_marked_credits(misranked, explained_pairs)


def compute_marked_credits(
    corpus: AgreementJob, table: Table, of: AgreementColumn, misranked: WrongPairs
) -> list[MarkedCredit]:
    """Return in how many misranked pairs the metric gives credit to a word that people marked.

    The clearest pairs are explained in the calling thread. Pairs drawn at random count only if they are explained
    already."""
    explained_pairs = _explained_so_far(corpus, table, of)
    clearest = corpus, of, misranked.pairs[:MOST], explained_pairs, explained_pairs.clearest
    corpus.compute_now(("clearest", of.key, table.scale), partial(_explain_pairs, *clearest))
    return _count_marked_credits(misranked, explained_pairs)


def known_explanations(
    corpus: AgreementJob, table: Table, of: AgreementColumn
) -> Mapping[WrongPair, ExplainedPair | None]:
    """Return the explanations known so far, by pair; None for a pair that is too much work."""
    return _explained_so_far(corpus, table, of).why


def drop_other_explanations(corpus: AgreementJob, state: AgreementState, table: Table) -> None:
    """Drop pending explanations of pairs, except those for the view and column that the page shows now.

    Finished explanations are kept."""
    now = (chosen_output.selected_column_key(corpus, state), table.scale) if state.view == "wrong" else None
    corpus.drop_pending(
        lambda request: isinstance(request, tuple) and request[0] in ("clearest", "random") and request[1:] != now
    )


def _explained_so_far(corpus: AgreementJob, table: Table, column: AgreementColumn) -> ExplainedPairs:
    """Return the record of the pairs explained so far, for one column and scale; it grows while pairs are explained."""
    return corpus.cached(("looked", column.key, table.scale), lambda: ExplainedPairs({}, [], []))


def _count_marked_credits(misranked: WrongPairs, explained_pairs: ExplainedPairs) -> list[MarkedCredit]:
    """Return in how many of the explained pairs the metric gives credit to a word that people marked.

    The first entry is on the clearest pairs; a second one is on pairs drawn at random, if any are explained."""

    def explained(pairs: Sequence[WrongPair]) -> list[ExplainedPair]:
        return [each for each in map(explained_pairs.why.get, pairs) if each]

    out = [marked_credit(misranked, explained([*explained_pairs.clearest]))]
    if explained_pairs.random:
        out.append(marked_credit(misranked, explained([*explained_pairs.random]), drawn=True))
    return out


def _explain_pairs(
    corpus: AgreementJob,
    column: AgreementColumn,
    pairs: Sequence[WrongPair],
    explained_pairs: ExplainedPairs,
    done_pairs: list[WrongPair],
    check_wanted: CheckWanted,
) -> bool:
    """Explain the pairs that follow those in `done_pairs`, batch by batch; returns True when all are explained.

    Each finished batch is added to `done_pairs` and to `explained_pairs`. Raises what `check_wanted` raises, when the
    explanations are no longer wanted."""
    metric, settings = metrics.METRICS[column.key], corpus.settings[column.key]
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
    for at, each, explained in zip(starts, batches, run_each_in_process(CORES, explain_pairs, given), strict=True):
        explained_pairs.why.update(dict.fromkeys([pair for pair in each if pair not in explained_pairs.why]))
        explained_pairs.why.update({one.pair: one for one in explained})
        if (now := at + len(each)) > len(done_pairs):  # saving a file may explain the same pairs at the same time
            done_pairs[:] = pairs[:now]
        corpus.view_progress = ViewProgress(
            len(done_pairs) / len(pairs), f"Why {column.label} is wrong: {len(done_pairs):,} of {len(pairs):,} pairs"
        )
        if done_pairs is explained_pairs.clearest or len(done_pairs) % REDRAW_EVERY == 0:
            corpus.request_redraw()
        check_wanted()
    return True


def _pair_request(corpus: AgreementJob, pair: WrongPair) -> PairRequest:
    """Return a pair with what explaining it needs: both outputs, the references, and the errors that people marked."""
    spans, outputs = corpus.marked_errors_by_output, ((pair.better, pair.segment), (pair.worse, pair.segment))
    better, worse = (corpus.output_text(*output) for output in outputs)
    return PairRequest(
        pair,
        (better, worse),
        corpus.reference_words[pair.segment],
        (spans.get(outputs[0], ()), spans.get(outputs[1], ())),
    )


def rewarded_edits_html(
    corpus: AgreementJob, table: Table, key: str, chosen: ChosenOutput, texts: tuple[ProcessedTexts, ProcessedTexts]
) -> str:
    """Return HTML on the edits that the metric rewards in the selected pair of outputs.

    `texts` are those of the better output by people and of the other one. The result is "" if nothing explains the
    pair, for example because the metric does not rank it against people."""
    of = chosen_output.find_column(table, key)
    if of is None or chosen.other is None or key not in metrics.METRICS:
        return ""
    pair = next((each for each in misranked_pairs(corpus, table, of).pairs if pair_as_selection(each) == chosen), None)
    if pair is None:
        return ""

    def explain_pair() -> ExplainedPair | None:
        explanations = known_explanations(corpus, table, of)
        if pair in explanations:
            return explanations[pair]
        metric, settings = metrics.METRICS[key], corpus.settings[key]
        return next(iter(explain_pairs(metric, settings, corpus.text, [_pair_request(corpus, pair)])), None)

    explained = corpus.cached(("why", key, table.scale, chosen), explain_pair)
    if explained is None:
        return ""
    words = texts[0].candidate_words, texts[1].candidate_words
    names = corpus.names[pair.better], corpus.names[pair.worse]
    return why.draw(explained, words, names, of.label, table.scale)
