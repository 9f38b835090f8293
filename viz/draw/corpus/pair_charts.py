"""Draw the charts of two systems' scores that the Corpus page shows and that a report on a corpus repeats."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.corpus.table import Array, StatisticsTable

from ..compare.scores import short_names
from . import groups, histogram

NAME_MOST = 18  # letters of a system's name in a chart


class PairCharts(NamedTuple):
    """The scores of two systems on some segments, from which charts are drawn.

    The charts lead from the worse to the better system.

    Attributes:
        table: the scores of the systems by one metric.
        sides: the indices of the worse and of the better system in the table.
        turned: whether the better system is A; filters take B's score less A's.
        system_names: the names of the worse and of the better system.
        segments: the indices of the segments in the table.
        lengths: the length of every segment of the table, in words of its reference.
        of: a text on which segments these are."""

    table: StatisticsTable
    sides: tuple[int, int]
    turned: bool
    system_names: tuple[str, str]
    segments: NDArray[np.intp]
    lengths: NDArray[np.float64]
    of: str

    @property
    def names(self) -> tuple[str, str]:
        """The names of the worse and of the better system as charts show them."""
        worse, better = short_names(self.system_names, NAME_MOST)
        return worse, better

    @property
    def scores(self) -> tuple[Array, Array]:
        """The scores of the segments by the worse and by the better system."""
        worse, better = self.sides
        return self.table.scores[worse][self.segments], self.table.scores[better][self.segments]

    @property
    def look(self) -> tuple[str, bool, tuple[str, str]]:
        """The label of the metric, whether higher is better, and the names, as all charts take them."""
        return self.table.metric.label, self.table.metric.higher_is_better, self.names

    def differences_html(self) -> str:
        """Return the histogram of the differences of the segments' scores; a bar opens its segments."""
        worse, better = self.scores
        return histogram.draw(better - worse, *self.look, self._filter_of_bar, self.of)

    def lengths_html(self) -> str:
        """Return the chart of both systems' scores by the length of the segments; a group opens its segments."""
        tell = "filter:{low} <= length <= {high}".format
        length_groups = groups.groups_by_length(self.table, self.sides, self.lengths, self.segments, tell)
        return groups.scores_by_length_chart(length_groups, *self.look, self.of)

    def _filter_of_bar(self, bar: histogram.Bar) -> str:
        """Return the link text of the filter that selects the segments counted by a bar of the histogram.

        The filter takes B's score less A's. The chart shows the better system's less the other's: if A is the better
        one, the signs differ."""
        low, high = bar.low, bar.high
        if self.turned:
            low, high = (None if end is None else -end for end in (high, low))
        delta = f"delta.{self.table.metric.key}"
        if low is None or high is None:
            end, sign = (high, "<=") if low is None else (low, ">=")
            return f"filter:{delta} {sign} {end:.9g}"
        # A value on the edge of two bars counts to the bar that is farther from zero.
        signs = "<=" if low > 0 else "<", "<=" if high < 0 else "<"
        return f"filter:{low:.9g} {signs[0]} {delta} {signs[1]} {high:.9g}"
