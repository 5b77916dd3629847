"""apsp.spmd with device='cuda', in processes that mpiexec or torchrun starts; emulated GPUs, or real ones."""

import os

import numpy as np
import pytest

import apsp
import apsp.spmd
from apsp import DeviceError, RequestError
from apsp.api.spmd import devices
from apsp.gpu import jit

EMULATED = """
import atexit, ctypes, os, sys, zlib
from types import SimpleNamespace
import numpy as np
import apsp, apsp.spmd
from apsp.api.spmd import devices
from apsp.api.spmd.starting import joined
from apsp.gpu.emulated.run import entered
from apsp.methods import nccl
from apsp.system.machine import Gpu
joining = joined()
world = joining.__enter__()
atexit.register(joining.__exit__, None, None, None)

class Communicator:
    # all processes connect their rows, then their columns
    def __init__(self, size, name, place):
        self.line = world.split(zlib.crc32(name) % 2**30)
        assert (self.line.size, self.line.rank) == (size, place)
    def broadcast(self, source, target, count, kind, root, stream):
        bytes = (ctypes.c_byte * count).from_address(target)
        self.line.broadcast(np.frombuffer(bytes, dtype=np.uint8), root).wait()
    def destroy(self):
        self.line.free()

nccl._loaded = lambda: SimpleNamespace(
    NCCL_UINT8=1, NcclCommunicator=Communicator,
    get_unique_id=lambda: os.urandom(128),
)
gpus = (Gpu("emulated", 1 << 30, 1 << 30, (7, 0), multiprocessors=16, clock=10**9),) * int(sys.argv[1])
devices.with_gpus = lambda machine: SimpleNamespace(gpus=gpus)
folder = sys.argv[2]

def graph_of(dtype, n=150):
    rng = np.random.default_rng(7)
    weights = rng.random(3 * n) if dtype == "float32" else rng.integers(1, 50, 3 * n)
    return apsp.from_edges(rng.integers(0, n, 3 * n), rng.integers(0, n, 3 * n), weights.astype(dtype), n=n)

with entered(len(gpus), 1 << 28):
    for dtype in ("int32", "float32"):
        graph = graph_of(dtype)
        given = graph if world.rank == 0 else None
        try:
            result = apsp.spmd.solve(given, block=32, device="cuda")
        except apsp.DeviceError as error:
            os.write(1, f"{error}".encode())
            continue
        if world.rank == 0:
            expected = apsp.solve(graph, method="dijkstra", device="cpu").distances
            assert np.allclose(result.distances, expected, rtol=1e-5)
            assert (dtype == "float32") or np.array_equal(result.distances, expected)
            assert result.info["device"] == "cuda", result.info
        store = f"{folder}/{dtype}.zarr"
        stored = apsp.spmd.solve(given, block=32, device="cuda", store=store, paths=True, checkpoint_seconds=0)
        if world.rank == 0:
            assert np.array_equal(stored.to_numpy(), result.distances)
            stored.verify()
        os.unlink(f"{store}/distances/c/0/0") if world.rank == 0 else None
        world.allgather(None)
        try:
            apsp.spmd.solve(given, store=store, paths=True)
        except apsp.RequestError as error:
            os.write(1, b"another device " if "has device='cuda'" in str(error) else str(error).encode())
        os.write(1, b"done ")
"""


@pytest.mark.parametrize(
    ("launcher", "processes"), [("mpiexec", 1), ("mpiexec", 2), ("mpiexec", 4), ("torchrun", 2), ("torchrun", 4)]
)
def test_emulated(tmp_path, started, launcher, processes):
    pytest.importorskip("zarr")
    code, said, errors = started(EMULATED, processes, tmp_path, launcher=launcher, processes=processes)
    assert code == 0, errors
    assert said.count("done") == 2 * processes
    assert said.count("another device") == 2 * processes


def test_fewer_gpus_than_processes(tmp_path, started):
    code, said, errors = started(EMULATED, 2, tmp_path, processes=3)
    assert code == 0, errors
    assert said.count("3 processes of one machine share 2 GPUs: start one process per GPU") == 6


