"""A matrix in a store, of which only what is wanted is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError, MemoryLimitError, MissingFileError, RowsMissingError
from apsp.store.access import is_access, unreadable
from apsp.store.group import open_group
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.layout import Bands
from apsp.store.native import native
from apsp.store.shards import ArrayShards
from apsp.store.storage import Storage
from apsp.system.arguments import is_integer
from apsp.system.cached import cached_property
from apsp.system.machine import Machine, usable

__all__ = ["StoredMatrix", "stored_matrix"]

_AT_ONCE = 64 << 20
"""Bytes that are read at once when columns are taken from rows."""

_ROWS = ["some of its rows (matrix[first:last])"]
_PARTS = {"solve": ["rows (result[sources, :])", "blocks (result.blocks())", "lazy arrays (result.to_dask())"]}
"""What to read instead of a whole matrix, by the function that wrote the store."""


class StoredMatrix:
    """A matrix with the indices of NumPy: m[i], m[i, j], m[a:b], m[list], m[:, list]; the result is a NumPy array.

    Parameters
    ----------
    array : array of zarr-python
    storage : Storage
    name : str
        Of the array.
    bands : Bands
    shards : ArrayShards
    problem : StoreInput, optional
        Names the sources of rows in messages.
    function : str
        What writes the store.
    period : int, optional
        The matrix is that of this period.
    scale : int, optional
        So many stored integers are 1; the values are float64, infinite where there is no path.
    """

    ndim = 2

    def __init__(
        self, array: Any, storage: Storage, name: str, bands: Bands, shards: ArrayShards,
        problem: StoreInput | None = None, function: str = "solve", period: int | None = None,
        scale: int | None = None,
    ) -> None:  # fmt: skip
        self._period, self._scale = period, scale
        self._array, self._storage, self._name, self._bands, self._problem = array, storage, name, bands, problem
        self._call, self._parts = f"apsp.{function}(graph, store=...)", _PARTS.get(function, _ROWS)
        self.shape: tuple[int, int] = (array.shape[0], array.shape[-1])
        self.dtype: np.dtype[Any] = np.dtype(array.dtype if scale is None else np.float64).newbyteorder("=")
        self._shards = shards
        self._remedy = f"call {self._call} again, which computes its rows again"

    @property
    def itemsize(self) -> int:
        """Bytes of an entry."""
        return self.dtype.itemsize

    @property
    def size(self) -> int:
        """Number of entries."""
        return self.shape[0] * self.shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes of all entries, without compression."""
        return self.size * self.itemsize

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        """Entries, as those of a NumPy array. Only the chunks that hold them are read.

        Raises
        ------
        RowsMissingError
            If a row has not been computed yet.
        FileFormatError
            If a shard is damaged.
        """
        given = index if isinstance(index, tuple) else (index,)
        if len(given) > 2:
            raise IndexError("a matrix has rows and columns, and no other axes")
        rows, columns = [*given, slice(None), slice(None)][:2]
        if rows is Ellipsis:
            rows = slice(None)
        if is_integer(rows):
            row = range(self.shape[0])[int(rows)]
            return self._read(slice(row, row + 1), columns)[0]
        if isinstance(rows, slice):
            wanted = range(self.shape[0])[rows]
            if wanted.step == 1 and not (is_integer(columns) or isinstance(columns, (list, np.ndarray))):
                return self._read(slice(wanted.start, max(wanted.stop, wanted.start)), columns)
            rows = np.array(wanted, dtype=np.int64)
        rows = np.asarray(rows)
        if rows.dtype.kind == "b" and rows.ndim == 1:
            rows = np.flatnonzero(rows)
        if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
            raise IndexError("rows are named by an integer, a slice, or a list of integers or of booleans")
        return self._taken(rows.astype(np.int64), columns)

    def _taken(self, rows: npt.NDArray[np.int64], columns: Any) -> npt.NDArray[Any]:
        """Columns of some rows, in their order: each run of rows that follow one another is read at once."""
        width = np.empty((0, self.shape[1]), dtype=self.dtype)[:, columns].shape[1:]
        out = np.empty((len(rows), *width), dtype=self.dtype)
        most = max(_AT_ONCE // max(self.shape[1] * self.itemsize, 1), 1)
        start = 0
        while start < len(rows):
            stop = start + 1
            while stop < len(rows) and rows[stop] == rows[stop - 1] + 1 and stop - start < most:
                stop += 1
            first = range(self.shape[0])[int(rows[start])]
            out[start:stop] = self._read(slice(first, first + stop - start), columns)
            start = stop
        return out

    def _read(self, rows: slice, columns: Any) -> npt.NDArray[Any]:
        """Columns of rows that follow one another."""
        self._require(rows)
        part: Any = slice(None)
        if isinstance(columns, slice) and columns.step in (None, 1):
            part, columns = columns, slice(None)
        elif is_integer(columns):
            column = range(self.shape[1])[int(columns)]
            part, columns = slice(column, column + 1), 0
        try:
            found = native(self._array[rows, part] if self._period is None else self._array[rows, self._period, part])
        except Exception as error:  # of zarr-python and the packages below it
            if isinstance(error, MemoryError):
                raise
            if is_access(error):
                raise unreadable(
                    self._storage.name, f"{self._name}, {self._rows_word(rows.start, rows.stop)},", error
                ) from error
            self._read_alone(rows)
            words = " ".join(str(error).split())[:120] or type(error).__name__
            raise FileFormatError(
                self._storage.name, f"a shard of {self._name}, {self._rows_word(rows.start, rows.stop)}, is damaged "
                f"({words}): remove the files {self._keys(rows)}, and call {self._call} again",
            ) from error  # fmt: skip
        self._check_presence(rows, found)
        return self._values(found[..., columns])

    def _values(self, stored: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What stored numbers mean."""
        if self._scale is None:
            return stored
        values: npt.NDArray[np.float64] = stored / np.float64(self._scale)  # the nearest number to the decimal one
        values[stored == self._array.fill_value] = np.inf
        return values

    def _read_alone(self, rows: slice) -> None:
        """Read the bands of rows one by one, so that an error names the one that is damaged."""
        first, last = self._bands.of(rows.start), self._bands.of(max(rows.stop - 1, rows.start))
        for band in range(first, last + 1) if last > first else ():
            self._read(self._bands.slice(band), slice(None))

    def _check_presence(self, rows: slice, found: npt.NDArray[Any]) -> None:
        """Look again for bands without any path: a shard that was removed or emptied since is read as such."""
        for band in range(self._bands.of(rows.start), self._bands.of(max(rows.stop - 1, rows.start)) + 1):
            every = self._bands.slice(band)
            part = found[max(every.start - rows.start, 0) : max(every.stop - rows.start, 0)]
            if part.size and part.flat[0] == self._array.fill_value and bool((part == self._array.fill_value).all()):
                self._shards.forget(band)
        self._require(rows)

    def _require(self, rows: slice) -> None:
        """Raise RowsMissingError if one of these rows is not there, FileFormatError if its shard is damaged."""
        if rows.stop <= rows.start:
            return
        for band in range(self._bands.of(rows.start), self._bands.of(rows.stop - 1) + 1):
            if not self.has_band(band):
                raise self.missing(band)

    def missing(self, band: int) -> RowsMissingError:
        """Return the error of a band that is not there."""
        rows = self._bands.slice(band)
        return RowsMissingError(
            f"{self._rows_word(rows.start, rows.stop)} of the store {self._storage.name} have not been computed yet: "
            f"{self._call} computes them"
        )

    def has_band(self, band: int) -> bool:
        """Whether a band is there.

        Raises
        ------
        FileFormatError
            If its shard is damaged.
        """
        return self._shards.has_band(band, self._remedy)

    def whole(self) -> set[int]:
        """Return the bands that are there, and not damaged."""
        return self._shards.whole()

    def listed(self) -> set[int]:
        """Return the bands that are there, damaged or not."""
        return self._shards.listed()

    def _keys(self, rows: slice) -> str:
        first, last = self._bands.of(rows.start), self._bands.of(max(rows.stop - 1, rows.start))
        return ", ".join(self._shards.codec.key(band) for band in range(first, last + 1)[:3])

    @cached_property
    def band_shape(self) -> tuple[int, int]:
        """Rows and columns of a band."""
        return min(self._bands.height, max(self.shape[0], 1)), max(self.shape[1], 1)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Read the whole matrix.

        Raises
        ------
        MemoryLimitError
            Before the first byte is read, if it does not fit.
        """
        if copy is False:
            raise ValueError("a matrix in a store is always copied")
        available = usable(Machine.detect())
        if self.nbytes > available:
            what = f"the whole matrix of the store {self._storage.name}"
            raise MemoryLimitError(what, self.nbytes, available, self._parts)
        found: npt.NDArray[Any] = self[:]
        return found if dtype is None else found.astype(dtype, copy=False)

    def copy(self) -> npt.NDArray[Any]:
        """Read the whole matrix."""
        return np.asarray(self)

    def _rows_word(self, start: int, stop: int) -> str:
        """Names rows."""
        if self._problem is None:
            return f"rows {start} to {stop - 1}"
        sources, word = self._problem.sources, self._problem.graph.word
        first, last = (row if sources is None else int(sources[row]) for row in (start, stop - 1))
        return f"rows {start} to {stop - 1} (sources {word(first)} to {word(last)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles name the store, which is opened again, without its graph."""
        return _reopened, (self._storage.reopened(), self._name, self._period)

    def __repr__(self) -> str:
        return f"StoredMatrix({self.shape[0]} x {self.shape[1]}, {self.dtype}, {self._storage.name})"


def stored_matrix(
    group: Any, storage: Storage, name: str, header: StoreHeader, problem: StoreInput | None = None,
    period: int | None = None,
) -> StoredMatrix:  # fmt: skip
    """Return a matrix of a store, of one period if it has several.

    Raises
    ------
    FileFormatError
        If it is not there, or another one.
    """
    try:
        array = group[name]
        shape, shard = tuple(array.shape), tuple(array.shards)
    except Exception as error:  # of damaged metadata
        raise FileFormatError(storage.name, f"{name}/zarr.json is damaged ({error!r})") from error
    whole = shape if name in header.extra and header.extra[name][1] == "pair" else shape[:1]
    wanted = header.shape[: len(whole)]
    if period is not None:
        whole, wanted = shape, (header.shape[0], len(header.measure["periods"]), header.shape[1])
    if whole != wanted or shard[0] != header.band_rows:
        raise FileFormatError(storage.name, f"{name}/zarr.json is damaged: it does not fit zarr.json")
    function = header.measure.get("name", "solve") if name in header.extra else "solve"
    shards = ArrayShards(storage, header, name)
    return StoredMatrix(array, storage, name, header.bands, shards, problem, function, period, header.scale_of(name))


def _reopened(storage: Callable[[], Storage], name: str, period: int | None = None) -> StoredMatrix:
    opened = storage()
    header = header_at(opened)
    if header is None:
        raise MissingFileError(opened.name)
    return stored_matrix(open_group(opened), opened, name, header, period=period)
