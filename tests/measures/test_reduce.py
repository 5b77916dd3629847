"""Numbers of rows and columns that a GPU takes where the rows lie, beside those of the CPU."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import RequestError
from apsp.gpu import jit, nvrtc
from apsp.reductions import Summary
from apsp.reductions.kernels import reduce
from apsp.semiring import unreachable
from compiling import ARCHITECTURES, needs_compiler
from emulation import emulated_gpus

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
gpu = pytest.mark.gpu


def distances(n: int, dtype: str, seed: int, scale: float) -> Any:
    rng = np.random.default_rng(seed)
    dist = (rng.random((n, n)) * scale).astype(dtype)
    dist[rng.random((n, n)) < 0.2] = unreachable(dtype)
    dist[::7] = unreachable(dtype)
    np.fill_diagonal(dist, 0)
    return dist


def both(cupy: Any, dist: Any, rows: int = 50, **options: Any) -> tuple[Summary, Summary]:
    summaries = Summary(len(dist), **options), Summary(len(dist), **options)
    for start in range(0, len(dist), rows):
        sources = np.arange(start, min(start + rows, len(dist)), dtype=np.int32)
        block = dist[start : start + rows]
        for summary, array in zip(summaries, (block, cupy.asarray(block)), strict=True):
            summary.add(SimpleNamespace(source_positions=sources, distances=array))
    return summaries


@gpu
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 33, 300, 1000])
def test_rows_and_columns(cupy: Any, n: int, dtype: str) -> None:
    host, device = both(cupy, distances(n, dtype, n, 30_000), columns=True)
    for name in ("sources", "reachable", "eccentricity", "farthest", "center", "radius", "farthest_pair"):
        np.testing.assert_equal(getattr(device, name), getattr(host, name))
    if not dtype.startswith("float"):
        assert device.total_distance == host.total_distance
        np.testing.assert_array_equal(device.closeness_centrality("in"), host.closeness_centrality("in"))
    for direction in ("out", "in"):
        np.testing.assert_allclose(
            device.closeness_centrality(direction), host.closeness_centrality(direction), rtol=1e-14
        )
        np.testing.assert_allclose(
            device.harmonic_centrality(direction), host.harmonic_centrality(direction), rtol=1e-14
        )


DISTANT_SIZES = np.array([[0, -1e-250, 1e-250], [1e250, 0, -1e250], [-1e-300, -1.0, 0]])


@gpu
def test_bins_of_negative_distances_far_below_their_width(cupy: Any) -> None:
    host, device = both(cupy, DISTANT_SIZES, rows=1, bins=4)
    np.testing.assert_array_equal(device.histogram().counts, host.histogram().counts)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_bins_are_widened_as_on_the_cpu(monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]) -> None:
    """Also where a distance is so many times a bin wide that no float holds the number."""
    host, device = Summary(3, bins=4), Summary(3, bins=4)
    bins = device._totals.bins
    with emulated_gpus(monkeypatch):
        for row in order:
            dist = DISTANT_SIZES[row : row + 1]
            host.add(SimpleNamespace(source_positions=np.array([row], dtype=np.int32), distances=dist))
            bins.start(dist.dtype)
            bins.count_on_gpu(jit.cupy().asarray(dist), dist.min().item(), dist.max().item())
            assert bins.exponent == host._totals.bins.exponent
            np.testing.assert_array_equal(bins.counts, host._totals.bins.counts)


@gpu
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bins", [1, 10, 1000, 10_000])
@pytest.mark.parametrize("scale", [0, 1, 900, 30_000])
def test_automatic_bins(cupy: Any, dtype: str, bins: int, scale: float) -> None:
    dist = distances(130, dtype, 3, scale)
    dist[:50] = np.where(dist[:50] == unreachable(dtype), dist[:50], 0)  # nothing is known of the width at first
    host, device = both(cupy, dist, bins=bins)
    np.testing.assert_array_equal(device.histogram().edges, host.histogram().edges)
    np.testing.assert_array_equal(device.histogram().counts, host.histogram().counts)


@gpu
def test_bins_of_negative_distances(cupy: Any) -> None:
    dist = distances(100, "int32", 3, 900) - 300
    np.fill_diagonal(dist, 0)
    host, device = both(cupy, dist, bins=50)
    np.testing.assert_array_equal(device.histogram().counts, host.histogram().counts)
    host, device = both(cupy, dist / 7.0, bins=50)
    np.testing.assert_array_equal(device.histogram().counts, host.histogram().counts)


@pytest.mark.parametrize("bins", [1, 4, 1000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_bins_by_the_same_kernel_on_this_cpu(monkeypatch: pytest.MonkeyPatch, dtype: str, bins: int) -> None:
    """Also of negative distances that are far smaller than a bin is wide."""
    rng = np.random.default_rng(bins)
    dist = distances(40, dtype, 3, 30_000)
    if dtype.startswith("float"):
        most = 37 if dtype == "float32" else 300
        dist[3] = (10.0 ** rng.uniform(-most, most, 40) * rng.choice([-1, 1], 40)).astype(dtype)
    host = Summary(40, bins=bins)
    host.add(SimpleNamespace(source_positions=np.arange(40, dtype=np.int32), distances=dist))
    with emulated_gpus(monkeypatch):
        on_device, exponent = jit.cupy().asarray(dist), host._totals.bins.exponent
        counts = reduce.count_evenly(on_device, bins, exponent)
        edges = np.array([-1e9, 0, 3.5, 800, 20_000])
        between = reduce.count_between(on_device, edges)
    np.testing.assert_array_equal(counts, host._totals.bins.counts)
    given = Summary(40, edges=edges)
    given.add(SimpleNamespace(source_positions=np.arange(40, dtype=np.int32), distances=dist))
    np.testing.assert_array_equal(between, given._totals.bins.counts)


@gpu
@pytest.mark.parametrize("dtype", DTYPES)
def test_given_edges(cupy: Any, dtype: str) -> None:
    for edges in ([0, 1, 5, 500, 900], [3.5, 800], list(range(900)), list(range(20_000))):
        host, device = both(cupy, distances(130, dtype, 3, 901), edges=edges)
        np.testing.assert_array_equal(device.histogram().counts, host.histogram().counts)


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "bool"])
@pytest.mark.parametrize("measure", [Summary(3), apsp.Nearest(3, 1)])
def test_other_dtypes_are_refused(measure: Any, dtype: str) -> None:
    block = SimpleNamespace(source_positions=np.arange(3, dtype=np.int32), distances=np.zeros((3, 3), dtype=dtype))
    with pytest.raises(RequestError, match=f"not {dtype}: convert them with astype"):
        measure.add(block)


@gpu
def test_sums_beyond_int64(cupy: Any) -> None:
    dist = np.full((3, 3), 2**62, dtype=np.int64)
    with pytest.raises(RequestError, match="may not fit int64"):
        Summary(3).add(SimpleNamespace(source_positions=np.arange(3, dtype=np.int32), distances=cupy.asarray(dist)))


@gpu
def test_measures(cupy: Any) -> None:
    graph = apsp.generate("random", 700, seed=2)
    host = apsp.summary(graph, columns=True, bins=64, device="cpu")
    device = apsp.summary(graph, columns=True, bins=64, device="cuda", rows=100)
    assert device.farthest_pair == host.farthest_pair
    assert device.average_shortest_path_length == host.average_shortest_path_length
    np.testing.assert_array_equal(device.closeness_centrality("in"), host.closeness_centrality("in"))
    np.testing.assert_array_equal(device.histogram().counts, host.histogram().counts)
    nearest = [apsp.k_nearest(graph, 5, device=where).vertices for where in ("cpu", "cuda")]
    np.testing.assert_array_equal(*nearest)


def test_bins_widen_as_on_the_cpu() -> None:
    from apsp.reductions.histogram import Bins

    rng = np.random.default_rng(5)
    for dtype in ("int32", "float64"):
        bins = Bins(8, None)
        bins.start(np.dtype(dtype))
        for size in (0, 3, 7, 8, 9, 100, -40, 5000):
            bins.widen(min(size, 0), max(size, 0))
            assert bins.exponent is not None
            if size:
                assert -8 <= np.floor(np.ldexp(float(size), -bins.exponent)) < 8
        summary = Summary(16, bins=8)
        row = np.zeros((1, 16), dtype)
        for source, size in enumerate((0, 3, 7, 8, 9, 100, -40, 5000)):
            row[0, 1] = size
            summary.add(SimpleNamespace(source_positions=np.array([source], dtype=np.int32), distances=row))
        assert summary._totals.bins.exponent == bins.exponent
        bins.counts[:] = rng.integers(0, 9, 16)
        total = bins.counts.sum()
        bins.widen(0, 1e6)
        assert bins.counts.sum() == total


@needs_compiler
@pytest.mark.parametrize("capability", ARCHITECTURES)
def test_kernels_compile_without_spills(capability: tuple[int, int]) -> None:
    rows = [name(dtype) for dtype in DTYPES for name in (reduce.rows_expression, reduce.columns_expression)]
    bins = [reduce.count_expression(dtype, kind) for dtype in DTYPES for kind in ("EvenBins", "GivenBins")]
    for source, wanted in (("reduce.cu", rows), ("count.cu", bins)):
        compiled = nvrtc.compile_for(source, wanted, capability)
        assert set(compiled.spilled_bytes) == set(wanted)
        assert not any(compiled.spilled_bytes.values())


def test_edges_of_a_histogram_that_float64_does_not_hold() -> None:
    graph = apsp.from_edges([0], [1], [2**53 + 1])
    with pytest.raises(RequestError, match=r"edges\[1\] is 9007199254740993"):
        apsp.distance_histogram(graph, edges=[0, 2**53 + 1])
    assert apsp.distance_histogram(graph, edges=[0, 2**54]).counts.tolist() == [1]
