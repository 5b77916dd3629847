"""Processes with a GPU each, here threads with emulated GPUs; messages are copies of a fake NCCL or a fake CUDA IPC."""

import sys
import time
import uuid
from concurrent.futures import Future
from types import SimpleNamespace

import numpy as np
import pytest

import apsp
from apsp import DeviceError, MethodRefusedError, NegativeCycleError, RequestError
from apsp.gpu.emulated.arrays import DeviceArray
from apsp.gpu.emulated.run import carried, entered
from apsp.gpu.memory import on_gpu
from apsp.gpu.page import allocate
from apsp.methods import gpu_connection, nccl, peer_copies
from apsp.methods.closure import spmd as bits
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.closure import closure
from apsp.methods.floyd_warshall.spmd import prepare
from apsp.methods.gpu_connection import GpuConnection, Member
from apsp.methods.problem import Problem
from apsp.semiring import SEMIRINGS
from fake_ipc import FakeIpc
from fake_nccl import Communicator, FakeNccl
from spmd_threads import Saves, StoppedError, all_rows, in_all, joined

LINES = ["NCCL", "peer copies"]


def on_gpus(processes, program, by="peer copies", fake=None, members=None):
    """Run a program with connected emulated GPUs; also returns how many pages were sent."""
    fakes = FakeNccl(), FakeIpc()
    if fake is not None:
        fakes = (fake, fakes[1]) if isinstance(fake, FakeNccl) else (fakes[0], fake)
    if members is None:
        members = [Member("here" if by == "peer copies" else rank, uuid.uuid4().hex) for rank in range(processes)]

    def run(control):
        connection = GpuConnection(control, control.rank, members, *fakes)
        found = program(connection)
        assert connection.facts.get("connected_by", by) == by
        assert connection.facts.get("seconds_to_connect", 0) >= 0
        connection.release()
        return found

    shares = ("row", "column") if by == "peer copies" else ()
    with entered(processes, 1 << 28):
        return in_all(processes, carried(run), shares), len(fakes[0].sent) + fakes[1].copies


def matrix_of(graph, connection, dtype, block, semiring="min_plus"):
    problem = Problem(graph, np.dtype(dtype), semiring=SEMIRINGS[semiring], device="cuda", gpus=(connection.rank,))
    matrix = prepare.prepare(problem, connection, block)
    connection.form(matrix.shape)
    return matrix


def closed(graph, processes, dtype, block, semiring="min_plus", by="peer copies"):
    def program(connection):
        matrix = matrix_of(graph, connection, dtype, block, semiring)
        assert isinstance(matrix.page, DeviceArray)
        matrix.close(None)
        return all_rows(matrix, graph.n, 9), matrix.tight_arcs() if semiring == "min_plus" else None

    found, sent = on_gpus(processes, program, by)
    flags = [each for _, each in found]
    assert all(np.array_equal(flags[0], each) for each in flags)
    return joined([rows for rows, _ in found]), sent, flags[0]


def random_graph(n, m, dtype, seed=1):
    rng = np.random.default_rng(seed)
    weights = rng.random(m) if dtype.startswith("float") else rng.integers(0, 50, m)
    return apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights.astype(dtype), n=n)


@pytest.mark.parametrize("by", LINES)
@pytest.mark.parametrize("processes", [1, 2, 4])
@pytest.mark.parametrize(("n", "block"), [(70, 16), (53, 9), (5, 8)])
@pytest.mark.parametrize("dtype", ["int32", "float32", "uint16"])
def test_distances(n, block, dtype, processes, by):
    graph = random_graph(n, 4 * n, dtype.replace("uint16", "int32"))
    found, sent, flags = closed(graph, processes, dtype, block, by=by)
    expected = apsp.solve(graph, method="reference", dtype=dtype).distances
    if dtype == "float32":
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    else:
        np.testing.assert_array_equal(found, expected)
        tails, heads = graph.tails(), graph.indices
        np.testing.assert_array_equal(flags, (expected[tails, heads] == graph.arc_weights(np.int64)) & (tails != heads))
    assert bool(sent) == (processes > 1)


def sent_once(connection):
    connection.form((2, 2))
    page = allocate(connection.rank, 3, 8, np.int32)
    with on_gpu(connection.rank):
        page[:] = connection.rank
    connection.along_row(page, 1).wait()
    return page.get()[0, 0]


