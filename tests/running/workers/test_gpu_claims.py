"""Workers of any engine claim a GPU each."""

import gc
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from types import SimpleNamespace

import numpy as np
import pytest

import apsp
from apsp import ExecutorError, RequestError
from apsp import __version__ as version
from apsp.facts.request import Request
from apsp.gpu import jit
from apsp.planning.shared import SharedWork
from apsp.planning.words import shared_words
from apsp.running.workers import distribution, worker
from apsp.running.workers.job_file import JobReference
from apsp.running.workers.row_job import RowJob
from apsp.system.engine import gpu_claim

GRAPH = apsp.from_edges([0, 1, 2], [1, 2, 0], [3, 1, 2])


@pytest.fixture
def own_gpu(monkeypatch, tmp_path):
    """A function that returns the device of a worker, which is a thread, on a machine with some GPUs."""

    def device_of(gpus=2, rank=None, device="cuda", chosen=None):
        monkeypatch.setattr(worker, "names_of_gpus", lambda: [f"GPU {number}" for number in range(gpus)])
        monkeypatch.setattr(worker, "local_rank", lambda: rank)
        job = RowJob(GRAPH, None, None, Request(device=device or "auto"))
        options = replace(job.options, device=chosen or job.options.device)
        reference = JobReference("key", str(tmp_path / "job"), "0")
        return worker._on_own_gpu(job, options, reference, seconds=0.2).named_device

    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second, ThreadPoolExecutor(1) as third:
        pools = first, second, third
        yield lambda which, *arguments, **options: pools[which].submit(device_of, *arguments, **options).result()


def test_workers_of_one_machine_claim_a_gpu_each(own_gpu):
    assert own_gpu(0) == "cuda:0"
    assert own_gpu(1) == "cuda:1"
    assert own_gpu(0) == "cuda:0"  # of the same job
    with pytest.raises(ExecutorError, match=r"on .*, all GPUs \(2\) have a worker: start one worker per GPU, or name"):
        own_gpu(2)


def test_a_worker_begins_with_the_gpu_of_its_number(own_gpu):
    assert own_gpu(0, rank=5) == "cuda:1"
    assert own_gpu(1, rank=1) == "cuda:0"  # a pool in a job of MPI has the number of its parent


def test_gpus_that_the_plan_chose_are_shared_evenly(own_gpu):
    assert own_gpu(0, device=None, chosen="cuda") == "cuda:0"
    assert own_gpu(1, device=None, chosen="cuda") == "cuda:1"
    assert own_gpu(2, device=None, chosen="cuda") == "cuda:0"


def test_workers_that_claim_nothing(own_gpu, tmp_path):
    assert own_gpu(0, gpus=1) == "cuda"  # claimed, and not named
    with pytest.raises(ExecutorError, match=r"all GPUs \(1\)"):
        own_gpu(1, gpus=1)
    for device in ("cuda:0", "cuda:0,1", "cpu", "emulated"):
        assert own_gpu(1, device=device) == device
    assert own_gpu(1, device=None, chosen="cpu") == "cpu"


@pytest.mark.slow
def test_the_next_job_begins_with_the_gpu_of_the_last_one(monkeypatch, tmp_path):
    monkeypatch.setattr(worker, "names_of_gpus", lambda: ["a", None, "c", "d"])
    monkeypatch.setattr(worker, "local_rank", lambda: None)
    job = RowJob(GRAPH, None, None, Request(device="cuda"))

    def device(number):
        folder = tmp_path / str(number)
        folder.mkdir(exist_ok=True)
        reference = JobReference(str(number), str(folder / "job"), version)
        worker._job(reference, [job])
        return worker._on_own_gpu(job, job.options, reference).named_device

    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        assert first.submit(device, 1).result() == "cuda:0"
        assert second.submit(device, 1).result() == "cuda:2"  # the second one cannot be used
        assert second.submit(device, 2).result() == "cuda:2"
        assert second.submit(device, 1).result() == "cuda:2"
        assert list((tmp_path / "1").iterdir()) != []
    gc.collect()


CLAIM = """
import sys, time
from pathlib import Path
from apsp.system.engine.gpu_claim import claim_gpu
claim = claim_gpu(["a", "b"], Path(sys.argv[1]))
print(claim.number, flush=True)
time.sleep(60)
"""


def test_a_killed_worker_leaves_its_gpu_to_the_one_that_replaces_it(tmp_path):
    def started():
        process = subprocess.Popen([sys.executable, "-c", CLAIM, tmp_path], stdout=subprocess.PIPE, text=True)
        return process, int(process.stdout.readline())

    workers = [started(), started()]
    try:
        assert sorted(number for _, number in workers) == [0, 1]
        killed, number = workers[1]
        killed.kill()
        workers.append(started())  # it may wait for the end of the other one
        assert workers[2][1] == number
    finally:
        for process, _ in workers:
            process.kill()
            process.communicate()


def test_a_released_gpu_leaves_no_file(tmp_path):
    folder = tmp_path / "of the run"
    first, second = (gpu_claim.claim_gpu(["a", "b"], folder) for _ in range(2))
    first.release()
    assert gpu_claim.claim_gpu(["a", "b"], folder).number == 0
    gc.collect()
    second.release()
    assert not folder.exists()


def test_more_workers_than_gpus_are_refused_at_once(monkeypatch):
    gpus = SimpleNamespace(gpus=(None, None))
    monkeypatch.setattr(distribution, "with_gpus", lambda machine: gpus)
    with (
        ThreadPoolExecutor(3) as pool,
        pytest.raises(RequestError, match=r"3 workers, and this machine has 2 GPUs: st"),
    ):
        apsp.closeness_centrality(GRAPH, device="cuda", executor=pool)
    with ThreadPoolExecutor(3) as pool:
        assert distribution.engine_for(Request(device="cuda:0", executor=pool)).workers == 3
    named, auto = Request(device="cuda"), Request()
    assert distribution.gpus_to_claim("cuda", auto) == distribution.gpus_to_claim("cuda", named) == 2
    assert (
        distribution.gpus_to_claim("cuda", Request(device="cuda:0,1")) == distribution.gpus_to_claim("cpu", auto) == 0
    )


def test_the_plan_says_how_many_workers_there_are_on_how_many_gpus():
    def words(workers, gpus, network=False):
        shared = SharedWork("pool", workers, 1, 9, 9, 0.0, False, 1.0, 1, network, 1, 0, gpus)
        return [each for each in shared_words(shared, "cuda") if "GPU" in each]

    assert words(2, 2) == ["Each worker claims a GPU: 2 workers on 2 GPUs."]
    assert words(1, 1) == ["Each worker claims a GPU: 1 worker on 1 GPU."]
    assert words(4, 2) == ["The workers share the GPUs: 4 workers on 2 GPUs."]
    assert words(4, 2, network=True) == ["Each worker claims a GPU of its host; this machine has 2 GPUs."]
    assert words(4, 0) == []


@pytest.mark.gpu
@pytest.mark.usefixtures("cupy")
def test_a_plain_pool_on_gpus():
    graph, gpus = apsp.generate("random", 300, m=1200, seed=2), int(jit.cupy().cuda.runtime.getDeviceCount())
    expected = apsp.eccentricity(graph, device="cpu")
    with ProcessPoolExecutor(gpus, mp_context=get_context("spawn")) as pool:
        for _ in range(2):
            found = apsp.summary(graph, device="cuda", executor=pool)
            assert np.array_equal(found.eccentricity, expected)
    plan = apsp.plan(graph, for_="summary", device="cuda", executor="processes")
    assert f"Each worker claims a GPU: {gpus} worker" in plan.explain()
