"""Products of plain arrays take a short way, all others a long one: results, dtypes and errors are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import apsp
from apsp.methods.floyd_warshall.product import multiply_at_once
from apsp.semiring import MAX_MIN, MAX_PLUS, MIN_MAX, MIN_PLUS, Semiring
from products import DTYPES, SEMIRINGS, matrices, no_path


def long_way(array: Any) -> Any:
    """The same matrices with columns that are contiguous, which the kernels do not take."""
    return np.swapaxes(np.ascontiguousarray(np.swapaxes(array, -1, -2)), -1, -2)


def outcome(*args: Any, **options: Any) -> Any:
    try:
        found = apsp.product(*args, **options)
    except apsp.ApspError as error:
        return type(error), str(error)
    return [(each.dtype, each.tolist()) for each in (found if isinstance(found, tuple) else (found,))]


def same_both_ways(a: Any, b: Any, **options: Any) -> Any:
    found = outcome(a, b, **options)
    assert repr(found) == repr(outcome(long_way(a), long_way(b), **options))
    return found


@pytest.mark.parametrize("witness", [False, True])
@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 7, 3), (40, 200, 90), (260, 257, 259)])
def test_both_ways_agree(dtype: str, semiring: str, witness: bool, shape: tuple[int, int, int]):
    m, k, n = shape
    a, b = matrices((m, k), dtype, semiring), matrices((k, n), dtype, semiring, seed=2)
    for absent in (0, 1):  # complete, and with "no path" in both
        left, right = (a, b) if absent else (matrices((m, k), dtype, semiring, absent=0), b)
        same_both_ways(left, right, semiring=semiring, witness=witness)


@pytest.mark.parametrize("batch", [(3,), (2, 3)])
def test_both_ways_agree_on_batches(batch: tuple[int, ...]):
    a, b = matrices((*batch, 9, 8), "float32", "min_plus"), matrices((*batch, 8, 7), "float32", "min_plus")
    same_both_ways(a, b, witness=True)


@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("which", [0, 1])
def test_both_ways_agree_at_the_ends_of_the_dtype(dtype: str, semiring: str, which: int):
    """Sums beyond the dtype widen it, or raise the same error; so does what is not a number."""
    kind = np.finfo if dtype.startswith("f") else np.iinfo
    odd = [kind(dtype).max, kind(dtype).min, no_path(dtype, "min_plus"), no_path(dtype, "max_plus")]
    odd += [np.nan, -np.inf, np.inf] if dtype.startswith("f") else []
    odd += [int(kind(dtype).max) // 2 + step for step in (-1, 0, 1)] + [int(kind(dtype).max) // 4]
    odd += [2**29 - 3, 2**29 - 2] if dtype == "int32" else [32763, 32764] if dtype == "uint16" else []
    for value in odd:
        pair = [np.full((2, 3), 3, dtype=dtype), np.full((3, 2), 3, dtype=dtype)]
        pair[which][1, 1] = value
        for options in ({}, {"dtype": dtype}):
            same_both_ways(*pair, semiring=semiring, **options)


def test_errors_of_shapes_and_options_are_those_of_the_long_way():
    a = np.ones((3, 4), dtype=np.float32)
    for other in (np.ones((3, 4), dtype=np.float32), np.ones((2, 4, 3), dtype=np.float32), a.astype(np.float64).T):
        same_both_ways(a, other)
    for options in ({"dtype": "int32"}, {"dtype": "float64"}, {"threads": 0}, {"threads": "2"}, {"witness": 2}):
        same_both_ways(a, np.ones((4, 3), dtype=np.float32), **options)


def test_a_wrong_number_of_threads_in_the_environment_is_an_error(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("APSP_NUM_THREADS", "none")
    with pytest.raises(apsp.RequestError, match="APSP_NUM_THREADS"):
        apsp.product(np.ones((2, 2)), np.ones((2, 2)))


def test_operands_that_cannot_be_written_are_read():
    a = np.arange(6, dtype=np.int32).reshape(2, 3)
    a.flags.writeable = False
    assert apsp.product(a, a.T.copy()).tolist() == [[0, 3], [3, 6]]


@pytest.mark.parametrize("semiring", [MIN_PLUS, MAX_PLUS, MAX_MIN, MIN_MAX], ids=lambda one: one.name)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_short_way_is_taken(dtype: str, semiring: Semiring) -> None:
    ones = np.ones((3, 3), dtype=dtype)
    found = multiply_at_once(ones, ones, semiring, 1, witness=False)
    if dtype == "uint16" and semiring is not MIN_PLUS:
        assert found is None
    else:
        np.testing.assert_array_equal(found, ones * (2 if semiring in (MIN_PLUS, MAX_PLUS) else 1))


def test_the_short_way_ends_at_half_the_range() -> None:
    for sums, fits in ((32_766, True), (32_767, False)):
        a, b = np.array([[sums - 1]], dtype=np.uint16), np.array([[1]], dtype=np.uint16)
        assert (multiply_at_once(a, b, MIN_PLUS, 1, witness=False) is not None) == fits
        assert apsp.product(a, b).tolist() == [[sums]]
