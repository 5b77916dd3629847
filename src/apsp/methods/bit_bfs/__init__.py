"""Breadth-first search from many sources at once, one bit per source."""
