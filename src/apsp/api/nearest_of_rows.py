"""The k nearest vertices of rows of distances, found where the rows are computed."""

from __future__ import annotations

from apsp.api.component_rows import RowsToReduce
from apsp.graph.labels import Labels
from apsp.measures import Nearest, k_nearest
from apsp.system.progress import Progress

__all__ = ["nearest_of_rows"]


def nearest_of_rows(
    rows: RowsToReduce, k: int, progress: Progress, threads: int | None, labels: Labels | None = None
) -> Nearest:
    """The nearest vertices of rows that are planned."""
    blocks = rows.blocks(reuse=True, progress=progress, where_computed=True)
    return k_nearest(blocks, rows.graph.n, k, threads=threads, labels=labels)
