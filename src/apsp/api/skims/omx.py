"""Open Matrix (OMX) files: matrices in HDF5 with the names of their zones.

The format: attributes OMX_VERSION and SHAPE, a group `data` of matrices and a group `lookup` of labels.
Source: https://github.com/osPlanning/omx/wiki/Specification.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from apsp._types import NumPyArray, PathLike
from apsp.api.skims.matrices import Skims
from apsp.errors import FileFormatError, MissingFileError, RequestError
from apsp.graph.long_table import needed
from apsp.system.arguments import one_of, whole_number
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.replacing import check_writable, replacing
from apsp.system.threads import Threads

__all__ = ["read_omx", "text_or_integers", "write_omx"]

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
            to = group.create_dataset(name.replace("/", "_"), matrix.shape, dtype, **options)
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


def _lookup(labels: NumPyArray) -> NumPyArray:
    if text_or_integers(labels).dtype.kind in "iu":
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
def read_omx(path: PathLike) -> Skims:
    """Read the matrices of an Open Matrix (OMX) file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Skims
        All matrices by name, infinite where the file has not-a-number. The labels are those of the lookup 'zone', or
        'origin' and 'destination'; of another lookup if it is the only one; else 0, 1, 2 and so on.

    Raises
    ------
    MissingDependencyError
        If h5py is not installed.
    MissingFileError
        If the file does not exist.
    FileFormatError
        If it is not an OMX file.

    Examples
    --------
    >>> import apsp
    >>> skims = apsp.read_omx("skims.omx")  # doctest: +SKIP
    """
    place = file_path(path)
    h5py = needed("h5py", "apsp.read_omx")
    if not place.is_file():
        raise MissingFileError(place)
    try:
        with h5py.File(place, "r") as file:
            names = tuple(file["data"])
            shape = tuple(file.attrs["SHAPE"]) if "SHAPE" in file.attrs else file["data"][names[0]].shape
            matrices = np.empty((len(names), *shape))
            for name, matrix in zip(names, matrices, strict=True):
                file["data"][name].read_direct(matrix)
                matrix[np.isnan(matrix)] = np.inf
            found = {name: _labels(values[()]) for name, values in file.get("lookup", {}).items()}
    except (OSError, KeyError, IndexError, TypeError, ValueError) as error:
        raise FileFormatError(place, f"it is not an OMX file with float matrices: {error}") from error
    return Skims(names, matrices, *_sides(place, found, matrices.shape[1:]))


def _labels(values: NumPyArray) -> NumPyArray:
    if values.dtype.kind in "iu":
        return values.astype(np.int64)
    return np.array([value.decode() if isinstance(value, bytes) else value for value in values], dtype=object)


def _sides(place: Path, found: dict[str, NumPyArray], shape: tuple[int, ...]) -> tuple[NumPyArray, NumPyArray]:
    """The labels of rows and columns."""
    if len(found) == 1 or _SQUARE in found:
        sides = [found.get(_SQUARE, next(iter(found.values())))] * 2
    else:
        sides = [found.get(name, np.arange(length)) for name, length in zip(_SIDES, shape, strict=True)]
    for labels, length in zip(sides, shape, strict=True):
        if len(labels) != length:
            raise FileFormatError(place, f"a lookup has {len(labels)} labels, the matrices have {length} zones")
    return sides[0], sides[1]
