"""Flows along one path per pair, by elimination and by searches, against walks over distances of SciPy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.sparse.csgraph import dijkstra

import apsp
from apsp.errors import RequestError
from apsp.methods.flows import flows as room
from apsp.methods.flows.demand import Demand
from by_method import flows


def walked(
    graph: apsp.Graph, sources: npt.NDArray[np.int32], demand: npt.NDArray[np.float64], cutoff: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Every pair's path, from its target back to the smallest predecessor; flows of arcs, and what is served."""
    tails, heads = graph.tails(), graph.indices
    weights = graph.arc_weights(np.float64)
    dist = dijkstra(_matrix(graph))
    along, served = np.zeros(graph.m), np.zeros(len(sources))
    for row, source in enumerate(sources):
        for target in np.flatnonzero(demand[row]):
            if target == source or not dist[source, target] <= min(cutoff, 1e300):
                continue
            served[row] += demand[row, target]
            vertex = int(target)
            while vertex != source:
                arcs = np.flatnonzero((heads == vertex) & (dist[source, tails] + weights == dist[source, vertex]))
                arc = arcs[tails[arcs] == tails[arcs].min()][-1]
                along[arc] += demand[row, target]
                vertex = int(tails[arc])
    return along, served


def _matrix(graph: apsp.Graph) -> npt.NDArray[np.float64]:
    matrix = np.full((graph.n, graph.n), np.inf)
    np.minimum.at(matrix, (graph.tails(), graph.indices), graph.arc_weights(np.float64))
    np.fill_diagonal(matrix, 0)
    return matrix


def random_demand(
    rng: np.random.Generator, n: int, count: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    sources = rng.integers(0, n, count).astype(np.int32)
    return sources, rng.integers(0, 4, (count, n)).astype(np.float64)


def as_rows(sources: npt.NDArray[np.int32], demand: npt.NDArray[np.float64]) -> Demand:
    rows, targets = np.nonzero(demand)
    start = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(sources)))]).astype(np.int64)
    return Demand(sources, None, start, targets.astype(np.int32), demand[rows, targets])


@pytest.mark.parametrize("weights", [None, 2, 1000, 10**9])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("cutoff", [None, 3, 900])
@pytest.mark.parametrize("by", ["elimination", "searches"])
def test_every_pair_follows_the_smallest_predecessors(
    *, weights: int | None, directed: bool, cutoff: float | None, by: str
) -> None:
    rng = np.random.default_rng(1)
    n, m = 40, 110
    tails, heads = rng.integers(0, n, (2, m))
    values = None if weights is None else rng.integers(1, weights + 1, m)
    graph = apsp.from_edges(tails, heads, values, n=n, directed=directed)
    sources, demand = random_demand(rng, n, 75)  # some sources occur twice
    along, served = walked(graph, sources, demand, np.inf if cutoff is None else cutoff)
    found = flows(graph, as_rows(sources, demand), along=True, threads=2, cutoff=cutoff, split=False, by=by)
    assert found.along is not None
    np.testing.assert_array_equal(found.along, along)
    np.testing.assert_array_equal(found.served, served)
    np.testing.assert_array_equal(found.arrived.sum(), served.sum())
    entering = np.bincount(graph.indices, along, n)
    np.testing.assert_array_equal(found.through + found.arrived, entering)


def test_the_same_demand_from_every_source_and_any_number_of_threads() -> None:
    graph = apsp.generate("city", 900, seed=3, weights=(1, 5))
    rng = np.random.default_rng(2)
    sources = rng.integers(0, graph.n, 300).astype(np.int32)
    to = rng.random(graph.n) * (rng.random(graph.n) < 0.1)
    found = [
        flows(graph, Demand(sources, to), along=True, threads=threads, split=False, by="elimination")
        for threads in (1, 3)
    ]
    for name in ("along", "through", "arrived", "served"):
        np.testing.assert_array_equal(getattr(found[0], name), getattr(found[1], name))
    searched = flows(graph, Demand(sources, to), along=True, threads=2, split=False, by="searches")
    np.testing.assert_allclose(found[0].along, searched.along, rtol=1e-12)


def test_roads_use_elimination(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    kernel = room.first_by_tree
    monkeypatch.setattr(room, "first_by_tree", lambda *args: (used.append("elimination"), kernel(*args))[1])
    graph = apsp.generate("city", 3000, seed=1, weights=(1, 1000))
    demand = np.ones((graph.n, 5))
    apsp.arc_flows(graph, demand, sources=range(graph.n), targets=range(5), ties="first")
    assert used == ["elimination"]


def test_gpus_split_ties() -> None:
    graph = apsp.generate("city", 100, seed=1, weights=(1, 9))
    with pytest.raises(RequestError, match="ties are split"):
        apsp.arc_flows(graph, np.ones((100, 100)), ties="first", device="emulated")
