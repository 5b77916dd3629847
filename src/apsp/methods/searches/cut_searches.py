"""The most central vertices in hops, by searches that end as soon as a bound excludes their source.

Sources: Borassi, Crescenzi, Marino 2015, "Fast and simple computation of top-k closeness centralities" (arXiv
1507.01490), section 3; Bergamini, Borassi, Crescenzi, Marino, Meyerhenke 2019, "Computing top-k closeness centrality
faster in unweighted graphs", ACM TKDD 13, sections 4 and 5 (bounds from the neighbours).
Cost: O(m) for the bounds of all vertices; O(n + m) per search to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray

__all__ = ["CutSearches", "Found"]


@dataclass(frozen=True)
class Found:
    """What searches from some vertices found.

    Attributes
    ----------
    reached : (S,) int64
        Vertices that the source reaches, itself included; -1 where it is not among the most central, -2 where no search
        began.
    total : (S,) int64
        Sums of the distances.
    reciprocals : (S,) float64
        Sums of 1 / distance.
    arcs : int
        The number of arcs that were scanned.
    searches : int
        The number of sources whose search began.
    """

    LEFT: ClassVar[int] = -2

    reached: npt.NDArray[np.int64]
    total: npt.NDArray[np.int64]
    reciprocals: npt.NDArray[np.float64]
    arcs: int
    searches: int


class CutSearches:
    """Searches for the vertices with the largest closeness or harmonic centrality, of distances from them.

    Parameters
    ----------
    graph : Graph
        Without zones. Its weights are ignored.
    fewest, most : (n,) int64
        Bounds on the number of vertices that each vertex reaches, itself included.
    harmonic, improved : bool
        The harmonic centrality; else closeness, with the factor of Wasserman and Faust if `improved`.
    threads : int
    """

    def __init__(
        self,
        graph: Graph,
        fewest: npt.NDArray[np.int64],
        most: npt.NDArray[np.int64],
        *,
        harmonic: bool,
        improved: bool,
        threads: int,
    ) -> None:
        self._call: dict[str, Any] = {
            "arcs": _cpu.ArcArrays(graph.indptr, graph.indices), "undirected": not graph.directed, "fewest": fewest,
            "most": most, "harmonic": harmonic, "improved": improved, "threads": threads,
        }  # fmt: skip
        self.bounds = np.empty(graph.n)
        _cpu.cut_bounds(bounds=self.bounds, **self._call)

    def search(
        self,
        sources: IntArray,
        best: npt.NDArray[np.float64],
        k: int,
        arcs: int,
        progress: Callable[[int], None] | None = None,
    ) -> Found:
        """Search from vertices, in their order.

        Parameters
        ----------
        sources : (S,) int32
        best : (B,) float64
            Centralities of other vertices.
        k : int
            Only vertices whose centrality is among the k largest, these included, are searched from to the end.
        arcs : int
            No search begins once as many arcs were scanned.
        progress : callable, optional
            Called with the number of sources that are done.
        """
        count = len(sources)
        reached, total, reciprocals = np.empty(count, np.int64), np.zeros(count, np.int64), np.zeros(count)
        scanned, searches = _cpu.cut_searches(
            sources=sources, bounds=self.bounds, best=best, k=k, most_arcs=arcs, reached=reached,
            total=total, reciprocals=reciprocals, progress=progress, **self._call,
        )  # fmt: skip
        return Found(reached, total, reciprocals, scanned, searches)
