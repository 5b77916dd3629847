"""Distances between points with several ends, from blocks of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apsp.graph.places.ends import Ends
from apsp.methods.rows.ends_by_rows import between_by_rows

LENGTHS = np.array([0.0, 1.5, 4.0, np.inf])


def _ends(rng: np.random.Generator, layers: int, count: int, *, starts: bool) -> Ends:
    lengths = rng.choice(LENGTHS, (layers, count))
    are_starts = rng.random((layers, count)) < 0.2 if starts else None
    return Ends(rng.integers(0, 9, (layers, count)).astype(np.int32), lengths, are_starts)


@pytest.mark.parametrize("seed", range(10))
def test_they_are_the_least_over_all_ends(seed: int) -> None:
    rng = np.random.default_rng(seed)
    near = rng.choice([1.0, 2.0, 7.0, np.inf], (9, 9))
    np.fill_diagonal(near, 0)
    sources, targets = _ends(rng, 2, 5, starts=False), _ends(rng, int(rng.integers(2, 5)), 6, starts=seed % 2 == 1)
    found = np.empty((5, 6))
    between_by_rows(sources, targets, found, lambda starts, ends: near[np.ix_(starts, ends)])
    for (row, column), length in np.ndenumerate(found):
        ways = [np.inf]
        for start, before in zip(sources.vertices[:, row], sources.lengths[:, row], strict=True):
            for layer, (end, after) in enumerate(
                zip(targets.vertices[:, column], targets.lengths[:, column], strict=True)
            ):
                if targets.are_starts is None or not targets.are_starts[layer, column] or start == end:
                    ways.append(before + near[start, end] + after)
        assert length == min(ways)


def test_rows_are_computed_in_blocks() -> None:
    count, heights, seen = 200_000, [], []
    sources = Ends(np.arange(2 * 40, dtype=np.int32).reshape(2, 40), np.array([[0.0] * 40, [np.inf] * 40]))
    targets = Ends(np.tile(np.arange(count, dtype=np.int32), (2, 1)), np.array([[1.0] * count, [np.inf] * count]))

    def rows_of(starts: Any, ends: Any) -> Any:
        heights.append(len(starts))
        return np.abs(starts[:, None] - ends).astype(float)

    found = np.empty((40, count))
    between_by_rows(sources, targets, found, rows_of, seen.append)
    assert len(heights) > 1
    assert sum(heights) == seen[-1] == 40
    assert np.array_equal(found, np.abs(np.arange(40)[:, None] - np.arange(count)) + 1.0)


def test_nothing_is_reached_without_ends() -> None:
    none = Ends(np.zeros((2, 3), np.int32), np.full((2, 3), np.inf))
    found = np.zeros((3, 3))
    between_by_rows(none, none, found, lambda starts, ends: np.zeros((len(starts), len(ends))))
    assert np.isinf(found).all()
