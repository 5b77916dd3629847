"""The Wiener index and its relatives, which weight distances by their size or by the degrees of their ends."""

from __future__ import annotations

import math

from apsp.errors import RequestError
from apsp.reductions.float_sum import float_sum
from apsp.reductions.graph_measures import GraphMeasures
from apsp.reductions.moments import Moments

__all__ = ["WienerIndices"]


class WienerIndices(GraphMeasures):
    """Sums over all pairs, for `Summary`."""

    _moments: Moments

    def wiener_index(self) -> int | float:
        """Return the sum of all distances; in an undirected graph each unordered pair counts once.

        Returns
        -------
        int or float
            The sum; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> apsp.summary(graph).wiener_index()
        22
        """
        self._totals.feed.require_all("the Wiener index")
        if self.unreachable_pairs:
            return math.inf
        return self.total_distance if self.directed else _half(self.total_distance)

    def hyper_wiener_index(self) -> int | float:
        """Return the sum of all distances and their squares, each unordered pair counted once.

        Returns
        -------
        int or float
            The sum, exact for integers; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If the graph is directed, squares were not kept, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
        >>> apsp.summary(graph, measures="hyper_wiener_index").hyper_wiener_index()
        30
        """
        self._require_edges("hyper-Wiener")
        squares = self._moments.squares
        if squares is None:
            raise RequestError("sums of squares were not kept: pass measures='hyper_wiener_index' to the summary")
        return math.inf if self.unreachable_pairs else _half(self.total_distance + squares)

    def schultz_index(self) -> int | float:
        """Return the sum of each distance times the sum of the degrees of its ends, each unordered pair counted once.

        Returns
        -------
        int or float
            The sum, exact for integers; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If the graph is directed, degrees were not given, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
        >>> apsp.summary(graph, measures="schultz_index").schultz_index()
        28
        """
        self._require_edges("Schultz")
        degrees = self._moments.degrees
        if degrees is None:
            raise RequestError("degrees were not given: pass measures='schultz_index' to the summary")
        if self.unreachable_pairs:
            return math.inf
        terms = [factor * total for factor, total in zip(degrees.tolist(), self.farness().tolist(), strict=True)]
        return float_sum(terms) if any(isinstance(term, float) for term in terms) else sum(terms)

    def gutman_index(self) -> int | float:
        """Return the sum of each distance times both degrees of its ends, each unordered pair counted once.

        Returns
        -------
        int or float
            The sum, exact for integers; infinite if a pair has no path.

        Raises
        ------
        RequestError
            If the graph is directed, degrees were not given, or not all n rows were added.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], directed=False)
        >>> apsp.summary(graph, measures="gutman_index").gutman_index()
        19
        """
        self._require_edges("Gutman")
        products = self._moments.products
        if products is None:
            raise RequestError("degrees were not given: pass measures='gutman_index' to the summary")
        return math.inf if self.unreachable_pairs else _half(products)

    def _require_edges(self, name: str) -> None:
        if self.directed:
            raise RequestError(f"the {name} index is of undirected graphs")
        self._totals.feed.require_all(f"the {name} index")


def _half(total: float) -> int | float:
    """Half of a sum over ordered pairs: an integer if it is one."""
    return total // 2 if isinstance(total, int) and total % 2 == 0 else total / 2
