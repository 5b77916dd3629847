"""The condensation of a graph: its strongly connected components, and the arcs between them.

Source: Tarjan 1972, section 4. Input: any graph; weights are ignored, no path passes through a zone. Output: the
component of every vertex and an acyclic graph, the same from every call. Cost: O(n + m).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph

__all__ = ["Condensation", "condensation", "open_arcs", "strong_components"]


@dataclass(frozen=True, eq=False)
class Condensation:
    """The components of a graph, with numbers 0 to count - 1, sinks first.

    Attributes
    ----------
    labels : (n,) int32
        The component of each vertex. A zone is a component of its own.
    graph : Graph
        The arcs between components, except those from zones: each leads to a lower number.
    """

    labels: npt.NDArray[np.int32]
    graph: Graph

    @property
    def count(self) -> int:
        """The number of components."""
        return self.graph.n

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.labels.nbytes + self.graph.indptr.nbytes + self.graph.indices.nbytes


def condensation(graph: Graph) -> Condensation:
    """Return the condensation of a graph."""
    arcs = open_arcs(graph)
    count, labels = _cpu.strong_components(arcs)
    between = _cpu.condensation(arcs, labels, count)
    return Condensation(labels, Graph._made(*between, None, directed=True))


def strong_components(graph: Graph) -> tuple[int, npt.NDArray[np.int32]]:
    """Return the number of components, and the component of each vertex."""
    return _cpu.strong_components(open_arcs(graph))


def open_arcs(graph: Graph) -> _cpu.ArcArrays:
    """Return the arcs that do not leave a zone."""
    if graph.zones is None or not graph.has_zones:
        return _cpu.ArcArrays(graph.indptr, graph.indices)
    kept = ~graph.zones[graph.tails()]
    return _cpu.ArcArrays(np.concatenate([[0], np.cumsum(kept)])[graph.indptr], graph.indices[kept])
