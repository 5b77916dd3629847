"""What the worker that plans has prepared reaches the others: it is computed once, and gives the same bits."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.methods import emulated, registry
from apsp.methods.problem import Problem
from apsp.running.workers import preparation, worker
from apsp.system.mapped import mapped, unpacked, write_mapped

SHARING = [method.name for method in registry.METHODS.values() if method.shares_preparation]
DTYPES = ("uint16", "int32", "int64", "float32", "float64")


class Several(Executor):
    """Workers that take turns, in this thread, from pickled arguments; each keeps its own graph."""

    def __init__(self, workers: int, *, is_far: bool = False) -> None:
        self.num_workers, self.is_far = workers, is_far
        self.kept = [threading.local() for _ in range(workers)]
        self.tasks = 0
        self.received: list[int] = []

    def submit(self, function: Any, /, reference: Any, *arguments: Any, **_: Any) -> Future[Any]:
        """Run it."""
        data = pickle.dumps((function, arguments))
        self.received.append(len(data))
        function, arguments = pickle.loads(data)
        far = replace(reference, path="/there/is/no/such/file") if self.is_far else reference
        future: Future[Any] = Future()
        before, worker._cached = worker._cached, self.kept[self.tasks % self.num_workers]
        self.tasks += 1
        try:
            future.set_result(pickle.loads(pickle.dumps(function(far, *arguments))))
        except Exception as error:
            future.set_exception(error)
        finally:
            worker._cached = before
        return future


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often orders, factors and bounds are computed."""
    found = dict.fromkeys(("elimination_tree", "elimination_factor", "distance_bound"), 0)

    def counted(module: Any, name: str) -> None:
        real = getattr(module, name)

        def call(*args: Any, **options: Any) -> Any:
            found[name] += 1
            return real(*args, **options)

        monkeypatch.setattr(module, name, call)

    counted(_cpu, "elimination_tree")
    counted(_cpu, "elimination_factor")
    counted(__import__("apsp.facts.statistics", fromlist=["x"]), "distance_bound")
    return found


@pytest.fixture
def city() -> apsp.Graph:
    return apsp.generate("city", 900, seed=3)


def signed(city: apsp.Graph) -> apsp.Graph:
    """The same with negative arcs, without negative cycles."""
    heights = np.random.default_rng(0).integers(0, 40, city.n)
    weights = np.asarray(city.weights, dtype=np.int64) + heights[city.indices] - heights[city.tails()]
    return apsp.Graph(city.indptr, city.indices, weights)


@pytest.mark.parametrize("is_far", [False, True])
@pytest.mark.parametrize("rate", [1.0, 1e30])
def test_it_is_prepared_once(
    city: apsp.Graph, counts: dict[str, int], monkeypatch: pytest.MonkeyPatch, is_far: bool, rate: float
) -> None:
    for name in ("_RATE_OF_FILES", "_RATE_OF_NETWORKS"):
        monkeypatch.setattr(f"apsp.running.workers.tasks.{name}", rate)
    expected = apsp.summary(city, method="elimination")
    counts.update(dict.fromkeys(counts, 0))
    engine = Several(4, is_far=is_far)
    fresh = pickle.loads(pickle.dumps(city))
    found = apsp.summary(fresh, method="elimination", executor=engine, bins=7)
    assert engine.tasks > 8
    # Where the factor is not sent, each of the workers that took a task has made its own: one may have taken none.
    assert (1 if rate > 1 else 2) <= counts.pop("elimination_factor") <= (1 if rate > 1 else 5)
    assert counts == {"elimination_tree": 1, "distance_bound": 1}
    assert np.array_equal(found.farness("out"), expected.farness("out"))
    assert np.array_equal(found.eccentricity, expected.eccentricity)
    assert found.farthest_pair == expected.farthest_pair


def test_one_worker_prepares_when_it_computes(city: apsp.Graph, counts: dict[str, int]) -> None:
    apsp.summary(city, method="elimination", executor=Several(1))
    assert counts["elimination_tree"] == counts["elimination_factor"] == 1


