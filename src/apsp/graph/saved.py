"""A graph as the named arrays that files of this package keep, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph

__all__ = ["GRAPH_ARRAYS", "arrays_of_graph", "graph_of_arrays"]

GRAPH_ARRAYS = ("indptr", "indices", "weights", "names", "coordinates", "terminals")


def arrays_of_graph(graph: Graph) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a graph by name; those that it lacks are left out. Whether it is directed is kept elsewhere."""
    names = None if graph.names is None else np.asarray(graph.names, dtype=np.str_)
    kept = {name: names if name == "names" else getattr(graph, name) for name in GRAPH_ARRAYS}
    return {name: array for name, array in kept.items() if array is not None}


def graph_of_arrays(arrays: Mapping[str, npt.NDArray[Any]], *, directed: bool) -> Graph:
    """The graph, checked anew.

    Raises
    ------
    KeyError, GraphError
        If an array is missing, or they are no graph.
    """
    return Graph(
        arrays["indptr"],
        arrays["indices"],
        arrays.get("weights"),
        directed=directed,
        names=arrays["names"].tolist() if "names" in arrays else None,
        coordinates=arrays.get("coordinates"),
        terminals=arrays.get("terminals"),
    )
