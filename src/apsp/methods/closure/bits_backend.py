"""`Backend` over (or,and) on the CPU: NumPy arrays of uint64 as pages, 64 columns per word.

Rows and pivots of pages are counted in vertices, columns in words.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

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
        rows, words = page.shape
        page[...] = 0
        own = np.arange(row_from, row_from + rows)
        first, last = graph.indptr[row_from], graph.indptr[row_from + rows]
        tails = np.repeat(own, np.diff(graph.indptr[row_from : row_from + rows + 1]))
        heads = graph.indices[first:last].astype(np.int64)
        if graph.zones is not None:
            tails, heads = (ends[~graph.zones[tails]] for ends in (tails, heads))
        tails, heads = np.concatenate([own, tails]) - row_from, np.concatenate([own, heads])
        inside = (heads // 64 >= column_from) & (heads // 64 < column_from + words)
        bits = np.uint64(1) << (heads[inside] % 64).astype(np.uint64)
        np.bitwise_or.at(page, (tails[inside], heads[inside] // 64 - column_from), bits)

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
