"""The public function for earliest arrivals."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from apsp._types import ArrayLike, VerticesLike
from apsp.api.departures.arrivals import Arrivals
from apsp.graph.arrays import finite_numbers
from apsp.graph.periods import Periods
from apsp.methods.departures.given import base_of, timetable_of
from apsp.running.arguments import own_positions
from apsp.running.public import public
from apsp.system.machine import refuse_unless_fits, threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["earliest_arrivals"]


@public
def earliest_arrivals(
    periods: Periods,
    departures: ArrayLike,
    *,
    times: ArrayLike | Mapping[str | int, float],
    cycle: float | None = None,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Arrivals:
    """Compute when vertices are reached first, if the weights of arcs depend on the time at which they are entered.

    Parameters
    ----------
    periods : Periods
        The weights of each period, durations in the unit of the times: `Graph.with_periods`.
    departures : number or (D,) array
        When the paths begin.
    times : (P,) array, or mapping of names of periods to numbers
        When the weights of each period hold, in the order of the periods, ascending: the weight of an arc lies on a
        straight line between two times.
    cycle : number, optional
        After how long the first time comes again, such as a day: between the last time and that, the weights lie on a
        straight line, too. By default they stay, before the first and after the last time.
    sources, targets : vertex or sequence of vertices, optional
        Rows and columns; all vertices by default.
    {threads}
    {progress}

    Returns
    -------
    Arrivals
        The times of arrival, (D, S, T) float64, infinite where there is no path; durations and paths.

    Raises
    ------
    GraphError
        If a vertex does not exist, or an edge that is entered later is left earlier: the message names it.
    RequestError
        If there is not one time per period, times do not ascend or do not lie within a cycle, a number is not finite,
        or weights are negative.
    DtypeRangeError
        If float64 may not hold every arrival.
    MemoryLimitError
        If the arrivals do not fit into memory.

    See Also
    --------
    arrival_profiles : All departures between two times.
    Graph.with_periods : Weights per period.
    skim : Costs between zones in every period.

    Notes
    -----
    Weights may fall by at most the time that passes, so that entering an arc later never means leaving it earlier
    (first in, first out). Then waiting does not help, and a search of Dijkstra with times as labels is exact (Dreyfus
    1969; Kaufman, Smith 1993); times are added in float64. Of parallel links, an arc has the least weight of each
    period. Paths do not pass through zones, but for their ends.

    The time is that of a search per source and departure, the memory that of the weights in int32 or float64.

    Examples
    --------
    The way over 1 is shorter at night, not in the morning:

    >>> import apsp
    >>> roads = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 14])
    >>> day = roads.with_periods({"night": [4, 14, 5], "morning": [24, 16, 15]})
    >>> found = apsp.earliest_arrivals(day, [0, 45, 60], times={"night": 0, "morning": 60}, sources=0, targets=2)
    >>> found.arrivals[:, 0, 0].tolist()
    [9.666666666666668, 60.5, 76.0]
    """
    graph = base_of(periods)
    leaving = finite_numbers(departures, "departures").reshape(-1)
    rows, columns = own_positions(graph, sources, "sources"), own_positions(graph, targets, "targets")
    every = np.arange(graph.n, dtype=np.int32)
    shape = len(leaving), graph.n if rows is None else len(rows), graph.n if columns is None else len(columns)
    what = f"{shape[0]:,} departures x {shape[1]:,} x {shape[2]:,} arrivals"
    refuse_unless_fits(8 * math.prod(shape), what, "some of the sources or targets at a time")
    timetable = timetable_of(periods, times, cycle)
    found = np.empty(shape)
    starts = np.tile(every if rows is None else rows, len(leaving))
    begins = np.repeat(leaving, shape[1])
    with reporting(progress) as report:
        timetable.arrivals(
            starts, begins, columns, found.reshape(len(starts), shape[2]), threads=threads_from(threads),
            progress=offset(report, "searches", 0, len(starts)),
        )  # fmt: skip
    return Arrivals(timetable, leaving, every if rows is None else rows, every if columns is None else columns, found)
