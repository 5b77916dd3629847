"""Write Open Matrix (OMX) files: matrices in HDF5 with the names of their zones.

The format: attributes OMX_VERSION and SHAPE, a group `data` of matrices and a group `lookup` of labels.
Source: https://github.com/osPlanning/omx/wiki/Specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from apsp._types import NumPyArray, PathLike
from apsp.errors import RequestError, shown
from apsp.result.skims.scaled import Scaled, packed
from apsp.system.arguments import is_unicode, one_of, whole_number
from apsp.system.file_names import file_path
from apsp.system.optional import needed
from apsp.system.replacing import check_writable, replacing
from apsp.system.threads import Threads

__all__ = ["SIDES", "SQUARE", "check_omx", "text_or_integers", "write_omx"]

SQUARE, SIDES = "zone", ("origin", "destination")
"""Lookups of the labels: of a square matrix, and of rows and columns."""

_VERSION = b"0.2"
_BLOCK = 1 << 24
"""Bytes of a matrix that are converted at a time."""

_AHEAD = 4
"""Blocks that are converted before they are written."""


def write_omx(
    matrices: Mapping[str, NumPyArray], zones: NumPyArray, targets: NumPyArray, path: PathLike,
    compression: int | None = None, dtype: str = "float64",
    attributes: Mapping[str, Mapping[str, str | int]] | None = None, scales: Mapping[str, int] | None = None, *,
    block_bytes: int = _BLOCK,
) -> None:  # fmt: skip
    """Write the file; see `Skims.to_omx`. `attributes` are those of each matrix by its name, and `scales` checked."""
    place = file_path(path)
    level = None if compression is None else whole_number(compression, "compression", least=1, most=9)
    one_of(dtype, "dtype", ("float64", "float32"))
    check_writable(place)
    h5py = needed("h5py", "Skims.to_omx")
    check_omx(matrices, zones, targets)
    square = np.array_equal(zones, targets)
    lookups = {SQUARE: zones} if square else dict(zip(SIDES, (zones, targets), strict=True))
    labels = {name: _lookup(values) for name, values in lookups.items()}
    options = {} if level is None else {"compression": "gzip", "compression_opts": level, "shuffle": True}
    with replacing(place) as raw, h5py.File(raw, "w") as file:
        file.attrs["OMX_VERSION"] = np.bytes_(_VERSION)
        file.attrs["SHAPE"] = np.array([len(zones), len(targets)], dtype=np.int32)
        group = file.create_group("data", track_order=True)
        blocks = list[_Block]()
        for name, matrix in matrices.items():
            height = max(block_bytes // max(8 * matrix.shape[1], 1), 1)
            parts = [slice(first, first + height) for first in range(0, len(matrix), height)]
            form: Scaled | _Floats = _Floats(np.dtype(dtype))
            if scales is not None and name in scales:
                form = packed(name, (matrix[rows] for rows in parts), scales[name])
            to = group.create_dataset(name, matrix.shape, form.dtype, **options)
            to.attrs.update(form.attributes | ({} if attributes is None else dict(attributes[name])))
            blocks += [_Block(to, matrix, rows, form) for rows in parts]
        _write_blocks(blocks)
        group = file.create_group("lookup")
        for name, values in labels.items():
            group.create_dataset(name, data=values)


class _Floats(NamedTuple):
    """A matrix as floats: not-a-number where there is no path."""

    dtype: np.dtype[Any]

    @property
    def attributes(self) -> dict[str, Any]:
        return {}

    def stored(self, block: NumPyArray) -> NumPyArray:
        """The block as it is written."""
        with np.errstate(over="ignore", invalid="ignore"):
            has_all = np.isfinite(block.sum())  # in one pass; sums beyond float64 are examined again
            found = block.astype(self.dtype, copy=False)
        return found if has_all else np.where(np.isinf(block), self.dtype.type(np.nan), found)


class _Block(NamedTuple):
    """Rows of a matrix, and the dataset that takes them."""

    to: Any
    matrix: NumPyArray
    rows: slice
    form: Scaled | _Floats

    def stored(self) -> NumPyArray:
        return self.form.stored(self.matrix[self.rows])


def _write_blocks(blocks: list[_Block]) -> None:
    """Write rows of matrices to datasets; the next ones are converted meanwhile."""
    with Threads(_AHEAD, "apsp-omx") as beside:
        waiting = [beside.submit(block.stored) for block in blocks[:_AHEAD]]
        for number, block in enumerate(blocks):
            block.to[block.rows] = waiting.pop(0).result()
            if number + _AHEAD < len(blocks):
                waiting.append(beside.submit(blocks[number + _AHEAD].stored))


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
