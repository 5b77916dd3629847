"""Statistics of sets of vertices by NumPy on the whole matrix of distances, and graphs to compare them on."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import apsp

__all__ = ["DTYPES", "SHARES", "check_statistics", "quantile", "random_graph", "same_statistics"]

DTYPES = ["uint16", "int32", "int64", "float32", "float64"]
SHARES = (0.5, 0.0, 0.3, 1.0, 0.9)

_ARRAYS = ("pairs", "pairs_without_path", "total", "mean", "smallest", "largest", "quantiles", "edges", "counts")


def random_graph(seed: int, dtype: str, *, directed: bool) -> apsp.Graph:
    """Weights whose sums are exact in the dtype; some pairs have no path."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 30)), int(rng.integers(0, 80))
    top = {"uint16": 9, "int32": 1 << 20, "int64": 1 << 50, "float32": 1 << 12, "float64": 1 << 30}[dtype]
    weights: Any = rng.integers(0, top, m)
    if dtype.startswith("f"):
        weights = (weights / 1024).astype(dtype)
    return apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), weights, n=n, directed=directed)


def quantile(values: np.ndarray, share: float) -> object:
    """The smallest value that at least this share of the values do not exceed."""
    ordered = np.sort(values)
    rank = int(np.ceil(share * len(ordered))) - 1
    return ordered[min(max(rank, 0), len(ordered) - 1)].item()


def check_statistics(
    found: apsp.DistanceStatistics, dist: np.ndarray, of: np.ndarray, sources: np.ndarray | None, dtype: str
) -> None:
    """Compare all numbers with those of the matrix from sources to groups; `of` has the group of each vertex, or -1."""
    n, has_edges = len(dist), found.edges is not None and found.edges[-1] == 1e5
    per_source = found.per == "source"
    chosen = np.arange(n) if sources is None else sources if per_source else np.unique(sources)
    parts = [[s] for s in chosen] if per_source else [[s for s in chosen if of[s] == name] for name in found.names]
    assert found.sources.tolist() == (list(chosen) if per_source else [])
    for i, part in enumerate(parts):
        for j, name in enumerate(found.names):
            pairs = [dist[u, v] for u in part for v in np.flatnonzero(of == name) if u != v]
            values = np.array([d for d in pairs if d != apsp.unreachable(dtype)], dtype=dtype)
            assert found.pairs[i, j] == len(values)
            assert found.pairs_without_path[i, j] == len(pairs) - len(values)
            total = sum(values.tolist())
            assert found.total[i, j] == (pytest.approx(total, rel=1e-14) if dtype.startswith("f") else total)
            if not len(values):
                assert np.isnan(found.mean[i, j])
                assert found.largest[i, j] == found.smallest[i, j] == apsp.unreachable(found.largest.dtype)
                continue
            assert found.mean[i, j] == pytest.approx(total / len(values), rel=1e-15)
            assert (found.smallest[i, j], found.largest[i, j]) == (values.min(), values.max())
            assert found.quantiles[i, j].tolist() == [quantile(values, share) for share in found.shares]
            edges, last = found.edges, found.edges[-1] if has_edges else np.inf
            counts = [int(((low <= values) & (values < high)).sum()) for low, high in pairwise(edges)]
            counts[-1] += int((values == last).sum())
            assert found.counts[i, j].tolist() == counts
            assert has_edges or sum(counts) == len(values)


def same_statistics(one: apsp.DistanceStatistics, other: apsp.DistanceStatistics) -> None:
    """All numbers are the same, to the last bit, and of the same dtype."""
    assert one.names == other.names
    assert one.sources.tolist() == other.sources.tolist()
    for name in _ARRAYS:
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None), name
        if mine is not None:
            assert mine.dtype == theirs.dtype, name
            np.testing.assert_array_equal(mine, theirs, err_msg=name)
