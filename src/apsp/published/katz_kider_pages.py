"""Katz and Kider's algorithm one level up: pages of the matrix, over several GPUs or beyond device memory.

Source: Katz, Kider 2008, section 4.4. Input: padded cells (N, N, ...) of the host, N a multiple of the page's side, and
workers, one per GPU. Output: the same cells, closed. Cost: N^3 pairs; for p pages per side, each primary page is sent
to every GPU, 2 (p - 1) pages are sent there and back, and (p - 1)^2 with the two pages that they depend on. Corrected:
every GPU closes the primary page, as in the paper, but only the first sends it back.

The idea: pages fit into device memory as blocks fit into shared memory. Pages are assigned in turn, regardless of the
pages that a GPU holds: the paper calls this naive, and it is not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from apsp.gpu.emulated.run import carried
from apsp.methods.problem import KernelProgress
from apsp.system.threads import Threads

__all__ = ["BLOCK", "HostPage", "Worker", "close_cells", "page_side"]

BLOCK = 18
"""Rows and columns of a block: the paper's best for shortest paths. A page has whole blocks."""

HostPage = npt.NDArray[Any]
"""A square view of the cells of the host."""


class Worker(Protocol):
    """One GPU. `first` is the number of the first vertex of the primary page; `seconds` counts those of kernels."""

    seconds: float

    def close_primary(self, page: HostPage, first: int, *, send_back: bool) -> None:
        """Major pass 1; the closed page stays with the worker until the next one."""
        ...

    def through_primary(self, page: HostPage, first: int, *, in_column: bool) -> None:
        """Major pass 2: relax a page in the row or the column of the primary page through it."""
        ...

    def through_both(self, page: HostPage, column: HostPage, row: HostPage, first: int) -> None:
        """Major pass 3: relax any other page through those in its row and its column."""
        ...


def page_side(n: int, block: int, gpus: int, most: int) -> int:
    """Side of a page in whole blocks: the whole matrix on one GPU, else at least one page per GPU in each row.

    Parameters
    ----------
    n, block, gpus : int
        At least 1.
    most : int
        The largest side of which three pages fit into the memory of a GPU (or one page, if the matrix is one page).
    """
    blocks = -(-n // block)
    pages = max(1 if gpus == 1 else gpus + 1, -(-blocks // max(most // block, 1)))
    return -(-blocks // min(pages, blocks)) * block


def close_cells(
    cells: npt.NDArray[Any], side: int, workers: Sequence[Worker], progress: KernelProgress | None = None
) -> None:
    """Close all cells, page after page of the diagonal.

    Parameters
    ----------
    cells : (N, N, ...)
        Overwritten.
    side : int
        Of a page; divides N.
    workers : sequence of Worker
    progress : callable, optional
        Called with the number of pivots done, out of N.
    """
    with Threads(len(workers), "apsp-gpu") as threads:
        for p in range(len(cells) // side):
            _take_primary(cells, side, p, workers, threads)
            if progress is not None:
                progress((p + 1) * side)


def _take_primary(cells: npt.NDArray[Any], side: int, p: int, workers: Sequence[Worker], threads: Threads) -> None:
    """The three major passes for one primary page."""
    first, others = p * side, [q for q in range(len(cells) // side) if q != p]

    def page(i: int, j: int) -> HostPage:
        return cells[i * side : (i + 1) * side, j * side : (j + 1) * side]

    copies = [page(p, p), *(page(p, p).copy() for _ in workers[1:])]  # before the first is overwritten

    def close_primary(number: int) -> None:
        workers[number].close_primary(copies[number], first, send_back=number == 0)

    _on_each(threads, workers, close_primary)
    rows, columns = ([(p, q, False) for q in others], [(q, p, True) for q in others])
    _deal_out(threads, workers, rows + columns, lambda worker, job: worker.through_primary(
        page(job[0], job[1]), first, in_column=job[2]
    ))  # fmt: skip
    _deal_out(threads, workers, [(i, j) for i in others for j in others], lambda worker, job: worker.through_both(
        page(*job), page(job[0], p), page(p, job[1]), first
    ))  # fmt: skip


def _deal_out(
    threads: Threads, workers: Sequence[Worker], jobs: Sequence[Any], work: Callable[[Worker, Any], None]
) -> None:
    """Every worker does every G-th job, one after another; return when all are done."""

    def share(number: int) -> None:
        for job in jobs[number :: len(workers)]:
            work(workers[number], job)

    _on_each(threads, workers, share)


def _on_each(threads: Threads, workers: Sequence[Worker], work: Callable[[int], None]) -> None:
    """Call `work` with the number of each worker; a single worker runs in this thread, where Ctrl-C stops it
    immediately.
    """
    if len(workers) == 1:
        work(0)
    else:
        list(threads.map(carried(work), range(len(workers))))
