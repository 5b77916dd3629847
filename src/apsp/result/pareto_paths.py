"""The paths of pairs that no other path beats in two costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, Vertex
from apsp.errors import RequestError
from apsp.graph.labels import labels_of
from apsp.graph.links import kept_links
from apsp.graph.long_table import LongTable
from apsp.graph.shapes import Features, Mapped
from apsp.graph.tabular import Tabular
from apsp.result.many_paths import ManyPaths
from apsp.system.lack_of_memory import memory_errors

__all__ = ["ParetoPaths"]


@dataclass(frozen=True, eq=False, repr=False)
class ParetoPaths(Tabular, Mapped):
    """The paths that `apsp.pareto` returns, with both costs of each.

    `found[i]` is the list of the vertices of the i-th path, and `for path in found` yields all of them.

    Parameters
    ----------
    paths : ManyPaths
        The paths, whose distances are the sums of the weights.
    costs : (k,) array
        The sum of the other cost along each path.
    cost : str
        Its name.
    link_numbers : (N - k,) int32, optional
        The links of all paths, of which path i has one fewer than vertices; None if the graph keeps none.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.from_edges([0, 0, 1], [1, 2, 2], [2, 7, 2], costs={"toll": [3, 0, 0]})
    >>> found = apsp.pareto(roads, "toll", 0, 2)
    >>> found
    ParetoPaths(2 paths, distance and toll)
    >>> list(found), found.distances.tolist(), found.costs.tolist()
    ([[0, 1, 2], [0, 2]], [4, 7], [3, 0])
    """

    paths: ManyPaths
    costs: NumPyArray
    cost: str
    link_numbers: npt.NDArray[np.int32] | None = None

    @property
    def distances(self) -> NumPyArray:
        """(k,) sums of the weights."""
        return self.paths.distances

    @property
    def links(self) -> ManyPaths:
        """The paths as the numbers of their links, positions in `Graph.links`.

        Raises
        ------
        RequestError
            If the graph keeps no links.
        """
        paths, graph = self.paths, self.paths.graph
        assert graph is not None
        count = len(kept_links(graph))
        assert self.link_numbers is not None
        numbers = labels_of(range(count))
        numbers._inputs = graph.labels.inputs
        offsets = paths.offsets - np.arange(len(paths.offsets))
        return ManyPaths(offsets, self.link_numbers, paths.distances, numbers, "links", pair_offsets=paths.pair_offsets)

    def __len__(self) -> int:
        return len(self.costs)

    def __getitem__(self, index: int) -> list[Vertex]:
        return self.paths[index]

    def __iter__(self) -> Iterator[list[Vertex]]:
        return iter(self.paths)

    def of_pair(self, index: int) -> ParetoPaths:
        """Return the paths of one pair.

        Parameters
        ----------
        index : int
            The number of the pair.

        Returns
        -------
        ParetoPaths
            Views of the arrays; the paths are numbered from 0.

        Raises
        ------
        RequestError
            If there is no such pair.

        Examples
        --------
        >>> import apsp
        >>> roads = apsp.from_edges([0, 0, 1], [1, 2, 2], [2, 7, 2], costs={"toll": [3, 0, 0]})
        >>> apsp.pareto(roads, "toll", [0, 1], 2).of_pair(1).distances.tolist()
        [2]
        """
        own, pairs = self.paths.of_pair(index), self.paths.pair_offsets
        assert pairs is not None
        first, last = int(pairs[index]), int(pairs[index + 1])
        offsets = self.paths.offsets[[first, last]] - (first, last)
        numbers = None if self.link_numbers is None else self.link_numbers[offsets[0] : offsets[1]]
        return replace(self, paths=own, costs=self.costs[first:last], link_numbers=numbers)

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns pair, path, source, target, distance and the name of the cost, with one row per path.

        Returns
        -------
        dict of str to array
            Paths are numbered from 0 per pair.

        Raises
        ------
        RequestError
            If the cost has the name of another column.

        Examples
        --------
        >>> import apsp
        >>> roads = apsp.from_edges([0, 0, 1], [1, 2, 2], [2, 7, 2], costs={"toll": [3, 0, 0]})
        >>> {name: column.tolist() for name, column in apsp.pareto(roads, "toll", 0, 2).to_long().items()}
        {'pair': [0, 0], 'path': [0, 1], 'source': [0, 0], 'target': [2, 2], 'distance': [4, 7], 'toll': [3, 0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        return self._rows(len(self))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        return self._rows(min(rows, len(self))), len(self)

    def _rows(self, count: int) -> LongTable:
        paths = self.paths
        ends = paths.positions[paths.offsets[:count]], paths.positions[paths.offsets[1 : count + 1] - 1]
        numbers = paths._numbers(np.arange(count))
        columns: dict[str, NumPyArray] = {
            **numbers,
            "source": ends[0],
            "target": ends[1],
            "distance": self.distances[:count],
        }
        if self.cost in columns:
            raise RequestError(
                f"the cost has the name of the column {self.cost!r}: give it another by graph.with_costs"
            )
        columns[self.cost] = self.costs[:count]
        return LongTable(paths.labels, columns, numbers=(*numbers, "distance", self.cost), whole=tuple(numbers))

    def _features(self) -> Features:
        """A line per path, with its ends and both costs."""
        return replace(self.paths._features(), table=self._table())

    def __repr__(self) -> str:
        return f"ParetoPaths({len(self):,} paths, distance and {self.cost})"
