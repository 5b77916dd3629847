"""A few links or edges of a graph: others weights for them, or the graph without them."""

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

__all__ = ["rows_without", "weights_with_edges", "weights_with_links"]

Ints = npt.NDArray[np.int64]


def weights_with_links(graph: Graph, numbers: Any, weights: Any) -> NumPyArray:
    """The weights (L,) of all links, with those of the links with these numbers replaced.

    Raises
    ------
    GraphError, RequestError
        If the graph keeps no links, a number is no link's or occurs twice, or the weights are not one per number.
    """
    links, chosen = kept_links(graph), _link_numbers(graph, numbers)
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
    tails, heads = _ends(graph, list(weights))
    rows, edges = _rows_of(graph, tails, heads)
    given = arc_weight_array(list(weights.values()), tails, heads, graph.labels)[edges]
    order = np.argsort(rows, kind="stable")
    same = rows[order][1:] == rows[order][:-1]
    differs = np.flatnonzero(same & (given[order][1:] != given[order][:-1]))
    if len(differs):
        edge = edges[order[differs[0]]]
        raise GraphError(
            f"the edge between {graph.word(int(tails[edge]))} and {graph.word(int(heads[edge]))} has two weights: it "
            "is the same in both directions"
        )
    if graph.links is None:
        return _replaced(graph.weights, graph.m, rows, given)
    return _replaced(graph.links.weights, len(graph.links), rows, given)


def rows_without(graph: Graph, edges: Any, *, links: bool) -> Ints:
    """The positions of the arcs, or the numbers of the links if the graph keeps them, that are none of some edges.

    Parameters
    ----------
    edges : sequence of pairs, or of numbers of links
    links : bool
        They are numbers.

    Raises
    ------
    GraphError, RequestError
        If an edge or a link does not exist, or there are several links.
    """
    if links:
        chosen = _link_numbers(graph, edges)
    else:
        if isinstance(edges, (str, bytes)) or not hasattr(edges, "__iter__"):
            raise RequestError(f"edges must be a sequence of pairs (tail, head), not {shown(edges)}")
        pairs = edges.tolist() if isinstance(edges, np.ndarray) else list(edges)
        chosen = _rows_of(graph, *_ends(graph, [tuple(each) if isinstance(each, list) else each for each in pairs]))[0]
    stays = np.ones(graph.m if graph.links is None else len(graph.links), dtype=bool)
    stays[chosen] = False
    return np.flatnonzero(stays)


def _link_numbers(graph: Graph, numbers: Any) -> Ints:
    links, chosen = kept_links(graph), number_array(numbers, "links")
    if chosen.size == 0:
        chosen = chosen.astype(np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
        raise RequestError(
            f"links must be numbers of links, not {shown(numbers)}: numpy.flatnonzero(mask) has those of a mask"
        )
    wrong = np.flatnonzero((chosen < 0) | (chosen >= len(links)))
    if len(wrong):
        raise GraphError(f"there is no link {chosen[wrong[0]]}: the graph has {len(links):,} links, numbered from 0")
    return chosen.astype(np.int64)


def _ends(graph: Graph, pairs: list[Any]) -> tuple[Ints, Ints]:
    """The positions of the ends of edges."""
    for each in pairs:
        if not (isinstance(each, tuple) and len(each) == 2):
            raise GraphError(f"edges are pairs (tail, head), not {shown(each)}")
    tails, heads = (graph.labels.positions([pair[side] for pair in pairs]).astype(np.int64) for side in (0, 1))
    return tails, heads


def _rows_of(graph: Graph, tails: Ints, heads: Ints) -> tuple[Ints, Ints]:
    """The arcs, both of each edge if the graph is undirected, or the links if the graph keeps them; and which of the
    edges each is of.
    """
    arcs, edges = arcs_between(graph.indptr, graph.indices, tails, heads), np.arange(len(tails))
    wrong = np.flatnonzero(arcs < 0)
    if len(wrong):
        edge = wrong[0]
        raise GraphError(
            f"there is no edge from {graph.word(int(tails[edge]))} to {graph.word(int(heads[edge]))} in this graph"
        )
    if graph.links is not None:
        graph.links.check_single(graph, tails, heads)
        return graph.links.chosen[arcs].astype(np.int64), edges
    if graph.directed:
        return arcs, edges
    both = np.flatnonzero(tails != heads)
    back = arcs_between(graph.indptr, graph.indices, heads[both], tails[both])
    return np.concatenate([arcs, back]), np.concatenate([edges, both])


def _replaced(old: NumPyArray | None, count: int, places: Ints, given: NumPyArray) -> NumPyArray:
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
