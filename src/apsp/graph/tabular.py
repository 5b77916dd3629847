"""What all results that are tables share: the conversions to the libraries of tables, and files."""

from __future__ import annotations

from apsp._types import ArrowTable, DataFrame, PathLike, PolarsFrame
from apsp.errors import RequestError
from apsp.figures.html import rows_words, table_card
from apsp.graph.long_table import LongTable
from apsp.graph.table_file import write_table
from apsp.system.lack_of_memory import memory_errors

__all__ = ["ROWS_SHOWN", "Tabular"]

ROWS_SHOWN = 10
"""Rows that a notebook shows."""


class Tabular:
    """The conversions of a result whose table is `_table()`."""

    def _table(self) -> LongTable:
        raise NotImplementedError

    def _head(self, rows: int) -> tuple[LongTable, int]:
        """The first rows of `_table()`, which is not made for them, and the number of all its rows."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        try:
            table, count = self._head(ROWS_SHOWN)
        except RequestError as error:  # two columns would have one name
            return table_card(repr(self), {}, str(error))
        return table_card(repr(self), table.to_text(), rows_words(min(count, ROWS_SHOWN), count))

    @memory_errors
    def to_pandas(self) -> DataFrame:
        """Return the table as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            The columns of `to_long` (of `accessibility`: `to_dict`).

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.

        Examples
        --------
        >>> import apsp, pandas
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.k_nearest(graph, 1).to_pandas()
          source target  distance
        0      a      b         4
        1      b      c         1
        """
        return self._table().to_pandas(f"{type(self).__name__}.to_pandas")

    @memory_errors
    def to_polars(self) -> PolarsFrame:
        """Return the table as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            The columns of `to_pandas`.

        Raises
        ------
        MissingDependencyError
            If polars is not installed.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, polars
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.k_nearest(graph, 1).to_polars().rows()
        [('a', 'b', 4), ('b', 'c', 1)]
        """
        return self._table().to_polars(f"{type(self).__name__}.to_polars")

    @memory_errors
    def to_arrow(self) -> ArrowTable:
        """Return the table as a PyArrow table.

        Returns
        -------
        pyarrow.Table
            The columns of `to_pandas`. Labels that are text are encoded as dictionaries, and tuples are lists.

        Raises
        ------
        MissingDependencyError
            If pyarrow is not installed.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, pyarrow
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.k_nearest(graph, 1).to_arrow().to_pylist()
        [{'source': 'a', 'target': 'b', 'distance': 4}, {'source': 'b', 'target': 'c', 'distance': 1}]
        """
        return self._table().to_arrow(f"{type(self).__name__}.to_arrow")

    @memory_errors
    def write(self, path: PathLike) -> None:
        """Write the table to a CSV or Parquet file, which appears complete or not at all.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .csv or .parquet.

        Raises
        ------
        RequestError
            If it has another ending, or the labels have several types.
        MissingDependencyError
            If pyarrow, which writes Parquet, is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> from pathlib import Path
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.k_nearest(graph, 1).write("nearest.csv")
        >>> Path("nearest.csv").read_text().splitlines()
        ['source,target,distance', 'a,b,4', 'b,c,1']
        """
        write_table(self._table, path)
