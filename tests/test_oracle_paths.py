"""Paths of many pairs from an oracle: replayed, simple, as long as the distances; other weights, labels, memory."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

import apsp
from apsp import Graph, MemoryLimitError, NoPathError, Oracle, RequestError
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
def test_rounded_paths(dtype: str, zero: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    streets = apsp.generate("grid", 400, seed=3)
    lengths = rng.random(streets.m).astype(dtype) * rng.choice([0.001, 1, 1000], streets.m).astype(dtype)
    if zero:
        lengths[rng.random(streets.m) < 0.2] = 0
    graph = Graph(streets.indptr, streets.indices, lengths)
    oracle = apsp.prepare(graph)
    sources, targets = rng.integers(0, 400, (2, 1500))
    monkeypatch.setattr(apsp.result.paths, "walk", None)  # of paths that need a row of distances
    found = oracle.paths(sources, targets)
    check(graph, sources, targets, found, oracle.distances(sources, targets))
    assert [oracle.path(*pair) for pair in zip(sources[:200], targets[:200], strict=True)] == list(found)[:200]


class Untold(NamedTuple):
    """A search that finds distances, but some paths not."""

    search: Any

    def path(self, source: int, target: int, *, loops: bool) -> Any:
        return None if source % 3 else self.search.path(source, target, loops=loops)

    def routes(self, *, sources: Any, dist: Any, **keywords: Any) -> Any:
        start, entries, lengths = self.search.routes(sources=sources, dist=dist, **keywords)
        lost = np.flatnonzero(sources % 3)
        whole = np.diff(start)
        left = np.repeat(~np.isin(np.arange(len(sources)), lost), whole)
        whole[lost], lengths[lost] = 0, np.where(apsp.semiring.is_unreachable(dist[lost]), 0, -1)
        return np.concatenate([[0], np.cumsum(whole)]), entries[left], lengths


@pytest.mark.parametrize("count", [5, 60])
def test_paths_that_the_factor_does_not_tell(count: int) -> None:
    graph = apsp.generate("grid", 400, seed=3, weights=(1, 100))
    sources, targets = np.random.default_rng(1).integers(0, 400, (2, count))
    oracle = apsp.prepare(graph)
    expected = oracle.distances(sources, targets)
    searching: Any = oracle._now.paths
    searching.search = Untold(searching.search)
    paths = oracle.paths(sources, targets)
    check(graph, sources, targets, paths, expected)
    one_by_one = [oracle.path(*pair) for pair in zip(sources, targets, strict=True)]
    assert [apsp.result.paths.replay(graph, path) for path in one_by_one] == expected.tolist()


def few_and_many(oracle: Oracle, sources: np.ndarray, targets: np.ndarray) -> list[list[int]]:
    """The paths of pairs, which are the same by all ways to them."""
    one_by_one = []
    for pair in zip(sources.tolist(), targets.tolist(), strict=True):
        try:
            one_by_one.append(oracle.path(*pair))
        except NoPathError:
            one_by_one.append([])
    copy = pickle.loads(pickle.dumps(oracle))
    few = [path for source, target in zip(sources, targets, strict=True) for path in copy.paths(source, target)]
    assert few == one_by_one
    many = copy.paths(np.resize(sources, 4000), np.resize(targets, 4000))
    assert list(many)[: len(few)] == one_by_one
    return one_by_one


@pytest.mark.few(13)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("labels", [False, True])
def test_one_path_is_that_of_many(kind: str, dtype: str, labels: bool) -> None:
    if kind == "negative" and dtype in ("uint16", "float32", "float64"):
        pytest.skip("no negative distances, or cycles of length zero, which elimination refuses")
    graph = graph_like(kind, dtype)
    oracle = apsp.prepare(graph, dtype=dtype, threads=2, labels=labels)
    sources, targets = np.random.default_rng(3).integers(0, graph.n, (2, 60))
    found = few_and_many(oracle, sources, targets)
    paths = oracle.paths(sources, targets)
    assert list(paths) == found
    check(graph, sources, targets, paths, oracle.distances(sources, targets))


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_paths_after_updates(labels: bool, directed: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    graph = apsp.generate("city", 600, seed=2, weights=(0, 40), directed=directed)
    oracle = apsp.prepare(graph, labels=labels, threads=2)
    sources, targets = rng.integers(0, graph.n, (2, 40))
    arcs = list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True))
    few_and_many(oracle, sources, targets)
    for turn in range(4):
        chosen = [arcs[i] for i in rng.integers(0, len(arcs), 25)]
        weights = {
            ends: math.inf if rng.random() < 0.4 else int(rng.integers(0, 90))
            for ends in chosen
            if directed or ends[0] < ends[1]
        }
        oracle.update(weights)
        if turn == 2:
            oracle.save(tmp_path / "oracle.npz")
            oracle = Oracle.load(tmp_path / "oracle.npz", threads=2)
        exact = dijkstra(oracle.graph.to_scipy(), indices=sources)
        for source, target, length, path in zip(
            sources, targets, exact[np.arange(40), targets], few_and_many(oracle, sources, targets), strict=True
        ):
            if math.isinf(length):
                assert path == []
                continue
            assert (path[0], path[-1]) == (source, target)
            assert apsp.result.paths.replay(oracle.graph, path) == length


def test_a_path_needs_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("city", 2000, seed=2, weights=(1, 40))
    oracle = apsp.prepare(graph)
    before = oracle.nbytes
    monkeypatch.setattr(routes.Factor, "rows", None)
    path = oracle.path(3, 1800)
    assert apsp.result.paths.replay(graph, path) == oracle.distance(3, 1800)
    index = oracle.nbytes - before
    assert 0 < index < before / 4, "children of the tree"
    oracle.paths([3], [1800])
    assert oracle.nbytes == before + index
    oracle.paths(np.full(10_000, 3), 1800)
    assert oracle.nbytes == before + index + 12 * len(oracle._now.factor.values)


def test_steps_that_do_not_fit_are_found_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 10_000, seed=3, weights=(1, 100))
    oracle = apsp.prepare(graph)
    values = len(oracle._now.factor.values)
    sources, targets = np.random.default_rng(1).integers(0, graph.n, (2, values // 1500))
    monkeypatch.setattr(routes, "usable", lambda machine: 11 * values)
    found = list(oracle.paths(sources, targets))
    monkeypatch.setattr(routes, "steps_of", None)
    assert list(oracle.paths(sources[:3], targets[:3])) == found[:3]


def test_paths_that_turn_out_longer_than_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("grid", 10_000, seed=3, weights=(1, 100))
    oracle = apsp.prepare(graph)
    sources, targets = np.random.default_rng(1).integers(0, graph.n, (2, 30))
    monkeypatch.setattr("apsp.system.machine.usable", lambda machine: 7000)
    with pytest.raises(MemoryLimitError, match=r"the paths of 30 pairs.*stream_paths"):
        oracle.paths(sources, targets)


def test_a_path_of_all_vertices() -> None:
    n = 200_000
    line = apsp.from_edges(np.arange(n - 1), np.arange(1, n), np.ones(n - 1, dtype=int), n=n)
    assert apsp.prepare(line).path(0, n - 1) == list(range(n))


def test_paths_of_several_threads() -> None:
    graph = apsp.generate("city", 3000, seed=2, weights=(1, 40))
    oracle = apsp.prepare(graph)
    pairs = np.random.default_rng(1).integers(0, graph.n, (400, 2)).tolist()
    expected = [apsp.prepare(graph).path(*pair) for pair in pairs[:20]]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda pair: oracle.path(*pair), pairs))
    assert found[:20] == expected
    assert [apsp.result.paths.replay(graph, path) for path in found] == oracle.distances(*np.transpose(pairs)).tolist()


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Small graphs with many ties, arcs of length zero, zones, and potentials that make arcs negative."""
    n = draw(st.integers(2, 14))
    count = draw(st.integers(0, 40))
    ends = st.lists(st.integers(0, n - 1), min_size=count, max_size=count)
    tails, heads = np.array(draw(ends), dtype=int), np.array(draw(ends), dtype=int)
    dtype = draw(st.sampled_from(["int32", "int64", "float32", "float64"]))
    some = st.sampled_from([0, 0, 1, 1, 2, 3, 7] if dtype.startswith("i") else [0, 1e-30, 0.1, 0.2, 0.3, 1, 1e30])
    weights = np.array(draw(st.lists(some, min_size=count, max_size=count)), dtype=dtype)
    directed = draw(st.booleans())
    if directed and dtype.startswith("i") and draw(st.booleans()):
        heights = np.array(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))
        weights += (heights[tails] - heights[heads]).astype(dtype)
    zones = draw(st.one_of(st.none(), st.lists(st.booleans(), min_size=n, max_size=n)))
    return apsp.from_edges(tails, heads, weights, n=n, directed=directed, zones=zones)


@given(graphs(), st.booleans())
def test_paths_of_any_graph(graph: Graph, labels: bool) -> None:
    oracle = apsp.prepare(graph, labels=labels)
    sources, targets = np.divmod(np.arange(graph.n**2), graph.n)
    expected = apsp.solve(graph, method="dijkstra" if not graph.has_negative_arc else "johnson", dtype=oracle.dtype)
    found = few_and_many(oracle, sources, targets)
    check(graph, sources, targets, oracle.paths(sources, targets), np.asarray(expected.distances).ravel())
    assert list(oracle.paths(sources, targets)) == found


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
