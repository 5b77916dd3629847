"""apsp.spmd with device='cuda', in processes that mpiexec or torchrun starts; emulated GPUs, or real ones."""

import os

import numpy as np
import pytest

import apsp
import apsp.spmd
from apsp import DeviceError, RequestError
from apsp.gpu import jit
from apsp.spmd import devices
from spmd.conftest import launched

EMULATED = """
import atexit, ctypes, mmap, os, sys, uuid, zlib
from concurrent.futures import Future
from types import SimpleNamespace
import numpy as np
import apsp, apsp.spmd
from apsp.spmd import devices
from apsp.spmd.starting import joined
from apsp.errors import DeviceError
from apsp.gpu import gpus as known
from apsp.gpu.emulated.run import entered
from apsp.methods import gpu_connection, nccl
from apsp.system.machine import Gpu
from apsp.system.array_device import to_host
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
    def abort(self):
        pass

nccl._loaded = lambda: SimpleNamespace(
    NCCL_UINT8=1, NcclCommunicator=Communicator,
    get_unique_id=lambda: os.urandom(128),
)

class Ipc:
    # memory that processes share in place of that of a GPU
    def _mapped(self, path, size):
        with open(path, "r+b") as file:
            map = mmap.mmap(file.fileno(), size)
        return map, ctypes.addressof(ctypes.c_byte.from_buffer(map))
    def memory(self, size):
        path = f"{sys.argv[2]}/{uuid.uuid4().hex}"
        with open(path, "wb") as file:
            file.truncate(size)
        return *self._mapped(path, size), path.encode()
    def open_memory(self, handle):
        self.opened = getattr(self, "opened", {})
        map, place = self._mapped(handle, os.path.getsize(handle))
        self.opened[place] = map
        return place
    def close_memory(self, place):
        del self.opened[place]
    def event(self):
        return SimpleNamespace(record=lambda stream: None), b""
    def open_event(self, handle):
        return 1
    def close_event(self, event):
        pass
    def wait(self, stream, event):
        assert event == 1
    def copy(self, target, source, size, stream):
        ctypes.memmove(target, source, size)

def no_line(*_):
    raise DeviceError("the GPUs of other processes are hidden")

by = sys.argv[3]
gpu_connection.Ipc = Ipc
if by == "NCCL":
    gpu_connection.PeerLine = no_line

class NoThread:
    # MPI connects in the thread that also sends all else; NCCL needs no MPI for that
    def __init__(self, *_):
        pass
    def submit(self, connect, *arguments):
        future = Future()
        future.set_result(connect(*arguments))
        return future

gpu_connection.Threads = NoThread
gpus = (Gpu("emulated", 1 << 30, 1 << 30, (7, 0), multiprocessors=16, clock=10**9),) * int(sys.argv[1])
devices.with_gpus = known.with_gpus = lambda machine: SimpleNamespace(gpus=gpus)
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
            assert result.info.get("connected_by", by) == by, result.info
            assert ("seconds_to_connect" in result.info) == (world.size > 1)
        store = f"{folder}/{dtype}.zarr"
        stored = apsp.spmd.solve(given, block=32, device="cuda", store=store, paths=True, checkpoint_seconds=0)
        if world.rank == 0:
            assert np.array_equal(to_host(stored.distances), result.distances)
            stored.verify()
        os.unlink(f"{store}/distances/c/0/0") if world.rank == 0 else None
        world.allgather(None)
        try:
            apsp.spmd.solve(given, store=store, paths=True)
        except apsp.RequestError as error:
            os.write(1, b"another device " if "has device='cuda'" in str(error) else str(error).encode())
        os.write(1, b"done ")
"""


@pytest.mark.few(1)
@launched(2, 1, 4)
@pytest.mark.parametrize("by", ["peer copies", "NCCL"])
def test_emulated(tmp_path, started, launcher, processes, by):
    pytest.importorskip("zarr")
    code, said, errors = started(EMULATED, processes, tmp_path, by, launcher=launcher, processes=processes)
    assert code == 0, errors
    assert said.count("done") == 2 * processes
    assert said.count("another device") == 2 * processes


@pytest.mark.slow
def test_fewer_gpus_than_processes(tmp_path, started):
    code, said, errors = started(EMULATED, 2, tmp_path, "NCCL", processes=3)
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
    assert "The 4 GPUs are connected by peer copies on one host, in about 10 ms; by NCCL on" in planned.explain()
    alone = apsp.spmd.plan(graph, processes=1, dtype="float32", device="cuda")
    assert "connected" not in alone.explain()
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


ON_ONE_GPU = """
from apsp.spmd import devices
devices._own = lambda everywhere, place: 0
"""

BY_NCCL = """
from apsp.errors import DeviceError
from apsp.methods import gpu_connection
def no_line(*_):
    raise DeviceError("as on several hosts")
gpu_connection.PeerLine = no_line
"""

OF_HOSTS = """
import os
from apsp.system.engine.launcher import started_rank
os.environ.update(NCCL_HOSTID=f"host{started_rank()}", NCCL_SOCKET_IFNAME="lo", NCCL_IB_DISABLE="1")
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
@pytest.mark.usefixtures("cupy")
@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
@pytest.mark.parametrize("processes", [2, 4])
def test_peer_copies(started, launcher, processes):
    """All processes have a GPU of their own, or all the same one."""
    enough = jit.cupy().cuda.runtime.getDeviceCount() >= processes
    code, _, errors = started(
        REAL if enough else ON_ONE_GPU + REAL, 700, *[3001] * enough, launcher=launcher, processes=processes
    )
    assert code == 0, errors


@pytest.mark.gpu
@pytest.mark.parametrize("launcher", ["mpiexec", "torchrun"])
@pytest.mark.parametrize("processes", [2, 4])
def test_nccl(started, launcher, processes):
    nccl = pytest.importorskip("cupy.cuda.nccl")
    if not nccl.available:
        pytest.skip("needs NCCL")
    if jit.cupy().cuda.runtime.getDeviceCount() >= processes:
        code, _, errors = started(BY_NCCL + REAL, 700, 3001, launcher=launcher, processes=processes)
    elif int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > 1:
        pytest.skip("on one GPU, NCCL waits for each process in turn: run this test without -n")
    else:  # all on one GPU, which NCCL takes for those of different hosts
        code, _, errors = started(
            ON_ONE_GPU + BY_NCCL + OF_HOSTS + REAL, 700, launcher=launcher, processes=processes
        )  # fmt: skip
    assert code == 0, errors


def test_devices_are_validated():
    assert devices.device_of("cuda") == "cuda"
    for wrong in ("gpu", "cuda:1", None, 3):
        with pytest.raises(RequestError):
            devices.device_of(wrong)
    assert np.isfinite(devices.rates().pairs["float32"])
