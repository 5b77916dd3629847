"""The paths of pairs that no other path beats in two costs.

Source: Hernández Ulloa, Yeoh, Baier, Zhang, Suazo and Koenig 2020, "A simple and fast bi-objective search algorithm"
(BOA*). Input: two costs of at least 0 of each link. Cost: two searches from the target, which end where no path of the
pair leads; then a label, and the logarithm of their number, for each pair of costs of a path to some vertex that no
other path to it beats, and that lower bounds do not exclude.
Correction: the paper tests in constant time whether a label is beaten, which needs labels in the order of their first
cost. Rounded lower bounds of floats disturb this order; then all pairs of costs of a vertex are kept, and searched.
Sums of floats are monotone: of two paths to a vertex the one that is beaten is beaten on every way on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError, MemoryLimitError, RequestError, shown
from apsp.graph.costs import NO_COSTS, named_cost
from apsp.graph.links import Rows
from apsp.graph.model import Graph
from apsp.graph.places.path_steps import are_told_apart
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result.many_paths import ManyPaths
from apsp.result.pareto_paths import ParetoPaths
from apsp.system.machine import Machine, refuse_unless_fits, usable

__all__ = ["MOST_LABELS", "ParetoSearch"]

MOST_LABELS = 2**32 - 2
"""Labels of a pair are numbered in 32 bits."""

_LABEL_BYTES = 112
"""Of the kernel, which holds labels and their heap twice for a moment."""

_ARC_BYTES, _THREAD_BYTES = 60, 120
"""Of the kernel, per arc, and per vertex and thread."""

_LONGEST = 2**61
_EXACT = 2**53
"""Sums of whole numbers below this are exact in float64."""


class _Arcs(NamedTuple):
    """The links as arcs, by tails; parallel ones are all there.

    Attributes
    ----------
    indptr, heads : (n + 1,) int64, (m,) int32
    weights, costs : (m,) array or None
        None counts arcs.
    links : (m,) integers or None
        The number of the link of each arc; None if the graph keeps none.
    """

    indptr: npt.NDArray[np.int64]
    heads: IntArray
    weights: npt.NDArray[Any] | None
    costs: npt.NDArray[Any]
    links: npt.NDArray[Any] | None


class ParetoSearch:
    """Finds the paths of pairs of positions that no other path beats in the weights and a cost.

    Parameters
    ----------
    graph : Graph
    cost : str
        The name of the cost.

    Raises
    ------
    RequestError
        If the graph has no cost of this name, or a weight or a cost is negative.
    DtypeRangeError
        If a path may cost more than 2^61.
    """

    def __init__(self, graph: Graph, cost: str) -> None:
        self._graph, self._cost = graph, cost
        self._given = _arcs_of(graph, cost)
        indptr, heads, weights, costs, _ = self._given
        first = np.ones(len(heads), np.int64) if weights is None else _comparable(weights, "the weights", graph.n)
        self._second = _comparable(costs, f"the cost {shown(cost)}", graph.n)
        self._arcs = _cpu.ArcArrays(indptr, heads, first, graph.zones if graph.has_zones else None)

    def find(
        self, sources: IntArray, targets: IntArray, most: int, *, threads: int, progress: KernelProgress | None
    ) -> ParetoPaths:
        """Return the paths of each pair, ascending by their weights.

        Parameters
        ----------
        sources, targets : (pairs,) int32
        most : int
            Labels of a pair.

        Raises
        ------
        RequestError
            If a pair has more labels.
        MemoryLimitError
            If they do not fit into memory.
        """
        graph = self._graph
        fixed = _ARC_BYTES * len(self._given.heads) + _THREAD_BYTES * graph.n * min(threads, max(len(sources), 1))
        what = f"the search for the paths of {len(sources):,} pairs"
        refuse_unless_fits(fixed, what, "fewer threads")
        available = usable(Machine.detect())
        try:
            counts, first, second, offsets, vertices, arcs = _cpu.pareto_paths(
                self._arcs, costs=self._second, sources=sources, targets=targets, most_labels=most,
                most_bytes=max(available - fixed, 0), threads=threads, progress=progress,
            )  # fmt: skip
        except OverflowError as error:
            pair = int(str(error))
            raise RequestError(
                f"the search from {graph.word(int(sources[pair]))} to {graph.word(int(targets[pair]))} has more than "
                f"most={most:,} labels: the number of paths that no other beats may be exponential. A larger most= "
                f"allows more, {_LABEL_BYTES} bytes each, and coarser costs (multiples of a unit) need fewer"
            ) from None
        except MemoryError:
            remedies = ("fewer pairs at a time", "fewer threads", "coarser costs (multiples of a unit)")
            raise MemoryLimitError(what, available + 1, available, remedies) from None
        links = None if self._given.links is None else self._given.links[arcs].astype(np.int32)
        paths = ManyPaths(
            offsets, vertices, _as_given(first, self._given.weights), graph.labels, graph=graph,
            pair_offsets=np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]),
            links_between=links if are_told_apart(graph) else None,
        )  # fmt: skip
        return ParetoPaths(paths, _as_given(second, self._given.costs), self._cost, links)


def _arcs_of(graph: Graph, cost: str) -> _Arcs:
    values = named_cost(graph.costs, cost, "cost")
    links = graph.links
    if links is None or not links.are_parallel:
        return _Arcs(graph.indptr, graph.indices, graph.weights, values, None if links is None else links.chosen)
    both_ways = links.one_way if graph.directed else np.zeros(len(links), dtype=bool)
    tails, heads, numbers = Rows(links.tails, links.heads, None, NO_COSTS, both_ways).arcs()
    order = np.argsort(tails, kind="stable")
    numbers = order if numbers is None else numbers[order]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=graph.n), dtype=np.int64)])
    weights = None if links.weights is None else links.weights[numbers]
    return _Arcs(indptr, heads[order], weights, named_cost(links.costs, cost, "cost")[numbers], numbers)


def _comparable(values: npt.NDArray[Any], what: str, n: int) -> npt.NDArray[Any]:
    """The same in int64 if sums are exact in it, and in float64 otherwise."""
    if len(values) and values.min() < 0:
        raise RequestError(f"{what} of the graph are negative somewhere: paths are compared by costs of at least 0")
    most = values.max(initial=0).item() * max(n - 1, 1)
    if values.dtype.kind == "f":
        is_whole = most < _EXACT and bool((values == np.rint(values)).all())
        return values.astype(np.int64 if is_whole else np.float64)
    if most >= _LONGEST:
        raise DtypeRangeError(f"{what}: paths may cost more than 2^61; use floats")
    return values.astype(np.int64)


def _as_given(sums: npt.NDArray[Any], values: npt.NDArray[Any] | None) -> npt.NDArray[Any]:
    """Sums in int64, or of floats in their width."""
    if values is None or values.dtype.kind != "f":
        return sums
    with np.errstate(over="ignore"):
        return sums.astype(values.dtype)
