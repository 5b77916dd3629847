"""Conversion of a graph to named arrays for files, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from apsp.graph.labels.saved import arrays_of_labels, labels_of_arrays
from apsp.graph.model import Graph

__all__ = ["arrays_of_graph", "graph_of_arrays", "zones_of_arrays"]

_OWN = ("indptr", "indices", "weights", "coordinates", "zones")


def arrays_of_graph(graph: Graph) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a graph by name; missing ones are left out. The direction is saved elsewhere.

    Raises
    ------
    GraphError
        Naming the first label that cannot be saved without pickling it.
    """
    kept = {name: getattr(graph, name) for name in _OWN}
    return {name: array for name, array in kept.items() if array is not None} | arrays_of_labels(graph.labels)


def graph_of_arrays(arrays: Mapping[str, npt.NDArray[Any]], *, directed: bool) -> Graph:
    """Return the graph, after the usual checks.

    Raises
    ------
    KeyError, GraphError
        If an array is missing, or they are not a graph.
    """
    return Graph(
        arrays["indptr"],
        arrays["indices"],
        arrays.get("weights"),
        directed=directed,
        labels=labels_of_arrays(arrays),
        coordinates=arrays.get("coordinates"),
        zones=zones_of_arrays(arrays),
    )


def zones_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[Any] | None:
    """The zones, which are called terminals in files of version 0.1."""
    return arrays.get("zones", arrays.get("terminals"))
