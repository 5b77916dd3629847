"""What a server computes: the nearest street of a point, tables and routes of points, from an oracle."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.api.oracle.oracle import Oracle
from apsp.errors import NoPathError, RequestError, shown
from apsp.graph.places import Places
from apsp.graph.places.path_ends import paths_in
from apsp.graph.shapes.features import path_corners
from apsp.graph.sphere import metres_between
from apsp.graph.turns.entered import streets_of

__all__ = ["DISTANCES", "DURATIONS", "FarPointError", "Leg", "Router"]

Points = npt.NDArray[np.float64]

DURATIONS = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Units of weights that are durations, in seconds."""

DISTANCES = {"m": 1.0, "km": 1000.0}
"""Units of weights that are lengths, in metres."""

_DEGREE = {"degrees": 1.0, "microdegrees": 1e-6}

_ROWS = 64
"""Sources of a table that are computed together: other requests may come in between."""


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


@dataclass(frozen=True)
class Leg:
    """The shortest path between two points.

    Attributes
    ----------
    weight : float
        Its length in seconds, or in metres: what `Router.unit` says.
    line : (k, 2) float64
        Points of the streets along it: degrees, or coordinates of the plane.
    metres : float
        Length of the line on the earth, or in the plane of the coordinates.
    """

    weight: float
    line: Points
    metres: float


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

    Attributes
    ----------
    graph : Graph
        The streets, without turns.
    measures : {'durations', 'distances'}
        What the weights are.
    scale : float
        Degrees per unit of the coordinates of the graph; 1 in a plane.

    Raises
    ------
    RequestError
        If the oracle has no coordinates, if the unit does not exist, or if it is not known what the coordinates are.
    """

    def __init__(
        self, oracle: Oracle, unit: str, *, crs: str | None = None, speed: float = math.inf, limit: float | None = None
    ) -> None:
        if not isinstance(oracle, Oracle):
            raise RequestError(f"a server takes the oracle of one set of weights, not {shown(oracle)}")
        if unit not in DURATIONS | DISTANCES:
            raise RequestError(f"unit must be one of {', '.join(DURATIONS | DISTANCES)}, not {shown(unit)}")
        self.oracle, self.graph = oracle, streets_of(oracle.graph)
        if self.graph.coordinates is None:
            raise RequestError("a server needs coordinates of the vertices, and this oracle has none")
        self.crs, self.speed, self.limit = crs, speed, limit
        self.measures = "durations" if unit in DURATIONS else "distances"
        self._scale = (DURATIONS | DISTANCES)[unit]
        some = np.flatnonzero(np.isfinite(self.graph.coordinates).all(axis=1))[:1]
        if not len(some):
            raise RequestError("no vertex of the oracle has coordinates")
        self._degree = _DEGREE.get(self._snapped(self.graph.coordinates[some], None).crs)
        self.scale = self._degree or 1.0
        links = self.graph.links
        self._chooses_links = oracle.turned is not None and links is not None and links.are_parallel

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

    def table(self, sources: Places, targets: Places) -> Iterator[Points]:
        """Yield the rows of the distances between places, some sources at a time, in seconds or metres."""
        for start in range(0, len(sources), _ROWS):
            found = self.oracle.matrix(sources[start : start + _ROWS], targets)
            yield found if self._scale == 1 else found * self._scale

    def leg(self, source: Places, target: Places) -> Leg | None:
        """The shortest path from a place to another; None if there is none."""
        try:
            path: list[Any] = self.oracle.path(source, target)
        except NoPathError:
            return None
        found = paths_in(self.graph, [path], source, target)
        links = self._links_between(source, target, len(found.positions))
        line = path_corners(self.graph, found.offsets, found.positions, found.before, found.after, links).points
        return Leg(float(self.oracle.distance(source, target)) * self._scale, line * self.scale, self._metres(line))

    def _links_between(self, source: Places, target: Places, vertices: int) -> NumPyArray | None:
        """The links between the vertices of a path, if turns decide which of several parallel ones it takes."""
        if not self._chooses_links:
            return None
        first = int(source.arcs[0] >= 0)
        links: list[Any] = self.oracle.path(source, target, links=True)
        return np.array(links[first : first + max(vertices - 1, 0)], dtype=np.int64)

    def _metres(self, line: Points) -> float:
        steps = line[1:] - line[:-1]
        if self._degree is None:
            return float(np.hypot(*steps.T).sum())
        return float(metres_between(line[:-1], line[1:], self._degree).sum())
