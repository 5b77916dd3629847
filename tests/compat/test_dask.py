"""Objects of this package in the processes of a Dask cluster."""

from __future__ import annotations

import os

import numpy as np
import pytest

pytest.importorskip("distributed")

import distributed

import apsp


def work(graph, result, oracle, source):
    distances = apsp.solve(graph, sources=[source]).distances[0]
    same = np.array_equal(distances, result.distances[source]) and oracle.distance(source, 7) == distances[7]
    return os.getpid(), bool(same), apsp.plan(graph, method="dijkstra").threads


def made(graph):
    return graph, apsp.solve(graph, paths=True), apsp.prepare(graph), apsp.k_nearest(graph, 3)


def test_objects_travel_and_workers_use_one_thread_per_task(monkeypatch):
    monkeypatch.delenv("APSP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as Dask does, which does not restore it
    graph = apsp.generate("grid", 400, seed=1)
    cycle = apsp.from_edges([0, 1], [1, 0], [-1, -1], labels=["a", "b"])
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        given = client.scatter([graph, apsp.solve(graph), apsp.prepare(graph)])
        found = client.gather([client.submit(work, *given, source) for source in range(4)])
        back, result, oracle, nearest = client.submit(made, graph).result()
        with pytest.raises(apsp.NegativeCycleError) as error:
            client.submit(apsp.solve, cycle).result()
    assert {process != os.getpid() for process, _, _ in found} == {True}
    assert [rest for _, *rest in found] == [[True, 1]] * 4  # Dask sets OMP_NUM_THREADS=1
    assert back == graph
    assert result.path(0, 399) == apsp.solve(graph).path(0, 399)
    assert (oracle.distance(0, 399), nearest.k) == (result.distance(0, 399), 3)
    assert set(error.value.cycle) == {"a", "b"}
