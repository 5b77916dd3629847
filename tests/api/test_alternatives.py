"""Alternatives: those of a plain enumeration of all vertices, and within their limits by plain checks of the paths."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest

import apsp

LIMITS = {"stretch": 1.25, "sharing": 0.8, "local_optimality": 0.25}


def along(graph: Any, path: list[int]) -> list[float]:
    """The lengths from the first vertex."""
    return [0.0, *np.cumsum([graph[u][v]["weight"] for u, v in pairwise(path)]).tolist()]


def is_locally_optimal(graph: Any, path: list[int], limit: float, distances: Any) -> bool:
    lengths = along(graph, path)
    for first in range(len(path)):
        for last in range(first + 1, len(path)):
            is_short = lengths[last - 1] - lengths[first] < limit
            if is_short and lengths[last] - lengths[first] > distances[path[first]][path[last]] * (1 + 1e-12):
                return False
    return True


def shared(graph: Any, path: list[int], others: list[list[int]]) -> float:
    taken = {arc for other in others for arc in pairwise(other)}
    return sum(graph[u][v]["weight"] for u, v in pairwise(path) if (u, v) in taken)


def admissible(graph: Any, path: list[int], others: list[list[int]], distances: Any, limits: dict[str, float]) -> bool:
    distance = distances[path[0]][path[-1]]
    return (
        len(set(path)) == len(path)
        and along(graph, path)[-1] <= limits["stretch"] * distance
        and shared(graph, path, others) <= limits["sharing"] * distance
        and is_locally_optimal(graph, path, limits["local_optimality"] * distance, distances)
    )


def enumerated(
    shortest: tuple[Any, Any, Any], source: int, target: int, k: int, zones: set[int], limits: dict[str, float]
) -> list[list[int]]:
    """The paths by way of each vertex, which are unique, in the order in which they are chosen."""
    graph, distances, shortest_paths = shortest
    groups: dict[tuple[int, ...], list[int]] = {}
    for vertex in graph:
        ends = distances[source].get(vertex), distances.get(vertex, {}).get(target)
        if None not in ends and vertex not in zones:
            halves = shortest_paths[source][vertex], shortest_paths[vertex][target]
            groups.setdefault((*halves[0], *halves[1][1:]), []).append(vertex)
    chosen = [shortest_paths[source][target]]

    def rank(path: tuple[int, ...]) -> tuple[float, int]:
        places = [distances[source][vertex] for vertex in groups[path]]
        length = along(graph, list(path))[-1]
        common = shared(graph, list(path), chosen[:1])
        return 2 * length + common - (max(places) - min(places)), 0

    for path in sorted(groups, key=rank):
        is_other = len(chosen) < k and list(path) != chosen[0]
        if is_other and admissible(graph, list(path), chosen, distances, limits):
            chosen.append(list(path))
    return chosen


@cache
def city_of(kind: str) -> apsp.Graph:
    """Weights so different that shortest paths are unique."""
    rng = np.random.default_rng(3)
    city = apsp.generate("city", 150, seed=5, directed=kind == "directed")
    weights = rng.integers(10_000, 30_000, city.m)
    if not city.directed:
        weights = np.where(city.tails() < city.indices, weights, weights[np.lexsort((city.tails(), city.indices))])
    marks = rng.random(150) < 0.1 if kind == "zones" else None
    return apsp.Graph(
        city.indptr, city.indices, weights / 7 if kind == "floats" else weights, directed=city.directed, zones=marks
    )


@cache
def without(kind: str, zones: frozenset[int]) -> tuple[Any, Any, Any]:
    """The city without some vertices, and all its distances and shortest paths by NetworkX."""
    whole = city_of(kind).to_networkx()
    graph = whole.subgraph(set(whole) - zones).copy()
    found = dict(nx.all_pairs_dijkstra(graph))
    return graph, {v: found[v][0] for v in found}, {v: found[v][1] for v in found}


@pytest.mark.parametrize("kind", ["undirected", "directed", "floats", "zones"])
@pytest.mark.parametrize("limits", [LIMITS, {"stretch": 1.6, "sharing": 0.5, "local_optimality": 0.1},
                                    {"stretch": 2, "sharing": 1, "local_optimality": 0},
                                    {"stretch": 1.3, "sharing": 0.9, "local_optimality": 0.4}])  # fmt: skip
def test_as_an_enumeration(kind: str, limits: dict[str, float]) -> None:
    city = city_of(kind)
    zones = set() if city.zones is None else set(np.flatnonzero(city.zones).tolist())
    sources, targets = np.random.default_rng(4).integers(0, 150, (2, 12))
    found = apsp.alternatives(city, sources, targets, 4, **limits)
    some = 0
    for number, (source, target) in enumerate(zip(sources.tolist(), targets.tolist(), strict=True)):
        shortest = without(kind, frozenset(zones - {source, target}))
        graph, distances, shortest_paths = shortest
        paths = list(found.of_pair(number))
        if source == target:
            assert paths == [[source]]
            continue
        if target not in distances[source]:
            assert paths == []
            continue
        for path, length in zip(paths, found.of_pair(number).distances, strict=True):
            assert (path[0], path[-1]) == (source, target)
            assert length == pytest.approx(along(graph, path)[-1], rel=1e-12)
        assert paths[0] == shortest_paths[source][target]
        for place, path in enumerate(paths[1:], 1):
            assert admissible(graph, path, paths[:place], distances, limits)
        assert paths == enumerated(shortest, source, target, 4, zones - {source, target}, limits)
        some += len(paths) > 1
    assert some


def test_ties_and_zero_weights() -> None:
    """Many shortest paths: each alternative is still within the limits."""
    for weights in (np.ones, np.zeros):
        grid = apsp.generate("grid", shape=(6, 6), directed=False)
        grid = grid.with_weights(weights(grid.m, dtype=int))
        theirs = grid.to_networkx()
        distances = dict(nx.all_pairs_dijkstra_path_length(theirs))
        paths = list(apsp.alternatives(grid, 0, 35, 5))
        assert paths
        for place, path in enumerate(paths[1:], 1):
            assert admissible(theirs, path, paths[:place], distances, LIMITS)


def test_no_path_one_vertex_and_hops() -> None:
    graph = apsp.from_edges([("a", "b"), ("b", "c")]).unweighted()
    found = apsp.alternatives(graph, ["a", "c", "b"], ["c", "a", "b"])
    assert [list(found.of_pair(number)) for number in range(3)] == [[["a", "b", "c"]], [], [["b"]]]
    assert found.distances.tolist() == [2, 0]
    assert len(apsp.alternatives(graph, [], [])) == 0


def test_limits_of_float32_are_those_of_the_sums() -> None:
    """In float32 the distance is rounded up, and 1.25 times it would be enough for the second path."""
    weights = np.array([0.4, 0.8, 0.5, 1.0], dtype=np.float32)
    graph = apsp.from_edges([0, 1, 0, 2], [1, 3, 2, 3], weights)
    sums = float(weights[0]) + float(weights[1]), float(weights[2]) + float(weights[3])
    stretch = sums[1] / sums[0]
    assert len(apsp.alternatives(graph, 0, 3, stretch=stretch * (1 + 1e-9))) == 2
    assert len(apsp.alternatives(graph, 0, 3, stretch=stretch * (1 - 1e-9))) == 1


def test_links() -> None:
    graph = apsp.from_edges([0, 0, 1, 2, 0], [1, 2, 3, 3, 1], [9, 6, 5, 6, 5], links=True)
    assert list(apsp.alternatives(graph, 0, 3)) == [[0, 1, 3], [0, 2, 3]]
    assert list(apsp.alternatives(graph, 0, 3, links=True)) == [[4, 2], [1, 3]]


def test_what_threads_keep_of_vertices_and_arcs_must_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.methods.alternatives import via_paths

    needed: list[int] = []
    monkeypatch.setattr(via_paths, "refuse_unless_fits", lambda number, *_: needed.append(number))
    graph = apsp.generate("random", 40, m=800, seed=1)
    for threads in (1, 2):
        apsp.alternatives(graph, [0, 1], [2, 3], threads=threads)
    assert needed[1] - needed[0] >= 4 * graph.m + 40 * graph.n


def test_refusals() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [1, 2])
    for name, value in (("stretch", 0.9), ("sharing", 1.5), ("sharing", -0.1), ("local_optimality", 2), ("k", 0)):
        with pytest.raises(apsp.RequestError, match=name):
            apsp.alternatives(graph, 0, 2, **{name: value})
    with pytest.raises(apsp.RequestError, match="negative"):
        apsp.alternatives(graph.with_weights([1, -1]), 0, 2)
    turned = apsp.with_turns(graph, forbidden=[[0, 1]])
    with pytest.raises(apsp.RequestError, match="turns"):
        apsp.alternatives(turned, 0, 2)
