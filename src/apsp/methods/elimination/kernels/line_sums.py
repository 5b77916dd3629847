"""Launches sums of amounts over lines of distances, one source per lane: over the lines that are near.

Input: lines (n, lanes), in rows of whole tiles, of which those of a tile are near that `near` (tiles, n) marks. Output:
sums of each lane, on the device. Cost: a pass over the near lines for every four cutoffs and four kinds of amounts.

The idea: float32 adds several times as fast as float64, and exactly while sums of whole numbers stay below 2^24. So
amounts that are whole numbers are added up in float32 over parts of the lines that are short enough, and the sums of
the parts in float64. The result is the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride
from apsp.methods.elimination.kernels.layout import WORDS_OF_A_TILE, Ints
from apsp.reductions.kernels.weigh import CUTOFFS, AmountsOnDevice
from apsp.reductions.weighing import Weighing

__all__ = ["LineSums", "sums_expression", "whole_expression"]

KINDS = 4
"""The most kinds of amounts of a launch."""

_THREADS, _BLOCKS, _SHORTEST = 128, 8192, 256  # blocks that keep a large GPU busy; lines of a part
_OWN_LANES = 4  # kOwnLanes of whole.cu
_EXACT = 1 << 24
"""Whole numbers up to here are exact in float32."""

_MOST_PARTS = 1024


Pass = tuple[slice, slice, Page]
"""Cutoffs, kinds, and their sums on the device: (lanes, cutoffs, kinds)."""


class LineSums:
    """Sums of a weighing over lines: in float32 where that is exact, in float64 otherwise.

    Parameters
    ----------
    weighing : Weighing
    order : (n,) int32
        The vertices of the lines.
    dtype : numpy dtype
        Of the distances.
    tile : int
        Lanes of a tile.
    """

    def __init__(self, weighing: Weighing, order: Ints, dtype: np.dtype[Any], tile: int) -> None:
        self._shape = len(weighing.cutoffs), weighing.amounts.shape[1]
        longest = None if weighing.has_decay else _longest_part(weighing.amounts)
        self._sums: _AnySums | _WholeSums
        if longest is None or len(order) > longest * _MOST_PARTS:
            self._sums = _AnySums(AmountsOnDevice(weighing, order), dtype, tile)
        else:
            self._sums = _WholeSums(weighing, order, dtype, tile, longest)

    def of(self, lines: Page, near: Page, lanes: int) -> Page:
        """Queue the sums (lanes, cutoffs, kinds) of lines (n, lanes), near (tiles, n)."""
        found = jit.cupy().empty((lanes, *self._shape), dtype=np.float64)
        for cutoffs, kinds, sums in self._sums.passes(lines, near, lanes):
            found[:, cutoffs, kinds] = sums
        return found


def sums_expression(dtype: str, kinds: int) -> str:
    """The kernel of within.cu, for 1 or 4 kinds of amounts."""
    return f"apsp::weigh_lines<{VALUES[dtype]}, {kinds}>"


def whole_expression(dtype: str, kinds: int) -> str:
    """The kernel of whole.cu, for 1 to 4 kinds of amounts."""
    return f"apsp::weigh_whole_lines<{VALUES[dtype]}, {kinds}>"


class _AnySums:
    """Sums in float64."""

    def __init__(self, amounts: AmountsOnDevice, dtype: np.dtype[Any], tile: int) -> None:
        self._amounts, self._tile = amounts, tile
        self._name = sums_expression(dtype.name, amounts.kinds)

    def passes(self, lines: Page, near: Page, lanes: int) -> Iterator[Pass]:
        """Queue the sums of some cutoffs and kinds after the other."""
        cupy, amounts, n = jit.cupy(), self._amounts, len(lines)
        kernel = jit.kernels("within.cu", (self._name,))[self._name]
        blocks = -(-lanes // _THREADS)
        parts = max(min(_BLOCKS // blocks, -(-n // _SHORTEST)), 1)
        for cutoffs, kinds, struct in amounts.passes(lines.dtype):
            found: Any = cupy.empty((parts, lanes, CUTOFFS, amounts.kinds), dtype=np.float64)
            kernel(
                (blocks, parts), (_THREADS,),
                (lines, stride(lines), np.int32(n), np.int32(lanes), near, np.int32(self._tile), struct, found),
            )  # fmt: skip
            sums = found.sum(axis=0)[:, : cutoffs.stop - cutoffs.start, : kinds.stop - kinds.start]
            yield cutoffs, kinds, sums


class _WholeSums:
    """Sums of whole numbers over parts of at most `longest` lines, in float32."""

    def __init__(self, weighing: Weighing, order: Ints, dtype: np.dtype[Any], tile: int, longest: int) -> None:
        self._tile, self._longest = tile, longest
        assert tile % WORDS_OF_A_TILE == 0  # a warp, with its 32 * _OWN_LANES lanes, lies in one tile
        none = np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max - 1
        self._bounds = np.minimum(weighing.bounds(dtype), none)
        self._amounts = []
        for first in range(0, weighing.amounts.shape[1], KINDS):
            some = weighing.amounts[:, first : first + KINDS]
            own = np.zeros((len(order), 4 if some.shape[1] == 3 else some.shape[1]), dtype=np.float32)
            own[:, : some.shape[1]] = some[order]
            self._amounts.append((slice(first, first + some.shape[1]), jit.cupy().asarray(own)))

    def passes(self, lines: Page, near: Page, lanes: int) -> Iterator[Pass]:
        """Queue the sums of some cutoffs and kinds after the other."""
        cupy, n, pitch = jit.cupy(), len(lines), int(stride(lines))
        blocks = -(-pitch // (_THREADS * _OWN_LANES))
        parts = max(min(_BLOCKS // blocks, -(-n // _SHORTEST)), -(-n // self._longest), 1)
        for first in range(0, len(self._bounds), CUTOFFS):
            some = self._bounds[first : first + CUTOFFS]
            for kinds, amounts in self._amounts:
                count = kinds.stop - kinds.start
                name = whole_expression(lines.dtype.name, count)
                kernel = jit.kernels("whole.cu", (name,))[name]
                found: Any = cupy.empty((parts, CUTOFFS, count, pitch), dtype=np.float32)
                kernel(
                    (blocks, parts), (_THREADS,),
                    (lines, stride(lines), np.int32(n), np.int32(pitch), near, np.int32(self._tile),
                     _struct(amounts, some), found),
                )  # fmt: skip
                sums = found.sum(axis=0, dtype=np.float64)[: len(some), :, :lanes]
                yield slice(first, first + len(some)), kinds, sums.transpose(2, 0, 1)


def _struct(amounts: Page, cutoffs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return WholeWeighing of whole.cu."""
    fields: Any = [("amounts", "u8"), ("cutoffs", cutoffs.dtype, (CUTOFFS,))]
    struct = np.zeros((), dtype=np.dtype(fields, align=True))
    struct["amounts"] = amounts.data.ptr
    struct["cutoffs"] = np.pad(cutoffs, (0, CUTOFFS - len(cutoffs)), mode="edge")
    return struct


def _longest_part(amounts: npt.NDArray[np.float64]) -> int | None:
    """Return a number of lines over which no sum exceeds 2^24; None if one amount does, or is not a whole number."""
    most = np.abs(amounts).max(initial=1)
    if not (most <= _EXACT and (amounts == np.rint(amounts)).all()):
        return None
    return int(_EXACT // most)
