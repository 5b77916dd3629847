"""Lists of edges, (u, v) or (u, v, length), as the columns of a table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from apsp._types import USUAL
from apsp.errors import GraphError, RequestError, shown

__all__ = ["as_columns", "is_edge_list", "number_of"]

ENDS, LENGTH = ("source", "target"), "weight"


def is_edge_list(given: Any) -> bool:
    """Whether it is a list of sequences, not of numbers or text."""
    return isinstance(given, (list, tuple)) and all(isinstance(row, (list, tuple)) for row in given)


def as_columns(edges: Sequence[Sequence[Any]], weight: Any = USUAL) -> dict[str, list[Any]]:
    """The columns source, target and, if there are lengths, weight.

    Parameters
    ----------
    edges : sequence of (u, v), (u, v, number) or (u, v, dictionary)
        All of one kind.
    weight : str or None, or USUAL
        Which entry of the dictionaries is the length; None counts hops.

    Raises
    ------
    GraphError, RequestError
        If an edge has another form; the message names it.
    """
    if not (weight is None or weight is USUAL or isinstance(weight, Hashable)) or callable(weight):
        raise RequestError(f"weight must be the name of an entry, or None, for a list of edges, not {shown(weight)}")
    size = len(edges[0]) if edges else 2
    for place, edge in enumerate(edges):
        if len(edge) not in (2, 3):
            raise GraphError(f"edge {place} is {shown(edge)}: give (u, v) or (u, v, length)")
        if len(edge) != size:
            raise GraphError(f"edge {place} has {len(edge)} entries, edge 0 has {size}: give a length for all or none")
    columns = {name: [edge[place] for edge in edges] for place, name in enumerate(ENDS)}
    if size == 3 and weight is not None:
        columns[LENGTH] = [number_of(edge[2], weight, lambda edge=edge: shown(tuple(edge[:2]))) for edge in edges]
    elif size == 2 and weight is not None and weight is not USUAL:
        raise RequestError(f"the edges have no lengths, so weight={shown(weight)} names none: give (u, v, length)")
    return columns


def number_of(value: Any, weight: Any, edge: Any) -> Any:
    """The length in the data of an edge: a number, or the entry of a dictionary.

    `edge()` gives the words for the edge, for messages.
    """
    if isinstance(value, Mapping):
        name = LENGTH if weight is USUAL else weight
        if name not in value:
            names = ", ".join(map(shown, value)) or "none"
            raise RequestError(f"edge {edge()} has no entry {shown(name)} (it has {names}): weight= names one")
        return value[name]
    if weight is not USUAL:
        raise RequestError(
            f"weight={shown(weight)} names an entry of dictionaries; edge {edge()} has the length {shown(value)} itself"
        )
    if not isinstance(value, (int, float, np.number)) or isinstance(value, bool):
        raise GraphError(f"edge {edge()} has the length {shown(value)}: lengths are numbers (weight=None counts hops)")
    return value
