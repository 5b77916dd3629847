"""The tests that are left where every pair of parameters suffices."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from pairs import covering


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
