"""Several costs along shortest paths between places, from one factor over tuples of costs.

The idea: places are joined with the ends of their streets, so that the tuples between these ends, and those of the
parts of streets, are added and compared as those of `skims`; nothing is prepared for the places of a request.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.ends import Ends, at_one_point, check_places, direct, direct_pairs
from apsp.graph.places.joins import PlaceStreets, joined_with
from apsp.graph.turns.turn_graph import own_vertices
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.skims.arc_costs import SkimCosts
from apsp.methods.skims.skims import factorise
from apsp.system.machine import refuse_unless_fits

__all__ = ["CostsBetweenPlaces"]

Floats = npt.NDArray[np.float64]


class CostsBetweenPlaces:
    """The costs of shortest paths between places; several threads may ask.

    Parameters
    ----------
    graph : Graph
        The graph of the tree; it may have turns.
    tree : EliminationTree
    costs : SkimCosts
        Of the arcs of the graph: the weights, then others.

    Raises
    ------
    MemoryLimitError
        If the factor does not fit into memory.
    """

    def __init__(self, graph: Graph, tree: EliminationTree, costs: SkimCosts, *, threads: int = 1) -> None:
        self._graph, self._tree, self._columns = graph, tree, np.ascontiguousarray(costs.columns)
        needed = 8 * tree.entries * len(costs.names)
        refuse_unless_fits(needed, f"the factor of {len(costs.names)} costs", "a graph of fewer vertices")
        self._factor = factorise(graph, self._columns, tree, threads=threads)
        self._moved = np.arange(graph.n)

    def matrices(self, sources: Places, targets: Places) -> Floats:
        """Return the costs (K, S, T) of the shortest paths, infinite where there is none.

        Of equally short paths, that with the least second cost is chosen, and so on.

        Raises
        ------
        RequestError
            If places are not of this graph.
        """
        for each, word in ((sources, "sources"), (targets, "targets")):
            check_places(self._graph, each, word)
        streets = joined_with(self._graph, sources, self._moved)
        starts = self._ends(sources, streets, leaving=True)
        ends = self._ends(targets, joined_with(self._graph, targets, self._moved), leaving=False)
        found = np.full((self._columns.shape[1], len(sources), len(targets)), np.inf)
        rows, columns = (np.unique(each[0].vertices[np.isfinite(each[0].lengths)]) for each in (starts, ends))
        between = self._between(rows, columns)
        for i in range(len(starts[0].vertices)):
            row = np.searchsorted(rows, starts[0].vertices[i]).clip(max=max(len(rows) - 1, 0))
            for j in range(len(ends[0].vertices)):
                column = np.searchsorted(columns, ends[0].vertices[j]).clip(max=max(len(columns) - 1, 0))
                if not between.size:
                    continue
                tuples = between[:, row[:, None], column]
                for cost, start, end in zip(tuples, starts, ends, strict=True):
                    cost += start.lengths[i][:, None] + end.lengths[j]
                are_starts = ends[0].are_starts
                if are_starts is not None and are_starts[j].any():
                    leads_on = ~are_starts[j] | (starts[0].vertices[i][:, None] == ends[0].vertices[j])
                    tuples[:, ~leads_on] = np.inf
                _lower(found, tuples)
        self._lower_on_one_street(found, sources, targets, streets)
        return found

    def _between(self, rows: npt.NDArray[np.int32], columns: npt.NDArray[np.int32]) -> Floats:
        found = np.full((self._columns.shape[1], len(rows), len(columns)), np.inf)
        if found.size:
            first, others = self._factor
            _cpu.skims_by_elimination(
                tree=self._tree, arcs=arc_arrays(self._graph), costs=self._columns, first=first, others=others,
                sources=rows, targets=columns, out=found, threads=1,
            )  # fmt: skip
        return found

    def _ends(self, places: Places, streets: PlaceStreets, *, leaving: bool) -> list[Ends]:
        """The ends of places, by each of the costs."""
        join = streets.leaving if leaving else streets.entering
        on = join.streets >= 0
        is_end = on | (join.vertices < own_vertices(self._graph))  # copies of a vertex lead to it
        zones = self._graph.zones
        are_starts = on & (False if zones is None else zones[join.vertices])
        shares = np.abs(join.ends - places.fractions[join.rows])[on]
        found = []
        for number, column in enumerate(self._columns.T):
            lengths = np.zeros(len(on)) if number else places.costs[join.rows] + join.further
            lengths[on] += shares * column[join.streets[on]]
            rows, vertices = join.rows[is_end], join.vertices[is_end]
            found.append(Ends.listed(len(places), rows, vertices, lengths[is_end], are_starts[is_end]))
        return found

    def _lower_on_one_street(self, found: Floats, sources: Places, targets: Places, streets: PlaceStreets) -> None:
        """Take the ways that pass no end of a street where they are better."""
        rows, columns = direct_pairs(sources, targets)
        far = targets.fractions[columns] - sources.fractions[rows]
        on_street = np.where(far >= 0, streets.along[rows], streets.back[rows])
        stays = (far == 0) | (on_street < 0) | at_one_point(sources, targets, rows, columns)
        tuples = np.where(stays, 0.0, np.abs(far) * self._columns[np.maximum(on_street, 0)].T)
        tuples[0] = direct(self._graph, sources, targets, rows, columns)
        tuples[1:, np.isinf(tuples[0])] = np.inf
        best = found[:, rows, columns]
        _lower(best, tuples)
        found[:, rows, columns] = best


def _lower(found: Floats, others: Floats) -> None:
    """Replace the tuples that are larger than others; costs are compared in their order."""
    less, tied = np.zeros(found.shape[1:], dtype=bool), np.ones(found.shape[1:], dtype=bool)
    for old, new in zip(found, others, strict=True):
        less |= tied & (new < old)
        tied &= new == old
    np.copyto(found, others, where=less)