@pytest.mark.parametrize("rate", [1.0, 1e30])
@pytest.mark.parametrize("workers", [1, 3])
def test_the_next_call_on_an_equal_graph_knows_it(
    city: apsp.Graph, counts: dict[str, int], monkeypatch: pytest.MonkeyPatch, workers: int, rate: float
) -> None:
    for name in ("_RATE_OF_FILES", "_RATE_OF_NETWORKS"):
        monkeypatch.setattr(f"apsp.running.workers.tasks.{name}", rate)
    executor = Several(workers)
    first, second = (pickle.loads(pickle.dumps(city)) for _ in range(2))
    expected = apsp.closeness_centrality(first, method="elimination", executor=executor)
    assert counts["elimination_tree"] == counts["distance_bound"] == 1
    for _ in range(3):  # another worker plans
        found = apsp.closeness_centrality(second, method="elimination", executor=executor)
        assert counts["elimination_tree"] == counts["distance_bound"] == 1
        # A factor that was not sent is computed once by each; a worker that is alone keeps none.
        assert workers == 1 or counts["elimination_factor"] <= (1 if rate > 1 else workers)
    np.testing.assert_array_equal(found, expected)
    longer = city.with_weights(city.weights * 2)
    twice = apsp.closeness_centrality(longer, method="elimination", executor=executor)
    assert counts["elimination_tree"] == counts["distance_bound"] == 2
    np.testing.assert_allclose(2 * twice, expected)


def test_other_methods_share_the_statistics(city: apsp.Graph, counts: dict[str, int]) -> None:
    executor = Several(3)
    found = apsp.summary(city, method="dijkstra", executor=executor)
    assert counts == {"elimination_tree": 0, "elimination_factor": 0, "distance_bound": 1}
    assert max(executor.received) < 4000
    assert np.array_equal(found.eccentricity, apsp.eccentricity(city))


@pytest.mark.parametrize("name", SHARING)
@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("signs", [False, True])
def test_the_same_bits(name: str, device: str, dtype: str, signs: bool, city: apsp.Graph) -> None:
    if signs and dtype == "uint16":
        pytest.skip("it holds no negative distances")
    graph = signed(city) if signs else city
    if dtype.startswith("float"):
        graph = graph.with_weights(np.asarray(graph.weights) * 0.37)
    method = registry.get(name)
    gpus = (0,) if device == "emulated" else ()

    def solver_of(graph: apsp.Graph) -> Any:
        problem = Problem(graph, np.dtype(dtype), threads=2, device=device, gpus=gpus)
        return emulated.prepare(registry.prepare(method), problem)

    sources = np.arange(0, graph.n, 41, dtype=np.int32)

    def rows_of(solver: Any) -> Any:
        dist, pred = np.empty((len(sources), graph.n), dtype), np.empty((len(sources), graph.n), np.int32)
        solver.fill(sources, dist, pred)
        return dist, pred

    first = solver_of(graph)
    other = pickle.loads(pickle.dumps(graph))
    arrays = pickle.loads(pickle.dumps(dict(first.preparation(1e30))))
    assert arrays
    registry.load(method).keep(other, arrays)
    for mine, its in zip(rows_of(first), rows_of(solver_of(other)), strict=True):
        assert np.array_equal(mine, its)


def test_what_takes_longer_to_send_is_left_out(city: apsp.Graph) -> None:
    solver = registry.prepare(registry.get("elimination"))(Problem(city, np.dtype("int32")))
    assert set(solver.preparation(1e30)) - set(solver.preparation(1.0)) == {"values"}


def test_another_dtype_takes_the_order_only(city: apsp.Graph, counts: dict[str, int]) -> None:
    elimination = registry.get("elimination")
    arrays = registry.prepare(elimination)(Problem(city, np.dtype("int32"))).preparation(1e30)
    other = pickle.loads(pickle.dumps(city))
    registry.load(elimination).keep(other, arrays)
    counts.update(dict.fromkeys(counts, 0))
    solver = registry.prepare(elimination)(Problem(other, np.dtype("float64")))
    assert counts["elimination_tree"] == 0
    assert counts["elimination_factor"] == 1
    dist = np.empty((other.n, other.n))
    solver.fill(np.arange(other.n, dtype=np.int32), dist, None)
    assert np.array_equal(dist, apsp.solve(city).distances)


