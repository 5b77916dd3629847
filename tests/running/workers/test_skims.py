"""Skims by workers: the graph and its costs travel once, the order of elimination is computed once, lost workers."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import _cpu
from apsp.api.skims.job import SkimJob
from examples import examples


@pytest.fixture
def city() -> apsp.Graph:
    return apsp.generate("city", 300, seed=2, weights=(1, 5))


def along(graph: apsp.Graph, kind: str = "int64") -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    return {"toll": rng.integers(0, 3, graph.m), "km": (rng.random(graph.m) * 9).astype(kind)}


class Pickling(Executor):
    """Runs every task when it is submitted, in this thread, from pickled arguments, and measures these."""

    num_workers, most, tasks = 3, 0, 0

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Run it."""
        data = pickle.dumps(arguments)
        self.most, self.tasks = max(self.most, len(data)), self.tasks + 1
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(function(*pickle.loads(data)))))
        return future


@given(
    n=st.integers(1, 60), degree=st.integers(0, 4), seed=st.integers(0, 99), zones=st.booleans(),
    kind=st.sampled_from(["hops", "int64", "float64"]), intrazonal=st.sampled_from(["zero", "half_nearest"]),
)  # fmt: skip
@settings(max_examples=examples(40), deadline=None)
def test_the_same_bits(n: int, degree: int, seed: int, zones: bool, kind: str, intrazonal: Any) -> None:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, (2, n * degree))
    weights = None if kind == "hops" else (rng.random(n * degree) * 4).astype(kind)
    graph = apsp.from_edges(tails, heads, weights, n=n, zones=rng.random(n) < 0.3 if zones else None)
    other = rng.integers(1, 3, graph.m) * (1 if kind != "float64" else 0.1)
    options: Any = {"intrazonal": intrazonal, "zones": rng.integers(0, n, 30)}
    told: list[tuple[int, int]] = []
    found = apsp.skim(graph, {"km": other}, executor=Pickling(), progress=lambda _, *now: told.append(now), **options)
    assert found.matrices.tobytes() == apsp.skim(graph, {"km": other}, **options).matrices.tobytes()
    assert told[-1] == (30, 30)


def test_the_costs_travel_once(city: apsp.Graph) -> None:
    engine = Pickling()
    found = apsp.skim(city, along(city), executor=engine)
    assert found == apsp.skim(city, along(city))
    assert engine.tasks == 1 + -(-300 // 13)
    assert engine.most < 4000
    assert found.info["threads"] == 1
    assert found.info["method"] == "elimination"


def test_tasks_return_few_bytes(city: apsp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SkimJob, "task_bytes", 8 * 3 * city.n * 2)
    engine = Pickling()
    assert apsp.skim(city, along(city), executor=engine) == apsp.skim(city, along(city))
    assert engine.tasks == 1 + 150


def test_the_order_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = _cpu.elimination_tree, []

    def counted(*arcs: Any, **options: Any) -> Any:
        calls.append(1)
        return real(*arcs, **options)

    monkeypatch.setattr(_cpu, "elimination_tree", counted)
    graph = apsp.generate("city", 3000, seed=1)
    with ThreadPoolExecutor(3) as engine:
        found = apsp.skim(graph, zones=range(600), targets=range(9), executor=engine)
    assert len(calls) == 1
    assert found == apsp.skim(graph, zones=range(600), targets=range(9))


def test_emulated_gpus(city: apsp.Graph) -> None:
    options: Any = {"zones": range(40), "device": "emulated"}
    found = apsp.skim(city, along(city, "float64"), executor=Pickling(), **options)
    assert found.info["device"] == "emulated"
    assert found == apsp.skim(city, along(city, "float64"), **options)


def test_errors(city: apsp.Graph) -> None:
    for options, words in (
        ({"executor": 3}, "executor must be 'processes'"),
        ({"executor": Pickling(), "device": "no such device"}, "no such device"),
        ({"executor": Pickling(), "device": "emulated:0,1"}, "skims are computed on one GPU"),
    ):
        with pytest.raises(apsp.RequestError, match=words):
            apsp.skim(city, **options)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_a_killed_worker_is_replaced(city: apsp.Graph) -> None:
    killed: list[int] = []

    def kill(_stage: str, done: int, _total: int) -> None:
        if not killed and done < 280:
            killed.append(multiprocessing.active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    found = apsp.skim(city, along(city), executor="processes", threads=1, progress=kill)
    assert killed
    assert found == apsp.skim(city, along(city))


def test_dask(city: apsp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as Dask does, which does not restore it
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        found = apsp.skim(city, along(city), executor=client)
    assert found == apsp.skim(city, along(city))
