"""`prepare(labels=True)`: what an oracle with labels answers, takes, refuses, writes and reads."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import FileFormatError, Graph, MemoryLimitError, RequestError
from apsp.system.store import load_arrays, save_arrays
from emulation import emulated_gpus

PAIRS = np.random.default_rng(1).integers(0, 900, (2, 3000))


@pytest.fixture(scope="module")
def city() -> Graph:
    return apsp.generate("city", 900, seed=3, weights=(1, 100))


@pytest.fixture(scope="module")
def expected(city: Graph) -> np.ndarray:
    return apsp.solve(city, method="dijkstra", dtype="int32").distances


def test_the_same_distances(city: Graph, expected: np.ndarray) -> None:
    oracle = apsp.prepare(city, dtype="int32", labels=True, threads=2)
    told: list[tuple[int, int]] = []
    found = oracle.distances(*PAIRS, progress=lambda _, done, total: told.append((done, total)))
    assert told[-1] == (3000, 3000)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, expected[tuple(PAIRS)])
    np.testing.assert_array_equal(oracle.distances(7, [1, 7, 2]), expected[7, [1, 7, 2]])
    np.testing.assert_array_equal(oracle.rows([4, 2]), expected[[4, 2]])
    paths = oracle.paths(*PAIRS[:, :100])
    np.testing.assert_array_equal(paths.distances, found[:100])
    for s, t in ((0, 899), (5, 5), (np.int64(17), np.int32(400))):
        distance = oracle.distance(s, t)
        assert distance == expected[s, t]
        assert type(distance) is int


def test_names_of_vertices_and_what_does_not_exist(city: Graph, expected: np.ndarray) -> None:
    oracle = apsp.prepare(city, labels=True)
    for wrong in (900, -1, True, 3.0, "3", 2**40, None):
        with pytest.raises(apsp.GraphError, match="there is no vertex"):
            oracle.distance(wrong, 0)
        with pytest.raises(apsp.GraphError, match="there is no vertex"):
            oracle.distance(0, wrong)
    named = apsp.from_edges([0, 1], [1, 2], [2, 3], labels=[10, 20, 30])
    other = apsp.prepare(named, labels=True)
    assert other.distance(10, 30) == 5
    assert other.distance(30, 10) == float("inf")
    with pytest.raises(apsp.GraphError, match="there is no vertex 0"):
        other.distance(0, 10)
    assert other.distances([10, 30], [20, 10]).tolist() == [2, 65535]


def test_other_weights(city: Graph, expected: np.ndarray) -> None:
    oracle = apsp.prepare(city, labels=True)
    oracle.update(city.weights * 1000)
    assert "int32, labels" in repr(oracle)
    np.testing.assert_array_equal(oracle.distances(*PAIRS), 1000 * expected[tuple(PAIRS)])
    assert oracle.distance(3, 800) == 1000 * expected[3, 800]


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("directed", [True, False])
def test_labels_follow_changes(dtype: str, directed: bool) -> None:
    rng = np.random.default_rng(4)
    edges_of_city = apsp.generate("city", 500, seed=3, weights=(1, 90)).to_edges()
    whole = apsp.from_edges(*edges_of_city, n=500, directed=directed)
    oracle = apsp.prepare(whole, dtype=dtype, labels=True, threads=2)
    every = np.repeat(np.arange(500), 500), np.tile(np.arange(500), 500)
    held: list[tuple[Any, np.ndarray]] = []
    for step in range(16):
        graph = oracle.graph
        edges = [(int(graph.tails()[arc]), int(graph.indices[arc])) for arc in rng.choice(graph.m, 3)]
        edges = list({each if directed else (min(each), max(each)): None for each in edges})
        if step % 5 == 2:
            oracle.update(graph.without_edges(edges))
        elif step % 5 == 3:
            oracle.update(whole)
        elif step == 10:
            oracle.update(whole.weights + 1)
        else:
            oracle.update({each: int(rng.integers(0, 90)) for each in edges})
        fresh = apsp.prepare(
            Graph(oracle.graph.indptr, oracle.graph.indices, oracle.graph.weights, directed=directed), dtype=dtype
        )
        expected = fresh.rows()
        found = oracle.distances(*every).reshape(500, 500)
        assert np.array_equal(found, expected), step
        held = [*(held if step % 4 else []), (oracle._now, expected)]
        for snapshot, distances in held:
            assert np.array_equal(snapshot.pairs(*(each.astype(np.int32) for each in every)), distances.ravel())


def test_labels_that_do_not_change_are_not_computed(city: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then there is a copy for the next change, which needs no other memory."""
    oracle = apsp.prepare(city, labels=True)
    for _ in range(3):
        oracle.update({(int(city.tails()[0]), int(city.indices[0])): 7})
        size = oracle.nbytes
    labels = oracle._now.labels
    assert labels is not None
    assert labels.has_spare
    monkeypatch.setattr("apsp.methods.elimination.labels.labels_of", None)
    monkeypatch.setattr("apsp.methods.elimination.labels.refuse_unless_labels_fit", None)
    oracle.update({(int(city.tails()[0]), int(city.indices[0])): 90})
    assert oracle.nbytes == size
    assert not labels.has_spare, "the labels before these gave their memory to those after them"
    assert np.array_equal(oracle.distances(*PAIRS), apsp.prepare(oracle.graph).distances(*PAIRS))


