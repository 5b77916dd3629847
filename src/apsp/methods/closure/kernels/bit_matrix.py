"""Launches the passes over bit matrices of one GPU: from arcs, rows by number, counts.

Input: pages of uint64, 64 columns per word, rows of any stride. Cost: one read and one write of the rows in use.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page, stride
from apsp.graph.model import Graph

__all__ = ["EXPRESSIONS", "Adjacency", "add_arcs", "count", "fill", "gather", "unite_into"]

EXPRESSIONS = tuple(
    f"apsp::{name}" for name in ("fill_bits", "add_arcs", "gather_rows", "unite_into_rows", "count_bits")
)
_THREADS = 256


class Adjacency:
    """A graph's arcs without their lengths on the current GPU, copied there when it is made."""

    def __init__(self, graph: Graph) -> None:
        to_device = jit.cupy().asarray
        self.n = graph.n
        self.indptr, self.indices = to_device(graph.indptr), to_device(graph.indices)
        closed = graph.zones if graph.has_zones else None
        self.zones = np.uint64(0) if closed is None else to_device(closed)


def fill(page: Page, row_from: int, word_from: int, arcs: Adjacency) -> None:
    """Write the arcs and the diagonal into the page whose corner is row row_from, column 64 word_from."""
    rows, words = page.shape
    if rows and words:
        numbers = (np.int32(value) for value in (words, row_from, word_from))
        _kernel("fill_bits")(
            (rows,), (_THREADS,), (page, stride(page), *numbers, arcs.indptr, arcs.indices, arcs.zones)
        )


def add_arcs(page: Page, arcs: Adjacency, of_tail: npt.NDArray[np.int32], of_head: npt.NDArray[np.int32]) -> None:
    """For each arc u -> v set bit of_head[v] of row of_tail[u]; none where either is negative."""
    if arcs.n:
        to_device = jit.cupy().asarray
        _kernel("add_arcs")(
            (-(-arcs.n // 8),), (_THREADS,),
            (page, stride(page), np.int32(arcs.n), arcs.indptr, arcs.indices, to_device(of_tail), to_device(of_head)),
        )  # fmt: skip


def gather(to: Page, source: Page, numbers: Any) -> None:
    """to[i] = source[numbers[i]], as many words as `to` has; numbers: int32 of the device."""
    _rows("gather_rows", to, source, numbers, to.shape[1])


def unite_into(to: Page, source: Page, numbers: Any) -> None:
    """to[numbers[i]] |= source[i]; numbers must be distinct."""
    _rows("unite_into_rows", to, source, numbers, source.shape[1])


def count(page: Page) -> int:
    """Return the number of bits that are set."""
    total = jit.cupy().zeros(1, dtype=np.uint64)
    rows, words = page.shape
    if rows and words:
        blocks = min(rows, 8 * jit.multiprocessors())
        _kernel("count_bits")((blocks,), (_THREADS,), (page, stride(page), np.int32(rows), np.int32(words), total))
    return int(total.get()[0])


def _rows(name: str, to: Page, source: Page, numbers: Any, words: int) -> None:
    if len(numbers) and words:
        _kernel(name)((len(numbers),), (_THREADS,), (to, stride(to), source, stride(source), numbers, np.int32(words)))


def _kernel(name: str) -> Any:
    return jit.kernels("bit_matrix.cu", EXPRESSIONS)[f"apsp::{name}"]
