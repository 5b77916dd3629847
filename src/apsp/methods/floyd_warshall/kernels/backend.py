"""`Backend` on one GPU: CuPy arrays as pages.

Input: pages, (rows, columns) arrays of the device in kernel values: "no path" is half of the maximum for signed
integers, as on the CPU, and 32,767 for uint16, whose distances must be proven to be smaller. Raises DeviceError without
a GPU, MemoryLimitError if its memory is used up.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.copying import queue_copy
from apsp.gpu.memory import on_gpu
from apsp.gpu.page import Page, allocate, overlap
from apsp.graph.model import Graph
from apsp.methods.floyd_warshall.kernels import matrix
from apsp.methods.floyd_warshall.kernels.close import Closing
from apsp.methods.floyd_warshall.kernels.update import update
from apsp.methods.rows.kernels.arcs import Arcs, arcs_on_device
from apsp.semiring import Algebra
from apsp.system.cached import cached_property

__all__ = ["CudaBackend"]


class CudaBackend:
    """Pages are two-dimensional CuPy arrays whose rows are contiguous; the work is queued on the current stream.

    Parameters
    ----------
    device : int
        Number of the GPU in CuPy.
    keep_arcs : bool
        Leave the arcs of a graph on the device after `fill`, for `weighted_arcs`.

    Raises
    ------
    DeviceError
        If CuPy or the GPU is missing; the message states what to install.
    """

    def __init__(self, device: int = 0, *, keep_arcs: bool = False) -> None:
        self.cupy = jit.cupy()
        self.device = device
        self.keep_arcs = keep_arcs
        self._kept: tuple[tuple[Graph, np.dtype[Any], Algebra], Arcs] | None = None

    @cached_property
    def _closing(self) -> Closing:
        with self.on_device():
            return Closing(self)

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """Allocate an uninitialised page; rows begin at multiples of 16 bytes."""
        return allocate(self.device, rows, columns, dtype)

    def copy(self, source: Page, target: Page) -> None:
        """Copy a page onto another one of the same shape. Copies from or to the host are done on return."""
        with self.on_device():
            queue_copy(source, target)
            if isinstance(source, np.ndarray) or isinstance(target, np.ndarray):
                self.cupy.cuda.get_current_stream().synchronize()

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
        """Write the lengths of the graph into a page."""
        with self.on_device():
            rows = (row_from, row_from + page.shape[0])
            matrix.fill(page, row_from, column_from, self.weighted_arcs(graph, page.dtype, algebra, rows), algebra)

    def weighted_arcs(
        self, graph: Graph, dtype: np.dtype[Any], algebra: Algebra, rows: tuple[int, int] | None = None
    ) -> Arcs:
        """Return the arcs of all rows, or of the rows (from, to), on the device, with lengths in `dtype`."""
        if rows is not None and not self.keep_arcs:
            with self.on_device():
                return arcs_on_device(graph, dtype, algebra, *rows)
        wanted = (graph, dtype, algebra)
        if self._kept is None or self._kept[0][0] is not graph or self._kept[0] != wanted:
            with self.on_device():
                self._kept = (wanted, arcs_on_device(graph, dtype, algebra, 0, graph.n))
        arcs = self._kept[1]
        return arcs if rows is None else arcs.of_rows(*rows)

    def extend(self, page: Page, graph: Graph, algebra: Algebra) -> None:
        """Add paths that begin at zones to the closed page of the whole matrix, before `finish`."""
        if graph.has_zones:
            with self.on_device():
                matrix.extend(page, self.weighted_arcs(graph, page.dtype, algebra), algebra)

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:
        """Close a square page of the diagonal (Floyd-Warshall): the whole page, in device memory."""
        if page.shape[0] != page.shape[1]:
            raise ValueError("only a square page can be closed")
        with self.on_device():
            return self._closing.close(page, algebra, progress)

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        """Compute c = choose(c, a join b); an operand that is also the result is copied first."""
        if c.shape != (a.shape[0], b.shape[1]) or a.shape[1] != b.shape[0] or not c.dtype == a.dtype == b.dtype:
            raise ValueError("the shapes must be c (m, n), a (m, k), b (k, n), the dtypes equal")
        with self.on_device():
            update(c, self._copied(a) if overlap(c, a) else a, self._copied(b) if overlap(c, b) else b, algebra)

    def finish(self, page: Page, algebra: Algebra) -> bool:
        """Convert kernel values to public values."""
        with self.on_device():
            return matrix.finish(page, algebra)

    def _copied(self, page: Page) -> Page:
        copy = self.allocate(page.shape[0], page.shape[1], page.dtype)
        self.copy(page, copy)
        return copy

    def on_device(self) -> AbstractContextManager[None]:
        """Work on this GPU; a lack of its memory raises MemoryLimitError."""
        return on_gpu(self.device)
