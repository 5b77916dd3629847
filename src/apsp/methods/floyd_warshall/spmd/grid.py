"""The block-cyclic distribution of a square matrix over a grid of processes: plain data.

Source: Sao, Lu, Kannan, Thakkar, Vuduc, Potok 2021 (block-cyclic in two dimensions, as in ScaLAPACK). Block (i, j)
of the matrix belongs to process (i mod rows, j mod columns). A process keeps its blocks without gaps, in one page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Axis", "Grid", "shape_for"]


def shape_for(processes: int) -> tuple[int, int]:
    """Return the rows and columns of the grid that is closest to a square: it sends the fewest values."""
    rows = next(rows for rows in range(math.isqrt(processes), 0, -1) if processes % rows == 0)
    return rows, processes // rows


@dataclass(frozen=True)
class Axis:
    """The blocks of one process along the rows or the columns of the matrix.

    Attributes
    ----------
    n, block : int
        Size of the matrix, and of a block; the last block may be smaller.
    processes, place : int
        Number of processes along this axis, and the place of this one among them.
    """

    n: int
    block: int
    processes: int
    place: int

    @property
    def blocks(self) -> int:
        """Blocks of the matrix."""
        return -(-self.n // self.block)

    @property
    def owned(self) -> range:
        """Blocks of this process."""
        return range(self.place, self.blocks, self.processes)

    @property
    def size(self) -> int:
        """Rows (or columns) of this process."""
        return sum(self.bounds(block)[1] - self.bounds(block)[0] for block in self.owned)

    def owner(self, block: int) -> int:
        """The place of the process that has a block."""
        return block % self.processes

    def owns(self, block: int) -> bool:
        """Whether this process has a block."""
        return block < self.blocks and self.owner(block) == self.place

    def bounds(self, block: int) -> tuple[int, int]:
        """The block (from, to) in the matrix."""
        return block * self.block, min((block + 1) * self.block, self.n)

    def here(self, block: int) -> slice:
        """The block in the page of its process: all blocks before it there are whole."""
        first, last = self.bounds(block)
        begin = block // self.processes * self.block
        return slice(begin, begin + last - first)

    def places(self) -> npt.NDArray[np.int64]:
        """The place of every row (or column) of the matrix in the page of this process, -1 for those of others."""
        found = np.full(self.n, -1, dtype=np.int64)
        for block in self.owned:
            here = self.here(block)
            found[slice(*self.bounds(block))] = np.arange(here.start, here.stop)
        return found

    def without(self, *blocks: int) -> list[slice]:
        """The page of this process without some blocks, in as few pieces as possible."""
        pieces, begin = [], 0
        for gap in sorted((self.here(block) for block in set(blocks) if self.owns(block)), key=lambda gap: gap.start):
            if gap.start > begin:
                pieces.append(slice(begin, gap.start))
            begin = gap.stop
        if begin < self.size:
            pieces.append(slice(begin, self.size))
        return pieces


@dataclass(frozen=True)
class Grid:
    """The part of one process.

    Attributes
    ----------
    rows, columns : Axis
        Along the rows and along the columns of the matrix.
    """

    rows: Axis
    columns: Axis

    @classmethod
    def of(cls, n: int, block: int, shape: tuple[int, int], rank: int) -> Grid:
        """The part of the process of this rank; ranks run along the rows of the grid."""
        rows = Axis(n, block, shape[0], rank // shape[1])
        return cls(rows, Axis(n, block, shape[1], rank % shape[1]))

    @property
    def steps(self) -> int:
        """Blocks of pivots."""
        return self.rows.blocks
