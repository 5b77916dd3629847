"""What NetworkX loads by its entry point `networkx.backends`: functions by their names, and four more."""

from __future__ import annotations

from typing import Any

from apsp.compat.networkx.betweenness import (
    betweenness_centrality,
    betweenness_centrality_subset,
    edge_betweenness_centrality,
)
from apsp.compat.networkx.centrality import (
    closeness_centrality,
    global_reaching_centrality,
    group_closeness_centrality,
    harmonic_centrality,
)
from apsp.compat.networkx.choice import (
    can_run,
    should_run,
)
from apsp.compat.networkx.converted import (
    Converted,
)
from apsp.compat.networkx.dag import (
    transitive_closure,
)
from apsp.compat.networkx.distance_measures import (
    barycenter,
    center,
    diameter,
    eccentricity,
    harmonic_diameter,
    periphery,
    radius,
)
from apsp.compat.networkx.distance_regular import (
    intersection_array,
    is_distance_regular,
)
from apsp.compat.networkx.efficiency_measures import (
    efficiency,
    global_efficiency,
    local_efficiency,
)
from apsp.compat.networkx.shortest_paths.bellman_ford import (
    all_pairs_bellman_ford_path,
    all_pairs_bellman_ford_path_length,
    bellman_ford_path,
    bellman_ford_path_length,
    bellman_ford_predecessor_and_distance,
    goldberg_radzik,
    johnson,
    negative_edge_cycle,
    single_source_bellman_ford,
    single_source_bellman_ford_path,
    single_source_bellman_ford_path_length,
)
from apsp.compat.networkx.shortest_paths.dense import (
    floyd_warshall,
    floyd_warshall_numpy,
    floyd_warshall_predecessor_and_distance,
)
from apsp.compat.networkx.shortest_paths.generic import (
    all_pairs_all_shortest_paths,
    all_shortest_paths,
    average_shortest_path_length,
    has_path,
    shortest_path,
    shortest_path_length,
    single_source_all_shortest_paths,
)
from apsp.compat.networkx.shortest_paths.unweighted import (
    all_pairs_shortest_path,
    all_pairs_shortest_path_length,
    bidirectional_shortest_path,
    predecessor,
    single_source_shortest_path,
    single_source_shortest_path_length,
    single_target_shortest_path,
    single_target_shortest_path_length,
)
from apsp.compat.networkx.shortest_paths.weighted import (
    all_pairs_dijkstra,
    all_pairs_dijkstra_path,
    all_pairs_dijkstra_path_length,
    dijkstra_path,
    dijkstra_path_length,
    dijkstra_predecessor_and_distance,
    multi_source_dijkstra,
    multi_source_dijkstra_path,
    multi_source_dijkstra_path_length,
    single_source_dijkstra,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)
from apsp.compat.networkx.simple_paths import (
    shortest_simple_paths,
)
from apsp.compat.networkx.wiener import (
    gutman_index,
    hyper_wiener_index,
    schultz_index,
    wiener_index,
)

__all__ = [
    "all_pairs_all_shortest_paths",
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "all_pairs_shortest_path",
    "all_pairs_shortest_path_length",
    "all_shortest_paths",
    "average_shortest_path_length",
    "barycenter",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance",
    "betweenness_centrality",
    "betweenness_centrality_subset",
    "bidirectional_shortest_path",
    "can_run",
    "center",
    "closeness_centrality",
    "convert_from_nx",
    "convert_to_nx",
    "diameter",
    "dijkstra_path",
    "dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
    "eccentricity",
    "edge_betweenness_centrality",
    "efficiency",
    "floyd_warshall",
    "floyd_warshall_numpy",
    "floyd_warshall_predecessor_and_distance",
    "global_efficiency",
    "global_reaching_centrality",
    "goldberg_radzik",
    "group_closeness_centrality",
    "gutman_index",
    "harmonic_centrality",
    "harmonic_diameter",
    "has_path",
    "hyper_wiener_index",
    "intersection_array",
    "is_distance_regular",
    "johnson",
    "local_efficiency",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "negative_edge_cycle",
    "periphery",
    "predecessor",
    "radius",
    "schultz_index",
    "shortest_path",
    "shortest_path_length",
    "shortest_simple_paths",
    "should_run",
    "single_source_all_shortest_paths",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "single_target_shortest_path",
    "single_target_shortest_path_length",
    "transitive_closure",
    "wiener_index",
]


def convert_from_nx(graph: Any, **_: Any) -> Converted:
    """Convert a graph of NetworkX; its arcs are read when a function needs them."""
    return Converted(graph)


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """Return the original of a converted graph; all other results are NetworkX's already."""
    return result.origin if isinstance(result, Converted) else result
