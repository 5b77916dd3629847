"""A table with a row per pair of vertices, for the libraries of tables."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrowTable, DataFrame, NumPyArray, PolarsFrame
from apsp.errors import MissingDependencyError, RequestError, shown
from apsp.graph.labels import Labels
from apsp.semiring import NO_VERTEX

__all__ = ["LongTable", "needed"]

_EXTRAS = {"pyarrow": "parquet"}


@dataclass(frozen=True)
class LongTable:
    """Columns of vertices and of numbers, of the same length.

    Attributes
    ----------
    labels : Labels
        Of all vertices.
    vertices : dict of str to (rows,) int32
        Columns of vertices by position, -1 for none. They come first.
    numbers : dict of str to (rows,) array
        Columns of numbers.
    missing : dict of str to (rows,) bool
        Where a number means "none"; by default nowhere.
    """

    labels: Labels
    vertices: Mapping[str, npt.NDArray[np.int32]]
    numbers: Mapping[str, NumPyArray]
    missing: Mapping[str, npt.NDArray[np.bool_]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, NumPyArray]:
        """The columns as arrays: labels, and numbers as they are."""
        found: dict[str, NumPyArray] = {}
        for name, positions in self.vertices.items():
            some_missing = bool((positions == NO_VERTEX).any())
            found[name] = (self.labels.take_or_none if some_missing else self.labels.take)(positions)
        return found | dict(self.numbers)

    def to_pandas(self, purpose: str) -> DataFrame:
        """A data frame of pandas."""
        return needed("pandas", purpose).DataFrame(self.to_dict())

    def to_polars(self, purpose: str) -> PolarsFrame:
        """A data frame of polars, null where there is nothing."""
        polars = needed("polars", purpose)
        columns = {}
        names = _of_library(lambda values: polars.Series(values, strict=True), self.labels, "polars")
        for name, positions in self.vertices.items():
            places = polars.Series(name, positions)
            places = places.set(places == NO_VERTEX, None) if (positions == NO_VERTEX).any() else places
            columns[name] = names.gather(places).alias(name)
        for name, values in self.numbers.items():
            series = polars.Series(name, values)
            if name in self.missing and self.missing[name].any():
                series = series.set(polars.Series(self.missing[name]), None)
            columns[name] = series
        return polars.DataFrame(columns)

    def to_arrow(self, purpose: str) -> ArrowTable:
        """A table of PyArrow, null where there is nothing; labels other than integers are encoded as a dictionary."""
        arrow = needed("pyarrow", purpose)
        names = _of_library(arrow.array, self.labels, "Arrow")
        columns = {}
        for name, positions in self.vertices.items():
            places = arrow.array(positions, mask=positions == NO_VERTEX)
            is_integer = arrow.types.is_integer(names.type)
            columns[name] = names.take(places) if is_integer else arrow.DictionaryArray.from_arrays(places, names)
        for name, values in self.numbers.items():
            columns[name] = arrow.array(values, mask=self.missing.get(name))
        return arrow.table(columns)


def _of_library(make: Any, labels: Labels, library: str) -> Any:
    """All labels as an array of a library, whose entries have one type.

    Raises
    ------
    RequestError
        If the library has no type for them.
    """
    given: Any = np.asarray(labels)
    given = given.tolist() if given.dtype.kind == "O" else given
    try:
        return make(given)
    except Exception as error:  # of the library
        some = ", ".join(shown(label) for label, _ in zip(labels, range(3), strict=False))
        raise RequestError(
            f"{library} has no type for labels such as {some}: use to_pandas, to_long or to_dict, or give the graph "
            "other labels"
        ) from error


def needed(package: str, purpose: str) -> Any:
    """Import an optional package.

    Raises
    ------
    MissingDependencyError
        If it is not installed; the message names its extra.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise MissingDependencyError(package, purpose, _EXTRAS.get(package, package)) from error
