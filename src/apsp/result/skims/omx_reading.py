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
from apsp.result.skims.scaled import unpacked
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable
from apsp.system.optional import needed

__all__ = ["read_omx"]

_SIDES_OF_DIM = ("row", "column")


@memory_errors
def read_omx(path: PathLike, *, lookup: str | Literal[False] | None = None) -> Skims:
    """Read the matrices of an Open Matrix (OMX) file.

    Parameters
    ----------
    path : str or Path
        The file.
    lookup : str or False, optional
        The lookup with the labels of rows and columns; False numbers them 0, 1, 2 and so on. By default 'zone', or
        'origin' and 'destination'; else the only one whose entries differ; without one the numbers. Lookups that say
        which side they are of (their attribute DIM is 'row' or 'col') are used for that side alone.

    Returns
    -------
    Skims
        All matrices by name, infinite where the file has not-a-number, or the number that a matrix has for "no value"
        (the attributes NA, as of the library for R, _FillValue or missing_value). Numbers with the attributes
        scale_factor and add_offset are what these say.

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
        try:
            unpacked(matrix, data[name].dtype, data[name].attrs)
        except ValueError as error:
            raise FileFormatError(place, f"the matrix {shown(name)}: {error}") from None
    return Skims(names, matrices, *_sides(file.get("lookup", {}), place, shape, lookup))


def _sides(
    lookups: Any, place: Path, shape: tuple[int, ...], lookup: str | Literal[False] | None
) -> tuple[NumPyArray, NumPyArray]:
    """The labels of rows and columns."""
    if lookup is None:
        if any("DIM" in lookups[name].attrs for name in lookups):
            return _by_side(lookups, place, shape)
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
    return _fitting(sides, place, shape)


def _fitting(sides: list[NumPyArray], place: Path, shape: tuple[int, ...]) -> tuple[NumPyArray, NumPyArray]:
    for labels, length in zip(sides, shape, strict=True):
        if len(labels) != length:
            raise FileFormatError(place, f"a lookup has {len(labels)} labels, the matrices have {length} zones")
    return sides[0], sides[1]


def _by_side(lookups: Any, place: Path, shape: tuple[int, ...]) -> tuple[NumPyArray, NumPyArray]:
    """The labels of rows and columns, of lookups of which some say whose they are."""
    sides = []
    for side, length in zip(_SIDES_OF_DIM, shape, strict=True):
        fitting = [name for name in lookups if _side_of(lookups[name], name, place) in (side, None)]
        own = [name for name in fitting if "DIM" in lookups[name].attrs]
        found = [name for name in own or fitting if _differ(lookups, name, place)]
        if len(found) > 1:
            raise RequestError(
                f"{place} has several lookups of its {side}s, {', '.join(map(shown, found))}: "
                f"lookup={found[0]!r} names one for rows and columns, lookup=False numbers them"
            )
        sides.append(_labels(lookups, found[0], place) if found else np.arange(length))
    return _fitting(sides, place, shape)


def _side_of(lookup: Any, name: str, place: Path) -> str | None:
    """The side that a lookup is of; None if it is of both."""
    if "DIM" not in lookup.attrs:
        return None
    value = np.asarray(lookup.attrs["DIM"]).ravel()[0]
    word = value.decode() if isinstance(value, bytes) else str(value)
    known = {"row": "row", "col": "column", "0": "row", "1": "column", "": None}
    if word not in known:
        raise FileFormatError(place, f"the lookup {shown(name)} is of {shown(word)}, which is neither 'row' nor 'col'")
    return known[word]


def _differ(lookups: Any, name: str, place: Path) -> bool:
    """Whether the entries differ, unlike those of districts, which zones share."""
    found = _entries(lookups, name, place)
    return len(set(found)) == len(found)


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
    able = [name for name in lookups if _differ(lookups, name, place)]
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
