"""Files of skims: Open Matrix, NumPy, and tables."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence

import numpy as np

from apsp._types import NumPyArray, PathLike
from apsp.errors import RequestError, shown
from apsp.graph.table_file import check_table_labels, check_table_path, write_table
from apsp.result.skims.long_form import check_columns, labels_of_ends, long_form
from apsp.result.skims.omx_writing import check_omx, text_or_integers, write_omx
from apsp.system.optional import needed
from apsp.system.replacing import replacing

__all__ = ["ENDINGS", "check_skims", "check_skims_path", "write_skims"]

ENDINGS = (".omx", ".parquet", ".csv", ".npz")
_LABELS = ("zones", "targets")
_LONGEST = 65_000
"""Bytes of the name of a member; zip files count up to 65,535."""


def check_skims_path(path: PathLike) -> str:
    """Check before any work that a file of skims can be written; return its ending.

    Raises
    ------
    RequestError, MissingDependencyError, OutputError
        If it has an unknown ending, the package for it is missing, or the place is not writable.
    """
    ending = check_table_path(path, ENDINGS).suffix.lower()
    if ending == ".omx":
        needed("h5py", "writing Open Matrix files")
    return ending


def check_skims(path: PathLike, names: Sequence[str], zones: NumPyArray, targets: NumPyArray) -> None:
    """Check before any work that the file can hold costs of these names, and labels of rows and columns, as they are.

    Raises
    ------
    RequestError, GraphError
        If it has other columns or arrays of a name, or would change a name or a label.
    """
    ending = check_skims_path(path)
    if ending == ".omx":
        check_omx(names, zones, targets)
    elif ending == ".npz":
        _check_npz(names, zones, targets)
    else:
        check_columns(names)
        check_table_labels(path, labels_of_ends(zones, targets))


def write_skims(matrices: Mapping[str, NumPyArray], zones: NumPyArray, targets: NumPyArray, path: PathLike) -> None:
    """Write the file; see `Skims.write`."""
    check_skims(path, list(matrices), zones, targets)
    ending = check_skims_path(path)
    if ending == ".omx":
        write_omx(matrices, zones, targets, path)
    elif ending == ".npz":
        _write_npz(matrices, {"zones": zones, "targets": targets}, path)
    else:
        write_table(lambda: long_form(matrices, zones, targets), path)


def _check_npz(names: Sequence[str], zones: NumPyArray, targets: NumPyArray) -> None:
    for name in names:
        if name in _LABELS:
            raise RequestError(f"an .npz file has the labels as {name!r}: give the cost {name!r} another name")
        if name.removesuffix(".npy") in {*names, *_LABELS} - {name}:  # numpy.load returns the other one
            raise RequestError(f"an .npz file cannot hold {shown(name)} beside {shown(name[:-4])}: rename the cost")
        if len(name.encode()) > _LONGEST:
            raise RequestError(f"the name {shown(name)} of a cost is too long for an .npz file: rename the cost")
    for labels in (zones, targets):
        for label in text_or_integers(labels) if labels.dtype.kind == "O" else ():
            if label.endswith("\0"):
                raise RequestError(f"NumPy loses the zero at the end of the label {shown(label)}: relabel the graph")


def _write_npz(matrices: Mapping[str, NumPyArray], labels: Mapping[str, NumPyArray], path: PathLike) -> None:
    members = [*matrices.items(), *((name, _texts(text_or_integers(each))) for name, each in labels.items())]
    with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in members:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)


def _texts(labels: NumPyArray) -> NumPyArray:
    return labels if labels.dtype.kind in "iu" else np.array(labels.tolist(), dtype=np.str_)
