"""The two ends of apsp path, vertices or points, and what is found between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from apsp import api
from apsp.api import questions
from apsp.api.alternatives import alternatives
from apsp.api.oracle.oracle import Oracle
from apsp.api.pair_answers import pair_answers
from apsp.api.pareto import pareto
from apsp.api.places.place_paths import all_paths_of_places, path_of_places, path_with_turns
from apsp.api.simple_paths import shortest_simple_paths, shortest_walks
from apsp.cli import summaries
from apsp.cli.inputs import read_graph
from apsp.cli.options import Drawing, Reading
from apsp.cli.points import Points, pair_of
from apsp.cli.saved import kind_of, load_oracle, load_result
from apsp.cli.terminal import Show
from apsp.cli.vertices import Typed
from apsp.errors import GraphError, RequestError
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.path_steps import are_told_apart
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import own_vertices
from apsp.reductions import Summary
from apsp.result.many_paths import ManyPaths
from apsp.result.pareto_paths import ParetoPaths
from apsp.result.plotting import map_title
from apsp.result.result import Result
from apsp.semiring import MIN_PLUS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["PointEnds", "VertexEnds", "between_points", "between_vertices"]


@dataclass(frozen=True)
class VertexEnds:
    """Two vertices, and a result that contains the paths between them."""

    result: Result
    source: Any
    target: Any
    start: None = None
    end: None = None

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self.result.graph

    def distance(self) -> int | float:
        """Return the distance."""
        return self.result.distance(self.source, self.target)

    def path(self, *, links: bool) -> list[Any]:
        """Return a shortest path, or its links."""
        return self.result.path(self.source, self.target, links=links)

    def paths(self, *, links: bool) -> Iterator[list[Any]]:
        """Yield all shortest paths, or their links."""
        return self.result.all_paths(self.source, self.target, links=links)

    def several(self, k: int | None, differing: int | None, *, loops: bool, links: bool = False) -> ManyPaths:
        """Return the k shortest simple paths, with loops walks, or so many alternatives.

        Raises
        ------
        RequestError
            If the result is one of another algebra.
        """
        if self.result.semiring is not MIN_PLUS:
            name = self.result.semiring.name
            raise RequestError(f"-k and --alternatives find shortest paths, and this result is {name}")
        if k is not None:
            find = shortest_walks if loops else shortest_simple_paths
            return find(self.graph, [self.source], [self.target], k, links=links)
        return alternatives(self.graph, [self.source], [self.target], differing or 1, links=links)

    def compromises(self, cost: str) -> ParetoPaths:
        """Return the paths that no other beats in the weights and a cost.

        Raises
        ------
        RequestError
            If the graph has no such cost.
        """
        return pareto(self.graph, cost, self.source, self.target)

    def figure(self, drawing: Drawing) -> Figure:
        """Return a map of the distances from the source, and of a path."""
        if len(self.result.target_positions) != own_vertices(self.graph):
            raise RequestError("a map needs the distances to all vertices: solve without --targets")
        return self.result.plot(self.source, self.target, **vars(drawing))


@dataclass(frozen=True)
class PointEnds:
    """A point, and another one or a vertex.

    Attributes
    ----------
    source, target : str or vertex
        The ends as they are printed.
    start, end : Places
        The points; None for a vertex.
    """

    graph: Graph
    oracle: Oracle | None
    source: str
    target: Any
    start: Places
    end: Places | None

    @property
    def _last(self) -> Any:
        return self.target if self.end is None else self.end

    def distance(self) -> int | float:
        """Return the distance."""
        if self.oracle is not None:
            return self.oracle.distance(self.start, self._last)
        return questions.distance(self.graph, self.start, self._last)

    def path(self, *, links: bool) -> list[Any]:
        """Return a shortest path, or its links."""
        if self.oracle is not None:
            return self.oracle.path(self.start, self._last, links=links)
        if self.graph._turned is not None:
            return path_with_turns(self.graph, self.start, self._last, pair_answers, links=links)
        return path_of_places(self.graph, self.start, self._last, pair_answers(self.graph), links=links)

    def paths(self, *, links: bool) -> Iterator[list[Any]]:
        """Yield all shortest paths, or their links."""
        return all_paths_of_places(self.graph, self.start, self._last, self._between, links=links)

    def several(self, k: int | None, differing: int | None, *, loops: bool, links: bool = False) -> ManyPaths:
        """Return the k shortest simple paths, or with loops walks.

        Raises
        ------
        RequestError
            For alternatives, which take vertices.
        """
        if k is None or differing is not None:
            raise RequestError("--alternatives takes two vertices, not --near")
        find = shortest_walks if loops else shortest_simple_paths
        last = [self.target] if self.end is None else self.end
        return find(self.graph, self.start, last, k, links=links)

    def compromises(self, cost: str) -> ParetoPaths:
        """Refuse, as they take vertices.

        Raises
        ------
        RequestError
        """
        raise RequestError(f"--pareto {cost} takes two vertices, not --near")

    def _between(self, source: int, target: int) -> int | float:
        if self.oracle is None:
            return pair_answers(self.graph).distance(source, target)
        return self.oracle.distance(self.graph.labels[source], self.graph.labels[target])

    def figure(self, drawing: Drawing) -> Figure:
        """Return a map of the distances from the source, and of a path."""
        path, label, unit = self.path(links=False), drawing.label, drawing.unit
        streets = streets_of(self.graph)
        taken = self.path(links=True) if are_told_apart(streets) else None
        matrix = partial(questions.matrix, self.graph) if self.oracle is None else self.oracle.matrix
        (row,) = np.asarray(matrix(self.start))
        title = map_title(label, self.source, self.target, self.distance(), len(path) - 1, unit)
        scale: Any = drawing.scale  # checked when it is drawn
        return streets.plot(
            row, route=path, links=taken, sources=self.start, targets=self.end, title=title,
            label=f"{label} ({unit})" if unit else label, levels=drawing.levels, scale=scale,
        )  # fmt: skip


def between_points(
    source: str, ends: tuple[str, ...], points: Points, reading: Reading, show: Show, *, links: bool
) -> PointEnds:
    """Return the ends of which one or two are points.

    Raises
    ------
    ApspError
        If the file cannot be read, or a point or vertex not be found.
    """
    kind, oracle = kind_of(source), None
    if kind == "oracle":
        oracle = load_oracle(source, reading)
        graph = oracle.graph
    elif kind == "result":
        graph = load_result(source, reading).graph
    else:
        graph = read_graph(source, reading, show, links=links, turns=True)
    start, *others = (points.snapped(graph, [pair_of(text)], names=[text]) for text in points.near)
    target = points.near[1] if others else Typed(graph).vertex(ends[0])
    return PointEnds(graph, oracle, points.near[0], target, start, others[0] if others else None)


def between_vertices(
    source: str, ends: tuple[str, ...], reading: Reading, show: Show, *, costs: bool | tuple[str, ...], links: bool
) -> VertexEnds:
    """Return two vertices: by default those that are farthest apart.

    Raises
    ------
    ApspError
        If the file cannot be read, or a vertex not be found.
    """
    kind = kind_of(source)
    if kind == "oracle":
        return _by_oracle(source, ends, reading, show)
    if kind == "result":
        result = load_result(source, reading)
        if ends:
            u, v = map(Typed(result.graph).vertex, ends)
            return VertexEnds(result, u, v)
        return VertexEnds(result, *_farthest(summaries.of_result(result), source))
    graph = read_graph(source, reading, show, costs=costs, links=links, turns=True)
    if ends:
        u, v = map(Typed(graph).vertex, ends)
    else:
        u, v = _farthest(summaries.of_graph(graph, {}, show), source)
    return VertexEnds(api.solve(graph, sources=[u], paths=True), u, v)


def _by_oracle(source: str, ends: tuple[str, ...], reading: Reading, show: Show) -> VertexEnds:
    """Return the row of distances from one end, and both ends."""
    oracle = load_oracle(source, reading)
    graph = oracle.graph
    if ends:
        u, v = map(Typed(graph).vertex, ends)
    else:
        u, v = _farthest(oracle.summary(progress=show.bar), source)
    if oracle.turned is not None:  # rows of distances to vertices do not tell the turns of a path
        return VertexEnds(api.solve(oracle.turned, sources=[u], paths=True), u, v)
    row = np.array([graph.index(u)], dtype=np.int32)
    return VertexEnds(Result(graph, oracle.rows([u]), source_positions=row), u, v)


def _farthest(summary: Summary, source: str) -> tuple[Any, Any]:
    longest = summary.farthest_pair
    if longest is None:
        raise GraphError(f"{source}: the graph has no vertices")
    return longest.source, longest.target
