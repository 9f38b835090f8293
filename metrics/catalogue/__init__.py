"""Collect the records of all metrics: each metric, or family of metrics, has a folder here and a line in `METRICS`."""

from __future__ import annotations

from ..types import Metric
from . import bleu, chrf, dcs, gtm, meteor, nist, per, ribes, sia, ter, wer
from .rouge import rouge_l, rouge_n, rouge_s, rouge_w

#: The record of each metric by its key, in menu order.
METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        bleu.METRIC,
        chrf.METRIC,
        nist.METRIC,
        rouge_n.METRIC,
        rouge_l.METRIC,
        rouge_w.METRIC,
        rouge_s.METRIC,
        gtm.METRIC,
        sia.METRIC,
        dcs.METRIC,
        meteor.METRIC,
        ribes.METRIC,
        wer.METRIC,
        per.METRIC,
        ter.METRIC,
    )
}
