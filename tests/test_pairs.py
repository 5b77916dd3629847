"""The tests that are left where every pair of parameters, or a few cases, suffice."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from pairs import covering, few


@pytest.mark.parametrize(
    ("sizes", "most"), [((4, 3, 2), 13), ((2, 2, 2), 6), ((39, 26, 4), 1100), ((3, 3, 3, 3), 18), ((5, 1, 1), 5)]
)
def test_every_pair_is_in_few_rows(sizes: tuple[int, ...], most: int) -> None:
    rows = list(product(*map(range, sizes)))
    chosen = covering(rows)
    for one, other in combinations(range(len(sizes)), 2):
        assert len({(rows[at][one], rows[at][other]) for at in chosen}) == sizes[one] * sizes[other]
    assert len(chosen) <= most


def test_pairs_that_no_row_has_are_not_missed() -> None:
    assert covering([(0, 0, 0), (1, 1, 1), (1, 1, 0)]) == {0, 1, 2}


@pytest.mark.parametrize(("sizes", "count"), [((4, 3), 4), ((7, 2), 7), ((5, 5), 5), ((2, 3, 4), 4), ((6,), 2)])
def test_a_few_rows_take_all_values_alike(sizes: tuple[int, ...], count: int) -> None:
    rows = list(product(*map(range, sizes)))
    chosen = few(rows, count)
    assert len(chosen) == count
    for column, size in enumerate(sizes):
        values = [rows[number][column] for number in chosen]
        assert len(set(values)) == min(count, size)
        assert max(map(values.count, values)) <= -(-count // size)


def test_few_of_one_parameter_lie_apart() -> None:
    assert few([(value,) for value in range(101)], 5) == {0, 25, 50, 75, 100}
    assert few([(0,)], 3) == {0}
