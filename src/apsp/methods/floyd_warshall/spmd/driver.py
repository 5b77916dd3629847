"""Floyd-Warshall over a grid of processes: the program of one of them.

Source: Sao, Lu, Kannan, Thakkar, Vuduc, Potok 2021 (block-cyclic in two dimensions; look-ahead). Input: the page of
this process in kernel values. Output: the same page, closed. Cost: n^3 / P (choose, join) pairs per process; per step
two panels are sent, of n / rows and n / columns times `block` values, so n^2 (1 / rows + 1 / columns) values in all.
Memory beside the page: two or three sets of panels (panels.py).

The idea: before the processes relax their page through the panels of a step, those that have the next row and column of
blocks relax these, close them and begin to send them. So the panels travel while all processes compute.
"""

from __future__ import annotations

from collections.abc import Callable

from apsp.gpu.page import Page
from apsp.methods.backend import Backend
from apsp.methods.distributed import Connection, Saving
from apsp.methods.floyd_warshall.spmd.grid import Grid
from apsp.methods.floyd_warshall.spmd.panels import Panels, PanelSets
from apsp.semiring import Algebra

__all__ = ["PAIRS_OF_CPU", "PAIRS_OF_GPU", "Program"]

PAIRS_OF_CPU, PAIRS_OF_GPU = 1 << 30, 1 << 40
"""Pairs between two looks at what is on its way: about 0.03 s of a core; a launch of a GPU."""

_LEAST_ROWS = 512
"""Rows between two looks: with fewer, packing the panels for the kernel would take longer than that saves."""

_SAVE, _GO_ON = -1, -2
"""What a process gives to the search for the largest number in place of a vertex: save this step, or not."""


