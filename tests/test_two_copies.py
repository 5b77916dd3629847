"""Two copies of an array in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.system.two_copies import TwoCopies

NOTHING: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
Array = npt.NDArray[Any]


def test_memory_is_used_again_once_no_reader_holds_it() -> None:
    rng, copies, now = np.random.default_rng(1), TwoCopies(), np.arange(50)
    held: list[tuple[Array, Array]] = []
    fresh = 0
    for step in range(60):
        array, stale = copies.begin(now, NOTHING)
        fresh += stale is NOTHING
        array[stale] = now[stale]
        changed, expected = rng.integers(0, 50, 3), now.copy()
        expected[changed] = array[changed] = rng.integers(0, 1000)
        copies.end(now, array, changed)
        assert np.array_equal(array, expected)
        if step % 10 == 5:
            held.append((now[10:20], now[10:20].copy()))  # a view holds the whole array
        now = array.view() if step % 2 else array
        for view, copy in held:
            assert np.array_equal(view, copy)
    assert fresh <= 2 + 2 * len(held)
    assert copies.nbytes == now.nbytes


def test_another_array_is_copied() -> None:
    copies, now = TwoCopies(), np.arange(5)
    for _ in range(3):
        array, _ = copies.begin(now, NOTHING)
        copies.end(now, array, NOTHING)
        now = array
    array, stale = copies.begin(np.full(5, 7), NOTHING)
    assert stale is NOTHING
    assert array.tolist() == [7] * 5
