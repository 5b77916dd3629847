"""The oracle: every way to ask gives what `solve` gives; other weights; files."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp import FileFormatError, Graph, MemoryLimitError, NegativeCycleError, NoPathError, RequestError
from apsp.graph.convert import from_edges
from apsp.system.store import load_arrays, save_arrays
from contract import graph_of, random_edges, ring


@pytest.fixture(scope="module")
def city() -> Graph:
    return apsp.generate("city", 900, seed=3, weights=(1, 100))


@pytest.fixture(scope="module")
def distances(city: Graph) -> np.ndarray:
    return apsp.solve(city, method="dijkstra", dtype="int32").distances


def test_every_way_to_ask(city: Graph, distances: np.ndarray) -> None:
    oracle = apsp.prepare(city, dtype="int32", threads=2)
    assert oracle.dtype == np.int32
    assert oracle.graph is city
    assert 0 < oracle.nbytes < distances.nbytes / 4
    np.testing.assert_array_equal(oracle.rows(), distances)
    np.testing.assert_array_equal(oracle.rows([4, 2, 4]), distances[[4, 2, 4]])
    np.testing.assert_array_equal(oracle.matrix([1, 2], [9, 9, 8]), distances[np.ix_([1, 2], [9, 9, 8])])
    np.testing.assert_array_equal(oracle.matrix(targets=[3]), distances[:, [3]])
    assert oracle.matrix([], [1]).shape == (0, 1)
    for s, t in ((0, 899), (899, 0), (5, 5), (17, 400)):
        assert oracle.distance(s, t) == distances[s, t]
    out = np.zeros((2, 900), dtype=np.int32)
    assert oracle.rows([7, 8], out=out) is out
    np.testing.assert_array_equal(out, distances[[7, 8]])


def test_stream_and_summary(city: Graph, distances: np.ndarray) -> None:
    oracle = apsp.prepare(city)
    for block in oracle.stream(rows=100, sources=range(5, 255), reuse=True):
        np.testing.assert_array_equal(block.distances, distances[block.sources])
    summary = oracle.summary(rows=128)
    assert summary.diameter == apsp.diameter(city, method="dijkstra")
    np.testing.assert_array_equal(
        summary.closeness_centrality("out"), apsp.closeness_centrality(city, direction="out", method="dijkstra")
    )
    np.testing.assert_array_equal(summary.eccentricity, distances.max(axis=1))
    with pytest.raises(RequestError, match="rows must be a whole number of at least 1"):
        oracle.stream(rows=0)


def test_many_pairs(city: Graph, distances: np.ndarray) -> None:
    oracle = apsp.prepare(city, dtype="int32", threads=2)
    sources, targets = np.random.default_rng(1).integers(0, 900, (2, 3000))
    found = oracle.distances(sources, targets)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, distances[sources, targets])
    np.testing.assert_array_equal(oracle.distances(7, [1, 7, 2]), distances[7, [1, 7, 2]])
    np.testing.assert_array_equal(oracle.distances([1, 7, 2], 7), distances[[1, 7, 2], 7])
    assert oracle.distances(1, 2).tolist() == [distances[1, 2]]
    assert oracle.distances([], []).shape == oracle.distances([], 3).shape == (0,)
    told: list[tuple[int, int]] = []
    oracle.distances(sources, targets, progress=lambda _, done, total: told.append((done, total)))
    assert told[-1] == (3000, 3000)


def test_pairs_that_do_not_match(city: Graph) -> None:
    oracle = apsp.prepare(city)
    with pytest.raises(RequestError, match=r"3 sources and 2 targets.*oracle\.matrix"):
        oracle.distances([1, 2, 3], [1, 2])
    with pytest.raises(RequestError, match="targets must be vertices, one per pair, not None"):
        oracle.distances([1, 2, 3], None)
    with pytest.raises(apsp.GraphError, match="there is no vertex 900"):
        oracle.distances([1, 2], [3, 900])


@pytest.mark.parametrize("kind", ["zones", "negative", "several components", "zero", "hops"])
@pytest.mark.parametrize("cutoff", [None, 25])
def test_sums_are_those_of_the_rows(kind: str, cutoff: int | None) -> None:
    edges = random_edges(300, 700, 0, 60, 4)
    if kind == "zero":
        edges = [(u, v, w % 2) for u, v, w in edges]
    if kind == "negative":
        edges = [(u, v, w + u % 19 - v % 19) for u, v, w in edges]
    if kind == "several components":
        edges = [(u, v, w) for u, v, w in edges if u // 60 == v // 60]
    graph = graph_of(300, edges, zones=np.arange(300) % 5 == 0 if kind == "zones" else None)
    graph = graph.unweighted() if kind == "hops" else graph
    for dtype in ("uint16", "int32"):
        if kind == "negative" and dtype == "uint16":
            continue
        ours = apsp.summary(graph, method="elimination", dtype=dtype, cutoff=cutoff)
        other = apsp.summary(graph, method="johnson", dtype=dtype, cutoff=cutoff)
        for name in ("reachable", "eccentricity", "farthest", "diameter", "radius", "center", "total_distance"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(other, name), err_msg=name)
        np.testing.assert_array_equal(ours.closeness_centrality("out"), other.closeness_centrality("out"))
        np.testing.assert_allclose(ours.harmonic_centrality("out"), other.harmonic_centrality("out"), rtol=1e-14)
    oracle = apsp.prepare(graph, dtype="int32")
    pairs = np.random.default_rng(2).integers(0, 300, (2, 500))
    np.testing.assert_array_equal(oracle.distances(*pairs), apsp.solve(graph, dtype="int32").distances[tuple(pairs)])
    part = oracle.summary(sources=[7, 3, 250], rows=2)
    whole = apsp.summary(graph, method="johnson", sources=[7, 3, 250])
    np.testing.assert_array_equal(part.closeness_centrality("out"), whole.closeness_centrality("out"))
    histogram = apsp.prepare(graph).summary(bins=64).histogram()
    np.testing.assert_array_equal(histogram.counts, apsp.distance_histogram(graph, bins=64, method="johnson").counts)


def test_paths(city: Graph, distances: np.ndarray) -> None:
    oracle = apsp.prepare(city)
    for s, t in ((0, 899), (12, 13), (6, 6)):
        path = oracle.path(s, t)
        assert path[0] == s
        assert path[-1] == t
        assert apsp.result.paths.replay(city, path) == distances[s, t]


def test_no_path_and_names() -> None:
    graph = from_edges([0, 1], [1, 2], [2, 3], labels=["a", "b", "c"])
    oracle = apsp.prepare(graph)
    assert oracle.distance("a", "c") == 5
    assert oracle.distance("c", "a") == math.inf
    assert oracle.path("a", "c") == ["a", "b", "c"]
    with pytest.raises(NoPathError, match="from 'c' to 'a'"):
        oracle.path("c", "a")
    with pytest.raises(apsp.GraphError):
        oracle.distance("a", "z")


def test_paths_through_zeros_and_zones() -> None:
    graph = graph_of(60, random_edges(60, 200, 0, 1, 5), zones=np.arange(60) < 12)
    oracle, expected = apsp.prepare(graph), apsp.solve(graph, method="reference")
    for s in range(60):
        for t in range(0, 60, 5):
            if expected.distance(s, t) < math.inf:
                assert apsp.result.paths.replay(graph, oracle.path(s, t)) == expected.distance(s, t)


def test_other_weights() -> None:
    graph = graph_of(200, ring(200, 3))
    oracle = apsp.prepare(graph)
    before = oracle.rows()
    assert before.dtype == np.uint16
    oracle.update(np.arange(graph.m, dtype=np.int32) * 1000)
    assert oracle.dtype == np.int32, "the narrowest dtype is proven again"
    changed = Graph(graph.indptr, graph.indices, np.arange(graph.m, dtype=np.int32) * 1000)
    np.testing.assert_array_equal(oracle.rows(), apsp.solve(changed, method="dijkstra").distances)
    with pytest.raises(NegativeCycleError):
        oracle.update(np.full(graph.m, -1))
    np.testing.assert_array_equal(oracle.rows(), apsp.solve(changed, method="dijkstra").distances)
    with pytest.raises(apsp.GraphError):
        oracle.update([1.0, math.nan])
    oracle.update(graph.weights)
    np.testing.assert_array_equal(oracle.rows(), before)


def test_negative_arcs_and_cycles() -> None:
    graph = graph_of(50, [(u, v, w + u - v) for u, v, w in random_edges(50, 200, 0, 9, 2)])
    oracle, expected = apsp.prepare(graph), apsp.solve(graph, method="johnson")
    for s in range(50):
        for t in range(50):
            assert oracle.distance(s, t) == expected.distance(s, t)
    with pytest.raises(NegativeCycleError) as caught:
        apsp.prepare(graph_of(4, [(0, 1, 2), (1, 2, -4), (2, 0, 1), (2, 3, 1)]))
    assert sorted(caught.value.cycle) == [0, 1, 2]


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    from apsp.api.oracle import preparing

    graph = graph_of(300, random_edges(300, 1200, 1, 9, 1))
    oracle = apsp.prepare(graph)
    monkeypatch.setattr("apsp.system.machine.usable", lambda machine: 1000)
    monkeypatch.setattr(preparing, "usable", lambda machine: 1000)
    with pytest.raises(MemoryLimitError, match="without small separators"):
        apsp.prepare(graph_of(300, random_edges(300, 1200, 1, 9, 2)))
    with pytest.raises(MemoryLimitError, match="a block of rows"):
        oracle.rows()


def test_file(tmp_path: Path, city: Graph, distances: np.ndarray) -> None:
    path = tmp_path / "city.npz"
    apsp.prepare(city, dtype="int32").save(path)
    oracle = apsp.Oracle.load(path)
    np.testing.assert_array_equal(oracle.rows(), distances)
    assert oracle.distance(3, 800) == distances[3, 800]
    assert oracle.graph.n == city.n
    np.testing.assert_array_equal(oracle.graph.weights, city.weights)
    oracle.update(city.weights * 2)
    assert oracle.distance(3, 800) == 2 * distances[3, 800]


def test_values_that_do_not_fit_the_graph(tmp_path: Path) -> None:
    """Checksums that fit do not make a file right."""
    path = tmp_path / "ring.npz"
    other = graph_of(60, random_edges(60, 200, 1, 9, 5))
    arrays = {"indptr": other.indptr, "indices": other.indices, "weights": other.weights}
    apsp.prepare(graph_of(60, ring(60, 1))).save(path)
    archive = load_arrays(path, kind="oracle")
    save_arrays(path, {**archive.arrays, **arrays}, archive.meta, kind="oracle")
    with pytest.raises(apsp.GraphError, match="prepare the oracle again"):
        apsp.Oracle.load(path).update(np.ones(other.m, dtype=np.int32))


def test_damaged_and_other_files(tmp_path: Path) -> None:
    graph, path = graph_of(40, ring(40, 1)), tmp_path / "ring.npz"
    apsp.prepare(graph).save(path)
    whole = path.read_bytes()
    for keep in range(0, len(whole), 211):
        path.write_bytes(whole[:keep])
        with pytest.raises(FileFormatError):
            apsp.Oracle.load(path)
    for place in range(len(whole) // 3, len(whole) - 1000, 97):  # every bit that is read is under a checksum
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 64]) + whole[place + 1 :])
        with contextlib.suppress(FileFormatError):
            assert apsp.Oracle.load(path).rows().max() == 39
    apsp.solve(graph).save(path)
    with pytest.raises(FileFormatError, match="not an oracle of apsp: it is a result"):
        apsp.Oracle.load(path)
    path.write_bytes(whole)
    with pytest.raises(FileFormatError, match="not a result of apsp: it is an oracle"):
        apsp.load(path)
    archive = load_arrays(path, kind="oracle")
    arrays, meta = archive.arrays, archive.meta
    save_arrays(path, {**arrays, "tree_rows": arrays["tree_rows"] * 0}, meta, kind="oracle")
    with pytest.raises(FileFormatError, match="damaged"):
        apsp.Oracle.load(path)
    save_arrays(path, arrays, meta | {"version": 99}, kind="oracle")
    with pytest.raises(FileFormatError, match="newer"):
        apsp.Oracle.load(path)
    with pytest.raises(FileNotFoundError):
        apsp.Oracle.load(tmp_path / "none.npz")
