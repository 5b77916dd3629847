"""A lower bound on the size of a file of pairs, before the distances are computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.components import components
from apsp.graph.model import Graph

__all__ = ["least_bytes"]

_SAMPLE = 1000
"""Number of labels in the sample of lengths."""


def least_bytes(graph: Graph, sources: list[Any] | None, targets: list[Any] | None) -> int:
    """Return the bytes of `source,target,distance` for the pairs that certainly have a path: those of one strong
    component.

    The bound is 0 if paths may not pass through some vertices, or turns are restricted.
    """
    if graph._turned is not None or graph.has_zones or not graph.n:
        return 0
    component = components(graph).membership
    from_, to = (_places(graph, chosen) for chosen in (sources, targets))
    counts = [np.bincount(component[places], minlength=graph.n) for places in (from_, to)]
    pairs = float(np.dot(counts[0].astype(np.float64), counts[1].astype(np.float64)))
    return int(pairs * (_width(graph, from_) + _width(graph, to) + len(",,0\n")))


def _places(graph: Graph, chosen: list[Any] | None) -> npt.NDArray[Any]:
    return np.arange(graph.n) if chosen is None else graph.labels.positions(chosen)


def _width(graph: Graph, places: npt.NDArray[Any]) -> float:
    """Return the mean number of characters of a label."""
    if not len(places):
        return 0.0
    some = places[:: max(len(places) // _SAMPLE, 1)]
    return float(np.mean([len(graph.labels.text(int(place))) for place in some]))
