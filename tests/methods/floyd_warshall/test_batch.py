"""Many graphs in one launch: the CPU's distances bit for bit, arrays of other packages in and out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import nvrtc
from apsp.gpu.page import algebra_name
from apsp.methods.floyd_warshall.kernels import batch as kernels
from batches import DTYPES, SEMIRINGS, random_batch
from compiling import needs_compiler, quick_for_one

gpu = pytest.mark.gpu
SIZES = [1, 3, 4, 5, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 300]


@needs_compiler
@pytest.mark.parametrize(("dtype", "capability"), quick_for_one(DTYPES, quick="float32"))
@pytest.mark.parametrize(
    "semiring", [pytest.param(name, marks=() if name == "min_plus" else pytest.mark.slow) for name in SEMIRINGS]
)
def test_a_graph_stays_in_registers(semiring: str, dtype: str, capability: tuple[int, int]) -> None:
    algebra = algebra_name(semiring, dtype, False)
    wanted = kernels.expressions(algebra, np.dtype(dtype).itemsize, capability, paths=False)
    compiled = nvrtc.compile_for("batch.cu", wanted, capability)
    assert set(compiled.registers) == set(wanted)
    assert {name: count for name, count in compiled.spilled_bytes.items() if count} == {}


def same_as_cpu(cupy: Any, batch: Any, **options: Any) -> None:
    ours = apsp.solve_batch(cupy.asarray(batch), **options)
    assert isinstance(ours, cupy.ndarray)
    expected = apsp.solve_batch(batch, device="cpu", **options)
    assert ours.dtype == expected.dtype
    np.testing.assert_array_equal(ours.get(), expected)


@gpu
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_size(cupy: Any, dtype: str, n: int) -> None:
    same_as_cpu(cupy, random_batch(5, n, dtype, seed=n))
    if dtype != "uint16":
        same_as_cpu(cupy, random_batch(5, n, dtype, seed=n, height=60))


@gpu
@pytest.mark.parametrize("semiring", SEMIRINGS[1:])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [4, 30, 64, 100, 200, 270])
def test_other_semirings(cupy: Any, n: int, dtype: str, semiring: str) -> None:
    height = 0 if dtype == "uint16" else 9
    same_as_cpu(cupy, random_batch(4, n, dtype, seed=n, density=0.05, height=height), semiring=semiring)


@gpu
@pytest.mark.parametrize("n", [32, 61, 64, 128, 200, 256, 300, 640])
def test_larger_graphs_side_by_side(cupy: Any, n: int) -> None:
    same_as_cpu(cupy, random_batch(150, n, "int32", seed=n, density=0.05))


@gpu
@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("n", [40, 41, 128, 200, 280])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_padding_is_never_read(cupy: Any, dtype: str, n: int, semiring: str) -> None:
    sizes = np.array([0, 1, n // 2, n - 1, n])
    batch = random_batch(5, n, dtype, seed=2)
    for size, matrix in zip(sizes, batch, strict=True):
        matrix[size:] = matrix[:, size:] = np.nan
    same_as_cpu(cupy, batch, sizes=sizes, semiring=semiring)


@gpu
def test_floats_as_close_as_rounding(cupy: Any) -> None:
    batch = np.random.default_rng(1).random((40, 50, 50))
    ours = apsp.solve_batch(cupy.asarray(batch)).get()
    np.testing.assert_allclose(ours, apsp.solve_batch(batch), rtol=1e-14)
    levels = np.random.default_rng(5).random((50, 30)) * 1e3
    zero = levels[:, :, None] - levels[:, None, :]  # every cycle has length 0, but for rounding
    distances = apsp.solve_batch(cupy.asarray(zero)).get()
    np.testing.assert_allclose(distances, zero, atol=1e-9)
    assert not distances[:, range(30), range(30)].any()


@gpu
def test_any_strides_come_in(cupy: Any) -> None:
    batch = random_batch(6, 24, "float32")
    device = cupy.asarray(batch)
    cuts = (np.s_[::2], np.s_[::-1], np.s_[:, 3:20, 3:20], np.s_[:, 4:20, 4:20], np.s_[:, ::2, ::2])
    for cut in cuts:
        np.testing.assert_array_equal(apsp.solve_batch(device[cut]).get(), apsp.solve_batch(batch[cut]))
    turned = apsp.solve_batch(device.transpose(0, 2, 1)).get()
    np.testing.assert_array_equal(turned, apsp.solve_batch(batch.transpose(0, 2, 1)))


@gpu
def test_where_results_go(cupy: Any) -> None:
    batch = random_batch(7, 20, "int32")
    expected = apsp.solve_batch(batch)
    asked = apsp.solve_batch(batch, device="cuda")
    assert isinstance(asked, cupy.ndarray)
    assert isinstance(apsp.solve_batch(cupy.asarray(batch), device="cpu"), np.ndarray)
    out, host = cupy.empty((7, 20, 20), dtype=np.int64), np.empty_like(batch)
    assert apsp.solve_batch(cupy.asarray(batch), out=out, dtype="int64") is out
    assert apsp.solve_batch(batch, out=host, device="cuda") is host
    with_paths = apsp.solve_batch(batch, out=host, device="cuda", paths=True)
    assert with_paths.distances is host
    assert isinstance(with_paths.predecessors, np.ndarray)
    for found in (asked.get(), host):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(out.get(), apsp.solve_batch(batch, dtype="int64"))
    with pytest.raises(apsp.RequestError, match="out lies on GPU 0"):
        apsp.solve_batch(batch, out=out, dtype="int64")
    graphs = [apsp.generate("random", n, seed=n) for n in (5, 60, 200, 300)]
    for graph, distances in zip(graphs, apsp.solve_batch(graphs, device="cuda"), strict=True):
        assert isinstance(distances, cupy.ndarray)
        exact = apsp.solve(graph, device="cpu", dtype=distances.dtype.name).distances
        np.testing.assert_array_equal(distances.get(), exact)


@gpu
def test_tensors_in_and_out(cupy: Any) -> None:
    torch = pytest.importorskip("torch")
    batch = random_batch(7, 20, "float32")
    tensor = torch.from_numpy(batch).cuda()
    ours = apsp.solve_batch(tensor)
    assert isinstance(ours, torch.Tensor)
    assert ours.is_cuda
    out = torch.empty_like(tensor)
    assert apsp.solve_batch(tensor, out=out) is out
    on_cpu = apsp.solve_batch(torch.from_numpy(batch))
    assert isinstance(on_cpu, torch.Tensor)
    for found in (ours, out, on_cpu):
        np.testing.assert_array_equal(found.cpu().numpy(), apsp.solve_batch(batch))


@gpu
@pytest.mark.parametrize("n", [9, 64, 100, 200])
def test_errors_name_the_graph(cupy: Any, n: int) -> None:
    batch = cupy.asarray(random_batch(5, n, "float32"))
    batch[3, 2, 7], batch[3, 7, 2] = -60, 1
    with pytest.raises(apsp.NegativeCycleError, match="graph 3 of the batch") as caught:
        apsp.solve_batch(batch)
    assert caught.value.graph == 3
    batch[2, 4, 8] = np.nan
    with pytest.raises(apsp.GraphError, match=r"graph 2: entry \[4, 8\] is nan"):
        apsp.solve_batch(batch)
    batch[2, 4, 8] = 3e38
    with pytest.raises(apsp.DtypeRangeError, match=r"graph 2.*float64"):
        apsp.solve_batch(batch)


@gpu
def test_integers_become_wider_rather_than_wrap(cupy: Any) -> None:
    assert apsp.solve_batch(cupy.full((2, 12, 12), 3000, dtype=np.uint16)).dtype == np.int32
    for batch in (np.full((2, 3, 3), 2**31 - 2, dtype=np.int32), np.full((2, 160, 160), -(2**31), dtype=np.int32)):
        batch[:, 1:] = apsp.unreachable("int32")
        batch[:, 0, 0] = 0
        same_as_cpu(cupy, batch)
        assert apsp.solve_batch(cupy.asarray(batch)).dtype == np.int64
