"""The choice of the vertices to search from, until bounds leave no vertex open whose eccentricity could decide.

The vertex with the largest upper bound may have the diameter, and raises the lower bounds of others; one with the
smallest lower bound may have the radius, and lowers the upper bounds. Both kinds are searched in turn. Of equal bounds,
sums of distances decide. The same choice is made for searches one after another on the CPU (searches_on_cpu.py), and
for batches on a GPU (searches_on_gpu.py), of which half are chosen at random among the open vertices: the vertices with
the largest bounds are often neighbours.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.bounds.implied import Implied
from apsp.methods.searches.few_sources import FewSources
from apsp.reductions.eccentricity_bounds import EccentricityBounds, Positions
from apsp.reductions.far_pairs import FarPairs

__all__ = ["LIMITS", "BoundedSearch", "ExtremeName", "SearchLimits", "Searches"]

ExtremeName = Literal["diameter", "periphery", "radius", "center", "eccentricity"]

_MANY_SEARCHES = 32
"""Searches after which the shape of the graph is looked at in any case."""


@dataclass(frozen=True)
class SearchLimits:
    """From where on few searches are better than all rows, and when they end.

    Attributes
    ----------
    smallest : int
        Vertices from which on searches one after another can be faster than all rows at once.
    densest : float
        Arcs per pair of vertices above which a search costs too much, compared with a row of all.
    before_components : int
        Searches before components are looked for.
    few_pairs : int
        Open vertices that are searched without a look at pairs.
    few_searches, stays, few_open : int, float, int
        Searches after which the shape of the graph is looked at, if the last ones left this share of the open vertices
        open; and open vertices from which on that is done.
    twins : float
        Share of the vertices that must have twins.
    shortest : int
        Vertices of a way or a chain from which on it is settled at once.
    deep : int
        Searches that may close the bounds of a graph with a large component.
    first : int
        Searches on the CPU that may be spent before the number of open vertices decides, beside a share of the
        vertices.
    few : int
        Open vertices that are searched one after another, however many searches were spent.
    word : int
        Open vertices from which on searches that share words of bits take less time than one after another.
    at_once, least_at_once : int
        Vertices of a round on a GPU: on a large one, searches from one take as long; and the least of them.
    most, fewest : int
        Rounds to spend at most, and those that are usually enough: with less, all rows are computed at once.
    share : float
        Of the seconds of all rows on a GPU: what bounds may take.
    """

    smallest: int = 4096
    densest: float = 1 / 16
    before_components: int = 8
    few_pairs: int = 4
    few_searches: int = 4
    stays: float = 0.9
    few_open: int = 64
    twins: float = 1 / 8
    shortest: int = 16
    deep: int = 8
    first: int = 16
    few: int = 64
    word: int = 16
    at_once: int = 64
    least_at_once: int = 8
    most: int = 12
    fewest: int = 3
    share: float = 1 / 10


LIMITS = SearchLimits()


class Searches(ABC):
    """Searches from vertices and to them, and the bounds from them.

    Attributes
    ----------
    bounds : EccentricityBounds
        Those after the first searches, and later ones.
    few : FewSources
        Searches on the CPU.
    count : int
        Vertices that were searched from.
    share : float
        Of the vertices, those that the first search met.
    at_once : int
        Vertices of a round, half of them for large and half of them for small eccentricities.
    """

    bounds: EccentricityBounds
    pairs: FarPairs
    few: FewSources
    count: int
    at_once: int
    share: float = 1.0

    @abstractmethod
    def add(self, vertices: npt.NDArray[np.int32]) -> None:
        """Search from vertices and to them, and bound others."""

    @abstractmethod
    def is_lost(self, remaining: int) -> bool:
        """Whether to compute the rows of so many open vertices at once."""

    @abstractmethod
    def is_end(self, remaining: int, closed: int, searched: int) -> bool:
        """Whether to search from the open vertices without a choice.

        Parameters
        ----------
        remaining : int
            Their number.
        closed, searched : int
            Vertices that the last round closed, and those that it searched from.
        """

    @abstractmethod
    def finish(self, remaining: Positions) -> None:
        """Search from some of the open vertices, or all."""


class BoundedSearch:
    """Rounds of searches."""

    def __init__(self, searches: Searches, names: tuple[ExtremeName, ...], limits: SearchLimits = LIMITS) -> None:
        self.searches = searches
        self.bounds = searches.bounds
        self.names = names
        self._limits = limits
        self._implied: Implied | None = None
        self._random = np.random.default_rng(0)

    def run(self, most: int | None = None) -> Positions:
        """Search until nothing is open, or too much for searches one after another, or for the most: return that.

        Parameters
        ----------
        most : int, optional
            Searches to spend at most, about: in pairs, or as many batches.
        """
        limit = None if most is None else most * self.searches.at_once // 2
        before, spent = self.bounds.graph.n, self.searches.count
        while True:
            far, near, remaining = self._open_now(before)
            count, closed, searched = len(remaining), before - len(remaining), self.searches.count - spent
            if not count or self.searches.is_lost(count) or (limit is not None and self.searches.count >= limit):
                return remaining
            before, spent = count, self.searches.count
            if self.searches.is_end(count, closed, searched):
                self.searches.finish(remaining)
            else:
                self._search(self._next(far, near))

    def _open_now(self, before: int) -> tuple[Positions, Positions, Positions]:
        """What is open of so many: for large eccentricities, for small ones, and in all."""
        far, near = self._open()
        remaining = _united(self.bounds.graph.n, far, near)
        limits = self._limits
        least = limits.few_searches if len(remaining) > limits.stays * before else _MANY_SEARCHES
        if self._implied is None and self.searches.count >= least and len(remaining) >= limits.few_open:
            self._implied = Implied(self.bounds, self.searches.few, limits.twins, limits.shortest)
        if self._implied is None or not self._implied.add_twins():
            return far, near, remaining
        far, near = self._open()
        return far, near, _united(self.bounds.graph.n, far, near)

    def _search(self, chosen: npt.NDArray[np.int32]) -> None:
        if self._implied is not None:
            chosen, searches = self._implied.settle(chosen)
            self.searches.count += searches
        if len(chosen):
            self.searches.add(chosen)

    def search_pair(self) -> None:
        """Search from a vertex with the diameter, if bounds proved that and no search has shown a pair."""
        bounds = self.bounds
        if bounds.farthest[0] < bounds.lower.max():
            self.searches.finish(np.array([bounds.lower.argmax()]))

    def _open(self) -> tuple[Positions, Positions]:
        bounds, names = self.bounds, self.names
        none = np.empty(0, dtype=np.int64)
        far, near = none, none
        if "eccentricity" in names:
            far = bounds.open_for_each()
        elif "diameter" in names or "periphery" in names:
            far = self._open_for_largest(all_of_them="periphery" in names)
        if "radius" in names or "center" in names:
            near = bounds.open_for_smallest(all_of_them="center" in names)
        return far, near

    def _open_for_largest(self, *, all_of_them: bool) -> Positions:
        bounds = self.bounds
        far = bounds.open_for_largest(all_of_them=all_of_them)
        if len(far) > self._limits.few_pairs:
            limit = int(bounds.lower.max()) - all_of_them
            bounds.limit(self.searches.pairs.within(far, limit), limit)
            far = bounds.open_for_largest(all_of_them=all_of_them)
        return far

    def _next(self, far: Positions, near: Positions) -> npt.NDArray[np.int32]:
        """The vertices of the next round: also of the kind of which none is open, since they bound the others."""
        bounds, each = self.bounds, max(self.searches.at_once // 2, 1)
        if not len(far) or not len(near):
            others = np.flatnonzero(~bounds.searched & (bounds.parts.part == bounds.parts.largest))
            if not len(others):  # of a graph without large components: any one, as near the middle as the ends
                others = self._random.choice(far if len(far) else near, 1)
            far, near = (far if len(far) else others), (near if len(near) else others)
        chosen = [
            self._best(vertices, bound, each, largest=largest)
            for vertices, bound, largest in ((far, bounds.upper, True), (near, bounds.lower, False))
            if len(vertices)
        ]
        return np.array(list(dict.fromkeys(np.concatenate(chosen).tolist())), dtype=np.int32)

    def _best(self, vertices: Positions, bound: npt.NDArray[Any], count: int, *, largest: bool) -> Positions:
        """Vertices with the largest (smallest) bound; of several with the largest (smallest) sum of distances.

        Of more than one, half are random ones.
        """
        total = self.bounds.total
        if count == 1:
            return np.array([_cpu.best_vertex(vertices, bound, total, largest)])
        if len(vertices) <= count:
            return vertices
        half = count // 2
        best = _extreme(bound[vertices], total[vertices], half, largest=largest)
        is_best = np.zeros(len(vertices), dtype=bool)
        is_best[best] = True
        others = self._random.choice(np.flatnonzero(~is_best), count - half, replace=False, shuffle=False)
        chosen: Positions = vertices[np.concatenate([best, others])]
        return chosen


def _extreme(values: npt.NDArray[Any], ties: npt.NDArray[Any], count: int, *, largest: bool) -> Positions:
    """The positions of the largest (smallest) values, among equal ones those with the largest (smallest) ties."""
    at = len(values) - count if largest else count - 1
    limit = np.partition(values, at)[at]
    sure = np.flatnonzero(values > limit if largest else values < limit)
    equal = np.flatnonzero(values == limit)
    left = count - len(sure)
    if left < len(equal):
        order = np.argpartition(ties[equal], len(equal) - left if largest else left - 1)
        equal = equal[order[len(equal) - left :] if largest else order[:left]]
    return np.concatenate([sure, equal])


def _united(n: int, one: Positions, other: Positions) -> Positions:
    """The vertices of either, without repetition."""
    if not len(one) or not len(other):
        return one if len(one) else other
    either = np.zeros(n, dtype=bool)
    either[one] = either[other] = True
    return np.flatnonzero(either)
