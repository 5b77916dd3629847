"""Searches from one source after another: Dijkstra, breadth-first search, Johnson."""
