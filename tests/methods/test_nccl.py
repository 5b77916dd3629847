"""Processes with a GPU each, here threads with emulated GPUs and an NCCL that copies."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

import apsp
from apsp import DeviceError, MethodRefusedError, NegativeCycleError, RequestError
from apsp.gpu.emulated.arrays import DeviceArray
from apsp.gpu.emulated.run import carried, entered
from apsp.gpu.page import allocate
from apsp.methods import nccl
from apsp.methods.closure import spmd as bits
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.closure import closure
from apsp.methods.floyd_warshall.spmd import prepare
from apsp.methods.nccl import NcclConnection
from apsp.methods.problem import Problem
from apsp.semiring import SEMIRINGS
from fake_nccl import FakeNccl
from spmd_threads import Saves, StoppedError, all_rows, in_all, joined


def on_gpus(processes, program, names=bytes):
    """Run a program with connected emulated GPUs; also returns what was sent."""
    fake = FakeNccl(names)

    def run(control):
        return program(NcclConnection(control, control.rank, fake))

    with entered(processes, 1 << 28):
        return in_all(processes, carried(run)), fake.sent


def matrix_of(graph, connection, dtype, block, semiring="min_plus"):
    problem = Problem(graph, np.dtype(dtype), semiring=SEMIRINGS[semiring], device="cuda", gpus=(connection.rank,))
    matrix = prepare.prepare(problem, connection, block)
    connection.form(matrix.shape)
    return matrix


def closed(graph, processes, dtype, block, semiring="min_plus"):
    def program(connection):
        matrix = matrix_of(graph, connection, dtype, block, semiring)
        assert isinstance(matrix.page, DeviceArray)
        matrix.close(None)
        return all_rows(matrix, graph.n, 9), matrix.tight_arcs() if semiring == "min_plus" else None

    found, sent = on_gpus(processes, program)
    flags = [each for _, each in found]
    assert all(np.array_equal(flags[0], each) for each in flags)
    return joined([rows for rows, _ in found]), sent, flags[0]


def random_graph(n, m, dtype, seed=1):
    rng = np.random.default_rng(seed)
    weights = rng.random(m) if dtype.startswith("float") else rng.integers(0, 50, m)
    return apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights.astype(dtype), n=n)


@pytest.mark.parametrize("processes", [1, 2, 4])
@pytest.mark.parametrize(("n", "block"), [(70, 16), (53, 9), (5, 8)])
@pytest.mark.parametrize("dtype", ["int32", "float32", "uint16"])
def test_distances(n, block, dtype, processes):
    graph = random_graph(n, 4 * n, dtype.replace("uint16", "int32"))
    found, sent, flags = closed(graph, processes, dtype, block)
    expected = apsp.solve(graph, method="reference", dtype=dtype).distances
    if dtype == "float32":
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    else:
        np.testing.assert_array_equal(found, expected)
        tails, heads = graph.tails(), graph.indices
        np.testing.assert_array_equal(flags, (expected[tails, heads] == graph.arc_weights(np.int64)) & (tails != heads))
    assert bool(sent) == (processes > 1)


@pytest.mark.parametrize("names", [bytes, tuple])  # of CuPy from 14 on, and before
def test_names_of_communicators(names):
    def program(connection):
        connection.form((2, 2))
        page = allocate(connection.rank, 3, 8, np.int32)
        page[:] = connection.rank
        connection.along_row(page, 1).wait()
        return page.get()[0, 0]

    found, _ = on_gpus(4, program, names)
    assert found == [1, 1, 3, 3]


def test_semirings_and_cycles():
    graph = random_graph(40, 90, "int32")
    for semiring in ("max_min", "min_max"):
        found, _, _ = closed(graph, 4, "int32", 8, semiring)
        np.testing.assert_array_equal(found, apsp.solve(graph, semiring=semiring, dtype="int32").distances)
    cycle = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [4, -3, 2, 0], n=9)
    with pytest.raises(NegativeCycleError, match="of length -1"):
        closed(cycle, 4, "int32", 2)


class BitsOnGpu(CpuBitsBackend):
    """Pages as those of a GPU, in padded rows; kernels of the CPU, since those of bits are not emulated."""

    def __init__(self, gpu):
        super().__init__(1)
        self.gpu = gpu

    def allocate(self, rows, columns, dtype):
        return allocate(self.gpu, rows, columns, dtype)

    def fill(self, page, *arguments):
        super().fill(page.view(np.ndarray), *arguments)

    def close_tile(self, page, *arguments):
        return super().close_tile(page.view(np.ndarray), *arguments)

    def update(self, c, a, b, algebra):
        super().update(*(each.view(np.ndarray) for each in (c, a, b)), algebra)

    def copy(self, source, target):
        super().copy(source.view(np.ndarray), target.view(np.ndarray))


@pytest.mark.parametrize("processes", [1, 2, 4])
@pytest.mark.parametrize(("n", "block"), [(300, 64), (257, 128), (40, 64)])
def test_bits(n, block, processes, monkeypatch):
    monkeypatch.setattr(bits, "_backend", lambda _threads, gpu: BitsOnGpu(gpu))
    graph = random_graph(n, 2 * n, "int32", seed=n)

    def program(connection):
        matrix = bits.prepare(graph, bits.condensation(graph), connection, block, 1, connection.rank)
        connection.form(matrix.shape)
        matrix.close(None)
        return all_rows(matrix, n, 50)

    found, _ = on_gpus(processes, program)
    assert joined(found).tobytes() == closure(graph).tobytes()


def test_zones_are_refused():
    graph = apsp.from_edges([0, 1], [1, 2], [1, 1], zones=[True, False, True])
    bits.refuse(graph, "cpu")
    with pytest.raises(MethodRefusedError, match="zones"):
        bits.refuse(graph, "cuda")


def test_checkpoints(tmp_path):
    graph = random_graph(50, 600, "float32")

    def run(last, first):
        def program(connection):
            matrix = matrix_of(graph, connection, "float32", 6)
            files = matrix.checkpoints(tmp_path / "saved")
            try:
                if first:
                    files.read(first)
                matrix.close(None, first=first, saving=Saves(files, last, before=connection.rank % 2 == 0))
                return all_rows(matrix, graph.n)
            except StoppedError:
                return files.steps
            finally:
                files.close()

        return on_gpus(4, program)[0]

    common = set.intersection(*map(set, run(4, 0)))
    on_cpu = Problem(graph, np.dtype(np.float32))
    with pytest.raises(RequestError, match="kernels for cuda, not cpu"):
        in_all(4, lambda connection: prepare.prepare(on_cpu, connection, 6).checkpoints(tmp_path / "saved"))
    assert joined(run(None, max(common))).tobytes() == closed(graph, 4, "float32", 6)[0].tobytes()


class Queues:
    """Streams and events that write down what is queued."""

    def __init__(self):
        self.said = said = []

        class Stream:
            def __init__(self, name="sending", **_):
                self.name = self.ptr = name

            def wait_event(self, event):
                said.append((self.name, "waits for", event.after))

        class Event:
            def __init__(self, **_):
                self.after = None

            def record(self, stream):
                self.after = (stream.name, len(said))

        class Device:
            def __init__(self, number):
                assert number == 3

            def __enter__(self):
                pass

            def __exit__(self, *_):
                pass

        current = Stream("computing")
        self.cuda = SimpleNamespace(Stream=Stream, Event=Event, Device=Device, get_current_stream=lambda: current)


def test_a_broadcast_waits_for_what_was_queued_before_it_and_later_work_for_the_broadcast(monkeypatch):
    queues = Queues()
    monkeypatch.setattr(nccl.jit, "cupy", lambda: SimpleNamespace(cuda=queues.cuda))
    connection = NcclConnection(SimpleNamespace(rank=0, size=2), 3, FakeNccl())
    line = SimpleNamespace(
        broadcast=lambda source, target, count, kind, root, stream: queues.said.append((stream, "sends", count, root))
    )
    connection._row = line
    page = np.zeros((4, 8), dtype=np.float32)[:, :6]
    queues.said.append(("computing", "writes"))
    arrival = connection.along_row(page, 1)
    queues.said.append(("computing", "goes on"))
    arrival.advance()
    arrival.wait()
    assert queues.said == [
        ("computing", "writes"), ("sending", "waits for", ("computing", 1)), ("sending", "sends", 4 * 8 * 4, 1),
        ("computing", "goes on"), ("computing", "waits for", ("sending", 3)),
    ]  # fmt: skip
    connection.along_column(page, 0).wait()  # alone in its column
    assert len(queues.said) == 5


def test_without_nccl(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupy.cuda", SimpleNamespace(nccl=SimpleNamespace(available=False)))
    with entered(1, 1 << 28), pytest.raises(DeviceError, match="nvidia-nccl"):
        NcclConnection(SimpleNamespace(rank=0, size=1), 0)
