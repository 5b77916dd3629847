"""What a summary keeps, from the measures that are requested, and the pass over the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from apsp.errors import RequestError, shown
from apsp.graph.degrees import degrees
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.reductions import Summary
from apsp.reductions.blocks import RowBlock
from apsp.reductions.row_sums import RowSums
from apsp.reductions.set_distances import SetDistances
from apsp.reductions.summary import MEASURES
from apsp.system.arguments import flag, whole_number

__all__ = ["Summarized", "SummaryParts", "parts_for", "reduced"]

_BINS = 1024
"""Most bins of a histogram that is requested by its name, as of `apsp.distance_histogram`."""


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
            graph.n, directed=graph.directed, columns=self.columns, bins=self.bins, edges=self.edges,
            reciprocals=self.reciprocals, squares=self.squares, degrees=degrees(graph) if self.degrees else None,
            threads=threads, labels=graph.labels if labelled else None,
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


def parts_for(
    graph: Graph,
    given: IntArray | None,
    measures: str | Iterable[str] | None,
    groups: Any,
    quantiles: Any,
    *,
    columns: bool,
    bins: int,
    edges: npt.ArrayLike | None,
    reciprocals: bool,
) -> SummaryParts:
    """What is needed for some measures, and what the other arguments of `apsp.summary` request beside it.

    Raises
    ------
    RequestError
        If an argument is invalid, or a measure is not one of a summary.
    """
    columns, bins = flag(columns, "columns"), whole_number(bins, "bins", least=0)
    reciprocals = flag(reciprocals, "reciprocals")
    names = set() if measures is None else _names(measures)
    if measures is not None:
        reciprocals = bool(names & {"harmonic_centrality", "global_efficiency"})
        columns |= graph.directed and bool(names & {"harmonic_centrality", "closeness_centrality"})
        if "distance_histogram" in names and not bins and edges is None:
            bins = _BINS
    undirected = names & {"hyper_wiener_index", "schultz_index", "gutman_index"}
    if graph.directed and undirected:
        raise RequestError(f"{min(undirected)} is of undirected graphs")
    sets = None
    if groups is not None or "distance_statistics" in names or (not isinstance(quantiles, tuple) or quantiles):
        from apsp.measures.set_statistics import SetsRequest

        sets = SetsRequest(graph, groups, "group", quantiles, bins, edges, given)
    return SummaryParts(
        columns, bins, edges, reciprocals, "hyper_wiener_index" in names,
        bool(names & {"schultz_index", "gutman_index"}), sets,
    )  # fmt: skip


def _names(measures: Any) -> set[str]:
    try:
        names = [measures] if isinstance(measures, str) else list(measures)
    except Exception as error:  # of an odd sequence
        raise RequestError(f"measures must be names of measures, not {shown(measures)}") from error
    for name in names:
        if not isinstance(name, str) or name not in MEASURES:
            raise RequestError(f"a summary has no measure {shown(name)}; it may have: {', '.join(MEASURES)}")
    return set(names)


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
