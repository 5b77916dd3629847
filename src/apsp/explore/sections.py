"""Arrays as bytes that compress well, and that `page/data.mjs` reads.

Bytes of the same significance are together (planes): those of small numbers are zeros. Signed numbers are zigzagged (0,
-1, 1, -2 become 0, 1, 2, 3); of numbers that are near their predecessors the steps are written.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject
from apsp.errors import RequestError

__all__ = ["Sections"]

Kind = Literal["numbers", "steps", "bytes", "float32", "float64"]

_INTEGERS = ("numbers", "steps")
_STORED = {"bytes": "u1", "float32": "<f4", "float64": "<f8"}

_LEVEL = 9
"""Effort of the compression: a second for 10 MB."""


class Sections:
    """Named arrays, one after another.

    Attributes
    ----------
    table : dict
        By name: kind, start, count and planes of each.
    """

    def __init__(self) -> None:
        self.table: JsonObject = {}
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, name: str, values: npt.NDArray[Any] | bytes, kind: Kind) -> None:
        """Append an array.

        Raises
        ------
        RequestError
            If a number does not fit 31 bits and a sign.
        """
        if isinstance(values, bytes):
            part, count, planes = values, len(values), 1
        else:
            array = _zigzagged(values, kind == "steps") if kind in _INTEGERS else values.astype(_STORED[kind])
            rows = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), array.itemsize)
            planes = _used(rows) if kind in _INTEGERS else array.itemsize
            part, count = np.ascontiguousarray(rows[:, :planes].T).tobytes(), len(array)
        self.table[name] = {"kind": kind, "start": self._length, "count": count, "planes": planes}
        self._parts.append(part)
        self._length += len(part)

    def text(self) -> str:
        """All of them, compressed (zlib), in base64."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), _LEVEL)).decode("ascii")


def _zigzagged(values: npt.NDArray[Any], steps: bool) -> npt.NDArray[np.uint32]:
    numbers = values.astype(np.int64)
    if steps:
        numbers = np.diff(numbers, prepend=0)
    if len(numbers) and (numbers.max() >= 2**31 or numbers.min() < -(2**31)):
        raise RequestError("a number of this graph takes more than 32 bits in a map")
    return ((numbers << 1) ^ (numbers >> 63)).astype("<u4")


def _used(rows: npt.NDArray[np.uint8]) -> int:
    """The number of the last column that is not all zeros, from 1."""
    used = np.flatnonzero(rows.any(axis=0))
    return int(used[-1]) + 1 if len(used) else 0
