"""What the tests of batches share: random batches, and an oracle in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import apsp

DTYPES = ("uint16", "int32", "int64", "float32", "float64")
SEMIRINGS = ("min_plus", "max_min", "min_max")


def random_batch(count: int, n: int, dtype: str, seed: int = 1, *, density: float = 0.2, height: int = 0) -> Any:
    """(count, n, n) lengths 1 to 50, whole numbers; with a height some are negative, but no cycle is.

    What lies on the diagonal does not count.
    """
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 51, (count, n, n))
    if height:
        levels = rng.integers(0, height, (count, n))
        lengths += levels[:, :, None] - levels[:, None, :]
    batch = lengths.astype(dtype)
    batch[rng.random(batch.shape) > density] = apsp.unreachable(dtype)
    if not height:
        batch[:, range(n), range(n)] = 7
    else:
        batch[:, range(n), range(n)] = 0
    return batch


def oracle(batch: Any, semiring: str = "min_plus", sizes: Any = None, dtype: Any = None) -> Any:
    """Floyd-Warshall in float64, in whole numbers that it holds exactly."""
    choose, join = {
        "min_plus": (np.minimum, np.add),
        "max_min": (np.maximum, np.minimum),
        "min_max": (np.minimum, np.maximum),
    }[semiring]
    ours = apsp.semiring.SEMIRINGS[semiring]
    dtype = np.dtype(dtype or batch.dtype)
    values, none = batch.astype(np.float64), ours.no_path(np.float64)
    values[batch == apsp.unreachable(batch.dtype)] = none
    for graph, matrix in enumerate(values):
        size = len(matrix) if sizes is None else sizes[graph]
        np.fill_diagonal(matrix, ours.empty_path(np.float64))
        for k in range(size):
            matrix[:] = choose(matrix, join(matrix[:, k : k + 1], matrix[k]))
        matrix[size:] = matrix[:, size:] = none
    result = np.where(np.isfinite(values), values, 0).astype(dtype)
    result[values == none] = ours.no_path(dtype)
    empty = ours.empty_path(np.float64)
    result[(values == empty) & (values != none)] = ours.empty_path(dtype)
    return result
