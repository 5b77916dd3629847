"""Arrays of other packages in and out by DLPack: read where they lie, written in place, streams respected."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit, nvrtc
from apsp.gpu.page import VALUES, algebra_name
from apsp.graph import dense_facts as facts
from apsp.graph import device
from apsp.graph.device import DeviceGraph
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.floyd_warshall.kernels.matrix import extend_expression, fill_dense_expression
from apsp.semiring import MIN_PLUS, Algebra
from apsp.system.array_device import to_host
from compiling import ARCHITECTURES, needs_compiler
from contract import assert_paths_replay, assert_same_distances

WEIGHTS = ("int32", "int64", "float32", "float64")


def lengths(n: int, dtype: str, seed: int = 1, *, low: int = 1, high: int = 30, density: float = 0.2) -> Any:
    """A dense matrix with "no arc" entries, and what lies on the diagonal does not count."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(low, high + 1, (n, n)).astype(dtype)
    matrix[rng.random((n, n)) > density] = apsp.unreachable(dtype)
    return matrix


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch")


# -- graphs -----------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("n", [0, 1, 127, 128, 129, 1000])
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_a_dense_matrix_of_the_device(cupy: Any, dtype: str, n: int) -> None:
    matrix = lengths(n, dtype)
    graph = apsp.from_dense(cupy.asarray(matrix))
    host = apsp.from_dense(matrix)
    assert isinstance(graph, DeviceGraph)
    assert (graph.n, graph.m, graph.has_negative_arc, graph.has_zero_arc) == (n, host.m, False, False)
    assert (graph.weight_range, graph.max_out_degree) == (host.weight_range, host.max_out_degree)
    result = apsp.solve(graph, paths=True, method="floyd-warshall")
    assert result.info["device"] == "cuda"
    assert isinstance(result.distances, cupy.ndarray)
    assert_same_distances(result.distances, apsp.solve(host, device="cpu", dtype=result.distances.dtype).distances)
    assert "_host" not in graph.__dict__  # the matrix never left the device
    assert_paths_replay(result)


@pytest.mark.gpu
def test_the_matrix_is_read_where_it_lies(cupy: Any) -> None:
    wide = cupy.asarray(lengths(64, "float32"))
    graph = apsp.from_dense(wide[:, :64])
    assert graph.matrix.data.ptr == wide.data.ptr
    part = wide[8:40, 8:40]
    assert apsp.from_dense(part).matrix.data.ptr == part.data.ptr
    turned = to_host(apsp.solve(wide.T).distances)
    np.testing.assert_array_equal(turned, apsp.solve(wide.get().T.copy(), device="cpu").distances)


@pytest.mark.gpu
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_pages_are_filled_from_the_matrix(cupy: Any, dtype: str, keep: bool) -> None:
    matrix = lengths(300, dtype)
    graph, host = apsp.from_dense(cupy.asarray(matrix)), apsp.from_dense(matrix)
    algebra = Algebra(MIN_PLUS, True)
    ours, cpu = CudaBackend(keep_arcs=keep), CpuBackend(1)
    for top, left, rows, columns in ((0, 0, 300, 300), (100, 90, 50, 70), (0, 200, 131, 100), (299, 0, 1, 300)):
        page, expected = (backend.allocate(rows, columns, dtype) for backend in (ours, cpu))
        ours.fill(page, top, left, graph, algebra)
        cpu.fill(expected, top, left, host, algebra)
        np.testing.assert_array_equal(page.get(), expected)


@pytest.mark.gpu
def test_a_matrix_of_the_device_in_pages_of_the_host(cupy: Any) -> None:
    matrix = lengths(1500, "int32")
    result = apsp.solve(cupy.asarray(matrix), device="cuda", gpu_memory="8MiB", dtype="int32", paths=True)
    assert result.info["matrix_in"] == "host"
    assert_same_distances(result.distances, apsp.solve(matrix, device="cpu").distances)


@pytest.mark.gpu
@pytest.mark.filterwarnings("ignore::apsp.errors.ApspWarning")
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32", "uint64", "float16", "bool"])
def test_other_dtypes(cupy: Any, dtype: str) -> None:
    rng = np.random.default_rng(4)
    matrix = rng.integers(0, 2, (50, 50)).astype(dtype)
    for absent in (0, None):
        ours, cpu = (
            apsp.from_dense(cupy.asarray(matrix), absent=absent),
            apsp.from_dense(matrix, absent=absent),
        )
        assert (ours.m, ours.weight_dtype) == (cpu.m, cpu.weight_dtype)
        assert_same_distances(apsp.solve(ours).distances, apsp.solve(cpu, device="cpu").distances)


