"""Steps after a matrix on the host is closed: the diagonal, zones, public values, predecessors, cutoff.

Input: the (n, n) matrix of all distances. Output: the same matrix, and predecessors of all or of the requested rows.
Cost: a pass over n^2 each; predecessors are found among the arcs that are shortest paths themselves. On one GPU the
same is done on the device: see in_core.py.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError
from apsp.gpu.page import Page
from apsp.graph.csr import arc_arrays
from apsp.methods.backend import Backend
from apsp.methods.problem import IntArray, Problem
from apsp.result.paths import passed_through
from apsp.semiring import NO_VERTEX, Algebra

__all__ = ["extend", "forget_beyond", "make_public", "read_predecessors"]

_ROWS_AT_ONCE = 256  # of a pass over n x n results in NumPy: temporary memory stays small


def extend(square: npt.NDArray[Any], problem: Problem, algebra: Algebra) -> None:
    """Add paths that begin at zones; "no path" may be that of the kernels or the public one."""
    graph = problem.graph
    if graph.has_zones:
        _cpu.dense_extend(square, arc_arrays(graph, graph.weights), algebra.semiring.name, problem.threads)


def make_public(backend: Backend, page: Page, algebra: Algebra) -> None:
    """Convert kernel values to public ones, on any device; DtypeRangeError if integers left the range that kernels
    need.
    """
    if not backend.finish(page, algebra):
        raise DtypeRangeError(f"{page.dtype} is too narrow for the distances of this graph; use a wider dtype")


def read_predecessors(square: npt.NDArray[Any], pred: IntArray, problem: Problem, algebra: Algebra) -> None:
    """Return (n, n) predecessors, found from all distances."""
    graph = problem.graph
    _cpu.dense_predecessors(
        square, pred, arc_arrays(graph, graph.weights), algebra.semiring.name, algebra.nonnegative, problem.threads
    )  # fmt: skip


def forget_beyond(
    cutoff: float, sources: IntArray, square: npt.NDArray[Any], pred: IntArray | None, algebra: Algebra
) -> None:
    """Replace distances worse than the cutoff by "no path", in the rows of `sources`; pred has a row for each of
    them.
    """
    none = algebra.semiring.no_path(square.dtype)
    for start in range(0, len(sources), _ROWS_AT_ONCE):
        rows = sources[start : start + _ROWS_AT_ONCE]
        block = square[rows]
        beyond = block < cutoff if algebra.semiring.choose == "max" else block > cutoff
        block[beyond] = none
        square[rows] = block
        if pred is not None:
            before = pred[start : start + len(rows)]
            if not algebra.nonnegative:
                beyond &= ~passed_through(before, ~beyond)
            before[beyond] = NO_VERTEX
