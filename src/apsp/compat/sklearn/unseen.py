"""Geodesic distances from samples that were not in the fit, through their neighbours among those that were."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from apsp._types import NumPyArray
from apsp.errors import RequestError

__all__ = ["links_to", "nearest_through", "rows_through"]


def links_to(neighbours: NearestNeighbors, samples: Any) -> tuple[Any, Any]:
    """Lengths and positions of the neighbours of every sample: two sequences with an array per sample.

    Raises
    ------
    RequestError
        If a sample has no neighbour within the radius.
    """
    if neighbours.n_neighbors is not None:
        return tuple(neighbours.kneighbors(samples))
    lengths, positions = neighbours.radius_neighbors(samples)
    alone = [sample for sample, found in enumerate(positions) if not len(found)]
    if alone:
        others = f" ({len(alone)} samples have none)" if len(alone) > 1 else ""
        raise RequestError(
            f"sample {alone[0]} has no neighbour within radius={neighbours.radius:g}{others}: increase the radius"
        )
    return lengths, positions


def rows_through(lengths: Any, positions: Any, known: NumPyArray) -> NumPyArray:
    """The minimum over neighbours of the distance to the neighbour and the known distances from there: (q, columns)."""
    rows = np.empty((len(positions), known.shape[1]), dtype=known.dtype)
    for row, length, position in zip(rows, lengths, positions, strict=True):
        np.min(known[position] + length[:, None].astype(known.dtype), axis=0, out=row)
    return rows


def nearest_through(
    lengths: Any, positions: Any, known: tuple[NumPyArray, NumPyArray]
) -> tuple[NumPyArray, NumPyArray]:
    """The k nearest fitted samples, given those of every neighbour: positions and distances, (q, k) each.

    They are among the k nearest of the neighbours, each of which counts as its own nearest.
    """
    vertices, distances = known
    k = vertices.shape[1]
    found = np.empty((len(positions), k), dtype=vertices.dtype)
    found_at = np.empty((len(positions), k), dtype=distances.dtype)
    for sample, (length, position) in enumerate(zip(lengths, positions, strict=True)):
        candidates = vertices[position].ravel()
        away = (distances[position] + length[:, None].astype(distances.dtype)).ravel()
        order = np.lexsort((candidates, away))
        _, first = np.unique(candidates[order], return_index=True)
        kept = order[np.sort(first)[:k]]
        found[sample], found_at[sample] = candidates[kept], away[kept]
    return found, found_at
