from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apsp import _cpu
from apsp.errors import MethodRefusedError
from apsp.graph.convert import from_edges

METHODS = pytest.mark.parametrize("method", ["bfs", "bit-bfs"])


@METHODS
@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 129, 300, 1200])
def test_batches_of_every_size(
    rows: Any, as_float: Any, scipy_distances: Any, random_graph: Any, n: int, method: str
) -> None:
    graph = random_graph(n, 2 * n, 1, 1, n).unweighted()
    for threads in (1, 2):
        dist, _ = rows(graph, method, "uint16", threads=threads)
        np.testing.assert_array_equal(as_float(dist), scipy_distances(graph))


@METHODS
@pytest.mark.parametrize("closed", [False, True])
def test_long_rings_and_paths(rows: Any, closed: bool, method: str) -> None:
    n = 700
    tails = np.arange(n if closed else n - 1)
    dist, pred = rows(from_edges(tails, (tails + 1) % n, None, n=n), method, "int32")
    hops = (np.arange(n)[None, :] - np.arange(n)[:, None]) % n
    reached = np.ones((n, n), dtype=bool) if closed else hops == np.arange(n)[None, :] - np.arange(n)[:, None]
    np.testing.assert_array_equal(dist[reached], hops[reached])
    assert (dist[~reached] == np.iinfo(np.int32).max).all()
    assert (pred[~reached] == -1).all()


@METHODS
def test_repeated_sources_and_targets(rows: Any, random_graph: Any, method: str) -> None:
    graph = random_graph(50, 150, 1, 1, 3).unweighted()
    full = rows(graph, method, "int32")[0]
    sources, targets = [7, 7, 3, 7] * 40, np.array([2, 9, 2, 2, 9], dtype=np.int32)
    some = rows(graph, method, "int32", sources, targets=targets)[0]
    np.testing.assert_array_equal(some, full[sources][:, targets])


@METHODS
def test_weights_are_refused(rows: Any, random_graph: Any, method: str) -> None:
    with pytest.raises(MethodRefusedError, match="counts hops"):
        rows(random_graph(5, 9, 1, 1, 1), method, "int32")


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_levels_beyond_sixteen_bits(rows: Any, dtype: str) -> None:
    n = 70_000
    path = from_edges(np.arange(n - 1), np.arange(1, n), None, n=n)
    sources = [0, 1, 69_000]
    dist, pred = rows(path, "bit-bfs", dtype, sources)
    expected, before = rows(path, "bfs", dtype, sources)
    np.testing.assert_array_equal(dist, expected)
    np.testing.assert_array_equal(pred, before)
    near = rows(path, "bit-bfs", dtype, sources, pred=False, cutoff=65_535)[0]
    assert near[0, 65_534] == 65_534
    assert (near == rows(path, "bfs", dtype, sources, pred=False, cutoff=65_535)[0]).all()


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_bits_of_every_instruction_set(
    rows: Any, as_float: Any, scipy_distances: Any, random_graph: Any, isa: str
) -> None:
    before = _cpu.isa()
    try:
        _cpu.set_isa(isa)
    except ValueError:
        pytest.skip(f"this machine has no {isa}")
    try:
        for graph in (random_graph(700, 1500, 1, 1, 5), random_graph(700, 9000, 1, 1, 6)):
            dist = rows(graph.unweighted(), "bit-bfs", "int32")[0]
            np.testing.assert_array_equal(as_float(dist), scipy_distances(graph.unweighted()))
    finally:
        _cpu.set_isa(before)
