"""A graph of NetworkX with its arcs as arrays, which NetworkX keeps beside the original until that is changed."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.bounds.bounded_search import LIMITS, SearchLimits
from apsp.bounds.few_searches import ExtremeName, by_few_searches
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.graph.networkx_arcs import MISSING, Arcs, Weight, arcs_of, graph_of
from apsp.measures.most_central import RANKING_LIMITS, RankingLimits, with_least_sum
from apsp.measures.row_summary import SummaryParts
from apsp.measures.summary import summarized
from apsp.reductions import Summary
from apsp.reductions.proven import Proven

__all__ = ["Converted"]

_EXACT = 2**53
"""Integers up to it are exact among floats."""


class Converted:
    """A NetworkX graph as functions of the backend take it: the original, and what was made of it so far.

    Vertices are positions in the order of the nodes. Arcs are read when a function first needs them with some weight,
    and kept; so are sums over all distances, so that diameter, radius and center of a graph take one computation,
    unless a few searches suffice.

    Parameters
    ----------
    origin : networkx.Graph
        The graph, of any of the four classes, or a view.
    is_view : bool, optional
        It shows another graph, and is read again for every call. By default it is looked at.
    """

    __networkx_backend__ = "apsp"
    __networkx_cache__ = None

    def __init__(self, origin: Any, *, is_view: bool | None = None) -> None:
        self.origin = origin
        self._is_view = hasattr(origin, "_graph") if is_view is None else is_view
        self._read()

    def _read(self) -> None:
        """Start with the nodes as they are now, and nothing else."""
        self.nodes: list[Any] = list(self.origin)
        self.positions: dict[Hashable, int] = dict(zip(self.nodes, range(len(self.nodes)), strict=True))
        self._graphs: dict[Weight, Graph] = {}
        self._sums: dict[Weight, Summary] = {}
        self._harmonic_sums: dict[Weight, Summary] = {}
        self._takes_all_rows: set[Weight] = set()
        self._hiding: set[Weight] = set()
        self._with_default: set[Weight] = set()
        self._reverse: Converted | None = None
        self._objects: npt.NDArray[Any] | None = None

    def begin(self) -> None:
        """Prepare for a call: a view may have changed, since NetworkX notices only changes of the graph itself."""
        if self._is_view:
            self._read()

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles of a graph, which take its cache with them, convert it again."""
        return Converted, (self.origin,)

    # -- what NetworkX's own code calls, where it is made of functions of this backend ---------------------------------

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        return node in self.origin

    def __str__(self) -> str:
        return str(self.origin)

    def is_directed(self) -> bool:
        """Tell whether edges are one-way."""
        return bool(self.origin.is_directed())

    def is_multigraph(self) -> bool:
        """Tell whether edges may be parallel."""
        return bool(self.origin.is_multigraph())

    def number_of_edges(self) -> int:
        """Count the edges."""
        return int(self.origin.number_of_edges())

    def reverse(self, copy: bool = False) -> Converted:  # noqa: ARG002 - NetworkX's signature
        """Return the graph with every edge reversed; an undirected one is its own reverse."""
        if not self.is_directed():
            return self
        if self._reverse is None:
            self._reverse = Converted(self.origin.reverse(copy=False), is_view=False)  # which changes with this one
        return self._reverse

    def only_nodes(self) -> Converted:
        """Return the nodes as they are now, for a result that is made later; not the graph."""
        nodes: Converted = object.__new__(Converted)
        nodes.nodes, nodes.positions, nodes._objects = self.nodes, self.positions, self._objects
        return nodes

    # -- what the functions of this backend use ------------------------------------------------------------------------

    @property
    def objects(self) -> npt.NDArray[Any]:
        """(n,) objects: the nodes, to be indexed by arrays of positions."""
        if self._objects is None:
            self._objects = np.fromiter(self.nodes, dtype=object, count=len(self.nodes))
        return self._objects

    def keeps(self, weight: Weight) -> bool:
        """Tell whether the arcs were read with these weights."""
        return weight in self._graphs and not self._is_view

    def graph(self, weight: Weight, *, hiding: bool = True, negative: bool = False) -> Graph:
        """Return the vertices and arcs, with lengths of this attribute or function.

        Parameters
        ----------
        weight : str, callable or None
            As NetworkX takes it; a function is called for every edge, in both directions of undirected ones.
        hiding : bool
            Edges whose length is None do not exist; False if the function of NetworkX has no such edges.
        negative : bool
            Negative lengths are allowed.

        Raises
        ------
        NotImplementedError
            If NetworkX must compute with these lengths itself.
        """
        known = weight if not callable(weight) else None
        graph = self._graphs.get(known) if known is weight else None
        if graph is None:
            graph, hides, defaults = _graph_of(self.origin, weight, self.positions)
            if hides:
                self._hiding.add(weight)
            if known is weight:
                self._graphs[weight] = graph
                if defaults:
                    self._with_default.add(weight)
        if not hiding and weight in self._hiding:
            raise NotImplementedError(f"edges have no length ({weight} is None): this function of NetworkX hides none")
        if not negative and graph.has_negative_arc:
            raise NotImplementedError("some weights are negative, for which this function of NetworkX has no contract")
        return graph

    def has_default(self, weight: Weight) -> bool:
        """Tell whether some edge does not have this attribute, so that its length is 1; the arcs were read."""
        return weight is None or weight in self._with_default

    def sums(self, weight: Weight, *, hiding: bool = True, negative: bool = False) -> Summary:
        """Return sums and extremes over the rows of all vertices, perhaps without sums of 1 / distance.

        Arguments are those of `graph`.
        """
        return self._summary(self._sums, weight, self.graph(weight, hiding=hiding, negative=negative), False)

    def extremes(
        self, weight: Weight, name: ExtremeName, limits: SearchLimits = LIMITS
    ) -> tuple[Proven | Summary, bool]:
        """Return what has an extreme, and whether every vertex reaches all others.

        Few searches, which are not kept, or the sums, which are: if they are there, or a few searches were not enough.
        """
        graph = self.graph(weight)
        few = None
        if weight not in self._sums and weight not in self._takes_all_rows:
            few = by_few_searches(graph, Request(), name, limits=limits)
        if few is None:
            found = self._summary(self._sums, weight, graph, False)
            return found, not found.unreachable_pairs
        if not callable(weight) and few.searches > graph.n // 10:
            self._takes_all_rows.add(weight)
        return few, few.is_connected

    def least_sum(self, weight: Weight, limits: RankingLimits = RANKING_LIMITS) -> tuple[list[Any], bool]:
        """Return the positions of the nodes with the smallest sum of distances, and whether each reaches all others.

        By bounds, or from the sums, which are kept: if they are there, or bounds do not apply.
        """
        graph = self.graph(weight)
        if weight not in self._sums:
            found = with_least_sum(graph, Request(), connected=True, limits=limits)
            if found is not None:
                return found, True
        sums = self._summary(self._sums, weight, graph, False)
        return sums.barycenter, not sums.unreachable_pairs

    def harmonic_sums(self, weight: Weight) -> Summary:
        """Return the sums and extremes with those of 1 / distance."""
        found = self._summary(self._harmonic_sums, weight, self.graph(weight), True)
        if weight in self._harmonic_sums:
            self._sums[weight] = found
        return found

    def _summary(self, kept: dict[Weight, Summary], weight: Weight, graph: Graph, reciprocals: bool) -> Summary:
        found = kept.get(weight)
        if found is None:
            found = summarized(graph, None, Request(), SummaryParts(reciprocals=reciprocals))
            if not callable(weight):
                kept[weight] = found
        return found