@pytest.mark.gpu
@pytest.mark.parametrize("absent", [None, 2**64 - 1, 2**63, 5, -1])
def test_unsigned_lengths_of_64_bits(cupy: Any, absent: int | None) -> None:
    mark = apsp.unreachable("uint64") if absent is None else absent
    matrix = np.random.default_rng(6).integers(0, 9, (60, 60)).astype(np.uint64)
    if mark >= 0:
        matrix[np.random.default_rng(7).random((60, 60)) > 0.2] = mark
    ours, cpu = (apsp.from_dense(given, absent=absent) for given in (cupy.asarray(matrix), matrix))
    assert (ours.m, ours.weight_dtype, ours.weight_range) == (cpu.m, cpu.weight_dtype, cpu.weight_range)
    assert_same_distances(apsp.solve(ours, paths=True).distances, apsp.solve(cpu, device="cpu").distances)
    matrix[3, 4] = 2**63 + 1
    with pytest.raises(apsp.GraphError, match=r"entry \[3, 4\] is 9223372036854775809.*absent="):
        apsp.from_dense(cupy.asarray(matrix), absent=absent)


def test_unsigned_lengths_are_read_as_signed_ones_in_place() -> None:
    matrix = np.array([[0, 2**64 - 1], [7, 2**63 - 1]], dtype=np.uint64)
    signed, absent = device._signed(matrix, apsp.unreachable("uint64"))
    assert (signed.dtype, absent, signed.tolist()) == (np.int64, -1, [[0, -1], [7, 2**63 - 1]])
    assert np.shares_memory(signed, matrix)
    assert device._absent(signed.dtype, absent) == (-1, 1)
    assert device._absent(np.dtype(np.float64), 10**400) == device._absent(np.dtype(np.int32), 2**31) == (0, 0)
    for absent in (0, -1, math.nan, 2**63, 2.0**64):
        with pytest.raises(apsp.GraphError, match=r"entry \[0, 1\] is 18446744073709551615.*absent="):
            device._signed(matrix, absent)
    matrix[0, 1] = 9
    assert math.isnan(device._signed(matrix, -1)[1])  # what no entry can be
    assert device._signed(matrix, 9)[1] == 9
    assert device._signed(matrix[:0, :0], 0)[0].shape == (0, 0)


@pytest.mark.gpu
@pytest.mark.parametrize("absent", [0, -1, 7, math.nan, math.inf, 2.5])
@pytest.mark.parametrize("dtype", WEIGHTS)
def test_what_is_absent(cupy: Any, dtype: str, absent: float) -> None:
    matrix = np.random.default_rng(2).integers(0, 9, (40, 40)).astype(dtype)
    if absent == -1:
        matrix[::3] = -1
    if math.isnan(absent) and dtype.startswith("float"):
        matrix[::4, 1::4] = math.nan
        np.fill_diagonal(matrix, math.nan)
    ours, cpu = (apsp.from_dense(m, absent=absent) for m in (cupy.asarray(matrix), matrix))
    assert (ours.m, ours.has_zero_arc, ours.weight_range) == (cpu.m, cpu.has_zero_arc, cpu.weight_range)
    assert_same_distances(apsp.solve(ours).distances, apsp.solve(cpu, device="cpu").distances)
    np.testing.assert_array_equal(ours.indices, cpu.indices)
    np.testing.assert_array_equal(ours.weights, cpu.weights)


@pytest.mark.gpu
def test_negative_arcs_loops_and_cycles(cupy: Any) -> None:
    height = np.random.default_rng(3).integers(-40, 41, 150)
    none = apsp.unreachable("int32")
    matrix = lengths(150, "int32", low=0)
    shifted = np.where(matrix == none, none, matrix + height[:, None] - height).astype(np.int32)
    np.fill_diagonal(shifted, 5)
    result = apsp.solve(cupy.asarray(shifted), paths=True)
    assert result.info["device"] == "cuda"
    assert_same_distances(result.distances, apsp.solve(shifted, device="cpu").distances)
    assert_paths_replay(result)
    shifted[70, 70] = -1
    with pytest.raises(apsp.NegativeCycleError):
        apsp.solve(cupy.asarray(shifted))


@pytest.mark.gpu
@pytest.mark.parametrize("bad", [math.nan, -math.inf])
@pytest.mark.parametrize("place", [(0, 0), (3, 199), (150, 7)])
def test_what_is_no_length_is_found_on_the_device(cupy: Any, bad: float, place: tuple[int, int]) -> None:
    matrix = lengths(200, "float32")
    matrix[place] = matrix[180, 3] = bad
    with pytest.raises(apsp.GraphError, match=rf"entry \[{place[0]}, {place[1]}\] is {bad}"):
        apsp.solve(cupy.asarray(matrix))


