"""Distances and predecessors of a sequence of graphs: those of similar size and dtype are packed into one array."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp.api.batch.arrays import solve_array
from apsp.api.batch.request import BatchRequest, candidates, solve_alone
from apsp.errors import DtypeRangeError, NegativeCycleError
from apsp.graph.batch import packed
from apsp.graph.model import Graph
from apsp.result.result import Result

__all__ = ["solve_graphs"]

_CLASSES = (32, 64, 128, 256)
"""Largest graphs that are packed with others of the same class of sizes; larger ones are solved alone."""

_ALONE = "alone"


def solve_graphs(graphs: list[Graph], work: BatchRequest) -> tuple[list[Any], list[Any]]:
    """Lists with one array per graph, in order; that of predecessors holds None if they were not requested."""
    distances: list[Any] = [None] * len(graphs)
    predecessors = distances.copy()
    groups: dict[tuple[Any, Any], list[int]] = {}
    for number, graph in enumerate(graphs):
        groups.setdefault(_group(number, graph), []).append(number)
    for key, numbers in groups.items():
        members = [graphs[number] for number in numbers]
        if key[0] == _ALONE:
            found = _alone(members[0], numbers[0], work)
            distances[numbers[0]] = found.distances
            predecessors[numbers[0]] = found.predecessors if work.paths else None
            continue
        batch, sizes = packed(members)
        packed_distances, packed_predecessors = solve_array(batch, sizes, work, None, members.__getitem__, numbers)
        for place, (number, size) in enumerate(zip(numbers, sizes.tolist(), strict=True)):
            distances[number] = packed_distances[place, :size, :size].copy()
            if work.paths:
                predecessors[number] = packed_predecessors[place, :size, :size].copy()
    return distances, predecessors


def _group(number: int, graph: Graph) -> tuple[Any, Any]:
    """Return the key that is equal for graphs packed together."""
    dtype = graph.weight_dtype
    largest = max(abs(weight) for weight in graph.weight_range)
    too_long = dtype is not None and dtype.kind == "i" and largest >= np.iinfo(dtype).max  # it would mean "no arc"
    if graph.has_zones or too_long or not 0 < graph.n <= _CLASSES[-1]:
        return _ALONE, number
    return next(side for side in _CLASSES if graph.n <= side), dtype


def _alone(graph: Graph, number: int, work: BatchRequest) -> Result:
    names = candidates(graph.weight_dtype or np.dtype(np.int32), work)
    for name in names:
        try:
            return solve_alone(graph, name, work)
        except NegativeCycleError as error:
            raise NegativeCycleError(error.positions, error.length, graph.labels, number) from None
        except DtypeRangeError as error:
            if name == names[-1]:
                raise DtypeRangeError(f"graph {number}: {error}") from None
    raise AssertionError("unreachable")
