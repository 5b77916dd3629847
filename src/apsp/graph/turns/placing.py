"""Places on the streets of a graph with turns, as parts of links: a movement from or to a part is that of the link."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.arc_positions import arcs_between, arcs_of
from apsp.graph.places.joins import PlaceStreets, joins_of
from apsp.graph.places.places import Places
from apsp.graph.places.streets import opposite_arcs
from apsp.graph.turns.uses import uses_of

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.turns.expansion import Ways

__all__ = ["TurnedStreets"]

Ints = npt.NDArray[np.int64]


class TurnedStreets(NamedTuple):
    """What places need of an expansion.

    Attributes
    ----------
    graph : Graph
        Without turns.
    use_of_arc : (m,) int64
        The use of the link of each arc of the graph.
    into : (k,) int64
        The state in which each use ends where a path begins with it.
    indptr, states, penalties : (k + 1,), (w,), (w,)
        The states from which use u is entered are states[indptr[u] : indptr[u + 1]].
    copies, of_vertex : (n + 1,), (c,) int64
        The copies of vertex v are of_vertex[copies[v] : copies[v + 1]].
    """

    graph: Graph
    use_of_arc: Ints
    into: Ints
    indptr: Ints
    states: Ints
    penalties: npt.NDArray[np.float64]
    copies: Ints
    of_vertex: Ints

    @classmethod
    def of(cls, graph: Graph, ways: Ways) -> TurnedStreets:
        """That of the ways of a graph."""
        uses = uses_of(graph)
        arcs = arcs_between(graph.indptr, graph.indices, uses.tails, uses.heads)
        best = uses.links == graph.links.chosen[arcs] if graph.links is not None else np.ones(len(arcs), bool)
        use_of_arc = np.full(graph.m, -1, dtype=np.int64)
        use_of_arc[arcs[best]] = np.flatnonzero(best)
        order = np.argsort(ways.uses, kind="stable")
        made = np.argsort(ways.vertices[graph.n :], kind="stable")
        counts = np.bincount(ways.vertices[graph.n :], minlength=graph.n)
        return cls(
            graph, use_of_arc, ways.into, _starts(np.bincount(ways.uses, minlength=len(uses))), ways.tails[order],
            ways.penalties[order], _starts(counts), made + graph.n,
        )  # fmt: skip

    def streets(self, expanded: Graph, places: Places) -> PlaceStreets:
        """The streets of checked places, as arcs and positions of the expanded graph."""
        number, on = np.arange(len(places)), np.flatnonzero(places.arcs >= 0)
        uses = np.full((2, len(places)), -1, dtype=np.int64)
        uses[0, on] = self.use_of_arc[places.arcs[on]]
        opposite = opposite_arcs(self.graph, places.arcs[on]) if len(on) else on
        uses[1, on[opposite >= 0]] = self.use_of_arc[opposite[opposite >= 0]]
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


def _starts(counts: npt.NDArray[np.int64]) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)])
