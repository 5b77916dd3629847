"""The header of an array in a file (`.npy`), read without evaluating it.

NumPy's own reader parses the header as Python, and may raise any exception if it is damaged.
"""

from __future__ import annotations

import re
import struct
from typing import IO, Any

import numpy as np
import numpy.typing as npt

__all__ = ["KINDS", "read_header", "size_of"]

KINDS = "biufUS"
"""Kinds of dtypes that are read: booleans, integers, floats, text, bytes."""

_LONGEST = 10_000
_HEADER = re.compile(
    rb"\{'descr': '([<>|=][a-zA-Z]\d{1,9})', 'fortran_order': (False|True), 'shape': \(([\d, ]*)\), \}\s*"
)
_MOST = 2**62


def read_header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and dtype; the file is then at the first byte of the data.

    Raises
    ------
    ValueError
        If it is damaged, or the array is not of plain numbers or text in C order.
    """
    start = file.read(8)
    if start[:6] != b"\x93NUMPY" or start[6:] not in (b"\1\0", b"\2\0"):
        raise ValueError("it does not start as an array")
    wide = start[6] == 2
    announced = file.read(4 if wide else 2)
    if len(announced) < (4 if wide else 2):
        raise ValueError("its header ends early")
    (length,) = struct.unpack("<I" if wide else "<H", announced)
    text = file.read(length) if length <= _LONGEST else b""
    found = _HEADER.fullmatch(text)
    if found is None:
        raise ValueError("its header is damaged")
    dtype = _dtype(found[1].decode())
    if found[2] == b"True":
        raise ValueError("its elements are stored by columns")
    return _shape(found[3].decode()), dtype


def size_of(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    """Bytes of an array, however large the numbers are."""
    size = dtype.itemsize
    for length in shape:
        size *= length
    return size


def _dtype(text: str) -> np.dtype[Any]:
    try:
        dtype: npt.DTypeLike = np.dtype(text)
    except (TypeError, ValueError) as error:
        raise ValueError(f"it has an unknown type of elements ({text})") from error
    if dtype.kind not in KINDS or not dtype.isnative:  # type: ignore[union-attr]
        raise ValueError(f"it has elements of type {text}, which are not stored here")
    return dtype  # type: ignore[return-value]


def _shape(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if parts[-1] == "":
        parts.pop()
    if len(parts) > 8 or not all(part.isdecimal() and len(part) <= 19 for part in parts):
        raise ValueError("its header is damaged")
    shape = tuple(int(part) for part in parts)
    if any(length > _MOST for length in shape):
        raise ValueError("its header is damaged")
    return shape
