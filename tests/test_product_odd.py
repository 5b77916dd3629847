"""Odd operands of products: entries at the limits of their dtypes, unusual arrays, and errors with a remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import apsp
from products import OF_LARGEST, SEMIRINGS, no_path

LIMIT = 2**63 - 1


class Units(np.ndarray[Any, Any]):
    """An array whose class does not allow functions of NumPy."""

    def __array_function__(self, *args: Any, **kwargs: Any) -> Any:
        raise ValueError("units")

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
        raise ValueError("units")


# -- entries at the limits ---------------------------------------------------------------------------------------------


def test_uint16_is_a_dtype_of_min_plus_only() -> None:
    a = np.array([[1, 2]], dtype=np.uint8)
    for semiring in ("max_plus", "max_min", "min_max"):
        with pytest.raises(apsp.DtypeRangeError, match=r"uint16.*cannot hold"):
            apsp.product(a, a.T, semiring=semiring, dtype="uint16")
        with pytest.raises(apsp.DtypeRangeError, match=r"uint16.*cannot hold"):
            apsp.product(a, a.T, semiring=semiring, out=np.empty((1, 1), np.uint16))


@pytest.mark.parametrize("semiring", SEMIRINGS)
def test_the_largest_unsigned_entries(semiring: str) -> None:
    """int64 holds them up to 2^63 - 1, which is "no path" of (min, +) and (min, max)."""
    zero = np.zeros((1, 1), dtype=np.uint64)
    most = LIMIT if semiring in OF_LARGEST else LIMIT - 1
    if semiring.endswith("plus"):
        assert apsp.product(zero + 2**60, zero + 2**60 - 1, semiring=semiring).tolist() == [[2**61 - 1]]
        with pytest.raises(apsp.DtypeRangeError, match="every sum"):
            apsp.product(zero + 2**60, zero + 2**60, semiring=semiring)
    else:
        found, via = apsp.product(zero + most, zero + most, semiring=semiring, witness=True)
        assert (found.tolist(), via.tolist()) == ([[most]], [[0]])
    operand = np.array([[0, most + 1]], dtype=np.uint64)
    with pytest.raises(apsp.GraphError, match=rf"b: entry \[1, 0\] is {most + 1}.*at most {most}"):
        apsp.product(operand * 0, operand.T, semiring=semiring)


@pytest.mark.parametrize("semiring", SEMIRINGS)
def test_long_doubles_beyond_float64_are_not_read_as_no_path(semiring: str) -> None:
    if np.finfo(np.longdouble).max <= np.finfo(np.float64).max:
        pytest.skip("long doubles are float64 on this platform")
    one, none = np.ones((1, 2)), no_path("float64", semiring)
    absent = np.array([[none], [1]], dtype=np.longdouble)
    assert apsp.product(one, absent, semiring=semiring).tolist() == [[2.0 if semiring.endswith("plus") else 1.0]]
    absent[0, 0] = np.longdouble("-1e4000")
    with pytest.raises(apsp.DtypeRangeError, match=r"b: entry \[0, 0\] is -1e\+4000.*float64.*scale"):
        apsp.product(one, absent, semiring=semiring)


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_finite_entries_beside_infinite_ones_do_not_become_infinite(device: str) -> None:
    a = np.array([[np.inf, 1e300]])
    with pytest.raises(apsp.DtypeRangeError, match=r"a: entry \[0, 1\] is 1e\+300.*float32.*float64"):
        apsp.product(a, np.zeros((2, 1)), semiring="max_min", dtype="float32", device=device)
    assert apsp.product(a, np.ones((2, 1)), semiring="max_min", device=device).tolist() == [[1.0]]


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_settings_of_numpy_do_not_change_the_answer(device: str) -> None:
    tiny, zeros = np.array([[1e-60, -1.0]]), np.zeros((2, 1))
    with np.errstate(all="raise"):
        assert apsp.product(tiny, zeros, dtype="float32", device=device).tolist() == [[-1.0]]
        assert apsp.product(tiny, zeros, dtype="float32", semiring="max_plus", device=device).tolist() == [[0.0]]


@pytest.mark.parametrize("device", ["cpu", "emulated"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_negative_zeros_tie_with_zeros(dtype: str, device: str) -> None:
    zeros = np.array([[0.0, -0.0]], dtype=dtype)
    for semiring in SEMIRINGS:
        for a in (zeros, zeros[:, ::-1]):
            found, via = apsp.product(a, a.T, semiring=semiring, witness=True, device=device)
            assert (found.tolist(), via.tolist()) == ([[0.0]], [[0]])
    five = np.array([[-0.0, 5.0]], dtype=dtype)
    assert apsp.product(five, np.array([[-0.0], [0.0]], dtype=dtype), device=device).tolist() == [[0.0]]


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_bytes_of_booleans_other_than_one_are_true(device: str) -> None:
    a, b = (np.array([row], dtype=np.uint8).view(bool) for row in ([2, 0, 255], [0, 1, 4]))
    found, via = apsp.product(a, b.T, semiring="or_and", witness=True, device=device)
    assert (found.tolist(), via.tolist()) == ([[True]], [[2]])
    assert found.view(np.uint8).tolist() == [[1]]
    assert apsp.product(a.T, b, semiring="or_and", device=device).view(np.uint8).tolist() == [
        [0, 1, 1], [0, 0, 0], [0, 1, 1],
    ]  # fmt: skip


# -- unusual arrays ----------------------------------------------------------------------------------------------------


def test_subclasses_of_arrays() -> None:
    ones = np.ones((2, 2))
    for dtype in ("float16", "float64", "uint64", "bool"):
        assert apsp.product(ones.astype(dtype).view(Units), ones).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    out = np.zeros((2, 2)).view(Units)
    assert apsp.product(ones, ones, out=out) is out
    assert out.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_masked_arrays() -> None:
    ones = np.ones((2, 2))
    assert apsp.product(np.ma.array(ones), ones).tolist() == [[2.0, 2.0], [2.0, 2.0]]
    with pytest.raises(apsp.GraphError, match=r"a has masked entries.*filled"):
        apsp.product(np.ma.array(ones, mask=np.eye(2)), ones)
    with pytest.raises(apsp.RequestError, match=r"out has masked entries.*\.data"):
        apsp.product(ones, ones, out=np.ma.array(ones * 0, mask=np.eye(2)))


def test_more_axes_than_numpy_broadcasts() -> None:
    with pytest.raises(apsp.GraphError, match=r"a has 42 axes.*reshape"):
        apsp.product(np.ones((1,) * 40 + (2, 2)), np.ones((2, 2)))


@pytest.mark.parametrize(
    ("operand", "message"),
    [
        (3, r"a must be a dense array of shape \(\.\.\., rows, columns\), not 3"),
        (None, "dense.*not None"),
        (sp.csr_array(np.eye(2)), "dense.*not.*Sparse"),
        ([[10**30, 1]], r"a: entry \[0, 0\] is 10+: integers must lie between -2\^63 and 2\^63 - 1"),
        ([[None, 1]], "object"),
        ([1, 2], r"a\[None, :\]"),
    ],
)
def test_operands_that_are_no_matrices(operand: Any, message: str) -> None:
    with pytest.raises(apsp.GraphError, match=message):
        apsp.product(operand, np.ones((2, 2)))
