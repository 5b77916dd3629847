"""The dtype of the distances of an oracle whose graph changes: as a rule that of before, without a search.

Few new weights: the bound grows by what the arcs grow. All weights: each path with the fewest arcs is no longer than so
many of the longest arc, which holds for any weights of the same arcs. Whether a narrower dtype would do, the new factor
tells: one of its distances shows that none does.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from apsp.errors import DtypeRangeError
from apsp.facts.bounds import DistanceBound, most_hops
from apsp.facts.dtypes import choose_dtype, may_be_narrower
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics, keep_statistics, kept_statistics, statistics_after, statistics_of
from apsp.graph.equality import shared
from apsp.graph.model import Graph
from apsp.graph.some_edges import SomeWeights
from apsp.methods.elimination.factor import Factor

__all__ = ["DtypeAfter", "dtype_after"]


class DtypeAfter(NamedTuple):
    """The dtype of the distances after a change.

    Attributes
    ----------
    dtype : dtype
    rough : GraphStatistics or None
        None if it is the narrowest one. Otherwise those of the graph if no narrower dtype does.
    is_named : bool
        The request names the dtype.
    """

    dtype: np.dtype[Any]
    rough: GraphStatistics | None = None
    is_named: bool = False

    def is_confirmed(self, graph: Graph, longest: Callable[[], float]) -> bool:
        """Whether the dtype is named, or the narrowest, as some distance shows; then the statistics are kept."""
        if self.rough is None:
            return True
        distance = longest()
        is_narrowest = not may_be_narrower(self.dtype, distance)
        if is_narrowest or self.is_named:
            bound = dataclasses.replace(self.rough.bound, least=distance, is_coarse=not is_narrowest)
            keep_statistics(graph, dataclasses.replace(self.rough, bound=bound))
        return is_narrowest or self.is_named


def dtype_after(
    old: Factor, graph: Graph, request: Request, some: SomeWeights | None, longest: Callable[[], float]
) -> DtypeAfter:
    """Return the dtype of the distances of a graph of the same vertices, without a search if it stays that of `old`.

    Parameters
    ----------
    some : SomeWeights or None
        In what the graph differs from that of `old`, if it is known.
    longest : callable
        Some distance in the graph of `old`, better a long one.

    Raises
    ------
    DtypeRangeError, NegativeCycleError
    """
    is_named = request.dtype != "auto"
    after = statistics_after(old.graph, graph, longest, some, coarse=is_named)
    with contextlib.suppress(DtypeRangeError):
        if after is not None and choose_dtype(after, request)[0] == old.dtype.name:
            keep_statistics(graph, after)
            return DtypeAfter(old.dtype)
        if some is not None and not some.have_paths and not graph.has_negative_arc:
            rough = statistics_of(graph, coarse=True)
            if choose_dtype(rough, request)[0] == old.dtype.name:
                if not some.are_closed:
                    return DtypeAfter(old.dtype, rough, is_named)
                if is_named or not may_be_narrower(old.dtype, longest()):  # distances grow where edges are closed
                    return DtypeAfter(old.dtype)
        if (
            some is None
            and (known := _rough(old, graph, coarse=is_named))
            and choose_dtype(known, request)[0] == old.dtype.name
        ):
            return DtypeAfter(old.dtype, known, is_named)
    return DtypeAfter(np.dtype(choose_dtype(statistics_of(graph), request)[0]))


def _rough(old: Factor, graph: Graph, *, coarse: bool) -> GraphStatistics | None:
    """The statistics of a graph with the arcs of another one, by the arcs of its paths; None if these are not known."""
    known, dtype = kept_statistics(old.graph, coarse=coarse), graph.weight_dtype
    if (
        known is None
        or dtype is None
        or dtype.kind != "i"
        or graph.has_negative_arc
        or kept_statistics(graph) is not None
    ):
        return None
    if not shared(graph.indices, old.graph.indices):
        return None
    hops = _hops(old)
    if hops is None:
        return None
    smallest, largest = graph.weight_range
    reason = f"the longest arc times {hops:,}, the arcs of a path between any two vertices"
    return dataclasses.replace(
        known, is_weighted=True, weight_dtype=dtype.name, has_negative_arc=False, has_zero_arc=graph.has_zero_arc,
        min_weight=smallest, max_weight=largest, mean_weight=graph.mean_weight,
        bound=DistanceBound(0, hops * largest, reason),
    )  # fmt: skip


def _hops(factor: Factor) -> int | None:
    """`most_hops`, stored with the tree: it does not depend on the weights."""
    known = factor.tree.__dict__.get("_most_hops")
    if known is None or not shared(known[0], factor.graph.indices):
        known = factor.graph.indices, most_hops(factor.graph)
        factor.tree.__dict__["_most_hops"] = known
    hops: int | None = known[1]
    return hops
