"""`networkx.algorithms.wiener`: sums over all pairs, of distances and of their products with degrees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.api import stream
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.errors import RequestError
from apsp.graph.networkx_arcs import Weight

__all__ = ["gutman_index", "hyper_wiener_index", "schultz_index", "wiener_index"]

_LARGEST = 2**62
"""Sums are in int64 up to it."""


@of_networkx("measure")
def wiener_index(G: Converted, weight: Weight = None) -> float:
    """Return the sum of all distances."""
    total = _total(G, weight)
    return total if G.is_directed() else total / 2


def _total(G: Converted, weight: Weight) -> float:
    found = G.sums(weight, hiding=False)  # NetworkX tests whether the graph is connected with all edges
    return math.inf if found.unreachable_pairs else found.total_distance


def _degrees(G: Converted) -> npt.NDArray[np.int64]:
    return np.fromiter((degree for _, degree in G.origin.degree), np.int64, len(G))


@of_networkx("measure")
def schultz_index(G: Converted, weight: Weight = None) -> float:
    """Return the sum of distances times sums of degrees."""
    if math.isinf(_total(G, weight)):
        return math.inf
    pairs = zip(G.sums(weight).farness().tolist(), _degrees(G).tolist(), strict=True)
    found: float = sum(2 * total * degree for total, degree in pairs) / 2
    return found


@of_networkx("measure")
def gutman_index(G: Converted, weight: Weight = None) -> float:
    """Return the sum of distances times products of degrees."""
    total, degrees = _total(G, weight), _degrees(G)
    if math.isinf(total):
        return math.inf
    _check_sum(total * int(degrees.max()) ** 2)
    found: Any = 0
    for block in stream(G.graph(weight)):
        wide = block.distances.astype(np.float64 if block.distances.dtype.kind == "f" else np.int64)
        found += (degrees[block.source_positions] @ (wide @ degrees)).item()
    return found / 2  # type: ignore[no-any-return]


@of_networkx("measure")
def hyper_wiener_index(G: Converted, weight: Weight = None) -> float:
    """Return the sum of all distances and their squares."""
    total = _total(G, weight)
    if math.isinf(total):
        return math.inf
    _check_sum(total * G.sums(weight).eccentricity.max().item())
    squares: Any = 0
    for block in stream(G.graph(weight)):
        wide = block.distances.astype(np.float64 if block.distances.dtype.kind == "f" else np.int64)
        squares += (wide * wide).sum().item()
    return (total + squares) / 2  # type: ignore[no-any-return]


def _check_sum(largest: Any) -> None:
    if isinstance(largest, int) and largest > _LARGEST:
        raise RequestError("the sum does not fit 64 bits")
