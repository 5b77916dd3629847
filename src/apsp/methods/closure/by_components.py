"""Reachability that is answered from the components, without a bit per pair.

Source: Tarjan 1972, section 4. A row is a search, O(n + m). All pairs are counted in O(n + m) if the graph of
components is a forest: then what a component reaches is itself and, each apart, what its successors reach; otherwise
from the bits of each part of the graph that no path leaves (`apsp.graph.weak_parts`). The bits of all pairs are
computed when they are read.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import HostOrGpuArray
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.weak_parts import weak_parts
from apsp.methods.closure.condensation import Condensation, condensation
from apsp.system.array_device import to_host
from apsp.system.cached import cached_property

__all__ = ["ReachByComponents"]


class ReachByComponents:
    """What answers for a graph without zones.

    Parameters
    ----------
    graph : Graph
    compute : callable
        Returns the bits of all pairs of a graph, as `closure` does, or raises MemoryLimitError.
    """

    def __init__(self, graph: Graph, compute: Callable[[Graph], HostOrGpuArray]) -> None:
        self._graph, self._compute = graph, compute
        self._last: tuple[int, npt.NDArray[np.bool_]] | None = None

    @cached_property
    def bits(self) -> HostOrGpuArray:
        """The bits of all pairs."""
        return self._compute(self._graph)

    @property
    def has_bits(self) -> bool:
        """Whether they have been computed."""
        return "bits" in self.__dict__

    def reaches(self, u: int, v: int) -> bool:
        """Whether u reaches v, by position."""
        of = self._components.labels
        if of[u] == of[v]:
            return True
        return bool(of[u] > of[v] and self.row(u)[v])  # an arc leads to a lower number

    def row(self, u: int) -> npt.NDArray[np.bool_]:
        """(n,) the vertices that u reaches. The last row is stored."""
        if self._last is None or self._last[0] != u:
            arcs = self._components.graph
            found = _cpu.reached_from(arc_arrays(arcs), int(self._components.labels[u]))
            self._last = u, found[self._components.labels]
        return self._last[1].copy()

    def count(self) -> int | None:
        """The number of pairs with a path; None if it takes the bits of all pairs."""
        arcs, of = self._components.graph, self._components.labels
        sizes = np.bincount(of, minlength=arcs.n).astype(np.int64, copy=False)
        found = _cpu.count_in_forest(arc_arrays(arcs), sizes)
        if found >= 0:
            return found
        parts = weak_parts(self._graph)
        if parts is None or self.has_bits:
            return None
        of_parts = (ReachByComponents(parts.subgraph(k), self._compute) for k in range(len(parts.sizes)))
        return sum(part._count_all() for part in of_parts)

    def _count_all(self) -> int:
        found = self.count()
        return _cpu.count_bits(to_host(self.bits)) if found is None else found

    @cached_property
    def _components(self) -> Condensation:
        return condensation(self._graph)
