"""Statistics of sets of vertices as a reduction of rows.

A part has the numbers of the sets that its sources belong to. If these would be many bytes on the way from a worker,
the sources of a task are of few sets: they are sent in the order of the groups. Quantiles between groups take several
passes, in which a worker counts where the passes before have found the quantiles to be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.reductions.group_quantiles import Windows
from apsp.reductions.set_distances import SetDistances, SetNumbers
from apsp.running.component_rows import RowsToReduce, reduced_by
from apsp.running.options import RunOptions
from apsp.running.reduction import Fold, Reduction, reduce_part
from apsp.running.storing.set_arrays import SetArrays
from apsp.store.header import Arrays, StoreHeader
from apsp.system.limits import allowed_cores
from apsp.system.progress import Progress
from apsp.system.thread_limit import threads_by_default

if TYPE_CHECKING:
    from apsp.running.storing.reading import StoredArrays

__all__ = ["SetPart", "SetStatistics", "bytes_of_tasks", "numbers_to_send"]

_MOST_BYTES = 8 << 20
"""Most bytes that a task (about two seconds of work) returns for sources of all sets. Beyond, sources are sent in the
order of the groups. That takes longer if near numbers mean near vertices, which share the work of a search, and groups
are scattered: up to four times as long, for label correcting on a grid."""

_POWERS = 16
"""Of two, between the smallest and the largest float distance; the bins for quantiles divide all that the dtype has."""


@dataclass(frozen=True)
class SetPart:
    """What the rows of a part add up to.

    Attributes
    ----------
    rows : (K,) int64
        The sets that the sources of the part belong to; for sets of single sources, their places in the part.
    sets : SetDistances
        Of these sets.
    """

    rows: npt.NDArray[np.int64]
    sets: SetDistances


@dataclass(frozen=True)
class SetStatistics(Reduction[SetDistances, SetPart]):
    """Numbers of sets of sources and groups of vertices."""

    arrays: SetArrays

    def begin(self, rows: RowsToReduce, windows: Windows | None = None) -> SetPart:
        """Return the part of some rows, to whose sets their blocks are to be added."""
        numbers, sources = self.arrays.numbers, rows.sources
        those, of = _sets_of(numbers, sources)
        cells = np.full(rows.graph.n, -1, dtype=np.int32)
        cells[sources] = of
        threads = rows.request.threads or threads_by_default(allowed_cores())
        return SetPart(those, SetDistances(numbers, cells, len(those), threads=threads, windows=windows))

    def part(self, rows: RowsToReduce, progress: Progress, windows: Windows | None = None) -> SetPart:
        """Reduce rows on the host."""
        found = self.begin(rows, windows)
        if len(found.rows):
            for block in rows.blocks(reuse=True, progress=progress, where_computed=False):
                found.sets.add(block)
        return found

    def fill(self, found: SetDistances, graph: Graph, sources: IntArray | None, options: RunOptions) -> None:
        """Add all rows in this process, in one pass or several."""
        while True:
            rows = reduced_by(graph, sources, options.request(sources))
            for block in rows.blocks(reuse=True, progress=options.progress, where_computed=False):
                found.add(block)
            if not found.end_pass():
                return

    def merge(self, found: SetDistances, start: int, part: SetPart) -> None:
        """Add the sets of a part."""
        found.merge(part.rows + start if self.arrays.numbers.each else part.rows, part.sets)

    def check_storable(self) -> None:
        """Raise RequestError if quantiles between groups are requested."""
        if not self.arrays.numbers.each and len(self.arrays.numbers.shares):
            raise RequestError(
                "quantiles between groups may take several passes over all distances, of which a store keeps one: "
                "leave out quantiles, or store; or store the distances: apsp.solve(graph, store=...).summary("
                "groups=..., quantiles=...)"
            )

    def identity(self) -> JsonObject:
        """Return groups, quantiles and bins."""
        return {"name": "distance_statistics", **self.arrays.identity()}

    def layout(self, graph: Graph, plan: Plan) -> Arrays:
        """Return a row per source or per band."""
        return self.arrays.layout(graph, plan.dtype)

    def of_store(self, header: StoreHeader) -> SetStatistics:
        """Return the reduction with all that the store keeps."""
        return SetStatistics(SetArrays.of_store(header, self.arrays.numbers, self.arrays.prefix))

    def encode(self, part: SetPart, header: StoreHeader) -> dict[str, Any]:
        """Return the numbers of a band: of all groups, or of each source."""
        numbers, sets = self.arrays.numbers, part.sets
        if not numbers.each:
            sets = SetDistances(numbers, np.zeros(0, dtype=np.int32), len(numbers.groups), threads=1)
            sets.merge(part.rows, part.sets)
        return self.arrays.rows(sets, header)

    def decode(self, found: SetDistances, sources: IntArray, stored: StoredArrays) -> None:  # noqa: ARG002
        """Add all bands."""
        self.arrays.add_to(found, stored)

    def order(self, found: SetDistances, sources: IntArray) -> IntArray:
        """Return the sources of a group after those of another, so that tasks have few groups, if that is needed."""
        if not _are_in_order(found):
            return sources
        return sources[np.argsort(self.arrays.numbers.groups.of[sources], kind="stable")]

    def task(self, found: SetDistances, sources: IntArray) -> Fold:
        """Return what counts where the quantiles of these sources are."""
        return partial(reduce_part, windows=self.windows_of(found, sources))

    def windows_of(self, found: SetDistances, sources: IntArray) -> Windows | None:
        """Where the quantiles of the sets of some sources are, as far as the passes before have found."""
        return None if found.windows is None else found.windows.of(_sets_of(self.arrays.numbers, sources)[0])

    def end_pass(self, found: SetDistances) -> bool:
        """Whether quantiles need another pass."""
        return found.end_pass()


def numbers_to_send(sets: SetDistances) -> SetNumbers:
    """What is kept of the distances, with the edges of bins as an array."""
    return replace(sets.kept, edges=None if sets.counts is None else sets.counts.bins.edges)


def bytes_of_tasks(sets: SetDistances, tasks: int, rows: int, plan: Plan) -> int:
    """About the bytes that so many tasks, of so many rows each, return in the first pass."""
    count, groups = sets.sums.pairs.shape
    of_task = min(count + tasks, tasks * rows) if _are_in_order(sets) else tasks * min(count, rows)
    counts = 0
    if sets.windows is not None:
        bins, bound = sets.windows.bins, plan.bound
        if plan.dtype.kind == "f":
            counts = bins * _POWERS // np.finfo(plan.dtype).maxexp
        else:
            counts = min(bins, int(bound.high) - int(bound.low) + 1)
    return of_task * groups * (sets.bytes_of_pair + counts)


def _are_in_order(sets: SetDistances) -> bool:
    """Whether sources are sent in the order of the groups."""
    return not sets.kept.each and sets.bytes_of_part > _MOST_BYTES


def _sets_of(numbers: SetNumbers, sources: IntArray) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The sets of sources, as `SetPart.rows`, and the place of each source's set among these, -1 for none."""
    if numbers.each:
        own = np.arange(len(sources))
        return own, own.astype(np.int32)
    of = numbers.groups.of[sources]
    rows = np.unique(of[of >= 0]).astype(np.int64)
    return rows, np.where(of >= 0, np.searchsorted(rows, of), -1).astype(np.int32)
