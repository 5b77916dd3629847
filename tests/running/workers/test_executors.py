"""Measures and streams with an executor give what they give without."""

import os
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import ExecutorError, NegativeCycleError, RequestError
from apsp.running.workers import worker
from apsp.running.workers.job_file import JobReference
from examples import examples
from executors import AtOnce


def graph_of(n, m, seed, *, floats=False, directed=True):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 9, m) * (0.37 if floats else 1)
    names = [f"v{k}" for k in range(n)]
    return apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=directed, labels=names)


@given(
    n=st.integers(1, 30), m=st.integers(0, 90), seed=st.integers(0, 99), floats=st.booleans(), directed=st.booleans(),
    is_far=st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(40), deadline=None)
def test_every_measure(n, m, seed, floats, directed, is_far):
    graph = graph_of(n, m, seed, floats=floats, directed=directed)
    some = [f"v{k}" for k in range(0, n, 3)]
    calls = {
        apsp.summary: {"bins": 4, "columns": True},
        apsp.closeness_centrality: {"vertices": some},
        apsp.harmonic_centrality: {"direction": "in"},
        apsp.farness: {},
        apsp.eccentricity: {"sources": some},
        apsp.average_shortest_path_length: {},
        apsp.wiener_index: {},
        apsp.global_efficiency: {},
        apsp.distance_histogram: {"edges": [0, 2, 9]},
        apsp.accessibility: {"weights": np.arange(n), "cutoffs": [2, 5]},
    }
    for measure, options in calls.items():
        alone = measure(graph, **options)
        spread = measure(graph, executor=AtOnce(is_far=is_far), **options)
        if measure is apsp.summary:
            assert alone.diameter == pytest.approx(spread.diameter, rel=1e-14)
            if not floats:  # sums of floats may be rounded in another order
                assert alone.farthest_pair == spread.farthest_pair
                assert alone.center == spread.center
                assert alone.histogram() == spread.histogram()
            np.testing.assert_allclose(alone.farness("in"), spread.farness("in"), rtol=1e-14)
        elif measure is apsp.accessibility:
            np.testing.assert_allclose(alone.values, spread.values, rtol=1e-14)
        elif measure is apsp.distance_histogram:
            assert floats or alone == spread
        else:
            np.testing.assert_allclose(alone, spread, rtol=1e-14)


@given(
    n=st.integers(1, 30), m=st.integers(0, 90), seed=st.integers(0, 99), floats=st.booleans(), k=st.integers(1, 5),
    is_far=st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(30), deadline=None)
def test_nearest_vertices(n, m, seed, floats, k, is_far):
    graph = graph_of(n, m, seed, floats=floats)
    for sources in (None, [f"v{v}" for v in range(n - 1, 0, -3)] * 2):
        alone = apsp.k_nearest(graph, k, sources=sources, cutoff=9)
        found = apsp.k_nearest(graph, k, sources=sources, cutoff=9, rows=4, executor=AtOnce(is_far=is_far))
        assert found.sources.tolist() == alone.sources.tolist()
        assert found.vertices.tolist() == alone.vertices.tolist()
        assert found.distances.dtype == alone.distances.dtype
        assert np.array_equal(found.distances, alone.distances)


def test_nearest_vertices_by_processes():
    graph = graph_of(60, 300, 2)
    found, alone = apsp.k_nearest(graph, 3, executor="processes"), apsp.k_nearest(graph, 3)
    assert found.to_long()["target"].tolist() == alone.to_long()["target"].tolist()
    assert np.array_equal(found.distances, alone.distances)
    with pytest.raises(RequestError, match="k must"):
        apsp.k_nearest(graph, 0, executor=AtOnce())


@pytest.mark.parametrize("rows", [None, 1, 7])
def test_blocks_come_in_order(rows):
    graph = graph_of(40, 120, 1)
    sources = [f"v{k}" for k in range(39, 5, -1)]
    alone = apsp.solve(graph, sources=sources, targets=["v3", "v9"], paths=True)
    with ThreadPoolExecutor(3) as threads:
        blocks = list(
            apsp.stream(graph, sources=sources, targets=["v3", "v9"], paths=True, rows=rows, executor=threads)
        )
    assert np.array_equal(np.concatenate([block.distances for block in blocks]), alone.distances)
    assert np.concatenate([block.sources for block in blocks]).tolist() == sources
    assert blocks[0].targets.tolist() == ["v3", "v9"]
    assert all(block.predecessors.shape[1] == 40 for block in blocks)
    if rows is not None:
        assert {len(block.sources) for block in blocks[:-1]} == {rows}


def test_processes():
    graph = graph_of(60, 200, 2)
    said = []
    spread = apsp.summary(graph, executor="processes", progress=lambda *told: said.append(told))
    assert np.array_equal(spread.eccentricity, apsp.summary(graph).eccentricity)
    assert said[-1][1:] == (60, 60)


def test_a_far_worker_is_sent_the_graph_when_it_lacks_it():
    graph, far, near = graph_of(60, 200, 2), AtOnce(is_far=True), AtOnce()
    for executor in (far, near):
        assert apsp.eccentricity(graph, executor=executor).tolist() == apsp.eccentricity(graph).tolist()
    assert far.sent == 1
    assert near.sent == 0


