"""The panels of the steps: the closed block of the diagonal, row and column of blocks, as far as a process needs them.

If the processes of a row (or column) of the grid share memory, they share the panels that one of them sends to the
others: these read it where it was written.

There are two sets, for a step and the next one, and a third one if memory is shared: a process that begins step s + 1
has the result of a search for the largest number to which all others contributed after step s - 2, so that none of them
reads the panels of that step any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from apsp.gpu.page import Page
from apsp.methods.backend import Backend
from apsp.methods.distributed import Arrival, Connection, Number
from apsp.methods.floyd_warshall.spmd.grid import Grid

__all__ = ["PanelSets", "Panels"]


@dataclass
class Panels:
    """The panels of a step; to be sent: on the CPU without gaps, on a GPU with the same ones everywhere.

    Attributes
    ----------
    row_diagonal, column_diagonal : Page
        The block of the diagonal, sent along the row of the grid and along its column: one page if none is shared.
    row : Page
        The row of blocks, sent along the column of the grid.
    column : Page
        The column of blocks, sent along the row of the grid.
    coming : list of Arrival
        What is on its way.
    found : Number, optional
        The largest of the numbers that the processes gave.
    """

    row_diagonal: Page
    column_diagonal: Page
    row: Page
    column: Page
    coming: list[Arrival] = field(default_factory=list)
    found: Number | None = None

    def advance(self) -> None:
        """Let what is on its way go on."""
        for arrival in self.coming:
            arrival.advance()
        if self.found is not None:
            self.found.advance()

    def wait(self) -> None:
        """Wait until all panels are here."""
        for arrival in self.coming:
            arrival.wait()
        self.coming = []


class PanelSets:
    """The sets of panels of one process. All processes make them together.

    Parameters
    ----------
    grid : Grid
    page : page of the device
        The blocks of this process.
    backend : Backend
    connection : Connection
    """

    def __init__(self, grid: Grid, page: Page, backend: Backend, connection: Connection) -> None:
        self._grid, self._backend = grid, backend
        (pivots, width), (rows, columns), dtype = self._block(0), page.shape, page.dtype

        def along_row(rows: int, columns: int) -> Page | None:
            return connection.shared_along_row(rows, columns, dtype)

        def along_column(rows: int, columns: int) -> Page | None:
            return connection.shared_along_column(rows, columns, dtype)

        def own(rows: int, columns: int) -> Page:
            return backend.allocate(rows, columns, dtype)

        def made() -> Panels:
            row_diagonal, column_diagonal = along_row(pivots, width), along_column(pivots, width)
            row, column = along_column(pivots, columns), along_row(rows, width)
            block = own(pivots, width) if row_diagonal is None or column_diagonal is None else None
            return Panels(
                block if row_diagonal is None else row_diagonal,
                block if column_diagonal is None else column_diagonal,
                own(pivots, columns) if row is None else row,
                own(rows, width) if column is None else column,
            )

        self._sets = [made() for _ in range(3 if connection.shares_memory else 2)]

    def of(self, step: int) -> Panels:
        """Return the panels for a step, in the place of those of two or three steps before."""
        (pivots, width), panels = self._block(step), self._sets[step % len(self._sets)]
        if panels.row_diagonal.shape == (pivots, width):
            return panels
        row_diagonal = self._smaller(panels.row_diagonal, pivots, width)  # the last block
        same = panels.column_diagonal is panels.row_diagonal
        return Panels(
            row_diagonal, row_diagonal if same else self._smaller(panels.column_diagonal, pivots, width),
            self._smaller(panels.row, pivots, panels.row.shape[1]),
            self._smaller(panels.column, panels.column.shape[0], width),
        )  # fmt: skip

    def _smaller(self, page: Page, rows: int, columns: int) -> Page:
        """Return a smaller page: at the beginning of this one, if it has no gaps, since it may be shared."""
        if type(page) is np.ndarray:
            return page.reshape(-1)[: rows * columns].reshape(rows, columns)
        return self._backend.allocate(rows, columns, page.dtype)

    def _block(self, step: int) -> tuple[int, int]:
        """The rows of a block of the diagonal, and its columns, in values."""
        (first, last), (left, right) = self._grid.rows.bounds(step), self._grid.columns.bounds(step)
        return last - first, right - left
