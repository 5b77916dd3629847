"""Labels of one byte, which are used once the first batches of a graph had small labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apsp.graph.convert import from_edges
from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import Problem
from apsp.semiring import is_unreachable

AROUND, REACH = 700, 9
"""Vertices of a circle, more than four batches; each has an edge to the next ones, so many that none is left out."""


def circle_beside_a_path(arcs: int, weight: int) -> Graph:
    """A circle, where searches start, and a path whose distances are up to `arcs` times `weight`."""
    around, path = np.arange(AROUND), AROUND + np.arange(arcs + 1)
    tails = np.concatenate([np.tile(around, REACH), path[:-1]])
    heads = np.concatenate([*((around + step) % AROUND for step in range(1, REACH + 1)), path[1:]])
    weights = np.repeat([1, weight], [AROUND * REACH, arcs])
    return from_edges(tails, heads, weights, n=AROUND + arcs + 1, directed=False)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64"])
@pytest.mark.parametrize(
    ("arcs", "weight"),
    [(10, 1), (126, 2), (127, 2), (128, 2), (252, 1), (253, 1), (254, 1), (255, 1), (256, 1), (5, 254)],
)
def test_distances_around_255(rows: Any, dtype: str, threads: int, arcs: int, weight: int) -> None:
    """The first batches lie on the circle; a distance that does not fit appears in a later one."""
    graph = circle_beside_a_path(arcs, weight)
    found = rows(graph, "label-correcting", dtype, threads=threads, pred=False)[0]
    place, around = np.arange(arcs + 1), np.arange(AROUND)
    np.testing.assert_array_equal(found[AROUND:, AROUND:], weight * np.abs(place[:, None] - place))
    apart = np.abs(around[:, None] - around)
    np.testing.assert_array_equal(found[:AROUND, :AROUND], -(-np.minimum(apart, AROUND - apart) // REACH))
    assert is_unreachable(found[:AROUND, AROUND:]).all()
    assert is_unreachable(found[AROUND:, :AROUND]).all()


@pytest.mark.parametrize("kind", ["random", "rmat", "grid", "dag"])
@pytest.mark.parametrize("weights", [(0, 3), (1, 20)])
def test_kinds_of_graphs(rows: Any, kind: Any, weights: tuple[int, int]) -> None:
    graph = generate(kind, 900, seed=5, weights=weights)
    expected = rows(graph, "dijkstra", "int32")[0]
    np.testing.assert_array_equal(rows(graph, "label-correcting", "int32", pred=False)[0], expected)


def test_one_solver_with_and_without_predecessors() -> None:
    """Predecessors are made from wider labels, before and after byte labels came into use."""
    graph = generate("random", 900, seed=6, weights=(1, 9))
    solver = registry.prepare(registry.get("label-correcting"))(Problem(graph, np.dtype(np.int32), threads=2))
    sources, pred = np.arange(900, dtype=np.int32), np.empty((900, 900), dtype=np.int32)
    found = [np.empty((900, 900), dtype=np.int32) for _ in range(4)]
    for dist, before in zip(found, (pred, None, None, pred), strict=True):
        solver.fill(sources, dist, before)
        np.testing.assert_array_equal(dist, found[0])
    solver = registry.prepare(registry.get("dijkstra"))(Problem(graph, np.dtype(np.int32)))
    solver.fill(sources, found[1], None)
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize("cutoff", [0, 5, 253, 254, 255, 300])
def test_cutoffs(rows: Any, cutoff: int) -> None:
    graph = circle_beside_a_path(600, 1)
    found = rows(graph, "label-correcting", "int32", pred=False, cutoff=cutoff)[0]
    np.testing.assert_array_equal(found, rows(graph, "dijkstra", "int32", pred=False, cutoff=cutoff)[0])
