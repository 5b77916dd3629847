"""Reachability that is answered from the components, without a bit per pair.

Source: Tarjan 1972, section 4. A row is a search, O(n + m). All pairs are counted in O(n + m) if the graph of
components is a forest: then what a component reaches is itself and, each apart, what its successors reach. Bits are
computed when they are read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import HostOrGpuArray
from apsp.graph.model import Graph
from apsp.methods.closure.condensation import Condensation, condensation

__all__ = ["ReachByComponents"]


class ReachByComponents:
    """What answers for a graph without zones.

    Parameters
    ----------
    graph : Graph
    compute : callable
        Returns the bits of all pairs, as `closure` does, or raises MemoryLimitError.
    """

    def __init__(self, graph: Graph, compute: Callable[[], HostOrGpuArray]) -> None:
        self._graph, self._compute = graph, compute
        self._last: tuple[int, npt.NDArray[np.bool_]] | None = None

    @cached_property
    def bits(self) -> HostOrGpuArray:
        """The bits of all pairs."""
        return self._compute()

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
            found = _cpu.reached_from(arcs.indptr, arcs.indices, int(self._components.labels[u]))
            self._last = u, found[self._components.labels]
        return self._last[1].copy()

    def count(self) -> int | None:
        """The number of pairs with a path; None if the graph of components is not a forest."""
        arcs, of = self._components.graph, self._components.labels
        sizes = np.bincount(of, minlength=arcs.n).astype(np.int64, copy=False)
        found = _cpu.count_in_forest(arcs.indptr, arcs.indices, sizes)
        return None if found < 0 else found

    @cached_property
    def _components(self) -> Condensation:
        return condensation(self._graph)
