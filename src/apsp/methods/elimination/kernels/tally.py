"""Launches sums over lines of distances, one source per lane, as reduce.py does for rows; rows are never stored.

Input: lines on the device, public values. Output: numbers of each lane. Cost: a pass over the lines. The idea: a thread
follows a lane through a part of the lines; the parts are joined in their order, so that every run gives the same sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, address, stride
from apsp.system.array_device import to_host

__all__ = ["LineNumbers", "expressions", "numbers_of", "tally_lines"]

_THREADS = 128
_BLOCKS = 8192
"""Number of blocks that keeps a large GPU busy."""


class LineNumbers(NamedTuple):
    """Numbers of each lane, (lanes,) host arrays: as `apsp.reductions.kernels.reduce.RowNumbers`, without the least."""

    reached: npt.NDArray[np.int64]
    total: npt.NDArray[Any]
    reciprocals: npt.NDArray[np.float64]
    largest: npt.NDArray[Any]
    farthest: npt.NDArray[np.int32]


def expressions(dtype: str) -> tuple[str, str]:
    """The kernels of tally.cu, in the order of their launches."""
    return f"apsp::tally_lines<{VALUES[dtype]}>", f"apsp::join_parts<{VALUES[dtype]}>"


def tally_lines(lines: Page, lanes: int, vertices: Page) -> list[Page]:
    """The numbers of some lanes, (lanes,) arrays of the device in the order of `LineNumbers`.

    Parameters
    ----------
    lines : (count, lanes or more)
    vertices : (count,) int32
        The vertices of the lines.
    """
    count = len(lines)
    blocks = -(-lanes // _THREADS)
    parts = min(max(_BLOCKS // blocks, 1), -(-count // 64))
    of_parts, of_all = _numbers((parts, lanes), lines.dtype), _numbers((lanes,), lines.dtype)
    names = expressions(lines.dtype.name)
    tally, join = (jit.kernels("tally.cu", names)[name] for name in names)
    tally(
        (blocks, parts), (_THREADS,),
        (lines, stride(lines), np.int32(count), np.int32(lanes), vertices, _addresses(of_parts)),
    )  # fmt: skip
    join((blocks,), (_THREADS,), (np.int32(parts), np.int32(lanes), _addresses(of_parts), _addresses(of_all)))
    return of_all


def numbers_of(tallied: list[Page]) -> LineNumbers:
    """Copy the numbers to the host."""
    return LineNumbers(*map(to_host, tallied))


def _numbers(shape: tuple[int, ...], dtype: np.dtype[Any]) -> list[Page]:
    total: Any = np.float64 if dtype.kind == "f" else np.int64
    return [jit.cupy().empty(shape, dtype=kind) for kind in (np.int64, total, np.float64, dtype, np.int32)]


def _addresses(arrays: list[Page]) -> Any:
    """The addresses, as the struct PartNumbers of the kernels."""
    struct = np.zeros((), dtype=np.dtype([(name, "u8") for name in LineNumbers._fields]))
    for name, array in zip(LineNumbers._fields, arrays, strict=True):
        struct[name] = address(array)
    return struct
