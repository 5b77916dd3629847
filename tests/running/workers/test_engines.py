"""Engines of other packages, where they are installed."""

import os
import signal
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

import apsp
from apsp.running.workers import tasks
from mpi_launcher import AS_ROOT, mpiexec


@pytest.fixture
def graph():
    return apsp.generate("random", 300, m=900, weights=(1, 50), seed=5)


@pytest.mark.slow
def test_loky(graph):
    loky = pytest.importorskip("loky")
    with loky.get_reusable_executor(2) as executor:
        found = apsp.summary(graph, executor=executor)
    assert np.array_equal(found.eccentricity, apsp.eccentricity(graph))


def test_dask(graph):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        found = apsp.summary(graph, executor=client)
        assert np.array_equal(found.eccentricity, apsp.eccentricity(graph))
        with pytest.raises(apsp.NegativeCycleError):
            apsp.summary(apsp.from_edges([0, 1], [1, 0], [1, -2]), executor=client)


def test_dask_sends_what_a_worker_has_prepared(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as Dask does, which does not restore it
    city, sent = apsp.generate("city", 900, seed=3), []
    scatter = distributed.Client.scatter

    def counted(client, thing, **options):
        sent.append(thing)
        return scatter(client, thing, **options)

    monkeypatch.setattr(distributed.Client, "scatter", counted)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        found = apsp.summary(city, method="elimination", executor=client)
    assert np.array_equal(found.eccentricity, apsp.eccentricity(city))
    job, preparation = sent
    assert job.graph == city
    assert preparation.method == "elimination"
    assert len(preparation.arrays["order"]) == city.n


def test_dask_workers_may_come_late(graph):
    """As those of a queue of batch jobs; Dask itself waits for the timeout of the client."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=0, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster, timeout=0.5) as client,
    ):
        later = threading.Timer(1.5, cluster.scale, [2])
        later.start()
        found = apsp.summary(graph, executor=client)
        later.join()
    assert np.array_equal(found.eccentricity, apsp.eccentricity(graph))


@pytest.mark.slow
def test_all_workers_that_have_the_graph_are_lost(graph, monkeypatch):
    """Dask cancels the tasks, as it has no other copy: the graph is sent again, a few times."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as Dask does, which does not restore it
    killed = []
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):

        def kill(stage, done, total):
            if len(killed) < most:  # afterwards there may be no worker left
                (pid,) = client.run(os.getpid).values()
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

        most = 1
        found = apsp.summary(graph, executor=client, method="reference", progress=kill)
        assert np.array_equal(found.eccentricity, apsp.eccentricity(graph))
        assert len(killed) == 1
        monkeypatch.setattr(tasks, "_SENDINGS", 1)
        most = 2
        with pytest.raises(
            apsp.ExecutorError, match=r"lost all workers with the graph\. The usual cause is lack of memory"
        ):
            apsp.summary(graph, executor=client, method="reference", progress=kill)


def test_a_client_that_is_closed(graph):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        client = distributed.Client(cluster)
        client.close()
        for call in (partial(apsp.summary, graph), partial(apsp.plan, graph)):
            with pytest.raises(apsp.ExecutorError, match="the Dask cluster does not answer"):
                call(executor=client)


PROGRAM = """
import apsp
from mpi4py.futures import MPIPoolExecutor
if __name__ == "__main__":
    graph = apsp.generate("random", 300, m=900, weights=(1, 50), seed=5)
    with MPIPoolExecutor() as pool:
        found = apsp.summary(graph, executor=pool)
        print(pool.num_workers, *found.eccentricity)
"""


def started_by_mpi(path, text, *options):
    """Run a program in three processes and return what it printed."""
    pytest.importorskip("mpi4py")
    program = path / "program.py"
    program.write_text(text)
    command = [mpiexec(), "-n", "3", sys.executable, *options, program]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **AS_ROOT}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_mpi(graph, tmp_path):
    workers, *found = map(int, started_by_mpi(tmp_path, PROGRAM, "-m", "mpi4py.futures").split())
    assert workers == 2
    assert found == apsp.eccentricity(graph).tolist()


SPMD = """
import apsp
import apsp.spmd
from mpi4py import MPI
first = MPI.COMM_WORLD.rank == 0
graph = apsp.generate("random", 300, m=900, weights=(1, 50), seed=5)
said = []
result = apsp.spmd.solve(graph if first else None, block=32, progress=lambda *told: said.append(told))
assert (result is not None) == first
if first:
    result.verify()
    assert (result.distances == apsp.solve(graph).distances).all()
    assert result.info["processes"] == 3 and result.info["grid"] == [1, 3], result.info
    assert said[-1][1:] == (300, 300), said
for wrong in (
    {"graph": apsp.from_edges([0, 1], [1, 0], [1, -2])}, {"graph": None}, {"graph": graph, "block": 0},
    {"graph": graph, "dtype": "int8"}, {"graph": graph, "semiring": "plus"},
):
    try:
        apsp.spmd.solve(**wrong)
    except apsp.ApspError as error:
        print(type(error).__name__, flush=True)
"""


@pytest.mark.slow
def test_spmd(tmp_path):
    said = started_by_mpi(tmp_path, SPMD)
    assert said.count("NegativeCycleError") == 3
    assert said.count("RequestError") == 12
