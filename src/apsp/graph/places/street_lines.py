"""Streets as lines from bend to bend, and their parts between fractions of their lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from apsp.graph.bends import Bends
from apsp.graph.places.frames import Frame

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.places.places import Places

__all__ = ["StreetLines", "beside", "ranges"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class StreetLines:
    """The lines of k streets: arcs between vertices with coordinates, whose lengths are those of the frame.

    Attributes
    ----------
    frame : Frame
    indptr : (k + 1,) int64
        The corners of street i are from indptr[i] to indptr[i + 1]: its tail, its bends and its head.
    corners : (p, 2) float64
        Coordinates.
    space : (p, d) float64
        The corners as points of the frame.
    along : (p,) float64
        The part of the length of its street between its tail and each corner, from exactly 0 to exactly 1.
    """

    frame: Frame
    indptr: Ints
    corners: Floats
    space: Floats
    along: Floats

    @classmethod
    def of(cls, graph: Graph, frame: Frame, arcs: Ints, *, against: npt.NDArray[np.bool_] | None = None) -> StreetLines:
        """The lines of arcs, some of them from their head to their tail."""
        assert graph.coordinates is not None
        tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
        begins, ends = tails, graph.indices[arcs]
        bends = None if graph.links is None else graph.links.bends_of(arcs, tails)
        if bends is None:
            bends = Bends(np.zeros(len(arcs) + 1, dtype=np.int64), np.empty((0, 2)))
        if against is not None:
            begins, ends = np.where(against, ends, begins), np.where(against, begins, ends)
            bends = bends.along(np.arange(len(arcs)), against)
        corners = np.insert(
            bends.points, np.stack([bends.indptr[:-1], bends.indptr[1:]], axis=1).ravel(),
            graph.coordinates[np.stack([begins, ends], axis=1).ravel()], axis=0,
        )  # fmt: skip
        indptr = bends.indptr + 2 * np.arange(len(arcs) + 1)
        space = frame.spaced(corners)
        return cls(frame, indptr, corners, space, _along(frame, indptr, space))

    def between(self, streets: Ints, begins: Floats, ends: Floats) -> tuple[Ints, Ints]:
        """The corners of parts of streets without their ends: the first of each part, and the one after its last.

        Parameters
        ----------
        streets : (q,) int64
        begins, ends : (q,) float64
            Fractions, the ends not before the begins.
        """
        first, stop = (self._after(streets, fractions) for fractions in (begins, ends))
        stop -= self.along[stop - 1] >= ends
        return first, np.maximum(stop, first)

    def at(self, streets: Ints, fractions: Floats) -> Floats:
        """(q, d) points of the frame at fractions of streets."""
        after = np.minimum(self._after(streets, fractions), self.indptr[streets + 1] - 1)
        low, high = self.along[after - 1], self.along[after]
        part = np.divide(fractions - low, high - low, out=np.ones(len(after)), where=high > low)
        return self.frame.between(self.space[after - 1], self.space[after], np.clip(part, 0.0, 1.0))

    def _after(self, streets: Ints, fractions: Floats) -> Ints:
        """The first corner beyond each fraction; the end of the corners of the street if there is none."""
        low, high = self.indptr[streets] + 1, self.indptr[streets + 1]  # the tail is not beyond 0
        while (searched := low < high).any():
            middle = np.where(searched, (low + high) // 2, 0)
            before = searched & (self.along[middle] <= fractions)
            low = np.where(before, middle + 1, low)
            high = np.where(searched & ~before, middle, high)
        return low

    def bends_between(self, streets: Ints, begins: Floats, ends: Floats) -> Bends:
        """The corners between fractions of streets, in the direction from the begins to the ends."""
        first, stop = self.between(streets, np.minimum(begins, ends), np.maximum(begins, ends))
        return Bends(np.append(0, np.cumsum(stop - first)), self.corners[ranges(first, stop)]).along(
            np.arange(len(streets)), begins > ends
        )


def beside(places: Sequence[Places], numbers: Ints) -> Bends:
    """The points on the streets of places that are beside them, by numbers in all; none for other numbers."""
    is_beside = np.concatenate([(each.arcs >= 0) & (each.legs > 0) for each in places])
    some = np.flatnonzero((numbers >= 0) & (numbers < len(is_beside)))
    some = some[is_beside[numbers[some]]]
    on_street = np.concatenate([each.on_street for each in places])
    return Bends(np.searchsorted(some, np.arange(len(numbers) + 1)), on_street[numbers[some]])


def ranges(first: Ints, stop: Ints) -> Ints:
    """The numbers from each first one to before each stop, one range after the other."""
    counts = stop - first
    found: Ints = np.arange(counts.sum()) + np.repeat(first - (np.cumsum(counts) - counts), counts)
    return found


def _along(frame: Frame, indptr: Ints, space: Floats) -> Floats:
    """The fraction of the length of its street at each corner."""
    way, first, counts = np.zeros(len(space)), indptr[:-1], np.diff(indptr)
    steps = frame.lengths(space[:-1], space[1:])
    for number in range(1, int(counts.max(initial=0))):  # by street, so that no sum is longer than a street
        corner = first[counts > number] + number
        way[corner] = way[corner - 1] + steps[corner - 1]
    whole = np.repeat(way[indptr[1:] - 1], counts)
    found: Floats = np.divide(way, whole, out=np.zeros(len(way)), where=whole > 0)
    found[indptr[1:] - 1] = 1.0
    return found
