"""The uses of links: a one-way link has one, another has one per direction."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import MemoryLimitError, RequestError
from apsp.graph.costs import NO_COSTS
from apsp.graph.device import DeviceGraph
from apsp.graph.links import Rows, rows_of
from apsp.graph.model import Graph
from apsp.system.machine import Machine, usable

__all__ = ["Uses", "uses_of"]

Ints = npt.NDArray[np.int64]

_PAIR_BYTES = 100
"""Memory of a movement, while a graph is built of them."""


class Uses(NamedTuple):
    """The uses of the links of a graph, sorted by tail, then by link.

    Attributes
    ----------
    rows : Rows
        The links: those that the graph keeps, or else its arcs (of an undirected graph its edges).
    indptr : (n + 1,) int64
        The uses that leave vertex v are indptr[v] .. indptr[v + 1] - 1.
    tails, heads, links : (k,) int64
    is_against : (k,) bool
        Whether the use leads from the head of its link to the tail.
    weights : (k,) numbers
        Ones if the graph counts hops.
    """

    rows: Rows
    indptr: Ints
    tails: Ints
    heads: Ints
    links: Ints
    is_against: npt.NDArray[np.bool_]
    weights: NumPyArray

    def __len__(self) -> int:
        return len(self.tails)

    def of_links(self) -> tuple[Ints, Ints]:
        """(L,) the use of each link along it, and that against it; -1 where there is none."""
        along, against = (np.full(len(self.rows), -1) for _ in range(2))
        number = np.arange(len(self))
        along[self.links[~self.is_against]] = number[~self.is_against]
        against[self.links[self.is_against]] = number[self.is_against]
        return along, against

    def movements(self, through: npt.NDArray[np.bool_]) -> Movements:
        """All movements through some vertices, (n,) bool.

        Raises
        ------
        MemoryLimitError
            If there are too many.
        """
        degrees = np.diff(self.indptr)
        counts = np.where(through[self.heads], degrees[self.heads], 0)
        first = np.concatenate([[0], np.cumsum(counts)])
        needed = int(first[-1]) * _PAIR_BYTES
        if needed > usable(machine := Machine.detect()):
            what = f"{int(first[-1]):,} movements from link to link"
            raise MemoryLimitError(what, needed, machine.memory_available, ["a graph with fewer links per vertex"])
        before = np.repeat(np.arange(len(self)), counts)
        after = self.indptr[self.heads[before]] + np.arange(first[-1]) - first[:-1][before]
        return Movements(first, before, after)


class Movements(NamedTuple):
    """Pairs of uses, of which the second begins where the first ends; sorted by both.

    Attributes
    ----------
    first : (k + 1,) int64
        The movements out of use a are first[a] .. first[a + 1] - 1, to all uses that leave its head, or none.
    before, after : (p,) int64
        Uses.
    """

    first: Ints
    before: Ints
    after: Ints

    def number(self, uses: Uses, before: Ints, after: Ints) -> Ints:
        """The numbers of the movements from some uses to others, through vertices that have movements."""
        found: Ints = self.first[before] + after - uses.indptr[uses.tails[after]]
        return found


def uses_of(graph: Graph) -> Uses:
    """The uses of all links.

    Raises
    ------
    RequestError
        If the graph is on a GPU.
    """
    if isinstance(graph, DeviceGraph):
        raise RequestError("movements are of graphs in host memory: apsp.from_dense(numpy_array) makes one")
    rows = rows_of(graph)
    one_way: Any = rows.one_way if graph.directed else np.zeros(len(rows), bool)
    arcs = Rows(rows.tails, rows.heads, None, NO_COSTS, one_way).arcs()
    order = np.argsort(arcs[0], kind="stable")
    tails, heads, links = ((np.arange(len(rows)) if each is None else each)[order].astype(np.int64) for each in arcs)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=graph.n))])
    weights = np.ones(len(links), np.int32) if rows.weights is None else rows.weights[links]
    return Uses(rows, indptr, tails, heads, links, tails != rows.tails[links], weights)
