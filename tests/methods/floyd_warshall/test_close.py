"""Closing a page in one launch and with look-ahead, against the CPU: equal to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.semiring import MIN_PLUS, SEMIRINGS, Algebra

pytestmark = pytest.mark.gpu

DTYPES = ("uint16", "int32", "int64", "float32", "float64")


def random_page(n: int, dtype: str, low: int = 1) -> np.ndarray[Any, Any]:
    page = np.random.default_rng(n).integers(low, 4097, (n, n)).astype(dtype)
    np.fill_diagonal(page, 0)
    return page


def closed_on_both(cupy: Any, page: np.ndarray[Any, Any], algebra: Algebra, **limits: int) -> tuple[Any, Any]:
    backend = CudaBackend()
    ours = backend.allocate(*page.shape, page.dtype)
    ours[...] = cupy.asarray(page)
    assert backend._closing.close(ours, algebra, **limits) == -1
    expected = page.copy()
    CpuBackend(2).close_tile(expected, algebra)
    return ours.get(), expected


@pytest.mark.parametrize("semiring", ["min_plus", "max_min", "min_max"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 63, 65, 130, 700])
def test_one_launch(cupy: Any, n: int, dtype: str, semiring: str) -> None:
    page = random_page(n, dtype)
    ours, expected = closed_on_both(cupy, page, Algebra(SEMIRINGS[semiring], True))
    np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("n", "width"), [(129, 128), (700, 128), (1300, 256), (1025, 512)])
def test_look_ahead(cupy: Any, n: int, width: int, dtype: str) -> None:
    page = random_page(n, dtype)
    ours, expected = closed_on_both(cupy, page, Algebra(MIN_PLUS, True), one_launch=0, width=width)
    np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("one_launch", [0, 2048])
def test_runs_of_floats_are_identical(cupy: Any, one_launch: int) -> None:
    limits = {"one_launch": one_launch, "width": 256}
    page = np.random.default_rng(0).random((1500, 1500)).astype(np.float32)
    np.fill_diagonal(page, 0)
    first = closed_on_both(cupy, page, Algebra(MIN_PLUS, True), **limits)[0]
    for _ in range(5):
        np.testing.assert_array_equal(first, closed_on_both(cupy, page, Algebra(MIN_PLUS, True), **limits)[0])


@pytest.mark.parametrize("one_launch", [0, 2048])
def test_negative_cycles_are_found_at_their_last_vertex(cupy: Any, one_launch: int) -> None:
    page = cupy.asarray(random_page(700, "int32", 100))
    page[300, 650], page[650, 300] = 4, -5
    closing = CudaBackend()._closing
    assert closing.close(page, Algebra(MIN_PLUS, False), one_launch=one_launch, width=128) == 650
