"""Places: points of a map on the streets of a graph, and how to get onto them."""

from apsp.graph.places.places import Places
from apsp.graph.places.snapping import Snapping

__all__ = ["Places", "Snapping"]
