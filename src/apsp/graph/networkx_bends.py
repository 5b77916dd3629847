"""The bends of the streets of OSMnx: lines of shapely in the edge attribute `geometry`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
import numpy.typing as npt

from apsp._types import NetworkXGraph
from apsp.graph.bends import Bends, bends_of_lines
from apsp.graph.networkx_arcs import Arcs, arcs_of

__all__ = ["bends_of_edges"]


def bends_of_edges(
    G: NetworkXGraph,
    arcs: Arcs,
    kept: npt.NDArray[np.bool_] | None,
    coordinates: npt.NDArray[np.float64],
    positions: Mapping[Hashable, int],
    *,
    exact: bool,
) -> Bends | None:
    """Return the bends of the arcs, in the order of `arcs_of`; None if no edge has any.

    A line of an undirected graph may begin at either end of its edge. It is read in the direction in which its ends are
    nearer to those of the arc. Edges whose attribute is not a line of shapely are straight.

    Parameters
    ----------
    G : networkx.Graph
    arcs : Arcs
        With the lengths, by an attribute.
    kept : (m,) bool or None
        The arcs that exist; None means all of them.
    coordinates : (n, 2) float64
    positions : mapping
        Of the nodes.
    exact : bool
        None count unless all begin and end where their nodes are: they may have other coordinates.

    Raises
    ------
    GraphError
        If a line has a point that is not two finite numbers.
    """
    values = arcs_of(G, "geometry", positions).values
    if values is None or isinstance(values, np.ndarray):
        return None
    lines = np.fromiter((getattr(value, "geom_type", "") == "LineString" for value in values), bool, len(values))
    if not lines.any():
        return None
    import shapely

    shapes = np.full(len(values), None, dtype=object)
    for place in np.flatnonzero(lines):
        shapes[place] = values[place]
    tails, heads = arcs.tails, arcs.heads
    if kept is not None:
        shapes, tails, heads = shapes[kept], tails[kept], heads[kept]
    points, numbers = shapely.get_coordinates(shapes, return_index=True)
    return bends_of_lines(points, numbers, coordinates[tails], coordinates[heads], exact=exact)
