"""The streets of a graph as straight lines between the coordinates of its vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.arc_positions import arcs_between
from apsp.graph.connected import membership_of
from apsp.graph.places.frames import Frame
from apsp.graph.places.nearest import Lines, nearest_lines

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["nearest_streets", "nearest_vertices", "opposite_arcs", "street_arcs", "strongly_connected"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

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
    """The arc back of each arc; -1 where there is none."""
    tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
    return arcs_between(graph.indptr, graph.indices, graph.indices[arcs], tails)


def strongly_connected(graph: Graph) -> npt.NDArray[np.bool_]:
    """(n,) whether a vertex is in the largest strong component, of several the one with the first vertex."""
    count, membership = membership_of(graph, "strong")
    largest: npt.NDArray[np.bool_] = membership == (np.bincount(membership).argmax() if count else -1)
    return largest


def nearest_streets(
    graph: Graph, frame: Frame, among: npt.NDArray[np.bool_], points: Floats, limit: float
) -> tuple[Ints, Floats, Floats]:
    """Find the nearest street of each point.

    Returns
    -------
    arcs : (k,) int64
        -1 where every street is farther away than the limit.
    fractions : (k,) float64
        From the tail of the arc on.
    there : (k, d) float64
        The nearest points, in the space of the frame.

    Raises
    ------
    GraphError
        If there are no streets.
    """
    arcs = street_arcs(graph, among)
    if not len(arcs):
        raise GraphError(
            "there are no streets: no arc joins two different vertices with known coordinates (and of the largest "
            "component, if that was requested); to='vertex' takes vertices"
        )
    assert graph.coordinates is not None
    places = frame.spaced(graph.coordinates)
    tails = np.searchsorted(graph.indptr, arcs, side="right") - 1
    begins, ends = places[tails], places[graph.indices[arcs]]
    lengths = frame.lengths(begins, ends)
    step = 2 * float(lengths.mean())
    if frame.degree is not None:
        step = min(step, _STRAIGHT)
    pieces = np.maximum(np.ceil(lengths / step), 1).astype(np.int64) if step > 0 else np.ones(len(arcs), np.int64)
    street = np.repeat(np.arange(len(arcs)), pieces)
    number = np.arange(len(street)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    start, stop = number / pieces[street], (number + 1) / pieces[street]
    lines = Lines(frame.between(begins[street], ends[street], start), frame.between(begins[street], ends[street], stop))
    space = frame.spaced(points)
    line, at = nearest_lines(lines, space, limit)
    there = frame.on_surface(lines.begins[line] + at[:, None] * (lines.ends[line] - lines.begins[line]))
    far = (line < 0) | (frame.lengths(space, there) > limit)
    last = np.append(street[1:] != street[:-1], True)[line]
    fractions = np.where((at == 1.0) & last, 1.0, start[line] + at * (stop[line] - start[line]))
    return np.where(far, -1, arcs[street[line]]), fractions, there


def nearest_vertices(
    graph: Graph, frame: Frame, among: npt.NDArray[np.bool_], points: Floats, limit: float
) -> tuple[Ints, Floats]:
    """Find the nearest vertex of each point, of equally near ones the first; -1 beyond the limit; and where it is.

    Raises
    ------
    GraphError
        If there are no vertices.
    """
    vertices = np.flatnonzero(among)
    if not len(vertices):
        raise GraphError("the graph has no vertices with known coordinates")
    assert graph.coordinates is not None
    places = frame.spaced(graph.coordinates[vertices])
    space = frame.spaced(points)
    found, _ = nearest_lines(Lines(places, places), space, limit)
    far = (found < 0) | (frame.lengths(space, places[found]) > limit)
    return np.where(far, -1, vertices[found]), places[found]
