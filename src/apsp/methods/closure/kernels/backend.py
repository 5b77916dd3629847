"""`Backend` over (or,and) on one GPU: CuPy arrays of uint64 as pages, 64 columns per word.

Rows and pivots of pages are counted in vertices, columns in words. Raises as `CudaBackend`.
"""

from __future__ import annotations

from collections.abc import Callable

from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.methods.closure.kernels import bit_matrix, close_bits
from apsp.methods.closure.kernels.bits import multiply
from apsp.methods.floyd_warshall.kernels.backend import CudaBackend
from apsp.semiring import Algebra

__all__ = ["CudaBitsBackend"]


class CudaBitsBackend(CudaBackend):
    """The GPU backend on bit matrices; the algebra is ignored."""

    def __init__(self, device: int = 0) -> None:
        super().__init__(device)
        self._adjacency: tuple[Graph, bit_matrix.Adjacency] | None = None

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:  # noqa: ARG002
        """Write the lengths of the graph into a page; the arcs stay on the device for the next page."""
        with self.on_device():
            bit_matrix.fill(page, row_from, column_from, self.adjacency(graph))

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:  # noqa: ARG002
        """Close a square page of the diagonal (Floyd-Warshall)."""
        if page.shape[1] != -(-page.shape[0] // 64):
            raise ValueError("only a square page can be closed")
        with self.on_device():
            close_bits.close(page, progress=progress)
        return -1

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:  # noqa: ARG002
        """Compute c = choose(c, a join b); for (or,and) a closed operand may change meanwhile, so none is copied."""
        if c.shape != (a.shape[0], b.shape[1]) or a.shape[1] != -(-b.shape[0] // 64):
            raise ValueError("the shapes must be c (m, n), a (m, ceil(k / 64)), b (k, n)")
        with self.on_device():
            multiply(c, a, b)

    def finish(self, page: Page, algebra: Algebra) -> bool:  # noqa: ARG002
        """Convert kernel values to public values: bits are public already."""
        return True

    def adjacency(self, graph: Graph) -> bit_matrix.Adjacency:
        """The graph's arcs on the current device, copied once."""
        if self._adjacency is None or self._adjacency[0] is not graph:
            self._adjacency = (graph, bit_matrix.Adjacency(graph))
        return self._adjacency[1]
