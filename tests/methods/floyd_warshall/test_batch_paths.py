"""Paths of many graphs in one launch: replayed along arcs, on emulated GPUs and real ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.facts.dtypes import longest_allowed
from apsp.gpu import jit, nvrtc
from apsp.gpu.emulated.run import entered
from apsp.gpu.page import algebra_name
from apsp.gpu.recorder import recording
from apsp.methods.floyd_warshall.batch import SOUND, close_batch
from apsp.methods.floyd_warshall.kernels import batch as kernels
from apsp.semiring import SEMIRINGS as ALGEBRAS
from batches import DTYPES, SEMIRINGS, check_paths, oracle, random_batch
from compiling import ARCHITECTURES, before_cuda_13_5, needs_compiler

gpu = pytest.mark.gpu


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_a_graph_and_its_paths_stay_in_registers(capability: tuple[int, int]) -> None:
    # A selection: most registers are taken by sums of floats, and by values of 8 bytes.
    chosen = [("float32", "min_plus"), ("float64", "min_plus"), ("int64", "min_max"), ("uint16", "min_plus")]
    wanted = [
        name
        for dtype, semiring in (chosen if capability == (9, 0) else chosen[:1] + chosen[2:3])
        for name in kernels.expressions(
            algebra_name(semiring, dtype, False), np.dtype(dtype).itemsize, capability, paths=True
        )
    ]
    wanted = list(dict.fromkeys(wanted))
    compiled = nvrtc.compile_for("batch.cu", wanted, capability)
    assert set(compiled.registers) == set(wanted)
    spilled = {name: count for name, count in compiled.spilled_bytes.items() if count}
    if capability < (10, 0) and before_cuda_13_5():
        assert all("close_large_tracked" in name and count <= 64 for name, count in spilled.items()), spilled
        pytest.skip("compilers before CUDA 13.5 keep up to 64 bytes of a thread of the largest kernel in memory")
    assert spilled == {}


# -- emulated GPUs ----------------------------------------------------------------------------------------------------


def emulated(batch: Any, semiring: str = "min_plus", sizes: Any = None) -> tuple[Any, Any]:
    """Distances and predecessors by the kernels, run on this CPU."""
    algebra, dtype, n = ALGEBRAS[semiring], batch.dtype, batch.shape[1]
    largest = longest_allowed(dtype.name, algebra, n - 1, integers=dtype.kind != "f")
    with entered():
        cupy = jit.cupy()
        out, pred = cupy.empty(batch.shape, dtype=dtype), cupy.empty(batch.shape, dtype=np.int32)
        status = close_batch(cupy.asarray(batch), out, pred, sizes, algebra, largest, 1)
        assert (status == SOUND).all()
        return out.get(), pred.get()


@pytest.mark.parametrize("n", [1, 5, 32, 33, 61, 64])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_on_an_emulated_gpu(dtype: str, n: int) -> None:
    batch = random_batch(2, n, dtype, seed=n)
    batch[batch == 7] = 0
    found = emulated(batch)
    np.testing.assert_array_equal(found[0], oracle(batch))
    check_paths(batch, found)


@pytest.mark.parametrize("dtype", ["int32", "float32", "int64"])
@pytest.mark.parametrize("n", [65, 126, 131])
def test_larger_graphs_on_an_emulated_gpu(n: int, dtype: str) -> None:
    batch = random_batch(1, n, dtype, seed=n, density=0.05)
    found = emulated(batch)
    np.testing.assert_array_equal(found[0], oracle(batch))
    check_paths(batch, found)


@pytest.mark.parametrize("n", [6, 40, 130])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_negative_arcs_on_an_emulated_gpu(dtype: str, n: int) -> None:
    batch = random_batch(2, n, dtype, seed=n, height=60)
    found = emulated(batch)
    np.testing.assert_array_equal(found[0], oracle(batch))
    check_paths(batch, found)


@pytest.mark.parametrize(("semiring", "dtype"), [("max_min", "float32"), ("min_max", "int32")])
@pytest.mark.parametrize("n", [7, 50, 130])
def test_bottlenecks_on_an_emulated_gpu(n: int, semiring: str, dtype: str) -> None:
    batch = random_batch(2, n, dtype, seed=n, density=0.1, height=9)
    found = emulated(batch, semiring)
    np.testing.assert_array_equal(found[0], oracle(batch, semiring))
    check_paths(batch, found, semiring)


@pytest.mark.parametrize("n", [20, 36, 130])
def test_rounded_sums_on_an_emulated_gpu(n: int) -> None:
    rng = np.random.default_rng(n)
    batch = (rng.integers(0, 20, (4, n, n)) * 0.1).astype(np.float32)
    batch[rng.random(batch.shape) > max(3 / n, 0.1)] = np.inf
    found = emulated(batch)
    np.testing.assert_allclose(found[0], apsp.solve_batch(batch), rtol=1e-5)
    check_paths(batch, found)


@pytest.mark.parametrize("n", [10, 34, 131])
def test_padding_on_an_emulated_gpu(n: int) -> None:
    sizes = np.array([0, 1, n // 2, n - 1], dtype=np.int32)
    batch = random_batch(4, n, "float32", seed=2)
    for size, matrix in zip(sizes, batch, strict=True):
        matrix[size:] = matrix[:, size:] = np.nan
    distances, pred = emulated(batch, sizes=sizes)
    np.testing.assert_array_equal(distances, apsp.solve_batch(batch, sizes=sizes))
    for graph, size in enumerate(sizes):
        assert (pred[graph, size:] == -1).all()
        assert (pred[graph, :, size:] == -1).all()
        if size:
            inside = np.s_[graph : graph + 1, :size, :size]
            check_paths(batch[inside], (distances[inside], pred[inside]))


@pytest.mark.parametrize("n", [20, 60, 100, 130])
def test_distances_alone_on_an_emulated_gpu(n: int) -> None:
    batch = random_batch(2, n, "float32", seed=n, density=0.1)
    with entered():
        cupy = jit.cupy()
        out = cupy.empty(batch.shape, dtype=np.float32)
        status = close_batch(cupy.asarray(batch), out, None, None, ALGEBRAS["min_plus"], 1e30, 1)
        found = out.get()
    assert (status == SOUND).all()
    np.testing.assert_array_equal(found, oracle(batch))


@pytest.mark.parametrize("n", [20, 60, 130])
def test_one_launch_without_races(n: int) -> None:
    batch = random_batch(1, n, "float32", density=0.1)
    with entered(), recording() as recorder:
        cupy = jit.cupy()
        out, pred = cupy.empty(batch.shape, dtype=np.float32), cupy.empty(batch.shape, dtype=np.int32)
        kernels.close_batch(cupy.asarray(batch), out, pred, None, "min_plus", 1e30)
        found = out.get(), pred.get()
    check_paths(batch, found)
    assert not recorder.races


# -- real ones --------------------------------------------------------------------------------------------------------


def check_on_gpu(cupy: Any, batch: Any, **options: Any) -> None:
    found = apsp.solve_batch(cupy.asarray(batch), paths=True, **options)
    assert isinstance(found, apsp.BatchPaths)
    assert all(isinstance(array, cupy.ndarray) for array in found)
    expected = apsp.solve_batch(batch, device="cpu", **options)
    np.testing.assert_array_equal(found.distances.get(), expected)
    check_paths(batch, [array.get() for array in found], options.get("semiring", "min_plus"))


@gpu
@pytest.mark.parametrize("n", [1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 256, 257, 300])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_size(cupy: Any, dtype: str, n: int) -> None:
    check_on_gpu(cupy, random_batch(5, n, dtype, seed=n))
    if dtype != "uint16":
        check_on_gpu(cupy, random_batch(5, n, dtype, seed=n, height=60))


@gpu
@pytest.mark.parametrize("semiring", SEMIRINGS[1:])
@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("n", [4, 30, 64, 100, 200, 270])
def test_other_semirings(cupy: Any, n: int, dtype: str, semiring: str) -> None:
    check_on_gpu(cupy, random_batch(4, n, dtype, seed=n, density=0.05, height=9), semiring=semiring)


@gpu
@pytest.mark.parametrize("n", [32, 61, 128, 200, 256, 640, 1024])
def test_larger_graphs_side_by_side(cupy: Any, n: int) -> None:
    batch = random_batch(150, n, "int32", seed=n, density=3 / n)
    distances, pred = apsp.solve_batch(cupy.asarray(batch), paths=True)
    np.testing.assert_array_equal(distances.get(), apsp.solve_batch(batch))
    few = np.s_[::50]
    check_paths(batch[few], (distances[few].get(), pred[few].get()))


@gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [6, 20, 60, 120, 200])
@pytest.mark.filterwarnings("ignore::apsp.ApspWarning")
def test_zeros_and_sums_that_rounding_orders(cupy: Any, n: int, dtype: str) -> None:
    rng = np.random.default_rng(n)
    for step in (0.1, 1e-20, 1.4e-45):
        batch = (rng.integers(0, 4, (200_000 // n**2 + 1, n, n)) * step).astype(dtype)
        batch[rng.random(batch.shape) < 0.1] = 1 / 3
        batch[rng.random(batch.shape) > max(3 / n, 0.1)] = np.inf
        found = [array.get() for array in apsp.solve_batch(cupy.asarray(batch), paths=True)]
        check_paths(batch, found)
        np.testing.assert_allclose(found[0], apsp.solve_batch(batch), rtol=1e-5)


@gpu
@pytest.mark.parametrize("n", [40, 41, 128, 200, 280])
def test_padding_has_no_paths(cupy: Any, n: int) -> None:
    sizes = np.array([0, 1, n // 2, n - 1, n])
    batch = random_batch(5, n, "float32", seed=2)
    for size, matrix in zip(sizes, batch, strict=True):
        matrix[size:] = matrix[:, size:] = np.nan
    distances, pred = (array.get() for array in apsp.solve_batch(cupy.asarray(batch), sizes=sizes, paths=True))
    np.testing.assert_array_equal(distances, apsp.solve_batch(batch, sizes=sizes))
    for graph, size in enumerate(sizes):
        assert (pred[graph, size:] == -1).all()
        assert (pred[graph, :, size:] == -1).all()
        if size:
            inside = np.s_[graph : graph + 1, :size, :size]
            check_paths(batch[inside], (distances[inside], pred[inside]))


@gpu
def test_where_results_go(cupy: Any) -> None:
    batch = random_batch(7, 20, "int32")
    found = apsp.solve_batch(batch, device="cuda", paths=True)
    assert isinstance(found.predecessors, cupy.ndarray)
    assert found.path(3, 0, 0) == [0]
    reached = int(cupy.flatnonzero(found.predecessors[3, 0] >= 0)[0])
    assert found.path(3, 0, reached)[-1] == reached
    on_cpu = apsp.solve_batch(cupy.asarray(batch), device="cpu", paths=True)
    assert isinstance(on_cpu.predecessors, np.ndarray)
    host = np.empty_like(batch)
    found = apsp.solve_batch(batch, out=host, device="cuda", paths=True)
    assert found.distances is host
    assert isinstance(found.predecessors, np.ndarray)
    check_paths(batch, found)
    graphs = [apsp.generate("random", n, seed=n) for n in (5, 60, 200, 300)]
    for graph, distances, pred in zip(graphs, *apsp.solve_batch(graphs, device="cuda", paths=True), strict=True):
        assert isinstance(pred, cupy.ndarray)
        apsp.result.result.Result(graph, distances.get(), pred=pred.get()).verify()


@gpu
def test_tensors_in_and_out(cupy: Any) -> None:
    torch = pytest.importorskip("torch")
    batch = random_batch(7, 20, "float32")
    tensor = torch.from_numpy(batch).cuda()
    out = torch.empty_like(tensor)
    for found in (apsp.solve_batch(tensor, paths=True), apsp.solve_batch(tensor, paths=True, out=out)):
        assert isinstance(found.predecessors, torch.Tensor)
        assert found.predecessors.is_cuda
        assert found.predecessors.dtype == torch.int32
        assert found.path(0, 2, 2) == [2]
        check_paths(batch, [array.cpu().numpy() for array in found])


@gpu
def test_rounded_sums_of_both_signs(cupy: Any) -> None:
    rng = np.random.default_rng(8)
    n, levels = 60, rng.choice([0.0, 0.1, 1.0, 3.0], (4, 60))
    batch = rng.choice([0.1, 0.7, 1 / 3, 1e-9], (4, n, n)) + levels[:, :, None] - levels[:, None, :] + 1e-9
    batch[rng.random(batch.shape) > 0.3] = np.inf
    batch[:, range(n), range(n)] = 0
    found = [array.get() for array in apsp.solve_batch(cupy.asarray(batch), paths=True)]
    for lengths, distances, pred in zip(batch, *found, strict=True):
        apsp.result.result.Result(apsp.from_dense(lengths, absent=np.inf), distances, pred=pred).verify()
