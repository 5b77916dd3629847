"""A table of vertices and numbers, such as a row per pair of vertices, for the libraries of tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrowTable, DataFrame, NumPyArray, PolarsFrame
from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.graph.labels.integers import IntegerLabels, RangeLabels
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.tables.column import as_tuple
from apsp.semiring import NO_VERTEX
from apsp.system.numbers import number_words
from apsp.system.optional import needed

__all__ = ["NOTHING", "LongTable", "pandas_index", "positions_in", "with_infinities", "xarray_labels"]

_ROWS = 1 << 22
"""Rows of a column of tuples that are made at a time: Arrow counts their entries in 32 bits."""

_FINE = {"D": "D", "W": "D", "M": "D", "Y": "D", "ms": "ms", "us": "us", "ns": "ns"}
_UNITS = {
    "Arrow": _FINE | {"h": "s", "m": "s", "s": "s"},
    "polars": _FINE | {"h": "ms", "m": "ms", "s": "ms"},
}
"""The unit of each library for each of NumPy."""

NOTHING = "\N{EN DASH}"
"""In a table for readers: there is no path, or no vertex."""

_EXACT = 2**53
"""float64 holds every integer up to here."""


@dataclass(frozen=True)
class LongTable:
    """Columns of vertices and of numbers, of the same length.

    Attributes
    ----------
    labels : Labels
        Of all vertices.
    columns : dict of str to (rows,) array
        Numbers, or vertices by position, int32, -1 for none.
    unreached : (rows,) bool, optional
        Where there is no distance.
    numbers : collection of str
        The columns of numbers; every other column holds vertices.
    whole : collection of str
        Those of numbers to which `unreached` does not apply.
    others : dict of str to Labels
        Columns that do not hold vertices of the graph, but positions in other labels, such as names of groups.
    complete : collection of str
        Columns in which, by their meaning, nothing is missing.
    """

    labels: Labels
    columns: Mapping[str, NumPyArray]
    unreached: npt.NDArray[np.bool_] | None = None
    numbers: Collection[str] = ("distance",)
    whole: Collection[str] = ()
    others: Mapping[str, Labels] = field(default_factory=dict)
    among: InitVar[Mapping[str, NumPyArray | None] | None] = None
    complete: Collection[str] = ()

    def __post_init__(self, among: Mapping[str, NumPyArray | None] | None) -> None:
        """Give columns that hold places only, or vertices only, the labels of these.

        `among` has vertices or places by position which those of the column are among, None for all vertices.
        """
        if among is None or not isinstance(self.labels, PlacedLabels):
            return
        columns, others = dict(self.columns), dict(self.others)
        for name, positions in among.items():
            found = self.labels.alone(columns[name] if positions is None else positions)
            if found is not None:
                others[name], start = found
                columns[name] = np.where(columns[name] == NO_VERTEX, NO_VERTEX, columns[name] - start).astype(np.int32)
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "others", others)

    def to_dict(self) -> dict[str, NumPyArray]:
        """The columns as arrays: labels, and numbers as they are."""
        found: dict[str, NumPyArray] = {}
        for name, values in self.columns.items():
            if name in self.numbers:
                found[name] = values
            else:
                some_missing = bool((values == NO_VERTEX).any())
                labels = self._labels(name)
                found[name] = (labels.take_or_none if some_missing else labels.take)(values)
        return found

    def to_text(self) -> dict[str, list[str]]:
        """The columns as texts: labels, and numbers as messages write them; a dash where there is nothing."""
        found = {}
        for name, values in self.columns.items():
            labels, missing = self._labels(name), self.missing(name)
            write = number_words if name in self.numbers else labels.text
            absent = np.zeros(len(values), dtype=bool) if missing is None else missing
            found[name] = [
                NOTHING if none else write(value) for value, none in zip(values.tolist(), absent.tolist(), strict=True)
            ]
        return found

    def to_pandas(self, purpose: str) -> DataFrame:
        """A data frame of pandas."""
        pandas = needed("pandas", purpose)
        columns = self.to_dict()
        try:
            if any(map(_are_too_fine, [self.labels, *self.others.values()])):
                raise ValueError("pandas cuts them to nanoseconds")
            return pandas.DataFrame(columns)
        except Exception:  # of labels that only columns of objects hold: half of a surrogate pair, odd units of time
            return pandas.DataFrame(
                {name: pandas.Series(values, dtype=values.dtype) for name, values in columns.items()}
            )

    def to_polars(self, purpose: str) -> PolarsFrame:
        """A data frame of polars, null where there is nothing."""
        polars = needed("polars", purpose)
        every = self._in_library(lambda values: polars.Series(values, strict=True), "polars")
        columns = []
        for name, values in self.columns.items():
            series, missing = polars.Series(name, values), self.missing(name)
            if missing is not None and missing.any():
                series = series.set(polars.Series(missing), None)
            columns.append(series if name in self.numbers else every[name].gather(series).alias(name))
        return polars.DataFrame(columns)

    def to_arrow(self, purpose: str) -> ArrowTable:
        """A table of PyArrow, null where there is nothing; text is encoded as a dictionary.

        Parquet has no dictionaries of tuples, and PyArrow makes integers of those of durations.
        """
        arrow = needed("pyarrow", purpose)
        every = self._in_library(arrow.array, "Arrow")
        columns = {}
        for name, values in self.columns.items():
            missing = self.missing(name)
            column = arrow.array(values)
            if missing is not None and missing.any():
                present = arrow.py_buffer(np.packbits(~missing, bitorder="little"))  # an array without a copy
                column = arrow.Array.from_buffers(column.type, len(column), [present, *column.buffers()[1:]])
            names = every.get(name)
            if names is None or (self._labels(name).are_positions and names.type == column.type):
                columns[name] = column
            elif arrow.types.is_string(names.type) or arrow.types.is_binary(names.type):
                columns[name] = arrow.DictionaryArray.from_arrays(column, names)
            elif arrow.types.is_nested(names.type):
                columns[name] = arrow.chunked_array(
                    [names.take(column[row : row + _ROWS]) for row in range(0, len(column), _ROWS)], names.type
                )
            else:
                columns[name] = names.take(column)
        return arrow.table(columns)

    def _labels(self, name: str) -> Labels:
        return self.others.get(name, self.labels)

    def _in_library(self, make: Any, library: str) -> dict[str, Any]:
        """The labels of each column that has some, as an array of a library; those of the vertices once."""
        names = [name for name in self.columns if name not in self.numbers]
        vertices = _of_library(make, self.labels, library) if any(name not in self.others for name in names) else None
        return {
            name: _of_library(make, self.others[name], library) if name in self.others else vertices for name in names
        }

    def missing(self, name: str) -> npt.NDArray[np.bool_] | None:
        """Where a column has nothing; None if it has no such place."""
        if name in self.numbers:
            return None if name in self.whole else self.unreached
        vertices = self.columns[name]
        return vertices == NO_VERTEX if vertices.min(initial=0) == NO_VERTEX else None


def positions_in(labels: Labels, column: Any) -> npt.NDArray[np.int32]:
    """Return the vertices of a column that `LongTable.to_arrow` made, also after Parquet: positions, -1 for none.

    Raises
    ------
    ValueError
        If it has something else than labels of vertices.
    """
    arrow, compute = needed("pyarrow", "reading vertices"), needed("pyarrow.compute", "reading vertices")
    missing = column.is_null().to_numpy()
    names = _of_library(arrow.array, labels, "Arrow")
    if labels.are_positions:
        found = np.asarray(column.fill_null(NO_VERTEX).to_numpy(), dtype=np.int32)
        wrong = (found < 0) | (found >= len(labels))
    elif arrow.types.is_nested(names.type):
        places = {label: position for position, label in enumerate(labels)}
        given = (places.get(as_tuple(entry), NO_VERTEX) for entry in column.to_pylist())
        found = np.fromiter(given, dtype=np.int32, count=len(column))
        wrong = found < 0
    else:
        given = compute.index_in(column.cast(names.type), value_set=names)
        found = np.asarray(given.fill_null(NO_VERTEX).to_numpy(), dtype=np.int32)
        wrong = found < 0
    if bool((wrong & ~missing).any()):
        raise ValueError("it names something else than a vertex")
    return found


def _of_library(make: Any, labels: Labels, library: str) -> Any:
    """All labels as an array of a library, whose entries have one type.

    Raises
    ------
    RequestError
        If the library has no type for them.
    """
    given: Any = np.asarray(labels)
    given = _of_one_kind(given.tolist(), library) if given.dtype.kind == "O" else given
    try:
        found = make(given)
        if isinstance(given, list):
            back = found.to_list() if hasattr(found, "to_list") else found.to_pylist()
            if any(as_tuple(entry) != label for entry, label in zip(back, given, strict=True)):
                raise ValueError("other values")  # such as floats for fractions
        return found
    except Exception as error:  # of the library
        some = ", ".join(shown(label) for label, _ in zip(labels, range(3), strict=False))
        raise RequestError(
            f"{library} has no type for labels such as {some}: use to_pandas, to_long or to_dict, or give the graph "
            "other labels"
        ) from error


def _of_one_kind(labels: list[Any], library: str) -> Any:
    """Points of time, or durations, of NumPy as an array in a unit of the library that holds them; or the list."""
    for kind in (np.datetime64, np.timedelta64):
        if labels and all(type(label) is kind for label in labels):
            array = np.array(labels)  # in the finest of their units, or a multiple of it; objects if there is none
            unit = array.dtype.kind in "mM" and _UNITS[library].get(np.datetime_data(array.dtype)[0])
            if kind is np.timedelta64 and unit == "D":  # neither library counts whole days
                unit = _UNITS[library]["s"]
            if unit and np.can_cast(array.dtype, f"{array.dtype.kind}8[{unit}]", "same_kind"):
                array = array.astype(f"{array.dtype.kind}8[{unit}]")
                if all(label == entry for label, entry in zip(labels, array, strict=True)):
                    return array
    return labels


def _are_too_fine(labels: Iterable[Any]) -> bool:
    """Whether some are moments or durations of NumPy in units below nanoseconds."""
    return not isinstance(labels, (IntegerLabels, RangeLabels)) and any(
        isinstance(label, (np.datetime64, np.timedelta64)) and np.datetime_data(label.dtype)[0] in ("ps", "fs", "as")
        for label in labels
    )


def pandas_index(pandas: Any, labels: NumPyArray, name: str | None = None) -> Any:
    """An index of pandas; of objects if its own types cannot hold the labels (half of a surrogate pair, odd units)."""
    try:
        if labels.dtype.kind == "O" and _are_too_fine(labels):
            raise ValueError("pandas cuts them to nanoseconds")
        return pandas.Index(labels, name=name, tupleize_cols=False)
    except Exception:
        return pandas.Index(labels, name=name, tupleize_cols=False, dtype=object)


def xarray_labels(labels: NumPyArray) -> Any:
    """Labels for xarray, which makes an index of pandas of them: that of `pandas_index` if pandas cannot."""
    if labels.dtype.kind == "O":
        pandas = needed("pandas", "an index of xarray")
        try:
            pandas.Index(labels)
        except Exception:
            return pandas_index(pandas, labels)
        if _are_too_fine(labels):
            return pandas_index(pandas, labels)
    return labels


def with_infinities(distances: npt.NDArray[Any], where: Mapping[float, npt.NDArray[np.bool_]]) -> npt.NDArray[Any]:
    """Distances for a package in which infinity means "no path".

    Parameters
    ----------
    distances : array
    where : dict of float to bool array
        The infinities, and where they stand.

    Returns
    -------
    array
        The distances themselves if they are floats, which have infinities, or if there are no infinities; otherwise
        float64.

    Raises
    ------
    RequestError
        If float64 cannot hold an integer distance exactly.
    """
    if distances.dtype.kind == "f" or not any(found.any() for found in where.values()):
        return distances
    values = distances.astype(np.float64)
    for infinity, found in where.items():
        values[found] = infinity
    exact = (
        distances.itemsize < 8 or np.abs(values, where=np.isfinite(values), out=np.zeros(values.shape)).max() <= _EXACT
    )
    if not exact:
        raise RequestError(
            "some pairs have no path, and float64, which has infinity, does not hold all other distances exactly: "
            "use to_long() or to_dict()"
        )
    return values
