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


def replayed(batch: Any, pred: Any, semiring: str = "min_plus") -> tuple[Any, Any, Any]:
    """Follow the predecessors of all pairs: values in float64, numbers of arcs, absolute sums.

    Fails if a chain takes an arc that does not exist, or does not lead to its source within n - 1 arcs.
    """
    join: Any = {"min_plus": np.add, "max_min": np.minimum, "min_max": np.maximum}[semiring]
    ours = apsp.semiring.SEMIRINGS[semiring]
    lengths = batch.astype(np.float64)
    lengths[batch == apsp.unreachable(batch.dtype)] = np.nan
    graphs, sources, now = (index.copy() for index in np.broadcast_arrays(*np.ogrid[tuple(map(slice, pred.shape))]))
    value = np.where(pred < 0, ours.no_path(np.float64), ours.empty_path(np.float64))
    value[:, range(pred.shape[1]), range(pred.shape[1])] = ours.empty_path(np.float64)
    arcs, size = np.zeros(pred.shape, dtype=np.int64), np.zeros(pred.shape)
    going = pred >= 0
    for _ in range(pred.shape[1]):
        before = pred[graphs[going], sources[going], now[going]]
        assert (before >= 0).all()
        weights = lengths[graphs[going], before, now[going]]
        assert not np.isnan(weights).any()
        value[going] = join(value[going], weights)
        arcs[going] += 1
        size[going] += abs(weights)
        now[going] = before
        going &= now != sources
        if not going.any():
            break
    assert not going.any()
    return value, arcs, size


def check_paths(batch: Any, found: Any, semiring: str = "min_plus") -> None:
    """Check that predecessors exist where paths do, and that every path has its distance.

    Exactly, but for sums of floats: these within k eps times the sum of the k absolute lengths.
    """
    distances, pred = found
    ours, n = apsp.semiring.SEMIRINGS[semiring], batch.shape[1]
    assert pred.dtype == np.int32
    assert pred.shape == distances.shape == batch.shape
    has_path = (distances != ours.no_path(distances.dtype)) & ~np.eye(n, dtype=bool)
    np.testing.assert_array_equal(pred >= 0, has_path)
    assert (pred[~has_path] == -1).all()
    value, arcs, size = replayed(batch, pred, semiring)
    error = abs(value[has_path] - distances[has_path].astype(np.float64))
    exact = semiring != "min_plus" or distances.dtype.kind != "f"
    allowed = 0.0 if exact else np.finfo(distances.dtype).eps * arcs[has_path] * size[has_path]
    assert (error <= allowed).all()
