"""Measures of all distances of a graph, in one call each; n x n is never stored.

Each call streams the rows once. `summary` gives many measures in one pass; the other functions are short calls of it,
but for betweenness, which comes from paths.
Names and defaults are NetworkX's. Vertices are labels of the graph in arguments and results; an array of numbers per
vertex is in the order of `graph.labels`, or of the requested vertices.
"""
