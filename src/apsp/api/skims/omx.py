"""Open Matrix (OMX) files: matrices in HDF5 with the names of their zones.

The format: attributes OMX_VERSION and SHAPE, a group `data` of matrices and a group `lookup` of labels.
Source: https://github.com/osPlanning/omx/wiki/Specification.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np

from apsp._types import NumPyArray, PathLike
from apsp.api.skims.matrices import Skims
from apsp.errors import ApspError, FileFormatError, GraphError, MemoryLimitError, MissingFileError, RequestError, shown
from apsp.graph.labels import labels_of
from apsp.graph.long_table import needed
from apsp.system.arguments import is_unicode, one_of, whole_number
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable
from apsp.system.replacing import check_writable, replacing
from apsp.system.threads import Threads

__all__ = ["check_omx", "read_omx", "text_or_integers", "write_omx"]

_VERSION = b"0.2"
_SQUARE, _SIDES = "zone", ("origin", "destination")
_BLOCK = 1 << 24
"""Bytes of a matrix that are converted at a time."""

_AHEAD = 4
"""Blocks that are converted before they are written."""


def write_omx(skims: Skims, path: PathLike, compression: int | None = None, dtype: str = "float64") -> None:
    """Write the file; see `Skims.to_omx`."""
    place = file_path(path)
    level = None if compression is None else whole_number(compression, "compression", least=1, most=9)
    one_of(dtype, "dtype", ("float64", "float32"))
    check_writable(place)
    h5py = needed("h5py", "Skims.to_omx")
    check_omx(skims.names, skims.zones, skims.targets)
    square = np.array_equal(skims.zones, skims.targets)
    lookups = {_SQUARE: skims.zones} if square else dict(zip(_SIDES, (skims.zones, skims.targets), strict=True))
    labels = {name: _lookup(values) for name, values in lookups.items()}
    options = {} if level is None else {"compression": "gzip", "compression_opts": level, "shuffle": True}
    with replacing(place) as raw, h5py.File(raw, "w") as file:
        file.attrs["OMX_VERSION"] = np.bytes_(_VERSION)
        file.attrs["SHAPE"] = np.array([len(skims.zones), len(skims.targets)], dtype=np.int32)
        group = file.create_group("data", track_order=True)
        blocks = []
        for name, matrix in skims.items():
            to = group.create_dataset(name, matrix.shape, dtype, **options)
            height = max(_BLOCK // max(8 * matrix.shape[1], 1), 1)
            blocks += [(to, matrix, slice(first, first + height)) for first in range(0, len(matrix), height)]
        _write_blocks(blocks, np.dtype(dtype))
        group = file.create_group("lookup")
        for name, values in labels.items():
            group.create_dataset(name, data=values)


def _write_blocks(blocks: list[tuple[Any, NumPyArray, slice]], dtype: np.dtype[Any]) -> None:
    """Write rows of matrices to datasets; the next ones are converted meanwhile."""
    with Threads(_AHEAD, "apsp-omx") as beside:
        waiting = [beside.submit(_converted, matrix[rows], dtype) for _, matrix, rows in blocks[:_AHEAD]]
        for number, (to, _, rows) in enumerate(blocks):
            to[rows] = waiting.pop(0).result()
            if number + _AHEAD < len(blocks):
                _, matrix, later = blocks[number + _AHEAD]
                waiting.append(beside.submit(_converted, matrix[later], dtype))


def _converted(block: NumPyArray, dtype: np.dtype[Any]) -> NumPyArray:
    """The block as it is written: not-a-number where there is no path."""
    with np.errstate(over="ignore", invalid="ignore"):
        has_all = np.isfinite(block.sum())  # in one pass; sums beyond float64 are examined again
        found = block.astype(dtype, copy=False)
    return found if has_all else np.where(np.isinf(block), dtype.type(np.nan), found)


def check_omx(names: Iterable[str], zones: NumPyArray, targets: NumPyArray) -> None:
    """Check before any work that an OMX file can hold matrices of these names, with these labels of rows and columns.

    Raises
    ------
    RequestError
        If HDF5 would change a name or a label, or has no place for it.
    """
    for name in names:
        if "/" in name or name == ".":
            raise RequestError(
                f"an OMX file cannot hold the cost {shown(name)}, which is a path within the file: give it another name"
            )
    for labels in (zones, targets):
        for label in text_or_integers(labels) if labels.dtype.kind == "O" else ():
            if "\0" in label or not is_unicode(label):
                raise RequestError(
                    f"an OMX file cannot hold the label {shown(label)}, which has a zero or half of a surrogate pair: "
                    "give the graph other labels"
                )


def _lookup(labels: NumPyArray) -> NumPyArray:
    if labels.dtype.kind in "iu":
        return labels
    return np.array([label.encode() for label in labels]) if len(labels) else np.empty(0, dtype="S1")


def text_or_integers(labels: NumPyArray) -> NumPyArray:
    """Return the labels.

    Raises
    ------
    RequestError
        If they are neither integers nor text.
    """
    if labels.dtype.kind not in "iu" and not all(isinstance(label, str) for label in labels):
        raise RequestError("the labels of the zones in a file of matrices are integers or text: relabel the graph")
    return labels


@memory_errors
def read_omx(path: PathLike, *, lookup: str | Literal[False] | None = None) -> Skims:
    """Read the matrices of an Open Matrix (OMX) file.

    Parameters
    ----------
    path : str or Path
        The file.
    lookup : str or False, optional
        The lookup with the labels of rows and columns; False numbers them 0, 1, 2 and so on. By default 'zone', or
        'origin' and 'destination'; else the only one whose entries differ; without one the numbers.

    Returns
    -------
    Skims
        All matrices by name, infinite where the file has not-a-number.

    Raises
    ------
    MissingDependencyError
        If h5py is not installed.
    MissingFileError
        If the file does not exist.
    FileFormatError
        If it is not an OMX file, or is damaged.
    RequestError
        If there is no such lookup, or several could hold the labels; the message lists them.
    MemoryLimitError
        If the matrices do not fit into memory.

    Examples
    --------
    >>> import apsp
    >>> skims = apsp.read_omx("skims.omx")  # doctest: +SKIP
    """
    place = file_path(path)
    if lookup is not None and lookup is not False and not isinstance(lookup, str):
        raise RequestError(f"lookup must be the name of a lookup, or False, not {shown(lookup)}")
    h5py = needed("h5py", "apsp.read_omx")
    if not place.is_file():
        raise MissingFileError(place)
    try:
        with h5py.File(place, "r") as file:
            return _read(file, place, lookup)
    except (ApspError, MemoryError):
        raise
    except Exception as error:  # h5py raises errors of many classes for damaged bytes
        words = " ".join(str(error).split())[:200]
        raise FileFormatError(place, f"it is not an OMX file with float matrices: {words}") from error


def _read(file: Any, place: Path, lookup: str | Literal[False] | None) -> Skims:
    data = file["data"]
    names = tuple(data)
    if not names:
        raise FileFormatError(place, "it has no matrices")
    shapes = {tuple(data[name].shape) for name in names}
    shape = shapes.pop()
    if shapes or len(shape) != 2 or tuple(file.attrs.get("SHAPE", shape)) != shape:
        raise FileFormatError(place, "its matrices and its attribute SHAPE have different shapes")
    size, machine = 8 * len(names) * shape[0] * shape[1], Machine.detect()
    if size > usable(machine):
        what = f"{len(names)} matrices of {shape[0]:,} x {shape[1]:,} in {place}"
        raise MemoryLimitError(what, size, machine.memory_available, ["h5py, which reads some rows at a time"])
    matrices = np.empty((len(names), *shape))
    for name, matrix in zip(names, matrices, strict=True):
        if data[name].dtype.kind not in "iuf":
            raise FileFormatError(place, f"the matrix {shown(name)} has entries of type {data[name].dtype}")
        data[name].read_direct(matrix)
        matrix[np.isnan(matrix)] = np.inf
    return Skims(names, matrices, *_sides(file.get("lookup", {}), place, shape, lookup))


def _sides(
    lookups: Any, place: Path, shape: tuple[int, ...], lookup: str | Literal[False] | None
) -> tuple[NumPyArray, NumPyArray]:
    """The labels of rows and columns."""
    if lookup is None:
        lookup = _usual(lookups, place)
    elif lookup and lookup not in lookups:
        known = f"the file has {', '.join(map(shown, lookups))}" if len(lookups) else "the file has none"
        raise RequestError(f"lookup={shown(lookup)}: {known}; lookup=False numbers the zones")
    if lookup is False:
        return np.arange(shape[0]), np.arange(shape[1])
    if lookup is not None:
        sides = [_labels(lookups, lookup, place)] * 2
    else:
        sides = [
            _labels(lookups, name, place) if name in lookups else np.arange(length)
            for name, length in zip(_SIDES, shape, strict=True)
        ]
    for labels, length in zip(sides, shape, strict=True):
        if len(labels) != length:
            raise FileFormatError(place, f"a lookup has {len(labels)} labels, the matrices have {length} zones")
    return sides[0], sides[1]


def _usual(lookups: Any, place: Path) -> str | Literal[False] | None:
    """The lookup with the labels; None for those of the two sides, False for none.

    Raises
    ------
    RequestError
        If several could hold them.
    """
    if _SQUARE in lookups:
        return _SQUARE
    if any(name in lookups for name in _SIDES):
        return None
    able = []
    for name in lookups:
        found = _entries(lookups, name, place)
        if len(set(found)) == len(found):  # unlike those of districts, which zones share
            able.append(name)
    if len(able) > 1:
        raise RequestError(
            f"{place} has the lookups {', '.join(map(shown, able))}, each of which could hold the labels of the zones: "
            f"lookup={able[0]!r} names one, lookup=False numbers them"
        )
    return able[0] if able else False


def _labels(lookups: Any, name: str, place: Path) -> NumPyArray:
    try:
        labels = labels_of(_entries(lookups, name, place))
    except GraphError as error:
        raise FileFormatError(place, f"the lookup {shown(name)}: {error}") from error
    found = np.asarray(labels)
    return found.astype(np.int64, copy=False) if found.dtype.kind == "i" else found


def _entries(lookups: Any, name: str, place: Path) -> list[Any]:
    """The entries of a lookup: numbers or text.

    Raises
    ------
    FileFormatError
        If it has others, or is not a list.
    """
    values = lookups[name][()]
    if not isinstance(values, np.ndarray) or values.ndim != 1 or values.dtype.kind not in "iufSO":
        raise FileFormatError(place, f"the lookup {shown(name)} is not a list of numbers or of text")
    return [value.decode() if isinstance(value, bytes) else value for value in values.tolist()]
