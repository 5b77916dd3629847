"""Rows by Dijkstra, with which every contestant is compared before it is timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import api
from apsp.graph.model import Graph
from apsp.semiring import is_unreachable

__all__ = ["ExpectedRows"]

_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class ExpectedRows:
    """Rows of distances by Dijkstra, one heap per source (with negative arcs, after Johnson's reweighting).

    Attributes
    ----------
    rows : (r,) int32
        All rows up to 8,192 vertices, else 1,024 evenly spread ones.
    dist : (r, n) array
    """

    rows: npt.NDArray[np.int32]
    dist: npt.NDArray[Any]

    @classmethod
    def of(
        cls, graph: Graph, threads: int | None, sources: npt.NDArray[np.int32] | None = None, *,
        most: int = 8192, beyond: int = 1024,
    ) -> ExpectedRows:  # fmt: skip
        """Compute the rows, of `sources` if they are passed: all of at most `most`, and so many `beyond` that."""
        count = graph.n if graph.n <= most else beyond
        rows = np.unique(np.linspace(0, max(graph.n - 1, 0), count).astype(np.int32)) if sources is None else sources
        method = "johnson" if graph.has_negative_arc else "dijkstra"
        solved = api.solve(graph, sources=rows, method=method, device="cpu", threads=threads)
        return cls(rows, np.asarray(solved.distances))

    @property
    def words(self) -> str:
        """Describe how much is compared."""
        return "all rows" if len(self.rows) == self.dist.shape[1] else f"{len(self.rows):,} rows"

    def difference(self, found: Callable[[npt.NDArray[np.int32]], npt.NDArray[Any]]) -> str | None:
        """Return the first error of a contestant; None if there is none.

        Parameters
        ----------
        found : callable
            Returns the requested rows: distances, or booleans that are true if there is a path.
        """
        for start in range(0, len(self.rows), _ROWS_AT_ONCE):
            here = slice(start, start + _ROWS_AT_ONCE)
            rows, expected = self.rows[here], self.dist[here]
            got = found(rows)
            closure = got.dtype == np.bool_
            there: npt.NDArray[np.bool_] = np.logical_not(is_unreachable(expected))
            reached: npt.NDArray[np.bool_] = got if closure else np.logical_not(is_unreachable(got))
            wrong = reached != there
            if not closure:
                both = reached & there
                wrong[both] = ~_equal(got[both], expected[both])
            if wrong.any():
                i, j = (int(place[0]) for place in np.nonzero(wrong))
                right = bool(there[i, j]) if closure else expected[i, j]
                return f"wrong: from {rows[i]} to {j} it says {got[i, j]}, Dijkstra {right}"
        return None


def _equal(got: npt.NDArray[Any], expected: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether rows are equal: integers to the last bit, floats within rounding."""
    if got.dtype.kind in "iu" and expected.dtype.kind in "iu":
        got, expected = got.astype(np.int64), expected.astype(np.int64)
        same: npt.NDArray[np.bool_] = np.equal(got, expected)
        return same
    close: npt.NDArray[np.bool_] = np.isclose(got, expected, rtol=1e-5, atol=0)
    return close
