"""Sums, extremes and counts of rows of distances as a reduction, and what of it a summary keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.degrees import degrees
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import own_labels, own_vertices
from apsp.measures.set_arrays import SetArrays, bins_identity, bins_of
from apsp.measures.set_statistics import SetPart, SetStatistics, numbers_to_send
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan
from apsp.reductions import Summary
from apsp.reductions.blocks import RowBlock
from apsp.reductions.group_quantiles import Windows
from apsp.reductions.histogram import Bins
from apsp.reductions.moments import LIMBS
from apsp.reductions.row_sums import RowSums
from apsp.reductions.set_distances import SetDistances
from apsp.running.component_rows import RowsToReduce, reduced_by
from apsp.running.reduction import Fold, Reduction, reduce_part
from apsp.running.summing import Sums, stream_sums, sums_of
from apsp.store.header import Arrays, StoreHeader
from apsp.system.progress import Progress

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["RowSummary", "Summarized", "SummaryPart", "SummaryParts", "reduced", "reduction_of"]

_OF_SETS = "group_"
"""The names of the arrays of statistics of groups, beside those of sums over rows, begin with this."""


@dataclass(frozen=True)
class SummaryParts:
    """Numbers that a summary keeps beside sums and extremes.

    Attributes
    ----------
    columns, bins, edges, reciprocals, squares
        As for `apsp.Summary`.
    degrees : bool
        Whether the degrees of the vertices are given to the summary.
    sets : SetsRequest or None
        Statistics of groups.
    """

    columns: bool = False
    bins: int = 0
    edges: npt.ArrayLike | None = None
    reciprocals: bool = True
    squares: bool = False
    degrees: bool = False
    sets: Any = None

    @property
    def needs_rows(self) -> bool:
        """Whether sums over rows are not enough."""
        others = self.edges is not None or self.sets is not None
        return bool(self.columns or self.bins or self.squares or self.degrees or others)

    def empty(self, graph: Graph, threads: int | None, *, labelled: bool = True) -> Summary:
        """Return a summary without rows; its results name vertices by their labels, or by positions."""
        return Summary(
            own_vertices(graph), directed=graph.directed, columns=self.columns, bins=self.bins, edges=self.edges,
            reciprocals=self.reciprocals, squares=self.squares, degrees=degrees(graph) if self.degrees else None,
            threads=threads, labels=own_labels(graph) if labelled else None,
        )  # fmt: skip


@dataclass(frozen=True)
class Summarized:
    """A summary of rows, and the numbers of groups, if they are requested."""

    summary: Summary
    sets: SetDistances | None

    def add(
        self, rows: Callable[[], Iterable[RowBlock]], sums: Callable[[], Iterable[RowBlock | RowSums]] | None
    ) -> None:
        """Add all rows, from blocks of them, or from sums over them; parameters are those of `reduced`."""
        for block in rows() if sums is None else sums():
            if isinstance(block, RowSums):
                self.summary.add_sums(block)
                continue
            self.summary.add(block)
            if self.sets is not None:
                self.sets.add(block)
        while self.sets is not None and self.sets.end_pass():
            for block in rows():
                self.sets.add(block)

    def result(self, parts: SummaryParts) -> Summary:
        """Return the summary, with the statistics of groups."""
        if self.sets is not None:
            self.summary._statistics = parts.sets.result(self.sets)
        return self.summary


def reduced(
    graph: Graph,
    parts: SummaryParts,
    rows: Callable[[], Iterable[RowBlock]],
    sums: Callable[[], Iterable[RowBlock | RowSums]] | None,
    threads: int | None,
    *,
    labelled: bool = True,
) -> Summary:
    """Take what is kept from blocks of rows, or from sums over rows if they are enough.

    Parameters
    ----------
    rows, sums : callable
        Begin a pass over all rows. There is one pass, and for quantiles sometimes more.
    labelled : bool
        The results name vertices by their labels.
    """
    found = Summarized(
        parts.empty(graph, threads, labelled=labelled), None if parts.sets is None else parts.sets.reducer(threads)
    )  # fmt: skip
    found.add(rows, None if parts.needs_rows else sums)
    return found.result(parts)


@dataclass(frozen=True)
class SummaryPart:
    """What rows of a part add up to; a pass after the first one has no summary."""

    summary: Summary | None
    sets: SetPart | None


@dataclass(frozen=True)
class RowSummary(Reduction[Summarized, SummaryPart]):
    """What a summary keeps of rows.

    Attributes
    ----------
    parts : SummaryParts
        Without statistics of groups.
    sets : SetStatistics or None
        Statistics of groups.
    """

    parts: SummaryParts
    sets: SetStatistics | None = None

    kind = "sums"

    @property
    def reciprocals(self) -> bool:
        """Whether sums of 1 / distance are kept."""
        return self.parts.reciprocals

    def part(
        self, rows: RowsToReduce, progress: Progress, windows: Windows | None = None, *, again: bool = False
    ) -> SummaryPart:
        """Sum up the rows where they are computed, in the order of the sources.

        Parameters
        ----------
        windows : Windows or None
            Where quantiles between groups are.
        again : bool
            In a pass after the first one, only these quantiles are counted.
        """
        if again and self.sets is not None:
            return SummaryPart(None, self.sets.part(rows, progress, windows))
        sets = None if self.sets is None else self.sets.begin(rows, windows)

        def blocks() -> Iterator[RowBlock]:
            for block in rows.blocks(reuse=True, progress=progress, where_computed=True):
                if sets is not None:
                    sets.sets.add(block)
                yield block

        sums = None if sets is not None else lambda: sums_of(rows, progress)
        return SummaryPart(reduced(rows.graph, self.parts, blocks, sums, rows.request.threads, labelled=False), sets)

    def fill(self, found: Summarized, graph: Graph, sources: IntArray | None, options: Request) -> None:
        """Add all rows in this process, or sums over them if these are enough."""

        def rows() -> Iterator[RowBlock]:
            planned = reduced_by(graph, sources, options.of_rows(sources))
            return planned.blocks(reuse=True, progress=options.progress, where_computed=True)

        def sums() -> Iterator[Sums]:
            return stream_sums(graph, sources, options, reciprocals=self.reciprocals)

        found.add(rows, None if self.parts.needs_rows or found.sets is not None else sums)

    def merge(self, found: Summarized, start: int, part: SummaryPart) -> None:
        """Add the rows of a part."""
        if part.summary is not None:
            found.summary.merge(part.summary)
        if self.sets is not None and found.sets is not None and part.sets is not None:
            self.sets.merge(found.sets, start, part.sets)

    def order(self, found: Summarized, sources: IntArray) -> IntArray:
        """Return the sources in the order of `SetStatistics.order`."""
        return sources if self.sets is None or found.sets is None else self.sets.order(found.sets, sources)

    def task(self, found: Summarized, sources: IntArray) -> Fold:
        """Return what knows the passes before."""
        if self.sets is None or found.sets is None:
            return reduce_part
        windows = self.sets.windows_of(found.sets, sources)
        return partial(reduce_part, windows=windows, again=not found.sets.is_first)

    def end_pass(self, found: Summarized) -> bool:
        """Whether quantiles need another pass."""
        return self.sets is not None and found.sets is not None and self.sets.end_pass(found.sets)

    def check_storable(self) -> None:
        """Raise RequestError if a store cannot keep what is requested."""
        if self.parts.columns:
            raise RequestError(
                "a store keeps sums and extremes of rows, histograms and statistics of groups: leave out store, or "
                "what needs more (columns, and measures that need them); StoredResult.summary of "
                "apsp.solve(graph, store=...) has them"
            )
        if self.sets is not None:
            self.sets.check_storable()

    def identity(self) -> JsonObject:
        """Return what is kept beside the sums of each row."""
        parts = self.parts
        words: JsonObject = {name: True for name in ("squares", "degrees") if getattr(parts, name)}
        words |= bins_identity(parts.bins, Bins(parts.bins, parts.edges))
        return words if self.sets is None else words | {"groups": self.sets.arrays.identity()["groups"]}

    def layout(self, graph: Graph, plan: Plan) -> Arrays:
        """Return the arrays of what is kept beside the sums of each row: one row per band."""
        empty, bins = self.parts.empty(graph, 1), len(Bins(self.parts.bins, self.parts.edges).counts)
        arrays: Arrays = {"histogram": ("int64", "band", bins + 1)} if bins else {}
        of_sum = ("float64", "band", 1) if plan.dtype.kind == "f" else ("int64", "band", LIMBS)
        arrays |= dict.fromkeys(empty._moments.parts, of_sum)
        return arrays if self.sets is None else arrays | self.sets.layout(graph, plan)

    def of_store(self, header: StoreHeader) -> RowSummary:
        """Return the reduction with all that the store keeps.

        Raises RequestError if the store has statistics of groups, which only a call with these groups can complete.
        """
        given = header.measure
        if self.sets is None and "groups" in given:
            raise RequestError(
                "blocks of sources are missing in the store, which has statistics of groups: complete it by the same "
                "call as before, apsp.summary with groups"
            )
        bins, edges = bins_of(given)
        parts = SummaryParts(
            bins=bins, edges=edges, reciprocals=header.reciprocals,
            squares=given.get("squares", False), degrees=given.get("degrees", False),
        )  # fmt: skip
        return RowSummary(parts, None if self.sets is None else self.sets.of_store(header))

    def encode(self, part: SummaryPart, header: StoreHeader) -> dict[str, Any]:
        """Return sums of rows, and what is kept of the band."""
        summary = part.summary
        assert summary is not None
        numbers = vars(summary._row_sums()) | {"histogram": summary._totals.bins.to_row()[None]}
        numbers |= summary._moments.to_rows()
        if self.sets is not None and part.sets is not None:
            numbers |= self.sets.encode(part.sets, header)
        # A method may sum up in a wider dtype than that of the plan.
        return {name: np.ascontiguousarray(numbers[name], header.dtype_of(name)) for name in header.arrays}

    def decode(self, found: Summarized, sources: IntArray, stored: StoredArrays) -> None:
        """Add all rows."""
        summary, header = found.summary, stored.header
        bins = summary._totals.bins
        numbers: dict[str, Any] = {"reciprocals": np.zeros(len(sources))}
        numbers |= {name: stored.array(name) for name in header.arrays if name not in header.extra}
        summary._totals.add_sums(RowSums(sources, **numbers))
        for (row,) in stored.bands("histogram") if len(bins.counts) else ():
            bins.merge_row(row, is_float=header.dtype_of("largest").kind == "f")
        for name in summary._moments.parts:
            for (row,) in stored.bands(name):
                summary._moments.merge_row(name, row)
        if found.sets is not None and self.sets is not None:
            self.sets.decode(found.sets, sources, stored)


def reduction_of(parts: SummaryParts, graph: Graph, threads: int | None) -> tuple[RowSummary, Summarized]:
    """Return the reduction, and a result without rows."""
    summary, sums = parts.empty(graph, threads), replace(parts, sets=None)
    if parts.sets is None:
        return RowSummary(sums), Summarized(summary, None)
    sets: SetDistances = parts.sets.reducer(threads)
    statistics = SetStatistics(SetArrays(numbers_to_send(sets), _OF_SETS)) if len(parts.sets.groups) else None
    return RowSummary(sums, statistics), Summarized(summary, sets)
