"""Lower bounds on the sums of the distances from all vertices, from rows of some.

From u to v are d(u, v): any t is at least d(u, t) - d(u, v) from v. Added up over the vertices t, that is the sum of u
less d(u, v) for each, or, term by term, the sum of the positive differences (in undirected graphs of their absolute
values), from the sorted row. Indyk 1999, "Sublinear time algorithms for metric space problems" (sums of near vertices
differ little); Cohen et al. 2014, "Computing classic closeness centrality, at scale" (bounds from pivots).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.semiring import unreachable

__all__ = ["SumBounds"]


class SumBounds:
    """Lower bounds on the sum of the distances from each vertex.

    Parameters
    ----------
    n : int
        Vertices.
    directed : bool
        If so, every vertex reaches all others.

    Attributes
    ----------
    lower : (n,) float64
    """

    def __init__(self, n: int, *, directed: bool) -> None:
        self.lower = np.zeros(n)
        self._directed = directed

    def add(self, row: npt.NDArray[Any], total: float, reached: int) -> None:
        """Add the distances from a vertex, (n,), which are integers of at least 0: their sum, and the number of them.

        The terms of the vertex itself and, in undirected graphs, of the one from which the row starts are exact.
        """
        bound = np.multiply(row, -float(reached - (1 if self._directed else 2)), dtype=np.float64)
        bound += total
        self._raise(row, bound, reached)

    def add_terms(self, row: npt.NDArray[Any], reached: int) -> None:
        """Add the same term by term, which takes as long as sorting the row."""
        ordered = np.sort(row)[:reached].astype(np.float64)  # "no path" is larger than all distances
        sums = np.concatenate([[0.0], np.cumsum(ordered)])
        length = row.astype(np.float64)
        nearer = np.searchsorted(ordered, length)
        bound = sums[-1] - sums[nearer] - (reached - nearer) * length
        if not self._directed:
            bound += nearer * length - sums[nearer]
        self._raise(row, bound, reached)

    def _raise(self, row: npt.NDArray[Any], bound: npt.NDArray[np.float64], reached: int) -> None:
        if reached < len(row):
            bound[row == unreachable(row.dtype)] = 0
        np.maximum(self.lower, bound, out=self.lower)
