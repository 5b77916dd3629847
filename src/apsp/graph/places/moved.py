"""Places on the streets of a graph some of whose streets are closed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from apsp.graph.arc_positions import arcs_between
from apsp.graph.places.ends import check_places
from apsp.graph.places.places import Places

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["on_open_streets"]


def on_open_streets(whole: Graph, left: Graph, places: Places) -> Places:
    """Places of a graph as places of it without some arcs.

    Where only the other direction of a street is open, the place is on that; where none is, no path reaches it.

    Raises
    ------
    RequestError
        If the places are on the streets of another graph.
    """
    check_places(whole, places, "places")
    on = np.flatnonzero(places.arcs >= 0)
    tails, heads = places.vertices[on], whole.indices[places.arcs[on]]
    along, back = (arcs_between(left.indptr, left.indices, *ends) for ends in ((tails, heads), (heads, tails)))
    is_back = (along < 0) & (back >= 0)
    arcs, vertices, fractions = places.arcs.copy(), places.vertices.copy(), places.fractions.copy()
    arcs[on] = np.where(is_back, back, along)
    vertices[on] = np.where(is_back, heads, np.where(along < 0, -1, tails))
    fractions[on] = np.where(is_back, 1 - places.fractions[on], np.where(along < 0, 0, places.fractions[on]))
    return replace(places, graph=left, arcs=arcs, vertices=vertices, fractions=fractions, unsnapped="unreachable")