def _graph_of(origin: Any, weight: Weight, positions: dict[Hashable, int]) -> tuple[Graph, bool, bool]:
    """Read the arcs, and tell whether some are hidden, and whether some do not have the attribute."""
    try:
        arcs = arcs_of(origin, weight, positions)
    except Exception as error:  # of the user's function: where NetworkX does not call it, it need not fail
        raise NotImplementedError(f"the lengths of the edges cannot be read: {type(error).__name__}") from error
    kept, lengths, defaults = _lengths(arcs, bool(origin.is_multigraph()) and not callable(weight))
    tails, heads = (arcs.tails, arcs.heads) if kept is None else (arcs.tails[kept], arcs.heads[kept])
    if lengths is not None and lengths.dtype.kind == "f" and not np.isfinite(lengths).all():
        raise NotImplementedError("some weights are infinite or not-a-number")
    graph = graph_of(len(positions), tails, heads, lengths, directed=not arcs.symmetric)
    return graph, kept is not None, defaults


def _lengths(arcs: Arcs, in_bundles: bool) -> tuple[npt.NDArray[np.bool_] | None, npt.NDArray[Any] | None, bool]:
    """Which arcs exist (None: all), their lengths (None: hops), and whether some do not have the attribute.

    Only where NetworkX would get equal numbers.
    """
    values, kept = arcs.values, None
    if values is None:
        return None, None, True
    if isinstance(values, np.ndarray):
        return None, values, False
    kinds = set(map(type, values))
    defaults = type(MISSING) in kinds
    if type(None) in kinds:
        if in_bundles:
            raise NotImplementedError("parallel edges with a weight of None have no smallest weight")
        kept = np.fromiter((value is not None for value in values), bool, len(values))
        values = [value for value in values if value is not None]
    if kinds <= {type(MISSING), type(None)}:
        return kept, None, defaults
    if defaults:
        values = [1 if value is MISSING else value for value in values]
    others = kinds - {int, float, type(MISSING), type(None)}
    if others:
        names = ", ".join(sorted(kind.__name__ for kind in others))
        raise NotImplementedError(f"weights must be int or float, for sums that are those of NetworkX, not {names}")
    try:
        if float not in kinds:
            return kept, np.fromiter(values, np.int64, len(values)), defaults
        if int in kinds and any(type(value) is int and abs(value) > _EXACT for value in values):
            raise NotImplementedError("integers above 2^53 among floats lose digits")
        return kept, np.fromiter(values, np.float64, len(values)), defaults
    except OverflowError:
        raise NotImplementedError("integers above 2^63 are not supported") from None
