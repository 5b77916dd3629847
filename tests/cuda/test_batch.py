"""Batches of small graphs on a GPU: the cases of tests/test_batch.py, and arrays of other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from test_batch import DTYPES, batch_of, expected

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [0, 1, 7, 31, 32, 33, 64, 65, 130, 256, 300])
def test_every_size(cupy: Any, n: int, dtype: str) -> None:
    batch = batch_of(5, n, dtype, n)
    ours = apsp.solve_batch(cupy.asarray(batch))
    assert isinstance(ours, cupy.ndarray)
    np.testing.assert_array_equal(ours.get(), expected(batch))
    np.testing.assert_array_equal(apsp.solve_batch(batch, device="cuda"), expected(batch))


@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_negative_arcs_and_cycles(cupy: Any, dtype: str, n: int) -> None:
    batch = batch_of(4, n, dtype, low=1)
    batch[2, 3, 4], batch[2, 4, 3] = 1, -1
    np.testing.assert_array_equal(apsp.solve_batch(cupy.asarray(batch)).get(), apsp.solve_batch(batch))
    batch[2, 4, 3] = -2
    with pytest.raises(apsp.NegativeCycleError, match="graph 2 of the batch"):
        apsp.solve_batch(cupy.asarray(batch))


def test_sizes(cupy: Any) -> None:
    batch = batch_of(3, 70, "int32")
    ours = apsp.solve_batch(cupy.asarray(batch), sizes=[0, 7, 70])
    np.testing.assert_array_equal(ours.get(), apsp.solve_batch(batch, sizes=[0, 7, 70]))


def test_out_may_be_the_input(cupy: Any) -> None:
    batch = batch_of(3, 70, "float32")
    ours = cupy.asarray(batch)
    assert apsp.solve_batch(ours, out=ours) is ours
    np.testing.assert_array_equal(ours.get(), expected(batch))


def test_bad_entries(cupy: Any) -> None:
    batch = batch_of(4, 10, "float32")
    batch[1, 2, 3] = np.nan
    with pytest.raises(apsp.GraphError, match=r"\[1, 2, 3\]"):
        apsp.solve_batch(cupy.asarray(batch))
    with pytest.raises(apsp.DtypeRangeError, match="graph 0 of the batch"):
        apsp.solve_batch(cupy.full((2, 10, 10), 2**29, dtype=np.int32))


@pytest.mark.parametrize("semiring", ["max_min", "min_max"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_bottlenecks(cupy: Any, dtype: str, semiring: str) -> None:
    batch = batch_of(3, 80, dtype, low=1)
    ours = apsp.solve_batch(cupy.asarray(batch), semiring=semiring)
    np.testing.assert_array_equal(ours.get(), apsp.solve_batch(batch, semiring=semiring))


def test_torch(cupy: Any) -> None:
    torch = pytest.importorskip("torch")
    batch = batch_of(3, 30, "float32")
    ours = apsp.solve_batch(torch.from_numpy(batch).cuda())
    assert isinstance(ours, torch.Tensor)
    assert ours.is_cuda
    np.testing.assert_array_equal(ours.cpu().numpy(), expected(batch))
