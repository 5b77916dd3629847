from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apsp.errors import MethodRefusedError
from apsp.graph.convert import from_edges


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 129, 300])
def test_batches_of_every_size(rows: Any, as_float: Any, scipy_distances: Any, random_graph: Any, n: int) -> None:
    graph = random_graph(n, 2 * n, 1, 1, n).unweighted()
    for threads in (1, 2):
        dist, _ = rows(graph, "bfs", "uint16", threads=threads)
        np.testing.assert_array_equal(as_float(dist), scipy_distances(graph))


@pytest.mark.parametrize("closed", [False, True])
def test_long_rings_and_paths(rows: Any, closed: bool) -> None:
    n = 700
    tails = np.arange(n if closed else n - 1)
    dist, pred = rows(from_edges(tails, (tails + 1) % n, None, n=n), "bfs", "int32")
    hops = (np.arange(n)[None, :] - np.arange(n)[:, None]) % n
    reached = np.ones((n, n), dtype=bool) if closed else hops == np.arange(n)[None, :] - np.arange(n)[:, None]
    np.testing.assert_array_equal(dist[reached], hops[reached])
    assert (dist[~reached] == np.iinfo(np.int32).max).all()
    assert (pred[~reached] == -1).all()


def test_repeated_sources_and_targets(rows: Any, random_graph: Any) -> None:
    graph = random_graph(50, 150, 1, 1, 3).unweighted()
    full = rows(graph, "bfs", "int32")[0]
    sources, targets = [7, 7, 3, 7] * 40, np.array([2, 9, 2, 2, 9], dtype=np.int32)
    np.testing.assert_array_equal(rows(graph, "bfs", "int32", sources, targets=targets)[0], full[sources][:, targets])


def test_weights_are_refused(rows: Any, random_graph: Any) -> None:
    with pytest.raises(MethodRefusedError, match="counts hops"):
        rows(random_graph(5, 9, 1, 1, 1), "bfs", "int32")
