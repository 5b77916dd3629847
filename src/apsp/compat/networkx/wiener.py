"""`networkx.algorithms.wiener`: sums over all pairs, of distances and of their products with degrees."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from apsp.api import stream
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.graph.networkx_arcs import Weight
from apsp.reductions.moments import Moments
from apsp.system.limits import allowed_cores
from apsp.system.thread_limit import threads_by_default

__all__ = ["gutman_index", "hyper_wiener_index", "schultz_index", "wiener_index"]


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
    if math.isinf(_total(G, weight)):
        return math.inf
    found = Moments(squares=False, degrees=_degrees(G))
    _add_rows(found, G, weight)
    return (found.products or 0) / 2


@of_networkx("measure")
def hyper_wiener_index(G: Converted, weight: Weight = None) -> float:
    """Return the sum of all distances and their squares."""
    total = _total(G, weight)
    if math.isinf(total):
        return math.inf
    found = Moments(squares=True, degrees=None)
    _add_rows(found, G, weight)
    return (total + (found.squares or 0)) / 2


def _add_rows(found: Moments, G: Converted, weight: Weight) -> None:
    for block in stream(G.graph(weight), reuse=True):
        found.add(block.source_positions, block.distances, threads_by_default(allowed_cores()))
