"""Rows of distances and predecessors as the dictionaries of NetworkX: ordered by distance, with Python's numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from apsp.api import solve, stream
from apsp.compat.networkx.converted import Converted
from apsp.graph.model import Graph
from apsp.semiring import unreachable

__all__ = ["Row", "all_rows", "alone", "length_to", "path_to", "row_of", "within"]


class Row:
    """Distances from a source to the vertices that it reaches.

    Parameters
    ----------
    converted : Converted
        The graph.
    source : int
        The position of the source; n for a new vertex before several sources (`roots`).
    distances : (n,) numbers
    pred : (n,) int32, optional
        Predecessors.
    starts : sequence of int, optional
        Positions of the nodes that are sources for NetworkX.

    Attributes
    ----------
    order : (k,) int
        Positions of the vertices that are reached, by distance; equal ones in the order of the nodes.
    """

    def __init__(
        self,
        converted: Converted,
        source: int,
        distances: npt.NDArray[Any],
        pred: Any = None,
        starts: Sequence[int] | None = None,
    ) -> None:
        self.converted = converted
        self.source = source
        self.starts = (source,) if starts is None else starts
        order = np.argsort(distances, kind="stable")
        reached = distances != unreachable(distances.dtype)
        if not reached.all():
            order = order[reached[order]]
        self.order = order
        self.distances = distances
        self._pred = pred

    def lengths(self) -> dict[Any, Any]:
        """Each node that is reached, with its distance: a Python number; that of the source is an integer."""
        found = dict(zip(self._nodes(), self.distances[self.order].tolist(), strict=True))
        if self.distances.dtype.kind == "f":
            for node in map(self.converted.nodes.__getitem__, self.starts):
                if found[node] == 0:
                    found[node] = 0
        return found

    def paths(self) -> dict[Any, list[Any]]:
        """Each node that is reached, with a shortest path to it."""
        order, nodes = self.order.tolist(), self._nodes()
        before = self._pred[self.order].tolist()
        known: list[Any] = [None] * (len(self.converted) + 1)
        known[self.source] = self.converted.nodes[self.source : self.source + 1]
        for vertex, last, node in zip(order, before, nodes, strict=True):
            if vertex != self.source:
                path = known[last]
                known[vertex] = self._behind(known, vertex) if path is None else [*path, node]
        return dict(zip(nodes, map(known.__getitem__, order), strict=True))

    def _behind(self, known: list[Any], vertex: int) -> list[Any]:
        """A path through vertices that come later in the order: arcs of length zero, or negative ones."""
        ahead = [vertex]
        while known[last := int(self._pred[ahead[-1]])] is None:
            ahead.append(last)
        return [*known[last], *(self.converted.nodes[at] for at in reversed(ahead))]

    def path(self, target: int) -> list[Any] | None:
        """A shortest path to one vertex; None if it is not reached."""
        if self.distances[target] == unreachable(self.distances.dtype):
            return None
        steps = [target]
        while steps[-1] != self.source:
            steps.append(int(self._pred[steps[-1]]))
        if self.source == len(self.converted):
            steps.pop()
        return [self.converted.nodes[vertex] for vertex in reversed(steps)]

    def length(self, target: int) -> int | float | None:
        """The distance to one vertex; None if it is not reached."""
        distance = self.distances[target]
        return None if distance == unreachable(self.distances.dtype) else distance.item()

    def previous(self) -> dict[Any, Any]:
        """Each node that is reached, with the node before it; None for the source."""
        nodes = [*self.converted.nodes, None]
        return dict(zip(self._nodes(), map(nodes.__getitem__, self._pred[self.order].tolist()), strict=True))

    def _nodes(self) -> list[Any]:
        return self.converted.objects[self.order].tolist()  # type: ignore[no-any-return]


def length_to(row: Row, target: Any, message: str) -> Any:
    """The distance to a node; NetworkXNoPath with the message if there is none."""
    position = row.converted.positions.get(target)
    length = None if position is None else row.length(position)
    if length is None:
        raise nx.NetworkXNoPath(message)
    return length


def path_to(row: Row, target: Any, message: str) -> tuple[Any, list[Any]]:
    """The distance to a node, and a shortest path; NetworkXNoPath with the message if there is none."""
    length = length_to(row, target, message)
    path = row.path(row.converted.positions[target])
    assert path is not None
    return length, path


def row_of(
    converted: Converted,
    graph: Graph,
    source: int,
    *,
    cutoff: float | None = None,
    paths: bool = False,
    searched: bool = False,
) -> Row:
    """The row of one source; `searched` by Dijkstra's algorithm, which adds floats in the order of the path."""
    if cutoff is not None and cutoff < 0:
        return alone(converted, source, (source,))
    method = "dijkstra" if searched else "auto"
    result = solve(graph, sources=[source], cutoff=cutoff, paths=paths, method=method)
    return Row(converted, source, result.distances[0], result.predecessors[0] if paths else None)


def all_rows(converted: Converted, graph: Graph, *, cutoff: float | None = None, paths: bool = False) -> Iterator[Row]:
    """The rows of all vertices, in blocks: planned at the call, computed as they are used."""
    if cutoff is not None and cutoff < 0:
        return (alone(converted, source, (source,)) for source in range(len(converted)))
    blocks = stream(graph, cutoff=cutoff, paths=paths)

    def rows() -> Iterator[Row]:
        for block in blocks:
            for number, source in enumerate(block.source_positions.tolist()):
                yield Row(converted, source, block.distances[number], block.predecessors[number] if paths else None)

    return rows()


def alone(converted: Converted, source: int, starts: Sequence[int]) -> Row:
    """The row of sources for which nothing else is within the cutoff."""
    distances = np.full(len(converted), unreachable(np.dtype(np.int32)), np.int32)
    distances[list(starts)] = 0
    return Row(converted, source, distances, np.full(len(converted), source, np.int32), starts)


def within(cutoff: Any, *, levels: bool = False) -> int | float | None:
    """Convert NetworkX's cutoff to the largest distance; negative if only sources are within.

    A breadth-first search (`levels`) ends with the first level that is not below the cutoff.

    Raises
    ------
    NotImplementedError
        If it is not a number of Python.
    """
    if cutoff is None or cutoff == math.inf:
        return None
    if type(cutoff) not in (int, float) or math.isnan(cutoff):
        raise NotImplementedError("a cutoff must be int or float")
    if cutoff < 0:
        return -1
    return math.ceil(cutoff) if levels else cutoff  # type: ignore[no-any-return]
