"""Oracles whose factors are computed on a GPU: updates, and periods, beside those of the CPU."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import DtypeRangeError, MemoryLimitError, RequestError
from apsp.gpu import jit
from apsp.methods.elimination import values_on_gpu
from apsp.methods.elimination.tree import elimination_tree
from apsp.system.array_device import is_on_gpu, to_host
from emulation import emulated_gpus


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


def ends_of(graph: apsp.Graph) -> tuple[Any, Any]:
    return np.repeat(np.arange(graph.n), np.diff(graph.indptr)), graph.indices


def streets(directed: bool = False) -> apsp.Graph:
    graph = apsp.generate("city", 400, seed=3)
    return apsp.from_edges(*ends_of(graph), graph.arc_weights(np.int64), n=graph.n) if directed else graph


def per_edge(graph: apsp.Graph, values: Any) -> Any:
    """The values of one arc of each edge, for both of its arcs; as they are if the graph is directed."""
    if graph.directed:
        return values
    _, first, of = np.unique(np.sort(ends_of(graph), axis=0), axis=1, return_index=True, return_inverse=True)
    return values[first][of.ravel()]


def check(oracle: apsp.Oracle, graph: apsp.Graph) -> None:
    """All kinds of answers, on the GPU and on the host, are those of a new oracle on the CPU."""
    rng = np.random.default_rng(graph.m)
    starts, ends = rng.integers(0, graph.n, (2, 40))
    assert oracle.dtype == apsp.prepare(graph, device="cuda").dtype
    expected = apsp.prepare(graph)
    rows = oracle.rows(starts[:5])
    assert is_on_gpu(rows)
    np.testing.assert_array_equal(to_host(rows), expected.rows(starts[:5]))
    np.testing.assert_array_equal(oracle.distances(starts, ends), expected.distances(starts, ends))
    assert oracle.distance(int(starts[0]), int(ends[0])) == expected.distance(int(starts[0]), int(ends[0]))
    assert oracle.path(int(starts[0]), int(ends[0])) == expected.path(int(starts[0]), int(ends[0]))
    np.testing.assert_array_equal(oracle.summary().eccentricity, expected.summary().eccentricity)


def is_computed_there(oracle: apsp.Oracle) -> bool:
    return oracle._now.factor.is_elsewhere


@pytest.mark.parametrize("directed", [False, True])
def test_updates(device: Any, directed: bool) -> None:
    graph, rng = streets(directed), np.random.default_rng(7)
    oracle = apsp.prepare(graph, device="cuda")
    assert not is_computed_there(oracle)
    for share in (1.0, 0.02, 0.0):
        drawn = per_edge(graph, rng.integers(0, 5000, graph.m))
        weights = np.where(per_edge(graph, rng.random(graph.m)) < share, drawn, graph.arc_weights(np.int64))
        graph = graph.with_weights(weights)
        oracle.update(weights)
        assert is_computed_there(oracle)
        check(oracle, graph)


def test_closed_and_opened_links(device: Any) -> None:
    graph = streets()
    oracle = apsp.prepare(graph, device="cuda")
    tails, heads = ends_of(graph)
    edges = [(int(tails[arc]), int(heads[arc])) for arc in (3, 77, 200)]
    oracle.update(dict.fromkeys(edges, np.inf))
    assert is_computed_there(oracle)
    check(oracle, graph.without_edges(edges))
    oracle.update({edges[1]: 1})
    opened = graph.with_weights({edges[1]: 1}).without_edges([edges[0], edges[2]])
    check(oracle, opened)


def test_a_graph_that_does_not_fit_is_refused(device: Any) -> None:
    graph = streets()
    oracle = apsp.prepare(graph, device="cuda")
    tails, heads = ends_of(graph)
    more = apsp.from_edges([*tails, 0], [*heads, graph.n - 1], [*graph.arc_weights(np.int64), 1], n=graph.n)
    with pytest.raises(apsp.GraphError, match="prepare the oracle again"):
        oracle.update(more)
    check(oracle, graph)


@pytest.mark.parametrize("kind", ["floats", "negative"])
def test_others_are_computed_on_the_host(device: Any, kind: str) -> None:
    graph = streets(directed=True)
    weights = graph.arc_weights(np.int64)
    other = weights + 0.5 if kind == "floats" else np.where(np.arange(graph.m) == 9, -1, weights)
    oracle = apsp.prepare(graph, device="cuda")
    oracle.update(weights + 1)
    assert is_computed_there(oracle)
    oracle.update(other)
    assert not is_computed_there(oracle)
    expected = apsp.prepare(graph.with_weights(other)).rows([4])
    np.testing.assert_allclose(to_host(oracle.rows([4])), expected, rtol=1e-12 if kind == "floats" else 0)
    oracle.update(weights)
    check(oracle, graph)


def test_labels_are_computed_on_the_host(device: Any) -> None:
    graph = streets()
    oracle = apsp.prepare(graph, device="cuda", labels=True)
    oracle.update(graph.arc_weights(np.int64) * 2)
    assert not is_computed_there(oracle)
    assert oracle.distance(3, 9) == 2 * apsp.prepare(graph).distance(3, 9)


def test_a_dtype_that_is_left(device: Any) -> None:
    graph = streets()
    weights = graph.arc_weights(np.int64)
    oracle = apsp.prepare(graph, device="cuda")
    for factor in (1, 1000, 10**12, 1):
        oracle.update(weights * factor)
        assert is_computed_there(oracle)
        check(oracle, graph.with_weights(weights * factor))
    narrow = apsp.prepare(graph, dtype=oracle.dtype.name, device="cuda")
    with pytest.raises(DtypeRangeError):
        narrow.update(weights * 10**12)
    check(narrow, graph)


@pytest.mark.parametrize("n", [0, 1, 400])
def test_narrow_weights_and_wide_distances(device: Any, n: int) -> None:
    whole = streets(directed=True)
    inside = np.flatnonzero(np.max(ends_of(whole), axis=0) < n)
    tails, heads = (ends[inside] for ends in ends_of(whole))
    graph = apsp.from_edges(tails, heads, whole.arc_weights(np.int32)[inside], n=n)
    oracle = apsp.prepare(graph, device="cuda", dtype="int64")
    oracle.update(graph.arc_weights(np.int32) * 2)
    assert is_computed_there(oracle)
    expected = apsp.prepare(graph.with_weights(graph.arc_weights(np.int32) * 2), dtype="int64")
    np.testing.assert_array_equal(to_host(oracle.rows()), expected.rows())


def test_copies(device: Any, tmp_path: Path) -> None:
    graph = streets()
    oracle = apsp.prepare(graph, device="cuda")
    oracle.update(graph.arc_weights(np.int64) * 3)
    changed = graph.with_weights(graph.arc_weights(np.int64) * 3)
    there = oracle.nbytes
    expected = apsp.prepare(changed).rows([5])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(oracle)).rows([5]), expected)
    assert oracle.nbytes > there  # the values are on the host, too
    oracle.save(tmp_path / "oracle.npz")
    np.testing.assert_array_equal(apsp.Oracle.load(tmp_path / "oracle.npz").rows([5]), expected)


def test_a_gpu_without_memory_leaves_it_to_the_host(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = streets()
    oracle = apsp.prepare(graph, device="cuda")
    monkeypatch.setattr(values_on_gpu, "free_bytes", lambda _: 100)
    oracle.update(graph.arc_weights(np.int64) * 3)
    assert not is_computed_there(oracle)
    assert oracle.distance(3, 9) == 3 * apsp.prepare(graph).distance(3, 9)


def periods_of(graph: apsp.Graph, count: int, parts: Any = np.int64) -> Any:
    rng = np.random.default_rng(count)
    links = (graph.links or graph).weights if graph.links is not None else None
    size = graph.m if links is None else len(links)
    return graph.with_periods({f"{hour}:00": rng.integers(1, 900, size).astype(parts) for hour in range(count)})


@pytest.mark.parametrize("dtype", ["auto", "int64"])
def test_periods(device: Any, dtype: str) -> None:
    day = periods_of(streets(directed=True), 5)
    here, there = apsp.prepare(day, dtype=dtype), apsp.prepare(day, dtype=dtype, device="cuda")
    assert there.dtype == here.dtype
    assert "cuda" in repr(there["2:00"])
    rows = there.rows([3, 50, 3])
    assert is_on_gpu(rows)
    np.testing.assert_array_equal(to_host(rows), here.rows([3, 50, 3]))
    table = there.matrix([3, 50], [9, 8, 7])
    assert table.shape == (5, 2, 3)
    np.testing.assert_array_equal(to_host(table), here.matrix([3, 50], [9, 8, 7]))
    np.testing.assert_array_equal(there.distances([3, 50], [9, 8]), here.distances([3, 50], [9, 8]))
    assert there.distance(3, 9, period="4:00") == here.distance(3, 9, period="4:00")
    assert there["4:00"].path(3, 9) == here["4:00"].path(3, 9)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(there)).rows([3]), here.rows([3]))
    assert all(factor.is_elsewhere for factor in there._factors.values())


def test_periods_of_floats(device: Any) -> None:
    day = periods_of(streets(directed=True), 3, np.float64)
    here, there = apsp.prepare(day), apsp.prepare(day, device="cuda")
    np.testing.assert_allclose(to_host(there.matrix([3, 50])), here.matrix([3, 50]), rtol=1e-12)


def test_more_periods_than_fit_at_once(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = streets(directed=True)
    day, tree = periods_of(graph, 7), elimination_tree(graph, threads=1)
    assert tree is not None
    needed = 7 * tree.entries * 4
    monkeypatch.setattr(values_on_gpu, "free_bytes", lambda _: needed + 200_000)
    there = apsp.prepare(day, dtype="int32", device="cuda")
    np.testing.assert_array_equal(to_host(there.rows([3])), apsp.prepare(day, dtype="int32").rows([3]))


def test_periods_take_no_labels_on_a_gpu(device: Any) -> None:
    day = periods_of(streets(directed=True), 2)
    with pytest.raises(RequestError, match="takes no labels=True"):
        apsp.prepare(day, device="cuda", labels=True)


def test_matrices_that_do_not_fit_are_refused(device: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.methods.elimination import oracle_on_gpu

    there = apsp.prepare(periods_of(streets(directed=True), 2), device="cuda")
    monkeypatch.setattr(oracle_on_gpu, "free_bytes", lambda *_: 10)
    with pytest.raises(MemoryLimitError, match="one period at a time"):
        there.matrix()
