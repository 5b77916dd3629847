"""Matrices of costs as a table with a row per pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.graph.first_rows import first_where
from apsp.graph.labels import Labels, labels_of
from apsp.graph.long_table import LongTable

__all__ = ["check_columns", "first_pairs", "labels_of_ends", "long_form"]


def long_form(
    matrices: Mapping[str, NumPyArray], zones: NumPyArray, targets: NumPyArray, *, only_reachable: bool = True
) -> LongTable:
    """Return columns origin, destination and one per matrix; pairs without a path are left out by default.

    Raises
    ------
    RequestError
        If a matrix has the name of a column of labels.
    """
    check_columns(matrices)
    arrays = {name: np.asarray(matrix) for name, matrix in matrices.items()}
    reached = np.isfinite(next(iter(arrays.values())))
    rows = reached if only_reachable else np.ones(reached.shape, dtype=bool)
    row, column = rows.nonzero()
    labels = labels_of_ends(zones, targets)
    from_, to = labels.positions(zones), labels.positions(targets)
    numbers = {name: matrix[rows] for name, matrix in arrays.items()}
    return LongTable(
        labels, {"origin": from_[row], "destination": to[column], **numbers}, ~reached[rows], numbers=tuple(arrays)
    )


def first_pairs(
    matrices: Mapping[str, NumPyArray], zones: NumPyArray, targets: NumPyArray, most: int
) -> tuple[LongTable, int]:
    """The first rows of `long_form`, and the number of all of them.

    Raises
    ------
    RequestError
        As `long_form`.
    """
    check_columns(matrices)
    (row, column), count = first_where(next(iter(matrices.values())), np.isfinite, most)
    from_, to = zones[row], targets[column]
    labels = labels_of_ends(from_, to)
    ends = {"origin": labels.positions(from_), "destination": labels.positions(to)}
    numbers = {name: matrix[row, column] for name, matrix in matrices.items()}
    return LongTable(labels, {**ends, **numbers}, numbers=tuple(matrices)), count


def check_columns(names: Iterable[str]) -> None:
    """Raise RequestError if a cost has the name of a column of labels."""
    for name in names:
        if name in ("origin", "destination"):
            raise RequestError(f"the table has a column {name!r} of labels: give the cost {name!r} another name")


def labels_of_ends(zones: NumPyArray, targets: NumPyArray) -> Labels:
    """The different labels of origins and destinations."""
    integers = zones.dtype.kind in "iu" and targets.dtype.kind in "iu"
    ends = np.concatenate([zones, targets])
    return labels_of(np.unique(ends) if integers else list(dict.fromkeys(ends.tolist())))