@pytest.mark.gpu
def test_shapes_and_symmetry(cupy: Any) -> None:
    with pytest.raises(apsp.GraphError, match=r"shape \(n, n\)"):
        apsp.solve(cupy.ones((3, 4)))
    with pytest.raises(apsp.GraphError, match="numbers"):
        apsp.solve(cupy.ones((3, 3), dtype=complex))
    matrix = cupy.ones((5, 5))
    assert not apsp.from_dense(matrix, directed=False).directed
    matrix[1, 4] = 2
    with pytest.raises(apsp.GraphError, match=r"entry \[1, 4\] is 2.0 but \[4, 1\] is 1.0"):
        apsp.from_dense(matrix, directed=False)


@pytest.mark.gpu
def test_narrow_dtypes_are_proven_on_the_device(cupy: Any) -> None:
    """A long arc out of every vertex, but short ways round: only paths through a root prove 16 bits."""
    matrix = np.random.default_rng(5).integers(1, 20, (600, 600)).astype(np.int32)
    matrix[np.arange(600), np.arange(600) - 1] = 20_000
    matrix[3, 9] = apsp.unreachable("int32")
    assert "paths through vertex" in apsp.plan(cupy.asarray(matrix)).explain()
    result = apsp.solve(cupy.asarray(matrix))
    assert result.distances.dtype == np.uint16
    assert_same_distances(result.distances, apsp.solve(matrix, device="cpu").distances)
    matrix[5, 6] = 40_000
    assert apsp.solve(cupy.asarray(matrix)).distances.dtype == np.int32
    matrix = np.full((600, 600), 30_000, dtype=np.int32)
    assert "every vertex has an arc to every other" in apsp.plan(cupy.asarray(matrix)).explain()
    assert apsp.solve(cupy.asarray(matrix)).distances.dtype == np.uint16
    chain = np.full((600, 600), apsp.unreachable("int32"), dtype=np.int32)
    chain[np.arange(599), np.arange(1, 600)] = 1000
    assert apsp.solve(cupy.asarray(chain)).distances.dtype == np.int32
    chain[:] = 2**30
    with pytest.raises(apsp.DtypeRangeError, match="int32"):
        apsp.solve(cupy.asarray(chain), dtype="int32")


@pytest.mark.gpu
def test_a_device_graph_is_a_graph(cupy: Any) -> None:
    matrix = lengths(60, "int32")
    graph, host = apsp.from_dense(cupy.asarray(matrix)), apsp.from_dense(matrix)
    assert "on GPU 0" in repr(graph)
    assert apsp.diameter(graph) == apsp.diameter(host)
    again = copy.deepcopy(graph)
    np.testing.assert_array_equal(again.weights, host.weights)
    on_cpu = apsp.solve(graph, device="cpu", paths=True)
    assert isinstance(on_cpu.distances, np.ndarray)
    assert_same_distances(on_cpu.distances, apsp.solve(host).distances)
    assert "floyd-warshall" in apsp.plan(graph).explain()
    result = apsp.solve(graph)
    assert apsp.result.paths.replay(graph, result.path(0, 59)) == result.distance(0, 59)


# -- PyTorch and JAX --------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_torch_in_and_out(cupy: Any, torch: Any) -> None:
    matrix = lengths(300, "float32")
    tensor = torch.from_numpy(matrix).cuda()
    result = apsp.solve(tensor)
    taken = torch.from_dlpack(result.distances)
    assert taken.data_ptr() == result.distances.data.ptr
    np.testing.assert_array_equal(taken.cpu().numpy(), apsp.solve(matrix, device="cpu").distances)
    out = torch.empty((300, 300), dtype=torch.float32, device="cuda")
    result = apsp.solve(tensor, out=out)
    assert result.distances.data.ptr == out.data_ptr()
    assert torch.equal(out, taken)


@pytest.mark.gpu
def test_the_stream_of_the_caller_is_waited_for(cupy: Any, torch: Any) -> None:
    matrix = lengths(2000, "float32")
    expected = to_host(apsp.solve(matrix, device="cuda").distances)
    source, tensor = torch.from_numpy(matrix).cuda(), torch.full((2000, 2000), 1.0, device="cuda")
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(400_000_000)  # the matrix is written long after solve is called
        tensor.copy_(source)
        result = apsp.solve(tensor)
    np.testing.assert_array_equal(to_host(result.distances), expected)
    with cupy.cuda.Stream(non_blocking=True):
        ours = apsp.solve(cupy.asarray(matrix), paths=True)
        np.testing.assert_array_equal(to_host(ours.distances), expected)


