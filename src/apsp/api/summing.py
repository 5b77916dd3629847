"""Sums over rows of distances, computed with the rows; or blocks of rows, if a method cannot sum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from apsp._types import GraphLike, VerticesLike
from apsp.api.blocks import going_on
from apsp.api.streaming import Block, PlannedRows, RowOptions, rows_of
from apsp.errors import DeviceError, MemoryLimitError
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.measures.overflow import overflow_errors
from apsp.measures.row_sums import RowSums
from apsp.system.progress import Progress, offset, reporting

__all__ = ["stream_sums", "sums_of"]

_AT_ONCE = 16_384
"""Sources per call of a CPU solver that sums up rows; GPUs take blocks from all sources."""


def stream_sums(
    graph: GraphLike,
    *,
    rows: int | None = None,
    sources: VerticesLike | None = None,
    progress: Progress = False,
    **options: Unpack[RowOptions],
) -> Iterator[Block | RowSums]:
    """Yield the input of `apsp.measures.summarize` for all rows.

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
    return sums_of(rows_of(graph, rows, sources, None, **options), progress)


def sums_of(rows: PlannedRows, progress: Progress) -> Iterator[Block | RowSums]:
    """Sums over rows that are planned, or their blocks."""
    wanted = rows.sources
    if not rows.solver.can_measure:
        yield from rows.blocks(reuse=True, progress=progress, where_computed=True)
        return
    gpus = rows.decided.gpus if rows.decided.device == "cuda" else ()
    at_once = max(len(wanted), 1) if gpus else _AT_ONCE
    instead = rows.instead
    with reporting(progress) as report:
        for start in range(0, len(wanted), at_once):
            told = offset(report, rows.decided.method, start, len(wanted))
            try:
                with overflow_errors(), free_on_failure(gpus):
                    sums = rows.solver.measure(wanted[start : start + at_once], told)
            except (MemoryLimitError, DeviceError) as error:  # all rows in one call, so nothing was yielded yet
                yield from sums_of(going_on(error, instead), progress)
                return
            yield sums
    if instead is not None:
        free_unused(gpus)  # without a request for a GPU, its memory must not stay allocated
