"""Sums of floats that are rounded once, whatever the order and the parts."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp.reductions.exact_sums import ExactSums
from apsp.reductions.packed_counts import PackedCounts

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def summed(numbers: list[tuple[int, float]], parts: int, order: np.random.Generator) -> np.ndarray:
    """The sums of the numbers of three rows, from parts that are merged in some order."""
    tables = []
    for part in np.array_split(order.permutation(len(numbers)), parts):
        table = ExactSums((3, 1))
        mine = sorted((numbers[k] for k in part), key=lambda each: each[0])
        if mine:
            rows, first = np.unique([row for row, _ in mine], return_index=True)
            table.add(rows, np.array([[value] for _, value in mine]), first)
        tables.append(pickle.loads(pickle.dumps(table)))
    whole = ExactSums((3, 1))
    for table in tables:
        whole.merge(np.arange(3), table)
    return whole.rounded()[:, 0]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), FLOATS), max_size=12), st.integers(1, 4), st.integers(0, 99))
def test_equal_fsum(numbers, parts, seed) -> None:
    found = summed(numbers, parts, np.random.default_rng(seed))
    for row in range(3):
        try:
            expected = math.fsum(value for of, value in numbers if of == row)
        except OverflowError:  # math.fsum does not go beyond float64 on the way
            scaled = math.fsum(value / 4096 for of, value in numbers if of == row)
            expected = scaled * 4096
            assert found[row] == pytest.approx(expected, rel=1e-15)
            continue
        assert found[row] == expected


@pytest.mark.parametrize("scale", [1.0, 2.0**31, 2.0**-500, 2.0**-1000, 2.0**-1020, 2.0**960])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("last", [0.0, 2.0**-90, -(2.0**-90), 2.0**-53, -(2.0**-53)])
def test_ties_and_what_is_just_beside_them(scale: float, sign: int, last: float) -> None:
    """Half of the last bit, in one column each; also where numbers have no 53 digits left."""
    shares = np.arange(1, 33) / 32 + 1
    half = 2.0**-53
    values = sign * scale * np.array([shares, np.full(32, half), np.arange(32) % 3 * half, np.full(32, last)])
    for rows in (values, values[:, ::-1], values[::-1]):
        table = ExactSums((1, 32))
        for row in rows:
            table.add(np.array([0]), row[None], [0])
        assert table.rounded().tolist() == [[math.fsum(column) for column in rows.T.tolist()]]


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(-850, 850), st.integers(0, 200), st.integers(1, 40))
def test_ordinary_numbers_and_others_have_the_same_words(seed, size, spread, rows) -> None:
    """Cut by multiplications, and by their bits."""
    rng = np.random.default_rng(seed)
    exponents = np.clip(size + rng.integers(-spread, spread + 1, (rows, 3)), -1000, 890)
    values = rng.standard_normal((rows, 3)) * 2.0**exponents
    values[rng.random(values.shape) < 0.1] = 0
    first = np.unique(np.concatenate([[0], rng.integers(0, rows, 3)]))
    one, other = ExactSums((len(first), 3)), ExactSums((len(first), 3))
    one.add(np.arange(len(first)), values, first)
    other._add_any(np.arange(len(first)), values, first)
    for found, expected in zip(one.to_arrays(68).values(), other.to_arrays(68).values(), strict=True):
        np.testing.assert_array_equal(found, expected)
    bounds = [*first.tolist(), rows]
    for k in range(len(first)):
        for j in range(3):
            assert one.rounded()[k, j] == math.fsum(values[bounds[k] : bounds[k + 1], j].tolist())


def test_many_numbers_of_all_sizes() -> None:
    rng = np.random.default_rng(0)
    values = rng.standard_normal((5000, 2)) * 2.0 ** rng.integers(-400, 400, (5000, 2))
    table = ExactSums((1, 2))
    for part in np.array_split(values, 7):
        table.add(np.array([0]), part, [0])
    assert table.rounded().tolist() == [[math.fsum(column) for column in values.T.tolist()]]


def test_beyond_float64() -> None:
    table = ExactSums((2, 2))
    table.add(np.array([0, 1]), np.array([[math.inf, 1e308], [math.inf, -1e308], [1.0, -1e308]]), [0, 1])
    table.add(np.array([0]), np.array([[-math.inf, 1e308]]), [0])
    found = table.rounded()
    assert math.isnan(found[0, 0])
    assert found[0, 1] == math.inf
    assert found[1].tolist() == [math.inf, -math.inf]


@given(
    st.lists(st.sampled_from([0, 0, 0, 0, 1, 3, 255, 256, 70_000, 2**40]), min_size=1, max_size=60),
    st.integers(1, 3), st.integers(0, 5),
)  # fmt: skip
def test_packed_counts(numbers, rows, unused) -> None:
    counts = np.zeros((rows, 1, 2 * unused + len(numbers)), dtype=np.int64)
    counts[rows - 1, 0, unused : unused + len(numbers)] = numbers
    packed = pickle.loads(pickle.dumps(PackedCounts.of(counts)))
    found = packed.unpacked()
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, counts)
    assert packed.values.nbytes <= counts.nbytes


def test_counts_above_zero_are_packed_alone() -> None:
    counts = np.zeros((10, 10, 1000), dtype=np.int64)
    assert PackedCounts.of(counts).values.size == 0
    counts[3, :5, ::200] = 7
    packed = PackedCounts.of(counts)
    assert packed.places is not None
    assert packed.places.nbytes + packed.values.nbytes < 200
    counts[:, :, 100:300] = 2
    assert PackedCounts.of(counts).values.nbytes == 100 * 801  # the bins from 0 to 800
