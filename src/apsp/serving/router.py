"""What a server computes: the nearest street of a point, tables and routes of points, from an oracle."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from apsp.api.oracle.oracle import Oracle
from apsp.errors import RequestError, shown
from apsp.graph.costs import named_cost
from apsp.graph.places import Places
from apsp.graph.places.frames import frame_of
from apsp.graph.turns.entered import streets_of
from apsp.methods.skims.arc_costs import SkimCosts, costs_along
from apsp.methods.skims.between_places import CostsBetweenPlaces
from apsp.serving.crossings import Crossings
from apsp.serving.legs import Leg, Legs

__all__ = ["DISTANCES", "DURATIONS", "FarPointError", "Router"]

Points = npt.NDArray[np.float64]

DURATIONS = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Units of weights that are durations, in seconds."""

DISTANCES = {"m": 1.0, "km": 1000.0}
"""Units of weights that are lengths, in metres."""

_CELLS, _ROWS = 1 << 14, 64
"""Entries of a table that are computed together, and the fewest rows: other requests may come in between."""


class FarPointError(RequestError):
    """A point is farther from every street than it may be.

    Attributes
    ----------
    number : int
        Of the point, from 0.
    """

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class Router:
    """Answers about points on the streets of an oracle; several threads may ask.

    Parameters
    ----------
    oracle : Oracle
    unit : {'s', 'min', 'h', 'm', 'km'}
        What a unit of its weights is.
    crs : {'degrees', 'microdegrees', 'plane'}, optional
        What the coordinates of the graph are, if it does not know it.
    speed : float
        Length of the ways between points and streets per unit of the weights; infinite: they cost nothing.
    limit : float, optional
        Longest such way, in metres or units of the plane.
    length : str, optional
        The cost of the graph that is the length of streets, where weights are durations.
    length_unit : {'m', 'km'}
        What a unit of this cost is.

    Attributes
    ----------
    graph : Graph
        The streets, without turns.
    measures : {'durations', 'distances'}
        What the weights are.
    measured : tuple of str
        What tables have: 'duration', 'distance', or both.
    unit, length_unit : float
        Seconds or metres per unit of the weights, and metres per unit of the lengths.
    frame : Frame
        Of the coordinates.
    scale : float
        Degrees per unit of the coordinates of the graph; 1 in a plane.
    crossings : Crossings
        The roads at vertices.

    Raises
    ------
    RequestError
        If the oracle has no coordinates, or no cost of this name; if a unit does not exist, or the weights are lengths
        already; if it is not known what the coordinates are.
    GraphError, DtypeRangeError, MemoryLimitError
        If lengths are negative, or cannot be summed up along paths.
    """

    def __init__(
        self, oracle: Oracle, unit: str, *, crs: str | None = None, speed: float = math.inf,
        limit: float | None = None, length: str | None = None, length_unit: str = "m",
    ) -> None:  # fmt: skip
        if not isinstance(oracle, Oracle):
            raise RequestError(f"a server takes the oracle of one set of weights, not {shown(oracle)}")
        for given, name, units in ((unit, "unit", DURATIONS | DISTANCES), (length_unit, "length_unit", DISTANCES)):
            if given not in units:
                raise RequestError(f"{name} must be one of {', '.join(units)}, not {shown(given)}")
        self.oracle, self.graph = oracle, streets_of(oracle.graph)
        if self.graph.coordinates is None:
            raise RequestError("a server needs coordinates of the vertices, and this oracle has none")
        self.crs, self.speed, self.limit = crs, speed, limit
        self.measures = "durations" if unit in DURATIONS else "distances"
        self.unit, self.length_unit = (DURATIONS | DISTANCES)[unit], DISTANCES[length_unit]
        some = np.flatnonzero(np.isfinite(self.graph.coordinates).all(axis=1))[:1]
        if not len(some):
            raise RequestError("no vertex of the oracle has coordinates")
        self.frame = frame_of(self._snapped(self.graph.coordinates[some], None).crs)
        self.scale = self.frame.degree or 1.0
        self.measured: tuple[str, ...] = (self.measures.removesuffix("s"),)
        lengths, self._between = None, None
        if length is not None:
            lengths, self._between = self._with_lengths(length)
            self.measured = ("duration", "distance")
        self._legs = Legs(oracle, self.frame, lengths)
        self.crossings = Crossings(oracle.graph, self.frame)

    def _with_lengths(self, name: str) -> tuple[Points, CostsBetweenPlaces]:
        """The lengths of the arcs, and what sums them up along shortest paths."""
        if self.measures == "distances":
            raise RequestError(f"length={shown(name)}: the weights are lengths already: leave it out")
        if (named_cost(self.graph.costs, name, "length") < 0).any():
            raise RequestError(f"length={shown(name)}: a length is negative")
        now = self.oracle._now
        costs: SkimCosts = costs_along(now.graph, [name], f"weights beside {name}")
        return costs.columns[:, 1], CostsBetweenPlaces(now.graph, now.factor.tree, costs, threads=now.threads)

    def _snapped(self, points: Points, limit: float | None) -> Places:
        return self.graph.snap(points, crs=self.crs, limit=limit, speed=self.speed, unsnapped="unreachable")

    def snapped(self, points: Points, radiuses: Sequence[float | None] = ()) -> Places:
        """The nearest points of streets.

        Parameters
        ----------
        points : (k, 2) float64
            Degrees of longitude and latitude, or coordinates of the plane.
        radiuses : sequence of float or None
            The limit of each point, if it has one of its own.

        Raises
        ------
        FarPointError
            If a point is beyond its limit.
        """
        limits = [self.limit if radius is None else radius for radius in radiuses or [None] * len(points)]
        longest = None if None in limits else max((limit for limit in limits if limit is not None), default=None)
        found = self._snapped(points / self.scale, longest)
        for number, limit in enumerate(limits):
            if limit is not None and not (found.snapped[number] and found.legs[number] <= limit):
                raise FarPointError(number, f"no street is within {limit:g} of the point {number}")
        return found

    def parts(self, count: int, width: int) -> list[slice]:
        """The rows of a table that are computed together, of tables with so many rows and columns."""
        step = max(_CELLS // max(width, 1), _ROWS)
        return [slice(start, start + step) for start in range(0, count, step)]

    def table(self, sources: Places, targets: Places, what: str) -> Points:
        """Return a table, or some rows of one.

        Parameters
        ----------
        what : str
            One of `measured`: durations in seconds, or distances in metres; those along the fastest paths, and of
            equally fast ones along the shortest of these.
        """
        if what == self.measures.removesuffix("s"):
            found, unit = self.oracle.matrix(sources, targets), self.unit
        else:
            assert self._between is not None
            own = self.oracle._now.own
            found, unit = self._between.matrices(own(sources), own(targets))[1], self.length_unit
        return found if unit == 1 else found * unit

    def leg(self, source: Places, target: Places) -> Leg | None:
        """The shortest path from a place to another; None if there is none."""
        return self._legs.shortest(source, target)

    @property
    def has_alternatives(self) -> bool:
        """Whether it finds alternatives: of graphs without turns and without negative weights."""
        return self._legs.has_alternatives

    def alternatives(self, source: Places, target: Places, count: int) -> list[Leg]:
        """The shortest path from a place to another, and at most so many others; see `apsp.alternatives`."""
        return self._legs.several(source, target, count + 1)

    def weights_of(self, leg: Leg) -> Points:
        """(p,) what the links of a leg cost, in seconds or metres; penalties are those of the movements to them."""
        return (leg.weights + leg.further) * self.unit

    def metres_of(self, leg: Leg) -> Points:
        """(p,) metres of the links of a leg: their lengths, or those of their lines if no cost is their length."""
        if leg.lengths is not None:
            return leg.lengths * self.length_unit
        found: Points = np.add.reduceat(leg.metres, leg.indptr[:-1])
        return found