def test_nothing_is_left(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    graph = graph_of(60, 200, 2)
    with ThreadPoolExecutor(2) as threads:
        blocks = apsp.stream(graph, rows=1, executor=threads)
        next(blocks)
        assert list(tmp_path.iterdir())
        blocks.close()
        assert not list(tmp_path.iterdir())

        def interrupt(stage, done, total):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            apsp.summary(graph, executor=threads, progress=interrupt)
    assert not list(tmp_path.iterdir())


def test_errors_of_the_work_come_back():
    cycle = apsp.from_edges([0, 1, 2], [1, 2, 0], [1, 1, -5])
    with pytest.raises(NegativeCycleError) as refused:
        apsp.summary(cycle, executor=AtOnce())
    assert sorted(refused.value.cycle[:3]) == [0, 1, 2]
    with pytest.raises(apsp.UnknownMethodError):
        apsp.summary(graph_of(5, 9, 0), method="no such method", executor=AtOnce())


def test_labels_that_cannot_be_sent():
    graph = apsp.from_edges([0, 1], [1, 2], [1, 2], labels=[lambda: 0, lambda: 1, lambda: 2])
    with pytest.raises(ExecutorError, match="its labels must be objects that pickle takes"):
        apsp.summary(graph, executor="processes")
    apsp.summary(graph)


@pytest.mark.parametrize("executor", [3, "threads", None.__class__, ThreadPoolExecutor])
def test_what_is_no_executor(executor):
    with pytest.raises(RequestError, match="executor must be 'processes'"):
        apsp.summary(graph_of(5, 9, 0), executor=executor)


def test_arguments_of_one_machine(tmp_path):
    graph, executor = graph_of(5, 9, 0), AtOnce()
    for call in (
        lambda: apsp.closeness_centrality(graph, top=2, executor=executor),
        lambda: apsp.summary(graph, pages_file=tmp_path / "pages", executor=executor),
    ):
        with pytest.raises(RequestError, match="leave out"):
            call()


class Refusing(AtOnce):
    """Raises an error at the task of this number."""

    def __init__(self, error, at):
        super().__init__()
        self.error, self.at = error, at

    def submit(self, function, /, *arguments):
        """Raise it from the future."""
        future = super().submit(function, *arguments)
        if self.tasks < self.at:
            return future
        failed = Future()
        failed.set_exception(self.error)
        return failed


@pytest.mark.parametrize("at", [1, 2, 5])
def test_an_engine_that_fails(at):
    graph = graph_of(60, 200, 2)
    with pytest.raises(ExecutorError, match="a worker of Refusing failed: BrokenExecutor: 'a worker ended'"):
        apsp.summary(graph, executor=Refusing(BrokenExecutor("a worker ended"), at))
    with pytest.raises(ExecutorError, match="install apsp in the environment of the workers"):
        apsp.summary(graph, executor=Refusing(ModuleNotFoundError("No module named 'apsp'"), at))


class Growing(ThreadPoolExecutor):
    """Says that it has one worker, and four after some tasks."""

    def __init__(self):
        super().__init__(1)
        self.begun, self.most = 0, {1: 0, 4: 0}

    @property
    def num_workers(self):
        """As of now."""
        return 1 if self.begun < 3 else 4

    def submit(self, function, /, *arguments):
        """Count the tasks that wait."""
        self.most[self.num_workers] = max(self.most[self.num_workers], self._work_queue.qsize() + 1)
        self.begun += 1
        return super().submit(function, *arguments)


def test_workers_that_come_later_get_tasks():
    graph = graph_of(400, 1600, 2)
    with Growing() as engine:
        found = apsp.summary(graph, method="reference", executor=engine)
    assert np.array_equal(found.eccentricity, apsp.eccentricity(graph))
    assert engine.most[1] <= 2
    assert engine.most[4] > 3


def test_an_engine_that_is_closed():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(ExecutorError, match="ThreadPoolExecutor took no task: RuntimeError"):
        apsp.summary(graph_of(5, 9, 0), executor=pool)


def test_workers_of_another_version():
    found = worker.plan_task(JobReference("key", "/no/file", "0.0"), None, 1)
    with pytest.raises(ExecutorError, match=r"a worker has apsp .* and the caller 0\.0: install the same version"):
        raise found.error


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed")
def test_a_killed_worker():
    graph = graph_of(60, 200, 2)
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os._exit, 1).exception()
        with pytest.raises(ExecutorError, match=r"BrokenProcessPool: .*The usual cause is lack of memory"):
            apsp.summary(graph, executor=pool)


def test_workers_of_this_machine_stop_when_the_caller_does(monkeypatch, tmp_path):
    path = tmp_path / "job"
    path.touch()
    look = worker._looking(JobReference("key", str(path), "0"))
    look("rows", 0, 1)
    path.unlink()
    now = worker.time.monotonic() + 10
    monkeypatch.setattr(worker.time, "monotonic", lambda: now)
    with pytest.raises(worker._Cancelled):
        look("rows", 1, 1)


@pytest.mark.gpu
@pytest.mark.usefixtures("cupy")
def test_processes_on_gpus():
    graph = graph_of(300, 1200, 2)
    found = apsp.summary(graph, device="cuda", executor="processes")
    assert np.array_equal(found.eccentricity, apsp.eccentricity(graph, device="cpu"))
