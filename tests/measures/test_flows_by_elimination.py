"""Flows by elimination over distances and numbers of paths, against searches and NetworkX."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.flows.cost import COSTS, FlowWork
from apsp.methods.flows.demand import Demand, Flows
from apsp.planning.sources import choose
from by_method import flows

PARTS = ("through", "arrived", "served", "along")


def same(found: Flows, expected: Flows) -> None:
    for part in PARTS:
        np.testing.assert_allclose(getattr(found, part), getattr(expected, part), rtol=1e-12, atol=1e-12)


def grid(side: int, largest: int) -> apsp.Graph:
    corners = np.arange(side * side).reshape(side, side)
    tails = np.concatenate([corners[:, :-1].ravel(), corners[:-1].ravel()])
    heads = np.concatenate([corners[:, 1:].ravel(), corners[1:].ravel()])
    weights = np.random.default_rng(1).integers(1, largest + 1, len(tails))
    return apsp.from_edges(tails, heads, weights, n=side * side, directed=False)


def full_of_ties(case: int) -> tuple[apsp.Graph, Any]:
    chance = random.Random(case)
    if case % 3 == 0:
        shape = chance.randint(2, 6), chance.randint(2, 6)
        plain = nx.convert_node_labels_to_integers(nx.grid_2d_graph(*shape)).to_directed()
    else:
        n = chance.randint(2, 24)
        plain = nx.gnm_random_graph(n, chance.randint(1, 4 * n), seed=case, directed=True)
    if case % 5 == 0:
        plain = plain.to_undirected()
    for tail, head in plain.edges:
        plain[tail][head]["weight"] = chance.choice([1, 1, 2, 3]) if case % 2 else 1
    ends = np.array(plain.edges, dtype=np.int64).reshape(-1, 2)
    lengths = np.array([weight for *_, weight in plain.edges(data="weight")], dtype=np.int64)
    graph = apsp.from_edges(ends[:, 0], ends[:, 1], lengths, n=len(plain), directed=plain.is_directed())
    return graph, plain


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_small_graphs_full_of_ties(first: int) -> None:
    for case in range(first, first + 10):
        graph, plain = full_of_ties(case)
        demand = Demand(np.arange(graph.n, dtype=np.int32), np.ones(graph.n))
        found = flows(graph, demand, along=True, threads=1, by="elimination")
        same(found, flows(graph, demand, along=True, threads=1, by="searches"))
        expected = nx.betweenness_centrality(plain, weight="weight", normalized=False)
        scale = 1.0 if graph.directed else 0.5
        np.testing.assert_allclose(found.through * scale, [expected[v] for v in range(graph.n)], atol=1e-12)


@pytest.mark.parametrize("cutoff", [None, 0, 2])
def test_rows_of_demand_repeated_sources_and_a_cutoff(cutoff: int | None) -> None:
    for case in range(20):
        graph, _ = full_of_ties(case)
        chance = random.Random(case)
        sources = np.array([chance.randrange(graph.n) for _ in range(chance.randint(1, 40))], np.int32)
        rows = [sorted(chance.sample(range(graph.n), chance.randint(0, graph.n))) for _ in sources]
        start = np.cumsum([0, *map(len, rows)]).astype(np.int64)
        targets = np.array([v for row in rows for v in row], np.int32)
        demand = Demand(sources, None, start, targets, np.array([chance.random() for _ in targets]))
        found = flows(graph, demand, along=True, threads=2, cutoff=cutoff, by="elimination")
        same(found, flows(graph, demand, along=True, threads=1, cutoff=cutoff, by="searches"))


@pytest.mark.parametrize("name", ["grid", "city", "parts"])
@pytest.mark.parametrize("cutoff", [None, 12])
def test_trees_of_many_subtrees(name: str, cutoff: int | None) -> None:
    """Trees whose way down is cut into parts, of which some contain a source."""
    graph = {
        "grid": lambda: grid(64, 3),
        "city": lambda: apsp.generate("city", 5000, seed=3),
        "parts": lambda: apsp.from_scipy(
            sp.block_diag([part.to_scipy() for part in (grid(40, 2), grid(7, 1), grid(1, 1), grid(35, 3))])
        ),
    }[name]()
    chance = np.random.default_rng(4)
    sources = np.sort(chance.choice(graph.n, 70, replace=False)).astype(np.int32)
    rows = [np.sort(chance.choice(graph.n, count, replace=False)) for count in chance.integers(0, 40, len(sources))]
    start, targets = np.cumsum([0, *map(len, rows)]).astype(np.int64), np.concatenate(rows).astype(np.int32)
    for demand in (
        Demand(sources, np.ones(graph.n)),
        Demand(sources, (chance.random(graph.n) < 0.01).astype(float)),
        Demand(sources, None, start, targets, chance.random(len(targets))),
    ):
        found = flows(graph, demand, along=True, threads=2, cutoff=cutoff, by="elimination")
        expected = flows(graph, demand, along=True, threads=1, cutoff=cutoff, by="searches")
        for part in PARTS:
            np.testing.assert_allclose(getattr(found, part), getattr(expected, part), rtol=1e-9, atol=1e-9)


def test_the_same_bits_with_any_number_of_threads() -> None:
    graph = grid(20, 3)
    demand = Demand(np.arange(graph.n, dtype=np.int32), np.ones(graph.n))
    first, *others = (flows(graph, demand, along=True, threads=threads, by="elimination") for threads in (1, 2, 3))
    for other in others:
        for part in PARTS:
            np.testing.assert_array_equal(getattr(other, part), getattr(first, part))


def test_searches_take_over_when_numbers_of_paths_do_not_fit() -> None:
    count = 1000  # diamonds in a row: 2^1000 paths, and 2^1100 with a hundred more
    for more, fits in ((0, True), (100, False)):
        k = np.arange(count + more) * 3
        tails, heads = np.concatenate([k, k, k + 1, k + 2]), np.concatenate([k + 1, k + 2, k + 3, k + 3])
        graph = apsp.from_edges(tails, heads, np.ones(len(tails), np.int64))
        one = Demand(np.zeros(1, np.int32), np.ones(graph.n))
        if fits:
            expected = flows(graph, one, along=True, threads=1, by="searches")
            same(flows(graph, one, along=True, threads=1, by="elimination"), expected)
        else:
            with pytest.raises(apsp.RequestError, match="beyond float64"):
                flows(graph, one, along=True, threads=1, by="elimination")


def test_weights_of_zero_floats_and_zones_are_left_to_searches() -> None:
    for weights, zones in (([0, 1], None), ([1.5, 1.0], None), ([1, 1], [False, True, False])):
        graph = apsp.from_edges([0, 1], [1, 2], weights, n=3, zones=zones)
        assert COSTS["elimination"].offer(FlowWork(graph, 10**9, None, split=True), 1, None) is None


def test_the_choice_depends_on_the_number_of_sources() -> None:
    graph = grid(60, 9)
    one, every = (
        choose("flows", FlowWork(graph, count, None, split=True), device="cpu", threads=1) for count in (1, graph.n)
    )
    assert (one.method, every.method) == ("searches", "elimination")
    assert every.tree is elimination_tree(graph)


@pytest.mark.parametrize("split", [True, False])
def test_the_choice_does_not_depend_on_the_number_of_threads(split: bool) -> None:
    # It once did: sums of the same flows then differed in the last bits between machines.
    for side in (8, 30, 60):
        graph = grid(side, 9)
        for sources in (1, 16, 64, 128, 256, 1024, graph.n):
            work = FlowWork(graph, sources, None, split)
            found = (choose("flows", work, device="cpu", threads=threads) for threads in (1, 2, 5, 64))
            assert len({each.method for each in found}) == 1


def test_a_dense_demand_in_any_order_of_targets_is_that_of_a_sparse_one() -> None:
    graph, chance = grid(12, 2), np.random.default_rng(3)
    sources, targets = chance.permutation(graph.n)[:20], chance.permutation(graph.n)[:30]
    demand = chance.random((20, 30)) * (chance.random((20, 30)) < 0.5)
    dense = apsp.arc_flows(graph, demand, sources=sources, targets=targets)
    sparse = apsp.arc_flows(graph, sp.coo_array(demand), sources=sources, targets=targets)
    np.testing.assert_allclose(dense.arcs, sparse.arcs, rtol=1e-12)
    np.testing.assert_allclose(dense.served, sparse.served, rtol=1e-12)
