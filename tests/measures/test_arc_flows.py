"""Flows of an origin-destination matrix, against sums over paths."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

import apsp

NEAR: Any = {"rtol": 1e-12, "atol": 1e-12}


def arcs_of(graph: apsp.Graph) -> dict[tuple[int, int], int]:
    return {pair: k for k, pair in enumerate(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))}


def loaded(graph: apsp.Graph, demand: np.ndarray, *, split: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Flows of arcs and vertices, and what has no path, pair by pair."""
    G, weight = graph.to_networkx(), "weight" if graph.is_weighted else None
    position = arcs_of(graph)
    along, through, lost = np.zeros(graph.m), np.zeros(graph.n), np.zeros(graph.n)
    for s in range(graph.n):
        pred, dist = nx.dijkstra_predecessor_and_distance(G, s, weight=weight or (lambda *_: 1))
        for t in range(graph.n):
            if demand[s, t] == 0 or s == t:
                continue
            if t not in dist:
                lost[s] += demand[s, t]
                continue
            if split:
                paths = list(nx.all_shortest_paths(G, s, t, weight=weight))
            else:
                path = [t]
                while path[-1] != s:
                    path.append(min(pred[path[-1]]))
                paths = [path[::-1]]
            for path in paths:
                for u, v in itertools.pairwise(path):
                    along[position[u, v]] += demand[s, t] / len(paths)
                through[path[1:-1]] += demand[s, t] / len(paths)
    return along, through, lost


@pytest.mark.parametrize("ties", ["split", "first"])
@pytest.mark.parametrize("weights", ["hops", "integers", "floats", "wide"])
@pytest.mark.parametrize("directed", [True, False])
def test_flows_are_sums_over_paths(ties: Any, weights: str, directed: bool) -> None:
    rng = np.random.default_rng(1)
    n, m = 30, 50
    lengths = {
        "hops": None, "integers": rng.integers(1, 4, m), "floats": rng.integers(1, 4, m) / 4,
        "wide": rng.integers(1, 4, m) << 40,
    }[weights]  # fmt: skip
    graph = apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), lengths, n=n, directed=directed)
    demand = rng.integers(0, 5, (n, n)) * rng.integers(0, 2, (n, n)) / 2
    along, through, lost = loaded(graph, demand, split=ties == "split")
    for given in (demand, sp.csr_array(demand), sp.coo_matrix(demand), demand.tolist()):
        found = apsp.arc_flows(graph, given, ties=ties)
        np.testing.assert_allclose(found.arcs, along, **NEAR)
        np.testing.assert_allclose(found.vertices, through, **NEAR)
        np.testing.assert_allclose(found.unserved, lost, **NEAR)
        np.testing.assert_allclose(found.served, demand.sum(1) - np.diag(demand) - lost, **NEAR)


@pytest.mark.parametrize("ties", ["split", "first"])
def test_large_arrays_are_read_as_a_whole(ties: Any) -> None:
    rng = np.random.default_rng(2)
    graph = apsp.from_edges(*rng.integers(0, 60, (2, 70)), rng.integers(1, 3, 70), n=60)  # not all pairs have a path
    demand = np.floor(rng.uniform(0, 9, (2200, 30)) * (rng.random((2200, 30)) < 0.8))
    options: Any = {"sources": rng.choice(60, 2200), "targets": rng.choice(60, 30, replace=False), "ties": ties}
    expected = apsp.arc_flows(graph, demand.astype(np.int64), **options)  # read by entries
    for given in (demand, np.asfortranarray(demand)):
        found = apsp.arc_flows(graph, given, **options)
        for part in ("arcs", "vertices", "served", "unserved"):
            np.testing.assert_allclose(getattr(found, part), getattr(expected, part), **NEAR)
    for wrong in (np.nan, -1.0, np.inf):
        demand[3, 4] = wrong
        with pytest.raises(apsp.RequestError, match=r"demand\[3, 4\]"):
            apsp.arc_flows(graph, demand, **options)


def test_rows_and_columns_are_named_and_repeat() -> None:
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [2, 2, 2], labels=["a", "b", "c", "d"])
    found = apsp.arc_flows(graph, [[1, 2, 4, 8], [0, 0, 0, 16]], sources=["a", "a"], targets=["d", "b", "d", "c"])
    assert found.arcs.tolist() == [31, 29, 5]
    assert found.served.tolist() == [15, 16]
    assert found.unserved.tolist() == [0, 0]
    backwards = apsp.arc_flows(graph, [[3]], sources="d", targets="a")
    assert (backwards.unserved.tolist(), backwards.arcs.tolist()) == ([3], [0, 0, 0])


@pytest.mark.parametrize("ties", ["split", "first"])
def test_paths_begin_and_end_at_zones_but_do_not_pass(ties: Any) -> None:
    zones = [True, True, True, False]
    graph = apsp.from_edges([0, 1, 0, 3], [1, 2, 3, 2], [1, 1, 5, 5], zones=zones)
    found = apsp.arc_flows(graph, [[7, 1]], sources=0, targets=[2, 1], ties=ties)
    assert {pair: found.arcs[k] for pair, k in arcs_of(graph).items()} == {(0, 1): 1, (0, 3): 7, (1, 2): 0, (3, 2): 7}


