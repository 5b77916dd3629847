"""The tuned kernels on emulated GPUs: what the contract's graphs are too small for, and their counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.gpu import jit
from apsp.gpu.emulated.run import entered
from apsp.gpu.page import algebra_name
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.kernels import policy
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.methods.registry import METHODS
from apsp.semiring import SEMIRINGS, Algebra

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
ALGEBRAS = [("min_plus", dtype) for dtype in DTYPES]
ALGEBRAS += [(name, dtype) for name in ("max_min", "min_max") for dtype in DTYPES[1:]]


@pytest.fixture(autouse=True)
def emulation() -> Iterator[None]:
    with entered(devices=2, cores=2):
        yield


def values(shape: tuple[int, int], dtype: str, seed: int) -> Any:
    """Random values, a third of them "no path"."""
    rng = np.random.default_rng(seed)
    page = rng.integers(0, 1000, shape).astype(dtype)
    none = {"uint16": 32767, "int32": 2**30 - 1, "int64": 2**62 - 1}.get(dtype, np.inf)
    page[rng.random(shape) < 1 / 3] = none
    return page


def on_device(page: Any, offset: int) -> Any:
    """A copy that begins at an odd place of wider rows, or an aligned one."""
    wide = CudaBackend().allocate(page.shape[0], page.shape[1] + offset, page.dtype)
    copy = wide[:, offset:]
    copy[...] = jit.cupy().asarray(page)
    return copy


@pytest.mark.parametrize(("name", "dtype"), ALGEBRAS)
@pytest.mark.parametrize("offset", [0, 3])
def test_update(name: str, dtype: str, offset: int) -> None:
    algebra = Algebra(SEMIRINGS[name], True)
    for m, n, k in ((1, 1, 1), (127, 129, 65), (64, 64, 32), (70, 33, 100)):
        c, a, b = (values(shape, dtype, seed) for seed, shape in enumerate([(m, n), (m, k), (k, n)]))
        ours = [on_device(page, offset) for page in (c, a, b)]
        CudaBackend().update(*ours, algebra)
        CpuBackend(2).update(c, a, b, algebra)
        np.testing.assert_array_equal(ours[0].get(), c)


@pytest.mark.few(5)
@pytest.mark.parametrize(("name", "dtype"), ALGEBRAS)
def test_closing_by_one_launch_and_by_blocks(name: str, dtype: str) -> None:
    algebra, page = Algebra(SEMIRINGS[name], True), values((200, 200), dtype, 1)
    page[np.arange(200), np.arange(200)] = 0
    ours = [on_device(page, 0), on_device(page, 3)]
    told: list[int] = []
    assert CudaBackend().close_tile(ours[0], algebra, told.append) == -1
    assert CudaBackend()._closing.close(ours[1], algebra, one_launch=64, width=64) == -1
    assert CpuBackend(2).close_tile(page, algebra) == -1
    for closed in ours:
        np.testing.assert_array_equal(closed.get(), page)
    assert told[-1] == 200


def test_one_shape_of_tiles_is_compiled() -> None:
    ((shape, _),) = policy.EMULATED.shapes
    for name, dtype in ALGEBRAS:
        expression = shape.expression(algebra_name(name, dtype, False), np.dtype(dtype).itemsize)
        assert jit.kernels("update.cu", (expression,))
    assert shape.shared_bytes(8) <= jit.shared_memory()


def graph(n: int = 90) -> apsp.Graph:
    return apsp.generate("random", n, m=4 * n, seed=7)


@pytest.mark.parametrize("method", ["floyd-warshall", "bit-bfs", "elimination"])
def test_counts_are_the_same_every_time_and_races_are_absent(method: str) -> None:
    asked = graph().unweighted() if method == "bit-bfs" else graph()
    runs = [apsp.profile(asked, method=method, paths=True) for _ in range(2)]
    assert runs[0].to_dict() == runs[1].to_dict()
    assert runs[0].races == ()
    expected = apsp.solve(asked, method="reference", dtype="int64").distances
    for order in ("backward", "random"):
        other = apsp.profile(asked, method=method, order=order, seed=5)
        assert other.races == ()
        np.testing.assert_array_equal(other.result.distances, expected)


@pytest.mark.parametrize("order", ["forward", "backward", "random"])
def test_label_correcting_in_any_order(order: Any) -> None:
    profile = apsp.profile(graph(), method="label-correcting", order=order, seed=2)
    np.testing.assert_array_equal(
        profile.result.distances, apsp.solve(graph(), method="reference", dtype="int64").distances
    )
    assert {each.kernel for each in profile.kernels} >= {"pack_arcs", "label_correcting"}


def test_closing_by_formula() -> None:
    """Tiles of 64: a ticket for each step and one that finds none; each step reads and writes its tile once."""
    close = apsp.profile(graph(128), method="floyd-warshall", dtype="int32").kernel("close")
    assert (close.launches, close.blocks, close.threads) == (1, 4, 4 * 128)
    assert close.atomics == 8 + 4 + 8 + 6, "tickets of 8 steps and 4 blocks; done, and counted but for 2 diagonals"


def test_sums_of_rows_are_taken_where_they_are_computed() -> None:
    streets = apsp.generate("grid", 144, seed=2)
    expected = apsp.closeness_centrality(streets, direction="out", device="cpu")
    for device in ("emulated", "emulated:0,1"):
        np.testing.assert_array_equal(
            apsp.closeness_centrality(streets, direction="out", method="elimination", device=device), expected
        )
    two = apsp.closeness_centrality(graph(), direction="out", method="label-correcting", device="emulated:0,1")
    np.testing.assert_array_equal(two, apsp.closeness_centrality(graph(), direction="out", device="cpu"))


def test_what_is_left_to_the_cpu_is_said() -> None:
    edges = [(0, 1, -1.5), (1, 2, 2.25), (2, 0, 0.5)]
    asked = apsp.from_edges(*map(np.array, zip(*edges, strict=True)), n=3)
    result = apsp.solve(asked, method="label-correcting", device="emulated")
    assert result.info["device"] == "cpu"
    assert result.distance(0, 2) == 0.75


@pytest.mark.parametrize("method", ["label-correcting", "bit-bfs", "elimination", "floyd-warshall"])
@pytest.mark.parametrize("order", ["forward", "random"])
def test_tuned_methods_have_no_races(method: str, order: str) -> None:
    """Labels are read without a barrier while atomics lower them: volatile reads, which are meant to."""
    graph = apsp.generate("random", 90, m=360, seed=3)
    graph = graph if METHODS[method].weighted else graph.unweighted()
    profile = apsp.profile(graph, method=method, order=order, seed=2)
    assert profile.races == ()
    assert profile.total.launches > 0
    np.testing.assert_array_equal(
        profile.result.distances, apsp.solve(graph, dtype=profile.result.distances.dtype).distances
    )
