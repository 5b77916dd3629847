"""The roads at the vertices that a route passes, and which of them may be entered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.arc_positions import arcs_of
from apsp.graph.model import Graph
from apsp.graph.places.frames import Frame
from apsp.graph.turns.angles import directions
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.uses import Uses, uses_of
from apsp.system.cached import cached_property

__all__ = ["Crossing", "Crossings", "whole_degrees"]

Ints = npt.NDArray[np.int64]


class Crossing(NamedTuple):
    """The roads at a vertex, by their directions.

    Attributes
    ----------
    bearings : list of int
        Degrees clockwise from the north, from 0 to 359.
    entry : list of bool
        Whether a path that arrives may go on along each.
    """

    bearings: list[int]
    entry: list[bool]

    def roads(self, arriving: float, leaving: float) -> dict[str, int]:
        """The numbers of the roads (`in`, `out`) that a path comes and goes along, by their directions.

        They are left out where no road has such a direction: where two vertices are at one point, or the directions of
        a street are two links with lines of their own.
        """
        found = {}
        for name, bearing, every in (("in", arriving, True), ("out", leaving, False)):
            apart = [
                abs((road - bearing + 180) % 360 - 180) if every or may else 360.0
                for road, may in zip(self.bearings, self.entry, strict=True)
            ]
            if min(apart, default=360.0) <= 1:
                found[name] = apart.index(min(apart))
        return found


def whole_degrees(bearing: float) -> int:
    """A direction as an integer from 0 to 359."""
    return round(bearing) % 360


class Crossings:
    """The roads at the vertices of a graph with coordinates, which may have turns.

    Parameters
    ----------
    graph : Graph
    frame : Frame
        Of its coordinates.
    """

    def __init__(self, graph: Graph, frame: Frame) -> None:
        self._graph, self._streets, self._frame = graph, streets_of(graph), frame

    @cached_property
    def _uses(self) -> Uses:
        return uses_of(self._streets)

    @cached_property
    def _entering(self) -> tuple[Ints, Ints]:
        """The uses of one-way links by their head: those of vertex v are uses[indptr[v] : indptr[v + 1]]."""
        uses = self._uses
        along, against = uses.of_links()
        both = np.concatenate([along, against])
        some = both[np.concatenate([against < 0, along < 0]) & (both >= 0)]
        some = some[uses.tails[some] != uses.heads[some]]
        order = some[np.argsort(uses.heads[some], kind="stable")]
        counts = np.bincount(uses.heads[some], minlength=self._streets.n)
        return np.concatenate([[0], np.cumsum(counts)]), order

    def at(self, vertices: npt.NDArray[np.int32], states: npt.NDArray[np.int32]) -> list[Crossing]:
        """The roads at some vertices.

        Parameters
        ----------
        states : (k,) int32
            Where paths arrive in the graph with turns; otherwise the vertices.
        """
        uses, (indptr, entering) = self._uses, self._entering
        leaving = arcs_of(uses.indptr, vertices)
        arriving = arcs_of(indptr, vertices)
        into = entering[arriving[1]]
        which = np.concatenate([leaving[0], arriving[0]])
        number = np.concatenate([leaving[1], into])
        is_back = np.arange(len(which)) >= len(leaving[0])
        tails, heads = (np.where(is_back, a[number], b[number]) for a, b in
                        ((uses.heads, uses.tails), (uses.tails, uses.heads)))  # fmt: skip
        against = uses.is_against[number] != is_back
        roads = Uses(uses.rows, uses.indptr, tails, heads, uses.links[number], against, uses.weights[number])
        bearings = directions(self._streets, roads, self._frame)
        found: list[dict[tuple[int, int], bool]] = [{} for _ in vertices]
        allowed = ~is_back & self._may_follow(states, which, number)
        for crossing, head, bearing, may in zip(
            which.tolist(), heads.tolist(), bearings.tolist(), allowed.tolist(), strict=True
        ):
            if bearing == bearing:
                road = whole_degrees(bearing), head  # a street of two one-way links is one road
                found[crossing][road] = may or found[crossing].get(road, False)
        return [Crossing([road[0] for road in sorted(each)], [each[road] for road in sorted(each)]) for each in found]

    def _may_follow(self, states: npt.NDArray[np.int32], which: Ints, uses: Ints) -> npt.NDArray[np.bool_]:
        """Whether paths that arrive may go on along some uses, which[i] of states[which[i]]."""
        turned = self._graph._turned
        if turned is None:
            return np.ones(len(which), dtype=bool)
        whole = turned.whole
        state, ways = arcs_of(whole._ways_of_states.indptr, states)
        count = len(self._uses)
        return np.isin(which * count + uses, state * count + whole._ways.uses[ways])
