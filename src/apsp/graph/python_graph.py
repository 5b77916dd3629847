"""Graphs of plain Python: lists of edges, dictionaries of neighbours, nested lists of lengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apsp._types import USUAL, WeightLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.convert import from_edges
from apsp.graph.dense import from_dense
from apsp.graph.edge_tuples import ENDS, LENGTH, as_columns, is_edge_list, number_of
from apsp.graph.foreign.edge_weights import entry_weights
from apsp.graph.model import Graph
from apsp.graph.python_numbers import is_number
from apsp.system.arguments import is_integer

__all__ = ["from_python", "is_python_graph"]


def is_python_graph(given: Any) -> bool:
    """Whether it is a dictionary, or a list of lists or tuples."""
    return isinstance(given, Mapping) or is_edge_list(given)


def from_python(given: Any, weight: WeightLike) -> Graph:
    """The directed graph of a dictionary of dictionaries or of lists, of a list of edges or of a square nested list.

    Raises
    ------
    GraphError, RequestError
        If it may be two of these, or none; the message names the functions that say which.
    """
    if isinstance(given, Mapping):
        return _of_dictionary(given, weight)
    size = len(given)
    if size and all(len(row) == size and all(map(is_number, row)) for row in given):
        if size in (2, 3):
            raise GraphError(
                f"{size} rows of {size} numbers may be edges or a matrix of lengths: apsp.from_edges(rows) reads "
                "edges, apsp.from_dense(rows) or numpy.array(rows) is a matrix"
            )
        found = from_dense(given)
        return found if entry_weights(weight, "a matrix") else found.unweighted()
    return from_edges(given, weight=weight)  # type: ignore[arg-type]  # it checks the weight


def _of_dictionary(given: Mapping[Any, Any], weight: Any) -> Graph:
    rows = list(given.values())
    if rows and all(isinstance(row, Mapping) for row in rows):
        edges: list[tuple[Any, ...]] = [(u, v, data) for u, row in given.items() for v, data in row.items()]
        _refuse_callable(weight)
        values = (
            None
            if weight is None
            else [number_of(data, weight, lambda u=u, v=v: shown((u, v))) for u, v, data in edges]
        )
        return _of_edges(given, edges, values)
    if rows and all(isinstance(row, (list, tuple, set, frozenset)) for row in rows):
        if weight is not USUAL and weight is not None:
            raise RequestError(f"a dictionary of lists has no lengths, so weight={shown(weight)} names none")
        edges = [(u, v) for u, row in given.items() for v in row]
        for u, v in edges:
            if not _is_key(v, given):
                raise GraphError(
                    f"{shown(v)}, in the list of {shown(u)}, is no key of the dictionary: a dictionary of lists names "
                    "all vertices as keys; apsp.from_edges(dictionary) reads a dictionary of columns"
                )
        return _of_edges(given, edges, None)
    raise GraphError(
        "a dictionary is a graph if its values are dictionaries {u: {v: length}} or lists of neighbours {u: [v]}; "
        "apsp.from_edges(dictionary) reads a dictionary of columns"
    )


def _of_edges(given: Mapping[Any, Any], edges: Sequence[tuple[Any, ...]], lengths: list[Any] | None) -> Graph:
    """The graph of edges between the keys of a dictionary and perhaps others."""
    vertices = list(dict.fromkeys([*given, *(edge[1] for edge in edges)]))
    if all(map(is_integer, vertices)):
        vertices.sort()
    columns = as_columns([edge[:2] for edge in edges])
    if lengths is None:
        return from_edges(columns, source=ENDS[0], target=ENDS[1], weight=None, labels=vertices)
    columns[LENGTH] = lengths
    return from_edges(columns, source=ENDS[0], target=ENDS[1], weight=LENGTH if lengths else None, labels=vertices)


def _refuse_callable(weight: Any) -> None:
    if callable(weight) or not (weight is None or weight is USUAL or isinstance(weight, str)):
        raise RequestError(f"weight names an entry of the dictionaries of edges, or is None, not {shown(weight)}")


def _is_key(value: Any, given: Mapping[Any, Any]) -> bool:
    try:
        return value in given
    except TypeError:
        return False
