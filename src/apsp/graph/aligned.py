"""Values with labels of their own (a Series, a data frame, a DataArray, a mapping): aligned by them, or refused.

Values without labels (arrays, lists, objects of pandas whose index counts 0, 1, 2 ...) are in the order of positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, RequestError, shown
from apsp.graph.labels import Labels, labels_of

__all__ = [
    "POSITIONS",
    "check_counted",
    "check_no_distances",
    "check_no_labels",
    "is_matrix_frame",
    "is_reversed",
    "labelled_matrix",
    "labels_of_axes",
    "matrix_in_order",
    "per_vertex",
    "place_columns",
    "places_of",
    "rows_alike",
]

POSITIONS = (("x", "y"), ("longitude", "latitude"), ("lon", "lat"))
"""Names of the two columns of coordinates."""

_PLAIN = (list, np.ndarray, type(None))
"""Types without labels, which are the usual ones: they cost no time."""

_REVERSED = {("target", "source"), ("targets", "sources"), ("destination", "origin"), ("to", "from")}
"""Names of the axes of a matrix whose rows are the targets."""


def labels_of_axes(values: Any) -> list[Any]:
    """The labels of each axis, or None where an axis has none of its own; an empty list for values without labels."""
    if type(values) in _PLAIN:
        return []
    if hasattr(values, "dims") and hasattr(values, "coords"):  # a DataArray of xarray
        return [values.coords[name].to_index() if name in values.coords else None for name in values.dims]
    if not hasattr(values, "iloc"):  # of pandas, and of packages with its interface
        return []
    axes = [values.index, *([values.columns] if getattr(values, "ndim", 1) == 2 else [])]
    return [None if _counts(axis) else axis for axis in axes]


def _names_of_axes(values: Any) -> tuple[Any, ...]:
    """The names of the axes; None for an axis without one."""
    if hasattr(values, "dims"):
        return tuple(values.dims)
    return tuple(getattr(getattr(values, name, None), "name", None) for name in ("index", "columns"))


def is_reversed(values: Any) -> bool:
    """Whether the names of the axes of a matrix say that its rows are the targets."""
    return tuple(str(name).lower() for name in _names_of_axes(values)) in _REVERSED


def check_no_labels(values: Any, what: str) -> None:
    """Refuse values whose labels would be ignored.

    Raises
    ------
    GraphError
        If they have labels other than 0, 1, 2 ...
    """
    for axis in labels_of_axes(values):
        if axis is not None and not _is_arange(axis):
            raise GraphError(
                f"{what}: the labels {_some(axis)} cannot be aligned with anything here: give an array (.to_numpy()) "
                "in the right order"
            )


def per_vertex(values: Any, labels: Labels, what: str) -> Any:
    """Values of all vertices, such as coordinates, in the order of the vertices.

    Raises
    ------
    RequestError
        If they have labels, and one of these is not a vertex or occurs twice, or a vertex has no value.
    """
    if isinstance(values, Mapping):
        index: Any = list(values)
        rows: Any = list(values.values())
    else:
        axes = labels_of_axes(values)
        if not axes:
            return values
        index, rows = axes[0], values.to_numpy()
        if index is None:
            check_counted(labels, what)
            return rows
    order = places_of(index, labels, what)
    return [rows[place] for place in order.tolist()] if isinstance(rows, list) else rows[order]


def check_counted(labels: Labels, what: str) -> None:
    """Refuse an index that counts 0, 1, 2 ... where vertices have other integers as labels: it may mean either.

    Raises
    ------
    RequestError
    """
    if not labels.are_positions and len(labels) and all(type(label) is int for label in labels):
        raise RequestError(
            f"{what}: the index counts 0, 1, 2 ..., but the labels of the vertices are other integers: set the labels "
            "as the index, or give an array in the order of the vertices (.to_numpy())"
        )


def places_of(index: Any, labels: Labels, what: str) -> npt.NDArray[np.intp]:
    """Where the value of each vertex stands, of values that have these labels.

    Parameters
    ----------
    index : sequence
        Labels.
    labels : Labels
        Those of the vertices, in their order.
    what : str
        The name of the values, for messages.

    Raises
    ------
    RequestError
        If a label is not a vertex or occurs twice, or a vertex has no value.
    """
    given = list(index)
    try:
        positions = labels.positions(given)
    except GraphError as error:
        raise RequestError(f"{what}: {error}") from None
    counts = np.bincount(positions, minlength=len(labels))
    wrong = np.flatnonzero(counts != 1)
    if len(wrong):
        more = f", and {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
        has = "no value for" if counts[wrong[0]] == 0 else f"{counts[wrong[0]]} values for"
        raise RequestError(f"{what} has {has} vertex {labels.word(int(wrong[0]))}{more}: every vertex needs one")
    order = np.empty(len(given), dtype=np.intp)
    order[positions] = np.arange(len(given))
    return order


def rows_alike(given: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of a table of arcs, without their labels, of which all that have some have the same.

    Raises
    ------
    GraphError
        If two have different labels, or the same in another order.
    """
    first: tuple[str, Any] | None = None
    found = dict(given)
    for name, values in given.items():
        axes = labels_of_axes(values)
        if len(axes) != 1:
            continue
        index = [] if axes[0] is None else list(axes[0])
        if first is None:
            first = name, index
        elif index != first[1]:
            raise GraphError(
                f"{name} and {first[0]} have different labels of their rows ({_some(index)}; {_some(first[1])}), so "
                "that it is unclear which belong to one arc: take all from one table, or give arrays (.to_numpy())"
            )
        found[name] = values.to_numpy()
    return found


