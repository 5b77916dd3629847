"""Groups of vertices, from a sequence of labels, a mapping, a pandas Series, or sets of vertices."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import AnyArray, Vertex
from apsp.errors import RequestError, shown
from apsp.graph.aligned import labels_of_axes
from apsp.graph.model import Graph
from apsp.reductions.groups import Groups
from apsp.running.arguments import positions_of

__all__ = ["GroupsLike", "groups_of"]

GroupsLike = npt.ArrayLike | Mapping[Any, Hashable] | Iterable[Collection[Vertex]] | AnyArray
"""A group per vertex: an (n,) sequence, a mapping of vertices to groups, or sets of vertices."""


def groups_of(graph: Graph, given: Any) -> Groups:
    """Read groups of vertices.

    Raises RequestError or GraphError if there is not one group per vertex, a vertex does not exist or is in two groups,
    or a group is not hashable.
    """
    if isinstance(given, Mapping):
        return _of_vertices(graph, list(given), list(given.values()))
    axes = labels_of_axes(given)
    if len(axes) == 1 and (axes[0] is not None or hasattr(given, "index")):
        return _of_vertices(graph, list(given.index if axes[0] is None else axes[0]), given.to_numpy().tolist())
    values = _sequence(given)
    if values and all(isinstance(each, (set, frozenset, list)) for each in values):
        return _of_sets(graph, values)
    if len(values) != graph.n:
        raise RequestError(
            f"groups must have one entry per vertex, {graph.n}, or be sets of vertices or a mapping, not {len(values)} "
            "entries"
        )
    return _named(values, np.arange(graph.n, dtype=np.int32), graph.n)


def _sequence(given: Any) -> list[Any]:
    try:
        if isinstance(given, (str, bytes)):
            raise TypeError
        values: list[Any] = given.tolist() if hasattr(given, "tolist") else list(given)
    except Exception as error:  # of an odd sequence
        raise RequestError(f"groups must be a sequence, a mapping or sets of vertices, not {shown(given)}") from error
    if not isinstance(values, list):
        raise RequestError(f"groups must be a sequence, a mapping or sets of vertices, not {shown(given)}")
    return values


def _of_vertices(graph: Graph, vertices: list[Any], names: list[Any]) -> Groups:
    positions = positions_of(graph, vertices, "groups")
    assert positions is not None
    _check_once(graph, positions)
    return _named(names, positions, graph.n)


def _of_sets(graph: Graph, sets: list[Any]) -> Groups:
    parts = [positions_of(graph, list(each), "groups") for each in sets]
    found = [np.empty(0, dtype=np.int32) if part is None else part for part in parts]
    _check_once(graph, np.concatenate(found))
    of = np.full(graph.n, -1, dtype=np.int32)
    for group, part in enumerate(found):
        of[part] = group
    return Groups(tuple(range(len(sets))), of)


def _check_once(graph: Graph, positions: npt.NDArray[np.int32]) -> None:
    if len(np.unique(positions)) < len(positions):
        twice = int(np.argmax(np.bincount(positions, minlength=graph.n) > 1))
        raise RequestError(f"groups has vertex {graph.labels.word(twice)} twice")


def _named(names: list[Any], positions: npt.NDArray[np.int32], n: int) -> Groups:
    """Groups in the order of their names if they have one, otherwise of their first vertices; None means no group."""
    names = [None if isinstance(name, float) and name != name else name for name in names]
    try:
        distinct = dict.fromkeys(name for name in names if name is not None)
    except Exception as error:  # of an odd name
        raise RequestError("groups must have names that are hashable") from error
    try:
        ordered = sorted(distinct)
    except Exception:  # names without an order
        ordered = list(distinct)
    number: dict[Any, int] = {name: group for group, name in enumerate(ordered)}
    number[None] = -1
    of = np.full(n, -1, dtype=np.int32)
    of[positions] = np.fromiter((number[name] for name in names), np.int32, len(names))
    return Groups(tuple(ordered), of)
