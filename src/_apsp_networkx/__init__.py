"""What NetworkX reads of the backend while it is imported itself, without `import apsp`, which takes longer."""

from __future__ import annotations

from typing import Any

__all__ = ["get_info"]

_FUNCTIONS = """
    all_pairs_all_shortest_paths
    all_pairs_bellman_ford_path
    all_pairs_bellman_ford_path_length
    all_pairs_dijkstra
    all_pairs_dijkstra_path
    all_pairs_dijkstra_path_length
    all_pairs_shortest_path
    all_pairs_shortest_path_length
    all_shortest_paths
    average_shortest_path_length
    barycenter
    bellman_ford_path
    bellman_ford_path_length
    bellman_ford_predecessor_and_distance
    betweenness_centrality
    betweenness_centrality_subset
    bidirectional_shortest_path
    center
    closeness_centrality
    diameter
    dijkstra_path
    dijkstra_path_length
    dijkstra_predecessor_and_distance
    eccentricity
    edge_betweenness_centrality
    efficiency
    floyd_warshall
    floyd_warshall_numpy
    floyd_warshall_predecessor_and_distance
    global_efficiency
    global_reaching_centrality
    goldberg_radzik
    group_closeness_centrality
    gutman_index
    harmonic_centrality
    harmonic_diameter
    has_path
    hyper_wiener_index
    intersection_array
    is_distance_regular
    johnson
    local_efficiency
    multi_source_dijkstra
    multi_source_dijkstra_path
    multi_source_dijkstra_path_length
    negative_edge_cycle
    periphery
    predecessor
    radius
    schultz_index
    shortest_path
    shortest_path_length
    shortest_simple_paths
    single_source_all_shortest_paths
    single_source_bellman_ford
    single_source_bellman_ford_path
    single_source_bellman_ford_path_length
    single_source_dijkstra
    single_source_dijkstra_path
    single_source_dijkstra_path_length
    single_source_shortest_path
    single_source_shortest_path_length
    single_target_shortest_path
    single_target_shortest_path_length
    transitive_closure
    wiener_index
"""


def get_info() -> dict[str, Any]:
    """Return the name of the backend, its functions and where they are described, for the documents of NetworkX."""
    return {
        "backend_name": "apsp",
        "project": "apsp",
        "package": "apsp",
        "short_summary": "Distances of all pairs on all cores; values, types and errors as of NetworkX.",
        "functions": {name: {} for name in _FUNCTIONS.split()},
    }
