"""A matrix of distances whose rows and columns have labels of their own."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import DataFrame, NumPyArray, PathLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.first_rows import first_where
from apsp.graph.labels import Labels, labels_of
from apsp.graph.long_table import LongTable, pandas_index
from apsp.graph.table_file import check_table_path, write_table
from apsp.graph.tabular import Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.system.arguments import flag
from apsp.system.inputs import inputs_among
from apsp.system.lack_of_memory import memory_errors
from apsp.system.optional import needed

__all__ = ["PlaceMatrix", "check_matrix_path"]


def check_matrix_path(path: PathLike, *, matrix: bool) -> str:
    """Check before any work that a file of a `PlaceMatrix` can be written; return its ending.

    Raises
    ------
    RequestError, MissingDependencyError, OutputError
        If it has another ending, the package for it is missing, or the place is not writable.
    """
    flag(matrix, "matrix")
    ending = check_table_path(path, (".csv", ".parquet", ".omx")).suffix.lower()
    if ending == ".omx":
        needed("h5py", "writing Open Matrix files")
        if matrix:
            raise RequestError(f"{shown(str(path))}: an Open Matrix file always holds the matrix: leave out matrix")
    return ending


@dataclass(frozen=True, eq=False, repr=False)
class PlaceMatrix(HasDistances, Tabular):
    """Distances from some places or vertices to some others; `apsp.table` and `apsp.matrix` make it.

    `numpy.asarray(found)` is the array of distances.

    Parameters
    ----------
    source_labels, target_labels : Labels
        Of the rows and of the columns.
    source_numbers, target_numbers : (S,) and (T,) int32
        Which label each row and column has.
    distances : (S, T) float64
        Infinite where there is no path.

    Examples
    --------
    >>> import apsp
    >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
    >>> found = apsp.table(street, {"home": (25, 10)}, {"shop": (90, 0), "work": (0, 0)}, crs="plane", speed=2)
    >>> found
    PlaceMatrix(1 x 2, float64)
    >>> found.distance("home", "shop"), found.distances.tolist()
    (44.0, [[44.0, 20.0]])
    """

    source_labels: Labels
    target_labels: Labels
    source_numbers: npt.NDArray[np.int32]
    target_numbers: npt.NDArray[np.int32]
    distances: npt.NDArray[np.float64]

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the rows."""
        return self.source_labels.take(self.source_numbers)

    @property
    def targets(self) -> NumPyArray:
        """(T,) labels of the columns."""
        return self.target_labels.take(self.target_numbers)

    def distance(self, source: Hashable, target: Hashable) -> float:
        """Return the distance between a place of the rows and one of the columns; infinity if there is no path.

        Parameters
        ----------
        source, target : hashable
            Labels.

        Returns
        -------
        float
            The distance.

        Raises
        ------
        GraphError
            If there is no such label.

        Examples
        --------
        >>> import apsp
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
        >>> found = apsp.table(street, {"home": (25, 10)}, {"shop": (90, 0)}, crs="plane", speed=2)
        >>> found.distance("home", "shop")
        44.0
        """
        row = self._place(self.source_labels, self.source_numbers, source)
        column = self._place(self.target_labels, self.target_numbers, target)
        return float(self.distances[row, column])

    @staticmethod
    def _place(labels: Labels, numbers: npt.NDArray[np.int32], label: Hashable) -> int:
        found = np.flatnonzero(numbers == labels.index(label))
        if not len(found):
            raise GraphError(f"{shown(label)} is not in this matrix")
        return int(found[0])

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> NumPyArray:
        """The distances."""
        return np.array(self.distances, dtype=dtype, copy=bool(copy)) if copy else np.asarray(self.distances, dtype)

    @memory_errors
    def to_pandas(self) -> DataFrame:
        """Return a pandas DataFrame of distances with the sources as index and the targets as columns.

        Returns
        -------
        pandas.DataFrame
            (S, T) distances, infinite where there is no path.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.

        Examples
        --------
        >>> import apsp, pandas
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
        >>> apsp.table(street, {"home": (25, 10)}, {"shop": (90, 0)}, crs="plane", speed=2).to_pandas()
        target  shop
        source
        home    44.0
        """
        pandas = needed("pandas", "PlaceMatrix.to_pandas")
        rows, columns = (
            pandas_index(pandas, labels, name) for labels, name in ((self.sources, "source"), (self.targets, "target"))
        )
        return pandas.DataFrame(self.distances, index=rows, columns=columns)

    @memory_errors
    def write(self, path: PathLike, *, matrix: bool = False) -> None:
        """Write the distances to a file, which appears complete or not at all.

        Parameters
        ----------
        path : str or Path
            The file. Its ending selects the form: .csv and .parquet the table of `to_long`, a row per pair that has a
            path; .omx (Open Matrix) the matrix 'distance', with not-a-number where there is no path.
        matrix : bool
            Of .csv and .parquet files: the column source, and a column per target with the text of its label. Distances
            are inf where there is no path.

        Raises
        ------
        RequestError, GraphError
            If it has another ending, or cannot hold the labels.
        MissingDependencyError
            If pyarrow (.parquet) or h5py (.omx) is not installed.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp
        >>> from pathlib import Path
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
        >>> found = apsp.table(street, {"home": (25, 10)}, {"shop": (90, 0), "work": (0, 0)}, crs="plane", speed=2)
        >>> found.write("homes.csv", matrix=True)
        >>> Path("homes.csv").read_text().splitlines()
        ['source,shop,work', 'home,44.0,20.0']
        """
        ending = check_matrix_path(path, matrix=matrix)
        if ending == ".omx":
            from apsp.result.skims.omx_writing import write_omx

            inputs = self.source_labels.inputs | self.target_labels.inputs
            with inputs_among(inputs):
                write_omx({"distance": self.distances}, self.sources, self.targets, path)
            return
        write_table(self._rows if matrix else self._table, path)

    def _rows(self) -> LongTable:
        """A row per source."""
        names = labels_of(self.targets.tolist()).texts()
        columns: dict[str, Any] = {"source": self.source_numbers}
        columns |= {name: self.distances[:, number] for number, name in enumerate(names)}
        if len(columns) <= len(names):
            raise RequestError("the column of sources is called source, and so is a target: give it another label")
        return LongTable(self.source_labels, columns, numbers=names)

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns source, target and distance, with a row per pair that has a path.

        Returns
        -------
        dict of str to array
            Labels and distances.

        Examples
        --------
        >>> import apsp
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=[[0, 0], [100, 0]])
        >>> found = apsp.table(street, {"home": (25, 10)}, {"shop": (90, 0)}, crs="plane", speed=2)
        >>> {name: column.tolist() for name, column in found.to_long().items()}
        {'source': ['home'], 'target': ['shop'], 'distance': [44.0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        return self._table_of(*np.nonzero(np.isfinite(self.distances)))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        places, count = first_where(self.distances, np.isfinite, rows)
        return self._table_of(*places), count

    def _table_of(self, row: npt.NDArray[np.intp], column: npt.NDArray[np.intp]) -> LongTable:
        columns: dict[str, Any] = {
            "source": self.source_numbers[row],
            "target": self.target_numbers[column],
            "distance": self.distances[row, column],
        }
        return LongTable(
            self.source_labels, columns, others={"source": self.source_labels, "target": self.target_labels}
        )

    def __repr__(self) -> str:
        return f"PlaceMatrix({len(self.source_numbers):,} x {len(self.target_numbers):,}, {self.distances.dtype})"
