"""The seam between drivers and kernels: drivers are written once against `Backend`, each device implements it.

A page is a rectangular piece of the n x n matrix in the memory of the device, in *kernel values*: while the work runs,
"no path" of signed integers is about half of their maximum, so that sums of two cannot wrap. `finish` makes the values
public. The kernels take any page size, so a matrix that fits is one page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.semiring import Algebra

__all__ = ["Backend", "CpuBackend"]


class Backend(Protocol):
    """The kernels of one device."""

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """An uninitialised page."""
        ...

    def copy(self, source: Page, target: Page) -> None:
        """Copy a page onto one of the same shape; either may lie on the host."""
        ...

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
        """Write "no path", the arcs and the diagonal into the page with this corner; zones keep no arcs."""
        ...

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:
        """Shortest paths through the vertices of a square page of the diagonal (Floyd-Warshall).

        Returns
        -------
        int
            A row of the page that lies on a negative closed walk, -1 if there is none.
        """
        ...

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        """Make c = choose(c, a join b). c may be a where b is closed, and b where a is closed."""
        ...

    def finish(self, page: Page, algebra: Algebra) -> bool:
        """Kernel values to public ones; False if integer distances are not in the range that the kernels need."""
        ...


class CpuBackend:
    """Pages are NumPy arrays, the kernels those of `apsp._cpu`.

    Parameters
    ----------
    threads : int
        CPU threads of every kernel, at least 1.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """See `Backend.allocate`."""
        return np.empty((rows, columns), dtype=dtype)

    def copy(self, source: Page, target: Page) -> None:
        """See `Backend.copy`."""
        np.copyto(target, source)

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
        """See `Backend.fill`."""
        _cpu.dense_fill(
            page, row_from, column_from, graph.indptr, graph.indices, graph.weights,
            algebra.semiring.name, graph.zones, self.threads,
        )  # fmt: skip

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:
        """See `Backend.close_tile`."""
        return _cpu.dense_close(page, algebra.semiring.name, algebra.nonnegative, self.threads, progress)

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        """See `Backend.update`."""
        _cpu.dense_update(c, a, b, algebra.semiring.name, algebra.nonnegative, self.threads)

    def finish(self, page: Page, algebra: Algebra) -> bool:
        """See `Backend.finish`."""
        return _cpu.dense_finish(page, algebra.semiring.name, algebra.nonnegative, self.threads)
