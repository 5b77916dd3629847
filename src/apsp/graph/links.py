"""The links of a graph: the rows that it was built from, of which several may join the same two vertices.

Solvers see arcs: of the links from one vertex to another the best for the weights, of equally long ones that with the
least first cost, then the least second one, and so on, then the first. So other weights may take other links.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import NumPyArray
from apsp.errors import GraphError, RequestError
from apsp.graph.bends import Bends
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
    one_way : (L,) bool, optional
        Of a directed graph: False for links that may be used both ways. None: all or none, as the graph is undirected
        or directed.
    bends : Bends, optional
        The points of each link between its ends; None: there are none.
    streets : (L,) integers, optional
        Where places are vertices: the link that each is, or is a part of; -1 of ways beside streets. None: itself.
    """

    __slots__ = ("bends", "costs", "heads", "one_way", "streets", "tails", "weights")

    def __init__(
        self,
        tails: npt.NDArray[Any],
        heads: npt.NDArray[Any],
        weights: NumPyArray | None,
        costs: Costs,
        one_way: npt.NDArray[np.bool_] | None = None,
        bends: Bends | None = None,
        streets: npt.NDArray[np.int64] | None = None,
    ) -> None:
        ends = (np.asarray(array, dtype=np.int32) for array in (tails, heads))
        self.tails, self.heads = (frozen(array, array) for array in ends)
        self.weights = None if weights is None else frozen(weights, weights)
        self.costs = costs
        self.one_way = None if one_way is None else frozen(one_way, one_way)
        self.bends = bends
        self.streets = None if streets is None else frozen(streets, streets)

    def __len__(self) -> int:
        return len(self.tails)

    @property
    def keys(self) -> list[NumPyArray]:
        """What decides between links from one vertex to another, in this order."""
        return [*([] if self.weights is None else [self.weights]), *self.costs.values()]

    def arcs(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int64] | None]:
        """Tails, heads and links of the arcs that the links are, in their order; None: each link is one.

        Edges of an undirected graph are given once.
        """
        if self.one_way is None:
            return self.tails, self.heads, None
        links = np.repeat(np.arange(len(self)), np.where(self.one_way | (self.tails == self.heads), 1, 2))
        again = np.zeros(len(links), bool)
        again[1:] = links[1:] == links[:-1]
        tails, heads = self.tails[links], self.heads[links]
        return np.where(again, heads, tails), np.where(again, tails, heads), links

    def taken(self, rows: npt.NDArray[np.int64]) -> Rows:
        """Some of the rows, by their numbers."""
        return Rows(
            self.tails[rows], self.heads[rows], None if self.weights is None else self.weights[rows],
            self.costs.of_arcs(rows), None if self.one_way is None else self.one_way[rows],
            None if self.bends is None else self.bends.along(rows, False),
        )  # fmt: skip

    def among(self, numbers: npt.NDArray[np.int32]) -> Rows:
        """The rows between some vertices; (n,) `numbers` are the new positions of these, -1 of the others."""
        found = self.taken(np.flatnonzero((numbers[self.tails] >= 0) & (numbers[self.heads] >= 0)))
        found.tails, found.heads = numbers[found.tails], numbers[found.heads]
        return found

    def as_arcs(self, *, directed: bool) -> Rows:
        """The rows as arcs: those that may be used both ways are two, unless they are self-loops."""
        kept = self.one_way if directed else np.zeros(len(self), bool)
        tails, heads, links = Rows(self.tails, self.heads, None, self.costs, kept).arcs()
        if links is None:
            return self
        bends = None if self.bends is None else self.bends.along(links, self.tails[links] != tails)
        weights = None if self.weights is None else self.weights[links]
        return Rows(tails, heads, weights, self.costs.of_arcs(links), bends=bends)


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
    one_way : (L,) bool or None
        Of a directed graph some of whose links may be used both ways: whether each is one arc. None: all links of a
        directed graph are, and none of an undirected one.
    bends : Bends or None
        The points of each link between its ends, from tail to head; None if no link has any.
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
        super().__init__(rows.tails, rows.heads, rows.weights, rows.costs, rows.one_way, rows.bends, rows.streets)
        self.chosen = frozen(chosen, chosen)

    def with_weights(self, weights: NumPyArray) -> Links:
        """The same links with other weights (L,), for which the same ones are the arcs; they become read-only."""
        found = object.__new__(Links)
        for name in (*Rows.__slots__, *Links.__slots__):
            setattr(found, name, getattr(self, name))
        weights.flags.writeable = False
        found.weights = weights.view()
        return found

    def crowded(self, n: int, *, directed: bool) -> npt.NDArray[np.bool_]:
        """(L,) whether another link leads from one of its ends to the other; O(L log L)."""
        both = self.tails != self.heads
        both &= ~self.one_way if self.one_way is not None else not directed
        ways = np.concatenate([
            self.tails.astype(np.int64) * n + self.heads,
            self.heads[both].astype(np.int64) * n + self.tails[both],
        ])  # fmt: skip
        _, places, counts = np.unique(ways, return_inverse=True, return_counts=True)
        found: npt.NDArray[np.bool_] = counts[places[: len(self)]] > 1
        found[both] |= counts[places[len(self) :]] > 1
        return found

    @property
    def count(self) -> int:
        """How many there are without the parts that lead to places."""
        return len(self) if self.streets is None else int((self.streets == np.arange(len(self))).sum())

    def numbers(self, arcs: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The links that arcs are, or are parts of; -1 for ways beside streets."""
        found: npt.NDArray[Any] = self.chosen[arcs]
        return found if self.streets is None else self.streets[found]

    @property
    def are_parallel(self) -> bool:
        """Whether two links lead from one vertex to another."""
        return bool(self._hidden().any())

    def _hidden(self) -> npt.NDArray[np.bool_]:
        """Whether another link is better, in one of the directions of the link."""
        arcs = 1 if self.one_way is None else np.where(self.one_way | (self.tails == self.heads), 1, 2)
        return np.bincount(self.chosen, minlength=len(self)) < arcs

    def check_single(self, graph: Graph, tails: NumPyArray, heads: NumPyArray) -> None:
        """Check that one link leads from each of some vertices to another.

        Raises
        ------
        GraphError
            If there are several; the message names their numbers.
        """
        hidden = np.flatnonzero(self._hidden())
        if not len(hidden):
            return
        keys = tails.astype(np.int64) * graph.n + heads
        ways = [self.tails[hidden].astype(np.int64) * graph.n + self.heads[hidden]]
        if self.one_way is not None or not graph.directed:
            both = hidden if self.one_way is None else hidden[~self.one_way[hidden]]
            ways.append(self.heads[both].astype(np.int64) * graph.n + self.tails[both])
        several = np.flatnonzero(np.isin(keys, np.concatenate(ways)))
        if len(several):
            tail, head = int(tails[several[0]]), int(heads[several[0]])
            ends = np.stack([self.tails, self.heads])
            there = (ends == [[tail], [head]]).all(axis=0)
            if len(ways) > 1:
                back = (ends == [[head], [tail]]).all(axis=0)
                there |= back if self.one_way is None else back & ~self.one_way
            numbers = ", ".join(map(str, np.flatnonzero(there).tolist()))
            raise GraphError(
                f"several links lead from {graph.word(tail)} to {graph.word(head)}: say which by the parameter links "
                f"and the number: {numbers}"
            )

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
            and (self.one_way is None) == (other.one_way is None)
            and (self.one_way is None or np.array_equal(self.one_way, other.one_way))  # type: ignore[arg-type]
            and self.costs == other.costs
            and self.bends == other.bends
            and (self.streets is None) == (other.streets is None)
            and (self.streets is None or np.array_equal(self.streets, other.streets))  # type: ignore[arg-type]
        )

    __hash__ = None  # type: ignore[assignment]

    def turned(self, order: npt.NDArray[np.int64]) -> Links:
        """The links of the reversed graph, whose arcs are these in another order."""
        bends = None if self.bends is None else self.bends.along(np.arange(len(self)), True)
        rows = Rows(self.heads, self.tails, self.weights, self.costs, self.one_way, bends, self.streets)
        return Links(rows, self.chosen[order])

    def bends_of(self, arcs: npt.NDArray[Any], tails: npt.NDArray[Any]) -> Bends | None:
        """The bends of (k,) arcs of the graph with these tails, in the direction of each arc; None: there are none."""
        if self.bends is None:
            return None
        links = self.chosen[arcs]
        return self.bends.along(links, self.tails[links] != tails)

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
        hidden = self._hidden()
        if hidden.any():
            link = int(np.argmax(hidden))
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
    n: int, rows: Rows, keys: Sequence[NumPyArray], *, directed: bool, parallel: Literal["min", "first", "last"] = "min"
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[Any]]:
    """The arcs between vertices that links join, and the best link of each.

    Parameters
    ----------
    n : int
    rows : Rows
        The links.
    keys : sequence of (L,) numbers
        The best is the link with the least first key, of these with the least second one, and so on, then the first.
    directed : bool
    parallel : 'min', 'first' or 'last'
        Without keys, the first or the last link counts.

    Returns
    -------
    indptr, indices : (n + 1,) int64, (m,) int32
    chosen : (m,) int32, or int64 for more links than that holds
    """
    tails, heads, links = rows.arcs()
    numbers = np.arange(len(tails), dtype=np.int32 if len(tails) < 2**31 else np.int64)

    def joined(some: Any, rule: Literal["first", "last"]) -> tuple[npt.NDArray[np.int64], Any, Any]:
        return _cpu.csr_from_arcs(n, tails[some], heads[some], numbers[some], not directed, rule)

    indptr, indices, chosen = joined(slice(None), "last" if parallel == "last" else "first")
    rivals = np.ones(len(tails), dtype=bool)
    rivals[chosen] = False
    if parallel == "min" and keys and rivals.any():  # some links are parallel: only these are sorted
        several = chosen != joined(slice(None), "last")[2]
        rivals[chosen[several]] = True
        of_rivals = np.flatnonzero(rivals)
        keys = [key[of_rivals if links is None else links[of_rivals]] for key in reversed(keys)]
        chosen[several] = joined(of_rivals[np.lexsort(keys)], "first")[2]
    if links is not None:
        chosen = links[chosen].astype(chosen.dtype, copy=False)
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
