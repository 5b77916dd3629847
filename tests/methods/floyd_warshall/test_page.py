"""Pages as the host sees them: where they lie, how they are copied, whose memory is short. CuPy is a fake."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import apsp
from apsp.gpu import jit
from apsp.gpu.copying import queue_copy
from apsp.gpu.memory import on_gpu
from apsp.gpu.page import overlap
from apsp.graph.device import DeviceGraph
from apsp.running import output
from fake_cupy import FakeCuda, FakeGpu, OutOfMemoryError


def test_pages_side_by_side_do_not_overlap() -> None:
    whole = np.zeros((20, 30), dtype=np.float32)
    assert not overlap(whole[:, :10], whole[:, 10:])
    assert not overlap(whole[:7], whole[7:])
    assert overlap(whole[:8], whole[7:])
    assert overlap(whole[3:9, 3:9], whole[8:12, 8:12])
    row = np.zeros(9)[None, :]
    assert row.strides[0] == 0
    assert overlap(row, row)
    assert not overlap(row, np.zeros(9)[None, :])


def test_out_may_not_be_the_matrix_of_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_on_gpu", lambda array: True)
    graph, whole = object.__new__(DeviceGraph), np.zeros((8, 16), dtype=np.float32)
    graph.matrix = whole[:, :8]
    output.apart(whole[:, 8:], graph)
    for out in (whole[:, :8], whole[:, 4:12], whole[2:, 4:]):
        with pytest.raises(apsp.RequestError, match="must not overlap the matrix of the graph"):
            output.apart(out, graph)


@pytest.mark.parametrize("shape", [(1, 7), (4, 7), (1, 1), (3, 1)])
def test_every_pitch_of_a_copy_holds_a_row(monkeypatch: pytest.MonkeyPatch, shape: tuple[int, int]) -> None:
    copied: list[tuple[int, ...]] = []
    runtime = SimpleNamespace(memcpyDefault=4, memcpy2DAsync=lambda *given: copied.append(given))
    cuda = SimpleNamespace(runtime=runtime, get_current_stream=lambda: SimpleNamespace(ptr=0))
    monkeypatch.setattr(jit, "cupy", lambda: SimpleNamespace(cuda=cuda))
    source, target = np.ones(shape), np.zeros(shape)
    if shape[0] == 1:
        target = np.zeros(shape[1])[None, :]
        assert target.strides[0] == 0
    queue_copy(source, target)
    ((to, to_pitch, start, from_pitch, width, rows, *_),) = copied
    assert (to, start, width, rows) == (target.ctypes.data, source.ctypes.data, 8 * shape[1], shape[0])
    assert min(to_pitch, from_pitch) >= width
    queue_copy(source[:0], target[:0])
    queue_copy(source[:, :0], target[:, :0])
    assert len(copied) == 1


def test_lack_of_memory_tells_of_the_gpu_that_lacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = FakeCuda(gpus=[FakeGpu(free=7 << 30), FakeGpu(free=3 << 30)]).install(monkeypatch)
    memory = SimpleNamespace(OutOfMemoryError=OutOfMemoryError)
    monkeypatch.setattr(__import__("cupy").cuda, "memory", memory, raising=False)
    with pytest.raises(apsp.MemoryLimitError, match=r"GPU 1.*3\.0 GiB"), on_gpu(1):
        raise OutOfMemoryError
    assert cuda.current == 0
    said = "Out of memory allocating 5,368,709,120 bytes (allocated so far: 0 bytes)."
    with pytest.raises(apsp.MemoryLimitError, match=r"during the run: .* needs 5\.0 GiB, but 3\.0 GiB"), on_gpu(1):
        raise OutOfMemoryError(said)
