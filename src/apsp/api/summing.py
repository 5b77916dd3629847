"""Sums over rows of distances, taken where the rows are computed; or blocks of rows, where a method cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from apsp.api.asking import Vertices, asked, prepared
from apsp.api.streaming import Block, blocks_of
from apsp.errors import RequestError
from apsp.plan.planner import Plan, plan_for
from apsp.progress import Progress, offset, reporting
from apsp.solvers.problem import IntArray, RowSums, Solver

__all__ = ["stream_sums"]

_AT_ONCE = 16_384
"""Sources whose sums are taken in one call of a solver."""

_OPTIONS: dict[str, Any] = {
    "cutoff": None, "dtype": "auto", "method": "auto", "device": "auto", "gpu_memory": None, "pages_file": None,
    "threads": None,
}  # fmt: skip


def stream_sums(
    graph: Any, *, rows: int | None = None, sources: Vertices = None, progress: Progress = False, **options: Any
) -> Iterator[Block | RowSums]:
    """What `apsp.reduce.summarize` wants of all rows.

    Parameters
    ----------
    graph, rows, sources, progress, **options
        As for `stream`: cutoff, dtype, method, device, gpu_memory, pages_file, threads.

    Yields
    ------
    RowSums or Block

    Raises
    ------
    As `stream`.
    """
    if rows is not None and rows < 1:
        raise RequestError(f"rows must be at least 1, not {rows}")
    graph, chosen, _, request = asked(graph, sources, None, mode="stream", rows=rows, **_OPTIONS | options)
    decided = plan_for(graph, request)
    solver = prepared(graph, decided, None, request)
    wanted = np.arange(graph.n, dtype=np.int32) if chosen is None else chosen
    return _sums(solver, decided, wanted, graph.n, progress)


def _sums(solver: Solver, decided: Plan, wanted: IntArray, width: int, progress: Progress) -> Iterator[Block | RowSums]:
    measure = getattr(solver, "measure", None)
    if measure is None or measure(wanted[:0]) is None:
        yield from blocks_of(solver, decided, wanted, (width, None), True, progress)
        return
    with reporting(progress) as report:
        for start in range(0, len(wanted), _AT_ONCE):
            yield measure(wanted[start : start + _AT_ONCE], offset(report, decided.method, start, len(wanted)))
