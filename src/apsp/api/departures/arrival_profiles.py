"""The public function for earliest arrivals at all times of departure between two."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from apsp._types import ArrayLike, VerticesLike
from apsp.errors import RequestError, shown
from apsp.graph.arrays import finite_numbers
from apsp.graph.periods import Periods
from apsp.methods.departures.given import base_of, timetable_of
from apsp.result.arrival_profiles import ArrivalProfiles
from apsp.running.arguments import own_positions
from apsp.running.public import public
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["arrival_profiles"]


@public
def arrival_profiles(
    periods: Periods,
    between: ArrayLike,
    *,
    times: ArrayLike | Mapping[str | int, float],
    cycle: float | None = None,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> ArrivalProfiles:
    """Compute when vertices are reached first, for every departure between two times.

    Weights depend on the time at which an arc is entered, as for `earliest_arrivals`. Arrivals then lie on straight
    lines between some departures, which are found, too.

    Parameters
    ----------
    periods : Periods
        The weights of each period, durations in the unit of the times: `Graph.with_periods`.
    between : (2,) numbers
        The first and the last departure.
    times : (P,) array, or mapping of names of periods to numbers
        When the weights of each period hold, in the order of the periods, ascending: the weight of an arc lies on a
        straight line between two times.
    cycle : number, optional
        After how long the first time comes again, such as a day. By default the weights stay, before the first and
        after the last time.
    sources, targets : vertex or sequence of vertices, optional
        Rows and columns; all vertices by default. A few targets take less time and memory.
    {threads}
    {progress}

    Returns
    -------
    ArrivalProfiles
        The arrivals at any of these departures, the shortest durations, and the points between the straight lines.

    Raises
    ------
    GraphError
        If a vertex does not exist, or an edge that is entered later is left earlier: the message names it.
    RequestError
        If the last departure is not later than the first, there is not one time per period, times do not ascend or do
        not lie within a cycle, a number is not finite, or weights are negative.
    DtypeRangeError
        If float64 may not hold every arrival.
    MemoryLimitError
        If the points do not fit into memory.

    See Also
    --------
    earliest_arrivals : Some departures.
    Graph.with_periods : Weights per period.

    Notes
    -----
    The labels of the search are the arrivals at all departures (Orda, Rom 1990; Dean 2004), added and compared in
    float64: differences below 1e-12 of the latest time are taken for rounding, at each arc, and so are bends of a line.
    At every departure the arrival is that of `earliest_arrivals` but for such differences.

    The number of points is not bounded by a polynomial (Foschini, Hershberger, Suri 2014); on streets it grows with the
    number of times within the paths. Arcs that are on no earliest path to a target, by the least and greatest weights
    of all times, are left out.

    Examples
    --------
    The way over 1 is shorter at night, not in the morning:

    >>> import apsp
    >>> roads = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 14])
    >>> day = roads.with_periods({"night": [4, 14, 5], "morning": [24, 16, 15]})
    >>> found = apsp.arrival_profiles(day, (0, 60), times={"night": 0, "morning": 60}, sources=0, targets=2)
    >>> departures, arrivals = found.points(0, 2)
    >>> departures.round(3).tolist(), arrivals.round(3).tolist()
    ([0.0, 8.298, 60.0], [9.667, 22.574, 76.0])
    >>> found.at([30, 60])[:, 0, 0].tolist()
    [45.0, 76.0]
    """
    graph = base_of(periods)
    ends = finite_numbers(between, "between")
    if ends.shape != (2,) or not ends[0] < ends[1]:
        raise RequestError(
            f"between must be the first and a later last departure, not {shown(ends.tolist())}; for one departure "
            "there is earliest_arrivals"
        )
    rows, columns = (
        np.arange(graph.n, dtype=np.int32) if own is None else own
        for own in (own_positions(graph, sources, "sources"), own_positions(graph, targets, "targets"))
    )
    timetable, (first, last) = timetable_of(periods, times, cycle), ends.tolist()
    with reporting(progress) as report:
        advance = offset(report, "searches", 0, len(rows))
        found = timetable.profiles(rows, columns, first, last, threads_from(threads), advance)
    return ArrivalProfiles(graph.labels, rows, columns, (first, last), *found)
