"""Blocks of rows from the workers of an engine."""

from __future__ import annotations

from collections.abc import Iterator

from apsp._types import GraphLike, VerticesLike
from apsp.api.blocks import Block
from apsp.api.planned_rows import PlannedRows, RowOptions, checked_request
from apsp.api.spread.row_job import RowJob
from apsp.api.spread.spread import Spread, checked_job
from apsp.graph.labels import Labels
from apsp.planning.plan import Plan
from apsp.system.progress import Progress, ProgressReport

__all__ = ["compute_blocks", "spread_blocks"]


def spread_blocks(
    executor: object,
    graph: GraphLike,
    rows: int | None,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    options: RowOptions,
    progress: Progress,
) -> Iterator[Block]:
    """Blocks in the order of the sources; parameters and errors are those of `stream`."""
    graph, chosen, columns, _ = checked_request(graph, rows, sources, targets, **options)
    job = checked_job(executor, RowJob(graph, chosen, columns, options, rows))
    spread = Spread(job, executor, graph.n if chosen is None else len(chosen))
    return _labelled(spread, graph.labels, rows, progress)


def _labelled(spread: Spread[Plan], labels: Labels, rows: int | None, progress: Progress) -> Iterator[Block]:
    for _, _, blocks in spread.outcomes(compute_blocks, progress, height=rows, in_order=True):
        for block in blocks:
            block.labels = labels
            yield block


def compute_blocks(rows: PlannedRows, start: int, stop: int, progress: ProgressReport) -> list[Block]:
    """Compute the blocks of a task in host memory, without the labels, which the caller has."""
    blocks = []
    for block in rows.part(start, stop).blocks(reuse=False, progress=progress, where_computed=False):
        block.labels = None
        blocks.append(block)
    return blocks
