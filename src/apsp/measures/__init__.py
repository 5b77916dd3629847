"""Measures of all distances of a graph, in one call each; n x n is never stored.

Each call streams the rows once. `summary` gives many measures in one pass; the other functions are short calls of it,
but for betweenness, which comes from paths.
Names and defaults are NetworkX's. Vertices are labels of the graph in arguments and results; an array of numbers per
vertex is in the order of `graph.labels`, or of the requested vertices.
"""

from apsp.measures.accessibility import accessibility
from apsp.measures.betweenness import betweenness_centrality, edge_betweenness_centrality
from apsp.measures.closeness import closeness_centrality, farness, harmonic_centrality
from apsp.measures.eccentricities import center, diameter, eccentricity, extremes, periphery, radius
from apsp.measures.facilities import nearest
from apsp.measures.local import local_efficiencies, local_efficiency
from apsp.measures.neighbours import k_nearest
from apsp.measures.summary import summary
from apsp.measures.sums import (
    average_shortest_path_length,
    barycenter,
    distance_histogram,
    global_efficiency,
    wiener_index,
)

__all__ = [
    "accessibility",
    "average_shortest_path_length",
    "barycenter",
    "betweenness_centrality",
    "center",
    "closeness_centrality",
    "diameter",
    "distance_histogram",
    "eccentricity",
    "edge_betweenness_centrality",
    "extremes",
    "farness",
    "global_efficiency",
    "harmonic_centrality",
    "k_nearest",
    "local_efficiencies",
    "local_efficiency",
    "nearest",
    "periphery",
    "radius",
    "summary",
    "wiener_index",
]
