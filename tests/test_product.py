"""Products over semirings: the answers of broadcasting in NumPy, for any dtype, shape, batch and strides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from examples import examples
from products import DTYPES, OF_LARGEST, SEMIRINGS, matrices, no_path, oracle

SHAPES = [(1, 1, 1), (2, 3, 4), (7, 1, 5), (32, 32, 32), (61, 130, 67), (9, 300, 130)]


def check(a: Any, b: Any, semiring: str = "min_plus", dtype: str | None = None, **options: Any) -> None:
    found, via = apsp.product(a, b, semiring=semiring, witness=True, **options)
    expected, pivots = oracle(a, b, semiring, dtype or found.dtype)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    assert via.dtype == np.int32
    np.testing.assert_array_equal(via, pivots)
    np.testing.assert_array_equal(apsp.product(a, b, semiring=semiring, **options), expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_and_shape(dtype: str, semiring: str, shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    a, b = matrices((m, k), dtype, semiring), matrices((k, n), dtype, semiring, seed=2)
    wide = dtype == "uint16" and semiring != "min_plus"
    check(a, b, semiring, "int32" if wide else dtype, threads=2)


@pytest.mark.parametrize("semiring", SEMIRINGS)
@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_no_entry_below_zero(dtype: str, semiring: str) -> None:
    a, b = matrices((7, 40), "uint16", "min_plus", absent=0), matrices((40, 70), "uint16", "min_plus", seed=2, absent=0)
    check(a.astype(dtype), b.astype(dtype), semiring)
    check(-a.astype(dtype), -b.astype(dtype), semiring)


@pytest.mark.parametrize("shape", [*SHAPES, (5, 70, 200), (300, 150, 129)])
def test_booleans(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    check(matrices((m, k), "bool", "", absent=0.1), matrices((k, n), "bool", "", seed=3, absent=0.1), "or_and")


@pytest.mark.parametrize("semiring", [*SEMIRINGS, "or_and"])
def test_batches_are_broadcast(semiring: str) -> None:
    dtype = "bool" if semiring == "or_and" else "int32"
    for left, right in (
        ((3,), (3,)),
        ((4, 1), (1, 5)),
        ((), (6,)),
        ((6,), ()),
        ((2, 3), (3,)),
        ((1,), (4, 2)),
        ((0,), ()),
    ):
        a = matrices((*left, 5, 9), dtype, semiring)
        b = matrices((*right, 9, 4), dtype, semiring, seed=2)
        check(a, b, semiring)


def test_many_small_products() -> None:
    a, b = matrices((500, 9, 9), "float32", "min_plus"), matrices((500, 9, 9), "float32", "min_plus", seed=2)
    check(a, b, threads=2)


@pytest.mark.parametrize("semiring", [*SEMIRINGS, "or_and"])
@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0)])
def test_nothing_to_do(shape: tuple[int, int, int], semiring: str) -> None:
    m, k, n = shape
    dtype = "bool" if semiring == "or_and" else "float64"
    for batch in ((), (2,), (0,)):
        check(np.ones((*batch, m, k), dtype), np.ones((*batch, k, n), dtype), semiring)


def test_the_witness_is_the_smallest_of_those_that_tie() -> None:
    for k in (5, 128, 129, 300):
        a, b = np.zeros((3, k)), np.zeros((k, 70))
        a[1, : k // 2] = 1
        a[2] = np.inf
        _, via = apsp.product(a, b, witness=True)
        assert (via[0] == 0).all()
        assert (via[1] == k // 2).all()
        assert (via[2] == -1).all()


def test_any_strides_come_in() -> None:
    a, b = matrices((6, 24, 30), "float32", "min_plus"), matrices((6, 30, 20), "float32", "min_plus", seed=2)
    cuts = (np.s_[::2], np.s_[::-1], np.s_[:, ::2], np.s_[:, ::-1])
    for cut in cuts:
        check(a[cut], b[::2] if cut == np.s_[::2] else b[cut] if cut == np.s_[::-1] else b)
    check(b.transpose(0, 2, 1), a.transpose(0, 2, 1))
    check(a[:, :, ::3], b[:, ::3, ::2])
    check(np.broadcast_to(a[0], (4, 24, 30)), b[:4])
    check(a.astype(">f4"), b, dtype="float32")
    records = np.zeros((24,), dtype=[("tag", "i1"), ("row", "f4", (30,))])
    records["row"] = a[0]
    check(records["row"], b[0])
    assert apsp.product([[1, 2]], [[3], [1]]).tolist() == [[3]]


def test_out_is_written_in_place() -> None:
    a, b = matrices((3, 20, 30), "int32", "min_plus"), matrices((30, 25), "int32", "min_plus", seed=2)
    whole = np.full((3, 30, 40), -9, dtype=np.int64)
    out = whole[:, 4:24, 5:30]
    assert apsp.product(a, b, out=out) is out
    expected, pivots = oracle(a, b, "min_plus", "int64")
    np.testing.assert_array_equal(out, expected)
    assert (whole == -9).sum() == whole.size - out.size + (expected == -9).sum()
    found, via = apsp.product(a, b, out=out, witness=True)
    assert found is out
    np.testing.assert_array_equal(via, pivots)


def test_bad_outs_are_refused() -> None:
    a = matrices((2, 8, 8), "float32", "min_plus")
    frozen = np.empty_like(a)
    frozen.flags.writeable = False
    bad: list[tuple[Any, str]] = [
        (np.empty((2, 8, 9), np.float32), "out must have shape"),
        (np.empty((2, 8, 8), np.int8), "out must have shape"),
        (np.empty((2, 8, 8), np.float32).transpose(0, 2, 1), "contiguous"),
        (frozen, "writable"),
        (a, "overlap"),
        ([1, 2], "NumPy array"),
    ]
    for out, message in bad:
        with pytest.raises(apsp.RequestError, match=message):
            apsp.product(a, a, out=out)


# -- dtypes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "uint64", "float16", "bool"])
@pytest.mark.parametrize("semiring", SEMIRINGS)
def test_other_dtypes(dtype: str, semiring: str) -> None:
    a, b = matrices((7, 20), dtype, semiring), matrices((20, 9), dtype, semiring, seed=2)
    wide = {"float16": "float32", "uint32": "int64", "uint64": "int64"}.get(dtype, "int32")
    check(a, b, semiring, wide)


def test_operands_of_different_dtypes() -> None:
    a, b = matrices((7, 20), "int32", "min_plus"), matrices((20, 9), "float32", "min_plus", seed=2)
    check(a, b, dtype="float64")
    check(a.astype(np.int16), matrices((20, 9), "uint16", "min_plus"), dtype="int32")
    check(matrices((7, 20), "uint16", "min_plus"), matrices((20, 9), "int64", "min_plus"), dtype="int64")
    check(matrices((7, 20), "float32", "max_min"), matrices((20, 9), "float64", "max_min"), "max_min", dtype="float64")


@pytest.mark.parametrize("semiring", ["min_plus", "max_plus"])
def test_integers_become_wider_rather_than_wrap(semiring: str) -> None:
    sign = -1 if semiring == "max_plus" else 1
    none = no_path("int32", semiring)
    a = np.array([[2**29 - 2, none]], dtype=np.int32) * np.int32(sign)
    a[0, 1] = none
    one = np.array([[sign], [none]], dtype=np.int32)
    assert apsp.product(a, one, semiring=semiring).dtype == np.int32
    assert apsp.product(a, one, semiring=semiring).tolist() == [[sign * (2**29 - 1)]]
    wide = apsp.product(a, 2 * one[:1].repeat(2, 0), semiring=semiring)
    assert (wide.dtype, wide.tolist()) == (np.int64, [[sign * 2**29]])
    with pytest.raises(apsp.DtypeRangeError, match=r"int32.*every sum.*int64"):
        apsp.product(a, 2 * one[:1].repeat(2, 0), semiring=semiring, dtype="int32")
    ends = np.array([[-(2**31) + 1, 2**31 - 2]])
    assert apsp.product(ends.astype(np.int32), ends.astype(np.int32).T).dtype == np.int64
    check(ends, ends.T, semiring)
    with pytest.raises(apsp.DtypeRangeError, match=r"int64.*scale"):
        apsp.product(ends * 2**31, ends.T, semiring=semiring)


def test_narrow_integers() -> None:
    a = np.array([[30000, 65535]], dtype=np.uint16)
    assert apsp.product(a, np.array([[2766], [0]], np.uint16)).tolist() == [[32766]]
    assert apsp.product(a, np.array([[2766], [0]], np.uint16)).dtype == np.uint16
    assert apsp.product(a, np.array([[2767], [0]], np.uint16)).dtype == np.int32
    assert apsp.product(a, np.array([[65535], [0]], np.uint16)).tolist() == [[65535]]
    assert apsp.product(a, a.T, semiring="max_plus").tolist() == [[131070]]
    with pytest.raises(apsp.DtypeRangeError, match="uint16"):
        apsp.product(a, -a.T.astype(np.int32), dtype="uint16")


def test_compared_entries_keep_their_whole_range() -> None:
    for dtype in ("int32", "int64"):
        ends = np.array([[np.iinfo(dtype).min, np.iinfo(dtype).max]], dtype=dtype)
        for semiring in ("max_min", "min_max"):
            assert apsp.product(ends, ends.T, semiring=semiring).tolist() == [
                [np.iinfo(dtype).max if semiring == "max_min" else np.iinfo(dtype).min]
            ]
    both = np.array([[-np.inf, np.inf]], dtype=np.float32)
    found, via = apsp.product(both, both.T, semiring="max_min", witness=True, dtype="float64")
    assert (found.tolist(), via.tolist()) == ([[np.inf]], [[1]])


@pytest.mark.parametrize("asked", DTYPES)
def test_asked_dtypes(asked: str) -> None:
    a, b = (np.abs(matrices((9, 9), "int64", "min_plus", seed=seed, absent=0)) for seed in (1, 2))
    found = apsp.product(a, b, dtype=asked)
    assert found.dtype == asked
    np.testing.assert_array_equal(found, oracle(a, b, "min_plus", asked)[0])


def test_dtypes_that_cannot_hold_the_product_are_refused() -> None:
    a = matrices((4, 4), "float64", "min_plus")
    with pytest.raises(apsp.DtypeRangeError, match=r"int64.*floats"):
        apsp.product(a, a, dtype="int64")
    with pytest.raises(apsp.DtypeRangeError, match=r"float32.*float64"):
        apsp.product(np.full((2, 2), 3e38, np.float32), np.full((2, 2), 1e38, np.float32))
    with pytest.raises(apsp.DtypeRangeError, match="max_min"):
        apsp.product(np.eye(2, dtype=int), np.eye(2, dtype=int), semiring="max_min", dtype="uint16")
    with pytest.raises(apsp.GraphError, match=r"a: entry \[0, 0\] is 9223372036854775813"):
        apsp.product(np.array([[2**63 + 5]], dtype=np.uint64), np.ones((1, 1), dtype=int))


def test_negative_zeros() -> None:
    zeros = np.array([[-0.0, 0.0]], dtype=np.float32)
    for semiring in ("min_plus", "max_plus"):
        assert apsp.product(zeros, zeros.T, semiring=semiring).tolist() == [[0.0]]
    assert not np.signbit(apsp.product(np.array([[1.0]]), np.array([[-1.0]]), semiring="max_plus")).any()


# -- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [np.nan, -np.inf])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_entries_that_are_no_numbers_are_named(dtype: str, wrong: float) -> None:
    a, b = matrices((4, 5, 6), dtype, "min_plus"), matrices((6, 40), dtype, "min_plus")
    b[3, 35] = wrong
    with pytest.raises(apsp.GraphError, match=r"b: entry \[3, 35\] is (nan|-inf).*inf for no path"):
        apsp.product(a, b)
    a[2, 3, 1] = wrong
    with pytest.raises(apsp.GraphError, match=r"a: entry \[2, 3, 1\] is (nan|-inf)"):
        apsp.product(a, b)
    a[2, 3, 5] = -np.inf  # where entries are only compared, both infinities are values
    if wrong == -np.inf:
        assert apsp.product(a, np.full((6, 1), -np.inf), semiring="min_max").min() == -np.inf
    with pytest.raises(apsp.GraphError, match=r"a: entry \[0, 0\] is inf.*-inf for no path"):
        apsp.product(np.full((1, 1), np.inf), b[:1], semiring="max_plus")


def test_bad_requests_name_the_remedy() -> None:
    a = matrices((4, 4), "float64", "min_plus")
    bad: list[tuple[Any, Any, dict[str, Any], str]] = [
        (a[0], a, {}, r"a must have shape \(\.\.\., rows, columns\)"),
        (a, a[:3], {}, "as many columns"),
        (np.ones((2, 4, 4)), np.ones((3, 4, 4)), {}, "cannot be broadcast"),
        (a, a.astype(complex), {}, "b must hold numbers"),
        (a, a, {"semiring": "or_and"}, "a != 0"),
        (a, a, {"semiring": "plus_times"}, "max_plus"),
        (a, a, {"dtype": "int8"}, "float32"),
        (a, a, {"witness": 3}, "witness"),
        (a, a, {"device": "tpu"}, "unknown device"),
        (a, a, {"device": "cuda:0,1"}, "one GPU"),
        (a, a, {"threads": 0}, "threads"),
    ]
    for left, right, options, message in bad:
        with pytest.raises((apsp.GraphError, apsp.RequestError), match=message):
            apsp.product(left, right, **options)


def test_operands_stay_as_they_are() -> None:
    for semiring in SEMIRINGS:
        a, b = matrices((5, 6), "int32", semiring), matrices((6, 7), "int32", semiring)
        before = a.copy(), b.copy()
        apsp.product(a, b, semiring=semiring, witness=True)
        np.testing.assert_array_equal(a, before[0])
        np.testing.assert_array_equal(b, before[1])


# -- anything ---------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_anything(data: st.DataObject) -> None:
    semiring = data.draw(st.sampled_from([*SEMIRINGS, "or_and"]))
    dtype = "bool" if semiring == "or_and" else data.draw(st.sampled_from(DTYPES[1:]))
    m, k, n = (data.draw(st.integers(0, 40)) for _ in range(3))
    axes = data.draw(st.lists(st.integers(1, 3), max_size=2))
    left = [length if data.draw(st.booleans()) else 1 for length in axes]
    right = [length if data.draw(st.booleans()) else 1 for length in axes]
    seed, absent = data.draw(st.integers(0, 99)), data.draw(st.sampled_from([0.0, 0.2, 0.95]))
    a, b = (
        matrices((*left, m, k), dtype, semiring, seed, absent),
        matrices((*right, k, n), dtype, semiring, seed + 1, absent),
    )
    if data.draw(st.booleans()):
        a = np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2)
    device = data.draw(st.sampled_from(["cpu", "cpu", "emulated"])) if m * n * k < 8000 else "cpu"
    check(a, b, semiring, dtype, device=device)


def test_a_product_is_associative() -> None:
    a, b, c = (matrices((12, 12), "int32", "max_plus", seed) for seed in range(3))
    left = apsp.product(apsp.product(a, b, semiring="max_plus"), c, semiring="max_plus")
    np.testing.assert_array_equal(left, apsp.product(a, apsp.product(b, c, semiring="max_plus"), semiring="max_plus"))


def test_distances_by_squaring() -> None:
    graph = apsp.generate("random", 30, m=60, seed=1)
    lengths = apsp.solve(graph, dtype="int32").distances
    np.testing.assert_array_equal(apsp.product(lengths, lengths), lengths)


def test_the_semirings_of_the_largest_are_those_of_the_smallest_turned() -> None:
    a, b = matrices((8, 9), "float64", "min_plus"), matrices((9, 7), "float64", "min_plus")
    assert OF_LARGEST == ("max_plus", "max_min")
    np.testing.assert_array_equal(apsp.product(-a, -b, semiring="max_plus"), -apsp.product(a, b))
    np.testing.assert_array_equal(apsp.product(-a, -b, semiring="max_min"), -apsp.product(a, b, semiring="min_max"))
