"""Products on GPUs: the CPU's bit for bit, on emulated GPUs and real ones; arrays of other packages in and out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit, nvrtc
from apsp.gpu.emulated.run import entered
from apsp.gpu.page import algebra_name
from apsp.gpu.recorder import recording
from apsp.methods.floyd_warshall.kernels import product as kernels
from apsp.methods.floyd_warshall.kernels.policy import policy_for, policy_with_pivots
from compiling import ARCHITECTURES, needs_compiler
from products import DTYPES, SEMIRINGS, matrices

gpu = pytest.mark.gpu
SHAPES = [(1, 1, 1), (5, 3, 9), (32, 32, 32), (33, 17, 65), (64, 16, 64), (70, 40, 130), (129, 100, 31)]


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_a_tile_stays_in_registers(capability: tuple[int, int]) -> None:
    # With pivots each entry takes three registers; without them the tiles are those of update.cu.
    wanted = [*kernels.expressions("float32"), *kernels.expressions("uint16")]
    all_of_them = (("float32", "min_plus"), ("int32", "min_plus"), ("float64", "max_min"))
    for dtype, semiring in all_of_them if capability == (9, 0) else all_of_them[:1]:
        algebra, size = algebra_name(semiring, dtype, True), np.dtype(dtype).itemsize
        wanted.append(
            kernels.product_expression(policy_for(capability, algebra).shapes[0][0], algebra, size, pivots=False)
        )
        for shape, _ in policy_with_pivots(capability, algebra).shapes:
            wanted.append(kernels.product_expression(shape, algebra, size, pivots=True))
            wanted.append(kernels.locate_expression(shape, algebra, size))
    algebra = algebra_name("max_min", "uint16", False)
    wanted.append(kernels.product_expression(policy_for(capability, algebra).shapes[0][0], algebra, 2, pivots=False))
    wanted = list(dict.fromkeys(wanted))
    compiled = nvrtc.compile_for("product.cu", wanted, capability)
    assert set(compiled.registers) == set(wanted)
    assert {name: count for name, count in compiled.spilled_bytes.items() if count} == {}


def same(found: Any, expected: Any) -> None:
    for ours, right in zip(found, expected, strict=True):
        assert ours.dtype == right.dtype
        np.testing.assert_array_equal(ours, right)


# -- emulated GPUs ----------------------------------------------------------------------------------------------------


@pytest.mark.few(12)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("semiring", [*SEMIRINGS, "or_and"])
def test_every_dtype_on_an_emulated_gpu(semiring: str, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    for dtype in ("bool",) if semiring == "or_and" else DTYPES:
        a, b = matrices((m, k), dtype, semiring), matrices((k, n), dtype, semiring, seed=2)
        for witness in (False, True):
            options: Any = {"semiring": semiring, "witness": witness}
            found, expected = apsp.product(a, b, device="emulated", **options), apsp.product(a, b, **options)
            same(found if witness else [found], expected if witness else [expected])


@pytest.mark.parametrize("semiring", ["min_plus", "max_plus", "max_min"])
def test_batches_on_an_emulated_gpu(semiring: str) -> None:
    for left, right in (((3,), (3,)), ((2, 1), (1, 3)), ((), (4,)), ((4,), ()), ((0,), ())):
        a, b = matrices((*left, 5, 9), "int32", semiring), matrices((*right, 9, 6), "int32", semiring, seed=2)
        options: Any = {"semiring": semiring, "witness": True}
        same(apsp.product(a, b, device="emulated", **options), apsp.product(a, b, **options))
    out = np.full((3, 5, 9), -1, dtype=np.int64)[:, :, 1:7]
    a, b = matrices((3, 5, 9), "int32", semiring), matrices((9, 6), "int32", semiring)
    assert apsp.product(a, b, device="emulated", out=out, semiring=semiring) is out
    np.testing.assert_array_equal(out, apsp.product(a, b, semiring=semiring, dtype="int64"))


@pytest.mark.parametrize("wrong", [np.nan, -np.inf])
def test_an_emulated_gpu_names_entries_that_are_no_numbers(wrong: float) -> None:
    a = matrices((3, 40, 50), "float32", "min_plus")
    a[1, 30, 40] = wrong
    with pytest.raises(apsp.GraphError, match=r"a: entry \[1, 30, 40\] is (nan|-inf)"):
        apsp.product(a, a.swapaxes(1, 2).copy(), device="emulated")


def test_integers_become_wider_on_an_emulated_gpu() -> None:
    a = np.array([[2**29 - 2, 2**31 - 1]], dtype=np.int32)
    for other in (1, 2):
        b = np.full((2, 1), other, dtype=np.int32)
        same([apsp.product(a, b, device="emulated")], [apsp.product(a, b)])


def test_two_launches_give_products_and_pivots_without_races() -> None:
    a, b = matrices((3, 40, 50), "float32", "min_plus"), matrices((3, 50, 70), "float32", "min_plus")
    with entered(), recording() as recorder:
        cupy = jit.cupy()
        c, via = cupy.empty((3, 40, 70), dtype=np.float32), cupy.empty((3, 40, 70), dtype=np.int32)
        kernels.product(cupy.asarray(a), cupy.asarray(b), c, via, "min_plus", nonnegative=False, complete=True)
    same([c.get(), via.get()], apsp.product(a, b, witness=True))
    assert not recorder.races


# -- real ones --------------------------------------------------------------------------------------------------------


@gpu
@pytest.mark.parametrize("shape", [*SHAPES, (257, 1000, 300), (1024, 1024, 1024)])
@pytest.mark.parametrize("semiring", [*SEMIRINGS, "or_and"])
def test_every_dtype_and_shape(cupy: Any, semiring: str, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    for dtype in ("bool",) if semiring == "or_and" else DTYPES:
        a, b = matrices((m, k), dtype, semiring), matrices((k, n), dtype, semiring, seed=2)
        for witness in (False, True):
            options: Any = {"semiring": semiring, "witness": witness}
            found = apsp.product(cupy.asarray(a), cupy.asarray(b), **options)
            expected = apsp.product(a, b, **options)
            pairs = zip(found, expected, strict=True) if witness else [(found, expected)]
            for ours, right in pairs:
                assert isinstance(ours, cupy.ndarray)
                same([ours.get()], [right])


@gpu
def test_nonnegative_floats_and_every_shape_of_tile(cupy: Any) -> None:
    for n in (30, 200, 700, 2000):
        a, b = (np.random.default_rng(seed).integers(0, 4096, (n, n)).astype(np.float32) for seed in (1, 2))
        found, via = apsp.product(cupy.asarray(a), cupy.asarray(b), witness=True)
        same([apsp.product(cupy.asarray(a), cupy.asarray(b)).get()], [found.get()])
        same([found.get(), via.get()], apsp.product(a, b, witness=True))


@gpu
def test_batches(cupy: Any) -> None:
    for left, right in (((300,), (300,)), ((2, 1), (1, 3)), ((), (4,)), ((4,), ()), ((70000,), (70000,))):
        a, b = matrices((*left, 5, 9), "int32", "min_plus"), matrices((*right, 9, 6), "int32", "min_plus", seed=2)
        found = apsp.product(cupy.asarray(a), cupy.asarray(b), witness=True)
        same([each.get() for each in found], apsp.product(a, b, witness=True))


@gpu
def test_where_results_go(cupy: Any) -> None:
    a = matrices((3, 20, 20), "int32", "min_plus")
    expected = apsp.product(a, a)
    assert isinstance(apsp.product(a, a, device="cuda"), cupy.ndarray)
    assert isinstance(apsp.product(cupy.asarray(a), a), cupy.ndarray)
    assert isinstance(apsp.product(cupy.asarray(a), a, device="cpu"), np.ndarray)
    out, host = cupy.empty((3, 20, 20), dtype=np.int64), np.empty_like(a)
    assert apsp.product(cupy.asarray(a), a, out=out) is out
    assert apsp.product(a, a, out=host, device="cuda") is host
    for found in (out.get(), host):
        np.testing.assert_array_equal(found, expected)
    padded = cupy.empty((3, 20, 31), dtype=np.int32)[:, :, 3:23]
    assert apsp.product(cupy.asarray(a), cupy.asarray(a), out=padded) is padded
    np.testing.assert_array_equal(padded.get(), expected)
    with pytest.raises(apsp.RequestError, match="out lies on GPU 0"):
        apsp.product(a, a, out=out)


@gpu
def test_an_entry_that_is_not_a_number_is_named(cupy: Any) -> None:
    a = matrices((3, 100, 100), "float32", "min_plus")
    a[2, 4, 8] = np.nan
    with pytest.raises(apsp.GraphError, match=r"b: entry \[2, 4, 8\] is nan"):
        apsp.product(cupy.zeros((100, 100), dtype=np.float32), cupy.asarray(a))


@gpu
def test_tensors_in_and_out(cupy: Any) -> None:
    torch = pytest.importorskip("torch")
    a = matrices((7, 20, 20), "float32", "min_plus")
    tensor = torch.from_numpy(a).cuda()
    found, via = apsp.product(tensor, tensor, witness=True)
    assert found.is_cuda
    assert via.is_cuda
    out = torch.empty_like(tensor)
    assert apsp.product(tensor, tensor, out=out) is out
    on_cpu = apsp.product(torch.from_numpy(a), torch.from_numpy(a))
    for each in (found, out, on_cpu):
        np.testing.assert_array_equal(each.cpu().numpy(), apsp.product(a, a))
