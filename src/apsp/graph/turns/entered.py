"""The streets that paths enter from where they have arrived: from vertices, and from copies of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.graph.arc_positions import arcs_between, arcs_of
from apsp.graph.turns.uses import uses_of

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.turns.expansion import Ways

__all__ = ["Entered", "WaysOfStates", "check_entered", "entered", "streets_of"]

Ints = npt.NDArray[np.int64]


class Entered(NamedTuple):
    """Arcs that paths enter.

    Attributes
    ----------
    which : (k,) integers
        The number of the pair of a source and a vertex (or a copy) that each is entered from.
    arcs : (k,) int64
        Of the graph without turns.
    others : (k,) int64 or None
        0 for the link of the arc, and another number for each link that is parallel to it, which may be entered where
        there are turns; each from several copies of a vertex. None: each arc is entered once from each vertex.
    distances : (k,) numbers
        At the beginning of the arc, after the penalty of the movement.
    lengths : (k,) float64
    """

    which: Ints
    arcs: Ints
    others: Ints | None
    distances: npt.NDArray[Any]
    lengths: npt.NDArray[np.float64]


class WaysOfStates(NamedTuple):
    """The ways of an expanded graph by the state that they leave; those of state s are indptr[s] .. indptr[s + 1] - 1.

    Attributes
    ----------
    indptr : (n' + 1,) int64
    arcs, others : (w,) int64
        As of `Entered`.
    penalties : (w,) numbers
        Of the kind of the distances.
    lengths : (w,) float64
        Without penalties.
    """

    indptr: Ints
    arcs: Ints
    others: Ints
    penalties: NumPyArray
    lengths: npt.NDArray[np.float64]

    @classmethod
    def of(cls, graph: Graph, expanded: Graph, ways: Ways) -> WaysOfStates:
        """Those of the ways of a graph."""
        uses = uses_of(graph)
        arcs = arcs_between(graph.indptr, graph.indices, uses.tails, uses.heads)
        best = uses.links if graph.links is None else graph.links.chosen[arcs]
        others = np.where(uses.links == best, 0, uses.links + 1)
        counts = np.bincount(ways.tails, minlength=len(ways.vertices))
        kind = np.int64 if expanded.has_integer_weights else np.float64
        return cls(
            np.concatenate([[0], np.cumsum(counts)]), arcs[ways.uses], others[ways.uses],
            ways.penalties.astype(kind), uses.weights[ways.uses].astype(np.float64),
        )  # fmt: skip


def streets_of(graph: Graph) -> Graph:
    """The graph whose arcs are streets, and their parts at places: without turns."""
    return graph if graph._turned is None else graph._turned.streets


def check_entered(graph: Graph) -> None:
    """Check that it is known which streets paths enter.

    Raises
    ------
    RequestError
        If the graph has turns, and is reversed, or was given with places as vertices.
    """
    turned = graph._turned
    if turned is not None and turned.is_reversed:
        raise RequestError("streets are reached along their direction where there are turns: not on a reversed graph")
    if turned is not None and turned.has_places and turned.placed_streets is None:
        raise RequestError(
            "this graph has places as vertices, and turns: give the graph with turns itself, and the places as sources"
        )


def entered(
    graph: Graph, vertices: npt.NDArray[np.int32], distances: npt.NDArray[Any], is_source: npt.NDArray[np.bool_]
) -> Entered:
    """The arcs that paths enter from vertices, and from copies, at some distances.

    Parameters
    ----------
    is_source : (P,) bool
        Whether the path begins there: through other zones none leads.
    """
    leads_on = np.arange(len(vertices)) if graph.zones is None else np.flatnonzero(~graph.zones[vertices] | is_source)
    if graph._turned is None:
        every, arcs = arcs_of(graph.indptr, vertices[leads_on])
        lengths = np.ones(len(arcs)) if graph.weights is None else graph.weights[arcs].astype(np.float64)
        which = leads_on[every]
        return Entered(which, arcs, None, distances[which], lengths)
    ways = graph._turned.ways
    every, way = arcs_of(ways.indptr, vertices[leads_on])
    which = leads_on[every]
    later = distances[which].astype(ways.penalties.dtype) + ways.penalties[way]
    return Entered(which, ways.arcs[way], ways.others[way], later, ways.lengths[way])