@pytest.mark.parametrize("names", [bytes, tuple])  # of CuPy from 14 on, and before
def test_names_of_communicators(names):
    found, _ = on_gpus(4, sent_once, "NCCL", FakeNccl(names))
    assert found == [1, 1, 3, 3]


def test_communicators_are_kept_for_the_same_processes():
    fake, members = FakeNccl(), [Member(rank, uuid.uuid4().hex) for rank in range(4)]
    for _ in range(2):
        assert on_gpus(4, sent_once, "NCCL", fake, members)[0] == [1, 1, 3, 3]
    assert len(fake._meetings) == 4  # two rows and two columns
    seconds, _ = on_gpus(4, lambda each: (sent_once(each), each.facts)[1]["seconds_to_connect"], "NCCL", fake, members)
    assert seconds == [0, 0, 0, 0]
    others = [*members[:3], Member(3, uuid.uuid4().hex)]  # one process was started again
    assert on_gpus(4, sent_once, "NCCL", fake, others)[0] == [1, 1, 3, 3]
    assert len(fake._meetings) == 6


def test_communicators_are_freed_at_the_end(monkeypatch):
    kept = {}
    monkeypatch.setattr(nccl, "_kept", kept)
    on_gpus(4, sent_once, "NCCL")
    before = Communicator.aborted
    assert len(kept) == 8
    nccl._disconnect()
    assert Communicator.aborted == before + 8
    assert not kept


