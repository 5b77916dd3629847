"""Vertex numbers of a file -> 0..n-1, with the file's numbers as names where they are others."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["compact"]


def compact(
    tails: npt.NDArray[Any], heads: npt.NDArray[Any], announced: int | None = None
) -> tuple[tuple[npt.NDArray[Any], npt.NDArray[Any]], list[str] | None, int]:
    """Renumber the ends of arcs.

    Numbers that are exactly 0..n-1, or all below the `announced` vertex count, stay as they are and need no names.
    Any others (sparse, negative, from 1) are numbered in ascending order and become names.

    Returns
    -------
    (tails, heads), names or None, n
    """
    if not len(tails):
        return (tails, heads), None, announced or 0
    low = min(int(tails.min()), int(heads.min()))
    high = max(int(tails.max()), int(heads.max()))
    if low >= 0 and announced is not None and high < announced <= 2**31 - 2:
        return (tails, heads), None, announced
    if low >= 1 and high == announced and high < 8 * len(tails) + 64:
        return (tails - 1, heads - 1), [str(v) for v in range(1, announced + 1)], announced
    if low >= 0 and high < 8 * len(tails) + 64:
        used = np.zeros(high + 1, dtype=bool)
        used[tails] = True
        used[heads] = True
        if used.all():
            return (tails, heads), None, high + 1
        numbers = np.flatnonzero(used)
        place = np.cumsum(used) - 1
        return (place[tails], place[heads]), [str(v) for v in numbers.tolist()], len(numbers)
    numbers, place = np.unique(np.concatenate([tails, heads]), return_inverse=True)
    return (place[: len(tails)], place[len(tails) :]), [str(v) for v in numbers.tolist()], len(numbers)
