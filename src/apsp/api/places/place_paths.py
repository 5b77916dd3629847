"""Shortest paths between places, from those between the ends of their streets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from apsp.api.places.by_ends import side_of, single, ways
from apsp.errors import NoPathError, shown
from apsp.facts.ties import comparable_cutoff
from apsp.graph.model import Graph
from apsp.graph.path_length import length, link_count, links_along, own_path, owner_of, street_link
from apsp.graph.places import Places
from apsp.graph.places.ends import at_one_point, direct
from apsp.graph.places.placed import placed
from apsp.graph.places.streets import opposite_arcs
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.result.tied_paths import TiedArcs, tied_predecessors
from apsp.running.arguments import positions_of

__all__ = ["all_paths_of_places", "path_of_places", "path_with_turns"]

_ONE = np.zeros(1, dtype=np.int64)

Length = Callable[[int, int], int | float]
"""The distance between two positions; inf if there is no path."""


class Pairs(Protocol):
    """What answers single pairs of positions."""

    def distance(self, source: int, target: int, /) -> int | float:
        """Return the distance; inf if there is no path."""
        ...

    def path(self, source: int, target: int, /) -> list[int] | None:
        """Return the positions of a shortest path; None if there is none."""
        ...


class _Way(NamedTuple):
    """The vertices between which a path passes vertices, None if it passes none, and the lengths of its parts."""

    ends: tuple[int, int] | None
    between: int | float
    length: float


class _Ends:
    """A place or vertex where paths begin, and one where they end.

    Raises
    ------
    RequestError
        If there are several, or places are not of this graph.
    """

    def __init__(self, graph: Graph, source: Any, target: Any) -> None:
        self.graph, (first, last) = graph, single(source, target)
        self.start = side_of(graph, first, "source", leaving=True)
        self.end = side_of(graph, last, "target", leaving=False)
        start, end = self.start.places, self.end.places
        self.direct = math.inf
        if start is not None and end is not None:
            self.direct = float(direct(graph, start, end, _ONE, _ONE)[0])

    def ways(self, length_of: Length) -> list[_Way]:
        """Those that exist, at most one per pair of ends of the streets and one along a street.

        Raises
        ------
        NoPathError
            If there is none.
        """
        found = [_Way(None, 0, self.direct)]
        for _, starts, ends, parts in ways(self.start, self.end, _ONE, _ONE):
            pair = int(starts[0]), int(ends[0])
            between = length_of(*pair)
            found.append(_Way(pair, between, between + float(parts[0])))
        found = [way for way in found if math.isfinite(way.length)]
        if not found:
            raise NoPathError(*map(shown, self._labels()))
        return found

    def _labels(self) -> list[Any]:
        return [each.labels[int(each.vertices[0])] for each in (self.start, self.end)]

    def named(self, vertices: list[int]) -> list[Any]:
        """The labels of a path: those of places, and of the vertices between them."""
        first, last = self._labels()
        if not vertices and first == last and self.direct == 0:
            return [first]
        found = [self.graph.labels[vertex] for vertex in own_path(self.graph, vertices)]
        return [first] * (self.start.places is not None) + found + [last] * (self.end.places is not None)

    def links(self, vertices: list[int]) -> list[int]:
        """The numbers of the links of a path, those of the streets of places included."""
        start, end = self.start.places, self.end.places
        if vertices:
            first = self._link(start, vertices[0], leaving=True)
            return [*first, *links_along(self.graph, vertices), *self._link(end, vertices[-1], leaving=False)]
        assert start is not None
        assert end is not None
        ahead = float(end.fractions[0] - start.fractions[0])
        if ahead == 0 or bool(at_one_point(start, end, _ONE, _ONE)[0]):
            return []
        return self._chosen(start, ahead > 0)

    def _link(self, places: Places | None, vertex: int, *, leaving: bool) -> list[int]:
        """The link of the street between a place and the vertex next to it."""
        if places is None or places.arcs[0] < 0:
            return []
        head = streets_of(self.graph).indices[places.arcs[0]]
        return self._chosen(places, (owner_of(self.graph, vertex) == head) == leaving)

    def _chosen(self, places: Places, is_along: bool) -> list[int]:
        arcs = places.arcs if is_along else opposite_arcs(streets_of(self.graph), places.arcs)
        return [street_link(self.graph, int(arcs[0]))]


def path_of_places(graph: Graph, source: Any, target: Any, answers: Pairs, *, links: bool = False) -> list[Any]:
    """Return the labels of a shortest path between two places or vertices, or the numbers of its links.

    Parameters
    ----------
    source, target : Places or vertex
        One place each, or a vertex.
    answers : Pairs
        Of vertices of the graph.
    links : bool
        Return the numbers of the links; the street of a place is one, if the path uses a part of it.

    Raises
    ------
    RequestError
        If there are several places, or the graph keeps no links.
    NoPathError
        If there is no path.
    """
    ends = _Ends(graph, source, target)
    if links:
        link_count(graph)
    best = min(ends.ways(answers.distance), key=lambda way: way.length)
    vertices = [] if best.ends is None else answers.path(*best.ends) or []
    return ends.links(vertices) if links else ends.named(vertices)


def path_with_turns(
    graph: Graph, source: Any, target: Any, answers_of: Callable[[Graph], Pairs], *, links: bool = False
) -> list[Any]:
    """Return the labels of a shortest path between two places or vertices of a graph with turns, or its links.

    Parameters
    ----------
    source, target, links
        As of `path_of_places`.
    answers_of : callable
        Of a graph that has the places as vertices.

    Raises
    ------
    RequestError, NoPathError
        As `path_of_places`.
    """
    start, end = single(source, target)
    wide = placed(graph, leaving=(start,), entering=(end,), rows=start)
    ends = [int(np.asarray(positions_of(wide, each, word))[0]) for each, word in ((start, "source"), (end, "target"))]
    found = answers_of(wide).path(*ends)
    if found is None:
        raise NoPathError(*(shown(wide.labels[each]) for each in ends))
    if links:
        return links_along(wide, found)
    labels = [wide.labels[vertex] for vertex in own_path(wide, found)]
    is_one = len(found) == 2 and labels[0] == labels[1] and length(wide, found) == 0
    return labels[:1] if is_one else labels


def all_paths_of_places(
    graph: Graph, source: Any, target: Any, length_of: Length, *, links: bool = False
) -> Iterator[list[Any]]:
    """Yield all shortest paths between two places or vertices, one at a time.

    Parameters
    ----------
    source, target, links
        As of `path_of_places`.
    length_of : callable
        The distance between two positions.

    Raises
    ------
    RequestError, NoPathError
        As `path_of_places`; if the graph has turns; and if float weights are negative.

    Notes
    -----
    Between the ends of the streets, paths are equally short as for `Result.all_paths`. The parts of streets and the
    ways to them are added in float64, and compared as they are.
    """
    refuse_turns(graph, "this function", "shortest_path has one of the paths")
    ends = _Ends(graph, source, target)
    if links:
        link_count(graph)
    every = ends.ways(length_of)
    least = min(way.length for way in every)
    best = [way for way in every if way.length == least]
    return (ends.links(path) if links else ends.named(path) for way in best for path in _vertices(graph, way))


def _vertices(graph: Graph, way: _Way) -> Iterator[list[int]]:
    """The positions on all shortest paths that take a way."""
    if way.ends is None:
        yield []
        return
    dtype = np.dtype(np.int64) if graph.weights is None else graph.weights.dtype
    bound = comparable_cutoff(graph, way.between, dtype)
    yield from TiedArcs(tied_predecessors(graph, way.ends[0], bound), *way.ends).paths()
