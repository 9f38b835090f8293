"""Say which of two systems is better by the metrics, on all segments or on those that the filter selects.

The functions return what is known so far. `subset` are the segments of the filter, None for all."""

from __future__ import annotations

import streamlit as st

import metrics
from metrics.corpus import signatures
from metrics.corpus.explanations.across_metrics import Vote
from metrics.corpus.explanations.significance import lead_clause, pair_verdict
from metrics.corpus.explanations.why import main_causes_text
from metrics.corpus.ledger import CorpusLedger
from metrics.corpus.pairs import SystemPair
from metrics.types import reference_count

from ...components import links
from ...draw.corpus import across_metrics as drawn_across
from ...draw.corpus import story
from ...frame import strip
from ...frame.corpora import CorpusJob, SegmentSubset
from . import kinds, scoring
from .filter import filters
from .filter.filters import SelectedSegments
from .record import CorpusState

# ---------------------------------------------------------------- the strip


def request_results(job: CorpusJob, state: CorpusState, subset: SegmentSubset | None = None) -> None:
    """Start the computations that the strip and the sentences need, in the order of their importance.

    First come the test and the causes of the selected metric, then the tests of the other metrics, kinds of error and
    words. For a `subset` of a very large corpus, other metrics are tested only when they are selected."""
    if subset is not None:
        if subset.fair:
            for key in sorted(job.scored_keys(), key=lambda key: key == state.score_key):
                if key == state.score_key or job.segment_count <= filters.MANY:
                    job.system_comparisons(key, state.a, subset)
        job.ledger(state.score_key, state.a, state.b)
        return
    if job.is_scored(state.score_key) and state.a != state.b:
        job.ledger(state.score_key, state.a, state.b)
        job.system_comparisons(state.score_key, state.a)  # the newest request is answered first
        if not has_test_and_causes(job, state):
            return
        kinds.request_findings(job, state)
    for key in job.scored_keys():
        if key != state.score_key:
            job.system_comparisons(key, state.a)
    tested = job.ended and all(each.p is not None for each in votes_of_metrics(job, state))
    if tested and (other_metric := disagreeing_metric(job, state)):
        job.ledger(other_metric, state.a, state.b)  # last, because it may take as long as all before it


def has_test_and_causes(job: CorpusJob, state: CorpusState) -> bool:
    """Return whether it is known if A and B differ by more than chance by the selected metric, and by which causes."""
    key, a, b = state.score_key, state.a, state.b
    return job.ledger_has_causes(key, a, b) and job.known_system_comparisons(key, a) is not None


