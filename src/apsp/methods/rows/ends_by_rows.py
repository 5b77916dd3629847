"""Distances between points with any number of ends, from blocks of rows of a graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from apsp.graph.places.ends import Ends, equal_pairs
from apsp.graph.places.uses import Uses
from apsp.methods.problem import IntArray, KernelProgress
from apsp.system.machine import refuse_unless_fits

__all__ = ["between_by_rows"]

Floats = npt.NDArray[np.float64]

_AT_ONCE = 1 << 21
"""Entries of a block of rows."""

_ENTRY_BYTES = 32
"""An entry of a row: as it is computed, as a float, and with a length."""

_LEAST_ROWS = 16
"""Sources of a block: methods compute the rows of so many together."""


def between_by_rows(
    sources: Ends, targets: Ends, found: Floats, rows_of: Callable[[IntArray, IntArray], Floats],
    progress: KernelProgress | None = None,
) -> None:  # fmt: skip
    """Write found (S, T): distances between points, infinite where there is no path.

    Parameters
    ----------
    sources, targets : Ends
        Only targets may have ends that are starts.
    rows_of : callable
        The distances from some vertices to others, which ascend; infinite where there is no path.

    Raises
    ------
    MemoryLimitError
        If some rows do not fit into memory.
    """
    found.fill(np.inf)
    passing = targets.passing()
    ends, column = np.unique(targets.vertices[passing], return_inverse=True)
    columns = np.full(passing.shape, -1)
    columns[passing] = column.ravel()
    starts = np.unique(sources.vertices[sources.passing()]) if len(ends) else ends
    uses = [Uses(*each) for each in zip(sources.vertices, sources.lengths, strict=True)]
    height = max(_AT_ONCE // max(len(ends), 1), _LEAST_ROWS)
    needed = min(height, len(starts)) * (len(ends) * _ENTRY_BYTES + 8 * len(targets.lengths[0]))
    refuse_unless_fits(needed, lambda: f"rows to {len(ends):,} ends of streets", "some of the targets at a time")
    for first in range(0, len(starts), height):
        block = starts[first : first + height]
        near = _nearest(rows_of(block, ends), columns, targets.lengths)
        for use in uses:
            use.lower(found, near, block)
        if progress is not None:
            progress(len(found) * min(first + height, len(starts)) // len(starts))
    if targets.are_starts is not None:
        _lower_from_starts(sources, targets, targets.are_starts, found)


def _nearest(rows: Floats, columns: npt.NDArray[np.int64], lengths: Floats) -> Floats:
    """The least distances over the ends of each target."""
    found = np.full((len(rows), columns.shape[1]), np.inf)
    for column, length in zip(columns, lengths, strict=True):
        some = np.flatnonzero(column >= 0)
        found[:, some] = np.minimum(found[:, some], rows[:, column[some]] + length[some])
    return found


def _lower_from_starts(sources: Ends, targets: Ends, are_starts: npt.NDArray[np.bool_], found: Floats) -> None:
    """Lower distances of paths from a vertex to a place on a street that leads on from there."""
    for vertices, lengths in zip(sources.vertices, sources.lengths, strict=True):
        starts = np.where(np.isfinite(lengths), vertices, -1)
        for ends, more, is_start in zip(targets.vertices, targets.lengths, are_starts, strict=True):
            row, column = equal_pairs(starts, np.where(is_start, ends, -1))
            found[row, column] = np.minimum(found[row, column], lengths[row] + more[column])
