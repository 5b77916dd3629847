"""The paths of many pairs as ragged arrays: all vertices in one array, and where each path begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from apsp._types import Axes, Figure, NumPyArray, Vertex
from apsp.errors import RequestError
from apsp.figures.options import Scale
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.model import Graph
from apsp.graph.shapes import Features, Mapped
from apsp.graph.shapes.features import path_lines
from apsp.graph.tabular import Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.semiring import NO_VERTEX
from apsp.system.arguments import whole_number
from apsp.system.lack_of_memory import memory_errors

__all__ = ["ManyPaths"]


@dataclass(frozen=True, eq=False, repr=False)
class ManyPaths(HasDistances, Tabular, Mapped):
    """The paths of pairs, which `Oracle.paths`, `shortest_simple_paths` and `alternatives` return.

    `paths[i]` is the list of the vertices of the i-th path, as the graph labels them, both ends included; [] if there
    is none. `for path in paths` yields all of them. With `links=True` it is the list of its links.

    Parameters
    ----------
    offsets : (k + 1,) int64
        The i-th path is positions[offsets[i] : offsets[i + 1]].
    positions : (offsets[k],) int32
        The vertices of all paths, by position; or the numbers of their links.
    distances : (k,) array
        The length of each path; `apsp.unreachable(dtype)` where there is none.
    labels : Labels
        Of all vertices, or the numbers of all links.
    of : {'vertices', 'links'}
        What the paths consist of.
    graph : Graph, optional
        The graph, whose coordinates and bends the lines of the paths have.
    pair_offsets : (p + 1,) int64, optional
        Paths pair_offsets[i] to pair_offsets[i + 1] - 1 are those of the i-th pair; None if every pair has one path.
    links_between : integers, optional
        The links between the vertices of each path, one path after another, where it may take others of parallel ones
        than the best, for turns or another cost: lines follow these.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> paths = apsp.prepare(graph).paths([0, 3], [2, 3])
    >>> paths
    ManyPaths(2 paths, 4 vertices, uint16)
    >>> list(paths)
    [[0, 1, 2], [3]]
    >>> paths.offsets.tolist(), paths.positions.tolist(), paths.distances.tolist()
    ([0, 3, 4], [0, 1, 2, 3], [5, 0])
    """

    offsets: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int32]
    distances: NumPyArray
    labels: Labels
    of: Literal["vertices", "links"] = "vertices"
    graph: Graph | None = None
    pair_offsets: npt.NDArray[np.int64] | None = None
    links_between: npt.NDArray[np.int32] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays."""
        return self.offsets.nbytes + self.positions.nbytes + self.distances.nbytes

    @property
    def vertices(self) -> NumPyArray:
        """(offsets[k],) labels of the vertices of all paths; the positions themselves if there are no labels.

        Raises
        ------
        RequestError
            If the paths consist of links.
        """
        if self.of == "links":
            raise RequestError("the paths consist of links: .positions has their numbers")
        return self.labels.take(self.positions)

    def __len__(self) -> int:
        return len(self.distances)

    def __getitem__(self, index: int) -> list[Vertex]:
        count = len(self)
        index = whole_number(index, "index", least=-count, most=count - 1)
        return self._path(index + count if index < 0 else index)

    def __iter__(self) -> Iterator[list[Vertex]]:
        return map(self._path, range(len(self)))

    def _path(self, index: int) -> list[Vertex]:
        found = self.positions[self.offsets[index] : self.offsets[index + 1]].tolist()
        return found if self.labels.are_positions else [self.labels[vertex] for vertex in found]

    def of_pair(self, index: int) -> ManyPaths:
        """Return the paths of one pair.

        Parameters
        ----------
        index : int
            The number of the pair.

        Returns
        -------
        ManyPaths
            Views of the arrays; the paths are numbered from 0.

        Raises
        ------
        RequestError
            If there is no such pair.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0, 1], [1, 2, 2], [4, 7, 1])
        >>> paths = apsp.shortest_simple_paths(graph, [0, 1], 2, k=2)
        >>> list(paths.of_pair(0)), list(paths.of_pair(1))
        ([[0, 1, 2], [0, 2]], [[1, 2]])
        """
        pairs = np.arange(len(self) + 1) if self.pair_offsets is None else self.pair_offsets
        index = whole_number(index, "index", least=0, most=len(pairs) - 2)
        first, last = int(pairs[index]), int(pairs[index + 1])
        offsets = self.offsets[first : last + 1]
        return replace(
            self,
            offsets=offsets - offsets[0],
            positions=self.positions[offsets[0] : offsets[-1]],
            distances=self.distances[first:last],
            pair_offsets=np.array([0, last - first]),
            links_between=self._links_between(first, last),
        )

    def _links_between(self, first: int, last: int) -> npt.NDArray[np.int32] | None:
        """Those of some paths."""
        if self.links_between is None:
            return None
        ends = np.concatenate([[0], np.cumsum(np.maximum(np.diff(self.offsets) - 1, 0))])
        return self.links_between[ends[first] : ends[last]]

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns path and vertex (or link), with one row per vertex (or link) of a path.

        Returns
        -------
        dict of str to array
            The number of the path, and its vertices or links in order. If pairs have several paths, a first column
            has the number of the pair, and paths are numbered from 0 per pair.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
        >>> columns = apsp.prepare(graph).paths(["a", "b"], ["c", "c"]).to_long()
        >>> columns["path"].tolist(), columns["vertex"].tolist()
        ([0, 0, 0, 1, 1], ['a', 'b', 'c', 'b', 'c'])
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        numbers = {key: np.repeat(each, np.diff(self.offsets)) for key, each in self._numbers().items()}
        return self._table_of(numbers, self.positions)

    def _head(self, rows: int) -> tuple[LongTable, int]:
        first = self.positions[:rows]
        paths = np.searchsorted(self.offsets, np.arange(len(first)), side="right") - 1
        return self._table_of(self._numbers(paths), first), len(self.positions)

    def _table_of(self, numbers: dict[str, npt.NDArray[np.int64]], positions: npt.NDArray[np.int32]) -> LongTable:
        name = "vertex" if self.of == "vertices" else "link"
        return LongTable(self.labels, {**numbers, name: positions}, numbers=tuple(numbers), whole=tuple(numbers))

    def _numbers(self, paths: npt.NDArray[np.int64] | None = None) -> dict[str, npt.NDArray[np.int64]]:
        """The number of each path (by default of all), and of its pair if pairs have several paths."""
        paths = np.arange(len(self), dtype=np.int64) if paths is None else paths
        if self.pair_offsets is None:
            return {"path": paths}
        pairs = np.searchsorted(self.pair_offsets, paths, side="right").astype(np.int64) - 1
        return {"pair": pairs, "path": paths - self.pair_offsets[pairs]}

    def _features(self) -> Features:
        """A line per path, with its ends and its length; nothing where there is no path."""
        graph = self._lying_on()
        there = np.diff(self.offsets) > 0
        columns = {}
        for name, at in (("source", self.offsets[:-1]), ("target", self.offsets[1:] - 1)):
            columns[name] = np.full(len(self), NO_VERTEX, dtype=np.int32)
            columns[name][there] = self.positions[at[there]]
        whole = self._numbers()
        numbers = {**whole, "distance": self.distances}
        table = LongTable(self.labels, {**columns, **numbers}, ~there, numbers=tuple(numbers), whole=tuple(whole))
        lines = path_lines(graph, self.offsets, self.positions, links=self.links_between)
        return Features(table, lines, ("LineString",), known=graph.crs)

    def _lying_on(self) -> Graph:
        """The graph whose coordinates the lines of the paths have."""
        if self.of == "links":
            raise RequestError("paths that consist of links are no lines here: find them without links=True")
        if self.graph is None:
            raise RequestError("these paths do not know their graph, which has the coordinates: ManyPaths(..., graph=)")
        return self.graph

    def plot(
        self, *, title: str | None = None, label: str = "length", unit: str = "", scale: Scale = None,
        ax: Axes | None = None,
    ) -> Figure:  # fmt: skip
        """Draw the paths on a map, each in a colour of its own, with a legend of their lengths.

        The first path is drawn on top, and the others wider below, so that streets that several have in common show
        all of their colours. There are seven colours, which colour-blind people distinguish; further paths are grey.

        Parameters
        ----------
        title : str, optional
            By default it names the ends, if all paths have the same.
        label, unit : str
            The title of the legend, and the unit of the lengths: 'travel time', 's'.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates, for a scale bar, as for `Graph.plot`.
        ax : matplotlib Axes, optional
            Axes to draw in; by default a new figure, which shows itself in notebooks.

        Returns
        -------
        matplotlib.figure.Figure
            The surroundings of the paths; of at most 40 vertices all, with their names.

        Raises
        ------
        GraphError
            If the graph has no coordinates.
        RequestError
            If the paths consist of links, or an argument is invalid.
        MissingDependencyError
            If Matplotlib is not installed.

        Examples
        --------
        >>> import apsp, matplotlib
        >>> city = apsp.generate("city", 400, seed=1)
        >>> figure = apsp.alternatives(city, 0, 399).plot(label="travel time", unit="s")
        >>> figure.savefig("routes.png")
        """
        from apsp.figures.map import MapStyle
        from apsp.result.path_plotting import draw_paths

        return draw_paths(self, [(self.distances, unit)], title, MapStyle("", label, None, scale, ax))

    def __repr__(self) -> str:
        return f"ManyPaths({len(self):,} paths, {len(self.positions):,} {self.of}, {self.distances.dtype})"
