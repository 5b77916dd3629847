"""Stores that the workers of an engine write: the same bits, resumed after lost workers, cancelled, and refused."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.running.storing import workers_runner
from apsp.running.workers import worker
from apsp.store.folder import Folder
from stored import bands_of_measures, shards

zarr = pytest.importorskip("zarr")
pytestmark = pytest.mark.usefixtures("small_bands")

SHARDS = "*/c/*/0", "*/c/*"
"""Of rows, and of numbers per row."""


def spawning(workers: int, **options: Any) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context("spawn"), **options)


class AtOnce(Executor):
    """Runs every task when it is submitted, in this thread, after it was pickled."""

    num_workers = 3

    def __init__(self, change: Any = None) -> None:
        self.change, self.kept, self.stores = change, threading.local(), workers_runner._Opened()
        self.parts: list[tuple[int, int]] = []
        self.most = 0

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Run it."""
        parts = [pickle.dumps(argument) for argument in arguments]
        self.most = max(self.most, *map(len, parts))
        reference, sent, *others = map(pickle.loads, parts)
        if function is worker.run_task:
            self.parts.append(tuple(others[-2:]))
        if self.change is not None and function is worker.run_task:
            others[0] = self.change(others[0])
        before, worker._cached = worker._cached, self.kept
        opened, workers_runner._opened = workers_runner._opened, self.stores
        future: Future[Any] = Future()
        try:
            found = pickle.dumps(function(reference, sent, *others))
            self.most = max(self.most, len(found))
            future.set_result(pickle.loads(found))
        except Exception as error:
            future.set_exception(error)
        finally:
            worker._cached, workers_runner._opened = before, opened
        return future


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["int32", "float64"])
@pytest.mark.parametrize("paths", [False, True])
def test_the_rows_do_not_pass_the_caller(city: apsp.Graph, place: Path, kind: str, paths: bool) -> None:
    graph = city.with_weights((city.weights * 0.25).astype(kind) + 1)
    executor, told = AtOnce(), []
    result = apsp.solve(graph, store=place, paths=paths, executor=executor, progress=lambda *now: told.append(now[1:]))
    assert result.is_complete
    assert result.info["rows_computed"] == 200
    expected = apsp.solve(graph, paths=paths, method=result.info["method"], threads=1)
    assert np.array_equal(np.asarray(result), expected.distances)
    if paths:
        assert np.array_equal(np.asarray(result.predecessors), expected.predecessors)
    assert told[-1] == (200, 200)
    assert told == sorted(told)
    assert executor.most < 8000  # no rows, and no graph: workers of this machine read it from a file
    assert not list(place.rglob(".claims"))
    assert not list(place.rglob("*.part"))
    assert apsp.solve(graph, store=place, paths=paths).info["rows_computed"] == 0


@pytest.mark.slow
def test_a_store_that_was_begun_here_is_completed_by_workers(city: apsp.Graph, place: Path) -> None:
    class StopError(Exception):
        """Stops the run."""

    def stop(stage: str, done: int, total: int) -> None:
        if done > 70:
            raise StopError

    graph = city.with_weights(city.weights * 0.1)
    with pytest.raises(StopError):
        apsp.solve(graph, store=place, threads=2, progress=stop)
    before = shards(place, *SHARDS)
    (place / "distances" / "c" / "1" / "0").unlink()
    result = apsp.solve(graph, store=place, executor=AtOnce())
    before.pop("distances/c/1/0")
    assert before
    assert before.items() <= shards(place, *SHARDS).items()
    assert result.info["threads"] == 2  # what the store has fixed
    alone = apsp.solve(graph, store=place.with_name("alone.zarr"), threads=2)
    assert np.array_equal(np.asarray(result), np.asarray(alone))


def test_tasks_are_bands_that_are_missing(city: apsp.Graph, place: Path) -> None:
    apsp.solve(city, store=place)
    for band in (0, 4, 5, 12):
        (place / "distances" / "c" / str(band) / "0").unlink()
    executor = AtOnce()
    assert apsp.solve(city, store=place, executor=executor).info["rows_computed"] == 3 * 16 + 8
    assert [band for part in executor.parts for band in range(*part)] == [0, 4, 5, 12]


def engine_of(name: str) -> Any:
    if name == "loky":
        return pytest.importorskip("loky").get_reusable_executor(2)
    return spawning(2)


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param("loky", marks=pytest.mark.slow), "concurrent.futures"])
def test_a_killed_worker_leaves_a_store_that_is_completed(name: str, place: Path) -> None:
    graph = apsp.generate("city", 800, seed=1)
    engine = engine_of(name)

    def kill(stage: str, done: int, total: int) -> None:
        if done > 200:
            os.kill(next(iter(engine._processes)), signal.SIGKILL)

    call = partial(apsp.solve, graph, store=place, method="reference", paths=True)
    with engine, pytest.raises(apsp.ExecutorError, match=r"The same call computes only the rows that are missing in"):
        call(executor=engine, progress=kill)
    before = {key: state for key, state in shards(place, *SHARDS).items() if key.startswith("distances")}
    assert 0 < len(before) < 50
    with engine_of(name) as engine:
        result = call(executor=engine)
    assert before.items() <= shards(place, *SHARDS).items()  # none was computed twice
    assert result.info["rows_computed"] == 800 - 16 * len(before)
    expected = apsp.solve(graph, method="reference", paths=True)
    assert np.array_equal(np.asarray(result), expected.distances)
    assert np.array_equal(np.asarray(result.predecessors), expected.predecessors)
    assert not list(place.rglob("*.part"))
    assert not list(place.rglob(".claims"))