def test_one_path_goes_by_arcs_of_length_zero_and_cycles_of_them() -> None:
    graph = apsp.from_edges([0, 1, 2, 2], [1, 2, 1, 3], [4, 0, 0, 1])
    for ties in ("first", "split"):
        found = apsp.arc_flows(graph, [[2]], sources=0, targets=3, ties=ties)  # type: ignore[arg-type]
        assert {pair: found.arcs[k] for pair, k in arcs_of(graph).items()} == {
            (0, 1): 2, (1, 2): 2, (2, 1): 0, (2, 3): 2,
        }  # fmt: skip
    circle = apsp.from_edges([0, 1, 2, 4, 2], [1, 2, 4, 1, 3], [4, 0, 0, 0, 1])
    assert apsp.arc_flows(circle, [[2]], sources=0, targets=3, ties="first").served.tolist() == [2]
    with pytest.raises(apsp.RequestError, match=r"length zero.*ties='first'\) follows one path per pair"):
        apsp.arc_flows(circle, [[2]], sources=0, targets=3)


@pytest.mark.parametrize("ties", ["split", "first"])
def test_negative_integers(ties: Any) -> None:
    graph = apsp.from_edges([0, 1, 0, 2], [1, 3, 2, 3], [5, -3, 1, 1])
    found = apsp.arc_flows(graph, [[6]], sources=0, targets=3, ties=ties)
    expected = {(0, 1): 3, (1, 3): 3, (0, 2): 3, (2, 3): 3} if ties == "split" else {
        (0, 1): 6, (1, 3): 6, (0, 2): 0, (2, 3): 0,
    }  # fmt: skip
    assert {pair: found.arcs[k] for pair, k in arcs_of(graph).items()} == expected


@pytest.mark.parametrize("ties", ["split", "first"])
def test_the_number_of_threads_does_not_change_a_bit(ties: Any) -> None:
    graph = apsp.generate("random", 300, m=1500, seed=5)
    demand = np.random.default_rng(2).random((300, 300))
    for each in (graph, graph.unweighted()):
        first = apsp.arc_flows(each, demand, ties=ties, threads=1)
        assert (apsp.arc_flows(each, demand, ties=ties, threads=3).arcs == first.arcs).all()


@pytest.mark.parametrize(
    ("demand", "message"),
    [
        (np.ones((2, 3)), r"shape \(2, 3\), but there are 3 sources and 3 targets; name the vertices"),
        (np.ones(3), r"shape \(3,\)"),
        ([[0, 1, 0], [0, -1, 0], [0, 0, 0]], r"demand\[1, 1\] is -1.0; demand must be finite and not negative"),
        ([[0, 1, 0], [0, 0, np.nan], [0, 0, 0]], r"demand\[1, 2\] is nan"),
        ([["a", "b", "c"]] * 3, "numbers"),
        ([[1, 2], [3]], "array of numbers"),
    ],
)
def test_demand_that_does_not_fit_is_named(demand: Any, message: str) -> None:
    graph = apsp.from_edges([0, 1], [1, 2])
    with pytest.raises(apsp.RequestError, match=message):
        apsp.arc_flows(graph, demand)


def test_graphs_without_vertices_or_arcs() -> None:
    for n in (0, 1, 2):
        found = apsp.arc_flows(apsp.from_edges([], [], n=n), np.ones((n, n)))
        assert (len(found.arcs), len(found.vertices), found.unserved.tolist()) == (0, n, [max(n - 1, 0)] * n)


@pytest.mark.parametrize(("device", "ties"), [("cpu", "split"), ("cpu", "first"), ("emulated", "split")])
def test_info_says_how_flows_were_computed(device: str, ties: Literal["split", "first"]) -> None:
    grid = apsp.generate("grid", 64, weights=(1, 9), seed=1)
    found = apsp.arc_flows(grid, np.ones((64, 64)), device=device, ties=ties, threads=1)
    assert found.info["device"] == device
    assert found.info["method"] in ("elimination", "searches")
    assert found.info["threads"] == 1
    assert found.info["seconds"] > 0
    if device == "cpu":
        assert apsp.arc_flows(grid, np.ones((64, 64)), ties=ties, threads=2) == found


def test_large_grids_are_computed_by_elimination() -> None:
    grid = apsp.generate("grid", 10_000, weights=(1, 9), seed=1)
    demand = np.ones((200, 200))
    zones = list(range(0, 10_000, 50))
    found = apsp.arc_flows(grid, demand, sources=zones, targets=zones)
    assert found.info["method"] == "elimination"
    alone = apsp.arc_flows(grid, [[1.0]], sources=0, targets=9)
    assert alone.info["method"] == "searches"
