"""Calls that SciPy's own functions answer at least as fast, and that are handed on to SciPy for this reason.

The times of both packages are estimated from the sizes of the graph. The constants were measured on random graphs,
grids, stars, paths, R-MAT and dense graphs and graphs in many parts, of 10 to 100,000 vertices; for SciPy they are
those of the class on which it is fastest, for this package of the one on which it is slowest, so that in doubt SciPy
computes. `python -m benchmarks --only csgraph` compares both on either side of the crossover. No call is timed: the
same call is always answered in the same way.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import Any, Literal, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order

from apsp.planning.small import is_small

__all__ = ["Algorithm", "scipy_is_faster"]

Algorithm = Literal["dijkstra", "johnson", "bellman-ford", "floyd-warshall"]
"""The function of SciPy whose conventions a call follows."""

_LEAST_SEARCHES = 16
"""With fewer sources SciPy's Dijkstra is about as fast; on large graphs, with fewer than the second number."""
_LEAST_ON_LARGE, _LARGE = 128, 1 << 15

_LEAST_VERTICES = 24
"""On smaller graphs every function of SciPy takes less time than a call of this package."""

_CALL, _PLANNED_CALL = 70_000.0, 2_200_000.0
"""Nanoseconds of a call of this package: of a small one, and of one that compares methods and starts threads."""

_CONNECTED, _PROBED = 1.5, 1 << 22
"""Arcs per vertex below which most searches end early, and distances from which on it saves time to find that out."""

_PROBES = 4
"""Searches that find out how much of a sparse graph a source reaches: from one source of sixteen, at most so many."""


class _Work(NamedTuple):
    """Vertices, arcs (both directions of undirected ones) and sources."""

    n: int
    m: int
    sources: int

    @property
    def degree(self) -> float:
        return self.m / max(self.n, 1)


def scipy_is_faster(csgraph: Any, directed: Any, indices: Any, algorithm: Algorithm) -> bool:
    """Whether SciPy's function takes less time, or has to read the graph because it is of another type.

    Parameters
    ----------
    csgraph : object
        The graph as it was passed.
    directed : bool
    indices : array_like or None
        Sources; None means all vertices.
    algorithm : str
        The function whose conventions the call follows.
    """
    is_sparse: bool = sp.issparse(csgraph)  # as a type annotation it would hide the attributes of sparse arrays
    if is_sparse:
        n, arcs = int(csgraph.shape[0]), int(csgraph.nnz)
    elif isinstance(csgraph, np.ndarray):
        n, arcs = len(csgraph) if csgraph.ndim else 0, csgraph.size
    else:
        return True
    if n < _LEAST_VERTICES:
        return True
    work = _Work(n, arcs if directed or not is_sparse else 2 * arcs, n if indices is None else _count(indices))
    if algorithm == "bellman-ford":
        return work.sources * n * work.m < _ours(work)
    if algorithm == "floyd-warshall":
        return (0.8 if 4 * arcs >= n * n else 0.25) * n**3 < _ours(work)
    if algorithm == "johnson":
        return n * work.m + _searches(work, n) < _ours(work)
    if work.sources < (_LEAST_ON_LARGE if n >= _LARGE else _LEAST_SEARCHES):
        return True
    if work.degree < _CONNECTED and work.sources * n < _PROBED:
        return True
    if _searches(work, n) < _ours(work):
        return True
    if is_small(n, work.m, work.sources):
        return False
    return is_sparse and _searches(work, _reached(csgraph, directed, indices, work)) < _ours(work)


def _count(indices: Any) -> int:
    if isinstance(indices, np.ndarray):
        return indices.size
    return len(indices) if isinstance(indices, Sized) else 1


def _searches(work: _Work, reached: float) -> float:
    """Nanoseconds of SciPy's searches, each of which reaches so many vertices."""
    each = 15.0
    if work.degree >= 3:
        each = max(60.0, 2 * work.degree)
        if work.sources * work.n <= 2500:  # the processor predicts the branches of short searches
            each = 25.0
    return work.sources * (0.5 * work.n + each * reached)


def _ours(work: _Work) -> float:
    """Nanoseconds of this package."""
    n, m, sources = work
    if is_small(n, m, sources):
        return _CALL + 25 * (n + m) + (1.0 if work.degree >= 3 else 4.0) * sources * (n + m)
    return _PLANNED_CALL + 30 * (n + m) + 7 * max(sources, 64) * n


def _reached(csgraph: Any, directed: Any, indices: Any, work: _Work) -> float:
    """The mean number of vertices that some of the sources reach."""
    probes = max(min(work.sources // _LEAST_SEARCHES, _PROBES), 1)
    places = np.arange(probes) * (work.sources // probes)
    chosen = places if indices is None else np.asarray(indices).reshape(-1)[places]
    try:
        counts = [
            len(breadth_first_order(csgraph, int(v) % work.n, bool(directed), return_predecessors=False))
            for v in chosen
        ]
    except (TypeError, ValueError, IndexError):
        return 0.0  # SciPy raises the error
    return float(np.mean(counts))
