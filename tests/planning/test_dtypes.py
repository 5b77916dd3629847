"""A dtype is chosen, or accepted, only when it is proven to hold every distance."""

from __future__ import annotations

import numpy as np
import pytest

from apsp.errors import DtypeRangeError, RequestError
from apsp.facts.dtypes import choose_dtype
from apsp.facts.request import Request
from apsp.planning.reason import reason
from apsp.planning.words import words_of
from apsp.semiring import MAX_MIN
from invented import bounded


@pytest.mark.parametrize(
    ("low", "high", "chosen"),
    [
        (0, 0, "uint16"),
        (0, 65_534, "uint16"),
        (0, 65_535, "int32"),
        (-1, 5, "int32"),
        (0, 2**29 - 1, "int32"),
        (-(2**28) + 1, 5, "int32"),
        (0, 2**29, "int64"),
        (-(2**28), 5, "int64"),
        (0, 2**61 - 1, "int64"),
    ],
)
def test_narrowest_integer(low, high, chosen):
    statistics = bounded(low, high, least=min(low, 0))
    dtype, why = choose_dtype(statistics, Request())
    assert dtype == chosen
    assert f"{high:,} (a proof)" in words_of(reason("dtype", dtype=dtype, why=why, needed_by=None))
    hops = bounded(low, high, dtype=None)
    if low == 0:
        assert choose_dtype(hops, Request())[0] == chosen


@pytest.mark.parametrize(("low", "high"), [(0, 2**61), (-(2**61), 0)])
def test_no_integer_holds_it(low, high):
    with pytest.raises(DtypeRangeError, match=r"no integer dtype.*2,305,843,009,213,693,952"):
        choose_dtype(bounded(low, high), Request())


def test_a_weight_that_no_shortest_path_uses_must_fit_too():
    dtype, why = choose_dtype(bounded(0, 1000, weight=70_000), Request())
    assert dtype == "int32"
    assert (why.kind, why.largest_weight) == ("proof", 70_000)
    with pytest.raises(DtypeRangeError, match="70,000"):
        choose_dtype(bounded(0, 1000, weight=70_000), Request(dtype="uint16"))


def test_negative_arcs_exclude_uint16_whatever_the_distances():
    assert choose_dtype(bounded(0, 1000, least=-5), Request())[0] == "int32"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_stay_what_they_are(dtype):
    assert choose_dtype(bounded(0, 1e9, dtype=dtype), Request())[0] == dtype


@pytest.mark.parametrize(
    ("dtype", "high"),
    [("uint16", 65_534), ("int32", 2**29 - 1), ("int64", 2**61 - 1), ("float32", 2**24 - 1), ("float64", 2**53 - 1)],
)
def test_asked_dtype_needs_a_proof(dtype, high):
    assert choose_dtype(bounded(0, high), Request(dtype=dtype))[0] == dtype
    with pytest.raises(DtypeRangeError, match=rf"{dtype}.*{high + 1:,}.*narrowest|no integer dtype"):
        choose_dtype(bounded(0, high + 1), Request(dtype=dtype))


def test_narrowest_that_holds_is_named():
    with pytest.raises(DtypeRangeError, match="dtype='int32' is the narrowest that does"):
        choose_dtype(bounded(0, 70_000), Request(dtype="uint16"))


@pytest.mark.parametrize("dtype", ["uint16", "int32", "int64"])
def test_integers_cannot_hold_float_weights(dtype):
    with pytest.raises(DtypeRangeError, match="float32 weights"):
        choose_dtype(bounded(0, 10, dtype="float32"), Request(dtype=dtype))


def test_floats_must_not_overflow():
    assert choose_dtype(bounded(0, 1e39, dtype="float64", weight=1e30), Request())[0] == "float64"
    with pytest.raises(DtypeRangeError, match=r"overflow.*float64"):
        choose_dtype(bounded(0, 1e39, dtype="float32", weight=1e30), Request())
    with pytest.raises(DtypeRangeError, match="overflow"):
        choose_dtype(bounded(0, 1e39, dtype="float64", weight=1e30), Request(dtype="float32"))
    with pytest.raises(DtypeRangeError, match="overflow"):
        choose_dtype(bounded(0, float("inf"), dtype="float64", weight=1e308), Request())


def test_bottlenecks_are_weights():
    statistics = bounded(0, 2**40, weight=2**30)
    assert choose_dtype(statistics, Request(semiring=MAX_MIN))[0] == "int32"
    assert choose_dtype(bounded(0, 5, weight=2**31 - 1), Request(semiring=MAX_MIN))[0] == "int64"
    with pytest.raises(DtypeRangeError, match="uint16"):
        choose_dtype(statistics, Request(semiring=MAX_MIN, dtype="uint16"))


@pytest.mark.parametrize(("given", "name"), [("f4", "float32"), (np.int64, "int64"), (np.dtype("u2"), "uint16")])
def test_anything_that_names_a_dtype(given, name):
    assert Request(dtype=given).dtype == name


@pytest.mark.parametrize("given", ["int8", "complex64", "integer", "str", 7, None])
def test_what_is_no_dtype_of_distances(given):
    with pytest.raises(RequestError, match=r"unknown dtype.*uint16"):
        Request(dtype=given)
