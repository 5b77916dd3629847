"""The arrays of the reversed graph: one counting sort; O(n + m)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import NumPyArray
from apsp.graph.arcs import Arcs
from apsp.graph.costs import NO_COSTS, Costs
from apsp.graph.links import Links

__all__ = ["Reversed", "arcs_by_head", "reversed_arcs"]


class Reversed(NamedTuple):
    """The arrays of a graph whose arcs are reversed, sorted by tail, then by head."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    weights: NumPyArray | None
    costs: Costs = NO_COSTS
    links: Links | None = None


def reversed_arcs(arcs: Arcs) -> Reversed:
    """Return the arrays of the reversed graph."""
    if not arcs.costs and arcs.links is None:
        return Reversed(*arcs_by_head(arcs, arcs.weights))
    indptr, indices, order = arcs_by_head(arcs, np.arange(arcs.m))
    assert order is not None
    weights = None if arcs.weights is None else arcs.weights[order]
    if arcs.links is None:
        return Reversed(indptr, indices, weights, arcs.costs.of_arcs(order))
    links = arcs.links.turned(order)
    return Reversed(indptr, indices, weights, links.costs.of_links(links.chosen), links)


def arcs_by_head(
    arcs: Arcs, values: NumPyArray | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], NumPyArray | None]:
    """The arcs by their heads, `indices` being their tails, with one value (or none) per arc."""
    indptr, indices = np.empty_like(arcs.indptr), np.empty_like(arcs.indices)
    into = None if values is None else np.empty_like(values)
    of = _cpu.ArcArrays(arcs.indptr, arcs.indices)
    _cpu.reversed_arcs(of, _bits(values), indptr, indices, _bits(into))
    return indptr, indices, into


def _bits(values: NumPyArray | None) -> NumPyArray | None:
    return None if values is None else values.view(np.dtype(f"i{values.dtype.itemsize}"))
