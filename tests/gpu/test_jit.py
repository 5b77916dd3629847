"""Every kernel compiles for every architecture that we name, on a machine without a GPU."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from apsp.errors import DeviceError
from apsp.gpu import jit, nvrtc
from apsp.gpu.page import algebra_name
from apsp.gpu.recorder import Recorder
from apsp.methods.closure.kernels import bit_matrix, bits, bits_hopper, close_bits
from apsp.methods.floyd_warshall.kernels import close, policy, update
from apsp.methods.floyd_warshall.kernels.matrix import fill_expression, finish_expression
from compiling import ARCHITECTURES, needs_compiler, quick_for_one

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
ITEMSIZES = {
    algebra_name(semiring, dtype, nonnegative): np.dtype(dtype).itemsize
    for semiring in ("min_plus", "max_min", "min_max")
    for dtype in DTYPES
    for nonnegative in (False, True)
}
ALGEBRAS = sorted(ITEMSIZES)

MIN_PLUS = [algebra for algebra in ALGEBRAS if "MinPlus" in algebra]


def assert_no_spills(algebra: str, capability: tuple[int, int]) -> None:
    wanted = update.expressions(algebra, ITEMSIZES[algebra], policy.policy_for(capability, algebra))
    compiled = nvrtc.compile_for("update.cu", wanted, capability)
    assert compiled.cubin.startswith(b"\x7fELF")
    assert set(compiled.registers) == set(wanted)
    assert {name: count for name, count in compiled.spilled_bytes.items() if count} == {}


@needs_compiler
@pytest.mark.parametrize(("algebra", "capability"), quick_for_one(MIN_PLUS, quick="apsp::MinPlus<int>"))
def test_every_tile_of_the_update_stays_in_registers(algebra: str, capability: tuple[int, int]) -> None:
    assert_no_spills(algebra, capability)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("algebra", ["apsp::MaxMin<float>", "apsp::MinMax<unsigned short>", "apsp::MaxMin<long long>"])
def test_other_algebras_stay_in_registers(algebra: str) -> None:
    assert_no_spills(algebra, (9, 0))


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_filling_and_finishing_compile(capability: tuple[int, int]) -> None:
    wanted = [fill_expression(algebra) for algebra in ALGEBRAS]
    wanted += [finish_expression(dtype) for dtype in ("uint16", "int32", "int64")]
    compiled = nvrtc.compile_for("matrix.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())


@needs_compiler
@pytest.mark.parametrize(("algebra", "capability"), quick_for_one(MIN_PLUS, quick="apsp::MinPlus<int>"))
def test_closing_keeps_tiles_in_registers(algebra: str, capability: tuple[int, int]) -> None:
    wanted = close.expression(algebra)
    spilled = nvrtc.compile_for("close.cu", [wanted], capability).spilled_bytes
    assert set(spilled) == {wanted}
    assert not any(spilled.values()), spilled


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", [pytest.param((7, 5), marks=pytest.mark.slow), *ARCHITECTURES])
def test_the_kernels_of_bits_compile_without_spills(capability: tuple[int, int]) -> None:
    sources = bits.expressions() | {"bit_matrix.cu": bit_matrix.EXPRESSIONS, "close_bits.cu": (close_bits.EXPRESSION,)}
    for source, wanted in sources.items():
        compiled = nvrtc.compile_for(source, wanted, capability)
        assert set(compiled.spilled_bytes) == set(wanted)
        assert not any(compiled.spilled_bytes.values()), source


@needs_compiler
def test_the_bit_products_of_hopper_compile_without_spills() -> None:
    compiled = nvrtc.compile_for("bits_hopper.cu", bits_hopper.EXPRESSIONS, (9, 0), of_this_architecture=True)
    assert set(compiled.spilled_bytes) == set(bits_hopper.EXPRESSIONS)
    assert not any(compiled.spilled_bytes.values())
    assert "serialized" not in compiled.log


@needs_compiler
def test_what_does_not_compile_says_why() -> None:
    with pytest.raises(DeviceError, match=r"close\.cu does not compile.*NoSuchAlgebra"):
        nvrtc.compile_for("close.cu", ["apsp::close<apsp::NoSuchAlgebra, false>"], (9, 0))


def test_edited_headers_change_the_options(tmp_path, monkeypatch) -> None:
    (tmp_path / "tile.cuh").write_text("// one")
    monkeypatch.setattr(nvrtc, "ROOT", tmp_path)
    before = nvrtc.options()
    (tmp_path / "tile.cuh").write_text("// two")
    assert nvrtc.options() != before


def test_the_package_and_its_plans_load_no_cupy() -> None:
    code = "import sys, numpy, apsp; "
    code += " g = numpy.ones((3, 3)); apsp.solve(g); apsp.plan(g).explain(); print('cupy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_without_a_gpu_the_error_names_the_remedy() -> None:
    reason = jit.why_no_gpu()
    if reason is None:
        pytest.skip("there is a GPU")
    with pytest.raises(DeviceError, match=r"device='cuda'.*device='cpu'"):
        jit.cupy()


def test_shared_memory_that_a_gpu_has_not_is_a_clear_error() -> None:
    class Kernel:
        @property
        def max_dynamic_shared_size_bytes(self) -> int:
            return 0

        @max_dynamic_shared_size_bytes.setter
        def max_dynamic_shared_size_bytes(self, size: int) -> None:
            raise RuntimeError(f"CUDA_ERROR_INVALID_VALUE: {size}")

    with pytest.raises(DeviceError, match=r"close.cu on GPU 1 needs 66,560 bytes.*INVALID_VALUE.*device='cpu'"):
        jit._allow_shared(Kernel(), 66560, "close.cu on GPU 1")


def test_a_recorded_kernel_is_a_kernel() -> None:
    """For example `tune` reads its `local_size_bytes`."""
    recorded = jit.Recorded(SimpleNamespace(local_size_bytes=8), "apsp::update<int>", Recorder())
    assert recorded.local_size_bytes == 8
    with pytest.raises(AttributeError, match="registers"):
        recorded.registers  # noqa: B018
