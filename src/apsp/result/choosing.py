"""The indices of `result[source, target]`: each is a vertex, several vertices, or a slice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError
from apsp.graph.model import Graph

__all__ = ["is_many", "places", "positions"]


def is_many(given: Any) -> bool:
    """Whether an index stands for several vertices. Tuples do not, since they may be labels."""
    return isinstance(given, (slice, list, range)) or getattr(given, "ndim", 0) == 1


def positions(graph: Graph, given: Any, kept: npt.NDArray[np.int32]) -> npt.NDArray[np.int32] | None:
    """The positions of several vertices in the graph; None for all that were solved for.

    Parameters
    ----------
    graph : Graph
    given : slice, or sequence of labels
    kept : int32 array
        Those that were solved for: vertices, or places of one set.

    Raises
    ------
    GraphError
        If a vertex does not exist.
    RequestError
        If a slice has bounds that do not name vertices.
    """
    if not isinstance(given, slice):
        if isinstance(given, np.ma.MaskedArray):
            raise RequestError("vertices must not be a masked array: which of them are wanted is not clear")
        labels, start = graph.labels.part(kept)
        return labels.positions(given) + np.int32(start)
    if given == slice(None):
        return None
    if graph.has_labels:
        raise RequestError("the vertices have labels, so a slice with bounds names none of them: give a list of labels")
    try:
        return np.arange(*given.indices(graph.n), dtype=np.int32)
    except (TypeError, ValueError) as error:
        raise RequestError(f"the bounds of a slice must be integers: {error}") from error


def places(
    graph: Graph, wanted: npt.NDArray[np.int32], kept: npt.NDArray[np.int32], word: str
) -> npt.NDArray[np.int32]:
    """The rows (or columns) of some vertices among those that were solved for; the first one of a repeated vertex.

    Raises
    ------
    RequestError
        Naming the first vertex that is not among them.
    """
    place = np.full(graph.n, -1, dtype=np.int32)
    place[kept[::-1]] = np.arange(len(kept) - 1, -1, -1, dtype=np.int32)
    found = place[wanted]
    missing = wanted[found < 0]
    if len(missing):
        raise RequestError(f"vertex {graph.word(int(missing[0]))} is not among the {word} that were solved for")
    return found
