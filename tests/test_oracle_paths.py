"""Paths of many pairs from an oracle: replayed, simple, as long as the distances; other weights, labels, memory."""

from __future__ import annotations

import math

import numpy as np
import pytest

import apsp
from apsp import Graph, MemoryLimitError, RequestError
from apsp.api.oracle import snapshot
from apsp.methods.elimination import routes
from apsp.result.many_paths import ManyPaths
from contract import graph_of, random_edges

KINDS = ["positive", "zero", "zeros alone", "negative", "zones", "several components", "hops", "long rows"]


def graph_like(kind: str, dtype: str) -> Graph:
    n = 120
    edges = random_edges(n, 300, 1, 60, 4)
    if kind == "zero":
        edges = [(u, v, w % 3) for u, v, w in edges] + [(v, u, 0) for u, v, w in edges if w % 3 == 0]
    if kind == "zeros alone":
        edges = [(u, v, 0) for u, v, _ in edges]
    if kind == "negative":
        edges = [(u, v, w + u % 19 - v % 19 - 1) for u, v, w in edges if w + 1 > 1]
        edges = [(u, v, max(w, u % 19 - v % 19)) for u, v, w in edges]
    if kind == "several components":
        edges = [(u, v, w) for u, v, w in edges if u // 30 == v // 30]
    if kind == "long rows":
        edges += random_edges(n, 3000, 500, 900, 5)
    kept = "int32" if dtype == "uint16" else dtype
    graph = graph_of(n, edges, dtype=kept, zones=np.arange(n) % 5 == 0 if kind == "zones" else None)
    return graph.unweighted() if kind == "hops" else graph


def check(graph: Graph, sources: np.ndarray, targets: np.ndarray, paths: ManyPaths, distances: np.ndarray) -> None:
    none = apsp.unreachable(distances.dtype)
    assert len(paths) == len(sources)
    assert paths.offsets[-1] == len(paths.positions) == len(paths.vertices)
    for s, t, path, length, distance in zip(sources, targets, paths, paths.distances, distances, strict=True):
        assert length == distance or math.isclose(length, distance, rel_tol=1e-5)
        if distance == none:
            assert path == []
            continue
        assert (path[0], path[-1]) == (s, t)
        assert len(set(path)) == len(path)
        found = apsp.result.paths.replay(graph, path)
        assert found == distance if distances.dtype.kind != "f" else math.isclose(found, distance, rel_tol=1e-5)


@pytest.mark.few(13)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
def test_paths_of_pairs(kind: str, dtype: str) -> None:
    if kind == "negative" and dtype == "uint16":
        pytest.skip("no negative distances")
    if kind == "negative" and dtype.startswith("float"):
        pytest.skip("cycles of length zero: elimination refuses them")
    graph = graph_like(kind, dtype)
    oracle = apsp.prepare(graph, dtype=dtype, threads=2)
    sources, targets = np.random.default_rng(2).integers(0, graph.n, (2, 1500))
    paths = oracle.paths(sources, targets)
    check(graph, sources, targets, paths, oracle.distances(sources, targets))
    again = oracle.paths(sources, targets)
    np.testing.assert_array_equal(again.vertices, paths.vertices)


@pytest.mark.parametrize("shape", ["grid", "city"])
def test_paths_of_large_graphs(shape: str) -> None:
    """Parts that paths have in common are written once, and copied."""
    graph = apsp.generate(shape, 900, seed=3, weights=(1, 100))
    oracle = apsp.prepare(graph, dtype="int32", threads=2)
    sources, targets = np.random.default_rng(1).integers(0, 900, (2, 4000))
    paths = oracle.paths(sources, targets)
    check(graph, sources, targets, paths, oracle.distances(sources, targets))
    few = oracle.paths(sources[:3], targets[:3])
    assert list(few) == [paths[0], paths[1], paths[2]]


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("zero", [False, True])
def test_rounded_paths(dtype: str, zero: bool) -> None:
    rng = np.random.default_rng(3)
    streets = apsp.generate("grid", 400, seed=3)
    lengths = rng.random(streets.m).astype(dtype) * rng.choice([0.001, 1, 1000], streets.m).astype(dtype)
    if zero:
        lengths[rng.random(streets.m) < 0.2] = 0
    graph = Graph(streets.indptr, streets.indices, lengths)
    oracle = apsp.prepare(graph)
    sources, targets = rng.integers(0, 400, (2, 1500))
    steps = routes.steps_of(oracle._now.factor, 1)
    assert steps is not None
    found = steps.routes(sources.astype(np.int32), targets.astype(np.int32))
    assert (found.lengths >= 0).all(), "no path needs a search"
    check(graph, sources, targets, oracle.paths(sources, targets), oracle.distances(sources, targets))


def test_paths_that_the_factor_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 100, seed=3, weights=(1, 100))
    sources, targets = np.random.default_rng(1).integers(0, 100, (2, 60))
    expected = apsp.prepare(graph).distances(sources, targets)
    oracle = apsp.prepare(graph)
    steps = routes.steps_of(oracle._now.factor, 1)
    assert steps is not None
    steps.arcs[np.random.default_rng(2).random(len(steps.arcs)) < 0.1] = 0
    monkeypatch.setattr(snapshot, "steps_of", lambda factor, threads: steps)
    check(graph, sources, targets, oracle.paths(sources, targets), expected)
    monkeypatch.setattr(snapshot, "steps_of", lambda factor, threads: None)
    check(graph, sources, targets, apsp.prepare(graph).paths(sources, targets), expected)


def test_other_weights_and_labels() -> None:
    graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
    oracle = apsp.prepare(graph)
    paths = oracle.paths("a", ["c", "a", "b"])
    assert list(paths) == [["a", "b", "c"], ["a"], ["a", "b"]]
    assert paths[-1] == paths[2] == ["a", "b"]
    assert list(oracle.paths("c", ["a"])) == [[]]
    assert paths.to_long()["vertex"].tolist() == ["a", "b", "c", "a", "a", "b"]
    assert paths.nbytes > 0
    oracle.update([4, 1, 9])
    assert list(oracle.paths("a", "c")) == [["a", "c"]]
    assert list(oracle.paths([], "c")) == []
    with pytest.raises(RequestError, match="index must be"):
        paths[3]
    with pytest.raises(RequestError, match="2 sources and 3 targets"):
        oracle.paths(["a", "b"], ["a", "b", "c"])


def test_blocks_of_paths() -> None:
    graph = apsp.generate("grid", 100, seed=3, weights=(1, 100))
    oracle = apsp.prepare(graph)
    whole = oracle.paths(0, range(100))
    told: list[tuple[int, int]] = []
    blocks = list(
        oracle.stream_paths(0, range(100), pairs=30, progress=lambda _, done, total: told.append((done, total)))
    )
    assert [len(block) for block in blocks] == [30, 30, 30, 10]
    assert [path for block in blocks for path in block] == list(whole)
    assert told[-1] == (100, 100)
    with pytest.raises(RequestError, match="pairs must be"):
        oracle.stream_paths(0, [1], pairs=0)


def test_paths_need_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 100, seed=3, weights=(1, 100))
    oracle = apsp.prepare(graph)
    monkeypatch.setattr("apsp.system.machine.usable", lambda machine: 1 << 20)
    with pytest.raises(MemoryLimitError, match=r"the paths of 50,000 pairs.*stream_paths"):
        oracle.paths(0, np.zeros(50_000, dtype=int))
