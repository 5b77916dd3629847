"""Polygons around the streets that are within cutoffs of sources: geometry, which plans and runs nothing."""
