"""The k nearest vertices of rows that lie on a GPU, beside the CPU's: there, and by the same kernel on this CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import _cpu
from apsp.errors import RequestError
from apsp.gpu import jit, nvrtc
from apsp.reductions import Nearest
from apsp.reductions.kernels import nearest
from apsp.semiring import unreachable
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
MOST = nearest.MOST_SELECTED


@pytest.fixture(params=["on this CPU", pytest.param("on a GPU", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """CuPy, or what stands for it."""
    if request.param == "on a GPU":
        yield request.getfixturevalue("cupy")
        return
    with emulated_gpus(monkeypatch):
        yield jit.cupy()


def check(device: Any, dist: Any, sources: Any, k: int, lead: int = 0, gap: int = 0, **limits: int) -> None:
    """To the last bit, also where rows begin anywhere and lie apart."""
    rows, n = dist.shape
    sources = np.asarray(sources, dtype=np.int32)
    vertices, distances = np.empty((rows, k), np.int32), np.empty((rows, k), dist.dtype)
    _cpu.nearest_columns(np.ascontiguousarray(dist), sources, vertices, distances, 2)
    wide = np.zeros((rows, lead + n + gap), dtype=dist.dtype)  # what is nearer than all others, and must not be read
    wide[:, lead : lead + n] = dist
    found = nearest.nearest(device.asarray(wide)[:, lead : lead + n], sources, k, **limits)
    assert [type(array) for array in found] == [np.ndarray] * 2
    np.testing.assert_array_equal(found[0], vertices)
    assert found[1].dtype == dist.dtype
    assert found[1].tobytes() == distances.tobytes()  # zeros have signs


def distances_of(
    rows: int, n: int, dtype: str, seed: int, *, low: int = 0, high: int = 5000, no_path: float = 0.2
) -> Any:
    rng = np.random.default_rng(seed)
    dist = rng.integers(low, high, (rows, n)).astype(dtype)
    if dist.dtype.kind == "f":
        dist += rng.integers(0, 4, dist.shape) / dist.dtype.type(4)
    dist[rng.random(dist.shape) < no_path] = unreachable(dtype)
    return dist


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 33, 500, 2500])
@pytest.mark.parametrize("k", [1, 2, 10, 100, 700])
def test_any_rows(device: Any, n: int, dtype: str, k: int) -> None:
    sources = np.random.default_rng(n).integers(0, n, 3)
    check(device, distances_of(3, n, dtype, n + k), sources, k)
    check(device, distances_of(3, n, dtype, n + k, high=6), sources, k)  # many are equally near
    check(device, distances_of(3, n, dtype, n + k, high=1), sources, k)
    check(device, distances_of(3, n, dtype, n + k, no_path=0.97), sources, k)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", range(8))
def test_rows_that_begin_anywhere(device: Any, dtype: str, lead: int) -> None:
    for n, gap in ((1, 0), (7, 1), (300, 3), (301, 0)):
        check(device, distances_of(4, n, dtype, n), np.arange(4) % n, 9, lead, gap)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [10, 128, 129, MOST - 1, MOST])
def test_long_rows(device: Any, dtype: str, k: int) -> None:
    """Longer than the candidates have room for; the first bound is taken from a part of them."""
    n = 20_000 + 32 * 129 * 8
    check(device, distances_of(2, n, dtype, k, high=30_000), [5, n - 1], k, lead=1)
    check(device, distances_of(1, n, dtype, k, high=9), [n // 2], k)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [3, 128, 1000])
def test_near_vertices_in_unlucky_places(device: Any, dtype: str, k: int) -> None:
    """The bound is bad, so that candidates are thinned out again and again."""
    n = 24_000
    falling = np.arange(n)[::-1] + 7
    ring = np.minimum(np.arange(n), n - np.arange(n))
    hidden = np.full(n, 30_000)
    for part in range(8, n // 8 - 8, 32):  # what no sample of vectors shows
        hidden[part * 8 : part * 8 + 24] = np.arange(24) + part % 1000
    few = np.full(n, unreachable(dtype), dtype=dtype)
    few[-9000:] = np.arange(9000)[::-1]
    rows = np.stack([falling, np.roll(ring, n // 3), hidden]).astype(dtype)
    check(device, np.concatenate([rows, few[None]]), [n - 1, n // 3, 4, 9], k)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("k", [5, 90])
def test_negative_distances(device: Any, dtype: str, k: int) -> None:
    check(device, distances_of(4, 700, dtype, 3, low=-400, high=400), [0, 9, 9, 699], k)


def test_the_ends_of_the_range(device: Any) -> None:
    ends = {
        "uint16": [0, 1, 2**15 - 1, 2**15, 2**16 - 2, 2**16 - 1],
        "int32": [-(2**31), -(2**31) + 1, -1, 0, 2**30, 2**31 - 2, 2**31 - 1],
        "int64": [-(2**63), -(2**63) + 1, -(2**32), -1, 0, 1, 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 2, 2**63 - 1],
        "float32": [-np.inf, -3.4e38, -1e-45, -0.0, 0.0, 1e-45, 1e-38, 3.4e38, np.inf, np.nan, -np.nan],
        "float64": [-np.inf, -1.7e308, -5e-324, -0.0, 0.0, 5e-324, 1e-308, 1.7e308, np.inf, np.nan, -np.nan],
    }
    for dtype, values in ends.items():
        rng = np.random.default_rng(4)
        for n in (len(values), 200):
            dist = rng.choice(np.array(values, dtype=dtype), (6, n))
            for k in (1, 4, n // 2, n):
                check(device, dist, np.arange(6), k)


@pytest.mark.parametrize("dtype", DTYPES)
def test_more_than_are_selected(device: Any, dtype: str) -> None:
    dist = distances_of(3, 1500, dtype, 2, low=0 if dtype == "uint16" else -9, high=40, no_path=0.5)
    for k in (MOST + 1, 1499, 1500, 2000):
        check(device, dist, [0, 700, 1499], k, gap=1)
    dist = distances_of(9, 40, dtype, 2, high=5)
    if dist.dtype.kind == "f":
        dist[dist == 0] *= -1
    for k in (1, 7, 40, 60):
        check(device, dist, np.arange(9), k, most_selected=0, sorted_bytes=2 * 40 * 32)  # a row or two at a time


def test_blocks_of_threads_of_every_size(device: Any) -> None:
    dist = distances_of(2, 9000, "int32", 8)
    for threads in (32, 64, 128, 256, 512):
        check(device, dist, [0, 1], 30, threads=threads)
        check(device, dist, [0, 1], 1000, threads=threads)


def test_no_rows(device: Any) -> None:
    for k in (3, 5000):
        check(device, np.zeros((0, 6000), np.int32), [], k)


def blocks(array: Callable[[Any], Any], dist: Any, rows: int = 17) -> Iterator[Any]:
    order = np.random.default_rng(0).permutation(len(dist)).astype(np.int32)
    for start in range(0, len(order), rows):
        part = order[start : start + rows]
        yield SimpleNamespace(source_positions=part, distances=array(dist[part]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_blocks_that_lie_on_a_gpu(device: Any, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dist = distances_of(60, 60, dtype, 1, high=30)
    np.fill_diagonal(dist, 0)
    host = apsp.reductions.k_nearest(blocks(np.asarray, dist), 60, 7)
    with monkeypatch.context() as patch:
        patch.setattr(_cpu, "nearest_columns", None)  # nothing comes to the host
        found = apsp.reductions.k_nearest(blocks(device.asarray, dist), 60, 7)
    for name in ("sources", "vertices", "distances"):
        np.testing.assert_array_equal(getattr(found, name), getattr(host, name))
        assert getattr(found, name).dtype == getattr(host, name).dtype
    with pytest.raises(RequestError, match="added twice"):
        found.add(next(blocks(device.asarray, dist)))
    fortran = Nearest(60, 7)
    fortran.add(
        SimpleNamespace(source_positions=np.arange(60), distances=device.asarray(np.ascontiguousarray(dist.T)).T)
    )
    np.testing.assert_array_equal(fortran.vertices, host.vertices)


@pytest.mark.gpu
@pytest.mark.parametrize("method", ["label-correcting", "bit-bfs", "elimination"])
def test_graphs(cupy: Any, method: str) -> None:
    graph = apsp.generate("grid" if method == "elimination" else "random", 2500, seed=2)
    graph = graph.unweighted() if method == "bit-bfs" else graph
    for k in (5, 1100):
        host = apsp.k_nearest(graph, k, device="cpu", dtype="int32")
        some: dict[str, Any] = {"rows": 311, "sources": np.arange(2499, 0, -7)}
        for options in ({}, some):
            found = apsp.k_nearest(graph, k, method=method, dtype="int32", device="cuda", **options)
            np.testing.assert_array_equal(found.vertices, host.vertices[found.sources])
            np.testing.assert_array_equal(found.distances, host.distances[found.sources])


@pytest.mark.gpu
def test_blocks_of_the_second_gpu(cupy: Any) -> None:
    if cupy.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("there is one GPU")
    graph = apsp.generate("random", 3000, seed=2)
    with cupy.cuda.Device(0):
        found = apsp.reductions.k_nearest(apsp.stream(graph, device="cuda:1", rows=700), 3000, 12)
    np.testing.assert_array_equal(found.vertices, apsp.k_nearest(graph, 12, device="cpu").vertices)


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_the_kernel_compiles_without_spills(capability: tuple[int, int]) -> None:
    wanted = [nearest.expression(dtype) for dtype in DTYPES]
    compiled = nvrtc.compile_for("nearest.cu", wanted, capability)
    assert set(compiled.spilled_bytes) == set(wanted)
    assert not any(compiled.spilled_bytes.values())
