"""Flows by elimination on a GPU beside those of the CPU and of NetworkX; its kernels without a GPU."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.gpu import nvrtc
from apsp.gpu.emulated.run import entered
from apsp.gpu.recorder import recording
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.flows import cost
from apsp.methods.flows.demand import Demand, Flows
from apsp.methods.flows.kernels.tree_flows import expressions
from apsp.methods.flows.tree_layout import FEW, LANES, paths_of
from by_method import flows
from compiling import ARCHITECTURES, needs_compiler

gpu = pytest.mark.gpu
NAMES = ("through", "arrived", "served", "along")


def random_graph(n: int, m: int, seed: int, heaviest: int = 4, *, directed: bool = True) -> apsp.Graph:
    rng = np.random.default_rng(seed)
    ends, weights = rng.integers(0, n, (2, m)), rng.integers(1, heaviest + 1, m)
    return apsp.from_edges(*ends, weights, n=n, directed=directed)


def grid(side: int, heaviest: int = 3) -> apsp.Graph:
    graph = apsp.generate("grid", side * side, weights=None)
    tails = graph.tails()
    forth = tails < graph.indices
    weights = np.random.default_rng(side).integers(1, heaviest + 1, int(forth.sum()))
    return apsp.from_edges(tails[forth], graph.indices[forth], weights, n=graph.n, directed=False)


def to_all(graph: apsp.Graph, sources: int, seed: int) -> Demand:
    rng = np.random.default_rng(seed)
    return Demand(rng.integers(0, graph.n, sources).astype(np.int32), rng.random(graph.n) * (rng.random(graph.n) < 0.7))


def by_rows(graph: apsp.Graph, sources: int, seed: int) -> Demand:
    rng = np.random.default_rng(seed)
    ends = [rng.choice(graph.n, rng.integers(0, min(graph.n, 9)), replace=False) for _ in range(sources)]
    start = np.cumsum([0, *map(len, ends)]).astype(np.int64)
    targets = np.concatenate(ends).astype(np.int32)
    values = rng.random(len(targets))
    return Demand(rng.integers(0, graph.n, sources).astype(np.int32), None, start, targets, values)


def same(found: Flows, expected: Flows) -> None:
    for name in NAMES:
        ours, theirs = getattr(found, name), getattr(expected, name)
        if theirs is None:
            assert ours is None
            continue
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-11 * max(theirs.max(initial=0), 1), err_msg=name)


def check(
    graph: apsp.Graph, demand: Demand, device: str = "emulated", cutoff: float | None = None, **options: Any
) -> None:
    for along in (False, True):
        expected = flows(graph, demand, along=along, threads=1, cutoff=cutoff, by="searches")
        found = flows(
            graph, demand, along=along, threads=2, cutoff=cutoff, device=device, by="elimination", **options
        )  # fmt: skip
        same(found, expected)


def with_many_arcs(n: int) -> apsp.Graph:
    """Whose last places have more than `FEW` arcs: all pairs of these vertices have one, and there is a tail."""
    tails, heads = np.triu_indices(n, 1)
    weights = np.random.default_rng(n).integers(1, 9, len(tails) + n)
    return apsp.from_edges(
        [*tails, *range(n - 1, 2 * n - 1)], [*heads, *range(n, 2 * n)], weights, n=2 * n, directed=False
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("kind", ["int", "double"])
def test_flows_are_those_of_the_cpu(kind: str, directed: bool) -> None:
    graph, unit = random_graph(150, 260, 3, directed=directed), 1 if kind == "int" else 2**22
    graph = graph.with_weights(graph.weights * unit)  # up to 2^32 on a path
    for demand, cutoff in ((to_all(graph, 150, 1), None), (by_rows(graph, 150, 2), 9 * unit)):
        batches: list[int] = []
        check(graph, demand, cutoff=cutoff, gpu_memory=300_000, progress=batches.append)
        assert len(batches) >= 4  # of two calls


def test_places_with_many_arcs() -> None:
    graph = with_many_arcs(2 * FEW)
    check(graph, to_all(graph, 40, 1))
    check(graph, by_rows(graph, 40, 2))


@pytest.mark.parametrize("order", ["forward", "random"])
def test_no_races(order: Any) -> None:
    graph = with_many_arcs(FEW + 8)
    for demand in (to_all(graph, 40, 1), by_rows(graph, 40, 2)):
        with entered(), recording(order, 1) as recorder:
            found = flows(graph, demand, along=True, threads=1, device="emulated", by="elimination")
        same(found, flows(graph, demand, along=True, threads=1))
        assert {"flow_climb", "flow_turn", "flow_down", "flow_back", "flow_return"} <= set(recorder.kernels)
        assert not recorder.races


def test_parts_without_paths_and_self_loops() -> None:
    graph = apsp.from_edges([0, 1, 1, 4, 5, 7], [1, 2, 1, 5, 4, 7], [1, 2, 1, 3, 3, 1], n=9)
    check(graph, Demand(np.array([0, 0, 4, 8], np.int32), np.ones(9)))
    check(
        graph,
        Demand(np.array([0, 4], np.int32), None, np.array([0, 3, 4]), np.array([0, 2, 5, 5], np.int32), np.ones(4)),
    )


@settings(max_examples=15, deadline=None)
@given(
    n=st.integers(1, 40), m=st.integers(0, 90), seed=st.integers(0, 2**20), heaviest=st.sampled_from([1, 3, 1000]),
    directed=st.booleans(), cutoff=st.sampled_from([None, 0, 2, 7.5]),
)  # fmt: skip
def test_random_graphs(n: int, m: int, seed: int, heaviest: int, directed: bool, cutoff: float | None) -> None:
    graph = random_graph(n, m, seed, heaviest, directed=directed)
    check(graph, to_all(graph, 37, seed), cutoff=cutoff)
    check(graph, by_rows(graph, 5, seed), cutoff=cutoff)


@pytest.mark.parametrize("directed", [True, False])
def test_networkx(directed: bool) -> None:
    graph = random_graph(45, 110, 8, 3, directed=directed)
    theirs = graph.to_networkx()
    found = apsp.betweenness_centrality(graph, device="emulated")
    expected = nx.betweenness_centrality(theirs, weight="weight")
    np.testing.assert_allclose(found, list(expected.values()), atol=1e-12)
    found = apsp.betweenness_centrality(graph, sources=[3, 4, 5], targets=[8, 9], normalized=False, device="emulated")
    expected = nx.betweenness_centrality_subset(theirs, [3, 4, 5], [8, 9], normalized=False, weight="weight")
    np.testing.assert_allclose(found, list(expected.values()), atol=1e-12)


def test_every_run_gives_the_same_bits() -> None:
    graph, demand = grid(9), to_all(grid(9), 100, 5)
    one, other = (flows(graph, demand, along=True, threads=threads, device="emulated") for threads in (1, 2))
    for name in NAMES:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_the_public_functions_take_a_device() -> None:
    graph = grid(9)
    for function in (apsp.betweenness_centrality, apsp.edge_betweenness_centrality):
        found, expected = (function(graph, device=device) for device in ("emulated", "cpu"))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    demand = np.random.default_rng(1).random((81, 81))
    one, other = (apsp.arc_flows(graph, demand, device=device) for device in ("emulated", "cpu"))
    np.testing.assert_allclose(one.arcs, other.arcs, rtol=1e-12)
    np.testing.assert_allclose(one.served, other.served, rtol=1e-12)


def test_targets_of_every_row() -> None:
    graph, rng = grid(8), np.random.default_rng(1)
    common = rng.choice(graph.n, 20, replace=False).astype(np.int32)
    sources = rng.permutation(graph.n)[:50].astype(np.int32)
    demand = Demand(sources, None, np.arange(51) * 20, None, rng.random(1000), common=common)
    batches: list[int] = []
    check(graph, demand, gpu_memory=150_000, progress=batches.append)
    assert batches == [32, 50] * 2
    check(graph.unweighted(), demand, "cpu")


def test_progress() -> None:
    told: list[int] = []
    graph = grid(8)
    flows(graph, to_all(graph, 64, 1), along=False, threads=1, device="emulated", progress=told.append)
    assert told[-1] == 64


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    floats = apsp.from_edges([0, 1], [1, 2], [0.5, 1.5])
    zero = apsp.from_edges([0, 1], [1, 2], [0, 1])
    for graph in (floats, zero):
        with pytest.raises(apsp.RequestError, match="integer weights above zero"):
            apsp.betweenness_centrality(graph, device="emulated")
    zones = apsp.from_edges([0, 1], [1, 2], [1, 1], zones=[True, False, False])
    with pytest.raises(apsp.RequestError, match="no zones"):
        apsp.betweenness_centrality(zones, device="emulated")
    monkeypatch.setattr(cost, "_MOST_PAIRS", 10)
    with pytest.raises(apsp.RequestError, match="separators of this graph are too large"):
        apsp.betweenness_centrality(random_graph(40, 300, 1), device="emulated")


def test_long_graphs_in_hops(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, shallow = apsp.generate("ring", 1000, weights=None), apsp.generate("random", 5000, weights=None)
    demand, many = to_all(graph, 40, 1), 10**7
    assert cost._tree_instead_of_hops(graph, 400, 1) is None  # less than a second
    assert cost._tree_instead_of_hops(graph, many, 1) is elimination_tree(graph)
    assert cost._tree_instead_of_hops(shallow, many, 1) is None
    monkeypatch.setattr("apsp.methods.flows.on_gpu.flows_by_hops", None)
    expected = flows(graph, demand, along=True, threads=1)
    same(flows(graph, demand, along=True, threads=1, device="emulated", of_sources=many), expected)


def diamonds(count: int) -> apsp.Graph:
    """One after the other: 2^count shortest paths from the first vertex to the last one."""
    first = 3 * np.arange(count)
    tails, heads = ([first + k for k in ends] for ends in ((0, 0, 1, 2), (1, 2, 3, 3)))
    return apsp.from_edges(np.concatenate(tails), np.concatenate(heads), np.ones(4 * count, dtype=int))


def test_too_many_paths_are_left_to_searches() -> None:
    graph = diamonds(940)  # more paths than elimination counts, fewer than a float64 holds
    demand = Demand(np.array([0, 3, graph.n - 1], np.int32), np.ones(graph.n))
    assert flows(graph, demand, along=False, threads=1, device="emulated", by="elimination").method == "searches"
    check(graph, demand)
    many = diamonds(1100)
    with pytest.raises(apsp.RequestError, match="from vertex 0"):
        apsp.betweenness_centrality(many, sources=[0, many.n - 1], device="emulated")


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apsp.facts.one_gpu.memory_of_each", lambda *_: 1_000_000)
    with pytest.raises(apsp.MemoryLimitError, match="32 sources at once"):
        apsp.betweenness_centrality(grid(60), device="emulated")


def test_paths_of_tiles() -> None:
    graph = grid(15)
    tree = elimination_tree(graph)
    assert tree is not None
    layout = tree.layout
    places = np.sort(np.random.default_rng(0).choice(graph.n, 70, replace=False)).astype(np.int32)
    sources = np.concatenate([places, np.full(26, -1, np.int32)])
    found = paths_of(layout, sources)
    for tile in range(3):
        expected: set[int] = set()
        for source in places[tile * LANES : (tile + 1) * LANES].tolist():
            node = int(layout.owner[source])
            while node >= 0:
                expected.add(node)
                node = int(layout.parent[node])
        part = found.part(tile, tile + 1)
        assert part.nodes.tolist() == sorted(expected)
        columns = layout.columns[part.nodes]
        assert part.at.tolist() == [0, *np.cumsum(columns)[:-1].tolist()]
        assert part.lengths[0] == columns.sum()


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
@pytest.mark.parametrize("kind", ["int", "double"])
def test_kernels_compile_without_spills(kind: str, capability: tuple[int, int]) -> None:
    compiled = nvrtc.compile_for("tree_flows.cu", expressions(kind), capability)
    assert set(compiled.spilled_bytes) == set(expressions(kind))
    assert not any(compiled.spilled_bytes.values())


@gpu
@pytest.mark.parametrize("heaviest", [1, 100_000])
def test_small_graphs_on_a_gpu(cupy: Any, heaviest: int) -> None:
    for graph in (grid(12, heaviest), with_many_arcs(2 * FEW)):
        check(graph, to_all(graph, 70, 1), "cuda")
        check(graph, by_rows(graph, 70, 2), "cuda", cutoff=40)


@gpu
@pytest.mark.parametrize("heaviest", [1, 3, 100_000])
def test_on_a_gpu(cupy: Any, heaviest: int) -> None:
    graph = grid(70, heaviest)
    check(graph, to_all(graph, 1500, 1), "cuda")
    check(graph, by_rows(graph, 1500, 2), "cuda", cutoff=40)
    sparse = random_graph(2000, 2600, 3, heaviest)
    check(sparse, to_all(sparse, 700, 1), "cuda")
