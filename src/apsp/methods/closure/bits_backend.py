"""`Backend` over (or,and) on the CPU: NumPy arrays of uint64 as pages, 64 columns per word.

Rows and pivots of pages are counted in vertices, columns in words.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.methods.backend import CpuBackend
from apsp.semiring import Algebra

__all__ = ["CpuBitsBackend"]


class CpuBitsBackend(CpuBackend):
    """The CPU backend on bit matrices; the algebra is ignored."""

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:  # noqa: ARG002
        """Write the lengths of the graph into a page."""
        rows = page.shape[0]
        page[...] = 0
        own = np.arange(rows)
        first, last = graph.indptr[row_from], graph.indptr[row_from + rows]
        tails = np.repeat(own, np.diff(graph.indptr[row_from : row_from + rows + 1]))
        heads = graph.indices[first:last]
        if graph.zones is not None:
            tails, heads = (ends[~graph.zones[row_from + tails]] for ends in (tails, heads))
        self._set(page, tails, heads, column_from)
        self._set(page, own, (row_from + own).astype(np.int32), column_from)

    def _set(self, page: Page, tails: npt.NDArray[np.int64], heads: npt.NDArray[np.int32], column_from: int) -> None:
        """Set bits; the heads of each tail are in ascending order, so that those of a word are neighbours."""
        places = heads // 64 - column_from
        if len(places) and not 0 <= places.min() <= places.max() < page.shape[1]:
            inside = (places >= 0) & (places < page.shape[1])
            tails, heads, places = tails[inside], heads[inside], places[inside]
        firsts = np.flatnonzero((np.diff(places, prepend=-1) != 0) | (np.diff(tails, prepend=-1) != 0))
        if len(firsts):
            bits = np.uint64(1) << (heads % 64).astype(np.uint64)
            page[tails[firsts], places[firsts]] |= np.bitwise_or.reduceat(bits, firsts)

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:  # noqa: ARG002
        """Close a square page of the diagonal (Floyd-Warshall)."""
        _cpu.close_bits(page, self.threads, progress)
        return -1

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:  # noqa: ARG002
        """Compute c = choose(c, a join b); an operand that may be the result is copied first."""
        a, b = (operand.copy() if np.may_share_memory(c, operand) else operand for operand in (a, b))
        _cpu.update_bits(c, a, b, 64 * c.shape[1], self.threads)

    def finish(self, page: Page, algebra: Algebra) -> bool:  # noqa: ARG002
        """Convert kernel values to public values: bits are public already."""
        return True