def test_hosts_decide_what_connects():
    """Rows are on one host each, columns on both."""
    members = [Member(rank // 2, uuid.uuid4().hex) for rank in range(4)]

    def program(connection):
        connection.form((2, 2))
        page = allocate(connection.rank, 3, 8, np.int32)
        with on_gpu(connection.rank):
            page[:] = connection.rank
        connection.along_row(page, 1).wait()
        connection.along_column(page, 0).wait()
        return page.get()[0, 0], connection.facts["connected_by"]

    fakes = FakeNccl(), FakeIpc()

    def run(control):
        return program(GpuConnection(control, control.rank, members, *fakes))

    with entered(4, 1 << 28):
        assert in_all(4, carried(run), ("row", "column")) == [(1, "NCCL and peer copies")] * 4


def test_gpus_that_cannot_reach_each_other_are_connected_by_nccl():
    members = [Member("here", uuid.uuid4().hex) for _ in range(4)]
    fakes = FakeNccl(), FakeIpc(least=100)

    def run(control):
        connection = GpuConnection(control, control.rank, members, *fakes)
        found = sent_once(connection)
        return found, connection.facts["connected_by"]

    with entered(4, 1 << 28):
        found = in_all(4, carried(run), ("row", "column"))
    assert found == [(1, "NCCL"), (1, "NCCL"), (3, "NCCL"), (3, "NCCL")]
    assert fakes[1].opened == []


def test_buffers_that_do_not_fit_end_all_with_an_error():
    fake = FakeIpc(least=600)
    with pytest.raises(DeviceError, match="cannot copy from each other's GPU: no 3200 bytes"):
        on_gpus(2, lambda connection: sent_of(connection, [(50, 6)]), fake=fake)


def sent_of(connection, shapes):
    """Send pages of several shapes in a line, each process in turn; what arrives."""
    connection.form((1, connection.size))
    rng, found = np.random.default_rng(connection.rank), []
    for number, shape in enumerate(shapes):
        source = number * 7 % connection.size
        page = allocate(connection.rank, *shape, np.int32)
        with on_gpu(connection.rank):
            page[:] = 1000 * number + (connection.rank if connection.rank != source else -1)
        arrival = connection.along_row(page, source)
        for _ in range(int(rng.integers(0, 3))):
            arrival.advance()
        found.append((page, arrival))
        if len(found) > 2:
            found[-2][1].wait()
            found[-2][0][:]  # read
    for _, arrival in found:
        arrival.wait()
    return [int(page.get()[-1, -1]) for page, _ in found]


def test_pages_of_many_sizes_and_sources():
    shapes = [(1 + 3 * (number % 4), 5) for number in range(60)]
    fake = FakeIpc()
    found, copies = on_gpus(3, lambda connection: sent_of(connection, shapes), fake=fake)
    assert found == [[1000 * number - 1 for number in range(60)]] * 3
    assert copies == 60 * 3  # each source copies its page to a buffer
    assert fake.opened == []  # and all was closed


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
            def __init__(self, number=None):
                assert number in (None, 3)

                self.id = number

            def __enter__(self):
                pass

            def __exit__(self, *_):
                pass

        current = Stream("computing")
        self.cuda = SimpleNamespace(Stream=Stream, Event=Event, Device=Device, get_current_stream=lambda: current)


def test_a_buffer_is_not_written_before_all_have_copied_from_it():
    def program(connection):
        connection.form((1, 2))
        found = []
        for number in range(5):
            page = allocate(connection.rank, 2, 4, np.int32)
            with on_gpu(connection.rank):
                page[:] = 10 + number if connection.rank == 0 else -1
            found.append((page, connection.along_row(page, 0)))
        time.sleep(0.1 * connection.rank)  # process 0 has sent two pages, and waits with the third
        for _, arrival in found:
            arrival.wait()
        return [int(page.get()[0, 0]) for page, _ in found]

    assert on_gpus(2, program)[0] == [[10, 11, 12, 13, 14]] * 2


@pytest.mark.parametrize("by", LINES)
def test_a_page_waits_for_what_was_queued_before_it_and_later_work_for_the_page(monkeypatch, by):
    queues = Queues()
    said = queues.said
    for module in (gpu_connection, nccl, peer_copies):
        monkeypatch.setattr(module.jit, "cupy", lambda: SimpleNamespace(cuda=queues.cuda))
    connection = GpuConnection(SimpleNamespace(rank=0, size=2), 3, ())
    if by == "NCCL":
        line = nccl.NcclLine.__new__(nccl.NcclLine)
        line._nccl, line._device, line._cuda = FakeNccl, 3, queues.cuda
        line._future = Future()
        copied = SimpleNamespace(broadcast=lambda *sent: said.append((sent[-1], "copies", sent[2])))
        line._future.set_result(SimpleNamespace(communicator=copied))
    else:
        monkeypatch.setattr(peer_copies, "PeerBuffers", lambda *_: Buffers(queues))
        ipc = SimpleNamespace(
            wait=lambda stream, event: said.append((stream.name, "waits for", event)),
            copy=lambda target, source, size, stream: said.append((stream.name, "copies", size)),
        )
        line = peer_copies.PeerLine(ipc, None, np.ones((2, 3), dtype=np.int64), 0)
    connection._row = line
    page = np.zeros((4, 8), dtype=np.float32)[:, :6]
    said.append(("computing", "writes"))
    arrival = connection.along_row(page, 1)
    said.append(("computing", "goes on"))
    arrival.advance()
    arrival.wait()
    first = [("sending", "waits for", ("computing", 1))]
    if by == "NCCL":
        assert said == [
            ("computing", "writes"), *first, ("sending", "copies", 4 * 8 * 4), ("computing", "goes on"),
            ("computing", "waits for", ("sending", 3)),
        ]  # fmt: skip
    else:
        assert said == [
            ("computing", "writes"), ("computing", "goes on"), *first, ("sending", "waits for", "written there"),
            ("sending", "copies", 4 * 8 * 4), ("computing", "waits for", ("sending", 5)),
        ]  # fmt: skip
    count = len(said)
    connection.along_column(page, 0).wait()  # alone in its column
    assert len(said) == count


class Buffers:
    """Of two processes."""

    size = 4 * 8 * 4

    def __init__(self, queues):
        self.turns, self.last = [0, 0], [0, 0]
        self.written = [queues.cuda.Event() for _ in range(2)]
        self.read = [[queues.cuda.Event() for _ in range(2)] for _ in range(2)]
        self.written_there = self.read_there = [None, ["written there"] * 2]

    def address(self, process, buffer):
        return 0


def test_without_nccl(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "cupy.cuda", SimpleNamespace(nccl=SimpleNamespace(available=False)))
    members = [Member(rank, uuid.uuid4().hex) for rank in range(2)]
    with entered(2, 1 << 28), pytest.raises(DeviceError, match="nvidia-nccl"):
        in_all(2, carried(lambda control: GpuConnection(control, control.rank, members).form((1, 2))))
