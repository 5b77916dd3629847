"""The interface between drivers and kernels: drivers are written once for `Backend`, which each device implements.

A page is a rectangular piece of the n x n matrix in the memory of the device, in *kernel values*: during the run, "no
path" of signed integers is about half of their maximum, so that sums of two cannot wrap. `finish` makes the values
public. The kernels take any page size, so a matrix that fits is one page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.gpu.page import Page
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.semiring import Algebra

__all__ = ["Backend", "CpuBackend"]


class Backend(Protocol):
    """The kernels of one device."""

    def allocate(self, rows: int, columns: int, dtype: npt.DTypeLike) -> Page:
        """Allocate an uninitialised page."""
        ...

    def copy(self, source: Page, target: Page) -> None:
        """Copy a page onto another one of the same shape; either may be on the host."""
        ...

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
        """Write "no path", the arcs and the diagonal into the page with this corner; zones keep no arcs."""
        ...

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:
        """Compute shortest paths through the vertices of a square page on the diagonal (Floyd-Warshall).

        Returns
        -------
        int
            A row of the page that lies on a negative closed walk, -1 if there is none.
        """
        ...

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        """Compute c = choose(c, a join b). c may be a if b is closed, and b if a is closed."""
        ...

    def finish(self, page: Page, algebra: Algebra) -> bool:
        """Convert kernel values to public ones; False if integer distances are out of range."""
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
        """Allocate an uninitialised page."""
        return np.empty((rows, columns), dtype=dtype)

    def copy(self, source: Page, target: Page) -> None:
        """Copy a page onto another one of the same shape."""
        np.copyto(target, source)

    def fill(self, page: Page, row_from: int, column_from: int, graph: Graph, algebra: Algebra) -> None:
        """Write the lengths of the graph into a page."""
        _cpu.dense_fill(
            page, row_from, column_from, arc_arrays(graph, graph.weights), algebra.semiring.name, self.threads
        )

    def close_tile(self, page: Page, algebra: Algebra, progress: Callable[[int], None] | None = None) -> int:
        """Close a square page of the diagonal (Floyd-Warshall)."""
        return _cpu.dense_close(
            page, algebra.semiring.name, algebra.nonnegative, self.threads, progress, algebra.half_range
        )

    def update(self, c: Page, a: Page, b: Page, algebra: Algebra) -> None:
        """Compute c = choose(c, a join b)."""
        _cpu.dense_update(
            c, a, b, algebra.semiring.name, algebra.nonnegative, self.threads, half_range=algebra.half_range
        )

    def finish(self, page: Page, algebra: Algebra) -> bool:
        """Convert kernel values to public values."""
        return _cpu.dense_finish(page, algebra.semiring.name, algebra.nonnegative, self.threads)