def test_directions_that_become_apart() -> None:
    undirected = apsp.generate("grid", 400, seed=1, weights=(1, 9))
    oracle = apsp.prepare(Graph(undirected.indptr, undirected.indices, undirected.weights, directed=True), labels=True)
    arc = int(undirected.tails()[40]), int(undirected.indices[40])
    every = np.repeat(np.arange(400), 400), np.tile(np.arange(400), 400)
    for weight in (int(undirected.weights[40]), 1, 300, int(undirected.weights[40]), 2):
        oracle.update({arc: weight})
        assert np.array_equal(oracle.distances(*every), apsp.prepare(oracle.graph).rows().ravel())


def test_its_size_is_said(city: Graph) -> None:
    plain, oracle = apsp.prepare(city), apsp.prepare(city, labels=True)
    assert oracle.nbytes > plain.nbytes + 2 * 900 * 8
    assert "uint16, labels, cpu" in repr(oracle)
    assert "labels" not in repr(plain)
    assert "factor and labels" in oracle._repr_html_()
    both_ways = city.with_weights(city.weights)
    undirected = apsp.generate("grid", 900, seed=1, weights=(1, 9))
    directed = Graph(undirected.indptr, undirected.indices, undirected.weights, directed=True)
    assert apsp.prepare(directed, labels=True).nbytes == apsp.prepare(undirected, labels=True).nbytes
    assert apsp.prepare(both_ways, labels=True).nbytes == oracle.nbytes


