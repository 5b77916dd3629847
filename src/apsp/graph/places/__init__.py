"""Places: points of a map on the streets of a graph, and how to get onto them."""

from apsp.graph.places.places import Places

__all__ = ["Places"]
