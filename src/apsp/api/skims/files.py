"""Files of skims: Open Matrix, NumPy, and tables."""

from __future__ import annotations

import zipfile

import numpy as np

from apsp._types import NumPyArray, PathLike
from apsp.api.skims.matrices import Skims
from apsp.api.skims.omx import text_or_integers, write_omx
from apsp.errors import RequestError
from apsp.graph.long_table import needed
from apsp.graph.table_file import check_table_path, write_table
from apsp.system.replacing import replacing

__all__ = ["ENDINGS", "check_skims_path", "write_skims"]

ENDINGS = (".omx", ".parquet", ".csv", ".npz")
_LABELS = ("zones", "targets")


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


def write_skims(skims: Skims, path: PathLike) -> None:
    """Write the file; see `Skims.write`."""
    ending = check_skims_path(path)
    if ending == ".omx":
        write_omx(skims, path)
    elif ending == ".npz":
        _write_npz(skims, path)
    else:
        write_table(skims._table, path)


def _write_npz(skims: Skims, path: PathLike) -> None:
    for name in _LABELS:
        if name in skims:
            raise RequestError(f"an .npz file has the labels as {name!r}: give the cost {name!r} another name")
    labels = {name: _texts(text_or_integers(getattr(skims, name))) for name in _LABELS}
    with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in [*skims.items(), *labels.items()]:
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)


def _texts(labels: NumPyArray) -> NumPyArray:
    return labels if labels.dtype.kind in "iu" else np.array(labels.tolist(), dtype=np.str_)
