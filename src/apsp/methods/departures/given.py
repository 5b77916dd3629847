"""The arguments that functions of departure times have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike
from apsp.errors import RequestError, shown
from apsp.graph.arrays import finite_numbers
from apsp.graph.model import Graph
from apsp.graph.periods import Periods
from apsp.methods.departures.timetable import Timetable
from apsp.system.arguments import number

__all__ = ["base_of", "timetable_of"]


def base_of(periods: Any) -> Graph:
    """The graph of the periods, in which paths can be found by time.

    Raises
    ------
    RequestError
        If these are no periods, or weights are negative.
    """
    if not isinstance(periods, Periods):
        raise RequestError(f"periods must be the graph of several periods, Graph.with_periods, not {shown(periods)}")
    negative = next((name for name, each in periods.items() if each.has_negative_arc), None)
    if negative is not None:
        raise RequestError(f"period {negative!r} has negative weights: times do not run backwards")
    return periods.base


def timetable_of(
    periods: Periods, times: ArrayLike | Mapping[str | int, float], cycle: float | None
) -> Timetable:  # fmt: skip
    """The weights of all arcs by time.

    Raises
    ------
    RequestError
        If there is not one time per period, or times do not ascend or do not lie within a cycle.
    GraphError, DtypeRangeError
        See `Timetable`.
    """
    known, repeats = _times_of(periods, times), _cycle_of(cycle)
    falls = np.flatnonzero(np.diff(known) <= 0)
    if len(falls):
        one, other = known[falls[0]], known[falls[0] + 1]
        raise RequestError(f"times must ascend, but {other:g} follows {one:g}: order the periods by time")
    if repeats and known[-1] - known[0] >= repeats:
        raise RequestError(f"the times {known[0]:g} to {known[-1]:g} do not lie within a cycle of {repeats:g}")
    return Timetable(periods, known, repeats)


def _times_of(periods: Periods, times: Any) -> npt.NDArray[np.float64]:
    if isinstance(times, Mapping):
        missing = [name for name in periods if name not in times]
        if missing or len(times) != len(periods):
            raise RequestError(f"times must name the periods {', '.join(map(repr, periods))}, not {shown(list(times))}")
        times = [number(times[name], f"times[{name!r}]") for name in periods]
    found = finite_numbers(times, "times")
    if found.shape != (len(periods),):
        raise RequestError(f"times: give one per period ({len(periods)}), not an array of shape {found.shape}")
    return found


def _cycle_of(cycle: Any) -> float:
    if cycle is None:
        return 0.0
    found = float(number(cycle, "cycle"))
    if not 0 < found < math.inf:
        raise RequestError(f"cycle must be finite and above 0, not {found:g}; leave it out if nothing comes again")
    return found
