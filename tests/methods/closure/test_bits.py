"""Bit matrices on the GPU against NumPy and the CPU: equal bit for bit, by tensor cores and by tables of unions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sparse
import scipy.sparse.csgraph as csgraph

import apsp
from apsp.errors import GraphError, MemoryLimitError
from apsp.gpu.recorder import recording
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.closure import Reachability, closure
from apsp.methods.closure.kernels import bit_matrix, bits, bits_hopper, close_bits
from apsp.methods.closure.kernels.backend import CudaBitsBackend
from apsp.methods.closure.on_gpu import closure_on_gpu
from apsp.methods.floyd_warshall.pages import close_pages, cut
from apsp.semiring import OR_AND, Algebra
from contract import GRAPHS, graph_of

pytestmark = pytest.mark.gpu

ALGEBRA = Algebra(OR_AND, True)
SIZES = (1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 600, 1000)
METHODS = {"components": True, "warshall": False}
Matrix = npt.NDArray[np.bool_]


def packed(matrix: Matrix) -> npt.NDArray[np.uint64]:
    octets = np.packbits(matrix, axis=1, bitorder="little")
    wide = np.zeros((len(matrix), -(-matrix.shape[1] // 64) * 8), dtype=np.uint8)
    wide[:, : octets.shape[1]] = octets
    return wide.view(np.uint64)


def unpacked(words: Any, columns: int) -> Matrix:
    return np.unpackbits(words.get().view(np.uint8), axis=1, count=columns, bitorder="little").astype(np.bool_)


def on_device(cupy: Any, words: npt.NDArray[np.uint64], offset: int | None) -> Any:
    """A copy on the device: aligned, or at an odd place of a wider array."""
    if offset is None:
        copy = CudaBitsBackend().allocate(*words.shape, words.dtype)
    else:
        whole = cupy.zeros((words.shape[0] + 2, words.shape[1] + 5), dtype=np.uint64)
        copy = whole[1:-1, offset : offset + words.shape[1]]
    copy[...] = cupy.asarray(words)
    return copy


def random(shape: tuple[int, int], density: float, seed: int) -> Matrix:
    return np.random.default_rng(seed).random(shape) < density


@pytest.fixture(params=["tensor cores", "warpgroups", "tables"])
def kernel(request: pytest.FixtureRequest, cupy: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "tables":
        monkeypatch.setattr(bits, "counts_bits", lambda: False)
    elif not bits.counts_bits() or (request.param == "warpgroups" and not bits_hopper.is_possible()):
        pytest.skip("the tensor cores of this GPU do not multiply bits")
    elif request.param == "warpgroups":
        monkeypatch.setattr(bits_hopper, "PAYS_FROM_DEPTH", 1)
    else:
        monkeypatch.setattr(bits_hopper, "PAYS_FROM_DEPTH", 10**9)
    return str(request.param)


@pytest.mark.parametrize("offset", [None, 1, 2])
@pytest.mark.parametrize(
    ("m", "n", "k"),
    [
        (1, 1, 1), (33, 65, 31), (64, 64, 64), (128, 256, 512), (127, 129, 65), (129, 127, 1), (300, 520, 33),
        (257, 70, 700), (5, 1000, 1500), (1000, 700, 1023), (1300, 1100, 9000),
    ],
)  # fmt: skip
def test_product(cupy: Any, kernel: str, offset: int | None, m: int, n: int, k: int) -> None:
    c, a, b = random((m, n), 0.1, 1), random((m, k), 1.5 / k, 2), random((k, n), 0.3, 3)
    ours, left, right = (on_device(cupy, packed(matrix), offset) for matrix in (c, a, b))
    bits.multiply(ours, left, right)
    np.testing.assert_array_equal(ours.get(), packed(c | ((a.astype(np.float32) @ b.astype(np.float32)) > 0)))
    if offset is not None:
        around = ours.base.copy()
        around[1:-1, offset : offset + ours.shape[1]] = 0
        assert not around.any(), "nothing outside the view is touched"


@pytest.mark.parametrize("shape", range(len(bits._UNION_SHAPES)))
def test_every_shape_of_tables(cupy: Any, shape: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bits, "counts_bits", lambda: False)
    monkeypatch.setattr(bits, "_union_shape", lambda rows, words: shape)
    test_product(cupy, "tables", None, 1500, 1100, 333)


def test_bits_of_a_beyond_its_depth_are_ignored(cupy: Any, kernel: str) -> None:
    b = random((70, 200), 0.5, 1)
    a = cupy.full((10, 2), 2**64 - 1, dtype=np.uint64)
    c = cupy.zeros((10, 4), dtype=np.uint64)
    bits.multiply(c, a, on_device(cupy, packed(b), None))
    np.testing.assert_array_equal(unpacked(c, 200), np.broadcast_to(b.any(axis=0), (10, 200)))


@pytest.mark.parametrize("offset", [None, 1])
@pytest.mark.parametrize("n", SIZES)
def test_close(cupy: Any, kernel: str, n: int, offset: int | None) -> None:
    for density in (1.1 / n, 3 / n):
        page = packed(random((n, n), density, n))
        ours = on_device(cupy, page, offset)
        steps: list[int] = []
        close_bits.close(ours, progress=steps.append)
        CpuBitsBackend(2).close_tile(page, ALGEBRA)
        np.testing.assert_array_equal(ours.get(), page)
        assert steps[-1] == n


def test_levels_of_pivots_and_triangles(cupy: Any, kernel: str) -> None:
    for widths in (((512, 512),), ((1024, 1200), (512, 1024)), ((512, 9999),)):
        for n in (100, 512, 700, 1300):
            for lower in (False, True):
                page = random((n, n), 2 / n, n)
                page = packed(np.tril(page) if lower else page)
                ours = on_device(cupy, page, None)
                close_bits.close(ours, lower=lower, widths=widths)
                CpuBitsBackend(2).close_tile(page, ALGEBRA)
                np.testing.assert_array_equal(ours.get(), page)


@pytest.mark.parametrize("page", [64, 192, 1000])
def test_the_driver_of_pages(cupy: Any, page: int) -> None:
    n = 777
    graph = graph_of(n, [(int(u), int(v), 1) for u, v in np.random.default_rng(1).integers(0, n, (900, 2))])
    bounds, results = cut(n, page), []
    for backend in (CpuBitsBackend(2), CudaBitsBackend()):
        whole = backend.allocate(n, -(-n // 64), np.uint64)
        pages = [[whole[top:bottom, left // 64 : -(-right // 64)] for left, right in bounds] for top, bottom in bounds]
        for row, (top, _) in zip(pages, bounds, strict=True):
            for part, (left, _) in zip(row, bounds, strict=True):
                backend.fill(part, top, left // 64, graph, ALGEBRA)
        assert close_pages(backend, pages, bounds, ALGEBRA) == -1
        results.append(whole if isinstance(whole, np.ndarray) else whole.get())
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], closure(graph))


# -- whole closures ---------------------------------------------------------------------------------------------------


def random_graph(n: int, m: int, seed: int, *, acyclic: bool = False) -> apsp.Graph:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, max(n, 1), m), rng.integers(0, max(n, 1), m)
    if acyclic:
        order = rng.permutation(n)
        tails, heads = order[np.minimum(tails, heads)], order[np.maximum(tails, heads)]
    return apsp.from_edges(tails, heads, n=n)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [0, 1, 31, 33, 63, 64, 65, 127, 128, 129, 1000, 4097])
def test_random_graphs(cupy: Any, kernel: str, n: int, method: Any) -> None:
    for m in (n, 2 * n, 20 * n):
        for acyclic in (False, True):
            graph = random_graph(n, m if n else 0, n, acyclic=acyclic)
            ours = closure_on_gpu(graph, components=METHODS[method])
            np.testing.assert_array_equal(ours.get(), closure(graph, 2))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_of_the_contract(cupy: Any, name: str, method: Any) -> None:
    graph = GRAPHS[name]("int32")
    np.testing.assert_array_equal(closure_on_gpu(graph, components=METHODS[method]).get(), closure(graph))


@pytest.mark.parametrize("method", METHODS)
def test_against_scipy(cupy: Any, method: Any) -> None:
    n = 300
    cycle = [(v, (v + 1) % n, 1) for v in range(n)]
    pairs = np.arange(0, n - 1, 2)
    many = [(int(v), int(v + 1), 1) for v in pairs] + [(int(v + 1), int(v), 1) for v in pairs]
    loops = [(v, v, 1) for v in range(0, n, 3)]
    for edges in (cycle, many, loops, [*many, *cycle[:50], *loops]):
        graph = graph_of(n, edges)
        matrix = sparse.csr_array((np.ones(graph.m), graph.indices, graph.indptr), shape=(n, n))
        oracle = np.isfinite(csgraph.shortest_path(matrix, unweighted=True))
        reachable = Reachability(n, closure_on_gpu(graph, components=METHODS[method]))
        np.testing.assert_array_equal(reachable.to_numpy(), oracle)
        assert reachable.count() == oracle.sum()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_zones_are_not_passed(cupy: Any, seed: int, method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apsp.methods.closure.on_gpu.STRIP", 64)
    graph = random_graph(150, 300, seed)
    graph = apsp.Graph(graph.indptr, graph.indices, zones=np.arange(150) % 3 == seed % 3)
    np.testing.assert_array_equal(closure_on_gpu(graph, components=METHODS[method]).get(), closure(graph))


def test_the_result_stays_on_the_gpu(cupy: Any) -> None:
    graph = graph_of(70, [(0, 65, 1), (65, 69, -4)])
    reachable = apsp.reachable(graph, device="cuda")
    assert isinstance(reachable.bits, cupy.ndarray)
    assert reachable.device == "cuda:0"
    assert reachable.reaches(0, 69)
    assert reachable.reaches(5, 5)
    assert not reachable.reaches(69, 0)
    assert np.flatnonzero(reachable.row(0)).tolist() == [0, 65, 69]
    assert reachable.count() == 73
    assert isinstance(apsp.reachable(graph).bits, np.ndarray)
    with pytest.raises(GraphError, match="0 to 69"):
        reachable.reaches(0, 70)
    with pytest.raises(apsp.DeviceError, match="no GPU 99"):
        apsp.reachable(graph, device="cuda:99")


def test_auto_takes_the_gpu_and_returns_to_the_host(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apsp.methods.closure.cost._CALL", 10.0)
    graph = random_graph(500, 900, 1)
    stages: list[Any] = []
    reachable = apsp.reachable(graph, progress=lambda *stage: stages.append(stage))
    assert isinstance(reachable.bits, np.ndarray)
    np.testing.assert_array_equal(reachable.bits, closure(graph))
    assert stages


def test_what_does_not_fit_is_told_before_the_work(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apsp.methods.closure.on_gpu.bytes_on_gpu", lambda n: n << 40)
    with pytest.raises(MemoryLimitError, match=r"GPU 0.*device='cpu'"):
        closure_on_gpu(random_graph(100, 100, 1))


@pytest.mark.parametrize("memory", ["4MiB", "8MiB"])
def test_more_bits_than_memory(cupy: Any, memory: str) -> None:
    graph = random_graph(3000, 6000, 1, acyclic=True)
    reachable = apsp.reachable(graph, device="cuda", gpu_memory=memory)
    bits = reachable.bits if isinstance(reachable.bits, np.ndarray) else reachable.bits.get()
    np.testing.assert_array_equal(bits, closure(graph))


def test_bits_in_a_file_go_from_one_device_to_another(
    cupy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apsp.methods.floyd_warshall.strips.by_strips.COMMIT_SECONDS", 0.0)
    monkeypatch.setattr("apsp.methods.floyd_warshall.strips.cuts._FILE_PANEL", 512)
    graph, place = random_graph(3000, 4000, 5), tmp_path / "bits"
    graph = apsp.Graph(graph.indptr, graph.indices, zones=np.arange(3000) % 9 == 4)

    def stop(_: str, done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    for device in ("cuda", "cpu"):
        with pytest.raises(KeyboardInterrupt):
            apsp.reachable(graph, device=device, pages_file=place, progress=stop)
    for device in ("cuda", "cpu"):  # resumed, then loaded
        reachable = apsp.reachable(graph, device=device, pages_file=place, gpu_memory="64MiB")
        assert reachable.device == "cpu"
        np.testing.assert_array_equal(reachable.bits, closure(graph))


def test_several_gpus(cupy: Any) -> None:
    count = cupy.cuda.runtime.getDeviceCount()
    if count < 2:
        pytest.skip("this machine has one GPU")
    for n in (1, 300, 5000):
        graph = random_graph(n, 2 * n, n, acyclic=True)
        for device in {"cuda:0,1", "cuda:1,0", "cuda:" + ",".join(map(str, range(count)))}:
            reachable = apsp.reachable(graph, method="warshall", device=device)
            assert reachable.device == "cpu"
            np.testing.assert_array_equal(reachable.bits, closure(graph))


def test_every_product_is_recorded(cupy: Any, kernel: str) -> None:
    a, b = (on_device(cupy, packed(random((300, 300), 0.1, seed)), None) for seed in (1, 2))
    product = {"tensor cores": "multiply_bits", "warpgroups": "multiply_packed", "tables": "unite_rows"}[kernel]
    for _ in range(2):  # kernels are kept between them
        with recording() as recorder:
            bits.multiply(cupy.zeros_like(a), a, b)
        assert recorder.kernels[product].launches == 1


def test_counts(cupy: Any) -> None:
    page = random((300, 500), 0.3, 1)
    assert bit_matrix.count(on_device(cupy, packed(page), 3)) == page.sum()
