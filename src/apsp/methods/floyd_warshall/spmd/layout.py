"""How a matrix is distributed: the grid, the blocks, and the bytes of a process. Plain data; needs no processes."""

from __future__ import annotations

from dataclasses import dataclass

from apsp.methods.floyd_warshall.spmd.grid import Grid, shape_for

__all__ = ["Layout", "layout"]

_TILE = 128
_MOST_BLOCK = 512
_BLOCKS_EACH = 8
"""Blocks are whole tiles of the kernels; a process has at least 8 blocks in a row, if there are as many tiles."""


@dataclass(frozen=True)
class Layout:
    """The distribution of a matrix.

    Attributes
    ----------
    n, itemsize : int
    shape : (int, int)
        Rows and columns of the grid of processes.
    block : int
        Rows and columns of a block.
    """

    n: int
    itemsize: int
    shape: tuple[int, int]
    block: int

    def grid(self, rank: int = 0) -> Grid:
        """The blocks of a process. No process has more than the first."""
        return Grid.of(self.n, self.block, self.shape, rank)

    @property
    def steps(self) -> int:
        """Blocks of pivots."""
        return self.grid().steps

    def matrix_bytes(self, rank: int = 0) -> int:
        """Bytes of the blocks of a process."""
        grid = self.grid(rank)
        return grid.rows.size * grid.columns.size * self.itemsize

    def panel_bytes(self, rank: int = 0) -> int:
        """Bytes of the panels of two steps."""
        grid = self.grid(rank)
        return 2 * self.block * (grid.rows.size + grid.columns.size + self.block) * self.itemsize

    def sent_bytes(self, rank: int = 0) -> int:
        """Bytes of the panels that a process receives or sends in all steps."""
        grid, (rows, columns) = self.grid(rank), self.shape
        return self.n * ((rows > 1) * grid.columns.size + (columns > 1) * grid.rows.size) * self.itemsize


def layout(n: int, itemsize: int, processes: int, block: int | None = None) -> Layout:
    """Choose the grid that is closest to a square, and blocks unless they are given."""
    shape = shape_for(processes)
    if block is None:
        block = min(max(n // (max(shape) * _BLOCKS_EACH) // _TILE, 1) * _TILE, _MOST_BLOCK)
    return Layout(n, itemsize, shape, block)
