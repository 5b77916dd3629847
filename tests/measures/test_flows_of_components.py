"""Flows of graphs that fall into components: those of each component alone, and of all in the time of their sizes."""

from __future__ import annotations

import time
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest

import apsp
from apsp.methods.flows.demand import Demand, Flows
from by_method import flows

SIZES = {
    "pairs": (2,) * 100,
    "of several kinds": (1, 40, 2, 300, 1, 7, 2, 2, 130, 65, 64, 63, 1),
    "one of many": (500, *(1,) * 70),
}
KINDS = ("hops", "ints", "zeros", "floats")


class Fallen:
    """A graph of components whose vertices are mixed, and the graph of each with its vertices and arcs."""

    def __init__(self, sizes: tuple[int, ...], kind: str, *, directed: bool) -> None:
        rng = np.random.default_rng(sum(sizes))
        number = rng.permutation(sum(sizes))
        self.parts, first = [], 0
        tails, heads = [], []
        for size in sizes:
            own = np.sort(number[first : first + size])
            first += size
            later = np.arange(1, size)
            before = (rng.random(len(later)) * later).astype(int)
            turned, more = rng.random(len(later)) < 0.5, rng.integers(0, size, (2, size // 2))
            tails += [own[np.where(turned, later, before)], own[more[0]]]
            heads += [own[np.where(turned, before, later)], own[more[1]]]
            self.parts.append(own)
        tail, head = np.concatenate(tails), np.concatenate(heads)
        kept = tail != head if kind == "zeros" else np.ones(len(tail), dtype=bool)
        tail, head = tail[kept], head[kept]
        weights: npt.NDArray[Any] | None = {
            "hops": None,
            "ints": rng.integers(1, 4, len(tail)),
            "zeros": (rng.integers(0, 3, len(tail)) if directed else rng.integers(1, 3, len(tail))) * (tail > head),
            "floats": rng.integers(1, 4, len(tail)) / 4,
        }[kind]
        if kind == "zeros" and weights is not None:  # arcs of zero lead upwards only: no cycle of length zero
            weights += tail > head if directed else 1
        arguments = (tail, head) if weights is None else (tail, head, weights)
        self.graph = apsp.from_edges(*arguments, n=len(number), directed=directed)

    def alone(self, own: npt.NDArray[np.int64]) -> tuple[apsp.Graph, npt.NDArray[np.int64]]:
        """The graph of some vertices, and the numbers of its arcs in the whole graph."""
        graph = self.graph
        place = np.full(graph.n, -1)
        place[own] = np.arange(len(own))
        arcs = np.flatnonzero(place[graph.tails()] >= 0)
        weights = None if graph.weights is None else graph.weights[arcs]
        indptr = np.concatenate([[0], np.cumsum(np.diff(graph.indptr)[own])])
        heads = place[graph.indices[arcs]].astype(np.int32)
        return apsp.Graph(indptr, heads, weights, directed=graph.directed), arcs


def assert_as_alone(fallen: Fallen, found: Flows, demand: Demand, **options: Any) -> None:
    """The demand is `to`."""
    assert demand.to is not None
    assert found.along is not None
    for own in fallen.parts:
        graph, arcs = fallen.alone(own)
        mine = np.flatnonzero(np.isin(demand.sources, own))
        sources = np.searchsorted(own, demand.sources[mine]).astype(np.int32)
        expected = flows(graph, Demand(sources, demand.to[own]), along=True, threads=1, **options)
        near: Any = {"rtol": 1e-12, "atol": 1e-12}
        np.testing.assert_allclose(found.through[own], expected.through, **near)
        np.testing.assert_allclose(found.arrived[own], expected.arrived, **near)
        np.testing.assert_allclose(found.served[mine], expected.served, **near)
        np.testing.assert_allclose(found.along[arcs], expected.along, **near)


@pytest.mark.few(2)
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SIZES)
def test_flows_are_those_of_each_component(shape: str, kind: str, directed: bool) -> None:
    fallen = Fallen(SIZES[shape], kind, directed=directed)
    graph, rng = fallen.graph, np.random.default_rng(0)
    everywhere = Demand(np.arange(graph.n, dtype=np.int32), rng.random(graph.n))
    some = Demand(rng.permutation(graph.n)[: graph.n // 3].astype(np.int32), rng.random(graph.n))
    ways: list[dict[str, Any]] = [{"by": "searches"}, {"split": False, "by": "searches"}, {"cutoff": 2}]
    if kind in ("hops", "ints"):
        ways += [{"by": "elimination"}, {"split": False, "by": "elimination"}]
    for demand in (everywhere, some):
        for options in ways:
            found = flows(graph, demand, along=True, threads=1, **options)
            assert_as_alone(fallen, found, demand, **options)
            again = flows(graph, demand, along=True, threads=3, **options)
            for name in ("through", "arrived", "served", "along"):
                np.testing.assert_array_equal(getattr(again, name), getattr(found, name))


@pytest.mark.parametrize("kind", ["hops", "ints"])
def test_rows_of_demand_lead_into_other_components(kind: str) -> None:
    fallen = Fallen(SIZES["of several kinds"], kind, directed=False)
    graph, rng = fallen.graph, np.random.default_rng(0)
    sources = rng.permutation(graph.n).astype(np.int32)
    targets = rng.integers(0, graph.n, graph.n).astype(np.int32)
    values = rng.random(graph.n)
    demand = Demand(sources, None, np.arange(graph.n + 1, dtype=np.int64), targets, values)
    component = np.empty(graph.n, dtype=int)
    for k, own in enumerate(fallen.parts):
        component[own] = k
    inside = (component[sources] == component[targets]) & (sources != targets)
    for by in ("searches", "elimination"):
        found = flows(graph, demand, along=False, threads=2, by=by)
        np.testing.assert_allclose(found.served, np.where(inside, values, 0), rtol=1e-12)
        arrived = np.bincount(targets[inside], values[inside], minlength=graph.n)
        np.testing.assert_allclose(found.arrived, arrived, rtol=1e-12)


@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_values_are_those_of_networkx(directed: bool) -> None:
    graph = Fallen(SIZES["of several kinds"], "ints", directed=directed).graph
    plain = graph.to_networkx()
    expected = nx.betweenness_centrality(plain, weight="weight")
    found = apsp.betweenness_centrality(graph)
    np.testing.assert_allclose(found, [expected[v] for v in range(graph.n)], rtol=1e-12, atol=1e-15)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        *((shape, kind) for shape in ("pairs", "pairs one way") for kind in ("hops", "ints", "floats")),
        ("trees one way", "hops"),
        ("trees one way", "floats"),
    ],
)
def test_the_time_is_that_of_the_components(shape: str, kind: str) -> None:
    """Arrays of n values for each batch of sources would take 400 times as long for 20 times as many vertices."""

    def seconds(n: int) -> float:
        rng = np.random.default_rng(n)
        number, v = rng.permutation(n), np.arange(1, n)
        tails, heads = number[:-1:2], number[1::2]
        if "trees" in shape:
            tails, heads = number[(rng.random(n - 1) * v).astype(int)], number[1:]
        weights = {"hops": (), "ints": (rng.integers(1, 9, len(tails)),), "floats": (rng.random(len(tails)),)}[kind]
        graph = apsp.from_edges(tails, heads, *weights, n=n, directed="one way" in shape)
        best = np.inf
        for _ in range(3):
            start = time.process_time()
            apsp.edge_betweenness_centrality(graph, threads=1)
            best = min(best, time.process_time() - start)
        return best

    assert seconds(80_000) < 150 * seconds(4_000)
