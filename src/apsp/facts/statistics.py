"""The statistics of a graph for the planner, computed in one pass over the arcs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.facts.bounds import DistanceBound, coarse_bound, distance_bound
from apsp.facts.device_bounds import device_bound
from apsp.graph.device import DeviceGraph
from apsp.graph.equality import same_arcs
from apsp.graph.model import Graph
from apsp.graph.some_edges import SomeWeights
from apsp.system.cached import cached_property

__all__ = [
    "Fill",
    "GraphStatistics",
    "Nearness",
    "keep_statistics",
    "kept_statistics",
    "statistics_after",
    "statistics_of",
]

_FEW_NEIGHBOURS = 8
"""Largest degree of streets and grids."""

_SKEWED = 20.0
"""Multiple of the mean out-degree; random graphs stay below."""

_FEW = 0.01
"""Share of the arcs that may have changed for statistics of the old weights to be worth correcting."""

_NARROWER = (np.iinfo(np.uint16).max, np.iinfo(np.int32).max)

_KEPT, _KEPT_WITHOUT_SUMS, _KEPT_COARSE = "_statistics", "_statistics_without_sums", "_statistics_coarse"


@dataclass(frozen=True)
class Fill:
    """The size of the factor of a graph: known once its vertices have been ordered.

    Attributes
    ----------
    entries : int
        Values of the factor.
    nodes : int
        Supernodes of its tree.
    factor_pairs, row_pairs, climb_pairs : float
        (add, min) pairs: for the factor; for each row of distances down the tree, and up.
    """

    entries: int
    nodes: int
    factor_pairs: float
    row_pairs: float
    climb_pairs: float


@dataclass(frozen=True)
class Nearness:
    """What is within the cutoff of one request: known once some sources have been searched from.

    Attributes
    ----------
    reached : float
        Vertices within the cutoff of a source.
    seconds_once, seconds_row : float
        On one core, to find them: what is prepared once, and per source.
    bytes_work : int
        Host memory for that.
    """

    reached: float
    seconds_once: float
    seconds_row: float
    bytes_work: int


@dataclass(frozen=True)
class GraphStatistics:
    """Plain data about a graph; it has the same properties as `Graph`, so the registry can use it instead.

    Attributes
    ----------
    n, m : int
        Vertices and arcs; an undirected edge counts as two arcs.
    is_weighted : bool
        False if the graph counts hops.
    weight_dtype : str or None
        'int32', 'int64', 'float32', 'float64'; None if the graph counts hops.
    has_negative_arc, has_zero_arc, has_zones : bool
        As in `Graph`.
    min_weight, max_weight : int or float
        Over all arcs; 1 and 1 if the graph counts hops, 0 and 0 without arcs.
    max_out_degree : int
    bound : DistanceBound
        A proven bound of every finite (min,+) distance.
    is_directed : bool
    lies_on_gpu : bool
        The graph is a dense matrix in the memory of a GPU.
    fill : Fill or None
        None until separators have been searched for, and if there are no small ones.
    separators_sought : bool
        Whether separators have been searched for.
    mean_weight : float
        Of the absolute weights; 1 if the graph counts hops.
    near : Nearness or None
        None until it has been looked at.
    depth : int or None
        Estimate of the largest number of arcs of a path with the fewest arcs; None until the graph has been probed.
    reached : float
        Approximate share of the arcs that a search visits: a third in acyclic graphs; 1 until the graph has been
        probed.
    """

    n: int
    m: int
    is_weighted: bool
    weight_dtype: str | None
    has_negative_arc: bool
    has_zero_arc: bool
    has_zones: bool
    min_weight: int | float
    max_weight: int | float
    max_out_degree: int
    bound: DistanceBound
    is_directed: bool = True
    lies_on_gpu: bool = False
    fill: Fill | None = None
    separators_sought: bool = False
    near: Nearness | None = None
    mean_weight: float = 1.0
    depth: int | None = None
    reached: float = 1.0

    @property
    def has_integer_weights(self) -> bool:
        """Distances are integers: the weights are, or the graph counts hops."""
        return self.weight_dtype is None or self.weight_dtype.startswith("int")

    @property
    def density(self) -> float:
        """Arcs over ordered pairs of vertices, 0 to 1 (a little more with self-loops)."""
        return self.m / (self.n * (self.n - 1)) if self.n > 1 else 0.0

    @cached_property
    def out_degree_skew(self) -> float:
        """Largest out-degree over the mean one; 1 in a regular graph, large in social networks."""
        return self.max_out_degree * self.n / self.m if self.m else 1.0

    @property
    def has_equal_weights(self) -> bool:
        """All arcs have the same length."""
        return self.min_weight == self.max_weight

    @property
    def is_chain(self) -> bool:
        """Whether the graph is a ring, a path or a tree, or nearly so."""
        return self.m <= self.n * (1.05 if self.is_directed else 2.05)

    @cached_property
    def has_hubs(self) -> bool:
        """Whether some vertices have so many more neighbours than others that most paths pass through them."""
        return self.out_degree_skew >= _SKEWED

    @property
    def reached_arcs(self) -> float:
        """Arcs that a search visits. (In graphs with hubs some vertices reach few others; the models include this.)"""
        return self.m * (1.0 if self.has_hubs else self.reached)

    @property
    def reached_vertices(self) -> float:
        """Vertices that a search visits."""
        if self.has_hubs:
            return float(self.n)
        return self.n * (math.sqrt(self.reached) if self.is_directed else self.reached)

    @cached_property
    def likely_depth(self) -> float:
        """Arcs of the longest of the paths with fewest arcs: measured by a probe, or estimated from the degrees."""
        if self.depth is not None:
            return max(self.depth, 1)
        n = max(self.n, 2)
        if self.is_chain:
            return n / 2
        if self.max_out_degree <= _FEW_NEIGHBOURS and not self.is_directed:
            return 2 * math.sqrt(n)
        return 1 + 1.7 * math.log(n) / math.log(max(self.m / n, 2.0))

    @property
    def largest_weight(self) -> int | float:
        """The largest absolute value of a weight."""
        return max(abs(self.min_weight), abs(self.max_weight))


def statistics_of(graph: Graph, *, sums: bool = True, coarse: bool = False) -> GraphStatistics:
    """Take the statistics of a graph: O(m), and the cost of `distance_bound`.

    A graph never changes, so they are computed once and stored with it.

    Parameters
    ----------
    sums : bool
        Distances are sums of weights. Otherwise (widest and minimax paths) the weights bound them, and a negative cycle
        is not an error.
    coarse : bool
        The dtype is chosen already, and no arc is negative: without searches for the bound, unless it is known.

    Raises
    ------
    NegativeCycleError
        If the proof of the bound finds a negative cycle.
    """
    known = kept_statistics(graph, sums=sums, coarse=coarse)
    if known is not None:
        return known
    smallest, largest = graph.weight_range
    weight_dtype = graph.weight_dtype
    if not sums:
        bound = DistanceBound(smallest, largest, "every distance is a weight")
    elif coarse:
        bound = coarse_bound(graph)
    else:
        bound = device_bound(graph) if isinstance(graph, DeviceGraph) else distance_bound(graph)
    taken = GraphStatistics(
        n=graph.n,
        m=graph.m,
        is_weighted=graph.is_weighted,
        weight_dtype=None if weight_dtype is None else weight_dtype.name,
        has_negative_arc=graph.has_negative_arc,
        has_zero_arc=graph.has_zero_arc,
        has_zones=graph.has_zones,
        min_weight=smallest,
        max_weight=largest,
        max_out_degree=graph.max_out_degree,
        bound=bound,
        is_directed=graph.directed,
        lies_on_gpu=isinstance(graph, DeviceGraph),
        mean_weight=graph.mean_weight,
    )
    keep_statistics(graph, taken, sums=sums)
    return taken


def statistics_after(
    old: Graph, new: Graph, longest: Callable[[], float], some: SomeWeights | None = None, *, coarse: bool = False
) -> GraphStatistics | None:
    """The statistics of a graph with the same arcs as another one, without a search.

    A distance grows by at most the sum of all increases, and shrinks by at most that of all decreases.

    Parameters
    ----------
    longest : callable
        Some distance in the old graph, better a long one.
    some : SomeWeights, optional
        In what they differ, if it is known.
    coarse : bool
        The dtype is chosen already: the bound may be coarse.

    Returns
    -------
    GraphStatistics or None
        None if those of the old graph are unknown, if arcs or many weights differ or some are negative, or if a
        narrower dtype than the bound allows may hold all distances; then the bound is coarse if it may be.
    """
    known = kept_statistics(old, coarse=coarse)
    if known is None or old.weight_dtype != new.weight_dtype or old.has_negative_arc or new.has_negative_arc:
        return None
    if some is not None:
        if not some.have_paths:
            return None
        before, after = some.before, some.weights
    else:
        changed = _changed_arcs(old, new)
        if changed is None or len(changed) > _FEW * new.m:
            return None
        assert old.weights is not None
        assert new.weights is not None
        before, after = old.weights[changed], new.weights[changed]
    wide: Any = np.int64 if known.has_integer_weights else np.float64
    grown = after.astype(wide) - before.astype(wide)
    growth: int | float = sum(grown[grown > 0].tolist())
    shrinkage, high = -sum(grown[grown < 0].tolist()), known.bound.high
    least, is_coarse = known.bound.least - shrinkage, known.bound.is_coarse
    if known.has_integer_weights and any(most < high for most in _NARROWER):
        if any(least <= most < high for most in _NARROWER):
            least = longest() - shrinkage
        if any(least <= most < high for most in _NARROWER):
            if not coarse:
                return None
            is_coarse = True
    if not known.has_integer_weights:
        growth *= 1 + new.n * float(np.finfo(after.dtype).eps)  # the rounding of the sums
    smallest, largest = new.weight_range
    why = "the bound for earlier weights, and the growth of arcs since then"
    return dataclasses.replace(
        known, min_weight=smallest, max_weight=largest, has_zero_arc=new.has_zero_arc, mean_weight=new.mean_weight,
        bound=DistanceBound(0, high + growth, why, least=max(least, 0), is_coarse=is_coarse),
    )  # fmt: skip


def _changed_arcs(old: Graph, new: Graph) -> npt.NDArray[np.int64] | None:
    """The arcs of two graphs whose weights differ; None if the graphs have other arcs, or no weights."""
    if old.weights is None or new.weights is None or not same_arcs(old, new):
        return None
    return np.flatnonzero(old.weights != new.weights)


def kept_statistics(graph: Graph, *, sums: bool = True, coarse: bool = False) -> GraphStatistics | None:
    """The statistics that are stored with the graph, if there are any; `coarse`: also those with a coarse bound."""
    known = graph.__dict__.get(_KEPT if sums else _KEPT_WITHOUT_SUMS)
    if known is None and coarse:
        known = graph.__dict__.get(_KEPT_COARSE)
    return known if isinstance(known, GraphStatistics) else None


def keep_statistics(graph: Graph, statistics: GraphStatistics, *, sums: bool = True) -> None:
    """Store the statistics with the graph, for the next plan."""
    key = _KEPT if sums else _KEPT_WITHOUT_SUMS
    graph.__dict__[_KEPT_COARSE if statistics.bound.is_coarse else key] = statistics