def test_the_factor_of_another_dtype_is_sent_again(city: apsp.Graph, counts: dict[str, int]) -> None:
    elimination = registry.get("elimination")

    def prepared(dtype: str) -> Any:
        arrays = registry.prepare(elimination)(Problem(city, np.dtype(dtype))).preparation(1e30)
        return arrays.get("values")

    first = prepared("int32")
    assert first is not None
    assert prepared("int32") is None
    assert counts["elimination_factor"] == 1
    other = prepared("float64")
    assert (first.dtype, other.dtype) == ("int32", "float64")


def test_a_part_of_the_graph_is_not_prepared_for_others(city: apsp.Graph) -> None:
    """A negative cycle that no source reaches: the work is on a part of the graph."""
    n = city.n
    tails, heads = np.concatenate([city.tails(), [n, n + 1]]), np.concatenate([city.indices, [n + 1, n]])
    graph = apsp.from_edges(tails, heads, np.concatenate([city.weights, [1, -2]]), n=n + 2)
    some = range(0, n, 5)
    found = apsp.eccentricity(graph, sources=some, method="elimination", executor=Several(3))
    assert np.array_equal(found, apsp.eccentricity(graph, sources=some, method="johnson"))
    with pytest.raises(apsp.NegativeCycleError):
        apsp.summary(graph, method="elimination", executor=Several(3))


def test_a_disk_without_room(city: apsp.Graph, counts: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, thing: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(preparation, "write_mapped", full)
    found = apsp.eccentricity(city, method="elimination", executor=Several(3))
    assert counts["elimination_tree"] == 3  # each worker prepares
    assert np.array_equal(found, apsp.eccentricity(city))


@pytest.mark.slow
def test_a_killed_worker_is_replaced_by_one_that_receives_it(city: apsp.Graph) -> None:
    killed: dict[int, int] = {}  # how many sources were done then

    def kill(stage: str, done: int, total: int) -> None:
        alive = [child.pid for child in multiprocessing.active_children() if child.pid and child.pid not in killed]
        # A task that ends two processes is given up: the second one is killed a third of the work later.
        if alive and (not killed or (len(killed) < 2 and done > max(killed.values()) + total // 3)):
            killed[alive[-1]] = done
            os.kill(alive[-1], signal.SIGKILL)

    found = apsp.summary(city, method="elimination", executor="processes", threads=1, progress=kill)
    assert killed
    assert np.array_equal(found.eccentricity, apsp.eccentricity(city))


def test_nothing_is_left(city: apsp.Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with ThreadPoolExecutor(2) as threads:
        blocks = apsp.stream(city, rows=30, method="elimination", executor=threads)
        next(blocks)
        assert {path.name for path in tmp_path.glob("*/*")} == {"job", "preparation"}
        blocks.close()
    assert not list(tmp_path.iterdir())
    reference = worker.JobReference("key", str(tmp_path / "gone" / "job"), "0")
    (tmp_path / "gone").mkdir()
    assert preparation.written(preparation.Preparation(None, "elimination", {}), reference)  # after the caller has left
    assert not list(tmp_path.iterdir())


def test_a_mapped_file(tmp_path: Path) -> None:
    path = tmp_path / "thing"
    thing = {"a": np.arange(1000), "none": np.empty(0), "text": "words", "b": np.ones((3, 4), np.uint16)}
    write_mapped(path, thing)
    for found in (mapped(path), unpacked(path.read_bytes())):
        assert found["text"] == "words"
        for name in ("a", "none", "b"):
            assert np.array_equal(found[name], thing[name])
            assert found[name].dtype == thing[name].dtype
    found = mapped(path)
    found["a"][:] = 0  # only here
    assert np.array_equal(mapped(path)["a"], thing["a"])
    assert found["a"].ctypes.data % 64 == 0
    assert [each.name for each in tmp_path.iterdir()] == ["thing"]
    path.unlink()
    assert found["b"].sum() == 12
