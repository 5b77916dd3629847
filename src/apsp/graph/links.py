"""The links of a graph: the rows that it was built from, of which several may join the same two vertices.

Solvers see arcs: of the links from one vertex to another the best for the weights, of equally long ones that with the
least first cost, then the least second one, and so on, then the first. So other weights may take other links.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import NumPyArray
from apsp.errors import GraphError, RequestError
from apsp.graph.checks import frozen
from apsp.graph.costs import Costs

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Links", "Rows", "best_links", "kept_links", "rows_of"]


class Rows:
    """Rows of ends, weights and costs.

    Parameters
    ----------
    tails, heads : (L,) integers
        Positions of the ends. A link of an undirected graph may be used both ways.
    weights : (L,) numbers or None
    costs : Costs
    """

    __slots__ = ("costs", "heads", "tails", "weights")

    def __init__(
        self, tails: npt.NDArray[Any], heads: npt.NDArray[Any], weights: NumPyArray | None, costs: Costs
    ) -> None:
        ends = (np.asarray(array, dtype=np.int32) for array in (tails, heads))
        self.tails, self.heads = (frozen(array, array) for array in ends)
        self.weights = None if weights is None else frozen(weights, weights)
        self.costs = costs

    def __len__(self) -> int:
        return len(self.tails)

    @property
    def keys(self) -> list[NumPyArray]:
        """What decides between links from one vertex to another, in this order."""
        return [*([] if self.weights is None else [self.weights]), *self.costs.values()]

    def both_ways(self) -> Rows:
        """The rows, and after them those of the opposite direction, without self-loops."""
        others = np.flatnonzero(self.tails != self.heads)
        every = np.concatenate([np.arange(len(self)), others])
        return Rows(
            np.concatenate([self.tails, self.heads[others]]), np.concatenate([self.heads, self.tails[others]]),
            None if self.weights is None else self.weights[every], self.costs.of_arcs(every),
        )  # fmt: skip


class Links(Rows):
    """The links of a graph in the order of its input, with read-only arrays; `Graph.links`.

    Parameters
    ----------
    rows : Rows
    chosen : (m,) int32
        The link of each arc, in the order of `Graph.indices`.

    Attributes
    ----------
    tails, heads : (L,) int32
        Positions of the ends. A link of an undirected graph may be used both ways.
    weights : (L,) numbers or None
        Lengths; None if the graph counts hops.
    costs : Costs
        Other costs by name, (L,) numbers each.
    chosen : (m,) int32
        The link of each arc, in the order of `Graph.indices`.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], costs={"km": [30, 9, 2]})
    >>> graph.links
    Links(3, km)
    >>> graph.links.chosen.tolist(), graph.with_weights("km").links.chosen.tolist()
    ([0, 2], [1, 2])
    """

    __slots__ = ("chosen",)

    def __init__(self, rows: Rows, chosen: npt.NDArray[Any]) -> None:
        super().__init__(rows.tails, rows.heads, rows.weights, rows.costs)
        self.chosen = frozen(chosen, chosen)

    @property
    def are_parallel(self) -> bool:
        """Whether two links lead from one vertex to another."""
        return not np.bincount(self.chosen, minlength=len(self)).all()

    def __repr__(self) -> str:
        return f"Links({', '.join([f'{len(self):,}', *self.costs])})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Links):
            return NotImplemented
        return (
            np.array_equal(self.tails, other.tails)
            and np.array_equal(self.heads, other.heads)
            and (self.weights is None) == (other.weights is None)
            and (self.weights is None or np.array_equal(self.weights, other.weights))  # type: ignore[arg-type]
            and self.costs == other.costs
        )

    __hash__ = None  # type: ignore[assignment]

    def turned(self, order: npt.NDArray[np.int64]) -> Links:
        """The links of the reversed graph, whose arcs are these in another order."""
        return Links(Rows(self.heads, self.tails, self.weights, self.costs), self.chosen[order])

    def sums(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """(L,) sums of (m,) values of arcs; 0 for links that no arc takes."""
        return np.bincount(self.chosen, values, minlength=len(self)).astype(np.float64, copy=False)

    def of_arcs(self, graph: Graph, values: NumPyArray) -> NumPyArray:
        """(L,) values of the links from (m,) values of the arcs of their graph.

        Raises
        ------
        GraphError
            If some arc has several links, or the two arcs of an edge differ.
        """
        tails, heads = graph.tails(), graph.indices
        taken = np.bincount(self.chosen, minlength=len(self))
        if not taken.all():
            link = int(np.argmin(taken))
            ends = f"from {graph.word(int(self.tails[link]))} to {graph.word(int(self.heads[link]))}"
            raise GraphError(
                f"numbers of the arcs do not say which of the parallel links {ends} they are of: give one number per "
                "link, in the order of graph.links, and links=True"
            )
        found = np.empty(len(self), dtype=values.dtype)
        found[self.chosen] = values
        wrong = np.flatnonzero(found[self.chosen] != values)
        if len(wrong):
            arc = wrong[0]
            raise GraphError(
                f"the two arcs of the edge between {graph.word(int(tails[arc]))} and {graph.word(int(heads[arc]))} have"
                " different numbers"
            )
        return found


def best_links(
    n: int, tails: npt.NDArray[np.int32], heads: npt.NDArray[np.int32], keys: Sequence[NumPyArray], *, directed: bool
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[Any]]:
    """The arcs between vertices that links join, and the best link of each.

    Parameters
    ----------
    n : int
    tails, heads : (L,) int32
        Vertices.
    keys : sequence of (L,) numbers
        The best is the link with the least first key, of these with the least second one, and so on, then the first.
    directed : bool

    Returns
    -------
    indptr, indices : (n + 1,) int64, (m,) int32
    chosen : (m,) int32, or int64 for more links than that holds
    """
    kind = np.int32 if len(tails) < 2**31 else np.int64
    order = np.lexsort(tuple(reversed(keys))).astype(kind, copy=False) if keys else np.arange(len(tails), dtype=kind)
    indptr, indices, chosen = _cpu.csr_from_arcs(n, tails[order], heads[order], order, not directed, "first")
    assert chosen is not None
    chosen.flags.writeable = False
    return indptr, indices, chosen


def rows_of(graph: Graph) -> Rows:
    """The links of a graph; the arcs of one that keeps none, or its edges from the smaller position to the larger."""
    if graph.links is not None:
        return graph.links
    once = slice(None) if graph.directed else graph.tails() <= graph.indices
    return Rows(*graph.to_edges(), graph.costs.of_arcs(once))


def kept_links(graph: Graph) -> Links:
    """The links of a graph.

    Raises
    ------
    RequestError
        If it keeps none.
    """
    if graph.links is None:
        raise RequestError(
            "the graph keeps no links: apsp.from_edges(..., links=True) and apsp.read(..., links=True) keep the rows of"
            " the input, also if none of them are parallel"
        )
    return graph.links
