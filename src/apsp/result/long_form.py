"""A result as a table with a row per pair: arrays, polars, Arrow."""

from __future__ import annotations

from apsp._types import ArrowTable, NumPyArray, PolarsFrame
from apsp.errors import PathsNotKeptError
from apsp.graph.long_table import LongTable
from apsp.result.table import DistanceTable
from apsp.system.arguments import flag
from apsp.system.array_device import beside, to_host
from apsp.system.lack_of_memory import memory_errors

__all__ = ["LongForm"]


class LongForm(DistanceTable):
    """The conversions of `apsp.result.result.Result` to tables with a row per pair."""

    @memory_errors
    def to_long(self, *, only_reachable: bool = True, predecessors: bool = False) -> dict[str, NumPyArray]:
        """Return columns source, target and distance with one row per pair: `pandas.DataFrame(result.to_long())`.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, -1 or None where there is none.

        Returns
        -------
        dict of str to array
            The columns 'source', 'target' and 'distance', and 'predecessor'.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> columns = result.to_long()
        >>> columns["source"].tolist(), columns["distance"].tolist()
        (['a', 'a', 'a', 'b', 'b', 'c'], [0, 4, 5, 0, 1, 0])
        """
        return self._long(only_reachable, predecessors).to_dict()

    @memory_errors
    def to_polars(self, *, only_reachable: bool = True, predecessors: bool = False) -> PolarsFrame:
        """Return a polars DataFrame with one row per pair.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is null.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, null where there is none.

        Returns
        -------
        polars.DataFrame
            The columns source, target, distance, and predecessor.

        Raises
        ------
        MissingDependencyError
            If polars is not installed.
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, polars
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, sources=["b"]).to_polars().rows()
        [('b', 'b', 0), ('b', 'c', 1)]
        """
        return self._long(only_reachable, predecessors).to_polars("Result.to_polars")

    @memory_errors
    def to_arrow(self, *, only_reachable: bool = True, predecessors: bool = False) -> ArrowTable:
        """Return a PyArrow table with one row per pair, which DuckDB and other libraries read without a copy.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is null.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, null where there is none.

        Returns
        -------
        pyarrow.Table
            The columns source, target, distance, and predecessor. Labels that are not integers are encoded as
            dictionaries, 4 bytes per row.

        Raises
        ------
        MissingDependencyError
            If pyarrow is not installed.
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, pyarrow
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, sources=["b"]).to_arrow().to_pylist()
        [{'source': 'b', 'target': 'b', 'distance': 0}, {'source': 'b', 'target': 'c', 'distance': 1}]
        """
        return self._long(only_reachable, predecessors).to_arrow("Result.to_arrow")

    def _long(self, only_reachable: bool, predecessors: bool) -> LongTable:
        only_reachable = flag(only_reachable, "only_reachable")
        if flag(predecessors, "predecessors") and self._pred is None:
            raise PathsNotKeptError("predecessors were not kept: solve(..., paths=True) keeps them")
        self.check()
        with beside(self.distances):
            reached = self.distances != self.semiring.no_path(self.distances.dtype)
            kept = reached.copy()
            if not only_reachable:
                kept[...] = True
            row, column = (to_host(index) for index in kept.nonzero())
            distance, missing = to_host(self.distances[kept]), ~to_host(reached[kept])
        target = self.target_positions[column]
        columns = {"source": self.source_positions[row], "target": target, "distance": distance}
        if predecessors:
            with beside(self._pred):
                columns["predecessor"] = to_host(self._pred)[row, target]
        return LongTable(self.graph.labels, columns, missing)
