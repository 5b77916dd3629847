"""Conversion of a graph with turns and places to named arrays for files, and back.

The arrays of the graph with places have their usual names, and those of the graph with turns that it was made of have
a prefix. Both have costs of the same names, which are kept once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.links import rows_of
from apsp.graph.model import Graph
from apsp.graph.turns.turned import Turned

__all__ = ["are_placed", "arrays_of_placed", "arrays_without_turns", "placed_of_arrays"]

Arrays = dict[str, npt.NDArray[Any]]

_WHOLE = "whole_"


def arrays_of_placed(turned: Turned, whole: Arrays) -> Arrays:
    """What is saved beside the arrays of a graph with places: those of the `whole` one, and the link of each arc."""
    found = {_WHOLE + name: array for name, array in whole.items() if name != "cost_names"}
    return found | {"placed_links": turned.links, "placed_is_reversed": np.array([turned.is_reversed])}


def are_placed(arrays: Mapping[str, Any]) -> bool:
    """Whether the arrays of a graph are those of one with turns and places."""
    return "placed_links" in arrays


def arrays_without_turns(arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[Arrays, Arrays]:
    """The arrays of a graph with turns and places, and those of the graph with turns that it was made of."""
    whole = {name.removeprefix(_WHOLE): array for name, array in arrays.items() if name.startswith(_WHOLE)}
    if "cost_names" in arrays:
        whole["cost_names"] = arrays["cost_names"]
    return {name: array for name, array in arrays.items() if not name.startswith((_WHOLE, "placed_"))}, whole


def placed_of_arrays(graph: Graph, searched: Graph, arrays: Mapping[str, npt.NDArray[Any]]) -> Graph:
    """The graph with places, after checks that it fits the graph with turns.

    Raises
    ------
    KeyError, GraphError
        If an array is missing, or they do not fit.
    """
    links, labels = arrays["placed_links"], graph.labels
    if searched._turned is None or not isinstance(labels, PlacedLabels) or labels.own != searched._turned.whole.labels:
        raise GraphError("its places do not fit its turns")
    whole = searched._turned.whole
    copies = whole.vertices[whole.n :]
    if not (
        np.array_equal(labels.again[: len(copies)], copies)
        and links.shape == (graph.m,)
        and links.dtype == np.int64
        and (not len(links) or -1 <= links.min() <= links.max() < len(rows_of(whole.graph)))
    ):
        raise GraphError("its places do not fit its turns")
    graph._turned = Turned(whole, links, bool(arrays["placed_is_reversed"][0]), has_places=True)
    return graph