def test_which_gpu():
    assert [devices._own([["a", "b"]] * 2, place) for place in range(2)] == [0, 1]
    assert [devices._own([["a"], ["b"]], place) for place in range(2)] == [0, 0]  # a launcher shows each its own
    assert [devices._own([[None, "b", "c"]] * 2, place) for place in range(2)] == [1, 2]
    with pytest.raises(DeviceError, match="2 processes of one machine share 1 GPU:"):
        devices._own([["a"]] * 2, 1)


def test_plans():
    graph = apsp.generate("random", 3000, m=9000, seed=1)
    planned = apsp.spmd.plan(graph, processes=4, dtype="float32", device="cuda")
    assert planned.bytes_needed(0) == 4 * 3000**2
    assert planned.bytes_needed(1) == 0
    assert planned.seconds < apsp.spmd.plan(graph, processes=4, dtype="float32").seconds
    assert "for panels on its GPU" in planned.explain()
    assert "on one GPU per process (rates" in planned.explain()
    acyclic = apsp.from_dense(np.triu(np.ones((900, 900)), 1), absent=0)
    bits = apsp.spmd.plan_reachable(acyclic, processes=4, device="cuda")
    assert 0 < bits.seconds < apsp.spmd.plan_reachable(acyclic, processes=4).seconds
    assert "on one GPU per process" in bits.explain()
    for plan in (apsp.spmd.plan, apsp.spmd.plan_reachable):
        with pytest.raises(RequestError, match="device"):
            plan(graph, processes=4, device="emulated")


@pytest.mark.skipif(jit.why_no_gpu() is None, reason="there is a GPU")
def test_without_a_gpu():
    pytest.importorskip("mpi4py")
    graph = apsp.from_edges([0], [1], [1])
    with pytest.raises(DeviceError, match="device='cpu'"):
        apsp.spmd.solve(graph, device="cuda")
    with pytest.raises(DeviceError, match="device='cpu'"):
        apsp.spmd.reachable(graph, device="cuda")


SHARED = """
import os
from apsp.api.spmd import devices
from apsp.system.engine.launcher import started_rank
os.environ.update(NCCL_HOSTID=f"host{started_rank()}", NCCL_SOCKET_IFNAME="lo", NCCL_IB_DISABLE="1")
devices._own = lambda everywhere, place: 0
"""

REAL = """
import sys
import numpy as np
import apsp, apsp.spmd
from apsp.system.engine.launcher import started_rank
first = started_rank() == 0
rng = np.random.default_rng(7)
for n in map(int, sys.argv[1:]):
    for weights in (rng.random(5 * n, dtype=np.float32), rng.integers(1, 50, 5 * n)):
        graph = apsp.from_edges(rng.integers(0, n, 5 * n), rng.integers(0, n, 5 * n), weights, n=n)
        for block in (None, 96):
            result = apsp.spmd.solve(graph, device="cuda", block=block)
            if first:
                found = result.distances
                expected = apsp.solve(graph, device="cpu", dtype=found.dtype.name).distances
                np.testing.assert_allclose(found, expected, rtol=1e-5 if found.dtype.kind == "f" else 0)
        sparse = apsp.from_edges(rng.integers(0, n, n), rng.integers(0, n, n), n=n)
        for block in (None, 64):
            found = apsp.spmd.reachable(sparse, device="cuda", block=block)
            assert not first or found.bits.tobytes() == apsp.reachable(sparse, device="cpu").bits.tobytes()
"""


@pytest.mark.gpu
@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
@pytest.mark.parametrize("processes", [2, 4])
def test_real(started, launcher, processes):
    nccl = pytest.importorskip("cupy.cuda.nccl")
    if not nccl.available:
        pytest.skip("needs NCCL")
    if jit.cupy().cuda.runtime.getDeviceCount() >= processes:
        code, _, errors = started(REAL, 700, 3001, launcher=launcher, processes=processes)
    elif int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1:
        pytest.skip("on one GPU, NCCL waits for each process in turn: run this test without -n")
    else:  # all on one GPU, which NCCL takes for those of different hosts
        code, _, errors = started(SHARED + REAL, 700, launcher=launcher, processes=processes)
    assert code == 0, errors


def test_devices_are_validated():
    assert devices.device_of("cuda") == "cuda"
    for wrong in ("gpu", "cuda:1", None, 3):
        with pytest.raises(RequestError):
            devices.device_of(wrong)
    assert np.isfinite(devices.rates().pairs["float32"])
