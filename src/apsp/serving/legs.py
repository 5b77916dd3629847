"""The legs of routes: shortest paths between two places, link by link."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.api.alternatives import alternatives
from apsp.api.oracle.oracle import Oracle
from apsp.errors import GraphError
from apsp.graph.arc_positions import arcs_between
from apsp.graph.bends import Bends
from apsp.graph.links import rows_of
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.ends import at_one_point, direct
from apsp.graph.places.frames import Frame
from apsp.graph.places.joins import Joins, PlaceStreets, joined_with
from apsp.graph.places.placed import placed
from apsp.graph.places.street_lines import StreetLines
from apsp.graph.sphere import metres_between
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import own_vertices
from apsp.system.cached import cached_property

__all__ = ["Leg", "Legs"]

Points = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_ONE = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True)
class Leg:
    """A path between two places along p links, or parts of them.

    Attributes
    ----------
    weight : float
        Its length, in the unit of the weights.
    line : (k, 2) float64
        The points of the streets along it, in the units of the coordinates.
    indptr : (p + 1,) int64
        Link i is line[indptr[i] : indptr[i + 1] + 1].
    weights, further : (p,) float64
        Of the links, and what paths pay beside them: penalties of the movements to them, and ways to the streets.
    lengths : (p,) float64 or None
        The cost of the links that is their length.
    metres : (k - 1,) float64
        Lengths of the parts of the line on the earth, or in the plane.
    passed : (q,) int32
        All vertices of the path.
    vertices, states : (p - 1,)
        The vertices between two links, and where in the graph with turns.
    """

    weight: float
    line: Points
    indptr: Ints
    weights: Floats
    further: Floats
    lengths: Floats | None
    metres: Floats
    passed: npt.NDArray[np.int32]
    vertices: npt.NDArray[np.int32]
    states: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.weights)


class _End(NamedTuple):
    """How a path leaves or reaches a place.

    Attributes
    ----------
    vertex : int
        The next position in the graph.
    arc : int
        Whose part leads there; -1 of places at vertices.
    corner : float
        Where on the line of the street the vertex is: 0 or 1.
    share : float
        The part of the street.
    further : float
        What the way costs besides.
    weight : float
        Of the way.
    """

    vertex: int
    arc: int
    corner: float
    share: float
    further: float
    weight: float


class Legs:
    """Finds the legs of routes in an oracle that is not updated.

    Parameters
    ----------
    oracle : Oracle
    frame : Frame
        Of its coordinates.
    lengths : (m,) float64, optional
        The cost of the arcs that is their length.
    """

    def __init__(self, oracle: Oracle, frame: Frame, lengths: Floats | None) -> None:
        self._now, self._frame, self._lengths = oracle._now, frame, lengths
        self._graph, self._streets = self._now.graph, streets_of(oracle.graph)
        self._moved = np.arange(self._graph.n)

    @property
    def has_alternatives(self) -> bool:
        """Whether there are alternative paths of this graph: without turns and negative weights."""
        return self._graph._turned is None and not self._graph.has_negative_arc

    def shortest(self, source: Places, target: Places) -> Leg | None:
        """The shortest path between two places; None if there is none."""
        source, target = self._now.own(source), self._now.own(target)
        sides = joined_with(self._graph, source, self._moved), joined_with(self._graph, target, self._moved)
        best = float(direct(self._graph, source, target, _ONE, _ONE)[0])
        ends: tuple[_End, _End] | None = None
        for start in self._ends(source, sides[0].leaving):
            for end in self._ends(target, sides[1].entering):
                if self._is_start(end) and start.vertex != end.vertex:
                    continue
                weight = self._now.distance(start.vertex, end.vertex) + (start.weight + end.weight)
                if weight < best:
                    best, ends = weight, (start, end)
        if math.isinf(best):
            return None
        if ends is None:
            return self._along_street(source, target, sides[0], best)
        path = self._now.path(ends[0].vertex, ends[1].vertex)
        assert path is not None
        return self._through(source, target, ends, np.array(path, dtype=np.int32), best)

    def several(self, source: Places, target: Places, k: int) -> list[Leg]:
        """A shortest path between two places and alternatives, at most k; see `apsp.alternatives`."""
        source, target = self._now.own(source), self._now.own(target)
        wide = placed(self._streets, leaving=(source,), entering=(target,))
        plain = Graph._made(wide.indptr, wide.indices, wide.weights, directed=wide.directed, zones=wide.zones)
        paths = alternatives(plain, [self._streets.n], [self._streets.n + 1], k, threads=1)
        sides = joined_with(self._graph, source, self._moved), joined_with(self._graph, target, self._moved)
        found = []
        for number, weight in enumerate(paths.distances.tolist()):
            inner = paths.positions[paths.offsets[number] + 1 : paths.offsets[number + 1] - 1]
            if not len(inner):
                found.append(self._along_street(source, target, sides[0], weight))
                continue
            starts = (each for each in self._ends(source, sides[0].leaving) if each.vertex == inner[0])
            ends = (each for each in self._ends(target, sides[1].entering) if each.vertex == inner[-1])
            both = min(starts, key=lambda end: end.weight), min(ends, key=lambda end: end.weight)
            found.append(self._through(source, target, both, inner, weight))
        return found

    def _ends(self, place: Places, join: Joins) -> list[_End]:
        found = []
        for vertex, arc, corner, further in zip(join.vertices, join.streets, join.ends, join.further, strict=True):
            if arc < 0 and vertex >= own_vertices(self._graph):
                continue  # a copy of a vertex, which leads to it
            share = abs(float(corner) - float(place.fractions[0])) if arc >= 0 else 0.0
            besides = float(place.costs[0]) + float(further)
            weight = share * self._weights[arc] + besides if arc >= 0 else besides
            found.append(_End(int(vertex), int(arc), float(corner), share, besides, float(weight)))
        return found

    def _is_start(self, end: _End) -> bool:
        """Whether only paths that begin at its vertex end there."""
        zones = self._graph.zones
        return end.arc >= 0 and zones is not None and bool(zones[end.vertex])

    @cached_property
    def _weights(self) -> NumPyArray:
        return np.ones(self._graph.m) if self._graph.weights is None else self._graph.weights

    @cached_property
    def _of_links(self) -> Floats:
        """(L,) the weights of the links, without penalties."""
        rows = rows_of(self._streets)
        return np.ones(len(rows)) if rows.weights is None else rows.weights.astype(np.float64)

    def _along_street(self, source: Places, target: Places, streets: PlaceStreets, weight: float) -> Leg:
        """The way between two places that passes no vertex."""
        far = float(target.fractions[0] - source.fractions[0])
        arc = int((streets.along if far >= 0 else streets.back)[0])
        is_on = source.arcs[0] >= 0 and far != 0 and not at_one_point(source, target, _ONE, _ONE)[0]
        line = [source.on_street, target.on_street]
        if is_on:
            line.insert(1, self._part(source, float(source.fractions[0]), float(target.fractions[0])))
        share, besides = (abs(far), float(source.costs[0] + target.costs[0])) if is_on else (0.0, weight)
        none = np.empty(0, dtype=np.int32)
        return self._leg(
            weight, np.concatenate(line), [0], [share * self._weights[arc] if is_on else 0.0], [besides],
            [share * self._lengths[arc] if is_on and self._lengths is not None else 0.0], none, slice(0, 0), none,
        )  # fmt: skip

    def _through(
        self, source: Places, target: Places, ends: tuple[_End, _End], path: npt.NDArray[np.int32], weight: float
    ) -> Leg:
        """The way by the ends of streets, and a path between these."""
        graph, turned = self._graph, self._graph._turned
        arcs = arcs_between(graph.indptr, graph.indices, path[:-1], path[1:])
        links = None if turned is None else turned.links[arcs]
        if links is not None and len(links) and links[-1] < 0:  # from a copy of a vertex to it
            arcs, links, path = arcs[:-1], links[:-1], path[:-1]
        own = path if turned is None else turned.whole.vertices[path].astype(np.int32)
        along = self._weights[arcs].astype(np.float64)
        alone = along if links is None else self._of_links[links]
        points, indptr = self._line(own, arcs, links)
        first, last = (end.share > 0 for end in ends)
        of_arcs = np.zeros(len(arcs)) if self._lengths is None else self._lengths[arcs]
        pieces, begins = [points], [indptr[:-1]]
        every = [each.tolist() for each in (alone, along - alone, of_arcs)]
        if first:
            part = np.concatenate([
                source.on_street, self._part(source, float(source.fractions[0]), ends[0].corner)
            ])  # fmt: skip
            pieces.insert(0, part)
            begins = [np.zeros(1, np.int64), begins[0] + len(part)]
            self._add(every, 0, ends[0])
        if last:
            begins.append(np.array([sum(map(len, pieces)) - 1]))
            pieces += [self._part(target, ends[1].corner, float(target.fractions[0])), target.on_street]
            self._add(every, len(every[0]), ends[1])
        if not every[0]:  # both places are at one vertex
            pieces.append(points)
            begins, every = [_ONE], [[0.0], [0.0], [0.0]]
        if not first:
            every[1][0] += ends[0].further
        if not last:
            every[1][-1] += ends[1].further
        between = slice(0 if first else 1, len(own) if last else len(own) - 1)
        weights, besides, lengths = every
        line, indptr = np.concatenate(pieces), np.concatenate(begins)
        return self._leg(weight, line, indptr, weights, besides, lengths, own, between, path)

    def _add(self, every: list[list[float]], at: int, end: _End) -> None:
        """Add the part of the street of a place to weights, what is paid besides, and lengths."""
        length = 0.0 if self._lengths is None else self._lengths[end.arc]
        for numbers, number in zip(
            every, (end.share * self._weights[end.arc], end.further, end.share * length), strict=True
        ):
            numbers.insert(at, float(number))

    def _leg(
        self, weight: float, line: Points, begins: Sequence[int] | Ints, weights: Sequence[float],
        further: Sequence[float], lengths: Sequence[float], own: npt.NDArray[np.int32], between: slice,
        path: npt.NDArray[np.int32],
    ) -> Leg:  # fmt: skip
        known = None if self._lengths is None else np.array(lengths)
        indptr = np.append(np.asarray(begins, dtype=np.int64), len(line) - 1)
        numbers = np.array(weights, dtype=np.float64), np.array(further, dtype=np.float64)
        return Leg(weight, line, indptr, *numbers, known, self._metres(line), own, own[between], path[between])

    def _part(self, place: Places, begin: float, end: float) -> Points:
        """The bends of the street of a place between two fractions of it."""
        lines = StreetLines.of(self._streets, self._frame, place.arcs)
        return lines.bends_between(_ONE, np.array([begin]), np.array([end])).points

    def _line(self, own: npt.NDArray[np.int32], arcs: Ints, links: Ints | None) -> tuple[Points, Ints]:
        """The points of a path, with the bends of its links, and where its vertices are among them."""
        assert self._streets.coordinates is not None
        points, kept = self._streets.coordinates[own], self._streets.links
        if not np.isfinite(points).all():
            raise GraphError("a vertex on a path has no coordinates, so the path is no line on a map")
        if kept is None or kept.bends is None:
            return points, np.arange(len(points))
        links = kept.chosen[arcs] if links is None else links
        bends: Bends = kept.bends.along(links, kept.tails[links] != own[:-1])
        at = np.repeat(np.arange(1, len(own)), np.diff(bends.indptr))
        return np.insert(points, at, bends.points, axis=0), np.arange(len(own)) + bends.indptr

    def _metres(self, line: Points) -> Floats:
        if self._frame.degree is not None:
            return metres_between(line[:-1], line[1:], self._frame.degree)
        found: Floats = np.hypot(*(line[1:] - line[:-1]).T)
        return found
