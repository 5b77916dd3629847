"""rustworkx -> Graph: node indices become the labels, as rustworkx's own functions take and return them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from apsp._types import USUAL, WeightLike
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import attribute_of, edge_values, is_array, lengths_of
from apsp.graph.labels import labels_of
from apsp.graph.missing import filled
from apsp.graph.model import Graph
from apsp.graph.python_numbers import array_of_numbers, is_number

__all__ = ["convert"]


def convert(graph: Any, weight: WeightLike, *, missing: float | None = None) -> Graph:
    """Build a graph of a `PyGraph` or `PyDiGraph`.

    The data of an edge is its length if it is a number. By default, the length is the entry `weight` of data that are
    dictionaries, and a graph whose data are all None, or dictionaries without this entry, counts hops. `weight` may
    name another entry, or be a function of the data. `missing` is the length of edges that have none.
    """
    edges = graph.weighted_edge_list()
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    labels = labels_of(np.array(graph.node_indices(), dtype=np.int64))
    tails, heads = labels.positions(ends[:, 0]), labels.positions(ends[:, 1])
    directed = type(graph).__name__ != "PyGraph" and hasattr(graph, "successors")
    lengths = edge_values(weight) if is_array(weight) else _lengths(edges, weight, missing)
    return from_edges(tails, heads, lengths, n=len(labels), directed=directed, labels=labels)


def _lengths(edges: Any, weight: Any, missing: float | None) -> Any:
    if weight is None:
        return None
    data = [edge[2] for edge in edges]
    if callable(weight):
        values, source = [weight(each) for each in data], ": the weight function returns "
        return lengths_of(values, lambda place: _edge(edges[place]), source)
    if weight is not USUAL and not isinstance(weight, str):
        raise RequestError(
            f"weight must be a function of the data of an edge, the name of an entry, one number per edge or None, "
            f"not {shown(weight)}"
        )
    if weight is USUAL and all(each is None for each in data):
        return None
    name = "weight" if weight is USUAL else weight
    if weight is USUAL and all(isinstance(each, Mapping) and name not in each for each in data):
        return None
    found = [_entry(each, name, weight is USUAL) for each in data]
    if found and weight is not USUAL and all(value is None for value in found):
        attribute_of(weight, {key for each in data if isinstance(each, Mapping) for key in each}, "rustworkx")
    values = list(filled(found, f"the entry {shown(name)}", missing, lambda place: _edge(edges[place])))
    for edge, value in zip(edges, values, strict=True):
        if not is_number(value):
            raise GraphError(
                f"{_edge(edge)} has the data {shown(edge[2])}, of which the length is unknown: give "
                "apsp.as_graph(graph, weight=...) a function of the data, or None to count hops"
            )
    return array_of_numbers(values, lambda place: f"{_edge(edges[place])} has the length ")


def _entry(data: Any, name: str, is_number: bool) -> Any:
    if isinstance(data, Mapping):
        return data.get(name)
    return data if is_number else getattr(data, name, None)


def _edge(edge: Any) -> str:
    return f"edge {edge[0]} - {edge[1]}"
