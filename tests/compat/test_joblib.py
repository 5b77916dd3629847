"""Objects of this package in joblib's workers, and as joblib maps them from files."""

from __future__ import annotations

import os

import numpy as np
import pytest

pytest.importorskip("joblib")

import joblib

import apsp
from test_manners import MADE, arrays

GRAPH = apsp.generate("grid", 900, seed=1)


@pytest.mark.parametrize("name", MADE)
def test_everything_public_is_mapped_read_only(name, tmp_path):
    value = MADE[name]()
    joblib.dump(value, tmp_path / "value")
    back = joblib.load(tmp_path / "value", mmap_mode="r")
    assert repr(back) == repr(value)
    assert arrays(back) == arrays(value)


def test_mapped_arrays_are_those_of_graphs(tmp_path):
    for name in ("indptr", "indices", "weights"):
        np.save(tmp_path / f"{name}.npy", getattr(GRAPH, name))
    mapped = [np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("indptr", "indices", "weights")]
    assert apsp.Graph(*mapped) == apsp.Graph(GRAPH.indptr, GRAPH.indices, GRAPH.weights)
    assert apsp.from_edges(GRAPH.tails(), *mapped[1:], n=GRAPH.n) == apsp.Graph(*mapped)


def test_a_mapped_oracle_takes_other_weights(tmp_path):
    joblib.dump(apsp.prepare(GRAPH, dtype="int64"), tmp_path / "oracle")
    oracle = joblib.load(tmp_path / "oracle", mmap_mode="r")
    before = oracle.distance(3, 800)
    oracle.update(GRAPH.weights * 10)
    assert oracle.distance(3, 800) == 10 * before


def work(graph, result, oracle, source):
    distances = apsp.solve(graph, sources=[source]).distances[0]
    same = np.array_equal(distances, result.distances[source]) and oracle.distance(source, 7) == distances[7]
    return os.getpid(), bool(same), apsp.plan(graph, method="dijkstra").threads


@pytest.mark.parametrize("prefer", ["processes", "threads"])
def test_workers(prefer, monkeypatch):
    monkeypatch.delenv("APSP_NUM_THREADS", raising=False)
    given = GRAPH, apsp.solve(GRAPH), apsp.prepare(GRAPH)
    with joblib.parallel_config(prefer=prefer) if prefer == "threads" else joblib.parallel_config(
        backend="loky", inner_max_num_threads=1
    ):  # fmt: skip
        found = joblib.Parallel(n_jobs=2, max_nbytes=1000)(joblib.delayed(work)(*given, s) for s in range(6))
    assert all(same for _, same, _ in found)
    if prefer == "processes":
        assert os.getpid() not in {process for process, _, _ in found}
        assert {threads for _, _, threads in found} == {1}  # joblib sets OMP_NUM_THREADS


def test_dask():
    dask = pytest.importorskip("dask")
    given = [dask.delayed(value) for value in (GRAPH, apsp.solve(GRAPH), apsp.prepare(GRAPH))]
    found = dask.compute(*[dask.delayed(work)(*given, source) for source in range(4)], scheduler="threads")
    assert all(same for _, same, _ in found)
