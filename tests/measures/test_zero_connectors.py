"""Arcs of length zero that lead there and back along trees, as connectors of zones do: paths visit no vertex twice."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp

NEAR: Any = {"rtol": 1e-12, "atol": 1e-12}


def shortest(graph: apsp.Graph, G: nx.DiGraph, s: int, t: int) -> list[list[int]]:
    """All shortest paths that visit no vertex twice, and no zone in between."""
    found = [path for path in nx.all_simple_paths(G, s, t) if graph.zones is None or not graph.zones[path[1:-1]].any()]
    lengths = [sum(G[u][v]["weight"] for u, v in itertools.pairwise(path)) for path in found]
    return [path for path, length in zip(found, lengths, strict=True) if length == min(lengths)]


def drawn(seed: int) -> apsp.Graph:
    """A few arcs, some of length zero, and a forest whose edges have length zero."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 7)), int(rng.integers(0, 9))
    weights = np.maximum(rng.integers(0, 3, m), rng.random(m) < 0.8)
    place = rng.permutation(n)
    tree = [(place[i], place[rng.integers(0, i)]) for i in range(1, int(rng.integers(1, n + 1)))]
    ends = [*zip(*rng.integers(0, n, (2, m)), strict=True), *tree, *((v, u) for u, v in tree)]
    lengths = np.concatenate([weights, np.zeros(2 * len(tree), dtype=np.int64)])
    zones = rng.random(n) < 0.2
    tails, heads = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    return apsp.from_edges(
        tails, heads, lengths if seed % 2 else lengths / 4, n=n, directed=seed % 5 > 0,
        zones=zones if seed % 3 == 0 and zones.any() else None,
    )  # fmt: skip


@pytest.mark.slow
def test_flows_and_counts_are_those_of_all_simple_paths() -> None:
    refused = 0
    for seed in range(400):
        graph = drawn(seed)
        n, demand = graph.n, np.random.default_rng(seed).integers(0, 4, (graph.n, graph.n)).astype(float)
        np.fill_diagonal(demand, 0)
        try:
            found = apsp.arc_flows(graph, demand)
        except apsp.RequestError as error:
            assert "ties='first'" in str(error)  # noqa: PT017
            refused += 1
            continue
        G = nx.DiGraph()
        G.add_nodes_from(range(n))
        arcs = list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
        G.add_edges_from((u, v, {"weight": w}) for (u, v), w in zip(arcs, graph.weights.tolist(), strict=True))  # type: ignore[union-attr]
        along, through, counts = dict.fromkeys(arcs, 0.0), np.zeros(n), np.eye(n, dtype=int)
        for s, t in itertools.permutations(range(n), 2):
            paths = shortest(graph, G, s, t)
            counts[s, t] = len(paths)
            for path in paths:
                through[path[1:-1]] += demand[s, t] / len(paths)
                for arc in itertools.pairwise(path):
                    along[arc] += demand[s, t] / len(paths)
        wanted = np.array(list(along.values()))
        np.testing.assert_allclose(found.arcs, wanted, **NEAR)
        np.testing.assert_allclose(found.vertices, through, **NEAR)
        assert not found.arcs[wanted == 0].any()
        assert not found.vertices[through == 0].any()
        assert (apsp.solve(graph, counts=True).counts == counts).all()
        assert all((apsp.arc_flows(graph, demand, threads=k).arcs == found.arcs).all() for k in (1, 3))
    assert refused < 40


def test_connectors_of_negative_and_positive_length_that_cancel() -> None:
    graph = apsp.from_edges([0, 1, 2, 2], [1, 2, 1, 3], [4, -2, 2, 1])
    assert apsp.arc_flows(graph, [[3]], sources=0, targets=3).arcs.tolist() == [3, 3, 0, 3]
    assert apsp.solve(graph, counts=True).counts[0].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "name", ["Chicago-Sketch/ChicagoSketch_net.tntp", "chicago-regional/ChicagoRegional_net.tntp.gz"]
)
def test_real_networks_with_connectors_without_length(name: str, shared_data: Path) -> None:
    graph = apsp.read(shared_data / "transport" / name)
    assert graph.has_zero_arc
    zones = [graph.labels[v] for v in (*range(12), 300, 350)]
    demand = 1.0 - np.eye(len(zones))
    flows = apsp.arc_flows(graph, demand, sources=zones, targets=zones)
    assert flows.served.sum() == demand.sum()
    arrived = np.bincount(graph.indices, flows.arcs, minlength=graph.n)
    left = np.bincount(graph.tails(), flows.arcs, minlength=graph.n)
    expected = np.bincount([graph.index(zone) for zone in zones], minlength=graph.n) * (len(zones) - 1.0)
    np.testing.assert_allclose(arrived - flows.vertices, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(left, arrived, rtol=1e-9, atol=1e-9)
    first = apsp.arc_flows(graph, demand, sources=zones, targets=zones, ties="first")
    lengths = graph.weights
    assert flows.arcs @ lengths == pytest.approx(first.arcs @ lengths, rel=1e-12)  # type: ignore[operator]
    edges = apsp.edge_betweenness_centrality(graph, sources=zones, targets=zones, normalized=False)
    np.testing.assert_allclose(edges, flows.arcs, rtol=1e-9, atol=1e-9)