def test_too_large(city: Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    oracle = apsp.prepare(city, labels=True)
    needed = oracle.nbytes - apsp.prepare(city).nbytes
    oracle.save(tmp_path / "city.npz")
    before = oracle.distance(3, 800)
    monkeypatch.setattr("apsp.system.machine.usable", lambda machine: needed // 3)
    with pytest.raises(MemoryLimitError, match=r"labels of 900 vertices.*labels=False"):
        apsp.prepare(city, labels=True)
    monkeypatch.setattr("apsp.system.machine.usable", lambda machine: int(0.7 * needed))  # of two directions
    with pytest.raises(MemoryLimitError, match=r"labels of 900 vertices.*labels=False"):
        oracle.update(city.weights * 2)
    assert oracle.distance(3, 800) == before
    with pytest.raises(MemoryLimitError, match=r"labels of 900 vertices.*labels=False"):
        apsp.Oracle.load(tmp_path / "city.npz")
    assert apsp.Oracle.load(tmp_path / "city.npz", labels=False).distance(3, 800) == before


def test_files_and_copies(city: Graph, tmp_path: Path) -> None:
    path = tmp_path / "city.npz"
    oracle, plain = apsp.prepare(city, labels=True), apsp.prepare(city)
    oracle.save(path)
    assert path.stat().st_size < plain.nbytes + 16 * city.m + 10_000, "labels are computed again"
    for copy in (apsp.Oracle.load(path), pickle.loads(pickle.dumps(oracle))):
        assert repr(copy) == repr(oracle)
        np.testing.assert_array_equal(copy.distances(*PAIRS), plain.distances(*PAIRS))
    assert repr(apsp.Oracle.load(path, labels=False)) == repr(plain)
    plain.save(path)
    assert repr(apsp.Oracle.load(path)) == repr(pickle.loads(pickle.dumps(plain))) == repr(plain)
    assert repr(apsp.Oracle.load(path, labels=True)) == repr(oracle)


def test_old_and_damaged_files(city: Graph, tmp_path: Path) -> None:
    path = tmp_path / "city.npz"
    apsp.prepare(city, labels=True).save(path)
    archive = load_arrays(path, kind="oracle")
    old = {name: value for name, value in archive.meta.items() if name != "labels"}
    save_arrays(path, archive.arrays, old, kind="oracle")
    assert repr(apsp.Oracle.load(path)) == repr(apsp.prepare(city))
    save_arrays(path, archive.arrays, old | {"labels": "yes"}, kind="oracle")
    with pytest.raises(FileFormatError, match="damaged"):
        apsp.Oracle.load(path)


def test_a_tree_of_another_graph_is_refused(tmp_path: Path) -> None:
    """Checksums that fit do not make a file right."""
    path = tmp_path / "ring.npz"
    ring = apsp.from_edges(range(60), [*range(1, 60), 0], [1] * 60, directed=False)
    other = apsp.from_edges([0], [1], [1], n=60, directed=False)
    apsp.prepare(ring, labels=True).save(path)
    archive = load_arrays(path, kind="oracle")
    arrays = {"indptr": other.indptr, "indices": other.indices, "weights": other.weights}
    save_arrays(path, {**archive.arrays, **arrays}, archive.meta, kind="oracle")
    with pytest.raises(apsp.GraphError, match="of another graph: prepare the oracle again"):
        apsp.Oracle.load(path)


@pytest.mark.parametrize("wrong", [["Rome", "Florence"], "yes", 2, None])
def test_names_are_no_labels(city: Graph, wrong: Any) -> None:
    with pytest.raises(RequestError, match="labels must be True or False"):
        apsp.prepare(city, labels=wrong)


def test_of_an_oracle_on_a_gpu(city: Graph, expected: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pairs come from the labels on the CPU, many from the GPU."""
    with emulated_gpus(monkeypatch):
        oracle = apsp.prepare(city, dtype="int32", labels=True, device="cuda")
        assert "int32, labels, cuda:0" in repr(oracle)
        assert oracle.distance(3, 800) == expected[3, 800]
        np.testing.assert_array_equal(oracle.distances(*PAIRS), expected[tuple(PAIRS)])
        oracle.update(city.weights * 2)
        np.testing.assert_array_equal(oracle.distances(*PAIRS[:, :100]), 2 * expected[tuple(PAIRS[:, :100])])


def test_places_of_an_oracle_with_labels() -> None:
    roads = apsp.generate("city", 300, seed=2)
    places = roads.snap(np.random.default_rng(1).uniform(-300, 300, (4, 2)), crs="plane", speed=1.4)
    plain, labelled = (apsp.prepare(roads, labels=labels) for labels in (False, True))
    np.testing.assert_array_equal(labelled.distances(places, places), plain.distances(places, places))
    np.testing.assert_array_equal(labelled.matrix(places, [1, 2]), plain.matrix(places, [1, 2]))
