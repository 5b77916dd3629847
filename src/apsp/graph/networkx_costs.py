"""Edge attributes of a NetworkX graph as costs of the arcs of a graph."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NetworkXGraph
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.networkx_arcs import MISSING, Arcs, arcs_of
from apsp.graph.python_numbers import array_of_numbers, is_number

__all__ = ["attributes_of_edges", "names_of_costs"]


def names_of_costs(costs: object) -> list[str]:
    """The names of the attributes that a caller passes.

    Raises
    ------
    RequestError
        If they are not a list of different names.
    """
    names = _listed(costs)
    for name in names:
        if not isinstance(name, str) or not name:
            raise RequestError(f"the name of a cost must be text, not {shown(name)}")
    if len(set(names)) < len(names):
        raise RequestError(f"costs={shown(names)} has a name twice")
    return names


def _listed(costs: Any) -> list[Any]:
    words = f"costs of a NetworkX graph are a list of names of edge attributes, not {shown(costs)}"
    if isinstance(costs, (str, Mapping)):
        raise RequestError(words)
    try:
        return list(costs)
    except Exception as error:  # of an odd sequence
        raise RequestError(words) from error


def attributes_of_edges(
    G: NetworkXGraph,
    names: list[str],
    arcs: Arcs,
    kept: npt.NDArray[np.bool_] | None,
    positions: Mapping[Hashable, int],
) -> dict[str, npt.NDArray[Any]]:
    """Return one number per arc and attribute, in the order of the arcs of `arcs_of`.

    Parameters
    ----------
    G : networkx.Graph
    names : list of str
    arcs : Arcs
        With the lengths, by an attribute.
    kept : (m,) bool or None
        The arcs that exist; None means all of them.
    positions : mapping
        Of the nodes.

    Raises
    ------
    GraphError
        If an edge does not have an attribute, or its value is not a number; the message names the edge.
    """
    nodes = list(positions)
    where = np.arange(len(arcs.tails)) if kept is None else np.flatnonzero(kept)
    found = {}
    for name in names:
        values = arcs_of(G, name, positions).values
        if not isinstance(values, np.ndarray):
            values = _numbers([MISSING] * len(where) if values is None else [values[k] for k in where],
                              name, arcs, where, nodes)  # fmt: skip
        elif kept is not None:
            values = values[kept]
        found[name] = values
    return found


def _numbers(
    values: list[Any], name: str, arcs: Arcs, where: npt.NDArray[np.intp], nodes: list[Any]
) -> npt.NDArray[Any]:
    """The values as an array, if all of them are numbers."""

    def edge(index: int) -> str:
        arc = where[index]
        return f"edge {shown(nodes[arcs.tails[arc]])} - {shown(nodes[arcs.heads[arc]])}"

    for index, value in enumerate(values):
        if value is MISSING:
            raise GraphError(
                f"{edge(index)} has no attribute {shown(name)}, which costs= names: "
                f"networkx.set_edge_attributes(G, values, {shown(name)}) adds it"
            )
        if not is_number(value):
            raise GraphError(f"{edge(index)} has {name}={shown(value)}: a cost must be a number")
    return array_of_numbers(values, lambda index: f"{edge(index)} has {name}=")
