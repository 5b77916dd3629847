"""Reduce rows of distances, wherever the caller wants them to be computed."""

from __future__ import annotations

from typing import Any, TypeVar

from apsp._types import ExecutorLike, StoreLike, VerticesLike
from apsp.api.component_rows import rows_to_reduce
from apsp.api.planned_rows import RowOptions
from apsp.api.running.reduction import Reduction
from apsp.graph.model import Graph
from apsp.system.progress import Progress

__all__ = ["run"]

Found = TypeVar("Found")


def run(
    reduction: Reduction[Found, Any],
    found: Found,
    graph: Graph,
    sources: VerticesLike | None,
    options: RowOptions,
    *,
    rows: int | None,
    progress: Progress,
    executor: ExecutorLike | None,
    store: StoreLike | None,
) -> None:
    """Reduce rows in this process, in the workers of an engine, into a store, or by workers into a store.

    Parameters
    ----------
    found
        The result without rows, to which all of them are added.
    sources : vertices or None
        Different from each other, ascending; None means all.
    rows : int or None
        Most rows that are held at a time.

    Raises
    ------
    As `apsp.stream`; RequestError if a store is of another request; ExecutorError if a worker fails.
    """
    if store is not None:
        from apsp.api.running.in_store import in_store  # with the first store: `import apsp` stays quick

        in_store(reduction, found, store, graph, sources, options, rows, progress, executor)
    elif executor is not None:
        from apsp.api.running.in_workers import in_workers  # with the first executor

        in_workers(reduction, found, executor, graph, sources, options, rows, progress)
    else:
        planned = rows_to_reduce(graph, rows, sources, **options)
        reduction.merge(found, 0, reduction.part(planned, progress))
