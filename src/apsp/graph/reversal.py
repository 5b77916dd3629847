"""The arrays of the reversed graph: one counting sort; O(n + m)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import NumPyArray
from apsp.graph.arcs import Arcs
from apsp.graph.costs import NO_COSTS, Costs

__all__ = ["reversed_arcs"]


def reversed_arcs(arcs: Arcs) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], NumPyArray | None, Costs]:
    """Return indptr, indices, weights and costs of the reversed arcs, sorted by tail, then by head."""
    if arcs.costs:
        indptr, indices, order = _sorted(arcs, np.arange(arcs.m))
        assert order is not None
        weights = None if arcs.weights is None else arcs.weights[order]
        return indptr, indices, weights, arcs.costs.of_arcs(order)
    return *_sorted(arcs, arcs.weights), NO_COSTS


def _sorted(
    arcs: Arcs, values: NumPyArray | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], NumPyArray | None]:
    indptr, indices = np.empty_like(arcs.indptr), np.empty_like(arcs.indices)
    into = None if values is None else np.empty_like(values)
    _cpu.reversed_arcs(arcs.indptr, arcs.indices, _bits(values), indptr, indices, _bits(into))
    return indptr, indices, into


def _bits(values: NumPyArray | None) -> NumPyArray | None:
    return None if values is None else values.view(np.dtype(f"i{values.dtype.itemsize}"))
