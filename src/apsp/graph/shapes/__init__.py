"""Geometries with columns: features for GeoPandas, GeoJSON and GeoParquet."""

from apsp.graph.shapes.features import Features
from apsp.graph.shapes.mapped import Mapped

__all__ = ["Features", "Mapped"]
