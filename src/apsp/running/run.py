"""Where rows and sources are computed: in this process, in workers, in a store, or by workers into a store.

The only place that decides this, from the options of the call. What is computed knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from apsp._types import GraphLike, VerticesLike
from apsp.facts.request import Request
from apsp.graph.labels import Labels
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import TurnGraph, own_vertices
from apsp.methods.problem import IntArray
from apsp.running.blocks import Block
from apsp.running.measure_job import MeasureJob
from apsp.running.planned_rows import PlannedRows, checked_request, planned_rows
from apsp.running.reduction import Fold, PlannedReduction, Reduction
from apsp.system.progress import ProgressReport, offset, reporting

if TYPE_CHECKING:
    from apsp.running.in_store import CompletedStore
    from apsp.running.workers.row_job import RowJob

__all__ = ["Done", "blocks_of", "compute_blocks", "compute_part", "run", "run_job"]

Found = TypeVar("Found")


def run(
    reduction: Reduction[Found, Any], found: Found, graph: Graph, sources: IntArray | None, options: Request
) -> None:
    """Reduce rows, wherever the options request it.

    Parameters
    ----------
    found
        The result without rows, to which all of them are added.
    sources : (S,) int32 or None
        Positions, different from each other, ascending; None means all.

    Raises
    ------
    As `apsp.stream`; RequestError if a store is of another request; ExecutorError if a worker fails.
    """
    if options.store is None and options.executor is None:
        reduction.fill(found, graph, sources, options)
        return
    from apsp.running.workers.row_job import RowJob  # with the first store or executor: `import apsp` stays quick

    if sources is None and graph._turned is not None:
        sources = np.arange(own_vertices(graph), dtype=np.int32)
    job = RowJob(
        graph, sources, None, options, partial(PlannedReduction, reduction=reduction), reduced=True,
        copies=reduction.copies,
    )  # fmt: skip
    if options.store is not None:
        from apsp.running.in_store import reduce_in_store

        reduce_in_store(reduction, found, job)
    else:
        _reduce_by_workers(reduction, found, job)


def _reduce_by_workers(reduction: Reduction[Found, Any], found: Found, job: RowJob) -> None:
    from apsp.running.workers.distribution import Distribution
    from apsp.running.workers.tasks import PerPart

    everyone = np.arange(job.graph.n, dtype=np.int32)
    ordered = reduction.order(found, everyone if job.sources is None else job.sources)

    def task(start: int, stop: int) -> Fold:
        return reduction.task(found, ordered[start:stop])

    job = replace(job, sources=None if ordered is everyone else ordered)
    with Distribution(job).passes() as passes:
        while True:
            for start, _, part in passes.run(PerPart(task)):
                reduction.merge(found, start, part)
            if not reduction.end_pass(found):
                return


@dataclass(frozen=True)
class Done:
    """What was done.

    Attributes
    ----------
    threads : int
        Of this process or of each worker; of a store those of the run that created it.
    """

    threads: int
    store: CompletedStore | None = None


def run_job(job: MeasureJob[Found, Any], found: Found) -> Done:
    """Add all sources to `found`, wherever the options of the job request it.

    Raises
    ------
    As the methods of the job; RequestError if a store is of another request; ExecutorError if a worker fails.
    """
    if job.options.store is not None:
        from apsp.running.in_store import complete  # with the first store

        completed = complete(job)
        job.decode(found, completed)
        return Done(completed.header.threads, completed)
    if job.options.executor is not None:
        from apsp.running.workers.distribution import Distribution  # with the first executor

        with Distribution(job).passes() as passes:
            for start, _, part in passes.run(compute_part, in_order=job.in_order):
                job.merge(found, start, part)
            return Done(passes.threads)
    with reporting(job.options.progress) as report:
        job.fill(found, offset(report, job.stage, 0, len(job.sources)))
    return Done(job.cores)


def compute_part(job: MeasureJob[Any, Any], start: int, stop: int, progress: ProgressReport) -> Any:
    """Compute some sources in a worker."""
    return job.part(start, stop, lambda done: progress(job.stage, done, stop - start))


def blocks_of(
    graph: GraphLike | TurnGraph,
    sources: VerticesLike | None,
    targets: VerticesLike | None,
    options: Request,
    *,
    reuse: bool,
) -> Iterator[Block]:
    """Blocks in the order of the sources, computed here or by workers; parameters and errors are those of `stream`."""
    graph, chosen, columns, request = checked_request(graph, sources, targets, options)
    if options.executor is None:
        rows = planned_rows(graph, chosen, columns, request)
        return rows.blocks(reuse=reuse, progress=options.progress, where_computed=False)
    from apsp.running.workers.distribution import Distribution
    from apsp.running.workers.row_job import RowJob  # with the first executor

    distribution = Distribution(RowJob(graph, chosen, columns, options))
    return _labelled(distribution.outcomes(compute_blocks), graph.labels)


def _labelled(outcomes: Iterator[tuple[int, int, list[Block]]], labels: Labels) -> Iterator[Block]:
    for _, _, blocks in outcomes:
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
