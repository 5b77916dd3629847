"""Earliest arrivals where the weights depend on the time at which an arc is entered.

Source: Dreyfus 1969, "An appraisal of some shortest-path algorithms"; Kaufman, Smith 1993, for the condition. Input: a
graph, weights of its arcs at some times, none negative, first in, first out. Output: times of arrival in float64. Cost:
a search of Dijkstra per source and departure.

The idea: where an arc that is entered later is never left earlier, every part of an earliest path is an earliest path,
as with constant weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError, GraphError, MemoryLimitError
from apsp.graph.csr import arc_arrays
from apsp.graph.periods import Periods
from apsp.system.machine import Machine, refuse_unless_fits, usable

__all__ = ["Timetable"]

_INT32 = np.iinfo(np.int32).max
_ARCS = 1 << 12
"""Arcs whose weights are checked and transposed at a time."""

IntArray = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class Timetable:
    """The weights of all arcs at the times of the periods, and on straight lines between them.

    Parameters
    ----------
    periods : Periods
        None of their weights is negative.
    times : (P,) float64
        Ascending.
    cycle : float
        After how long the first time comes again, more than between the first and the last; 0 for never.

    Raises
    ------
    GraphError
        If an arc that is entered later is left earlier; the message names it.
    DtypeRangeError
        If float64 does not hold every arrival.
    """

    def __init__(self, periods: Periods, times: Floats, cycle: float) -> None:
        self.periods, self.times, self.cycle = periods, times, cycle
        graphs = periods.values()
        longest = max(float(graph.weight_range[1]) for graph in graphs)
        if not math.isfinite(longest * max(periods.base.n, 1)):
            raise DtypeRangeError(
                f"float64 may not hold the arrivals: {periods.base.n:,} weights up to {longest:g}; divide the weights"
            )
        whole = all(graph.has_integer_weights for graph in graphs) and longest <= _INT32
        self.weights = np.empty((periods.base.m, len(times)), dtype=np.int32 if whole else np.float64)
        for start in range(0, periods.base.m, _ARCS):
            some = np.stack([graph.weights[start : start + _ARCS] for graph in graphs])  # type: ignore[index]
            self._check_order(some, start)
            self.weights[start : start + _ARCS] = some.T

    def arrivals(
        self, sources: IntArray, departures: Floats, targets: IntArray | None, found: Floats,
        pred: IntArray | None = None, threads: int = 1, progress: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        """Write the arrivals (S, T), infinite where there is no path, and the vertices before (S, n), of row i from
        sources[i] at departures[i].
        """
        rows = _cpu.RowArrays(sources, found, pred, targets)
        _cpu.earliest_arrivals(
            arc_arrays(self.periods.base), rows, departures=departures, weights=self.weights, times=self.times,
            cycle=self.cycle, threads=threads, progress=progress,
        )  # fmt: skip

    def profiles(
        self, sources: IntArray, targets: IntArray, first: float, last: float, threads: int,
        progress: Callable[[int], None] | None,
    ) -> tuple[npt.NDArray[np.int64], Floats, Floats]:  # fmt: skip
        """Return the points between which the arrivals lie on straight lines, for departures from first to last.

        Source: Orda and Rom 1990, "Shortest-path and minimum-delay algorithms in networks with time-dependent
        edge-length"; Dean 2004, "Shortest paths in FIFO time-dependent networks". Cost: a search whose labels are such
        points; bounds of the weights at all times leave out the arcs that lie on no earliest path to a target.

        Returns
        -------
        offsets : (S * T + 1,)
            The points of a pair are those from offsets[i * T + j] on.
        departures, arrivals : (points,)

        Raises
        ------
        MemoryLimitError
            If the points do not fit into memory.
        """
        graph, available = self.periods.base, usable(Machine.detect())
        what = f"the points of the arrivals from {len(sources):,} sources"
        fixed = 60 * graph.m + min(threads, max(len(sources), 1)) * 100 * graph.n
        refuse_unless_fits(fixed, what, "fewer threads")
        try:
            return _cpu.arrival_profiles(
                arc_arrays(graph), sources=sources, targets=targets, first=first, last=last, weights=self.weights,
                times=self.times, cycle=self.cycle, most_bytes=max(available - fixed, 0), threads=threads,
                progress=progress,
            )  # fmt: skip
        except MemoryError:
            remedies = ("fewer sources or targets at a time", "fewer threads", "departures nearer to each other")
            raise MemoryLimitError(what, available + 1, available, remedies) from None

    def _check_order(self, weights: npt.NDArray[Any], start: int) -> None:
        """Refuse an arc, of some beginning with `start`, whose weight (P, k) falls faster than time passes."""
        ends = self.times[:, None] + weights
        if self.cycle:
            ends = np.concatenate([ends, ends[:1] + self.cycle])
        wrong = ends[1:] < ends[:-1]
        if wrong.any():
            arc, before = np.argwhere(wrong.T)[0].tolist()
            self._refuse(start + arc, before, weights[:, arc])

    def _refuse(self, arc: int, before: int, weights: npt.NDArray[Any]) -> None:
        graph, names = self.periods.base, self.periods.names
        after = (before + 1) % len(names)
        later = self.times[after] + (self.cycle if after <= before else 0)
        tail = int(np.searchsorted(graph.indptr, arc, side="right")) - 1
        edge = " -> ".join(graph.labels.word(vertex) for vertex in (tail, int(graph.indices[arc])))
        raise GraphError(
            f"the edge {edge} takes {weights[before]} from time {self.times[before]:g} (period {names[before]!r}) and "
            f"{weights[after]} from time {later:g} (period {names[after]!r}): it would be left earlier by entering it "
            "later; let the weight fall by at most the time between, for example with another period between them"
        )