def metric_tiles(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> dict[str, strip.Tile]:
    """Return the tile of each metric, by key: the scores of A and B on the selected segments, and their difference.

    The tile of a metric that is not scored says so."""
    out, names, subset = {}, (job.names[state.a], job.names[state.b]), selected.subset
    b_leads = (
        not job.is_scored(state.score_key) or job.order_worse_first(state.score_key, state.a, state.b)[1] == state.b
    )
    for key in [*metrics.METRICS, *job.given_tables]:
        metric = job.metric(key)
        if scoring.is_waiting(job, key):
            out[key] = strip.Tile(
                (strip.TileLine("–", "not scored"), strip.TileLine("not scored", "a click scores it")), tip="Score it"
            )
        elif not job.is_scored(key):
            label = "not scored" if job.ended else "not scored yet"
            out[key] = strip.Tile((strip.TileLine("–" if job.ended else "…", label), strip.TileLine("")))
        elif not selected.size:
            out[key] = strip.Tile((strip.TileLine("–", "no segments"), strip.TileLine("")))
        else:
            out[key] = strip.corpus_tile(
                metric,
                names,
                _scores_of_a_and_b(job, state, key, subset),
                _known_test(job, state, key, subset),
                b_leads,
            )
    return out


def _scores_of_a_and_b(
    job: CorpusJob, state: CorpusState, key: str, subset: SegmentSubset | None
) -> tuple[float, float]:
    """Return the corpus scores of A and B by a scored metric, on all segments or on `subset`."""
    if subset is not None:
        return job.subset_scores(key, state.a, state.b, subset)
    each = job.corpus_scores(key)
    return float(each[state.a]), float(each[state.b])


def _known_test(job: CorpusJob, state: CorpusState, key: str, subset: SegmentSubset | None) -> SystemPair | None:
    """Return the test of the difference between A and B by a metric, None if it is not known or not made.

    On segments that were selected by outputs or scores no test is made."""
    if subset is not None and not subset.fair:
        return None
    if subset is not None and job.segment_count > filters.MANY and key != state.score_key:
        return None
    known_pairs = job.known_system_comparisons(key, state.a, subset) or ()
    return next((pair for pair in known_pairs if pair.b == job.names[state.b]), None)


# ---------------------------------------------------------------- all metrics


def votes_of_metrics(job: CorpusJob, state: CorpusState, subset: SegmentSubset | None = None) -> list[Vote]:
    """Return the vote of each scored metric: B's score less A's, and its p-value if that is known.

    They are in the order of the catalogue; scores that came with the files are the last."""
    out = []
    for key in job.scored_keys():
        before, after = _scores_of_a_and_b(job, state, key, subset)
        pair = _known_test(job, state, key, subset)
        out.append(Vote(job.metric(key), after - before, pair.p_corrected if pair else None))
    return out


def disagreeing_metric(job: CorpusJob, state: CorpusState) -> str:
    """Return the key of the first metric that prefers the other system than the selected one does.

    By both metrics the difference must be more than chance; "" if there is no such metric. Its ledger is shown with
    that of the selected one."""
    winners = {each.metric.key: each.calls_b_better for each in votes_of_metrics(job, state) if each.is_beyond_chance}
    mine = winners.get(state.score_key)
    return "" if mine is None else next((key for key, winner in winners.items() if winner is (not mine)), "")


def open_scores(job: CorpusJob, key: str) -> None:
    """Look at the scores by a metric, or at those in the files, which stand before the metric; a callback."""
    st.session_state.update({"corpus_given": key} if key in job.given_tables else {"metric": key, "corpus_given": ""})
    st.session_state.whole_page = True


def draw_votes(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> None:
    """Draw a sentence on how many metrics prefer which system; a click on a metric selects it."""
    if state.a == state.b or not selected.size:
        return

    def choose_metric(name: str, value: str) -> None:
        if name == "metric" and job.is_scored(value):
            open_scores(job, value)

    metric_votes = votes_of_metrics(job, state, selected.subset)
    names = job.names[state.a], job.names[state.b]
    links.show(
        "corpus_across",
        drawn_across.draw(names, metric_votes, len(job.wanted) + len(job.given_tables), job.ended),
        choose_metric,
    )


# ---------------------------------------------------------------- the sentence


def verdict_sentence(job: CorpusJob, state: CorpusState, selected: SelectedSegments) -> str:
    """Return the verdict of the selected metric on A and B, on all segments or on those of the filter.

    It says which system is better, whether that is more than chance, and by which causes once they are known."""
    metric, names, subset = job.metric(state.score_key), (job.names[state.a], job.names[state.b]), selected.subset
    if state.a == state.b:
        return "A and B are the same system."
    if not job.is_scored(state.score_key):
        if job.ended or scoring.is_waiting(job, state.score_key):
            others = " Other metrics are: choose one." if job.tables else ""
            return f"{metric.label} is not scored.{others}"
        ready = " Metrics with numbers can be looked at now: choose one." if job.tables else ""
        return f"{metric.label} is being scored.{ready}"
    if not selected.size:
        return "No segment is selected by the filter."
    count = len(subset.segment_indices) if subset else 0
    where = f"In the {count:,} of {job.segment_count:,} segments of the filter " if subset else ""
    ledger = job.ledger(state.score_key, state.a, state.b)
    whole = subset is None and job.ledger_has_causes(state.score_key, state.a, state.b)
    has_causes = whole and not state.given
    why = main_causes_text(metric, ledger, story.DECIMALS) if has_causes and isinstance(ledger, CorpusLedger) else ""
    if pair := _known_test(job, state, state.score_key, subset):
        agreed = None if subset else _human_agreement(job, state, pair.delta)
        text = f"{where}{pair_verdict(pair, story.DECIMALS, agreed, why, with_interval=True)}"
        return text if whole or subset or not pair.delta else f"{text} Looking for causes."
    before, after = _scores_of_a_and_b(job, state, state.score_key, subset)
    text = f"{where}{lead_clause(names, metric, after - before, story.DECIMALS)}"
    if subset and not subset.fair:
        return f"{text}. No test: they were chosen by outputs or scores."
    return f"{text}{f': {why}' if why else ''}. Now testing whether that is more than chance."


def _human_agreement(job: CorpusJob, state: CorpusState, delta: float) -> float | None:
    """Return how often people agreed with a difference as large as `delta` by the selected metric, from 0 to 1.

    None if that is not known for this metric and its settings."""
    number = reference_count(job.texts.references)
    return signatures.people_agreement_rate(job.table(state.score_key), job.text, number, delta)
