"""Betweenness of vertices and arcs, against NetworkX and against exact rational arithmetic."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import _cpu
from examples import examples

NEAR: Any = {"rtol": 1e-12, "atol": 1e-12}


def exact(
    graph: apsp.Graph,
    sources: list[int] | None = None,
    targets: list[int] | None = None,
    cutoff: float | None = None,
) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """What passes the vertices, ends at (or begins at) them and uses the arcs: sums of fractions of simple paths.

    Distances by Floyd-Warshall, paths by counting tight arcs in the order of their number; n is small.
    """
    n, zones = graph.n, graph.zones if graph.zones is not None else np.zeros(graph.n, bool)
    weights = [1] * graph.m if graph.weights is None else graph.weights.tolist()
    arcs = [
        (tail, head, weight)
        for tail, head, weight in zip(graph.tails().tolist(), graph.indices.tolist(), weights, strict=True)
    ]
    through, ends, along = [Fraction(0)] * n, [Fraction(0)] * n, [Fraction(0)] * graph.m
    for source in range(n) if sources is None else sources:
        paths: dict[int, list[tuple[Fraction, list[int]]]] = {v: [] for v in range(n)}

        def walk(
            v: int, seen: set[int], used: list[int], length: Any, source: int = source, paths: Any = paths
        ) -> None:
            paths[v].append((length, list(used)))
            if zones[v] and v != source:
                return
            for k, (tail, head, weight) in enumerate(arcs):
                if tail == v and head not in seen:
                    walk(head, seen | {head}, [*used, k], length + weight)

        walk(source, {source}, [], Fraction(0))
        for target in range(n) if targets is None else targets:
            if target == source or not paths[target]:
                continue
            best = min(length for length, _ in paths[target])
            if cutoff is not None and best > cutoff:
                continue
            shortest = [used for length, used in paths[target] if length == best]
            share = Fraction(1, len(shortest))
            ends[source] += 1
            ends[target] += 1
            for k in itertools.chain.from_iterable(shortest):
                along[k] += share
                if arcs[k][1] != target:
                    through[arcs[k][1]] += share
    return through, ends, along


def agrees(graph: apsp.Graph, **options: Any) -> None:
    through, ends, along = exact(graph, **options)
    half = 1.0 if graph.directed else 0.5
    for endpoints, values in ((False, through), (True, [a + b for a, b in zip(through, ends, strict=True)])):
        found = apsp.betweenness_centrality(graph, normalized=False, endpoints=endpoints, **options)
        np.testing.assert_allclose(found, np.array(values, float) * half, **NEAR)
    found = apsp.edge_betweenness_centrality(graph, normalized=False, **options)
    if not graph.directed:
        position = {pair: k for k, pair in enumerate(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))}
        along = [along[k] + along[position[head, tail]] for (tail, head), k in position.items()]
    np.testing.assert_allclose(found, np.array(along, float) * half, **NEAR)


@st.composite
def graphs(draw: st.DrawFn, weights: str = "hops") -> apsp.Graph:
    n = draw(st.integers(0, 6))
    vertex = st.integers(0, max(n - 1, 0))
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=12 if n else 0))
    tails, heads = [u for u, _ in pairs], [v for _, v in pairs]
    directed = draw(st.booleans())
    sizes = {"hops": None, "ties": st.integers(1, 3), "zeros": st.integers(0, 2), "negative": st.integers(-1, 3)}
    each = sizes[weights]
    lengths = None if each is None else draw(st.lists(each, min_size=len(pairs), max_size=len(pairs)))
    zones = draw(st.lists(st.booleans(), min_size=n, max_size=n)) if draw(st.booleans()) and n else None
    return apsp.from_edges(tails, heads, lengths, n=n, directed=directed, zones=zones)


@settings(max_examples=examples(60), deadline=None)
@given(graphs("hops") | graphs("ties"), st.sampled_from([None, 0, 1, 2, 4]))
def test_every_share_is_exact(graph: apsp.Graph, cutoff: int | None) -> None:
    agrees(graph, cutoff=cutoff)


@settings(max_examples=examples(60), deadline=None)
@given(graphs("zeros") | graphs("negative"), st.sampled_from([None, 1, 2]))
def test_arcs_of_zero_and_below(graph: apsp.Graph, cutoff: int | None) -> None:
    if not graph.is_weighted or graph.m == 0:
        return
    lowered = graph.with_weights(graph.weights * 1000 - 1)
    if not has_cycle(lowered):  # none of length zero or below in the graph itself
        agrees(graph, cutoff=cutoff)
    elif has_cycle(graph):
        with pytest.raises(apsp.NegativeCycleError):
            apsp.betweenness_centrality(graph)
    else:
        with contextlib.suppress(apsp.RequestError):  # no path goes round a cycle through a zone
            agrees(graph)


def has_cycle(graph: apsp.Graph) -> bool:
    try:
        apsp.solve(graph)
    except apsp.NegativeCycleError:
        return True
    return False


@settings(max_examples=examples(30), deadline=None)
@given(graphs("hops") | graphs("ties"), st.data())
def test_subsets_are_those_of_networkx(graph: apsp.Graph, data: st.DataObject) -> None:
    if graph.zones is not None or graph.n == 0:
        return
    some = st.lists(st.integers(0, graph.n - 1), max_size=3, unique=True)
    sources, targets = data.draw(some), data.draw(some)
    agrees(graph, sources=sources, targets=targets)
    G, weight = graph.to_networkx(), "weight" if graph.is_weighted else None
    want = nx.betweenness_centrality_subset(G, sources, targets, normalized=True, weight=weight)
    found = apsp.betweenness_centrality(graph, sources=sources, targets=targets)
    np.testing.assert_allclose(found, [want[v] for v in range(graph.n)], **NEAR)


CASES: dict[str, Callable[[], nx.Graph]] = {
    "grid": lambda: nx.convert_node_labels_to_integers(nx.grid_2d_graph(9, 13)),
    "random": lambda: nx.gnm_random_graph(200, 420, seed=1),
    "directed": lambda: nx.gnm_random_graph(150, 500, seed=2, directed=True),
    "star": lambda: nx.star_graph(70),
    "path": lambda: nx.path_graph(90),
    "complete": lambda: nx.complete_graph(20),
    "empty": lambda: nx.empty_graph(3),
    "nothing": lambda: nx.empty_graph(0),
    "one": lambda: nx.empty_graph(1),
    "two": lambda: nx.path_graph(2),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_networkx(name: str, weighted: bool) -> None:
    G, weight = CASES[name](), "weight" if weighted else None
    rng = np.random.default_rng(3)
    if weighted:
        for u, v in G.edges:
            G[u][v]["weight"] = int(rng.integers(1, 4))
    graph = apsp.from_networkx(G)
    assert graph.is_weighted == (weighted and graph.m > 0) or graph.m == 0
    for normalized, endpoints in itertools.product((True, False), repeat=2):
        want = nx.betweenness_centrality(G, normalized=normalized, weight=weight, endpoints=endpoints)
        found = apsp.betweenness_centrality(graph, normalized=normalized, endpoints=endpoints)
        np.testing.assert_allclose(found, [want[v] for v in G], **NEAR)
    for normalized in (True, False):
        edges = nx.edge_betweenness_centrality(G, normalized=normalized, weight=weight)
        found = apsp.edge_betweenness_centrality(graph, normalized=normalized)
        arcs = zip(graph.tails().tolist(), graph.indices.tolist(), strict=True)
        np.testing.assert_allclose(found, [edges[arc] if arc in edges else edges[arc[::-1]] for arc in arcs], **NEAR)


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_every_instruction_set_gives_the_same_shares(isa: str) -> None:
    here = _cpu.isa()
    graph = apsp.generate("random", 300, m=900, seed=4).unweighted()
    values = apsp.edge_betweenness_centrality(graph), apsp.betweenness_centrality(graph)
    try:
        _cpu.set_isa(isa)
    except ValueError:
        pytest.skip(f"this machine lacks {isa}")
    try:
        np.testing.assert_allclose(apsp.edge_betweenness_centrality(graph), values[0], **NEAR)
        np.testing.assert_allclose(apsp.betweenness_centrality(graph), values[1], **NEAR)
    finally:
        _cpu.set_isa(here)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_number_of_threads_does_not_change_a_bit(weighted: bool) -> None:
    graph = apsp.generate("random", 500, m=1500, seed=5)
    graph = graph if weighted else graph.unweighted()
    first = apsp.edge_betweenness_centrality(graph, threads=1)
    for threads in (2, 3, 7):
        assert (apsp.edge_betweenness_centrality(graph, threads=threads) == first).all()


def test_equal_float_sums_are_ties() -> None:
    square = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [0.5, 0.25, 0.25, 0.5], n=4)
    assert apsp.betweenness_centrality(square, normalized=False).tolist() == [0, 0.5, 0.5, 0]
    rounded = apsp.from_edges([0, 1, 3, 0, 2], [1, 3, 4, 2, 4], [0.1, 0.2, 0.3, 0.3, 0.3], n=5)
    G = rounded.to_networkx()
    want = nx.betweenness_centrality(G, weight="weight")  # 0.1 + 0.2 + 0.3 != 0.3 + 0.3
    np.testing.assert_allclose(apsp.betweenness_centrality(rounded), list(want.values()), **NEAR)


def test_a_cycle_of_length_zero_is_named_with_the_remedy() -> None:
    graph = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [3, 0, 0, 0], labels=["a", "b", "c", "d"])
    words = r"vertex '[bcd]' lies on a cycle of length zero.*positive weight.*ties='first'"
    with pytest.raises(apsp.RequestError, match=words):
        apsp.betweenness_centrality(graph)
    triangle = apsp.from_edges([0, 1, 2], [1, 2, 0], [0, 0, 0], directed=False)
    with pytest.raises(apsp.RequestError, match="a cycle of length zero"):
        apsp.edge_betweenness_centrality(triangle)
    edge = apsp.from_edges([0], [1], [0], directed=False)
    assert apsp.edge_betweenness_centrality(edge, normalized=False).tolist() == [1, 1]
    apart = apsp.from_edges([0, 1, 2, 3], [1, 2, 1, 0], [3, 0, 0, 1], labels=["a", "b", "c", "d"])
    assert apsp.betweenness_centrality(apart, sources="d", cutoff=1, normalized=False).tolist() == [0, 0, 0, 0]


def test_negative_floats_are_refused_with_the_remedy() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [-0.5, 1.0])
    with pytest.raises(apsp.RequestError, match="integer weights"):
        apsp.betweenness_centrality(graph)


def test_a_negative_cycle_out_of_reach_does_not_matter() -> None:
    graph = apsp.from_edges([0, 1, 3, 4], [1, 2, 4, 3], [2, -1, -1, 0])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.betweenness_centrality(graph)
    assert apsp.betweenness_centrality(graph, sources=[0], normalized=False).tolist() == [0, 1, 0, 0, 0]
    assert apsp.edge_betweenness_centrality(graph, sources=[0], normalized=False).tolist() == [2, 1, 0, 0]


@pytest.mark.parametrize("weighted", [False, True])
def test_more_paths_than_float64_counts(weighted: bool) -> None:
    layers = 1030  # 2^1030 paths
    first = np.arange(layers) * 3
    tails = np.concatenate([first, first, first + 1, first + 2])
    heads = np.concatenate([first + 1, first + 2, first + 3, first + 3])
    graph = apsp.from_edges(tails, heads, [1] * len(tails) if weighted else None)
    with pytest.raises(apsp.RequestError, match=r"more than 1.8e308 shortest paths from vertex 0"):
        apsp.betweenness_centrality(graph, sources=0)
    last = 3 * layers
    assert apsp.betweenness_centrality(graph, sources=30, targets=last, normalized=False)[31] == 0.5


def test_paths_longer_than_int64_are_refused() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [2**62, 2**62])
    with pytest.raises(apsp.DtypeRangeError, match="float weights"):
        apsp.betweenness_centrality(graph)


def test_progress_counts_sources() -> None:
    seen: list[tuple[str, int, int]] = []
    graph = apsp.generate("random", 2000, m=8000, seed=6).unweighted()
    apsp.betweenness_centrality(graph, progress=lambda *told: seen.append(told))
    assert seen[-1] == ("sources", 2000, 2000)


def test_the_bound_of_a_sample_holds() -> None:
    graph = apsp.generate("random", 300, m=900, seed=7).unweighted()
    exactly = apsp.betweenness_centrality(graph)
    for seed in range(5):
        found = apsp.approximate_betweenness_centrality(graph, 60, seed=seed)
        assert np.abs(found.values - exactly).max() <= found.error < 1
        again = apsp.approximate_betweenness_centrality(graph, 60, seed=seed)
        assert (again.values == found.values).all()
        assert len(np.unique(found.sources)) == 60
    whole = apsp.approximate_betweenness_centrality(graph, 300)
    assert (whole.values == exactly).all()
    assert whole.error == 0
    sums = sum(apsp.approximate_betweenness_centrality(graph, 100, seed=seed).values for seed in range(60)) / 60
    np.testing.assert_allclose(sums, exactly, atol=exactly.max() / 5)


def test_samples_are_checked() -> None:
    graph = apsp.from_edges([0, 1], [1, 2])
    with pytest.raises(apsp.RequestError, match="confidence must lie between 0 and 1"):
        apsp.approximate_betweenness_centrality(graph, 2, confidence=1)
    with pytest.raises(apsp.RequestError, match="k must be a whole number of at least 1"):
        apsp.approximate_betweenness_centrality(graph, 0)