@pytest.mark.gpu
def test_torch_refuses_what_needs_a_gradient(cupy: Any, torch: Any) -> None:
    tensor = torch.ones((4, 4), device="cuda", requires_grad=True)
    with pytest.raises(apsp.GraphError, match="requires a gradient"):
        apsp.solve(tensor)


@pytest.mark.gpu
def test_jax_in_and_out(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = pytest.importorskip("jax")
    matrix = lengths(128, "float32")
    array = jax.device_put(matrix)
    if array.device.platform != "gpu":
        pytest.skip("JAX sees no GPU")
    result = apsp.solve(array)
    np.testing.assert_array_equal(to_host(result.distances), apsp.solve(matrix, device="cpu").distances)
    taken = jax.dlpack.from_dlpack(result.distances)
    assert taken.unsafe_buffer_pointer() == result.distances.data.ptr
    with pytest.raises(apsp.RequestError, match="JAX"):
        apsp.solve(array, out=jax.numpy.empty((128, 128)))


# -- out= -------------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
def test_out_is_written_in_place(cupy: Any) -> None:
    matrix = lengths(200, "int32")
    expected = apsp.solve(matrix, device="cpu", dtype="int32").distances
    whole = cupy.full((202, 209), 7, dtype=np.int32)
    out = whole[1:201, 3:203]
    for graph in (matrix, cupy.asarray(matrix)):
        result = apsp.solve(graph, out=out, dtype="int32", method="floyd-warshall")
        assert result.distances is out
        np.testing.assert_array_equal(out.get(), expected)
        out[:] = 7
        assert bool((whole == 7).all())
    host = np.empty((200, 200), dtype=np.int32)
    apsp.solve(cupy.asarray(matrix), out=host, dtype="int32")
    np.testing.assert_array_equal(host, expected)
    row = np.empty(200, dtype=np.int32)
    apsp.solve(cupy.asarray(matrix), sources=[7], out=row[None, :], dtype="int32")
    np.testing.assert_array_equal(row, expected[7])


@pytest.mark.gpu
def test_out_that_does_not_fit_says_why(cupy: Any) -> None:
    matrix = cupy.asarray(lengths(20, "float32"))
    for out, message in (
        (matrix, "must not overlap the matrix"),
        (cupy.empty((20, 21), dtype=np.float32), r"shape \(20, 20\)"),
        (cupy.empty((20, 20)), "float32"),
        (cupy.empty((20, 20), dtype=np.float32).T, "contiguous along each row"),
        ([[0]], "not a list"),
    ):
        with pytest.raises(apsp.RequestError, match=message):
            apsp.solve(matrix, out=out)
    with pytest.raises(apsp.RequestError, match=r"out lies on GPU 0.*computed on the CPU.*device='cuda:0'"):
        apsp.solve(matrix, out=cupy.empty((20, 20), dtype=np.float32), device="cpu")


# -- without a GPU ----------------------------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    judged = [name for dtype in WEIGHTS for name in facts.expressions(dtype)]
    algebras = {algebra_name("min_plus", dtype, sign) for dtype in VALUES for sign in (False, True)}
    algebras |= {algebra_name(name, "int32", True) for name in ("max_min", "min_max")}
    passes = [fill_dense_expression(algebra, VALUES[length]) for algebra in sorted(algebras) for length in WEIGHTS]
    passes += [extend_expression(algebra) for algebra in sorted(algebras)]
    for source, wanted in (("dense_facts.cu", judged), ("matrix.cu", passes)):
        compiled = nvrtc.compile_for(source, wanted, capability)
        assert set(compiled.spilled_bytes) == set(wanted)
        assert not any(compiled.spilled_bytes.values())


def test_a_device_array_without_cupy_says_what_to_install() -> None:
    if jit.why_no_gpu() is None:
        pytest.skip("there is a GPU")

    class Foreign:
        def __dlpack__(self, **_: object) -> object:
            raise BufferError("not on this machine")

        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

    with pytest.raises(apsp.GraphError, match=r"the matrix lies on a GPU|cannot be read through DLPack"):
        apsp.solve(Foreign())
    with pytest.raises(apsp.RequestError, match=r"out (lies on a GPU|cannot be read)"):
        apsp.solve(np.ones((2, 2)), out=Foreign())


def test_jax_arrays_are_no_output() -> None:
    kind = type("ArrayImpl", (), {"__module__": "jaxlib._jax"})
    with pytest.raises(apsp.RequestError, match="JAX"):
        apsp.solve(np.ones((2, 2)), out=kind())
