"""What the tests of the row methods share: asking a solver directly, random graphs, SciPy's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csgraph

from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import Problem
from apsp.semiring import is_unreachable

Rows = tuple[np.ndarray, np.ndarray | None]


def _rows(graph: Graph, method: str, dtype: str, sources: Any = None, pred: bool = True, **options: Any) -> Rows:
    problem = Problem(graph, np.dtype(dtype), **{"threads": 2, **options})
    wanted = np.arange(graph.n, dtype=np.int32) if sources is None else np.asarray(sources, dtype=np.int32)
    dist = np.full((len(wanted), problem.columns), 77, dtype=dtype)
    before = np.full((len(wanted), graph.n), -77, dtype=np.int32) if pred else None
    registry.prepare(registry.get(method))(problem).fill(wanted, dist, before)
    return dist, before


def _random_graph(n: int, m: int, low: int, high: int, seed: int, dtype: str = "int32", **properties: Any) -> Graph:
    rng = np.random.default_rng(seed)
    weights = rng.integers(low, high + 1, m).astype(dtype)
    return from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, **properties)


def _as_float(dist: np.ndarray) -> np.ndarray:
    result = dist.astype(np.float64)
    result[is_unreachable(dist)] = np.inf
    return result


def _scipy_distances(graph: Graph) -> np.ndarray:
    matrix = graph.to_scipy()
    if graph.has_negative_arc:
        return csgraph.johnson(matrix)
    return csgraph.dijkstra(matrix, unweighted=not graph.is_weighted)


@pytest.fixture(scope="session")
def rows() -> Callable[..., Rows]:
    return _rows


@pytest.fixture(scope="session")
def random_graph() -> Callable[..., Graph]:
    return _random_graph


@pytest.fixture(scope="session")
def as_float() -> Callable[[np.ndarray], np.ndarray]:
    return _as_float


@pytest.fixture(scope="session")
def scipy_distances() -> Callable[[Graph], np.ndarray]:
    return _scipy_distances
