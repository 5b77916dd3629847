"""The vertices within a cutoff of every source, as rows of different lengths.

Source: Dijkstra 1959, with buckets (Cherkassky, Goldberg, Silverstein 1999, "Buckets, heaps, lists, and monotone
priority queues", section 4).
Input: a graph without negative arcs. Output: `NearRows`. Cost: of a source what the vertices and arcs within the cutoff
cost; once, a copy of the arcs; per thread a label per vertex.

The idea: a search resets only the labels that it has written, so no source costs time for the rest of the graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.semiring import bound_in

__all__ = ["ROWS_OF_SEARCHES", "NearFinder", "NearRows", "near_searches"]

ROWS_OF_SEARCHES = "dijkstra"
"""The method whose rows have the same distances, also floats, to the last bit."""

_WORTH_REORDERING = 16
"""Sources from which on it pays to store neighbours close to each other."""


@dataclass(frozen=True)
class NearRows:
    """Pairs of sources and targets; those of source i are from starts[i] to starts[i + 1].

    Attributes
    ----------
    starts : (S + 1,) int64
    targets : (P,) int32
        By position.
    distances : (P,) array
    next_hops : (P,) int32 or None
        The vertex after the source on a shortest path, by position; -1 for the source itself.
    sums : (K, P) float64 or None
        Of other costs, along the same path.
    first : int
        The number of the first source among those of a job.
    """

    starts: npt.NDArray[np.int64]
    targets: IntArray
    distances: npt.NDArray[Any]
    next_hops: IntArray | None = None
    sums: npt.NDArray[np.float64] | None = None
    first: int = 0

    @classmethod
    def of(cls, starts: npt.NDArray[np.int64], dtype: np.dtype[Any], *, hops: bool, costs: int) -> NearRows:
        """Return rows of these lengths, whose pairs are to be written."""
        pairs = int(starts[-1])
        return cls(
            starts, np.empty(pairs, np.int32), np.empty(pairs, dtype), np.empty(pairs, np.int32) if hops else None,
            np.empty((costs, pairs)) if costs else None,
        )  # fmt: skip

    def copy_into(self, rows: NearRows, at: int) -> int:
        """Copy the pairs to those of `rows` from number `at` on; return the number of the first one behind them."""
        place = slice(at, at + len(self.targets))
        rows.targets[place], rows.distances[place] = self.targets, self.distances
        if rows.next_hops is not None and self.next_hops is not None:
            rows.next_hops[place] = self.next_hops
        if rows.sums is not None and self.sums is not None:
            rows.sums[:, place] = self.sums
        return place.stop


class NearFinder:
    """Searches of one kind over one graph: a `NearSolver` (apsp.methods.near.solver) of the CPU.

    Parameters
    ----------
    kernel : _cpu.NearFinder
        Its arcs are copied once for all calls.
    dtype : numpy dtype
        Of the distances: it must hold all that are found, and one more that means "no path".
    costs : int
        The number of other costs.
    """

    def __init__(self, kernel: _cpu.NearFinder, dtype: np.dtype[Any], costs: int = 0) -> None:
        self._kernel, self.dtype, self._costs = kernel, dtype, costs

    def find(
        self,
        sources: IntArray,
        cutoff: float | None,
        *,
        k: int | None = None,
        is_target: npt.NDArray[np.bool_] | None = None,
        own: bool = True,
        hops: bool = False,
        sums: bool = False,
        by_target: bool = False,
        most: int = 2**62,
        threads: int = 1,
        progress: KernelProgress | None = None,
    ) -> NearRows | None:
        """Return the pairs of some sources, nearest first, of equally near targets the first in the graph.

        Parameters
        ----------
        sources : (S,) int32
            In any order, also repeated.
        cutoff : number or None
        k : int, optional
            Most pairs per source: the nearest.
        is_target : (n,) bool, optional
            The targets; all by default.
        own : bool
            A source may be one of its targets.
        hops : bool
            Keep next hops.
        sums : bool
            Keep the sums of the other costs. Of equally short paths that with the least sum of the first cost counts,
            of these that with the least of the second, and so on, for next hops too.
        by_target : bool
            Order the pairs of a source by the target instead.
        most : int
            Pairs in all.

        Returns
        -------
        NearRows or None
            None if there are more than `most`.
        """
        found = self._kernel.find(
            sources=sources, cutoff=bound_in(cutoff, self.dtype), k=k, is_target=is_target, own=own, hops=hops,
            sums=sums, by_target=by_target, most=most, threads=threads, progress=progress,
        )  # fmt: skip
        if found is None:
            return None
        starts, targets, distances, next_hops, columns = found
        columns = None if columns is None else columns.reshape(self._costs, len(targets))
        return NearRows(starts, targets, distances, next_hops, columns)


def near_searches(
    graph: Graph, dtype: np.dtype[Any], sources: int, costs: npt.NDArray[np.float64] | None = None
) -> NearFinder:
    """Return searches that follow one another.

    Parameters
    ----------
    graph : Graph
        Without negative arcs.
    dtype : numpy dtype
        As of `NearFinder`.
    sources : int
        How many sources follow, about.
    costs : (m, K) float64, optional
        Other costs of the arcs, whose sums along the paths are kept: none is below 0 on an arc of length 0.
    """
    arcs = arc_arrays(graph, arc_lengths(graph, dtype))
    kernel = _cpu.near_searches(arcs, many=sources >= _WORTH_REORDERING, costs=costs)
    return NearFinder(kernel, dtype, 0 if costs is None else costs.shape[1])
