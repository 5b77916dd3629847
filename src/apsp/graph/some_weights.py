"""Weights of a few links or edges of a graph, with those of all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.arc_positions import arcs_between
from apsp.graph.arrays import arc_weight_array, number_array
from apsp.graph.links import kept_links

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["weights_with_edges", "weights_with_links"]


def weights_with_links(graph: Graph, numbers: Any, weights: Any) -> NumPyArray:
    """The weights (L,) of all links, with those of the links with these numbers replaced.

    Raises
    ------
    GraphError, RequestError
        If the graph keeps no links, a number is no link's or occurs twice, or the weights are not one per number.
    """
    links, chosen = kept_links(graph), number_array(numbers, "links")
    if chosen.size == 0:
        chosen = chosen.astype(np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise RequestError(
            f"links must be True, or the numbers of some links, not {shown(numbers)}: numpy.flatnonzero(mask) has the "
            "numbers of a mask"
        )
    wrong = np.flatnonzero((chosen < 0) | (chosen >= len(links)))
    if len(wrong):
        raise GraphError(f"there is no link {chosen[wrong[0]]}: the graph has {len(links):,} links, numbered from 0")
    chosen = chosen.astype(np.int64)
    order = np.sort(chosen)
    twice = order[1:][order[1:] == order[:-1]]
    if len(twice):
        raise GraphError(f"link {twice[0]} is named twice: give one weight per link")
    if isinstance(weights, Mapping):
        raise RequestError("weights by edge need no links: with_weights({(tail, head): weight})")
    given = arc_weight_array(weights, links.tails[chosen], links.heads[chosen], graph.labels)
    return _replaced(links.weights, len(links), chosen, given)


def weights_with_edges(graph: Graph, weights: Mapping[Any, Any]) -> NumPyArray:
    """The weights of all arcs (m,), or links (L,) if the graph keeps them, with those of some edges replaced.

    Raises
    ------
    GraphError
        If there is no such edge, or there are several links, or an edge has two weights.
    """
    ends = list(weights)
    for each in ends:
        if not (isinstance(each, tuple) and len(each) == 2):
            raise GraphError(f"weights by edge have pairs (tail, head) as keys, not {shown(each)}")
    tails, heads = (graph.labels.positions([pair[side] for pair in ends]).astype(np.int64) for side in (0, 1))
    arcs = arcs_between(graph.indptr, graph.indices, tails, heads)
    wrong = np.flatnonzero(arcs < 0)
    if len(wrong):
        raise GraphError(
            f"there is no edge from {graph.word(int(tails[wrong[0]]))} to {graph.word(int(heads[wrong[0]]))}: "
            "with_weights changes those of a graph, it adds none"
        )
    given, edges = arc_weight_array(list(weights.values()), tails, heads, graph.labels), np.arange(len(ends))
    if graph.links is not None:
        graph.links.check_single(graph, tails, heads)
        rows, count, old = graph.links.chosen[arcs].astype(np.int64), len(graph.links), graph.links.weights
    elif graph.directed:
        rows, count, old = arcs, graph.m, graph.weights
    else:
        back = arcs_between(graph.indptr, graph.indices, heads, tails)
        edges = np.concatenate([edges, np.flatnonzero(tails != heads)])
        rows, count, old = np.concatenate([arcs, back[edges[len(ends) :]]]), graph.m, graph.weights
        given = given[edges]
    order = np.argsort(rows, kind="stable")
    same = rows[order][1:] == rows[order][:-1]
    differs = np.flatnonzero(same & (given[order][1:] != given[order][:-1]))
    if len(differs):
        row = edges[order[differs[0]]]
        raise GraphError(
            f"the edge between {graph.word(int(tails[row]))} and {graph.word(int(heads[row]))} has two weights: it is "
            "the same in both directions"
        )
    return _replaced(old, count, rows, given)


def _replaced(old: NumPyArray | None, count: int, places: npt.NDArray[np.int64], given: NumPyArray) -> NumPyArray:
    """A copy of some weights with others in some places; its dtype is that of the old ones if it holds all exactly."""
    base = np.ones(count, dtype=np.int32) if old is None else old
    if not len(given):
        return base
    with np.errstate(all="ignore"):
        narrow = given.astype(base.dtype)
    if not (given.dtype.kind == "f" and base.dtype.kind != "f") and (narrow.astype(given.dtype) == given).all():
        changed, given = base.copy(), narrow
    else:
        changed = base.astype(np.result_type(base.dtype, given.dtype))
    changed[places] = given
    return changed
