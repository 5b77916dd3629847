from __future__ import annotations

import numpy as np
import pytest

import apsp
from outside import edges, every_kind, found

graph_tool = pytest.importorskip("graph_tool")


def graph(directed: bool, weighted: bool) -> graph_tool.Graph:
    given = edges()
    made = graph_tool.Graph(directed=directed)
    made.add_vertex(given.n)
    made.add_edge_list(given.ends)
    if weighted:
        made.ep["weight"] = made.new_ep("double", vals=given.weights)
    return made


def own(given: graph_tool.Graph, weights: object) -> np.ndarray:
    from graph_tool.topology import shortest_distance

    distances = np.array([list(row) for row in shortest_distance(given, weights=weights)], dtype=float)
    return np.where(distances >= 2**31 - 1, np.inf, distances)


@every_kind
def test_distances_are_those_of_graph_tool(directed: bool, weighted: bool) -> None:
    given = graph(directed, weighted)
    assert np.array_equal(found(given), own(given, given.ep["weight"] if weighted else None))


def test_names_property_maps_and_filters() -> None:
    given = graph(True, True)
    given.vp["name"] = given.new_vp("string", vals=[f"v{place}" for place in range(12)])
    assert list(apsp.as_graph(given).labels) == [f"v{place}" for place in range(12)]
    assert np.array_equal(found(given, weight=given.ep["weight"]), found(given))
    view = graph_tool.GraphView(given, vfilt=lambda v: int(v) != 1)
    assert "v1" not in apsp.as_graph(view).labels