# -- matrices ------------------------------------------------------------------------------------------------------


def is_matrix_frame(given: Any) -> bool:
    """Whether a data frame, or a DataArray, is a matrix: its rows and columns have the same labels.

    Raises
    ------
    RequestError
        If it has neither labels nor the shape of a table only, so that it may also be a list of edges.
    """
    axes = labels_of_axes(given)
    if len(axes) != 2 or getattr(given, "ndim", 0) != 2 or given.shape[0] != given.shape[1]:
        return False
    if axes[0] is None and axes[1] is None:
        if len(given) <= 3 and len(given) > 1 and not _has_no_diagonal(given):
            raise RequestError(
                f"a frame of {len(given)} rows and columns without names may be a matrix or a list of edges: "
                "apsp.from_dense(frame) or apsp.from_edges(frame[0], frame[1], ...) says which"
            )
        return True
    return all(axis is not None for axis in axes) and set(axes[0]) == set(axes[1])


def check_no_distances(given: Any) -> None:
    """Refuse a table of distances whose rows and columns differ, which is no matrix and no list of edges.

    Raises
    ------
    RequestError
        If its axes are called source and target.
    """
    names = tuple(str(name).lower() for name in _names_of_axes(given)) if labels_of_axes(given) else ()
    if len(names) == 2 and {names, names[::-1]} & _REVERSED:
        raise RequestError(
            f"a table of {names[0]} by {names[1]} whose rows are other vertices than its columns is not a graph: a "
            "matrix has all vertices in both"
        )


def labelled_matrix(matrix: Any, labels: Any, what: str) -> tuple[Any, Any]:
    """A matrix without its labels, its columns in the order of its rows, or both in that of `labels`; and the labels.

    Raises
    ------
    RequestError
        If the labels of its rows are not those of its columns, or not `labels`.
    """
    axes = labels_of_axes(matrix)
    if not axes:
        return matrix, labels
    array = matrix.to_numpy()
    if all(axis is None for axis in axes) or len(axes) != 2:
        return array, labels
    if any(axis is None for axis in axes):
        raise RequestError(f"{what} has labels of its rows or of its columns only: both need the same ones")
    if is_reversed(matrix):
        axes, array = axes[::-1], array.T
    try:
        wanted = labels_of(axes[0] if labels is None else labels)
    except GraphError as error:
        raise RequestError(f"the rows of {what}: {error}") from None
    return matrix_in_order(array, axes, [wanted, wanted], what), wanted


def matrix_in_order(array: Any, axes: Sequence[Any], wanted: Sequence[Labels | None], what: str) -> Any:
    """A matrix whose rows and columns have labels in the order of others; None leaves an axis as it is.

    Raises
    ------
    RequestError
        If a label is missing, unknown or doubled.
    """
    for place, (axis, labels, side) in enumerate(zip(axes, wanted, ("rows", "columns"), strict=True)):
        if axis is not None and labels is not None:
            array = np.take(array, places_of(axis, labels, f"{what} ({side})"), axis=place)
    return array


def place_columns(values: Any) -> Any:
    """Coordinates of a data frame as x and y, by the names of its columns; other values as they are.

    Raises
    ------
    RequestError
        If they are not clear.
    """
    names: Sequence[Hashable] | None = getattr(values, "column_names", None)
    if names is None:
        names = getattr(values, "columns", None)
    if names is None or hasattr(values, "dims") or len(names) == 0 or callable(names):
        return values
    if hasattr(values, "iloc") and _counts(names):
        return values
    lower = [str(name).lower() for name in names]
    for pair in POSITIONS:
        if all(lower.count(word) == 1 for word in pair):
            chosen = [names[lower.index(word)] for word in pair]
            return values.select(chosen) if hasattr(values, "select") else values[chosen]
    raise RequestError(
        f"coordinates have the columns {_some(names)}: name them x and y (or longitude and latitude), or give an array"
    )


def _has_no_diagonal(frame: Any) -> bool:
    """Whether nothing on the diagonal is a number other than zero."""
    diagonal = np.diagonal(frame.to_numpy())
    return all(value == 0 or value != value or abs(value) == np.inf for value in diagonal.tolist())


def _counts(axis: Any) -> bool:
    """Whether an index of pandas is the one that it makes itself: 0, 1, 2 ..."""
    return type(axis).__name__ == "RangeIndex" and axis.start == 0 and axis.step == 1


def _is_arange(axis: Any) -> bool:
    return getattr(axis, "dtype", np.dtype(object)).kind in "iu" and bool(
        (np.asarray(axis) == np.arange(len(axis))).all()
    )


def _some(axis: Any) -> str:
    names = list(axis)
    return ", ".join(map(shown, names[:6])) + (", ..." if len(names) > 6 else "") if names else "(none)"
