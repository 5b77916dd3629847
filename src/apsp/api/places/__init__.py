"""Distances between places, and tables of them."""

from apsp.api.places.place_matrix import PlaceMatrix
from apsp.api.places.tables import table

__all__ = ["PlaceMatrix", "table"]
