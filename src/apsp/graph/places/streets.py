"""The streets of a graph as lines between the coordinates of its vertices, straight from bend to bend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.arc_positions import arcs_between
from apsp.graph.bends import Bends
from apsp.graph.connected import membership_of
from apsp.graph.places.frames import Frame
from apsp.graph.places.nearest import Lines

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Points", "Streets", "opposite_arcs", "street_arcs", "strongly_connected"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_ROUNDING = 1e-9
"""Of coordinates of bends that are of one line in both directions."""

_MORE = 1 + 1e-9
"""Limits are exceeded by this factor before the lengths along the sphere, which are rounded, decide."""

_STRAIGHT = 2_000.0
"""Metres of a great circle that a chord stands for: it is at most 8 cm below the sphere."""


def street_arcs(graph: Graph, among: npt.NDArray[np.bool_]) -> Ints:
    """The streets between two of some vertices, each as one arc: if there are two, that from the first vertex."""
    tails, heads = graph.tails(), graph.indices
    is_street = among[tails] & among[heads] & (tails != heads)
    down = np.flatnonzero(is_street & (tails > heads))
    is_street[down[opposite_arcs(graph, down) >= 0]] = False
    return np.flatnonzero(is_street)


def opposite_arcs(graph: Graph, arcs: Ints) -> Ints:
    """The arc back of each arc on the same street; -1 where there is none, or one along another line."""
    tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
    found = arcs_between(graph.indptr, graph.indices, graph.indices[arcs], tails)
    if graph.links is not None and graph.links.bends is not None:
        chosen = graph.links.chosen
        some = np.flatnonzero((found >= 0) & (chosen[arcs] != chosen[found]))
        lines = graph.links.bends_of(arcs[some], tails[some])
        backs = graph.links.bends_of(found[some], tails[some])
        assert lines is not None
        assert backs is not None
        found[some[~_are_one_line(lines, backs)]] = -1
    return found


def _are_one_line(one: Bends, other: Bends) -> npt.NDArray[np.bool_]:
    """Whether each of some lines has the same bends as another one."""
    counts = np.diff(one.indptr)
    found: npt.NDArray[np.bool_] = counts == np.diff(other.indptr)
    numbers = np.repeat(np.arange(len(counts)), counts)
    points = one.points[found[numbers]], other.points[np.repeat(found, np.diff(other.indptr))]
    apart = ~np.isclose(*points, rtol=_ROUNDING, atol=0).all(axis=1)
    found[numbers[found[numbers]][apart]] = False
    return found


def strongly_connected(graph: Graph) -> npt.NDArray[np.bool_]:
    """(n,) whether a vertex is in the largest strong component, of several the one with the first vertex."""
    count, membership = membership_of(graph, "strong")
    largest: npt.NDArray[np.bool_] = membership == (np.bincount(membership).argmax() if count else -1)
    return largest


class Streets:
    """Streets between some vertices, indexed.

    Parameters
    ----------
    graph : Graph
        With coordinates.
    frame : Frame
    among : (n,) bool
        Vertices.

    Raises
    ------
    GraphError
        If there are no streets.
    """

    def __init__(self, graph: Graph, frame: Frame, among: npt.NDArray[np.bool_]) -> None:
        arcs = street_arcs(graph, among)
        if not len(arcs):
            raise GraphError(
                "there are no streets: no arc joins two different vertices with known coordinates (and of the largest "
                "component, if that was requested); to='vertex' takes vertices"
            )
        assert graph.coordinates is not None
        self._frame, self._arcs = frame, arcs
        begins, ends, lengths, self._streets = _stretches(graph, frame, graph.coordinates, arcs)
        self._lengths = lengths if self._streets is not None else None
        step = 2 * float(lengths.mean())
        if frame.degree is not None:
            step = min(step, _STRAIGHT)
        pieces = (
            np.maximum(np.ceil(lengths / step), 1).astype(np.int64) if step > 0 else np.ones(len(lengths), np.int64)
        )
        self._stretch = stretch = np.repeat(np.arange(len(lengths)), pieces)
        number = np.arange(len(stretch)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        self._start, self._stop = number / pieces[stretch], (number + 1) / pieces[stretch]
        pairs = (frame.between(begins[stretch], ends[stretch], each) for each in (self._start, self._stop))
        self._lines, self._longest = Lines(*pairs), step

    def nearest(self, points: Floats, limit: float) -> tuple[Ints, Floats, Floats]:
        """Find the nearest street of each point of the space of the frame.

        Returns
        -------
        arcs : (k,) int64
            -1 where every street is farther away than the limit.
        fractions : (k,) float64
            From the tail of the arc on.
        there : (k, d) float64
            The nearest points.
        """
        frame = self._frame
        line, at, chord = self._lines.nearest(points, (limit + self._longest) * _MORE)  # also those below the sphere
        there = frame.on_surface(chord)
        far = (line < 0) | (frame.lengths(points, there) > limit)
        stretch, start = self._stretch[line], self._start[line]
        following = self._stretch[np.minimum(line + 1, len(self._stretch) - 1)]
        last = (following != stretch) | (line == len(self._stretch) - 1)
        part = np.where((at == 1.0) & last, 1.0, start + at * (self._stop[line] - start))
        street = stretch if self._streets is None else self._streets[stretch]
        return np.where(far, -1, self._arcs[street]), self._fractions(stretch, part), there

    def _fractions(self, chosen: Ints, parts: Floats) -> Floats:
        """Fractions of the lengths of streets, of points at fractions of some straight parts."""
        if self._streets is None or self._lengths is None:
            return parts
        first, stop = (np.searchsorted(self._streets, self._streets[chosen], side=side) for side in ("left", "right"))
        counts = stop - first
        point = np.repeat(np.arange(len(chosen)), counts)
        number = np.arange(len(point)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
        before, after = (  # in two sums, so that the end of a street is exactly 1
            np.bincount(point, np.where(side, self._lengths[number], 0.0), minlength=len(chosen))
            for side in (number < chosen[point], number > chosen[point])
        )
        way = before + parts * self._lengths[chosen]
        whole = before + self._lengths[chosen] + after
        return np.divide(way, whole, out=np.zeros(len(way)), where=whole > 0)


def _stretches(
    graph: Graph, frame: Frame, coordinates: Floats, arcs: Ints
) -> tuple[Floats, Floats, Floats, Ints | None]:  # fmt: skip
    """The straight parts of the streets that arcs are, in their order and along each.

    Returns
    -------
    begins, ends : (q, d) float64
        Points of the space of the frame.
    lengths : (q,) float64
    streets : (q,) int64 or None
        The street of each part; None if each street is one.
    """
    tails = graph.tails()[arcs]
    places = frame.spaced(coordinates)
    begins, ends = places[tails], places[graph.indices[arcs]]
    bends = None if graph.links is None else graph.links.bends_of(arcs, tails)
    if bends is None:
        return begins, ends, frame.lengths(begins, ends), None
    streets = np.repeat(np.arange(len(arcs)), np.diff(bends.indptr) + 1)
    between = frame.spaced(bends.points)
    begins = np.insert(between, bends.indptr[:-1], begins, axis=0)
    ends = np.insert(between, bends.indptr[1:], ends, axis=0)
    return begins, ends, frame.lengths(begins, ends), streets


class Points:
    """Some vertices, indexed.

    Parameters
    ----------
    graph, frame, among
        As for `Streets`.

    Raises
    ------
    GraphError
        If there are none.
    """

    def __init__(self, graph: Graph, frame: Frame, among: npt.NDArray[np.bool_]) -> None:
        self._frame, self._vertices = frame, np.flatnonzero(among)
        if not len(self._vertices):
            raise GraphError("the graph has no vertices with known coordinates")
        assert graph.coordinates is not None
        self._places = frame.spaced(graph.coordinates[self._vertices])
        self._lines = Lines(self._places, self._places)

    def nearest(self, points: Floats, limit: float) -> tuple[Ints, Floats]:
        """Find the nearest vertex of each point, of equally near ones the first, and its place; -1 beyond the limit."""
        found, _, _ = self._lines.nearest(points, limit * _MORE)
        there = self._places[found]
        far = (found < 0) | (self._frame.lengths(points, there) > limit)
        return np.where(far, -1, self._vertices[found]), there
