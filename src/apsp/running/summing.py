"""Sums over rows of distances, computed with the rows; or blocks of rows, if a method cannot sum; those of forests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from apsp import _cpu
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.weak_parts import is_exact_forest
from apsp.methods.problem import IntArray
from apsp.planning.dtype_choice import decide_dtype
from apsp.reductions.component_block import ComponentBlock
from apsp.reductions.overflow import overflow_errors
from apsp.reductions.row_sums import RowSums
from apsp.running.blocks import Block
from apsp.running.component_rows import ComponentRows, RowsToReduce, reduced_by
from apsp.running.planned_rows import PlannedRows
from apsp.system.progress import Progress, offset, reporting

__all__ = ["Sums", "forest_sums", "stream_sums", "sums_of"]

Sums = RowSums | Block | ComponentBlock
"""What `apsp.reductions.summarize` takes."""

_AT_ONCE = 16_384
"""Sources per call of a CPU solver that sums up rows; GPUs take blocks from all sources."""


def stream_sums(
    graph: Graph, sources: IntArray | None, options: Request, *, reciprocals: bool = True
) -> Iterator[Sums]:
    """Yield the input of `apsp.reductions.summarize` for the rows at some positions; None means all.

    Parameters
    ----------
    reciprocals : bool
        Sums of 1 / distance are needed.

    Raises
    ------
    As `stream`.
    """
    request = options.of_rows(sources)
    of_forest = None if reciprocals else forest_sums(graph, sources, request)
    if of_forest is None:
        return sums_of(reduced_by(graph, sources, request), options.progress)
    return _reported(of_forest, options.progress)


def _reported(sums: RowSums, progress: Progress) -> Iterator[Sums]:
    with reporting(progress) as report:
        if report is not None:
            report("forest", len(sums.sources), len(sums.sources))
        yield sums


def sums_of(rows: RowsToReduce, progress: Progress) -> Iterator[Sums]:
    """Sums over rows that are planned, or their blocks."""
    if isinstance(rows, ComponentRows):
        yield from _sums_of_components(rows, progress)
        return
    if not rows.solver.can_measure or rows.targets is not None:
        yield from rows.blocks(reuse=True, progress=progress, where_computed=True)
    elif rows.plan.device == "cuda":  # all rows in one call
        yield from rows.attempt(lambda of: list(_measured(of, progress)) if of is rows else sums_of(of, progress))
    else:
        yield from _measured(rows, progress)


def _measured(rows: PlannedRows, progress: Progress) -> Iterator[RowSums]:
    """Sums that the method computes with the rows: those of a GPU in one call."""
    sources = rows.sources
    at_once = max(len(sources), 1) if rows.plan.device == "cuda" else _AT_ONCE
    with reporting(progress) as report:
        for start in range(0, len(sources), at_once):
            kernel_progress = offset(report, rows.plan.method, start, len(sources))
            with overflow_errors():
                sums = rows.solver.measure(sources[start : start + at_once], kernel_progress)
            yield sums


def _sums_of_components(rows: ComponentRows, progress: Progress) -> Iterator[Sums]:
    """Sums over rows of components: of all small ones at once, and of others part by part."""
    small = rows.small_sums()
    with reporting(progress) as report:
        if small is not None:
            sums, own = small
            if report is not None:
                report(rows.plan.method, len(sums.sources), len(rows.sources))
            yield sums
        for piece, part_progress in rows.pieces(report, beside=None if small is None else own):
            of = piece.vertices
            with rows.named(piece.number):
                for found in sums_of(piece.rows, part_progress):
                    if isinstance(found, RowSums):
                        # A method may sum up in a wider dtype than that of the plan.
                        largest = found.largest.astype(rows.plan.dtype, copy=False)
                        yield replace(found, sources=of[found.sources], largest=largest, farthest=of[found.farthest])
                    else:
                        yield ComponentBlock(of[found.source_positions], found.distances, of)


def forest_sums(graph: Graph, chosen: IntArray | None, request: Request) -> RowSums | None:
    """Return the sums over all rows in linear time, without those of reciprocals; None if this way does not apply.

    Source: Kang and Ault 1975, "Some properties of a centroid of a free tree": see cpp/reductions/forest_sums.hpp.

    Parameters
    ----------
    chosen : array or None
        The sources; None means all.
    """
    as_usual = request.method == "auto" and request.device in ("auto", "cpu") and request.dtype == "auto"
    if chosen is not None or request.cutoff is not None or not as_usual or not is_exact_forest(graph):
        return None
    n, statistics = graph.n, statistics_of(graph)
    if statistics.bound.high * n > np.iinfo(np.int64).max:
        return None
    sums = RowSums.empty(np.arange(n, dtype=np.int32), np.int64)
    lengths = None if graph.weights is None else graph.arc_weights(np.int64)
    arrays = sums.reached, sums.total, sums.largest, sums.farthest
    if not _cpu.forest_sums(arc_arrays(graph, lengths), *arrays):
        return None
    dtype, _ = decide_dtype(statistics, request)
    sums.reciprocals[:] = np.nan
    return RowSums(sums.sources, sums.reached, sums.total, sums.reciprocals, sums.largest.astype(dtype), sums.farthest)
