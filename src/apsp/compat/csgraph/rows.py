"""Distances in float64 and predecessors as SciPy stores them, computed in the dtype that the planner chooses.

Distances of integers are computed in the narrowest dtype that holds them, which is several times as fast as in float64,
and converted in blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import IntArray
from apsp.planning.attempts import attempt
from apsp.planning.plan import Plan
from apsp.running.arguments import prepared, requested, without_far_cycles
from apsp.semiring import unreachable
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable

__all__ = ["NO_PREDECESSOR", "BlockLimits", "Rows", "rows_of"]

NO_PREDECESSOR = -9999
"""SciPy's value for "no vertex"."""

_CHECKED_BYTES = 1 << 26
"""Results above it are compared with the free memory."""


class BlockLimits(NamedTuple):
    """How rows are computed and converted in blocks.

    Attributes
    ----------
    bytes : int
        Of the rows that are computed in one call before they are converted.
    least_rows : int
        Per call: methods work on up to 64 sources at once in each thread.
    converted : int
        Entries that are converted at once.
    """

    bytes: int = 1 << 27
    least_rows: int = 512
    converted: int = 1 << 18


_BLOCKS = BlockLimits()


class Rows(NamedTuple):
    """(S, n) float64 distances, infinite where there is no path, and (S, n) int32 predecessors, if requested."""

    distances: npt.NDArray[np.float64]
    predecessors: npt.NDArray[np.int32] | None


@memory_errors
def rows_of(
    graph: Graph, sources: IntArray | None, *, limit: float | None, paths: bool, method: str, in_floats: bool,
    blocks: BlockLimits = _BLOCKS,
) -> Rows:  # fmt: skip
    """Compute the rows of the sources.

    Parameters
    ----------
    sources : (S,) int32 or None
        Positions; None means all vertices.
    limit : float or None
        Longest distance, itself included.
    method : str
        'auto', or a name of the registry.
    in_floats : bool
        Compute in float64; otherwise in the dtype that 'auto' chooses.
    blocks : BlockLimits, optional

    Raises
    ------
    NegativeCycleError
        If a source reaches a negative cycle.
    DtypeRangeError
        If no dtype provably holds all distances.
    MemoryLimitError
        If the result does not fit in memory.
    """
    count = graph.n if sources is None else len(sources)
    _check_memory(count, graph.n, 12 if paths else 8)
    graph, chosen, _, request = requested(
        graph, sources, None, dtype="float64" if in_floats else "auto", cutoff=limit, paths=paths, method=method,
        out_given=True,
    )  # fmt: skip
    wanted = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen

    def work(part: Graph, plan: Plan) -> Rows:
        solver = prepared(part, plan, None, request)
        rows = Rows(
            np.empty((count, graph.n), dtype=np.float64),
            np.empty((count, graph.n), dtype=np.int32) if paths else None,
        )
        if plan.dtype == np.float64:
            solver.fill(wanted, rows.distances, rows.predecessors)
        else:
            height = _height(plan, graph.n, count, blocks)
            narrow = np.empty((min(height, count), graph.n), dtype=plan.dtype)
            for start in range(0, count, max(height, 1)):
                end = min(start + height, count)
                pred = None if rows.predecessors is None else rows.predecessors[start:end]
                solver.fill(wanted[start:end], narrow[: end - start], pred)
                _widen(narrow[: end - start], rows.distances[start:end], blocks.converted)
        if rows.predecessors is not None:
            _mark_none(rows.predecessors, blocks.converted)
        return rows

    rows, _ = without_far_cycles(graph, chosen, lambda part: attempt(part, request, lambda plan: work(part, plan)))
    return rows


def _check_memory(rows: int, columns: int, per_pair: int) -> None:
    needed = rows * columns * per_pair
    if needed < _CHECKED_BYTES:
        return
    available = usable(Machine.detect())
    if needed > available:
        fits = max(int(available // max(columns * per_pair, 1)), 1)
        raise MemoryLimitError(
            f"the result of {rows:,} sources and {columns:,} vertices in float64", needed, available,
            [f"at most {fits:,} sources at a time (indices=)", "apsp.stream(graph), a block of rows at a time"],
        )  # fmt: skip


def _height(plan: Plan, n: int, count: int, blocks: BlockLimits) -> int:
    """Rows per call: all of them on a GPU, and where the method computes the whole matrix."""
    if plan.device != "cpu" or not registry.get(plan.method).by_rows:
        return count
    return max(blocks.bytes // max(n * int(plan.dtype.itemsize), 1), blocks.least_rows)


def _widen(narrow: npt.NDArray[Any], wide: npt.NDArray[np.float64], entries: int) -> None:
    none, height = unreachable(narrow.dtype), _converted_rows(narrow, entries)
    for start in range(0, len(narrow), height):
        part = narrow[start : start + height]
        wide[start : start + height] = part
        if part.dtype.kind != "f":
            np.copyto(wide[start : start + height], np.inf, where=part == none)


def _mark_none(pred: npt.NDArray[np.int32], entries: int) -> None:
    height = _converted_rows(pred, entries)
    for start in range(0, len(pred), height):
        part = pred[start : start + height]
        np.copyto(part, NO_PREDECESSOR, where=part < 0)


def _converted_rows(array: npt.NDArray[Any], entries: int) -> int:
    return max(entries // max(int(array.shape[1]), 1), 1)