@pytest.mark.slow
def test_dask_replaces_a_lost_worker(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as Dask does, which does not restore it
    graph, killed = apsp.generate("city", 800, seed=1), []
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):

        def kill(stage: str, done: int, total: int) -> None:
            if done > 200 and not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        result = apsp.solve(graph, store=place, method="reference", executor=client, progress=kill)
    assert killed
    assert np.array_equal(np.asarray(result), apsp.solve(graph).distances)
    assert not list(place.rglob(".claims"))


@pytest.mark.slow
def test_an_interruption_stops_the_workers(place: Path) -> None:
    graph = apsp.generate("city", 1500, seed=1)

    def interrupt(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as workers, pytest.raises(KeyboardInterrupt):
        apsp.solve(graph, store=place, method="reference", executor=workers, progress=interrupt)
    there = len(list(place.glob("distances/c/*/0")))
    assert 0 < there < 94
    assert not list(place.rglob("*.part"))
    result = apsp.solve(graph, store=place)
    assert result.info["rows_computed"] == 1500 - 16 * there
    assert np.array_equal(np.asarray(result), apsp.solve(graph).distances)


def test_workers_stop_when_the_run_has_ended(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on other machines, which do not see the temporary file of the caller."""

    def leave(task: Any) -> Any:
        for path in (place / "graph/indptr/.claims").glob("run-*"):
            path.unlink()
        return replace(task, seconds_between_looks=0.0)

    class EnoughError(Exception):
        """Ends a run that would wait."""

    def look_again(seconds: float) -> None:
        raise EnoughError

    monkeypatch.setattr("apsp.running.storing.completing.time.sleep", look_again)
    with pytest.raises(EnoughError):
        apsp.solve(city, store=place, executor=AtOnce(leave))
    assert not shards(place, *SHARDS)


def test_a_relative_path_is_that_of_the_caller(
    city: apsp.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with spawning(1, initializer=os.chdir, initargs=(tmp_path / "there",)) as pool:
        result = apsp.solve(city, store="out.zarr", executor=pool)
    assert result.is_complete
    assert (tmp_path / "here" / "out.zarr" / "zarr.json").exists()
    assert not list((tmp_path / "there").iterdir())


@pytest.mark.parametrize("what", ["does not see the store", "sees another store at"])
def test_a_worker_that_does_not_see_the_store(city: apsp.Graph, place: Path, what: str) -> None:
    elsewhere = place.with_name("elsewhere.zarr")
    if what != "does not see the store":
        apsp.solve(city, store=elsewhere)
        (elsewhere / "distances" / "c" / "0" / "0").unlink()
    before = shards(elsewhere, *SHARDS)

    def moved(task: Any) -> Any:
        return workers_runner.BandTask(partial(Folder, elsewhere), *list(vars(task).values())[1:])

    with pytest.raises(apsp.ExecutorError, match=f"a worker on .* {what} .*: name a folder of a file system"):
        apsp.solve(city, store=place, executor=AtOnce(moved))
    assert shards(elsewhere, *SHARDS) == before


def test_a_bucket_in_memory_is_of_one_process(city: apsp.Graph) -> None:
    memory = pytest.importorskip("obstore.store").MemoryStore()
    with pytest.raises(apsp.RequestError, match="cannot be used in another process: give a URL"):
        apsp.solve(city, store=memory, executor=AtOnce())
    assert not [each for part in memory.list() for each in part]


def test_errors_come_before_there_is_a_store(city: apsp.Graph, place: Path) -> None:
    cycle = apsp.from_edges([0, 1, 2, 3], [1, 2, 0, 0], [1, -4, 2, 1])
    with pytest.raises(apsp.NegativeCycleError):
        apsp.solve(cycle, store=place, executor=AtOnce())
    with pytest.raises(apsp.UnknownMethodError):
        apsp.solve(city, store=place, method="none", executor=AtOnce())
    with pytest.raises(apsp.RequestError, match="executor must be 'processes'"):
        apsp.solve(city, store=place, executor=3)
    with pytest.raises(apsp.RequestError, match="name a store, which the workers of the executor write"):
        apsp.solve(city, executor="processes")
    assert not place.exists()


@pytest.mark.parametrize("direction", ["in", "out"])
def test_measures(city: apsp.Graph, place: Path, direction: Any) -> None:
    call = partial(apsp.harmonic_centrality, city, store=place, direction=direction)
    executor = AtOnce()
    with bands_of_measures(per_worker=4):
        found = call(executor=executor)
    assert len(list(place.glob("largest/c/*"))) == 12
    before = shards(place, *SHARDS)
    assert np.allclose(found, apsp.harmonic_centrality(city, direction=direction), rtol=1e-14)
    (place / "largest" / "c" / "3").unlink()
    assert np.array_equal(call(executor=executor), found)
    before.pop("largest/c/3")
    assert {key for key, state in shards(place, *SHARDS).items() if before.get(key) != state} <= {
        f"{name}/c/3" for name in ("reached", "total", "reciprocals", "farthest", "largest")
    }
    assert np.array_equal(call(), found)
    if direction == "out":
        assert np.array_equal(apsp.eccentricity(city, store=place, executor=executor), apsp.eccentricity(city))
