"""The angles of movements, from the coordinates of vertices and the bends of links."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.model import Graph
from apsp.graph.places.frames import Frame, frame_of
from apsp.graph.turns.uses import Movements, Uses

__all__ = ["deviations", "directions"]

Floats = npt.NDArray[np.float64]


def deviations(graph: Graph, uses: Uses, movements: Movements, crs: str | None) -> Floats:
    """The angles between the directions of successive links, in degrees.

    Parameters
    ----------
    crs : str or None
        What the coordinates are, unless the graph knows it; y points to the left of x.

    Returns
    -------
    (p,) float64
        More than -180, at most 180: 0 is straight on, positive to the right. Not-a-number where a link has no
        direction, since all its points are one, or a coordinate is unknown.

    Raises
    ------
    GraphError
        If the graph has no coordinates.
    RequestError
        If it is not clear what they are.
    """
    if graph.coordinates is None:
        raise GraphError("angles of movements need the coordinates of the vertices, which the graph does not have")
    frame = frame_of(crs, graph.crs)
    lines = _lines_of(graph.coordinates, uses)
    leaving = frame.bearings(*lines.beginnings())
    arriving = frame.bearings(*lines.ends()) + 180.0
    turn = leaving[movements.after] - arriving[movements.before]
    found: Floats = 180.0 - (180.0 - turn) % 360.0
    return found


def directions(graph: Graph, uses: Uses, frame: Frame) -> Floats:
    """The directions in which uses of links leave their tails, clockwise from the north in degrees.

    Parameters
    ----------
    graph : Graph
        With coordinates.

    Returns
    -------
    (k,) float64
        Not-a-number where all points of a link are one, or a coordinate is unknown.
    """
    assert graph.coordinates is not None
    return frame.bearings(*_lines_of(graph.coordinates, uses).beginnings())


class _Lines(NamedTuple):
    """The points of uses, in their order: points[indptr[k]] is at the tail of use k, points[indptr[k + 1] - 1] at the
    head.
    """

    indptr: npt.NDArray[np.int64]
    points: Floats

    def beginnings(self) -> tuple[Floats, Floats]:
        """The first point of each line, and the first one that is another."""
        return self._next(self.indptr[:-1], np.minimum, len(self.points))

    def ends(self) -> tuple[Floats, Floats]:
        """The last point of each line, and the last one that is another."""
        return self._next(self.indptr[1:] - 1, np.maximum, -1)

    def _next(self, ends: npt.NDArray[np.int64], nearest: np.ufunc, none: int) -> tuple[Floats, Floats]:
        here = self.points[ends]
        counts = np.diff(self.indptr)
        differs = (self.points != np.repeat(here, counts, axis=0)).any(axis=1)
        number = np.where(differs, np.arange(len(self.points)), none)
        at = nearest.reduceat(number, self.indptr[:-1]) if len(counts) else number
        there = np.full(here.shape, np.nan)
        some = at != none
        there[some] = self.points[at[some]]
        return here, there


def _lines_of(coordinates: Floats, uses: Uses) -> _Lines:
    begins, ends = coordinates[uses.tails], coordinates[uses.heads]
    if uses.rows.bends is None:
        return _Lines(2 * np.arange(len(uses) + 1), np.stack([begins, ends], axis=1).reshape(-1, 2))
    bends = uses.rows.bends.along(uses.links, uses.is_against)
    indptr = bends.indptr + 2 * np.arange(len(uses) + 1)
    points = np.empty((int(indptr[-1]), 2))
    inside = np.ones(len(points), bool)
    inside[indptr[:-1]] = inside[indptr[1:] - 1] = False
    points[inside] = bends.points
    points[indptr[:-1]], points[indptr[1:] - 1] = begins, ends
    return _Lines(indptr, points)
