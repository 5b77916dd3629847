"""Places on the streets of a graph with turns, as parts of links: a movement from or to a part is that of the link."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.arc_positions import arcs_between, arcs_of
from apsp.graph.places.ends import Ends
from apsp.graph.places.joins import PlaceStreets, joins_of
from apsp.graph.places.places import Places
from apsp.graph.places.streets import opposite_arcs
from apsp.graph.turns.uses import Uses, uses_of

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.turns.expansion import Ways

__all__ = ["TurnedStreets"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class TurnedStreets(NamedTuple):
    """What places need of an expansion.

    Attributes
    ----------
    graph : Graph
        Without turns.
    use_of_arc : (m,) int64
        The use of the best open link of each arc of the graph; -1 if all of its links are closed.
    links : (k,) int64
        The link of each use.
    into : (k,) int64
        The state in which each use ends where a path begins with it.
    indptr, states, penalties : (k + 1,), (w,), (w,)
        The states from which use u is entered are states[indptr[u] : indptr[u + 1]].
    copies, of_vertex : (n + 1,), (c,) int64
        The copies of vertex v are of_vertex[copies[v] : copies[v + 1]].
    """

    graph: Graph
    use_of_arc: Ints
    links: Ints
    into: Ints
    indptr: Ints
    states: Ints
    penalties: Floats
    copies: Ints
    of_vertex: Ints

    @classmethod
    def of(cls, graph: Graph, ways: Ways) -> TurnedStreets:
        """That of the ways of a graph."""
        uses = uses_of(graph)
        order = np.argsort(ways.uses, kind="stable")
        made = np.argsort(ways.vertices[graph.n :], kind="stable")
        counts = np.bincount(ways.vertices[graph.n :], minlength=graph.n)
        return cls(
            graph, _best_uses(graph, uses, ways), uses.links, ways.into,
            _starts(np.bincount(ways.uses, minlength=len(uses))), ways.tails[order], ways.penalties[order],
            _starts(counts), made + graph.n,
        )  # fmt: skip

    def streets(self, expanded: Graph, places: Places) -> PlaceStreets:
        """The streets of checked places, as arcs and positions of the expanded graph."""
        number, on = np.arange(len(places)), np.flatnonzero(places.arcs >= 0)
        uses = self._uses(places)
        ends = places.vertices.astype(np.int64), np.zeros(len(places), np.int64)
        ends[1][on] = self.graph.indices[places.arcs[on]]
        arcs = np.full((2, len(places)), -1, dtype=np.int64)
        leaving, entering = [], []
        for side, end in enumerate((1, 0)):  # along the street to its head, and back to its tail
            some = np.flatnonzero(uses[side] >= 0)
            use = uses[side, some]
            arcs[side, some] = arcs_between(expanded.indptr, expanded.indices, ends[side][some], self.into[use])
            leaving.append((some, self.into[use], arcs[side, some], end))
            which, way = arcs_of(self.indptr, use.astype(np.int32))
            rows = some[which]
            entering.append((rows, self.states[way], arcs[side, rows], 1 - end, self.penalties[way]))
        at = np.flatnonzero((places.arcs < 0) & places.snapped)
        vertices = ends[0][at]
        which, copy = arcs_of(self.copies, vertices.astype(np.int32))
        split = self.copies[vertices + 1] > self.copies[vertices]
        return PlaceStreets(
            arcs[0], arcs[1], joins_of(*leaving, (at, vertices, None, 0)),
            joins_of(*entering, (at, vertices, None, 0), (at[which], self.of_vertex[copy], None, 0)),
            number[at[split]], vertices[split],
        )  # fmt: skip

    def ends(self, expanded: Graph, places: Places, *, leaving: bool) -> Ends:
        """The ends of checked places: states, of which a place that paths end at has several per direction."""
        streets = self.streets(expanded, places)
        join = streets.leaving if leaving else streets.entering
        on = join.streets >= 0
        lengths = places.costs[join.rows] + join.further
        parts = np.abs(join.ends - places.fractions[join.rows])[on]
        lengths[on] = parts * _lengths(expanded, join.streets[on]) + lengths[on]
        are_starts = on & _are_zones(expanded, join.vertices)  # no path leads through these
        is_end = on | (join.vertices < self.graph.n)  # copies of a vertex lead to it
        rows, states = join.rows[is_end], join.vertices[is_end]
        return Ends.listed(len(places), rows, states, lengths[is_end], are_starts[is_end])

    def street_lengths(self, expanded: Graph, places: Places) -> tuple[Floats, Floats]:
        """The weights of the streets of checked places, along and back; infinite where there is none."""
        streets = self.streets(expanded, places)
        return _lengths(expanded, streets.along), _lengths(expanded, streets.back)

    def on_open_streets(self, places: Places) -> Places:
        """Checked places, which no path reaches where both directions of a street are closed."""
        is_lost = (places.arcs >= 0) & (self._uses(places) < 0).all(axis=0)
        if not is_lost.any():
            return places
        arcs, vertices = places.arcs.copy(), places.vertices.copy()
        arcs[is_lost] = vertices[is_lost] = -1
        return replace(places, arcs=arcs, vertices=vertices, unsnapped="unreachable")

    def link(self, arc: int) -> int:
        """The number of the link that an arc of the graph is."""
        return int(self.links[self.use_of_arc[arc]])

    def _uses(self, places: Places) -> Ints:
        """(2, k) the uses of the streets of places, along and back; -1 where there is none."""
        found, on = np.full((2, len(places)), -1, dtype=np.int64), np.flatnonzero(places.arcs >= 0)
        found[0, on] = self.use_of_arc[places.arcs[on]]
        opposite = opposite_arcs(self.graph, places.arcs[on]) if len(on) else on
        found[1, on[opposite >= 0]] = self.use_of_arc[opposite[opposite >= 0]]
        return found


def _best_uses(graph: Graph, uses: Uses, ways: Ways) -> Ints:
    """(m,) the use of the best link of each arc that paths may use; -1 if there is none."""
    arcs = arcs_between(graph.indptr, graph.indices, uses.tails, uses.heads)
    is_best = np.zeros(len(uses), bool)
    is_best[ways.uses] = True
    if is_best.all():
        is_best = uses.links == graph.links.chosen[arcs] if graph.links is not None else is_best
    else:
        open_ = np.flatnonzero(is_best)
        keys = [key[uses.links[open_]] for key in uses.rows.keys]
        order = open_[np.lexsort([uses.links[open_], *keys[::-1], arcs[open_]])]
        is_best[order[1:][arcs[order[1:]] == arcs[order[:-1]]]] = False
    found = np.full(graph.m, -1, dtype=np.int64)
    found[arcs[is_best]] = np.flatnonzero(is_best)
    return found


def _lengths(graph: Graph, arcs: Ints) -> Floats:
    found = np.full(len(arcs), np.inf)
    on = arcs >= 0
    found[on] = 1.0 if graph.weights is None else graph.weights[arcs[on]]
    return found


def _are_zones(graph: Graph, vertices: Ints) -> npt.NDArray[np.bool_]:
    return np.zeros(len(vertices), bool) if graph.zones is None else graph.zones[vertices]


def _starts(counts: npt.NDArray[np.int64]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)])
