"""Amounts per vertex, such as jobs, from arrays, mappings and tables."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Number
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp._types import AnyArray, TableLike
from apsp.errors import RequestError, shown
from apsp.graph.aligned import labels_of_axes
from apsp.graph.model import Graph
from apsp.graph.tables.catalogue import is_frame, reader_of
from apsp.graph.tables.column import column_of, holds_numbers
from apsp.running.arguments import positions_of
from apsp.system.arguments import name_fault

__all__ = ["Amounts", "AmountsLike", "amounts_of"]

AmountsLike = npt.ArrayLike | Mapping[Any, Any] | AnyArray | TableLike
"""Amounts per vertex: an (n,) or (n, w) array, a mapping of vertices to numbers, of names to either, or a table."""

_VERTEX_COLUMNS = ("vertex", "label", "node", "id")


class Amounts(NamedTuple):
    """Amounts of one or more kinds.

    Attributes
    ----------
    values : (n, kinds) float64
        C order, finite, and so is the sum of the absolute values of every kind.
    single : bool
        The caller gave one amount per vertex, not several kinds.
    """

    names: tuple[str, ...]
    values: npt.NDArray[np.float64]
    single: bool


def amounts_of(graph: Graph, given: Any, word: str) -> Amounts:
    """Read amounts per vertex.

    Raises RequestError or GraphError if they are not numbers, not one per vertex, not finite, or a vertex does not
    exist; the message names the place.
    """
    names: tuple[str, ...]
    columns: list[npt.NDArray[Any]]
    axes = labels_of_axes(given)
    if len(axes) == 1 and (axes[0] is not None or hasattr(given, "index")):
        vertices = given.index if axes[0] is None else axes[0]
        names, columns = (word,), [_by_label(graph, vertices, given.to_numpy(), word)]
        single = True
    elif len(axes) == 2 and hasattr(given, "dims") and axes[0] is not None:  # vertices by kinds
        names = tuple(f"{word}_{k}" for k in range(given.shape[1])) if axes[1] is None else tuple(map(str, axes[1]))
        columns = [_by_label(graph, axes[0], column, word) for column in given.to_numpy().T]
        single = False
    elif is_frame(given):
        names, columns = _of_table(graph, given, word)
        single = False
    elif isinstance(given, Mapping):
        names, columns, single = _of_mapping(graph, given, word)
    else:
        array = _numbers(given, word)
        if array.ndim not in (1, 2) or len(array) != graph.n:
            raise RequestError(
                f"{word} must have shape ({graph.n},) or ({graph.n}, w), one row per vertex, not {array.shape}"
            )
        single = array.ndim == 1
        columns = [array] if single else list(array.T)
        names = (word,) if single else tuple(f"{word}_{place}" for place in range(len(columns)))
    if not columns:
        raise RequestError(f"{word} has no column of numbers")
    values = np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.float64) + 0.0
    _check(graph, names, values, word)
    return Amounts(names, values, single)


def _of_mapping(
    graph: Graph, given: Mapping[Any, Any], word: str
) -> tuple[tuple[str, ...], list[npt.NDArray[Any]], bool]:
    if all(isinstance(value, (Number, np.number)) for value in given.values()):
        return (word,), [_by_label(graph, given.keys(), list(given.values()), word)], True
    names, columns = [], []
    for name, value in given.items():
        what = f"{word}[{shown(name)}]"
        found = amounts_of(graph, value, what)
        if not found.single:
            raise RequestError(f"{what} must have one number per vertex")
        names.append(str(name))
        columns.append(found.values[:, 0])
    return tuple(names), columns, False


def _of_table(graph: Graph, table: Any, word: str) -> tuple[tuple[str, ...], list[npt.NDArray[Any]]]:
    """The columns of numbers; the vertices are in a column with a usual name, or the index of pandas."""
    found = reader_of(table)
    assert found is not None
    reader, opened = found
    kinds = reader.columns(opened)
    key = next((name for name, _ in kinds if str(name).lower() in _VERTEX_COLUMNS), None)
    if key is not None:
        column = reader.read(opened, [key])[0]
        vertices: Any = column.values if column.values.dtype.kind in "iu" else column.values.tolist()
    elif hasattr(table, "index") and hasattr(table, "iloc"):
        vertices = table.index
    else:
        raise RequestError(
            f"{word}: the table has the columns {', '.join(shown(name) for name, _ in kinds)}: name the one with the "
            f"vertices {_VERTEX_COLUMNS[0]!r}"
        )
    names = [name for name, is_number in kinds if is_number and name != key]
    columns = []
    for column in reader.read(opened, names):
        rows = np.flatnonzero(column.missing)
        if len(rows):
            raise RequestError(
                f"{word}: row {rows[0]} of column {shown(column.name)} is missing (rows count from 0): fill it, "
                "for example with 0"
            )
        columns.append(_by_label(graph, vertices, column.values, f"{word}[{shown(column.name)}]"))
    return tuple(map(str, names)), columns


def _by_label(graph: Graph, vertices: Iterable[Hashable], values: Any, word: str) -> npt.NDArray[Any]:
    """An (n,) array of amounts that are given for some vertices; the others have none."""
    array = _numbers(values, word)
    given = vertices if isinstance(vertices, np.ndarray) else list(vertices)
    positions = positions_of(graph, given, word)
    assert positions is not None
    if len(np.unique(positions)) < len(positions):
        counts = np.bincount(positions, minlength=graph.n)
        raise RequestError(f"{word} has two numbers for vertex {graph.labels.word(int(np.argmax(counts > 1)))}")
    found = np.zeros(graph.n)
    found[positions] = array
    return found


def _numbers(given: Any, word: str) -> npt.NDArray[Any]:
    try:
        array = np.asarray(given)
        if array.dtype.kind == "O":
            column = column_of(word, array.ravel())
            array = array.astype(np.float64) if holds_numbers(column) and not column.missing.any() else array
    except Exception as error:  # NumPy inspects the value, and may raise any exception
        raise RequestError(f"{word} must be numbers: {' '.join(str(error).split())[:100]}") from error
    if array.dtype.kind not in "iufb" and array.size:
        raise RequestError(f"{word} must be numbers, not {shown(given)}")
    return array.astype(np.float64)


def _check(graph: Graph, names: tuple[str, ...], values: npt.NDArray[np.float64], word: str) -> None:
    for name in names:
        fault = name_fault(name)
        if fault is not None:
            raise RequestError(f"{word}: the name of a column {fault}")
    if len(set(names)) < len(names):
        raise RequestError(f"{word} has two columns of the same name: {', '.join(map(shown, names))}")
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        row, kind = (int(place) for place in wrong[0])
        what = word if len(names) == 1 else f"{word}, column {shown(names[kind])}"
        raise RequestError(
            f"{what}: the amount of vertex {graph.labels.word(row)} is {values[row, kind]}; amounts must be finite"
        )
    with np.errstate(over="ignore"):
        totals = np.abs(values).sum(axis=0)
    if not np.isfinite(totals).all():
        kind = int(np.flatnonzero(~np.isfinite(totals))[0])
        raise RequestError(f"{word}: the sum of column {shown(names[kind])} is beyond float64; use a larger unit")
