"""The vertices within a radius of some sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.api import stream
from apsp.graph.model import Graph
from apsp.semiring import unreachable
from apsp.system.array_device import to_host

__all__ = ["Near", "near"]


class Near(NamedTuple):
    """What is within the radius of some sources, by row.

    Attributes
    ----------
    sources : (S,) int32
    counts : (S,) int64
        Pairs of each source.
    vertices : (k,) int64
        By source, ascending.
    distances : (k,) array
    """

    sources: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    vertices: npt.NDArray[np.int64]
    distances: npt.NDArray[Any]


def near(
    graph: Graph, radius: float, sources: npt.NDArray[np.int32] | None, targets: npt.NDArray[np.int32]
) -> Iterator[Near]:
    """Find those of some targets that are within a radius, a block of sources at a time.

    Parameters
    ----------
    graph : Graph
    radius : number
        The longest distance, included.
    sources : (S,) int32 or None
        Different vertices; None means all.
    targets : (T,) int32
        Ascending.

    Yields
    ------
    Near
    """
    for block in stream(graph, sources=sources, targets=targets, cutoff=radius, device="cpu", reuse=True):
        rows = to_host(block.distances)
        row, column = np.nonzero(rows != unreachable(rows.dtype))
        counts = np.bincount(row, minlength=len(rows))
        yield Near(np.array(block.source_positions), counts, targets[column].astype(np.int64), rows[row, column])
