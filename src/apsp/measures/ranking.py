"""The most central of the vertices whose centralities are known."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.measures.summary import of_vertices
from apsp.methods.problem import IntArray
from apsp.reductions import Direction
from apsp.reductions.central import MostCentral, largest_first
from apsp.running.options import RunOptions

__all__ = ["Centrality", "Ranking"]

Centrality = Literal["closeness", "closeness_improved", "harmonic"]


class Ranking:
    """The centralities that are known, with or without those that are equal to the last of the largest."""

    def __init__(
        self,
        graph: Graph,
        kind: Centrality,
        top: int,
        direction: Direction,
        options: RunOptions,
        *,
        with_ties: bool = False,
    ) -> None:
        self.graph, self.kind, self.top, self.direction, self.options = graph, kind, top, direction, options
        self.with_ties = with_ties
        self.positions: IntArray = np.empty(0, np.int32)
        self.values = np.empty(0)
        self.searches = 0

    def add(self, positions: IntArray, values: npt.NDArray[np.float64]) -> None:
        """Add centralities of vertices."""
        positions, values = np.concatenate([self.positions, positions]), np.concatenate([self.values, values])
        best = largest_first(values, positions, self.top)
        if self.with_ties and len(best):
            best = np.flatnonzero(values >= values[best[-1]])
        self.positions, self.values = positions[best], values[best]

    def add_rows(self, positions: IntArray) -> None:
        """Add the centralities of vertices, from whole rows."""
        if not len(positions):
            return
        chosen = None if len(positions) == self.graph.n else positions
        harmonic = self.kind == "harmonic"
        found, own_direction = of_vertices(self.graph, self.direction, chosen, self.options, reciprocals=harmonic)
        values = (
            found.harmonic_centrality(own_direction)
            if harmonic
            else found.closeness_centrality(own_direction, wf_improved=self.kind == "closeness_improved")
        )
        self.searches += len(positions)
        self.add(positions, values)

    def result(self) -> MostCentral:
        """The largest of those that were added."""
        return MostCentral(self.graph.labels.take(self.positions), self.values, self.searches)
