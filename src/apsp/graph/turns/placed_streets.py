"""The streets of a graph with turns and places: whole ones, and the parts that paths enter from places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.arc_positions import arcs_between, arcs_of
from apsp.graph.turns.entered import WaysOfStates

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.places.placed import PlacedGraph
    from apsp.graph.turns.turn_graph import TurnGraph

__all__ = ["PlacedStreets"]

Ints = npt.NDArray[np.int64]


class PlacedStreets(NamedTuple):
    """What paths enter in a graph with turns that has places as vertices.

    Attributes
    ----------
    graph : Graph
        Without turns, with the same places as vertices: its arcs are the streets, and their parts.
    ways : WaysOfStates
        By the vertices of the graph with turns and places; the arcs are those of `graph`.
    """

    graph: Graph
    ways: WaysOfStates

    @classmethod
    def of(cls, wide: Graph, whole: TurnGraph, streets: PlacedGraph) -> PlacedStreets:
        """That of a graph with turns to which places were added, from the graph without turns with the same places."""
        again = wide.labels.again.astype(np.int64)  # type: ignore[attr-defined]
        first, copies = wide.n - len(again), whole.expanded.n - whole.n
        owners, states = np.arange(wide.n), np.full(wide.n, -1)
        states[: whole.n] = np.arange(whole.n)
        owners[first : first + copies] = whole.vertices[whole.n :]
        states[first : first + copies] = whole.n + np.arange(copies)
        further = first + copies + np.arange(len(again) - copies)
        is_beside = again[copies:] >= whole.n  # the others are at vertices where paths begin along any street
        owners[further] = np.where(is_beside, first + np.cumsum(is_beside) - 1, -1)
        states[further[~is_beside]] = again[copies:][~is_beside]
        parts = _of_states(states, whole._ways_of_states, streets), _of_places(wide, owners, states, streets)
        return cls(streets.graph, _joined(wide.n, *parts))


def _of_states(states: Ints, ways: WaysOfStates, streets: PlacedGraph) -> tuple[npt.NDArray[np.generic], ...]:
    """The ways from vertices and copies, whose arcs have moved."""
    some = np.flatnonzero(states >= 0)
    which, way = arcs_of(ways.indptr, states[some].astype(np.int32))
    arcs = ways.arcs[way]
    moved = arcs + np.searchsorted(streets.at, arcs, side="right")
    return some[which], moved, ways.others[way], ways.penalties[way].astype(np.float64), ways.lengths[way]


def _of_places(wide: Graph, owners: Ints, states: Ints, streets: PlacedGraph) -> tuple[npt.NDArray[np.generic], ...]:
    """The ways from places, and from where they are on their streets: of two along one arc the shorter."""
    assert wide.weights is not None
    places = np.flatnonzero((states < 0) & (owners >= 0))
    which, arcs = arcs_of(wide.indptr, places.astype(np.int32))
    leads = owners[wide.indices[arcs]] >= 0
    tails, arcs = places[which[leads]], arcs[leads]
    lengths = wide.weights[arcs].astype(np.float64)
    graph = streets.graph
    found = arcs_between(graph.indptr, graph.indices, owners[tails], owners[wide.indices[arcs]])
    order = np.lexsort([lengths, found])
    order = order[np.diff(found[order], prepend=-1) > 0]
    zero = np.zeros(len(order), np.int64)
    return tails[order], found[order], zero, zero.astype(np.float64), lengths[order]


def _joined(n: int, *parts: tuple[npt.NDArray[np.generic], ...]) -> WaysOfStates:
    tails, *columns = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.argsort(tails, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails.astype(np.int64), minlength=n))])
    return WaysOfStates(indptr, *(each[order] for each in columns))
