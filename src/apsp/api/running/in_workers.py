"""Reduce rows of distances in the workers of an engine."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

import numpy as np

from apsp._types import VerticesLike
from apsp.api.planned_rows import RowOptions, checked_request
from apsp.api.running.reduction import Fold, PlannedReduction, Reduction
from apsp.api.spread.row_job import RowJob
from apsp.api.spread.spread import Spread, checked_job
from apsp.api.spread.tasks import PerPart
from apsp.graph.model import Graph
from apsp.system.progress import Progress

__all__ = ["in_workers"]

Found = TypeVar("Found")


def in_workers(
    reduction: Reduction[Found, Any],
    found: Found,
    executor: object,
    graph: Graph,
    sources: VerticesLike | None,
    options: RowOptions,
    rows: int | None,
    progress: Progress,
) -> None:
    """Merge what the workers return; parameters and errors are those of `run`."""
    graph, chosen, _, _ = checked_request(graph, rows, sources, None, **options)
    everyone = np.arange(graph.n, dtype=np.int32)
    ordered = reduction.order(found, everyone if chosen is None else chosen)
    positions = None if ordered is everyone else ordered
    prepare = partial(PlannedReduction, reduction=reduction)
    job = checked_job(executor, RowJob(graph, positions, None, options, rows, prepare, reduced=True))

    def task(start: int, stop: int) -> Fold:
        return reduction.task(found, ordered[start:stop])

    with Spread(job, executor, len(ordered)).passes(progress) as passes:
        while True:
            for start, _, part in passes.run(PerPart(task)):
                reduction.merge(found, start, part)
            if not reduction.end_pass(found):
                return
