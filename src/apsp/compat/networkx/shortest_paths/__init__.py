"""Shortest paths, in the modules of `networkx.algorithms.shortest_paths`."""
