from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, every_kind, found

rustworkx = pytest.importorskip("rustworkx")


def graph(directed: bool, weighted: bool) -> rustworkx.PyGraph | rustworkx.PyDiGraph:
    given, made = edges(), rustworkx.PyDiGraph() if directed else rustworkx.PyGraph()
    made.add_nodes_from([f"v{place}" for place in range(given.n)])
    made.add_edges_from(given.triples if weighted else [(*ends, None) for ends in given.ends])
    return made


def own(given: rustworkx.PyGraph | rustworkx.PyDiGraph, cost: object) -> dict[int, dict[int, float]]:
    """Distances without those of a vertex to itself, which rustworkx does not return."""
    lengths = rustworkx.all_pairs_dijkstra_path_lengths(given, cost)
    return {source: {v: d for v, d in lengths[source].items() if v != source} for source in lengths}


def ours(given: object) -> dict[int, dict[int, float]]:
    lengths = apsp.solve(given).to_dict()
    return {source: {v: d for v, d in row.items() if v != source} for source, row in lengths.items()}


@every_kind
def test_distances_are_those_of_rustworkx(directed: bool, weighted: bool) -> None:
    given = graph(directed, weighted)
    assert ours(given) == own(given, float if weighted else lambda data: 1.0)


def test_labels_are_node_indices_also_where_nodes_were_removed() -> None:
    given = graph(True, True)
    given.remove_nodes_from([1, 11])
    assert list(apsp.as_graph(given).labels) == [0, *range(2, 11)]
    assert ours(given) == own(given, float)


def test_data_that_hold_the_length() -> None:
    given, whole = graph(False, True), graph(False, True)
    for edge, (*_, weight) in enumerate(edges().triples):
        given.update_edge_by_index(edge, {"weight": weight, "name": "a"})
    assert np.array_equal(found(given), found(whole))
    assert np.array_equal(found(given, weight="weight"), found(whole))
    assert np.array_equal(found(given, weight=lambda data: 2 * data["weight"]), 2 * found(whole))
    assert np.array_equal(found(given, weight=edges().weights), found(whole))
    assert apsp.as_graph(given, weight=None).weights is None


def test_data_that_are_no_length() -> None:
    given = graph(True, True)
    given.update_edge_by_index(20, "slow")
    with pytest.raises(apsp.GraphError, match="edge 0 - 1 has the data 'slow', of which the length is unknown: give"):
        apsp.solve(given)
    with pytest.raises(apsp.GraphError, match="edge 0 - 1: the weight function returns 'slow': a weight must be"):
        apsp.as_graph(given, weight=lambda data: data)
    assert apsp.as_graph(given, weight=None).m == apsp.as_graph(graph(True, False)).m
