"""Conversion of a graph to named arrays for files, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError, shown
from apsp.graph.bends import Bends
from apsp.graph.checks import UNITS, frozen
from apsp.graph.convert import from_edges
from apsp.graph.costs import Costs
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.labels.saved import arrays_of_labels, labels_of_arrays
from apsp.graph.model import Graph
from apsp.graph.turns.placed_saved import are_placed, arrays_of_placed, arrays_without_turns, placed_of_arrays
from apsp.graph.turns.saved import are_turns, arrays_of_turns, turned_of_arrays

__all__ = [
    "arrays_of_bends",
    "arrays_of_costs",
    "arrays_of_crs",
    "arrays_of_graph",
    "bends_of_arrays",
    "costs_of_arrays",
    "crs_of_arrays",
    "graph_of_arrays",
    "zones_of_arrays",
]

_OWN = ("indptr", "indices", "weights", "coordinates", "zones")
_OF_LINKS = ("tails", "heads", "weights", "one_way", "streets")


def arrays_of_graph(graph: Graph) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a graph by name; missing ones are left out. The direction is saved elsewhere.

    Raises
    ------
    GraphError
        Naming the first label that cannot be saved without pickling it.
    """
    if graph._turned is not None and not graph._turned.has_places:
        whole = graph._turned.whole
        return arrays_of_graph(whole.graph) | arrays_of_turns(whole, is_reversed=graph._turned.is_reversed)
    kept = {name: getattr(graph, name) for name in _OWN}
    if graph.links is not None:
        kept |= {f"link_{name}": getattr(graph.links, name) for name in _OF_LINKS}
        kept |= arrays_of_bends(graph.links.bends)
    kept |= arrays_of_crs(graph.crs)
    found = {name: array for name, array in kept.items() if array is not None}
    found |= arrays_of_costs((graph.links or graph).costs) | arrays_of_labels(graph.labels)
    if graph._turned is None:
        return found
    return found | arrays_of_placed(graph._turned, arrays_of_graph(graph._turned.whole._searched))


def arrays_of_crs(crs: str | None) -> dict[str, npt.NDArray[Any]]:
    """What the coordinates are, as an array of bytes."""
    return {} if crs is None else {"crs": np.frombuffer(crs.encode(), dtype=np.uint8)}


def crs_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> str | None:
    """What the coordinates are; GraphError if it is nothing known."""
    if "crs" not in arrays:
        return None
    found = arrays["crs"].tobytes().decode(errors="replace")
    if found not in UNITS:
        raise GraphError(f"the coordinates are {shown(found)}, and not one of {', '.join(UNITS)}")
    return found


def arrays_of_bends(bends: Bends | None) -> dict[str, npt.NDArray[Any]]:
    """The bends of links as arrays."""
    return {} if bends is None else {"bend_indptr": bends.indptr, "bend_points": bends.points}


def bends_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> Bends | None:
    """The bends of links; GraphError if they are damaged."""
    return Bends(arrays["bend_indptr"], arrays["bend_points"]) if "bend_indptr" in arrays else None


def arrays_of_costs(costs: Costs) -> dict[str, npt.NDArray[Any]]:
    """The costs as arrays: their names as "cost_names", the numbers as "cost0", "cost1" and so on."""
    if not costs:
        return {}
    numbers = {f"cost{place}": array for place, array in enumerate(costs.values())}
    return {"cost_names": np.array(list(costs), dtype=np.str_), **numbers}


def costs_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """The costs by name, not checked."""
    names = arrays.get("cost_names", np.empty(0, dtype=np.str_)).tolist()
    return {str(name): arrays[f"cost{place}"] for place, name in enumerate(names)}


def graph_of_arrays(arrays: Mapping[str, npt.NDArray[Any]], *, directed: bool) -> Graph:
    """Return the graph, after the usual checks.

    Raises
    ------
    KeyError, GraphError
        If an array is missing, or they are not a graph.
    """
    if are_placed(arrays):
        plain, whole = arrays_without_turns(arrays)
        found = _plain_graph(plain, directed=directed)
        return placed_of_arrays(found, graph_of_arrays(whole, directed=True), arrays)
    if are_turns(arrays):
        plain = {name: array for name, array in arrays.items() if not name.startswith("turn_")}
        graph = graph_of_arrays(plain, directed=bool(arrays["turn_directed"][0]))
        found = turned_of_arrays(graph, arrays)._searched
        return found.reversed() if arrays["turn_is_reversed"][0] else found
    found = _plain_graph(arrays, directed=directed)
    labels = found.labels
    if isinstance(labels, PlacedLabels) and (labels.again < len(labels.own)).any():
        raise GraphError("the arrays of the labels are damaged")
    return found


def _plain_graph(arrays: Mapping[str, npt.NDArray[Any]], *, directed: bool) -> Graph:
    """The graph whose arrays have their usual names; with turns, vertices are among the places that are there again."""
    others: dict[str, Any] = {
        "directed": directed,
        "labels": labels_of_arrays(arrays),
        "coordinates": arrays.get("coordinates"),
        "zones": zones_of_arrays(arrays),
        "costs": costs_of_arrays(arrays),
        "crs": crs_of_arrays(arrays),
    }
    if "link_tails" not in arrays:
        return Graph(arrays["indptr"], arrays["indices"], arrays.get("weights"), **others)
    n, weights = len(arrays["indptr"]) - 1, arrays.get("link_weights")
    others["directed"] = arrays.get("link_one_way", directed)
    others["bends"] = bends_of_arrays(arrays)
    found = from_edges(arrays["link_tails"], arrays["link_heads"], weights, n=n, links=True, **others)
    if "link_streets" in arrays:
        assert found.links is not None
        found.links.streets = _checked_streets(arrays["link_streets"], len(found.links))
    return found


def _checked_streets(streets: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    if streets.shape != (count,) or streets.dtype != np.int64 or not ((streets >= -1) & (streets < count)).all():
        raise GraphError("the arrays of the links of places are damaged")
    return frozen(streets, streets)


def zones_of_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> npt.NDArray[Any] | None:
    """The zones, which are called terminals in files of version 0.1."""
    return arrays.get("zones", arrays.get("terminals"))