class Program:
    """The work of one process.

    Parameters
    ----------
    grid : Grid
    page : (rows, columns) page of the device
        The blocks of this process.
    backend : Backend
    connection : Connection
    algebra : Algebra
    pairs : int
        Pairs of a pivot and a value that are relaxed between two looks at what is on its way.
    """

    def __init__(
        self,
        grid: Grid,
        page: Page,
        backend: Backend,
        connection: Connection,
        algebra: Algebra,
        pairs: int = PAIRS_OF_CPU,
    ) -> None:
        self.grid, self.page, self.backend, self.connection, self.algebra = grid, page, backend, connection, algebra
        self._pairs = pairs
        self._panels: dict[int, Panels] = {}

    def close(
        self,
        progress: Callable[[int], None] | None = None,
        *,
        first: int = 0,
        saving: Saving | None = None,
    ) -> int:
        """Close the matrix together with the other processes.

        Parameters
        ----------
        progress : callable, optional
            Called with the number of pivots done, out of n.
        first : int
            Step to begin with. If it is not 0, the page is that which `saving` received with this step.
        saving : Saving, optional
            Saves the page between two steps. With the same page, a later run computes the same bits.

        Returns
        -------
        int
            A row of the matrix on a negative closed walk, after which the matrix is incomplete; -1 if there is none.
            It is the same in all processes.
        """
        due = saving.is_due if saving is not None else lambda: False
        if self.grid.steps > 0:
            self._sets = PanelSets(self.grid, self.page, self.backend, self.connection)
        if first > 0:
            self._resume(first)
        elif self.grid.steps > 0:
            self._open(0, due)
            self._advance(0)
        for step in range(first, self.grid.steps):
            found = self._end(step)
            if found >= 0:
                return found
            if found == _SAVE and saving is not None and step > first:
                saving.save(step)
            self._step(step, due)
            if progress is not None:
                progress(self.grid.rows.bounds(step)[1])
        return -1

    def _step(self, step: int, due: Callable[[], bool]) -> None:
        """Relax the page through the panels of a step; the next ones first, which are then on their way."""
        rows, columns, following = self.grid.rows, self.grid.columns, step + 1
        if rows.owns(following) and columns.owns(following):
            self._relax(rows.here(following), columns.here(following), step)
        if following < self.grid.steps:
            self._open(following, due)  # the others wait for the block of the diagonal
        coming = self._panels.get(following)
        if rows.owns(following):
            self._relax_parts([rows.here(following)], columns.without(step, following), step, coming)
        if columns.owns(following):
            self._relax_parts(rows.without(step, following), [columns.here(following)], step, coming)
        if following < self.grid.steps:
            self._advance(following)
        self._relax_parts(rows.without(step, following), columns.without(step, following), step, coming)
        del self._panels[step]

    def _relax_parts(self, rows: list[slice], columns: list[slice], step: int, coming: Panels | None) -> None:
        """Relax rows and columns of the page, a part at a time; between them what is on its way goes on."""
        first, last = self.grid.rows.bounds(step)
        width = sum(piece.stop - piece.start for piece in columns)
        height = max(self._pairs // max((last - first) * width, 1), _LEAST_ROWS)
        for piece in rows:
            for start in range(piece.start, piece.stop, height):
                part = slice(start, min(start + height, piece.stop))
                for side in columns:
                    self._relax(part, side, step)
                if coming is not None:
                    coming.advance()

    def _relax(self, rows: slice, columns: slice, step: int) -> None:
        panels = self._panels[step]
        self.backend.update(self.page[rows, columns], panels.column[rows], panels.row[:, columns], self.algebra)

    def _open(self, step: int, due: Callable[[], bool]) -> None:
        """Close the block of the diagonal of a step, and begin to send it."""
        rows, columns = self.grid.rows, self.grid.columns
        panels = self._panels[step] = self._sets.of(step)
        bad_vertex = -1
        if rows.owns(step) and columns.owns(step):
            block = self.page[rows.here(step), columns.here(step)]
            bad_vertex = self.backend.close_tile(block, self.algebra)
            self.backend.copy(block, panels.row_diagonal)
            if panels.column_diagonal is not panels.row_diagonal:
                self.backend.copy(block, panels.column_diagonal)
        if rows.owns(step):
            panels.coming.append(self.connection.along_row(panels.row_diagonal, columns.owner(step)))
        if columns.owns(step):
            panels.coming.append(self.connection.along_column(panels.column_diagonal, rows.owner(step)))
        told = _SAVE if due() else _GO_ON
        panels.found = self.connection.largest(rows.bounds(step)[0] + bad_vertex if bad_vertex >= 0 else told)

    def _advance(self, step: int) -> None:
        """Relax the row and the column of blocks of a step through the closed block, and begin to send them."""
        rows, columns, backend, panels = self.grid.rows, self.grid.columns, self.backend, self._panels[step]
        panels.wait()
        if rows.owns(step):
            here = self.page[rows.here(step)]
            backend.copy(here, panels.row)
            for piece in columns.without(step):
                backend.update(here[:, piece], panels.row_diagonal, panels.row[:, piece], self.algebra)
        self._send_row(step)
        if columns.owns(step):
            here = self.page[:, columns.here(step)]
            backend.copy(here, panels.column)
            for piece in rows.without(step):
                backend.update(here[piece], panels.column[piece], panels.column_diagonal, self.algebra)
        self._send_column(step)

    def _send_row(self, step: int) -> None:
        """Begin to send the closed row of blocks of a step, if it is here, or to receive it."""
        panels = self._panels[step]
        if self.grid.rows.owns(step):
            self.backend.copy(self.page[self.grid.rows.here(step)], panels.row)
        panels.coming.append(self.connection.along_column(panels.row, self.grid.rows.owner(step)))

    def _send_column(self, step: int) -> None:
        """Begin to send the closed column of blocks of a step, if it is here, or to receive it."""
        panels = self._panels[step]
        if self.grid.columns.owns(step):
            self.backend.copy(self.page[:, self.grid.columns.here(step)], panels.column)
        panels.coming.append(self.connection.along_row(panels.column, self.grid.columns.owner(step)))

    def _resume(self, step: int) -> None:
        """Send the row and the column of blocks of a step again.

        They are closed, and are not closed twice, since floats may then become smaller by rounding.
        """
        panels = self._panels[step] = self._sets.of(step)
        panels.found = self.connection.largest(_GO_ON)
        self._send_row(step)
        self._send_column(step)

    def _end(self, step: int) -> int:
        """Wait for the panels of a step; return the row on a negative closed walk that its block has, or a number below
        0: _SAVE if any process wants to save.
        """
        panels = self._panels[step]
        panels.wait()
        assert panels.found is not None
        return panels.found.result()
