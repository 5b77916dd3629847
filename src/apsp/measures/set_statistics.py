"""Statistics of the distances from sets of sources to groups of vertices: the request, and the reduction of rows.

A part has the numbers of the sets that its sources belong to. If these would be many bytes on the way from a worker,
the sources of a task are of few sets: they are sent in the order of the groups. Quantiles between groups take several
passes, in which a worker counts where the passes before have found the quantiles to be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.measures.groups import groups_of
from apsp.measures.set_arrays import SetArrays
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.reductions.distance_statistics import DistanceStatistics
from apsp.reductions.group_quantiles import Windows
from apsp.reductions.groups import Groups
from apsp.reductions.histogram import Bins
from apsp.reductions.set_distances import SetDistances, SetNumbers
from apsp.running.component_rows import RowsToReduce, reduced_by
from apsp.running.reduction import Fold, Reduction, reduce_part
from apsp.semiring import unreachable
from apsp.store.header import Arrays, StoreHeader
from apsp.system.arguments import number, one_or_several, whole_number
from apsp.system.limits import allowed_cores
from apsp.system.machine import refuse_unless_fits
from apsp.system.progress import Progress
from apsp.system.thread_limit import threads_by_default

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["SetPart", "SetStatistics", "SetsRequest", "bytes_of_tasks", "numbers_to_send"]

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

    def fill(self, found: SetDistances, graph: Graph, sources: IntArray | None, options: Request) -> None:
        """Add all rows in this process, in one pass or several."""
        while True:
            rows = reduced_by(graph, sources, options.of_rows(sources))
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
    return replace(sets.numbers, edges=None if sets.counts is None else sets.counts.bins.edges)


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
    return not sets.numbers.each and sets.bytes_of_part > _MOST_BYTES


def _sets_of(numbers: SetNumbers, sources: IntArray) -> tuple[npt.NDArray[np.int64], IntArray]:
    """The sets of sources, as `SetPart.rows`, and the place of each source's set among these, -1 for none."""
    if numbers.each:
        own = np.arange(len(sources))
        return own, own.astype(np.int32)
    of = numbers.groups.of[sources]
    rows = np.unique(of[of >= 0]).astype(np.int64)
    return rows, np.where(of >= 0, np.searchsorted(rows, of), -1).astype(np.int32)


class SetsRequest:
    """The checked request for statistics of sets, for the rows of some sources.

    Attributes
    ----------
    once : (S,) int32 or None
        Positions of the sources that are in a group, or all with per='source', ascending; None means all vertices.
    """

    def __init__(
        self,
        graph: Graph,
        groups: Any,
        per: str,
        quantiles: float | Iterable[float],
        bins: int,
        edges: npt.ArrayLike | None,
        given: IntArray | None,
    ) -> None:
        self.graph = graph
        self.groups = Groups.whole(graph.n) if groups is None else groups_of(graph, groups)
        self.per = per
        self.shares = _shares_of(quantiles)
        self.bins, self.edges = whole_number(bins, "bins", least=0), edges
        self.given = given
        self.once = None if given is None else np.unique(given).astype(np.int32)
        if per == "group" and (self.groups.of < 0).any():  # the rows of other vertices belong to no group
            inside = np.flatnonzero(self.groups.of >= 0).astype(np.int32)
            self.once = inside if self.once is None else np.intersect1d(inside, self.once)

    @property
    def _sources(self) -> IntArray:
        return np.arange(self.graph.n, dtype=np.int32) if self.once is None else self.once

    @property
    def numbers(self) -> SetNumbers:
        """What is kept of the distances."""
        shares = np.sort(np.array(self.shares, dtype=float))
        return SetNumbers(self.groups.without_names(), self.per == "source", shares, self.bins, self.edges)

    def reducer(self, threads: int | None) -> SetDistances:
        """The reducer for one computation.

        Raises RequestError if bins or edges are invalid; MemoryLimitError if the numbers do not fit.
        """
        sources = self._sources
        if self.per == "group":
            cells = self.groups.of.copy()
            chosen = np.zeros(self.graph.n, dtype=bool)
            chosen[sources] = True
            cells[~chosen] = -1
        else:
            cells = np.full(self.graph.n, -1, dtype=np.int32)
            cells[sources] = np.arange(len(sources), dtype=np.int32)
        what = f"statistics of {self._rows:,} {self.per}s and {len(self.groups):,} groups"
        refuse_unless_fits(self.bytes_needed, what, "fewer groups, bins or sources")
        return SetDistances(self.numbers, cells, self._rows, threads=threads or threads_by_default(allowed_cores()))

    @property
    def bytes_needed(self) -> int:
        """Bytes of the numbers, without the counts for quantiles between groups."""
        bins = len(Bins(self.bins, self.edges).counts)
        return 8 * self._rows * len(self.groups) * (12 + 2 * len(self.shares) + 2 * bins)

    @property
    def _rows(self) -> int:
        return len(self.groups) if self.per == "group" else len(self._sources)

    def result(self, sets: SetDistances) -> DistanceStatistics:
        """What the reducer found, in the order in which sources and quantiles were given."""
        sums, pairs = sets.sums, sets.sums.pairs
        whole, total = _as_many(self, sets), sums.totals()
        none = unreachable(sums.least.dtype)
        some = pairs > 0
        quantiles = np.empty((*pairs.shape, 0), dtype=sums.least.dtype)
        if sets.quantiles is not None:
            order = np.searchsorted(sets.numbers.shares, np.array(self.shares, dtype=float))
            quantiles = np.where(some[..., None], sets.quantiles.result()[:, :, order], none).astype(sums.least.dtype)
        edges, counts = (None, None) if sets.counts is None else sets.counts.result()
        is_each = self.per == "source"
        picked: Any = slice(None)
        if is_each and self.given is not None and self.once is not None:
            picked = np.searchsorted(self.once, self.given)
        positions = None if not is_each else self._sources if self.given is None else self.given.astype(np.int32)
        return DistanceStatistics(
            self.groups.names, self.per, positions, self.graph.labels, pairs[picked], (whole - pairs)[picked],
            total[picked], sums.means(total)[picked], np.where(some, sums.least, none)[picked],
            np.where(some, sums.largest, none)[picked], self.shares, quantiles[picked], edges,
            None if counts is None else counts[picked],
        )  # fmt: skip


def _as_many(request: SetsRequest, sets: SetDistances) -> npt.NDArray[np.int64]:
    """The numbers of ordered pairs of two different vertices, (R, G)."""
    groups, cells = request.groups, sets.cells
    sources = np.flatnonzero(cells >= 0)
    found = np.bincount(cells[sources], minlength=len(sets.sums.pairs))[:, None] * groups.sizes[None, :]
    inside = sources[groups.of[sources] >= 0]
    np.subtract.at(found, (cells[inside], groups.of[inside]), 1)
    return found


def _shares_of(quantiles: Any) -> tuple[float, ...]:
    """Shares from 0 to 1, from one or several.

    Raises RequestError if one is not a number from 0 to 1.
    """
    given, _ = one_or_several(quantiles, "quantiles must be numbers from 0 to 1")
    found = tuple(float(number(share, "quantiles")) for share in given)
    for share in found:
        if not 0 <= share <= 1:
            raise RequestError(f"quantiles must be numbers from 0 to 1, not {share:g}")
    return found
