"""How a matrix is distributed: the grid, the blocks, and the bytes of a process. Plain data; needs no processes."""

from __future__ import annotations

from dataclasses import dataclass

from apsp.methods.floyd_warshall.spmd.grid import Grid, shape_for

__all__ = ["Layout", "layout"]

_TILE, _LARGEST = 128, 512
"""Rows of the smallest block that is chosen, and of the largest."""

_BLOCKS_EACH = 8
"""A process has at least so many blocks in a row, if there are as many tiles."""


@dataclass(frozen=True)
class Layout:
    """The distribution of a matrix.

    Attributes
    ----------
    n, itemsize : int
    shape : (int, int)
        Rows and columns of the grid of processes.
    block : int
        Rows and columns of a block, in vertices.
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
        """Bytes of the panels of three steps; with messages instead of shared memory, two sets suffice."""
        grid, block = self.grid(rank), self.grid(rank).columns.block
        return 3 * (self.block * grid.columns.size + (grid.rows.size + self.block) * block) * self.itemsize

    def band_bytes(self) -> int:
        """Bytes of the whole rows that are filled at a time."""
        grid = self.grid()
        return min(self.block, self.n) * grid.columns.n * self.itemsize

    def sent_bytes(self, rank: int = 0) -> int:
        """Bytes of the panels that a process receives or sends in all steps."""
        grid, (rows, columns) = self.grid(rank), self.shape
        along_columns, along_rows = self.n * grid.columns.size, grid.columns.n * grid.rows.size
        return ((rows > 1) * along_columns + (columns > 1) * along_rows) * self.itemsize


def layout(
    n: int,
    itemsize: int,
    processes: int,
    block: int | None = None,
) -> Layout:
    """Choose the grid that is closest to a square, and blocks unless they are given: whole tiles of the kernels.

    Parameters
    ----------
    n, itemsize, processes : int
    block : int
        As for `Layout`.

    Returns
    -------
    Layout
    """
    shape = shape_for(processes)
    if block is None:
        block = min(max(n // (max(shape) * _BLOCKS_EACH) // _TILE, 1) * _TILE, _LARGEST)
    return Layout(n, itemsize, shape, block)
