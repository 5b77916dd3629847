"""Single paths from distances, walked back from their ends."""

from __future__ import annotations

import numpy as np
import pytest

import apsp
from apsp.result.backward import ArcsBefore
from apsp.result.paths import replay


def graphs() -> dict[str, apsp.Graph]:
    numbers = np.random.default_rng(5)
    tails, heads = numbers.integers(0, 120, (2, 500))
    weights = numbers.integers(1, 5, 500)
    zones = np.arange(120) % 3 == 0
    return {
        "random": apsp.from_edges(tails, heads, weights, n=120),
        "hops": apsp.from_edges(tails, heads, n=120),
        "undirected": apsp.from_edges(tails, heads, weights, n=120, directed=False),
        "zones": apsp.from_edges(tails, heads, weights, n=120, zones=zones),
        "a hub": apsp.from_edges([*range(1, 100), 0], [0] * 99 + [100], np.arange(1, 101)),
    }


@pytest.mark.parametrize("name", graphs())
@pytest.mark.parametrize("dtype", ["uint16", "int64"])
def test_paths_have_the_length_of_their_distance(name: str, dtype: str) -> None:
    graph = graphs()[name]
    assert ArcsBefore.serves(graph)
    before = ArcsBefore(graph)
    result = apsp.solve(graph, dtype=dtype)
    for source in range(0, graph.n, 7):
        row = result.distances[source]
        for target in range(0, graph.n, 3):
            if row[target] == apsp.unreachable(dtype):
                with pytest.raises(apsp.NoPathError):
                    before.path(row, source, target)
            else:
                path = before.path(row, source, target)
                assert (path[0], path[-1]) == (source, target)
                assert replay(graph, path) == row[target]


def test_graphs_that_need_all_predecessors() -> None:
    for weights in ([0, 1], [-1, 2], [0.5, 1.0]):
        assert not ArcsBefore.serves(apsp.from_edges([0, 1], [1, 2], weights))


def test_distances_of_another_graph() -> None:
    graph = graphs()["random"]
    row = apsp.solve(graph, sources=0).distances[0].copy()
    target = int(np.flatnonzero((row > 3) & (row != apsp.unreachable(row.dtype)))[0])
    row[target] -= 3
    with pytest.raises(apsp.VerificationError, match=f"no path has the distance from 0 to {target}"):
        ArcsBefore(graph).path(row, 0, target)
