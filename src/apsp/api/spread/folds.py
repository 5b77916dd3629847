"""What a worker makes of its rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apsp.api.blocks import Block
from apsp.api.component_rows import RowsToReduce
from apsp.api.measures.kept import Kept, reduced
from apsp.api.nearest_of_rows import nearest_of_rows
from apsp.api.streaming import PlannedRows
from apsp.api.summing import sums_of
from apsp.api.weighing import RowsToWeigh, weighed_rows
from apsp.measures import Summary
from apsp.measures.nearest import NearestRows
from apsp.system.progress import ProgressReport

__all__ = ["Blocks", "NearestFound", "Summarized", "Weighed"]


@dataclass(frozen=True)
class Blocks:
    """The rows themselves, in host memory."""

    def __call__(self, rows: PlannedRows, start: int, stop: int, progress: ProgressReport) -> list[Block]:
        """Compute the blocks; without the labels, which the caller has."""
        blocks = []
        for block in rows.part(start, stop).blocks(reuse=False, progress=progress, where_computed=False):
            block.labels = None
            blocks.append(block)
        return blocks


@dataclass(frozen=True)
class Summarized:
    """Sums and extremes of the rows, and what else is kept beside statistics of groups."""

    kept: Kept
    threads: int | None

    def __call__(self, rows: RowsToReduce, start: int, stop: int, progress: ProgressReport) -> Summary:
        """Reduce the rows to a summary without labels."""
        rows, graph = rows.part(start, stop), rows.graph
        return reduced(
            graph, self.kept,
            lambda: rows.blocks(reuse=True, progress=progress, where_computed=True),
            lambda: sums_of(rows, progress), self.threads, labelled=False,
        )  # fmt: skip


@dataclass(frozen=True)
class Weighed:
    """Sums of amounts over the rows."""

    threads: int | None

    def __call__(self, made: RowsToWeigh, start: int, stop: int, progress: ProgressReport) -> npt.NDArray[np.float64]:
        """(S, cutoffs, kinds) sums."""
        rows = made.rows.part(start, stop)
        return weighed_rows(rows, made.weighing, {"threads": self.threads, "progress": progress})


@dataclass(frozen=True)
class NearestFound:
    """The k nearest vertices of the rows."""

    k: int
    threads: int | None

    def __call__(self, rows: RowsToReduce, start: int, stop: int, progress: ProgressReport) -> NearestRows:
        """Find them where the rows are computed."""
        return nearest_of_rows(rows.part(start, stop), self.k, progress, self.threads)._parts
