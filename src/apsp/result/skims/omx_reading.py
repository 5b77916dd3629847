"""Read Open Matrix (OMX) files; `omx_writing` describes the format."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np

from apsp._types import NumPyArray, PathLike
from apsp.errors import ApspError, FileFormatError, GraphError, MemoryLimitError, MissingFileError, RequestError, shown
from apsp.graph.labels import labels_of
from apsp.result.skims.matrices import Skims
from apsp.result.skims.omx_writing import SIDES, SQUARE
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable
from apsp.system.optional import needed

__all__ = ["read_omx"]


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
            for name, length in zip(SIDES, shape, strict=True)
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
    if SQUARE in lookups:
        return SQUARE
    if any(name in lookups for name in SIDES):
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
        raise FileFormatError(place, f"the lookup {shown(name)}: {error}") from None
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
